//! The platforms we know: which wheel serves each, and how its libraries are named and found.

use std::env;
use std::path::Path;

use crate::{OLDEST_Z3, OWN_Z3_VARIABLE, SetupError};

/// A package of PyPI that has a library we use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Package {
    /// What people call the library.
    pub title: &'static str,
    pub name: &'static str,
    pub version: &'static str,
    /// What to do instead of fetching it.
    pub remedy: &'static str,
}

pub const Z3: Package = Package {
    title: "Z3",
    name: "z3-solver",
    version: "5.4.0.0",
    remedy: "set LARIAT_Z3_LIB to the folder of your own Z3 >= 4.13.3",
};

pub const LIBCLANG: Package = Package {
    title: "libclang",
    name: "libclang",
    version: "18.1.1",
    remedy: "install libclang >= 17 and set LARIAT_LIBCLANG to it when Lariat runs",
};

/// A pinned wheel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wheel {
    pub package: Package,
    pub file_name: &'static str,
    /// The platform tag of its file name, which is also what pip is asked for.
    pub platform_tag: &'static str,
    pub sha256: &'static str,
    /// The library inside the wheel, and the name under which programs linked to it will ask for it.
    pub library_member: &'static str,
    pub loaded_as: &'static str,
    /// The oldest glibc that can load it; `None` where that is not the question.
    pub oldest_glibc: Option<(u32, u32)>,
}

/// `(os, architecture, libc)` as Cargo names them, and the wheel for them.
type WheelTable = [((&'static str, &'static str, &'static str), Wheel)];

const Z3_WHEELS: &WheelTable = &[
    (
        ("linux", "x86_64", "gnu"),
        Wheel {
            package: Z3,
            file_name: "z3_solver-5.4.0.0-py3-none-manylinux_2_27_x86_64.whl",
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
            package: Z3,
            file_name: "z3_solver-5.4.0.0-py3-none-manylinux_2_38_aarch64.whl",
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
            package: Z3,
            file_name: "z3_solver-5.4.0.0-py3-none-macosx_13_0_x86_64.whl",
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
            package: Z3,
            file_name: "z3_solver-5.4.0.0-py3-none-macosx_13_0_arm64.whl",
            platform_tag: "macosx_13_0_arm64",
            sha256: "a1b36f0dd038c030d88711474c93b95e863c30a22e9def53ad5965c6092c92a7",
            library_member: "z3/lib/libz3.dylib",
            loaded_as: "libz3.dylib",
            oldest_glibc: None,
        },
    ),
];

const LIBCLANG_WHEELS: &WheelTable = &[
    (
        ("linux", "x86_64", "gnu"),
        Wheel {
            package: LIBCLANG,
            file_name: "libclang-18.1.1-py2.py3-none-manylinux2010_x86_64.whl",
            platform_tag: "manylinux2010_x86_64",
            sha256: "c533091d8a3bbf7460a00cb6c1a71da93bffe148f172c7d03b1c31fbf8aa2a0b",
            library_member: "libclang-18.1.1.data/platlib/clang/native/libclang.so",
            loaded_as: "libclang.so",
            oldest_glibc: None,
        },
    ),
    (
        ("linux", "aarch64", "gnu"),
        Wheel {
            package: LIBCLANG,
            file_name: "libclang-18.1.1-py2.py3-none-manylinux2014_aarch64.whl",
            platform_tag: "manylinux2014_aarch64",
            sha256: "54dda940a4a0491a9d1532bf071ea3ef26e6dbaf03b5000ed94dd7174e8f9592",
            library_member: "libclang-18.1.1.data/platlib/clang/native/libclang.so",
            loaded_as: "libclang.so",
            oldest_glibc: None,
        },
    ),
    (
        ("macos", "x86_64", ""),
        Wheel {
            package: LIBCLANG,
            file_name: "libclang-18.1.1-py2.py3-none-macosx_10_9_x86_64.whl",
            platform_tag: "macosx_10_9_x86_64",
            sha256: "6f14c3f194704e5d09769108f03185fce7acaf1d1ae4bbb2f30a72c2400cb7c5",
            library_member: "libclang-18.1.1.data/platlib/clang/native/libclang.dylib",
            loaded_as: "libclang.dylib",
            oldest_glibc: None,
        },
    ),
    (
        ("macos", "aarch64", ""),
        Wheel {
            package: LIBCLANG,
            file_name: "libclang-18.1.1-1-py2.py3-none-macosx_11_0_arm64.whl",
            platform_tag: "macosx_11_0_arm64",
            sha256: "0b2e143f0fac830156feb56f9231ff8338c20aecfe72b4ffe96f19e5a1dbb69a",
            library_member: "libclang-18.1.1.data/platlib/clang/native/libclang.dylib",
            loaded_as: "libclang.dylib",
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

    fn find(&self, wheels: &'static WheelTable) -> Option<&'static Wheel> {
        let key = (self.os.as_str(), self.architecture.as_str(), self.libc.as_str());
        let (_, wheel) = wheels.iter().find(|(platform, _)| *platform == key)?;
        Some(wheel)
    }

    /// The wheel of libclang for this target.
    pub fn libclang_wheel(&self) -> Result<&'static Wheel, SetupError> {
        self.find(LIBCLANG_WHEELS).ok_or_else(|| {
            SetupError::new(format!(
                "PyPI has no libclang for {} {} {}: {}.",
                self.os, self.architecture, self.libc, LIBCLANG.remedy
            ))
        })
    }

    /// The wheel of Z3 for this target, or the sentence that says what to do without one.
    pub fn z3_wheel(&self) -> Result<&'static Wheel, SetupError> {
        if let Some(wheel) = self.find(Z3_WHEELS) {
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

    /// The folder for this target and version of a package.
    pub fn folder_name(&self, package: &Package) -> String {
        format!("{}-{}-{}", package.version, self.os, self.architecture)
    }

    /// Where a binary looks for the library, first to last.
    pub fn run_paths(&self, library_folder: &Path) -> Vec<String> {
        let binary_folder = match self.os.as_str() {
            "windows" => return Vec::new(),
            "macos" => "@executable_path",
            _ => "$ORIGIN",
        };
        vec![
            binary_folder.to_owned(),
            format!("{binary_folder}/../lib"),
            library_folder.display().to_string(),
        ]
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
        for wheels in [Z3_WHEELS, LIBCLANG_WHEELS] {
            for (index, (platform, wheel)) in wheels.iter().enumerate() {
                assert_eq!(wheel.sha256.len(), 64, "{platform:?}");
                assert!(
                    wheel
                        .sha256
                        .bytes()
                        .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
                );
                assert!(
                    wheel.file_name.contains(&format!("-{}-", wheel.package.version))
                        && wheel.file_name.ends_with(&format!("{}.whl", wheel.platform_tag))
                );
                for (other_platform, other) in &wheels[..index] {
                    assert_ne!(platform, other_platform);
                    assert_ne!(wheel.sha256, other.sha256);
                }
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
            let sentence = unsupported.z3_wheel().expect_err("there is no wheel").to_string();
            assert!(sentence.contains(OWN_Z3_VARIABLE), "{sentence}");
            assert!(sentence.ends_with('.') && !sentence.contains('\n'), "{sentence}");
        }
        assert!(target("linux", "x86_64", "gnu").z3_wheel().is_ok());
    }
}
