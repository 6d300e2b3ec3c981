use sim_core::model::FlexSelf;

use super::joint::{SOLIMP, SOLREF};
use super::rename::{Affix, Copied};
use super::{Attributes, Attrs, FLAG, Info, Parse};

/// A deformable object: lines, triangles or tetrahedra over vertices that bodies carry.
#[doc(alias = "mjsFlex")]
#[derive(Debug, Clone)]
pub struct Flex {
    /// Name, place and relations.
    pub info: Info,
    /// Contact type.
    pub contype: i32,
    /// Contact affinity.
    pub conaffinity: i32,
    /// Dimension of contacts.
    pub condim: i32,
    /// Contact priority.
    pub priority: i32,
    /// Friction: sliding, torsional, rolling.
    pub friction: [f64; 3],
    /// Weight of solver parameters where they are mixed.
    pub solmix: f64,
    /// Solver reference of contacts.
    pub solref: [f64; 2],
    /// Solver impedance of contacts.
    pub solimp: [f64; 5],
    /// Distance at which contacts are detected.
    pub margin: f64,
    /// Contacts act at a distance of less than margin − gap.
    pub gap: f64,
    /// Dimension of the elements: 1, 2 or 3.
    pub dim: i32,
    /// Radius around the elements.
    pub radius: f64,
    /// Half sizes of the box around the vertices; the compiler computes them.
    pub size: [f64; 3],
    /// Whether elements collide with vertices of their neighbours, and tetrahedra are kept from
    /// turning inside out.
    pub internal: bool,
    /// Whether faces are drawn flat.
    pub flatskin: bool,
    /// How contacts of the flex with itself are found.
    pub selfcollide: FlexSelf,
    /// Whether vertices have spheres that collide.
    pub vertcollide: i32,
    /// Whether contacts are springs rather than constraints.
    pub passive: i32,
    /// Layers of tetrahedra that can collide, from the outside.
    pub activelayers: i32,
    /// Group.
    pub group: i32,
    /// Stiffness of edges.
    pub edgestiffness: f64,
    /// Damping of edges.
    pub edgedamping: f64,
    /// Colour.
    pub rgba: [f32; 4],
    /// Name of the material; empty for none.
    pub material: String,
    /// Young's modulus.
    pub young: f64,
    /// Poisson's ratio.
    pub poisson: f64,
    /// Damping in proportion to stiffness.
    pub damping: f64,
    /// Thickness of a shell; negative for none.
    pub thickness: f64,
    /// What a shell resists.
    pub elastic2d: Elastic2d,
    /// Names of the bodies that carry the nodes of an interpolated flex; empty for none.
    pub nodebody: Vec<String>,
    /// Names of the bodies that carry the vertices: one each, or one for all.
    pub vertbody: Vec<String>,
    /// Positions of the nodes in their bodies; at their origins when empty.
    pub node: Vec<f64>,
    /// Positions of the vertices in their bodies; at their origins when empty.
    pub vert: Vec<f64>,
    /// Vertices of the elements.
    pub elem: Vec<i32>,
    /// Texture coordinates.
    pub texcoord: Vec<f32>,
    /// Texture coordinates of the elements; those of their vertices when empty.
    pub elemtexcoord: Vec<i32>,
}

/// What a shell resists.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum Elastic2d {
    /// Nothing.
    #[default]
    None = 0,
    /// Bending.
    Bend = 1,
    /// Stretching.
    Stretch = 2,
    /// Bending and stretching.
    Both = 3,
}

impl Elastic2d {
    /// Whether bending is resisted.
    pub fn bends(self) -> bool {
        matches!(self, Elastic2d::Bend | Elastic2d::Both)
    }

    /// Whether stretching is resisted.
    pub fn stretches(self) -> bool {
        matches!(self, Elastic2d::Stretch | Elastic2d::Both)
    }
}

const ELASTIC2D: &[(&str, Elastic2d)] = &[
    ("none", Elastic2d::None),
    ("bend", Elastic2d::Bend),
    ("stretch", Elastic2d::Stretch),
    ("both", Elastic2d::Both),
];

const SELFCOLLIDE: &[(&str, FlexSelf)] = &[
    ("none", FlexSelf::None),
    ("narrow", FlexSelf::Narrow),
    ("bvh", FlexSelf::Bvh),
    ("sap", FlexSelf::Sap),
    ("auto", FlexSelf::Auto),
];

/// Words for yes and no where a number is kept.
const SWITCH: &[(&str, i32)] = &[("false", 0), ("true", 1)];

impl Default for Flex {
    fn default() -> Flex {
        Flex {
            info: Info::default(),
            contype: 1,
            conaffinity: 1,
            condim: 3,
            priority: 0,
            friction: [1.0, 0.005, 0.0001],
            solmix: 1.0,
            solref: SOLREF,
            solimp: SOLIMP,
            margin: 0.0,
            gap: 0.0,
            dim: 2,
            radius: 0.005,
            size: [0.0; 3],
            internal: false,
            flatskin: false,
            selfcollide: FlexSelf::Auto,
            vertcollide: 0,
            passive: 0,
            activelayers: 1,
            group: 0,
            edgestiffness: 0.0,
            edgedamping: 0.0,
            rgba: [0.5, 0.5, 0.5, 1.0],
            material: String::new(),
            young: 0.0,
            poisson: 0.0,
            damping: 0.0,
            thickness: -1.0,
            elastic2d: Elastic2d::None,
            nodebody: Vec::new(),
            vertbody: Vec::new(),
            node: Vec::new(),
            vert: Vec::new(),
            elem: Vec::new(),
            texcoord: Vec::new(),
            elemtexcoord: Vec::new(),
        }
    }
}

/// Names, separated by spaces.
impl Parse for Vec<String> {
    fn parse(text: &str) -> Result<Vec<String>, String> {
        Ok(text.split_ascii_whitespace().map(str::to_owned).collect())
    }

    fn print(&self) -> Option<String> {
        (!self.is_empty()).then(|| self.join(" "))
    }
}

impl Attributes for Flex {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        a.text("name", &mut self.info.name);
        a.numbers("group", &mut self.group);
        a.numbers("dim", &mut self.dim);
        a.numbers("radius", &mut self.radius);
        a.text("material", &mut self.material);
        a.numbers("rgba", &mut self.rgba);
        a.keyword("flatskin", &mut self.flatskin, FLAG);
        a.value("body", &mut self.vertbody);
        a.required("body");
        a.list("vertex", &mut self.vert);
        a.list("element", &mut self.elem);
        a.required("element");
        a.list("texcoord", &mut self.texcoord);
        a.list("elemtexcoord", &mut self.elemtexcoord);
        a.value("node", &mut self.nodebody);
    }
}

/// How a flex collides: the element `contact`.
pub(crate) struct FlexContact<'a> {
    pub flex: &'a mut Flex,
    /// Whether it is inside `flexcomp`.
    pub composed: bool,
}

impl Attributes for FlexContact<'_> {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        let flex = &mut *self.flex;
        a.numbers("contype", &mut flex.contype);
        a.numbers("conaffinity", &mut flex.conaffinity);
        a.numbers("condim", &mut flex.condim);
        a.numbers("priority", &mut flex.priority);
        a.up_to("friction", &mut flex.friction);
        a.numbers("solmix", &mut flex.solmix);
        a.up_to("solref", &mut flex.solref);
        a.up_to("solimp", &mut flex.solimp);
        a.numbers("margin", &mut flex.margin);
        a.numbers("gap", &mut flex.gap);
        let internal = a.keyword("internal", &mut flex.internal, FLAG);
        a.keyword("selfcollide", &mut flex.selfcollide, SELFCOLLIDE);
        a.numbers("activelayers", &mut flex.activelayers);
        // the writer of the reference leaves these out
        if a.writing() {
            return;
        }
        let vertcollide = a.keyword("vertcollide", &mut flex.vertcollide, SWITCH);
        let passive = a.keyword("passive", &mut flex.passive, SWITCH);
        // in a flex that is written out, the reference takes the switch that it read before
        let before = i32::from(if internal { flex.internal } else { flex.flatskin });
        if vertcollide && !self.composed {
            flex.vertcollide = before;
        }
        if passive && !self.composed {
            if flex.passive != before {
                let message = "MuJoCo reads this as the value of 'internal' or 'flatskin' here";
                a.warn("passive", message, "a flexcomp has it as it is given");
            }
            flex.passive = before;
        }
    }
}

/// Springs and dampers along the edges of a flex: the element `edge`.
pub(crate) struct FlexEdge<'a>(pub &'a mut Flex);

impl Attributes for FlexEdge<'_> {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        a.numbers("stiffness", &mut self.0.edgestiffness);
        a.numbers("damping", &mut self.0.edgedamping);
    }
}

/// What a flex is made of: the element `elasticity`.
pub(crate) struct FlexElasticity<'a>(pub &'a mut Flex);

impl Attributes for FlexElasticity<'_> {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        let flex = &mut *self.0;
        a.numbers("young", &mut flex.young);
        a.numbers("poisson", &mut flex.poisson);
        a.numbers("damping", &mut flex.damping);
        a.numbers("thickness", &mut flex.thickness);
        a.keyword("elastic2d", &mut flex.elastic2d, ELASTIC2D);
    }
}

impl Copied for Flex {
    fn rename_assets(&mut self, affix: Affix<'_>) {
        affix.rename(&mut self.material);
    }

    fn weight(&self) -> usize {
        1 + (self.vert.len() + self.vertbody.len() + self.elem.len()) / 64
    }
}
