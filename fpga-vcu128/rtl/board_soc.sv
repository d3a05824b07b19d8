// SPDX-License-Identifier: Apache-2.0
//
// Everything of the board that runs on the core's clock and needs no vendor IP: the core, the host's way in, board
// control, the way to the two memories and the delayer. Clock crossings, DRAM controllers and pins are around it.
//   h_*      host (JTAG or PCIe), AXI4 subordinate, 64-bit: host_port
//   local_*  local memory and boot ROM, AXI4 manager, 256-bit, physical addresses below 4 GiB, one request per ID in flight
//   far_*    far memory behind the delayer, AXI4 manager, 256-bit, physical addresses, no ID: answers in order
// `reset` is the platform's, from power-up to a stable clock; the core's own reset comes from the RUN register.
`include "nhg_probes.svh"
module board_soc #(
    parameter int ID_BITS       = 11,
    parameter int WINDOW_CYCLES = 10000  // of the busiest phase; the simulator's value
) (
    input  logic               clock,
    input  logic               reset,
    // board
    input  logic [31:0]        build_commit,     // first 8 hex digits of the git commit
    input  logic               build_dirty,
    input  logic [31:0]        core_khz,
    input  logic               local_ready,      // calibrated
    input  logic               far_ready,
    input  logic               cattrip,
    input  logic [6:0]         hbm_temperature,  // degrees Celsius
    output logic               core_running,
    output logic               exited,
    // host
    input  logic               h_awvalid,
    output logic               h_awready,
    input  logic [3:0]         h_awid,
    input  logic [35:0]        h_awaddr,
    input  logic [7:0]         h_awlen,
    input  logic [2:0]         h_awsize,
    input  logic [1:0]         h_awburst,
    input  logic               h_wvalid,
    output logic               h_wready,
    input  logic [63:0]        h_wdata,
    input  logic [7:0]         h_wstrb,
    input  logic               h_wlast,
    output logic               h_bvalid,
    input  logic               h_bready,
    output logic [3:0]         h_bid,
    output logic [1:0]         h_bresp,
    input  logic               h_arvalid,
    output logic               h_arready,
    input  logic [3:0]         h_arid,
    input  logic [35:0]        h_araddr,
    input  logic [7:0]         h_arlen,
    input  logic [2:0]         h_arsize,
    input  logic [1:0]         h_arburst,
    output logic               h_rvalid,
    input  logic               h_rready,
    output logic [3:0]         h_rid,
    output logic [63:0]        h_rdata,
    output logic [1:0]         h_rresp,
    output logic               h_rlast,
    // local memory
    output logic               local_awvalid,
    input  logic               local_awready,
    output logic [ID_BITS-1:0] local_awid,
    output logic [35:0]        local_awaddr,
    output logic [7:0]         local_awlen,
    output logic [2:0]         local_awsize,
    output logic [1:0]         local_awburst,
    output logic               local_wvalid,
    input  logic               local_wready,
    output logic [255:0]       local_wdata,
    output logic [31:0]        local_wstrb,
    output logic               local_wlast,
    input  logic               local_bvalid,
    output logic               local_bready,
    input  logic [ID_BITS-1:0] local_bid,
    input  logic [1:0]         local_bresp,
    output logic               local_arvalid,
    input  logic               local_arready,
    output logic [ID_BITS-1:0] local_arid,
    output logic [35:0]        local_araddr,
    output logic [7:0]         local_arlen,
    output logic [2:0]         local_arsize,
    output logic [1:0]         local_arburst,
    input  logic               local_rvalid,
    output logic               local_rready,
    input  logic [ID_BITS-1:0] local_rid,
    input  logic [255:0]       local_rdata,
    input  logic [1:0]         local_rresp,
    input  logic               local_rlast,
    // far memory
    output logic               far_awvalid,
    input  logic               far_awready,
    output logic [35:0]        far_awaddr,
    output logic [7:0]         far_awlen,
    output logic [2:0]         far_awsize,
    output logic [1:0]         far_awburst,
    output logic               far_wvalid,
    input  logic               far_wready,
    output logic [255:0]       far_wdata,
    output logic [31:0]        far_wstrb,
    output logic               far_wlast,
    input  logic               far_bvalid,
    output logic               far_bready,
    input  logic [1:0]         far_bresp,
    output logic               far_arvalid,
    input  logic               far_arready,
    output logic [35:0]        far_araddr,
    output logic [7:0]         far_arlen,
    output logic [2:0]         far_arsize,
    output logic [1:0]         far_arburst,
    input  logic               far_rvalid,
    output logic               far_rready,
    input  logic [255:0]       far_rdata,
    input  logic [1:0]         far_rresp,
    input  logic               far_rlast
);
  localparam int PROBES = `NHG_PROBE_COUNT;
  localparam int COUNTERS = 10 + PROBES;

  // Core
  logic core_reset, started, run, host_owns;
  logic [38:0] reset_pc;
  logic [PROBES-1:0][63:0] probes;
  logic [3:0] commit_valid, commit_trap;
  logic [3:0][63:0] commit_pc;
  logic mmio_req_valid, mmio_req_ready, mmio_req_write, mmio_resp_valid, mmio_resp_error;
  logic [35:0] mmio_req_addr;
  logic [1:0] mmio_req_size;
  logic [63:0] mmio_req_data, mmio_resp_data;
  logic [7:0] mmio_req_mask;

  // Memory port of the core (c_), of loader and fill (l_, f_), and behind the choice between them
  logic c_awvalid, c_awready, c_wvalid, c_wready, c_wlast, c_bvalid, c_bready;
  logic c_arvalid, c_arready, c_rvalid, c_rready;
  logic [ID_BITS-1:0] c_awid, c_arid;
  logic [35:0] c_awaddr, c_araddr;
  logic [7:0] c_awlen, c_arlen;
  logic [2:0] c_awsize, c_arsize;
  logic [255:0] c_wdata;
  logic [31:0] c_wstrb;
  logic l_awvalid, l_wvalid, l_arvalid, f_awvalid, f_wvalid, f_wlast;
  logic [3:0] l_awid, f_awid;
  logic [35:0] l_awaddr, l_araddr, f_awaddr;
  logic [255:0] l_wdata, f_wdata;
  logic [31:0] l_wstrb, f_wstrb;
  logic [7:0] f_awlen;
  logic [2:0] f_awsize;
  logic host_awready, host_wready, host_bvalid, host_arready, host_rvalid;
  logic awvalid, awready, wvalid, wready, wlast, bvalid, bready, arvalid, arready, rvalid, rready, rlast;
  logic [ID_BITS-1:0] awid, bid, arid, rid;
  logic [35:0] awaddr, araddr;
  logic [7:0] awlen, arlen;
  logic [2:0] awsize, arsize;
  logic [255:0] wdata, rdata;
  logic [31:0] wstrb;
  logic [1:0] bresp, rresp;

`define NHG_BOARD_COMMIT(i) \
      .commit_``i``_valid(commit_valid[i]), .commit_``i``_trap(commit_trap[i]), .commit_``i``_pc(commit_pc[i]), \
      .commit_``i``_writes(), .commit_``i``_memValid(), .commit_``i``_memIsMmio(), .commit_``i``_inst(), \
      .commit_``i``_rd(), .commit_``i``_rdValue(), .commit_``i``_cause(), .commit_``i``_tval(), .commit_``i``_memAddr(),

  NhgSoc core (
      `NHG_BOARD_COMMIT(0)
      `NHG_BOARD_COMMIT(1)
      `NHG_BOARD_COMMIT(2)
      `NHG_BOARD_COMMIT(3)
      `NHG_PROBE_PORTS
      .clock, .reset(core_reset), .reset_pc,
      .mem_awvalid(c_awvalid), .mem_awready(c_awready), .mem_awid(c_awid), .mem_awaddr(c_awaddr),
      .mem_awlen(c_awlen), .mem_awsize(c_awsize),
      .mem_wvalid(c_wvalid), .mem_wready(c_wready), .mem_wdata(c_wdata), .mem_wstrb(c_wstrb), .mem_wlast(c_wlast),
      .mem_bvalid(c_bvalid), .mem_bready(c_bready), .mem_bid(bid), .mem_bresp(bresp),
      .mem_arvalid(c_arvalid), .mem_arready(c_arready), .mem_arid(c_arid), .mem_araddr(c_araddr),
      .mem_arlen(c_arlen), .mem_arsize(c_arsize),
      .mem_rvalid(c_rvalid), .mem_rready(c_rready), .mem_rid(rid), .mem_rdata(rdata), .mem_rresp(rresp),
      .mem_rlast(rlast),
      .mmio_req_valid, .mmio_req_ready, .mmio_req_addr, .mmio_req_write, .mmio_req_size, .mmio_req_data, .mmio_req_mask,
      .mmio_resp_valid, .mmio_resp_data, .mmio_resp_error
  );
  assign core_running = !core_reset;

  logic [2:0] retired;
  logic [63:0] retired_pc;
  always_comb begin
    retired = '0;
    retired_pc = '0;
    for (int i = 0; i < 4; i++)
      if (commit_valid[i] && !commit_trap[i]) begin
        retired += 3'd1;
        retired_pc = commit_pc[i];
      end
  end

  // Host
  logic reg_valid, reg_ready, reg_write;
  logic [35:0] reg_addr;
  logic [63:0] reg_wdata, reg_rdata, board_rdata, control_held;
  logic filling, fill_start, reg_was_control;
  logic [35:0] fill_base, fill_bytes, fill_bytes_left;
  wire reg_is_control = reg_addr[35:12] == nhg_platform::FAR_CONTROL_BASE[35:12];
  assign filling = fill_bytes_left != 0;

  host_port port (
      .memory_open(host_owns && !filling),
      .awvalid(l_awvalid), .awready(host_awready && !filling), .awid(l_awid), .awaddr(l_awaddr),
      .wvalid(l_wvalid), .wready(host_wready && !filling), .wdata(l_wdata), .wstrb(l_wstrb),
      .bvalid(host_bvalid && !filling), .bid(bid[3:0]), .bresp,
      .arvalid(l_arvalid), .arready(host_arready), .araddr(l_araddr),
      .rvalid(host_rvalid), .rdata, .rresp, .*
  );

  memory_fill fill (
      .start(fill_start && host_owns), .base(fill_base), .bytes(fill_bytes), .bytes_left(fill_bytes_left),
      .awvalid(f_awvalid), .awready(host_awready && filling), .awid(f_awid), .awaddr(f_awaddr), .awlen(f_awlen),
      .awsize(f_awsize), .wvalid(f_wvalid), .wready(host_wready && filling), .wdata(f_wdata), .wstrb(f_wstrb),
      .wlast(f_wlast), .bvalid(host_bvalid && filling), .bid(bid[3:0]), .*
  );

  memory_owner ownership (
      .run(run && local_ready && far_ready && !filling),
      .c_awvalid({filling ? f_awvalid : l_awvalid, c_awvalid}), .c_awready({host_awready, c_awready}),
      .c_wvalid({filling ? f_wvalid : l_wvalid, c_wvalid}), .c_wready({host_wready, c_wready}),
      .c_bvalid({host_bvalid, c_bvalid}), .c_bready({1'b1, c_bready}),
      .c_arvalid({l_arvalid, c_arvalid}), .c_arready({host_arready, c_arready}),
      .c_rvalid({host_rvalid, c_rvalid}), .c_rready({1'b1, c_rready}), .*
  );

  always_comb begin
    if (!host_owns) begin
      {awid, awaddr, awlen, awsize} = {c_awid, c_awaddr, c_awlen, c_awsize};
      {wdata, wstrb, wlast} = {c_wdata, c_wstrb, c_wlast};
      {arid, araddr, arlen, arsize} = {c_arid, c_araddr, c_arlen, c_arsize};
    end else begin
      {awid, awaddr, awlen, awsize} = {ID_BITS'(l_awid), l_awaddr, 8'd0, 3'd5};
      {wdata, wstrb, wlast} = {l_wdata, l_wstrb, 1'b1};
      {arid, araddr, arlen, arsize} = {ID_BITS'(0), l_araddr, 8'd0, 3'd5};
      if (filling) begin
        {awid, awaddr, awlen, awsize} = {ID_BITS'(f_awid), f_awaddr, f_awlen, f_awsize};
        {wdata, wstrb, wlast} = {f_wdata, f_wstrb, f_wlast};
      end
    end
  end

  // Devices and control
  logic control_valid, control_ready, control_write, clear_far, clear_far_taken;
  logic [11:0] control_addr;
  logic [63:0] control_wdata, control_rdata;
  logic [7:0][63:0] far_counters;
  logic host_valid, host_ready;
  logic [11:0] host_offset;
  logic [63:0] host_data;

  device_port devices (
      .reset(core_reset),
      .req_valid(mmio_req_valid), .req_ready(mmio_req_ready), .req_addr(mmio_req_addr), .req_write(mmio_req_write),
      .req_size(mmio_req_size), .req_data(mmio_req_data), .req_mask(mmio_req_mask),
      .resp_valid(mmio_resp_valid), .resp_data(mmio_resp_data), .resp_error(mmio_resp_error),
      .host_control_valid(clear_far || (reg_valid && reg_is_control)),
      .host_control_write(clear_far || reg_write),
      .host_control_addr(clear_far ? nhg_platform::FAR_CONTROL_CTRL[11:0] : reg_addr[11:0]),
      .host_control_wdata(clear_far ? 64'd1 : reg_wdata), .*
  );
  assign clear_far_taken = clear_far && control_ready;
  assign reg_ready = !reg_is_control || (control_ready && !clear_far);
  assign reg_rdata = reg_was_control ? control_held : board_rdata;
  always_ff @(posedge clock) begin
    reg_was_control <= reg_is_control;
    control_held <= control_rdata;
  end

  board_control #(
      .COUNTERS(COUNTERS), .WINDOW_CYCLES(WINDOW_CYCLES), .COUNTER_NAMES({`NHG_PROBE_NAMES, `NHG_COUNTER_NAMES})
  ) control (
      .reg_valid(reg_valid && !reg_is_control), .reg_addr(reg_addr[13:0]), .reg_rdata(board_rdata),
      .live_counters({probes, far_counters}), .*
  );

  // Memories: index 0 local, 1 far
  logic [1:0] m_awvalid, m_awready, m_wvalid, m_wready, m_bvalid, m_bready;
  logic [1:0] m_arvalid, m_arready, m_rvalid, m_rready, m_rlast;
  logic [1:0][ID_BITS-1:0] m_bid, m_rid;
  logic [1:0][1:0] m_bresp, m_rresp;
  logic [1:0][255:0] m_rdata;
  memory_splitter #(.ID_BITS(ID_BITS)) splitter (.*);

  assign {local_awvalid, local_wvalid, local_arvalid} = {m_awvalid[0], m_wvalid[0], m_arvalid[0]};
  assign {local_awid, local_awaddr, local_awlen, local_awsize, local_awburst} = {awid, awaddr, awlen, awsize, 2'b01};
  assign {local_wdata, local_wstrb, local_wlast} = {wdata, wstrb, wlast};
  assign {local_arid, local_araddr, local_arlen, local_arsize, local_arburst} = {arid, araddr, arlen, arsize, 2'b01};
  assign {local_bready, local_rready} = {m_bready[0], m_rready[0]};
  assign {m_awready[0], m_wready[0], m_arready[0]} = {local_awready, local_wready, local_arready};
  assign {m_bvalid[0], m_bid[0], m_bresp[0]} = {local_bvalid, local_bid, local_bresp};
  assign {m_rvalid[0], m_rid[0], m_rdata[0], m_rresp[0], m_rlast[0]} =
      {local_rvalid, local_rid, local_rdata, local_rresp, local_rlast};

  far_memory_delayer #(.ID_BITS(ID_BITS)) delayer (
      .clock, .reset,
      .control_valid, .control_ready, .control_write, .control_addr, .control_wdata, .control_rdata,
      .live_counters(far_counters),
      .s_awvalid(m_awvalid[1]), .s_awready(m_awready[1]), .s_awid(awid), .s_awaddr(awaddr), .s_awlen(awlen),
      .s_awsize(awsize), .s_awburst(2'b01),
      .s_wvalid(m_wvalid[1]), .s_wready(m_wready[1]), .s_wdata(wdata), .s_wstrb(wstrb), .s_wlast(wlast),
      .s_bvalid(m_bvalid[1]), .s_bready(m_bready[1]), .s_bid(m_bid[1]), .s_bresp(m_bresp[1]),
      .s_arvalid(m_arvalid[1]), .s_arready(m_arready[1]), .s_arid(arid), .s_araddr(araddr), .s_arlen(arlen),
      .s_arsize(arsize), .s_arburst(2'b01),
      .s_rvalid(m_rvalid[1]), .s_rready(m_rready[1]), .s_rid(m_rid[1]), .s_rdata(m_rdata[1]),
      .s_rresp(m_rresp[1]), .s_rlast(m_rlast[1]),
      .m_awvalid(far_awvalid), .m_awready(far_awready), .m_awaddr(far_awaddr), .m_awlen(far_awlen),
      .m_awsize(far_awsize), .m_awburst(far_awburst),
      .m_wvalid(far_wvalid), .m_wready(far_wready), .m_wdata(far_wdata), .m_wstrb(far_wstrb), .m_wlast(far_wlast),
      .m_bvalid(far_bvalid), .m_bready(far_bready), .m_bresp(far_bresp),
      .m_arvalid(far_arvalid), .m_arready(far_arready), .m_araddr(far_araddr), .m_arlen(far_arlen),
      .m_arsize(far_arsize), .m_arburst(far_arburst),
      .m_rvalid(far_rvalid), .m_rready(far_rready), .m_rdata(far_rdata), .m_rresp(far_rresp), .m_rlast(far_rlast)
  );
endmodule
