//! A global allocator that counts what each thread has in use.
#![expect(
    unsafe_code,
    reason = "GlobalAlloc is an unsafe trait; every call goes to System unchanged"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    // Constants without a destructor: they allocate nothing, at any time of a thread's life.
    static BYTES: Cell<isize> = const { Cell::new(0) };
    static LARGEST: Cell<usize> = const { Cell::new(0) };
}

/// The system's allocator, counting.
pub(crate) struct CountingAllocator;

/// The bytes that this thread allocated and that nobody freed, less what it freed of others.
pub(crate) fn bytes_in_use() -> isize {
    BYTES.get()
}

/// The most bytes that this thread asked for at once since [`reset_largest_request`].
pub(crate) fn largest_request() -> usize {
    LARGEST.get()
}

/// Forgets the requests of this thread so far.
pub(crate) fn reset_largest_request() {
    LARGEST.set(0);
}

fn count(allocated: usize, freed: usize) {
    BYTES.set(BYTES.get() + allocated.cast_signed() - freed.cast_signed());
    LARGEST.set(LARGEST.get().max(allocated));
}

// SAFETY: each method hands its arguments to `System`, which keeps the contract of `GlobalAlloc`,
// and returns what `System` returned. The counting beside it touches two thread-local integers
// only: it does not allocate, read the memory, or unwind (no layout and no sum of what is in use is
// over `isize::MAX`, so the counts do not overflow).
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        // SAFETY: the caller keeps the contract of this method, which is that of `System`'s.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(0, layout.size());
        // SAFETY: `pointer` came from `System` with this layout, as every pointer of this type did.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        count(new_size, layout.size());
        // SAFETY: as for `dealloc`; the caller vouches for `new_size`.
        unsafe { System.realloc(pointer, layout, new_size) }
    }
}
