//! What a handler leaves unread of a request's body: the connection can serve another request only once
//! that is read too.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use futures_util::FutureExt as _;
use http_body_util::BodyExt as _;
use hyper::body::{Body as HttpBody, Frame, Incoming, SizeHint};
use parking_lot::Mutex;
use service_api::body;

/// Where the body of a request comes back to from a handler.
#[derive(Debug, Default)]
pub(crate) struct BodyLender(Option<Home>);

type Home = Arc<Mutex<Option<Incoming>>>;

/// A body on loan to a handler; what is left of it goes back to the lender when it is dropped.
#[derive(Debug)]
pub(crate) struct LentBody {
    body: Option<Incoming>,
    home: Option<Home>,
}

impl BodyLender {
    /// Lends the body of a request to its handler; one that is empty is given for good.
    pub(crate) fn lend(&mut self, body: Incoming) -> LentBody {
        if !body.is_end_stream() {
            self.0 = Some(Home::default());
        }
        LentBody {
            body: Some(body),
            home: self.0.clone(),
        }
    }

    /// Reads what came back, and tells whether that was all of it. What has not arrived yet is not
    /// waited for, so that no answer waits for a slow sender.
    pub(crate) async fn read_rest(&self) -> bool {
        let Some(mut rest) = self.0.as_ref().and_then(|home| home.lock().take()) else {
            return true;
        };
        let mut length = 0;
        while !rest.is_end_stream() {
            let mut next = rest.frame().now_or_never();
            if next.is_none() {
                // The connection hands on what it has when it runs after it was asked.
                tokio::task::yield_now().await;
                next = rest.frame().now_or_never();
            }
            match next {
                Some(Some(Ok(frame))) => length += frame.data_ref().map_or(0, Bytes::len),
                Some(None) => return true,
                Some(Some(Err(_))) | None => return false,
            }
            if length > body::LIMIT_BYTES {
                return false;
            }
        }
        true
    }
}

impl HttpBody for LentBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        match &mut self.body {
            Some(body) => Pin::new(body).poll_frame(context),
            None => Poll::Ready(None),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body
            .as_ref()
            .map(HttpBody::size_hint)
            .unwrap_or_default()
    }
}

impl Drop for LentBody {
    fn drop(&mut self) {
        if let Some(home) = self.home.take().filter(|_| !self.is_end_stream()) {
            *home.lock() = self.body.take();
        }
    }
}
