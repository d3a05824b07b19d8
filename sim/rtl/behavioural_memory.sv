// SPDX-License-Identifier: Apache-2.0
//
// Behavioural AXI4 memory, 256-bit, contents in the harness (sim_dpi). INCR bursts of any size; in order.
//   LATENCY_CYCLES  AR (later of AW and last W) handshake to the first R beat (B) of an idle memory, at least 2
//   OUTSTANDING     requests accepted and not answered, each way, a power of two
// One beat a cycle each way. Addresses without memory answer DECERR. A write takes effect with its W handshake,
// a read sees memory in the cycle before its beat is offered. `stall` holds up requests (bit 0), write data (1) and read beats (2).
module behavioural_memory
  import sim_dpi::*;
  import bus_types::*;
#(
    parameter int LATENCY_CYCLES = 20,
    parameter int OUTSTANDING    = 64
) (
    input  logic             clock,
    input  logic             reset,
    input  logic [2:0]       stall = '0,
    input  memory_request_t  request,
    output memory_response_t response
);
  if (LATENCY_CYCLES < 2) $error("behavioural_memory: LATENCY_CYCLES must be at least 2");

  logic [31:0] now;
  always_ff @(posedge clock) now <= reset ? '0 : now + 1'b1;

  function automatic logic [PADDR_BITS-1:0] next_beat(input logic [PADDR_BITS-1:0] addr, input logic [2:0] size);
    return ((addr >> size) + 1'b1) << size;
  endfunction

  // Reads
  logic read_ready, read_pending, read_taken, read_first, read_valid;
  memory_address_t read;
  memory_read_t read_beat;
  logic [PADDR_BITS-1:0] read_next, read_addr;
  logic [7:0] beat;
  logic [31:0] read_time, read_wait;

  bypass_fifo #(.WIDTH($bits(memory_address_t) + 32), .DEPTH(OUTSTANDING), .BYPASS(0)) reads (
      .clock, .reset,
      .in_valid(request.ar_valid && !stall[0]), .in_ready(read_ready), .in_data({request.ar, now + 32'(LATENCY_CYCLES - 1)}),
      .out_valid(read_pending), .out_ready(read_taken), .out_data({read, read_time})
  );

  assign read_wait = read_time - now;
  assign read_addr = read_first ? read.addr : read_next;
  wire last_beat = beat == read.len;
  wire read_load = read_pending && (read_wait[31] || read_wait == 0) && (!read_valid || request.r_ready) && !stall[2];
  assign read_taken = read_load && last_beat;

  always_ff @(posedge clock) begin : read_beats
    automatic bit [255:0] word;
    automatic int absent;
    if (reset) begin
      read_valid <= 1'b0;
      read_first <= 1'b1;
      beat <= '0;
    end else begin
      if (read_load) begin
        absent = nhg_memory_read(64'(read_addr), word);
        read_beat <= '{id: read.id, data: word, resp: absent == 0 ? RESP_OKAY : RESP_DECERR, last: last_beat};
        read_first <= last_beat;
        beat <= last_beat ? '0 : beat + 1'b1;
        read_next <= next_beat(read_addr, read.size);
      end
      read_valid <= read_load || (read_valid && !request.r_ready);
    end
  end

  // Writes
  logic write_ready, write_pending, data_ready, write_first, write_failed, room, answer_due;
  logic failure_known, failed, failure_ready, failure_valid;
  memory_address_t write;
  logic [MEMORY_ID_BITS-1:0] answer_id;
  logic [PADDR_BITS-1:0] write_next, write_addr;
  logic [31:0] answer_time, answer_wait;
  assign data_ready = write_pending && room && !stall[1];
  wire data_taken = request.w_valid && data_ready;
  wire answer_valid = answer_due && failure_valid && (answer_wait[31] || answer_wait == 0);
  wire answer_taken = answer_valid && request.b_ready;

  bypass_fifo #(.WIDTH($bits(memory_address_t)), .DEPTH(OUTSTANDING)) writes (
      .clock, .reset,
      .in_valid(request.aw_valid && !stall[0]), .in_ready(write_ready), .in_data(request.aw),
      .out_valid(write_pending), .out_ready(data_taken && request.w.last), .out_data(write)
  );
  bypass_fifo #(.WIDTH(MEMORY_ID_BITS + 32), .DEPTH(OUTSTANDING), .BYPASS(0)) answers (
      .clock, .reset,
      .in_valid(data_taken && request.w.last), .in_ready(room), .in_data({write.id, now + 32'(LATENCY_CYCLES)}),
      .out_valid(answer_due), .out_ready(answer_taken), .out_data({answer_id, answer_time})
  );
  // The result of the last write call is known one cycle later, in time for any latency allowed.
  bypass_fifo #(.WIDTH(1), .DEPTH(OUTSTANDING)) failures (
      .clock, .reset,
      .in_valid(failure_known), .in_ready(failure_ready), .in_data(write_failed),
      .out_valid(failure_valid), .out_ready(answer_taken), .out_data(failed)
  );

  assign write_addr = write_first ? write.addr : write_next;
  assign answer_wait = answer_time - now;

  assign response = '{
      aw_ready: write_ready && !stall[0], w_ready: data_ready,
      b_valid: answer_valid, b: '{id: answer_id, resp: failed ? RESP_DECERR : RESP_OKAY},
      ar_ready: read_ready && !stall[0], r_valid: read_valid, r: read_beat
  };

  always_ff @(posedge clock) begin
    if (reset) begin
      write_first <= 1'b1;
      failure_known <= 1'b0;
    end else begin
      failure_known <= data_taken && request.w.last;
      if (data_taken) begin
        write_failed <= nhg_memory_write(64'(write_addr), request.w.data, request.w.strb) != 0 || (write_failed && !write_first);
        write_first <= request.w.last;
        write_next <= next_beat(write_addr, write.size);
      end
      assert (!failure_known || failure_ready) else $fatal(1, "behavioural_memory: response queue overflow");
    end
  end
endmodule
