//! Loading from files: includes, directories, and files that are no models.

use std::fs;
use std::path::{Path, PathBuf};

use sim_core::model::ObjType;
use sim_mjcf::{Error, Loaded, load_file, load_str_with_assets};

/// A directory that is removed when the test ends.
struct Dir(PathBuf);

impl Dir {
    fn new(name: &str) -> Dir {
        let path = std::env::temp_dir().join(format!("sim-mjcf-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Dir(path)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    fn load(&self, text: &str) -> Result<Loaded, Error> {
        load_file(self.write("model.xml", text))
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn geoms(loaded: &Loaded) -> Vec<&str> {
    (0..loaded.model.ngeom).filter_map(|geom| loaded.model.name(ObjType::Geom, geom)).collect()
}

#[test]
fn a_file_is_looked_up_from_the_model_first_and_from_the_including_file_second() {
    let dir = Dir::new("lookup");
    dir.write("parts/a.xml", "<x><include file='both.xml'/><include file='near.xml'/></x>");
    dir.write("both.xml", "<x><geom name='top' size='1'/></x>");
    dir.write("parts/both.xml", "<x><geom name='wrong' size='1'/></x>");
    dir.write("parts/near.xml", "<x><geom name='near' size='1'/></x>");
    let xml = "<mujoco><worldbody><include file='parts/a.xml'/></worldbody></mujoco>";
    assert_eq!(geoms(&dir.load(xml).unwrap()), ["top", "near"]);
}

#[test]
fn files_above_the_model_can_be_included() {
    let dir = Dir::new("above");
    dir.write("shared.xml", "<x><geom name='shared' size='1'/></x>");
    let xml = "<mujoco><worldbody><include file='../shared.xml'/></worldbody></mujoco>";
    let path = dir.write("robots/model.xml", xml);
    assert_eq!(geoms(&load_file(path).unwrap()), ["shared"]);
}

#[test]
fn the_path_of_a_mesh_beside_an_included_file_is_absolute_as_in_the_reference() {
    let dir = Dir::new("beside");
    let tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
    let mesh = dir.write("shapes/a.obj", tetrahedron);
    dir.write("parts/assets.xml", "<x><mesh name='a' file='../shapes/a.obj'/></x>");
    let world = "<worldbody><geom type='mesh' mesh='a'/></worldbody>";
    let path = |asset: &str| {
        let xml = format!("<mujoco><asset>{asset}</asset>{world}</mujoco>");
        let model = dir.load(&xml).unwrap().model;
        let bytes = model.paths.iter().map(|c| c.0).take_while(|&c| c != 0).collect();
        String::from_utf8(bytes).unwrap()
    };
    assert_eq!(path("<include file='parts/assets.xml'/>"), mesh.display().to_string());
    assert_eq!(path("<mesh name='a' file='shapes/a.obj'/>"), "shapes/a.obj");
}

#[test]
fn a_file_that_includes_itself_is_an_error() {
    let dir = Dir::new("self");
    let error = dir.load("<mujoco>\n<include file='model.xml'/></mujoco>").unwrap_err();
    assert!(error.message().contains("already part of the model"), "{error}");
    assert_eq!(error.line(), Some(2));
    assert!(error.file().unwrap().ends_with("model.xml"));
}

#[test]
fn a_missing_file_is_an_error() {
    let error = load_file("no/such/model.xml").unwrap_err();
    assert_eq!(error.message(), "cannot read 'no/such/model.xml': there is no such file");
    let place = std::env::current_dir().unwrap().join("no/such/model.xml");
    assert_eq!(error.advice(), Some(&*format!("looked for '{}'", place.display())));
}

#[test]
fn errors_about_missing_files_say_where_they_were_looked_for() {
    let dir = Dir::new("missing");
    let place = |name: &str| format!("'{}'", dir.0.join(name).display());
    let advice = |text: &str| {
        let error = dir.load(text).unwrap_err();
        assert!(error.message().ends_with("there is no such file"), "{error}");
        assert!(error.to_string().ends_with(error.advice().unwrap()), "{error}");
        error.advice().unwrap().to_owned()
    };
    let none = advice("<mujoco><include file='./none.xml'/></mujoco>");
    assert_eq!(none, format!("looked for {}", place("none.xml")));

    // beside the model, and beside the file that asks for it
    for inside in ["<include file='none.xml'/>", "<asset><model file='none.xml'/></asset>"] {
        dir.write("parts/part.xml", format!("<x>{inside}</x>"));
        let none = advice("<mujoco><include file='parts/part.xml'/></mujoco>");
        let places = [place("none.xml"), place("parts/none.xml")].join(", then for ");
        assert_eq!(none, format!("looked for {places}"), "{inside}");
    }

    let none = advice(
        "<mujoco><compiler texturedir='images'/><asset><texture name='t' file='none.png'/>\
         </asset></mujoco>",
    );
    assert_eq!(none, format!("looked for {}", place("images/none.png")));
}

#[test]
fn a_file_missing_from_the_given_ones_is_an_error_that_lists_them() {
    let advice = |count: usize| {
        let assets = (0..count).map(|i| (format!("{i:02}.xml"), Vec::new())).collect();
        let xml = "<mujoco><include file='none.xml'/></mujoco>";
        let error = load_str_with_assets(xml, &assets).unwrap_err();
        error.advice().unwrap().to_owned()
    };
    assert_eq!(advice(0), "looked in the files given with the model, which are none");
    assert_eq!(advice(2), "looked in the files given with the model: '00.xml', '01.xml'");
    assert!(advice(12).ends_with("'08.xml', '09.xml' and 2 more"));
}

#[test]
fn a_directory_is_not_a_model() {
    let dir = Dir::new("directory");
    let error = load_file(&dir.0).unwrap_err();
    assert!(error.message().ends_with("it is not a regular file"), "{error}");
    let error = dir.load("<mujoco><include file='.'/></mujoco>").unwrap_err();
    assert!(error.message().ends_with("it is not a regular file"), "{error}");
}

#[cfg(unix)]
#[test]
fn a_device_is_not_read() {
    let error = load_file(Path::new("/dev/zero")).unwrap_err();
    assert!(error.message().ends_with("it is not a regular file"), "{error}");
}

#[test]
fn text_that_is_not_utf8_is_an_error_with_its_place() {
    let dir = Dir::new("utf8");
    let path = dir.write("model.xml", b"<mujoco>\n<!-- caf\xe9 --></mujoco>");
    let error = load_file(path).unwrap_err();
    assert!(error.message().ends_with("it is not UTF-8 text (line 2, byte 17)"), "{error}");
}

#[test]
fn a_byte_order_mark_is_skipped() {
    let dir = Dir::new("bom");
    let xml = "\u{feff}<mujoco><worldbody><geom name='g' size='1'/></worldbody></mujoco>";
    assert_eq!(geoms(&dir.load(xml).unwrap()), ["g"]);
}

#[test]
fn with_assets_nothing_is_read_from_disk() {
    let dir = Dir::new("assets");
    let path = dir.write("part.xml", "<x><geom name='g' size='1'/></x>");
    let xml =
        format!("<mujoco><worldbody><include file='{}'/></worldbody></mujoco>", path.display());
    let assets = std::collections::HashMap::new();
    let error = load_str_with_assets(&xml, &assets).unwrap_err();
    assert!(error.message().ends_with("there is no such file"), "{error}");
}
