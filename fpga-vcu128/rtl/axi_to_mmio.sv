// SPDX-License-Identifier: Apache-2.0
//
// The SoC's 64-bit AXI4 port for devices to the request and response of a device port, one beat at a time. INCR and FIXED
// bursts. A write that errs makes its burst SLVERR, a read its beat.
module axi_to_mmio
  import bus_types::*;
(
    input  logic           clock,
    input  logic           reset,
    input  io_request_t    request,
    output io_response_t   response,
    output mmio_request_t  mmio_request,
    input  mmio_response_t mmio_response
);
  typedef enum logic [2:0] {IDLE, WRITE_DATA, REQUEST, RESPONSE, READ_DATA, ANSWER} state_t;
  state_t state;
  logic failed, write;
  io_address_t burst;  // the address is that of the next beat, the length what is left
  io_write_t written;
  logic [63:0] read;

  wire take_write = state == IDLE && request.aw_valid;
  wire take_read = state == IDLE && request.ar_valid && !request.aw_valid;
  wire [1:0] resp = failed ? RESP_SLVERR : RESP_OKAY;
  wire last = burst.len == 0;
  wire [PADDR_BITS-1:0] next_addr = burst.burst == BURST_FIXED ? burst.addr : ((burst.addr >> burst.size) + 1'b1) << burst.size;
  assign response = '{
      aw_ready: take_write, w_ready: state == WRITE_DATA, b_valid: state == ANSWER, b: '{id: burst.id, resp: resp},
      ar_ready: take_read, r_valid: state == READ_DATA, r: '{id: burst.id, data: read, resp: resp, last: last}
  };
  assign mmio_request = '{
      valid: state == REQUEST, addr: burst.addr, write: write, size: burst.size[1:0], data: written.data, mask: written.strb
  };

  always_ff @(posedge clock) begin
    if (reset) begin
      state <= IDLE;
    end else begin
      case (state)
        IDLE:
        if (take_write || take_read) begin
          state <= take_write ? WRITE_DATA : REQUEST;
          failed <= 1'b0;
          write <= take_write;
          burst <= take_write ? request.aw : request.ar;
          written.strb <= '0;
        end
        WRITE_DATA:
        if (request.w_valid) begin
          state <= REQUEST;
          written <= request.w;
        end
        REQUEST: if (mmio_response.ready) state <= RESPONSE;
        RESPONSE:
        if (mmio_response.valid) begin
          failed <= mmio_response.error || (write && failed);
          read <= mmio_response.data;
          state <= !write ? READ_DATA : last ? ANSWER : WRITE_DATA;
          if (write) {burst.len, burst.addr} <= {burst.len - 1'b1, next_addr};
        end
        READ_DATA:
        if (request.r_ready) begin
          state <= last ? IDLE : REQUEST;
          {burst.len, burst.addr} <= {burst.len - 1'b1, next_addr};
        end
        default: if (request.b_ready) state <= IDLE;
      endcase
    end
  end
endmodule
