/* SPDX-License-Identifier: GPL-2.0 */
/* What the AMU holds of its owner (amu-ext/docs/ami.md, "Saving and restoring"). */
#ifndef COROAMU_STATE_H
#define COROAMU_STATE_H

#include <linux/types.h>

#include "platform.h"

struct coroamu_state {
  u64 config[NHG_AMU_CONFIG_COUNT];
  u64 ids[NHG_AMU_MAX_ID + 1]; /* amustate of each; 0: free */
  u16 order[NHG_AMU_MAX_ID];   /* of finished groups that were not taken */
  unsigned int finished;
  u64 *spm; /* a copy of NHG_SPM_SIZE bytes */
};

/* Maps the SPM window for the kernel. 0, or -ENODEV where the kernel may not use an AMU of this contract. */
int coroamu_probe(void);
/* For an owner that has not used the AMU yet. 0 or -ENOMEM. */
int coroamu_state_init(struct coroamu_state *state);
void coroamu_state_free(struct coroamu_state *state);
void coroamu_state_reset(struct coroamu_state *state);

/* Nobody else may use the AMU meanwhile: no preemption. After a save or a clear all IDs are free and no request is under way. */
void coroamu_save(struct coroamu_state *state);
void coroamu_restore(const struct coroamu_state *state);
void coroamu_clear(void);

/* Groups that are outstanding now. */
unsigned int coroamu_outstanding(void);

#endif
