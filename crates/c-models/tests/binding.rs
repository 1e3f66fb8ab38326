//! Calls are bound to models: programs are read by the reader, and what comes out is looked at as text.

use std::path::Path;

use lariat_base::{Diagnostics, SourceMap, threads};
use lariat_c_models::{ModelReport, instantiate, models, needs};
use lariat_c_program::{CProgram, Machine, print_program};
use lariat_c_reader::{ReadOptions, read_with_models};

fn bound(text: &str, machine: Machine) -> (CProgram, ModelReport) {
    let path = std::env::temp_dir().join(format!("x-{}.c", std::process::id()));
    std::fs::write(&path, text).unwrap();
    let mut out = None;
    std::thread::scope(|scope| {
        let work = || {
            let options = ReadOptions {
                machine,
                models: models(),
                ..ReadOptions::default()
            };
            let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
            let program = read_with_models(
                &[Path::new(&path)],
                &options,
                needs,
                &mut sources,
                &mut diagnostics,
            );
            for diagnostic in diagnostics.iter() {
                eprintln!("{}", diagnostic.render(&sources, false));
            }
            let mut program = program.unwrap();
            let report = instantiate(&mut program);
            out = Some((program, report));
        };
        threads::spawn_with_big_stack(scope, "reader", work)
            .unwrap()
            .join()
            .unwrap();
    });
    out.unwrap()
}

#[test]
fn show() {
    let text = std::fs::read_to_string("/tmp/t.c").unwrap();
    let (program, report) = bound(&text, Machine::Lp64);
    println!("{}", print_program(&program));
    println!("{report:?}");
}
