// SPDX-License-Identifier: Apache-2.0
//
// Ports of the differential input buffer (UG974).
(* blackbox *)
module IBUFDS (
    output wire O,
    input  wire I,
    input  wire IB
);
endmodule
