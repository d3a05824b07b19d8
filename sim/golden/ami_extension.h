// SPDX-License-Identifier: Apache-2.0
//
// The AMI as a Spike extension: decodes the eight instructions and the AMU's CSRs and maps them to AmuModel.
#ifndef NHG_AMI_EXTENSION_H
#define NHG_AMI_EXTENSION_H

#include <memory>
#include <stdexcept>

#include <riscv/extension.h>

#include "amu_model.h"

namespace nhg {

class Machine;

// Thrown out of the simulation by an error of rule 9 in adversarial mode.
struct AmiAbort : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::unique_ptr<extension_t> makeAmiExtension(Machine &machine);

} // namespace nhg
#endif
