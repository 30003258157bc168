//! The repository as its users see it.

mod concurrency;
mod counting_allocator;
#[cfg(feature = "fault-injection")]
mod faults;
mod handle;
mod lists;
mod memory;
mod model;
mod support;

/// Counts for the tests on memory; the others do not notice.
#[global_allocator]
static ALLOCATOR: counting_allocator::CountingAllocator = counting_allocator::CountingAllocator;
