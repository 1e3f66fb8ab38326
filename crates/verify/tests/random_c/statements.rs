//! Statements: every loop ends soon, every jump goes forward.

use super::generator::Generator;
use super::kinds::Kind;
use super::scope::{Scope, Target};
use lariat_testkit::tree::Stmt;

/// Statements nested in each other.
const DEPTH: usize = 2;

impl Generator {
    pub fn statement(&mut self, scope: &Scope) -> Stmt {
        if scope.depth < DEPTH {
            match self.random.below(100) {
                0..=11 => return self.branch(scope),
                12..=19 => return self.loop_statement(scope),
                20..=24 => return self.switch(scope),
                25..=28 => return self.forward_jump(scope),
                29..=31 => return self.block(scope),
                _ => {}
            }
        }
        if scope.loops > 0 && self.random.chance(10) {
            self.begin(scope);
            let condition = self.expr(scope, 1).text;
            let leave = self.random.pick(&["break", "continue"]);
            return Stmt::line(format!("if ({condition}) {leave};"));
        }
        Stmt::line(self.simple(scope))
    }

    fn statements(&mut self, scope: &Scope, most: usize) -> Vec<Stmt> {
        let mut inner = scope.clone();
        inner.depth += 1;
        (0..1 + self.random.below(most))
            .map(|_| self.statement(&inner))
            .collect()
    }

    fn simple(&mut self, scope: &Scope) -> String {
        for _ in 0..3 {
            let text = match self.random.below(20) {
                0..=9 => None,
                10..=11 => self.aim(scope),
                12 => self.walk(scope),
                13..=14 => self.copy_record(scope),
                15..=16 => self.call_procedure(scope),
                17 => self.aim_function(scope),
                _ => self.change_scratch(scope),
            };
            if let Some(text) = text {
                return text;
            }
        }
        self.assignment(scope)
    }

    fn assignment(&mut self, scope: &Scope) -> String {
        self.begin(scope);
        let (place, kind) = match self.random.below(4) {
            0 => self.element(scope, true).map(|value| (value.text, value.kind)),
            _ => None,
        }
        .unwrap_or_else(|| {
            if scope.places.is_empty() {
                let (name, kind) = scope.scratch[self.random.below(scope.scratch.len())].clone();
                self.begin_pure(scope);
                return (name, kind);
            }
            let place = &scope.places[self.random.below(scope.places.len())];
            (place.text.clone(), place.kind)
        });
        if kind.is_float() {
            return match self.random.below(4) {
                0 => format!("{place} = {};", self.expr(scope, 1).text),
                1 => {
                    let operator = self.random.pick(&["+", "-", "*"]);
                    format!("{place} {operator}= {};", self.float_expr(scope, 1).text)
                }
                _ => format!("{place} = {};", self.float_expr(scope, 2).text),
            };
        }
        match self.random.below(10) {
            0 => format!("{place}++;"),
            1 => format!("--{place};"),
            2..=4 => format!("{};", self.compound(scope, &place, kind, 2)),
            // Deep terms on paths that are not taken are what solvers find hard.
            _ => format!("{place} = {};", self.expr(scope, 3 - scope.depth.min(2)).text),
        }
    }

    /// A scratch variable gets the value of an expression that changes something else.
    fn change_scratch(&mut self, scope: &Scope) -> Option<String> {
        let (name, kind) = scope.scratch[self.random.below(scope.scratch.len())].clone();
        self.begin_pure(scope);
        let targets: Vec<(String, Kind)> = scope
            .places
            .iter()
            .filter(|place| !place.kind.is_float())
            .map(|place| (place.text.clone(), place.kind))
            .collect();
        if targets.is_empty() {
            return Some(format!("{};", self.compound(scope, &name, kind, 2)));
        }
        let (place, kind) = targets[self.random.below(targets.len())].clone();
        Some(match self.random.below(4) {
            0 => format!("{name} = {place}++;"),
            1 => format!("{name} = --{place};"),
            2 => format!("{name} = ({});", self.compound(scope, &place, kind, 1)),
            _ => format!("{name} = {place} = {};", self.expr(scope, 2).text),
        })
    }

    /// Lets a pointer point to something else.
    fn aim(&mut self, scope: &Scope) -> Option<String> {
        self.begin(scope);
        if !scope.record_pointers.is_empty() && self.random.chance(40) {
            let pointer = scope.record_pointers[self.random.below(scope.record_pointers.len())].clone();
            let is_global = self.is_global(&pointer.text);
            let targets: Vec<String> = scope
                .records
                .iter()
                .filter(|place| place.record == pointer.record && place.distinct)
                .map(|place| place.text.clone())
                .filter(|text| !is_global || self.is_global(text))
                .collect();
            if targets.is_empty() {
                return None;
            }
            let target = &targets[self.random.below(targets.len())];
            return Some(format!("{} = &{target};", pointer.text));
        }
        if scope.pointers.is_empty() {
            return None;
        }
        let pointer = scope.pointers[self.random.below(scope.pointers.len())].clone();
        // A pointer to a pointer may reach a global one.
        let is_global = pointer.text.contains(&format!("p{}_", self.seed));
        let targets: Vec<String> = self
            .targets(scope, is_global)
            .into_iter()
            .filter(|place| place.kind == pointer.kind)
            .map(|place| place.text)
            .collect();
        if targets.is_empty() {
            return None;
        }
        let first = targets[self.random.below(targets.len())].clone();
        if self.random.chance(50) {
            let second = &targets[self.random.below(targets.len())];
            let condition = self.expr(scope, 1).text;
            return Some(format!("{} = {condition} ? &{first} : &{second};", pointer.text));
        }
        Some(format!("{} = &{first};", pointer.text))
    }

    /// Moves a pointer inside of its array.
    fn walk(&mut self, scope: &Scope) -> Option<String> {
        if scope.walkers.is_empty() {
            return None;
        }
        self.begin(scope);
        let walker = scope.walkers[self.random.below(scope.walkers.len())].clone();
        let (name, array, last) = (&walker.text, &walker.array.text, walker.array.length - 1);
        Some(match self.random.below(6) {
            0 => format!("if ({name} < {array} + {last}) {name}++;"),
            1 => format!("if ({name} > {array}) --{name};"),
            2 => format!("{name} = &{array}[{}];", self.index(scope, walker.array.length)),
            3 => format!("{name} = {} + {array};", self.index(scope, walker.array.length)),
            4 if !walker.array.kind.is_float() => {
                // What is written must not read the pointer that is moved.
                let apart = Scope {
                    scratch: scope.scratch.clone(),
                    functions: scope.functions.clone(),
                    ..Scope::default()
                };
                format!(
                    "if ({name} < {array} + {last}) *{name}++ = {};",
                    self.expr(&apart, 2).text
                )
            }
            _ => format!("{name} += {last} - 2 * ({name} - {array});"),
        })
    }

    fn copy_record(&mut self, scope: &Scope) -> Option<String> {
        if scope.records.is_empty() {
            return None;
        }
        self.begin(scope);
        let place = scope.records[self.random.below(scope.records.len())].clone();
        let record = place.record;
        let tag = self.records[record].tag.clone();
        let others: Vec<_> = scope
            .records
            .iter()
            .filter(|other| other.record == record)
            .cloned()
            .collect();
        let other = others[self.random.below(others.len())].clone();
        let functions: Vec<_> = scope
            .record_functions
            .iter()
            .filter(|function| function.record == record)
            .cloned()
            .collect();
        Some(match self.random.below(6) {
            0 if place.distinct && other.distinct && place.text != other.text => {
                format!("memcpy(&{}, &{}, sizeof(struct {tag}));", place.text, other.text)
            }
            1 if !self.has_pointer(record) => {
                let value = match self.random.below(3) {
                    0 if self.takes_all_patterns(record) => self.random.below(256),
                    _ => 0,
                };
                format!("memset(&{}, {value}, sizeof {});", place.text, place.text)
            }
            2 => format!("{} = (struct {tag}){};", place.text, self.record_init(record)),
            3..=4 if !functions.is_empty() && self.calls > 0 => {
                self.calls -= 1;
                let function = &functions[self.random.below(functions.len())];
                let argument = self.argument(scope, function.param);
                format!("{} = {}({}, {argument});", place.text, function.text, other.text)
            }
            _ => format!("{} = {};", place.text, other.text),
        })
    }

    /// The arguments are evaluated before the call, and its result goes to a variable that it cannot change.
    fn call_procedure(&mut self, scope: &Scope) -> Option<String> {
        if scope.procedures.is_empty() || self.calls == 0 {
            return None;
        }
        let procedure = scope.procedures[self.random.below(scope.procedures.len())].clone();
        let first = match &procedure.target {
            Target::Nothing => String::new(),
            Target::Scalar(kind) => {
                let mut texts: Vec<String> = self
                    .targets(scope, false)
                    .into_iter()
                    .filter(|place| place.kind == *kind)
                    .map(|place| format!("&{}, ", place.text))
                    .collect();
                for pointer in scope.pointers.iter().filter(|pointer| pointer.kind == *kind) {
                    texts.push(format!("{}, ", pointer.text));
                }
                self.one_of(&texts)?
            }
            Target::Record(record) => {
                let texts: Vec<String> = scope
                    .records
                    .iter()
                    .filter(|place| place.record == *record)
                    .map(|place| format!("&{}, ", place.text))
                    .collect();
                self.one_of(&texts)?
            }
            Target::Array(kind, length) => {
                let texts: Vec<String> = scope
                    .arrays
                    .iter()
                    .filter(|array| array.kind == *kind && array.length >= *length && array.writable)
                    .map(|array| format!("{}, ", array.text))
                    .collect();
                self.one_of(&texts)?
            }
        };
        self.calls -= 1;
        let (name, _) = scope.scratch[self.random.below(scope.scratch.len())].clone();
        self.begin_pure(scope);
        let argument = self.argument(scope, procedure.param);
        let operator = self.random.pick(&["=", "+="]);
        Some(format!(
            "{name} {operator} {}({first}{argument});",
            procedure.text
        ))
    }

    fn one_of(&mut self, texts: &[String]) -> Option<String> {
        if texts.is_empty() {
            return None;
        }
        Some(texts[self.random.below(texts.len())].clone())
    }

    fn aim_function(&mut self, scope: &Scope) -> Option<String> {
        if scope.function_pointers.is_empty() {
            return None;
        }
        self.begin(scope);
        let pointer = scope.function_pointers[self.random.below(scope.function_pointers.len())].clone();
        let (first, second) = (self.one_of(&pointer.targets)?, self.one_of(&pointer.targets)?);
        let condition = self.expr(scope, 1).text;
        Some(format!("{} = {condition} ? {first} : {second};", pointer.text))
    }

    fn branch(&mut self, scope: &Scope) -> Stmt {
        self.begin(scope);
        let condition = self.expr(scope, 2 - scope.depth.min(1)).text;
        let mut parts = vec![(format!("if ({condition}) {{"), self.statements(scope, 2))];
        if self.random.chance(50) {
            parts.push(("} else {".to_owned(), self.statements(scope, 2)));
        }
        Stmt::Compound {
            parts,
            end: "}".to_owned(),
        }
    }

    fn loop_statement(&mut self, scope: &Scope) -> Stmt {
        if scope.loops >= 2 {
            return self.branch(scope);
        }
        let counter = format!("i{}", scope.depth);
        let mut inner = scope.clone();
        inner.loops += 1;
        let rounds = if scope.loops == 0 {
            1 + self.random.below(4)
        } else {
            1 + self.random.below(2)
        };
        let kind = Kind::any_integer(&mut self.random);
        let kind = if kind == Kind::Bool { Kind::Int } else { kind };
        let type_name = kind.name();
        inner.readable.push((counter.clone(), kind));
        let (open, end) = match self.random.below(6) {
            0 => (
                format!("for ({type_name} {counter} = {rounds}; {counter} > 0; {counter}--) {{"),
                "}".to_owned(),
            ),
            1 => (
                format!("{{ {type_name} {counter} = 0; while ({counter}++ < {rounds}) {{"),
                "} }".to_owned(),
            ),
            2 => (
                format!("{{ {type_name} {counter} = {rounds}; do {{"),
                format!("}} while (--{counter} > 0); }}"),
            ),
            3 => {
                self.begin(scope);
                let limit = self.expr(scope, 1).text;
                (
                    format!("for ({type_name} {counter} = 0; {counter} < ({limit} & 3); ++{counter}) {{"),
                    "}".to_owned(),
                )
            }
            _ => (
                format!("for ({type_name} {counter} = 0; {counter} < {rounds}; {counter}++) {{"),
                "}".to_owned(),
            ),
        };
        let calls = self.calls;
        self.calls = calls.min(1);
        let body = self.statements(&inner, 2);
        self.calls = calls.saturating_sub(1);
        Stmt::Compound {
            parts: vec![(open, body)],
            end,
        }
    }

    fn switch(&mut self, scope: &Scope) -> Stmt {
        self.begin(scope);
        let value = self.expr(scope, 1);
        let cases: Vec<String> = if self.random.chance(50) {
            ["0", "1", "2", "'\\003'", "4 ... 6"].map(str::to_owned).to_vec()
        } else {
            ["0", "1", "-1", "2", "-3 ... -2"].map(str::to_owned).to_vec()
        };
        let scrutinee = match self.random.below(3) {
            0 => format!("{} & 7", value.text),
            1 => format!("(signed char)({} % 4)", value.text),
            _ => value.text,
        };
        let default = self.random.below(4);
        let mut parts = Vec::new();
        let mut leave = "";
        for (index, case) in cases.iter().take(2 + self.random.below(4)).enumerate() {
            let mut labels = format!("case {case}:");
            if index == default {
                labels.push_str(" default:");
            }
            let open = if index == 0 {
                format!("switch ({scrutinee}) {{\n{labels}")
            } else {
                format!("{leave}{labels}")
            };
            // `continue` would mean the loop around, `break` the switch.
            parts.push((open, self.statements(scope, 1)));
            leave = if self.random.chance(65) { "break;\n" } else { "" };
        }
        Stmt::Compound {
            parts,
            end: "}".to_owned(),
        }
    }

    fn forward_jump(&mut self, scope: &Scope) -> Stmt {
        let label = self.name("L");
        self.begin(scope);
        let condition = self.expr(scope, 1).text;
        let body = self.statements(scope, 2);
        Stmt::Compound {
            parts: vec![(format!("if ({condition}) goto {label};"), body)],
            end: format!("{label}: ;"),
        }
    }

    fn block(&mut self, scope: &Scope) -> Stmt {
        let kind = self.scalar_kind();
        let name = format!("b{}", scope.depth);
        self.begin(scope);
        let value = if kind.is_float() {
            self.float_expr(scope, 2).text
        } else {
            self.expr(scope, 2).text
        };
        let mut inner = scope.clone();
        inner.places.push(super::scope::Place {
            text: name.clone(),
            kind,
            addressable: false,
        });
        let body = self.statements(&inner, 3);
        Stmt::Compound {
            parts: vec![(format!("{{ {} {name} = {value};", kind.name()), body)],
            end: "}".to_owned(),
        }
    }
}
