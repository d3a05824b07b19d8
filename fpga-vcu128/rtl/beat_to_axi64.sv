// SPDX-License-Identifier: Apache-2.0
//
// From the beat bus to a 64-bit AXI4 manager: one single-beat transfer for each 8-byte word of which a byte is written or
// wanted, from the lowest. Words that are not wanted read 0. An error of one word is the error of the beat.
module beat_to_axi64
  import board_types::*;
(
    input  logic                  clock,
    input  logic                  reset,
    input  beat_request_t         request,
    output beat_response_t        response,
    output logic [PADDR_BITS-1:0] addr,  // of AW and AR
    output logic                  awvalid,
    input  logic                  awready,
    output logic                  wvalid,
    input  logic                  wready,
    output logic [63:0]           wdata,
    output logic [7:0]            wstrb,
    input  logic                  bvalid,
    output logic                  bready,
    input  logic [1:0]            bresp,
    output logic                  arvalid,
    input  logic                  arready,
    input  logic                  rvalid,
    output logic                  rready,
    input  logic [63:0]           rdata,
    input  logic [1:0]            rresp
);
  // A read wants the bytes from its address to the end of the aligned block of its size.
  wire [5:0] block_bytes = 6'd1 << request.size;
  wire [4:0] block_first = request.addr[4:0] & ~5'(block_bytes - 1'b1);
  wire [31:0] block = 32'((33'd1 << block_bytes) - 1'b1) << block_first;
  wire [31:0] wanted = request.write ? request.strobes : block & (32'hffff_ffff << request.addr[4:0]);

  logic [3:0] finished, todo;  // words of this beat
  logic [1:0] word;
  logic failed, address_sent, data_sent;
  logic [255:0] data;
  always_comb begin
    for (int i = 0; i < 4; i++) todo[i] = |wanted[8*i+:8] && !finished[i];
    word = todo[0] ? 2'd0 : todo[1] ? 2'd1 : todo[2] ? 2'd2 : 2'd3;
  end
  wire busy = request.valid && |todo;

  assign addr = {request.addr[PADDR_BITS-1:5], word, 3'd0};
  assign wdata = request.data[64*word+:64];
  assign wstrb = wanted[8*word+:8];
  assign awvalid = busy && request.write && !address_sent;
  assign wvalid = busy && request.write && !data_sent;
  assign arvalid = busy && !request.write && !address_sent;
  assign bready = request.write && address_sent && data_sent;
  assign rready = !request.write && address_sent;
  wire word_done = (bvalid && bready) || (rvalid && rready);
  assign response = '{done: request.valid && !busy, error: failed, data: data};

  always_ff @(posedge clock) begin
    if (reset || !busy) begin
      {finished, failed, data, address_sent, data_sent} <= '0;
    end else begin
      address_sent <= !word_done && (address_sent || (awvalid && awready) || (arvalid && arready));
      data_sent <= !word_done && (data_sent || (wvalid && wready));
      if (word_done) begin
        finished[word] <= 1'b1;
        failed <= failed || (request.write ? bresp[1] : rresp[1]);
        data[64*word+:64] <= rdata;
      end
    end
  end
endmodule
