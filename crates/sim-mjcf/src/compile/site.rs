//! Sites.

use sim_core::math::Vec3;
use sim_core::model::GeomType;

use super::geom::{Placed, check_size, from_to, place};
use crate::error::Error;
use crate::pose::Pose;
use crate::spec::{self, Element, Spec};

/// A site, compiled.
#[derive(Debug)]
pub(super) struct Site<'a> {
    pub spec: &'a spec::Site,
    pub pose: Pose,
    pub size: Vec3,
}

impl<'a> Site<'a> {
    pub(super) fn new(
        site: &'a spec::Site,
        frame: Option<Pose>,
        spec: &Spec,
    ) -> Result<Self, Error> {
        if matches!(site.kind, GeomType::Plane | GeomType::Hfield | GeomType::Mesh | GeomType::Sdf)
        {
            let error = site.error("a site cannot be a plane, a height field or a mesh");
            return Err(error.attribute("type"));
        }
        let placed = match site.fromto {
            Some(ends) => from_to(site.kind, site.pos, site.size, ends, site.src)?,
            None => {
                let quat = site.orientation.resolve(spec.compiler_of(site.compiler), site.src)?;
                Placed { pose: Pose { pos: site.pos, quat }, size: site.size }
            }
        };
        check_size(site.kind, placed.size, site)?;
        let Pose { pos, quat } = placed.pose;
        Ok(Site { spec: site, pose: place(pos, quat, frame).normalized(), size: placed.size })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_cannot_be_a_plane() {
        let site = spec::Site { kind: GeomType::Plane, ..Default::default() };
        let spec = Spec::default();
        assert!(Site::new(&site, None, &spec).is_err());
    }
}
