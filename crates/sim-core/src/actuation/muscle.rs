//! The muscle model: force by length and velocity, and activation dynamics.

use crate::math::{MINVAL, sigmoid};

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

/// [`muscle_gain`] and its derivatives: by length, by velocity, by both, twice by velocity.
pub(crate) fn muscle_gain_slopes(
    length: f64,
    velocity: f64,
    lengthrange: [f64; 2],
    acc0: f64,
    prm: &[f64; 10],
) -> [f64; 5] {
    let muscle = Muscle::new(prm, acc0);
    let (optimal, l) = muscle.normalized(length, lengthrange);
    let (by_length, by_velocity) =
        (1.0 / optimal.max(MINVAL), 1.0 / (optimal * muscle.vmax).max(MINVAL));
    let v = velocity * by_velocity;
    let extra = muscle.fvmax - 1.0;
    let [fv, fv1, fv2] = if v <= -1.0 {
        [0.0; 3]
    } else if v <= 0.0 {
        [(v + 1.0) * (v + 1.0), 2.0 * (v + 1.0), 2.0]
    } else if v <= extra {
        let width = extra.max(MINVAL);
        let left = extra - v;
        [muscle.fvmax - left * left / width, 2.0 * left / width, -2.0 / width]
    } else {
        [muscle.fvmax, 0.0, 0.0]
    };
    let fl = gain_length(l, muscle.lmin, muscle.lmax);
    let fl1 = gain_length_slope(l, muscle.lmin, muscle.lmax);
    let peak = -muscle.force;
    [
        peak * fl * fv,
        peak * fl1 * fv * by_length,
        peak * fl * fv1 * by_velocity,
        peak * fl1 * fv1 * by_length * by_velocity,
        peak * fl * fv2 * by_velocity * by_velocity,
    ]
}

/// The derivative of [`gain_length`].
fn gain_length_slope(length: f64, lmin: f64, lmax: f64) -> f64 {
    if length < lmin || length > lmax {
        return 0.0;
    }
    let (left, right) = (0.5 * (lmin + 1.0), 0.5 * (1.0 + lmax));
    let slope = |from: f64, width: f64| {
        let width = width.max(MINVAL);
        from / (width * width)
    };
    if length <= left {
        slope(length - lmin, left - lmin)
    } else if length <= 1.0 {
        slope(1.0 - length, 1.0 - left)
    } else if length <= right {
        -slope(length - 1.0, right - 1.0)
    } else {
        -slope(lmax - length, lmax - right)
    }
}

/// The derivative of [`muscle_bias`] by length.
pub(crate) fn muscle_bias_slope(
    length: f64,
    lengthrange: [f64; 2],
    acc0: f64,
    prm: &[f64; 10],
) -> f64 {
    let muscle = Muscle::new(prm, acc0);
    let (optimal, length) = muscle.normalized(length, lengthrange);
    let end = 0.5 * (1.0 + muscle.lmax);
    let width = (end - 1.0).max(MINVAL);
    let slope = if length <= 1.0 {
        0.0
    } else if length <= end {
        (length - 1.0) / (width * width)
    } else {
        1.0 / width
    };
    -muscle.force * muscle.fpmax * slope / optimal.max(MINVAL)
}

/// The derivatives of [`muscle_dynamics`] by control and activation.
pub(crate) fn muscle_dynamics_slopes(ctrl: f64, act: f64, prm: &[f64; 10]) -> [f64; 2] {
    let within = |x: f64| if (0.0..=1.0).contains(&x) { 1.0 } else { 0.0 };
    let effort = 0.5 + 1.5 * act.clamp(0.0, 1.0);
    let effort_rate = 1.5 * within(act);
    let (rise, fall) = (prm[0] * effort, prm[1] / effort);
    let (rise_rate, fall_rate) = (prm[0] * effort_rate, -fall / effort * effort_rate);
    let excess = ctrl.clamp(0.0, 1.0) - act;
    let width = prm[2];
    // the time constant, its derivatives by the excess and by the activation
    let (tau, by_excess, by_act) = if width < MINVAL {
        if excess > 0.0 { (rise, 0.0, rise_rate) } else { (fall, 0.0, fall_rate) }
    } else {
        let x = excess / width + 0.5;
        let share = sigmoid(x);
        let slope =
            if (0.0..=1.0).contains(&x) { 30.0 * x * x * (x - 1.0) * (x - 1.0) } else { 0.0 };
        (
            fall + (rise - fall) * share,
            (rise - fall) * slope / width,
            fall_rate + (rise_rate - fall_rate) * share,
        )
    };
    if tau < MINVAL {
        return [within(ctrl) / MINVAL, -1.0 / MINVAL];
    }
    let by_excess = 1.0 / tau - excess / (tau * tau) * by_excess;
    [by_excess * within(ctrl), -by_excess - excess / (tau * tau) * by_act]
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

    #[test]
    fn slopes_of_a_muscle_are_those_of_its_curves() {
        let prm = [0.75, 1.05, 100.0, 200.0, 0.5, 1.6, 1.5, 1.3, 1.2, 0.0];
        let range = [0.2, 0.5];
        let near = |got: f64, plus: f64, minus: f64, h: f64| {
            let expected = (plus - minus) / (2.0 * h);
            assert!((got - expected).abs() < 1e-5 * (1.0 + expected.abs()), "{got} {expected}");
        };
        let h = 1e-6;
        // away from the kinks: passive force sets in at length 0.45, force saturates at velocity 0.3
        for (l, v) in
            [(0.1, -0.2), (0.33, 0.02), (0.44, -0.9), (0.6, 0.25), (0.9, 0.05), (1.3, 0.0)]
        {
            let at = |l: f64, v: f64| muscle_gain_slopes(l, v, range, 1.0, &prm);
            let [gain, by_l, by_v, by_lv, by_vv] = at(l, v);
            assert_eq!(gain, muscle_gain(l, v, range, 1.0, &prm));
            near(by_l, at(l + h, v)[0], at(l - h, v)[0], h);
            near(by_v, at(l, v + h)[0], at(l, v - h)[0], h);
            near(by_lv, at(l + h, v)[2], at(l - h, v)[2], h);
            near(by_vv, at(l, v + h)[2], at(l, v - h)[2], h);
            let bias = |l: f64| muscle_bias(l, range, 1.0, &prm);
            near(muscle_bias_slope(l, range, 1.0, &prm), bias(l + h), bias(l - h), h);
        }
        for width in [0.0, 0.2] {
            let prm = [0.01, 0.04, width, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
            for (ctrl, act) in [(0.3, 0.28), (0.9, 0.1), (0.2, 0.7), (0.5, 0.53)] {
                let [by_ctrl, by_act] = muscle_dynamics_slopes(ctrl, act, &prm);
                let at = |ctrl: f64, act: f64| muscle_dynamics(ctrl, act, &prm);
                near(by_ctrl, at(ctrl + h, act), at(ctrl - h, act), h);
                near(by_act, at(ctrl, act + h), at(ctrl, act - h), h);
            }
        }
    }
}
