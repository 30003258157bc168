//! The binary: its size, whether it is stripped, and how much of it is Swagger UI.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context as _;
use serde::{Deserialize, Serialize};

/// A server's binary and its build.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Artifact {
    /// The executable.
    pub(crate) binary: PathBuf,
    /// Its size in bytes.
    pub(crate) bytes: u64,
    /// Whether it has no symbol table; `None` where it is no ELF file.
    pub(crate) stripped: Option<bool>,
    /// Its SHA-256 in hexadecimal; `None` where `sha256sum` is missing.
    pub(crate) sha256: Option<String>,
    /// The bytes of the Swagger UI files in it, as they are embedded; `None` where it was not built here.
    pub(crate) swagger_ui_bytes: Option<u64>,
    /// The crates in it, the workspace's own apart; `None` where it was not built here.
    pub(crate) dependencies: Option<usize>,
    /// The time of its build in seconds; `None` where it was not built here.
    pub(crate) build_s: Option<f64>,
    /// The number of crates compiled for it in this run; 0 where it was built before.
    pub(crate) compiled: usize,
}

impl Artifact {
    /// Reads a binary; what only its build can tell is left out.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(crate) fn read(binary: &Path) -> anyhow::Result<Self> {
        let bytes =
            std::fs::read(binary).with_context(|| format!("cannot read {}", binary.display()))?;
        Ok(Self {
            binary: binary.into(),
            bytes: bytes.len() as u64,
            stripped: has_symbol_table(&bytes).map(|has| !has),
            sha256: sha256(binary),
            swagger_ui_bytes: None,
            dependencies: None,
            build_s: None,
            compiled: 0,
        })
    }
}

/// The bytes of all files that a build script's output folder says are embedded.
///
/// utoipa-swagger-ui's script writes `embed.rs`, which includes each file of Swagger UI, gzipped, by its path.
pub(crate) fn embedded_bytes(output_folder: &Path) -> Option<u64> {
    let code = std::fs::read_to_string(output_folder.join("embed.rs")).ok()?;
    let sizes: Option<Vec<u64>> = included(&code)
        .map(|path| {
            std::fs::metadata(output_folder.join(path))
                .ok()
                .map(|file| file.len())
        })
        .collect();
    sizes
        .filter(|sizes| !sizes.is_empty())
        .map(|sizes| sizes.iter().sum())
}

fn included(code: &str) -> impl Iterator<Item = &str> {
    code.split("include_bytes!(\"")
        .skip(1)
        .filter_map(|rest| rest.split_once("\")").map(|(path, _)| path))
}

/// Whether a 64-bit little-endian ELF file has a section of type SHT_SYMTAB (ELF-64 object file format,
/// "Section header table").
fn has_symbol_table(file: &[u8]) -> Option<bool> {
    const SHT_SYMTAB: u32 = 2;
    if !file.starts_with(b"\x7fELF\x02\x01") {
        return None;
    }
    let start = usize::try_from(u64::from_le_bytes(file.get(0x28..0x30)?.try_into().ok()?)).ok()?;
    let size = usize::from(u16::from_le_bytes(file.get(0x3a..0x3c)?.try_into().ok()?));
    let count = usize::from(u16::from_le_bytes(file.get(0x3c..0x3e)?.try_into().ok()?));
    let mut found = false;
    for section in 0..count {
        let kind = start + section * size + 4;
        found |= u32::from_le_bytes(file.get(kind..kind + 4)?.try_into().ok()?) == SHT_SYMTAB;
    }
    Some(found)
}

fn sha256(file: &Path) -> Option<String> {
    let output = Command::new("sha256sum").arg(file).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    text.split_whitespace()
        .next()
        .map(str::to_owned)
        .filter(|hash| hash.len() == 64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn this_test_has_a_symbol_table_and_a_hash() {
        let artifact =
            Artifact::read(&std::env::current_exe().expect("a file")).expect("it is readable");
        assert_eq!(artifact.stripped, Some(false));
        assert!(artifact.bytes > 100_000);
        assert!(
            artifact
                .sha256
                .is_none_or(|hash| hash.bytes().all(|byte| byte.is_ascii_hexdigit()))
        );
    }

    #[test]
    fn a_file_that_is_no_elf_is_neither() {
        assert_eq!(has_symbol_table(b"#!/bin/sh\n"), None);
    }

    #[test]
    fn embedded_files_are_added_up_as_they_lie_on_disk() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("one.js.gz");
        std::fs::write(&file, [0; 123]).expect("a file");
        std::fs::write(folder.path().join("two.css.gz"), [0; 1000]).expect("a file");
        assert_eq!(embedded_bytes(folder.path()), None);
        let code = format!(
            "data: include_bytes!({:?}), data: include_bytes!(\"two.css.gz\"),",
            file.display().to_string()
        );
        std::fs::write(folder.path().join("embed.rs"), code).expect("a file");
        assert_eq!(embedded_bytes(folder.path()), Some(1123));
    }
}
