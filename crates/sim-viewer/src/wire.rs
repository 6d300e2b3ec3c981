//! Messages as bytes: little-endian, in units of four, with a version and a kind in front.

/// Version of the format.
pub(crate) const VERSION: u8 = 1;

/// What a message is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Scene = 1,
    Table = 2,
    Frame = 3,
    Image = 4,
    Grid = 5,
}

/// A message that is being written.
#[derive(Debug, Default)]
pub(crate) struct Message {
    bytes: Vec<u8>,
}

impl Message {
    pub(crate) fn start(kind: Kind) -> Message {
        Message { bytes: vec![VERSION, kind as u8, 0, 0] }
    }

    pub(crate) fn with_room(kind: Kind, room: usize) -> Message {
        let mut bytes = Vec::with_capacity(room);
        bytes.extend([VERSION, kind as u8, 0, 0]);
        Message { bytes }
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    pub(crate) fn finish(self) -> Vec<u8> {
        self.bytes
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Fills up to a multiple of four bytes.
    pub(crate) fn pad(&mut self) {
        while !self.bytes.len().is_multiple_of(4) {
            self.bytes.push(0);
        }
    }

    pub(crate) fn u16(&mut self, x: u16) {
        self.bytes.extend(x.to_le_bytes());
    }

    pub(crate) fn u32(&mut self, x: u32) {
        self.bytes.extend(x.to_le_bytes());
    }

    pub(crate) fn i32(&mut self, x: i32) {
        self.bytes.extend(x.to_le_bytes());
    }

    pub(crate) fn f32(&mut self, x: f32) {
        self.bytes.extend(x.to_le_bytes());
    }

    pub(crate) fn f64(&mut self, x: f64) {
        self.bytes.extend(x.to_le_bytes());
    }

    pub(crate) fn f32s(&mut self, xs: &[f32]) {
        xs.iter().for_each(|&x| self.f32(x));
    }

    /// A unit quaternion as four numbers of 16 bits.
    pub(crate) fn quat(&mut self, quat: [f32; 4]) {
        for x in quat {
            self.u16((x.clamp(-1.0, 1.0) * 32767.0).round() as i16 as u16);
        }
    }
}
