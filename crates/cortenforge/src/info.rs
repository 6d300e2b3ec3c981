//! `cortenforge info`: what is in a model.

use std::path::PathBuf;

use cortenforge::Model;
use cortenforge::model::{Disable, ENUMS, Enable, GeomType, Integrator, JointType, NAMED, ObjType};

use crate::Failure;
use crate::source::{Limits, Source};
use crate::summary::sizes;
use crate::text::{facts, label, short, table};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// MJCF file [default: the built-in marionette]
    model: Option<PathBuf>,
    #[command(flatten)]
    limits: Limits,
}

pub(crate) fn run(args: &Args) -> Result<String, Failure> {
    let source = Source::load(args.model.as_deref(), &args.limits)?;
    let model = &source.model;
    let mut report = format!("{}: {}\n", source.title, sizes(model));
    report += &format!("\nContents\n{}", facts(&contents(model)));
    report += &format!("\nOptions\n{}", facts(&options(model)));
    report += &format!("\nTree\n{}", tree(model));
    if model.njnt > 0 {
        report += &format!("\nJoints\n{}", joints(model));
    }
    Ok(report)
}

/// State and objects by kind, as far as there are any.
fn contents(model: &Model) -> Vec<(&'static str, String)> {
    let state = [("qpos", model.nq), ("qvel", model.nv), ("act", model.na), ("ctrl", model.nu)];
    let state = state.iter().filter(|(_, size)| *size > 0);
    let state: Vec<_> = state.map(|(name, size)| format!("{name} {size}")).collect();
    let mut rows = vec![("state", if state.is_empty() { "none".into() } else { state.join(", ") })];
    if model.ntree > 0 {
        rows.push(("trees", model.ntree.to_string()));
    }
    for kind in NAMED {
        let number = model.count(kind);
        if number == 0 || kind == ObjType::Joint {
            continue;
        }
        let text = match kind {
            ObjType::Body => format!("{number} with the world"),
            ObjType::Geom => format!("{number}: {}", geom_types(model)),
            ObjType::Camera
            | ObjType::Light
            | ObjType::Numeric
            | ObjType::Text
            | ObjType::Tuple
            | ObjType::Key => format!("{number}: {}", names(model, kind)),
            _ => number.to_string(),
        };
        rows.push((plural(kind), text));
        if kind == ObjType::Body {
            rows.push(("joints", format!("{}: {}", model.njnt, joint_types(model))));
        }
    }
    rows.retain(|(label, _)| *label != "joints" || model.njnt > 0);
    rows
}

fn plural(kind: ObjType) -> &'static str {
    match kind {
        ObjType::Body => "bodies",
        ObjType::Geom => "geoms",
        ObjType::Site => "sites",
        ObjType::Camera => "cameras",
        ObjType::Light => "lights",
        ObjType::Flex => "flexes",
        ObjType::Mesh => "meshes",
        ObjType::Skin => "skins",
        ObjType::Hfield => "height fields",
        ObjType::Texture => "textures",
        ObjType::Material => "materials",
        ObjType::Pair => "pairs",
        ObjType::Exclude => "excludes",
        ObjType::Equality => "equalities",
        ObjType::Tendon => "tendons",
        ObjType::Actuator => "actuators",
        ObjType::Sensor => "sensors",
        ObjType::Numeric => "numerics",
        ObjType::Text => "texts",
        ObjType::Tuple => "tuples",
        ObjType::Key => "keyframes",
        ObjType::Plugin => "plugins",
        _ => "others",
    }
}

/// Names of all objects of a kind; a long list is cut.
fn names(model: &Model, kind: ObjType) -> String {
    const MOST: usize = 8;
    let number = model.count(kind);
    let shown = (0..number.min(MOST)).map(|id| label(model, kind, id));
    let mut text = shown.collect::<Vec<_>>().join(", ");
    if number > MOST {
        text += &format!(", and {} more", number - MOST);
    }
    text
}

/// How many of each type there are: `3 hinge, 1 slide`.
fn tally<T: PartialEq + std::fmt::Debug>(types: impl Iterator<Item = T>) -> String {
    let parts = numbers(types).into_iter().map(|(kind, number)| format!("{number} {kind}"));
    parts.collect::<Vec<_>>().join(", ")
}

/// The types there are, each with its number.
fn numbers<T: PartialEq + std::fmt::Debug>(types: impl Iterator<Item = T>) -> Vec<(String, usize)> {
    let mut found: Vec<(T, usize)> = Vec::new();
    for kind in types {
        match found.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, number)) => *number += 1,
            None => found.push((kind, 1)),
        }
    }
    found.into_iter().map(|(kind, number)| (format!("{kind:?}").to_lowercase(), number)).collect()
}

fn joint_types(model: &Model) -> String {
    tally((0..model.njnt).map(|jnt| model.jnt_kind(jnt)))
}

fn geom_types(model: &Model) -> String {
    tally(model.geom_type.iter().filter_map(|&kind| GeomType::from_i32(kind)))
}

fn options(model: &Model) -> Vec<(&'static str, String)> {
    let opt = &model.opt;
    let integrator = match Integrator::from_i32(opt.integrator) {
        Some(integrator) => format!("{integrator:?}"),
        None => opt.integrator.to_string(),
    };
    let vector = |v: cortenforge::math::Vec3| [v.x, v.y, v.z].map(short).join(" ");
    let mut rows = vec![
        ("timestep", format!("{} s", short(opt.timestep))),
        ("integrator", integrator),
        ("gravity", format!("{} m/s²", vector(opt.gravity))),
    ];
    if opt.density != 0.0 || opt.viscosity != 0.0 {
        rows.push((
            "fluid",
            format!("density {}, viscosity {}", short(opt.density), short(opt.viscosity)),
        ));
    }
    let disabled = flags("mjtDisableBit", |bit| {
        Disable::from_i32(bit).is_some_and(|flag| model.disabled(flag))
    });
    let enabled =
        flags("mjtEnableBit", |bit| Enable::from_i32(bit).is_some_and(|flag| model.enabled(flag)));
    if !disabled.is_empty() {
        rows.push(("disabled", disabled));
    }
    if !enabled.is_empty() {
        rows.push(("enabled", enabled));
    }
    rows
}

/// The names, as in `<flag>`, of the bits of an enum that are set.
fn flags(name: &str, set: impl Fn(i32) -> bool) -> String {
    let members = ENUMS.iter().filter(|e| e.name == name).flat_map(|e| e.members);
    let names = members
        .filter(|(_, bit)| set(*bit))
        .map(|(name, _)| name.rsplit('_').next().unwrap_or(name).to_lowercase());
    names.collect::<Vec<_>>().join(", ")
}

/// The bodies as a tree, each with its mass and joints.
fn tree(model: &Model) -> String {
    let mut children = vec![Vec::new(); model.nbody];
    for body in 1..model.nbody {
        children[model.body_parent(body)].push(body);
    }
    let mut text = format!("  {}\n", body_line(model, 0));
    // bodies still to draw, the next one last: body, what stands before its branch, whether it is
    // the last of its parent
    let mut todo: Vec<(usize, String, bool)> = Vec::new();
    let push = |todo: &mut Vec<(usize, String, bool)>, body: usize, prefix: &str| {
        for (i, &child) in children[body].iter().enumerate().rev() {
            todo.push((child, prefix.to_owned(), i + 1 == children[body].len()));
        }
    };
    push(&mut todo, 0, "  ");
    while let Some((body, prefix, last)) = todo.pop() {
        let (branch, below) = if last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
        text += &format!("{prefix}{branch}{}\n", body_line(model, body));
        push(&mut todo, body, &format!("{prefix}{below}"));
    }
    text
}

/// A body with its mass, its joints (↻) and the shapes of its geoms (■).
fn body_line(model: &Model, body: usize) -> String {
    let mut text = label(model, ObjType::Body, body);
    if model.body_mass[body] > 0.0 {
        text += &format!("  {} kg", short(model.body_mass[body]));
    }
    let joints: Vec<_> = model
        .body_jnts(body)
        .map(|jnt| {
            let kind = format!("{:?}", model.jnt_kind(jnt)).to_lowercase();
            match model.name(ObjType::Joint, jnt) {
                Some(name) => format!("{name} ({kind})"),
                None => kind,
            }
        })
        .collect();
    if !joints.is_empty() {
        text += &format!("  ↻ {}", joints.join(", "));
    }
    let geoms = model.body_geoms(body).filter_map(|geom| GeomType::from_i32(model.geom_type[geom]));
    let geoms: Vec<String> = numbers(geoms)
        .into_iter()
        .map(|(kind, number)| if number == 1 { kind } else { format!("{number} {kind}") })
        .collect();
    if !geoms.is_empty() {
        text += &format!("  ■ {}", geoms.join(", "));
    }
    if model.body_mocap(body).is_some() {
        text += "  mocap";
    }
    text
}

/// The joints as a table.
fn joints(model: &Model) -> String {
    let rows: Vec<Vec<String>> = (0..model.njnt)
        .map(|jnt| {
            let kind = model.jnt_kind(jnt);
            let body = usize::try_from(model.jnt_bodyid[jnt]).unwrap_or(0);
            let dof = usize::try_from(model.jnt_dofadr[jnt]).unwrap_or(0);
            let or_dash = |value: f64| if value == 0.0 { "–".into() } else { short(value) };
            vec![
                label(model, ObjType::Joint, jnt),
                format!("{kind:?}").to_lowercase(),
                label(model, ObjType::Body, body),
                range(model, jnt, kind),
                or_dash(model.jnt_stiffness[jnt]),
                or_dash(model.dof_damping[dof]),
                or_dash(model.dof_armature[dof]),
            ]
        })
        .collect();
    table(&["name", "type", "body", "range", "stiffness", "damping", "armature"], &rows)
}

/// The limits of a joint, angles in degrees.
fn range(model: &Model, jnt: usize, kind: JointType) -> String {
    let [low, high] = model.jnt_range[jnt];
    match (model.jnt_limited[jnt] != 0, kind) {
        (false, _) => "–".into(),
        (true, JointType::Slide) => format!("{} … {} m", short(low), short(high)),
        (true, _) => format!("{}° … {}°", short(low.to_degrees()), short(high.to_degrees())),
    }
}
