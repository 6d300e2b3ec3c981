/// Right-hand sides of the linear system for the derivatives of the acceleration: one row per dof,
/// with columns for positions, velocities, activations and controls.
#[derive(Debug, Clone, Default)]
pub(super) struct System {
    pub(super) values: Vec<f64>,
    pub(super) width: usize,
    nv: usize,
    na: usize,
    // vectors over dofs
    pub(super) slopes: Vec<f64>,
    pub(super) scratch: Vec<f64>,
}

impl System {
    pub(super) fn clear(&mut self, nv: usize, na: usize, nu: usize) {
        // rows are a multiple of four numbers
        self.width = (2 * nv + na + nu).next_multiple_of(4);
        (self.nv, self.na) = (nv, na);
        self.values.clear();
        self.values.resize(nv * self.width, 0.0);
    }

    /// Derivatives of the force on `dof` by positions.
    #[inline]
    pub(super) fn pos(&mut self, dof: usize) -> &mut [f64] {
        let start = dof * self.width;
        &mut self.values[start..start + self.nv]
    }

    /// Derivatives of the force on `dof` by velocities.
    #[inline]
    pub(super) fn vel(&mut self, dof: usize) -> &mut [f64] {
        let start = dof * self.width + self.nv;
        &mut self.values[start..start + self.nv]
    }

    /// Derivative of the force on `dof` by an activation.
    #[inline]
    pub(super) fn act(&mut self, dof: usize, act: usize) -> &mut f64 {
        &mut self.values[dof * self.width + 2 * self.nv + act]
    }

    /// Derivative of the force on `dof` by a control.
    #[inline]
    pub(super) fn ctrl(&mut self, dof: usize, actuator: usize) -> &mut f64 {
        &mut self.values[dof * self.width + 2 * self.nv + self.na + actuator]
    }
}
