/// Fields of [`Model`](crate::Model) and [`Data`](crate::Data) that nothing computes yet: they are
/// zero or empty. What is missing is visible here and nowhere else.
#[rustfmt::skip]
pub const UNCOMPUTED: &[&str] = &[
    // model
    "oct_depth", "oct_child", "oct_aabb", "oct_coeff", "flex_contype", "flex_conaffinity",
    "flex_condim", "flex_priority", "flex_solmix", "flex_solref", "flex_solimp", "flex_friction",
    "flex_margin", "flex_gap", "flex_internal", "flex_selfcollide", "flex_activelayers",
    "flex_passive", "flex_dim", "flex_matid", "flex_group", "flex_interp", "flex_nodeadr",
    "flex_nodenum", "flex_vertadr", "flex_vertnum", "flex_edgeadr", "flex_edgenum", "flex_elemadr",
    "flex_elemnum", "flex_elemdataadr", "flex_elemedgeadr", "flex_shellnum", "flex_shelldataadr",
    "flex_evpairadr", "flex_evpairnum", "flex_texcoordadr", "flex_nodebodyid", "flex_vertbodyid",
    "flex_vertedgeadr", "flex_vertedgenum", "flex_vertedge", "flex_edge", "flex_edgeflap",
    "flex_elem", "flex_elemtexcoord", "flex_elemedge", "flex_elemlayer", "flex_shell",
    "flex_evpair", "flex_vert", "flex_vert0", "flex_vertmetric", "flex_node", "flex_node0",
    "flexedge_length0", "flexedge_invweight0", "flex_radius", "flex_size", "flex_stiffness",
    "flex_bending", "flex_damping", "flex_edgestiffness", "flex_edgedamping", "flex_edgeequality",
    "flex_rigid", "flexedge_rigid", "flex_centered", "flex_flatskin", "flex_bvhadr", "flex_bvhnum",
    "flexedge_J_rownnz", "flexedge_J_rowadr", "flexedge_J_colind", "flexvert_J_rownnz",
    "flexvert_J_rowadr", "flexvert_J_colind", "flex_rgba", "flex_texcoord", "skin_matid",
    "skin_group", "skin_rgba", "skin_inflate", "skin_vertadr", "skin_vertnum", "skin_texcoordadr",
    "skin_faceadr", "skin_facenum", "skin_boneadr", "skin_bonenum", "skin_vert", "skin_texcoord",
    "skin_face", "skin_bonevertadr", "skin_bonevertnum", "skin_bonebindpos", "skin_bonebindquat",
    "skin_bonebodyid", "skin_bonevertid", "skin_bonevertweight", "skin_pathadr", "plugin",
    "plugin_stateadr", "plugin_statenum", "plugin_attr", "plugin_attradr",
    // data
    "plugin_state", "plugin", "bvh_active",
];
