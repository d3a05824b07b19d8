// SPDX-License-Identifier: Apache-2.0
//
// What the JVM paper measures of coroutines, natively: ns a switch with 1 to a million tasks alive; a message through a chain of 5 and 5,000 tasks, ns a hop;
// a parser that calls back, used as an iterator, ns a token.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <vector>

#include "adders.h"
#include "clocks.h"
#ifdef WITH_RUST
#include "fcontext.h"
#endif
#include "in_turn.hpp"

namespace {

char *zeroed(size_t bytes) {
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    perror("alive: mmap");
    exit(1);
  }
  return static_cast<char *>(memory);
}

struct Machine {
  uint32_t turn, turns;
  uint64_t sum;
};

[[gnu::noinline]] bool step(Machine &machine) {
  if (machine.turn == machine.turns)
    return false;
  machine.sum += machine.turn++;
  return true;
}

void by_machine(size_t tasks, uint32_t turns) {
  std::vector<Machine> machines(tasks, Machine{0, turns, 0});
  for (bool any = true; any;) {
    any = false;
    for (Machine &machine : machines)
      any |= step(machine);
  }
  for (const Machine &machine : machines)
    total += machine.sum;
}

struct Coroutine {
  struct promise_type {
    Coroutine get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { abort(); }
  };
  std::coroutine_handle<promise_type> handle;
};

[[gnu::noinline]] Coroutine add_up(uint32_t turns) {
  uint64_t sum = 0;
  for (uint32_t turn = 0; turn < turns; ++turn) {
    sum += turn;
    co_await std::suspend_always{};
  }
  total += sum;
}

void by_coroutine(size_t tasks, uint32_t turns) {
  std::vector<std::coroutine_handle<>> handles(tasks);
  for (auto &handle : handles)
    handle = add_up(turns).handle;
  resume_in_turn(handles);
}

void by_steps(size_t tasks, uint32_t turns) {
  std::vector<adder> adders(tasks);
  for (adder &one : adders) {
    one.turns = turns;
    task_spawn(&one.header, add, 0);
  }
  tasks_run(0);
}

void by_awaitables(size_t tasks, uint32_t turns) {
  std::vector<tasks::Task> made(tasks);
  for (tasks::Task &one : made)
    (one = add_as_task(turns)).spawn();
  tasks_run(0);
}

enum { StackBytes = 1024, StoreBytes = 512, BoostStackBytes = 4096 };

void by_stacks(size_t tasks, uint32_t turns) {
  std::vector<stack_task> made(tasks);
  char *stacks = zeroed(tasks * StackBytes);
  for (size_t k = 0; k < tasks; ++k) {
    stack_task_make(&made[k], add_on_stack, turns, stacks + k * StackBytes, StackBytes);
    stack_task_spawn(&made[k], 0);
  }
  tasks_run(0);
  munmap(stacks, tasks * StackBytes);
}

void by_copied_stacks(size_t tasks, uint32_t turns) {
  std::vector<stack_task> made(tasks);
  char *stores = zeroed(tasks * StoreBytes);
  for (size_t k = 0; k < tasks; ++k) {
    stack_task_make_copied(&made[k], add_on_stack, turns, stores + k * StoreBytes, StoreBytes);
    stack_task_spawn(&made[k], 0);
  }
  tasks_run(0);
  munmap(stores, tasks * StoreBytes);
}

#ifdef WITH_RUST
extern "C" void rust_boxed_alive(size_t tasks, uint32_t turns, uint64_t *sum);

void by_rust(size_t tasks, uint32_t turns) { rust_boxed_alive(tasks, turns, &total); }

void add_in_context(transfer_t caller) {
  const uint32_t turns = *static_cast<uint32_t *>(caller.data);
  uint64_t sum = 0;
  for (uint32_t turn = 0; turn < turns; ++turn) {
    sum += turn;
    caller = jump_fcontext(caller.from, nullptr);
  }
  total += sum;
  jump_fcontext(caller.from, &total); // something: at its end
}

void by_boost(size_t tasks, uint32_t turns) {
  std::vector<fcontext_t> contexts(tasks);
  char *stacks = zeroed(tasks * BoostStackBytes);
  for (size_t k = 0; k < tasks; ++k)
    contexts[k] = make_fcontext(stacks + (k + 1) * BoostStackBytes, BoostStackBytes, add_in_context);
  for (size_t alive = tasks; alive > 0;)
    for (fcontext_t &context : contexts)
      if (context != nullptr) {
        const transfer_t back = jump_fcontext(context, &turns);
        context = back.data == nullptr ? back.from : nullptr;
        alive -= back.data != nullptr;
      }
  munmap(stacks, tasks * BoostStackBytes);
}
#endif

int64_t time_of(void (*run)(size_t, uint32_t), size_t tasks, uint32_t turns) {
  total = 0;
  const clocks began = clocks_now();
  run(tasks, turns);
  const clocks ended = clocks_now();
  if (total != tasks * (static_cast<uint64_t>(turns) * (turns - 1) / 2)) {
    printf("a sum is wrong\n");
    exit(1);
  }
  return ended.time - began.time;
}

void print_row(const char *name, void (*run)(size_t, uint32_t)) {
  printf("%-26s", name);
  for (size_t tasks = 1; tasks <= 1000000; tasks *= 10) {
    const uint32_t turns = static_cast<uint32_t>(tasks > 500000 ? 16 : 2000000 / tasks);
    const int64_t few = time_of(run, tasks, 1), many = time_of(run, tasks, 1 + turns);
    printf(" %6.1f", static_cast<double>(many - few) / static_cast<double>(tasks * turns));
  }
  printf("\n");
}

// Links of a chain hand on what they get.
using Channel = tasks::Channel<uint64_t, 1>;

tasks::Task send_and_take(Channel &first, Channel &last, uint64_t messages) {
  for (uint64_t k = 1; k <= messages; ++k) {
    co_await first.send(k);
    total += co_await last.receive();
  }
}

tasks::Task hand_on_as_task(Channel &from, Channel &to, uint64_t messages) {
  for (uint64_t k = 0; k < messages; ++k)
    co_await to.send(co_await from.receive());
}

void chain_of_awaitables(size_t links, uint32_t messages) {
  std::vector<Channel> channels(links + 1);
  std::vector<tasks::Task> made(links);
  for (size_t k = 0; k < links; ++k)
    (made[k] = hand_on_as_task(channels[k], channels[k + 1], messages)).spawn();
  tasks::Task ends = send_and_take(channels[0], channels[links], messages);
  ends.spawn();
  tasks_run(0);
}

struct StackLink {
  stack_task task;
  task_channel *from, *to;
  uint64_t messages;
};

uint64_t hand_on_with_stack(uint64_t where) {
  const StackLink *link = reinterpret_cast<const StackLink *>(where);
  for (uint64_t k = 0; k < link->messages; ++k)
    stack_send(link->to, stack_receive(link->from));
  return 0;
}

uint64_t ends_with_stack(uint64_t where) {
  const StackLink *link = reinterpret_cast<const StackLink *>(where);
  for (uint64_t k = 1; k <= link->messages; ++k) {
    stack_send(link->to, k);
    total += stack_receive(link->from);
  }
  return 0;
}

void chain_of_stacks(size_t links, uint32_t messages) {
  std::vector<task_channel> channels(links + 1);
  std::vector<uint64_t> words(links + 1);
  for (size_t k = 0; k <= links; ++k)
    task_channel_init(&channels[k], &words[k], 1);
  std::vector<StackLink> made(links + 1);
  char *stacks = zeroed((links + 1) * StackBytes);
  for (size_t k = 0; k <= links; ++k) {
    const bool is_link = k < links;
    made[k].from = &channels[is_link ? k : links];
    made[k].to = &channels[is_link ? k + 1 : 0];
    made[k].messages = messages;
    stack_task_make(&made[k].task, is_link ? hand_on_with_stack : ends_with_stack, reinterpret_cast<uint64_t>(&made[k]),
                    stacks + k * StackBytes, StackBytes);
    stack_task_spawn(&made[k].task, 0);
  }
  tasks_run(0);
  munmap(stacks, (links + 1) * StackBytes);
}

void print_chain(const char *name, void (*run)(size_t, uint32_t)) {
  printf("%-26s", name);
  for (size_t links : {5, 5000}) {
    const uint32_t messages = static_cast<uint32_t>(1000000 / links);
    total = 0;
    const int64_t began = clocks_now().time;
    run(links, messages);
    const int64_t ended = clocks_now().time;
    if (total != static_cast<uint64_t>(messages) * (messages + 1) / 2) {
      printf("a sum is wrong\n");
      exit(1);
    }
    printf(" %6.1f", static_cast<double>(ended - began) / static_cast<double>(messages * (links + 1)));
  }
  printf("\n");
}

// Calls back at each token of nested lists, "(a(bc)d)", from any depth of its recursion.
using Callback = void (*)(char token);

[[gnu::noinline]] const char *parse(const char *text, Callback found) {
  while (*text != '\0' && *text != ')') {
    if (*text == '(')
      text = parse(text + 1, found);
    else
      found(*text);
    ++text;
  }
  return text;
}

char *text;
stack_task parser;
uint64_t tokens;

void use(char token) {
  total += static_cast<uint64_t>(token);
  ++tokens;
}
void hand_over(char token) { stack_return(static_cast<uint64_t>(token)); }

uint64_t parse_as_task(uint64_t) {
  Callback volatile found = hand_over;
  parse(text, found);
  return 0;
}

uint64_t iterate(uint64_t) {
  while (const uint64_t token = stack_call(&parser, 0))
    use(static_cast<char>(token));
  return 0;
}

void print_iterator() {
  enum { Bytes = 1 << 20, Depth = 16 };
  text = zeroed(Bytes + 1);
  for (size_t k = 0; k < Bytes; ++k) {
    const size_t at = k % (4 * Depth);
    text[k] = at < Depth ? '(' : at < 3 * Depth ? static_cast<char>('a' + k % 26) : ')';
  }
  Callback volatile found = use;
  total = tokens = 0;
  int64_t began = clocks_now().time;
  parse(text, found);
  const double called = static_cast<double>(clocks_now().time - began) / static_cast<double>(tokens);
  const uint64_t expected = total;
  total = tokens = 0;
  alignas(16) static char stacks[2][16384];
  static stack_task user;
  stack_task_make(&parser, parse_as_task, 0, stacks[0], sizeof stacks[0]);
  stack_task_make(&user, iterate, 0, stacks[1], sizeof stacks[1]);
  stack_task_spawn(&user, 0);
  began = clocks_now().time;
  tasks_run(0);
  printf("a token: called back %.1f ns, from the iterator %.1f ns\n", called,
         static_cast<double>(clocks_now().time - began) / static_cast<double>(tokens));
  if (total != expected) {
    printf("a sum is wrong\n");
    exit(1);
  }
}

} // namespace

int main() {
  printf("ns a switch, alive:              1     10    100     1K    10K   100K     1M\n");
  print_row("state machine (AMAC)", by_machine);
  print_row("C++20 coroutine", by_coroutine);
#ifdef WITH_RUST
  print_row("Rust future, boxed", by_rust);
  print_row("Boost.Context, both jumps", by_boost);
#endif
  print_row("library: steps", by_steps);
  print_row("library: C++20", by_awaitables);
  print_row("library: stacks, yield", by_stacks);
  print_row("library: copied stacks", by_copied_stacks);
  printf("ns a hop, links:                 5  5,000\n");
  print_chain("library: C++20", chain_of_awaitables);
  print_chain("library: stacks", chain_of_stacks);
  print_iterator();
}
