//! The table of every array of [`Data`].

use super::{Contact, SolverStat, TimerStat, WarningStat, Work};
use crate::fields::fields;
use crate::math::{Force, Inertia, Mat3, Motion, Quat, Vec3};
use crate::model::Model;

fields! {
    /// State and results of one simulation.
    ///
    /// Names, element types and shapes are those of MuJoCo 3.5.0's `mjData`.
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
            solver_niter: [i32; 20],
            /// Number of nonzeros in the Hessian or in the dual matrix, by island.
            solver_nnz: [i32; 20],
            /// Difference between forward and inverse dynamics: constraint forces, applied forces.
            solver_fwdinv: [f64; 2],
            /// Scratch space of the stages.
            work: Work,
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
            ///
            qpos: [f64; nq],
            ///
            qvel: [f64; nv],
            ///
            act: [f64; na],
            ///
            history: [f64; nhistory],
            ///
            qacc_warmstart: [f64; nv],
            ///
            plugin_state: [f64; npluginstate],
            ///
            ctrl: [f64; nu],
            ///
            qfrc_applied: [f64; nv],
            ///
            xfrc_applied: [[f64; 6]; nbody],
            ///
            eq_active: [u8; neq],
            ///
            mocap_pos: [Vec3; nmocap],
            ///
            mocap_quat: [Quat; nmocap],
            ///
            qacc: [f64; nv],
            ///
            act_dot: [f64; na],
            ///
            userdata: [f64; nuserdata],
            ///
            sensordata: [f64; nsensordata],
            ///
            tree_asleep: [i32; ntree],
            ///
            plugin: [i32; nplugin],
            ///
            xpos: [Vec3; nbody],
            ///
            xquat: [Quat; nbody],
            ///
            xmat: [Mat3; nbody],
            ///
            xipos: [Vec3; nbody],
            ///
            ximat: [Mat3; nbody],
            ///
            xanchor: [Vec3; njnt],
            ///
            xaxis: [Vec3; njnt],
            ///
            geom_xpos: [Vec3; ngeom],
            ///
            geom_xmat: [Mat3; ngeom],
            ///
            site_xpos: [Vec3; nsite],
            ///
            site_xmat: [Mat3; nsite],
            ///
            cam_xpos: [Vec3; ncam],
            ///
            cam_xmat: [Mat3; ncam],
            ///
            light_xpos: [Vec3; nlight],
            ///
            light_xdir: [Vec3; nlight],
            ///
            subtree_com: [Vec3; nbody],
            ///
            cdof: [Motion; nv],
            ///
            cinert: [Inertia; nbody],
            ///
            flexvert_xpos: [Vec3; nflexvert],
            ///
            flexelem_aabb: [[f64; 6]; nflexelem],
            ///
            flexedge_J: [f64; nJfe],
            ///
            flexedge_length: [f64; nflexedge],
            ///
            flexvert_J: [[f64; 2]; nJfv],
            ///
            flexvert_length: [[f64; 2]; nflexvert],
            ///
            bvh_aabb_dyn: [[f64; 6]; nbvhdynamic],
            ///
            ten_wrapadr: [i32; ntendon],
            ///
            ten_wrapnum: [i32; ntendon],
            ///
            ten_J_rownnz: [i32; ntendon],
            ///
            ten_J_rowadr: [i32; ntendon],
            ///
            ten_J_colind: [i32; ntendon, nv],
            ///
            ten_J: [f64; ntendon, nv],
            ///
            ten_length: [f64; ntendon],
            ///
            wrap_obj: [[i32; 2]; nwrap],
            ///
            wrap_xpos: [[f64; 6]; nwrap],
            ///
            actuator_length: [f64; nu],
            ///
            moment_rownnz: [i32; nu],
            ///
            moment_rowadr: [i32; nu],
            ///
            moment_colind: [i32; nJmom],
            ///
            actuator_moment: [f64; nJmom],
            ///
            crb: [Inertia; nbody],
            ///
            qM: [f64; nM],
            ///
            M: [f64; nC],
            ///
            qLD: [f64; nC],
            ///
            qLDiagInv: [f64; nv],
            ///
            bvh_active: [u8; nbvh],
            ///
            tree_awake: [i32; ntree],
            ///
            body_awake: [i32; nbody],
            ///
            body_awake_ind: [i32; nbody],
            ///
            parent_awake_ind: [i32; nbody],
            ///
            dof_awake_ind: [i32; nv],
            ///
            flexedge_velocity: [f64; nflexedge],
            ///
            ten_velocity: [f64; ntendon],
            ///
            actuator_velocity: [f64; nu],
            ///
            cvel: [Motion; nbody],
            ///
            cdof_dot: [Motion; nv],
            ///
            qfrc_bias: [f64; nv],
            ///
            qfrc_spring: [f64; nv],
            ///
            qfrc_damper: [f64; nv],
            ///
            qfrc_gravcomp: [f64; nv],
            ///
            qfrc_fluid: [f64; nv],
            ///
            qfrc_passive: [f64; nv],
            ///
            subtree_linvel: [Vec3; nbody],
            ///
            subtree_angmom: [Vec3; nbody],
            ///
            qH: [f64; nC],
            ///
            qHDiagInv: [f64; nv],
            ///
            qDeriv: [f64; nD],
            ///
            qLU: [f64; nD],
            ///
            actuator_force: [f64; nu],
            ///
            qfrc_actuator: [f64; nv],
            ///
            qfrc_smooth: [f64; nv],
            ///
            qacc_smooth: [f64; nv],
            ///
            qfrc_constraint: [f64; nv],
            ///
            qfrc_inverse: [f64; nv],
            ///
            cacc: [Motion; nbody],
            ///
            cfrc_int: [Force; nbody],
            ///
            cfrc_ext: [Force; nbody],
        }
        grown {
            ///
            efc_type: [i32; nefc],
            ///
            efc_id: [i32; nefc],
            ///
            efc_J_rownnz: [i32; nefc],
            ///
            efc_J_rowadr: [i32; nefc],
            ///
            efc_J_rowsuper: [i32; nefc],
            ///
            efc_J_colind: [i32; nJ],
            ///
            efc_J: [f64; nJ],
            ///
            efc_pos: [f64; nefc],
            ///
            efc_margin: [f64; nefc],
            ///
            efc_frictionloss: [f64; nefc],
            ///
            efc_diagApprox: [f64; nefc],
            ///
            efc_KBIP: [[f64; 4]; nefc],
            ///
            efc_D: [f64; nefc],
            ///
            efc_R: [f64; nefc],
            ///
            tendon_efcadr: [i32; ntendon],
            ///
            tree_island: [i32; ntree],
            ///
            island_ntree: [i32; nisland],
            ///
            island_itreeadr: [i32; nisland],
            ///
            map_itree2tree: [i32; ntree],
            ///
            dof_island: [i32; nv],
            ///
            island_nv: [i32; nisland],
            ///
            island_idofadr: [i32; nisland],
            ///
            island_dofadr: [i32; nisland],
            ///
            map_dof2idof: [i32; nv],
            ///
            map_idof2dof: [i32; nv],
            ///
            ifrc_smooth: [f64; nidof],
            ///
            iacc_smooth: [f64; nidof],
            ///
            iM_rownnz: [i32; nidof],
            ///
            iM_rowadr: [i32; nidof],
            ///
            iM_colind: [i32; nC],
            ///
            iM: [f64; nC],
            ///
            iLD: [f64; nC],
            ///
            iLDiagInv: [f64; nidof],
            ///
            iacc: [f64; nidof],
            ///
            efc_island: [i32; nefc],
            ///
            island_ne: [i32; nisland],
            ///
            island_nf: [i32; nisland],
            ///
            island_nefc: [i32; nisland],
            ///
            island_iefcadr: [i32; nisland],
            ///
            map_efc2iefc: [i32; nefc],
            ///
            map_iefc2efc: [i32; nefc],
            ///
            iefc_type: [i32; nefc],
            ///
            iefc_id: [i32; nefc],
            ///
            iefc_J_rownnz: [i32; nefc],
            ///
            iefc_J_rowadr: [i32; nefc],
            ///
            iefc_J_rowsuper: [i32; nefc],
            ///
            iefc_J_colind: [i32; nJ],
            ///
            iefc_J: [f64; nJ],
            ///
            iefc_frictionloss: [f64; nefc],
            ///
            iefc_D: [f64; nefc],
            ///
            iefc_R: [f64; nefc],
            ///
            efc_AR_rownnz: [i32; nefc],
            ///
            efc_AR_rowadr: [i32; nefc],
            ///
            efc_AR_colind: [i32; nA],
            ///
            efc_AR: [f64; nA],
            ///
            efc_vel: [f64; nefc],
            ///
            efc_aref: [f64; nefc],
            ///
            efc_b: [f64; nefc],
            ///
            iefc_aref: [f64; nefc],
            ///
            iefc_state: [i32; nefc],
            ///
            iefc_force: [f64; nefc],
            ///
            efc_state: [i32; nefc],
            ///
            efc_force: [f64; nefc],
            ///
            ifrc_constraint: [f64; nidof],
        }
    }
}
