//! Copies: `replicate`, `attach`, and the files of `model` assets.

use std::collections::HashMap;
use std::path::PathBuf;

use sim_core::math::{Quat, Vec3};

use super::asset::ModelAsset;
use super::{Reader, attrs, read_inside};
use crate::error::{Error, Pos, Sources, Warning};
use crate::files::Resolver;
use crate::spec::{
    Affix, Alternative, Attributes, Attrs, Body, Class, Frame, Id, Info, MAX_COPIES, Orientation,
    Part, Replica, Spec,
};
use crate::suggest::advise;
use crate::urdf::UrdfOptions;
use crate::xml::{Elem, Includes, Texts, check_budget, decode};

/// Letters that can be added to names.
const MAX_AFFIX: usize = 256;

/// Models that attach each other at most.
const MAX_CHAIN: usize = 32;

/// Reads the files of the `model` elements of a model; `chain` ends with that model.
pub(super) fn load_models(
    sources: &mut Sources,
    files: &Includes,
    resolver: &Resolver<'_>,
    urdf: &UrdfOptions,
    chain: &mut Vec<PathBuf>,
    warnings: &mut Vec<Warning>,
) -> Result<HashMap<Pos, Spec>, Error> {
    // parsing borrows the texts, so note the names first and read the files after
    let mut wanted = Vec::new();
    if files.texts(sources).any(|text| text.contains("<model")) {
        let texts = Texts::new(sources, files)?;
        let documents = texts.parse()?;
        for elem in documents.all().filter(|elem| is_model_asset(*elem)) {
            let mut asset = ModelAsset::default();
            attrs::read(elem, &mut asset, false, &HashMap::new(), &mut Vec::new())?;
            wanted.push((elem.pos(), elem.file, asset.file));
        }
    }

    let mut models = HashMap::new();
    for (pos, file, name) in wanted {
        let fault = |message: String| pos.error(message).attribute("file");
        let dirs = [files.dir.as_path(), files.dir_of(file)];
        let (path, bytes) =
            resolver.find(&name, &dirs).map_err(|error| error.about(&name, fault))?;
        if chain.contains(&path) {
            return Err(fault(format!("the model '{name}' contains itself")));
        }
        if chain.len() >= MAX_CHAIN {
            return Err(fault(format!("models are inside models more than {MAX_CHAIN} deep")));
        }
        check_budget(sources, pos, bytes.len())?;
        let text =
            decode(bytes).map_err(|reason| fault(format!("cannot read '{name}': {reason}")))?;
        sources.add(path.display().to_string(), text, Some(pos));
        chain.push(path);
        let (spec, more) = read_inside(sources, resolver, urdf, chain)?;
        chain.pop();
        warnings.extend(more);
        models.insert(pos, spec);
    }
    Ok(models)
}

/// Whether the element is a model in the assets.
fn is_model_asset(elem: Elem<'_, '_>) -> bool {
    elem.name() == "model"
        && elem.node.parent_element().is_some_and(|parent| parent.has_tag_name("asset"))
}

/// The attributes of `replicate`.
#[derive(Debug, Default)]
pub(super) struct Replicate {
    src: Pos,
    count: i32,
    offset: Vec3,
    euler: Vec3,
    sep: String,
    pub(super) childclass: Option<Id<Class>>,
}

impl Attributes for Replicate {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        a.numbers("count", &mut self.count);
        a.required("count");
        if self.count < 0 {
            a.fail("count", "the number of copies must not be negative");
        }
        a.numbers("offset", &mut self.offset);
        a.numbers("euler", &mut self.euler);
        a.text("sep", &mut self.sep);
        if self.sep.len() > MAX_AFFIX {
            a.fail("sep", format!("a separator can have at most {MAX_AFFIX} letters"));
        }
        a.childclass(&mut self.childclass);
        let mut prefix = String::new();
        if a.text("prefix", &mut prefix) {
            a.warn("prefix", "'prefix' has no effect on a replicate", "write sep=\"...\"");
        }
    }
}

impl Replicate {
    pub(super) fn new(src: Pos) -> Replicate {
        Replicate { src, ..Replicate::default() }
    }

    /// Replaces the body that the elements have been read into by copies of what is in it, each
    /// moved and turned against the one before.
    pub(super) fn finish(
        &self,
        spec: &mut Spec,
        body: Id<Body>,
        frame: Option<Id<Frame>>,
    ) -> Result<(), Error> {
        let Some(frame) = frame else { return Ok(()) };
        let template = &spec[body];
        if let Some(inertial) = &template.inertial {
            let message = "an inertial belongs to a body, and cannot be directly in a replicate";
            return Err(inertial.src.error(message));
        }
        let joint = template.joints.first().filter(|_| template.parent == Some(Body::WORLD));
        if let Some(&joint) = joint {
            return Err(spec[joint].src.error("the world cannot have joints"));
        }
        let count = self.count.max(0) as usize;
        let digits = count.to_string().len();
        // more are refused, so there is no need to make them
        let made = if count > MAX_COPIES { 0 } else { count };
        let mut replicas = Vec::with_capacity(made);
        let mut pos = Vec3::ZERO;
        for i in 0..made {
            let euler = Some(Alternative::Euler(self.euler * i as f64));
            let orientation = Orientation { quat: Quat::IDENTITY, alternative: euler };
            let quat = orientation.resolve(&spec.compiler, self.src)?;
            let suffix = format!("{}{i:0digits$}", self.sep);
            replicas.push(Replica { pos, quat, suffix });
            pos += quat.to_mat() * self.offset;
        }
        spec.replicate(body, frame, &replicas, count, self.src)
    }
}

/// The attributes of `attach`.
#[derive(Debug, Default)]
pub(super) struct Attach {
    model: String,
    body: String,
    prefix: String,
}

impl Attributes for Attach {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        a.text("model", &mut self.model);
        a.required("model");
        a.text("body", &mut self.body);
        if !a.text("prefix", &mut self.prefix) {
            a.required("prefix");
        }
        if self.prefix.len() > MAX_AFFIX {
            a.fail("prefix", format!("a prefix can have at most {MAX_AFFIX} letters"));
        }
    }
}

impl<'d, 'a> Reader<'d, 'a> {
    /// Reads an `attach` in a body.
    pub(super) fn attach(
        &mut self,
        elem: Elem<'d, 'a>,
        into: Id<Body>,
        frame: Option<Id<Frame>>,
    ) -> Result<(), Error> {
        let Attach { model, body, prefix } = self.new_leaf(elem, Attach::default())?;
        let fault = |attribute: &str, message: String| elem.error(message).attribute(attribute);
        let src = elem.pos();
        let frame = frame.unwrap_or_else(|| {
            self.spec.add_to(into, Frame { info: Info::at(src), ..Frame::default() })
        });

        // a body that is there already is only moved into the frame
        let name = format!("{prefix}{body}");
        if let Some(present) = self.spec.find::<Body>(&name) {
            if self.spec[present].parent != Some(into) {
                let message = format!("there is a body '{name}' already, in another place");
                return Err(fault("prefix", message));
            }
            self.spec[present].frame = Some(frame);
            return Ok(());
        }

        let Some(number) = self.attachable.iter().position(|known| known.name == model) else {
            let error = fault("model", format!("there is no model '{model}' to attach"));
            let known: Vec<&str> = self.attachable.iter().map(|x| x.name.as_str()).collect();
            if self.spec.name == model {
                return Err(error.help("a model cannot be attached to itself"));
            }
            return Err(advise(error, &model, &known, "the models in the assets are"));
        };
        let child = &self.attachable[number];
        let root = match body.as_str() {
            "" => None,
            name => {
                let found = child.find::<Body>(name);
                if found.is_none() {
                    let error = fault("body", format!("the model '{model}' has no body '{name}'"));
                    let known: Vec<&str> = child
                        .bodies
                        .iter()
                        .map(|x| x.name.as_str())
                        .filter(|x| !x.is_empty())
                        .collect();
                    return Err(advise(error, name, &known, "its bodies are"));
                }
                found
            }
        };
        let affix = Affix { prefix: &prefix, suffix: "" };
        let part = root.map_or(Part::All, Part::Body);
        self.spec.attach_copy(child, part, into, Some(frame), affix, src)?;
        Ok(())
    }
}
