// SPDX-License-Identifier: Apache-2.0
//
// The AMU under Linux is lent to threads by /dev/coroamu (software/linux/driver). Marked loops of getfin and bafin ask here before they choose between
// tasks and the plain loop (software/compiler/lib/choice/AdaptPolicy.c); a thread that has not got the AMU runs the plain one, and reads no counter.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../linux/driver/coroamu.h"
#include "platform.h"

uint64_t __asyncmem_adapt_may_use(void);
void __asyncmem_adapt_use(uint64_t tasks);

enum { MostSkipped = 1 << 16 };

static __thread struct {
  int granted;
  int used;             // by tasks of a loop, around a signal handler that now runs one
  unsigned skips, left; // runs that do not ask again after a refusal
} lent;

static int has_window; // of the process: only a thread with the grant asks for it

// A child has neither.
static void forget(void) {
  has_window = 0;
  lent.granted = lent.used = 0;
  lent.skips = lent.left = 0;
}

static void forget_in_children(void) { pthread_atfork(NULL, NULL, forget); }

static int map_window(int device) {
  void *wanted = (void *)NHG_SPM_BASE;
  if (!has_window)
    has_window = mmap(wanted, NHG_SPM_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE, device,
                      NHG_SPM_BASE) == wanted;
  return has_window;
}

static int ask(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, forget_in_children);
  const int device = open("/dev/coroamu", O_RDWR | O_CLOEXEC);
  if (device < 0)
    return 0;
  int granted = ioctl(device, COROAMU_GRANT) == 0;
  if (granted && !map_window(device)) {
    ioctl(device, COROAMU_RELEASE);
    granted = 0;
  }
  close(device);
  return granted;
}

uint64_t __asyncmem_adapt_may_use(void) {
  if (lent.granted)
    return !lent.used;
  if (lent.left != 0) {
    lent.left--;
    return 0;
  }
  lent.granted = ask();
  if (!lent.granted && lent.skips < MostSkipped)
    lent.skips = 2 * lent.skips + 1;
  lent.left = lent.skips;
  return lent.granted;
}

void __asyncmem_adapt_use(uint64_t tasks) { lent.used = tasks != 0; }
