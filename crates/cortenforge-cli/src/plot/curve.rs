//! Curves with no more points than can be seen.

use super::axis::Axis;

/// The lines of a curve in pixels. Of many samples in one column of pixels, only the extremes are
/// drawn; the line is broken where a value is not finite and where time goes back.
pub(super) fn lines(time: &[f64], values: &[f64], x: &Axis, y: &Axis) -> Vec<Vec<(f64, f64)>> {
    let mut lines = Vec::new();
    let mut end = |run: &mut Vec<(f64, f64)>| {
        if !run.is_empty() {
            lines.push(straighten(&thin(run)));
            run.clear();
        }
    };
    let mut run: Vec<(f64, f64)> = Vec::new();
    let mut last_time = f64::NEG_INFINITY;
    for (&t, &value) in time.iter().zip(values) {
        if !value.is_finite() || !t.is_finite() || t < last_time {
            end(&mut run);
        }
        if value.is_finite() && t.is_finite() {
            run.push((x.pixel(t), y.pixel(value)));
        }
        last_time = t;
    }
    end(&mut run);
    lines
}

/// Keeps the first, lowest, highest and last point of each half-pixel column.
fn thin(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let column = |point: &(f64, f64)| (2.0 * point.0).floor();
    let mut kept: Vec<(f64, f64)> = Vec::new();
    for group in points.chunk_by(|a, b| column(a) == column(b)) {
        let by_height = |&a: &usize, &b: &usize| group[a].1.total_cmp(&group[b].1);
        let low = (0..group.len()).min_by(by_height).unwrap_or(0);
        let high = (0..group.len()).max_by(by_height).unwrap_or(0);
        let mut picks = [0, low, high, group.len() - 1];
        picks.sort_unstable();
        let mut previous = None;
        for pick in picks {
            if previous != Some(pick) {
                kept.push(group[pick]);
            }
            previous = Some(pick);
        }
    }
    kept
}

/// Leaves out points that lie on the line between their neighbours, to a tenth of a pixel (Ramer,
/// Douglas and Peucker).
fn straighten(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    const TOLERANCE: f64 = 0.1;
    let mut keep = vec![false; points.len()];
    let mut spans = Vec::new();
    if let Some(last) = points.len().checked_sub(1) {
        (keep[0], keep[last]) = (true, true);
        spans.push((0, last));
    }
    while let Some((first, last)) = spans.pop() {
        let ((x0, y0), (x1, y1)) = (points[first], points[last]);
        // time goes on along the span, so heights above the chord tell the distance
        let height = |i: usize| {
            let (x, y) = points[i];
            let chord = if x1 > x0 { y0 + (y1 - y0) * (x - x0) / (x1 - x0) } else { y0 };
            (y - chord).abs()
        };
        let farthest =
            (first + 1..last).max_by(|&a, &b| height(a).total_cmp(&height(b))).unwrap_or(first);
        if farthest > first && height(farthest) > TOLERANCE {
            keep[farthest] = true;
            spans.extend([(first, farthest), (farthest, last)]);
        }
    }
    points.iter().zip(keep).filter(|(_, keep)| *keep).map(|(&point, _)| point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinning_keeps_the_extremes() {
        let points: Vec<_> =
            (0..1000).map(|i| (10.0 + i as f64 * 1e-5, (i * 7 % 1000) as f64)).collect();
        let kept = thin(&points);
        assert!(kept.len() <= 4);
        let heights: Vec<f64> = kept.iter().map(|point| point.1).collect();
        assert!(heights.contains(&0.0) && heights.contains(&999.0));
        assert_eq!((kept.first(), kept.last()), (points.first(), points.last()));
    }

    #[test]
    fn straight_lines_need_two_points() {
        let line: Vec<_> = (0..100).map(|i| (f64::from(i), 2.0 * f64::from(i))).collect();
        assert_eq!(straighten(&line), [(0.0, 0.0), (99.0, 198.0)]);
        let corner = [(0.0, 0.0), (1.0, 1.0), (2.0, 2.0), (3.0, 1.0), (4.0, 0.0)];
        assert_eq!(straighten(&corner), [(0.0, 0.0), (2.0, 2.0), (4.0, 0.0)]);
        assert!(straighten(&[]).is_empty());
    }

    #[test]
    fn lines_break_at_missing_values() {
        let time = [0.0, 1.0, 2.0, 3.0, 4.0];
        let x = Axis::new(time.into_iter(), 0.0, 100.0, false);
        let lines = lines(&time, &[0.0, 1.0, f64::NAN, 1.0, 0.0], &x, &x);
        assert_eq!(lines, [[(0.0, 0.0), (25.0, 25.0)], [(75.0, 25.0), (100.0, 0.0)]]);
    }
}
