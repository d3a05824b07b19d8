// SPDX-License-Identifier: Apache-2.0
//
// Bytes whose value the contract leaves open (rule 6), for lock-step comparison.
//
// From issue until its group is taken, a request owns its source and destination bytes. A plain access in
// between races with it and may see, or leave, either value. The golden model copies late, at take, and
// keeps for every raced byte the values it may have; the RTL's next load of the byte settles which, for all younger
// loads: a byte in which a load has seen what a request writes is not written by that request again.
// A program without races never has an entry here.
#ifndef NHG_RACE_SET_H
#define NHG_RACE_SET_H

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <vector>

namespace nhg {

// One request under way: copies size bytes from source to destination (host addresses of platform bytes).
struct Transfer {
  uint8_t *source;
  uint8_t *destination;
  uint64_t sourceAddress;      // physical
  uint64_t destinationAddress; // physical
  uint64_t size;
  std::vector<uint8_t> snapshot;       // source at issue; empty: sample the source at take
  std::vector<uint8_t> oldDestination; // destination at issue, for loads that race
  std::vector<bool> seen;              // bytes of the destination that a load has seen written
};

using ByteValues = std::set<uint8_t>;

// Told of bytes that a request has written since the hart last read them: address and size.
using RequestWrites = std::function<void(uint64_t, uint64_t)>;

class RaceSet {
public:
  explicit RaceSet(RequestWrites writes) : writes_(std::move(writes)) {}

  // A request was issued: its bytes are owned until finish().
  void begin(Transfer *transfer);
  // The group was taken: makes the copy and records the bytes that are not certain.
  void finish(const Transfer *transfer);

  bool empty() const { return active_.empty() && uncertain_.empty(); }

  // Before a plain load, LR or AMO of `size` bytes at `address` (host bytes at `memory`): when the bytes are
  // raced and `value` (little endian) is among the allowed ones, stores it there so that the load reads it.
  void settleLoad(uint64_t address, unsigned size, uint64_t value, uint8_t *memory);
  // After a plain store, SC or AMO: the bytes are certain again, except towards requests that own them.
  void noteStore(uint64_t address, unsigned size, const uint8_t *memory);
  // After an SC whose result nobody sees: the bytes are those of `before`, or those it stored.
  void noteMaybeStore(uint64_t address, unsigned size, const uint8_t *before, const uint8_t *memory);

  // What the byte may be, `current` in the golden model.
  ByteValues allowed(uint64_t address, uint8_t current) const;

private:
  ByteValues written(const Transfer &transfer, uint64_t byte) const;
  static bool mayWrite(const Transfer &transfer, uint64_t address);
  void see(uint64_t address, uint8_t value);

  RequestWrites writes_;
  std::vector<Transfer *> active_;
  // Values stored to owned bytes since issue, by address.
  std::map<uint64_t, ByteValues> storedWhileOwned_;
  std::map<uint64_t, ByteValues> uncertain_;
};

} // namespace nhg
#endif
