// SPDX-License-Identifier: Apache-2.0
//
// Model of the HBM controller: contents in sim/harness/memory.h by HBM address, both ports see all of it; time and order in
// sim/board/hbm.h. Nothing is accepted before the initialisation is complete, INIT_CYCLES of the APB clock after its reset.
// AXI3 rules are checked. Both ports have the same clock.
module ip_hbm #(
    parameter int INIT_CYCLES = 2000
) (
    input  logic         HBM_REF_CLK_0,
    input  logic         HBM_REF_CLK_1,
    input  logic         AXI_00_ACLK,
    input  logic         AXI_00_ARESET_N,
    input  logic [32:0]  AXI_00_ARADDR,
    input  logic [1:0]   AXI_00_ARBURST,
    input  logic [5:0]   AXI_00_ARID,
    input  logic [3:0]   AXI_00_ARLEN,
    input  logic [2:0]   AXI_00_ARSIZE,
    input  logic         AXI_00_ARVALID,
    output logic         AXI_00_ARREADY,
    input  logic [32:0]  AXI_00_AWADDR,
    input  logic [1:0]   AXI_00_AWBURST,
    input  logic [5:0]   AXI_00_AWID,
    input  logic [3:0]   AXI_00_AWLEN,
    input  logic [2:0]   AXI_00_AWSIZE,
    input  logic         AXI_00_AWVALID,
    output logic         AXI_00_AWREADY,
    input  logic [255:0] AXI_00_WDATA,
    input  logic [31:0]  AXI_00_WDATA_PARITY,
    input  logic [31:0]  AXI_00_WSTRB,
    input  logic         AXI_00_WLAST,
    input  logic         AXI_00_WVALID,
    output logic         AXI_00_WREADY,
    output logic [5:0]   AXI_00_BID,
    output logic [1:0]   AXI_00_BRESP,
    output logic         AXI_00_BVALID,
    input  logic         AXI_00_BREADY,
    output logic [255:0] AXI_00_RDATA,
    output logic [31:0]  AXI_00_RDATA_PARITY,
    output logic [5:0]   AXI_00_RID,
    output logic [1:0]   AXI_00_RRESP,
    output logic         AXI_00_RLAST,
    output logic         AXI_00_RVALID,
    input  logic         AXI_00_RREADY,
    input  logic         AXI_16_ACLK,
    input  logic         AXI_16_ARESET_N,
    input  logic [32:0]  AXI_16_ARADDR,
    input  logic [1:0]   AXI_16_ARBURST,
    input  logic [5:0]   AXI_16_ARID,
    input  logic [3:0]   AXI_16_ARLEN,
    input  logic [2:0]   AXI_16_ARSIZE,
    input  logic         AXI_16_ARVALID,
    output logic         AXI_16_ARREADY,
    input  logic [32:0]  AXI_16_AWADDR,
    input  logic [1:0]   AXI_16_AWBURST,
    input  logic [5:0]   AXI_16_AWID,
    input  logic [3:0]   AXI_16_AWLEN,
    input  logic [2:0]   AXI_16_AWSIZE,
    input  logic         AXI_16_AWVALID,
    output logic         AXI_16_AWREADY,
    input  logic [255:0] AXI_16_WDATA,
    input  logic [31:0]  AXI_16_WDATA_PARITY,
    input  logic [31:0]  AXI_16_WSTRB,
    input  logic         AXI_16_WLAST,
    input  logic         AXI_16_WVALID,
    output logic         AXI_16_WREADY,
    output logic [5:0]   AXI_16_BID,
    output logic [1:0]   AXI_16_BRESP,
    output logic         AXI_16_BVALID,
    input  logic         AXI_16_BREADY,
    output logic [255:0] AXI_16_RDATA,
    output logic [31:0]  AXI_16_RDATA_PARITY,
    output logic [5:0]   AXI_16_RID,
    output logic [1:0]   AXI_16_RRESP,
    output logic         AXI_16_RLAST,
    output logic         AXI_16_RVALID,
    input  logic         AXI_16_RREADY,
    input  logic         APB_0_PCLK,
    input  logic         APB_0_PRESET_N,
    input  logic         APB_1_PCLK,
    input  logic         APB_1_PRESET_N,
    output logic         apb_complete_0,
    output logic         apb_complete_1,
    output logic         DRAM_0_STAT_CATTRIP,
    output logic [6:0]   DRAM_0_STAT_TEMP,
    output logic         DRAM_1_STAT_CATTRIP,
    output logic [6:0]   DRAM_1_STAT_TEMP
);
  localparam logic [6:0] TEMPERATURE_C = 7'd45;
  localparam logic [6:0] TEMPERATURE_TRIPPED_C = 7'd120;

  hbm_initialisation #(.CYCLES(INIT_CYCLES)) init_0 (.clock(APB_0_PCLK), .reset_n(APB_0_PRESET_N), .complete(apb_complete_0));
  hbm_initialisation #(.CYCLES(INIT_CYCLES + 100)) init_1 (
      .clock(APB_1_PCLK), .reset_n(APB_1_PRESET_N), .complete(apb_complete_1)
  );
  assign DRAM_1_STAT_CATTRIP = 1'b0;
  assign DRAM_0_STAT_TEMP = DRAM_0_STAT_CATTRIP ? TEMPERATURE_TRIPPED_C : TEMPERATURE_C;
  assign DRAM_1_STAT_TEMP = TEMPERATURE_C;

  // Every cycle the ports hand over their bursts, then time goes on.
  always_ff @(posedge AXI_00_ACLK) DRAM_0_STAT_CATTRIP <= hbm_dpi::nhg_hbm_advance() != 0;

  wire ready = apb_complete_0 && apb_complete_1;
  assign {AXI_00_RDATA_PARITY, AXI_16_RDATA_PARITY} = '0;
  hbm_port #(.PORT(0)) port_00 (
      .clock(AXI_00_ACLK), .reset_n(AXI_00_ARESET_N), .ready,
      .awvalid(AXI_00_AWVALID), .awready(AXI_00_AWREADY), .awid(AXI_00_AWID), .awaddr(AXI_00_AWADDR),
      .awlen(AXI_00_AWLEN), .awsize(AXI_00_AWSIZE), .awburst(AXI_00_AWBURST),
      .wvalid(AXI_00_WVALID), .wready(AXI_00_WREADY), .wdata(AXI_00_WDATA), .wstrb(AXI_00_WSTRB), .wlast(AXI_00_WLAST),
      .bvalid(AXI_00_BVALID), .bready(AXI_00_BREADY), .bid(AXI_00_BID), .bresp(AXI_00_BRESP),
      .arvalid(AXI_00_ARVALID), .arready(AXI_00_ARREADY), .arid(AXI_00_ARID), .araddr(AXI_00_ARADDR),
      .arlen(AXI_00_ARLEN), .arsize(AXI_00_ARSIZE), .arburst(AXI_00_ARBURST),
      .rvalid(AXI_00_RVALID), .rready(AXI_00_RREADY), .rid(AXI_00_RID), .rdata(AXI_00_RDATA), .rresp(AXI_00_RRESP), .rlast(AXI_00_RLAST)
  );
  hbm_port #(.PORT(16)) port_16 (
      .clock(AXI_16_ACLK), .reset_n(AXI_16_ARESET_N), .ready,
      .awvalid(AXI_16_AWVALID), .awready(AXI_16_AWREADY), .awid(AXI_16_AWID), .awaddr(AXI_16_AWADDR),
      .awlen(AXI_16_AWLEN), .awsize(AXI_16_AWSIZE), .awburst(AXI_16_AWBURST),
      .wvalid(AXI_16_WVALID), .wready(AXI_16_WREADY), .wdata(AXI_16_WDATA), .wstrb(AXI_16_WSTRB), .wlast(AXI_16_WLAST),
      .bvalid(AXI_16_BVALID), .bready(AXI_16_BREADY), .bid(AXI_16_BID), .bresp(AXI_16_BRESP),
      .arvalid(AXI_16_ARVALID), .arready(AXI_16_ARREADY), .arid(AXI_16_ARID), .araddr(AXI_16_ARADDR),
      .arlen(AXI_16_ARLEN), .arsize(AXI_16_ARSIZE), .arburst(AXI_16_ARBURST),
      .rvalid(AXI_16_RVALID), .rready(AXI_16_RREADY), .rid(AXI_16_RID), .rdata(AXI_16_RDATA), .rresp(AXI_16_RRESP), .rlast(AXI_16_RLAST)
  );
endmodule

module hbm_initialisation #(
    parameter int CYCLES = 2000
) (
    input  logic clock,
    input  logic reset_n,
    output logic complete
);
  int cycles = 0;
  assign complete = cycles == CYCLES;
  always_ff @(posedge clock)
    if (!reset_n) cycles <= 0;
    else if (!complete) cycles <= cycles + 1;
endmodule

// One AXI3 port: 32-byte beats, bursts of at most 16, answers of one ID in order.
module hbm_port
  import hbm_dpi::*;
#(
    parameter int PORT = 0
) (
    input  logic         clock,
    input  logic         reset_n,
    input  logic         ready,
    input  logic         awvalid,
    output logic         awready,
    input  logic [5:0]   awid,
    input  logic [32:0]  awaddr,
    input  logic [3:0]   awlen,
    input  logic [2:0]   awsize,
    input  logic [1:0]   awburst,
    input  logic         wvalid,
    output logic         wready,
    input  logic [255:0] wdata,
    input  logic [31:0]  wstrb,
    input  logic         wlast,
    output logic         bvalid,
    input  logic         bready,
    output logic [5:0]   bid,
    output logic [1:0]   bresp,
    input  logic         arvalid,
    output logic         arready,
    input  logic [5:0]   arid,
    input  logic [32:0]  araddr,
    input  logic [3:0]   arlen,
    input  logic [2:0]   arsize,
    input  logic [1:0]   arburst,
    output logic         rvalid,
    input  logic         rready,
    output logic [5:0]   rid,
    output logic [255:0] rdata,
    output logic [1:0]   rresp,
    output logic         rlast
);
  wire reset = !reset_n;
  int data_owed = 0;  // write bursts whose data have not come

  assign wready = reset_n && data_owed != 0;
  always_ff @(posedge clock) begin : handshakes
    automatic int there, id, resp, last, room;
    automatic bit [255:0] word;
    if (reset) begin
      {arready, awready, rvalid, bvalid} <= '0;
      data_owed <= 0;
    end else begin
      if (arvalid && arready) nhg_hbm_read(PORT, 32'(arid), 64'(araddr), 32'(arlen) + 1);
      if (awvalid && awready) nhg_hbm_write(PORT, 32'(awid), 64'(awaddr), 32'(awlen) + 1);
      if (wvalid && wready) nhg_hbm_data(PORT, wdata, wstrb, 32'(wlast));
      data_owed <= data_owed + 32'(awvalid && awready) - 32'(wvalid && wready && wlast);
      room = nhg_hbm_room(PORT);
      {awready, arready} <= ready ? room[1:0] : 2'b00;
      if (!rvalid || rready) begin
        there = nhg_hbm_beat(PORT, id, word, resp, last);
        rvalid <= there[0];
        {rid, rdata, rresp, rlast} <= {id[5:0], word, resp[1:0], last[0]};
      end
      if (!bvalid || bready) begin
        there = nhg_hbm_answer(PORT, id, resp);
        bvalid <= there[0];
        {bid, bresp} <= {id[5:0], resp[1:0]};
      end
    end
  end

  axi4_checker #(.ID_BITS(6)) rules (
      .clock, .reset, .awvalid, .awready, .awid, .awaddr(36'(awaddr)), .awlen(8'(awlen)), .awsize, .awburst,
      .wvalid, .wready, .wdata, .wstrb, .wlast, .bvalid, .bready, .bid, .bresp,
      .arvalid, .arready, .arid, .araddr(36'(araddr)), .arlen(8'(arlen)), .arsize, .arburst,
      .rvalid, .rready, .rid, .rdata, .rresp, .rlast
  );
  always_ff @(posedge clock)
    if (reset_n) begin
      assert (!awvalid || (awsize == 3'd5 && awburst == 2'b01)) else $fatal(1, "hbm_port: write HBM cannot do");
      assert (!arvalid || (arsize == 3'd5 && arburst == 2'b01)) else $fatal(1, "hbm_port: read HBM cannot do");
    end
endmodule
