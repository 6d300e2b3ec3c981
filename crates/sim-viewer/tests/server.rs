//! Who may connect, what is served, and that nobody waits for a page. Each test fails without the
//! rule that it is named after.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use sim_viewer::{MAX_CLIENTS, ServerOptions, Session, Viewer};

const MODEL: &str = "<mujoco><worldbody><light/><body name='ball' pos='0 0 1'><freejoint/>\
    <geom size='.1'/></body><geom type='plane' size='1 1 1'/></worldbody></mujoco>";

fn start() -> Viewer {
    let options =
        ServerOptions { patience: Duration::from_millis(600), ..ServerOptions::default() };
    Viewer::start(options).unwrap()
}

fn session() -> Session {
    let model = sim_mjcf::load_str(MODEL).unwrap().model;
    let data = sim_core::Data::new(&model);
    Session::new(model, data, "test")
}

/// Runs a session beside the test until it returns.
fn with_session(test: impl FnOnce(&Viewer)) {
    let viewer = start();
    let stop = Arc::new(AtomicBool::new(false));
    std::thread::scope(|scope| {
        let (viewer, stopping) = (&viewer, stop.clone());
        scope.spawn(move || session().run(viewer, None, &|| stopping.load(Ordering::Relaxed)));
        let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| test(viewer)));
        stop.store(true, Ordering::Relaxed);
        if let Err(panic) = ended {
            std::panic::resume_unwind(panic);
        }
    });
}

fn port(viewer: &Viewer) -> u16 {
    viewer.address().port()
}

fn token(viewer: &Viewer) -> String {
    viewer.url().split("token=").nth(1).unwrap().to_owned()
}

fn connect(viewer: &Viewer) -> TcpStream {
    let stream = TcpStream::connect(viewer.address()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    stream
}

/// Status and whole answer of a request.
fn request(viewer: &Viewer, text: &str) -> (u16, String) {
    let mut stream = connect(viewer);
    stream.write_all(text.as_bytes()).unwrap();
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let status = answer.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or(0);
    (status, answer)
}

fn get(viewer: &Viewer, path: &str, host: &str) -> (u16, String) {
    request(viewer, &format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n"))
}

/// Asks for a socket; returns the stream and the status.
fn upgrade(viewer: &Viewer, host: &str, origin: &str) -> (TcpStream, u16) {
    let mut stream = connect(viewer);
    let origin = if origin.is_empty() { String::new() } else { format!("Origin: {origin}\r\n") };
    let text = format!(
        "GET /socket HTTP/1.1\r\nHost: {host}\r\n{origin}Upgrade: websocket\r\nConnection: Upgrade\r\n\
         Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    );
    stream.write_all(text.as_bytes()).unwrap();
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).unwrap_or(0) == 1 {
        head.push(byte[0]);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let status = head.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or(0);
    (stream, status)
}

fn send(stream: &mut TcpStream, opcode: u8, payload: &[u8]) {
    let mut frame = vec![0x80 | opcode];
    match payload.len() {
        length @ 0..126 => frame.push(0x80 | length as u8),
        length @ 126..65536 => {
            frame.push(0x80 | 126);
            frame.extend((length as u16).to_be_bytes());
        }
        length => {
            frame.push(0x80 | 127);
            frame.extend((length as u64).to_be_bytes());
        }
    }
    frame.extend([0; 4]);
    frame.extend(payload);
    let _ = stream.write_all(&frame);
}

fn text(stream: &mut TcpStream, line: &str) {
    send(stream, 1, line.as_bytes());
}

/// Opcode and content of the next frame; `None` at the end.
fn receive(stream: &mut TcpStream) -> Option<(u8, Vec<u8>)> {
    let mut head = [0; 2];
    stream.read_exact(&mut head).ok()?;
    let mut length = u64::from(head[1] & 0x7f);
    if length == 126 {
        let mut bytes = [0; 2];
        stream.read_exact(&mut bytes).ok()?;
        length = u64::from(u16::from_be_bytes(bytes));
    } else if length == 127 {
        let mut bytes = [0; 8];
        stream.read_exact(&mut bytes).ok()?;
        length = u64::from_be_bytes(bytes);
    }
    let mut payload = vec![0; length as usize];
    stream.read_exact(&mut payload).ok()?;
    Some((head[0] & 0x0f, payload))
}

/// The status with which the server closes.
fn closing(stream: &mut TcpStream) -> Option<u16> {
    loop {
        let (opcode, payload) = receive(stream)?;
        if opcode == 8 {
            return Some(u16::from_be_bytes([payload[0], payload[1]]));
        }
    }
}

/// A page that has presented the secret.
fn page(viewer: &Viewer) -> TcpStream {
    let host = format!("127.0.0.1:{}", port(viewer));
    let (mut stream, status) = upgrade(viewer, &host, &format!("http://{host}"));
    assert_eq!(status, 101);
    text(&mut stream, &format!("hello {}", token(viewer)));
    stream
}

/// The next message of a kind: 1 scene, 2 table, 3 frame.
fn message(stream: &mut TcpStream, kind: u8) -> Vec<u8> {
    loop {
        let (opcode, payload) = receive(stream).expect("the server closed the connection");
        if opcode == 2 && payload[1] == kind {
            return payload;
        }
    }
}

/// The next text that contains a word.
fn note(stream: &mut TcpStream, word: &str) -> String {
    loop {
        let (opcode, payload) = receive(stream).expect("the server closed the connection");
        let text = String::from_utf8_lossy(&payload).into_owned();
        if opcode == 1 && text.contains(word) {
            return text;
        }
        if opcode == 2 && payload[1] == 3 {
            crate::text(stream, "ack");
        }
    }
}

#[test]
fn it_listens_on_this_machine_only() {
    let viewer = start();
    assert!(viewer.address().ip().is_loopback());
    assert!(port(&viewer) >= 1024);
    assert_eq!(token(&viewer).len(), 32);
    assert_ne!(token(&viewer), token(&start()));
}

#[test]
fn the_page_is_served_with_a_policy_that_allows_nothing_from_elsewhere() {
    let viewer = start();
    let host = format!("localhost:{}", port(&viewer));
    let (status, answer) = get(&viewer, "/", &host);
    assert_eq!(status, 200);
    assert!(answer.contains("default-src 'none'") && answer.contains("script-src 'self'"));
    assert!(!answer.to_lowercase().contains("access-control-allow"));
    assert!(!answer.contains(&token(&viewer)));
    assert_eq!(get(&viewer, "/viewer.js", &host).0, 200);
}

#[test]
fn no_file_is_served_by_path() {
    let viewer = start();
    let host = format!("127.0.0.1:{}", port(&viewer));
    for path in
        ["/Cargo.toml", "/../../Cargo.toml", "//etc/passwd", "/%2e%2e/Cargo.toml", "/model.xml"]
    {
        assert_eq!(get(&viewer, path, &host).0, 404, "{path}");
    }
}

#[test]
fn a_foreign_host_name_is_refused() {
    let viewer = start();
    let port = port(&viewer);
    for host in [
        format!("evil.example:{port}"),
        "evil.example".into(),
        format!("10.0.0.1:{port}"),
        String::new(),
    ] {
        assert_eq!(get(&viewer, "/", &host).0, 403, "{host}");
        assert_eq!(upgrade(&viewer, &host, &format!("http://{host}")).1, 403, "{host}");
    }
    // a tunnel may have another port at its other end
    assert_eq!(get(&viewer, "/", "localhost:9999").0, 200);
    assert_eq!(get(&viewer, "/", &format!("[::1]:{port}")).0, 200);
}

#[test]
fn a_foreign_origin_is_refused() {
    let viewer = start();
    let host = format!("127.0.0.1:{}", port(&viewer));
    for origin in ["http://evil.example", "http://127.0.0.1:1", "null", "https://127.0.0.1", ""] {
        assert_eq!(upgrade(&viewer, &host, origin).1, 403, "{origin}");
    }
}

#[test]
fn a_wrong_token_gets_nothing() {
    let viewer = start();
    let host = format!("127.0.0.1:{}", port(&viewer));
    let secret = token(&viewer);
    let wrong = format!("hello {}", "0".repeat(32));
    for first in [wrong.as_str(), "hello", "play 1", "ack", &format!("hello {}", &secret[..31])] {
        let (mut stream, _) = upgrade(&viewer, &host, &format!("http://{host}"));
        text(&mut stream, first);
        let (opcode, payload) = receive(&mut stream).unwrap();
        assert_eq!((opcode, &payload[..2]), (8, &4401u16.to_be_bytes()[..]), "{first}");
    }
    assert_eq!(viewer.pages(), 0);
}

#[test]
fn a_first_message_may_not_be_long() {
    let viewer = start();
    let host = format!("127.0.0.1:{}", port(&viewer));
    let (mut stream, _) = upgrade(&viewer, &host, &format!("http://{host}"));
    text(&mut stream, &"x".repeat(1000));
    assert!(matches!(receive(&mut stream), None | Some((8, _))));
}

#[test]
fn who_says_nothing_is_not_waited_for() {
    let viewer = start();
    let host = format!("127.0.0.1:{}", port(&viewer));
    let start = Instant::now();
    // a request that never ends, byte by byte
    let mut slow = connect(&viewer);
    let mut sent = 0;
    while start.elapsed() < Duration::from_secs(4) && slow.write_all(b"G").is_ok() {
        sent += 1;
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(sent < 60, "the server went on reading");
    // a socket without a secret
    let (mut stream, _) = upgrade(&viewer, &host, &format!("http://{host}"));
    let silent = Instant::now();
    assert!(receive(&mut stream).is_none());
    assert!(silent.elapsed() < Duration::from_secs(3));
}

#[test]
fn pages_are_limited() {
    let viewer = start();
    let mut pages: Vec<TcpStream> = (0..MAX_CLIENTS).map(|_| page(&viewer)).collect();
    pages.iter_mut().for_each(|page| drop(note(page, "role")));
    assert_eq!(viewer.pages(), MAX_CLIENTS);
    assert_eq!(closing(&mut page(&viewer)), Some(4429));
    drop(pages.pop());
    let end = Instant::now() + Duration::from_secs(5);
    while viewer.pages() == MAX_CLIENTS && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(10));
    }
    note(&mut page(&viewer), "role");
}

#[test]
fn what_is_no_command_ends_the_connection() {
    let viewer = start();
    let mut stream = page(&viewer);
    text(&mut stream, "open /etc/passwd");
    assert_eq!(closing(&mut stream), Some(4400));
    let mut stream = page(&viewer);
    text(&mut stream, &format!("set ctrl 0 {}", "1".repeat(20_000)));
    assert!(closing(&mut stream).is_some());
}

#[test]
fn a_message_over_the_limit_ends_the_connection() {
    let viewer = start();
    let mut stream = page(&viewer);
    note(&mut stream, "role");
    let mut head = vec![0x82, 0xff];
    head.extend(((64u64 << 20) + 1).to_be_bytes());
    head.extend([0; 4]);
    stream.write_all(&head).unwrap();
    assert!(closing(&mut stream).is_some());
}

#[test]
fn only_reading_is_allowed_over_http() {
    let viewer = start();
    let host = format!("127.0.0.1:{}", port(&viewer));
    let (status, _) = request(&viewer, &format!("POST / HTTP/1.1\r\nHost: {host}\r\n\r\n"));
    assert_eq!(status, 405);
    assert_eq!(request(&viewer, "nonsense\r\n\r\n").0, 400);
    let long = format!("GET / HTTP/1.1\r\nHost: {host}\r\nX: {}\r\n\r\n", "x".repeat(20_000));
    assert_eq!(request(&viewer, &long).0, 431);
}

#[test]
fn a_page_gets_scene_table_and_frames_that_move() {
    with_session(|viewer| {
        let mut stream = page(viewer);
        let scene = message(&mut stream, 1);
        assert!(String::from_utf8_lossy(&scene).contains("\"ball\""));
        message(&mut stream, 2);
        let time = |frame: &[u8]| f64::from_le_bytes(frame[8..16].try_into().unwrap());
        let first = time(&message(&mut stream, 3));
        text(&mut stream, "ack");
        let mut last = first;
        for _ in 0..10 {
            last = time(&message(&mut stream, 3));
            text(&mut stream, "ack");
        }
        assert!(last > first + 0.05, "{first} {last}");
    });
}

#[test]
fn a_page_that_does_not_confirm_gets_two_frames_and_nobody_waits() {
    with_session(|viewer| {
        let mut lazy = page(viewer);
        message(&mut lazy, 3);
        message(&mut lazy, 3);
        // frames stop, the simulation does not
        let mut eager = page(viewer);
        let time = |frame: &[u8]| f64::from_le_bytes(frame[8..16].try_into().unwrap());
        let start = Instant::now();
        let mut first = None;
        let mut last = 0.0;
        while start.elapsed() < Duration::from_millis(900) {
            last = time(&message(&mut eager, 3));
            first.get_or_insert(last);
            text(&mut eager, "ack");
        }
        assert!(last - first.unwrap() > 0.4, "{first:?} {last}");
        lazy.set_read_timeout(Some(Duration::from_millis(300))).unwrap();
        while let Some((opcode, payload)) = receive(&mut lazy) {
            assert!(opcode != 2 || payload[1] != 3, "a third frame without confirmation");
        }
    });
}

#[test]
fn one_page_controls_and_the_others_watch() {
    with_session(|viewer| {
        let mut first = page(viewer);
        assert!(note(&mut first, "role").contains("true"));
        let mut second = page(viewer);
        assert!(note(&mut second, "role").contains("false"));
        text(&mut second, "play 0");
        std::thread::sleep(Duration::from_millis(400));
        assert!(note(&mut first, "\"status\"").contains("\"paused\":false"));
        text(&mut second, "control");
        note(&mut second, "\"controls\":true");
        text(&mut second, "play 0");
        note(&mut second, "\"paused\":true");
    });
}

#[test]
fn pausing_stepping_seeking_and_setting_change_the_simulation() {
    with_session(|viewer| {
        let mut stream = page(viewer);
        message(&mut stream, 3);
        std::thread::sleep(Duration::from_millis(300));
        for line in ["ack", "play 0", "seek 0", "set qpos 2 5"] {
            text(&mut stream, line);
        }
        note(&mut stream, "\"history\":[1,2]");
        text(&mut stream, "body 1");
        note(&mut stream, "\"selectedname\":\"ball\"");
        text(&mut stream, "option gravity 0 0 -1");
        note(&mut stream, "\"gravity\":[0,0,-1]");
        text(&mut stream, "vis 14 1");
        note(&mut stream, "\"vis\":[0,1,0,0,0,0,0,1,1,0,0,0,0,1,1");
        text(&mut stream, "pose");
        assert!(note(&mut stream, "keyframe.xml").contains("qpos"));
    });
}

#[test]
fn a_paused_page_looks_at_the_past_while_the_owner_goes_on() {
    let viewer = start();
    let model = sim_mjcf::load_str(MODEL).unwrap().model;
    let mut data = sim_core::Data::new(&model);
    let mut session = Session::passive(model.clone(), data.clone(), "test");
    let mut stream = page(&viewer);
    let time = |frame: &[u8]| f64::from_le_bytes(frame[8..16].try_into().unwrap());
    // the owner steps in real time and hands over; the last frame that the page got
    let mut shown = 0.0;
    let mut go_on = |stream: &mut TcpStream, until: &dyn Fn(f64, f64) -> bool| {
        let end = Instant::now() + Duration::from_secs(20);
        loop {
            sim_core::step(&model, &mut data);
            session.sync(&viewer, &model, &data, true);
            session.attend(&viewer, Duration::from_millis(2));
            stream.set_nonblocking(true).unwrap();
            let waits = stream.peek(&mut [0]).is_ok();
            stream.set_nonblocking(false).unwrap();
            if waits {
                let (opcode, payload) = receive(stream).unwrap();
                if opcode == 2 && payload[1] == 3 {
                    shown = time(&payload);
                    text(stream, "ack");
                }
            }
            if until(shown, data.time) {
                return (shown, data.time);
            }
            assert!(Instant::now() < end, "{shown} {}", data.time);
        }
    };
    go_on(&mut stream, &|shown, _| shown > 0.05);
    text(&mut stream, "seek 1");
    let (past, then) = go_on(&mut stream, &|shown, time| shown < 0.3 * time);
    let (still, now) = go_on(&mut stream, &|_, time| time > then + 0.1);
    assert!(still == past && now > then);
    text(&mut stream, "play 1");
    go_on(&mut stream, &|shown, time| shown > then && time - shown < 0.1);
}

#[test]
fn the_past_is_recorded_and_the_model_compiled_for_a_page() {
    with_session(|viewer| {
        let mut stream = page(viewer);
        message(&mut stream, 3);
        text(&mut stream, "ack");
        text(&mut stream, "mjb");
        assert!(note(&mut stream, "model.mjb").contains("\"type\":\"binary\""));
        text(&mut stream, "replay");
        assert!(note(&mut stream, "replay.html").contains("octet-stream"));
    });
}

#[test]
fn dropped_files_become_the_model_and_errors_are_told() {
    with_session(|viewer| {
        let mut stream = page(viewer);
        note(&mut stream, "role");
        let drop = |stream: &mut TcpStream, xml: &str| {
            let mut bytes = 1u32.to_le_bytes().to_vec();
            for part in [b"new.xml".as_slice(), xml.as_bytes()] {
                bytes.extend((part.len() as u32).to_le_bytes());
                bytes.extend(part);
            }
            send(stream, 2, &bytes);
        };
        drop(&mut stream, "<mujoco><worldbody><geom sise='1'/></worldbody></mujoco>");
        assert!(note(&mut stream, "sise").contains("did you mean"));
        drop(
            &mut stream,
            "<mujoco><worldbody><body name='new one'><geom size='1'/></body></worldbody></mujoco>",
        );
        text(&mut stream, "ack");
        loop {
            let scene = message(&mut stream, 1);
            if String::from_utf8_lossy(&scene).contains("new one") {
                break;
            }
        }
    });
}

#[test]
fn the_end_is_told_and_quick() {
    let viewer = start();
    let mut stream = page(&viewer);
    note(&mut stream, "role");
    let start = Instant::now();
    drop(viewer);
    assert!(start.elapsed() < Duration::from_secs(2));
    assert_eq!(closing(&mut stream), Some(1001));
}

#[test]
fn a_session_ends_when_its_last_page_is_closed() {
    let viewer = start();
    std::thread::scope(|scope| {
        let running =
            scope.spawn(|| session().run(&viewer, Some(Duration::from_millis(200)), &|| false));
        let mut stream = page(&viewer);
        message(&mut stream, 3);
        assert!(!running.is_finished());
        drop(stream);
        running.join().unwrap();
    });
}
