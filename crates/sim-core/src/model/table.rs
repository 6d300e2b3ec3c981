//! The table of every array of [`Model`].

use super::{Options, Statistic, Visual};
use crate::fields::{Char, fields};
use crate::math::{Mat3, Quat, Vec3};

fields! {
    /// What does not change during a step: the compiled model.
    ///
    /// Names, element types and shapes are those of MuJoCo 3.5.0's `mjModel`.
    #[doc(alias = "mjModel")]
    #[derive(Debug, PartialEq, Default)]
    pub struct Model sized by self {
        sizes {
            // coordinates and actuation
            /// Length of `qpos`.
            nq,
            /// Count of dofs, the length of `qvel`.
            nv,
            /// Count of actuators, the length of `ctrl`.
            nu,
            /// Length of `act`.
            na,

            // bodies and joints
            /// Count of bodies, the world included.
            nbody,
            /// Count of bounding volumes, static and dynamic.
            nbvh,
            /// Count of bounding volumes of bodies and meshes, which keep a fixed local box.
            nbvhstatic,
            /// Count of bounding volumes of flexes, whose boxes follow the motion.
            nbvhdynamic,
            /// Count of octree cells of all meshes.
            noct,
            /// Count of joints.
            njnt,
            /// Count of kinematic trees, the independent branches of moving bodies.
            ntree,
            /// Count of entries of `qM`.
            nM,
            /// Count of nonzeros of the matrix that says which dofs move which body.
            nB,
            /// Count of entries of `M`: lower triangle, simple dofs reduced to their diagonal.
            nC,
            /// Count of entries of the full dof-by-dof matrices, both triangles.
            nD,

            // objects attached to bodies
            /// Count of geoms.
            ngeom,
            /// Count of sites.
            nsite,
            /// Count of cameras.
            ncam,
            /// Count of lights.
            nlight,

            // flexes
            /// Count of flexes, the deformable objects.
            nflex,
            /// Count of control nodes of all flexes.
            nflexnode,
            /// Count of vertices of all flexes.
            nflexvert,
            /// Count of edges of all flexes.
            nflexedge,
            /// Count of elements of all flexes.
            nflexelem,
            /// Length of `flex_elem`.
            nflexelemdata,
            /// Length of `flex_elemedge`.
            nflexelemedge,
            /// Length of `flex_shell`.
            nflexshelldata,
            /// Count of element and vertex pairs to collide within flexes.
            nflexevpair,
            /// Count of texture coordinates of all flexes.
            nflextexcoord,
            /// Count of nonzeros of `flexedge_J`.
            nJfe,
            /// Count of nonzeros of `flexvert_J`.
            nJfv,

            // meshes
            /// Count of meshes.
            nmesh,
            /// Count of vertices of all meshes.
            nmeshvert,
            /// Count of normals of all meshes.
            nmeshnormal,
            /// Count of texture coordinates of all meshes.
            nmeshtexcoord,
            /// Count of triangles of all meshes.
            nmeshface,
            /// Length of `mesh_graph`.
            nmeshgraph,
            /// Count of polygons of all meshes; coplanar triangles make one polygon.
            nmeshpoly,
            /// Length of `mesh_polyvert`.
            nmeshpolyvert,
            /// Length of `mesh_polymap`.
            nmeshpolymap,

            // skins
            /// Count of skins.
            nskin,
            /// Count of vertices of all skins.
            nskinvert,
            /// Count of texture coordinates of all skins.
            nskintexvert,
            /// Count of triangles of all skins.
            nskinface,
            /// Count of bones of all skins.
            nskinbone,
            /// Count of vertex weights of all bones.
            nskinbonevert,

            // other assets
            /// Count of height fields.
            nhfield,
            /// Count of grid points of all height fields.
            nhfielddata,
            /// Count of textures.
            ntex,
            /// Count of bytes of all textures.
            ntexdata,
            /// Count of materials.
            nmat,

            // contact pairs, equalities, tendons, sensors
            /// Count of explicit geom pairs.
            npair,
            /// Count of body pairs that do not collide.
            nexclude,
            /// Count of equality constraints.
            neq,
            /// Count of tendons.
            ntendon,
            /// Count of path elements of all tendons.
            nwrap,
            /// Count of sensors.
            nsensor,

            // custom fields and keyframes
            /// Count of custom number fields.
            nnumeric,
            /// Count of values of all custom number fields.
            nnumericdata,
            /// Count of custom text fields.
            ntext,
            /// Count of bytes of all custom text fields.
            ntextdata,
            /// Count of custom tuples.
            ntuple,
            /// Count of members of all custom tuples.
            ntupledata,
            /// Count of keyframes.
            nkey,

            // mocap and plugins
            /// Count of mocap bodies.
            nmocap,
            /// Count of plugin instances.
            nplugin,
            /// Count of bytes of all plugin settings.
            npluginattr,

            // user data per object
            /// Count of user values per body.
            nuser_body,
            /// Count of user values per joint.
            nuser_jnt,
            /// Count of user values per geom.
            nuser_geom,
            /// Count of user values per site.
            nuser_site,
            /// Count of user values per camera.
            nuser_cam,
            /// Count of user values per tendon.
            nuser_tendon,
            /// Count of user values per actuator.
            nuser_actuator,
            /// Count of user values per sensor.
            nuser_sensor,

            // names
            /// Count of bytes of all names.
            nnames,
            /// Count of bytes of all file paths.
            npaths,
            /// Count of slots of the hash map from name to id.
            nnames_map,

            // known once the model is compiled
            /// Count of entries reserved for `actuator_moment`.
            nJmom,
            /// Count of bodies whose gravity is compensated.
            ngravcomp,
            /// Most rows that the equality constraints may ask for.
            nemax,
            /// Most constraint rows, as asked for in the file; kept for compatibility.
            njmax,
            /// Most contacts, as asked for in the file; kept for compatibility.
            nconmax,
            /// Length of `userdata`.
            nuserdata,
            /// Length of `sensordata`.
            nsensordata,
            /// Length of `plugin_state`.
            npluginstate,
            /// Length of `history`.
            nhistory,

            // memory, as MuJoCo would reserve it
            /// Bytes of the arena that MuJoCo gives to contacts, constraints and stack.
            narena,
            /// Bytes that MuJoCo gives to the arrays of the model.
            nbuffer,
        }
        values {
            /// Physics options.
            opt: Options,
            /// Visualisation options.
            vis: Visual,
            /// Model statistics.
            stat: Statistic,
            /// Bytes of the arena that simulations use at most, however large `narena` is; 0:
            /// [`ARENA_LIMIT`](crate::memory::ARENA_LIMIT).
            arena_limit: usize,
        }
        arrays {
            // reference configuration
            /// Configuration that the model was written in.
            qpos0: [f64; nq],
            /// Configuration at which joint springs are at rest.
            qpos_spring: [f64; nq],

            // bodies
            /// Parent body; 0 for the world itself.
            body_parentid: [i32; nbody],
            /// Ancestor right below the world; the body itself if it is one.
            body_rootid: [i32; nbody],
            /// Topmost ancestor that the body is rigidly attached to; 0: fixed to the world.
            body_weldid: [i32; nbody],
            /// Slot in `mocap_pos` and `mocap_quat`; -1: not a mocap body.
            body_mocapid: [i32; nbody],
            /// How many joints the body has.
            body_jntnum: [i32; nbody],
            /// First joint; -1: none.
            body_jntadr: [i32; nbody],
            /// How many dofs the joints of the body have.
            body_dofnum: [i32; nbody],
            /// First dof; -1: none.
            body_dofadr: [i32; nbody],
            /// Kinematic tree; -1: fixed to the world.
            body_treeid: [i32; nbody],
            /// How many geoms the body has.
            body_geomnum: [i32; nbody],
            /// First geom; -1: none.
            body_geomadr: [i32; nbody],
            /// 1: its block of `M` is diagonal; 2: so, and only slide joints; 0: neither.
            body_simple: [u8; nbody],
            /// What body frame and inertial frame share, a `SameFrame`.
            body_sameframe: [u8; nbody],
            /// Position in the parent frame, at the reference configuration.
            body_pos: [Vec3; nbody],
            /// Orientation in the parent frame, at the reference configuration.
            body_quat: [Quat; nbody],
            /// Centre of mass, in the body frame.
            body_ipos: [Vec3; nbody],
            /// Orientation of the principal axes of inertia, in the body frame.
            body_iquat: [Quat; nbody],
            /// Mass of the body alone.
            body_mass: [f64; nbody],
            /// Mass of the body and all its descendants.
            body_subtreemass: [f64; nbody],
            /// Principal moments of inertia, about the centre of mass.
            body_inertia: [Vec3; nbody],
            /// Mean inverse inertia seen at `qpos0`: translation, rotation.
            body_invweight0: [[f64; 2]; nbody],
            /// Fraction of the weight that is held up; 1: all of it.
            body_gravcomp: [f64; nbody],
            /// Largest contact margin among the geoms.
            body_margin: [f64; nbody],
            /// User values.
            body_user: [f64; nbody, nuser_body],
            /// Plugin instance; -1: none.
            body_plugin: [i32; nbody],
            /// Union of the `geom_contype` bits of the geoms.
            body_contype: [i32; nbody],
            /// Union of the `geom_conaffinity` bits of the geoms.
            body_conaffinity: [i32; nbody],
            /// Root of the bounding volumes; -1: none.
            body_bvhadr: [i32; nbody],
            /// How many bounding volumes the body has.
            body_bvhnum: [i32; nbody],

            // bounding volumes
            /// Level below the root of its hierarchy.
            bvh_depth: [i32; nbvh],
            /// The two children, counted from the root of the hierarchy; -1: none.
            bvh_child: [[i32; 2]; nbvh],
            /// Geom, triangle or flex element that a leaf holds; -1: not a leaf.
            bvh_nodeid: [i32; nbvh],
            /// Box of a static volume: centre, half sizes, in the frame of its owner.
            bvh_aabb: [[f64; 6]; nbvhstatic],

            // octrees
            /// Level below the root of its octree.
            oct_depth: [i32; noct],
            /// The eight children; -1: none.
            oct_child: [[i32; 8]; noct],
            /// Box of the cell: centre, half sizes.
            oct_aabb: [[f64; 6]; noct],
            /// Signed distance at the eight corners of the cell, for interpolation.
            oct_coeff: [[f64; 8]; noct],

            // joints
            /// Kind of joint, a `JointType`.
            jnt_type: [i32; njnt],
            /// First coordinate of the joint in `qpos`.
            jnt_qposadr: [i32; njnt],
            /// First dof of the joint.
            jnt_dofadr: [i32; njnt],
            /// Body that the joint moves.
            jnt_bodyid: [i32; njnt],
            /// Visibility group.
            jnt_group: [i32; njnt],
            /// Whether `jnt_range` applies.
            jnt_limited: [u8; njnt],
            /// Whether `jnt_actfrcrange` applies.
            jnt_actfrclimited: [u8; njnt],
            /// Whether gravity compensation counts as actuator force.
            jnt_actgravcomp: [u8; njnt],
            /// Reference dynamics of the limit.
            jnt_solref: [[f64; 2]; njnt],
            /// Impedance of the limit.
            jnt_solimp: [[f64; 5]; njnt],
            /// Anchor, in the body frame.
            jnt_pos: [Vec3; njnt],
            /// Unit axis of a hinge or slide joint, in the body frame.
            jnt_axis: [Vec3; njnt],
            /// Spring constant; 0: no spring.
            jnt_stiffness: [f64; njnt],
            /// Lower and upper limit, angles in radians; for a ball only the larger one counts.
            jnt_range: [[f64; 2]; njnt],
            /// Lower and upper bound of the summed actuator force on the joint.
            jnt_actfrcrange: [[f64; 2]; njnt],
            /// Distance to the limit below which its constraint becomes active.
            jnt_margin: [f64; njnt],
            /// User values.
            jnt_user: [f64; njnt, nuser_jnt],

            // dofs
            /// Body that the dof moves.
            dof_bodyid: [i32; nv],
            /// Joint that the dof belongs to.
            dof_jntid: [i32; nv],
            /// Next dof on the way to the world; -1: none.
            dof_parentid: [i32; nv],
            /// Kinematic tree.
            dof_treeid: [i32; nv],
            /// Address of the diagonal entry in `qM`.
            dof_Madr: [i32; nv],
            /// How many dofs from here on, this one included, are simple; 0: not simple.
            dof_simplenum: [i32; nv],
            /// Reference dynamics of dry friction.
            dof_solref: [[f64; 2]; nv],
            /// Impedance of dry friction.
            dof_solimp: [[f64; 5]; nv],
            /// Largest dry friction force or torque.
            dof_frictionloss: [f64; nv],
            /// Rotor inertia or mass, added to the diagonal of `M`.
            dof_armature: [f64; nv],
            /// Linear damping coefficient.
            dof_damping: [f64; nv],
            /// Inverse inertia seen at `qpos0`, averaged over the dofs of a ball or free joint.
            dof_invweight0: [f64; nv],
            /// Diagonal entry of `M` at `qpos0`.
            dof_M0: [f64; nv],
            /// Length that turns the speed into a linear one; 1 for translations.
            dof_length: [f64; nv],

            // trees
            /// First body.
            tree_bodyadr: [i32; ntree],
            /// How many bodies the tree has.
            tree_bodynum: [i32; ntree],
            /// First dof.
            tree_dofadr: [i32; ntree],
            /// How many dofs the tree has.
            tree_dofnum: [i32; ntree],
            /// Whether the tree may fall asleep, a `SleepPolicy`.
            tree_sleep_policy: [i32; ntree],

            // geoms
            /// Shape, a `GeomType`.
            geom_type: [i32; ngeom],
            /// Bits that the other geom's `geom_conaffinity` is matched with.
            geom_contype: [i32; ngeom],
            /// Bits that the other geom's `geom_contype` is matched with.
            geom_conaffinity: [i32; ngeom],
            /// Dimension of its contacts: 1, 3, 4 or 6.
            geom_condim: [i32; ngeom],
            /// Body that the geom is attached to.
            geom_bodyid: [i32; ngeom],
            /// Mesh or height field that gives the shape; -1: none.
            geom_dataid: [i32; ngeom],
            /// Material; -1: none.
            geom_matid: [i32; ngeom],
            /// Visibility group.
            geom_group: [i32; ngeom],
            /// Rank in a contact: the geom of higher rank sets its parameters.
            geom_priority: [i32; ngeom],
            /// Plugin instance; -1: none.
            geom_plugin: [i32; ngeom],
            /// What geom frame and body or inertial frame share, a `SameFrame`.
            geom_sameframe: [u8; ngeom],
            /// Weight when contact parameters of two geoms are averaged.
            geom_solmix: [f64; ngeom],
            /// Reference dynamics of contacts.
            geom_solref: [[f64; 2]; ngeom],
            /// Impedance of contacts.
            geom_solimp: [[f64; 5]; ngeom],
            /// Dimensions; how many of the three count, and as what, depends on the shape.
            geom_size: [Vec3; ngeom],
            /// Bounding box in the geom frame: centre, half sizes.
            geom_aabb: [[f64; 6]; ngeom],
            /// Radius of the bounding sphere about the geom centre; 0 for a plane.
            geom_rbound: [f64; ngeom],
            /// Position in the body frame.
            geom_pos: [Vec3; ngeom],
            /// Orientation in the body frame.
            geom_quat: [Quat; ngeom],
            /// Friction coefficients: sliding, torsional, rolling.
            geom_friction: [[f64; 3]; ngeom],
            /// Distance below which contacts are generated.
            geom_margin: [f64; ngeom],
            /// Part of the margin, from its outer end, in which contacts carry no force.
            geom_gap: [f64; ngeom],
            /// Coefficients of the ellipsoid fluid model; the first one is 0 if it is not used.
            geom_fluid: [[f64; 12]; ngeom],
            /// User values.
            geom_user: [f64; ngeom, nuser_geom],
            /// Colour where no material is given.
            geom_rgba: [[f32; 4]; ngeom],

            // sites
            /// Shape that is drawn, a `GeomType`.
            site_type: [i32; nsite],
            /// Body that the site is attached to.
            site_bodyid: [i32; nsite],
            /// Material; -1: none.
            site_matid: [i32; nsite],
            /// Visibility group.
            site_group: [i32; nsite],
            /// What site frame and body or inertial frame share, a `SameFrame`.
            site_sameframe: [u8; nsite],
            /// Dimensions of the shape that is drawn.
            site_size: [Vec3; nsite],
            /// Position in the body frame.
            site_pos: [Vec3; nsite],
            /// Orientation in the body frame.
            site_quat: [Quat; nsite],
            /// User values.
            site_user: [f64; nsite, nuser_site],
            /// Colour where no material is given.
            site_rgba: [[f32; 4]; nsite],

            // cameras
            /// How the camera follows, a `CamLightMode`.
            cam_mode: [i32; ncam],
            /// Body that the camera is attached to.
            cam_bodyid: [i32; ncam],
            /// Body that the camera looks at; -1: none.
            cam_targetbodyid: [i32; ncam],
            /// Position in the body frame.
            cam_pos: [Vec3; ncam],
            /// Orientation in the body frame.
            cam_quat: [Quat; ncam],
            /// Offset from the centre of mass of the body's subtree at `qpos0`, in world axes.
            cam_poscom0: [Vec3; ncam],
            /// Offset from the body at `qpos0`, in world axes.
            cam_pos0: [Vec3; ncam],
            /// World orientation at `qpos0`.
            cam_mat0: [Mat3; ncam],
            /// Perspective or orthographic, a `Projection`.
            cam_projection: [i32; ncam],
            /// Vertical field of view: degrees in perspective, a length if orthographic.
            cam_fovy: [f64; ncam],
            /// Distance between the eyes, for stereo.
            cam_ipd: [f64; ncam],
            /// Width and height of the image, in pixels.
            cam_resolution: [[i32; 2]; ncam],
            /// Images that the camera delivers, bits of `CamOut`.
            cam_output: [i32; ncam],
            /// Width and height of the sensor, in length units; 0: `cam_fovy` counts.
            cam_sensorsize: [[f32; 2]; ncam],
            /// Focal lengths in x and y, offset of the principal point in x and y; lengths.
            cam_intrinsic: [[f32; 4]; ncam],
            /// User values.
            cam_user: [f64; ncam, nuser_cam],

            // lights
            /// How the light follows, a `CamLightMode`.
            light_mode: [i32; nlight],
            /// Body that the light is attached to.
            light_bodyid: [i32; nlight],
            /// Body that the light shines at; -1: none.
            light_targetbodyid: [i32; nlight],
            /// Kind of light, a `LightType`.
            light_type: [i32; nlight],
            /// Texture of an image light; -1: none.
            light_texid: [i32; nlight],
            /// Whether it casts shadows.
            light_castshadow: [u8; nlight],
            /// Radius of the bulb, which softens shadows.
            light_bulbradius: [f32; nlight],
            /// Brightness as luminous intensity, in candela.
            light_intensity: [f32; nlight],
            /// Distance that the light reaches.
            light_range: [f32; nlight],
            /// Whether it is switched on.
            light_active: [u8; nlight],
            /// Position in the body frame.
            light_pos: [Vec3; nlight],
            /// Direction in the body frame.
            light_dir: [Vec3; nlight],
            /// Offset from the centre of mass of the body's subtree at `qpos0`, in world axes.
            light_poscom0: [Vec3; nlight],
            /// Offset from the body at `qpos0`, in world axes.
            light_pos0: [Vec3; nlight],
            /// World direction at `qpos0`.
            light_dir0: [Vec3; nlight],
            /// Fall-off with distance: constant, linear, quadratic coefficient.
            light_attenuation: [[f32; 3]; nlight],
            /// Half angle of the cone of a spot light, in degrees.
            light_cutoff: [f32; nlight],
            /// How sharply a spot light is focused.
            light_exponent: [f32; nlight],
            /// Ambient colour.
            light_ambient: [[f32; 3]; nlight],
            /// Diffuse colour.
            light_diffuse: [[f32; 3]; nlight],
            /// Specular colour.
            light_specular: [[f32; 3]; nlight],

            // flexes: contact
            /// Bits that the other side's affinity is matched with.
            flex_contype: [i32; nflex],
            /// Bits that the other side's contact type is matched with.
            flex_conaffinity: [i32; nflex],
            /// Dimension of its contacts: 1, 3, 4 or 6.
            flex_condim: [i32; nflex],
            /// Rank in a contact: the side of higher rank sets its parameters.
            flex_priority: [i32; nflex],
            /// Weight when contact parameters of two sides are averaged.
            flex_solmix: [f64; nflex],
            /// Reference dynamics of contacts.
            flex_solref: [[f64; 2]; nflex],
            /// Impedance of contacts.
            flex_solimp: [[f64; 5]; nflex],
            /// Friction coefficients: sliding, torsional, rolling.
            flex_friction: [[f64; 3]; nflex],
            /// Distance below which contacts are generated.
            flex_margin: [f64; nflex],
            /// Part of the margin, from its outer end, in which contacts carry no force.
            flex_gap: [f64; nflex],
            /// Whether elements collide with vertices of their neighbourhood.
            flex_internal: [u8; nflex],
            /// How elements of the flex find each other, a `FlexSelf`.
            flex_selfcollide: [i32; nflex],
            /// How many layers of elements, from the surface inwards, collide; solids only.
            flex_activelayers: [i32; nflex],
            /// Whether contacts act as passive forces instead of constraints.
            flex_passive: [i32; nflex],

            // flexes: properties
            /// Dimension of the elements: 1 lines, 2 triangles, 3 tetrahedra.
            flex_dim: [i32; nflex],
            /// Material; -1: none.
            flex_matid: [i32; nflex],
            /// Visibility group.
            flex_group: [i32; nflex],
            /// Order of interpolation from nodes to vertices; 0: vertices move by themselves.
            flex_interp: [i32; nflex],
            /// First node.
            flex_nodeadr: [i32; nflex],
            /// How many nodes the flex has.
            flex_nodenum: [i32; nflex],
            /// First vertex.
            flex_vertadr: [i32; nflex],
            /// How many vertices the flex has.
            flex_vertnum: [i32; nflex],
            /// First edge.
            flex_edgeadr: [i32; nflex],
            /// How many edges the flex has.
            flex_edgenum: [i32; nflex],
            /// First element.
            flex_elemadr: [i32; nflex],
            /// How many elements the flex has.
            flex_elemnum: [i32; nflex],
            /// Where its elements start in `flex_elem`.
            flex_elemdataadr: [i32; nflex],
            /// Where its elements start in `flex_elemedge`.
            flex_elemedgeadr: [i32; nflex],
            /// How many surface fragments the flex has.
            flex_shellnum: [i32; nflex],
            /// Where its surface fragments start in `flex_shell`.
            flex_shelldataadr: [i32; nflex],
            /// First pair in `flex_evpair`.
            flex_evpairadr: [i32; nflex],
            /// How many element and vertex pairs the flex has.
            flex_evpairnum: [i32; nflex],
            /// Where it starts in `flex_texcoord`; -1: no texture coordinates.
            flex_texcoordadr: [i32; nflex],
            /// Body that carries the node.
            flex_nodebodyid: [i32; nflexnode],
            /// Body that carries the vertex; -1: moved by nodes.
            flex_vertbodyid: [i32; nflexvert],
            /// Where the edges at the vertex start in `flex_vertedge`.
            flex_vertedgeadr: [i32; nflexvert],
            /// How many edges meet at the vertex.
            flex_vertedgenum: [i32; nflexvert],
            /// Edges by vertex: every edge is listed at both its ends.
            flex_vertedge: [[i32; 2]; nflexedge],
            /// The two vertices of the edge, counted within the flex.
            flex_edge: [[i32; 2]; nflexedge],
            /// Opposite vertices of the two triangles at the edge; -1: none. Surfaces only.
            flex_edgeflap: [[i32; 2]; nflexedge],
            /// Vertices of the elements, dimension plus one each, counted within the flex.
            flex_elem: [i32; nflexelemdata],
            /// Texture coordinates of the element corners, as `flex_elem`.
            flex_elemtexcoord: [i32; nflexelemdata],
            /// Edges of the elements, counted within the flex.
            flex_elemedge: [i32; nflexelemedge],
            /// Layers between the element and the surface; solids only.
            flex_elemlayer: [i32; nflexelem],
            /// Vertices of the surface fragments, as many as the dimension each.
            flex_shell: [i32; nflexshelldata],
            /// Element and vertex to collide with each other.
            flex_evpair: [[i32; 2]; nflexevpair],
            /// Vertex position in the frame of its body.
            flex_vert: [Vec3; nflexvert],
            /// Vertex position at `qpos0`, scaled to the unit box of the flex.
            flex_vert0: [Vec3; nflexvert],
            /// Inverse of the 2 by 2 shape matrix about the vertex at `qpos0`.
            flex_vertmetric: [[f64; 4]; nflexvert],
            /// Node position in the frame of its body.
            flex_node: [Vec3; nflexnode],
            /// World position of the node at `qpos0`.
            flex_node0: [Vec3; nflexnode],
            /// Length of the edge at `qpos0`.
            flexedge_length0: [f64; nflexedge],
            /// Inverse inertia that the edge length sees at `qpos0`.
            flexedge_invweight0: [f64; nflexedge],
            /// Thickness: elements are swollen by this distance.
            flex_radius: [f64; nflex],
            /// Half sizes of the box about the vertices at `qpos0`.
            flex_size: [Vec3; nflex],
            /// Elastic stiffness of the element.
            flex_stiffness: [[f64; 21]; nflexelem],
            /// Coefficients of the bending force at the edge.
            flex_bending: [[f64; 17]; nflexedge],
            /// Rayleigh damping: damping over stiffness, a time.
            flex_damping: [f64; nflex],
            /// Spring constant of the edges.
            flex_edgestiffness: [f64; nflex],
            /// Damping coefficient of the edges.
            flex_edgedamping: [f64; nflex],
            /// What equality constraints hold: 0 nothing, 1 edge lengths, 2 vertex strains.
            flex_edgeequality: [i32; nflex],
            /// Whether one body carries every vertex.
            flex_rigid: [u8; nflex],
            /// Whether one body carries both ends of the edge.
            flexedge_rigid: [u8; nflexedge],
            /// Whether every vertex sits at the origin of its body.
            flex_centered: [u8; nflex],
            /// Whether the surface is drawn with flat shading.
            flex_flatskin: [u8; nflex],
            /// Root of the bounding volumes; -1: none.
            flex_bvhadr: [i32; nflex],
            /// How many bounding volumes the flex has.
            flex_bvhnum: [i32; nflex],
            /// Length of the edge's row of `flexedge_J`.
            flexedge_J_rownnz: [i32; nflexedge],
            /// Start of the edge's row of `flexedge_J`.
            flexedge_J_rowadr: [i32; nflexedge],
            /// Dof of every entry of `flexedge_J`.
            flexedge_J_colind: [i32; nJfe],
            /// Lengths of the vertex's two rows of `flexvert_J`.
            flexvert_J_rownnz: [[i32; 2]; nflexvert],
            /// Starts of the vertex's two rows of `flexvert_J`.
            flexvert_J_rowadr: [[i32; 2]; nflexvert],
            /// Dofs of the entries of `flexvert_J`.
            flexvert_J_colind: [[i32; 2]; nJfv],
            /// Colour where no material is given.
            flex_rgba: [[f32; 4]; nflex],
            /// Texture coordinates.
            flex_texcoord: [[f32; 2]; nflextexcoord],

            // meshes
            /// First vertex.
            mesh_vertadr: [i32; nmesh],
            /// How many vertices the mesh has.
            mesh_vertnum: [i32; nmesh],
            /// First triangle.
            mesh_faceadr: [i32; nmesh],
            /// How many triangles the mesh has.
            mesh_facenum: [i32; nmesh],
            /// Root of the bounding volumes; -1: none.
            mesh_bvhadr: [i32; nmesh],
            /// How many bounding volumes the mesh has.
            mesh_bvhnum: [i32; nmesh],
            /// Root of the octree; -1: none.
            mesh_octadr: [i32; nmesh],
            /// How many octree cells the mesh has.
            mesh_octnum: [i32; nmesh],
            /// First normal.
            mesh_normaladr: [i32; nmesh],
            /// How many normals the mesh has.
            mesh_normalnum: [i32; nmesh],
            /// First texture coordinate; -1: none.
            mesh_texcoordadr: [i32; nmesh],
            /// How many texture coordinates the mesh has.
            mesh_texcoordnum: [i32; nmesh],
            /// Where its convex hull starts in `mesh_graph`; -1: no hull.
            mesh_graphadr: [i32; nmesh],
            /// Vertices, in the inertial frame of the mesh.
            mesh_vert: [[f32; 3]; nmeshvert],
            /// Normals, in the inertial frame of the mesh.
            mesh_normal: [[f32; 3]; nmeshnormal],
            /// Texture coordinates.
            mesh_texcoord: [[f32; 2]; nmeshtexcoord],
            /// The three vertices of the triangle, counted within the mesh.
            mesh_face: [[i32; 3]; nmeshface],
            /// The three normals of the triangle, counted within the mesh.
            mesh_facenormal: [[i32; 3]; nmeshface],
            /// The three texture coordinates of the triangle, counted within the mesh.
            mesh_facetexcoord: [[i32; 3]; nmeshface],
            /// Convex hulls: counts, edge lists by vertex, vertex ids and triangles.
            mesh_graph: [i32; nmeshgraph],
            /// Scale that the file's vertices were multiplied by.
            mesh_scale: [Vec3; nmesh],
            /// Origin of the inertial frame of the mesh, in the frame of the file.
            mesh_pos: [Vec3; nmesh],
            /// Orientation of the inertial frame of the mesh, in the frame of the file.
            mesh_quat: [Quat; nmesh],
            /// Where the file path starts in `paths`; -1: none.
            mesh_pathadr: [i32; nmesh],
            /// How many polygons the convex hull has, or the mesh where it has no hull.
            mesh_polynum: [i32; nmesh],
            /// First polygon.
            mesh_polyadr: [i32; nmesh],
            /// Unit normal of the polygon.
            mesh_polynormal: [Vec3; nmeshpoly],
            /// Where the corners of the polygon start in `mesh_polyvert`.
            mesh_polyvertadr: [i32; nmeshpoly],
            /// How many corners the polygon has.
            mesh_polyvertnum: [i32; nmeshpoly],
            /// Vertices at the corners of the polygons, counted within the mesh.
            mesh_polyvert: [i32; nmeshpolyvert],
            /// Where the polygons at the vertex start in `mesh_polymap`.
            mesh_polymapadr: [i32; nmeshvert],
            /// How many polygons meet at the vertex.
            mesh_polymapnum: [i32; nmeshvert],
            /// Polygons by vertex.
            mesh_polymap: [i32; nmeshpolymap],

            // skins
            /// Material; -1: none.
            skin_matid: [i32; nskin],
            /// Visibility group.
            skin_group: [i32; nskin],
            /// Colour where no material is given.
            skin_rgba: [[f32; 4]; nskin],
            /// Distance that vertices are moved outwards by, along their normals.
            skin_inflate: [f32; nskin],
            /// First vertex.
            skin_vertadr: [i32; nskin],
            /// How many vertices the skin has.
            skin_vertnum: [i32; nskin],
            /// First texture coordinate; -1: none.
            skin_texcoordadr: [i32; nskin],
            /// First triangle.
            skin_faceadr: [i32; nskin],
            /// How many triangles the skin has.
            skin_facenum: [i32; nskin],
            /// First bone.
            skin_boneadr: [i32; nskin],
            /// How many bones the skin has.
            skin_bonenum: [i32; nskin],
            /// Vertices in the bind pose, in world coordinates.
            skin_vert: [[f32; 3]; nskinvert],
            /// Texture coordinates, one per vertex.
            skin_texcoord: [[f32; 2]; nskintexvert],
            /// The three vertices of the triangle, counted within the skin.
            skin_face: [[i32; 3]; nskinface],
            /// Where the bone starts in `skin_bonevertid` and `skin_bonevertweight`.
            skin_bonevertadr: [i32; nskinbone],
            /// How many vertices the bone pulls at.
            skin_bonevertnum: [i32; nskinbone],
            /// Position of the bone in the bind pose.
            skin_bonebindpos: [[f32; 3]; nskinbone],
            /// Orientation of the bone in the bind pose.
            skin_bonebindquat: [[f32; 4]; nskinbone],
            /// Body that moves the bone.
            skin_bonebodyid: [i32; nskinbone],
            /// Vertex that the bone pulls at, counted within the skin.
            skin_bonevertid: [i32; nskinbonevert],
            /// How strongly the bone pulls at that vertex.
            skin_bonevertweight: [f32; nskinbonevert],
            /// Where the file path starts in `paths`; -1: none.
            skin_pathadr: [i32; nskin],

            // height fields
            /// Half extents in x and y, height of the value 1, depth of the base below 0.
            hfield_size: [[f64; 4]; nhfield],
            /// Grid rows, along y.
            hfield_nrow: [i32; nhfield],
            /// Grid columns, along x.
            hfield_ncol: [i32; nhfield],
            /// Where the grid starts in `hfield_data`.
            hfield_adr: [i32; nhfield],
            /// Heights row by row, scaled to the range from 0 to 1.
            hfield_data: [f32; nhfielddata],
            /// Where the file path starts in `paths`; -1: none.
            hfield_pathadr: [i32; nhfield],

            // textures
            /// Kind of texture, a `TextureType`.
            tex_type: [i32; ntex],
            /// Encoding of the colours, a `ColorSpace`.
            tex_colorspace: [i32; ntex],
            /// Height in pixels.
            tex_height: [i32; ntex],
            /// Width in pixels.
            tex_width: [i32; ntex],
            /// Bytes per pixel.
            tex_nchannel: [i32; ntex],
            /// Where the image starts in `tex_data`.
            tex_adr: [i64; ntex],
            /// Images, row by row.
            tex_data: [u8; ntexdata],
            /// Where the file path starts in `paths`; -1: none.
            tex_pathadr: [i32; ntex],

            // materials
            /// Texture for every `TextureRole`; -1: none.
            mat_texid: [[i32; 10]; nmat],
            /// Whether the texture has a fixed size in space, whatever the size of the object.
            mat_texuniform: [u8; nmat],
            /// How often a flat texture repeats in x and y.
            mat_texrepeat: [[f32; 2]; nmat],
            /// Light that it gives off, times its colour.
            mat_emission: [f32; nmat],
            /// Strength of highlights, in white.
            mat_specular: [f32; nmat],
            /// Sharpness of highlights.
            mat_shininess: [f32; nmat],
            /// How much it mirrors; 0: not at all.
            mat_reflectance: [f32; nmat],
            /// How metallic it looks; for physically based renderers.
            mat_metallic: [f32; nmat],
            /// How rough it looks; for physically based renderers.
            mat_roughness: [f32; nmat],
            /// Colour.
            mat_rgba: [[f32; 4]; nmat],

            // explicit contact pairs
            /// Dimension of the contact: 1, 3, 4 or 6.
            pair_dim: [i32; npair],
            /// First geom.
            pair_geom1: [i32; npair],
            /// Second geom.
            pair_geom2: [i32; npair],
            /// The two bodies in one number, the first one shifted left by 16 bits.
            pair_signature: [i32; npair],
            /// Reference dynamics of the contact normal.
            pair_solref: [[f64; 2]; npair],
            /// Reference dynamics of the friction directions; zeros: as the normal.
            pair_solreffriction: [[f64; 2]; npair],
            /// Impedance of the contact.
            pair_solimp: [[f64; 5]; npair],
            /// Distance below which the contact is generated.
            pair_margin: [f64; npair],
            /// Part of the margin, from its outer end, in which the contact carries no force.
            pair_gap: [f64; npair],
            /// Friction coefficients: two sliding, one torsional, two rolling.
            pair_friction: [[f64; 5]; npair],

            // body pairs that do not collide
            /// The two bodies in one number, the first one shifted left by 16 bits.
            exclude_signature: [i32; nexclude],

            // equality constraints
            /// Kind of constraint, an `EqType`.
            eq_type: [i32; neq],
            /// First object.
            eq_obj1id: [i32; neq],
            /// Second object; -1: none.
            eq_obj2id: [i32; neq],
            /// What the two objects are, an `ObjType`.
            eq_objtype: [i32; neq],
            /// Whether the constraint starts switched on.
            eq_active0: [u8; neq],
            /// Reference dynamics.
            eq_solref: [[f64; 2]; neq],
            /// Impedance.
            eq_solimp: [[f64; 5]; neq],
            /// Anchors, relative pose or polynomial coefficients, depending on the kind.
            eq_data: [[f64; 11]; neq],

            // tendons
            /// First path element.
            tendon_adr: [i32; ntendon],
            /// How many path elements the tendon has.
            tendon_num: [i32; ntendon],
            /// Material; -1: none.
            tendon_matid: [i32; ntendon],
            /// Visibility group.
            tendon_group: [i32; ntendon],
            /// How many kinematic trees the path touches.
            tendon_treenum: [i32; ntendon],
            /// The first two kinematic trees that the path touches; -1: none.
            tendon_treeid: [[i32; 2]; ntendon],
            /// Whether `tendon_range` applies.
            tendon_limited: [u8; ntendon],
            /// Whether `tendon_actfrcrange` applies.
            tendon_actfrclimited: [u8; ntendon],
            /// Radius that is drawn.
            tendon_width: [f64; ntendon],
            /// Reference dynamics of the limit.
            tendon_solref_lim: [[f64; 2]; ntendon],
            /// Impedance of the limit.
            tendon_solimp_lim: [[f64; 5]; ntendon],
            /// Reference dynamics of dry friction.
            tendon_solref_fri: [[f64; 2]; ntendon],
            /// Impedance of dry friction.
            tendon_solimp_fri: [[f64; 5]; ntendon],
            /// Shortest and longest length.
            tendon_range: [[f64; 2]; ntendon],
            /// Lower and upper bound of the summed actuator force on the tendon.
            tendon_actfrcrange: [[f64; 2]; ntendon],
            /// Distance to the limit below which its constraint becomes active.
            tendon_margin: [f64; ntendon],
            /// Spring constant; 0: no spring.
            tendon_stiffness: [f64; ntendon],
            /// Linear damping coefficient.
            tendon_damping: [f64; ntendon],
            /// Inertia that resists changes of length.
            tendon_armature: [f64; ntendon],
            /// Largest dry friction force.
            tendon_frictionloss: [f64; ntendon],
            /// Shortest and longest length at which the spring is at rest.
            tendon_lengthspring: [[f64; 2]; ntendon],
            /// Length at `qpos0`.
            tendon_length0: [f64; ntendon],
            /// Inverse inertia that the length sees at `qpos0`.
            tendon_invweight0: [f64; ntendon],
            /// User values.
            tendon_user: [f64; ntendon, nuser_tendon],
            /// Colour where no material is given.
            tendon_rgba: [[f32; 4]; ntendon],

            // elements of tendon paths
            /// Kind of path element, a `WrapType`.
            wrap_type: [i32; nwrap],
            /// Joint, site or geom; -1: a pulley.
            wrap_objid: [i32; nwrap],
            /// Divisor of a pulley, coefficient of a joint, or side site of a geom; -1: no site.
            wrap_prm: [f64; nwrap],

            // actuators
            /// What the actuator acts on, a `TrnType`.
            actuator_trntype: [i32; nu],
            /// Dynamics of the activation, a `DynType`.
            actuator_dyntype: [i32; nu],
            /// Form of the gain, a `GainType`.
            actuator_gaintype: [i32; nu],
            /// Form of the bias, a `BiasType`.
            actuator_biastype: [i32; nu],
            /// Joint, tendon, site or body acted on, and slider or reference site; -1: none.
            actuator_trnid: [[i32; 2]; nu],
            /// First activation in `act`; -1: none.
            actuator_actadr: [i32; nu],
            /// How many activations the actuator has.
            actuator_actnum: [i32; nu],
            /// Group, for visibility and for switching off.
            actuator_group: [i32; nu],
            /// Number of past controls that are kept, and order of interpolation.
            actuator_history: [[i32; 2]; nu],
            /// Where the past controls start in `history`; -1: none.
            actuator_historyadr: [i32; nu],
            /// Delay of the control in seconds; 0: none.
            actuator_delay: [f64; nu],
            /// Whether `actuator_ctrlrange` applies.
            actuator_ctrllimited: [u8; nu],
            /// Whether `actuator_forcerange` applies.
            actuator_forcelimited: [u8; nu],
            /// Whether `actuator_actrange` applies.
            actuator_actlimited: [u8; nu],
            /// Parameters of the activation dynamics.
            actuator_dynprm: [[f64; 10]; nu],
            /// Parameters of the gain.
            actuator_gainprm: [[f64; 10]; nu],
            /// Parameters of the bias.
            actuator_biasprm: [[f64; 10]; nu],
            /// Whether the force uses the activation of the end of the step.
            actuator_actearly: [u8; nu],
            /// Smallest and largest control.
            actuator_ctrlrange: [[f64; 2]; nu],
            /// Smallest and largest force.
            actuator_forcerange: [[f64; 2]; nu],
            /// Smallest and largest activation.
            actuator_actrange: [[f64; 2]; nu],
            /// Factors from actuator force to the dofs or wrench of what is acted on.
            actuator_gear: [[f64; 6]; nu],
            /// Length of the connecting rod of a slider-crank.
            actuator_cranklength: [f64; nu],
            /// Size of the joint acceleration that unit force gives at `qpos0`.
            actuator_acc0: [f64; nu],
            /// Length at `qpos0`.
            actuator_length0: [f64; nu],
            /// Shortest and longest length that the mechanism can reach.
            actuator_lengthrange: [[f64; 2]; nu],
            /// User values.
            actuator_user: [f64; nu, nuser_actuator],
            /// Plugin instance; -1: none.
            actuator_plugin: [i32; nu],

            // sensors
            /// What is measured, a `SensorType`.
            sensor_type: [i32; nsensor],
            /// What kind of numbers come out, a `DataType`.
            sensor_datatype: [i32; nsensor],
            /// Stage after which it can be computed, a `Stage`.
            sensor_needstage: [i32; nsensor],
            /// What the measured object is, an `ObjType`.
            sensor_objtype: [i32; nsensor],
            /// Measured object; -1: none.
            sensor_objid: [i32; nsensor],
            /// What the reference object is, an `ObjType`.
            sensor_reftype: [i32; nsensor],
            /// Object in whose frame it is measured; -1: the world.
            sensor_refid: [i32; nsensor],
            /// Integer parameters, with a meaning of their own for each kind.
            sensor_intprm: [[i32; 3]; nsensor],
            /// How many numbers come out.
            sensor_dim: [i32; nsensor],
            /// Where they start in `sensordata`.
            sensor_adr: [i32; nsensor],
            /// Value that readings are clamped to; 0: not clamped.
            sensor_cutoff: [f64; nsensor],
            /// Standard deviation of the noise; not applied by the engine.
            sensor_noise: [f64; nsensor],
            /// Number of past readings that are kept, and order of interpolation.
            sensor_history: [[i32; 2]; nsensor],
            /// Where the past readings start in `history`; -1: none.
            sensor_historyadr: [i32; nsensor],
            /// Delay of the reading in seconds; 0: none.
            sensor_delay: [f64; nsensor],
            /// Period and phase of sampling, in seconds; period 0: every step.
            sensor_interval: [[f64; 2]; nsensor],
            /// User values.
            sensor_user: [f64; nsensor, nuser_sensor],
            /// Plugin instance; -1: none.
            sensor_plugin: [i32; nsensor],

            // plugins
            /// Number under which the plugin is registered.
            plugin: [i32; nplugin],
            /// Where its state starts in `plugin_state`.
            plugin_stateadr: [i32; nplugin],
            /// How many state values it has.
            plugin_statenum: [i32; nplugin],
            /// Settings of all instances, as zero-terminated text.
            plugin_attr: [Char; npluginattr],
            /// Where its settings start in `plugin_attr`.
            plugin_attradr: [i32; nplugin],

            // custom numbers
            /// Where the field starts in `numeric_data`.
            numeric_adr: [i32; nnumeric],
            /// How many values the field has.
            numeric_size: [i32; nnumeric],
            /// Values of all fields.
            numeric_data: [f64; nnumericdata],

            // custom texts
            /// Where the text starts in `text_data`.
            text_adr: [i32; ntext],
            /// How many bytes the text has, its final zero included.
            text_size: [i32; ntext],
            /// All texts, each with a final zero.
            text_data: [Char; ntextdata],

            // custom tuples
            /// First member.
            tuple_adr: [i32; ntuple],
            /// How many members the tuple has.
            tuple_size: [i32; ntuple],
            /// What the member is, an `ObjType`.
            tuple_objtype: [i32; ntupledata],
            /// Id of the member.
            tuple_objid: [i32; ntupledata],
            /// Number attached to the member.
            tuple_objprm: [f64; ntupledata],

            // keyframes
            /// Time.
            key_time: [f64; nkey],
            /// Positions.
            key_qpos: [f64; nkey, nq],
            /// Velocities.
            key_qvel: [f64; nkey, nv],
            /// Activations.
            key_act: [f64; nkey, na],
            /// Positions of the mocap bodies.
            key_mpos: [Vec3; nkey, nmocap],
            /// Orientations of the mocap bodies.
            key_mquat: [Quat; nkey, nmocap],
            /// Controls.
            key_ctrl: [f64; nkey, nu],

            // names
            /// Where the name of the body starts in `names`.
            name_bodyadr: [i32; nbody],
            /// Where the name of the joint starts in `names`.
            name_jntadr: [i32; njnt],
            /// Where the name of the geom starts in `names`.
            name_geomadr: [i32; ngeom],
            /// Where the name of the site starts in `names`.
            name_siteadr: [i32; nsite],
            /// Where the name of the camera starts in `names`.
            name_camadr: [i32; ncam],
            /// Where the name of the light starts in `names`.
            name_lightadr: [i32; nlight],
            /// Where the name of the flex starts in `names`.
            name_flexadr: [i32; nflex],
            /// Where the name of the mesh starts in `names`.
            name_meshadr: [i32; nmesh],
            /// Where the name of the skin starts in `names`.
            name_skinadr: [i32; nskin],
            /// Where the name of the height field starts in `names`.
            name_hfieldadr: [i32; nhfield],
            /// Where the name of the texture starts in `names`.
            name_texadr: [i32; ntex],
            /// Where the name of the material starts in `names`.
            name_matadr: [i32; nmat],
            /// Where the name of the contact pair starts in `names`.
            name_pairadr: [i32; npair],
            /// Where the name of the excluded pair starts in `names`.
            name_excludeadr: [i32; nexclude],
            /// Where the name of the equality constraint starts in `names`.
            name_eqadr: [i32; neq],
            /// Where the name of the tendon starts in `names`.
            name_tendonadr: [i32; ntendon],
            /// Where the name of the actuator starts in `names`.
            name_actuatoradr: [i32; nu],
            /// Where the name of the sensor starts in `names`.
            name_sensoradr: [i32; nsensor],
            /// Where the name of the custom numbers starts in `names`.
            name_numericadr: [i32; nnumeric],
            /// Where the name of the custom text starts in `names`.
            name_textadr: [i32; ntext],
            /// Where the name of the custom tuple starts in `names`.
            name_tupleadr: [i32; ntuple],
            /// Where the name of the keyframe starts in `names`.
            name_keyadr: [i32; nkey],
            /// Where the name of the plugin instance starts in `names`.
            name_pluginadr: [i32; nplugin],
            /// Name of the model, then of every object, each with a final zero.
            names: [Char; nnames],
            /// Hash map from name to id, one section per kind of object; -1: empty slot.
            names_map: [i32; nnames_map],
            /// File paths of the assets, each with a final zero.
            paths: [Char; npaths],

            // sparsity patterns
            /// How many dofs move the body.
            B_rownnz: [i32; nbody],
            /// Where the dofs that move the body start in `B_colind`.
            B_rowadr: [i32; nbody],
            /// Dofs by body.
            B_colind: [i32; nB],
            /// Length of the dof's row of `M`; the diagonal entry is the last one.
            M_rownnz: [i32; nv],
            /// Start of the dof's row of `M`.
            M_rowadr: [i32; nv],
            /// Column of every entry of `M`.
            M_colind: [i32; nC],
            /// For every entry of `M`, its address in `qM`.
            mapM2M: [i32; nC],
            /// Length of the dof's row of `qDeriv`.
            D_rownnz: [i32; nv],
            /// Start of the dof's row of `qDeriv`.
            D_rowadr: [i32; nv],
            /// Place of the diagonal entry within the dof's row of `qDeriv`.
            D_diag: [i32; nv],
            /// Column of every entry of `qDeriv`.
            D_colind: [i32; nD],
            /// For every entry of `qDeriv`, its address in `M`, by symmetry; -1: zero there.
            mapM2D: [i32; nD],
            /// For every entry of `M`, its address in `qDeriv`.
            mapD2M: [i32; nC],
        }
        grown {}
    }
}

// a derived one would inline a copy of every array
impl Clone for Model {
    fn clone(&self) -> Model {
        let mut copy = Model::default();
        copy.assign(self);
        copy
    }

    fn clone_from(&mut self, other: &Model) {
        self.assign(other);
    }
}
