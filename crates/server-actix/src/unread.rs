//! What a handler leaves unread of a request's body: the connection can serve another request only once
//! that is read too.

use std::cell::RefCell;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use actix_web::dev::Payload;
use actix_web::error::PayloadError;
use actix_web::web::Bytes;
use futures_util::{FutureExt as _, Stream, StreamExt as _};
use service_api::body;

/// Where the body of a request comes back to from a handler.
#[derive(Default)]
pub(crate) struct BodyLender(Option<Home>);

type Home = Rc<RefCell<Option<Payload>>>;

/// A body on loan to a handler; what is left of it goes back to the lender when it is dropped.
pub(crate) struct LentBody {
    body: Option<Payload>,
    home: Home,
}

impl BodyLender {
    /// Lends the body of a request to its handler; one that is empty is given for good.
    pub(crate) fn lend(&mut self, body: Payload) -> Payload {
        if matches!(body, Payload::None) {
            return body;
        }
        let home = self.0.insert(Home::default()).clone();
        Payload::Stream {
            payload: Box::pin(LentBody {
                body: Some(body),
                home,
            }),
        }
    }

    /// Reads what came back, and tells whether that was all of it. What has not arrived yet is not
    /// waited for, so that no answer waits for a slow sender.
    pub(crate) async fn read_rest(&self) -> bool {
        let Some(mut rest) = self.0.as_ref().and_then(|home| home.take()) else {
            return true;
        };
        let mut length = 0;
        loop {
            let mut next = rest.next().now_or_never();
            if next.is_none() {
                // The connection hands on what it has when it runs after it was asked.
                tokio::task::yield_now().await;
                next = rest.next().now_or_never();
            }
            match next {
                Some(Some(Ok(chunk))) => length += chunk.len(),
                Some(None) => return true,
                Some(Some(Err(_))) | None => return false,
            }
            if length > body::LIMIT_BYTES {
                return false;
            }
        }
    }
}

impl Stream for LentBody {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let Some(body) = &mut self.body else {
            return Poll::Ready(None);
        };
        let next = Pin::new(body).poll_next(context);
        if let Poll::Ready(None) = next {
            self.body = None;
        }
        next
    }
}

impl Drop for LentBody {
    fn drop(&mut self) {
        self.home.replace(self.body.take());
    }
}
