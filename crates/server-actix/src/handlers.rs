//! One file a resource; a handler has the name of its operation.

pub(crate) mod greetings;
pub(crate) mod persons;

pub(crate) mod management;

pub(crate) mod documentation;

pub(crate) mod fallback;
