// SPDX-License-Identifier: Apache-2.0
//
// What board_system shows on the LEDs and has in its resets, whatever the core: an HBM stack over temperature lights LED 7 while it
// lasts, LED 5 needs both stacks and local memory, LED 6 the clocks; losing the clocks resets both domains, the button and the core's reset neither.
module board_lights_tb;
  timeunit 1ns; timeprecision 1ns;
  logic core_clock = 0, hbm_clock = 0;
  always #10 core_clock = !core_clock;
  always #5 hbm_clock = !hbm_clock;

  logic clocks_locked = 0, cpu_reset = 0, local_complete = 0, core_reset_n, hbm_reset_n;
  logic [1:0] hbm_complete = '0, hbm_cattrip = '0;
  logic [7:0] led;
  board_system dut (
      .core_clock, .hbm_clock, .local_clock(hbm_clock), .local_clock_unstable(1'b0), .local_reset_n(), .local_complete, .clocks_locked,
      .cpu_reset, .core_reset_n, .hbm_reset_n, .bitstream_commit('0), .led,
      .hbm_complete, .hbm_cattrip, .hbm_temperature_c('0), .hbm_request(), .hbm_response('0), .jtag_request('0), .jtag_response(),
      .pcie_clock(core_clock), .pcie_reset_n(1'b1), .pcie_request('0), .pcie_response(),
      .lite_request(), .lite_response('0), .uart_interrupt('0)
  );

  // LEDs 7 to 3 and the two resets, after the synchronisers
  task automatic expect_lights(input string what, input logic [4:0] lights, input logic resets_n);
    repeat (20) @(posedge core_clock);
    if (led[7:3] != lights) $fatal(1, "%s: LEDs 7 to 3 are %b instead of %b", what, led[7:3], lights);
    if ({core_reset_n, hbm_reset_n} != {2{resets_n}}) $fatal(1, "%s: resets are %b%b", what, core_reset_n, hbm_reset_n);
  endtask

  initial begin
    expect_lights("no clocks", 5'b00000, 0);
    clocks_locked = 1;
    expect_lights("clocks", 5'b01000, 1);
    hbm_complete = 2'b01;
    expect_lights("one stack", 5'b01000, 1);
    hbm_complete = 2'b11;
    expect_lights("both stacks", 5'b01000, 1);
    local_complete = 1;
    expect_lights("local memory, too", 5'b01100, 1);
    for (int stack = 0; stack < 2; stack++) begin
      hbm_cattrip = 2'(1 << stack);
      expect_lights("over temperature", 5'b11100, 1);
      hbm_cattrip = '0;
      expect_lights("cooled", 5'b01100, 1);
    end
    cpu_reset = 1;
    expect_lights("button", 5'b01101, 1);
    cpu_reset = 0;
    clocks_locked = 0;
    {local_complete, hbm_complete} = '0;
    expect_lights("clocks lost", 5'b00000, 0);
    $display("PASS");
    $finish;
  end
endmodule
