// SPDX-License-Identifier: Apache-2.0
#include "race_set.h"

#include <algorithm>

namespace nhg {

namespace {

bool overlaps(uint64_t a, uint64_t sizeA, uint64_t b, uint64_t sizeB) { return a < b + sizeB && b < a + sizeA; }

} // namespace

void RaceSet::begin(Transfer *transfer) { active_.push_back(transfer); }

// What the request may write to a byte: its source may have been written since the issue.
ByteValues RaceSet::written(const Transfer &transfer, uint64_t byte) const {
  ByteValues values{transfer.snapshot[byte], transfer.source[byte]};
  const uint64_t from = transfer.sourceAddress + byte;
  if (auto stored = storedWhileOwned_.find(from); stored != storedWhileOwned_.end())
    values.insert(stored->second.begin(), stored->second.end());
  if (auto open = uncertain_.find(from); open != uncertain_.end())
    values.insert(open->second.begin(), open->second.end());
  return values;
}

void RaceSet::finish(const Transfer *transfer) {
  active_.erase(std::find(active_.begin(), active_.end(), transfer));
  for (uint64_t i = 0; i < transfer->size; i++) {
    if (transfer->seen[i])
      continue;
    const uint64_t to = transfer->destinationAddress + i;
    ByteValues values = written(*transfer, i);
    // What others have written to the byte since the issue may be the last.
    if (transfer->destination[i] != transfer->oldDestination[i] || storedWhileOwned_.count(to))
      values.insert(transfer->destination[i]);
    if (values.size() > 1)
      uncertain_[to] = values;
    else
      uncertain_.erase(to);
    if (values.size() == 1 && !values.count(transfer->destination[i]))
      writes_(to, 1);
    transfer->destination[i] = transfer->snapshot[i];
  }
  if (active_.empty())
    storedWhileOwned_.clear();
}

// Whether the request may be the one that has written the byte.
bool RaceSet::mayWrite(const Transfer &transfer, uint64_t address) {
  const uint64_t byte = address - transfer.destinationAddress;
  return byte < transfer.size && !transfer.seen[byte];
}

ByteValues RaceSet::allowed(uint64_t address, uint8_t current) const {
  ByteValues values{current};
  if (auto open = uncertain_.find(address); open != uncertain_.end())
    values.insert(open->second.begin(), open->second.end());
  for (const Transfer *transfer : active_)
    if (mayWrite(*transfer, address))
      values.merge(written(*transfer, address - transfer->destinationAddress));
  return values;
}

// A load returns `value`, which the byte did not hold before: if only one request can have written it, that has.
void RaceSet::see(uint64_t address, uint8_t value) {
  if (auto open = uncertain_.find(address); open != uncertain_.end() && open->second.count(value))
    return;
  std::vector<Transfer *> writers;
  for (Transfer *transfer : active_)
    if (mayWrite(*transfer, address) && written(*transfer, address - transfer->destinationAddress).count(value))
      writers.push_back(transfer);
  if (writers.size() == 1)
    writers.front()->seen[address - writers.front()->destinationAddress] = true;
  writes_(address, 1);
}

void RaceSet::settleLoad(uint64_t address, unsigned size, uint64_t value, uint8_t *memory) {
  for (unsigned i = 0; i < size; i++) {
    const uint8_t wanted = uint8_t(value >> (8 * i));
    if (wanted != memory[i] && !allowed(address + i, memory[i]).count(wanted))
      return;
  }
  for (unsigned i = 0; i < size; i++) {
    const uint8_t wanted = uint8_t(value >> (8 * i));
    if (wanted != memory[i])
      see(address + i, wanted);
    memory[i] = wanted;
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
