// SPDX-License-Identifier: Apache-2.0
//
// Spike as the reference: its instructions, with the registers of a hart that runs nothing else.
#ifndef FPU_REFERENCE_H
#define FPU_REFERENCE_H

#include <memory>

#include "operations.h"

class Reference {
public:
  Reference();
  ~Reference();
  Result run(const Vector &vector);

private:
  struct Hart;
  std::unique_ptr<Hart> hart_;
};

#endif
