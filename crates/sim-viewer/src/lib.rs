//! A viewer of simulations: a page in the browser, served by this crate.
//!
//! [`Viewer`] is a small server with the page inside; [`Session`] is a simulation that pages look at
//! and act on. [`Session::run`] simulates in real time; a library that steps on its own keeps pages
//! informed with [`Session::sync`]. [`Recording`] makes a page of one file that needs no server.
//!
//! | file | has |
//! |---|---|
//! | `server`, `http`, `websocket` | connections, who may connect, limits |
//! | `message` | what pages ask for |
//! | `assets`, `frame`, `wire` | what pages are sent: the model once, then frames |
//! | `session`, `run`, `passive` | the simulation, in real time or stepped by others |
//! | `change`, `history`, `noise`, `status`, `model_source`, `picture` | its parts |
//! | `page`, `replay` | the page itself, and recordings |
//!
//! The page draws with WebGL2; `page/` has its modules. Nothing is fetched from elsewhere.
#![forbid(unsafe_code)]

mod assets;
mod change;
mod frame;
mod history;
mod http;
mod json;
mod message;
mod model_source;
mod noise;
mod page;
mod passive;
mod picture;
mod random;
mod replay;
mod run;
mod server;
mod session;
mod status;
mod texture;
mod websocket;
mod wire;

pub use message::{Command, Field, View};
pub use model_source::ModelSource;
pub use passive::Change;
pub use replay::Recording;
pub use server::{MAX_CLIENTS, ServerOptions};
pub use session::Session;

use std::io;
use std::net::SocketAddr;

/// A server with the page. It ends when it is dropped.
pub struct Viewer {
    server: server::Server,
}

impl Viewer {
    /// Starts to listen.
    pub fn start(options: ServerOptions) -> io::Result<Viewer> {
        Ok(Viewer { server: server::Server::start(options)? })
    }

    /// The address of the page, with the secret that it needs.
    pub fn url(&self) -> String {
        self.server.url()
    }

    /// Where the server listens.
    pub fn address(&self) -> SocketAddr {
        self.server.address()
    }

    /// Sends a note, an object in JSON with a `type`, to all pages.
    pub fn note(&self, note: &str) {
        self.server.note(None, note);
    }

    /// Number of pages that are open.
    pub fn pages(&self) -> usize {
        self.server.clients()
    }

    /// Number of pages that have been opened so far.
    pub fn visitors(&self) -> usize {
        self.server.visitors()
    }
}
