// SPDX-License-Identifier: Apache-2.0
//
// What the pipeline log is made of: tells the harness (sim/watch/probes.cc) in every cycle which instruction, AMU request or finished group goes where.
// Bound to sim_top in the simulator with waveforms alone, and reads ports of the core's own Verilog; so the default simulator
// has nothing of it, and this one is the same design. Within a cycle what is furthest on comes first, and what dies comes last.

`define CORE sim_top.core.tile.core
`define ROB `CORE.backend.rob
`define RENAME `CORE.backend.rename
`define EXECUTE `CORE.backend.execute
`define FETCH `CORE.frontend.io_core_fetch
`define AMU sim_top.core.tile.amu

// Of a ROB pointer, without its wrap bit.
`define INDEX(pointer) (32'(pointer) & ((1 << $bits(`ROB.io_done_alu0_bits)) - 1))
`define OPERAND(uop, k) {1'(`RENAME.``uop``_bits_psrc_``k``_regClass), 8'(`RENAME.``uop``_bits_psrc_``k``_index)}
`define FOUR(lane) `lane(0) `lane(1) `lane(2) `lane(3)

module watch (
    input logic clock,
    input logic reset
);
  // Back end; an instruction in the ROB is known by its index there
  import "DPI-C" function void nhg_watch_retired();
  import "DPI-C" function void nhg_watch_trapped();
  import "DPI-C" function void nhg_watch_done(input int unsigned rob_index);
  import "DPI-C" function void nhg_watch_executes(input int unsigned rob_index);
  import "DPI-C" function void nhg_watch_issued(input int unsigned rob_index);
  import "DPI-C" function void nhg_watch_queued(input int unsigned rob_index);
  // sources: three physical registers, each a class and 8 bits; fin_pointer: with takes_group, the finish-queue entry that it takes
  import "DPI-C" function void nhg_watch_renamed(
      input int unsigned rob_index, input int unsigned sources, input bit writes, input int unsigned destination,
      input bit takes_group, input int unsigned fin_pointer
  );
  import "DPI-C" function void nhg_watch_killed(input bit all, input int unsigned rob_index); // all, or what is younger
  // Frontend, in program order
  import "DPI-C" function void nhg_watch_decoded(input bit predicted_taken, input longint unsigned target);
  import "DPI-C" function void nhg_watch_fetched(input longint unsigned pc, input int unsigned encoding);
  import "DPI-C" function void nhg_watch_fetch_begins();
  // AMU; a line request is known by its tag
  import "DPI-C" function void nhg_watch_request_committed(input bit is_store, input int unsigned id); // of the ROB head
  import "DPI-C" function void nhg_watch_request_split(input longint unsigned address, input int unsigned bytes);
  import "DPI-C" function void nhg_watch_line_begins(input int unsigned tag, input longint unsigned line_address);
  import "DPI-C" function void nhg_watch_lookup_sent();
  import "DPI-C" function void nhg_watch_lookup_answered(input bit hit); // by L2
  import "DPI-C" function void nhg_watch_lookup_passed_on(); // to L3
  import "DPI-C" function void nhg_watch_lookup_done(input int unsigned tag, input bit hit);
  import "DPI-C" function void nhg_watch_memory_asked(input int unsigned tag);
  import "DPI-C" function void nhg_watch_memory_answered(input int unsigned tag);
  import "DPI-C" function void nhg_watch_line_counted(input int unsigned tag, input int unsigned id);
  import "DPI-C" function void nhg_watch_group_finished(input int unsigned id, input int unsigned fin_pointer); // is in the finish queue
  import "DPI-C" function void nhg_watch_group_sent(input int unsigned fin_pointer, input longint unsigned target); // to the BTQ

`define RETIRED(i) if (`ROB.io_commit_``i``_valid) nhg_watch_retired();
`define DONE(port) if (`ROB.io_done_``port``_valid) nhg_watch_done(32'(`ROB.io_done_``port``_bits));
`define STORED(port, k) if (`ROB.port``_``k``_valid) nhg_watch_done(32'(`ROB.port``_``k``_bits));
`define EXECUTES(port) if (`EXECUTE.``port``Read.io_out_valid) nhg_watch_executes(`INDEX(`EXECUTE.``port``Read.io_out_bits_uop_robPtr));
`define ISSUED(port) if (`EXECUTE.io_issued_``port``_valid) nhg_watch_issued(32'(`EXECUTE.io_issued_``port``_bits));
`define QUEUED(queue, i) if (`EXECUTE.``queue``Queue.io_in_``i``_valid) nhg_watch_queued(`INDEX(`EXECUTE.``queue``Queue.io_in_``i``_bits_robPtr));
`define QUEUED4(queue) `QUEUED(queue, 0) `QUEUED(queue, 1) `QUEUED(queue, 2) `QUEUED(queue, 3)
// The third source is a floating-point register or not used.
`define RENAMED(i) \
    if (`RENAME.io_out_``i``_valid) \
      nhg_watch_renamed( \
          `INDEX(`RENAME.io_out_``i``_bits_robPtr), 32'({`OPERAND(io_out_``i, 0), `OPERAND(io_out_``i, 1), \
              `RENAME.io_out_``i``_bits_psrc_2_regClass ? `OPERAND(io_out_``i, 2) : 9'b0}), \
          `RENAME.io_out_``i``_bits_dest_writes, 32'({`RENAME.io_out_``i``_bits_dest_regClass, 8'(`RENAME.io_out_``i``_bits_dest_index)}), \
          `RENAME.io_out_``i``_bits_finTaken, 32'(`RENAME.io_out_``i``_bits_finPtr));
`define DECODED(i) \
    if (`FETCH``_ready && `FETCH``_valid_``i) nhg_watch_decoded(`FETCH``_inst_``i``_predTaken, 64'(`FETCH``_inst_``i``_predTarget));
`define FETCHED(j) \
    if (`CORE.frontend.ibuf.io_count > j) \
      nhg_watch_fetched( \
          64'({`CORE.frontend.ftq.io_addresses_bits_block_window, `CORE.frontend.ibuf.io_in_``j``_end, 1'b0}) \
            - (`CORE.frontend.ibuf.io_in_``j``_isRvc ? 64'd0 : 64'd2), `CORE.frontend.ibuf.io_in_``j``_raw);

  always @(posedge clock) if (!reset) begin
    if (`AMU.requestQueue.io_commit_valid && `AMU.requestQueue.io_commit_bits_op <= 3'd1)
      nhg_watch_request_committed(`AMU.requestQueue.io_commit_bits_op[0], 32'(`AMU.requestQueue.io_commit_bits_id));
    // executes before done before retired: many are two or three of these in one cycle
    `EXECUTES(alu0) `EXECUTES(alu1) `EXECUTES(bru) `EXECUTES(mdu) `EXECUTES(load0) `EXECUTES(load1)
    `EXECUTES(storeAddress0) `EXECUTES(storeAddress1) `EXECUTES(fma) `EXECUTES(fpMisc)
    `DONE(alu0) `DONE(alu1) `DONE(bru) `DONE(mdu) `DONE(load0) `DONE(load1) `DONE(storeAddress0) `DONE(storeAddress1) `DONE(fma) `DONE(fpMisc)
    `STORED(io_storeDone, 0) `STORED(io_storeDone, 1) `STORED(io_storeDataDone, 0) `STORED(io_storeDataDone, 1)
    `FOUR(RETIRED)
    if (`ROB.io_trap_exception_valid) nhg_watch_trapped();
    `ISSUED(alu0) `ISSUED(alu1) `ISSUED(bru) `ISSUED(mdu) `ISSUED(load0) `ISSUED(load1)
    `ISSUED(storeAddress0) `ISSUED(storeAddress1) `ISSUED(fma) `ISSUED(fpMisc)
    // renamed before queued: most are both in one cycle
    `FOUR(RENAMED)
    `QUEUED4(alu) `QUEUED4(bru) `QUEUED4(mdu) `QUEUED4(load) `QUEUED4(storeAddress) `QUEUED4(storeData) `QUEUED4(fma) `QUEUED4(fpMisc)
    `FOUR(DECODED)
    `FOUR(FETCHED) `FETCHED(4) `FETCHED(5) `FETCHED(6) `FETCHED(7)
    if (`CORE.frontend.ftq.io_allocate_valid) nhg_watch_fetch_begins();

    if (`AMU.responses.io_counted_valid) nhg_watch_line_counted(32'(`AMU.responses.io_counted_bits_tag), 32'(`AMU.responses.io_counted_bits_id));
    if (`AMU.finishQueue.io_btq_valid && `AMU.finishQueue.io_btq_ready)
      nhg_watch_group_sent(32'(`AMU.finishQueue.io_btq_bits_finPtr), 64'(`AMU.finishQueue.io_btq_bits_target));
    if (`AMU.finishQueue.io_in_valid && `AMU.finishQueue.io_in_ready)
      nhg_watch_group_finished(32'(`AMU.finishQueue.io_in_bits_id), 32'(`AMU.finishQueue.tail));
    if (`AMU.responses.io_r_valid && `AMU.responses.io_r_ready) nhg_watch_memory_answered(32'(`AMU.responses.io_r_bits_id));
    if (`AMU.responses.io_b_valid && `AMU.responses.io_b_ready) nhg_watch_memory_answered(32'(`AMU.responses.io_b_bits_id));
    if (`AMU.memory.io_ar_valid && `AMU.memory.io_ar_ready) nhg_watch_memory_asked(32'(`AMU.memory.io_ar_bits_id));
    if (`AMU.memory.io_aw_valid && `AMU.memory.io_aw_ready) nhg_watch_memory_asked(32'(`AMU.memory.io_aw_bits_id));
    if (`AMU.lookup.io_done_valid && `AMU.lookup.io_done_ready)
      nhg_watch_lookup_done(32'(`AMU.lookup.io_done_bits_request_tag), `AMU.lookup.io_done_bits_hit);
`ifndef NHG_WATCH_NO_L3
    if (sim_top.core.tile.levels.io_far_req_valid && sim_top.core.tile.levels.io_far_req_ready) nhg_watch_lookup_passed_on();
    if (sim_top.core.tile.levels.io_near_resp_valid) nhg_watch_lookup_answered(sim_top.core.tile.levels.io_near_resp_bits_hit);
`endif
    if (`AMU.lookup.io_cacheReq_valid && `AMU.lookup.io_cacheReq_ready) nhg_watch_lookup_sent();
    if (`AMU.lines.io_allocate) nhg_watch_line_begins(32'(`AMU.lines.io_tag), {28'b0, `AMU.lines.io_line_lineAddr, 6'b0});
    if (`AMU.requestQueue.io_out_valid && `AMU.requestQueue.io_out_ready)
      nhg_watch_request_split(64'(`AMU.requestQueue.io_out_bits_addr), 32'(`AMU.requestQueue.io_out_bits_size));

    if (`CORE.backend.rob.io_kill_flush || `CORE.backend.rob.io_kill_squash)
      nhg_watch_killed(`CORE.backend.rob.io_kill_flush, `INDEX(`CORE.backend.rob.io_kill_robPtr));
  end
endmodule

bind sim_top watch pipeline_watch (.clock, .reset);
