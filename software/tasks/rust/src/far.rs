// SPDX-License-Identifier: Apache-2.0
//! Far memory: arrays whose elements are loaded and stored by requests.
use core::ffi::c_void;
use core::future::Future;
use core::marker::PhantomData;
use core::mem::size_of;
use core::pin::Pin;
use core::task::{Context, Poll};

use crate::Asked;

const BYTES_MAX: usize = 64;

extern "C" {
    fn remote_alloc(bytes: usize) -> *mut c_void;
    fn remote_free(pointer: *mut c_void);
    fn future_load(address: *const c_void, bytes: u32);
    fn future_store(address: *mut c_void, source: *const c_void, bytes: u32);
    fn future_data() -> *const c_void;
}

/// # Safety
/// Any bytes are a value of it, and it has no padding.
pub unsafe trait Plain: Copy {}
unsafe impl Plain for u8 {}
unsafe impl Plain for u16 {}
unsafe impl Plain for u32 {}
unsafe impl Plain for u64 {}

/// Elements of 1, 2, 4, ... 64 bytes in far memory.
pub struct FarArray<T> {
    first: *mut T,
    length: usize,
}

impl<T: Plain> FarArray<T> {
    /// An array of so many elements, the k-th one `of(k)`.
    pub fn new(length: usize, of: impl Fn(usize) -> T) -> Self {
        const { assert!(size_of::<T>().is_power_of_two() && size_of::<T>() <= BYTES_MAX, "an element has 1, 2, 4, ... 64 bytes") };
        let first = unsafe { remote_alloc(length * size_of::<T>()) }.cast::<T>();
        (0..length).for_each(|k| unsafe { first.add(k).write(of(k)) });
        FarArray { first, length }
    }

    fn place(&self, index: usize) -> *mut T {
        assert!(index < self.length, "tasks: element {index} of {}", self.length);
        unsafe { self.first.add(index) }
    }

    /// Reads while the core waits.
    pub fn get(&self, index: usize) -> T {
        unsafe { self.place(index).read() }
    }

    pub fn load(&self, index: usize) -> Load<'_, T> {
        Load { place: self.place(index), asked: Asked::new(), _array: PhantomData }
    }

    pub fn store(&self, index: usize, value: T) -> Store<'_, T> {
        Store { place: self.place(index), value: AsSlot(value), asked: Asked::new(), _array: PhantomData }
    }
}

impl<T> Drop for FarArray<T> {
    fn drop(&mut self) {
        unsafe { remote_free(self.first.cast()) }
    }
}

pub struct Load<'array, T> {
    place: *const T,
    asked: Asked,
    _array: PhantomData<&'array FarArray<T>>,
}

impl<T: Plain> Future for Load<'_, T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        if self.asked.not_yet(context) {
            unsafe { future_load(self.place.cast(), size_of::<T>() as u32) };
        } else if self.asked.answered() {
            return Poll::Ready(unsafe { future_data().cast::<T>().read() });
        }
        Poll::Pending
    }
}

/// Aligned as the AMU's slot is filled.
#[repr(C, align(8))]
struct AsSlot<T>(T);

pub struct Store<'array, T> {
    place: *mut T,
    value: AsSlot<T>,
    asked: Asked,
    _array: PhantomData<&'array FarArray<T>>,
}

impl<T: Plain + Unpin> Future for Store<'_, T> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.asked.not_yet(context) {
            unsafe { future_store(self.place.cast(), (&raw const self.value).cast(), size_of::<T>() as u32) };
        } else if self.asked.answered() {
            return Poll::Ready(());
        }
        Poll::Pending
    }
}
