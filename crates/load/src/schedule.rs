//! Pacing: when a user's next request is due.

/// One request of a user that is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    /// The request's number within its user, from 0.
    pub index: u32,
}

/// Gives a user's requests one after the other, each when it is due.
///
/// The worker loop knows nothing of modes: it asks for the next slot, sends, and asks again.
pub trait Schedule {
    /// Waits until the next request is due; `None` once there are no more.
    fn next(&mut self) -> impl Future<Output = Option<Slot>>;
}

/// The closed loop: the next request is due as soon as the loop asks for it.
#[derive(Debug)]
pub struct BackToBack {
    next: u32,
    end: u32,
}

impl BackToBack {
    /// A schedule of `requests` requests without pauses.
    #[must_use]
    pub const fn new(requests: u32) -> Self {
        Self {
            next: 0,
            end: requests,
        }
    }
}

impl Schedule for BackToBack {
    async fn next(&mut self) -> Option<Slot> {
        let index = self.next;
        (index < self.end).then(|| {
            self.next += 1;
            Slot { index }
        })
    }
}
