//! `cortenforge simulate` with its files: drawings, controls, tables; and how it is ended.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A cart on a rail that is pushed, with a pole that touches the ground.
const CART: &str = r#"<mujoco model="cart">
  <option timestep="0.01"/>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body name="cart" pos="0 0 1">
      <joint name="rail" type="slide" axis="1 0 0" damping="0.1"/>
      <geom type="box" size="0.2 0.1 0.1"/>
      <body name="pole">
        <joint name="hinge" axis="0 1 0" damping="0.01"/>
        <geom type="capsule" fromto="0 0 0 0.2 0 0.95" size="0.03"/>
      </body>
    </body>
    <body name="ball" pos="1 0 0.5">
      <freejoint name="loose"/>
      <geom size="0.1"/>
    </body>
  </worldbody>
  <contact><exclude body1="cart" body2="pole"/></contact>
  <actuator>
    <motor name="push" joint="rail" gear="10"/>
    <motor name="turn, round" joint="hinge"/>
  </actuator>
  <sensor><jointpos name="angle" joint="hinge"/></sensor>
</mujoco>
"#;

fn command() -> Command {
    Command::new(env!("CARGO_BIN_EXE_cortenforge"))
}

fn cortenforge(args: &[&str]) -> Output {
    command().args(args).output().expect("the command runs")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("the output is UTF-8")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("the errors are UTF-8")
}

/// A fresh directory for a test, and a file with a model in it.
fn cart(test: &str) -> (PathBuf, String) {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("simulate").join(test);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("the directory can be made");
    let model = path.join("cart.xml");
    fs::write(&model, CART).expect("the model can be written");
    (path, model.to_str().expect("the path is UTF-8").to_owned())
}

/// Runs a command that ends well, and returns what it prints.
fn runs(args: &[&str]) -> String {
    let output = cortenforge(args);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    stdout(&output)
}

/// The columns of a table by name.
fn column(csv: &Path, name: &str) -> Vec<f64> {
    let text = fs::read_to_string(csv).unwrap();
    let mut lines = text.lines();
    // names with commas would need a real reader: they are not asked for here
    let header = lines.next().unwrap().replace("turn, round", "turn");
    let at = header.split(',').position(|column| column.trim_matches('"') == name);
    let at = at.unwrap_or_else(|| panic!("no '{name}' in {header}"));
    lines.map(|line| line.split(',').nth(at).unwrap().parse().unwrap()).collect()
}

#[test]
fn the_summary_tells_what_happened() {
    let (_, model) = cart("summary");
    let report = runs(&["simulate", &model, "--time", "3"]);
    let fact = |label: &str| {
        let line = report.lines().find_map(|line| line.trim().strip_prefix(label));
        line.unwrap_or_else(|| panic!("no '{label}' in:\n{report}")).trim().to_owned()
    };
    assert_eq!(fact("simulated"), "3.000 s in 300 steps of 10 ms");
    assert!(fact("real time").ends_with('×'));
    assert!(fact("contacts").ends_with(" at most"), "{report}");
    assert!(!fact("contacts").starts_with("0 on average"), "{report}");
    assert!(fact("constraints").contains("rows"), "{report}");
    assert!(fact("iterations").contains("at most"), "{report}");
    assert!(fact("energy").contains("J →"), "{report}");
    assert_eq!(fact("warnings"), "none");
}

#[test]
fn quantities_are_drawn_in_panels_by_unit() {
    let (directory, model) = cart("quantities");
    let svg = directory.join("out.svg");
    let file = svg.to_str().unwrap();
    let what = "qpos,energy,ctrl,force,sensordata,contacts,iterations";
    let report = runs(&["simulate", &model, "--time", "1", "--plot", what, "--plot-file", file]);
    assert!(report.contains("drew") && report.contains("out.svg"), "{report}");
    let text = fs::read_to_string(&svg).unwrap();
    assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n"));
    for words in [
        "cart",
        "time (s)",
        "positions (m)",
        "positions (rad)",
        "orientations (quaternion)",
        "energy (J)",
        "controls",
        "actuator forces (N)",
        "actuator forces (N·m)",
        "sensors",
        "number of contacts",
        "solver iterations",
        "rail",
        "loose.qw",
        "turn, round",
        "angle",
        "kinetic",
        "total",
    ] {
        assert!(text.contains(&format!(">{words}</text>")), "no '{words}'");
    }
    assert!(!text.contains("velocities"));
    assert!(!text.contains("NaN") && !text.contains("inf"));
}

#[test]
fn one_column_can_be_drawn_alone() {
    let (directory, model) = cart("column");
    let svg = directory.join("out.svg");
    let what = format!("qpos:hinge,qvel:loose,{}", svg.to_str().unwrap());
    runs(&["simulate", &model, "--time", "1", "--plot", &what]);
    let text = fs::read_to_string(&svg).unwrap();
    for (name, there) in [
        ("hinge", true),
        ("loose.vx", true),
        ("loose.wz", true),
        ("rail", false),
        ("loose.x", false),
    ] {
        assert_eq!(text.contains(&format!(">{name}</text>")), there, "{name}");
    }
    let output = cortenforge(&["simulate", &model, "--plot", "qpos:knee"]);
    assert_eq!(output.status.code(), Some(1));
    let message = stderr(&output);
    assert!(message.contains("no 'knee' among the positions: there are rail, hinge"), "{message}");
    let output = cortenforge(&["simulate", &model, "--plot", "act"]);
    assert!(stderr(&output).contains("the model has no activations"), "{}", stderr(&output));
}

#[test]
fn without_a_name_the_drawing_is_called_like_the_model() {
    let (directory, model) = cart("unnamed");
    let args = ["simulate", &model, "--time", "0.1", "--plot", "qpos,energy"];
    let output = command().args(args).current_dir(&directory).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(directory.join("cart.svg").exists());
}

#[test]
fn a_file_alone_gets_the_usual_quantities() {
    let (directory, model) = cart("usual");
    let svg = directory.join("out.svg");
    runs(&["simulate", &model, "--time", "1", "--plot", svg.to_str().unwrap()]);
    let text = fs::read_to_string(&svg).unwrap();
    // 9 positions, 8 velocities, 3 energies, each with a line in the legend
    let keys = text.matches("stroke-width=\"2\"").count();
    assert_eq!(keys, 20);
    assert_eq!(text.matches("stroke-width=\"1.6\"").count(), 20);
}

#[test]
fn pictures_have_pixels() {
    let (directory, model) = cart("png");
    let file = directory.join("out.png");
    let args = ["--time", "1", "--plot", "qpos,energy", "--plot-file", file.to_str().unwrap()];
    runs(&[&["simulate", &model], &args[..]].concat());
    let decoder = png::Decoder::new(std::io::BufReader::new(fs::File::open(&file).unwrap()));
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert!(info.width > 1600 && info.height > 1000, "{info:?}");
    // mostly paper, some ink, and the colour of the first curve
    let count = |colour: [u8; 3]| pixels.chunks_exact(3).filter(|pixel| **pixel == colour).count();
    let all = pixels.len() / 3;
    assert!(count([255; 3]) > all * 8 / 10);
    assert!(count([0x26, 0x2b, 0x33]) > 1000);
    assert!(count([0x00, 0x72, 0xb2]) > 1000);
}

#[test]
fn controls_are_played_from_a_table() {
    let (directory, model) = cart("controls");
    let (controls, out) = (directory.join("moves.csv"), directory.join("out.csv"));
    fs::write(&controls, "time,push\n0,1\n0.05,-2\n").unwrap();
    let (controls, out) = (controls.to_str().unwrap(), out.to_str().unwrap());
    runs(&["simulate", &model, "--time", "0.1", "--controls", controls, "--output", out]);
    let push = column(Path::new(out), "ctrl:push");
    assert_eq!(push, [1.0, 1.0, 1.0, 1.0, 1.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0]);
    assert!(column(Path::new(out), "qvel:rail")[5] > 0.0);
    assert!(column(Path::new(out), "sensordata:angle").len() == 11);

    // without times, a row is for a step
    fs::write(directory.join("moves.csv"), "\"turn, round\",push\n0,1\n0,2\n0,3\n").unwrap();
    runs(&["simulate", &model, "--time", "0.05", "--controls", controls, "--output", out]);
    assert_eq!(column(Path::new(out), "ctrl:push"), [1.0, 2.0, 3.0, 3.0, 3.0, 3.0]);
}

#[test]
fn what_was_written_can_be_played_again() {
    let (directory, model) = cart("again");
    for ending in ["csv", "npz"] {
        let first = directory.join(format!("first.{ending}"));
        let (first, again) = (first.to_str().unwrap(), directory.join("again.csv"));
        let noisy = ["simulate", &model, "--time", "1", "--noise", "0.3", "--seed", "5"];
        runs(&[&noisy[..], &["--output", first]].concat());
        let known = directory.join("known.csv");
        runs(&[&noisy[..], &["--output", known.to_str().unwrap()]].concat());
        let again = again.to_str().unwrap();
        runs(&["simulate", &model, "--time", "1", "--controls", first, "--output", again]);
        assert_eq!(fs::read(known).unwrap(), fs::read(again).unwrap(), "{ending}");
    }
}

#[test]
fn seeds_decide_the_noise() {
    let (directory, model) = cart("noise");
    let out = directory.join("out.csv");
    let run = |seed: &str| {
        let args = ["--time", "0.2", "--noise", "0.5", "--seed", seed];
        runs(&[&["simulate", &model, "--output", out.to_str().unwrap()], &args[..]].concat());
        column(&out, "ctrl:push")
    };
    let (first, other, again) = (run("1"), run("2"), run("1"));
    assert_eq!(first, again);
    assert_ne!(first, other);
    assert!(first.iter().all(|x| x.abs() < 5.0) && first.iter().any(|x| x.abs() > 0.01));
}

#[test]
fn bad_controls_are_told_apart() {
    let (directory, model) = cart("bad_controls");
    let file = |name: &str, content: &[u8]| {
        let path = directory.join(name);
        fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let npy = |shape: &str, numbers: usize| {
        let header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}");
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.bytes());
        bytes.resize(bytes.len() + 8 * numbers, 0);
        bytes
    };
    for (path, words) in [
        (file("a.csv", b"jump\n1\n"), "no actuator 'jump': the model has push, turn, round"),
        (file("b.csv", b"push\nfast\n"), "line 2: 'fast' in column 'push' is not a number"),
        (file("c.csv", b"push,push\n1,2\n"), "actuator 'push' has two columns"),
        (file("d.csv", b"time,push\n1,2\n0,2\n"), "the times do not rise"),
        (file("e.csv", b"push\n"), "no controls in it"),
        (file("f.csv", b"time\n1\n"), "no controls in it"),
        (file("g.npy", b"hello"), "not a .npy file"),
        (file("h.npy", &npy("(3, 5)", 15)), "expected is a matrix with 2 columns"),
        (file("i.npz", b"hello"), "not a .npz file"),
        (directory.join("missing.csv").to_str().unwrap().to_owned(), "cannot read controls"),
    ] {
        let output = cortenforge(&["simulate", &model, "--controls", &path]);
        assert_eq!(output.status.code(), Some(1), "{path}");
        let message = stderr(&output);
        assert!(message.contains(words) && message.contains(&path), "{message}");
    }
    let good = file("good.npy", &npy("(3, 2)", 6));
    runs(&["simulate", &model, "--time", "0.1", "--controls", &good]);

    let pendulum = directory.join("pendulum.xml");
    fs::write(&pendulum, "<mujoco/>").unwrap();
    let output = cortenforge(&["simulate", pendulum.to_str().unwrap(), "--noise", "1"]);
    assert!(stderr(&output).contains("no actuators"), "{}", stderr(&output));
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_was_done() {
    let (directory, model) = cart("ctrl_c");
    let (csv, svg) = (directory.join("out.csv"), directory.join("out.svg"));
    let child = command()
        .args(["simulate", &model, "--time", "1e8", "--every", "10000"])
        .args(["--output", csv.to_str().unwrap(), "--plot", "energy"])
        .args(["--plot-file", svg.to_str().unwrap()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // files are opened right before the simulation starts, under temporary names
    let start = Instant::now();
    let opened = directory.join(format!(".out.svg.{}.part", child.id()));
    while !opened.exists() && start.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(10));
    }
    std::thread::sleep(Duration::from_millis(700));
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    let report = stdout(&output);
    assert!(report.contains("Interrupted after "), "{report}");
    let time = column(&csv, "time");
    assert!(time.len() > 1 && time.is_sorted(), "{report}");
    assert!(fs::read_to_string(&svg).unwrap().ends_with("</svg>\n"));
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_nothing_broken() {
    let (folder, model) = cart("full_disk");
    for (option, name) in [("--output", "a.csv"), ("--output", "a.npz"), ("--plot", "a.svg")] {
        let path = folder.join(name).display().to_string();
        // files of one block at most; writing more is an error, not a signal
        let script = "trap '' XFSZ; ulimit -f 1; exec \"$@\"";
        let mut command = Command::new("sh");
        command.args(["-c", script, "sh", env!("CARGO_BIN_EXE_cortenforge"), "simulate", &model]);
        let done = command.args([option, &path]).output().expect("the command runs");
        assert_eq!(done.status.code(), Some(1), "{}", stderr(&done));
        assert!(stderr(&done).contains("cannot write"), "{}", stderr(&done));
        let names = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name());
        assert_eq!(names.collect::<Vec<_>>(), ["cart.xml"]);
    }
}

#[cfg(unix)]
#[test]
fn little_memory_is_an_error_or_a_warning() {
    let (folder, _) = cart("little_memory");
    let model = folder.join("heap.xml");
    // all in one place: 4,500,000 pairs touch
    let body = "<replicate count='3000'><body><freejoint/><geom size='.1'/></body></replicate>";
    fs::write(&model, format!("<mujoco><worldbody>{body}</worldbody></mujoco>")).unwrap();
    let mut statuses = Vec::new();
    for kilobytes in [100_000, 150_000, 180_000, 200_000, 230_000, 260_000] {
        let script = format!("ulimit -v {kilobytes}; exec \"$@\"");
        let mut command = Command::new("sh");
        command.args(["-c", &script, "sh", env!("CARGO_BIN_EXE_cortenforge"), "simulate"]);
        command.arg(&model).args(["--time", "0.002"]);
        let done = command.output().expect("the command runs");
        let status = done.status.code();
        assert!(matches!(status, Some(0 | 1)), "{kilobytes}: {status:?} {}", stderr(&done));
        let words = if status == Some(0) { stdout(&done) } else { stderr(&done) };
        assert!(words.contains("too many contacts") || words.contains("memory"), "{words}");
        statuses.push(status);
    }
    assert!(statuses.contains(&Some(0)) && statuses.contains(&Some(1)), "{statuses:?}");
}

#[test]
fn files_outside_of_the_root_are_refused() {
    let (folder, _) = cart("root");
    let root = folder.join("inside");
    fs::create_dir(&root).unwrap();
    let model = root.join("model.xml");
    fs::write(&model, "<mujoco><include file='../cart.xml'/></mujoco>").unwrap();
    let [folder, root, model] = [folder, root, model].map(|path| path.display().to_string());
    for command in ["info", "simulate", "compile"] {
        let refused = cortenforge(&[command, &model, "--root", &root]);
        assert_eq!(refused.status.code(), Some(1));
        assert!(stderr(&refused).contains("outside"), "{}", stderr(&refused));
    }
    runs(&["info", &model]);
    runs(&["info", &model, "--root", &folder]);
}
