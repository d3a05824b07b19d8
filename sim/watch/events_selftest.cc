// SPDX-License-Identifier: Apache-2.0
//
// Writes the log of the events on its standard input, for test_log.py: lines "CYCLE EVENT ARGUMENTS", numbers hexadecimal but the cycle; "FROM window TO"
// opens the window, whose first cycle becomes 0.
#include <functional>
#include <iostream>
#include <map>
#include <sstream>

#include "amu_lanes.h"

using namespace nhg;

int main() {
  KanataLog log;
  Pipeline pipeline(log, [](uint32_t encoding) { return "instruction " + std::to_string(encoding); });
  AmuLanes amu(log);
  uint64_t cycle = 0, zero = 0, a[6];
  const std::map<std::string, std::function<void()>> events = {
      {"window", [&] { log.open(zero = cycle, a[0]); }},
      {"retired", [&] { pipeline.retired(cycle), amu.logTaken(); }},
      {"trapped", [&] { pipeline.trapped(); }},
      {"done", [&] { pipeline.done(cycle, unsigned(a[0])); }},
      {"executes", [&] { pipeline.executes(cycle, unsigned(a[0])); }},
      {"issued", [&] { pipeline.issued(cycle, unsigned(a[0])); }},
      {"queued", [&] { pipeline.queued(cycle, unsigned(a[0])); }},
      {"renamed", // ROB index, sources, destination (0: none), finish-queue pointer + 1 (0: none)
       [&] {
         pipeline.renamed(cycle, unsigned(a[0]), unsigned(a[1]), a[2], unsigned(a[2]),
                          a[3] ? amu.group(unsigned(a[3] - 1)) : nullptr);
       }},
      {"decoded", [&] { pipeline.decoded(cycle, a[0], a[1]); }},
      {"fetched", [&] { pipeline.fetched(cycle, a[0], uint32_t(a[1])); }},
      {"fetch_begins", [&] { pipeline.fetchBegins(cycle); }},
      {"killed", [&] { pipeline.killed(cycle, a[0], unsigned(a[1])); }},
      {"committed", [&] { amu.requestCommitted(cycle, pipeline.head(), a[0], unsigned(a[1])); }},
      {"split", [&] { amu.requestSplit(cycle, a[0], unsigned(a[1])); }},
      {"line", [&] { amu.lineBegins(cycle, unsigned(a[0]), a[1]); }},
      {"sent", [&] { amu.lookupSent(cycle); }},
      {"answered", [&] { amu.lookupAnswered(cycle, a[0]); }},
      {"passed_on", [&] { amu.lookupPassedOn(cycle); }},
      {"looked_up", [&] { amu.lookupDone(cycle, unsigned(a[0]), a[1]); }},
      {"asked", [&] { amu.memoryAsked(cycle, unsigned(a[0])); }},
      {"response", [&] { amu.memoryAnswered(cycle, unsigned(a[0])); }},
      {"counted", [&] { amu.lineCounted(cycle, unsigned(a[0]), unsigned(a[1])); }},
      {"finished", [&] { amu.groupFinished(cycle, unsigned(a[0]), unsigned(a[1])); }},
      {"to_btq", [&] { amu.groupSent(cycle, unsigned(a[0]), a[1]); }},
  };
  for (std::string line, name; std::getline(std::cin, line);) {
    std::istringstream words(line);
    words >> cycle >> name >> std::hex;
    for (uint64_t &argument : a)
      if (!(words >> argument))
        argument = 0;
    events.at(name)();
  }
  pipeline.end(cycle);
  amu.end(cycle);
  return log.write(stdout, zero) ? 0 : 1;
}
