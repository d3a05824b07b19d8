// SPDX-License-Identifier: Apache-2.0
//
// Everything of the board on the core's clock between the SoC and board_system: the host's way in, board control, devices
// and the way to the two memories, each behind a delayer (local memory has one so that its latency is known, too).
//   h_*      host (JTAG or PCIe), AXI4 subordinate, 64-bit: host_port
//   local_*  local memory and boot ROM, far_* far memory: AXI4 managers, 256-bit, physical addresses, no ID, answers in order
//   uart_*   the UART's registers, see device_port
// `platform_reset` lasts from power-up to stable clocks; the SoC's own reset comes from the RUN register, and from the
// button `cpu_reset`, which stops the core in the same orderly way.
`include "nhg_probes.svh"
module board_soc #(
    parameter int WINDOW_CYCLES = 10000  // of the busiest phase; the simulator's value
) (
    input  logic            clock,
    input  logic            platform_reset,
    input  logic            cpu_reset,
    // status
    input  logic            local_ready,  // initialised
    input  logic            far_ready,
    input  logic [1:0]      cattrip,  // of each HBM stack
    input  logic [1:0][6:0] temperature_c,
    input  logic [1:0]      refused,  // of each memory: a burst it cannot do
    input  logic [31:0]     build_commit,
    output logic            core_running,
    output logic            exited,
    // host
    input  logic            h_awvalid,
    output logic            h_awready,
    input  logic [3:0]      h_awid,
    input  logic [35:0]     h_awaddr,
    input  logic [7:0]      h_awlen,
    input  logic [2:0]      h_awsize,
    input  logic [1:0]      h_awburst,
    input  logic            h_wvalid,
    output logic            h_wready,
    input  logic [63:0]     h_wdata,
    input  logic [7:0]      h_wstrb,
    input  logic            h_wlast,
    output logic            h_bvalid,
    input  logic            h_bready,
    output logic [3:0]      h_bid,
    output logic [1:0]      h_bresp,
    input  logic            h_arvalid,
    output logic            h_arready,
    input  logic [3:0]      h_arid,
    input  logic [35:0]     h_araddr,
    input  logic [7:0]      h_arlen,
    input  logic [2:0]      h_arsize,
    input  logic [1:0]      h_arburst,
    output logic            h_rvalid,
    input  logic            h_rready,
    output logic [3:0]      h_rid,
    output logic [63:0]     h_rdata,
    output logic [1:0]      h_rresp,
    output logic            h_rlast,
    // local memory
    output logic            local_awvalid,
    input  logic            local_awready,
    output logic [35:0]     local_awaddr,
    output logic [7:0]      local_awlen,
    output logic [2:0]      local_awsize,
    output logic [1:0]      local_awburst,
    output logic            local_wvalid,
    input  logic            local_wready,
    output logic [255:0]    local_wdata,
    output logic [31:0]     local_wstrb,
    output logic            local_wlast,
    input  logic            local_bvalid,
    output logic            local_bready,
    input  logic [1:0]      local_bresp,
    output logic            local_arvalid,
    input  logic            local_arready,
    output logic [35:0]     local_araddr,
    output logic [7:0]      local_arlen,
    output logic [2:0]      local_arsize,
    output logic [1:0]      local_arburst,
    input  logic            local_rvalid,
    output logic            local_rready,
    input  logic [255:0]    local_rdata,
    input  logic [1:0]      local_rresp,
    input  logic            local_rlast,
    // far memory
    output logic            far_awvalid,
    input  logic            far_awready,
    output logic [35:0]     far_awaddr,
    output logic [7:0]      far_awlen,
    output logic [2:0]      far_awsize,
    output logic [1:0]      far_awburst,
    output logic            far_wvalid,
    input  logic            far_wready,
    output logic [255:0]    far_wdata,
    output logic [31:0]     far_wstrb,
    output logic            far_wlast,
    input  logic            far_bvalid,
    output logic            far_bready,
    input  logic [1:0]      far_bresp,
    output logic            far_arvalid,
    input  logic            far_arready,
    output logic [35:0]     far_araddr,
    output logic [7:0]      far_arlen,
    output logic [2:0]      far_arsize,
    output logic [1:0]      far_arburst,
    input  logic            far_rvalid,
    output logic            far_rready,
    input  logic [255:0]    far_rdata,
    input  logic [1:0]      far_rresp,
    input  logic            far_rlast,
    // UART
    output logic            uart_valid,
    input  logic            uart_ready,
    output logic            uart_write,
    output logic [12:0]     uart_addr,
    output logic [31:0]     uart_wdata,
    output logic [3:0]      uart_wstrb,
    input  logic [31:0]     uart_rdata,
    input  logic            uart_error,
    input  logic            uart_interrupt
);
  localparam int ID_BITS = board_types::SOC_ID_BITS;
  localparam int PROBES = `NHG_PROBE_COUNT;
  localparam int FAR_COUNTERS = int'(nhg_platform::FAR_COUNTERS);
  localparam int COUNTERS = 2 + FAR_COUNTERS + PROBES;
  localparam logic [11:0] CTRL_OFFSET = nhg_platform::FAR_CONTROL_CTRL[11:0];

  wire reset = platform_reset;

  // SoC: memory port (c_), device port (io_)
  logic core_reset, started, run, host_owns;
  logic [38:0] reset_pc;
  logic [2:0] retired;
  logic [63:0] probes[PROBES];
  logic c_awvalid, c_awready, c_wvalid, c_wready, c_wlast, c_bvalid, c_bready;
  logic c_arvalid, c_arready, c_rvalid, c_rready;
  logic [ID_BITS-1:0] c_awid, c_arid;
  logic [35:0] c_awaddr, c_araddr;
  logic [7:0] c_awlen, c_arlen;
  logic [2:0] c_awsize, c_arsize;
  logic [1:0] c_awburst, c_arburst;
  logic [255:0] c_wdata;
  logic [31:0] c_wstrb;
  logic io_awvalid, io_awready, io_wvalid, io_wready, io_bvalid, io_bready, io_arvalid, io_arready, io_rvalid, io_rready;
  logic [1:0] io_awid, io_bid, io_arid, io_rid, io_awburst, io_arburst, io_bresp, io_rresp;
  logic [35:0] io_awaddr, io_araddr;
  logic [7:0] io_awlen, io_arlen, io_wstrb;
  logic [2:0] io_awsize, io_arsize;
  logic [63:0] io_wdata, io_rdata;
  logic io_wlast, io_rlast;

  // Memory port behind the choice between SoC and host
  logic awvalid, awready, wvalid, wready, wlast, bvalid, bready, arvalid, arready, rvalid, rready, rlast;
  logic [ID_BITS-1:0] awid, bid, arid, rid;
  logic [35:0] awaddr, araddr;
  logic [7:0] awlen, arlen;
  logic [2:0] awsize, arsize;
  logic [1:0] awburst, arburst, bresp, rresp;
  logic [255:0] wdata, rdata;
  logic [31:0] wstrb;

  soc_tile tile (
      .clock, .reset(core_reset), .reset_pc, .interrupts({63'd0, uart_interrupt}), .retired, .probes,
      .mem_awvalid(c_awvalid), .mem_awready(c_awready), .mem_awid(c_awid), .mem_awaddr(c_awaddr), .mem_awlen(c_awlen),
      .mem_awsize(c_awsize), .mem_awburst(c_awburst),
      .mem_wvalid(c_wvalid), .mem_wready(c_wready), .mem_wdata(c_wdata), .mem_wstrb(c_wstrb), .mem_wlast(c_wlast),
      .mem_bvalid(c_bvalid), .mem_bready(c_bready), .mem_bid(bid), .mem_bresp(bresp),
      .mem_arvalid(c_arvalid), .mem_arready(c_arready), .mem_arid(c_arid), .mem_araddr(c_araddr), .mem_arlen(c_arlen),
      .mem_arsize(c_arsize), .mem_arburst(c_arburst),
      .mem_rvalid(c_rvalid), .mem_rready(c_rready), .mem_rid(rid), .mem_rdata(rdata), .mem_rresp(rresp), .mem_rlast(rlast),
      .dma_awvalid(1'b0), .dma_awready(), .dma_awid('0), .dma_awaddr('0), .dma_awlen('0), .dma_awsize('0), .dma_awburst('0),
      .dma_wvalid(1'b0), .dma_wready(), .dma_wdata('0), .dma_wstrb('0), .dma_wlast(1'b0),
      .dma_bvalid(), .dma_bready(1'b1), .dma_bid(), .dma_bresp(),
      .dma_arvalid(1'b0), .dma_arready(), .dma_arid('0), .dma_araddr('0), .dma_arlen('0), .dma_arsize('0), .dma_arburst('0),
      .dma_rvalid(), .dma_rready(1'b1), .dma_rid(), .dma_rdata(), .dma_rresp(), .dma_rlast(),
      .io_awvalid, .io_awready, .io_awid, .io_awaddr, .io_awlen, .io_awsize, .io_awburst,
      .io_wvalid, .io_wready, .io_wdata, .io_wstrb, .io_wlast, .io_bvalid, .io_bready, .io_bid, .io_bresp,
      .io_arvalid, .io_arready, .io_arid, .io_araddr, .io_arlen, .io_arsize, .io_arburst,
      .io_rvalid, .io_rready, .io_rid, .io_rdata, .io_rresp, .io_rlast
  );
  assign core_running = !core_reset;

  // Devices
  logic req_valid, req_ready, req_write, resp_valid, resp_error;
  logic [35:0] req_addr;
  logic [1:0] req_size;
  logic [63:0] req_data, resp_data;
  logic [7:0] req_mask;
  logic host_valid, host_ready, host_control_valid, host_control_write;
  logic [11:0] host_offset, host_control_addr;
  logic [63:0] host_data, host_control_wdata;
  logic control_valid, control_ready, control_write;
  logic [11:0] control_addr;
  logic [63:0] control_wdata, control_rdata;
  axi_to_mmio io_port (
      .reset(core_reset), .awvalid(io_awvalid), .awready(io_awready), .awid(io_awid), .awaddr(io_awaddr), .awlen(io_awlen),
      .awsize(io_awsize), .awburst(io_awburst), .wvalid(io_wvalid), .wready(io_wready), .wdata(io_wdata), .wstrb(io_wstrb),
      .bvalid(io_bvalid), .bready(io_bready), .bid(io_bid), .bresp(io_bresp),
      .arvalid(io_arvalid), .arready(io_arready), .arid(io_arid), .araddr(io_araddr), .arlen(io_arlen), .arsize(io_arsize),
      .arburst(io_arburst), .rvalid(io_rvalid), .rready(io_rready), .rid(io_rid), .rdata(io_rdata), .rresp(io_rresp),
      .rlast(io_rlast), .*
  );
  device_port devices (.reset(core_reset), .*);

  // Host: memory by way of l_, zero fill by way of f_
  logic reg_valid, reg_ready, reg_write, l_awvalid, l_wvalid, l_arvalid, f_awvalid, f_wvalid, f_wlast;
  logic [35:0] reg_addr, l_awaddr, l_araddr, f_awaddr, fill_base, fill_bytes, fill_bytes_left;
  logic [63:0] reg_wdata, reg_rdata;
  logic [3:0] l_awid, f_awid;
  logic [255:0] l_wdata, f_wdata;
  logic [31:0] l_wstrb, f_wstrb;
  logic [7:0] f_awlen;
  logic [2:0] f_awsize;
  logic host_awready, host_wready, host_bvalid, host_arready, host_rvalid, fill_start;
  wire filling = fill_bytes_left != 0;

  host_port port (
      .memory_open(host_owns && !filling),
      .awvalid(l_awvalid), .awready(host_awready && !filling), .awid(l_awid), .awaddr(l_awaddr),
      .wvalid(l_wvalid), .wready(host_wready && !filling), .wdata(l_wdata), .wstrb(l_wstrb),
      .bvalid(host_bvalid && !filling), .bid(bid[3:0]), .bresp,
      .arvalid(l_arvalid), .arready(host_arready), .araddr(l_araddr), .rvalid(host_rvalid), .rdata, .rresp, .*
  );
  memory_fill fill (
      .start(fill_start && host_owns), .base(fill_base), .bytes(fill_bytes), .bytes_left(fill_bytes_left),
      .awvalid(f_awvalid), .awready(host_awready && filling), .awid(f_awid), .awaddr(f_awaddr), .awlen(f_awlen),
      .awsize(f_awsize), .wvalid(f_wvalid), .wready(host_wready && filling), .wdata(f_wdata), .wstrb(f_wstrb),
      .wlast(f_wlast), .bvalid(host_bvalid && filling), .bid(bid[3:0]), .*
  );
  memory_owner ownership (
      .run(run && !cpu_reset && local_ready && far_ready && !filling),
      .c_awvalid({filling ? f_awvalid : l_awvalid, c_awvalid}), .c_awready({host_awready, c_awready}),
      .c_wvalid({filling ? f_wvalid : l_wvalid, c_wvalid}), .c_wready({host_wready, c_wready}),
      .c_bvalid({host_bvalid, c_bvalid}), .c_bready({1'b1, c_bready}),
      .c_arvalid({l_arvalid, c_arvalid}), .c_arready({host_arready, c_arready}),
      .c_rvalid({host_rvalid, c_rvalid}), .c_rready({1'b1, c_rready}), .*
  );
  always_comb begin
    if (!host_owns) begin
      {awid, awaddr, awlen, awsize, awburst} = {c_awid, c_awaddr, c_awlen, c_awsize, c_awburst};
      {wdata, wstrb, wlast} = {c_wdata, c_wstrb, c_wlast};
      {arid, araddr, arlen, arsize, arburst} = {c_arid, c_araddr, c_arlen, c_arsize, c_arburst};
    end else begin
      {awid, awaddr, awlen, awsize, awburst} = {ID_BITS'(l_awid), l_awaddr, 8'd0, 3'd5, 2'b01};
      {wdata, wstrb, wlast} = {l_wdata, l_wstrb, 1'b1};
      {arid, araddr, arlen, arsize, arburst} = {ID_BITS'(0), l_araddr, 8'd0, 3'd5, 2'b01};
      if (filling) begin
        {awid, awaddr, awlen, awsize} = {ID_BITS'(f_awid), f_awaddr, f_awlen, f_awsize};
        {wdata, wstrb, wlast} = {f_wdata, f_wstrb, f_wlast};
      end
    end
  end

  // Registers: board control, and the delayers' by way of their control buses; every answer one cycle later
  logic clear_far, local_control_ready, reg_was_far, reg_was_local;
  logic [63:0] board_rdata, local_control_rdata, far_held, local_held;
  logic [COUNTERS-3:0][63:0] live_counters;
  wire reg_is_far = reg_addr[35:12] == nhg_platform::FAR_CONTROL_BASE[35:12];
  wire reg_is_local = reg_addr[35:12] == nhg_platform::LOCAL_CONTROL_BASE[35:12];
  assign host_control_valid = clear_far || (reg_valid && reg_is_far);
  assign host_control_write = clear_far || reg_write;
  assign host_control_addr = clear_far ? CTRL_OFFSET : reg_addr[11:0];
  assign host_control_wdata = clear_far ? 64'd1 : reg_wdata;
  assign reg_ready = reg_is_far ? control_ready && !clear_far : !reg_is_local || local_control_ready;
  assign reg_rdata = reg_was_far ? far_held : reg_was_local ? local_held : board_rdata;
  always_ff @(posedge clock) begin
    {reg_was_far, reg_was_local} <= {reg_is_far, reg_is_local};
    far_held <= control_rdata;
    local_held <= local_control_rdata;
  end

  board_control #(
      .COUNTERS(COUNTERS), .WINDOW_CYCLES(WINDOW_CYCLES), .COUNTER_NAMES({`NHG_PROBE_NAMES, `NHG_COUNTER_NAMES})
  ) control (
      .reg_valid(reg_valid && !reg_is_far && !reg_is_local), .reg_addr(reg_addr[13:0]), .reg_rdata(board_rdata),
      .clear_far_taken(clear_far && control_ready), .*
  );

  // Memories: index 0 local, 1 far
  logic [1:0] m_awvalid, m_awready, m_wvalid, m_wready, m_bvalid, m_bready;
  logic [1:0] m_arvalid, m_arready, m_rvalid, m_rready, m_rlast;
  logic [1:0][ID_BITS-1:0] m_bid, m_rid;
  logic [1:0][1:0] m_bresp, m_rresp;
  logic [1:0][255:0] m_rdata;
  memory_splitter #(.ID_BITS(ID_BITS)) splitter (.*);

`define NHG_DELAYER_PORTS(i, name) \
      .clock, .reset, \
      .s_awvalid(m_awvalid[i]), .s_awready(m_awready[i]), .s_awid(awid), .s_awaddr(awaddr), .s_awlen(awlen), \
      .s_awsize(awsize), .s_awburst(awburst), \
      .s_wvalid(m_wvalid[i]), .s_wready(m_wready[i]), .s_wdata(wdata), .s_wstrb(wstrb), .s_wlast(wlast), \
      .s_bvalid(m_bvalid[i]), .s_bready(m_bready[i]), .s_bid(m_bid[i]), .s_bresp(m_bresp[i]), \
      .s_arvalid(m_arvalid[i]), .s_arready(m_arready[i]), .s_arid(arid), .s_araddr(araddr), .s_arlen(arlen), \
      .s_arsize(arsize), .s_arburst(arburst), \
      .s_rvalid(m_rvalid[i]), .s_rready(m_rready[i]), .s_rid(m_rid[i]), .s_rdata(m_rdata[i]), \
      .s_rresp(m_rresp[i]), .s_rlast(m_rlast[i]), \
      .m_awvalid(name``_awvalid), .m_awready(name``_awready), .m_awaddr(name``_awaddr), .m_awlen(name``_awlen), \
      .m_awsize(name``_awsize), .m_awburst(name``_awburst), \
      .m_wvalid(name``_wvalid), .m_wready(name``_wready), .m_wdata(name``_wdata), .m_wstrb(name``_wstrb), \
      .m_wlast(name``_wlast), .m_bvalid(name``_bvalid), .m_bready(name``_bready), .m_bresp(name``_bresp), \
      .m_arvalid(name``_arvalid), .m_arready(name``_arready), .m_araddr(name``_araddr), .m_arlen(name``_arlen), \
      .m_arsize(name``_arsize), .m_arburst(name``_arburst), \
      .m_rvalid(name``_rvalid), .m_rready(name``_rready), .m_rdata(name``_rdata), .m_rresp(name``_rresp), \
      .m_rlast(name``_rlast)
  logic [FAR_COUNTERS-1:0][63:0] far_counters;
  // The latency of local memory fits 10 bits, with which the calendars have 1,024 buckets instead of 65,536.
  far_memory_delayer #(.ID_BITS(ID_BITS), .TRANSACTIONS(128), .LATENCY_BITS(10), .READ_BEATS(256)) local_delayer (
      .control_valid(reg_valid && reg_is_local), .control_ready(local_control_ready), .control_write(reg_write),
      .control_addr(reg_addr[11:0]), .control_wdata(reg_wdata), .control_rdata(local_control_rdata), .live_counters(),
      `NHG_DELAYER_PORTS(0, local)
  );
  far_memory_delayer #(.ID_BITS(ID_BITS)) far_delayer (
      .control_valid, .control_ready, .control_write, .control_addr, .control_wdata, .control_rdata,
      .live_counters(far_counters), `NHG_DELAYER_PORTS(1, far)
  );
`undef NHG_DELAYER_PORTS

  always_comb begin
    live_counters[FAR_COUNTERS-1:0] = far_counters;
    for (int i = 0; i < PROBES; i++) live_counters[FAR_COUNTERS+i] = probes[i];
  end
endmodule
