//! One random program: types, globals, functions and the function `test_N` whose values are compared.
//!
//! Everything in it is named after its seed, so that many programs fit into one file.

use super::expressions::Use;
use super::kinds::{Kind, constant};
use super::records::Record;
use super::scope::{Function, FunctionPointer, Procedure, RecordFunction, Scope, Target};
use lariat_testkit::Random;
use lariat_testkit::tree::{Procedure as Body, Program, Stmt};

pub struct Generator {
    pub random: Random,
    pub seed: u64,
    pub records: Vec<Record>,
    pub declarations: Vec<String>,
    bodies: Vec<Body>,
    names: usize,
    /// What the current full expression does with each scratch variable.
    pub uses: Vec<Use>,
    /// Calls that may still be written in this function.
    pub calls: usize,
    observations: usize,
}

/// Which programs are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Campaign {
    /// The language itself.
    Language,
    /// And what `features` adds to it.
    Features,
}

/// The program of a seed. Larger sizes give larger programs.
pub fn generate(seed: u64, size: usize, campaign: Campaign) -> Program {
    let mut generator = Generator {
        random: Random::new(seed),
        seed,
        records: Vec::new(),
        declarations: Vec::new(),
        bodies: Vec::new(),
        names: 0,
        uses: Vec::new(),
        calls: 0,
        observations: 0,
    };
    generator.program(size, campaign);
    Program {
        declarations: generator.declarations,
        procedures: generator.bodies,
    }
}

impl Generator {
    pub fn name(&mut self, what: &str) -> String {
        self.names += 1;
        format!("p{}_{what}{}", self.seed, self.names)
    }

    fn program(&mut self, size: usize, campaign: Campaign) {
        let mut globals = Scope::default();
        if self.random.chance(40) {
            self.enumeration(&mut globals);
        }
        for _ in 0..1 + self.random.below(2) {
            self.global_scalar(&mut globals);
        }
        if self.random.chance(65) {
            self.add_record(&globals);
            if self.random.chance(50) {
                self.add_record(&globals);
            }
        }
        for _ in 0..self.random.below(3) {
            self.global_object(&mut globals);
        }
        let mut functions = Scope {
            readable: globals.readable.clone(),
            ..Scope::default()
        };
        for _ in 0..self.random.below(3) {
            self.pure_function(&mut functions);
        }
        if self.random.chance(25) {
            self.recursive_function(&mut functions);
        }
        if !self.records.is_empty() && self.random.chance(50) {
            self.record_function(&mut functions);
        }
        globals.functions = functions.functions.clone();
        globals.record_functions = functions.record_functions.clone();
        if self.random.chance(25) {
            self.function_table(&mut globals);
        }
        if self.random.chance(60) {
            self.procedure(&mut globals);
            if self.random.chance(30) {
                self.procedure(&mut globals);
            }
        }
        self.test_function(&globals, size, campaign);
    }

    fn test_function(&mut self, globals: &Scope, size: usize, campaign: Campaign) {
        let mut scope = globals.clone();
        let mut locals = Vec::new();
        self.local_objects(&mut scope, &mut locals, 2 + size);
        self.calls = 3;
        let mut body = Vec::new();
        for _ in 0..1 + self.random.below(2 * size) {
            body.push(self.statement(&scope));
            self.observe(&scope, &mut body, 2);
        }
        if campaign == Campaign::Features {
            self.features(&scope, &mut body);
        }
        self.observe(&scope, &mut body, 8);
        self.bodies.push(Body {
            header: format!("void test_{}(void)", self.seed),
            locals,
            body,
        });
    }

    /// Compares the values of some places with what they are natively.
    fn observe(&mut self, scope: &Scope, body: &mut Vec<Stmt>, count: usize) {
        let mut places: Vec<(String, Kind)> = scope
            .places
            .iter()
            .map(|place| (place.text.clone(), place.kind))
            .chain(scope.scratch.iter().cloned())
            .collect();
        for array in scope.arrays.iter().filter(|array| !array.kind.is_float()) {
            let index = self.random.below(array.length);
            places.push((format!("{}[{index}]", array.text), array.kind));
        }
        while places.len() > count {
            places.swap_remove(self.random.below(places.len()));
        }
        for (text, kind) in places {
            let name = self.observation();
            let value = match kind {
                Kind::Float | Kind::Double => {
                    format!("{text} > -1e15 && {text} < 1e15 ? (long long)({text} * 4) : {text} == {text}")
                }
                _ => text,
            };
            body.push(Stmt::line(format!("OBSERVE({name}, {value});")));
        }
    }

    /// The name of what is observed next.
    pub fn observation(&mut self) -> String {
        self.observations += 1;
        format!("r{}_{}", self.seed, self.observations)
    }

    fn enumeration(&mut self, globals: &mut Scope) {
        let tag = self.name("e");
        let negative = self.random.chance(50);
        let kind = if negative { Kind::Int } else { Kind::UInt };
        let names = [self.name("E"), self.name("E"), self.name("E")];
        let first = if negative {
            format!(" = -{}", 1 + self.random.below(9))
        } else {
            String::new()
        };
        let last = format!(" = {}", 20 + self.random.below(1000));
        self.declarations.push(format!(
            "enum {tag} {{ {}{first}, {}, {}{last} }};",
            names[0], names[1], names[2]
        ));
        let variable = self.name("g");
        self.declarations.push(format!(
            "static enum {tag} {variable} = {};",
            names[self.random.below(3)]
        ));
        // An enumeration is compatible with one integer type, but no pointer to it is.
        globals.places.push(super::scope::Place {
            text: variable,
            kind,
            addressable: false,
        });
        for name in names {
            globals.readable.push((name, Kind::Int));
        }
    }

    pub fn array_init(&mut self, kind: Kind, length: usize) -> String {
        let mut parts = Vec::new();
        match self.random.below(4) {
            // The rest is zero.
            0 => {
                for _ in 0..1 + self.random.below(length) {
                    parts.push(constant(&mut self.random, kind));
                }
            }
            1 => {
                let index = self.random.below(length);
                parts.push(format!("[{index}] = {}", constant(&mut self.random, kind)));
                if index + 1 < length {
                    parts.push(constant(&mut self.random, kind));
                }
            }
            _ => {
                for _ in 0..length {
                    parts.push(constant(&mut self.random, kind));
                }
            }
        }
        format!("{{ {} }}", parts.join(", "))
    }

    pub fn scalar_kind(&mut self) -> Kind {
        match self.random.below(10) {
            0 if self.random.chance(60) => Kind::Double,
            0 => Kind::Float,
            _ => Kind::any_integer(&mut self.random),
        }
    }

    fn finish(&mut self, header: String, locals: Vec<String>, mut body: Vec<Stmt>, result: String) {
        body.push(Stmt::line(format!("return {result};")));
        self.bodies.push(Body { header, locals, body });
    }

    fn parameters(&mut self, scope: &mut Scope, count: usize) -> (Vec<Kind>, Vec<String>) {
        let (mut kinds, mut texts) = (Vec::new(), Vec::new());
        for index in 0..count {
            let kind = self.scalar_kind();
            kinds.push(kind);
            texts.push(format!("{} a{index}", kind.name()));
            scope.places.push(super::scope::Place {
                text: format!("a{index}"),
                kind,
                addressable: true,
            });
        }
        (kinds, texts)
    }

    fn pure_function(&mut self, known: &mut Scope) {
        let mut scope = known.clone();
        let count = 1 + self.random.below(3);
        let (params, texts) = self.parameters(&mut scope, count);
        let name = self.name("f");
        let result = self.pure_body(&name, &mut scope, &texts);
        known.functions.push(Function {
            text: name,
            params,
            result,
            recursive: false,
        });
    }

    fn pure_body(&mut self, name: &str, scope: &mut Scope, params: &[String]) -> Kind {
        let result = Kind::any_integer(&mut self.random);
        self.body_of_type(name, scope, params, result);
        result
    }

    fn body_of_type(&mut self, name: &str, scope: &mut Scope, params: &[String], result: Kind) {
        let mut locals = Vec::new();
        let count = self.random.below(2);
        self.local_objects(scope, &mut locals, count);
        self.calls = 1;
        let mut body = Vec::new();
        for _ in 0..self.random.below(3) {
            body.push(self.statement(scope));
        }
        self.begin(scope);
        let value = self.expr(scope, 2).text;
        let storage = self.random.pick(&["", "static ", "static inline "]);
        let header = format!("{storage}{} {name}({})", result.name(), params.join(", "));
        self.finish(header, locals, body, value);
    }

    fn recursive_function(&mut self, known: &mut Scope) {
        let mut scope = known.clone();
        let kind = Kind::any_integer(&mut self.random);
        scope.places.push(super::scope::Place {
            text: "a".to_owned(),
            kind,
            addressable: false,
        });
        scope.readable.push(("n".to_owned(), Kind::Int));
        let name = self.name("r");
        let mut locals = Vec::new();
        self.local_objects(&mut scope, &mut locals, 0);
        self.calls = 0;
        self.begin(&scope);
        let (end, next, rest) = (
            self.expr(&scope, 1).text,
            self.expr(&scope, 1).text,
            self.expr(&scope, 1).text,
        );
        locals.push(format!("if (n <= 0) return {end};"));
        let operator = self.random.pick(&["+", "-", "^", "*", "|"]);
        let body = vec![self.statement(&scope)];
        let result = Kind::any_integer(&mut self.random);
        let header = format!("{} {name}(int n, {} a)", result.name(), kind.name());
        // The next call first: what follows must not read what it changes.
        self.finish(
            header,
            locals,
            body,
            format!("{name}(n - 1, {next}) {operator} ({rest})"),
        );
        known.functions.push(Function {
            text: name,
            params: vec![Kind::Int, kind],
            result,
            recursive: true,
        });
    }

    fn record_function(&mut self, known: &mut Scope) {
        let record = self.random.below(self.records.len());
        let mut scope = known.clone();
        // Through the pointers in it, it would change more than its own.
        if self.has_pointer(record) {
            return;
        }
        self.add_record_places(&mut scope, "s", record, true);
        let param = self.scalar_kind();
        scope.places.push(super::scope::Place {
            text: "a".to_owned(),
            kind: param,
            addressable: false,
        });
        let name = self.name("m");
        let tag = self.records[record].tag.clone();
        let mut locals = Vec::new();
        self.local_objects(&mut scope, &mut locals, 1);
        self.calls = 1;
        let mut body = Vec::new();
        for _ in 0..1 + self.random.below(3) {
            body.push(self.statement(&scope));
        }
        let header = format!("struct {tag} {name}(struct {tag} s, {} a)", param.name());
        self.finish(header, locals, body, "s".to_owned());
        known.record_functions.push(RecordFunction {
            text: name,
            record,
            param,
        });
    }

    /// Two functions of one type, called through pointers.
    fn function_table(&mut self, globals: &mut Scope) {
        let (first, second) = (self.name("f"), self.name("f"));
        let empty = Scope {
            readable: globals.readable.clone(),
            ..Scope::default()
        };
        let mut scope = empty.clone();
        let (params, texts) = self.parameters(&mut scope, 2);
        let result = self.pure_body(&first, &mut scope, &texts);
        let mut scope = empty;
        for (index, &kind) in params.iter().enumerate() {
            scope.places.push(super::scope::Place {
                text: format!("a{index}"),
                kind,
                addressable: true,
            });
        }
        self.body_of_type(&second, &mut scope, &texts, result);
        let (table, pointer) = (self.name("t"), self.name("q"));
        let types = format!("({}, {})", params[0].name(), params[1].name());
        let result_name = result.name();
        // They are named before they are defined.
        self.declarations.push(format!("{result_name} {first}{types};"));
        self.declarations.push(format!("{result_name} {second}{types};"));
        for body in self.bodies.iter_mut().rev().take(2) {
            for storage in ["static inline ", "static "] {
                if let Some(header) = body.header.strip_prefix(storage) {
                    body.header = header.to_owned();
                }
            }
        }
        self.declarations.push(format!(
            "static {result_name} (*{table}[2]){types} = {{ {first}, {second} }};"
        ));
        let ampersand = self.random.pick(&["", "&"]);
        self.declarations.push(format!(
            "static {result_name} (*{pointer}){types} = {ampersand}{first};"
        ));
        let texts = [
            first.clone(),
            format!("{table}[1]"),
            format!("(*{pointer})"),
            pointer.clone(),
        ];
        for text in texts {
            globals.functions.push(Function {
                text,
                params: params.clone(),
                result,
                recursive: false,
            });
        }
        globals.function_pointers.push(FunctionPointer {
            text: pointer,
            targets: vec![
                first.clone(),
                second.clone(),
                format!("{table}[0]"),
                format!("{table}[1]"),
            ],
        });
        globals.function_pointers.push(FunctionPointer {
            text: format!("{table}[1]"),
            targets: vec![first, second],
        });
    }

    /// A function that changes globals, statics of its own and what it is given a pointer to.
    fn procedure(&mut self, globals: &mut Scope) {
        let mut scope = globals.clone();
        scope.procedures.clear();
        let mut locals = Vec::new();
        let target = match self.random.below(4) {
            0 => Target::Nothing,
            1 if !self.records.is_empty() => Target::Record(self.random.below(self.records.len())),
            2 => Target::Array(Kind::any_integer(&mut self.random), 4),
            _ => Target::Scalar(Kind::any_integer(&mut self.random)),
        };
        let param = self.scalar_kind();
        let first = match &target {
            Target::Nothing => String::new(),
            Target::Scalar(kind) => {
                scope.places.push(super::scope::Place {
                    text: "(*p)".to_owned(),
                    kind: *kind,
                    addressable: false,
                });
                scope.pointers.push(super::scope::Pointer {
                    text: "p".to_owned(),
                    kind: *kind,
                });
                format!("{} *p, ", kind.name())
            }
            Target::Record(record) => {
                self.add_record_pointer(&mut scope, "p", *record);
                format!("struct {} *p, ", self.records[*record].tag)
            }
            Target::Array(kind, length) => {
                scope.arrays.push(super::scope::Array {
                    text: "p".to_owned(),
                    kind: *kind,
                    length: *length,
                    writable: true,
                });
                format!("{} p[], ", kind.name())
            }
        };
        scope.places.push(super::scope::Place {
            text: "a".to_owned(),
            kind: param,
            addressable: false,
        });
        if self.random.chance(50) {
            let kind = Kind::any_integer(&mut self.random);
            locals.push(format!(
                "static {} kept = {};",
                kind.name(),
                constant(&mut self.random, kind)
            ));
            scope.places.push(super::scope::Place {
                text: "kept".to_owned(),
                kind,
                addressable: false,
            });
        }
        let result = Kind::any_integer(&mut self.random);
        let name = self.name("c");
        self.local_objects(&mut scope, &mut locals, 0);
        self.calls = 1;
        let mut body = Vec::new();
        for _ in 0..1 + self.random.below(3) {
            body.push(self.statement(&scope));
        }
        self.begin(&scope);
        let value = self.expr(&scope, 1).text;
        let header = format!("{} {name}({first}{} a)", result.name(), param.name());
        self.finish(header, locals, body, value);
        globals.procedures.push(Procedure {
            text: name,
            target,
            param,
        });
    }
}
