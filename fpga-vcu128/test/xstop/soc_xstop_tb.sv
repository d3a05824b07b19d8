// SPDX-License-Identifier: Apache-2.0
//
// The wrapper with the stand-in XSTop, between a memory and a device that answer after random times: the stand-in's
// sum arrives at the exit register, memory has the inverted line, IDs come back, nothing asks the device for the start page.
// Meanwhile the DMA port, which the board ties off, takes random bursts: the stand-in returns what was written.
`include "nhg_probes.svh"
module soc_xstop_tb;
  timeunit 1ns; timeprecision 1ns;
  import bus_types::*;
  localparam logic [38:0] RESET_PC = 39'h8000_1240;
  logic clock = 0, reset = 1;
  always #5 clock = !clock;

  logic [38:0] reset_pc = RESET_PC;
  logic [63:0] interrupts = '0;
  logic [2:0] retired;
  logic [63:0] probes[`NHG_PROBE_COUNT];
  memory_request_t mem_request, dma_request;
  memory_response_t mem_response = '0, dma_response;
  io_request_t io_request;
  io_response_t io_response = '0;
  bit dma_done;
  soc_tile dut (.*);
  dma_driver dma (.clock, .reset, .request(dma_request), .response(dma_response), .done(dma_done));

  function automatic logic [255:0] content(input int beat);
    return {8{32'h1357_9bdf + 32'(beat)}};
  endfunction

  task automatic serve_read();
    repeat ($urandom_range(5)) @(negedge clock);
    while (!mem_request.ar_valid) @(negedge clock);
    if (mem_request.ar.addr != RESET_PC[35:0] || mem_request.ar.len != 1 || mem_request.ar.size != 5 || mem_request.ar.burst != 1)
      $fatal(1, "read of %h, %0d beats", mem_request.ar.addr, mem_request.ar.len + 1);
    mem_response.r.id = mem_request.ar.id;
    mem_response.ar_ready = 1;
    @(negedge clock) mem_response.ar_ready = 0;
    for (int beat = 0; beat < 2; beat++) begin
      repeat ($urandom_range(5)) @(negedge clock);
      {mem_response.r_valid, mem_response.r.last, mem_response.r.data} = {1'b1, beat == 1, content(beat)};
      do @(posedge clock); while (!mem_request.r_ready);
      @(negedge clock) mem_response.r_valid = 0;
    end
  endtask

  task automatic serve_write();
    while (!mem_request.aw_valid) @(negedge clock);
    if (mem_request.aw.addr != RESET_PC[35:0] + 64 || mem_request.aw.len != 1) $fatal(1, "write of %h", mem_request.aw.addr);
    mem_response.b.id = mem_request.aw.id;
    mem_response.aw_ready = 1;
    @(negedge clock) mem_response.aw_ready = 0;
    for (int beat = 0; beat < 2; beat++) begin
      repeat ($urandom_range(5)) @(negedge clock);
      mem_response.w_ready = 1;
      do @(posedge clock); while (!mem_request.w_valid);
      if (mem_request.w.data != ~content(beat) || mem_request.w.strb != '1 || mem_request.w.last != (beat == 1)) $fatal(1, "write data %h", mem_request.w.data);
      @(negedge clock) mem_response.w_ready = 0;
    end
    mem_response.b_valid = 1;
    do @(posedge clock); while (!mem_request.b_ready);
    @(negedge clock) mem_response.b_valid = 0;
  endtask

  task automatic serve_exit();
    while (!(io_request.aw_valid && io_request.w_valid)) @(negedge clock);
    if (io_request.aw.addr != nhg_platform::HOST_EXIT[35:0] || io_request.w.strb != '1 || io_request.aw.id != 0) $fatal(1, "store to %h", io_request.aw.addr);
    if (io_request.w.data != content(0)[63:0] + content(1)[63:0]) $fatal(1, "sum %h", io_request.w.data);
    {io_response.aw_ready, io_response.w_ready} = 2'b11;
    @(negedge clock) {io_response.aw_ready, io_response.w_ready} = 2'b00;
    repeat (3) @(negedge clock);
    io_response.b_valid = 1;
    do @(posedge clock); while (!io_request.b_ready);
    @(negedge clock) io_response.b_valid = 0;
  endtask

  localparam int TICK_CYCLES = int'(nhg_platform::TICK_CYCLES);
  int cycles = 0, rtc_edges = 0;
  logic rtc_before = 0;
  always @(posedge clock)
    if (!reset) begin
      if (io_request.ar_valid) $fatal(1, "the device is asked for %h", io_request.ar.addr);
      if (dut.core.io_riscv_halt_0) $fatal(1, "the stand-in found something it did not expect");
      cycles <= cycles + 1;
      rtc_edges <= rtc_edges + 32'(dut.rtc_clock != rtc_before);
      rtc_before <= dut.rtc_clock;
    end

  initial begin
    repeat (3) @(negedge clock);
    reset = 0;
    serve_read();
    serve_write();
    serve_exit();
    repeat (4 * TICK_CYCLES) @(negedge clock);
    if (probes[0] != 2 || retired == 0) $fatal(1, "%0d bursts counted", probes[0]);
    if (rtc_edges != (cycles - 1) / (TICK_CYCLES / 2)) $fatal(1, "%0d edges of the time base in %0d cycles", rtc_edges, cycles);
    wait (dma_done);
    $display("PASS");
    $finish;
  end
  initial begin
    #100_000 $fatal(1, "no end");
  end
endmodule
