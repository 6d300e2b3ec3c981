//! Editing in place: an element together with the model that it is in.

use std::ops::{Deref, DerefMut};

use super::{Body, Camera, Class, Element, Frame, Geom, Id, InBody, Joint, Light, Site, Spec};
use crate::error::Error;
use crate::suggest::advise;

/// An element of a model, to change it and to add to it.
///
/// It dereferences to the element, so that its fields are at hand. Adding to a body gives what was
/// added; [`id`](Cursor::id) keeps a handle for later.
///
/// ```
/// use sim_core::math::Vec3;
/// use sim_core::model::{GeomType, JointType};
/// use sim_mjcf::Spec;
/// use sim_mjcf::spec::Body;
///
/// let mut spec = Spec::default();
/// let mut world = spec.world();
/// let mut torso = world.add_body().named("torso");
/// torso.pos = Vec3::new(0.0, 0.0, 1.0);
/// torso.add_joint().named("root").kind = JointType::Free;
/// torso.add_geom().with(|geom| {
///     geom.kind = GeomType::Capsule;
///     geom.size = Vec3::new(0.1, 0.3, 0.0);
/// });
/// let mut arm = torso.add_body().named("arm");
/// arm.add_geom().size.x = 0.05;
/// arm.add_joint().axis = Vec3::Y;
///
/// spec.edit::<Body>("arm")?.pos = Vec3::new(0.0, 0.2, 0.3);
/// let error = spec.edit::<Body>("amr").unwrap_err();
/// assert_eq!(error.message(), "there is no body 'amr'");
///
/// let model = spec.compile()?.model;
/// assert_eq!((model.nbody, model.nv, model.ngeom), (3, 7, 2));
/// # Ok::<(), sim_mjcf::Error>(())
/// ```
#[derive(Debug)]
pub struct Cursor<'s, T: Element> {
    spec: &'s mut Spec,
    id: Id<T>,
}

impl Spec {
    /// The world, to add to it.
    pub fn world(&mut self) -> Cursor<'_, Body> {
        Cursor { spec: self, id: Body::WORLD }
    }

    /// An element by name, to change it: `spec.edit::<Body>("torso")?`.
    ///
    /// # Errors
    /// There must be one; the error suggests names that are close.
    pub fn edit<T: Element>(&mut self, name: &str) -> Result<Cursor<'_, T>, Error> {
        match self.find::<T>(name) {
            Some(id) => Ok(Cursor { spec: self, id }),
            None => {
                let error = Error::new(format!("there is no {} '{name}'", T::WORD));
                let names = T::list(self).iter().map(|x| x.info().name.as_str());
                let known: Vec<&str> = names.filter(|known| !known.is_empty()).collect();
                Err(advise(error, name, &known, "there is"))
            }
        }
    }

    /// An element by handle, to change it; none if it was deleted.
    pub fn at<T: Element>(&mut self, id: Id<T>) -> Option<Cursor<'_, T>> {
        self.get(id)?;
        Some(Cursor { spec: self, id })
    }
}

impl<'s, T: Element> Cursor<'s, T> {
    /// The handle of the element.
    pub fn id(&self) -> Id<T> {
        self.id
    }

    /// Gives the element a name.
    #[must_use = "the name is given; use `set_name` of the model to change it in place"]
    pub fn named(self, name: impl Into<String>) -> Cursor<'s, T> {
        self.spec.set_name(self.id, name);
        self
    }

    /// Changes several fields at once.
    pub fn with(mut self, change: impl FnOnce(&mut T)) -> Cursor<'s, T> {
        change(&mut self);
        self
    }

    /// The model.
    pub fn spec(&mut self) -> &mut Spec {
        self.spec
    }

    /// Deletes the element; a body takes along what is in it and what refers to that.
    ///
    /// # Errors
    /// The world cannot be deleted, nor a frame with something in it.
    pub fn delete(self) -> Result<(), Error> {
        self.spec.delete(self.id)
    }
}

impl Cursor<'_, Body> {
    /// Adds an element to the body, with the defaults of the class that the body has for them.
    pub fn add<T: InBody>(&mut self) -> Cursor<'_, T> {
        let id = self.spec.add_in(self.id, None);
        Cursor { spec: self.spec, id }
    }

    /// Adds an element to the body, with the defaults of a class.
    pub fn add_of<T: InBody>(&mut self, class: Id<Class>) -> Cursor<'_, T> {
        let id = self.spec.add_in(self.id, Some(class));
        Cursor { spec: self.spec, id }
    }

    /// Adds a body inside the body.
    pub fn add_body(&mut self) -> Cursor<'_, Body> {
        self.add()
    }

    /// Adds a geom to the body.
    pub fn add_geom(&mut self) -> Cursor<'_, Geom> {
        self.add()
    }

    /// Adds a joint to the body.
    pub fn add_joint(&mut self) -> Cursor<'_, Joint> {
        self.add()
    }

    /// Adds a site to the body.
    pub fn add_site(&mut self) -> Cursor<'_, Site> {
        self.add()
    }

    /// Adds a camera to the body.
    pub fn add_camera(&mut self) -> Cursor<'_, Camera> {
        self.add()
    }

    /// Adds a light to the body.
    pub fn add_light(&mut self) -> Cursor<'_, Light> {
        self.add()
    }

    /// Adds a frame to the body.
    pub fn add_frame(&mut self) -> Cursor<'_, Frame> {
        self.add()
    }
}

impl<T: Element> Deref for Cursor<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.spec[self.id]
    }
}

impl<T: Element> DerefMut for Cursor<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.spec[self.id]
    }
}
