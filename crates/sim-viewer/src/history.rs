//! States that can be returned to.

use std::collections::VecDeque;

use sim_core::data::ALL_STATES;
use sim_core::{Data, Model};

/// Most bytes of all states.
const MAX_BYTES: usize = 256 << 20;
/// Most states: nearly three minutes of frames.
const MAX_STATES: usize = 10_000;

/// Past states, oldest first.
#[derive(Debug, Default)]
pub(crate) struct History {
    states: VecDeque<Box<[f64]>>,
    times: VecDeque<f64>,
    marks: VecDeque<Mark>,
    /// State that is shown, if it is not the newest.
    place: Option<usize>,
}

/// What is worth knowing about a state from afar.
#[derive(Debug, Clone, Copy)]
struct Mark {
    contacts: usize,
    /// Warnings since the start.
    warnings: i32,
}

impl History {
    pub(crate) fn clear(&mut self) {
        *self = History::default();
    }

    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    /// The state that is shown.
    pub(crate) fn place(&self) -> usize {
        self.place.unwrap_or(self.len().saturating_sub(1))
    }

    /// First and last time.
    pub(crate) fn span(&self) -> [f64; 2] {
        [self.times.front(), self.times.back()].map(|time| time.copied().unwrap_or(0.0))
    }

    /// All states, from the last time that time went back.
    pub(crate) fn states(&self) -> Vec<Box<[f64]>> {
        let mut first = self.len().saturating_sub(1);
        while first > 0 && self.times[first - 1] < self.times[first] {
            first -= 1;
        }
        self.states.range(first..).cloned().collect()
    }

    /// The past in at most `count` parts: of each the time at its start, the most contacts, and
    /// whether a warning was raised.
    pub(crate) fn parts(&self, count: usize) -> impl Iterator<Item = (f64, usize, bool)> {
        let parts = self.len().min(count);
        let first = move |part: usize| part * self.len() / parts;
        (0..parts).map(move |part| {
            let (from, to) = (first(part), first(part + 1));
            let most = self.marks.range(from..to).map(|mark| mark.contacts).max().unwrap_or(0);
            let before = self.marks[from.saturating_sub(1)].warnings;
            (self.times[from], most, self.marks[to - 1].warnings > before)
        })
    }

    /// Keeps a state. States after the one that is shown are dropped: time continues from there.
    pub(crate) fn keep(&mut self, model: &Model, data: &Data) {
        self.branch();
        let size = model.state_size(ALL_STATES);
        let most = (MAX_BYTES / (8 * size.max(1))).clamp(2, MAX_STATES);
        let mut state = match self.states.len() >= most {
            true => self.states.pop_front().unwrap_or_default(),
            false => Box::default(),
        };
        if self.times.len() > self.states.len() {
            self.times.pop_front();
            self.marks.pop_front();
        }
        if state.len() != size {
            state = vec![0.0; size].into();
        }
        data.get_state(model, ALL_STATES, &mut state);
        self.states.push_back(state);
        self.times.push_back(data.time);
        let warnings = data.warning.iter().fold(0i32, |sum, stat| sum.saturating_add(stat.number));
        self.marks.push_back(Mark { contacts: data.ncon, warnings });
    }

    /// Drops what is later than the state that is shown.
    pub(crate) fn branch(&mut self) {
        if let Some(place) = self.place.take() {
            self.states.truncate(place + 1);
            self.times.truncate(place + 1);
            self.marks.truncate(place + 1);
        }
    }

    /// Looks at the newest state again; nothing is dropped.
    pub(crate) fn leave(&mut self) {
        self.place = None;
    }

    /// Returns to a state. Results have to be computed anew.
    pub(crate) fn go(&mut self, place: usize, model: &Model, data: &mut Data) {
        let place = place.min(self.len().saturating_sub(1));
        if let Some(state) = self.states.get(place) {
            data.set_state(model, ALL_STATES, state);
            self.place = Some(place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::step;

    #[test]
    fn a_state_comes_back_and_the_future_changes() {
        let xml =
            "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>";
        let model = sim_mjcf::load_str(xml).unwrap().model;
        let mut data = Data::new(&model);
        let mut history = History::default();
        for _ in 0..10 {
            history.keep(&model, &data);
            step(&model, &mut data);
        }
        history.go(3, &model, &mut data);
        assert!((data.time - 3.0 * model.opt.timestep).abs() < 1e-12);
        assert_eq!((history.place(), history.len()), (3, 10));
        step(&model, &mut data);
        history.keep(&model, &data);
        assert_eq!((history.place(), history.len()), (4, 5));
        assert_eq!(history.span(), [0.0, data.time]);
    }

    #[test]
    fn the_past_shows_contacts_and_warnings() {
        let xml = "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .3'>\
                   <freejoint/><geom size='.1'/></body></worldbody></mujoco>";
        let model = sim_mjcf::load_str(xml).unwrap().model;
        let mut data = Data::new(&model);
        let mut history = History::default();
        for state in 0..400 {
            if state == 205 {
                data.warning[0].number += 1;
            }
            history.keep(&model, &data);
            step(&model, &mut data);
        }
        let parts: Vec<_> = history.parts(100).collect();
        assert_eq!(parts.len(), 100);
        assert!((parts[50].0 - 200.0 * model.opt.timestep).abs() < 1e-9);
        assert_eq!((parts[0].1, parts[99].1), (0, 1));
        let warned: Vec<_> = (0..100).filter(|&part| parts[part].2).collect();
        assert_eq!(warned, [51]);
        assert_eq!(history.parts(1000).count(), 400);
    }
}
