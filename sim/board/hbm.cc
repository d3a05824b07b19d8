// SPDX-License-Identifier: Apache-2.0
#include "hbm.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <stdexcept>

#include <svdpi.h>

extern "C" int nhg_memory_read(unsigned long long address, svBitVecVal *data);
extern "C" int nhg_memory_write(unsigned long long address, const svBitVecVal *data, unsigned strobes);

namespace nhg {

bool hbm_too_hot = false;

HbmParameters HbmParameters::fromEnvironment() {
  HbmParameters p;
  const std::map<std::string, double *> names = {{"t_rcd", &p.t_rcd},
                                                 {"t_rp", &p.t_rp},
                                                 {"t_ras", &p.t_ras},
                                                 {"cl", &p.cl},
                                                 {"cwl", &p.cwl},
                                                 {"t_wr", &p.t_wr},
                                                 {"t_rtp", &p.t_rtp},
                                                 {"t_rrd", &p.t_rrd},
                                                 {"t_faw", &p.t_faw},
                                                 {"t_wtr", &p.t_wtr},
                                                 {"t_refi", &p.t_refi},
                                                 {"t_rfc", &p.t_rfc},
                                                 {"t_burst", &p.t_burst},
                                                 {"axi_ns", &p.axi_ns},
                                                 {"axi_cycles", &p.axi_cycles},
                                                 {"switch_cycles", &p.switch_cycles},
                                                 {"hop_cycles", &p.hop_cycles},
                                                 {"controller_ns", &p.controller_ns},
                                                 {"window", &p.window},
                                                 {"queue", &p.queue},
                                                 {"outstanding", &p.outstanding},
                                                 {"id_rule", &p.id_rule},
                                                 {"ids", &p.ids}};
  const char *text = getenv("NHG_HBM");
  std::istringstream settings(text ? text : "");
  for (std::string setting; std::getline(settings, setting, ',');) {
    const size_t equals = setting.find('=');
    const auto name = names.find(setting.substr(0, equals));
    char *end = nullptr;
    if (equals == std::string::npos || name == names.end() ||
        (*name->second = strtod(setting.c_str() + equals + 1, &end), *end))
      throw std::runtime_error("NHG_HBM: not a parameter of sim/board/hbm.h and its value: " + setting);
  }
  return p;
}

Hbm::Hbm(const HbmParameters &parameters) : p_(parameters) {
  // Pseudo channels do not refresh at the same time.
  for (unsigned i = 0; i < kChannels; i++)
    channels_[i].refresh = p_.t_refi * (i + 1) / kChannels;
}

// The default map of AMD's controller: row 14, bank group 1, bank 2, column 5, bank group 1, byte 5 (Shuhai; PG276).
unsigned Hbm::bankOf(uint64_t addr) { return (addr >> 10 & 0xe) | (addr >> 5 & 1); }
int64_t Hbm::rowOf(uint64_t addr) { return addr >> 14 & 0x3fff; }

bool Hbm::readRoom(unsigned port) const { return ports_[port].under_way[0].size() < p_.outstanding; }
bool Hbm::writeRoom(unsigned port) const { return ports_[port].under_way[1].size() < p_.outstanding; }

Hbm::BurstPointer Hbm::burst(unsigned port, unsigned id, uint64_t addr, unsigned beats, bool write) {
  auto made = std::make_shared<Burst>();
  made->port = port;
  made->id = id;
  made->beats = beats;
  made->channel = addr >> 28 & (kChannels - 1);
  made->write = write;
  made->addr = addr;
  made->words.resize(beats);
  made->arrival = now_ + travel(*made);
  ports_[port].entry[write].push_back(made);
  ports_[port].under_way[write].push_back(made);
  return made;
}

void Hbm::read(unsigned port, unsigned id, uint64_t addr, unsigned beats) { burst(port, id, addr, beats, false); }

void Hbm::write(unsigned port, unsigned id, uint64_t addr, unsigned beats) {
  ports_[port].no_data.push_back(burst(port, id, addr, beats, true));
}

void Hbm::data(unsigned port, const uint32_t *word, uint32_t strobes, bool last) {
  Port &at = ports_[port];
  if (at.no_data.empty() || at.no_data.front()->strobes.size() == at.no_data.front()->beats)
    throw std::runtime_error("HBM: write data without an address");
  Burst &burst = *at.no_data.front();
  std::copy(word, word + 8, burst.words[burst.strobes.size()].begin());
  burst.strobes.push_back(strobes);
  if (last != (burst.strobes.size() == burst.beats))
    throw std::runtime_error("HBM: write data of another length than the address says");
  if (last) {
    burst.complete = true;
    burst.arrival = now_ + travel(burst);
    at.no_data.pop_front();
  }
}

bool Hbm::nextBeat(unsigned port, Beat &beat) {
  std::list<BurstPointer> &bursts = ports_[port].under_way[0];
  for (auto it = bursts.begin(); it != bursts.end(); ++it) {
    Burst &burst = **it;
    // A burst that has begun goes on; of one ID the oldest comes first.
    const bool oldest = std::none_of(bursts.begin(), it, [&](const BurstPointer &o) { return o->id == burst.id; });
    const bool other_begun =
        std::any_of(bursts.begin(), bursts.end(), [&](const BurstPointer &o) { return o != *it && o->sent; });
    if (!oldest || other_begun || burst.issued < burst.beats || burst.ready > now_)
      continue;
    beat = {burst.id, burst.resp, burst.words[burst.sent], burst.sent + 1 == burst.beats};
    if (++burst.sent == burst.beats)
      bursts.erase(it);
    return true;
  }
  return false;
}

bool Hbm::nextAnswer(unsigned port, unsigned &id, unsigned &resp) {
  std::list<BurstPointer> &bursts = ports_[port].under_way[1];
  for (auto it = bursts.begin(); it != bursts.end(); ++it) {
    const Burst &burst = **it;
    const bool oldest = std::none_of(bursts.begin(), it, [&](const BurstPointer &o) { return o->id == burst.id; });
    if (!oldest || burst.issued < burst.beats || burst.ready > now_)
      continue;
    id = burst.id;
    resp = burst.resp;
    bursts.erase(it);
    return true;
  }
  return false;
}

unsigned Hbm::ruleId(const Burst &burst) const { return p_.ids == 0 ? burst.id : p_.ids == 1 ? 0 : burst.channel; }

double Hbm::travel(const Burst &burst) const {
  const unsigned here = burst.port / 4, there = burst.channel / 4;
  const unsigned hops = here > there ? here - there : there - here;
  return ((p_.axi_cycles + p_.switch_cycles) / 2 + p_.hop_cycles / 2 * hops) * p_.axi_ns;
}

bool Hbm::mayEnter(const Port &port, const Burst &burst) const {
  if (channels_[burst.channel].bursts.size() >= p_.window + p_.queue)
    return false;
  if (p_.id_rule == 0)
    return true;
  for (const BurstPointer &older : port.under_way[burst.write]) {
    if (older.get() == &burst)
      break;
    if (ruleId(*older) == ruleId(burst) && (p_.id_rule == 2 || older->channel != burst.channel))
      return false;
  }
  return true;
}

// Bursts pass the switch in order, each way: one that must wait holds up those behind it.
void Hbm::enter(Port &port) {
  for (int way : {0, 1}) {
    std::deque<BurstPointer> &entry = port.entry[way];
    while (!entry.empty() && (!way || entry.front()->complete) && mayEnter(port, *entry.front())) {
      Burst &burst = *entry.front();
      burst.arrival = std::max(burst.arrival, now_ + travel(burst));
      channels_[burst.channel].bursts.push_back(entry.front());
      entry.pop_front();
    }
  }
}

void Hbm::refresh(Channel &channel) {
  if (now_ < channel.refresh)
    return;
  double start = channel.refresh;
  for (const Bank &bank : channel.banks)
    start = std::max(start, bank.row < 0 ? bank.activate : bank.precharge + p_.t_rp);
  for (Bank &bank : channel.banks) {
    bank.row = -1;
    bank.activate = start + p_.t_rfc;
  }
  channel.refresh += p_.t_refi;
}

double Hbm::columnTime(const Channel &channel, const Burst &burst) const {
  const uint64_t addr = burst.addr + burst.issued * kColumnBytes;
  const Bank &bank = channel.banks[bankOf(addr)];
  const double start = burst.eligible;
  double time = std::max({start, bank.column, channel.column});
  if (channel.wrote != burst.write)
    time = std::max(start, channel.column + (burst.write ? p_.cl : p_.cwl + p_.t_wtr));
  if (bank.row == rowOf(addr))
    return time;
  const double closed =
      bank.row < 0 ? bank.activate : std::max(bank.activate, std::max(start, bank.precharge) + p_.t_rp);
  const unsigned last = (channel.next_activate + 3) % 4;
  const double activate = std::max(
      {start, closed, channel.activates[last] + p_.t_rrd, channel.activates[channel.next_activate] + p_.t_faw});
  return std::max(time, activate + p_.t_rcd);
}

void Hbm::issue(Channel &channel, Burst &burst, double time) {
  const uint64_t addr = burst.addr + burst.issued * kColumnBytes;
  Bank &bank = channel.banks[bankOf(addr)];
  if (bank.row != rowOf(addr)) {
    const double activate = time - p_.t_rcd;
    channel.activates[channel.next_activate] = activate;
    channel.next_activate = (channel.next_activate + 1) % 4;
    bank.row = rowOf(addr);
    bank.activate = activate + p_.t_ras + p_.t_rp;
    bank.precharge = activate + p_.t_ras;
  }
  bank.column = channel.column = time + p_.t_burst;
  bank.precharge = std::max(bank.precharge, burst.write ? time + p_.cwl + p_.t_burst + p_.t_wr : time + p_.t_rtp);
  channel.wrote = burst.write;
  svBitVecVal *word = burst.words[burst.issued].data();
  const int absent =
      burst.write ? nhg_memory_write(addr, word, burst.strobes[burst.issued]) : nhg_memory_read(addr, word);
  burst.resp = absent ? 3 : burst.resp;
  burst.issued++;
  burst.ready = time + (burst.write ? p_.cwl : p_.cl) + p_.t_burst + p_.controller_ns + travel(burst);
}

// First ready, first come: the command that can be issued earliest, the oldest of those.
bool Hbm::issueNext(Channel &channel) {
  Burst *best = nullptr;
  double best_time = 0;
  unsigned seen = 0;
  for (auto it = channel.bursts.begin(); it != channel.bursts.end() && seen < p_.window; ++it, ++seen) {
    Burst &burst = **it;
    const bool in_turn = std::none_of(channel.bursts.begin(), it, [&](const BurstPointer &o) {
      return o->port == burst.port && o->write == burst.write && ruleId(*o) == ruleId(burst);
    });
    if (burst.arrival > now_ || (!in_turn && p_.id_rule != 0))
      continue;
    burst.eligible = std::min(burst.eligible, now_);
    const double time = columnTime(channel, burst);
    if (!best || time < best_time) {
      best = &burst;
      best_time = time;
    }
  }
  if (!best || best_time > now_)
    return false;
  issue(channel, *best, best_time);
  if (best->issued == best->beats)
    channel.bursts.remove_if([&](const BurstPointer &o) { return o.get() == best; });
  return true;
}

void Hbm::advance() {
  now_ += p_.axi_ns;
  for (Port &port : ports_)
    enter(port);
  for (Channel &channel : channels_) {
    refresh(channel);
    while (!channel.bursts.empty() && issueNext(channel)) {
    }
  }
}

} // namespace nhg

// What models/ip_hbm.sv calls (models/hbm_dpi.sv).
static nhg::Hbm &hbm() {
  static nhg::Hbm instance(nhg::HbmParameters::fromEnvironment());
  return instance;
}

extern "C" void nhg_hbm_read(int port, int id, unsigned long long addr, int beats) {
  hbm().read(port, id, addr, beats);
}
extern "C" void nhg_hbm_write(int port, int id, unsigned long long addr, int beats) {
  hbm().write(port, id, addr, beats);
}
extern "C" void nhg_hbm_data(int port, const svBitVecVal *word, unsigned strobes, int last) {
  hbm().data(port, word, strobes, last);
}
extern "C" int nhg_hbm_room(int port) { return hbm().readRoom(port) | hbm().writeRoom(port) << 1; }

extern "C" int nhg_hbm_beat(int port, int *id, svBitVecVal *word, int *resp, int *last) {
  nhg::Hbm::Beat beat;
  if (!hbm().nextBeat(port, beat))
    return 0;
  *id = beat.id;
  *resp = beat.resp;
  *last = beat.last;
  std::copy(beat.data.begin(), beat.data.end(), word);
  return 1;
}

extern "C" int nhg_hbm_answer(int port, int *id, int *resp) {
  unsigned which, response;
  if (!hbm().nextAnswer(port, which, response))
    return 0;
  *id = which;
  *resp = response;
  return 1;
}

extern "C" int nhg_hbm_advance() {
  hbm().advance();
  return nhg::hbm_too_hot;
}
