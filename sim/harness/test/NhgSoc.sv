// SPDX-License-Identifier: Apache-2.0
//
// Traffic generator with the ports of the core, for tests of the simulation platform. It reads commands of 32 bytes
// (four 64-bit words: op, a, b, c; lowest first) from memory at reset_pc, one after the other, and retires one record
// per command. `acc` is its only register.
//   1 DEVICE_WRITE    store b (c = 1: acc) to device address a; acc = 1 on error
//   2 DEVICE_READ     acc = device register a, all ones on error
//   3 READ            burst of b beats of 32 bytes from a; acc = cycles from AR to the first beat
//   4 WRITE           one beat at a, word b in all lanes, strobes c; acc = cycles from the last of AW and W to B
//   5 STREAM          b reads of 64 bytes from a, at most c (1 to 512) in flight; acc = cycles from first AR to last beat
//   6 HANG            retires nothing any more          7 FAIL   stops the simulation with $fatal
//   8 TRAP            retires as a trap, cause a, tval b
//   9 LAST_WORD       acc = lowest word of the last beat of READ        10 LAST_RESPONSE  acc = its rresp (of WRITE: bresp)
//  11 RETIRE          b cycles with four records each
//  12 STREAM_BOTH     STREAM, with as many writes of 64 bytes from a + 2^28, one after the other; acc = cycles to the last answer
module NhgSoc (
    input  logic         clock,
    input  logic         reset,
    input  logic [38:0]  reset_pc,
    input  logic [6:0]   interrupts,
    output logic         mem_awvalid,
    input  logic         mem_awready,
    output logic [10:0]  mem_awid,
    output logic [35:0]  mem_awaddr,
    output logic [7:0]   mem_awlen,
    output logic [2:0]   mem_awsize,
    output logic         mem_wvalid,
    input  logic         mem_wready,
    output logic [255:0] mem_wdata,
    output logic [31:0]  mem_wstrb,
    output logic         mem_wlast,
    input  logic         mem_bvalid,
    output logic         mem_bready,
    input  logic [10:0]  mem_bid,
    input  logic [1:0]   mem_bresp,
    output logic         mem_arvalid,
    input  logic         mem_arready,
    output logic [10:0]  mem_arid,
    output logic [35:0]  mem_araddr,
    output logic [7:0]   mem_arlen,
    output logic [2:0]   mem_arsize,
    input  logic         mem_rvalid,
    output logic         mem_rready,
    input  logic [10:0]  mem_rid,
    input  logic [255:0] mem_rdata,
    input  logic [1:0]   mem_rresp,
    input  logic         mem_rlast,
    output logic         mmio_req_valid,
    input  logic         mmio_req_ready,
    output logic [35:0]  mmio_req_addr,
    output logic         mmio_req_write,
    output logic [1:0]   mmio_req_size,
    output logic [63:0]  mmio_req_data,
    output logic [7:0]   mmio_req_mask,
    input  logic         mmio_resp_valid,
    input  logic [63:0]  mmio_resp_data,
    input  logic         mmio_resp_error,
    // one record a cycle, four with RETIRE
    output logic         commit_0_valid, commit_0_writes, commit_0_trap, commit_0_memValid, commit_0_memIsMmio,
    output logic [63:0]  commit_0_pc, commit_0_rdValue, commit_0_cause, commit_0_tval, commit_0_memAddr, commit_0_fetchFirst, commit_0_fetchLast,
    output logic [31:0]  commit_0_inst,
    output logic         commit_0_rdClass,
    output logic [4:0]   commit_0_rd,
    output logic         commit_1_valid, commit_1_writes, commit_1_trap, commit_1_memValid, commit_1_memIsMmio,
    output logic [63:0]  commit_1_pc, commit_1_rdValue, commit_1_cause, commit_1_tval, commit_1_memAddr, commit_1_fetchFirst, commit_1_fetchLast,
    output logic [31:0]  commit_1_inst,
    output logic         commit_1_rdClass,
    output logic [4:0]   commit_1_rd,
    output logic         commit_2_valid, commit_2_writes, commit_2_trap, commit_2_memValid, commit_2_memIsMmio,
    output logic [63:0]  commit_2_pc, commit_2_rdValue, commit_2_cause, commit_2_tval, commit_2_memAddr, commit_2_fetchFirst, commit_2_fetchLast,
    output logic [31:0]  commit_2_inst,
    output logic         commit_2_rdClass,
    output logic [4:0]   commit_2_rd,
    output logic         commit_3_valid, commit_3_writes, commit_3_trap, commit_3_memValid, commit_3_memIsMmio,
    output logic [63:0]  commit_3_pc, commit_3_rdValue, commit_3_cause, commit_3_tval, commit_3_memAddr, commit_3_fetchFirst, commit_3_fetchLast,
    output logic [31:0]  commit_3_inst,
    output logic         commit_3_rdClass,
    output logic [4:0]   commit_3_rd,
    output logic [1:0]   privileged_mode,
    output logic [63:0]  privileged_time,
    output logic         privileged_sleeps,
    output logic [63:0]  privileged_csrs_0, privileged_csrs_1, privileged_csrs_2, privileged_csrs_3, privileged_csrs_4, privileged_csrs_5,
    output logic [63:0]  privileged_csrs_6, privileged_csrs_7, privileged_csrs_8, privileged_csrs_9, privileged_csrs_10, privileged_csrs_11,
    output logic [63:0]  privileged_csrs_12, privileged_csrs_13, privileged_csrs_14, privileged_csrs_15, privileged_csrs_16, privileged_csrs_17,
    output logic [63:0]  privileged_csrs_18, privileged_csrs_19, privileged_csrs_20, privileged_csrs_21, privileged_csrs_22, privileged_csrs_23,
    output logic [63:0]  privileged_csrs_24, privileged_csrs_25, privileged_csrs_26, privileged_csrs_27, privileged_csrs_28, privileged_csrs_29,
    output logic [63:0]  privileged_csrs_30, privileged_csrs_31, privileged_csrs_32, privileged_csrs_33, privileged_csrs_34, privileged_csrs_35,
    output logic [63:0]  privileged_csrs_36, privileged_csrs_37, privileged_csrs_38, privileged_csrs_39, privileged_csrs_40, privileged_csrs_41,
    output logic [63:0]  privileged_csrs_42,
    output logic [63:0]  probe_branch_mispredicts,
    output logic [63:0]  probe_cycles_memory,
    output logic [63:0]  probe_rob_head_pc,
    output logic [63:0]  probe_rob_head_valid
);
  typedef enum logic [3:0] {
    FETCH, FETCH_WAIT, EXECUTE, DEVICE, DEVICE_WAIT, READ, READ_WAIT, WRITE, WRITE_WAIT, STREAM, RETIRE, HANG
  } state_t;

  state_t state;
  logic [38:0] pc;
  logic [63:0] op, a, b, c, acc, last_word, cycles, issued, done;
  logic [1:0] last_response;
  logic aw_done, w_done, first_beat;
  logic [63:0] aw_issued, w_issued, b_done;  // writes of STREAM_BOTH: AW, W beats, B
  wire ar_fire = mem_arvalid && mem_arready;
  wire r_fire = mem_rvalid && mem_rready;
  wire stream_issue = issued != b && issued - done < c;
  wire both = state == STREAM && op == 12;
  wire aw_issue = both && aw_issued != b && aw_issued - b_done < c;
  wire w_issue = both && w_issued != 2 * aw_issued;

  assign mem_arvalid = state == FETCH || state == READ || (state == STREAM && stream_issue);
  assign mem_arid = state == FETCH ? 11'd1024 : state == READ ? 11'd1025 : {2'b0, issued[8:0]};
  assign mem_araddr = state == FETCH ? pc[35:0] : state == READ ? a[35:0] : a[35:0] + {issued[29:0], 6'b0};
  assign mem_arlen = state == FETCH ? 8'd0 : state == READ ? 8'(b - 1) : 8'd1;
  assign mem_arsize = 3'd5;
  assign mem_rready = 1'b1;
  assign mem_awvalid = (state == WRITE && !aw_done) || aw_issue;
  assign mem_awid = both ? {2'b0, aw_issued[8:0]} : 11'd7;
  assign mem_awaddr = both ? a[35:0] + (36'd1 << 28) + {aw_issued[29:0], 6'b0} : a[35:0];
  assign mem_awlen = 8'(both);
  assign mem_awsize = 3'd5;
  assign mem_wvalid = (state == WRITE && !w_done) || w_issue;
  assign mem_wdata = {4{b}};
  assign mem_wstrb = both ? '1 : c[31:0];
  assign mem_wlast = !both || w_issued[0];
  assign mem_bready = 1'b1;
  assign mmio_req_valid = state == DEVICE;
  assign mmio_req_addr = a[35:0];
  assign mmio_req_write = op == 1;
  assign mmio_req_size = 2'd3;
  assign mmio_req_data = c == 1 ? acc : b;
  assign mmio_req_mask = 8'hff;

  assign privileged_mode = 2'd3;
  assign privileged_time = '0;
  assign privileged_sleeps = 1'b0;
  assign {privileged_csrs_0, privileged_csrs_1, privileged_csrs_2, privileged_csrs_3, privileged_csrs_4, privileged_csrs_5,
          privileged_csrs_6, privileged_csrs_7, privileged_csrs_8, privileged_csrs_9, privileged_csrs_10, privileged_csrs_11,
          privileged_csrs_12, privileged_csrs_13, privileged_csrs_14, privileged_csrs_15, privileged_csrs_16, privileged_csrs_17,
          privileged_csrs_18, privileged_csrs_19, privileged_csrs_20, privileged_csrs_21, privileged_csrs_22, privileged_csrs_23,
          privileged_csrs_24, privileged_csrs_25, privileged_csrs_26, privileged_csrs_27, privileged_csrs_28, privileged_csrs_29,
          privileged_csrs_30, privileged_csrs_31, privileged_csrs_32, privileged_csrs_33, privileged_csrs_34, privileged_csrs_35,
          privileged_csrs_36, privileged_csrs_37, privileged_csrs_38, privileged_csrs_39, privileged_csrs_40, privileged_csrs_41,
          privileged_csrs_42} = '0;

  wire retire_all = state == RETIRE && op == 11;
`define COMMIT(i, when) \
  assign commit_``i``_valid = when; \
  assign commit_``i``_writes = 1'b1; \
  assign commit_``i``_rdClass = 1'b0; \
  assign commit_``i``_trap = op == 8; \
  assign commit_``i``_memValid = op == 1 || op == 2; \
  assign commit_``i``_memIsMmio = 1'b1; \
  assign commit_``i``_pc = 64'(pc) + i; \
  assign commit_``i``_rdValue = acc; \
  assign commit_``i``_cause = a; \
  assign commit_``i``_tval = b; \
  assign commit_``i``_memAddr = a; \
  assign commit_``i``_fetchFirst = 64'(pc) + i; \
  assign commit_``i``_fetchLast = 64'(pc) + i; \
  assign commit_``i``_inst = op[31:0]; \
  assign commit_``i``_rd = 5'd10;
  `COMMIT(0, state == RETIRE)
  `COMMIT(1, retire_all)
  `COMMIT(2, retire_all)
  `COMMIT(3, retire_all)
  assign probe_rob_head_pc = 64'(pc);
  assign probe_rob_head_valid = 64'(state > FETCH_WAIT);

  always_ff @(posedge clock) begin
    if (reset) begin
      state <= FETCH;
      pc <= reset_pc;
      acc <= '0;
      probe_branch_mispredicts <= '0;
      probe_cycles_memory <= '0;
    end else begin
      probe_cycles_memory <= probe_cycles_memory + 64'(state inside {READ_WAIT, WRITE_WAIT, STREAM});
      cycles <= cycles + 1'b1;
      case (state)
        FETCH: if (ar_fire) state <= FETCH_WAIT;
        FETCH_WAIT: if (r_fire) begin
          {c, b, a, op} <= mem_rdata;
          state <= EXECUTE;
        end
        EXECUTE: begin
          {aw_done, w_done, first_beat, issued, done} <= {3'b001, 64'b0, 64'b0};
          {aw_issued, w_issued, b_done} <= '0;
          cycles <= '0;
          case (op)
            1, 2: state <= DEVICE;
            3: state <= READ;
            4: state <= WRITE;
            5, 12: state <= STREAM;
            6: state <= HANG;
            7: $fatal(1, "NhgSoc: FAIL command");
            8, 11: state <= RETIRE;
            9: begin
              acc <= last_word;
              state <= RETIRE;
            end
            10: begin
              acc <= 64'(last_response);
              state <= RETIRE;
            end
            default: $fatal(1, "NhgSoc: unknown command %0d at %h", op, pc);
          endcase
        end
        DEVICE: if (mmio_req_ready) state <= DEVICE_WAIT;
        DEVICE_WAIT: if (mmio_resp_valid) begin
          acc <= op == 1 ? 64'(mmio_resp_error) : mmio_resp_error ? '1 : mmio_resp_data;
          state <= RETIRE;
        end
        READ: if (ar_fire) begin
          cycles <= 64'd1;
          state <= READ_WAIT;
        end
        READ_WAIT: if (r_fire) begin
          first_beat <= 1'b0;
          if (first_beat) acc <= cycles;
          last_word <= mem_rdata[63:0];
          last_response <= mem_rresp;
          if (mem_rlast) state <= RETIRE;
        end
        WRITE: begin
          aw_done <= aw_done || mem_awready;
          w_done <= w_done || mem_wready;
          if ((aw_done || mem_awready) && (w_done || mem_wready)) begin
            cycles <= 64'd1;
            state <= WRITE_WAIT;
          end
        end
        WRITE_WAIT: if (mem_bvalid) begin
          acc <= cycles;
          last_response <= mem_bresp;
          state <= RETIRE;
        end
        STREAM: begin
          issued <= issued + 64'(ar_fire);
          done <= done + 64'(r_fire && mem_rlast);
          aw_issued <= aw_issued + 64'(aw_issue && mem_awready);
          w_issued <= w_issued + 64'(w_issue && mem_wready);
          b_done <= b_done + 64'(mem_bvalid);
          if (done == b && (!both || b_done == b)) begin
            acc <= cycles;
            state <= RETIRE;
          end
        end
        RETIRE: begin
          probe_branch_mispredicts <= probe_branch_mispredicts + 1'b1;
          b <= b - 1'b1;
          if (op != 11 || b == 1) begin
            pc <= pc + 39'd32;
            state <= FETCH;
          end
        end
        default: ;
      endcase
    end
  end
endmodule
