use sim_core::model::{VisGlobal, VisHeadlight, VisMap, VisQuality, VisRgba, VisScale};

use super::{Attributes, Attrs};

const BOOL: &[(&str, i32)] = &[("false", 0), ("true", 1)];

impl Attributes for VisGlobal {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        a.numbers("cameraid", &mut self.cameraid);
        a.keyword("orthographic", &mut self.orthographic, BOOL);
        a.numbers("fovy", &mut self.fovy);
        a.numbers("ipd", &mut self.ipd);
        a.numbers("azimuth", &mut self.azimuth);
        a.numbers("elevation", &mut self.elevation);
        a.numbers("linewidth", &mut self.linewidth);
        a.numbers("glow", &mut self.glow);
        a.numbers("offwidth", &mut self.offwidth);
        a.numbers("offheight", &mut self.offheight);
        if a.numbers("realtime", &mut self.realtime) && self.realtime <= 0.0 {
            a.fail("realtime", "'realtime' must be positive");
        }
        a.keyword("ellipsoidinertia", &mut self.ellipsoidinertia, BOOL);
        a.keyword("bvactive", &mut self.bvactive, BOOL);
    }
}

impl Attributes for VisQuality {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        a.numbers("shadowsize", &mut self.shadowsize);
        a.numbers("offsamples", &mut self.offsamples);
        a.numbers("numslices", &mut self.numslices);
        a.numbers("numstacks", &mut self.numstacks);
        a.numbers("numquads", &mut self.numquads);
    }
}

impl Attributes for VisHeadlight {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        a.numbers("ambient", &mut self.ambient);
        a.numbers("diffuse", &mut self.diffuse);
        a.numbers("specular", &mut self.specular);
        a.numbers("active", &mut self.active);
    }
}

impl Attributes for VisMap {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        a.numbers("stiffness", &mut self.stiffness);
        a.numbers("stiffnessrot", &mut self.stiffnessrot);
        a.numbers("force", &mut self.force);
        a.numbers("torque", &mut self.torque);
        a.numbers("alpha", &mut self.alpha);
        a.numbers("fogstart", &mut self.fogstart);
        a.numbers("fogend", &mut self.fogend);
        if a.numbers("znear", &mut self.znear) && self.znear <= 0.0 {
            a.fail("znear", "'znear' must be positive");
        }
        a.numbers("zfar", &mut self.zfar);
        a.numbers("haze", &mut self.haze);
        a.numbers("shadowclip", &mut self.shadowclip);
        a.numbers("shadowscale", &mut self.shadowscale);
        a.numbers("actuatortendon", &mut self.actuatortendon);
    }
}

impl Attributes for VisScale {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        a.numbers("forcewidth", &mut self.forcewidth);
        a.numbers("contactwidth", &mut self.contactwidth);
        a.numbers("contactheight", &mut self.contactheight);
        a.numbers("connect", &mut self.connect);
        a.numbers("com", &mut self.com);
        a.numbers("camera", &mut self.camera);
        a.numbers("light", &mut self.light);
        a.numbers("selectpoint", &mut self.selectpoint);
        a.numbers("jointlength", &mut self.jointlength);
        a.numbers("jointwidth", &mut self.jointwidth);
        a.numbers("actuatorlength", &mut self.actuatorlength);
        a.numbers("actuatorwidth", &mut self.actuatorwidth);
        a.numbers("framelength", &mut self.framelength);
        a.numbers("framewidth", &mut self.framewidth);
        a.numbers("constraint", &mut self.constraint);
        a.numbers("slidercrank", &mut self.slidercrank);
        a.numbers("frustum", &mut self.frustum);
    }
}

impl Attributes for VisRgba {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        a.numbers("fog", &mut self.fog);
        a.numbers("haze", &mut self.haze);
        a.numbers("force", &mut self.force);
        a.numbers("inertia", &mut self.inertia);
        a.numbers("joint", &mut self.joint);
        a.numbers("actuator", &mut self.actuator);
        a.numbers("actuatornegative", &mut self.actuatornegative);
        a.numbers("actuatorpositive", &mut self.actuatorpositive);
        a.numbers("com", &mut self.com);
        a.numbers("camera", &mut self.camera);
        a.numbers("light", &mut self.light);
        a.numbers("selectpoint", &mut self.selectpoint);
        a.numbers("connect", &mut self.connect);
        a.numbers("contactpoint", &mut self.contactpoint);
        a.numbers("contactforce", &mut self.contactforce);
        a.numbers("contactfriction", &mut self.contactfriction);
        a.numbers("contacttorque", &mut self.contacttorque);
        a.numbers("contactgap", &mut self.contactgap);
        a.numbers("rangefinder", &mut self.rangefinder);
        a.numbers("constraint", &mut self.constraint);
        a.numbers("slidercrank", &mut self.slidercrank);
        a.numbers("crankbroken", &mut self.crankbroken);
        a.numbers("frustum", &mut self.frustum);
        a.numbers("bv", &mut self.bv);
        a.numbers("bvactive", &mut self.bvactive);
    }
}
