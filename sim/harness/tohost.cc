// SPDX-License-Identifier: Apache-2.0
#include "tohost.h"

#include "image.h"

namespace nhg {

namespace {

constexpr uint64_t kTohostBytes = 8;

struct Store {
  unsigned source; // register
  unsigned bytes;  // 0: not a store
};

unsigned field(uint32_t insn, unsigned low, unsigned bits) { return insn >> low & ((1u << bits) - 1); }

Store decode(uint32_t insn) {
  constexpr unsigned kStoreOpcode = 0x23, kFunctWord = 6, kFunctDouble = 7, kFirstCompressed = 8;
  const unsigned quadrant = field(insn, 0, 2), funct = field(insn, quadrant == 3 ? 12 : 13, 3);
  if (quadrant == 3)
    return {field(insn, 20, 5), field(insn, 0, 7) == kStoreOpcode && funct < 4 ? 1u << funct : 0};
  const unsigned bytes = funct == kFunctWord ? 4 : funct == kFunctDouble ? 8 : 0;
  if (quadrant == 0) // c.sw, c.sd
    return {field(insn, 2, 3) + kFirstCompressed, bytes};
  return {field(insn, 2, 5), quadrant == 2 ? bytes : 0}; // c.swsp, c.sdsp
}

} // namespace

std::optional<uint64_t> Tohost::commit(const golden_commit_t &record) {
  if (!address_ || record.trap)
    return std::nullopt;
  if (record.rd_valid && record.rd_class == GOLDEN_INTEGER && record.rd)
    registers_[record.rd] = record.rd_value;
  const Store store = record.mem_valid ? decode(record.insn) : Store{};
  bool changed = false;
  for (unsigned i = 0; i < store.bytes; i++) {
    const uint64_t place = record.mem_addr + i - *address_;
    if (place >= kTohostBytes)
      continue;
    const uint64_t byte = registers_[store.source] >> 8 * i & 0xff;
    value_ = (value_ & ~(uint64_t(0xff) << 8 * place)) | byte << 8 * place;
    changed = true;
  }
  if (!changed || value_ == 0)
    return std::nullopt;
  return tohostExitCode(value_);
}

} // namespace nhg
