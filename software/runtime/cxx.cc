// SPDX-License-Identifier: Apache-2.0
//
// What C++ programs need behind libc++'s headers: allocation (coroutine frames use it) and the hooks of
// static objects and pure virtual functions.
#include <new>
#include <stdlib.h>

#include "abort.h"

const std::nothrow_t std::nothrow{};

static void *or_abort(void *block) {
  if (block == nullptr)
    abort_with("operator new: no memory left");
  return block;
}

void *operator new(size_t bytes, const std::nothrow_t &) noexcept { return malloc(bytes ? bytes : 1); }
void *operator new[](size_t bytes, const std::nothrow_t &) noexcept { return operator new(bytes, std::nothrow); }
void *operator new(size_t bytes) { return or_abort(operator new(bytes, std::nothrow)); }
void *operator new[](size_t bytes) { return operator new(bytes); }
void *operator new(size_t bytes, std::align_val_t alignment) {
  return or_abort(aligned_alloc(size_t(alignment), bytes ? bytes : 1));
}
void *operator new[](size_t bytes, std::align_val_t alignment) { return operator new(bytes, alignment); }
void operator delete(void *block) noexcept { free(block); }
void operator delete(void *block, size_t) noexcept { free(block); }
void operator delete[](void *block) noexcept { free(block); }
void operator delete[](void *block, size_t) noexcept { free(block); }
void operator delete(void *block, std::align_val_t) noexcept { free(block); }
void operator delete[](void *block, std::align_val_t) noexcept { free(block); }
void operator delete(void *block, size_t, std::align_val_t) noexcept { free(block); }
void operator delete[](void *block, size_t, std::align_val_t) noexcept { free(block); }

extern "C" {
#ifdef __riscv
void *__dso_handle; // natively the C library has it
#endif
void __cxa_pure_virtual() { abort_with("a pure virtual function was called"); }
}
