// SPDX-License-Identifier: Apache-2.0
//! The library of tasks (../include/tasks.h) for Rust: a task is a future, what it waits for is awaited.
//!
//! ```
//! async fn visit(nodes: &FarArray<Node>, first: usize, sum: &Cell<u64>) {
//!     let mut at = first;
//!     while at != END {
//!         let here = nodes.load(at).await;
//!         sum.set(sum.get() + here.value);
//!         at = here.next;
//!     }
//! }
//! ...
//! let one = pin!(Task::new(visit(&nodes, 0, &sum)));
//! tasks::run(0, |spawner| spawner.spawn(one.as_ref()));
//! ```
//!
//! There is no executor: a request's completion brings its task into the AMU's finish queue, and the task that bafin takes from it is polled. `wake()` of a
//! task's waker puts it there, too, so futures of other crates may be awaited. A task waits for one request at a time: two loads of a `join!` are two
//! tasks. A task adds 48 bytes to its future. Without `std` and without `alloc`; all runs on one core, and no type here is `Sync`.
//!
//! Programs must be compiled with `panic=abort`: a future is not taken out of the AMU.
#![no_std]

#[cfg(not(panic = "abort"))]
compile_error!("tasks: a panic must not unwind past tasks that the AMU will resume; compile with -C panic=abort");

mod far;
mod wait;

use core::cell::{Cell, UnsafeCell};
use core::future::Future;
use core::marker::{PhantomData, PhantomPinned};
use core::mem::ManuallyDrop;
use core::pin::Pin;
use core::task::{Context, RawWaker, RawWakerVTable, Waker};

pub use far::{FarArray, Load, Plain, Store};
pub use wait::{signal, yield_now, Channel, Held, Lock, Word};

/// `task` of tasks.h
type Header = [u64; 5];

extern "C" {
    fn future_spawn(made: *mut Header, priority: u32);
    fn task_set_priority(whose: *mut Header, priority: u32);
    fn task_wake_up(waiting: *mut Header);
    fn tasks_run(waiting: u32) -> u64;
    fn future_has_asked() -> bool;
}

/// A future that runs by itself. It stays where it is from `spawn` on.
#[repr(C)]
pub struct Task<F> {
    header: UnsafeCell<Header>,
    poll: Cell<Option<unsafe extern "C" fn(*const Task<F>) -> bool>>,
    future: UnsafeCell<F>,
    _pinned: PhantomPinned,
}

impl<F: Future<Output = ()>> Task<F> {
    pub const fn new(future: F) -> Self {
        Task { header: UnsafeCell::new([0; 5]), poll: Cell::new(None), future: UnsafeCell::new(future), _pinned: PhantomPinned }
    }

    /// Kept, without effect until the AMU has priorities.
    pub fn set_priority(&self, priority: u32) {
        unsafe { task_set_priority(self.header.get(), priority) }
    }

    /// Its end. One task only may wait for it.
    pub fn ended(self: Pin<&Self>) -> impl Future<Output = ()> + use<'_, F> {
        assert!(self.poll.get().is_some(), "tasks: a task is joined that was not spawned");
        wait::end_of(self.get_ref().header.get())
    }

    /// Called by binding.c with the task that has what it waited for; true at its end.
    unsafe extern "C" fn poll(this: *const Task<F>) -> bool {
        let waker = ManuallyDrop::new(Waker::from_raw(raw_waker((*this).header.get())));
        let future = Pin::new_unchecked(&mut *(*this).future.get());
        future.poll(&mut Context::from_waker(&waker)).is_ready()
    }
}

/// Spawns tasks that live as long as `'env`. Tasks may have it.
#[derive(Clone, Copy)]
pub struct Spawner<'env>(PhantomData<Cell<&'env ()>>);

impl<'env> Spawner<'env> {
    pub fn spawn<F: Future<Output = ()> + 'env>(self, task: Pin<&'env Task<F>>) {
        assert!(task.poll.replace(Some(Task::<F>::poll)).is_none(), "tasks: a task is spawned twice");
        unsafe { future_spawn(task.get_ref().header.get(), 0) }
    }
}

/// Runs what `begin` spawns, and what those spawn, to its end; at most `waiting` tasks wait for memory at once (0: as many as the AMU can).
/// Panics if tasks are left that wait for what nobody gives, or wakers of tasks that are over.
pub fn run<'env>(waiting: u32, begin: impl FnOnce(Spawner<'env>)) {
    begin(Spawner(PhantomData));
    let alive = unsafe { tasks_run(waiting) };
    assert!(alive == 0, "tasks: {alive} tasks wait for what nobody gives");
    let kept = unsafe { WAKERS };
    assert!(kept == 0, "tasks: {kept} wakers are kept beyond run(); drop them before");
}

/// How many clones of wakers there are: they must not outlive their tasks.
static mut WAKERS: usize = 0;

static WAKER: RawWakerVTable = RawWakerVTable::new(clone_waker, wake, wake_by_ref, drop_waker);

const fn raw_waker(task: *const Header) -> RawWaker {
    RawWaker::new(task.cast(), &WAKER)
}

unsafe fn clone_waker(task: *const ()) -> RawWaker {
    WAKERS += 1;
    raw_waker(task.cast())
}

unsafe fn wake(task: *const ()) {
    wake_by_ref(task);
    drop_waker(task);
}

unsafe fn wake_by_ref(task: *const ()) {
    task_wake_up(task.cast_mut().cast());
}

unsafe fn drop_waker(_: *const ()) {
    WAKERS -= 1;
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    New,
    Waits,
    Over,
}

/// How far a future is that asks the library for something.
struct Asked(State);

impl Asked {
    #[inline]
    const fn new() -> Self {
        Asked(State::New)
    }

    /// True if it is to ask now.
    #[inline]
    fn not_yet(&mut self, context: &Context) -> bool {
        if self.0 != State::New {
            return false;
        }
        assert!(core::ptr::eq(context.waker().vtable(), &WAKER), "tasks: awaited by another executor; spawn a task for it");
        assert!(!unsafe { future_has_asked() }, "tasks: a task waits for one thing at a time; spawn another one");
        self.0 = State::Waits;
        true
    }

    /// True when what it has asked for is there: the task is polled again, and this is not a second look in the poll that asked.
    #[inline]
    fn answered(&mut self) -> bool {
        let answered = self.0 == State::Waits && !unsafe { future_has_asked() };
        if answered {
            self.0 = State::Over;
        }
        answered
    }

    /// It need not wait.
    #[inline]
    fn at_once(&mut self) {
        self.0 = State::Over;
    }
}

impl Drop for Asked {
    #[inline]
    fn drop(&mut self) {
        assert!(self.0 != State::Waits, "tasks: dropped while the AMU or another task has its request");
    }
}
