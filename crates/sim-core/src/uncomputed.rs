/// Fields of [`Model`](crate::Model) and [`Data`](crate::Data) that nothing computes yet: they are
/// zero or empty. What is missing is visible here and nowhere else.
#[rustfmt::skip]
pub const UNCOMPUTED: &[&str] = &[
    // model
    "oct_depth", "oct_child", "oct_aabb", "oct_coeff", "plugin",
    "plugin_stateadr", "plugin_statenum", "plugin_attr", "plugin_attradr",
    // data
    "plugin_state", "plugin", "bvh_active",
];
