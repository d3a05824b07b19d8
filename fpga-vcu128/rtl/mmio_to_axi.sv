// SPDX-License-Identifier: Apache-2.0
//
// NH-G's device port to a 64-bit AXI4 manager: one single-beat transfer at a time.
module mmio_to_axi #(
    parameter int ADDR_BITS = 36
) (
    input  logic                 clock,
    input  logic                 reset,
    input  logic                 req_valid,
    output logic                 req_ready,
    input  logic [ADDR_BITS-1:0] req_addr,
    input  logic                 req_write,
    input  logic [1:0]           req_size,
    input  logic [63:0]          req_data,
    input  logic [7:0]           req_mask,
    output logic                 resp_valid,
    output logic [63:0]          resp_data,
    output logic                 resp_error,
    output logic                 awvalid,
    input  logic                 awready,
    output logic                 wvalid,
    input  logic                 wready,
    input  logic                 bvalid,
    output logic                 bready,
    input  logic [1:0]           bresp,
    output logic                 arvalid,
    input  logic                 arready,
    input  logic                 rvalid,
    output logic                 rready,
    input  logic [63:0]          rdata,
    input  logic [1:0]           rresp,
    // payload of AW and AR, and of W
    output logic [ADDR_BITS-1:0] addr,
    output logic [2:0]           size,
    output logic [63:0]          wdata,
    output logic [7:0]           wstrb
);
  logic busy, write, address_sent, data_sent;

  assign req_ready = !busy;
  assign awvalid = busy && write && !address_sent;
  assign wvalid = busy && write && !data_sent;
  assign arvalid = busy && !write && !address_sent;
  assign bready = busy && write;
  assign rready = busy && !write;
  assign resp_valid = (bvalid && bready) || (rvalid && rready);
  assign resp_data = rdata;
  assign resp_error = write ? bresp[1] : rresp[1];

  always_ff @(posedge clock) begin
    if (reset) begin
      busy <= 1'b0;
    end else if (!busy) begin
      busy <= req_valid;
      {address_sent, data_sent} <= '0;
      write <= req_write;
      addr <= req_addr;
      size <= {1'b0, req_size};
      wdata <= req_data;
      wstrb <= req_mask;
    end else begin
      busy <= !resp_valid;
      address_sent <= address_sent || (awvalid && awready) || (arvalid && arready);
      data_sent <= data_sent || (wvalid && wready);
    end
  end
endmodule
