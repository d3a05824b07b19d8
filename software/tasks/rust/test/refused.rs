// SPDX-License-Identifier: Apache-2.0
//! What ends the program with a message, CASE of it.
#![no_std]
#![no_main]

mod program;

use core::cell::RefCell;
use core::future::{poll_fn, Future};
use core::pin::pin;
use core::task::{Poll, Waker};
use program::WAITING;
use tasks::{FarArray, Task};

async fn two_at_once(array: &FarArray<u64>) {
    let (mut one, mut other) = (pin!(array.load(0)), pin!(array.load(1)));
    poll_fn(|context| {
        let _ = one.as_mut().poll(context);
        other.as_mut().poll(context)
    })
    .await;
}

async fn dropped(array: &FarArray<u64>) {
    let mut load = pin!(Some(array.load(0)));
    poll_fn(|context| {
        let _ = load.as_mut().as_pin_mut().unwrap().poll(context);
        Poll::Ready(())
    })
    .await;
    load.set(None);
}

async fn keep_waker(kept: &RefCell<Option<Waker>>) {
    kept.replace(Some(poll_fn(|context| Poll::Ready(context.waker().clone())).await));
}

#[no_mangle]
extern "C" fn main() -> i32 {
    let array = FarArray::<u64>::new(2, |k| k as u64);
    let kept = RefCell::new(None);
    let case = async {
        match env!("CASE") {
            "two_at_once" => {
                two_at_once(&array).await;
            }
            "dropped" => dropped(&array).await,
            "left" => tasks::signal().await,
            "kept_waker" => keep_waker(&kept).await,
            _ => {}
        }
    };
    let task = pin!(Task::new(case));
    tasks::run(WAITING, |spawner| spawner.spawn(task.as_ref()));
    0
}
