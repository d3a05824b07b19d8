// SPDX-License-Identifier: Apache-2.0
//
// AXI4 protocol checker for simulation; watches one port and stops the simulation at the first violation:
//   manager      AW/W/AR stay until taken; bursts do not cross 4 KiB, size fits the bus; wlast on the last beat
//   subordinate  R/B stay until taken; only for requests in flight, per ID in order; B after AW and last W; rlast right
//   UNIQUE_IDS   1: also a violation: a second request of one ID in flight (reads and writes apart)
module axi4_checker #(
    parameter int ID_BITS    = 10,
    parameter int ADDR_BITS  = 36,
    parameter int DATA_BITS  = 256,
    parameter bit UNIQUE_IDS = 0
) (
    input logic                   clock,
    input logic                   reset,
    input logic                   awvalid,
    input logic                   awready,
    input logic [ID_BITS-1:0]     awid,
    input logic [ADDR_BITS-1:0]   awaddr,
    input logic [7:0]             awlen,
    input logic [2:0]             awsize,
    input logic [1:0]             awburst,
    input logic                   wvalid,
    input logic                   wready,
    input logic [DATA_BITS-1:0]   wdata,
    input logic [DATA_BITS/8-1:0] wstrb,
    input logic                   wlast,
    input logic                   bvalid,
    input logic                   bready,
    input logic [ID_BITS-1:0]     bid,
    input logic [1:0]             bresp,
    input logic                   arvalid,
    input logic                   arready,
    input logic [ID_BITS-1:0]     arid,
    input logic [ADDR_BITS-1:0]   araddr,
    input logic [7:0]             arlen,
    input logic [2:0]             arsize,
    input logic [1:0]             arburst,
    input logic                   rvalid,
    input logic                   rready,
    input logic [ID_BITS-1:0]     rid,
    input logic [DATA_BITS-1:0]   rdata,
    input logic [1:0]             rresp,
    input logic                   rlast
);
  localparam int IDS = 1 << ID_BITS;
  localparam logic [2:0] MAX_SIZE = 3'($clog2(DATA_BITS / 8));

  // A valid that was not taken must come again with the same payload.
  logic aw_waited, w_waited, b_waited, ar_waited, r_waited;
  logic [ID_BITS+ADDR_BITS+12:0] aw_payload, ar_payload;
  logic [DATA_BITS+DATA_BITS/8:0] w_payload;
  logic [ID_BITS+1:0] b_payload;
  logic [ID_BITS+DATA_BITS+2:0] r_payload;

  always_ff @(posedge clock) begin
    aw_waited <= awvalid && !awready && !reset;
    w_waited <= wvalid && !wready && !reset;
    b_waited <= bvalid && !bready && !reset;
    ar_waited <= arvalid && !arready && !reset;
    r_waited <= rvalid && !rready && !reset;
    if (awvalid) aw_payload <= {awid, awaddr, awlen, awsize, awburst};
    if (wvalid) w_payload <= {wdata, wstrb, wlast};
    if (bvalid) b_payload <= {bid, bresp};
    if (arvalid) ar_payload <= {arid, araddr, arlen, arsize, arburst};
    if (rvalid) r_payload <= {rid, rdata, rresp, rlast};
    if (!reset) begin
      assert (!aw_waited || (awvalid && aw_payload == {awid, awaddr, awlen, awsize, awburst}))
        else $fatal(1, "axi4_checker %m: AW changed before it was taken");
      assert (!w_waited || (wvalid && w_payload == {wdata, wstrb, wlast}))
        else $fatal(1, "axi4_checker %m: W changed before it was taken");
      assert (!b_waited || (bvalid && b_payload == {bid, bresp}))
        else $fatal(1, "axi4_checker %m: B changed before it was taken");
      assert (!ar_waited || (arvalid && ar_payload == {arid, araddr, arlen, arsize, arburst}))
        else $fatal(1, "axi4_checker %m: AR changed before it was taken");
      assert (!r_waited || (rvalid && r_payload == {rid, rdata, rresp, rlast}))
        else $fatal(1, "axi4_checker %m: R changed before it was taken");
    end
  end

  function automatic logic legal(input logic [11:0] addr, input logic [7:0] len, input logic [2:0] size,
                                 input logic [1:0] burst);
    int first, bytes;
    first = (int'(addr) >> size) << size;
    bytes = (int'(len) + 1) << size;
    case (burst)
      2'b00: return size <= MAX_SIZE && len < 16;
      2'b01: return size <= MAX_SIZE && first + bytes <= 4096;
      2'b10: return size <= MAX_SIZE && (len == 1 || len == 3 || len == 7 || len == 15) && first == int'(addr);
      default: return 0;
    endcase
  endfunction

  // Requests and answers
  logic [7:0] read_lens[IDS][$];
  int read_beat[IDS];
  logic [7:0] write_lens[$];  // AW seen, data not complete
  int write_beats[$];  // data complete, AW not seen
  logic [ID_BITS-1:0] write_ids[$];  // AW seen, data not complete
  int answerable[IDS];  // writes with address and data, without B
  int writes_of[IDS];  // writes with address, without B
  int beat;

  always_ff @(posedge clock) begin
    if (reset) begin
      for (int i = 0; i < IDS; i++) begin
        read_lens[i].delete();
        read_beat[i] = 0;
        answerable[i] = 0;
        writes_of[i] = 0;
      end
      write_lens.delete();
      write_beats.delete();
      write_ids.delete();
      beat = 0;
    end else begin
      if (rvalid && rready) begin
        assert (read_lens[rid].size() != 0) else $fatal(1, "axi4_checker %m: R for ID %0d, which has no read", rid);
        assert (rlast == (read_beat[rid] == int'(read_lens[rid][0])))
          else $fatal(1, "axi4_checker %m: rlast wrong in beat %0d of ID %0d", read_beat[rid], rid);
        read_beat[rid]++;
        if (rlast) begin
          void'(read_lens[rid].pop_front());
          read_beat[rid] = 0;
        end
      end
      if (bvalid && bready) begin
        assert (answerable[bid] != 0) else $fatal(1, "axi4_checker %m: B for ID %0d, which has no complete write", bid);
        answerable[bid]--;
        writes_of[bid]--;
      end
      if (arvalid && arready) begin
        assert (legal(araddr[11:0], arlen, arsize, arburst))
          else $fatal(1, "axi4_checker %m: illegal read burst addr=%h len=%0d size=%0d", araddr, arlen, arsize);
        assert (!UNIQUE_IDS || read_lens[arid].size() == 0)
          else $fatal(1, "axi4_checker %m: read ID %0d is in flight already", arid);
        read_lens[arid].push_back(arlen);
      end
      if (awvalid && awready) begin
        assert (legal(awaddr[11:0], awlen, awsize, awburst))
          else $fatal(1, "axi4_checker %m: illegal write burst addr=%h len=%0d size=%0d", awaddr, awlen, awsize);
        assert (!UNIQUE_IDS || writes_of[awid] == 0)
          else $fatal(1, "axi4_checker %m: write ID %0d is in flight already", awid);
        writes_of[awid]++;
        write_lens.push_back(awlen);
        write_ids.push_back(awid);
      end
      if (wvalid && wready) begin
        beat++;
        if (wlast) begin
          write_beats.push_back(beat);
          beat = 0;
        end
      end
      if (write_beats.size() != 0 && write_lens.size() != 0) begin
        assert (write_beats[0] == int'(write_lens[0]) + 1)
          else $fatal(1, "axi4_checker %m: %0d data beats for a write of %0d", write_beats[0], int'(write_lens[0]) + 1);
        answerable[write_ids[0]]++;
        void'(write_beats.pop_front());
        void'(write_lens.pop_front());
        void'(write_ids.pop_front());
      end
    end
  end
endmodule
