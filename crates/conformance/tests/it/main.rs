//! The suite about itself: entries, cases, documents and mutants fit together.

mod contract;
mod document;
mod flavors;
