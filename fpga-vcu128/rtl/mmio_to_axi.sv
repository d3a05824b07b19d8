// SPDX-License-Identifier: Apache-2.0
//
// NH-G's device port to a 64-bit AXI4 manager: one single-beat transfer at a time.
module mmio_to_axi
  import bus_types::*;
(
    input  logic           clock,
    input  logic           reset,
    input  mmio_request_t  mmio_request,
    output mmio_response_t mmio_response,
    output io_request_t    request,
    input  io_response_t   response
);
  logic busy, address_sent, data_sent;
  mmio_request_t held;

  io_address_t address;
  assign address = '{id: '0, addr: held.addr, len: '0, size: {1'b0, held.size}, burst: BURST_INCR};
  assign request = '{
      aw_valid: busy && held.write && !address_sent, aw: address,
      w_valid: busy && held.write && !data_sent, w: '{data: held.data, strb: held.mask, last: 1'b1}, b_ready: busy && held.write,
      ar_valid: busy && !held.write && !address_sent, ar: address, r_ready: busy && !held.write
  };
  assign mmio_response = '{
      ready: !busy,
      valid: (response.b_valid && request.b_ready) || (response.r_valid && request.r_ready),
      data: response.r.data,
      error: held.write ? response.b.resp[1] : response.r.resp[1]
  };

  always_ff @(posedge clock) begin
    if (reset) begin
      busy <= 1'b0;
    end else if (!busy) begin
      busy <= mmio_request.valid;
      {address_sent, data_sent} <= '0;
      held <= mmio_request;
    end else begin
      busy <= !mmio_response.valid;
      address_sent <= address_sent || (request.aw_valid && response.aw_ready) || (request.ar_valid && response.ar_ready);
      data_sent <= data_sent || (request.w_valid && response.w_ready);
    end
  end
endmodule
