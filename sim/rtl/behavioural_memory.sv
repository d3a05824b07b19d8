// SPDX-License-Identifier: Apache-2.0
//
// Behavioural AXI4 memory, 256-bit, contents in the harness (sim_dpi). INCR bursts of any size; in order.
//   LATENCY_CYCLES  AR (later of AW and last W) handshake to the first R beat (B) of an idle memory, at least 2
//   OUTSTANDING     requests accepted and not answered, each way, a power of two
// One beat a cycle each way. Addresses without memory answer DECERR. A write takes effect with its W handshake,
// a read sees memory in the cycle before its beat is offered. `stall` holds up requests (bit 0), write data (1) and read beats (2).
module behavioural_memory
  import sim_dpi::*;
#(
    parameter int ID_BITS        = 11,
    parameter int ADDR_BITS      = 36,
    parameter int LATENCY_CYCLES = 20,
    parameter int OUTSTANDING    = 64
) (
    input  logic                 clock,
    input  logic                 reset,
    input  logic [2:0]           stall = '0,
    input  logic                 awvalid,
    output logic                 awready,
    input  logic [ID_BITS-1:0]   awid,
    input  logic [ADDR_BITS-1:0] awaddr,
    input  logic [2:0]           awsize,
    input  logic                 wvalid,
    output logic                 wready,
    input  logic [255:0]         wdata,
    input  logic [31:0]          wstrb,
    input  logic                 wlast,
    output logic                 bvalid,
    input  logic                 bready,
    output logic [ID_BITS-1:0]   bid,
    output logic [1:0]           bresp,
    input  logic                 arvalid,
    output logic                 arready,
    input  logic [ID_BITS-1:0]   arid,
    input  logic [ADDR_BITS-1:0] araddr,
    input  logic [7:0]           arlen,
    input  logic [2:0]           arsize,
    output logic                 rvalid,
    input  logic                 rready,
    output logic [ID_BITS-1:0]   rid,
    output logic [255:0]         rdata,
    output logic [1:0]           rresp,
    output logic                 rlast
);
  if (LATENCY_CYCLES < 2) $error("behavioural_memory: LATENCY_CYCLES must be at least 2");

  logic [31:0] now;
  always_ff @(posedge clock) now <= reset ? '0 : now + 1'b1;

  function automatic logic [ADDR_BITS-1:0] next_beat(input logic [ADDR_BITS-1:0] addr, input logic [2:0] size);
    return ((addr >> size) + 1'b1) << size;
  endfunction

  // Reads
  logic read_valid, read_taken, read_first;
  logic [ID_BITS-1:0] read_id;
  logic [ADDR_BITS-1:0] read_start, read_next, read_addr;
  logic [7:0] read_len, read_beat;
  logic [2:0] read_size;
  logic [31:0] read_time, read_wait;

  logic reads_ready, writes_ready;
  assign arready = reads_ready && !stall[0];
  assign awready = writes_ready && !stall[0];
  bypass_fifo #(.WIDTH(ID_BITS + ADDR_BITS + 43), .DEPTH(OUTSTANDING), .BYPASS(0)) reads (
      .clock, .reset,
      .in_valid(arvalid && !stall[0]), .in_ready(reads_ready),
      .in_data({arid, araddr, arlen, arsize, now + 32'(LATENCY_CYCLES - 1)}),
      .out_valid(read_valid), .out_ready(read_taken), .out_data({read_id, read_start, read_len, read_size, read_time})
  );

  assign read_wait = read_time - now;
  assign read_addr = read_first ? read_start : read_next;
  wire read_last = read_beat == read_len;
  wire read_load = read_valid && (read_wait[31] || read_wait == 0) && (!rvalid || rready) && !stall[2];
  assign read_taken = read_load && read_last;

  always_ff @(posedge clock) begin
    if (reset) begin
      rvalid <= 1'b0;
      read_first <= 1'b1;
      read_beat <= '0;
    end else begin
      if (read_load) begin
        rresp <= nhg_memory_read(64'(read_addr), rdata) == 0 ? 2'b00 : 2'b11;
        rid <= read_id;
        rlast <= read_last;
        read_first <= read_last;
        read_beat <= read_last ? '0 : read_beat + 1'b1;
        read_next <= next_beat(read_addr, read_size);
      end
      rvalid <= read_load || (rvalid && !rready);
    end
  end

  // Writes
  logic write_valid, write_first, write_failed, response_ready, response_valid;
  logic failure_known, failed, failure_ready, failure_valid;
  logic [ID_BITS-1:0] write_id;
  logic [ADDR_BITS-1:0] write_start, write_next, write_addr;
  logic [2:0] write_size;
  logic [31:0] response_time, response_wait;
  wire data_taken = wvalid && wready;

  bypass_fifo #(.WIDTH(ID_BITS + ADDR_BITS + 3), .DEPTH(OUTSTANDING)) writes (
      .clock, .reset,
      .in_valid(awvalid && !stall[0]), .in_ready(writes_ready), .in_data({awid, awaddr, awsize}),
      .out_valid(write_valid), .out_ready(data_taken && wlast), .out_data({write_id, write_start, write_size})
  );
  bypass_fifo #(.WIDTH(ID_BITS + 32), .DEPTH(OUTSTANDING), .BYPASS(0)) responses (
      .clock, .reset,
      .in_valid(data_taken && wlast), .in_ready(response_ready), .in_data({write_id, now + 32'(LATENCY_CYCLES)}),
      .out_valid(response_valid), .out_ready(bvalid && bready), .out_data({bid, response_time})
  );
  // The result of the last write call is known one cycle later, in time for any latency allowed.
  bypass_fifo #(.WIDTH(1), .DEPTH(OUTSTANDING)) failures (
      .clock, .reset,
      .in_valid(failure_known), .in_ready(failure_ready), .in_data(write_failed),
      .out_valid(failure_valid), .out_ready(bvalid && bready), .out_data(failed)
  );

  assign write_addr = write_first ? write_start : write_next;
  assign wready = write_valid && response_ready && !stall[1];
  assign response_wait = response_time - now;
  assign bvalid = response_valid && failure_valid && (response_wait[31] || response_wait == 0);
  assign bresp = failed ? 2'b11 : 2'b00;

  always_ff @(posedge clock) begin
    if (reset) begin
      write_first <= 1'b1;
      failure_known <= 1'b0;
    end else begin
      failure_known <= data_taken && wlast;
      if (data_taken) begin
        write_failed <= nhg_memory_write(64'(write_addr), wdata, wstrb) != 0 || (write_failed && !write_first);
        write_first <= wlast;
        write_next <= next_beat(write_addr, write_size);
      end
      assert (!failure_known || failure_ready) else $fatal(1, "behavioural_memory: response queue overflow");
    end
  end
endmodule
