//! Secrets, and sequences for tests.

/// A secret of 128 bits as hexadecimal digits.
pub(crate) fn token() -> std::io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| std::io::Error::other(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Compares in a time that depends on the lengths alone.
pub(crate) fn same_secret(a: &str, b: &str) -> bool {
    let differences = a.bytes().zip(b.bytes()).fold(0, |sum, (x, y)| sum | (x ^ y));
    a.len() == b.len() && std::hint::black_box(differences) == 0
}

/// Reproducible numbers for tests (xorshift).
#[cfg(test)]
pub(crate) struct Sequence(u64);

#[cfg(test)]
impl Sequence {
    pub(crate) fn new(seed: u64) -> Sequence {
        Sequence(seed.wrapping_mul(0x9e3779b97f4a7c15) | 1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 16
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_long_and_differ() {
        let (a, b) = (token().unwrap(), token().unwrap());
        assert_eq!(a.len(), 32);
        assert!(!same_secret(&a, &b) && same_secret(&a, &a.clone()));
        assert!(!same_secret(&a, &a[..31]) && !same_secret(&a, ""));
    }
}
