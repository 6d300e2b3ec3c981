//! What a step does with numbers that no simulation can go on with.

use sim_conformance_tests::{bits, parse};
use sim_core::model::{Disable, Warning};
use sim_core::{Data, Model, step};

/// A ball on a floor, and an arm with two motors.
const SCENE: &str = "
  <mujoco>
    <worldbody>
      <geom type='plane' size='5 5 .1'/>
      <body pos='0 0 .099'><freejoint/><geom size='.1' mass='1'/></body>
      <body pos='1 0 1'><joint name='j' axis='0 1 0'/><geom size='.1' pos='.3 0 0'/></body>
    </worldbody>
    <actuator><motor joint='j'/><motor joint='j' gear='2'/></actuator>
  </mujoco>";

fn scene() -> (Model, Data) {
    let model = parse(SCENE);
    let mut data = Data::new(&model);
    data.ctrl[0] = 0.1;
    (0..10).for_each(|_| step(&model, &mut data));
    assert_eq!(data.ncon, 1);
    (model, data)
}

/// Count and index of the warnings about position, velocity, acceleration and control.
fn warnings(data: &Data) -> [(i32, i32); 4] {
    [Warning::BadQpos, Warning::BadQvel, Warning::BadQacc, Warning::BadCtrl].map(|kind| {
        let stat = &data.warning[kind as usize];
        (stat.number, stat.lastinfo)
    })
}

const NONE: (i32, i32) = (0, 0);

/// The reference configuration after one step, without controls.
fn first_step(model: &Model) -> Data {
    let mut data = Data::new(model);
    step(model, &mut data);
    data
}

#[test]
fn a_bad_state_resets_everything_and_counts_one_warning() {
    type Spoil = fn(&mut Data);
    let cases: [(Spoil, [(i32, i32); 4]); 8] = [
        (|data| data.qpos[3] = f64::NAN, [(1, 3), NONE, NONE, NONE]),
        (|data| data.qpos[1] = 1e11, [(1, 1), NONE, NONE, NONE]),
        (|data| data.qpos[1] = -2e10, [(1, 1), NONE, NONE, NONE]),
        (|data| data.qvel[4] = f64::NAN, [NONE, (1, 4), NONE, NONE]),
        (|data| data.qvel[2] = f64::INFINITY, [NONE, (1, 2), NONE, NONE]),
        (|data| data.qfrc_applied[6] = f64::NAN, [NONE, NONE, (1, 6), NONE]),
        (|data| data.qfrc_applied[6] = 1e300, [NONE, NONE, (1, 6), NONE]),
        (
            |data| data.xfrc_applied[1] = [0.0, 0.0, f64::NAN, 0.0, 0.0, 0.0],
            [NONE, NONE, (1, 0), NONE],
        ),
    ];
    for (spoil, expected) in cases {
        let (model, mut data) = scene();
        spoil(&mut data);
        step(&model, &mut data);
        assert_eq!(warnings(&data), expected);
        // it is the first step again, with controls and forces gone
        assert_eq!(bits(&data), bits(&first_step(&model)), "{expected:?}");
        step(&model, &mut data);
        assert_eq!(warnings(&data), expected);
        // the counter starts again with every reset
        spoil(&mut data);
        step(&model, &mut data);
        assert_eq!(warnings(&data), expected);
    }
}

#[test]
fn ten_billion_is_not_yet_bad() {
    let (model, mut data) = scene();
    data.qpos[1] = 1e10;
    step(&model, &mut data);
    assert_eq!(warnings(&data), [NONE; 4]);
    assert!((data.time - 0.022).abs() < 1e-12);
}

#[test]
fn positions_are_checked_before_velocities() {
    let (model, mut data) = scene();
    data.qpos[0] = f64::NAN;
    data.qvel[0] = f64::NAN;
    data.ctrl[0] = f64::NAN;
    step(&model, &mut data);
    // the reset mends the rest
    assert_eq!(warnings(&data), [(1, 0), NONE, NONE, NONE]);
}

#[test]
fn a_bad_control_switches_all_controls_off_and_stays() {
    for (i, value) in [(1, f64::NAN), (0, 1e11)] {
        let (model, mut data) = scene();
        data.ctrl[0] = 0.1;
        data.ctrl[i] = value;
        let mut quiet = data.clone();
        quiet.ctrl.fill(0.0);
        for count in 1..4 {
            step(&model, &mut data);
            step(&model, &mut quiet);
            assert_eq!(warnings(&data), [NONE, NONE, NONE, (count, i as i32)]);
            assert_eq!(data.qpos, quiet.qpos);
        }
        assert_eq!(data.ctrl[i].to_bits(), value.to_bits());
        assert!((data.time - 0.026).abs() < 1e-12);
    }
}

#[test]
fn without_reset_bad_states_go_on_and_count_twice_a_step() {
    let (mut model, mut data) = scene();
    model.opt.disableflags = Disable::AutoReset as i32;
    data.qvel[4] = f64::NAN;
    step(&model, &mut data);
    assert_eq!(warnings(&data), [NONE, (2, 4), (2, 0), NONE]);
    assert!(data.qpos.iter().any(|x| x.is_nan()));
    step(&model, &mut data);
    assert_eq!(warnings(&data), [(2, 0), (4, 0), (4, 0), NONE]);
    step(&model, &mut data);
    assert_eq!(warnings(&data), [(4, 0), (6, 0), (6, 0), NONE]);
    assert!((data.time - 0.026).abs() < 1e-12);

    let (mut model, mut data) = scene();
    model.opt.disableflags = Disable::AutoReset as i32;
    data.qpos[7] = 1e11;
    for count in 1..4 {
        step(&model, &mut data);
        assert_eq!(warnings(&data), [(2 * count, 7), NONE, NONE, NONE]);
    }
}

#[test]
fn what_is_bad_in_the_model_cannot_be_mended_by_a_reset() {
    type Spoil = fn(&mut Model);
    let cases: [Spoil; 3] = [
        |model| model.opt.gravity.z = f64::NAN,
        |model| model.geom_size[1].x = f64::NAN,
        |model| model.body_mass[1] = f64::NAN,
    ];
    for (case, spoil) in cases.into_iter().enumerate() {
        let (mut model, mut data) = scene();
        spoil(&mut model);
        for _ in 0..5 {
            step(&model, &mut data);
            assert_eq!(warnings(&data), [NONE, NONE, (1, 0), NONE], "case {case}");
        }
        assert!(data.qpos.iter().any(|x| x.is_nan()), "case {case}");
    }
}

#[test]
fn velocities_and_accelerations_of_sleeping_trees_are_not_checked() {
    let model = parse(
        "<mujoco><option gravity='0 0 0'><flag sleep='enable'/></option><worldbody>
         <body pos='-1 0 0'><freejoint/><geom size='.1'/></body>
         <body><freejoint/><geom size='.1'/></body></worldbody></mujoco>",
    );
    let mut asleep = Data::new(&model);
    (0..100).for_each(|_| step(&model, &mut asleep));
    assert_eq!(asleep.ntree_awake, 0);
    let after = |spoil: fn(&mut Data)| {
        let mut data = asleep.clone();
        spoil(&mut data);
        step(&model, &mut data);
        data
    };

    // it wakes the tree, and only the next step would find it too fast
    let data = after(|data| data.qvel[1] = 1e11);
    assert_eq!((warnings(&data), data.qvel[1], data.qpos[1]), ([NONE; 4], 1e11, 2e8));
    // what is not a number is found in the acceleration
    let data = after(|data| data.qvel[1] = f64::NAN);
    assert_eq!((warnings(&data), data.ntree_awake), ([NONE, NONE, (1, 0), NONE], 2));
    let data = after(|data| data.qfrc_applied[1] = f64::NAN);
    assert_eq!((warnings(&data), data.ntree_awake), ([NONE, NONE, (1, 1), NONE], 2));
    // sleeping trees have no acceleration that matters
    let data = after(|data| data.qacc[1] = f64::NAN);
    assert_eq!((warnings(&data), data.ntree_awake), ([NONE; 4], 0));
    assert!(data.time > asleep.time);
    // positions are checked whoever sleeps
    let data = after(|data| data.qpos[1] = f64::NAN);
    assert_eq!((warnings(&data), data.ntree_awake), ([(1, 1), NONE, NONE, NONE], 2));
}

#[test]
fn a_bad_warm_start_is_found_in_the_acceleration() {
    let (model, mut data) = scene();
    data.qacc_warmstart[0] = f64::NAN;
    step(&model, &mut data);
    assert_eq!(warnings(&data), [NONE, NONE, (1, 0), NONE]);
    assert_eq!(bits(&data), bits(&first_step(&model)));
    // a start that is only far away loses against none at all
    let (model, mut data) = scene();
    data.qacc_warmstart[0] = 1e200;
    step(&model, &mut data);
    assert_eq!(warnings(&data), [NONE; 4]);
}

/// Boxes inside one another, with the memory for contacts and rows as given.
fn crowd(boxes: usize, memory: &str, option: &str) -> (Model, Data) {
    let mut xml = format!("<mujoco><size memory='{memory}'/><option {option}/><worldbody>");
    for i in 0..boxes {
        xml += &format!(
            "<body pos='{} {} {}'><freejoint/><geom type='box' size='.1 .1 .1'/></body>",
            0.001 * i as f64,
            0.002 * (i % 3) as f64,
            0.01 * i as f64
        );
    }
    let model = parse(&(xml + "</worldbody></mujoco>"));
    let mut data = Data::new(&model);
    sim_core::forward(&model, &mut data);
    (model, data)
}

#[test]
fn contacts_and_rows_that_do_not_fit_are_dropped_with_a_warning() {
    let counts = |data: &Data| {
        [Warning::ContactFull, Warning::CnstrFull].map(|kind| data.warning[kind as usize].number)
    };
    let (_, data) = crowd(12, "1M", "");
    assert_eq!((data.ncon, data.nefc, counts(&data)), (264, 1056, [0, 0]));
    // enough for the contacts, not for their rows
    let (model, data) = crowd(30, "1M", "");
    assert_eq!((data.ncon, data.nefc, counts(&data)), (1560, 0, [0, 1]));
    assert_eq!(data.warning[Warning::CnstrFull as usize].lastinfo, model.narena as i32);
    assert_eq!(data.qacc, data.qacc_smooth);
    // nor for the matrix of the dual problem
    let (_, data) = crowd(12, "1M", "solver='PGS' jacobian='dense'");
    assert_eq!((data.ncon, data.nefc, counts(&data)), (264, 0, [0, 1]));
    // not enough for the contacts
    let (model, mut data) = crowd(60, "1M", "");
    let fitting = (1 << 20) / 576;
    assert!(data.ncon > fitting - 100 && data.ncon <= fitting, "{}", data.ncon);
    assert_eq!(data.nefc, 0);
    let [contacts, rows] = counts(&data);
    assert!(contacts > 100 && rows == 1);
    for _ in 0..5 {
        step(&model, &mut data);
    }
    assert!(data.qpos.iter().all(|x| x.is_finite()));
}
