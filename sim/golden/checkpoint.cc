// SPDX-License-Identifier: Apache-2.0
#include "checkpoint.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <utility>
#include <vector>

#include <riscv/mmu.h>

#include "checkpoint_format.h"
#include "csrs.h"

extern "C" const uint8_t nhg_restore_stub[], nhg_restore_stub_end[];

namespace nhg {

namespace {

bool isZero(const uint8_t *data, uint64_t bytes) {
  return std::all_of(data, data + bytes, [](uint8_t byte) { return byte == 0; });
}

// The CSRs as the stub writes them: of some a read does not show all that they hold.
PrivilegedCsrs heldCsrs(Machine &machine) {
  state_t &state = *machine.hart().get_state();
  const PrivilegedCsrs seen = privilegedCsrs(state);
  const auto index = [](uint64_t number) { return privilegedCsrIndex(number); };
  constexpr uint64_t EveryRegionNapot = 0x1818181818181818, C = 1;
  const auto write = [&](uint64_t number, uint64_t value) { state.csrmap.at(number)->write(value); };
  for (uint64_t number : {CSR_PMPCFG0, CSR_PMPCFG2})
    write(number, seen[index(number)] | EveryRegionNapot); // bit 9 of pmpaddr
  write(CSR_MSTATEEN0, seen[index(CSR_MSTATEEN0)] | C);    // sstateen0
  PrivilegedCsrs held = privilegedCsrs(state);
  for (uint64_t number : {CSR_PMPCFG0, CSR_PMPCFG2, CSR_MSTATEEN0}) {
    write(number, seen[index(number)]);
    held[index(number)] = seen[index(number)];
  }
  held[index(CSR_MIP)] = machine.interrupts().software();
  return held;
}

// tdata1 and tdata2 of each trigger.
std::vector<uint64_t> triggers(Machine &machine) {
  const auto &csrs = machine.hart().get_state()->csrmap;
  const uint64_t selected = csrs.at(CSR_TSELECT)->read();
  std::vector<uint64_t> values;
  for (uint64_t trigger = 0; trigger < machine.hart().TM.count(); trigger++) {
    csrs.at(CSR_TSELECT)->write(trigger);
    values.push_back(csrs.at(CSR_TDATA1)->read());
    values.push_back(csrs.at(CSR_TDATA2)->read());
  }
  csrs.at(CSR_TSELECT)->write(selected);
  return values;
}

uint64_t devicesOffset() { return NHG_STATE_CSRS + sizeof(PrivilegedCsrs); } // in the state page

struct Devices {
  std::vector<uint64_t> sections;
  std::vector<uint32_t> code; // that makes their accesses
};

Devices devices(const Machine &machine) {
  Devices found;
  const auto load = [&](uint32_t rd, uint64_t index) { // from x30
    constexpr uint32_t LoadFromX30 = 0x000f3003;
    const uint64_t offset = NHG_STATE_PAGE + devicesOffset() + 8 * index - NHG_STATE_DEVICES_BASE;
    found.code.push_back(LoadFromX30 | uint32_t(offset) << 20 | rd << 7);
  };
  for (const DeviceState &device : machine.deviceStates()) {
    uint64_t name = 0;
    std::memcpy(&name, device.name.data(), std::min(device.name.size(), sizeof name));
    found.sections.insert(found.sections.end(), {name, device.accesses.size()});
    for (const DeviceState::Access &access : device.accesses) {
      load(3, found.sections.size());
      load(4, found.sections.size() + 1);
      found.code.push_back(access.kind);
      found.sections.insert(found.sections.end(), {access.address, access.value});
    }
  }
  found.sections.push_back(0);
  if (devicesOffset() + sizeof(uint64_t) * found.sections.size() > NHG_STATE_END)
    throw std::runtime_error("checkpoint: the devices' state does not fit the state page");
  return found;
}

// The stub with the accesses of the devices in it.
std::vector<uint8_t> restoreStub(const std::vector<uint32_t> &deviceCode) {
  uint32_t place = 0; // its last word
  const uint8_t *end = nhg_restore_stub + (nhg_restore_stub_end - nhg_restore_stub) - sizeof place;
  std::memcpy(&place, end, sizeof place);
  std::vector<uint8_t> stub(nhg_restore_stub, nhg_restore_stub + place);
  const auto *code = reinterpret_cast<const uint8_t *>(deviceCode.data());
  stub.insert(stub.end(), code, code + sizeof(uint32_t) * deviceCode.size());
  stub.insert(stub.end(), nhg_restore_stub + place, end);
  if (NHG_BOOT_ROM_BASE + stub.size() > NHG_STATE_PAGE)
    throw std::runtime_error("checkpoint: the restore stub does not fit before the state page");
  return stub;
}

// Stub, state page and SPM image, as the boot ROM holds them.
std::vector<uint8_t> bootRomWithState(Machine &machine) {
  std::vector<uint8_t> rom(NHG_BOOT_ROM_SIZE);
  const Devices found = devices(machine);
  const std::vector<uint8_t> stub = restoreStub(found.code);
  std::copy(stub.begin(), stub.end(), rom.begin());

  const auto put = [&](uint64_t offset, uint64_t value) {
    std::memcpy(&rom[NHG_STATE_PAGE - NHG_BOOT_ROM_BASE + offset], &value, sizeof value);
  };
  const auto putAll = [&](uint64_t offset, const auto &values) {
    for (size_t i = 0; i < values.size(); i++)
      put(offset + 8 * i, values[i]);
  };
  state_t &state = *machine.hart().get_state();
  for (unsigned i = 1; i < 32; i++)
    put(NHG_STATE_X + 8 * i, state.XPR[i]);
  for (unsigned i = 0; i < 32; i++)
    put(NHG_STATE_F + 8 * i, state.FPR[i].v[0]);
  put(NHG_STATE_PC, state.pc);
  put(NHG_STATE_MODE, state.prv);
  for (const auto &[offset, number] : {std::pair(NHG_STATE_FCSR, CSR_FCSR), std::pair(NHG_STATE_MCYCLE, CSR_MCYCLE),
                                       std::pair(NHG_STATE_MINSTRET, CSR_MINSTRET)})
    put(offset, state.csrmap.at(number)->read());
  put(NHG_STATE_CLOCK, machine.interrupts().clock());
  putAll(NHG_STATE_TRIGGERS, triggers(machine));
  putAll(NHG_STATE_CSRS, heldCsrs(machine));
  putAll(devicesOffset(), found.sections);
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

std::string whyNoCheckpoint(Machine &machine) {
  if (!machine.amu().quiescent())
    return "with AMU groups outstanding, aset groups open, signals remembered or an ID selected; take all groups "
           "before "
           "host_checkpoint()";
  if (!machine.plic().restorable() || !machine.uart().restorable())
    return "with an interrupt of the PLIC claimed or a received byte in the UART; complete the interrupt and read the "
           "byte before host_checkpoint()";
  return "";
}

void writeCheckpoint(Machine &machine, const std::string &path) {
  if (const std::string why = whyNoCheckpoint(machine); !why.empty())
    throw std::runtime_error("checkpoint mark reached " + why);
  machine.hart().get_mmu()->yield_load_reservation();
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
