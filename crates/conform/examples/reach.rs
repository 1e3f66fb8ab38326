//! Measures the reachability form: `reach FILE SECONDS [predicates|both] [none|greedy|optimal]`.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::path::PathBuf;
use std::time::{Duration, Instant};

use lariat_base::{Budget, Diagnostics, SourceMap};
use lariat_c_program::Machine;
use lariat_c_reader::ReadOptions;
use lariat_conform::cegar::{Cegar, Levels, Options, Verdict};
use lariat_conform::component::{Component, Limits, OwnActions};
use lariat_conform::front_end::{COptions, ComponentInput, Errors, read_component};
use lariat_conform::minimise::Minimise;
use lariat_lts::{ActionTable, LtsBuilder, StateKind};

fn main() {
    std::thread::scope(|scope| {
        std::thread::Builder::new()
            .stack_size(1 << 30)
            .spawn_scoped(scope, work)
            .expect("a thread");
    });
}

fn work() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let started = Instant::now();
    let seconds: u64 = arguments[1].parse().expect("seconds");
    let budget = Budget::new(Some(Duration::from_secs(seconds)), None);
    let mut options = Options::default();
    for argument in &arguments[2..] {
        match argument.as_str() {
            "predicates" => options.levels = Levels::Predicates,
            "both" => options.levels = Levels::Both,
            "none" => options.minimise.mode = Minimise::None,
            "greedy" => options.minimise.mode = Minimise::Greedy,
            _ => options.minimise.mode = Minimise::Optimal,
        }
    }
    let mut actions = ActionTable::new();
    let mut builder = LtsBuilder::new();
    let only = builder.state(StateKind::Ordinary);
    let mut specification = builder.finish(only);
    let input = ComponentInput {
        name: "main".to_owned(),
        files: vec![PathBuf::from(&arguments[0])],
        procedure: "main".to_owned(),
        guard: None,
    };
    let c = COptions {
        read: ReadOptions {
            machine: Machine::Lp64,
            include: Vec::new(),
            macros: Vec::new(),
            standard: None,
            compile_commands: None,
            models: lariat_c_models::models(),
        },
        integers: None,
        errors: Errors::All,
        error_functions: vec!["__VERIFIER_error".to_owned(), "reach_error".to_owned()],
    };
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    let read = read_component(&input, &[], &c, &actions, &mut sources, &mut diagnostics);
    for diagnostic in diagnostics.iter() {
        eprintln!("{}", diagnostic.render(&sources, false));
    }
    let cfa = read.expect("a component").cfa;
    let own = OwnActions::new(&mut actions, specification.alphabet(), None);
    specification = specification.with_alphabet(&own.forbidden().into_iter().collect());
    println!(
        "locations {} read {:.2}",
        cfa.locations.len(),
        started.elapsed().as_secs_f64()
    );
    if std::env::var_os("CONFORM_CFA").is_some() {
        for (id, location) in cfa.locations.iter() {
            let edges: Vec<String> = cfa
                .edges_of(id)
                .map(|(_, edge)| {
                    let assigned: Vec<String> = edge
                        .transformer
                        .assignments
                        .iter()
                        .map(|&(var, term)| {
                            format!("{} := {}", cfa.pool.var_name(var), cfa.pool.term_text(term))
                        })
                        .collect();
                    format!(
                        "\n    -> {} if {} do {}",
                        edge.target,
                        cfa.pool.term_text(edge.transformer.assumption),
                        assigned.join("; ")
                    )
                })
                .collect();
            println!(
                "{id} {:?}{}",
                std::mem::discriminant(&location.label),
                edges.concat()
            );
        }
    }
    let mut components =
        vec![Component::new("main", cfa, own, Limits::default(), &budget).expect("a solver")];
    let mut progress = |iteration| {
        if std::env::var_os("CONFORM_PROGRESS").is_some() {
            eprintln!("{:.1} {iteration:?}", started.elapsed().as_secs_f64());
        }
    };
    let (verdict, statistics) = Cegar::new(&mut components, &specification, &options, &budget, &mut progress)
        .expect("an abstraction")
        .run();
    let word = match &verdict {
        Verdict::Conforms => "safe".to_owned(),
        Verdict::Violates(violation) => format!("bug ({} steps)", violation.runs[0].path.actions.len()),
        Verdict::Unknown(reason) => format!("unknown ({reason})"),
    };
    println!("{word} {:.2} s {statistics:?}", started.elapsed().as_secs_f64());
}
