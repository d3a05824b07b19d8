// SPDX-License-Identifier: Apache-2.0
//
// Model of the PCIe DMA engine: the host program's transactions come in through host_master, in the clock of PCIe. Its reset follows
// that of the slot (PERST#), and is released 15 cycles later; the clock may stand meanwhile.
module ip_xdma (
    input  logic         sys_clk,
    input  logic         sys_clk_gt,
    input  logic         sys_rst_n,
    output logic         user_lnk_up,
    output logic [7:0]   pci_exp_txp,
    output logic [7:0]   pci_exp_txn,
    input  logic [7:0]   pci_exp_rxp,
    input  logic [7:0]   pci_exp_rxn,
    output logic         axi_aclk,
    output logic         axi_aresetn,
    input  logic         usr_irq_req,
    output logic         usr_irq_ack,
    output logic         msi_enable,
    output logic [2:0]   msi_vector_width,
    output logic [3:0]   m_axi_awid,
    output logic [63:0]  m_axi_awaddr,
    output logic [7:0]   m_axi_awlen,
    output logic [2:0]   m_axi_awsize,
    output logic [1:0]   m_axi_awburst,
    output logic         m_axi_awlock,
    output logic [3:0]   m_axi_awcache,
    output logic [2:0]   m_axi_awprot,
    output logic         m_axi_awvalid,
    input  logic         m_axi_awready,
    output logic [3:0]   m_axi_arid,
    output logic [63:0]  m_axi_araddr,
    output logic [7:0]   m_axi_arlen,
    output logic [2:0]   m_axi_arsize,
    output logic [1:0]   m_axi_arburst,
    output logic         m_axi_arlock,
    output logic [3:0]   m_axi_arcache,
    output logic [2:0]   m_axi_arprot,
    output logic         m_axi_arvalid,
    input  logic         m_axi_arready,
    output logic [255:0] m_axi_wdata,
    output logic [31:0]  m_axi_wstrb,
    output logic         m_axi_wlast,
    output logic         m_axi_wvalid,
    input  logic         m_axi_wready,
    input  logic [3:0]   m_axi_bid,
    input  logic [1:0]   m_axi_bresp,
    input  logic         m_axi_bvalid,
    output logic         m_axi_bready,
    input  logic [3:0]   m_axi_rid,
    input  logic [255:0] m_axi_rdata,
    input  logic [1:0]   m_axi_rresp,
    input  logic         m_axi_rlast,
    input  logic         m_axi_rvalid,
    output logic         m_axi_rready
);
  logic [63:0] addr;
  logic [7:0] len;
  logic [2:0] size;
  logic [3:0] reset_cycles = '0;
  logic host_reset = 1'b1;
  assign axi_aclk = sys_clk;
  assign axi_aresetn = &reset_cycles && sys_rst_n;
  always_ff @(posedge sys_clk or negedge sys_rst_n)
    if (!sys_rst_n) reset_cycles <= '0;
    else if (!(&reset_cycles)) reset_cycles <= reset_cycles + 1'b1;
  always_ff @(posedge sys_clk) host_reset <= !axi_aresetn;

  assign {pci_exp_txp, pci_exp_txn, user_lnk_up, usr_irq_ack, msi_enable, msi_vector_width} = {8'h00, 8'hff, 1'b1, 5'd0};
  assign {m_axi_awid, m_axi_arid, m_axi_awlock, m_axi_arlock, m_axi_awprot, m_axi_arprot} = '0;
  assign {m_axi_awburst, m_axi_arburst, m_axi_awcache, m_axi_arcache} = {2'b01, 2'b01, 4'd3, 4'd3};
  assign {m_axi_awaddr, m_axi_awlen, m_axi_awsize} = {addr, len, size};
  assign {m_axi_araddr, m_axi_arlen, m_axi_arsize} = {addr, len, size};

  host_master #(.LINK(1), .WORDS(4)) host (
      .clock(axi_aclk), .reset(host_reset), .awvalid(m_axi_awvalid), .awready(m_axi_awready),
      .wvalid(m_axi_wvalid), .wready(m_axi_wready), .wdata(m_axi_wdata), .wstrb(m_axi_wstrb), .wlast(m_axi_wlast),
      .bvalid(m_axi_bvalid), .bready(m_axi_bready), .bresp(m_axi_bresp), .arvalid(m_axi_arvalid), .arready(m_axi_arready),
      .addr, .len, .size, .rvalid(m_axi_rvalid), .rready(m_axi_rready), .rdata(m_axi_rdata), .rresp(m_axi_rresp),
      .rlast(m_axi_rlast)
  );
endmodule
