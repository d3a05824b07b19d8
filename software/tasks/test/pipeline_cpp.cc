// SPDX-License-Identifier: Apache-2.0
//
// Producers and consumers with a short buffer between them in C++20; a pair of words is sent under a lock.
#include "pipeline.h"
#include "tasks.hpp"

namespace {

struct Item {
  uint64_t place, value;
};

tasks::Channel<uint64_t, 4> items;
tasks::Lock sends, receives;
tasks::Task producers[Producers], consumers[Consumers];

tasks::Task produce(uint64_t first) {
  for (uint64_t place = first; place < first + ItemsOfProducer; ++place) {
    const uint64_t value = co_await tasks::load(&input[place]);
    auto held = co_await sends.hold();
    co_await items.send(place);
    co_await items.send(value);
  }
}

tasks::Call<Item> receive() {
  auto held = co_await receives.hold();
  const uint64_t place = co_await items.receive();
  co_return Item{place, place < Items ? co_await items.receive() : 0};
}

tasks::Task consume() {
  for (Item item = co_await receive(); item.place < Items; item = co_await receive())
    co_await tasks::store(&output[item.place], made_from(item.value));
}

tasks::Task close() {
  for (tasks::Task &producer : producers)
    co_await producer;
  for (unsigned k = 0; k < Consumers; ++k)
    co_await items.send(Items);
}

} // namespace

int main() {
  make_arrays();
  for (tasks::Task &consumer : consumers)
    (consumer = consume()).spawn();
  for (uint64_t k = 0; k < Producers; ++k)
    (producers[k] = produce(k * ItemsOfProducer)).spawn();
  tasks::Task closer = close();
  closer.spawn();
  CHECK(tasks_run(WAITING) == 0);
  check_output();
  puts("every item came through once");
}
