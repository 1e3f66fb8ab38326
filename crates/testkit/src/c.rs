//! From C text to a program.

use lariat_base::{Diagnostics, SourceMap, threads};
use lariat_c_program::{CProgram, Machine};
use lariat_c_reader::ReadOptions;
use lariat_options::COptions;

use crate::boogie::render;
use crate::folder::Folder;

/// The program of a text that must be right, without models of the library.
#[track_caller]
pub fn program(text: &str, machine: Machine) -> CProgram {
    program_and_sources(text, machine).0
}

/// The same with its text, for places in it.
#[track_caller]
pub fn program_and_sources(text: &str, machine: Machine) -> (CProgram, SourceMap) {
    let folder = Folder::new("c");
    let path = folder.write("program.c", text);
    let options = ReadOptions::from(COptions {
        machine,
        ..COptions::default()
    });
    read_with_sources(|sources, diagnostics| lariat_c_reader::read(&[&path], &options, sources, diagnostics))
}

/// The program that `read` gives, on a stack as large as the command's.
#[track_caller]
pub fn read_by(read: impl FnOnce(&mut SourceMap, &mut Diagnostics) -> Option<CProgram> + Send) -> CProgram {
    read_with_sources(read).0
}

#[track_caller]
fn read_with_sources(
    read: impl FnOnce(&mut SourceMap, &mut Diagnostics) -> Option<CProgram> + Send,
) -> (CProgram, SourceMap) {
    let work = || {
        let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
        match read(&mut sources, &mut diagnostics) {
            Some(program) => Ok((program, sources)),
            None => Err(render(&diagnostics, &sources)),
        }
    };
    let program = std::thread::scope(|scope| {
        let thread = threads::spawn_with_big_stack(scope, "reader", work).expect("a thread");
        thread.join().expect("the reader does not panic")
    });
    program.unwrap_or_else(|messages| panic!("{messages}"))
}
