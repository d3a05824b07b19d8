// SPDX-License-Identifier: Apache-2.0
//
// A pipeline log in the format Kanata 0004, which the viewer Konata shows. A row is the life of one instruction, AMU request or finished group.
#ifndef NHG_KANATA_H
#define NHG_KANATA_H

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace nhg {

struct Row {
  static constexpr uint64_t kOpen = UINT64_MAX;
  enum Kind { kInstruction, kRequest, kGroup }; // Kanata's thread

  struct Stage {
    uint64_t cycle; // the first one in it
    const char *name;
  };
  struct Arrow {
    uint64_t cycle;
    std::weak_ptr<Row> from;
  };

  Row(Kind kind, uint64_t number, uint64_t begin) : kind(kind), number(number), begin(begin) {}

  // The row is in this stage from `cycle` on; nothing when it is already. A stage that it would leave in the cycle of its begin is not kept.
  void enter(uint64_t cycle, const char *name);
  void close(uint64_t cycle, bool dropped_by_then);
  bool isOpen() const { return end == kOpen; }

  Kind kind;
  uint64_t number; // among the rows of its kind, since reset
  uint64_t begin;
  uint64_t end = kOpen; // first cycle without it
  bool dropped = false; // killed, or there when the run ended
  std::string label, detail;
  std::vector<Stage> stages;
  std::vector<Arrow> arrows;
};

// Keeps the rows that are alive in a window of cycles and writes them: from the window's first cycle, or their beginning in it, to their end.
class KanataLog {
public:
  // Both cycles are in the window. Before this nothing is kept.
  void open(uint64_t from, uint64_t to);
  bool keeps(const Row &row) const; // of a closed row
  void add(std::shared_ptr<Row> row) { rows_.push_back(std::move(row)); }
  // Cycles are counted from `zero`. All rows are closed. False: the file could not be written.
  bool write(FILE *file, uint64_t zero) const;

private:
  uint64_t from_ = Row::kOpen, to_ = 0;
  std::vector<std::shared_ptr<Row>> rows_;
};

} // namespace nhg
#endif
