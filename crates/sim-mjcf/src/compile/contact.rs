//! Pairs of geoms to check for contact, and pairs of bodies to leave out.

use sim_core::Model;
use sim_core::model::ObjType;

use super::names::Names;
use super::tree::Tree;
use crate::error::Error;
use crate::spec::{Element, Exclude, Pair, Spec};

/// Pairs and excludes in the order of the model: by the bodies that they are about.
pub(super) struct Contacts<'a> {
    pub pairs: Vec<GeomPair<'a>>,
    pub excludes: Vec<BodyPair<'a>>,
}

/// A pair with the ids of its geoms.
pub(super) struct GeomPair<'a> {
    pub spec: &'a Pair,
    geoms: [usize; 2],
    signature: i32,
}

/// An exclude with its signature.
pub(super) struct BodyPair<'a> {
    pub spec: &'a Exclude,
    signature: i32,
}

impl<'a> Contacts<'a> {
    /// Finds the objects by name, and sorts.
    pub(super) fn new(spec: &'a Spec, tree: &Tree, names: &Names) -> Result<Contacts<'a>, Error> {
        let mut bodies = Vec::new();
        if !spec.pairs.is_empty() {
            let counts = tree.bodies.iter().map(|body| body.geoms.len()).enumerate();
            bodies.extend(counts.flat_map(|(id, count)| std::iter::repeat_n(id, count)));
        }

        let mut pairs = Vec::with_capacity(spec.pairs.len());
        for pair in &spec.pairs {
            if ![1, 3, 4, 6].contains(&pair.condim) {
                let message = format!("a contact has dimension 1, 3, 4 or 6, not {}", pair.condim);
                return Err(pair.error(message).attribute("condim"));
            }
            let mut geoms = [
                names.resolve(ObjType::Geom, &pair.geom1, pair.src, "geom1")?,
                names.resolve(ObjType::Geom, &pair.geom2, pair.src, "geom2")?,
            ];
            if bodies[geoms[0]] > bodies[geoms[1]] {
                geoms.reverse();
            }
            let signature = signature(geoms.map(|geom| bodies[geom]));
            pairs.push(GeomPair { spec: pair, geoms, signature });
        }

        let mut excludes = Vec::with_capacity(spec.excludes.len());
        for exclude in &spec.excludes {
            let first = names.resolve(ObjType::Body, &exclude.body1, exclude.src, "body1")?;
            let second = names.resolve(ObjType::Body, &exclude.body2, exclude.src, "body2")?;
            let signature = signature([first.min(second), first.max(second)]);
            excludes.push(BodyPair { spec: exclude, signature });
        }
        pairs.sort_by_key(|pair| pair.signature);
        excludes.sort_by_key(|exclude| exclude.signature);
        Ok(Contacts { pairs, excludes })
    }

    /// Fills the tables.
    pub(super) fn fill(&self, model: &mut Model) {
        for (id, pair) in self.pairs.iter().enumerate() {
            let spec = pair.spec;
            model.pair_dim[id] = spec.condim;
            model.pair_geom1[id] = pair.geoms[0] as i32;
            model.pair_geom2[id] = pair.geoms[1] as i32;
            model.pair_signature[id] = pair.signature;
            model.pair_solref[id] = spec.solref;
            model.pair_solreffriction[id] = spec.solreffriction;
            model.pair_solimp[id] = spec.solimp;
            model.pair_margin[id] = spec.margin;
            model.pair_gap[id] = spec.gap;
            model.pair_friction[id] = spec.friction;
        }
        for (id, exclude) in self.excludes.iter().enumerate() {
            model.exclude_signature[id] = exclude.signature;
        }
    }
}

/// Two bodies in one number, the smaller one in the upper half. Large ids make it negative.
fn signature(bodies: [usize; 2]) -> i32 {
    (((bodies[0] as u32) << 16) + bodies[1] as u32) as i32
}

#[cfg(test)]
mod tests {
    use sim_core::model::ObjType;

    use crate::{Loaded, load_str};

    fn load(before: &str, contact: &str) -> Result<Loaded, crate::Error> {
        load_str(&format!(
            "<mujoco>{before}<worldbody><geom name='floor' type='plane' size='1 1 1'/>\
             <body name='a'><freejoint/><geom name='ga' size='.1' friction='.5' margin='.3'/></body>\
             <body name='b'><freejoint/><geom name='gb' size='.1' condim='6'/></body></worldbody>\
             <contact>{contact}</contact></mujoco>"
        ))
    }

    #[test]
    fn pairs_and_excludes_are_sorted_by_their_bodies() {
        let contact = "<pair name='last' geom1='gb' geom2='ga'/><pair geom1='gb' geom2='floor'/>\
                       <pair name='first' geom1='floor' geom2='ga'/>\
                       <exclude name='ab' body1='b' body2='a'/><exclude body1='a' body2='world'/>";
        let model = load("", contact).unwrap().model;
        assert_eq!(model.pair_signature, [1, 2, 65538]);
        assert_eq!(
            (&model.pair_geom1[..], &model.pair_geom2[..]),
            (&[0, 0, 1][..], &[1, 2, 2][..])
        );
        assert_eq!(model.id(ObjType::Pair, "last"), Some(2));
        assert_eq!(model.exclude_signature, [1, 65538]);
        assert_eq!(model.name(ObjType::Exclude, 1), Some("ab"));
    }

    #[test]
    fn a_pair_takes_nothing_from_its_geoms_but_from_its_class() {
        let defaults = "<default><pair gap='.2'/><default class='c'><pair friction='2 3'/>\
                        </default></default>";
        let contact = "<pair geom1='floor' geom2='ga'/><pair class='c' geom1='ga' geom2='gb'/>";
        let model = load(defaults, contact).unwrap().model;
        assert_eq!(model.pair_friction[0], [1.0, 1.0, 0.005, 0.0001, 0.0001]);
        assert_eq!(model.pair_friction[1], [2.0, 3.0, 0.005, 0.0001, 0.0001]);
        assert_eq!((&model.pair_gap[..], &model.pair_margin[..]), (&[0.2; 2][..], &[0.0; 2][..]));
        assert_eq!(model.pair_dim, [3, 3]);
    }

    #[test]
    fn faults_of_pairs_are_reported() {
        let fault = |contact: &str| load("", contact).unwrap_err();
        let error = fault("<pair geom1='floor' geom2='gc'/>");
        assert_eq!(error.message(), "there is no geom 'gc'");
        assert_eq!(error.attribute_name(), Some("geom2"));
        assert!(error.advice().is_some_and(|advice| advice.contains("'ga'")));
        let error = fault("<exclude body1='torso' body2='a'/>");
        assert!(error.advice().is_some_and(|advice| advice.contains("'world', 'a', 'b'")));
        assert!(fault("<pair geom1='ga'/>").message().contains("'geom2'"));
        assert!(fault("<pair geom1='ga' geom2='gb' condim='2'/>").message().contains("dimension"));
        assert!(
            fault(
                "<exclude name='x' body1='a' body2='b'/><exclude name='x' body1='a' \
                       body2='b'/>"
            )
            .message()
            .contains("another exclude")
        );
        assert!(fault("<pairs/>").message().contains("unknown element"));
    }
}
