// SPDX-License-Identifier: Apache-2.0
//
// Writes checkpoints of a machine between two instructions.
#ifndef NHG_CHECKPOINT_H
#define NHG_CHECKPOINT_H

#include <string>

#include "machine.h"

namespace nhg {

// "" if a checkpoint loses nothing here: no AMU group, aset group or signal is left, no interrupt of the PLIC is claimed, the UART holds no received byte.
// Otherwise what is in the way, and what to do.
std::string whyNoCheckpoint(Machine &machine);

// The file appears complete or not at all. The machine loses its reservation of LR, as the restored one has none. Throws std::runtime_error when AMU, PLIC
// or UART hold what is lost, or the file cannot be written.
void writeCheckpoint(Machine &machine, const std::string &path);

} // namespace nhg
#endif
