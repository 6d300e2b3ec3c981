//! Constants, enums and labels that the package has beside those of the engine: names for what is
//! drawn, chosen with a mouse, or counted.

use sim_core::data::{MAX_ISLANDS, MAX_ITERATIONS};
use sim_core::model::{ENUMS, EnumInfo};

/// Real constants under MuJoCo's names.
pub(crate) const REALS: &[(&str, f64)] = &[
    ("mjPI", std::f64::consts::PI),
    ("mjMAXVAL", 1e10),
    ("mjMINVAL", 1e-15),
    ("mjMINMU", 1e-5),
    ("mjMINIMP", 0.0001),
    ("mjMAXIMP", 0.9999),
];

/// Integer constants under MuJoCo's names.
pub(crate) const INTEGERS: &[(&str, i64)] = &[
    ("mjVERSION_HEADER", 3_005_000),
    ("mjMAXCONPAIR", 50),
    ("mjMAXTREEDEPTH", 50),
    ("mjMAXFLEXNODES", 27),
    ("mjMAXLIGHT", 100),
    ("mjMAXLINE", 100),
    ("mjMAXLINEPNT", 1001),
    ("mjMAXOVERLAY", 500),
    ("mjMAXPLANEGRID", 200),
    ("mjMINAWAKE", 10),
    ("mjNEQDATA", 11),
    ("mjNDYN", 10),
    ("mjNGAIN", 10),
    ("mjNBIAS", 10),
    ("mjNFLUID", 12),
    ("mjNREF", 2),
    ("mjNIMP", 5),
    ("mjNSENS", 3),
    ("mjNSOLVER", MAX_ITERATIONS as i64),
    ("mjNISLAND", MAX_ISLANDS as i64),
    ("mjNGROUP", 6),
];

/// Labels of the members of enums, in their order.
#[rustfmt::skip]
pub(crate) const LABELS: &[(&str, &[&str])] = &[
    ("mjDISABLESTRING", &["Constraint", "Equality", "Frictionloss", "Limit", "Contact", "Spring", "Damper", "Gravity", "Clampctrl", "Warmstart", "Filterparent", "Actuation", "Refsafe", "Sensor", "Midphase", "Eulerdamp", "AutoReset", "NativeCCD", "Island"]),
    ("mjENABLESTRING", &["Override", "Energy", "Fwdinv", "InvDiscrete", "MultiCCD", "Sleep"]),
    ("mjTIMERSTRING", &["step", "forward", "inverse", "position", "velocity", "actuation", "constraint", "advance", "pos_kinematics", "pos_inertia", "pos_collision", "pos_make", "pos_project", "col_broadphase", "col_narrowphase"]),
    ("mjLABELSTRING", &["None", "Body", "Joint", "Geom", "Site", "Camera", "Light", "Tendon", "Actuator", "Constraint", "Flex", "Skin", "Selection", "SelPoint", "Contact", "ContactForce", "Island"]),
    ("mjFRAMESTRING", &["None", "Body", "Geom", "Site", "Camera", "Light", "Contact", "World"]),
];

/// Labels of flags, with their first value and key.
type FlagLabels = &'static [(&'static str, &'static str, &'static str)];

/// Labels of the flags of enums, in their order.
#[rustfmt::skip]
pub(crate) const FLAG_LABELS: &[(&str, FlagLabels)] = &[
    ("mjVISSTRING", &[("Convex Hull", "0", "H"), ("Texture", "1", "X"), ("Joint", "0", "J"), ("Camera", "0", "Q"), ("Actuator", "0", "U"), ("Activation", "0", ","), ("Light", "0", "Z"), ("Tendon", "1", "V"), ("Range Finder", "1", "Y"), ("Equality", "0", "E"), ("Inertia", "0", "I"), ("Scale Inertia", "0", "'"), ("Perturb Force", "0", "B"), ("Perturb Object", "1", "O"), ("Contact Point", "0", "C"), ("Island", "0", "N"), ("Contact Force", "0", "F"), ("Contact Split", "0", "P"), ("Transparent", "0", "T"), ("Auto Connect", "0", "A"), ("Center of Mass", "0", "M"), ("Select Point", "0", ""), ("Static Body", "1", "D"), ("Skin", "1", ";"), ("Flex Vert", "0", ""), ("Flex Edge", "1", ""), ("Flex Face", "0", ""), ("Flex Skin", "1", ""), ("Body Tree", "0", "`"), ("Mesh Tree", "0", "\\"), ("SDF iters", "0", "")]),
    ("mjRNDSTRING", &[("Shadow", "1", "S"), ("Wireframe", "0", "W"), ("Reflection", "1", "R"), ("Additive", "0", "L"), ("Skybox", "1", "K"), ("Fog", "0", "G"), ("Haze", "1", "/"), ("Depth", "0", ""), ("Segment", "0", ","), ("Id Color", "0", ""), ("Cull Face", "1", "")]),
];

/// Members of enums of the engine that count the others.
const COUNTS: &[(&str, &str, i32)] = &[
    ("mjtCamOutBit", "mjNCAMOUT", 5),
    ("mjtConDataField", "mjNCONDATA", 7),
    ("mjtDisableBit", "mjNDISABLE", 19),
    ("mjtEnableBit", "mjNENABLE", 6),
    ("mjtGeom", "mjNGEOMTYPES", 9),
    ("mjtObj", "mjNOBJECT", 26),
    ("mjtRayDataField", "mjNRAYDATA", 6),
    ("mjtState", "mjNSTATE", 14),
    ("mjtTextureRole", "mjNTEXROLE", 10),
    ("mjtTimer", "mjNTIMER", 15),
    ("mjtWarning", "mjNWARNING", 8),
    ("mjtLabel", "mjNLABEL", 17),
    ("mjtFrame", "mjNFRAME", 8),
    ("mjtVisFlag", "mjNVISFLAG", 31),
    ("mjtRndFlag", "mjNRNDFLAG", 11),
];

/// An enum: name, doc, members with their numbers.
type EnumRow = (&'static str, &'static str, Vec<(&'static str, i32)>);

/// All enums of the package.
pub(crate) fn enums() -> Vec<EnumRow> {
    let with_counts = |info: &EnumInfo| {
        let counts = COUNTS.iter().filter(|(name, ..)| *name == info.name);
        info.members.iter().copied().chain(counts.map(|&(_, name, value)| (name, value))).collect()
    };
    let all = ENUMS.iter().chain(sim_core::scene::ENUMS).chain(OTHERS);
    all.map(|info| (info.name, info.doc.trim(), with_counts(info))).collect()
}

/// Enums that the engine itself has no use for.
#[rustfmt::skip]
const OTHERS: &[EnumInfo] = &[
    EnumInfo { name: "mjtBuiltin", doc: "Patterns of textures that need no file.", members: &[
        ("mjBUILTIN_NONE", 0),
        ("mjBUILTIN_GRADIENT", 1),
        ("mjBUILTIN_CHECKER", 2),
        ("mjBUILTIN_FLAT", 3),
    ] },
    EnumInfo { name: "mjtButton", doc: "Buttons of a mouse.", members: &[
        ("mjBUTTON_NONE", 0),
        ("mjBUTTON_LEFT", 1),
        ("mjBUTTON_RIGHT", 2),
        ("mjBUTTON_MIDDLE", 3),
    ] },
    EnumInfo { name: "mjtEvent", doc: "Events of a user interface.", members: &[
        ("mjEVENT_NONE", 0),
        ("mjEVENT_MOVE", 1),
        ("mjEVENT_PRESS", 2),
        ("mjEVENT_RELEASE", 3),
        ("mjEVENT_SCROLL", 4),
        ("mjEVENT_KEY", 5),
        ("mjEVENT_RESIZE", 6),
        ("mjEVENT_REDRAW", 7),
        ("mjEVENT_FILESDROP", 8),
    ] },
    EnumInfo { name: "mjtItem", doc: "Items of a user interface.", members: &[
        ("mjITEM_END", -2),
        ("mjITEM_SECTION", -1),
        ("mjITEM_SEPARATOR", 0),
        ("mjITEM_STATIC", 1),
        ("mjITEM_BUTTON", 2),
        ("mjITEM_CHECKINT", 3),
        ("mjITEM_CHECKBYTE", 4),
        ("mjITEM_RADIO", 5),
        ("mjITEM_RADIOLINE", 6),
        ("mjITEM_SELECT", 7),
        ("mjITEM_SLIDERINT", 8),
        ("mjITEM_SLIDERNUM", 9),
        ("mjITEM_EDITINT", 10),
        ("mjITEM_EDITNUM", 11),
        ("mjITEM_EDITFLOAT", 12),
        ("mjITEM_EDITTXT", 13),
        ("mjNITEM", 14),
    ] },
    EnumInfo { name: "mjtMark", doc: "Marks on textures that need no file.", members: &[
        ("mjMARK_NONE", 0),
        ("mjMARK_EDGE", 1),
        ("mjMARK_CROSS", 2),
        ("mjMARK_RANDOM", 3),
    ] },
    EnumInfo { name: "mjtMeshBuiltin", doc: "Shapes of meshes that need no file.", members: &[
        ("mjMESH_BUILTIN_NONE", 0),
        ("mjMESH_BUILTIN_SPHERE", 1),
        ("mjMESH_BUILTIN_HEMISPHERE", 2),
        ("mjMESH_BUILTIN_CONE", 3),
        ("mjMESH_BUILTIN_SUPERSPHERE", 4),
        ("mjMESH_BUILTIN_SUPERTORUS", 5),
        ("mjMESH_BUILTIN_WEDGE", 6),
        ("mjMESH_BUILTIN_PLATE", 7),
    ] },
    EnumInfo { name: "mjtPluginCapabilityBit", doc: "What a plugin can do.", members: &[
        ("mjPLUGIN_ACTUATOR", 1),
        ("mjPLUGIN_SENSOR", 2),
        ("mjPLUGIN_PASSIVE", 4),
        ("mjPLUGIN_SDF", 8),
    ] },
    EnumInfo { name: "mjtSDFType", doc: "Ways to evaluate signed distance functions.", members: &[
        ("mjSDFTYPE_SINGLE", 0),
        ("mjSDFTYPE_INTERSECTION", 1),
        ("mjSDFTYPE_MIDSURFACE", 2),
        ("mjSDFTYPE_COLLISION", 3),
    ] },
    EnumInfo { name: "mjtSection", doc: "States of a section of a user interface.", members: &[
        ("mjSECT_CLOSED", 0),
        ("mjSECT_OPEN", 1),
        ("mjSECT_FIXED", 2),
    ] },
    EnumInfo { name: "mjtTaskStatus", doc: "States of a task of a thread pool.", members: &[
        ("mjTASK_NEW", 0),
        ("mjTASK_QUEUED", 1),
        ("mjTASK_COMPLETED", 2),
    ] },
];
