//! The shape of the workspace: who may depend on whom, what the flavors have in common, and what the
//! documents show of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use cargo_metadata::{DependencyKind, MetadataCommand};

/// Which members each member may stand on; what is not listed may not be.
const MAY_DEPEND_ON: [(&str, &[&str]); 9] = [
    ("person-repository", &[]),
    ("service-api", &["person-repository"]),
    ("service-runtime", &["person-repository", "service-api"]),
    ("server-axum", SERVER),
    ("server-actix", SERVER),
    ("server-hyper", SERVER),
    ("conformance", &[]),
    ("load", &[]),
    ("compare", &["conformance", "load"]),
];

const SERVER: &[&str] = &["person-repository", "service-api", "service-runtime"];

const FLAVORS: [&str; 3] = ["axum", "actix", "hyper"];

const MAX_HANDLER_LINES: usize = 15;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The Rust files of a flavor by their path below `src`, with their text.
fn sources(flavor: &str) -> BTreeMap<String, String> {
    let folder = root().join(format!("crates/server-{flavor}/src"));
    let mut sources = BTreeMap::new();
    let mut folders = vec![folder.clone()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).expect("a folder of the flavor") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(&folder).expect("below src").display();
                let text = fs::read_to_string(&path).expect("a source file");
                sources.insert(name.to_string(), text);
            }
        }
    }
    sources
}

/// The functions of a handler file in their order: name, and lines of the body.
fn functions(source: &str) -> Vec<(String, usize)> {
    let mut functions = Vec::new();
    let mut lines = source.lines();
    while let Some(line) = lines.next() {
        let Some(rest) = line.strip_prefix("pub(crate) async fn ") else {
            continue;
        };
        let name = rest.split('(').next().expect("a name").to_owned();
        let length = 1 + lines.by_ref().take_while(|line| *line != "}").count();
        functions.push((name, length + 1));
    }
    functions
}

fn operation_ids() -> BTreeSet<String> {
    let document: serde_json::Value =
        serde_json::from_str(&read("openapi/openapi.json")).expect("the document is JSON");
    let paths = document["paths"].as_object().expect("paths");
    let operations = paths
        .values()
        .flat_map(|item| item.as_object().expect("an item").values());
    operations
        .map(|operation| operation["operationId"].as_str().expect("an id").to_owned())
        .collect()
}

#[test]
fn dependencies_point_one_way() {
    let metadata = MetadataCommand::new()
        .manifest_path(root().join("Cargo.toml"))
        .no_deps()
        .exec()
        .expect("the workspace's metadata");
    let allowed = BTreeMap::from(MAY_DEPEND_ON);
    let members: BTreeSet<_> = metadata
        .packages
        .iter()
        .map(|package| package.name.as_str())
        .collect();
    assert_eq!(members, allowed.keys().copied().collect(), "members");
    for package in &metadata.packages {
        let stands_on = package.dependencies.iter().filter(|dependency| {
            dependency.kind != DependencyKind::Development
                && members.contains(dependency.name.as_str())
        });
        for dependency in stands_on {
            assert!(
                allowed[package.name.as_str()].contains(&dependency.name.as_str()),
                "{} must not depend on {}",
                package.name,
                dependency.name
            );
        }
    }
}

#[test]
fn the_flavors_have_the_same_files() {
    let [first, others @ ..] =
        FLAVORS.map(|flavor| sources(flavor).into_keys().collect::<Vec<_>>());
    for other in others {
        assert_eq!(first, other);
    }
}

#[test]
fn the_flavors_have_the_same_handlers_in_the_same_order() {
    let [first, others @ ..] = FLAVORS.map(|flavor| {
        let handlers = sources(flavor)
            .into_iter()
            .filter(|(file, _)| file.starts_with("handlers/"));
        let names = |source: &str| {
            functions(source)
                .into_iter()
                .map(|(name, _)| name)
                .collect()
        };
        handlers
            .map(|(file, source)| (file, names(&source)))
            .collect::<BTreeMap<_, Vec<_>>>()
    });
    for other in others {
        assert_eq!(first, other);
    }
}

#[test]
fn a_handler_has_the_name_of_its_operation_and_fits_in_fifteen_lines() {
    let ids = operation_ids();
    for flavor in FLAVORS {
        for (file, source) in sources(flavor) {
            if !file.starts_with("handlers/") {
                continue;
            }
            for (name, lines) in functions(&source) {
                assert!(
                    lines <= MAX_HANDLER_LINES,
                    "{flavor} {file} {name}: {lines} lines"
                );
                assert!(
                    ids.contains(&name) || file == "handlers/fallback.rs",
                    "{flavor} {file}: {name} is no operation"
                );
            }
        }
    }
}

#[test]
fn the_framework_that_info_tells_is_the_one_in_the_lock_file() {
    let lock = read("Cargo.lock");
    for (flavor, package) in [("axum", "axum"), ("actix", "actix-web"), ("hyper", "hyper")] {
        let entry = format!("[[package]]\nname = \"{package}\"\nversion = \"");
        let locked = lock.split(&entry).nth(1).expect("a locked framework");
        let version = locked.split('"').next().expect("a version");
        let expected = format!("framework: \"{package} {version}\"");
        let library = &sources(flavor)["lib.rs"];
        assert!(
            library.contains(&expected),
            "{flavor}: {expected} is not in lib.rs"
        );
    }
}

#[test]
fn the_readme_shows_a_handler_of_each_flavor_as_it_is() {
    let readme = read("README.md");
    for flavor in FLAVORS {
        let source = &sources(flavor)["handlers/persons.rs"];
        let begin = source.find("/// Replaces a person").expect("the handler");
        let end = begin + source[begin..].find("\n}\n").expect("its end") + 2;
        let shown = format!("```rust\n{}\n```", &source[begin..end]);
        assert!(
            readme.contains(&shown),
            "README.md does not show this of {flavor}:\n{shown}"
        );
    }
}

#[test]
fn the_readme_lists_every_path_with_its_methods() {
    let readme = read("README.md");
    let document: serde_json::Value =
        serde_json::from_str(&read("openapi/openapi.json")).expect("the document is JSON");
    for (path, item) in document["paths"].as_object().expect("paths") {
        for method in item.as_object().expect("an item").keys() {
            let listed = format!("`{} {path}", method.to_uppercase());
            assert!(
                readme.contains(&listed),
                "README.md does not list {listed}`"
            );
        }
    }
}
