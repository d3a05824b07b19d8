// SPDX-License-Identifier: Apache-2.0
//
// AXI4-Lite (64-bit data, 12-bit address) to the control bus of delayer_registers. One access at a time, writes first.
// WSTRB must be all ones: other writes are answered with SLVERR and change nothing.
module axi4lite_control (
    input  logic        clock,
    input  logic        reset,
    input  logic        awvalid,
    output logic        awready,
    input  logic [11:0] awaddr,
    input  logic        wvalid,
    output logic        wready,
    input  logic [63:0] wdata,
    input  logic [7:0]  wstrb,
    output logic        bvalid,
    input  logic        bready,
    output logic [1:0]  bresp,
    input  logic        arvalid,
    output logic        arready,
    input  logic [11:0] araddr,
    output logic        rvalid,
    input  logic        rready,
    output logic [63:0] rdata,
    output logic [1:0]  rresp,
    output logic        control_valid,
    input  logic        control_ready,
    output logic        control_write,
    output logic [11:0] control_addr,
    output logic [63:0] control_wdata,
    input  logic [63:0] control_rdata
);
  // A write is taken when address and data are there and the last answer has been, reads alike.
  wire write_ready = awvalid && wvalid && !bvalid;
  wire read_ready = arvalid && !rvalid && !write_ready;
  wire write_legal = &wstrb;

  assign control_valid = (write_ready && write_legal) || read_ready;
  assign control_write = write_ready;
  assign control_addr = write_ready ? awaddr : araddr;
  assign control_wdata = wdata;
  assign awready = write_ready && (control_ready || !write_legal);
  assign wready = awready;
  assign arready = read_ready && control_ready;
  assign rresp = 2'b00;

  always_ff @(posedge clock) begin
    if (reset) begin
      bvalid <= 1'b0;
      rvalid <= 1'b0;
    end else begin
      bvalid <= awready || (bvalid && !bready);
      rvalid <= arready || (rvalid && !rready);
      if (awready) bresp <= write_legal ? 2'b00 : 2'b10;
      if (arready) rdata <= control_rdata;
    end
  end
endmodule
