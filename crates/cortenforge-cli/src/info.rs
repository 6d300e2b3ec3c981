//! `cortenforge info`: what is in a model.

use std::path::{Path, PathBuf};

use cortenforge::Model;
use cortenforge::model::{
    BiasType, Disable, ENUMS, Enable, EqType, GainType, GeomType, Integrator, JointType, NAMED,
    ObjType, SensorType, Solver, TrnType,
};
use cortenforge::robots;

use crate::json::Json;
use crate::source::{Limits, Source};
use crate::summary::sizes;
use crate::text::{facts, label, short, table};
use crate::{FAILURE, Failure, Report, diagnostics};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Files (MJCF, URDF), '-' for standard input, or built-in robots [default: quadruped]
    #[arg(value_name = "MODEL")]
    models: Vec<PathBuf>,
    #[command(flatten)]
    limits: Limits,
    /// Report as JSON: a list with an object for each model
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<Report, Failure> {
    let first = [PathBuf::from(robots::ALL[0].name)];
    let models = if args.models.is_empty() { &first[..] } else { &args.models };
    let (mut texts, mut list, mut errors) = (Vec::new(), Vec::new(), Vec::new());
    for path in models {
        match Source::try_load(path, &args.limits)? {
            Ok(source) if args.json => list.push(json(path, &source)),
            Ok(source) => texts.push(report(&source)),
            Err(error) if args.json => {
                list.push(Json::Object(vec![
                    ("file", path.display().to_string().into()),
                    ("errors", diagnostics::json(&error)),
                ]));
                errors.push(String::new());
            }
            Err(error) => errors.push(diagnostics::failure(&error).0),
        }
    }
    let text = if args.json { Json::List(list).text() } else { texts.join("\n") };
    if !args.json && !errors.is_empty() {
        crate::print(&text)?;
        return Err(Failure(errors.join("\n\n")));
    }
    Ok(Report { status: if errors.is_empty() { 0 } else { FAILURE }, ..text.into() })
}

fn report(source: &Source) -> String {
    let model = &source.model;
    let mut report = format!("{}: {}\n", source.title, sizes(model));
    report += &format!("\nContents\n{}", facts(&contents(model)));
    report += &format!("\nOptions\n{}", facts(&options(model)));
    report += &format!("\nTree\n{}", tree(model));
    for (title, rows) in [
        ("Joints", joints(model)),
        ("Actuators", actuators(model)),
        ("Sensors", sensors(model)),
        ("Equalities", equalities(model)),
    ] {
        if !rows.is_empty() {
            report += &format!("\n{title}\n{rows}");
        }
    }
    report
}

/// What programs may want to know of a model.
fn json(path: &Path, source: &Source) -> Json {
    let model = &source.model;
    let names = |kind: ObjType| (0..model.count(kind)).map(|id| label(model, kind, id)).collect();
    let lower = |text: String| text.to_lowercase();
    let joints = (0..model.njnt).map(|jnt| {
        let [low, high] = model.jnt_range[jnt];
        let limited = model.jnt_limited[jnt] != 0;
        Json::Object(vec![
            ("name", label(model, ObjType::Joint, jnt).into()),
            ("type", lower(format!("{:?}", model.jnt_kind(jnt))).into()),
            ("body", label(model, ObjType::Body, id(model.jnt_bodyid[jnt])).into()),
            ("range", limited.then(|| [low, high].into_iter().collect::<Json>()).into()),
            ("qpos_address", id(model.jnt_qposadr[jnt]).into()),
            ("dof_address", id(model.jnt_dofadr[jnt]).into()),
        ])
    });
    let bodies = (0..model.nbody).map(|body| {
        Json::Object(vec![
            ("name", label(model, ObjType::Body, body).into()),
            ("parent", label(model, ObjType::Body, model.body_parent(body)).into()),
            ("mass", model.body_mass[body].into()),
        ])
    });
    let actuators = (0..model.nu).map(|actuator| {
        let limited = model.actuator_ctrllimited[actuator] != 0;
        let range = model.actuator_ctrlrange[actuator];
        Json::Object(vec![
            ("name", label(model, ObjType::Actuator, actuator).into()),
            ("type", actuator_type(model, actuator).into()),
            ("drives", target(model, actuator).into()),
            ("range", limited.then(|| range.into_iter().collect::<Json>()).into()),
        ])
    });
    let sensors = (0..model.nsensor).map(|sensor| {
        Json::Object(vec![
            ("name", label(model, ObjType::Sensor, sensor).into()),
            ("type", sensor_type(model, sensor).into()),
            ("size", id(model.sensor_dim[sensor]).into()),
            ("address", id(model.sensor_adr[sensor]).into()),
        ])
    });
    let gravity = model.opt.gravity;
    Json::Object(vec![
        ("file", path.display().to_string().into()),
        ("name", source.title.as_str().into()),
        ("nq", model.nq.into()),
        ("nv", model.nv.into()),
        ("nu", model.nu.into()),
        ("na", model.na.into()),
        ("ngeom", model.ngeom.into()),
        ("mass", model.body_subtreemass.first().copied().into()),
        ("timestep", model.opt.timestep.into()),
        ("gravity", [gravity.x, gravity.y, gravity.z].into_iter().collect()),
        ("bodies", bodies.collect()),
        ("joints", joints.collect()),
        ("actuators", actuators.collect()),
        ("sensors", sensors.collect()),
        ("keyframes", names(ObjType::Key)),
        ("cameras", names(ObjType::Camera)),
    ])
}

/// An id or count of a table; zero for none.
fn id(number: i32) -> usize {
    usize::try_from(number).unwrap_or(0)
}

/// The actuators as a table.
fn actuators(model: &Model) -> String {
    if model.nu == 0 {
        return String::new();
    }
    let limits = |limited: u8, [low, high]: [f64; 2]| match limited != 0 {
        true => format!("{} … {}", short(low), short(high)),
        false => "–".into(),
    };
    let rows: Vec<Vec<String>> = (0..model.nu)
        .map(|actuator| {
            vec![
                label(model, ObjType::Actuator, actuator),
                actuator_type(model, actuator),
                target(model, actuator),
                limits(model.actuator_ctrllimited[actuator], model.actuator_ctrlrange[actuator]),
                limits(model.actuator_forcelimited[actuator], model.actuator_forcerange[actuator]),
                short(model.actuator_gear[actuator][0]),
            ]
        })
        .collect();
    table(&["name", "type", "drives", "control", "force", "gear"], &rows)
}

/// What an actuator is, told by its gain and bias.
fn actuator_type(model: &Model, actuator: usize) -> String {
    let gain = model.actuator_gainprm[actuator][0];
    let [_, length, velocity, ..] = model.actuator_biasprm[actuator];
    let affine = model.actuator_biastype[actuator] == BiasType::Affine as i32;
    let fixed = model.actuator_gaintype[actuator] == GainType::Fixed as i32;
    match () {
        () if model.actuator_gaintype[actuator] == GainType::Muscle as i32 => "muscle".into(),
        () if fixed && affine && gain != 0.0 && length == -gain => {
            format!("position, kp {}", short(gain))
        }
        () if fixed && affine && gain != 0.0 && length == 0.0 && velocity == -gain => {
            format!("velocity, kv {}", short(gain))
        }
        () if fixed && !affine && gain == 1.0 => "motor".into(),
        () if fixed && !affine => format!("motor, gain {}", short(gain)),
        () => "general".into(),
    }
}

/// What an actuator drives.
fn target(model: &Model, actuator: usize) -> String {
    let (kind, word) = match TrnType::from_i32(model.actuator_trntype[actuator]) {
        Some(TrnType::Joint | TrnType::JointInParent) => (ObjType::Joint, "joint"),
        Some(TrnType::Tendon) => (ObjType::Tendon, "tendon"),
        Some(TrnType::Site) => (ObjType::Site, "site"),
        Some(TrnType::SliderCrank) => (ObjType::Site, "slider-crank"),
        Some(TrnType::Body) => (ObjType::Body, "body"),
        _ => return "–".into(),
    };
    let [target, _] = model.actuator_trnid[actuator];
    match usize::try_from(target).ok().filter(|&target| target < model.count(kind)) {
        Some(target) => format!("{word} {}", label(model, kind, target)),
        None => word.into(),
    }
}

/// The sensors as a table.
fn sensors(model: &Model) -> String {
    if model.nsensor == 0 {
        return String::new();
    }
    let rows: Vec<Vec<String>> = (0..model.nsensor)
        .map(|sensor| {
            let kind = ObjType::from_i32(model.sensor_objtype[sensor]);
            let object = usize::try_from(model.sensor_objid[sensor]).ok();
            let of = kind.zip(object).filter(|&(kind, object)| object < model.count(kind));
            let of = of.map_or("–".into(), |(kind, object)| {
                format!("{} {}", format!("{kind:?}").to_lowercase(), label(model, kind, object))
            });
            let address = id(model.sensor_adr[sensor]);
            let size = id(model.sensor_dim[sensor]);
            let place = match size {
                1 => address.to_string(),
                _ => format!("{address}–{}", (address + size).saturating_sub(1)),
            };
            vec![label(model, ObjType::Sensor, sensor), sensor_type(model, sensor), of, place]
        })
        .collect();
    table(&["name", "type", "of", "in sensordata"], &rows)
}

fn sensor_type(model: &Model, sensor: usize) -> String {
    let kind = SensorType::from_i32(model.sensor_type[sensor]);
    kind.map_or_else(|| "unknown".into(), |kind| format!("{kind:?}").to_lowercase())
}

/// The equalities as a table.
fn equalities(model: &Model) -> String {
    if model.neq == 0 {
        return String::new();
    }
    let rows: Vec<Vec<String>> = (0..model.neq)
        .map(|eq| {
            let kind = EqType::from_i32(model.eq_type[eq]);
            let object = match kind {
                Some(EqType::Joint) => ObjType::Joint,
                Some(EqType::Tendon) => ObjType::Tendon,
                _ => ObjType::from_i32(model.eq_objtype[eq]).unwrap_or(ObjType::Body),
            };
            let name = |number: i32| {
                let found = usize::try_from(number).ok().filter(|&id| id < model.count(object));
                found.map_or("–".into(), |id| label(model, object, id))
            };
            vec![
                label(model, ObjType::Equality, eq),
                kind.map_or_else(|| "unknown".into(), |kind| format!("{kind:?}").to_lowercase()),
                name(model.eq_obj1id[eq]),
                name(model.eq_obj2id[eq]),
                if model.eq_active0[eq] != 0 { "active".into() } else { "off".into() },
            ]
        })
        .collect();
    table(&["name", "type", "first", "second", "at the start"], &rows)
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
        ("solver", Solver::from_i32(opt.solver).map_or("unknown".into(), |s| format!("{s:?}"))),
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
    if model.njnt == 0 {
        return String::new();
    }
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
