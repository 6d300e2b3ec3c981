use sim_core::Model;

use super::{Camera, Element, Geom, Joint, Light, Sensor, Site, Spec};

impl Spec {
    /// A number that models of the same structure share: that of the compiled model, unless
    /// compiling drops or fuses elements. MuJoCo: `mjs_getSpec`'s `signature` of an element.
    pub fn signature(&self) -> u64 {
        let tree = self.tree();
        let mut number = vec![0; self.bodies.slots()];
        for (id, body) in tree.iter().enumerate() {
            number[body.slot()] = id as i32;
        }
        let mut model = Model {
            nbody: tree.len(),
            njnt: self.joints.len(),
            nflex: self.flexes.len(),
            nmesh: self.meshes.len(),
            nskin: self.skins.len(),
            nhfield: self.hfields.len(),
            ntex: self.textures.len(),
            nmat: self.materials.len(),
            npair: self.pairs.len(),
            nexclude: self.excludes.len(),
            neq: self.equalities.len(),
            ntendon: self.tendons.len(),
            nu: self.actuators.len(),
            nkey: self.keys.len(),
            ..Model::default()
        };
        for &body in &tree {
            let own = &self[body];
            let parent = own.parent.map_or(0, |parent| number[parent.slot()]);
            model.body_parentid.push(parent);
            model.body_jntadr.push(model.jnt_type.len() as i32);
            model.body_jntnum.push(own.joints.len() as i32);
            model.jnt_type.extend(self.in_body::<Joint>(own).map(|joint| joint.kind as i32));
        }
        model.geom_bodyid = self.owners::<Geom>(&number);
        model.site_bodyid = self.owners::<Site>(&number);
        model.cam_bodyid = self.owners::<Camera>(&number);
        model.light_bodyid = self.owners::<Light>(&number);
        model.sensor_type = Sensor::list(self).iter().map(|sensor| sensor.kind as i32).collect();
        model.signature()
    }

    /// The ids of the bodies that the elements of a kind are in.
    fn owners<T: Element>(&self, number: &[i32]) -> Vec<i32> {
        T::list(self).iter().map(|x| x.parent.map_or(0, |body| number[body.slot()])).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::Spec;

    #[test]
    fn the_signature_is_that_of_the_compiled_model() {
        let text = "<mujoco><worldbody><geom size='1'/><body><freejoint/><geom size='.1'/><site/>
            <body><joint/><geom size='.1'/><camera/></body></body><body><light/><geom size='.1'/>
            <body><joint/><joint axis='1 0 0'/><geom size='.1'/></body></body></worldbody>
            <sensor><clock/></sensor><keyframe><key/></keyframe></mujoco>";
        let mut spec = Spec::from_str(text).unwrap();
        let model = spec.compile().unwrap().model;
        assert_eq!(spec.signature(), model.signature());
        let body = spec.bodies.ids()[2];
        spec.add_site(body);
        assert_ne!(spec.signature(), model.signature());
        assert_eq!(spec.signature(), spec.compile().unwrap().model.signature());
    }
}
