//! Meshes and height fields from files and from memory: where they are looked up, what they are
//! called, and what is said when they cannot be used.

mod common;

use std::collections::HashMap;
use std::fs;

use common::{above, difference};
use sim_core::model::ObjType;
use sim_mjcf::{Error, Loaded, load_str_with_assets};

/// Loads a model with the files of `models/meshes`, by other names.
fn load(xml: &str, files: &[(&str, &str)]) -> Result<Loaded, Error> {
    let bytes = |file: &str| fs::read(above(2, "models/meshes").join(file)).expect("a file");
    let files: HashMap<String, Vec<u8>> =
        files.iter().map(|&(name, file)| (name.to_owned(), bytes(file))).collect();
    load_str_with_assets(&format!("<mujoco>{xml}</mujoco>"), &files)
}

fn fault(xml: &str, files: &[(&str, &str)]) -> Error {
    load(xml, files).map(|_| "nothing is wrong").unwrap_err()
}

fn names(loaded: &Loaded, kind: ObjType, count: usize) -> Vec<&str> {
    (0..count).filter_map(|id| loaded.model.name(kind, id)).collect()
}

#[test]
fn files_give_names_and_come_from_the_directory_of_meshes() {
    let xml = "<compiler meshdir='a/b'/><asset><mesh file='c/bracket.stl'/><mesh file='x.OBJ'/>\
               <hfield file='hill.png' size='1 1 1 1'/></asset>";
    let files = [
        ("a/b/c/bracket.stl", "bracket.stl"),
        ("a/b/x.OBJ", "bracket.obj"),
        ("a/b/hill.png", "hill.png"),
    ];
    let loaded = load(xml, &files).unwrap();
    assert_eq!(names(&loaded, ObjType::Mesh, 2), ["bracket", "x"]);
    assert_eq!(names(&loaded, ObjType::Hfield, 1), ["hill"]);
    let paths: Vec<u8> = loaded.model.paths.iter().map(|c| c.0).collect();
    assert_eq!(paths, b"hill.png\0c/bracket.stl\0x.OBJ\0");
    assert_eq!((loaded.model.hfield_pathadr[0], loaded.model.mesh_pathadr[1]), (0, 23));
}

#[test]
fn paths_can_be_stripped() {
    let xml = "<compiler strippath='true' assetdir='a'/><asset>\
               <mesh name='m' file='far/away/stone.msh'/></asset>";
    let loaded = load(xml, &[("a/stone.msh", "stone.msh")]).unwrap();
    let paths: Vec<u8> = loaded.model.paths.iter().map(|c| c.0).collect();
    assert_eq!(paths, b"stone.msh\0");
}

#[test]
fn meshes_are_the_same_on_one_thread_and_on_many() {
    let xml = |compiler: &str| {
        let mesh = |i: i32| {
            let scale = f64::from(i) / 10.0;
            format!("<mesh name='m{i}' file='bracket.stl' scale='{scale} 1 1'/>")
        };
        let meshes: String = (1..30).map(mesh).collect();
        format!("<compiler {compiler}/><asset>{meshes}</asset>")
    };
    let files = [("bracket.stl", "bracket.stl")];
    let one = load(&xml("usethread='false'"), &files).unwrap();
    let many = load(&xml("usethread='true'"), &files).unwrap();
    assert_eq!(difference(&one.model, &many.model), None);
}

#[test]
fn the_first_mesh_that_fails_is_the_one_reported() {
    let xml = "<asset><mesh name='good' file='a.stl'/><mesh name='first' file='b.msh'/>\
               <mesh name='second' file='missing.stl'/><mesh name='third' file='c.msh'/></asset>";
    let files = [("a.stl", "bracket.stl"), ("b.msh", "bracket.stl"), ("c.msh", "hill.png")];
    for _ in 0..20 {
        let error = fault(xml, &files);
        assert!(error.message().starts_with("mesh 'first': cannot use 'b.msh'"), "{error}");
    }
}

#[test]
fn files_that_cannot_be_used_are_named() {
    let files = [("a.stl", "bracket.obj"), ("a.ply", "bracket.stl"), ("a.png", "bracket.stl")];
    for (asset, message) in [
        ("<mesh name='m' file='b.stl'/>", "mesh 'm': cannot read 'b.stl': there is no such file"),
        ("<mesh name='m' file='a.ply'/>", "meshes in .ply files are not supported"),
        (
            "<mesh name='m' file='a.stl' content_type='model/x'/>",
            "type 'model/x' are not supported",
        ),
        ("<mesh name='m' file='a.stl'/>", "mesh 'm': cannot use 'a.stl'"),
        ("<mesh name='m' file='a.stl' builtin='sphere' params='1'/>", "cannot have a file"),
        ("<mesh name='m' builtin='sphere'/>", "params"),
        ("<mesh name='m' builtin='sphere' params='9'/>", "mesh 'm' cannot be used"),
        ("<mesh name='m'/>", "at least 4 vertices"),
        ("<mesh vertex='0 0 0'/>", "a mesh needs a name"),
        ("<mesh name='m' maxhullvert='3' file='a.stl'/>", "at least 4 vertices"),
        ("<hfield name='h' file='a.png' size='1 1 1 1'/>", "height field 'h': cannot use 'a.png'"),
        ("<hfield name='h' file='a.stl' size='1 1 1 1'/>", "is a mesh, not a height field"),
        ("<hfield name='h' size='1 1 1 1'/>", "has no grid"),
        ("<hfield name='h' nrow='2' ncol='2' size='1 1 0 1'/>", "must be positive, not 0"),
        ("<hfield name='h' nrow='2' ncol='2' size='1 1 1 1' elevation='1 2 3'/>", "3 elevations"),
        ("<hfield name='h' nrow='99999' ncol='99999' size='1 1 1 1'/>", "too many"),
    ] {
        let error = fault(&format!("<asset>{asset}</asset>"), &files);
        assert!(error.message().contains(message), "{asset}: {error}");
    }
}

#[test]
fn geoms_say_what_they_need() {
    let asset = "<asset><mesh name='m' file='a.stl'/>\
                 <hfield name='h' nrow='2' ncol='2' size='1 1 1 1'/></asset>";
    for (geom, message) in [
        ("type='mesh'", "needs a 'mesh'"),
        ("type='mesh' mesh='x'", "there is no mesh 'x'"),
        ("type='hfield'", "needs a 'hfield'"),
        ("type='sphere' hfield='h'", "needs a 'hfield'"),
        ("type='plane' mesh='m'", "cannot be fitted"),
        ("type='mesh' mesh='m' fromto='0 0 0 1 1 1'", "fromto"),
        ("type='mesh' mesh='m' shellinertia='true'", "said by the mesh"),
        ("type='sdf' mesh='m'", "not supported yet"),
    ] {
        let xml = format!("{asset}<worldbody><geom {geom}/></worldbody>");
        let error = fault(&xml, &[("a.stl", "bracket.stl")]);
        assert!(error.message().contains(message), "{geom}: {error}");
    }
}

#[test]
fn without_visual_geoms_their_meshes_go_too() {
    let xml = "<compiler discardvisual='true'/><asset><mesh name='seen' file='a.stl'/>\
               <mesh name='felt' file='b.msh'/><mesh name='unused' file='a.stl'/></asset>\
               <worldbody><geom type='mesh' mesh='seen' contype='0' conaffinity='0'/>\
               <geom type='mesh' mesh='felt'/></worldbody>";
    let loaded = load(xml, &[("a.stl", "bracket.stl"), ("b.msh", "stone.msh")]).unwrap();
    assert_eq!(names(&loaded, ObjType::Mesh, loaded.model.nmesh), ["felt"]);
    assert_eq!(loaded.model.geom_dataid, [0]);
}

#[test]
fn only_what_collides_has_a_hull() {
    let model = |geom: &str, rest: &str| {
        let xml = format!(
            "<asset><mesh name='m' file='a.stl'/></asset><worldbody><geom name='b' size='1'/>\
             <body><freejoint/><geom name='a' {geom} mesh='m'/></body></worldbody>{rest}"
        );
        load(&xml, &[("a.stl", "bracket.stl")]).unwrap().model.mesh_graphadr[0]
    };
    let visual = "type='mesh' contype='0' conaffinity='0'";
    assert_eq!(model("type='mesh'", ""), 0);
    assert_eq!(model(visual, ""), -1);
    assert_eq!(model(visual, "<contact><pair geom1='a' geom2='b'/></contact>"), 0);
    assert_eq!(model("type='box'", ""), -1);
}
