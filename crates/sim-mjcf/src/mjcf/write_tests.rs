//! Tests of writing.

use std::collections::HashMap;

use sim_core::math::Vec3;

use crate::Spec;
use crate::spec::Number;
use crate::spec::{Body, Geom, Info, Site};

/// Writes what was read, after checking that writing it again changes nothing.
fn rewrite(xml: &str) -> String {
    let text = Spec::from_str(xml).unwrap_or_else(|error| panic!("{error}")).to_xml();
    let again = Spec::from_str(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(again.to_xml(), text);
    text
}

/// Checks that `inside`, with the indentation of its first line removed, is written as it is.
fn keeps(inside: &str) {
    let xml = format!("<mujoco>\n{inside}\n</mujoco>\n");
    assert_eq!(rewrite(&xml), xml);
}

/// Checks what is written for `inside`.
fn becomes(inside: &str, expected: &str) {
    assert_eq!(rewrite(&format!("<mujoco>{inside}</mujoco>")), expected);
}

#[test]
fn saveinertial_says_the_inertia_of_every_body() {
    let xml = "<mujoco><compiler saveinertial='true'/><worldbody><body><freejoint/>\
               <geom size='1' mass='5' pos='1 0 0'/></body></worldbody></mujoco>";
    let text = rewrite(xml);
    let inertial = "<inertial pos=\"1 0 0\" mass=\"5\" diaginertia=\"2 2 2\"/>";
    assert!(text.contains(inertial), "{text}");
}

#[test]
fn elements_that_know_nothing_of_the_classes_around_them_are_written_without() {
    let text = rewrite(
        "<mujoco><default><geom mass='3'/></default><worldbody>\
         <composite type='cable' count='4' curve='s'><geom type='capsule' size='.1'/></composite>\
         <geom size='.1'/></worldbody></mujoco>",
    );
    assert!(!text.contains("<default>"), "{text}");
    assert_eq!(text.matches("mass").count(), 1, "{text}");
}

#[test]
fn what_is_default_is_not_written() {
    becomes("", "<mujoco/>\n");
    becomes(
        "<compiler angle='degree'/><option timestep='2e-3'><flag gravity='enable'/></option>
         <size/><visual><map/></visual><statistic/><default/><custom/><worldbody/><keyframe/>",
        "<mujoco/>\n",
    );
    becomes(
        "<worldbody><geom type='sphere' size='0.1 0 0' pos='0 0 0' quat='1 0 0 0'/></worldbody>",
        "<mujoco>\n  <worldbody>\n    <geom size=\"0.1\"/>\n  </worldbody>\n</mujoco>\n",
    );
}

#[test]
fn settings_are_written() {
    keeps(
        r#"  <compiler settotalmass="3" angle="radian" eulerseq="zYx" meshdir="m" texturedir="t" inertiagrouprange="1 2">
    <lengthrange mode="all" accel="3"/>
  </compiler>
  <option timestep="0.001" gravity="0 0 -1" o_solimp="0.9 0.95 0.002" integrator="RK4" actuatorgroupdisable="0 3 30">
    <flag contact="disable" spring="disable" damper="disable" energy="enable"/>
  </option>
  <size memory="3M" nuserdata="4" nuser_geom="2"/>
  <visual>
    <global orthographic="true" offwidth="100"/>
    <map znear="0.5"/>
    <rgba bv="1 0.2 0.3 4"/>
  </visual>
  <statistic extent="2" center="1 2 3"/>
  <custom>
    <numeric name="n" size="4" data="1 2"/>
    <text name="t" data="x y"/>
    <tuple name="u">
      <element objtype="geom" objname="g" prm="2"/>
    </tuple>
  </custom>
  <keyframe>
    <key name="k" time="3" qpos="1 2 3"/>
    <key/>
  </keyframe>"#,
    );
}

#[test]
fn other_spellings_become_the_usual_ones() {
    becomes(
        "<compiler assetdir='a' exactmeshinertia='true' coordinate='local'/>
         <option><flag passive='disable'/></option>
         <worldbody><light directional='true'/></worldbody>",
        r#"<mujoco>
  <compiler meshdir="a" texturedir="a"/>
  <option>
    <flag spring="disable" damper="disable"/>
  </option>
  <worldbody>
    <light type="directional"/>
  </worldbody>
</mujoco>
"#,
    );
}

#[test]
fn elements_say_how_they_differ_from_their_class() {
    keeps(
        r#"  <default>
    <joint damping="1"/>
    <geom friction="2 0.02" user="1 2"/>
    <camera user="5"/>
    <default class="a">
      <joint damping="2"/>
      <geom euler="0 0 90"/>
      <default class="b">
        <geom mass="3"/>
      </default>
    </default>
    <default class="c"/>
  </default>
  <worldbody>
    <camera name="eye" class="c" user="6"/>
    <body name="one" childclass="a">
      <joint/>
      <joint name="j" class="main" axis="0 1 0"/>
      <geom size="1"/>
      <geom class="b" size="1" user="1 3"/>
      <body>
        <freejoint group="3" align="false"/>
        <geom friction="1"/>
        <frame childclass="b">
          <geom zaxis="1 0 0"/>
          <geom class="a"/>
        </frame>
      </body>
    </body>
  </worldbody>"#,
    );
}

#[test]
fn elements_of_a_kind_keep_their_order_through_frames() {
    let xml = r#"<mujoco><worldbody><body>
        <geom name="g1"/><frame name="f" pos="1 0 0"><site name="s1"/><geom name="g2"/>
        <frame euler="1 2 3"><body name="b1"/><geom name="g3"/></frame><geom name="g4"/></frame>
        <body name="b2"/><geom name="g5"/><frame/><frame pos="2 0 0"><geom name="g6"/><body/></frame>
        <site name="s2"/></body></worldbody></mujoco>"#;
    let expected = r#"<mujoco>
  <worldbody>
    <body>
      <geom name="g1"/>
      <frame name="f" pos="1 0 0">
        <geom name="g2"/>
        <site name="s1"/>
        <frame euler="1 2 3">
          <geom name="g3"/>
          <body name="b1"/>
        </frame>
        <geom name="g4"/>
      </frame>
      <geom name="g5"/>
      <site name="s2"/>
      <body name="b2"/>
      <frame pos="2 0 0">
        <geom name="g6"/>
        <body/>
      </frame>
    </body>
  </worldbody>
</mujoco>
"#;
    assert_eq!(rewrite(xml), expected);
}

#[test]
fn a_frame_is_split_where_no_order_of_the_elements_would_keep_it_in_one_piece() {
    let xml = r#"<mujoco><worldbody><frame name="f" pos="1 0 0"><geom name="a"/><site name="b"/>
        </frame><geom name="c"/><site name="d"/></worldbody></mujoco>"#;
    let mut spec = Spec::from_str(xml).unwrap();
    spec[Body::WORLD].sites.reverse();
    let mut third = spec.geoms.at(0).unwrap().clone();
    third.name.push('2');
    spec.add_to(Body::WORLD, third);
    let again = Spec::from_str(&spec.to_xml()).unwrap();
    let names = |spec: &Spec| -> Vec<(String, Option<Vec3>)> {
        let place = |info: &Info| (info.name.clone(), info.frame.map(|frame| spec[frame].pos));
        let world = &spec[Body::WORLD];
        let geoms = spec.in_body::<Geom>(world).map(|geom| place(geom));
        let sites = spec.in_body::<Site>(world).map(|site| place(site));
        geoms.chain(sites).collect()
    };
    assert_eq!(names(&again), names(&spec));
}

#[test]
fn inertias_and_orientations_keep_their_form() {
    keeps(
        r#"  <worldbody>
    <body pos="1 2 3" xyaxes="1 0 0 0 1 0" gravcomp="0.5" sleep="never" user="1 2">
      <inertial pos="0 0 0" mass="1" fullinertia="1 1 1 0 0 0"/>
      <joint type="slide" limited="true" range="-1 1"/>
      <geom type="capsule" size="0.1" mass="0" fromto="0 0 0 0 0 1"/>
      <geom axisangle="0 0 1 90"/>
      <site quat="0 1 0 0"/>
      <camera output="depth segmentation" mode="track"/>
    </body>
    <body mocap="true">
      <inertial pos="0 0 1" quat="0 0 0 2" mass="1" diaginertia="1 1 1"/>
    </body>
  </worldbody>"#,
    );
}

#[test]
fn numbers_read_back_to_the_same_bits() {
    let check = |x: f64| {
        let mut text = String::new();
        x.print(&mut text);
        assert_eq!(f64::parse(&text).map(f64::to_bits), Ok(x.to_bits()), "{text}");
        let (x, mut text) = (x as f32, String::new());
        x.print(&mut text);
        if x.is_finite() {
            assert_eq!(f32::parse(&text).map(f32::to_bits), Ok(x.to_bits()), "{text}");
        }
        text
    };
    for x in [0.1 + 0.2, 1.0 / 3.0, f64::MIN_POSITIVE, 5e-324, f64::MAX, 1e16, -1e-7, f64::INFINITY]
    {
        check(x);
        check(-x);
    }
    assert_eq!(
        [0.0, -0.0, 3.0, -0.5, 1e22, 1e-9].map(check),
        ["0", "-0", "3", "-0.5", "1e22", "1e-9"]
    );
}

#[test]
fn texts_are_escaped() {
    let xml = "<mujoco model=\"a &amp; &lt;b&gt; &quot;c&quot; 'd'\"><!-- e -->
        <custom><text name='t' data='one&#10;two&#9;three &#228;'/></custom></mujoco>";
    let spec = Spec::from_str(xml).unwrap();
    assert_eq!(spec.name, "a & <b> \"c\" 'd'");
    let again = Spec::from_str(&spec.to_xml()).unwrap();
    assert_eq!((again.name, again.comment), (spec.name, spec.comment));
    assert_eq!(again.texts.at(0).unwrap().data, "one\ntwo\tthree \u{e4}");

    let spec = Spec { comment: String::from(" a -- b --- c -"), ..Spec::default() };
    assert_eq!(Spec::from_str(&spec.to_xml()).unwrap().comment, " a - - b - - - c - ");
}

#[test]
fn deep_models_can_be_written() {
    let xml = format!(
        "<mujoco><worldbody>{}<frame pos='1 0 0'><geom size='1'/></frame>{}</worldbody></mujoco>",
        "<body>".repeat(490),
        "</body>".repeat(490)
    );
    let text = rewrite(&xml);
    assert_eq!(text.matches("</body>").count(), 490);
}

/// Checks that a model with other files survives being written and read.
fn survives(xml: &str, files: &[(&str, &str)]) -> String {
    let files = files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec()));
    let files: HashMap<String, Vec<u8>> = files.collect();
    let spec = Spec::from_str_with_assets(xml, &files).unwrap_or_else(|error| panic!("{error}"));
    let first = spec.compile().unwrap_or_else(|error| panic!("{error}")).model;
    let text = spec.to_xml();
    let second = Spec::from_str_with_assets(&text, &files).and_then(|spec| spec.compile());
    let second = second.unwrap_or_else(|error| panic!("{error}\n{text}")).model;
    for field in sim_core::Model::FIELDS {
        let [a, b] = [&first, &second].map(|model| format!("{:?}", model.array(field.name)));
        assert_eq!(a, b, "{}\n{text}", field.name);
    }
    text
}

#[test]
fn relations_are_written() {
    let xml = r#"<mujoco><default><equality solref="0.03"/><tendon damping="2" rgba="1 0 0 1"/>
        <default class="servo"><position inheritrange="0.5" kp="5"/>
        <general gear="3"/></default></default>
        <worldbody><site name="s0"/><body name="a"><joint name="x" range="-10 20"/>
        <geom name="g" size="0.1"/><site name="s1" pos="1 0 0"/><site name="s2" pos="2 1 0"/></body>
        <body name="b" pos="0 0 1"><joint name="y" type="slide" range="-1 2"/><geom name="h" size="0.2"/></body>
        </worldbody>
        <contact><pair geom1="g" geom2="h" friction="2"/><exclude body1="a" body2="b"/></contact>
        <equality><connect body1="a" body2="b" anchor="1 2 3"/><weld site1="s0" site2="s1" torquescale="2"/>
        <joint joint1="x" polycoef="0 2"/><connect site1="s1" site2="s2" active="false"/></equality>
        <tendon><fixed name="f"><joint joint="x" coef="2"/><joint joint="y" coef="0"/></fixed>
        <spatial name="t" springlength="0.3"><site site="s0"/><geom geom="g" sidesite="s2"/><site site="s1"/>
        <pulley divisor="2"/><site site="s1"/><site site="s2"/></spatial></tendon>
        <actuator><motor joint="x"/><velocity joint="y" kv="2" class="servo"/><position tendon="f" kp="3" dampratio="1"/>
        <muscle tendon="t" lengthrange="0.1 1" force="100"/><intvelocity joint="y" actrange="-1 1" kp="2"/>
        <adhesion body="b" gain="3" ctrlrange="0 1"/><general joint="y" class="servo"/><damper joint="x" kv="1" ctrlrange="0 2"/>
        <cylinder joint="x" diameter="0.3"/><general site="s1" refsite="s0" gear="0 1 0 0 0 1"/></actuator>
        <sensor><gyro site="s1"/><framepos objtype="body" objname="a" reftype="site" refname="s0"/>
        <distance geom1="g" body2="b"/><contact body1="a" data="found force" num="2"/><rangefinder site="s0" data="dist normal"/>
        <user dim="0"/><clock cutoff="3"/><tendonpos tendon="t"/></sensor></mujoco>"#;
    let text = survives(xml, &[]);
    assert!(text.contains("<position inheritrange=\"0.5\"/>"), "{text}");
    assert!(text.contains("<weld site1=\"s0\" site2=\"s1\" torquescale=\"2\"/>"), "{text}");
    assert!(text.contains("<distance geom1=\"g\" body2=\"b\"/>"), "{text}");
    let xml = xml.replace(
        "<motor joint=\"x\"/>",
        "<position joint='x' inheritrange='1' kp='2' kv='3' timeconst='0.1'/>
         <intvelocity joint='x' inheritrange='1' dampratio='1'/>",
    );
    let text = survives(&xml, &[]);
    assert!(text.contains("kp=\"2\" kv=\"3\""), "{text}");
    assert!(text.contains("<intvelocity"), "{text}");
}

#[test]
fn materials_and_textures_are_written() {
    let text = survives(
        r#"<mujoco><default><material shininess="1"/><default class="c">
        <material><layer texture="t" role="normal"/></material></default></default>
        <asset><texture name="t" type="2d" builtin="checker" width="4" height="4" rgb1="1 0 0"/>
        <texture type="skybox" builtin="gradient" width="4" height="8"/>
        <material name="a" texture="t" texrepeat="2 2"/><material name="b" class="c" rgba="1 0 0 1"/>
        <material name="c"><layer texture="t" role="rgb"/><layer texture="t" role="orm"/></material></asset>
        <worldbody><geom size="1" material="a"/><site material="b"/></worldbody></mujoco>"#,
        &[],
    );
    assert!(text.contains("<material name=\"a\" texture=\"t\" texrepeat=\"2 2\"/>"), "{text}");
}

#[test]
fn attached_models_keep_their_units() {
    let part = r#"<mujoco model="part"><compiler angle="radian" eulerseq="zyx"/>
        <default><geom size="0.3"/><joint damping="2"/></default><worldbody>
        <body name="b" axisangle="0 0 1 0.3"><joint name="j" range="-0.5 1" ref="0.1"/><geom euler="0.1 0.2 0.3"/>
        </body></worldbody></mujoco>"#;
    survives(
        r#"<mujoco><default><geom user="1 2" mass="3"/></default>
        <asset><model name="part" file="part.xml"/></asset><worldbody>
        <body euler="10 20 30"><joint range="-40 70" ref="10"/><joint type="slide" axis="1 0 0"/><geom size="1"/>
        <frame euler="0 0 90"><attach model="part" body="b" prefix="p"/></frame></body>
        </worldbody></mujoco>"#,
        &[("part.xml", part)],
    );
}

#[test]
fn replicas_are_written_one_by_one() {
    let text = survives(
        r#"<mujoco><worldbody><replicate count="3" offset="1 0 0" euler="0 0 10"><body><freejoint/>
        <geom size="0.1"/></body></replicate></worldbody></mujoco>"#,
        &[],
    );
    assert_eq!(text.matches("<freejoint").count(), 3);
}
