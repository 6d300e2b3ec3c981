use crate::math::Vec3;

/// One point at which two shapes touch or come close.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Hit {
    /// Distance between the surfaces; negative when they overlap.
    pub(crate) dist: f64,
    /// The point midway between the surfaces.
    pub(crate) pos: Vec3,
    /// Unit vector from the first shape to the second.
    pub(crate) normal: Vec3,
    /// Where the first tangent should point; zero if that does not matter.
    pub(crate) tangent: Vec3,
}

/// The most points that two geoms can have in common.
pub(crate) const MAX_HITS: usize = 50;

/// The points found between two shapes, in order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Hits(Vec<Hit>);

impl Hits {
    /// Forgets all points.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Adds a point; one too many is dropped.
    pub(crate) fn push(&mut self, hit: Hit) {
        if self.0.len() < MAX_HITS {
            self.0.push(hit);
        }
    }

    /// Keeps the first `len` points.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }
}

impl std::ops::Deref for Hits {
    type Target = [Hit];
    fn deref(&self) -> &[Hit] {
        &self.0
    }
}

impl std::ops::DerefMut for Hits {
    fn deref_mut(&mut self) -> &mut [Hit] {
        &mut self.0
    }
}
