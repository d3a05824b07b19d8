// SPDX-License-Identifier: Apache-2.0
//
// axi_error_port as NH-G has it at its DMA port: every burst is answered SLVERR, none is lost, none answered twice.
module axi_error_port_tb;
  timeunit 1ns; timeprecision 1ns;
  import bus_types::*;
  logic clock = 0, reset = 1;
  bit done;
  always #5 clock = !clock;

  memory_request_t request;
  memory_response_t response;
  axi_error_port dut (.*);
  dma_driver #(.ROUNDS(500), .RESP(RESP_SLVERR)) driver (.*);

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
