//! Malformed models: each gives an error that says where, quickly and within little memory.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use sim_mjcf::{Error, load_file, load_str};

/// What a rejection may take.
const TIME_LIMIT: Duration = Duration::from_secs(2);
const MEMORY_LIMIT_KB: u64 = 500 * 1024;

/// Files of `bad/`, the line that the error names (none where it is about the whole file), and a
/// word that its message contains.
#[rustfmt::skip]
const CASES: &[(&str, Option<usize>, &str)] = &[
    ("empty_file", None, ""),
    ("not_xml", Some(1), ""),
    ("unclosed_element", Some(4), ""),
    ("unclosed_quote", Some(3), ""),
    ("two_roots", Some(2), ""),
    ("duplicate_attribute", Some(4), "size"),
    ("undefined_entity", Some(4), "nonsense"),
    ("wrong_root", Some(1), "robots"),
    ("unknown_element", Some(4), "geam"),
    ("unknown_section", Some(2), "worldbdy"),
    ("unknown_attribute", Some(4), "sise"),
    ("unknown_attribute_in_frame", Some(3), "poss"),
    ("unknown_attribute_of_default", Some(3), "dampin"),
    ("misplaced_element", Some(3), "geom"),
    ("repeated_inertial", Some(5), "inertial"),
    ("text_in_element", Some(5), "cubes"),
    ("not_a_number", Some(4), "0.1x"),
    ("words_for_numbers", Some(4), "small"),
    ("too_few_numbers", Some(4), "pos"),
    ("too_many_numbers", Some(4), "rgba"),
    ("too_many_sizes", Some(4), "size"),
    ("integer_expected", Some(4), "group"),
    ("integer_overflow", Some(4), "group"),
    ("number_overflow", Some(4), "pos"),
    ("nan_position", Some(4), "pos"),
    ("nan_timestep", Some(2), "timestep"),
    ("zero_timestep", Some(2), "timestep"),
    ("negative_timestep", Some(2), "timestep"),
    ("bad_boolean", Some(4), "maybe"),
    ("bad_keyword", Some(2), "Eulr"),
    ("bad_flag", Some(3), "off"),
    ("bad_eulerseq", Some(2), "eulerseq"),
    ("zero_quaternion", Some(4), "quat"),
    ("zero_axis", Some(4), "axis"),
    ("parallel_xyaxes", Some(4), "xyaxes"),
    ("two_orientations", Some(4), ""),
    ("negative_mass", Some(5), "mass"),
    ("negative_inertial_mass", Some(4), "mass"),
    ("negative_density", Some(5), "density"),
    ("moving_body_without_mass", Some(3), "ghost"),
    ("impossible_inertia", Some(4), "inertia"),
    ("both_inertias", Some(4), "inertia"),
    ("inertial_without_mass", Some(4), "mass"),
    ("geom_without_size", Some(4), "size"),
    ("negative_size", Some(4), "size"),
    ("zero_size", Some(4), "size"),
    ("point_like_fromto", Some(4), "fromto"),
    ("fromto_of_sphere", Some(4), "fromto"),
    ("plane_on_moving_body", Some(5), "plane"),
    ("bad_condim", Some(4), "condim"),
    ("joint_in_world", Some(3), "joint"),
    ("free_joint_below_the_top", Some(5), "free"),
    ("free_joint_and_another", Some(4), ""),
    ("two_balls", Some(5), ""),
    ("too_many_dofs", None, ""),
    ("duplicate_names", Some(4), "same"),
    ("duplicate_joint_names", Some(4), "j"),
    ("unknown_class", Some(4), "nobody"),
    ("unknown_childclass", Some(3), "nobody"),
    ("duplicate_class", Some(4), "x"),
    ("class_without_name", Some(3), "class"),
    ("unknown_camera_target", Some(3), "nobody"),
    ("unknown_tuple_member", Some(3), "nobody"),
    ("mocap_below_the_top", Some(4), "mocap"),
    ("mocap_with_joint", Some(3), "mocap"),
    ("huge_nkey", Some(2), "nkey"),
    ("huge_nuser", Some(2), "nuser_body"),
    ("huge_nuserdata", Some(2), "nuserdata"),
    ("huge_numeric", Some(3), "size"),
    ("negative_numeric_size", Some(3), "size"),
    ("reserved_class_world", Some(3), "world"),
    ("later_element", Some(2), "extension"),
    ("unknown_sensor_site", Some(6), "tipp"),
    ("weld_to_itself", Some(6), "itself"),
    ("unknown_pair_geom", Some(6), "nothing"),
    ("huge_sensor", Some(3), "limit"),
    ("include_missing", Some(2), "there_is_no_such_file.xml"),
    ("include_itself", Some(2), "include_itself.xml"),
    ("include_cycle", None, "cycle"),
    ("include_twice", Some(3), "fine.xml"),
    ("include_without_file", Some(2), "file"),
    ("include_of_a_directory", Some(2), "parts"),
    ("include_with_children", Some(2), "include"),
    ("include_of_a_broken_part", Some(3), "sise"),
];

/// Files of `bad/` that the reference accepts without a word although they make no sense: they
/// load, with a warning that names the line.
#[rustfmt::skip]
const WARNED: &[(&str, usize, &str)] = &[
    ("infinite_gravity", 2, "gravity"),
    ("reversed_range", 4, "range"),
    ("negative_armature", 4, "armature"),
    ("short_key", 6, "qpos"),
];

fn bad_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("bad")
}

/// Loads within the time limit and returns the error.
fn rejection<T>(name: &str, load: impl FnOnce() -> Result<T, Error>) -> Error {
    let start = Instant::now();
    let result = load();
    let elapsed = start.elapsed();
    assert!(elapsed < TIME_LIMIT, "{name}: took {elapsed:?}");
    match result {
        Ok(_) => panic!("{name}: accepted"),
        Err(err) => err,
    }
}

/// Largest resident memory of this process so far, in kB; 0 where the system does not say.
fn peak_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok()).unwrap_or(0)
}

/// A file that lives as long as the test.
struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str, contents: &[u8]) -> Temporary {
        let path = std::env::temp_dir().join(format!("cortenforge-{}-{name}", std::process::id()));
        fs::write(&path, contents).expect("the temporary directory is writable");
        Temporary(path)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[test]
fn malformed_files_are_rejected_with_file_line_and_cause() {
    let mut wrong = Vec::new();
    for &(name, line, word) in CASES {
        let path = bad_dir().join(format!("{name}.xml"));
        let start = Instant::now();
        let err = match load_file(&path) {
            Ok(_) => {
                wrong.push(format!("{name}: accepted"));
                continue;
            }
            Err(err) => err,
        };
        let text = err.to_string();
        if start.elapsed() > TIME_LIMIT {
            wrong.push(format!("{name}: took {:?}", start.elapsed()));
        }
        if line.is_some() && err.line() != line {
            wrong.push(format!("{name}: line {:?} instead of {line:?}\n{text}", err.line()));
        }
        if !text.contains(word) {
            wrong.push(format!("{name}: the message lacks '{word}'\n{text}"));
        }
        let file = if name == "include_of_a_broken_part" { "broken.xml" } else { name };
        if line.is_some() && !text.contains(file) {
            wrong.push(format!("{name}: the message lacks the file\n{text}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), CASES.len(), wrong.join("\n"));
    assert!(CASES.len() >= 40);
    assert!(peak_memory() < MEMORY_LIMIT_KB);
}

#[test]
fn nonsense_that_the_reference_accepts_gives_a_warning() {
    let mut wrong = Vec::new();
    for &(name, line, word) in WARNED {
        // an error is as good as a warning
        let path = bad_dir().join(format!("{name}.xml"));
        let told = match load_file(&path) {
            Ok(loaded) => loaded
                .warnings
                .iter()
                .any(|w| w.line() == Some(line) && w.to_string().contains(word)),
            Err(err) => err.line() == Some(line) && err.to_string().contains(word),
        };
        if !told {
            wrong.push(name);
        }
    }
    assert!(wrong.is_empty(), "accepted without a warning: {wrong:?}");
}

#[test]
fn every_file_of_the_directory_is_a_case() {
    for entry in fs::read_dir(bad_dir()).expect("the directory is part of the repository") {
        let path = entry.expect("an entry is readable").path();
        if path.is_file() {
            let name = path.file_stem().expect("a file has a name").to_string_lossy();
            let known = CASES.iter().any(|case| case.0 == name);
            let warned = WARNED.iter().any(|case| case.0 == name);
            assert!(known != warned, "{name} is in one of the tables");
        }
    }
}

#[test]
fn a_hundred_thousand_nested_bodies_are_rejected() {
    let depth = 100_000;
    let xml = format!(
        "<mujoco><worldbody>{}{}</worldbody></mujoco>",
        "<body>".repeat(depth),
        "</body>".repeat(depth)
    );
    let err = rejection("nested bodies", || load_str(&xml));
    assert!(err.line().is_some(), "{err}");
    assert!(peak_memory() < MEMORY_LIMIT_KB);
}

#[test]
fn a_hundred_thousand_nested_frames_and_defaults_are_rejected() {
    for (section, element) in [("worldbody", "frame"), ("default", "default")] {
        let xml = format!(
            "<mujoco><{section}>{}{}</{section}></mujoco>",
            format!("<{element}>").repeat(100_000),
            format!("</{element}>").repeat(100_000)
        );
        rejection(element, || load_str(&xml));
    }
    assert!(peak_memory() < MEMORY_LIMIT_KB);
}

#[test]
fn two_hundred_thousand_attributes_are_rejected() {
    let attributes: String = (0..200_000).map(|i| format!(" a{i}=\"1\"")).collect();
    let xml = format!("<mujoco>\n<option{attributes}/>\n</mujoco>");
    let err = rejection("attributes", || load_str(&xml));
    assert_eq!(err.line(), Some(2), "{err}");
    assert!(peak_memory() < MEMORY_LIMIT_KB);
}

#[test]
fn entity_bombs_are_rejected() {
    let mut xml =
        String::from("<?xml version=\"1.0\"?>\n<!DOCTYPE mujoco [\n<!ENTITY a0 \"ha\">\n");
    for i in 1..30 {
        let previous = format!("&a{};", i - 1).repeat(10);
        xml += &format!("<!ENTITY a{i} \"{previous}\">\n");
    }
    xml += "]>\n<mujoco model=\"&a29;\"/>";
    rejection("entity bomb", || load_str(&xml));
    let external =
        "<!DOCTYPE m [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><mujoco model=\"&x;\"/>";
    rejection("external entity", || load_str(external));
    assert!(peak_memory() < MEMORY_LIMIT_KB);
}

#[test]
fn bytes_that_are_not_text_are_rejected() {
    let bytes =
        b"<mujoco>\n  <worldbody>\n    <body name=\"\xff\xfe\"/>\n  </worldbody>\n</mujoco>";
    let file = Temporary::new("utf8.xml", bytes);
    let err = rejection("invalid utf-8", || load_file(&file.0));
    assert!(err.to_string().contains("line 3"), "{err}");

    let noise: Vec<u8> =
        (0..100_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let file = Temporary::new("noise.xml", &noise);
    rejection("noise", || load_file(&file.0));
    let file = Temporary::new("zeros.xml", &[0; 4096]);
    rejection("zeros", || load_file(&file.0));
}

#[test]
fn missing_files_and_directories_are_rejected() {
    let err = rejection("missing", || load_file("no/such/model.xml"));
    assert!(err.to_string().contains("model.xml"));
    rejection("directory", || load_file(bad_dir()));
}

#[cfg(unix)]
#[test]
fn a_pipe_is_not_waited_for() {
    let pipe = std::env::temp_dir().join(format!("cortenforge-{}-pipe", std::process::id()));
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.is_ok_and(|status| status.success()), "mkfifo makes a pipe");
    let model = format!("<mujoco>\n<include file=\"{}\"/>\n</mujoco>", pipe.display());
    let file = Temporary::new("pipe.xml", model.as_bytes());
    let included = std::panic::catch_unwind(|| rejection("included pipe", || load_file(&file.0)));
    let direct = std::panic::catch_unwind(|| rejection("pipe", || load_file(&pipe)));
    let _ = fs::remove_file(&pipe);
    assert_eq!(included.expect("the pipe is rejected").line(), Some(2));
    direct.expect("the pipe is rejected");
}

#[test]
fn a_long_chain_of_includes_is_rejected() {
    let dir = std::env::temp_dir().join(format!("cortenforge-{}-chain", std::process::id()));
    fs::create_dir_all(&dir).expect("the temporary directory is writable");
    for i in 0..3000 {
        let mut file = fs::File::create(dir.join(format!("{i}.xml"))).expect("a file is writable");
        write!(file, "<mujoco>\n<include file=\"{}.xml\"/>\n</mujoco>", i + 1)
            .expect("it is writable");
    }
    fs::write(dir.join("3000.xml"), "<mujoco/>").expect("a file is writable");
    let result = std::panic::catch_unwind(|| rejection("chain", || load_file(dir.join("0.xml"))));
    let _ = fs::remove_dir_all(&dir);
    result.expect("the chain is rejected");
    assert!(peak_memory() < MEMORY_LIMIT_KB);
}

/// Every prefix of a model that is cut off, and models with single bytes replaced, are rejected or
/// accepted without a panic.
#[test]
fn damaged_models_do_not_panic() {
    for name in ["cameras_lights", "custom_user", "defaults", "inertial_explicit", "keyframes"] {
        let path = sim_conformance_tests::models_dir().join(format!("{name}.xml"));
        let text = fs::read_to_string(path).expect("the model is part of the repository");
        for end in (0..text.trim_end().len()).step_by(7) {
            assert!(load_str(&text[..end]).is_err(), "{name} cut off after {end} bytes");
        }
        let replacements = ["-", "9", "\"", "<", ">", " ", "e", "nan", "1e308", "&", "\u{e4}"];
        for (number, at) in (0..text.len()).step_by(11).enumerate() {
            let with = replacements[number % replacements.len()];
            let start = Instant::now();
            let _ = load_str(&format!("{}{with}{}", &text[..at], &text[at + 1..]));
            assert!(start.elapsed() < TIME_LIMIT, "{name}: byte {at} replaced by {with}");
        }
    }
}
