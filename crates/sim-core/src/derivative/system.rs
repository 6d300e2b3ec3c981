use wide::f64x4;

/// Derivatives of generalised forces: one row per dof, with columns for positions, velocities,
/// activations, controls and parameters. They are the right-hand sides of the linear system for the
/// derivatives of the acceleration.
///
/// Where only the product of a vector with the rows is wanted, there is one row: that product.
#[derive(Debug, Clone, Default)]
pub(super) struct System {
    pub(super) values: Vec<f64>,
    pub(super) width: usize,
    nv: usize,
    na: usize,
    nu: usize,
    /// Factors of the rows where they are summed.
    weights: Vec<f64>,
    is_sum: bool,
    // vectors over dofs
    pub(super) slopes: Vec<f64>,
    pub(super) scratch: Vec<f64>,
}

/// Some columns of a row, and the factor of what is added to them.
pub(super) struct Row<'a> {
    values: &'a mut [f64],
    factor: f64,
}

impl Row<'_> {
    #[inline]
    pub(super) fn add(&mut self, column: usize, value: f64) {
        self.values[column] += self.factor * value;
    }

    /// Adds `scale` times a vector.
    #[inline]
    pub(super) fn add_all(&mut self, scale: f64, values: &[f64]) {
        let scale = self.factor * scale;
        self.values.iter_mut().zip(values).for_each(|(out, value)| *out += scale * value);
    }
}

impl System {
    /// Makes room for all rows.
    pub(super) fn clear(&mut self, nv: usize, na: usize, nu: usize, parameters: usize) {
        self.resize(nv, na, nu, parameters, nv);
        self.is_sum = false;
    }

    /// Makes room for the sum of all rows with factors.
    pub(super) fn clear_sum(
        &mut self,
        nv: usize,
        na: usize,
        nu: usize,
        parameters: usize,
        weights: &[f64],
    ) {
        self.resize(nv, na, nu, parameters, 1);
        self.is_sum = true;
        self.weights.clear();
        self.weights.extend_from_slice(weights);
    }

    fn resize(&mut self, nv: usize, na: usize, nu: usize, parameters: usize, rows: usize) {
        // rows are a multiple of four numbers
        self.width = (2 * nv + na + nu + parameters).next_multiple_of(4);
        (self.nv, self.na, self.nu) = (nv, na, nu);
        self.values.clear();
        // four numbers may reach beyond the last column
        self.values.resize(rows * self.width + 4, 0.0);
    }

    /// Where the row of a dof starts, and its factor.
    #[inline]
    fn place(&self, dof: usize) -> (usize, f64) {
        if self.is_sum { (0, self.weights[dof]) } else { (dof * self.width, 1.0) }
    }

    #[inline]
    fn columns(&mut self, dof: usize, first: usize, count: usize) -> Row<'_> {
        let (start, factor) = self.place(dof);
        Row { values: &mut self.values[start + first..start + first + count], factor }
    }

    /// Derivatives of the force on `dof` by positions.
    #[inline]
    pub(super) fn pos(&mut self, dof: usize) -> Row<'_> {
        self.columns(dof, 0, self.nv)
    }

    /// Derivatives of the force on `dof` by velocities.
    #[inline]
    pub(super) fn vel(&mut self, dof: usize) -> Row<'_> {
        self.columns(dof, self.nv, self.nv)
    }

    /// Derivatives of the force on `dof` by activations.
    #[inline]
    pub(super) fn act(&mut self, dof: usize) -> Row<'_> {
        self.columns(dof, 2 * self.nv, self.na)
    }

    /// Derivatives of the force on `dof` by controls.
    #[inline]
    pub(super) fn ctrl(&mut self, dof: usize) -> Row<'_> {
        self.columns(dof, 2 * self.nv + self.na, self.nu)
    }

    /// Adds to four derivatives by positions from `first` on; zeros may reach beyond the last.
    #[inline]
    pub(super) fn add_pos_lanes(&mut self, dof: usize, first: usize, values: f64x4) {
        self.add_lanes(dof * self.width + first, values);
    }

    /// Likewise by velocities.
    #[inline]
    pub(super) fn add_vel_lanes(&mut self, dof: usize, first: usize, values: f64x4) {
        self.add_lanes(dof * self.width + self.nv + first, values);
    }

    #[inline]
    fn add_lanes(&mut self, at: usize, values: f64x4) {
        if let Some(out) = self.values[at..].first_chunk_mut::<4>() {
            *out = (f64x4::new(*out) + values).to_array();
        }
    }

    /// Adds the derivatives of all forces by a parameter.
    pub(super) fn add_parameter(&mut self, parameter: usize, forces: &[f64]) {
        let column = 2 * self.nv + self.na + self.nu + parameter;
        for (dof, force) in forces.iter().enumerate() {
            let (start, factor) = self.place(dof);
            self.values[start + column] += factor * force;
        }
    }

    /// The sums by positions and velocities.
    pub(super) fn sums(&mut self) -> (&mut [f64], &mut [f64]) {
        self.values[..2 * self.nv].split_at_mut(self.nv)
    }
}
