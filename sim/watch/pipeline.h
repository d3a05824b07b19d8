// SPDX-License-Identifier: Apache-2.0
//
// Follows every instruction from fetch to retirement or its death, by the events of watch.sv. Stages, each from its first cycle on:
//   F fetch, Ib instruction buffer, Dc decode, Rn rename (waits here for resources), Ds dispatch queue, Iq issue queue, Is selected, Rr register
//   read, X execution (a load or a store until it is done), Wb done, waits for the older ones, Cm retires.
#ifndef NHG_PIPELINE_H
#define NHG_PIPELINE_H

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "kanata.h"

namespace nhg {

struct Instruction {
  std::shared_ptr<Row> row;
  uint64_t pc;
  uint32_t encoding;
  std::string note;                          // what a person wants to know of it beside its encoding
  std::vector<std::weak_ptr<Row>> waits_for; // rows of the instructions that make its operands
  std::shared_ptr<Row> group;                // which it takes
};

class Pipeline {
public:
  using Disassemble = std::function<std::string(uint32_t encoding)>;
  Pipeline(KanataLog &log, Disassemble disassemble) : log_(log), disassemble_(std::move(disassemble)) {}

  // Events of one cycle, in the order of watch.sv.
  void retired(uint64_t cycle);
  void trapped();
  void done(uint64_t cycle, unsigned rob_index);
  void executes(uint64_t cycle, unsigned rob_index);
  void issued(uint64_t cycle, unsigned rob_index);
  void queued(uint64_t cycle, unsigned rob_index);
  // `sources` and `destination` are registers as in watch.sv; a group that it takes or null.
  void renamed(uint64_t cycle, unsigned rob_index, unsigned sources, bool writes, unsigned destination,
               std::shared_ptr<Row> group);
  void decoded(uint64_t cycle, bool predicted_taken, uint64_t target);
  void fetched(uint64_t cycle, uint64_t pc, uint32_t encoding);
  void fetchBegins(uint64_t cycle) { fetch_begin_ = cycle; }
  void killed(uint64_t cycle, bool all, unsigned rob_index);
  void end(uint64_t cycle); // of the run: closes what is left

  const Instruction *head() const { return rob_.empty() ? nullptr : rob_.front().get(); }

private:
  using Pointer = std::shared_ptr<Instruction>;
  Row *at(unsigned rob_index) const;
  void close(const Pointer &instruction, uint64_t cycle, bool dropped);
  void kill(std::deque<Pointer> &instructions, uint64_t cycle);

  KanataLog &log_;
  Disassemble disassemble_;
  uint64_t fetch_begin_ = 0, next_number_ = 0;
  std::deque<Pointer> buffer_, renaming_, rob_;    // oldest first
  std::map<unsigned, Pointer> by_index_;           // in the ROB
  std::map<unsigned, std::weak_ptr<Row>> writers_; // by physical register
};

} // namespace nhg
#endif
