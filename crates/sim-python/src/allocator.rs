//! Huge pages behind large blocks.
//!
//! The images of a robot with textures take hundreds of megabytes. In pages of 4 kB, the page faults of
//! writing them for the first time cost more than all the rest of loading such a model again. Where
//! the system gives huge pages to whoever asks for them (madvise(2), `MADV_HUGEPAGE`), they are
//! asked for.

use std::alloc::{GlobalAlloc, Layout, System};

/// The allocator of the system, which is advised on blocks that it maps one by one.
pub(crate) struct HugePages;

/// Blocks of this size are mapped one by one by the allocator of glibc, whatever was freed before.
const LARGE: usize = 32 << 20;

const PAGE: usize = 2 << 20;

impl HugePages {
    /// Asks for huge pages behind a block. To ask is enough: the advice has no effect on contents.
    fn advise(block: *mut u8, size: usize) {
        let start = block.addr().next_multiple_of(PAGE);
        let end = (block.addr() + size) / PAGE * PAGE;
        if block.is_null() || end <= start {
            return;
        }
        #[cfg(target_os = "linux")]
        // SAFETY: all pages from `start` to `end` belong to the block alone, and the advice leaves
        // their contents alone.
        unsafe {
            libc::madvise(block.with_addr(start).cast(), end - start, libc::MADV_HUGEPAGE);
        }
    }
}

// SAFETY: all blocks come from the allocator of the system, and go back to it, as they are.
unsafe impl GlobalAlloc for HugePages {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise is the one that the system asks for
        let block = unsafe { System.alloc(layout) };
        if layout.size() >= LARGE {
            HugePages::advise(block, layout.size());
        }
        block
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above
        unsafe { System.realloc(block, layout, size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as above
        unsafe { System.dealloc(block, layout) }
    }
}
