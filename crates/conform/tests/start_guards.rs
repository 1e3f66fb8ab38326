//! Guards of components (§3.5) speak of parameters and globals as they are when the component starts.

#[path = "common/project.rs"]
mod project;

use lariat_report::Verdict;
use project::{Files, rendered};

const FSP: &str = "
LOUD = (loud -> return{} -> STOP).
SPEC = STOP + {loud}.
";

const PROJECT: &str = "
[specification]
file = \"spec.fsp\"
process = \"SPEC\"
guards = { run = \"GUARD\" }

[[component]]
file = \"run.c\"
procedure = \"run\"

[[routine]]
name = \"shout\"
process = \"LOUD\"
";

fn verdict(declaration: &str, condition: &str, guard: &str) -> (Verdict, String) {
    let text = format!("void shout(void);\n{declaration}\nvoid run(int n) {{ if ({condition}) shout(); }}\n");
    let project = PROJECT.replace("GUARD", guard);
    let files = Files::new(&[("run.c", &text), ("spec.fsp", FSP), ("a.conform", &project)]);
    let report = files.run("a.conform");
    let text = rendered(&report);
    (report.verdict, text)
}

#[test]
fn of_parameters_and_globals() {
    for (declaration, condition, guard, expected) in [
        ("", "n > 3", "n < 2", Verdict::Proved),
        ("", "n > 3", "n < 5", Verdict::Bug),
        ("extern int mode;", "!mode", "mode != 0", Verdict::Proved),
        ("extern int mode;", "mode == 3", "mode != 0", Verdict::Bug),
        ("static int mode = 2;", "mode != 2", "mode == 2", Verdict::Proved),
    ] {
        let (verdict, text) = verdict(declaration, condition, guard);
        assert_eq!(verdict, expected, "{declaration} {condition} {guard}: {text}");
    }
}

/// Nothing that a component does not do is a proof.
#[test]
fn that_never_hold() {
    for (declaration, condition, guard) in [
        ("", "n", "n < 1 && n > 1"),
        ("int mode;", "mode", "mode == 1"),
        ("static int mode = 2;", "n > mode", "n == 1 && mode == 1"),
    ] {
        let (verdict, text) = verdict(declaration, condition, guard);
        assert_eq!(verdict, Verdict::BadInput, "{declaration} {guard}");
        assert!(
            text.contains("`run` can never start") && text.contains("a.conform:5"),
            "{text}"
        );
    }
}
