//! Replicas, attached models, materials and textures.

use std::collections::HashMap;
use std::f64::consts::PI;

use sim_core::Model;
use sim_core::model::ObjType;
use sim_mjcf::{Error, Spec, load_str, load_str_with_assets};

fn model(xml: &str) -> Model {
    load_str(xml).unwrap_or_else(|error| panic!("{error}")).model
}

fn fault(xml: &str) -> Error {
    load_str(xml).expect_err("this loads, and should not")
}

fn names(model: &Model, kind: ObjType) -> Vec<&str> {
    (0..model.count(kind)).map(|id| model.name(kind, id).unwrap_or("")).collect()
}

fn with_child(xml: &str, child: &str) -> Result<Model, Error> {
    let assets = HashMap::from([(String::from("child.xml"), child.as_bytes().to_vec())]);
    load_str_with_assets(xml, &assets).map(|loaded| loaded.model)
}

const REPLICA: &str = r#"
    <replicate count="11" offset="1 0 0" euler="0 0 90" sep="-">
      <body name="b"><joint name="j" ref="90"/><geom name="g" size="0.1"/></body>
    </replicate>"#;

#[test]
fn replicas_are_numbered_with_as_many_digits_as_their_count() {
    let model = model(&format!("<mujoco><worldbody>{REPLICA}</worldbody></mujoco>"));
    let names = names(&model, ObjType::Body);
    assert_eq!(names.len(), 12);
    assert_eq!((names[1], names[11]), ("b-00", "b-10"));
}

#[test]
fn each_replica_is_moved_and_turned_against_the_one_before() {
    let model = model(&format!("<mujoco><worldbody>{REPLICA}</worldbody></mujoco>"));
    // around a square
    for (body, expected) in [(1, [0.0, 0.0]), (2, [1.0, 0.0]), (3, [1.0, 1.0]), (4, [0.0, 1.0])] {
        let pos = model.body_pos[body];
        assert!((pos.x - expected[0]).abs() + (pos.y - expected[1]).abs() < 1e-14, "{body}");
    }
    assert!((model.body_quat[3].z.abs() - 1.0).abs() < 1e-14);
}

#[test]
fn what_refers_to_a_replica_is_copied_with_it() {
    let model = model(
        r#"<mujoco>
             <worldbody>
               <geom name="floor" type="plane" size="1 1 1"/>
               <body name="a"><joint name="a"/><geom size="0.1"/></body>
               <replicate count="2">
                 <body name="b"><joint name="j"/><geom name="g" size="0.1"/><site name="s"/></body>
               </replicate>
             </worldbody>
             <contact><pair name="p" geom1="g" geom2="floor"/></contact>
             <tendon><fixed name="t"><joint joint="j" coef="1"/><joint joint="a" coef="2"/></fixed></tendon>
             <actuator><motor name="m" joint="j"/><motor name="n" joint="a"/><motor tendon="t"/></actuator>
             <sensor><jointpos name="q" joint="j"/><clock name="c"/></sensor>
           </mujoco>"#,
    );
    assert_eq!(names(&model, ObjType::Pair), ["p0", "p1"]);
    assert_eq!(names(&model, ObjType::Tendon), ["t0", "t1"]);
    assert_eq!(names(&model, ObjType::Actuator), ["n", "m0", "", "m1", ""]);
    assert_eq!(names(&model, ObjType::Sensor), ["c", "q0", "c0", "q1", "c1", "c01"]);
    assert_eq!(model.wrap_objid, [1, 0, 2, 0]);
}

#[test]
fn every_replica_has_a_keyframe_of_its_own() {
    let model = model(
        r#"<mujoco>
             <worldbody>
               <body><joint/><geom size="0.1"/></body>
               <replicate count="2"><body><joint ref="90"/><geom size="0.1"/></body></replicate>
             </worldbody>
             <keyframe><key name="k" qpos="1 2"/></keyframe>
           </mujoco>"#,
    );
    assert_eq!(names(&model, ObjType::Key), ["k0", "k1", "k"]);
    // replicas that come later are at their reference, earlier ones at its number in the file
    assert_eq!(model.key_qpos, [1.0, 2.0, PI / 2.0, 1.0, 90.0, 2.0, 1.0, 90.0, 90.0]);
}

#[test]
fn keyframes_of_another_size_than_the_model_so_far_are_errors() {
    let error = fault(&format!(
        r#"<mujoco><worldbody>{REPLICA}</worldbody><keyframe><key qpos="1 2"/></keyframe></mujoco>"#
    ));
    assert_eq!(error.message(), "qpos has 2 numbers, expected 1");
}

#[test]
fn too_many_copies_are_refused_with_their_number() {
    let error = fault(
        r#"<mujoco><worldbody><replicate count="1000000000"><site/></replicate></worldbody></mujoco>"#,
    );
    assert!(error.message().starts_with("1000000000 copies of 3 elements"), "{error}");
    let inner = r#"<replicate count="1000"><site/></replicate>"#;
    let middle = format!(r#"<replicate count="1000">{inner}</replicate>"#);
    let error = fault(&format!(
        r#"<mujoco><worldbody><replicate count="1000">{middle}</replicate></worldbody></mujoco>"#
    ));
    assert!(error.message().contains("the limit is"), "{error}");
    // elements that refer to nothing double with each replica
    let error = fault(
        r#"<mujoco><worldbody><replicate count="40"><site/></replicate></worldbody>
           <sensor><clock/></sensor></mujoco>"#,
    );
    assert!(error.message().contains("the limit is"), "{error}");
}

#[test]
fn a_joint_or_inertia_of_the_world_cannot_hide_in_a_replicate() {
    for inside in ["<joint/>", r#"<inertial pos="0 0 0" mass="1"/>"#] {
        fault(&format!(
            r#"<mujoco><worldbody><replicate count="2">{inside}</replicate></worldbody></mujoco>"#
        ));
    }
}

const CHILD: &str = r#"<mujoco model="kid">
    <compiler angle="radian" autolimits="true"/>
    <default><default class="c"><joint damping="3"/></default></default>
    <asset><texture name="t" type="2d" builtin="flat" width="2" height="3"/><material name="m" texture="t"/></asset>
    <worldbody>
      <geom name="wall" size="1"/>
      <body name="arm" euler="0 0 1">
        <joint name="j" class="c" range="-1 1"/><geom name="g" size="0.1" material="m"/>
      </body>
    </worldbody>
    <contact><pair name="p" geom1="g" geom2="wall"/></contact>
    <actuator><motor name="a" joint="j"/></actuator>
    <keyframe><key name="k" qpos="0.5" ctrl="2"/></keyframe>
  </mujoco>"#;

fn parent(attach: &str) -> String {
    format!(
        r#"<mujoco model="parent">
             <asset><model name="kid" file="child.xml"/></asset>
             <worldbody>
               <body name="b"><joint name="j" range="-90 90"/><geom size="0.1"/>{attach}</body>
             </worldbody>
           </mujoco>"#
    )
}

#[test]
fn an_attached_model_keeps_its_units_and_gets_its_prefix() {
    let xml = parent(r#"<frame pos="0 0 1"><attach model="kid" prefix="x_"/></frame>"#);
    let model = with_child(&xml, CHILD).unwrap();
    assert_eq!(names(&model, ObjType::Body), ["world", "b", "x_arm"]);
    assert_eq!(names(&model, ObjType::Geom), ["", "x_wall", "x_g"]);
    assert_eq!(names(&model, ObjType::Material), ["x_m"]);
    assert_eq!(names(&model, ObjType::Pair), ["x_p"]);
    assert_eq!(names(&model, ObjType::Actuator), ["x_a"]);
    assert_eq!(names(&model, ObjType::Key), ["x_k"]);
    assert_eq!(model.jnt_range, [[-PI / 2.0, PI / 2.0], [-1.0, 1.0]]);
    assert_eq!(model.dof_damping, [0.0, 3.0]);
    assert_eq!(model.body_pos[2].z, 1.0);
    assert!((model.body_quat[2].z - 0.5_f64.sin()).abs() < 1e-15);
    assert_eq!(model.geom_matid, [-1, -1, 0]);
    assert_eq!(model.key_qpos, [0.0, 0.5]);
    assert_eq!(model.key_ctrl, [2.0]);
}

#[test]
fn only_what_refers_to_an_attached_body_comes_with_it() {
    let model =
        with_child(&parent(r#"<attach model="kid" body="arm" prefix="x_"/>"#), CHILD).unwrap();
    assert_eq!(names(&model, ObjType::Geom), ["", "x_g"]);
    assert_eq!(names(&model, ObjType::Actuator), ["x_a"]);
    assert_eq!(model.npair, 0);
}

#[test]
fn models_in_other_units_are_written_in_those_of_the_main_one() {
    let xml = parent(r#"<attach model="kid" prefix="x_"/>"#);
    let assets = HashMap::from([(String::from("child.xml"), CHILD.as_bytes().to_vec())]);
    let spec = Spec::from_str_with_assets(&xml, &assets).unwrap();
    let first = spec.compile().unwrap().model;
    let second = load_str(&spec.to_xml()).unwrap().model;
    assert_eq!(first.jnt_range, second.jnt_range);
    assert_eq!(first.body_quat, second.body_quat);
    assert_eq!(first.key_qpos, second.key_qpos);
    assert_eq!(first.names, second.names);
}

#[test]
fn a_model_that_contains_itself_is_an_error() {
    let child = r#"<mujoco><asset><model file="child.xml"/></asset></mujoco>"#;
    let error = with_child(&parent(""), child).unwrap_err();
    assert_eq!(error.message(), "the model 'child.xml' contains itself");
    let error = with_child(&parent(r#"<attach model="parent" prefix="x"/>"#), CHILD).unwrap_err();
    assert_eq!(error.advice(), Some("a model cannot be attached to itself"));
}

#[test]
fn models_and_bodies_that_are_not_there_are_named() {
    let error = with_child(&parent(r#"<attach model="kids" prefix="x"/>"#), CHILD).unwrap_err();
    assert_eq!(error.message(), "there is no model 'kids' to attach");
    assert_eq!(error.advice(), Some("did you mean 'kid'?"));
    let xml = parent(r#"<attach model="kid" body="leg" prefix="x"/>"#);
    let error = with_child(&xml, CHILD).unwrap_err();
    assert_eq!(error.message(), "the model 'kid' has no body 'leg'");
    assert_eq!(error.advice(), Some("its bodies are 'world', 'arm'"));
}

#[test]
fn textures_and_materials_fill_their_tables() {
    let model = model(
        r#"<mujoco>
             <default><material specular="0.25"/></default>
             <asset>
               <texture name="flat" type="2d" builtin="checker" width="4" height="2"/>
               <texture type="skybox" builtin="gradient" width="3"/>
               <material name="m"><layer role="normal" texture="flat"/></material>
             </asset>
             <worldbody><geom size="1" material="m"/><site material="m"/></worldbody>
           </mujoco>"#,
    );
    assert_eq!(model.ntexdata, 3 * (4 * 2 + 3 * 18));
    assert_eq!(model.tex_adr, [0, 24]);
    assert_eq!((model.tex_width, model.tex_height), (vec![4, 3], vec![2, 18]));
    assert_eq!(model.mat_texid, [[-1, -1, -1, -1, -1, 0, -1, -1, -1, -1]]);
    assert_eq!(model.mat_specular, [0.25]);
    assert_eq!((model.geom_matid, model.site_matid), (vec![0], vec![0]));
}

#[test]
fn faults_of_assets_are_said_with_their_place() {
    let asset = |inside: &str| fault(&format!("<mujoco><asset>{inside}</asset></mujoco>"));
    let error = asset(r#"<texture name="t" type="2d" file="none.png"/>"#);
    assert_eq!(error.message(), "cannot read 'none.png': there is no such file");
    assert_eq!(error.attribute_name(), Some("file"));
    let error =
        asset(r#"<texture name="t" type="2d" builtin="flat" width="100000" height="100000"/>"#);
    assert!(error.message().contains("too large"), "{error}");
    let error =
        asset(r#"<texture name="a" builtin="flat" width="1"/><material name="m" texture="b"/>"#);
    assert_eq!(error.message(), "there is no texture 'b'");
    let error = asset(r#"<texture name="t" gridsize="2 2" gridlayout="RL"/>"#);
    assert_eq!(error.attribute_name(), Some("gridlayout"));
    let error = fault(r#"<mujoco><worldbody><geom size="1" material="m"/></worldbody></mujoco>"#);
    assert_eq!(error.message(), "there is no material 'm'");
}

#[test]
fn composites_say_what_to_use_instead() {
    let error = fault(r#"<mujoco><worldbody><composite type="cloth"/></worldbody></mujoco>"#);
    assert_eq!(error.message(), "there are no composites of type 'cloth' any more");
    assert_eq!(error.advice(), Some("use a flexcomp"));
    let error = fault(r#"<mujoco><worldbody><composite type="cable"/></worldbody></mujoco>"#);
    assert!(error.message().contains("two points or more"), "{error}");
    assert_eq!(error.advice(), Some("write count=\"N 1 1\", or give a 'vertex'"));
}
