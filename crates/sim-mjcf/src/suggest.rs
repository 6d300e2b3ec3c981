//! "Did you mean …?": the nearest of the known names.

use crate::error::Error;

/// Adds the nearest of the known names to an error, or all of them if they are few.
pub(crate) fn advise(error: Error, name: &str, known: &[&str], intro: &str) -> Error {
    match nearest(name, known.iter().copied()) {
        Some(nearest) => error.help(format!("did you mean '{nearest}'?")),
        None if !known.is_empty() && known.len() <= 16 => {
            error.help(format!("{intro} {}", quoted(known)))
        }
        None => error,
    }
}

/// The known name that is nearest to `name` by edit distance, the first of several; none if that
/// takes more than one change and one more per four letters, or changes half of the letters.
pub(crate) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let lower = name.to_lowercase();
    let letters = name.chars().count();
    known
        .map(|known| (distance(&lower, &known.to_lowercase()), known))
        .min_by_key(|&(distance, _)| distance)
        .filter(|&(distance, known)| {
            distance <= 1 + letters / 4 && 2 * distance < letters.max(known.chars().count())
        })
        .map(|(_, known)| known)
}

/// Names in quotes, with commas between them.
pub(crate) fn quoted(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
    names.join(", ")
}

/// Computes the edit distance with transpositions (Damerau-Levenshtein, optimal string alignment):
/// the letters to insert, remove, replace or swap with their neighbour to turn `a` into `b`. Letters
/// after the 64th are ignored.
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().take(64).collect();
    let b: Vec<char> = b.chars().take(64).collect();
    // rows of the table of distances between beginnings of the names
    let mut before = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    let mut current = vec![0; b.len() + 1];
    for i in 1..=a.len() {
        current[0] = i;
        for j in 1..=b.len() {
            let change = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            current[j] = change.min(last[j] + 1).min(current[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                current[j] = current[j].min(before[j - 2] + 1);
            }
        }
        std::mem::swap(&mut before, &mut last);
        std::mem::swap(&mut last, &mut current);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_that_are_swapped_count_once() {
        assert_eq!(distance("szie", "size"), 1);
        assert_eq!(distance("torzo", "torso"), 1);
        assert_eq!(distance("", "abc"), 3);
    }

    #[test]
    fn short_names_are_near_to_nothing() {
        assert_eq!(nearest("b", ["a"].into_iter()), None);
        assert_eq!(nearest("gc", ["ga", "gb"].into_iter()), None);
        assert_eq!(nearest("Siz", ["pos", "size"].into_iter()), Some("size"));
    }
}
