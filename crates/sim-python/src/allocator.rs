//! Huge pages behind large blocks.
//!
//! The images of a robot take hundreds of megabytes, and the tables of its meshes tens. In pages of
//! 4 kB, the page faults of writing them for the first time cost a quarter of loading such a model,
//! and more than half of loading it again. Where the system gives huge pages to whoever asks for them
//! (madvise(2), `MADV_HUGEPAGE`), they are asked for.

use std::alloc::{GlobalAlloc, Layout, System};

/// The allocator of the system, which is advised on large blocks.
pub(crate) struct HugePages;

/// The smallest block that counts as large.
const LARGE: usize = 1 << 20;

/// The smallest page, by which advice goes.
const PAGE: usize = 4 << 10;

impl HugePages {
    /// Asks for huge pages behind a block if it is large. To ask is enough: the advice has no effect
    /// on contents. It covers the pages at both ends, so that one huge page may lie behind neighbours.
    fn advise(block: *mut u8, size: usize) {
        if block.is_null() || size < LARGE {
            return;
        }
        let start = block.addr() / PAGE * PAGE;
        let end = (block.addr() + size).next_multiple_of(PAGE);
        #[cfg(target_os = "linux")]
        // SAFETY: all pages from `start` to `end` are mapped, and the advice leaves their contents
        // alone, whoever they belong to.
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
        HugePages::advise(block, layout.size());
        block
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above
        let block = unsafe { System.alloc_zeroed(layout) };
        HugePages::advise(block, layout.size());
        block
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
