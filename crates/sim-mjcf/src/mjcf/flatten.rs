//! Models that a file cannot say as they are: those with parts that were read under the compiler
//! settings of other models, and those with classes or elements that take back what the class
//! around them says. They are rewritten without classes, and in radians.

use std::f64::consts::PI;
use std::path::{Path, PathBuf};

use sim_core::math::Vec3;
use sim_core::model::{AlignFree, InertiaFromGeom, JointType, Limited};

use super::render::takes_back;
use crate::compile::inertials;
use crate::error::Pos;
use crate::files::normal;
use crate::spec::{
    Alternative, Attributes, Body, Class, ClassVisitor, Compiler, HasDefaults, Id, Info, Joint,
    List, Orientation, Spec, Tendon, TendonKind,
};

/// The model in a form that a file can say; none if it has that form.
pub(super) fn flattened(spec: &Spec) -> Option<Spec> {
    if !is_needed(spec) {
        return None;
    }
    let mut flat = spec.clone();
    flat.remove_classes();
    flat.compiler.degree = false;
    let units = |info: &Info| Units { from: spec.compiler_of(info.compiler), to: &spec.compiler };

    flat.frames.for_each_mut(|frame| {
        frame.childclass = None;
        units(frame).orientation(&mut frame.orientation);
    });
    flat.bodies.for_each_mut(|body| {
        body.childclass = None;
        let own = units(body);
        own.orientation(&mut body.orientation);
        if let Some(inertial) = &mut body.inertial {
            own.orientation(&mut inertial.orientation);
        }
    });
    flat.joints.for_each_mut(|joint| units(joint).joint(joint));
    flat.geoms.for_each_mut(|geom| units(geom).orientation(&mut geom.orientation));
    flat.sites.for_each_mut(|site| units(site).orientation(&mut site.orientation));
    flat.cameras.for_each_mut(|camera| units(camera).orientation(&mut camera.orientation));
    for &id in spec.tendons.ids() {
        flat[id].class = class_of_looks(&spec[id], &mut flat.classes);
        let tendon = &mut flat[id];
        let own = units(tendon);
        own.limit(&mut tendon.limited, tendon.range);
        own.limit(&mut tendon.actuatorfrclimited, tendon.actuatorfrcrange);
    }
    flat.actuators.for_each_mut(|actuator| {
        let own = units(actuator);
        own.limit(&mut actuator.ctrllimited, actuator.ctrlrange);
        own.limit(&mut actuator.forcelimited, actuator.forcerange);
        own.limit(&mut actuator.actlimited, actuator.actrange);
    });
    settle_inertia(spec, &mut flat);
    // files of other directories, seen from the directory of textures
    let up: PathBuf = Path::new(&spec.compiler.texturedir).components().map(|_| "..").collect();
    flat.textures.for_each_mut(|texture| {
        let dir = Path::new(&texture.dir).join(&spec.compiler_of(texture.compiler).texturedir);
        if texture.compiler.is_none() && texture.dir.is_empty() {
            return;
        }
        for file in std::iter::once(&mut texture.file).chain(&mut texture.cubefiles) {
            if !file.is_empty() {
                *file = up.join(normal(&dir.join(&*file))).display().to_string();
            }
        }
    });
    // likewise those of the directory of meshes
    let up: PathBuf = Path::new(&spec.compiler.meshdir).components().map(|_| "..").collect();
    let seen_from_here = |dir: &str, info: &Info, file: &mut String| {
        if (info.compiler.is_some() || !dir.is_empty()) && !file.is_empty() {
            let dir = Path::new(dir).join(&spec.compiler_of(info.compiler).meshdir);
            *file = up.join(normal(&dir.join(&*file))).display().to_string();
        }
    };
    flat.meshes.for_each_mut(|mesh| seen_from_here(&mesh.dir, &mesh.info, &mut mesh.file));
    flat.hfields.for_each_mut(|hfield| seen_from_here(&hfield.dir, &hfield.info, &mut hfield.file));
    Some(flat)
}

/// The class that says how a tendon looks, which a fixed one cannot say itself.
fn class_of_looks(tendon: &Tendon, classes: &mut List<Class>) -> Id<Class> {
    let same = |class: &Class| {
        let known = &class.tendon;
        (known.width, known.rgba, &known.material) == (tendon.width, tendon.rgba, &tendon.material)
    };
    if tendon.kind != TendonKind::Fixed {
        return Class::MAIN;
    }
    if let Some(&id) = classes.ids().iter().find(|&&id| same(&classes[id])) {
        return id;
    }
    let mut class = Class {
        name: format!("tendon{}", classes.len()),
        parent: Some(Class::MAIN),
        ..Class::default()
    };
    class.tendon.width = tendon.width;
    class.tendon.rgba = tendon.rgba;
    class.tendon.material.clone_from(&tendon.material);
    classes.push(class)
}

/// Whether a file cannot say the model as it is.
pub(super) fn is_needed(spec: &Spec) -> bool {
    !spec.attached_compilers.is_empty()
        || !spec.classes.iter().all(|class| fits(class, spec))
        || !belong(spec)
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
    let free = |&id: &Id<Body>| {
        let body = &spec[id];
        let silent = |joint: &Joint| joint.kind == JointType::Free && !joint.freejoint;
        let mut joints = spec.in_body::<Joint>(body);
        joints.any(silent).then(|| spec.compiler_of(body.compiler).alignfree)
    };
    let tree = spec.tree();
    flat.compiler.alignfree = tree.iter().find_map(free).unwrap_or(false);
    for (body, inertial) in inertials {
        flat[body].inertial = Some(inertial);
    }
    for id in tree {
        let alignfree = spec.compiler_of(spec[id].compiler).alignfree;
        for &joint in &spec[id].joints {
            let own = &spec[joint];
            if own.freejoint && own.align == AlignFree::Auto && alignfree != flat.compiler.alignfree
            {
                flat[joint].align = if alignfree { AlignFree::True } else { AlignFree::False };
            }
        }
    }
}

/// Whether a class can be said as a change of its parent.
fn fits(class: &Class, spec: &Spec) -> bool {
    let Some(parent) = class.parent.and_then(|parent| spec.classes.get(parent)) else {
        return true;
    };
    let mut all = Keeps(true);
    class.compare(parent, &mut all);
    all.0
}

/// Whether all defaults of a class have what those of its base have.
struct Keeps(bool);

impl ClassVisitor for Keeps {
    fn visit<T: HasDefaults + Attributes>(&mut self, _: &'static str, own: &T, base: &T) {
        self.0 = self.0 && keeps(own, base);
    }
}

/// Whether what is in bodies can be said as a change of its classes; what was made by a composite
/// knows nothing of them.
fn belong(spec: &Spec) -> bool {
    let class = |class: Id<Class>| &spec.classes[class];
    spec.joints.iter().all(|x| x.freejoint || keeps(x, &class(x.class).joint))
        && spec.geoms.iter().all(|x| keeps(x, &class(x.class).geom))
        && spec.sites.iter().all(|x| keeps(x, &class(x.class).site))
}

/// Whether an element has all that its base has.
fn keeps<E: Attributes + Clone>(own: &E, base: &E) -> bool {
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
                if let Ok(quat) = given.resolve(self.from, Pos::default()) {
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
