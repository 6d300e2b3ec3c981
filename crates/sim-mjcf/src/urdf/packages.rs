//! Where the files of robots are: in packages, and in directories around the model.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::files::Resolver;

/// Directories above the model that are looked into.
const MAX_LEVELS: usize = 16;

/// Where to look for files.
pub(super) struct Search<'a> {
    pub resolver: &'a Resolver<'a>,
    /// Directory of the model.
    pub dir: &'a Path,
    /// Directory of meshes, from that of the model.
    pub meshdir: &'a Path,
    /// Directories of packages by name.
    pub packages: &'a HashMap<String, PathBuf>,
}

impl Search<'_> {
    /// Finds a file by the name that a model has for it: `package://name/rest`, `file:///path`, or a
    /// path. Nothing is looked for outside of files that are given in memory.
    pub(super) fn find(&self, name: &str) -> Option<PathBuf> {
        let dir = self.resolver.absolute(self.dir)?;
        let package = ["package://", "model://"].iter().find_map(|s| name.strip_prefix(s));
        let candidates = match package.map(|path| path.split_once('/').unwrap_or((path, ""))) {
            Some((package, rest)) => self.in_package(package, rest, &dir),
            None => self.by_path(name.strip_prefix("file://").unwrap_or(name), &dir),
        };
        candidates.into_iter().find(|path| self.resolver.exists(path))
    }

    /// Where a file of a package can be: in the directory given for it, in those that the
    /// environment names, and in the directories around the model.
    fn in_package(&self, package: &str, rest: &str, dir: &Path) -> Vec<PathBuf> {
        let mut candidates = Vec::new();
        if let Some(given) = self.packages.get(package) {
            candidates.push(given.join(rest));
        }
        for root in paths("ROS_PACKAGE_PATH") {
            candidates.push(root.join(package).join(rest));
            if root.ends_with(package) {
                candidates.push(root.join(rest));
            }
        }
        for prefix in paths("AMENT_PREFIX_PATH") {
            candidates.push(prefix.join("share").join(package).join(rest));
        }
        for above in dir.ancestors().take(MAX_LEVELS) {
            if above.ends_with(package) {
                candidates.push(above.join(rest));
            }
            candidates.push(above.join(package).join(rest));
        }
        // a package whose directory was renamed
        candidates.extend(dir.ancestors().take(MAX_LEVELS).map(|above| above.join(rest)));
        candidates
    }

    /// Where a file of a path can be: there, or from one of the directories around the model.
    fn by_path(&self, name: &str, dir: &Path) -> Vec<PathBuf> {
        let mut candidates = vec![dir.join(self.meshdir).join(name)];
        candidates.extend(dir.ancestors().take(MAX_LEVELS).map(|above| above.join(name)));
        candidates
    }
}

/// The directories that a variable of the environment lists.
fn paths(variable: &str) -> Vec<PathBuf> {
    std::env::var_os(variable)
        .map(|list| std::env::split_paths(&list).collect())
        .unwrap_or_default()
}
