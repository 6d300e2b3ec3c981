//! Tests of reading.

use std::collections::HashMap;
use std::path::Path;

use sim_core::math::{Quat, Vec3};
use sim_core::model::{Disable, Enable, GeomType, JointType, Limited, ObjType};

use crate::error::{Error, Sources, Warning};
use crate::files::{Memory as Files, Resolver};
use crate::spec::{Alternative, Body, Camera, Geom, Id, InBody, Joint, Light, Memory, Spec};

fn read_with(xml: &str, assets: &[(&str, &str)]) -> Result<(Spec, Vec<Warning>), Error> {
    let assets: HashMap<String, Vec<u8>> =
        assets.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect();
    let mut sources = Sources::default();
    sources.add(String::from("model.xml"), xml.to_owned(), None);
    let resolver = Resolver::Memory(Files::new(&assets));
    match super::read(&mut sources, Path::new("model.xml"), &resolver, &Default::default()) {
        Ok((spec, warnings)) => {
            Ok((spec, warnings.into_iter().map(|warning| warning.locate(&sources)).collect()))
        }
        Err(error) => Err(error.locate(&sources)),
    }
}

fn read(xml: &str) -> Spec {
    match read_with(xml, &[]) {
        Ok((spec, _)) => spec,
        Err(error) => panic!("{error}"),
    }
}

fn error(xml: &str) -> Error {
    match read_with(xml, &[]) {
        Ok(_) => panic!("this loads, and should not:\n{xml}"),
        Err(error) => error,
    }
}

/// The body of a number in depth-first order.
fn body(spec: &Spec, number: usize) -> &Body {
    &spec[spec.tree()[number]]
}

/// An element of a body.
fn in_body<T: InBody>(spec: &Spec, number: usize, position: usize) -> &T {
    &spec[T::of(body(spec, number))[position]]
}

/// The error of a model with `body` in its world.
fn world_error(body: &str) -> Error {
    error(&format!("<mujoco><worldbody>{body}</worldbody></mujoco>"))
}

#[test]
fn an_empty_model_has_the_defaults() {
    let spec = read("<mujoco/>");
    assert_eq!(spec.name, "MuJoCo Model");
    assert_eq!(spec.bodies.len(), 1);
    assert_eq!(body(&spec, 0).name, "world");
    assert!(spec.compiler.degree && spec.compiler.autolimits && spec.compiler.usethread);
    assert_eq!(spec.compiler.settotalmass, -1.0);
    assert_eq!(spec.size.nuser_geom, -1);
    assert_eq!(spec.size.memory, Memory(None));
    assert_eq!(spec.statistic.extent, None);
}

#[test]
fn an_error_shows_place_source_and_suggestion() {
    let error =
        error("<mujoco>\n  <worldbody>\n    <geom sise=\"0.1\"/>\n  </worldbody>\n</mujoco>");
    let expected = "\
error: unknown attribute 'sise' in element 'geom'
 --> model.xml:3:11
  |
3 |     <geom sise=\"0.1\"/>
  |           ^^^^
  = help: did you mean 'size'?";
    assert_eq!(error.to_string(), expected);
    assert_eq!(
        (error.file(), error.line(), error.column()),
        (Some("model.xml"), Some(3), Some(11))
    );
    assert_eq!((error.element(), error.attribute_name()), (Some("geom"), Some("sise")));
}

#[test]
fn an_error_in_a_text_that_is_in_no_file_shows_its_line() {
    let error = Spec::from_str("<mujoco>\n  <worldbodi/>\n</mujoco>").unwrap_err().to_string();
    assert!(error.contains("\n --> line 2, column 3\n"), "{error}");
}

#[test]
fn a_long_line_is_clipped_around_the_marker() {
    let filler = "<site/>".repeat(1000);
    let text = world_error(&format!("{filler}<geom sise=\"0.1\"/>{filler}")).to_string();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.iter().all(|line| line.chars().count() < 130), "{text}");
    let marker = lines[4].find('^').unwrap();
    assert_eq!(&lines[3][marker..marker + 4], "sise", "{text}");
}

#[test]
fn marker_and_columns_count_characters_not_bytes() {
    let error = world_error("<!-- überschrift äöü --><geom sise='1'/>");
    let text = error.to_string();
    let lines: Vec<&str> = text.lines().collect();
    let marker = lines[4].chars().position(|c| c == '^').unwrap();
    let marked: String = lines[3].chars().skip(marker).take(4).collect();
    assert_eq!(marked, "sise", "{text}");
}

#[test]
fn wrong_counts_of_numbers_are_counted() {
    let error = world_error(r#"<geom pos="1 2" size="1"/>"#);
    assert_eq!(error.message(), "'pos' expected 3 numbers, found 2");
    let error = world_error(r#"<geom size="1 2 3 4"/>"#);
    assert_eq!(error.message(), "'size' expected at most 3 numbers, found 4");
    let error = world_error(r#"<geom mass="1 2"/>"#);
    assert_eq!(error.message(), "'mass' expected 1 number, found 2");
}

#[test]
fn a_bad_number_is_marked_where_it_stands() {
    let error = world_error("\n<geom pos=\"1 2.5x 3\"/>");
    assert_eq!(error.message(), "'2.5x' in 'pos' is not a number");
    assert_eq!((error.line(), error.column()), (Some(2), Some(14)));
    assert!(error.to_string().ends_with("|              ^^^^"), "{error}");
}

#[test]
fn numbers_are_read_as_c_reads_them() {
    let body = r#"<geom pos="+1 .5 -2." size="1e-3 0x10 inf"/>"#;
    let spec = read(&format!("<mujoco><worldbody>{body}</worldbody></mujoco>"));
    let geom = in_body::<Geom>(&spec, 0, 0);
    assert_eq!(geom.pos, Vec3::new(1.0, 0.5, -2.0));
    assert_eq!(geom.size, Vec3::new(1e-3, 16.0, f64::INFINITY));
}

#[test]
fn nan_fractions_and_huge_numbers_are_refused() {
    assert!(world_error(r#"<geom pos="0 nan 0"/>"#).message().contains("not a usable number"));
    assert!(world_error(r#"<geom group="1.5"/>"#).message().contains("not an integer"));
    assert!(world_error(r#"<geom group="99999999999"/>"#).message().contains("too large"));
    assert!(world_error(r#"<geom mass="1e400"/>"#).message().contains("too large"));
    assert!(world_error(r#"<geom mass="1,5"/>"#).message().contains("not a number"));
    assert!(world_error(r#"<geom rgba="1e39 0 0 1"/>"#).message().contains("too large"));
}

#[test]
fn numbers_left_blank_count_as_not_given() {
    let spec = read(r#"<mujoco><worldbody><geom pos=" " mass=""/></worldbody></mujoco>"#);
    assert_eq!(in_body::<Geom>(&spec, 0, 0).mass, None);
    assert_eq!(in_body::<Geom>(&spec, 0, 0).pos, Vec3::ZERO);
}

#[test]
fn fewer_numbers_keep_the_rest_of_the_default() {
    let spec =
        read(r#"<mujoco><worldbody><geom friction="0.5" solimp="0.8 0.9"/></worldbody></mujoco>"#);
    let geom = in_body::<Geom>(&spec, 0, 0);
    assert_eq!(geom.friction, [0.5, 0.005, 0.0001]);
    assert_eq!(geom.solimp, [0.8, 0.9, 0.001, 0.5, 2.0]);
}

#[test]
fn a_wrong_keyword_lists_the_right_ones() {
    let error = world_error(r#"<body><joint type="slidr"/></body>"#);
    assert_eq!(error.message(), "'slidr' is not a value of 'type'");
    assert_eq!(error.advice(), Some("did you mean 'slide'?"));
    let error = world_error(r#"<body><joint type="prismatic"/></body>"#);
    assert_eq!(error.advice(), Some("the values are 'free', 'ball', 'slide', 'hinge'"));
}

#[test]
fn unknown_elements_are_errors_inside_frames_too() {
    let error = world_error("<frame><goem/></frame>");
    assert_eq!(error.message(), "unknown element 'goem' in element 'frame'");
    assert_eq!(error.advice(), Some("did you mean 'geom'?"));
    let error = world_error(r#"<frame><geom sise="1"/></frame>"#);
    assert_eq!(error.message(), "unknown attribute 'sise' in element 'geom'");
    let error = world_error("<site><geom/></site>");
    assert_eq!(error.message(), "unknown element 'geom' in element 'site'");
    assert!(self::error("<mujoco><wordbody/></mujoco>").advice().unwrap().contains("worldbody"));
}

#[test]
fn elements_of_later_slices_are_named_as_not_supported() {
    for (xml, name) in [
        ("<asset><mesh name='m'><plugin/></mesh></asset>", "plugin"),
        ("<actuator><plugin/></actuator>", "plugin"),
        ("<sensor><tactile/></sensor>", "tactile"),
        ("<worldbody><flexcomp name='f'><plugin/></flexcomp></worldbody>", "plugin"),
        ("<worldbody><geom><plugin/></geom></worldbody>", "plugin"),
    ] {
        let error = error(&format!("<mujoco>\n{xml}</mujoco>"));
        assert_eq!(error.message(), format!("element '{name}' is not supported yet"));
        assert_eq!(error.line(), Some(2));
    }
    read("<mujoco><asset/><sensor/></mujoco>");
}

#[test]
fn classes_inherit_and_elements_read_over_them() {
    let spec = read(
        r#"<mujoco>
        <worldbody>
          <geom/>
          <geom class="inner" mass="2"/>
          <body childclass="inner">
            <geom/>
            <geom class="main"/>
            <frame childclass="outer"><geom/><body><geom/></body></frame>
            <freejoint/>
          </body>
        </worldbody>
        <default>
          <geom size="1" rgba="1 0 0 1"/>
          <default class="outer">
            <default class="inner"><geom size="3"/></default>
            <geom size="2" group="2"/>
            <joint damping="5" group="3"/>
          </default>
        </default>
        </mujoco>"#,
    );
    let size = |body: usize, geom: usize| in_body::<Geom>(&spec, body, geom).size.x;
    assert_eq!([size(0, 0), size(0, 1)], [1.0, 3.0]);
    assert_eq!([size(1, 0), size(1, 1), size(1, 2)], [3.0, 1.0, 2.0]);
    assert_eq!(size(2, 0), 2.0);
    // the own elements of a class come before the classes inside, whatever their order
    assert_eq!(in_body::<Geom>(&spec, 0, 1).group, 2);
    assert_eq!(in_body::<Geom>(&spec, 0, 1).rgba, [1.0, 0.0, 0.0, 1.0]);
    assert_eq!(in_body::<Geom>(&spec, 0, 1).mass, Some(2.0));
    // a freejoint takes nothing from its class
    let joint = in_body::<Joint>(&spec, 1, 0);
    assert_eq!((joint.kind, joint.damping, joint.group), (JointType::Free, 0.0, 0));
    let classes = spec.classes.ids();
    assert_eq!(spec.classes[classes[2]].parent, Some(classes[1]));
}

#[test]
fn faults_of_classes_are_reported() {
    let nested = |inside: &str| error(&format!("<mujoco><default>{inside}</default></mujoco>"));
    assert!(nested("<default><geom/></default>").message().contains("needs a name"));
    let twice = nested(r#"<default class="a"/><default class="a"/>"#);
    assert!(twice.message().contains("already"));
    assert!(nested("<geom/><geom/>").message().contains("only once"));
    assert!(nested(r#"<geom name="a"/>"#).message().contains("unknown attribute 'name'"));
    assert!(nested(r#"<camera target="a"/>"#).message().contains("unknown attribute 'target'"));
    let renamed = error(r#"<mujoco><default class="top"/></mujoco>"#);
    assert!(renamed.message().contains("'main'"));
    let unknown = error(
        r#"<mujoco><default><default class="wheel"/></default>
        <worldbody><geom class="weel"/></worldbody></mujoco>"#,
    );
    assert_eq!(unknown.message(), "unknown default class 'weel'");
    assert_eq!(unknown.advice(), Some("did you mean 'wheel'?"));
}

#[test]
fn an_orientation_of_the_class_beats_a_quaternion_of_the_element() {
    let spec = read(
        r#"<mujoco><default><geom euler="1 2 3"/></default><worldbody>
        <geom quat="0 1 0 0"/><geom zaxis="1 0 0"/><body axisangle="0 0 1 90"/>
        <body xyaxes="1 0 0 0 1 0"/></worldbody></mujoco>"#,
    );
    let [a, b] =
        [in_body::<Geom>(&spec, 0, 0), in_body::<Geom>(&spec, 0, 1)].map(|geom| geom.orientation);
    assert_eq!(a.quat, Quat::new(0.0, 1.0, 0.0, 0.0));
    assert_eq!(a.alternative, Some(Alternative::Euler(Vec3::new(1.0, 2.0, 3.0))));
    assert_eq!(b.alternative, Some(Alternative::ZAxis(Vec3::X)));
    let alternative = body(&spec, 1).orientation.alternative;
    assert_eq!(alternative, Some(Alternative::AxisAngle([0.0, 0.0, 1.0, 90.0])));
    let alternative = body(&spec, 2).orientation.alternative;
    assert_eq!(alternative, Some(Alternative::XyAxes([1.0, 0.0, 0.0, 0.0, 1.0, 0.0])));
}

#[test]
fn faults_of_orientations_are_reported() {
    let error = world_error(r#"<geom quat="1 0 0 0" euler="0 0 0"/>"#);
    assert!(error.message().contains("more than one way"));
    assert!(world_error(r#"<geom quat="0 0 0 0"/>"#).message().contains("cannot be zero"));
    let inertial = r#"<inertial pos="0 0 0" mass="1" fullinertia="1 1 1 0 0 0" quat="1 0 0 0"/>"#;
    let error = world_error(&format!("<body>{inertial}</body>"));
    assert!(error.message().contains("fullinertia"));
}

#[test]
fn bodies_are_in_depth_first_order_with_their_frames() {
    let spec = read(
        r#"<mujoco><worldbody>
        <body name="a"><body name="b"/><frame pos="1 0 0"><frame pos="2 0 0"><body name="c">
        <geom/></body></frame><geom/></frame><body name="d"/></body>
        </worldbody><worldbody><body name="e"/></worldbody></mujoco>"#,
    );
    let tree = spec.tree();
    let names: Vec<&str> = tree.iter().map(|&body| spec[body].name.as_str()).collect();
    assert_eq!(names, ["world", "a", "b", "c", "d", "e"]);
    let parent = |&body: &Id<Body>| spec[body].parent.map(|parent| spec[parent].name.as_str());
    let parents: Vec<_> = tree.iter().map(parent).collect();
    let [a, world] = [Some("a"), Some("world")];
    assert_eq!(parents, [None, world, a, a, a, world]);
    let [outer, inner] = [spec.frames.ids()[0], spec.frames.ids()[1]];
    assert_eq!(body(&spec, 3).frame, Some(inner));
    assert_eq!(in_body::<Geom>(&spec, 3, 0).frame, None);
    assert_eq!(in_body::<Geom>(&spec, 1, 0).frame, Some(outer));
    assert_eq!((spec[inner].frame, spec[inner].parent), (Some(outer), Some(tree[1])));
}

#[test]
fn the_world_has_no_attributes_joints_or_inertia() {
    let error = error(r#"<mujoco><worldbody name="w"/></mujoco>"#);
    assert_eq!(error.message(), "unknown attribute 'name' in element 'worldbody'");
    for joint in ["<joint/>", "<freejoint/>"] {
        let error = world_error(joint);
        assert_eq!(error.message(), "the world cannot have joints");
        assert_eq!(error.advice(), Some("put the joint inside a 'body'"));
    }
    assert!(world_error("<frame><freejoint/></frame>").message().contains("joints"));
    assert!(world_error(r#"<inertial pos="0 0 0" mass="1"/>"#).message().contains("inertia"));
}

#[test]
fn required_attributes_are_missed() {
    let error = world_error(r#"<body><inertial pos="0 0 0"/></body>"#);
    assert_eq!(error.message(), "element 'inertial' needs the attribute 'mass'");
    let error = self::error("<mujoco><custom><numeric data='1'/></custom></mujoco>");
    assert_eq!(error.message(), "element 'numeric' needs the attribute 'name'");
}

#[test]
fn every_flag_sets_its_bit() {
    let spec = read(
        r#"<mujoco><option actuatorgroupdisable="0 3 30">
        <flag contact="disable" island="disable" gravity="enable" energy="enable" sleep="enable"/>
        </option><option timestep="0.001"><flag contact="enable" sleep="disable"/></option>
        </mujoco>"#,
    );
    assert_eq!(spec.option.disableflags, Disable::Island as i32);
    assert_eq!(spec.option.enableflags, Enable::Energy as i32);
    assert_eq!(spec.option.disableactuator, 1 | 1 << 3 | 1 << 30);
    assert_eq!(spec.option.timestep, 0.001);
    let error = error(r#"<mujoco><option actuatorgroupdisable="31"/></mujoco>"#);
    assert!(error.message().contains("from 0 to 30"));
}

#[test]
fn old_spellings_load_with_a_warning() {
    let xml = "<mujoco>\n<compiler exactmeshinertia=\"true\"/>\n\
               <option><flag passive=\"disable\"/></option></mujoco>";
    let (spec, warnings) = read_with(xml, &[]).unwrap();
    assert_eq!(spec.option.disableflags, Disable::Spring as i32 | Disable::Damper as i32);
    assert_eq!(warnings.len(), 2);
    assert_eq!((warnings[0].line(), warnings[1].line()), (Some(2), Some(3)));
    assert!(warnings[0].to_string().starts_with("warning: "));
    assert!(warnings[1].to_string().contains("^^^^^^^^^^^^^^^^^"), "{}", warnings[1]);
}

#[test]
fn memory_has_suffixes() {
    let memory =
        |text: &str| read(&format!("<mujoco><size memory='{text}'/></mujoco>")).size.memory;
    assert_eq!(memory("-1"), Memory(None));
    assert_eq!(memory("123"), Memory(Some(123)));
    assert_eq!(memory(" 10K "), Memory(Some(10 << 10)));
    assert_eq!(memory("3m"), Memory(Some(3 << 20)));
    assert_eq!(memory("2G"), Memory(Some(2 << 30)));
    for wrong in ["", "-5", "1.5M", "10KB", "K", "99E", "18446744073709551616"] {
        let error = error(&format!("<mujoco><size memory='{wrong}'/></mujoco>"));
        assert_eq!(error.attribute_name(), Some("memory"), "{wrong}");
    }
    let error = error("<mujoco><size memory='1M' njmax='5'/></mujoco>");
    assert!(error.message().contains("cannot both"));
    assert!(self::error("<mujoco><size nuser_geom='-2'/></mujoco>").message().contains("at least"));
}

#[test]
fn compiler_settings_overlay_each_other() {
    let spec = read(
        r#"<mujoco><compiler angle="radian" assetdir="a" texturedir="t" eulerseq="zYx"/>
        <compiler meshdir="m" inertiagrouprange="1 2"><lengthrange mode="all" accel="3"/></compiler>
        </mujoco>"#,
    );
    let compiler = &spec.compiler;
    assert!(!compiler.degree);
    assert_eq!((compiler.meshdir.as_str(), compiler.texturedir.as_str()), ("m", "t"));
    assert_eq!(&compiler.eulerseq.0, b"zYx");
    assert_eq!(compiler.inertiagrouprange, [1, 2]);
    assert_eq!((compiler.lengthrange.accel, compiler.lengthrange.interval), (3.0, 2.0));
    for wrong in ["eulerseq='xy'", "eulerseq='abc'", "coordinate='global'", "angle='grad'"] {
        error(&format!("<mujoco><compiler {wrong}/></mujoco>"));
    }
}

#[test]
fn visual_statistic_keyframe_and_custom_are_read() {
    let spec = read(
        r#"<mujoco model="m"><!-- hello --><visual><map znear="0.5"/><rgba bv="1 2 3 4"/></visual>
        <statistic extent="2" center="1 2 3"/>
        <keyframe><key name="k" time="3" qpos="1 2 3"/><key/></keyframe>
        <custom><numeric name="n" size="4" data="1 2"/><text name="t" data="x y"/>
        <tuple name="u"><element objtype="geom" objname="g" prm="2"/></tuple></custom></mujoco>"#,
    );
    assert_eq!((spec.name.as_str(), spec.comment.as_str()), ("m", " hello "));
    assert_eq!((spec.visual.map.znear, spec.visual.rgba.bv), (0.5, [1.0, 2.0, 3.0, 4.0]));
    assert_eq!(spec.statistic.extent, Some(2.0));
    assert_eq!(spec.statistic.center, Some(Vec3::new(1.0, 2.0, 3.0)));
    assert_eq!(
        (spec.keys.at(0).unwrap().time, &spec.keys.at(0).unwrap().qpos[..]),
        (3.0, &[1.0, 2.0, 3.0][..])
    );
    assert!(spec.keys.at(1).unwrap().qpos.is_empty());
    assert_eq!(
        (spec.numerics.at(0).unwrap().size, &spec.numerics.at(0).unwrap().data[..]),
        (Some(4), &[1.0, 2.0][..])
    );
    assert_eq!(spec.texts.at(0).unwrap().data, "x y");
    assert_eq!(spec.tuples.at(0).unwrap().elements[0].objtype, ObjType::Geom);
    assert_eq!(spec.tuples.at(0).unwrap().elements[0].prm, 2.0);
    error("<mujoco><statistic extent='0'/></mujoco>");
    error("<mujoco><visual><map znear='0'/></visual></mujoco>");
    error("<mujoco><visual><map/><map/></visual></mujoco>");
    error("<mujoco><custom><numeric name='n' size='501'/></custom></mujoco>");
    error("<mujoco><custom><numeric name='n' size='1' data='1 2'/></custom></mujoco>");
    error("<mujoco><custom><text name='n' data=''/></custom></mujoco>");
}

#[test]
fn cameras_and_lights_check_what_excludes_each_other() {
    let spec = read(
        r#"<mujoco><worldbody><camera resolution="3 4" output="depth segmentation" fovy="30"/>
        <light directional="true"/><light type="point"/></worldbody></mujoco>"#,
    );
    let camera = in_body::<Camera>(&spec, 0, 0);
    assert_eq!((camera.resolution, camera.output), ([3, 4], 2 | 16));
    assert_eq!(in_body::<Light>(&spec, 0, 0).kind as i32, 1);
    assert_eq!(in_body::<Light>(&spec, 0, 1).kind as i32, 2);
    world_error(r#"<camera fovy="30" sensorsize="1 1"/>"#);
    world_error(r#"<camera output="depth depth"/>"#);
    world_error(r#"<light directional="true" type="spot"/>"#);
}

#[test]
fn an_include_stands_for_the_elements_of_its_file() {
    let assets = [
        ("parts/body.xml", "<x><body name='b'><include file='geoms.xml'/></body></x>"),
        ("parts/geoms.xml", "<x><geom type='box'/><include file='common.xml'/></x>"),
        ("common.xml", "<x><site/></x>"),
    ];
    let xml = "<mujoco><worldbody><include file='./parts/body.xml'/><body name='c'/></worldbody></mujoco>";
    let (spec, _) = read_with(xml, &assets).unwrap();
    assert_eq!(body(&spec, 1).name, "b");
    assert_eq!(in_body::<Geom>(&spec, 1, 0).kind, GeomType::Box);
    assert_eq!(body(&spec, 1).sites.len(), 1);
    assert_eq!(body(&spec, 2).name, "c");
}

#[test]
fn a_file_in_memory_is_also_found_by_its_last_part_in_any_case() {
    let load = |name: &str, keys: &[&str]| {
        let assets: Vec<(&str, &str)> = keys.iter().map(|key| (*key, "<x><site/></x>")).collect();
        let xml = format!("<mujoco><worldbody><include file='{name}'/></worldbody></mujoco>");
        read_with(&xml, &assets).is_ok()
    };
    assert!(load("a.xml", &["A.xml"]));
    assert!(load("sub/a.xml", &["a.xml"]));
    assert!(load("a.xml", &["./sub/a.xml"]));
    assert!(load("x/a.xml", &["x/a.xml", "y/a.xml"]));
    assert!(!load("a.xml", &["x/a.xml", "y/a.xml"]));
}

#[test]
fn an_error_in_an_included_file_shows_how_it_got_there() {
    let assets =
        [("a.xml", "<x>\n\n<include file='b.xml'/></x>"), ("b.xml", "<x>\n<geom sise='1'/></x>")];
    let xml = "<mujoco><worldbody>\n<include file='a.xml'/></worldbody></mujoco>";
    let error = read_with(xml, &assets).unwrap_err();
    let text = error.to_string();
    assert_eq!((error.file(), error.line()), (Some("b.xml"), Some(2)));
    assert!(text.contains("included from a.xml:3\n     included from model.xml:2"), "{text}");
}

#[test]
fn faults_of_includes_are_reported() {
    let include = |inside: &str, assets: &[(&str, &str)]| {
        read_with(&format!("<mujoco>\n{inside}</mujoco>"), assets).unwrap_err()
    };
    let error = include("<include file='no.xml'/>", &[]);
    assert_eq!(error.message(), "cannot read 'no.xml': there is no such file");
    let error = include("<include/>", &[]);
    assert_eq!(error.message(), "element 'include' needs the attribute 'file'");
    let twice = "<include file='a.xml'/><include file='./a.xml'/>";
    let error = include(twice, &[("a.xml", "<x><option/></x>")]);
    assert!(error.message().contains("already part of the model"));
    let error = include("<include file='a.xml'/>", &[("a.xml", "<x><include file='a.xml'/></x>")]);
    assert!(error.message().contains("already part of the model"));
    let error = include("<include file='a.xml'/>", &[("a.xml", "<x/>")]);
    assert_eq!(error.message(), "the included file is empty");
    let error = include("<include file='a.xml'>text</include>", &[]);
    assert_eq!(error.message(), "'include' must be empty");
    let error = include("<include file='a.xml'/>", &[("a.xml", "<x><option></x>")]);
    assert_eq!((error.file(), error.line()), (Some("a.xml"), Some(1)));
}

#[test]
fn hostile_texts_are_refused() {
    let deep = "<body>".repeat(100_000) + &"</body>".repeat(100_000);
    assert!(world_error(&deep).message().contains("500 levels"));
    let attributes: String = (0..2000).map(|i| format!(" a{i}='1'")).collect();
    assert!(world_error(&format!("<geom{attributes}/>")).message().contains("1000 attributes"));
    let namespaces: String = (0..200).map(|i| format!(" xmlns:a{i}='1'")).collect();
    assert!(world_error(&format!("<geom{namespaces}/>")).message().contains("namespaces"));
    let bomb = "<!DOCTYPE a [<!ENTITY b 'c'>]><mujoco model='&b;'/>";
    assert!(error(bomb).message().contains("document types"));
    let chain: Vec<(String, String)> = (0..600)
        .map(|i| (format!("{i}.xml"), format!("<x><include file='{}.xml'/></x>", i + 1)))
        .chain([(String::from("600.xml"), String::from("<x><site/></x>"))])
        .collect();
    let chain: Vec<(&str, &str)> = chain.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    let xml = "<mujoco><worldbody><include file='0.xml'/></worldbody></mujoco>";
    assert!(read_with(xml, &chain).unwrap_err().message().contains("500 levels"));
}

#[test]
fn malformed_xml_is_reported_with_its_place() {
    let error = error("<mujoco>\n  <worldbody>\n  </worldboddy>\n</mujoco>");
    assert_eq!(error.message(), "malformed XML: expected 'worldbody' tag, not 'worldboddy'");
    assert_eq!(error.line(), Some(3));
    for text in
        ["", "hello", "<mujoco", "<mujoco>", "<mujoco></mujoco><b/>", "<!--", "<a b=\"", "<"]
    {
        self::error(text);
    }
    assert!(self::error("<model/>").message().contains("expected 'mujoco'"));
}

#[test]
fn comments_may_have_dashes_in_them() {
    let spec = read("<mujoco><!-- a -- b --->\n<worldbody><geom name='g'/></worldbody></mujoco>");
    assert_eq!(in_body::<Geom>(&spec, 0, 0).name, "g");
}

#[test]
fn prologs_that_mujoco_accepts_are_accepted() {
    read("\n  <?xml version=\"1.0\"?>\n<mujoco/>");
    read("<!DOCTYPE mujoco>\n<mujoco/>");
    read("\u{feff}<?xml version=\"1.0\"?><mujoco/>");
    let error = error("\n <?xml version='1.0'?>\n<mujoco modle='a'/>");
    assert_eq!((error.line(), error.column()), (Some(3), Some(9)));
    let error = self::error("<mujoco model='a&b'/>");
    assert_eq!(error.advice(), Some("write '&amp;' for '&' and '&lt;' for '<'"));
}

#[test]
fn joints_read_every_attribute() {
    let spec = read(
        r#"<mujoco><worldbody><body><joint name="j" type="slide" group="1" pos="1 2 3" axis="1 0 0"
        springdamper="1 2" limited="true" actuatorfrclimited="false" solreflimit="3 4"
        solimplimit="1 2 3 4 5" solreffriction="5 6" solimpfriction="6 7 8 9 10" stiffness="7"
        range="-1 1" actuatorfrcrange="-2 2" actuatorgravcomp="true" margin="8" ref="9"
        springref="10" armature="11" damping="12" frictionloss="13" user="1 2"/></body></worldbody>
        </mujoco>"#,
    );
    let joint = in_body::<Joint>(&spec, 1, 0);
    assert_eq!((joint.name.as_str(), joint.kind, joint.group), ("j", JointType::Slide, 1));
    assert_eq!((joint.pos, joint.axis), (Vec3::new(1.0, 2.0, 3.0), Vec3::X));
    assert_eq!((joint.limited, joint.actuatorfrclimited), (Limited::True, Limited::False));
    assert_eq!((joint.solreflimit, joint.solreffriction), ([3.0, 4.0], [5.0, 6.0]));
    assert_eq!(joint.solimplimit, [1.0, 2.0, 3.0, 4.0, 5.0]);
    assert_eq!(joint.solimpfriction, [6.0, 7.0, 8.0, 9.0, 10.0]);
    assert_eq!((joint.springdamper, joint.range), ([1.0, 2.0], [-1.0, 1.0]));
    assert_eq!((joint.actuatorfrcrange, joint.actuatorgravcomp), ([-2.0, 2.0], true));
    assert_eq!([joint.stiffness, joint.margin, joint.reference], [7.0, 8.0, 9.0]);
    assert_eq!([joint.springref, joint.armature], [10.0, 11.0]);
    assert_eq!([joint.damping, joint.frictionloss], [12.0, 13.0]);
    assert_eq!(joint.user, [1.0, 2.0]);
}
