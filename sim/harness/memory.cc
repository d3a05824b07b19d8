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
constexpr uint64_t kPageBytes = 4096;

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
  uint64_t begin = region.base + page * kPageBytes, end = begin + kPageBytes;
  auto segment = std::lower_bound(segments_.begin(), segments_.end(), begin,
                                  [](const Segment &s, uint64_t addr) { return s.addr + s.size <= addr; });
  for (; segment != segments_.end() && segment->addr < end; ++segment) {
    uint64_t from = std::max(begin, segment->addr), to = std::min(end, segment->addr + segment->size);
    if (from < to)
      memcpy(region.host + (from - region.base), segment->data + (from - segment->addr), to - from);
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
