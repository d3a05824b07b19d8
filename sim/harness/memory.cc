// SPDX-License-Identifier: Apache-2.0
#include "memory.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <sys/mman.h>

#include "platform.h"

namespace nhg {

namespace {
std::string hex(uint64_t value) {
  char text[32];
  snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}
} // namespace

std::vector<Memory::Range> Memory::platformRanges() {
  return {{NHG_LOCAL_BASE, NHG_LOCAL_SIZE}, {NHG_FAR_BASE, NHG_FAR_SIZE}, {NHG_BOOT_ROM_BASE, NHG_BOOT_ROM_SIZE}};
}

Memory::Memory(const std::vector<Range> &ranges) {
  for (auto [base, size] : ranges) {
    void *host = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (host == MAP_FAILED)
      throw std::runtime_error("cannot reserve " + std::to_string(size >> 20) + " MiB of address space for memory at " +
                               hex(base) + "; raise the limit (ulimit -v)");
    regions_.push_back({base, size, static_cast<uint8_t *>(host), std::vector<uint64_t>(size / kPageBytes / 64 + 1)});
  }
}

Memory::~Memory() {
  for (auto &region : regions_)
    munmap(region.host, region.size);
}

void Memory::load(const Image &image) {
  segments_ = image.segments();
  std::sort(segments_.begin(), segments_.end(), [](const Segment &a, const Segment &b) { return a.addr < b.addr; });
  for (const auto &segment : segments_) {
    bool inside = std::any_of(regions_.begin(), regions_.end(), [&](const Region &region) {
      return segment.addr >= region.base && segment.addr - region.base <= region.size &&
             segment.extent <= region.size - (segment.addr - region.base);
    });
    if (!inside)
      throw std::runtime_error("segment at " + hex(segment.addr) + " of " + std::to_string(segment.extent) +
                               " bytes is outside local memory, far memory and boot ROM; check the linker script");
  }
}

uint8_t *Memory::locate(uint64_t addr) {
  for (auto &region : regions_) {
    uint64_t offset = addr - region.base;
    if (offset >= region.size)
      continue;
    uint64_t page = offset / kPageBytes;
    if (!(region.filled[page / 64] >> (page % 64) & 1))
      fillPage(region, page);
    return region.host + (offset & ~uint64_t(kWordBytes - 1));
  }
  return nullptr;
}

void Memory::fillPage(Region &region, uint64_t page) {
  region.filled[page / 64] |= uint64_t(1) << (page % 64);
  const uint64_t begin = page * kPageBytes;
  copyFromSegments(region.base + begin, region.base + begin + kPageBytes, region.host + begin);
}

void Memory::copyFromSegments(uint64_t begin, uint64_t end, uint8_t *to) const {
  auto segment = std::lower_bound(segments_.begin(), segments_.end(), begin,
                                  [](const Segment &s, uint64_t addr) { return s.addr + s.size <= addr; });
  for (; segment != segments_.end() && segment->addr < end; ++segment) {
    const uint64_t first = std::max(begin, segment->addr), last = std::min(end, segment->addr + segment->size);
    if (first < last)
      memcpy(to + (first - begin), segment->data + (first - segment->addr), last - first);
  }
}

std::vector<uint64_t> Memory::touchedPages() const {
  std::vector<uint64_t> pages;
  for (const auto &region : regions_)
    for (uint64_t page = 0; page < region.size / kPageBytes; page++)
      if (region.filled[page / 64] >> (page % 64) & 1)
        pages.push_back(region.base + page * kPageBytes);
  return pages;
}

void Memory::peek(uint64_t addr, void *word) const {
  const uint64_t begin = addr & ~uint64_t(kWordBytes - 1);
  memset(word, 0, kWordBytes);
  for (const auto &region : regions_)
    if (const uint64_t offset = begin - region.base, page = offset / kPageBytes; offset < region.size) {
      if (region.filled[page / 64] >> (page % 64) & 1)
        memcpy(word, region.host + offset, kWordBytes);
      else
        copyFromSegments(begin, begin + kWordBytes, static_cast<uint8_t *>(word));
    }
}

bool Memory::readWord(uint64_t addr, void *word) {
  const uint8_t *host = locate(addr);
  if (!host)
    return false;
  memcpy(word, host, kWordBytes);
  return true;
}

bool Memory::writeWord(uint64_t addr, const void *word, uint32_t strobes) {
  uint8_t *host = locate(addr);
  if (!host)
    return false;
  auto *bytes = static_cast<const uint8_t *>(word);
  if (strobes == UINT32_MAX) {
    memcpy(host, bytes, kWordBytes);
    return true;
  }
  for (unsigned i = 0; i < kWordBytes; i++)
    if (strobes >> i & 1)
      host[i] = bytes[i];
  return true;
}

} // namespace nhg
