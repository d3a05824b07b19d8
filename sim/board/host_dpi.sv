// SPDX-License-Identifier: Apache-2.0
//
// The host's transactions, from sim/board/main.cc. `link`: 0 JTAG, 1 PCIe.
package host_dpi;
  // The next transaction: returns 0 when there is none, else 1 (read) or 2 (write) of `words` 64-bit words.
  import "DPI-C" function int nhg_host_next(input int link, output longint unsigned addr, output int unsigned words);
  // The next word to write.
  import "DPI-C" function longint unsigned nhg_host_word();
  // A word that was read.
  import "DPI-C" function void nhg_host_read(input longint unsigned data);
  // A response of the transaction, and whether it was the last.
  import "DPI-C" function void nhg_host_response(input int unsigned response, input int unsigned last);
endpackage
