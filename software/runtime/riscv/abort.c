// SPDX-License-Identifier: Apache-2.0
//
// abort() and assert() in place of the C library's, which raise a signal.
#include "abort.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "host.h"

void abort_with(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
  putchar('\n');
  host_exit(NHG_EXIT_STATUS_ABORT);
}

void abort(void) { abort_with("abort() was called"); }

void __assert_func(const char *file, int line, const char *function, const char *condition) {
  abort_with("%s:%d: %s: assertion failed: %s", file, line, function, condition);
}
