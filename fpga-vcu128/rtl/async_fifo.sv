// SPDX-License-Identifier: Apache-2.0
//
// FIFO between two clocks of any relation. Gray-coded pointers cross through two registers each; the RAM is read
// only at entries whose pointer has crossed, so its data are stable, and into a register, so that the only paths between
// the clocks are pointer to register and RAM to register. First word falls through.
//   WIDTH  bits of a word
//   DEPTH  words, a power of two, at least 4; 8 sustain one word a cycle of the slower clock
module async_fifo #(
    parameter int WIDTH = 8,
    parameter int DEPTH = 16
) (
    input  logic             in_clock,
    input  logic             in_reset,
    input  logic             in_valid,
    output logic             in_ready,
    input  logic [WIDTH-1:0] in_data,
    input  logic             out_clock,
    input  logic             out_reset,
    output logic             out_valid,
    input  logic             out_ready,
    output logic [WIDTH-1:0] out_data
);
  if (DEPTH < 4 || (DEPTH & (DEPTH - 1)) != 0) $error("async_fifo: DEPTH must be a power of two, at least 4");
  localparam int BITS = $clog2(DEPTH);

  function automatic logic [BITS:0] gray(input logic [BITS:0] binary);
    return binary ^ (binary >> 1);
  endfunction

  (* ram_style = "distributed" *) logic [WIDTH-1:0] ram[DEPTH];
  logic [BITS:0] write_pointer, write_gray, read_pointer, read_gray;
  (* ASYNC_REG = "TRUE" *) logic [BITS:0] read_gray_1, read_gray_2, write_gray_1, write_gray_2;

  // Full: the write pointer is one round ahead, which in Gray code differs in the two top bits only.
  assign in_ready = write_gray != (read_gray_2 ^ {2'b11, {(BITS - 1) {1'b0}}});
  wire write = in_valid && in_ready;
  wire [BITS:0] next_write_pointer = write_pointer + (BITS + 1)'(write);

  always_ff @(posedge in_clock) begin
    if (write) ram[write_pointer[BITS-1:0]] <= in_data;
    if (in_reset) begin
      write_pointer <= '0;
      write_gray <= '0;
      {read_gray_2, read_gray_1} <= '0;
    end else begin
      write_pointer <= next_write_pointer;
      write_gray <= gray(next_write_pointer);
      {read_gray_2, read_gray_1} <= {read_gray_1, read_gray};
    end
  end

  wire fetch = read_gray != write_gray_2 && (!out_valid || out_ready);
  wire [BITS:0] next_read_pointer = read_pointer + (BITS + 1)'(fetch);

  always_ff @(posedge out_clock) begin
    if (fetch) out_data <= ram[read_pointer[BITS-1:0]];
    if (out_reset) begin
      out_valid <= 1'b0;
      read_pointer <= '0;
      read_gray <= '0;
      {write_gray_2, write_gray_1} <= '0;
    end else begin
      out_valid <= fetch || (out_valid && !out_ready);
      read_pointer <= next_read_pointer;
      read_gray <= gray(next_read_pointer);
      {write_gray_2, write_gray_1} <= {write_gray_1, write_gray};
    end
  end
endmodule
