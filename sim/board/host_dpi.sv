// SPDX-License-Identifier: Apache-2.0
//
// The host's transactions, from sim/board/main.cc.
package host_dpi;
  // The next transaction: returns 0 when there is none, else 1 (read) or 2 (write) of `beats` 64-bit words.
  import "DPI-C" function int nhg_host_next(output longint unsigned addr, output int unsigned beats);
  // The next word to write.
  import "DPI-C" function longint unsigned nhg_host_word();
  // A word that was read and its response.
  import "DPI-C" function void nhg_host_read(input longint unsigned data, input int unsigned response);
  // The transaction is over; response of a write, 0 for a read.
  import "DPI-C" function void nhg_host_done(input int unsigned response);
endpackage
