// SPDX-License-Identifier: Apache-2.0
//
// Lock-step comparison of an RTL core with the golden model (Spike + AMI).
//
// The harness creates one golden_t from the same image the RTL starts from (see image.h) and calls
// golden_step() once per retired or trapping instruction, in program order. Each call executes one
// instruction in the golden model and compares it with the RTL's record.
//
// Results the architecture leaves open are taken from the RTL and, where a rule exists, checked:
//   - loads from device registers: taken, but for msip and mtimecmp of the CLINT;
//   - time, which says what timer interrupts are pending: taken;
//   - of mip and sip, whether a timer interrupt was pending already, if it became pending since the instruction before;
//   - when an interrupt is taken: one must be pending and let in by the golden model's own mip, mie, mideleg, mstatus and mode, the one that is taken must
//     be the first by priority, and one that is let in must be taken at once after xRET and writes of CSRs, else within 256 instructions;
//   - when a wfi ends: one must be pending and enabled;
//   - cycle, time, instret, mcycle, minstret, amustat, amuhits: taken;
//   - sc: a failure (rd = 1) is taken, a success must be of the reserved line; without rd the bytes are open;
//   - getfin, bafin: the ID must have a group that is complete and not yet taken, the task word and
//     the resume target must be right; 0 (nothing finished) is always accepted;
//   - translations: the golden model walks its own memory. Another outcome, address or fault, is right if a walk has it whose PTEs were in memory at some
//     time since the last sfence.vma that covers them (address, ASID, global pages);
//   - loads from bytes that a request owns, or that were raced: any value rule 6 of the contract allows, and never the old one behind the new one.
// Nothing else is open: trap CSRs, mstatus, delegation and the privilege mode are compared where the caller gives them.
// When the program has ended, the caller compares memory: every line of what either side has touched, once what was on its way has arrived.
// The model prints nothing: the console is the RTL's.
//
// Plain C interface: libgolden.so is built with Spike's C++ ABI, the caller may use another one.
#ifndef NHG_GOLDEN_H
#define NHG_GOLDEN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct golden golden_t;

// Register classes.
enum { GOLDEN_INTEGER = 0, GOLDEN_FLOAT = 1 };

// One retired or trapping instruction, as the RTL reports it.
typedef struct golden_commit {
  uint64_t pc;
  uint32_t insn; // raw bits as fetched; a 16-bit encoding is zero-extended (ignored on a fetch fault)
  uint8_t
      trap; // 1: the instruction raised an exception instead of retiring, or an interrupt is taken in its place; rd_* are ignored
  uint8_t rd_valid;    // 1: writes register rd of class rd_class (x0 counts as no write, except getfin/bafin,
                       //    which report rd_valid = 1 and the value even for rd = x0)
  uint8_t rd_class;    // GOLDEN_INTEGER or GOLDEN_FLOAT
  uint8_t rd;          // 0..31
  uint8_t mem_valid;   // 1: mem_addr is given (load, store, AMO, LR, SC, and requests of the AMU)
  uint8_t mem_is_mmio; // 1: the access went to a device, not to memory or the SPM window
  uint64_t rd_value;
  uint64_t mem_addr;                // physical byte address of the access, or of a request's bytes in memory
  uint64_t fetch_first, fetch_last; // physical addresses of its first and last halfword; ignored on a fetch fault
  uint64_t cause;                   // with trap, as in mcause
  uint64_t tval;                    // with trap
  uint64_t time;                    // as the pending timer interrupts follow it
  uint64_t uart_received;           // bytes, as the pending external interrupts follow them
  uint64_t uart_received_at_access; // of a load or store of the UART: before it
  uint64_t privilege;               // with csrs: the mode that executed it, 0 user, 1 supervisor, 3 machine
  const uint64_t *
      csrs; // NHG_PRIVILEGED_CSRS of platform.h in their order, before the instruction; after it, if a CSR instruction, a store to the
            // CLINT or an access of PLIC or UART retires; NULL: not known here
} golden_commit_t;

enum {
  GOLDEN_OK = 0,       // the instruction matches
  GOLDEN_MISMATCH = 1, // it does not; err holds one line that says what and where
  GOLDEN_EXITED = 2,   // matches, and it was the store to EXIT: no further step is allowed
  GOLDEN_CHECKPOINT_LATER = 3
};

// Creates a golden model from an ELF file or a checkpoint (told apart by the file's first bytes).
// Returns NULL and one line in err when the file cannot be used.
golden_t *golden_create(const char *image_path, char *err, size_t errlen);
void golden_destroy(golden_t *g);
// The bytes that the UART receives in this run, before the first step. Which of them have come is said at each step.
void golden_uart_input(golden_t *g, const uint8_t *bytes, size_t count);

// Executes one instruction and compares it with *rtl. After a mismatch the model must not be stepped again.
int golden_step(golden_t *g, const golden_commit_t *rtl, char *err, size_t errlen);

// State of the golden model, for messages and final checks.
uint64_t golden_pc(const golden_t *g);
uint64_t golden_reg(const golden_t *g, unsigned index);
uint64_t golden_instret(const golden_t *g);         // instructions stepped without a trap
uint64_t golden_by_earlier_ptes(const golden_t *g); // instructions that used translations which memory no longer has
uint64_t golden_exit_code(const golden_t *g);       // valid after GOLDEN_EXITED
uint64_t golden_metric(const golden_t *g, unsigned index);

// Calls visit(context, address, bytes) for each run of pages that the image or the program may have touched: local and far memory, and the SPM while
// its way is taken.
void golden_visit_memory(const golden_t *g, void (*visit)(void *context, uint64_t addr, uint64_t bytes), void *context);
// Compares the 64 bytes of a line with the RTL's; GOLDEN_OK or GOLDEN_MISMATCH with one line in err. Of the SPM only what was written counts.
int golden_compare_line(golden_t *g, uint64_t addr, const void *line, char *err, size_t errlen);

// Copies memory (local, far, SPM window, boot ROM) to buf; returns 0, or 1 when the range is outside.
int golden_read_memory(const golden_t *g, uint64_t addr, void *buf, size_t bytes);

// Writes the machine as it is, between two instructions, as a checkpoint (checkpoint.md), from which another run goes on. Returns GOLDEN_CHECKPOINT_LATER
// while it holds what a checkpoint loses; GOLDEN_MISMATCH when the file cannot be written. err has the reason in one line.
int golden_checkpoint(golden_t *g, const char *path, char *err, size_t errlen);

// One line that names an instruction and its operands, ended by a zero byte; needs no golden model.
void golden_disassemble(uint32_t insn, char *text, size_t length);

#ifdef __cplusplus
}
#endif
#endif
