use crate::model::Stage;
use crate::{Data, Model};

/// What a user adds to a simulation, given to [`step_with`](crate::step_with) and
/// [`forward_with`](crate::forward_with). Every function does nothing unless it is implemented.
///
/// ```
/// use sim_core::{Callbacks, Data, Model};
///
/// /// Pulls the first joint back to zero.
/// struct Spring;
///
/// impl Callbacks for Spring {
///     fn control(&mut self, _model: &Model, data: &mut Data) {
///         data.ctrl[0] = -10.0 * data.qpos[0];
///     }
/// }
/// ```
pub trait Callbacks {
    /// Sets controls or applied forces, after everything that depends on position and velocity.
    #[doc(alias = "mjcb_control")]
    fn control(&mut self, _model: &Model, _data: &mut Data) {}

    /// Adds to `qfrc_passive`.
    #[doc(alias = "mjcb_passive")]
    fn passive(&mut self, _model: &Model, _data: &mut Data) {}

    /// Fills `sensordata` of user sensors of a stage, which were set to zero.
    #[doc(alias = "mjcb_sensor")]
    fn sensor(&mut self, _model: &Model, _data: &mut Data, _stage: Stage) {}

    /// Rate of change of the activation of an actuator with user dynamics. One with several
    /// activations writes them to `act_dot` itself.
    #[doc(alias = "mjcb_act_dyn")]
    fn act_dyn(&mut self, _model: &Model, _data: &mut Data, _actuator: usize) -> f64 {
        0.0
    }

    /// Gain of an actuator with user gain.
    #[doc(alias = "mjcb_act_gain")]
    fn act_gain(&mut self, _model: &Model, _data: &Data, _actuator: usize) -> f64 {
        1.0
    }

    /// Bias of an actuator with user bias.
    #[doc(alias = "mjcb_act_bias")]
    fn act_bias(&mut self, _model: &Model, _data: &Data, _actuator: usize) -> f64 {
        0.0
    }

    /// The time now, in any unit, for the timers of the data; none: timers stay as they are.
    #[doc(alias = "mjcb_time")]
    fn time(&mut self) -> Option<f64> {
        None
    }

    /// Whether [`contact_filter`](Callbacks::contact_filter) decides which geoms collide.
    fn filters_contacts(&self) -> bool {
        false
    }

    /// Whether two geoms of bodies that may collide do so. Stands for the comparison of
    /// `geom_contype` and `geom_conaffinity`; explicit pairs do not come here.
    #[doc(alias = "mjcb_contactfilter")]
    fn contact_filter(
        &mut self,
        _model: &Model,
        _data: &Data,
        _geom1: usize,
        _geom2: usize,
    ) -> bool {
        true
    }
}

/// No callbacks.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoCallbacks;

impl Callbacks for NoCallbacks {}
