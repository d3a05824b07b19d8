// SPDX-License-Identifier: Apache-2.0
//
// Stands for the host's end of a link: AXI4 manager, one burst at a time, as the host program asks for them (host_dpi).
//   LINK   0 JTAG-to-AXI, 1 PCIe DMA
//   WORDS  64-bit words in a beat, 1 or 4. A wide beat is written with strobes and read whole, as the DMA engine does.
module host_master
  import host_dpi::*;
#(
    parameter int LINK  = 0,
    parameter int WORDS = 1
) (
    input  logic                  clock,
    input  logic                  reset,
    output logic                  awvalid,
    input  logic                  awready,
    output logic                  wvalid,
    input  logic                  wready,
    output logic [WORDS-1:0][63:0] wdata,
    output logic [WORDS-1:0][7:0] wstrb,
    output logic                  wlast,
    input  logic                  bvalid,
    output logic                  bready,
    input  logic [1:0]            bresp,
    output logic                  arvalid,
    input  logic                  arready,
    output logic [63:0]           addr,  // of both directions
    output logic [7:0]            len,
    output logic [2:0]            size,
    input  logic                  rvalid,
    output logic                  rready,
    input  logic [WORDS-1:0][63:0] rdata,
    input  logic [1:0]            rresp,
    input  logic                  rlast
);
  typedef enum logic [2:0] {IDLE, WRITE, RESPONSE, READ, DATA} state_t;
  state_t state;
  logic [7:0] beats_left;
  int unsigned lane, words_left;  // of the next beat

  assign wlast = beats_left == 0;
  assign bready = state == RESPONSE;
  assign rready = state == DATA;
  assign size = 3'($clog2(8 * WORDS));

  task automatic put_beat(input int unsigned first_lane, input int unsigned words);
    for (int unsigned i = 0; i < WORDS; i++) begin
      wstrb[i] <= i >= first_lane && i < first_lane + words ? '1 : '0;
      wdata[i] <= i >= first_lane && i < first_lane + words ? nhg_host_word() : '0;
    end
    lane <= 0;
    words_left <= words > WORDS - first_lane ? words - (WORDS - first_lane) : 0;
  endtask

  longint unsigned next_addr;
  int unsigned next_words, next_lane;
  int kind;
  always_ff @(posedge clock) begin
    if (reset) begin
      state <= IDLE;
      {awvalid, wvalid, arvalid} <= '0;
    end else begin
      case (state)
        IDLE: begin
          kind = nhg_host_next(LINK, next_addr, next_words);
          if (kind != 0) begin
            next_lane = 32'(next_addr / 8) % WORDS;
            addr <= next_addr - 64'(8 * next_lane);
            len <= 8'((next_lane + next_words + WORDS - 1) / WORDS - 1);
            beats_left <= 8'((next_lane + next_words + WORDS - 1) / WORDS - 1);
            lane <= next_lane;
            words_left <= next_words;
            if (kind == 1) begin
              arvalid <= 1'b1;
              state <= READ;
            end else begin
              awvalid <= 1'b1;
              wvalid <= 1'b1;
              put_beat(next_lane, next_words);
              state <= WRITE;
            end
          end
        end
        WRITE: begin
          if (awready) awvalid <= 1'b0;
          if (wvalid && wready) begin
            beats_left <= beats_left - 1'b1;
            wvalid <= !wlast;
            if (!wlast) put_beat(lane, words_left);
          end
          if ((!awvalid || awready) && (!wvalid || (wready && wlast))) state <= RESPONSE;
        end
        RESPONSE:
          if (bvalid) begin
            nhg_host_response(32'(bresp), 1);
            state <= IDLE;
          end
        READ:
          if (arready) begin
            arvalid <= 1'b0;
            state <= DATA;
          end
        default:
          if (rvalid) begin
            for (int unsigned i = 0; i < WORDS; i++) if (i >= lane && i < lane + words_left) nhg_host_read(rdata[i]);
            lane <= 0;
            words_left <= words_left > WORDS - lane ? words_left - (WORDS - lane) : 0;
            nhg_host_response(32'(rresp), 32'(rlast));
            if (rlast) state <= IDLE;
          end
      endcase
    end
  end
endmodule
