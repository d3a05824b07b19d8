// SPDX-License-Identifier: Apache-2.0
//
// Top of the simulation: the core (NhgSoc), local memory, far memory behind the delayer, devices. Memory contents,
// console and the end of the program live in the harness (sim_dpi). The probe ports of the core are listed by
// nhg_probes.svh, which shell/probes.py writes from the core's port list.
//   LOCAL_LATENCY_CYCLES  local memory and boot ROM: request to first beat; 240 cycles = 80 ns emulated
//   FAR_LATENCY_CYCLES    the memory behind the delayer; part of the configured far latency
`include "nhg_probes.svh"
module sim_top #(
    parameter int LOCAL_LATENCY_CYCLES = 240,
    parameter int FAR_LATENCY_CYCLES   = 20
) (
    input  logic             clock,
    input  logic             reset,
    input  logic [38:0]      reset_pc,
    input  logic             host_control_write,
    input  logic [11:0]      host_control_addr,
    input  logic [63:0]      host_control_wdata,
    input  logic [1:0][2:0]  memory_stall, // local, far; see behavioural_memory
    output logic [63:0]      far_counters[27],
    output logic [63:0]      probes[`NHG_PROBE_COUNT],
    // commit trace, slot 0 is the oldest of a cycle
    output logic [3:0]       commit_valid,
    output logic [3:0]       commit_writes,
    output logic [3:0]       commit_trap,
    output logic [3:0]       commit_mem_valid,
    output logic [3:0]       commit_mem_is_mmio,
    output logic [63:0]      commit_pc[4],
    output logic [31:0]      commit_inst[4],
    output logic [4:0]       commit_rd[4],
    output logic [63:0]      commit_rd_value[4],
    output logic [63:0]      commit_cause[4],
    output logic [63:0]      commit_tval[4],
    output logic [63:0]      commit_mem_addr[4]
);
  localparam int ID_BITS = 11;

  // Store to the host interface, byte offset from its base (sim/harness).
  import "DPI-C" function void nhg_host_write(input int unsigned offset, input longint unsigned data);

  logic awvalid, awready, wvalid, wready, wlast, bvalid, bready, arvalid, arready, rvalid, rready, rlast;
  logic [ID_BITS-1:0] awid, bid, arid, rid;
  logic [35:0] awaddr, araddr;
  logic [7:0] awlen, arlen;
  logic [2:0] awsize, arsize;
  logic [255:0] wdata, rdata;
  logic [31:0] wstrb;
  logic [1:0] bresp, rresp;

  logic req_valid, req_ready, req_write, resp_valid, resp_error;
  logic [35:0] req_addr;
  logic [1:0] req_size;
  logic [63:0] req_data, resp_data;
  logic [7:0] req_mask;

`define NHG_COMMIT_PORTS(i) \
      .commit_``i``_valid(commit_valid[i]), .commit_``i``_writes(commit_writes[i]), \
      .commit_``i``_trap(commit_trap[i]), .commit_``i``_memValid(commit_mem_valid[i]), \
      .commit_``i``_memIsMmio(commit_mem_is_mmio[i]), .commit_``i``_pc(commit_pc[i]), \
      .commit_``i``_inst(commit_inst[i]), .commit_``i``_rd(commit_rd[i]), \
      .commit_``i``_rdValue(commit_rd_value[i]), .commit_``i``_cause(commit_cause[i]), \
      .commit_``i``_tval(commit_tval[i]), .commit_``i``_memAddr(commit_mem_addr[i]),

  NhgSoc core (
      `NHG_COMMIT_PORTS(0)
      `NHG_COMMIT_PORTS(1)
      `NHG_COMMIT_PORTS(2)
      `NHG_COMMIT_PORTS(3)
      `NHG_PROBE_PORTS
      .clock, .reset, .reset_pc,
      .mem_awvalid(awvalid), .mem_awready(awready), .mem_awid(awid), .mem_awaddr(awaddr),
      .mem_awlen(awlen), .mem_awsize(awsize),
      .mem_wvalid(wvalid), .mem_wready(wready), .mem_wdata(wdata), .mem_wstrb(wstrb), .mem_wlast(wlast),
      .mem_bvalid(bvalid), .mem_bready(bready), .mem_bid(bid), .mem_bresp(bresp),
      .mem_arvalid(arvalid), .mem_arready(arready), .mem_arid(arid), .mem_araddr(araddr),
      .mem_arlen(arlen), .mem_arsize(arsize),
      .mem_rvalid(rvalid), .mem_rready(rready), .mem_rid(rid), .mem_rdata(rdata), .mem_rresp(rresp),
      .mem_rlast(rlast),
      .mmio_req_valid(req_valid), .mmio_req_ready(req_ready), .mmio_req_addr(req_addr),
      .mmio_req_write(req_write), .mmio_req_size(req_size), .mmio_req_data(req_data), .mmio_req_mask(req_mask),
      .mmio_resp_valid(resp_valid), .mmio_resp_data(resp_data), .mmio_resp_error(resp_error)
  );

  // Core port to the two memories: index 0 local, 1 far
  logic [1:0] m_awvalid, m_awready, m_wvalid, m_wready, m_bvalid, m_bready;
  logic [1:0] m_arvalid, m_arready, m_rvalid, m_rready, m_rlast;
  logic [1:0][ID_BITS-1:0] m_bid, m_rid;
  logic [1:0][1:0] m_bresp, m_rresp;
  logic [1:0][255:0] m_rdata;
  memory_splitter #(.ID_BITS(ID_BITS)) splitter (.*);

  axi4_checker #(.ID_BITS(ID_BITS), .UNIQUE_IDS(1)) core_port_checker (.awburst(2'b01), .arburst(2'b01), .*);

  behavioural_memory #(.ID_BITS(ID_BITS), .LATENCY_CYCLES(LOCAL_LATENCY_CYCLES), .OUTSTANDING(128)) local_memory (
      .clock, .reset, .stall(memory_stall[0]),
      .awvalid(m_awvalid[0]), .awready(m_awready[0]), .awid, .awaddr, .awsize,
      .wvalid(m_wvalid[0]), .wready(m_wready[0]), .wdata, .wstrb, .wlast,
      .bvalid(m_bvalid[0]), .bready(m_bready[0]), .bid(m_bid[0]), .bresp(m_bresp[0]),
      .arvalid(m_arvalid[0]), .arready(m_arready[0]), .arid, .araddr, .arlen, .arsize,
      .rvalid(m_rvalid[0]), .rready(m_rready[0]), .rid(m_rid[0]), .rdata(m_rdata[0]), .rresp(m_rresp[0]),
      .rlast(m_rlast[0])
  );

  // Far memory behind the delayer
  logic f_awvalid, f_awready, f_wvalid, f_wready, f_wlast, f_bvalid, f_bready;
  logic f_arvalid, f_arready, f_rvalid, f_rready, f_rlast;
  logic [35:0] f_awaddr, f_araddr;
  logic [7:0] f_awlen, f_arlen;
  logic [2:0] f_awsize, f_arsize;
  logic [1:0] f_awburst, f_arburst, f_bresp, f_rresp;
  logic [255:0] f_wdata, f_rdata;
  logic [31:0] f_wstrb;
  logic f_bid, f_rid;

  logic control_valid, control_ready, control_write;
  logic [11:0] control_addr;
  logic [63:0] control_wdata, control_rdata;
  logic [26:0][63:0] live_counters;

  logic host_valid;
  logic [11:0] host_offset;
  logic [63:0] host_data;
  device_port devices (
      .host_ready(1'b1), .host_control_valid(host_control_write),
      .uart_valid(), .uart_ready(1'b1), .uart_write(), .uart_addr(), .uart_wdata(), .uart_wstrb(), .uart_rdata('0),
      .uart_error(1'b1), .*
  );
  always_ff @(posedge clock) if (!reset && host_valid) nhg_host_write(32'(host_offset), host_data);

  far_memory_delayer #(.ID_BITS(ID_BITS)) delayer (
      .clock, .reset,
      .control_valid, .control_ready, .control_write, .control_addr, .control_wdata, .control_rdata, .live_counters,
      .s_awvalid(m_awvalid[1]), .s_awready(m_awready[1]), .s_awid(awid), .s_awaddr(awaddr), .s_awlen(awlen),
      .s_awsize(awsize), .s_awburst(2'b01),
      .s_wvalid(m_wvalid[1]), .s_wready(m_wready[1]), .s_wdata(wdata), .s_wstrb(wstrb), .s_wlast(wlast),
      .s_bvalid(m_bvalid[1]), .s_bready(m_bready[1]), .s_bid(m_bid[1]), .s_bresp(m_bresp[1]),
      .s_arvalid(m_arvalid[1]), .s_arready(m_arready[1]), .s_arid(arid), .s_araddr(araddr), .s_arlen(arlen),
      .s_arsize(arsize), .s_arburst(2'b01),
      .s_rvalid(m_rvalid[1]), .s_rready(m_rready[1]), .s_rid(m_rid[1]), .s_rdata(m_rdata[1]),
      .s_rresp(m_rresp[1]), .s_rlast(m_rlast[1]),
      .m_awvalid(f_awvalid), .m_awready(f_awready), .m_awaddr(f_awaddr), .m_awlen(f_awlen), .m_awsize(f_awsize),
      .m_awburst(f_awburst), .m_wvalid(f_wvalid), .m_wready(f_wready), .m_wdata(f_wdata), .m_wstrb(f_wstrb),
      .m_wlast(f_wlast), .m_bvalid(f_bvalid), .m_bready(f_bready), .m_bresp(f_bresp),
      .m_arvalid(f_arvalid), .m_arready(f_arready), .m_araddr(f_araddr), .m_arlen(f_arlen), .m_arsize(f_arsize),
      .m_arburst(f_arburst), .m_rvalid(f_rvalid), .m_rready(f_rready), .m_rdata(f_rdata), .m_rresp(f_rresp),
      .m_rlast(f_rlast)
  );

  behavioural_memory #(.ID_BITS(1), .LATENCY_CYCLES(FAR_LATENCY_CYCLES), .OUTSTANDING(64)) far_memory (
      .clock, .reset, .stall(memory_stall[1]),
      .awvalid(f_awvalid), .awready(f_awready), .awid(1'b0), .awaddr(f_awaddr), .awsize(f_awsize),
      .wvalid(f_wvalid), .wready(f_wready), .wdata(f_wdata), .wstrb(f_wstrb), .wlast(f_wlast),
      .bvalid(f_bvalid), .bready(f_bready), .bid(f_bid), .bresp(f_bresp),
      .arvalid(f_arvalid), .arready(f_arready), .arid(1'b0), .araddr(f_araddr), .arlen(f_arlen), .arsize(f_arsize),
      .rvalid(f_rvalid), .rready(f_rready), .rid(f_rid), .rdata(f_rdata), .rresp(f_rresp), .rlast(f_rlast)
  );

  always_comb begin
    for (int i = 0; i < 27; i++) far_counters[i] = live_counters[i];
  end
endmodule
