// SPDX-License-Identifier: Apache-2.0
//
// AXI4 subordinate that turns every beat into one access on the beat bus, one at a time: made for loading images and
// reading registers, not for speed. INCR and FIXED bursts of any size; WRAP is answered SLVERR without an access.
// An access that errs makes its beat (read) or its burst (write) SLVERR.
//   DATA_BITS 64 or 256; the data lanes of a narrow port are repeated over the 256 bits
//   ADDR_BITS addresses beyond the SoC's physical address space err
module axi_to_beats
  import board_types::*;
#(
    parameter int DATA_BITS = 64,
    parameter int ADDR_BITS = 64,
    parameter int ID_BITS   = 1
) (
    input  logic                   clock,
    input  logic                   reset,
    input  logic                   awvalid,
    output logic                   awready,
    input  logic [ID_BITS-1:0]     awid,
    input  logic [ADDR_BITS-1:0]   awaddr,
    input  logic [7:0]             awlen,
    input  logic [2:0]             awsize,
    input  logic [1:0]             awburst,
    input  logic                   wvalid,
    output logic                   wready,
    input  logic [DATA_BITS-1:0]   wdata,
    input  logic [DATA_BITS/8-1:0] wstrb,
    output logic                   bvalid,
    input  logic                   bready,
    output logic [ID_BITS-1:0]     bid,
    output logic [1:0]             bresp,
    input  logic                   arvalid,
    output logic                   arready,
    input  logic [ID_BITS-1:0]     arid,
    input  logic [ADDR_BITS-1:0]   araddr,
    input  logic [7:0]             arlen,
    input  logic [2:0]             arsize,
    input  logic [1:0]             arburst,
    output logic                   rvalid,
    input  logic                   rready,
    output logic [ID_BITS-1:0]     rid,
    output logic [DATA_BITS-1:0]   rdata,
    output logic [1:0]             rresp,
    output logic                   rlast,
    output beat_request_t          request,
    input  beat_response_t         response
);
  localparam int LANES = 256 / DATA_BITS;
  localparam int LANE_BITS = $clog2(DATA_BITS / 8);

  typedef enum logic [2:0] {IDLE, WRITE_DATA, ACCESS, READ_DATA, ANSWER} state_t;
  state_t state;
  logic write, failed, prefer_read;
  logic [ID_BITS-1:0] id;
  logic [ADDR_BITS-1:0] addr;
  logic [7:0] beats_left;
  logic [2:0] size;
  logic [1:0] burst;
  logic [DATA_BITS-1:0] data;
  logic [DATA_BITS/8-1:0] strobes;

  wire take_read = state == IDLE && arvalid && (prefer_read || !awvalid);
  wire take_write = state == IDLE && awvalid && !take_read;
  assign arready = take_read;
  assign awready = take_write;
  assign wready = state == WRITE_DATA;
  assign bvalid = state == ANSWER;
  assign bid = id;
  assign bresp = failed ? RESP_SLVERR : RESP_OKAY;
  assign rvalid = state == READ_DATA;
  assign rid = id;
  assign rdata = data;
  assign rresp = failed ? RESP_SLVERR : RESP_OKAY;
  assign rlast = beats_left == 0;

  // The data and strobes of a narrow port stand on the lanes that the address selects.
  wire [$clog2(LANES+1)-1:0] lane = LANES == 1 ? '0 : ($clog2(LANES + 1))'((addr >> LANE_BITS) % ADDR_BITS'(LANES));
  wire legal = burst != BURST_WRAP && (addr >> PADDR_BITS) == 0;
  wire [31:0] all_strobes = 32'(strobes) << (lane * (DATA_BITS / 8));
  assign request = '{
      valid: state == ACCESS && legal,
      write: write,
      addr: addr[PADDR_BITS-1:0],
      size: size,
      data: {LANES{data}},
      strobes: all_strobes
  };
  wire done = state == ACCESS && (response.done || !legal);
  wire error = !legal || response.error;

  always_ff @(posedge clock) begin
    if (reset) begin
      state <= IDLE;
      prefer_read <= 1'b0;
    end else begin
      case (state)
        IDLE:
        if (take_read || take_write) begin
          state <= take_read ? ACCESS : WRITE_DATA;
          write <= take_write;
          prefer_read <= take_write;
          failed <= 1'b0;
          id <= take_read ? arid : awid;
          addr <= take_read ? araddr : awaddr;
          beats_left <= take_read ? arlen : awlen;
          size <= take_read ? arsize : awsize;
          burst <= take_read ? arburst : awburst;
        end
        WRITE_DATA:
        if (wvalid) begin
          data <= wdata;
          strobes <= wstrb;
          state <= ACCESS;
        end
        ACCESS:
        if (done) begin
          failed <= error || (write && failed);
          if (!write) data <= response.data[DATA_BITS*lane+:DATA_BITS];
          state <= !write ? READ_DATA : beats_left == 0 ? ANSWER : WRITE_DATA;
          if (write) beats_left <= beats_left - 1'b1;
          if (write && burst == BURST_INCR) addr <= ((addr >> size) + 1'b1) << size;
        end
        READ_DATA:
        if (rready) begin
          state <= beats_left == 0 ? IDLE : ACCESS;
          beats_left <= beats_left - 1'b1;
          if (burst == BURST_INCR) addr <= ((addr >> size) + 1'b1) << size;
        end
        default: if (bready) state <= IDLE;
      endcase
    end
  end
endmodule
