// SPDX-License-Identifier: Apache-2.0
//
// A place for one word that adds no cycle: what is not taken in the cycle in which it comes waits here. `in_ready` does not depend on `out_ready`:
// a manager whose AW passes here need not wait for AWREADY before it offers W, which AXI forbids.
module bypass_register #(
    parameter int WIDTH = 8
) (
    input  logic             clock,
    input  logic             reset,
    input  logic             in_valid,
    output logic             in_ready,
    input  logic [WIDTH-1:0] in_data,
    output logic             out_valid,
    input  logic             out_ready,
    output logic [WIDTH-1:0] out_data
);
  logic full;
  logic [WIDTH-1:0] word;
  assign in_ready = !full;
  assign out_valid = full || in_valid;
  assign out_data = full ? word : in_data;
  always_ff @(posedge clock) begin
    full <= !reset && out_valid && !out_ready;
    if (!full) word <= in_data;
  end
endmodule
