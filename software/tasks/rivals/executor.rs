// SPDX-License-Identifier: Apache-2.0
//! The executor that articles on asynchronous memory accesses use: slots of futures, and a cursor that goes round and polls them.
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Waker};

/// Polls the futures in turn until all are over; the slots stay where they are.
pub fn go_round<F: Future<Output = ()>>(slots: &mut [Option<F>]) {
    let mut context = Context::from_waker(Waker::noop());
    let mut any = true;
    while any {
        any = false;
        for slot in &mut *slots {
            if let Some(future) = slot {
                any = true;
                if unsafe { Pin::new_unchecked(future) }.poll(&mut context).is_ready() {
                    *slot = None;
                }
            }
        }
    }
}
