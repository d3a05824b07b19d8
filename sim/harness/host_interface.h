// SPDX-License-Identifier: Apache-2.0
//
// The host interface device: end of program, console, region-of-interest marks, metrics reported by the software.
#ifndef NHG_HOST_INTERFACE_H
#define NHG_HOST_INTERFACE_H

#include <array>
#include <cstdint>

#include "platform.h"

namespace nhg {

class HostInterface {
public:
  // A 64-bit store to the device, byte offset from its base; unknown offsets are ignored.
  void write(uint32_t offset, uint64_t value);

  // Set by write; the run loop looks at `event` after each cycle and clears it.
  bool event = false;
  bool exited = false, roi_begin = false, roi_end = false;
  uint64_t exit_value = 0;
  std::array<uint64_t, NHG_HOST_METRIC_COUNT> metrics{};
};

} // namespace nhg
#endif
