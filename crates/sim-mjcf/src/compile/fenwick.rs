//! Running numbers of what bodies carry, while it moves from one body to another.

/// How much each body carries, as a Fenwick tree: sums over ranges that end at each body.
pub(super) struct Fenwick {
    sums: Vec<usize>,
}

impl Fenwick {
    /// The numbering of bodies that carry so much each.
    pub(super) fn new(counts: impl Iterator<Item = usize>) -> Fenwick {
        let mut sums: Vec<usize> = std::iter::once(0).chain(counts).collect();
        for i in 1..sums.len() {
            let above = i + (i & i.wrapping_neg());
            if above < sums.len() {
                sums[above] += sums[i];
            }
        }
        Fenwick { sums }
    }

    /// Moves `count` things that one body carries to another.
    pub(super) fn shift(&mut self, from: usize, to: usize, count: usize) {
        if count > 0 {
            self.change(from, |sum| sum - count);
            self.change(to, |sum| sum + count);
        }
    }

    fn change(&mut self, body: usize, f: impl Fn(usize) -> usize) {
        let mut i = body + 1;
        while i < self.sums.len() {
            self.sums[i] = f(self.sums[i]);
            i += i & i.wrapping_neg();
        }
    }

    /// The body that carries the thing of the given number, and which of its things that is.
    pub(super) fn find(&self, number: usize) -> Option<(usize, usize)> {
        let mut left = number;
        let mut body = 0;
        let mut step = self.sums.len().next_power_of_two() / 2;
        while step > 0 {
            let next = body + step;
            if next < self.sums.len() && self.sums[next] <= left {
                left -= self.sums[next];
                body = next;
            }
            step /= 2;
        }
        (body + 1 < self.sums.len()).then_some((body, left))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_run_through_the_bodies() {
        let mut counts = [2, 0, 3, 1, 0, 4, 0];
        let mut numbering = Fenwick::new(counts.iter().copied());
        for (from, to) in [(5, 2), (2, 0), (3, 0)] {
            let all = counts.iter().enumerate().flat_map(|(b, &n)| (0..n).map(move |i| (b, i)));
            for (number, place) in all.enumerate() {
                assert_eq!(numbering.find(number), Some(place));
            }
            assert_eq!(numbering.find(10), None);
            let moved = std::mem::take(&mut counts[from]);
            counts[to] += moved;
            numbering.shift(from, to, moved);
        }
        assert_eq!(numbering.find(9), Some((0, 9)));
    }
}
