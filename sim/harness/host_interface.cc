// SPDX-License-Identifier: Apache-2.0
#include "host_interface.h"

#include <cstdio>

namespace nhg {

void HostInterface::write(uint32_t offset, uint64_t value) {
  uint64_t addr = NHG_HOST_BASE + offset;
  switch (addr) {
  case NHG_HOST_EXIT:
    if (!exited) // memory is compared behind the end, while the core goes on
      exit_value = value;
    exited = event = true;
    return;
  case NHG_HOST_PUTC:
    putchar(static_cast<int>(value & 0xff));
    if ((value & 0xff) == '\n')
      fflush(stdout);
    return;
  case NHG_HOST_ROI_BEGIN:
    roi_begin = event = true;
    return;
  case NHG_HOST_ROI_END:
    roi_end = event = true;
    return;
  default:
    if (addr >= NHG_HOST_METRIC && addr < NHG_HOST_METRIC + 8 * NHG_HOST_METRIC_COUNT)
      metrics[(addr - NHG_HOST_METRIC) / 8] = value;
  }
}

} // namespace nhg
