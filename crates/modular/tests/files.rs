//! Boogie programs with the flags and the lines that are expected of them in their first comments:
//!
//! ```text
//! // flags: -inline:spec
//! // (12,3): Error: this assertion could not be proved
//! // finished with 2 verified, 1 error
//! ```

use std::fs;
use std::path::Path;

use lariat_base::Budget;
use lariat_report::{BoogieReplay, BoogieReport, BoogieRequest};

fn verify(arguments: &[&str], path: &Path) -> BoogieReport {
    let mut arguments: Vec<String> = arguments.iter().map(|&argument| argument.to_owned()).collect();
    arguments.push(path.display().to_string());
    let request = BoogieRequest {
        arguments,
        ..BoogieRequest::default()
    };
    lariat_modular::verify(&request, &Budget::unlimited(), &mut |_| {})
}

/// The lines of the head: flags and what is expected.
fn head(text: &str) -> (Vec<&str>, Vec<&str>) {
    let mut flags = Vec::new();
    let mut expected = Vec::new();
    for line in text.lines().map_while(|line| line.strip_prefix("// ")) {
        match line.strip_prefix("flags:") {
            Some(given) => flags.extend(given.split_whitespace()),
            None => expected.push(line),
        }
    }
    (flags, expected)
}

/// Lines without the path of the file and without what the head leaves out.
fn shown(report: &BoogieReport, path: &Path) -> Vec<String> {
    let path = path.display().to_string();
    let lines = report.lines.iter().filter(|line| !line.is_empty());
    let lines = lines.filter(|line| !is_trace(line));
    lines
        .map(|line| line.replace(&path, "").replace("Boogie program verifier ", ""))
        .collect()
}

/// Blocks of executions are checked by a test of their own.
fn is_trace(line: &str) -> bool {
    line == "Execution trace:"
        || line == "    replayed: a real bug"
        || line.starts_with("    ") && line.contains("): ") && !line.contains(": Error")
}

#[test]
fn every_file_gives_the_lines_of_its_head() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    let mut names: Vec<_> = fs::read_dir(&folder)
        .expect("the folder of programs")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    names.sort();
    assert!(names.len() >= 12, "programs are missing");
    let mut wrong = Vec::new();
    for path in names {
        let text = fs::read_to_string(&path).expect("a program");
        let (flags, expected) = head(&text);
        assert!(!expected.is_empty(), "{}: nothing is expected", path.display());
        let found = shown(&verify(&flags, &path), &path);
        if found != expected {
            wrong.push(format!(
                "{}:\n{}\ninstead of\n{}",
                path.display(),
                found.join("\n"),
                expected.join("\n")
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn the_number_of_workers_changes_nothing() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files/contracts.bpl");
    let alone = verify(&["-vcsCores:1"], &path);
    let together = verify(&["-vcsCores:3"], &path);
    assert_eq!(alone.lines, together.lines);
    assert_eq!(alone.procedures, together.procedures);
}

#[test]
fn an_unknown_flag_is_refused() {
    let report = verify(&["-noSuchFlag"], Path::new("a.bpl"));
    assert!(report.bad_arguments);
    assert!(
        report.lines[0].starts_with("*** Error: '-noSuchFlag'"),
        "{:?}",
        report.lines
    );
}

#[test]
fn a_proof_is_kept_until_something_changes() {
    let folder = std::env::temp_dir().join(format!("lariat-modular-cache-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("a.bpl");
    let run = |text: &str, check: bool| {
        fs::write(&file, text).expect("written");
        let request = BoogieRequest {
            arguments: vec![file.display().to_string()],
            jobs: Some(1),
            cache: Some(lariat_report::BoogieCache {
                folder: folder.join("cache"),
                check,
            }),
        };
        let report = lariat_modular::verify(&request, &Budget::unlimited(), &mut |_| {});
        let cached: Vec<bool> = report
            .procedures
            .iter()
            .map(|procedure| procedure.cached)
            .collect();
        (report.counts.verified, report.counts.errors, cached)
    };
    let callee = "procedure Q(x: int) returns (y: int); ensures y > x;\n";
    let caller = "procedure P(x: int) { var y: int; call y := Q(x); assert y >= x; }\n";
    let program = format!("{callee}{caller}");
    assert_eq!(run(&program, false), (1, 0, vec![false]));
    assert_eq!(run(&program, false), (1, 0, vec![true]));
    // A text that only moved is the same, and `check` proves again.
    assert_eq!(run(&format!("\n\n{program}"), false), (1, 0, vec![true]));
    assert_eq!(run(&program, true), (1, 0, vec![false]));
    // So is a text after one that is new.
    let other = "procedure R(z: int) returns (w: int) { w := z; assert w == z; }\n";
    assert_eq!(
        run(&format!("{other}{program}"), false),
        (2, 0, vec![false, true])
    );
    // The contract of a callee has changed.
    let weaker = program.replace("y > x;", "y > x - 2;");
    assert_eq!(run(&weaker, false), (0, 1, vec![false]));
    let _ = fs::remove_dir_all(&folder);
}

#[test]
fn the_limit_of_errors_is_kept() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files/errors.bpl");
    assert_eq!(verify(&["-proc:Many", "-errorLimit:1"], &path).counts.errors, 1);
    assert_eq!(verify(&["-proc:Many", "-errorLimit:0"], &path).counts.errors, 2);
}

#[test]
fn an_error_has_its_execution_and_the_values_that_the_program_prints() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files/trace.bpl");
    let name = path.display().to_string();
    let lines = |flags: &[&str]| -> Vec<String> {
        let report = verify(flags, &path);
        report.lines.iter().map(|line| line.replace(&name, "")).collect()
    };
    let expected = [
        "(9,5): Error: this assertion could not be proved",
        "Execution trace:",
        "    (6,3): anon0",
        "    (8,5): anon1",
        "Augmented execution trace:",
        "the value is 7",
        "    replayed: a real bug",
        "",
        "Boogie program verifier finished with 0 verified, 1 error",
    ];
    assert_eq!(lines(&["-enhancedErrorMessages:1"]), expected);
    // Values are shown on demand, and the execution can be left out.
    let without_values: Vec<&str> = expected
        .iter()
        .copied()
        .filter(|line| !line.contains("value") && !line.contains("Augmented"))
        .collect();
    assert_eq!(lines(&[]), without_values);
    assert_eq!(lines(&["-errorTrace:0"]), [expected[0], expected[7], expected[8]]);
}

#[test]
fn a_solver_is_shared_by_many_bodies_and_gives_the_same_answers() {
    let folder = std::env::temp_dir().join(format!("lariat-modular-shared-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("many.bpl");
    let mut text = String::from("function f(int): int;\naxiom (forall x: int :: {f(x)} f(x) > x);\n");
    for index in 0..80 {
        // Every tenth body is wrong.
        let most = if index % 10 == 3 { 1 } else { 0 };
        text.push_str(&format!(
            "procedure P{index}(x: int) returns (y: int) ensures y > x + {most}; {{ y := f(x); }}\n"
        ));
    }
    fs::write(&file, &text).expect("written");
    let alone = verify(&["-vcsCores:1"], &file);
    assert_eq!((alone.counts.verified, alone.counts.errors), (72, 8));
    for procedure in &alone.procedures {
        let number: usize = procedure.name[1..].parse().expect("a number");
        assert_eq!(
            procedure.failures.len(),
            usize::from(number % 10 == 3),
            "{}",
            procedure.name
        );
    }
    assert_eq!(alone.lines, verify(&["-vcsCores:2"], &file).lines);
    // Options of the user go to a solver for each body.
    let alone_each = verify(&["-proverOpt:O:smt.relevancy=2"], &file);
    assert_eq!(alone_each.counts, alone.counts);
    let _ = fs::remove_dir_all(&folder);
}

#[test]
fn parts_are_asked_about_one_by_one_and_change_no_answer() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files/split.bpl");
    let together = verify(&["-errorTrace:0"], &path);
    let apart = verify(&["-errorTrace:0", "-vcsSplitOnEveryAssert"], &path);
    assert_eq!(together.lines, apart.lines);
}

#[test]
fn only_an_execution_that_fails_is_a_real_bug() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files/replay.bpl");
    let report = verify(&[], &path);
    // A comment before each procedure says what is expected of its failures.
    let text = fs::read_to_string(&path).expect("a program");
    let mut expected = None;
    let mut seen = 0;
    for line in text.lines() {
        match line.split_once(':').map_or("", |(word, _)| word) {
            "// Real" => expected = Some(true),
            "// Open" => expected = Some(false),
            _ => {}
        }
        let Some(name) = line
            .strip_prefix("procedure ")
            .and_then(|rest| rest.split('(').next())
        else {
            continue;
        };
        let procedure = report.procedures.iter().find(|procedure| procedure.name == name);
        for failure in procedure.iter().flat_map(|procedure| &procedure.failures) {
            seen += 1;
            let is_real = failure.replay == BoogieReplay::Fails;
            assert_eq!(Some(is_real), expected, "{name}: {:?}", failure.replay);
        }
    }
    assert_eq!(seen, report.counts.errors);
    // The line stands at the end of the execution.
    let real = report
        .lines
        .iter()
        .filter(|line| line.as_str() == "    replayed: a real bug");
    assert_eq!(real.count(), 8);
    assert!(
        !verify(&["-errorTrace:0"], &path)
            .lines
            .iter()
            .any(|line| line.contains("replayed"))
    );
}

#[test]
fn each_file_knows_its_number() {
    let folder = std::env::temp_dir().join(format!("lariat-modular-numbers-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("part.bpl");
    // Read once it lacks `y`; read twice it has everything.
    let text = "#if FILE_0\nconst x: int;\n#else\nconst y: int;\n#endif\n\
                #if !FILE_1\naxiom y == 7;\n#else\naxiom x == 12;\n#endif\n";
    fs::write(&file, text).expect("written");
    let name = file.display().to_string();
    let alone = verify(&[], &file);
    assert_eq!(alone.errors.len(), 1, "{:?}", alone.lines);
    assert_eq!(
        alone.lines[1],
        format!("1 name resolution errors detected in {name}")
    );
    let twice = verify(&[&name], &file);
    assert!(twice.errors.is_empty(), "{:?}", twice.lines);
    let _ = fs::remove_dir_all(&folder);
}

#[test]
fn what_is_not_modelled_is_no_real_bug() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files/unmodelled.bpl");
    let report = verify(&[], &path);
    assert_eq!(report.counts.errors, 1);
    let replay = &report.procedures[0].failures[0].replay;
    let BoogieReplay::Open { reason } = replay else {
        panic!("{replay:?}");
    };
    assert!(reason.ends_with("is not modelled"), "{reason}");
}
