// SPDX-License-Identifier: Apache-2.0
//
// Models of the device's primitives that the top uses.
module USR_ACCESSE2 (
    output logic        CFGCLK,
    output logic [31:0] DATA,
    output logic        DATAVALID
);
  assign {CFGCLK, DATAVALID} = 2'b01;
  assign DATA = 32'h5117_0000;  // a commit that no bitstream has
endmodule

module IBUFDS (
    output logic O,
    input  logic I,
    input  logic IB
);
  assign O = I;
endmodule

module IBUFDS_GTE4 #(
    parameter logic [1:0] REFCLK_HROW_CK_SEL = 2'b00
) (
    output logic O,
    output logic ODIV2,
    input  logic CEB,
    input  logic I,
    input  logic IB
);
  assign O = I;
  assign ODIV2 = I;
endmodule
