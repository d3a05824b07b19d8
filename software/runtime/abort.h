// SPDX-License-Identifier: Apache-2.0
//
// How the runtime gives up on a program.
#ifndef NHG_ABORT_H
#define NHG_ABORT_H

#ifdef __cplusplus
extern "C" {
#endif

// Prints the line and ends the program: with NHG_EXIT_STATUS_ABORT, natively by SIGABRT.
__attribute__((noreturn, format(printf, 1, 2))) void abort_with(const char *format, ...);

#ifdef __cplusplus
}
#endif
#endif
