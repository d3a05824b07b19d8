// SPDX-License-Identifier: Apache-2.0
//
// Producers and consumers with a short buffer between them; a pair of words is sent under a lock.
#include "pipeline.h"
#include "tasks.h"

typedef struct {
  task task;
  uint64_t next, end, item;
} worker;

static worker producers[Producers], consumers[Consumers];
static task closer;
static uint64_t places[4];
static task_channel items;
static task_lock sends, receives;

static void produce(task_word self);

static void sent(task_word self) {
  worker *works = task_state(self);
  task_unlock(&sends);
  ++works->next;
  TASK_GO(self, produce);
}

static void send_item(task_word self) {
  const worker *works = task_state(self);
  TASK_SEND(self, &items, works->item, sent);
}

static void send_place(task_word self) {
  const worker *works = task_state(self);
  TASK_SEND(self, &items, works->next, send_item);
}

static void got_input(task_word self) {
  worker *works = task_state(self);
  works->item = *(const uint64_t *)task_data(self);
  TASK_LOCK(self, &sends, send_place);
}

static void produce(task_word self) {
  const worker *works = task_state(self);
  if (works->next == works->end)
    TASK_END(self);
  TASK_LOAD(self, &input[works->next], sizeof input[0], got_input);
}

static void consume(task_word self);

static void put_output(task_word self) {
  worker *works = task_state(self);
  task_unlock(&receives);
  works->item = made_from(task_value(self));
  TASK_STORE(self, &output[works->next], &works->item, sizeof output[0], consume);
}

static void got_place(task_word self) {
  worker *works = task_state(self);
  works->next = task_value(self);
  if (works->next == Items) {
    task_unlock(&receives);
    TASK_END(self);
  }
  TASK_RECEIVE(self, &items, put_output);
}

static void receive_place(task_word self) { TASK_RECEIVE(self, &items, got_place); }
static void consume(task_word self) { TASK_LOCK(self, &receives, receive_place); }

static unsigned joined, closed;

static void close_all(task_word self) {
  if (joined < Producers)
    TASK_JOIN(self, &producers[joined++].task, close_all);
  if (closed++ < Consumers)
    TASK_SEND(self, &items, Items, close_all);
  TASK_END(self);
}

int main(void) {
  make_arrays();
  task_channel_init(&items, places, sizeof places / sizeof places[0]);
  for (unsigned k = 0; k < Consumers; ++k)
    task_spawn(&consumers[k].task, consume, 0);
  for (unsigned k = 0; k < Producers; ++k) {
    producers[k].next = (uint64_t)k * ItemsOfProducer;
    producers[k].end = producers[k].next + ItemsOfProducer;
    task_spawn(&producers[k].task, produce, 0);
  }
  task_spawn(&closer, close_all, 0);
  CHECK(tasks_run(WAITING) == 0);
  check_output();
  puts("every item came through once");
}
