// SPDX-License-Identifier: Apache-2.0
#include "check_report.h"

#include <stdio.h>
#include <stdlib.h>

void check_fail(const char *why) {
  fflush(stdout);
  fprintf(stderr, "asyncmem: %s\n", why);
  _Exit(CHECK_EXIT_CODE);
}

static const char *advice(const struct check_meeting *m) {
  const uint32_t both = m->earlier_site->traits & m->later_site->traits,
                 either = m->earlier_site->traits | m->later_site->traits;
  if (both & CHECK_IS_DISTINCT)
    return "leave distinct_update() out: then one task at a time updates a word; or name the pointer in lossy_update()";
  if (m->locked)
    return "take the same lock at both places";
  if (both & CHECK_IS_VARIABLE)
    return "name the variable in private(), shared_var() or reduction()";
  if (either & CHECK_IS_ATOMIC)
    return "make both accesses atomic";
  if (either & CHECK_IS_UPDATE)
    return "make both accesses atomic, or name the pointer in lossy_update() if updates may get lost";
  if (m->earlier_wrote && m->later_writes)
    return "make both accesses atomic if either value will do, or name the pointer in lossy_update()";
  return "make both accesses atomic if either value will do, or put them under a lock (asyncmem_lock)";
}

void check_report(const struct check_loop *loop, const struct check_meeting *m) {
  const struct check_site *a = m->earlier_site, *b = m->later_site;
  fflush(stdout);
  fprintf(stderr,
          "%s:%u: asyncmem: iteration %u of the loop %s %llu bytes at %p (%s:%u:%u), which iteration %u %s "
          "(%s:%u:%u); %s\n",
          loop->file, loop->line, m->later, m->later_writes ? "writes" : "reads", (unsigned long long)m->bytes,
          (void *)m->place, b->file, b->line, b->column, m->earlier, m->earlier_wrote ? "has written" : "has read",
          a->file, a->line, a->column, advice(m));
  _Exit(CHECK_EXIT_CODE);
}
