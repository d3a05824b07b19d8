// SPDX-License-Identifier: Apache-2.0
//
// AXI4 subordinate without anything behind it: every burst is answered SLVERR, one read and one write at a time.
module axi_error_port #(
    parameter int ID_BITS   = 4,
    parameter int DATA_BITS = 64
) (
    input  logic                 clock,
    input  logic                 reset,
    input  logic                 awvalid,
    output logic                 awready,
    input  logic [ID_BITS-1:0]   awid,
    input  logic                 wvalid,
    output logic                 wready,
    input  logic                 wlast,
    output logic                 bvalid,
    input  logic                 bready,
    output logic [ID_BITS-1:0]   bid,
    output logic [1:0]           bresp,
    input  logic                 arvalid,
    output logic                 arready,
    input  logic [ID_BITS-1:0]   arid,
    input  logic [7:0]           arlen,
    output logic                 rvalid,
    input  logic                 rready,
    output logic [ID_BITS-1:0]   rid,
    output logic [DATA_BITS-1:0] rdata,
    output logic [1:0]           rresp,
    output logic                 rlast
);
  logic data_due;
  logic [7:0] beats_left;

  assign awready = !data_due && !bvalid;
  assign wready = data_due;
  assign arready = !rvalid;
  assign {bresp, rresp, rdata} = {2'b10, 2'b10, {DATA_BITS{1'b0}}};
  assign rlast = beats_left == 0;

  always_ff @(posedge clock) begin
    if (reset) begin
      {data_due, bvalid, rvalid} <= '0;
    end else begin
      data_due <= (awvalid && awready) || (data_due && !(wvalid && wlast));
      bvalid <= (wvalid && wready && wlast) || (bvalid && !bready);
      rvalid <= (arvalid && arready) || (rvalid && !(rready && rlast));
    end
    if (awvalid && awready) bid <= awid;
    if (arvalid && arready) begin
      rid <= arid;
      beats_left <= arlen;
    end else if (rvalid && rready) beats_left <= beats_left - 1'b1;
  end
endmodule
