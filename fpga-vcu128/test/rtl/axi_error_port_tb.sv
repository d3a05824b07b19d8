// SPDX-License-Identifier: Apache-2.0
//
// axi_error_port as NH-G has it at its DMA port: every burst is answered SLVERR, none is lost, none answered twice.
module axi_error_port_tb;
  timeunit 1ns; timeprecision 1ns;
  bit clock = 0, reset = 1, done;
  always #5 clock = !clock;

  logic awvalid, wvalid, wlast, bready, arvalid, rready, awready, wready, bvalid, arready, rvalid, rlast;
  logic [13:0] awid, arid, bid, rid;
  logic [7:0] arlen;
  logic [1:0] bresp, rresp;
  logic [255:0] rdata;
  axi_error_port #(.ID_BITS(14), .DATA_BITS(256)) dut (.*);
  dma_driver #(.ROUNDS(500), .RESP(2'b10)) driver (
      .awaddr(), .araddr(), .awlen(), .awsize(), .arsize(), .awburst(), .arburst(), .wdata(), .wstrb(), .*
  );

  initial begin
    repeat (3) @(negedge clock);
    reset = 0;
    wait (done);
    repeat (20) @(negedge clock);
    $display("PASS");
    $finish;
  end
  initial begin
    #1_000_000 $fatal(1, "no end");
  end
endmodule
