//! Open programs in C: what the front end says about where the environment comes in.

use std::path::PathBuf;

use lariat_front_end::FrontEnd;
use lariat_ir::{OpenInfo, Program, Stmt, StmtId, StmtKind};
use lariat_report::{AngelicRequest, Check, Progress};
use lariat_specs::SpecExpr;

struct Read {
    front_end: FrontEnd,
    path: PathBuf,
}

impl Drop for Read {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

fn try_read(name: &str, text: &str, change: impl FnOnce(&mut AngelicRequest)) -> Result<Read, String> {
    let path = std::env::temp_dir().join(format!("lariat-open-{}-{name}.c", std::process::id()));
    std::fs::write(&path, text).expect("the temporary directory can be written");
    let mut request = AngelicRequest::default();
    request.program.files = vec![path.clone()];
    request.program.c.checks.push(Check::Null);
    change(&mut request);
    let reading = lariat_front_end::read(&(&request).into(), false, &mut |_: Progress| {});
    match reading.program {
        Some(front_end) => Ok(Read { front_end, path }),
        None => {
            let _ = std::fs::remove_file(&path);
            Err(format!("{:?}", reading.diagnostics))
        }
    }
}

fn read(name: &str, text: &str) -> Read {
    try_read(name, text, |_| {}).expect("the program is read")
}

impl Read {
    fn open(&self) -> &OpenInfo {
        self.front_end
            .open
            .as_ref()
            .expect("the program was read as an open one")
    }

    fn program(&self) -> &Program {
        &self.front_end.program
    }

    fn stmts(&self) -> impl Iterator<Item = &Stmt> {
        let procs = self.program().procs.values();
        procs
            .flat_map(|proc| proc.blocks.values())
            .flat_map(|block| &block.stmts)
    }

    fn snippet(&self, id: StmtId) -> &str {
        let stmt = self
            .stmts()
            .find(|stmt| stmt.id == id)
            .expect("the statement is there");
        self.front_end.sources.snippet(stmt.span.expect("it has a place"))
    }

    /// The conditions of the assertions that are dereferences, as text.
    fn dereferences(&self) -> Vec<String> {
        let asserts = self.stmts().filter_map(|stmt| match stmt.kind {
            StmtKind::Assert { condition, assert } if self.open().dereferences.contains(&assert) => {
                Some(self.program().pool.term_text(condition))
            }
            _ => None,
        });
        asserts.collect()
    }

    fn unknowns(&self) -> Vec<&str> {
        self.open()
            .unknowns
            .iter()
            .map(|unknown| &*unknown.text)
            .collect()
    }
}

const LIST: &str = r#"
#include <stdlib.h>
struct point { int x, y; };
struct node { int key; struct node *next; char name[8]; struct point at[2]; };
struct list { struct node *head; int count; };
static struct list g_list;
struct node *g_cur;
struct node *g_table[4];
static const int table[3] = {1, 2, 3};
extern struct node *lib_find(struct list *l, int key);
extern int lib_get(struct node *n, int *out, struct node **where);
extern struct list lib_list(void);

int get(struct list *l, int key, struct node **where)
{
    struct node *n = lib_find(l, key);
    int v;
    struct node *w;
    if (lib_get(n, &v, &w) && w != NULL)
        return w->key + v + table[v];
    if (!l || l->head == NULL)
        return 0;
    if (*where)
        return n[2].at[1].y + g_table[key]->key + lib_list().head->key + g_list.count;
    return l->head->next->name[key] + n->key + g_list.head->key;
}

void add(int key)
{
    struct node *n = calloc(1, sizeof *n);
    n->key = key;
    n->next = g_list.head;
    g_list.head = n;
    g_cur->name[key] = 1;
    lib_get(n, &key, &g_cur);
    get(&g_list, key, &g_cur);
}
"#;

#[test]
fn every_function_is_an_entry_and_is_lowered_once() {
    let read = read("entries", LIST);
    let names: Vec<&str> = read.open().entries.iter().map(|entry| &*entry.name).collect();
    assert_eq!(names, ["get", "add"]);
    // Assertions keep their identity in callers: none is there twice.
    let mut asserts: Vec<_> = read
        .stmts()
        .filter_map(|stmt| match stmt.kind {
            StmtKind::Assert { assert, .. } => Some(assert),
            _ => None,
        })
        .collect();
    let count = asserts.len();
    asserts.sort();
    asserts.dedup();
    assert_eq!(asserts.len(), count);
    let valid = lariat_ir::validate(read.program(), lariat_ir::Stage::Lowered);
    assert!(valid.is_ok(), "{valid:?}");
}

#[test]
fn results_and_written_scalars_are_unknown() {
    let read = read("unknowns", LIST);
    assert_eq!(
        read.unknowns(),
        [
            "lib_find()",
            "v after lib_get()",
            "w after lib_get()",
            "lib_get()",
            "lib_list().head",
            "lib_list().count",
            "key after lib_get()",
            "g_cur after lib_get()",
            "lib_get()",
        ]
    );
}

#[test]
fn dereferences_are_checked_by_the_pointer_before_the_offset() {
    let text = r#"
struct s { int a; int b[4]; };
int f(struct s *p, int i, int **q) {
    struct s own;
    struct s *known = &own;
    own.b[i] = 1;
    (&own)->a = 2;
    return p->b[i] + q[i][2] + (*p).a + known->a;
}
"#;
    let read = read("dereferences", text);
    let found = read.dereferences();
    // `own` and `&own` cannot be null; `known` is a variable.
    assert_eq!(found.len(), 5, "{found:?}");
    assert!(
        found.iter().all(|condition| condition.starts_with("(not (= 0 ")),
        "{found:?}"
    );
    assert_eq!(
        found
            .iter()
            .filter(|condition| **condition == "(not (= 0 p))")
            .count(),
        2
    );
    assert!(found.contains(&"(not (= 0 q))".to_owned()), "{found:?}");
}

#[test]
fn tests_of_pointers_are_found_one_by_one() {
    let text = r#"
#include <assert.h>
#include <stddef.h>
struct s { struct s *next; int n; };
int f(struct s *p, struct s *q, struct s *r, int n) {
    assert(r != NULL);
    if (p && q->next != NULL && n == 0)
        return 1;
    if (!q)
        return 2;
    while (n > 0 || NULL == p)
        n--;
    return p == q;
}
"#;
    let read = read("null-tests", text);
    let found: Vec<&str> = read
        .open()
        .null_tests
        .iter()
        .map(|&id| read.snippet(id))
        .collect();
    assert_eq!(found, ["p", "q->next != NULL", "q", "NULL == p"]);
    for &id in &read.open().null_tests {
        let stmt = read.stmts().find(|stmt| stmt.id == id).expect("it is there");
        let StmtKind::Assume(condition) = stmt.kind else {
            panic!("{stmt:?} is no assumption");
        };
        let condition = read.program().pool.term_text(condition);
        assert!(
            condition.starts_with("(= 0 "),
            "{condition} does not say that a pointer is null"
        );
    }
}

#[test]
fn what_never_changes_keeps_its_initialiser() {
    let text = r#"
struct ops { int (*run)(int); };
static int twice(int x) { return 2 * x; }
static struct ops doubling = { twice };
static int limit = 7;
static int counter = 3;
int shared = 5;
int use(struct ops *ops) { counter++; return doubling.run(limit) + shared + ops->run(1); }
struct ops *give(void) { return &doubling; }
"#;
    let read = read("constants", text);
    let program = read.program();
    let entry = read
        .open()
        .entries
        .iter()
        .find(|entry| &*entry.name == "use")
        .expect("it is an entry");
    let text: Vec<String> = program.procs[entry.proc]
        .blocks
        .values()
        .flat_map(|block| &block.stmts)
        .filter_map(|stmt| match &stmt.kind {
            StmtKind::Assign(assignments) => Some(program.pool.var_name(assignments[0].0).to_string()),
            _ => None,
        })
        .collect();
    let is_set = |name: &str| text.iter().any(|set| set == name);
    assert!(is_set("limit"), "{text:?}");
    assert!(
        text.iter().filter(|set| *set == "mem.struct ops.run").count() >= 2,
        "{text:?}"
    );
    assert!(!is_set("counter") && !is_set("shared"), "{text:?}");
}

#[test]
fn angelic_assertions_are_the_users() {
    let text = r#"
void __lariat_angelic(int);
int f(int *p) { __lariat_angelic(p != 0 && *p == 3); return 0; }
"#;
    let read = read("angelic", text);
    let [assert] = read.open().angelic.as_slice() else {
        panic!("one angelic assertion, not {:?}", read.open().angelic);
    };
    assert!(!read.open().dereferences.contains(assert));
}

#[test]
fn monitors_are_globals_of_the_program() {
    let text = "int state; int pair[2]; int f(void) { state = 1; return pair[state]; }";
    let read = try_read("monitors", text, |request| {
        request.typestate = vec!["state".into()]
    });
    let read = read.expect("the program is read");
    let [monitor] = read.open().typestate.as_slice() else {
        panic!("one monitor, not {:?}", read.open().typestate);
    };
    assert_eq!(&**read.program().pool.var_name(*monitor), "state");
    for (name, code) in [("nothing", "no-such-monitor"), ("pair", "monitor-in-memory")] {
        let read = try_read("monitors", text, |request| request.typestate = vec![name.into()]);
        let Err(message) = read else {
            panic!("`{name}` is no monitor");
        };
        assert!(message.contains(code), "{message}");
    }
}

/// Reads a text as a condition of `entry` and writes it again.
fn round_trip(read: &Read, entry: &str, text: &str) -> Result<Vec<String>, String> {
    let open = read.open();
    let entry = open
        .entries
        .iter()
        .find(|found| &*found.name == entry)
        .expect("it is an entry");
    let mut pool = read.program().pool.clone();
    let expr = SpecExpr::parse(text).map_err(|error| error.to_string())?;
    let resolved = read.front_end.resolve(&mut pool, open, entry, &expr)?;
    let described = resolved.iter().map(|formula| {
        let naming = |var| {
            let site = formula.sites.iter().find(|site| site.placeholder == var)?;
            Some(SpecExpr::parse(&open.unknowns[site.unknown].text).expect("it is an expression"))
        };
        read.front_end.describe(&pool, formula.term, &naming).to_string()
    });
    Ok(described.collect())
}

#[test]
fn terms_are_told_in_the_words_of_c_and_back() {
    let read = read("words", LIST);
    for text in [
        "l != NULL",
        "l->head != NULL",
        "l->head->next->name[key] == 0",
        "lib_find()->next != NULL",
        "lib_find()[2].at[1].y > 3",
        "g_list.head != NULL",
        "g_list.head->next != l->head",
        "g_list.count <= l->count",
        "g_table[key] != NULL",
        "*where != NULL",
        "w after lib_get() != NULL",
        "v after lib_get() < 3",
        "lib_list().head != NULL",
        "where != &l->count",
        "l->head != NULL || key != 0",
    ] {
        assert_eq!(
            round_trip(&read, "get", text),
            Ok(vec![text.to_owned()]),
            "of `{text}`"
        );
    }
}

#[test]
fn what_cannot_be_meant_is_explained() {
    let read = read("wrong-words", LIST);
    for (text, expected) in [
        ("q != NULL", "no parameter"),
        ("l->tail != NULL", "no member `tail`"),
        ("key->next != NULL", "not known to be a pointer"),
        ("lib_nothing() != NULL", "nothing that the environment"),
    ] {
        let Err(message) = round_trip(&read, "get", text) else {
            panic!("`{text}` means nothing");
        };
        assert!(message.contains(expected), "`{text}`: {message}");
    }
}

#[test]
fn a_result_is_that_of_every_call_unless_a_line_is_given() {
    let text =
        "int *lib(void);\nint f(void) {\n    int *a = lib();\n    int *b = lib();\n    return *a + *b;\n}\n";
    let read = read("sites", text);
    assert_eq!(
        round_trip(&read, "f", "lib() != NULL").map(|found| found.len()),
        Ok(2)
    );
    assert_eq!(
        round_trip(&read, "f", "lib()@4 != NULL").map(|found| found.len()),
        Ok(1)
    );
}

const LOCKS: &str = r#"
typedef struct { int word; } pthread_mutex_t;
void free(void *);
int pthread_mutex_lock(pthread_mutex_t *m);
int pthread_mutex_unlock(pthread_mutex_t *m);
void KeRaiseIrql(int level, int *old);
void KeLowerIrql(int level);
void ZwClose(int handle);
struct pool { int n; pthread_mutex_t lock; int *data; };
void take(struct pool *p) { pthread_mutex_lock(&p->lock); p->n++; pthread_mutex_unlock(&p->lock); }
void drop(struct pool *p) { free(p->data); p->n = p->data[0]; free(p); }
void level(void) { int old; KeRaiseIrql(2, &old); ZwClose(0); KeLowerIrql(old); }
"#;

/// The kinds of the assertions of rules in a function.
fn rule_asserts(read: &Read, procedure: &str) -> Vec<String> {
    let program = read.program();
    let bodies = program.procs.values().filter(|proc| &*proc.name == procedure);
    let stmts = bodies
        .flat_map(|proc| proc.blocks.values())
        .flat_map(|block| &block.stmts);
    let asserts = stmts.filter_map(|stmt| match stmt.kind {
        StmtKind::Assert { assert, .. } => Some(&program.asserts[assert]),
        _ => None,
    });
    let kinds = asserts.filter_map(|info| match &info.kind {
        lariat_ir::AssertKind::Check(check) if *check != Check::Null => Some(check.to_string()),
        lariat_ir::AssertKind::Rule(name) => Some(name.to_string()),
        _ => None,
    });
    kinds.collect()
}

#[test]
fn rules_are_assertions_at_calls_and_dereferences() {
    let rules = ["lock", "irql"].map(str::to_owned).to_vec();
    let read = try_read("rules", LOCKS, |request| {
        request.rules = rules;
        request.program.c.checks.push(Check::DoubleFree);
        request.program.c.checks.push(Check::UseAfterFree);
    });
    let read = read.expect("the program is read");
    let of_lock = |name: &str| {
        rule_asserts(&read, name)
            .into_iter()
            .filter(|kind| kind == "lock")
            .count()
    };
    assert_eq!(of_lock("take"), 2);
    assert_eq!(of_lock("drop"), 0);
    let in_drop = rule_asserts(&read, "drop");
    assert_eq!(
        in_drop.iter().filter(|kind| *kind == "double-free").count(),
        2,
        "{in_drop:?}"
    );
    assert!(
        in_drop.iter().filter(|kind| *kind == "use-after-free").count() >= 3,
        "{in_drop:?}"
    );
    assert!(rule_asserts(&read, "level").contains(&"irql".to_owned()));
    let monitors: Vec<&str> = read
        .open()
        .typestate
        .iter()
        .map(|&var| &**read.program().pool.var_name(var))
        .collect();
    assert_eq!(
        monitors,
        ["lock", "initial.lock", "irql", "use_after_free", "double_free"]
    );
    let valid = lariat_ir::validate(read.program(), lariat_ir::Stage::Lowered);
    assert!(valid.is_ok(), "{valid:?}");
    for text in [
        "lock(&p->lock) == unlocked",
        "irql <= APC_LEVEL",
        "lock(&p->lock) != locked",
    ] {
        assert_eq!(
            round_trip(&read, "take", text),
            Ok(vec![text.to_owned()]),
            "of `{text}`"
        );
    }
}

#[test]
fn mistakes_in_rules_are_explained() {
    let path = std::env::temp_dir().join(format!("lariat-open-{}.toml", std::process::id()));
    std::fs::write(
        &path,
        "name = \"r\"\nstates = [\"a\"]\n[[event]]\ncall = \"f\"\nobject = 1\nset = \"b\"\n",
    )
    .expect("the temporary directory can be written");
    let rules = vec![path.display().to_string()];
    let read = try_read("bad-rules", LOCKS, |request| request.rules = rules);
    let _ = std::fs::remove_file(&path);
    let Err(message) = read else {
        panic!("`b` is no state");
    };
    assert!(
        message.contains("no state") && message.contains("bad-rule"),
        "{message}"
    );
}

#[test]
fn a_library_of_several_files_is_lowered() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/angelic");
    let list = |name: &str, extension: &str| -> Vec<PathBuf> {
        let files = std::fs::read_dir(folder.join(name)).expect("the example is there");
        let mut paths: Vec<PathBuf> = files.filter_map(|file| Some(file.ok()?.path())).collect();
        paths.retain(|path| path.extension().is_some_and(|found| found == extension));
        paths.sort();
        paths
    };
    let mut request = AngelicRequest::default();
    request.program.files = list("netkit", "c");
    request.program.c.checks.push(Check::Null);
    request.rules = list("rules", "toml")
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    let reading = lariat_front_end::read(&(&request).into(), false, &mut |_: Progress| {});
    let diagnostics = reading.diagnostics;
    let front_end = reading.program.unwrap_or_else(|| panic!("{diagnostics:?}"));
    let open = front_end
        .open
        .as_ref()
        .expect("the program was read as an open one");
    assert!(
        open.entries.len() > 100 && open.unknowns.len() > 30,
        "{}",
        open.entries.len()
    );
    assert!(open.null_tests.len() > 50 && open.typestate.len() > 3);
    let unsupported: Vec<_> = front_end
        .program
        .asserts
        .values()
        .filter(|info| matches!(info.kind, lariat_ir::AssertKind::Unsupported(_)))
        .collect();
    assert!(unsupported.is_empty(), "{unsupported:?}");
    let valid = lariat_ir::validate(&front_end.program, lariat_ir::Stage::Lowered);
    assert!(valid.is_ok(), "{valid:?}");
}
