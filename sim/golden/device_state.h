// SPDX-License-Identifier: Apache-2.0
//
// What a checkpoint has of a device: the accesses that bring it back, in their order (checkpoint.md).
#ifndef NHG_DEVICE_STATE_H
#define NHG_DEVICE_STATE_H

#include <cstdint>
#include <string>
#include <vector>

#include "checkpoint_format.h"

namespace nhg {

struct DeviceState {
  enum Kind : uint64_t {
    Store1 = NHG_DEVICE_STORE_1,
    Store4 = NHG_DEVICE_STORE_4,
    Store8 = NHG_DEVICE_STORE_8,
    Load1 = NHG_DEVICE_LOAD_1,
    Load4 = NHG_DEVICE_LOAD_4
  };
  struct Access {
    uint64_t address, value; // of a load the value is nothing
    Kind kind;
  };
  std::string name; // at most 8 bytes
  std::vector<Access> accesses;
};

} // namespace nhg
#endif
