//! What is read of a server and its binary; each measure gives plain data.

pub(crate) mod artifact;
pub(crate) mod cpu;
pub(crate) mod memory;
pub(crate) mod socket;
pub(crate) mod start;
