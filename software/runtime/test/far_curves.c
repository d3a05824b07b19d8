// SPDX-License-Identifier: Apache-2.0
//
// Far memory's delay over its bandwidth, from idle to saturated, for several shares of reads, as Mess draws memories. Lines are requested from the AMU at
// an even pace; a load is a share of the bandwidth that is set. The program times each request by the core's clock, and subtracts what the way to far memory
// and back takes: what an idle request takes beyond its latency, at a longer one. It does not look at the delayer's counters.
//
// Prints for each point: percent of reads, percent of the bandwidth asked for, reads and writes that were timed, the sums of their delays in cycles, and
// the cycles in which they ended. 0 percent is one request after the other; 0 cycles between requests, as fast as the program can, are printed as 999.
//   make far-curves LAT=800 BW=6
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "host.h"
#include "platform.h"

enum {
  LineBytes = 64,
  LinesMax = 1 << 18, // of far memory, taken in turn at scattered places
  FixedPoint = 1 << 16,
  Idle = 0,
  Saturated = 999,
};

#ifdef FEW_LENGTHS
enum { WarmUp = 256, Requests = 128, IdleRequests = 4 };
static const unsigned reads_percent[] = {100, 50, 0};
static const unsigned loads_percent[] = {Idle, 50, Saturated};
#else
enum { WarmUp = 256, Requests = 768, IdleRequests = 16 };
static const unsigned reads_percent[] = {100, 75, 50, 25, 0};
static const unsigned loads_percent[] = {Idle, 10, 20, 35, 50, 65, 80, 90, 95, Saturated};
#endif

void __asyncmem_start_amu(void);

static uint64_t issued[NHG_AMU_MAX_ID + 1]; // when; of writes with its top bit set
static const uint64_t IsWrite = 1ul << 63;
static uint64_t lines; // requested so far

struct point {
  uint64_t requests[2], delays[2], spent; // of reads and writes; cycles
};

static volatile uint64_t *far_register(uint64_t address) { return (volatile uint64_t *)address; }

static uint64_t now(void) {
  uint64_t cycles;
  __asm__ volatile("csrr %0, mcycle" : "=r"(cycles)::"memory");
  return cycles;
}

static void request(uint64_t id, bool write) {
  const uint64_t place = lines++ * 0x9e3779b1u % LinesMax * LineBytes;
  const uint64_t word = (NHG_FAR_BASE + place) | 6ul << 60; // log2 of the size
  issued[id] = now() | (write ? IsWrite : 0);
  if (write)
    __asm__ volatile(".insn r %0, %1, 0, x0, %2, %3" ::"i"(NHG_AMI_OPCODE), "i"(NHG_AMI_ASTORE_FUNCT3), "r"(word),
                     "r"(id)
                     : "memory");
  else
    __asm__ volatile(".insn r %0, %1, 0, x0, %2, %3" ::"i"(NHG_AMI_OPCODE), "i"(NHG_AMI_ALOAD_FUNCT3), "r"(word),
                     "r"(id)
                     : "memory");
}

static uint64_t finished(void) {
  uint64_t id;
  __asm__ volatile(".insn r %1, %2, 0, %0, x0, x0"
                   : "=r"(id)
                   : "i"(NHG_AMI_OPCODE), "i"(NHG_AMI_GETFIN_FUNCT3)
                   : "memory");
  return id;
}

// Requests with so many cycles from one to the next, at most `most` under way; those after the first `warm_up` that end are timed, `count` of them.
static struct point measure(unsigned percent, uint64_t period, unsigned most, unsigned warm_up, unsigned count) {
  static uint64_t unused[NHG_AMU_MAX_ID];
  unsigned available = most, ended = 0, share = 0;
  for (unsigned k = 0; k < most; ++k)
    unused[k] = k + 1;
  struct point point = {0};
  uint64_t due = now() << 16, begin = 0;
  while (ended < warm_up + count) {
    if (available > 0 && now() >= due >> 16) {
      share += percent;
      const bool write = share < 100;
      share -= write ? 0 : 100;
      request(unused[--available], write);
      due += period;
    }
    const uint64_t id = finished();
    if (id == 0)
      continue;
    const uint64_t at = now();
    if (ended == warm_up)
      begin = at;
    if (ended++ >= warm_up) {
      const bool write = issued[id] & IsWrite;
      point.requests[write] += 1;
      point.delays[write] += at - (issued[id] & ~IsWrite);
      point.spent = at - begin;
    }
    unused[available++] = id;
  }
  while (available < most)
    available += finished() != 0;
  return point;
}

int main(void) {
  __asyncmem_start_amu();
  const uint64_t latency = *far_register(NHG_FAR_CONTROL_LATENCY_CYCLES),
                 bandwidth = *far_register(NHG_FAR_CONTROL_BANDWIDTH);
  if (bandwidth == 0) {
    puts("far_curves: far memory has no limit of bandwidth; give BW");
    return 1;
  }
  host_roi_begin();
  // What a request takes beyond its latency: its way.
  *far_register(NHG_FAR_CONTROL_LATENCY_CYCLES) = 2 * latency;
  uint64_t way[2];
  for (unsigned write = 0; write < 2; ++write)
    way[write] = measure(write ? 0 : 100, 0, 1, 1, IdleRequests).delays[write] / IdleRequests - 2 * latency;
  *far_register(NHG_FAR_CONTROL_LATENCY_CYCLES) = latency;
  // Twice the lines that the bandwidth can have under way: saturated requests take twice the latency.
  const uint64_t both_ways = 2 * latency * bandwidth / FixedPoint / LineBytes;
  const unsigned most = both_ways < 4 ? 4 : both_ways > NHG_AMU_MAX_ID ? NHG_AMU_MAX_ID : (unsigned)both_ways;
  printf("way of a read %u, of a write %u cycles; at most %u requests under way\n", (unsigned)way[0], (unsigned)way[1],
         most);
  for (unsigned r = 0; r < sizeof reads_percent / sizeof *reads_percent; ++r)
    for (unsigned k = 0; k < sizeof loads_percent / sizeof *loads_percent; ++k) {
      const unsigned load = loads_percent[k];
      const uint64_t period =
          load == Idle || load == Saturated ? 0 : ((uint64_t)LineBytes * FixedPoint * 100 / load << 16) / bandwidth;
      const struct point point = load == Idle ? measure(reads_percent[r], 0, 1, 1, IdleRequests)
                                              : measure(reads_percent[r], period, most, WarmUp, Requests);
      printf("%u %u %u %u %u %u %u\n", reads_percent[r], load, (unsigned)point.requests[0], (unsigned)point.requests[1],
             (unsigned)(point.delays[0] - point.requests[0] * way[0]),
             (unsigned)(point.delays[1] - point.requests[1] * way[1]), (unsigned)point.spent);
    }
  host_roi_end();
  return 0;
}
