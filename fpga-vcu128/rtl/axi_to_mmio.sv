// SPDX-License-Identifier: Apache-2.0
//
// The SoC's 64-bit AXI4 port for devices to the request and response of a device port, one beat at a time. INCR and FIXED
// bursts. A write that errs makes its burst SLVERR, a read its beat.
module axi_to_mmio #(
    parameter int ADDR_BITS = 36,
    parameter int ID_BITS   = 2
) (
    input  logic                 clock,
    input  logic                 reset,
    input  logic                 awvalid,
    output logic                 awready,
    input  logic [ID_BITS-1:0]   awid,
    input  logic [ADDR_BITS-1:0] awaddr,
    input  logic [7:0]           awlen,
    input  logic [2:0]           awsize,
    input  logic [1:0]           awburst,
    input  logic                 wvalid,
    output logic                 wready,
    input  logic [63:0]          wdata,
    input  logic [7:0]           wstrb,
    output logic                 bvalid,
    input  logic                 bready,
    output logic [ID_BITS-1:0]   bid,
    output logic [1:0]           bresp,
    input  logic                 arvalid,
    output logic                 arready,
    input  logic [ID_BITS-1:0]   arid,
    input  logic [ADDR_BITS-1:0] araddr,
    input  logic [7:0]           arlen,
    input  logic [2:0]           arsize,
    input  logic [1:0]           arburst,
    output logic                 rvalid,
    input  logic                 rready,
    output logic [ID_BITS-1:0]   rid,
    output logic [63:0]          rdata,
    output logic [1:0]           rresp,
    output logic                 rlast,
    output logic                 req_valid,
    input  logic                 req_ready,
    output logic [ADDR_BITS-1:0] req_addr,
    output logic                 req_write,
    output logic [1:0]           req_size,
    output logic [63:0]          req_data,
    output logic [7:0]           req_mask,
    input  logic                 resp_valid,
    input  logic [63:0]          resp_data,
    input  logic                 resp_error
);
  typedef enum logic [2:0] {IDLE, WRITE_DATA, REQUEST, RESPONSE, READ_DATA, ANSWER} state_t;
  state_t state;
  logic failed, fixed;
  logic [ID_BITS-1:0] id;
  logic [7:0] beats_left;
  logic [2:0] size;

  wire take_write = state == IDLE && awvalid;
  wire take_read = state == IDLE && arvalid && !awvalid;
  assign awready = take_write;
  assign arready = take_read;
  assign wready = state == WRITE_DATA;
  assign req_valid = state == REQUEST;
  assign req_size = size[1:0];
  assign bvalid = state == ANSWER;
  assign rvalid = state == READ_DATA;
  assign bid = id;
  assign rid = id;
  assign bresp = {failed, 1'b0};
  assign rresp = {failed, 1'b0};
  assign rlast = beats_left == 0;

  always_ff @(posedge clock) begin
    if (reset) begin
      state <= IDLE;
    end else begin
      case (state)
        IDLE:
        if (take_write || take_read) begin
          state <= take_write ? WRITE_DATA : REQUEST;
          failed <= 1'b0;
          req_write <= take_write;
          req_addr <= take_write ? awaddr : araddr;
          req_mask <= '0;
          id <= take_write ? awid : arid;
          beats_left <= take_write ? awlen : arlen;
          size <= take_write ? awsize : arsize;
          fixed <= (take_write ? awburst : arburst) == 2'b00;
        end
        WRITE_DATA:
        if (wvalid) begin
          state <= REQUEST;
          req_data <= wdata;
          req_mask <= wstrb;
        end
        REQUEST: if (req_ready) state <= RESPONSE;
        RESPONSE:
        if (resp_valid) begin
          failed <= resp_error || (req_write && failed);
          rdata <= resp_data;
          state <= !req_write ? READ_DATA : beats_left == 0 ? ANSWER : WRITE_DATA;
          if (req_write) begin
            beats_left <= beats_left - 1'b1;
            if (!fixed) req_addr <= ((req_addr >> size) + 1'b1) << size;
          end
        end
        READ_DATA:
        if (rready) begin
          state <= beats_left == 0 ? IDLE : REQUEST;
          beats_left <= beats_left - 1'b1;
          if (!fixed) req_addr <= ((req_addr >> size) + 1'b1) << size;
        end
        default: if (bready) state <= IDLE;
      endcase
    end
  end
endmodule
