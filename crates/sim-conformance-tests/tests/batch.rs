//! Many simulations at once: the same bits on any number of threads, and each on its own.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use allocation_counter::measure;
use sim_conformance_tests::{load, model_names, parse};
use sim_core::batch::{
    Batch, BatchError, Controls, Pool, Rollout, Status, Trajectories, Watch, rollout,
};
use sim_core::model::{State, Warning};
use sim_core::{Data, Model, step};

const FULL: u32 = State::FullPhysics as u32;
const CTRL: u32 = State::Ctrl as u32;

/// A ball on a plane, with a motor and sensors; falls, rolls and comes to rest.
const BALL: &str = "<mujoco><worldbody>
    <geom type='plane' size='5 5 1'/>
    <body pos='0 0 .3'><freejoint/><geom size='.1'/><site name='s'/>
      <body pos='.1 0 0'><joint name='j' axis='0 1 0'/><geom size='.05' pos='.2 0 0'/></body></body>
  </worldbody>
  <actuator><motor joint='j' gear='.1'/></actuator>
  <sensor><accelerometer site='s'/><gyro site='s'/></sensor></mujoco>";

/// Numbers between -1 and 1 that look random.
fn noise(count: usize) -> Vec<f64> {
    let mut x = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        (x >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    (0..count).map(|_| next()).collect()
}

/// States near the reference state, one per environment.
fn starts(model: &Model, envs: usize) -> Vec<f64> {
    let size = model.state_size(FULL);
    let mut states = vec![0.0; envs * size];
    let mut data = Data::new(model);
    let velocities = noise(envs * model.nv);
    for env in 0..envs {
        data.qvel.copy_from_slice(&velocities[env * model.nv..][..model.nv]);
        data.get_state(model, FULL, &mut states[env * size..][..size]);
    }
    states
}

/// States and sensor values of a rollout of `envs` environments.
struct Played {
    state: Vec<f64>,
    sensordata: Vec<f64>,
    status: Vec<Status>,
}

fn play(model: &Model, envs: usize, threads: usize, input: &Rollout<'_>) -> Played {
    let mut state = vec![0.0; envs * input.nstep * model.state_size(FULL)];
    let mut sensordata = vec![0.0; envs * input.nstep * model.nsensordata];
    let pool = Pool::new(threads).unwrap();
    let mut workers = vec![Data::new(model); pool.threads()];
    let mut workers: Vec<&mut Data> = workers.iter_mut().collect();
    let output = Trajectories { state: Some(&mut state), sensordata: Some(&mut sensordata) };
    let watch = Watch::new();
    let status = rollout(&pool, &[model], &mut workers, envs, input, output, &watch).unwrap();
    Played { state, sensordata, status }
}

fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|x| x.to_bits()).collect()
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    const ENVS: usize = 7;
    for name in model_names() {
        let model = load(&name);
        let (start, control) = (starts(&model, ENVS), noise(ENVS * 30 * model.nu));
        let input = Rollout {
            nstep: 30,
            initial_state: &start,
            control: Some(Controls { spec: CTRL, values: &control, steps: 30 }),
            ..Rollout::default()
        };
        let one = play(&model, ENVS, 1, &input);
        for threads in [2, 3] {
            let many = play(&model, ENVS, threads, &input);
            assert_eq!(bits(&one.state), bits(&many.state), "{name}");
            assert_eq!(bits(&one.sensordata), bits(&many.sensordata), "{name}");
            assert_eq!(one.status, many.status, "{name}");
        }
    }
}

#[test]
fn a_rollout_is_what_steps_give() {
    let model = parse(BALL);
    let (envs, nstep, nstate) = (3, 50, model.state_size(FULL));
    let (start, control) = (starts(&model, envs), noise(envs * nstep));
    let input = Rollout {
        nstep,
        initial_state: &start,
        control: Some(Controls { spec: CTRL, values: &control, steps: nstep }),
        ..Rollout::default()
    };
    let played = play(&model, envs, 2, &input);
    assert_eq!(played.status, [Status::Done, Status::Done, Status::Done]);
    let mut state = vec![0.0; nstate];
    for env in 0..envs {
        let mut data = Data::new(&model);
        data.set_state(&model, FULL, &start[env * nstate..][..nstate]);
        for at in 0..nstep {
            data.ctrl[0] = control[env * nstep + at];
            step(&model, &mut data);
            data.get_state(&model, FULL, &mut state);
            let row = env * nstep + at;
            assert_eq!(bits(&state), bits(&played.state[row * nstate..][..nstate]));
            let sensors = &played.sensordata[row * model.nsensordata..][..model.nsensordata];
            assert_eq!(bits(&data.sensordata), bits(sensors));
        }
    }
}

#[test]
fn what_is_given_once_goes_for_all() {
    let model = parse(BALL);
    let (envs, nstep) = (4, 20);
    let (start, warmstart, control) = (starts(&model, 1), noise(model.nv), [0.5]);
    let once = Rollout {
        nstep,
        initial_state: &start,
        initial_warmstart: Some(&warmstart),
        control: Some(Controls { spec: CTRL, values: &control, steps: 1 }),
        chunk_size: Some(3),
    };
    let repeated = (start.repeat(envs), warmstart.repeat(envs), control.repeat(envs * nstep));
    let each = Rollout {
        nstep,
        initial_state: &repeated.0,
        initial_warmstart: Some(&repeated.1),
        control: Some(Controls { spec: CTRL, values: &repeated.2, steps: nstep }),
        chunk_size: None,
    };
    let (once, each) = (play(&model, envs, 1, &once), play(&model, envs, 2, &each));
    assert_eq!(bits(&once.state), bits(&each.state));
    let length = once.state.len() / envs;
    assert_eq!(bits(&once.state[..length]), bits(&once.state[length..2 * length]));
}

#[test]
fn divergence_of_one_leaves_the_others_alone() {
    let model = parse(BALL);
    let (envs, nstep, nstate) = (5, 40, model.state_size(FULL));
    let start = starts(&model, envs);
    let played = |forces: &[f64]| {
        let spec = State::QfrcApplied as u32;
        let control = Some(Controls { spec, values: forces, steps: nstep });
        play(
            &model,
            envs,
            2,
            &Rollout { nstep, initial_state: &start, control, ..Rollout::default() },
        )
    };
    let mut forces = vec![0.0; envs * nstep * model.nv];
    let well = played(&forces);
    forces[(2 * nstep + 25) * model.nv + 4] = f64::INFINITY;
    let played = played(&forces);

    assert!(
        matches!(played.status[2], Status::Diverged { step: 25, warning: Warning::BadQacc, .. }),
        "{:?}",
        played.status[2]
    );
    let length = nstep * nstate;
    for env in 0..envs {
        let (a, b) =
            (&played.state[env * length..][..length], &well.state[env * length..][..length]);
        if env != 2 {
            assert_eq!(played.status[env], Status::Done);
            assert_eq!(bits(a), bits(b));
            continue;
        }
        assert_eq!(bits(&a[..25 * nstate]), bits(&b[..25 * nstate]));
        // afterwards the last outputs are repeated
        let last = &a[25 * nstate..26 * nstate];
        assert!(a[25 * nstate..].chunks(nstate).all(|row| row == last));
    }
}

#[test]
fn a_broken_model_fails_in_its_environment_only() {
    let model = parse(BALL);
    let mut broken = model.clone();
    broken.jnt_qposadr[1] = 1000;
    let start = starts(&model, 3);
    let input = Rollout { nstep: 3, initial_state: &start, ..Rollout::default() };
    let mut data = Data::new(&model);
    let (pool, watch) = (Pool::new(1).unwrap(), Watch::new());
    let models = [&model, &broken, &model];
    let status =
        rollout(&pool, &models, &mut [&mut data], 3, &input, Trajectories::default(), &watch)
            .unwrap();
    assert_eq!((&status[0], &status[2]), (&Status::Done, &Status::Done));
    assert!(matches!(&status[1], Status::Failed { step: 0, message } if message.contains("1000")));
}

#[test]
fn models_of_the_same_sizes_may_have_other_trees() {
    let leaf = |inside: &str| {
        format!(
            "<body pos='1 0 0'><joint axis='0 1 0'/><geom size='.1' pos='1 0 0'/>{inside}</body>"
        )
    };
    let model = |root: String| parse(&format!("<mujoco><worldbody>{root}</worldbody></mujoco>"));
    let a = model(leaf(&(leaf(&leaf("")) + &leaf(""))));
    let b = model(leaf(&(leaf("") + &leaf(&leaf("")))));
    assert_ne!(a.body_parentid, b.body_parentid);

    let start = starts(&a, 4);
    let input = Rollout { nstep: 20, initial_state: &start, ..Rollout::default() };
    let mut state = vec![0.0; 4 * 20 * a.state_size(FULL)];
    let output = Trajectories { state: Some(&mut state), sensordata: None };
    let (pool, watch) = (Pool::new(1).unwrap(), Watch::new());
    rollout(&pool, &[&a, &b, &b, &a], &mut [&mut Data::new(&a)], 4, &input, output, &watch)
        .unwrap();
    let length = state.len() / 4;
    for (env, model) in [&a, &b, &b, &a].into_iter().enumerate() {
        let alone = play(model, 4, 1, &input);
        assert_eq!(
            bits(&state[env * length..][..length]),
            bits(&alone.state[env * length..][..length])
        );
    }

    // also without a batch
    let mut data = Data::new(&a);
    data.set_state(&b, FULL, &start[..b.state_size(FULL)]);
    let mut fresh = Data::new(&b);
    fresh.set_state(&b, FULL, &start[..b.state_size(FULL)]);
    for _ in 0..20 {
        step(&b, &mut data);
        step(&b, &mut fresh);
    }
    assert_eq!(bits(&data.qpos), bits(&fresh.qpos));
}

#[test]
fn a_run_can_be_cancelled() {
    let model = parse(BALL);
    let start = starts(&model, 1);
    let input = Rollout { nstep: 1_000_000, initial_state: &start, ..Rollout::default() };
    for threads in [1, 2] {
        let seen = AtomicUsize::new(0);
        let watch = Watch::with_observer(|watch| {
            seen.store(watch.steps() as usize, Ordering::Relaxed);
            if watch.steps() > 100 {
                watch.cancel();
            }
        });
        let mut batch = Batch::new(model.clone(), 8, threads).unwrap();
        let status = batch.rollout(&input, Trajectories::default(), &watch).unwrap();
        let steps: Vec<usize> = status
            .iter()
            .map(|status| match status {
                Status::Cancelled { step } => *step,
                other => panic!("{other:?}"),
            })
            .collect();
        assert!(seen.load(Ordering::Relaxed) > 100);
        assert!(steps.iter().sum::<usize>() as u64 == watch.steps(), "{steps:?}");
        assert!(steps.contains(&0), "some have not even started");

        // the next run is a new one
        let watch = Watch::new();
        let short = Rollout { nstep: 10, ..input };
        let status = batch.rollout(&short, Trajectories::default(), &watch).unwrap();
        assert!(status.iter().all(|status| *status == Status::Done));
        assert_eq!(watch.steps(), 80);
    }
}

#[test]
fn a_batch_lives_on_between_steps() {
    let model = Arc::new(parse(BALL));
    let (envs, nstate) = (5, model.state_size(FULL));
    let start = starts(&model, envs);
    let control = noise(envs);
    let mut states = Vec::new();
    for threads in [1, 2, 3] {
        let mut batch = Batch::new(model.clone(), envs, threads).unwrap();
        assert_eq!((batch.len(), batch.threads()), (envs, threads));
        batch.set_state(FULL, &start).unwrap();
        for _ in 0..10 {
            let control = Controls { spec: CTRL, values: &control, steps: 1 };
            let status = batch.step(4, Some(control), &Watch::new()).unwrap();
            assert!(status.iter().all(|status| *status == Status::Done));
        }
        let mut state = vec![0.0; envs * nstate];
        batch.get_state(FULL, &mut state).unwrap();
        states.push(bits(&state));
    }
    assert!(states.iter().all(|other| *other == states[0]));

    let mut data = Data::new(&model);
    data.set_state(&model, FULL, &start[nstate..2 * nstate]);
    data.ctrl[0] = control[1];
    (0..40).for_each(|_| step(&model, &mut data));
    let mut state = vec![0.0; nstate];
    data.get_state(&model, FULL, &mut state);
    assert_eq!(bits(&state), states[0][nstate..2 * nstate]);
}

#[test]
fn an_environment_that_diverged_goes_on_in_the_next_run() {
    let model = parse(BALL);
    let mut batch = Batch::new(model, 3, 2).unwrap();
    batch.envs_mut()[1].qvel[0] = f64::NAN;
    let status = batch.step(5, None, &Watch::new()).unwrap();
    let diverged = Status::Diverged { step: 0, warning: Warning::BadQvel, info: 0 };
    assert_eq!(status, [Status::Done, diverged, Status::Done]);
    let status = batch.step(5, None, &Watch::new()).unwrap();
    assert!(status.iter().all(|status| *status == Status::Done));
}

#[test]
fn steps_of_a_run_do_not_allocate() {
    let model = parse(BALL);
    let start = starts(&model, 4);
    let control = [0.1];
    let mut batch = Batch::new(model.clone(), 4, 1).unwrap();
    let mut data = Data::new(&model);
    let pool = Pool::new(1).unwrap();
    let mut state = vec![0.0; 4 * 200 * model.state_size(FULL)];
    let mut run = |nstep: usize| {
        let control = Some(Controls { spec: CTRL, values: &control, steps: 1 });
        let input = Rollout { nstep, initial_state: &start, control, ..Rollout::default() };
        let state = &mut state[..4 * nstep * model.state_size(FULL)];
        let output = Trajectories { state: Some(state), sensordata: None };
        let watch = Watch::new();
        rollout(&pool, &[&model], &mut [&mut data], 4, &input, output, &watch).unwrap();
        batch.rollout(&input, Trajectories::default(), &watch).unwrap();
        batch.step(nstep, control, &watch).unwrap();
    };
    run(200);
    let (short, long) = (measure(|| run(1)).count_total, measure(|| run(200)).count_total);
    assert_eq!(short, long);
}

#[test]
fn wrong_inputs_are_errors() {
    let model = parse(BALL);
    let start = starts(&model, 2);
    let mut batch = Batch::new(model, 2, 1).unwrap();
    let mut fails = |input: Rollout<'_>, state: Option<&mut [f64]>, words: &str| {
        let output = Trajectories { state, sensordata: None };
        let BatchError { .. } = match batch.rollout(&input, output, &Watch::new()) {
            Err(error) if error.to_string().contains(words) => error,
            other => panic!("'{words}' expected: {other:?}"),
        };
    };
    let good = Rollout { nstep: 3, initial_state: &start, ..Rollout::default() };
    let controls = |spec, steps| Some(Controls { spec, values: &[0.0; 5], steps });
    fails(Rollout { initial_state: &start[1..], ..good }, None, "initial_state has 31 numbers");
    fails(Rollout { initial_warmstart: Some(&[1.0]), ..good }, None, "initial_warmstart");
    fails(Rollout { control: controls(CTRL, 5), ..good }, None, "5 steps of 3");
    fails(Rollout { control: controls(CTRL, 3), ..good }, None, "control has 5 numbers");
    fails(Rollout { control: controls(1, 1), ..good }, None, "no inputs");
    fails(good, Some(&mut [0.0; 7]), "state has 7 numbers");
    assert!(batch.set_state(FULL, &[0.0]).is_err());
    assert!(batch.get_state(FULL, &mut [0.0]).is_err());
    assert!(batch.step(2, controls(CTRL, 1), &Watch::new()).is_err());

    let (pool, watch) = (Pool::new(1).unwrap(), Watch::new());
    let model = batch.model().clone();
    let mut other = Data::new(&parse("<mujoco/>"));
    let play = |models: &[&Model], data: &mut [&mut Data]| {
        rollout(&pool, models, data, 2, &good, Trajectories::default(), &watch).is_err()
    };
    assert!(play(&[], &mut [&mut Data::new(&model)]));
    assert!(play(&[&model], &mut []));
    assert!(play(&[&model], &mut [&mut other]));
    assert!(play(&[&*model; 3], &mut [&mut Data::new(&model)]));
}
