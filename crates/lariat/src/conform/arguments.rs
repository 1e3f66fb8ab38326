//! The flags of `lariat conform`. A flag overrides the project file.

use std::path::{Path, PathBuf};

use clap::Args;
use lariat_options::{CArguments, COptions, CheckSelector, Levels, Minimise};
use lariat_report::{ConformReach, ConformRequest};

use crate::command::{LimitArguments, OutputArguments};
use crate::inputs::InputArguments;

#[derive(Args, Debug)]
pub struct ConformArguments {
    /// A project file (`.conform`), or the files of one C program to check for errors that it can reach
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub input: InputArguments,

    /// Check only this specification of the project; may be repeated
    #[arg(long, value_name = "NAME")]
    pub specification: Vec<String>,

    /// Also check whether the components can get stuck
    #[arg(long)]
    pub deadlock_free: bool,

    /// Write the specification, the processes of routines and the final models of the components to this folder, as AUT, DOT
    /// and, if small enough, SVG
    #[arg(long, value_name = "DIR")]
    pub export: Option<PathBuf>,

    /// Which abstractions to use [default: that of the project, else both]
    #[arg(long, value_enum, value_name = "LEVELS", help_heading = "Search")]
    pub levels: Option<Levels>,

    /// How to keep the number of predicates small [default: that of the project, else none]
    #[arg(long, value_enum, value_name = "HOW", help_heading = "Search")]
    pub minimise: Option<Minimise>,

    /// Try at most this many sets of branches for one counterexample (MAXSUB)
    #[arg(long, value_name = "N", value_parser = positive, help_heading = "Search")]
    pub max_subsets: Option<usize>,

    /// Keep at most this many sets that eliminate one counterexample (MAXELM)
    #[arg(long, value_name = "N", value_parser = positive, help_heading = "Search")]
    pub max_eliminating: Option<usize>,

    #[command(flatten)]
    pub limits: LimitArguments,

    #[command(flatten)]
    pub output: OutputArguments,

    #[command(flatten)]
    pub c: ReachArguments,
}

/// How to read C, and what to check in a C program without a project.
#[derive(Args, Debug)]
#[command(next_help_heading = "Options for C")]
pub struct ReachArguments {
    /// Only reaching this label is an error [default: what `--check` selects]
    #[arg(long, value_name = "LABEL", conflicts_with_all = ["check", "error_function"])]
    pub error_label: Option<String>,

    /// Start from this function
    #[arg(long, value_name = "NAME", default_value = "main")]
    pub procedure: String,

    #[command(flatten)]
    pub read: CArguments,
}

impl ConformArguments {
    /// The request; an error is one of usage.
    pub fn request(&self) -> Result<ConformRequest, String> {
        let is_project = |file: &Path| file.extension().is_some_and(|extension| extension == "conform");
        let mut request = ConformRequest {
            levels: self.levels,
            minimise: self.minimise,
            only: self.specification.clone(),
            deadlock_free: self.deadlock_free,
            max_subsets: self.max_subsets,
            max_eliminating: self.max_eliminating,
            c: self.c.read.options(),
            models: self.output.has_page(),
            export: self.export.clone(),
            color: self.output.color(),
            ..ConformRequest::default()
        };
        match self.files.as_slice() {
            [project] if is_project(project) => {
                self.refuse_for_project()?;
                request.project.clone_from(project);
            }
            files if files.iter().all(|file| COptions::is_c_file(file)) => {
                self.refuse_for_c()?;
                request.reach = Some(ConformReach {
                    files: files.to_vec(),
                    procedure: self.c.procedure.clone(),
                    label: self.c.error_label.clone(),
                });
            }
            files if files.iter().any(|file| is_project(file)) => {
                return Err(
                    "one project file (`.conform`) at a time, without other files: it names the C files"
                        .into(),
                );
            }
            files => {
                let names: Vec<String> = files.iter().map(|file| format!("`{}`", file.display())).collect();
                return Err(format!(
                    "{} is neither a project file (`.conform`) nor C (`.c`, `.i`)",
                    names.join(" ")
                ));
            }
        }
        Ok(request)
    }

    fn refuse_for_project(&self) -> Result<(), String> {
        let c = &self.c;
        for (given, flag, instead) in [
            (
                c.error_label.is_some(),
                "--error-label",
                "it is for a C file without a project",
            ),
            (
                c.procedure != "main",
                "--procedure",
                "write `procedure` in [[component]]",
            ),
            (
                !c.read.check.is_empty(),
                "--check",
                "it is for a C file without a project",
            ),
            (!c.read.include.is_empty(), "-I", "write `include` in [options]"),
            (!c.read.define.is_empty(), "-D", "write `macros` in [options]"),
            (!c.read.undefine.is_empty(), "-U", "write `macros` in [options]"),
        ] {
            if given {
                return Err(format!("`{flag}` does not go with a project file: {instead}"));
            }
        }
        Ok(())
    }

    fn refuse_for_c(&self) -> Result<(), String> {
        for (given, flag) in [
            (!self.specification.is_empty(), "--specification"),
            (self.deadlock_free, "--deadlock-free"),
        ] {
            if given {
                return Err(format!("`{flag}` is for project files (`.conform`)"));
            }
        }
        let other = CheckSelector::selected(&self.c.read.check)
            .into_iter()
            .find(|check| !ConformRequest::CHECKS.contains(check));
        if let Some(check) = other {
            return Err(format!(
                "`conform` checks `reach`, `assert` and `abort`; for `{}` use `lariat verify`",
                check.name()
            ));
        }
        Ok(())
    }
}

fn positive(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err(format!("`{text}` is not a positive number")),
    }
}
