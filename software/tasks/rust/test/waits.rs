// SPDX-License-Identifier: Apache-2.0
//! Rules of the waits: a signal that comes first is kept, futures that the library does not know are woken by the task's waker, those that run take turns,
//! an end is waited for before and after it comes, elements of every size.
#![no_std]
#![no_main]

mod program;

use core::cell::{Cell, RefCell};
use core::fmt::Write;
use core::future::{poll_fn, Future};
use core::pin::pin;
use core::task::{Poll, Waker};
use program::{tasks_of, Console, SCALE, WAITING};
use tasks::{FarArray, Plain};

/// A future of another crate: a flag with the waker of who waits for it.
#[derive(Default)]
struct Event {
    is_set: Cell<bool>,
    waiting: RefCell<Option<Waker>>,
}

impl Event {
    fn set(&self) {
        self.is_set.set(true);
        if let Some(waker) = self.waiting.take() {
            waker.wake();
        }
    }
    fn wait(&self) -> impl Future<Output = ()> + use<'_> {
        poll_fn(|context| {
            if self.is_set.get() {
                return Poll::Ready(());
            }
            self.waiting.replace(Some(context.waker().clone()));
            Poll::Pending
        })
    }
}

#[derive(Clone, Copy, PartialEq)]
struct Line([u64; 8]);
unsafe impl Plain for Line {}

#[derive(Clone, Copy, PartialEq)]
struct Bytes([u8; 16]);
unsafe impl Plain for Bytes {}

async fn exchanged<T: Plain + PartialEq + Unpin>(array: &FarArray<T>) {
    let (first, last) = (array.load(0).await, array.load(1).await);
    assert!(first != last);
    array.store(0, last).await;
    array.store(1, first).await;
    assert!(array.load(0).await == last && array.load(1).await == first);
}

async fn exchange_every_size() {
    exchanged(&FarArray::new(2, |k| k as u8 + 1)).await;
    exchanged(&FarArray::new(2, |k| k as u16 + 0x101)).await;
    exchanged(&FarArray::new(2, |k| k as u32 + 0x10001)).await;
    exchanged(&FarArray::new(2, |k| k as u64 + 0x100000001)).await;
    exchanged(&FarArray::new(2, |k| Bytes([k as u8; 16]))).await;
    exchanged(&FarArray::new(2, |k| Line([k as u64; 8]))).await;
}

const WAITERS: usize = 4 * SCALE;

#[no_mangle]
extern "C" fn main() -> i32 {
    let far = FarArray::new(WAITERS, |k| k as u64);
    let events: [Event; WAITERS] = core::array::from_fn(|_| Event::default());
    let turns = Cell::new(0);
    let woken = Cell::new(0);

    let waiters = tasks_of(WAITERS, |k| {
        let (event, far, woken) = (&events[k], &far, &woken);
        async move {
            // Both at once: the load's end polls the event again, too.
            let (mut waits, mut load) = (pin!(event.wait()), pin!(far.load(k)));
            let (mut is_set, mut value) = (false, None);
            poll_fn(|context| {
                is_set = is_set || waits.as_mut().poll(context).is_ready();
                if value.is_none() {
                    if let Poll::Ready(loaded) = load.as_mut().poll(context) {
                        value = Some(loaded);
                    }
                }
                if is_set && value.is_some() {
                    Poll::Ready(())
                } else {
                    Poll::Pending
                }
            })
            .await;
            assert!(value == Some(k as u64));
            woken.set(woken.get() + 1);
        }
    });
    let setter = tasks_of(1, |_| async {
        for (k, event) in events.iter().enumerate() {
            if k % 2 == 0 {
                far.load(k).await;
            }
            event.set();
        }
    });
    let signalled_before = tasks_of(1, |_| async {
        poll_fn(|context| Poll::Ready(context.waker().wake_by_ref())).await;
        tasks::signal().await;
        setter[0].as_ref().ended().await;
        waiters[0].as_ref().ended().await;
        setter[0].as_ref().ended().await;
    });
    let takes_turns = tasks_of(2, |which| {
        let turns = &turns;
        async move {
            for turn in 0..10 {
                assert!(turns.get() == 2 * turn + which);
                turns.set(turns.get() + 1);
                tasks::yield_now().await;
            }
        }
    });
    tasks::run(WAITING, |spawner| takes_turns.iter().for_each(|task| spawner.spawn(task.as_ref())));
    let sizes = tasks_of(3, |_| exchange_every_size());
    tasks::run(WAITING, |spawner| {
        waiters.iter().for_each(|task| spawner.spawn(task.as_ref()));
        sizes.iter().for_each(|task| spawner.spawn(task.as_ref()));
        signalled_before.iter().for_each(|task| spawner.spawn(task.as_ref()));
        signalled_before.iter().for_each(|task| task.set_priority(1));
        setter.iter().for_each(|task| spawner.spawn(task.as_ref()));
    });
    assert!(woken.get() == WAITERS);
    let _ = writeln!(Console, "every rule holds");
    0
}
