// SPDX-License-Identifier: Apache-2.0
#include "checkpoint.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string_view>

#include "checkpoint_format.h"
#include "csrs.h"

extern "C" const uint8_t nhg_restore_stub[], nhg_restore_stub_end[];

namespace nhg {

namespace {

bool isZero(const uint8_t *data, uint64_t bytes) {
  return std::all_of(data, data + bytes, [](uint8_t byte) { return byte == 0; });
}

// mret enters the mode of MPP, and MPIE becomes MIE.
uint64_t statusForMret(const state_t &state) {
  const uint64_t status = state.csrmap.at(CSR_MSTATUS)->read();
  const bool enabled = status & MSTATUS_MIE;
  return set_field(set_field(status & ~reg_t(MSTATUS_MIE), MSTATUS_MPIE, enabled), MSTATUS_MPP, state.prv);
}

// Stub, state page and SPM image, as the boot ROM holds them.
std::vector<uint8_t> bootRomWithState(Machine &machine) {
  std::vector<uint8_t> rom(NHG_BOOT_ROM_SIZE);
  const size_t stubBytes = size_t(nhg_restore_stub_end - nhg_restore_stub);
  if (NHG_BOOT_ROM_BASE + stubBytes > NHG_STATE_PAGE)
    throw std::runtime_error("restore stub overlaps the state page");
  std::memcpy(rom.data(), nhg_restore_stub, stubBytes);

  const auto put = [&](uint64_t offset, uint64_t value) {
    std::memcpy(&rom[NHG_STATE_PAGE - NHG_BOOT_ROM_BASE + offset], &value, sizeof value);
  };
  state_t &state = *machine.hart().get_state();
  for (unsigned i = 1; i < 32; i++)
    put(NHG_STATE_X + 8 * i, state.XPR[i]);
  for (unsigned i = 0; i < 32; i++)
    put(NHG_STATE_F + 8 * i, state.FPR[i].v[0]);
  put(NHG_STATE_FCSR, state.csrmap[CSR_FCSR]->read());
  put(NHG_STATE_PC, state.pc);
  // mstatus as for the mret from the start: with MPRV, an MPP of its own may not read this page.
  const PrivilegedCsrs csrs = privilegedCsrs(state);
  for (size_t i = 0; i < csrs.size(); i++)
    put(NHG_STATE_CSRS + 8 * i, std::string_view(privilegedCsrName(i)) == "mstatus" ? statusForMret(state) : csrs[i]);
  put(NHG_STATE_MSTATUS, statusForMret(state));
  put(NHG_STATE_AMUCTL, machine.amu().control());
  for (unsigned i = 0; i < AmuModel::ConfigCount; i++)
    put(NHG_STATE_AMUCFG + 8 * i, machine.amu().config(i));

  const std::vector<uint8_t> &spm = machine.spm();
  uint64_t used = machine.amu().wayTaken() ? spm.size() : 0;
  while (used > 0 && isZero(&spm[used - 8], 8))
    used -= 8;
  put(NHG_STATE_SPM_BYTES, used);
  std::memcpy(&rom[NHG_STATE_SPM - NHG_BOOT_ROM_BASE], spm.data(), used);
  return rom;
}

// Touched pages that are not all zero, neighbours joined.
std::vector<Segment> memorySegments(Machine &machine) {
  std::vector<Segment> segments;
  for (const SparseMemory *memory : machine.memories())
    memory->forEachTouched([&](uint64_t address, uint64_t bytes) {
      for (uint64_t page = address; page < address + bytes; page += CheckpointAlignment) {
        const uint8_t *data = memory->at(page);
        if (isZero(data, CheckpointAlignment))
          continue;
        if (!segments.empty() && segments.back().addr + segments.back().size == page)
          segments.back().size = segments.back().extent += CheckpointAlignment;
        else
          segments.push_back({page, CheckpointAlignment, data, CheckpointAlignment});
      }
    });
  return segments;
}

uint64_t alignUp(uint64_t value) { return (value + CheckpointAlignment - 1) & ~(CheckpointAlignment - 1); }

bool writeAll(FILE *file, const std::vector<Segment> &segments, uint64_t instret) {
  CheckpointHeader header{};
  std::memcpy(header.magic, CheckpointMagic, sizeof header.magic);
  header.version = NHG_CHECKPOINT_VERSION;
  header.segments = segments.size();
  header.resetPc = NHG_BOOT_ROM_BASE;
  header.instret = instret;
  bool good = fwrite(&header, sizeof header, 1, file) == 1;
  uint64_t offset = alignUp(sizeof header + segments.size() * sizeof(CheckpointSegment));
  for (const Segment &segment : segments) {
    const CheckpointSegment record{segment.addr, segment.size, offset};
    good = good && fwrite(&record, sizeof record, 1, file) == 1;
    offset = alignUp(offset + segment.size);
  }
  for (const Segment &segment : segments) {
    good = good && fseek(file, long(alignUp(uint64_t(ftell(file)))), SEEK_SET) == 0;
    good = good && fwrite(segment.data, 1, segment.size, file) == segment.size;
  }
  return good;
}

} // namespace

void writeCheckpoint(Machine &machine, const std::string &path) {
  if (!machine.amu().quiescent())
    throw std::runtime_error("checkpoint mark reached with AMU groups outstanding, aset groups open or signals "
                             "remembered; take all groups before host_checkpoint()");
  if (!machine.interrupts().asAfterReset())
    throw std::runtime_error(
        "checkpoint mark reached with a software interrupt pending, a timer set or menvcfg not zero; "
        "clear mip, msip, stimecmp and menvcfg and set mtimecmp to all ones before host_checkpoint()");
  const std::vector<uint8_t> rom = bootRomWithState(machine);
  std::vector<Segment> segments = memorySegments(machine);
  segments.insert(segments.begin(), {NHG_BOOT_ROM_BASE, rom.size(), rom.data(), rom.size()});

  const std::string partial = path + ".partial";
  FILE *file = fopen(partial.c_str(), "wb");
  bool good = file != nullptr && writeAll(file, segments, machine.instret());
  if (file != nullptr)
    good = fclose(file) == 0 && good;
  if (!good || rename(partial.c_str(), path.c_str()) != 0) {
    const std::string reason = strerror(errno);
    remove(partial.c_str());
    throw std::runtime_error("cannot write checkpoint " + path + ": " + reason);
  }
}

} // namespace nhg
