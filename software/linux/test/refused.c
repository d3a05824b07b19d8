// SPDX-License-Identifier: Apache-2.0
// What the AMU, the kernel or the driver refuses: each gets its signal or errno.
#include "hostile.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>

static volatile uint64_t sink;

static int fails(const void *mapping, int expected) { return mapping == MAP_FAILED && errno == expected ? 0 : 1; }

static int getfin_without_grant(void) { return (int)getfin(); }

static int capabilities_without_grant(void) {
  uint64_t value;
  __asm__ volatile("csrr %0, " TEXT(NHG_CSR_AMUCAP) : "=r"(value));
  sink = value;
  return 1;
}

static int cycles_without_grant(void) {
  sink = __builtin_readcyclecounter();
  return 1;
}

static int supervisor_register(void) {
  granted_device();
  __asm__ volatile("csrw " TEXT(NHG_CSR_AMUSTATE) ", x0");
  return 1;
}

static int machine_register(void) {
  granted_device();
  __asm__ volatile("csrw " TEXT(NHG_CSR_AMUCTL) ", x0");
  return 1;
}

static int id_zero(void) {
  granted_device();
  aload(new_pages(1, PROT_READ), WordLog2, 0);
  return 1;
}

static int id_above_the_last(void) {
  granted_device();
  aload(new_pages(1, PROT_READ), WordLog2, NHG_AMU_MAX_ID + 1);
  return 1;
}

static int busy_id(void) {
  granted_device();
  const char *page = new_pages(1, PROT_READ);
  aload(page, WordLog2, 7);
  aload(page, WordLog2, 7);
  return 1;
}

static int slot_of_another_id(void) {
  granted_device();
  aload(new_pages(1, PROT_READ), WordLog2, SlotBytes << NHG_AMI_REQUEST_WORD_OFFSET_LSB | 1);
  return 1;
}

static int kernel_read(void) {
  granted_device();
  aload((void *)-UINT64_C(0x2000000000), WordLog2, 1);
  return 1;
}

static int kernel_write(void) {
  granted_device();
  astore((void *)-UINT64_C(0x40000000), WordLog2, 1);
  return 1;
}

static int unmapped_page(void) {
  granted_device();
  char *page = new_pages(1, PROT_READ | PROT_WRITE);
  munmap(page, PageBytes);
  aload(page, WordLog2, 1);
  return 1;
}

static int read_only_page(void) {
  granted_device();
  astore(new_pages(1, PROT_READ), WordLog2, 1);
  return 1;
}

static int page_without_rights(void) {
  granted_device();
  aload(new_pages(1, PROT_NONE), WordLog2, 1);
  return 1;
}

static int window_as_memory(void) {
  granted_device();
  aload(window, WordLog2, 1);
  return 1;
}

static int window_without_grant(void) { return fails(map_window(open_device()), EPERM); }

static int host_page(void) {
  const int device = granted_device();
  return fails(mmap(NULL, NHG_HOST_SIZE, PROT_WRITE, MAP_SHARED, device, NHG_HOST_BASE), EPERM);
}

static int far_registers(void) {
  const int device = granted_device();
  return fails(mmap(NULL, NHG_FAR_CONTROL_SIZE, PROT_WRITE, MAP_SHARED, device, NHG_FAR_CONTROL_BASE), EPERM);
}

static int local_memory(void) {
  const int device = granted_device();
  return fails(mmap(NULL, PageBytes, PROT_READ, MAP_SHARED, device, NHG_LOCAL_BASE), EINVAL);
}

static int behind_the_window(void) {
  const int device = granted_device();
  return fails(mmap(NULL, NHG_SPM_SIZE + PageBytes, PROT_READ, MAP_SHARED, device, NHG_SPM_BASE), EINVAL);
}

static int private_window(void) {
  const int device = granted_device();
  return fails(mmap(NULL, NHG_SPM_SIZE, PROT_READ, MAP_PRIVATE, device, NHG_SPM_BASE), EINVAL);
}

static int unknown_call(void) { return ioctl(granted_device(), COROAMU_RELEASE + 1) == -1 && errno == ENOTTY ? 0 : 1; }

static int use_after_release(void) {
  const int device = granted_device();
  aload(new_pages(1, PROT_READ), WordLog2, 3);
  if (ioctl(device, COROAMU_RELEASE) != 0 || outstanding() != 0)
    return 1;
  if (ioctl(device, COROAMU_RELEASE) != -1 || errno != EPERM)
    return 2;
  return (int)getfin() + 3;
}

static int window_after_release(void) {
  ioctl(granted_device(), COROAMU_RELEASE);
  sink = window[0];
  return 1;
}

const struct program refused_programs[] = {
    {"getfin without a grant", getfin_without_grant, SIGILL},
    {"a CSR of the AMU without a grant", capabilities_without_grant, SIGILL},
    {"the cycle counter without a grant", cycles_without_grant, SIGILL},
    {"a CSR of supervisor mode", supervisor_register, SIGILL},
    {"a CSR of machine mode", machine_register, SIGILL},
    {"ID 0", id_zero, SIGILL},
    {"an ID above the last", id_above_the_last, SIGILL},
    {"an ID that is busy", busy_id, SIGILL},
    {"the slot of another ID", slot_of_another_id, SIGILL},
    {"a load of kernel memory", kernel_read, SIGSEGV},
    {"a store to kernel memory", kernel_write, SIGSEGV},
    {"an unmapped page", unmapped_page, SIGSEGV},
    {"a read-only page", read_only_page, SIGSEGV},
    {"a page without rights", page_without_rights, SIGSEGV},
    {"the window as memory of a request", window_as_memory, SIGSEGV},
    {"the window without a grant", window_without_grant, 0},
    {"the host page", host_page, 0},
    {"registers of far memory", far_registers, 0},
    {"local memory from the driver", local_memory, 0},
    {"more than the window", behind_the_window, 0},
    {"a private window", private_window, 0},
    {"an unknown call of the driver", unknown_call, 0},
    {"the AMU after it was given back", use_after_release, SIGILL},
    {"the window after it was given back", window_after_release, SIGBUS},
};
const unsigned refused_count = sizeof refused_programs / sizeof *refused_programs;
