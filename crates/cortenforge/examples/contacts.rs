//! Drops a box, waits until it rests, and prints where it is touched and how hard.
//!
//!     cargo run --example contacts

use cortenforge::model::ObjType;
use cortenforge::{Data, contact_force, load_str, step};

const SCENE: &str = r#"
<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1"/>
    <body name="crate" pos="0 0 0.5" euler="0 0 30">
      <freejoint/>
      <geom name="crate" type="box" size="0.2 0.1 0.1" mass="8"/>
    </body>
  </worldbody>
</mujoco>"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = load_str(SCENE)?.model;
    let mut data = Data::new(&model);
    while data.time < 2.0 {
        step(&model, &mut data);
    }

    let name = |geom: i32| {
        let geom = usize::try_from(geom).ok();
        geom.and_then(|geom| model.name(ObjType::Geom, geom)).unwrap_or("?")
    };
    let mut total = 0.0;
    for (i, contact) in data.contact.iter().enumerate() {
        // in the frame of the contact, whose first axis is the normal
        let force = contact_force(&model, &data, i);
        total += force.lin.x;
        println!(
            "{} on {} at ({:+.3}, {:+.3}): {:.2} N, {:.1} µm deep",
            name(contact.geom1),
            name(contact.geom2),
            contact.pos.x,
            contact.pos.y,
            force.lin.x,
            -1e6 * contact.dist
        );
    }

    let weight = 8.0 * 9.81;
    println!("together {total:.3} N; the crate weighs {weight:.3} N");
    assert_eq!(data.ncon, 4);
    assert!((total - weight).abs() < 1e-3 * weight);
    Ok(())
}
