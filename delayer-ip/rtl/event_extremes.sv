// SPDX-License-Identifier: Apache-2.0
//
// Least and greatest value of the events since `clear`; without any 2^32 - 1 and 0.
module event_extremes (
    input  logic        clock,
    input  logic        reset,
    input  logic        clear,
    input  logic        event_valid,
    input  logic [31:0] value,
    output logic [63:0] least,
    output logic [63:0] greatest
);
  logic [31:0] least_value, greatest_value;
  assign least = 64'(least_value);
  assign greatest = 64'(greatest_value);

  always_ff @(posedge clock) begin
    if (reset || (clear && !event_valid)) begin
      least_value <= '1;
      greatest_value <= '0;
    end else if (event_valid) begin
      if (clear || value < least_value) least_value <= value;
      if (clear || value > greatest_value) greatest_value <= value;
    end
  end
endmodule
