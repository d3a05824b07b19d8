// SPDX-License-Identifier: Apache-2.0
//! What tasks wait for of each other: signals, ends, channels, locks.
use core::cell::UnsafeCell;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};

use crate::{Asked, Header};

/// `task_channel` of tasks.h; the first two words are where its values are, and how many there is room for.
type ChannelWords = [u64; 8];
/// `task_lock` of tasks.h
type LockWords = [u64; 3];

extern "C" {
    fn future_signal() -> bool;
    fn future_join(of: *mut Header) -> bool;
    fn future_send(to: *mut ChannelWords, value: u64) -> bool;
    fn future_receive(from: *mut ChannelWords) -> bool;
    fn future_value() -> u64;
    fn future_lock(lock: *mut LockWords) -> bool;
    fn task_unlock(lock: *mut LockWords);
    fn future_yield();
}

/// Waits unless `need_not` says that it need not; its result is `result`'s.
struct Wait<N, R> {
    need_not: N,
    result: R,
    asked: Asked,
}

fn wait<N: Fn() -> bool, R: Fn() -> T, T>(need_not: N, result: R) -> Wait<N, R> {
    Wait { need_not, result, asked: Asked::new() }
}

impl<N: Fn() -> bool + Unpin, R: Fn() -> T + Unpin, T> Future for Wait<N, R> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        if self.asked.not_yet(context) {
            if (self.need_not)() {
                self.asked.at_once();
                return Poll::Ready((self.result)());
            }
        } else if self.asked.answered() {
            return Poll::Ready((self.result)());
        }
        Poll::Pending
    }
}

/// Ends when the task's waker is called, or at once if that was before.
#[inline]
pub fn signal() -> impl Future<Output = ()> {
    wait(|| unsafe { future_signal() }, || ())
}

/// Lets those run that can.
#[inline]
pub fn yield_now() -> impl Future<Output = ()> {
    let yields = || {
        unsafe { future_yield() };
        false
    };
    wait(yields, || ())
}

#[inline]
pub(crate) fn end_of(task: *mut Header) -> impl Future<Output = ()> {
    wait(move || unsafe { future_join(task) }, || ())
}

/// What a channel carries.
pub trait Word {
    fn to_word(self) -> u64;
    fn from_word(word: u64) -> Self;
}

impl Word for u64 {
    fn to_word(self) -> u64 {
        self
    }
    fn from_word(word: u64) -> u64 {
        word
    }
}

impl Word for Option<u32> {
    fn to_word(self) -> u64 {
        self.map_or(u64::MAX, u64::from)
    }
    fn from_word(word: u64) -> Option<u32> {
        u32::try_from(word).ok()
    }
}

/// A bounded queue.
pub struct Channel<T, const CAPACITY: usize> {
    channel: UnsafeCell<ChannelWords>,
    values: UnsafeCell<[u64; CAPACITY]>,
    _type: core::marker::PhantomData<T>,
}

impl<T: Word, const CAPACITY: usize> Channel<T, CAPACITY> {
    pub const fn new() -> Self {
        Channel { channel: UnsafeCell::new([0; 8]), values: UnsafeCell::new([0; CAPACITY]), _type: core::marker::PhantomData }
    }

    /// It stays where it is while futures of it are alive.
    fn in_place(&self) -> *mut ChannelWords {
        let channel = self.channel.get();
        unsafe {
            (*channel)[0] = self.values.get() as u64;
            (*channel)[1] = CAPACITY as u64;
        }
        channel
    }

    pub fn send(&self, value: T) -> impl Future<Output = ()> + use<'_, T, CAPACITY> {
        let (channel, word) = (self.in_place(), value.to_word());
        wait(move || unsafe { future_send(channel, word) }, || ())
    }

    pub fn receive(&self) -> impl Future<Output = T> + use<'_, T, CAPACITY> {
        let channel = self.in_place();
        wait(move || unsafe { future_receive(channel) }, || T::from_word(unsafe { future_value() }))
    }
}

/// Mutual exclusion, first come first served.
pub struct Lock(UnsafeCell<LockWords>);

/// Holds the lock until it is dropped.
pub struct Held<'lock>(&'lock Lock);

impl Lock {
    pub const fn new() -> Self {
        Lock(UnsafeCell::new([0; 3]))
    }

    #[inline]
    pub fn hold(&self) -> impl Future<Output = Held<'_>> {
        wait(|| unsafe { future_lock(self.0.get()) }, || Held(self))
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        unsafe { task_unlock(self.0 .0.get()) }
    }
}
