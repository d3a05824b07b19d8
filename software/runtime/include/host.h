// SPDX-License-Identifier: Apache-2.0
//
// What a benchmark tells the world around it: console, region of interest, metrics, end of program.
// riscv64: stores to the host interface of the platform. x86-64: the same calls, natively; when the
// environment variable NHG_RESULT names a file, a JSON record with the metrics and the wall time of the
// region (nanoseconds) is written there when the program ends.
#ifndef NHG_HOST_H
#define NHG_HOST_H

#include <stdint.h>

#include "platform.h"

#ifdef __cplusplus
extern "C" {
#endif

// Ends the program; 0 is success.
__attribute__((noreturn)) void host_exit(int code);

void host_putchar(char c);

// Where the golden model takes a checkpoint. No AMU group may be outstanding.
// What runs between here and host_roi_begin() warms caches and predictors.
void host_checkpoint(void);

// The measured region. May be entered once. After it far memory answers at once (latency 0), so that
// checking the answer takes little simulation time.
void host_roi_begin(void);
void host_roi_end(void);

enum {
  HOST_METRIC_OPERATIONS = NHG_METRIC_OPERATIONS,
  HOST_METRIC_SWITCHES = NHG_METRIC_SWITCHES,
  HOST_METRIC_CONTEXT_OPS = NHG_METRIC_CONTEXT_OPS,
  HOST_METRIC_COROUTINES = NHG_METRIC_COROUTINES,
  HOST_METRIC_VERIFIED = NHG_METRIC_VERIFIED,
  HOST_METRIC_FIRST_FREE = NHG_METRIC_FIRST_FREE
};

// Reports a value; index is one of the above or a free one below NHG_HOST_METRIC_COUNT.
void host_metric(unsigned index, uint64_t value);

#ifdef __cplusplus
}
#endif
#endif
