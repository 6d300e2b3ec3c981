//! What becomes of memory that is freed.

use std::hint::black_box;
use std::sync::Once;

/// Just below the largest threshold that the allocator of glibc chooses by itself.
const BLOCK: usize = (32 << 20) - (64 << 10);

/// Has freed memory kept for the next model.
///
/// The allocator of glibc returns large blocks to the system when they are freed, and the page faults
/// of getting them again cost more than all the rest of loading a model a second time. What counts
/// as large follows the blocks that were freed so far (`M_MMAP_THRESHOLD` in mallopt(3)), so freeing
/// one that was never written to is enough. To other allocators it means nothing.
pub(crate) fn keep_freed_memory() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let mut block: Vec<u8> = Vec::new();
        // without so much memory nothing is kept
        let _ = block.try_reserve_exact(BLOCK);
        drop(black_box(block));
    });
}
