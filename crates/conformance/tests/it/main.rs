//! The suite about itself: entries, cases, documents and mutants fit together, and so does the house.

mod client;
mod contract;
mod document;
mod flavors;
mod house;
