//! Enums with MuJoCo's numbers.

impl JointType {
    /// Number of position coordinates.
    pub fn coordinates(self) -> usize {
        match self {
            JointType::Free => 7,
            JointType::Ball => 4,
            JointType::Slide | JointType::Hinge => 1,
        }
    }

    /// Number of degrees of freedom.
    pub fn dofs(self) -> usize {
        match self {
            JointType::Free => 6,
            JointType::Ball => 3,
            JointType::Slide | JointType::Hinge => 1,
        }
    }
}

impl SensorType {
    /// Kind of values; those of user sensors are up to the model.
    pub fn data_type(self) -> DataType {
        use SensorType::*;
        match self {
            Touch | InsideSite => DataType::Positive,
            FrameXAxis | FrameYAxis | FrameZAxis | GeomNormal => DataType::Axis,
            BallQuat | FrameQuat => DataType::Quaternion,
            _ => DataType::Real,
        }
    }

    /// Stage in which the sensor is computed; that of user sensors is up to the model.
    pub fn stage(self) -> Stage {
        use SensorType::*;
        match self {
            Touch | Accelerometer | Force | Torque | ActuatorFrc | JointActFrc | TendonActFrc
            | JointLimitFrc | TendonLimitFrc | FrameLinAcc | FrameAngAcc | Contact | Tactile => {
                Stage::Acc
            }
            Velocimeter | Gyro | JointVel | TendonVel | ActuatorVel | BallAngVel
            | JointLimitVel | TendonLimitVel | FrameLinVel | FrameAngVel | SubtreeLinVel
            | SubtreeAngMom => Stage::Vel,
            _ => Stage::Pos,
        }
    }
}

/// One enum as the Python package shows it: its name, its doc, and names and values of members.
#[derive(Debug, Clone, Copy)]
pub struct EnumInfo {
    /// Name in MuJoCo, such as `mjtJoint`.
    pub name: &'static str,
    /// Meaning.
    pub doc: &'static str,
    /// Members: name in MuJoCo, value.
    pub members: &'static [(&'static str, i32)],
}

macro_rules! enums {
    ($(
        $(#[doc = $doc:literal])+
        $Name:ident = $mjt:literal { $( $Variant:ident = $value:literal $name:literal, )* }
    )*) => {
        $(
            $(#[doc = $doc])+
            #[doc = concat!("\n\nMuJoCo: `", $mjt, "`.")]
            #[doc(alias = $mjt)]
            #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
            #[repr(i32)]
            #[allow(missing_docs)]
            pub enum $Name { $( $Variant = $value, )* }

            impl $Name {
                /// The member with the number `value`.
                #[inline]
                pub fn from_i32(value: i32) -> Option<$Name> {
                    match value {
                        $( $value => Some($Name::$Variant), )*
                        _ => None,
                    }
                }
            }
        )*

        /// All enums, for whoever shows them under MuJoCo's names.
        pub const ENUMS: &[EnumInfo] = &[
            $( EnumInfo {
                name: $mjt,
                doc: concat!($($doc),+),
                members: &[$( ($name, $value) ),*],
            }, )*
        ];
    };
}

pub(crate) use enums;

enums! {
    /// Parts of the physics that can be switched off.
    Disable = "mjtDisableBit" {
        Constraint = 1 "mjDSBL_CONSTRAINT",
        Equality = 2 "mjDSBL_EQUALITY",
        FrictionLoss = 4 "mjDSBL_FRICTIONLOSS",
        Limit = 8 "mjDSBL_LIMIT",
        Contact = 16 "mjDSBL_CONTACT",
        Spring = 32 "mjDSBL_SPRING",
        Damper = 64 "mjDSBL_DAMPER",
        Gravity = 128 "mjDSBL_GRAVITY",
        ClampCtrl = 256 "mjDSBL_CLAMPCTRL",
        WarmStart = 512 "mjDSBL_WARMSTART",
        FilterParent = 1024 "mjDSBL_FILTERPARENT",
        Actuation = 2048 "mjDSBL_ACTUATION",
        RefSafe = 4096 "mjDSBL_REFSAFE",
        Sensor = 8192 "mjDSBL_SENSOR",
        MidPhase = 16384 "mjDSBL_MIDPHASE",
        EulerDamp = 32768 "mjDSBL_EULERDAMP",
        AutoReset = 65536 "mjDSBL_AUTORESET",
        NativeCcd = 131072 "mjDSBL_NATIVECCD",
        Island = 262144 "mjDSBL_ISLAND",
    }

    /// Optional parts of the physics.
    Enable = "mjtEnableBit" {
        Override = 1 "mjENBL_OVERRIDE",
        Energy = 2 "mjENBL_ENERGY",
        FwdInv = 4 "mjENBL_FWDINV",
        InvDiscrete = 8 "mjENBL_INVDISCRETE",
        MultiCcd = 16 "mjENBL_MULTICCD",
        Sleep = 32 "mjENBL_SLEEP",
    }

    /// Kind of joint.
    JointType = "mjtJoint" {
        Free = 0 "mjJNT_FREE",
        Ball = 1 "mjJNT_BALL",
        Slide = 2 "mjJNT_SLIDE",
        Hinge = 3 "mjJNT_HINGE",
    }

    /// Shape of a geom or site.
    GeomType = "mjtGeom" {
        Plane = 0 "mjGEOM_PLANE",
        Hfield = 1 "mjGEOM_HFIELD",
        Sphere = 2 "mjGEOM_SPHERE",
        Capsule = 3 "mjGEOM_CAPSULE",
        Ellipsoid = 4 "mjGEOM_ELLIPSOID",
        Cylinder = 5 "mjGEOM_CYLINDER",
        Box = 6 "mjGEOM_BOX",
        Mesh = 7 "mjGEOM_MESH",
        Sdf = 8 "mjGEOM_SDF",
        Arrow = 100 "mjGEOM_ARROW",
        Arrow1 = 101 "mjGEOM_ARROW1",
        Arrow2 = 102 "mjGEOM_ARROW2",
        Line = 103 "mjGEOM_LINE",
        LineBox = 104 "mjGEOM_LINEBOX",
        Flex = 105 "mjGEOM_FLEX",
        Skin = 106 "mjGEOM_SKIN",
        Label = 107 "mjGEOM_LABEL",
        Triangle = 108 "mjGEOM_TRIANGLE",
        None = 1001 "mjGEOM_NONE",
    }

    /// Projection of a camera.
    Projection = "mjtProjection" {
        Perspective = 0 "mjPROJ_PERSPECTIVE",
        Orthographic = 1 "mjPROJ_ORTHOGRAPHIC",
    }

    /// How a camera or light follows bodies.
    CamLightMode = "mjtCamLight" {
        Fixed = 0 "mjCAMLIGHT_FIXED",
        Track = 1 "mjCAMLIGHT_TRACK",
        TrackCom = 2 "mjCAMLIGHT_TRACKCOM",
        TargetBody = 3 "mjCAMLIGHT_TARGETBODY",
        TargetBodyCom = 4 "mjCAMLIGHT_TARGETBODYCOM",
    }

    /// Kind of light.
    LightType = "mjtLightType" {
        Spot = 0 "mjLIGHT_SPOT",
        Directional = 1 "mjLIGHT_DIRECTIONAL",
        Point = 2 "mjLIGHT_POINT",
        Image = 3 "mjLIGHT_IMAGE",
    }

    /// Kind of texture.
    TextureType = "mjtTexture" {
        TwoD = 0 "mjTEXTURE_2D",
        Cube = 1 "mjTEXTURE_CUBE",
        Skybox = 2 "mjTEXTURE_SKYBOX",
    }

    /// Role of a texture in a material.
    TextureRole = "mjtTextureRole" {
        User = 0 "mjTEXROLE_USER",
        Rgb = 1 "mjTEXROLE_RGB",
        Occlusion = 2 "mjTEXROLE_OCCLUSION",
        Roughness = 3 "mjTEXROLE_ROUGHNESS",
        Metallic = 4 "mjTEXROLE_METALLIC",
        Normal = 5 "mjTEXROLE_NORMAL",
        Opacity = 6 "mjTEXROLE_OPACITY",
        Emissive = 7 "mjTEXROLE_EMISSIVE",
        Rgba = 8 "mjTEXROLE_RGBA",
        Orm = 9 "mjTEXROLE_ORM",
    }

    /// Colour space of a texture.
    ColorSpace = "mjtColorSpace" {
        Auto = 0 "mjCOLORSPACE_AUTO",
        Linear = 1 "mjCOLORSPACE_LINEAR",
        Srgb = 2 "mjCOLORSPACE_SRGB",
    }

    /// Integration scheme.
    Integrator = "mjtIntegrator" {
        Euler = 0 "mjINT_EULER",
        Rk4 = 1 "mjINT_RK4",
        Implicit = 2 "mjINT_IMPLICIT",
        ImplicitFast = 3 "mjINT_IMPLICITFAST",
        Discrete = 4 "mjINT_DISCRETE",
    }

    /// Shape of the friction cone.
    Cone = "mjtCone" {
        Pyramidal = 0 "mjCONE_PYRAMIDAL",
        Elliptic = 1 "mjCONE_ELLIPTIC",
    }

    /// Storage of the constraint Jacobian.
    Jacobian = "mjtJacobian" {
        Dense = 0 "mjJAC_DENSE",
        Sparse = 1 "mjJAC_SPARSE",
        Auto = 2 "mjJAC_AUTO",
    }

    /// Constraint solver.
    Solver = "mjtSolver" {
        Pgs = 0 "mjSOL_PGS",
        Cg = 1 "mjSOL_CG",
        Newton = 2 "mjSOL_NEWTON",
    }

    /// Kind of equality constraint.
    EqType = "mjtEq" {
        Connect = 0 "mjEQ_CONNECT",
        Weld = 1 "mjEQ_WELD",
        Joint = 2 "mjEQ_JOINT",
        Tendon = 3 "mjEQ_TENDON",
        Flex = 4 "mjEQ_FLEX",
        FlexVert = 5 "mjEQ_FLEXVERT",
        Distance = 6 "mjEQ_DISTANCE",
    }

    /// Kind of tendon path element.
    WrapType = "mjtWrap" {
        None = 0 "mjWRAP_NONE",
        Joint = 1 "mjWRAP_JOINT",
        Pulley = 2 "mjWRAP_PULLEY",
        Site = 3 "mjWRAP_SITE",
        Sphere = 4 "mjWRAP_SPHERE",
        Cylinder = 5 "mjWRAP_CYLINDER",
    }

    /// Kind of actuator transmission.
    TrnType = "mjtTrn" {
        Joint = 0 "mjTRN_JOINT",
        JointInParent = 1 "mjTRN_JOINTINPARENT",
        SliderCrank = 2 "mjTRN_SLIDERCRANK",
        Tendon = 3 "mjTRN_TENDON",
        Site = 4 "mjTRN_SITE",
        Body = 5 "mjTRN_BODY",
        Undefined = 1000 "mjTRN_UNDEFINED",
    }

    /// Activation dynamics of an actuator.
    DynType = "mjtDyn" {
        None = 0 "mjDYN_NONE",
        Integrator = 1 "mjDYN_INTEGRATOR",
        Filter = 2 "mjDYN_FILTER",
        FilterExact = 3 "mjDYN_FILTEREXACT",
        Muscle = 4 "mjDYN_MUSCLE",
        User = 5 "mjDYN_USER",
    }

    /// Gain of an actuator.
    GainType = "mjtGain" {
        Fixed = 0 "mjGAIN_FIXED",
        Affine = 1 "mjGAIN_AFFINE",
        Muscle = 2 "mjGAIN_MUSCLE",
        User = 3 "mjGAIN_USER",
    }

    /// Bias of an actuator.
    BiasType = "mjtBias" {
        None = 0 "mjBIAS_NONE",
        Affine = 1 "mjBIAS_AFFINE",
        Muscle = 2 "mjBIAS_MUSCLE",
        User = 3 "mjBIAS_USER",
    }

    /// Kind of object.
    ObjType = "mjtObj" {
        Unknown = 0 "mjOBJ_UNKNOWN",
        Body = 1 "mjOBJ_BODY",
        XBody = 2 "mjOBJ_XBODY",
        Joint = 3 "mjOBJ_JOINT",
        Dof = 4 "mjOBJ_DOF",
        Geom = 5 "mjOBJ_GEOM",
        Site = 6 "mjOBJ_SITE",
        Camera = 7 "mjOBJ_CAMERA",
        Light = 8 "mjOBJ_LIGHT",
        Flex = 9 "mjOBJ_FLEX",
        Mesh = 10 "mjOBJ_MESH",
        Skin = 11 "mjOBJ_SKIN",
        Hfield = 12 "mjOBJ_HFIELD",
        Texture = 13 "mjOBJ_TEXTURE",
        Material = 14 "mjOBJ_MATERIAL",
        Pair = 15 "mjOBJ_PAIR",
        Exclude = 16 "mjOBJ_EXCLUDE",
        Equality = 17 "mjOBJ_EQUALITY",
        Tendon = 18 "mjOBJ_TENDON",
        Actuator = 19 "mjOBJ_ACTUATOR",
        Sensor = 20 "mjOBJ_SENSOR",
        Numeric = 21 "mjOBJ_NUMERIC",
        Text = 22 "mjOBJ_TEXT",
        Tuple = 23 "mjOBJ_TUPLE",
        Key = 24 "mjOBJ_KEY",
        Plugin = 25 "mjOBJ_PLUGIN",
        Frame = 100 "mjOBJ_FRAME",
        Default = 101 "mjOBJ_DEFAULT",
        Model = 102 "mjOBJ_MODEL",
    }

    /// Kind of sensor.
    SensorType = "mjtSensor" {
        Touch = 0 "mjSENS_TOUCH",
        Accelerometer = 1 "mjSENS_ACCELEROMETER",
        Velocimeter = 2 "mjSENS_VELOCIMETER",
        Gyro = 3 "mjSENS_GYRO",
        Force = 4 "mjSENS_FORCE",
        Torque = 5 "mjSENS_TORQUE",
        Magnetometer = 6 "mjSENS_MAGNETOMETER",
        RangeFinder = 7 "mjSENS_RANGEFINDER",
        CamProjection = 8 "mjSENS_CAMPROJECTION",
        JointPos = 9 "mjSENS_JOINTPOS",
        JointVel = 10 "mjSENS_JOINTVEL",
        TendonPos = 11 "mjSENS_TENDONPOS",
        TendonVel = 12 "mjSENS_TENDONVEL",
        ActuatorPos = 13 "mjSENS_ACTUATORPOS",
        ActuatorVel = 14 "mjSENS_ACTUATORVEL",
        ActuatorFrc = 15 "mjSENS_ACTUATORFRC",
        JointActFrc = 16 "mjSENS_JOINTACTFRC",
        TendonActFrc = 17 "mjSENS_TENDONACTFRC",
        BallQuat = 18 "mjSENS_BALLQUAT",
        BallAngVel = 19 "mjSENS_BALLANGVEL",
        JointLimitPos = 20 "mjSENS_JOINTLIMITPOS",
        JointLimitVel = 21 "mjSENS_JOINTLIMITVEL",
        JointLimitFrc = 22 "mjSENS_JOINTLIMITFRC",
        TendonLimitPos = 23 "mjSENS_TENDONLIMITPOS",
        TendonLimitVel = 24 "mjSENS_TENDONLIMITVEL",
        TendonLimitFrc = 25 "mjSENS_TENDONLIMITFRC",
        FramePos = 26 "mjSENS_FRAMEPOS",
        FrameQuat = 27 "mjSENS_FRAMEQUAT",
        FrameXAxis = 28 "mjSENS_FRAMEXAXIS",
        FrameYAxis = 29 "mjSENS_FRAMEYAXIS",
        FrameZAxis = 30 "mjSENS_FRAMEZAXIS",
        FrameLinVel = 31 "mjSENS_FRAMELINVEL",
        FrameAngVel = 32 "mjSENS_FRAMEANGVEL",
        FrameLinAcc = 33 "mjSENS_FRAMELINACC",
        FrameAngAcc = 34 "mjSENS_FRAMEANGACC",
        SubtreeCom = 35 "mjSENS_SUBTREECOM",
        SubtreeLinVel = 36 "mjSENS_SUBTREELINVEL",
        SubtreeAngMom = 37 "mjSENS_SUBTREEANGMOM",
        InsideSite = 38 "mjSENS_INSIDESITE",
        GeomDist = 39 "mjSENS_GEOMDIST",
        GeomNormal = 40 "mjSENS_GEOMNORMAL",
        GeomFromTo = 41 "mjSENS_GEOMFROMTO",
        Contact = 42 "mjSENS_CONTACT",
        EPotential = 43 "mjSENS_E_POTENTIAL",
        EKinetic = 44 "mjSENS_E_KINETIC",
        Clock = 45 "mjSENS_CLOCK",
        Tactile = 46 "mjSENS_TACTILE",
        Plugin = 47 "mjSENS_PLUGIN",
        User = 48 "mjSENS_USER",
    }

    /// Stage of the computation that a sensor needs.
    Stage = "mjtStage" {
        None = 0 "mjSTAGE_NONE",
        Pos = 1 "mjSTAGE_POS",
        Vel = 2 "mjSTAGE_VEL",
        Acc = 3 "mjSTAGE_ACC",
    }

    /// Kind of sensor output.
    DataType = "mjtDataType" {
        Real = 0 "mjDATATYPE_REAL",
        Positive = 1 "mjDATATYPE_POSITIVE",
        Axis = 2 "mjDATATYPE_AXIS",
        Quaternion = 3 "mjDATATYPE_QUATERNION",
    }

    /// Output of a contact sensor.
    ConDataField = "mjtConDataField" {
        Found = 0 "mjCONDATA_FOUND",
        Force = 1 "mjCONDATA_FORCE",
        Torque = 2 "mjCONDATA_TORQUE",
        Dist = 3 "mjCONDATA_DIST",
        Pos = 4 "mjCONDATA_POS",
        Normal = 5 "mjCONDATA_NORMAL",
        Tangent = 6 "mjCONDATA_TANGENT",
    }

    /// Output of a rangefinder.
    RayDataField = "mjtRayDataField" {
        Dist = 0 "mjRAYDATA_DIST",
        Dir = 1 "mjRAYDATA_DIR",
        Origin = 2 "mjRAYDATA_ORIGIN",
        Point = 3 "mjRAYDATA_POINT",
        Normal = 4 "mjRAYDATA_NORMAL",
        Depth = 5 "mjRAYDATA_DEPTH",
    }

    /// Output of a camera, a bit each.
    CamOut = "mjtCamOutBit" {
        Rgb = 1 "mjCAMOUT_RGB",
        Depth = 2 "mjCAMOUT_DEPTH",
        Dist = 4 "mjCAMOUT_DIST",
        Normal = 8 "mjCAMOUT_NORMAL",
        Seg = 16 "mjCAMOUT_SEG",
    }

    /// Which frame an object shares with its body.
    SameFrame = "mjtSameFrame" {
        None = 0 "mjSAMEFRAME_NONE",
        Body = 1 "mjSAMEFRAME_BODY",
        Inertia = 2 "mjSAMEFRAME_INERTIA",
        BodyRot = 3 "mjSAMEFRAME_BODYROT",
        InertiaRot = 4 "mjSAMEFRAME_INERTIAROT",
    }

    /// When a tree may fall asleep.
    SleepPolicy = "mjtSleepPolicy" {
        Auto = 0 "mjSLEEP_AUTO",
        AutoNever = 1 "mjSLEEP_AUTO_NEVER",
        AutoAllowed = 2 "mjSLEEP_AUTO_ALLOWED",
        Never = 3 "mjSLEEP_NEVER",
        Allowed = 4 "mjSLEEP_ALLOWED",
        Init = 5 "mjSLEEP_INIT",
    }

    /// Which actuators get a length range.
    LengthRangeMode = "mjtLRMode" {
        None = 0 "mjLRMODE_NONE",
        Muscle = 1 "mjLRMODE_MUSCLE",
        MuscleUser = 2 "mjLRMODE_MUSCLEUSER",
        All = 3 "mjLRMODE_ALL",
    }

    /// How a flex finds contacts with itself.
    FlexSelf = "mjtFlexSelf" {
        None = 0 "mjFLEXSELF_NONE",
        Narrow = 1 "mjFLEXSELF_NARROW",
        Bvh = 2 "mjFLEXSELF_BVH",
        Sap = 3 "mjFLEXSELF_SAP",
        Auto = 4 "mjFLEXSELF_AUTO",
    }

    /// Components of the state, a bit each, and their unions.
    State = "mjtState" {
        Time = 1 "mjSTATE_TIME",
        Qpos = 2 "mjSTATE_QPOS",
        Qvel = 4 "mjSTATE_QVEL",
        Act = 8 "mjSTATE_ACT",
        History = 16 "mjSTATE_HISTORY",
        WarmStart = 32 "mjSTATE_WARMSTART",
        Ctrl = 64 "mjSTATE_CTRL",
        QfrcApplied = 128 "mjSTATE_QFRC_APPLIED",
        XfrcApplied = 256 "mjSTATE_XFRC_APPLIED",
        EqActive = 512 "mjSTATE_EQ_ACTIVE",
        MocapPos = 1024 "mjSTATE_MOCAP_POS",
        MocapQuat = 2048 "mjSTATE_MOCAP_QUAT",
        Userdata = 4096 "mjSTATE_USERDATA",
        Plugin = 8192 "mjSTATE_PLUGIN",
        Physics = 30 "mjSTATE_PHYSICS",
        FullPhysics = 8223 "mjSTATE_FULLPHYSICS",
        User = 8128 "mjSTATE_USER",
        Integration = 16383 "mjSTATE_INTEGRATION",
    }

    /// Kind of constraint row.
    ConstraintType = "mjtConstraint" {
        Equality = 0 "mjCNSTR_EQUALITY",
        FrictionDof = 1 "mjCNSTR_FRICTION_DOF",
        FrictionTendon = 2 "mjCNSTR_FRICTION_TENDON",
        LimitJoint = 3 "mjCNSTR_LIMIT_JOINT",
        LimitTendon = 4 "mjCNSTR_LIMIT_TENDON",
        ContactFrictionless = 5 "mjCNSTR_CONTACT_FRICTIONLESS",
        ContactPyramidal = 6 "mjCNSTR_CONTACT_PYRAMIDAL",
        ContactElliptic = 7 "mjCNSTR_CONTACT_ELLIPTIC",
    }

    /// State of a constraint row.
    ConstraintState = "mjtConstraintState" {
        Satisfied = 0 "mjCNSTRSTATE_SATISFIED",
        Quadratic = 1 "mjCNSTRSTATE_QUADRATIC",
        LinearNeg = 2 "mjCNSTRSTATE_LINEARNEG",
        LinearPos = 3 "mjCNSTRSTATE_LINEARPOS",
        Cone = 4 "mjCNSTRSTATE_CONE",
    }

    /// Kind of warning.
    Warning = "mjtWarning" {
        Inertia = 0 "mjWARN_INERTIA",
        ContactFull = 1 "mjWARN_CONTACTFULL",
        CnstrFull = 2 "mjWARN_CNSTRFULL",
        VgeomFull = 3 "mjWARN_VGEOMFULL",
        BadQpos = 4 "mjWARN_BADQPOS",
        BadQvel = 5 "mjWARN_BADQVEL",
        BadQacc = 6 "mjWARN_BADQACC",
        BadCtrl = 7 "mjWARN_BADCTRL",
    }

    /// What a timer measures.
    Timer = "mjtTimer" {
        Step = 0 "mjTIMER_STEP",
        Forward = 1 "mjTIMER_FORWARD",
        Inverse = 2 "mjTIMER_INVERSE",
        Position = 3 "mjTIMER_POSITION",
        Velocity = 4 "mjTIMER_VELOCITY",
        Actuation = 5 "mjTIMER_ACTUATION",
        Constraint = 6 "mjTIMER_CONSTRAINT",
        Advance = 7 "mjTIMER_ADVANCE",
        PosKinematics = 8 "mjTIMER_POS_KINEMATICS",
        PosInertia = 9 "mjTIMER_POS_INERTIA",
        PosCollision = 10 "mjTIMER_POS_COLLISION",
        PosMake = 11 "mjTIMER_POS_MAKE",
        PosProject = 12 "mjTIMER_POS_PROJECT",
        ColBroad = 13 "mjTIMER_COL_BROAD",
        ColNarrow = 14 "mjTIMER_COL_NARROW",
    }

    /// Whether an object sleeps.
    SleepState = "mjtSleepState" {
        Static = -1 "mjS_STATIC",
        Asleep = 0 "mjS_ASLEEP",
        Awake = 1 "mjS_AWAKE",
    }

    /// Where the mass of a geom is.
    GeomInertia = "mjtGeomInertia" {
        Volume = 0 "mjINERTIA_VOLUME",
        Shell = 1 "mjINERTIA_SHELL",
    }

    /// How the inertia of a mesh is computed.
    MeshInertia = "mjtMeshInertia" {
        Convex = 0 "mjMESH_INERTIA_CONVEX",
        Exact = 1 "mjMESH_INERTIA_EXACT",
        Legacy = 2 "mjMESH_INERTIA_LEGACY",
        Shell = 3 "mjMESH_INERTIA_SHELL",
    }

    /// Whether a limit applies.
    Limited = "mjtLimited" {
        False = 0 "mjLIMITED_FALSE",
        True = 1 "mjLIMITED_TRUE",
        Auto = 2 "mjLIMITED_AUTO",
    }

    /// Whether free joints are aligned with the inertial frame.
    AlignFree = "mjtAlignFree" {
        False = 0 "mjALIGNFREE_FALSE",
        True = 1 "mjALIGNFREE_TRUE",
        Auto = 2 "mjALIGNFREE_AUTO",
    }

    /// Whether body inertia is inferred from geoms.
    InertiaFromGeom = "mjtInertiaFromGeom" {
        False = 0 "mjINERTIAFROMGEOM_FALSE",
        True = 1 "mjINERTIAFROMGEOM_TRUE",
        Auto = 2 "mjINERTIAFROMGEOM_AUTO",
    }

    /// How an orientation is specified.
    Orientation = "mjtOrientation" {
        Quat = 0 "mjORIENTATION_QUAT",
        AxisAngle = 1 "mjORIENTATION_AXISANGLE",
        XyAxes = 2 "mjORIENTATION_XYAXES",
        ZAxis = 3 "mjORIENTATION_ZAXIS",
        Euler = 4 "mjORIENTATION_EULER",
    }

}
