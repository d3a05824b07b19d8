// SPDX-License-Identifier: Apache-2.0
//
// Where the host (JTAG or PCIe) enters: AXI4 subordinate, 64-bit, one burst at a time, to memory and to registers.
//   memory     boot ROM, local and far memory by physical address, while `memory_open`; otherwise SLVERR. Words of 32 bytes:
//              writes are gathered and posted with up to 16 IDs, B comes when all are done; reads go one by one.
//   registers  regions far_control, local_control and board: aligned 8-byte accesses; a beat without strobes does nothing, a partly strobed
//              one is refused with SLVERR.
// Beats must be 8 bytes wide and INCR, otherwise SLVERR; other addresses answer DECERR. A burst stays in one region.
module host_port (
    input  logic         clock,
    input  logic         reset,
    input  logic         memory_open,
    input  logic         h_awvalid,
    output logic         h_awready,
    input  logic [3:0]   h_awid,
    input  logic [35:0]  h_awaddr,
    input  logic [7:0]   h_awlen,
    input  logic [2:0]   h_awsize,
    input  logic [1:0]   h_awburst,
    input  logic         h_wvalid,
    output logic         h_wready,
    input  logic [63:0]  h_wdata,
    input  logic [7:0]   h_wstrb,
    input  logic         h_wlast,
    output logic         h_bvalid,
    input  logic         h_bready,
    output logic [3:0]   h_bid,
    output logic [1:0]   h_bresp,
    input  logic         h_arvalid,
    output logic         h_arready,
    input  logic [3:0]   h_arid,
    input  logic [35:0]  h_araddr,
    input  logic [7:0]   h_arlen,
    input  logic [2:0]   h_arsize,
    input  logic [1:0]   h_arburst,
    output logic         h_rvalid,
    input  logic         h_rready,
    output logic [3:0]   h_rid,
    output logic [63:0]  h_rdata,
    output logic [1:0]   h_rresp,
    output logic         h_rlast,
    // registers: rdata one cycle after a read is taken
    output logic         reg_valid,
    input  logic         reg_ready,
    output logic         reg_write,
    output logic [35:0]  reg_addr,
    output logic [63:0]  reg_wdata,
    input  logic [63:0]  reg_rdata,
    // memory, one beat a burst; responses are always taken
    output logic         awvalid,
    input  logic         awready,
    output logic [3:0]   awid,
    output logic [35:0]  awaddr,
    output logic         wvalid,
    input  logic         wready,
    output logic [255:0] wdata,
    output logic [31:0]  wstrb,
    input  logic         bvalid,
    input  logic [3:0]   bid,
    input  logic [1:0]   bresp,
    output logic         arvalid,
    input  logic         arready,
    output logic [35:0]  araddr,
    input  logic         rvalid,
    input  logic [255:0] rdata,
    input  logic [1:0]   rresp
);
  localparam logic [1:0] OKAY = 2'b00, SLVERR = 2'b10, DECERR = 2'b11;
  typedef enum logic [1:0] {MEMORY, REGISTER, REFUSED} kind_t;
  typedef enum logic [3:0] {
    IDLE, WRITE, POST, FINISH_WRITES, WRITE_RESPONSE, READ_REGISTER, READ_REGISTER_DATA, READ_MEMORY, READ_MEMORY_DATA, READ_RESPONSE
  } state_t;

  state_t state;
  kind_t kind;
  logic [35:0] addr;
  logic [7:0] beats_left;
  logic [1:0] answer;
  logic [15:0] in_flight;  // write IDs
  logic [255:0] read_word;
  logic last_beat, aw_done, w_done;

  function automatic logic inside_region(input logic [35:0] address, input logic [63:0] base, input logic [63:0] size);
    return 64'(address) >= base && 64'(address) < base + size;
  endfunction
  function automatic logic is_memory(input logic [35:0] address);
    return inside_region(address, nhg_platform::BOOT_ROM_BASE, nhg_platform::BOOT_ROM_SIZE)
        || inside_region(address, nhg_platform::LOCAL_BASE, nhg_platform::LOCAL_SIZE)
        || inside_region(address, nhg_platform::FAR_BASE, nhg_platform::FAR_SIZE);
  endfunction
  function automatic logic is_register(input logic [35:0] address);
    return inside_region(address, nhg_platform::FAR_CONTROL_BASE, nhg_platform::FAR_CONTROL_SIZE)
        || inside_region(address, nhg_platform::LOCAL_CONTROL_BASE, nhg_platform::LOCAL_CONTROL_SIZE)
        || inside_region(address, nhg_platform::BOARD_BASE, nhg_platform::BOARD_SIZE);
  endfunction

  // Classification of the burst that is offered; writes go first.
  wire offered_write = h_awvalid;
  wire [35:0] offered_addr = offered_write ? h_awaddr : h_araddr;
  wire offered_well_formed = offered_write ? h_awsize == 3'd3 && h_awburst == 2'b01 && h_awaddr[2:0] == 0
                                           : h_arsize == 3'd3 && h_arburst == 2'b01 && h_araddr[2:0] == 0;
  wire offered_memory = is_memory(offered_addr);
  wire offered_register = is_register(offered_addr);

  wire [1:0] next_lane = addr[4:3] + 2'd1;
  wire write_allowed = kind == REGISTER && &h_wstrb;
  wire beat_taken = h_wvalid && h_wready;
  wire posted = (aw_done || (awvalid && awready)) && (w_done || (wvalid && wready));

  assign h_awready = state == IDLE;
  assign h_arready = state == IDLE && !h_awvalid;
  assign h_wready = state == WRITE && (!reg_valid || reg_ready);
  assign h_bvalid = state == WRITE_RESPONSE;
  assign h_bresp = answer;
  assign h_rvalid = state == READ_RESPONSE;
  assign h_rresp = answer;
  assign h_rlast = beats_left == 0;

  assign reg_valid = (state == WRITE && h_wvalid && write_allowed) || state == READ_REGISTER;
  assign reg_write = state == WRITE;
  assign reg_addr = addr;
  assign reg_wdata = h_wdata;

  assign awvalid = state == POST && !aw_done && !in_flight[awid];
  assign wvalid = state == POST && !w_done && (aw_done || awvalid);
  assign arvalid = state == READ_MEMORY;
  assign araddr = {addr[35:5], 5'b0};

  always_ff @(posedge clock) begin
    if (reset) begin
      state <= IDLE;
      in_flight <= '0;
      awid <= '0;
    end else begin
      if (bvalid) in_flight[bid] <= 1'b0;
      if (bvalid && bresp != OKAY) answer <= bresp;
      case (state)
        IDLE:
          if (h_awvalid || h_arvalid) begin
            addr <= offered_addr;
            beats_left <= offered_write ? h_awlen : h_arlen;
            h_bid <= h_awid;
            h_rid <= h_arid;
            wstrb <= '0;
            kind <= REFUSED;
            answer <= SLVERR;
            if (!offered_memory && !offered_register) answer <= DECERR;
            else if (offered_well_formed && (offered_register || memory_open)) begin
              kind <= offered_memory ? MEMORY : REGISTER;
              answer <= OKAY;
            end
            state <= offered_write ? WRITE : READ_REGISTER_DATA;
            if (!offered_write && offered_well_formed && offered_register) state <= READ_REGISTER;
            if (!offered_write && offered_well_formed && offered_memory && memory_open) state <= READ_MEMORY;
          end
        WRITE:
          if (beat_taken) begin
            wdata[64*addr[4:3]+:64] <= h_wdata;
            wstrb[8*addr[4:3]+:8] <= h_wstrb;
            awaddr <= {addr[35:5], 5'b0};
            addr <= addr + 36'd8;
            last_beat <= h_wlast;
            aw_done <= 1'b0;
            w_done <= 1'b0;
            if (kind == REGISTER && !write_allowed && h_wstrb != 0) answer <= SLVERR;
            if (kind == MEMORY && (h_wlast || addr[4:3] == 2'd3)) state <= POST;
            else if (h_wlast) state <= WRITE_RESPONSE;
          end
        POST: begin
          if (awvalid && awready) aw_done <= 1'b1;
          if (wvalid && wready) w_done <= 1'b1;
          if (posted) begin
            in_flight[awid] <= 1'b1;
            awid <= awid + 1'b1;
            wstrb <= '0;
            state <= last_beat ? FINISH_WRITES : WRITE;
          end
        end
        FINISH_WRITES: if (in_flight == 0) state <= WRITE_RESPONSE;
        WRITE_RESPONSE: if (h_bready) state <= IDLE;
        READ_REGISTER: if (reg_ready) state <= READ_REGISTER_DATA;
        READ_REGISTER_DATA: begin
          h_rdata <= kind == REGISTER ? reg_rdata : '0;
          state <= READ_RESPONSE;
        end
        READ_MEMORY: if (arready) state <= READ_MEMORY_DATA;
        READ_MEMORY_DATA:
          if (rvalid) begin
            read_word <= rdata;
            h_rdata <= rdata[64*addr[4:3]+:64];
            if (rresp != OKAY) answer <= rresp;
            state <= READ_RESPONSE;
          end
        default:  // READ_RESPONSE
          if (h_rready) begin
            addr <= addr + 36'd8;
            beats_left <= beats_left - 1'b1;
            h_rdata <= read_word[64*next_lane+:64];
            if (beats_left == 0) state <= IDLE;
            else if (kind == REGISTER) state <= READ_REGISTER;
            else if (kind == REFUSED) state <= READ_RESPONSE;
            else if (addr[4:3] == 2'd3) state <= READ_MEMORY;
          end
      endcase
    end
  end
endmodule
