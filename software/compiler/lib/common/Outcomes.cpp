// SPDX-License-Identifier: Apache-2.0

#include "common/Outcomes.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace asyncmem;

void Outcomes::refuse(unsigned Pragma, bool HasClauses, StringRef Why) {
  Outcome &O = Pragmas[Pragma];
  O.HasClauses |= HasClauses;
  if (!is_contained(O.Reasons, Why))
    O.Reasons.push_back(Why.str());
}

RefusedLoops Outcomes::refused() const {
  RefusedLoops Result;
  for (const auto &[Pragma, O] : Pragmas)
    if (!O.Reasons.empty() && (!O.Accepted || O.HasClauses))
      Result[Pragma] = O.Reasons;
  return Result;
}
