// SPDX-License-Identifier: Apache-2.0
//
// The words of the Verilated design by name, from the table that model_state.py writes: whether a cycle changed any, and moving the
// counters on. What the kinds of words mean stands there, what follows from them in docs/design/simulation.md.
#ifndef NHG_MODEL_STATE_H
#define NHG_MODEL_STATE_H

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

class Vsim_top;

namespace nhg {

class ModelState {
public:
  enum Kind : uint8_t { FIXED, COUNTER, WAIT, DERIVED, WRITTEN, ARRAY, SCRATCH, OPAQUE };
  struct Word { // or an array of them
    uint32_t offset, bytes;
    uint16_t bits; // of an element
    Kind kind;
    const char *name;
  };

  explicit ModelState(Vsim_top &top);

  // nullptr if the design has none of this name (as in the Verilog, below sim_top; Verilator's own with what is in front).
  const Word *find(const std::string &name) const;
  static std::string designName(const Word &word);

  size_t elements(const Word &word) const;
  uint64_t element(const Word &word, size_t index = 0) const;
  uint8_t *place(const Word &word, size_t index) const;
  // At most 64 bits of an element of any width.
  uint64_t bitsOf(const Word &word, size_t index, unsigned lsb, unsigned bits) const;
  void set(const Word &word, uint64_t value);
  void setBitsOf(const Word &word, size_t index, unsigned lsb, unsigned bits, uint64_t value);
  // 32 bits of a wide word.
  uint32_t part(const Word &word, size_t index) const;
  const uint8_t *bytes(const Word &word) const { return base_ + word.offset; }

  // What a quiet cycle keeps: copied, and compared with the copy. Where the first difference is (for at and wordAt), or kNowhere.
  static constexpr uint32_t kNowhere = UINT32_MAX;
  void keep();
  uint32_t changed() const;
  std::vector<const Word *> allChanged() const;
  uint64_t at(uint32_t offset, uint32_t bytes) const; // at most 8
  static const Word *wordAt(uint32_t offset);
  // Likewise of a word that tells of an array written in the last cycle; `except` is not looked at.
  uint32_t written(const std::vector<const Word *> &except) const;

  // COUNTER and WAIT
  const std::vector<const Word *> &counters() const { return counters_; }
  // All logic anew from the registers.
  void settle();

  // The design's own words, arrays among them, for the check of a jump.
  std::vector<uint8_t> copy() const;
  void restore(const std::vector<uint8_t> &state);
  // A word that differs between the design and a copy, or null.
  const Word *differs(const std::vector<uint8_t> &state) const;

private:
  struct Range {
    uint32_t begin, end;
  };
  template <typename Wanted> static std::vector<Range> ranges(Wanted wanted);
  uint32_t difference(const std::vector<Range> &ranges, const uint8_t *kept) const;

  Vsim_top &top_;
  uint8_t *base_;
  std::vector<Range> compared_, all_;
  std::vector<const Word *> counters_, written_;
  std::vector<uint8_t> kept_;
};

} // namespace nhg
#endif
