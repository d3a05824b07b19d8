// SPDX-License-Identifier: Apache-2.0
#include "amu_lanes.h"

#include <cinttypes>

namespace nhg {

namespace {

std::shared_ptr<Row> popFront(std::deque<std::shared_ptr<Row>> &rows) {
  if (rows.empty())
    return nullptr;
  auto row = rows.front();
  rows.pop_front();
  return row;
}

} // namespace

void AmuLanes::enter(unsigned tag, uint64_t cycle, const char *stage) {
  const auto found = lines_.find(tag);
  if (found != lines_.end())
    found->second->enter(cycle, stage);
}

void AmuLanes::log(const Pointer &row) {
  if (log_.keeps(*row))
    log_.add(row);
}

void AmuLanes::requestCommitted(uint64_t cycle, const Instruction *instruction, bool is_store, unsigned id) {
  auto row = std::make_shared<Row>(Row::kRequest, next_line_++, cycle + 1);
  if (instruction) { // its operands came when it executed
    for (const Row::Stage &stage : instruction->row->stages)
      if (std::string(stage.name) == "X")
        row->begin = stage.cycle + 1;
    row->arrows.push_back({cycle + 1, instruction->row});
    row->detail = "of instruction " + std::to_string(instruction->row->number) + ", ";
  }
  row->label = std::string(is_store ? "astore" : "aload") + " ID " + std::to_string(id);
  row->enter(row->begin, "Op");
  row->enter(cycle + 1, "Rq");
  committed_.push_back(row);
}

void AmuLanes::requestSplit(uint64_t cycle, uint64_t address, unsigned bytes) {
  split_ = popFront(committed_);
  split_begun_ = false;
  if (!split_)
    return;
  char text[64];
  snprintf(text, sizeof text, ": %u bytes at %09" PRIx64, bytes, address);
  split_->label += text;
  split_->enter(cycle + 1, "Sp");
}

void AmuLanes::lineBegins(uint64_t cycle, unsigned tag, uint64_t line_address) {
  if (!split_)
    return;
  Pointer row = split_;
  if (split_begun_) { // a further line has a row of its own
    row = std::make_shared<Row>(Row::kRequest, next_line_++, cycle);
    row->label = split_->label;
    row->enter(cycle, "Sp");
  }
  split_begun_ = true;
  char text[64];
  snprintf(text, sizeof text, "line %09" PRIx64 ", tag %u", line_address, tag);
  row->detail += text;
  row->enter(cycle + 1, "Lk");
  lines_[tag] = row;
  to_send_.push_back(row);
}

void AmuLanes::lookupSent(uint64_t cycle) {
  if (const Pointer row = popFront(to_send_)) {
    row->enter(cycle + 1, "L2");
    sent_.push_back(row);
  }
}

void AmuLanes::lookupAnswered(uint64_t cycle, bool hit) {
  const Pointer row = popFront(sent_);
  if (row && hit)
    row->enter(cycle + 1, "An");
  else if (row)
    missed_.push_back(row);
}

void AmuLanes::lookupPassedOn(uint64_t cycle) {
  if (const Pointer row = popFront(missed_))
    row->enter(cycle + 1, "L3");
}

void AmuLanes::lookupDone(uint64_t cycle, unsigned tag, bool hit) {
  enter(tag, cycle + 1, hit ? "Hi" : "Ax");
  if (!sent_.empty() && lines_.count(tag) && sent_.front() == lines_[tag])
    sent_.pop_front(); // without L3 nobody else says that L2 has answered
}

void AmuLanes::lineCounted(uint64_t cycle, unsigned tag, unsigned id) {
  const auto found = lines_.find(tag);
  if (found == lines_.end())
    return;
  found->second->close(cycle + 1, false);
  log(found->second);
  counted_[id].last = cycle;
  counted_[id].lines.push_back(found->second);
  lines_.erase(found);
}

void AmuLanes::groupFinished(uint64_t cycle, unsigned id, unsigned fin_pointer) {
  const auto counted = counted_.find(id); // not there: finished by a signal
  auto row =
      std::make_shared<Row>(Row::kGroup, next_group_++, counted == counted_.end() ? cycle : counted->second.last + 1);
  row->label = "group of ID " + std::to_string(id);
  row->enter(row->begin, "Cd");
  row->enter(cycle + 1, "Fq");
  if (counted != counted_.end()) {
    for (const Pointer &line : counted->second.lines)
      row->arrows.push_back({row->begin, line});
    counted_.erase(counted);
  }
  groups_[fin_pointer] = row;
}

void AmuLanes::groupSent(uint64_t cycle, unsigned fin_pointer, uint64_t target) {
  const Pointer row = group(fin_pointer);
  if (!row || std::string(row->stages.back().name) == "Tk")
    return;
  row->enter(cycle + 1, "Bt");
  char text[48];
  snprintf(text, sizeof text, " -> %08" PRIx64, target);
  if (row->label.find(text) == row->label.npos)
    row->label += text;
}

std::shared_ptr<Row> AmuLanes::group(unsigned fin_pointer) {
  const auto found = groups_.find(fin_pointer);
  return found == groups_.end() ? nullptr : found->second;
}

void AmuLanes::logTaken() {
  for (auto at = groups_.begin(); at != groups_.end();) {
    const bool taken = !at->second->isOpen();
    if (taken)
      log(at->second);
    at = taken ? groups_.erase(at) : std::next(at);
  }
}

void AmuLanes::end(uint64_t cycle) {
  std::set<Pointer> open(committed_.begin(), committed_.end());
  if (split_ && split_->isOpen())
    open.insert(split_);
  for (const auto &[tag, row] : lines_)
    open.insert(row);
  for (const auto &[pointer, row] : groups_)
    open.insert(row);
  for (const Pointer &row : open) {
    row->close(cycle + 1, true);
    row->detail += ", open when the run ended";
    log(row);
  }
}

} // namespace nhg
