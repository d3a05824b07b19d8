// SPDX-License-Identifier: Apache-2.0
//
// One 32-bit register access at a time to the AXI4-Lite port of the UART.
module uart_bridge
  import bus_types::*;
  import board_types::*;
(
    input  logic           clock,
    input  logic           reset,
    input  uart_request_t  request,
    output uart_response_t response,
    output lite_request_t  lite_request,
    input  lite_response_t lite_response
);
  logic address_sent, data_sent;

  assign lite_request = '{
      aw_valid: request.valid && request.write && !address_sent, w_valid: request.valid && request.write && !data_sent,
      b_ready: request.write && address_sent && data_sent,
      ar_valid: request.valid && !request.write && !address_sent, r_ready: !request.write && address_sent,
      addr: request.addr, data: request.data, strb: request.strb
  };
  assign response = '{
      ready: (lite_response.b_valid && lite_request.b_ready) || (lite_response.r_valid && lite_request.r_ready),
      data: lite_response.data,
      error: request.write ? lite_response.b_resp[1] : lite_response.r_resp[1]
  };

  wire address_taken = (lite_request.aw_valid && lite_response.aw_ready) || (lite_request.ar_valid && lite_response.ar_ready);
  always_ff @(posedge clock) begin
    if (reset || response.ready) begin
      {address_sent, data_sent} <= '0;
    end else begin
      address_sent <= address_sent || address_taken;
      data_sent <= data_sent || (lite_request.w_valid && lite_response.w_ready);
    end
  end
endmodule
