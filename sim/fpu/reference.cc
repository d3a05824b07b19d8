// SPDX-License-Identifier: Apache-2.0
#include "reference.h"

#include <iostream>
#include <map>

#include "riscv/cfg.h"
#include "riscv/processor.h"
#include "riscv/simif.h"

// What Spike's decoder calls for an instruction.
#define FPU_DECLARE(unit, name, code, sources, kind, s, d)                                                             \
  reg_t fast_rv64i_##s(processor_t *, insn_t, reg_t);                                                                  \
  reg_t fast_rv64i_##d(processor_t *, insn_t, reg_t);
FPU_OPERATIONS(FPU_DECLARE)
#undef FPU_DECLARE

namespace {

using Execute = reg_t (*)(processor_t *, insn_t, reg_t);
#define FPU_EXECUTE(unit, name, code, sources, kind, s, d) {fast_rv64i_##s, fast_rv64i_##d},
constexpr Execute kExecute[][2] = {FPU_OPERATIONS(FPU_EXECUTE)};
#undef FPU_EXECUTE

constexpr unsigned kDestination = 4; // of either register file; the sources are registers 1 to 3

bool resultIsInteger(const Operation &op) { return op.code >= 15 && op.code <= 27 && op.code != 20 && op.code != 21; }

} // namespace

struct Reference::Hart : simif_t {
  Hart() {
    config_.isa = "rv64gc";
    config_.priv = "m";
    config_.hartids = {0};
    debug_mmu = nullptr;
    hart = std::make_unique<processor_t>("rv64gc", "m", &config_, this, 0, false, stderr, std::cerr);
    harts_[0] = hart.get();
    hart->reset();
    state().mstatus->write(state().mstatus->read() | MSTATUS_FS);
  }
  state_t &state() { return *hart->get_state(); }

  char *addr_to_mem(reg_t) override { return nullptr; }
  bool mmio_load(reg_t, size_t, uint8_t *) override { return false; }
  bool mmio_store(reg_t, size_t, const uint8_t *) override { return false; }
  void proc_reset(unsigned) override {}
  const cfg_t &get_cfg() const override { return config_; }
  const std::map<size_t, processor_t *> &get_harts() const override { return harts_; }
  const char *get_symbol(uint64_t) override { return nullptr; }

  std::unique_ptr<processor_t> hart;

private:
  cfg_t config_;
  std::map<size_t, processor_t *> harts_;
};

Reference::Reference() : hart_(std::make_unique<Hart>()) {}
Reference::~Reference() = default;

Result Reference::run(const Vector &vector) {
  const Operation &op = kOperations[vector.operation];
  state_t &state = hart_->state();
  for (unsigned i = 0; i < 3; i++)
    state.FPR.write(i + 1, freg_t{{vector.source[i], ~uint64_t(0)}});
  state.XPR.write(1, vector.source[0]);
  state.fflags->write(0);
  const insn_bits_t bits = kDestination << 7 | vector.rm << 12 | 1 << 15 | 2 << 20 | 3 << 27;
  kExecute[vector.operation][vector.isDouble](hart_->hart.get(), insn_t(bits), 0);
  const uint64_t data = resultIsInteger(op) ? state.XPR[kDestination] : state.FPR[kDestination].v[0];
  return {data, unsigned(state.fflags->read())};
}
