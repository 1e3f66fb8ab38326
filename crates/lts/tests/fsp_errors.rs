//! Wrong FSP: every message has a place and says what to do.

mod support;

use lariat_lts::ActionTable;
use support::*;

/// The messages for a model whose process `P` is asked for.
fn messages(text: &str) -> String {
    match try_fsp(text, "P", &mut ActionTable::new()) {
        Ok(lts) => panic!("{text:?} was accepted with {} states", lts.state_count()),
        Err(message) => message,
    }
}

#[test]
fn each_error_has_its_message_place_and_hint() {
    let cases: &[(&str, &[&str])] = &[
        (
            "P = (a -> Q).",
            &[
                "no local process `Q`",
                "model.lts:1:11",
                "define it after a comma",
            ],
        ),
        ("Q = STOP. P = (a -> Q).", &["no local process `Q`", "`Q;END`"]),
        ("P = (a -> OFF), OF = STOP.", &["did you mean `OF`?"]),
        ("P = P.", &["without an action in between", "(a -> P)", "1:5"]),
        ("P = A[0], A[i:0..1] = A[1-i].", &["without an action in between"]),
        ("SKIP = END. P = SKIP;P.", &["without an action in between"]),
        (
            "P = C[0], C[i:0..2] = (up -> C).",
            &["`C` has 1 index(es), but 0 are given"],
        ),
        (
            "P[i:0..2] = (a -> P[i]).",
            &["starts without a value", "P = P[0]"],
        ),
        ("P = (a[j] -> STOP).", &["`j` is not bound here", "[j:0..3]"]),
        ("P = (a[N] -> STOP).", &["`N` is not bound here", "const N = 1"]),
        ("const SIZE = 1 P = (a[SIZ] -> STOP).", &["did you mean `SIZE`?"]),
        ("const N = 0 P = (a[4/N] -> STOP).", &["division by zero"]),
        (
            "const N = 9223372036854775807 + 1 P = (a[N] -> STOP).",
            &["64 bits"],
        ),
        (
            "const N = M const M = N P = (a[N] -> STOP).",
            &["needs `N` itself"],
        ),
        ("range R = 3..1 P = (a[R] -> STOP).", &["3..1 is empty"]),
        (
            "range R = 0..3 P = (a[R+1] -> STOP).",
            &["range or a set", "[i:R]"],
        ),
        ("P = (a[i:0..99999999] -> STOP).", &["more than 100000 values"]),
        ("P = (a -> STOP) \\ S.", &["no set `S`"]),
        (
            "P = STOP. P = END.",
            &["`P` is defined twice", "the first definition"],
        ),
        (
            "P = A[1], A[i:0..2] = STOP, A[2] = END.",
            &["`A[2]` is defined twice"],
        ),
        ("Q = (a -> STOP). ||P = (Q(3)).", &["0 parameter(s), but 1"]),
        ("||P = (a:P).", &["is a part of itself"]),
        (
            "QUEUE = STOP. ||P = (QEUE).",
            &["no process `QEUE`", "did you mean `QUEUE`?"],
        ),
        (
            "P = STOP. fluent F = <a, {a, b}> assert P2 = [] F assert P2 = [] a",
            &["`P2` is defined twice"],
        ),
        (
            "P = STOP. assert A = [] (a -> ",
            &["expected a formula", "end of the file"],
        ),
        ("P = STOP. fluent F = <a b>", &["`,` and the actions that end it"]),
        ("P = (a -> b).", &["expected `->` and a process", "1:12"]),
        ("P = a -> STOP.", &["an action cannot stand here", "parentheses"]),
        (
            "P = (a -> STOP)",
            &["expected `.` at the end", "the end of the file"],
        ),
        ("p = (a -> STOP).", &["capital letter"]),
        ("P = (a -> STOP | ).", &["expected an action"]),
        ("P = (a -> STOP). $$$ Q = STOP.", &["no part of FSP"]),
        ("P = (a -> STOP). /* never ends", &["has no end", "`*/`"]),
        ("P = (return{'x} -> STOP).", &["only numbers can be returned"]),
        ("P = (a -> P(3)).", &["only processes before `;`"]),
        (
            "P = C[0], C[i:0..30000] = (a[i] -> C[i]).",
            &["more than 20000 states", "make ranges smaller"],
        ),
        ("END = (a -> STOP).", &["a definition was expected"]),
        ("const P1 = 1", &["no process `P`"]),
        ("", &["no process `P`", "defines no process"]),
    ];
    for (text, parts) in cases {
        let found = messages(text);
        for part in *parts {
            assert!(found.contains(part), "{part:?} is missing for {text:?}:\n{found}");
        }
    }
}

#[test]
fn several_errors_are_reported_at_once() {
    let found = messages("A = (a -> ). const = 3 P = (x[i] -> Q | y -> R). B = (b STOP). ||C = (a:A || ).");
    assert_eq!(found.matches("error[").count(), 4, "{found}");
    let found = messages("P = (x[i] -> STOP), Q = (x -> R), S = (y -> P[1]).");
    assert_eq!(found.matches("error[").count(), 3, "{found}");
}

#[test]
fn other_declarations_are_passed_over_with_a_warning() {
    let mut actions = ActionTable::new();
    let text = "constraint GO = {a} menu RUN = {a, b} P = (a -> P). animation SAFE = {a} Q = STOP.";
    assert!(try_fsp(text, "P", &mut actions).is_ok_and(|lts| lts.state_count() == 1));
    let mut sources = lariat_base::SourceMap::new();
    let source = sources.add("model.lts", text);
    let (_, diagnostics) = lariat_lts::fsp::parse(source, text);
    assert!(diagnostics.iter().count() >= 3 && !diagnostics.has_errors());
}

#[test]
fn deep_nesting_is_refused() {
    for text in [
        format!("P = {}STOP{}.", "(a -> ".repeat(5000), ")".repeat(5000)),
        format!("P = (a[{}1{}] -> STOP).", "(".repeat(5000), ")".repeat(5000)),
        format!("P = (a[{}1] -> STOP).", "-".repeat(5000)),
        format!("P = (a[1{}] -> STOP).", "+1".repeat(50_000)),
        format!("P = {}STOP.", "if 1 then ".repeat(5000)),
        format!("P = ({}a{} -> STOP).", "{".repeat(5000), "}".repeat(5000)),
        format!("||P = {}A{}.", "(".repeat(5000), ")".repeat(5000)),
    ] {
        let found = messages(&text);
        assert!(
            found.contains("nested too deeply") || found.contains("too long"),
            "{found}"
        );
    }
    let chain = format!("P = ({}STOP).", "a -> ".repeat(10_000));
    let lts = fsp(&chain, "P", &mut ActionTable::new());
    assert_eq!(lts.state_count(), 10_001);
}

#[test]
fn arbitrary_text_never_panics() {
    let words = [
        "P", "Q", "a", "b", "=", "(", ")", "->", "|", "||", "[", "]", "{", "}", ".", ",", "..", ":", "::",
        ";", "/", "\\", "@", "+", "-", "1", "0", "const", "range", "set", "property", "when", "if", "then",
        "else", "forall", "return", "STOP", "END", "ERROR", "'", "#", "==", "i", "N", "minimal",
    ];
    for seed in 0..4000 {
        let mut numbers = Random::new(seed);
        let mut text = if numbers.one_in(2) {
            "P = (".to_owned()
        } else {
            String::new()
        };
        for _ in 0..numbers.below(40) {
            text.push_str(words[numbers.below(words.len())]);
            text.push(' ');
        }
        let _ = try_fsp(&text, "P", &mut ActionTable::new());
    }
}

#[test]
fn damaged_models_never_panic() {
    let model = "const N = 2 range R = 0..N set S = {x, y[R]} \
        P(K=N) = C[0], C[i:0..K] = (when (i < K) up[i] -> C[i+1] | S -> if i == 1 then END else C[0]) + {z} \\ {up}. \
        property Q = (a.b[j:R].{c,d} -> return{j} -> STOP). \
        ||T(M=1) = (forall[i:0..M] p[i]:P(1) || {s,t}::Q / {n/s.a}) / {m/t.a} @ {m, n}.";
    let pieces: Vec<&str> = model.split(' ').collect();
    for seed in 0..2000 {
        let mut numbers = Random::new(seed);
        let mut pieces = pieces.clone();
        for _ in 0..1 + numbers.below(3) {
            let (place, other) = (numbers.below(pieces.len()), numbers.below(pieces.len()));
            match numbers.below(3) {
                0 => drop(pieces.remove(place)),
                1 => pieces.insert(place, pieces[other]),
                _ => pieces.swap(place, other),
            }
        }
        let text = pieces.join(" ");
        for process in ["P", "Q", "T"] {
            let _ = try_fsp(&text, process, &mut ActionTable::new());
        }
    }
    assert!(try_fsp(model, "T", &mut ActionTable::new()).is_ok());
}
