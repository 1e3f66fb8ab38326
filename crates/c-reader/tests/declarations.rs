//! Declarations, linking of several files, models.

mod common;

use common::{line, printed, read_files};
use lariat_c_program::{CProgram, print_program};
use lariat_c_reader::ReadOptions;
use lariat_options::COptions;
use lariat_testkit::folder::Folder;

fn link(files: &[&str], models: &[&str]) -> Result<CProgram, Vec<String>> {
    let folder = Folder::new("c-reader");
    let paths: Vec<_> = files
        .iter()
        .enumerate()
        .map(|(index, text)| folder.write(&format!("{index}.c"), text))
        .collect();
    let options = ReadOptions {
        models: models
            .iter()
            .enumerate()
            .map(|(index, text)| (format!("model{index}.c").into(), (*text).to_owned()))
            .collect(),
        ..ReadOptions::default()
    };
    let paths: Vec<_> = paths.iter().map(|path| path.as_path()).collect();
    let outcome = read_files(&paths, &options);
    outcome.program.ok_or(outcome.messages)
}

fn linked(files: &[&str], models: &[&str]) -> String {
    print_program(&link(files, models).expect("a program"))
}

#[test]
fn only_what_is_used_is_kept() {
    let text = printed("#include <stdio.h>\n#include <stdlib.h>\nint main(void) { puts(\"x\"); return 0; }");
    assert!(text.contains("int puts(char *)"), "{text}");
    assert!(!text.contains("printf") && !text.contains("_IO_FILE"), "{text}");
}

#[test]
fn storage_and_linkage() {
    let text = "int a; static int b = 1; extern int c; const int d = 2; _Thread_local int e; void f(void) { static int s = 3; c = s; } static void g(void) {} int t[]; volatile int v;";
    assert_eq!(line(text, "int a"), "int a");
    assert_eq!(line(text, "static int b"), "static int b = 1");
    assert_eq!(line(text, "extern int c"), "extern int c");
    assert_eq!(line(text, "const int d"), "const int d = 2");
    assert_eq!(line(text, "_Thread_local"), "_Thread_local int e");
    assert_eq!(line(text, "static int s"), "static int s = 3 // in f");
    assert_eq!(line(text, "static void g"), "static void g(void) [] {");
    assert_eq!(line(text, "int t"), "int t[1]");
}

#[test]
fn tentative_definitions_merge() {
    assert_eq!(line("int x; int x = 3; int x;", "int x"), "int x = 3");
    assert_eq!(line("extern int a[]; int a[4];", "int a"), "int a[4]");
}

#[test]
fn external_names_are_one_and_internal_ones_are_not() {
    let text = linked(
        &[
            "extern int n[]; int g(int); static int s = 1; int main(void) { return g(n[0]) + s; }",
            "int n[3] = { 1 }; static int s = 2; int g(int a) { return a + s; }",
        ],
        &[],
    );
    assert_eq!(text.matches("static int s").count(), 2, "{text}");
    assert_eq!(text.matches("int n[3] = zero { [0] = 1 }").count(), 1, "{text}");
    assert_eq!(text.matches("int g(int)").count(), 1, "{text}");
}

#[test]
fn records_of_several_files_are_one_if_they_agree() {
    let shared = "struct s { int a; struct s *next; }; ";
    let text = linked(
        &[
            &format!(
                "{shared} struct o *op; void g(struct s *); int main(void) {{ struct s x; g(&x); return 0; }}"
            ),
            &format!("{shared} struct o {{ char c; }}; struct o oo; void g(struct s *p) {{ p->a = 1; }}"),
        ],
        &[],
    );
    assert_eq!(text.matches("struct s size").count(), 1, "{text}");
    assert_eq!(
        text.lines().filter(|line| line.starts_with("struct o ")).count(),
        3,
        "{text}"
    );
    let text = linked(&["struct s { int a; } x;", "struct s { char a; } y;"], &[]);
    assert_eq!(text.matches("struct s size").count(), 2, "{text}");
}

#[test]
fn two_definitions_are_an_error() {
    let messages =
        link(&["int g(void) { return 1; }", "int g(void) { return 2; }"], &[]).expect_err("an error");
    assert!(
        messages[0].starts_with("duplicate-definition: 1:5: `g` is defined twice"),
        "{messages:?}"
    );
    let messages = link(&["int v = 1;", "int v = 2;"], &[]).expect_err("an error");
    assert!(messages[0].contains("`v` is defined twice"), "{messages:?}");
}

#[test]
fn weak_and_inline_definitions_may_be_repeated() {
    let text = linked(
        &[
            "__attribute__((weak)) int g(void) { return 1; } inline int h(void) { return 1; } int main(void) { return g() + h(); }",
            "int g(void) { return 2; } inline int h(void) { return 1; }",
        ],
        &[],
    );
    assert!(text.contains("int g(void) [] {\n  return 2;"), "{text}");
}

#[test]
fn models_fill_in_what_is_not_defined() {
    let model = "int helper(void) { return 1; } int get(void) { return helper(); } int own(void) { return 5; } int unused(void) { return 6; } int state = 4; int peek(void) { return state; }";
    let text = linked(
        &[
            "int get(void), own(void), peek(void); int own(void) { return 2; } int main(void) { return get() + own() + peek(); }",
        ],
        &[model],
    );
    assert!(text.contains("model int get(void)"), "{text}");
    assert!(text.contains("model int helper(void)"), "{text}");
    assert!(text.contains("model int state = 4"), "{text}");
    assert!(text.contains("\nint own(void) [] {\n  return 2;"), "{text}");
    assert!(!text.contains("unused") && !text.contains("return 5"), "{text}");
}

#[test]
fn models_use_each_other_in_any_order() {
    let text = linked(
        &["int a(void); int main(void) { return a(); }"],
        &[
            "int b(void) { return 7; }",
            "int b(void); int a(void) { return b(); }",
        ],
    );
    assert!(text.contains("return 7"), "{text}");
}

#[test]
fn a_declaration_with_parameters_wins_over_one_without() {
    let text = linked(
        &[
            "int g(); void f(void) { g(1); }",
            "int g(int); void h(void) { g(2); }",
        ],
        &[],
    );
    assert!(text.contains("int g(int)"), "{text}");
}

#[test]
fn implicit_declarations_are_read() {
    assert_eq!(line("main() { return g(1); }", "int main"), "int main() [] {");
    assert_eq!(line("main() { return g(1); }", "int g"), "int g()");
}

#[test]
fn macros_and_includes_are_given_by_options() {
    let folder = Folder::new("c-reader");
    folder.write("h.h", "#define FROM_HEADER 5\n");
    let path = folder.write(
        "a.c",
        "#include <h.h>\nint a = FROM_HEADER, b = VALUE;\n#ifdef __linux__\nint c;\n#endif\n",
    );
    let options = ReadOptions::from(COptions {
        include: vec![folder.path().to_owned()],
        macros: vec!["-DVALUE=7".into(), "-U__linux__".into()],
        ..COptions::default()
    });
    let outcome = read_files(&[&path], &options);
    let text = print_program(&outcome.program.expect("a program"));
    assert_eq!(text, "int a = 5\nint b = 7\n");
}

#[test]
fn a_compilation_database_gives_the_flags() {
    let folder = Folder::new("c-reader");
    let path = folder.write("a.c", "int a = VALUE;");
    let database = serde_json::json!([{ "directory": folder.path(), "file": "a.c", "arguments": ["cc", "-DVALUE=9", "-c", "a.c"] }]);
    let options = ReadOptions::from(COptions {
        compile_commands: Some(folder.write("compile_commands.json", database.to_string())),
        ..COptions::default()
    });
    let outcome = read_files(&[&path], &options);
    assert!(outcome.program.is_some(), "{:?}", outcome.messages);
}

#[test]
fn the_usual_headers_are_read_for_both_machines() {
    let text = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <assert.h>\n#include <limits.h>\n#include <stdint.h>\n#include <stdbool.h>\n#include <stdarg.h>\n#include <stddef.h>\n#include <ctype.h>\n#include <math.h>\n#include <errno.h>\n#include <unistd.h>\n#include <float.h>\n#include <iso646.h>\n#include <stdalign.h>\n#include <stdnoreturn.h>\n#include <stdatomic.h>\n#include <inttypes.h>\n#include <setjmp.h>\n#include <signal.h>\n#include <time.h>\n#include <pthread.h>\n#include <sys/types.h>\nlong l = LONG_MAX; size_t s = SIZE_MAX; bool b = true; ptrdiff_t d; int64_t q = INT64_MIN; int main(void) { assert(errno == 0); return 0; }";
    for machine in [lariat_c_program::Machine::Lp64, lariat_c_program::Machine::Ilp32] {
        let program = common::program(text, machine);
        assert!(program.functions_by_name().contains_key("__assert_fail"));
    }
}

#[test]
fn a_preprocessed_file_is_shown_as_itself() {
    let folder = Folder::new("c-reader");
    let path = folder.write(
        "a.i",
        "# 1 \"other.c\"\n# 100 \"other.c\"\nint main(void) { return 3; }\n",
    );
    let outcome = read_files(&[&path], &ReadOptions::default());
    let program = outcome.program.expect("a program");
    let main = &program.functions[program.functions_by_name()["main"]];
    assert_eq!(
        outcome.sources.location(main.span),
        format!("{}:3:5", path.display())
    );
}
