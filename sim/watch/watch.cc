// SPDX-License-Identifier: Apache-2.0
#include "watch.h"

#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <stdexcept>

#include "golden.h"

namespace nhg {

namespace {

Watch *current_watch = nullptr;

// The library stays loaded to the end of the process.
Pipeline::Disassemble disassembler(const std::string &library) {
  void *loaded = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  void *function = loaded ? dlsym(loaded, "golden_disassemble") : nullptr;
  if (!function)
    throw std::runtime_error(std::string("no disassembler for the pipeline log: ") + dlerror() +
                             "; build it with make golden");
  return [disassemble = reinterpret_cast<decltype(&golden_disassemble)>(function)](uint32_t encoding) {
    char text[80];
    disassemble(encoding, text, sizeof text);
    return std::string(text);
  };
}

} // namespace

Watch::Watch(const std::string &golden_library) : pipeline(log, disassembler(golden_library)) { current_watch = this; }

Watch::~Watch() {
  current_watch = nullptr;
  if (file_)
    fclose(file_);
}

Watch *Watch::current() { return current_watch; }

void Watch::open(const std::string &path, uint64_t from, uint64_t to, uint64_t zero) {
  file_ = fopen(path.c_str(), "w");
  if (!file_)
    throw std::runtime_error("cannot write the pipeline log " + path + ": " + strerror(errno));
  path_ = path;
  zero_ = zero;
  log.open(from, to);
}

void Watch::close(uint64_t cycle) {
  if (!file_)
    return;
  pipeline.end(cycle);
  amu.end(cycle);
  bool written = log.write(file_, zero_);
  written &= fclose(file_) == 0;
  file_ = nullptr;
  if (!written)
    throw std::runtime_error("cannot write the pipeline log " + path_ + ": " + strerror(errno));
}

} // namespace nhg
