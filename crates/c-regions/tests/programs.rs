//! What the analysis keeps apart and what it does not, on small programs.

use std::collections::BTreeMap;

use lariat_c_program::{CProgram, ExprKind, FunctionId, Machine, Node, Place, PlaceKind, visit_stmt};
use lariat_c_regions::{Access, RegionId, Regions, Targets, Variable, analyze};
use lariat_testkit::c;

struct Analysed {
    c: CProgram,
    regions: Regions,
    /// By what the source says: `p->x`.
    accesses: BTreeMap<String, Access>,
    targets: BTreeMap<String, Targets>,
}

fn analysed(text: &str) -> Analysed {
    analysed_for(text, Machine::Lp64)
}

fn analysed_for(text: &str, machine: Machine) -> Analysed {
    let c = c::program(text, machine);
    let regions = analyze(&c);
    let mut accesses = BTreeMap::new();
    let mut targets = BTreeMap::new();
    for (id, function) in c.functions.iter() {
        let Some(body) = &function.body else { continue };
        visit_stmt(body, &mut |node| {
            let Node::Expr(expr) = node else { return };
            let place = match &expr.kind {
                ExprKind::Load(place)
                | ExprKind::Assign { place, .. }
                | ExprKind::CompoundAssign { place, .. }
                | ExprKind::Step { place, .. } => place,
                ExprKind::Call {
                    callee: lariat_c_program::Callee::Pointer(pointer),
                    ..
                } => {
                    let source = &text[pointer.span.start as usize..pointer.span.end as usize];
                    targets.insert(source.to_owned(), regions.targets(pointer.id));
                    return;
                }
                _ => return,
            };
            if let Some(access) = access(&c, &regions, id, place) {
                let source = &text[place.span.start as usize..place.span.end as usize];
                accesses.insert(source.to_owned(), access);
            }
        });
    }
    Analysed {
        c,
        regions,
        accesses,
        targets,
    }
}

fn access(c: &CProgram, regions: &Regions, function: FunctionId, place: &Place) -> Option<Access> {
    let scalar = c.types.scalar(place.ty)?;
    let bits = match &place.kind {
        PlaceKind::Member { record, field, .. } => c.types.records[*record].fields[*field as usize].bits,
        _ => None,
    };
    let mut root = place;
    let variable = loop {
        match &root.kind {
            PlaceKind::Member { base, .. } | PlaceKind::Index { base, .. } => root = base,
            PlaceKind::Local(local) => break Some(Variable::Local(function, *local)),
            PlaceKind::Global(id) => break Some(Variable::Global(*id)),
            _ => break None,
        }
    };
    if variable.is_some_and(|variable| regions.is_split(variable)) {
        return None;
    }
    let cell = regions.place(c, Some(function), place);
    Some(regions.access(cell, scalar, c.types.size(place.ty)?, bits))
}

impl Analysed {
    fn access(&self, source: &str) -> Access {
        let known = self.accesses.get(source);
        *known.unwrap_or_else(|| panic!("no access `{source}` in memory among {:?}", self.accesses.keys()))
    }

    fn region(&self, source: &str) -> RegionId {
        let (Access::Word(region) | Access::Bytes(region)) = self.access(source);
        region
    }

    fn same(&self, left: &str, right: &str) {
        let text = self.regions.text(&self.c);
        assert_eq!(
            self.region(left),
            self.region(right),
            "{left} and {right} may meet\n{text}"
        );
    }

    fn apart(&self, left: &str, right: &str) {
        let text = self.regions.text(&self.c);
        assert_ne!(
            self.region(left),
            self.region(right),
            "{left} and {right} never meet\n{text}"
        );
    }

    fn words(&self, sources: &[&str]) {
        for source in sources {
            let text = self.regions.text(&self.c);
            assert!(
                matches!(self.access(source), Access::Word(_)),
                "{source} is a word\n{text}"
            );
        }
    }

    fn bytes(&self, sources: &[&str]) {
        for source in sources {
            let text = self.regions.text(&self.c);
            assert!(
                matches!(self.access(source), Access::Bytes(_)),
                "{source} is made of bytes\n{text}"
            );
        }
    }

    fn names(&self, source: &str) -> Vec<&str> {
        let targets = &self.targets[source];
        let names = targets.functions.iter().map(|id| &*self.c.functions[*id].name);
        names.chain(targets.unknown.then_some("?")).collect()
    }
}

#[test]
fn fields_are_apart_and_pointers_to_one_field_meet() {
    let a = analysed(
        "struct s { int x; int y; struct s *next; };
         struct s one, two;
         int f(void) {
             struct s *p = &one;
             int *q = &one.x;
             p->x = 1; p->y = 2; p->next = &two; *q = 3; two.x = 4;
             return p->next->x;
         }",
    );
    a.words(&["p->x", "p->y", "p->next", "*q"]);
    a.same("p->x", "*q");
    a.apart("p->x", "p->y");
    a.apart("p->x", "two.x");
    a.same("p->next->x", "two.x");
}

#[test]
fn two_lists_stay_apart() {
    let a = analysed(
        "void *malloc(unsigned long);
         struct node { int value; struct node *next; };
         int f(int n) {
             struct node *a = 0, *b = 0;
             while (n--) {
                 struct node *c = malloc(sizeof *c); c->value = 1; c->next = a; a = c;
                 struct node *d = malloc(sizeof *d); d->value = 2; d->next = b; b = d;
             }
             int sum = 0;
             for (struct node *p = a; p; p = p->next) sum += p->value;
             for (struct node *q = b; q; q = q->next) sum += q->value;
             return sum;
         }",
    );
    a.same("c->value", "p->value");
    a.same("d->value", "q->value");
    a.apart("p->value", "q->value");
    a.apart("p->next", "q->next");
    a.apart("p->value", "p->next");
    a.words(&["p->value", "q->next"]);
    assert!(a.regions.regions()[a.region("p->value")].has_other_objects);
}

#[test]
fn arrays_of_records_keep_their_fields_apart() {
    let a = analysed(
        "struct s { int x; long y; } table[10];
         int f(int i) {
             struct s *p = table;
             for (; p < table + 10; p++) p->x = 0;
             table[i].y = 1; table[3].x = 2;
             return table[i].x;
         }",
    );
    a.same("p->x", "table[i].x");
    a.same("table[3].x", "table[i].x");
    a.apart("table[i].x", "table[i].y");
    a.words(&["p->x", "table[i].y"]);
}

#[test]
fn unions_and_casts_are_bytes() {
    let a = analysed(
        "union u { int i; char c[4]; float g; } u;
         int word; int other;
         int f(void) {
             u.i = 1;
             char *p = (char *)&word;
             p[1] = 2;
             other = 3;
             int *q = &other;
             return u.c[2] + word + *q;
         }",
    );
    a.same("u.i", "u.c[2]");
    a.bytes(&["u.i", "u.c[2]", "p[1]", "word"]);
    a.same("p[1]", "word");
    a.words(&["other"]);
    a.same("other", "*q");
}

#[test]
fn floats_of_the_size_of_an_integer_are_bytes() {
    let a = analysed("float x; int f(void) { int *p = (int *)&x; x = 1; return *p; }");
    a.same("x", "*p");
    a.bytes(&["x", "*p"]);
}

#[test]
fn bit_fields_are_words_unless_seen_as_a_whole() {
    let a = analysed(
        "struct s { unsigned a : 3; unsigned b : 7; } one, two;
         unsigned f(void) {
             struct s *p = &one, *q = &two;
             p->a = 1; p->b = 2; q->a = 1;
             return *(unsigned *)q + q->b;
         }",
    );
    a.words(&["p->a", "p->b"]);
    a.apart("p->a", "p->b");
    a.bytes(&["q->a", "q->b", "*(unsigned *)q"]);
    a.same("q->a", "q->b");
}

#[test]
fn container_of_leads_back_to_the_record() {
    let a = analysed(
        "struct list { struct list *next; };
         struct item { int value; struct list list; };
         struct item x;
         int f(void) {
             struct list *l = &x.list;
             struct item *i = (struct item *)((char *)l - __builtin_offsetof(struct item, list));
             x.value = 1; l->next = l;
             return i->value + (i->list.next != 0);
         }",
    );
    a.same("x.value", "i->value");
    a.same("l->next", "i->list.next");
    a.apart("x.value", "l->next");
    a.words(&["x.value", "l->next"]);
}

#[test]
fn function_pointers_in_tables_are_resolved() {
    let a = analysed(
        "static int one(int x) { return x; }
         static int two(int x) { return x + 1; }
         static int three(int x, int y) { return x + y; }
         static int (*table[])(int) = { one, two };
         static int (*binary)(int, int) = three;
         int (*from_outside)(int);
         extern int (*unknown)(int);
         int f(int i) { return table[i](3) + binary(1, 2) + unknown(4) + from_outside(5); }",
    );
    assert_eq!(a.names("table[i]"), ["one", "two"]);
    assert_eq!(a.names("binary"), ["three"]);
    // Another file may have put `f` there, which it can name.
    assert_eq!(a.names("unknown"), ["f", "?"]);
    // Nothing sets it: it is null.
    assert!(a.names("from_outside").is_empty());
}

#[test]
fn pointers_passed_through_calls_by_pointer_meet() {
    let a = analysed(
        "int x, y;
         static int *same(int *p) { *p = 1; return p; }
         int f(void) { int *(*g)(int *) = same; int *q = g(&x); *q = 2; y = 3; int *r = &y; return x + *r; }",
    );
    a.same("*p", "*q");
    a.same("*q", "x");
    a.apart("x", "y");
}

#[test]
fn addresses_survive_as_numbers() {
    for machine in [Machine::Lp64, Machine::Ilp32] {
        let a = analysed_for(
            "int x, y;
             int f(void) {
                 unsigned long n = (unsigned long)&x;
                 n = n + 4; n = n - 4;
                 int *p = (int *)n;
                 *p = 1; y = 2; int *q = &y;
                 return x + *q;
             }",
            machine,
        );
        a.same("*p", "x");
        a.apart("x", "y");
    }
}

#[test]
fn addresses_split_into_narrow_numbers_are_external() {
    let a = analysed(
        "int x; static int y;
         int f(void) {
             unsigned long n = (unsigned long)&x;
             unsigned low = n, high = n >> 32;
             int *p = (int *)(((unsigned long)high << 32) | low);
             *p = 1; y = 2; int *q = &y;
             return x + *q;
         }",
    );
    a.same("*p", "x");
    a.apart("x", "y");
    assert!(a.regions.regions()[a.region("x")].external);
}

#[test]
fn bytes_copied_by_hand_keep_their_pointers() {
    let a = analysed(
        "int x, y;
         void copy(void *to, const void *from, int n) {
             char *d = to; const char *s = from;
             while (n--) *d++ = *s++;
         }
         int f(void) {
             int *p = &x, *q;
             copy(&q, &p, sizeof p);
             *q = 1; int *r = &y; *r = 2;
             return x;
         }",
    );
    a.same("*q", "x");
    a.apart("*q", "*r");
    assert!(!a.regions.regions()[a.region("x")].external);
}

#[test]
fn memcpy_without_a_body_copies_pointers() {
    let a = analysed(
        "void *memcpy(void *, const void *, unsigned long);
         int x, y; struct s { int *p; int n; } one, two;
         int f(void) {
             struct s *a = &one, *b = &two;
             a->p = &x; memcpy(b, a, sizeof *a); *b->p = 1; int *r = &y; *r = 2;
             return x;
         }",
    );
    a.same("*b->p", "x");
    a.apart("*b->p", "*r");
}

#[test]
fn records_are_copied_field_by_field() {
    let a = analysed(
        "int x, y; struct s { int *p; int *q; } one, two;
         int f(void) {
             struct s *a = &one, *b = &two;
             a->p = &x; a->q = &y; *b = *a; *b->p = 1; *b->q = 2;
             return x + y;
         }",
    );
    a.same("*b->p", "x");
    a.same("*b->q", "y");
    a.apart("x", "y");
    a.words(&["a->p", "x", "y"]);
}

#[test]
fn extra_arguments_have_a_region_for_each_kind() {
    let a = analysed(
        "int x;
         int sum(int n, ...) {
             __builtin_va_list list; __builtin_va_start(list, n);
             int total = 0;
             while (n--) { int *p = __builtin_va_arg(list, int *); *p = 1; total += __builtin_va_arg(list, int); }
             __builtin_va_end(list);
             return total;
         }
         int f(void) { return sum(1, &x, 7) + x; }",
    );
    a.same("*p", "x");
    let cell = a.regions.varargs();
    let int = lariat_c_program::Scalar::Int {
        bits: 32,
        signed: true,
    };
    let word = a.regions.access(cell, int, 4, None);
    let pointer = a.regions.access(cell, lariat_c_program::Scalar::Pointer, 8, None);
    assert!(matches!((word, pointer), (Access::Word(left), Access::Word(right)) if left != right));
}

#[test]
fn unknown_functions_change_what_they_reach() {
    let a = analysed(
        "struct s { int *p; int n; } one, two; int x, y, z; static int own;
         void unknown(struct s *, struct s *);
         void counts(int *);
         void says(const char *);
         int f(void) {
             one.p = &x; two.p = &y;
             unknown(&one, &two);
             *one.p = 1; *two.p = 2; counts(&z); says(\"z\"); int *q = &own; *q = 3;
             return x + y + z + own;
         }",
    );
    // After the call one.p may be what two.p was.
    a.same("*one.p", "*two.p");
    a.same("*one.p", "y");
    a.same("*two.p", "x");
    // The functions remember what they were given.
    a.same("z", "x");
    a.apart("own", "x");
    a.words(&["own"]);
}

#[test]
fn what_unknown_functions_return_may_be_what_they_got() {
    let a = analysed(
        "int x; static int y; void *find(void *);
         int f(void) { int *p = find(&x); *p = 1; y = 2; int *q = &y; return x + *q; }",
    );
    a.same("*p", "x");
    a.apart("*p", "y");
    assert!(a.regions.regions()[a.region("*p")].external);
}

#[test]
fn what_unknown_functions_write_depends_on_types() {
    let a = analysed(
        "struct s { long count; struct { int a; int b; } lock; int rest; struct s *next; } x;
         void increment(long *); void take(void *); void all(struct s *);
         int f(void) {
             struct s *p = &x; p->rest = 1; p->next = p;
             increment(&p->count); all(p);
             return p->count + p->lock.a + p->lock.b + p->rest;
         }",
    );
    let mut written = BTreeMap::new();
    for (_, function) in a.c.functions.iter() {
        let Some(body) = &function.body else { continue };
        visit_stmt(body, &mut |node| {
            if let Node::Expr(expr) = node
                && let ExprKind::Call {
                    callee: lariat_c_program::Callee::Function(id),
                    args,
                } = &expr.kind
            {
                let name = a.c.functions[*id].name.to_string();
                written.insert(name, a.regions.written_by_unknown(&a.c, &args[0]));
            }
        });
    }
    assert_eq!(written["increment"], [a.region("p->count")]);
    for field in ["p->count", "p->lock.a", "p->rest", "p->next"] {
        assert!(written["all"].contains(&a.region(field)), "{field}");
    }
}

#[test]
fn variables_are_split_unless_their_address_is_taken() {
    let a = analysed(
        "struct s { int x; struct { int *y; } z; } plain, taken; struct { int a[2]; } array; int n;
         int f(int param) {
             int local = param; int *p = &taken.x; plain.x = 1; array.a[0] = n;
             return local + *p;
         }",
    );
    let split: Vec<&str> =
        a.c.globals
            .iter()
            .filter(|(id, _)| a.regions.is_split(Variable::Global(*id)))
            .map(|(_, global)| &*global.name)
            .collect();
    assert_eq!(split, ["plain", "n"]);
}

#[test]
fn strings_and_initialisers_point_where_they_say() {
    let a = analysed(
        "int x = 1; struct s { const char *name; int *p; } table[] = { { \"one\", &x }, { \"two\", &x } };
         int f(int i) { const char *t = \"three\"; return *table[i].p + table[i].name[0] + t[1] + x; }",
    );
    a.same("*table[i].p", "x");
    a.apart("table[i].name[0]", "t[1]");
    assert_eq!(a.regions.regions()[a.region("table[i].name[0]")].globals.len(), 2);
}

#[test]
fn parameters_of_the_entry_may_meet() {
    let a = analysed("int f(int *p, int *q) { *p = 1; *q = 2; return *p; }");
    a.same("*p", "*q");
    assert!(a.regions.regions()[a.region("*p")].external);
}
