// SPDX-License-Identifier: Apache-2.0
//
// Everything of the board design that is not the vendor's, between the IP of vcu128_top:
//
//   JTAG (64-bit) ------------------------------------------> axi_serial_arbiter -> board_soc
//   PCIe (256-bit) -> axi_to_beats -> crossing -> 64-bit ---^                         | local, far (AXI4, physical
//                                                                                     v  addresses, no IDs, in order)
//   HBM <- axi_crossing <- hbm_guard (addresses, AXI3) <------------------------------+   UART <- uart_bridge
//
// Clocks: core_clock for all but the far sides of the crossings, hbm_clock, pcie_clock. Platform and HBM leave reset
// when the clocks are locked and see none after that; the core's own reset is board_soc's business.
module board_system
  import board_types::*;
  import nhg_platform::*;
(
    input  logic                           core_clock,
    input  logic                           hbm_clock,
    input  logic                           clocks_locked,
    input  logic                           cpu_reset,
    output logic                           core_reset_n,  // of the platform, core_clock
    output logic                           hbm_reset_n,  // hbm_clock
    input  logic [31:0]                    bitstream_commit,
    output logic [7:0]                     led,
    // HBM, hbm_clock; index 0 local memory, 1 far memory; 32-byte beats
    output logic [1:0]                     hbm_awvalid,
    input  logic [1:0]                     hbm_awready,
    output logic [1:0][HBM_ADDR_BITS-1:0]  hbm_awaddr,
    output logic [1:0][3:0]                hbm_awlen,
    output logic [1:0][1:0]                hbm_awburst,
    output logic [1:0]                     hbm_wvalid,
    input  logic [1:0]                     hbm_wready,
    output axi_write_t [1:0]               hbm_w,
    input  logic [1:0]                     hbm_bvalid,
    output logic [1:0]                     hbm_bready,
    input  logic [1:0][1:0]                hbm_bresp,
    output logic [1:0]                     hbm_arvalid,
    input  logic [1:0]                     hbm_arready,
    output logic [1:0][HBM_ADDR_BITS-1:0]  hbm_araddr,
    output logic [1:0][3:0]                hbm_arlen,
    output logic [1:0][1:0]                hbm_arburst,
    input  logic [1:0]                     hbm_rvalid,
    output logic [1:0]                     hbm_rready,
    input  axi_read_t [1:0]                hbm_r,
    input  logic [1:0]                     hbm_complete,  // initialisation done, of each stack
    input  logic [1:0]                     hbm_cattrip,
    input  logic [1:0][6:0]                hbm_temperature_c,
    // JTAG-to-AXI, core_clock
    input  logic                           jtag_awvalid,
    output logic                           jtag_awready,
    input  logic                           jtag_awid,
    input  logic [63:0]                    jtag_awaddr,
    input  logic [7:0]                     jtag_awlen,
    input  logic [2:0]                     jtag_awsize,
    input  logic [1:0]                     jtag_awburst,
    input  logic                           jtag_wvalid,
    output logic                           jtag_wready,
    input  logic [63:0]                    jtag_wdata,
    input  logic [7:0]                     jtag_wstrb,
    input  logic                           jtag_wlast,
    output logic                           jtag_bvalid,
    input  logic                           jtag_bready,
    output logic                           jtag_bid,
    output logic [1:0]                     jtag_bresp,
    input  logic                           jtag_arvalid,
    output logic                           jtag_arready,
    input  logic                           jtag_arid,
    input  logic [63:0]                    jtag_araddr,
    input  logic [7:0]                     jtag_arlen,
    input  logic [2:0]                     jtag_arsize,
    input  logic [1:0]                     jtag_arburst,
    output logic                           jtag_rvalid,
    input  logic                           jtag_rready,
    output logic                           jtag_rid,
    output logic [63:0]                    jtag_rdata,
    output logic [1:0]                     jtag_rresp,
    output logic                           jtag_rlast,
    // PCIe DMA, pcie_clock
    input  logic                           pcie_clock,
    input  logic                           pcie_reset_n,
    input  logic                           pcie_awvalid,
    output logic                           pcie_awready,
    input  logic [3:0]                     pcie_awid,
    input  logic [63:0]                    pcie_awaddr,
    input  logic [7:0]                     pcie_awlen,
    input  logic [2:0]                     pcie_awsize,
    input  logic [1:0]                     pcie_awburst,
    input  logic                           pcie_wvalid,
    output logic                           pcie_wready,
    input  logic [255:0]                   pcie_wdata,
    input  logic [31:0]                    pcie_wstrb,
    input  logic                           pcie_wlast,
    output logic                           pcie_bvalid,
    input  logic                           pcie_bready,
    output logic [3:0]                     pcie_bid,
    output logic [1:0]                     pcie_bresp,
    input  logic                           pcie_arvalid,
    output logic                           pcie_arready,
    input  logic [3:0]                     pcie_arid,
    input  logic [63:0]                    pcie_araddr,
    input  logic [7:0]                     pcie_arlen,
    input  logic [2:0]                     pcie_arsize,
    input  logic [1:0]                     pcie_arburst,
    output logic                           pcie_rvalid,
    input  logic                           pcie_rready,
    output logic [3:0]                     pcie_rid,
    output logic [255:0]                   pcie_rdata,
    output logic [1:0]                     pcie_rresp,
    output logic                           pcie_rlast,
    // UART, AXI4-Lite, core_clock
    output logic                           uart_awvalid,
    input  logic                           uart_awready,
    output logic [12:0]                    uart_awaddr,
    output logic                           uart_wvalid,
    input  logic                           uart_wready,
    output logic [31:0]                    uart_wdata,
    output logic [3:0]                     uart_wstrb,
    input  logic                           uart_bvalid,
    output logic                           uart_bready,
    input  logic [1:0]                     uart_bresp,
    output logic                           uart_arvalid,
    input  logic                           uart_arready,
    output logic [12:0]                    uart_araddr,
    input  logic                           uart_rvalid,
    output logic                           uart_rready,
    input  logic [31:0]                    uart_rdata,
    input  logic [1:0]                     uart_rresp,
    input  logic                           uart_interrupt
);
  // Resets and status
  logic reset, hbm_reset, pcie_reset, button;
  logic [1:0] hbm_ready, cattrip, refused;
  logic [1:0][6:0] temperature_c;
  assign core_reset_n = !reset;
  assign hbm_reset_n = !hbm_reset;
  reset_sync core_domain (.clock(core_clock), .cause(!clocks_locked), .reset);
  reset_sync hbm_domain (.clock(hbm_clock), .cause(!clocks_locked), .reset(hbm_reset));
  reset_sync pcie_domain (.clock(pcie_clock), .cause(!clocks_locked || !pcie_reset_n), .reset(pcie_reset));
  bit_sync #(.WIDTH(19)) status (
      .clock(core_clock),
      .in({cpu_reset, hbm_complete, hbm_cattrip, hbm_temperature_c}),
      .out({button, hbm_ready, cattrip, temperature_c})
  );

  // PCIe to the host's side of the arbiter
  beat_request_t pcie_request, host_request;
  beat_response_t pcie_response, host_response;
  axi_to_beats #(.DATA_BITS(256), .ADDR_BITS(64), .ID_BITS(4)) pcie_beats (
      .clock(pcie_clock), .reset(pcie_reset),
      .awvalid(pcie_awvalid), .awready(pcie_awready), .awid(pcie_awid), .awaddr(pcie_awaddr), .awlen(pcie_awlen),
      .awsize(pcie_awsize), .awburst(pcie_awburst),
      .wvalid(pcie_wvalid), .wready(pcie_wready), .wdata(pcie_wdata), .wstrb(pcie_wstrb),
      .bvalid(pcie_bvalid), .bready(pcie_bready), .bid(pcie_bid), .bresp(pcie_bresp),
      .arvalid(pcie_arvalid), .arready(pcie_arready), .arid(pcie_arid), .araddr(pcie_araddr), .arlen(pcie_arlen),
      .arsize(pcie_arsize), .arburst(pcie_arburst),
      .rvalid(pcie_rvalid), .rready(pcie_rready), .rid(pcie_rid), .rdata(pcie_rdata), .rresp(pcie_rresp),
      .rlast(pcie_rlast),
      .request(pcie_request), .response(pcie_response)
  );
  beat_crossing pcie_crossing (
      .s_clock(pcie_clock), .s_reset(pcie_reset), .s_request(pcie_request), .s_response(pcie_response),
      .m_clock(core_clock), .m_reset(reset), .m_request(host_request), .m_response(host_response)
  );
  // Index 0: JTAG, 1: PCIe
  logic [1:0] h_awready, h_wready, h_bvalid, h_arready, h_rvalid;
  logic [PADDR_BITS-1:0] beat_addr, jtag_aw36, jtag_ar36;
  logic beat_awvalid, beat_wvalid, beat_bready, beat_arvalid, beat_rready;
  logic [63:0] beat_wdata, h_rdata, m_wdata;
  logic [7:0] beat_wstrb, m_wstrb, m_awlen, m_arlen;
  logic m_awvalid, m_awready, m_wvalid, m_wready, m_wlast, m_bvalid, m_bready;
  logic m_arvalid, m_arready, m_rvalid, m_rready, m_rlast;
  logic [PADDR_BITS-1:0] m_awaddr, m_araddr;
  logic [2:0] m_awsize, m_arsize;
  logic [1:0] m_awburst, m_arburst, m_bresp, m_rresp;
  beat_to_axi64 pcie_words (
      .clock(core_clock), .reset, .request(host_request), .response(host_response), .addr(beat_addr),
      .awvalid(beat_awvalid), .awready(h_awready[1]), .wvalid(beat_wvalid), .wready(h_wready[1]), .wdata(beat_wdata),
      .wstrb(beat_wstrb), .bvalid(h_bvalid[1]), .bready(beat_bready), .bresp(m_bresp),
      .arvalid(beat_arvalid), .arready(h_arready[1]), .rvalid(h_rvalid[1]), .rready(beat_rready), .rdata(h_rdata),
      .rresp(m_rresp)
  );
  // An address beyond the SoC's becomes the highest one, where nothing is.
  assign jtag_aw36 = |jtag_awaddr[63:PADDR_BITS] ? {{(PADDR_BITS - 12) {1'b1}}, jtag_awaddr[11:0]} : PADDR_BITS'(jtag_awaddr);
  assign jtag_ar36 = |jtag_araddr[63:PADDR_BITS] ? {{(PADDR_BITS - 12) {1'b1}}, jtag_araddr[11:0]} : PADDR_BITS'(jtag_araddr);
  axi_serial_arbiter #(.ADDR_BITS(PADDR_BITS)) host_arbiter (
      .clock(core_clock), .reset,
      .s_awvalid({beat_awvalid, jtag_awvalid}), .s_awready(h_awready), .s_awaddr({beat_addr, jtag_aw36}),
      .s_awlen({8'd0, jtag_awlen}), .s_awsize({3'd3, jtag_awsize}), .s_awburst({BURST_INCR, jtag_awburst}),
      .s_wvalid({beat_wvalid, jtag_wvalid}), .s_wready(h_wready), .s_wdata({beat_wdata, jtag_wdata}),
      .s_wstrb({beat_wstrb, jtag_wstrb}), .s_wlast({1'b1, jtag_wlast}),
      .s_bvalid(h_bvalid), .s_bready({beat_bready, jtag_bready}),
      .s_arvalid({beat_arvalid, jtag_arvalid}), .s_arready(h_arready), .s_araddr({beat_addr, jtag_ar36}),
      .s_arlen({8'd0, jtag_arlen}), .s_arsize({3'd3, jtag_arsize}), .s_arburst({BURST_INCR, jtag_arburst}),
      .s_rvalid(h_rvalid), .s_rready({beat_rready, jtag_rready}),
      .m_awvalid, .m_awready, .m_awaddr, .m_awlen, .m_awsize, .m_awburst,
      .m_wvalid, .m_wready, .m_wdata, .m_wstrb, .m_wlast, .m_bvalid, .m_bready,
      .m_arvalid, .m_arready, .m_araddr, .m_arlen, .m_arsize, .m_arburst, .m_rvalid, .m_rready, .m_rlast
  );
  assign jtag_awready = h_awready[0];
  assign jtag_wready = h_wready[0];
  assign jtag_bvalid = h_bvalid[0];
  assign jtag_bresp = m_bresp;
  assign jtag_arready = h_arready[0];
  assign jtag_rvalid = h_rvalid[0];
  assign {jtag_rdata, jtag_rresp, jtag_rlast} = {h_rdata, m_rresp, m_rlast};
  // One burst at a time: the ID of the last request is the ID of the answer.
  always_ff @(posedge core_clock) begin
    if (jtag_awvalid && jtag_awready) jtag_bid <= jtag_awid;
    if (jtag_arvalid && jtag_arready) jtag_rid <= jtag_arid;
  end

  // SoC, delayers, devices, host registers; index 0: local memory, 1: far memory
  logic [1:0] s_awvalid, s_awready, s_wvalid, s_wready, s_bvalid, s_bready;
  logic [1:0] s_arvalid, s_arready, s_rvalid, s_rready;
  axi_address_t [1:0] s_aw, s_ar;
  axi_write_t [1:0] s_w;
  axi_read_t [1:0] s_r;
  logic [1:0][1:0] s_bresp;
  logic uart_valid, uart_ready, uart_write, uart_error, core_running, exited;
  logic [12:0] uart_addr;
  logic [31:0] uart_write_data, uart_read_data;
  logic [3:0] uart_strobes;
`define NHG_MEMORY_PORT(name, i) \
      .name``_awvalid(s_awvalid[i]), .name``_awready(s_awready[i]), .name``_awaddr(s_aw[i].addr), \
      .name``_awlen(s_aw[i].len), .name``_awsize(s_aw[i].size), .name``_awburst(s_aw[i].burst), \
      .name``_wvalid(s_wvalid[i]), .name``_wready(s_wready[i]), .name``_wdata(s_w[i].data), \
      .name``_wstrb(s_w[i].strb), .name``_wlast(s_w[i].last), \
      .name``_bvalid(s_bvalid[i]), .name``_bready(s_bready[i]), .name``_bresp(s_bresp[i]), \
      .name``_arvalid(s_arvalid[i]), .name``_arready(s_arready[i]), .name``_araddr(s_ar[i].addr), \
      .name``_arlen(s_ar[i].len), .name``_arsize(s_ar[i].size), .name``_arburst(s_ar[i].burst), \
      .name``_rvalid(s_rvalid[i]), .name``_rready(s_rready[i]), .name``_rdata(s_r[i].data), \
      .name``_rresp(s_r[i].resp), .name``_rlast(s_r[i].last),
  board_soc soc (
      .clock(core_clock), .platform_reset(reset),
      .local_ready(hbm_ready[0]), .far_ready(&hbm_ready), .cattrip, .temperature_c, .refused,
      .build_commit(bitstream_commit), .cpu_reset(button), .core_running, .exited,
      .h_awvalid(m_awvalid), .h_awready(m_awready), .h_awid(4'd0), .h_awaddr(m_awaddr), .h_awlen(m_awlen),
      .h_awsize(m_awsize), .h_awburst(m_awburst),
      .h_wvalid(m_wvalid), .h_wready(m_wready), .h_wdata(m_wdata), .h_wstrb(m_wstrb), .h_wlast(m_wlast),
      .h_bvalid(m_bvalid), .h_bready(m_bready), .h_bid(), .h_bresp(m_bresp),
      .h_arvalid(m_arvalid), .h_arready(m_arready), .h_arid(4'd0), .h_araddr(m_araddr), .h_arlen(m_arlen),
      .h_arsize(m_arsize), .h_arburst(m_arburst),
      .h_rvalid(m_rvalid), .h_rready(m_rready), .h_rid(), .h_rdata(h_rdata), .h_rresp(m_rresp), .h_rlast(m_rlast),
      `NHG_MEMORY_PORT(local, 0)
      `NHG_MEMORY_PORT(far, 1)
      .uart_valid, .uart_ready, .uart_write, .uart_addr, .uart_wdata(uart_write_data), .uart_wstrb(uart_strobes),
      .uart_rdata(uart_read_data), .uart_error, .uart_interrupt
  );
`undef NHG_MEMORY_PORT
  uart_bridge bridge (
      .clock(core_clock), .reset, .valid(uart_valid), .ready(uart_ready), .write(uart_write), .addr(uart_addr),
      .wdata(uart_write_data), .wstrb(uart_strobes), .rdata(uart_read_data), .error(uart_error), .*
  );

  // Memory
  for (genvar i = 0; i < 2; i++) begin : memory
    logic g_awvalid, g_awready, g_wvalid, g_wready, g_bvalid, g_bready;
    logic g_arvalid, g_arready, g_rvalid, g_rready;
    hbm_address_t g_aw, g_ar, m_aw, m_ar;
    axi_write_t g_w;
    axi_read_t g_r;
    logic [1:0] g_bresp;
    hbm_guard #(
        .BASE(i == 0 ? LOCAL_BASE : FAR_BASE), .SIZE(i == 0 ? LOCAL_SIZE : HBM_FAR_SIZE),
        .ROM_BASE(BOOT_ROM_BASE), .ROM_SIZE(i == 0 ? BOOT_ROM_SIZE : 0), .IN_FLIGHT(i == 0 ? 128 : 512)
    ) guard (
        .clock(core_clock), .reset, .refused(refused[i]),
        .s_awvalid(s_awvalid[i]), .s_awready(s_awready[i]), .s_aw(s_aw[i]),
        .s_wvalid(s_wvalid[i]), .s_wready(s_wready[i]), .s_w(s_w[i]),
        .s_bvalid(s_bvalid[i]), .s_bready(s_bready[i]), .s_bresp(s_bresp[i]),
        .s_arvalid(s_arvalid[i]), .s_arready(s_arready[i]), .s_ar(s_ar[i]),
        .s_rvalid(s_rvalid[i]), .s_rready(s_rready[i]), .s_r(s_r[i]),
        .m_awvalid(g_awvalid), .m_awready(g_awready), .m_aw(g_aw), .m_wvalid(g_wvalid), .m_wready(g_wready),
        .m_w(g_w), .m_bvalid(g_bvalid), .m_bready(g_bready), .m_bresp(g_bresp),
        .m_arvalid(g_arvalid), .m_arready(g_arready), .m_ar(g_ar), .m_rvalid(g_rvalid), .m_rready(g_rready),
        .m_r(g_r)
    );
    axi_crossing crossing (
        .core_clock, .core_reset(reset), .hbm_clock, .hbm_reset,
        .s_awvalid(g_awvalid), .s_awready(g_awready), .s_aw(g_aw), .s_wvalid(g_wvalid), .s_wready(g_wready),
        .s_w(g_w), .s_bvalid(g_bvalid), .s_bready(g_bready), .s_bresp(g_bresp),
        .s_arvalid(g_arvalid), .s_arready(g_arready), .s_ar(g_ar), .s_rvalid(g_rvalid), .s_rready(g_rready),
        .s_r(g_r),
        .m_awvalid(hbm_awvalid[i]), .m_awready(hbm_awready[i]), .m_aw(m_aw),
        .m_wvalid(hbm_wvalid[i]), .m_wready(hbm_wready[i]), .m_w(hbm_w[i]),
        .m_bvalid(hbm_bvalid[i]), .m_bready(hbm_bready[i]), .m_bresp(hbm_bresp[i]),
        .m_arvalid(hbm_arvalid[i]), .m_arready(hbm_arready[i]), .m_ar(m_ar),
        .m_rvalid(hbm_rvalid[i]), .m_rready(hbm_rready[i]), .m_r(hbm_r[i])
    );
    assign {hbm_awaddr[i], hbm_awlen[i], hbm_awburst[i]} = {m_aw.addr, m_aw.len, m_aw.burst};
    assign {hbm_araddr[i], hbm_arlen[i], hbm_arburst[i]} = {m_ar.addr, m_ar.len, m_ar.burst};
  end

  logic [25:0] heartbeat;
  always_ff @(posedge core_clock) heartbeat <= reset ? '0 : heartbeat + 1'b1;
  assign led = {|cattrip, !reset, &hbm_ready, |refused, button, exited, core_running, heartbeat[25]};
endmodule
