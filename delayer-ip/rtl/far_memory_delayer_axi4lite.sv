// SPDX-License-Identifier: Apache-2.0
//
// far_memory_delayer with an AXI4-Lite control port (64-bit data, 12-bit address) and the names of the AXI
// specification, as the board design uses it. Registers: delayer_registers. WSTRB must be all ones: other writes are
// answered with SLVERR and change nothing. Parameters and data ports: far_memory_delayer.
module far_memory_delayer_axi4lite #(
    parameter int ID_BITS      = 10,
    parameter int ADDR_BITS    = 36,
    parameter int DATA_BITS    = 256,
    parameter int TRANSACTIONS = 512,
    parameter int READ_BEATS   = 1024,
    parameter int WRITE_BEATS  = 256,
    parameter int BUCKET_BYTES = 128
) (
    input  logic                   aclk,
    input  logic                   aresetn,
    // control
    input  logic                   c_awvalid,
    output logic                   c_awready,
    input  logic [11:0]            c_awaddr,
    input  logic                   c_wvalid,
    output logic                   c_wready,
    input  logic [63:0]            c_wdata,
    input  logic [7:0]             c_wstrb,
    output logic                   c_bvalid,
    input  logic                   c_bready,
    output logic [1:0]             c_bresp,
    input  logic                   c_arvalid,
    output logic                   c_arready,
    input  logic [11:0]            c_araddr,
    output logic                   c_rvalid,
    input  logic                   c_rready,
    output logic [63:0]            c_rdata,
    output logic [1:0]             c_rresp,
    // core side
    input  logic                   s_awvalid,
    output logic                   s_awready,
    input  logic [ID_BITS-1:0]     s_awid,
    input  logic [ADDR_BITS-1:0]   s_awaddr,
    input  logic [7:0]             s_awlen,
    input  logic [2:0]             s_awsize,
    input  logic [1:0]             s_awburst,
    input  logic                   s_wvalid,
    output logic                   s_wready,
    input  logic [DATA_BITS-1:0]   s_wdata,
    input  logic [DATA_BITS/8-1:0] s_wstrb,
    input  logic                   s_wlast,
    output logic                   s_bvalid,
    input  logic                   s_bready,
    output logic [ID_BITS-1:0]     s_bid,
    output logic [1:0]             s_bresp,
    input  logic                   s_arvalid,
    output logic                   s_arready,
    input  logic [ID_BITS-1:0]     s_arid,
    input  logic [ADDR_BITS-1:0]   s_araddr,
    input  logic [7:0]             s_arlen,
    input  logic [2:0]             s_arsize,
    input  logic [1:0]             s_arburst,
    output logic                   s_rvalid,
    input  logic                   s_rready,
    output logic [ID_BITS-1:0]     s_rid,
    output logic [DATA_BITS-1:0]   s_rdata,
    output logic [1:0]             s_rresp,
    output logic                   s_rlast,
    // memory side
    output logic                   m_awvalid,
    input  logic                   m_awready,
    output logic [ADDR_BITS-1:0]   m_awaddr,
    output logic [7:0]             m_awlen,
    output logic [2:0]             m_awsize,
    output logic [1:0]             m_awburst,
    output logic                   m_wvalid,
    input  logic                   m_wready,
    output logic [DATA_BITS-1:0]   m_wdata,
    output logic [DATA_BITS/8-1:0] m_wstrb,
    output logic                   m_wlast,
    input  logic                   m_bvalid,
    output logic                   m_bready,
    input  logic [1:0]             m_bresp,
    output logic                   m_arvalid,
    input  logic                   m_arready,
    output logic [ADDR_BITS-1:0]   m_araddr,
    output logic [7:0]             m_arlen,
    output logic [2:0]             m_arsize,
    output logic [1:0]             m_arburst,
    input  logic                   m_rvalid,
    output logic                   m_rready,
    input  logic [DATA_BITS-1:0]   m_rdata,
    input  logic [1:0]             m_rresp,
    input  logic                   m_rlast
);
  logic clock, reset, control_valid, control_ready, control_write;
  logic [11:0] control_addr;
  logic [63:0] control_wdata, control_rdata;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [26:0][63:0] live_counters;  // for simulation only; software reads the snapshot
  /* verilator lint_on UNUSEDSIGNAL */

  assign clock = aclk;
  assign reset = !aresetn;

  // Writes go first. A write is taken when address and data are there and the last answer has been, reads alike.
  wire write_ready = c_awvalid && c_wvalid && !c_bvalid;
  wire read_ready = c_arvalid && !c_rvalid && !write_ready;
  wire write_legal = &c_wstrb;

  assign control_valid = (write_ready && write_legal) || read_ready;
  assign control_write = write_ready;
  assign control_addr = write_ready ? c_awaddr : c_araddr;
  assign control_wdata = c_wdata;
  assign c_awready = write_ready && (control_ready || !write_legal);
  assign c_wready = c_awready;
  assign c_arready = read_ready && control_ready;
  assign c_rresp = 2'b00;

  always_ff @(posedge aclk) begin
    if (reset) begin
      c_bvalid <= 1'b0;
      c_rvalid <= 1'b0;
    end else begin
      c_bvalid <= c_awready || (c_bvalid && !c_bready);
      c_rvalid <= c_arready || (c_rvalid && !c_rready);
      if (c_awready) c_bresp <= write_legal ? 2'b00 : 2'b10;
      if (c_arready) c_rdata <= control_rdata;
    end
  end

  far_memory_delayer #(
      .ID_BITS(ID_BITS), .ADDR_BITS(ADDR_BITS), .DATA_BITS(DATA_BITS), .TRANSACTIONS(TRANSACTIONS),
      .READ_BEATS(READ_BEATS), .WRITE_BEATS(WRITE_BEATS), .BUCKET_BYTES(BUCKET_BYTES)
  ) delayer (.*);
endmodule
