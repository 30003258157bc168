//! Opening the store that the configuration names.

use std::str::FromStr;

use person_repository::PersonRepository;

/// Where data is kept. `memory:` is all there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreUrl {
    /// In the memory of the process.
    Memory,
}

/// The URL names no store that this program has; it is not repeated, since it may hold a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("only memory: is served")]
pub struct UnknownStore;

impl FromStr for StoreUrl {
    type Err = UnknownStore;

    fn from_str(url: &str) -> Result<Self, UnknownStore> {
        match url {
            "memory:" => Ok(Self::Memory),
            _ => Err(UnknownStore),
        }
    }
}

/// Opens the store.
pub fn open(url: StoreUrl) -> PersonRepository {
    match url {
        StoreUrl::Memory => PersonRepository::in_memory(),
    }
}
