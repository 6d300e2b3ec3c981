//! Tables of a model and arrays of its data with numbers that cannot be meant: a stage may panic,
//! which callers catch, but it ends soon, and reset data has the bits of fresh data.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::mpsc;
use std::time::Duration;

use sim_core::fields::{ArrayMut, Scalar};
use sim_core::{Data, Model, forward, inverse, step, step1, step2};

/// Models that between them have every kind of element.
const MODELS: [&str; 12] = [
    "figure",
    "sensors_frame",
    "sensors_contact",
    "sensors_range",
    "sensor_history",
    "actuator_delay",
    "equality_bodies",
    "tendon_armature",
    "muscle",
    "mesh_contacts",
    "hfield_contacts",
    "sleep_policies",
];

const INTEGERS: [i32; 6] = [1_000_000, i32::MAX, i32::MIN, -1, 7, 0];
const REALS: [f64; 5] = [f64::NAN, f64::INFINITY, 1e300, -1.0, 0.0];

/// How long one case may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

fn load(name: &str) -> Model {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../models/{name}.xml"));
    sim_mjcf::load_file(path).unwrap_or_else(|error| panic!("{error}")).model
}

/// Runs every case in a thread that tells what it is at; fails if that does not go on.
fn watched(cases: impl FnOnce(&dyn Fn(String)) + Send + 'static) {
    let (sender, receiver) = mpsc::channel();
    let worker = std::thread::Builder::new().name("cases".into()).spawn(move || {
        std::panic::set_hook(Box::new(|_| {}));
        let result = catch_unwind(AssertUnwindSafe(|| {
            cases(&|case| sender.send(case).expect("someone listens"));
        }));
        drop(std::panic::take_hook());
        result.map_err(|payload| {
            payload.downcast_ref::<String>().cloned().unwrap_or_else(|| "a panic".into())
        })
    });
    let worker = worker.expect("a thread");
    let mut last = String::new();
    loop {
        match receiver.recv_timeout(PATIENCE) {
            Ok(case) => last = case,
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
            Err(mpsc::RecvTimeoutError::Timeout) => panic!("{last} does not end"),
        }
    }
    if let Err(message) = worker.join().expect("panics are caught") {
        panic!("{last}: {message}");
    }
}

/// Runs stages that may panic.
fn exercise(model: &Model, data: &mut Data) {
    for stage in [step, forward, inverse, step1, step2, step] {
        if catch_unwind(AssertUnwindSafe(|| stage(model, data))).is_err() {
            data.abandon_scratch();
            // as a caller does before the next call
            if catch_unwind(AssertUnwindSafe(|| data.renew_scratch(model))).is_err() {
                data.abandon_scratch();
            }
        }
    }
    if catch_unwind(AssertUnwindSafe(|| data.reset(model))).is_err() {
        data.abandon_scratch();
    }
}

/// Checks that reset data continues with the bits of fresh data.
fn check_recovery(model: &Model, data: &mut Data, fresh: &Data) {
    data.reset(model);
    step(model, data);
    step(model, data);
    for field in Data::FIELDS {
        let (a, b) = (data.array(field.name).unwrap(), fresh.array(field.name).unwrap());
        let same = a.len() == b.len()
            && (0..a.len()).all(|i| a.value(i).to_bits() == b.value(i).to_bits());
        assert!(same, "{} differs from that of fresh data", field.name);
    }
}

fn fresh(model: &Model) -> Data {
    let mut data = Data::new(model);
    step(model, &mut data);
    step(model, &mut data);
    data
}

fn spoil(array: ArrayMut<'_>, integer: i32, real: f64) {
    match array {
        ArrayMut::F64(x) => x.fill(real),
        ArrayMut::F32(x) => x.fill(real as f32),
        ArrayMut::I32(x) => x.fill(integer),
        ArrayMut::I64(x) => x.fill(i64::from(integer)),
        ArrayMut::U8(x) | ArrayMut::Char(x) => x.fill(integer as u8),
    }
}

#[test]
fn data_recovers_from_every_integer_table_of_the_model() {
    watched(|tell| {
        for name in MODELS {
            let model = load(name);
            let fresh = fresh(&model);
            let mut data = Data::new(&model);
            let tables = Model::FIELDS.iter().filter(|field| {
                matches!(field.scalar, Scalar::I32 | Scalar::I64 | Scalar::U8)
                    && model.array(field.name).is_some_and(|array| !array.is_empty())
            });
            for field in tables {
                for value in INTEGERS {
                    tell(format!("{} = {value} in {name}", field.name));
                    let mut spoiled = model.clone();
                    spoil(spoiled.array_mut(field.name).unwrap(), value, 0.0);
                    exercise(&spoiled, &mut data);
                    check_recovery(&model, &mut data, &fresh);
                }
            }
        }
    });
}

#[test]
fn data_recovers_from_every_array_of_its_own() {
    watched(|tell| {
        for name in MODELS {
            let model = load(name);
            let fresh = fresh(&model);
            let mut data = Data::new(&model);
            for field in Data::FIELDS {
                for case in 0..REALS.len() {
                    data.reset(&model);
                    step(&model, &mut data);
                    if data.array(field.name).is_none_or(|array| array.is_empty()) {
                        break;
                    }
                    tell(format!(
                        "{} = {} or {} in {name}",
                        field.name, INTEGERS[case], REALS[case]
                    ));
                    spoil(data.array_mut(field.name).unwrap(), INTEGERS[case], REALS[case]);
                    exercise(&model, &mut data);
                    check_recovery(&model, &mut data, &fresh);
                }
            }
        }
    });
}

#[test]
fn every_model_of_the_project_passes_the_check_of_tables() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "xml") {
            let model = sim_mjcf::load_file(&path).unwrap_or_else(|error| panic!("{error}")).model;
            model.check().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        }
    }
}
