//! Plays a thousand random pushes at once, over two threads, and picks the best.
//!
//!     cargo run --release --example batch_rollout

use cortenforge::batch::{Batch, Controls, Rollout, Status, Trajectories, Watch};
use cortenforge::model::State;
use cortenforge::{Data, load_str};

const HOPPER: &str = r#"
<mujoco>
  <worldbody>
    <geom type="plane" size="10 10 1"/>
    <body pos="0 0 0.3">
      <joint type="slide" axis="1 0 0"/>
      <joint type="slide" axis="0 0 1"/>
      <geom type="sphere" size="0.1"/>
      <body>
        <joint name="leg" axis="0 1 0" damping="0.05" range="-60 60"/>
        <geom type="capsule" fromto="0 0 0 0 0 -0.2" size="0.03"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="leg" gear="5"/></actuator>
</mujoco>"#;

const ENVS: usize = 1000;
const STEPS: usize = 200;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = load_str(HOPPER)?.model;
    let full = State::FullPhysics as u32;
    let (nq, nstate) = (model.nq, model.state_size(full));

    // all start alike; each environment has a push of its own, the same at each step
    let mut start = vec![0.0; nstate];
    Data::new(&model).get_state(&model, full, &mut start);
    let pushes: Vec<f64> = (0..ENVS).map(|env| 2.0 * env as f64 / ENVS as f64 - 1.0).collect();

    let mut batch = Batch::new(model, ENVS, 2)?;
    let mut states = vec![0.0; ENVS * STEPS * nstate];
    let watch = Watch::new();
    let status = batch.rollout(
        &Rollout {
            nstep: STEPS,
            initial_state: &start,
            control: Some(Controls { spec: State::Ctrl as u32, values: &pushes, steps: 1 }),
            ..Rollout::default()
        },
        Trajectories { state: Some(&mut states), sensordata: None },
        &watch,
    )?;

    // an environment that diverges says so, and leaves the others alone
    let done = status.iter().filter(|&status| *status == Status::Done).count();
    // a state is time, positions, velocities: the first position is how far it went
    let distance = |env: usize| states[((env + 1) * STEPS - 1) * nstate + 1];
    let best = (0..ENVS).max_by(|&a, &b| distance(a).total_cmp(&distance(b))).unwrap_or(0);
    println!("{} steps, {done} of {ENVS} environments done", watch.steps());
    println!(
        "a push of {:+.3} goes {:.3} m; the state has {nq} positions",
        pushes[best],
        distance(best)
    );
    assert!(done == ENVS && distance(best) > 0.0);
    Ok(())
}
