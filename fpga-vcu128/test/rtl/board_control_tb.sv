// SPDX-License-Identifier: Apache-2.0
//
// board_control: the host's registers, the console, marks and counters, as docs/reference/host-interface.md has them. Runs in Verilator and, as it
// evaluates only what an event reaches, in Icarus Verilog: so no structs and no classes here.
module board_control_tb;
  timeunit 1ns; timeprecision 1ns;
  import nhg_platform::*;
  localparam int COUNTERS = 12;
  localparam logic [63:0] FAR_BYTES = 64'h2_0000_0000;
  logic clock = 0, reset = 1, core_reset = 1, started = 0;
  logic reg_valid = 0, reg_write = 0, host_valid = 0, host_ready, run, fill_start, exited, clear_far;
  logic clear_far_taken = 0, local_ready = 0, far_ready = 0;
  logic [1:0] cattrip = 0, refused = 0;
  logic [13:0] reg_addr = 0;
  logic [63:0] reg_wdata = 0, reg_rdata, host_data = 0;
  logic [38:0] reset_pc;
  logic [35:0] fill_base, fill_bytes;
  logic [11:0] host_offset = 0;
  logic [2:0] retired = 0;
  logic [64*(COUNTERS-2)-1:0] live_counters = 0;
  board_control #(.COUNTERS(COUNTERS), .FAR_BYTES(FAR_BYTES), .COUNTER_NAMES({2816'd0, "abcdefghijklmnopqrstuvwxyz012345"})) dut (
      .clock(clock), .reset(reset), .build_commit(32'h0123abcd), .local_ready(local_ready), .far_ready(far_ready), .cattrip(cattrip),
      .temperature_c({7'd42, 7'd41}), .refused(refused), .reg_valid(reg_valid), .reg_write(reg_write), .reg_addr(reg_addr),
      .reg_wdata(reg_wdata), .reg_rdata(reg_rdata), .run(run), .reset_pc(reset_pc), .fill_start(fill_start), .fill_base(fill_base),
      .fill_bytes(fill_bytes), .fill_bytes_left(36'd77), .started(started), .core_reset(core_reset), .host_valid(host_valid),
      .host_ready(host_ready), .host_offset(host_offset), .host_data(host_data), .exited(exited), .clear_far(clear_far),
      .clear_far_taken(clear_far_taken), .retired(retired), .live_counters(live_counters)
  );
  always #10 clock = !clock;
  // Far memory's first counter counts, and is cleared as the real one is.
  always @(posedge clock) begin
    clear_far_taken <= clear_far && !clear_far_taken;
    live_counters[63:0] <= clear_far_taken ? 0 : live_counters[63:0] + 1;
  end

  int fills = 0, checks = 0;
  always @(posedge clock) if (fill_start && !reset) fills <= fills + 1;

  task automatic write(input logic [63:0] address, input logic [63:0] value);
    @(negedge clock);
    reg_valid = 1;
    reg_write = 1;
    reg_addr = address[13:0];
    reg_wdata = value;
    @(negedge clock);
    reg_valid = 0;
    reg_write = 0;
  endtask
  task automatic check(input logic [63:0] address, input logic [63:0] value);
    @(negedge clock);
    reg_addr = address[13:0];
    @(negedge clock);
    if (reg_rdata !== value) $fatal(1, "register %h reads %h instead of %h", address, reg_rdata, value);
    checks = checks + 1;
  endtask
  task automatic store(input logic [63:0] address, input logic [63:0] value);
    @(negedge clock);
    host_valid = 1;
    host_offset = address[11:0];
    host_data = value;
    @(posedge clock);
    while (!host_ready) @(posedge clock);
    @(negedge clock);
    host_valid = 0;
  endtask
  task automatic expect_that(input logic holds, input int number);
    if (holds !== 1'b1) $fatal(1, "check %0d does not hold", number);
    checks = checks + 1;
  endtask

  logic [63:0] word;
  initial begin
    repeat (4) @(negedge clock);
    reset = 0;
    // Who it is and how it is
    check(BOARD_ID, BOARD_ID_VALUE);
    check(BOARD_VERSION, BOARD_CONTRACT_VERSION);
    check(BOARD_BUILD, 64'h0123abcd);
    check(BOARD_FAR_BYTES, FAR_BYTES);
    check(BOARD_COUNTER_COUNT, COUNTERS);
    check(BOARD_NAMES, "yz012345");
    check(BOARD_NAMES + 24, "abcdefgh");
    {local_ready, far_ready, refused} = 4'b1101;
    cattrip = 2'b10;
    @(negedge clock) cattrip = 0;
    word = 0;
    word[BOARD_STATUS_LOCAL_READY_BIT] = 1;
    word[BOARD_STATUS_FAR_READY_BIT] = 1;
    word[BOARD_STATUS_CATTRIP_BIT] = 1;
    word[BOARD_STATUS_REFUSED_BIT] = 1;
    word = word | 64'd41 << BOARD_STATUS_TEMPERATURE_0_BIT | 64'd42 << BOARD_STATUS_TEMPERATURE_1_BIT;
    check(BOARD_STATUS, word);
    // Words that the host keeps; a write goes to one register only
    write(BOARD_SCRATCH, 64'h1122_3344_5566_7788);
    write(BOARD_SCRATCH + 8, 64'd5);
    write(BOARD_RESET_PC, 64'h8000_1240);
    write(BOARD_FILL_BASE, 64'h1_0000_0200);
    expect_that(fills == 0 && run === 0, 1);
    write(BOARD_FILL_BYTES, 64'd512);
    expect_that(fills == 1 && fill_base == 36'h1_0000_0200, 2);
    write(BOARD_RUN, 64'd1);
    expect_that(fills == 1 && run === 1 && reset_pc == 39'h8000_1240, 3);
    check(BOARD_SCRATCH, 64'h1122_3344_5566_7788);
    check(BOARD_SCRATCH + 8, 64'd5);
    check(BOARD_FILL_BYTES, 64'd77);
    // A program
    @(negedge clock) started = 1;
    @(negedge clock) started = 0;
    core_reset = 0;
    retired = 3'd2;
    for (int i = 0; i < 10; i = i + 1) store(HOST_PUTC, 64'h41 + i);
    check(BOARD_CONSOLE_WRITTEN, 10);
    check(BOARD_CONSOLE, "HGFEDCBA");
    write(BOARD_CONSOLE_READ, 11);
    check(BOARD_CONSOLE_READ, 0);
    write(BOARD_CONSOLE_READ, 9);
    check(BOARD_CONSOLE_READ, 9);
    store(HOST_ROI_BEGIN, 0);
    store(HOST_METRIC + 24, 64'd33);
    repeat (3 * COUNTERS) @(negedge clock);
    check(BOARD_MARKS, 64'd1);
    check(BOARD_BEGIN + 16, 64'd1);  // counts every cycle, was cleared in the one before
    store(HOST_ROI_END, 0);
    store(HOST_EXIT, 64'd7);
    repeat (3 * COUNTERS) @(negedge clock);
    retired = 0;
    expect_that(exited === 1, 4);
    check(BOARD_MARKS, 64'd7);
    check(BOARD_EXIT_VALUE, 64'd7);
    check(BOARD_METRIC + 24, 64'd33);
    for (int i = 0; i < 2; i = i + 1) begin  // cycles twice, instructions once in a cycle of two
      @(negedge clock) reg_addr = BOARD_BEGIN[13:0] + 14'(8 * i);
      @(negedge clock) word = reg_rdata;
      @(negedge clock) reg_addr = BOARD_END[13:0] + 14'(8 * i);
      @(negedge clock) word = reg_rdata - word;
      expect_that(word >= (COUNTERS << i) && word < (8 * COUNTERS << i), 5 + i);
    end
    @(negedge clock) reg_addr = BOARD_NOW[13:0];
    @(negedge clock) word = reg_rdata;
    write(BOARD_SNAPSHOT, 0);  // changes nothing after the exit
    repeat (2 * COUNTERS) @(negedge clock);
    check(BOARD_NOW, word);
    @(negedge clock) started = 1;
    @(negedge clock) started = 0;
    check(BOARD_MARKS, 64'd0);
    check(BOARD_CONSOLE_WRITTEN, 0);
    write(BOARD_SNAPSHOT, 0);
    repeat (2 * COUNTERS) @(negedge clock);
    check(BOARD_NOW + 8, 64'd0);
    write(BOARD_RUN, 64'd0);
    expect_that(run === 0 && fills == 1, 7);
    $display("PASS %0d checks", checks);
    $finish;
  end
endmodule
