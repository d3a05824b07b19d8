// SPDX-License-Identifier: Apache-2.0
//! A key-value server: clients send requests through a channel and wait for a signal; workers change the table under the lock of a bucket. The table is in
//! far memory, its buckets are one line, few of them, so that clients meet.
#![no_std]
#![no_main]

extern crate alloc;
mod program;

use alloc::vec::Vec;
use core::cell::{Cell, RefCell};
use core::fmt::Write;
use core::future::poll_fn;
use core::task::{Poll, Waker};
use program::{scattered, tasks_of, Console, SCALE, WAITING};
use tasks::{Channel, FarArray, Lock, Plain};

const CLIENTS: usize = 8 * SCALE;
const REQUESTS_OF_CLIENT: usize = 6;
const WORKERS: usize = 8;
const BUCKETS: usize = 4;
const KEYS_OF_BUCKET: usize = 7;
const KEYS: usize = BUCKETS * KEYS_OF_BUCKET;

#[derive(Clone, Copy, Default)]
#[repr(C)]
struct Bucket {
    used: u64,
    entries: [(u32, u32); KEYS_OF_BUCKET], // key, value
}
unsafe impl Plain for Bucket {}

impl Bucket {
    /// Adds to the key's value, from 0; returns the sum.
    fn add(&mut self, key: u32, amount: u32) -> u32 {
        let used = self.used as usize;
        let place = self.entries[..used].iter().position(|entry| entry.0 == key).unwrap_or(used);
        if place == used {
            self.entries[place] = (key, 0);
            self.used += 1;
        }
        self.entries[place].1 += amount;
        self.entries[place].1
    }
}

/// Of a client, with the answer.
#[derive(Default)]
struct Request {
    key: Cell<u32>,
    amount: Cell<u32>,
    sum: Cell<u32>,
    client: RefCell<Option<Waker>>,
}

struct Server {
    table: FarArray<Bucket>,
    locks: [Lock; BUCKETS],
    places: Vec<Request>,
    requests: Channel<Option<u32>, 3>,
}

fn key_of(client: usize, request: usize) -> u32 {
    (scattered((client * REQUESTS_OF_CLIENT + request) as u64) % KEYS as u64) as u32
}

fn amount_of(client: usize, request: usize) -> u32 {
    1 + ((client ^ request) % 5) as u32
}

async fn change(server: &Server, key: u32, amount: u32) -> u32 {
    let place = key as usize % BUCKETS;
    let _held = server.locks[place].hold().await;
    let mut bucket = server.table.load(place).await;
    let sum = bucket.add(key, amount);
    server.table.store(place, bucket).await;
    sum
}

async fn serve(server: &Server) {
    while let Some(client) = server.requests.receive().await {
        let request = &server.places[client as usize];
        request.sum.set(change(server, request.key.get(), request.amount.get()).await);
        request.client.take().unwrap().wake();
    }
}

async fn ask(server: &Server, client: usize) {
    let request = &server.places[client];
    for k in 0..REQUESTS_OF_CLIENT {
        request.key.set(key_of(client, k));
        request.amount.set(amount_of(client, k));
        let waker = poll_fn(|context| Poll::Ready(context.waker().clone())).await;
        request.client.replace(Some(waker));
        server.requests.send(Some(client as u32)).await;
        tasks::signal().await;
        assert!(request.sum.get() >= request.amount.get());
    }
}

/// Every amount is in the table once.
fn check(table: &FarArray<Bucket>) {
    let mut sums = [0; KEYS];
    for client in 0..CLIENTS {
        for k in 0..REQUESTS_OF_CLIENT {
            sums[key_of(client, k) as usize] += amount_of(client, k);
        }
    }
    for place in 0..BUCKETS {
        let bucket = table.get(place);
        for (key, value) in &bucket.entries[..bucket.used as usize] {
            assert!(*key as usize % BUCKETS == place && *value == sums[*key as usize]);
            sums[*key as usize] = 0;
        }
    }
    assert!(sums.iter().all(|sum| *sum == 0));
}

#[no_mangle]
extern "C" fn main() -> i32 {
    let server = Server {
        table: FarArray::new(BUCKETS, |_| Bucket::default()),
        locks: [const { Lock::new() }; BUCKETS],
        places: (0..CLIENTS).map(|_| Request::default()).collect(),
        requests: Channel::new(),
    };
    let workers = tasks_of(WORKERS, |_| serve(&server));
    let clients = tasks_of(CLIENTS, |client| ask(&server, client));
    let closer = tasks_of(1, |_| async {
        for client in &clients {
            client.as_ref().ended().await;
        }
        for _ in 0..WORKERS {
            server.requests.send(None).await;
        }
    });
    tasks::run(WAITING, |spawner| {
        workers.iter().for_each(|task| spawner.spawn(task.as_ref()));
        clients.iter().for_each(|task| spawner.spawn(task.as_ref()));
        closer.iter().for_each(|task| spawner.spawn(task.as_ref()));
    });
    check(&server.table);
    let _ = writeln!(Console, "every request was served once");
    0
}
