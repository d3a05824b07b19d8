// SPDX-License-Identifier: Apache-2.0
//! Producers and consumers with a short buffer between them, over arrays in far memory; a pair of words is sent under a lock.
#![no_std]
#![no_main]

mod program;

use core::fmt::Write;
use program::{scattered, tasks_of, Console, SCALE, WAITING};
use tasks::{Channel, FarArray, Lock};

const PRODUCERS: usize = 9;
const CONSUMERS: usize = 5;
const ITEMS_OF_PRODUCER: usize = 5 * SCALE;
const ITEMS: usize = PRODUCERS * ITEMS_OF_PRODUCER;

struct Pipe {
    input: FarArray<u64>,
    output: FarArray<u64>,
    items: Channel<u64, 4>,
    sends: Lock,
    receives: Lock,
}

fn made_from(item: u64) -> u64 {
    item.wrapping_mul(item).wrapping_add(1)
}

async fn produce(pipe: &Pipe, first: usize) {
    for place in first..first + ITEMS_OF_PRODUCER {
        let value = pipe.input.load(place).await;
        let _held = pipe.sends.hold().await;
        pipe.items.send(place as u64).await;
        pipe.items.send(value).await;
    }
}

async fn receive(pipe: &Pipe) -> Option<(usize, u64)> {
    let _held = pipe.receives.hold().await;
    let place = pipe.items.receive().await as usize;
    if place < ITEMS {
        Some((place, pipe.items.receive().await))
    } else {
        None
    }
}

async fn consume(pipe: &Pipe) {
    while let Some((place, value)) = receive(pipe).await {
        pipe.output.store(place, made_from(value)).await;
    }
}

#[no_mangle]
extern "C" fn main() -> i32 {
    let pipe = Pipe {
        input: FarArray::new(ITEMS, |k| scattered(k as u64)),
        output: FarArray::new(ITEMS, |_| 0),
        items: Channel::new(),
        sends: Lock::new(),
        receives: Lock::new(),
    };
    let consumers = tasks_of(CONSUMERS, |_| consume(&pipe));
    let producers = tasks_of(PRODUCERS, |k| produce(&pipe, k * ITEMS_OF_PRODUCER));
    let closer = tasks_of(1, |_| async {
        for producer in &producers {
            producer.as_ref().ended().await;
        }
        for _ in 0..CONSUMERS {
            pipe.items.send(ITEMS as u64).await;
        }
    });
    tasks::run(WAITING, |spawner| {
        consumers.iter().for_each(|task| spawner.spawn(task.as_ref()));
        producers.iter().for_each(|task| spawner.spawn(task.as_ref()));
        closer.iter().for_each(|task| spawner.spawn(task.as_ref()));
    });
    (0..ITEMS).for_each(|k| assert!(pipe.output.get(k) == made_from(scattered(k as u64))));
    let _ = writeln!(Console, "every item came through once");
    0
}
