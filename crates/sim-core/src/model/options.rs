//! Options, statistics and visual settings: the parts of [`Model`](super::Model) that are single
//! values.

use crate::fields::record;
use crate::math::Vec3;

record! {
    /// Physics options.
    #[doc(alias = "mjOption")]
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
    #[doc(alias = "mjStatistic")]
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
        // free camera
        /// Camera that the view starts with; -1: the free camera.
        cameraid: i32 = -1,
        /// Whether the free camera is orthographic.
        orthographic: i32 = 0,
        /// Vertical field of view of the free camera: degrees, or a length if orthographic.
        fovy: f32 = 45.0,
        /// Distance between the eyes of the free camera, for stereo.
        ipd: f32 = 0.068,
        /// Azimuth that the free camera starts with, in degrees.
        azimuth: f32 = 90.0,
        /// Elevation that the free camera starts with, in degrees.
        elevation: f32 = -45.0,

        // drawing
        /// Width of lines in wireframes and rays, in pixels.
        linewidth: f32 = 1.0,
        /// Emission added to the selected body.
        glow: f32 = 0.3,
        /// Simulated time per wall-clock time that a viewer starts with.
        realtime: f32 = 1.0,
        /// Width of images rendered off screen, in pixels.
        offwidth: i32 = 640,
        /// Height of images rendered off screen, in pixels.
        offheight: i32 = 480,
        /// Whether inertias are drawn as ellipsoids instead of boxes.
        ellipsoidinertia: i32 = 0,
        /// Whether bounding volumes that were looked into are highlighted.
        bvactive: i32 = 1,
    }
}

record! {
    /// Rendering quality.
    pub struct VisQuality {
        /// Width and height of the shadow map, in pixels.
        shadowsize: i32 = 4096,
        /// Samples per pixel of images rendered off screen.
        offsamples: i32 = 4,
        /// Divisions of round shapes around their axis.
        numslices: i32 = 28,
        /// Divisions of round shapes along their axis.
        numstacks: i32 = 16,
        /// Divisions of the edges of boxes.
        numquads: i32 = 4,
    }
}

record! {
    /// The light at the camera.
    pub struct VisHeadlight {
        /// Ambient colour.
        ambient: [f32; 3] = [0.1, 0.1, 0.1],
        /// Diffuse colour.
        diffuse: [f32; 3] = [0.4, 0.4, 0.4],
        /// Specular colour.
        specular: [f32; 3] = [0.5, 0.5, 0.5],
        /// Whether it is switched on.
        active: i32 = 1,
    }
}

record! {
    /// Scale factors between physical and visual quantities.
    pub struct VisMap {
        // perturbation by mouse
        /// Force per distance when dragging a body.
        stiffness: f32 = 100.0,
        /// Torque per angle when turning a body.
        stiffnessrot: f32 = 500.0,

        // arrows
        /// Length of an arrow per unit of force, divided by the mean mass.
        force: f32 = 0.005,
        /// Length of an arrow per unit of torque.
        torque: f32 = 0.1,

        // rendering
        /// Factor on the opacity of geoms while they are shown transparent.
        alpha: f32 = 0.3,
        /// Distance at which fog begins, in units of the extent.
        fogstart: f32 = 3.0,
        /// Distance at which fog is complete, in units of the extent.
        fogend: f32 = 10.0,
        /// Distance of the near clipping plane, in units of the extent.
        znear: f32 = 0.01,
        /// Distance of the far clipping plane, in units of the extent.
        zfar: f32 = 50.0,
        /// Share of the skybox, up from the horizon, that fades into the haze colour.
        haze: f32 = 0.3,
        /// Reach of the shadows of directional lights, in units of the extent.
        shadowclip: f32 = 1.0,
        /// Part of the cone of spot lights that casts shadows.
        shadowscale: f32 = 0.6,
        /// Factor on the width of tendons that show their actuator.
        actuatortendon: f32 = 2.0,
    }
}

record! {
    /// Sizes of decorative objects, relative to the mean size.
    pub struct VisScale {
        /// Thickness of force arrows.
        forcewidth: f32 = 0.1,
        /// Radius of contact discs.
        contactwidth: f32 = 0.3,
        /// Height of contact discs.
        contactheight: f32 = 0.1,
        /// Width of the rods that connect bodies.
        connect: f32 = 0.2,
        /// Radius of the balls at centres of mass.
        com: f32 = 0.4,
        /// Size of cameras.
        camera: f32 = 0.3,
        /// Size of lights.
        light: f32 = 0.3,
        /// Radius of the ball at the selected point.
        selectpoint: f32 = 0.2,
        /// Length of joint axes.
        jointlength: f32 = 1.0,
        /// Width of joint axes.
        jointwidth: f32 = 0.1,
        /// Length of actuators on joints.
        actuatorlength: f32 = 0.7,
        /// Width of actuators on joints.
        actuatorwidth: f32 = 0.2,
        /// Length of the axes of frames.
        framelength: f32 = 1.0,
        /// Width of the axes of frames.
        framewidth: f32 = 0.1,
        /// Width of the rods that show violated constraints.
        constraint: f32 = 0.1,
        /// Width of slider-cranks.
        slidercrank: f32 = 0.2,
        /// Distance of the far plane of camera frustums.
        frustum: f32 = 10.0,
    }
}

record! {
    /// Colours of decorative objects.
    pub struct VisRgba {
        // surroundings
        /// Fog in the distance.
        fog: [f32; 4] = [0.0, 0.0, 0.0, 1.0],
        /// Haze at the horizon.
        haze: [f32; 4] = [1.0, 1.0, 1.0, 1.0],

        // mechanism
        /// Arrows of applied forces.
        force: [f32; 4] = [1.0, 0.5, 0.5, 1.0],
        /// Boxes or ellipsoids of inertia.
        inertia: [f32; 4] = [0.8, 0.2, 0.2, 0.6],
        /// Joint axes.
        joint: [f32; 4] = [0.2, 0.6, 0.8, 1.0],
        /// Actuators at rest.
        actuator: [f32; 4] = [0.2, 0.25, 0.2, 1.0],
        /// Actuators at the lower end of their range.
        actuatornegative: [f32; 4] = [0.2, 0.6, 0.9, 1.0],
        /// Actuators at the upper end of their range.
        actuatorpositive: [f32; 4] = [0.9, 0.4, 0.2, 1.0],
        /// Balls at centres of mass.
        com: [f32; 4] = [0.9, 0.9, 0.9, 1.0],
        /// Cameras.
        camera: [f32; 4] = [0.6, 0.9, 0.6, 1.0],
        /// Lights.
        light: [f32; 4] = [0.6, 0.6, 0.9, 1.0],
        /// Ball at the selected point.
        selectpoint: [f32; 4] = [0.9, 0.9, 0.1, 1.0],
        /// Rods that connect bodies.
        connect: [f32; 4] = [0.2, 0.2, 0.8, 1.0],

        // contacts
        /// Contacts that carry force.
        contactpoint: [f32; 4] = [0.9, 0.6, 0.2, 1.0],
        /// Arrows of contact forces.
        contactforce: [f32; 4] = [0.7, 0.9, 0.9, 1.0],
        /// Friction part of contact forces, when shown apart.
        contactfriction: [f32; 4] = [0.9, 0.8, 0.4, 1.0],
        /// Arrows of contact torques.
        contacttorque: [f32; 4] = [0.9, 0.7, 0.9, 1.0],
        /// Contacts within the gap, which carry no force.
        contactgap: [f32; 4] = [0.5, 0.8, 0.9, 1.0],

        // the rest
        /// Rays of rangefinders.
        rangefinder: [f32; 4] = [1.0, 1.0, 0.1, 1.0],
        /// Rods that show violated constraints.
        constraint: [f32; 4] = [0.9, 0.0, 0.0, 1.0],
        /// Slider-cranks.
        slidercrank: [f32; 4] = [0.5, 0.3, 0.8, 1.0],
        /// Slider-cranks whose rod cannot reach.
        crankbroken: [f32; 4] = [0.9, 0.0, 0.0, 1.0],
        /// Frustums of cameras.
        frustum: [f32; 4] = [1.0, 1.0, 0.0, 0.2],
        /// Bounding volumes.
        bv: [f32; 4] = [0.0, 1.0, 0.0, 0.5],
        /// Bounding volumes that were looked into.
        bvactive: [f32; 4] = [1.0, 0.0, 0.0, 0.5],
    }
}

/// Visualisation options; nothing in them changes the physics.
#[doc(alias = "mjVisual")]
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
