//! Flexes: cloth, cables and solids, their contacts and masks. The numbers are those of MuJoCo 3.5.0
//! in the same scenes; where a scene is chaotic, the bounds are what it meets.

use sim_conformance_tests::{bits, parse};
use sim_core::math::Vec3;
use sim_core::{Data, Model, contact_force, forward, step};
use sim_mjcf::Spec;

/// A world with flexes and whatever else.
fn world(option: &str, inside: &str) -> Model {
    parse(&format!("<mujoco><option {option}/><worldbody>{inside}</worldbody></mujoco>"))
}

fn stepped(model: &Model, count: usize) -> Data {
    let mut data = Data::new(model);
    (0..count).for_each(|_| step(model, &mut data));
    data
}

fn evaluated(model: &Model) -> Data {
    let mut data = Data::new(model);
    forward(model, &mut data);
    data
}

fn max_abs(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |max, x| max.max(x.abs()))
}

fn lowest(data: &Data) -> f64 {
    data.flexvert_xpos.iter().fold(f64::INFINITY, |low, x| low.min(x.z))
}

fn deepest(data: &Data) -> f64 {
    data.contact.iter().fold(0.0, |low, contact| contact.dist.min(low))
}

/// Largest strain of an edge.
fn stretch(model: &Model, data: &Data) -> f64 {
    let edges = data.flexedge_length.iter().zip(&model.flexedge_length0);
    edges.fold(f64::NEG_INFINITY, |most, (now, rest)| most.max(now / rest - 1.0))
}

/// The sum of all contact forces, as they act on the second side.
fn contact_forces(model: &Model, data: &Data) -> Vec3 {
    (0..data.ncon).fold(Vec3::ZERO, |sum, id| {
        sum + data.contact[id].frame.transpose() * contact_force(model, data, id).lin
    })
}

fn assert_near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found}, not {expected}");
}

#[test]
fn a_ball_rests_on_a_cloth_that_carries_its_weight() {
    let model = world(
        "timestep='.002' solver='CG'",
        "<flexcomp name='cloth' count='11 11 1' spacing='.1 .1 .1' pos='0 0 .5' radius='.01' mass='1'>
           <pin gridrange='0 0 0 10 10 0 10 10'/><pin gridrange='0 0 10 0 0 10 10 10'/>
           <edge equality='true' solref='.004 1' damping='.1'/>
           <contact solref='.004 1' selfcollide='none'/></flexcomp>
         <body pos='0 0 .615'><freejoint/><geom size='.1' mass='1'/></body>",
    );
    let mut data = stepped(&model, 3000);
    forward(&model, &mut data);
    let ball = model.nq - 7;
    assert_eq!(data.ncon, 6);
    assert_near(data.qpos[ball + 2], 0.547_563_3, 1e-6);
    assert_near(contact_forces(&model, &data).z, -9.8099, 1e-3);
    assert_near(deepest(&data), -0.001_940_0, 1e-6);
    assert!(max_abs(&data.qvel[model.nv - 6..model.nv - 3]) < 1e-5);
}

#[test]
fn a_chain_hangs_over_the_edge_of_a_box_and_creeps_slowly() {
    let model = world(
        "timestep='.002'",
        "<geom type='box' size='.2 .2 .2' pos='0 0 .2'/>
         <flexcomp name='chain' dim='1' count='11 1 1' spacing='.05 .05 .05' pos='.05 0 .412'
           radius='.01' mass='.1'><edge equality='true' solref='.01 1' damping='.05'/></flexcomp>",
    );
    let data = stepped(&model, 4167);
    assert_near(data.flexvert_xpos[0].z, 0.409_605, 1e-6);
    assert_near(data.flexvert_xpos[10].z, 0.307_243, 1e-6);
    assert!(max_abs(&data.qvel) < 1e-3);
}

#[test]
fn friction_of_a_flex_and_a_geom_is_the_larger_of_each_component() {
    for (flex, geom, both) in [(0.3, 0.8, 0.8), (0.9, 0.2, 0.9), (0.5, 0.5, 0.5)] {
        let model = world(
            "",
            &format!(
                "<geom type='plane' size='1 1 1' friction='{geom} .03 .0001'/>
                 <flexcomp name='f' count='2 2 1' spacing='.1 .1 .1' pos='0 0 .004'>
                 <contact friction='{flex} .005 .002' condim='6' selfcollide='none'/></flexcomp>"
            ),
        );
        let data = evaluated(&model);
        assert_eq!(data.contact[0].friction, [both, both, 0.03, 0.002, 0.002]);
    }
}

#[test]
fn the_normal_points_from_the_geom_to_the_flex_and_the_distance_is_along_it() {
    let above = |z: f64| {
        let model = world(
            "",
            &format!(
                "<geom type='plane' size='1 1 1'/><flexcomp name='f' type='direct' dim='1'
                 point='0 0 {z} 1 0 1' element='0 1' radius='.01'/>"
            ),
        );
        evaluated(&model)
    };
    let data = above(0.005);
    let contact = &data.contact[0];
    assert_eq!((contact.frame.row(0), contact.vert), (Vec3::Z, [-1, 0]));
    assert_near(contact.dist, -0.005, 1e-17);
    // moved out by that much, it just touches
    assert_near(above(0.005 - contact.dist).contact[0].dist, 0.0, 1e-17);
}

#[test]
fn a_draped_cloth_stretches_less_the_stiffer_its_edges_are() {
    let drape = |solref: f64| {
        let model = world(
            "timestep='.001' solver='CG'",
            &format!(
                "<flexcomp name='cloth' count='10 10 1' spacing='.02 .02 .02' pos='0 0 1' mass='.1'>
                 <pin grid='0 0 9 0'/><edge equality='true' solref='{solref} 1'/>
                 <contact contype='0' conaffinity='0' selfcollide='none'/></flexcomp>"
            ),
        );
        let mut data = Data::new(&model);
        let mut peak: f64 = 0.0;
        for _ in 0..2000 {
            step(&model, &mut data);
            peak = peak.max(stretch(&model, &data));
        }
        assert_eq!((data.ne, model.nv), (261, 294));
        (stretch(&model, &data), peak, lowest(&data))
    };
    let (last, peak, low) = drape(0.02);
    assert_near(last, 0.646_797, 1e-5);
    assert_near(peak, 1.486_353, 1e-5);
    assert_near(low, 0.776_930, 1e-5);
    // stiffer edges swing: ends depend on rounding
    let (last, peak, low) = drape(0.004);
    assert!(last < 0.05 && (0.87..0.90).contains(&low), "{last} {low}");
    assert_near(peak, 0.203_764, 1e-4);
    let (last, peak, _) = drape(0.002);
    assert!(last < 0.02, "{last}");
    assert_near(peak, 0.047_227, 1e-4);
}

#[test]
fn a_cable_hangs_in_a_catenary() {
    // length 1 between ends that are .8 apart: a sinh(.4 / a) = .5
    let (mut low, mut high): (f64, f64) = (0.1, 10.0);
    for _ in 0..200 {
        let a = 0.5 * (low + high);
        if 2.0 * a * (0.4 / a).sinh() > 1.0 {
            low = a;
        } else {
            high = a;
        }
    }
    let a = 0.5 * (low + high);
    let sag = a * (0.4 / a).cosh() - a;
    let points: String = (0..21)
        .map(|i| {
            let x = a * ((f64::from(i) / 20.0 - 0.5) / a).asinh();
            format!("{x} 0 {} ", a * (x / a).cosh() - a * (0.4 / a).cosh() + 1.0)
        })
        .collect();
    let elements: String = (0..20).map(|i| format!("{i} {} ", i + 1)).collect();
    for (solref, expected) in [(0.004, 1.008_324), (0.02, 1.081_138)] {
        let model = world(
            "timestep='.001'",
            &format!(
                "<flexcomp name='cable' type='direct' dim='1' point='{points}' element='{elements}'
                 mass='1' radius='.005'><pin id='0 20'/>
                 <edge equality='true' solref='{solref} 1' damping='.01'/>
                 <contact contype='0' conaffinity='0' selfcollide='none'/></flexcomp>"
            ),
        );
        let data = stepped(&model, 5000);
        assert_near((1.0 - lowest(&data)) / sag, expected, 1e-5);
    }
}

/// Six times the signed volumes of tetrahedra.
fn volumes(model: &Model, data: &Data) -> Vec<f64> {
    let tetrahedra = model.flex_elem.as_chunks::<4>().0.iter();
    tetrahedra
        .map(|elem| {
            let [a, b, c, d] = elem.map(|vert| data.flexvert_xpos[vert as usize]);
            (b - a).cross(c - a).dot(d - a)
        })
        .collect()
}

#[test]
fn an_elastic_solid_rests_on_a_plane_and_keeps_its_volume() {
    let model = world(
        "timestep='.001'",
        "<geom type='plane' size='1 1 .1'/><flexcomp name='solid' dim='3' count='5 5 5'
           spacing='.05 .05 .05' pos='0 0 .106' radius='.005' mass='1'>
           <elasticity young='2e4' poisson='.2' damping='.001'/>
           <contact selfcollide='none' internal='false'/></flexcomp>",
    );
    let before = volumes(&model, &evaluated(&model));
    let mut data = stepped(&model, 3000);
    forward(&model, &mut data);
    let after = volumes(&model, &data);
    assert!(before.iter().zip(&after).all(|(before, after)| before * after > 0.0));
    let ratio = after.iter().sum::<f64>() / before.iter().sum::<f64>();
    assert_near(ratio, 0.997_486_013_5, 1e-9);
    assert_eq!(data.ncon, 25);
    assert_near(contact_forces(&model, &data).z, 9.81, 1e-9);
    assert!(max_abs(&data.qvel) < 1e-12);
}

#[test]
fn a_cloth_falls_on_a_sphere_and_stays_outside() {
    let model = world(
        "timestep='.002' solver='CG'",
        "<geom size='.15' pos='0 0 .2'/><flexcomp name='cloth' count='13 13 1'
           spacing='.04 .04 .04' pos='0 0 .37' radius='.005' mass='.2'>
           <edge equality='true' solref='.004 1'/>
           <contact solref='.01 1' selfcollide='none'/></flexcomp>",
    );
    let mut data = Data::new(&model);
    let mut worst: f64 = 0.0;
    for _ in 0..750 {
        step(&model, &mut data);
        worst = worst.min(deepest(&data));
    }
    assert_near(worst, -0.016_826_2, 1e-6);
    assert!(deepest(&data) > -0.002 && data.ncon > 80, "{} {}", deepest(&data), data.ncon);
}

#[test]
fn an_edge_stretches_by_force_over_stiffness_whatever_youngs_modulus_says() {
    let model = world(
        "gravity='0 0 0'",
        "<flexcomp name='f' type='direct' dim='1' point='0 0 0 1 0 0' element='0 1' mass='2'>
           <pin id='0'/><edge stiffness='100' damping='20'/><elasticity young='1e9'/></flexcomp>",
    );
    let mut data = Data::new(&model);
    data.qfrc_applied[0] = 5.0;
    (0..3000).for_each(|_| step(&model, &mut data));
    assert_near(data.qpos[0], 0.05, 1e-12);
}

#[test]
fn bending_coefficients_are_those_of_the_reference_not_of_beam_theory() {
    // the tip of a strip under a load, relative to Euler and Bernoulli
    for (columns, expected) in [(6, 1.920_940_537), (11, 1.877_814_448), (21, 2.272_237_124)] {
        let spacing = 1.0 / f64::from(columns - 1);
        let model = world(
            "",
            &format!(
                "<flexcomp name='f' count='{columns} 3 1' spacing='{spacing} .1 .1' radius='.001'>
                 <elasticity young='1e6' poisson='0' thickness='.01' elastic2d='bend'/></flexcomp>"
            ),
        );
        let count = model.nflexvert;
        let mut stiffness = vec![vec![0.0; count]; count];
        for edge in 0..model.nflexedge {
            let flaps = model.flex_edgeflap[edge];
            if flaps[1] < 0 {
                continue;
            }
            let ends = model.flex_edge[edge];
            let corners = [ends[0], ends[1], flaps[0], flaps[1]].map(|vert| vert as usize);
            for (i, &a) in corners.iter().enumerate() {
                for (j, &b) in corners.iter().enumerate() {
                    stiffness[a][b] += model.flex_bending[edge][4 * i + j];
                }
            }
        }
        // the first two columns of vertices are clamped
        let free: Vec<Vec<f64>> = stiffness[6..].iter().map(|row| row[6..].to_vec()).collect();
        let mut load = vec![0.0; count - 6];
        let tip = load.len() - 3;
        load[tip..].fill(1e-3 / 3.0);
        let deflection = solved(free, load)[tip..].iter().sum::<f64>() / 3.0;
        let (length, inertia) = (1.0 - spacing, 0.2 * 0.01_f64.powi(3) / 12.0);
        let beam = 1e-3 * length.powi(3) / (3.0 * 1e6 * inertia);
        assert_near(deflection / beam, expected, 1e-7);
    }
}

/// Solves a linear system by Gaussian elimination.
fn solved(mut a: Vec<Vec<f64>>, mut x: Vec<f64>) -> Vec<f64> {
    let n = x.len();
    for k in 0..n {
        let (upper, lower) = a.split_at_mut(k + 1);
        for (i, row) in lower.iter_mut().enumerate() {
            let factor = row[k] / upper[k][k];
            row.iter_mut().zip(&upper[k]).for_each(|(out, pivot)| *out -= factor * pivot);
            x[k + 1 + i] -= factor * x[k];
        }
    }
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| a[k][j] * x[j]).sum();
        x[k] = (x[k] - known) / a[k][k];
    }
    x
}

#[test]
fn pinned_vertices_stay_and_the_others_fall() {
    let model = world(
        "",
        "<flexcomp name='f' count='3 3 1' spacing='.1 .1 .1'><pin id='0 2'/>
           <contact contype='0' conaffinity='0' selfcollide='none'/></flexcomp>",
    );
    assert_eq!(model.nq, 21);
    let data = stepped(&model, 100);
    for (vert, x) in data.flexvert_xpos.iter().enumerate() {
        if [0, 2].contains(&vert) {
            assert_eq!(x.z, 0.0);
        } else {
            // positions are those before the last step: h² g n (n + 1) / 2 with n = 99
            assert_near(x.z, -0.194_238, 1e-12);
        }
    }
}

#[test]
fn a_flex_written_out_has_its_edges_in_order_and_reads_back() {
    let body = |name: &str, pos: &str| {
        format!(
            "<body name='{name}' pos='{pos}'><joint type='slide' axis='1 0 0'/>
             <joint type='slide' axis='0 1 0'/><joint type='slide' axis='0 0 1'/>
             <geom size='.1' mass='1'/></body>"
        )
    };
    let bodies = body("a", "0 0 0") + &body("b", "1 0 0") + &body("c", "0 1 0");
    let xml = format!(
        "<mujoco><worldbody>{bodies}</worldbody>
         <deformable><flex name='f' body='a b c' element='0 1 2'/></deformable></mujoco>"
    );
    let written = Spec::from_str(&xml).expect("a sound model").to_xml();
    for model in [parse(&xml), parse(&written)] {
        assert_eq!((model.nflex, model.nflexvert, model.flex_centered[0]), (1, 3, 1));
        assert_eq!(model.flex_edge, [[1, 2], [0, 2], [0, 1]]);
        for (length, expected) in model.flexedge_length0.iter().zip([2_f64.sqrt(), 1.0, 1.0]) {
            assert_near(*length, expected, 1e-6);
        }
    }
}

#[test]
fn a_flexcomp_makes_bodies_edges_elements_and_volumes() {
    let model = world("", "<flexcomp name='f' count='5 5 1' spacing='.04 .04 .04'/>");
    assert_eq!((model.nflexvert, model.nflexedge, model.nflexelem), (25, 56, 32));
    assert_eq!((model.nv, model.nbody), (75, 26));
    assert_eq!(
        (model.flex_shellnum[0], model.flex_evpairnum[0], model.flex_bvhnum[0]),
        (16, 48, 63)
    );
    assert_eq!((model.flex_contype[0], model.flex_conaffinity[0]), (1, 1));
}

#[test]
fn vertices_are_point_masses_and_share_no_inertia_with_anything_else() {
    let model = world(
        "",
        "<flexcomp name='f' type='direct' dim='1' point='0 0 0 1 0 0' element='0 1' mass='4'/>",
    );
    let data = evaluated(&model);
    assert_eq!(data.M, [2.0; 6]);
    assert_eq!(model.body_simple, [1, 2, 2]);
    assert_eq!(data.qacc, [0.0, 0.0, -9.81, 0.0, 0.0, -9.81]);

    let model = world(
        "",
        "<body pos='0 0 1'><joint axis='0 1 0'/>
           <geom type='capsule' size='.02' fromto='0 0 0 .5 0 0' mass='1'/></body>
         <flexcomp name='f' count='2 2 1' spacing='.1 .1 .1' pos='2 0 0'/>",
    );
    let data = evaluated(&model);
    assert_eq!((model.nv, model.nC), (13, 13));
    assert_near(data.qacc[0], 28.605_270_229_17, 1e-10);
    assert_eq!(data.qacc[1..4], [0.0, 0.0, -9.81]);
}

#[test]
fn newtons_method_takes_as_many_iterations_as_the_reference() {
    let model = world(
        "",
        "<geom type='plane' size='1 1 1'/><flexcomp name='f' count='6 6 1' spacing='.05 .05 .05'
           pos='0 0 .05' mass='.2'><edge equality='true' damping='.01'/></flexcomp>
         <body pos='0 0 .2'><freejoint/><geom type='box' size='.04 .04 .04' mass='.5'/></body>",
    );
    let mut data = Data::new(&model);
    let mut counts = Vec::new();
    for _ in 0..100 {
        step(&model, &mut data);
        counts.push(data.solver_niter[0]);
    }
    assert_eq!(counts[..48], [0; 48]);
    assert_eq!(counts[48..89], [1; 41]);
    assert_eq!(counts[89..], [2, 2, 3, 4, 2, 2, 2, 2, 2, 3, 3]);
    assert_eq!((data.ncon, data.nefc), (64, 341));
}

#[test]
fn masks_of_flexes_and_geoms_decide_as_those_of_two_geoms() {
    // flex, geom, contacts with a plane and with a sphere
    for (flex, geom, contacts) in [
        ([1, 1], [1, 1], [16, 2]),
        ([0, 1], [1, 1], [16, 2]),
        ([0, 0], [1, 1], [0, 0]),
        ([1, 1], [1, 0], [16, 2]),
        ([1, 1], [0, 0], [0, 0]),
        ([2, 1], [1, 2], [16, 2]),
        ([2, 2], [4, 4], [0, 0]),
    ] {
        let shapes = ["type='plane' size='1 1 1'", "size='.1' pos='.01 .02 -.1'"];
        for (shape, contacts) in shapes.into_iter().zip(contacts) {
            let model = world(
                "",
                &format!(
                    "<geom {shape} contype='{}' conaffinity='{}'/>
                     <flexcomp name='f' count='4 4 1' spacing='.1 .1 .1' pos='0 0 .004'>
                     <contact contype='{}' conaffinity='{}' selfcollide='none'/></flexcomp>",
                    geom[0], geom[1], flex[0], flex[1]
                ),
            );
            assert_eq!(evaluated(&model).ncon, contacts, "{shape} {flex:?} {geom:?}");
        }
    }
}

/// A strip of eight triangles that is folded onto itself.
fn folded(attributes: &str, contact: &str) -> Data {
    let columns = [(0.0, 0.0), (0.1, 0.0), (0.2, 0.0), (0.2, 0.03), (0.1, 0.008), (0.0, 0.008)];
    let points: String = columns.iter().map(|(x, z)| format!("{x} 0 {z} {x} .1 {z} ")).collect();
    let elements: String = [0, 2, 6, 8]
        .iter()
        .map(|a| format!("{a} {} {} {a} {} {} ", a + 2, a + 3, a + 3, a + 1))
        .collect();
    let model = world(
        "",
        &format!(
            "<flexcomp name='f' type='direct' radius='.005' point='{points}' element='{elements}'
             {attributes}><contact {contact}/></flexcomp>"
        ),
    );
    evaluated(&model)
}

#[test]
fn a_folded_strip_touches_itself_in_the_order_of_each_search() {
    let narrow = "04 05 06 07 14 15 16 17 24 26 27 34 35 36 37";
    let bvh = "35 34 24 73 72 63 62 15 14 05 04 17 16 07 06";
    let sap = "06 16 07 17 62 72 63 73 04 14 24 34 05 15 35";
    for (mode, expected) in
        [("none", ""), ("narrow", narrow), ("bvh", bvh), ("sap", sap), ("auto", sap)]
    {
        let data = folded("", &format!("selfcollide='{mode}'"));
        let pairs = data.contact.iter().map(|contact| contact.elem.map(|e| e.to_string()).concat());
        assert_eq!(pairs.collect::<Vec<_>>().join(" "), expected, "{mode}");
    }
}

#[test]
fn a_strip_that_does_not_match_its_own_mask_or_is_rigid_does_not_touch_itself() {
    assert_eq!(folded("", "contype='2' conaffinity='4'").ncon, 0);
    for mode in ["narrow", "bvh", "sap", "auto"] {
        assert_eq!(folded("rigid='true'", &format!("selfcollide='{mode}'")).ncon, 0);
    }
}

#[test]
fn flexes_give_the_same_bits_on_every_thread_and_with_fresh_data() {
    let model = world(
        "solver='CG'",
        "<geom type='plane' size='1 1 1'/><geom size='.1' pos='0 0 .1'/>
         <flexcomp name='cloth' count='9 9 1' spacing='.05 .05 .05' pos='0 0 .25'>
           <edge equality='true'/></flexcomp>
         <flexcomp name='solid' dim='3' count='3 3 3' spacing='.05 .05 .05' pos='0 0 .4' mass='2'>
           <elasticity young='2e3' poisson='.2' damping='.01'/></flexcomp>",
    );
    let run = || bits(&stepped(&model, 150));
    let expected = run();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..2).map(|_| scope.spawn(run)).collect();
        for thread in threads {
            assert!(thread.join().expect("a run that ends") == expected);
        }
    });
    // what is remembered from step to step changes nothing
    let mut data = Data::new(&model);
    for _ in 0..150 {
        step(&model, &mut data);
        data.cache = Data::new(&model).cache;
    }
    assert!(bits(&data) == expected);
}
