//! Which Z3 has been loaded, and whether it is one that we can drive.
//!
//! The library is chosen when the program is loaded, not when it is built: an environment variable or
//! a replaced file may bring another one than the linker saw. Old ones must be refused *before* the
//! first call that uses an enumeration, since their numbers differ and Z3 would misread us.

use std::ffi::CStr;
use std::fmt;

use crate::library::{NotLoaded, load};

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

/// The Z3 library cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SolverUnusable {
    NotLoaded(NotLoaded),
    /// It is older than [`OLDEST_SUPPORTED`].
    TooOld(SolverVersion),
}

impl fmt::Display for SolverUnusable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolverUnusable::NotLoaded(error) => error.fmt(formatter),
            SolverUnusable::TooOld(found) => write!(
                formatter,
                "the loaded Z3 is {found} and Lariat needs {OLDEST_SUPPORTED} or newer: rebuild with LARIAT_Z3_LIB set to the \
                 folder of a newer Z3, or unset to have one fetched, and check LD_LIBRARY_PATH"
            ),
        }
    }
}

impl std::error::Error for SolverUnusable {}

/// The version of the loaded Z3, as Z3 itself describes it.
pub fn solver_version() -> Result<String, NotLoaded> {
    load()?;
    // SAFETY: Z3 returns a string that ends with a zero byte and is never changed or freed.
    #[allow(unsafe_code, reason = "a call of Z3")]
    let text = unsafe { CStr::from_ptr(z3_sys::Z3_get_full_version()) };
    Ok(text.to_string_lossy().into_owned())
}

/// Loads Z3 and says whether it can be driven; to be called once before anything else is asked of it.
pub fn check_solver_version() -> Result<SolverVersion, SolverUnusable> {
    load().map_err(SolverUnusable::NotLoaded)?;
    let mut found = SolverVersion {
        major: 0,
        minor: 0,
        patch: 0,
    };
    let mut revision = 0;
    // SAFETY: Z3 writes four numbers through pointers that are valid for the call. It needs no
    // context, and the function has been the same in every version of Z3.
    #[allow(unsafe_code, reason = "a call of Z3")]
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

fn accept(found: SolverVersion) -> Result<SolverVersion, SolverUnusable> {
    if found < OLDEST_SUPPORTED {
        Err(SolverUnusable::TooOld(found))
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
        let text = solver_version().expect("it is loaded");
        assert!(text.contains(&version.to_string()), "{text} against {version}");
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
