//! Asks the questions of a project: `ask PROJECT SECONDS [predicates|both] [none|greedy|optimal] [SPECIFICATION]…`.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::path::PathBuf;

use lariat_report::{ConformLevels, ConformMinimise, ConformRequest};

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
    let mut request = ConformRequest {
        project: PathBuf::from(&arguments[0]),
        time_limit: Some(arguments[1].parse().expect("seconds")),
        ..ConformRequest::default()
    };
    for argument in &arguments[2..] {
        match argument.as_str() {
            "predicates" => request.levels = Some(ConformLevels::Predicates),
            "both" => request.levels = Some(ConformLevels::Both),
            "none" => request.minimise = Some(ConformMinimise::None),
            "greedy" => request.minimise = Some(ConformMinimise::Greedy),
            "optimal" => request.minimise = Some(ConformMinimise::Optimal),
            name => request.only.push(name.to_owned()),
        }
    }
    let started = std::time::Instant::now();
    let mut progress = |iteration| {
        if std::env::var_os("CONFORM_PROGRESS").is_some() {
            eprintln!("{:.1} {iteration:?}", started.elapsed().as_secs_f64());
        }
    };
    let report = lariat_conform::run::run(&request, &mut progress);
    for diagnostic in &report.diagnostics {
        println!("{}", diagnostic.rendered);
    }
    for part in &report.specifications {
        println!(
            "{} {:?} {:?} {:?}",
            part.specification,
            part.verdict,
            part.meets_expectation(),
            part.stats
        );
        if let Some(violation) = &part.violation {
            let steps: Vec<&str> = violation.steps.iter().map(|step| step.action.as_str()).collect();
            println!("  {} (allowed: {})", steps.join(" "), violation.allowed.join(" "));
            if std::env::var_os("CONFORM_TRACE").is_some() {
                for run in &violation.runs {
                    println!("  {}", run.component);
                    for line in &run.trace {
                        println!("    {line:?}");
                    }
                }
            }
        }
    }
    println!("{:.2} s in all", report.seconds);
}
