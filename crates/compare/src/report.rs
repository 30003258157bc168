//! What a reader sees: the progress while it runs and the table at the end.

mod notes;
pub(crate) mod progress;
pub(crate) mod table;
