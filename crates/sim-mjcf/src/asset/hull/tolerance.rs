//! Bounds of rounding errors, from which all decisions about coplanar points and facets follow.

/// The bounds for one set of points.
///
/// Barber, Dobkin and Huhdanpaa (1996), section 4: a distance from a plane that is smaller than
/// the error with which it is computed has no sign. All lengths follow from that error, `round`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tolerance {
    /// Largest error of a computed distance between a point and a plane.
    pub round: f64,
    /// A point this far above a facet sees it; below, down to the same depth, it is coplanar.
    pub visible: f64,
    /// A point this far above a facet is outside.
    pub outside: f64,
    /// Half-width of the band within which a centrum counts as coplanar with a facet.
    pub centrum: f64,
    /// Largest displacement of a plane by one merge.
    pub one_merge: f64,
    /// Points less deep than this below a facet are kept with it: merges may expose them again.
    pub near_inside: f64,
    /// A merge of vertices this far off the plane freezes the centrum of the facet.
    pub wide: f64,
    /// Pivots below these are zero in an elimination of one, two and three columns.
    pub pivot: [f64; 3],
    /// Norms and quotients below these are not divided by.
    pub tiny_norm: f64,
    pub tiny_quotient: f64,
    pub tiny_diagonal: f64,
    /// Largest extent of the points along an axis.
    pub width: f64,
}

impl Tolerance {
    /// The bounds for points between `lower` and `upper`.
    pub(super) fn new(lower: [f64; 3], upper: [f64; 3]) -> Self {
        let mut width = f64::MIN;
        let mut largest: f64 = 0.0;
        let mut sum = 0.0;
        let mut pivot = [0.0; 3];
        for k in 0..3 {
            let bound = max(upper[k], -lower[k]);
            width = max(width, upper[k] - lower[k]);
            largest = max(largest, bound);
            sum += bound;
            pivot[k] = 80.0 * sum * f64::EPSILON;
        }

        // a dot product of three terms and an offset, each with one rounding
        let reach = min(3f64.sqrt() * largest, sum);
        let round = f64::EPSILON * (3.0 * reach * 1.01 + largest);

        let centrum = 2.0 * round;
        let one_merge = 3.0 * centrum + round;
        let outside = 2.0 * centrum;
        let tiny_quotient = (f64::MIN_POSITIVE * 3.0).sqrt();
        Self {
            round,
            visible: centrum,
            outside,
            centrum,
            one_merge,
            near_inside: one_merge * 5.0,
            wide: max(outside, 6.0 * centrum),
            pivot,
            tiny_norm: f64::MIN_POSITIVE * largest,
            tiny_quotient,
            tiny_diagonal: tiny_quotient * largest,
            width,
        }
    }
}

/// The larger of two numbers; the second if they compare equal.
pub(super) fn max(a: f64, b: f64) -> f64 {
    if a < b { b } else { a }
}

/// The smaller of two numbers.
pub(super) fn min(a: f64, b: f64) -> f64 {
    if a > b { b } else { a }
}
