// SPDX-License-Identifier: Apache-2.0
//
// The graph traversal with a work list in C++20.
#include "tasks.hpp"
#include "traversal.h"

namespace {

constexpr uint32_t Home = ~0u; // in the work list: nothing is left

tasks::Channel<uint32_t, Vertices + Walkers> work;
tasks::Lock locks[Locks];
uint64_t open_vertices = 1, walked;

// True for the first that comes to a vertex.
tasks::Call<bool> mark(uint32_t vertex_to_mark, uint32_t from) {
  auto held = co_await locks[vertex_to_mark % Locks].hold();
  if (co_await tasks::load(&marks[vertex_to_mark]) != 0)
    co_return false;
  co_await tasks::store(&marks[vertex_to_mark], from + 1);
  co_return true;
}

tasks::Task walk() {
  for (uint32_t at = co_await work.receive(); at != Home; at = co_await work.receive()) {
    const vertex here = co_await tasks::load(&graph[at]);
    for (uint32_t e = 0; e < here.degree; ++e)
      if (here.edges[e] != 0 && co_await mark(here.edges[e], at)) {
        ++open_vertices;
        co_await work.send(here.edges[e]);
      }
    ++walked;
    if (--open_vertices == 0)
      for (unsigned k = 0; k < Walkers; ++k)
        co_await work.send(Home);
    co_await tasks::yield();
  }
}

tasks::Task begin() { co_await work.send(0); }

} // namespace

int main() {
  make_graph();
  tasks::Task walkers[Walkers], first = begin();
  for (tasks::Task &walker : walkers)
    (walker = walk()).spawn();
  first.spawn();
  CHECK(tasks_run(WAITING) == 0);
  check_marks(walked);
  puts("every vertex was walked once");
}
