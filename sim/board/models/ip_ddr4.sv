// SPDX-License-Identifier: Apache-2.0
//
// Model of the DDR4 controller with its memory: contents in sim/harness/memory.h behind those of HBM, answers in order after
// LATENCY_CYCLES of its clock, nothing before CALIBRATION_CYCLES. Its clock is 333 MHz from the oscillator on the board; here 100 MHz.
// The pins of the memory stand still. A clock that the test makes unstable resets it and calibrates it anew; its contents stay.
module ip_ddr4
  import bus_types::*;
#(
    parameter int LATENCY_CYCLES     = 20,
    parameter int CALIBRATION_CYCLES = 2500
) (
    input  logic         c0_sys_clk_i,
    input  logic         sys_rst,
    output logic         c0_init_calib_complete,
    output logic         c0_ddr4_act_n,
    output logic [16:0]  c0_ddr4_adr,
    output logic [1:0]   c0_ddr4_ba,
    output logic         c0_ddr4_bg,
    output logic         c0_ddr4_cke,
    output logic         c0_ddr4_odt,
    output logic [1:0]   c0_ddr4_cs_n,
    output logic         c0_ddr4_ck_t,
    output logic         c0_ddr4_ck_c,
    output logic         c0_ddr4_reset_n,
    inout  wire  [7:0]   c0_ddr4_dm_dbi_n,
    inout  wire  [63:0]  c0_ddr4_dq,
    inout  wire  [7:0]   c0_ddr4_dqs_t,
    inout  wire  [7:0]   c0_ddr4_dqs_c,
    output logic         c0_ddr4_ui_clk,
    output logic         c0_ddr4_ui_clk_sync_rst,
    input  logic         c0_ddr4_aresetn,
    output logic         dbg_clk,
    output logic [511:0] dbg_bus,
    input  logic [3:0]   c0_ddr4_s_axi_awid,
    input  logic [31:0]  c0_ddr4_s_axi_awaddr,
    input  logic [7:0]   c0_ddr4_s_axi_awlen,
    input  logic [2:0]   c0_ddr4_s_axi_awsize,
    input  logic [1:0]   c0_ddr4_s_axi_awburst,
    input  logic         c0_ddr4_s_axi_awlock,
    input  logic [3:0]   c0_ddr4_s_axi_awcache,
    input  logic [2:0]   c0_ddr4_s_axi_awprot,
    input  logic [3:0]   c0_ddr4_s_axi_awqos,
    input  logic         c0_ddr4_s_axi_awvalid,
    output logic         c0_ddr4_s_axi_awready,
    input  logic [255:0] c0_ddr4_s_axi_wdata,
    input  logic [31:0]  c0_ddr4_s_axi_wstrb,
    input  logic         c0_ddr4_s_axi_wlast,
    input  logic         c0_ddr4_s_axi_wvalid,
    output logic         c0_ddr4_s_axi_wready,
    output logic [3:0]   c0_ddr4_s_axi_bid,
    output logic [1:0]   c0_ddr4_s_axi_bresp,
    output logic         c0_ddr4_s_axi_bvalid,
    input  logic         c0_ddr4_s_axi_bready,
    input  logic [3:0]   c0_ddr4_s_axi_arid,
    input  logic [31:0]  c0_ddr4_s_axi_araddr,
    input  logic [7:0]   c0_ddr4_s_axi_arlen,
    input  logic [2:0]   c0_ddr4_s_axi_arsize,
    input  logic [1:0]   c0_ddr4_s_axi_arburst,
    input  logic         c0_ddr4_s_axi_arlock,
    input  logic [3:0]   c0_ddr4_s_axi_arcache,
    input  logic [2:0]   c0_ddr4_s_axi_arprot,
    input  logic [3:0]   c0_ddr4_s_axi_arqos,
    input  logic         c0_ddr4_s_axi_arvalid,
    output logic         c0_ddr4_s_axi_arready,
    output logic [3:0]   c0_ddr4_s_axi_rid,
    output logic [255:0] c0_ddr4_s_axi_rdata,
    output logic [1:0]   c0_ddr4_s_axi_rresp,
    output logic         c0_ddr4_s_axi_rlast,
    output logic         c0_ddr4_s_axi_rvalid,
    input  logic         c0_ddr4_s_axi_rready
);
  localparam logic [35:0] BEHIND_HBM = 36'h2_0000_0000;  // 8 GiB
  int cycles = 0;
  wire reset = !c0_ddr4_aresetn;
  assign c0_ddr4_ui_clk = c0_sys_clk_i;
  import "DPI-C" function int nhg_ddr4_unstable();
  logic unstable = 1'b0;
  assign c0_ddr4_ui_clk_sync_rst = sys_rst || unstable;
  assign c0_init_calib_complete = cycles == CALIBRATION_CYCLES;
  always_ff @(posedge c0_ddr4_ui_clk) begin
    unstable <= nhg_ddr4_unstable() != 0;
    if (unstable) cycles <= 0;
    else if (!c0_init_calib_complete) cycles <= cycles + 1;
  end
  assign {c0_ddr4_act_n, c0_ddr4_adr, c0_ddr4_ba, c0_ddr4_bg, c0_ddr4_cke, c0_ddr4_odt, c0_ddr4_cs_n, c0_ddr4_ck_t, c0_ddr4_ck_c} = '0;
  assign {c0_ddr4_reset_n, dbg_clk, dbg_bus} = '0;

  memory_request_t request;
  memory_response_t response;
  wire open = c0_init_calib_complete;
  assign request = '{
      aw_valid: c0_ddr4_s_axi_awvalid && open,
      aw: '{id: 14'(c0_ddr4_s_axi_awid), addr: BEHIND_HBM | 36'(c0_ddr4_s_axi_awaddr), len: c0_ddr4_s_axi_awlen, size: c0_ddr4_s_axi_awsize,
            burst: c0_ddr4_s_axi_awburst},
      w_valid: c0_ddr4_s_axi_wvalid && open, w: '{data: c0_ddr4_s_axi_wdata, strb: c0_ddr4_s_axi_wstrb, last: c0_ddr4_s_axi_wlast},
      b_ready: c0_ddr4_s_axi_bready, ar_valid: c0_ddr4_s_axi_arvalid && open,
      ar: '{id: 14'(c0_ddr4_s_axi_arid), addr: BEHIND_HBM | 36'(c0_ddr4_s_axi_araddr), len: c0_ddr4_s_axi_arlen, size: c0_ddr4_s_axi_arsize,
            burst: c0_ddr4_s_axi_arburst},
      r_ready: c0_ddr4_s_axi_rready
  };
  assign c0_ddr4_s_axi_awready = response.aw_ready && open;
  assign c0_ddr4_s_axi_wready = response.w_ready && open;
  assign c0_ddr4_s_axi_arready = response.ar_ready && open;
  assign {c0_ddr4_s_axi_bvalid, c0_ddr4_s_axi_bid, c0_ddr4_s_axi_bresp} = {response.b_valid, response.b.id[3:0], response.b.resp};
  assign {c0_ddr4_s_axi_rvalid, c0_ddr4_s_axi_rid, c0_ddr4_s_axi_rdata, c0_ddr4_s_axi_rresp, c0_ddr4_s_axi_rlast} =
      {response.r_valid, response.r.id[3:0], response.r.data, response.r.resp, response.r.last};
  behavioural_memory #(.LATENCY_CYCLES(LATENCY_CYCLES), .OUTSTANDING(64)) memory (
      .clock(c0_ddr4_ui_clk), .reset, .request, .response
  );
  always_ff @(posedge c0_ddr4_ui_clk)
    if (!reset) begin
      assert (!c0_ddr4_s_axi_awvalid || (c0_ddr4_s_axi_awsize == 3'd5 && c0_ddr4_s_axi_awburst == BURST_INCR)) else $fatal(1, "ip_ddr4: write");
      assert (!c0_ddr4_s_axi_arvalid || (c0_ddr4_s_axi_arsize == 3'd5 && c0_ddr4_s_axi_arburst == BURST_INCR)) else $fatal(1, "ip_ddr4: read");
    end
endmodule
