use super::{
    Cache, Contact, Data, MAX_ISLANDS, MAX_ITERATIONS, SolverStat, TimerStat, WarningStat, Work,
};
use crate::memory::check_available;
use crate::model::Model;

impl Data {
    /// Makes the data of a simulation of `model`, in its reference state.
    #[doc(alias = "mj_makeData")]
    pub fn new(model: &Model) -> Data {
        if let Err(error) = check_available(model.data_memory()) {
            panic!("the data of a simulation: {error}");
        }
        let mut data = Data { work: Work::new(model), cache: Cache::new(model), ..Data::default() };
        data.allocate(model);
        data.solver = vec![SolverStat::default(); MAX_ISLANDS * MAX_ITERATIONS];
        data.reset(model);
        data
    }

    /// Whether the data was made for `model`, or for one of the same sizes.
    pub fn fits(&self, model: &Model) -> bool {
        Data::FIELDS.iter().filter(|field| !field.grown).all(|field| {
            let len = field.dims.iter().map(|dim| model.size(dim)).product::<Option<usize>>();
            let found = self.array(field.name).map(|array| array.len());
            len.map(|len| len * field.width) == found
        })
    }

    /// Returns to the reference state `qpos0` at time zero, clearing inputs, results and warnings.
    #[doc(alias = "mj_resetData")]
    pub fn reset(&mut self, model: &Model) {
        self.renew_scratch(model);
        if !self.cache.fits(model) {
            self.cache = self.cache.renewed(model);
        }
        self.clear();
        self.time = 0.0;
        self.energy = [0.0; 2];
        self.warning = [WarningStat::default(); 8];
        self.timer = [TimerStat::default(); 15];
        self.solver.fill(SolverStat::default());
        self.solver_niter = [0; MAX_ISLANDS];
        self.solver_nnz = [0; MAX_ISLANDS];
        self.solver_fwdinv = [0.0; 2];
        self.clear_rows();
        self.maxuse_con = 0;
        self.maxuse_efc = 0;
        self.flg_energypos = false;
        self.flg_energyvel = false;
        self.flg_subtreevel = false;
        self.flg_rnepost = false;

        self.qpos.copy_from_slice(&model.qpos0);
        self.eq_active.copy_from_slice(&model.eq_active0);
        self.clear_history(model);
        self.init_sleep(model);
        for body in 0..model.nbody {
            if let Some(mocap) = model.body_mocap(body) {
                self.mocap_pos[mocap] = model.body_pos[body];
                self.mocap_quat[mocap] = model.body_quat[body];
            }
        }
    }

    /// Returns to the state of keyframe `key`; a key that does not exist gives the reference state.
    #[doc(alias = "mj_resetDataKeyframe")]
    pub fn reset_keyframe(&mut self, model: &Model, key: usize) {
        self.reset(model);
        if key < model.nkey {
            self.time = model.key_time[key];
            self.qpos.copy_from_slice(&model.key_qpos[key * model.nq..][..model.nq]);
            self.qvel.copy_from_slice(&model.key_qvel[key * model.nv..][..model.nv]);
            self.act.copy_from_slice(&model.key_act[key * model.na..][..model.na]);
            self.ctrl.copy_from_slice(&model.key_ctrl[key * model.nu..][..model.nu]);
            let mocap = key * model.nmocap..(key + 1) * model.nmocap;
            self.mocap_pos.copy_from_slice(&model.key_mpos[mocap.clone()]);
            self.mocap_quat.copy_from_slice(&model.key_mquat[mocap]);
        }
    }

    /// Fills the histories of controls and sensors with zeros at times before the start.
    fn clear_history(&mut self, model: &Model) {
        let dt = model.opt.timestep;
        for actuator in 0..model.nu {
            let n = model.actuator_history[actuator][0] as usize;
            if n > 0 {
                let address = model.actuator_historyadr[actuator] as usize;
                let buffer = &mut self.history[address..];
                buffer[1] = (n - 1) as f64;
                (0..n).for_each(|i| buffer[2 + i] = -((n - i) as f64) * dt);
            }
        }
        for sensor in 0..model.nsensor {
            let n = model.sensor_history[sensor][0] as usize;
            if n > 0 {
                let address = model.sensor_historyadr[sensor] as usize;
                let buffer = &mut self.history[address..];
                let [period, phase] = model.sensor_interval[sensor];
                buffer[1] = (n - 1) as f64;
                if period > 0.0 {
                    // the last tick before the start; samples lie on the grid of time steps
                    let last = if phase == 0.0 { -period } else { phase };
                    buffer[0] = last;
                    for i in 0..n {
                        let tick = last - (n - 1 - i) as f64 * period;
                        buffer[2 + i] = (tick / dt).ceil() * dt;
                    }
                } else {
                    buffer[0] = -dt;
                    (0..n).for_each(|i| buffer[2 + i] = -((n - i) as f64) * dt);
                }
            }
        }
    }

    /// Adds a contact to the list. Constraint rows and islands are removed, to be made anew.
    #[doc(alias = "mj_addContact")]
    pub fn add_contact(&mut self, contact: Contact) {
        self.clear_efc();
        self.contact.iter_mut().for_each(|other| other.efc_address = -1);
        self.contact.push(contact);
        self.ncon = self.contact.len();
    }

    /// Makes room for contacts and constraint rows that somebody else fills, with `entries` numbers
    /// in the Jacobian; all are zero.
    pub fn make_rows(&mut self, contacts: usize, rows: usize, entries: usize) {
        self.clear_rows();
        self.contact.resize(contacts, Contact::default());
        (self.ncon, self.nefc, self.nJ) = (contacts, rows, entries);
        for field in Data::FIELDS.iter().filter(|field| field.grown) {
            match field.dims {
                ["nefc"] => self.renew_grown(field.name, rows),
                ["nJ"] => self.renew_grown(field.name, entries),
                _ => false,
            };
        }
    }

    /// Whether the constraint rows are not those that the engine has made.
    pub fn has_foreign_rows(&self) -> bool {
        self.nefc > 0 && self.rows.is_empty()
    }

    /// Removes contacts, constraint rows and islands.
    pub(crate) fn clear_rows(&mut self) {
        self.contact.clear();
        self.ncon = 0;
        self.clear_efc();
    }

    /// Removes constraint rows and islands.
    pub(crate) fn clear_efc(&mut self) {
        if self.has_no_rows() {
            return;
        }
        self.clear_grown();
        self.rows.clear();
        self.forget_solution();
        self.ne = 0;
        self.nf = 0;
        self.nl = 0;
        self.nefc = 0;
        self.nJ = 0;
        self.nA = 0;
        self.nisland = 0;
        self.nidof = 0;
    }

    /// Whether there is nothing for [`Data::clear_efc`] to do, as in most steps without contact.
    #[inline]
    fn has_no_rows(&self) -> bool {
        let sizes = self.nefc | self.nJ | self.nA | self.nisland | self.nidof;
        sizes == 0 && self.efc_type.is_empty() && self.tendon_efcadr.is_empty()
    }

    /// Removes islands.
    pub(crate) fn clear_islands(&mut self) {
        if self.nisland == 0 && self.tree_island.is_empty() {
            return;
        }
        self.nisland = 0;
        self.nidof = 0;
        for list in [
            &mut self.tree_island,
            &mut self.island_ntree,
            &mut self.island_itreeadr,
            &mut self.map_itree2tree,
            &mut self.dof_island,
            &mut self.island_nv,
            &mut self.island_idofadr,
            &mut self.island_dofadr,
            &mut self.map_dof2idof,
            &mut self.map_idof2dof,
            &mut self.efc_island,
            &mut self.island_ne,
            &mut self.island_nf,
            &mut self.island_nefc,
            &mut self.island_iefcadr,
            &mut self.map_efc2iefc,
            &mut self.map_iefc2efc,
        ] {
            list.clear();
        }
    }
}
