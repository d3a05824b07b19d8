// SPDX-License-Identifier: Apache-2.0
//
// Random bursts for the 256-bit DMA port of the SoC's boundary, a write and a read at a time: every burst is answered RESP with its
// ID, a read in as many beats as it asked for, and nothing is answered that was not asked for. With RESP = OKAY reads return what was
// written: each round writes one half of 2 KiB and reads the other. `done` after ROUNDS bursts each way.
module dma_driver
  import bus_types::*;
#(
    parameter int         ROUNDS = 200,
    parameter logic [1:0] RESP   = RESP_OKAY
) (
    input  logic             clock,
    input  logic             reset,
    output memory_request_t  request,
    input  memory_response_t response,
    output bit               done
);
  logic awvalid, wvalid, bready, arvalid, rready;
  memory_address_t aw, ar;
  memory_write_t w;
  assign request = '{aw_valid: awvalid, aw: aw, w_valid: wvalid, w: w, b_ready: bready, ar_valid: arvalid, ar: ar, r_ready: rready};
  localparam int HALF = 32;  // beats
  logic [35:0] base;
  logic [255:0] expected[2*HALF];
  int write_round = 0, write_beats, write_first, data_left = 0, writes_due = 0;
  int read_round = 0, read_beats, read_first, read_beats_due = 0;

  always @(posedge clock)
    if (!reset) begin
      if (response.b_valid && writes_due == 0) $fatal(1, "a write is answered that was not made");
      if (response.r_valid && read_beats_due == 0) $fatal(1, "data comes that was not asked for");
    end

  task automatic pause();
    repeat ($urandom_range(2) * $urandom_range(4)) @(negedge clock);
  endtask

  initial begin : writes
    {awvalid, bready, aw} = '0;
    base = {16'($urandom), 20'd0};
    wait (!reset);
    for (; write_round < ROUNDS; write_round++) begin
      while (read_round < write_round) @(negedge clock);
      write_beats = int'($urandom_range(8, 1));
      write_first = write_round % 2 * HALF + int'($urandom_range(HALF - write_beats));
      pause();
      awvalid = 1;
      aw = '{id: 14'($urandom), addr: base + 36'(32 * write_first), len: 8'(write_beats - 1), size: 3'd5, burst: BURST_INCR};
      data_left = write_beats;
      writes_due = 1;
      do @(posedge clock); while (!response.aw_ready);
      @(negedge clock) awvalid = 0;
      while (data_left != 0) @(negedge clock);
      pause();
      bready = 1;
      do @(posedge clock); while (!response.b_valid);
      if (response.b != {aw.id, RESP}) $fatal(1, "write %h answered as %h, response %b", aw.id, response.b.id, response.b.resp);
      @(negedge clock) {bready, writes_due} = '0;
    end
  end

  initial begin : data
    {wvalid, w} = '0;
    for (int beat = 0; beat < 2 * HALF; beat++) expected[beat] = '0;
    forever begin
      @(negedge clock);
      if (data_left != 0) begin
        pause();
        for (int word = 0; word < 8; word++) w.data[32*word+:32] = $urandom;
        w.strb = $urandom_range(1) != 0 ? '1 : $urandom;
        for (int lane = 0; lane < 32; lane++)
          if (w.strb[lane]) expected[write_first+write_beats-data_left][8*lane+:8] = w.data[8*lane+:8];
        {wvalid, w.last} = {1'b1, data_left == 1};
        do @(posedge clock); while (!response.w_ready);
        @(negedge clock) {wvalid, w.last} = '0;
        data_left--;
      end
    end
  end

  initial begin : reads
    {arvalid, rready, ar} = '0;
    wait (!reset);
    for (; read_round < ROUNDS; read_round++) begin
      while (write_round < read_round) @(negedge clock);
      read_beats = int'($urandom_range(8, 1));
      read_first = (1 - read_round % 2) * HALF + int'($urandom_range(HALF - read_beats));
      pause();
      arvalid = 1;
      ar = '{id: 14'($urandom), addr: base + 36'(32 * read_first), len: 8'(read_beats - 1), size: 3'd5, burst: BURST_INCR};
      read_beats_due = read_beats;
      do @(posedge clock); while (!response.ar_ready);
      @(negedge clock) arvalid = 0;
      while (read_beats_due != 0) begin
        pause();
        rready = 1;
        do @(posedge clock); while (!response.r_valid);
        if ({response.r.id, response.r.resp} != {ar.id, RESP} || response.r.last != (read_beats_due == 1))
          $fatal(1, "read %h answered as %h, %b, last %b", ar.id, response.r.id, response.r.resp, response.r.last);
        if (RESP == RESP_OKAY && response.r.data != expected[read_first+read_beats-read_beats_due])
          $fatal(1, "%h is not what was written", response.r.data);
        @(negedge clock) rready = 0;
        read_beats_due--;
      end
    end
  end
  assign done = write_round == ROUNDS && read_round == ROUNDS;
endmodule
