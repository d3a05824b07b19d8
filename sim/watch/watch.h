// SPDX-License-Identifier: Apache-2.0
//
// The pipeline log of a window of cycles: takes the events of watch.sv all the time, so that it knows what is in flight when the window opens.
#ifndef NHG_WATCH_H
#define NHG_WATCH_H

#include <cstdint>
#include <string>

#include "amu_lanes.h"
#include "kanata.h"
#include "pipeline.h"

namespace nhg {

class Watch {
public:
  // The golden model's library has the disassembler. Throws std::runtime_error with one line when it cannot be used.
  explicit Watch(const std::string &golden_library);
  ~Watch();
  Watch(const Watch &) = delete;
  Watch &operator=(const Watch &) = delete;

  // The one that gets the events; null: nobody wants them.
  static Watch *current();

  // Opens the file and the window: both cycles are in it, and are written as their distance to `zero`. Throws like the constructor.
  void open(const std::string &path, uint64_t from, uint64_t to, uint64_t zero);
  // Writes the log, if the window was opened; the run ends before `cycle`. Throws like the constructor.
  void close(uint64_t cycle);

  uint64_t cycle = 0; // of the events that come
  KanataLog log;
  Pipeline pipeline;
  AmuLanes amu{log};

private:
  std::string path_;
  FILE *file_ = nullptr;
  uint64_t zero_ = 0;
};

} // namespace nhg
#endif
