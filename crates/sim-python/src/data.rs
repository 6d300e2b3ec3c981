//! `MjData`.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use numpy::PyArray1;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sim_core::data::MAX_ISLANDS;
use sim_core::fields::{Array, ArrayMut, Element, Field};
use sim_core::memory::check_available;
use sim_core::{Data, Model};

use crate::attributes::{Entry, Made, Slot, Struct, Table, entries as table_entries, fill};
use crate::contact::ContactList;
use crate::guard::{FatalError, caught, interrupted, memory_error, with_model};
use crate::model::MjModel;
use crate::raw::{Place, Storage};
use crate::records::RecordList;
use crate::simulation::Simulation;
use crate::state;

/// State and results of one simulation of a model.
///
/// Arrays have MuJoCo's names and shapes. Those of fixed length are live numpy views: `data.qpos`
/// is always the same array, and `data.qpos = x` writes into it. Those whose length follows the
/// constraints (`efc_*`, islands) show the rows until the data changes.
#[pyclass(frozen, subclass, extends = Struct, module = "cortenforge")]
pub(crate) struct MjData {
    pub(crate) shared: Arc<Simulation>,
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
    memory: Memory,
    /// Most memory that threads have used, by thread: none, as the engine takes none.
    #[pyo3(get)]
    maxuse_threadstack: Py<PyAny>,
    /// Addresses of the data of plugins.
    #[pyo3(get)]
    plugin_data: Py<PyAny>,
}

/// Numbers about memory that programs ask for. The engine keeps its arrays elsewhere; they are what
/// the user sets.
#[derive(Debug, Default)]
struct Memory {
    narena: usize,
    nbuffer: usize,
    pstack: AtomicUsize,
    pbase: AtomicUsize,
    parena: AtomicUsize,
    maxuse_stack: AtomicUsize,
    maxuse_arena: AtomicUsize,
    threadpool: AtomicUsize,
}

impl Memory {
    fn new(model: &MjModel, data: &Data) -> Memory {
        let aligned = |field: &&Field| {
            let bytes = match data.array(field.name) {
                Some(Array::F64(x)) => size_of_val(x),
                Some(Array::F32(x)) => size_of_val(x),
                Some(Array::I32(x)) => size_of_val(x),
                Some(Array::I64(x)) => size_of_val(x),
                Some(Array::U8(x) | Array::Char(x)) => x.len(),
                None => 0,
            };
            bytes.next_multiple_of(64)
        };
        let narena = Model::SIZES.iter().position(|(name, _)| *name == "narena");
        Memory {
            narena: narena.map_or(0, |index| model.sizes[index]),
            nbuffer: Data::FIELDS.iter().filter(|field| !field.grown).map(|f| aligned(&f)).sum(),
            ..Memory::default()
        }
    }
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
type PerIsland = [i32; MAX_ISLANDS];

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
        Py::new(model.py(), caught(|| MjData::wrap(model, data))??)
    }

    fn wrap(model: &Bound<'_, MjModel>, data: Data) -> PyResult<PyClassInitializer<MjData>> {
        let (py, sizes) = (model.py(), &model.get().sizes);
        let size = |dim: &str| {
            let index = Model::SIZES.iter().position(|(name, _)| *name == dim);
            sizes[index.expect("dimensions of fixed arrays are sizes")]
        };
        let memory = Memory::new(model.get(), &data);
        let mut data = data;
        data.set_interrupt(Some(Arc::new(interrupted)));
        let shared = Simulation::new(data);
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

        let addresses = |count: usize| PyArray1::<u64>::zeros(py, count, false).into_any().unbind();
        let base = Struct::new(Table::Data, slots, storage);
        let class = MjData {
            shared,
            sizes: sizes.clone(),
            model: model.clone().unbind(),
            contact,
            warning,
            timer,
            solver,
            memory,
            maxuse_threadstack: addresses(128),
            plugin_data: addresses(size("nplugin")),
        };
        Ok(PyClassInitializer::from(base).add_subclass(class))
    }

    /// Bytes that contacts and constraint rows may take; 0: any.
    pub(crate) fn narena(&self) -> usize {
        self.memory.narena
    }

    /// Raises the error of a stack without room, which programs provoke by setting `pstack`.
    pub(crate) fn check_stack(&self) -> PyResult<()> {
        let used = self.memory.pstack.load(Ordering::Relaxed);
        if used > 0 && used >= self.memory.narena {
            return Err(FatalError::new_err(format!(
                "mj_stackAlloc: out of memory, stack overflow: pstack is {used} of {}",
                self.memory.narena
            )));
        }
        Ok(())
    }

    /// The lists of counters and their names.
    fn counters(&self) -> [(&'static str, &Py<RecordList>); 3] {
        [("warning", &self.warning), ("timer", &self.timer), ("solver", &self.solver)]
    }

    /// The model that the data was made for.
    pub(crate) fn model(&self, py: Python<'_>) -> Py<MjModel> {
        self.model.clone_ref(py)
    }

    fn duplicate(&self, model: &Bound<'_, MjModel>) -> PyResult<Py<MjData>> {
        let data = self.shared.read()?;
        let rows = Data::arena_bytes(data.ncon, data.nefc, data.nJ);
        let bytes = self.memory.nbuffer.saturating_add(rows.saturating_mul(2));
        check_available(bytes).map_err(memory_error)?;
        let copy = caught(|| data.clone())?;
        drop(data);
        MjData::make(model, copy)
    }
}

#[pymethods]
impl MjData {
    #[new]
    #[pyo3(signature = (model))]
    fn new(py: Python<'_>, model: &Bound<'_, PyAny>) -> PyResult<PyClassInitializer<MjData>> {
        if model.is_none() {
            return Err(PyTypeError::new_err("MjModel cannot be None"));
        }
        let model = model.cast::<MjModel>()?;
        let data = with_model(py, model.get(), |model| {
            let data = Data::try_new(model)?;
            Ok(data.check_init_sleep(model).map(|()| data))
        })?;
        let data = data.map_err(memory_error)?;
        let data = data.map_err(|error| FatalError::new_err(error.to_string()))?;
        caught(|| MjData::wrap(model, data))?
    }

    /// Bytes that contacts and constraint rows may take; 0: any.
    #[getter(narena)]
    fn get_narena(&self) -> usize {
        self.memory.narena
    }

    /// Bytes of the arrays of fixed length.
    #[getter]
    fn nbuffer(&self) -> usize {
        self.memory.nbuffer
    }

    /// Number of plugin instances.
    #[getter]
    fn nplugin(&self, py: Python<'_>) -> PyResult<usize> {
        self.plugin_data.bind(py).len()
    }

    /// A number that the data shares with models of the same structure.
    #[getter]
    fn signature(&self, py: Python<'_>) -> PyResult<u64> {
        with_model(py, self.model.get(), Model::signature)
    }

    /// Where the data is in memory.
    #[getter]
    fn _address(&self) -> usize {
        self.shared.address()
    }

    /// Bytes of the stack in use.
    #[getter]
    fn pstack(&self) -> usize {
        self.memory.pstack.load(Ordering::Relaxed)
    }

    #[setter]
    fn set_pstack(&self, value: usize) {
        self.memory.pstack.store(value, Ordering::Relaxed);
    }

    /// Where the last frame of the stack starts.
    #[getter]
    fn pbase(&self) -> usize {
        self.memory.pbase.load(Ordering::Relaxed)
    }

    #[setter]
    fn set_pbase(&self, value: usize) {
        self.memory.pbase.store(value, Ordering::Relaxed);
    }

    /// Bytes of the arena in use.
    #[getter]
    fn parena(&self) -> usize {
        self.memory.parena.load(Ordering::Relaxed)
    }

    #[setter]
    fn set_parena(&self, value: usize) {
        self.memory.parena.store(value, Ordering::Relaxed);
    }

    /// Most bytes of the stack in use so far.
    #[getter]
    fn maxuse_stack(&self) -> usize {
        self.memory.maxuse_stack.load(Ordering::Relaxed)
    }

    #[setter]
    fn set_maxuse_stack(&self, value: usize) {
        self.memory.maxuse_stack.store(value, Ordering::Relaxed);
    }

    /// Most bytes of the arena in use so far.
    #[getter]
    fn maxuse_arena(&self) -> usize {
        self.memory.maxuse_arena.load(Ordering::Relaxed)
    }

    #[setter]
    fn set_maxuse_arena(&self, value: usize) {
        self.memory.maxuse_arena.store(value, Ordering::Relaxed);
    }

    /// Address of the thread pool; 0: none.
    #[getter]
    fn threadpool(&self) -> usize {
        self.memory.threadpool.load(Ordering::Relaxed)
    }

    #[setter]
    fn set_threadpool(&self, value: usize) {
        self.memory.threadpool.store(value, Ordering::Relaxed);
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

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Saved<'py>)> {
        let (py, fields) = (slf.py(), PyDict::new(slf.py()));
        state::save(slf.as_super(), "", &fields)?;
        state::save_rows(py, &*slf.get().shared.read()?, &fields)?;
        for (name, list) in slf.get().counters() {
            for entry in list.get().names() {
                let column = list.bind(py).getattr(entry)?.call_method0("copy")?;
                fields.set_item(format!("{name}.{entry}"), column)?;
            }
        }
        let model = slf.get().model.clone_ref(py);
        Ok((slf.get_type().getattr("_from_fields")?, (model, fields)))
    }

    /// Makes data with the values that `__reduce__` has saved.
    #[staticmethod]
    fn _from_fields<'py>(
        model: &Bound<'py, MjModel>,
        fields: &Bound<'py, PyDict>,
    ) -> PyResult<Py<MjData>> {
        let py = model.py();
        let object = Py::new(py, MjData::new(py, model.as_any())?)?;
        let base = object.bind(py).as_super().get();
        for (entry, slot) in table_entries(Table::Data).iter().zip(base.slots.iter()) {
            if let Some(value) = fields.get_item(entry.name)? {
                slot.set(py, &base.storage, &value)?;
            }
        }
        for (name, list) in object.get().counters() {
            for entry in list.get().names() {
                if let Some(value) = fields.get_item(format!("{name}.{entry}"))? {
                    fill(&list.bind(py).getattr(entry)?, &value)?;
                }
            }
        }
        let mut data = object.get().shared.write()?;
        caught(|| state::restore_rows(fields, &mut data))??;
        drop(data);
        Ok(object)
    }
}
