// SPDX-License-Identifier: Apache-2.0

#include "common/Outcomes.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace asyncmem;

void Outcomes::refuse(unsigned Pragma, bool HasClauses,
                      const RefusalReason &Why) {
  Outcome &O = Pragmas[Pragma];
  O.HasClauses |= HasClauses;
  auto IsSame = [&](const RefusalReason &R) { return R.text() == Why.text(); };
  if (none_of(O.Reasons, IsSame))
    O.Reasons.push_back(Why);
}

RefusedLoops Outcomes::refused() const {
  RefusedLoops Result;
  for (const auto &[Pragma, O] : Pragmas)
    if ((O.Forgotten || !O.Reasons.empty()) && (!O.Accepted || O.HasClauses))
      Result[Pragma] = O.Reasons;
  return Result;
}
