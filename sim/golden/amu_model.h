// SPDX-License-Identifier: Apache-2.0
//
// Architectural model of the AMU: amu-ext/docs/ami.md without the processor around it.
// Knows IDs, groups, slots and the order of completion; the caller (ami_extension.cc) translates
// addresses, raises traps and moves registers.
//
// Three ways of completing a group:
//   in order     the copy is made at issue and the group is finished at once;
//   adversarial  order and delay come from a seed, slots hold poison until the group is taken, memory its old or
//                its new bytes, sources are sampled at issue or at take: all legal, a racing program notices;
//   lock-step    nothing finishes by itself: the RTL says which group it took, and that is checked.
// One tick is one AMI instruction: a program that polls makes time pass.
#ifndef NHG_AMU_MODEL_H
#define NHG_AMU_MODEL_H

#include <array>
#include <cstdint>
#include <deque>
#include <queue>
#include <random>
#include <stdexcept>
#include <vector>

#include "platform.h"
#include "race_set.h"

namespace nhg {

// An error of rule 9; code as in platform.toml.
struct AmuError {
  unsigned code;
  uint16_t id;
};

enum class AmuMode { InOrder, Adversarial, Lockstep };

// Address word and request word of aload, astore and await.
struct AmuRequest {
  uint64_t address;
  int64_t target;    // in 2-byte units from target_base
  unsigned log2Size; // as encoded, 0..15
  uint16_t id;
  uint16_t offset;   // inside the slot, bytes
  bool reservedBits; // request word [63:32] is not 0

  AmuRequest(uint64_t addressWord, uint64_t requestWord);
  uint64_t size() const { return uint64_t(1) << log2Size; }
};

class AmuModel {
public:
  static constexpr unsigned MaxId = NHG_AMU_MAX_ID;
  enum Config {
    HandlerBase = NHG_AMU_CONFIG_HANDLER_BASE,
    HandlerSize = NHG_AMU_CONFIG_HANDLER_SIZE,
    SpmBase = NHG_AMU_CONFIG_SPM_BASE,
    SpmSlot = NHG_AMU_CONFIG_SPM_SLOT,
    TargetBase = NHG_AMU_CONFIG_TARGET_BASE,
    PollWait = NHG_AMU_CONFIG_POLL_WAIT,
    ConfigCount = NHG_AMU_CONFIG_COUNT
  };
  static constexpr uint64_t ControlOn = 1 << NHG_AMI_AMUCTL_ON_LSB, ControlWayTaken = 1 << NHG_AMI_AMUCTL_SPM_WAY_LSB;

  struct Counts {
    uint64_t aload = 0, astore = 0, getfin = 0, bafin = 0, taken = 0, bytes = 0;
  };

  AmuModel(uint8_t *spm, AmuMode mode, uint64_t seed, RequestWrites writes);

  // Rule-9 checks alone; throw AmuError and change nothing.
  void checkRequest(const AmuRequest &request) const;
  // The instructions. issue() expects checkRequest() and the address check to have passed; memory is the
  // host address of the first byte, physical its address in the platform.
  void issue(const AmuRequest &request, bool isStore, uint8_t *memory, uint64_t physical);
  void aset(uint64_t id, uint64_t n);
  void aconfig(uint64_t value, uint64_t number);
  void await(const AmuRequest &request);
  void asignal(uint64_t id);

  // Takes a finished group: its ID, or 0. In lock-step mode `fromRtl` is the ID the RTL took and is checked
  // (std::runtime_error says what is wrong with it).
  uint16_t take(bool isBafin, uint64_t fromRtl);
  uint64_t taskWord(uint16_t id) const;
  uint64_t idOfTaskWord(uint64_t word) const; // inverse; 0 when it is no ID's task word
  uint64_t target(uint16_t id) const;         // resume address of the ID's last group

  uint64_t config(unsigned number) const { return config_[number]; }
  uint64_t capabilities() const;
  uint64_t status() const;
  uint64_t lines() const; // as amuhits has them: without caches all come from memory
  uint64_t control() const { return control_; }
  // Giving the way back ends every request under way; the SPM that is taken reads zero.
  void setControl(uint64_t value);
  // Ends every request under way, as if their groups could be taken.
  void drain();
  bool on() const { return control_ & ControlOn; }
  bool wayTaken() const { return control_ & ControlWayTaken; }
  // amuid and amustate: the first ID from `from` on that is not free, its state at that time, and what forgets it.
  void select(uint64_t from);
  uint16_t selected() const { return selected_; }
  uint64_t selectedState() const { return selectedState_; }
  void forget();
  // No group outstanding or open, no signal remembered, no ID selected: the state a checkpoint can hold.
  bool quiescent() const;
  const Counts &counts() const { return counts_; }
  RaceSet &races() { return races_; }

private:
  struct Entry {
    bool outstanding = false;
    bool waiting = false;   // by await
    bool signalled = false; // remembered asignal
    bool finished = false;
    unsigned open = 0; // requests an aset group still expects
    bool isFree() const { return !outstanding && open == 0 && !signalled; }
    int64_t target = 0;
    uint64_t due = 0; // tick of the last response
    std::vector<Transfer> transfers;
  };
  struct Due {
    uint64_t tick;
    uint16_t id;
    bool operator<(const Due &other) const { return tick > other.tick; }
  };

  Entry &entry(uint64_t id) { return entries_[id]; }
  void tick();
  void complete(uint16_t id);
  void startAdversarial(Entry &entry, Transfer transfer, bool isStore);
  void deliver(Entry &entry);
  void copy(const Transfer &transfer);

  uint8_t *spm_;
  const AmuMode mode_;
  const RequestWrites writes_;
  std::mt19937_64 random_;
  std::array<uint64_t, ConfigCount> config_{};
  uint64_t control_ = NHG_AMU_AMUCTL_RESET;
  uint64_t now_ = 0;
  unsigned outstanding_ = 0;
  uint32_t lines_ = 0;
  uint16_t selected_ = 0;
  uint64_t selectedState_ = 0;
  std::array<Entry, MaxId + 1> entries_;
  std::priority_queue<Due> due_;
  std::deque<uint16_t> finished_;
  RaceSet races_;
  Counts counts_;
};

} // namespace nhg
#endif
