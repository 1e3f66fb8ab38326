//! The file of specifications: reading, messages, merging with a run.

use lariat_base::Severity;
use lariat_report::{
    AngelicEntry, AngelicEntryStats, AngelicReport, EntryOutcome, Location, Specification,
    SpecificationStatus, Suppressed,
};
use lariat_specs::{SpecsFile, specification_id};

use SpecificationStatus::{Accepted, Edited, Inferred, Rejected};

fn read(text: &str) -> SpecsFile {
    SpecsFile::parse("p.specs.toml", text).unwrap_or_else(|messages| panic!("{}", messages.render(false)))
}

/// The messages of a file that is refused.
fn refused(text: &str) -> String {
    SpecsFile::parse("p.specs.toml", text)
        .expect_err("the file is wrong")
        .render(false)
}

/// Entry, text and status of each.
fn decisions(file: &SpecsFile) -> Vec<(String, String, SpecificationStatus)> {
    file.specifications()
        .into_iter()
        .map(|spec| (spec.entry, spec.text, spec.status))
        .collect()
}

fn found(entry: &str, text: &str) -> Specification {
    Specification {
        id: "an id of another kind".to_owned(),
        entry: entry.to_owned(),
        text: text.to_owned(),
        formal: String::new(),
        status: Inferred,
        locations: Vec::new(),
        suppresses: Vec::new(),
        unnecessary: false,
        problem: None,
        inferred: None,
    }
}

fn run(entries: &[&str], specifications: Vec<Specification>) -> AngelicReport {
    AngelicReport {
        specifications,
        entries: entries
            .iter()
            .map(|name| AngelicEntry {
                name: name.to_string(),
                location: None,
                outcome: EntryOutcome::Done,
                bound: 2,
                complete: true,
                fingerprint: String::new(),
                reused: false,
                stats: AngelicEntryStats::default(),
            })
            .collect(),
        ..AngelicReport::default()
    }
}

fn spec_table(entry: &str, text: &str, status: &str) -> String {
    format!(
        "[[spec]]\nid = \"{}\"\nentry = \"{entry}\"\nspec = \"{text}\"\nstatus = \"{status}\"\n",
        specification_id(entry, text)
    )
}

#[test]
fn the_first_run_writes_a_file_that_explains_itself() {
    let mut spec = found("FooBar", "Lib2() != NULL");
    spec.formal = "forall x_2: int :: unknown_1(x_2) ==> x_2 != NULL".to_owned();
    let suppressed = |line| Suppressed {
        procedure: "FooBar".to_owned(),
        condition: Some("x != NULL".to_owned()),
        message: "assertion".to_owned(),
        location: Some(Location {
            file: "fig1.bpl".to_owned(),
            line,
            column: 5,
        }),
    };
    spec.suppresses = vec![suppressed(30)];
    let mut second = found("FooBar", "Lib1() != NULL && m[\"the \\\"odd\\\" one\"] != NULL");
    second.suppresses = vec![suppressed(41), suppressed(32)];
    let text = SpecsFile::default().update(&run(
        &["FooBar", "Baz"],
        vec![spec, second, found("Baz", "y != NULL")],
    ));
    let (header, body) = text.split_once("\n\n").expect("a header");
    assert_eq!(header.lines().count(), 6);
    assert!(
        header
            .lines()
            .all(|line| line.starts_with('#') && line.len() <= 120),
        "{header}"
    );
    assert_eq!(
        body,
        format!(
            r#"[[spec]]
id = "{}"
entry = "Baz"
spec = "y != NULL"
status = "inferred"

[[spec]]
id = "{}"
entry = "FooBar"
spec = 'Lib1() != NULL && m["the \"odd\" one"] != NULL'
status = "inferred"
suppresses = [
    "fig1.bpl:32:5: x != NULL in FooBar",
    "fig1.bpl:41:5: x != NULL in FooBar",
]

[[spec]]
id = "{}"
entry = "FooBar"
spec = "Lib2() != NULL"
status = "inferred"
suppresses = ["fig1.bpl:30:5: x != NULL in FooBar"]
formal = "forall x_2: int :: unknown_1(x_2) ==> x_2 != NULL"
"#,
            specification_id("Baz", "y != NULL"),
            specification_id("FooBar", "Lib1() != NULL && m[\"the \\\"odd\\\" one\"] != NULL"),
            specification_id("FooBar", "Lib2() != NULL"),
        )
    );
    assert!(read(&text).decisions().is_empty());
}

#[test]
fn what_the_user_writes_is_a_decision() {
    let accepted = spec_table("f", "p != NULL", "accepted");
    assert_eq!(decisions(&read(&accepted))[0].2, Accepted);
    // Blanks and parentheses are no edit.
    assert_eq!(
        decisions(&read(&accepted.replace("p != NULL", "(p)!=NULL")))[0].2,
        Accepted
    );
    // A changed text is, unless it is rejected.
    let changed = |status| spec_table("f", "p != NULL", status).replace("p != NULL", "p != q");
    assert_eq!(
        decisions(&read(&changed("accepted"))),
        [("f".to_owned(), "p != q".to_owned(), Edited)]
    );
    assert_eq!(decisions(&read(&changed("inferred")))[0].2, Edited);
    assert_eq!(decisions(&read(&changed("edited")))[0].2, Edited);
    assert_eq!(decisions(&read(&changed("rejected")))[0].2, Rejected);
    // By hand, without an id.
    let by_hand = |rest: &str| read(&format!("[[spec]]\nentry = 'f'\nspec = 'p != q'\n{rest}"));
    assert_eq!(decisions(&by_hand(""))[0].2, Edited);
    assert_eq!(decisions(&by_hand("status = 'accepted'"))[0].2, Accepted);
    assert_eq!(decisions(&by_hand("status = 'rejected'"))[0].2, Rejected);
    assert_eq!(
        decisions(&by_hand("status = 'inferred'\ninferred = 'p != NULL'"))[0].2,
        Edited
    );
    assert_eq!(
        decisions(&by_hand("status = 'accepted'\ninferred = 'p!=q'"))[0].2,
        Accepted
    );
}

#[test]
fn decisions_outlive_a_run_and_inferred_ones_do_not() {
    let old = [
        spec_table("f", "a != NULL", "accepted"),
        spec_table("f", "b != NULL", "rejected"),
        spec_table("f", "c != NULL", "inferred"),
        spec_table("f", "d != NULL", "inferred").replace("d != NULL", "d > 0"),
        spec_table("g", "x != NULL", "inferred"),
        spec_table("f", "e != NULL", "inferred"),
    ]
    .join("\n");
    let mut accepted = found("f", "a != NULL");
    accepted.status = Accepted;
    accepted.unnecessary = true;
    let text = read(&old).update(&run(
        &["f"],
        vec![
            accepted,
            found("f", "d != NULL"),
            found("f", "e != NULL"),
            found("f", "z != NULL"),
        ],
    ));
    let file = read(&text);
    let expected = [
        ("f", "a != NULL", Accepted),
        ("f", "b != NULL", Rejected),
        ("f", "d != NULL", Inferred),
        ("f", "d > 0", Edited),
        ("f", "e != NULL", Inferred),
        ("f", "z != NULL", Inferred),
        // Not analysed in this run.
        ("g", "x != NULL", Inferred),
    ]
    .map(|(entry, text, status)| (entry.to_owned(), text.to_owned(), status));
    assert_eq!(decisions(&file), expected);
    let specs = file.specifications();
    assert!(specs[0].unnecessary && !specs[1].unnecessary);
    assert_eq!(specs[3].inferred.as_deref(), Some("d != NULL"));

    // Accepted after a run, the edited text is what was accepted.
    let file = read(&text.replace("status = \"edited\"", "status = \"accepted\""));
    assert_eq!(decisions(&file)[3].2, Accepted);
    // It is needed again.
    let text = file.update(&run(&["f"], vec![found("f", "a != NULL")]));
    assert!(text.contains("unnecessary = false"), "{text}");
    assert_eq!(decisions(&read(&text)).len(), 4, "{text}");
}

#[test]
fn what_the_user_wrote_stays() {
    let old = format!(
        "\
# Mine, at the top.

# Talked to Ann about this one.
{}note = \"ask again\" # soon

# Never again.
{}# The end.
",
        spec_table("g", "x != NULL", "accepted").replace("\"accepted\"", "'accepted'   # yes"),
        spec_table("f", "y != NULL", "inferred"),
    );
    let file = read(&old);
    assert_eq!(file.warnings().diagnostics.error_count(), 0);
    let text = file.update(&run(&["f", "g"], vec![found("f", "q != NULL")]));
    for part in [
        "\n# Mine, at the top.\n",
        "\n# Talked to Ann about this one.\n[[spec]]\n",
        "status = 'accepted'   # yes\nnote = \"ask again\" # soon\n",
        "\n# The end.\n",
        "\n# About a specification that is no longer inferred, f requires y != NULL:\n# Never again.\n",
    ] {
        assert!(text.contains(part), "{part:?} is missing in\n{text}");
    }
    assert!(text.find("# Mine") < text.find("[[spec]]\n"), "{text}");
    // Later runs change nothing.
    let again = read(&text).update(&run(&["f", "g"], vec![found("f", "q != NULL")]));
    assert_eq!(text, again);
    // Another order of the same decisions, neither.
    let third = read(&again).update(&run(&["g", "f"], vec![found("f", "q != NULL")]));
    assert_eq!(again, third);
}

#[test]
fn a_header_is_written_once_and_other_tables_stay() {
    let first = SpecsFile::default().update(&run(&["f"], vec![found("f", "p != NULL")]));
    let with_table = format!("{first}\n[team]\nname = \"drivers\"\n");
    let text = read(&with_table).update(&run(
        &["f"],
        vec![found("f", "a != NULL"), found("f", "p != NULL")],
    ));
    assert_eq!(
        text.matches("# Specifications of the environment").count(),
        1,
        "{text}"
    );
    assert!(text.contains("[team]\nname = \"drivers\"\n"), "{text}");
    let file = read(&text);
    assert_eq!(decisions(&file).len(), 2);
    assert_eq!(file.warnings().diagnostics.iter().count(), 1);
    let empty = read(&text).update(&run(&["f"], Vec::new()));
    assert!(
        empty.contains("[team]") && !empty.contains("[[spec]]\n"),
        "{empty}"
    );
}

#[test]
fn a_run_that_could_not_read_the_program_changes_nothing() {
    let old = spec_table("f", "p != NULL", "inferred");
    let report = AngelicReport {
        bad_input: true,
        ..run(&["f"], Vec::new())
    };
    assert_eq!(read(&old).update(&report), old);
}

#[test]
fn problems_of_edited_specifications_come_and_go() {
    let old = "[[spec]]\nentry = \"f\"\nspec = \"p != nothing\"\n";
    let mut spec = found("f", "p != nothing");
    spec.status = Edited;
    spec.problem = Some("there is no variable `nothing`".to_owned());
    let text = read(old).update(&run(&["f"], vec![spec.clone()]));
    assert!(
        text.contains("problem = \"there is no variable `nothing`\""),
        "{text}"
    );
    assert_eq!(
        read(&text).specifications()[0].problem.as_deref(),
        Some("there is no variable `nothing`")
    );
    spec.problem = None;
    let text = read(&text).update(&run(&["f"], vec![spec]));
    assert!(!text.contains("problem"), "{text}");
    assert_eq!(decisions(&read(&text))[0].2, Edited);
}

#[test]
fn errors_show_the_line_and_what_to_do() {
    let by_hand = |spec: &str, rest: &str| format!("\n[[spec]]\nentry = \"f\"\nspec = {spec}\n{rest}\n");
    for (text, parts) in [
        (
            by_hand("\"p = NULL\"", ""),
            &["p.specs.toml:4:11", "write `==`"][..],
        ),
        (
            by_hand("'p != '", ""),
            &["p.specs.toml:4:14", "the text ends here"],
        ),
        (
            by_hand("\"m[\\\"a\\\" != NULL\"", ""),
            &["p.specs.toml:4:8", "expected"],
        ),
        (
            by_hand("\"\"", ""),
            &["p.specs.toml:4:8", "expected an expression"],
        ),
        (
            by_hand("\"p\"", "status = \"acepted\""),
            &[
                "p.specs.toml:5:10",
                "`status` cannot be \"acepted\"",
                "did you mean `accepted`?",
            ],
        ),
        (
            by_hand("\"p\"", "status = \"maybe\""),
            &["known are `inferred`, `accepted`, `rejected`, `edited`"],
        ),
        (
            by_hand("12", ""),
            &[
                "p.specs.toml:4:8",
                "`spec` must be a text in quotes, not an integer",
            ],
        ),
        (by_hand("\"p\"", "unnecessary = \"no\""), &["`true` or `false`"]),
        (by_hand("\"p\"", "suppresses = [1]"), &["a list of texts"]),
        (
            by_hand("\"p\"", "[spec.more]\nx = 1"),
            &["`more` cannot be a table"],
        ),
        (
            "[[spec]]\nspec = 'p'\n".to_owned(),
            &["p.specs.toml:1:1", "`entry` is missing", "add entry"],
        ),
        ("[[spec]]\nentry = 'f'\n".to_owned(), &["`spec` is missing"]),
        (
            "[spec]\nentry = 'f'\nspec = 'p'\n".to_owned(),
            &["write [[spec]], in double brackets"],
        ),
        ("spec = 'p'\n".to_owned(), &["write [[spec]], in double brackets"]),
        (by_hand("\"p\"", "status = accepted"), &["p.specs.toml:5:10"]),
        (by_hand("\"p", ""), &["p.specs.toml:4"]),
        (
            [spec_table("f", "p", "accepted"), spec_table("f", "p", "rejected")].concat(),
            &[
                "`p` is rejected here, but accepted before",
                "p.specs.toml:6:1",
                "p.specs.toml:1:1",
            ],
        ),
    ] {
        let messages = refused(&text);
        for part in parts {
            assert!(
                messages.contains(part),
                "{part:?} is missing in\n{messages}\nof\n{text}"
            );
        }
    }
}

#[test]
fn all_errors_are_reported_at_once() {
    let messages = refused("[[spec]]\nspec = 'p = 1'\n[[spec]]\nentry = 'f'\nstatus = 'x'\nspec = 'a <'\n");
    assert_eq!(messages.matches("error").count(), 3, "{messages}");
}

#[test]
fn what_has_no_effect_is_said() {
    let text = [
        spec_table("f", "p != NULL", "accepted"),
        "staus = \"rejected\"\n".to_owned(),
        spec_table("f", "p != NULL", "accepted"),
        "[[specs]]\nentry = 'f'\n".to_owned(),
    ]
    .concat();
    let file = read(&text);
    let warnings = file.warnings();
    assert!(
        warnings
            .diagnostics
            .iter()
            .all(|message| message.severity == Severity::Warning)
    );
    let messages = warnings.render(false);
    for part in [
        "unknown key `staus` in [spec]",
        "p.specs.toml:6:1",
        "did you mean `status`?",
        "did you mean `spec`?",
        "is there already",
    ] {
        assert!(messages.contains(part), "{part:?} is missing in\n{messages}");
    }
    // Of two equal ones the first stays.
    let text = file.update(&run(&["f"], Vec::new()));
    assert_eq!(decisions(&read(&text)).len(), 1, "{text}");
}

/// A text that Lariat wrote and cannot read is kept without an error; resolving it reports the problem.
#[test]
fn texts_of_lariat_are_not_the_users_mistakes() {
    let text = SpecsFile::default().update(&run(&["f"], vec![found("f", "p ¿ q\nr")]));
    assert_eq!(decisions(&read(&text))[0].2, Inferred);
}
