//! Symmetric matrices made of blocks, most of them zero, and their factorisation.
//!
//! The unknowns come in nodes; some pairs of nodes are tied. Nodes are eliminated in an order that
//! makes little fill. Nodes that follow each other and are tied to (almost) the same later nodes
//! form a panel, which is a full matrix: a row for each own unknown, with a column for each own
//! unknown and for each later one that it is tied to. What the rows of a panel take from the later
//! ones is one product of full matrices.

use wide::f64x4;

use super::minimum_degree::{MinimumDegree, reset};
use crate::math::{MINVAL, axpy_in_turn, axpy_rows, axpy4, scalars, scalars_mut, totals};
use crate::memory::reserve;

/// A matrix in panels, then its factors: `H = Uᵀ D U`, with ones on the diagonal of `U` and the
/// unknowns in the order of elimination.
#[derive(Debug, Clone, Default)]
pub(crate) struct Supernodal {
    /// The pattern: sizes of nodes and pairs that are tied.
    sizes: Vec<u32>,
    pairs: Vec<[u32; 2]>,
    elimination: MinimumDegree,
    plan: Plan,

    panels: Vec<Panel>,
    runs: Vec<Run>,
    /// Panel of each node, and its first position in the order of elimination.
    panel: Vec<u32>,
    position: Vec<u32>,
    /// The upper triangle, without the diagonal once it is factorised, and a chunk that nothing is in, so
    /// that four elements can be read from any place on; `1 / D`.
    values: Vec<f64x4>,
    inverse: Vec<f64>,

    /// Rows of a panel, divided by their pivots; what a panel takes from later rows.
    scaled: Vec<f64x4>,
    products: Vec<f64x4>,
    /// A vector in the order of elimination; its part in the later rows of a panel.
    permuted: Vec<f64>,
    later: Vec<f64x4>,
}

/// A panel of `width` rows. A row takes `stride` chunks: `width` columns of its own, then those of
/// its runs.
#[derive(Debug, Clone, Copy)]
struct Panel {
    /// First position.
    first: usize,
    width: usize,
    /// Own and later columns.
    columns: usize,
    stride: usize,
    start: usize,
    runs: [usize; 2],
}

/// Positions in a later panel that follow each other, as columns of an earlier one.
#[derive(Debug, Clone, Copy)]
struct Run {
    panel: usize,
    position: usize,
    len: usize,
    column: usize,
}

/// Work space of the analysis, by node.
#[derive(Debug, Clone, Default)]
struct Plan {
    /// When it is eliminated.
    turn: Vec<u32>,
    /// The first node of later turn that it is tied to; nodes of which it is that one.
    parent: Vec<u32>,
    child: Vec<u32>,
    sibling: Vec<u32>,
    stack: Vec<u32>,
    /// Nodes in the final order.
    order: Vec<u32>,
    ties: Vec<u32>,
}

const NONE: u32 = u32::MAX;

/// The most rows that are eliminated before their products are taken from all others.
const DEPTH: usize = 16;

/// Where a block of the matrix is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Target {
    /// Address of its first element.
    pub(crate) at: usize,
    /// From one row to the next.
    pub(crate) stride: usize,
}

impl Supernodal {
    /// Prepares for matrices with this pattern; `pairs` has every pair of tied nodes once, in
    /// order. Does nothing if the pattern is the one of before. Returns whether the matrix takes no
    /// more than `most` bytes; if it does, there is none.
    pub(crate) fn analyse(&mut self, sizes: &[u32], pairs: &[[u32; 2]], most: usize) -> bool {
        if self.sizes == sizes && self.pairs == pairs {
            return true;
        }
        self.sizes.clear();
        self.sizes.extend_from_slice(sizes);
        self.pairs.clear();
        self.pairs.extend_from_slice(pairs);
        self.elimination.run(sizes, pairs);
        self.plan.run(&self.elimination);
        let fits = self.lay_out(most);
        if !fits {
            // not a pattern that is prepared for
            self.sizes.clear();
            self.pairs.clear();
        }
        fits
    }

    /// First position of a node in the order of elimination.
    pub(crate) fn position(&self, node: usize) -> usize {
        self.position[node] as usize
    }

    /// Where the element of the rows at `position` of `node` is whose column is `column`, which
    /// must not come before `position` and must belong to the same node or one tied to it.
    pub(crate) fn target(&self, node: usize, position: usize, column: usize) -> Target {
        let panel = &self.panels[self.panel[node] as usize];
        let place = if column < panel.first + panel.width {
            column - panel.first
        } else {
            let runs = &self.runs[panel.runs[0]..panel.runs[1]];
            let run = &runs[runs.partition_point(|run| run.position <= column) - 1];
            run.column + column - run.position
        };
        let stride = 4 * panel.stride;
        Target { at: 4 * panel.start + (position - panel.first) * stride + place, stride }
    }

    /// Makes the matrix zero and returns its elements.
    pub(crate) fn clear(&mut self) -> &mut [f64] {
        self.values.fill(f64x4::ZERO);
        scalars_mut(&mut self.values)
    }

    /// Groups nodes into panels; false if they would take more than `most` bytes.
    fn lay_out(&mut self, most: usize) -> bool {
        let Self { sizes, elimination, plan, panels, runs, position, panel, .. } = self;
        let n = sizes.len();
        reset(position, n, 0);
        reset(panel, n, 0);
        panels.clear();
        runs.clear();
        let mut start = 0;
        let mut next = 0;
        let mut k = 0;
        while k < n {
            let first = next;
            let mut group = Group::default();
            loop {
                let node = plan.order[k];
                let (size, later) =
                    (sizes[node as usize] as usize, elimination.weight(node) as usize);
                let grown = group.with(size, later);
                let tied = k > 0 && plan.parent[plan.order[k - 1] as usize] == node;
                if group.width > 0 && !(tied && grown.pays()) {
                    break;
                }
                group = grown;
                position[node as usize] = next as u32;
                panel[node as usize] = panels.len() as u32;
                next += size;
                k += 1;
                if k == n {
                    break;
                }
            }
            let columns = group.width + group.later;
            let stride = columns.div_ceil(4);
            panels.push(Panel { first, width: group.width, columns, stride, start, runs: [0; 2] });
            start += stride * group.width;
        }
        if start * size_of::<f64x4>() > most || !reserve(&mut self.values, start + 1) {
            return false;
        }
        // the last node of a panel is tied to all later ones that the panel is tied to
        let mut k = 0;
        for id in 0..panels.len() {
            while k < n && panel[plan.order[k] as usize] as usize == id {
                k += 1;
            }
            plan.ties.clear();
            plan.ties.extend_from_slice(elimination.ties(plan.order[k - 1]));
            plan.ties.sort_unstable_by_key(|&node| position[node as usize]);
            let from = runs.len();
            let mut column = panels[id].width;
            for &node in &plan.ties {
                let (position, len) = (position[node as usize], sizes[node as usize] as usize);
                let (position, panel) = (position as usize, panel[node as usize] as usize);
                match runs[from..].last_mut() {
                    Some(run) if run.panel == panel && run.position + run.len == position => {
                        run.len += len;
                    }
                    _ => runs.push(Run { panel, position, len, column }),
                }
                column += len;
            }
            panels[id].runs = [from, runs.len()];
        }
        reset(&mut self.values, start + 1, f64x4::ZERO);
        reset(&mut self.inverse, next, 0.0);
        reset(&mut self.permuted, next, 0.0);
        true
    }

    /// Factorises in place.
    pub(crate) fn factor(&mut self) {
        for id in 0..self.panels.len() {
            let panel = self.panels[id];
            let Panel { first, width, columns, stride, start, .. } = panel;
            let later = columns - width;
            let rows = &mut self.values[start..start + width * stride];
            let size = later * stride;
            self.products.resize(self.products.len().max(size), f64x4::ZERO);
            self.scaled.resize(self.scaled.len().max(DEPTH * stride), f64x4::ZERO);
            for done in (0..width).step_by(DEPTH) {
                let depth = DEPTH.min(width - done);
                let (rows, rest) = rows[done * stride..].split_at_mut(depth * stride);
                let inverse = &mut self.inverse[first + done..first + done + depth];
                let scaled = &mut self.scaled[..depth * stride];
                eliminate(rows, scaled, stride, done, inverse);
                subtract_products::<false>(rest, done + depth, stride, rows, scaled);
                let products = &mut self.products[..size];
                if done == 0 {
                    subtract_products::<true>(products, width, stride, rows, scaled);
                } else {
                    subtract_products::<false>(products, width, stride, rows, scaled);
                }
                rows.copy_from_slice(scaled);
            }
            self.pass_on(&panel);
        }
    }

    /// Adds the products of a panel to the later rows.
    fn pass_on(&mut self, panel: &Panel) {
        let runs = &self.runs[panel.runs[0]..panel.runs[1]];
        let products = scalars(&self.products);
        let values = scalars_mut(&mut self.values);
        for (k, run) in runs.iter().enumerate() {
            let target = &self.panels[run.panel];
            let row = 4 * (target.start + (run.position - target.first) * target.stride);
            let source = 4 * (run.column - panel.width) * panel.stride;
            // its own columns: the triangle
            for i in 0..run.len {
                let out = row + 4 * i * target.stride + run.position - target.first;
                let from = source + 4 * i * panel.stride + run.column;
                add(&mut values[out + i..out + run.len], &products[from + i..from + run.len]);
            }
            let mut columns = Columns::new(target, run.panel, &self.runs);
            let mut others = runs[k + 1..].iter().peekable();
            while let Some(other) = others.next() {
                let Some(place) = columns.place(other) else { break };
                // runs of several panels may follow each other there, too
                let mut len = other.len;
                while let Some(next) =
                    others.next_if(|next| columns.place(next) == Some(place + len))
                {
                    len += next.len;
                }
                for i in 0..run.len {
                    let out = row + 4 * i * target.stride + place;
                    let from = source + 4 * i * panel.stride + other.column;
                    add(&mut values[out..out + len], &products[from..from + len]);
                }
            }
        }
    }

    /// Solves in place; `x` is given and returned in the order of the nodes.
    pub(crate) fn solve(&mut self, x: &mut [f64]) {
        let mut at = 0;
        for (&size, &position) in self.sizes.iter().zip(&self.position) {
            let (size, position) = (size as usize, position as usize);
            let own = &mut self.permuted[position..position + size];
            own.iter_mut().zip(&x[at..]).for_each(|(own, x)| *own = *x);
            at += size;
        }
        self.solve_transposed();
        for (x, inverse) in self.permuted.iter_mut().zip(&self.inverse) {
            *x *= inverse;
        }
        self.solve_upper();
        let mut at = 0;
        for (&size, &position) in self.sizes.iter().zip(&self.position) {
            let (size, position) = (size as usize, position as usize);
            let own = &self.permuted[position..position + size];
            x[at..].iter_mut().zip(own).for_each(|(x, own)| *x = *own);
            at += size;
        }
    }

    /// Solves `Uᵀ x = b`: earlier unknowns are taken from later ones.
    fn solve_transposed(&mut self) {
        for panel in &self.panels {
            let Panel { first, width, stride, start, .. } = *panel;
            reset(&mut self.later, stride, f64x4::ZERO);
            let rows = &self.values[start..start + width * stride];
            let own = &mut self.permuted[first..first + width];
            scalars_mut(&mut self.later)[..width].copy_from_slice(own);
            for (k, rows) in rows.chunks(4 * stride).enumerate() {
                let done = 4 * k;
                let from = done / 4;
                // within the group of rows, then all of it
                let count = rows.len() / stride;
                let mut x = [0.0; 4];
                for i in 0..count {
                    x[i] = scalars(&self.later)[done + i];
                    for j in 0..i {
                        x[i] -= scalars(rows)[4 * j * stride + done + i] * x[j];
                    }
                    own[done + i] = x[i];
                }
                let later = &mut self.later[from..];
                match (count, x.map(|x| -x)) {
                    (4, x) => axpy_rows(later, x, &rows[from..], stride),
                    (3, [a, b, c, _]) => axpy_in_turn(later, [a, b, c], &rows[from..], stride),
                    (2, [a, b, ..]) => axpy_in_turn(later, [a, b], &rows[from..], stride),
                    (_, x) => axpy4(later, x[0], &rows[from..stride]),
                }
            }
            let later = scalars(&self.later);
            for run in &self.runs[panel.runs[0]..panel.runs[1]] {
                let out = &mut self.permuted[run.position..run.position + run.len];
                add(out, &later[run.column..run.column + run.len]);
            }
        }
    }

    /// Solves `U x = b`: later unknowns are taken from earlier ones.
    fn solve_upper(&mut self) {
        for panel in self.panels.iter().rev() {
            let Panel { first, width, stride, start, .. } = *panel;
            reset(&mut self.later, stride, f64x4::ZERO);
            let later = scalars_mut(&mut self.later);
            for run in &self.runs[panel.runs[0]..panel.runs[1]] {
                let source = &self.permuted[run.position..run.position + run.len];
                later[run.column..run.column + run.len].copy_from_slice(source);
            }
            for done in (0..width).step_by(4).rev() {
                let rows = &self.values[start + done * stride..];
                let own = &mut self.permuted[first + done..first + width];
                let (chunk, later) = (done / 4, &mut self.later[..]);
                match own {
                    [a] => solve_rows([a], rows, stride, chunk, later),
                    [a, b] => solve_rows([a, b], rows, stride, chunk, later),
                    [a, b, c] => solve_rows([a, b, c], rows, stride, chunk, later),
                    [a, b, c, d, ..] => solve_rows([a, b, c, d], rows, stride, chunk, later),
                    [] => {}
                }
            }
        }
    }
}

/// Finds the columns of a panel in which the runs of an earlier one are.
struct Columns<'a> {
    panel: usize,
    first: usize,
    runs: &'a [Run],
}

impl<'a> Columns<'a> {
    fn new(target: &Panel, panel: usize, runs: &'a [Run]) -> Columns<'a> {
        Columns { panel, first: target.first, runs: &runs[target.runs[0]..target.runs[1]] }
    }

    /// The first column of a run; runs have to be asked for in order.
    #[inline]
    fn place(&mut self, run: &Run) -> Option<usize> {
        if run.panel == self.panel {
            return Some(run.position - self.first);
        }
        while let [own, rest @ ..] = self.runs
            && own.position + own.len <= run.position
        {
            self.runs = rest;
        }
        self.runs.first().map(|own| own.column + run.position - own.position)
    }
}

/// Nodes that are to share a panel.
#[derive(Debug, Clone, Copy, Default)]
struct Group {
    width: usize,
    /// Size of the later nodes that the last one is tied to.
    later: usize,
    /// Elements that are stored but zero.
    zeros: usize,
}

impl Group {
    fn with(self, size: usize, later: usize) -> Group {
        let zeros = self.zeros + self.width * (size + later).saturating_sub(self.later);
        Group { width: self.width + size, later, zeros: if self.width == 0 { 0 } else { zeros } }
    }

    /// Few enough zeros: larger panels are faster per element.
    fn pays(self) -> bool {
        let elements = self.width * (self.width / 2 + self.later);
        let share = if self.width <= 16 { 3 } else { 8 };
        self.zeros <= elements / share
    }
}

impl Plan {
    /// Orders nodes so that each comes after those it is the parent of, and directly after the
    /// one of them with the most ties.
    fn run(&mut self, elimination: &MinimumDegree) {
        let n = elimination.order.len();
        for list in [&mut self.turn, &mut self.parent, &mut self.child, &mut self.sibling] {
            reset(list, n, NONE);
        }
        for (turn, &node) in elimination.order.iter().enumerate() {
            self.turn[node as usize] = turn as u32;
        }
        self.stack.clear();
        for &node in &elimination.order {
            let turn = |node: &&u32| self.turn[**node as usize];
            let Some(&parent) = elimination.ties(node).iter().min_by_key(turn) else {
                self.stack.push(node);
                continue;
            };
            self.parent[node as usize] = parent;
            let head = self.child[parent as usize];
            if head == NONE || elimination.weight(node) >= elimination.weight(head) {
                self.sibling[node as usize] = head;
                self.child[parent as usize] = node;
            } else {
                self.sibling[node as usize] = self.sibling[head as usize];
                self.sibling[head as usize] = node;
            }
        }
        // from the last to the first
        self.order.clear();
        while let Some(node) = self.stack.pop() {
            self.order.push(node);
            let head = self.child[node as usize];
            if head != NONE {
                let mut next = self.sibling[head as usize];
                while next != NONE {
                    self.stack.push(next);
                    next = self.sibling[next as usize];
                }
                self.stack.push(head);
            }
        }
        self.order.reverse();
    }
}

/// Solves for `N` unknowns of a panel, whose columns are in one chunk, with their rows of `U`. `later` has
/// the unknowns of the panel and those later that are known, and takes these.
#[inline]
fn solve_rows<const N: usize>(
    x: [&mut f64; N],
    rows: &[f64x4],
    stride: usize,
    chunk: usize,
    later: &mut [f64x4],
) {
    let rows: [&[f64x4]; N] = std::array::from_fn(|i| &rows[i * stride..(i + 1) * stride]);
    let mut sums = [f64x4::ZERO; 4];
    for (c, later) in later.iter().enumerate().skip(chunk + 1) {
        for i in 0..N {
            sums[i] += rows[i][c] * *later;
        }
    }
    let sums = totals(sums).to_array();
    let mut own = later[chunk].to_array();
    for (i, x) in x.into_iter().enumerate().rev() {
        let row = rows[i][chunk].to_array();
        *x -= sums[i];
        for j in i + 1..4 {
            *x -= row[j] * own[j];
        }
        own[i] = *x;
    }
    later[chunk] = f64x4::new(own);
}

#[inline]
fn add(out: &mut [f64], x: &[f64]) {
    for (out, x) in out.iter_mut().zip(x) {
        *out += x;
    }
}

/// Eliminates rows among themselves, four at a time; the diagonal of the first is in column `first`.
/// Also divides them by their pivots.
fn eliminate(
    rows: &mut [f64x4],
    scaled: &mut [f64x4],
    stride: usize,
    first: usize,
    inverse: &mut [f64],
) {
    for k in (0..inverse.len()).step_by(4) {
        let inverse = &mut inverse[k..];
        let count = inverse.len().min(4);
        let (own, rest) = rows[k * stride..].split_at_mut(count * stride);
        let column = first + k;
        match count {
            1 => eliminate_rows::<1>(own, stride, column, inverse),
            2 => eliminate_rows::<2>(own, stride, column, inverse),
            3 => eliminate_rows::<3>(own, stride, column, inverse),
            _ => eliminate_rows::<4>(own, stride, column, inverse),
        }
        let scaled = &mut scaled[k * stride..(k + count) * stride];
        let lines = scaled.chunks_exact_mut(stride).zip(own.chunks_exact_mut(stride));
        for (i, ((scaled, row), inverse)) in lines.zip(inverse).enumerate() {
            // left of and on the diagonal, so that solving may take whole chunks
            scalars_mut(row)[first..=column + i].fill(0.0);
            let inverse = f64x4::splat(*inverse);
            for (out, x) in scaled.iter_mut().zip(row) {
                *out = *x * inverse;
            }
        }
        subtract_products::<false>(rest, column + count, stride, own, scaled);
    }
}

/// Eliminates `N` rows among themselves; the diagonal of the first is in column `first`, with which
/// a chunk begins.
#[inline]
fn eliminate_rows<const N: usize>(
    rows: &mut [f64x4],
    stride: usize,
    first: usize,
    inverse: &mut [f64],
) {
    let chunk = first / 4;
    let mut square: [[f64; 4]; N] = std::array::from_fn(|k| rows[k * stride + chunk].to_array());
    let mut factors = [[0.0; N]; N];
    for k in 0..N {
        inverse[k] = 1.0 / square[k][k].max(MINVAL);
        for i in k + 1..N {
            factors[i][k] = -square[k][i] * inverse[k];
            for j in 0..4 {
                square[i][j] += factors[i][k] * square[k][j];
            }
        }
    }
    for k in 0..N {
        rows[k * stride + chunk] = f64x4::new(square[k]);
    }
    let factors = factors.map(|row| row.map(f64x4::splat));
    for chunk in chunk + 1..stride {
        let mut column: [f64x4; N] = std::array::from_fn(|k| rows[k * stride + chunk]);
        for i in 1..N {
            for k in 0..i {
                column[i] += factors[i][k] * column[k];
            }
            rows[i * stride + chunk] = column[i];
        }
    }
}

/// Computes `out -= scaledᵀ rows` in its upper triangle, where `out` counts as zero if it is `FRESH`; the
/// diagonal of the first row of `out` is in column `first`.
fn subtract_products<const FRESH: bool>(
    out: &mut [f64x4],
    first: usize,
    stride: usize,
    rows: &[f64x4],
    scaled: &[f64x4],
) {
    for (k, out) in out.chunks_mut(4 * stride.max(1)).enumerate() {
        let row = first + 4 * k;
        match out.len() / stride {
            1 => subtract_rows::<1, FRESH>(out, row, stride, rows, scaled),
            2 => subtract_rows::<2, FRESH>(out, row, stride, rows, scaled),
            3 => subtract_rows::<3, FRESH>(out, row, stride, rows, scaled),
            _ => subtract_rows::<4, FRESH>(out, row, stride, rows, scaled),
        }
    }
}

fn subtract_rows<const N: usize, const FRESH: bool>(
    out: &mut [f64x4],
    row: usize,
    stride: usize,
    rows: &[f64x4],
    scaled: &[f64x4],
) {
    let mut chunk = row / 4;
    while chunk + 2 <= stride {
        subtract_tile::<N, 2, FRESH>(out, row, chunk, stride, rows, scaled);
        chunk += 2;
    }
    if chunk < stride {
        subtract_tile::<N, 1, FRESH>(out, row, chunk, stride, rows, scaled);
    }
}

#[inline]
fn subtract_tile<const N: usize, const C: usize, const FRESH: bool>(
    out: &mut [f64x4],
    row: usize,
    chunk: usize,
    stride: usize,
    rows: &[f64x4],
    scaled: &[f64x4],
) {
    let mut sums = [[f64x4::ZERO; C]; N];
    for (source, factors) in rows.chunks_exact(stride).zip(scaled.chunks_exact(stride)) {
        let source: [f64x4; C] = std::array::from_fn(|c| source[chunk + c]);
        let factors = &scalars(factors)[row..row + N];
        for i in 0..N {
            let factor = f64x4::splat(factors[i]);
            for c in 0..C {
                sums[i][c] += factor * source[c];
            }
        }
    }
    for (out, sums) in out.chunks_exact_mut(stride).zip(sums) {
        for c in 0..C {
            let before = if FRESH { f64x4::ZERO } else { out[chunk + c] };
            out[chunk + c] = before - sums[c];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Random(u64);

    impl Random {
        fn below(&mut self, n: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (self.0 >> 33) as usize % n
        }

        fn value(&mut self) -> f64 {
            self.below(2001) as f64 / 1000.0 - 1.0
        }
    }

    /// Fills a matrix of this pattern at random, solves, and returns the largest residual.
    fn residual(panels: &mut Supernodal, sizes: &[u32], pairs: &[[u32; 2]], seed: u64) -> f64 {
        let mut random = Random(seed);
        let mut starts = vec![0];
        for &size in sizes {
            starts.push(starts[starts.len() - 1] + size as usize);
        }
        let n = starts[sizes.len()];
        let mut dense = vec![0.0; n * n];
        assert!(panels.analyse(sizes, pairs, usize::MAX));
        panels.clear();
        let own = (0..sizes.len() as u32).map(|node| [node; 2]);
        for [a, b] in own.chain(pairs.iter().copied()) {
            let (a, b) = (a as usize, b as usize);
            let (a, b) = if panels.position(a) <= panels.position(b) { (a, b) } else { (b, a) };
            for i in 0..sizes[a] as usize {
                for j in if a == b { i } else { 0 }..sizes[b] as usize {
                    let value = random.value() + if a == b && i == j { n as f64 } else { 0.0 };
                    let (row, column) = (starts[a] + i, starts[b] + j);
                    dense[row * n + column] = value;
                    dense[column * n + row] = value;
                    let (row, column) = (panels.position(a) + i, panels.position(b) + j);
                    let at = panels.target(a, row, column).at;
                    scalars_mut(&mut panels.values)[at] = value;
                }
            }
        }
        let b: Vec<f64> = (0..n).map(|_| random.value()).collect();
        let mut x = b.clone();
        panels.factor();
        panels.solve(&mut x);
        let product = |i: usize| -> f64 { (0..n).map(|j| dense[i * n + j] * x[j]).sum() };
        (0..n).map(|i| (product(i) - b[i]).abs()).fold(0.0, f64::max)
    }

    fn random_pattern(random: &mut Random, n: usize, edges: usize) -> (Vec<u32>, Vec<[u32; 2]>) {
        let sizes = (0..n).map(|_| [1, 3, 6, 6, 6, 27][random.below(6)]).collect();
        let mut pairs: Vec<[u32; 2]> = (0..edges)
            .map(|_| [random.below(n) as u32, random.below(n) as u32])
            .filter(|[a, b]| a != b)
            .map(|[a, b]| [a.min(b), a.max(b)])
            .collect();
        pairs.sort_unstable();
        pairs.dedup();
        (sizes, pairs)
    }

    #[test]
    fn solutions_satisfy_the_equations_for_random_patterns() {
        let mut random = Random(3);
        let mut panels = Supernodal::default();
        for (n, edges) in [(1, 0), (2, 1), (7, 0), (12, 10), (30, 60), (60, 90), (60, 400)] {
            for seed in 0..5 {
                let (sizes, pairs) = random_pattern(&mut random, n, edges);
                let residual = residual(&mut panels, &sizes, &pairs, seed);
                assert!(residual < 1e-12, "{n} nodes, {edges} edges: {residual}");
            }
        }
    }

    #[test]
    fn a_ring_and_a_grid_are_solved() {
        let mut panels = Supernodal::default();
        let mut ring: Vec<[u32; 2]> = (0..39).map(|k| [k, k + 1]).collect();
        ring.push([0, 39]);
        assert!(residual(&mut panels, &[6; 40], &ring, 1) < 1e-12);
        let mut grid = vec![];
        for k in 0..100 {
            grid.extend((k % 10 < 9).then_some([k, k + 1]));
            grid.extend((k < 90).then_some([k, k + 10]));
        }
        grid.sort_unstable();
        assert!(residual(&mut panels, &[6; 100], &grid, 2) < 1e-12);
        // far less than half of a full matrix of 600 rows
        assert!(panels.values.len() * 4 < 60_000);
    }

    #[test]
    fn results_do_not_depend_on_what_was_solved_before() {
        let mut random = Random(5);
        let (sizes, pairs) = random_pattern(&mut random, 40, 80);
        let mut panels = Supernodal::default();
        residual(&mut panels, &sizes, &pairs, 9);
        let fresh = panels.permuted.clone();
        let (other_sizes, other_pairs) = random_pattern(&mut random, 50, 300);
        assert!(residual(&mut panels, &other_sizes, &other_pairs, 8) < 1e-12);
        assert!(residual(&mut panels, &sizes, &pairs, 9) < 1e-12);
        assert_eq!(panels.permuted, fresh);
        residual(&mut panels, &sizes, &pairs, 9);
        assert_eq!(panels.permuted, fresh);
    }

    #[test]
    fn pivots_of_a_singular_matrix_are_kept_off_zero() {
        let mut panels = Supernodal::default();
        assert!(panels.analyse(&[6, 6], &[[0, 1]], usize::MAX));
        panels.clear();
        panels.factor();
        let mut x = [1.0; 12];
        panels.solve(&mut x);
        assert!(x.iter().all(|x| x.is_finite()));
    }
}
