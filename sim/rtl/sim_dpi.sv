// SPDX-License-Identifier: Apache-2.0
//
// Contents of memory, in C++ (sim/harness/memory.h); called on events only, never every cycle.
package sim_dpi;
  // The aligned 32-byte word that holds addr; returns 0, or 1 when there is no memory.
  import "DPI-C" function int nhg_memory_read(input longint unsigned addr, output bit [255:0] data);
  // Writes the bytes of the aligned 32-byte word that strobes select; returns 0, or 1 when there is no memory.
  import "DPI-C" function int nhg_memory_write(
      input longint unsigned addr, input bit [255:0] data, input int unsigned strobes);
endpackage
