//! The controllers: each sets `data.ctrl` from time and state alone.

use std::f64::consts::{PI, TAU};

use libm::{acos, atan2, cos, sin, sqrt};
use sim_core::model::ObjType;
use sim_core::{Data, Model};

/// From 0 at time `begin` to 1 at time `end`.
fn ramp(time: f64, begin: f64, end: f64) -> f64 {
    ((time - begin) / (end - begin)).clamp(0.0, 1.0)
}

/// Likewise, starting and ending smoothly.
fn smooth(time: f64, begin: f64, end: f64) -> f64 {
    let s = ramp(time, begin, end);
    s * s * (3.0 - 2.0 * s)
}

/// An angle between −π and π.
fn wrap(angle: f64) -> f64 {
    atan2(sin(angle), cos(angle))
}

/// Angles of a leg of two links of 0.2 m, whose foot is `x` before and `h` below the hip.
fn leg(x: f64, h: f64) -> (f64, f64) {
    let length = sqrt(x * x + h * h).min(0.39);
    let knee = -2.0 * acos(length / 0.4);
    (-atan2(x, h) - knee / 2.0, knee)
}

/// The quadruped's heading, and the way from it to the flag.
fn way_to_flag(data: &Data) -> (f64, f64, f64) {
    const FLAG: [f64; 2] = [2.4, 0.8];
    let [w, x, y, z] = [data.qpos[3], data.qpos[4], data.qpos[5], data.qpos[6]];
    let heading = atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z));
    let (dx, dy) = (FLAG[0] - data.qpos[0], FLAG[1] - data.qpos[1]);
    (heading, atan2(dy, dx), sqrt(dx * dx + dy * dy))
}

/// A trot: diagonal legs swing together; the stride is longer on the outer side of a turn. Near the
/// flag the strides end and the hind legs fold.
pub(super) fn quadruped(_: &Model, data: &mut Data) {
    const RATE: f64 = 1.9; // strides per second
    const STRIDE: f64 = 0.14;
    const LIFT: f64 = 0.05;
    const HEIGHT: f64 = 0.3;
    let (heading, bearing, distance) = way_to_flag(data);
    let turn = wrap(bearing - heading).clamp(-1.0, 1.0);
    let near = 1.0 - ramp(distance, 0.38, 0.5);
    let go = ramp(data.time, 0.0, 0.5) * (1.0 - near);

    for foot in 0..4 {
        let side = if foot % 2 == 0 { 1.0 } else { -1.0 };
        let phase = RATE * data.time + if foot == 0 || foot == 3 { 0.0 } else { 0.5 };
        let phase = phase - phase.floor();
        let stride = STRIDE * go * (1.0 - 0.5 * side * turn);
        // the first half of a stride is in the air, the second on the ground
        let (x, lift) = match phase < 0.5 {
            true => {
                let angle = TAU * phase;
                (-0.5 * stride * cos(angle), LIFT * (2.0 * go).min(1.0) * sin(angle))
            }
            false => (stride * (1.5 - 2.0 * phase), 0.0),
        };
        let fold = if foot >= 2 { 0.11 * near } else { 0.0 };
        let (hip, knee) = leg(x - 0.01 * (1.0 - near), HEIGHT - lift - fold);
        data.ctrl[3 * foot..][..3].copy_from_slice(&[0.0, hip, knee]);
    }
}

/// Points of the gripper over time: seconds, position, opening of the gripper.
const WAY: [(f64, [f64; 3], f64); 10] = [
    (0.0, [0.35, 0.0, 0.3], 0.04),
    (1.0, [0.45, -0.12, 0.12], 0.04),
    (1.8, [0.45, -0.12, 0.028], 0.04),
    (2.2, [0.45, -0.12, 0.028], 0.015),
    (3.0, [0.45, -0.12, 0.25], 0.015),
    (4.2, [0.1, 0.42, 0.32], 0.015),
    (5.0, [0.1, 0.42, 0.192], 0.015),
    (5.4, [0.1, 0.42, 0.192], 0.04),
    (6.2, [0.1, 0.42, 0.32], 0.04),
    (7.2, [0.35, 0.0, 0.3], 0.04),
];

/// Inverse kinematics of points along a way, with the gripper pointing down.
pub(super) fn arm(_: &Model, data: &mut Data) {
    const UPPER: f64 = 0.3; // lengths of the links, and the height of the shoulder
    const FORE: f64 = 0.26;
    const HAND: f64 = 0.14;
    const SHOULDER: f64 = 0.2;
    let next = WAY.iter().position(|point| point.0 > data.time).unwrap_or(WAY.len() - 1);
    let (from, to) = (WAY[next - 1], WAY[next]);
    let s = smooth(data.time, from.0, to.0);
    let between = |a: f64, b: f64| a + s * (b - a);

    // angle about the base, distance from it, height of the wrist over the shoulder
    let cylindrical = |p: [f64; 3]| [atan2(p[1], p[0]), sqrt(p[0] * p[0] + p[1] * p[1]), p[2]];
    let (a, b) = (cylindrical(from.1), cylindrical(to.1));
    let [yaw, reach, z] = [0, 1, 2].map(|i| between(a[i], b[i]));
    let height = z + HAND - SHOULDER;

    let length = sqrt(reach * reach + height * height).min(UPPER + FORE - 1e-3);
    let inner = |a: f64, b: f64, c: f64| acos((a * a + b * b - c * c) / (2.0 * a * b));
    let elbow = PI - inner(UPPER, FORE, length);
    let shoulder = atan2(reach, height) - inner(UPPER, length, FORE);
    let wrist = PI - shoulder - elbow;
    data.ctrl.copy_from_slice(&[yaw, shoulder, elbow, wrist, 0.0, between(from.2, to.2)]);
}

/// Closes the fingers, turns the wrist over and back, and opens.
pub(super) fn hand(_: &Model, data: &mut Data) {
    let time = data.time;
    let grip = ramp(time, 0.5, 1.5) - ramp(time, 8.5, 9.5);
    let turn = smooth(time, 2.5, 4.0) - smooth(time, 5.5, 7.0);
    data.ctrl[0] = PI * turn;
    data.ctrl[1..5].fill(2.6 * grip);
    data.ctrl[5] = 2.2 * grip;
}

/// Pumps energy into the pole until it is nearly upright, then balances it with an LQR.
pub(super) fn cartpole(_: &Model, data: &mut Data) {
    const GAINS: [f64; 4] = [9.56, 63.66, 10.53, 12.61];
    const WEIGHT: f64 = 9.81 * (0.1 * 0.25 + 0.1 * 0.5); // moment of gravity, N m
    const INERTIA: f64 = 0.1 * 0.25 / 3.0 + 0.1 * 0.25;
    let (x, angle) = (data.qpos[0], wrap(data.qpos[1]));
    let (v, rate) = (data.qvel[0], data.qvel[1]);
    data.ctrl[0] = if angle.abs() < 0.35 && rate.abs() < 4.0 {
        let state = [x, angle, v, rate];
        GAINS.iter().zip(state).map(|(gain, x)| gain * x).sum()
    } else {
        let energy = 0.5 * INERTIA * rate * rate + WEIGHT * (cos(angle) - 1.0);
        (40.0 * energy * rate * cos(angle)).clamp(-12.0, 12.0) - 6.0 * x - 3.0 * v
    };
}

/// Walks as SIMBICON does (Yin, Loken, van de Panne 2007): legs take turns by the clock, the stance
/// hip holds the torso, and where the swing foot lands follows from distance and speed of the hip.
pub(super) fn walker(_: &Model, data: &mut Data) {
    const PERIOD: f64 = 0.28;
    const SPEED: f64 = 0.725;
    let half = data.time / PERIOD;
    let swing = half.floor() as usize % 2;
    let stance = 1 - swing;
    let first = half - half.floor() < 0.64;

    let (pitch, rate) = (data.qpos[2], data.qvel[2]);
    let q = |leg: usize, joint: usize| data.qpos[3 + 3 * leg + joint];
    let v = |leg: usize, joint: usize| data.qvel[3 + 3 * leg + joint];
    let thigh = pitch + q(stance, 0);
    let ahead = 0.45 * (sin(thigh) + sin(thigh + q(stance, 1))); // hip before the stance ankle
    let (hip, knee) = if first { (0.506, 1.1) } else { (0.3, 0.156) };
    let hip = hip + 0.45 * ahead + 0.2 * (data.qvel[0] - SPEED);

    let mut torque = [[0.0; 3]; 2];
    torque[swing][0] = 212.0 * (-hip - pitch - q(swing, 0)) - 26.6 * (rate + v(swing, 0));
    torque[swing][1] = 212.0 * (knee - q(swing, 1)) - 26.6 * v(swing, 1);
    let sole = pitch + q(swing, 0) + q(swing, 1) + q(swing, 2);
    torque[swing][2] = -85.7 * sole - 10.8 * v(swing, 2);
    torque[stance][1] = 212.0 * (0.122 - q(stance, 1)) - 26.6 * v(stance, 1);
    torque[stance][2] = 85.7 * (-0.052 - q(stance, 2)) - 10.8 * v(stance, 2);
    torque[stance][0] = -(671.0 * (0.066 - pitch) - 59.9 * rate) - torque[swing][0];
    data.ctrl.copy_from_slice(torque.as_flattened());
}

/// Squats and waves; the ankles keep the centre of mass over the feet.
pub(super) fn humanoid(model: &Model, data: &mut Data) {
    let time = data.time;
    let begun = ramp(time, 0.0, 1.0);
    let bend = 0.25 + 0.225 * begun * (1.0 - cos(TAU * time / 4.0));
    let foot = |name| model.id(ObjType::Geom, name).map_or(0.0, |geom| data.geom_xpos[geom].x);
    let feet = 0.5 * (foot("left foot") + foot("right foot"));
    let lean = 0.9 * (data.subtree_com[1].x - feet + 0.02) + 0.25 * data.qvel[0];

    let turn = 0.25 * begun * sin(TAU * time / 4.0);
    let wave = -0.5 - 0.45 * begun * sin(TAU * 1.5 * time);
    let leg = [0.0, 0.0, -bend, 2.0 * bend, lean - bend, 0.0];
    data.ctrl[..2].copy_from_slice(&[turn, 0.35 * (bend - 0.25)]);
    data.ctrl[2..5].copy_from_slice(&[0.1, 0.15, -0.4]);
    data.ctrl[5..8].copy_from_slice(&[0.1 - 2.7 * begun, -0.15 - 0.15 * begun, wave]);
    data.ctrl[8..14].copy_from_slice(&leg);
    data.ctrl[14..20].copy_from_slice(&leg);
}

/// Hangs on its strings.
pub(super) fn marionette(_: &Model, _: &mut Data) {}

/// What became of the tasks.
pub(super) mod outcome {
    use super::super::Outcome;
    use super::*;

    pub(in super::super) fn quadruped(_: &Model, data: &Data) -> Outcome {
        let (_, _, distance) = way_to_flag(data);
        let done = distance < 0.5;
        let text =
            if done { "at the flag".into() } else { format!("{distance:.2} m from the flag") };
        Outcome { done, text }
    }

    pub(in super::super) fn arm(_: &Model, data: &Data) -> Outcome {
        let [x, y, z] = [data.qpos[0], data.qpos[1], data.qpos[2]];
        let off = sqrt((x - 0.1) * (x - 0.1) + (y - 0.42) * (y - 0.42));
        let done = off < 0.07 && z > 0.17 && z < 0.2;
        let place = match z {
            _ if done => "on the stand",
            z if z < 0.03 => "on the floor",
            _ => "in the air",
        };
        Outcome { done, text: format!("the cube is {place}") }
    }

    pub(in super::super) fn hand(_: &Model, data: &Data) -> Outcome {
        let [x, y, z] = [data.qpos[0] - 0.07, data.qpos[1], data.qpos[2] - 0.3];
        let done = sqrt(x * x + y * y + z * z) < 0.08;
        let text = if done { "the ball is in the hand" } else { "the ball is lost" };
        Outcome { done, text: text.into() }
    }

    pub(in super::super) fn cartpole(_: &Model, data: &Data) -> Outcome {
        let angle = wrap(data.qpos[1]).to_degrees();
        Outcome { done: angle.abs() < 5.0, text: format!("the pole is {angle:.1}° off upright") }
    }

    pub(in super::super) fn walker(_: &Model, data: &Data) -> Outcome {
        let done = data.qpos[1] > -0.3;
        let state = if done { "walked" } else { "fell after" };
        Outcome { done, text: format!("{state} {:.2} m", data.qpos[0]) }
    }

    pub(in super::super) fn humanoid(_: &Model, data: &Data) -> Outcome {
        let done = data.qpos[2] > 0.6;
        let text = if done { "on its feet" } else { "fell" };
        Outcome { done, text: text.into() }
    }

    pub(in super::super) fn marionette(_: &Model, data: &Data) -> Outcome {
        Outcome { done: true, text: format!("swings at {:.2} m", data.qpos[2]) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::ALL;
    use sim_core::step;

    #[test]
    fn robots_do_their_tasks() {
        for robot in ALL {
            let model = robot.load();
            let mut data = robot.start(&model);
            while data.time < robot.duration {
                robot.control(&model, &mut data);
                step(&model, &mut data);
            }
            let outcome = robot.outcome(&model, &data);
            assert!(outcome.done, "{}: {}", robot.name, outcome.text);
            assert!(data.warning.iter().all(|warning| warning.number == 0), "{}", robot.name);
        }
    }

    #[test]
    fn a_model_of_another_robot_is_left_alone() {
        let [first, second] = [ALL[0], ALL[1]];
        let model = second.load();
        let mut data = second.start(&model);
        let before = data.ctrl.clone();
        first.control(&model, &mut data);
        assert_eq!(data.ctrl, before);
        assert!(!first.outcome(&model, &data).done);
    }
}
