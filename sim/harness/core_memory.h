// SPDX-License-Identifier: Apache-2.0
//
// Memory as the core would read it: a line from L1D, else from L2, else from L3, else from memory; and the SPM. For the comparison at the end of a
// program, as nothing says of a store that nobody reads again whether it was done; and lines put into L3 before it begins. Looks into the arrays of the
// caches, so it knows how they are laid out (L1DTags, L1DData, Directory, SliceData and Spm); what waits in between (store buffer, MSHRs, write-backs)
// it does not see.
#ifndef NHG_CORE_MEMORY_H
#define NHG_CORE_MEMORY_H

#include <array>
#include <cstdint>
#include <set>
#include <unordered_map>
#include <vector>

#include "memory.h"
#include "model_state.h"

namespace nhg {

class CoreMemory {
public:
  static constexpr unsigned kLineBytes = 64, kWords = kLineBytes / 8;
  using Line = std::array<uint8_t, kLineBytes>;

  CoreMemory(Vsim_top &top, Memory &memory);

  // Finds the lines that the caches hold now. Throws std::runtime_error when the caches are not laid out as expected.
  void look();
  Line line(uint64_t address) const;
  // Addresses of the pages of 4 KiB that memory or a cache has something of.
  std::set<uint64_t> pages() const;
  // Makes the word zero where it is, as if it had never been stored, for tests of the comparison; where it was.
  const char *lose(uint64_t address);

  // Puts lines into invalid ways of L3, the last of the list first; a set bit 0 of an address makes the line a dirty one. They hold what memory holds,
  // so one that a miss in flight takes the way of is not lost. Throws std::runtime_error when the core has no L3, or its directory is not ready.
  void warmL3(const std::vector<uint64_t> &lines);

private:
  using Word = const ModelState::Word *;
  using Places = std::array<uint8_t *, kWords>; // of a line's words
  struct Cached {
    const char *level;
    Places places;
  };

  struct Slice {
    std::string path;
    Word directory, lines;
    size_t sets, ways, plain_ways; // those in the slice's own memory
    unsigned tag_bits, entry_bits;
  };

  Word word(const std::string &name) const;
  std::vector<Slice> slicesOf(const std::string &path) const;
  void lookIntoL1d();
  void lookIntoSlices(const char *level, const std::string &path);
  Places spmLine(size_t slice, uint64_t row) const;
  Places placesInSpm(uint64_t address) const;

  ModelState state_;
  Memory &memory_;
  size_t l2_slices_ = 0;
  std::unordered_map<uint64_t, Cached> cached_; // by address
};

} // namespace nhg
#endif
