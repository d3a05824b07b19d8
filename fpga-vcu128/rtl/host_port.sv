// SPDX-License-Identifier: Apache-2.0
//
// Where the host (JTAG or PCIe) enters: AXI4 subordinate, 64-bit, one burst at a time, to memory and to registers.
//   memory     boot ROM, local and far memory by physical address, while `memory_open`; otherwise SLVERR. Words of 32 bytes:
//              writes are gathered and posted with up to 16 IDs, B comes when all are done; reads go one by one.
//   registers  regions far_control, local_control and board: aligned 8-byte accesses; a beat without strobes does nothing, a partly strobed
//              one is refused with SLVERR.
// Beats must be 8 bytes wide and INCR, otherwise SLVERR; other addresses answer DECERR. A burst stays in one region.
module host_port
  import bus_types::*;
(
    input  logic               clock,
    input  logic               reset,
    input  logic               memory_open,
    input  io_request_t        host_request,
    output io_response_t       host_response,
    // registers: data one cycle after a read is taken
    output register_request_t  reg_request,
    input  register_response_t reg_response,
    // memory, one beat a burst; responses are always taken
    output memory_request_t    request,
    input  memory_response_t   response
);
  typedef enum logic [1:0] {MEMORY, REGISTER, REFUSED} kind_t;
  typedef enum logic [3:0] {
    IDLE, WRITE, POST, FINISH_WRITES, WRITE_RESPONSE, READ_REGISTER, READ_REGISTER_DATA, READ_MEMORY, READ_MEMORY_DATA, READ_RESPONSE
  } state_t;

  state_t state;
  kind_t kind;
  logic [PADDR_BITS-1:0] addr, write_addr;
  logic [7:0] beats_left;
  logic [1:0] answer;
  logic [IO_ID_BITS-1:0] id;
  logic [63:0] read_data;
  logic [15:0] in_flight;  // write IDs
  logic [3:0] write_id;
  logic [255:0] read_word, write_word;
  logic [31:0] write_strb;
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
  wire offered_write = host_request.aw_valid;
  io_address_t offered;
  assign offered = offered_write ? host_request.aw : host_request.ar;
  wire offered_well_formed = offered.size == 3'd3 && offered.burst == BURST_INCR && offered.addr[2:0] == 0;
  wire offered_memory = is_memory(offered.addr);
  wire offered_register = is_register(offered.addr);

  wire [1:0] next_lane = addr[4:3] + 2'd1;
  wire write_allowed = kind == REGISTER && &host_request.w.strb;
  wire beat_taken = host_request.w_valid && host_response.w_ready;
  wire aw_taken = request.aw_valid && response.aw_ready;
  wire w_taken = request.w_valid && response.w_ready;
  wire posted = (aw_done || aw_taken) && (w_done || w_taken);

  assign host_response = '{
      aw_ready: state == IDLE, w_ready: state == WRITE && (!reg_request.valid || reg_response.ready),
      b_valid: state == WRITE_RESPONSE, b: '{id: id, resp: answer},
      ar_ready: state == IDLE && !host_request.aw_valid,
      r_valid: state == READ_RESPONSE, r: '{id: id, data: read_data, resp: answer, last: beats_left == 0}
  };
  assign reg_request = '{
      valid: (state == WRITE && host_request.w_valid && write_allowed) || state == READ_REGISTER,
      write: state == WRITE, addr: addr, data: host_request.w.data
  };
  wire aw_offered = state == POST && !aw_done && !in_flight[write_id];
  assign request = '{
      aw_valid: aw_offered, aw: '{id: MEMORY_ID_BITS'(write_id), addr: write_addr, len: '0, size: 3'd5, burst: BURST_INCR},
      w_valid: state == POST && !w_done && (aw_done || aw_offered), w: '{data: write_word, strb: write_strb, last: 1'b1},
      b_ready: 1'b1,
      ar_valid: state == READ_MEMORY, ar: '{id: '0, addr: {addr[35:5], 5'b0}, len: '0, size: 3'd5, burst: BURST_INCR},
      r_ready: 1'b1
  };

  always_ff @(posedge clock) begin
    if (reset) begin
      state <= IDLE;
      in_flight <= '0;
      write_id <= '0;
    end else begin
      if (response.b_valid) in_flight[response.b.id[3:0]] <= 1'b0;
      if (response.b_valid && response.b.resp != RESP_OKAY) answer <= response.b.resp;
      case (state)
        IDLE:
          if (host_request.aw_valid || host_request.ar_valid) begin
            addr <= offered.addr;
            beats_left <= offered.len;
            id <= offered.id;
            write_strb <= '0;
            kind <= REFUSED;
            answer <= RESP_SLVERR;
            if (!offered_memory && !offered_register) answer <= RESP_DECERR;
            else if (offered_well_formed && (offered_register || memory_open)) begin
              kind <= offered_memory ? MEMORY : REGISTER;
              answer <= RESP_OKAY;
            end
            state <= offered_write ? WRITE : READ_REGISTER_DATA;
            if (!offered_write && offered_well_formed && offered_register) state <= READ_REGISTER;
            if (!offered_write && offered_well_formed && offered_memory && memory_open) state <= READ_MEMORY;
          end
        WRITE:
          if (beat_taken) begin
            write_word[64*addr[4:3]+:64] <= host_request.w.data;
            write_strb[8*addr[4:3]+:8] <= host_request.w.strb;
            write_addr <= {addr[35:5], 5'b0};
            addr <= addr + 36'd8;
            last_beat <= host_request.w.last;
            aw_done <= 1'b0;
            w_done <= 1'b0;
            if (kind == REGISTER && !write_allowed && host_request.w.strb != 0) answer <= RESP_SLVERR;
            if (kind == MEMORY && (host_request.w.last || addr[4:3] == 2'd3)) state <= POST;
            else if (host_request.w.last) state <= WRITE_RESPONSE;
          end
        POST: begin
          if (aw_taken) aw_done <= 1'b1;
          if (w_taken) w_done <= 1'b1;
          if (posted) begin
            in_flight[write_id] <= 1'b1;
            write_id <= write_id + 1'b1;
            write_strb <= '0;
            state <= last_beat ? FINISH_WRITES : WRITE;
          end
        end
        FINISH_WRITES: if (in_flight == 0) state <= WRITE_RESPONSE;
        WRITE_RESPONSE: if (host_request.b_ready) state <= IDLE;
        READ_REGISTER: if (reg_response.ready) state <= READ_REGISTER_DATA;
        READ_REGISTER_DATA: begin
          read_data <= kind == REGISTER ? reg_response.data : '0;
          state <= READ_RESPONSE;
        end
        READ_MEMORY: if (response.ar_ready) state <= READ_MEMORY_DATA;
        READ_MEMORY_DATA:
          if (response.r_valid) begin
            read_word <= response.r.data;
            read_data <= response.r.data[64*addr[4:3]+:64];
            if (response.r.resp != RESP_OKAY) answer <= response.r.resp;
            state <= READ_RESPONSE;
          end
        default:  // READ_RESPONSE
          if (host_request.r_ready) begin
            addr <= addr + 36'd8;
            beats_left <= beats_left - 1'b1;
            read_data <= read_word[64*next_lane+:64];
            if (beats_left == 0) state <= IDLE;
            else if (kind == REGISTER) state <= READ_REGISTER;
            else if (kind == REFUSED) state <= READ_RESPONSE;
            else if (addr[4:3] == 2'd3) state <= READ_MEMORY;
          end
      endcase
    end
  end
endmodule
