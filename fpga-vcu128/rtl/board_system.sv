// SPDX-License-Identifier: Apache-2.0
//
// Everything of the board design that is not the vendor's, between the IP of vcu128_top:
//
//   JTAG (64-bit) ------------------------------------------> axi_serial_arbiter -> board_soc
//   PCIe (256-bit) -> axi_to_beats -> crossing -> 64-bit ---^                         | local, far (AXI4, physical
//                                                                                     v  addresses, no IDs, in order)
//   HBM <- axi_crossing <- hbm_reorder (IDs) <- hbm_guard <---------------------------+   UART <- uart_bridge
//   DDR4 <- axi_crossing <- hbm_guard <-- local memory, with LOCAL_IN_DDR4; otherwise HBM, too
//
// Clocks: core_clock for all but the far sides of the crossings, hbm_clock, local_clock, pcie_clock. Platform and memories have one
// reset, so that no crossing of theirs is reset at one end: until all clocks are stable, and again should one stop. PCIe's side comes
// and goes with its link, which beat_crossing is made for. The core's own reset is board_soc's business.
module board_system
  import bus_types::*;
  import board_types::*;
  import nhg_platform::*;
#(
    parameter bit LOCAL_IN_DDR4 = 0
) (
    input  logic                core_clock,
    input  logic                hbm_clock,
    input  logic                local_clock,  // of local memory's port
    input  logic                local_clock_unstable,
    input  logic                clocks_locked,
    input  logic                cpu_reset,
    output logic                core_reset_n,  // of the platform, core_clock
    output logic                hbm_reset_n,  // hbm_clock
    input  logic [31:0]         bitstream_commit,
    output logic [7:0]          led,
    // Index 0: local memory, local_clock; 1: far memory, hbm_clock
    output hbm_request_t [1:0]  hbm_request,
    input  hbm_response_t [1:0] hbm_response,
    output logic                local_reset_n,
    input  logic                local_complete,  // initialisation done
    input  logic [1:0]          hbm_complete,  // of each stack
    input  logic [1:0]          hbm_cattrip,
    input  logic [1:0][6:0]     hbm_temperature_c,
    // JTAG-to-AXI, core_clock
    input  jtag_request_t       jtag_request,
    output jtag_response_t      jtag_response,
    // PCIe DMA, pcie_clock
    input  logic                pcie_clock,
    input  logic                pcie_reset_n,
    input  pcie_request_t       pcie_request,
    output pcie_response_t      pcie_response,
    // UART, AXI4-Lite, core_clock
    output lite_request_t       lite_request,
    input  lite_response_t      lite_response,
    input  logic                uart_interrupt
);
  // Resets and status
  localparam logic [63:0] FAR_BYTES = LOCAL_IN_DDR4 ? HBM_FAR_SIZE : HBM_FAR_SIZE_LOCAL_HBM;
  logic reset, hbm_reset, local_reset, pcie_reset, button, local_ready;
  logic [1:0] hbm_ready, cattrip, refused;
  logic [1:0][6:0] temperature_c;
  assign core_reset_n = !reset;
  assign hbm_reset_n = !hbm_reset;
  assign local_reset_n = !local_reset;
  wire unstable = !clocks_locked || local_clock_unstable;
  reset_sync core_domain (.clock(core_clock), .cause(unstable), .reset);
  reset_sync hbm_domain (.clock(hbm_clock), .cause(unstable), .reset(hbm_reset));
  reset_sync local_domain (.clock(local_clock), .cause(unstable), .reset(local_reset));
  reset_sync pcie_domain (.clock(pcie_clock), .cause(!pcie_reset_n), .reset(pcie_reset));
  bit_sync #(.WIDTH(20)) status (
      .clock(core_clock),
      .in({cpu_reset, local_complete, hbm_complete, hbm_cattrip, hbm_temperature_c}),
      .out({button, local_ready, hbm_ready, cattrip, temperature_c})
  );

  // PCIe and JTAG onto the host's port; index 0: JTAG, 1: PCIe
  beat_request_t pcie_beat, host_beat;
  beat_response_t pcie_answer, host_answer;
  io_request_t [1:0] link_request;
  io_response_t [1:0] link_response;
  io_request_t host_request;
  io_response_t host_response;
  axi_to_beats pcie_beats (
      .clock(pcie_clock), .reset(pcie_reset), .s_request(pcie_request), .s_response(pcie_response),
      .request(pcie_beat), .response(pcie_answer)
  );
  beat_crossing pcie_crossing (
      .s_clock(pcie_clock), .s_reset(pcie_reset), .s_request(pcie_beat), .s_response(pcie_answer),
      .m_clock(core_clock), .m_reset(reset), .m_request(host_beat), .m_response(host_answer)
  );
  beat_to_axi64 pcie_words (
      .clock(core_clock), .reset, .request(host_beat), .response(host_answer),
      .m_request(link_request[1]), .m_response(link_response[1])
  );

  // An address beyond the SoC's becomes the highest one, where nothing is.
  function automatic io_address_t in_soc(input jtag_address_t a);
    return '{
        id: IO_ID_BITS'(a.id), len: a.len, size: a.size, burst: a.burst,
        addr: |a.addr[63:PADDR_BITS] ? {{(PADDR_BITS - 12) {1'b1}}, a.addr[11:0]} : PADDR_BITS'(a.addr)
    };
  endfunction
  assign link_request[0] = '{
      aw_valid: jtag_request.aw_valid, aw: in_soc(jtag_request.aw), w_valid: jtag_request.w_valid, w: jtag_request.w,
      b_ready: jtag_request.b_ready, ar_valid: jtag_request.ar_valid, ar: in_soc(jtag_request.ar), r_ready: jtag_request.r_ready
  };
  wire io_response_t jtag_answer = link_response[0];
  assign jtag_response = '{
      aw_ready: jtag_answer.aw_ready, w_ready: jtag_answer.w_ready,
      b_valid: jtag_answer.b_valid, b: '{id: jtag_answer.b.id[0], resp: jtag_answer.b.resp},
      ar_ready: jtag_answer.ar_ready, r_valid: jtag_answer.r_valid,
      r: '{id: jtag_answer.r.id[0], data: jtag_answer.r.data, resp: jtag_answer.r.resp, last: jtag_answer.r.last}
  };
  axi_serial_arbiter host_arbiter (
      .clock(core_clock), .reset, .s_request(link_request), .s_response(link_response),
      .m_request(host_request), .m_response(host_response)
  );

  // SoC, delayers, devices, host registers; index 0: local memory, 1: far memory
  memory_request_t [1:0] memory_request;
  memory_response_t [1:0] memory_response;
  uart_request_t uart_request;
  uart_response_t uart_response;
  logic core_running, exited;
  board_soc #(.FAR_BYTES(FAR_BYTES)) soc (
      .clock(core_clock), .platform_reset(reset), .local_ready, .far_ready(&hbm_ready), .cattrip, .temperature_c, .refused,
      .build_commit(bitstream_commit), .cpu_reset(button), .core_running, .exited, .host_request, .host_response,
      .local_request(memory_request[0]), .local_response(memory_response[0]),
      .far_request(memory_request[1]), .far_response(memory_response[1]),
      .uart_request, .uart_response, .uart_interrupt
  );
  uart_bridge bridge (.clock(core_clock), .reset, .request(uart_request), .response(uart_response), .lite_request, .lite_response);

  // Memory. DDR4 answers in order and takes the same bursts, its addresses are the physical ones of its 4 GiB.
  for (genvar i = 0; i < 2; i++) begin : memory
    hbm_request_t guarded_request, ordered_request;
    hbm_response_t guarded_response, ordered_response;
    hbm_guard #(
        .BASE(i == 0 ? LOCAL_BASE : FAR_BASE), .SIZE(i == 0 ? LOCAL_SIZE : FAR_BYTES), .OFFSET(i == 1 && LOCAL_IN_DDR4 ? FAR_BASE : 0),
        .ROM_BASE(BOOT_ROM_BASE), .ROM_SIZE(i == 0 ? BOOT_ROM_SIZE : 0), .IN_FLIGHT(i == 0 ? 128 : 512)
    ) guard (
        .clock(core_clock), .reset, .refused(refused[i]), .s_request(memory_request[i]), .s_response(memory_response[i]),
        .m_request(guarded_request), .m_response(guarded_response)
    );
    if (i == 0 && LOCAL_IN_DDR4) begin : in_order
      assign ordered_request = guarded_request;
      assign guarded_response = ordered_response;
    end else begin : any_order
      hbm_reorder reorder (
          .clock(core_clock), .reset, .s_request(guarded_request), .s_response(guarded_response),
          .m_request(ordered_request), .m_response(ordered_response)
      );
    end
    axi_crossing crossing (
        .core_clock, .core_reset(reset), .hbm_clock(i == 0 ? local_clock : hbm_clock), .hbm_reset(i == 0 ? local_reset : hbm_reset),
        .s_request(ordered_request), .s_response(ordered_response), .m_request(hbm_request[i]), .m_response(hbm_response[i])
    );
  end

  logic [25:0] heartbeat;
  always_ff @(posedge core_clock) heartbeat <= reset ? '0 : heartbeat + 1'b1;
  assign led = {|cattrip, !reset, &hbm_ready && local_ready, |refused, button, exited, core_running, heartbeat[25]};
endmodule
