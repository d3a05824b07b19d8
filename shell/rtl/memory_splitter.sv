// SPDX-License-Identifier: Apache-2.0
//
// One AXI4 manager port to two memories: far memory by its address, everything else to local memory (which answers DECERR
// where nothing is). Adds no cycle. Responses are merged burst by burst, taking turns. W is routed in the order of AW, and does not wait for a memory
// to take its AW: that waits here.
// The manager must not use one ID for two requests in flight; a second one stops the simulation.
module memory_splitter
  import bus_types::*;
(
    input  logic             clock,
    input  logic             reset,
    input  memory_request_t  request,
    output memory_response_t response,
    output memory_request_t  local_request,
    input  memory_response_t local_response,
    output memory_request_t  far_request,
    input  memory_response_t far_response
);
  localparam logic [PADDR_BITS-1:0] FAR_BASE = PADDR_BITS'(nhg_platform::FAR_BASE), FAR_SIZE = PADDR_BITS'(nhg_platform::FAR_SIZE);

  // Requests
  logic order_ready, data_valid, data_far;
  wire ar_far = request.ar.addr - FAR_BASE < FAR_SIZE;
  wire aw_far = request.aw.addr - FAR_BASE < FAR_SIZE;
  logic aw_ready, aw_valid, aw_to_far;
  memory_address_t aw;
  bypass_register #(.WIDTH(1 + $bits(memory_address_t))) aw_buffer (
      .clock, .reset,
      .in_valid(request.aw_valid && order_ready), .in_ready(aw_ready), .in_data({aw_far, request.aw}),
      .out_valid(aw_valid), .out_ready(aw_to_far ? far_response.aw_ready : local_response.aw_ready), .out_data({aw_to_far, aw})
  );
  wire w_valid = request.w_valid && data_valid;
  bypass_fifo #(.WIDTH(1), .DEPTH(1024)) write_order (
      .clock, .reset,
      .in_valid(request.aw_valid && aw_ready), .in_ready(order_ready), .in_data(aw_far),
      .out_valid(data_valid), .out_ready(request.w_valid && response.w_ready && request.w.last), .out_data(data_far)
  );

  // Responses: the choice stands until the burst is through; then the other side is preferred.
  logic r_held, r_choice, r_prefer, r_far, b_held, b_choice, b_prefer, b_far;
  assign r_far = r_held ? r_choice : (r_prefer ? far_response.r_valid : local_response.r_valid) ? r_prefer : !r_prefer;
  assign b_far = b_held ? b_choice : (b_prefer ? far_response.b_valid : local_response.b_valid) ? b_prefer : !b_prefer;

  assign local_request = '{
      aw_valid: aw_valid && !aw_to_far, aw: aw, w_valid: w_valid && !data_far, w: request.w, b_ready: request.b_ready && !b_far,
      ar_valid: request.ar_valid && !ar_far, ar: request.ar, r_ready: request.r_ready && !r_far
  };
  assign far_request = '{
      aw_valid: aw_valid && aw_to_far, aw: aw, w_valid: w_valid && data_far, w: request.w, b_ready: request.b_ready && b_far,
      ar_valid: request.ar_valid && ar_far, ar: request.ar, r_ready: request.r_ready && r_far
  };
  assign response = '{
      aw_ready: aw_ready && order_ready,
      w_ready: data_valid && (data_far ? far_response.w_ready : local_response.w_ready),
      b_valid: b_far ? far_response.b_valid : local_response.b_valid,
      b: b_far ? far_response.b : local_response.b,
      ar_ready: ar_far ? far_response.ar_ready : local_response.ar_ready,
      r_valid: r_far ? far_response.r_valid : local_response.r_valid,
      r: r_far ? far_response.r : local_response.r
  };

  wire r_done = response.r_valid && request.r_ready && response.r.last;
  wire b_done = response.b_valid && request.b_ready;
  always_ff @(posedge clock) begin
    if (reset) begin
      {r_held, r_prefer, b_held, b_prefer} <= 4'b0101;
    end else begin
      r_held <= (r_held || response.r_valid) && !r_done;
      r_choice <= r_far;
      if (r_done) r_prefer <= !r_far;
      b_held <= (b_held || response.b_valid) && !b_done;
      b_choice <= b_far;
      if (b_done) b_prefer <= !b_far;
    end
  end
endmodule
