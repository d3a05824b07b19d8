// SPDX-License-Identifier: Apache-2.0
//
// Follows the lines of AMU requests from commit to their group's counter, and finished groups from there to the commit of the instruction that takes them,
// by the events of watch.sv. Stages of a line:
//   Op operands wait for the ROB head, Rq committed, in the request queue, Sp splitter, Lk line lookup, L2 asked, L3 asked, An found, answer waits for its
//   turn, Ax on the way to the AXI port, Me memory (with the delayer), Rs response, Hi hit, its data to the SPM
// and of a group: Cd completed, in the FIFO, Fq finish queue, Bt sent to the BTQ, Tk taken at rename.
#ifndef NHG_AMU_LANES_H
#define NHG_AMU_LANES_H

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "kanata.h"
#include "pipeline.h"

namespace nhg {

class AmuLanes {
public:
  explicit AmuLanes(KanataLog &log) : log_(log) {}

  void requestCommitted(uint64_t cycle, const Instruction *instruction, bool is_store, unsigned id);
  void requestSplit(uint64_t cycle, uint64_t address, unsigned bytes);
  void lineBegins(uint64_t cycle, unsigned tag, uint64_t line_address);
  void lookupSent(uint64_t cycle);
  void lookupAnswered(uint64_t cycle, bool hit);
  void lookupPassedOn(uint64_t cycle);
  void lookupDone(uint64_t cycle, unsigned tag, bool hit);
  void memoryAsked(uint64_t cycle, unsigned tag) { enter(tag, cycle + 1, "Me"); }
  void memoryAnswered(uint64_t cycle, unsigned tag) { enter(tag, cycle + 1, "Rs"); }
  void lineCounted(uint64_t cycle, unsigned tag, unsigned id);
  void groupFinished(uint64_t cycle, unsigned id, unsigned fin_pointer);
  void groupSent(uint64_t cycle, unsigned fin_pointer, uint64_t target);
  std::shared_ptr<Row> group(unsigned fin_pointer); // null when there is none
  void logTaken();                                  // the groups whose taker has retired
  void end(uint64_t cycle);                         // of the run: closes what is left

private:
  using Pointer = std::shared_ptr<Row>;
  struct Counted { // lines of a group so far
    uint64_t last = 0;
    std::vector<Pointer> lines;
  };

  void enter(unsigned tag, uint64_t cycle, const char *stage);
  void log(const Pointer &row);

  KanataLog &log_;
  uint64_t next_line_ = 0, next_group_ = 0;
  std::deque<Pointer> committed_;               // in the request queue
  Pointer split_;                               // in the splitter
  bool split_begun_ = false;                    // its first line is on its way
  std::map<unsigned, Pointer> lines_;           // by tag
  std::deque<Pointer> to_send_, sent_, missed_; // lookups: before L2, in L2, before L3
  std::map<unsigned, Counted> counted_;         // by ID
  std::map<unsigned, Pointer> groups_;          // by finish-queue pointer
};

} // namespace nhg
#endif
