// SPDX-License-Identifier: Apache-2.0
//
// One hostile program each: what a process does to the AMU, its driver and others, and how it must end.
#ifndef NHG_HOSTILE_H
#define NHG_HOSTILE_H

#include "amu.h"

struct program {
  const char *name;
  int (*run)(void); // in a process of its own; 0: as it should be, else the number of the check
  int signal;       // that ends it, or 0: it returns
};

// Device with the grant and the window mapped; ends the process with 99 if there is none.
int granted_device(void);
// Zeroed pages.
char *new_pages(unsigned count, int protection);
// Groups that are outstanding, as the driver tells.
unsigned long outstanding(void);
// How a child ends that runs `body`: its wait status.
int status_of(int (*body)(void));

extern const struct program refused_programs[], shared_programs[];
extern const unsigned refused_count, shared_count;

#endif
