//! Names: their uniqueness, the text that holds them, and finding objects by name.

use std::cell::RefCell;
use std::collections::HashMap;

use sim_core::Model;
use sim_core::fields::Char;
use sim_core::model::ObjType;

use super::contact::Contacts;
use super::tree::Tree;
use crate::error::{Error, Pos, Warning};
use crate::spec::{OBJECT_TYPES, Spec};

/// Names that a message lists at most.
const MAX_LISTED: usize = 16;

/// Ids of the named objects of each kind, as they are in the model.
#[derive(Default)]
pub(super) struct Names<'a> {
    ids: HashMap<(ObjType, &'a str), usize>,
    /// Names that find another object since static bodies were fused, with its name.
    moved: HashMap<(ObjType, &'a str), &'a str>,
    /// Where such names were used.
    mistakes: RefCell<Vec<Warning>>,
}

impl Names<'_> {
    /// What deserves attention about the names that were looked up.
    pub(super) fn mistakes(&self) -> Vec<Warning> {
        self.mistakes.take()
    }

    /// The id of the object called `name`.
    pub(super) fn find(&self, kind: ObjType, name: &str) -> Option<usize> {
        let kind = if kind == ObjType::XBody { ObjType::Body } else { kind };
        self.ids.get(&(kind, name)).copied()
    }

    /// The id of the object called `name` that an attribute of the element at `src` refers to.
    pub(super) fn resolve(
        &self,
        kind: ObjType,
        name: &str,
        src: Pos,
        attribute: &str,
    ) -> Result<usize, Error> {
        let kind = if kind == ObjType::XBody { ObjType::Body } else { kind };
        let word = OBJECT_TYPES.iter().find(|known| known.1 == kind).map_or("object", |x| x.0);
        if let Some(found) = self.moved.get(&(kind, name)) {
            let message = format!("'{name}' stands for the {word} '{found}' here");
            let help = "fusing static bodies changes the order, but not how MuJoCo finds names";
            let warning = src.warning(message).attribute(attribute).help(help);
            self.mistakes.borrow_mut().push(warning);
        }
        if let Some(id) = self.find(kind, name) {
            return Ok(id);
        }
        let error = src.error(format!("there is no {word} '{name}'")).attribute(attribute);
        if let Some(close) = self.closest(kind, name) {
            return Err(error.help(format!("there is a {word} '{close}'")));
        }
        let mut known: Vec<(usize, &str)> = self
            .ids
            .iter()
            .filter(|((other, _), _)| *other == kind)
            .map(|((_, name), &id)| (id, *name))
            .collect();
        known.sort_unstable();
        let list: Vec<String> =
            known.iter().take(MAX_LISTED).map(|(_, name)| format!("'{name}'")).collect();
        Err(match known.len() - list.len() {
            _ if known.is_empty() => error.help(format!("there is no {word} that has a name")),
            0 => error.help(format!("there is {word} {}", list.join(", "))),
            more => error.help(format!("there is {word} {} and {more} more", list.join(", "))),
        })
    }

    /// The name of the kind that is closest to `name`, for advice.
    pub(super) fn closest(&self, kind: ObjType, name: &str) -> Option<&str> {
        let kind = if kind == ObjType::XBody { ObjType::Body } else { kind };
        self.ids
            .keys()
            .filter(|(other, _)| *other == kind)
            .map(|(_, known)| (distance(known, name), *known))
            .filter(|(distance, known)| 3 * distance <= known.len().max(name.len()))
            .min()
            .map(|(_, known)| known)
    }
}

/// Number of letters to insert, remove or replace to get from one name to the other.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

/// Checks that no two objects of a kind have the same name.
pub(super) fn check_unique(spec: &Spec) -> Result<(), Error> {
    let mut seen = HashMap::new();
    let mut check = |kind: &'static str, name, src: Pos, body: Option<usize>| {
        let body: Option<usize> = body;
        if str::is_empty(name) {
            return Ok(());
        }
        let Some(first) = seen.insert((kind, name), body) else { return Ok(()) };
        let error = src.error(format!("there is another {kind} called '{name}'"));
        let place = first.map(|id| spec.bodies[id].name.as_str()).filter(|name| !name.is_empty());
        Err(match (kind, place) {
            ("body", _) if name == "world" => error.help("'world' is the name of the world body"),
            ("body", Some(parent)) => error.help(format!("the first is in body '{parent}'")),
            (_, Some(body)) => error.help(format!("the first is in body '{body}'")),
            _ => error,
        }
        .attribute("name"))
    };
    for (id, body) in spec.bodies.iter().enumerate() {
        check("body", &body.name, body.src, Some(body.parent))?;
        for joint in &body.joints {
            check("joint", &joint.name, joint.src, Some(id))?;
        }
        for geom in &body.geoms {
            check("geom", &geom.name, geom.src, Some(id))?;
        }
        for site in &body.sites {
            check("site", &site.name, site.src, Some(id))?;
        }
        for camera in &body.cameras {
            check("camera", &camera.name, camera.src, Some(id))?;
        }
        for light in &body.lights {
            check("light", &light.name, light.src, Some(id))?;
        }
    }
    for frame in &spec.frames {
        check("frame", &frame.name, frame.src, Some(frame.body))?;
    }
    for texture in &spec.textures {
        check("texture", &texture.name, texture.src, None)?;
    }
    for material in &spec.materials {
        check("material", &material.name, material.src, None)?;
    }
    for pair in &spec.pairs {
        check("pair", &pair.name, pair.src, None)?;
    }
    for exclude in &spec.excludes {
        check("exclude", &exclude.name, exclude.src, None)?;
    }
    for equality in &spec.equalities {
        check("equality", &equality.name, equality.src, None)?;
    }
    for tendon in &spec.tendons {
        check("tendon", &tendon.name, tendon.src, None)?;
    }
    for actuator in &spec.actuators {
        check("actuator", &actuator.name, actuator.src, None)?;
    }
    for sensor in &spec.sensors {
        check("sensor", &sensor.name, sensor.src, None)?;
    }
    for numeric in &spec.numerics {
        check("numeric", &numeric.name, numeric.src, None)?;
    }
    for text in &spec.texts {
        check("text", &text.name, text.src, None)?;
    }
    for tuple in &spec.tuples {
        check("tuple", &tuple.name, tuple.src, None)?;
    }
    for key in &spec.keys {
        check("keyframe", &key.name, key.src, None)?;
    }
    Ok(())
}

/// Writes all names into the model. Returns where to find them, and the pairs in their order.
pub(super) fn copy<'a>(
    spec: &'a Spec,
    tree: &Tree<'a>,
    model: &mut Model,
) -> Result<(Names<'a>, Contacts<'a>), Error> {
    let mut writer = Writer { text: Vec::new(), names: Names::default() };
    writer.push(&spec.name);
    let bodies = &tree.bodies;
    writer.list(ObjType::Body, &mut model.name_bodyadr, bodies.iter().map(|x| &x.spec.name));
    macro_rules! of_bodies {
        ($kind:ident, $list:ident, $addresses:ident) => {
            let names = bodies.iter().flat_map(|x| &x.$list).map(|x| &x.spec.name);
            writer.list(ObjType::$kind, &mut model.$addresses, names);
        };
    }
    of_bodies!(Joint, joints, name_jntadr);
    of_bodies!(Geom, geoms, name_geomadr);
    of_bodies!(Site, sites, name_siteadr);
    of_bodies!(Camera, cameras, name_camadr);
    of_bodies!(Light, lights, name_lightadr);
    if !spec.compiler.discardvisual {
        let names = spec.textures.iter().map(|x| &x.name);
        writer.list(ObjType::Texture, &mut model.name_texadr, names);
        let names = spec.materials.iter().map(|x| &x.name);
        writer.list(ObjType::Material, &mut model.name_matadr, names);
    }
    writer.names.redirect(tree);
    let contacts = Contacts::new(spec, tree, &writer.names)?;
    let names = contacts.pairs.iter().map(|x| &x.spec.name);
    writer.list(ObjType::Pair, &mut model.name_pairadr, names);
    let names = contacts.excludes.iter().map(|x| &x.spec.name);
    writer.list(ObjType::Exclude, &mut model.name_excludeadr, names);
    let names = spec.equalities.iter().map(|x| &x.name);
    writer.list(ObjType::Equality, &mut model.name_eqadr, names);
    writer.list(ObjType::Tendon, &mut model.name_tendonadr, spec.tendons.iter().map(|x| &x.name));
    let names = spec.actuators.iter().map(|x| &x.name);
    writer.list(ObjType::Actuator, &mut model.name_actuatoradr, names);
    writer.list(ObjType::Sensor, &mut model.name_sensoradr, spec.sensors.iter().map(|x| &x.name));
    let names = spec.numerics.iter().map(|x| &x.name);
    writer.list(ObjType::Numeric, &mut model.name_numericadr, names);
    writer.list(ObjType::Text, &mut model.name_textadr, spec.texts.iter().map(|x| &x.name));
    writer.list(ObjType::Tuple, &mut model.name_tupleadr, spec.tuples.iter().map(|x| &x.name));

    // keyframes that only the size section asks for have no name
    let unnamed = &EMPTY;
    let names = spec.keys.iter().map(|x| &x.name).chain(std::iter::repeat(unnamed));
    writer.list(ObjType::Key, &mut model.name_keyadr, names.take(model.nkey));

    model.nnames = writer.text.len();
    model.names = writer.text;
    model.map_names();
    model.npaths = 1;
    model.paths = vec![Char(0)];
    Ok((writer.names, contacts))
}

impl<'a> Names<'a> {
    /// Makes names find the geoms and sites that they find in the reference, which looks them up
    /// by the numbers from before static bodies were fused.
    fn redirect(&mut self, tree: &Tree<'a>) {
        macro_rules! redirect {
            ($kind:ident, $list:ident) => {
                if !tree.moved.$list.is_empty() {
                    let objects = tree.bodies.iter().flat_map(|body| &body.$list).enumerate();
                    let ids: HashMap<_, usize> =
                        objects.map(|(id, x)| (std::ptr::from_ref(x.spec), id)).collect();
                    for (&name, &found) in &tree.moved.$list {
                        if let Some(&id) = ids.get(&std::ptr::from_ref(found)) {
                            self.ids.insert((ObjType::$kind, name), id);
                            self.moved.insert((ObjType::$kind, name), &found.name);
                        }
                    }
                }
            };
        }
        redirect!(Geom, geoms);
        redirect!(Site, sites);
    }
}

static EMPTY: String = String::new();

/// Texts one after the other, each closed by a zero.
struct Writer<'a> {
    text: Vec<Char>,
    names: Names<'a>,
}

impl<'a> Writer<'a> {
    fn push(&mut self, text: &str) -> i32 {
        let address = self.text.len();
        self.text.extend(text.bytes().map(Char));
        self.text.push(Char(0));
        address as i32
    }

    fn list(
        &mut self,
        kind: ObjType,
        addresses: &mut [i32],
        names: impl Iterator<Item = &'a String>,
    ) {
        for (id, (address, name)) in addresses.iter_mut().zip(names).enumerate() {
            *address = self.push(name);
            if !name.is_empty() {
                self.names.ids.insert((kind, name), id);
            }
        }
    }
}
