// SPDX-License-Identifier: Apache-2.0
//
// Brings independent, slowly changing bits into a clock domain through three registers each.
module bit_sync #(
    parameter int WIDTH = 1
) (
    input  logic             clock,
    input  logic [WIDTH-1:0] in,
    output logic [WIDTH-1:0] out
);
  (* ASYNC_REG = "TRUE" *) logic [WIDTH-1:0] first = '0, second = '0, third = '0;
  always_ff @(posedge clock) {third, second, first} <= {second, first, in};
  assign out = third;
endmodule
