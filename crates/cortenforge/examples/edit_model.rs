//! Makes a model from nothing, changes it, and writes it as MJCF.
//!
//!     cargo run --example edit_model

use cortenforge::math::Vec3;
use cortenforge::model::{GeomType, JointType, TrnType};
use cortenforge::spec::{Attachment, Body, Joint};
use cortenforge::{Data, Spec, step};

/// A leg as a model of its own, with a motor at the hip.
fn leg() -> Spec {
    let mut spec = Spec::default();
    let mut world = spec.world();
    let mut thigh = world.add_body().named("thigh");
    thigh.add_joint().named("hip").axis = Vec3::Y;
    thigh.add_geom().with(|geom| {
        geom.kind = GeomType::Capsule;
        geom.fromto = Some([0.0, 0.0, 0.0, 0.0, 0.0, -0.4]);
        geom.size.x = 0.04;
    });
    let motor = spec.add_actuator();
    spec[motor].trntype = TrnType::Joint;
    spec[motor].target = String::from("hip");
    spec
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut spec = Spec::default();
    let mut world = spec.world();
    world.add_geom().named("floor").with(|geom| {
        geom.kind = GeomType::Plane;
        geom.size = Vec3::new(5.0, 5.0, 0.1);
    });
    let mut torso = world.add_body().named("torso");
    torso.pos = Vec3::new(0.0, 0.0, 1.0);
    torso.add_joint().named("root").kind = JointType::Free;
    torso.add_geom().with(|geom| {
        geom.kind = GeomType::Box;
        geom.size = Vec3::new(0.3, 0.2, 0.1);
    });

    // the same leg on both sides; names stay apart by their prefixes
    for (prefix, side) in [("left_", 0.15), ("right_", -0.15)] {
        let mut torso = spec.edit::<Body>("torso")?;
        let mut mount = torso.add_frame();
        mount.pos = Vec3::new(0.0, side, -0.1);
        let frame = mount.id();
        spec.attach(&leg(), None, Attachment { frame, prefix, suffix: "" })?;
    }
    spec.edit::<Joint>("left_hip")?.damping = 1.0;

    let model = spec.compile()?.model;
    println!("{} bodies, {} degrees of freedom, {} motors", model.nbody, model.nv, model.nu);
    let mut data = Data::new(&model);
    while data.time < 0.2 {
        step(&model, &mut data);
    }
    println!("the torso has fallen to {:.2} m", data.qpos[2]);

    // a mistake is named, with what may have been meant
    if let Err(error) = spec.edit::<Body>("left_thig") {
        println!("{error}");
    }
    spec.edit::<Body>("right_thigh")?.delete()?;
    let model = spec.compile()?.model;
    println!("without the right leg: {} bodies, {} motors", model.nbody, model.nu);
    println!("{}", spec.to_xml());
    assert_eq!((model.nbody, model.nu), (3, 1));
    Ok(())
}
