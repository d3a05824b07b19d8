// SPDX-License-Identifier: Apache-2.0
//
// The key-value server in C++20: clients send requests through a channel and wait for a signal.
#include "server.h"
#include "tasks.hpp"

namespace {

struct Request {
  tasks::Task *client;
  uint32_t key, amount, sum;
};

tasks::Channel<Request *, 3> requests;
tasks::Lock locks[Buckets];
tasks::Task clients[Clients], workers[Workers];

// The bucket's sum with its new amount.
tasks::Call<uint32_t> change(uint32_t key, uint32_t amount) {
  bucket *place = &table[key % Buckets];
  auto held = co_await locks[key % Buckets].hold();
  bucket copy = co_await tasks::load(place);
  const uint32_t sum = add_to(&copy, key, amount);
  co_await tasks::store(place, copy);
  co_return sum;
}

tasks::Task serve() {
  while (Request *request = co_await requests.receive()) {
    request->sum = co_await change(request->key, request->amount);
    request->client->wake_up();
  }
}

tasks::Task ask(uint64_t number) {
  for (uint64_t k = 0; k < RequestsOfClient; ++k) {
    Request request = {&clients[number], key_of(number, k), amount_of(number, k), 0};
    co_await requests.send(&request);
    co_await tasks::signal();
    CHECK(request.sum >= request.amount);
  }
}

tasks::Task close() {
  for (tasks::Task &client : clients)
    co_await client;
  for (unsigned k = 0; k < Workers; ++k)
    co_await requests.send(nullptr);
}

} // namespace

int main() {
  make_table();
  for (tasks::Task &worker : workers)
    (worker = serve()).spawn();
  for (uint64_t k = 0; k < Clients; ++k)
    (clients[k] = ask(k)).spawn();
  tasks::Task closer = close();
  closer.spawn(1);
  CHECK(tasks_run(WAITING) == 0);
  check_table();
  puts("every request was served once");
}
