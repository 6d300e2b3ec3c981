//! Models that a file cannot say as they are: those with parts that were read under the compiler
//! settings of other models, and those with classes or elements that take back what the class
//! around them says. They are rewritten without classes, and in radians.

use std::f64::consts::PI;
use std::path::{Path, PathBuf};

use sim_core::math::Vec3;
use sim_core::model::{AlignFree, InertiaFromGeom, JointType, Limited};

use super::render::takes_back;
use super::resolver::normal;
use crate::compile::{inertials, orientation};
use crate::error::Pos;
use crate::spec::{
    Alternative, Body, Class, Compiler, Element, Joint, Orientation, Spec, Tendon, TendonKind,
};

/// The model in a form that a file can say; none if it has that form.
pub(super) fn flat(spec: &Spec) -> Option<Spec> {
    if !is_needed(spec) {
        return None;
    }
    let mut flat = spec.clone();
    flat.classes.truncate(1);
    flat.classes[0] = Class::default();
    flat.compiler.degree = false;
    let units = |number: usize| Units { from: spec.compiler_of(number), to: &spec.compiler };

    for frame in &mut flat.frames {
        frame.childclass = None;
        units(frame.compiler).orientation(&mut frame.orientation);
    }
    for body in &mut flat.bodies {
        (body.class, body.childclass) = (0, None);
        let own = units(body.compiler);
        own.orientation(&mut body.orientation);
        if let Some(inertial) = &mut body.inertial {
            own.orientation(&mut inertial.orientation);
        }
        for joint in &mut body.joints {
            joint.class = 0;
            units(joint.compiler).joint(joint);
        }
        for geom in &mut body.geoms {
            geom.class = 0;
            units(geom.compiler).orientation(&mut geom.orientation);
        }
        for site in &mut body.sites {
            site.class = 0;
            units(site.compiler).orientation(&mut site.orientation);
        }
        for camera in &mut body.cameras {
            camera.class = 0;
            units(camera.compiler).orientation(&mut camera.orientation);
        }
        body.lights.iter_mut().for_each(|light| light.class = 0);
    }
    for tendon in &mut flat.tendons {
        tendon.class = look(tendon, &mut flat.classes);
        let own = units(tendon.compiler);
        own.limit(&mut tendon.limited, tendon.range);
        own.limit(&mut tendon.actuatorfrclimited, tendon.actuatorfrcrange);
    }
    for actuator in &mut flat.actuators {
        actuator.class = 0;
        let own = units(actuator.compiler);
        own.limit(&mut actuator.ctrllimited, actuator.ctrlrange);
        own.limit(&mut actuator.forcelimited, actuator.forcerange);
        own.limit(&mut actuator.actlimited, actuator.actrange);
    }
    settle_inertia(spec, &mut flat);
    // files of other directories, seen from the directory of textures
    let up: PathBuf = Path::new(&spec.compiler.texturedir).components().map(|_| "..").collect();
    for texture in &mut flat.textures {
        let dir = Path::new(&texture.dir).join(&spec.compiler_of(texture.compiler).texturedir);
        if texture.compiler == 0 && texture.dir.is_empty() {
            continue;
        }
        for file in std::iter::once(&mut texture.file).chain(&mut texture.cubefiles) {
            if !file.is_empty() {
                *file = up.join(normal(&dir.join(&*file))).display().to_string();
            }
        }
    }
    flat.materials.iter_mut().for_each(|material| material.class = 0);
    flat.pairs.iter_mut().for_each(|pair| pair.class = 0);
    flat.equalities.iter_mut().for_each(|equality| equality.class = 0);
    Some(flat)
}

/// The class that says how a tendon looks, which a fixed one cannot say itself.
fn look(tendon: &Tendon, classes: &mut Vec<Class>) -> usize {
    let same = |class: &Class| {
        let known = &class.tendon;
        (known.width, known.rgba, &known.material) == (tendon.width, tendon.rgba, &tendon.material)
    };
    if tendon.kind != TendonKind::Fixed || same(&classes[0]) {
        return 0;
    }
    classes.iter().position(same).unwrap_or_else(|| {
        let index = classes.len();
        let mut class =
            Class { name: format!("tendon{index}"), parent: Some(0), ..Class::default() };
        class.tendon.class = index;
        class.tendon.width = tendon.width;
        class.tendon.rgba = tendon.rgba;
        class.tendon.material.clone_from(&tendon.material);
        classes.push(class);
        index
    })
}

/// Whether a file cannot say the model as it is.
pub(super) fn is_needed(spec: &Spec) -> bool {
    !spec.attached_compilers.is_empty()
        || !spec.classes.iter().all(|class| fits(class, spec))
        || !spec.bodies.iter().all(|body| belongs(body, spec))
}

/// Says the inertia of every body where models with other settings for it are attached.
fn settle_inertia(spec: &Spec, flat: &mut Spec) {
    let settings = |compiler: &Compiler| Compiler {
        inertiafromgeom: compiler.inertiafromgeom,
        inertiagrouprange: compiler.inertiagrouprange,
        boundmass: compiler.boundmass,
        boundinertia: compiler.boundinertia,
        balanceinertia: compiler.balanceinertia,
        alignfree: compiler.alignfree,
        ..Compiler::default()
    };
    let own = settings(&spec.compiler);
    if spec.attached_compilers.iter().all(|compiler| settings(compiler) == own) {
        return;
    }
    // a model that does not compile is written as it is
    let Ok(inertials) = inertials(spec) else { return };
    flat.compiler.inertiafromgeom = InertiaFromGeom::Auto;
    (flat.compiler.boundmass, flat.compiler.boundinertia) = (0.0, 0.0);
    // only the element freejoint can say that it is aligned
    let free = |body: &Body| {
        let silent = |joint: &Joint| joint.kind == JointType::Free && !joint.freejoint;
        body.joints.iter().any(silent).then(|| spec.compiler_of(body.compiler).alignfree)
    };
    flat.compiler.alignfree = spec.bodies.iter().find_map(free).unwrap_or(false);
    for (body, inertial) in flat.bodies.iter_mut().zip(inertials) {
        body.inertial = inertial;
        let alignfree = spec.compiler_of(body.compiler).alignfree;
        for joint in body.joints.iter_mut().filter(|joint| joint.freejoint) {
            if joint.align == AlignFree::Auto && alignfree != flat.compiler.alignfree {
                joint.align = if alignfree { AlignFree::True } else { AlignFree::False };
            }
        }
    }
}

/// Whether a class can be said as a change of its parent.
fn fits(class: &Class, spec: &Spec) -> bool {
    let Some(parent) = class.parent.and_then(|parent| spec.classes.get(parent)) else {
        return true;
    };
    keeps(&class.joint, &parent.joint)
        && keeps(&class.geom, &parent.geom)
        && keeps(&class.site, &parent.site)
        && keeps(&class.camera, &parent.camera)
        && keeps(&class.light, &parent.light)
        && keeps(&class.material, &parent.material)
        && keeps(&class.pair, &parent.pair)
        && keeps(&class.equality, &parent.equality)
        && keeps(&class.tendon, &parent.tendon)
        && keeps(&class.actuator, &parent.actuator)
}

/// Whether what is in a body can be said as a change of its classes; what was made by a composite
/// knows nothing of them.
fn belongs(body: &Body, spec: &Spec) -> bool {
    let class = |class: usize| &spec.classes[class];
    body.joints.iter().all(|x| x.freejoint || keeps(x, &class(x.class).joint))
        && body.geoms.iter().all(|x| keeps(x, &class(x.class).geom))
        && body.sites.iter().all(|x| keeps(x, &class(x.class).site))
}

/// Whether an element has all that its base has.
fn keeps<E: Element + Clone>(own: &E, base: &E) -> bool {
    !takes_back(own.clone(), base.clone())
}

/// From the settings that an element was read under to those of the file, in radians.
struct Units<'a> {
    from: &'a Compiler,
    to: &'a Compiler,
}

impl Units<'_> {
    fn orientation(&self, given: &mut Orientation) {
        // as the compiler converts angles
        let radians = |angle: f64| if self.from.degree { angle / 180.0 * PI } else { angle };
        match &mut given.alternative {
            Some(Alternative::AxisAngle(numbers)) => numbers[3] = radians(numbers[3]),
            Some(Alternative::Euler(_)) if self.from.eulerseq != self.to.eulerseq => {
                if let Ok(quat) = orientation(given, self.from, Pos::default()) {
                    *given = Orientation { quat, alternative: None };
                }
            }
            Some(Alternative::Euler(angles)) => {
                *angles = Vec3::new(radians(angles.x), radians(angles.y), radians(angles.z));
            }
            Some(Alternative::XyAxes(_) | Alternative::ZAxis(_)) | None => {}
        }
    }

    fn joint(&self, joint: &mut Joint) {
        self.limit(&mut joint.limited, joint.range);
        self.limit(&mut joint.actuatorfrclimited, joint.actuatorfrcrange);
        if !self.from.degree {
            return;
        }
        // a range that does not apply is not converted
        let applies = match joint.limited {
            Limited::False => false,
            Limited::True => true,
            Limited::Auto => joint.range != [0.0; 2],
        };
        if applies && matches!(joint.kind, JointType::Hinge | JointType::Ball) {
            joint.range = joint.range.map(|limit| limit * (PI / 180.0));
        }
        if joint.kind == JointType::Hinge {
            joint.reference *= PI / 180.0;
            joint.springref *= PI / 180.0;
        }
    }

    /// Says that a range applies where other settings would not have it so.
    fn limit(&self, limited: &mut Limited, range: [f64; 2]) {
        let given = *limited == Limited::Auto && range != [0.0; 2];
        if given && self.from.autolimits && !self.to.autolimits {
            *limited = Limited::True;
        }
    }
}
