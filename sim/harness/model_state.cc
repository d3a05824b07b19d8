// SPDX-License-Identifier: Apache-2.0
#include "model_state.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "Vsim_top.h"
#include "Vsim_top___024root.h"

// Verilator's function that computes all logic from the registers; it calls it itself before the first cycle.
void Vsim_top___024root___eval_settle(Vsim_top___024root *root);

namespace nhg {

namespace {

using Root = Vsim_top___024root;

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Winvalid-offsetof" // the structure has no virtual base
#define NHG_STATE(kind, bits, member) {offsetof(Root, member), sizeof(Root::member), bits, ModelState::kind, #member},
const ModelState::Word kWords[] = {
#include "nhg_state.inc"
};
#pragma clang diagnostic pop

size_t elementBytes(const ModelState::Word &word) {
  return word.bits <= 8    ? 1
         : word.bits <= 16 ? 2
         : word.bits <= 32 ? 4
         : word.bits <= 64 ? 8
                           : (word.bits + 31) / 32 * 4;
}

} // namespace

ModelState::ModelState(Vsim_top &top) : top_(top), base_(reinterpret_cast<uint8_t *>(top.rootp)) {
  compared_ = ranges([](const Word &word) { return word.kind == FIXED; });
  all_ = ranges([](const Word &word) { return word.kind <= DERIVED || word.kind == ARRAY; });
  for (const Word &word : kWords)
    if (word.kind == COUNTER || word.kind == WAIT)
      counters_.push_back(&word);
    else if (word.kind == WRITTEN)
      written_.push_back(&word);
  size_t bytes = 0;
  for (const Range &range : compared_)
    bytes += range.end - range.begin;
  kept_.resize(bytes);
}

// Neighbours are one range.
template <typename Wanted> std::vector<ModelState::Range> ModelState::ranges(Wanted wanted) {
  std::vector<Range> found;
  bool continues = false;
  for (const Word &word : kWords) {
    if (wanted(word)) {
      if (continues)
        found.back().end = word.offset + word.bytes;
      else
        found.push_back({word.offset, word.offset + word.bytes});
    }
    continues = wanted(word);
  }
  return found;
}

const ModelState::Word *ModelState::wordAt(uint32_t offset) {
  return std::upper_bound(std::begin(kWords), std::end(kWords), offset,
                          [](uint32_t at, const Word &word) { return at < word.offset; }) -
         1;
}

std::string ModelState::designName(const Word &word) {
  std::string name = word.name;
  for (size_t at; (at = name.find("__DOT__")) != name.npos;)
    name.replace(at, 7, ".");
  return name.rfind("sim_top.", 0) == 0 ? name.substr(8) : name;
}

const ModelState::Word *ModelState::find(const std::string &name) const {
  std::string member = name.rfind("__V", 0) == 0 ? name : "sim_top." + name;
  for (size_t at; (at = member.find('.')) != member.npos;)
    member.replace(at, 1, "__DOT__");
  static const auto byName = [] {
    std::unordered_map<std::string, const Word *> words;
    for (const Word &word : kWords)
      words.emplace(word.name, &word);
    return words;
  }();
  const auto found = byName.find(member);
  return found == byName.end() ? nullptr : found->second;
}

uint64_t ModelState::element(const Word &word, size_t index) const {
  uint64_t value = 0;
  const size_t bytes = elementBytes(word);
  memcpy(&value, base_ + word.offset + index * bytes, std::min(bytes, sizeof value));
  return value;
}

size_t ModelState::elements(const Word &word) const { return word.bytes / elementBytes(word); }

uint8_t *ModelState::place(const Word &word, size_t index) const {
  return base_ + word.offset + index * elementBytes(word);
}

uint64_t ModelState::bitsOf(const Word &word, size_t index, unsigned lsb, unsigned bits) const {
  uint64_t value = 0;
  for (unsigned bit = 0; bit < bits; bit++)
    value |= uint64_t(place(word, index)[(lsb + bit) / 8] >> ((lsb + bit) % 8) & 1) << bit;
  return value;
}

void ModelState::setBitsOf(const Word &word, size_t index, unsigned lsb, unsigned bits, uint64_t value) {
  for (unsigned bit = 0; bit < bits; bit++) {
    uint8_t &byte = place(word, index)[(lsb + bit) / 8];
    const uint8_t mask = uint8_t(1 << (lsb + bit) % 8);
    byte = value >> bit & 1 ? byte | mask : byte & uint8_t(~mask);
  }
}

uint32_t ModelState::part(const Word &word, size_t index) const {
  uint32_t value;
  memcpy(&value, base_ + word.offset + index * sizeof value, sizeof value);
  return value;
}

uint64_t ModelState::at(uint32_t offset, uint32_t bytes) const {
  uint64_t value = 0;
  memcpy(&value, base_ + offset, bytes);
  return value;
}

void ModelState::set(const Word &word, uint64_t value) {
  if (word.bits < 64)
    value &= (uint64_t(1) << word.bits) - 1;
  memcpy(base_ + word.offset, &value, elementBytes(word));
}

void ModelState::keep() {
  uint8_t *to = kept_.data();
  for (const Range &range : compared_) {
    memcpy(to, base_ + range.begin, range.end - range.begin);
    to += range.end - range.begin;
  }
}

uint32_t ModelState::difference(const std::vector<Range> &ranges, const uint8_t *kept) const {
  for (const Range &range : ranges) {
    const uint8_t *now = base_ + range.begin;
    const size_t bytes = range.end - range.begin;
    if (memcmp(now, kept, bytes))
      return range.begin + uint32_t(std::mismatch(now, now + bytes, kept).first - now);
    kept += bytes;
  }
  return kNowhere;
}

uint32_t ModelState::changed() const { return difference(compared_, kept_.data()); }

std::vector<const ModelState::Word *> ModelState::allChanged() const {
  std::vector<const Word *> found;
  const uint8_t *kept = kept_.data();
  for (const Range &range : compared_) {
    for (const Word *word = wordAt(range.begin); word != std::end(kWords) && word->offset < range.end; word++)
      if (memcmp(base_ + word->offset, kept + (word->offset - range.begin), word->bytes))
        found.push_back(word);
    kept += range.end - range.begin;
  }
  return found;
}

uint32_t ModelState::written(const std::vector<const Word *> &except) const {
  for (const Word *word : written_)
    if (base_[word->offset] && std::find(except.begin(), except.end(), word) == except.end())
      return word->offset;
  return kNowhere;
}

void ModelState::settle() { Vsim_top___024root___eval_settle(top_.rootp); }

std::vector<uint8_t> ModelState::copy() const {
  std::vector<uint8_t> state;
  for (const Range &range : all_)
    state.insert(state.end(), base_ + range.begin, base_ + range.end);
  return state;
}

void ModelState::restore(const std::vector<uint8_t> &state) {
  const uint8_t *from = state.data();
  for (const Range &range : all_) {
    memcpy(base_ + range.begin, from, range.end - range.begin);
    from += range.end - range.begin;
  }
}

const ModelState::Word *ModelState::differs(const std::vector<uint8_t> &state) const {
  const uint32_t offset = difference(all_, state.data());
  return offset == kNowhere ? nullptr : wordAt(offset);
}

} // namespace nhg
