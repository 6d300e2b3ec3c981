//! A reader of HTTP/1.1 requests without bodies, and writers of responses.

use std::io::{self, Read, Write};

/// Most bytes of a request.
pub(crate) const MAX_REQUEST: usize = 8 << 10;
/// Most header lines.
const MAX_HEADERS: usize = 64;

/// What a response forbids the page to do: load, run or embed anything from elsewhere.
pub(crate) const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    connect-src 'self'; img-src 'self' blob: data:; media-src blob:; base-uri 'none'; form-action 'none'";

/// A request: method, path and headers with names in lower case.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    headers: Vec<(String, String)>,
}

/// Why there is no request.
#[derive(Debug)]
pub(crate) enum RequestError {
    /// The connection ended or took too long.
    Io(io::Error),
    /// What was sent is not a request.
    Malformed,
    TooLarge,
}

impl Request {
    /// Reads a request up to its empty line.
    pub(crate) fn read(stream: &mut impl Read) -> Result<Request, RequestError> {
        let mut bytes = Vec::new();
        // byte by byte, so that nothing of what follows is taken; requests are small
        let mut byte = [0];
        while !bytes.ends_with(b"\r\n\r\n") {
            if bytes.len() >= MAX_REQUEST {
                return Err(RequestError::TooLarge);
            }
            match stream.read(&mut byte) {
                Ok(0) => return Err(RequestError::Io(io::ErrorKind::UnexpectedEof.into())),
                Ok(_) => bytes.push(byte[0]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(RequestError::Io(error)),
            }
        }
        Request::parse(&bytes).ok_or(RequestError::Malformed)
    }

    fn parse(bytes: &[u8]) -> Option<Request> {
        let text = std::str::from_utf8(bytes).ok()?;
        let mut lines = text.strip_suffix("\r\n\r\n")?.split("\r\n");
        let mut words = lines.next()?.split(' ');
        let (method, path, version) = (words.next()?, words.next()?, words.next()?);
        if words.next().is_some() || !version.starts_with("HTTP/1.") || !path.starts_with('/') {
            return None;
        }
        let mut headers = Vec::new();
        for line in lines {
            let (name, value) = line.split_once(':')?;
            let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
            if headers.len() >= MAX_HEADERS || name.is_empty() || !name.chars().all(plain) {
                return None;
            }
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        // a proxy and we must not understand a header differently
        let count = |name: &str| headers.iter().filter(|(key, _)| key == name).count();
        if count("host") > 1 || count("origin") > 1 {
            return None;
        }
        Some(Request { method: method.to_owned(), path: path.to_owned(), headers })
    }

    /// The value of a header, by its name in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Whether a header is a list that has `word`.
    pub(crate) fn has_word(&self, name: &str, word: &str) -> bool {
        let list = self.header(name).unwrap_or_default();
        list.split(',').any(|item| item.trim().eq_ignore_ascii_case(word))
    }
}

/// Writes a response and asks for the end of the connection.
pub(crate) fn respond(
    stream: &mut impl Write,
    status: &str,
    kind: &str,
    body: &[u8],
    with_body: bool,
) -> io::Result<()> {
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\
         Content-Security-Policy: {POLICY}\r\nX-Content-Type-Options: nosniff\r\n\
         Referrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\n\
         Cache-Control: no-store\r\nConnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes())?;
    if with_body {
        stream.write_all(body)?;
    }
    stream.flush()
}

/// Answers the request for a WebSocket.
pub(crate) fn upgrade(stream: &mut impl Write, accept: &str) -> io::Result<()> {
    let head = format!(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
         Sec-WebSocket-Accept: {accept}\r\n\r\n"
    );
    stream.write_all(head.as_bytes())?;
    stream.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Sequence;

    #[test]
    fn a_request_has_its_parts() {
        let text =
            b"GET /socket HTTP/1.1\r\nHost: a:1\r\nConnection: keep-alive, Upgrade\r\n\r\nrest";
        let request = Request::read(&mut &text[..]).unwrap();
        assert_eq!((request.method.as_str(), request.path.as_str()), ("GET", "/socket"));
        assert_eq!(request.header("host"), Some("a:1"));
        assert!(request.has_word("connection", "upgrade"));
    }

    #[test]
    fn a_long_request_is_refused_without_reading_on() {
        let text = [b"GET / HTTP/1.1\r\nA: ".as_slice(), &vec![b'x'; 2 * MAX_REQUEST]].concat();
        let mut rest = &text[..];
        assert!(matches!(Request::read(&mut rest), Err(RequestError::TooLarge)));
        assert_eq!(text.len() - rest.len(), MAX_REQUEST);
    }

    #[test]
    fn two_hosts_are_no_request() {
        let text = b"GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n";
        assert!(matches!(Request::read(&mut &text[..]), Err(RequestError::Malformed)));
    }

    #[test]
    fn random_bytes_never_panic() {
        let mut random = Sequence::new(3);
        let pieces = ["GET ", "/", " HTTP/1.1", "\r\n", "Host: x", ":", "\r\n\r\n", "\0", "é", ","];
        for _ in 0..5_000 {
            let count = random.below(30);
            let mut text: Vec<u8> =
                (0..count).flat_map(|_| pieces[random.below(pieces.len())].bytes()).collect();
            text.push(random.next() as u8);
            let _ = Request::read(&mut &text[..]);
        }
    }
}
