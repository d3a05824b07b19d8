// SPDX-License-Identifier: Apache-2.0
#include "lockstep_translation.h"

#include <algorithm>
#include <cstring>

#include <riscv/encoding.h>
#include <riscv/mmu.h>

namespace nhg {

namespace {

constexpr unsigned Levels = 3, IndexBits = 9, PageShift = TranslationRules::PageShift,
                   AddressBits = Levels * IndexBits + PageShift;
constexpr uint64_t PageBytes = TranslationRules::PageBytes, WordBytes = 8;
constexpr uint64_t Current = UINT64_MAX; // until when
constexpr size_t EarlierValues = 16;     // kept of a word

uint64_t pageOf(uint64_t address) { return address / PageBytes * PageBytes; }

bool isPointer(uint64_t pte) {
  constexpr uint64_t Reserved = ~uint64_t(0) << 54;
  return (pte & (PTE_V | PTE_R | PTE_W | PTE_X | PTE_U | PTE_A | PTE_D | Reserved)) == PTE_V;
}

uint64_t target(uint64_t pte) { return (pte >> PTE_PPN_SHIFT) << PageShift; }

bool isCanonical(uint64_t address) {
  const int64_t upper = int64_t(address) >> (AddressBits - 1);
  return upper == 0 || upper == -1;
}

uint64_t entry(uint64_t table, uint64_t virtualAddress, unsigned level) {
  const uint64_t index = virtualAddress >> (PageShift + level * IndexBits) & ((1 << IndexBits) - 1);
  return table + index * WordBytes;
}

} // namespace

std::optional<TranslationRules::Root> TranslationRules::root() const {
  const uint64_t satp = machine_.hart().get_state()->satp->read();
  if (get_field(satp, SATP64_MODE) == SATP_MODE_OFF)
    return std::nullopt;
  return Root{get_field(satp, SATP64_ASID), get_field(satp, SATP64_PPN) << PageShift};
}

uint8_t *TranslationRules::memoryAt(uint64_t address) const {
  for (const SparseMemory *memory : machine_.memories())
    if (memory->contains(address, WordBytes))
      return memory->at(address);
  return nullptr;
}

std::optional<uint64_t> TranslationRules::wordAt(uint64_t address) const {
  uint64_t value;
  const uint8_t *word = memoryAt(address);
  if (word == nullptr)
    return std::nullopt;
  memcpy(&value, word, WordBytes);
  return value;
}

bool TranslationRules::Walk::isGlobal() const {
  return std::any_of(steps.begin(), steps.end(), [](const Step &step) { return step.value.bits & PTE_G; });
}

void TranslationRules::begin(uint64_t pc) {
  before_.clear();
  addresses_ = {pc, pc + HalfBytes, pc};
  for (auto &words : chosen_)
    words.clear();
  machine_.forgetTranslations();
}

void TranslationRules::noteStore(uint64_t address, uint64_t size) {
  // The last bytes of all may be meant (a prefetch of them is no store): so no comparison with the end.
  for (uint64_t offset = 0; offset < address % WordBytes + size; offset += WordBytes) {
    const uint64_t at = address / WordBytes * WordBytes + offset;
    if (!tables_.count(pageOf(at)))
      continue;
    before_.push_back({at, *wordAt(at)});
    for (const Substitute &word : applied_)
      if (word.address == at)
        before_.back().value = word.before;
  }
}

void TranslationRules::aim(uint64_t virtualAddress) {
  addresses_[Data] = virtualAddress;
  if (usesEarlier())
    choose(Data, {});
}

bool TranslationRules::find(Access access, uint64_t virtualAddress, const std::function<bool()> &fits) {
  if (!root_ || !wordAt(root_->table) || !isCanonical(virtualAddress))
    return false;
  addresses_[access] = virtualAddress;
  std::vector<std::pair<Root, Time>> roots{{*root_, Current}};
  roots.insert(roots.end(), earlier_roots_.begin(), earlier_roots_.end());
  for (const auto &[root, until] : roots) {
    Walk walk{root, until, {}};
    if (search(access, virtualAddress, walk, root.table, fits))
      return true;
  }
  choose(access, {});
  return false;
}

bool TranslationRules::search(Access access, uint64_t virtualAddress, Walk &walk, uint64_t table,
                              const std::function<bool()> &fits) {
  const unsigned level = Levels - 1 - unsigned(walk.steps.size());
  const uint64_t address = entry(table, virtualAddress, level);
  for (const Value &value : valuesOf(address)) {
    walk.steps.push_back({address, value});
    bool found = false;
    if (isPointer(value.bits) && level > 0 && wordAt(target(value.bits))) {
      found = search(access, virtualAddress, walk, target(value.bits), fits);
    } else if (mayBeUsed(virtualAddress, walk)) {
      std::vector<Word> words;
      for (const Step &step : walk.steps)
        words.push_back({step.address, step.value.bits});
      words[0].address = entry(root_->table, virtualAddress, Levels - 1);
      choose(access, words);
      found = fits();
      if (!found)
        restore(); // the search goes on in what memory has
    }
    walk.steps.pop_back();
    if (found)
      return true;
  }
  return false;
}

std::vector<TranslationRules::Value> TranslationRules::valuesOf(uint64_t address) const {
  std::vector<Value> values;
  if (const std::optional<uint64_t> word = wordAt(address))
    values.push_back({*word, Current});
  if (const auto found = earlier_.find(address); found != earlier_.end())
    values.insert(values.end(), found->second.begin(), found->second.end());
  return values;
}

bool TranslationRules::mayBeUsed(uint64_t virtualAddress, const Walk &walk) const {
  const unsigned last = Levels - unsigned(walk.steps.size());
  if (!walk.isGlobal() && walk.root.asid != root_->asid)
    return false;
  const Time ofPointers = lastFence(std::nullopt, 0, walk), ofLeaf = lastFence(virtualAddress, last, walk);
  const auto isKnown = [&](const Step &step) {
    return step.value.until > (&step == &walk.steps.back() ? ofLeaf : ofPointers);
  };
  return walk.root_until > ofPointers && std::all_of(walk.steps.begin(), walk.steps.end(), isKnown);
}

// That covers the PTE at `level` of the walk, or, without an address, those above it.
TranslationRules::Time TranslationRules::lastFence(std::optional<uint64_t> virtualAddress, unsigned level,
                                                   const Walk &walk) const {
  const unsigned shift = PageShift + level * IndexBits;
  Time last = 0;
  for (const auto &[what, time] : fences_) {
    const auto &[address, asid] = what;
    const bool coversAddress = !address || (virtualAddress && *address >> shift == *virtualAddress >> shift);
    if (coversAddress && (!asid || (*asid == walk.root.asid && !walk.isGlobal())))
      last = std::max(last, time);
  }
  return last;
}

// Each access has its own words, which may differ at one address: Spike's TLB of fetches keeps what it has found.
void TranslationRules::choose(Access access, std::vector<Word> words) {
  chosen_[access] = std::move(words);
  restore();
  machine_.forgetTranslations();
  if (!usesEarlier())
    return;
  for (const Access each : {Fetch, SecondFetch}) {
    apply(each);
    try {
      machine_.hart().get_mmu()->load_insn(pageOf(addresses_[each]));
    } catch (trap_t &) {
      if (!chosen_[each].empty())
        return; // as the instruction's own fetch will, so the words stay
    } catch (triggers::matched_t &) {
    }
    restore();
    forgetWords();
  }
  apply(Data);
}

// Spike keeps the last PTEs that it has read in a cache, which only flush_tlb() empties, and with it the TLBs. Walks through the other words of the root
// replace all of it. They find a misaligned superpage, which is a page fault as an invalid PTE is, so what they leave does no harm.
void TranslationRules::forgetWords() {
  const uint64_t misaligned = uint64_t(1) << PTE_PPN_SHIFT | PTE_V | PTE_R;
  for (uint64_t index = 0; index < uint64_t(1) << IndexBits; index++) {
    const uint64_t upper = index >> (IndexBits - 1) ? ~uint64_t(0) << AddressBits : 0,
                   address = upper | index << (PageShift + (Levels - 1) * IndexBits),
                   at = entry(root_->table, address, Levels - 1);
    const auto isHere = [&](uint64_t used) { return entry(root_->table, used, Levels - 1) == at; };
    if (std::any_of(addresses_.begin(), addresses_.end(), isHere))
      continue;
    uint8_t *memory = memoryAt(at);
    const uint64_t before = *wordAt(at);
    memcpy(memory, &misaligned, WordBytes);
    try {
      machine_.hart().get_mmu()->load_insn(address);
    } catch (trap_t &) { // always
    } catch (triggers::matched_t &) {
    }
    memcpy(memory, &before, WordBytes);
  }
}

void TranslationRules::apply(Access access) {
  for (const Word &word : chosen_[access]) {
    uint8_t *memory = memoryAt(word.address);
    applied_.push_back({word.address, *wordAt(word.address), word.value});
    memcpy(memory, &word.value, WordBytes);
  }
}

void TranslationRules::restore() {
  for (const Substitute &word : applied_)
    if (wordAt(word.address) == word.value) // or the instruction has written it
      memcpy(memoryAt(word.address), &word.before, WordBytes);
  applied_.clear();
}

uint64_t TranslationRules::physicalOfFetch(Access access, uint64_t virtualAddress) const {
  const std::optional<Root> from = root();
  if (!from || machine_.hart().get_state()->prv == PRV_M)
    return virtualAddress;
  uint64_t table = from->table;
  for (unsigned level = Levels; level-- > 0;) {
    const uint64_t address = entry(table, virtualAddress, level),
                   offset = (uint64_t(1) << (PageShift + level * IndexBits)) - 1;
    std::optional<uint64_t> pte = wordAt(address);
    for (const Word &word : chosen_[access])
      if (word.address == address)
        pte = word.value;
    if (pte && !isPointer(*pte))
      return (target(*pte) & ~offset) | (virtualAddress & offset);
    if (!pte)
      break;
    table = target(*pte);
  }
  return virtualAddress;
}

void TranslationRules::end() {
  restore();
  by_earlier_ += usesEarlier();
}

bool TranslationRules::usesEarlier() const {
  return std::any_of(chosen_.begin(), chosen_.end(), [](const auto &words) { return !words.empty(); });
}

void TranslationRules::retired(uint32_t insn, uint64_t rs1, uint64_t rs2) {
  if (const std::optional<Root> now = root(); now != root_) {
    if (root_) {
      std::erase_if(earlier_roots_, [&](const auto &each) { return each.first == *root_; });
      earlier_roots_.emplace_back(*root_, ++now_);
    }
    root_ = now;
    if (root_)
      noteTable(root_->table);
  }
  for (const Word &word : before_)
    if (const uint64_t value = *wordAt(word.address); value != word.value) {
      std::vector<Value> &values = earlier_[word.address];
      values.push_back({word.value, ++now_});
      if (values.size() > EarlierValues)
        values.erase(values.begin());
      if (isPointer(value))
        noteTable(target(value));
    }
  if ((insn & MASK_SFENCE_VMA) == MATCH_SFENCE_VMA) {
    insn_t decoded(insn);
    fence(decoded.rs1() ? std::optional(rs1) : std::nullopt,
          decoded.rs2() ? std::optional(get_field(rs2 << 44, SATP64_ASID)) : std::nullopt);
  }
}

void TranslationRules::fence(std::optional<uint64_t> virtualAddress, std::optional<uint64_t> asid) {
  if (virtualAddress && !isCanonical(*virtualAddress))
    return;
  if (virtualAddress || asid) {
    fences_[{virtualAddress ? std::optional(pageOf(*virtualAddress)) : std::nullopt, asid}] = ++now_;
    return;
  }
  fences_.clear();
  earlier_.clear();
  earlier_roots_.clear();
  tables_.clear();
  if (root_)
    noteTable(root_->table);
}

// With all that it points to.
void TranslationRules::noteTable(uint64_t table) {
  std::vector<uint64_t> found{table};
  while (!found.empty()) {
    const uint64_t at = found.back();
    found.pop_back();
    if (memoryAt(at) == nullptr || !tables_.insert(at).second)
      continue;
    for (uint64_t word = at; word < at + PageBytes; word += WordBytes)
      if (const uint64_t pte = *wordAt(word); isPointer(pte))
        found.push_back(target(pte));
  }
}

} // namespace nhg
