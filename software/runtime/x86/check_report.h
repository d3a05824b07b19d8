// SPDX-License-Identifier: Apache-2.0
//
// What -masync=check says before it ends the program.
#pragma once
#include <stdint.h>

#include "asyncmem_check.h"

// Two iterations at one place; iterations count from 0 where the loop was entered.
struct check_meeting {
  uintptr_t place;
  uint64_t bytes;
  uint32_t earlier, later;
  const struct check_site *earlier_site, *later_site;
  int earlier_wrote, later_writes;
  int locked;
};

// Exit code of a program that breaks its promise, or cannot be checked.
enum { CHECK_EXIT_CODE = 66 };

__attribute__((noreturn)) void check_report(const struct check_loop *loop, const struct check_meeting *m);
__attribute__((noreturn)) void check_fail(const char *why);
