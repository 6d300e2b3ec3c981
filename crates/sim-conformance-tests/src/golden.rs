//! Reading what `python/golden.py` wrote: the reference's numbers for one model.

use std::collections::BTreeMap;
use std::path::Path;

use sim_core::fields::ArrayMut;
use sim_core::{Data, Model};

/// Numbers as the reference stores them.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)]
pub enum Values {
    F64(Vec<f64>),
    F32(Vec<f32>),
    I32(Vec<i32>),
    I64(Vec<i64>),
    U8(Vec<u8>),
}

/// The golden data of one model: arrays by path, such as `model/body_mass` or
/// `sample/2/forward/xpos`. `python/golden.py` describes paths and format.
#[derive(Debug)]
pub struct Golden {
    records: BTreeMap<String, Values>,
}

impl Golden {
    /// Reads the golden data of the model called `name`.
    ///
    /// # Panics
    /// Panics if the file is missing or damaged: it is part of the repository.
    pub fn read(name: &str) -> Golden {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden").join(format!("{name}.bin"));
        let packed = std::fs::read(&path)
            .unwrap_or_else(|err| panic!("{}: {err}; `make golden` makes it", path.display()));
        let bytes = miniz_oxide::inflate::decompress_to_vec_zlib(&packed)
            .unwrap_or_else(|err| panic!("{}: {err}", path.display()));

        let mut records = BTreeMap::new();
        let mut rest = Reader { bytes: &bytes };
        while !rest.bytes.is_empty() {
            let name = rest.name();
            let values = rest.values();
            assert!(records.insert(name.clone(), values).is_none(), "{name} occurs twice");
        }
        Golden { records }
    }

    /// The array at `path`.
    pub fn get(&self, path: &str) -> Option<&Values> {
        self.records.get(path)
    }

    /// The arrays below `prefix`, with the rest of their path.
    pub fn below<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = (&'a str, &'a Values)> {
        self.records
            .range(prefix.to_string()..)
            .take_while(move |(path, _)| path.starts_with(prefix))
            .map(move |(path, values)| (&path[prefix.len()..], values))
    }

    /// How many samples of the rollout there are.
    pub fn samples(&self) -> usize {
        (0..).take_while(|n| self.get(&format!("sample/{n}/in/time")).is_some()).count()
    }

    /// The compiled model of the reference, as our `Model`: stages can be compared without a
    /// loader in between.
    pub fn model(&self) -> Model {
        let mut model = Model::default();
        let size = |name: &str| match self.get(&format!("size/{name}")) {
            Some(Values::I64(x)) => x[0] as usize,
            other => panic!("size {name} is {other:?}"),
        };
        macro_rules! set_sizes {
            ($($name:ident)*) => { $( model.$name = size(stringify!($name)); )* };
        }
        set_sizes! {
            nq nv nu na nbody nbvh nbvhstatic nbvhdynamic noct njnt ntree nM nB nC nD ngeom
            nsite ncam nlight nflex nflexnode nflexvert nflexedge nflexelem nflexelemdata
            nflexelemedge nflexshelldata nflexevpair nflextexcoord nJfe nJfv nmesh nmeshvert
            nmeshnormal nmeshtexcoord nmeshface nmeshgraph nmeshpoly nmeshpolyvert nmeshpolymap
            nskin nskinvert nskintexvert nskinface nskinbone nskinbonevert nhfield nhfielddata
            ntex ntexdata nmat npair nexclude neq ntendon nwrap nsensor nnumeric nnumericdata
            ntext ntextdata ntuple ntupledata nkey nmocap nplugin npluginattr nuser_body
            nuser_jnt nuser_geom nuser_site nuser_cam nuser_tendon nuser_actuator nuser_sensor
            nnames npaths nnames_map nJmom ngravcomp nemax njmax nconmax nuserdata nsensordata
            npluginstate nhistory narena nbuffer
        }
        for (name, _) in Model::SIZES {
            assert_eq!(model.size(name), Some(size(name)), "size {name} is set");
        }
        model.allocate();

        for field in Model::FIELDS {
            let path = format!("model/{}", field.name);
            self.copy_to(&path, model.array_mut(field.name));
        }
        for (name, _) in self.below("opt/") {
            self.copy_to(&format!("opt/{name}"), model.opt.array_mut(name));
        }
        for (name, _) in self.below("stat/") {
            self.copy_to(&format!("stat/{name}"), model.stat.array_mut(name));
        }
        model
    }

    /// Puts `data` into the input state of a sample.
    pub fn restore(&self, sample: usize, model: &Model, data: &mut Data) {
        data.reset(model);
        let prefix = format!("sample/{sample}/in/");
        for (name, values) in self.below(&prefix) {
            match (name, values) {
                ("time", Values::F64(x)) => data.time = x[0],
                _ => self.copy_to(&format!("{prefix}{name}"), data.array_mut(name)),
            }
        }
    }

    fn copy_to(&self, path: &str, target: Option<ArrayMut<'_>>) {
        let values = self.get(path).unwrap_or_else(|| panic!("{path} is not in the golden data"));
        match (target, values) {
            (Some(ArrayMut::F64(to)), Values::F64(from)) => to.copy_from_slice(from),
            (Some(ArrayMut::F32(to)), Values::F32(from)) => to.copy_from_slice(from),
            (Some(ArrayMut::I32(to)), Values::I32(from)) => to.copy_from_slice(from),
            (Some(ArrayMut::I64(to)), Values::I64(from)) => to.copy_from_slice(from),
            (Some(ArrayMut::U8(to) | ArrayMut::Char(to)), Values::U8(from)) => {
                to.copy_from_slice(from);
            }
            (to, from) => panic!("{path}: {to:?} cannot hold {from:?}"),
        }
    }
}

/// Takes records off the front of the unpacked bytes.
struct Reader<'a> {
    bytes: &'a [u8],
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (head, tail) = self.bytes.split_first_chunk().expect("golden data end in a record");
        self.bytes = tail;
        *head
    }

    fn name(&mut self) -> String {
        let len = u16::from_le_bytes(self.take()) as usize;
        let (head, tail) = self.bytes.split_at(len);
        self.bytes = tail;
        String::from_utf8(head.to_vec()).expect("names are utf-8")
    }

    fn values(&mut self) -> Values {
        let [kind] = self.take();
        let len = u32::from_le_bytes(self.take()) as usize;
        match kind {
            0 => Values::F64((0..len).map(|_| f64::from_le_bytes(self.take())).collect()),
            1 => Values::F32((0..len).map(|_| f32::from_le_bytes(self.take())).collect()),
            2 => Values::I32((0..len).map(|_| i32::from_le_bytes(self.take())).collect()),
            3 => Values::I64((0..len).map(|_| i64::from_le_bytes(self.take())).collect()),
            4 => Values::U8((0..len).map(|_| u8::from_le_bytes(self.take())).collect()),
            _ => panic!("record of unknown type {kind}"),
        }
    }
}
