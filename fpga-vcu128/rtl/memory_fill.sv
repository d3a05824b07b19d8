// SPDX-License-Identifier: Apache-2.0
//
// Writes zeros to memory, because a program expects zero where its image has nothing and DRAM holds anything. AXI4
// manager, write channels only, bursts of 512 bytes, one beat a cycle, at most 16 bursts in flight with different IDs;
// responses are always taken. A start while `bytes_left` is not 0, or with base or bytes not a multiple of 512, is ignored.
module memory_fill (
    input  logic         clock,
    input  logic         reset,
    input  logic         start,
    input  logic [35:0]  base,
    input  logic [35:0]  bytes,
    output logic [35:0]  bytes_left,  // not yet acknowledged by memory
    output logic         awvalid,
    input  logic         awready,
    output logic [3:0]   awid,
    output logic [35:0]  awaddr,
    output logic [7:0]   awlen,
    output logic [2:0]   awsize,
    output logic         wvalid,
    input  logic         wready,
    output logic [255:0] wdata,
    output logic [31:0]  wstrb,
    output logic         wlast,
    input  logic         bvalid,
    input  logic [3:0]   bid
);
  localparam logic [35:0] BURST_BYTES = 36'd512;

  logic [35:0] to_send;  // bytes whose address has not been sent
  logic [15:0] in_flight;
  logic [8:0] beats;     // of bursts whose address has been sent

  wire sent = awvalid && awready;

  assign awvalid = to_send != 0 && !in_flight[awid] && beats < 9'd256 - 9'd16;
  assign awlen = 8'd15;
  assign awsize = 3'd5;
  assign wvalid = beats != 0;
  assign wdata = '0;
  assign wstrb = '1;
  assign wlast = beats[3:0] == 4'd1;

  always_ff @(posedge clock) begin
    if (reset) begin
      to_send <= '0;
      bytes_left <= '0;
      in_flight <= '0;
      beats <= '0;
      awid <= '0;
    end else begin
      beats <= beats + (sent ? 9'd16 : 9'd0) - 9'(wvalid && wready);
      if (start && bytes_left == 0 && base[8:0] == 0 && bytes[8:0] == 0) begin
        to_send <= bytes;
        bytes_left <= bytes;
        awaddr <= base;
      end else begin
        if (sent) begin
          to_send <= to_send - BURST_BYTES;
          awaddr <= awaddr + BURST_BYTES;
          in_flight[awid] <= 1'b1;
          awid <= awid + 1'b1;
        end
        if (bvalid) begin
          bytes_left <= bytes_left - BURST_BYTES;
          in_flight[bid] <= 1'b0;
        end
      end
    end
  end
endmodule
