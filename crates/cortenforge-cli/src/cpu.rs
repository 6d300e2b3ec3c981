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

/// Words about instructions that the program needs and the processor does not have.
pub(crate) fn missing() -> Option<String> {
    if !cfg!(target_feature = "avx2") || available() {
        return None;
    }
    Some(String::from(
        "error: this program was built for processors with AVX2 (x86-64-v3), which this one does not \
         have\n = help: build it for any processor: RUSTFLAGS='-Ctarget-cpu=x86-64' cargo build \
         --release; results have the same bits",
    ))
}

/// A hint where the processor could do more than the program was built for.
pub(crate) fn hint() -> Option<&'static str> {
    let slower = cfg!(target_arch = "x86_64") && !cfg!(target_feature = "avx2") && available();
    slower.then_some(
        "this processor has AVX2: RUSTFLAGS='-Ctarget-cpu=x86-64-v3' cargo build --release is faster, \
         with the same bits",
    )
}

/// Whether the processor has the instructions of x86-64-v3.
#[cfg(target_arch = "x86_64")]
fn available() -> bool {
    std::is_x86_feature_detected!("avx2")
        && std::is_x86_feature_detected!("bmi1")
        && std::is_x86_feature_detected!("bmi2")
        && std::is_x86_feature_detected!("fma")
        && std::is_x86_feature_detected!("lzcnt")
}

#[cfg(not(target_arch = "x86_64"))]
fn available() -> bool {
    false
}
