//! `cortenforge render` as people use it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const SCENE: &str = r#"<mujoco model="scene">
  <worldbody>
    <light pos="0 0 3" dir="0 0 -1" directional="true"/>
    <geom type="plane" size="2 2 0.1" rgba="0.2 0.3 0.4 1"/>
    <camera name="side" pos="0 -2 0.6" xyaxes="1 0 0 0 0.3 1"/>
    <body pos="0 0 0.5"><freejoint/><geom type="box" size="0.2 0.2 0.2" rgba="0.9 0.1 0.1 1"/></body>
  </worldbody>
</mujoco>"#;

fn render(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cortenforge"));
    command.arg("render").args(args).output().expect("the command runs")
}

/// A fresh directory with a model in it.
fn directory(test: &str) -> (PathBuf, String) {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("the directory can be made");
    fs::write(path.join("scene.xml"), SCENE).expect("the model can be written");
    let model = path.join("scene.xml").to_str().expect("the path is UTF-8").to_owned();
    (path, model)
}

/// Width, height and pixels of the first picture in a PNG file.
fn pixels(path: &Path) -> (u32, u32, Vec<u8>) {
    let file = std::io::BufReader::new(fs::File::open(path).expect("the picture is there"));
    let mut reader = png::Decoder::new(file).read_info().expect("it is a PNG");
    let mut data = vec![0; reader.output_buffer_size().expect("it has a size")];
    let info = reader.next_frame(&mut data).expect("it has a picture");
    (info.width, info.height, data)
}

#[test]
fn a_picture_shows_the_model() {
    let (path, model) = directory("render_picture");
    let file = path.join("a.png");
    let name = file.to_str().expect("the path is UTF-8");
    let output = render(&[&model, "-o", name, "--size", "80x60", "--camera", "side"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let (width, height, data) = pixels(&file);
    assert_eq!((width, height), (80, 60));
    let red = data.chunks_exact(3).filter(|p| p[0] > 2 * p[2].max(10)).count();
    assert!((100..2400).contains(&red), "{red} red pixels");
}

#[test]
fn depths_and_segments_are_pictures_too() {
    let (path, model) = directory("render_kinds");
    for kind in ["--depth", "--segmentation"] {
        let file = path.join(format!("{kind}.png"));
        let name = file.to_str().expect("the path is UTF-8");
        let output = render(&[&model, "-o", name, "--size", "40x30", kind]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let (_, _, data) = pixels(&file);
        assert!(data.iter().max() > data.iter().min(), "{kind}");
    }
}

#[test]
fn videos_have_a_picture_for_each_moment() {
    let (path, model) = directory("render_video");
    for ending in ["gif", "apng"] {
        let file = path.join(format!("a.{ending}"));
        let name = file.to_str().expect("the path is UTF-8");
        let output =
            render(&[&model, "-o", name, "--size", "32x24", "--time", "0.2", "--fps", "20"]);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(text.contains("5 pictures"), "{text}{}", String::from_utf8_lossy(&output.stderr));
        let bytes = fs::read(&file).expect("the video is there");
        match ending {
            "gif" => assert!(bytes.starts_with(b"GIF89a")),
            _ => assert_eq!(bytes.windows(4).filter(|w| w == b"fcTL").count(), 5),
        }
    }
}

#[test]
fn wrong_wishes_are_answered_with_words() {
    let (path, model) = directory("render_wrong");
    let file = path.join("a.png");
    let name = file.to_str().expect("the path is UTF-8");
    for (arguments, said) in [
        (vec!["--camera", "nowhere"], "0 'side'"),
        (vec!["--size", "0x10"], "0 by 10"),
        (vec!["--size", "1000000x10"], "too large"),
        (vec!["--size", "wide"], "such as 640x480"),
        (vec!["--keyframe", "home"], "no keyframes"),
    ] {
        let mut all = vec![model.as_str(), "-o", name];
        all.extend(arguments);
        let output = render(&all);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && text.contains(said), "{text}");
    }
    let output = render(&[&model, "-o", "picture.bmp"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains(".png, .mp4, .gif or .apng"));
}
