//! The viewer: what the module `cortenforge.viewer` is made of.

use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::{Duration, Instant};

use pyo3::exceptions::{PyOSError, PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sim_core::Data;
use sim_core::scene::Geom;
use sim_viewer::{Recording, ServerOptions, Session, Viewer};

use crate::data::MjData;
use crate::guard::{FatalError, caught, with_data, with_data_read};
use crate::model::MjModel;

/// Time between looks at signals, such as that of Ctrl-C.
const LOOK: Duration = Duration::from_millis(100);

/// Time between attempts to take the session.
const WAIT: Duration = Duration::from_micros(200);

struct Inner {
    /// The server; `None` once it has ended.
    viewer: Option<Viewer>,
    session: Session,
}

/// A session and its server.
#[pyclass(frozen, module = "cortenforge._native")]
pub(crate) struct ViewerStore {
    inner: Mutex<Inner>,
}

fn plain<T: bytemuck::AnyBitPattern>(bytes: &[u8]) -> PyResult<T> {
    bytemuck::try_pod_read_unaligned(bytes)
        .map_err(|_| PyTypeError::new_err("a record has the wrong size"))
}

impl ViewerStore {
    /// Waits for the session without the interpreter lock, which its holder may need to go on.
    fn lock(&self) -> PyResult<MutexGuard<'_, Inner>> {
        loop {
            match self.inner.try_lock() {
                Ok(inner) => return Ok(inner),
                Err(TryLockError::Poisoned(_)) => {
                    return Err(FatalError::new_err("the viewer is unusable after an error"));
                }
                Err(TryLockError::WouldBlock) => {
                    Python::attach(|py| py.detach(|| std::thread::sleep(WAIT)));
                }
            }
        }
    }
}

#[pymethods]
impl ViewerStore {
    /// Starts a server for a copy of the simulation, which the caller steps if `passive`.
    #[new]
    #[pyo3(signature = (model, data, title, passive, host = "127.0.0.1", port = 0))]
    fn new(
        py: Python<'_>,
        model: &Bound<'_, MjModel>,
        data: &Bound<'_, MjData>,
        title: &str,
        passive: bool,
        host: &str,
        port: u16,
    ) -> PyResult<Self> {
        let session = with_data_read(py, model.get(), data.get(), |model, data| {
            let mut copy = Data::new(model);
            copy.assign(data);
            match passive {
                true => Session::passive(model.clone(), copy, title),
                false => Session::new(model.clone(), copy, title),
            }
        })?;
        let host = host.parse().map_err(|_| PyTypeError::new_err("the host is an IP address"))?;
        let options = ServerOptions { host, port, ..ServerOptions::default() };
        let viewer = Viewer::start(options)
            .map_err(|error| PyOSError::new_err(format!("cannot start the viewer: {error}")))?;
        Ok(ViewerStore { inner: Mutex::new(Inner { viewer: Some(viewer), session }) })
    }

    /// The address of the page.
    #[getter]
    fn url(&self) -> PyResult<Option<String>> {
        Ok(self.lock()?.viewer.as_ref().map(Viewer::url))
    }

    /// Number of pages that are open, and of those that there have been.
    fn pages(&self) -> PyResult<(usize, usize)> {
        let inner = self.lock()?;
        Ok(inner.viewer.as_ref().map_or((0, 0), |viewer| (viewer.pages(), viewer.visitors())))
    }

    /// Simulates in real time until the last page is closed, or `seconds` after nothing happens
    /// with none; then the state is that of the copy.
    #[pyo3(signature = (model, data, linger = 3.0, wait = None))]
    fn run(
        &self,
        py: Python<'_>,
        model: &Bound<'_, MjModel>,
        data: &Bound<'_, MjData>,
        linger: f64,
        wait: Option<f64>,
    ) -> PyResult<()> {
        let (mut looked, started) = (Instant::now(), Instant::now());
        let failed = Mutex::new(None);
        {
            let mut inner = self.lock()?;
            let Inner { viewer, session } = &mut *inner;
            let Some(viewer) = viewer.as_ref() else { return Ok(()) };
            let looked = Mutex::new(&mut looked);
            let stop = || {
                let Ok(mut looked) = looked.lock() else { return true };
                if looked.elapsed() < LOOK {
                    return false;
                }
                **looked = Instant::now();
                let alone = wait.is_some_and(|wait| {
                    viewer.visitors() == 0 && started.elapsed().as_secs_f64() > wait
                });
                match Python::attach(|py| py.check_signals()) {
                    Ok(()) => alone,
                    Err(error) => {
                        if let Ok(mut failed) = failed.lock() {
                            *failed = Some(error);
                        }
                        true
                    }
                }
            };
            let linger = Some(Duration::from_secs_f64(linger.clamp(0.0, 1e6)));
            py.detach(|| caught(|| session.run(viewer, linger, &stop)))?;
        }
        let inner = self.lock()?;
        let (played, last) = (inner.session.model(), inner.session.data());
        with_data(py, model.get(), data.get(), |_, data| {
            if data.fits(played) {
                data.assign(last);
            }
        })?;
        match failed.into_inner() {
            Ok(Some(error)) => Err(error),
            _ => Ok(()),
        }
    }

    /// Hands over the caller's state, and takes changes that pages made: `data` is changed by them.
    /// Options that pages changed are returned as `(name, numbers)`.
    #[pyo3(signature = (model, data, state_only, opt, pert, geoms))]
    #[allow(clippy::too_many_arguments)]
    fn sync(
        &self,
        py: Python<'_>,
        model: &Bound<'_, MjModel>,
        data: &Bound<'_, MjData>,
        state_only: bool,
        opt: Option<&[u8]>,
        pert: Option<&[u8]>,
        geoms: &[u8],
    ) -> PyResult<Vec<(String, Vec<f64>)>> {
        let mut inner = self.lock()?;
        let Inner { viewer, session } = &mut *inner;
        let Some(viewer) = viewer.as_ref() else { return Ok(Vec::new()) };
        if let Some(opt) = opt {
            session.opt = plain(opt)?;
        }
        if let Some(pert) = pert {
            session.pert = plain(pert)?;
        }
        session.geoms =
            geoms.chunks_exact(size_of::<Geom>()).map(bytemuck::pod_read_unaligned).collect();
        with_data(py, model.get(), data.get(), |model, data| {
            let mut options = Vec::new();
            for change in session.changes() {
                match change.option(&model.opt) {
                    Some(option) => options.push(option),
                    None => change.apply(model, data),
                }
            }
            session.pull(model, data);
            session.sync(viewer, model, data, !state_only);
            options
        })
    }

    /// Hands over simulations that are shown beside the first one.
    fn set_worlds(&self, py: Python<'_>, others: Vec<Bound<'_, MjData>>) -> PyResult<()> {
        let mut inner = self.lock()?;
        let read: PyResult<Vec<_>> = others.iter().map(|data| data.get().shared.read()).collect();
        let read = read?;
        let others: Vec<&Data> = read.iter().map(|data| &**data).collect();
        let session = &mut inner.session;
        py.detach(|| caught(|| session.set_worlds(others.into_iter())))
    }

    /// Does what pages ask for.
    fn attend(&self, py: Python<'_>) -> PyResult<()> {
        let mut inner = self.lock()?;
        let Inner { viewer, session } = &mut *inner;
        let Some(viewer) = viewer.as_ref() else { return Ok(()) };
        py.detach(|| caught(|| session.attend(viewer, Duration::ZERO)))
    }

    /// What is drawn, and the perturbation, as bytes.
    fn state<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
        let inner = self.lock()?;
        let bytes = |bytes: &[u8]| PyBytes::new(py, bytes);
        let (opt, pert) = (&inner.session.opt, &inner.session.pert);
        Ok((bytes(bytemuck::bytes_of(opt)), bytes(bytemuck::bytes_of(pert))))
    }

    /// Keys that were pressed, as GLFW numbers them.
    fn keys(&self) -> PyResult<Vec<i32>> {
        Ok(self.lock()?.session.keys())
    }

    /// Whether a page asked for the end.
    fn ended(&self) -> PyResult<bool> {
        let inner = self.lock()?;
        Ok(inner.viewer.is_none() || inner.session.ended())
    }

    /// Sends a note in JSON to all pages.
    fn note(&self, text: &str) -> PyResult<()> {
        if let Some(viewer) = &self.lock()?.viewer {
            viewer.note(text);
        }
        Ok(())
    }

    /// Reads meshes, height fields and textures of the model again.
    fn reload_assets(&self, py: Python<'_>, model: &Bound<'_, MjModel>) -> PyResult<()> {
        let mut inner = self.lock()?;
        let session = &mut inner.session;
        crate::guard::with_model(py, model.get(), |model| session.reload_assets(model))
    }

    /// Ends the server.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let viewer = self.lock()?.viewer.take();
        py.detach(|| drop(viewer));
        Ok(())
    }
}

/// Frames of a simulation, for a page that needs no server.
#[pyclass(frozen, module = "cortenforge._native")]
pub(crate) struct RecordingStore {
    recording: Mutex<Recording>,
}

#[pymethods]
impl RecordingStore {
    #[new]
    fn new(py: Python<'_>, model: &Bound<'_, MjModel>, title: &str) -> PyResult<Self> {
        let make = |model: &sim_core::Model| Recording::new(model, title);
        let recording = crate::guard::with_model(py, model.get(), make)?;
        Ok(RecordingStore { recording: Mutex::new(recording) })
    }

    fn record(
        &self,
        py: Python<'_>,
        model: &Bound<'_, MjModel>,
        data: &Bound<'_, MjData>,
    ) -> PyResult<()> {
        let lost = |_| PyRuntimeError::new_err("the recording is unusable after an error");
        let mut recording = self.recording.lock().map_err(lost)?;
        let recording = &mut *recording;
        with_data_read(py, model.get(), data.get(), |model, data| recording.record(model, data))
    }

    fn page(&self) -> PyResult<String> {
        let lost = |_| PyRuntimeError::new_err("the recording is unusable after an error");
        Ok(self.recording.lock().map_err(lost)?.page())
    }
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<ViewerStore>()?;
    module.add_class::<RecordingStore>()
}
