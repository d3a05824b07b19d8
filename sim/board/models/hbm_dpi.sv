// SPDX-License-Identifier: Apache-2.0
//
// The timing model of HBM, sim/board/hbm.h: bursts go in, beats and answers come out. Called once a cycle of the AXI clock.
package hbm_dpi;
  import "DPI-C" function void nhg_hbm_read(input int port, input int id, input longint unsigned addr, input int beats);
  import "DPI-C" function void nhg_hbm_write(input int port, input int id, input longint unsigned addr, input int beats);
  import "DPI-C" function void nhg_hbm_data(input int port, input bit [255:0] data, input int unsigned strobes, input int last);
  // Whether a further read (bit 0) and write (bit 1) may come.
  import "DPI-C" function int nhg_hbm_room(input int port);
  // The next beat, the next answer: 0 if there is none.
  import "DPI-C" function int nhg_hbm_beat(input int port, output int id, output bit [255:0] data, output int resp, output int last);
  import "DPI-C" function int nhg_hbm_answer(input int port, output int id, output int resp);
  // One cycle; returns 1 while HBM is too hot.
  import "DPI-C" function int nhg_hbm_advance();
endpackage
