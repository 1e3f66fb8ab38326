//! Open Boogie programs: what is read, and specifications in Boogie's words.

use std::path::PathBuf;

use lariat_front_end::{FrontEnd, Resolved};
use lariat_ir::{OpenEntry, OpenInfo};
use lariat_report::{AngelicRequest, DiagnosticReport, Progress, VerifyRequest};
use lariat_specs::SpecExpr;
use lariat_term::TermPool;

const PROGRAM: &str = "const NULL: int;
var g: int;
var m: [int]int;
function f(x: int): int; axiom f(NULL) == NULL;
procedure Lib1() returns (r: int);
procedure Lib2() returns (r: int, s: bool);
  modifies g;
procedure P(p: int, q: int) {
  var a: int;
  var b: bool;
  call a := Lib1();
  call a := Lib1();
  call a, b := Lib2();
  havoc a;
  call Q(a);
  assert a != NULL;
}
procedure Q(g: int) { }
";

/// Reads the program as an open one.
fn read(name: &str, text: &str) -> Result<FrontEnd, Vec<DiagnosticReport>> {
    let file: PathBuf = std::env::temp_dir().join(format!("lariat-open-{}-{name}.bpl", std::process::id()));
    std::fs::write(&file, text).expect("the file can be written");
    let request = AngelicRequest {
        program: VerifyRequest::new(vec![file.clone()]),
        ..AngelicRequest::default()
    };
    let reading = lariat_front_end::read(&(&request).into(), false, &mut |_: Progress| {});
    std::fs::remove_file(&file).expect("the file is there");
    reading.program.ok_or(reading.diagnostics)
}

struct Opened {
    front_end: FrontEnd,
    open: OpenInfo,
    pool: TermPool,
}

impl Opened {
    fn new(name: &str) -> Self {
        let front_end = match read(name, PROGRAM) {
            Ok(front_end) => front_end,
            Err(diagnostics) => panic!("{diagnostics:?}"),
        };
        Opened {
            open: front_end.open.clone().expect("it was read as an open program"),
            pool: front_end.program.pool.clone(),
            front_end,
        }
    }

    fn entry(&self, name: &str) -> OpenEntry {
        let entry = self.open.entries.iter().find(|entry| &*entry.name == name);
        entry.expect("there is such an entry").clone()
    }

    fn resolve(&mut self, entry: &str, text: &str) -> Result<Vec<Resolved>, String> {
        let entry = self.entry(entry);
        let expr = SpecExpr::parse(text).map_err(|error| error.to_string())?;
        self.front_end.resolve(&mut self.pool, &self.open, &entry, &expr)
    }

    /// The formulas of a text, with what their placeholders stand for.
    fn formulas(&mut self, entry: &str, text: &str) -> Vec<String> {
        let resolved = match self.resolve(entry, text) {
            Ok(resolved) => resolved,
            Err(reason) => panic!("{text}: {reason}"),
        };
        let describe = |formula: &Resolved| {
            let naming = |var| {
                let site = formula.sites.iter().find(|site| site.placeholder == var)?;
                let unknown = &self.open.unknowns[site.unknown];
                let line = unknown
                    .span
                    .map(|span| self.front_end.sources.line_column(span).0)?;
                Some(SpecExpr::name(&format!(
                    "{}_{line}",
                    unknown.text.replace([' ', '(', ')', '.'], "_")
                )))
            };
            self.front_end
                .describe(&self.pool, formula.term, &naming)
                .to_string()
        };
        resolved.iter().map(describe).collect()
    }

    #[track_caller]
    fn refused(&mut self, entry: &str, text: &str, reason: &str) {
        match self.resolve(entry, text) {
            Ok(_) => panic!("{text} was understood"),
            Err(found) => assert!(found.contains(reason), "{text}: {found}"),
        }
    }
}

#[test]
fn what_is_described_can_be_read_back() {
    let mut opened = Opened::new("back");
    for text in [
        "p != NULL",
        "m[p] != q",
        "m[m[p]] == NULL",
        "p > 0",
        "p + q - 1 <= 3",
        "f(p) == q",
        "p == q || m[g] != NULL",
        "q < p && g < q",
        "forall z :: m[z] != NULL",
        "true",
    ] {
        assert_eq!(opened.formulas("P", text), [text]);
    }
    assert_eq!(opened.formulas("P", "NULL != p"), ["p != NULL"]);
    assert_eq!(opened.formulas("P", "p >= 1"), ["p >= 1"]);
    assert_eq!(
        opened.formulas("P", "p > 0 ==> q > 0 && g > 0"),
        ["p <= 0 || q > 0 && g > 0"]
    );
}

#[test]
fn a_call_without_a_place_is_every_call_that_the_entry_reaches() {
    let mut opened = Opened::new("sites");
    assert_eq!(
        opened.formulas("P", "Lib1() != NULL"),
        ["Lib1___11 != NULL", "Lib1___12 != NULL"]
    );
    assert_eq!(opened.formulas("P", "Lib1()@12 != p"), ["p != Lib1___12"]);
    assert_eq!(
        opened.formulas("P", "Lib1() != Lib1()@11"),
        ["Lib1___11 != Lib1___11", "Lib1___12 != Lib1___11"]
    );
    assert_eq!(
        opened.formulas("P", "m[Lib2().r] != NULL"),
        ["m[Lib2___r_13] != NULL"]
    );
    assert_eq!(opened.formulas("P", "Lib2().s"), ["Lib2___s_13"]);
    assert_eq!(
        opened.formulas("P", "g after Lib2() > 0"),
        ["g_after_Lib2___13 > 0"]
    );
    assert_eq!(opened.formulas("P", "a after havoc@14 != NULL"), ["a_14 != NULL"]);
    opened.refused("Q", "Lib1() != NULL", "the program has it in line 11, 12");
    opened.refused("P", "Lib1()@99 != NULL", "the program has it in line 11, 12");
    opened.refused(
        "P",
        "Lib3() != NULL",
        "`Lib3()` is nothing that the environment of `P` gives",
    );
}

#[test]
fn a_parameter_hides_a_global() {
    let mut opened = Opened::new("hides");
    let of = |opened: &mut Opened, entry: &str| {
        let formula = opened.resolve(entry, "g > 0").expect("it can be read").remove(0);
        opened.pool.free_vars(&[formula.term])
    };
    let global = opened.front_end.program.globals[0];
    assert!(of(&mut opened, "P").contains(&global));
    assert!(!of(&mut opened, "Q").contains(&global));
}

#[test]
fn what_makes_no_sense_is_told() {
    let mut opened = Opened::new("sense");
    opened.refused("P", "x != NULL", "`x` is no parameter of `P`");
    opened.refused("P", "p", "`p` is no condition");
    opened.refused("P", "p[3] == 1", "`p` is no map");
    opened.refused("P", "m[1, 2] == 1", "takes 1 indices, not 2");
    opened.refused("P", "m == p", "is of type");
    opened.refused("P", "m + 1 > 0", "`m` is no number");
    opened.refused("P", "*p == 1", "is C");
    opened.refused("P", "f(p, q) == 1", "no function `f` with 2 arguments");
    opened.refused("P", "\"whatever\"", "cannot be understood");
}

#[test]
fn a_program_without_null_is_refused() {
    let diagnostics = match read("null", "procedure P() { }") {
        Ok(_) => panic!("it was read"),
        Err(diagnostics) => diagnostics,
    };
    assert_eq!(diagnostics.len(), 1);
    assert_eq!(diagnostics[0].code, "no-null-constant");
}
