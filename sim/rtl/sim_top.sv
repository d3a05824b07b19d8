// SPDX-License-Identifier: Apache-2.0
//
// Top of the simulation: the core (NhgSoc), local memory, far memory behind the delayer, devices. Memory contents,
// console and the end of the program live in the harness (sim_dpi). The probe ports and the commit trace of the core are
// listed by nhg_probes.svh, which shell/probes.py writes from the core's port list. Input of the UART comes from the harness, what it transmits goes to
// the console.
//   LOCAL_LATENCY_CYCLES  local memory and boot ROM: request to first beat
//   FAR_LATENCY_CYCLES    the memory behind the delayer; part of the configured far latency
`include "axi.svh"
`include "nhg_probes.svh"
module sim_top
  import bus_types::*;
#(
    parameter int LOCAL_LATENCY_CYCLES = int'(nhg_platform::LOCAL_LATENCY_CYCLES),
    parameter int FAR_LATENCY_CYCLES   = 20
) (
    input  logic             clock,
    input  logic             reset,
    input  logic [38:0]      reset_pc,
    input  logic             host_control_write,
    input  logic [11:0]      host_control_addr,
    input  logic [63:0]      host_control_wdata,
    input  logic [1:0][2:0]  memory_stall, // local, far; see behavioural_memory
    input  logic             uart_receive_valid,
    output logic             uart_receive_ready,
    input  logic [7:0]       uart_receive_data,
    // bytes that the UART has received, as the PLIC has seen it; and before the last access of the UART
    output logic [31:0]      uart_received,
    output logic [31:0]      uart_received_at_access,
    output logic [63:0]      far_counters[int'(nhg_platform::FAR_COUNTERS)],
    output logic [63:0]      probes[`NHG_PROBE_COUNT],
    // commit trace, slot 0 is the oldest of a cycle
    output logic [`NHG_COMMIT_WIDTH-1:0] commit_valid,
    output logic [`NHG_COMMIT_WIDTH-1:0] commit_writes,
    output logic [`NHG_COMMIT_WIDTH-1:0] commit_trap,
    output logic [`NHG_COMMIT_WIDTH-1:0] commit_mem_valid,
    output logic [`NHG_COMMIT_WIDTH-1:0] commit_mem_is_mmio,
    output logic [63:0]      commit_pc[`NHG_COMMIT_WIDTH],
    output logic [31:0]      commit_inst[`NHG_COMMIT_WIDTH],
    output logic             commit_rd_class[`NHG_COMMIT_WIDTH],
    output logic [4:0]       commit_rd[`NHG_COMMIT_WIDTH],
    output logic [63:0]      commit_rd_value[`NHG_COMMIT_WIDTH],
    output logic [63:0]      commit_cause[`NHG_COMMIT_WIDTH],
    output logic [63:0]      commit_tval[`NHG_COMMIT_WIDTH],
    output logic [63:0]      commit_mem_addr[`NHG_COMMIT_WIDTH],
    output logic [63:0]      commit_fetch_first[`NHG_COMMIT_WIDTH],
    output logic [63:0]      commit_fetch_last[`NHG_COMMIT_WIDTH],
    // before the instruction of slot 0: mode, time, CSRs of tools/platform/csrs.toml
    output logic [1:0]       privileged_mode,
    output logic [63:0]      privileged_time,
    output logic             privileged_sleeps, // that instruction is a wfi
    output logic [63:0]      privileged_csrs[int'(nhg_platform::PRIVILEGED_CSR_COUNT)]
);
  localparam int CORE_ID_BITS = 11;
  localparam int unsigned HOST_PUTC = 32'(nhg_platform::HOST_PUTC - nhg_platform::HOST_BASE);

  // Store to the host interface, byte offset from its base (sim/harness).
  import "DPI-C" function void nhg_host_write(input int unsigned offset, input longint unsigned data);

  // Memory port of the core, local memory, delayer, the memory behind it
  memory_request_t request, local_request, far_request, delayed_request;
  memory_response_t response, local_response, far_response, delayed_response;
  logic [CORE_ID_BITS-1:0] awid, arid;
  mmio_request_t mmio_request;
  mmio_response_t mmio_response;
  logic uart_interrupt;
  localparam int UART_LINE = int'(nhg_platform::PLIC_UART_SOURCE) - 1;

  NhgSoc core (
      `NHG_COMMIT_PORTS
      `NHG_PROBE_PORTS
      .clock, .reset, .reset_pc, .interrupts(int'(nhg_platform::PLIC_SOURCES)'(uart_interrupt) << UART_LINE),
      `AXI4_FLAT(mem_, request, response),
      .mem_awid(awid), .mem_bid(response.b.id[CORE_ID_BITS-1:0]), .mem_arid(arid), .mem_rid(response.r.id[CORE_ID_BITS-1:0]),
      `MMIO_FLAT(mmio_, mmio_request, mmio_response)
  );
  assign request.aw.id = MEMORY_ID_BITS'(awid);
  assign request.ar.id = MEMORY_ID_BITS'(arid);
  assign request.aw.burst = BURST_INCR;
  assign request.ar.burst = BURST_INCR;

  axi4_checker #(.ID_BITS(CORE_ID_BITS), .UNIQUE_IDS(1)) core_port_checker (
      .clock, .reset, `AXI4_FLAT(, request, response), `AXI4_FLAT_BURST(, request),
      .awid, .bid(response.b.id[CORE_ID_BITS-1:0]), .arid, .rid(response.r.id[CORE_ID_BITS-1:0])
  );

  memory_splitter splitter (.*);
  behavioural_memory #(.LATENCY_CYCLES(LOCAL_LATENCY_CYCLES), .OUTSTANDING(128)) local_memory (
      .clock, .reset, .stall(memory_stall[0]), .request(local_request), .response(local_response)
  );

  // Devices
  logic host_valid;
  logic [11:0] host_offset;
  logic [63:0] host_data;
  register_request_t host_control, control_request;
  register_response_t control_response;
  uart_request_t uart_request;
  uart_response_t uart_response;
  logic uart_transmit_valid;
  logic [7:0] uart_transmit_data;
  logic [31:0] received;
  assign host_control = '{
      valid: host_control_write, write: host_control_write, addr: PADDR_BITS'(host_control_addr), data: host_control_wdata
  };
  device_port devices (
      .clock, .reset, .request(mmio_request), .response(mmio_response), .host_valid, .host_ready(1'b1), .host_offset, .host_data,
      .uart_request, .uart_response, .host_control, .control_request, .control_response
  );
  uart_16550 uart (
      .clock, .reset, .request(uart_request), .response(uart_response), .interrupt(uart_interrupt),
      .receive_valid(uart_receive_valid), .receive_ready(uart_receive_ready), .receive_data(uart_receive_data),
      .transmit_valid(uart_transmit_valid), .transmit_data(uart_transmit_data), .received
  );
  always_ff @(posedge clock) begin
    if (!reset && host_valid) nhg_host_write(32'(host_offset), host_data);
    if (!reset && uart_transmit_valid) nhg_host_write(HOST_PUTC, 64'(uart_transmit_data));
    uart_received <= reset ? '0 : received;
    if (reset) uart_received_at_access <= '0;
    else if (uart_request.valid) uart_received_at_access <= received;
  end

  // Far memory behind the delayer
  logic [nhg_platform::FAR_COUNTERS-1:0][63:0] live_counters;
  far_memory_delayer #(.ID_BITS(MEMORY_ID_BITS), .ADDR_BITS(PADDR_BITS)) delayer (
      .clock, .reset,
      .control_valid(control_request.valid), .control_ready(control_response.ready), .control_write(control_request.write),
      .control_addr(control_request.addr[11:0]), .control_wdata(control_request.data), .control_rdata(control_response.data),
      .live_counters,
      `AXI4_FLAT(s_, far_request, far_response), `AXI4_FLAT_BURST(s_, far_request), `AXI4_FLAT_ID(s_, far_request, far_response),
      `AXI4_FLAT(m_, delayed_request, delayed_response), `AXI4_FLAT_BURST(m_, delayed_request)
  );
  assign {delayed_request.aw.id, delayed_request.ar.id} = '0;

  behavioural_memory #(.LATENCY_CYCLES(FAR_LATENCY_CYCLES), .OUTSTANDING(64)) far_memory (
      .clock, .reset, .stall(memory_stall[1]), .request(delayed_request), .response(delayed_response)
  );

  always_comb begin
    for (int i = 0; i < int'(nhg_platform::FAR_COUNTERS); i++) far_counters[i] = live_counters[i];
  end
endmodule
