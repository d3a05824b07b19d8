// SPDX-License-Identifier: Apache-2.0
// An iterator of carried.cpp in a file of its own.
struct step_iterator {
  uint64_t *place;
  uint64_t value;
  step_iterator &operator++() {
    value = *place++ ^ value * 3;
    return *this;
  }
  uint64_t operator*() const { return value; }
  bool operator!=(const step_iterator &other) const {
    return place != other.place;
  }
};
