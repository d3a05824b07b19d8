// SPDX-License-Identifier: Apache-2.0
//
// Contents of boot ROM, local and far memory of the simulated machine, or of other ranges. Sparse: a page takes host memory when it is
// first touched and is filled from the image's segments then, so that a large checkpoint costs nothing up front.
#ifndef NHG_MEMORY_H
#define NHG_MEMORY_H

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "image.h"

namespace nhg {

class Memory {
public:
  static constexpr unsigned kWordBytes = 32; // data width of the memory port
  static constexpr uint64_t kPageBytes = 4096;

  using Range = std::pair<uint64_t, uint64_t>; // base, size in bytes
  // By default the memories of the platform. Throws std::runtime_error when there is no address space for them.
  explicit Memory(const std::vector<Range> &ranges = platformRanges());
  ~Memory();
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;

  // Makes the segments the contents; the image must outlive the memory. Throws std::runtime_error when a segment
  // lies outside the memories.
  void load(const Image &image);

  // The aligned 32-byte word that holds addr; false when there is no memory.
  bool readWord(uint64_t addr, void *word);
  // Writes the bytes of that word that strobes select (bit 0 = lowest byte).
  bool writeWord(uint64_t addr, const void *word, uint32_t strobes);

  // Of the pages that were read or written, lowest first; and a word without touching its page (zero where no memory is).
  std::vector<uint64_t> touchedPages() const;
  void peek(uint64_t addr, void *word) const;

private:
  static std::vector<Range> platformRanges();
  struct Region {
    uint64_t base, size;
    uint8_t *host;                // reserved address space, zero until written
    std::vector<uint64_t> filled; // bit per page: taken from the segments
  };
  uint8_t *locate(uint64_t addr);
  void fillPage(Region &region, uint64_t page);
  void copyFromSegments(uint64_t begin, uint64_t end, uint8_t *to) const;

  std::vector<Region> regions_;
  std::vector<Segment> segments_; // sorted by address
};

} // namespace nhg
#endif
