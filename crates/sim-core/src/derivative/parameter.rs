//! Numbers of the model that a step is differentiated by.

use super::DerivativeError;
use crate::Model;
use crate::model::{BiasType, Disable, GainType, Integrator, TrnType};

/// A number of the model: an element of one of its fields. The derivative is that of the step with
/// the element edited in place; what compilation derives from it (`body_invweight0`, `actuator_acc0`,
/// …) stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Parameter {
    /// The field.
    pub field: Field,
    /// The object; zero for fields of the options.
    pub id: usize,
    /// The number among those of the object.
    pub index: usize,
}

macro_rules! fields {
    ($($variant:ident $name:literal $count:ident $width:literal $doc:literal,)*) => {
        /// Fields of the model that a step can be differentiated by.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Field {
            $(#[doc = $doc] $variant,)*
        }

        impl Field {
            /// All fields.
            pub const ALL: &[Field] = &[$(Field::$variant,)*];

            /// The name of the field in the model.
            pub fn name(self) -> &'static str {
                match self {
                    $(Field::$variant => $name,)*
                }
            }

            /// How many objects have the field, and how many numbers each.
            pub fn shape(self, model: &Model) -> [usize; 2] {
                match self {
                    $(Field::$variant => [fields!(@count model $count), $width],)*
                }
            }
        }
    };
    (@count $model:ident one) => { 1 };
    (@count $model:ident $count:ident) => { $model.$count };
}

fields! {
    BodyMass "body_mass" nbody 1 "Mass of a body.",
    BodyIpos "body_ipos" nbody 3 "Centre of mass of a body.",
    BodyInertia "body_inertia" nbody 3 "Principal moments of inertia of a body.",
    DofArmature "dof_armature" nv 1 "Armature of a dof.",
    DofDamping "dof_damping" nv 1 "Damping of a dof.",
    DofFrictionloss "dof_frictionloss" nv 1 "Dry friction of a dof.",
    JntStiffness "jnt_stiffness" njnt 1 "Stiffness of a joint.",
    TendonStiffness "tendon_stiffness" ntendon 1 "Stiffness of a tendon.",
    TendonDamping "tendon_damping" ntendon 1 "Damping of a tendon.",
    TendonFrictionloss "tendon_frictionloss" ntendon 1 "Dry friction of a tendon.",
    ActuatorGainprm "actuator_gainprm" nu 10 "Gain of an actuator.",
    ActuatorBiasprm "actuator_biasprm" nu 10 "Bias of an actuator.",
    ActuatorGear "actuator_gear" nu 6 "Gear of an actuator.",
    GeomFriction "geom_friction" ngeom 3 "Friction of a geom.",
    GeomSize "geom_size" ngeom 3 "Size of a geom, in contacts.",
    GeomPos "geom_pos" ngeom 3 "Position of a geom in its body, in contacts.",
    GeomSolref "geom_solref" ngeom 2 "Reference of contacts of a geom.",
    GeomSolimp "geom_solimp" ngeom 5 "Impedance of contacts of a geom.",
    JntSolref "jnt_solref" njnt 2 "Reference of the limit of a joint.",
    JntSolimp "jnt_solimp" njnt 5 "Impedance of the limit of a joint.",
    DofSolref "dof_solref" nv 2 "Reference of the dry friction of a dof.",
    DofSolimp "dof_solimp" nv 5 "Impedance of the dry friction of a dof.",
    EqSolref "eq_solref" neq 2 "Reference of an equality.",
    EqSolimp "eq_solimp" neq 5 "Impedance of an equality.",
    TendonSolrefLim "tendon_solref_lim" ntendon 2 "Reference of the limit of a tendon.",
    TendonSolimpLim "tendon_solimp_lim" ntendon 5 "Impedance of the limit of a tendon.",
    TendonSolrefFri "tendon_solref_fri" ntendon 2 "Reference of the dry friction of a tendon.",
    TendonSolimpFri "tendon_solimp_fri" ntendon 5 "Impedance of the dry friction of a tendon.",
    Gravity "gravity" one 3 "Gravity, of the options.",
    Wind "wind" one 3 "Wind, of the options.",
    Timestep "timestep" one 1 "Time step, of the options.",
}

impl Field {
    /// The field with a name.
    pub fn from_name(name: &str) -> Option<Field> {
        Field::ALL.iter().copied().find(|field| field.name() == name)
    }

    /// All numbers of the field, or only those of one object.
    pub fn parameters(
        self,
        model: &Model,
        id: Option<usize>,
    ) -> impl Iterator<Item = Parameter> + use<> {
        let [count, width] = self.shape(model);
        let ids = id.map_or(0..count, |id| id..id + 1);
        ids.flat_map(move |id| (0..width).map(move |index| Parameter { field: self, id, index }))
    }
}

/// Refuses parameters that are none of the model, or whose effect has no derivative here.
pub(super) fn check(model: &Model, parameters: &[Parameter]) -> Result<(), DerivativeError> {
    let medium = model.opt.density != 0.0 || model.opt.viscosity != 0.0;
    for &Parameter { field, id, index } in parameters {
        let [count, width] = field.shape(model);
        let name = field.name();
        if id >= count || index >= width {
            return Err(DerivativeError::NoParameter(format!("{name}[{id}, {index}]")));
        }
        let refused =
            match field {
                Field::BodyMass | Field::BodyIpos | Field::BodyInertia => {
                    medium.then_some("in a medium")
                }
                Field::GeomSize | Field::GeomPos => {
                    let wraps = (0..model.nwrap).any(|wrap| {
                        use crate::model::WrapType::{Cylinder, Sphere};
                        let kind = model.wrap_type[wrap];
                        (kind == Sphere as i32 || kind == Cylinder as i32)
                            && model.wrap_objid[wrap] as usize == id
                    });
                    let ellipsoid = medium && model.geom_fluid[id][0] > 0.0;
                    (ellipsoid.then_some("in a medium"))
                        .or(wraps.then_some("that a tendon wraps around"))
                }
                Field::ActuatorGainprm => (model.actuator_gaintype[id] == GainType::Muscle as i32)
                    .then_some("of a muscle"),
                Field::ActuatorBiasprm => (model.actuator_biastype[id] == BiasType::Muscle as i32)
                    .then_some("of a muscle"),
                Field::ActuatorGear => {
                    let refsite = model.actuator_trntype[id] == TrnType::Site as i32
                        && model.actuator_trnid[id][1] >= 0;
                    refsite.then_some("of an actuator with a reference site")
                }
                Field::Timestep => {
                    let rk4 = model.opt.integrator == Integrator::Rk4 as i32;
                    rk4.then_some("of the Runge-Kutta integrator")
                }
                _ => None,
            };
        if let Some(how) = refused {
            let what = format!("{name} {how}");
            return Err(DerivativeError::Unsupported(what));
        }
    }
    Ok(())
}

/// Whether any parameter makes an explicit step of Euler's integrator an implicit one.
pub(super) fn any_damping(model: &Model, parameters: &[Parameter]) -> bool {
    !model.disabled(Disable::EulerDamp)
        && !model.disabled(Disable::Damper)
        && parameters.iter().any(|parameter| parameter.field == Field::DofDamping)
}
