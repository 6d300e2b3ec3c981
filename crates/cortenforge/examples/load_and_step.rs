//! Loads a model, steps it for two seconds and prints where it is.
//!
//!     cargo run --example load_and_step

use cortenforge::model::ObjType;
use cortenforge::{Data, load_str, step};

const PENDULUM: &str = r#"
<mujoco>
  <worldbody>
    <body name="bob" pos="0 0 2">
      <joint name="pivot" axis="0 1 0" damping="0.05"/>
      <geom type="capsule" fromto="0 0 0 0.8 0 0" size="0.02"/>
      <site name="tip" pos="0.8 0 0"/>
    </body>
  </worldbody>
</mujoco>"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // load_file reads a file, and what it includes, in the same way
    let model = load_str(PENDULUM)?.model;
    let mut data = Data::new(&model);

    let tip = model.id(ObjType::Site, "tip").ok_or("the model has a tip")?;
    println!("  time   angle     tip");
    while data.time < 2.0 {
        for _ in 0..100 {
            step(&model, &mut data);
        }
        let at = data.site_xpos[tip];
        println!("{:5.2} s  {:5.2} rad  ({:.2}, {:.2}) m", data.time, data.qpos[0], at.x, at.z);
    }

    // it started level and has swung through below
    assert!(data.qpos[0].is_finite() && (data.time - 2.0).abs() < 1e-9);
    Ok(())
}
