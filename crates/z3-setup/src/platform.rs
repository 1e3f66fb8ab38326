//! The platforms we know: which wheel serves each, and how its libraries are named and found.

use std::env;
use std::path::Path;

use crate::{OLDEST_Z3, OWN_Z3_VARIABLE, SetupError};

/// The version of the PyPI package `z3-solver` that is fetched.
pub const WHEEL_VERSION: &str = "5.4.0.0";

/// A pinned wheel of `z3-solver` [`WHEEL_VERSION`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wheel {
    /// The platform tag of its file name, which is also what pip is asked for.
    pub platform_tag: &'static str,
    pub sha256: &'static str,
    /// The library inside the wheel, and the name under which programs linked to it will ask for it.
    pub library_member: &'static str,
    pub loaded_as: &'static str,
    /// The oldest glibc that can load it; `None` where that is not the question.
    pub oldest_glibc: Option<(u32, u32)>,
}

impl Wheel {
    pub fn file_name(&self) -> String {
        format!("z3_solver-{WHEEL_VERSION}-py3-none-{}.whl", self.platform_tag)
    }
}

/// `(os, architecture, libc)` as Cargo names them, and the wheel for them.
const WHEELS: &[((&str, &str, &str), Wheel)] = &[
    (
        ("linux", "x86_64", "gnu"),
        Wheel {
            platform_tag: "manylinux_2_27_x86_64",
            sha256: "0549ffad554178a59480ba41b5279cfbb27053ed5a2da269ae1a48214d5db34b",
            library_member: "z3/lib/libz3.so",
            loaded_as: "libz3.so.5.4",
            oldest_glibc: Some((2, 26)),
        },
    ),
    (
        ("linux", "aarch64", "gnu"),
        Wheel {
            platform_tag: "manylinux_2_38_aarch64",
            sha256: "fffb36861d4da1f9584d0fd4a80dbf247fdfbebb04b5c31a90b460b14c86cab0",
            library_member: "z3/lib/libz3.so",
            loaded_as: "libz3.so.5.4",
            oldest_glibc: Some((2, 38)),
        },
    ),
    (
        ("macos", "x86_64", ""),
        Wheel {
            platform_tag: "macosx_13_0_x86_64",
            sha256: "407522390c4d11696b10d43c76d22d4e60b7f11d75d9defe6f064e073edd904f",
            library_member: "z3/lib/libz3.dylib",
            loaded_as: "libz3.dylib",
            oldest_glibc: None,
        },
    ),
    (
        ("macos", "aarch64", ""),
        Wheel {
            platform_tag: "macosx_13_0_arm64",
            sha256: "a1b36f0dd038c030d88711474c93b95e863c30a22e9def53ad5965c6092c92a7",
            library_member: "z3/lib/libz3.dylib",
            loaded_as: "libz3.dylib",
            oldest_glibc: None,
        },
    ),
];

/// What is being built for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    pub os: String,
    pub architecture: String,
    pub libc: String,
}

impl Target {
    pub fn from_cargo_environment() -> Result<Self, SetupError> {
        let variable = |name: &str| {
            env::var(name).map_err(|_| {
                SetupError::new(format!(
                    "{name} is not set: lariat-z3-setup only works inside a Cargo build script."
                ))
            })
        };
        Ok(Target {
            os: variable("CARGO_CFG_TARGET_OS")?,
            architecture: variable("CARGO_CFG_TARGET_ARCH")?,
            // Cargo leaves the variable out where there is nothing to tell apart.
            libc: env::var("CARGO_CFG_TARGET_ENV").unwrap_or_default(),
        })
    }

    /// The wheel for this target, or the sentence that says what to do without one.
    pub fn wheel(&self) -> Result<&'static Wheel, SetupError> {
        let key = (self.os.as_str(), self.architecture.as_str(), self.libc.as_str());
        if let Some((_, wheel)) = WHEELS.iter().find(|(platform, _)| *platform == key) {
            return Ok(wheel);
        }
        Err(SetupError::new(if self.os == "windows" {
            format!(
                "Z3 is not fetched on Windows: unpack a release of Z3 >= {OLDEST_Z3} from \
                 https://github.com/Z3Prover/z3/releases, set {OWN_Z3_VARIABLE} to its `bin` folder and add that \
                 folder to PATH."
            )
        } else {
            format!(
                "PyPI has no Z3 for {} {} {}: install Z3 >= {OLDEST_Z3} yourself and set {OWN_Z3_VARIABLE} to the \
                 folder of its library.",
                self.os, self.architecture, self.libc
            )
        }))
    }

    /// The name that the linker looks for.
    pub fn library_file_name(&self) -> &'static str {
        match self.os.as_str() {
            "windows" => "libz3.lib",
            "macos" => "libz3.dylib",
            _ => "libz3.so",
        }
    }

    /// The folder below `.z3` for this target.
    pub fn folder_name(&self) -> String {
        format!("{WHEEL_VERSION}-{}-{}", self.os, self.architecture)
    }

    /// Where a binary looks for the library, first to last.
    pub fn run_paths(&self, library_folder: &Path) -> Vec<String> {
        let beside_binary = match self.os.as_str() {
            "windows" => return Vec::new(),
            "macos" => "@executable_path/../lib",
            _ => "$ORIGIN/../lib",
        };
        vec![library_folder.display().to_string(), beside_binary.to_owned()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(os: &str, architecture: &str, libc: &str) -> Target {
        Target {
            os: os.to_owned(),
            architecture: architecture.to_owned(),
            libc: libc.to_owned(),
        }
    }

    #[test]
    fn every_wheel_has_a_full_digest_and_its_own_platform() {
        for (index, (platform, wheel)) in WHEELS.iter().enumerate() {
            assert_eq!(wheel.sha256.len(), 64, "{platform:?}");
            assert!(
                wheel
                    .sha256
                    .bytes()
                    .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
            );
            for (other_platform, other) in &WHEELS[..index] {
                assert_ne!(platform, other_platform);
                assert_ne!(wheel.sha256, other.sha256);
            }
        }
    }

    #[test]
    fn a_platform_without_a_wheel_is_told_how_to_bring_its_own_z3() {
        for unsupported in [
            target("windows", "x86_64", "msvc"),
            target("linux", "x86_64", "musl"),
            target("freebsd", "x86_64", ""),
        ] {
            let sentence = unsupported.wheel().expect_err("there is no wheel").to_string();
            assert!(sentence.contains(OWN_Z3_VARIABLE), "{sentence}");
            assert!(sentence.ends_with('.') && !sentence.contains('\n'), "{sentence}");
        }
        assert!(target("linux", "x86_64", "gnu").wheel().is_ok());
    }
}
