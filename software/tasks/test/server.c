// SPDX-License-Identifier: Apache-2.0
//
// A key-value server: clients send requests through a channel and wait for a signal; workers change the table under the lock of a bucket.
#include "server.h"
#include "tasks.h"

typedef struct {
  task task;
  uint64_t number, request;
  uint32_t sum, answers;
} client;

typedef struct {
  task task;
  client *serves;
  bucket copy __attribute__((aligned(64)));
} worker;

static client clients[Clients];
static worker workers[Workers];
static uint64_t places[3];
static task_channel requests;
static task_lock locks[Buckets];
static unsigned clients_left = Clients;

static void ask(task_word self) {
  client *asks = task_state(self);
  if (asks->request < RequestsOfClient) {
    void answered(task_word self);
    TASK_SEND(self, &requests, (uint64_t)(uintptr_t)asks, answered);
  }
  TASK_END(self);
}

static void take_answer(task_word self) {
  client *asks = task_state(self);
  CHECK(asks->answers == ++asks->request && asks->sum >= amount_of(asks->number, asks->request - 1));
  TASK_GO(self, ask);
}

void answered(task_word self) { TASK_WAIT(self, take_answer); }

static uint32_t key_served(const worker *works) { return key_of(works->serves->number, works->serves->request); }

static void take_request(task_word self);

static void written(task_word self) {
  worker *works = task_state(self);
  task_unlock(&locks[key_served(works) % Buckets]);
  ++works->serves->answers;
  task_wake_up(&works->serves->task);
  TASK_GO(self, take_request);
}

static void change(task_word self) {
  worker *works = task_state(self);
  client *serves = works->serves;
  works->copy = *(const bucket *)task_data(self);
  serves->sum = add_to(&works->copy, key_served(works), amount_of(serves->number, serves->request));
  TASK_STORE(self, &table[key_served(works) % Buckets], &works->copy, sizeof(bucket), written);
}

static void locked(task_word self) {
  worker *works = task_state(self);
  TASK_LOAD(self, &table[key_served(works) % Buckets], sizeof(bucket), change);
}

static void serve(task_word self) {
  worker *works = task_state(self);
  works->serves = (client *)(uintptr_t)task_value(self);
  if (works->serves == NULL)
    TASK_END(self);
  TASK_LOCK(self, &locks[key_served(works) % Buckets], locked);
}

static void take_request(task_word self) { TASK_RECEIVE(self, &requests, serve); }

// Joins the clients, then sends each worker home.
static task closer;
static unsigned sent_home;

static void close_next(task_word self) {
  if (clients_left > 0)
    TASK_JOIN(self, &clients[--clients_left].task, close_next);
  if (sent_home++ < Workers)
    TASK_SEND(self, &requests, 0, close_next);
  TASK_END(self);
}

int main(void) {
  make_table();
  task_channel_init(&requests, places, sizeof places / sizeof places[0]);
  for (unsigned k = 0; k < Workers; ++k)
    task_spawn(&workers[k].task, take_request, 0);
  for (unsigned k = 0; k < Clients; ++k) {
    clients[k].number = k;
    task_spawn(&clients[k].task, ask, 0);
  }
  task_spawn(&closer, close_next, 1);
  CHECK(task_alloc_cpu(4) == 1);
  CHECK(tasks_run(WAITING) == 0);
  check_table();
  puts("every request was served once");
}
