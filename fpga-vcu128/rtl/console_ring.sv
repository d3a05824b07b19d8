// SPDX-License-Identifier: Apache-2.0
//
// Console of the board: a ring of BYTES characters that the host reads as 64-bit words (lowest byte first) without side
// effects. `written` and `read` count bytes since the start of the program; byte k is at k modulo BYTES. A character that
// finds the ring full waits, which stalls the core's store: nothing is lost.
module console_ring #(
    parameter int BYTES = 4096
) (
    input  logic                     clock,
    input  logic                     restart,     // empties the ring
    input  logic                     put_valid,
    output logic                     put_ready,
    input  logic [7:0]               put_char,
    input  logic                     read_write,  // the host has taken characters up to read_value
    input  logic [63:0]              read_value,
    output logic [63:0]              written,
    output logic [63:0]              read,
    input  logic [$clog2(BYTES)-4:0] word_index,
    output logic [63:0]              word         // one cycle after word_index
);
  if (BYTES < 16 || (BYTES & (BYTES - 1)) != 0) $error("console_ring: BYTES must be a power of two, at least 16");

  localparam int INDEX_BITS = $clog2(BYTES);

  logic [7:0][7:0] ring[BYTES/8];

  assign put_ready = written - read != 64'(BYTES);

  always_ff @(posedge clock) begin
    if (restart) begin
      written <= '0;
      read <= '0;
    end else begin
      if (put_valid && put_ready) written <= written + 1'b1;
      if (read_write && read_value >= read && read_value <= written) read <= read_value;
    end
    if (put_valid && put_ready) ring[written[INDEX_BITS-1:3]][written[2:0]] <= put_char;
    word <= ring[word_index];
  end
endmodule
