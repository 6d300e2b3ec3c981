//! Writing MJCF: the sections of a model, then its bodies, each with what differs from the
//! defaults.

use sim_core::Model;
use sim_core::model::{
    BiasType, DynType, EqType, GainType, Limited, ObjType, Options, TextureRole, Visual,
};

use super::complete_keys::complete_keys;
use super::copy_back::with_values;
use super::flatten::flattened;
use super::layout::{Layout, in_radians};
use super::render::{differences, differences_and, full_size};
use crate::asset::stripped;
use crate::compile;
use crate::spec::{
    Actuator, ActuatorKind, Attributes, Bone, Class, ClassVisitor, Compiler, Equality, Exclude,
    Flags, Flex, FlexContact, FlexEdge, FlexElasticity, HasDefaults, Hfield, Id, Key, Layer,
    LengthRange, Material, Numeric, SENSOR_TYPES, Sensor, Shortcut, Size, Skin, Spec, Statistic,
    TEXTURE_ROLES, Tendon, TendonKind, Text, Texture, Tuple, TupleElement, Wrap, WrapKind,
};
use crate::xml::Markup;

/// Writes the model as text.
pub(crate) fn write(spec: &Spec) -> String {
    write_as(spec, Layout::AsGiven)
}

/// Writes the model as text in the layout of MuJoCo.
pub(crate) fn write_reference(spec: &Spec) -> String {
    write_as(spec, Layout::Reference)
}

/// Likewise, with the values of a compiled model.
pub(crate) fn write_values(spec: &Spec, model: &Model) -> Option<String> {
    with_values(spec, model).map(|spec| write_reference(&spec))
}

fn write_as(spec: &Spec, layout: Layout) -> String {
    let complete = complete_keys(spec);
    let spec = complete.as_ref().unwrap_or(spec);
    let flat = flattened(spec);
    let spec = flat.as_ref().unwrap_or(spec);
    let explicit = with_inertials(spec);
    let spec = explicit.as_ref().unwrap_or(spec);
    let laid_out = (layout == Layout::Reference).then(|| in_radians(spec));
    let spec = laid_out.as_ref().unwrap_or(spec);
    let out = Markup::new(layout == Layout::Reference);
    let mut writer = Writer { spec, out, layout };
    writer.model();
    writer.out.finish()
}

/// The model with the inertia of every body said, if its settings ask for that.
fn with_inertials(spec: &Spec) -> Option<Spec> {
    if !spec.compiler.saveinertial {
        return None;
    }
    let inertials = compile::inertials(spec).ok()?;
    let mut explicit = spec.clone();
    for (body, inertial) in inertials {
        explicit[body].inertial = Some(inertial);
    }
    Some(explicit)
}

pub(super) struct Writer<'a> {
    pub(super) spec: &'a Spec,
    pub(super) out: Markup,
    pub(super) layout: Layout,
}

impl Writer<'_> {
    fn model(&mut self) {
        let spec = self.spec;
        let mut attributes = Vec::new();
        if spec.name != Spec::default().name || self.layout == Layout::Reference {
            attributes.push(("model", spec.name.clone()));
        }
        let root = self.out.open("mujoco", &attributes);
        if !spec.comment.is_empty() {
            self.out.comment(&spec.comment);
        }
        self.settings();
        self.classes(Class::MAIN);
        self.custom();
        self.assets();
        self.world();
        self.contact();
        self.deformable();
        self.section("equality", |writer| {
            spec.equalities.iter().for_each(|equality| writer.equality(equality));
        });
        self.section("tendon", |writer| {
            spec.tendons.iter().for_each(|tendon| writer.tendon(tendon));
        });
        self.section("actuator", |writer| {
            spec.actuators.iter().for_each(|actuator| writer.actuator(actuator));
        });
        self.section("sensor", |writer| {
            spec.sensors.iter().for_each(|sensor| writer.sensor(sensor));
        });
        self.section("keyframe", |writer| {
            spec.keys.iter().for_each(|key| writer.leaf("key", key.clone(), Key::default()));
        });
        self.out.close("mujoco", &root);
    }

    /// Writes a section, unless there is nothing in it.
    fn section(&mut self, name: &'static str, inside: impl FnOnce(&mut Self)) {
        let opened = self.out.open(name, &[]);
        inside(self);
        self.out.close_section(name, &opened);
    }

    /// Writes an element with nothing inside.
    pub(super) fn leaf<E: Attributes>(&mut self, name: &'static str, element: E, base: E) {
        self.out.leaf(name, &differences(element, base, false, &self.spec.classes));
    }

    /// Writes an element with nothing inside, if it differs from `base`.
    fn setting<E: Attributes>(&mut self, name: &'static str, element: E, base: E) {
        let attributes = differences(element, base, false, &self.spec.classes);
        if !attributes.is_empty() {
            self.out.leaf(name, &attributes);
        }
    }

    /// Writes compiler, options, sizes, visual settings and statistics.
    fn settings(&mut self) {
        let spec = self.spec;
        let mut compiler = spec.compiler.clone();
        compiler.strippath &= !self.full_paths();
        let attributes = differences(compiler, Compiler::default(), false, &spec.classes);
        let opened = self.out.open("compiler", &attributes);
        self.setting("lengthrange", spec.compiler.lengthrange.clone(), LengthRange::default());
        self.out.close_section("compiler", &opened);

        let (mut option, mut base) = (spec.option, Options::default());
        let attributes = differences(option, base, false, &spec.classes);
        let opened = self.out.open("option", &attributes);
        self.setting("flag", Flags(&mut option), Flags(&mut base));
        self.out.close_section("option", &opened);

        self.setting("size", spec.size.clone(), Size::default());
        self.section("visual", |writer| {
            let (visual, base) = (spec.visual, Visual::default());
            writer.setting("global", visual.global, base.global);
            writer.setting("quality", visual.quality, base.quality);
            writer.setting("headlight", visual.headlight, base.headlight);
            writer.setting("map", visual.map, base.map);
            writer.setting("scale", visual.scale, base.scale);
            writer.setting("rgba", visual.rgba, base.rgba);
        });
        self.setting("statistic", spec.statistic.clone(), Statistic::default());
    }

    /// Whether a mesh is outside the usual directory, so that directories cannot be stripped.
    fn full_paths(&self) -> bool {
        self.spec.meshes.iter().any(|mesh| !mesh.elsewhere.is_empty())
    }

    /// Writes a default class and those inside it.
    fn classes(&mut self, id: Id<Class>) {
        let spec = self.spec;
        let class = &spec.classes[id];
        let builtin;
        let (base, attributes): (&Class, &[_]) = match class.parent {
            Some(parent) => (&spec.classes[parent], &[("class", class.name.clone())]),
            None => {
                builtin = Class::default();
                (&builtin, &[])
            }
        };
        let opened = self.out.open("default", attributes);
        class.compare(base, &mut ClassWriter { writer: self, class, base });
        for &inner in spec.classes.ids() {
            if spec.classes[inner].parent == Some(id) {
                self.classes(inner);
            }
        }
        self.out.close_section("default", &opened);
    }

    fn class_element<E: Attributes + Clone>(&mut self, name: &'static str, element: &E, base: &E) {
        let classes = &self.spec.classes;
        let mut attributes = differences(element.clone(), base.clone(), true, classes);
        if self.layout == Layout::Reference && name == "geom" {
            full_size(&mut attributes, element, classes);
        }
        if !attributes.is_empty() {
            self.out.leaf(name, &attributes);
        }
    }

    /// Writes the defaults of actuators. The general form cannot say which range to inherit: the
    /// form of a position servo before it does, with what else that sets taken into account.
    fn class_actuator(&mut self, actuator: &Actuator, mut base: Actuator) {
        if actuator.inheritrange.to_bits() != base.inheritrange.to_bits() {
            base.inheritrange = actuator.inheritrange;
            base.biasprm[1] = -base.gainprm[0];
            (base.gaintype, base.biastype) = (GainType::Fixed, BiasType::Affine);
            let mut value = String::new();
            crate::spec::Number::print(actuator.inheritrange, &mut value);
            self.out.leaf("position", &[("inheritrange", value)]);
        }
        self.class_element("general", actuator, &base);
    }

    fn custom(&mut self) {
        let spec = self.spec;
        self.section("custom", |writer| {
            for numeric in &spec.numerics {
                writer.leaf("numeric", numeric.clone(), Numeric::default());
            }
            for text in &spec.texts {
                writer.leaf("text", text.clone(), Text::default());
            }
            for tuple in &spec.tuples {
                let attributes = differences(tuple.clone(), Tuple::default(), false, &spec.classes);
                let opened = writer.out.open("tuple", &attributes);
                for element in &tuple.elements {
                    writer.leaf("element", element.clone(), TupleElement::default());
                }
                writer.out.close("tuple", &opened);
            }
        });
    }

    fn assets(&mut self) {
        let spec = self.spec;
        self.section("asset", |writer| {
            let full = writer.full_paths();
            for mesh in &spec.meshes {
                let mut mesh = mesh.clone();
                if full {
                    mesh.file = match mesh.elsewhere.as_str() {
                        "" => stripped(&mesh.file, spec).to_owned(),
                        path => path.to_owned(),
                    };
                }
                let base = spec.classes[mesh.class].mesh.clone();
                writer.of_class("mesh", (mesh.class, Class::MAIN), mesh, base);
            }
            for hfield in &spec.hfields {
                writer.leaf("hfield", hfield.clone(), Hfield::default());
            }
            for texture in &spec.textures {
                writer.leaf("texture", texture.clone(), Texture::default());
            }
            for material in &spec.materials {
                let class = material.class;
                writer.material(material, &spec.classes[class].material, Some(class));
            }
        });
    }

    /// Writes a material, or what a class says about materials, with its textures: the colours
    /// alone are an attribute, other roles take layers.
    fn material(&mut self, material: &Material, base: &Material, class: Option<Id<Class>>) {
        let (own, other) = (material.clone(), base.clone());
        let mut attributes = match class {
            Some(class) => self.class_differences((class, Class::MAIN), own, other, &[]),
            None => differences(own, other, true, &self.spec.classes),
        };
        let layers = TEXTURE_ROLES.iter().filter_map(|&(_, role)| {
            let texture = material.textures[role as usize].clone();
            (texture != base.textures[role as usize]).then_some(Layer { texture, role })
        });
        let mut layers: Vec<Layer> = layers.collect();
        if layers.iter().all(|layer| layer.role == TextureRole::Rgb) {
            layers.clear();
        } else {
            attributes.retain(|(name, _)| *name != "texture");
        }
        if class.is_none() && attributes.is_empty() && layers.is_empty() {
            return;
        }
        let opened = self.out.open("material", &attributes);
        layers.into_iter().for_each(|layer| self.leaf("layer", layer, Layer::default()));
        self.out.close("material", &opened);
    }

    fn contact(&mut self) {
        let spec = self.spec;
        self.section("contact", |writer| {
            for pair in &spec.pairs {
                let base = spec.classes[pair.class].pair.clone();
                writer.of_class("pair", (pair.class, Class::MAIN), pair.clone(), base);
            }
            for exclude in &spec.excludes {
                writer.leaf("exclude", exclude.clone(), Exclude::default());
            }
        });
    }

    fn deformable(&mut self) {
        let spec = self.spec;
        self.section("deformable", |writer| {
            spec.flexes.iter().for_each(|flex| writer.flex(flex));
            spec.skins.iter().for_each(|skin| writer.skin(skin));
        });
    }

    fn flex(&mut self, flex: &Flex) {
        let (mut own, mut base) = (flex.clone(), Flex::default());
        let attributes = differences(own.clone(), base.clone(), false, &self.spec.classes);
        let opened = self.out.open("flex", &attributes);
        let composed = false;
        self.setting(
            "contact",
            FlexContact { flex: &mut own, composed },
            FlexContact { flex: &mut base, composed },
        );
        self.setting("edge", FlexEdge(&mut own), FlexEdge(&mut base));
        self.setting("elasticity", FlexElasticity(&mut own), FlexElasticity(&mut base));
        self.out.close("flex", &opened);
    }

    fn skin(&mut self, skin: &Skin) {
        let attributes = differences(skin.clone(), Skin::default(), false, &self.spec.classes);
        let opened = self.out.open("skin", &attributes);
        skin.bones().for_each(|bone| self.leaf("bone", bone, Bone::default()));
        self.out.close("skin", &opened);
    }

    fn equality(&mut self, equality: &Equality) {
        let name = match equality.kind {
            EqType::Connect => "connect",
            EqType::Weld => "weld",
            EqType::Joint => "joint",
            EqType::Tendon => "tendon",
            EqType::Flex => "flex",
            EqType::FlexVert => "flexvert",
            // these are not read
            EqType::Distance => return,
        };
        let mut base = self.spec.classes[equality.class].equality.clone();
        base.kind = equality.kind;
        self.of_class(name, (equality.class, Class::MAIN), equality.clone(), base);
    }

    fn tendon(&mut self, tendon: &Tendon) {
        let name = match tendon.kind {
            TendonKind::Spatial => "spatial",
            TendonKind::Fixed => "fixed",
        };
        let mut base = self.spec.classes[tendon.class].tendon.clone();
        base.kind = tendon.kind;
        let attributes =
            self.class_differences((tendon.class, Class::MAIN), tendon.clone(), base, &[]);
        let opened = self.out.open(name, &attributes);
        for wrap in &tendon.path {
            let name = match wrap.kind {
                WrapKind::Site => "site",
                WrapKind::Geom => "geom",
                WrapKind::Pulley => "pulley",
                WrapKind::Joint => "joint",
            };
            self.leaf(name, wrap.clone(), Wrap::new(wrap.kind, wrap.src));
        }
        self.out.close(name, &opened);
    }

    /// Writes an actuator in its general form, unless that cannot say all of it.
    fn actuator(&mut self, actuator: &Actuator) {
        let class = (actuator.class, Class::MAIN);
        let (mut own, mut base) =
            (actuator.clone(), self.spec.classes[actuator.class].actuator.clone());
        if own.inheritrange.to_bits() == base.inheritrange.to_bits() {
            return self.of_class("general", class, own, base);
        }
        let integrates = own.dyntype == DynType::Integrator && own.actlimited == Limited::True;
        let (name, kind) = if integrates {
            ("intvelocity", ActuatorKind::IntVelocity)
        } else {
            ("position", ActuatorKind::Position)
        };
        let own = Shortcut { kind, actuator: &mut own };
        self.of_class(name, class, own, Shortcut { kind, actuator: &mut base });
    }

    fn sensor(&mut self, sensor: &Sensor) {
        if let Some((name, _)) = SENSOR_TYPES.iter().find(|(_, kind)| *kind == sensor.kind) {
            self.leaf(name, sensor.clone(), Sensor::new(sensor.kind));
        }
    }

    /// Writes an element of the class `own` among elements of the class `around`, given what the
    /// class makes of it.
    pub(super) fn of_class<E: Attributes>(
        &mut self,
        name: &'static str,
        (own, around): (Id<Class>, Id<Class>),
        element: E,
        base: E,
    ) {
        let always = self.layout.always(name);
        let attributes = self.class_differences((own, around), element, base, always);
        self.out.leaf(name, &attributes);
    }

    /// The attributes of an element of the class `own` among elements of the class `around`.
    pub(super) fn class_differences<E: Attributes>(
        &self,
        (own, around): (Id<Class>, Id<Class>),
        element: E,
        base: E,
        always: &[&str],
    ) -> Vec<(&'static str, String)> {
        let classes = &self.spec.classes;
        let mut attributes = differences_and(always, element, base, false, classes);
        if own != around {
            let after_name = attributes.first().is_some_and(|(name, _)| *name == "name");
            attributes.insert(usize::from(after_name), ("class", classes[own].name.clone()));
        }
        attributes
    }
}

/// Writes what a class says about each kind of element.
struct ClassWriter<'w, 'a> {
    writer: &'w mut Writer<'a>,
    class: &'a Class,
    base: &'w Class,
}

impl ClassVisitor for ClassWriter<'_, '_> {
    fn visit<T: HasDefaults + Attributes>(&mut self, name: &'static str, own: &T, base: &T) {
        match T::KIND {
            // textures are inside
            ObjType::Material => {
                self.writer.material(&self.class.material, &self.base.material, None);
            }
            ObjType::Actuator => {
                self.writer.class_actuator(&self.class.actuator, self.base.actuator.clone());
            }
            _ => self.writer.class_element(name, own, base),
        }
    }
}
