// SPDX-License-Identifier: Apache-2.0
//
// Stands for a user's XSTop: the ports of the public NANHU-G top, and behind them just enough to see that each is connected.
// It fetches the start page, takes the address there, reads two beats of memory from it, writes them inverted 64 bytes
// further on, and stores their sum to the board's exit register. Behind the DMA port it has 2 KiB of its own, all zero. Anything it
// does not expect stops it (io_riscv_halt_0), as does a JTAG clock that stands still.
module XSTop(
  output         dma_0_awready,
  input          dma_0_awvalid,
  input  [13:0]  dma_0_awid,
  input  [35:0]  dma_0_awaddr,
  input  [7:0]   dma_0_awlen,
  input  [2:0]   dma_0_awsize,
  input  [1:0]   dma_0_awburst,
  input          dma_0_awlock,
  input  [3:0]   dma_0_awcache,
  input  [2:0]   dma_0_awprot,
  input  [3:0]   dma_0_awqos,
  output         dma_0_wready,
  input          dma_0_wvalid,
  input  [255:0] dma_0_wdata,
  input  [31:0]  dma_0_wstrb,
  input          dma_0_wlast,
  input          dma_0_bready,
  output         dma_0_bvalid,
  output [13:0]  dma_0_bid,
  output [1:0]   dma_0_bresp,
  output         dma_0_arready,
  input          dma_0_arvalid,
  input  [13:0]  dma_0_arid,
  input  [35:0]  dma_0_araddr,
  input  [7:0]   dma_0_arlen,
  input  [2:0]   dma_0_arsize,
  input  [1:0]   dma_0_arburst,
  input          dma_0_arlock,
  input  [3:0]   dma_0_arcache,
  input  [2:0]   dma_0_arprot,
  input  [3:0]   dma_0_arqos,
  input          dma_0_rready,
  output         dma_0_rvalid,
  output [13:0]  dma_0_rid,
  output [255:0] dma_0_rdata,
  output [1:0]   dma_0_rresp,
  output         dma_0_rlast,
  input          peripheral_0_awready,
  output         peripheral_0_awvalid,
  output [1:0]   peripheral_0_awid,
  output [30:0]  peripheral_0_awaddr,
  output [7:0]   peripheral_0_awlen,
  output [2:0]   peripheral_0_awsize,
  output [1:0]   peripheral_0_awburst,
  output         peripheral_0_awlock,
  output [3:0]   peripheral_0_awcache,
  output [2:0]   peripheral_0_awprot,
  output [3:0]   peripheral_0_awqos,
  input          peripheral_0_wready,
  output         peripheral_0_wvalid,
  output [63:0]  peripheral_0_wdata,
  output [7:0]   peripheral_0_wstrb,
  output         peripheral_0_wlast,
  output         peripheral_0_bready,
  input          peripheral_0_bvalid,
  input  [1:0]   peripheral_0_bid,
  input  [1:0]   peripheral_0_bresp,
  input          peripheral_0_arready,
  output         peripheral_0_arvalid,
  output [1:0]   peripheral_0_arid,
  output [30:0]  peripheral_0_araddr,
  output [7:0]   peripheral_0_arlen,
  output [2:0]   peripheral_0_arsize,
  output [1:0]   peripheral_0_arburst,
  output         peripheral_0_arlock,
  output [3:0]   peripheral_0_arcache,
  output [2:0]   peripheral_0_arprot,
  output [3:0]   peripheral_0_arqos,
  output         peripheral_0_rready,
  input          peripheral_0_rvalid,
  input  [1:0]   peripheral_0_rid,
  input  [63:0]  peripheral_0_rdata,
  input  [1:0]   peripheral_0_rresp,
  input          peripheral_0_rlast,
  input          memory_0_awready,
  output         memory_0_awvalid,
  output [13:0]  memory_0_awid,
  output [35:0]  memory_0_awaddr,
  output [7:0]   memory_0_awlen,
  output [2:0]   memory_0_awsize,
  output [1:0]   memory_0_awburst,
  output         memory_0_awlock,
  output [3:0]   memory_0_awcache,
  output [2:0]   memory_0_awprot,
  output [3:0]   memory_0_awqos,
  input          memory_0_wready,
  output         memory_0_wvalid,
  output [255:0] memory_0_wdata,
  output [31:0]  memory_0_wstrb,
  output         memory_0_wlast,
  output         memory_0_bready,
  input          memory_0_bvalid,
  input  [13:0]  memory_0_bid,
  input  [1:0]   memory_0_bresp,
  input          memory_0_arready,
  output         memory_0_arvalid,
  output [13:0]  memory_0_arid,
  output [35:0]  memory_0_araddr,
  output [7:0]   memory_0_arlen,
  output [2:0]   memory_0_arsize,
  output [1:0]   memory_0_arburst,
  output         memory_0_arlock,
  output [3:0]   memory_0_arcache,
  output [2:0]   memory_0_arprot,
  output [3:0]   memory_0_arqos,
  output         memory_0_rready,
  input          memory_0_rvalid,
  input  [13:0]  memory_0_rid,
  input  [255:0] memory_0_rdata,
  input  [1:0]   memory_0_rresp,
  input          memory_0_rlast,
  input          io_clock,
  input          io_reset,
  input  [15:0]  io_sram_config,
  input  [63:0]  io_extIntrs,
  input          io_pll0_lock,
  output [31:0]  io_pll0_ctrl_0,
  output [31:0]  io_pll0_ctrl_1,
  output [31:0]  io_pll0_ctrl_2,
  output [31:0]  io_pll0_ctrl_3,
  output [31:0]  io_pll0_ctrl_4,
  output [31:0]  io_pll0_ctrl_5,
  input          io_systemjtag_jtag_TCK,
  input          io_systemjtag_jtag_TMS,
  input          io_systemjtag_jtag_TDI,
  output         io_systemjtag_jtag_TDO_data,
  output         io_systemjtag_jtag_TDO_driven,
  input          io_systemjtag_reset,
  input  [10:0]  io_systemjtag_mfr_id,
  input  [15:0]  io_systemjtag_part_number,
  input  [3:0]   io_systemjtag_version,
  output         io_debug_reset,
  input          io_rtc_clock,
  input          io_cacheable_check_req_0_valid,
  input  [35:0]  io_cacheable_check_req_0_bits_addr,
  input  [1:0]   io_cacheable_check_req_0_bits_size,
  input  [2:0]   io_cacheable_check_req_0_bits_cmd,
  output         io_cacheable_check_resp_0_ld,
  output         io_cacheable_check_resp_0_st,
  output         io_cacheable_check_resp_0_instr,
  output         io_cacheable_check_resp_0_mmio,
  input          io_cacheable_check_req_1_valid,
  input  [35:0]  io_cacheable_check_req_1_bits_addr,
  input  [1:0]   io_cacheable_check_req_1_bits_size,
  input  [2:0]   io_cacheable_check_req_1_bits_cmd,
  output         io_cacheable_check_resp_1_ld,
  output         io_cacheable_check_resp_1_st,
  output         io_cacheable_check_resp_1_instr,
  output         io_cacheable_check_resp_1_mmio,
  output         io_riscv_halt_0,
  input  [37:0]  io_riscv_rst_vec_0
);
  localparam [30:0] START = 31'h1000_0000, EXIT = 31'h1002_0000;
  localparam [3:0] FETCH = 0, FETCHED = 1, LOAD = 2, LOADED = 3, STORE = 4, STORED = 5, REPORT = 6, REPORTED = 7, DONE = 8, FAULT = 9;
  reg [3:0] state;
  reg [1:0] word;
  reg beat, address_sent, data_sent;
  reg [35:0] pc;
  reg [511:0] line;
  wire [63:0] sum = line[63:0] + line[319:256];

  assign peripheral_0_arvalid = state == FETCH;
  assign peripheral_0_araddr = START + {26'd0, word, 3'd0};
  assign peripheral_0_rready = state == FETCHED;
  assign peripheral_0_awvalid = state == REPORT && !address_sent;
  assign peripheral_0_awaddr = EXIT;
  assign peripheral_0_wvalid = state == REPORT && !data_sent;
  assign peripheral_0_wdata = sum;
  assign {peripheral_0_wstrb, peripheral_0_wlast} = 9'h1ff;
  assign peripheral_0_bready = state == REPORTED;
  assign {peripheral_0_arid, peripheral_0_awid} = {2'd2, 2'd1};
  assign {peripheral_0_arlen, peripheral_0_awlen} = 16'd0;
  assign {peripheral_0_arsize, peripheral_0_awsize, peripheral_0_arburst, peripheral_0_awburst} = {3'd3, 3'd3, 2'd1, 2'd1};
  assign {peripheral_0_arlock, peripheral_0_arcache, peripheral_0_arprot, peripheral_0_arqos} = 12'd0;
  assign {peripheral_0_awlock, peripheral_0_awcache, peripheral_0_awprot, peripheral_0_awqos} = 12'd0;

  assign memory_0_arvalid = state == LOAD;
  assign memory_0_araddr = pc;
  assign memory_0_rready = state == LOADED;
  assign memory_0_awvalid = state == STORE && !address_sent;
  assign memory_0_awaddr = pc + 36'd64;
  assign memory_0_wvalid = state == STORE && !data_sent;
  assign memory_0_wdata = beat ? ~line[511:256] : ~line[255:0];
  assign {memory_0_wstrb, memory_0_wlast} = {32'hffff_ffff, beat};
  assign memory_0_bready = state == STORED;
  assign {memory_0_arid, memory_0_awid} = {14'h2abc, 14'h1def};
  assign {memory_0_arlen, memory_0_awlen} = {8'd1, 8'd1};
  assign {memory_0_arsize, memory_0_awsize, memory_0_arburst, memory_0_awburst} = {3'd5, 3'd5, 2'd1, 2'd1};
  assign {memory_0_arlock, memory_0_arcache, memory_0_arprot, memory_0_arqos} = 12'd0;
  assign {memory_0_awlock, memory_0_awcache, memory_0_awprot, memory_0_awqos} = 12'd0;

  reg [255:0] dma_memory [0:63];
  reg dma_writing, dma_written, dma_reading, dma_fault;
  reg [13:0] dma_write_id, dma_read_id;
  reg [5:0] dma_write_beat, dma_read_beat;
  reg [7:0] dma_writes_left, dma_reads_left;
  integer dma_index;
  initial for (dma_index = 0; dma_index < 64; dma_index = dma_index + 1) dma_memory[dma_index] = 256'd0;
  assign dma_0_awready = !dma_writing && !dma_written;
  assign dma_0_wready = dma_writing;
  assign {dma_0_bvalid, dma_0_bid, dma_0_bresp} = {dma_written, dma_write_id, 2'd0};
  assign dma_0_arready = !dma_reading;
  assign {dma_0_rvalid, dma_0_rid, dma_0_rresp} = {dma_reading, dma_read_id, 2'd0};
  assign {dma_0_rdata, dma_0_rlast} = {dma_memory[dma_read_beat], dma_reads_left == 0};
  always @(posedge io_clock)
    if (io_reset) {dma_writing, dma_written, dma_reading, dma_fault} <= 0;
    else begin
      if (dma_0_awvalid && dma_0_awready) begin
        {dma_writing, dma_write_id, dma_write_beat, dma_writes_left} <= {1'b1, dma_0_awid, dma_0_awaddr[10:5], dma_0_awlen};
        if ({dma_0_awsize, dma_0_awburst, dma_0_awlock, dma_0_awcache, dma_0_awprot, dma_0_awqos} != {3'd5, 2'd1, 1'd0, 4'd3, 7'd0}) dma_fault <= 1;
      end
      if (dma_0_wvalid && dma_0_wready) begin
        for (dma_index = 0; dma_index < 32; dma_index = dma_index + 1)
          if (dma_0_wstrb[dma_index]) dma_memory[dma_write_beat][8*dma_index+:8] <= dma_0_wdata[8*dma_index+:8];
        {dma_writing, dma_written} <= {!dma_0_wlast, dma_0_wlast};
        {dma_write_beat, dma_writes_left} <= {dma_write_beat + 6'd1, dma_writes_left - 8'd1};
        if (dma_0_wlast != (dma_writes_left == 0)) dma_fault <= 1;
      end
      if (dma_written && dma_0_bready) dma_written <= 0;
      if (dma_0_arvalid && dma_0_arready) begin
        {dma_reading, dma_read_id, dma_read_beat, dma_reads_left} <= {1'b1, dma_0_arid, dma_0_araddr[10:5], dma_0_arlen};
        if ({dma_0_arsize, dma_0_arburst, dma_0_arlock, dma_0_arcache, dma_0_arprot, dma_0_arqos} != {3'd5, 2'd1, 1'd0, 4'd3, 7'd0}) dma_fault <= 1;
      end else if (dma_reading && dma_0_rready)
        {dma_reading, dma_read_beat, dma_reads_left} <= {dma_reads_left != 0, dma_read_beat + 6'd1, dma_reads_left - 8'd1};
    end

  assign io_riscv_halt_0 = state == FAULT || dma_fault;
  assign {io_pll0_ctrl_0, io_pll0_ctrl_1, io_pll0_ctrl_2, io_pll0_ctrl_3, io_pll0_ctrl_4, io_pll0_ctrl_5} = 192'd0;
  assign {io_systemjtag_jtag_TDO_data, io_systemjtag_jtag_TDO_driven, io_debug_reset} = 3'd0;
  assign {io_cacheable_check_resp_0_ld, io_cacheable_check_resp_0_st, io_cacheable_check_resp_0_instr,
          io_cacheable_check_resp_0_mmio, io_cacheable_check_resp_1_ld, io_cacheable_check_resp_1_st,
          io_cacheable_check_resp_1_instr, io_cacheable_check_resp_1_mmio} = 8'd0;

  // The debug module's registers are on the JTAG clock, which must run; its reset and TMS keep them still.
  reg jtag_clocked;
  initial jtag_clocked = 1'b0;
  always @(posedge io_systemjtag_jtag_TCK) jtag_clocked <= io_systemjtag_reset && io_systemjtag_jtag_TMS;

  wire [63:0] expected = word == 0 ? 64'h0102_b283_0000_0297 : 64'h0000_0013_0002_8067;
  always @(posedge io_clock)
    if (io_reset) begin
      {state, word, beat, address_sent, data_sent} <= 0;
    end else
      case (state)
        FETCH: if (peripheral_0_arready) state <= FETCHED;
        FETCHED:
        if (peripheral_0_rvalid) begin
          pc <= peripheral_0_rdata[35:0];
          word <= word + 1;
          state <= word == 2 ? (peripheral_0_rdata[63:0] == {26'd0, io_riscv_rst_vec_0} ? LOAD : FAULT) : FETCH;
          if ((word != 2 && peripheral_0_rdata != expected) || !peripheral_0_rlast || peripheral_0_rresp != 0
              || peripheral_0_rid != peripheral_0_arid) state <= FAULT;
        end
        LOAD: if (memory_0_arready) state <= LOADED;
        LOADED:
        if (memory_0_rvalid) begin
          line <= {memory_0_rdata, line[511:256]};
          beat <= !beat;
          if (beat) state <= STORE;
          if (memory_0_rlast != beat || memory_0_rresp != 0 || memory_0_rid != memory_0_arid) state <= FAULT;
        end
        STORE: begin
          if (memory_0_awready) address_sent <= 1;
          if (memory_0_wvalid && memory_0_wready) begin
            beat <= 1;
            data_sent <= beat;
          end
          if (address_sent && data_sent) begin
            {address_sent, data_sent, beat} <= 0;
            state <= jtag_clocked ? STORED : FAULT;
          end
        end
        STORED: if (memory_0_bvalid) state <= memory_0_bresp == 0 && memory_0_bid == memory_0_awid ? REPORT : FAULT;
        REPORT: begin
          if (peripheral_0_awready) address_sent <= 1;
          if (peripheral_0_wready) data_sent <= 1;
          if (address_sent && data_sent) state <= REPORTED;
        end
        REPORTED:
        if (peripheral_0_bvalid)
          state <= peripheral_0_bresp == 0 && peripheral_0_bid == peripheral_0_awid ? DONE : FAULT;
        default: ;
      endcase
endmodule
