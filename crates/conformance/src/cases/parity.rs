//! The general part: what one flavor answers, all answer.

use crate::{case::Case, parity};

pub(super) const CASES: &[Case] = &[Case::flavors(
    "all flavors answer the same requests alike, ordinary and odd ones",
    &["0.1", "0.2"],
    parity::compare,
)];
