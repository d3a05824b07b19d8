// SPDX-License-Identifier: Apache-2.0
//
// Types of the buses between the core and what surrounds it.
//   memory    AXI4, 256-bit, physical addresses; behind a delayer all IDs are 0 and answers come in order
//   io        AXI4, 64-bit: devices, and the host's way in
//   mmio      the core's device port: one access at a time; the request stands until `ready`, `valid` answers it
//   register  64-bit registers: the request stands until `ready`. Whether the data comes with `ready` or a cycle later is
//             said at the port; addresses are physical, a control bus uses the lowest 12 bits
//   uart      32-bit registers of the UART: the request stands until `ready`; data and error belong to that cycle
`include "axi.svh"
package bus_types;
  localparam int PADDR_BITS = int'(nhg_platform::MEMORY_ADDRESS_BITS);  // physical address of the SoC
  localparam int MEMORY_ID_BITS = 14;
  localparam int IO_ID_BITS = 8;

  `AXI4_TYPES(memory, MEMORY_ID_BITS, PADDR_BITS, 256);
  `AXI4_TYPES(io, IO_ID_BITS, PADDR_BITS, 64);

  localparam logic [1:0] BURST_FIXED = 2'b00, BURST_INCR = 2'b01, BURST_WRAP = 2'b10;
  localparam logic [1:0] RESP_OKAY = 2'b00, RESP_SLVERR = 2'b10, RESP_DECERR = 2'b11;

  typedef struct packed {
    logic valid;
    logic [PADDR_BITS-1:0] addr;
    logic write;
    logic [1:0] size;  // log2 bytes
    logic [63:0] data;
    logic [7:0] mask;  // bytes that are written
  } mmio_request_t;
  typedef struct packed {
    logic ready;
    logic valid;
    logic [63:0] data;
    logic error;
  } mmio_response_t;

  typedef struct packed {
    logic valid;
    logic write;
    logic [PADDR_BITS-1:0] addr;
    logic [63:0] data;
  } register_request_t;
  typedef struct packed {
    logic ready;
    logic [63:0] data;
  } register_response_t;

  typedef struct packed {
    logic valid;
    logic write;
    logic [12:0] addr;
    logic [31:0] data;
    logic [3:0] strb;
  } uart_request_t;
  typedef struct packed {
    logic ready;
    logic [31:0] data;
    logic error;
  } uart_response_t;
endpackage
