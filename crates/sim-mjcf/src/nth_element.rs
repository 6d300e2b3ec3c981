//! Selection with the order of libc++.

/// Reorders `items` so that the element at `nth` is the one that sorting would put there, with
/// smaller ones before it and larger ones after it. Quickselect (Hoare, Algorithm 65, 1961) with the
/// median of three.
///
/// Hierarchies of boxes compare with a tolerance, which is no order, and then depend on the
/// comparisons made: this makes those of libc++ 20, `std::nth_element`. A comparison that is no
/// order at all ends early and leaves the items in some order.
pub(crate) fn nth_element<T: Copy>(items: &mut [T], nth: usize, less: impl Fn(&T, &T) -> bool) {
    let (mut first, mut last) = (0, items.len());
    while nth < last {
        match last - first {
            0 | 1 => return,
            2 => {
                if less(&items[last - 1], &items[first]) {
                    items.swap(first, last - 1);
                }
                return;
            }
            3 => {
                sort3(items, [first, first + 1, last - 1], &less);
                return;
            }
            4..=7 => return selection_sort(&mut items[first..last], &less),
            _ => {}
        }
        match partition(items, first, nth, last, &less) {
            // only a comparison that is no order leaves as much as before
            Some((from, to)) if to - from < last - first => (first, last) = (from, to),
            _ => return,
        }
    }
}

/// Partitions a range at a median of three; returns the part that holds `nth`, unless that is at
/// its place already.
fn partition<T: Copy>(
    items: &mut [T],
    first: usize,
    nth: usize,
    last: usize,
    less: &impl Fn(&T, &T) -> bool,
) -> Option<(usize, usize)> {
    let mut median = first + (last - first) / 2;
    let mut swaps = sort3(items, [first, median, last - 1], less);
    let (mut i, mut j) = (first, last - 1);

    // the upward search ends at the median; the downward one needs a smaller element to end at
    if !less(&items[i], &items[median]) {
        loop {
            j -= 1;
            if i == j {
                return split_equal(items, first, nth, last, less);
            }
            if less(&items[j], &items[median]) {
                break;
            }
        }
        items.swap(i, j);
        swaps += 1;
    }
    i += 1;
    if i < j {
        swaps += swap_blocks(items, &mut i, &mut j, &mut median, less);
        loop {
            while less(items.get(i)?, &items[median]) {
                i += 1;
            }
            loop {
                j = j.checked_sub(1)?;
                if less(&items[j], &items[median]) {
                    break;
                }
            }
            if i >= j {
                break;
            }
            items.swap(i, j);
            swaps += 1;
            if median == i {
                median = j;
            }
            i += 1;
        }
    }
    if i != median && less(&items[median], items.get(i)?) {
        items.swap(i, median);
        swaps += 1;
    }
    if nth == i {
        return None;
    }
    // where nothing moved, the part may be sorted already
    let sorted = |part: &[T]| part.windows(2).all(|pair| !less(&pair[1], &pair[0]));
    if nth < i {
        (swaps > 0 || !sorted(&items[first..i])).then_some((first, i))
    } else {
        (swaps > 0 || !sorted(items.get(i..last)?)).then_some((i + 1, last))
    }
}

/// Elements of a block.
const BLOCK: usize = 16;

/// Runs the searches of a partition for as long as a block of elements is left on both sides, and
/// returns the number of swaps. Which elements are on the wrong side is found without branches
/// (Edelkamp and Weiß, BlockQuicksort, 2016); they are swapped in the order of the plain searches.
#[inline]
fn swap_blocks<T: Copy>(
    items: &mut [T],
    i: &mut usize,
    j: &mut usize,
    median: &mut usize,
    less: &impl Fn(&T, &T) -> bool,
) -> usize {
    let pivot = items[*median];
    let mut swaps = 0;
    while *j - *i >= 2 * BLOCK {
        let (mut left, mut right) = ([0u8; BLOCK], [0u8; BLOCK]);
        let (mut on_left, mut on_right) = (0, 0);
        let low: &[T; BLOCK] = items[*i..].first_chunk().expect("there is a block");
        for (at, item) in low.iter().enumerate() {
            left[on_left] = at as u8;
            on_left += usize::from(!less(item, &pivot));
        }
        let high: &[T; BLOCK] = items[..*j].last_chunk().expect("there is a block");
        for (at, item) in high.iter().rev().enumerate() {
            right[on_right] = at as u8;
            on_right += usize::from(less(item, &pivot));
        }
        let pairs = on_left.min(on_right);
        for (&left, &right) in left[..pairs].iter().zip(&right[..pairs]) {
            let (from, to) = (*i + usize::from(left), *j - 1 - usize::from(right));
            items.swap(from, to);
            if *median == from {
                *median = to;
            }
        }
        swaps += pairs;
        // a block with more to swap is searched again from the next such element
        *i += if on_left > pairs { usize::from(left[pairs]) } else { BLOCK };
        *j -= if on_right > pairs { usize::from(right[pairs]) } else { BLOCK };
    }
    swaps
}

/// Splits a range whose first element is the smallest into those equal to it and the rest; returns
/// the rest if `nth` is there.
fn split_equal<T: Copy>(
    items: &mut [T],
    first: usize,
    nth: usize,
    last: usize,
    less: &impl Fn(&T, &T) -> bool,
) -> Option<(usize, usize)> {
    let (mut i, mut j) = (first + 1, last - 1);
    if !less(&items[first], &items[j]) {
        // the upward search needs a larger element to end at
        loop {
            if i == j {
                return None;
            }
            if less(&items[first], &items[i]) {
                items.swap(i, j);
                i += 1;
                break;
            }
            i += 1;
        }
    }
    if i == j {
        return None;
    }
    loop {
        while !less(&items[first], items.get(i)?) {
            i += 1;
        }
        loop {
            j = j.checked_sub(1)?;
            if !less(&items[first], &items[j]) {
                break;
            }
        }
        if i >= j {
            break;
        }
        items.swap(i, j);
        i += 1;
    }
    (nth >= i).then_some((i, last))
}

/// Sorts three elements; returns the number of swaps.
fn sort3<T>(items: &mut [T], [x, y, z]: [usize; 3], less: &impl Fn(&T, &T) -> bool) -> usize {
    if !less(&items[y], &items[x]) {
        if !less(&items[z], &items[y]) {
            return 0;
        }
        items.swap(y, z);
        if less(&items[y], &items[x]) {
            items.swap(x, y);
            return 2;
        }
        return 1;
    }
    if less(&items[z], &items[y]) {
        items.swap(x, z);
        return 1;
    }
    items.swap(x, y);
    if less(&items[z], &items[y]) {
        items.swap(y, z);
        return 2;
    }
    1
}

/// Sorts by bringing the smallest element to the front, again and again.
fn selection_sort<T>(items: &mut [T], less: &impl Fn(&T, &T) -> bool) {
    for first in 0..items.len().saturating_sub(1) {
        let mut smallest = first;
        for i in first + 1..items.len() {
            if less(&items[i], &items[smallest]) {
                smallest = i;
            }
        }
        if smallest != first {
            items.swap(first, smallest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that look random.
    fn numbers(count: usize, range: u64, seed: u64) -> Vec<u64> {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let next = |_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % range
        };
        (0..count).map(next).collect()
    }

    #[test]
    fn the_nth_is_where_sorting_puts_it_and_splits_the_rest() {
        for count in 1..60 {
            for seed in 0..40 {
                let items = numbers(count, if seed % 2 == 0 { 5 } else { 1000 }, seed);
                let nth = seed as usize % count;
                let mut selected = items.clone();
                nth_element(&mut selected, nth, |a, b| a < b);
                let mut sorted = items;
                sorted.sort_unstable();
                assert_eq!(selected[nth], sorted[nth]);
                assert!(selected[..nth].iter().all(|&x| x <= sorted[nth]));
                assert!(selected[nth..].iter().all(|&x| x >= sorted[nth]));
            }
        }
    }

    #[test]
    fn a_comparison_that_is_no_order_ends() {
        for seed in 0..200 {
            let items = numbers(100, 1 << 20, seed);
            for less in [
                |_: &u64, _: &u64| true,
                |_: &u64, _: &u64| false,
                |a: &u64, b: &u64| (a ^ b).is_multiple_of(3),
            ] {
                let mut selected = items.clone();
                nth_element(&mut selected, 50, less);
                selected.sort_unstable();
                let mut expected = items.clone();
                expected.sort_unstable();
                assert_eq!(selected, expected);
            }
        }
    }
}
