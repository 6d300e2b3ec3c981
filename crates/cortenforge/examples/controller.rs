//! Balances a pole on a cart: reads the state, computes a force, steps.
//!
//!     cargo run --example controller

use cortenforge::{Data, load_str, step};

const CART_POLE: &str = r#"
<mujoco>
  <option timestep="0.005"/>
  <worldbody>
    <body name="cart">
      <joint name="rail" type="slide" axis="1 0 0" damping="0.1"/>
      <geom type="box" size="0.2 0.1 0.05" mass="1"/>
      <body name="pole">
        <joint name="hinge" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0 0 0.6" size="0.02" mass="0.1"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor name="push" joint="rail" ctrlrange="-20 20"/>
  </actuator>
</mujoco>"#;

/// Gains on position and angle, and on their rates.
const GAINS: [f64; 4] = [1.0, 22.0, 2.2, 4.2];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = load_str(CART_POLE)?.model;
    let mut data = Data::new(&model);

    // a pole that leans by ten degrees
    data.qpos[1] = 10f64.to_radians();
    let mut largest: f64 = 0.0;
    while data.time < 10.0 {
        let state = [data.qpos[0], data.qpos[1], data.qvel[0], data.qvel[1]];
        data.ctrl[0] = state.iter().zip(GAINS).map(|(x, gain)| gain * x).sum();
        step(&model, &mut data);
        largest = largest.max(data.qpos[1].abs());
    }

    println!("largest angle  {:.1}°", largest.to_degrees());
    println!(
        "after {:.0} s     {:.4}° at {:.4} m",
        data.time,
        data.qpos[1].to_degrees(),
        data.qpos[0]
    );
    assert!(data.qpos[1].abs() < 0.01, "the pole stands");
    Ok(())
}
