use std::path::Path;

use lariat_report::{AngelicReport, SpecificationStatus};

use super::super::{Options, render};
use crate::examples::{self, place};

const OPTIONS: Options = Options {
    quiet: false,
    verbose: false,
    width: 100,
    cut: false,
};

fn shown(report: &AngelicReport, options: &Options) -> String {
    let specs = Some(Path::new("src/fig1.specs.toml"));
    let text = render(&crate::angelic::view(report, specs), options);
    anstream::adapter::strip_str(&text).to_string()
}

#[test]
fn a_report_reads_well() {
    assert_eq!(
        shown(&examples::angelic(), &OPTIONS),
        "\
warning[inconsistent]: src/fig1.c:7:3: null pointer can be dereferenced in Bar
  why: `x` is compared with NULL before
  refused: x != NULL: the check of `x` would be in vain (fig1.c:5)

  fig1.c:2  Bar(x)   x = NULL
  fig1.c:7  ✗ *x = 5;

  also from Foo: fig1.c:15 → fig1.c:16 → fig1.c:7

assumed of the environment:
  FooBar requires Lib2() != NULL   (suppresses: `x->len`, fig1.c:30)
  FooBar requires Lib1() != NULL [accepted]   (suppresses: `x->len`, fig1.c:30)

unnecessary: FooBar requires m != NULL: nothing needs it any more
rejected: FooBar requires n != NULL
not used: FooBar requires y != NULL: there is no `y`
incomplete: Slow (fig1.c:1): time limit of the entry reached
accept, reject or edit specifications in src/fig1.specs.toml
1 warning, 3 specifications assumed, 3 entries (1 unchanged, 1 incomplete), 512 dereferences of which 430 \
proved by the cheap analysis, 3.2 s
"
    );
}

#[test]
fn verbose_shows_all_traces_and_formal_texts() {
    let options = Options {
        verbose: true,
        ..OPTIONS
    };
    let text = shown(&examples::angelic(), &options);
    assert!(text.contains("  also from Foo:\n\n  fig1.c:15  Foo(z)"), "{text}");
    assert!(
        text.contains("forall x_2: int :: unknown_1(x_2) ==> Lib2() != NULL"),
        "{text}"
    );
    assert!(text.contains("solver calls"), "{text}");
}

#[test]
fn quiet_shows_what_must_be_known() {
    let options = Options {
        quiet: true,
        ..OPTIONS
    };
    let text = shown(&examples::angelic(), &options);
    assert_eq!(text.lines().count(), 3, "{text}");
    assert!(text.contains("incomplete: Slow"), "{text}");
}

#[test]
fn a_warning_shows_its_source() {
    let path = std::env::temp_dir().join(format!("lariat-show-{}.c", std::process::id()));
    let lines: Vec<String> = (1..=8).map(|line| format!("  line_{line} of it;")).collect();
    std::fs::write(&path, lines.join("\n")).expect("written");
    let mut report = examples::angelic();
    let there = |line| {
        place(line).map(|place| lariat_report::Location {
            file: path.display().to_string(),
            ..place
        })
    };
    let warning = &mut report.warnings[0];
    warning.traces[0].failure.location = there(7);
    warning.refused.as_mut().expect("refused").location = there(5);
    let text = shown(&report, &OPTIONS);
    std::fs::remove_file(&path).expect("removed");
    for part in [
        "warning[inconsistent]: null pointer can be dereferenced in Bar",
        "line_7 of it;",
        "^^^^^^ parameter x",
        "line_5 of it;",
        "`x != NULL` would exclude this",
    ] {
        assert!(text.contains(part), "{part:?} is missing in\n{text}");
    }
}

#[test]
fn many_alarms_are_counted_and_long_lines_broken() {
    let mut report = examples::angelic();
    let mut specification = examples::specification("s1", "p != NULL", SpecificationStatus::Inferred);
    let alarm = specification.suppresses[0].clone();
    specification.suppresses = vec![alarm; 5];
    report.specifications = vec![specification];
    let text = shown(&report, &OPTIONS);
    assert!(text.contains("p != NULL\n      (suppresses: "), "{text}");
    assert!(text.contains("; 2 more)"), "{text}");
}

#[test]
fn a_run_that_ended_early_says_so() {
    let mut report = AngelicReport {
        unfinished: Some("memory limit reached".to_owned()),
        ..AngelicReport::default()
    };
    let text = shown(&report, &OPTIONS);
    assert!(text.contains("unfinished: memory limit reached"), "{text}");
    report.unfinished = None;
    report.bad_input = true;
    assert!(shown(&report, &OPTIONS).starts_with("bad input, nothing was analysed"));
}
