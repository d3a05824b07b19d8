// SPDX-License-Identifier: Apache-2.0
//
// Registers through which the host runs a program and measures it: docs/reference/host-interface.md is the contract,
// tools/platform/platform.toml has the addresses. One access a cycle; rdata one cycle later; reads change nothing.
//   COUNTERS       counters in a bank: cycles, retired instructions, 8 of far memory, then the core's probes
//   COUNTER_NAMES  32 bytes each, zero padded, counter 0 in the lowest bits, first character in the lowest byte
// The core's side: stores to the host interface (device_port). Marks copy the counters; ROI_BEGIN first clears those of far
// memory through `clear_far`, so that the maximum in flight is the region's. Later marks and characters wait until that is done.
module board_control #(
    parameter int COUNTERS = 29,
    parameter logic [63:0] FAR_BYTES = nhg_platform::HBM_FAR_SIZE,  // of far memory
    parameter int WINDOW_CYCLES = 10000,
    parameter logic [256*COUNTERS-1:0] COUNTER_NAMES = '0
) (
    input  logic                      clock,
    input  logic                      reset,
    // what the board is and how it is
    input  logic [31:0]               build_commit,
    input  logic                      local_ready,
    input  logic                      far_ready,
    input  logic [1:0]                cattrip,  // of each HBM stack
    input  logic [1:0][6:0]           temperature_c,
    input  logic [1:0]                refused,
    // host
    input  logic                      reg_valid,
    input  logic                      reg_write,
    input  logic [13:0]               reg_addr,
    input  logic [63:0]               reg_wdata,
    output logic [63:0]               reg_rdata,
    output logic                      run,
    output logic [38:0]               reset_pc,
    output logic                      fill_start,
    output logic [35:0]               fill_base,
    output logic [35:0]               fill_bytes,
    input  logic [35:0]               fill_bytes_left,
    // core
    input  logic                      started,
    input  logic                      core_reset,
    input  logic                      host_valid,
    output logic                      host_ready,
    input  logic [11:0]               host_offset,
    input  logic [63:0]               host_data,
    output logic                      exited,
    output logic                      clear_far,
    input  logic                      clear_far_taken,
    input  logic [2:0]                retired,  // instructions in this cycle
    input  logic [COUNTERS-3:0][63:0] live_counters  // after cycles and retired instructions; first those of traffic_counters
);
  localparam int FAR_INTEGRAL = 4;
  localparam int FAR_BUSY = 5;
  localparam int METRICS = int'(nhg_platform::HOST_METRIC_COUNT);
  localparam int BANK_DEPTH = int'(nhg_platform::BOARD_BEGIN_COUNT);
  localparam int NAME_WORDS = 4 * COUNTERS;

  // Offsets in 8-byte words, of the board's registers and of the host interface.
  function automatic logic [10:0] board(input logic [63:0] address);
    return address[13:3];
  endfunction
  function automatic logic [8:0] device(input logic [63:0] address);
    return address[11:3];
  endfunction

  logic cattrip_seen;
  logic [63:0] cycles, instret, idle_cycles, exit_value, console_written, console_read, peak_integral, peak_busy;
  logic [1:0][63:0] scratch;
  logic [METRICS-1:0][63:0] metrics;
  logic take, banks_busy, clearing, cleared, put_ready;
  logic [1:0] take_bank;
  logic [2:0] banks_valid, marks;
  logic [63:0] bank_word, console_word, name_word;

  wire host_writes = reg_valid && reg_write;
  wire [10:0] reg_index = reg_addr[13:3];

  // The core's stores
  wire [8:0] device_index = host_offset[11:3];
  wire is_putc = device_index == device(nhg_platform::HOST_PUTC);
  wire is_begin = device_index == device(nhg_platform::HOST_ROI_BEGIN);
  wire is_end = device_index == device(nhg_platform::HOST_ROI_END);
  wire is_exit = device_index == device(nhg_platform::HOST_EXIT);
  wire [8:0] metric_index = device_index - device(nhg_platform::HOST_METRIC);
  wire counters_free = !banks_busy && !clearing && !cleared && !take;
  assign host_ready = is_putc ? put_ready : counters_free;
  wire store = host_valid && host_ready;

  console_ring #(.BYTES(8 * int'(nhg_platform::BOARD_CONSOLE_COUNT))) console (
      .clock, .restart(started || reset),
      .put_valid(host_valid && is_putc), .put_ready, .put_char(host_data[7:0]),
      .read_write(host_writes && reg_index == board(nhg_platform::BOARD_CONSOLE_READ)), .read_value(reg_wdata),
      .written(console_written), .read(console_read),
      .word_index(reg_addr[11:3]), .word(console_word)
  );

  // Counters
  counter_banks #(.COUNTERS(COUNTERS), .DEPTH(BANK_DEPTH)) banks (
      .clock, .restart(started || reset), .live({live_counters, instret, cycles}), .take, .take_bank,
      .busy(banks_busy), .valid(banks_valid), .word_index({reg_addr[11:10] - 2'd1, reg_addr[9:3]}), .word(bank_word)
  );
  phase_monitor #(.WINDOW_CYCLES(WINDOW_CYCLES)) phases (
      .clock, .restart(started || reset), .begin_region(take && take_bank == 2'd0),
      .end_region(take && take_bank == 2'd1),
      .inflight_integral(live_counters[FAR_INTEGRAL]), .busy_cycles(live_counters[FAR_BUSY]), .peak_integral, .peak_busy
  );
  assign clear_far = clearing;

  always_ff @(posedge clock) begin
    if (reset || started) begin
      {take, clearing, cleared, exited, marks} <= '0;
      take_bank <= '0;
      exit_value <= '0;
      metrics <= '0;
    end else begin
      take <= 1'b0;
      cleared <= clearing && clear_far_taken;
      if (clearing && clear_far_taken) clearing <= 1'b0;
      if (cleared) {take, take_bank} <= {1'b1, 2'd0};
      if (store) begin
        if (is_begin) clearing <= 1'b1;
        if (is_end) {take, take_bank} <= {1'b1, 2'd1};
        if (is_exit) begin
          {take, take_bank} <= {1'b1, 2'd2};
          exited <= 1'b1;
          exit_value <= host_data;
        end
        if (device_index >= device(nhg_platform::HOST_METRIC) && metric_index < 9'(METRICS))
          metrics[metric_index[3:0]] <= host_data;
      end else if (host_writes && reg_index == board(nhg_platform::BOARD_SNAPSHOT) && counters_free && !exited)
        {take, take_bank} <= {1'b1, 2'd2};
      marks <= marks | {exited && banks_valid[2] && counters_free, banks_valid[1], banks_valid[0]};
    end
  end

  always_ff @(posedge clock) begin
    if (reset || core_reset) idle_cycles <= '0;
    else idle_cycles <= retired != 0 ? '0 : idle_cycles + 1'b1;
    if (reset || started) begin
      cycles <= '0;
      instret <= '0;
    end else if (!core_reset) begin
      cycles <= cycles + 1'b1;
      instret <= instret + 64'(retired);
    end
  end

  // The host's registers
  always_ff @(posedge clock) begin
    if (reset) begin
      run <= 1'b0;
      reset_pc <= 39'(nhg_platform::RESET_PC);
      fill_base <= '0;
      scratch <= '0;
      cattrip_seen <= 1'b0;
    end else begin
      cattrip_seen <= cattrip_seen || |cattrip;
      if (host_writes && reg_index == board(nhg_platform::BOARD_RUN)) run <= reg_wdata[0];
      if (host_writes && reg_index == board(nhg_platform::BOARD_RESET_PC)) reset_pc <= reg_wdata[38:0];
      if (host_writes && reg_index == board(nhg_platform::BOARD_FILL_BASE)) fill_base <= reg_wdata[35:0];
      if (host_writes && reg_index == board(nhg_platform::BOARD_SCRATCH)) scratch[0] <= reg_wdata;
      if (host_writes && reg_index == board(nhg_platform::BOARD_SCRATCH + 64'd8)) scratch[1] <= reg_wdata;
    end
  end
  assign fill_start = host_writes && reg_index == board(nhg_platform::BOARD_FILL_BYTES);
  assign fill_bytes = reg_wdata[35:0];

  logic [63:0] status, register, read_register;
  logic [1:0] read_page;
  logic [1:0] read_block;
  always_comb begin
    status = '0;
    status[nhg_platform::BOARD_STATUS_LOCAL_READY_BIT[5:0]] = local_ready;
    status[nhg_platform::BOARD_STATUS_FAR_READY_BIT[5:0]] = far_ready;
    status[nhg_platform::BOARD_STATUS_CATTRIP_BIT[5:0]] = cattrip_seen;
    status[nhg_platform::BOARD_STATUS_RUNNING_BIT[5:0]] = !core_reset;
    status[nhg_platform::BOARD_STATUS_BUSY_BIT[5:0]] = !counters_free;
    status[nhg_platform::BOARD_STATUS_REFUSED_BIT[5:0]] = |refused;
    status[nhg_platform::BOARD_STATUS_TEMPERATURE_0_BIT[5:0]+:7] = temperature_c[0];
    status[nhg_platform::BOARD_STATUS_TEMPERATURE_1_BIT[5:0]+:7] = temperature_c[1];
  end
  always_comb begin
    register = '0;
    case (reg_index)
      board(nhg_platform::BOARD_ID): register = nhg_platform::BOARD_ID_VALUE;
      board(nhg_platform::BOARD_VERSION): register = nhg_platform::BOARD_CONTRACT_VERSION;
      board(nhg_platform::BOARD_BUILD): register = 64'(build_commit);
      board(nhg_platform::BOARD_CORE_KHZ): register = 64'd1000 * nhg_platform::FPGA_MHZ;
      board(nhg_platform::BOARD_STATUS): register = status;
      board(nhg_platform::BOARD_RUN): register = 64'(run);
      board(nhg_platform::BOARD_RESET_PC): register = 64'(reset_pc);
      board(nhg_platform::BOARD_MARKS): register = 64'(marks);
      board(nhg_platform::BOARD_EXIT_VALUE): register = exit_value;
      board(nhg_platform::BOARD_CONSOLE_WRITTEN): register = console_written;
      board(nhg_platform::BOARD_CONSOLE_READ): register = console_read;
      board(nhg_platform::BOARD_CYCLES): register = cycles;
      board(nhg_platform::BOARD_IDLE_CYCLES): register = idle_cycles;
      board(nhg_platform::BOARD_PEAK_INTEGRAL): register = peak_integral;
      board(nhg_platform::BOARD_PEAK_BUSY): register = peak_busy;
      board(nhg_platform::BOARD_WINDOW_CYCLES): register = 64'(WINDOW_CYCLES);
      board(nhg_platform::BOARD_COUNTER_COUNT): register = 64'(COUNTERS);
      board(nhg_platform::BOARD_FILL_BASE): register = 64'(fill_base);
      board(nhg_platform::BOARD_FILL_BYTES): register = 64'(fill_bytes_left);
      board(nhg_platform::BOARD_SCRATCH): register = scratch[0];
      board(nhg_platform::BOARD_SCRATCH + 64'd8): register = scratch[1];
      board(nhg_platform::BOARD_FAR_BYTES): register = FAR_BYTES;
      default:
        if (reg_addr[13:7] == nhg_platform::BOARD_METRIC[13:7]) register = metrics[reg_addr[6:3]];
    endcase
  end

  logic [63:0] names[NAME_WORDS];
  always_comb for (int i = 0; i < NAME_WORDS; i++) names[i] = COUNTER_NAMES[64*i+:64];

  always_ff @(posedge clock) begin
    read_register <= register;
    read_page <= reg_addr[13:12];
    read_block <= reg_addr[11:10];
    name_word <= 32'(reg_addr[11:3]) < NAME_WORDS ? names[($clog2(NAME_WORDS))'(reg_addr[11:3])] : '0;
  end
  always_comb begin
    case (read_page)
      2'd0: reg_rdata = read_block == 2'd0 ? read_register : bank_word;
      2'd1: reg_rdata = name_word;
      2'd2: reg_rdata = console_word;
      default: reg_rdata = '0;
    endcase
  end
endmodule
