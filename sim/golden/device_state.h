// SPDX-License-Identifier: Apache-2.0
//
// What a checkpoint has of a device: the accesses that bring it back, in their order (checkpoint.md).
#ifndef NHG_DEVICE_STATE_H
#define NHG_DEVICE_STATE_H

#include <cstdint>
#include <string>
#include <vector>

namespace nhg {

struct DeviceState {
  // As the restore stub's instruction, with the address in x3 and the value in x4.
  enum Kind : uint32_t {
    Store1 = 0x00418023,
    Store4 = 0x0041a023,
    Store8 = 0x0041b023,
    Load1 = 0x00018203,
    Load4 = 0x0001a203
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
