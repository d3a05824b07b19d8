// SPDX-License-Identifier: Apache-2.0
//
// The lines of far memory that the hart read or wrote last, least recently used first, and which it wrote: what a write-back cache of any shape with LRU
// replacement would hold. Requests of the AMU are none of them. `nhg-sim --warm-lines` puts them into L3.
// File: a word of 8 bytes for each, its address; bit 0: written.
#ifndef NHG_RECENT_LINES_H
#define NHG_RECENT_LINES_H

#include <cstdint>
#include <cstdio>
#include <list>
#include <stdexcept>
#include <string>
#include <unordered_map>

#include <riscv/mmu.h>

#include "machine.h"

namespace nhg {

class RecentLines : public memtracer_t {
public:
  static constexpr size_t kLines = 1 << 16; // 4 MiB, more than any L3 of the platform
  static constexpr uint64_t kLineBytes = 64, kWritten = 1;

  explicit RecentLines(Machine &machine) { machine.hart().get_mmu()->register_memtracer(this); }

  bool interested_in_range(uint64_t begin, uint64_t end, access_type type) override {
    return type != FETCH && begin < NHG_FAR_BASE + NHG_FAR_SIZE && NHG_FAR_BASE < end;
  }
  void trace(uint64_t address, size_t, access_type type) override {
    const uint64_t line = address / kLineBytes * kLineBytes;
    if (lines_.empty() || lines_.back() / kLineBytes != line / kLineBytes) {
      const auto [place, isNew] = places_.try_emplace(line, lines_.end());
      if (isNew)
        place->second = lines_.insert(lines_.end(), line);
      else
        lines_.splice(lines_.end(), lines_, place->second);
      if (places_.size() > kLines) {
        places_.erase(lines_.front() & ~kWritten);
        lines_.pop_front();
      }
    }
    if (type == STORE)
      lines_.back() |= kWritten;
  }
  void clean_invalidate(uint64_t, size_t, bool, bool) override {}

  void write(const std::string &path) const {
    FILE *file = fopen(path.c_str(), "wb");
    bool written = file != nullptr;
    for (const uint64_t line : lines_)
      written = written && fwrite(&line, sizeof line, 1, file) == 1;
    if (file == nullptr || fclose(file) != 0 || !written)
      throw std::runtime_error("cannot write " + path);
  }

private:
  std::list<uint64_t> lines_;
  std::unordered_map<uint64_t, std::list<uint64_t>::iterator> places_; // by address
};

} // namespace nhg
#endif
