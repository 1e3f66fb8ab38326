//! Small programs, all levels and all ways to minimise: loops with data, guards, several components.

mod common;

use common::{Input, Question, conforms};
use lariat_base::Budget;
use lariat_conform::cegar::{CegarVerdict, Levels, Options, Property};
use lariat_conform::minimise::{Minimise, MinimiseOptions};

fn matrix() -> Vec<Options> {
    let mut all = Vec::new();
    for levels in Levels::ALL {
        for mode in Minimise::ALL {
            all.push(Options {
                levels,
                minimise: MinimiseOptions {
                    mode,
                    ..MinimiseOptions::default()
                },
                ..Options::default()
            });
        }
    }
    all
}

fn expect(input: &Input<'_>, expected: bool) {
    for options in matrix() {
        let mut question = Question::new(input, Budget::unlimited());
        let (verdict, _) = question.run(Property::Conformance, &options);
        if let CegarVerdict::Violates(violation) = &verdict {
            let names = question.actions.names(&violation.trace);
            assert!(!expected, "{options:?}: {names:?}");
        }
        assert_eq!(conforms(&verdict), expected, "{options:?}");
    }
}

const LOCKS: &str = "
LOCK = (lock -> return{} -> STOP).
UNLOCK = (unlock -> return{} -> STOP).
SPEC = (lock -> unlock -> SPEC).
";

fn locks(text: &str, expected: bool) {
    expect(
        &Input {
            components: &[("locks", text, "run")],
            fsp: LOCKS,
            specification: "SPEC",
            routines: &[
                ("acquire", &[], &[("true", "LOCK")]),
                ("release", &[], &[("true", "UNLOCK")]),
            ],
            errors: false,
        },
        expected,
    );
}

/// The classical example of predicate abstraction.
#[test]
fn lock_in_a_loop() {
    for (comparison, expected) in [("!=", true), ("==", false)] {
        let text = format!(
            "void acquire(void); void release(void); int more(void); int next(void);
             void run(void) {{
                 int packets, old;
                 packets = next();
                 do {{
                     acquire();
                     old = packets;
                     if (more()) {{ release(); packets++; }}
                 }} while (packets {comparison} old);
                 release();
             }}"
        );
        locks(&text, expected);
    }
}

#[test]
fn a_loop_that_counts() {
    let text = |bound: &str| {
        format!(
            "void acquire(void); void release(void);
             void run(unsigned n) {{
                 unsigned i, count = 0;
                 for (i = 0; i < n; i++) count++;
                 if (count {bound} n) release();
             }}"
        )
    };
    locks(&text("!="), true);
    locks(&text("=="), false);
}

#[test]
fn guards_choose_a_system() {
    let make = |text: &'static str, expected: bool| {
        let components = [("guarded", text, "run")];
        expect(
            &Input {
                components: &components,
                fsp: "GOOD = (good -> return{1} -> STOP).
                      BAD = (bad -> return{0} -> STOP).
                      SPEC = (good -> SPEC) + {bad}.",
                specification: "SPEC",
                routines: &[("act", &["n"], &[("n > 0", "GOOD"), ("n <= 0", "BAD")])],
                errors: false,
            },
            expected,
        );
    };
    make(
        "int act(int n); int pick(void);
         void run(void) { int x = pick(); if (x < 1) x = 1; if (!act(x)) act(0); }",
        true,
    );
    make(
        "int act(int n); int pick(void);
         void run(void) { int x = pick(); if (x < 0) x = 1; act(x); }",
        false,
    );
}

const PING: &str = "
PING = (ping -> return{} -> STOP).
PONG = (pong -> return{0} -> STOP | late -> return{1} -> STOP).
GET = (ping -> return{} -> STOP).
PUT = (pong -> return{} -> STOP).
SPEC = (ping -> pong -> SPEC).
";

#[test]
fn two_components() {
    let client = "void ping(void); int pong(void);
         int client(void) { int n = 0; while (n < 3) { ping(); if (pong()) return 1; n++; } return 0; }";
    let server = |answers: &str| {
        format!(
            "void get(void); void put(void);
             void server(void) {{ int on = 1; while (on) {{ get(); {answers} }} }}"
        )
    };
    for (answers, expected) in [
        ("put();", true),
        ("if (!on) put(); else { put(); put(); }", true),
        ("", false),
    ] {
        let server = server(answers);
        // Without an answer the client is too late, which nobody may be.
        let fsp = format!("{PING}STRICT = (ping -> pong -> STRICT) + {{late}}.");
        expect(
            &Input {
                components: &[("client", client, "client"), ("server", &server, "server")],
                fsp: &fsp,
                specification: if expected { "SPEC" } else { "STRICT" },
                routines: &[
                    ("ping", &[], &[("true", "PING")]),
                    ("pong", &[], &[("true", "PONG")]),
                    ("get", &[], &[("true", "GET")]),
                    ("put", &[], &[("true", "PUT")]),
                ],
                errors: false,
            },
            expected,
        );
    }
}
