//! Calls are bound to models: programs are read by the reader, and what comes out is looked at as text.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use lariat_c_library::is_intrinsic;
use lariat_c_models::{instantiate, models, needs};
use lariat_c_program::{
    CProgram, Callee, ExprKind, Linkage, Machine, Node, NodeId, Purpose, StmtKind, print_function, visit_stmt,
};
use lariat_c_reader::{ReadOptions, read_with_models};
use lariat_options::COptions;
use lariat_testkit::c;
use lariat_testkit::folder::Folder;

/// Reads texts as files of the user.
fn read(texts: &[&str], options: &ReadOptions) -> CProgram {
    let folder = Folder::new("binding");
    let paths: Vec<PathBuf> = (1..)
        .zip(texts)
        .map(|(number, text)| folder.write(&format!("{number}.c"), text))
        .collect();
    let files: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
    c::read_by(|sources, diagnostics| read_with_models(&files, options, needs, sources, diagnostics))
}

/// What calls of library functions became.
struct Bound {
    /// Models with a body, and how many functions are that model.
    used: BTreeMap<String, usize>,
    /// Functions without body that are no intrinsics, in the order of their first uses.
    unknown: Vec<String>,
}

fn bound_of(program: &CProgram) -> Bound {
    let (mut used, mut unknown) = (BTreeMap::new(), Vec::new());
    for function in program.functions.values() {
        let Some(body) = &function.body else { continue };
        if function.purpose == Purpose::Model {
            *used.entry(function.name.to_string()).or_default() += 1;
        }
        visit_stmt(body, &mut |node| {
            let Node::Expr(expr) = node else { return };
            let (ExprKind::FunctionAddress(id)
            | ExprKind::Call {
                callee: Callee::Function(id),
                ..
            }) = &expr.kind
            else {
                return;
            };
            let called = &program.functions[*id];
            let name = called.name.to_string();
            if called.body.is_none() && !is_intrinsic(&name) && !unknown.contains(&name) {
                unknown.push(name);
            }
        });
    }
    Bound { used, unknown }
}

fn bound_with(text: &str, options: ReadOptions) -> (CProgram, Bound) {
    let mut program = read(&[text], &options);
    instantiate(&mut program);
    check(&program);
    let bound = bound_of(&program);
    (program, bound)
}

fn bound(text: &str) -> (CProgram, Bound) {
    let options = ReadOptions {
        library: models(),
        ..ReadOptions::default()
    };
    bound_with(text, options)
}

/// The function `f` after the binding of its calls.
fn body(text: &str) -> String {
    let (program, _) = bound(text);
    let (id, _) = program
        .functions
        .iter()
        .find(|(_, function)| &*function.name == "f")
        .expect("there is a function f");
    print_function(&program, id).replace("`unsigned long`", "")
}

/// What must hold of every program: nodes are unique, calls have as many arguments as there are parameters, and nothing
/// is left of the types that models use for others.
fn check(program: &CProgram) {
    let mut seen: Vec<NodeId> = Vec::new();
    for function in program.functions.values() {
        let Some(body) = &function.body else { continue };
        visit_stmt(body, &mut |node| match node {
            Node::Expr(expr) => {
                seen.push(expr.id);
                assert!(
                    !program.types.name(expr.ty).contains("__lariat_T"),
                    "{}",
                    function.name
                );
                if let ExprKind::Call {
                    callee: Callee::Function(callee),
                    args,
                } = &expr.kind
                {
                    let callee = &program.functions[*callee];
                    if callee.body.is_some() && callee.purpose == Purpose::Model {
                        assert!(args.len() >= callee.params.len(), "{}", callee.name);
                        for (arg, &param) in args.iter().zip(&callee.params) {
                            assert_eq!(arg.ty, callee.locals[param].ty, "{}", callee.name);
                        }
                    }
                }
            }
            Node::Place(place) => seen.push(place.id),
            Node::Stmt(_) => {}
        });
    }
    let count = seen.len();
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), count, "a node has two places");
}

/// Checks that the text contains all of these, in this order.
fn contains_in_order(text: &str, parts: &[&str]) {
    let mut rest = text;
    for part in parts {
        let Some(at) = rest.find(part) else {
            panic!("`{part}` is not in\n{rest}\nof\n{text}");
        };
        rest = &rest[at + part.len()..];
    }
}

#[test]
fn all_models_can_be_read_and_are_supported() {
    for machine in [Machine::Lp64, Machine::Ilp32] {
        let texts = models();
        let texts: Vec<&str> = texts.iter().map(|(_, text)| text.as_str()).collect();
        let options = ReadOptions::from(COptions {
            machine,
            ..COptions::default()
        });
        let mut program = read(&texts, &options);
        let mut bodies = 0;
        for function in program.functions.values() {
            let Some(body) = &function.body else {
                assert!(is_intrinsic(&function.name), "{} has no body", function.name);
                continue;
            };
            bodies += 1;
            visit_stmt(body, &mut |node| {
                let reason = match node {
                    Node::Expr(expr) => match &expr.kind {
                        ExprKind::Unsupported(reason) => Some(reason),
                        _ => None,
                    },
                    Node::Stmt(stmt) => match &stmt.kind {
                        StmtKind::Unsupported(reason) => Some(reason),
                        _ => None,
                    },
                    Node::Place(_) => None,
                };
                assert_eq!(reason, None, "in {}", function.name);
            });
        }
        assert!(bodies > 400, "only {bodies} models");
        instantiate(&mut program);
        assert!(bound_of(&program).unknown.is_empty());
    }
}

/// Calls of these are taken apart where they are bound: they need no model of their name.
const TAKEN_APART: &[&str] = &[
    "scanf",
    "fscanf",
    "sscanf",
    "isfinite",
    "isinf_sign",
    "isgreater",
    "isgreaterequal",
    "isless",
    "islessequal",
    "isunordered",
    "fpclassify",
];

#[test]
fn the_table_lists_the_models() {
    let texts = models();
    let texts: Vec<&str> = texts.iter().map(|(_, text)| text.as_str()).collect();
    let program = read(&texts, &ReadOptions::default());
    let written: BTreeSet<String> = program
        .functions
        .values()
        .filter(|function| function.body.is_some() && function.linkage == Linkage::External)
        .map(|function| function.name.to_string())
        .filter(|name| !name.starts_with("__lariat_"))
        .collect();
    let mut listed: BTreeSet<String> = lariat_c_library::modelled()
        .into_iter()
        .filter(|name| !name.starts_with("__lariat_"))
        .collect();
    for name in TAKEN_APART {
        assert!(listed.remove(*name), "{name}");
    }
    assert_eq!(written, listed);
}

#[test]
fn a_copy_of_a_record_is_an_assignment() {
    let text = body(
        "#include <string.h>
         struct s { int a; double b; };
         void f(struct s *x, struct s *y) { memcpy(x, y, sizeof *x); memset(y, 0, sizeof(struct s)); }",
    );
    // What is called is the check that the objects do not overlap.
    let copy = ["= x;", "= y;", "memcpy(%", ", 1);", "(*%", " = *%"];
    contains_in_order(&text, &copy);
    contains_in_order(&text, &["= y;", "= y;", ")zero {  });"]);
    assert!(!text.contains("memset"), "{text}");
}

#[test]
fn elements_of_arrays_are_assigned_one_by_one() {
    let text = body(
        "#include <string.h>
         int v[4], w[3][2];
         void f(void *p, char *q) {
             memmove(v, v + 1, 2 * sizeof *v);
             __builtin_memcpy(&w, p, sizeof w);
             memset(q, 0, 2);
             bzero(v, 8);
         }",
    );
    assert!(!text.contains("memmove") && !text.contains("memset"), "{text}");
    contains_in_order(&text, &["int *%2 = &v;", "int *%3 = (&v + 1 :4);"]);
    // memmove reads all before it writes.
    contains_in_order(
        &text,
        &[
            "int %4 = *%3;",
            "int %5 = *(%3 + 1 :4);",
            "(*%2 = %4);",
            "(*(%2 + 1 :4) = %5);",
        ],
    );
    contains_in_order(&text, &["(int *)p", "+ 5 :4)"]);
    contains_in_order(&text, &["0`char`", "0`char`"]);
}

#[test]
fn blocks_of_other_sizes_stay_calls() {
    let text = body(
        "#include <string.h>
         struct s { int a; double b; } x, y;
         struct t { char c[16]; } z;
         void f(char *p, void *q, unsigned long n) {
             memcpy(&x, &y, 4);
             memcpy(&x, &z, sizeof x);
             memcpy(p, q, n);
             memset(p, 1, 4);
             memset(q, 0, 8);
         }",
    );
    assert_eq!(text.matches("memcpy(").count(), 3, "{text}");
    assert_eq!(text.matches("memset(").count(), 2, "{text}");
}

#[test]
fn many_elements_are_copied_by_a_typed_model() {
    let (program, _) = bound(
        "#include <string.h>
         #include <stdlib.h>
         struct s { long a; int b; };
         static int order(const void *x, const void *y) { return *(int *)x - *(int *)y; }
         void f(struct s *x, struct s *y, int *v, unsigned long n) {
             memcpy(x, y, n * sizeof *x);
             struct s *p = calloc(n, sizeof *p);
             p = realloc(p, 2 * n * sizeof *p);
             qsort(v, n, sizeof *v, order);
             int a[100];
             memset(a, 0, sizeof a);
         }",
    );
    let text = |name: &str| -> String {
        let copies = program
            .functions
            .iter()
            .filter(|(_, function)| &*function.name == name);
        let with_body = copies.filter(|(_, function)| function.body.is_some());
        with_body.map(|(id, _)| print_function(&program, id)).collect()
    };
    contains_in_order(
        &text("memcpy"),
        &["(struct s *, struct s *", "(*(to + i :16) = *(from + i :16))"],
    );
    contains_in_order(
        &text("calloc"),
        &[
            "struct s *p = (struct s *)malloc",
            "struct s zero = zero {  }",
            "(p + i :16)",
        ],
    );
    contains_in_order(
        &text("realloc"),
        &["struct s *to", "(*(to + i :16) = *(from + i :16))"],
    );
    contains_in_order(&text("qsort"), &["int element = *(a +", ":4)"]);
    contains_in_order(
        &text("memset"),
        &["int zero = zero {  }", "(*(to + i :4) = zero)"],
    );
}

#[test]
fn a_size_that_may_wrap_around_is_looked_at() {
    let text = body(
        "#include <string.h>
         struct s { int a[3]; };
         void f(struct s *x, struct s *y, unsigned long n) { memcpy(x, y, n * sizeof *x); }",
    );
    contains_in_order(&text, &["% 12", "wraps around", "/ 12"]);
}

#[test]
fn every_call_has_its_own_copy() {
    let (program, report) = bound(
        "#include <string.h>
         #include <stdlib.h>
         unsigned long f(char *a, char *b) { free(strdup(a)); return strlen(a) + strlen(b) + abs(1) + abs(2); }",
    );
    let used = |name: &str| report.used.get(name).copied();
    // strdup calls strlen too.
    assert_eq!(used("strlen"), Some(3));
    assert_eq!(used("abs"), Some(1), "there are no pointers to tell apart");
    assert_eq!(used("strcpy"), None);
    let strlens = program
        .functions
        .values()
        .filter(|function| &*function.name == "strlen");
    assert_eq!(strlens.filter(|function| function.body.is_some()).count(), 3);
    assert!(report.unknown.is_empty());
}

#[test]
fn there_are_not_too_many_copies() {
    let calls = "n += strlen(s);".repeat(500);
    let (_, report) = bound(&format!(
        "#include <string.h>
         unsigned long f(char *s) {{ unsigned long n = 0; {calls} return n; }}"
    ));
    assert_eq!(report.used, BTreeMap::from([("strlen".to_owned(), 200)]));
}

#[test]
fn pointers_go_to_the_model_itself() {
    let (program, report) = bound(
        "#include <string.h>
         #include <stdlib.h>
         typedef unsigned long length(const char *);
         length *table[] = {strlen};
         void (*g)(void *) = free;
         unsigned long f(char *s) { length *p = strlen; return p(s) + strlen(s) + table[0](s); }",
    );
    assert_eq!(report.used.get("strlen"), Some(&2));
    let free = program
        .functions
        .values()
        .find(|function| &*function.name == "free")
        .expect("it is there");
    assert!(free.body.is_some());
}

#[test]
fn other_names_are_bound_to_the_same_model() {
    let (_, report) = bound(
        "typedef unsigned long size_t;
         char *__strdup(const char *);
         void *__memset_chk(void *, int, size_t, size_t);
         int __isoc99_sscanf(const char *, const char *, ...);
         int __printf_chk(int, const char *, ...);
         int __sprintf_chk(char *, int, size_t, const char *, ...);
         double f(char *s, size_t n) {
             int x;
             __memset_chk(s, 1, n, 10);
             __isoc99_sscanf(s, \"%d\", &x);
             __printf_chk(1, \"%s\", s);
             __sprintf_chk(s, 1, 10, \"%d\", x);
             __builtin_strlen(__strdup(s));
             __builtin_unreachable();
             return __builtin_pow(1.0, 2.0) + __builtin_popcount(3) + __builtin_expect(x, 1);
         }",
    );
    assert!(report.unknown.is_empty());
    for name in ["memset", "strdup", "strlen", "printf", "pow"] {
        assert!(report.used.contains_key(name), "{name}");
    }
}

#[test]
fn unknown_functions_are_listed() {
    let (_, report) = bound(
        "int first(int);
         void second(char *);
         void third(void);
         int tsearch(void (*)(void));
         int __VERIFIER_nondet_int(void);
         void defined(void) {}
         int f(char *s) { second(s); second(s + 1); tsearch(third); defined(); return first(__VERIFIER_nondet_int()); }",
    );
    assert_eq!(report.unknown, ["second", "tsearch", "third", "first"]);
}

#[test]
fn what_the_user_defines_is_not_replaced() {
    let (_, report) = bound(
        "unsigned long strlen(const char *s) { return 3; }
         void *memcpy(void *to, const void *from, unsigned long n) { return to; }
         unsigned long f(int *a, int *b) { memcpy(a, b, sizeof *a); return strlen(\"\"); }",
    );
    assert!(report.used.is_empty());
}

#[test]
fn a_model_of_the_user_wins() {
    let text = "void *memcpy(void *to, const void *from, unsigned long n) { return to; }
                int sprintf(char *to, const char *format, ...) { return 1; }";
    let mut all = vec![(PathBuf::from("mine.c"), text.to_owned())];
    all.extend(models());
    let options = ReadOptions {
        models: all,
        ..ReadOptions::default()
    };
    let (program, _) = bound_with(
        "void *memcpy(void *, const void *, unsigned long);
         int sprintf(char *, const char *, ...);
         void f(int *a, int *b, char *s) { memcpy(a, b, sizeof *a); sprintf(s, \"%d\", *a); }",
        options,
    );
    let (id, _) = program
        .functions
        .iter()
        .find(|(_, function)| &*function.name == "f")
        .expect("f");
    let text = print_function(&program, id);
    contains_in_order(&text, &["memcpy((void *)a", "sprintf(s"]);
}

#[test]
fn formats_are_taken_apart() {
    let text = body(
        "#include <stdio.h>
         int f(char *to, long x, char *s, short *h) {
             snprintf(to, 10, \"a%-5ld%.3s\", x, s);
             return sscanf(s, \"%hd%*d%5s%n\", h, to, (int *)s);
         }",
    );
    contains_in_order(
        &text,
        &[
            "= 10;",
            "__lariat_put(",
            "(char)97",
            "__lariat_put_signed(",
            "1, 5, -1)",
            "__lariat_put_string(",
            "0, 0, 3)",
            "__lariat_put_end(",
            "= s;",
            "__lariat_scan_text(%",
            ", 2)",
            "> 0)) (*",
            "__lariat_any_number()",
            "> 1)) __lariat_scan_string(",
            ">= 2)) __lariat_printed_count(",
        ],
    );
}

#[test]
fn a_format_that_is_not_constant_has_no_model() {
    let (_, report) = bound(
        "#include <stdio.h>
         void f(char *to, char *format) { sprintf(to, format, 1); scanf(format, to); snprintf(to, 4, format, 1); }",
    );
    assert_eq!(report.unknown, ["scanf"]);
}

#[test]
fn arguments_of_old_declarations_are_converted() {
    let (_, report) = bound(
        "char *malloc(); void exit(); int strcmp();
         void f(void) { char *p = malloc(10); if (strcmp(p, \"\")) exit(0); }",
    );
    assert!(report.unknown.is_empty());
}

#[test]
fn character_tables_are_functions() {
    let text = body(
        "#include <ctype.h>
         extern const int **__ctype_tolower_loc(void);
         int f(int c) { return isalpha(c) ? (*__ctype_tolower_loc())[c] : (*__ctype_b_loc())[c]; }",
    );
    contains_in_order(
        &text,
        &[
            "(isalpha(__lariat_ctype_index(c)) ? 1024 : 0)",
            "__lariat_ctype_tolower(c)",
            "__lariat_ctype_b(c)",
        ],
    );
}

/// Models are read when a name asks for them, so every name that they define must be found in their text.
#[test]
fn every_definition_of_a_model_is_found_by_its_name() {
    for (path, text) in models() {
        let program = read(&[&text], &ReadOptions::default());
        let found = lariat_c_reader::defined_names(&text);
        let functions = program
            .functions
            .values()
            .filter(|function| function.body.is_some());
        let functions = functions.map(|function| (&function.name, function.linkage));
        let globals = program.globals.values().filter(|global| global.defined);
        let globals = globals.map(|global| (&global.name, global.linkage));
        for (name, _) in functions
            .chain(globals)
            .filter(|(_, linkage)| *linkage == Linkage::External)
        {
            assert!(found.contains(&&**name), "{name} of {}", path.display());
        }
    }
}
