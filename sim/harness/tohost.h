// SPDX-License-Identifier: Apache-2.0
//
// Follows a program's stores to its symbol `tohost` (HTIF) in the commit trace: in memory they are seen only when their line leaves
// the caches, perhaps never. Plain stores of any size; atomics to it are not followed.
#ifndef NHG_TOHOST_H
#define NHG_TOHOST_H

#include <array>
#include <cstdint>
#include <optional>

#include "golden.h"

namespace nhg {

class Tohost {
public:
  // Without an address nothing is followed.
  explicit Tohost(std::optional<uint64_t> address) : address_(address) {}

  // One retired or trapped instruction, in program order. The program's exit code when the instruction ended it. Throws
  // std::runtime_error with one line when the program wants something else of the host.
  std::optional<uint64_t> commit(const golden_commit_t &record);

private:
  const std::optional<uint64_t> address_;
  uint64_t value_ = 0;
  std::array<uint64_t, 32> registers_{}; // as the program wrote them
};

} // namespace nhg
#endif
