//! Rule files: what is read, and what is said about mistakes.

use std::path::Path;

use lariat_base::{Diagnostics, SourceMap};
use lariat_specs::rules::{
    Comparison, Condition, Effect, Object, Rule, RuleKind, SHIPPED, Trigger, load, parse,
};

fn read(text: &str) -> Result<Rule, String> {
    let mut sources = SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    let rule = parse(Path::new("test.toml"), text, &mut sources, &mut diagnostics);
    let messages: Vec<String> = diagnostics
        .iter()
        .map(|diagnostic| {
            let line = diagnostic.span.map_or(0, |span| sources.line_column(span).0);
            let hint = diagnostic.hint.clone().unwrap_or_default();
            format!("{line}: {} ({hint})", diagnostic.message)
        })
        .collect();
    rule.ok_or_else(|| messages.join("\n"))
}

#[test]
fn the_shipped_rules_are_rules() {
    for (name, text) in SHIPPED {
        let rule = read(text).unwrap_or_else(|messages| panic!("{name}: {messages}"));
        assert_eq!(rule.name, name);
        assert!(!rule.description.is_empty(), "{name} has no description");
    }
}

#[test]
fn all_keys_are_read() {
    let rule = read(
        r#"
name = "level"
kind = "global"
states = ["low", "middle", "high"]
incoming = "low"

[[event]]
call = ["raise*", "up"]
require = ["low", "<= middle"]
forbid = "high"
message = "too high"
set-argument = 1
keep-old = 2

[[event]]
on = "exit"
require = "!= 2"
"#,
    )
    .expect("it is a rule");
    assert_eq!((rule.kind, rule.incoming), (RuleKind::Global, Some(0)));
    let [raise, exit] = rule.events.as_slice() else {
        panic!("two events, not {:?}", rule.events);
    };
    assert!(raise.is_call_of("raise_it") && raise.is_call_of("up") && !raise.is_call_of("upper"));
    assert_eq!(raise.effect, Effect::SetArgument(0));
    assert_eq!(raise.keep_old, Some(1));
    let middle = Condition {
        comparison: Comparison::Le,
        state: 1,
    };
    assert_eq!(raise.require[1], middle);
    assert_eq!(raise.forbid[0].state, 2);
    assert_eq!(exit.trigger, Trigger::Exit);
    assert_eq!(exit.require[0].comparison, Comparison::Ne);
}

#[test]
fn objects_are_arguments_or_results() {
    let text = "name = \"r\"\nstates = [\"a\", \"b\"]\n[[event]]\ncall = \"f\"\nset = \"b\"\n";
    let first = read(&format!("{text}object = 1\n")).expect("it is a rule");
    assert_eq!(first.events[0].object, Some(Object::Argument(0)));
    let result = read(&format!("{text}object = \"result\"\n")).expect("it is a rule");
    assert_eq!(result.events[0].object, Some(Object::Result));
}

#[test]
fn patterns_have_stars_anywhere() {
    let rule =
        read("name = \"r\"\nkind = \"global\"\n[[event]]\ncall = \"a*b*c\"\nadd = 1\n").expect("a rule");
    let event = &rule.events[0];
    for name in ["abc", "axxbyyc", "abbcc"] {
        assert!(event.is_call_of(name), "{name}");
    }
    for name in ["ab", "acb", "xabc", "abcx"] {
        assert!(!event.is_call_of(name), "{name}");
    }
}

#[test]
fn mistakes_have_a_line_and_a_hint() {
    let head = "name = \"r\"\nstates = [\"a\", \"b\"]\n";
    let event = "[[event]]\ncall = \"f\"\nobject = 1\n";
    for (text, expected) in [
        ("name = ".to_owned(), "1: "),
        (
            format!("{head}colour = 3\n{event}set = \"a\"\n"),
            "3: unknown key `colour`",
        ),
        (
            format!("{head}{event}set = \"c\"\n"),
            "6: there is no state `c`: the states are a, b",
        ),
        (
            format!("{head}{event}require = \"<= c\"\n"),
            "6: there is no state `c`",
        ),
        (format!("{head}{event}"), "neither requires nor changes"),
        (
            format!("{head}[[event]]\ncall = \"f\"\nset = \"a\"\n"),
            "which object",
        ),
        (format!("{head}[[event]]\nset = \"a\"\n"), "does not say when"),
        (
            format!("{head}[[event]]\non = \"start\"\nrequire = \"a\"\n"),
            "4: `on` cannot be \"start\"",
        ),
        (
            format!("{head}[[event]]\ncall = \"f\"\nobject = 0\nset = \"a\"\n"),
            "5: there is no argument 0",
        ),
        (
            format!("{head}[[event]]\ncall = 7\nobject = 1\nset = \"a\"\n"),
            "4: `call` must be a text",
        ),
        (format!("{head}{event}set = \"a\"\nadd = 1\n"), "twice"),
        (
            "name = \"r\"\nkind = \"local\"\nstates = [\"a\"]\n".to_owned(),
            "2: `kind` cannot be \"local\"",
        ),
        ("states = [\"a\"]\n".to_owned(), "has no name"),
    ] {
        let Err(messages) = read(&text) else {
            panic!("{text} is no rule");
        };
        assert!(messages.contains(expected), "{text}\ngives {messages}");
    }
}

#[test]
fn rules_are_found_by_name_or_path() {
    let mut sources = SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    let wanted = ["lock".to_owned(), "lock".to_owned(), "irql".to_owned()];
    let rules = load(&wanted, &mut sources, &mut diagnostics);
    let names: Vec<&str> = rules.iter().map(|rule| rule.name.as_str()).collect();
    assert_eq!(names, ["lock", "irql"]);
    assert!(!diagnostics.has_errors());
    assert!(load(&["lok".to_owned()], &mut sources, &mut diagnostics).is_empty());
    assert!(diagnostics.has_errors());
}

#[test]
fn the_rules_of_the_examples_are_rules() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/angelic/rules");
    let files = std::fs::read_dir(folder).expect("the examples are there");
    let mut count = 0;
    for file in files {
        let path = file.expect("it can be listed").path();
        let text = std::fs::read_to_string(&path).expect("it can be read");
        assert_eq!(read(&text).err(), None, "{}", path.display());
        count += 1;
    }
    assert!(count > 0);
}
