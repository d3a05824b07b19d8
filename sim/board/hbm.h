// SPDX-License-Identifier: Apache-2.0
//
// Timing model of the two HBM2 stacks behind their AXI3 ports: switch, order within an ID, one controller a pseudo channel with a
// scheduling window, banks with open rows, refresh. It runs at column commands of 32 bytes. Contents are elsewhere (sim_dpi.sv); a
// column command reads or writes them when it is issued, so that an order the controller may choose is also seen in the data.
//
// What is not modelled: temperature-dependent refresh, ECC, power-down, interleaved read data of several IDs.
#ifndef NHG_HBM_H
#define NHG_HBM_H

#include <array>
#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace nhg {

extern bool hbm_too_hot; // over-temperature, as the test sets it

// Every number is a parameter: NHG_HBM="name=value,..." (README.md).
struct HbmParameters {
  // DRAM, ns: DRAMsim3 configs/HBM2_8Gb_x128.ini (JESD235), tCK = 1 ns there
  double t_rcd = 14, t_rp = 14, t_ras = 34, cl = 14, cwl = 4, t_wr = 16, t_rtp = 6, t_rrd = 4, t_faw = 30, t_wtr = 8;
  double t_refi = 3900, t_rfc = 260; // all banks of a pseudo channel
  // 32 bytes over 64 pins at 1,800 Mb/s each (PG276: 900 MHz)
  double t_burst = 2.22;
  // AMD's controller. An access to an open row takes 48 cycles of a 450 MHz AXI clock without the switch, 7 more with it, up to 22
  // more to the farthest pseudo channel (Shuhai, FCCM 2020, as we remember the paper). How much of that is in the AXI clock is not
  // published: we take a half, which is pessimistic for an AXI clock of 100 MHz.
  double axi_ns = 10;             // period of the AXI clock
  double axi_cycles = 24;         // there and back
  double switch_cycles = 7;       // there and back
  double hop_cycles = 3;          // from one group of four ports to the next
  double controller_ns = 37;      // the rest of 106.7 ns
  double window = 12, queue = 64; // entries the controller chooses from; reordering queue before it (PG276)
  double outstanding = 64;        // bursts of a port, each way; assumed
  // What a burst waits for when an older one of its ID is under way. 0: nothing (answers are put in order on their way back);
  // 1: one on the way to another pseudo channel (single slave per ID, as AMD's interconnects do); 2: any.
  double id_rule = 1;
  // Which IDs that rule sees. 0: those sent; 1: one for all; 2: one for each pseudo channel.
  double ids = 0;

  static HbmParameters fromEnvironment();
};

class Hbm {
public:
  static constexpr unsigned kPorts = 32, kChannels = 32, kBanks = 16, kColumnBytes = 32;

  explicit Hbm(const HbmParameters &parameters);

  // Bursts and write data as their handshakes happen, only while there is room.
  bool readRoom(unsigned port) const, writeRoom(unsigned port) const;
  void read(unsigned port, unsigned id, uint64_t addr, unsigned beats);
  void write(unsigned port, unsigned id, uint64_t addr, unsigned beats);
  void data(unsigned port, const uint32_t *word, uint32_t strobes, bool last);

  // The next beat or answer of a port, if it is there; it is then taken.
  struct Beat {
    unsigned id, resp;
    std::array<uint32_t, 8> data;
    bool last;
  };
  bool nextBeat(unsigned port, Beat &beat);
  bool nextAnswer(unsigned port, unsigned &id, unsigned &resp);

  // One cycle of the AXI clock.
  void advance();

private:
  struct Burst {
    unsigned port, id, beats, channel;
    bool write;
    uint64_t addr;
    double arrival;                // at the controller
    double eligible = 1e300;       // for the controller's choice since then
    double ready = 0;              // its answer at the port
    unsigned issued = 0, sent = 0; // beats
    bool complete = false;         // write data are there
    unsigned resp = 0;
    std::vector<std::array<uint32_t, 8>> words;
    std::vector<uint32_t> strobes;
  };
  using BurstPointer = std::shared_ptr<Burst>;
  struct Bank {
    int64_t row = -1;
    double column = 0, precharge = 0, activate = 0; // earliest next command
  };
  struct Channel {
    std::array<Bank, kBanks> banks;
    std::list<BurstPointer> bursts;    // oldest first
    std::array<double, 4> activates{}; // the last four, for tFAW
    unsigned next_activate = 0;
    double column = 0, refresh = 0;
    bool wrote = false;
  };
  struct Port {
    std::deque<BurstPointer> entry[2];    // read, write: before the switch
    std::list<BurstPointer> under_way[2]; // in order of acceptance, until answered
    std::deque<BurstPointer> no_data;     // writes whose data come
  };

  BurstPointer burst(unsigned port, unsigned id, uint64_t addr, unsigned beats, bool write);
  bool mayEnter(const Port &port, const Burst &burst) const;
  unsigned ruleId(const Burst &burst) const;
  double travel(const Burst &burst) const; // one way
  void enter(Port &port);
  void refresh(Channel &channel);
  bool issueNext(Channel &channel);
  double columnTime(const Channel &channel, const Burst &burst) const;
  void issue(Channel &channel, Burst &burst, double time);
  static unsigned bankOf(uint64_t addr);
  static int64_t rowOf(uint64_t addr);

  HbmParameters p_;
  double now_ = 0;
  std::array<Port, kPorts> ports_;
  std::array<Channel, kChannels> channels_;
};

} // namespace nhg
#endif
