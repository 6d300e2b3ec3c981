use std::fmt;

/// Why a derivative cannot be computed.
#[derive(Debug, Clone, PartialEq)]
pub enum DerivativeError {
    /// The step of the differences is not a positive number.
    Step(f64),
    /// The Runge-Kutta integrator has no finite differences, as in the reference.
    RungeKutta,
    /// Actuators or sensors with delays.
    Delays,
    /// The no-slip solver leaves forces that are no optimum.
    NoSlip,
    /// The model has no such parameter.
    NoParameter(String),
    /// The model has something else that has no derivative here.
    Unsupported(String),
}

impl fmt::Display for DerivativeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DerivativeError::Step(eps) => write!(f, "eps should be finite and positive, got {eps}"),
            DerivativeError::RungeKutta => f.write_str("RK4 integrator is not supported"),
            DerivativeError::Delays => f.write_str("delays are not supported"),
            DerivativeError::NoSlip => f.write_str("noslip solver is not supported"),
            DerivativeError::NoParameter(name) => write!(f, "there is no parameter {name}"),
            DerivativeError::Unsupported(what) => {
                write!(f, "{what} has no exact derivative; transition_fd differentiates it")
            }
        }
    }
}

impl std::error::Error for DerivativeError {}
