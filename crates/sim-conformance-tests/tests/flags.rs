//! What the flags of `<option>` switch off and on.

use sim_conformance_tests::parse;
use sim_core::model::{Disable, Enable, Solver};
use sim_core::{Callbacks, Data, Model, forward, forward_with, step, step1_with};

/// A model with a bit of everything that a flag can switch: springs, dampers, a tendon, gravity
/// compensation, a medium, actuators and sensors.
const PLANT: &str = "
  <mujoco>
    <option density='2' viscosity='0.3' timestep='0.01'/>
    <worldbody>
      <body pos='0 0 1' gravcomp='0.5'>
        <joint name='lift' type='slide' axis='0 0 1' stiffness='100' springref='0.1' damping='10'/>
        <geom type='box' size='.1 .1 .1' mass='1'/>
        <body pos='0.2 0 0'>
          <joint name='turn' axis='0 1 0' stiffness='3' damping='0.2'/>
          <geom type='capsule' fromto='0 0 0 0.3 0 0' size='.02'/>
        </body>
      </body>
    </worldbody>
    <tendon>
      <fixed name='cable' stiffness='5' damping='2' springlength='0.3'>
        <joint joint='lift' coef='1'/><joint joint='turn' coef='0.5'/>
      </fixed>
    </tendon>
    <actuator>
      <motor name='motor' joint='turn' gear='2' ctrlrange='0 1'/>
      <general tendon='cable' dyntype='filter' dynprm='0.05' group='3'/>
    </actuator>
    <sensor><jointpos joint='lift'/><jointvel joint='turn'/><actuatorfrc actuator='motor'/></sensor>
  </mujoco>";

fn plant() -> Model {
    parse(PLANT)
}

/// Data of the plant away from rest.
fn moving(model: &Model) -> Data {
    let mut data = Data::new(model);
    data.qpos.copy_from_slice(&[0.05, 0.4]);
    data.qvel.copy_from_slice(&[0.7, -1.3]);
    data.ctrl.copy_from_slice(&[0.6, 0.4]);
    data.act[0] = 0.2;
    data
}

/// The plant with flags switched off, after `forward`.
fn without(flags: &[Disable]) -> (Model, Data) {
    let mut model = plant();
    for &flag in flags {
        model.opt.disableflags |= flag as i32;
    }
    let mut data = moving(&model);
    forward(&model, &mut data);
    (model, data)
}

fn zero(x: &[f64]) -> bool {
    x.iter().all(|&x| x == 0.0)
}

fn nowhere_zero(x: &[f64]) -> bool {
    x.iter().all(|&x| x != 0.0)
}

#[test]
fn without_flags_no_bit_is_set() {
    for option in ["", "<option/>", "<option><flag/></option>"] {
        let model = parse(&format!("<mujoco>{option}</mujoco>"));
        assert_eq!((model.opt.disableflags, model.opt.enableflags), (0, 0), "{option}");
    }
}

#[test]
fn every_flag_sets_its_own_bit() {
    let disable = [
        ("constraint", Disable::Constraint),
        ("equality", Disable::Equality),
        ("frictionloss", Disable::FrictionLoss),
        ("limit", Disable::Limit),
        ("contact", Disable::Contact),
        ("spring", Disable::Spring),
        ("damper", Disable::Damper),
        ("gravity", Disable::Gravity),
        ("clampctrl", Disable::ClampCtrl),
        ("warmstart", Disable::WarmStart),
        ("filterparent", Disable::FilterParent),
        ("actuation", Disable::Actuation),
        ("refsafe", Disable::RefSafe),
        ("sensor", Disable::Sensor),
        ("midphase", Disable::MidPhase),
        ("eulerdamp", Disable::EulerDamp),
        ("autoreset", Disable::AutoReset),
        ("nativeccd", Disable::NativeCcd),
        ("island", Disable::Island),
    ];
    for (name, flag) in disable {
        let read = |value| {
            let xml = format!("<mujoco><option><flag {name}='{value}'/></option></mujoco>");
            parse(&xml).opt
        };
        assert_eq!(read("disable").disableflags, flag as i32, "{name}");
        assert_eq!(read("enable").disableflags, 0, "{name}");
    }
    let enable = [
        ("override", Enable::Override),
        ("energy", Enable::Energy),
        ("fwdinv", Enable::FwdInv),
        ("invdiscrete", Enable::InvDiscrete),
        ("multiccd", Enable::MultiCcd),
        ("sleep", Enable::Sleep),
    ];
    for (name, flag) in enable {
        let xml = format!("<mujoco><option><flag {name}='enable'/></option></mujoco>");
        assert_eq!(parse(&xml).opt.enableflags, flag as i32, "{name}");
    }
}

#[test]
fn the_old_flag_for_passive_forces_is_springs_and_dampers_with_a_warning() {
    let read = |flags: &str| {
        let xml = format!("<mujoco><option><flag {flags}/></option></mujoco>");
        let loaded = sim_mjcf::load_str(&xml).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(loaded.warnings.len(), 1, "{flags}");
        assert!(loaded.warnings[0].to_string().contains("passive"), "{flags}");
        loaded.model.opt.disableflags
    };
    let (spring, damper) = (Disable::Spring as i32, Disable::Damper as i32);
    assert_eq!(read("passive='disable'"), spring | damper);
    assert_eq!(read("passive='disable' spring='enable'"), damper);
    assert_eq!(read("spring='enable' passive='disable'"), damper);
    assert_eq!(read("passive='enable'"), 0);
}

#[test]
fn a_free_body_without_gravity_stays_where_it_is() {
    let mut model = parse(
        "<mujoco><option><flag gravity='disable' energy='enable'/></option><worldbody>
         <body pos='0 0 3' gravcomp='1'><freejoint/><geom type='box' size='.1 .2 .3'/></body>
         </worldbody></mujoco>",
    );
    let mut data = Data::new(&model);
    for _ in 0..100 {
        step(&model, &mut data);
    }
    assert!(zero(&data.qacc) && zero(&data.qvel));
    assert_eq!(data.qpos, model.qpos0);
    assert_eq!(data.energy, [0.0; 2]);
    assert!(zero(&data.qfrc_gravcomp));

    // with gravity there is potential energy, and compensation keeps the body up
    model.opt.disableflags = 0;
    forward(&model, &mut data);
    assert!(data.energy[0] > 0.0);
    assert!((data.qfrc_gravcomp[2] / (9.81 * model.body_mass[1]) - 1.0).abs() < 1e-12);
}

#[test]
fn without_gravity_other_forces_still_act() {
    let (_, with) = without(&[]);
    let (_, data) = without(&[Disable::Gravity]);
    assert_eq!(data.qfrc_spring, with.qfrc_spring);
    assert_eq!(data.qfrc_damper, with.qfrc_damper);
    assert_eq!(data.qfrc_fluid, with.qfrc_fluid);
    assert_eq!(data.qfrc_actuator, with.qfrc_actuator);
    assert!(nowhere_zero(&data.qfrc_spring) && nowhere_zero(&data.qfrc_actuator));
    assert!(zero(&data.qfrc_gravcomp) && !zero(&with.qfrc_gravcomp));
}

#[test]
fn springs_and_dampers_are_switched_off_one_by_one() {
    let (_, both) = without(&[]);
    assert!(nowhere_zero(&both.qfrc_spring) && nowhere_zero(&both.qfrc_damper));
    let (_, data) = without(&[Disable::Spring]);
    assert!(zero(&data.qfrc_spring));
    assert_eq!(data.qfrc_damper, both.qfrc_damper);
    let (_, data) = without(&[Disable::Damper]);
    assert!(zero(&data.qfrc_damper));
    assert_eq!(data.qfrc_spring, both.qfrc_spring);
}

#[test]
fn joint_forces_are_stiffness_times_way_and_damping_times_velocity() {
    let model = parse(
        "<mujoco><worldbody><body><joint axis='0 1 0' stiffness='100' damping='10'/>
         <geom size='.1'/></body></worldbody></mujoco>",
    );
    let force = |flags: i32| {
        let mut model = model.clone();
        model.opt.disableflags = flags;
        let mut data = Data::new(&model);
        (data.qpos[0], data.qvel[0]) = (0.5, 2.0);
        forward(&model, &mut data);
        (data.qfrc_spring[0], data.qfrc_damper[0], data.qfrc_passive[0])
    };
    assert_eq!(force(0), (-50.0, -20.0, -70.0));
    assert_eq!(force(Disable::Spring as i32), (0.0, -20.0, -20.0));
    assert_eq!(force(Disable::Damper as i32), (-50.0, 0.0, -50.0));
    assert_eq!(force(Disable::Spring as i32 | Disable::Damper as i32), (0.0, 0.0, 0.0));
}

#[test]
fn without_springs_and_dampers_there_are_no_passive_forces_at_all() {
    let (_, data) = without(&[Disable::Spring, Disable::Damper]);
    for force in [
        &data.qfrc_spring,
        &data.qfrc_damper,
        &data.qfrc_gravcomp,
        &data.qfrc_fluid,
        &data.qfrc_passive,
    ] {
        assert!(zero(force));
    }
    // one of them alone leaves the medium and the compensation as they are
    let (_, all) = without(&[]);
    assert!(!zero(&all.qfrc_gravcomp) && nowhere_zero(&all.qfrc_fluid));
    for flag in [Disable::Spring, Disable::Damper] {
        let (_, data) = without(&[flag]);
        assert_eq!(data.qfrc_gravcomp, all.qfrc_gravcomp);
        assert_eq!(data.qfrc_fluid, all.qfrc_fluid);
    }
}

#[test]
fn gravity_compensation_ends_with_both_springs_and_dampers() {
    let mut model = parse(
        "<mujoco><worldbody><body gravcomp='1'><joint type='slide' axis='0 0 1'/>
         <geom size='.1' mass='1'/></body></worldbody></mujoco>",
    );
    let mut compensation = |flags: i32| {
        model.opt.disableflags = flags;
        let mut data = Data::new(&model);
        forward(&model, &mut data);
        assert_eq!(data.qfrc_passive, data.qfrc_gravcomp);
        data.qfrc_gravcomp[0]
    };
    let (spring, damper) = (Disable::Spring as i32, Disable::Damper as i32);
    assert_eq!(compensation(0), 9.81);
    assert_eq!(compensation(spring), 9.81);
    assert_eq!(compensation(damper), 9.81);
    assert_eq!(compensation(spring | damper), 0.0);
    assert_eq!(compensation(Disable::Gravity as i32), 0.0);
}

/// Counts how often it is called.
#[derive(Default)]
struct Counter {
    passive: usize,
    control: usize,
}

impl Callbacks for Counter {
    fn passive(&mut self, _model: &Model, _data: &mut Data) {
        self.passive += 1;
    }

    fn control(&mut self, _model: &Model, _data: &mut Data) {
        self.control += 1;
    }
}

#[test]
fn passive_forces_of_the_user_end_with_both_springs_and_dampers() {
    for (flags, calls) in [
        (&[][..], 1),
        (&[Disable::Spring][..], 1),
        (&[Disable::Damper][..], 1),
        (&[Disable::Spring, Disable::Damper][..], 0),
    ] {
        let (model, mut data) = without(flags);
        let mut counter = Counter::default();
        forward_with(&model, &mut data, &mut counter);
        assert_eq!(counter.passive, calls, "{flags:?}");
    }
}

#[test]
fn without_actuation_the_user_controls_only_the_first_half_of_a_step() {
    let (model, mut data) = without(&[Disable::Actuation]);
    let mut counter = Counter::default();
    forward_with(&model, &mut data, &mut counter);
    assert_eq!(counter.control, 0);
    step1_with(&model, &mut data, &mut counter);
    assert_eq!(counter.control, 1);
}

#[test]
fn without_actuation_controls_have_no_effect() {
    let (_, with) = without(&[]);
    let (model, mut data) = without(&[Disable::Actuation]);
    assert!(nowhere_zero(&with.actuator_force) && nowhere_zero(&with.actuator_velocity));
    assert!(zero(&data.actuator_force) && zero(&data.qfrc_actuator));
    // the geometry is still there, velocities are not
    assert_eq!(data.actuator_length, with.actuator_length);
    assert_eq!(data.actuator_moment, with.actuator_moment);
    assert!(zero(&data.actuator_velocity));
    // and the activation stands still
    let mut quiet = data.clone();
    quiet.ctrl.fill(0.0);
    for _ in 0..10 {
        step(&model, &mut data);
        step(&model, &mut quiet);
    }
    assert_eq!(data.act, [0.2]);
    assert_eq!(data.qpos, quiet.qpos);
    assert_eq!(data.qvel, quiet.qvel);
}

#[test]
fn a_disabled_group_of_actuators_has_no_force_and_keeps_its_activation() {
    let mut model = plant();
    model.opt.disableactuator = 1 << 3;
    let mut data = moving(&model);
    for _ in 0..10 {
        step(&model, &mut data);
    }
    assert_ne!(data.actuator_force[0], 0.0);
    assert_eq!(data.actuator_force[1], 0.0);
    assert_eq!(data.act, [0.2]);
    model.opt.disableactuator = 1 << 2;
    step(&model, &mut data);
    assert_ne!(data.actuator_force[1], 0.0);
    assert_ne!(data.act, [0.2]);
}

#[test]
fn without_sensors_their_data_are_stale() {
    let (mut model, mut data) = without(&[]);
    let readings = data.sensordata.clone();
    assert!(nowhere_zero(&readings));
    model.opt.disableflags |= Disable::Sensor as i32;
    for _ in 0..10 {
        step(&model, &mut data);
    }
    assert_eq!(data.sensordata, readings);
    model.opt.disableflags = 0;
    forward(&model, &mut data);
    assert_ne!(data.sensordata, readings);
}

#[test]
fn energies_are_zero_unless_enabled() {
    let (mut model, mut data) = without(&[]);
    assert_eq!(data.energy, [0.0; 2]);
    model.opt.enableflags = Enable::Energy as i32;
    forward(&model, &mut data);
    assert!(nowhere_zero(&data.energy));
    // not left over from before
    model.opt.enableflags = 0;
    forward(&model, &mut data);
    assert_eq!(data.energy, [0.0; 2]);
}

#[test]
fn sensors_of_energy_compute_it_even_if_it_is_not_enabled() {
    let mut model = parse(&PLANT.replace("</sensor>", "<e_potential/><e_kinetic/></sensor>"));
    let mut data = moving(&model);
    forward(&model, &mut data);
    let off = data.energy;
    assert!(nowhere_zero(&off));
    assert_eq!(data.sensordata[3..], off);
    model.opt.enableflags = Enable::Energy as i32;
    forward(&model, &mut data);
    assert_eq!(data.energy, off);
}

#[test]
fn controls_are_clamped_to_their_range_unless_disabled() {
    let force = |flags: i32, ctrl: f64| {
        let mut model = plant();
        model.opt.disableflags = flags;
        let mut data = Data::new(&model);
        data.ctrl[0] = ctrl;
        forward(&model, &mut data);
        assert_eq!(data.ctrl[0], ctrl, "the control itself is the user's");
        data.qfrc_actuator[1]
    };
    assert_eq!(force(0, 2.0), 2.0);
    assert_eq!(force(0, -2.0), 0.0);
    assert_eq!(force(Disable::ClampCtrl as i32, 2.0), 4.0);
    assert_eq!(force(Disable::ClampCtrl as i32, -2.0), -4.0);
}

#[test]
fn euler_damping_is_implicit_explicit_or_absent() {
    // time step times damping equals the mass
    let mut model = parse(
        "<mujoco><option timestep='0.01' gravity='0 0 0'/><worldbody><body>
         <joint type='slide' damping='100'/><geom size='.1' mass='1'/></body></worldbody></mujoco>",
    );
    let mut velocity = |flags: i32| {
        model.opt.disableflags = flags;
        let mut data = Data::new(&model);
        data.qvel[0] = 1.0;
        step(&model, &mut data);
        data.qvel[0]
    };
    let (euler, damper) = (Disable::EulerDamp as i32, Disable::Damper as i32);
    let close = |a: f64, b: f64| (a - b).abs() < 1e-14;
    assert!(close(velocity(0), 0.5));
    assert!(close(velocity(euler), 0.0));
    assert!(close(velocity(damper), 1.0));
    assert!(close(velocity(euler | damper), 1.0));
}

#[test]
fn what_is_switched_off_is_zeroed_first() {
    let (mut model, mut data) = without(&[]);
    assert!(nowhere_zero(&data.actuator_force) && nowhere_zero(&data.qfrc_passive));
    // leftovers of constraints, as if there had been some
    data.qfrc_constraint.fill(3.0);
    data.ncon = 2;
    data.nefc = 5;
    let off = [Disable::Actuation, Disable::Spring, Disable::Damper, Disable::Constraint];
    model.opt.disableflags = off.iter().map(|&flag| flag as i32).sum();
    forward(&model, &mut data);
    for force in [
        &data.actuator_force,
        &data.qfrc_actuator,
        &data.qfrc_spring,
        &data.qfrc_damper,
        &data.qfrc_gravcomp,
        &data.qfrc_fluid,
        &data.qfrc_passive,
        &data.qfrc_constraint,
    ] {
        assert!(zero(force));
    }
    assert_eq!((data.ncon, data.nefc), (0, 0));
    assert_eq!(data.qacc, data.qacc_smooth);
}

#[test]
fn without_reset_bad_numbers_stay_and_are_counted() {
    let (mut model, mut data) = without(&[Disable::AutoReset]);
    data.qvel[1] = 1e11;
    step(&model, &mut data);
    assert!(data.time > 0.0 && data.qvel[1].abs() > 1e8);
    assert!(data.warning.iter().any(|warning| warning.number > 0));
    model.opt.disableflags = 0;
    data.qvel[1] = f64::NAN;
    step(&model, &mut data);
    assert!(data.qvel.iter().all(|x| x.is_finite()));
}

/// A ball above a floor, on its way down.
const BALL: &str = "
  <mujoco>
    <worldbody>
      <geom type='plane' size='5 5 .1'/>
      <body pos='0 0 .2'><freejoint/><geom size='.1' mass='1'/></body>
    </worldbody>
  </mujoco>";

/// A model after some steps with flags switched off.
fn run(xml: &str, flags: &[Disable], steps: usize) -> (Model, Data) {
    let mut model = parse(xml);
    model.opt.disableflags = flags.iter().map(|&flag| flag as i32).sum();
    let mut data = Data::new(&model);
    (0..steps).for_each(|_| step(&model, &mut data));
    forward(&model, &mut data);
    (model, data)
}

#[test]
fn without_contacts_a_ball_falls_through_the_floor() {
    let (_, on) = run(BALL, &[], 500);
    assert!(on.ncon == 1 && on.nefc == 4 && (on.qpos[2] - 0.1).abs() < 0.001);
    for flag in [Disable::Contact, Disable::Constraint] {
        let (_, off) = run(BALL, &[flag], 500);
        assert_eq!((off.ncon, off.nefc), (0, 0));
        // half a second plus half a step of free fall
        let fall = 0.5 * 9.81 * (1.0 + 0.002);
        assert!((off.qpos[2] - (0.2 - fall)).abs() < 1e-9, "{flag:?}: {}", off.qpos[2]);
        assert_eq!(off.qacc, off.qacc_smooth);
    }
}

#[test]
fn without_contacts_there_are_still_springs_limits_and_friction() {
    let xml = BALL.replace(
        "<freejoint/>",
        "<joint name='z' type='slide' axis='0 0 1' range='-.05 1' limited='true' stiffness='3'
         frictionloss='.1'/>",
    );
    let (_, data) = run(&xml, &[Disable::Contact], 500);
    assert_eq!((data.ncon, data.nf, data.nl), (0, 1, 1));
    assert!((data.qpos[0] + 0.05).abs() < 0.003 && data.qfrc_spring[0] > 0.1);
}

/// A hinge that gravity turns past its range.
const LIMITED: &str = "
  <mujoco>
    <worldbody>
      <body>
        <joint axis='0 1 0' range='0 90' frictionloss='.01'/>
        <geom type='capsule' fromto='0 0 0 0 0 1' size='.05' mass='1'/>
      </body>
    </worldbody>
  </mujoco>";

#[test]
fn without_limits_a_hinge_turns_past_its_range() {
    let swing = |flags: &[Disable]| {
        let mut model = parse(LIMITED);
        model.opt.disableflags = flags.iter().map(|&flag| flag as i32).sum();
        let mut data = Data::new(&model);
        data.qpos[0] = 1.4;
        let mut rows = 0;
        let mut farthest: f64 = 0.0;
        for _ in 0..300 {
            step(&model, &mut data);
            rows += data.nl;
            farthest = farthest.max(data.qpos[0]);
        }
        (rows, farthest)
    };
    let (rows, farthest) = swing(&[]);
    assert!(rows > 0 && farthest < 1.62, "{rows} {farthest}");
    for flag in [Disable::Limit, Disable::Constraint] {
        let (rows, farthest) = swing(&[flag]);
        assert!(rows == 0 && farthest > 3.0, "{flag:?}: {rows} {farthest}");
    }
}

#[test]
fn without_equalities_welded_bodies_part() {
    let xml = "<mujoco><worldbody>
        <body name='a' pos='0 0 1'><freejoint/><geom size='.1' mass='1'/></body>
        <body name='b' pos='.5 0 1'><freejoint/><geom size='.1' mass='1'/></body></worldbody>
        <tendon><fixed name='t'><joint joint='s' coef='1'/></fixed></tendon>
        <equality><weld body1='a' body2='b'/><joint joint1='s'/><tendon tendon1='t'/>
        <connect body1='a' body2='b' anchor='1 0 0'/></equality></mujoco>";
    let xml = xml.replace(
        "</worldbody>",
        "<body><joint name='s' type='slide' axis='1 0 0'/><geom size='.1' pos='0 0 5'/></body></worldbody>",
    );
    let distance = |flags: &[Disable]| {
        let mut model = parse(&xml);
        model.opt.disableflags = flags.iter().map(|&flag| flag as i32).sum();
        let mut data = Data::new(&model);
        (data.qvel[0], data.qvel[6], data.qvel[12]) = (-1.0, 1.0, 1.0);
        (0..200).for_each(|_| step(&model, &mut data));
        (data.ne, data.qpos[7] - data.qpos[0], data.qpos[14])
    };
    let (rows, apart, slider) = distance(&[]);
    assert_eq!(rows, 6 + 1 + 1 + 3);
    assert!((apart - 0.5).abs() < 0.02 && slider.abs() < 0.02, "{apart} {slider}");
    for flag in [Disable::Equality, Disable::Constraint] {
        let (rows, apart, slider) = distance(&[flag]);
        assert_eq!(rows, 0);
        assert!((apart - 1.3).abs() < 1e-9 && (slider - 0.4).abs() < 1e-9, "{apart} {slider}");
    }
}

#[test]
fn without_friction_loss_a_joint_turns_freely() {
    let xml = "<mujoco><option gravity='0 0 0'/><worldbody><body>
        <joint name='turn' axis='0 1 0' frictionloss='10'/><geom size='.1' pos='.5 0 0' mass='1'/>
        </body></worldbody><tendon><fixed frictionloss='10'><joint joint='turn' coef='1'/></fixed>
        </tendon></mujoco>";
    let spin = |flags: &[Disable]| {
        let mut model = parse(xml);
        model.opt.disableflags = flags.iter().map(|&flag| flag as i32).sum();
        let mut data = Data::new(&model);
        data.qvel[0] = 2.0;
        (0..100).for_each(|_| step(&model, &mut data));
        (data.nf, data.qvel[0])
    };
    let (rows, velocity) = spin(&[]);
    assert!(rows == 2 && velocity.abs() < 1e-2, "{rows} {velocity}");
    for flag in [Disable::FrictionLoss, Disable::Constraint] {
        let (rows, velocity) = spin(&[flag]);
        assert_eq!(rows, 0);
        assert!((velocity - 2.0).abs() < 1e-12);
    }
}

#[test]
fn without_constraints_the_acceleration_is_the_smooth_one() {
    let (_, with) = run(BALL, &[], 200);
    assert!(with.nefc > 0);
    assert_ne!(with.qacc, with.qacc_smooth);
    let (_, data) = run(BALL, &[Disable::Constraint], 200);
    assert_eq!((data.ncon, data.ne, data.nf, data.nl, data.nefc), (0, 0, 0, 0, 0));
    assert_eq!(data.qacc, data.qacc_smooth);
    assert!(zero(&data.qfrc_constraint));
}

#[test]
fn without_warm_start_a_solver_does_not_look_at_the_last_acceleration() {
    for solver in [Solver::Pgs, Solver::Cg, Solver::Newton] {
        let solved = |flags: i32, start: f64, iterations: i32| {
            let (mut model, mut data) = run(BALL, &[], 250);
            model.opt.disableflags = flags;
            model.opt.solver = solver as i32;
            model.opt.iterations = iterations;
            data.qvel[0] = 0.01;
            data.qacc_warmstart.iter_mut().for_each(|x| *x = *x * start + start - 1.0);
            forward(&model, &mut data);
            data
        };
        let off = Disable::WarmStart as i32;
        // one iteration from the same start, whatever the last acceleration was
        assert_eq!(solved(off, 1.0, 1).efc_force, solved(off, 1.001, 1).efc_force, "{solver:?}");
        assert_ne!(solved(0, 1.0, 1).efc_force, solved(0, 1.001, 1).efc_force, "{solver:?}");
        // in the end both arrive at the same place
        let (cold, warm) = (solved(off, 1.0, 100), solved(0, 1.0, 100));
        for (a, b) in cold.qacc.iter().zip(&warm.qacc) {
            assert!((a - b).abs() < 1e-3, "{solver:?}: {:?} {:?}", cold.qacc, warm.qacc);
        }
    }
}

#[test]
fn parents_and_children_touch_unless_they_are_filtered() {
    let xml = "<mujoco><worldbody><geom size='.1' contype='2' conaffinity='2'/>
        <body name='parent'><freejoint/><geom size='.1'/><body pos='.15 0 0'><joint/>
        <geom size='.1'/></body></body></worldbody></mujoco>";
    let (_, filtered) = run(xml, &[], 0);
    let (_, unfiltered) = run(xml, &[Disable::FilterParent], 0);
    assert_eq!((filtered.ncon, unfiltered.ncon), (0, 1));
    // the world is nobody's parent in this sense
    let xml = "<mujoco><worldbody><geom size='.1'/><body pos='.15 0 0'><joint/><geom size='.1'/>
        </body></worldbody></mujoco>";
    assert_eq!(run(xml, &[], 0).1.ncon, 1);
}

#[test]
fn time_constants_below_two_steps_are_raised_unless_that_is_disabled() {
    let xml = "<mujoco><option timestep='.01'/><worldbody><body>
        <joint type='slide' range='0 1' solreflimit='.001 1'/><geom size='.1' mass='1'/></body>
        </worldbody></mujoco>";
    let stiffness = |flags: i32| {
        let mut model = parse(xml);
        model.opt.disableflags = flags;
        let mut data = Data::new(&model);
        data.qpos[0] = -0.1;
        forward(&model, &mut data);
        data.efc_KBIP[0][0]
    };
    let with = |timeconst: f64| 1.0 / (0.95 * timeconst).powi(2);
    let close = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-12;
    assert!(close(stiffness(0), with(0.02)));
    assert!(close(stiffness(Disable::RefSafe as i32), with(0.001)));
}

#[test]
fn the_override_gives_all_contacts_the_same_parameters() {
    let xml = BALL.replace(
        "<worldbody>",
        "<option o_margin='.3' o_solref='.03 .8' o_solimp='.5 .6 .1 .5 2'
         o_friction='.1 .2 .3 .4 .5'/><worldbody>",
    );
    let mut model = parse(&xml);
    let mut data = Data::new(&model);
    forward(&model, &mut data);
    assert_eq!(data.ncon, 0);
    model.opt.enableflags = Enable::Override as i32;
    forward(&model, &mut data);
    let contact = &data.contact[0];
    assert_eq!(contact.solref, [0.03, 0.8]);
    assert_eq!(contact.solimp, [0.5, 0.6, 0.1, 0.5, 2.0]);
    assert_eq!(contact.friction, [0.1, 0.2, 0.3, 0.4, 0.5]);
    assert_eq!(contact.includemargin, 0.3);
}

#[test]
fn islands_do_not_change_where_solvers_arrive() {
    let xml = BALL.replace(
        "</worldbody>",
        "<body pos='1 0 .1'><freejoint/><geom size='.1' mass='3'/></body></worldbody>",
    );
    let (_, together) = run(&xml, &[Disable::Island], 300);
    let (_, apart) = run(&xml, &[], 300);
    assert_eq!((together.nisland, apart.nisland), (0, 2));
    for (a, b) in together.qpos.iter().zip(&apart.qpos) {
        assert!((a - b).abs() < 1e-9);
    }
}

#[test]
fn the_comparison_of_forward_and_inverse_is_made_on_demand() {
    let (mut model, mut data) = run(BALL, &[], 300);
    assert_eq!(data.solver_fwdinv, [0.0; 2]);
    model.opt.enableflags = Enable::FwdInv as i32;
    step(&model, &mut data);
    assert!(data.solver_fwdinv.iter().all(|&error| error < 1e-6));
    // a solver that stops too early is found out
    model.opt.solver = Solver::Pgs as i32;
    model.opt.iterations = 1;
    data.qvel[0] = 0.3;
    step(&model, &mut data);
    assert!(data.solver_fwdinv.iter().all(|&error| error > 1e-6));
}
