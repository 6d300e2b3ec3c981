//! Enums of visualisation, with MuJoCo's numbers.

use crate::model::{EnumInfo, enums};

enums! {
    /// Categories of drawn objects.
    Category = "mjtCatBit" {
        Static = 1 "mjCAT_STATIC",
        Dynamic = 2 "mjCAT_DYNAMIC",
        Decor = 4 "mjCAT_DECOR",
        All = 7 "mjCAT_ALL",
    }

    /// What moving the mouse does.
    Mouse = "mjtMouse" {
        None = 0 "mjMOUSE_NONE",
        RotateV = 1 "mjMOUSE_ROTATE_V",
        RotateH = 2 "mjMOUSE_ROTATE_H",
        MoveV = 3 "mjMOUSE_MOVE_V",
        MoveH = 4 "mjMOUSE_MOVE_H",
        Zoom = 5 "mjMOUSE_ZOOM",
        MoveVRel = 6 "mjMOUSE_MOVE_V_REL",
        MoveHRel = 7 "mjMOUSE_MOVE_H_REL",
    }

    /// How the selected body is perturbed.
    PerturbBit = "mjtPertBit" {
        Translate = 1 "mjPERT_TRANSLATE",
        Rotate = 2 "mjPERT_ROTATE",
    }

    /// Kind of camera.
    CameraType = "mjtCamera" {
        Free = 0 "mjCAMERA_FREE",
        Tracking = 1 "mjCAMERA_TRACKING",
        Fixed = 2 "mjCAMERA_FIXED",
        User = 3 "mjCAMERA_USER",
    }

    /// Which objects have a label.
    Label = "mjtLabel" {
        None = 0 "mjLABEL_NONE",
        Body = 1 "mjLABEL_BODY",
        Joint = 2 "mjLABEL_JOINT",
        Geom = 3 "mjLABEL_GEOM",
        Site = 4 "mjLABEL_SITE",
        Camera = 5 "mjLABEL_CAMERA",
        Light = 6 "mjLABEL_LIGHT",
        Tendon = 7 "mjLABEL_TENDON",
        Actuator = 8 "mjLABEL_ACTUATOR",
        Constraint = 9 "mjLABEL_CONSTRAINT",
        Flex = 10 "mjLABEL_FLEX",
        Skin = 11 "mjLABEL_SKIN",
        Selection = 12 "mjLABEL_SELECTION",
        SelectionPoint = 13 "mjLABEL_SELPNT",
        ContactPoint = 14 "mjLABEL_CONTACTPOINT",
        ContactForce = 15 "mjLABEL_CONTACTFORCE",
        Island = 16 "mjLABEL_ISLAND",
    }

    /// Which frames are drawn.
    Frame = "mjtFrame" {
        None = 0 "mjFRAME_NONE",
        Body = 1 "mjFRAME_BODY",
        Geom = 2 "mjFRAME_GEOM",
        Site = 3 "mjFRAME_SITE",
        Camera = 4 "mjFRAME_CAMERA",
        Light = 5 "mjFRAME_LIGHT",
        Contact = 6 "mjFRAME_CONTACT",
        World = 7 "mjFRAME_WORLD",
    }

    /// What is drawn.
    VisFlag = "mjtVisFlag" {
        ConvexHull = 0 "mjVIS_CONVEXHULL",
        Texture = 1 "mjVIS_TEXTURE",
        Joint = 2 "mjVIS_JOINT",
        Camera = 3 "mjVIS_CAMERA",
        Actuator = 4 "mjVIS_ACTUATOR",
        Activation = 5 "mjVIS_ACTIVATION",
        Light = 6 "mjVIS_LIGHT",
        Tendon = 7 "mjVIS_TENDON",
        Rangefinder = 8 "mjVIS_RANGEFINDER",
        Constraint = 9 "mjVIS_CONSTRAINT",
        Inertia = 10 "mjVIS_INERTIA",
        ScaleInertia = 11 "mjVIS_SCLINERTIA",
        PerturbForce = 12 "mjVIS_PERTFORCE",
        PerturbObject = 13 "mjVIS_PERTOBJ",
        ContactPoint = 14 "mjVIS_CONTACTPOINT",
        Island = 15 "mjVIS_ISLAND",
        ContactForce = 16 "mjVIS_CONTACTFORCE",
        ContactSplit = 17 "mjVIS_CONTACTSPLIT",
        Transparent = 18 "mjVIS_TRANSPARENT",
        AutoConnect = 19 "mjVIS_AUTOCONNECT",
        CenterOfMass = 20 "mjVIS_COM",
        Select = 21 "mjVIS_SELECT",
        Static = 22 "mjVIS_STATIC",
        Skin = 23 "mjVIS_SKIN",
        FlexVert = 24 "mjVIS_FLEXVERT",
        FlexEdge = 25 "mjVIS_FLEXEDGE",
        FlexFace = 26 "mjVIS_FLEXFACE",
        FlexSkin = 27 "mjVIS_FLEXSKIN",
        BodyBvh = 28 "mjVIS_BODYBVH",
        MeshBvh = 29 "mjVIS_MESHBVH",
        SdfIter = 30 "mjVIS_SDFITER",
    }

    /// Effects of the renderer.
    RenderFlag = "mjtRndFlag" {
        Shadow = 0 "mjRND_SHADOW",
        Wireframe = 1 "mjRND_WIREFRAME",
        Reflection = 2 "mjRND_REFLECTION",
        Additive = 3 "mjRND_ADDITIVE",
        Skybox = 4 "mjRND_SKYBOX",
        Fog = 5 "mjRND_FOG",
        Haze = 6 "mjRND_HAZE",
        Depth = 7 "mjRND_DEPTH",
        Segment = 8 "mjRND_SEGMENT",
        IdColor = 9 "mjRND_IDCOLOR",
        CullFace = 10 "mjRND_CULL_FACE",
    }

    /// Stereo rendering.
    Stereo = "mjtStereo" {
        None = 0 "mjSTEREO_NONE",
        QuadBuffered = 1 "mjSTEREO_QUADBUFFERED",
        SideBySide = 2 "mjSTEREO_SIDEBYSIDE",
    }

    /// Where in a picture an overlay is.
    GridPosition = "mjtGridPos" {
        TopLeft = 0 "mjGRID_TOPLEFT",
        TopRight = 1 "mjGRID_TOPRIGHT",
        BottomLeft = 2 "mjGRID_BOTTOMLEFT",
        BottomRight = 3 "mjGRID_BOTTOMRIGHT",
        Top = 4 "mjGRID_TOP",
        Bottom = 5 "mjGRID_BOTTOM",
        Left = 6 "mjGRID_LEFT",
        Right = 7 "mjGRID_RIGHT",
    }

    /// Which buffer is drawn to.
    Framebuffer = "mjtFramebuffer" {
        Window = 0 "mjFB_WINDOW",
        Offscreen = 1 "mjFB_OFFSCREEN",
    }

    /// What the numbers of a depth picture mean.
    DepthMap = "mjtDepthMap" {
        ZeroNear = 0 "mjDEPTH_ZERONEAR",
        ZeroFar = 1 "mjDEPTH_ZEROFAR",
    }

    /// Size of text, in percent.
    FontScale = "mjtFontScale" {
        Half = 50 "mjFONTSCALE_50",
        Normal = 100 "mjFONTSCALE_100",
        X150 = 150 "mjFONTSCALE_150",
        X200 = 200 "mjFONTSCALE_200",
        X250 = 250 "mjFONTSCALE_250",
        X300 = 300 "mjFONTSCALE_300",
    }

    /// Kind of text.
    Font = "mjtFont" {
        Normal = 0 "mjFONT_NORMAL",
        Shadow = 1 "mjFONT_SHADOW",
        Big = 2 "mjFONT_BIG",
    }
}
