//! Inputs that nobody should give and budgets that are too small: always an answer, never a crash.
//!
//! Wrong programs that are small are among the filetests.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use lariat_base::Budget;
use lariat_report::{Engine, UnknownCause, Verdict, VerifyReport, VerifyRequest};

/// A file for one test, gone when the test is over.
struct Program {
    path: PathBuf,
}

impl Program {
    fn new(name: &str, content: impl AsRef<[u8]>) -> Self {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
        let path = folder.join(format!("robustness-{name}-{}.bpl", std::process::id()));
        std::fs::write(&path, content).expect("a temporary file can be written");
        Program { path }
    }

    fn request(&self) -> VerifyRequest {
        VerifyRequest::new(vec![self.path.clone()])
    }

    fn verify(&self) -> VerifyReport {
        verify(&self.request(), &Budget::new(Some(Duration::from_secs(60)), None))
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

fn verify(request: &VerifyRequest, budget: &Budget) -> VerifyReport {
    lariat_verify::verify(request, budget, &mut |_| {})
}

/// The codes of all errors; every one is rendered.
fn codes(report: &VerifyReport) -> Vec<&str> {
    assert!(report.errors().all(|error| !error.rendered.is_empty()));
    report.errors().map(|error| error.code.as_str()).collect()
}

#[track_caller]
fn assert_unknown(report: &VerifyReport, expected: UnknownCause) {
    match &report.verdict {
        Verdict::Unknown { cause, reason } => {
            assert_eq!(*cause, expected, "{reason}");
            assert!(!reason.is_empty());
        }
        other => panic!("{other}"),
    }
}

const SMALL: &str = r#"
type Color;
const unique red: Color;
datatype Option { None(), Some(value: int) }
function {:inline} twice(x: int): int { x + x }
axiom (forall x: int :: {twice(x)} twice(x) == 2 * x);
var g: [int]Option where g[0] is None;
procedure p(a: int, c: Color) returns (r: int)
  requires a > 0;
  modifies g;
  ensures r == old(g[a])->value || r > 0;
{
  var i: int;
  i := 0;
  while (i < a) invariant i >= 0; { i := i + 1; if (i == 3) { break; } }
  L: goto M, N;
  M: g[i] := Some(twice(i)); goto N;
  N: r := if g[i] is Some then g[i]->value else 1;
  assume (lambda j: int :: j + 1)[4] == 5 && 3bv4 ++ 1bv4 == 49bv8 && 1.5 < 2.0;
}
procedure main()
  modifies g;
{
  var r: int;
  call r := p(1, red);
  assert {:id "positive"} r > 0;
}
"#;

#[test]
fn the_program_to_be_mutilated_is_a_program() {
    let report = Program::new("small", SMALL).verify();
    assert_eq!(codes(&report), Vec::<&str>::new());
}

#[test]
fn truncated_files_are_bad_input_or_smaller_programs() {
    for end in (0..SMALL.len()).step_by(11) {
        let report = Program::new("truncated", &SMALL[..end]).verify();
        // What is left has no `main` with an end.
        assert_eq!(report.verdict, Verdict::BadInput, "the first {end} bytes");
        assert!(!codes(&report).is_empty());
    }
}

#[test]
fn damaged_files_get_an_answer() {
    for (index, position) in (0..SMALL.len()).step_by(17).enumerate() {
        let mut bytes = SMALL.as_bytes().to_vec();
        bytes[position] = b"(){};:=\"|\\\0~"[index % 12];
        let report = Program::new("damaged", bytes).verify();
        assert!((report.verdict == Verdict::BadInput) != codes(&report).is_empty());
    }
}

#[test]
fn binary_files_are_bad_input() {
    let noise: Vec<u8> = (0..50_000u32)
        .map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8)
        .collect();
    assert_eq!(codes(&Program::new("binary", noise).verify()), ["not-text"]);
    let controls: String = (0..50_000u32).map(|i| char::from((i % 32) as u8)).collect();
    let report = Program::new("controls", controls).verify();
    assert_eq!(report.verdict, Verdict::BadInput);
    assert!(
        report.diagnostics.len() < 1_000,
        "errors are not repeated without end"
    );
}

#[test]
fn files_without_a_program() {
    assert_eq!(codes(&Program::new("empty", "").verify()), ["no-entry"]);
    assert_eq!(
        codes(&Program::new("comment", "// nothing\n/* at all").verify()).len(),
        1
    );
    let budget = Budget::unlimited();
    let missing = VerifyRequest::new(vec!["no/such/file.bpl".into()]);
    assert_eq!(codes(&verify(&missing, &budget)), ["unreadable-file"]);
    let folder = VerifyRequest::new(vec![env!("CARGO_TARGET_TMPDIR").into()]);
    assert_eq!(codes(&verify(&folder, &budget)), ["unreadable-file"]);
    let nothing = VerifyRequest::new(Vec::new());
    assert_eq!(verify(&nothing, &budget).verdict, Verdict::BadInput);
}

#[test]
fn expressions_of_depth_100_000_are_refused() {
    const DEPTH: usize = 100_000;
    let nested = |open: &str, inner: &str, close: &str| {
        format!("{}{inner}{}", open.repeat(DEPTH), close.repeat(DEPTH))
    };
    let expressions = [
        ("parentheses", nested("(", "b", ")")),
        ("negations", nested("!", "b", "")),
        ("implications", nested("b ==> ", "b", "")),
        ("disjunctions", nested("b || (", "b", ")")),
        ("conditionals", nested("if b then b else ", "b", "")),
        ("quantifiers", nested("(forall i: int :: ", "b", ")")),
        ("lets", nested("(var c := b; ", "b", ")")),
        ("selections", format!("{} == 0", nested("m[", "0", "]"))),
        ("updates", format!("m{}[0] == 0", "[0 := 1]".repeat(DEPTH))),
        ("calls", format!("{} == 0", nested("f(", "0", ")"))),
        ("minus", format!("{} == 0", nested("- ", "1", ""))),
        ("blocks", nested("|{ A: return ", "b", "; }|")),
    ];
    for (name, expression) in expressions {
        let text = format!(
            "function f(x: int): int;\nprocedure main(b: bool, m: [int]int)\n{{\n  assert {expression};\n}}\n"
        );
        let report = Program::new(name, text).verify();
        assert_eq!(codes(&report), ["nesting-too-deep"], "{name}");
    }
}

#[test]
fn long_chains_are_no_deep_expressions_or_are_refused() {
    for operator in ["+", "&&", "||", "<==>", "++"] {
        let operand = match operator {
            "+" => "x",
            "++" => "v",
            _ => "b",
        };
        let chain = vec![operand; 100_000].join(&format!(" {operator} "));
        let comparison = match operator {
            "+" => format!("{chain} == x"),
            "++" => format!("({chain})[1:0] == v"),
            _ => chain,
        };
        let text = format!("procedure main(b: bool, x: int, v: bv1)\n{{\n  assert {comparison};\n}}\n");
        let report = Program::new("chain", text).verify();
        match report.verdict {
            Verdict::BadInput => assert_eq!(codes(&report), ["nesting-too-deep"], "{operator}"),
            Verdict::Bug | Verdict::Proved => {}
            other => panic!("{operator}: {other}"),
        }
    }
}

#[test]
fn deeply_nested_statements_and_types_are_refused() {
    const DEPTH: usize = 100_000;
    let blocks = format!(
        "procedure main(b: bool)\n{{ {} assert b; {} }}\n",
        "if (b) { ".repeat(DEPTH),
        "}".repeat(DEPTH)
    );
    assert_eq!(
        codes(&Program::new("blocks", blocks).verify()),
        ["nesting-too-deep"]
    );
    let types = format!(
        "procedure main(m: {}int) {{ assert true; }}\n",
        "[int]".repeat(DEPTH)
    );
    assert_eq!(
        codes(&Program::new("types", types).verify()),
        ["nesting-too-deep"]
    );
}

/// Verifies a large program; the time is for a busy machine.
fn verify_large(name: &str, text: String, seconds: u64) -> VerifyReport {
    let program = Program::new(name, text);
    let budget = Budget::new(Some(Duration::from_secs(seconds)), None);
    verify(&program.request(), &budget)
}

/// A large program has the answer, or the budget ended.
#[track_caller]
fn assert_bug_or_time(report: &VerifyReport) {
    let budget_ended = matches!(
        report.verdict,
        Verdict::Unknown {
            cause: UnknownCause::Time,
            ..
        }
    );
    assert!(
        report.verdict == Verdict::Bug || budget_ended,
        "{}: {:?}",
        report.verdict,
        report.stats
    );
}

#[test]
fn a_procedure_of_a_million_statements() {
    let mut text = String::from("procedure main(y: int)\n{\n  var x: int;\n  x := 0;\n");
    for _ in 0..1_000_000 {
        text.push_str("  x := x + 1;\n");
    }
    text.push_str("  assert x + y != 1000003;\n}\n");
    let report = verify_large("million", text, 120);
    assert_eq!(report.verdict, Verdict::Bug, "{:?}", report.stats);
}

#[test]
fn a_procedure_of_ten_thousand_branches() {
    let mut text = String::from("procedure main(y: int)\n{\n  var x: int;\n  x := 0;\n");
    for index in 0..10_000 {
        text += &format!("  if (y > {index}) {{ x := x + 1; }}\n");
    }
    text.push_str("  assert x != 3;\n}\n");
    assert_bug_or_time(&verify_large("branches", text, 20));
}

#[test]
fn a_chain_of_a_thousand_procedures() {
    let mut text = String::from("procedure main(y: int)\n{\n  call p0(y);\n}\n");
    for index in 0..1_000 {
        let next = index + 1;
        text += &format!("procedure p{index}(x: int)\n{{\n  if (x > 0) {{ call p{next}(x); }}\n}}\n");
    }
    text.push_str("procedure p1000(x: int)\n{\n  assert x != 3;\n}\n");
    assert_bug_or_time(&verify_large("chain-of-calls", text, 20));
}

/// The solver needs long for this: factors of a product of two primes.
const HARD: &str = "
function {:bvbuiltin \"bvmul\"} mul(x: bv64, y: bv64): bv64;
function {:bvbuiltin \"bvult\"} ult(x: bv64, y: bv64): bool;
procedure main(x: bv64, y: bv64)
{
  assume ult(1bv64, x) && ult(x, 4294967296bv64);
  assume ult(1bv64, y) && ult(y, 4294967296bv64);
  assert mul(x, y) != 9153552214547054437bv64;
}
";

#[test]
fn a_time_limit_of_one_second() {
    let program = Program::new("hard", HARD);
    for engine in Engine::ALL {
        let mut request = program.request();
        request.engine = engine;
        let started = Instant::now();
        let report = verify(&request, &Budget::new(Some(Duration::from_secs(1)), None));
        assert_unknown(&report, UnknownCause::Time);
        assert!(
            started.elapsed() < Duration::from_secs(30),
            "{:?}",
            started.elapsed()
        );
    }
}

#[test]
fn an_interruption() {
    let program = Program::new("interrupted", HARD);
    let budget = Budget::unlimited();
    let started = Instant::now();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(500));
            budget.interrupt();
        });
        assert_unknown(&verify(&program.request(), &budget), UnknownCause::Interrupted);
    });
    assert!(
        started.elapsed() < Duration::from_secs(30),
        "{:?}",
        started.elapsed()
    );
}

/// Inlined completely this has 3^25 instances.
fn bush() -> String {
    let mut text =
        String::from("var g: int;\nprocedure main() modifies g;\n{\n  call p0();\n  assert g != 7;\n}\n");
    for level in 0..25 {
        let next = level + 1;
        text += &format!(
            "procedure p{level}() modifies g;\n{{\n  if (*) {{ call p{next}(); }} else {{ g := g + {level}; call p{next}(); }}\n  call p{next}();\n}}\n"
        );
    }
    text.push_str("procedure p25() modifies g;\n{\n  if (g > 3) { g := g * 2; } else { havoc g; }\n}\n");
    text
}

#[test]
fn a_memory_limit() {
    let program = Program::new("bush", bush());
    let mut request = program.request();
    request.engine = Engine::Static;
    let used = lariat_base::budget::resident_memory().unwrap_or(0);
    let budget = Budget::new(Some(Duration::from_secs(60)), Some(used + 150_000_000));
    assert_unknown(&verify(&request, &budget), UnknownCause::Memory);
}

#[test]
fn what_was_decided_before_the_end_is_kept() {
    // Bound 1 is completed at once; larger bounds take longer than there is time.
    let text = "
function {:bvbuiltin \"bvmul\"} mul(x: bv64, y: bv64): bv64;
procedure main(n: int)
{
  var i: int;
  var x: bv64;
  var y: bv64;
  x := 1bv64;
  i := 0;
  while (i < n) {
    havoc y;
    assume y[64:32] == 0bv32 && y != 1bv64;
    x := mul(x, y);
    i := i + 1;
  }
  assert i < 2 || x != 9153552214547054437bv64 || y == 1bv64;
}
";
    let program = Program::new("kept", text);
    let mut request = program.request();
    request.bound = 3;
    let report = verify(&request, &Budget::new(Some(Duration::from_secs(6)), None));
    assert_unknown(&report, UnknownCause::Time);
    assert!(report.entries[0].bound >= Some(1), "{}", report.verdict);
    assert!(report.verdict.to_string().contains("no violation within bound"));
}
