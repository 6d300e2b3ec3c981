//! Making one file of a model that was put together from several: everything in the units and
//! directories of the main one, and keyframes complete.

use std::borrow::Cow;
use std::f64::consts::PI;
use std::path::{Component, Path};

use sim_core::model::{JointType, Limited};

use crate::compile::resolve_orientation;
use crate::error::Pos;
use crate::spec::{Compiler, Joint, Key, Orientation, Spec, Texture};

/// The model as one file can say it. What cannot be said is left as it is: settings of an attached
/// model that change how inertias are computed.
pub(super) fn unified(spec: &Spec) -> Cow<'_, Spec> {
    let mut spec = Cow::Borrowed(spec);
    if spec.keys.iter().any(|key| parts(&mut key.clone()).iter().any(|part| is_open(part))) {
        complete_keys(spec.to_mut());
    }
    if !spec.attached_compilers.is_empty() || spec.textures.iter().any(|x| !x.dir.is_empty()) {
        convert(spec.to_mut());
    }
    spec
}

fn parts(key: &mut Key) -> [&mut Vec<f64>; 3] {
    [&mut key.qpos, &mut key.mpos, &mut key.mquat]
}

fn is_open(part: &[f64]) -> bool {
    part.iter().any(|x| x.is_nan())
}

/// Puts numbers in the place of those that stand for the reference configuration.
fn complete_keys(spec: &mut Spec) {
    let model = spec.compile().ok().map(|loaded| loaded.model);
    for (id, key) in spec.keys.iter_mut().enumerate() {
        for (part, name) in parts(key).into_iter().zip(["key_qpos", "key_mpos", "key_mquat"]) {
            if !is_open(part) {
                continue;
            }
            let Some(array) = model.as_ref().and_then(|model| model.array(name)) else {
                part.clear();
                continue;
            };
            let start = id * part.len();
            for (i, x) in part.iter_mut().enumerate().filter(|(_, x)| x.is_nan()) {
                *x = array.value(start + i);
            }
        }
    }
}

/// Converts everything to the settings of the main model.
fn convert(spec: &mut Spec) {
    let main = spec.compiler.clone();
    let attached = std::mem::take(&mut spec.attached_compilers);
    let of = |number: &mut usize| {
        let own = number.checked_sub(1).and_then(|i| attached.get(i));
        *number = 0;
        own
    };
    let turn = |orientation: &mut Orientation, own: &Compiler| {
        // an axis without length is for the compiler to report
        if orientation.alternative.is_some()
            && let Ok(quat) = resolve_orientation(orientation, own, Pos::default())
        {
            *orientation = Orientation { quat, alternative: None };
        }
    };

    for class in &mut spec.classes {
        if let Some(own) = of(&mut class.joint.compiler) {
            convert_joint(&mut class.joint, own, &main);
        }
        if let Some(own) = of(&mut class.geom.compiler) {
            turn(&mut class.geom.orientation, own);
        }
        if let Some(own) = of(&mut class.site.compiler) {
            turn(&mut class.site.orientation, own);
        }
        if let Some(own) = of(&mut class.camera.compiler) {
            turn(&mut class.camera.orientation, own);
        }
        of(&mut class.light.compiler);
        of(&mut class.tendon.compiler);
        of(&mut class.actuator.compiler);
    }
    for frame in &mut spec.frames {
        if let Some(own) = of(&mut frame.compiler) {
            turn(&mut frame.orientation, own);
        }
    }
    for body in &mut spec.bodies {
        if let Some(own) = of(&mut body.compiler) {
            turn(&mut body.orientation, own);
            if let Some(inertial) = &mut body.inertial {
                turn(&mut inertial.orientation, own);
            }
        }
        for joint in &mut body.joints {
            if let Some(own) = of(&mut joint.compiler) {
                convert_joint(joint, own, &main);
            }
        }
        for geom in &mut body.geoms {
            if let Some(own) = of(&mut geom.compiler) {
                turn(&mut geom.orientation, own);
            }
        }
        for site in &mut body.sites {
            if let Some(own) = of(&mut site.compiler) {
                turn(&mut site.orientation, own);
            }
        }
        for camera in &mut body.cameras {
            if let Some(own) = of(&mut camera.compiler) {
                turn(&mut camera.orientation, own);
            }
        }
        for light in &mut body.lights {
            of(&mut light.compiler);
        }
    }
    for tendon in &mut spec.tendons {
        if let Some(own) = of(&mut tendon.compiler) {
            say_limit(&mut tendon.limited, tendon.range, own, &main);
        }
    }
    for actuator in &mut spec.actuators {
        if let Some(own) = of(&mut actuator.compiler) {
            say_limit(&mut actuator.ctrllimited, actuator.ctrlrange, own, &main);
            say_limit(&mut actuator.forcelimited, actuator.forcerange, own, &main);
            say_limit(&mut actuator.actlimited, actuator.actrange, own, &main);
        }
    }
    for texture in &mut spec.textures {
        let own = of(&mut texture.compiler).unwrap_or(&main);
        move_files(texture, own, &main);
    }
}

/// Says explicitly that a limit applies where the main model would not infer it.
fn say_limit(limited: &mut Limited, range: [f64; 2], own: &Compiler, main: &Compiler) {
    if *limited == Limited::Auto && own.autolimits && !main.autolimits && range[0] < range[1] {
        *limited = Limited::True;
    }
}

fn convert_joint(joint: &mut Joint, own: &Compiler, main: &Compiler) {
    say_limit(&mut joint.limited, joint.range, own, main);
    say_limit(&mut joint.actuatorfrclimited, joint.actuatorfrcrange, own, main);
    if own.degree == main.degree {
        return;
    }
    let convert = |angle: f64| if main.degree { degrees(angle) } else { angle * (PI / 180.0) };
    let applies = match joint.limited {
        Limited::False => false,
        Limited::True => true,
        Limited::Auto => joint.range[0] < joint.range[1],
    };
    if applies && matches!(joint.kind, JointType::Hinge | JointType::Ball) {
        joint.range = joint.range.map(convert);
    }
    if joint.kind == JointType::Hinge {
        joint.reference = convert(joint.reference);
        joint.springref = convert(joint.springref);
    }
}

/// The number of degrees that becomes the given angle when it is converted, or comes closest.
fn degrees(radians: f64) -> f64 {
    let first = radians / (PI / 180.0);
    let near = [first, first.next_up(), first.next_down()];
    near.into_iter().find(|degrees| degrees * (PI / 180.0) == radians).unwrap_or(first)
}

/// Names the files of a texture relative to the directory of the main model.
fn move_files(texture: &mut Texture, own: &Compiler, main: &Compiler) {
    let dir = Path::new(&texture.dir).join(&own.texturedir);
    texture.dir.clear();
    if dir == Path::new(&main.texturedir) {
        return;
    }
    let up: usize = Path::new(&main.texturedir)
        .components()
        .filter(|part| matches!(part, Component::Normal(_)))
        .count();
    let files = std::iter::once(&mut texture.file).chain(&mut texture.cubefiles);
    for file in files.filter(|file| !file.is_empty()) {
        let path = "../".repeat(up) + &dir.join(&*file).display().to_string();
        *file = if dir.is_absolute() { dir.join(&*file).display().to_string() } else { path };
    }
}
