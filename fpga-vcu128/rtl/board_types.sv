// SPDX-License-Identifier: Apache-2.0
//
// Types of the board's own buses, beside those of bus_types.
//   jtag, pcie  AXI4 of the host's two links, as the vendor's IP has them
//   hbm         AXI3 of the HBM: beats of 32 bytes
//   lite        AXI4-Lite of the UART
//   beat        PCIe access: one access of up to 32 bytes; the request stands until `done`, which lasts one cycle
`include "axi.svh"
package board_types;
  import bus_types::*;
  localparam int HBM_ADDR_BITS = 33;  // both stacks, 8 GiB
  localparam int HBM_ID_BITS = 6;

  `AXI4_TYPES(jtag, 1, 64, 64);
  `AXI4_TYPES(pcie, 4, 64, 256);

  typedef struct packed {
    logic [HBM_ID_BITS-1:0] id;
    logic [HBM_ADDR_BITS-1:0] addr;
    logic [3:0] len;
    logic [1:0] burst;
  } hbm_address_t;
  typedef struct packed {
    logic [HBM_ID_BITS-1:0] id;
    logic [1:0] resp;
  } hbm_done_t;
  typedef struct packed {
    logic [HBM_ID_BITS-1:0] id;
    logic [255:0] data;
    logic [1:0] resp;
    logic last;
  } hbm_read_t;
  typedef struct packed {
    logic aw_valid;
    hbm_address_t aw;
    logic w_valid;
    memory_write_t w;
    logic b_ready;
    logic ar_valid;
    hbm_address_t ar;
    logic r_ready;
  } hbm_request_t;
  typedef struct packed {
    logic aw_ready;
    logic w_ready;
    logic b_valid;
    hbm_done_t b;
    logic ar_ready;
    logic r_valid;
    hbm_read_t r;
  } hbm_response_t;

  typedef struct packed {
    logic aw_valid;
    logic w_valid;
    logic b_ready;
    logic ar_valid;
    logic r_ready;
    logic [12:0] addr;  // of both directions
    logic [31:0] data;
    logic [3:0] strb;
  } lite_request_t;
  typedef struct packed {
    logic aw_ready;
    logic w_ready;
    logic b_valid;
    logic [1:0] b_resp;
    logic ar_ready;
    logic r_valid;
    logic [31:0] data;
    logic [1:0] r_resp;
  } lite_response_t;

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
endpackage
