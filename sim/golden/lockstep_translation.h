// SPDX-License-Identifier: Apache-2.0
//
// Lock-step under Sv39. The golden model walks its own memory at each instruction. Where the RTL's outcome is another one, it must be that of a walk
// whose PTEs were in memory at some time since the last sfence.vma that covers them (privileged manual, "Supervisor Memory-Management Fence
// Instruction"): then the golden model executes this instruction with those PTEs, and everything is compared as ever.
#ifndef NHG_LOCKSTEP_TRANSLATION_H
#define NHG_LOCKSTEP_TRANSLATION_H

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "machine.h"

namespace nhg {

class TranslationRules {
public:
  // What an instruction translates: its page, the page of its second half, and its data.
  enum Access { Fetch, SecondFetch, Data, AccessCount };
  static constexpr unsigned PageShift = 12;
  static constexpr uint64_t PageBytes = 1 << PageShift, HalfBytes = 2;

  // The address of an instruction's last halfword: encodings beyond 32 bits are fetched as illegal ones of 32.
  static uint64_t lastHalf(uint64_t pc, uint64_t bits) { return (bits & 3) == 3 ? pc + HalfBytes : pc; }

  explicit TranslationRules(Machine &machine) : machine_(machine) {}

  // Addresses are translated, in S and U mode.
  bool isActive() const { return root_.has_value(); }
  // Instructions that have used earlier PTEs.
  uint64_t byEarlier() const { return by_earlier_; }
  // The instruction at pc finds what is in memory.
  void begin(uint64_t pc);
  // It will write these bytes.
  void noteStore(uint64_t address, uint64_t size);
  // Its data is there; the fetch has been found.
  void aim(uint64_t virtualAddress);
  // Lets it translate this access by each of the walks that may still be used, until `fits`. False: none does; it finds what is in memory.
  bool find(Access access, uint64_t virtualAddress, const std::function<bool()> &fits);
  // Where what it fetches lies, with the PTEs that were found for it; it does not fault.
  uint64_t physicalOfFetch(Access access, uint64_t virtualAddress) const;
  // It has executed.
  void end();
  // It has retired; operands are those of an sfence.vma.
  void retired(uint32_t insn, uint64_t rs1, uint64_t rs2);

private:
  using Time = uint64_t;
  struct Value { // of a word, until it was replaced
    uint64_t bits;
    Time until;
  };
  struct Root {
    uint64_t asid, table;
    bool operator==(const Root &other) const { return asid == other.asid && table == other.table; }
  };
  struct Word {
    uint64_t address, value;
  };
  struct Substitute {
    uint64_t address, before, value;
  };
  struct Step {
    uint64_t address;
    Value value;
  };
  struct Walk {
    Root root;
    Time root_until;
    std::vector<Step> steps;
    bool isGlobal() const;
  };

  std::optional<Root> root() const;
  uint8_t *memoryAt(uint64_t address) const;
  std::optional<uint64_t> wordAt(uint64_t address) const;
  std::vector<Value> valuesOf(uint64_t address) const;
  bool search(Access access, uint64_t virtualAddress, Walk &walk, uint64_t table, const std::function<bool()> &fits);
  bool mayBeUsed(uint64_t virtualAddress, const Walk &walk) const;
  Time lastFence(std::optional<uint64_t> virtualAddress, unsigned level, const Walk &walk) const;
  bool usesEarlier() const;
  void choose(Access access, std::vector<Word> words);
  void forgetWords();
  void apply(Access access);
  void restore();
  void noteTable(uint64_t table);
  void fence(std::optional<uint64_t> virtualAddress, std::optional<uint64_t> asid);

  Machine &machine_;
  Time now_ = 1;
  std::optional<Root> root_; // as of the last instruction
  std::vector<std::pair<Root, Time>> earlier_roots_;
  std::set<uint64_t> tables_; // addresses of pages that a walk can reach, or could since the last fence of everything
  std::unordered_map<uint64_t, std::vector<Value>> earlier_; // of words of tables
  std::map<std::pair<std::optional<uint64_t>, std::optional<uint64_t>>, Time>
      fences_;               // by virtual address and ASID: the last
  std::vector<Word> before_; // words of tables that this instruction may write
  std::array<uint64_t, AccessCount> addresses_{};
  std::array<std::vector<Word>, AccessCount> chosen_;
  uint64_t by_earlier_ = 0;
  std::vector<Substitute> applied_; // in memory at the moment
};

} // namespace nhg
#endif
