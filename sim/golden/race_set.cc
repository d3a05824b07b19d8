// SPDX-License-Identifier: Apache-2.0
#include "race_set.h"

#include <algorithm>

namespace nhg {

namespace {

bool overlaps(uint64_t a, uint64_t sizeA, uint64_t b, uint64_t sizeB) { return a < b + sizeB && b < a + sizeA; }

bool contains(uint64_t base, uint64_t size, uint64_t address) { return address - base < size; }

} // namespace

void RaceSet::begin(const Transfer *transfer) { active_.push_back(transfer); }

void RaceSet::finish(const Transfer *transfer) {
  active_.erase(std::find(active_.begin(), active_.end(), transfer));
  for (uint64_t i = 0; i < transfer->size; i++) {
    const uint64_t from = transfer->sourceAddress + i, to = transfer->destinationAddress + i;
    // Another request may have written the source since: then both values are possible.
    ByteValues values{transfer->snapshot[i], transfer->source[i]};
    for (uint64_t address : {from, to})
      if (auto stored = storedWhileOwned_.find(address); stored != storedWhileOwned_.end())
        values.insert(stored->second.begin(), stored->second.end());
    if (auto open = uncertain_.find(from); open != uncertain_.end())
      values.insert(open->second.begin(), open->second.end());
    if (transfer->destination[i] != transfer->oldDestination[i])
      values.insert(transfer->destination[i]);
    transfer->destination[i] = transfer->snapshot[i];
    if (values.size() > 1)
      uncertain_[to] = values;
    else
      uncertain_.erase(to);
  }
  if (active_.empty())
    storedWhileOwned_.clear();
}

ByteValues RaceSet::allowed(uint64_t address, uint8_t current) const {
  ByteValues values{current};
  if (auto open = uncertain_.find(address); open != uncertain_.end())
    values.insert(open->second.begin(), open->second.end());
  for (const Transfer *transfer : active_) {
    if (!contains(transfer->destinationAddress, transfer->size, address))
      continue;
    const uint64_t i = address - transfer->destinationAddress;
    values.insert({transfer->snapshot[i], transfer->source[i], transfer->oldDestination[i]});
    for (uint64_t owned : {transfer->sourceAddress + i, address})
      if (auto stored = storedWhileOwned_.find(owned); stored != storedWhileOwned_.end())
        values.insert(stored->second.begin(), stored->second.end());
  }
  return values;
}

void RaceSet::settleLoad(uint64_t address, unsigned size, uint64_t value, uint8_t *memory) {
  for (unsigned i = 0; i < size; i++) {
    const uint8_t wanted = uint8_t(value >> (8 * i));
    if (wanted != memory[i] && !allowed(address + i, memory[i]).count(wanted))
      return;
  }
  for (unsigned i = 0; i < size; i++) {
    memory[i] = uint8_t(value >> (8 * i));
    uncertain_.erase(address + i);
  }
}

void RaceSet::noteStore(uint64_t address, unsigned size, const uint8_t *memory) {
  for (unsigned i = 0; i < size; i++)
    uncertain_.erase(address + i);
  for (const Transfer *transfer : active_) {
    const bool owned = overlaps(transfer->sourceAddress, transfer->size, address, size) ||
                       overlaps(transfer->destinationAddress, transfer->size, address, size);
    if (!owned)
      continue;
    for (unsigned i = 0; i < size; i++)
      storedWhileOwned_[address + i].insert(memory[i]);
  }
}

void RaceSet::noteMaybeStore(uint64_t address, unsigned size, const uint8_t *before, const uint8_t *memory) {
  std::vector<ByteValues> values;
  for (unsigned i = 0; i < size; i++)
    values.push_back(allowed(address + i, before[i]));
  noteStore(address, size, memory);
  for (unsigned i = 0; i < size; i++) {
    values[i].insert(memory[i]);
    if (values[i].size() > 1)
      uncertain_[address + i] = values[i];
  }
}

} // namespace nhg
