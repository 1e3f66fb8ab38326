//! Which Z3 has been loaded, and whether it is one that we can drive.
//!
//! The library is chosen when the program is loaded, not when it is built: an environment variable or
//! a replaced file may bring another one than the linker saw. Old ones must be refused *before* the
//! first call that uses an enumeration, since their numbers differ and Z3 would misread us.

use std::fmt;

/// The oldest Z3 that the bindings understand.
pub const OLDEST_SUPPORTED: SolverVersion = SolverVersion {
    major: 4,
    minor: 13,
    patch: 3,
};

/// A version of Z3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SolverVersion {
    pub major: u32,
    pub minor: u32,
    pub patch: u32,
}

impl fmt::Display for SolverVersion {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

/// The loaded Z3 is older than [`OLDEST_SUPPORTED`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SolverTooOld {
    pub found: SolverVersion,
}

impl fmt::Display for SolverTooOld {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "the loaded Z3 is {} and Lariat needs {OLDEST_SUPPORTED} or newer: rebuild with LARIAT_Z3_LIB set to the \
             folder of a newer Z3, or unset to have one fetched, and check LD_LIBRARY_PATH",
            self.found
        )
    }
}

impl std::error::Error for SolverTooOld {}

/// The version of the loaded Z3, as Z3 itself describes it.
pub fn solver_version() -> String {
    z3::full_version().to_owned()
}

/// Says whether the loaded Z3 can be driven; to be called once before anything else is asked of it.
pub fn check_solver_version() -> Result<SolverVersion, SolverTooOld> {
    let mut found = SolverVersion {
        major: 0,
        minor: 0,
        patch: 0,
    };
    let mut revision = 0;
    // SAFETY: Z3 writes four numbers through pointers that are valid for the call. It needs no
    // context, and the function has been the same in every version of Z3.
    #[allow(unsafe_code, reason = "the safe crate keeps the numbers to itself")]
    unsafe {
        z3_sys::Z3_get_version(
            &mut found.major,
            &mut found.minor,
            &mut found.patch,
            &mut revision,
        );
    }
    accept(found)
}

fn accept(found: SolverVersion) -> Result<SolverVersion, SolverTooOld> {
    if found < OLDEST_SUPPORTED {
        Err(SolverTooOld { found })
    } else {
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_is_loaded_and_recent_enough() {
        let version = check_solver_version().expect("the build links a supported Z3");
        assert!(
            solver_version().contains(&version.to_string()),
            "{} against {version}",
            solver_version()
        );
    }

    #[test]
    fn an_old_library_is_refused_with_the_remedy() {
        let debian_12 = SolverVersion {
            major: 4,
            minor: 8,
            patch: 12,
        };
        let message = accept(debian_12).expect_err("too old").to_string();
        assert!(
            message.contains("4.8.12") && message.contains("LARIAT_Z3_LIB"),
            "{message}"
        );
        assert!(
            accept(SolverVersion {
                major: 4,
                minor: 13,
                patch: 2
            })
            .is_err()
        );
        assert!(accept(OLDEST_SUPPORTED).is_ok());
        assert!(
            accept(SolverVersion {
                major: 5,
                minor: 0,
                patch: 0
            })
            .is_ok()
        );
    }
}
