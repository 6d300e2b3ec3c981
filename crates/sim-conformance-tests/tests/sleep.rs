//! Trees that rest fall asleep, are left alone, and wake up.

use sim_conformance_tests::{load, parse};
use sim_core::model::{Enable, SleepState};
use sim_core::{Data, Model, forward, step, step1, step2};

/// What `tree_asleep` holds after a tree has moved.
const AWAKE: i32 = -11;

/// Two boxes on a plane, far apart, and one high above the second.
const BOXES: &str = "
  <mujoco>
    <option><flag sleep='enable'/></option>
    <worldbody>
      <geom type='plane' size='5 5 1'/>
      <body name='a' pos='-1 0 .1'><freejoint/><geom type='box' size='.1 .1 .1'/></body>
      <body name='b' pos='1 0 .1'><freejoint/><geom type='box' size='.1 .1 .1'/></body>
      <body name='c' pos='1 0 3' gravcomp='1'>
        <freejoint/><geom type='box' size='.1 .1 .1'/>
      </body>
    </worldbody>
  </mujoco>";

/// Bodies that float without gravity, tied as `ties` says.
fn floating(ties: &str) -> Model {
    parse(&format!(
        "<mujoco>
           <option gravity='0 0 0'><flag sleep='enable'/></option>
           <worldbody>
             <body name='a' pos='-1 0 0'>
               <freejoint/><geom size='.1'/><site name='a'/>
             </body>
             <body name='b'><freejoint/><geom size='.1'/><site name='b'/></body>
             <body name='c' pos='0 1 0'>
               <joint name='c' type='slide'/><geom size='.1'/>
             </body>
             <body name='d' pos='0 2 0'>
               <joint name='d' type='slide'/><geom size='.1'/>
             </body>
           </worldbody>
           {ties}
         </mujoco>"
    ))
}

fn steps(model: &Model, data: &mut Data, count: usize) {
    for _ in 0..count {
        step(model, data);
    }
}

/// Data in which everything has fallen asleep.
fn asleep(model: &Model) -> Data {
    let mut data = Data::new(model);
    for _ in 0..5000 {
        step(model, &mut data);
        if data.ntree_awake == 0 {
            return data;
        }
    }
    panic!("still awake after 5000 steps: {:?}", data.tree_asleep);
}

#[test]
fn a_tree_falls_asleep_after_ten_steps_at_rest() {
    let model = floating("");
    let mut data = Data::new(&model);
    for count in AWAKE + 1..0 {
        step(&model, &mut data);
        if count < -1 {
            assert_eq!(data.tree_asleep, [count; 4]);
        }
    }
    // each of them by itself
    assert_eq!(data.tree_asleep, [0, 1, 2, 3]);
    assert_eq!((data.ntree_awake, data.nbody_awake, data.nv_awake), (0, 1, 0));
    assert_eq!(data.nparent_awake, 4);
    assert_eq!(data.body_awake[0], SleepState::Static as i32);
    assert_eq!(data.body_awake[1..], [SleepState::Asleep as i32; 4]);
}

#[test]
fn the_count_starts_again_when_a_tree_moves() {
    let model = floating("");
    let mut data = Data::new(&model);
    steps(&model, &mut data, 5);
    assert_eq!(data.tree_asleep, [AWAKE + 5; 4]);
    data.qvel[0] = 1.0;
    step(&model, &mut data);
    assert_eq!(data.tree_asleep, [AWAKE, AWAKE + 6, AWAKE + 6, AWAKE + 6]);
}

#[test]
fn boxes_on_a_plane_come_to_rest_and_keep_their_place() {
    let model = parse(BOXES);
    let mut data = asleep(&model);
    let qpos = data.qpos.clone();
    assert!(data.qvel.iter().all(|&v| v == 0.0));
    let time = data.time;
    steps(&model, &mut data, 100);
    assert_eq!(data.qpos, qpos);
    assert_eq!(data.ntree_awake, 0);
    assert_eq!((data.ncon, data.nefc), (0, 0));
    assert!(data.time > time + 99.0 * model.opt.timestep);
}

#[test]
fn velocity_below_the_tolerance_is_rest() {
    let mut model = floating("");
    model.opt.sleep_tolerance = 0.01;
    let mut data = Data::new(&model);
    data.qvel[0] = 0.009;
    data.qvel[6] = 0.011;
    steps(&model, &mut data, 10);
    assert_eq!(data.tree_asleep[..2], [0, AWAKE]);
    assert_eq!(data.qvel[0], 0.0);
    assert_eq!(data.qvel[6], 0.011);
}

#[test]
fn forces_and_velocities_wake_a_tree() {
    let model = floating("");
    let wakes: [fn(&mut Data); 4] = [
        |data| data.xfrc_applied[1][2] = 1e-300,
        |data| data.qfrc_applied[3] = 1.0,
        |data| data.qvel[5] = 1e-12,
        // not even this is nothing
        |data| data.qvel[0] = -0.0,
    ];
    for wake in wakes {
        let mut data = asleep(&model);
        wake(&mut data);
        forward(&model, &mut data);
        assert_eq!(data.tree_asleep, [AWAKE, 1, 2, 3]);
        assert_eq!((data.ntree_awake, data.nbody_awake, data.nv_awake), (1, 2, 6));
        assert_eq!(data.body_awake_ind[..2], [0, 1]);
        assert_eq!(data.dof_awake_ind[..6], [0, 1, 2, 3, 4, 5]);
    }
}

#[test]
fn a_force_that_stays_keeps_a_tree_awake() {
    let model = floating("");
    let mut data = asleep(&model);
    data.xfrc_applied[1][2] = 1e-300;
    steps(&model, &mut data, 50);
    assert_eq!(data.tree_asleep, [AWAKE, 1, 2, 3]);
    data.xfrc_applied[1][2] = 0.0;
    steps(&model, &mut data, 10);
    assert_eq!(data.ntree_awake, 0);
}

#[test]
fn another_pose_wakes_a_tree_and_is_kept() {
    let model = floating("");
    let mut data = asleep(&model);
    data.qpos[0] += 0.5;
    forward(&model, &mut data);
    assert_eq!(data.tree_asleep, [AWAKE, 1, 2, 3]);
    assert_eq!(data.xpos[1].x, -0.5);
    assert_eq!(data.geom_xpos[0].x, -0.5);
}

#[test]
fn a_contact_wakes_a_tree_and_those_it_sleeps_with() {
    let model = parse(BOXES);
    let mut data = asleep(&model);
    // the third box comes down on the second; the first is far away
    data.qvel[14] = -5.0;
    let mut woken = None;
    for i in 0..500 {
        let touching = data.tree_asleep[1] < 0;
        assert!(touching || data.qpos[7 + 2] == data.xpos[2].z);
        step(&model, &mut data);
        if data.tree_asleep[1] < 0 && woken.is_none() {
            woken = Some(i);
            assert!(data.ncon > 0);
            // awake at the start of the step, and at rest until its end
            assert_eq!(data.tree_asleep[1..], [AWAKE + 1, AWAKE]);
        }
        assert_eq!(data.tree_asleep[0], 0, "the first box sleeps on");
    }
    assert!(woken.is_some_and(|i| i > 100));
}

#[test]
fn the_trees_of_an_island_fall_asleep_and_wake_up_together() {
    let model = parse(
        "<mujoco>
           <option><flag sleep='enable'/></option>
           <worldbody>
             <geom type='plane' size='5 5 1'/>
             <body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1'/></body>
             <body pos='0 0 .3'><freejoint/><geom type='box' size='.1 .1 .1'/></body>
             <body pos='0 0 .5'><freejoint/><geom type='box' size='.1 .1 .1'/></body>
           </worldbody>
         </mujoco>",
    );
    let mut data = Data::new(&model);
    while data.ntree_awake == 3 && data.time < 20.0 {
        step(&model, &mut data);
    }
    assert_eq!(data.ntree_awake, 0);
    assert_eq!(data.tree_asleep, [1, 2, 0]);
    data.qfrc_applied[12 + 2] = 0.1;
    forward(&model, &mut data);
    assert_eq!(data.tree_asleep, [AWAKE; 3]);
    assert!(data.ncon >= 12);
}

#[test]
fn an_equality_wakes_what_it_ties() {
    for tie in ["<connect body1='a' body2='b' anchor='0 0 0'/>", "<weld site1='a' site2='b'/>"] {
        let model =
            floating(&format!("<equality>{}</equality>", tie.replace("/>", " active='false'/>")));
        let mut data = asleep(&model);
        // two that have fallen asleep apart
        data.eq_active[0] = 1;
        forward(&model, &mut data);
        assert_eq!(data.tree_asleep, [AWAKE, AWAKE, 2, 3]);
        assert!(data.ne > 0);

        // one that is awake
        let mut data = asleep(&model);
        data.eq_active[0] = 1;
        data.qvel[6] = 1.0;
        forward(&model, &mut data);
        assert_eq!(data.tree_asleep, [AWAKE, AWAKE, 2, 3]);
    }
}

#[test]
fn an_equality_of_joints_lets_trees_sleep_together() {
    let model = floating("<equality><joint joint1='c' joint2='d'/></equality>");
    let mut data = asleep(&model);
    assert_eq!(data.tree_asleep, [0, 1, 3, 2]);
    steps(&model, &mut data, 20);
    assert_eq!((data.ntree_awake, data.nefc), (0, 0));
    data.qvel[12] = 0.1;
    step(&model, &mut data);
    assert_eq!(data.tree_asleep, [0, 1, AWAKE, AWAKE + 1]);
    assert_eq!(data.ne, 1);
}

#[test]
fn an_equality_of_tendons_keeps_everything_awake() {
    let model = floating(
        "<tendon><fixed name='c'><joint joint='c' coef='1'/></fixed>
                 <fixed name='d'><joint joint='d' coef='1'/></fixed></tendon>
         <equality><tendon tendon1='c' tendon2='d'/></equality>",
    );
    let mut data = Data::new(&model);
    steps(&model, &mut data, 50);
    assert_eq!(data.ntree_awake, 4);
    // until it is switched off, and again from then on
    data.eq_active[0] = 0;
    steps(&model, &mut data, 10);
    assert_eq!(data.ntree_awake, 0);
    data.eq_active[0] = 1;
    step(&model, &mut data);
    assert_eq!(data.ntree_awake, 4);
}

#[test]
fn a_tendon_at_its_limit_wakes_the_other_end() {
    let model = floating(
        "<tendon><spatial limited='true' range='0 1.2'>
           <site site='a'/><site site='b'/>
         </spatial></tendon>",
    );
    let mut data = asleep(&model);
    data.qvel[0] = -1.0;
    let mut length = 0.0;
    while data.tree_asleep[1] >= 0 && data.time < 2.0 {
        length = data.ten_length[0];
        step(&model, &mut data);
    }
    assert!((1.19..1.2).contains(&length) && data.ten_length[0] > 1.2);
    assert_eq!(data.tree_asleep[..2], [AWAKE, AWAKE + 1]);
    assert_eq!(data.nl, 1);
}

#[test]
fn policies_say_who_may_sleep() {
    let model = parse(
        "<mujoco>
           <option gravity='0 0 0'><flag sleep='enable'/></option>
           <worldbody>
             <body><freejoint/><geom size='.1'/></body>
             <body pos='1 0 0' sleep='never'><freejoint/><geom size='.1'/></body>
             <body pos='2 0 0'><joint name='auto'/><geom size='.1'/></body>
             <body pos='3 0 0' sleep='allowed'><joint name='allowed'/><geom size='.1'/></body>
             <body pos='4 0 0' sleep='init'><freejoint/><geom size='.1'/></body>
           </worldbody>
           <actuator><motor joint='auto'/><motor joint='allowed'/></actuator>
         </mujoco>",
    );
    let mut data = Data::new(&model);
    // making the data counts once, as everywhere with trees that start asleep
    assert_eq!(data.tree_asleep, [AWAKE + 1, AWAKE, AWAKE, AWAKE + 1, 4]);
    steps(&model, &mut data, 30);
    assert_eq!(data.tree_asleep, [0, AWAKE, AWAKE, 3, 4]);
    // a control does not wake what sleeps, and has no effect
    data.ctrl.fill(1.0);
    steps(&model, &mut data, 5);
    assert_eq!(data.tree_asleep, [0, AWAKE, AWAKE, 3, 4]);
    assert_eq!(data.actuator_force, [1.0, 0.0]);
    assert!(data.qvel[12] > 0.0 && data.qvel[13] == 0.0);
    assert_eq!(data.moment_rownnz, [1, 0]);
}

#[test]
fn trees_that_cannot_start_asleep_are_an_error_at_loading() {
    let model = |policy: &str| {
        sim_mjcf::load_str(&format!(
            "<mujoco>
               <option><flag sleep='enable'/></option>
               <worldbody>
                 <geom type='plane' size='5 5 1'/>
                 <body name='low' pos='0 0 .0999' sleep='init'>
                   <freejoint/><geom type='box' size='.1 .1 .1'/>
                 </body>
                 <body name='high' pos='0 0 .2998' sleep='{policy}'>
                   <freejoint/><geom type='box' size='.1 .1 .1'/>
                 </body>
               </worldbody>
             </mujoco>"
        ))
    };
    let both = model("init").unwrap_or_else(|error| panic!("{error}")).model;
    let mut data = Data::new(&both);
    assert_eq!(data.tree_asleep, [1, 0]);
    assert_eq!(data.check_init_sleep(&both), Ok(()));
    // who starts asleep stays so
    steps(&both, &mut data, 10);
    assert_eq!((data.ntree_awake, data.ncon), (0, 0));

    let message = model("auto").expect_err("one of two in touch").to_string();
    assert!(message.contains("1 trees were marked as sleep='init' but only 0"), "{message}");
    assert!(message.contains("'low'"), "{message}");
}

#[test]
fn switching_sleep_off_wakes_everything() {
    let mut model = parse(BOXES);
    let mut data = asleep(&model);
    model.opt.enableflags &= !(Enable::Sleep as i32);
    forward(&model, &mut data);
    assert_eq!(data.tree_asleep, [AWAKE; 3]);
    assert_eq!((data.ntree_awake, data.nv_awake), (3, model.nv));
    assert_eq!(data.ncon, 8);
    steps(&model, &mut data, 100);
    assert_eq!(data.ntree_awake, 3);
}

#[test]
fn without_islands_nothing_sleeps_on_constraints() {
    let mut model = parse(BOXES);
    model.opt.disableflags |= sim_core::model::Disable::Island as i32;
    let mut data = Data::new(&model);
    steps(&model, &mut data, 1000);
    assert_eq!(data.ntree_awake, 3);
}

#[test]
fn the_medium_does_not_act_on_sleeping_bodies() {
    // wind that sleeping bodies do not feel
    let mut model = floating("");
    let mut data = asleep(&model);
    model.opt.density = 1.2;
    model.opt.viscosity = 0.01;
    model.opt.wind.x = 10.0;
    data.qvel[6] = 1.0;
    forward(&model, &mut data);
    assert_eq!(data.qfrc_fluid[..6], [0.0; 6]);
    assert!(data.qfrc_fluid[6] > 0.0);
    assert_eq!(data.qfrc_fluid[12..], [0.0; 2]);
    steps(&model, &mut data, 20);
    assert_eq!(data.ntree_awake, 1);
    assert_eq!(data.qpos[0], -1.0);

    // awake, all of them do
    let mut data = Data::new(&model);
    forward(&model, &mut data);
    for dof in [0, 6, 12, 13] {
        let pushed = data.qfrc_fluid[dof] > 0.0;
        assert_eq!(pushed, dof < 12, "slides along z feel no wind along x");
    }
}

#[test]
fn what_sleeps_keeps_its_last_values() {
    let mut model = floating("<sensor><framepos objtype='site' objname='a'/></sensor>");
    let mut data = asleep(&model);
    assert_eq!(data.sensordata, [-1.0, 0.0, 0.0]);
    data.sensordata[0] = 7.0;
    data.cvel[1].lin.x = 3.0;
    data.qacc_smooth[2] = 5.0;
    forward(&model, &mut data);
    assert_eq!(data.sensordata[0], 7.0);
    assert_eq!(data.cvel[1].lin.x, 3.0);
    assert_eq!(data.qacc_smooth[2], 5.0);
    model.opt.enableflags = 0;
    forward(&model, &mut data);
    assert_eq!(data.sensordata[0], -1.0);
    assert_eq!(data.cvel[1].lin.x, 0.0);
    assert_eq!(data.qacc_smooth[2], 0.0);
}

#[test]
fn sleeping_and_awake_trees_share_the_centre_of_mass_of_a_fixed_parent() {
    let model = parse(
        "<mujoco>
           <option gravity='0 0 0'><flag sleep='enable'/></option>
           <worldbody>
             <body pos='0 0 1'>
               <geom size='.1' mass='2'/>
               <body pos='1 0 0'><joint type='slide'/><geom size='.1' mass='1'/></body>
               <body pos='-1 0 0'><joint type='slide'/><geom size='.1' mass='1'/></body>
             </body>
           </worldbody>
         </mujoco>",
    );
    let mut data = asleep(&model);
    data.qpos[0] = 2.0;
    forward(&model, &mut data);
    assert_eq!(data.tree_asleep, [AWAKE, 1]);
    assert_eq!(data.subtree_com[1].to_array(), [0.0, 0.0, 1.5]);
}

#[test]
fn poses_beside_a_sleeping_tree_are_those_without_sleep() {
    let arm = |pos: &str| {
        format!(
            "<body pos='{pos}' euler='10 20 0'>
               <joint axis='0 1 0'/><geom size='.1'/>
               <body pos='0 0 .4'><joint axis='1 0 0'/><geom size='.1'/></body>
             </body>"
        )
    };
    let mut model = parse(&format!(
        "<mujoco>
           <option gravity='0 0 0'><flag sleep='enable'/></option>
           <worldbody>
             <body pos='0 0 1' euler='0 30 0'><geom size='.1'/>{}{}{}</body>
           </worldbody>
         </mujoco>",
        arm("1 0 0"),
        arm("0 1 0"),
        arm("-1 0 0")
    ));
    for moved in 0..3 {
        let mut data = asleep(&model);
        data.qpos[2 * moved] = 0.3;
        data.qpos[2 * moved + 1] = -0.2;
        forward(&model, &mut data);
        assert_eq!(data.ntree_awake, 1);

        model.opt.enableflags &= !(Enable::Sleep as i32);
        let mut other = Data::new(&model);
        other.qpos.copy_from_slice(&data.qpos);
        forward(&model, &mut other);
        assert_eq!(data.xpos, other.xpos);
        assert_eq!(data.xmat, other.xmat);
        assert_eq!(data.xaxis, other.xaxis);
        model.opt.enableflags |= Enable::Sleep as i32;
    }
}

#[test]
fn halves_of_a_step_sleep_like_whole_ones() {
    let model = parse(BOXES);
    let (mut whole, mut halves) = (Data::new(&model), Data::new(&model));
    for _ in 0..1000 {
        step(&model, &mut whole);
        step1(&model, &mut halves);
        step2(&model, &mut halves);
        assert_eq!(whole.tree_asleep, halves.tree_asleep);
        assert_eq!(whole.qpos, halves.qpos);
    }
    assert_eq!(whole.ntree_awake, 0);
}

#[test]
fn a_ring_that_leads_nowhere_wakes_up() {
    let model = floating("");
    for ring in [[1, 99, 2, 3], [2, 2, 3, 3], [i32::MAX, 0, 1, 2]] {
        let mut data = asleep(&model);
        data.tree_asleep.copy_from_slice(&ring);
        data.qvel.fill(0.1);
        step(&model, &mut data);
        assert_eq!(data.tree_asleep, [AWAKE; 4]);
        assert!(data.qpos.iter().all(|x| x.is_finite()));
    }
}

#[test]
fn enabling_sleep_where_nothing_rests_changes_nothing() {
    for name in ["figure", "many_trees", "servos", "pulleys", "fluid_mixed"] {
        let mut model = load(name);
        let run = |model: &Model| {
            let mut data = Data::new(model);
            data.qvel.iter_mut().enumerate().for_each(|(i, v)| *v = 0.1 * (i % 5) as f64 - 0.2);
            steps(model, &mut data, 50);
            (data.qpos, data.qvel, data.sensordata)
        };
        let without = run(&model);
        model.opt.sleep_tolerance = 0.0;
        model.opt.enableflags |= Enable::Sleep as i32;
        assert_eq!(run(&model), without, "{name}");
    }
}
