# made by stubs.py from the field tables

import enum
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Generic, Protocol, SupportsIndex, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

__version__: str
built_for: str
engine_version: str
reference_version: str
uncomputed_fields: tuple[str, ...]
"""Fields of models and data that exist but are not computed yet; they are zero."""

_T = TypeVar("_T", bound=np.generic)
_S = TypeVar("_S", covariant=True)

class _Array(Generic[_T]):
    """An array attribute: reading gives a numpy array, setting fills it."""
    def __get__(self, instance: object, owner: type | None = None) -> NDArray[_T]: ...
    def __set__(self, instance: object, value: ArrayLike) -> None: ...

class _RecordList(Protocol[_S]):
    """Records by number, and one array per field across them."""
    def __len__(self) -> int: ...
    def __getitem__(self, index: SupportsIndex) -> _S: ...
    def __getattr__(self, name: str) -> NDArray[Any]: ...

class FatalError(RuntimeError): ...

class UnexpectedError(Exception): ...

HEADERS_DIR: str
PLUGINS_DIR: str
PLUGIN_HANDLES: list[Any]

def install_as_mujoco(children: bool = True) -> None:
    """Makes ``import mujoco`` give this package, in this process and in those that it starts."""

from cortenforge import media as media
from cortenforge.gl_context import GLContext as GLContext
from cortenforge.renderer import Renderer as Renderer, render_batch as render_batch
from cortenforge.render import MjrContext as MjrContext, MjrRect as MjrRect, mjr_addAux as mjr_addAux, mjr_blitAux as mjr_blitAux, mjr_blitBuffer as mjr_blitBuffer, mjr_changeFont as mjr_changeFont, mjr_drawPixels as mjr_drawPixels, mjr_figure as mjr_figure, mjr_findRect as mjr_findRect, mjr_finish as mjr_finish, mjr_getError as mjr_getError, mjr_label as mjr_label, mjr_maxViewport as mjr_maxViewport, mjr_overlay as mjr_overlay, mjr_readPixels as mjr_readPixels, mjr_rectangle as mjr_rectangle, mjr_render as mjr_render, mjr_resizeOffscreen as mjr_resizeOffscreen, mjr_restoreBuffer as mjr_restoreBuffer, mjr_setAux as mjr_setAux, mjr_setBuffer as mjr_setBuffer, mjr_text as mjr_text, mjr_uploadHField as mjr_uploadHField, mjr_uploadMesh as mjr_uploadMesh, mjr_uploadTexture as mjr_uploadTexture
from cortenforge.scene import MjvCamera as MjvCamera, MjvFigure as MjvFigure, MjvGLCamera as MjvGLCamera, MjvGeom as MjvGeom, MjvLight as MjvLight, MjvOption as MjvOption, MjvPerturb as MjvPerturb, MjvScene as MjvScene, mjFRAMESTRING as mjFRAMESTRING, mjLABELSTRING as mjLABELSTRING, mjMAXLIGHT as mjMAXLIGHT, mjMAXLINE as mjMAXLINE, mjMAXLINEPNT as mjMAXLINEPNT, mjMAXOVERLAY as mjMAXOVERLAY, mjMAXPLANEGRID as mjMAXPLANEGRID, mjRNDSTRING as mjRNDSTRING, mjVISSTRING as mjVISSTRING, mjv_addGeoms as mjv_addGeoms, mjv_alignToCamera as mjv_alignToCamera, mjv_applyPerturbForce as mjv_applyPerturbForce, mjv_applyPerturbPose as mjv_applyPerturbPose, mjv_averageCamera as mjv_averageCamera, mjv_cameraFrame as mjv_cameraFrame, mjv_cameraFrustum as mjv_cameraFrustum, mjv_cameraInModel as mjv_cameraInModel, mjv_cameraInRoom as mjv_cameraInRoom, mjv_connector as mjv_connector, mjv_defaultCamera as mjv_defaultCamera, mjv_defaultFigure as mjv_defaultFigure, mjv_defaultFreeCamera as mjv_defaultFreeCamera, mjv_defaultOption as mjv_defaultOption, mjv_defaultPerturb as mjv_defaultPerturb, mjv_frustumHeight as mjv_frustumHeight, mjv_initGeom as mjv_initGeom, mjv_initPerturb as mjv_initPerturb, mjv_makeLights as mjv_makeLights, mjv_model2room as mjv_model2room, mjv_moveCamera as mjv_moveCamera, mjv_moveModel as mjv_moveModel, mjv_movePerturb as mjv_movePerturb, mjv_room2model as mjv_room2model, mjv_select as mjv_select, mjv_updateCamera as mjv_updateCamera, mjv_updateScene as mjv_updateScene, mjv_updateSkin as mjv_updateSkin

mjMAXCONPAIR: int
mjMAXFLEXNODES: int
mjMAXIMP: float
mjMAXLIGHT: int
mjMAXLINE: int
mjMAXLINEPNT: int
mjMAXOVERLAY: int
mjMAXPLANEGRID: int
mjMAXTREEDEPTH: int
mjMAXVAL: float
mjMINAWAKE: int
mjMINIMP: float
mjMINMU: float
mjMINVAL: float
mjNBIAS: int
mjNDYN: int
mjNEQDATA: int
mjNFLUID: int
mjNGAIN: int
mjNGROUP: int
mjNIMP: int
mjNISLAND: int
mjNREF: int
mjNSENS: int
mjNSOLVER: int
mjPI: float
mjVERSION_HEADER: int

mjDISABLESTRING: tuple[str, ...]
mjENABLESTRING: tuple[str, ...]
mjFRAMESTRING: tuple[str, ...]
mjLABELSTRING: tuple[str, ...]
mjRNDSTRING: tuple[tuple[str, str, str], ...]
mjTIMERSTRING: tuple[str, ...]
mjVISSTRING: tuple[tuple[str, str, str], ...]

class mjtDisableBit(enum.IntEnum):
    """Parts of the physics that can be switched off."""
    mjDSBL_CONSTRAINT = 1
    mjDSBL_EQUALITY = 2
    mjDSBL_FRICTIONLOSS = 4
    mjDSBL_LIMIT = 8
    mjDSBL_CONTACT = 16
    mjDSBL_SPRING = 32
    mjDSBL_DAMPER = 64
    mjDSBL_GRAVITY = 128
    mjDSBL_CLAMPCTRL = 256
    mjDSBL_WARMSTART = 512
    mjDSBL_FILTERPARENT = 1024
    mjDSBL_ACTUATION = 2048
    mjDSBL_REFSAFE = 4096
    mjDSBL_SENSOR = 8192
    mjDSBL_MIDPHASE = 16384
    mjDSBL_EULERDAMP = 32768
    mjDSBL_AUTORESET = 65536
    mjDSBL_NATIVECCD = 131072
    mjDSBL_ISLAND = 262144
    mjNDISABLE = 19

class mjtEnableBit(enum.IntEnum):
    """Optional parts of the physics."""
    mjENBL_OVERRIDE = 1
    mjENBL_ENERGY = 2
    mjENBL_FWDINV = 4
    mjENBL_INVDISCRETE = 8
    mjENBL_MULTICCD = 16
    mjENBL_SLEEP = 32
    mjNENABLE = 6

class mjtJoint(enum.IntEnum):
    """Kind of joint."""
    mjJNT_FREE = 0
    mjJNT_BALL = 1
    mjJNT_SLIDE = 2
    mjJNT_HINGE = 3

class mjtGeom(enum.IntEnum):
    """Shape of a geom or site."""
    mjGEOM_PLANE = 0
    mjGEOM_HFIELD = 1
    mjGEOM_SPHERE = 2
    mjGEOM_CAPSULE = 3
    mjGEOM_ELLIPSOID = 4
    mjGEOM_CYLINDER = 5
    mjGEOM_BOX = 6
    mjGEOM_MESH = 7
    mjGEOM_SDF = 8
    mjGEOM_ARROW = 100
    mjGEOM_ARROW1 = 101
    mjGEOM_ARROW2 = 102
    mjGEOM_LINE = 103
    mjGEOM_LINEBOX = 104
    mjGEOM_FLEX = 105
    mjGEOM_SKIN = 106
    mjGEOM_LABEL = 107
    mjGEOM_TRIANGLE = 108
    mjGEOM_NONE = 1001
    mjNGEOMTYPES = 9

class mjtProjection(enum.IntEnum):
    """Projection of a camera."""
    mjPROJ_PERSPECTIVE = 0
    mjPROJ_ORTHOGRAPHIC = 1

class mjtCamLight(enum.IntEnum):
    """How a camera or light follows bodies."""
    mjCAMLIGHT_FIXED = 0
    mjCAMLIGHT_TRACK = 1
    mjCAMLIGHT_TRACKCOM = 2
    mjCAMLIGHT_TARGETBODY = 3
    mjCAMLIGHT_TARGETBODYCOM = 4

class mjtLightType(enum.IntEnum):
    """Kind of light."""
    mjLIGHT_SPOT = 0
    mjLIGHT_DIRECTIONAL = 1
    mjLIGHT_POINT = 2
    mjLIGHT_IMAGE = 3

class mjtTexture(enum.IntEnum):
    """Kind of texture."""
    mjTEXTURE_2D = 0
    mjTEXTURE_CUBE = 1
    mjTEXTURE_SKYBOX = 2

class mjtTextureRole(enum.IntEnum):
    """Role of a texture in a material."""
    mjTEXROLE_USER = 0
    mjTEXROLE_RGB = 1
    mjTEXROLE_OCCLUSION = 2
    mjTEXROLE_ROUGHNESS = 3
    mjTEXROLE_METALLIC = 4
    mjTEXROLE_NORMAL = 5
    mjTEXROLE_OPACITY = 6
    mjTEXROLE_EMISSIVE = 7
    mjTEXROLE_RGBA = 8
    mjTEXROLE_ORM = 9
    mjNTEXROLE = 10

class mjtColorSpace(enum.IntEnum):
    """Colour space of a texture."""
    mjCOLORSPACE_AUTO = 0
    mjCOLORSPACE_LINEAR = 1
    mjCOLORSPACE_SRGB = 2

class mjtIntegrator(enum.IntEnum):
    """Integration scheme."""
    mjINT_EULER = 0
    mjINT_RK4 = 1
    mjINT_IMPLICIT = 2
    mjINT_IMPLICITFAST = 3
    mjINT_DISCRETE = 4

class mjtCone(enum.IntEnum):
    """Shape of the friction cone."""
    mjCONE_PYRAMIDAL = 0
    mjCONE_ELLIPTIC = 1

class mjtJacobian(enum.IntEnum):
    """Storage of the constraint Jacobian."""
    mjJAC_DENSE = 0
    mjJAC_SPARSE = 1
    mjJAC_AUTO = 2

class mjtSolver(enum.IntEnum):
    """Constraint solver."""
    mjSOL_PGS = 0
    mjSOL_CG = 1
    mjSOL_NEWTON = 2

class mjtEq(enum.IntEnum):
    """Kind of equality constraint."""
    mjEQ_CONNECT = 0
    mjEQ_WELD = 1
    mjEQ_JOINT = 2
    mjEQ_TENDON = 3
    mjEQ_FLEX = 4
    mjEQ_FLEXVERT = 5
    mjEQ_DISTANCE = 6

class mjtWrap(enum.IntEnum):
    """Kind of tendon path element."""
    mjWRAP_NONE = 0
    mjWRAP_JOINT = 1
    mjWRAP_PULLEY = 2
    mjWRAP_SITE = 3
    mjWRAP_SPHERE = 4
    mjWRAP_CYLINDER = 5

class mjtTrn(enum.IntEnum):
    """Kind of actuator transmission."""
    mjTRN_JOINT = 0
    mjTRN_JOINTINPARENT = 1
    mjTRN_SLIDERCRANK = 2
    mjTRN_TENDON = 3
    mjTRN_SITE = 4
    mjTRN_BODY = 5
    mjTRN_UNDEFINED = 1000

class mjtDyn(enum.IntEnum):
    """Activation dynamics of an actuator."""
    mjDYN_NONE = 0
    mjDYN_INTEGRATOR = 1
    mjDYN_FILTER = 2
    mjDYN_FILTEREXACT = 3
    mjDYN_MUSCLE = 4
    mjDYN_USER = 5

class mjtGain(enum.IntEnum):
    """Gain of an actuator."""
    mjGAIN_FIXED = 0
    mjGAIN_AFFINE = 1
    mjGAIN_MUSCLE = 2
    mjGAIN_USER = 3

class mjtBias(enum.IntEnum):
    """Bias of an actuator."""
    mjBIAS_NONE = 0
    mjBIAS_AFFINE = 1
    mjBIAS_MUSCLE = 2
    mjBIAS_USER = 3

class mjtObj(enum.IntEnum):
    """Kind of object."""
    mjOBJ_UNKNOWN = 0
    mjOBJ_BODY = 1
    mjOBJ_XBODY = 2
    mjOBJ_JOINT = 3
    mjOBJ_DOF = 4
    mjOBJ_GEOM = 5
    mjOBJ_SITE = 6
    mjOBJ_CAMERA = 7
    mjOBJ_LIGHT = 8
    mjOBJ_FLEX = 9
    mjOBJ_MESH = 10
    mjOBJ_SKIN = 11
    mjOBJ_HFIELD = 12
    mjOBJ_TEXTURE = 13
    mjOBJ_MATERIAL = 14
    mjOBJ_PAIR = 15
    mjOBJ_EXCLUDE = 16
    mjOBJ_EQUALITY = 17
    mjOBJ_TENDON = 18
    mjOBJ_ACTUATOR = 19
    mjOBJ_SENSOR = 20
    mjOBJ_NUMERIC = 21
    mjOBJ_TEXT = 22
    mjOBJ_TUPLE = 23
    mjOBJ_KEY = 24
    mjOBJ_PLUGIN = 25
    mjOBJ_FRAME = 100
    mjOBJ_DEFAULT = 101
    mjOBJ_MODEL = 102
    mjNOBJECT = 26

class mjtSensor(enum.IntEnum):
    """Kind of sensor."""
    mjSENS_TOUCH = 0
    mjSENS_ACCELEROMETER = 1
    mjSENS_VELOCIMETER = 2
    mjSENS_GYRO = 3
    mjSENS_FORCE = 4
    mjSENS_TORQUE = 5
    mjSENS_MAGNETOMETER = 6
    mjSENS_RANGEFINDER = 7
    mjSENS_CAMPROJECTION = 8
    mjSENS_JOINTPOS = 9
    mjSENS_JOINTVEL = 10
    mjSENS_TENDONPOS = 11
    mjSENS_TENDONVEL = 12
    mjSENS_ACTUATORPOS = 13
    mjSENS_ACTUATORVEL = 14
    mjSENS_ACTUATORFRC = 15
    mjSENS_JOINTACTFRC = 16
    mjSENS_TENDONACTFRC = 17
    mjSENS_BALLQUAT = 18
    mjSENS_BALLANGVEL = 19
    mjSENS_JOINTLIMITPOS = 20
    mjSENS_JOINTLIMITVEL = 21
    mjSENS_JOINTLIMITFRC = 22
    mjSENS_TENDONLIMITPOS = 23
    mjSENS_TENDONLIMITVEL = 24
    mjSENS_TENDONLIMITFRC = 25
    mjSENS_FRAMEPOS = 26
    mjSENS_FRAMEQUAT = 27
    mjSENS_FRAMEXAXIS = 28
    mjSENS_FRAMEYAXIS = 29
    mjSENS_FRAMEZAXIS = 30
    mjSENS_FRAMELINVEL = 31
    mjSENS_FRAMEANGVEL = 32
    mjSENS_FRAMELINACC = 33
    mjSENS_FRAMEANGACC = 34
    mjSENS_SUBTREECOM = 35
    mjSENS_SUBTREELINVEL = 36
    mjSENS_SUBTREEANGMOM = 37
    mjSENS_INSIDESITE = 38
    mjSENS_GEOMDIST = 39
    mjSENS_GEOMNORMAL = 40
    mjSENS_GEOMFROMTO = 41
    mjSENS_CONTACT = 42
    mjSENS_E_POTENTIAL = 43
    mjSENS_E_KINETIC = 44
    mjSENS_CLOCK = 45
    mjSENS_TACTILE = 46
    mjSENS_PLUGIN = 47
    mjSENS_USER = 48

class mjtStage(enum.IntEnum):
    """Stage of the computation that a sensor needs."""
    mjSTAGE_NONE = 0
    mjSTAGE_POS = 1
    mjSTAGE_VEL = 2
    mjSTAGE_ACC = 3

class mjtDataType(enum.IntEnum):
    """Kind of sensor output."""
    mjDATATYPE_REAL = 0
    mjDATATYPE_POSITIVE = 1
    mjDATATYPE_AXIS = 2
    mjDATATYPE_QUATERNION = 3

class mjtConDataField(enum.IntEnum):
    """Output of a contact sensor."""
    mjCONDATA_FOUND = 0
    mjCONDATA_FORCE = 1
    mjCONDATA_TORQUE = 2
    mjCONDATA_DIST = 3
    mjCONDATA_POS = 4
    mjCONDATA_NORMAL = 5
    mjCONDATA_TANGENT = 6
    mjNCONDATA = 7

class mjtRayDataField(enum.IntEnum):
    """Output of a rangefinder."""
    mjRAYDATA_DIST = 0
    mjRAYDATA_DIR = 1
    mjRAYDATA_ORIGIN = 2
    mjRAYDATA_POINT = 3
    mjRAYDATA_NORMAL = 4
    mjRAYDATA_DEPTH = 5
    mjNRAYDATA = 6

class mjtCamOutBit(enum.IntEnum):
    """Output of a camera, a bit each."""
    mjCAMOUT_RGB = 1
    mjCAMOUT_DEPTH = 2
    mjCAMOUT_DIST = 4
    mjCAMOUT_NORMAL = 8
    mjCAMOUT_SEG = 16
    mjNCAMOUT = 5

class mjtSameFrame(enum.IntEnum):
    """Which frame an object shares with its body."""
    mjSAMEFRAME_NONE = 0
    mjSAMEFRAME_BODY = 1
    mjSAMEFRAME_INERTIA = 2
    mjSAMEFRAME_BODYROT = 3
    mjSAMEFRAME_INERTIAROT = 4

class mjtSleepPolicy(enum.IntEnum):
    """When a tree may fall asleep."""
    mjSLEEP_AUTO = 0
    mjSLEEP_AUTO_NEVER = 1
    mjSLEEP_AUTO_ALLOWED = 2
    mjSLEEP_NEVER = 3
    mjSLEEP_ALLOWED = 4
    mjSLEEP_INIT = 5

class mjtLRMode(enum.IntEnum):
    """Which actuators get a length range."""
    mjLRMODE_NONE = 0
    mjLRMODE_MUSCLE = 1
    mjLRMODE_MUSCLEUSER = 2
    mjLRMODE_ALL = 3

class mjtFlexSelf(enum.IntEnum):
    """How a flex finds contacts with itself."""
    mjFLEXSELF_NONE = 0
    mjFLEXSELF_NARROW = 1
    mjFLEXSELF_BVH = 2
    mjFLEXSELF_SAP = 3
    mjFLEXSELF_AUTO = 4

class mjtState(enum.IntEnum):
    """Components of the state, a bit each, and their unions."""
    mjSTATE_TIME = 1
    mjSTATE_QPOS = 2
    mjSTATE_QVEL = 4
    mjSTATE_ACT = 8
    mjSTATE_HISTORY = 16
    mjSTATE_WARMSTART = 32
    mjSTATE_CTRL = 64
    mjSTATE_QFRC_APPLIED = 128
    mjSTATE_XFRC_APPLIED = 256
    mjSTATE_EQ_ACTIVE = 512
    mjSTATE_MOCAP_POS = 1024
    mjSTATE_MOCAP_QUAT = 2048
    mjSTATE_USERDATA = 4096
    mjSTATE_PLUGIN = 8192
    mjSTATE_PHYSICS = 30
    mjSTATE_FULLPHYSICS = 8223
    mjSTATE_USER = 8128
    mjSTATE_INTEGRATION = 16383
    mjNSTATE = 14

class mjtConstraint(enum.IntEnum):
    """Kind of constraint row."""
    mjCNSTR_EQUALITY = 0
    mjCNSTR_FRICTION_DOF = 1
    mjCNSTR_FRICTION_TENDON = 2
    mjCNSTR_LIMIT_JOINT = 3
    mjCNSTR_LIMIT_TENDON = 4
    mjCNSTR_CONTACT_FRICTIONLESS = 5
    mjCNSTR_CONTACT_PYRAMIDAL = 6
    mjCNSTR_CONTACT_ELLIPTIC = 7

class mjtConstraintState(enum.IntEnum):
    """State of a constraint row."""
    mjCNSTRSTATE_SATISFIED = 0
    mjCNSTRSTATE_QUADRATIC = 1
    mjCNSTRSTATE_LINEARNEG = 2
    mjCNSTRSTATE_LINEARPOS = 3
    mjCNSTRSTATE_CONE = 4

class mjtWarning(enum.IntEnum):
    """Kind of warning."""
    mjWARN_INERTIA = 0
    mjWARN_CONTACTFULL = 1
    mjWARN_CNSTRFULL = 2
    mjWARN_VGEOMFULL = 3
    mjWARN_BADQPOS = 4
    mjWARN_BADQVEL = 5
    mjWARN_BADQACC = 6
    mjWARN_BADCTRL = 7
    mjNWARNING = 8

class mjtTimer(enum.IntEnum):
    """What a timer measures."""
    mjTIMER_STEP = 0
    mjTIMER_FORWARD = 1
    mjTIMER_INVERSE = 2
    mjTIMER_POSITION = 3
    mjTIMER_VELOCITY = 4
    mjTIMER_ACTUATION = 5
    mjTIMER_CONSTRAINT = 6
    mjTIMER_ADVANCE = 7
    mjTIMER_POS_KINEMATICS = 8
    mjTIMER_POS_INERTIA = 9
    mjTIMER_POS_COLLISION = 10
    mjTIMER_POS_MAKE = 11
    mjTIMER_POS_PROJECT = 12
    mjTIMER_COL_BROAD = 13
    mjTIMER_COL_NARROW = 14
    mjNTIMER = 15

class mjtSleepState(enum.IntEnum):
    """Whether an object sleeps."""
    mjS_STATIC = -1
    mjS_ASLEEP = 0
    mjS_AWAKE = 1

class mjtGeomInertia(enum.IntEnum):
    """Where the mass of a geom is."""
    mjINERTIA_VOLUME = 0
    mjINERTIA_SHELL = 1

class mjtMeshInertia(enum.IntEnum):
    """How the inertia of a mesh is computed."""
    mjMESH_INERTIA_CONVEX = 0
    mjMESH_INERTIA_EXACT = 1
    mjMESH_INERTIA_LEGACY = 2
    mjMESH_INERTIA_SHELL = 3

class mjtLimited(enum.IntEnum):
    """Whether a limit applies."""
    mjLIMITED_FALSE = 0
    mjLIMITED_TRUE = 1
    mjLIMITED_AUTO = 2

class mjtAlignFree(enum.IntEnum):
    """Whether free joints are aligned with the inertial frame."""
    mjALIGNFREE_FALSE = 0
    mjALIGNFREE_TRUE = 1
    mjALIGNFREE_AUTO = 2

class mjtInertiaFromGeom(enum.IntEnum):
    """Whether body inertia is inferred from geoms."""
    mjINERTIAFROMGEOM_FALSE = 0
    mjINERTIAFROMGEOM_TRUE = 1
    mjINERTIAFROMGEOM_AUTO = 2

class mjtOrientation(enum.IntEnum):
    """How an orientation is specified."""
    mjORIENTATION_QUAT = 0
    mjORIENTATION_AXISANGLE = 1
    mjORIENTATION_XYAXES = 2
    mjORIENTATION_ZAXIS = 3
    mjORIENTATION_EULER = 4

class mjtCatBit(enum.IntEnum):
    """Categories of drawn objects."""
    mjCAT_STATIC = 1
    mjCAT_DYNAMIC = 2
    mjCAT_DECOR = 4
    mjCAT_ALL = 7

class mjtMouse(enum.IntEnum):
    """What moving the mouse does."""
    mjMOUSE_NONE = 0
    mjMOUSE_ROTATE_V = 1
    mjMOUSE_ROTATE_H = 2
    mjMOUSE_MOVE_V = 3
    mjMOUSE_MOVE_H = 4
    mjMOUSE_ZOOM = 5
    mjMOUSE_MOVE_V_REL = 6
    mjMOUSE_MOVE_H_REL = 7

class mjtPertBit(enum.IntEnum):
    """How the selected body is perturbed."""
    mjPERT_TRANSLATE = 1
    mjPERT_ROTATE = 2

class mjtCamera(enum.IntEnum):
    """Kind of camera."""
    mjCAMERA_FREE = 0
    mjCAMERA_TRACKING = 1
    mjCAMERA_FIXED = 2
    mjCAMERA_USER = 3

class mjtLabel(enum.IntEnum):
    """Which objects have a label."""
    mjLABEL_NONE = 0
    mjLABEL_BODY = 1
    mjLABEL_JOINT = 2
    mjLABEL_GEOM = 3
    mjLABEL_SITE = 4
    mjLABEL_CAMERA = 5
    mjLABEL_LIGHT = 6
    mjLABEL_TENDON = 7
    mjLABEL_ACTUATOR = 8
    mjLABEL_CONSTRAINT = 9
    mjLABEL_FLEX = 10
    mjLABEL_SKIN = 11
    mjLABEL_SELECTION = 12
    mjLABEL_SELPNT = 13
    mjLABEL_CONTACTPOINT = 14
    mjLABEL_CONTACTFORCE = 15
    mjLABEL_ISLAND = 16
    mjNLABEL = 17

class mjtFrame(enum.IntEnum):
    """Which frames are drawn."""
    mjFRAME_NONE = 0
    mjFRAME_BODY = 1
    mjFRAME_GEOM = 2
    mjFRAME_SITE = 3
    mjFRAME_CAMERA = 4
    mjFRAME_LIGHT = 5
    mjFRAME_CONTACT = 6
    mjFRAME_WORLD = 7
    mjNFRAME = 8

class mjtVisFlag(enum.IntEnum):
    """What is drawn."""
    mjVIS_CONVEXHULL = 0
    mjVIS_TEXTURE = 1
    mjVIS_JOINT = 2
    mjVIS_CAMERA = 3
    mjVIS_ACTUATOR = 4
    mjVIS_ACTIVATION = 5
    mjVIS_LIGHT = 6
    mjVIS_TENDON = 7
    mjVIS_RANGEFINDER = 8
    mjVIS_CONSTRAINT = 9
    mjVIS_INERTIA = 10
    mjVIS_SCLINERTIA = 11
    mjVIS_PERTFORCE = 12
    mjVIS_PERTOBJ = 13
    mjVIS_CONTACTPOINT = 14
    mjVIS_ISLAND = 15
    mjVIS_CONTACTFORCE = 16
    mjVIS_CONTACTSPLIT = 17
    mjVIS_TRANSPARENT = 18
    mjVIS_AUTOCONNECT = 19
    mjVIS_COM = 20
    mjVIS_SELECT = 21
    mjVIS_STATIC = 22
    mjVIS_SKIN = 23
    mjVIS_FLEXVERT = 24
    mjVIS_FLEXEDGE = 25
    mjVIS_FLEXFACE = 26
    mjVIS_FLEXSKIN = 27
    mjVIS_BODYBVH = 28
    mjVIS_MESHBVH = 29
    mjVIS_SDFITER = 30
    mjNVISFLAG = 31

class mjtRndFlag(enum.IntEnum):
    """Effects of the renderer."""
    mjRND_SHADOW = 0
    mjRND_WIREFRAME = 1
    mjRND_REFLECTION = 2
    mjRND_ADDITIVE = 3
    mjRND_SKYBOX = 4
    mjRND_FOG = 5
    mjRND_HAZE = 6
    mjRND_DEPTH = 7
    mjRND_SEGMENT = 8
    mjRND_IDCOLOR = 9
    mjRND_CULL_FACE = 10
    mjNRNDFLAG = 11

class mjtStereo(enum.IntEnum):
    """Stereo rendering."""
    mjSTEREO_NONE = 0
    mjSTEREO_QUADBUFFERED = 1
    mjSTEREO_SIDEBYSIDE = 2

class mjtGridPos(enum.IntEnum):
    """Where in a picture an overlay is."""
    mjGRID_TOPLEFT = 0
    mjGRID_TOPRIGHT = 1
    mjGRID_BOTTOMLEFT = 2
    mjGRID_BOTTOMRIGHT = 3
    mjGRID_TOP = 4
    mjGRID_BOTTOM = 5
    mjGRID_LEFT = 6
    mjGRID_RIGHT = 7

class mjtFramebuffer(enum.IntEnum):
    """Which buffer is drawn to."""
    mjFB_WINDOW = 0
    mjFB_OFFSCREEN = 1

class mjtDepthMap(enum.IntEnum):
    """What the numbers of a depth picture mean."""
    mjDEPTH_ZERONEAR = 0
    mjDEPTH_ZEROFAR = 1

class mjtFontScale(enum.IntEnum):
    """Size of text, in percent."""
    mjFONTSCALE_50 = 50
    mjFONTSCALE_100 = 100
    mjFONTSCALE_150 = 150
    mjFONTSCALE_200 = 200
    mjFONTSCALE_250 = 250
    mjFONTSCALE_300 = 300

class mjtFont(enum.IntEnum):
    """Kind of text."""
    mjFONT_NORMAL = 0
    mjFONT_SHADOW = 1
    mjFONT_BIG = 2

class mjtBuiltin(enum.IntEnum):
    """Patterns of textures that need no file."""
    mjBUILTIN_NONE = 0
    mjBUILTIN_GRADIENT = 1
    mjBUILTIN_CHECKER = 2
    mjBUILTIN_FLAT = 3

class mjtButton(enum.IntEnum):
    """Buttons of a mouse."""
    mjBUTTON_NONE = 0
    mjBUTTON_LEFT = 1
    mjBUTTON_RIGHT = 2
    mjBUTTON_MIDDLE = 3

class mjtEvent(enum.IntEnum):
    """Events of a user interface."""
    mjEVENT_NONE = 0
    mjEVENT_MOVE = 1
    mjEVENT_PRESS = 2
    mjEVENT_RELEASE = 3
    mjEVENT_SCROLL = 4
    mjEVENT_KEY = 5
    mjEVENT_RESIZE = 6
    mjEVENT_REDRAW = 7
    mjEVENT_FILESDROP = 8

class mjtItem(enum.IntEnum):
    """Items of a user interface."""
    mjITEM_END = -2
    mjITEM_SECTION = -1
    mjITEM_SEPARATOR = 0
    mjITEM_STATIC = 1
    mjITEM_BUTTON = 2
    mjITEM_CHECKINT = 3
    mjITEM_CHECKBYTE = 4
    mjITEM_RADIO = 5
    mjITEM_RADIOLINE = 6
    mjITEM_SELECT = 7
    mjITEM_SLIDERINT = 8
    mjITEM_SLIDERNUM = 9
    mjITEM_EDITINT = 10
    mjITEM_EDITNUM = 11
    mjITEM_EDITFLOAT = 12
    mjITEM_EDITTXT = 13
    mjNITEM = 14

class mjtMark(enum.IntEnum):
    """Marks on textures that need no file."""
    mjMARK_NONE = 0
    mjMARK_EDGE = 1
    mjMARK_CROSS = 2
    mjMARK_RANDOM = 3

class mjtMeshBuiltin(enum.IntEnum):
    """Shapes of meshes that need no file."""
    mjMESH_BUILTIN_NONE = 0
    mjMESH_BUILTIN_SPHERE = 1
    mjMESH_BUILTIN_HEMISPHERE = 2
    mjMESH_BUILTIN_CONE = 3
    mjMESH_BUILTIN_SUPERSPHERE = 4
    mjMESH_BUILTIN_SUPERTORUS = 5
    mjMESH_BUILTIN_WEDGE = 6
    mjMESH_BUILTIN_PLATE = 7

class mjtPluginCapabilityBit(enum.IntEnum):
    """What a plugin can do."""
    mjPLUGIN_ACTUATOR = 1
    mjPLUGIN_SENSOR = 2
    mjPLUGIN_PASSIVE = 4
    mjPLUGIN_SDF = 8

class mjtSDFType(enum.IntEnum):
    """Ways to evaluate signed distance functions."""
    mjSDFTYPE_SINGLE = 0
    mjSDFTYPE_INTERSECTION = 1
    mjSDFTYPE_MIDSURFACE = 2
    mjSDFTYPE_COLLISION = 3

class mjtSection(enum.IntEnum):
    """States of a section of a user interface."""
    mjSECT_CLOSED = 0
    mjSECT_OPEN = 1
    mjSECT_FIXED = 2

class mjtTaskStatus(enum.IntEnum):
    """States of a task of a thread pool."""
    mjTASK_NEW = 0
    mjTASK_QUEUED = 1
    mjTASK_COMPLETED = 2

class MjModel:
    """A compiled model. Sizes, options (`opt`, `stat`, `vis`) and arrays have MuJoCo's names and shapes. Arrays are live numpy views: writing to them changes the model."""
    @staticmethod
    def from_xml_path(filename: str | os.PathLike[str], assets: Mapping[str, bytes] | None = None, *, root: str | os.PathLike[str] | None = None) -> MjModel: ...
    @staticmethod
    def from_xml_string(xml: str | bytes, assets: Mapping[str, bytes] | None = None, *, root: str | os.PathLike[str] | None = None) -> MjModel: ...
    @staticmethod
    def from_binary_path(filename: str | os.PathLike[str], assets: Mapping[str, bytes] | None = None) -> MjModel: ...
    def __copy__(self) -> MjModel: ...
    def __deepcopy__(self, memo: Any) -> MjModel: ...
    @property
    def opt(self) -> MjOption: ...
    @property
    def stat(self) -> MjStatistic: ...
    @property
    def vis(self) -> MjVisual: ...
    @property
    def load_warnings(self) -> list[str]: ...
    @property
    def signature(self) -> int: ...
    def bind(self, elements: MjsElement | Sequence[MjsElement]) -> Any: ...
    def bind_scalar(self, element: MjsElement) -> Any: ...
    def actuator(self, name: str | SupportsIndex = ...) -> _MjModelActuatorViews: ...
    def body(self, name: str | SupportsIndex = ...) -> _MjModelBodyViews: ...
    def cam(self, name: str | SupportsIndex = ...) -> _MjModelCameraViews: ...
    def camera(self, name: str | SupportsIndex = ...) -> _MjModelCameraViews: ...
    def eq(self, name: str | SupportsIndex = ...) -> _MjModelEqualityViews: ...
    def equality(self, name: str | SupportsIndex = ...) -> _MjModelEqualityViews: ...
    def exclude(self, name: str | SupportsIndex = ...) -> _MjModelExcludeViews: ...
    def geom(self, name: str | SupportsIndex = ...) -> _MjModelGeomViews: ...
    def hfield(self, name: str | SupportsIndex = ...) -> _MjModelHfieldViews: ...
    def jnt(self, name: str | SupportsIndex = ...) -> _MjModelJointViews: ...
    def joint(self, name: str | SupportsIndex = ...) -> _MjModelJointViews: ...
    def light(self, name: str | SupportsIndex = ...) -> _MjModelLightViews: ...
    def mat(self, name: str | SupportsIndex = ...) -> _MjModelMaterialViews: ...
    def material(self, name: str | SupportsIndex = ...) -> _MjModelMaterialViews: ...
    def mesh(self, name: str | SupportsIndex = ...) -> _MjModelMeshViews: ...
    def numeric(self, name: str | SupportsIndex = ...) -> _MjModelNumericViews: ...
    def pair(self, name: str | SupportsIndex = ...) -> _MjModelPairViews: ...
    def sensor(self, name: str | SupportsIndex = ...) -> _MjModelSensorViews: ...
    def site(self, name: str | SupportsIndex = ...) -> _MjModelSiteViews: ...
    def skin(self, name: str | SupportsIndex = ...) -> _MjModelSkinViews: ...
    def tendon(self, name: str | SupportsIndex = ...) -> _MjModelTendonViews: ...
    def tex(self, name: str | SupportsIndex = ...) -> _MjModelTextureViews: ...
    def texture(self, name: str | SupportsIndex = ...) -> _MjModelTextureViews: ...
    def tuple(self, name: str | SupportsIndex = ...) -> _MjModelTupleViews: ...
    def key(self, name: str | SupportsIndex = ...) -> _MjModelKeyframeViews: ...
    def keyframe(self, name: str | SupportsIndex = ...) -> _MjModelKeyframeViews: ...
    @property
    def nq(self) -> int:
        """Length of `qpos`."""
    @property
    def nv(self) -> int:
        """Count of dofs, the length of `qvel`."""
    @property
    def nu(self) -> int:
        """Count of actuators, the length of `ctrl`."""
    @property
    def na(self) -> int:
        """Length of `act`."""
    @property
    def nbody(self) -> int:
        """Count of bodies, the world included."""
    @property
    def nbvh(self) -> int:
        """Count of bounding volumes, static and dynamic."""
    @property
    def nbvhstatic(self) -> int:
        """Count of bounding volumes of bodies and meshes, which keep a fixed local box."""
    @property
    def nbvhdynamic(self) -> int:
        """Count of bounding volumes of flexes, whose boxes follow the motion."""
    @property
    def noct(self) -> int:
        """Count of octree cells of all meshes."""
    @property
    def njnt(self) -> int:
        """Count of joints."""
    @property
    def ntree(self) -> int:
        """Count of kinematic trees, the independent branches of moving bodies."""
    @property
    def nM(self) -> int:
        """Count of entries of `qM`."""
    @property
    def nB(self) -> int:
        """Count of nonzeros of the matrix that says which dofs move which body."""
    @property
    def nC(self) -> int:
        """Count of entries of `M`: lower triangle, simple dofs reduced to their diagonal."""
    @property
    def nD(self) -> int:
        """Count of entries of the full dof-by-dof matrices, both triangles."""
    @property
    def ngeom(self) -> int:
        """Count of geoms."""
    @property
    def nsite(self) -> int:
        """Count of sites."""
    @property
    def ncam(self) -> int:
        """Count of cameras."""
    @property
    def nlight(self) -> int:
        """Count of lights."""
    @property
    def nflex(self) -> int:
        """Count of flexes, the deformable objects."""
    @property
    def nflexnode(self) -> int:
        """Count of control nodes of all flexes."""
    @property
    def nflexvert(self) -> int:
        """Count of vertices of all flexes."""
    @property
    def nflexedge(self) -> int:
        """Count of edges of all flexes."""
    @property
    def nflexelem(self) -> int:
        """Count of elements of all flexes."""
    @property
    def nflexelemdata(self) -> int:
        """Length of `flex_elem`."""
    @property
    def nflexelemedge(self) -> int:
        """Length of `flex_elemedge`."""
    @property
    def nflexshelldata(self) -> int:
        """Length of `flex_shell`."""
    @property
    def nflexevpair(self) -> int:
        """Count of element and vertex pairs to collide within flexes."""
    @property
    def nflextexcoord(self) -> int:
        """Count of texture coordinates of all flexes."""
    @property
    def nJfe(self) -> int:
        """Count of nonzeros of `flexedge_J`."""
    @property
    def nJfv(self) -> int:
        """Count of nonzeros of `flexvert_J`."""
    @property
    def nmesh(self) -> int:
        """Count of meshes."""
    @property
    def nmeshvert(self) -> int:
        """Count of vertices of all meshes."""
    @property
    def nmeshnormal(self) -> int:
        """Count of normals of all meshes."""
    @property
    def nmeshtexcoord(self) -> int:
        """Count of texture coordinates of all meshes."""
    @property
    def nmeshface(self) -> int:
        """Count of triangles of all meshes."""
    @property
    def nmeshgraph(self) -> int:
        """Length of `mesh_graph`."""
    @property
    def nmeshpoly(self) -> int:
        """Count of polygons of all meshes; coplanar triangles make one polygon."""
    @property
    def nmeshpolyvert(self) -> int:
        """Length of `mesh_polyvert`."""
    @property
    def nmeshpolymap(self) -> int:
        """Length of `mesh_polymap`."""
    @property
    def nskin(self) -> int:
        """Count of skins."""
    @property
    def nskinvert(self) -> int:
        """Count of vertices of all skins."""
    @property
    def nskintexvert(self) -> int:
        """Count of texture coordinates of all skins."""
    @property
    def nskinface(self) -> int:
        """Count of triangles of all skins."""
    @property
    def nskinbone(self) -> int:
        """Count of bones of all skins."""
    @property
    def nskinbonevert(self) -> int:
        """Count of vertex weights of all bones."""
    @property
    def nhfield(self) -> int:
        """Count of height fields."""
    @property
    def nhfielddata(self) -> int:
        """Count of grid points of all height fields."""
    @property
    def ntex(self) -> int:
        """Count of textures."""
    @property
    def ntexdata(self) -> int:
        """Count of bytes of all textures."""
    @property
    def nmat(self) -> int:
        """Count of materials."""
    @property
    def npair(self) -> int:
        """Count of explicit geom pairs."""
    @property
    def nexclude(self) -> int:
        """Count of body pairs that do not collide."""
    @property
    def neq(self) -> int:
        """Count of equality constraints."""
    @property
    def ntendon(self) -> int:
        """Count of tendons."""
    @property
    def nwrap(self) -> int:
        """Count of path elements of all tendons."""
    @property
    def nsensor(self) -> int:
        """Count of sensors."""
    @property
    def nnumeric(self) -> int:
        """Count of custom number fields."""
    @property
    def nnumericdata(self) -> int:
        """Count of values of all custom number fields."""
    @property
    def ntext(self) -> int:
        """Count of custom text fields."""
    @property
    def ntextdata(self) -> int:
        """Count of bytes of all custom text fields."""
    @property
    def ntuple(self) -> int:
        """Count of custom tuples."""
    @property
    def ntupledata(self) -> int:
        """Count of members of all custom tuples."""
    @property
    def nkey(self) -> int:
        """Count of keyframes."""
    @property
    def nmocap(self) -> int:
        """Count of mocap bodies."""
    @property
    def nplugin(self) -> int:
        """Count of plugin instances."""
    @property
    def npluginattr(self) -> int:
        """Count of bytes of all plugin settings."""
    @property
    def nuser_body(self) -> int:
        """Count of user values per body."""
    @property
    def nuser_jnt(self) -> int:
        """Count of user values per joint."""
    @property
    def nuser_geom(self) -> int:
        """Count of user values per geom."""
    @property
    def nuser_site(self) -> int:
        """Count of user values per site."""
    @property
    def nuser_cam(self) -> int:
        """Count of user values per camera."""
    @property
    def nuser_tendon(self) -> int:
        """Count of user values per tendon."""
    @property
    def nuser_actuator(self) -> int:
        """Count of user values per actuator."""
    @property
    def nuser_sensor(self) -> int:
        """Count of user values per sensor."""
    @property
    def nnames(self) -> int:
        """Count of bytes of all names."""
    @property
    def npaths(self) -> int:
        """Count of bytes of all file paths."""
    @property
    def nnames_map(self) -> int:
        """Count of slots of the hash map from name to id."""
    @property
    def nJmom(self) -> int:
        """Count of entries reserved for `actuator_moment`."""
    @property
    def ngravcomp(self) -> int:
        """Count of bodies whose gravity is compensated."""
    @property
    def nemax(self) -> int:
        """Most rows that the equality constraints may ask for."""
    @property
    def njmax(self) -> int:
        """Most constraint rows, as asked for in the file; kept for compatibility."""
    @property
    def nconmax(self) -> int:
        """Most contacts, as asked for in the file; kept for compatibility."""
    @property
    def nuserdata(self) -> int:
        """Length of `userdata`."""
    @property
    def nsensordata(self) -> int:
        """Length of `sensordata`."""
    @property
    def npluginstate(self) -> int:
        """Length of `plugin_state`."""
    @property
    def nhistory(self) -> int:
        """Length of `history`."""
    @property
    def narena(self) -> int:
        """Bytes of the arena that MuJoCo gives to contacts, constraints and stack."""
    @property
    def nbuffer(self) -> int:
        """Bytes that MuJoCo gives to the arrays of the model."""
    qpos0: _Array[np.float64]
    """Configuration that the model was written in. Shape: (nq)."""
    qpos_spring: _Array[np.float64]
    """Configuration at which joint springs are at rest. Shape: (nq)."""
    body_parentid: _Array[np.int32]
    """Parent body; 0 for the world itself. Shape: (nbody)."""
    body_rootid: _Array[np.int32]
    """Ancestor right below the world; the body itself if it is one. Shape: (nbody)."""
    body_weldid: _Array[np.int32]
    """Topmost ancestor that the body is rigidly attached to; 0: fixed to the world. Shape: (nbody)."""
    body_mocapid: _Array[np.int32]
    """Slot in `mocap_pos` and `mocap_quat`; -1: not a mocap body. Shape: (nbody)."""
    body_jntnum: _Array[np.int32]
    """How many joints the body has. Shape: (nbody)."""
    body_jntadr: _Array[np.int32]
    """First joint; -1: none. Shape: (nbody)."""
    body_dofnum: _Array[np.int32]
    """How many dofs the joints of the body have. Shape: (nbody)."""
    body_dofadr: _Array[np.int32]
    """First dof; -1: none. Shape: (nbody)."""
    body_treeid: _Array[np.int32]
    """Kinematic tree; -1: fixed to the world. Shape: (nbody)."""
    body_geomnum: _Array[np.int32]
    """How many geoms the body has. Shape: (nbody)."""
    body_geomadr: _Array[np.int32]
    """First geom; -1: none. Shape: (nbody)."""
    body_simple: _Array[np.uint8]
    """1: its block of `M` is diagonal; 2: so, and only slide joints; 0: neither. Shape: (nbody)."""
    body_sameframe: _Array[np.uint8]
    """What body frame and inertial frame share, a `SameFrame`. Shape: (nbody)."""
    body_pos: _Array[np.float64]
    """Position in the parent frame, at the reference configuration. Shape: (nbody, 3)."""
    body_quat: _Array[np.float64]
    """Orientation in the parent frame, at the reference configuration. Shape: (nbody, 4)."""
    body_ipos: _Array[np.float64]
    """Centre of mass, in the body frame. Shape: (nbody, 3)."""
    body_iquat: _Array[np.float64]
    """Orientation of the principal axes of inertia, in the body frame. Shape: (nbody, 4)."""
    body_mass: _Array[np.float64]
    """Mass of the body alone. Shape: (nbody)."""
    body_subtreemass: _Array[np.float64]
    """Mass of the body and all its descendants. Shape: (nbody)."""
    body_inertia: _Array[np.float64]
    """Principal moments of inertia, about the centre of mass. Shape: (nbody, 3)."""
    body_invweight0: _Array[np.float64]
    """Mean inverse inertia seen at `qpos0`: translation, rotation. Shape: (nbody, 2)."""
    body_gravcomp: _Array[np.float64]
    """Fraction of the weight that is held up; 1: all of it. Shape: (nbody)."""
    body_margin: _Array[np.float64]
    """Largest contact margin among the geoms. Shape: (nbody)."""
    body_user: _Array[np.float64]
    """User values. Shape: (nbody, nuser_body)."""
    body_plugin: _Array[np.int32]
    """Plugin instance; -1: none. Shape: (nbody)."""
    body_contype: _Array[np.int32]
    """Union of the `geom_contype` bits of the geoms. Shape: (nbody)."""
    body_conaffinity: _Array[np.int32]
    """Union of the `geom_conaffinity` bits of the geoms. Shape: (nbody)."""
    body_bvhadr: _Array[np.int32]
    """Root of the bounding volumes; -1: none. Shape: (nbody)."""
    body_bvhnum: _Array[np.int32]
    """How many bounding volumes the body has. Shape: (nbody)."""
    bvh_depth: _Array[np.int32]
    """Level below the root of its hierarchy. Shape: (nbvh)."""
    bvh_child: _Array[np.int32]
    """The two children, counted from the root of the hierarchy; -1: none. Shape: (nbvh, 2)."""
    bvh_nodeid: _Array[np.int32]
    """Geom, triangle or flex element that a leaf holds; -1: not a leaf. Shape: (nbvh)."""
    bvh_aabb: _Array[np.float64]
    """Box of a static volume: centre, half sizes, in the frame of its owner. Shape: (nbvhstatic, 6)."""
    oct_depth: _Array[np.int32]
    """Level below the root of its octree. Shape: (noct)."""
    oct_child: _Array[np.int32]
    """The eight children; -1: none. Shape: (noct, 8)."""
    oct_aabb: _Array[np.float64]
    """Box of the cell: centre, half sizes. Shape: (noct, 6)."""
    oct_coeff: _Array[np.float64]
    """Signed distance at the eight corners of the cell, for interpolation. Shape: (noct, 8)."""
    jnt_type: _Array[np.int32]
    """Kind of joint, a `JointType`. Shape: (njnt)."""
    jnt_qposadr: _Array[np.int32]
    """First coordinate of the joint in `qpos`. Shape: (njnt)."""
    jnt_dofadr: _Array[np.int32]
    """First dof of the joint. Shape: (njnt)."""
    jnt_bodyid: _Array[np.int32]
    """Body that the joint moves. Shape: (njnt)."""
    jnt_group: _Array[np.int32]
    """Visibility group. Shape: (njnt)."""
    jnt_limited: _Array[np.uint8]
    """Whether `jnt_range` applies. Shape: (njnt)."""
    jnt_actfrclimited: _Array[np.uint8]
    """Whether `jnt_actfrcrange` applies. Shape: (njnt)."""
    jnt_actgravcomp: _Array[np.uint8]
    """Whether gravity compensation counts as actuator force. Shape: (njnt)."""
    jnt_solref: _Array[np.float64]
    """Reference dynamics of the limit. Shape: (njnt, 2)."""
    jnt_solimp: _Array[np.float64]
    """Impedance of the limit. Shape: (njnt, 5)."""
    jnt_pos: _Array[np.float64]
    """Anchor, in the body frame. Shape: (njnt, 3)."""
    jnt_axis: _Array[np.float64]
    """Unit axis of a hinge or slide joint, in the body frame. Shape: (njnt, 3)."""
    jnt_stiffness: _Array[np.float64]
    """Spring constant; 0: no spring. Shape: (njnt)."""
    jnt_range: _Array[np.float64]
    """Lower and upper limit, angles in radians; for a ball only the larger one counts. Shape: (njnt, 2)."""
    jnt_actfrcrange: _Array[np.float64]
    """Lower and upper bound of the summed actuator force on the joint. Shape: (njnt, 2)."""
    jnt_margin: _Array[np.float64]
    """Distance to the limit below which its constraint becomes active. Shape: (njnt)."""
    jnt_user: _Array[np.float64]
    """User values. Shape: (njnt, nuser_jnt)."""
    dof_bodyid: _Array[np.int32]
    """Body that the dof moves. Shape: (nv)."""
    dof_jntid: _Array[np.int32]
    """Joint that the dof belongs to. Shape: (nv)."""
    dof_parentid: _Array[np.int32]
    """Next dof on the way to the world; -1: none. Shape: (nv)."""
    dof_treeid: _Array[np.int32]
    """Kinematic tree. Shape: (nv)."""
    dof_Madr: _Array[np.int32]
    """Address of the diagonal entry in `qM`. Shape: (nv)."""
    dof_simplenum: _Array[np.int32]
    """How many dofs from here on, this one included, are simple; 0: not simple. Shape: (nv)."""
    dof_solref: _Array[np.float64]
    """Reference dynamics of dry friction. Shape: (nv, 2)."""
    dof_solimp: _Array[np.float64]
    """Impedance of dry friction. Shape: (nv, 5)."""
    dof_frictionloss: _Array[np.float64]
    """Largest dry friction force or torque. Shape: (nv)."""
    dof_armature: _Array[np.float64]
    """Rotor inertia or mass, added to the diagonal of `M`. Shape: (nv)."""
    dof_damping: _Array[np.float64]
    """Linear damping coefficient. Shape: (nv)."""
    dof_invweight0: _Array[np.float64]
    """Inverse inertia seen at `qpos0`, averaged over the dofs of a ball or free joint. Shape: (nv)."""
    dof_M0: _Array[np.float64]
    """Diagonal entry of `M` at `qpos0`. Shape: (nv)."""
    dof_length: _Array[np.float64]
    """Length that turns the speed into a linear one; 1 for translations. Shape: (nv)."""
    tree_bodyadr: _Array[np.int32]
    """First body. Shape: (ntree)."""
    tree_bodynum: _Array[np.int32]
    """How many bodies the tree has. Shape: (ntree)."""
    tree_dofadr: _Array[np.int32]
    """First dof. Shape: (ntree)."""
    tree_dofnum: _Array[np.int32]
    """How many dofs the tree has. Shape: (ntree)."""
    tree_sleep_policy: _Array[np.int32]
    """Whether the tree may fall asleep, a `SleepPolicy`. Shape: (ntree)."""
    geom_type: _Array[np.int32]
    """Shape, a `GeomType`. Shape: (ngeom)."""
    geom_contype: _Array[np.int32]
    """Bits that the other geom's `geom_conaffinity` is matched with. Shape: (ngeom)."""
    geom_conaffinity: _Array[np.int32]
    """Bits that the other geom's `geom_contype` is matched with. Shape: (ngeom)."""
    geom_condim: _Array[np.int32]
    """Dimension of its contacts: 1, 3, 4 or 6. Shape: (ngeom)."""
    geom_bodyid: _Array[np.int32]
    """Body that the geom is attached to. Shape: (ngeom)."""
    geom_dataid: _Array[np.int32]
    """Mesh or height field that gives the shape; -1: none. Shape: (ngeom)."""
    geom_matid: _Array[np.int32]
    """Material; -1: none. Shape: (ngeom)."""
    geom_group: _Array[np.int32]
    """Visibility group. Shape: (ngeom)."""
    geom_priority: _Array[np.int32]
    """Rank in a contact: the geom of higher rank sets its parameters. Shape: (ngeom)."""
    geom_plugin: _Array[np.int32]
    """Plugin instance; -1: none. Shape: (ngeom)."""
    geom_sameframe: _Array[np.uint8]
    """What geom frame and body or inertial frame share, a `SameFrame`. Shape: (ngeom)."""
    geom_solmix: _Array[np.float64]
    """Weight when contact parameters of two geoms are averaged. Shape: (ngeom)."""
    geom_solref: _Array[np.float64]
    """Reference dynamics of contacts. Shape: (ngeom, 2)."""
    geom_solimp: _Array[np.float64]
    """Impedance of contacts. Shape: (ngeom, 5)."""
    geom_size: _Array[np.float64]
    """Dimensions; how many of the three count, and as what, depends on the shape. Shape: (ngeom, 3)."""
    geom_aabb: _Array[np.float64]
    """Bounding box in the geom frame: centre, half sizes. Shape: (ngeom, 6)."""
    geom_rbound: _Array[np.float64]
    """Radius of the bounding sphere about the geom centre; 0 for a plane. Shape: (ngeom)."""
    geom_pos: _Array[np.float64]
    """Position in the body frame. Shape: (ngeom, 3)."""
    geom_quat: _Array[np.float64]
    """Orientation in the body frame. Shape: (ngeom, 4)."""
    geom_friction: _Array[np.float64]
    """Friction coefficients: sliding, torsional, rolling. Shape: (ngeom, 3)."""
    geom_margin: _Array[np.float64]
    """Distance below which contacts are generated. Shape: (ngeom)."""
    geom_gap: _Array[np.float64]
    """Part of the margin, from its outer end, in which contacts carry no force. Shape: (ngeom)."""
    geom_fluid: _Array[np.float64]
    """Coefficients of the ellipsoid fluid model; the first one is 0 if it is not used. Shape: (ngeom, 12)."""
    geom_user: _Array[np.float64]
    """User values. Shape: (ngeom, nuser_geom)."""
    geom_rgba: _Array[np.float32]
    """Colour where no material is given. Shape: (ngeom, 4)."""
    site_type: _Array[np.int32]
    """Shape that is drawn, a `GeomType`. Shape: (nsite)."""
    site_bodyid: _Array[np.int32]
    """Body that the site is attached to. Shape: (nsite)."""
    site_matid: _Array[np.int32]
    """Material; -1: none. Shape: (nsite)."""
    site_group: _Array[np.int32]
    """Visibility group. Shape: (nsite)."""
    site_sameframe: _Array[np.uint8]
    """What site frame and body or inertial frame share, a `SameFrame`. Shape: (nsite)."""
    site_size: _Array[np.float64]
    """Dimensions of the shape that is drawn. Shape: (nsite, 3)."""
    site_pos: _Array[np.float64]
    """Position in the body frame. Shape: (nsite, 3)."""
    site_quat: _Array[np.float64]
    """Orientation in the body frame. Shape: (nsite, 4)."""
    site_user: _Array[np.float64]
    """User values. Shape: (nsite, nuser_site)."""
    site_rgba: _Array[np.float32]
    """Colour where no material is given. Shape: (nsite, 4)."""
    cam_mode: _Array[np.int32]
    """How the camera follows, a `CamLightMode`. Shape: (ncam)."""
    cam_bodyid: _Array[np.int32]
    """Body that the camera is attached to. Shape: (ncam)."""
    cam_targetbodyid: _Array[np.int32]
    """Body that the camera looks at; -1: none. Shape: (ncam)."""
    cam_pos: _Array[np.float64]
    """Position in the body frame. Shape: (ncam, 3)."""
    cam_quat: _Array[np.float64]
    """Orientation in the body frame. Shape: (ncam, 4)."""
    cam_poscom0: _Array[np.float64]
    """Offset from the centre of mass of the body's subtree at `qpos0`, in world axes. Shape: (ncam, 3)."""
    cam_pos0: _Array[np.float64]
    """Offset from the body at `qpos0`, in world axes. Shape: (ncam, 3)."""
    cam_mat0: _Array[np.float64]
    """World orientation at `qpos0`. Shape: (ncam, 9)."""
    cam_projection: _Array[np.int32]
    """Perspective or orthographic, a `Projection`. Shape: (ncam)."""
    cam_fovy: _Array[np.float64]
    """Vertical field of view: degrees in perspective, a length if orthographic. Shape: (ncam)."""
    cam_ipd: _Array[np.float64]
    """Distance between the eyes, for stereo. Shape: (ncam)."""
    cam_resolution: _Array[np.int32]
    """Width and height of the image, in pixels. Shape: (ncam, 2)."""
    cam_output: _Array[np.int32]
    """Images that the camera delivers, bits of `CamOut`. Shape: (ncam)."""
    cam_sensorsize: _Array[np.float32]
    """Width and height of the sensor, in length units; 0: `cam_fovy` counts. Shape: (ncam, 2)."""
    cam_intrinsic: _Array[np.float32]
    """Focal lengths in x and y, offset of the principal point in x and y; lengths. Shape: (ncam, 4)."""
    cam_user: _Array[np.float64]
    """User values. Shape: (ncam, nuser_cam)."""
    light_mode: _Array[np.int32]
    """How the light follows, a `CamLightMode`. Shape: (nlight)."""
    light_bodyid: _Array[np.int32]
    """Body that the light is attached to. Shape: (nlight)."""
    light_targetbodyid: _Array[np.int32]
    """Body that the light shines at; -1: none. Shape: (nlight)."""
    light_type: _Array[np.int32]
    """Kind of light, a `LightType`. Shape: (nlight)."""
    light_texid: _Array[np.int32]
    """Texture of an image light; -1: none. Shape: (nlight)."""
    light_castshadow: _Array[np.uint8]
    """Whether it casts shadows. Shape: (nlight)."""
    light_bulbradius: _Array[np.float32]
    """Radius of the bulb, which softens shadows. Shape: (nlight)."""
    light_intensity: _Array[np.float32]
    """Brightness as luminous intensity, in candela. Shape: (nlight)."""
    light_range: _Array[np.float32]
    """Distance that the light reaches. Shape: (nlight)."""
    light_active: _Array[np.uint8]
    """Whether it is switched on. Shape: (nlight)."""
    light_pos: _Array[np.float64]
    """Position in the body frame. Shape: (nlight, 3)."""
    light_dir: _Array[np.float64]
    """Direction in the body frame. Shape: (nlight, 3)."""
    light_poscom0: _Array[np.float64]
    """Offset from the centre of mass of the body's subtree at `qpos0`, in world axes. Shape: (nlight, 3)."""
    light_pos0: _Array[np.float64]
    """Offset from the body at `qpos0`, in world axes. Shape: (nlight, 3)."""
    light_dir0: _Array[np.float64]
    """World direction at `qpos0`. Shape: (nlight, 3)."""
    light_attenuation: _Array[np.float32]
    """Fall-off with distance: constant, linear, quadratic coefficient. Shape: (nlight, 3)."""
    light_cutoff: _Array[np.float32]
    """Half angle of the cone of a spot light, in degrees. Shape: (nlight)."""
    light_exponent: _Array[np.float32]
    """How sharply a spot light is focused. Shape: (nlight)."""
    light_ambient: _Array[np.float32]
    """Ambient colour. Shape: (nlight, 3)."""
    light_diffuse: _Array[np.float32]
    """Diffuse colour. Shape: (nlight, 3)."""
    light_specular: _Array[np.float32]
    """Specular colour. Shape: (nlight, 3)."""
    flex_contype: _Array[np.int32]
    """Bits that the other side's affinity is matched with. Shape: (nflex)."""
    flex_conaffinity: _Array[np.int32]
    """Bits that the other side's contact type is matched with. Shape: (nflex)."""
    flex_condim: _Array[np.int32]
    """Dimension of its contacts: 1, 3, 4 or 6. Shape: (nflex)."""
    flex_priority: _Array[np.int32]
    """Rank in a contact: the side of higher rank sets its parameters. Shape: (nflex)."""
    flex_solmix: _Array[np.float64]
    """Weight when contact parameters of two sides are averaged. Shape: (nflex)."""
    flex_solref: _Array[np.float64]
    """Reference dynamics of contacts. Shape: (nflex, 2)."""
    flex_solimp: _Array[np.float64]
    """Impedance of contacts. Shape: (nflex, 5)."""
    flex_friction: _Array[np.float64]
    """Friction coefficients: sliding, torsional, rolling. Shape: (nflex, 3)."""
    flex_margin: _Array[np.float64]
    """Distance below which contacts are generated. Shape: (nflex)."""
    flex_gap: _Array[np.float64]
    """Part of the margin, from its outer end, in which contacts carry no force. Shape: (nflex)."""
    flex_internal: _Array[np.uint8]
    """Whether elements collide with vertices of their neighbourhood. Shape: (nflex)."""
    flex_selfcollide: _Array[np.int32]
    """How elements of the flex find each other, a `FlexSelf`. Shape: (nflex)."""
    flex_activelayers: _Array[np.int32]
    """How many layers of elements, from the surface inwards, collide; solids only. Shape: (nflex)."""
    flex_passive: _Array[np.int32]
    """Whether contacts act as passive forces instead of constraints. Shape: (nflex)."""
    flex_dim: _Array[np.int32]
    """Dimension of the elements: 1 lines, 2 triangles, 3 tetrahedra. Shape: (nflex)."""
    flex_matid: _Array[np.int32]
    """Material; -1: none. Shape: (nflex)."""
    flex_group: _Array[np.int32]
    """Visibility group. Shape: (nflex)."""
    flex_interp: _Array[np.int32]
    """Order of interpolation from nodes to vertices; 0: vertices move by themselves. Shape: (nflex)."""
    flex_nodeadr: _Array[np.int32]
    """First node. Shape: (nflex)."""
    flex_nodenum: _Array[np.int32]
    """How many nodes the flex has. Shape: (nflex)."""
    flex_vertadr: _Array[np.int32]
    """First vertex. Shape: (nflex)."""
    flex_vertnum: _Array[np.int32]
    """How many vertices the flex has. Shape: (nflex)."""
    flex_edgeadr: _Array[np.int32]
    """First edge. Shape: (nflex)."""
    flex_edgenum: _Array[np.int32]
    """How many edges the flex has. Shape: (nflex)."""
    flex_elemadr: _Array[np.int32]
    """First element. Shape: (nflex)."""
    flex_elemnum: _Array[np.int32]
    """How many elements the flex has. Shape: (nflex)."""
    flex_elemdataadr: _Array[np.int32]
    """Where its elements start in `flex_elem`. Shape: (nflex)."""
    flex_elemedgeadr: _Array[np.int32]
    """Where its elements start in `flex_elemedge`. Shape: (nflex)."""
    flex_shellnum: _Array[np.int32]
    """How many surface fragments the flex has. Shape: (nflex)."""
    flex_shelldataadr: _Array[np.int32]
    """Where its surface fragments start in `flex_shell`. Shape: (nflex)."""
    flex_evpairadr: _Array[np.int32]
    """First pair in `flex_evpair`. Shape: (nflex)."""
    flex_evpairnum: _Array[np.int32]
    """How many element and vertex pairs the flex has. Shape: (nflex)."""
    flex_texcoordadr: _Array[np.int32]
    """Where it starts in `flex_texcoord`; -1: no texture coordinates. Shape: (nflex)."""
    flex_nodebodyid: _Array[np.int32]
    """Body that carries the node. Shape: (nflexnode)."""
    flex_vertbodyid: _Array[np.int32]
    """Body that carries the vertex; -1: moved by nodes. Shape: (nflexvert)."""
    flex_vertedgeadr: _Array[np.int32]
    """Where the edges at the vertex start in `flex_vertedge`. Shape: (nflexvert)."""
    flex_vertedgenum: _Array[np.int32]
    """How many edges meet at the vertex. Shape: (nflexvert)."""
    flex_vertedge: _Array[np.int32]
    """Edges by vertex: every edge is listed at both its ends. Shape: (nflexedge, 2)."""
    flex_edge: _Array[np.int32]
    """The two vertices of the edge, counted within the flex. Shape: (nflexedge, 2)."""
    flex_edgeflap: _Array[np.int32]
    """Opposite vertices of the two triangles at the edge; -1: none. Surfaces only. Shape: (nflexedge, 2)."""
    flex_elem: _Array[np.int32]
    """Vertices of the elements, dimension plus one each, counted within the flex. Shape: (nflexelemdata)."""
    flex_elemtexcoord: _Array[np.int32]
    """Texture coordinates of the element corners, as `flex_elem`. Shape: (nflexelemdata)."""
    flex_elemedge: _Array[np.int32]
    """Edges of the elements, counted within the flex. Shape: (nflexelemedge)."""
    flex_elemlayer: _Array[np.int32]
    """Layers between the element and the surface; solids only. Shape: (nflexelem)."""
    flex_shell: _Array[np.int32]
    """Vertices of the surface fragments, as many as the dimension each. Shape: (nflexshelldata)."""
    flex_evpair: _Array[np.int32]
    """Element and vertex to collide with each other. Shape: (nflexevpair, 2)."""
    flex_vert: _Array[np.float64]
    """Vertex position in the frame of its body. Shape: (nflexvert, 3)."""
    flex_vert0: _Array[np.float64]
    """Vertex position at `qpos0`, scaled to the unit box of the flex. Shape: (nflexvert, 3)."""
    flex_vertmetric: _Array[np.float64]
    """Inverse of the 2 by 2 shape matrix about the vertex at `qpos0`. Shape: (nflexvert, 4)."""
    flex_node: _Array[np.float64]
    """Node position in the frame of its body. Shape: (nflexnode, 3)."""
    flex_node0: _Array[np.float64]
    """World position of the node at `qpos0`. Shape: (nflexnode, 3)."""
    flexedge_length0: _Array[np.float64]
    """Length of the edge at `qpos0`. Shape: (nflexedge)."""
    flexedge_invweight0: _Array[np.float64]
    """Inverse inertia that the edge length sees at `qpos0`. Shape: (nflexedge)."""
    flex_radius: _Array[np.float64]
    """Thickness: elements are swollen by this distance. Shape: (nflex)."""
    flex_size: _Array[np.float64]
    """Half sizes of the box about the vertices at `qpos0`. Shape: (nflex, 3)."""
    flex_stiffness: _Array[np.float64]
    """Elastic stiffness of the element. Shape: (nflexelem, 21)."""
    flex_bending: _Array[np.float64]
    """Coefficients of the bending force at the edge. Shape: (nflexedge, 17)."""
    flex_damping: _Array[np.float64]
    """Rayleigh damping: damping over stiffness, a time. Shape: (nflex)."""
    flex_edgestiffness: _Array[np.float64]
    """Spring constant of the edges. Shape: (nflex)."""
    flex_edgedamping: _Array[np.float64]
    """Damping coefficient of the edges. Shape: (nflex)."""
    flex_edgeequality: _Array[np.int32]
    """What equality constraints hold: 0 nothing, 1 edge lengths, 2 vertex strains. Shape: (nflex)."""
    flex_rigid: _Array[np.uint8]
    """Whether one body carries every vertex. Shape: (nflex)."""
    flexedge_rigid: _Array[np.uint8]
    """Whether one body carries both ends of the edge. Shape: (nflexedge)."""
    flex_centered: _Array[np.uint8]
    """Whether every vertex sits at the origin of its body. Shape: (nflex)."""
    flex_flatskin: _Array[np.uint8]
    """Whether the surface is drawn with flat shading. Shape: (nflex)."""
    flex_bvhadr: _Array[np.int32]
    """Root of the bounding volumes; -1: none. Shape: (nflex)."""
    flex_bvhnum: _Array[np.int32]
    """How many bounding volumes the flex has. Shape: (nflex)."""
    flexedge_J_rownnz: _Array[np.int32]
    """Length of the edge's row of `flexedge_J`. Shape: (nflexedge)."""
    flexedge_J_rowadr: _Array[np.int32]
    """Start of the edge's row of `flexedge_J`. Shape: (nflexedge)."""
    flexedge_J_colind: _Array[np.int32]
    """Dof of every entry of `flexedge_J`. Shape: (nJfe)."""
    flexvert_J_rownnz: _Array[np.int32]
    """Lengths of the vertex's two rows of `flexvert_J`. Shape: (nflexvert, 2)."""
    flexvert_J_rowadr: _Array[np.int32]
    """Starts of the vertex's two rows of `flexvert_J`. Shape: (nflexvert, 2)."""
    flexvert_J_colind: _Array[np.int32]
    """Dofs of the entries of `flexvert_J`. Shape: (nJfv, 2)."""
    flex_rgba: _Array[np.float32]
    """Colour where no material is given. Shape: (nflex, 4)."""
    flex_texcoord: _Array[np.float32]
    """Texture coordinates. Shape: (nflextexcoord, 2)."""
    mesh_vertadr: _Array[np.int32]
    """First vertex. Shape: (nmesh)."""
    mesh_vertnum: _Array[np.int32]
    """How many vertices the mesh has. Shape: (nmesh)."""
    mesh_faceadr: _Array[np.int32]
    """First triangle. Shape: (nmesh)."""
    mesh_facenum: _Array[np.int32]
    """How many triangles the mesh has. Shape: (nmesh)."""
    mesh_bvhadr: _Array[np.int32]
    """Root of the bounding volumes; -1: none. Shape: (nmesh)."""
    mesh_bvhnum: _Array[np.int32]
    """How many bounding volumes the mesh has. Shape: (nmesh)."""
    mesh_octadr: _Array[np.int32]
    """Root of the octree; -1: none. Shape: (nmesh)."""
    mesh_octnum: _Array[np.int32]
    """How many octree cells the mesh has. Shape: (nmesh)."""
    mesh_normaladr: _Array[np.int32]
    """First normal. Shape: (nmesh)."""
    mesh_normalnum: _Array[np.int32]
    """How many normals the mesh has. Shape: (nmesh)."""
    mesh_texcoordadr: _Array[np.int32]
    """First texture coordinate; -1: none. Shape: (nmesh)."""
    mesh_texcoordnum: _Array[np.int32]
    """How many texture coordinates the mesh has. Shape: (nmesh)."""
    mesh_graphadr: _Array[np.int32]
    """Where its convex hull starts in `mesh_graph`; -1: no hull. Shape: (nmesh)."""
    mesh_vert: _Array[np.float32]
    """Vertices, in the inertial frame of the mesh. Shape: (nmeshvert, 3)."""
    mesh_normal: _Array[np.float32]
    """Normals, in the inertial frame of the mesh. Shape: (nmeshnormal, 3)."""
    mesh_texcoord: _Array[np.float32]
    """Texture coordinates. Shape: (nmeshtexcoord, 2)."""
    mesh_face: _Array[np.int32]
    """The three vertices of the triangle, counted within the mesh. Shape: (nmeshface, 3)."""
    mesh_facenormal: _Array[np.int32]
    """The three normals of the triangle, counted within the mesh. Shape: (nmeshface, 3)."""
    mesh_facetexcoord: _Array[np.int32]
    """The three texture coordinates of the triangle, counted within the mesh. Shape: (nmeshface, 3)."""
    mesh_graph: _Array[np.int32]
    """Convex hulls: counts, edge lists by vertex, vertex ids and triangles. Shape: (nmeshgraph)."""
    mesh_scale: _Array[np.float64]
    """Scale that the file's vertices were multiplied by. Shape: (nmesh, 3)."""
    mesh_pos: _Array[np.float64]
    """Origin of the inertial frame of the mesh, in the frame of the file. Shape: (nmesh, 3)."""
    mesh_quat: _Array[np.float64]
    """Orientation of the inertial frame of the mesh, in the frame of the file. Shape: (nmesh, 4)."""
    mesh_pathadr: _Array[np.int32]
    """Where the file path starts in `paths`; -1: none. Shape: (nmesh)."""
    mesh_polynum: _Array[np.int32]
    """How many polygons the convex hull has, or the mesh where it has no hull. Shape: (nmesh)."""
    mesh_polyadr: _Array[np.int32]
    """First polygon. Shape: (nmesh)."""
    mesh_polynormal: _Array[np.float64]
    """Unit normal of the polygon. Shape: (nmeshpoly, 3)."""
    mesh_polyvertadr: _Array[np.int32]
    """Where the corners of the polygon start in `mesh_polyvert`. Shape: (nmeshpoly)."""
    mesh_polyvertnum: _Array[np.int32]
    """How many corners the polygon has. Shape: (nmeshpoly)."""
    mesh_polyvert: _Array[np.int32]
    """Vertices at the corners of the polygons, counted within the mesh. Shape: (nmeshpolyvert)."""
    mesh_polymapadr: _Array[np.int32]
    """Where the polygons at the vertex start in `mesh_polymap`. Shape: (nmeshvert)."""
    mesh_polymapnum: _Array[np.int32]
    """How many polygons meet at the vertex. Shape: (nmeshvert)."""
    mesh_polymap: _Array[np.int32]
    """Polygons by vertex. Shape: (nmeshpolymap)."""
    skin_matid: _Array[np.int32]
    """Material; -1: none. Shape: (nskin)."""
    skin_group: _Array[np.int32]
    """Visibility group. Shape: (nskin)."""
    skin_rgba: _Array[np.float32]
    """Colour where no material is given. Shape: (nskin, 4)."""
    skin_inflate: _Array[np.float32]
    """Distance that vertices are moved outwards by, along their normals. Shape: (nskin)."""
    skin_vertadr: _Array[np.int32]
    """First vertex. Shape: (nskin)."""
    skin_vertnum: _Array[np.int32]
    """How many vertices the skin has. Shape: (nskin)."""
    skin_texcoordadr: _Array[np.int32]
    """First texture coordinate; -1: none. Shape: (nskin)."""
    skin_faceadr: _Array[np.int32]
    """First triangle. Shape: (nskin)."""
    skin_facenum: _Array[np.int32]
    """How many triangles the skin has. Shape: (nskin)."""
    skin_boneadr: _Array[np.int32]
    """First bone. Shape: (nskin)."""
    skin_bonenum: _Array[np.int32]
    """How many bones the skin has. Shape: (nskin)."""
    skin_vert: _Array[np.float32]
    """Vertices in the bind pose, in world coordinates. Shape: (nskinvert, 3)."""
    skin_texcoord: _Array[np.float32]
    """Texture coordinates, one per vertex. Shape: (nskintexvert, 2)."""
    skin_face: _Array[np.int32]
    """The three vertices of the triangle, counted within the skin. Shape: (nskinface, 3)."""
    skin_bonevertadr: _Array[np.int32]
    """Where the bone starts in `skin_bonevertid` and `skin_bonevertweight`. Shape: (nskinbone)."""
    skin_bonevertnum: _Array[np.int32]
    """How many vertices the bone pulls at. Shape: (nskinbone)."""
    skin_bonebindpos: _Array[np.float32]
    """Position of the bone in the bind pose. Shape: (nskinbone, 3)."""
    skin_bonebindquat: _Array[np.float32]
    """Orientation of the bone in the bind pose. Shape: (nskinbone, 4)."""
    skin_bonebodyid: _Array[np.int32]
    """Body that moves the bone. Shape: (nskinbone)."""
    skin_bonevertid: _Array[np.int32]
    """Vertex that the bone pulls at, counted within the skin. Shape: (nskinbonevert)."""
    skin_bonevertweight: _Array[np.float32]
    """How strongly the bone pulls at that vertex. Shape: (nskinbonevert)."""
    skin_pathadr: _Array[np.int32]
    """Where the file path starts in `paths`; -1: none. Shape: (nskin)."""
    hfield_size: _Array[np.float64]
    """Half extents in x and y, height of the value 1, depth of the base below 0. Shape: (nhfield, 4)."""
    hfield_nrow: _Array[np.int32]
    """Grid rows, along y. Shape: (nhfield)."""
    hfield_ncol: _Array[np.int32]
    """Grid columns, along x. Shape: (nhfield)."""
    hfield_adr: _Array[np.int32]
    """Where the grid starts in `hfield_data`. Shape: (nhfield)."""
    hfield_data: _Array[np.float32]
    """Heights row by row, scaled to the range from 0 to 1. Shape: (nhfielddata)."""
    hfield_pathadr: _Array[np.int32]
    """Where the file path starts in `paths`; -1: none. Shape: (nhfield)."""
    tex_type: _Array[np.int32]
    """Kind of texture, a `TextureType`. Shape: (ntex)."""
    tex_colorspace: _Array[np.int32]
    """Encoding of the colours, a `ColorSpace`. Shape: (ntex)."""
    tex_height: _Array[np.int32]
    """Height in pixels. Shape: (ntex)."""
    tex_width: _Array[np.int32]
    """Width in pixels. Shape: (ntex)."""
    tex_nchannel: _Array[np.int32]
    """Bytes per pixel. Shape: (ntex)."""
    tex_adr: _Array[np.int64]
    """Where the image starts in `tex_data`. Shape: (ntex)."""
    tex_data: _Array[np.uint8]
    """Images, row by row. Shape: (ntexdata)."""
    tex_pathadr: _Array[np.int32]
    """Where the file path starts in `paths`; -1: none. Shape: (ntex)."""
    mat_texid: _Array[np.int32]
    """Texture for every `TextureRole`; -1: none. Shape: (nmat, 10)."""
    mat_texuniform: _Array[np.uint8]
    """Whether the texture has a fixed size in space, whatever the size of the object. Shape: (nmat)."""
    mat_texrepeat: _Array[np.float32]
    """How often a flat texture repeats in x and y. Shape: (nmat, 2)."""
    mat_emission: _Array[np.float32]
    """Light that it gives off, times its colour. Shape: (nmat)."""
    mat_specular: _Array[np.float32]
    """Strength of highlights, in white. Shape: (nmat)."""
    mat_shininess: _Array[np.float32]
    """Sharpness of highlights. Shape: (nmat)."""
    mat_reflectance: _Array[np.float32]
    """How much it mirrors; 0: not at all. Shape: (nmat)."""
    mat_metallic: _Array[np.float32]
    """How metallic it looks; for physically based renderers. Shape: (nmat)."""
    mat_roughness: _Array[np.float32]
    """How rough it looks; for physically based renderers. Shape: (nmat)."""
    mat_rgba: _Array[np.float32]
    """Colour. Shape: (nmat, 4)."""
    pair_dim: _Array[np.int32]
    """Dimension of the contact: 1, 3, 4 or 6. Shape: (npair)."""
    pair_geom1: _Array[np.int32]
    """First geom. Shape: (npair)."""
    pair_geom2: _Array[np.int32]
    """Second geom. Shape: (npair)."""
    pair_signature: _Array[np.int32]
    """The two bodies in one number, the first one shifted left by 16 bits. Shape: (npair)."""
    pair_solref: _Array[np.float64]
    """Reference dynamics of the contact normal. Shape: (npair, 2)."""
    pair_solreffriction: _Array[np.float64]
    """Reference dynamics of the friction directions; zeros: as the normal. Shape: (npair, 2)."""
    pair_solimp: _Array[np.float64]
    """Impedance of the contact. Shape: (npair, 5)."""
    pair_margin: _Array[np.float64]
    """Distance below which the contact is generated. Shape: (npair)."""
    pair_gap: _Array[np.float64]
    """Part of the margin, from its outer end, in which the contact carries no force. Shape: (npair)."""
    pair_friction: _Array[np.float64]
    """Friction coefficients: two sliding, one torsional, two rolling. Shape: (npair, 5)."""
    exclude_signature: _Array[np.int32]
    """The two bodies in one number, the first one shifted left by 16 bits. Shape: (nexclude)."""
    eq_type: _Array[np.int32]
    """Kind of constraint, an `EqType`. Shape: (neq)."""
    eq_obj1id: _Array[np.int32]
    """First object. Shape: (neq)."""
    eq_obj2id: _Array[np.int32]
    """Second object; -1: none. Shape: (neq)."""
    eq_objtype: _Array[np.int32]
    """What the two objects are, an `ObjType`. Shape: (neq)."""
    eq_active0: _Array[np.uint8]
    """Whether the constraint starts switched on. Shape: (neq)."""
    eq_solref: _Array[np.float64]
    """Reference dynamics. Shape: (neq, 2)."""
    eq_solimp: _Array[np.float64]
    """Impedance. Shape: (neq, 5)."""
    eq_data: _Array[np.float64]
    """Anchors, relative pose or polynomial coefficients, depending on the kind. Shape: (neq, 11)."""
    tendon_adr: _Array[np.int32]
    """First path element. Shape: (ntendon)."""
    tendon_num: _Array[np.int32]
    """How many path elements the tendon has. Shape: (ntendon)."""
    tendon_matid: _Array[np.int32]
    """Material; -1: none. Shape: (ntendon)."""
    tendon_group: _Array[np.int32]
    """Visibility group. Shape: (ntendon)."""
    tendon_treenum: _Array[np.int32]
    """How many kinematic trees the path touches. Shape: (ntendon)."""
    tendon_treeid: _Array[np.int32]
    """The first two kinematic trees that the path touches; -1: none. Shape: (ntendon, 2)."""
    tendon_limited: _Array[np.uint8]
    """Whether `tendon_range` applies. Shape: (ntendon)."""
    tendon_actfrclimited: _Array[np.uint8]
    """Whether `tendon_actfrcrange` applies. Shape: (ntendon)."""
    tendon_width: _Array[np.float64]
    """Radius that is drawn. Shape: (ntendon)."""
    tendon_solref_lim: _Array[np.float64]
    """Reference dynamics of the limit. Shape: (ntendon, 2)."""
    tendon_solimp_lim: _Array[np.float64]
    """Impedance of the limit. Shape: (ntendon, 5)."""
    tendon_solref_fri: _Array[np.float64]
    """Reference dynamics of dry friction. Shape: (ntendon, 2)."""
    tendon_solimp_fri: _Array[np.float64]
    """Impedance of dry friction. Shape: (ntendon, 5)."""
    tendon_range: _Array[np.float64]
    """Shortest and longest length. Shape: (ntendon, 2)."""
    tendon_actfrcrange: _Array[np.float64]
    """Lower and upper bound of the summed actuator force on the tendon. Shape: (ntendon, 2)."""
    tendon_margin: _Array[np.float64]
    """Distance to the limit below which its constraint becomes active. Shape: (ntendon)."""
    tendon_stiffness: _Array[np.float64]
    """Spring constant; 0: no spring. Shape: (ntendon)."""
    tendon_damping: _Array[np.float64]
    """Linear damping coefficient. Shape: (ntendon)."""
    tendon_armature: _Array[np.float64]
    """Inertia that resists changes of length. Shape: (ntendon)."""
    tendon_frictionloss: _Array[np.float64]
    """Largest dry friction force. Shape: (ntendon)."""
    tendon_lengthspring: _Array[np.float64]
    """Shortest and longest length at which the spring is at rest. Shape: (ntendon, 2)."""
    tendon_length0: _Array[np.float64]
    """Length at `qpos0`. Shape: (ntendon)."""
    tendon_invweight0: _Array[np.float64]
    """Inverse inertia that the length sees at `qpos0`. Shape: (ntendon)."""
    tendon_user: _Array[np.float64]
    """User values. Shape: (ntendon, nuser_tendon)."""
    tendon_rgba: _Array[np.float32]
    """Colour where no material is given. Shape: (ntendon, 4)."""
    wrap_type: _Array[np.int32]
    """Kind of path element, a `WrapType`. Shape: (nwrap)."""
    wrap_objid: _Array[np.int32]
    """Joint, site or geom; -1: a pulley. Shape: (nwrap)."""
    wrap_prm: _Array[np.float64]
    """Divisor of a pulley, coefficient of a joint, or side site of a geom; -1: no site. Shape: (nwrap)."""
    actuator_trntype: _Array[np.int32]
    """What the actuator acts on, a `TrnType`. Shape: (nu)."""
    actuator_dyntype: _Array[np.int32]
    """Dynamics of the activation, a `DynType`. Shape: (nu)."""
    actuator_gaintype: _Array[np.int32]
    """Form of the gain, a `GainType`. Shape: (nu)."""
    actuator_biastype: _Array[np.int32]
    """Form of the bias, a `BiasType`. Shape: (nu)."""
    actuator_trnid: _Array[np.int32]
    """Joint, tendon, site or body acted on, and slider or reference site; -1: none. Shape: (nu, 2)."""
    actuator_actadr: _Array[np.int32]
    """First activation in `act`; -1: none. Shape: (nu)."""
    actuator_actnum: _Array[np.int32]
    """How many activations the actuator has. Shape: (nu)."""
    actuator_group: _Array[np.int32]
    """Group, for visibility and for switching off. Shape: (nu)."""
    actuator_history: _Array[np.int32]
    """Number of past controls that are kept, and order of interpolation. Shape: (nu, 2)."""
    actuator_historyadr: _Array[np.int32]
    """Where the past controls start in `history`; -1: none. Shape: (nu)."""
    actuator_delay: _Array[np.float64]
    """Delay of the control in seconds; 0: none. Shape: (nu)."""
    actuator_ctrllimited: _Array[np.uint8]
    """Whether `actuator_ctrlrange` applies. Shape: (nu)."""
    actuator_forcelimited: _Array[np.uint8]
    """Whether `actuator_forcerange` applies. Shape: (nu)."""
    actuator_actlimited: _Array[np.uint8]
    """Whether `actuator_actrange` applies. Shape: (nu)."""
    actuator_dynprm: _Array[np.float64]
    """Parameters of the activation dynamics. Shape: (nu, 10)."""
    actuator_gainprm: _Array[np.float64]
    """Parameters of the gain. Shape: (nu, 10)."""
    actuator_biasprm: _Array[np.float64]
    """Parameters of the bias. Shape: (nu, 10)."""
    actuator_actearly: _Array[np.uint8]
    """Whether the force uses the activation of the end of the step. Shape: (nu)."""
    actuator_ctrlrange: _Array[np.float64]
    """Smallest and largest control. Shape: (nu, 2)."""
    actuator_forcerange: _Array[np.float64]
    """Smallest and largest force. Shape: (nu, 2)."""
    actuator_actrange: _Array[np.float64]
    """Smallest and largest activation. Shape: (nu, 2)."""
    actuator_gear: _Array[np.float64]
    """Factors from actuator force to the dofs or wrench of what is acted on. Shape: (nu, 6)."""
    actuator_cranklength: _Array[np.float64]
    """Length of the connecting rod of a slider-crank. Shape: (nu)."""
    actuator_acc0: _Array[np.float64]
    """Size of the joint acceleration that unit force gives at `qpos0`. Shape: (nu)."""
    actuator_length0: _Array[np.float64]
    """Length at `qpos0`. Shape: (nu)."""
    actuator_lengthrange: _Array[np.float64]
    """Shortest and longest length that the mechanism can reach. Shape: (nu, 2)."""
    actuator_user: _Array[np.float64]
    """User values. Shape: (nu, nuser_actuator)."""
    actuator_plugin: _Array[np.int32]
    """Plugin instance; -1: none. Shape: (nu)."""
    sensor_type: _Array[np.int32]
    """What is measured, a `SensorType`. Shape: (nsensor)."""
    sensor_datatype: _Array[np.int32]
    """What kind of numbers come out, a `DataType`. Shape: (nsensor)."""
    sensor_needstage: _Array[np.int32]
    """Stage after which it can be computed, a `Stage`. Shape: (nsensor)."""
    sensor_objtype: _Array[np.int32]
    """What the measured object is, an `ObjType`. Shape: (nsensor)."""
    sensor_objid: _Array[np.int32]
    """Measured object; -1: none. Shape: (nsensor)."""
    sensor_reftype: _Array[np.int32]
    """What the reference object is, an `ObjType`. Shape: (nsensor)."""
    sensor_refid: _Array[np.int32]
    """Object in whose frame it is measured; -1: the world. Shape: (nsensor)."""
    sensor_intprm: _Array[np.int32]
    """Integer parameters, with a meaning of their own for each kind. Shape: (nsensor, 3)."""
    sensor_dim: _Array[np.int32]
    """How many numbers come out. Shape: (nsensor)."""
    sensor_adr: _Array[np.int32]
    """Where they start in `sensordata`. Shape: (nsensor)."""
    sensor_cutoff: _Array[np.float64]
    """Value that readings are clamped to; 0: not clamped. Shape: (nsensor)."""
    sensor_noise: _Array[np.float64]
    """Standard deviation of the noise; not applied by the engine. Shape: (nsensor)."""
    sensor_history: _Array[np.int32]
    """Number of past readings that are kept, and order of interpolation. Shape: (nsensor, 2)."""
    sensor_historyadr: _Array[np.int32]
    """Where the past readings start in `history`; -1: none. Shape: (nsensor)."""
    sensor_delay: _Array[np.float64]
    """Delay of the reading in seconds; 0: none. Shape: (nsensor)."""
    sensor_interval: _Array[np.float64]
    """Period and phase of sampling, in seconds; period 0: every step. Shape: (nsensor, 2)."""
    sensor_user: _Array[np.float64]
    """User values. Shape: (nsensor, nuser_sensor)."""
    sensor_plugin: _Array[np.int32]
    """Plugin instance; -1: none. Shape: (nsensor)."""
    plugin: _Array[np.int32]
    """Number under which the plugin is registered. Shape: (nplugin)."""
    plugin_stateadr: _Array[np.int32]
    """Where its state starts in `plugin_state`. Shape: (nplugin)."""
    plugin_statenum: _Array[np.int32]
    """How many state values it has. Shape: (nplugin)."""
    plugin_attr: _Array[np.int8]
    """Settings of all instances, as zero-terminated text. Shape: (npluginattr)."""
    plugin_attradr: _Array[np.int32]
    """Where its settings start in `plugin_attr`. Shape: (nplugin)."""
    numeric_adr: _Array[np.int32]
    """Where the field starts in `numeric_data`. Shape: (nnumeric)."""
    numeric_size: _Array[np.int32]
    """How many values the field has. Shape: (nnumeric)."""
    numeric_data: _Array[np.float64]
    """Values of all fields. Shape: (nnumericdata)."""
    text_adr: _Array[np.int32]
    """Where the text starts in `text_data`. Shape: (ntext)."""
    text_size: _Array[np.int32]
    """How many bytes the text has, its final zero included. Shape: (ntext)."""
    @property
    def text_data(self) -> bytes:
        """All texts, each with a final zero."""
    tuple_adr: _Array[np.int32]
    """First member. Shape: (ntuple)."""
    tuple_size: _Array[np.int32]
    """How many members the tuple has. Shape: (ntuple)."""
    tuple_objtype: _Array[np.int32]
    """What the member is, an `ObjType`. Shape: (ntupledata)."""
    tuple_objid: _Array[np.int32]
    """Id of the member. Shape: (ntupledata)."""
    tuple_objprm: _Array[np.float64]
    """Number attached to the member. Shape: (ntupledata)."""
    key_time: _Array[np.float64]
    """Time. Shape: (nkey)."""
    key_qpos: _Array[np.float64]
    """Positions. Shape: (nkey, nq)."""
    key_qvel: _Array[np.float64]
    """Velocities. Shape: (nkey, nv)."""
    key_act: _Array[np.float64]
    """Activations. Shape: (nkey, na)."""
    key_mpos: _Array[np.float64]
    """Positions of the mocap bodies. Shape: (nkey, nmocap, 3)."""
    key_mquat: _Array[np.float64]
    """Orientations of the mocap bodies. Shape: (nkey, nmocap, 4)."""
    key_ctrl: _Array[np.float64]
    """Controls. Shape: (nkey, nu)."""
    name_bodyadr: _Array[np.int32]
    """Where the name of the body starts in `names`. Shape: (nbody)."""
    name_jntadr: _Array[np.int32]
    """Where the name of the joint starts in `names`. Shape: (njnt)."""
    name_geomadr: _Array[np.int32]
    """Where the name of the geom starts in `names`. Shape: (ngeom)."""
    name_siteadr: _Array[np.int32]
    """Where the name of the site starts in `names`. Shape: (nsite)."""
    name_camadr: _Array[np.int32]
    """Where the name of the camera starts in `names`. Shape: (ncam)."""
    name_lightadr: _Array[np.int32]
    """Where the name of the light starts in `names`. Shape: (nlight)."""
    name_flexadr: _Array[np.int32]
    """Where the name of the flex starts in `names`. Shape: (nflex)."""
    name_meshadr: _Array[np.int32]
    """Where the name of the mesh starts in `names`. Shape: (nmesh)."""
    name_skinadr: _Array[np.int32]
    """Where the name of the skin starts in `names`. Shape: (nskin)."""
    name_hfieldadr: _Array[np.int32]
    """Where the name of the height field starts in `names`. Shape: (nhfield)."""
    name_texadr: _Array[np.int32]
    """Where the name of the texture starts in `names`. Shape: (ntex)."""
    name_matadr: _Array[np.int32]
    """Where the name of the material starts in `names`. Shape: (nmat)."""
    name_pairadr: _Array[np.int32]
    """Where the name of the contact pair starts in `names`. Shape: (npair)."""
    name_excludeadr: _Array[np.int32]
    """Where the name of the excluded pair starts in `names`. Shape: (nexclude)."""
    name_eqadr: _Array[np.int32]
    """Where the name of the equality constraint starts in `names`. Shape: (neq)."""
    name_tendonadr: _Array[np.int32]
    """Where the name of the tendon starts in `names`. Shape: (ntendon)."""
    name_actuatoradr: _Array[np.int32]
    """Where the name of the actuator starts in `names`. Shape: (nu)."""
    name_sensoradr: _Array[np.int32]
    """Where the name of the sensor starts in `names`. Shape: (nsensor)."""
    name_numericadr: _Array[np.int32]
    """Where the name of the custom numbers starts in `names`. Shape: (nnumeric)."""
    name_textadr: _Array[np.int32]
    """Where the name of the custom text starts in `names`. Shape: (ntext)."""
    name_tupleadr: _Array[np.int32]
    """Where the name of the custom tuple starts in `names`. Shape: (ntuple)."""
    name_keyadr: _Array[np.int32]
    """Where the name of the keyframe starts in `names`. Shape: (nkey)."""
    name_pluginadr: _Array[np.int32]
    """Where the name of the plugin instance starts in `names`. Shape: (nplugin)."""
    @property
    def names(self) -> bytes:
        """Name of the model, then of every object, each with a final zero."""
    names_map: _Array[np.int32]
    """Hash map from name to id, one section per kind of object; -1: empty slot. Shape: (nnames_map)."""
    @property
    def paths(self) -> bytes:
        """File paths of the assets, each with a final zero."""
    B_rownnz: _Array[np.int32]
    """How many dofs move the body. Shape: (nbody)."""
    B_rowadr: _Array[np.int32]
    """Where the dofs that move the body start in `B_colind`. Shape: (nbody)."""
    B_colind: _Array[np.int32]
    """Dofs by body. Shape: (nB)."""
    M_rownnz: _Array[np.int32]
    """Length of the dof's row of `M`; the diagonal entry is the last one. Shape: (nv)."""
    M_rowadr: _Array[np.int32]
    """Start of the dof's row of `M`. Shape: (nv)."""
    M_colind: _Array[np.int32]
    """Column of every entry of `M`. Shape: (nC)."""
    mapM2M: _Array[np.int32]
    """For every entry of `M`, its address in `qM`. Shape: (nC)."""
    D_rownnz: _Array[np.int32]
    """Length of the dof's row of `qDeriv`. Shape: (nv)."""
    D_rowadr: _Array[np.int32]
    """Start of the dof's row of `qDeriv`. Shape: (nv)."""
    D_diag: _Array[np.int32]
    """Place of the diagonal entry within the dof's row of `qDeriv`. Shape: (nv)."""
    D_colind: _Array[np.int32]
    """Column of every entry of `qDeriv`. Shape: (nD)."""
    mapM2D: _Array[np.int32]
    """For every entry of `qDeriv`, its address in `M`, by symmetry; -1: zero there. Shape: (nD)."""
    mapD2M: _Array[np.int32]
    """For every entry of `M`, its address in `qDeriv`. Shape: (nC)."""

class MjData:
    """State and results of one simulation of a model. Arrays have MuJoCo's names and shapes. Those of fixed length are live numpy views: `data.qpos` is always the same array, and `data.qpos = x` writes into it. Those whose length follows the constraints (`efc_*`, islands) show the rows until the data changes."""
    def __new__(cls, model: MjModel) -> MjData: ...
    def __copy__(self) -> MjData: ...
    def __deepcopy__(self, memo: Any) -> MjData: ...
    @property
    def model(self) -> MjModel: ...
    @property
    def contact(self) -> _MjContactList: ...
    @property
    def warning(self) -> _RecordList[MjWarningStat]: ...
    @property
    def timer(self) -> _RecordList[MjTimerStat]: ...
    @property
    def solver(self) -> _RecordList[MjSolverStat]: ...
    @property
    def signature(self) -> int: ...
    def bind(self, elements: MjsElement | Sequence[MjsElement]) -> Any: ...
    def bind_scalar(self, element: MjsElement) -> Any: ...
    @property
    def narena(self) -> int: ...
    @property
    def nbuffer(self) -> int: ...
    @property
    def nplugin(self) -> int: ...
    pstack: int
    pbase: int
    parena: int
    maxuse_stack: int
    maxuse_arena: int
    threadpool: int
    @property
    def maxuse_threadstack(self) -> NDArray[np.uint64]: ...
    @property
    def plugin_data(self) -> NDArray[np.uint64]: ...
    def actuator(self, name: str | SupportsIndex = ...) -> _MjDataActuatorViews: ...
    def body(self, name: str | SupportsIndex = ...) -> _MjDataBodyViews: ...
    def cam(self, name: str | SupportsIndex = ...) -> _MjDataCameraViews: ...
    def camera(self, name: str | SupportsIndex = ...) -> _MjDataCameraViews: ...
    def geom(self, name: str | SupportsIndex = ...) -> _MjDataGeomViews: ...
    def jnt(self, name: str | SupportsIndex = ...) -> _MjDataJointViews: ...
    def joint(self, name: str | SupportsIndex = ...) -> _MjDataJointViews: ...
    def light(self, name: str | SupportsIndex = ...) -> _MjDataLightViews: ...
    def sensor(self, name: str | SupportsIndex = ...) -> _MjDataSensorViews: ...
    def site(self, name: str | SupportsIndex = ...) -> _MjDataSiteViews: ...
    def ten(self, name: str | SupportsIndex = ...) -> _MjDataTendonViews: ...
    def tendon(self, name: str | SupportsIndex = ...) -> _MjDataTendonViews: ...
    time: float
    """Simulation time."""
    energy: _Array[np.float64]
    """Potential and kinetic energy. Shape: (2)."""
    solver_fwdinv: _Array[np.float64]
    """Difference between forward and inverse dynamics: constraint forces, applied forces. Shape: (2)."""
    @property
    def ncon(self) -> int:
        """Number of detected contacts."""
    @property
    def ne(self) -> int:
        """Number of equality rows."""
    @property
    def nf(self) -> int:
        """Number of friction rows."""
    @property
    def nl(self) -> int:
        """Number of limit rows."""
    @property
    def nefc(self) -> int:
        """Number of constraint rows."""
    @property
    def nJ(self) -> int:
        """Number of nonzeros of the constraint Jacobian."""
    @property
    def nA(self) -> int:
        """Number of nonzeros of the dual matrix."""
    @property
    def nisland(self) -> int:
        """Number of constraint islands."""
    @property
    def nidof(self) -> int:
        """Number of dofs in all islands."""
    @property
    def ntree_awake(self) -> int:
        """Number of trees that are awake."""
    @property
    def nbody_awake(self) -> int:
        """Number of bodies that are awake or static."""
    @property
    def nparent_awake(self) -> int:
        """Number of bodies whose parent is awake or static."""
    @property
    def nv_awake(self) -> int:
        """Number of dofs that are awake."""
    @property
    def maxuse_con(self) -> int:
        """Largest number of contacts so far."""
    @property
    def maxuse_efc(self) -> int:
        """Largest number of constraint rows so far."""
    flg_energypos: int
    """Whether the potential energy is that of the current position."""
    flg_energyvel: int
    """Whether the kinetic energy is that of the current velocity."""
    flg_subtreevel: int
    """Whether the subtree velocities are current."""
    flg_rnepost: int
    """Whether the post-constraint accelerations and forces are current."""
    solver_niter: _Array[np.int32]
    """Number of solver iterations, by island. Shape: (20)."""
    solver_nnz: _Array[np.int32]
    """Number of nonzeros in the Hessian or in the dual matrix, by island. Shape: (20)."""
    qpos: _Array[np.float64]
    """Position: coordinates of the joints. Shape: (nq)."""
    qvel: _Array[np.float64]
    """Velocity of the dofs. Shape: (nv)."""
    act: _Array[np.float64]
    """Activation of the actuators. Shape: (na)."""
    history: _Array[np.float64]
    """Past controls and sensor readings, for delays. Shape: (nhistory)."""
    qacc_warmstart: _Array[np.float64]
    """Acceleration of the previous step, the first guess of the solver. Shape: (nv)."""
    plugin_state: _Array[np.float64]
    """State of the plugins. Shape: (npluginstate)."""
    ctrl: _Array[np.float64]
    """Control, one number per actuator. Shape: (nu)."""
    qfrc_applied: _Array[np.float64]
    """Force on the dofs. Set by the user. Shape: (nv)."""
    xfrc_applied: _Array[np.float64]
    """Force, torque on the body at its centre of mass, in the world. Set by the user. Shape: (nbody, 6)."""
    eq_active: _Array[np.uint8]
    """Whether the equality constraint is switched on. Shape: (neq)."""
    mocap_pos: _Array[np.float64]
    """World position of the mocap bodies. Shape: (nmocap, 3)."""
    mocap_quat: _Array[np.float64]
    """World orientation of the mocap bodies. Shape: (nmocap, 4)."""
    qacc: _Array[np.float64]
    """Acceleration of the dofs. Computed by `fwd_constraint`. Shape: (nv)."""
    act_dot: _Array[np.float64]
    """Time derivative of `act`. Computed by `fwd_actuation`. Shape: (na)."""
    userdata: _Array[np.float64]
    """Space for the user; the engine does not touch it. Shape: (nuserdata)."""
    sensordata: _Array[np.float64]
    """Sensor readings. Computed by `sensor_pos`, `sensor_vel` and `sensor_acc`. Shape: (nsensordata)."""
    tree_asleep: _Array[np.int32]
    """Negative: awake, counting up to sleep. Else the next tree of its sleeping ring. Shape: (ntree)."""
    plugin: _Array[np.int32]
    """Registered number of the plugin, copied from the model. Shape: (nplugin)."""
    xpos: _Array[np.float64]
    """World position of the body frame. Computed by `kinematics`. Shape: (nbody, 3)."""
    xquat: _Array[np.float64]
    """World orientation of the body frame. Computed by `kinematics`. Shape: (nbody, 4)."""
    xmat: _Array[np.float64]
    """World orientation of the body frame, as a matrix. Computed by `kinematics`. Shape: (nbody, 9)."""
    xipos: _Array[np.float64]
    """World position of the body's centre of mass. Computed by `kinematics`. Shape: (nbody, 3)."""
    ximat: _Array[np.float64]
    """World orientation of the body's principal axes. Computed by `kinematics`. Shape: (nbody, 9)."""
    xanchor: _Array[np.float64]
    """World position of the joint anchor. Computed by `kinematics`. Shape: (njnt, 3)."""
    xaxis: _Array[np.float64]
    """World direction of the joint axis. Computed by `kinematics`. Shape: (njnt, 3)."""
    geom_xpos: _Array[np.float64]
    """World position of the geom. Computed by `kinematics`. Shape: (ngeom, 3)."""
    geom_xmat: _Array[np.float64]
    """World orientation of the geom. Computed by `kinematics`. Shape: (ngeom, 9)."""
    site_xpos: _Array[np.float64]
    """World position of the site. Computed by `kinematics`. Shape: (nsite, 3)."""
    site_xmat: _Array[np.float64]
    """World orientation of the site. Computed by `kinematics`. Shape: (nsite, 9)."""
    cam_xpos: _Array[np.float64]
    """World position of the camera. Computed by `camlight`. Shape: (ncam, 3)."""
    cam_xmat: _Array[np.float64]
    """World orientation of the camera. Computed by `camlight`. Shape: (ncam, 9)."""
    light_xpos: _Array[np.float64]
    """World position of the light. Computed by `camlight`. Shape: (nlight, 3)."""
    light_xdir: _Array[np.float64]
    """World direction of the light. Computed by `camlight`. Shape: (nlight, 3)."""
    subtree_com: _Array[np.float64]
    """World centre of mass of the body and its descendants. Computed by `com_pos`. Shape: (nbody, 3)."""
    cdof: _Array[np.float64]
    """Motion axis about the com of its tree (rot:lin). Computed by `com_pos`. Shape: (nv, 6)."""
    cinert: _Array[np.float64]
    """Inertia and mass of the body about the com of its tree. Computed by `com_pos`. Shape: (nbody, 10)."""
    flexvert_xpos: _Array[np.float64]
    """World position of the flex vertex. Computed by `flex`. Shape: (nflexvert, 3)."""
    flexelem_aabb: _Array[np.float64]
    """World box of the flex element: centre, half sizes. Computed by `flex`. Shape: (nflexelem, 6)."""
    flexedge_J: _Array[np.float64]
    """Derivative of the edge length by the dofs, sparse. Computed by `flex`. Shape: (nJfe)."""
    flexedge_length: _Array[np.float64]
    """Length of the flex edge. Computed by `flex`. Shape: (nflexedge)."""
    flexvert_J: _Array[np.float64]
    """Derivative of the two vertex strains by the dofs, sparse. Computed by `flex`. Shape: (nJfv, 2)."""
    flexvert_length: _Array[np.float64]
    """Two strain measures at the flex vertex, 0 at rest. Computed by `flex`. Shape: (nflexvert, 2)."""
    bvh_aabb_dyn: _Array[np.float64]
    """World box of the dynamic volume: centre, half sizes. Computed by `flex`. Shape: (nbvhdynamic, 6)."""
    ten_wrapadr: _Array[np.int32]
    """First point of the path in `wrap_xpos`. Computed by `tendon`. Shape: (ntendon)."""
    ten_wrapnum: _Array[np.int32]
    """How many points the path has. Computed by `tendon`. Shape: (ntendon)."""
    ten_J_rownnz: _Array[np.int32]
    """Length of the tendon's row of `ten_J`. Computed by `tendon`. Shape: (ntendon)."""
    ten_J_rowadr: _Array[np.int32]
    """Start of the tendon's row of `ten_J`. Computed by `tendon`. Shape: (ntendon)."""
    ten_J_colind: _Array[np.int32]
    """Dof of every entry of `ten_J`. Computed by `tendon`. Shape: (ntendon, nv)."""
    ten_J: _Array[np.float64]
    """Derivative of the tendon length by the dofs. Computed by `tendon`. Shape: (ntendon, nv)."""
    ten_length: _Array[np.float64]
    """Length of the tendon. Computed by `tendon`. Shape: (ntendon)."""
    wrap_obj: _Array[np.int32]
    """What the path point is on: a geom, -1 a site, -2 a pulley. Computed by `tendon`. Shape: (nwrap, 2)."""
    wrap_xpos: _Array[np.float64]
    """World positions of the path points, two per element. Computed by `tendon`. Shape: (nwrap, 6)."""
    actuator_length: _Array[np.float64]
    """Length of the actuator. Computed by `transmission`. Shape: (nu)."""
    moment_rownnz: _Array[np.int32]
    """Length of the actuator's row of `actuator_moment`. Computed by `transmission`. Shape: (nu)."""
    moment_rowadr: _Array[np.int32]
    """Start of the actuator's row of `actuator_moment`. Computed by `transmission`. Shape: (nu)."""
    moment_colind: _Array[np.int32]
    """Dof of every entry of `actuator_moment`. Computed by `transmission`. Shape: (nJmom)."""
    actuator_moment: _Array[np.float64]
    """Derivative of the length by the dofs, sparse. Computed by `transmission`. Shape: (nJmom)."""
    crb: _Array[np.float64]
    """Inertia and mass of the subtree about the com of its tree. Computed by `crb`. Shape: (nbody, 10)."""
    qM: _Array[np.float64]
    """Mass matrix, each dof followed by its ancestors. Computed by `legacy_m`. Shape: (nM)."""
    M: _Array[np.float64]
    """Mass matrix, lower triangle in compressed rows. Computed by `make_m`. Shape: (nC)."""
    qLD: _Array[np.float64]
    """Factors L and D of `M = Lᵀ D L`, laid out as `M`. Computed by `factor_m`. Shape: (nC)."""
    qLDiagInv: _Array[np.float64]
    """Reciprocals of the entries of D. Computed by `factor_m`. Shape: (nv)."""
    bvh_active: _Array[np.uint8]
    """Whether the volume was looked into. Computed by `collision`. Shape: (nbvh)."""
    tree_awake: _Array[np.int32]
    """Whether the tree is awake. Computed by `update_sleep`. Shape: (ntree)."""
    body_awake: _Array[np.int32]
    """Asleep, awake or static, a `SleepState`. Computed by `update_sleep`. Shape: (nbody)."""
    body_awake_ind: _Array[np.int32]
    """Bodies awake or static, `nbody_awake` of them. Computed by `update_sleep`. Shape: (nbody)."""
    parent_awake_ind: _Array[np.int32]
    """Bodies whose parent is awake or static. Computed by `update_sleep`. Shape: (nbody)."""
    dof_awake_ind: _Array[np.int32]
    """Dofs awake, `nv_awake` of them. Computed by `update_sleep`. Shape: (nv)."""
    flexedge_velocity: _Array[np.float64]
    """Rate of change of the flex edge length. Computed by `fwd_velocity`. Shape: (nflexedge)."""
    ten_velocity: _Array[np.float64]
    """Rate of change of the tendon length. Computed by `fwd_velocity`. Shape: (ntendon)."""
    actuator_velocity: _Array[np.float64]
    """Rate of change of the actuator length. Computed by `fwd_velocity`. Shape: (nu)."""
    cvel: _Array[np.float64]
    """Velocity of the body about the com of its tree (rot:lin). Computed by `com_vel`. Shape: (nbody, 6)."""
    cdof_dot: _Array[np.float64]
    """Rate of change of `cdof` (rot:lin). Computed by `com_vel`. Shape: (nv, 6)."""
    qfrc_bias: _Array[np.float64]
    """Coriolis, centrifugal and gravity force. Computed by `rne`. Shape: (nv)."""
    qfrc_spring: _Array[np.float64]
    """Force of springs. Computed by `passive`. Shape: (nv)."""
    qfrc_damper: _Array[np.float64]
    """Force of dampers. Computed by `passive`. Shape: (nv)."""
    qfrc_gravcomp: _Array[np.float64]
    """Force that compensates gravity. Computed by `passive`. Shape: (nv)."""
    qfrc_fluid: _Array[np.float64]
    """Force of the surrounding medium. Computed by `passive`. Shape: (nv)."""
    qfrc_passive: _Array[np.float64]
    """Sum of all passive forces. Computed by `passive`. Shape: (nv)."""
    subtree_linvel: _Array[np.float64]
    """Velocity of the subtree's centre of mass. Computed by `subtree_vel` on demand. Shape: (nbody, 3)."""
    subtree_angmom: _Array[np.float64]
    """Angular momentum about that centre. Computed by `subtree_vel` on demand. Shape: (nbody, 3)."""
    qH: _Array[np.float64]
    """Factors of `M` with implicit damping. Computed by `euler` or `implicit`. Shape: (nC)."""
    qHDiagInv: _Array[np.float64]
    """Reciprocals of the D that belongs to `qH`. Computed by `euler` or `implicit`. Shape: (nv)."""
    qDeriv: _Array[np.float64]
    """Derivative of the smooth forces by `qvel`, sparse. Computed by `smooth_vel`. Shape: (nD)."""
    qLU: _Array[np.float64]
    """LU factors of `M - timestep * qDeriv`. Computed by `implicit`. Shape: (nD)."""
    actuator_force: _Array[np.float64]
    """Force of the actuator along its length. Computed by `fwd_actuation`. Shape: (nu)."""
    qfrc_actuator: _Array[np.float64]
    """Force of all actuators on the dofs. Computed by `fwd_actuation`. Shape: (nv)."""
    qfrc_smooth: _Array[np.float64]
    """All forces but those of constraints. Computed by `fwd_acceleration`. Shape: (nv)."""
    qacc_smooth: _Array[np.float64]
    """Acceleration without constraints. Computed by `fwd_acceleration`. Shape: (nv)."""
    qfrc_constraint: _Array[np.float64]
    """Force of all constraints on the dofs. Computed by `fwd_constraint`. Shape: (nv)."""
    qfrc_inverse: _Array[np.float64]
    """Force that would give `qacc`. Computed by `inverse`. Shape: (nv)."""
    cacc: _Array[np.float64]
    """Acceleration of the body (rot:lin). Computed by `rne_post_constraint` on demand. Shape: (nbody, 6)."""
    cfrc_int: _Array[np.float64]
    """Force from the parent (rot:lin). Computed by `rne_post_constraint` on demand. Shape: (nbody, 6)."""
    cfrc_ext: _Array[np.float64]
    """Force from outside (rot:lin). Computed by `rne_post_constraint` on demand. Shape: (nbody, 6)."""
    @property
    def efc_type(self) -> NDArray[np.int32]:
        """What the row comes from, a `ConstraintType`. Computed by `make_constraint`. Shape: (nefc)."""
    @property
    def efc_id(self) -> NDArray[np.int32]:
        """Equality, dof, joint, tendon or contact behind it. Computed by `make_constraint`. Shape: (nefc)."""
    @property
    def efc_J_rownnz(self) -> NDArray[np.int32]:
        """Length of the row of `efc_J`, if sparse. Computed by `constraint_jacobian`. Shape: (nefc)."""
    @property
    def efc_J_rowadr(self) -> NDArray[np.int32]:
        """Start of the row of `efc_J`, if sparse. Computed by `constraint_jacobian`. Shape: (nefc)."""
    @property
    def efc_J_rowsuper(self) -> NDArray[np.int32]:
        """How many rows that follow share its columns. Computed by `constraint_jacobian`. Shape: (nefc)."""
    @property
    def efc_J_colind(self) -> NDArray[np.int32]:
        """Dof of every entry of `efc_J`, if sparse. Computed by `constraint_jacobian`. Shape: (nJ)."""
    @property
    def efc_J(self) -> NDArray[np.float64]:
        """Constraint Jacobian, dense or sparse. Computed by `constraint_jacobian`. Shape: (nJ)."""
    @property
    def efc_pos(self) -> NDArray[np.float64]:
        """Violation or distance, 0 for friction. Computed by `make_constraint`. Shape: (nefc)."""
    @property
    def efc_margin(self) -> NDArray[np.float64]:
        """Distance at which the row becomes active. Computed by `make_constraint`. Shape: (nefc)."""
    @property
    def efc_frictionloss(self) -> NDArray[np.float64]:
        """Largest force of a dry friction row. Computed by `make_constraint`. Shape: (nefc)."""
    @property
    def efc_diagApprox(self) -> NDArray[np.float64]:
        """Estimated diagonal of `J M⁻¹ Jᵀ`. Computed by `make_constraint`. Shape: (nefc)."""
    @property
    def efc_KBIP(self) -> NDArray[np.float64]:
        """Stiffness, damping, impedance and its slope. Computed by `make_constraint`. Shape: (nefc, 4)."""
    @property
    def efc_D(self) -> NDArray[np.float64]:
        """Weight of the row, the reciprocal of `efc_R`. Computed by `make_constraint`. Shape: (nefc)."""
    @property
    def efc_R(self) -> NDArray[np.float64]:
        """Regularisation of the row. Computed by `make_constraint`. Shape: (nefc)."""
    @property
    def tendon_efcadr(self) -> NDArray[np.int32]:
        """First row that involves the tendon; -1: none. Computed by `make_constraint`. Shape: (ntendon)."""
    @property
    def tree_island(self) -> NDArray[np.int32]:
        """Island of the tree; -1: none. Computed by `island`. Shape: (ntree)."""
    @property
    def island_ntree(self) -> NDArray[np.int32]:
        """How many trees the island has. Computed by `island`. Shape: (nisland)."""
    @property
    def island_itreeadr(self) -> NDArray[np.int32]:
        """First tree of the island, in island order. Computed by `island`. Shape: (nisland)."""
    @property
    def map_itree2tree(self) -> NDArray[np.int32]:
        """Tree for every place in island order. Computed by `island`. Shape: (ntree)."""
    @property
    def dof_island(self) -> NDArray[np.int32]:
        """Island of the dof; -1: none. Computed by `island`. Shape: (nv)."""
    @property
    def island_nv(self) -> NDArray[np.int32]:
        """How many dofs the island has. Computed by `island`. Shape: (nisland)."""
    @property
    def island_idofadr(self) -> NDArray[np.int32]:
        """First dof of the island, in island order. Computed by `island`. Shape: (nisland)."""
    @property
    def island_dofadr(self) -> NDArray[np.int32]:
        """First dof of the island, in model order. Computed by `island`. Shape: (nisland)."""
    @property
    def map_dof2idof(self) -> NDArray[np.int32]:
        """Place of the dof in island order. Computed by `island`. Shape: (nv)."""
    @property
    def map_idof2dof(self) -> NDArray[np.int32]:
        """Dof for every place in island order; free dofs come last. Computed by `island`. Shape: (nv)."""
    @property
    def ifrc_smooth(self) -> NDArray[np.float64]:
        """`qfrc_smooth` in island order. Computed by `island_arrays`. Shape: (nidof)."""
    @property
    def iacc_smooth(self) -> NDArray[np.float64]:
        """`qacc_smooth` in island order. Computed by `island_arrays`. Shape: (nidof)."""
    @property
    def iM_rownnz(self) -> NDArray[np.int32]:
        """Length of the dof's row of `iM`. Computed by `island_arrays`. Shape: (nidof)."""
    @property
    def iM_rowadr(self) -> NDArray[np.int32]:
        """Start of the dof's row of `iM`. Computed by `island_arrays`. Shape: (nidof)."""
    @property
    def iM_colind(self) -> NDArray[np.int32]:
        """Column of every entry of `iM`, counted within the island. Computed by `island_arrays`. Shape: (nC)."""
    @property
    def iM(self) -> NDArray[np.float64]:
        """`M` in island order. Computed by `island_arrays`. Shape: (nC)."""
    @property
    def iLD(self) -> NDArray[np.float64]:
        """`qLD` in island order. Computed by `island_arrays`. Shape: (nC)."""
    @property
    def iLDiagInv(self) -> NDArray[np.float64]:
        """`qLDiagInv` in island order. Computed by `island_arrays`. Shape: (nidof)."""
    @property
    def iacc(self) -> NDArray[np.float64]:
        """`qacc` in island order. Computed by `island_arrays`. Shape: (nidof)."""
    @property
    def efc_island(self) -> NDArray[np.int32]:
        """Island of the row. Computed by `island`. Shape: (nefc)."""
    @property
    def island_ne(self) -> NDArray[np.int32]:
        """How many equality rows the island has. Computed by `island`. Shape: (nisland)."""
    @property
    def island_nf(self) -> NDArray[np.int32]:
        """How many friction rows the island has. Computed by `island`. Shape: (nisland)."""
    @property
    def island_nefc(self) -> NDArray[np.int32]:
        """How many rows the island has. Computed by `island`. Shape: (nisland)."""
    @property
    def island_iefcadr(self) -> NDArray[np.int32]:
        """First row of the island, in island order. Computed by `island`. Shape: (nisland)."""
    @property
    def map_efc2iefc(self) -> NDArray[np.int32]:
        """Place of the row in island order. Computed by `island`. Shape: (nefc)."""
    @property
    def map_iefc2efc(self) -> NDArray[np.int32]:
        """Row for every place in island order. Computed by `island`. Shape: (nefc)."""
    @property
    def iefc_type(self) -> NDArray[np.int32]:
        """`efc_type` in island order. Computed by `island_arrays`. Shape: (nefc)."""
    @property
    def iefc_id(self) -> NDArray[np.int32]:
        """`efc_id` in island order. Computed by `island_arrays`. Shape: (nefc)."""
    @property
    def iefc_J_rownnz(self) -> NDArray[np.int32]:
        """`efc_J_rownnz` in island order. Computed by `island_arrays`. Shape: (nefc)."""
    @property
    def iefc_J_rowadr(self) -> NDArray[np.int32]:
        """Start of the row of `iefc_J`. Computed by `island_arrays`. Shape: (nefc)."""
    @property
    def iefc_J_rowsuper(self) -> NDArray[np.int32]:
        """How many rows that follow share its columns. Computed by `island_arrays`. Shape: (nefc)."""
    @property
    def iefc_J_colind(self) -> NDArray[np.int32]:
        """Dof of every entry of `iefc_J`, within the island. Computed by `island_arrays`. Shape: (nJ)."""
    @property
    def iefc_J(self) -> NDArray[np.float64]:
        """`efc_J` in island order. Computed by `island_arrays`. Shape: (nJ)."""
    @property
    def iefc_frictionloss(self) -> NDArray[np.float64]:
        """`efc_frictionloss` in island order. Computed by `island_arrays`. Shape: (nefc)."""
    @property
    def iefc_D(self) -> NDArray[np.float64]:
        """`efc_D` in island order. Computed by `island_arrays`. Shape: (nefc)."""
    @property
    def iefc_R(self) -> NDArray[np.float64]:
        """`efc_R` in island order. Computed by `island_arrays`. Shape: (nefc)."""
    @property
    def efc_AR_rownnz(self) -> NDArray[np.int32]:
        """Length of the row of `efc_AR`, if sparse. Computed by `project_constraint`. Shape: (nefc)."""
    @property
    def efc_AR_rowadr(self) -> NDArray[np.int32]:
        """Start of the row of `efc_AR`, if sparse. Computed by `project_constraint`. Shape: (nefc)."""
    @property
    def efc_AR_colind(self) -> NDArray[np.int32]:
        """Column of every entry of `efc_AR`, if sparse. Computed by `project_constraint`. Shape: (nA)."""
    @property
    def efc_AR(self) -> NDArray[np.float64]:
        """`J M⁻¹ Jᵀ + R`, for solvers in force space. Computed by `project_constraint`. Shape: (nA)."""
    @property
    def efc_vel(self) -> NDArray[np.float64]:
        """Velocity along the row, `J qvel`. Computed by `reference_constraint`. Shape: (nefc)."""
    @property
    def efc_aref(self) -> NDArray[np.float64]:
        """Acceleration that the row aims at. Computed by `reference_constraint`. Shape: (nefc)."""
    @property
    def efc_b(self) -> NDArray[np.float64]:
        """Unconstrained minus aimed-at acceleration. Computed by `fwd_constraint`. Shape: (nefc)."""
    @property
    def iefc_aref(self) -> NDArray[np.float64]:
        """`efc_aref` in island order. Computed by `island_arrays`. Shape: (nefc)."""
    @property
    def iefc_state(self) -> NDArray[np.int32]:
        """`efc_state` in island order. Computed by `island_arrays`. Shape: (nefc)."""
    @property
    def iefc_force(self) -> NDArray[np.float64]:
        """`efc_force` in island order. Computed by `island_arrays`. Shape: (nefc)."""
    @property
    def efc_state(self) -> NDArray[np.int32]:
        """Branch of the row's cost, a `ConstraintState`. Computed by `fwd_constraint`. Shape: (nefc)."""
    @property
    def efc_force(self) -> NDArray[np.float64]:
        """Force along the row. Computed by `fwd_constraint`. Shape: (nefc)."""
    @property
    def ifrc_constraint(self) -> NDArray[np.float64]:
        """`qfrc_constraint` in island order. Computed by `island_arrays`. Shape: (nidof)."""

class MjOption:
    """Physics options."""
    def __new__(cls) -> MjOption: ...
    def __copy__(self) -> MjOption: ...
    def __deepcopy__(self, memo: Any) -> MjOption: ...
    timestep: float
    """Time that one step advances by."""
    impratio: float
    """Ratio of frictional to normal constraint impedance."""
    tolerance: float
    """Improvement or gradient below which the main solver stops."""
    ls_tolerance: float
    """Tolerance of the line search, relative to that of the solver."""
    noslip_tolerance: float
    """Tolerance of the no-slip solver."""
    ccd_tolerance: float
    """Tolerance of the convex collider."""
    sleep_tolerance: float
    """Velocity below which a tree may fall asleep."""
    gravity: _Array[np.float64]
    """Gravitational acceleration. Shape: (3)."""
    wind: _Array[np.float64]
    """Velocity of the medium: wind, or water current. Shape: (3)."""
    magnetic: _Array[np.float64]
    """Global magnetic flux, read by magnetometers. Shape: (3)."""
    density: float
    """Density of the medium."""
    viscosity: float
    """Viscosity of the medium."""
    o_margin: float
    """Contact override: margin."""
    o_solref: _Array[np.float64]
    """Contact override: solref. Shape: (2)."""
    o_solimp: _Array[np.float64]
    """Contact override: solimp. Shape: (5)."""
    o_friction: _Array[np.float64]
    """Contact override: friction. Shape: (5)."""
    integrator: int
    """Integration scheme, an `Integrator`."""
    cone: int
    """Shape of the friction cone, a `Cone`."""
    jacobian: int
    """Storage of the constraint Jacobian, a `Jacobian`."""
    solver: int
    """Constraint solver, a `Solver`."""
    iterations: int
    """Largest number of iterations of the main solver."""
    ls_iterations: int
    """Largest number of iterations of the line search."""
    noslip_iterations: int
    """Largest number of iterations of the no-slip solver."""
    ccd_iterations: int
    """Largest number of iterations of the convex collider."""
    disableflags: int
    """Parts of the physics that are switched off, bits of `Disable`."""
    enableflags: int
    """Optional parts that are switched on, bits of `Enable`."""
    disableactuator: int
    """Actuator groups that are switched off, a bit each."""
    sdf_initpoints: int
    """Number of starting points of the signed-distance collider."""
    sdf_iterations: int
    """Largest number of iterations of the signed-distance collider."""

class MjStatistic:
    """Statistics of the model."""
    def __new__(cls) -> MjStatistic: ...
    def __copy__(self) -> MjStatistic: ...
    def __deepcopy__(self, memo: Any) -> MjStatistic: ...
    meaninertia: float
    """Mean diagonal of the mass matrix."""
    meanmass: float
    """Mean mass of the bodies."""
    meansize: float
    """Mean size of the bodies."""
    extent: float
    """Spatial extent."""
    center: _Array[np.float64]
    """Centre of the extent. Shape: (3)."""

class MjVisualGlobal:
    """Global visual settings."""
    def __new__(cls) -> MjVisualGlobal: ...
    def __copy__(self) -> MjVisualGlobal: ...
    def __deepcopy__(self, memo: Any) -> MjVisualGlobal: ...
    cameraid: int
    """Camera that the view starts with; -1: the free camera."""
    orthographic: int
    """Whether the free camera is orthographic."""
    fovy: float
    """Vertical field of view of the free camera: degrees, or a length if orthographic."""
    ipd: float
    """Distance between the eyes of the free camera, for stereo."""
    azimuth: float
    """Azimuth that the free camera starts with, in degrees."""
    elevation: float
    """Elevation that the free camera starts with, in degrees."""
    linewidth: float
    """Width of lines in wireframes and rays, in pixels."""
    glow: float
    """Emission added to the selected body."""
    realtime: float
    """Simulated time per wall-clock time that a viewer starts with."""
    offwidth: int
    """Width of images rendered off screen, in pixels."""
    offheight: int
    """Height of images rendered off screen, in pixels."""
    ellipsoidinertia: int
    """Whether inertias are drawn as ellipsoids instead of boxes."""
    bvactive: int
    """Whether bounding volumes that were looked into are highlighted."""

class MjVisualQuality:
    """Rendering quality."""
    def __new__(cls) -> MjVisualQuality: ...
    def __copy__(self) -> MjVisualQuality: ...
    def __deepcopy__(self, memo: Any) -> MjVisualQuality: ...
    shadowsize: int
    """Width and height of the shadow map, in pixels."""
    offsamples: int
    """Samples per pixel of images rendered off screen."""
    numslices: int
    """Divisions of round shapes around their axis."""
    numstacks: int
    """Divisions of round shapes along their axis."""
    numquads: int
    """Divisions of the edges of boxes."""

class MjVisualHeadlight:
    """The light at the camera."""
    def __new__(cls) -> MjVisualHeadlight: ...
    def __copy__(self) -> MjVisualHeadlight: ...
    def __deepcopy__(self, memo: Any) -> MjVisualHeadlight: ...
    ambient: _Array[np.float32]
    """Ambient colour. Shape: (3)."""
    diffuse: _Array[np.float32]
    """Diffuse colour. Shape: (3)."""
    specular: _Array[np.float32]
    """Specular colour. Shape: (3)."""
    active: int
    """Whether it is switched on."""

class MjVisualMap:
    """Scale factors between physical and visual quantities."""
    def __new__(cls) -> MjVisualMap: ...
    def __copy__(self) -> MjVisualMap: ...
    def __deepcopy__(self, memo: Any) -> MjVisualMap: ...
    stiffness: float
    """Force per distance when dragging a body."""
    stiffnessrot: float
    """Torque per angle when turning a body."""
    force: float
    """Length of an arrow per unit of force, divided by the mean mass."""
    torque: float
    """Length of an arrow per unit of torque."""
    alpha: float
    """Factor on the opacity of geoms while they are shown transparent."""
    fogstart: float
    """Distance at which fog begins, in units of the extent."""
    fogend: float
    """Distance at which fog is complete, in units of the extent."""
    znear: float
    """Distance of the near clipping plane, in units of the extent."""
    zfar: float
    """Distance of the far clipping plane, in units of the extent."""
    haze: float
    """Share of the skybox, up from the horizon, that fades into the haze colour."""
    shadowclip: float
    """Reach of the shadows of directional lights, in units of the extent."""
    shadowscale: float
    """Part of the cone of spot lights that casts shadows."""
    actuatortendon: float
    """Factor on the width of tendons that show their actuator."""

class MjVisualScale:
    """Sizes of decorative objects."""
    def __new__(cls) -> MjVisualScale: ...
    def __copy__(self) -> MjVisualScale: ...
    def __deepcopy__(self, memo: Any) -> MjVisualScale: ...
    forcewidth: float
    """Thickness of force arrows."""
    contactwidth: float
    """Radius of contact discs."""
    contactheight: float
    """Height of contact discs."""
    connect: float
    """Width of the rods that connect bodies."""
    com: float
    """Radius of the balls at centres of mass."""
    camera: float
    """Size of cameras."""
    light: float
    """Size of lights."""
    selectpoint: float
    """Radius of the ball at the selected point."""
    jointlength: float
    """Length of joint axes."""
    jointwidth: float
    """Width of joint axes."""
    actuatorlength: float
    """Length of actuators on joints."""
    actuatorwidth: float
    """Width of actuators on joints."""
    framelength: float
    """Length of the axes of frames."""
    framewidth: float
    """Width of the axes of frames."""
    constraint: float
    """Width of the rods that show violated constraints."""
    slidercrank: float
    """Width of slider-cranks."""
    frustum: float
    """Distance of the far plane of camera frustums."""

class MjVisualRgba:
    """Colours of decorative objects."""
    def __new__(cls) -> MjVisualRgba: ...
    def __copy__(self) -> MjVisualRgba: ...
    def __deepcopy__(self, memo: Any) -> MjVisualRgba: ...
    fog: _Array[np.float32]
    """Fog in the distance. Shape: (4)."""
    haze: _Array[np.float32]
    """Haze at the horizon. Shape: (4)."""
    force: _Array[np.float32]
    """Arrows of applied forces. Shape: (4)."""
    inertia: _Array[np.float32]
    """Boxes or ellipsoids of inertia. Shape: (4)."""
    joint: _Array[np.float32]
    """Joint axes. Shape: (4)."""
    actuator: _Array[np.float32]
    """Actuators at rest. Shape: (4)."""
    actuatornegative: _Array[np.float32]
    """Actuators at the lower end of their range. Shape: (4)."""
    actuatorpositive: _Array[np.float32]
    """Actuators at the upper end of their range. Shape: (4)."""
    com: _Array[np.float32]
    """Balls at centres of mass. Shape: (4)."""
    camera: _Array[np.float32]
    """Cameras. Shape: (4)."""
    light: _Array[np.float32]
    """Lights. Shape: (4)."""
    selectpoint: _Array[np.float32]
    """Ball at the selected point. Shape: (4)."""
    connect: _Array[np.float32]
    """Rods that connect bodies. Shape: (4)."""
    contactpoint: _Array[np.float32]
    """Contacts that carry force. Shape: (4)."""
    contactforce: _Array[np.float32]
    """Arrows of contact forces. Shape: (4)."""
    contactfriction: _Array[np.float32]
    """Friction part of contact forces, when shown apart. Shape: (4)."""
    contacttorque: _Array[np.float32]
    """Arrows of contact torques. Shape: (4)."""
    contactgap: _Array[np.float32]
    """Contacts within the gap, which carry no force. Shape: (4)."""
    rangefinder: _Array[np.float32]
    """Rays of rangefinders. Shape: (4)."""
    constraint: _Array[np.float32]
    """Rods that show violated constraints. Shape: (4)."""
    slidercrank: _Array[np.float32]
    """Slider-cranks. Shape: (4)."""
    crankbroken: _Array[np.float32]
    """Slider-cranks whose rod cannot reach. Shape: (4)."""
    frustum: _Array[np.float32]
    """Frustums of cameras. Shape: (4)."""
    bv: _Array[np.float32]
    """Bounding volumes. Shape: (4)."""
    bvactive: _Array[np.float32]
    """Bounding volumes that were looked into. Shape: (4)."""

class MjWarningStat:
    """How often a warning was raised."""
    def __new__(cls) -> MjWarningStat: ...
    def __copy__(self) -> MjWarningStat: ...
    def __deepcopy__(self, memo: Any) -> MjWarningStat: ...
    lastinfo: int
    """What the last one was about, such as the index of a dof."""
    number: int
    """Number of times since the last reset."""

class MjTimerStat:
    """Time spent in a stage."""
    def __new__(cls) -> MjTimerStat: ...
    def __copy__(self) -> MjTimerStat: ...
    def __deepcopy__(self, memo: Any) -> MjTimerStat: ...
    duration: float
    """Total duration."""
    number: int
    """Number of calls."""

class MjSolverStat:
    """What one solver iteration did."""
    def __new__(cls) -> MjSolverStat: ...
    def __copy__(self) -> MjSolverStat: ...
    def __deepcopy__(self, memo: Any) -> MjSolverStat: ...
    improvement: float
    """Reduction of the cost, scaled."""
    gradient: float
    """Norm of the gradient, scaled."""
    lineslope: float
    """Slope of the cost along the search direction, relative to the start."""
    nactive: int
    """Number of active rows."""
    nchange: int
    """Number of rows whose state changed."""
    neval: int
    """Number of cost evaluations in the line search."""
    nupdate: int
    """Number of updates of the factorisation."""

class MjContact:
    """One contact: of a simulation, or by itself. Setting a field writes to the simulation, and so does writing to an array."""
    def __new__(cls) -> MjContact: ...
    def __copy__(self) -> MjContact: ...
    def __deepcopy__(self, memo: Any) -> MjContact: ...
    dist: float
    """Distance between the surfaces; negative when they overlap."""
    pos: _Array[np.float64]
    """Contact point, midway between the surfaces. Shape: (3)."""
    frame: _Array[np.float64]
    """Axes of the contact frame by rows; the first is the normal, from the first object to the second. Shape: (9)."""
    includemargin: float
    """Distance below which the contact produces a force: margin less gap."""
    friction: _Array[np.float64]
    """Friction coefficients: two tangential, one torsional, two rolling. Shape: (5)."""
    solref: _Array[np.float64]
    """Reference dynamics of the normal direction. Shape: (2)."""
    solreffriction: _Array[np.float64]
    """Reference dynamics of the friction directions; zero means the same as `solref`. Shape: (2)."""
    solimp: _Array[np.float64]
    """Impedance. Shape: (5)."""
    mu: float
    """Friction coefficient of the regularised cone."""
    H: _Array[np.float64]
    """Hessian of the cone. Shape: (36)."""
    dim: int
    """Dimension of the contact space: 1, 3, 4 or 6."""
    geom1: int
    """First geom; -1 for a flex."""
    geom2: int
    """Second geom; -1 for a flex."""
    geom: _Array[np.int32]
    """Both geoms; -1 for a flex. Shape: (2)."""
    flex: _Array[np.int32]
    """Both flexes; -1 for a geom. Shape: (2)."""
    elem: _Array[np.int32]
    """Flex elements; -1 for a geom or a flex vertex. Shape: (2)."""
    vert: _Array[np.int32]
    """Flex vertices; -1 for a geom or a flex element. Shape: (2)."""
    exclude: int
    """Why the contact gives no force: 0 it does, 1 in the gap, 2 fused, 3 no dofs, 4 passive."""
    efc_address: int
    """Address of the first constraint row; -1 when there is none."""

class MjVisual:
    Global: type[MjVisualGlobal]
    Quality: type[MjVisualQuality]
    Headlight: type[MjVisualHeadlight]
    Map: type[MjVisualMap]
    Scale: type[MjVisualScale]
    Rgba: type[MjVisualRgba]
    def __copy__(self) -> MjVisual: ...
    def __deepcopy__(self, memo: Any) -> MjVisual: ...
    @property
    def global_(self) -> MjVisualGlobal: ...
    @property
    def quality(self) -> MjVisualQuality: ...
    @property
    def headlight(self) -> MjVisualHeadlight: ...
    @property
    def map(self) -> MjVisualMap: ...
    @property
    def scale(self) -> MjVisualScale: ...
    @property
    def rgba(self) -> MjVisualRgba: ...

class MjLROpt:
    def __new__(cls) -> MjLROpt: ...
    def __copy__(self) -> MjLROpt: ...
    def __deepcopy__(self, memo: Any) -> MjLROpt: ...
    mode: int
    useexisting: int
    uselimit: int
    accel: float
    maxforce: float
    timeconst: float
    timestep: float
    inttotal: float
    interval: float
    tolrange: float

class _MjContactList:
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: SupportsIndex) -> MjContact: ...
    @overload
    def __getitem__(self, index: slice) -> list[MjContact]: ...
    @property
    def dist(self) -> NDArray[np.float64]:
        """Distance between the surfaces; negative when they overlap. Shape: (ncon)."""
    @property
    def pos(self) -> NDArray[np.float64]:
        """Contact point, midway between the surfaces. Shape: (ncon, 3)."""
    @property
    def frame(self) -> NDArray[np.float64]:
        """Axes of the contact frame by rows; the first is the normal, from the first object to the second. Shape: (ncon, 9)."""
    @property
    def includemargin(self) -> NDArray[np.float64]:
        """Distance below which the contact produces a force: margin less gap. Shape: (ncon)."""
    @property
    def friction(self) -> NDArray[np.float64]:
        """Friction coefficients: two tangential, one torsional, two rolling. Shape: (ncon, 5)."""
    @property
    def solref(self) -> NDArray[np.float64]:
        """Reference dynamics of the normal direction. Shape: (ncon, 2)."""
    @property
    def solreffriction(self) -> NDArray[np.float64]:
        """Reference dynamics of the friction directions; zero means the same as `solref`. Shape: (ncon, 2)."""
    @property
    def solimp(self) -> NDArray[np.float64]:
        """Impedance. Shape: (ncon, 5)."""
    @property
    def mu(self) -> NDArray[np.float64]:
        """Friction coefficient of the regularised cone. Shape: (ncon)."""
    @property
    def H(self) -> NDArray[np.float64]:
        """Hessian of the cone. Shape: (ncon, 36)."""
    @property
    def dim(self) -> NDArray[np.int32]:
        """Dimension of the contact space: 1, 3, 4 or 6. Shape: (ncon)."""
    @property
    def geom1(self) -> NDArray[np.int32]:
        """First geom; -1 for a flex. Shape: (ncon)."""
    @property
    def geom2(self) -> NDArray[np.int32]:
        """Second geom; -1 for a flex. Shape: (ncon)."""
    @property
    def geom(self) -> NDArray[np.int32]:
        """Both geoms; -1 for a flex. Shape: (ncon, 2)."""
    @property
    def flex(self) -> NDArray[np.int32]:
        """Both flexes; -1 for a geom. Shape: (ncon, 2)."""
    @property
    def elem(self) -> NDArray[np.int32]:
        """Flex elements; -1 for a geom or a flex vertex. Shape: (ncon, 2)."""
    @property
    def vert(self) -> NDArray[np.int32]:
        """Flex vertices; -1 for a geom or a flex element. Shape: (ncon, 2)."""
    @property
    def exclude(self) -> NDArray[np.int32]:
        """Why the contact gives no force: 0 it does, 1 in the gap, 2 fused, 3 no dofs, 4 passive. Shape: (ncon)."""
    @property
    def efc_address(self) -> NDArray[np.int32]:
        """Address of the first constraint row; -1 when there is none. Shape: (ncon)."""

class _MjModelActuatorViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    acc0: _Array[np.float64]
    actadr: _Array[np.int32]
    actearly: _Array[np.uint8]
    actlimited: _Array[np.uint8]
    actnum: _Array[np.int32]
    actrange: _Array[np.float64]
    biasprm: _Array[np.float64]
    biastype: _Array[np.int32]
    cranklength: _Array[np.float64]
    ctrllimited: _Array[np.uint8]
    ctrlrange: _Array[np.float64]
    delay: _Array[np.float64]
    dynprm: _Array[np.float64]
    dyntype: _Array[np.int32]
    forcelimited: _Array[np.uint8]
    forcerange: _Array[np.float64]
    gainprm: _Array[np.float64]
    gaintype: _Array[np.int32]
    gear: _Array[np.float64]
    group: _Array[np.int32]
    history: _Array[np.int32]
    historyadr: _Array[np.int32]
    length0: _Array[np.float64]
    lengthrange: _Array[np.float64]
    plugin: _Array[np.int32]
    trnid: _Array[np.int32]
    trntype: _Array[np.int32]
    user: _Array[np.float64]

class _MjModelBodyViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    bvhadr: _Array[np.int32]
    bvhnum: _Array[np.int32]
    conaffinity: _Array[np.int32]
    contype: _Array[np.int32]
    dofadr: _Array[np.int32]
    dofnum: _Array[np.int32]
    geomadr: _Array[np.int32]
    geomnum: _Array[np.int32]
    gravcomp: _Array[np.float64]
    inertia: _Array[np.float64]
    invweight0: _Array[np.float64]
    ipos: _Array[np.float64]
    iquat: _Array[np.float64]
    jntadr: _Array[np.int32]
    jntnum: _Array[np.int32]
    margin: _Array[np.float64]
    mass: _Array[np.float64]
    mocapid: _Array[np.int32]
    parentid: _Array[np.int32]
    plugin: _Array[np.int32]
    pos: _Array[np.float64]
    quat: _Array[np.float64]
    rootid: _Array[np.int32]
    sameframe: _Array[np.uint8]
    simple: _Array[np.uint8]
    subtreemass: _Array[np.float64]
    treeid: _Array[np.int32]
    user: _Array[np.float64]
    weldid: _Array[np.int32]

class _MjModelCameraViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    bodyid: _Array[np.int32]
    fovy: _Array[np.float64]
    intrinsic: _Array[np.float32]
    ipd: _Array[np.float64]
    mat0: _Array[np.float64]
    mode: _Array[np.int32]
    output: _Array[np.int32]
    pos: _Array[np.float64]
    pos0: _Array[np.float64]
    poscom0: _Array[np.float64]
    projection: _Array[np.int32]
    quat: _Array[np.float64]
    resolution: _Array[np.int32]
    sensorsize: _Array[np.float32]
    targetbodyid: _Array[np.int32]
    user: _Array[np.float64]

class _MjModelEqualityViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    active0: _Array[np.uint8]
    data: _Array[np.float64]
    obj1id: _Array[np.int32]
    obj2id: _Array[np.int32]
    objtype: _Array[np.int32]
    solimp: _Array[np.float64]
    solref: _Array[np.float64]
    type: _Array[np.int32]

class _MjModelExcludeViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    signature: _Array[np.int32]

class _MjModelGeomViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    aabb: _Array[np.float64]
    bodyid: _Array[np.int32]
    conaffinity: _Array[np.int32]
    condim: _Array[np.int32]
    contype: _Array[np.int32]
    dataid: _Array[np.int32]
    fluid: _Array[np.float64]
    friction: _Array[np.float64]
    gap: _Array[np.float64]
    group: _Array[np.int32]
    margin: _Array[np.float64]
    matid: _Array[np.int32]
    plugin: _Array[np.int32]
    pos: _Array[np.float64]
    priority: _Array[np.int32]
    quat: _Array[np.float64]
    rbound: _Array[np.float64]
    rgba: _Array[np.float32]
    sameframe: _Array[np.uint8]
    size: _Array[np.float64]
    solimp: _Array[np.float64]
    solmix: _Array[np.float64]
    solref: _Array[np.float64]
    type: _Array[np.int32]
    user: _Array[np.float64]

class _MjModelHfieldViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    adr: _Array[np.int32]
    data: _Array[np.float32]
    ncol: _Array[np.int32]
    nrow: _Array[np.int32]
    pathadr: _Array[np.int32]
    size: _Array[np.float64]

class _MjModelJointViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    M0: _Array[np.float64]
    Madr: _Array[np.int32]
    actfrclimited: _Array[np.uint8]
    actfrcrange: _Array[np.float64]
    actgravcomp: _Array[np.uint8]
    armature: _Array[np.float64]
    axis: _Array[np.float64]
    bodyid: _Array[np.int32]
    damping: _Array[np.float64]
    dofadr: _Array[np.int32]
    frictionloss: _Array[np.float64]
    group: _Array[np.int32]
    invweight0: _Array[np.float64]
    jntid: _Array[np.int32]
    length: _Array[np.float64]
    limited: _Array[np.uint8]
    margin: _Array[np.float64]
    parentid: _Array[np.int32]
    pos: _Array[np.float64]
    qpos0: _Array[np.float64]
    qpos_spring: _Array[np.float64]
    qposadr: _Array[np.int32]
    range: _Array[np.float64]
    simplenum: _Array[np.int32]
    solimp: _Array[np.float64]
    solref: _Array[np.float64]
    stiffness: _Array[np.float64]
    treeid: _Array[np.int32]
    type: _Array[np.int32]
    user: _Array[np.float64]

class _MjModelLightViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    active: _Array[np.uint8]
    ambient: _Array[np.float32]
    attenuation: _Array[np.float32]
    bodyid: _Array[np.int32]
    bulbradius: _Array[np.float32]
    castshadow: _Array[np.uint8]
    cutoff: _Array[np.float32]
    diffuse: _Array[np.float32]
    dir: _Array[np.float64]
    dir0: _Array[np.float64]
    exponent: _Array[np.float32]
    intensity: _Array[np.float32]
    mode: _Array[np.int32]
    pos: _Array[np.float64]
    pos0: _Array[np.float64]
    poscom0: _Array[np.float64]
    range: _Array[np.float32]
    specular: _Array[np.float32]
    targetbodyid: _Array[np.int32]
    texid: _Array[np.int32]
    type: _Array[np.int32]

class _MjModelMaterialViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    emission: _Array[np.float32]
    metallic: _Array[np.float32]
    reflectance: _Array[np.float32]
    rgba: _Array[np.float32]
    roughness: _Array[np.float32]
    shininess: _Array[np.float32]
    specular: _Array[np.float32]
    texid: _Array[np.int32]
    texrepeat: _Array[np.float32]
    texuniform: _Array[np.uint8]

class _MjModelMeshViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    bvhadr: _Array[np.int32]
    bvhnum: _Array[np.int32]
    faceadr: _Array[np.int32]
    facenum: _Array[np.int32]
    graphadr: _Array[np.int32]
    normaladr: _Array[np.int32]
    normalnum: _Array[np.int32]
    octadr: _Array[np.int32]
    octnum: _Array[np.int32]
    pathadr: _Array[np.int32]
    polyadr: _Array[np.int32]
    polynum: _Array[np.int32]
    pos: _Array[np.float64]
    quat: _Array[np.float64]
    scale: _Array[np.float64]
    texcoordadr: _Array[np.int32]
    texcoordnum: _Array[np.int32]
    vertadr: _Array[np.int32]
    vertnum: _Array[np.int32]

class _MjModelNumericViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    adr: _Array[np.int32]
    data: _Array[np.float64]
    size: _Array[np.int32]

class _MjModelPairViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    dim: _Array[np.int32]
    friction: _Array[np.float64]
    gap: _Array[np.float64]
    geom1: _Array[np.int32]
    geom2: _Array[np.int32]
    margin: _Array[np.float64]
    signature: _Array[np.int32]
    solimp: _Array[np.float64]
    solref: _Array[np.float64]
    solreffriction: _Array[np.float64]

class _MjModelSensorViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    adr: _Array[np.int32]
    cutoff: _Array[np.float64]
    datatype: _Array[np.int32]
    delay: _Array[np.float64]
    dim: _Array[np.int32]
    history: _Array[np.int32]
    historyadr: _Array[np.int32]
    interval: _Array[np.float64]
    intprm: _Array[np.int32]
    needstage: _Array[np.int32]
    noise: _Array[np.float64]
    objid: _Array[np.int32]
    objtype: _Array[np.int32]
    plugin: _Array[np.int32]
    refid: _Array[np.int32]
    reftype: _Array[np.int32]
    type: _Array[np.int32]
    user: _Array[np.float64]

class _MjModelSiteViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    bodyid: _Array[np.int32]
    group: _Array[np.int32]
    matid: _Array[np.int32]
    pos: _Array[np.float64]
    quat: _Array[np.float64]
    rgba: _Array[np.float32]
    sameframe: _Array[np.uint8]
    size: _Array[np.float64]
    type: _Array[np.int32]
    user: _Array[np.float64]

class _MjModelSkinViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    boneadr: _Array[np.int32]
    bonenum: _Array[np.int32]
    faceadr: _Array[np.int32]
    facenum: _Array[np.int32]
    group: _Array[np.int32]
    inflate: _Array[np.float32]
    matid: _Array[np.int32]
    pathadr: _Array[np.int32]
    rgba: _Array[np.float32]
    texcoordadr: _Array[np.int32]
    vertadr: _Array[np.int32]
    vertnum: _Array[np.int32]

class _MjModelTendonViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    actfrclimited: _Array[np.uint8]
    actfrcrange: _Array[np.float64]
    adr: _Array[np.int32]
    armature: _Array[np.float64]
    damping: _Array[np.float64]
    frictionloss: _Array[np.float64]
    group: _Array[np.int32]
    invweight0: _Array[np.float64]
    length0: _Array[np.float64]
    lengthspring: _Array[np.float64]
    limited: _Array[np.uint8]
    margin: _Array[np.float64]
    matid: _Array[np.int32]
    num: _Array[np.int32]
    range: _Array[np.float64]
    rgba: _Array[np.float32]
    solimp_fri: _Array[np.float64]
    solimp_lim: _Array[np.float64]
    solref_fri: _Array[np.float64]
    solref_lim: _Array[np.float64]
    stiffness: _Array[np.float64]
    treeid: _Array[np.int32]
    treenum: _Array[np.int32]
    user: _Array[np.float64]
    width: _Array[np.float64]

class _MjModelTextureViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    adr: _Array[np.int64]
    colorspace: _Array[np.int32]
    data: _Array[np.uint8]
    height: _Array[np.int32]
    nchannel: _Array[np.int32]
    pathadr: _Array[np.int32]
    type: _Array[np.int32]
    width: _Array[np.int32]

class _MjModelTupleViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    adr: _Array[np.int32]
    objid: _Array[np.int32]
    objprm: _Array[np.float64]
    objtype: _Array[np.int32]
    size: _Array[np.int32]

class _MjModelKeyframeViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    act: _Array[np.float64]
    ctrl: _Array[np.float64]
    mpos: _Array[np.float64]
    mquat: _Array[np.float64]
    qpos: _Array[np.float64]
    qvel: _Array[np.float64]
    time: _Array[np.float64]

class _MjDataActuatorViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    ctrl: _Array[np.float64]
    force: _Array[np.float64]
    length: _Array[np.float64]
    moment_rowadr: _Array[np.int32]
    moment_rownnz: _Array[np.int32]
    velocity: _Array[np.float64]

class _MjDataBodyViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    awake: _Array[np.int32]
    cacc: _Array[np.float64]
    cfrc_ext: _Array[np.float64]
    cfrc_int: _Array[np.float64]
    cinert: _Array[np.float64]
    crb: _Array[np.float64]
    cvel: _Array[np.float64]
    subtree_angmom: _Array[np.float64]
    subtree_com: _Array[np.float64]
    subtree_linvel: _Array[np.float64]
    xfrc_applied: _Array[np.float64]
    ximat: _Array[np.float64]
    xipos: _Array[np.float64]
    xmat: _Array[np.float64]
    xpos: _Array[np.float64]
    xquat: _Array[np.float64]

class _MjDataCameraViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    xmat: _Array[np.float64]
    xpos: _Array[np.float64]

class _MjDataGeomViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    xmat: _Array[np.float64]
    xpos: _Array[np.float64]

class _MjDataJointViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    cdof: _Array[np.float64]
    cdof_dot: _Array[np.float64]
    qHDiagInv: _Array[np.float64]
    qLDiagInv: _Array[np.float64]
    qacc: _Array[np.float64]
    qacc_smooth: _Array[np.float64]
    qacc_warmstart: _Array[np.float64]
    qfrc_actuator: _Array[np.float64]
    qfrc_applied: _Array[np.float64]
    qfrc_bias: _Array[np.float64]
    qfrc_constraint: _Array[np.float64]
    qfrc_damper: _Array[np.float64]
    qfrc_fluid: _Array[np.float64]
    qfrc_gravcomp: _Array[np.float64]
    qfrc_inverse: _Array[np.float64]
    qfrc_passive: _Array[np.float64]
    qfrc_smooth: _Array[np.float64]
    qfrc_spring: _Array[np.float64]
    qpos: _Array[np.float64]
    qvel: _Array[np.float64]
    xanchor: _Array[np.float64]
    xaxis: _Array[np.float64]

class _MjDataLightViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    xdir: _Array[np.float64]
    xpos: _Array[np.float64]

class _MjDataSensorViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    data: _Array[np.float64]

class _MjDataSiteViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    xmat: _Array[np.float64]
    xpos: _Array[np.float64]

class _MjDataTendonViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    J: _Array[np.float64]
    J_colind: _Array[np.int32]
    J_rowadr: _Array[np.int32]
    J_rownnz: _Array[np.int32]
    length: _Array[np.float64]
    velocity: _Array[np.float64]
    wrapadr: _Array[np.int32]
    wrapnum: _Array[np.int32]

class MjsElement:
    """An element of a model."""
    @property
    def id(self) -> int: ...
    plugin: MjsPlugin
    @property
    def signature(self) -> int: ...

class MjByteVec:
    """Bytes."""
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[int]: ...
    def __getitem__(self, index: SupportsIndex) -> int: ...
    def __setitem__(self, index: SupportsIndex, value: Any) -> None: ...
    def __array__(self, dtype: Any = None, copy: Any = None) -> NDArray[Any]: ...

class MjCharVec:
    """Letters."""
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[str]: ...
    def __getitem__(self, index: SupportsIndex) -> str: ...
    def __setitem__(self, index: SupportsIndex, value: Any) -> None: ...
    def __array__(self, dtype: Any = None, copy: Any = None) -> NDArray[Any]: ...

class MjDoubleVec:
    """Numbers."""
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[float]: ...
    def __getitem__(self, index: SupportsIndex) -> float: ...
    def __setitem__(self, index: SupportsIndex, value: Any) -> None: ...
    def __array__(self, dtype: Any = None, copy: Any = None) -> NDArray[Any]: ...

class MjFloatVec:
    """Numbers in single precision."""
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[float]: ...
    def __getitem__(self, index: SupportsIndex) -> float: ...
    def __setitem__(self, index: SupportsIndex, value: Any) -> None: ...
    def __array__(self, dtype: Any = None, copy: Any = None) -> NDArray[Any]: ...

class MjIntVec:
    """Integers."""
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[int]: ...
    def __getitem__(self, index: SupportsIndex) -> int: ...
    def __setitem__(self, index: SupportsIndex, value: Any) -> None: ...
    def __array__(self, dtype: Any = None, copy: Any = None) -> NDArray[Any]: ...

class MjSpec:
    """An editable model."""
    def __init__(self) -> None: ...
    def activate_plugin(self, name: str) -> None: ...
    def actuator(self, name: str) -> MjsActuator | None: ...
    @property
    def actuators(self) -> list[MjsActuator]: ...
    def add_actuator(self, default: MjsDefault | None = None, **attributes: Any) -> MjsActuator: ...
    def add_default(self, name: str, parent: MjsDefault | None = None) -> MjsDefault | None: ...
    def add_equality(self, default: MjsDefault | None = None, **attributes: Any) -> MjsEquality: ...
    def add_exclude(self, default: MjsDefault | None = None, **attributes: Any) -> MjsExclude: ...
    def add_flex(self, default: MjsDefault | None = None, **attributes: Any) -> MjsFlex: ...
    def add_hfield(self, default: MjsDefault | None = None, **attributes: Any) -> MjsHField: ...
    def add_key(self, default: MjsDefault | None = None, **attributes: Any) -> MjsKey: ...
    def add_material(self, default: MjsDefault | None = None, **attributes: Any) -> MjsMaterial: ...
    def add_mesh(self, default: MjsDefault | None = None, **attributes: Any) -> MjsMesh: ...
    def add_numeric(self, default: MjsDefault | None = None, **attributes: Any) -> MjsNumeric: ...
    def add_pair(self, default: MjsDefault | None = None, **attributes: Any) -> MjsPair: ...
    def add_plugin(self, default: MjsDefault | None = None, **attributes: Any) -> MjsPlugin: ...
    def add_sensor(self, default: MjsDefault | None = None, **attributes: Any) -> MjsSensor: ...
    def add_skin(self, default: MjsDefault | None = None, **attributes: Any) -> MjsSkin: ...
    def add_tendon(self, default: MjsDefault | None = None, **attributes: Any) -> MjsTendon: ...
    def add_text(self, default: MjsDefault | None = None, **attributes: Any) -> MjsText: ...
    def add_texture(self, default: MjsDefault | None = None, **attributes: Any) -> MjsTexture: ...
    def add_tuple(self, default: MjsDefault | None = None, **attributes: Any) -> MjsTuple: ...
    assets: dict[str, Any]
    def attach(self, child: MjSpec, prefix: str | None = None, suffix: str | None = None, site: MjsSite | str | None = None, frame: MjsFrame | str | None = None) -> MjsFrame: ...
    @property
    def bodies(self) -> list[MjsBody]: ...
    def body(self, name: str) -> MjsBody | None: ...
    def camera(self, name: str) -> MjsCamera | None: ...
    @property
    def cameras(self) -> list[MjsCamera]: ...
    comment: str
    def compile(self) -> MjModel: ...
    @property
    def compiler(self) -> MjsCompiler: ...
    def copy(self) -> MjSpec: ...
    copy_during_attach: bool
    @property
    def default(self) -> MjsDefault: ...
    def delete(self, element: MjsElement | MjsDefault | MjsPlugin) -> None: ...
    @property
    def equalities(self) -> list[MjsEquality]: ...
    def equality(self, name: str) -> MjsEquality | None: ...
    def exclude(self, name: str) -> MjsExclude | None: ...
    @property
    def excludes(self) -> list[MjsExclude]: ...
    def find_default(self, name: str) -> MjsDefault | None: ...
    def flex(self, name: str) -> MjsFlex | None: ...
    @property
    def flexes(self) -> list[MjsFlex]: ...
    def frame(self, name: str) -> MjsFrame | None: ...
    @property
    def frames(self) -> list[MjsFrame]: ...
    @staticmethod
    def from_file(filename: str | os.PathLike[str], include: Mapping[str, Any] | None = None, assets: Mapping[str, Any] | None = None, *, root: str | os.PathLike[str] | None = None) -> MjSpec: ...
    @staticmethod
    def from_string(xml: str | bytes, include: Mapping[str, Any] | None = None, assets: Mapping[str, Any] | None = None, *, root: str | os.PathLike[str] | None = None) -> MjSpec: ...
    @staticmethod
    def from_urdf(filename: str | os.PathLike[str], packages: Mapping[str, str | os.PathLike[str]] | None = None, mimic: bool = False, free_base: bool = False, keep_visual: bool = False, turn_inertia: bool = False) -> MjSpec: ...
    @staticmethod
    def from_zip(file: Any) -> MjSpec: ...
    def geom(self, name: str) -> MjsGeom | None: ...
    @property
    def geoms(self) -> list[MjsGeom]: ...
    hasImplicitPluginElem: int
    def hfield(self, name: str) -> MjsHField | None: ...
    @property
    def hfields(self) -> list[MjsHField]: ...
    def joint(self, name: str) -> MjsJoint | None: ...
    @property
    def joints(self) -> list[MjsJoint]: ...
    def key(self, name: str) -> MjsKey | None: ...
    @property
    def keys(self) -> list[MjsKey]: ...
    def light(self, name: str) -> MjsLight | None: ...
    @property
    def lights(self) -> list[MjsLight]: ...
    def material(self, name: str) -> MjsMaterial | None: ...
    @property
    def materials(self) -> list[MjsMaterial]: ...
    memory: int
    def mesh(self, name: str) -> MjsMesh | None: ...
    meshdir: str
    @property
    def meshes(self) -> list[MjsMesh]: ...
    modelfiledir: str
    modelname: str
    nconmax: int
    nemax: int
    njmax: int
    nkey: int
    nstack: int
    def numeric(self, name: str) -> MjsNumeric | None: ...
    @property
    def numerics(self) -> list[MjsNumeric]: ...
    nuser_actuator: int
    nuser_body: int
    nuser_cam: int
    nuser_geom: int
    nuser_jnt: int
    nuser_sensor: int
    nuser_site: int
    nuser_tendon: int
    nuserdata: int
    option: MjOption
    override_assets: bool
    def pair(self, name: str) -> MjsPair | None: ...
    @property
    def pairs(self) -> list[MjsPair]: ...
    @property
    def parent(self) -> Any: ...
    def plugin(self, name: str) -> MjsPlugin | None: ...
    @property
    def plugins(self) -> list[MjsPlugin]: ...
    def recompile(self, model: MjModel, data: MjData) -> tuple[MjModel, MjData]: ...
    @staticmethod
    def resolve_orientation(degree: bool | int, sequence: Any = None, orientation: MjsOrientation = None) -> list[float]: ...
    def sensor(self, name: str) -> MjsSensor | None: ...
    @property
    def sensors(self) -> list[MjsSensor]: ...
    def site(self, name: str) -> MjsSite | None: ...
    @property
    def sites(self) -> list[MjsSite]: ...
    def skin(self, name: str) -> MjsSkin | None: ...
    @property
    def skins(self) -> list[MjsSkin]: ...
    stat: MjStatistic
    strippath: int
    def tendon(self, name: str) -> MjsTendon | None: ...
    @property
    def tendons(self) -> list[MjsTendon]: ...
    def text(self, name: str) -> MjsText | None: ...
    @property
    def texts(self) -> list[MjsText]: ...
    def texture(self, name: str) -> MjsTexture | None: ...
    texturedir: str
    @property
    def textures(self) -> list[MjsTexture]: ...
    def to_file(self, path: str | os.PathLike[str]) -> None: ...
    def to_xml(self) -> str: ...
    def to_zip(self, file: Any) -> None: ...
    def tuple(self, name: str) -> MjsTuple | None: ...
    @property
    def tuples(self) -> list[MjsTuple]: ...
    @property
    def visual(self) -> MjVisual: ...
    @property
    def worldbody(self) -> MjsBody: ...

class MjStringVec:
    """Texts."""
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[str]: ...
    def __getitem__(self, index: SupportsIndex) -> str: ...
    def __setitem__(self, index: SupportsIndex, value: Any) -> None: ...
    def __array__(self, dtype: Any = None, copy: Any = None) -> NDArray[Any]: ...

class MjsActuator(MjsElement):
    """An actuator."""
    actdim: int
    actearly: int
    actlimited: int
    actrange: _Array[np.float64]
    biasprm: _Array[np.float64]
    biastype: mjtBias
    classname: MjsDefault
    cranklength: float
    ctrllimited: int
    ctrlrange: _Array[np.float64]
    delay: float
    dynprm: _Array[np.float64]
    dyntype: mjtDyn
    forcelimited: int
    forcerange: _Array[np.float64]
    gainprm: _Array[np.float64]
    gaintype: mjtGain
    gear: _Array[np.float64]
    group: int
    info: str
    inheritrange: float
    interp: int
    lengthrange: _Array[np.float64]
    name: str
    nsample: int
    refsite: str
    def set_to_adhesion(self, gain: float) -> None: ...
    def set_to_cylinder(self, timeconst: float, bias: float, area: float, diameter: float = -1) -> None: ...
    def set_to_damper(self, kv: float) -> None: ...
    def set_to_intvelocity(self, kp: float, kv: float = -1, dampratio: float = -1, timeconst: float = -1, inheritrange: bool = False) -> None: ...
    def set_to_motor(self) -> None: ...
    def set_to_muscle(self, timeconst: ArrayLike = (-1, -1), tausmooth: float = 0.0, range: ArrayLike = (-1, -1), force: float = -1.0, scale: float = -1.0, lmin: float = -1.0, lmax: float = -1.0, vmax: float = -1.0, fpmax: float = -1.0, fvmax: float = -1.0) -> None: ...
    def set_to_position(self, kp: float, kv: float = -1, dampratio: float = -1, timeconst: float = -1, inheritrange: bool = False) -> None: ...
    def set_to_velocity(self, kv: float) -> None: ...
    slidersite: str
    target: str
    trntype: mjtTrn
    userdata: Any

class MjsBody(MjsElement):
    """A body and what is in it."""
    def add_body(self, default: MjsDefault | None = None, **attributes: Any) -> MjsBody: ...
    def add_camera(self, default: MjsDefault | None = None, **attributes: Any) -> MjsCamera: ...
    def add_frame(self, parentframe: MjsFrame | None = None, **attributes: Any) -> MjsFrame: ...
    def add_freejoint(self, **attributes: Any) -> MjsJoint: ...
    def add_geom(self, default: MjsDefault | None = None, **attributes: Any) -> MjsGeom: ...
    def add_joint(self, default: MjsDefault | None = None, **attributes: Any) -> MjsJoint: ...
    def add_light(self, default: MjsDefault | None = None, **attributes: Any) -> MjsLight: ...
    def add_site(self, default: MjsDefault | None = None, **attributes: Any) -> MjsSite: ...
    alt: Any
    def attach_frame(self, frame: MjsFrame, prefix: str | None = None, suffix: str | None = None) -> MjsFrame: ...
    @property
    def bodies(self) -> list[MjsBody]: ...
    @property
    def cameras(self) -> list[MjsCamera]: ...
    childclass: str
    classname: MjsDefault
    explicitinertial: int
    def find_all(self, kind: str | int) -> list[Any]: ...
    def find_child(self, name: str) -> MjsBody | None: ...
    def first_body(self) -> MjsBody | None: ...
    def first_camera(self) -> MjsCamera | None: ...
    def first_frame(self) -> MjsFrame | None: ...
    def first_geom(self) -> MjsGeom | None: ...
    def first_joint(self) -> MjsJoint | None: ...
    def first_light(self) -> MjsLight | None: ...
    def first_site(self) -> MjsSite | None: ...
    @property
    def frame(self) -> MjsFrame | None: ...
    @property
    def frames(self) -> list[MjsFrame]: ...
    fullinertia: _Array[np.float64]
    @property
    def geoms(self) -> list[MjsGeom]: ...
    gravcomp: float
    ialt: Any
    inertia: _Array[np.float64]
    info: str
    ipos: _Array[np.float64]
    iquat: _Array[np.float64]
    @property
    def joints(self) -> list[MjsJoint]: ...
    @property
    def lights(self) -> list[MjsLight]: ...
    mass: float
    mocap: int
    name: str
    def next_body(self, element: MjsBody) -> MjsBody | None: ...
    def next_camera(self, element: MjsCamera) -> MjsCamera | None: ...
    def next_frame(self, element: MjsFrame) -> MjsFrame | None: ...
    def next_geom(self, element: MjsGeom) -> MjsGeom | None: ...
    def next_joint(self, element: MjsJoint) -> MjsJoint | None: ...
    def next_light(self, element: MjsLight) -> MjsLight | None: ...
    def next_site(self, element: MjsSite) -> MjsSite | None: ...
    @property
    def parent(self) -> Any: ...
    pos: _Array[np.float64]
    quat: _Array[np.float64]
    def set_frame(self, frame: MjsFrame | None) -> None: ...
    @property
    def sites(self) -> list[MjsSite]: ...
    sleep: mjtSleepPolicy
    def to_frame(self) -> MjsFrame: ...
    userdata: Any

class MjsCamera(MjsElement):
    """An element of the kind camera."""
    alt: Any
    classname: MjsDefault
    focal_length: _Array[np.float32]
    focal_pixel: _Array[np.float32]
    fovy: float
    @property
    def frame(self) -> MjsFrame | None: ...
    info: str
    intrinsic: _Array[np.float32]
    ipd: float
    mode: mjtCamLight
    name: str
    output: int
    @property
    def parent(self) -> Any: ...
    pos: _Array[np.float64]
    principal_length: _Array[np.float32]
    principal_pixel: _Array[np.float32]
    proj: mjtProjection
    quat: _Array[np.float64]
    resolution: _Array[np.int32]
    sensor_size: _Array[np.float32]
    def set_frame(self, frame: MjsFrame | None) -> None: ...
    targetbody: str
    userdata: Any

class MjsCompiler:
    """Settings of the compiler."""
    LRopt: MjLROpt
    alignfree: int
    autolimits: int
    balanceinertia: int
    boundinertia: float
    boundmass: float
    degree: int
    discardvisual: int
    eulerseq: Any
    fitaabb: int
    fusestatic: int
    inertiafromgeom: int
    inertiagrouprange: _Array[np.int32]
    meshdir: str
    saveinertial: int
    settotalmass: float
    strippath: int
    texturedir: str
    usethread: int

class MjsDefault:
    """A default class: one element of each kind."""
    @property
    def actuator(self) -> MjsActuator: ...
    @property
    def camera(self) -> MjsCamera: ...
    @property
    def equality(self) -> MjsEquality: ...
    @property
    def flex(self) -> MjsFlex: ...
    @property
    def geom(self) -> MjsGeom: ...
    @property
    def joint(self) -> MjsJoint: ...
    @property
    def light(self) -> MjsLight: ...
    @property
    def material(self) -> MjsMaterial: ...
    @property
    def mesh(self) -> MjsMesh: ...
    name: str
    @property
    def pair(self) -> MjsPair: ...
    @property
    def site(self) -> MjsSite: ...
    @property
    def tendon(self) -> MjsTendon: ...

class MjsEquality(MjsElement):
    """An element of the kind equality."""
    active: int
    classname: MjsDefault
    data: _Array[np.float64]
    info: str
    name: str
    name1: str
    name2: str
    objtype: mjtObj
    solimp: _Array[np.float64]
    solref: _Array[np.float64]
    type: mjtEq

class MjsExclude(MjsElement):
    """An element of the kind exclude."""
    bodyname1: str
    bodyname2: str
    info: str
    name: str

class MjsFlex(MjsElement):
    """An element of the kind flex."""
    activelayers: int
    conaffinity: int
    condim: int
    contype: int
    damping: float
    dim: int
    edgedamping: float
    edgestiffness: float
    elastic2d: int
    elem: Any
    elemtexcoord: Any
    flatskin: int
    friction: _Array[np.float64]
    gap: float
    group: int
    info: str
    internal: int
    margin: float
    material: str
    name: str
    node: Any
    nodebody: Any
    passive: int
    poisson: float
    priority: int
    radius: float
    rgba: _Array[np.float32]
    selfcollide: int
    size: _Array[np.float64]
    solimp: _Array[np.float64]
    solmix: float
    solref: _Array[np.float64]
    texcoord: Any
    thickness: float
    vert: Any
    vertbody: Any
    vertcollide: int
    young: float

class MjsFrame(MjsElement):
    """A coordinate frame inside a body."""
    def add_body(self, default: MjsDefault | None = None, **attributes: Any) -> MjsBody: ...
    def add_camera(self, default: MjsDefault | None = None, **attributes: Any) -> MjsCamera: ...
    def add_frame(self, default: MjsDefault | None = None, **attributes: Any) -> MjsFrame: ...
    def add_freejoint(self, **attributes: Any) -> MjsJoint: ...
    def add_geom(self, default: MjsDefault | None = None, **attributes: Any) -> MjsGeom: ...
    def add_joint(self, default: MjsDefault | None = None, **attributes: Any) -> MjsJoint: ...
    def add_light(self, default: MjsDefault | None = None, **attributes: Any) -> MjsLight: ...
    def add_site(self, default: MjsDefault | None = None, **attributes: Any) -> MjsSite: ...
    alt: Any
    def attach_body(self, body: MjsBody, prefix: str | None = None, suffix: str | None = None) -> MjsBody: ...
    childclass: str
    @property
    def frame(self) -> MjsFrame | None: ...
    info: str
    name: str
    @property
    def parent(self) -> Any: ...
    pos: _Array[np.float64]
    quat: _Array[np.float64]
    def set_frame(self, frame: MjsFrame | None) -> None: ...

class MjsGeom(MjsElement):
    """An element of the kind geom."""
    alt: Any
    classname: MjsDefault
    conaffinity: int
    condim: int
    contype: int
    density: float
    fitscale: float
    fluid_coefs: _Array[np.float64]
    fluid_ellipsoid: float
    @property
    def frame(self) -> MjsFrame | None: ...
    friction: _Array[np.float64]
    fromto: _Array[np.float64]
    gap: float
    group: int
    hfieldname: str
    info: str
    margin: float
    mass: float
    material: str
    meshname: str
    name: str
    @property
    def parent(self) -> Any: ...
    pos: _Array[np.float64]
    priority: int
    quat: _Array[np.float64]
    rgba: _Array[np.float32]
    def set_frame(self, frame: MjsFrame | None) -> None: ...
    size: _Array[np.float64]
    solimp: _Array[np.float64]
    solmix: float
    solref: _Array[np.float64]
    type: mjtGeom
    typeinertia: mjtGeomInertia
    userdata: Any

class MjsHField(MjsElement):
    """An element of the kind hfield."""
    content_type: str
    file: str
    info: str
    name: str
    ncol: int
    nrow: int
    size: _Array[np.float64]
    userdata: Any

class MjsJoint(MjsElement):
    """An element of the kind joint."""
    actfrclimited: int
    actfrcrange: _Array[np.float64]
    actgravcomp: int
    align: int
    armature: float
    axis: _Array[np.float64]
    classname: MjsDefault
    damping: float
    @property
    def frame(self) -> MjsFrame | None: ...
    frictionloss: float
    group: int
    info: str
    limited: int
    margin: float
    name: str
    @property
    def parent(self) -> Any: ...
    pos: _Array[np.float64]
    range: _Array[np.float64]
    ref: float
    def set_frame(self, frame: MjsFrame | None) -> None: ...
    solimp_friction: _Array[np.float64]
    solimp_limit: _Array[np.float64]
    solref_friction: _Array[np.float64]
    solref_limit: _Array[np.float64]
    springdamper: _Array[np.float64]
    springref: float
    stiffness: float
    type: mjtJoint
    userdata: Any

class MjsKey(MjsElement):
    """An element of the kind key."""
    act: Any
    ctrl: Any
    info: str
    mpos: Any
    mquat: Any
    name: str
    qpos: Any
    qvel: Any
    time: float

class MjsLight(MjsElement):
    """An element of the kind light."""
    active: int
    ambient: _Array[np.float32]
    attenuation: _Array[np.float32]
    bulbradius: float
    castshadow: int
    classname: MjsDefault
    cutoff: float
    diffuse: _Array[np.float32]
    dir: _Array[np.float64]
    exponent: float
    @property
    def frame(self) -> MjsFrame | None: ...
    info: str
    intensity: float
    mode: mjtCamLight
    name: str
    @property
    def parent(self) -> Any: ...
    pos: _Array[np.float64]
    range: float
    def set_frame(self, frame: MjsFrame | None) -> None: ...
    specular: _Array[np.float32]
    targetbody: str
    texture: str
    type: mjtLightType

class MjsMaterial(MjsElement):
    """An element of the kind material."""
    classname: MjsDefault
    emission: float
    info: str
    metallic: float
    name: str
    reflectance: float
    rgba: _Array[np.float32]
    roughness: float
    shininess: float
    specular: float
    texrepeat: _Array[np.float32]
    textures: Any
    texuniform: int

class MjsMesh(MjsElement):
    """A mesh."""
    classname: MjsDefault
    content_type: str
    file: str
    inertia: mjtMeshInertia
    info: str
    def make_cone(self, nedge: Any, radius: Any) -> None: ...
    def make_hemisphere(self, resolution: Any) -> None: ...
    def make_plate(self, resolution: Any) -> None: ...
    def make_sphere(self, subdivision: Any) -> None: ...
    def make_supersphere(self, resolution: Any, e: Any, n: Any) -> None: ...
    def make_supertorus(self, resolution: Any, radius: Any, s: Any, t: Any) -> None: ...
    def make_wedge(self, resolution: Any, fov: Any, gamma: Any) -> None: ...
    material: str
    maxhullvert: int
    name: str
    needsdf: int
    refpos: _Array[np.float64]
    refquat: _Array[np.float64]
    scale: _Array[np.float64]
    smoothnormal: int
    userface: Any
    userfacenormal: Any
    userfacetexcoord: Any
    usernormal: Any
    usertexcoord: Any
    uservert: Any

class MjsNumeric(MjsElement):
    """An element of the kind numeric."""
    data: Any
    info: str
    name: str
    size: int

class MjsOrientation:
    """A form of an orientation other than the quaternion."""
    axisangle: Any
    euler: Any
    type: mjtOrientation
    xyaxes: Any
    zaxis: Any

class MjsPair(MjsElement):
    """An element of the kind pair."""
    classname: MjsDefault
    condim: int
    friction: _Array[np.float64]
    gap: float
    geomname1: str
    geomname2: str
    info: str
    margin: float
    name: str
    solimp: _Array[np.float64]
    solref: _Array[np.float64]
    solreffriction: _Array[np.float64]

class MjsPlugin:
    """An element of the kind plugin."""
    active: int
    config: dict[str, str]
    @property
    def id(self) -> int: ...
    info: str
    name: str
    plugin_name: str
    @property
    def signature(self) -> int: ...

class MjsSensor(MjsElement):
    """A sensor."""
    cutoff: float
    datatype: mjtDataType
    delay: float
    dim: int
    def get_data_size(self) -> int: ...
    info: str
    interp: int
    interval: _Array[np.float64]
    intprm: _Array[np.int32]
    name: str
    needstage: mjtStage
    noise: float
    nsample: int
    objname: str
    objtype: mjtObj
    refname: str
    reftype: mjtObj
    type: mjtSensor
    userdata: Any

class MjsSite(MjsElement):
    """A site."""
    alt: Any
    def attach_body(self, body: MjsBody, prefix: str | None = None, suffix: str | None = None) -> MjsBody: ...
    classname: MjsDefault
    @property
    def frame(self) -> MjsFrame | None: ...
    fromto: _Array[np.float64]
    group: int
    info: str
    material: str
    name: str
    @property
    def parent(self) -> Any: ...
    pos: _Array[np.float64]
    quat: _Array[np.float64]
    rgba: _Array[np.float32]
    def set_frame(self, frame: MjsFrame | None) -> None: ...
    size: _Array[np.float64]
    type: mjtGeom
    userdata: Any

class MjsSkin(MjsElement):
    """An element of the kind skin."""
    bindpos: Any
    bindquat: Any
    bodyname: Any
    face: Any
    file: str
    group: int
    inflate: float
    info: str
    material: str
    name: str
    rgba: _Array[np.float32]
    texcoord: Any
    vert: Any
    vertid: Any
    vertweight: Any

class MjsTendon(MjsElement):
    """A tendon."""
    actfrclimited: int
    actfrcrange: _Array[np.float64]
    armature: float
    classname: MjsDefault
    damping: float
    def default(self) -> MjsDefault: ...
    frictionloss: float
    group: int
    info: str
    limited: int
    margin: float
    material: str
    name: str
    @property
    def path(self) -> MjsTendonPath: ...
    range: _Array[np.float64]
    rgba: _Array[np.float32]
    solimp_friction: _Array[np.float64]
    solimp_limit: _Array[np.float64]
    solref_friction: _Array[np.float64]
    solref_limit: _Array[np.float64]
    springlength: _Array[np.float64]
    stiffness: float
    userdata: Any
    width: float
    def wrap_geom(self, name: str, sidesite: str) -> MjsWrap: ...
    def wrap_joint(self, name: str, coef: float) -> MjsWrap: ...
    def wrap_pulley(self, divisor: float) -> MjsWrap: ...
    def wrap_site(self, name: str) -> MjsWrap: ...

class MjsTendonPath:
    """The path of a tendon."""
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[MjsWrap]: ...
    def __getitem__(self, index: SupportsIndex) -> MjsWrap: ...

class MjsText(MjsElement):
    """An element of the kind text."""
    data: str
    info: str
    name: str

class MjsTexture(MjsElement):
    """An element of the kind texture."""
    builtin: int
    colorspace: mjtColorSpace
    content_type: str
    cubefiles: Any
    data: bytes
    file: str
    gridlayout: Any
    gridsize: _Array[np.int32]
    height: int
    hflip: int
    info: str
    mark: int
    markrgb: _Array[np.float64]
    name: str
    nchannel: int
    random: float
    rgb1: _Array[np.float64]
    rgb2: _Array[np.float64]
    type: mjtTexture
    vflip: int
    width: int

class MjsTuple(MjsElement):
    """An element of the kind tuple."""
    info: str
    name: str
    objname: Any
    objprm: Any
    objtype: Any

class MjsWrap:
    """An element of the path of a tendon."""
    @property
    def coef(self) -> float | None: ...
    @property
    def divisor(self) -> float | None: ...
    @property
    def info(self) -> str: ...
    @property
    def sidesite(self) -> MjsSite | None: ...
    @property
    def target(self) -> Any: ...
    @property
    def type(self) -> mjtWrap: ...

MjStruct = Any

def get_mjcb_act_bias() -> Callable[..., Any] | None:
    """Returns what `set_mjcb_act_bias` has set, or None."""

def get_mjcb_act_dyn() -> Callable[..., Any] | None:
    """Returns what `set_mjcb_act_dyn` has set, or None."""

def get_mjcb_act_gain() -> Callable[..., Any] | None:
    """Returns what `set_mjcb_act_gain` has set, or None."""

def get_mjcb_contactfilter() -> Callable[..., Any] | None:
    """Returns what `set_mjcb_contactfilter` has set, or None."""

def get_mjcb_control() -> Callable[..., Any] | None:
    """Returns what `set_mjcb_control` has set, or None."""

def get_mjcb_passive() -> Callable[..., Any] | None:
    """Returns what `set_mjcb_passive` has set, or None."""

def get_mjcb_sensor() -> Callable[..., Any] | None:
    """Returns what `set_mjcb_sensor` has set, or None."""

def get_mjcb_time() -> Callable[..., Any] | None:
    """Returns what `set_mjcb_time` has set, or None."""

def get_mju_user_free() -> Callable[..., Any] | None:
    """Returns None: memory comes from Rust's allocator."""

def get_mju_user_malloc() -> Callable[..., Any] | None:
    """Returns None: memory comes from Rust's allocator."""

def get_mju_user_warning() -> Callable[..., Any] | None:
    """Returns what `set_mju_user_warning` has set, or None."""

def mj_Euler(m: MjModel, d: MjData) -> None:
    """mj_Euler(m: mujoco._structs.MjModel, d: mujoco._structs.MjData) -> None Euler integrator, semi-implicit in velocity."""

def mj_RungeKutta(m: MjModel, d: MjData, N: int) -> None:
    """Advances the state by the Runge-Kutta method of order `N`, which is 4. Runs after `mj_forward`."""

def mj_addContact(m: MjModel, d: MjData, con: MjContact) -> int:
    """Adds a contact to the list; constraint rows of the others are to be made anew. Returns 0."""

def mj_addM(m: MjModel, d: MjData, dst: NDArray[np.float64], rownnz: NDArray[np.int32], rowadr: NDArray[np.int32], colind: NDArray[np.int32]) -> None:
    """Adds the lower triangle of the mass matrix to the sparse matrix `dst`, whose rows have `rownnz` entries from `rowadr` on, in the columns `colind`; columns that it lacks are added. Runs after `mj_makeM`."""

def mj_angmomMat(m: MjModel, d: MjData, mat: NDArray[np.float64], body: int) -> None:
    """Writes to `mat`, 3 x nv, what gives the angular momentum of the subtree of a body about its centre of mass: `mat qvel`. Runs after `mj_comPos`."""

def mj_applyFT(m: MjModel, d: MjData, force: ArrayLike, torque: ArrayLike, point: ArrayLike, body: int, qfrc_target: NDArray[np.float64]) -> None:
    """Adds to `qfrc_target` the joint-space effect of a force and a torque on `body` at `point`."""

def mj_camlight(m: MjModel, d: MjData) -> None:
    """Computes the poses of cameras and lights."""

def mj_checkAcc(m: MjModel, d: MjData) -> None:
    """Checks the acceleration; a number that is unusable counts a warning and resets, unless disabled."""

def mj_checkPos(m: MjModel, d: MjData) -> None:
    """Checks the position; a number that is unusable counts a warning and resets, unless disabled."""

def mj_checkVel(m: MjModel, d: MjData) -> None:
    """Checks the velocity; a number that is unusable counts a warning and resets, unless disabled."""

def mj_clearCache(cache: Any) -> None:
    """Empties the cache, which holds nothing."""

def mj_collision(m: MjModel, d: MjData, *, callbacks: Any = None) -> None:
    """Finds the contacts between geoms."""

def mj_comPos(m: MjModel, d: MjData) -> None:
    """Computes centres of mass, motion axes and inertias."""

def mj_comVel(m: MjModel, d: MjData) -> None:
    """Computes the velocities of bodies and motion axes."""

def mj_compareFwdInv(m: MjModel, d: MjData) -> None:
    """Compares forward with inverse dynamics: `solver_fwdinv` becomes how far the forces of constraints and the applied forces are apart."""

def mj_constraintUpdate(m: MjModel, d: MjData, jar: ArrayLike, cost: NDArray[np.float64] | None, flg_coneHessian: int) -> None:
    """Computes `efc_state`, `efc_force` and `qfrc_constraint` from the residuals `jar`, one for each constraint row; with `flg_coneHessian` also the Hessians of elliptic cones. Writes the cost to `cost`."""

def mj_contactForce(m: MjModel, d: MjData, id: int, result: NDArray[np.float64]) -> None:
    """Writes the force and torque of contact `id` to `result`, in the frame of the contact; zero if there is no such contact or it has no constraint rows."""

def mj_copyData(dest: MjData, m: MjModel, src: MjData) -> None:
    """Copies everything in `src` to `dest`; both belong to the model `m`."""

def mj_copyState(m: MjModel, src: MjData, dst: MjData, sig: int) -> None:
    """Copies the components of the state that `sig`, bits of `mjtState`, selects from `src` to `dst`."""

def mj_crb(m: MjModel, d: MjData) -> None:
    """Computes the mass matrix."""

def mj_defaultLROpt(opt: MjLROpt) -> None:
    """Fills the settings with what the compiler uses unless told otherwise."""

def mj_defaultOption(opt: MjOption) -> None:
    """Fills options with their defaults."""

def mj_defaultSolRefImp(solref: NDArray[np.float64], solimp: NDArray[np.float64]) -> None:
    """Fills parameters of the solver, two in `solref` and five in `solimp`, with their defaults."""

def mj_defaultVisual(vis: MjVisual) -> None:
    """Fills visual settings with their defaults."""

def mj_differentiatePos(m: MjModel, qvel: NDArray[np.float64], dt: float, qpos1: ArrayLike, qpos2: ArrayLike) -> None:
    """Computes the velocity `qvel` that leads from `qpos1` to `qpos2` in the time `dt`."""

def mj_energyPos(m: MjModel, d: MjData) -> None:
    """Computes the potential energy."""

def mj_energyVel(m: MjModel, d: MjData) -> None:
    """Computes the kinetic energy."""

def mj_extractState(m: MjModel, src: ArrayLike, srcsig: int, dst: NDArray[np.float64], dstsig: int) -> None:
    """Copies from `src`, a state of the components `srcsig`, those that `dstsig` selects to `dst`."""

def mj_factorM(m: MjModel, d: MjData) -> None:
    """Factorises the mass matrix."""

def mj_flex(m: MjModel, d: MjData) -> None:
    """Computes lengths and Jacobians of flex edges, and where flex vertices are."""

def mj_forward(m: MjModel, d: MjData, *, callbacks: Any = None) -> None:
    """Computes everything that follows from the current state, without advancing it."""

def mj_forwardSkip(m: MjModel, d: MjData, skipstage: int, skipsensor: int) -> None:
    """Computes what follows from the current state, without stages up to `skipstage` (an `mjtStage`) and, if `skipsensor` is not zero, without sensors."""

def mj_fullM(m: MjModel, dst: NDArray[np.float64], M: ArrayLike) -> None:
    """Writes the dense inertia matrix to `dst`, nv x nv, from `M` in the layout of `data.qM`: by dof from `dof_Madr` on, the diagonal and then the ancestors."""

def mj_fwdAcceleration(m: MjModel, d: MjData) -> None:
    """Computes the acceleration without constraints."""

def mj_fwdActuation(m: MjModel, d: MjData, *, callbacks: Any = None) -> None:
    """Computes the forces of actuators."""

def mj_fwdConstraint(m: MjModel, d: MjData) -> None:
    """Solves for the constraint forces and the acceleration with them."""

def mj_fwdKinematics(m: MjModel, d: MjData) -> None:
    """Computes poses, centres of mass, cameras, lights and tendons."""

def mj_fwdPosition(m: MjModel, d: MjData, *, callbacks: Any = None) -> None:
    """Computes everything that depends on position."""

def mj_fwdVelocity(m: MjModel, d: MjData, *, callbacks: Any = None) -> None:
    """Computes everything that depends on velocity."""

def mj_geomDistance(m: MjModel, d: MjData, geom1: int, geom2: int, distmax: float, fromto: NDArray[np.float64] | None) -> float:
    """Returns the smallest distance between two geoms up to `distmax`, negative when they overlap, and writes the points nearest to each other to the six numbers of `fromto`; zero if they are further apart."""

def mj_getCache() -> Any:
    """Returns the cache of assets, which holds nothing: files are read whenever a model is loaded."""

def mj_getCacheCapacity(cache: Any) -> int:
    """Returns the bytes that the cache can hold: 0."""

def mj_getCacheSize(cache: Any) -> int:
    """Returns the bytes in the cache: 0."""

def mj_getState(m: MjModel, d: MjData, state: NDArray[np.float64], sig: int) -> None:
    """Copies the components of the state that `sig`, bits of `mjtState`, selects to `state`."""

def mj_getTotalmass(m: MjModel) -> float:
    """Returns the mass of all bodies."""

def mj_id2name(m: MjModel, type: int, id: int) -> str | None:
    """Returns the name of object `id` of kind `type` (an `mjtObj`); None if it has none."""

def mj_implicit(m: MjModel, d: MjData) -> None:
    """Advances the state with forces implicit in velocity, without the derivative of the bias force if the integrator of the model is implicitfast. Runs after `mj_forward`."""

def mj_initCtrlHistory(m: MjModel, d: MjData, id: int, times: ArrayLike | None, values: ArrayLike) -> None:
    """Fills the history of an actuator with `values` at `times`, or at the times that it has if `times` is None."""

def mj_initSensorHistory(m: MjModel, d: MjData, id: int, times: ArrayLike | None, values: ArrayLike, phase: float) -> None:
    """Fills the history of a sensor with the rows of `values` at `times`, or at the times that it has if `times` is None; `phase` is when a sensor with an interval was last computed."""

def mj_integratePos(m: MjModel, qpos: NDArray[np.float64], qvel: ArrayLike, dt: float) -> None:
    """Advances `qpos` by the velocity `qvel` over the time `dt`, in place."""

def mj_invConstraint(m: MjModel, d: MjData) -> None:
    """Computes the constraint forces that belong to the current acceleration."""

def mj_invPosition(m: MjModel, d: MjData, *, callbacks: Any = None) -> None:
    """Computes everything that depends on position, as far as inverse dynamics needs it."""

def mj_invVelocity(m: MjModel, d: MjData, *, callbacks: Any = None) -> None:
    """Computes everything that depends on velocity, as far as inverse dynamics needs it."""

def mj_inverse(m: MjModel, d: MjData, *, callbacks: Any = None) -> None:
    """Computes the forces that give the current acceleration, from position and velocity."""

def mj_inverseSkip(m: MjModel, d: MjData, skipstage: int, skipsensor: int) -> None:
    """Computes the forces that give the current acceleration, without stages up to `skipstage` (an `mjtStage`) and, if `skipsensor` is not zero, without sensors."""

def mj_isDual(m: MjModel) -> int:
    """Returns whether the solver works with the matrix of forces: 1 or 0."""

def mj_isPyramidal(m: MjModel) -> int:
    """Returns whether friction cones are pyramids: 1 or 0."""

def mj_isSparse(m: MjModel) -> int:
    """Returns whether Jacobians are sparse: 1 or 0."""

def mj_island(m: MjModel, d: MjData) -> None:
    """Finds the islands: sets of trees that constraints tie together."""

def mj_jac(m: MjModel, d: MjData, jacp: NDArray[np.float64] | None, jacr: NDArray[np.float64] | None, point: ArrayLike, body: int) -> None:
    """Computes the Jacobians `jacp` and `jacr` (3 x nv, either may be None) of a point fixed to a body."""

def mj_jacBody(m: MjModel, d: MjData, jacp: NDArray[np.float64] | None, jacr: NDArray[np.float64] | None, body: int) -> None:
    """Computes the Jacobians of a body's frame."""

def mj_jacBodyCom(m: MjModel, d: MjData, jacp: NDArray[np.float64] | None, jacr: NDArray[np.float64] | None, body: int) -> None:
    """Computes the Jacobians of a body's centre of mass."""

def mj_jacDot(m: MjModel, d: MjData, jacp: NDArray[np.float64] | None, jacr: NDArray[np.float64] | None, point: ArrayLike, body: int) -> None:
    """Computes the rates of change of the Jacobians of a point fixed to a body."""

def mj_jacGeom(m: MjModel, d: MjData, jacp: NDArray[np.float64] | None, jacr: NDArray[np.float64] | None, geom: int) -> None:
    """Computes the Jacobians of a geom."""

def mj_jacPointAxis(m: MjModel, d: MjData, jacPoint: NDArray[np.float64] | None, jacAxis: NDArray[np.float64] | None, point: ArrayLike, axis: ArrayLike, body: int) -> None:
    """Computes the Jacobians (3 x nv, either may be None) of a point fixed to a body and of a direction fixed to it."""

def mj_jacSite(m: MjModel, d: MjData, jacp: NDArray[np.float64] | None, jacr: NDArray[np.float64] | None, site: int) -> None:
    """Computes the Jacobians of a site."""

def mj_jacSubtreeCom(m: MjModel, d: MjData, jacp: NDArray[np.float64] | None, body: int) -> None:
    """Computes the Jacobian of the centre of mass of the subtree of a body."""

def mj_kinematics(m: MjModel, d: MjData) -> None:
    """Computes the poses of bodies, geoms, sites, and the axes of joints."""

def mj_local2Global(d: MjData, xpos: NDArray[np.float64], xmat: NDArray[np.float64], pos: ArrayLike, quat: ArrayLike, body: int, sameframe: int) -> None:
    """Computes the pose (`xpos`, `xmat`) in the world of a frame (`pos`, `quat`) of a body; `sameframe`, an `mjtSameFrame`, says what it shares with the body."""

def mj_makeConstraint(m: MjModel, d: MjData) -> None:
    """Makes the constraint rows of the current position."""

def mj_makeM(m: MjModel, d: MjData) -> None:
    """Computes the mass matrix with all its parts."""

def mj_mulJacTVec(m: MjModel, d: MjData, res: NDArray[np.float64], vec: ArrayLike) -> None:
    """Computes `res = Jᵀ vec`, with the Jacobian of the constraint rows."""

def mj_mulJacVec(m: MjModel, d: MjData, res: NDArray[np.float64], vec: ArrayLike) -> None:
    """Computes `res = J vec`, with the Jacobian of the constraint rows."""

def mj_mulM(m: MjModel, d: MjData, res: NDArray[np.float64], vec: ArrayLike) -> None:
    """Computes `res = M vec`. Runs after `mj_crb`."""

def mj_mulM2(m: MjModel, d: MjData, res: NDArray[np.float64], vec: ArrayLike) -> None:
    """Computes `res`, half of the product of the mass matrix with `vec`: its square is `vecᵀ M vec`. Runs after `mj_factorM`."""

def mj_multiRay(m: MjModel, d: MjData, pnt: ArrayLike, vec: ArrayLike, geomgroup: ArrayLike | None, flg_static: int, bodyexclude: int, geomid: NDArray[np.int32], dist: NDArray[np.float64], normal: NDArray[np.float64] | None, nray: int, cutoff: float) -> None:
    """Does for `nray` rays from one point what `mj_ray` does for one: `vec` and `normal` have three numbers per ray, `geomid` and `dist` one. Geoms further away than `cutoff` are left out, and a ray without length meets nothing."""

def mj_name2id(m: MjModel, type: int, name: str) -> int:
    """Returns the id of the object of kind `type` (an `mjtObj`) called `name`; -1 if there is none."""

def mj_normalizeQuat(m: MjModel, qpos: NDArray[np.float64]) -> None:
    """Gives all quaternions in `qpos` unit length, in place."""

def mj_objectAcceleration(m: MjModel, d: MjData, objtype: int, objid: int, res: NDArray[np.float64], flg_local: int) -> None:
    """Computes the acceleration (rotation, translation) of an object, in the orientation of the world or its own. Runs after `mj_rnePostConstraint`."""

def mj_objectVelocity(m: MjModel, d: MjData, objtype: int, objid: int, res: NDArray[np.float64], flg_local: int) -> None:
    """Computes the velocity (rotation, translation) of an object, in the orientation of the world or its own."""

def mj_passive(m: MjModel, d: MjData, *, callbacks: Any = None) -> None:
    """Computes the forces of springs, dampers, fluid and gravity compensation."""

def mj_printData(m: MjModel, d: MjData, filename: str | os.PathLike[str]) -> None:
    """Writes all of a simulation to a text file."""

def mj_printFormattedData(m: MjModel, d: MjData, filename: str | os.PathLike[str], float_format: str) -> None:
    """Writes all of a simulation to a text file, real numbers in a format of C such as '%8.3f'."""

def mj_printFormattedModel(m: MjModel, filename: str | os.PathLike[str], float_format: str) -> None:
    """Writes all of a model to a text file, real numbers in a format of C such as '%8.3f'."""

def mj_printFormattedScene(s: MjvScene, filename: str | os.PathLike[str], float_format: str) -> None:
    """Writes a scene to a text file, numbers in a format of C's `printf`."""

def mj_printModel(m: MjModel, filename: str | os.PathLike[str]) -> None:
    """Writes all of a model to a text file."""

def mj_printScene(s: MjvScene, filename: str | os.PathLike[str]) -> None:
    """Writes a scene to a text file."""

def mj_printSchema(flg_html: bool, flg_pad: bool) -> str:
    """Returns the elements and attributes of MJCF as text: a table of HTML with `flg_html`, indented by style with `flg_pad` and by spaces otherwise."""

def mj_projectConstraint(m: MjModel, d: MjData) -> None:
    """Computes the matrix `efc_AR` for solvers that work with it."""

def mj_ray(m: MjModel, d: MjData, pnt: ArrayLike, vec: ArrayLike, geomgroup: ArrayLike | None, flg_static: int, bodyexclude: int, geomid: NDArray[np.int32] | None, normal: NDArray[np.float64] | None = None) -> float:
    """Returns the distance, in lengths of `vec`, to the first surface that the ray from `pnt` along `vec` meets, or -1 if there is none. Writes the geom, or -1, to `geomid` and the unit normal of the surface to `normal`. `geomgroup` has a flag for each group of geoms that is met, `flg_static` says whether geoms fixed to the world are, and those of the body `bodyexclude` are not."""

def mj_rayFlex(m: MjModel, d: MjData, flex_layer: int, flg_vert: int, flg_edge: int, flg_face: int, flg_skin: int, flexid: int, pnt: ArrayLike, vec: ArrayLike, vertid: NDArray[np.int32] | None = None, normal: NDArray[np.float64] | None = None) -> float:
    """Returns the distance, in lengths of `vec`, at which the ray from `pnt` along `vec` meets a flex, or -1 if it does not. The flags say which parts are met: vertices, edges, faces of the layer `flex_layer`, or the skin. Writes the nearest vertex of what is met to `vertid`, which stays as it is if nothing is, and the unit normal of the surface to `normal`."""

def mj_rayHfield(m: MjModel, d: MjData, geomid: int, pnt: ArrayLike, vec: ArrayLike, normal: NDArray[np.float64] | None = None) -> float:
    """Returns the distance, in lengths of `vec`, at which the ray from `pnt` along `vec` meets a height field, or -1 if it does not. Writes the unit normal of the surface to `normal`."""

def mj_rayMesh(m: MjModel, d: MjData, geomid: int, pnt: ArrayLike, vec: ArrayLike, normal: NDArray[np.float64] | None = None) -> float:
    """Returns the distance, in lengths of `vec`, at which the ray from `pnt` along `vec` meets a mesh geom, or -1 if it does not. Writes the unit normal of the surface to `normal`."""

def mj_readCtrl(m: MjModel, d: MjData, id: int, time: float, interp: int) -> float:
    """Returns the control that reaches an actuator at `time`, made from the samples of its history by holding (`interp` 0), lines (1) or cubic splines (2)."""

def mj_readSensor(m: MjModel, d: MjData, id: int, time: float, result: NDArray[np.float64], interp: int) -> NDArray[np.float64]:
    """Writes what a sensor shows at `time` to `result`, made from the samples of its history by holding (`interp` 0), lines (1) or cubic splines (2), and returns it."""

def mj_referenceConstraint(m: MjModel, d: MjData) -> None:
    """Computes the velocity along the constraint rows and the acceleration that they aim at."""

def mj_resetCallbacks() -> None:
    """Takes back all functions that `set_mjcb_control` and its like have set."""

def mj_resetData(m: MjModel, d: MjData) -> None:
    """Returns to the reference state at time zero, clearing inputs, results and warnings."""

def mj_resetDataDebug(m: MjModel, d: MjData, debug_value: int) -> None:
    """Returns to the reference state, with every array that a step computes filled with `debug_value`."""

def mj_resetDataKeyframe(m: MjModel, d: MjData, key: int) -> None:
    """Returns to the state of keyframe `key`; a key that does not exist gives the reference state."""

def mj_rne(m: MjModel, d: MjData, flg_acc: int, result: NDArray[np.float64]) -> None:
    """Computes the force that gives the current acceleration (`flg_acc` nonzero) or none, without constraints, into `result`."""

def mj_rnePostConstraint(m: MjModel, d: MjData) -> None:
    """Computes accelerations and forces between bodies, constraints included."""

def mj_saveLastXML(filename: str | os.PathLike[str], m: MjModel) -> None:
    """Saves a model as MJCF, with the real numbers that it has now."""

def mj_saveModel(m: MjModel, filename: str | os.PathLike[str] | None = None, buffer: NDArray[np.uint8] | None = None) -> None:
    """Saves a model as a binary MJB file, or into an array of bytes; the array wins."""

def mj_sensorAcc(m: MjModel, d: MjData, *, callbacks: Any = None) -> None:
    """Computes the sensors that depend on acceleration and force."""

def mj_sensorPos(m: MjModel, d: MjData, *, callbacks: Any = None) -> None:
    """Computes the sensors that depend on position."""

def mj_sensorVel(m: MjModel, d: MjData, *, callbacks: Any = None) -> None:
    """Computes the sensors that depend on velocity."""

def mj_setCacheCapacity(cache: Any, size: int) -> int:
    """Returns the bytes that the cache can hold, which `size` does not change: 0."""

def mj_setConst(m: MjModel, d: MjData) -> None:
    """Computes every constant of the model that follows from its other fields. The data is left in the reference configuration."""

def mj_setKeyframe(m: MjModel, d: MjData, k: int) -> None:
    """Stores the state of the data as keyframe `k` of the model."""

def mj_setLengthRange(m: MjModel, d: MjData, index: int, opt: MjLROpt) -> None:
    """Sets `actuator_lengthrange` of an actuator, from limits or by simulation with the options of the model; raises an error if that gives no range. The data is left where the simulation ends."""

def mj_setState(m: MjModel, d: MjData, state: ArrayLike, sig: int) -> None:
    """Copies `state` into the components of the state that `sig`, bits of `mjtState`, selects."""

def mj_setTotalmass(m: MjModel, newmass: float) -> None:
    """Scales masses and inertias of all bodies so that their mass is `newmass`; `mj_setConst` updates what follows from them."""

def mj_sizeModel(m: MjModel) -> int:
    """Returns the number of bytes that a model has as a binary MJB file."""

def mj_solveM(m: MjModel, d: MjData, x: NDArray[np.float64], y: ArrayLike) -> None:
    """Solves `M x = y` for each row of `y`. Runs after `mj_factorM`."""

def mj_solveM2(m: MjModel, d: MjData, x: NDArray[np.float64], y: ArrayLike, sqrtInvD: ArrayLike) -> None:
    """Computes `x = diag(sqrtInvD) L⁻ᵀ y` for each row of `y`, where `M = Lᵀ D L`. Runs after `mj_factorM`."""

def mj_stateSize(m: MjModel, sig: int) -> int:
    """Returns the number of numbers in the state that `sig`, bits of `mjtState`, selects."""

def mj_step(m: MjModel, d: MjData, nstep: int = 1, *, callbacks: Any = None) -> None:
    """Advances the simulation by a time step. Optionally, repeat nstep times. Ctrl-C interrupts between steps. `callbacks` is an object with any of the methods `control`, `passive`, `sensor`, `act_dyn`, `act_gain`, `act_bias` and `contactfilter`, which this call uses instead of what `set_mjcb_control` and its like have set."""

def mj_step1(m: MjModel, d: MjData, *, callbacks: Any = None) -> None:
    """First half of a step: everything that depends on position and velocity, before controls."""

def mj_step2(m: MjModel, d: MjData, *, callbacks: Any = None) -> None:
    """Second half of a step: everything that depends on controls and applied forces, and integration."""

def mj_subtreeVel(m: MjModel, d: MjData) -> None:
    """Computes velocity and angular momentum of subtrees."""

def mj_tendon(m: MjModel, d: MjData) -> None:
    """Computes lengths and Jacobians of tendons."""

def mj_transmission(m: MjModel, d: MjData) -> None:
    """Computes lengths and moments of actuators."""

def mj_version() -> int:
    """Returns the version of MuJoCo whose behaviour this package has, as a number."""

def mj_versionString() -> str:
    """mj_versionString() -> str Return the current version of MuJoCo as a null-terminated string."""

def mjd_inverseFD(m: MjModel, d: MjData, eps: float, flg_actuation: int, DfDq: NDArray[np.float64] | None, DfDv: NDArray[np.float64] | None, DfDa: NDArray[np.float64] | None, DsDq: NDArray[np.float64] | None, DsDv: NDArray[np.float64] | None, DsDa: NDArray[np.float64] | None, DmDq: NDArray[np.float64] | None) -> None:
    """Computes derivatives of inverse dynamics by forward differences with step `eps`: of the forces and of sensors by position, velocity and acceleration, and of the mass matrix by position. Row `i` of each belongs to input `i`. Any of the matrices may be None. `flg_actuation` subtracts the forces of actuators."""

def mjd_quatIntegrate(vel: ArrayLike, scale: float, Dquat: NDArray[np.float64] | None, Dvel: NDArray[np.float64] | None, Dscale: NDArray[np.float64] | None) -> None:
    """Computes the derivatives of `mju_quatIntegrate` by the quaternion and by `scale * vel` (9 numbers each, by rows), and by `scale`, all as rotations in the frame of the result; any may be None."""

def mjd_subQuat(qa: ArrayLike, qb: ArrayLike, Da: NDArray[np.float64] | None, Db: NDArray[np.float64] | None) -> None:
    """Computes the derivatives of `mju_subQuat(qa, qb)` by rotations of either quaternion in its own frame, 9 numbers each by rows; either may be None."""

def mjd_transitionFD(m: MjModel, d: MjData, eps: float, flg_centered: int, A: NDArray[np.float64] | None, B: NDArray[np.float64] | None, C: NDArray[np.float64] | None, D: NDArray[np.float64] | None) -> None:
    """Computes the matrices of a transition, `x⁺ = A x + B u` and `s = C x + D u`, by finite differences with step `eps`, with `x` the tangent of `qpos`, `qvel` and `act`. Any of the matrices may be None."""

def mju_Halton(index: int, base: int) -> float:
    """Returns a number of the Halton sequence."""

def mju_L1(vec: ArrayLike) -> float:
    """Returns the sum of absolute values."""

def mju_add(res: NDArray[np.float64], vec1: ArrayLike, vec2: ArrayLike) -> None:
    """Computes `res = vec1 + vec2`."""

def mju_add3(res: NDArray[np.float64], vec1: ArrayLike, vec2: ArrayLike) -> None:
    """Computes `res = vec1 + vec2`."""

def mju_addScl(res: NDArray[np.float64], vec1: ArrayLike, vec2: ArrayLike, scl: float) -> None:
    """Computes `res = vec1 + scl vec2`."""

def mju_addScl3(res: NDArray[np.float64], vec1: ArrayLike, vec2: ArrayLike, scl: float) -> None:
    """Computes `res = vec1 + scl vec2`."""

def mju_addTo(res: NDArray[np.float64], vec: ArrayLike) -> None:
    """Adds `vec` to `res`."""

def mju_addTo3(res: NDArray[np.float64], vec: ArrayLike) -> None:
    """Adds `vec` to `res`."""

def mju_addToScl(res: NDArray[np.float64], vec: ArrayLike, scl: float) -> None:
    """Adds `scl vec` to `res`."""

def mju_addToScl3(res: NDArray[np.float64], vec: ArrayLike, scl: float) -> None:
    """Adds `scl vec` to `res`."""

def mju_axisAngle2Quat(res: NDArray[np.float64], axis: ArrayLike, angle: float) -> None:
    """Computes `res`, the quaternion of the rotation by `angle` about `axis`."""

def mju_band2Dense(res: NDArray[np.float64], mat: ArrayLike, ntotal: int, nband: int, ndense: int, flg_sym: int) -> None:
    """Writes the band-dense matrix `mat` to the dense matrix `res`, with its upper triangle if `flg_sym` is not zero."""

def mju_bandDiag(i: int, ntotal: int, nband: int, ndense: int) -> int:
    """Returns where the diagonal of row `i` is in a band-dense matrix."""

def mju_bandMulMatVec(res: NDArray[np.float64], mat: ArrayLike, vec: ArrayLike, ntotal: int, nband: int, ndense: int, nvec: int, flg_sym: int) -> None:
    """Multiplies `nvec` vectors, the rows of `vec`, by the band-dense matrix `mat`, with its upper triangle if `flg_sym` is not zero."""

def mju_boxQP(res: NDArray[np.float64], R: NDArray[np.float64], index: NDArray[np.int32] | None, H: ArrayLike, g: ArrayLike, lower: ArrayLike | None, upper: ArrayLike | None) -> int:
    """Minimises `½ xᵀ H x + gᵀ x` over `lower <= x <= upper`, starting from `res`, where the solution is written. `R` has room for n (n + 7) numbers; its first ones become the Cholesky factor of the free dimensions, which are listed in `index`. Returns how many there are, or -1 for failure."""

def mju_cholFactor(mat: NDArray[np.float64], mindiag: float) -> int:
    """Factorises `mat = L Lᵀ` in place, by the lower triangle; pivots below `mindiag` are raised. Returns the rank."""

def mju_cholFactorBand(mat: NDArray[np.float64], ntotal: int, nband: int, ndense: int, diagadd: float, diagmul: float) -> float:
    """Factorises a band-dense matrix in place, after adding `diagadd + diagmul mat_ii` to its diagonal. Returns the smallest pivot, or 0 if the matrix is not positive definite."""

def mju_cholSolve(res: NDArray[np.float64], mat: ArrayLike, vec: ArrayLike) -> None:
    """Solves `mat matᵀ res = vec`, where `mat` is a factor from `mju_cholFactor`."""

def mju_cholSolveBand(res: NDArray[np.float64], mat: ArrayLike, vec: ArrayLike, ntotal: int, nband: int, ndense: int) -> None:
    """Solves `mat matᵀ res = vec`, where `mat` is a factor from `mju_cholFactorBand`."""

def mju_cholUpdate(mat: NDArray[np.float64], x: NDArray[np.float64], flg_plus: int) -> int:
    """Updates a factor in place to that of `mat matᵀ + x xᵀ`, or `mat matᵀ - x xᵀ` if `flg_plus` is zero, and uses up `x`. Returns the rank."""

def mju_clip(x: float, min: float, max: float) -> float:
    """Returns `x` limited to the range from `min` to `max`."""

def mju_copy(res: NDArray[np.float64], vec: ArrayLike) -> None:
    """Copies `vec` to `res`."""

def mju_copy3(res: NDArray[np.float64], data: ArrayLike) -> None:
    """Copies a vector."""

def mju_copy4(res: NDArray[np.float64], data: ArrayLike) -> None:
    """Copies a quaternion."""

def mju_cross(res: NDArray[np.float64], a: ArrayLike, b: ArrayLike) -> None:
    """Computes `res`, the vector product."""

def mju_d2n(res: NDArray[np.float64], vec: ArrayLike) -> None:
    """Copies `vec` to `res`, which has the same precision."""

def mju_decodePyramid(force: NDArray[np.float64], pyramid: ArrayLike, mu: ArrayLike) -> None:
    """Computes `force`, the force of a contact, normal first, from its parts along the edges of the friction pyramid, with friction coefficients `mu`."""

def mju_dense2Band(res: NDArray[np.float64], mat: ArrayLike, ntotal: int, nband: int, ndense: int) -> None:
    """Writes the lower triangle of the dense matrix `mat` to the band-dense matrix `res`."""

def mju_dense2sparse(res: NDArray[np.float64], mat: ArrayLike, rownnz: NDArray[np.int32], rowadr: NDArray[np.int32], colind: NDArray[np.int32]) -> int:
    """Writes the nonzeros of a dense matrix in compressed rows. Returns 1 if `res` and `colind` are too small, 0 otherwise."""

def mju_derivQuat(res: NDArray[np.float64], quat: ArrayLike, vel: ArrayLike) -> None:
    """Computes `res`, the rate of change of a quaternion that turns with the angular velocity `vel` of the world."""

def mju_dist3(pos1: ArrayLike, pos2: ArrayLike) -> float:
    """Returns the distance of two points."""

def mju_dot(vec1: ArrayLike, vec2: ArrayLike) -> float:
    """Returns the scalar product."""

def mju_dot3(vec1: ArrayLike, vec2: ArrayLike) -> float:
    """Returns the scalar product."""

def mju_eig3(eigval: NDArray[np.float64], eigvec: NDArray[np.float64], quat: NDArray[np.float64], mat: ArrayLike) -> int:
    """Computes the eigenvalues of a symmetric 3 x 3 matrix, largest first, its eigenvectors as columns of `eigvec`, and their frame as a quaternion."""

def mju_encodePyramid(pyramid: NDArray[np.float64], force: ArrayLike, mu: ArrayLike) -> None:
    """Computes `pyramid`, parts along the edges of the friction pyramid that make up the force of a contact, normal first, with friction coefficients `mu`."""

def mju_euler2Quat(quat: NDArray[np.float64], euler: ArrayLike, seq: str) -> None:
    """Computes `quat` of three rotations about the axes that `seq` names: xyz of the rotated frame, XYZ of the fixed one."""

def mju_eye(mat: NDArray[np.float64]) -> None:
    """Makes `mat` the identity."""

def mju_f2n(res: NDArray[np.float64], vec: ArrayLike) -> None:
    """Copies the numbers of single precision in `vec` to `res`."""

def mju_fill(res: NDArray[np.float64], val: float) -> None:
    """Fills `res` with `val`."""

def mju_getXMLDependencies(filename: str | os.PathLike[str]) -> list[str]:
    """Returns the files that a model in MJCF is made of, itself included, in the order of the alphabet."""

def mju_insertionSort(list: NDArray[np.float64]) -> None:
    """Sorts `list` in increasing order, in place."""

def mju_insertionSortInt(list: NDArray[np.int32]) -> None:
    """Sorts `list` in increasing order, in place."""

def mju_isBad(x: float) -> int:
    """Returns 1 if `x` is not a number or larger than `mjMAXVAL`, 0 otherwise."""

def mju_isZero(vec: ArrayLike) -> int:
    """Returns 1 if all numbers are zero, 0 otherwise."""

def mju_mat2Quat(quat: NDArray[np.float64], mat: ArrayLike) -> None:
    """Computes `quat`, the quaternion of a rotation matrix."""

def mju_mat2Rot(quat: NDArray[np.float64], mat: ArrayLike) -> int:
    """Refines `quat` to the rotation nearest to a 3 x 3 matrix. Returns the number of iterations."""

def mju_max(a: float, b: float) -> float:
    """Returns the larger of two numbers."""

def mju_min(a: float, b: float) -> float:
    """Returns the smaller of two numbers."""

def mju_mulMatMat(res: NDArray[np.float64], mat1: ArrayLike, mat2: ArrayLike) -> None:
    """Computes `res = mat1 mat2`."""

def mju_mulMatMatT(res: NDArray[np.float64], mat1: ArrayLike, mat2: ArrayLike) -> None:
    """Computes `res = mat1 mat2ᵀ`."""

def mju_mulMatTMat(res: NDArray[np.float64], mat1: ArrayLike, mat2: ArrayLike) -> None:
    """Computes `res = mat1ᵀ mat2`."""

def mju_mulMatTVec(res: NDArray[np.float64], mat: ArrayLike, vec: ArrayLike) -> None:
    """Computes `res = matᵀ vec`."""

def mju_mulMatTVec3(res: NDArray[np.float64], mat: ArrayLike, vec: ArrayLike) -> None:
    """Computes `res = matᵀ vec`, for 3 x 3 matrices."""

def mju_mulMatVec(res: NDArray[np.float64], mat: ArrayLike, vec: ArrayLike) -> None:
    """Computes `res = mat vec`."""

def mju_mulMatVec3(res: NDArray[np.float64], mat: ArrayLike, vec: ArrayLike) -> None:
    """Computes `res = mat vec`, for 3 x 3 matrices."""

def mju_mulPose(posres: NDArray[np.float64], quatres: NDArray[np.float64], pos1: ArrayLike, quat1: ArrayLike, pos2: ArrayLike, quat2: ArrayLike) -> None:
    """Computes the pose (`posres`, `quatres`) of the second pose inside the first."""

def mju_mulQuat(res: NDArray[np.float64], quat1: ArrayLike, quat2: ArrayLike) -> None:
    """Computes `res`, the product of two quaternions."""

def mju_mulQuatAxis(res: NDArray[np.float64], quat: ArrayLike, axis: ArrayLike) -> None:
    """Computes `res`, the product of a quaternion and a vector as a quaternion."""

def mju_mulVecMatVec(vec1: ArrayLike, mat: ArrayLike, vec2: ArrayLike) -> float:
    """Returns `vec1ᵀ mat vec2`."""

def mju_muscleBias(len: float, lengthrange: ArrayLike, acc0: float, prm: ArrayLike) -> float:
    """Returns the passive force of a muscle; `prm` is as for `mju_muscleGain`."""

def mju_muscleDynamics(ctrl: float, act: float, prm: ArrayLike) -> float:
    """Returns the rate of change of a muscle's activation; `prm` holds the time constants of activation and deactivation, and the width of the transition."""

def mju_muscleGain(len: float, vel: float, lengthrange: ArrayLike, acc0: float, prm: ArrayLike) -> float:
    """Returns the active force of a muscle; `prm` holds range (2), force, scale, lmin, lmax, vmax, fpmax and fvmax."""

def mju_n2d(res: NDArray[np.float64], vec: ArrayLike) -> None:
    """Copies `vec` to `res`, which has the same precision."""

def mju_n2f(res: NDArray[np.float32], vec: ArrayLike) -> None:
    """Copies `vec` to `res`, rounded to single precision."""

def mju_negPose(posres: NDArray[np.float64], quatres: NDArray[np.float64], pos: ArrayLike, quat: ArrayLike) -> None:
    """Computes the inverse (`posres`, `quatres`) of a pose."""

def mju_negQuat(res: NDArray[np.float64], quat: ArrayLike) -> None:
    """Computes `res`, the inverse of a unit quaternion."""

def mju_norm(res: ArrayLike) -> float:
    """Returns the length of a vector."""

def mju_norm3(vec: ArrayLike) -> float:
    """Returns the length of a vector."""

def mju_normalize(res: NDArray[np.float64]) -> float:
    """Gives `res` unit length in place, the first axis if it has none, and returns the length it had."""

def mju_normalize3(vec: NDArray[np.float64]) -> float:
    """Gives `vec` unit length in place, the x-axis if it has none, and returns the length it had."""

def mju_normalize4(vec: NDArray[np.float64]) -> float:
    """Gives `vec` unit length in place, the identity if it has none, and returns the length it had."""

def mju_printMat(mat: ArrayLike) -> None:
    """Prints a matrix, a line for each row."""

def mju_printMatSparse(mat: ArrayLike, rownnz: ArrayLike, rowadr: ArrayLike, colind: ArrayLike) -> None:
    """Prints a matrix in compressed rows, a line for each row."""

def mju_quat2Mat(res: NDArray[np.float64], quat: ArrayLike) -> None:
    """Computes `res`, the rotation matrix of a quaternion, by rows."""

def mju_quat2Vel(res: NDArray[np.float64], quat: ArrayLike, dt: float) -> None:
    """Computes `res`, the angular velocity that gives the rotation `quat` in the time `dt`."""

def mju_quatIntegrate(quat: NDArray[np.float64], vel: ArrayLike, scale: float) -> None:
    """Turns `quat` in place by the local angular velocity `vel` over the time `scale`."""

def mju_quatZ2Vec(quat: NDArray[np.float64], vec: ArrayLike) -> None:
    """Computes `quat`, the shortest rotation that takes the z-axis to the direction `vec`."""

def mju_rayGeom(pos: ArrayLike, mat: ArrayLike, size: ArrayLike, pnt: ArrayLike, vec: ArrayLike, geomtype: int, normal: NDArray[np.float64] | None = None) -> float:
    """Returns the distance, in lengths of `vec`, at which the ray from `pnt` along `vec` meets a primitive shape of the given type, size and pose, or -1 if it does not. Writes the unit normal of the surface to `normal`."""

def mju_raySkin(nface: int, nvert: int, face: ArrayLike, vert: ArrayLike, pnt: ArrayLike, vec: ArrayLike, vertid: NDArray[np.int32]) -> float:
    """Returns the distance, in lengths of `vec`, at which the ray from `pnt` along `vec` meets a skin, or -1 if it does not. `face` has three vertices per face, `vert` three numbers per vertex; the vertex nearest to where they meet is written to `vertid`, or -1."""

def mju_rotVecQuat(res: NDArray[np.float64], vec: ArrayLike, quat: ArrayLike) -> None:
    """Computes `res`, a vector rotated by a quaternion."""

def mju_round(x: float) -> int:
    """Returns the integer nearest to `x`; halves are rounded up."""

def mju_scl(res: NDArray[np.float64], vec: ArrayLike, scl: float) -> None:
    """Computes `res = scl vec`."""

def mju_scl3(res: NDArray[np.float64], vec: ArrayLike, scl: float) -> None:
    """Computes `res = scl vec`."""

def mju_sigmoid(x: float) -> float:
    """Returns the quintic polynomial that goes smoothly from 0 to 1 over 0 <= x <= 1."""

def mju_sign(x: float) -> float:
    """Returns the sign of `x`: 1, -1 or 0."""

def mju_sparse2dense(res: NDArray[np.float64], mat: ArrayLike, rownnz: ArrayLike, rowadr: ArrayLike, colind: ArrayLike) -> None:
    """Writes a matrix in compressed rows as the dense matrix `res`."""

def mju_springDamper(pos0: float, vel0: float, Kp: float, Kv: float, dt: float) -> float:
    """Returns the position of a unit mass on a spring with damping after the time `dt`."""

def mju_sqrMatTD(res: NDArray[np.float64], mat: ArrayLike, diag: ArrayLike | None) -> None:
    """Computes `res = matᵀ diag(diag) mat`, or `matᵀ mat` if `diag` is None."""

def mju_standardNormal(num2: Any) -> float:
    """Returns a random number of the standard normal distribution. If `num2` is an array, its first number becomes another one."""

def mju_str2Type(str: str | bytes) -> int:
    """Returns the number of a kind of object (an `mjtObj`) by its name; 0 if there is none."""

def mju_sub(res: NDArray[np.float64], vec1: ArrayLike, vec2: ArrayLike) -> None:
    """Computes `res = vec1 - vec2`."""

def mju_sub3(res: NDArray[np.float64], vec1: ArrayLike, vec2: ArrayLike) -> None:
    """Computes `res = vec1 - vec2`."""

def mju_subFrom(res: NDArray[np.float64], vec: ArrayLike) -> None:
    """Subtracts `vec` from `res`."""

def mju_subFrom3(res: NDArray[np.float64], vec: ArrayLike) -> None:
    """Subtracts `vec` from `res`."""

def mju_subQuat(res: NDArray[np.float64], qa: ArrayLike, qb: ArrayLike) -> None:
    """Computes `res`, the local rotation vector that leads from `qb` to `qa`."""

def mju_sum(vec: ArrayLike) -> float:
    """Returns the sum of the numbers."""

def mju_symmetrize(res: NDArray[np.float64], mat: ArrayLike) -> None:
    """Computes `res = (mat + matᵀ) / 2`."""

def mju_transformSpatial(res: NDArray[np.float64], vec: ArrayLike, flg_force: int, newpos: ArrayLike, oldpos: ArrayLike, rotnew2old: ArrayLike | None) -> None:
    """Transforms a spatial vector, rotation first, to a frame at `newpos` that is turned by `rotnew2old`: a force if `flg_force` is not zero, a motion otherwise."""

def mju_transpose(res: NDArray[np.float64], mat: ArrayLike) -> None:
    """Computes `res = matᵀ`."""

def mju_trnVecPose(res: NDArray[np.float64], pos: ArrayLike, quat: ArrayLike, vec: ArrayLike) -> None:
    """Computes `res`, a vector in the frame (`pos`, `quat`) as seen from outside."""

def mju_type2Str(type: int) -> str | None:
    """Returns the name of a kind of object (an `mjtObj`); None if it has none."""

def mju_unit4(res: NDArray[np.float64]) -> None:
    """Makes `res` the identity."""

def mju_warningText(warning: int, info: int) -> str:
    """Returns what a warning of a kind (an `mjtWarning`) says about `info`."""

def mju_writeLog(type: str, msg: str) -> None:
    """Adds a line with the date, a kind and a message to MUJOCO_LOG.TXT in the working directory."""

def mju_writeNumBytes(nbytes: int) -> str:
    """Returns a number of bytes as text, with the largest letter that divides it."""

def mju_zero(res: NDArray[np.float64]) -> None:
    """Fills `res` with zeros."""

def mju_zero3(res: NDArray[np.float64]) -> None:
    """Fills three numbers with zeros."""

def mju_zero4(res: NDArray[np.float64]) -> None:
    """Fills four numbers with zeros."""

def set_mjcb_act_bias(function: Callable[..., Any] | None) -> None:
    """Sets the function `f(model, data, id)` that returns the bias of an actuator with user bias; None: no function."""

def set_mjcb_act_dyn(function: Callable[..., Any] | None) -> None:
    """Sets the function `f(model, data, id)` that returns the rate of change of the activation of an actuator with user dynamics; None: no function."""

def set_mjcb_act_gain(function: Callable[..., Any] | None) -> None:
    """Sets the function `f(model, data, id)` that returns the gain of an actuator with user gain; None: no function."""

def set_mjcb_contactfilter(function: Callable[..., Any] | None) -> None:
    """Sets the function `f(model, data, geom1, geom2)` that returns 1 for two geoms that are not to collide and 0 for others, in place of the comparison of `geom_contype` and `geom_conaffinity`; None: no function."""

def set_mjcb_control(function: Callable[..., Any] | None) -> None:
    """Sets the function `f(model, data)` that is called to set controls and applied forces, after everything that depends on position and velocity; None: no function."""

def set_mjcb_passive(function: Callable[..., Any] | None) -> None:
    """Sets the function `f(model, data)` that is called to add to `data.qfrc_passive`; None: no function."""

def set_mjcb_sensor(function: Callable[..., Any] | None) -> None:
    """Sets the function `f(model, data, stage)` that is called to fill `data.sensordata` of user sensors of an `mjtStage`; None: no function."""

def set_mjcb_time(function: Callable[..., Any] | None) -> None:
    """Sets the function `f()` that returns the time now, in any unit, for the timers of the data; None: no function, and only `mj_step` counts its time, in seconds."""

def set_mju_user_free(function: Callable[..., Any] | None) -> None:
    """Takes None only: memory comes from Rust's allocator."""

def set_mju_user_malloc(function: Callable[..., Any] | None) -> None:
    """Takes None only: memory comes from Rust's allocator."""

def set_mju_user_warning(function: Callable[..., Any] | None) -> None:
    """Sets the function `f(text)` that is called for each warning that the engine counts for the first time since the last reset; None: no function."""
