//! Which geoms collide, in which order, and what happens in odd cases.

use std::fmt::Write;

use allocation_counter::measure;
use sim_conformance_tests::parse;
use sim_core::math::Vec3;
use sim_core::model::{Disable, Enable};
use sim_core::{
    Callbacks, Data, Model, collision, collision_with, geom_distance, kinematics, step,
};

/// The contacts of a model in its reference state.
fn contacts(model: &Model) -> Vec<[i32; 2]> {
    let mut data = Data::new(model);
    kinematics(model, &mut data);
    collision(model, &mut data);
    assert_eq!(data.ncon, data.contact.len());
    data.contact.iter().map(|contact| contact.geom).collect()
}

fn world(content: &str) -> Model {
    parse(&format!("<mujoco>{content}</mujoco>"))
}

/// Two bodies with two geoms each, all overlapping.
const CROWD: &str = r#"
    <worldbody>
      <body name="a"><freejoint/><geom type="box" size="1 1 1"/><geom size="1"/></body>
      <body name="b"><freejoint/><geom size="1"/><geom type="box" size="1 1 1" pos="0.5 0.3 0.2"/></body>
    </worldbody>"#;

#[test]
fn contacts_of_two_bodies_come_by_number_of_the_geoms_as_listed() {
    let mut order = contacts(&world(CROWD));
    order.dedup();
    // geoms are listed by type, so that 0 and 2 become 2 and 0
    assert_eq!(order, [[0, 3], [1, 2], [1, 3], [2, 0]]);
}

#[test]
fn without_midphase_contacts_come_by_number_of_the_geoms() {
    let mut model = world(CROWD);
    model.opt.disableflags |= Disable::MidPhase as i32;
    let mut order = contacts(&model);
    order.dedup();
    assert_eq!(order, [[2, 0], [0, 3], [1, 2], [1, 3]]);
}

#[test]
fn explicit_pairs_come_first_and_replace_the_others_of_their_geoms() {
    let pair = r#"<contact><pair geom1="p" geom2="q"/></contact>"#;
    let model = world(
        &(CROWD
            .replace(r#"<geom size="1"/></body>"#, r#"<geom name="p" size="1"/></body>"#)
            .replace(
                r#"<freejoint/><geom size="1"/>"#,
                r#"<freejoint/><geom name="q" size="1"/>"#,
            )
            + pair),
    );
    let mut order = contacts(&model);
    order.dedup();
    assert_eq!(order, [[1, 2], [0, 3], [1, 3], [2, 0]]);
}

#[test]
fn excluded_bodies_keep_their_explicit_pairs() {
    let exclude = r#"<contact><exclude body1="a" body2="b"/></contact>"#;
    assert!(contacts(&world(&format!("{CROWD}{exclude}"))).is_empty());
    let named = CROWD.replace(r#"size="1 1 1" pos"#, r#"name="p" size="1 1 1" pos"#).replace(
        r#"<geom type="box" size="1 1 1"/>"#,
        r#"<geom name="q" type="box" size="1 1 1"/>"#,
    );
    let pair = r#"<contact><pair geom1="p" geom2="q"/></contact>"#;
    let found = contacts(&world(&format!("{named}{exclude}{pair}")));
    assert!(
        !found.is_empty() && found.iter().all(|geoms| geoms.contains(&0) && geoms.contains(&3))
    );
}

/// A chain of three links that overlap, the last one welded to the middle one's child.
const CHAIN: &str = r#"
    <worldbody>
      <body><joint/><geom size="1"/>
        <body><joint/><geom size="1"/>
          <body><geom size="1"/>
            <body><joint/><geom size="1"/></body>
          </body>
        </body>
      </body>
    </worldbody>"#;

#[test]
fn welded_bodies_and_parents_do_not_collide() {
    // geoms 1 and 2 are one body; parents are 0 of 1 and 2, which are those of 3
    assert_eq!(contacts(&world(CHAIN)), [[0, 3]]);
}

#[test]
fn parents_collide_where_their_filter_is_off() {
    let mut model = world(CHAIN);
    model.opt.disableflags |= Disable::FilterParent as i32;
    assert_eq!(contacts(&model), [[0, 1], [0, 2], [0, 3], [1, 3], [2, 3]]);
}

#[test]
fn masks_decide_in_either_direction_and_may_change_between_steps() {
    let mut model = world(
        r#"<worldbody>
             <body><freejoint/><geom size="1" contype="1" conaffinity="0"/></body>
             <body><freejoint/><geom size="1" contype="0" conaffinity="1"/></body>
             <body><freejoint/><geom size="1" contype="2" conaffinity="2"/></body>
           </worldbody>"#,
    );
    let mut data = Data::new(&model);
    let mut found = |model: &Model| {
        kinematics(model, &mut data);
        collision(model, &mut data);
        data.contact.iter().map(|contact| contact.geom).collect::<Vec<_>>()
    };
    assert_eq!(found(&model), [[0, 1]]);
    model.geom_contype[2] = 1;
    assert_eq!(found(&model), [[0, 1]], "the body has not got the bit");
    model.body_contype[3] = 1;
    assert_eq!(found(&model), [[0, 1], [1, 2]]);
    model.geom_conaffinity[1] = 0;
    assert!(found(&model).is_empty());
}

#[test]
fn flags_switch_contacts_off() {
    for flag in [Disable::Contact, Disable::Constraint] {
        let mut model = world(CROWD);
        model.opt.disableflags |= flag as i32;
        assert!(contacts(&model).is_empty());
    }
}

#[test]
fn sleeping_bodies_collide_with_those_awake_only() {
    let mut model = world(
        r#"<worldbody>
             <geom type="plane" size="1 1 1"/>
             <body><freejoint/><geom size="1"/></body>
             <body><freejoint/><geom size="1"/></body>
             <body><freejoint/><geom size="1"/></body>
           </worldbody>"#,
    );
    model.opt.enableflags |= Enable::Sleep as i32;
    let mut data = Data::new(&model);
    kinematics(&model, &mut data);
    data.body_awake[1] = 0;
    data.body_awake[2] = 0;
    data.nbody_awake = 2;
    collision(&model, &mut data);
    let found: Vec<_> = data.contact.iter().map(|contact| contact.geom).collect();
    assert_eq!(found, [[0, 3], [1, 3], [2, 3]]);
}

#[test]
fn a_user_can_decide_which_geoms_collide() {
    struct OnlyFirst(Vec<[usize; 2]>);
    impl Callbacks for OnlyFirst {
        fn filters_contacts(&self) -> bool {
            true
        }
        fn contact_filter(&mut self, _: &Model, _: &Data, geom1: usize, geom2: usize) -> bool {
            self.0.push([geom1, geom2]);
            geom1 == 0
        }
    }
    let model = world(
        r#"<worldbody>
             <body><freejoint/><geom size="1" contype="2" conaffinity="2"/><geom size="0.1"/></body>
             <body><freejoint/><geom size="1"/></body>
           </worldbody>"#,
    );
    assert_eq!(contacts(&model), [[1, 2]]);
    let mut data = Data::new(&model);
    kinematics(&model, &mut data);
    let mut user = OnlyFirst(Vec::new());
    collision_with(&model, &mut data, &mut user);
    assert_eq!(data.contact.iter().map(|contact| contact.geom).collect::<Vec<_>>(), [[0, 2]]);
    assert_eq!(user.0.len(), 2);
}

/// Free bodies with geoms of many types at the places of a crowded lattice.
fn lattice(count: usize) -> Model {
    let mut xml = String::from("<mujoco><worldbody><geom type='plane' size='9 9 1'/>");
    for i in 0..count {
        let kind = ["sphere", "capsule", "box", "cylinder", "ellipsoid"][i % 5];
        let (x, y, z) = (i % 8, i / 8 % 8, i / 64);
        let place = |k: usize| 0.17 * k as f64;
        write!(
            xml,
            "<body pos='{} {} {}' euler='{i} {} 10'><freejoint/>
             <geom type='{kind}' size='.1 .08 .06'/></body>",
            place(x),
            place(y),
            place(z) + 0.05,
            2 * i
        )
        .expect("text takes all");
    }
    parse(&(xml + "</worldbody></mujoco>"))
}

#[test]
fn a_settled_stage_allocates_nothing() {
    for count in [20, 200, 700] {
        let model = lattice(count);
        let mut data = Data::new(&model);
        kinematics(&model, &mut data);
        for _ in 0..3 {
            collision(&model, &mut data);
        }
        assert!(data.ncon > count / 2);
        let counted = measure(|| collision(&model, &mut data));
        assert_eq!(counted.count_total, 0, "{count} geoms");
    }
}

#[test]
fn what_came_before_does_not_matter() {
    let model = lattice(300);
    let (mut fresh, mut used) = (Data::new(&model), Data::new(&model));
    used.qpos.iter_mut().enumerate().for_each(|(i, q)| *q += any_number(i));
    kinematics(&model, &mut used);
    collision(&model, &mut used);
    used.qpos.copy_from_slice(&fresh.qpos);
    for data in [&mut fresh, &mut used] {
        kinematics(&model, data);
        collision(&model, data);
    }
    assert!(fresh.ncon > 100);
    assert_eq!(fresh.contact, used.contact);
}

/// Any numbers between -1 and 1.
fn any_number(i: usize) -> f64 {
    (i as f64 * 12.9898).sin()
}

#[test]
fn tiny_huge_and_coincident_geoms_give_finite_contacts() {
    let kinds = ["sphere", "capsule", "ellipsoid", "cylinder", "box"];
    let sizes = ["1e-9 1e-9 1e-9", "1e-9 1 1e-9", "1 1e-9 1", "1e3 1e-3 1e3", "0.1 0.1 0.1"];
    let mut found = 0;
    for kind1 in kinds {
        for kind2 in kinds {
            for size1 in sizes {
                for size2 in sizes {
                    let model = world(&format!(
                        r#"<worldbody>
                             <geom type="plane" size="1 1 1"/>
                             <body><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
                               <geom type="{kind1}" size="{size1}"/></body>
                             <body><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
                               <geom type="{kind2}" size="{size2}"/></body>
                           </worldbody>"#
                    ));
                    let mut data = Data::new(&model);
                    kinematics(&model, &mut data);
                    collision(&model, &mut data);
                    found += data.ncon;
                    for contact in &data.contact {
                        let numbers = [contact.dist, contact.pos.x, contact.pos.y, contact.pos.z];
                        let finite = numbers.iter().chain(&contact.frame.0).all(|x| x.is_finite());
                        assert!(finite, "{kind1} {size1}, {kind2} {size2}: {contact:?}");
                    }
                }
            }
        }
    }
    assert!(found > 1000);
}

#[test]
fn geoms_without_extent_give_finite_contacts_distances_and_steps() {
    // the loader takes no such sizes, but arrays do: balls for capsules, discs, plates, needles
    // and points, with centres in one place or beside each other
    let kinds = ["sphere", "capsule", "ellipsoid", "cylinder", "box"];
    let sizes = [[0.0; 3], [0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.1, 0.1, 0.0], [1e-9, 0.1, 1e-9]];
    let mut found = 0;
    for (kind1, kind2) in kinds.iter().flat_map(|a| kinds.iter().map(move |b| (a, b))) {
        let mut model = world(&format!(
            r#"<option><flag multiccd="enable"/></option><worldbody>
                 <geom type="plane" size="1 1 1"/>
                 <body><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
                   <geom type="{kind1}" size="1 1 1"/></body>
                 <body><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
                   <geom type="{kind2}" size="1 1 1"/></body>
               </worldbody>"#
        ));
        for (size1, size2) in sizes.iter().flat_map(|a| sizes.iter().map(move |b| (a, b))) {
            for (geom, &[x, y, z]) in [(1, size1), (2, size2)] {
                model.geom_size[geom] = Vec3::new(x, y, z);
            }
            for offset in [0.0, 0.05, 0.1] {
                let mut data = Data::new(&model);
                data.qpos[7] = offset;
                step(&model, &mut data);
                found += data.ncon;
                let (distance, _) = geom_distance(&model, &mut data, 1, 2, 1.0);
                let finite = data.contact.iter().all(|contact| {
                    let pos = contact.pos.to_array();
                    pos.iter().chain(&contact.frame.0).all(|x| x.is_finite())
                        && contact.dist.is_finite()
                }) && distance.is_finite();
                let what = format!("{kind1} {size1:?}, {kind2} {size2:?}, {offset}");
                assert!(finite, "{what}: {:?}", data.contact);
                assert!(data.qacc.iter().all(|x| x.is_finite()), "{what}: {:?}", data.qacc);
                assert!(data.warning.iter().all(|warning| warning.number == 0), "{what}");
            }
        }
    }
    assert!(found > 1000);
}

#[test]
fn spheres_that_graze_are_found_as_the_reference_finds_them() {
    // side by side along the axis of the sweep; the reference loses pairs in this order only
    let row = |places: [f64; 3]| {
        let mut xml = String::from("<worldbody>");
        for x in places {
            write!(xml, r#"<body pos="{x} 0 0"><freejoint/><geom size="0.1"/></body>"#)
                .expect("text takes all");
        }
        contacts(&world(&(xml + "</worldbody>")))
    };
    assert!(row([0.0, 0.2, 0.4]).is_empty());
    assert_eq!(row([0.4, 0.2, 0.0]), [[0, 1], [1, 2]]);
}

/// Geoms of all kinds and sizes, falling onto a floor: some touch, some fly, one is on a mocap body.
fn many_geoms(count: usize) -> Model {
    let mut bodies = String::new();
    for i in 0..count {
        let (x, y, z) = (i % 5, i / 5 % 5, i / 25);
        let shape = match i % 4 {
            0 => r#"type="sphere" size="0.06""#,
            1 => r#"type="capsule" size="0.03 0.06""#,
            2 => r#"type="box" size="0.05 0.04 0.06""#,
            _ => r#"type="cylinder" size="0.04 0.05""#,
        };
        write!(
            bodies,
            r#"<body pos="{} {} {}" euler="{} {} 0"><freejoint/><geom {shape}/></body>"#,
            0.13 * x as f64,
            0.13 * y as f64,
            0.1 + 0.14 * z as f64,
            17 * i,
            29 * i
        )
        .unwrap();
    }
    world(&format!(
        r#"<worldbody><geom type="plane" size="3 3 0.1"/>
           <geom type="box" size="1 0.05 1" pos="0 -0.3 0"/>
           <body mocap="true"><geom type="box" size="0.2 0.2 0.02"/></body>{bodies}</worldbody>"#
    ))
}

#[test]
fn contacts_do_not_depend_on_the_pairs_that_were_near_before() {
    let model = many_geoms(100);
    let mut kept = Data::new(&model);
    // some are fast, so that only their pairs are searched anew
    (0..100).step_by(9).for_each(|i| kept.qvel[6 * i] = 4.0);
    let mut forgetful = kept.clone();
    let mut contacts = 0;
    for at in 0..300 {
        for data in [&mut kept, &mut forgetful] {
            data.mocap_pos[0] = Vec3::new(0.3, 0.3, 0.002 * at as f64);
            step(&model, data);
        }
        // without a list of pairs the next step searches all of them
        forgetful.abandon_scratch();
        forgetful.renew_scratch(&model);
        assert_eq!(kept.qpos, forgetful.qpos, "step {at}");
        assert_eq!(kept.contact, forgetful.contact, "step {at}");
        contacts += kept.ncon;
    }
    assert!(contacts > 10_000, "{contacts} contacts");
}
