// SPDX-License-Identifier: Apache-2.0
#include "core_memory.h"

#include <cstring>
#include <stdexcept>
#include <string>

#include "platform.h"

namespace nhg {

namespace {

constexpr unsigned kLineAddressBits = NHG_MEMORY_ADDRESS_BITS - 6; // of lines of 64 bytes

unsigned log2Of(size_t power) { return unsigned(__builtin_ctzll(power)); }

void expect(bool holds, const std::string &where) {
  if (!holds)
    throw std::runtime_error("lock-step: " + where + " is laid out in another way; teach sim/harness/core_memory.cc");
}

} // namespace

CoreMemory::CoreMemory(Vsim_top &top, Memory &memory) : state_(top), memory_(memory) {}

CoreMemory::Word CoreMemory::word(const std::string &name) const {
  const Word found = state_.find(name);
  expect(found, name);
  return found;
}

// A line is put in by the highest level that has it.
void CoreMemory::look() {
  cached_.clear();
  lookIntoL1d();
  for (l2_slices_ = 0;
       state_.find("core.tile.l2.cache.slices_" + std::to_string(l2_slices_) + ".data.lines_ext.Memory");)
    l2_slices_++;
  expect(l2_slices_ != 0, "L2");
  lookIntoSlices("L2", "core.tile.l2.cache.slices_*.");
  lookIntoSlices("L3", "core.l3.slices_*.slice."); // not there in every configuration
}

// The tags of way k are memory_k, those that follow are other tables. Word w of a line in way k lies in bank w xor k.
void CoreMemory::lookIntoL1d() {
  const std::string tags = "core.tile.core.lsu.cache.tags.", banks = "core.tile.core.lsu.cache.data.banks_";
  const Word firstTags = word(tags + "memory_ext.Memory");
  const size_t sets = state_.elements(*firstTags), ways = word(tags + "valid_0")->bits;
  expect(firstTags->bits == kLineAddressBits - log2Of(sets), tags);
  std::array<Word, kWords> data;
  for (size_t bank = 0; bank < kWords; bank++)
    data[bank] = word(banks + std::to_string(bank) + "_ext.Memory");
  expect(state_.elements(*data[0]) == sets * ways && data[0]->bits == 64, banks);
  for (size_t set = 0; set < sets; set++) {
    const uint64_t valid = state_.element(*word(tags + "valid_" + std::to_string(set)));
    for (size_t way = 0; way < ways; way++) {
      if (!(valid >> way & 1))
        continue;
      const Word tag = way ? word(tags + "memory_" + std::to_string(way) + "_ext.Memory") : firstTags;
      const uint64_t line = state_.element(*tag, set) << log2Of(sets) | set;
      Cached &cached = cached_[line * kLineBytes];
      cached.level = "L1D";
      for (size_t w = 0; w < kWords; w++)
        cached.places[w] = state_.place(*data[w ^ way], set * ways + way);
    }
  }
}

// An entry of a directory: valid, dirty, exclusive, one holder, prefetched, tag, from the top bit down.
std::vector<CoreMemory::Slice> CoreMemory::slicesOf(const std::string &path) const {
  const auto in = [&path](size_t slice) { return std::string(path).replace(path.find('*'), 1, std::to_string(slice)); };
  size_t number = 0;
  while (state_.find(in(number) + "data.lines_ext.Memory"))
    number++;
  std::vector<Slice> slices;
  for (size_t i = 0; i < number; i++) {
    const Word directory = word(in(i) + "directory.memory_ext.Memory"), lines = word(in(i) + "data.lines_ext.Memory");
    const size_t sets = state_.elements(*directory);
    const unsigned tagBits = kLineAddressBits - log2Of(sets) - log2Of(number), entryBits = tagBits + 5;
    const size_t ways = directory->bits / entryBits, plainWays = state_.elements(*lines) / sets;
    expect(directory->bits % entryBits == 0 && (plainWays == ways || plainWays + 1 == ways), path);
    slices.push_back({in(i), directory, lines, sets, ways, plainWays, tagBits, entryBits});
  }
  return slices;
}

void CoreMemory::lookIntoSlices(const char *level, const std::string &path) {
  const std::vector<Slice> slices = slicesOf(path);
  for (size_t i = 0; i < slices.size(); i++) {
    const Slice &slice = slices[i];
    for (size_t set = 0; set < slice.sets; set++)
      for (size_t way = 0; way < slice.ways; way++) {
        const uint64_t entry = state_.bitsOf(*slice.directory, set, unsigned(way) * slice.entry_bits, slice.entry_bits);
        if (!(entry >> (slice.entry_bits - 1)))
          continue;
        const uint64_t tag = entry & ((uint64_t(1) << slice.tag_bits) - 1),
                       line = (tag << log2Of(slice.sets) | set) << log2Of(slices.size()) | i;
        Places places = way < slice.plain_ways ? Places{} : spmLine(i, set);
        if (way < slice.plain_ways)
          for (size_t w = 0; w < kWords; w++)
            places[w] = state_.place(*slice.lines, way * slice.sets + set) + 8 * w;
        cached_.emplace(line * kLineBytes, Cached{level, places});
      }
  }
}

void CoreMemory::warmL3(const std::vector<uint64_t> &lines) {
  const std::vector<Slice> slices = slicesOf("core.l3.slices_*.slice.");
  if (slices.empty())
    throw std::runtime_error("--warm-lines: this core has no L3");
  for (const Slice &slice : slices)
    if (state_.element(*word(slice.path + "directory.sweep")) != slice.sets)
      throw std::runtime_error("--warm-lines: L3's directory is not ready");
  look();
  for (auto it = lines.rbegin(); it != lines.rend(); ++it) {
    const uint64_t line = *it / kLineBytes, dirty = *it & 1;
    const Slice &slice = slices[line % slices.size()];
    const size_t set = line / slices.size() % slice.sets;
    const auto valid = [&](size_t way) {
      return state_.bitsOf(*slice.directory, set, unsigned(way + 1) * slice.entry_bits - 1, 1) != 0;
    };
    size_t way = 0;
    while (way < slice.plain_ways && valid(way))
      way++;
    if (way == slice.plain_ways || cached_.count(line * kLineBytes))
      continue;
    state_.setBitsOf(*slice.directory, set, unsigned(way) * slice.entry_bits, slice.entry_bits,
                     (2 | dirty) << (slice.entry_bits - 2) | line / slices.size() / slice.sets);
    for (unsigned at = 0; at < kLineBytes; at += Memory::kWordBytes)
      memory_.peek(line * kLineBytes + at, state_.place(*slice.lines, way * slice.sets + set) + at);
  }
}

// Of the last way of an L2 slice, or of the SPM, whose lines are interleaved likewise.
CoreMemory::Places CoreMemory::spmLine(size_t slice, uint64_t row) const {
  Places places;
  for (size_t bank = 0; bank < kWords; bank++) {
    const std::string name =
        "core.tile.spm.banks_" + std::to_string(slice) + "_" + std::to_string(bank) + "_ext.Memory";
    places[bank] = state_.place(*word(name), row);
  }
  return places;
}

CoreMemory::Places CoreMemory::placesInSpm(uint64_t address) const {
  const uint64_t line = (address - NHG_SPM_BASE) / kLineBytes;
  return spmLine(line % l2_slices_, line / l2_slices_);
}

CoreMemory::Line CoreMemory::line(uint64_t address) const {
  Line line{};
  const auto gather = [&line](const Places &places) {
    for (size_t w = 0; w < kWords; w++)
      memcpy(&line[8 * w], places[w], 8);
  };
  if (address - NHG_SPM_BASE < NHG_SPM_SIZE)
    gather(placesInSpm(address));
  else if (const auto found = cached_.find(address); found != cached_.end())
    gather(found->second.places);
  else
    for (unsigned at = 0; at < kLineBytes; at += Memory::kWordBytes)
      memory_.peek(address + at, &line[at]);
  return line;
}

std::set<uint64_t> CoreMemory::pages() const {
  const std::vector<uint64_t> touched = memory_.touchedPages();
  std::set<uint64_t> pages(touched.begin(), touched.end());
  for (const auto &[address, cached] : cached_)
    pages.insert(address / Memory::kPageBytes * Memory::kPageBytes);
  return pages;
}

const char *CoreMemory::lose(uint64_t address) {
  const size_t word = address % kLineBytes / 8;
  if (address - NHG_SPM_BASE < NHG_SPM_SIZE) {
    memset(placesInSpm(address)[word], 0, 8);
    return "SPM";
  }
  if (const auto found = cached_.find(address / kLineBytes * kLineBytes); found != cached_.end()) {
    memset(found->second.places[word], 0, 8);
    return found->second.level;
  }
  const std::array<uint8_t, Memory::kWordBytes> zeros{};
  memory_.writeWord(address, zeros.data(), 0xffu << (address % Memory::kWordBytes / 8 * 8));
  return "memory";
}

} // namespace nhg
