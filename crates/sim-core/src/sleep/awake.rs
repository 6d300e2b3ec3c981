//! Who takes part in a stage.

use std::ops::{Add, Range};
use std::slice;

use crate::Model;
use crate::model::{Enable, SleepState};

/// Who is awake, for a stage that goes on to write to other fields of the data; made by [`awake!`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Awake<'a> {
    nbody: usize,
    nv: usize,
    /// None if no one sleeps.
    lists: Option<Lists<'a>>,
}

/// The fields of `Data` of the same names, as far as they are in use.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lists<'a> {
    pub(crate) body_awake: &'a [i32],
    pub(crate) body_awake_ind: &'a [i32],
    pub(crate) parent_awake_ind: &'a [i32],
    pub(crate) dof_awake_ind: &'a [i32],
}

/// Who is awake in `$data`, by borrows of single fields. Mostly no one sleeps, which is one test.
macro_rules! awake {
    ($model:expr, $data:expr) => {
        $crate::sleep::Awake::new(
            $model,
            $crate::sleep::some_sleep($model, $data.ntree_awake).then(|| $crate::sleep::Lists {
                body_awake: &$data.body_awake,
                body_awake_ind: &$data.body_awake_ind[..$data.nbody_awake],
                parent_awake_ind: &$data.parent_awake_ind[..$data.nparent_awake],
                dof_awake_ind: &$data.dof_awake_ind[..$data.nv_awake],
            }),
        )
    };
}
pub(crate) use awake;

/// Whether some trees sleep, so that stages have something to skip.
#[inline]
pub(crate) fn some_sleep(model: &Model, ntree_awake: usize) -> bool {
    ntree_awake < model.ntree && model.enabled(Enable::Sleep)
}

impl<'a> Awake<'a> {
    /// All of `model`, or those in `lists`.
    #[inline]
    pub(crate) fn new(model: &Model, lists: Option<Lists<'a>>) -> Awake<'a> {
        Awake { nbody: model.nbody, nv: model.nv, lists }
    }

    /// Whether no one sleeps.
    #[inline]
    pub(crate) fn all(&self) -> bool {
        self.lists.is_none()
    }

    /// Bodies that do not sleep, those that are fixed to the world included, the world first.
    #[inline]
    pub(crate) fn bodies(&self) -> Ids<'a> {
        Ids::new(0..self.nbody, self.lists.map(|lists| lists.body_awake_ind))
    }

    /// Bodies whose parents do not sleep, without the world.
    #[inline]
    pub(crate) fn children(&self) -> Ids<'a> {
        Ids::new(1..self.nbody, self.lists.map(|lists| lists.parent_awake_ind))
    }

    /// Adds to `x` of every body that of its children, children before parents. The world stays
    /// as it is.
    #[inline]
    pub(crate) fn sum_subtrees<T: Copy + Add<Output = T>>(&self, model: &Model, x: &mut [T]) {
        let x = &mut x[..self.nbody];
        // a sum is handed on when the next body is known: mostly it is the parent
        let (mut above, mut handed) = (0, x[0]);
        for body in self.children().rev() {
            let mut sum = x[body];
            if above == body {
                sum = sum + handed;
                x[body] = sum;
            } else if above > 0 {
                x[above] = x[above] + handed;
            }
            (above, handed) = (model.body_parent(body), sum);
        }
        if above > 0 {
            x[above] = x[above] + handed;
        }
    }

    /// Dofs of trees that are awake.
    #[inline]
    pub(crate) fn dofs(&self) -> Ids<'a> {
        Ids::new(0..self.nv, self.lists.map(|lists| lists.dof_awake_ind))
    }

    /// Whether `body` sleeps. What is fixed to the world does not.
    #[inline]
    pub(crate) fn sleeps(&self, body: usize) -> bool {
        self.lists.is_some_and(|lists| lists.body_awake[body] == SleepState::Asleep as i32)
    }

    /// Whether `body` stays where it is: it sleeps or, while others do, is fixed to the world.
    #[inline]
    pub(crate) fn stays(&self, body: usize) -> bool {
        self.lists.is_some_and(|lists| lists.body_awake[body] != SleepState::Awake as i32)
    }
}

/// Ids in increasing order: all of a range, or those of a list.
#[derive(Debug, Clone)]
pub(crate) enum Ids<'a> {
    All(Range<usize>),
    Listed(slice::Iter<'a, i32>),
}

impl<'a> Ids<'a> {
    #[inline]
    fn new(all: Range<usize>, listed: Option<&'a [i32]>) -> Ids<'a> {
        match listed {
            None => Ids::All(all),
            Some(listed) => Ids::Listed(listed.iter()),
        }
    }
}

impl Iterator for Ids<'_> {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        match self {
            Ids::All(all) => all.next(),
            Ids::Listed(listed) => listed.next().map(|&id| id as usize),
        }
    }

    // one loop for all, and one for a list
    #[inline(always)]
    fn fold<B, F: FnMut(B, usize) -> B>(self, init: B, mut f: F) -> B {
        match self {
            Ids::All(all) => all.fold(init, f),
            Ids::Listed(listed) => listed.fold(init, |total, &id| f(total, id as usize)),
        }
    }
}

impl DoubleEndedIterator for Ids<'_> {
    #[inline(always)]
    fn next_back(&mut self) -> Option<usize> {
        match self {
            Ids::All(all) => all.next_back(),
            Ids::Listed(listed) => listed.next_back().map(|&id| id as usize),
        }
    }
}
