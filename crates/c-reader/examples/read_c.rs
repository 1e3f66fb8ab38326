//! `cargo run -p lariat-c-reader --example read_c -- [--ilp32] [--quiet] FILE…`: prints the program that was read, or
//! (`--quiet`) the time, what is unsupported in it and what is wrong with it.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it is a command")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use lariat_base::{Diagnostics, SourceMap, threads};
use lariat_c_program::{CProgram, ExprKind, Machine, Node, StmtKind, visit_stmt};
use lariat_c_reader::{ReadOptions, read};

fn main() {
    let mut options = ReadOptions::default();
    let mut quiet = false;
    let mut files: Vec<PathBuf> = Vec::new();
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--ilp32" => options.c.machine = Machine::Ilp32,
            "--quiet" => quiet = true,
            _ if argument.starts_with("-D") => options.c.macros.push(argument),
            _ => files.push(argument.into()),
        }
    }
    std::thread::scope(|scope| {
        let work = || {
            let start = Instant::now();
            let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
            let paths: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
            let program = read(&paths, &options, &mut sources, &mut diagnostics);
            for diagnostic in diagnostics.iter() {
                eprintln!("{}", diagnostic.render(&sources, false));
            }
            match program {
                Some(program) if quiet => report(&program, start.elapsed().as_secs_f64()),
                Some(program) => print!("{}", lariat_c_program::print_program(&program)),
                None => println!("failed"),
            }
        };
        let thread = threads::spawn_with_big_stack(scope, "reader", work);
        thread.expect("a thread").join().expect("no panic");
    });
}

fn report(program: &CProgram, seconds: f64) {
    for problem in lariat_c_program::check_program(program) {
        println!("wrong: {problem}");
    }
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for function in program.functions.values() {
        if let Some(body) = &function.body {
            visit_stmt(body, &mut |node| {
                let reason = match node {
                    Node::Expr(expr) => match &expr.kind {
                        ExprKind::Unsupported(reason) => Some(reason),
                        _ => None,
                    },
                    Node::Stmt(stmt) => match &stmt.kind {
                        StmtKind::Unsupported(reason) => Some(reason),
                        _ => None,
                    },
                    Node::Place(_) => None,
                };
                if let Some(reason) = reason {
                    *reasons.entry(reason).or_default() += 1;
                }
            });
        }
    }
    println!(
        "read: {} functions, {} globals, {} nodes, {seconds:.3} s, unsupported {reasons:?}",
        program.functions.len(),
        program.globals.len(),
        program.node_count()
    );
}
