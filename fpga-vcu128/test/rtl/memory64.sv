// SPDX-License-Identifier: Apache-2.0
//
// AXI4 memory of the benches: 64-bit, one burst at a time, every handshake after a random time; words that were never written
// read as a hash of their address. Words with `poison` in their address bits 11:8 answer SLVERR and are not written.
// Checks that an offered address, or word, stands until it is taken, and that bursts have as many beats as announced.
module memory64 #(
    parameter logic [3:0] POISON = 4'hd
) (
    input  logic        clock,
    input  logic        reset,
    input  int          busy,  // how often in 256 it is willing
    input  logic        awvalid,
    output logic        awready,
    input  logic [35:0] awaddr,
    input  logic [7:0]  awlen,
    input  logic        wvalid,
    output logic        wready,
    input  logic [63:0] wdata,
    input  logic [7:0]  wstrb,
    input  logic        wlast,
    output logic        bvalid,
    input  logic        bready,
    output logic [1:0]  bresp,
    input  logic        arvalid,
    output logic        arready,
    input  logic [35:0] araddr,
    input  logic [7:0]  arlen,
    output logic        rvalid,
    input  logic        rready,
    output logic [63:0] rdata,
    output logic [1:0]  rresp,
    output logic        rlast
);
  logic [63:0] words[logic [32:0]];
  int words_read = 0, words_written = 0;

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
  assign awready = willing_aw && !have_aw && !have_b;
  assign wready = willing_w && have_aw;
  assign bvalid = have_b && willing_b;
  assign bresp = {error, 1'b0};
  assign arready = willing_ar && !have_ar;
  assign rvalid = have_ar && willing_r;
  assign rdata = is_poison(read_addr) ? 64'hdead_dead_dead_dead : peek(read_addr);
  assign rresp = {is_poison(read_addr), 1'b0};
  assign rlast = read_left == 0;
  always @(posedge clock) begin
    willing_aw <= int'($urandom_range(255)) < busy;
    willing_w <= int'($urandom_range(255)) < busy;
    willing_ar <= int'($urandom_range(255)) < busy;
    if (!bvalid || bready) willing_b <= int'($urandom_range(255)) < busy;
    if (!rvalid || rready) willing_r <= int'($urandom_range(255)) < busy;
    if (!reset) begin
      if (awvalid && awready) {have_aw, error, write_addr, write_left} <= {1'b1, 1'b0, awaddr, awlen};
      if (wvalid && wready) begin
        if (wlast != (write_left == 0)) $fatal(1, "memory64: wlast with %0d beats left", write_left);
        if (is_poison(write_addr)) error <= 1;
        else poke(write_addr, wdata, wstrb);
        words_written <= words_written + 1;
        write_addr <= write_addr + 8;
        write_left <= write_left - 1;
        if (wlast) {have_aw, have_b} <= 2'b01;
      end
      if (bvalid && bready) have_b <= 0;
      if (arvalid && arready) {have_ar, read_addr, read_left} <= {1'b1, araddr, arlen};
      if (rvalid && rready) begin
        words_read <= words_read + 1;
        read_addr <= read_addr + 8;
        read_left <= read_left - 1;
        if (rlast) have_ar <= 0;
      end
    end
  end

  logic aw_waits = 0, ar_waits = 0, w_waits = 0;
  logic [43:0] aw_before, ar_before;
  logic [72:0] w_before;
  always @(posedge clock)
    if (!reset) begin
      if (aw_waits && !(awvalid && {awaddr, awlen} == aw_before)) $fatal(1, "memory64: AW changed before it was taken");
      if (ar_waits && !(arvalid && {araddr, arlen} == ar_before)) $fatal(1, "memory64: AR changed before it was taken");
      if (w_waits && !(wvalid && {wdata, wstrb, wlast} == w_before)) $fatal(1, "memory64: W changed before it was taken");
      {aw_waits, ar_waits, w_waits} <= {awvalid && !awready, arvalid && !arready, wvalid && !wready};
      {aw_before, ar_before, w_before} <= {awaddr, awlen, araddr, arlen, wdata, wstrb, wlast};
    end
endmodule
