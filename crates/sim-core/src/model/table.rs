//! The table of every array of [`Model`].

use super::{Options, Statistic, Visual};
use crate::fields::{Char, fields};
use crate::math::{Mat3, Quat, Vec3};

fields! {
    /// What does not change during a step: the compiled model.
    ///
    /// Names, element types and shapes are those of MuJoCo 3.5.0's `mjModel`.
    #[derive(Debug, Clone, PartialEq, Default)]
    pub struct Model sized by self {
        sizes {
            ///
            nq,
            ///
            nv,
            ///
            nu,
            ///
            na,
            ///
            nbody,
            ///
            nbvh,
            ///
            nbvhstatic,
            ///
            nbvhdynamic,
            ///
            noct,
            ///
            njnt,
            ///
            ntree,
            ///
            nM,
            ///
            nB,
            ///
            nC,
            ///
            nD,
            ///
            ngeom,
            ///
            nsite,
            ///
            ncam,
            ///
            nlight,
            ///
            nflex,
            ///
            nflexnode,
            ///
            nflexvert,
            ///
            nflexedge,
            ///
            nflexelem,
            ///
            nflexelemdata,
            ///
            nflexelemedge,
            ///
            nflexshelldata,
            ///
            nflexevpair,
            ///
            nflextexcoord,
            ///
            nJfe,
            ///
            nJfv,
            ///
            nmesh,
            ///
            nmeshvert,
            ///
            nmeshnormal,
            ///
            nmeshtexcoord,
            ///
            nmeshface,
            ///
            nmeshgraph,
            ///
            nmeshpoly,
            ///
            nmeshpolyvert,
            ///
            nmeshpolymap,
            ///
            nskin,
            ///
            nskinvert,
            ///
            nskintexvert,
            ///
            nskinface,
            ///
            nskinbone,
            ///
            nskinbonevert,
            ///
            nhfield,
            ///
            nhfielddata,
            ///
            ntex,
            ///
            ntexdata,
            ///
            nmat,
            ///
            npair,
            ///
            nexclude,
            ///
            neq,
            ///
            ntendon,
            ///
            nwrap,
            ///
            nsensor,
            ///
            nnumeric,
            ///
            nnumericdata,
            ///
            ntext,
            ///
            ntextdata,
            ///
            ntuple,
            ///
            ntupledata,
            ///
            nkey,
            ///
            nmocap,
            ///
            nplugin,
            ///
            npluginattr,
            ///
            nuser_body,
            ///
            nuser_jnt,
            ///
            nuser_geom,
            ///
            nuser_site,
            ///
            nuser_cam,
            ///
            nuser_tendon,
            ///
            nuser_actuator,
            ///
            nuser_sensor,
            ///
            nnames,
            ///
            npaths,
            ///
            nnames_map,
            ///
            nJmom,
            ///
            ngravcomp,
            ///
            nemax,
            ///
            njmax,
            ///
            nconmax,
            ///
            nuserdata,
            ///
            nsensordata,
            ///
            npluginstate,
            ///
            nhistory,
            ///
            narena,
            ///
            nbuffer,
        }
        values {
            /// Physics options.
            opt: Options,
            /// Visualisation options.
            vis: Visual,
            /// Model statistics.
            stat: Statistic,
        }
        arrays {
            ///
            qpos0: [f64; nq],
            ///
            qpos_spring: [f64; nq],
            ///
            body_parentid: [i32; nbody],
            ///
            body_rootid: [i32; nbody],
            ///
            body_weldid: [i32; nbody],
            ///
            body_mocapid: [i32; nbody],
            ///
            body_jntnum: [i32; nbody],
            ///
            body_jntadr: [i32; nbody],
            ///
            body_dofnum: [i32; nbody],
            ///
            body_dofadr: [i32; nbody],
            ///
            body_treeid: [i32; nbody],
            ///
            body_geomnum: [i32; nbody],
            ///
            body_geomadr: [i32; nbody],
            ///
            body_simple: [u8; nbody],
            ///
            body_sameframe: [u8; nbody],
            ///
            body_pos: [Vec3; nbody],
            ///
            body_quat: [Quat; nbody],
            ///
            body_ipos: [Vec3; nbody],
            ///
            body_iquat: [Quat; nbody],
            ///
            body_mass: [f64; nbody],
            ///
            body_subtreemass: [f64; nbody],
            ///
            body_inertia: [Vec3; nbody],
            ///
            body_invweight0: [[f64; 2]; nbody],
            ///
            body_gravcomp: [f64; nbody],
            ///
            body_margin: [f64; nbody],
            ///
            body_user: [f64; nbody, nuser_body],
            ///
            body_plugin: [i32; nbody],
            ///
            body_contype: [i32; nbody],
            ///
            body_conaffinity: [i32; nbody],
            ///
            body_bvhadr: [i32; nbody],
            ///
            body_bvhnum: [i32; nbody],
            ///
            bvh_depth: [i32; nbvh],
            ///
            bvh_child: [[i32; 2]; nbvh],
            ///
            bvh_nodeid: [i32; nbvh],
            ///
            bvh_aabb: [[f64; 6]; nbvhstatic],
            ///
            oct_depth: [i32; noct],
            ///
            oct_child: [[i32; 8]; noct],
            ///
            oct_aabb: [[f64; 6]; noct],
            ///
            oct_coeff: [[f64; 8]; noct],
            ///
            jnt_type: [i32; njnt],
            ///
            jnt_qposadr: [i32; njnt],
            ///
            jnt_dofadr: [i32; njnt],
            ///
            jnt_bodyid: [i32; njnt],
            ///
            jnt_group: [i32; njnt],
            ///
            jnt_limited: [u8; njnt],
            ///
            jnt_actfrclimited: [u8; njnt],
            ///
            jnt_actgravcomp: [u8; njnt],
            ///
            jnt_solref: [[f64; 2]; njnt],
            ///
            jnt_solimp: [[f64; 5]; njnt],
            ///
            jnt_pos: [Vec3; njnt],
            ///
            jnt_axis: [Vec3; njnt],
            ///
            jnt_stiffness: [f64; njnt],
            ///
            jnt_range: [[f64; 2]; njnt],
            ///
            jnt_actfrcrange: [[f64; 2]; njnt],
            ///
            jnt_margin: [f64; njnt],
            ///
            jnt_user: [f64; njnt, nuser_jnt],
            ///
            dof_bodyid: [i32; nv],
            ///
            dof_jntid: [i32; nv],
            ///
            dof_parentid: [i32; nv],
            ///
            dof_treeid: [i32; nv],
            ///
            dof_Madr: [i32; nv],
            ///
            dof_simplenum: [i32; nv],
            ///
            dof_solref: [[f64; 2]; nv],
            ///
            dof_solimp: [[f64; 5]; nv],
            ///
            dof_frictionloss: [f64; nv],
            ///
            dof_armature: [f64; nv],
            ///
            dof_damping: [f64; nv],
            ///
            dof_invweight0: [f64; nv],
            ///
            dof_M0: [f64; nv],
            ///
            dof_length: [f64; nv],
            ///
            tree_bodyadr: [i32; ntree],
            ///
            tree_bodynum: [i32; ntree],
            ///
            tree_dofadr: [i32; ntree],
            ///
            tree_dofnum: [i32; ntree],
            ///
            tree_sleep_policy: [i32; ntree],
            ///
            geom_type: [i32; ngeom],
            ///
            geom_contype: [i32; ngeom],
            ///
            geom_conaffinity: [i32; ngeom],
            ///
            geom_condim: [i32; ngeom],
            ///
            geom_bodyid: [i32; ngeom],
            ///
            geom_dataid: [i32; ngeom],
            ///
            geom_matid: [i32; ngeom],
            ///
            geom_group: [i32; ngeom],
            ///
            geom_priority: [i32; ngeom],
            ///
            geom_plugin: [i32; ngeom],
            ///
            geom_sameframe: [u8; ngeom],
            ///
            geom_solmix: [f64; ngeom],
            ///
            geom_solref: [[f64; 2]; ngeom],
            ///
            geom_solimp: [[f64; 5]; ngeom],
            ///
            geom_size: [Vec3; ngeom],
            ///
            geom_aabb: [[f64; 6]; ngeom],
            ///
            geom_rbound: [f64; ngeom],
            ///
            geom_pos: [Vec3; ngeom],
            ///
            geom_quat: [Quat; ngeom],
            ///
            geom_friction: [[f64; 3]; ngeom],
            ///
            geom_margin: [f64; ngeom],
            ///
            geom_gap: [f64; ngeom],
            ///
            geom_fluid: [[f64; 12]; ngeom],
            ///
            geom_user: [f64; ngeom, nuser_geom],
            ///
            geom_rgba: [[f32; 4]; ngeom],
            ///
            site_type: [i32; nsite],
            ///
            site_bodyid: [i32; nsite],
            ///
            site_matid: [i32; nsite],
            ///
            site_group: [i32; nsite],
            ///
            site_sameframe: [u8; nsite],
            ///
            site_size: [Vec3; nsite],
            ///
            site_pos: [Vec3; nsite],
            ///
            site_quat: [Quat; nsite],
            ///
            site_user: [f64; nsite, nuser_site],
            ///
            site_rgba: [[f32; 4]; nsite],
            ///
            cam_mode: [i32; ncam],
            ///
            cam_bodyid: [i32; ncam],
            ///
            cam_targetbodyid: [i32; ncam],
            ///
            cam_pos: [Vec3; ncam],
            ///
            cam_quat: [Quat; ncam],
            ///
            cam_poscom0: [Vec3; ncam],
            ///
            cam_pos0: [Vec3; ncam],
            ///
            cam_mat0: [Mat3; ncam],
            ///
            cam_projection: [i32; ncam],
            ///
            cam_fovy: [f64; ncam],
            ///
            cam_ipd: [f64; ncam],
            ///
            cam_resolution: [[i32; 2]; ncam],
            ///
            cam_output: [i32; ncam],
            ///
            cam_sensorsize: [[f32; 2]; ncam],
            ///
            cam_intrinsic: [[f32; 4]; ncam],
            ///
            cam_user: [f64; ncam, nuser_cam],
            ///
            light_mode: [i32; nlight],
            ///
            light_bodyid: [i32; nlight],
            ///
            light_targetbodyid: [i32; nlight],
            ///
            light_type: [i32; nlight],
            ///
            light_texid: [i32; nlight],
            ///
            light_castshadow: [u8; nlight],
            ///
            light_bulbradius: [f32; nlight],
            ///
            light_intensity: [f32; nlight],
            ///
            light_range: [f32; nlight],
            ///
            light_active: [u8; nlight],
            ///
            light_pos: [Vec3; nlight],
            ///
            light_dir: [Vec3; nlight],
            ///
            light_poscom0: [Vec3; nlight],
            ///
            light_pos0: [Vec3; nlight],
            ///
            light_dir0: [Vec3; nlight],
            ///
            light_attenuation: [[f32; 3]; nlight],
            ///
            light_cutoff: [f32; nlight],
            ///
            light_exponent: [f32; nlight],
            ///
            light_ambient: [[f32; 3]; nlight],
            ///
            light_diffuse: [[f32; 3]; nlight],
            ///
            light_specular: [[f32; 3]; nlight],
            ///
            flex_contype: [i32; nflex],
            ///
            flex_conaffinity: [i32; nflex],
            ///
            flex_condim: [i32; nflex],
            ///
            flex_priority: [i32; nflex],
            ///
            flex_solmix: [f64; nflex],
            ///
            flex_solref: [[f64; 2]; nflex],
            ///
            flex_solimp: [[f64; 5]; nflex],
            ///
            flex_friction: [[f64; 3]; nflex],
            ///
            flex_margin: [f64; nflex],
            ///
            flex_gap: [f64; nflex],
            ///
            flex_internal: [u8; nflex],
            ///
            flex_selfcollide: [i32; nflex],
            ///
            flex_activelayers: [i32; nflex],
            ///
            flex_passive: [i32; nflex],
            ///
            flex_dim: [i32; nflex],
            ///
            flex_matid: [i32; nflex],
            ///
            flex_group: [i32; nflex],
            ///
            flex_interp: [i32; nflex],
            ///
            flex_nodeadr: [i32; nflex],
            ///
            flex_nodenum: [i32; nflex],
            ///
            flex_vertadr: [i32; nflex],
            ///
            flex_vertnum: [i32; nflex],
            ///
            flex_edgeadr: [i32; nflex],
            ///
            flex_edgenum: [i32; nflex],
            ///
            flex_elemadr: [i32; nflex],
            ///
            flex_elemnum: [i32; nflex],
            ///
            flex_elemdataadr: [i32; nflex],
            ///
            flex_elemedgeadr: [i32; nflex],
            ///
            flex_shellnum: [i32; nflex],
            ///
            flex_shelldataadr: [i32; nflex],
            ///
            flex_evpairadr: [i32; nflex],
            ///
            flex_evpairnum: [i32; nflex],
            ///
            flex_texcoordadr: [i32; nflex],
            ///
            flex_nodebodyid: [i32; nflexnode],
            ///
            flex_vertbodyid: [i32; nflexvert],
            ///
            flex_vertedgeadr: [i32; nflexvert],
            ///
            flex_vertedgenum: [i32; nflexvert],
            ///
            flex_vertedge: [[i32; 2]; nflexedge],
            ///
            flex_edge: [[i32; 2]; nflexedge],
            ///
            flex_edgeflap: [[i32; 2]; nflexedge],
            ///
            flex_elem: [i32; nflexelemdata],
            ///
            flex_elemtexcoord: [i32; nflexelemdata],
            ///
            flex_elemedge: [i32; nflexelemedge],
            ///
            flex_elemlayer: [i32; nflexelem],
            ///
            flex_shell: [i32; nflexshelldata],
            ///
            flex_evpair: [[i32; 2]; nflexevpair],
            ///
            flex_vert: [Vec3; nflexvert],
            ///
            flex_vert0: [Vec3; nflexvert],
            ///
            flex_vertmetric: [[f64; 4]; nflexvert],
            ///
            flex_node: [Vec3; nflexnode],
            ///
            flex_node0: [Vec3; nflexnode],
            ///
            flexedge_length0: [f64; nflexedge],
            ///
            flexedge_invweight0: [f64; nflexedge],
            ///
            flex_radius: [f64; nflex],
            ///
            flex_size: [Vec3; nflex],
            ///
            flex_stiffness: [[f64; 21]; nflexelem],
            ///
            flex_bending: [[f64; 17]; nflexedge],
            ///
            flex_damping: [f64; nflex],
            ///
            flex_edgestiffness: [f64; nflex],
            ///
            flex_edgedamping: [f64; nflex],
            ///
            flex_edgeequality: [i32; nflex],
            ///
            flex_rigid: [u8; nflex],
            ///
            flexedge_rigid: [u8; nflexedge],
            ///
            flex_centered: [u8; nflex],
            ///
            flex_flatskin: [u8; nflex],
            ///
            flex_bvhadr: [i32; nflex],
            ///
            flex_bvhnum: [i32; nflex],
            ///
            flexedge_J_rownnz: [i32; nflexedge],
            ///
            flexedge_J_rowadr: [i32; nflexedge],
            ///
            flexedge_J_colind: [i32; nJfe],
            ///
            flexvert_J_rownnz: [[i32; 2]; nflexvert],
            ///
            flexvert_J_rowadr: [[i32; 2]; nflexvert],
            ///
            flexvert_J_colind: [[i32; 2]; nJfv],
            ///
            flex_rgba: [[f32; 4]; nflex],
            ///
            flex_texcoord: [[f32; 2]; nflextexcoord],
            ///
            mesh_vertadr: [i32; nmesh],
            ///
            mesh_vertnum: [i32; nmesh],
            ///
            mesh_faceadr: [i32; nmesh],
            ///
            mesh_facenum: [i32; nmesh],
            ///
            mesh_bvhadr: [i32; nmesh],
            ///
            mesh_bvhnum: [i32; nmesh],
            ///
            mesh_octadr: [i32; nmesh],
            ///
            mesh_octnum: [i32; nmesh],
            ///
            mesh_normaladr: [i32; nmesh],
            ///
            mesh_normalnum: [i32; nmesh],
            ///
            mesh_texcoordadr: [i32; nmesh],
            ///
            mesh_texcoordnum: [i32; nmesh],
            ///
            mesh_graphadr: [i32; nmesh],
            ///
            mesh_vert: [[f32; 3]; nmeshvert],
            ///
            mesh_normal: [[f32; 3]; nmeshnormal],
            ///
            mesh_texcoord: [[f32; 2]; nmeshtexcoord],
            ///
            mesh_face: [[i32; 3]; nmeshface],
            ///
            mesh_facenormal: [[i32; 3]; nmeshface],
            ///
            mesh_facetexcoord: [[i32; 3]; nmeshface],
            ///
            mesh_graph: [i32; nmeshgraph],
            ///
            mesh_scale: [Vec3; nmesh],
            ///
            mesh_pos: [Vec3; nmesh],
            ///
            mesh_quat: [Quat; nmesh],
            ///
            mesh_pathadr: [i32; nmesh],
            ///
            mesh_polynum: [i32; nmesh],
            ///
            mesh_polyadr: [i32; nmesh],
            ///
            mesh_polynormal: [Vec3; nmeshpoly],
            ///
            mesh_polyvertadr: [i32; nmeshpoly],
            ///
            mesh_polyvertnum: [i32; nmeshpoly],
            ///
            mesh_polyvert: [i32; nmeshpolyvert],
            ///
            mesh_polymapadr: [i32; nmeshvert],
            ///
            mesh_polymapnum: [i32; nmeshvert],
            ///
            mesh_polymap: [i32; nmeshpolymap],
            ///
            skin_matid: [i32; nskin],
            ///
            skin_group: [i32; nskin],
            ///
            skin_rgba: [[f32; 4]; nskin],
            ///
            skin_inflate: [f32; nskin],
            ///
            skin_vertadr: [i32; nskin],
            ///
            skin_vertnum: [i32; nskin],
            ///
            skin_texcoordadr: [i32; nskin],
            ///
            skin_faceadr: [i32; nskin],
            ///
            skin_facenum: [i32; nskin],
            ///
            skin_boneadr: [i32; nskin],
            ///
            skin_bonenum: [i32; nskin],
            ///
            skin_vert: [[f32; 3]; nskinvert],
            ///
            skin_texcoord: [[f32; 2]; nskintexvert],
            ///
            skin_face: [[i32; 3]; nskinface],
            ///
            skin_bonevertadr: [i32; nskinbone],
            ///
            skin_bonevertnum: [i32; nskinbone],
            ///
            skin_bonebindpos: [[f32; 3]; nskinbone],
            ///
            skin_bonebindquat: [[f32; 4]; nskinbone],
            ///
            skin_bonebodyid: [i32; nskinbone],
            ///
            skin_bonevertid: [i32; nskinbonevert],
            ///
            skin_bonevertweight: [f32; nskinbonevert],
            ///
            skin_pathadr: [i32; nskin],
            ///
            hfield_size: [[f64; 4]; nhfield],
            ///
            hfield_nrow: [i32; nhfield],
            ///
            hfield_ncol: [i32; nhfield],
            ///
            hfield_adr: [i32; nhfield],
            ///
            hfield_data: [f32; nhfielddata],
            ///
            hfield_pathadr: [i32; nhfield],
            ///
            tex_type: [i32; ntex],
            ///
            tex_colorspace: [i32; ntex],
            ///
            tex_height: [i32; ntex],
            ///
            tex_width: [i32; ntex],
            ///
            tex_nchannel: [i32; ntex],
            ///
            tex_adr: [i64; ntex],
            ///
            tex_data: [u8; ntexdata],
            ///
            tex_pathadr: [i32; ntex],
            ///
            mat_texid: [[i32; 10]; nmat],
            ///
            mat_texuniform: [u8; nmat],
            ///
            mat_texrepeat: [[f32; 2]; nmat],
            ///
            mat_emission: [f32; nmat],
            ///
            mat_specular: [f32; nmat],
            ///
            mat_shininess: [f32; nmat],
            ///
            mat_reflectance: [f32; nmat],
            ///
            mat_metallic: [f32; nmat],
            ///
            mat_roughness: [f32; nmat],
            ///
            mat_rgba: [[f32; 4]; nmat],
            ///
            pair_dim: [i32; npair],
            ///
            pair_geom1: [i32; npair],
            ///
            pair_geom2: [i32; npair],
            ///
            pair_signature: [i32; npair],
            ///
            pair_solref: [[f64; 2]; npair],
            ///
            pair_solreffriction: [[f64; 2]; npair],
            ///
            pair_solimp: [[f64; 5]; npair],
            ///
            pair_margin: [f64; npair],
            ///
            pair_gap: [f64; npair],
            ///
            pair_friction: [[f64; 5]; npair],
            ///
            exclude_signature: [i32; nexclude],
            ///
            eq_type: [i32; neq],
            ///
            eq_obj1id: [i32; neq],
            ///
            eq_obj2id: [i32; neq],
            ///
            eq_objtype: [i32; neq],
            ///
            eq_active0: [u8; neq],
            ///
            eq_solref: [[f64; 2]; neq],
            ///
            eq_solimp: [[f64; 5]; neq],
            ///
            eq_data: [[f64; 11]; neq],
            ///
            tendon_adr: [i32; ntendon],
            ///
            tendon_num: [i32; ntendon],
            ///
            tendon_matid: [i32; ntendon],
            ///
            tendon_group: [i32; ntendon],
            ///
            tendon_treenum: [i32; ntendon],
            ///
            tendon_treeid: [[i32; 2]; ntendon],
            ///
            tendon_limited: [u8; ntendon],
            ///
            tendon_actfrclimited: [u8; ntendon],
            ///
            tendon_width: [f64; ntendon],
            ///
            tendon_solref_lim: [[f64; 2]; ntendon],
            ///
            tendon_solimp_lim: [[f64; 5]; ntendon],
            ///
            tendon_solref_fri: [[f64; 2]; ntendon],
            ///
            tendon_solimp_fri: [[f64; 5]; ntendon],
            ///
            tendon_range: [[f64; 2]; ntendon],
            ///
            tendon_actfrcrange: [[f64; 2]; ntendon],
            ///
            tendon_margin: [f64; ntendon],
            ///
            tendon_stiffness: [f64; ntendon],
            ///
            tendon_damping: [f64; ntendon],
            ///
            tendon_armature: [f64; ntendon],
            ///
            tendon_frictionloss: [f64; ntendon],
            ///
            tendon_lengthspring: [[f64; 2]; ntendon],
            ///
            tendon_length0: [f64; ntendon],
            ///
            tendon_invweight0: [f64; ntendon],
            ///
            tendon_user: [f64; ntendon, nuser_tendon],
            ///
            tendon_rgba: [[f32; 4]; ntendon],
            ///
            wrap_type: [i32; nwrap],
            ///
            wrap_objid: [i32; nwrap],
            ///
            wrap_prm: [f64; nwrap],
            ///
            actuator_trntype: [i32; nu],
            ///
            actuator_dyntype: [i32; nu],
            ///
            actuator_gaintype: [i32; nu],
            ///
            actuator_biastype: [i32; nu],
            ///
            actuator_trnid: [[i32; 2]; nu],
            ///
            actuator_actadr: [i32; nu],
            ///
            actuator_actnum: [i32; nu],
            ///
            actuator_group: [i32; nu],
            ///
            actuator_history: [[i32; 2]; nu],
            ///
            actuator_historyadr: [i32; nu],
            ///
            actuator_delay: [f64; nu],
            ///
            actuator_ctrllimited: [u8; nu],
            ///
            actuator_forcelimited: [u8; nu],
            ///
            actuator_actlimited: [u8; nu],
            ///
            actuator_dynprm: [[f64; 10]; nu],
            ///
            actuator_gainprm: [[f64; 10]; nu],
            ///
            actuator_biasprm: [[f64; 10]; nu],
            ///
            actuator_actearly: [u8; nu],
            ///
            actuator_ctrlrange: [[f64; 2]; nu],
            ///
            actuator_forcerange: [[f64; 2]; nu],
            ///
            actuator_actrange: [[f64; 2]; nu],
            ///
            actuator_gear: [[f64; 6]; nu],
            ///
            actuator_cranklength: [f64; nu],
            ///
            actuator_acc0: [f64; nu],
            ///
            actuator_length0: [f64; nu],
            ///
            actuator_lengthrange: [[f64; 2]; nu],
            ///
            actuator_user: [f64; nu, nuser_actuator],
            ///
            actuator_plugin: [i32; nu],
            ///
            sensor_type: [i32; nsensor],
            ///
            sensor_datatype: [i32; nsensor],
            ///
            sensor_needstage: [i32; nsensor],
            ///
            sensor_objtype: [i32; nsensor],
            ///
            sensor_objid: [i32; nsensor],
            ///
            sensor_reftype: [i32; nsensor],
            ///
            sensor_refid: [i32; nsensor],
            ///
            sensor_intprm: [[i32; 3]; nsensor],
            ///
            sensor_dim: [i32; nsensor],
            ///
            sensor_adr: [i32; nsensor],
            ///
            sensor_cutoff: [f64; nsensor],
            ///
            sensor_noise: [f64; nsensor],
            ///
            sensor_history: [[i32; 2]; nsensor],
            ///
            sensor_historyadr: [i32; nsensor],
            ///
            sensor_delay: [f64; nsensor],
            ///
            sensor_interval: [[f64; 2]; nsensor],
            ///
            sensor_user: [f64; nsensor, nuser_sensor],
            ///
            sensor_plugin: [i32; nsensor],
            ///
            plugin: [i32; nplugin],
            ///
            plugin_stateadr: [i32; nplugin],
            ///
            plugin_statenum: [i32; nplugin],
            ///
            plugin_attr: [Char; npluginattr],
            ///
            plugin_attradr: [i32; nplugin],
            ///
            numeric_adr: [i32; nnumeric],
            ///
            numeric_size: [i32; nnumeric],
            ///
            numeric_data: [f64; nnumericdata],
            ///
            text_adr: [i32; ntext],
            ///
            text_size: [i32; ntext],
            ///
            text_data: [Char; ntextdata],
            ///
            tuple_adr: [i32; ntuple],
            ///
            tuple_size: [i32; ntuple],
            ///
            tuple_objtype: [i32; ntupledata],
            ///
            tuple_objid: [i32; ntupledata],
            ///
            tuple_objprm: [f64; ntupledata],
            ///
            key_time: [f64; nkey],
            ///
            key_qpos: [f64; nkey, nq],
            ///
            key_qvel: [f64; nkey, nv],
            ///
            key_act: [f64; nkey, na],
            ///
            key_mpos: [Vec3; nkey, nmocap],
            ///
            key_mquat: [Quat; nkey, nmocap],
            ///
            key_ctrl: [f64; nkey, nu],
            ///
            name_bodyadr: [i32; nbody],
            ///
            name_jntadr: [i32; njnt],
            ///
            name_geomadr: [i32; ngeom],
            ///
            name_siteadr: [i32; nsite],
            ///
            name_camadr: [i32; ncam],
            ///
            name_lightadr: [i32; nlight],
            ///
            name_flexadr: [i32; nflex],
            ///
            name_meshadr: [i32; nmesh],
            ///
            name_skinadr: [i32; nskin],
            ///
            name_hfieldadr: [i32; nhfield],
            ///
            name_texadr: [i32; ntex],
            ///
            name_matadr: [i32; nmat],
            ///
            name_pairadr: [i32; npair],
            ///
            name_excludeadr: [i32; nexclude],
            ///
            name_eqadr: [i32; neq],
            ///
            name_tendonadr: [i32; ntendon],
            ///
            name_actuatoradr: [i32; nu],
            ///
            name_sensoradr: [i32; nsensor],
            ///
            name_numericadr: [i32; nnumeric],
            ///
            name_textadr: [i32; ntext],
            ///
            name_tupleadr: [i32; ntuple],
            ///
            name_keyadr: [i32; nkey],
            ///
            name_pluginadr: [i32; nplugin],
            ///
            names: [Char; nnames],
            ///
            names_map: [i32; nnames_map],
            ///
            paths: [Char; npaths],
            ///
            B_rownnz: [i32; nbody],
            ///
            B_rowadr: [i32; nbody],
            ///
            B_colind: [i32; nB],
            ///
            M_rownnz: [i32; nv],
            ///
            M_rowadr: [i32; nv],
            ///
            M_colind: [i32; nC],
            ///
            mapM2M: [i32; nC],
            ///
            D_rownnz: [i32; nv],
            ///
            D_rowadr: [i32; nv],
            ///
            D_diag: [i32; nv],
            ///
            D_colind: [i32; nD],
            ///
            mapM2D: [i32; nD],
            ///
            mapD2M: [i32; nC],
        }
        grown {}
    }
}
