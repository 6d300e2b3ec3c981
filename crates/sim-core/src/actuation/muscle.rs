//! The muscle model: force by length and velocity, and activation dynamics.

use crate::math::MINVAL;

/// Parameters of a muscle, as stored in `gainprm` and `biasprm`.
struct Muscle {
    /// Operating range of normalised lengths.
    range: [f64; 2],
    /// Peak force at rest.
    force: f64,
    lmin: f64,
    lmax: f64,
    vmax: f64,
    fpmax: f64,
    fvmax: f64,
}

impl Muscle {
    /// Reads the parameters; a negative force is derived from the acceleration `acc0` that a unit
    /// force produces.
    fn new(prm: &[f64; 10], acc0: f64) -> Muscle {
        let [range0, range1, force, scale, lmin, lmax, vmax, fpmax, fvmax, _] = *prm;
        let force = if force < 0.0 { scale / acc0.max(MINVAL) } else { force };
        Muscle { range: [range0, range1], force, lmin, lmax, vmax, fpmax, fvmax }
    }

    /// The optimal length, and `length` normalised by it.
    fn normalized(&self, length: f64, lengthrange: [f64; 2]) -> (f64, f64) {
        let optimal =
            (lengthrange[1] - lengthrange[0]) / (self.range[1] - self.range[0]).max(MINVAL);
        (optimal, self.range[0] + (length - lengthrange[0]) / optimal.max(MINVAL))
    }
}

/// Active force of a fully activated muscle; negative, because it pulls.
#[doc(alias = "mju_muscleGain")]
pub fn muscle_gain(
    length: f64,
    velocity: f64,
    lengthrange: [f64; 2],
    acc0: f64,
    prm: &[f64; 10],
) -> f64 {
    let muscle = Muscle::new(prm, acc0);
    let (optimal, length) = muscle.normalized(length, lengthrange);
    let velocity = velocity / (optimal * muscle.vmax).max(MINVAL);

    // lengthening gives up to fvmax, shortening at vmax gives nothing
    let extra = muscle.fvmax - 1.0;
    let by_velocity = if velocity <= -1.0 {
        0.0
    } else if velocity <= 0.0 {
        (velocity + 1.0) * (velocity + 1.0)
    } else if velocity <= extra {
        muscle.fvmax - (extra - velocity) * (extra - velocity) / extra.max(MINVAL)
    } else {
        muscle.fvmax
    };
    -muscle.force * gain_length(length, muscle.lmin, muscle.lmax) * by_velocity
}

/// The derivative of [`muscle_gain`] by velocity.
pub(crate) fn muscle_gain_vel(
    length: f64,
    velocity: f64,
    lengthrange: [f64; 2],
    acc0: f64,
    prm: &[f64; 10],
) -> f64 {
    let muscle = Muscle::new(prm, acc0);
    let (optimal, length) = muscle.normalized(length, lengthrange);
    let scale = (optimal * muscle.vmax).max(MINVAL);
    let velocity = velocity / scale;
    let extra = muscle.fvmax - 1.0;
    let slope = if velocity <= -1.0 || velocity > extra.max(0.0) {
        0.0
    } else if velocity <= 0.0 {
        2.0 * velocity + 2.0
    } else {
        (2.0 * extra - 2.0 * velocity) / extra.max(MINVAL)
    };
    -muscle.force * gain_length(length, muscle.lmin, muscle.lmax) * slope / scale
}

/// Active force by normalised length: a bump of four parabolas with its top at 1.
fn gain_length(length: f64, lmin: f64, lmax: f64) -> f64 {
    if length < lmin || length > lmax {
        return 0.0;
    }
    let (left, right) = (0.5 * (lmin + 1.0), 0.5 * (1.0 + lmax));
    let share = |from: f64, width: f64| {
        let x = from / width.max(MINVAL);
        0.5 * x * x
    };
    if length <= left {
        share(length - lmin, left - lmin)
    } else if length <= 1.0 {
        1.0 - share(1.0 - length, 1.0 - left)
    } else if length <= right {
        1.0 - share(length - 1.0, right - 1.0)
    } else {
        share(lmax - length, lmax - right)
    }
}

/// Passive force of a stretched muscle: quadratic, then linear.
#[doc(alias = "mju_muscleBias")]
pub fn muscle_bias(length: f64, lengthrange: [f64; 2], acc0: f64, prm: &[f64; 10]) -> f64 {
    let muscle = Muscle::new(prm, acc0);
    let (_, length) = muscle.normalized(length, lengthrange);
    let end = 0.5 * (1.0 + muscle.lmax);
    let peak = -muscle.force * muscle.fpmax;
    if length <= 1.0 {
        0.0
    } else if length <= end {
        let x = (length - 1.0) / (end - 1.0).max(MINVAL);
        peak * 0.5 * x * x
    } else {
        let x = (length - end) / (end - 1.0).max(MINVAL);
        peak * (0.5 + x)
    }
}

/// Rate of change of muscle activation; `prm` holds the time constants of activation and
/// deactivation and the width over which one turns into the other.
///
/// Millard et al., Flexing computational muscle (2013).
#[doc(alias = "mju_muscleDynamics")]
pub fn muscle_dynamics(ctrl: f64, act: f64, prm: &[f64; 10]) -> f64 {
    let effort = 0.5 + 1.5 * act.clamp(0.0, 1.0);
    let (rise, fall) = (prm[0] * effort, prm[1] / effort);
    let excess = ctrl.clamp(0.0, 1.0) - act;
    let width = prm[2];
    let tau = if width < MINVAL {
        if excess > 0.0 { rise } else { fall }
    } else {
        fall + (rise - fall) * sigmoid(excess / width + 0.5)
    };
    excess / tau.max(MINVAL)
}

/// Fifth-order step from 0 to 1 with flat ends.
fn sigmoid(x: f64) -> f64 {
    if x <= 0.0 {
        0.0
    } else if x >= 1.0 {
        1.0
    } else {
        x * x * x * (3.0 * x * (2.0 * x - 5.0) + 10.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resting_muscle_at_optimal_length_pulls_with_its_peak_force() {
        let prm = [0.75, 1.05, 100.0, 200.0, 0.5, 1.6, 1.5, 1.3, 1.2, 0.0];
        // optimal length 1: range 0.75 to 1.05 maps to the same lengths
        let gain = muscle_gain(1.0, 0.0, [0.75, 1.05], 1.0, &prm);
        assert!((gain + 100.0).abs() < 1e-12);
        assert_eq!(muscle_bias(1.0, [0.75, 1.05], 1.0, &prm), 0.0);
    }
}
