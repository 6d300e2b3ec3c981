use super::rename::{Affix, Copied};
use super::{Attributes, Attrs, Info};

/// A surface that is drawn over bodies and follows them.
#[doc(alias = "mjsSkin")]
#[derive(Debug, Clone)]
pub struct Skin {
    /// Name, place and relations. The name is that of the file without its extension when not given.
    pub info: Info,
    /// Directory of the model that names the file.
    pub dir: String,
    /// File of MuJoCo's own format; empty if the skin is given in place.
    pub file: String,
    /// Name of the material; empty for none.
    pub material: String,
    /// Colour.
    pub rgba: [f32; 4],
    /// How far vertices are moved outwards.
    pub inflate: f32,
    /// Group.
    pub group: i32,
    /// Positions of the vertices.
    pub vert: Vec<f32>,
    /// Texture coordinates.
    pub texcoord: Vec<f32>,
    /// Vertices of the triangles.
    pub face: Vec<i32>,
    /// Names of the bodies that the vertices follow, the bones.
    pub bodyname: Vec<String>,
    /// Positions of the bones where the vertices are as given.
    pub bindpos: Vec<f32>,
    /// Orientations of the bones there.
    pub bindquat: Vec<f32>,
    /// Vertices that follow each bone.
    pub vertid: Vec<Vec<i32>>,
    /// How much they do.
    pub vertweight: Vec<Vec<f32>>,
}

impl Default for Skin {
    fn default() -> Skin {
        Skin {
            info: Info::default(),
            dir: String::new(),
            file: String::new(),
            material: String::new(),
            rgba: [0.5, 0.5, 0.5, 1.0],
            inflate: 0.0,
            group: 0,
            vert: Vec::new(),
            texcoord: Vec::new(),
            face: Vec::new(),
            bodyname: Vec::new(),
            bindpos: Vec::new(),
            bindquat: Vec::new(),
            vertid: Vec::new(),
            vertweight: Vec::new(),
        }
    }
}

impl Attributes for Skin {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        a.text("name", &mut self.info.name);
        a.text("file", &mut self.file);
        a.text("material", &mut self.material);
        a.numbers("rgba", &mut self.rgba);
        a.numbers("inflate", &mut self.inflate);
        a.list("vertex", &mut self.vert);
        a.list("texcoord", &mut self.texcoord);
        a.list("face", &mut self.face);
        a.numbers("group", &mut self.group);
        if !(0..=5).contains(&self.group) {
            a.fail("group", "the group of a skin must be between 0 and 5");
        }
    }
}

/// A body that vertices of a skin follow: the element `bone`.
#[derive(Debug, Default, Clone)]
pub(crate) struct Bone {
    pub body: String,
    pub bindpos: [f32; 3],
    pub bindquat: [f32; 4],
    pub vertid: Vec<i32>,
    pub vertweight: Vec<f32>,
}

impl Attributes for Bone {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        a.text("body", &mut self.body);
        a.numbers("bindpos", &mut self.bindpos);
        a.numbers("bindquat", &mut self.bindquat);
        a.list("vertid", &mut self.vertid);
        a.list("vertweight", &mut self.vertweight);
        for name in ["body", "bindpos", "bindquat", "vertid", "vertweight"] {
            a.required(name);
        }
    }
}

impl Skin {
    /// Adds a bone.
    pub(crate) fn add_bone(&mut self, bone: Bone) {
        self.bodyname.push(bone.body);
        self.bindpos.extend(bone.bindpos);
        self.bindquat.extend(bone.bindquat);
        self.vertid.push(bone.vertid);
        self.vertweight.push(bone.vertweight);
    }

    /// The bones, as far as all lists have them.
    pub(crate) fn bones(&self) -> impl Iterator<Item = Bone> + '_ {
        let poses = self.bindpos.as_chunks::<3>().0.iter().zip(self.bindquat.as_chunks::<4>().0);
        let vertices = self.vertid.iter().zip(&self.vertweight);
        self.bodyname.iter().zip(poses).zip(vertices).map(|((body, pose), vertices)| Bone {
            body: body.clone(),
            bindpos: *pose.0,
            bindquat: *pose.1,
            vertid: vertices.0.clone(),
            vertweight: vertices.1.clone(),
        })
    }
}

impl Copied for Skin {
    fn rename_assets(&mut self, affix: Affix<'_>) {
        affix.rename(&mut self.material);
    }

    fn weight(&self) -> usize {
        1 + (self.vert.len() + self.face.len() + self.vertid.iter().map(Vec::len).sum::<usize>())
            / 64
    }
}
