// SPDX-License-Identifier: Apache-2.0
//
// The whole C++ library beside a marked loop: containers, streams, an exception that crosses functions, a thread whose loop has not got the AMU.
#include <locale.h>

#include <cstdint>
#include <iostream>
#include <stdexcept>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "asyncmem.h"
#include "remote.h"

namespace {

constexpr uint64_t Words = 1 << 14, Reads = 1 << 10;

uint64_t sum(const uint64_t *table, const std::vector<uint32_t> &where) {
  const uint32_t *at = where.data();
  const uint64_t reads = where.size();
  uint64_t total = 0;
#pragma asyncmem reduction(+ : total)
  for (uint64_t i = 0; i < reads; ++i) {
    __builtin_is_remote(table);
    total += table[at[i]];
  }
  return total;
}

void compare(uint64_t found, uint64_t expected, const std::string &who) {
  if (found != expected)
    throw std::runtime_error(who + " found " + std::to_string(found));
}

} // namespace

int main() {
  setlocale(LC_ALL, "C");
  auto *table = static_cast<uint64_t *>(remote_alloc(Words * sizeof(uint64_t)));
  std::vector<uint32_t> where(Reads);
  std::unordered_map<uint32_t, uint64_t> times;
  uint64_t expected = 0;
  for (uint64_t i = 0; i < Words; ++i)
    table[i] = i * i;
  for (uint64_t i = 0; i < Reads; ++i) {
    where[i] = static_cast<uint32_t>(i * 2654435761u % Words);
    ++times[where[i]];
  }
  for (const auto &[place, count] : times)
    expected += table[place] * count;
  try {
    compare(sum(table, where), expected, "the first thread");
    uint64_t found = 0;
    std::thread other([&] { found = sum(table, where); });
    other.join();
    compare(found, expected, "the second thread");
    compare(0, expected, "nobody");
  } catch (const std::exception &error) {
    std::cout << error.what() << std::endl;
  }
  std::cout << "task switches: " << __asyncmem_switches << std::endl;
  return 0;
}
