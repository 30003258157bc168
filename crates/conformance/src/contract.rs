//! The contract as numbered entries, from `contract.toml`.

use std::{collections::BTreeMap, sync::OnceLock};

use anyhow::Result;
use serde::Deserialize;

/// One promise of the service.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Section and number, for example `2.13`.
    pub id: String,
    /// The promise in one sentence.
    pub text: String,
}

/// Every entry, in the order of the sections and of their numbers.
pub fn entries() -> &'static [Entry] {
    static ENTRIES: OnceLock<Vec<Entry>> = OnceLock::new();
    ENTRIES.get_or_init(|| match parse(include_str!("../contract.toml")) {
        Ok(entries) => entries,
        Err(error) => panic!("contract.toml: {error:#}"),
    })
}

/// The entry of this number, where there is one.
pub fn entry(id: &str) -> Option<&'static Entry> {
    entries().iter().find(|entry| entry.id == id)
}

fn parse(text: &str) -> Result<Vec<Entry>> {
    let sections: BTreeMap<String, Vec<Entry>> = toml::from_str(text)?;
    let mut entries: Vec<Entry> = sections.into_values().flatten().collect();
    entries.sort_by_key(|entry| number(&entry.id));
    Ok(entries)
}

/// Section and number of an id, (0, 0) where it has none.
fn number(id: &str) -> (u32, u32) {
    let (section, number) = id.split_once('.').unwrap_or_default();
    (section.parse().unwrap_or(0), number.parse().unwrap_or(0))
}
