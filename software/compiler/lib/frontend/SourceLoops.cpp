// SPDX-License-Identifier: Apache-2.0

#include "frontend/SourceLoops.h"

using namespace asyncmem;

std::map<unsigned, SourceLoop> &asyncmem::sourceLoops() {
  static std::map<unsigned, SourceLoop> Loops;
  return Loops;
}
