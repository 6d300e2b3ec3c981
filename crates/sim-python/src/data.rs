//! `MjData`.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use sim_core::fields::{Array, ArrayMut, Element};
use sim_core::{Data, Model};

use crate::attributes::{Entry, Made, Slot, Struct, Table, entries as table_entries};
use crate::contact::ContactList;
use crate::guard::{FatalError, caught, with_model};
use crate::model::MjModel;
use crate::raw::{Place, Shared, Storage};
use crate::records::RecordList;
use crate::state;

/// State and results of one simulation of a model.
///
/// Arrays have MuJoCo's names and shapes. Those of fixed length are live numpy views: `data.qpos`
/// is always the same array, and `data.qpos = x` writes into it. Those whose length follows the
/// constraints (`efc_*`, islands) are copies made at each access.
#[pyclass(frozen, extends = Struct, module = "cortenforge")]
pub(crate) struct MjData {
    pub(crate) shared: Arc<Shared<Data>>,
    /// The sizes of the model that the data was made for.
    pub(crate) sizes: Arc<Vec<usize>>,
    /// The model that the data was made for.
    #[pyo3(get)]
    model: Py<MjModel>,
    /// Detected contacts.
    #[pyo3(get)]
    contact: Py<ContactList>,
    /// Warning counters, by `mjtWarning`.
    #[pyo3(get)]
    warning: Py<RecordList>,
    /// Timers, by `mjtTimer`.
    #[pyo3(get)]
    timer: Py<RecordList>,
    /// Solver statistics, by island and iteration.
    #[pyo3(get)]
    solver: Py<RecordList>,
}

/// Declares the single values of `Data` that are attributes: what they are called, mean and hold.
macro_rules! values {
    (
        numbers { $( $number:ident: $Number:ty, $number_doc:literal; )* }
        counts { $( $count:ident, $count_doc:literal; )* }
        flags { $( $flag:ident, $flag_doc:literal; )* }
        rows { $( $row:ident )* }
    ) => {
        fn value_entries() -> Vec<Entry> {
            let number = |name, doc, width, dtype| Entry {
                name, doc, dims: &[], width, dtype, writable: true,
            };
            let count = |name, doc, writable| Entry {
                name, doc, dims: &[], width: 1, dtype: "int", writable,
            };
            vec![
                $( number(stringify!($number), $number_doc, <$Number as Element>::WIDTH,
                    match (<$Number as Element>::WIDTH, <$Number as Element>::SCALAR) {
                        (1, _) => "float",
                        (_, sim_core::fields::Scalar::I32) => "int32",
                        _ => "float64",
                    }), )*
                $( count(stringify!($count), $count_doc, false), )*
                $( count(stringify!($flag), $flag_doc, true), )*
            ]
        }

        /// The arrays that [`copy`] lets grow.
        const ROWS: &[&str] = &[$( stringify!($row) ),*];

        /// Copies everything but scratch space, leaving every array of fixed length where it is.
        pub(crate) fn copy(from: &Data, to: &mut Data) {
            for field in Data::FIELDS.iter().filter(|field| !field.grown) {
                let pair = (from.array(field.name), to.array_mut(field.name));
                match pair {
                    (Some(Array::F64(from)), Some(ArrayMut::F64(to))) => to.copy_from_slice(from),
                    (Some(Array::F32(from)), Some(ArrayMut::F32(to))) => to.copy_from_slice(from),
                    (Some(Array::I32(from)), Some(ArrayMut::I32(to))) => to.copy_from_slice(from),
                    (Some(Array::I64(from)), Some(ArrayMut::I64(to))) => to.copy_from_slice(from),
                    (Some(Array::U8(from)), Some(ArrayMut::U8(to))) => to.copy_from_slice(from),
                    (Some(Array::Char(from)), Some(ArrayMut::Char(to))) => to.copy_from_slice(from),
                    _ => unreachable!("both have the same table"),
                }
            }
            $( to.$number = from.$number; )*
            $( to.$count = from.$count; )*
            $( to.$flag = from.$flag; )*
            $( to.$row.clone_from(&from.$row); )*
            to.rows.clone_from(&from.rows);
            to.contact.clone_from(&from.contact);
            to.warning = from.warning;
            to.timer = from.timer;
            to.solver.copy_from_slice(&from.solver);
            to.solver_niter = from.solver_niter;
            to.solver_nnz = from.solver_nnz;
        }

        fn value_slots(data: &mut Data) -> Vec<Slot> {
            fn at<T: Element>(value: &mut T) -> Slot {
                let shape = if T::WIDTH == 1 { vec![] } else { vec![T::WIDTH] };
                Slot::at(Place::new(T::flat_mut(std::slice::from_mut(value)), &shape))
            }
            vec![
                $( at::<$Number>(&mut data.$number), )*
                $( Slot::Number { place: Place::of_usize(&mut data.$count), writable: false }, )*
                $( Slot::Number { place: Place::of_bool(&mut data.$flag), writable: true }, )*
            ]
        }
    };
}

/// What pickling keeps of data: its model and its fields.
type Saved<'py> = (Py<MjModel>, Bound<'py, PyDict>);

/// Solver statistics are kept for this many islands.
type PerIsland = [i32; 20];

values! {
    numbers {
        time: f64, "Simulation time.";
        energy: [f64; 2], "Potential and kinetic energy.";
        solver_fwdinv: [f64; 2],
            "Difference between forward and inverse dynamics: constraint forces, applied forces.";
    }
    counts {
        ncon, "Number of detected contacts.";
        ne, "Number of equality rows.";
        nf, "Number of friction rows.";
        nl, "Number of limit rows.";
        nefc, "Number of constraint rows.";
        nJ, "Number of nonzeros of the constraint Jacobian.";
        nA, "Number of nonzeros of the dual matrix.";
        nisland, "Number of constraint islands.";
        nidof, "Number of dofs in all islands.";
        ntree_awake, "Number of trees that are awake.";
        nbody_awake, "Number of bodies that are awake or static.";
        nparent_awake, "Number of bodies whose parent is awake or static.";
        nv_awake, "Number of dofs that are awake.";
        maxuse_con, "Largest number of contacts so far.";
        maxuse_efc, "Largest number of constraint rows so far.";
    }
    flags {
        flg_energypos, "Whether the potential energy is that of the current position.";
        flg_energyvel, "Whether the kinetic energy is that of the current velocity.";
        flg_subtreevel, "Whether the subtree velocities are current.";
        flg_rnepost, "Whether the post-constraint accelerations and forces are current.";
    }
    rows {
        efc_type efc_id efc_J_rownnz efc_J_rowadr efc_J_rowsuper efc_J_colind efc_J efc_pos
        efc_margin efc_frictionloss efc_diagApprox efc_KBIP efc_D efc_R tendon_efcadr
        tree_island island_ntree island_itreeadr map_itree2tree dof_island island_nv
        island_idofadr island_dofadr map_dof2idof map_idof2dof ifrc_smooth iacc_smooth
        iM_rownnz iM_rowadr iM_colind iM iLD iLDiagInv iacc efc_island island_ne island_nf
        island_nefc island_iefcadr map_efc2iefc map_iefc2efc iefc_type iefc_id iefc_J_rownnz
        iefc_J_rowadr iefc_J_rowsuper iefc_J_colind iefc_J iefc_frictionloss iefc_D iefc_R
        efc_AR_rownnz efc_AR_rowadr efc_AR_colind efc_AR efc_vel efc_aref efc_b iefc_aref
        iefc_state iefc_force efc_state efc_force ifrc_constraint
    }
}

/// Arrays of the table that [`copy`] does not know: none.
pub(crate) fn uncopied() -> Vec<&'static str> {
    let grown = Data::FIELDS.iter().filter(|field| field.grown).map(|field| field.name);
    grown.filter(|name| !ROWS.contains(name)).collect()
}

/// Statistics by island: name and meaning.
const BY_ISLAND: [(&str, &str); 2] = [
    ("solver_niter", "Number of solver iterations, by island."),
    ("solver_nnz", "Number of nonzeros in the Hessian or in the dual matrix, by island."),
];

/// The attributes of the class: single values, then arrays.
pub(crate) fn entries() -> Vec<Entry> {
    let mut entries = value_entries();
    entries.extend(BY_ISLAND.map(|(name, doc)| Entry {
        name,
        doc,
        dims: &[],
        width: size_of::<PerIsland>() / size_of::<i32>(),
        dtype: "int32",
        writable: true,
    }));
    entries.extend(
        Data::FIELDS.iter().map(|field| Entry { writable: !field.grown, ..Entry::of(field) }),
    );
    entries
}

impl MjData {
    /// Wraps the data of a simulation of `model`.
    fn make(model: &Bound<'_, MjModel>, data: Data) -> PyResult<Py<MjData>> {
        caught(|| MjData::wrap(model, data))?
    }

    fn wrap(model: &Bound<'_, MjModel>, data: Data) -> PyResult<Py<MjData>> {
        let (py, sizes) = (model.py(), &model.get().sizes);
        let size = |dim: &str| {
            let index = Model::SIZES.iter().position(|(name, _)| *name == dim);
            sizes[index.expect("dimensions of fixed arrays are sizes")]
        };
        let shared = Shared::new(data);
        let storage = Storage::new(py, &shared)?;
        let mut guard = shared.write().expect("just made");
        let data = &mut *guard;

        let mut slots = value_slots(data);
        for counts in [&mut data.solver_niter, &mut data.solver_nnz] {
            let shape = [counts.len()];
            slots.push(Slot::at(Place::new(i32::flat_mut(counts), &shape)));
        }
        for field in Data::FIELDS {
            let made = Made::new(field, &shared, &model.get().shared);
            slots.push(if field.grown {
                Slot::Grown(made)
            } else {
                let len = data.array(field.name).expect("fields are in the table").len();
                let shape = field.shape(len, size);
                let place = Place::new(data.array_mut(field.name).expect("as above"), &shape);
                if made.is_needed() { Slot::made(place, made) } else { Slot::at(place) }
            });
        }
        let warning = Py::new(py, RecordList::new(py, &mut data.warning, &storage))?;
        let timer = Py::new(py, RecordList::new(py, &mut data.timer, &storage))?;
        let solver = Py::new(py, RecordList::new(py, &mut data.solver, &storage))?;
        let contact = Py::new(py, ContactList::new(shared.clone()))?;
        drop(guard);

        let base = Struct { table: Table::Data, slots, storage };
        let class = MjData {
            shared,
            sizes: sizes.clone(),
            model: model.clone().unbind(),
            contact,
            warning,
            timer,
            solver,
        };
        Py::new(py, PyClassInitializer::from(base).add_subclass(class))
    }

    /// The model that the data was made for.
    pub(crate) fn model(&self, py: Python<'_>) -> Py<MjModel> {
        self.model.clone_ref(py)
    }

    fn duplicate(&self, model: &Bound<'_, MjModel>) -> PyResult<Py<MjData>> {
        let data = self.shared.read()?.clone();
        MjData::make(model, data)
    }
}

#[pymethods]
impl MjData {
    #[new]
    fn new(py: Python<'_>, model: &Bound<'_, MjModel>) -> PyResult<Py<MjData>> {
        let data = with_model(py, model.get(), |model| {
            let data = Data::new(model);
            data.check_init_sleep(model).map(|()| data)
        })?;
        let data = data.map_err(|error| FatalError::new_err(error.to_string()))?;
        MjData::make(model, data)
    }

    /// Whether all views still show the arrays of the data; for tests.
    fn _views_hold(slf: &Bound<'_, Self>) -> PyResult<bool> {
        let mut data = slf.get().shared.write()?;
        let slots = slf.as_super().get().field_slots();
        Ok(Data::FIELDS.iter().zip(slots).all(|(field, slot)| {
            slot.place()
                .is_none_or(|place| data.array_mut(field.name).is_some_and(|a| place.shows(a)))
        }))
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Py<MjData>> {
        self.duplicate(self.model.bind(py))
    }

    fn __deepcopy__(&self, py: Python<'_>, memo: &Bound<'_, PyAny>) -> PyResult<Py<MjData>> {
        let copy = py.import("copy")?.getattr("deepcopy")?.call1((&self.model, memo))?;
        self.duplicate(copy.cast::<MjModel>()?)
    }

    /// State and results of fixed length; constraint rows and contacts come back with the next
    /// `mj_forward`.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Saved<'py>)> {
        let fields = PyDict::new(slf.py());
        state::save(slf.as_super(), "", &fields)?;
        let model = slf.get().model.clone_ref(slf.py());
        Ok((slf.get_type().getattr("_from_fields")?, (model, fields)))
    }

    /// Makes data with the values that `__reduce__` has saved.
    #[staticmethod]
    fn _from_fields(
        model: &Bound<'_, MjModel>,
        fields: &Bound<'_, PyDict>,
    ) -> PyResult<Py<MjData>> {
        let py = model.py();
        let object = MjData::new(py, model)?;
        let base = object.bind(py).as_super().get();
        for (entry, slot) in table_entries(Table::Data).iter().zip(&base.slots) {
            if let Some(value) = fields.get_item(entry.name)? {
                slot.set(py, &base.storage, &value)?;
            }
        }
        Ok(object)
    }
}
