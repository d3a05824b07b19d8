// SPDX-License-Identifier: Apache-2.0
//
// The platform around one Spike hart: sparse local and far memory, boot ROM, SPM window, host interface,
// far-memory control (plain registers here), PLIC, UART, syscon, and the AMU. Same memory map as the RTL (platform.toml).
// The hart has the ISA of platform.toml and M, S and U mode without translation, no misaligned accesses. In lock-step it takes an interrupt only where it
// is told to.
#ifndef NHG_MACHINE_H
#define NHG_MACHINE_H

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <riscv/processor.h>
#include <riscv/simif.h>

#include "amu_model.h"
#include "image.h"
#include "insn_info.h"
#include "interrupts.h"
#include "plic.h"
#include "uart.h"

namespace nhg {

// A store to the host interface that the front end acts on; the machine stops right after it.
enum class HostEvent { None, Exit, Checkpoint, RoiBegin, RoiEnd };

// Zero-filled on first touch; addresses are platform addresses.
class SparseMemory {
public:
  SparseMemory(uint64_t base, uint64_t bytes);
  ~SparseMemory();
  SparseMemory(const SparseMemory &) = delete;
  SparseMemory &operator=(const SparseMemory &) = delete;

  bool contains(uint64_t address, uint64_t size = 1) const {
    return address >= base_ && address - base_ < bytes_ && size <= bytes_ - (address - base_);
  }
  uint8_t *at(uint64_t address) const { return data_ + (address - base_); }
  // Calls visit(address, size) for each run of touched memory, lowest first.
  void forEachTouched(const std::function<void(uint64_t, uint64_t)> &visit) const;

private:
  uint64_t base_, bytes_;
  int file_;
  uint8_t *data_;
};

struct AccessProbe {
  std::optional<uint64_t> cause;    // of the trap; an access fault also where there is no memory
  std::optional<uint64_t> physical; // where it goes, if that may be read
  bool isElsewhere = false;         // not in memory
};

class Machine : public simif_t {
public:
  // Throws std::runtime_error when the image does not fit the platform.
  Machine(const Image &image, AmuMode mode, uint64_t seed);
  ~Machine() override;

  // Executes at most `maxSteps` instructions, counting those that trap; returns early at a host event.
  HostEvent run(uint64_t maxSteps);
  // Executes one instruction, or takes an interrupt; true when it trapped.
  bool step();
  // Lock-step: takes the interrupt that comes first of those that are let in.
  void takeInterrupt();

  processor_t &hart() { return *hart_; }
  const processor_t &hart() const { return *hart_; }
  AmuModel &amu() { return amu_; }
  Interrupts &interrupts() { return interrupts_; }
  const Plic &plic() const { return plic_; }
  Uart &uart() { return uart_; }
  // The UART receives what has come by now.
  void receive();
  // It receives the next byte of its input; false: there is none, or no room for it (lock-step).
  bool receiveNext();
  bool abortsOnAmuError() const { return mode_ == AmuMode::Adversarial; }
  HostEvent event() const { return event_; }
  uint64_t instret() const { return hart_->get_state()->minstret->read(); } // instructions retired
  uint64_t steps() const { return instret() + traps_; }                     // instructions retired or trapped
  uint64_t exitCode() const { return exit_code_; }
  const std::array<uint64_t, NHG_HOST_METRIC_COUNT> &metrics() const { return metrics_; }
  std::vector<uint8_t> &bootRom() { return boot_rom_; }
  std::vector<uint8_t> &spm() { return spm_; }
  const std::array<const SparseMemory *, 2> memories() const { return {&local_, &far_}; }

  // In the order in which a restored checkpoint brings them back: the CLINT last, as time goes on from there.
  std::vector<DeviceState> deviceStates() const {
    const DeviceState uart = uart_.deviceState();
    return {uart, plic_.deviceState(!uart.accesses.empty()), interrupts_.clint()};
  }

  // Host address of `size` bytes of memory, boot ROM or SPM; nullptr when not all of it is there.
  uint8_t *hostAddress(uint64_t address, uint64_t size);
  // Device registers: bytes whose value only the RTL knows.
  static bool isDevice(uint64_t address);
  static bool isSyscon(uint64_t address) { return address - NHG_SYSCON_BASE < NHG_SYSCON_SIZE; }
  // The next instruction is of the boot ROM.
  bool inBootRom() const { return hart_->get_state()->pc - NHG_BOOT_ROM_BASE < NHG_BOOT_ROM_SIZE; }
  // An access after which other interrupts may be pending.
  static bool changesPending(const InsnInfo &info, uint64_t address);
  // Value that the next device load returns (lock-step).
  void injectDeviceLoad(uint64_t value) { injected_load_ = value; }
  // Value that the RTL reports for the getfin or bafin executed next (lock-step).
  void injectTake(uint64_t value) { injected_take_ = value; }
  uint64_t injectedTake() const { return injected_take_; }

  // Translates and checks an AMI request's memory address for reading or writing; throws the hart's trap.
  uint64_t translateRequest(uint64_t address, bool isWrite);
  // How an access of the hart would end.
  AccessProbe probeAccess(uint64_t address, bool isWrite);
  // What follows translates from memory as it is then.
  void forgetTranslations();
  // Where an access of the hart goes; where the walk faults, the address itself.
  uint64_t physicalAddress(uint64_t address);
  // Calls `access` with no trigger that fires on loads or stores.
  void withoutTriggers(const std::function<void()> &access);
  // That check is under way: what it reads is no access of the hart.
  bool probesRequest() const { return request_probe_; }

  // simif_t
  char *addr_to_mem(reg_t address) override;
  bool reservable(reg_t address) override;
  bool mmio_fetch(reg_t address, size_t size, uint8_t *bytes) override;
  bool mmio_load(reg_t address, size_t size, uint8_t *bytes) override;
  bool mmio_store(reg_t address, size_t size, const uint8_t *bytes) override;
  void proc_reset(unsigned) override {}
  const cfg_t &get_cfg() const override { return config_; }
  const std::map<size_t, processor_t *> &get_harts() const override { return harts_; }
  const char *get_symbol(uint64_t) override { return nullptr; }

private:
  void load(const Image &image);
  void trapTaken(reg_t cause);
  void debugEntered();
  void lookAtTohost();
  void stepHart(uint64_t instructions);
  bool hostStore(uint64_t offset, uint64_t value);
  void print(uint8_t byte) const;
  bool syscon(uint64_t address, size_t size, const uint8_t *written);
  void followLines();
  uint64_t instructionsToEvent() const;
  bool atomicAccess();
  bool isRefusedWalk(uint64_t address);
  bool mayTranslate() const;
  void checkRequest(uint64_t address, bool isWrite);
  void endReservation(uint64_t address, uint64_t size);
  [[noreturn]] void stopBeforeLoadOfTime();
  [[noreturn]] void stopAfterThisStore();
  [[noreturn]] void stopAfterThisStore(HostEvent event);

  cfg_t config_;
  std::map<size_t, processor_t *> harts_;
  SparseMemory local_, far_;
  std::vector<uint8_t> boot_rom_, spm_;
  std::array<uint64_t, NHG_FAR_CONTROL_SIZE / 8> far_control_{};
  std::array<uint64_t, NHG_HOST_METRIC_COUNT> metrics_{};
  const AmuMode mode_;
  AmuModel amu_;
  std::unique_ptr<extension_t> extension_;
  std::unique_ptr<processor_t> hart_;
  std::function<void()> counters_go_on_;
  Plic plic_;
  Uart uart_;
  Interrupts interrupts_;
  HostEvent event_ = HostEvent::None;
  uint64_t traps_ = 0;
  bool enters_handler_ = false;
  uint64_t exit_code_ = 0;
  const uint8_t *tohost_ = nullptr;           // the 8 bytes of that symbol
  uint64_t physical_ = 0;                     // of the last reservable() query
  uint64_t reserved_ = 0, reserved_size_ = 0; // bytes of the last LR
  bool checks_walk_ = false;
  bool request_probe_ = false;
  bool stopped_ = false;    // the hart, by an access
  bool one_step_ = false;   // of one instruction
  bool loads_time_ = false; // next: by a step of its own
  std::optional<uint64_t> injected_load_;
  uint64_t injected_take_ = 0;
};

} // namespace nhg
#endif
