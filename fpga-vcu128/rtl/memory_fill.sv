// SPDX-License-Identifier: Apache-2.0
//
// Writes zeros to memory, because a program expects zero where its image has nothing and DRAM holds anything. AXI4
// manager, write channels only, bursts of 512 bytes, one beat a cycle, at most 16 bursts in flight with different IDs;
// responses are always taken. A start while `bytes_left` is not 0, or with base or bytes not a multiple of 512, is ignored.
module memory_fill
  import bus_types::*;
(
    input  logic             clock,
    input  logic             reset,
    input  logic             start,
    input  logic [35:0]      base,
    input  logic [35:0]      bytes,
    output logic [35:0]      bytes_left,  // not yet acknowledged by memory
    output memory_request_t  request,
    input  memory_response_t response
);
  localparam logic [35:0] BURST_BYTES = 36'd512;

  logic [35:0] to_send;  // bytes whose address has not been sent
  logic [15:0] in_flight;
  logic [8:0] beats;     // of bursts whose address has been sent

  logic [3:0] id;
  logic [35:0] addr;

  wire sent = request.aw_valid && response.aw_ready;
  assign request = '{
      aw_valid: to_send != 0 && !in_flight[id] && beats < 9'd256 - 9'd16,
      aw: '{id: MEMORY_ID_BITS'(id), addr: addr, len: 8'd15, size: 3'd5, burst: BURST_INCR},
      w_valid: beats != 0, w: '{data: '0, strb: '1, last: beats[3:0] == 4'd1}, b_ready: 1'b1,
      ar_valid: 1'b0, ar: '0, r_ready: 1'b1
  };

  always_ff @(posedge clock) begin
    if (reset) begin
      to_send <= '0;
      bytes_left <= '0;
      in_flight <= '0;
      beats <= '0;
      id <= '0;
    end else begin
      beats <= beats + (sent ? 9'd16 : 9'd0) - 9'(request.w_valid && response.w_ready);
      if (start && bytes_left == 0 && base[8:0] == 0 && bytes[8:0] == 0) begin
        to_send <= bytes;
        bytes_left <= bytes;
        addr <= base;
      end else begin
        if (sent) begin
          to_send <= to_send - BURST_BYTES;
          addr <= addr + BURST_BYTES;
          in_flight[id] <= 1'b1;
          id <= id + 1'b1;
        end
        if (response.b_valid) begin
          bytes_left <= bytes_left - BURST_BYTES;
          in_flight[response.b.id[3:0]] <= 1'b0;
        end
      end
    end
  end
endmodule
