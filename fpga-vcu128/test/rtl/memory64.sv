// SPDX-License-Identifier: Apache-2.0
//
// AXI4 memory of the benches: 64-bit, one burst at a time, every handshake after a random time; words that were never written
// read as a hash of their address. Words with `poison` in their address bits 11:8 answer SLVERR and are not written.
// Checks that an offered address, or word, stands until it is taken, and that bursts have as many beats as announced.
module memory64
  import bus_types::*;
#(
    parameter logic [3:0] POISON = 4'hd
) (
    input  logic         clock,
    input  logic         reset,
    input  int           busy,  // how often in 256 it is willing
    input  io_request_t  request,
    output io_response_t response
);
  logic [63:0] words[logic [32:0]];
  int words_read = 0, words_written = 0, bursts = 0;

  function automatic logic [63:0] peek(input logic [35:0] address);
    if (words.exists(address[35:3])) return words[address[35:3]];
    return 64'(address[35:3]) * 64'h9e37_79b9_7f4a_7c15;
  endfunction
  function automatic logic is_poison(input logic [35:0] address);
    return address[11:8] == POISON;
  endfunction
  function automatic void poke(input logic [35:0] address, input logic [63:0] data, input logic [7:0] strobes);
    logic [63:0] word;
    word = peek(address);
    for (int i = 0; i < 8; i++) if (strobes[i]) word[8*i+:8] = data[8*i+:8];
    words[address[35:3]] = word;
  endfunction

  // Writes: the address may come after the first data. Reads and writes do not wait for each other.
  logic have_aw = 0, have_b = 0, error = 0, have_ar = 0, willing_aw, willing_w, willing_ar, willing_b, willing_r;
  logic [35:0] write_addr, read_addr;
  logic [7:0] write_left, read_left;
  logic [IO_ID_BITS-1:0] write_id, read_id;
  logic [63:0] read_word;
  always_comb read_word = is_poison(read_addr) ? 64'hdead_dead_dead_dead : peek(read_addr);
  assign response = '{
      aw_ready: willing_aw && !have_aw && !have_b, w_ready: willing_w && have_aw,
      b_valid: have_b && willing_b, b: '{id: write_id, resp: {error, 1'b0}},
      ar_ready: willing_ar && !have_ar, r_valid: have_ar && willing_r,
      r: '{id: read_id, data: read_word, resp: {is_poison(read_addr), 1'b0}, last: read_left == 0}
  };
  always @(posedge clock) begin
    willing_aw <= int'($urandom_range(255)) < busy;
    willing_w <= int'($urandom_range(255)) < busy;
    willing_ar <= int'($urandom_range(255)) < busy;
    if (!response.b_valid || request.b_ready) willing_b <= int'($urandom_range(255)) < busy;
    if (!response.r_valid || request.r_ready) willing_r <= int'($urandom_range(255)) < busy;
    if (!reset) begin
      bursts <= bursts + 32'(request.aw_valid && response.aw_ready) + 32'(request.ar_valid && response.ar_ready);
      if (request.aw_valid && response.aw_ready)
        {have_aw, error, write_id, write_addr, write_left} <= {2'b10, request.aw.id, request.aw.addr, request.aw.len};
      if (request.w_valid && response.w_ready) begin
        if (request.w.last != (write_left == 0)) $fatal(1, "memory64: wlast with %0d beats left", write_left);
        if (is_poison(write_addr)) error <= 1;
        else poke(write_addr, request.w.data, request.w.strb);
        words_written <= words_written + 1;
        write_addr <= write_addr + 8;
        write_left <= write_left - 1;
        if (request.w.last) {have_aw, have_b} <= 2'b01;
      end
      if (response.b_valid && request.b_ready) have_b <= 0;
      if (request.ar_valid && response.ar_ready)
        {have_ar, read_id, read_addr, read_left} <= {1'b1, request.ar.id, request.ar.addr, request.ar.len};
      if (response.r_valid && request.r_ready) begin
        words_read <= words_read + 1;
        read_addr <= read_addr + 8;
        read_left <= read_left - 1;
        if (response.r.last) have_ar <= 0;
      end
    end
  end

  logic aw_waits = 0, ar_waits = 0, w_waits = 0;
  io_request_t earlier;
  always @(posedge clock)
    if (!reset) begin
      if (aw_waits && !(request.aw_valid && request.aw == earlier.aw)) $fatal(1, "memory64: AW changed before it was taken");
      if (ar_waits && !(request.ar_valid && request.ar == earlier.ar)) $fatal(1, "memory64: AR changed before it was taken");
      if (w_waits && !(request.w_valid && request.w == earlier.w)) $fatal(1, "memory64: W changed before it was taken");
      aw_waits <= request.aw_valid && !response.aw_ready;
      ar_waits <= request.ar_valid && !response.ar_ready;
      w_waits <= request.w_valid && !response.w_ready;
      earlier <= request;
    end
endmodule
