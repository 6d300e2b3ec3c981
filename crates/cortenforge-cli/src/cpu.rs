//! The instructions that this program was built for, and those that the processor has.

/// The level of x86-64 that this program was built for: `x86-64-v3` (AVX2) or the baseline; other
/// architectures by name.
pub(crate) fn built_for() -> &'static str {
    match cfg!(target_arch = "x86_64") {
        true if cfg!(target_feature = "avx2") => "x86-64-v3",
        true => "x86-64",
        false => std::env::consts::ARCH,
    }
}

/// Words about instructions that this build needs and the processor does not have.
///
/// It is asked before anything else runs: whatever the compiler has made of the rest may use them.
#[inline(never)]
pub fn missing_instructions() -> Option<&'static str> {
    if !cfg!(target_feature = "avx2") || available() {
        return None;
    }
    Some(
        "error: this is a build for processors with AVX2 (x86-64-v3), which this one does not have\n = \
         help: build for any processor, with the same bits: RUSTFLAGS='-Ctarget-cpu=x86-64' cargo build \
         --release",
    )
}

/// A hint where the processor could do more than the program was built for.
pub(crate) fn hint() -> Option<&'static str> {
    let slower = cfg!(target_arch = "x86_64") && !cfg!(target_feature = "avx2") && available();
    slower.then_some(
        "this processor has AVX2: RUSTFLAGS='-Ctarget-cpu=x86-64-v3' cargo build --release is faster, \
         with the same bits",
    )
}

/// Whether the processor has AVX2. It is asked itself: the standard library takes for granted what
/// the program was built for.
#[cfg(target_arch = "x86_64")]
fn available() -> bool {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    const AVX2: u32 = 1 << 5;
    __cpuid(0).eax >= 7 && __cpuid_count(7, 0).ebx & AVX2 != 0
}

#[cfg(not(target_arch = "x86_64"))]
fn available() -> bool {
    false
}
