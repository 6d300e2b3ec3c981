//! Every array of the model and every field of the data, against the numbers of MuJoCo 3.5.0.

use std::collections::BTreeSet;

use sim_conformance_tests::compare::{
    self, DATA, Difference, MEMORY_SIZES, MODEL, MOMENT, RESET, STATISTICS, Tolerance, UNREADABLE,
};
use sim_conformance_tests::golden::{Golden, Values};
use sim_conformance_tests::{load, model_names};
use sim_core::{
    Data, Model, UNCOMPUTED, constraint_jacobian, forward, island_arrays, legacy_m, step,
};

/// Differences of all models, told at once at the end.
#[derive(Default)]
struct Report(Vec<String>);

impl Report {
    fn add(&mut self, model: &str, field: &str, difference: Option<Difference>) {
        if let Some(difference) = difference {
            self.0.push(format!("{model}: {field} {difference}"));
        }
    }

    fn check(self) {
        assert!(self.0.is_empty(), "{} differences:\n{}", self.0.len(), self.0.join("\n"));
    }
}

/// Compares the field `name` of `data`, be it an array of the table or a single value.
fn compare_field(
    data: &Data,
    name: &str,
    reference: &Values,
    tol: &Tolerance,
) -> Option<Difference> {
    match data.array(name) {
        Some(array) => compare::compare(array, reference, tol),
        None => {
            let value = compare::data_value(data, name)
                .unwrap_or_else(|| panic!("Data has no field {name}"));
            compare::compare(value.array(), reference, tol)
        }
    }
}

/// What may differ in the field `name`.
fn tolerance(name: &str) -> &'static Tolerance {
    if name.starts_with("solver/") { &STATISTICS } else { &DATA }
}

/// Compares everything below `prefix` that is computed.
fn compare_data(report: &mut Report, model: &str, golden: &Golden, prefix: &str, data: &Data) {
    for (name, reference) in golden.below(prefix).filter(|(name, _)| !UNCOMPUTED.contains(name)) {
        let difference = compare_field(data, name, reference, tolerance(name));
        report.add(model, &format!("{prefix}{name}"), difference);
    }
}

/// Makes the arrays that the engine itself does without.
fn write_on_demand(model: &Model, data: &mut Data) {
    constraint_jacobian(model, data);
    island_arrays(model, data);
    legacy_m(model, data);
}

/// Compares `forward` and `step` from the state of every sample.
fn compare_samples(report: &mut Report, name: &str, golden: &Golden, model: &Model) {
    let mut data = Data::new(model);
    for sample in 0..golden.samples() {
        golden.restore(sample, model, &mut data);
        forward(model, &mut data);
        write_on_demand(model, &mut data);
        compare_data(report, name, golden, &format!("sample/{sample}/forward/"), &data);

        // fields that the step leaves as they were after `forward` are only stored there
        golden.restore(sample, model, &mut data);
        step(model, &mut data);
        write_on_demand(model, &mut data);
        let stepped = format!("sample/{sample}/step/");
        compare_data(report, name, golden, &stepped, &data);
        for (field, reference) in golden.below(&format!("sample/{sample}/forward/")) {
            if golden.get(&format!("{stepped}{field}")).is_none() && !UNCOMPUTED.contains(&field) {
                let difference = compare_field(&data, field, reference, tolerance(field));
                report.add(name, &format!("{stepped}{field}"), difference);
            }
        }
    }
}

#[test]
fn every_model_has_golden_data_and_the_other_way_round() {
    let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/golden")).unwrap();
    let golden: BTreeSet<String> = files
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    let models = BTreeSet::from_iter(model_names());
    assert_eq!(models, golden, "`make golden` brings them together");
    assert!(models.len() >= 80);
}

#[test]
fn every_field_is_in_the_golden_data() {
    let golden = Golden::read("figure");
    for (name, _) in Model::SIZES {
        assert!(golden.get(&format!("size/{name}")).is_some(), "size {name}");
    }
    for field in Model::FIELDS {
        assert!(golden.get(&format!("model/{}", field.name)).is_some(), "model {}", field.name);
    }
    for field in Data::FIELDS.iter().filter(|field| !MOMENT.contains(&field.name)) {
        let path = format!("sample/0/forward/{}", field.name);
        assert!(golden.get(&path).is_some(), "data {}", field.name);
    }
}

#[test]
fn every_golden_array_has_a_field() {
    let golden = Golden::read("figure");
    let (model, data) = (golden.model(), Data::new(&golden.model()));
    for (name, _) in golden.below("size/") {
        assert!(model.size(name).is_some(), "size {name}");
    }
    for (name, _) in golden.below("model/") {
        assert!(model.array(name).is_some(), "model {name}");
    }
    for (name, _) in golden.below("sample/0/forward/") {
        let known = data.array(name).is_some() || compare::data_value(&data, name).is_some();
        assert!(known, "data {name}");
    }
}

#[test]
fn uncomputed_fields_exist_and_are_zero() {
    for name in UNCOMPUTED {
        let known = |fields: &[sim_core::fields::Field]| fields.iter().any(|f| f.name == *name);
        assert!(known(Model::FIELDS) || known(Data::FIELDS), "there is no field {name}");
    }
    for name in model_names() {
        let model = load(&name);
        let mut data = Data::new(&model);
        let golden = Golden::read(&name);
        golden.restore(golden.samples() - 1, &model, &mut data);
        step(&model, &mut data);
        for field in UNCOMPUTED {
            for array in [model.array(field), data.array(field)].into_iter().flatten() {
                let zero = (0..array.len()).all(|i| array.value(i) == 0.0);
                assert!(zero, "{name}: {field} has values although it is listed as missing");
            }
        }
    }
}

#[test]
fn models_need_no_uncomputed_field() {
    for name in model_names() {
        let golden = Golden::read(&name);
        for (path, values) in golden.below("") {
            let field = path.rsplit('/').next().unwrap();
            let missing = UNCOMPUTED.contains(&field) && !values.is_zero();
            assert!(!missing, "{name}: the reference computes {path}, which is listed as missing");
        }
    }
}

#[test]
fn model_arrays_equal_the_reference() {
    let mut report = Report::default();
    for name in model_names() {
        let (golden, model) = (Golden::read(&name), load(&name));
        for (size, reference) in golden.below("size/").filter(|(s, _)| !MEMORY_SIZES.contains(s)) {
            let value = compare::size(&model, size).unwrap();
            let difference = compare::compare(value.array(), reference, &MODEL);
            report.add(&name, size, difference);
        }
        for (field, reference) in golden.below("model/").filter(|(f, _)| !UNCOMPUTED.contains(f)) {
            let array = model.array(field).unwrap();
            report.add(&name, field, compare::compare(array, reference, &MODEL));
        }
    }
    report.check();
}

#[test]
fn options_statistics_and_visual_settings_equal_the_reference() {
    let mut report = Report::default();
    for name in model_names() {
        let (golden, model) = (Golden::read(&name), load(&name));
        let vis = &model.vis;
        let mut compare_record = |prefix: &str, array: &dyn Fn(&str) -> Option<Difference>| {
            for (field, _) in golden.below(prefix) {
                report.add(&name, &format!("{prefix}{field}"), array(field));
            }
        };
        macro_rules! record {
            ($prefix:literal, $record:expr, $Type:ty) => {
                compare_record($prefix, &|field| {
                    let reference = golden.get(&format!("{}{field}", $prefix)).unwrap();
                    let array = $record.array(field).unwrap_or_else(|| panic!("no field {field}"));
                    compare::compare(array, reference, &MODEL)
                });
                for field in <$Type>::FIELDS {
                    let path = format!("{}{}", $prefix, field.name);
                    let there = golden.get(&path).is_some();
                    assert!(there != UNREADABLE.contains(&path.as_str()), "{path}");
                }
            };
        }
        record!("opt/", model.opt, sim_core::model::Options);
        record!("stat/", model.stat, sim_core::model::Statistic);
        record!("vis/global/", vis.global, sim_core::model::VisGlobal);
        record!("vis/quality/", vis.quality, sim_core::model::VisQuality);
        record!("vis/headlight/", vis.headlight, sim_core::model::VisHeadlight);
        record!("vis/map/", vis.map, sim_core::model::VisMap);
        record!("vis/scale/", vis.scale, sim_core::model::VisScale);
        record!("vis/rgba/", vis.rgba, sim_core::model::VisRgba);
    }
    report.check();
}

#[test]
fn forward_and_step_equal_the_reference() {
    let mut report = Report::default();
    for name in model_names() {
        compare_samples(&mut report, &name, &Golden::read(&name), &load(&name));
    }
    report.check();
}

/// The same on the compiled models of the reference: what fails here is not the loader's doing.
#[test]
fn forward_and_step_equal_the_reference_on_its_own_models() {
    let mut report = Report::default();
    for name in model_names() {
        let golden = Golden::read(&name);
        compare_samples(&mut report, &name, &golden, &golden.model());
    }
    report.check();
}

#[test]
fn keyframe_resets_equal_the_reference() {
    let mut report = Report::default();
    let mut keys = 0;
    for name in model_names() {
        let (golden, model) = (Golden::read(&name), load(&name));
        let mut data = Data::new(&model);
        for key in 0..model.nkey {
            data.reset_keyframe(&model, key);
            let prefix = format!("key/{key}/");
            for (field, reference) in golden.below(&prefix).filter(|(f, _)| !UNCOMPUTED.contains(f))
            {
                let difference = compare_field(&data, field, reference, &RESET);
                report.add(&name, &format!("{prefix}{field}"), difference);
            }
            keys += 1;
        }
    }
    report.check();
    assert!(keys >= 5);
}
