// SPDX-License-Identifier: Apache-2.0
//! What the programs here have in common: their size, tasks in memory, and numbers without order.
#![allow(dead_code, unused_imports)] // none of them needs all of it

extern crate alloc;

#[path = "../support.rs"]
mod support;

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::future::Future;
use core::pin::Pin;

pub use support::Console;
use tasks::Task;

const fn number(text: &str) -> usize {
    match usize::from_str_radix(text, 10) {
        Ok(number) => number,
        Err(_) => panic!("SCALE and WAITING are numbers"),
    }
}

pub const SCALE: usize = number(env!("SCALE"));
pub const WAITING: u32 = number(env!("WAITING")) as u32;

pub type Tasks<F> = Vec<Pin<Box<Task<F>>>>;

/// So many tasks, the k-th one of `of(k)`.
pub fn tasks_of<F: Future<Output = ()>>(count: usize, of: impl FnMut(usize) -> F) -> Tasks<F> {
    (0..count).map(of).map(|future| Box::pin(Task::new(future))).collect()
}

pub fn scattered(n: u64) -> u64 {
    let n = (n + 1).wrapping_mul(0x9e3779b97f4a7c15);
    (n ^ n >> 32).wrapping_mul(0xbf58476d1ce4e5b9) >> 20
}
