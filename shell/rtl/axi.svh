// SPDX-License-Identifier: Apache-2.0
//
// AXI4 as a request and a response struct, and the way from there to the flat ports of an IP or of the core.
//   AXI4_TYPES       types of a port: NAME_request_t from the manager, NAME_response_t from the subordinate, and their channels
//   AXI4_FLAT        connections of an instance whose ports are PREFIXawvalid ..., without IDs and burst types, whichever side it is
//   AXI4_FLAT_BURST  its burst types
//   AXI4_FLAT_ID     its IDs
//   MMIO_FLAT        connections of the core's device port, whose ports are PREFIXreq_valid ...
`ifndef NHG_AXI_SVH
`define NHG_AXI_SVH

`define AXI4_TYPES(NAME, ID_BITS, ADDR_BITS, DATA_BITS) \
  typedef struct packed { \
    logic [ID_BITS-1:0] id; \
    logic [ADDR_BITS-1:0] addr; \
    logic [7:0] len; \
    logic [2:0] size; \
    logic [1:0] burst; \
  } NAME``_address_t; \
  typedef struct packed { \
    logic [DATA_BITS-1:0] data; \
    logic [DATA_BITS/8-1:0] strb; \
    logic last; \
  } NAME``_write_t; \
  typedef struct packed { \
    logic [ID_BITS-1:0] id; \
    logic [1:0] resp; \
  } NAME``_done_t; \
  typedef struct packed { \
    logic [ID_BITS-1:0] id; \
    logic [DATA_BITS-1:0] data; \
    logic [1:0] resp; \
    logic last; \
  } NAME``_read_t; \
  typedef struct packed { \
    logic aw_valid; \
    NAME``_address_t aw; \
    logic w_valid; \
    NAME``_write_t w; \
    logic b_ready; \
    logic ar_valid; \
    NAME``_address_t ar; \
    logic r_ready; \
  } NAME``_request_t; \
  typedef struct packed { \
    logic aw_ready; \
    logic w_ready; \
    logic b_valid; \
    NAME``_done_t b; \
    logic ar_ready; \
    logic r_valid; \
    NAME``_read_t r; \
  } NAME``_response_t

`define AXI4_FLAT(PREFIX, REQUEST, RESPONSE) \
      .PREFIX``awvalid(REQUEST.aw_valid), .PREFIX``awready(RESPONSE.aw_ready), .PREFIX``awaddr(REQUEST.aw.addr), \
      .PREFIX``awlen(REQUEST.aw.len), .PREFIX``awsize(REQUEST.aw.size), \
      .PREFIX``wvalid(REQUEST.w_valid), .PREFIX``wready(RESPONSE.w_ready), .PREFIX``wdata(REQUEST.w.data), \
      .PREFIX``wstrb(REQUEST.w.strb), .PREFIX``wlast(REQUEST.w.last), \
      .PREFIX``bvalid(RESPONSE.b_valid), .PREFIX``bready(REQUEST.b_ready), .PREFIX``bresp(RESPONSE.b.resp), \
      .PREFIX``arvalid(REQUEST.ar_valid), .PREFIX``arready(RESPONSE.ar_ready), .PREFIX``araddr(REQUEST.ar.addr), \
      .PREFIX``arlen(REQUEST.ar.len), .PREFIX``arsize(REQUEST.ar.size), \
      .PREFIX``rvalid(RESPONSE.r_valid), .PREFIX``rready(REQUEST.r_ready), .PREFIX``rdata(RESPONSE.r.data), \
      .PREFIX``rresp(RESPONSE.r.resp), .PREFIX``rlast(RESPONSE.r.last)

`define AXI4_FLAT_BURST(PREFIX, REQUEST) \
      .PREFIX``awburst(REQUEST.aw.burst), .PREFIX``arburst(REQUEST.ar.burst)

`define AXI4_FLAT_ID(PREFIX, REQUEST, RESPONSE) \
      .PREFIX``awid(REQUEST.aw.id), .PREFIX``bid(RESPONSE.b.id), .PREFIX``arid(REQUEST.ar.id), .PREFIX``rid(RESPONSE.r.id)

`define MMIO_FLAT(PREFIX, REQUEST, RESPONSE) \
      .PREFIX``req_valid(REQUEST.valid), .PREFIX``req_ready(RESPONSE.ready), .PREFIX``req_addr(REQUEST.addr), \
      .PREFIX``req_write(REQUEST.write), .PREFIX``req_size(REQUEST.size), .PREFIX``req_data(REQUEST.data), \
      .PREFIX``req_mask(REQUEST.mask), \
      .PREFIX``resp_valid(RESPONSE.valid), .PREFIX``resp_data(RESPONSE.data), .PREFIX``resp_error(RESPONSE.error)

`endif
