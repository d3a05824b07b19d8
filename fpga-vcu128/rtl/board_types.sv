// SPDX-License-Identifier: Apache-2.0
//
// Types of the board's internal buses.
//   AXI4 without IDs, 256-bit: one payload struct a channel; valid and ready travel beside it.
//   Beat bus (PCIe access): one access of up to 32 bytes; the request stands until `done`, which lasts one cycle.
package board_types;
  localparam int PADDR_BITS = 36;  // physical address of the SoC
  localparam int HBM_ADDR_BITS = 33;  // both stacks, 8 GiB
  localparam int SOC_ID_BITS = 14;  // of the SoC's memory and DMA ports

  typedef struct packed {
    logic [PADDR_BITS-1:0] addr;
    logic [7:0] len;
    logic [2:0] size;
    logic [1:0] burst;
  } axi_address_t;

  typedef struct packed {
    logic [255:0] data;
    logic [31:0] strb;
    logic last;
  } axi_write_t;

  typedef struct packed {
    logic [255:0] data;
    logic [1:0] resp;
    logic last;
  } axi_read_t;

  typedef struct packed {
    logic valid;
    logic write;
    logic [PADDR_BITS-1:0] addr;
    logic [2:0] size;  // log2 bytes
    logic [255:0] data;
    logic [31:0] strobes;
  } beat_request_t;

  typedef struct packed {
    logic done;
    logic error;
    logic [255:0] data;
  } beat_response_t;

  // AXI3 of the HBM: beats of 32 bytes
  typedef struct packed {
    logic [HBM_ADDR_BITS-1:0] addr;
    logic [3:0] len;
    logic [1:0] burst;
  } hbm_address_t;

  localparam logic [1:0] BURST_FIXED = 2'b00, BURST_INCR = 2'b01, BURST_WRAP = 2'b10;
  localparam logic [1:0] RESP_OKAY = 2'b00, RESP_SLVERR = 2'b10, RESP_DECERR = 2'b11;
endpackage
