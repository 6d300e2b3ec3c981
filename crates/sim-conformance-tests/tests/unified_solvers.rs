//! One set of constraint rows for all solvers: their order, their balance of forces, and what PGS,
//! CG and Newton make of each kind.

use sim_conformance_tests::{load, model_names, parse};
use sim_core::model::{Cone, ConstraintType, Solver};
use sim_core::{Data, Model, contact_force, forward, mul_m};

const SOLVERS: [Solver; 3] = [Solver::Pgs, Solver::Cg, Solver::Newton];
const CONES: [Cone; 2] = [Cone::Pyramidal, Cone::Elliptic];

/// A row of every kind: a coupled slider, dry friction, a limit, and a ball on the floor.
const EVERYTHING: &str = "<mujoco><worldbody><geom type='plane' size='5 5 .1'/>
    <body pos='0 0 .09'><joint name='x' type='slide' axis='1 0 0'/>
    <joint name='y' type='slide' axis='0 1 0' range='0 1' frictionloss='.1'/>
    <joint name='z' type='slide' axis='0 0 1'/><geom size='.1' mass='1'/></body></worldbody>
    <equality><joint joint1='x'/></equality></mujoco>";

/// Two boxes in the air, held together and to the world in some way.
fn boxes(equality: &str) -> Model {
    parse(&format!(
        "<mujoco><worldbody>
         <body name='a' pos='0 0 1'><freejoint/><geom type='box' size='.1 .1 .1' mass='1'/></body>
         <body name='b' pos='.3 0 1'><freejoint/><geom type='box' size='.1 .2 .1' mass='2'/></body>
         </worldbody><equality>{equality}</equality></mujoco>"
    ))
}

/// The data of a model in a state, after `forward`.
fn at(model: &Model, qpos: &[f64], qvel: &[f64]) -> Data {
    let mut data = Data::new(model);
    data.qpos.copy_from_slice(qpos);
    data.qvel.copy_from_slice(qvel);
    forward(model, &mut data);
    data
}

/// The model with a solver and a cone.
fn solved_by(mut model: Model, solver: Solver, cone: Cone) -> Model {
    model.opt.solver = solver as i32;
    model.opt.cone = cone as i32;
    model
}

fn everything(solver: Solver, cone: Cone) -> (Model, Data) {
    let model = solved_by(parse(EVERYTHING), solver, cone);
    let data = at(&model, &[0.01, -0.02, 0.0], &[0.1, 0.2, -0.3]);
    (model, data)
}

fn assert_close(found: &[f64], expected: &[f64], limit: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let largest = expected.iter().fold(1.0, |max: f64, x| max.max(x.abs()));
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() <= limit * largest, "{what}: {found:?}, expected {expected:?}");
    }
}

/// Largest error of `M qacc = qfrc_smooth + qfrc_constraint`, over the largest force.
fn imbalance(model: &Model, data: &Data) -> f64 {
    let mut inertial = vec![0.0; model.nv];
    mul_m(model, data, &mut inertial, &data.qacc);
    let force = |dof: usize| data.qfrc_smooth[dof] + data.qfrc_constraint[dof];
    let error = |dof: usize| (inertial[dof] - force(dof)).abs();
    let size = |dof: usize| inertial[dof].abs().max(data.qfrc_constraint[dof].abs());
    let max = |f: &dyn Fn(usize) -> f64| (0..model.nv).map(f).fold(0.0, f64::max);
    max(&error) / (1.0 + max(&size))
}

#[test]
fn rows_come_as_equality_friction_limit_and_contact_for_every_solver() {
    use ConstraintType as Kind;
    for solver in SOLVERS {
        for (cone, contact) in [
            (Cone::Pyramidal, [Kind::ContactPyramidal as i32; 4].as_slice()),
            (Cone::Elliptic, [Kind::ContactElliptic as i32; 3].as_slice()),
        ] {
            let (_, data) = everything(solver, cone);
            let before = [Kind::Equality, Kind::FrictionDof, Kind::LimitJoint].map(|x| x as i32);
            assert_eq!(data.efc_type[..3], before);
            assert_eq!(data.efc_type[3..], *contact);
            assert_eq!((data.ne, data.nf, data.nl, data.nefc), (1, 1, 1, 3 + contact.len()));
            assert_eq!(data.contact[0].efc_address, 3);
        }
    }
}

#[test]
#[rustfmt::skip]
fn every_kind_of_row_has_the_reference_s_force_with_every_solver() {
    let cases: [(Solver, Cone, i32, &[f64]); 6] = [
        (Solver::Pgs, Cone::Pyramidal, 24, &[
            -34.99999999999999, -0.1, 119.59299897670327, 0.0, 94.20849953708006, 0.0, 0.0,
        ]),
        (Solver::Cg, Cone::Pyramidal, 16, &[
            -35.00021366472975, -0.1, 119.59321215601406, 0.0, 94.20865239463367, 0.0, 0.0,
        ]),
        (Solver::Newton, Cone::Pyramidal, 3, &[
            -34.99999999999999, -0.1, 119.59313152400834, 0.0, 94.20855949895613, 0.0, 0.0,
        ]),
        (Solver::Pgs, Cone::Elliptic, 18, &[
            -79.19429298304567, -0.1, 122.27621663595895, 107.60822435945126, -97.03292250831636,
            -46.52033855518541,
        ]),
        (Solver::Cg, Cone::Elliptic, 16, &[
            -79.19447053523422, -0.1, 122.27635919438664, 107.60831624097575, -97.03301006637533,
            -46.520368460240626,
        ]),
        (Solver::Newton, Cone::Elliptic, 5, &[
            -79.19434518237225, -0.1, 122.27632551421242, 107.60828171310746, -97.03297422548678,
            -46.52036334986555,
        ]),
    ];
    for (solver, cone, iterations, expected) in cases {
        let (_, data) = everything(solver, cone);
        let what = format!("{solver:?} {cone:?}");
        assert_eq!(data.solver_niter[0], iterations, "{what}");
        assert_close(&data.efc_force, expected, 1e-10, &what);
    }
}

#[test]
fn every_kind_of_row_keeps_its_force_within_bounds() {
    for solver in SOLVERS {
        for cone in CONES {
            let (model, data) = everything(solver, cone);
            let what = format!("{solver:?} {cone:?}");
            // equality pulls and pushes, friction is bounded, limits only push
            assert!(data.efc_force[0] < 0.0, "{what}");
            let mirrored = at(&model, &[-0.01, -0.02, 0.0], &[-0.1, 0.2, -0.3]);
            assert!(mirrored.efc_force[0] > 0.0, "{what}");
            assert!(data.efc_force[1].abs() <= 0.1, "{what}");
            assert!(data.efc_force[2] > 0.0, "{what}");
            let away = at(&model, &[0.0, -1e-4, 0.0], &[0.0, 3.0, 0.0]);
            assert_eq!((away.nl, away.efc_force[2]), (1, 0.0), "{what}");
            // contacts push, and friction stays in its cone
            let force = contact_force(&model, &data, 0).lin;
            let friction = force.y.abs().max(force.z.abs());
            assert!(force.x > 0.0, "{what}");
            assert!(friction <= force.x * (1.0 + 1e-9), "{what}: {force:?}");
        }
    }
}

#[test]
fn limits_begin_at_the_margin_of_the_joint() {
    let slider = "<mujoco><worldbody><body><joint type='slide' range='0 1' margin='.1'
        solimplimit='.9 .95 .5'/><geom size='.1' mass='1'/></body></worldbody></mujoco>";
    let model = parse(slider);
    let rows = |position: f64| at(&model, &[position], &[0.0]).nl;
    assert_eq!([0.2, 0.1001, 0.0999, -0.01, 0.95].map(rows), [0, 0, 1, 1, 1]);
    let data = at(&model, &[0.05], &[0.0]);
    assert_eq!((data.efc_pos[0], data.efc_margin[0]), (0.05, 0.1));
    let both = parse(&slider.replace("range='0 1'", "range='0 .1'"));
    assert_eq!(at(&both, &[0.05], &[0.0]).nl, 2);
}

/// What is left of the balance when a solver is run to its end: the gradient of the cost, which
/// conjugate directions cannot bring down as far.
fn limit(solver: Solver) -> f64 {
    if solver == Solver::Cg { 1e-6 } else { 1e-10 }
}

#[test]
fn forces_balance_for_every_solver_and_cone() {
    for solver in SOLVERS {
        for cone in CONES {
            let (mut model, mut data) = everything(solver, cone);
            (model.opt.tolerance, model.opt.iterations) = (0.0, 500);
            forward(&model, &mut data);
            let what = format!("{solver:?} {cone:?}");
            assert!(imbalance(&model, &data) < limit(solver), "{what}");
            // forces on bodies are part of the smooth force
            let before = data.qfrc_smooth.clone();
            data.xfrc_applied[1] = [3.0, -2.0, 1.0, 0.0, 0.0, 0.0];
            forward(&model, &mut data);
            let added: Vec<f64> = data.qfrc_smooth.iter().zip(before).map(|(a, b)| a - b).collect();
            assert_close(&added, &[3.0, -2.0, 1.0], 1e-14, &what);
            assert!(imbalance(&model, &data) < limit(solver), "{what}");
        }
    }
}

#[test]
fn forces_balance_on_every_model() {
    let mut constrained = 0;
    for name in model_names() {
        let mut model = load(&name);
        for solver in SOLVERS {
            model.opt.solver = solver as i32;
            let mut data = Data::new(&model);
            for _ in 0..5 {
                sim_core::step(&model, &mut data);
            }
            (model.opt.tolerance, model.opt.iterations) = (0.0, 500);
            forward(&model, &mut data);
            constrained += usize::from(data.nefc > 0);
            let error = imbalance(&model, &data);
            assert!(error < limit(solver), "{name} {solver:?}: {error:e}");
        }
    }
    assert!(constrained > 10);
}

#[test]
fn dry_friction_is_no_passive_force() {
    let model = parse(
        "<mujoco><worldbody><body><joint axis='0 1 0' frictionloss='1' damping='.5'/>
         <geom size='.1' pos='.5 0 0'/></body></worldbody></mujoco>",
    );
    for solver in SOLVERS {
        let model = solved_by(model.clone(), solver, Cone::Pyramidal);
        let data = at(&model, &[0.0], &[2.0]);
        assert_eq!(data.qfrc_passive, [-1.0], "{solver:?}");
        assert_eq!(data.qfrc_smooth, [-1.0 - data.qfrc_bias[0]], "{solver:?}");
        assert_close(&data.qfrc_constraint, &[-1.0], 1e-12, &format!("{solver:?}"));
    }
}

#[test]
fn the_dual_matrix_is_there_only_for_those_who_need_it() {
    let entries = |solver: Solver, noslip: i32| {
        let mut model = solved_by(parse(EVERYTHING), solver, Cone::Pyramidal);
        model.opt.noslip_iterations = noslip;
        at(&model, &[0.01, -0.02, 0.0], &[0.0; 3]).nA
    };
    assert_eq!(entries(Solver::Pgs, 0), 49);
    assert_eq!(entries(Solver::Cg, 0), 0);
    assert_eq!(entries(Solver::Newton, 0), 0);
    assert_eq!(entries(Solver::Newton, 2), 49);
}

#[test]
fn the_inverse_inertia_of_a_row_comes_from_the_tables_of_the_model() {
    let (model, data) = everything(Solver::Newton, Cone::Elliptic);
    let dof = &model.dof_invweight0;
    assert_eq!(data.efc_diagApprox[..3], [dof[0], dof[1], dof[1]]);
    assert_eq!(data.efc_diagApprox[3], model.body_invweight0[1][0]);
    let (_, pyramid) = everything(Solver::Newton, Cone::Pyramidal);
    // in the end it is what softness and impedance say: R I / (1 − I)
    for row in 3..7 {
        let imp = pyramid.efc_KBIP[row][2];
        let expected = pyramid.efc_R[row] * imp / (1.0 - imp);
        assert!((pyramid.efc_diagApprox[row] - expected).abs() < 1e-12);
    }
}

#[test]
fn a_cold_elliptic_contact_is_found_by_pgs_in_two_sweeps() {
    let xml = "<mujoco><worldbody><geom type='plane' size='5 5 .1'/><body pos='0 0 .099'>
        <joint type='slide' axis='0 0 1'/><joint type='slide'/><geom size='.1' mass='1'/></body>
        </worldbody></mujoco>";
    for solver in SOLVERS {
        let model = solved_by(parse(xml), solver, Cone::Elliptic);
        let data = at(&model, &[0.0; 2], &[0.0; 2]);
        let what = format!("{solver:?}");
        assert_close(&data.efc_force, &[10.84051282051282, 0.0, 0.0], 1e-10, &what);
        assert_eq!(data.solver_niter[0], if solver == Solver::Pgs { 2 } else { 1 }, "{what}");
    }
}

#[test]
fn no_sweep_of_pgs_makes_the_cost_rise() {
    let welds = boxes("<weld body1='a' body2='b'/><weld body1='a'/>");
    let models = [welds, parse(EVERYTHING)];
    for (model, cone) in models.iter().flat_map(|model| CONES.map(|cone| (model, cone))) {
        let model = solved_by(model.clone(), Solver::Pgs, cone);
        let mut data = Data::new(&model);
        data.qpos[0] += 0.01;
        data.qvel.fill(0.3);
        forward(&model, &mut data);
        let sweeps = data.solver_niter[0] as usize;
        assert!(sweeps > 5);
        assert!(data.solver[..sweeps].iter().all(|sweep| sweep.improvement >= -1e-10));
    }
}

/// State of the two boxes, pulled apart a little and moving.
const APART: ([f64; 14], [f64; 12]) = (
    [0.01, 0.0, 1.02, 1.0, 0.02, 0.0, 0.0, 0.31, 0.02, 0.99, 1.0, 0.0, 0.01, -0.02],
    [0.1, 0.0, 0.0, 0.0, 0.2, 0.0, 0.0, 0.0, 0.3, 0.0, 0.0, -0.1],
);

fn check_boxes(equality: &str, expected: [(Solver, i32, &[f64]); 3]) {
    for (solver, iterations, forces) in expected {
        let model = solved_by(boxes(equality), solver, Cone::Pyramidal);
        let data = at(&model, &APART.0, &APART.1);
        let what = format!("{equality} {solver:?}");
        assert_eq!(data.solver_niter[0], iterations, "{what}");
        assert_eq!((data.ne, data.nefc), (forces.len(), forces.len()), "{what}");
        // conjugate directions amplify the last digit
        let limit = if solver == Solver::Cg { 1e-6 } else { 1e-9 };
        assert_close(&data.efc_force, forces, limit, &what);
    }
}

#[test]
#[rustfmt::skip]
fn welds_have_the_reference_s_forces() {
    let pgs = [
        -6.639620932442751, 18.827944094431217, -2.067660319817456, 0.5526459066333168,
        0.37262835407357137, -5.403065020021507, -0.04343293415790559, -0.23122579630655116,
        -36.008415781380315, 1.1814745232895711, -1.813440551632943, -4.848974190817381,
    ];
    let cg = [
        -6.629157740033932, 18.825651335784425, -2.0170291423715945, 0.5521990454548544,
        0.3708458642054654, -5.403104966240859, -0.05922178067978736, -0.22841141782335048,
        -36.05700960389496, 1.1804374743930006, -1.812943661464085, -4.84883213505094,
    ];
    let newton = [
        -6.629158692069762, 18.82565118733845, -2.0170252537221365, 0.5521990451357744,
        0.3708458645852264, -5.403104966197842, -0.05922311778464534, -0.22841165271846342,
        -36.05700480146997, 1.1804374960649635, -1.8129436350360313, -4.848832138955006,
    ];
    check_boxes(
        "<weld body1='a' body2='b'/><weld body1='a'/>",
        [(Solver::Pgs, 100, &pgs), (Solver::Cg, 15, &cg), (Solver::Newton, 1, &newton)],
    );
}

#[test]
#[rustfmt::skip]
fn connections_have_the_reference_s_forces() {
    let pgs = [
        -6.791885638990684, 15.245056475379215, 1.0099737940405993, 0.22242241354005915,
        -15.288744227772119, -41.76678177708799,
    ];
    let primal = [
        -6.792038129747191, 15.245184250433494, 1.0101952956070466, 0.22258992356679366,
        -15.288926805795779, -41.76709842522448,
    ];
    check_boxes(
        "<connect body1='a' body2='b' anchor='.15 0 0'/>\
         <connect body1='a' body2='world' anchor='0 .1 .2'/>",
        [(Solver::Pgs, 37, &pgs), (Solver::Cg, 6, &primal), (Solver::Newton, 1, &primal)],
    );
}

#[test]
fn limits_have_the_reference_s_forces_with_every_solver() {
    let model = parse(
        "<mujoco><compiler angle='radian'/><worldbody><body><joint axis='0 1 0'
         range='-1.57 1.57'/><geom type='capsule' fromto='0 0 0 0 0 -1' size='.05' mass='1'/>
         </body></worldbody></mujoco>",
    );
    for solver in SOLVERS {
        let model = solved_by(model.clone(), solver, Cone::Pyramidal);
        for (position, force) in
            [(1.6, 31.627119715727368), (-1.6, 10.892900965727367), (1.58, 14.346814544227504)]
        {
            let data = at(&model, &[position], &[0.3]);
            assert_eq!((data.nl, data.nefc), (1, 1));
            assert_close(&data.efc_force, &[force], 1e-10, &format!("{solver:?} at {position}"));
        }
    }
}

#[test]
fn solvers_agree_where_all_of_them_converge() {
    for cone in CONES {
        let forces = SOLVERS.map(|solver| {
            let mut model = solved_by(parse(EVERYTHING), solver, cone);
            model.opt.iterations = 10_000;
            model.opt.tolerance = 0.0;
            at(&model, &[0.01, -0.02, 0.0], &[0.1, 0.2, -0.3]).efc_force
        });
        assert_close(&forces[0], &forces[2], 1e-6, "PGS");
        assert_close(&forces[1], &forces[2], 1e-6, "CG");
    }
}

#[test]
fn stiffness_and_damping_of_a_row_may_be_given_directly() {
    let model = parse(
        "<mujoco><worldbody><body><joint type='slide' range='0 1' solreflimit='-1000 -50'/>
         <geom size='.1' mass='1'/></body></worldbody></mujoco>",
    );
    let data = at(&model, &[-0.1], &[0.0]);
    let [stiffness, damping, ..] = data.efc_KBIP[0];
    assert!((stiffness - 1000.0 / (0.95 * 0.95)).abs() < 1e-9);
    assert!((damping - 50.0 / 0.95).abs() < 1e-10);
}

#[test]
fn what_is_not_a_number_does_not_outlive_its_step() {
    let leg = |y: &str| {
        let links: String = (0..9)
            .map(|i| {
                let axis = if i % 2 == 0 { "1 0 0" } else { "0 1 0" };
                format!("<body pos='0 0 -.1'><joint axis='{axis}'/><geom size='.03' mass='1'/>")
            })
            .collect();
        format!(
            "<body pos='0 {y} 0'><joint axis='1 0 0'/><geom size='.03'/>{links}{}</body>",
            "</body>".repeat(9)
        )
    };
    for cone in ["pyramidal", "elliptic"] {
        let model = parse(&format!(
            "<mujoco>
               <option cone='{cone}'/>
               <worldbody>
                 <geom type='plane' size='5 5 1'/>
                 <body pos='0 0 .925'><freejoint/><geom size='.05'/>{}{}</body>
               </worldbody>
             </mujoco>",
            leg(".3"),
            leg("-.3")
        ));
        let mut fresh = Data::new(&model);
        forward(&model, &mut fresh);
        assert_eq!(fresh.ncon, 2);

        let mut data = Data::new(&model);
        data.qvel.fill(f64::NAN);
        forward(&model, &mut data);
        assert!(data.qacc[0].is_nan());
        data.qvel.fill(0.0);
        data.qacc_warmstart.fill(0.0);
        forward(&model, &mut data);
        assert_eq!(data.qacc, fresh.qacc);
        assert_eq!(data.efc_force, fresh.efc_force);
    }
}
