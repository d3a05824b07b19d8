// SPDX-License-Identifier: Apache-2.0
//
// Random bursts for the 256-bit DMA port of the SoC's boundary, a write and a read at a time: every burst is answered RESP with its
// ID, a read in as many beats as it asked for, and nothing is answered that was not asked for. With RESP = OKAY reads return what was
// written: each round writes one half of 2 KiB and reads the other. `done` after ROUNDS bursts each way.
module dma_driver #(
    parameter int         ROUNDS = 200,
    parameter logic [1:0] RESP   = 2'b00
) (
    input  logic         clock, reset,
    output logic         awvalid, wvalid, wlast, bready, arvalid, rready,
    input  logic         awready, wready, bvalid, arready, rvalid, rlast,
    output logic [13:0]  awid, arid,
    output logic [35:0]  awaddr, araddr,
    output logic [7:0]   awlen, arlen,
    output logic [2:0]   awsize, arsize,
    output logic [1:0]   awburst, arburst,
    output logic [255:0] wdata,
    output logic [31:0]  wstrb,
    input  logic [13:0]  bid, rid,
    input  logic [1:0]   bresp, rresp,
    input  logic [255:0] rdata,
    output bit           done
);
  localparam int HALF = 32;  // beats
  logic [35:0] base;
  logic [255:0] expected[2*HALF];
  int write_round = 0, write_beats, write_first, data_left = 0, writes_due = 0;
  int read_round = 0, read_beats, read_first, read_beats_due = 0;

  assign {awsize, arsize, awburst, arburst} = {3'd5, 3'd5, 2'b01, 2'b01};

  always @(posedge clock)
    if (!reset) begin
      if (bvalid && writes_due == 0) $fatal(1, "a write is answered that was not made");
      if (rvalid && read_beats_due == 0) $fatal(1, "data comes that was not asked for");
    end

  task automatic pause();
    repeat ($urandom_range(2) * $urandom_range(4)) @(negedge clock);
  endtask

  initial begin : writes
    {awvalid, bready, awid, awaddr, awlen} = '0;
    base = {16'($urandom), 20'd0};
    wait (!reset);
    for (; write_round < ROUNDS; write_round++) begin
      while (read_round < write_round) @(negedge clock);
      write_beats = int'($urandom_range(8, 1));
      write_first = write_round % 2 * HALF + int'($urandom_range(HALF - write_beats));
      pause();
      {awvalid, awid, awaddr, awlen} = {1'b1, 14'($urandom), base + 36'(32 * write_first), 8'(write_beats - 1)};
      data_left = write_beats;
      writes_due = 1;
      do @(posedge clock); while (!awready);
      @(negedge clock) awvalid = 0;
      while (data_left != 0) @(negedge clock);
      pause();
      bready = 1;
      do @(posedge clock); while (!bvalid);
      if (bid != awid || bresp != RESP) $fatal(1, "write %h answered as %h, response %b", awid, bid, bresp);
      @(negedge clock) {bready, writes_due} = '0;
    end
  end

  initial begin : data
    {wvalid, wlast, wdata, wstrb} = '0;
    for (int beat = 0; beat < 2 * HALF; beat++) expected[beat] = '0;
    forever begin
      @(negedge clock);
      if (data_left != 0) begin
        pause();
        for (int word = 0; word < 8; word++) wdata[32*word+:32] = $urandom;
        wstrb = $urandom_range(1) != 0 ? '1 : $urandom;
        for (int lane = 0; lane < 32; lane++)
          if (wstrb[lane]) expected[write_first+write_beats-data_left][8*lane+:8] = wdata[8*lane+:8];
        {wvalid, wlast} = {1'b1, data_left == 1};
        do @(posedge clock); while (!wready);
        @(negedge clock) {wvalid, wlast} = '0;
        data_left--;
      end
    end
  end

  initial begin : reads
    {arvalid, rready, arid, araddr, arlen} = '0;
    wait (!reset);
    for (; read_round < ROUNDS; read_round++) begin
      while (write_round < read_round) @(negedge clock);
      read_beats = int'($urandom_range(8, 1));
      read_first = (1 - read_round % 2) * HALF + int'($urandom_range(HALF - read_beats));
      pause();
      {arvalid, arid, araddr, arlen} = {1'b1, 14'($urandom), base + 36'(32 * read_first), 8'(read_beats - 1)};
      read_beats_due = read_beats;
      do @(posedge clock); while (!arready);
      @(negedge clock) arvalid = 0;
      while (read_beats_due != 0) begin
        pause();
        rready = 1;
        do @(posedge clock); while (!rvalid);
        if (rid != arid || rresp != RESP || rlast != (read_beats_due == 1)) $fatal(1, "read %h answered as %h, %b, last %b", arid, rid, rresp, rlast);
        if (RESP == 2'b00 && rdata != expected[read_first+read_beats-read_beats_due]) $fatal(1, "%h is not what was written", rdata);
        @(negedge clock) rready = 0;
        read_beats_due--;
      end
    end
  end
  assign done = write_round == ROUNDS && read_round == ROUNDS;
endmodule
