// SPDX-License-Identifier: Apache-2.0
//
// Control registers of the delayer on a simple bus: an access is done in a cycle with valid and ready; rdata belongs
// to that cycle. Registers are 64 bits wide; offsets that are not listed or not aligned read 0 and ignore writes.
//   0x00 ID              read only
//   0x08 CTRL            write: bit 0 clears the counters, bit 1 copies them to the snapshot; reads 0
//   0x10 LATENCY_CYCLES  0 to 65535; a larger value becomes 65535
//   0x18 BW              bytes per cycle, 16.16 fixed point, 0 = unlimited; a larger value becomes 2^32-1
//   0x40 to 0x78         snapshot of the counters, in the order of traffic_counters
module delayer_registers #(
    parameter logic [63:0] ID_VALUE = 64'h4e48_475f_464d_4431  // "NHG_FMD1"
) (
    input  logic             clock,
    input  logic             reset,
    input  logic             control_valid,
    output logic             control_ready,
    input  logic             control_write,
    input  logic [11:0]      control_addr,
    input  logic [63:0]      control_wdata,
    output logic [63:0]      control_rdata,
    output logic [15:0]      latency_cycles,
    output logic [31:0]      rate,
    output logic             clear,
    output logic             take_snapshot,
    input  logic [7:0][63:0] snapshot
);
  wire aligned = control_addr[2:0] == 3'd0;
  wire [8:0] index = control_addr[11:3];
  wire write = control_valid && control_write && aligned;

  assign control_ready = 1'b1;
  assign clear = write && index == 9'd1 && control_wdata[0];
  assign take_snapshot = write && index == 9'd1 && control_wdata[1];

  always_comb begin
    control_rdata = '0;
    if (aligned && index[8:3] == 6'd1) control_rdata = snapshot[index[2:0]];
    else if (aligned && index == 9'd0) control_rdata = ID_VALUE;
    else if (aligned && index == 9'd2) control_rdata = 64'(latency_cycles);
    else if (aligned && index == 9'd3) control_rdata = 64'(rate);
  end

  always_ff @(posedge clock) begin
    if (reset) begin
      latency_cycles <= '0;
      rate <= '0;
    end else if (write) begin
      if (index == 9'd2) latency_cycles <= |control_wdata[63:16] ? '1 : control_wdata[15:0];
      if (index == 9'd3) rate <= |control_wdata[63:32] ? '1 : control_wdata[31:0];
    end
  end
endmodule
