// SPDX-License-Identifier: Apache-2.0
//! What programs in Rust stand on here: the C library's memory, the host's console, an end with a message.
use core::alloc::{GlobalAlloc, Layout};
use core::ffi::{c_char, c_int, c_void};
use core::fmt::Write;
use core::panic::PanicInfo;

extern "C" {
    fn aligned_alloc(alignment: usize, bytes: usize) -> *mut c_void;
    fn free(pointer: *mut c_void);
    fn host_putchar(character: c_char);
    fn host_exit(code: c_int) -> !;
}

struct CLibrary;

#[global_allocator]
static MEMORY: CLibrary = CLibrary;

unsafe impl GlobalAlloc for CLibrary {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        aligned_alloc(layout.align().max(16), layout.size().next_multiple_of(layout.align().max(16))).cast()
    }
    unsafe fn dealloc(&self, pointer: *mut u8, _: Layout) {
        free(pointer.cast())
    }
}

pub struct Console;

impl Write for Console {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        text.bytes().for_each(|byte| unsafe { host_putchar(byte as c_char) });
        Ok(())
    }
}

#[panic_handler]
fn ends(panic: &PanicInfo) -> ! {
    let _ = writeln!(Console, "{panic}");
    unsafe { host_exit(1) }
}

/// Debian's library is compiled for unwinding, which never happens.
#[no_mangle]
extern "C" fn rust_eh_personality() {}
