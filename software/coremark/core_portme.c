// SPDX-License-Identifier: Apache-2.0
//
// CoreMark's port to NH-G: seeds, cycle counter as clock, console, region of interest around the timed part.
#include <stdarg.h>
#include <stdio.h>

#include "coremark.h"
#include "host.h"

volatile ee_s32 seed1_volatile = 0;
volatile ee_s32 seed2_volatile = 0;
volatile ee_s32 seed3_volatile = 0x66;
volatile ee_s32 seed4_volatile = ITERATIONS;
volatile ee_s32 seed5_volatile = 0;

ee_u32 default_num_contexts = 1;

static CORE_TICKS begin_cycles, end_cycles;

static CORE_TICKS cycles(void) {
  CORE_TICKS value;
  __asm__ volatile("rdcycle %0" : "=r"(value));
  return value;
}

void start_time(void) {
  host_roi_begin();
  begin_cycles = cycles();
}

void stop_time(void) {
  end_cycles = cycles();
  host_roi_end();
}

CORE_TICKS get_time(void) { return end_cycles - begin_cycles; }

secs_ret time_in_secs(CORE_TICKS ticks) { return (secs_ret)(ticks / 1000000); }

int ee_printf(const char *format, ...) {
  char line[256];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  for (const char *c = line; *c; c++)
    host_putchar(*c);
  return length;
}

void portable_init(core_portable *p, int *argc, char *argv[]) {
  (void)argc;
  (void)argv;
  p->portable_id = 1;
}

void portable_fini(core_portable *p) { p->portable_id = 0; }
