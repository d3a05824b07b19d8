// SPDX-License-Identifier: Apache-2.0
//
// The AMU for test programs of Linux: grant, window and instructions, without the compiler.
#ifndef NHG_LINUX_TEST_AMU_H
#define NHG_LINUX_TEST_AMU_H

#include <fcntl.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../driver/coroamu.h"
#include "platform.h"

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define AMI(funct3, operands, ...)                                                                                     \
  __asm__ volatile(".insn r " TEXT(NHG_AMI_OPCODE) ", " TEXT(funct3) ", 0, " operands __VA_ARGS__)

enum { SlotBytes = NHG_AMU_SLOT_BYTES_RESET, PageBytes = 4096, WordLog2 = 3 };

static volatile uint64_t *const window = (volatile uint64_t *)NHG_SPM_BASE;

static inline volatile uint64_t *slot(unsigned id) { return window + id * SlotBytes / 8; }

static inline uint64_t address_word(const volatile void *address, unsigned log2_size) {
  const uint64_t mask = (UINT64_C(1) << NHG_AMI_ADDRESS_WORD_ADDRESS_BITS) - 1;
  return ((uintptr_t)address & mask) | (uint64_t)log2_size << NHG_AMI_ADDRESS_WORD_SIZE_LSB;
}

static inline void aload(const volatile void *address, unsigned log2_size, uint64_t request) {
  AMI(NHG_AMI_ALOAD_FUNCT3, "x0, %0, %1", ::"r"(address_word(address, log2_size)), "r"(request) : "memory");
}
static inline void astore(volatile void *address, unsigned log2_size, uint64_t request) {
  AMI(NHG_AMI_ASTORE_FUNCT3, "x0, %0, %1", ::"r"(address_word(address, log2_size)), "r"(request) : "memory");
}
static inline void aset(uint64_t id, uint64_t n) {
  AMI(NHG_AMI_ASET_FUNCT3, "x0, %0, %1", ::"r"(id), "r"(n) : "memory");
}
static inline void await(uint64_t id) {
  AMI(NHG_AMI_AWAIT_FUNCT3, "x0, %0, %1", ::"r"(UINT64_C(0)), "r"(id) : "memory");
}
static inline void asignal(uint64_t id) { AMI(NHG_AMI_ASIGNAL_FUNCT3, "x0, %0, x0", ::"r"(id) : "memory"); }
static inline uint64_t getfin(void) {
  uint64_t id;
  AMI(NHG_AMI_GETFIN_FUNCT3, "%0, x0, x0", : "=r"(id)::"memory");
  return id;
}
// Waits for a group and takes it.
static inline uint64_t take(void) {
  uint64_t id;
  while ((id = getfin()) == 0)
    ;
  return id;
}

static inline int open_device(void) { return open("/dev/coroamu", O_RDWR); }

static inline void *map_window(int device) {
  return mmap((void *)NHG_SPM_BASE, NHG_SPM_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, device, NHG_SPM_BASE);
}

#endif
