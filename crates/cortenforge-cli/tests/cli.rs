//! The `cortenforge` command as people use it: run as a process, judged by what it prints, writes
//! and returns.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A mass on a vertical slide, named to need quotes, beside a free ball that floats off.
const FALL: &str = r#"<mujoco model="fall">
  <option timestep="0.01"/>
  <worldbody>
    <body name="weight">
      <joint name="drop, down" type="slide" axis="0 0 1"/>
      <geom name="weight" type="box" size="0.1 0.1 0.1" contype="0" conaffinity="0"/>
    </body>
    <body name="ball" pos="1 2 3">
      <freejoint name="loose"/>
      <geom name="ball" type="sphere" size="0.1" contype="0" conaffinity="0"/>
      <body name="tail">
        <joint type="ball"/>
        <geom type="capsule" fromto="0 0 0 0 0 -0.3" size="0.02" contype="0" conaffinity="0"/>
      </body>
    </body>
  </worldbody>
  <keyframe>
    <key name="high" qpos="5  1 2 3 1 0 0 0  1 0 0 0"/>
    <key name="fast" qvel="-7  0 0 0 0 0 0  0 0 0"/>
  </keyframe>
</mujoco>
"#;

fn cortenforge(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cortenforge")).args(args).output().expect("the command runs")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("the output is UTF-8")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("the errors are UTF-8")
}

/// A fresh directory for a test.
fn directory(test: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("the directory can be made");
    path
}

/// A file with a model.
fn model(directory: &Path, xml: &str) -> String {
    let path = directory.join("model.xml");
    fs::write(&path, xml).expect("the model can be written");
    path.to_str().expect("the path is UTF-8").to_owned()
}

/// The value of a line of the report.
fn fact<'a>(report: &'a str, label: &str) -> &'a str {
    let line = report.lines().find_map(|line| line.trim().strip_prefix(label));
    line.unwrap_or_else(|| panic!("no '{label}' in:\n{report}")).trim()
}

#[test]
fn without_arguments_the_dog_walks_to_its_flag() {
    let output = cortenforge(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stderr(&output), "", "no progress bar without a terminal");
    let report = stdout(&output);
    assert!(report.starts_with("quadruped: 14 bodies, 13 joints, 18 dofs"), "{report}");
    assert_eq!(fact(&report, "simulated"), "8.000 s in 4,000 steps of 2 ms");
    assert!(fact(&report, "outcome").starts_with("at the flag, after "), "{report}");
    assert_eq!(fact(&report, "warnings"), "none");
    assert!(fact(&report, "speed").contains("steps/s"));
    assert!(report.contains("Try next:"), "{report}");
    assert!(!report.contains('\u{1b}'), "no colours without a terminal");
}

#[test]
fn the_marionette_performs() {
    let output = cortenforge(&["simulate", "marionette"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let report = stdout(&output);
    assert!(report.starts_with("marionette: 16 bodies, 17 joints, 32 dofs"), "{report}");
    // MuJoCo 3.5.0 gives the same energies
    assert!(fact(&report, "energy").starts_with("173.7 J → 165.1 J"), "{report}");
}

#[test]
fn several_models_and_standard_input_are_described_as_json() {
    use std::io::Write;
    use std::process::Stdio;
    let path = model(&directory("json"), FALL);
    let mut child = Command::new(env!("CARGO_BIN_EXE_cortenforge"))
        .args(["info", "--json", &path, "-", "arm"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command runs");
    let text = b"<mujoco><option timstep='1'/><worldbody><gem/></worldbody></mujoco>";
    child.stdin.take().unwrap().write_all(text).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "one of them does not load");
    let report = stdout(&output);
    for part in [
        "\"name\": \"fall\"",
        "\"type\": \"slide\"",
        "\"code\": \"E04\"",
        "\"code\": \"E03\"",
        "\"line\": 1",
        "\"type\": \"position, kp 400\"",
        "\"drives\": \"joint yaw\"",
        "\"keyframes\": [\"home\", \"up\"]",
    ] {
        assert!(report.contains(part), "no {part} in:\n{report}");
    }
}

#[test]
fn tables_show_actuators_sensors_and_equalities() {
    let report = stdout(&cortenforge(&["info", "arm"]));
    for part in
        ["position, kp 400", "joint yaw", "-3 … 3", "framepos", "body cube", "fingers", "active"]
    {
        assert!(report.contains(part), "no {part} in:\n{report}");
    }
}

#[test]
fn all_mistakes_of_a_file_are_told_at_once() {
    let directory = directory("mistakes");
    let text = "<mujoco>\n<option timstep='1'/>\n<worldbody>\n<geom sise='1'/>\n<gem/>\n</worldbody>\n</mujoco>";
    let path = model(&directory, text);
    let output = cortenforge(&["compile", "--check", &path, "arm"]);
    assert_eq!(output.status.code(), Some(1));
    let errors = stderr(&output);
    for part in [
        "error[E04]: unknown attribute 'timstep'",
        "model.xml:2:9",
        "'sise'",
        "error[E03]",
        "3 errors",
    ] {
        assert!(errors.contains(part), "no {part} in:\n{errors}");
    }
    assert!(stdout(&output).starts_with("arm: "), "the other one is checked too");
    let json = stdout(&cortenforge(&["compile", "--json", &path]));
    assert!(json.contains("\"ok\": false") && json.contains("\"help\": \"did you mean"), "{json}");
}

#[test]
fn controls_are_named_and_held() {
    let directory = directory("hold");
    let csv = directory.join("out.csv");
    let name = csv.to_str().unwrap();
    let output =
        cortenforge(&["simulate", "arm", "--ctrl", "yaw=0.5", "--time", "2", "--output", name]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let last = |name: &str| {
        let text = fs::read_to_string(&csv).unwrap();
        let column = text.lines().next().unwrap().split(',').position(|c| c == name).unwrap();
        let row = text.lines().last().unwrap().split(',').nth(column).unwrap();
        row.parse::<f64>().unwrap()
    };
    assert!((last("qpos:yaw") - 0.5).abs() < 0.02, "{}", last("qpos:yaw"));

    let output = cortenforge(&["simulate", "humanoid", "--hold", "--time", "1", "--output", name]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(last("qpos:root.z") > 0.9, "{}", last("qpos:root.z"));

    let output = cortenforge(&["simulate", "arm", "--ctrl", "jaw=0.5"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("no actuator 'jaw': the model has yaw"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn bodies_forces_and_centres_of_mass_are_drawn() {
    let directory = directory("forces");
    let svg = directory.join("plot.svg");
    let what = "xpos:trunk,contact_force,com";
    let output = cortenforge(&[
        "simulate",
        "quadruped",
        "--time",
        "0.5",
        "--plot",
        what,
        "--plot-file",
        svg.to_str().unwrap(),
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let drawing = fs::read_to_string(&svg).unwrap();
    for part in [
        "positions of bodies (m)",
        "trunk.z",
        "contact forces on bodies (N)",
        "FL shin",
        "centres of mass (m)",
    ] {
        assert!(drawing.contains(part), "no {part}");
    }
}

#[test]
fn a_simulation_that_diverges_tells_by_its_status() {
    let xml = r#"<mujoco><worldbody><body><joint name="hinge"/><geom size="0.1"/></body></worldbody>
        <actuator><motor name="m" joint="hinge" gear="1e9"/></actuator></mujoco>"#;
    let path = model(&directory("diverged"), xml);
    let output = cortenforge(&["simulate", &path, "--ctrl", "m=1e9", "--time", "1"]);
    assert_eq!(output.status.code(), Some(3), "{}", stdout(&output));
}

#[test]
fn measurements_come_as_json_and_shells_complete() {
    let json = stdout(&cortenforge(&["bench", "cartpole", "--seconds", "0.1", "--json"]));
    assert!(
        json.contains("\"model\": \"cartpole\"") && json.contains("\"steps_per_second\": "),
        "{json}"
    );
    let script = stdout(&cortenforge(&["completions", "bash"]));
    assert!(script.contains("simulate") && script.contains("--hold"), "{script}");
}

#[test]
fn info_draws_the_tree() {
    let path = model(&directory("info"), FALL);
    let output = cortenforge(&["info", &path]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let report = stdout(&output);
    for line in [
        "  joints     3: 1 slide, 1 free, 1 ball",
        "  keyframes  2: high, fast",
        "  timestep    0.01 s",
        "  ├─ weight  8 kg  ↻ drop, down (slide)  ■ box",
        "  └─ ball  4.189 kg  ↻ loose (free)  ■ sphere",
        "     └─ tail  0.4105 kg  ↻ ball  ■ capsule",
    ] {
        assert!(report.lines().any(|l| l == line), "no line '{line}' in:\n{report}");
    }
}

#[test]
fn info_shows_limits_in_degrees_and_metres() {
    let xml = r#"<mujoco><worldbody><body name="arm">
        <joint name="turn" range="-30 90"/>
        <joint name="reach" type="slide" range="0 0.5"/>
        <geom size="0.1"/>
    </body></worldbody></mujoco>"#;
    let path = model(&directory("limits"), xml);
    let report = stdout(&cortenforge(&["info", &path]));
    assert!(report.contains("-30° … 90°"), "{report}");
    assert!(report.contains("0 … 0.5 m"), "{report}");
}

#[test]
fn csv_has_named_columns_and_a_row_per_step() {
    let directory = directory("csv");
    let path = model(&directory, FALL);
    let csv = directory.join("out.csv");
    let output =
        cortenforge(&["simulate", &path, "--time", "1", "--output", csv.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));

    let text = fs::read_to_string(&csv).unwrap();
    let mut lines = text.lines();
    assert_eq!(
        lines.next().unwrap(),
        "time,\"qpos:drop, down\",qpos:loose.x,qpos:loose.y,qpos:loose.z,qpos:loose.qw,\
         qpos:loose.qx,qpos:loose.qy,qpos:loose.qz,qpos:joint2.qw,qpos:joint2.qx,qpos:joint2.qy,\
         qpos:joint2.qz,\"qvel:drop, down\",qvel:loose.vx,qvel:loose.vy,qvel:loose.vz,\
         qvel:loose.wx,qvel:loose.wy,qvel:loose.wz,qvel:joint2.wx,qvel:joint2.wy,qvel:joint2.wz,\
         energy:potential,energy:kinetic"
    );
    let rows: Vec<Vec<f64>> =
        lines.map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect()).collect();
    assert_eq!(rows.len(), 101);
    for (n, row) in rows.iter().enumerate() {
        assert_eq!(row.len(), 25);
        let (n, h, g) = (n as f64, 0.01, -9.81);
        assert!((row[0] - n * h).abs() < 1e-12);
        // semi-implicit Euler: velocity first, then position
        assert!((row[1] - g * h * h * n * (n + 1.0) / 2.0).abs() < 1e-12, "{row:?}");
        assert!((row[13] - g * h * n).abs() < 1e-12, "{row:?}");
        // all three bodies fall alike
        let mass = 8.0 + 4.0 / 3.0 * std::f64::consts::PI + 0.41050144;
        assert!((row[24] - 0.5 * mass * (g * h * n).powi(2)).abs() < 1e-5, "{row:?}");
    }
}

#[test]
fn npz_holds_arrays_with_the_same_numbers() {
    let directory = directory("npz");
    let path = model(&directory, FALL);
    let npz = directory.join("out.npz");
    let (time, every) = ("0.5", "10");
    let args =
        ["simulate", &path, "--time", time, "--every", every, "--output", npz.to_str().unwrap()];
    let output = cortenforge(&args);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("6 samples"));

    let bytes = fs::read(&npz).unwrap();
    assert!(bytes.starts_with(b"PK"));
    let entries = unzip(&bytes);
    let names: Vec<&str> = entries.iter().map(|(name, _)| name.as_str()).collect();
    let expected = ["time", "qpos", "qpos_names", "qvel", "qvel_names", "energy", "energy_names"];
    assert_eq!(names, expected.map(|name| format!("{name}.npy")));

    let (header, qpos) = npy(entries[1].1);
    assert!(header.contains("'shape': (6,12,)") && header.contains("'<f8'"), "{header}");
    let qpos: Vec<f64> =
        qpos.chunks_exact(8).map(|x| f64::from_le_bytes(x.try_into().unwrap())).collect();
    assert_eq!(qpos.len(), 6 * 12);
    for sample in 0..6 {
        let n = 10.0 * sample as f64;
        assert!((qpos[sample * 12] + 9.81 * 1e-4 * n * (n + 1.0) / 2.0).abs() < 1e-12);
        assert_eq!(qpos[sample * 12 + 2], 2.0);
    }

    let (header, text) = npy(entries[2].1);
    assert!(header.contains("'shape': (12,)") && header.contains("'<U10'"), "{header}");
    let first: String = text[..40]
        .chunks_exact(4)
        .map(|x| char::from_u32(u32::from_le_bytes(x.try_into().unwrap())).unwrap())
        .collect();
    assert_eq!(first, "drop, down");
}

/// The files of a zip archive, found through its directory.
fn unzip(bytes: &[u8]) -> Vec<(String, &[u8])> {
    let u16 = |at: usize| usize::from(u16::from_le_bytes(bytes[at..at + 2].try_into().unwrap()));
    let u32 = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let end = bytes.len() - 22;
    assert_eq!(&bytes[end..end + 4], b"PK\x05\x06");
    let mut at = u32(end + 16);
    let entries = (0..u16(end + 10))
        .map(|_| {
            assert_eq!(&bytes[at..at + 4], b"PK\x01\x02");
            let (crc, size, length, start) =
                (u32(at + 16), u32(at + 24), u16(at + 28), u32(at + 42));
            let name = String::from_utf8(bytes[at + 46..at + 46 + length].to_vec()).unwrap();
            at += 46 + length;
            // the local header says the same
            assert_eq!(&bytes[start..start + 4], b"PK\x03\x04");
            assert_eq!((u32(start + 14), u32(start + 22), u16(start + 26)), (crc, size, length));
            let content = &bytes[start + 30 + length..][..size];
            assert_eq!(crc32(content) as usize, crc);
            (name, content)
        })
        .collect();
    assert_eq!(at, end);
    entries
}

/// The checksum of zip archives, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 }
        })
    })
}

/// Header and content of a `.npy` file.
fn npy(bytes: &[u8]) -> (&str, &[u8]) {
    assert!(bytes.starts_with(b"\x93NUMPY\x01\x00"));
    let length = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    assert_eq!((10 + length) % 64, 0);
    (std::str::from_utf8(&bytes[10..10 + length]).unwrap(), &bytes[10 + length..])
}

#[test]
fn keyframes_are_found_by_name_and_index() {
    let directory = directory("keyframes");
    let path = model(&directory, FALL);
    let csv = directory.join("out.csv");
    let start = |keyframe: &str| -> Vec<f64> {
        let csv = csv.to_str().unwrap();
        let args = ["simulate", &path, "--time", "0.01", "--keyframe", keyframe, "--output", csv];
        let output = cortenforge(&args);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let text = fs::read_to_string(csv).unwrap();
        text.lines().nth(1).unwrap().split(',').map(|cell| cell.parse().unwrap()).collect()
    };
    assert_eq!(start("high")[1], 5.0);
    assert_eq!(start("0")[1], 5.0);
    assert_eq!(start("fast")[13], -7.0);
    assert_eq!(start("1")[13], -7.0);

    let output = cortenforge(&["simulate", &path, "--keyframe", "low"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("no keyframe 'low': the model has 0 'high', 1 'fast'"));
}

#[test]
fn bench_reports_a_speed() {
    let path = model(&directory("bench"), FALL);
    let output = cortenforge(&["bench", &path, "--seconds", "0.05"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let report = stdout(&output);
    let median = fact(&report, "median");
    let number: f64 = median.split(' ').next().unwrap().replace(',', "").parse().unwrap();
    assert!(number > 1000.0, "{report}");
    assert!(median.contains("µs per step") && median.contains("× real time"), "{report}");
}

#[test]
fn divergence_is_a_warning_in_the_report() {
    // a spring far too stiff for the time step
    let xml = r#"<mujoco><option timestep="0.1"/><worldbody><body>
        <joint name="spring" type="slide" stiffness="1e9" springref="1"/>
        <geom size="0.1"/>
    </body></worldbody></mujoco>"#;
    let path = model(&directory("divergence"), xml);
    let output = cortenforge(&["simulate", &path, "--time", "10"]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let report = stdout(&output);
    let warnings = fact(&report, "warnings");
    assert!(warnings.contains("of joint 'spring' is not finite or too large"), "{report}");
    assert!(warnings.contains("started again"), "{report}");
}

#[test]
fn a_bad_model_is_an_error_with_its_line() {
    let xml = "<mujoco>\n  <worldbody>\n    <geom size=\"0.1\" typ=\"box\"/>\n  </worldbody>\n</mujoco>\n";
    let path = model(&directory("bad"), xml);
    for command in ["simulate", "info", "bench"] {
        let output = cortenforge(&[command, &path]);
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(stdout(&output), "");
        let message = stderr(&output);
        assert!(message.contains("model.xml:3"), "no file and line in:\n{message}");
        assert!(message.contains("typ=\"box\""), "no quoted source in:\n{message}");
        assert!(message.contains("'type'"), "no suggestion in:\n{message}");
        assert!(!message.contains('\u{1b}'), "no colours without a terminal");
    }
}

#[test]
fn a_missing_file_is_named() {
    let output = cortenforge(&["simulate", "no/such/robot.xml"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("no/such/robot.xml"), "{}", stderr(&output));
}

#[test]
fn an_output_that_cannot_be_written_is_named() {
    for (flag, name) in [("--output", "out.csv"), ("--plot", "out.svg")] {
        let path = directory("unwritable").join("missing").join(name);
        let output = cortenforge(&["simulate", flag, path.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(1));
        assert!(stderr(&output).contains("cannot write"), "{}", stderr(&output));
        assert!(stderr(&output).contains(name), "{}", stderr(&output));
    }
}

#[test]
fn wrong_usage_exits_with_two() {
    for args in [
        &["--fast"][..],
        &["fly"],
        &["simulate", "--time", "soon"],
        &["simulate", "--time", "-1"],
        &["simulate", "--time", "inf"],
        &["simulate", "--output", "out.txt"],
        &["simulate", "--plot", "speed"],
        &["simulate", "--plot", "out.pdf"],
        &["simulate", "--plot-file", "out.svg"],
        &["simulate", "--controls", "moves.txt"],
        &["simulate", "--noise", "-1"],
        &["simulate", "--seed", "1"],
        &["compare"],
        &["simulate", "--every", "0"],
        &["bench", "--seconds", "0"],
    ] {
        let output = cortenforge(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", stderr(&output));
        assert!(stderr(&output).contains("error:"), "{args:?}");
    }
}

#[test]
fn a_trajectory_too_long_to_keep_is_refused() {
    let path = directory("long").join("out.csv");
    let args = ["simulate", "--time", "1e9", "--output", path.to_str().unwrap()];
    let output = cortenforge(&args);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("--every"), "{}", stderr(&output));
    assert!(!path.exists());
}

#[test]
fn help_shows_examples() {
    let output = cortenforge(&["--help"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).contains("cortenforge simulate arm.xml"));
}

#[test]
fn compile_writes_one_file_that_is_the_same_model() {
    let dir = directory("compile");
    fs::write(dir.join("part.xml"), "<x><geom name='g' size='0.1 0 0' condim='3'/></x>").unwrap();
    let path = model(
        &dir,
        "<mujoco><worldbody><body pos='0 0 1'><freejoint/><include file='part.xml'/></body></worldbody></mujoco>",
    );
    let expected = r#"<mujoco>
  <worldbody>
    <body pos="0 0 1">
      <freejoint/>
      <geom name="g" size="0.1"/>
    </body>
  </worldbody>
</mujoco>
"#;
    let output = cortenforge(&["compile", &path]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stdout(&output), expected);

    let copy = dir.join("copy.xml");
    let output = cortenforge(&["compile", &path, "-o", copy.to_str().unwrap()]);
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(0), ""));
    assert_eq!(fs::read_to_string(&copy).unwrap(), expected);

    let output = cortenforge(&["compile", copy.to_str().unwrap()]);
    assert_eq!(stdout(&output), expected);
}

#[test]
fn a_compiled_model_is_read_and_a_broken_one_named() {
    let folder = directory("compiled");
    let path = folder.join("fall.mjb");
    let bytes = cortenforge::load_str(FALL).expect("the model loads").model.to_bytes();
    fs::write(&path, &bytes).expect("the model can be written");
    let name = path.to_str().expect("the path is UTF-8");
    let output = cortenforge(&["info", name]);
    assert!(output.status.success() && stdout(&output).contains("weight"), "{}", stderr(&output));
    fs::write(&path, &bytes[..60]).expect("the model can be written");
    let output = cortenforge(&["info", name]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("fall.mjb"), "{}", stderr(&output));
}

#[cfg(unix)]
#[test]
fn a_viewer_that_others_can_reach_warns() {
    use std::io::BufRead;
    for (host, warns) in [("0.0.0.0", true), ("127.0.0.1", false)] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_cortenforge"))
            .args(["view", "quadruped", "--no-browser", "--host", host])
            .args(["--port", "0"])
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("the command runs");
        let mut address = String::new();
        let out = child.stdout.take().expect("the output is piped");
        std::io::BufReader::new(out).read_line(&mut address).expect("the address is printed");
        assert!(address.starts_with("http://127.0.0.1:"), "{address}");
        child.kill().expect("the command can be ended");
        let output = child.wait_with_output().expect("the command ends");
        assert_eq!(stderr(&output).contains("other machines can connect"), warns);
    }
}

#[test]
fn compile_checks_a_model() {
    let dir = directory("compile_check");
    let output = cortenforge(&["compile", "--check", &model(&dir, FALL)]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(
        stdout(&output).ends_with("model.xml: 3 bodies, 3 joints, 10 dofs, 3 geoms, 12.6 kg\n"),
        "{output:?}"
    );

    let path = model(&dir, "<mujoco>\n<worldbody>\n<geom size='-1'/></worldbody></mujoco>");
    for args in [&["compile", "--check", &path][..], &["compile", &path]] {
        let output = cortenforge(args);
        assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(1), ""));
        assert!(stderr(&output).contains("model.xml:3:"), "{}", stderr(&output));
    }
    let output = cortenforge(&["compile", "--check", &path, "-o", "x.xml"]);
    assert_eq!(output.status.code(), Some(2));
}
