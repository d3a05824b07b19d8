// SPDX-License-Identifier: GPL-2.0
/* Reads out, clears and restores the AMU. */
#include <linux/errno.h>
#include <linux/io.h>
#include <linux/string.h>
#include <linux/stringify.h>
#include <linux/vmalloc.h>
#include <asm/asm-extable.h>
#include <asm/csr.h>

#include "state.h"

#define SPM_WORDS (NHG_SPM_SIZE / sizeof(u64))
#define FIELD(value, name) (((value) >> NHG_AMI_AMUSTATE_##name##_LSB) & ((1ULL << NHG_AMI_AMUSTATE_##name##_BITS) - 1))

#define AMI(funct3, operands, ...)                                                                                     \
  __asm__ __volatile__(".insn r " __stringify(NHG_AMI_OPCODE) ", " __stringify(funct3) ", 0, " operands __VA_ARGS__)

static u64 __iomem *spm;

static u64 getfin(void) {
  u64 id;

  AMI(NHG_AMI_GETFIN_FUNCT3, "%0, x0, x0", : "=r"(id) : : "memory");
  return id;
}

static void aset(u64 id, u64 requests) {
  AMI(NHG_AMI_ASET_FUNCT3, "x0, %0, %1", : : "r"(id), "r"(requests) : "memory");
}

static void aconfig(u64 value, u64 number) {
  AMI(NHG_AMI_ACONFIG_FUNCT3, "x0, %0, %1", : : "r"(value), "r"(number) : "memory");
}

static void await(u64 id, u64 target) {
  AMI(NHG_AMI_AWAIT_FUNCT3, "x0, %0, %1", : : "r"(target << NHG_AMI_ADDRESS_WORD_TARGET_LSB), "r"(id) : "memory");
}

static void asignal(u64 id) { AMI(NHG_AMI_ASIGNAL_FUNCT3, "x0, %0, x0", : : "r"(id) : "memory"); }

/* amucap, or 0 where it is illegal. */
static u64 capabilities(void) {
  u64 value = 0;

  __asm__ __volatile__("1: csrr %0, " __stringify(NHG_CSR_AMUCAP) "\n2:\n" _ASM_EXTABLE(1b, 2b) : "+r"(value));
  return value;
}

int coroamu_probe(void) {
  u64 version = capabilities() >> NHG_AMI_AMUCAP_VERSION_LSB;

  if ((version & ((1ULL << NHG_AMI_AMUCAP_VERSION_BITS) - 1)) != NHG_AMU_CONTRACT_VERSION)
    return -ENODEV;
  spm = ioremap(NHG_SPM_BASE, NHG_SPM_SIZE);
  return spm ? 0 : -ENODEV;
}

void coroamu_state_reset(struct coroamu_state *state) {
  memset(state->config, 0, sizeof(state->config));
  state->config[NHG_AMU_CONFIG_SPM_SLOT] = NHG_AMU_SLOT_BYTES_RESET;
  state->config[NHG_AMU_CONFIG_POLL_WAIT] = NHG_AMU_POLL_WAIT_RESET;
  memset(state->ids, 0, sizeof(state->ids));
  memset(state->spm, 0, NHG_SPM_SIZE);
  state->finished = 0;
}

int coroamu_state_init(struct coroamu_state *state) {
  state->spm = vmalloc(NHG_SPM_SIZE);
  if (!state->spm)
    return -ENOMEM;
  coroamu_state_reset(state);
  return 0;
}

void coroamu_state_free(struct coroamu_state *state) { vfree(state->spm); }

static u64 next_id(u64 from) {
  csr_write(NHG_CSR_AMUID, from);
  return csr_read(NHG_CSR_AMUID);
}

static bool has_finished(u64 state) {
  return FIELD(state, OUTSTANDING) && !FIELD(state, WAITING) && !FIELD(state, REQUESTS);
}

/* Forgets all IDs and takes what has finished; without state nothing is kept. */
static void read_out(struct coroamu_state *state) {
  unsigned int finished = 0, i;
  u64 id;

  __asm__ __volatile__("sfence.vma" : : : "memory");
  for (id = next_id(1); id; id = next_id(id + 1)) {
    u64 found = csr_read(NHG_CSR_AMUSTATE);

    csr_write(NHG_CSR_AMUSTATE, 0);
    finished += has_finished(found);
    if (state)
      state->ids[id] = found;
  }
  for (i = 0; i < finished; i++) {
    do {
      id = getfin();
    } while (!id);
    if (state)
      state->order[i] = id;
  }
  if (state)
    state->finished = finished;
}

/* The window takes accesses of at most a word; most of a change of owners is spent here. */
static void read_window(u64 *to, const u64 __iomem *from) {
  unsigned int i;

#pragma unroll 8
  for (i = 0; i < SPM_WORDS; i++)
    to[i] = __raw_readq(&from[i]);
}

static void write_window(u64 __iomem *to, const u64 *from) {
  unsigned int i;

#pragma unroll 8
  for (i = 0; i < SPM_WORDS; i++)
    __raw_writeq(from[i], &to[i]);
}

void coroamu_clear(void) { read_out(NULL); }

void coroamu_save(struct coroamu_state *state) {
  memset(state->ids, 0, sizeof(state->ids));
  read_out(state);
  state->config[NHG_AMU_CONFIG_HANDLER_BASE] = csr_read(NHG_CSR_AMUCFG0 + NHG_AMU_CONFIG_HANDLER_BASE);
  state->config[NHG_AMU_CONFIG_HANDLER_SIZE] = csr_read(NHG_CSR_AMUCFG0 + NHG_AMU_CONFIG_HANDLER_SIZE);
  state->config[NHG_AMU_CONFIG_SPM_BASE] = csr_read(NHG_CSR_AMUCFG0 + NHG_AMU_CONFIG_SPM_BASE);
  state->config[NHG_AMU_CONFIG_SPM_SLOT] = csr_read(NHG_CSR_AMUCFG0 + NHG_AMU_CONFIG_SPM_SLOT);
  state->config[NHG_AMU_CONFIG_TARGET_BASE] = csr_read(NHG_CSR_AMUCFG0 + NHG_AMU_CONFIG_TARGET_BASE);
  state->config[NHG_AMU_CONFIG_POLL_WAIT] = csr_read(NHG_CSR_AMUCFG0 + NHG_AMU_CONFIG_POLL_WAIT);
  read_window(state->spm, spm);
}

void coroamu_restore(const struct coroamu_state *state) {
  unsigned int i;

  for (i = 0; i < NHG_AMU_CONFIG_COUNT; i++)
    aconfig(state->config[i], i);
  write_window(spm, state->spm);
  for (i = 1; i <= NHG_AMU_MAX_ID; i++) {
    if (FIELD(state->ids[i], REQUESTS))
      aset(i, FIELD(state->ids[i], REQUESTS));
    if (FIELD(state->ids[i], WAITING))
      await(i, FIELD(state->ids[i], TARGET));
  }
  for (i = 0; i < state->finished; i++) {
    await(state->order[i], FIELD(state->ids[state->order[i]], TARGET));
    asignal(state->order[i]);
  }
  for (i = 1; i <= NHG_AMU_MAX_ID; i++)
    if (FIELD(state->ids[i], SIGNALLED))
      asignal(i);
}

unsigned int coroamu_outstanding(void) {
  return csr_read(NHG_CSR_AMUSTAT) & ((1U << NHG_AMI_AMUSTAT_OUTSTANDING_BITS) - 1);
}
