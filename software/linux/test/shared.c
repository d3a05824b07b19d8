// SPDX-License-Identifier: Apache-2.0
// Processes, threads, signals and changing mappings around requests under way: nobody sees or touches what belongs to another, and nothing stays behind.
#define _GNU_SOURCE
#include "hostile.h"

#include <errno.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>

enum { Groups = 64, Rounds = 12 };

static volatile uint64_t sink;

// Leaves groups of every kind: finished, open, waiting, with a signal.
static void leave_groups(void) {
  granted_device();
  char *page = new_pages(1, PROT_READ | PROT_WRITE);
  for (unsigned id = 1; id <= Groups; id++)
    aload(page + 8 * id, WordLog2, id);
  aset(100, 5);
  aload(page, WordLog2, 100);
  await(101);
  asignal(102);
}

static int killed(void) {
  leave_groups();
  kill(getpid(), SIGKILL);
  return 1;
}

static int fault_with_groups(void) {
  leave_groups();
  *(volatile int *)8 = 1;
  return 1;
}

static int exit_with_groups(void) {
  leave_groups();
  _exit(0);
}

static int exec_with_groups(void) {
  leave_groups();
  execl("/proc/self/exe", "hostile", "getfin", (char *)0);
  return 1;
}

static int only_getfin(void) { return (int)getfin(); }

static int only_window(void) {
  sink = window[8];
  return 0;
}

// A child has neither the AMU nor the window; its parent goes on.
static int forked_children(void) {
  granted_device();
  uint64_t *page = (uint64_t *)new_pages(1, PROT_READ | PROT_WRITE);
  for (unsigned round = 0; round < 16; round++) {
    page[0] = round + 1;
    aload(page, WordLog2, 5);
    const int status = status_of(round & 1 ? only_getfin : only_window);
    if (!WIFSIGNALED(status) || WTERMSIG(status) != (round & 1 ? SIGILL : SIGSEGV))
      return 1;
    if (take() != 5 || *slot(5) != round + 1)
      return 2;
  }
  return 0;
}

static void *asks_too(void *device) {
  return ioctl(*(int *)device, COROAMU_GRANT) == -1 && errno == EBUSY ? NULL : device;
}

static int second_thread_asks(void) {
  int device = granted_device();
  pthread_t thread;
  void *failed;
  if (pthread_create(&thread, NULL, asks_too, &device) != 0 || pthread_join(thread, &failed) != 0)
    return 1;
  return failed ? 2 : 0;
}

static void *takes(void *unused) {
  getfin();
  return unused;
}

static int second_thread_takes(void) {
  granted_device();
  pthread_t thread;
  pthread_create(&thread, NULL, takes, NULL);
  pthread_join(thread, NULL);
  return 1;
}

static void *ends_with_groups(void *unused) {
  leave_groups();
  return unused;
}

// A thread ends with the grant: the next one gets an AMU without its groups.
static int heir(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, ends_with_groups, NULL);
  pthread_join(thread, NULL);
  const int device = open_device();
  for (int tries = 0; ioctl(device, COROAMU_GRANT) != 0; tries++) { // the thread is still about to end
    if (tries == 1000)
      return 1;
    sched_yield();
  }
  if (outstanding() != 0 || getfin() != 0)
    return 2;
  aload(new_pages(1, PROT_READ), WordLog2, 1);
  return take() == 1 ? 0 : 3;
}

// Fills the window and the memory with what only this process has, over many switches of owners.
static int own_data(uint64_t mark) {
  granted_device();
  uint64_t *page = (uint64_t *)new_pages(1, PROT_READ | PROT_WRITE);
  for (unsigned word = 0; word < NHG_SPM_SIZE / 8; word++)
    if (window[word] != 0)
      return 1;
  aset(200, 2);
  await(201);
  asignal(202);
  for (unsigned round = 0; round < Rounds; round++) {
    for (unsigned id = 1; id <= Groups; id++) {
      page[id] = mark + round + id;
      aload(&page[id], WordLog2, id);
    }
    window[NHG_SPM_SIZE / 8 - 1] = mark + round;
    sched_yield();
    for (unsigned n = 0; n < Groups; n++) {
      const uint64_t id = take();
      if (id > Groups || *slot((unsigned)id) != mark + round + id)
        return 2;
      *slot((unsigned)id) = mark - id;
      page[id] = 0;
      astore(&page[id], WordLog2, id);
      if (n % 16 == 0)
        sched_yield();
    }
    for (unsigned n = 0; n < Groups; n++)
      if (take() > Groups)
        return 3;
    for (unsigned id = 1; id <= Groups; id++)
      if (page[id] != mark - id)
        return 4;
    if (window[NHG_SPM_SIZE / 8 - 1] != mark + round)
      return 5;
  }
  aload(page, WordLog2, 200);
  aload(page, WordLog2, 200);
  asignal(201);
  await(202);
  for (int n = 0; n < 3; n++)
    sink = take();
  return getfin() == 0 ? 0 : 6;
}

static int first_owner(void) { return own_data(UINT64_C(0x1111111100000000)); }
static int second_owner(void) { return own_data(UINT64_C(0x2222222200000000)); }

static int owners_in_turn(void) {
  const pid_t first = fork();
  if (first == 0)
    _exit(first_owner());
  const pid_t second = fork();
  if (second == 0)
    _exit(second_owner());
  int status[2];
  waitpid(first, &status[0], 0);
  waitpid(second, &status[1], 0);
  return status[0] || status[1];
}

// Another process gets the pages that had requests under way.
static int pages_go_away(void) {
  granted_device();
  for (unsigned round = 0; round < 12; round++) {
    char *page = new_pages(2, PROT_READ | PROT_WRITE);
    memset(page, 1, 2 * PageBytes);
    for (unsigned id = 1; id <= Groups; id++)
      (id & 1 ? aload(page + 64 * id, WordLog2, id) : astore(page + 64 * id, WordLog2, id));
    if (round % 3 == 0)
      munmap(page, 2 * PageBytes);
    else if (round % 3 == 1)
      madvise(page, 2 * PageBytes, MADV_DONTNEED);
    else
      mprotect(page, 2 * PageBytes, PROT_NONE);
    char *others = new_pages(8, PROT_READ | PROT_WRITE);
    for (unsigned byte = 0; byte < 8 * PageBytes; byte += 64)
      if (others[byte] != 0)
        return 1;
    for (unsigned n = 0; n < Groups; n++)
      take();
    for (unsigned byte = 0; byte < 8 * PageBytes; byte += 64)
      if (others[byte] != 0)
        return 2;
    munmap(others, 8 * PageBytes);
  }
  return 0;
}

// A page that is shared after a fork is copied for the store of a request.
static int copied_on_write(void) {
  granted_device();
  uint64_t *page = (uint64_t *)new_pages(1, PROT_READ | PROT_WRITE);
  page[0] = 1;
  int ends[2];
  if (pipe(ends) != 0)
    return 1;
  const pid_t child = fork();
  if (child == 0) {
    char go;
    _exit(read(ends[0], &go, 1) == 1 && page[0] == 1 ? 0 : 1);
  }
  *slot(9) = 2;
  astore(page, WordLog2, 9);
  take();
  int status;
  if (write(ends[1], "", 1) != 1 || waitpid(child, &status, 0) != child)
    return 2;
  return page[0] == 2 && status == 0 ? 0 : 3;
}

static volatile int ticks;
static void tick(int number) {
  (void)number;
  ticks++;
  sink = window[0]; // a handler may look
}

static int signals_between_requests(void) {
  granted_device();
  signal(SIGALRM, tick);
  const struct itimerval often = {{0, 1000}, {0, 1000}};
  setitimer(ITIMER_REAL, &often, NULL);
  uint64_t *page = (uint64_t *)new_pages(1, PROT_READ | PROT_WRITE);
  for (uint64_t round = 1; ticks < 5; round++)
    for (unsigned id = 1; id <= 8; id++) {
      page[id] = round;
      aload(&page[id], WordLog2, id);
      if (take() != id || *slot(id) != round)
        return 1;
    }
  return 0;
}

struct missing {
  int descriptor;
  char *page;
};

static void *fills_page(void *argument) {
  const struct missing *missing = argument;
  struct uffd_msg message;
  if (read(missing->descriptor, &message, sizeof message) != sizeof message)
    return argument;
  char content[PageBytes];
  memset(content, 0x5a, sizeof content);
  struct uffdio_copy copy = {.dst = (uintptr_t)missing->page, .src = (uintptr_t)content, .len = PageBytes};
  return ioctl(missing->descriptor, UFFDIO_COPY, &copy) == 0 ? NULL : argument;
}

static int page_from_userfaultfd(void) {
  granted_device();
  struct missing missing = {(int)syscall(SYS_userfaultfd, O_CLOEXEC), new_pages(1, PROT_READ | PROT_WRITE)};
  struct uffdio_api api = {.api = UFFD_API};
  struct uffdio_register range = {{(uintptr_t)missing.page, PageBytes}, UFFDIO_REGISTER_MODE_MISSING, 0};
  if (missing.descriptor < 0 || ioctl(missing.descriptor, UFFDIO_API, &api) != 0 ||
      ioctl(missing.descriptor, UFFDIO_REGISTER, &range) != 0)
    return 1;
  pthread_t thread;
  void *failed;
  pthread_create(&thread, NULL, fills_page, &missing);
  aload(missing.page + 64, WordLog2, 11);
  if (take() != 11 || *slot(11) != UINT64_C(0x5a5a5a5a5a5a5a5a))
    return 2;
  return pthread_join(thread, &failed) == 0 && !failed ? 0 : 3;
}

// The kernel reads and writes the window for a system call.
static int window_in_system_calls(void) {
  granted_device();
  int ends[2];
  if (pipe(ends) != 0)
    return 1;
  window[3] = 0x1234;
  if (write(ends[1], (void *)&window[3], 8) != 8 || read(ends[0], (void *)&window[4], 8) != 8)
    return 2;
  return window[4] == 0x1234 ? 0 : 3;
}

const struct program shared_programs[] = {
    {"killed with groups outstanding", killed, SIGKILL},
    {"a fault with groups outstanding", fault_with_groups, SIGSEGV},
    {"exit with groups outstanding", exit_with_groups, 0},
    {"exec with groups outstanding", exec_with_groups, SIGILL},
    {"children with neither AMU nor window", forked_children, 0},
    {"a second thread asks", second_thread_asks, 0},
    {"a second thread takes a group", second_thread_takes, SIGILL},
    {"the heir of a thread that has ended", heir, 0},
    {"two owners in turn", owners_in_turn, 0},
    {"pages that go away under requests", pages_go_away, 0},
    {"a page that is copied for a request", copied_on_write, 0},
    {"signals between requests", signals_between_requests, 0},
    {"a missing page of userfaultfd", page_from_userfaultfd, 0},
    {"the window in system calls", window_in_system_calls, 0},
};
const unsigned shared_count = sizeof shared_programs / sizeof *shared_programs;
