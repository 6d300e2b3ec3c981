//! Flexes and skins: arrays as MuJoCo 3.5.0 makes them (`flex_arrays.py` writes what they are
//! compared with), errors, and writing.

use sim_core::Model;
use sim_core::fields::Array;
use sim_mjcf::{Spec, load_str};

/// Largest difference of numbers, relative to the largest of an array.
const TOLERANCE: f64 = 1e-12;

fn numbers(model: &Model, name: &str) -> Vec<f64> {
    match model.array(name) {
        Some(Array::F64(x)) => x.to_vec(),
        Some(Array::F32(x)) => x.iter().map(|&x| x.into()).collect(),
        Some(Array::I32(x)) => x.iter().map(|&x| x.into()).collect(),
        Some(Array::I64(x)) => x.iter().map(|&x| x as f64).collect(),
        Some(Array::U8(x) | Array::Char(x)) => x.iter().map(|&x| x.into()).collect(),
        None => panic!("the model has no array {name}"),
    }
}

fn parse(text: &str) -> Vec<f64> {
    text.split_ascii_whitespace().map(|word| word.parse().unwrap()).collect()
}

/// Sum, sum weighted by places, and the same of magnitudes.
fn sums(numbers: &[f64]) -> [f64; 3] {
    let mut sums = [0.0; 3];
    for (i, x) in numbers.iter().enumerate() {
        let place = (i + 1) as f64;
        sums[0] += x;
        sums[1] += place * x;
        sums[2] += place * x.abs();
    }
    sums
}

fn check_line(about: &str, model: &Model, kind: &str, name: &str, rest: &str) {
    let about = format!("{about}: {name}");
    match kind {
        "size" => assert_eq!(model.size(name), rest.parse().ok(), "{about}"),
        "integers" => assert_eq!(numbers(model, name), parse(rest), "{about}"),
        "floats" => {
            let (own, expected) = (numbers(model, name), parse(rest));
            assert_eq!(own.len(), expected.len(), "{about}");
            let scale = expected.iter().fold(1.0, |scale: f64, x| scale.max(x.abs()));
            for (i, (x, y)) in own.iter().zip(&expected).enumerate() {
                assert!((x - y).abs() <= TOLERANCE * scale, "{about} [{i}]: {x}, not {y}");
            }
        }
        "long" => {
            let (own, expected) = (numbers(model, name), parse(rest));
            assert_eq!(own.len() as f64, expected[0], "{about}");
            let own = sums(&own);
            for (x, y) in own.iter().zip(&expected[1..]) {
                let scale = expected[3].max(1.0);
                assert!((x - y).abs() <= TOLERANCE * scale, "{about}: {own:?}, not {expected:?}");
            }
        }
        _ => panic!("'{kind}' is no kind of line"),
    }
}

#[test]
fn arrays_are_those_of_mujoco() {
    let (mut about, mut model, mut count) = ("", Model::default(), 0);
    for line in include_str!("flex_arrays.txt").lines() {
        let (kind, rest) = line.split_once(' ').unwrap();
        match kind {
            "model" => about = rest,
            "xml" => {
                model = load_str(rest).unwrap_or_else(|error| panic!("{about}: {error}")).model;
                count += 1;
            }
            "meansize" => {
                let expected: f64 = rest.parse().unwrap();
                assert!((model.stat.meansize - expected).abs() <= TOLERANCE, "{about}: meansize");
            }
            kind => {
                let (name, values) = rest.split_once(' ').unwrap();
                check_line(about, &model, kind, name, values);
            }
        }
    }
    assert!(count > 20);
}

#[test]
fn what_is_written_reads_back_to_the_same_model() {
    for line in include_str!("flex_arrays.txt").lines() {
        let Some(xml) = line.strip_prefix("xml ") else { continue };
        let spec = Spec::from_str(xml).unwrap();
        // the format has no words for positions of nodes, and reads 'passive' in its own way
        if spec.flexes.iter().any(|flex| flex.passive != 0 || !flex.node.is_empty()) {
            continue;
        }
        let first = load_str(xml).unwrap().model;
        let written = spec.to_xml();
        let second = load_str(&written).unwrap_or_else(|error| panic!("{error}\n{written}")).model;
        for field in Model::FIELDS {
            let same = match (first.array(field.name), second.array(field.name)) {
                (Some(Array::F64(a)), Some(Array::F64(b))) => {
                    a.len() == b.len()
                        && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-12 * a.abs().max(1.0))
                }
                (a, b) => format!("{a:?}") == format!("{b:?}"),
            };
            assert!(same, "{} differs in\n{written}", field.name);
        }
    }
}

/// The message about a flexcomp in the world.
fn fault(attributes: &str, inside: &str) -> String {
    let xml = format!(
        "<mujoco>\n<worldbody>\n<flexcomp name='f' {attributes}>{inside}</flexcomp></worldbody>\
         </mujoco>"
    );
    let error = load_str(&xml).map(|_| xml).unwrap_err();
    assert_eq!(error.line(), Some(3), "{error}");
    error.message().to_owned()
}

#[test]
fn flexcomps_that_cannot_be_say_why() {
    let grid = "count='3 3 1'";
    let soft = "<contact selfcollide='none'/><elasticity young='1'/>";
    for (attributes, inside, part) in [
        ("dim='4'", "", "1, 2 or 3"),
        ("count='2 2 0'", "", "1 or more"),
        ("type='box' count='3 3 1'", "", "2 or more"),
        ("spacing='.5 .5 .5' radius='1'", "", "spacing"),
        ("scale='0 1 1'", "", "scale"),
        ("mass='0'", "", "mass"),
        ("inertiabox='0'", "", "inertias"),
        ("count='1 1 1'", "", "no elements"),
        ("count='3 3 3'", "", "an element has point 9"),
        ("count='3 3 1' point='0 0 0'", "", "takes no 'point'"),
        ("count='4000000 4000000 4000000' dim='3'", "", "too many"),
        ("count='100000 1 1' dim='1'", "", "at most 65533"),
        ("type='direct'", "", "points and elements"),
        ("type='direct' point='0 0'", "", "three numbers"),
        ("type='direct' point='0 0 0' element='0 0'", "", "3 points"),
        ("type='direct' point='0 0 0' element='0 1 2'", "", "point 1"),
        ("type='direct' point='0 0 0 1 0 0 0 1 0' element='0 1 2 0 1 1'", "", "twice"),
        ("type='mesh'", "", "needs a file"),
        ("type='mesh' dim='1' file='a.obj'", "", "dimension 2 or 3"),
        ("type='mesh' dim='3' file='a.obj'", "", "origin"),
        ("type='gmsh' file='a.msh'", "", "no such file"),
        (grid, "<pin id='9'/>", "point 9"),
        (grid, "<pin range='1'/>", "pairs"),
        (grid, "<pin grid='1 3'/>", "[1, 3]"),
        (grid, "<pin grid='1'/>", "as many numbers"),
        (grid, "<pin gridrange='0 0 0 3'/>", "[0, 3]"),
        ("count='3 1 1' dim='1'", "<pin grid='1'/>", "dimension 1"),
        ("type='box' count='3 3 3'", "<pin grid='1 1'/>", "type 'grid'"),
        (grid, "<edge stiffness='1'/>", "dimension 1"),
        (grid, "<edge equality='true'/><elasticity elastic2d='both'/>", "both"),
        (grid, "<elasticity young='1' poisson='.5'/>", "Poisson"),
        (grid, "<elasticity young='1' elastic2d='bend'/>", "thickness"),
        (grid, "<pin id='1'/><elasticity elastic2d='bend'/>", "three joints"),
        ("count='3 3 3' dim='3' dof='radial'", "", "axis"),
        ("count='3 3 3' dim='3'", "<contact activelayers='0'/>", "active layer"),
        ("count='3 3 3' dim='3' dof='trilinear'", "", "with itself"),
        ("count='2 3 3' dim='3' dof='trilinear'", soft, "28 elements"),
        ("count='5 5 1' dof='trilinear'", soft, "span a box"),
        ("count='3 3 1' euler='90 0 0'", "<edge equality='vert'/>", "must be flat"),
        ("count='3 3 1' texcoord='1 2'", "", "18 texture coordinates"),
        ("count='3 3 1' material='none'", "", "material 'none'"),
        (grid, "<plugin/>", "not supported"),
    ] {
        let message = fault(attributes, inside);
        assert!(message.contains(part), "{attributes} {inside}: {message}");
    }
}

#[test]
fn a_flexcomp_needs_a_body_with_a_name() {
    let xml = "<mujoco><worldbody><body><flexcomp name='f'/></body></worldbody></mujoco>";
    assert!(load_str(xml).unwrap_err().message().contains("name"));
}

#[test]
fn skins_that_cannot_be_say_why() {
    let bone = "<bone body='a' bindpos='0 0 0' bindquat='1 0 0 0' vertid='0 1 2' \
                vertweight='1 1 1'/>";
    let shape = "vertex='0 0 0 1 0 0 0 1 0' face='0 1 2'";
    for (attributes, inside, part) in [
        ("", bone, "needs vertices"),
        (shape, "", "needs vertices"),
        ("vertex='0 0 0 1' face='0 1 2'", bone, "three numbers"),
        ("vertex='0 0 0' face='0 1 2'", bone, "vertex 1"),
        (&format!("{shape} texcoord='1'"), bone, "6 texture"),
        (&format!("{shape} group='7'"), bone, "between 0 and 5"),
        (shape, &bone.replace("vertid='0 1 2'", "vertid='0 1'"), "2 vertices and 3 weights"),
        (shape, &bone.replace("vertid='0 1 2'", "vertid='0 1 3'"), "vertex 3"),
        (shape, &bone.replace("vertweight='1 1 1'", "vertweight='1 1 0'"), "positive sum"),
        (shape, &bone.replace("body='a'", "body='b'"), "no body 'b'"),
        ("file='a.obj'", "", "not a skin"),
        ("file='a.skn'", "", "no such file"),
    ] {
        let xml = format!(
            "<mujoco><worldbody><body name='a'/></worldbody>\n<deformable><skin name='s' \
             {attributes}>{inside}</skin></deformable></mujoco>"
        );
        let error = load_str(&xml).map(|_| xml).unwrap_err();
        assert!(error.message().contains(part), "{error}");
        assert_eq!(error.line(), Some(2), "{error}");
    }
}

/// What is warned about in a model of two points with a spring between them.
fn spring_warnings(timestep: f64) -> Vec<String> {
    let xml = format!(
        "<mujoco><option timestep='{timestep}'/><worldbody><flexcomp name='f' dim='1' mass='2' \
         count='2 1 1'><edge stiffness='200'/></flexcomp></worldbody></mujoco>"
    );
    load_str(&xml).unwrap().warnings.iter().map(|warning| warning.message().to_owned()).collect()
}

#[test]
fn a_time_step_too_large_for_a_stiffness_is_warned_about() {
    // two masses of 1 kg: ω = √(2k/m) = 20, and 2/ω = .1
    assert!(spring_warnings(0.1).is_empty());
    let warnings = spring_warnings(0.11);
    assert!(warnings[0].contains("flex 'f'") && warnings[0].contains("1.00e-1"), "{warnings:?}");
}
