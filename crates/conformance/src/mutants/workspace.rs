//! A copy of the workspace to plant faults in, with one build folder for all of them.

use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, Result, bail, ensure};

use crate::process::Binary;

/// The copy: its sources are what git knows of, as they are in the working tree.
#[derive(Debug)]
pub(super) struct Workspace {
    source: PathBuf,
    /// `target/mutants/tree`
    tree: PathBuf,
    /// `target/mutants/build`
    build: PathBuf,
}

impl Workspace {
    /// The workspace that this crate was built in, and where its copy lies.
    pub(super) fn new() -> Result<Self> {
        let source = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../..")
            .canonicalize()?;
        let folder = source.join("target/mutants");
        let workspace = Self {
            source,
            tree: folder.join("tree"),
            build: folder.join("build"),
        };
        fs::create_dir_all(&workspace.tree)?;
        Ok(workspace)
    }

    /// Makes the copy equal to the sources again.
    ///
    /// Only files that differ are written, so that cargo builds only what has changed.
    pub(super) fn restore(&self) -> Result<()> {
        let known = self.source_files()?;
        for name in &known {
            let content = fs::read(self.source.join(name))?;
            let copy = self.tree.join(name);
            if fs::read(&copy).ok().as_ref() != Some(&content) {
                if let Some(folder) = copy.parent() {
                    fs::create_dir_all(folder)?;
                }
                fs::write(&copy, content)?;
            }
        }
        remove_others(&self.tree, &self.tree, &known)
    }

    /// Applies a patch of `mutants/` to the copy.
    pub(super) fn apply(&self, patch: &str) -> Result<()> {
        let path = self.source.join("crates/conformance/mutants").join(patch);
        let output = Command::new("git")
            .current_dir(&self.tree)
            // The copy lies in the repository's ignored folder: git must not find that repository,
            // or it takes the paths of the patch for its own.
            .env(
                "GIT_CEILING_DIRECTORIES",
                self.tree.parent().unwrap_or(&self.tree),
            )
            .arg("apply")
            .arg(&path)
            .output()
            .context("git does not start")?;
        ensure!(
            output.status.success(),
            "{patch} does not apply: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        Ok(())
    }

    /// Builds a flavor from the copy and gives its executable.
    pub(super) fn build(&self, flavor: &str) -> Result<Binary> {
        let name = match flavor {
            "axum" => "axum",
            "actix" => "actix",
            "hyper" => "hyper",
            _ => bail!("{flavor} is no flavor"),
        };
        let package = format!("server-{name}");
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let output = Command::new(cargo)
            .current_dir(&self.tree)
            .env("CARGO_TARGET_DIR", &self.build)
            .args(["build", "--quiet", "--locked", "--package", &package])
            .output()
            .context("cargo does not start")?;
        ensure!(
            output.status.success(),
            "{package} does not build: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        Ok(Binary {
            path: self.build.join("debug").join(package),
            flavor: name,
        })
    }

    /// The files that git tracks or would track, relative to the root, as far as they exist.
    fn source_files(&self) -> Result<BTreeSet<PathBuf>> {
        let output = Command::new("git")
            .current_dir(&self.source)
            .args([
                "ls-files",
                "-z",
                "--cached",
                "--others",
                "--exclude-standard",
            ])
            .output()
            .context("git does not start")?;
        ensure!(output.status.success(), "the workspace is no git checkout");
        let names = String::from_utf8(output.stdout).context("a file name is not UTF-8")?;
        Ok(names
            .split_terminator('\0')
            .map(PathBuf::from)
            .filter(|name| self.source.join(name).is_file())
            .collect())
    }
}

/// Removes the files below a folder of the tree that are not known.
fn remove_others(tree: &Path, folder: &Path, known: &BTreeSet<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            remove_others(tree, &path, known)?;
        } else if !known.contains(path.strip_prefix(tree)?) {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}
