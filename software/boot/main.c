// SPDX-License-Identifier: Apache-2.0
//
// The payload: console, timer, calls of user mode, the AMU's grant, power-off. Each step prints a line; what is wrong is counted, and ends as exit code.
#include "boot.h"
#include "console.h"
#include "sbi.h"

enum { CauseIllegal = 2, CauseUserCall = 8 };
enum { InterruptTimer = 5, InterruptExternal = 9 };
enum { StateEnableC = 1 };
// Of the metrics that the command reads (tools/nhg/boot.py), from the first free one on.
enum { MetricMicroseconds, MetricTimerInterrupts, MetricConsoleInterrupts, MetricCalls };
enum { JiffyHz = 100, Jiffies = 3 };
#define JIFFY_TICKS (TICKS_PER_US * 1000000ull / JiffyHz)

static const uint64_t InterruptBit = 1ull << 63;
static uint64_t timer_interrupts, console_interrupts, timer_step_ticks, calls, counted_calls;

static void check(bool right, const char *what) {
  if (right)
    return;
  print("payload: WRONG: ");
  print(what);
  print("\n");
  console_flush();
  *(volatile uint64_t *)NHG_HOST_EXIT = 1;
}

static void metric(unsigned index, uint64_t value) { ((volatile uint64_t *)NHG_HOST_METRIC)[index] = value; }

static void interrupt(uint64_t number) {
  if (number == InterruptTimer) {
    timer_interrupts++;
    csr_write(stimecmp, csr_read(stimecmp) + timer_step_ticks);
  } else {
    check(number == InterruptExternal && console_interrupt(), "an interrupt that nothing expects");
    console_interrupts++;
  }
}

static void user_call(struct trap_frame *frame) {
  calls++;
  frame->epc += 4;
  switch (frame->x[17]) {
  case CALL_WRITE:
    console_write((const char *)frame->x[10], frame->x[11]);
    return;
  case CALL_COUNT:
    frame->x[10] = ++counted_calls;
    return;
  default:
    leave_user((int)frame->x[10]);
  }
}

void handle_trap(struct trap_frame *frame);
void handle_trap(struct trap_frame *frame) {
  const uint64_t cause = csr_read(scause);
  const bool user = !(frame->status & 1 << 8);
  if (cause & InterruptBit)
    interrupt(cause & ~InterruptBit);
  else if (user && cause == CauseUserCall)
    user_call(frame);
  else if (user)
    leave_user(-(int)cause);
  else {
    print("payload: trap in supervisor mode, cause ");
    print_number(cause);
    print(", pc ");
    print_hex(frame->epc);
    print("\n");
    check(false, "a trap that nothing expects");
  }
}

static void hello(uint64_t hart, uint64_t device_tree) {
  static const char text[] = "payload: supervisor mode, by the firmware's console\n";
  sbi_call(SBI_DEBUG_CONSOLE, 0, sizeof text - 1, (uint64_t)text, 0);
  print("payload: hart ");
  print_number(hart);
  print(", device tree at ");
  print_hex(device_tree);
  print(", by UART\n");
  console_start_interrupts();
  csr_set(sie, 1 << InterruptExternal);
  check(*(const volatile uint32_t *)device_tree == 0xedfe0dd0, "no device tree");
}

// The first jiffy by the firmware, the others by stimecmp.
static void jiffies(void) {
  const uint64_t begin = csr_read(time);
  timer_step_ticks = JIFFY_TICKS;
  sbi_call(SBI_TIME, 0, begin + JIFFY_TICKS, 0, 0);
  csr_set(sie, 1 << InterruptTimer);
  while (timer_interrupts < Jiffies)
    sleep();
  csr_clear(sie, 1 << InterruptTimer);
  const uint64_t ticks = csr_read(time) - begin;
  print("payload: ");
  print_number(Jiffies);
  print(" timer interrupts at ");
  print_number(JiffyHz);
  print(" Hz in ");
  print_thousandths(ticks / TICKS_PER_US);
  print(" ms\n");
  check(ticks >= Jiffies * JIFFY_TICKS && ticks < (Jiffies + 1) * JIFFY_TICKS, "time of the jiffies");
}

static void user_mode(void) {
  const int wrong = enter_user(user_calls);
  print("payload: ");
  print_number(calls);
  print(" calls of user mode\n");
  check(wrong == 0, "calls of user mode");
}

static uint64_t gups_word(uint64_t id, uint64_t state) {
  return (id - 1) * GUPS_TASK_WORDS + (state >> 16) % GUPS_TASK_WORDS;
}

// Updates are their own inverse: applied again, they leave the zeros that the table began with.
static bool updates_are_right(void) {
  uint64_t *table = (uint64_t *)NHG_FAR_BASE, wrong = 0;
  for (uint64_t id = 1; id <= GUPS_TASKS; id++)
    for (uint64_t i = 0, state = id * GUPS_MULTIPLIER; i < GUPS_TASK_UPDATES; i++, state = state * GUPS_MULTIPLIER + 1)
      table[gups_word(id, state)] ^= state;
  for (uint64_t i = 0; i < GUPS_TASKS * GUPS_TASK_WORDS; i++)
    wrong += table[i] != 0;
  return wrong == 0;
}

// Interrupts of the timer every 5 us meanwhile.
static void amu(void) {
  check(enter_user(user_updates) == -CauseIllegal, "the AMU works in user mode without a grant");
  print("payload: the AMU is illegal in user mode\n");
  csr_set(sstateen0, StateEnableC);
  const uint64_t interrupts_before = timer_interrupts;
  timer_step_ticks = 5 * TICKS_PER_US;
  csr_write(stimecmp, csr_read(time) + timer_step_ticks);
  csr_set(sie, 1 << InterruptTimer);
  *(volatile uint64_t *)NHG_HOST_ROI_BEGIN = 1;
  const uint64_t begin = csr_read(cycle);
  const int status = enter_user(user_updates);
  const uint64_t cycles = csr_read(cycle) - begin;
  *(volatile uint64_t *)NHG_HOST_ROI_END = 1;
  csr_clear(sie, 1 << InterruptTimer);
  const bool right = status == 0 && updates_are_right();
  const uint64_t updates = GUPS_TASKS * GUPS_TASK_UPDATES;
  print("payload: granted: ");
  print_number(updates);
  print(" updates in ");
  print_thousandths(cycles * 1000 / NHG_EMULATED_MHZ);
  print(" us, ");
  print_thousandths(updates * 1000 * NHG_EMULATED_MHZ / cycles);
  print(" a us, interrupted ");
  print_number(timer_interrupts - interrupts_before);
  print(" times\n");
  metric(NHG_METRIC_OPERATIONS, updates);
  metric(NHG_METRIC_VERIFIED, right);
  check(right, "GUPS on the AMU in user mode");
}

static void power_off(void) {
  metric(NHG_METRIC_FIRST_FREE + MetricMicroseconds, csr_read(time) / TICKS_PER_US);
  metric(NHG_METRIC_FIRST_FREE + MetricTimerInterrupts, timer_interrupts);
  metric(NHG_METRIC_FIRST_FREE + MetricConsoleInterrupts, console_interrupts);
  metric(NHG_METRIC_FIRST_FREE + MetricCalls, calls);
  print("payload: ");
  print_number(csr_read(instret));
  print(" instructions, ");
  print_number(csr_read(cycle));
  print(" cycles, ");
  print_thousandths(csr_read(time) / TICKS_PER_US);
  print(" ms since reset; ");
  print_number(timer_interrupts);
  print(" timer and ");
  print_number(console_interrupts);
  print(" console interrupts; power off\n");
  console_drain();
  if (sbi_call(SBI_BASE, SBI_BASE_PROBE, SBI_SYSTEM_RESET, 0, 0).value)
    sbi_call(SBI_SYSTEM_RESET, 0, 0, 0, 0);
  check(false, "power off by the firmware");
}

_Noreturn void boot_main(uint64_t hart, uint64_t device_tree);
void boot_main(uint64_t hart, uint64_t device_tree) {
  hello(hart, device_tree);
  jiffies();
  user_mode();
  amu();
  power_off();
  for (;;) {
  }
}
