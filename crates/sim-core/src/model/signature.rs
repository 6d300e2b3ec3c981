use std::fmt::{self, Write};

use super::{JointType, Model};

impl Model {
    /// A number that models of the same structure share: which bodies have which joints, geoms,
    /// sites, cameras and lights, and how many other objects there are. Values and names do not
    /// count.
    ///
    /// Bernstein's hash of a listing of the structure; MuJoCo: `mjModel.signature`.
    pub fn signature(&self) -> u64 {
        let mut hash = Hash(5381);
        // writing to a hash cannot fail
        let _ = self.list_structure(&mut hash);
        hash.0 % u64::MAX
    }

    fn list_structure(&self, out: &mut Hash) -> fmt::Result {
        let by_body = |owners: &[i32]| {
            let mut counts = vec![0; self.nbody];
            owners.iter().for_each(|&body| counts[body as usize] += 1);
            counts
        };
        let kinds = [
            ("geom", by_body(&self.geom_bodyid)),
            ("site", by_body(&self.site_bodyid)),
            ("camera", by_body(&self.cam_bodyid)),
            ("light", by_body(&self.light_bodyid)),
        ];
        writeln!(out)?;

        // bodies depth first; `open` are those that the last one is inside
        let mut open: Vec<usize> = Vec::new();
        for body in 0..self.nbody {
            while open.last().is_some_and(|&last| body > 0 && last != self.body_parent(body)) {
                open.pop();
                writeln!(out, "{:1$}</body>", "", 2 * open.len())?;
            }
            writeln!(out, "{:1$}<body>", "", 2 * open.len())?;
            open.push(body);
            let indent = 2 * open.len();
            for jnt in self.body_jnts(body) {
                let count =
                    JointType::from_i32(self.jnt_type[jnt]).map_or(0, JointType::coordinates);
                writeln!(out, "{:indent$}<joint>{count}</joint>", "")?;
            }
            for (kind, counts) in &kinds {
                (0..counts[body]).try_for_each(|_| writeln!(out, "{:indent$}<{kind}/>", ""))?;
            }
        }
        while open.pop().is_some() {
            writeln!(out, "{:1$}</body>", "", 2 * open.len())?;
        }

        let counts = [
            ("flex", self.nflex),
            ("mesh", self.nmesh),
            ("skin", self.nskin),
            ("heightfield", self.nhfield),
            ("texture", self.ntex),
            ("material", self.nmat),
            ("pair", self.npair),
            ("exclude", self.nexclude),
            // the reference leaves out the first
            ("equality", self.neq.saturating_sub(1)),
            ("tendon", self.ntendon),
            ("actuator", self.nu),
        ];
        for (kind, count) in counts {
            (0..count).try_for_each(|_| writeln!(out, "<{kind}/>"))?;
        }
        self.sensor_type.iter().try_for_each(|kind| writeln!(out, "<sensor>{kind}<sensor/>"))?;
        (0..self.nkey).try_for_each(|_| writeln!(out, "<key/>"))
    }
}

/// Bernstein's hash of what is written to it.
struct Hash(u64);

impl Write for Hash {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            self.0 = self.0.wrapping_mul(33) ^ u64::from(byte);
        }
        Ok(())
    }
}
