// SPDX-License-Identifier: Apache-2.0
//
// AXI4-Lite (32 or 64 bits of data, 12 of address) to the control bus of delayer_registers, whose registers have 64 bits.
// One access at a time, writes first. A write has the strobes of a whole register or of one half of it; others are
// answered with SLVERR and change nothing. Halves, as a manager with 32 bits writes them, directly or through a converter:
//   upper half (offset 4)   waits here, and the register does not change
//   lower half (offset 0)   writes the register: with the upper half that waits for it, otherwise with zeros above
// So one write sets a register whose value fits into 32 bits, and two set a longer one, the upper half first. Reads have no
// side effect: either half may be read at any time.
module axi4lite_control #(
    parameter int DATA_BITS = 64
) (
    input  logic        clock,
    input  logic        reset,
    input  logic        awvalid,
    output logic        awready,
    input  logic [11:0] awaddr,
    input  logic        wvalid,
    output logic        wready,
    input  logic [DATA_BITS-1:0] wdata,
    input  logic [DATA_BITS/8-1:0] wstrb,
    output logic        bvalid,
    input  logic        bready,
    output logic [1:0]  bresp,
    input  logic        arvalid,
    output logic        arready,
    input  logic [11:0] araddr,
    output logic        rvalid,
    input  logic        rready,
    output logic [DATA_BITS-1:0] rdata,
    output logic [1:0]  rresp,
    output logic        control_valid,
    input  logic        control_ready,
    output logic        control_write,
    output logic [11:0] control_addr,
    output logic [63:0] control_wdata,
    input  logic [63:0] control_rdata
);
  // A write is taken when address and data are there and the last answer has been, reads alike.
  wire write_ready = awvalid && wvalid && !bvalid;
  wire read_ready = arvalid && !rvalid && !write_ready;

  // The write as one of a 64-bit manager
  logic [63:0] data;
  logic [7:0] strobes;
  logic [DATA_BITS-1:0] read_data;
  if (DATA_BITS == 32) begin : g_narrow
    assign data = {2{wdata}};
    assign strobes = awaddr[2] ? {wstrb, 4'd0} : {4'd0, wstrb};
    assign read_data = araddr[2] ? control_rdata[63:32] : control_rdata[31:0];
  end else begin : g_wide
    assign data = wdata;
    assign strobes = wstrb;
    assign read_data = control_rdata;
  end
  if (DATA_BITS != 32 && DATA_BITS != 64) $error("axi4lite_control: DATA_BITS must be 32 or 64");
  wire upper_half = strobes == 8'hf0;
  wire to_register = strobes == 8'hff || strobes == 8'h0f;

  logic waits;  // an upper half waits
  logic [8:0] waits_for;
  logic [31:0] upper;
  wire with_upper = waits && waits_for == awaddr[11:3];

  assign control_valid = (write_ready && to_register) || read_ready;
  assign control_write = write_ready;
  assign control_addr = (write_ready ? awaddr : araddr) & ~12'd4;
  assign control_wdata[31:0] = data[31:0];
  assign control_wdata[63:32] = strobes[7] ? data[63:32] : with_upper ? upper : '0;
  assign awready = write_ready && (control_ready || !to_register);
  assign wready = awready;
  assign arready = read_ready && control_ready;
  assign rresp = 2'b00;

  always_ff @(posedge clock) begin
    if (reset) begin
      bvalid <= 1'b0;
      rvalid <= 1'b0;
      waits <= 1'b0;
    end else begin
      bvalid <= awready || (bvalid && !bready);
      rvalid <= arready || (rvalid && !rready);
      if (awready) begin
        bresp <= to_register || upper_half ? 2'b00 : 2'b10;
        if (to_register && with_upper) waits <= 1'b0;
        if (upper_half) begin
          waits <= 1'b1;
          waits_for <= awaddr[11:3];
          upper <= data[63:32];
        end
      end
      if (arready) rdata <= read_data;
    end
  end
endmodule
