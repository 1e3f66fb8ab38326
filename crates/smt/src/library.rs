//! Finds and loads the Z3 library, and says where it looked if there is none.
//!
//! `crates/z3-setup` defines each function of Z3 in the program as a jump through a table. [`load`] fills the table, once and
//! before the first call. Where a program is linked to the library instead (other systems, a static library), the loader of
//! the system has done all of this.

use std::fmt;

/// No Z3 that the program can use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotLoaded {
    /// What the system's loader said.
    reason: String,
    file_name: &'static str,
    /// Folders, in the order of the search.
    looked: Vec<String>,
}

impl fmt::Display for NotLoaded {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "the Z3 library {} cannot be loaded ({}); looked for it in {}, and where the system has its libraries: put it \
             into one of these folders, or build Lariat again",
            self.file_name,
            self.reason,
            self.looked.join(", ")
        )
    }
}

impl std::error::Error for NotLoaded {}

#[cfg(not(z3_is_loaded_at_run_time))]
pub fn load() -> Result<(), NotLoaded> {
    Ok(())
}

#[cfg(z3_is_loaded_at_run_time)]
pub use at_run_time::load;

#[cfg(z3_is_loaded_at_run_time)]
#[allow(
    unsafe_code,
    reason = "a library is loaded, and its functions are called through a table"
)]
mod at_run_time {
    use std::ffi::{CStr, c_void};
    use std::path::Path;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicPtr, Ordering};

    use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW, Symbol};

    use super::NotLoaded;

    /// The name that programs linked to the library ask for.
    const FILE_NAME: &str = env!("LARIAT_Z3_FILE_NAME");
    const FUNCTIONS: &[&CStr] = include!(concat!(env!("OUT_DIR"), "/z3_functions.rs"));

    std::arch::global_asm!(include_str!(concat!(env!("OUT_DIR"), "/z3_forward.s")));

    unsafe extern "C" {
        /// Entry `i` is the address of `FUNCTIONS[i]`.
        #[link_name = "lariat_z3_functions"]
        static TABLE: [AtomicPtr<c_void>; FUNCTIONS.len()];
    }

    /// Loads the library, unless that has been done. Nothing else of Z3 may be called before it has succeeded.
    pub fn load() -> Result<(), NotLoaded> {
        static OUTCOME: OnceLock<Result<(), NotLoaded>> = OnceLock::new();
        OUTCOME.get_or_init(fill_table).clone()
    }

    fn fill_table() -> Result<(), NotLoaded> {
        let folders = folders();
        let found = folders
            .iter()
            .map(|folder| Path::new(folder).join(FILE_NAME))
            .find(|file| file.exists());
        // SAFETY: Z3's constructors of static objects have no requirements.
        let library = unsafe {
            // By its bare name the system looks at its own folders.
            let file = found.as_deref().unwrap_or(Path::new(FILE_NAME));
            Library::open(Some(file), RTLD_NOW | RTLD_LOCAL)
        };
        let library = library.map_err(|error| NotLoaded {
            reason: error.to_string(),
            file_name: FILE_NAME,
            looked: folders,
        })?;
        // SAFETY: the assembly defines the table with this many entries, all of them zero, which is a null pointer.
        let table = unsafe { &TABLE };
        for (entry, name) in table.iter().zip(FUNCTIONS) {
            // SAFETY: only the address is used here. Who calls it declares its type (`z3-sys`).
            let symbol: Result<Symbol<*mut c_void>, _> = unsafe { library.get(name.to_bytes_with_nul()) };
            let address = symbol.map_or(missing as *mut c_void, |symbol| symbol.into_raw());
            entry.store(address, Ordering::Relaxed);
        }
        // The table refers to it as long as the process lives.
        std::mem::forget(library);
        Ok(())
    }

    /// Stands for a function that the loaded library does not have.
    extern "C" fn missing() -> ! {
        // An older library lacks functions that the one of the build has; `check_solver_version` refuses those that are too old.
        panic!("{FILE_NAME} lacks a function that Lariat calls; `lariat doctor` says which file was loaded")
    }

    /// Where it is looked for: what the user says comes first, then what moved with the program, then the folder of the build.
    fn folders() -> Vec<String> {
        let mut folders: Vec<String> = std::env::var_os("LD_LIBRARY_PATH")
            .map(|paths| {
                std::env::split_paths(&paths)
                    .map(|path| path.display().to_string())
                    .collect()
            })
            .unwrap_or_default();
        folders.retain(|folder| !folder.is_empty());
        let program = std::env::current_exe().and_then(|path| path.canonicalize());
        if let Some(folder) = program.ok().as_deref().and_then(Path::parent) {
            folders.push(folder.display().to_string());
            folders.push(folder.join("../lib").display().to_string());
        }
        folders.push(env!("LARIAT_Z3_BUILD_FOLDER").to_owned());
        folders
    }
}
