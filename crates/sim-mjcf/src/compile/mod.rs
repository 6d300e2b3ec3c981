//! From [`Spec`] to [`Model`], one file per pass.

mod actuator;
mod asset;
mod bvh;
mod camera;
mod contact;
mod custom;
mod equality;
mod fenwick;
mod finish;
mod flex;
mod frames;
mod fuse;
mod geom;
mod hfield;
mod inertia;
mod joint;
mod key;
mod length_range;
mod light;
mod lint;
mod mesh;
mod names;
mod objects;
mod sensor;
mod shape;
mod site;
mod sizes;
mod skin;
mod sparsity;
mod tables;
mod tendon;
mod tree;

use sim_core::Model;
use sim_core::model::ObjType;

use crate::asset::allocator;
use crate::error::{Error, Warning};
use crate::files::Resolver;
use crate::spec::{Body, Id, Inertial, Orientation, Spec};
use asset::Solids;
use contact::Contacts;
use flex::Flexes;
use frames::FramePoses;
use names::Names;
use objects::Objects;
use skin::Skins;
use tree::Tree;

pub(crate) use names::check_unique;

/// Compiles a model; the files that it names come from the resolver.
pub(crate) fn compile(
    spec: &Spec,
    resolver: &Resolver<'_>,
) -> Result<(Model, Vec<Warning>), Error> {
    finish::check_options(spec)?;
    check_unique(spec)?;
    actuator::check_sizes(spec)?;
    let users = sizes::UserSizes::new(spec)?;

    if !spec.meshes.is_empty() || !spec.textures.is_empty() {
        allocator::keep_freed_memory();
    }
    let images = asset::images(spec, resolver)?;
    let solids = Solids::new(spec, resolver)?;
    let skins = Skins::new(spec, resolver)?;

    // every element by itself, then what depends on several
    let frames = FramePoses::new(spec)?;
    let mut tree = Tree::new(spec, &frames, &solids)?;
    if spec.compiler.fusestatic {
        fuse::fuse_static(spec, &mut tree)?;
    }
    tree.check_free_joints()?;
    if spec.compiler.discardvisual {
        fuse::discard_visual(spec, &mut tree);
    }
    tree.check_moving_mass()?;

    // the model and its tables
    let mut objects = Objects::new(spec, &tree);
    let meshes = solids.kept(spec, &tree);
    objects.replace(ObjType::Mesh, meshes.iter().map(|&id| &solids.mesh_specs[id].info));
    let mut names = Names::new(&objects);
    names.redirect(&tree);
    let flexes = Flexes::new(spec, &tree, &names)?;
    let solid_sizes = solids.sizes(&meshes);
    let mut model = sizes::model(spec, &tree, &objects, &users, &solid_sizes, &flexes, &skins)?;
    let contacts = Contacts::new(spec, &tree, &names)?;
    names.replace(&mut objects, ObjType::Pair, contacts.pairs.iter().map(|x| &x.spec.info));
    names.replace(&mut objects, ObjType::Exclude, contacts.excludes.iter().map(|x| &x.spec.info));
    objects.write_names(spec, &mut model);
    tables::fill(spec, &tree, &names, &meshes, &mut model)?;
    mesh::fill(&solids, &meshes, &mut model);
    tables::spare_volumes(&tree, &mut model);
    flexes.fill(spec, &mut model)?;
    skins.fill(spec, &names, &mut model)?;
    hfield::fill(&solids, &mut model);
    asset::fill(spec, images, &names, &mut model)?;
    asset::fill_paths(spec, &solids, &meshes, &mut model);
    contacts.fill(&mut model);
    equality::fill(spec, &names, &flexes, &mut model)?;
    tendon::fill(spec, &names, &mut model)?;
    actuator::fill(spec, &names, &mut model)?;
    sensor::fill(spec, &names, &mut model)?;
    custom::fill(spec, &names, &mut model)?;
    let mut warnings = lint::check(spec);
    warnings.extend(names.mistakes());
    warnings.extend(key::fill(spec, &mut model)?);
    finish::allocate_patterns(spec, &mut model)?;

    // what needs the dynamics
    warnings.extend(flexes.unstable(&model));
    warnings.extend(finish::set_const(spec, &tree, &objects, &mut model)?);
    Ok((model, warnings))
}

/// Computes what every body but the world could say in an `inertial` element instead of leaving its
/// mass to its geoms and to the settings of the compiler.
pub(crate) fn inertials(spec: &Spec) -> Result<Vec<(Id<Body>, Inertial)>, Error> {
    let solids = Solids::new(spec, &spec.files.resolver())?;
    let tree = Tree::new(spec, &FramePoses::new(spec)?, &solids)?;
    let inertial = |body: &tree::Body| Inertial {
        src: body.spec.src,
        pos: Some(body.given.pose.pos),
        orientation: Orientation { quat: body.given.pose.quat, alternative: None },
        mass: Some(body.given.mass),
        diaginertia: Some(body.given.inertia),
        fullinertia: None,
    };
    Ok(tree.bodies.iter().skip(1).map(|body| (body.id, inertial(body))).collect())
}

#[cfg(test)]
mod tests {
    use sim_core::Model;
    use sim_core::math::Vec3;
    use sim_core::model::ObjType;

    use crate::load_str;

    /// Compiles a model with the given world, and what comes before it.
    fn world(before: &str, world: &str) -> Model {
        let xml = format!("<mujoco>{before}<worldbody>{world}</worldbody></mujoco>");
        load_str(&xml).unwrap_or_else(|error| panic!("{error}")).model
    }

    /// What is wrong with a model with the given world.
    fn fault(before: &str, world: &str) -> String {
        let xml = format!("<mujoco>{before}<worldbody>{world}</worldbody></mujoco>");
        load_str(&xml).map(|_| "nothing is wrong").unwrap_err().message().to_owned()
    }

    const BALL: &str = "<geom size='.1'/>";

    #[test]
    fn an_empty_model_is_the_world() {
        let model = world("", "");
        assert_eq!((model.nbody, model.nv, model.nB), (1, 0, 0));
        assert_eq!(model.name(ObjType::Body, 0), Some("world"));
        assert_eq!(model.stat.meaninertia, 1.0);
    }

    #[test]
    fn a_chain_of_hinges_has_a_triangular_mass_matrix() {
        let link = "<body><joint axis='0 1 0' pos='0 0 1'/><geom size='.1'/>";
        let model = world("", &format!("{}{}", link.repeat(3), "</body>".repeat(3)));
        assert_eq!(model.dof_parentid, [-1, 0, 1]);
        assert_eq!((model.nM, model.nC, model.nD, model.nB), (6, 6, 9, 12));
        assert_eq!(model.M_rownnz, [1, 2, 3]);
        assert_eq!(model.M_colind, [0, 0, 1, 0, 1, 2]);
        // by ancestors, rows run from the diagonal upwards
        assert_eq!(model.dof_Madr, [0, 1, 3]);
        assert_eq!(model.mapM2M, [0, 2, 1, 5, 4, 3]);
        assert_eq!(model.D_colind, [0, 1, 2, 0, 1, 2, 0, 1, 2]);
        assert_eq!(model.D_diag, [0, 1, 2]);
        assert_eq!(model.mapM2D, [0, 1, 3, 1, 2, 4, 3, 4, 5]);
        assert_eq!(model.mapD2M, [0, 3, 4, 6, 7, 8]);
        assert_eq!(model.B_rownnz, [3, 3, 3, 3]);
    }

    #[test]
    fn a_free_ball_has_a_diagonal_mass_matrix() {
        let model = world("", &format!("<body><freejoint/>{BALL}</body>"));
        assert_eq!(model.body_simple, [1, 1]);
        assert_eq!((model.nM, model.nC, model.nD), (21, 6, 36));
        assert_eq!(model.dof_simplenum, [6, 5, 4, 3, 2, 1]);
        assert_eq!(model.M_colind, [0, 1, 2, 3, 4, 5]);
        assert_eq!(model.mapM2D[..6], [0, -1, -1, -1, -1, -1]);
        assert_eq!(model.mapD2M, [0, 7, 14, 21, 28, 35]);
    }

    #[test]
    fn bodies_know_their_root_their_weld_and_their_tree() {
        let model = world(
            "",
            &format!(
                "<body><body><joint/>{BALL}<body>{BALL}</body></body></body>\
                 <body mocap='true'/><body><freejoint/>{BALL}</body>"
            ),
        );
        assert_eq!(model.body_rootid, [0, 1, 1, 1, 4, 5]);
        assert_eq!(model.body_weldid, [0, 0, 2, 2, 0, 5]);
        assert_eq!(model.body_treeid, [-1, -1, 0, 0, -1, 1]);
        assert_eq!(model.body_mocapid, [-1, -1, -1, -1, 0, -1]);
        assert_eq!((model.ntree, model.nmocap), (2, 1));
    }

    #[test]
    fn an_aligned_free_body_has_its_frame_at_its_centre() {
        let body = "<body pos='0 0 1'><freejoint align='true'/><geom size='.1' pos='1 0 0'/>\
                    <site pos='1 0 0'/></body>";
        let model = world("", body);
        assert_eq!(model.body_pos[1], Vec3::new(1.0, 0.0, 1.0));
        assert_eq!(model.body_ipos[1], Vec3::ZERO);
        assert_eq!(model.geom_pos[0], Vec3::ZERO);
        assert_eq!(model.site_pos[0], Vec3::ZERO);
        assert_eq!(model.qpos0[..3], [1.0, 0.0, 1.0]);
    }

    #[test]
    fn static_bodies_fuse_with_their_parents_unless_a_camera_looks_at_them() {
        let bodies = format!(
            "<body name='base' pos='0 0 1'><geom name='a' size='.1'/>\
             <body name='arm' pos='1 0 0'><joint/>{BALL}<body name='hand' pos='1 0 0'>\
             <geom name='h' size='.1'/><camera name='eye' pos='0 0 1'/></body></body></body>"
        );
        let fused = world("<compiler fusestatic='true'/>", &bodies);
        assert_eq!(fused.nbody, 2);
        assert_eq!(fused.name(ObjType::Body, 1), Some("arm"));
        assert_eq!(fused.body_pos[1], Vec3::new(1.0, 0.0, 1.0));
        assert_eq!(fused.body_ipos[1], Vec3::new(0.5, 0.0, 0.0));
        let hand = fused.id(ObjType::Geom, "h").unwrap();
        assert_eq!((fused.geom_bodyid[hand], fused.geom_pos[hand]), (1, Vec3::X));
        assert_eq!(fused.cam_pos[0], Vec3::new(1.0, 0.0, 1.0));

        let watched = format!("{bodies}<camera mode='targetbody' target='hand'/>");
        let kept = world("<compiler fusestatic='true'/>", &watched);
        let hand = kept.id(ObjType::Body, "hand").unwrap();
        assert_eq!(kept.cam_targetbodyid[0], hand as i32);
    }

    #[test]
    fn fusing_places_masses_and_bounding_volumes_as_the_reference_does() {
        let bodies = format!(
            "<body name='a'><joint/>{BALL}<body pos='1 0 0' quat='0 1 0 0'>\
             <geom type='box' size='.1 .2 .3' pos='0 2 0' quat='1 1 0 0'/></body></body>"
        );
        let model = world("<compiler fusestatic='true'/>", &bodies);
        assert_eq!(model.geom_pos[1], Vec3::new(1.0, -2.0, 0.0));
        // the pose of the body is applied in the frame of its inertia: y has the wrong sign
        let expected = Vec3::new(0.919_737_74, 1.839_475_48, 0.0);
        assert!((model.body_ipos[1] - expected).norm() < 1e-8, "{:?}", model.body_ipos[1]);
        // the root was a leaf before and keeps its geom, and one volume too many is reserved
        assert_eq!(model.bvh_nodeid, [0, 0, 1, 0]);
        assert_eq!(model.bvh_child, [[1, 2], [-1, -1], [-1, -1], [0, 0]]);
    }

    #[test]
    fn a_keyframe_with_too_many_numbers_says_how_many_it_takes() {
        let body = format!("<body><joint/><joint axis='1 0 0'/>{BALL}</body>");
        for (key, takes) in [("qpos='1 2 3'", 2), ("qvel='1 2 3'", 2), ("act='1 2 3'", 0)] {
            let message = fault(&format!("<keyframe><key {key}/></keyframe>"), &body);
            let part = &key[..key.find('=').unwrap()];
            let expected =
                format!("{part} has 3 numbers, but a keyframe of this model takes {takes}");
            assert_eq!(message, expected);
        }
    }

    #[test]
    fn visual_geoms_that_were_found_while_bodies_were_fused_stay() {
        // while 'b' is tried, the sensor looks up number 1, which is 'c' by then
        let bodies = "<body name='m'><joint/><geom size='.1' mass='1'/>\
                      <body name='k'><joint/><geom name='v' size='.1' contype='0' conaffinity='0'/>\
                      </body><body name='a'><geom name='c' size='.1' contype='0' conaffinity='0'/>\
                      </body><body name='b'/></body>";
        let xml = format!(
            "<mujoco><compiler fusestatic='true' discardvisual='true'/><worldbody>{bodies}\
             </worldbody><sensor><framepos objtype='geom' objname='v'/></sensor></mujoco>"
        );
        let model = load_str(&xml).unwrap_or_else(|error| panic!("{error}")).model;
        assert_eq!((model.nbody, model.ngeom), (3, 3));
    }

    #[test]
    fn a_cable_is_a_chain_of_bodies_that_do_not_collide_with_their_neighbours() {
        let cable = "<composite type='cable' prefix='c_' count='4 1 1' curve='0 s 0' size='3' \
                     initial='free'><geom type='capsule' size='.1'/>\
                     <joint kind='main' damping='2'/></composite>";
        let model = world("", cable);
        let names: Vec<_> = (1..4).filter_map(|body| model.name(ObjType::Body, body)).collect();
        assert_eq!(names, ["c_B_first", "c_B_1", "c_B_last"]);
        assert_eq!((model.nq, model.nv, model.nexclude, model.nsite), (15, 12, 2, 2));
        assert_eq!(model.dof_damping[5..9], [0.0, 2.0, 2.0, 2.0]);
        assert_eq!(model.geom_size[0], Vec3::new(0.1, 0.5, 0.0));
        assert_eq!(model.body_pos[2], Vec3::X);
        let end = model.id(ObjType::Site, "c_S_last").unwrap();
        assert_eq!((model.site_bodyid[end], model.site_pos[end]), (3, Vec3::X));
        assert_eq!(model.id(ObjType::Text, "composite_c_"), Some(0));
    }

    #[test]
    fn composites_that_cannot_be_say_what_to_do() {
        let geom = "<geom type='capsule' size='.1'/>";
        for (attributes, inside, expected) in [
            ("type='cable' count='4'", geom, "needs a 'curve' or a 'vertex'"),
            ("type='cable' vertex='0 0 0 1'", geom, "three numbers for each point"),
            ("type='cable' vertex='0 0 0 1 1 1' count='2'", geom, "need no 'count'"),
            ("type='cable' count='2 2 1' curve='s'", geom, "in a row, not 2 by 2 by 1"),
            ("type='cable' count='4' curve='x'", geom, "'x' is not a shape"),
            ("type='cable' count='99999' curve='s'", geom, "at most 400 points"),
            ("type='cable' count='4' curve='s'", "<geom size='.1'/>", "must be capsules"),
            ("type='cable' count='4' curve='s'", "<geom type='box'/>", "skins are not supported"),
            ("type='cable' count='4' curve='s'", "<plugin/>", "'plugin' is not supported yet"),
            ("type='cable' count='4' curve='s'", "<joint/>", "needs the attribute 'kind'"),
            ("type='grid'", "", "no composites of type 'grid' any more"),
        ] {
            let message = fault("", &format!("<composite {attributes}>{inside}</composite>"));
            assert!(message.contains(expected), "{message}");
        }
    }

    #[test]
    fn visual_geoms_are_dropped_after_they_were_weighed() {
        let body = "<body><freejoint/><geom size='.1'/>\
                    <geom name='v' size='.1' pos='1 0 0' contype='0' conaffinity='0'/></body>";
        let model = world("<compiler discardvisual='true'/>", body);
        assert_eq!(model.ngeom, 1);
        assert_eq!(model.body_ipos[1], Vec3::new(0.5, 0.0, 0.0));
        let tuple = "<compiler discardvisual='true'/><custom><tuple name='t'>\
                     <element objtype='geom' objname='v'/></tuple></custom>";
        assert_eq!(world(tuple, body).tuple_objid, [1]);
    }

    #[test]
    fn masses_are_scaled_to_the_total() {
        let bodies = format!("<body>{BALL}</body><body>{BALL}</body>");
        let model = world("<compiler settotalmass='3'/>", &bodies);
        assert_eq!(model.body_mass, [0.0, 1.5, 1.5]);
    }

    #[test]
    fn a_spring_damper_oscillates_in_its_time_constant() {
        let body =
            "<body><joint type='slide' springdamper='.5 1'/><geom size='.1' mass='2'/></body>";
        let model = world("", body);
        // critical damping: k = m / timeconst², b = 2 m / timeconst
        assert!((model.jnt_stiffness[0] - 8.0).abs() < 1e-12);
        assert!((model.dof_damping[0] - 8.0).abs() < 1e-12);
    }

    #[test]
    fn keyframes_take_what_they_leave_out_from_the_reference_state() {
        let xml = "<mujoco><worldbody><body mocap='true' pos='1 2 3'/><body><joint ref='90'/>\
                   <joint type='slide'/><geom size='.1'/></body></worldbody><keyframe>\
                   <key time='2' qvel='1 2'/><key qvel='3' mpos='4 5 6'/></keyframe></mujoco>";
        let loaded = load_str(xml).unwrap();
        let model = loaded.model;
        assert_eq!(model.key_time, [2.0, 0.0]);
        assert_eq!(model.key_qpos[..2], [std::f64::consts::FRAC_PI_2, 0.0]);
        assert_eq!(model.key_qvel, [1.0, 2.0, 3.0, 0.0]);
        assert_eq!(model.key_mpos, [Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0)]);
        assert_eq!(loaded.warnings.len(), 1);
    }

    #[test]
    fn custom_fields_are_padded_and_texts_closed() {
        let custom = "<custom><numeric name='a' size='3' data='1 2'/><numeric name='b' data='4'/>\
                      <text name='t' data='hi'/></custom>";
        let model = world(custom, "");
        assert_eq!(model.numeric_data, [1.0, 2.0, 0.0, 4.0]);
        assert_eq!((&model.numeric_adr[..], &model.numeric_size[..]), (&[0, 3][..], &[3, 1][..]));
        assert_eq!(model.text_size, [3]);
        assert_eq!(model.id(ObjType::Numeric, "b"), Some(1));
    }

    #[test]
    fn names_are_unique_within_a_kind() {
        let two = "<geom name='x' size='.1'/><site name='x'/><geom name='x' size='.1'/>";
        assert_eq!(fault("", two), "there is another geom called 'x'");
        world("", "<geom name='x' size='.1'/><site name='x'/><body name='x'/>");
    }

    #[test]
    fn joints_that_cannot_be_are_errors() {
        for joints in [
            "<joint type='ball'/><joint/>",
            "<freejoint/><joint/>",
            "<freejoint/><freejoint/>",
            &"<joint type='slide'/>".repeat(7),
        ] {
            fault("", &format!("<body>{joints}{BALL}</body>"));
        }
        let nested = format!("<body>{BALL}<body><freejoint/>{BALL}</body></body>");
        fault("", &nested);
        world("", &format!("<body><joint type='slide'/><joint type='ball'/>{BALL}</body>"));
    }

    #[test]
    fn what_moves_has_mass() {
        let message = fault("", "<body name='a'><joint/></body>");
        assert_eq!(message, "body 'a' moves, but has no mass or no inertia");
        world("", &format!("<body><joint/><body>{BALL}</body></body>"));
        world("<compiler boundmass='1' boundinertia='1'/>", "<body><joint/></body>");
    }

    #[test]
    fn impossible_inertias_are_errors_unless_they_are_balanced() {
        let body = "<body><joint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 4'/></body>";
        fault("", body);
        let model = world("<compiler balanceinertia='true'/>", body);
        assert_eq!(model.body_inertia[1], Vec3::new(2.0, 2.0, 2.0));
        fault("", "<body><inertial pos='0 0 0' mass='-1' diaginertia='1 1 1'/></body>");
        fault("", "<body><inertial pos='0 0 0' mass='1' diaginertia='1 1 -1'/></body>");
    }

    #[test]
    fn the_arena_follows_the_sizes_whatever_they_are() {
        assert_eq!(world("", &format!("<body><freejoint/>{BALL}</body>")).narena, 13 << 20);
        assert_eq!(world("<size memory='3M'/>", "").narena, 3 << 20);
        world("<size njmax='2000000000' nconmax='2000000000'/>", "");
    }

    #[test]
    fn numbers_that_overflow_are_errors() {
        fault("", "<body><joint/><geom size='1e200'/></body>");
    }

    #[test]
    fn a_time_step_that_does_not_advance_is_an_error() {
        fault("<option timestep='0'/>", "");
        fault("<option timestep='-1'/>", "");
    }

    #[test]
    fn a_target_that_is_not_there_comes_with_a_suggestion() {
        let xml = "<mujoco><worldbody><body name='torso'/>\
                   <light mode='targetbody' target='torzo'/></worldbody></mujoco>";
        let error = load_str(xml).unwrap_err();
        assert_eq!(error.message(), "there is no body 'torzo'");
        assert_eq!(error.advice(), Some("there is a body 'torso'"));
    }

    #[test]
    fn a_hinge_that_turns_as_another_does_is_warned_about() {
        let xml = "<mujoco><worldbody><body><joint/><joint/><geom size='.1'/></body></worldbody>\
                   </mujoco>";
        assert_eq!(load_str(xml).unwrap().warnings.len(), 1);
    }
}
