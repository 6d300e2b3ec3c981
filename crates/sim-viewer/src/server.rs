//! The server: hands out the page, and carries frames to pages and commands back.
//!
//! Each connection has a thread, each page a second one that writes. Whoever publishes never waits
//! for a page: a page that is slow skips frames.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::net::{IpAddr, Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::http::{self, Request, RequestError};
use crate::message::Command;
use crate::page;
use crate::random::{same_secret, token};
use crate::websocket::{self, Message, Reader};

/// Most pages at a time.
pub const MAX_CLIENTS: usize = 8;
/// Most connections at a time, pages among them.
const MAX_CONNECTIONS: usize = 32;
/// Frames that a page has not yet confirmed.
const MAX_UNCONFIRMED: u32 = 2;
/// Most bytes of a message before the secret was presented, of one with words, and of one with files.
const MAX_HELLO: u64 = 256;
const MAX_MESSAGE: u64 = 64 << 20;
const MAX_TEXT: usize = 16 << 10;
/// Commands and notes that wait at most.
const MAX_WAITING: usize = 1024;
/// Time for a request and for presenting the secret.
const PATIENCE: Duration = Duration::from_secs(5);
/// Time between signs of life that are asked for, and time without any.
const PING: Duration = Duration::from_secs(10);
const SILENCE: Duration = Duration::from_secs(45);

/// One moment of a simulation, as pages receive it. Parts that have not changed are shared.
#[derive(Debug, Clone)]
pub(crate) struct Snapshot {
    /// Numbers that change with `scene` and `table`.
    pub(crate) scene_id: u64,
    pub(crate) table_id: u64,
    pub(crate) scene: Arc<Vec<u8>>,
    pub(crate) table: Arc<Vec<u8>>,
    pub(crate) frame: Vec<u8>,
}

/// Where and how to listen.
#[derive(Debug, Clone)]
pub struct ServerOptions {
    /// Address to listen on.
    pub host: IpAddr,
    /// Port; 0: any.
    pub port: u16,
    /// Time for a request and for presenting the secret.
    pub patience: Duration,
}

impl Default for ServerOptions {
    fn default() -> ServerOptions {
        ServerOptions { host: Ipv4Addr::LOCALHOST.into(), port: 0, patience: PATIENCE }
    }
}

/// What waits to be written to a page.
#[derive(Default)]
struct Outbox {
    notes: VecDeque<Arc<str>>,
    status: Option<Arc<str>>,
    images: VecDeque<Arc<Vec<u8>>>,
    fresh: Option<Arc<Snapshot>>,
    pong: Option<Vec<u8>>,
    unconfirmed: u32,
    closing: Option<(u16, &'static str)>,
}

/// A page that has presented the secret.
struct Client {
    id: u64,
    stream: TcpStream,
    outbox: Mutex<Outbox>,
    wake: Condvar,
}

/// A lock that does not mind that another thread panicked.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Client {
    fn change(&self, change: impl FnOnce(&mut Outbox)) {
        change(&mut lock(&self.outbox));
        self.wake.notify_one();
    }

    fn close(&self, status: u16, reason: &'static str) {
        // the first reason is the true one
        self.change(|outbox| {
            outbox.closing.get_or_insert((status, reason));
        });
    }
}

struct Shared {
    options: ServerOptions,
    token: String,
    commands: SyncSender<(u64, Command)>,
    clients: Mutex<Vec<Arc<Client>>>,
    latest: Mutex<Option<Arc<Snapshot>>>,
    status: Mutex<Option<Arc<str>>>,
    controller: AtomicU64,
    next_id: AtomicU64,
    connections: AtomicUsize,
    visitors: AtomicUsize,
    stop: AtomicBool,
}

/// A running server. It ends when it is dropped.
pub(crate) struct Server {
    shared: Arc<Shared>,
    address: SocketAddr,
    commands: Mutex<Receiver<(u64, Command)>>,
    listener: Option<JoinHandle<()>>,
}

impl Server {
    pub(crate) fn start(options: ServerOptions) -> io::Result<Server> {
        let listener = TcpListener::bind((options.host, options.port))?;
        let address = listener.local_addr()?;
        let (sender, commands) = sync_channel(MAX_WAITING);
        let shared = Arc::new(Shared {
            options,
            token: token()?,
            commands: sender,
            clients: Mutex::default(),
            latest: Mutex::default(),
            status: Mutex::default(),
            controller: AtomicU64::new(0),
            next_id: AtomicU64::new(1),
            connections: AtomicUsize::new(0),
            visitors: AtomicUsize::new(0),
            stop: AtomicBool::new(false),
        });
        let listening = shared.clone();
        let thread = std::thread::Builder::new()
            .name("viewer".into())
            .spawn(move || accept_connections(&listener, &listening))?;
        Ok(Server { shared, address, commands: Mutex::new(commands), listener: Some(thread) })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address of the page; the secret is behind `#`, which browsers do not send.
    pub(crate) fn url(&self) -> String {
        let host = match self.address.ip() {
            ip if ip.is_unspecified() => "127.0.0.1".to_owned(),
            IpAddr::V6(ip) => format!("[{ip}]"),
            IpAddr::V4(ip) => ip.to_string(),
        };
        format!("http://{host}:{}/#token={}", self.address.port(), self.shared.token)
    }

    /// Number of pages.
    pub(crate) fn clients(&self) -> usize {
        lock(&self.shared.clients).len()
    }

    /// Number of pages there have been so far.
    pub(crate) fn visitors(&self) -> usize {
        self.shared.visitors.load(Ordering::Relaxed)
    }

    /// Whether a page could take a frame now.
    pub(crate) fn wants_frame(&self) -> bool {
        lock(&self.shared.clients).iter().any(|client| {
            let outbox = lock(&client.outbox);
            outbox.fresh.is_none() && outbox.unconfirmed < MAX_UNCONFIRMED
        })
    }

    /// The next command, waiting for it up to `patience`.
    pub(crate) fn command(&self, patience: Duration) -> Option<(u64, Command)> {
        match lock(&self.commands).recv_timeout(patience) {
            Ok(command) => Some(command),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => {
                std::thread::sleep(patience);
                None
            }
        }
    }

    fn each(&self, change: impl Fn(&mut Outbox)) {
        for client in lock(&self.shared.clients).iter() {
            client.change(&change);
        }
    }

    /// Offers a moment to all pages; one that is still waiting is replaced.
    pub(crate) fn publish(&self, snapshot: Snapshot) {
        let snapshot = Arc::new(snapshot);
        *lock(&self.shared.latest) = Some(snapshot.clone());
        self.each(|outbox| outbox.fresh = Some(snapshot.clone()));
    }

    /// Replaces the status that pages show.
    pub(crate) fn status(&self, status: &str) {
        let status: Arc<str> = status.into();
        *lock(&self.shared.status) = Some(status.clone());
        self.each(|outbox| outbox.status = Some(status.clone()));
    }

    /// Sends text to one page, or to all.
    pub(crate) fn note(&self, to: Option<u64>, note: &str) {
        let note: Arc<str> = note.into();
        for client in lock(&self.shared.clients).iter() {
            if to.is_none_or(|id| id == client.id) {
                client.change(|outbox| {
                    if outbox.notes.len() < MAX_WAITING {
                        outbox.notes.push_back(note.clone());
                    }
                });
            }
        }
    }

    /// Sends a picture to one page; of those that wait, the oldest is dropped.
    pub(crate) fn image(&self, to: u64, image: Vec<u8>) {
        let image = Arc::new(image);
        for client in lock(&self.shared.clients).iter().filter(|client| client.id == to) {
            client.change(|outbox| {
                if outbox.images.len() >= 4 {
                    outbox.images.pop_front();
                }
                outbox.images.push_back(image.clone());
            });
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::SeqCst);
        for client in lock(&self.shared.clients).iter() {
            client.close(1001, "the viewer has ended");
        }
        // the listener wakes up for a last connection
        let host = match self.address.ip() {
            ip if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
            ip => ip,
        };
        let _ = TcpStream::connect_timeout(&(host, self.address.port()).into(), PATIENCE);
        if let Some(listener) = self.listener.take() {
            let _ = listener.join();
        }
        // pages are told before the program ends
        let end = Instant::now() + Duration::from_millis(300);
        while self.clients() > 0 && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

fn accept_connections(listener: &TcpListener, shared: &Arc<Shared>) {
    for stream in listener.incoming() {
        if shared.stop.load(Ordering::SeqCst) {
            return;
        }
        let Ok(stream) = stream else {
            // out of descriptors, for instance
            std::thread::sleep(Duration::from_millis(20));
            continue;
        };
        if shared.connections.fetch_add(1, Ordering::SeqCst) >= MAX_CONNECTIONS {
            shared.connections.fetch_sub(1, Ordering::SeqCst);
            continue;
        }
        let serving = shared.clone();
        let spawned = std::thread::Builder::new().name("viewer".into()).spawn(move || {
            let _ = serve(&serving, stream);
            serving.connections.fetch_sub(1, Ordering::SeqCst);
        });
        if spawned.is_err() {
            shared.connections.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

/// Reads until a point in time.
struct Deadline<'a> {
    stream: &'a TcpStream,
    end: Instant,
}

impl Read for Deadline<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.stream.set_read_timeout(Some(left))?;
        self.stream.read(buffer)
    }
}

/// The host name and whether it may be asked for: names other than those of this machine would let a
/// page of another site in, whose name was made to point here.
fn allowed_host(host: &str, options: &ServerOptions) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    };
    let local = options.host.is_loopback();
    match name.parse::<IpAddr>() {
        Ok(ip) => ip.is_loopback() || !local,
        Err(_) => name.eq_ignore_ascii_case("localhost"),
    }
}

/// Answers one connection.
fn serve(shared: &Arc<Shared>, stream: TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_write_timeout(Some(2 * PATIENCE))?;
    let mut out = &stream;
    let end = Instant::now() + shared.options.patience;
    let request = match Request::read(&mut Deadline { stream: &stream, end }) {
        Ok(request) => request,
        Err(RequestError::Io(error)) => return Err(error),
        Err(RequestError::Malformed) => return refuse(out, "400 Bad Request"),
        Err(RequestError::TooLarge) => return refuse(out, "431 Request Header Fields Too Large"),
    };
    let host = request.header("host").unwrap_or_default();
    if !allowed_host(host, &shared.options) {
        return refuse(out, "403 Forbidden");
    }
    let with_body = match request.method.as_str() {
        "GET" => true,
        "HEAD" => false,
        _ => return refuse(out, "405 Method Not Allowed"),
    };
    if request.path == "/socket" {
        return serve_socket(shared, stream, &request, end);
    }
    match page::resource(&request.path) {
        Some((kind, body)) => http::respond(&mut out, "200 OK", kind, body.as_bytes(), with_body),
        None => refuse(out, "404 Not Found"),
    }
}

fn refuse(mut out: &TcpStream, status: &str) -> io::Result<()> {
    http::respond(&mut out, status, "text/plain; charset=utf-8", status.as_bytes(), true)?;
    // what the client still sends is read, so that it sees the answer
    out.shutdown(Shutdown::Write)?;
    out.set_read_timeout(Some(Duration::from_millis(200)))?;
    let _ = io::copy(&mut out.take(1 << 16), &mut io::sink());
    Ok(())
}

fn serve_socket(
    shared: &Arc<Shared>,
    stream: TcpStream,
    request: &Request,
    end: Instant,
) -> io::Result<()> {
    let host = request.header("host").unwrap_or_default();
    let origin = request.header("origin").unwrap_or_default();
    if !origin.eq_ignore_ascii_case(&format!("http://{host}")) {
        return refuse(&stream, "403 Forbidden");
    }
    let socket = request.has_word("upgrade", "websocket")
        && request.has_word("connection", "upgrade")
        && request.header("sec-websocket-version") == Some("13");
    let Some(key) = request.header("sec-websocket-key").filter(|_| socket) else {
        return refuse(&stream, "426 Upgrade Required");
    };
    let mut out = &stream;
    http::upgrade(&mut out, &websocket::accept(key))?;

    // the secret comes first, in time
    let mut reader = Reader::new(Deadline { stream: &stream, end }, MAX_HELLO);
    let hello = match reader.read()? {
        Message::Text(text) => Command::parse(&text),
        _ => None,
    };
    if !matches!(hello, Some(Command::Hello(secret)) if same_secret(&secret, &shared.token)) {
        return websocket::write_close(&mut out, 4401, "wrong token");
    }
    let Some(client) = join(shared, &stream)? else {
        return websocket::write_close(&mut out, 4429, "too many pages are open");
    };
    let writing = client.clone();
    let write = move || {
        let _ = write_messages(&writing);
        let _ = writing.stream.shutdown(Shutdown::Both);
    };
    let writer = std::thread::Builder::new().name("viewer".into()).spawn(write);
    if writer.is_ok() {
        let _ = read_messages(shared, &client);
    }
    leave(shared, &client);
    client.close(1000, "");
    if let Ok(writer) = writer {
        let _ = writer.join();
    }
    Ok(())
}

/// Adds a page, unless there are too many.
fn join(shared: &Shared, stream: &TcpStream) -> io::Result<Option<Arc<Client>>> {
    let mut clients = lock(&shared.clients);
    if clients.len() >= MAX_CLIENTS || shared.stop.load(Ordering::SeqCst) {
        return Ok(None);
    }
    let id = shared.next_id.fetch_add(1, Ordering::Relaxed);
    let outbox = Outbox {
        fresh: lock(&shared.latest).clone(),
        status: lock(&shared.status).clone(),
        ..Outbox::default()
    };
    let (outbox, wake) = (Mutex::new(outbox), Condvar::new());
    let client = Arc::new(Client { id, stream: stream.try_clone()?, outbox, wake });
    clients.push(client.clone());
    shared.visitors.fetch_add(1, Ordering::Relaxed);
    if clients.len() == 1 {
        shared.controller.store(id, Ordering::Relaxed);
    }
    announce_roles(shared, &clients);
    Ok(Some(client))
}

/// Removes a page; if it had control, the oldest of the others has it now.
fn leave(shared: &Shared, client: &Client) {
    let mut clients = lock(&shared.clients);
    clients.retain(|other| other.id != client.id);
    if shared.controller.load(Ordering::Relaxed) == client.id {
        shared.controller.store(clients.first().map_or(0, |first| first.id), Ordering::Relaxed);
        // a drag does not outlive the page that began it
        let _ = shared.commands.try_send((client.id, Command::Perturb(0)));
    }
    announce_roles(shared, &clients);
}

fn announce_roles(shared: &Shared, clients: &[Arc<Client>]) {
    let controller = shared.controller.load(Ordering::Relaxed);
    for client in clients {
        let role: Arc<str> = format!(
            r#"{{"type":"role","controls":{},"pages":{}}}"#,
            client.id == controller,
            clients.len()
        )
        .into();
        client.change(|outbox| outbox.notes.push_back(role));
    }
}

fn read_messages(shared: &Shared, client: &Client) -> io::Result<()> {
    client.stream.set_read_timeout(Some(SILENCE))?;
    let mut reader = Reader::new(&client.stream, MAX_MESSAGE);
    loop {
        let command = match reader.read()? {
            Message::Text(text) if text.len() <= MAX_TEXT => Command::parse(&text),
            Message::Binary(bytes) => Command::parse_files(&bytes),
            Message::Ping(payload) => {
                client.change(|outbox| outbox.pong = Some(payload));
                continue;
            }
            Message::Pong => continue,
            Message::Close | Message::Text(_) => return Ok(()),
        };
        let Some(command) = command else {
            client.close(4400, "a message that is no command");
            return Ok(());
        };
        let controls = shared.controller.load(Ordering::Relaxed) == client.id;
        match command {
            Command::Ack => {
                client.change(|outbox| outbox.unconfirmed = outbox.unconfirmed.saturating_sub(1));
            }
            Command::Control => {
                let clients = lock(&shared.clients);
                shared.controller.store(client.id, Ordering::Relaxed);
                announce_roles(shared, &clients);
            }
            Command::Hello(_) => {}
            // pages that only watch may ask, but not change anything
            command if controls || command.only_asks() => {
                // commands that find no room are dropped: nobody waits
                let _ = shared.commands.try_send((client.id, command));
            }
            _ => {}
        }
    }
}

/// What is written next.
enum Next {
    Text(Arc<str>),
    Image(Arc<Vec<u8>>),
    Frame(Arc<Snapshot>),
    Pong(Vec<u8>),
    Ping,
    Close(u16, &'static str),
}

/// Waits for something to write.
fn next(client: &Client) -> Next {
    let mut outbox = lock(&client.outbox);
    loop {
        if let Some(pong) = outbox.pong.take() {
            return Next::Pong(pong);
        }
        if let Some((status, reason)) = outbox.closing {
            return Next::Close(status, reason);
        }
        if let Some(note) = outbox.notes.pop_front() {
            return Next::Text(note);
        }
        if let Some(status) = outbox.status.take() {
            return Next::Text(status);
        }
        if let Some(image) = outbox.images.pop_front() {
            return Next::Image(image);
        }
        if outbox.unconfirmed < MAX_UNCONFIRMED
            && let Some(snapshot) = outbox.fresh.take()
        {
            outbox.unconfirmed += 1;
            return Next::Frame(snapshot);
        }
        let (guard, timeout) =
            client.wake.wait_timeout(outbox, PING).unwrap_or_else(PoisonError::into_inner);
        if timeout.timed_out() {
            return Next::Ping;
        }
        outbox = guard;
    }
}

fn write_messages(client: &Client) -> io::Result<()> {
    let mut out = &client.stream;
    let (mut scene, mut table) = (0, 0);
    loop {
        match next(client) {
            Next::Text(text) => websocket::write_text(&mut out, &text)?,
            Next::Image(image) => websocket::write_binary(&mut out, &image)?,
            Next::Pong(payload) => websocket::write_pong(&mut out, &payload)?,
            Next::Ping => websocket::write_ping(&mut out)?,
            Next::Close(status, reason) => {
                return websocket::write_close(&mut out, status, reason);
            }
            Next::Frame(snapshot) => {
                if snapshot.scene_id != scene {
                    websocket::write_binary(&mut out, &snapshot.scene)?;
                    scene = snapshot.scene_id;
                }
                if snapshot.table_id != table {
                    websocket::write_binary(&mut out, &snapshot.table)?;
                    table = snapshot.table_id;
                }
                websocket::write_binary(&mut out, &snapshot.frame)?;
            }
        }
    }
}
