// SPDX-License-Identifier: Apache-2.0
//
// What a run starts from: an ELF program or a checkpoint, as a list of memory segments and a reset pc.
// Bytes that no segment covers are zero. Needs only the C++17 library (no Spike, no ABI constraint):
// compile image.cc into the harness.
//
// A checkpoint carries its restore stub as a segment in the boot ROM (see checkpoint.md), so a core that is
// loaded with the segments and started at reset_pc needs nothing else.
#ifndef NHG_IMAGE_H
#define NHG_IMAGE_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nhg {

struct Segment {
  uint64_t addr;       // physical byte address
  uint64_t size;       // bytes present in data
  const uint8_t *data; // points into the mapped file
  uint64_t extent;     // bytes of memory the program wants there, the rest of them zero
};

// What a program says by a value other than zero at its symbol `tohost` (HTIF, as riscv-tests use it): 2n + 1 is its end with exit code n,
// which is returned. Nothing else is understood, as a host would have to write into the program's memory: std::runtime_error.
uint64_t tohostExitCode(uint64_t value);

class Image {
public:
  // Maps the file. Throws std::runtime_error with a one-line message when it is not usable.
  explicit Image(const std::string &path);
  ~Image();
  Image(const Image &) = delete;
  Image &operator=(const Image &) = delete;

  const std::vector<Segment> &segments() const { return segments_; }
  uint64_t resetPc() const { return reset_pc_; }
  bool isCheckpoint() const { return is_checkpoint_; }
  // Address of the program's symbol `tohost`, by whose 8 bytes it can end.
  std::optional<uint64_t> tohost() const { return tohost_; }
  // Instructions the golden model executed before the checkpoint was taken; 0 for a program.
  uint64_t instret() const { return instret_; }

private:
  void readElf(const std::string &path);
  void checkHeader(const std::string &path) const;
  void readSymbols();
  void readCheckpoint(const std::string &path);

  const uint8_t *base_ = nullptr;
  size_t bytes_ = 0;
  uint64_t reset_pc_ = 0;
  uint64_t instret_ = 0;
  std::optional<uint64_t> tohost_;
  bool is_checkpoint_ = false;
  std::vector<Segment> segments_;
};

} // namespace nhg
#endif
