//! The server under test as a case sees it: an address, and clients that judge every answer.

use std::{
    cell::RefCell,
    net::{SocketAddr, ToSocketAddrs as _},
    time::Duration,
};

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::Value;

use crate::{
    conventions,
    document::Document,
    http::{Connection, Request, Response},
};

thread_local! {
    /// What this thread asked last and what came, for the message of a case that fails.
    static LAST_EXCHANGE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Where a server listens.
#[derive(Clone, Debug)]
pub struct Target {
    address: SocketAddr,
    authority: String,
}

impl Target {
    /// The server at an address.
    pub fn at(address: SocketAddr) -> Self {
        Self {
            address,
            authority: address.to_string(),
        }
    }

    /// The server at `http://host:port`.
    ///
    /// # Errors
    /// Fails where the URL has another form or the host has no address.
    pub fn from_url(url: &str) -> Result<Self> {
        let authority = url
            .strip_prefix("http://")
            .with_context(|| format!("{url:?} does not begin with http://"))?
            .trim_end_matches('/');
        ensure!(
            !authority.contains(['/', '?', '#', '@']),
            "{url:?} is more than http://host:port"
        );
        let has_port = authority
            .rsplit_once(':')
            .is_some_and(|(_, port)| port.parse::<u16>().is_ok());
        let resolvable = if has_port {
            authority.to_owned()
        } else {
            format!("{authority}:80")
        };
        let address = resolvable
            .to_socket_addrs()
            .with_context(|| format!("{authority} has no address"))?
            .next()
            .with_context(|| format!("{authority} has no address"))?;
        Ok(Self {
            address,
            authority: authority.to_owned(),
        })
    }

    /// The address of the server.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// A new connection.
    ///
    /// # Errors
    /// Fails where nobody listens.
    pub fn connect(&self) -> Result<Client> {
        Ok(Client {
            connection: Connection::open(self.address)?,
            authority: self.authority.clone(),
        })
    }

    /// Asks over a connection of its own.
    ///
    /// # Errors
    /// Fails where no whole response comes in time, or it breaks what holds for every answer.
    pub fn ask(&self, request: &Request) -> Result<Response> {
        self.connect()?.ask(request)
    }

    /// Adds a person and gives its id.
    ///
    /// # Errors
    /// Fails where the person is not added.
    pub fn add_person(&self, name: &str, gender: &str, age: u32) -> Result<u64> {
        self.connect()?.add_person(name, gender, age)
    }
}

/// One connection to the target; every answer on it is checked against the conventions and the
/// OpenAPI document.
#[derive(Debug)]
pub struct Client {
    connection: Connection,
    authority: String,
}

impl Client {
    /// Sends a request and receives its response.
    ///
    /// # Errors
    /// Fails where no whole response comes in time, or it breaks what holds for every answer.
    pub fn ask(&mut self, request: &Request) -> Result<Response> {
        self.send(request)?;
        self.receive(request)
    }

    /// Sends a request without waiting for its response.
    ///
    /// # Errors
    /// Fails where the bytes stand still for longer than the time-out.
    pub fn send(&mut self, request: &Request) -> Result<()> {
        self.send_bytes(&request.to_bytes(&self.authority))
    }

    /// Sends bytes as they are: a part of a request, or none at all.
    ///
    /// # Errors
    /// Fails where the bytes stand still for longer than the time-out.
    pub fn send_bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.connection.write(bytes)
    }

    /// The bytes of a request as they would be sent.
    pub fn bytes_of(&self, request: &Request) -> Vec<u8> {
        request.to_bytes(&self.authority)
    }

    /// Receives the whole response to a request that was sent.
    ///
    /// # Errors
    /// As [`Client::ask`].
    pub fn receive(&mut self, request: &Request) -> Result<Response> {
        let response = self.receive_unjudged(request)?;
        ensure!(response.complete, "the response was cut before its end");
        judge(request, &response)?;
        Ok(response)
    }

    /// Receives a response as it is: it may be cut, and nothing is checked.
    ///
    /// # Errors
    /// Fails where no response comes in time.
    pub fn receive_unjudged(&mut self, request: &Request) -> Result<Response> {
        let result = self.connection.read_response(request.method());
        remember(request, &result);
        result
    }

    /// Receives the head only; the rest comes with [`Client::receive_rest`].
    ///
    /// # Errors
    /// Fails where no head comes in time.
    pub fn receive_head(&mut self, request: &Request) -> Result<Response> {
        let result = self.connection.read_head(request.method());
        remember(request, &result);
        result
    }

    /// Receives the body of a head that was received, to its end.
    ///
    /// # Errors
    /// As [`Client::ask`].
    pub fn receive_rest(&mut self, request: &Request, mut head: Response) -> Result<Response> {
        self.connection.read_body(&mut head)?;
        ensure!(head.complete, "the response was cut before its end");
        judge(request, &head)?;
        Ok(head)
    }

    /// Closes the sending side.
    ///
    /// # Errors
    /// Fails where the connection is gone.
    pub fn close_sending(&self) -> Result<()> {
        self.connection.close_sending()
    }

    /// Whether the server closes the connection within this time.
    ///
    /// # Errors
    /// Fails where the server sends bytes instead.
    pub fn is_closed_within(&mut self, patience: Duration) -> Result<bool> {
        self.connection.is_closed_within(patience)
    }

    /// Adds a person and gives its id.
    ///
    /// # Errors
    /// Fails where the person is not added.
    pub fn add_person(&mut self, name: &str, gender: &str, age: u32) -> Result<u64> {
        let name = Value::from(name);
        let body = format!(r#"{{"name":{name},"gender":"{gender}","age":{age}}}"#);
        let response = self.ask(&Request::post("/persons", body))?;
        let person = response.expect_status(200)?.json()?;
        match person["id"].as_u64() {
            Some(id) => Ok(id),
            None => bail!("the added person has no id: {person}"),
        }
    }
}

/// What this thread asked last and what came, as text; it is taken away by this.
pub fn take_last_exchange() -> Option<String> {
    LAST_EXCHANGE.take()
}

fn judge(request: &Request, response: &Response) -> Result<()> {
    conventions::check(request, response)?;
    Document::of_the_service().check(request, response)
}

fn remember(request: &Request, result: &Result<Response>) {
    let came = match result {
        Ok(response) => response.to_string(),
        Err(error) => format!("no response: {error:#}"),
    };
    LAST_EXCHANGE.set(Some(format!(
        "asked:\n{}\ncame:\n{}",
        indented(&request.to_string()),
        indented(&came)
    )));
}

fn indented(text: &str) -> String {
    text.lines()
        .map(|line| format!("    {line}"))
        .collect::<Vec<_>>()
        .join("\n")
}
