//! Completions and manual pages, generated from the definition of the arguments.

use std::io::{self, Write};
use std::path::Path;

use clap::CommandFactory;

use crate::arguments::Arguments;
use crate::exit::ExitCode;
use crate::say;

pub fn completions(shell: clap_complete::Shell) -> ExitCode {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "lariat", &mut script);
    finish(
        io::stdout()
            .write_all(&script)
            .and_then(|()| io::stdout().flush()),
    )
}

/// The manual page of `lariat` on standard output, or those of all commands in a folder.
pub fn man_pages(folder: Option<&Path>) -> ExitCode {
    let mut command = Arguments::command();
    // Fills in the names and versions of the subcommands.
    command.build();
    let written = match folder {
        Some(folder) => {
            std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(command, folder))
        }
        None => clap_mangen::Man::new(command).render(&mut io::stdout()),
    };
    finish(written)
}

fn finish(written: io::Result<()>) -> ExitCode {
    match say::written(written) {
        Ok(()) => ExitCode::Success,
        Err(message) => say::usage_error(&message),
    }
}
