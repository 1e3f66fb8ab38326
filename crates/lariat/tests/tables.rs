//! `lariat bench --generate` and `--table` on small sizes.

#[allow(dead_code, reason = "each test uses a part")]
mod common;

use common::{Sandbox, stderr, stdout};

/// What a command prints that must succeed.
fn printed(sandbox: &Sandbox, arguments: &[&str]) -> String {
    let output = sandbox.run(arguments);
    let (text, errors) = (stdout(&output), stderr(&output));
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {text}\n{errors}");
    text
}

/// The words of the first line that starts with a word.
fn words<'a>(text: &'a str, first: &str) -> Vec<&'a str> {
    let line = text
        .lines()
        .find(|line| line.split_whitespace().next() == Some(first));
    line.unwrap_or_else(|| panic!("no line starts with {first}:\n{text}"))
        .split_whitespace()
        .collect()
}

#[test]
fn a_generated_chain_has_a_node_for_each_procedure() {
    let sandbox = Sandbox::new("generate");
    let program = printed(&sandbox, &["bench", "--generate", "chain", "6"]);
    sandbox.write("chain.bpl", program);
    let arguments = [
        "verify",
        "--engine",
        "dag",
        "--output-format",
        "json",
        "chain.bpl",
    ];
    let text = printed(&sandbox, &arguments);
    let report: serde_json::Value = serde_json::from_str(&text).expect("a report");
    assert_eq!(report["verdict"]["kind"], "proved", "{text}");
    assert_eq!(report["stats"]["inlined"], 8, "{text}");
}

#[test]
fn the_table_of_chains_shows_a_graph_and_a_tree() {
    let sandbox = Sandbox::new("table-chain");
    let arguments = [
        "bench",
        "--table",
        "chain",
        "--sizes",
        "4,8",
        "--tree-sizes",
        "2,4",
    ];
    let text = printed(&sandbox, &arguments);
    let instances: Vec<Vec<&str>> = text
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>())
        .filter(|words| words.last() == Some(&"proved"))
        .map(|words| words[..3].to_vec())
        .collect();
    let expected = [
        ["dag", "4", "6"],
        ["dag", "8", "10"],
        ["stratified", "2", "15"],
        ["stratified", "4", "63"],
    ];
    assert_eq!(instances, expected, "{text}");
    assert!(text.contains("dag: time per procedure at N = 8 is "), "{text}");
    assert!(
        text.contains("stratified: from N = 2 to 4 each step multiplies instances by 2.05 "),
        "{text}"
    );
}

/// [Dag15] Fig. 5.
const FIGURE_5: &str = "
var g: int;
procedure callee() { assert g != 7; if (*) { g := g + 1; } else { g := g - 1; } }
procedure main() {
  goto A, B;
  A: call callee(); goto C;
  B: call callee(); goto C, D;
  C: call callee(); return;
  D: call callee(); return;
}";

#[test]
fn the_table_of_merging_strategies_shows_figure_5() {
    let sandbox = Sandbox::new("table-merge");
    sandbox.write("suite/figure-5.bpl", FIGURE_5);
    sandbox.write("suite/wrong.bpl", "procedure main() { assert y; }");
    sandbox.write(
        "suite/manifest.jsonl",
        "{\"file\": \"figure-5.bpl\", \"expect\": \"bug\", \"bound\": 2}\n\
         {\"file\": \"figure-5.bpl\", \"expect\": \"accept\"}\n\
         {\"file\": \"wrong.bpl\", \"expect\": \"safe\"}\n",
    );
    let text = printed(&sandbox, &["bench", "--table", "merge", "suite"]);
    let row = words(&text, "figure-5");
    // Program, bound, Tree, FIRST, MAXC, RANDOM, RANDOMPICK, OPT.
    assert_eq!(row[..4], ["figure-5", "2", "5", "3"], "{text}");
    assert_eq!(row.last(), Some(&"3"), "{text}");
    assert_eq!(
        words(&text, "deviation")[..4],
        ["deviation", "from", "OPT", "+0.0"],
        "{text}"
    );
    assert!(text.contains("\nwrong: "), "{text}");
}

#[test]
fn the_table_of_unbounded_proofs_counts_them() {
    let sandbox = Sandbox::new("table-unbounded");
    sandbox.write(
        "programs/lock.bpl",
        "var l: int;
         procedure main() { l := 0; while (*) { assert l == 0; l := 1; l := 0; } assert l == 0; }",
    );
    sandbox.write("programs/wrong.bpl", "procedure main(x: int) { assert x != 7; }");
    let text = printed(&sandbox, &["bench", "--table", "unbounded", "programs"]);
    let row = words(&text, "lock");
    assert_eq!((row[1], row[3], row[5]), ("proved", "proved", "proved"), "{text}");
    let row = words(&text, "wrong");
    assert_eq!((row[1], row[3], row[5]), ("bug", "unknown", "bug"), "{text}");
    assert_eq!(words(&text, "proved")[1..4], ["1", "of", "2"], "{text}");
}

#[test]
fn the_table_of_refinements_shows_every_algorithm() {
    let sandbox = Sandbox::new("table-refinement");
    let text = printed(&sandbox, &["bench", "--table", "refinement", "--sizes", "60"]);
    for part in [
        "Storm",
        "Algorithm 1",
        "Algorithm 2",
        "mean of ",
        " times faster than Storm",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("NOT ALL"), "{text}");
}

#[test]
fn engines_are_compared_on_what_both_solve() {
    let sandbox = Sandbox::new("table-engines");
    sandbox.write(
        "suite/chain.bpl",
        printed(&sandbox, &["bench", "--generate", "chain", "4"]),
    );
    sandbox.write(
        "suite/manifest.jsonl",
        r#"{"file": "chain.bpl", "expect": "safe"}"#,
    );
    let arguments = ["bench", "suite", "--out", "out", "--engine", "stratified,dag"];
    let text = printed(&sandbox, &arguments);
    // 6 instances instead of 63.
    let line = text
        .lines()
        .find(|line| line.starts_with("dag to stratified on 1 row "));
    let line = line.unwrap_or_else(|| panic!("no comparison: {text}"));
    assert!(line.contains(" 0.10 of the inlined procedures"), "{line}");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let sandbox = Sandbox::new("table-refused");
    for (arguments, reason) in [
        (&["--generate", "chane", "5"][..], "there is no family `chane`"),
        (&["--generate", "chain", "-5"], "-5"),
        (&["--generate", "chain", "many"], "`many` is not the size"),
        (&["--table", "merge"], "needs folders"),
        (&["--table", "unbounded"], "needs folders"),
        (&["--table", "chain", "somewhere"], "takes no folders"),
        (&["--table", "merge", "somewhere"], "somewhere"),
        (&["--table", "unbounded", "somewhere"], "somewhere"),
        (&["--table", "merge", "somewhere", "--sizes", "3"], "no sizes"),
        (&["--sizes", "3"], "--table"),
    ] {
        let output = sandbox.run(&[&["bench"], arguments].concat());
        assert_eq!(
            output.status.code(),
            Some(2),
            "{arguments:?}: {}",
            stdout(&output)
        );
        assert!(
            stderr(&output).contains(reason),
            "{arguments:?}: {}",
            stderr(&output)
        );
    }
}

/// A folder with two small programs and their manifest.
fn drivers(name: &str) -> Sandbox {
    let sandbox = Sandbox::new(name);
    let body = |assertion: &str| {
        format!(
            "var g: int; var h: int;\nprocedure step() modifies g; {{ if (*) {{ g := g + 1; }} else {{ g := g + 2; }} }}\n\
             procedure main() modifies g, h; {{ g := 0; h := 5; call step(); call step(); assert {assertion}; }}\n"
        )
    };
    sandbox.write("safe.bpl", body("g <= 4 && h == 5"));
    sandbox.write("bug.bpl", body("g != 3"));
    sandbox.write(
        "manifest.jsonl",
        "{\"file\": \"safe.bpl\", \"expect\": \"safe\", \"bound\": 1, \"peer_seconds\": {\"over\": 9.0, \"under\": 30.0}}\n\
         {\"file\": \"bug.bpl\", \"expect\": \"bug\", \"bound\": 1, \"peer_seconds\": {\"under\": 31.0}}\n",
    );
    sandbox
}

#[test]
fn the_table_of_inlining_counts_bugs_and_copies() {
    let sandbox = drivers("table-inlining");
    let arguments = [
        "bench",
        "--table",
        "inlining",
        ".",
        "--time-limit",
        "60s",
        "--report",
        "plots.html",
    ];
    let text = printed(&sandbox, &arguments);
    for way in ["SI-Inv", "DI-Inv", "SI+Inv", "DI+Inv"] {
        // Neither unsolved nor wrong, and one bug.
        assert_eq!(words(&text, way)[1..4], ["0", "0", "1"], "{text}");
    }
    assert!(text.contains("SI-Inv and DI-Inv both finish 2 rows"), "{text}");
    let page = std::fs::read_to_string(sandbox.path().join("plots.html")).expect("a page");
    assert!(page.contains("cactus plot") && page.contains("scatter plot"));
}

#[test]
fn the_table_of_budgets_has_the_recorded_peers() {
    let sandbox = drivers("table-budgets");
    let arguments = ["bench", "--table", "budgets", ".", "--time-limit", "60s"];
    let text = printed(&sandbox, &arguments);
    for way in ["Corral", "Legion"] {
        assert_eq!(words(&text, way)[1..4], ["60", "s", "2"], "{text}");
    }
    assert_eq!(
        words(&text, "Legion+")[1..6],
        ["2", "×", "30", "s", "2"],
        "{text}"
    );
    // 30 s is within half of the limit, 31 s is not.
    assert!(text.contains("peer: over"), "{text}");
    let best = text.lines().find(|line| line.starts_with("peer: best of both"));
    let best: Vec<&str> = best.expect("the peers").split_whitespace().collect();
    assert_eq!(best[4..], ["2", "×", "30", "s", "1", "9.0"], "{text}");
}

#[test]
fn the_tables_of_abstraction_take_manifests() {
    let sandbox = drivers("table-abstraction");
    let text = printed(
        &sandbox,
        &["bench", "--table", "abstraction", ".", "--time-limit", "60s"],
    );
    assert_eq!(words(&text, "safe").last(), Some(&"safe"), "{text}");
    assert!(text.contains("bug, not replayed"), "{text}");
    let text = printed(
        &sandbox,
        &["bench", "--table", "refinement", ".", "--time-limit", "60s"],
    );
    // The programs are too small for a spurious counterexample.
    assert!(text.contains("mean of 0"), "{text}");
}
