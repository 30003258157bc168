//! Every entry of the contract has a case, and every case has entries.

use std::collections::BTreeSet;

use conformance::{
    case::Run,
    cases,
    contract::{entries, entry},
    mutants,
};

#[test]
fn every_entry_of_the_contract_is_named_by_a_case() {
    let covered: BTreeSet<&str> = cases::all().flat_map(|case| case.covers).copied().collect();
    let open: Vec<&str> = entries()
        .iter()
        .map(|entry| entry.id.as_str())
        .filter(|id| !covered.contains(id))
        .collect();
    assert!(open.is_empty(), "no case names {open:?}");
}

#[test]
fn every_case_names_entries_that_exist() {
    for case in cases::all() {
        assert!(!case.covers.is_empty(), "{:?} names no entry", case.name);
        for id in case.covers {
            assert!(
                entry(id).is_some(),
                "{:?} names {id}, which is no entry",
                case.name
            );
        }
    }
}

#[test]
fn entries_are_numbered_once_and_say_something() {
    let ids: BTreeSet<&str> = entries().iter().map(|entry| entry.id.as_str()).collect();
    assert_eq!(ids.len(), entries().len(), "an id comes twice");
    for entry in entries() {
        assert!(entry.text.ends_with('.'), "{} is no sentence", entry.id);
    }
}

#[test]
fn no_two_cases_have_the_same_name() {
    let names: BTreeSet<&str> = cases::all().map(|case| case.name).collect();
    assert_eq!(names.len(), cases::all().count());
}

#[test]
fn the_subset_before_a_load_needs_only_a_url() {
    for case in cases::all().filter(|case| case.load) {
        assert!(
            matches!(case.run, Run::Url(_)),
            "{:?} needs more",
            case.name
        );
    }
}

#[test]
fn every_mutant_names_a_patch_and_a_case_that_can_catch_it() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("mutants");
    let mutants = mutants::all().expect("mutants.toml is readable");
    for mutant in &mutants {
        assert!(
            folder.join(&mutant.patch).is_file(),
            "{} is missing",
            mutant.patch
        );
        mutants::catching_case(mutant).expect("its case exists");
    }
    let patches = std::fs::read_dir(&folder)
        .expect("there are mutants")
        .filter_map(|entry| {
            entry
                .ok()?
                .path()
                .extension()
                .map(|ending| ending == "patch")
        })
        .filter(|is_patch| *is_patch)
        .count();
    assert_eq!(patches, mutants.len(), "a patch is not in the list");
}
