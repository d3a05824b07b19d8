// SPDX-License-Identifier: Apache-2.0
//
// What tasks.c counts and tasks_run() returns.
#ifndef NHG_TASKS_ALIVE_H
#define NHG_TASKS_ALIVE_H

#include <stdint.h>

extern uint64_t tasks_alive;

#endif
