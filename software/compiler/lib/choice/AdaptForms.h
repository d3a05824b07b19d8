/* SPDX-License-Identifier: Apache-2.0 */
/* A part of AdaptPolicy.c: which of several forms tasks have, found by giving each
   of them turns. */

#ifndef ASYNCMEM_ADAPTFORMS_H
#define ASYNCMEM_ADAPTFORMS_H

#include "choice/AdaptTrial.h"

// The forms as tasks, back and forth. What disturbs a turn makes it slower; but one
// that makes a form twice as slow as another is its last. Where iterations are long,
// the first choice comes before: a form that switches at each element may be eight
// times slower.
// \returns 0 when they have all had their turns, and the fastest is in use.
static int try_forms(struct loop *loop, const struct run *run, uint64_t rate) {
  if (!ADAPT_FORMS || GET(loop->more_forms) == 0)
    return 0;
  uint32_t forms = GET(loop->more_forms) + 1;
  uint32_t turns = GET(loop->form_turns), form = GET(loop->form), best = 0;
  if (GET(loop->trial) == SOME_TASKS && GET(loop->back_off) == 0) {
    SET(loop->form_rates[form], rate);
    return 0;
  }
  for (uint32_t i = 0; turns == 0 && i < forms; ++i)
    SET(loop->form_rates[i], UINT64_MAX);
  SET(loop->form_rates[form], least(GET(loop->form_rates[form]), rate));
  for (uint32_t i = 1; i < forms; ++i)
    if (GET(loop->form_rates[i]) < GET(loop->form_rates[best]))
      best = i;
  uint64_t bearable = 2 * GET(loop->form_rates[best]), last;
  do {
    if (turns == forms * EACH) {
      SET(loop->form_turns, 0);
      SET(loop->form, (uint16_t)best);
      return 0;
    }
    uint32_t place = turns++ % (2 * forms);
    form = place < forms ? place : 2 * forms - 1 - place;
    last = GET(loop->form_rates[form]);
  } while (last != UINT64_MAX && last > bearable);
  SET(loop->form, (uint16_t)form);
  SET(loop->form_turns, (uint16_t)turns);
  begin_turn(loop, TRY_TASKS,
             turn_iterations(run, GET(loop->form_rates[best])));
  return 1;
}

#endif
