use std::collections::HashMap;

use sim_core::math::{Quat, Vec3};
use sim_core::model::{GeomType, JointType};

use crate::pose::same_quat;
use crate::{Error, Loaded, Loader, Spec, UrdfOptions, load_str, load_str_with_assets};

/// A ball as the collision geometry of a link.
const BALL: &str = "<collision><geometry><sphere radius='0.1'/></geometry></collision>";

fn link(name: &str) -> String {
    format!("<link name='{name}'>{BALL}</link>")
}

fn joint(kind: &str, parent: &str, child: &str, inside: &str) -> String {
    format!(
        "<joint name='{child}_joint' type='{kind}'><parent link='{parent}'/>\
         <child link='{child}'/>{inside}</joint>"
    )
}

fn robot(inside: &str) -> Result<Loaded, Error> {
    load_str(&format!("<robot name='r'>{inside}</robot>"))
}

fn message(result: Result<Loaded, Error>) -> String {
    result.expect_err("the model must be refused").message().to_owned()
}

#[test]
fn joints_of_every_type_become_what_moves_the_same_way() {
    let types = ["revolute", "continuous", "prismatic", "floating", "planar", "spherical"];
    let mut inside = String::from("<link name='world'/>");
    for kind in types {
        inside += &link(kind);
        inside += &joint(kind, "world", kind, "<axis xyz='0 0 2'/>");
    }
    let model = robot(&inside).unwrap().model;
    let expected = [
        JointType::Hinge,
        JointType::Hinge,
        JointType::Slide,
        JointType::Free,
        JointType::Slide,
        JointType::Slide,
        JointType::Hinge,
        JointType::Ball,
    ];
    assert_eq!(model.jnt_type, expected.map(|kind| kind as i32));
    assert_eq!(model.jnt_axis[4..7], [Vec3::X, Vec3::Y, Vec3::Z]);
    let name = |id| model.name(sim_core::model::ObjType::Joint, id);
    assert_eq!([name(4), name(6)], [Some("planar_joint_TX"), Some("planar_joint_RZ")]);
}

#[test]
fn limits_apply_where_both_are_given_in_order() {
    let cases = [
        ("lower='-1' upper='2' effort='-5'", 1, [-1.0, 2.0]),
        ("lower='2' upper='-1'", 0, [2.0, -1.0]),
        ("upper='1'", 0, [0.0, 1.0]),
        ("lower='0' upper='0'", 0, [0.0, 0.0]),
        ("velocity='3'", 0, [0.0, 0.0]),
    ];
    for (limit, limited, range) in cases {
        let limit = format!("<limit {limit}/>");
        let text = link("a") + &link("b") + &joint("revolute", "a", "b", &limit);
        let model = robot(&text).unwrap().model;
        assert_eq!((model.jnt_limited[0], model.jnt_range[0]), (limited, range), "{limit}");
        let forced = limit.contains("effort");
        let forces = if forced { [-5.0, 5.0] } else { [0.0; 2] };
        assert_eq!(model.jnt_actfrcrange[0], forces, "{limit}");
    }
}

#[test]
fn roll_pitch_and_yaw_are_turns_about_fixed_axes() {
    let origin = "<origin xyz='1 2 3' rpy='0.1 0.2 0.3'/>";
    let text = link("a") + &link("b") + &joint("revolute", "a", "b", origin);
    let model = robot(&text).unwrap().model;
    let turn = |axis, angle| Quat::from_axis_angle(axis, angle);
    let expected = turn(Vec3::Z, 0.3) * turn(Vec3::Y, 0.2) * turn(Vec3::X, 0.1);
    assert_eq!(model.body_pos[1], Vec3::new(1.0, 2.0, 3.0));
    assert!(same_quat(model.body_quat[1], expected));
}

#[test]
fn visual_geometry_is_dropped_unless_kept_and_lends_its_colour() {
    let visual = "<visual><geometry><box size='1 2 3'/></geometry>\
                  <material name='red'/></visual>";
    let text = format!(
        "<material name='red'><color rgba='1 0 0 1'/></material>\
         <link name='world'>{visual}{BALL}</link>"
    );
    let dropped = robot(&text).unwrap();
    assert_eq!((dropped.model.ngeom, dropped.model.geom_rgba[0]), (1, [1.0, 0.0, 0.0, 1.0]));
    assert!(dropped.warnings.iter().any(|w| w.message().contains("'visual' of 'link'")));

    let kept = "<mujoco><compiler discardvisual='false' convexhull='false'/></mujoco>";
    let model = robot(&format!("{kept}{text}")).unwrap().model;
    assert_eq!(model.geom_type[..], [GeomType::Box as i32, GeomType::Sphere as i32]);
    assert_eq!(model.geom_size[0], Vec3::new(0.5, 1.0, 1.5));
    assert_eq!((model.geom_contype[0], model.geom_group[0]), (0, 1));
}

#[test]
fn the_axes_of_an_inertia_are_those_of_the_link_unless_asked_otherwise() {
    let text = "<robot name='r'><link name='a'><inertial><origin rpy='0 0 1.5707963267948966'/>\
         <mass value='1'/><inertia ixx='3' iyy='2' izz='1.5' ixy='0' ixz='0' iyz='0'/>\
         </inertial></link><link name='world'/>"
        .to_owned()
        + &joint("revolute", "world", "a", "")
        + "</robot>";
    let axes = |options: &UrdfOptions| {
        let model =
            Loader::new().urdf(options.clone()).read_str(&text).unwrap().compile().unwrap().model;
        model.body_iquat[1].rotate(Vec3::X)
    };
    assert!(axes(&UrdfOptions::default()).x.abs() > 0.99);
    let turned = axes(&UrdfOptions { turn_inertia: true, ..UrdfOptions::default() });
    assert!(turned.y.abs() > 0.99);
}

#[test]
fn what_is_not_read_is_reported_with_numbers_and_places() {
    let inside = "<limit lower='0' upper='1' velocity='2'/><mimic joint='x'/>";
    let text = link("a")
        + &link("b")
        + &link("c")
        + &joint("revolute", "a", "b", inside)
        + &joint("revolute", "a", "c", inside)
        + "<gazebo><x/></gazebo>";
    let loaded = robot(&text).unwrap();
    let messages: Vec<&str> = loaded.warnings.iter().map(|w| w.message()).collect();
    let expected = [
        "element 'mimic' of 'joint' is not read (2 times)",
        "attribute 'velocity' of 'limit' is not read (2 times)",
        "element 'gazebo' of 'robot' is not read",
    ];
    for message in expected {
        assert!(messages.contains(&message), "{messages:?}");
    }
    assert_eq!((messages.len(), loaded.warnings[0].line()), (3, Some(1)));
}

#[test]
fn mistakes_are_named() {
    let broken = [
        (link("a") + &link("a"), "more than one link 'a'"),
        (link("a") + &joint("revolute", "a", "b", ""), "there is no link 'b'"),
        (link("a") + &link("b") + &joint("bent", "a", "b", ""), "'bent' is not a type of joint"),
        (
            link("a") + &link("b") + &joint("fixed", "a", "b", "") + &joint("fixed", "b", "a", ""),
            "is inside itself",
        ),
        (
            link("a") + &link("b") + &joint("fixed", "a", "b", "") + &joint("fixed", "a", "b", ""),
            "child of more than one joint",
        ),
        ("<link name='a'><collision/></link>".into(), "needs an element 'geometry'"),
        (
            "<link name='a'><collision><geometry/></collision></link>".into(),
            "this geometry has no shape",
        ),
        (
            "<link name='a'><inertial><mass value='1'/></inertial></link>".into(),
            "needs an element 'inertia'",
        ),
        (
            "<link name='a'><collision><geometry><box size='1 2'/></geometry></collision></link>"
                .into(),
            "expected 3 numbers, found 2",
        ),
    ];
    for (text, expected) in broken {
        let found = message(robot(&text));
        assert!(found.contains(expected), "{found:?} is not {expected:?}");
    }
}

/// A tetrahedron as an OBJ file.
const TETRAHEDRON: &[u8] =
    b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

fn mesh(file: &str, scale: &str) -> String {
    format!("<collision><geometry><mesh filename='{file}' scale='{scale}'/></geometry></collision>")
}

#[test]
fn a_mesh_is_made_for_each_scale_and_found_by_the_last_part_of_its_name() {
    let text = format!(
        "<robot name='r'><link name='world'>{}{}{}</link></robot>",
        mesh("package://p/meshes/t.obj", "1 1 1"),
        mesh("package://p/meshes/t.obj", "2 2 2"),
        mesh("package://p/meshes/t.obj", "1 1 1"),
    );
    let files = HashMap::from([(String::from("t.obj"), TETRAHEDRON.to_vec())]);
    let model = load_str_with_assets(&text, &files).unwrap().model;
    assert_eq!((model.nmesh, &model.geom_dataid[..]), (2, &[0, 1, 0][..]));
}

#[test]
fn collada_is_refused_with_advice() {
    let text =
        format!("<robot name='r'><link name='world'>{}</link></robot>", mesh("a.dae", "1 1 1"));
    let files = HashMap::from([(String::from("a.dae"), Vec::new())]);
    let error = load_str_with_assets(&text, &files).unwrap_err();
    assert!(error.message().contains("COLLADA"), "{error}");
    assert!(error.advice().is_some_and(|advice| advice.contains("OBJ or STL")));
}

#[test]
fn files_of_packages_are_found_around_the_model_and_where_the_options_say() {
    let dir = std::env::temp_dir().join(format!("urdf_packages_{}", std::process::id()));
    let (near, far) = (dir.join("arm/meshes"), dir.join("elsewhere"));
    let _ = std::fs::remove_dir_all(&dir);
    for folder in [&near, &far, &dir.join("arm/urdf")] {
        std::fs::create_dir_all(folder).unwrap();
    }
    std::fs::write(near.join("t.obj"), TETRAHEDRON).unwrap();
    std::fs::write(far.join("u.obj"), TETRAHEDRON).unwrap();
    let path = dir.join("arm/urdf/arm.urdf");
    let text = format!(
        "<robot name='r'><link name='world'>{}{}{}</link></robot>",
        mesh("package://arm/meshes/t.obj", "1 1 1"),
        mesh("package://tool/u.obj", "1 1 1"),
        mesh("meshes/t.obj", "1 1 1"),
    );
    std::fs::write(&path, text).unwrap();
    let packages = HashMap::from([(String::from("tool"), far)]);
    let loader = Loader::new().urdf(UrdfOptions { packages, ..UrdfOptions::default() });
    let spec = loader.read_file(&path).unwrap();
    let model = spec.compile().unwrap().model;
    assert_eq!((model.nmesh, model.ngeom), (2, 3));

    // and the text that is written finds them again
    let again = Spec::from_str(&spec.to_xml()).unwrap().compile().unwrap().model;
    assert_eq!((again.mesh_vert, again.geom_pos), (model.mesh_vert, model.geom_pos));
    std::fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn a_robot_written_as_mjcf_is_the_same_model() {
    let text = link("a")
        + "<link name='b'><inertial><origin xyz='0 0 1' rpy='1 0 0'/><mass value='2'/>\
           <inertia ixx='1' iyy='2' izz='2.5' ixy='0.1' ixz='0' iyz='0.2'/></inertial></link>"
        + &link("c")
        + &joint("planar", "a", "b", "<axis xyz='1 1 0'/><dynamics damping='1' friction='2'/>")
        + &joint("fixed", "b", "c", "<origin xyz='0 1 0' rpy='0 1 0'/>");
    let spec = Spec::from_str(&format!("<Robot name='r'>{text}</Robot>")).unwrap();
    let model = spec.compile().unwrap().model;
    let again = load_str(&spec.to_xml()).unwrap().model;
    for (a, b) in [(&model, &again), (&again, &model)] {
        assert_eq!((a.nbody, a.njnt, a.ngeom), (b.nbody, b.njnt, b.ngeom));
        assert_eq!((&a.body_inertia, &a.jnt_axis), (&b.body_inertia, &b.jnt_axis));
        assert_eq!((&a.body_iquat, &a.dof_damping), (&b.body_iquat, &b.dof_damping));
    }
}
