// SPDX-License-Identifier: Apache-2.0
//
// The runtime's own end of a program, natively: as abort() of the C library.
#include "abort.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void abort_with(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  abort();
}
