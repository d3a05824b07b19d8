// SPDX-License-Identifier: Apache-2.0
//! Rust's futures. Without the library: the executor that articles on asynchronous memory accesses use, slots of futures and a cursor that goes round and
//! polls them, in place and boxed. And by the library's crate.
#![no_std]

extern crate alloc;

#[path = "../rust/support.rs"]
mod support;
mod executor;

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cell::Cell;
use core::future::{poll_fn, Future};
use core::pin::Pin;
use core::task::Poll;

use executor::go_round;
use tasks::Task;

const TASKS: usize = 16;

extern "C" {
    static mut row_task_bytes: u64;
}

fn set_bytes(of_task: usize) {
    unsafe { row_task_bytes = of_task as u64 };
}

/// Pending once.
fn next_turn() -> impl Future<Output = ()> {
    let mut had = false;
    poll_fn(move |_| if core::mem::replace(&mut had, true) { Poll::Ready(()) } else { Poll::Pending })
}

async fn add_up(turns: u32, total: &Cell<u64>) {
    let mut sum = 0;
    for turn in 0..turns {
        sum += u64::from(turn);
        next_turn().await;
    }
    total.set(total.get() + sum);
}

#[no_mangle]
extern "C" fn rust_in_place(turns: u32) -> u64 {
    let total = Cell::new(0);
    let mut slots: [_; TASKS] = core::array::from_fn(|_| Some(add_up(turns, &total)));
    set_bytes(size_of_val(&slots[0]));
    go_round(&mut slots);
    total.get()
}

#[no_mangle]
extern "C" fn rust_boxed(turns: u32) -> u64 {
    let total = Cell::new(0);
    let mut slots: Vec<Option<Pin<Box<dyn Future<Output = ()> + '_>>>> = Vec::with_capacity(TASKS);
    set_bytes(size_of_val(&add_up(turns, &total)) + size_of::<Pin<Box<dyn Future<Output = ()>>>>());
    for _ in 0..TASKS {
        slots.push(Some(Box::pin(add_up(turns, &total))));
    }
    go_round(&mut slots);
    drop(slots);
    total.get()
}

/// For alive.cc: so many tasks.
#[no_mangle]
extern "C" fn rust_boxed_alive(tasks: usize, turns: u32, sum: &mut u64) {
    let total = Cell::new(0);
    let mut slots: Vec<Option<Pin<Box<dyn Future<Output = ()> + '_>>>> = Vec::with_capacity(tasks);
    for _ in 0..tasks {
        slots.push(Some(Box::pin(add_up(turns, &total))));
    }
    go_round(&mut slots);
    drop(slots);
    *sum = total.get();
}

async fn add_up_by_library(turns: u32, total: &Cell<u64>) {
    let mut sum = 0;
    for turn in 0..turns {
        sum += u64::from(turn);
        tasks::yield_now().await;
    }
    total.set(total.get() + sum);
}

#[no_mangle]
extern "C" fn task_futures(turns: u32) -> u64 {
    let total = Cell::new(0);
    let made: [_; TASKS] = core::array::from_fn(|_| Task::new(add_up_by_library(turns, &total)));
    set_bytes(size_of_val(&made[0]));
    // The array stays where it is.
    tasks::run(0, |spawner| made.iter().for_each(|task| spawner.spawn(unsafe { Pin::new_unchecked(task) })));
    total.get()
}
