use std::cell::Cell;

use super::difference::Couple;
use crate::geometry::{Hint, Solid};
use crate::math::Vec3;

/// Number of pairs that are remembered.
const PLACES: usize = 1024;

/// Separating axes: directions that kept pairs of geoms apart when they were last looked at.
///
/// Geoms move little from one step to the next, so that the axis of the last step mostly separates
/// them again; two support points show that. An axis is never trusted without them, so it does not
/// matter where it comes from, and a pair that another one has pushed out only takes longer.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct Separations {
    /// A hash table without chains.
    places: Vec<Separation>,
}

#[derive(Debug, Clone, Copy)]
struct Separation {
    geoms: [u32; 2],
    /// From the first geom to the second, in the frame of the first: geoms of one mechanism often
    /// move together.
    axis: Vec3,
    /// Where the support points of meshes were found.
    hints: [Hint; 2],
}

impl Separations {
    /// Whether the remembered axis still keeps two bodies apart by more than `slack`; none if there
    /// is no axis of theirs.
    #[inline]
    pub(super) fn hold(&mut self, geoms: [u32; 2], couple: &Couple, slack: f64) -> Option<bool> {
        let place = self.places.get_mut(place(geoms)).filter(|place| place.geoms == geoms)?;
        // a search of its own: the one for contact must not know where this one ended. It starts
        // with the height of the vertex found before, which mostly is the highest still
        let hints = place.hints.map(Cell::new);
        let (a, b) = (couple.a.with_hint(&hints[0]), couple.b.with_hint(&hints[1]));
        let axis = *a.mat * place.axis;
        let gap = axis.dot(b.farthest(-axis)) - axis.dot(a.farthest(axis));
        place.hints = hints.map(|hint| hint.get());
        Some(gap > slack)
    }

    /// Whether a body is known to be higher above a plane than `slack`: the vertex that was lowest
    /// is, and none of its neighbours is lower.
    #[inline]
    pub(super) fn above(
        &mut self,
        geoms: [u32; 2],
        body: &Solid,
        [normal, origin]: [Vec3; 2],
        slack: f64,
    ) -> bool {
        let place = self.places.get_mut(place(geoms)).filter(|place| place.geoms == geoms);
        let Some(place) = place else { return false };
        let hint = Cell::new(place.hints[1]);
        let lowest = body.with_hint(&hint).farthest(-normal);
        place.hints[1] = hint.get();
        normal.dot(lowest - origin) > slack
    }

    /// Remembers that a plane is below a body.
    #[inline]
    pub(super) fn remember_above(&mut self, geoms: [u32; 2], normal: Vec3, lowest: Hint) {
        self.put(Separation { geoms, axis: normal, hints: [Hint::NONE, lowest] });
    }

    /// Remembers that an axis separates two bodies.
    #[inline]
    pub(super) fn remember(&mut self, geoms: [u32; 2], couple: &Couple, axis: Vec3) {
        let axis = couple.a.mat.transpose_mul(axis);
        self.put(Separation { geoms, axis, hints: [couple.a.hint(), couple.b.hint()] });
    }

    fn put(&mut self, separation: Separation) {
        const EMPTY: Separation =
            Separation { geoms: [u32::MAX; 2], axis: Vec3::ZERO, hints: [Hint::NONE; 2] };
        if self.places.is_empty() {
            self.places.resize(PLACES, EMPTY);
        }
        self.places[place(separation.geoms)] = separation;
    }
}

/// The place of a pair (Knuth's multiplicative hash).
fn place([a, b]: [u32; 2]) -> usize {
    let mixed = a.wrapping_mul(0x9e37_79b1) ^ b.wrapping_mul(0x85eb_ca77);
    (mixed >> 16) as usize % PLACES
}
