// SPDX-License-Identifier: Apache-2.0
//
// RAM with one write and one synchronous read port. A word written in the cycle in which it is read is forwarded; the
// word read stays at the output until the next read. Nothing is reset.
//   WIDTH  bits of a word      DEPTH  words, a power of two
module forwarding_ram #(
    parameter int WIDTH = 8,
    parameter int DEPTH = 16
) (
    input  logic                     clock,
    input  logic                     write,
    input  logic [$clog2(DEPTH)-1:0] write_index,
    input  logic [WIDTH-1:0]         write_data,
    input  logic                     read,
    input  logic [$clog2(DEPTH)-1:0] read_index,
    output logic [WIDTH-1:0]         read_data
);
  logic [WIDTH-1:0] words[DEPTH];
  logic [WIDTH-1:0] stored_word, forwarded_word;
  logic use_forwarded;

  assign read_data = use_forwarded ? forwarded_word : stored_word;

  always_ff @(posedge clock) begin
    if (write) words[write_index] <= write_data;
    if (read) begin
      stored_word <= words[read_index];
      use_forwarded <= write && write_index == read_index;
      forwarded_word <= write_data;
    end
  end
endmodule
