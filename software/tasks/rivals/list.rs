// SPDX-License-Identifier: Apache-2.0
//! The benchmark `list` by Rust's futures and prefetches, with the executor of rust.rs; BOXED=0: the futures in the slots themselves, 1: boxed.
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

const COROUTINES: usize = match usize::from_str_radix(env!("COROUTINES"), 10) {
    Ok(number) => number,
    Err(_) => panic!("COROUTINES is a number"),
};
const BOXED: bool = matches!(env!("BOXED").as_bytes(), b"1");
const LIST_END: u64 = u64::MAX;

/// `cell` of list/data.h
#[repr(C)]
struct ListCell {
    next: u64,
    padding: [u64; 7],
}

extern "C" {
    static list_cells: *const ListCell;
    static mut list_sums: [u64; 0];
    fn list_begin(operation: u64) -> u64;
}

#[cfg(target_arch = "riscv64")]
fn prefetch(cell: *const ListCell) {
    // prefetch.r, which this assembler knows as an ori to x0
    unsafe { core::arch::asm!(".insn i 0x13, 6, x0, {}, 1", in(reg) cell, options(nostack, preserves_flags)) };
}

#[cfg(target_arch = "x86_64")]
fn prefetch(cell: *const ListCell) {
    unsafe { core::arch::x86_64::_mm_prefetch::<{ core::arch::x86_64::_MM_HINT_T0 }>(cell.cast()) };
}

/// Prefetches, and is pending once.
fn prefetched(index: u64) -> impl Future<Output = u64> {
    let cell = unsafe { list_cells.add(index as usize) };
    let mut asked = false;
    poll_fn(move |_| {
        if core::mem::replace(&mut asked, true) {
            return Poll::Ready(unsafe { (*cell).next });
        }
        prefetch(cell);
        Poll::Pending
    })
}

async fn traverse(next: &Cell<u64>, end: u64) {
    while next.get() < end {
        let operation = next.get();
        next.set(operation + 1);
        let (mut index, mut sum) = (unsafe { list_begin(operation) }, 0u64);
        while index != LIST_END {
            sum = sum.wrapping_add(index);
            index = prefetched(index).await;
        }
        unsafe { (&raw mut list_sums).cast::<u64>().add(operation as usize).write(sum) };
    }
}

#[no_mangle]
extern "C" fn bench_run(first: u64, count: u64) {
    let next = Cell::new(first);
    if BOXED {
        let mut slots: Vec<Option<Pin<Box<dyn Future<Output = ()> + '_>>>> = Vec::with_capacity(COROUTINES);
        for _ in 0..COROUTINES {
            slots.push(Some(Box::pin(traverse(&next, first + count))));
        }
        go_round(&mut slots);
    } else {
        let mut slots: [_; COROUTINES] = core::array::from_fn(|_| Some(traverse(&next, first + count)));
        go_round(&mut slots);
    }
}
