// SPDX-License-Identifier: Apache-2.0
//
// The events of watch.sv on their way to the one who follows them.
#include "svdpi.h"
#include "watch.h"

namespace {

template <typename Take> void withWatch(Take take) {
  if (nhg::Watch *watch = nhg::Watch::current())
    take(*watch, watch->cycle);
}

} // namespace

using nhg::Watch;

extern "C" {

void nhg_watch_retired() {
  withWatch([](Watch &w, uint64_t cycle) {
    w.pipeline.retired(cycle);
    w.amu.logTaken();
  });
}
void nhg_watch_trapped() {
  withWatch([](Watch &w, uint64_t) { w.pipeline.trapped(); });
}
void nhg_watch_done(unsigned rob_index) {
  withWatch([=](Watch &w, uint64_t cycle) { w.pipeline.done(cycle, rob_index); });
}
void nhg_watch_executes(unsigned rob_index) {
  withWatch([=](Watch &w, uint64_t cycle) { w.pipeline.executes(cycle, rob_index); });
}
void nhg_watch_issued(unsigned rob_index) {
  withWatch([=](Watch &w, uint64_t cycle) { w.pipeline.issued(cycle, rob_index); });
}
void nhg_watch_queued(unsigned rob_index) {
  withWatch([=](Watch &w, uint64_t cycle) { w.pipeline.queued(cycle, rob_index); });
}
void nhg_watch_renamed(unsigned rob_index, unsigned sources, svBit writes, unsigned destination, svBit takes_group,
                       unsigned fin_pointer) {
  withWatch([=](Watch &w, uint64_t cycle) {
    w.pipeline.renamed(cycle, rob_index, sources, writes, destination,
                       takes_group ? w.amu.group(fin_pointer) : nullptr);
  });
}
void nhg_watch_killed(svBit all, unsigned rob_index) {
  withWatch([=](Watch &w, uint64_t cycle) { w.pipeline.killed(cycle, all, rob_index); });
}
void nhg_watch_decoded(svBit predicted_taken, unsigned long long target) {
  withWatch([=](Watch &w, uint64_t cycle) { w.pipeline.decoded(cycle, predicted_taken, target); });
}
void nhg_watch_fetched(unsigned long long pc, unsigned encoding) {
  withWatch([=](Watch &w, uint64_t cycle) { w.pipeline.fetched(cycle, pc, encoding); });
}
void nhg_watch_fetch_begins() {
  withWatch([](Watch &w, uint64_t cycle) { w.pipeline.fetchBegins(cycle); });
}
void nhg_watch_request_committed(svBit is_store, unsigned id) {
  withWatch([=](Watch &w, uint64_t cycle) { w.amu.requestCommitted(cycle, w.pipeline.head(), is_store, id); });
}
void nhg_watch_request_split(unsigned long long address, unsigned bytes) {
  withWatch([=](Watch &w, uint64_t cycle) { w.amu.requestSplit(cycle, address, bytes); });
}
void nhg_watch_line_begins(unsigned tag, unsigned long long line_address) {
  withWatch([=](Watch &w, uint64_t cycle) { w.amu.lineBegins(cycle, tag, line_address); });
}
void nhg_watch_lookup_sent() {
  withWatch([](Watch &w, uint64_t cycle) { w.amu.lookupSent(cycle); });
}
void nhg_watch_lookup_answered(svBit hit) {
  withWatch([=](Watch &w, uint64_t cycle) { w.amu.lookupAnswered(cycle, hit); });
}
void nhg_watch_lookup_passed_on() {
  withWatch([](Watch &w, uint64_t cycle) { w.amu.lookupPassedOn(cycle); });
}
void nhg_watch_lookup_done(unsigned tag, svBit hit) {
  withWatch([=](Watch &w, uint64_t cycle) { w.amu.lookupDone(cycle, tag, hit); });
}
void nhg_watch_memory_asked(unsigned tag) {
  withWatch([=](Watch &w, uint64_t cycle) { w.amu.memoryAsked(cycle, tag); });
}
void nhg_watch_memory_answered(unsigned tag) {
  withWatch([=](Watch &w, uint64_t cycle) { w.amu.memoryAnswered(cycle, tag); });
}
void nhg_watch_line_counted(unsigned tag, unsigned id) {
  withWatch([=](Watch &w, uint64_t cycle) { w.amu.lineCounted(cycle, tag, id); });
}
void nhg_watch_group_finished(unsigned id, unsigned fin_pointer) {
  withWatch([=](Watch &w, uint64_t cycle) { w.amu.groupFinished(cycle, id, fin_pointer); });
}
void nhg_watch_group_sent(unsigned fin_pointer, unsigned long long target) {
  withWatch([=](Watch &w, uint64_t cycle) { w.amu.groupSent(cycle, fin_pointer, target); });
}

} // extern "C"
