//! Safe wrappers of the part of libclang that the reader uses; the only module with `unsafe` code.
//!
//! Invariants: the library is never unloaded once it is loaded; a [`Unit`] outlives its [`Cursor`]s and [`Type`]s, which
//! carry its lifetime; a null cursor or invalid type never leaves this module as if it were one (`Option`).
#![allow(unsafe_code)]

mod cursor;
mod functions;
mod types;

use std::ffi::{CStr, CString, c_char, c_int, c_uint};
use std::mem::ManuallyDrop;
use std::path::Path;
use std::ptr;

use clang_sys::*;

pub use cursor::{Constant, Cursor};
pub use types::Type;

use cursor::INVALID;
use functions::Functions;

const NO_THREADS: &str = "LIBCLANG_NOTHREADS";

/// A loaded libclang.
pub struct Clang {
    functions: Functions,
}

/// Why a file is no usable libclang.
pub enum LoadError {
    /// The loader's words.
    NotLoaded(String),
    /// It lacks this function: it is older than 17.
    TooOld(String),
}

impl Clang {
    pub fn load(path: &Path) -> Result<Self, LoadError> {
        // unless this is set, libclang parses on a new thread with a small stack; our callers have a big one.
        if std::env::var_os(NO_THREADS).is_none() {
            // SAFETY: nothing else in this process changes the environment, and it is changed once.
            unsafe { std::env::set_var(NO_THREADS, "1") };
        }
        // SAFETY: loading runs LLVM's initialisers, which have no requirements on us.
        let library = unsafe { libloading::Library::new(path) };
        // LLVM does not bear being unloaded, so the handle is never closed.
        let library = ManuallyDrop::new(library.map_err(|error| LoadError::NotLoaded(error.to_string()))?);
        let functions = Functions::load(&library).map_err(LoadError::TooOld)?;
        Ok(Clang { functions })
    }

    /// Takes the text of a string and frees it.
    fn text(&self, string: CXString) -> String {
        // SAFETY: the string is libclang's and is used once, here.
        unsafe {
            let text = (self.functions.string_text)(string);
            let text = if text.is_null() {
                String::new()
            } else {
                CStr::from_ptr(text).to_string_lossy().into_owned()
            };
            (self.functions.string_dispose)(string);
            text
        }
    }

    /// Parses one file. `overlay` are files that need not exist on disk.
    pub fn parse(&self, path: &str, arguments: &[String], overlay: &[(String, &[u8])]) -> Option<Unit<'_>> {
        let path = CString::new(path).ok()?;
        let arguments: Vec<CString> = arguments
            .iter()
            .map(|argument| CString::new(argument.as_str()))
            .collect::<Result<_, _>>()
            .ok()?;
        let arguments: Vec<*const c_char> = arguments.iter().map(|argument| argument.as_ptr()).collect();
        let names: Vec<CString> = overlay
            .iter()
            .map(|(name, _)| CString::new(name.as_str()))
            .collect::<Result<_, _>>()
            .ok()?;
        let mut files: Vec<CXUnsavedFile> = names
            .iter()
            .zip(overlay)
            .map(|(name, (_, text))| CXUnsavedFile {
                Filename: name.as_ptr(),
                Contents: text.as_ptr().cast(),
                Length: text.len() as _,
            })
            .collect();
        // SAFETY: all pointers are to live buffers, with their lengths.
        unsafe {
            let index = (self.functions.create_index)(0, 0);
            let mut unit = ptr::null_mut();
            let outcome = (self.functions.parse)(
                index,
                path.as_ptr(),
                arguments.as_ptr(),
                arguments.len() as c_int,
                files.as_mut_ptr(),
                files.len() as c_uint,
                CXTranslationUnit_None as c_uint,
                &mut unit,
            );
            if outcome != CXError_Success || unit.is_null() {
                (self.functions.dispose_index)(index);
                return None;
            }
            Some(Unit {
                clang: self,
                index,
                unit,
            })
        }
    }
}

extern "C" fn collect_file(file: CXFile, _: *mut CXSourceLocation, _: c_uint, list: CXClientData) {
    // SAFETY: `Unit::files` passes its list, which nothing else uses meanwhile.
    unsafe { &mut *list.cast::<Vec<CXFile>>() }.push(file);
}

/// A parsed file.
pub struct Unit<'c> {
    clang: &'c Clang,
    index: CXIndex,
    unit: CXTranslationUnit,
}

impl Drop for Unit<'_> {
    fn drop(&mut self) {
        // SAFETY: both are ours; cursors and types cannot outlive us.
        unsafe {
            (self.clang.functions.dispose_unit)(self.unit);
            (self.clang.functions.dispose_index)(self.index);
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    Note,
    Warning,
    Error,
}

/// What clang says about a file.
pub struct Message {
    pub level: Level,
    pub text: String,
    pub start: Option<Position>,
    pub end: Option<Position>,
    pub notes: Vec<Message>,
}

/// An opaque name of a file of a unit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FileKey(usize);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    pub file: FileKey,
    pub offset: u32,
}

impl Unit<'_> {
    pub fn messages(&self) -> Vec<Message> {
        let functions = &self.clang.functions;
        // SAFETY: indices are below the count; every diagnostic is disposed of once.
        unsafe {
            (0..(functions.diagnostic_count)(self.unit))
                .map(|index| {
                    let diagnostic = (functions.diagnostic)(self.unit, index);
                    let mut message = self.message(diagnostic);
                    let children = (functions.diagnostic_children)(diagnostic);
                    for child in 0..(functions.diagnostics_in_set)(children) {
                        let child = (functions.diagnostic_in_set)(children, child);
                        message.notes.push(self.message(child));
                    }
                    (functions.dispose_diagnostic)(diagnostic);
                    message
                })
                .collect()
        }
    }

    unsafe fn message(&self, diagnostic: CXDiagnostic) -> Message {
        let functions = &self.clang.functions;
        // SAFETY: the caller gives a live diagnostic of this unit.
        unsafe {
            let location = (functions.diagnostic_location)(diagnostic);
            let start = self.position(location, false);
            let end = (0..(functions.diagnostic_range_count)(diagnostic))
                .filter_map(|index| {
                    let range = (functions.diagnostic_range)(diagnostic, index);
                    let from = self.position((functions.range_start)(range), false)?;
                    let to = self.position((functions.range_end)(range), false)?;
                    (Some(from.file) == start.map(|start| start.file)
                        && Some(from) == start
                        && to.offset > from.offset)
                        .then_some(to)
                })
                .next();
            Message {
                level: match (functions.diagnostic_severity)(diagnostic) {
                    CXDiagnostic_Error | CXDiagnostic_Fatal => Level::Error,
                    CXDiagnostic_Warning => Level::Warning,
                    _ => Level::Note,
                },
                text: self.clang.text((functions.diagnostic_spelling)(diagnostic)),
                start,
                end,
                notes: Vec::new(),
            }
        }
    }

    /// Where a location stands in a file: what is from a macro's body stands where the macro is used; its arguments where
    /// they are written, or (`expansion`) where the macro is used too.
    fn position(&self, location: CXSourceLocation, expansion: bool) -> Option<Position> {
        let (mut file, mut offset) = (ptr::null_mut(), 0);
        let functions = &self.clang.functions;
        let locate = if expansion {
            functions.location_expansion
        } else {
            functions.location_file
        };
        // SAFETY: the outputs are live; line and column, which take a search, need not be asked for.
        unsafe { locate(location, &mut file, ptr::null_mut(), ptr::null_mut(), &mut offset) };
        (!file.is_null()).then_some(Position {
            file: FileKey(file as usize),
            offset,
        })
    }

    pub fn file_name(&self, file: FileKey) -> String {
        // SAFETY: keys are made from this library's files only.
        self.clang
            .text(unsafe { (self.clang.functions.file_name)(file.0 as CXFile) })
    }

    /// The files that were read, headers too.
    pub fn files(&self) -> Vec<FileKey> {
        let mut files: Vec<CXFile> = Vec::new();
        // SAFETY: the visitor gets the list, which nothing else uses meanwhile.
        unsafe { (self.clang.functions.inclusions)(self.unit, collect_file, (&raw mut files).cast()) };
        files.into_iter().map(|file| FileKey(file as usize)).collect()
    }

    pub fn file_contents(&self, file: FileKey) -> &[u8] {
        let mut length = 0;
        // SAFETY: the buffer lives as long as the unit.
        unsafe {
            let text = (self.clang.functions.file_contents)(self.unit, file.0 as CXFile, &mut length);
            if text.is_null() {
                &[]
            } else {
                std::slice::from_raw_parts(text.cast(), length)
            }
        }
    }

    pub fn root(&self) -> Cursor<'_> {
        // SAFETY: the unit is live.
        self.cursor(unsafe { (self.clang.functions.unit_cursor)(self.unit) })
    }

    fn cursor(&self, raw: CXCursor) -> Cursor<'_> {
        Cursor::new(self, raw)
    }

    fn some_cursor(&self, raw: CXCursor) -> Option<Cursor<'_>> {
        (!INVALID.contains(&raw.kind)).then(|| self.cursor(raw))
    }

    fn some_type(&self, raw: CXType) -> Option<Type<'_>> {
        (raw.kind != CXType_Invalid).then(|| Type::new(self, raw))
    }
}
