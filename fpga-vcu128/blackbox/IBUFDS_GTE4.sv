// SPDX-License-Identifier: Apache-2.0
//
// Primitive: input buffer of a transceiver's reference clock (UG974).
(* blackbox *)
module IBUFDS_GTE4 #(
    parameter [1:0] REFCLK_HROW_CK_SEL = 2'b00
) (
    output wire         O,
    output wire         ODIV2,
    input  wire         CEB,
    input  wire         I,
    input  wire         IB
);
endmodule
