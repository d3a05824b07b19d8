// SPDX-License-Identifier: Apache-2.0
//
// First-word-fall-through FIFO on a RAM with a synchronous read port, full throughput.
//   WIDTH   bits of a word
//   DEPTH   words, a power of two
//   BYPASS  1: a word offered to an empty FIFO is at the output in the same cycle; 0: one cycle later
// The output word stays until it is taken, also when it came by the bypass.
module bypass_fifo #(
    parameter int WIDTH  = 8,
    parameter int DEPTH  = 16,
    parameter bit BYPASS = 1
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
  if (WIDTH < 1) $error("bypass_fifo: WIDTH must be at least 1");
  if (DEPTH < 2 || (DEPTH & (DEPTH - 1)) != 0) $error("bypass_fifo: DEPTH must be a power of two, at least 2");

  localparam int POINTER_BITS = $clog2(DEPTH);

  logic [POINTER_BITS-1:0] write_pointer, read_pointer, next_read_pointer;
  logic [POINTER_BITS:0] count;
  logic [WIDTH-1:0] ram_word;

  wire empty = count == 0;
  wire pass = BYPASS && empty && in_valid && out_ready;
  wire write = in_valid && in_ready && !pass;
  wire read = out_ready && !empty;

  assign in_ready = !count[POINTER_BITS];
  assign out_valid = !empty || (BYPASS && in_valid);
  assign out_data = empty ? in_data : ram_word;
  assign next_read_pointer = read_pointer + POINTER_BITS'(read);

  always_ff @(posedge clock) begin
    if (reset) begin
      write_pointer <= '0;
      read_pointer <= '0;
      count <= '0;
    end else begin
      write_pointer <= write_pointer + POINTER_BITS'(write);
      read_pointer <= next_read_pointer;
      count <= count + (POINTER_BITS + 1)'(write) - (POINTER_BITS + 1)'(read);
    end
  end

  // The word to show next is read ahead.
  forwarding_ram #(.WIDTH(WIDTH), .DEPTH(DEPTH)) ram (
      .clock, .write, .write_index(write_pointer), .write_data(in_data),
      .read(write || read), .read_index(next_read_pointer), .read_data(ram_word)
  );
endmodule
