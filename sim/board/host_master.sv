// SPDX-License-Identifier: Apache-2.0
//
// Stands for the host's end of JTAG-to-AXI or PCIe: AXI4 manager, 64-bit, one transaction at a time, as the host program
// asks for them through host_dpi.
module host_master
  import host_dpi::*;
(
    input  logic        clock,
    input  logic        reset,
    output logic        awvalid,
    input  logic        awready,
    output logic        wvalid,
    input  logic        wready,
    output logic [63:0] wdata,
    output logic        wlast,
    input  logic        bvalid,
    output logic        bready,
    input  logic [1:0]  bresp,
    output logic        arvalid,
    input  logic        arready,
    output logic [35:0] addr,  // of both directions
    output logic [7:0]  len,
    input  logic        rvalid,
    output logic        rready,
    input  logic [63:0] rdata,
    input  logic [1:0]  rresp,
    input  logic        rlast
);
  typedef enum logic [2:0] {IDLE, WRITE, RESPONSE, READ, DATA} state_t;
  state_t state;
  logic [7:0] beat;

  assign wlast = beat == len;
  assign bready = state == RESPONSE;
  assign rready = state == DATA;

  longint unsigned next_addr;
  int unsigned next_beats;
  int kind;
  always_ff @(posedge clock) begin
    if (reset) begin
      state <= IDLE;
      {awvalid, wvalid, arvalid} <= '0;
    end else begin
      case (state)
        IDLE: begin
          kind = nhg_host_next(next_addr, next_beats);
          if (kind != 0) begin
            addr <= next_addr[35:0];
            len <= 8'(next_beats - 1);
            beat <= '0;
            if (kind == 1) begin
              arvalid <= 1'b1;
              state <= READ;
            end else begin
              awvalid <= 1'b1;
              wvalid <= 1'b1;
              wdata <= nhg_host_word();
              state <= WRITE;
            end
          end
        end
        WRITE: begin
          if (awready) awvalid <= 1'b0;
          if (wvalid && wready) begin
            beat <= beat + 1'b1;
            wvalid <= !wlast;
            if (!wlast) wdata <= nhg_host_word();
          end
          if ((!awvalid || awready) && (!wvalid || (wready && wlast))) state <= RESPONSE;
        end
        RESPONSE:
          if (bvalid) begin
            nhg_host_done(32'(bresp));
            state <= IDLE;
          end
        READ:
          if (arready) begin
            arvalid <= 1'b0;
            state <= DATA;
          end
        default:
          if (rvalid) begin
            nhg_host_read(rdata, 32'(rresp));
            if (rlast) begin
              nhg_host_done(0);
              state <= IDLE;
            end
          end
      endcase
    end
  end
endmodule
