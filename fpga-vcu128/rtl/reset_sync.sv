// SPDX-License-Identifier: Apache-2.0
//
// Reset for one clock domain: asserted at once, released four edges after its cause is gone. Also works as the
// domain's power-on reset, since the registers start asserted.
module reset_sync (
    input  logic clock,
    input  logic cause,  // asynchronous, active high
    output logic reset
);
  (* ASYNC_REG = "TRUE" *) logic [3:0] stages = '1;
  always_ff @(posedge clock or posedge cause) begin
    if (cause) stages <= '1;
    else stages <= {stages[2:0], 1'b0};
  end
  assign reset = stages[3];
endmodule
