//! What can go wrong in a store.

use std::error::Error;

/// Why a store gave no answer.
///
/// The text of a variant may be shown to anybody; the cause is for the log only.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The store cannot be reached, or failed.
    #[error("the store is unavailable")]
    Unavailable(#[source] Box<dyn Error + Send + Sync>),
    /// No answer within [`STORE_TIMEOUT`](crate::STORE_TIMEOUT).
    #[error("the store did not answer in time")]
    TimedOut,
    /// Every id up to [`PersonId::MAX_GIVEN`](crate::PersonId::MAX_GIVEN) was given.
    #[error("the store has no ids left")]
    Full,
}
