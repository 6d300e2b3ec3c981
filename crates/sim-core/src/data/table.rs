//! The table of every array of [`Data`].

use super::{Cache, Contact, MAX_ISLANDS, SolverStat, TimerStat, WarningStat, Work};
use crate::constraint::Rows;
use crate::fields::fields;
use crate::math::{Force, Inertia, Mat3, Motion, Quat, Vec3};
use crate::model::Model;

fields! {
    /// State and results of one simulation.
    ///
    /// Names, element types and shapes are those of MuJoCo 3.5.0's `mjData`.
    #[doc(alias = "mjData")]
    #[derive(Debug, Clone, PartialEq, Default)]
    pub struct Data sized by Model {
        values {
            /// Simulation time.
            time: f64,
            /// Potential and kinetic energy.
            energy: [f64; 2],
            /// Detected contacts.
            contact: Vec<Contact>,
            /// Warning counters, by kind.
            warning: [WarningStat; 8],
            /// Timers, by stage.
            timer: [TimerStat; 15],
            /// Solver statistics, by island and iteration.
            solver: Vec<SolverStat>,
            /// Number of solver iterations, by island.
            solver_niter: [i32; MAX_ISLANDS],
            /// Number of nonzeros in the Hessian or in the dual matrix, by island.
            solver_nnz: [i32; MAX_ISLANDS],
            /// Difference between forward and inverse dynamics: constraint forces, applied forces.
            solver_fwdinv: [f64; 2],
            /// Jacobian of the constraint rows, by kind. Computed by `make_constraint`.
            rows: Rows,
            /// Scratch space of the stages.
            work: Work,
            /// Plans that live from step to step.
            cache: Cache,
            /// Number of detected contacts.
            ncon: usize,
            /// Number of equality rows.
            ne: usize,
            /// Number of friction rows.
            nf: usize,
            /// Number of limit rows.
            nl: usize,
            /// Number of constraint rows.
            nefc: usize,
            /// Number of nonzeros of the constraint Jacobian.
            nJ: usize,
            /// Number of nonzeros of the dual matrix.
            nA: usize,
            /// Number of constraint islands.
            nisland: usize,
            /// Number of dofs in all islands.
            nidof: usize,
            /// Number of trees that are awake.
            ntree_awake: usize,
            /// Number of bodies that are awake or static.
            nbody_awake: usize,
            /// Number of bodies whose parent is awake or static.
            nparent_awake: usize,
            /// Number of dofs that are awake.
            nv_awake: usize,
            /// Largest number of contacts so far.
            maxuse_con: usize,
            /// Largest number of constraint rows so far.
            maxuse_efc: usize,
            /// Whether the potential energy is that of the current position.
            flg_energypos: bool,
            /// Whether the kinetic energy is that of the current velocity.
            flg_energyvel: bool,
            /// Whether the subtree velocities are current.
            flg_subtreevel: bool,
            /// Whether the post-constraint accelerations and forces are current.
            flg_rnepost: bool,
        }
        arrays {
            // state
            /// Position: coordinates of the joints.
            qpos: [f64; nq],
            /// Velocity of the dofs.
            qvel: [f64; nv],
            /// Activation of the actuators.
            act: [f64; na],
            /// Past controls and sensor readings, for delays.
            history: [f64; nhistory],
            /// Acceleration of the previous step, the first guess of the solver.
            qacc_warmstart: [f64; nv],
            /// State of the plugins.
            plugin_state: [f64; npluginstate],

            // control
            /// Control, one number per actuator.
            ctrl: [f64; nu],
            /// Force on the dofs. Set by the user.
            qfrc_applied: [f64; nv],
            /// Force, torque on the body at its centre of mass, in the world. Set by the user.
            xfrc_applied: [[f64; 6]; nbody],
            /// Whether the equality constraint is switched on.
            eq_active: [u8; neq],

            // mocap
            /// World position of the mocap bodies.
            mocap_pos: [Vec3; nmocap],
            /// World orientation of the mocap bodies.
            mocap_quat: [Quat; nmocap],

            // dynamics
            /// Acceleration of the dofs. Computed by `fwd_constraint`.
            qacc: [f64; nv],
            /// Time derivative of `act`. Computed by `fwd_actuation`.
            act_dot: [f64; na],

            // user data and sensors
            /// Space for the user; the engine does not touch it.
            userdata: [f64; nuserdata],
            /// Sensor readings. Computed by `sensor_pos`, `sensor_vel` and `sensor_acc`.
            sensordata: [f64; nsensordata],

            // sleep
            /// Negative: awake, counting up to sleep. Else the next tree of its sleeping ring.
            tree_asleep: [i32; ntree],

            // plugins
            /// Registered number of the plugin, copied from the model.
            plugin: [i32; nplugin],

            // positions
            /// World position of the body frame. Computed by `kinematics`.
            xpos: [Vec3; nbody],
            /// World orientation of the body frame. Computed by `kinematics`.
            xquat: [Quat; nbody],
            /// World orientation of the body frame, as a matrix. Computed by `kinematics`.
            xmat: [Mat3; nbody],
            /// World position of the body's centre of mass. Computed by `kinematics`.
            xipos: [Vec3; nbody],
            /// World orientation of the body's principal axes. Computed by `kinematics`.
            ximat: [Mat3; nbody],
            /// World position of the joint anchor. Computed by `kinematics`.
            xanchor: [Vec3; njnt],
            /// World direction of the joint axis. Computed by `kinematics`.
            xaxis: [Vec3; njnt],
            /// World position of the geom. Computed by `kinematics`.
            geom_xpos: [Vec3; ngeom],
            /// World orientation of the geom. Computed by `kinematics`.
            geom_xmat: [Mat3; ngeom],
            /// World position of the site. Computed by `kinematics`.
            site_xpos: [Vec3; nsite],
            /// World orientation of the site. Computed by `kinematics`.
            site_xmat: [Mat3; nsite],
            /// World position of the camera. Computed by `camlight`.
            cam_xpos: [Vec3; ncam],
            /// World orientation of the camera. Computed by `camlight`.
            cam_xmat: [Mat3; ncam],
            /// World position of the light. Computed by `camlight`.
            light_xpos: [Vec3; nlight],
            /// World direction of the light. Computed by `camlight`.
            light_xdir: [Vec3; nlight],

            // com-based quantities
            /// World centre of mass of the body and its descendants. Computed by `com_pos`.
            subtree_com: [Vec3; nbody],
            /// Motion axis about the com of its tree (rot:lin). Computed by `com_pos`.
            cdof: [Motion; nv],
            /// Inertia and mass of the body about the com of its tree. Computed by `com_pos`.
            cinert: [Inertia; nbody],

            // flexes
            /// World position of the flex vertex. Computed by `flex`.
            flexvert_xpos: [Vec3; nflexvert],
            /// World box of the flex element: centre, half sizes. Computed by `flex`.
            flexelem_aabb: [[f64; 6]; nflexelem],
            /// Derivative of the edge length by the dofs, sparse. Computed by `flex`.
            flexedge_J: [f64; nJfe],
            /// Length of the flex edge. Computed by `flex`.
            flexedge_length: [f64; nflexedge],
            /// Derivative of the two vertex strains by the dofs, sparse. Computed by `flex`.
            flexvert_J: [[f64; 2]; nJfv],
            /// Two strain measures at the flex vertex, 0 at rest. Computed by `flex`.
            flexvert_length: [[f64; 2]; nflexvert],
            /// World box of the dynamic volume: centre, half sizes. Computed by `flex`.
            bvh_aabb_dyn: [[f64; 6]; nbvhdynamic],

            // tendons
            /// First point of the path in `wrap_xpos`. Computed by `tendon`.
            ten_wrapadr: [i32; ntendon],
            /// How many points the path has. Computed by `tendon`.
            ten_wrapnum: [i32; ntendon],
            /// Length of the tendon's row of `ten_J`. Computed by `tendon`.
            ten_J_rownnz: [i32; ntendon],
            /// Start of the tendon's row of `ten_J`. Computed by `tendon`.
            ten_J_rowadr: [i32; ntendon],
            /// Dof of every entry of `ten_J`. Computed by `tendon`.
            ten_J_colind: [i32; ntendon, nv],
            /// Derivative of the tendon length by the dofs. Computed by `tendon`.
            ten_J: [f64; ntendon, nv],
            /// Length of the tendon. Computed by `tendon`.
            ten_length: [f64; ntendon],
            /// What the path point is on: a geom, -1 a site, -2 a pulley. Computed by `tendon`.
            wrap_obj: [[i32; 2]; nwrap],
            /// World positions of the path points, two per element. Computed by `tendon`.
            wrap_xpos: [[f64; 6]; nwrap],

            // transmission
            /// Length of the actuator. Computed by `transmission`.
            actuator_length: [f64; nu],
            /// Length of the actuator's row of `actuator_moment`. Computed by `transmission`.
            moment_rownnz: [i32; nu],
            /// Start of the actuator's row of `actuator_moment`. Computed by `transmission`.
            moment_rowadr: [i32; nu],
            /// Dof of every entry of `actuator_moment`. Computed by `transmission`.
            moment_colind: [i32; nJmom],
            /// Derivative of the length by the dofs, sparse. Computed by `transmission`.
            actuator_moment: [f64; nJmom],

            // inertia
            /// Inertia and mass of the subtree about the com of its tree. Computed by `crb`.
            crb: [Inertia; nbody],
            /// Mass matrix, each dof followed by its ancestors. Computed by `legacy_m`.
            qM: [f64; nM],
            /// Mass matrix, lower triangle in compressed rows. Computed by `make_m`.
            M: [f64; nC],
            /// Factors L and D of `M = Lᵀ D L`, laid out as `M`. Computed by `factor_m`.
            qLD: [f64; nC],
            /// Reciprocals of the entries of D. Computed by `factor_m`.
            qLDiagInv: [f64; nv],

            // collision
            /// Whether the volume was looked into. Computed by `collision`.
            bvh_active: [u8; nbvh],

            // sleep
            /// Whether the tree is awake. Computed by `update_sleep`.
            tree_awake: [i32; ntree],
            /// Asleep, awake or static, a `SleepState`. Computed by `update_sleep`.
            body_awake: [i32; nbody],
            /// Bodies awake or static, `nbody_awake` of them. Computed by `update_sleep`.
            body_awake_ind: [i32; nbody],
            /// Bodies whose parent is awake or static. Computed by `update_sleep`.
            parent_awake_ind: [i32; nbody],
            /// Dofs awake, `nv_awake` of them. Computed by `update_sleep`.
            dof_awake_ind: [i32; nv],

            // velocities
            /// Rate of change of the flex edge length. Computed by `fwd_velocity`.
            flexedge_velocity: [f64; nflexedge],
            /// Rate of change of the tendon length. Computed by `fwd_velocity`.
            ten_velocity: [f64; ntendon],
            /// Rate of change of the actuator length. Computed by `fwd_velocity`.
            actuator_velocity: [f64; nu],
            /// Velocity of the body about the com of its tree (rot:lin). Computed by `com_vel`.
            cvel: [Motion; nbody],
            /// Rate of change of `cdof` (rot:lin). Computed by `com_vel`.
            cdof_dot: [Motion; nv],

            // forces that depend on the velocity
            /// Coriolis, centrifugal and gravity force. Computed by `rne`.
            qfrc_bias: [f64; nv],
            /// Force of springs. Computed by `passive`.
            qfrc_spring: [f64; nv],
            /// Force of dampers. Computed by `passive`.
            qfrc_damper: [f64; nv],
            /// Force that compensates gravity. Computed by `passive`.
            qfrc_gravcomp: [f64; nv],
            /// Force of the surrounding medium. Computed by `passive`.
            qfrc_fluid: [f64; nv],
            /// Sum of all passive forces. Computed by `passive`.
            qfrc_passive: [f64; nv],

            // subtrees
            /// Velocity of the subtree's centre of mass. Computed by `subtree_vel` on demand.
            subtree_linvel: [Vec3; nbody],
            /// Angular momentum about that centre. Computed by `subtree_vel` on demand.
            subtree_angmom: [Vec3; nbody],

            // implicit integration
            /// Factors of `M` with implicit damping. Computed by `euler` or `implicit`.
            qH: [f64; nC],
            /// Reciprocals of the D that belongs to `qH`. Computed by `euler` or `implicit`.
            qHDiagInv: [f64; nv],
            /// Derivative of the smooth forces by `qvel`, sparse. Computed by `smooth_vel`.
            qDeriv: [f64; nD],
            /// LU factors of `M - timestep * qDeriv`. Computed by `implicit`.
            qLU: [f64; nD],

            // actuation and smooth acceleration
            /// Force of the actuator along its length. Computed by `fwd_actuation`.
            actuator_force: [f64; nu],
            /// Force of all actuators on the dofs. Computed by `fwd_actuation`.
            qfrc_actuator: [f64; nv],
            /// All forces but those of constraints. Computed by `fwd_acceleration`.
            qfrc_smooth: [f64; nv],
            /// Acceleration without constraints. Computed by `fwd_acceleration`.
            qacc_smooth: [f64; nv],

            // constraint and inverse dynamics
            /// Force of all constraints on the dofs. Computed by `fwd_constraint`.
            qfrc_constraint: [f64; nv],
            /// Force that would give `qacc`. Computed by `inverse`.
            qfrc_inverse: [f64; nv],

            // accelerations and forces with constraints
            /// Acceleration of the body (rot:lin). Computed by `rne_post_constraint` on demand.
            cacc: [Motion; nbody],
            /// Force from the parent (rot:lin). Computed by `rne_post_constraint` on demand.
            cfrc_int: [Force; nbody],
            /// Force from outside (rot:lin). Computed by `rne_post_constraint` on demand.
            cfrc_ext: [Force; nbody],
        }
        grown {
            // constraint rows
            /// What the row comes from, a `ConstraintType`. Computed by `make_constraint`.
            efc_type: [i32; nefc],
            /// Equality, dof, joint, tendon or contact behind it. Computed by `make_constraint`.
            efc_id: [i32; nefc],
            /// Length of the row of `efc_J`, if sparse. Computed by `constraint_jacobian`.
            efc_J_rownnz: [i32; nefc],
            /// Start of the row of `efc_J`, if sparse. Computed by `constraint_jacobian`.
            efc_J_rowadr: [i32; nefc],
            /// How many rows that follow share its columns. Computed by `constraint_jacobian`.
            efc_J_rowsuper: [i32; nefc],
            /// Dof of every entry of `efc_J`, if sparse. Computed by `constraint_jacobian`.
            efc_J_colind: [i32; nJ],
            /// Constraint Jacobian, dense or sparse. Computed by `constraint_jacobian`.
            efc_J: [f64; nJ],
            /// Violation or distance, 0 for friction. Computed by `make_constraint`.
            efc_pos: [f64; nefc],
            /// Distance at which the row becomes active. Computed by `make_constraint`.
            efc_margin: [f64; nefc],
            /// Largest force of a dry friction row. Computed by `make_constraint`.
            efc_frictionloss: [f64; nefc],
            /// Estimated diagonal of `J M⁻¹ Jᵀ`. Computed by `make_constraint`.
            efc_diagApprox: [f64; nefc],
            /// Stiffness, damping, impedance and its slope. Computed by `make_constraint`.
            efc_KBIP: [[f64; 4]; nefc],
            /// Weight of the row, the reciprocal of `efc_R`. Computed by `make_constraint`.
            efc_D: [f64; nefc],
            /// Regularisation of the row. Computed by `make_constraint`.
            efc_R: [f64; nefc],
            /// First row that involves the tendon; -1: none. Computed by `make_constraint`.
            tendon_efcadr: [i32; ntendon],

            // islands: trees
            /// Island of the tree; -1: none. Computed by `island`.
            tree_island: [i32; ntree],
            /// How many trees the island has. Computed by `island`.
            island_ntree: [i32; nisland],
            /// First tree of the island, in island order. Computed by `island`.
            island_itreeadr: [i32; nisland],
            /// Tree for every place in island order. Computed by `island`.
            map_itree2tree: [i32; ntree],

            // islands: dofs
            /// Island of the dof; -1: none. Computed by `island`.
            dof_island: [i32; nv],
            /// How many dofs the island has. Computed by `island`.
            island_nv: [i32; nisland],
            /// First dof of the island, in island order. Computed by `island`.
            island_idofadr: [i32; nisland],
            /// First dof of the island, in model order. Computed by `island`.
            island_dofadr: [i32; nisland],
            /// Place of the dof in island order. Computed by `island`.
            map_dof2idof: [i32; nv],
            /// Dof for every place in island order; free dofs come last. Computed by `island`.
            map_idof2dof: [i32; nv],

            // islands: dynamics in island order
            /// `qfrc_smooth` in island order. Computed by `island_arrays`.
            ifrc_smooth: [f64; nidof],
            /// `qacc_smooth` in island order. Computed by `island_arrays`.
            iacc_smooth: [f64; nidof],
            /// Length of the dof's row of `iM`. Computed by `island_arrays`.
            iM_rownnz: [i32; nidof],
            /// Start of the dof's row of `iM`. Computed by `island_arrays`.
            iM_rowadr: [i32; nidof],
            /// Column of every entry of `iM`, counted within the island. Computed by `island_arrays`.
            iM_colind: [i32; nC],
            /// `M` in island order. Computed by `island_arrays`.
            iM: [f64; nC],
            /// `qLD` in island order. Computed by `island_arrays`.
            iLD: [f64; nC],
            /// `qLDiagInv` in island order. Computed by `island_arrays`.
            iLDiagInv: [f64; nidof],
            /// `qacc` in island order. Computed by `island_arrays`.
            iacc: [f64; nidof],

            // islands: constraint rows
            /// Island of the row. Computed by `island`.
            efc_island: [i32; nefc],
            /// How many equality rows the island has. Computed by `island`.
            island_ne: [i32; nisland],
            /// How many friction rows the island has. Computed by `island`.
            island_nf: [i32; nisland],
            /// How many rows the island has. Computed by `island`.
            island_nefc: [i32; nisland],
            /// First row of the island, in island order. Computed by `island`.
            island_iefcadr: [i32; nisland],
            /// Place of the row in island order. Computed by `island`.
            map_efc2iefc: [i32; nefc],
            /// Row for every place in island order. Computed by `island`.
            map_iefc2efc: [i32; nefc],

            // islands: constraint rows in island order
            /// `efc_type` in island order. Computed by `island_arrays`.
            iefc_type: [i32; nefc],
            /// `efc_id` in island order. Computed by `island_arrays`.
            iefc_id: [i32; nefc],
            /// `efc_J_rownnz` in island order. Computed by `island_arrays`.
            iefc_J_rownnz: [i32; nefc],
            /// Start of the row of `iefc_J`. Computed by `island_arrays`.
            iefc_J_rowadr: [i32; nefc],
            /// How many rows that follow share its columns. Computed by `island_arrays`.
            iefc_J_rowsuper: [i32; nefc],
            /// Dof of every entry of `iefc_J`, within the island. Computed by `island_arrays`.
            iefc_J_colind: [i32; nJ],
            /// `efc_J` in island order. Computed by `island_arrays`.
            iefc_J: [f64; nJ],
            /// `efc_frictionloss` in island order. Computed by `island_arrays`.
            iefc_frictionloss: [f64; nefc],
            /// `efc_D` in island order. Computed by `island_arrays`.
            iefc_D: [f64; nefc],
            /// `efc_R` in island order. Computed by `island_arrays`.
            iefc_R: [f64; nefc],

            // dual problem
            /// Length of the row of `efc_AR`, if sparse. Computed by `project_constraint`.
            efc_AR_rownnz: [i32; nefc],
            /// Start of the row of `efc_AR`, if sparse. Computed by `project_constraint`.
            efc_AR_rowadr: [i32; nefc],
            /// Column of every entry of `efc_AR`, if sparse. Computed by `project_constraint`.
            efc_AR_colind: [i32; nA],
            /// `J M⁻¹ Jᵀ + R`, for solvers in force space. Computed by `project_constraint`.
            efc_AR: [f64; nA],

            // reference
            /// Velocity along the row, `J qvel`. Computed by `reference_constraint`.
            efc_vel: [f64; nefc],
            /// Acceleration that the row aims at. Computed by `reference_constraint`.
            efc_aref: [f64; nefc],

            // solution
            /// Unconstrained minus aimed-at acceleration. Computed by `fwd_constraint`.
            efc_b: [f64; nefc],
            /// `efc_aref` in island order. Computed by `island_arrays`.
            iefc_aref: [f64; nefc],
            /// `efc_state` in island order. Computed by `island_arrays`.
            iefc_state: [i32; nefc],
            /// `efc_force` in island order. Computed by `island_arrays`.
            iefc_force: [f64; nefc],
            /// Branch of the row's cost, a `ConstraintState`. Computed by `fwd_constraint`.
            efc_state: [i32; nefc],
            /// Force along the row. Computed by `fwd_constraint`.
            efc_force: [f64; nefc],
            /// `qfrc_constraint` in island order. Computed by `island_arrays`.
            ifrc_constraint: [f64; nidof],
        }
    }
}
