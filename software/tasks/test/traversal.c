// SPDX-License-Identifier: Apache-2.0
//
// A graph traversal with a work list: walkers take vertices from a channel, mark neighbours under locks, and put the new ones into it.
#include "tasks.h"
#include "traversal.h"

typedef struct {
  task task;
  uint32_t at, edge;
  vertex copy;
  uint64_t mark;
} walker;

static walker walkers[Walkers];
static uint64_t places[Vertices + Walkers], open_vertices, walked;
static task_channel work;
static task_lock locks[Locks];

static void take_vertex(task_word self);
static void walk_edges(task_word self);

static void push(uint32_t v) {
  ++open_vertices;
  CHECK(task_sends(NULL, &work, v + 1, NULL)); // there is room for all
}

static uint32_t neighbour(const walker *walks) { return walks->copy.edges[walks->edge]; }

static void next_edge(task_word self) {
  walker *walks = task_state(self);
  task_unlock(&locks[neighbour(walks) % Locks]);
  ++walks->edge;
  TASK_GO(self, walk_edges);
}

static void marked(task_word self) {
  push(neighbour(task_state(self)));
  TASK_GO(self, next_edge);
}

static void got_mark(task_word self) {
  walker *walks = task_state(self);
  if (*(const uint64_t *)task_data(self) != 0)
    TASK_GO(self, next_edge);
  walks->mark = walks->at + 1;
  TASK_STORE(self, &marks[neighbour(walks)], &walks->mark, sizeof walks->mark, marked);
}

static void locked(task_word self) {
  const walker *walks = task_state(self);
  TASK_LOAD(self, &marks[neighbour(walks)], sizeof walks->mark, got_mark);
}

static void walk_edges(task_word self) {
  walker *walks = task_state(self);
  while (walks->edge < walks->copy.degree && neighbour(walks) == 0)
    ++walks->edge;
  if (walks->edge < walks->copy.degree)
    TASK_LOCK(self, &locks[neighbour(walks) % Locks], locked);
  ++walked;
  if (--open_vertices == 0)
    for (unsigned k = 0; k < Walkers; ++k)
      CHECK(task_sends(NULL, &work, 0, NULL));
  TASK_GO(self, take_vertex);
}

static void got_vertex(task_word self) {
  walker *walks = task_state(self);
  walks->copy = *(const vertex *)task_data(self);
  walks->edge = 0;
  TASK_GO(self, walk_edges);
}

static void walk(task_word self) {
  walker *walks = task_state(self);
  if (task_value(self) == 0)
    TASK_END(self);
  walks->at = (uint32_t)task_value(self) - 1;
  TASK_LOAD(self, &graph[walks->at], sizeof(vertex), got_vertex);
}

static void take_vertex(task_word self) { TASK_RECEIVE(self, &work, walk); }

int main(void) {
  make_graph();
  task_channel_init(&work, places, sizeof places / sizeof places[0]);
  push(0);
  for (unsigned k = 0; k < Walkers; ++k)
    task_spawn(&walkers[k].task, take_vertex, 0);
  CHECK(tasks_run(WAITING) == 0);
  check_marks(walked);
  puts("every vertex was walked once");
}
