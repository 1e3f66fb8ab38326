//! The executions of a report as tests: C programs and a suite of Test-Comp, and what gcov counts when they run.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use lariat_c_evidence::harness::{Coverage, HarnessTask, RunAs, harness_source, measure, real_path};
use lariat_c_evidence::testcomp::{self, Metadata, Specification};
use lariat_report::{
    CoverAim, CoverGoal, CoverGoalKind, CoverMeasure, CoverReport, CoverRequest, CoverStatus, Location,
};

/// Writes `test-N.c` for each execution that is needed, and the suite beside them. An error is about a file.
pub fn write(
    report: &mut CoverReport,
    request: &CoverRequest,
    folder: &Path,
    is_measured: bool,
) -> Result<(), String> {
    let problem = |path: &Path, error: &std::io::Error| format!("cannot write {}: {error}", path.display());
    let suite = folder.join("test-suite");
    std::fs::create_dir_all(&suite).map_err(|error| problem(&suite, &error))?;
    let mut coverage = Coverage::new();
    let mut measured = CoverMeasure::default();
    let mut is_other_machine = false;
    let externals = report.externals.clone();
    let needed = report.executions.iter_mut().filter(|execution| execution.needed);
    for (number, execution) in (1..).zip(needed) {
        let path = folder.join(format!("test-{number}.c"));
        let failure = &execution.end;
        let files = &request.program.files;
        let task = HarnessTask::read(files, &execution.entry, failure, &externals, &request.program.c);
        let task = task.map_err(|error| format!("cannot read the program again: {error}"))?;
        let task = task.as_test();
        if is_measured {
            match measure(&task, &path, &mut coverage).map_err(|error| problem(&path, &error))? {
                Ok(run_as) => {
                    measured.tests += 1;
                    is_other_machine |= run_as == RunAs::Bits64;
                }
                Err(complaint) => measured.failed.push(format!("{}: {complaint}", path.display())),
            }
        } else {
            std::fs::write(&path, harness_source(&task)).map_err(|error| problem(&path, &error))?;
        }
        // A suite has one entry, and only functions can tell values.
        if execution.entry == "main" && testcomp::tells_all(&failure.inputs) {
            let case = suite.join(format!("testcase-{number}.xml"));
            std::fs::write(&case, testcomp::test_case(&failure.inputs))
                .map_err(|error| problem(&case, &error))?;
        }
        execution.test = Some(path.display().to_string());
    }
    write_metadata(request, &suite)?;
    if is_measured {
        compare(report, &coverage, &mut measured);
        let differs = !measured.missed.is_empty() || !measured.contradicted.is_empty();
        if is_other_machine && differs {
            let remark = "the compiler has no 32-bit libraries (install gcc-multilib): tests of this 32-bit program ran as 64-bit ones";
            measured.failed.push(remark.to_owned());
        }
        let own: Vec<PathBuf> = report.files.iter().map(|file| real_path(file.as_ref())).collect();
        if measured.tests > 0 && !coverage.keys().any(|(file, _)| own.contains(file)) {
            let remark = "no claim was compared: gcov names other files than the program's, as after #line";
            measured.failed.push(remark.to_owned());
        }
        report.measured = Some(measured);
    }
    Ok(())
}

fn write_metadata(request: &CoverRequest, suite: &Path) -> Result<(), String> {
    let Some(program) = request.program.files.first() else {
        return Ok(());
    };
    let content =
        std::fs::read(program).map_err(|error| format!("cannot read {}: {error}", program.display()))?;
    let text = testcomp::metadata(&Metadata {
        specification: match request.aim {
            CoverAim::Error => Specification::ErrorCall,
            _ => Specification::Branches,
        },
        program,
        content: &content,
        entry: "main",
        machine: request.program.c.machine,
        version: env!("CARGO_PKG_VERSION"),
        time: SystemTime::now(),
    });
    let path = suite.join("metadata.xml");
    std::fs::write(&path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// Compares claims with counts, line by line: where the compiler has as many branches as there are goals, it must have
/// taken at least those that are reached, and none that are dead; elsewhere a line with a reached goal must have been executed.
fn compare(report: &CoverReport, coverage: &Coverage, measured: &mut CoverMeasure) {
    let own: Vec<PathBuf> = report.files.iter().map(|file| real_path(file.as_ref())).collect();
    for ((file, _), line) in coverage {
        if own.contains(file) {
            measured.branches += line.branches.len();
            measured.taken += line.branches.iter().filter(|&&count| count > 0).count();
        }
    }
    let mut lines: BTreeMap<(PathBuf, u32), Vec<(&CoverGoal, &Location)>> = BTreeMap::new();
    let goals = report.goals().filter(|goal| goal.kind == CoverGoalKind::Branch);
    for goal in goals {
        if let Some(location) = &goal.location {
            let place = (real_path(location.file.as_ref()), location.line);
            lines.entry(place).or_default().push((goal, location));
        }
    }
    for (place, goals) in &lines {
        let of =
            |wanted: fn(&CoverStatus) -> bool| goals.iter().filter(|(goal, _)| wanted(&goal.status)).count();
        let reached = of(|status| matches!(status, CoverStatus::Reached { .. }));
        let dead = of(|status| matches!(status, CoverStatus::Dead { .. }));
        // Code that was not compiled, such as that of another file's macro.
        let Some(line) = coverage.get(place) else {
            continue;
        };
        let taken = line.branches.iter().filter(|&&count| count > 0).count();
        let location = goals[0].1;
        let is_comparable = line.branches.len() == goals.len();
        measured.compared += reached;
        let is_missed = match is_comparable {
            true => taken < reached,
            false => reached > 0 && line.count == 0,
        };
        if is_missed {
            measured.missed.push(location.clone());
        }
        if is_comparable && taken + dead > goals.len() {
            measured.contradicted.push(location.clone());
        }
    }
}
