//! WebSocket frames (RFC 6455): the handshake's key, reading messages with a limit, writing them.

use std::io::{self, Read, Write};

/// What a client sent.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Message {
    Text(String),
    Binary(Vec<u8>),
    Ping(Vec<u8>),
    Pong,
    Close,
}

const CONTINUATION: u8 = 0;
const TEXT: u8 = 1;
const BINARY: u8 = 2;
const CLOSE: u8 = 8;
const PING: u8 = 9;
const PONG: u8 = 10;

/// Most bytes of a control frame.
const MAX_CONTROL: u64 = 125;
/// Bytes that a buffer grows by, so that a length alone reserves no memory.
const CHUNK: u64 = 1 << 16;

fn broken(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// Reads messages of one client. Fragments of a message may have control frames between them.
#[derive(Debug)]
pub(crate) struct Reader<R> {
    stream: R,
    partial: Option<(u8, Vec<u8>)>,
    /// Most bytes of a message.
    pub(crate) limit: u64,
}

impl<R: Read> Reader<R> {
    pub(crate) fn new(stream: R, limit: u64) -> Reader<R> {
        Reader { stream, partial: None, limit }
    }

    /// The next message.
    pub(crate) fn read(&mut self) -> io::Result<Message> {
        loop {
            let (last, opcode, payload) = self.frame()?;
            match opcode {
                PING => return Ok(Message::Ping(payload)),
                PONG => return Ok(Message::Pong),
                CLOSE => return Ok(Message::Close),
                TEXT | BINARY if self.partial.is_none() => self.partial = Some((opcode, payload)),
                CONTINUATION => match &mut self.partial {
                    Some((_, bytes)) => bytes.extend_from_slice(&payload),
                    None => return Err(broken("a continuation of nothing")),
                },
                TEXT | BINARY => return Err(broken("a message inside a message")),
                _ => return Err(broken("an unknown opcode")),
            }
            if last && let Some((kind, bytes)) = self.partial.take() {
                return match kind {
                    TEXT => String::from_utf8(bytes)
                        .map(Message::Text)
                        .map_err(|_| broken("text that is not UTF-8")),
                    _ => Ok(Message::Binary(bytes)),
                };
            }
        }
    }

    fn exact<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.stream.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    /// One frame: whether it is the last of its message, its opcode and its content.
    fn frame(&mut self) -> io::Result<(bool, u8, Vec<u8>)> {
        let [first, second] = self.exact()?;
        let (last, opcode) = (first & 0x80 != 0, first & 0x0f);
        if first & 0x70 != 0 {
            return Err(broken("reserved bits are set"));
        }
        if second & 0x80 == 0 {
            return Err(broken("a client's frame without a mask"));
        }
        let length = match second & 0x7f {
            126 => u64::from(u16::from_be_bytes(self.exact()?)),
            127 => u64::from_be_bytes(self.exact()?),
            short => u64::from(short),
        };
        if opcode >= CLOSE && (length > MAX_CONTROL || !last) {
            return Err(broken("a control frame that is long or in pieces"));
        }
        let before = self.partial.as_ref().map_or(0, |(_, bytes)| bytes.len() as u64);
        if length.saturating_add(before) > self.limit {
            return Err(broken("a message over the limit"));
        }
        let mask: [u8; 4] = self.exact()?;
        let mut payload = Vec::new();
        let mut left = length;
        while left > 0 {
            let start = payload.len();
            let part = left.min(CHUNK);
            payload.resize(start + part as usize, 0);
            self.stream.read_exact(&mut payload[start..])?;
            left -= part;
        }
        for (byte, key) in payload.iter_mut().zip(mask.iter().cycle()) {
            *byte ^= key;
        }
        Ok((last, opcode, payload))
    }
}

/// The head of a frame from the server, which has no mask.
fn head(opcode: u8, length: usize) -> Vec<u8> {
    let mut head = vec![0x80 | opcode];
    match length {
        0..126 => head.push(length as u8),
        126..65536 => {
            head.push(126);
            head.extend((length as u16).to_be_bytes());
        }
        _ => {
            head.push(127);
            head.extend((length as u64).to_be_bytes());
        }
    }
    head
}

fn write(stream: &mut impl Write, opcode: u8, payload: &[u8]) -> io::Result<()> {
    let mut bytes = head(opcode, payload.len());
    // small frames leave in one packet
    if payload.len() < 1 << 14 {
        bytes.extend_from_slice(payload);
        return stream.write_all(&bytes);
    }
    stream.write_all(&bytes)?;
    stream.write_all(payload)
}

pub(crate) fn write_text(stream: &mut impl Write, text: &str) -> io::Result<()> {
    write(stream, TEXT, text.as_bytes())
}

pub(crate) fn write_binary(stream: &mut impl Write, payload: &[u8]) -> io::Result<()> {
    write(stream, BINARY, payload)
}

pub(crate) fn write_ping(stream: &mut impl Write) -> io::Result<()> {
    write(stream, PING, &[])
}

pub(crate) fn write_pong(stream: &mut impl Write, payload: &[u8]) -> io::Result<()> {
    write(stream, PONG, payload)
}

/// Closes the connection with a status and a reason.
pub(crate) fn write_close(stream: &mut impl Write, status: u16, reason: &str) -> io::Result<()> {
    let mut payload = status.to_be_bytes().to_vec();
    payload.extend_from_slice(&reason.as_bytes()[..reason.len().min(100)]);
    write(stream, CLOSE, &payload)
}

/// The answer to the key of a handshake.
pub(crate) fn accept(key: &str) -> String {
    let text = format!("{key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11");
    base64(&sha1(text.as_bytes()))
}

/// Base64 with padding (RFC 4648).
pub(crate) fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let [a, b, c] = [0, 1, 2].map(|i| u32::from(chunk.get(i).copied().unwrap_or(0)));
        let bits = a << 16 | b << 8 | c;
        for i in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * i)) as usize & 63];
            text.push(if i <= chunk.len() { letter as char } else { '=' });
        }
    }
    text
}

/// SHA-1 (FIPS 180-4); the handshake needs it, nothing is kept secret by it.
fn sha1(bytes: &[u8]) -> [u8; 20] {
    let mut state: [u32; 5] = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
    let mut padded = bytes.to_vec();
    padded.push(0x80);
    while padded.len() % 64 != 56 {
        padded.push(0);
    }
    padded.extend((8 * bytes.len() as u64).to_be_bytes());
    for block in padded.chunks_exact(64) {
        let mut w = [0u32; 80];
        for (word, four) in w.iter_mut().zip(block.chunks_exact(4)) {
            *word = u32::from_be_bytes([four[0], four[1], four[2], four[3]]);
        }
        for i in 16..80 {
            w[i] = (w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16]).rotate_left(1);
        }
        let [mut a, mut b, mut c, mut d, mut e] = state;
        for (i, word) in w.iter().enumerate() {
            let (f, k) = match i / 20 {
                0 => (b & c | !b & d, 0x5a827999),
                1 => (b ^ c ^ d, 0x6ed9eba1),
                2 => (b & c | b & d | c & d, 0x8f1bbcdc),
                _ => (b ^ c ^ d, 0xca62c1d6u32),
            };
            let next = a.rotate_left(5).wrapping_add(f).wrapping_add(e);
            let next = next.wrapping_add(k).wrapping_add(*word);
            (e, d, c, b, a) = (d, c, b.rotate_left(30), a, next);
        }
        for (sum, x) in state.iter_mut().zip([a, b, c, d, e]) {
            *sum = sum.wrapping_add(x);
        }
    }
    let mut digest = [0; 20];
    for (out, word) in digest.chunks_exact_mut(4).zip(state) {
        out.copy_from_slice(&word.to_be_bytes());
    }
    digest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Sequence;

    /// A frame as a client sends it.
    fn masked(first: u8, payload: &[u8]) -> Vec<u8> {
        let mut bytes = head(0, payload.len());
        bytes[0] = first;
        bytes[1] |= 0x80;
        let mask = [1, 2, 3, 4];
        bytes.extend(mask);
        bytes.extend(payload.iter().zip(mask.iter().cycle()).map(|(byte, key)| byte ^ key));
        bytes
    }

    #[test]
    fn the_handshake_of_the_standard_is_answered() {
        assert_eq!(accept("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
        assert_eq!([b"".as_slice(), b"f", b"fo", b"foo"].map(base64), ["", "Zg==", "Zm8=", "Zm9v"]);
    }

    #[test]
    fn fragments_join_around_control_frames() {
        let mut bytes = masked(TEXT, b"hel");
        bytes.extend(masked(0x80 | PING, b"!"));
        bytes.extend(masked(0x80 | CONTINUATION, b"lo"));
        let mut reader = Reader::new(&bytes[..], 100);
        assert_eq!(reader.read().unwrap(), Message::Ping(b"!".to_vec()));
        assert_eq!(reader.read().unwrap(), Message::Text("hello".into()));
    }

    #[test]
    fn a_message_over_the_limit_is_refused_whole_and_in_pieces() {
        let whole = masked(0x80 | TEXT, &[b'x'; 101]);
        assert!(Reader::new(&whole[..], 100).read().is_err());
        let mut pieces = masked(TEXT, &[b'x'; 60]);
        pieces.extend(masked(0x80 | CONTINUATION, &[b'x'; 60]));
        assert!(Reader::new(&pieces[..], 100).read().is_err());
        assert!(Reader::new(&pieces[..], 120).read().is_ok());
    }

    #[test]
    fn an_unmasked_frame_is_refused() {
        let bytes = [0x81, 1, b'x'];
        assert!(Reader::new(&bytes[..], 100).read().is_err());
    }

    #[test]
    fn a_length_alone_reserves_no_memory() {
        let mut bytes = vec![0x82, 0xff];
        bytes.extend((1u64 << 40).to_be_bytes());
        bytes.extend([0; 4]);
        // the limit allows it, but nothing follows
        assert!(Reader::new(&bytes[..], u64::MAX).read().is_err());
    }

    #[test]
    fn random_bytes_never_panic() {
        let mut random = Sequence::new(7);
        for _ in 0..20_000 {
            let length = random.below(200);
            let mut bytes: Vec<u8> = (0..length).map(|_| random.next() as u8).collect();
            // often with a plausible head
            if let [first, second, ..] = &mut bytes[..]
                && random.below(2) == 0
            {
                *first &= 0x8f;
                *second |= 0x80;
            }
            let mut reader = Reader::new(&bytes[..], 64);
            while let Ok(message) = reader.read() {
                if let Message::Text(text) = message {
                    assert!(text.len() <= 64);
                }
            }
        }
    }
}
