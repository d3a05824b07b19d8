// SPDX-License-Identifier: Apache-2.0
#include "amu_model.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace nhg {

namespace {

constexpr uint64_t AddressMask = (uint64_t(1) << NHG_AMI_ADDRESS_WORD_ADDRESS_BITS) - 1;
// Longest adversarial delay of one request, in ticks.
constexpr uint64_t MaxDelayTicks = 96;
constexpr uint64_t LineBytes = 64;

int64_t signExtend(uint64_t value, unsigned bits) { return int64_t(value << (64 - bits)) >> (64 - bits); }
// An address of Sv39.
uint64_t extended(uint64_t address) { return uint64_t(signExtend(address, NHG_AMI_ADDRESS_WORD_ADDRESS_BITS)); }

} // namespace

AmuRequest::AmuRequest(uint64_t addressWord, uint64_t requestWord)
    : address(extended(addressWord)),
      target(signExtend(addressWord >> NHG_AMI_ADDRESS_WORD_TARGET_LSB, NHG_AMI_ADDRESS_WORD_TARGET_BITS)),
      log2Size(unsigned(addressWord >> NHG_AMI_ADDRESS_WORD_SIZE_LSB)), id(uint16_t(requestWord)),
      offset(uint16_t(requestWord >> NHG_AMI_REQUEST_WORD_OFFSET_LSB)),
      reservedBits(requestWord >> (NHG_AMI_REQUEST_WORD_OFFSET_LSB + NHG_AMI_REQUEST_WORD_OFFSET_BITS) != 0) {}

AmuModel::AmuModel(uint8_t *spm, AmuMode mode, uint64_t seed, RequestWrites writes)
    : spm_(spm), mode_(mode), writes_(writes), random_(seed), races_(writes) {
  config_[SpmSlot] = NHG_AMU_SLOT_BYTES_RESET;
  config_[PollWait] = NHG_AMU_POLL_WAIT_RESET;
}

void AmuModel::checkRequest(const AmuRequest &request) const {
  const auto fail = [&](unsigned code) { throw AmuError{code, request.id}; };
  if (request.id == 0 || request.id > MaxId)
    fail(NHG_AMU_ERROR_BAD_ID);
  const Entry &e = entries_[request.id];
  if (e.outstanding && e.open == 0)
    fail(NHG_AMU_ERROR_ID_BUSY);
  if (request.log2Size > NHG_AMU_SIZE_LOG2_MAX)
    fail(NHG_AMU_ERROR_BAD_SIZE);
  const uint64_t alignment = std::min<uint64_t>(request.size(), NHG_AMU_ALIGNMENT_MAX);
  if (request.address % alignment)
    fail(NHG_AMU_ERROR_MISALIGNED_ADDRESS);
  if (request.offset % alignment)
    fail(NHG_AMU_ERROR_MISALIGNED_OFFSET);
  const uint64_t end = request.offset + request.size();
  if (end > config_[SpmSlot] || request.id * config_[SpmSlot] + end > NHG_SPM_SIZE)
    fail(NHG_AMU_ERROR_SLOT_OVERRUN);
  if (request.address % NHG_AMU_PAGE_BYTES + request.size() > NHG_AMU_PAGE_BYTES)
    fail(NHG_AMU_ERROR_PAGE_CROSSING);
  if (request.reservedBits)
    fail(NHG_AMU_ERROR_RESERVED_BITS);
}

void AmuModel::issue(const AmuRequest &request, bool isStore, uint8_t *memory, uint64_t physical) {
  tick();
  (isStore ? counts_.astore : counts_.aload)++;
  counts_.bytes += request.size();
  lines_ += uint32_t((physical % LineBytes + request.size() - 1) / LineBytes + 1);
  Entry &e = entry(request.id);
  if (!e.outstanding) {
    e.outstanding = true;
    e.due = now_;
    outstanding_++;
  }
  e.target = request.target;

  const uint64_t slotByte = request.id * config_[SpmSlot] + request.offset;
  Transfer t{memory, spm_ + slotByte, physical, NHG_SPM_BASE + slotByte, request.size(), {}, {}, {}};
  if (isStore) {
    std::swap(t.source, t.destination);
    std::swap(t.sourceAddress, t.destinationAddress);
  }
  switch (mode_) {
  case AmuMode::InOrder:
    copy(t);
    break;
  case AmuMode::Adversarial:
    startAdversarial(e, std::move(t), isStore);
    break;
  case AmuMode::Lockstep:
    t.snapshot.assign(t.source, t.source + t.size);
    t.oldDestination.assign(t.destination, t.destination + t.size);
    t.seen.assign(t.size, false);
    e.transfers.push_back(std::move(t));
    // The vector never grows beyond the largest group, reserved by aset: pointers stay valid.
    races_.begin(&e.transfers.back());
    break;
  }
  if (e.open > 0)
    e.open--;
  if (e.open == 0)
    complete(request.id);
}

// Until the group is taken memory has its old bytes or the new ones, a slot anything.
void AmuModel::startAdversarial(Entry &e, Transfer t, bool isStore) {
  e.due = std::max(e.due, now_ + random_() % MaxDelayTicks);
  if (isStore && random_() % 3 == 0) {
    copy(t);
    return;
  }
  if (random_() & 1)
    t.snapshot.assign(t.source, t.source + t.size);
  if (!isStore)
    for (uint64_t i = 0; i < t.size; i++)
      t.destination[i] = uint8_t(random_());
  e.transfers.push_back(std::move(t));
}

void AmuModel::aset(uint64_t id, uint64_t n) {
  tick();
  if (id == 0 || id > MaxId)
    throw AmuError{NHG_AMU_ERROR_BAD_ID, uint16_t(id)};
  if (n == 0 || n > NHG_AMU_GROUP_REQUESTS_MAX)
    throw AmuError{NHG_AMU_ERROR_BAD_COUNT, uint16_t(id)};
  if (entry(id).outstanding)
    throw AmuError{NHG_AMU_ERROR_ID_BUSY, uint16_t(id)};
  entry(id).open = unsigned(n);
  entry(id).transfers.reserve(n);
}

void AmuModel::aconfig(uint64_t value, uint64_t number) {
  tick();
  if (number >= ConfigCount)
    throw AmuError{NHG_AMU_ERROR_BAD_CONFIG_REGISTER, 0};
  bool good = value == extended(value);
  if (number == HandlerSize)
    good = value <= NHG_AMU_HANDLER_BYTES_MAX;
  else if (number == SpmSlot)
    good = value >= NHG_AMU_SLOT_BYTES_MIN && value <= NHG_AMU_SLOT_BYTES_MAX && (value & (value - 1)) == 0;
  else if (number == TargetBase)
    good = good && value % NHG_AMU_TARGET_UNIT_BYTES == 0;
  else if (number == PollWait)
    good = value <= NHG_AMU_POLL_WAIT_MAX;
  if (!good)
    throw AmuError{NHG_AMU_ERROR_BAD_CONFIG_VALUE, 0};
  config_[number] = value;
}

void AmuModel::await(const AmuRequest &request) {
  tick();
  if (request.id == 0 || request.id > MaxId)
    throw AmuError{NHG_AMU_ERROR_BAD_ID, request.id};
  Entry &e = entry(request.id);
  if (e.outstanding || e.open > 0)
    throw AmuError{NHG_AMU_ERROR_ID_BUSY, request.id};
  e.outstanding = true;
  outstanding_++;
  e.target = request.target;
  e.due = now_;
  e.waiting = !e.signalled;
  e.signalled = false;
  if (!e.waiting)
    complete(request.id);
}

void AmuModel::asignal(uint64_t id) {
  tick();
  if (id == 0 || id > MaxId)
    throw AmuError{NHG_AMU_ERROR_BAD_ID, uint16_t(id)};
  Entry &e = entry(id);
  if (!e.waiting) {
    e.signalled = true;
    return;
  }
  e.waiting = false;
  e.due = now_;
  complete(uint16_t(id));
}

// All requests of the group are issued: it finishes when its last response is in.
void AmuModel::complete(uint16_t id) {
  Entry &e = entry(id);
  if (mode_ == AmuMode::Adversarial) {
    due_.push({e.due, id});
    return;
  }
  e.finished = true;
  finished_.push_back(id);
}

void AmuModel::tick() {
  now_++;
  while (!due_.empty() && due_.top().tick <= now_) {
    const uint16_t id = due_.top().id;
    due_.pop();
    entry(id).finished = true;
    finished_.push_back(id);
  }
}

uint16_t AmuModel::take(bool isBafin, uint64_t fromRtl) {
  tick();
  (isBafin ? counts_.bafin : counts_.getfin)++;
  uint16_t id = 0;
  if (mode_ == AmuMode::Lockstep) {
    if (fromRtl == 0)
      return 0;
    const std::string name = "ID " + std::to_string(fromRtl);
    if (fromRtl > MaxId)
      throw std::runtime_error(name + " is above MaxId");
    if (!entry(fromRtl).outstanding)
      throw std::runtime_error(name + " has no outstanding group");
    if (!entry(fromRtl).finished)
      throw std::runtime_error(name + " has a group that cannot be complete yet");
    id = uint16_t(fromRtl);
    finished_.erase(std::find(finished_.begin(), finished_.end(), id));
  } else {
    if (finished_.empty())
      return 0;
    id = finished_.front();
    finished_.pop_front();
  }
  Entry &e = entry(id);
  deliver(e);
  e.outstanding = e.finished = false;
  outstanding_--;
  counts_.taken++;
  return id;
}

void AmuModel::drain() {
  for (Entry &e : entries_)
    deliver(e);
}

void AmuModel::deliver(Entry &e) {
  for (const Transfer &t : e.transfers) {
    if (mode_ == AmuMode::Lockstep)
      races_.finish(&t);
    else
      copy(t);
  }
  e.transfers.clear();
}

void AmuModel::copy(const Transfer &t) {
  std::memcpy(t.destination, t.snapshot.empty() ? t.source : t.snapshot.data(), t.size);
  writes_(t.destinationAddress, t.size);
}

uint64_t AmuModel::taskWord(uint16_t id) const {
  if (id == 0)
    return 0;
  const uint64_t context = (config_[HandlerBase] + id * config_[HandlerSize]) & AddressMask;
  return (id * config_[SpmSlot]) << NHG_AMI_TASK_WORD_SLOT_LSB | context;
}

uint64_t AmuModel::idOfTaskWord(uint64_t word) const {
  const uint64_t id = (word >> NHG_AMI_TASK_WORD_SLOT_LSB) / config_[SpmSlot];
  return id <= MaxId && taskWord(uint16_t(id)) == word ? id : 0;
}

uint64_t AmuModel::target(uint16_t id) const {
  return extended(config_[TargetBase] + NHG_AMU_TARGET_UNIT_BYTES * entries_[id].target);
}

void AmuModel::setControl(uint64_t value) {
  const bool hadWay = wayTaken();
  control_ = value & (ControlOn | ControlWayTaken);
  if (hadWay && !wayTaken())
    drain();
  if (!hadWay && wayTaken()) {
    std::memset(spm_, 0, NHG_SPM_SIZE);
    races_.noteStore(NHG_SPM_BASE, NHG_SPM_SIZE, spm_);
  }
}

uint64_t AmuModel::capabilities() const {
  return uint64_t(NHG_AMU_CONTRACT_VERSION) << NHG_AMI_AMUCAP_VERSION_LSB |
         uint64_t(NHG_SPM_SIZE / 8) << NHG_AMI_AMUCAP_SPM_WORDS_LSB | MaxId;
}

uint64_t AmuModel::status() const { return uint64_t(finished_.size()) << NHG_AMI_AMUSTAT_FINISHED_LSB | outstanding_; }

uint64_t AmuModel::lines() const { return uint64_t(lines_) << NHG_AMI_AMUHITS_MEMORY_LSB; }

void AmuModel::select(uint64_t from) {
  selected_ = 0;
  selectedState_ = 0;
  const auto found = std::find_if(entries_.begin() + std::min<uint64_t>(from, entries_.size()), entries_.end(),
                                  [](const Entry &e) { return !e.isFree(); });
  if (found == entries_.end())
    return;
  selected_ = uint16_t(found - entries_.begin());
  const uint64_t target = uint64_t(found->target) & ((uint64_t(1) << NHG_AMI_AMUSTATE_TARGET_BITS) - 1);
  selectedState_ = uint64_t(found->outstanding) << NHG_AMI_AMUSTATE_OUTSTANDING_LSB |
                   uint64_t(found->waiting) << NHG_AMI_AMUSTATE_WAITING_LSB |
                   uint64_t(found->signalled) << NHG_AMI_AMUSTATE_SIGNALLED_LSB |
                   uint64_t(found->open) << NHG_AMI_AMUSTATE_REQUESTS_LSB |
                   (found->outstanding ? target : 0) << NHG_AMI_AMUSTATE_TARGET_LSB;
}

void AmuModel::forget() {
  drain();
  selectedState_ = 0;
  Entry &e = entry(selected_);
  if (e.outstanding && (e.waiting || e.open > 0)) {
    e.outstanding = false;
    outstanding_--;
  }
  e.waiting = e.signalled = false;
  e.open = 0;
}

bool AmuModel::quiescent() const {
  return selected_ == 0 && std::all_of(entries_.begin(), entries_.end(), [](const Entry &e) { return e.isFree(); });
}

} // namespace nhg
