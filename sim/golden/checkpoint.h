// SPDX-License-Identifier: Apache-2.0
//
// Writes a checkpoint of a machine that just executed the store to the checkpoint mark.
#ifndef NHG_CHECKPOINT_H
#define NHG_CHECKPOINT_H

#include <string>

#include "machine.h"

namespace nhg {

// The file appears complete or not at all. Throws std::runtime_error when the AMU is not quiescent or the
// file cannot be written.
void writeCheckpoint(Machine &machine, const std::string &path);

} // namespace nhg
#endif
