//! Random well-typed Boogie programs: calls, loops of all shapes, maps, bit-vectors, contracts.
//!
//! In a *closed* program every value that the program does not determine is from a small range, so
//! that trying all of them is a complete search; in an open one anything goes.

mod expressions;
mod statements;

use crate::Random;
use crate::tree::{Procedure, Program, Stmt};

/// A program and what a test must know of it.
pub struct Generated {
    pub program: Program,
    /// See the module.
    pub closed: bool,
    /// A procedure that can call itself is called in a loop, or a loop has several entries: the
    /// bounds of the engines then count otherwise than those of the explorer.
    pub counts_otherwise: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Type {
    Int,
    Bool,
    Bv4,
    Bv8,
    IntMap,
    BoolMap,
    Option,
}

impl Type {
    fn text(self) -> &'static str {
        match self {
            Type::Int => "int",
            Type::Bool => "bool",
            Type::Bv4 => "bv4",
            Type::Bv8 => "bv8",
            Type::IntMap => "[int]int",
            Type::BoolMap => "[int]bool",
            Type::Option => "Option",
        }
    }
}

struct Signature {
    name: String,
    params: Vec<(String, Type)>,
    results: Vec<(String, Type)>,
    has_body: bool,
    /// May call procedures with a smaller number, or itself.
    recursive: bool,
}

/// The range of undetermined integers of closed programs.
pub const CLOSED_INTS: [i64; 3] = [0, 1, 2];

pub fn generate(seed: u64) -> Generated {
    let mut random = Random::new(seed);
    let closed = random.chance(60);
    let options = Options {
        closed,
        functions: !closed && random.chance(25),
        bit_vectors: random.chance(45),
        maps: random.chance(55),
        datatypes: random.chance(20),
        asserts: !random.chance(6),
        calm: random.chance(75),
        gotos: random.chance(35),
        irreducible: random.chance(20),
    };
    let mut generator = Generator {
        random,
        options,
        globals: Vec::new(),
        signatures: Vec::new(),
        labels: 0,
        counts_otherwise: false,
        weights: Vec::new(),
        weight: 0,
        back_calls: 0,
    };
    let program = generator.program();
    Generated {
        program,
        closed,
        counts_otherwise: generator.counts_otherwise,
    }
}

struct Options {
    closed: bool,
    /// A function and a constant of which little is known.
    functions: bool,
    bit_vectors: bool,
    maps: bool,
    datatypes: bool,
    asserts: bool,
    /// Few assertions, and such that seldom fail: executions get deep.
    calm: bool,
    gotos: bool,
    irreducible: bool,
}

struct Generator {
    random: Random,
    options: Options,
    globals: Vec<(String, Type)>,
    signatures: Vec<Signature>,
    labels: usize,
    counts_otherwise: bool,
    /// About how many instances a call of each procedure is, inlined within the largest bound.
    weights: Vec<usize>,
    /// The weight of the procedure that is being made, so far.
    weight: usize,
    /// Calls of procedures that lead back here.
    back_calls: usize,
}

/// The weight that a procedure may have, and the entry.
const MOST_WEIGHT: usize = 24;
const MOST_ENTRY_WEIGHT: usize = 70;
/// Calls that make procedures recursive, in the whole program.
const MOST_BACK_CALLS: usize = 2;

/// Where a statement stands.
#[derive(Clone)]
struct Scope {
    procedure: usize,
    readable: Vec<(String, Type)>,
    writable: Vec<(String, Type)>,
    /// Loops around, which `break` can leave.
    breakable: usize,
    /// Loops around, of any shape.
    loops: usize,
    /// How often a statement here is executed, about.
    rounds: usize,
    depth: usize,
}

impl Scope {
    fn of_type(vars: &[(String, Type)], ty: Type) -> Vec<&str> {
        vars.iter()
            .filter(|(_, of)| *of == ty)
            .map(|(name, _)| name.as_str())
            .collect()
    }
}

impl Generator {
    fn program(&mut self) -> Program {
        let mut declarations = self.declarations();
        let mut types = vec![Type::Int, Type::Bool, Type::Int];
        if self.options.bit_vectors {
            types.push(if self.random.chance(50) {
                Type::Bv4
            } else {
                Type::Bv8
            });
        }
        if self.options.maps {
            types.push(if self.random.chance(60) {
                Type::IntMap
            } else {
                Type::BoolMap
            });
        }
        for (index, ty) in types.into_iter().enumerate() {
            if index < 2 || self.random.chance(60) {
                self.globals.push((format!("g{index}"), ty));
            }
        }
        for (name, ty) in &self.globals {
            let condition = match ty {
                Type::Int if self.random.chance(15) => format!(" where {name} >= 0"),
                _ => String::new(),
            };
            declarations.push(format!("var {name}: {}{condition};", ty.text()));
        }
        let count = 2 + self.random.below(4);
        self.signatures.push(Signature {
            name: "main".into(),
            params: Vec::new(),
            results: Vec::new(),
            has_body: true,
            recursive: false,
        });
        for index in 1..count {
            let signature = self.signature(index);
            self.signatures.push(signature);
        }
        let mut procedures = Vec::new();
        self.weights = vec![1; count];
        // Callees first, so that their weights are known.
        for index in (0..count).rev() {
            let contract = self.contract(index);
            let header = self.header(index, &contract);
            if self.signatures[index].has_body {
                self.weight = 1;
                procedures.push(self.procedure(index, header));
                self.weights[index] = self.weight;
            } else {
                declarations.push(header);
            }
        }
        procedures.reverse();
        Program {
            declarations,
            procedures,
        }
    }

    fn declarations(&mut self) -> Vec<String> {
        let mut declarations = Vec::new();
        if self.options.bit_vectors {
            for width in [4, 8] {
                for (name, op) in [
                    ("add", "bvadd"),
                    ("sub", "bvsub"),
                    ("and", "bvand"),
                    ("shl", "bvshl"),
                ] {
                    declarations.push(format!(
                        "function {{:bvbuiltin \"{op}\"}} {name}{width}(x: bv{width}, y: bv{width}) : bv{width};"
                    ));
                }
                for (name, op) in [("ult", "bvult"), ("sle", "bvsle")] {
                    declarations.push(format!(
                        "function {{:bvbuiltin \"{op}\"}} {name}{width}(x: bv{width}, y: bv{width}) : bool;"
                    ));
                }
            }
        }
        if self.options.maps {
            declarations.push("function {:builtin \"MapConst\"} all_int(x: int) : [int]int;".into());
            declarations.push("function {:builtin \"MapConst\"} all_bool(x: bool) : [int]bool;".into());
        }
        if self.options.datatypes {
            declarations.push("datatype Option { None(), Some(value: int) }".into());
        }
        if self.options.functions {
            declarations.push("function f(x: int) : int;".into());
            declarations.push("const k: int;".into());
            declarations.push("axiom 0 < k && k < 4;".into());
            declarations.push("axiom f(k) == k;".into());
        }
        declarations.push("function {:inline} twice(x: int) : int { x + x }".into());
        declarations
    }

    fn signature(&mut self, index: usize) -> Signature {
        let mut params = vec![("a".to_owned(), Type::Int)];
        let mut results = vec![("r".to_owned(), Type::Int)];
        if self.random.chance(30) {
            params.push(("b".into(), Type::Bool));
        }
        if self.options.bit_vectors && self.random.chance(40) {
            params.push(("c".into(), Type::Bv4));
            results.push(("s".into(), Type::Bv4));
        }
        if self.random.chance(25) {
            results.push(("t".into(), Type::Bool));
        }
        if self.options.datatypes && self.random.chance(40) {
            results.push(("o".into(), Type::Option));
        }
        let has_body = !self.random.chance(12);
        Signature {
            name: format!("p{index}"),
            params,
            results,
            has_body,
            recursive: has_body && self.random.chance(30),
        }
    }

    fn header(&mut self, index: usize, contract: &[String]) -> String {
        let signature = &self.signatures[index];
        let list = |vars: &[(String, Type)]| {
            let vars: Vec<String> = vars
                .iter()
                .map(|(name, ty)| format!("{name}: {}", ty.text()))
                .collect();
            vars.join(", ")
        };
        let mut header = format!("procedure {}({})", signature.name, list(&signature.params));
        if !signature.results.is_empty() {
            header += &format!(" returns ({})", list(&signature.results));
        }
        if !signature.has_body {
            header.push(';');
        }
        if signature.has_body {
            let globals: Vec<&str> = self.globals.iter().map(|(name, _)| name.as_str()).collect();
            header += &format!("\n  modifies {};", globals.join(", "));
        } else {
            header += "\n  modifies g1;";
        }
        for clause in contract {
            header += &format!("\n  {clause}");
        }
        header
    }

    fn contract(&mut self, index: usize) -> Vec<String> {
        let signature = &self.signatures[index];
        let mut clauses = Vec::new();
        if index == 0 {
            return clauses;
        }
        let has_body = signature.has_body;
        let params = signature.params.clone();
        let results = signature.results.clone();
        let free = if self.options.asserts && (!self.options.calm || self.random.chance(30)) {
            ""
        } else {
            "free "
        };
        if has_body {
            if self.random.chance(20) {
                let free = if self.random.chance(30) { "free " } else { free };
                clauses.push(format!("{free}requires {};", self.simple_condition("a")));
            }
            if self.random.chance(20) {
                let free = if self.random.chance(25) { "free " } else { free };
                let condition = match self.random.below(4) {
                    0 => "r >= a".to_owned(),
                    1 => "r == old(g0) || r >= 0".to_owned(),
                    2 => "old(g1) ==> g0 == old(g0) || r > 0".to_owned(),
                    _ => self.simple_condition("r"),
                };
                clauses.push(format!("{free}ensures {condition};"));
            }
            return clauses;
        }
        if self.random.chance(30) {
            clauses.push(format!("{free}requires {};", self.simple_condition("a")));
        }
        for (name, ty) in results {
            if self.options.closed {
                match ty {
                    Type::Int => clauses.push(format!("ensures 0 <= {name} && {name} <= 2;")),
                    Type::Bv4 => clauses.push(format!("free ensures ult4({name}, 4bv4);")),
                    Type::Option => clauses.push(format!(
                        "ensures {name} is Some ==> 0 <= {name}->value && {name}->value <= 2;"
                    )),
                    _ => {}
                }
            } else if ty == Type::Int && self.random.chance(50) {
                clauses.push(format!("ensures {name} >= a;"));
            }
        }
        if params.iter().any(|(_, ty)| *ty == Type::Bool) && self.random.chance(50) {
            clauses.push("free ensures b ==> g1 == old(g1);".into());
        }
        clauses
    }

    fn simple_condition(&mut self, var: &str) -> String {
        let number = self.random.below(4);
        match self.random.below(4) {
            0 => format!("{var} >= 0"),
            1 => format!("{var} < {}", number + 2),
            2 => format!("{var} != {number}"),
            _ => format!("{var} <= {number} || g1"),
        }
    }

    fn procedure(&mut self, index: usize, header: String) -> Procedure {
        let signature = &self.signatures[index];
        let mut locals: Vec<(String, Type)> = vec![
            ("x".into(), Type::Int),
            ("y".into(), Type::Int),
            ("p".into(), Type::Bool),
        ];
        if self.options.bit_vectors {
            locals.push(("v".into(), Type::Bv4));
            locals.push(("w".into(), Type::Bv8));
        }
        if self.options.maps {
            locals.push(("m".into(), Type::IntMap));
        }
        if self.options.datatypes {
            locals.push(("d".into(), Type::Option));
        }
        let mut writable = locals.clone();
        writable.extend(signature.results.iter().cloned());
        let initialised = writable.clone();
        writable.extend(self.globals.iter().cloned());
        let mut readable = writable.clone();
        readable.extend(signature.params.iter().cloned());
        let mut scope = Scope {
            procedure: index,
            readable,
            writable,
            breakable: 0,
            loops: 0,
            rounds: 1,
            depth: 0,
        };
        let mut first: Vec<String> = locals
            .iter()
            .map(|(name, ty)| format!("var {name}: {};", ty.text()))
            .collect();
        first.push("var i: int;".into());
        first.push("var j: int;".into());
        let globals = if index == 0 {
            self.globals.clone()
        } else {
            Vec::new()
        };
        if self.options.closed {
            for (name, ty) in initialised.iter().chain(&globals) {
                first.push(self.choose(name, *ty));
            }
            first.push("i, j := 0, 0;".into());
        } else if self.random.chance(50) {
            first.push("i, j := 0, 0;".into());
        }
        let length = if index == 0 {
            4 + self.random.below(5)
        } else {
            2 + self.random.below(4)
        };
        let mut body = self.statements(&mut scope, length);
        if index == 0 && self.options.asserts {
            body.push(self.assertion(&scope));
        }
        if index > 0 && self.options.closed {
            // Results that grow without end make brute force useless.
            body.push(Stmt::line("if (r > 5 || r < -5) { r := 1; }"));
        }
        Procedure {
            header,
            locals: first,
            body,
        }
    }

    /// Gives a variable a value from the small range, or one value.
    fn choose(&mut self, name: &str, ty: Type) -> String {
        let any = self.random.chance(25);
        match ty {
            Type::Int if any => format!("havoc {name};\n  assume 0 <= {name} && {name} <= 2;"),
            Type::Int => format!("{name} := {};", self.random.below(3)),
            Type::Bool if any => format!("havoc {name};"),
            Type::Bool => format!("{name} := {};", self.random.pick(&["true", "false"])),
            Type::Bv4 if any => format!("havoc {name};\n  assume ult4({name}, 4bv4);"),
            Type::Bv4 => format!("{name} := {}bv4;", self.random.below(16)),
            Type::Bv8 if any => format!("havoc {name};\n  assume ult8({name}, 4bv8);"),
            Type::Bv8 => format!("{name} := {}bv8;", self.random.below(256)),
            Type::IntMap => format!("{name} := all_int({});", self.random.below(3)),
            Type::BoolMap => format!("{name} := all_bool({});", self.random.pick(&["true", "false"])),
            Type::Option if any => format!(
                "havoc {name};\n  assume {name} is Some ==> 0 <= {name}->value && {name}->value <= 2;"
            ),
            Type::Option => format!(
                "{name} := {};",
                self.random.pick(&["None()", "Some(1)", "Some(0)"])
            ),
        }
    }
}
