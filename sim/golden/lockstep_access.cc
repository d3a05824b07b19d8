// SPDX-License-Identifier: Apache-2.0
#include "lockstep_access.h"

#include <riscv/encoding.h>
#include <riscv/mmu.h>

namespace nhg {

namespace {

constexpr uint64_t PageBytes = TranslationRules::PageBytes, HalfBytes = TranslationRules::HalfBytes;

Fetched fetchOnce(Machine &machine, const TranslationRules &rules) {
  Fetched fetched;
  try {
    insn_t insn = machine.hart().get_mmu()->load_insn(machine.hart().get_state()->pc).insn;
    fetched.good = true;
    fetched.bits = insn.bits() & 0xffffffff;
    const uint64_t pc = machine.hart().get_state()->pc, last = TranslationRules::lastHalf(pc, fetched.bits);
    const bool crosses = pc / PageBytes != last / PageBytes;
    fetched.first = rules.physicalOfFetch(TranslationRules::Fetch, pc);
    fetched.last = rules.physicalOfFetch(crosses ? TranslationRules::SecondFetch : TranslationRules::Fetch, last);
    fetched.rd = unsigned(insn.rd());
    fetched.info = classify(insn);
  } catch (trap_t &trap) { // step() takes the same fault
    fetched.cause = trap.cause();
    fetched.tval = trap.get_tval();
  } catch (triggers::matched_t &) { // and the same trigger
  }
  return fetched;
}

bool fits(const Fetched &fetched, const golden_commit_t &rtl) {
  if (rtl.trap && rtl.cause == CAUSE_BREAKPOINT)
    return true;
  if (isFetchFault(rtl) || !fetched.good)
    return isFetchFault(rtl) && fetched.cause == rtl.cause && fetched.tval == rtl.tval;
  return fetched.bits == rtl.insn && fetched.first == rtl.fetch_first && fetched.last == rtl.fetch_last;
}

bool isPageFault(uint64_t cause) { return cause == CAUSE_LOAD_PAGE_FAULT || cause == CAUSE_STORE_PAGE_FAULT; }

bool fits(const AccessProbe &probe, const golden_commit_t &rtl) {
  const bool isAccessFault = rtl.cause == CAUSE_LOAD_ACCESS || rtl.cause == CAUSE_STORE_ACCESS;
  if (!rtl.trap) {
    const bool isAllowed = !probe.cause || (probe.isElsewhere && !isPageFault(*probe.cause));
    return isAllowed && (!rtl.mem_valid || probe.physical == rtl.mem_addr);
  }
  if (isPageFault(rtl.cause))
    return probe.cause == rtl.cause;
  return !isAccessFault || probe.cause == rtl.cause || probe.isElsewhere;
}

// Where its data is, or that of a request, and whether it may go there.
void translateData(Machine &machine, TranslationRules &rules, const golden_commit_t &rtl, Fetched &fetched) {
  const state_t &state = *machine.hart().get_state();
  insn_t insn(fetched.bits);
  const AmuRequest request(state.XPR[insn.rs1()], state.XPR[insn.rs2()]);
  fetched.vaddress = fetched.isRequest() ? request.address : state.XPR[fetched.info.base] + fetched.info.offset;
  fetched.size = fetched.isRequest() ? request.size() : fetched.info.size;
  fetched.physical = fetched.vaddress;
  if (rules.isActive()) {
    const bool isWrite = fetched.writesMemory() || fetched.info.kind == InsnInfo::Astore;
    AccessProbe probe;
    rules.aim(fetched.vaddress);
    const auto goesThere = [&] {
      probe = machine.probeAccess(fetched.vaddress, isWrite);
      return fits(probe, rtl);
    };
    if (!goesThere() && !rules.find(TranslationRules::Data, fetched.vaddress, goesThere))
      probe = machine.probeAccess(fetched.vaddress, isWrite);
    fetched.physical = probe.physical.value_or(fetched.vaddress);
  }
  fetched.address = fetched.physical;
  if (fetched.info.kind == InsnInfo::Aload)
    fetched.address = NHG_SPM_BASE + request.id * machine.amu().config(AmuModel::SpmSlot) + request.offset;
}

} // namespace

bool isFetchFault(const golden_commit_t &rtl) {
  return rtl.trap && (rtl.cause == CAUSE_FETCH_ACCESS || rtl.cause == CAUSE_FETCH_PAGE_FAULT);
}

Fetched fetch(Machine &machine, TranslationRules &rules, const golden_commit_t &rtl) {
  const uint64_t pc = machine.hart().get_state()->pc;
  rules.begin(pc);
  Fetched fetched = fetchOnce(machine, rules);
  const auto fetches = [&] { return fits(fetched = fetchOnce(machine, rules), rtl); };
  const auto fetchesSecond = [&] {
    return fetches() || (pc % PageBytes == PageBytes - HalfBytes &&
                         rules.find(TranslationRules::SecondFetch, pc + HalfBytes, fetches));
  };
  if (rules.isActive() && !fits(fetched, rtl) && !rules.find(TranslationRules::Fetch, pc, fetchesSecond))
    fetched = fetchOnce(machine, rules);
  if (fetched.info.accessesMemory() || fetched.isRequest())
    translateData(machine, rules, rtl, fetched);
  return fetched;
}

} // namespace nhg
