// SPDX-License-Identifier: Apache-2.0
//
// File layout of a checkpoint and of the state page its restore stub reads; described in checkpoint.md.
// All fields are little endian. Shared by the writer, the reader and (offsets only) the assembler stub.
#ifndef NHG_CHECKPOINT_FORMAT_H
#define NHG_CHECKPOINT_FORMAT_H

#include "platform.h"

// State page, in the boot ROM: 64-bit words at these byte offsets.
#define NHG_STATE_PAGE (NHG_BOOT_ROM_BASE + 0x1000)
#define NHG_STATE_PC 0x000
#define NHG_STATE_X 0x000    // x1..x31 at 8 * index
#define NHG_STATE_MODE 0x100 // as dcsr.prv
#define NHG_STATE_AMUCTL 0x108
#define NHG_STATE_AMUCFG 0x110    // amucfg0..5
#define NHG_STATE_SPM_BYTES 0x140 // bytes of SPM to copy, multiple of 8
#define NHG_STATE_FCSR 0x148
#define NHG_STATE_MCYCLE 0x158
#define NHG_STATE_MINSTRET 0x160
#define NHG_STATE_CLOCK 0x168    // cycles of the golden model's clock
#define NHG_STATE_TRIGGERS 0x180 // tdata1, tdata2 of each of the four triggers
#define NHG_STATE_F 0x200        // f0..f31 at 8 * index
#define NHG_STATE_CSRS 0x300     // NHG_PRIVILEGED_CSRS of platform.h in their order
// Sections of the devices behind the CSRs: name (8 bytes), number of accesses, and of each address and value; a name of zero ends them. The stub reads them
// from the middle of the page, so that a load reaches each.
#define NHG_STATE_DEVICES_BASE (NHG_STATE_PAGE + 0x800)
#define NHG_STATE_END 0x1000
// Image of the SPM, in the boot ROM.
#define NHG_STATE_SPM (NHG_BOOT_ROM_BASE + 0x2000)

#ifndef __ASSEMBLER__
#include <cstdint>

namespace nhg {

constexpr char CheckpointMagic[8] = {'N', 'H', 'G', 'C', 'K', 'P', 'T', 0};
constexpr uint64_t CheckpointAlignment = 4096; // of segment data in the file

struct CheckpointHeader {
  char magic[8];
  uint32_t version;
  uint32_t reserved;
  uint64_t segments; // CheckpointSegment records that follow the header
  uint64_t resetPc;
  uint64_t instret; // instructions executed before the checkpoint
};

struct CheckpointSegment {
  uint64_t address; // physical
  uint64_t bytes;
  uint64_t fileOffset;
};

} // namespace nhg
#endif
#endif
