// SPDX-License-Identifier: Apache-2.0
//
// Sum over events since `clear`; an event in the cycle of `clear` belongs to the new period.
module event_sum (
    input  logic        clock,
    input  logic        reset,
    input  logic        clear,
    input  logic        event_valid,
    input  logic [31:0] amount,
    output logic [63:0] sum
);
  always_ff @(posedge clock) begin
    if (reset) sum <= '0;
    else if (clear) sum <= event_valid ? 64'(amount) : '0;
    else if (event_valid) sum <= sum + 64'(amount);
  end
endmodule
