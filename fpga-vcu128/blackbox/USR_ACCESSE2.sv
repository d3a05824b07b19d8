// SPDX-License-Identifier: Apache-2.0
//
// Primitive: the 32-bit word BITSTREAM.CONFIG.USR_ACCESS of the bitstream (UG974).
(* blackbox *)
module USR_ACCESSE2 (
    output wire         CFGCLK,
    output wire [31:0]  DATA,
    output wire         DATAVALID
);
endmodule
