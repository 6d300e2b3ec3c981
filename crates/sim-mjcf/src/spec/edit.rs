//! Editing: adding, finding, deleting and moving elements.

use sim_core::model::ObjType;

use super::attach::Part;
use super::copy::Copies;
use super::rename::{Affix, Known};
use super::*;
use crate::error::Error;

macro_rules! named {
    ($($T:ident $list:ident ($one:ident $add:ident) $class:tt $word:literal $home:ident $model:tt)*) => {
        impl Spec {
            $(
                #[doc = concat!("Finds an element of the kind ", $word, " by name.")]
                pub fn $one(&self, name: &str) -> Option<Id<$T>> {
                    self.$list.find(name)
                }
            )*
        }
        $(add!($T $add $word $home);)*
    };
}

macro_rules! add {
    ($T:ident $add:ident $word:literal body) => { add!($T $add $word tree); };
    ($T:ident $add:ident $word:literal frame) => { add!($T $add $word tree); };
    ($T:ident $add:ident $word:literal tree) => {
        impl Spec {
            #[doc = concat!("Adds an element of the kind ", $word, " to a body, with the defaults of \
                             the class that the body has for its elements.")]
            pub fn $add(&mut self, body: Id<Body>) -> Id<$T> {
                self.add_in(body, None)
            }
        }
    };
    ($T:ident $add:ident $word:literal $home:ident) => {
        impl Spec {
            #[doc = concat!("Adds an element of the kind ", $word, ", with the defaults of the class \
                             `main`.")]
            pub fn $add(&mut self) -> Id<$T> {
                self.add(None)
            }
        }
    };
}

elements!(named);

/// Where an attached model goes, and what becomes of its names.
#[derive(Debug, Clone, Copy)]
pub struct Attachment<'a> {
    /// The frame that the model is put into.
    pub frame: Id<Frame>,
    /// What is put before names.
    pub prefix: &'a str,
    /// What is put after names.
    pub suffix: &'a str,
}

impl Spec {
    /// Adds an element outside the tree, with the defaults of a class, or else of `main`. A class
    /// that was deleted counts as none given.
    pub fn add<T: Element>(&mut self, class: Option<Id<Class>>) -> Id<T> {
        let class = class.filter(|&class| self.classes.get(class).is_some());
        let element = T::with_defaults(self, class.unwrap_or(Class::MAIN));
        T::list_mut(self).push(element)
    }

    /// Adds an element to a body, with the defaults of a class, or else of that which the body has
    /// for its elements. A body keeps the class for the elements inside it.
    pub fn add_in<T: InBody>(&mut self, body: Id<Body>, class: Option<Id<Class>>) -> Id<T> {
        let class = class.filter(|&class| self.classes.get(class).is_some());
        let element = T::with_defaults(self, class.unwrap_or(self[body].class));
        let id = self.add_to(body, element);
        if T::KIND == ObjType::Body
            && let Some(child) = self.bodies.ids().last().copied()
            && let Some(child) = self.bodies.peek_mut(child)
        {
            child.childclass = class;
        }
        id
    }

    /// Adds a default class inside another; none if there is one of that name.
    pub fn add_class(&mut self, name: &str, parent: Id<Class>) -> Option<Id<Class>> {
        if self.classes.find(name).is_some() {
            return None;
        }
        let mut class = self.classes.get(parent)?.clone();
        class.name = name.to_owned();
        class.parent = Some(parent);
        Some(self.classes.push(class))
    }

    /// Deletes a default class; its elements and the classes inside become those of its parent, and
    /// keep their values. The class `main` cannot be deleted.
    pub fn delete_class(&mut self, id: Id<Class>) -> Result<(), Error> {
        let Some(class) = self.classes.get(id) else { return Ok(()) };
        let Some(parent) = class.parent else {
            return Err(Error::new("the class 'main' cannot be deleted"));
        };
        self.classes.for_each_mut(|class| {
            if class.parent == Some(id) {
                class.parent = Some(parent);
            }
        });
        macro_rules! change {
            ($($T:ident $list:ident $one:tt $class:tt $word:literal $home:ident $model:tt)*) => {
                $(self.$list.for_each_mut(|element| {
                    if element.class == id {
                        element.class = parent;
                    }
                });)*
            };
        }
        elements!(change);
        let given = |class: &mut Option<Id<Class>>| {
            if *class == Some(id) {
                *class = Some(parent);
            }
        };
        self.bodies.for_each_mut(|body| given(&mut body.childclass));
        self.frames.for_each_mut(|frame| given(&mut frame.childclass));
        self.classes.remove(id);
        Ok(())
    }

    /// Deletes an element; nothing happens if it was deleted before.
    ///
    /// A body takes along what is in it, and what refers to that: pairs, excludes, constraints,
    /// tendons, actuators and sensors. What refers to another kind of element by name stays, and
    /// compiling reports it.
    ///
    /// # Errors
    /// The world cannot be deleted, nor a frame with something in it.
    pub fn delete<T: Element>(&mut self, id: Id<T>) -> Result<(), Error> {
        if T::list(self).get(id).is_none() {
            return Ok(());
        }
        T::delete_from(self, id)
    }

    /// Deletes a body with what is in it and what refers to that.
    pub(super) fn delete_body(&mut self, body: Id<Body>) -> Result<(), Error> {
        if body == Body::WORLD {
            return Err(Error::new("the world cannot be deleted"));
        }
        let old = Known::new(self);
        self.remove_body(body);
        self.remove_unresolved(&old);
        Ok(())
    }

    /// Deletes a frame that nothing is in.
    pub(super) fn delete_frame(&mut self, frame: Id<Frame>) -> Result<(), Error> {
        let Some(body) = self[frame].parent else { return Ok(()) };
        let mut used = false;
        macro_rules! look {
            ($($T:ident $list:ident $one:tt $class:tt $word:literal $home:ident $model:tt)*) => {
                $(look_in!($T $home);)*
            };
        }
        macro_rules! look_in {
            ($T:ident body) => { look_in!($T tree) };
            ($T:ident frame) => { look_in!($T tree) };
            ($T:ident tree) => {
                used |= self.in_body::<$T>(&self[body]).any(|x| x.frame == Some(frame))
            };
            ($T:ident $home:ident) => {};
        }
        elements!(look);
        if used {
            let message = format!("the frame '{}' has elements in it", self[frame].name);
            return Err(Error::new(message));
        }
        if let Some(body) = self.bodies.peek_mut(body) {
            body.frames.retain(|&other| other != frame);
        }
        self.frames.remove(frame);
        Ok(())
    }

    /// Puts an element of a body into a frame of the same body, or into none.
    ///
    /// # Errors
    /// The frame must be in the same body, and not inside the element.
    pub fn set_frame<T: InBody>(
        &mut self,
        id: Id<T>,
        frame: Option<Id<Frame>>,
    ) -> Result<(), Error> {
        if let Some(frame) = frame {
            let other = self.get(frame).is_none_or(|frame| frame.parent != self[id].parent);
            if other {
                return Err(Error::new("an element and its frame must be in the same body"));
            }
            let own = self[id].info().clone();
            let inside = |around: Id<Frame>| std::ptr::eq(self[around].info(), self[id].info());
            if T::KIND == ObjType::Frame && self.frames_around(Some(frame)).any(inside) {
                let message = format!("the frame '{}' cannot be inside itself", own.name);
                return Err(Error::new(message));
            }
        }
        if let Some(element) = self.peek_mut(id) {
            element.frame = frame;
        }
        Ok(())
    }

    /// Turns a body into a frame of its parent: what is in the body goes into the parent, and
    /// stays where it is. What refers to the body goes.
    ///
    /// # Errors
    /// The world is no part of another body, and mass that was given has no place in a frame.
    pub fn to_frame(&mut self, body: Id<Body>) -> Result<Id<Frame>, Error> {
        let Some(parent) = self[body].parent else {
            return Err(Error::new("the world cannot become a frame"));
        };
        if self[body].inertial.is_some() && parent != Body::WORLD {
            let message = "a body with an inertial element cannot become a frame";
            return Err(Error::new(message));
        }
        let old = Known::new(self);
        let own = self[body].without_contents();
        let mut frame = Frame { pos: own.pos, orientation: own.orientation, ..Frame::default() };
        frame.info = own.info.clone();
        let frame = self.add_to(parent, frame);
        macro_rules! move_all {
            ($($T:ident $list:ident $one:tt $class:tt $word:literal $home:ident $model:tt)*) => {
                $(move_list!($list $home);)*
            };
        }
        macro_rules! move_list {
            ($list:ident body) => { move_list!($list tree) };
            ($list:ident frame) => { move_list!($list tree) };
            ($list:ident tree) => {
                for id in std::mem::take(&mut self[body].$list) {
                    let element = &mut self[id];
                    element.parent = Some(parent);
                    element.frame = element.frame.or(Some(frame));
                    self[parent].$list.push(id);
                }
            };
            ($list:ident $home:ident) => {};
        }
        elements!(move_all);
        self.remove_body(body);
        self.remove_unresolved(&old);
        Ok(frame)
    }

    /// Adds a frame at a site, in the same body: the place that other models are attached to.
    pub fn add_frame_at(&mut self, site: Id<Site>) -> Id<Frame> {
        let own = &self[site];
        let (body, around) = (own.parent.unwrap_or(Body::WORLD), own.frame);
        let (pos, orientation) = (own.pos, own.orientation);
        let compiler = own.compiler;
        let mut frame = Frame { pos, orientation, ..Frame::default() };
        (frame.frame, frame.compiler) = (around, compiler);
        self.add_to(body, frame)
    }

    /// Attaches another model, or a body of it: its elements become part of this model, with all
    /// that refers to them, their default classes and their compiler settings. Returns the handles
    /// that the elements have here.
    ///
    /// # Errors
    /// Names must stay unique; nothing changes if they do not.
    ///
    /// ```
    /// use sim_mjcf::Spec;
    /// use sim_mjcf::spec::{Attachment, Body};
    ///
    /// let hand = Spec::from_str(
    ///     "<mujoco><worldbody><body name='palm'><geom size='.1'/></body></worldbody></mujoco>",
    /// )?;
    /// let palm = hand.body("palm").unwrap();
    ///
    /// let mut robot = Spec::default();
    /// let arm = robot.add_body(Body::WORLD);
    /// let frame = robot.add_frame(arm);
    /// let handles = robot.attach(&hand, None, Attachment { frame, prefix: "left_", suffix: "" })?;
    ///
    /// let palm = handles.get(palm).unwrap();
    /// assert_eq!(robot[palm].name, "left_palm");
    /// assert_eq!(robot.compile()?.model.nbody, 3);
    /// # Ok::<(), sim_mjcf::Error>(())
    /// ```
    pub fn attach(
        &mut self,
        model: &Spec,
        body: Option<Id<Body>>,
        to: Attachment<'_>,
    ) -> Result<Copies, Error> {
        let Some(into) = self.get(to.frame).and_then(|frame| frame.parent) else {
            return Err(Error::new("the frame to attach to was deleted"));
        };
        let part = body.map_or(Part::All, Part::Body);
        self.attach_part(model, part, into, Some(to.frame), (to.prefix, to.suffix))
    }

    /// Attaches a frame of another model to a body, with what is in the frame: as [`attach`], which
    /// takes a body or all of a model, and puts it into a frame that is there.
    ///
    /// # Errors
    /// Names must stay unique; nothing changes if they do not.
    ///
    /// [`attach`]: Spec::attach
    ///
    /// ```
    /// use sim_mjcf::Spec;
    /// use sim_mjcf::spec::Body;
    ///
    /// let tools = Spec::from_str(
    ///     "<mujoco><worldbody>
    ///        <frame name='rack' pos='0 0 1'><body name='drill'><geom size='.1'/></body></frame>
    ///        <body name='bench'><geom size='1'/></body>
    ///      </worldbody></mujoco>",
    /// )?;
    /// let rack = tools.frame("rack").unwrap();
    ///
    /// let mut robot = Spec::default();
    /// let handles = robot.attach_frame(&tools, rack, Body::WORLD, ("left_", ""))?;
    ///
    /// let rack = handles.get(rack).unwrap();
    /// assert_eq!(robot[rack].name, "left_rack");
    /// // the bench stays where it was
    /// assert_eq!(robot.compile()?.model.nbody, 2);
    /// # Ok::<(), sim_mjcf::Error>(())
    /// ```
    pub fn attach_frame(
        &mut self,
        model: &Spec,
        frame: Id<Frame>,
        body: Id<Body>,
        affix: (&str, &str),
    ) -> Result<Copies, Error> {
        if self.get(body).is_none() {
            return Err(Error::new("the body to attach to was deleted"));
        }
        self.attach_part(model, Part::Frame(frame), body, None, affix)
    }

    /// Attaches a part of another model, or nothing if names would not stay unique.
    fn attach_part(
        &mut self,
        model: &Spec,
        part: Part,
        into: Id<Body>,
        frame: Option<Id<Frame>>,
        (prefix, suffix): (&str, &str),
    ) -> Result<Copies, Error> {
        let gone = match part {
            Part::All => false,
            Part::Body(body) => model.get(body).is_none(),
            Part::Frame(frame) => model.get(frame).is_none(),
        };
        if gone {
            return Err(Error::new("what is to be attached was deleted"));
        }
        let affix = Affix { prefix, suffix };
        let before = self.extent();
        let attached = self.attach_elements(model, part, into, frame, affix, self.src)?;
        // a search among all names is for the message: with the index, attaching takes no longer the
        // larger the model has become
        if self.may_share_names()
            && let Err(error) = crate::compile::check_unique(self)
        {
            self.shrink(&before, into);
            return Err(error);
        }
        self.attach_keys(model, affix, &attached);
        Ok(attached.copies)
    }

    /// The orientation as a quaternion, given the compiler settings of an element.
    pub fn resolve_orientation(
        orientation: &Orientation,
        compiler: &Compiler,
    ) -> Result<sim_core::math::Quat, Error> {
        orientation.resolve(compiler, Pos::default())
    }
}

#[cfg(test)]
mod tests {
    use sim_core::math::Vec3;

    use super::*;

    fn chain(count: usize) -> (Spec, Vec<Id<Body>>) {
        let mut spec = Spec::default();
        let mut bodies = vec![Body::WORLD];
        for i in 0..count {
            let body = spec.add_body(bodies[i]);
            spec.set_name(body, format!("b{i}"));
            let geom = spec.add_geom(body);
            spec[geom].size = Vec3::new(0.1, 0.0, 0.0);
            let joint = spec.add_joint(body);
            spec.set_name(joint, format!("j{i}"));
            bodies.push(body);
        }
        (spec, bodies)
    }

    #[test]
    fn a_body_takes_along_what_is_in_it_and_what_refers_to_that() {
        let (mut spec, bodies) = chain(4);
        for i in 0..4 {
            let actuator = spec.add_actuator();
            spec[actuator].trntype = sim_core::model::TrnType::Joint;
            spec[actuator].target = format!("j{i}");
        }
        spec.delete(bodies[3]).unwrap();
        assert_eq!((spec.bodies.len(), spec.geoms.len(), spec.actuators.len()), (3, 2, 2));
        assert!(spec.get(bodies[4]).is_none() && spec.get(bodies[2]).is_some());
        assert_eq!((spec.body("b2"), spec.body("b1")), (None, Some(bodies[2])));
        assert_eq!(spec.compile().unwrap().model.nu, 2);
        assert!(spec.delete(bodies[3]).is_ok());
        assert!(spec.delete(Body::WORLD).is_err());
    }

    #[test]
    fn ids_of_the_model_are_in_depth_first_order_whatever_was_added_first() {
        let mut spec = Spec::default();
        let [a, b] = [spec.add_body(Body::WORLD), spec.add_body(Body::WORLD)];
        let c = spec.add_body(a);
        for (body, name) in [(a, "a"), (b, "b"), (c, "c")] {
            spec.set_name(body, name);
        }
        let model = spec.compile().unwrap().model;
        let names: Vec<_> = (0..4).filter_map(|id| model.name(ObjType::Body, id)).collect();
        assert_eq!(names, ["world", "a", "c", "b"]);
    }

    #[test]
    fn adding_and_finding_take_constant_time() {
        // quadratic time would take minutes
        let count = 100_000;
        let mut spec = Spec::default();
        for i in 0..count {
            let body = spec.add_body(Body::WORLD);
            spec.set_name(body, format!("b{i}"));
            assert_eq!(spec.body(&format!("b{}", i / 2)), Some(spec.bodies.ids()[1 + i / 2]));
            assert_eq!(spec.body(&format!("b{}", i + 1)), None);
        }
        assert_eq!(spec.tree().len(), count + 1);
    }

    #[test]
    fn names_are_found_quickly_after_deleting_renaming_and_framing() {
        // quadratic time would take minutes
        let count = 50_000;
        let mut spec = Spec::default();
        let frame = spec.add_frame(Body::WORLD);
        let gone = spec.add_geom(Body::WORLD);
        spec.set_name(gone, "gone");
        assert_eq!(spec.geom("gone"), Some(gone));
        spec.delete(gone).unwrap();
        let gone = spec.add_body(Body::WORLD);
        assert_eq!(spec.body("none"), None);
        spec.delete(gone).unwrap();
        for i in 0..count {
            let body = spec.add_body(Body::WORLD);
            spec.set_name(body, format!("c{i}"));
            assert_eq!(spec.body(&format!("d{i}")), None);
            let geom = spec.add_geom(Body::WORLD);
            spec.set_name(geom, format!("a{i}"));
            spec.set_frame(geom, Some(frame)).unwrap();
            assert_eq!(spec.geom(&format!("b{i}")), None);
            spec.set_name(geom, format!("b{i}"));
            assert_eq!((spec.geom(&format!("b{i}")), spec.geom("gone")), (Some(geom), None));
        }
    }

    #[test]
    fn a_body_that_becomes_a_frame_leaves_its_contents_where_they_are() {
        let (mut spec, bodies) = chain(2);
        spec[bodies[1]].pos = Vec3::X;
        spec[bodies[2]].pos = Vec3::Y;
        spec.joints.ids().to_vec().into_iter().for_each(|joint| spec.delete(joint).unwrap());
        let before = spec.compile().unwrap().model;
        spec.to_frame(bodies[1]).unwrap();
        let after = spec.compile().unwrap().model;
        assert_eq!((before.nbody, after.nbody), (3, 2));
        assert_eq!(after.geom_pos[0], Vec3::X);
        assert_eq!(after.body_pos[1], Vec3::new(1.0, 1.0, 0.0));
        assert!(spec.to_frame(Body::WORLD).is_err());
    }

    #[test]
    fn a_class_gives_its_values_to_what_is_added_and_goes_without_taking_them() {
        let mut spec = Spec::default();
        let big = spec.add_class("big", Class::MAIN).unwrap();
        assert_eq!(spec.add_class("big", Class::MAIN), None);
        spec.classes[big].geom.size = Vec3::new(3.0, 0.0, 0.0);
        let geom: Id<Geom> = spec.add_in(Body::WORLD, Some(big));
        assert_eq!((spec[geom].size.x, spec[geom].class), (3.0, big));
        spec.delete_class(big).unwrap();
        assert_eq!((spec[geom].size.x, spec[geom].class), (3.0, Class::MAIN));
        assert!(spec.delete_class(Class::MAIN).is_err());
    }

    #[test]
    fn a_frame_comes_with_what_is_in_it_and_with_its_part_of_keyframes() {
        let other = Spec::from_str(
            "<mujoco>
               <default><default class='red'><geom rgba='1 0 0 1'/></default></default>
               <worldbody>
                 <body name='before'><joint name='j0'/><geom size='.1'/></body>
                 <frame name='outer' pos='9 9 9'>
                   <frame name='f' pos='1 2 3'>
                     <body name='b'><joint name='j1'/><geom size='.1' class='red'/></body>
                     <frame name='inner'><geom name='g' size='.2'/></frame>
                   </frame>
                   <site name='out'/>
                 </frame>
                 <body name='after'><joint name='j2'/><geom size='.1'/></body>
               </worldbody>
               <actuator><motor joint='j0'/><motor joint='j1'/><motor joint='j2'/></actuator>
               <keyframe><key name='k' qpos='.1 .2 .3' ctrl='4 5 6'/></keyframe>
             </mujoco>",
        )
        .unwrap();
        let frame = other.frame("f").unwrap();
        let (mut spec, bodies) = chain(1);
        assert!(spec.attach_frame(&other, frame, bodies[1], ("", "")).is_ok());
        assert!(spec.attach_frame(&other, frame, bodies[1], ("", "")).is_err());
        let copies = spec.attach_frame(&other, frame, bodies[1], ("x-", "-y")).unwrap();
        let copy = copies.get(frame).unwrap();
        assert_eq!((&*spec[copy].name, spec[copy].parent), ("x-f-y", Some(bodies[1])));
        assert_eq!((spec[copy].frame, spec.site("x-out-y")), (None, None));
        assert!(spec.body("x-after-y").is_none() && spec.frame("x-outer-y").is_none());
        let model = spec.compile().unwrap().model;
        // the motor of `j0` finds a joint of that name here when nothing is added to it
        assert_eq!((model.nbody, model.nu, model.nkey), (4, 3, 2));
        let body = model.id(ObjType::Body, "x-b-y").unwrap();
        assert_eq!(model.body_pos[body], Vec3::new(1.0, 2.0, 3.0));
        // the first joint was there before, the second came with the first copy
        assert_eq!(model.key_qpos, [0.0, 0.2, 0.0, 0.0, 0.0, 0.2]);
        assert_eq!(model.key_ctrl, [4.0, 5.0, 0.0, 0.0, 0.0, 5.0]);
        let geom = model.id(ObjType::Geom, "x-g-y").unwrap();
        assert_eq!(model.geom_bodyid[geom], 1);
    }

    #[test]
    fn keyframes_keep_their_numbers_when_something_comes_between() {
        let mut spec = Spec::from_str(
            "<mujoco><worldbody>
               <body name='a'><joint/><geom size='.1'/></body>
               <body name='b'><joint/><geom size='.1'/></body>
             </worldbody><keyframe><key qpos='1 2'/></keyframe></mujoco>",
        )
        .unwrap();
        let (child, _) = chain(1);
        let frame = spec.add_frame(spec.body("a").unwrap());
        spec.attach(&child, None, Attachment { frame, prefix: "x", suffix: "" }).unwrap();
        let model = spec.compile().unwrap().model;
        assert_eq!(model.key_qpos, [1.0, 0.0, 2.0]);
    }

    #[test]
    fn attaching_takes_no_longer_the_larger_the_model_has_become() {
        // quadratic time would take minutes
        let mut spec = Spec::default();
        let (mut child, _) = chain(5);
        for i in 0..5 {
            let actuator = child.add_actuator();
            child[actuator].trntype = sim_core::model::TrnType::Joint;
            child[actuator].target = format!("j{i}");
        }
        for i in 0..10_000 {
            let frame = spec.add_frame(Body::WORLD);
            let prefix = format!("r{i}_");
            spec.attach(&child, None, Attachment { frame, prefix: &prefix, suffix: "" }).unwrap();
        }
        assert_eq!((spec.bodies.len(), spec.actuators.len()), (50_001, 50_000));
    }

    #[test]
    fn what_cannot_be_attached_leaves_no_trace() {
        let other = Spec::from_str(
            "<mujoco><compiler angle='radian'/>
               <default><geom size='.3'/><default class='red'><geom rgba='1 0 0 1'/></default></default>
               <asset><material name='m'/></asset>
               <worldbody>
                 <frame name='f'><body name='b'><joint name='j'/><geom size='.1' class='red'/></body></frame>
                 <site name='s'/><geom name='g'/>
               </worldbody>
               <actuator><motor name='a' joint='j'/></actuator><custom><text name='t' data='x'/></custom>
               <sensor><jointpos name='p' joint='j'/></sensor>
               <keyframe><key name='k' qpos='1'/></keyframe>
             </mujoco>",
        )
        .unwrap();
        // clashes early, late, and outside of the tree
        for part in [
            "<worldbody><body name='b'/></worldbody>",
            "<worldbody><site name='s'/></worldbody>",
            "<custom><text name='t' data='y'/></custom>",
            "<asset><material name='m'/></asset>",
        ] {
            let mut spec = Spec::from_str(&format!(
                "<mujoco><worldbody><body name='own'><joint/><geom size='1'/></body></worldbody>
                 <keyframe><key qpos='2'/></keyframe>{part}</mujoco>"
            ))
            .unwrap();
            let frame = spec.add_frame(Body::WORLD);
            let before = format!("{spec:?}");
            let to = |prefix| Attachment { frame, prefix, suffix: "" };
            assert!(spec.attach(&other, None, to("")).is_err());
            assert_eq!(format!("{spec:?}"), before);
            assert!(spec.attach(&other, None, to("x")).is_ok());
            assert_eq!(spec.compile().unwrap().model.nkey, 2);
        }
    }

    #[test]
    fn a_keyframe_of_the_wrong_size_leaves_no_trace() {
        let (mut child, _) = chain(2);
        let key = child.add_key();
        child[key].qpos = vec![1.0; 7];
        let (mut spec, _) = chain(1);
        let frame = spec.add_frame(Body::WORLD);
        let before = format!("{spec:?}");
        let to = Attachment { frame, prefix: "x", suffix: "" };
        assert!(spec.attach(&child, None, to).is_err());
        assert_eq!(format!("{spec:?}"), before);
    }

    #[test]
    fn names_that_clash_are_not_attached() {
        let (mut spec, _) = chain(1);
        let (child, _) = chain(1);
        let frame = spec.add_frame(Body::WORLD);
        let to = |prefix| Attachment { frame, prefix, suffix: "" };
        assert!(spec.attach(&child, None, to("")).is_err());
        // nor what was deleted
        let (mut other, others) = chain(2);
        other.delete(others[2]).unwrap();
        assert!(spec.attach(&other, Some(others[2]), to("y")).is_err());
        assert_eq!(spec.bodies.len(), 2);
        spec.attach(&child, None, to("x")).unwrap();
        assert_eq!(spec.compile().unwrap().model.nbody, 3);
    }
}
