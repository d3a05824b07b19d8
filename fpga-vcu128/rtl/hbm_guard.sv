// SPDX-License-Identifier: Apache-2.0
//
// From AXI4 with physical addresses to the AXI3 of the HBM, without IDs: all responses come in order. Physical addresses
// below 8 GiB are HBM addresses: stack 0 holds boot ROM and local memory, stack 1 far memory.
//   - an address outside this port's memory is answered DECERR: the burst is done on the memory's first bytes, with
//     no byte enabled and the data replaced by zero
//   - HBM knows only 32-byte beats and 16 beats a burst: a single narrow beat becomes a 32-byte one (its bytes are
//     on their lanes already); a burst HBM cannot do is not accepted, and `refused` says so until reset
//   BASE, SIZE          this port's memory, bytes
//   ROM_BASE, ROM_SIZE  a second piece of it; size 0: none
//   IN_FLIGHT           bursts each way, a power of two
module hbm_guard
  import board_types::*;
#(
    parameter longint unsigned BASE      = 0,
    parameter longint unsigned SIZE      = 4096,
    parameter longint unsigned ROM_BASE  = 0,
    parameter longint unsigned ROM_SIZE  = 0,
    parameter int              IN_FLIGHT = 512
) (
    input  logic         clock,
    input  logic         reset,
    output logic         refused,
    input  logic         s_awvalid,
    output logic         s_awready,
    input  axi_address_t s_aw,
    input  logic         s_wvalid,
    output logic         s_wready,
    input  axi_write_t   s_w,
    output logic         s_bvalid,
    input  logic         s_bready,
    output logic [1:0]   s_bresp,
    input  logic         s_arvalid,
    output logic         s_arready,
    input  axi_address_t s_ar,
    output logic         s_rvalid,
    input  logic         s_rready,
    output axi_read_t    s_r,
    output logic         m_awvalid,
    input  logic         m_awready,
    output hbm_address_t m_aw,
    output logic         m_wvalid,
    input  logic         m_wready,
    output axi_write_t   m_w,
    input  logic         m_bvalid,
    output logic         m_bready,
    input  logic [1:0]   m_bresp,
    output logic         m_arvalid,
    input  logic         m_arready,
    output hbm_address_t m_ar,
    input  logic         m_rvalid,
    output logic         m_rready,
    input  axi_read_t    m_r
);
  function automatic logic absent(input logic [PADDR_BITS-1:0] addr);
    /* verilator lint_off UNSIGNED */ // without a ROM the second comparison is with 0
    return addr - PADDR_BITS'(BASE) >= PADDR_BITS'(SIZE) && addr - PADDR_BITS'(ROM_BASE) >= PADDR_BITS'(ROM_SIZE);
    /* verilator lint_on UNSIGNED */
  endfunction

  function automatic logic possible(input axi_address_t a);
    return a.len == 0 || (a.size == 3'd5 && a.len < 16 && a.burst != BURST_FIXED);
  endfunction

  function automatic hbm_address_t convert(input axi_address_t a);
    logic [HBM_ADDR_BITS-1:0] addr;
    addr = absent(a.addr) ? HBM_ADDR_BITS'(BASE) : a.addr[HBM_ADDR_BITS-1:0];
    return '{addr: {addr[HBM_ADDR_BITS-1:5], 5'd0}, len: a.len[3:0], burst: a.len == 0 ? BURST_INCR : a.burst};
  endfunction

  wire aw_absent = absent(s_aw.addr);
  wire ar_absent = absent(s_ar.addr);
  wire aw_possible = possible(s_aw);
  wire ar_possible = possible(s_ar);
  assign m_aw = convert(s_aw);
  assign m_ar = convert(s_ar);

  // Reads
  logic read_note_ready, read_note_valid, read_absent;
  assign m_arvalid = s_arvalid && ar_possible && read_note_ready;
  assign s_arready = m_arready && ar_possible && read_note_ready;
  bypass_fifo #(.WIDTH(1), .DEPTH(IN_FLIGHT)) read_notes (
      .clock, .reset,
      .in_valid(m_arvalid && m_arready), .in_ready(read_note_ready), .in_data(ar_absent),
      .out_valid(read_note_valid), .out_ready(m_rvalid && m_rready && m_r.last), .out_data(read_absent)
  );
  assign s_rvalid = m_rvalid && read_note_valid;
  assign m_rready = s_rready && read_note_valid;
  assign s_r = '{data: read_absent ? '0 : m_r.data, resp: read_absent ? RESP_DECERR : m_r.resp, last: m_r.last};

  // Writes
  logic data_note_ready, data_note_valid, data_absent, answer_note_ready, answer_note_valid, answer_absent;
  wire aw_ready = aw_possible && data_note_ready && answer_note_ready;
  assign m_awvalid = s_awvalid && aw_ready;
  assign s_awready = m_awready && aw_ready;
  bypass_fifo #(.WIDTH(1), .DEPTH(IN_FLIGHT)) data_notes (
      .clock, .reset,
      .in_valid(m_awvalid && m_awready), .in_ready(data_note_ready), .in_data(aw_absent),
      .out_valid(data_note_valid), .out_ready(m_wvalid && m_wready && s_w.last), .out_data(data_absent)
  );
  bypass_fifo #(.WIDTH(1), .DEPTH(IN_FLIGHT)) answer_notes (
      .clock, .reset,
      .in_valid(m_awvalid && m_awready), .in_ready(answer_note_ready), .in_data(aw_absent),
      .out_valid(answer_note_valid), .out_ready(m_bvalid && m_bready), .out_data(answer_absent)
  );
  assign m_wvalid = s_wvalid && data_note_valid;
  assign s_wready = m_wready && data_note_valid;
  assign m_w = '{data: s_w.data, strb: data_absent ? '0 : s_w.strb, last: s_w.last};
  assign s_bvalid = m_bvalid && answer_note_valid;
  assign m_bready = s_bready && answer_note_valid;
  assign s_bresp = answer_absent ? RESP_DECERR : m_bresp;

  always_ff @(posedge clock) begin
    if (reset) refused <= 1'b0;
    else refused <= refused || (s_awvalid && !aw_possible) || (s_arvalid && !ar_possible);
  end
endmodule
