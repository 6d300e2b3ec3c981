//! Options, statistics and visual settings: the parts of [`Model`](super::Model) that are single
//! values.

use crate::fields::record;
use crate::math::Vec3;

record! {
    /// Physics options.
    pub struct Options {
        /// Time that one step advances by.
        timestep: f64 = 0.002,
        /// Ratio of frictional to normal constraint impedance.
        impratio: f64 = 1.0,
        /// Improvement or gradient below which the main solver stops.
        tolerance: f64 = 1e-8,
        /// Tolerance of the line search, relative to that of the solver.
        ls_tolerance: f64 = 0.01,
        /// Tolerance of the no-slip solver.
        noslip_tolerance: f64 = 1e-6,
        /// Tolerance of the convex collider.
        ccd_tolerance: f64 = 1e-6,
        /// Velocity below which a tree may fall asleep.
        sleep_tolerance: f64 = 1e-4,
        /// Gravitational acceleration.
        gravity: Vec3 = Vec3::new(0.0, 0.0, -9.81),
        /// Velocity of the medium: wind, or water current.
        wind: Vec3 = Vec3::ZERO,
        /// Global magnetic flux, read by magnetometers.
        magnetic: Vec3 = Vec3::new(0.0, -0.5, 0.0),
        /// Density of the medium.
        density: f64 = 0.0,
        /// Viscosity of the medium.
        viscosity: f64 = 0.0,
        /// Contact override: margin.
        o_margin: f64 = 0.0,
        /// Contact override: solref.
        o_solref: [f64; 2] = [0.02, 1.0],
        /// Contact override: solimp.
        o_solimp: [f64; 5] = [0.9, 0.95, 0.001, 0.5, 2.0],
        /// Contact override: friction.
        o_friction: [f64; 5] = [1.0, 1.0, 0.005, 0.0001, 0.0001],
        /// Integration scheme, an [`Integrator`](crate::model::Integrator).
        integrator: i32 = 0,
        /// Shape of the friction cone, a [`Cone`](crate::model::Cone).
        cone: i32 = 0,
        /// Storage of the constraint Jacobian, a [`Jacobian`](crate::model::Jacobian).
        jacobian: i32 = 2,
        /// Constraint solver, a [`Solver`](crate::model::Solver).
        solver: i32 = 2,
        /// Largest number of iterations of the main solver.
        iterations: i32 = 100,
        /// Largest number of iterations of the line search.
        ls_iterations: i32 = 50,
        /// Largest number of iterations of the no-slip solver.
        noslip_iterations: i32 = 0,
        /// Largest number of iterations of the convex collider.
        ccd_iterations: i32 = 35,
        /// Parts of the physics that are switched off, bits of [`Disable`](crate::model::Disable).
        disableflags: i32 = 0,
        /// Optional parts that are switched on, bits of [`Enable`](crate::model::Enable).
        enableflags: i32 = 0,
        /// Actuator groups that are switched off, a bit each.
        disableactuator: i32 = 0,
        /// Number of starting points of the signed-distance collider.
        sdf_initpoints: i32 = 40,
        /// Largest number of iterations of the signed-distance collider.
        sdf_iterations: i32 = 10,
    }
}

record! {
    /// Statistics of the model, given in the file or computed when compiling.
    pub struct Statistic {
        /// Mean diagonal of the mass matrix.
        meaninertia: f64 = 0.0,
        /// Mean mass of the bodies.
        meanmass: f64 = 0.0,
        /// Mean size of the bodies.
        meansize: f64 = 0.0,
        /// Spatial extent.
        extent: f64 = 0.0,
        /// Centre of the extent.
        center: Vec3 = Vec3::ZERO,
    }
}

record! {
    /// Global visual settings.
    pub struct VisGlobal {
        ///
        cameraid: i32 = -1,
        ///
        orthographic: i32 = 0,
        ///
        fovy: f32 = 45.0,
        ///
        ipd: f32 = 0.068000004,
        ///
        azimuth: f32 = 90.0,
        ///
        elevation: f32 = -45.0,
        ///
        linewidth: f32 = 1.0,
        ///
        glow: f32 = 0.300000012,
        ///
        realtime: f32 = 1.0,
        ///
        offwidth: i32 = 640,
        ///
        offheight: i32 = 480,
        ///
        ellipsoidinertia: i32 = 0,
        ///
        bvactive: i32 = 1,
    }
}

record! {
    /// Rendering quality.
    pub struct VisQuality {
        ///
        shadowsize: i32 = 4096,
        ///
        offsamples: i32 = 4,
        ///
        numslices: i32 = 28,
        ///
        numstacks: i32 = 16,
        ///
        numquads: i32 = 4,
    }
}

record! {
    /// The light at the camera.
    pub struct VisHeadlight {
        ///
        ambient: [f32; 3] = [0.100000001, 0.100000001, 0.100000001],
        ///
        diffuse: [f32; 3] = [0.400000006, 0.400000006, 0.400000006],
        ///
        specular: [f32; 3] = [0.5, 0.5, 0.5],
        ///
        active: i32 = 1,
    }
}

record! {
    /// Scale factors between physical and visual quantities.
    pub struct VisMap {
        ///
        stiffness: f32 = 100.0,
        ///
        stiffnessrot: f32 = 500.0,
        ///
        force: f32 = 0.005,
        ///
        torque: f32 = 0.100000001,
        ///
        alpha: f32 = 0.300000012,
        ///
        fogstart: f32 = 3.0,
        ///
        fogend: f32 = 10.0,
        ///
        znear: f32 = 0.01,
        ///
        zfar: f32 = 50.0,
        ///
        haze: f32 = 0.300000012,
        ///
        shadowclip: f32 = 1.0,
        ///
        shadowscale: f32 = 0.600000024,
        ///
        actuatortendon: f32 = 2.0,
    }
}

record! {
    /// Sizes of decorative objects, relative to the mean size.
    pub struct VisScale {
        ///
        forcewidth: f32 = 0.100000001,
        ///
        contactwidth: f32 = 0.300000012,
        ///
        contactheight: f32 = 0.100000001,
        ///
        connect: f32 = 0.200000003,
        ///
        com: f32 = 0.400000006,
        ///
        camera: f32 = 0.300000012,
        ///
        light: f32 = 0.300000012,
        ///
        selectpoint: f32 = 0.200000003,
        ///
        jointlength: f32 = 1.0,
        ///
        jointwidth: f32 = 0.100000001,
        ///
        actuatorlength: f32 = 0.699999988,
        ///
        actuatorwidth: f32 = 0.200000003,
        ///
        framelength: f32 = 1.0,
        ///
        framewidth: f32 = 0.100000001,
        ///
        constraint: f32 = 0.100000001,
        ///
        slidercrank: f32 = 0.200000003,
        ///
        frustum: f32 = 10.0,
    }
}

record! {
    /// Colours of decorative objects.
    pub struct VisRgba {
        ///
        fog: [f32; 4] = [0.0, 0.0, 0.0, 1.0],
        ///
        haze: [f32; 4] = [1.0, 1.0, 1.0, 1.0],
        ///
        force: [f32; 4] = [1.0, 0.5, 0.5, 1.0],
        ///
        inertia: [f32; 4] = [0.800000012, 0.200000003, 0.200000003, 0.600000024],
        ///
        joint: [f32; 4] = [0.200000003, 0.600000024, 0.800000012, 1.0],
        ///
        actuator: [f32; 4] = [0.200000003, 0.25, 0.200000003, 1.0],
        ///
        actuatornegative: [f32; 4] = [0.200000003, 0.600000024, 0.899999976, 1.0],
        ///
        actuatorpositive: [f32; 4] = [0.899999976, 0.400000006, 0.200000003, 1.0],
        ///
        com: [f32; 4] = [0.899999976, 0.899999976, 0.899999976, 1.0],
        ///
        camera: [f32; 4] = [0.600000024, 0.899999976, 0.600000024, 1.0],
        ///
        light: [f32; 4] = [0.600000024, 0.600000024, 0.899999976, 1.0],
        ///
        selectpoint: [f32; 4] = [0.899999976, 0.899999976, 0.100000001, 1.0],
        ///
        connect: [f32; 4] = [0.200000003, 0.200000003, 0.800000012, 1.0],
        ///
        contactpoint: [f32; 4] = [0.899999976, 0.600000024, 0.200000003, 1.0],
        ///
        contactforce: [f32; 4] = [0.699999988, 0.899999976, 0.899999976, 1.0],
        ///
        contactfriction: [f32; 4] = [0.899999976, 0.800000012, 0.400000006, 1.0],
        ///
        contacttorque: [f32; 4] = [0.899999976, 0.699999988, 0.899999976, 1.0],
        ///
        contactgap: [f32; 4] = [0.5, 0.800000012, 0.899999976, 1.0],
        ///
        rangefinder: [f32; 4] = [1.0, 1.0, 0.100000001, 1.0],
        ///
        constraint: [f32; 4] = [0.899999976, 0.0, 0.0, 1.0],
        ///
        slidercrank: [f32; 4] = [0.5, 0.300000012, 0.800000012, 1.0],
        ///
        crankbroken: [f32; 4] = [0.899999976, 0.0, 0.0, 1.0],
        ///
        frustum: [f32; 4] = [1.0, 1.0, 0.0, 0.200000003],
        ///
        bv: [f32; 4] = [0.0, 1.0, 0.0, 0.5],
        ///
        bvactive: [f32; 4] = [1.0, 0.0, 0.0, 0.5],
    }
}

/// Visualisation options; nothing in them changes the physics.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Visual {
    /// Global settings.
    pub global: VisGlobal,
    /// Rendering quality.
    pub quality: VisQuality,
    /// The light at the camera.
    pub headlight: VisHeadlight,
    /// Scale factors.
    pub map: VisMap,
    /// Sizes of decorative objects.
    pub scale: VisScale,
    /// Colours of decorative objects.
    pub rgba: VisRgba,
}
