// SPDX-License-Identifier: Apache-2.0
#include "pipeline.h"

#include <cinttypes>

namespace nhg {

namespace {

constexpr unsigned kSources = 3, kRegisterBits = 9;
const char *const kDone = "Wb";

bool isDone(const Row &row) { return !row.stages.empty() && row.stages.back().name == kDone; }

// A part of a store may be done before the other is issued: it is done with the later one.
void enterBeforeDone(Row *row, uint64_t cycle, const char *stage) {
  if (!row)
    return;
  if (isDone(*row))
    row->stages.pop_back();
  row->enter(cycle, stage);
}

} // namespace

Row *Pipeline::at(unsigned rob_index) const {
  const auto found = by_index_.find(rob_index);
  return found == by_index_.end() ? nullptr : found->second->row.get();
}

void Pipeline::close(const Pointer &instruction, uint64_t cycle, bool dropped) {
  Row &row = *instruction->row;
  row.close(cycle, dropped);
  if (instruction->group && dropped) {
    instruction->group->enter(cycle, "Fq"); // another may take it
    instruction->group->detail.clear();
  }
  if (!log_.keeps(row))
    return;
  char text[160];
  snprintf(text, sizeof text, "%08" PRIx64 ": %s", instruction->pc, disassemble_(instruction->encoding).c_str());
  row.label = text;
  snprintf(text, sizeof text, "encoding %0*x%s%s", (instruction->encoding & 3) == 3 ? 8 : 4, instruction->encoding,
           instruction->note.c_str(), dropped ? ", killed" : "");
  row.detail = text;
  log_.add(instruction->row);
}

void Pipeline::kill(std::deque<Pointer> &instructions, uint64_t cycle) {
  for (const Pointer &instruction : instructions)
    close(instruction, cycle + 1, true);
  instructions.clear();
}

void Pipeline::retired(uint64_t cycle) {
  if (rob_.empty())
    return;
  const Pointer instruction = rob_.front();
  rob_.pop_front();
  // What retires in the cycle of its result waits for nothing; if it executed in that cycle alone, Cm stands for it.
  auto &stages = instruction->row->stages;
  if (isDone(*instruction->row) && stages.back().cycle > cycle)
    stages.pop_back();
  instruction->row->enter(cycle, "Cm");
  close(instruction, cycle + 1, false);
  if (instruction->group)
    instruction->group->close(cycle + 1, false);
}

void Pipeline::trapped() {
  if (!rob_.empty())
    rob_.front()->note += ", traps";
}

void Pipeline::done(uint64_t cycle, unsigned rob_index) { enterBeforeDone(at(rob_index), cycle + 1, kDone); }

void Pipeline::executes(uint64_t cycle, unsigned rob_index) { enterBeforeDone(at(rob_index), cycle, "X"); }

void Pipeline::issued(uint64_t cycle, unsigned rob_index) {
  Row *row = at(rob_index);
  enterBeforeDone(row, cycle, "Is");
  enterBeforeDone(row, cycle + 1, "Rr");
  if (!row)
    return;
  Instruction &instruction = *by_index_.at(rob_index);
  for (const auto &maker : instruction.waits_for)
    row->arrows.push_back({cycle, maker});
  instruction.waits_for.clear();
}

void Pipeline::queued(uint64_t cycle, unsigned rob_index) {
  if (Row *row = at(rob_index))
    row->enter(cycle + 1, "Iq");
}

void Pipeline::renamed(uint64_t cycle, unsigned rob_index, unsigned sources, bool writes, unsigned destination,
                       std::shared_ptr<Row> group) {
  if (renaming_.empty())
    return;
  const Pointer instruction = renaming_.front();
  renaming_.pop_front();
  rob_.push_back(instruction);
  by_index_[rob_index] = instruction;
  instruction->row->enter(cycle + 1, "Ds");
  for (unsigned k = 0; k < kSources; k++) {
    const auto maker = writers_[sources >> k * kRegisterBits & ((1u << kRegisterBits) - 1)].lock();
    if (maker && maker->isOpen() && !isDone(*maker))
      instruction->waits_for.push_back(maker);
  }
  if (writes)
    writers_[destination] = instruction->row;
  if (group) {
    instruction->group = group;
    instruction->row->arrows.push_back({cycle, group});
    group->enter(cycle + 1, "Tk");
    char text[80];
    snprintf(text, sizeof text, "taken by instruction %" PRIu64 " at %08" PRIx64, instruction->row->number,
             instruction->pc);
    group->detail = text;
  }
}

void Pipeline::decoded(uint64_t cycle, bool predicted_taken, uint64_t target) {
  if (buffer_.empty())
    return;
  const Pointer instruction = buffer_.front();
  buffer_.pop_front();
  renaming_.push_back(instruction);
  instruction->row->enter(cycle, "Dc");
  instruction->row->enter(cycle + 1, "Rn");
  if (predicted_taken) {
    char text[64];
    snprintf(text, sizeof text, ", predicted taken to %08" PRIx64, target);
    instruction->note += text;
  }
}

void Pipeline::fetched(uint64_t cycle, uint64_t pc, uint32_t encoding) {
  auto instruction = std::make_shared<Instruction>();
  instruction->row = std::make_shared<Row>(Row::kInstruction, next_number_++, fetch_begin_);
  instruction->pc = pc;
  instruction->encoding = encoding;
  instruction->row->enter(fetch_begin_, "F");
  instruction->row->enter(cycle + 1, "Ib");
  buffer_.push_back(instruction);
}

void Pipeline::killed(uint64_t cycle, bool all, unsigned rob_index) {
  kill(buffer_, cycle);
  kill(renaming_, cycle);
  const auto last = by_index_.find(rob_index);
  std::deque<Pointer> dead;
  while (!rob_.empty() && (all || last == by_index_.end() || rob_.back() != last->second)) {
    dead.push_front(rob_.back());
    rob_.pop_back();
  }
  kill(dead, cycle);
}

void Pipeline::end(uint64_t cycle) {
  for (auto *instructions : {&rob_, &renaming_, &buffer_})
    kill(*instructions, cycle);
}

} // namespace nhg
