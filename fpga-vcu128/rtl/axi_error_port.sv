// SPDX-License-Identifier: Apache-2.0
//
// AXI4 subordinate without anything behind it: every burst is answered SLVERR, one read and one write at a time.
module axi_error_port
  import bus_types::*;
(
    input  logic             clock,
    input  logic             reset,
    input  memory_request_t  request,
    output memory_response_t response
);
  logic data_due, write_valid, read_valid;
  logic [MEMORY_ID_BITS-1:0] write_id, read_id;
  logic [7:0] beats_left;

  wire read_last = beats_left == 0;
  wire aw_taken = request.aw_valid && response.aw_ready;
  wire ar_taken = request.ar_valid && response.ar_ready;
  wire data_ends = request.w_valid && request.w.last;
  assign response = '{
      aw_ready: !data_due && !write_valid, w_ready: data_due,
      b_valid: write_valid, b: '{id: write_id, resp: RESP_SLVERR},
      ar_ready: !read_valid, r_valid: read_valid,
      r: '{id: read_id, data: '0, resp: RESP_SLVERR, last: read_last}
  };

  always_ff @(posedge clock) begin
    if (reset) begin
      {data_due, write_valid, read_valid} <= '0;
    end else begin
      data_due <= aw_taken || (data_due && !data_ends);
      write_valid <= (data_due && data_ends) || (write_valid && !request.b_ready);
      read_valid <= ar_taken || (read_valid && !(request.r_ready && read_last));
    end
    if (aw_taken) write_id <= request.aw.id;
    if (ar_taken) begin
      read_id <= request.ar.id;
      beats_left <= request.ar.len;
    end else if (read_valid && request.r_ready) beats_left <= beats_left - 1'b1;
  end
endmodule
