// SPDX-License-Identifier: Apache-2.0
//
// Everything of the board on the core's clock between the SoC and board_system: the host's way in, board control, devices
// and the way to the two memories, each behind a delayer (local memory has one so that its latency is known, too).
//   host_*   JTAG or PCIe: host_port
//   local_*  local memory and boot ROM, far_* far memory: physical addresses, IDs 0, answers in order
// `platform_reset` lasts from power-up to stable clocks; the SoC's own reset comes from the RUN register, and from the
// button `cpu_reset`, which stops the core in the same orderly way.
`include "axi.svh"
`include "nhg_probes.svh"
module board_soc
  import bus_types::*;
#(
    parameter int          WINDOW_CYCLES = 10000,  // of the busiest phase; the simulator's value
    parameter logic [63:0] FAR_BYTES     = nhg_platform::HBM_FAR_SIZE
) (
    input  logic             clock,
    input  logic             platform_reset,
    input  logic             cpu_reset,
    // status
    input  logic             local_ready,  // initialised
    input  logic             far_ready,
    input  logic [1:0]       cattrip,  // of each HBM stack
    input  logic [1:0][6:0]  temperature_c,
    input  logic [1:0]       refused,  // of each memory: a burst it cannot do
    input  logic [31:0]      build_commit,
    output logic             core_running,
    output logic             exited,
    // buses
    input  io_request_t      host_request,
    output io_response_t     host_response,
    output memory_request_t  local_request,
    input  memory_response_t local_response,
    output memory_request_t  far_request,
    input  memory_response_t far_response,
    output uart_request_t    uart_request,
    input  uart_response_t   uart_response,
    input  logic             uart_interrupt
);
  localparam int PROBES = `NHG_PROBE_COUNT;
  localparam int FAR_COUNTERS = int'(nhg_platform::FAR_COUNTERS);
  localparam int COUNTERS = 2 + FAR_COUNTERS + PROBES;

  wire reset = platform_reset;

  // SoC
  logic core_reset, started, run, host_owns;
  logic [38:0] reset_pc;
  logic [2:0] retired;
  logic [63:0] probes[PROBES];
  memory_request_t core_request;
  memory_response_t core_response;
  io_request_t io_request;
  io_response_t io_response;
  soc_tile tile (
      .clock, .reset(core_reset), .reset_pc, .interrupts({63'd0, uart_interrupt}), .retired, .probes,
      .mem_request(core_request), .mem_response(core_response), .io_request, .io_response, .dma_request('0), .dma_response()
  );
  assign core_running = !core_reset;

  // Devices
  mmio_request_t mmio_request;
  mmio_response_t mmio_response;
  register_request_t host_control, far_control_request;
  register_response_t far_control_response;
  logic host_valid, host_ready;
  logic [11:0] host_offset;
  logic [63:0] host_data;
  axi_to_mmio io_port (.reset(core_reset), .request(io_request), .response(io_response), .*);
  device_port devices (
      .reset(core_reset), .request(mmio_request), .response(mmio_response),
      .control_request(far_control_request), .control_response(far_control_response), .*
  );

  // The host's accesses to memory, its zero fill, and who has the memory port: the SoC or one of these
  register_request_t reg_request;
  register_response_t reg_response;
  memory_request_t load_request, fill_request, owner_request, request;
  memory_response_t owner_response, load_response, fill_response, response;
  logic fill_start;
  logic [35:0] fill_base, fill_bytes, fill_bytes_left;
  wire filling = fill_bytes_left != 0;
  host_port port (.memory_open(host_owns && !filling), .request(load_request), .response(load_response), .*);
  memory_fill fill (
      .start(fill_start && host_owns), .base(fill_base), .bytes(fill_bytes), .bytes_left(fill_bytes_left),
      .request(fill_request), .response(fill_response), .*
  );
  assign owner_request = filling ? fill_request : load_request;
  assign fill_response = filling ? owner_response : '0;
  assign load_response = filling ? '0 : owner_response;
  memory_owner ownership (
      .run(run && !cpu_reset && local_ready && far_ready && !filling),
      .host_request(owner_request), .host_response(owner_response), .*
  );

  // Registers: board control, and the delayers' by way of their control buses; every answer one cycle later
  logic clear_far, reg_was_far, reg_was_local;
  logic [63:0] board_data, far_held, local_held;
  register_response_t local_control_response;
  logic [COUNTERS-3:0][63:0] live_counters;
  wire reg_is_far = reg_request.addr[35:12] == nhg_platform::FAR_CONTROL_BASE[35:12];
  wire reg_is_local = reg_request.addr[35:12] == nhg_platform::LOCAL_CONTROL_BASE[35:12];
  assign host_control = clear_far
      ? register_request_t'{valid: 1'b1, write: 1'b1, addr: nhg_platform::FAR_CONTROL_CTRL[35:0], data: 64'd1}
      : register_request_t'{valid: reg_request.valid && reg_is_far, write: reg_request.write, addr: reg_request.addr, data: reg_request.data};
  assign reg_response = '{
      ready: reg_is_far ? far_control_response.ready && !clear_far : !reg_is_local || local_control_response.ready,
      data: reg_was_far ? far_held : reg_was_local ? local_held : board_data
  };
  always_ff @(posedge clock) begin
    {reg_was_far, reg_was_local} <= {reg_is_far, reg_is_local};
    far_held <= far_control_response.data;
    local_held <= local_control_response.data;
  end

  board_control #(
      .COUNTERS(COUNTERS), .WINDOW_CYCLES(WINDOW_CYCLES), .FAR_BYTES(FAR_BYTES), .COUNTER_NAMES({`NHG_PROBE_NAMES, `NHG_COUNTER_NAMES})
  ) control (
      .reg_valid(reg_request.valid && !reg_is_far && !reg_is_local), .reg_write(reg_request.write), .reg_addr(reg_request.addr[13:0]),
      .reg_wdata(reg_request.data), .reg_rdata(board_data), .clear_far_taken(clear_far && far_control_response.ready), .*
  );

  // Memories
  memory_request_t to_local, to_far;
  memory_response_t from_local, from_far;
  memory_splitter splitter (
      .clock, .reset, .request, .response,
      .local_request(to_local), .local_response(from_local), .far_request(to_far), .far_response(from_far)
  );

  logic [FAR_COUNTERS-1:0][63:0] far_counters;
  // The latency of local memory fits 10 bits, with which the calendars have 1,024 buckets instead of 65,536.
  far_memory_delayer #(.ID_BITS(MEMORY_ID_BITS), .ADDR_BITS(PADDR_BITS), .TRANSACTIONS(128), .LATENCY_BITS(10), .READ_BEATS(256)) local_delayer (
      .clock, .reset,
      .control_valid(reg_request.valid && reg_is_local), .control_ready(local_control_response.ready), .control_write(reg_request.write),
      .control_addr(reg_request.addr[11:0]), .control_wdata(reg_request.data), .control_rdata(local_control_response.data),
      .live_counters(),
      `AXI4_FLAT(s_, to_local, from_local), `AXI4_FLAT_BURST(s_, to_local), `AXI4_FLAT_ID(s_, to_local, from_local),
      `AXI4_FLAT(m_, local_request, local_response), `AXI4_FLAT_BURST(m_, local_request)
  );
  far_memory_delayer #(.ID_BITS(MEMORY_ID_BITS), .ADDR_BITS(PADDR_BITS)) far_delayer (
      .clock, .reset,
      .control_valid(far_control_request.valid), .control_ready(far_control_response.ready), .control_write(far_control_request.write),
      .control_addr(far_control_request.addr[11:0]), .control_wdata(far_control_request.data), .control_rdata(far_control_response.data),
      .live_counters(far_counters),
      `AXI4_FLAT(s_, to_far, from_far), `AXI4_FLAT_BURST(s_, to_far), `AXI4_FLAT_ID(s_, to_far, from_far),
      `AXI4_FLAT(m_, far_request, far_response), `AXI4_FLAT_BURST(m_, far_request)
  );
  assign {local_request.aw.id, local_request.ar.id, far_request.aw.id, far_request.ar.id} = '0;

  always_comb begin
    live_counters[FAR_COUNTERS-1:0] = far_counters;
    for (int i = 0; i < PROBES; i++) live_counters[FAR_COUNTERS+i] = probes[i];
  end
endmodule
