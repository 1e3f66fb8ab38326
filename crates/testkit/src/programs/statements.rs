//! Random statements.

use super::{Generator, MOST_BACK_CALLS, MOST_ENTRY_WEIGHT, MOST_WEIGHT, Scope, Type};
use crate::tree::Stmt;

impl Generator {
    pub(super) fn statements(&mut self, scope: &mut Scope, length: usize) -> Vec<Stmt> {
        (0..length).map(|_| self.statement(scope)).collect()
    }

    fn nested(&mut self, scope: &Scope, length: usize) -> Vec<Stmt> {
        let mut inner = scope.clone();
        inner.depth += 1;
        self.statements(&mut inner, length)
    }

    fn statement(&mut self, scope: &mut Scope) -> Stmt {
        let deep = scope.depth >= 2;
        match self.random.below(100) {
            0..=24 => self.assignment(scope),
            25..=31 => {
                let name = self.random.below(scope.writable.len());
                let (name, ty) = scope.writable[name].clone();
                if self.options.closed || self.random.chance(30) {
                    Stmt::line(self.choose(&name, ty))
                } else {
                    Stmt::line(format!("havoc {name};"))
                }
            }
            32..=36 => Stmt::line(format!("assume {};", self.condition(scope, 1))),
            37..=50 if self.options.asserts && !self.options.calm => self.assertion(scope),
            37..=39 if self.options.asserts => self.assertion(scope),
            51..=65 => self.call(scope),
            66..=77 if !deep => self.branch(scope),
            78..=88 if !deep => self.structured_loop(scope),
            89..=92 if !deep && self.options.gotos => self.goto_loop(scope),
            93..=95 if !deep && self.options.irreducible => self.irreducible_loop(scope),
            96 if scope.breakable > 0 => {
                let condition = self.condition(scope, 1);
                Stmt::Compound {
                    parts: vec![(format!("if ({condition}) {{"), vec![Stmt::line("break;")])],
                    end: "}".into(),
                }
            }
            97 => {
                let condition = self.condition(scope, 1);
                Stmt::Compound {
                    parts: vec![(format!("if ({condition}) {{"), vec![Stmt::line("return;")])],
                    end: "}".into(),
                }
            }
            _ => self.assignment(scope),
        }
    }

    fn assignment(&mut self, scope: &Scope) -> Stmt {
        if self.random.chance(12) {
            let ints = Scope::of_type(&scope.writable, Type::Int);
            let (first, second) = (self.random.below(ints.len()), self.random.below(ints.len()));
            if first != second {
                let (first, second) = (ints[first].to_owned(), ints[second].to_owned());
                let (left, right) = (self.int(scope, 1), self.int(scope, 1));
                return Stmt::line(format!("{first}, {second} := {left}, {right};"));
            }
        }
        let index = self.random.below(scope.writable.len());
        let (name, ty) = scope.writable[index].clone();
        if ty == Type::IntMap && self.random.chance(75) {
            let (index, value) = (self.int(scope, 1), self.int(scope, 1));
            return Stmt::line(format!("{name}[{index}] := {value};"));
        }
        if ty == Type::BoolMap && self.random.chance(75) {
            let (index, value) = (self.int(scope, 1), self.condition(scope, 1));
            return Stmt::line(format!("{name}[{index}] := {value};"));
        }
        let value = self.expression(ty, scope, 2);
        Stmt::line(format!("{name} := {value};"))
    }

    fn call(&mut self, scope: &Scope) -> Stmt {
        let own = scope.procedure;
        let is_recursive = self.signatures[own].recursive;
        let candidates: Vec<usize> = (1..self.signatures.len())
            .filter(|&callee| callee > own || is_recursive)
            .collect();
        if candidates.is_empty() {
            return self.assignment(scope);
        }
        let callee = candidates[self.random.below(candidates.len())];
        let back = callee <= own;
        let weight = if back {
            // Three activations of what there is, more if there are several in one round.
            self.weight * if scope.loops > 0 || callee < own { 9 } else { 2 }
        } else {
            scope.rounds * self.weights[callee]
        };
        let most = if own == 0 { MOST_ENTRY_WEIGHT } else { MOST_WEIGHT };
        if self.weight + weight > most || (back && self.back_calls == MOST_BACK_CALLS) {
            return self.assignment(scope);
        }
        self.weight += weight;
        self.back_calls += usize::from(back);
        if scope.loops > 0 && self.signatures.iter().any(|signature| signature.recursive) {
            self.counts_otherwise = true;
        }
        let params = self.signatures[callee].params.clone();
        let results = self.signatures[callee].results.clone();
        let mut targets: Vec<String> = Vec::new();
        for (_, ty) in &results {
            let names: Vec<&str> = Scope::of_type(&scope.writable, *ty)
                .into_iter()
                .filter(|name| !targets.iter().any(|taken| taken == name))
                .collect();
            if names.is_empty() {
                return self.assignment(scope);
            }
            let name = names[self.random.below(names.len())].to_owned();
            targets.push(name);
        }
        let arguments: Vec<String> = params
            .iter()
            .map(|(_, ty)| {
                if back && *ty == Type::Int {
                    "a - 1".to_owned()
                } else {
                    self.expression(*ty, scope, 1)
                }
            })
            .collect();
        let name = self.signatures[callee].name.clone();
        let call = Stmt::line(format!(
            "call {} := {name}({});",
            targets.join(", "),
            arguments.join(", ")
        ));
        if back && self.random.chance(85) {
            let guard = if self.random.chance(85) { "a > 0" } else { "*" };
            return Stmt::Compound {
                parts: vec![(format!("if ({guard}) {{"), vec![call])],
                end: "}".into(),
            };
        }
        call
    }

    pub(super) fn assertion(&mut self, scope: &Scope) -> Stmt {
        if !self.options.calm {
            return Stmt::line(format!("assert {};", self.condition(scope, 2)));
        }
        let condition = match self.random.below(6) {
            0 => format!(
                "({}) || ({}) || ({})",
                self.condition(scope, 1),
                self.condition(scope, 1),
                self.condition(scope, 0)
            ),
            1 => format!("{} != {}", self.int(scope, 1), 4 + self.random.below(6)),
            2 => format!("{} <= {}", self.int(scope, 1), 4 + self.random.below(6)),
            3 => format!("{} > -{}", self.int(scope, 1), 2 + self.random.below(6)),
            4 => {
                let condition = self.condition(scope, 1);
                return Stmt::Compound {
                    parts: vec![(
                        format!("if ({condition}) {{"),
                        vec![Stmt::line(format!("assert {};", self.condition(scope, 1)))],
                    )],
                    end: "}".into(),
                };
            }
            _ => {
                let value = self.variable(scope, Type::Int).unwrap_or_else(|| "1".into());
                format!(
                    "{value} != 3 || ({}) || ({})",
                    self.condition(scope, 1),
                    self.condition(scope, 0)
                )
            }
        };
        Stmt::line(format!("assert {condition};"))
    }

    fn branch(&mut self, scope: &Scope) -> Stmt {
        let guard = if self.random.chance(25) {
            "*".to_owned()
        } else {
            self.condition(scope, 2)
        };
        let (then, other) = (1 + self.random.below(2), self.random.below(3));
        let then = self.nested(scope, then);
        let mut parts = vec![(format!("if ({guard}) {{"), then)];
        if other > 0 {
            let other = self.nested(scope, other);
            let between = if self.random.chance(20) {
                format!("}} else if ({}) {{", self.condition(scope, 1))
            } else {
                "} else {".to_owned()
            };
            parts.push((between, other));
        }
        Stmt::Compound {
            parts,
            end: "}".into(),
        }
    }

    fn structured_loop(&mut self, scope: &Scope) -> Stmt {
        let mut inner = scope.clone();
        inner.depth += 1;
        inner.breakable += 1;
        inner.loops += 1;
        inner.rounds *= 3;
        self.weight += inner.rounds;
        let length = 1 + self.random.below(3);
        let counter = if scope.depth == 0 { "i" } else { "j" };
        let mut guard = String::new();
        let mut before = String::new();
        let mut last = Vec::new();
        match self.random.below(10) {
            // A constant number of rounds.
            0..=3 => {
                before = format!("{counter} := 0;\n");
                guard = format!("{counter} < {}", 1 + self.random.below(4));
                last.push(Stmt::line(format!("{counter} := {counter} + 1;")));
            }
            // Downwards from a value of the program.
            4..=6 => {
                before = format!("{counter} := {};\n", self.int(scope, 1));
                guard = format!("{counter} > 0");
                last.push(Stmt::line(format!("{counter} := {counter} - 1;")));
            }
            7 => guard.push('*'),
            _ => guard = self.condition(scope, 1),
        }
        let mut body = self.statements(&mut inner, length);
        body.extend(last);
        let invariant = if self.options.asserts && self.random.chance(if self.options.calm { 4 } else { 12 })
        {
            let condition = self.condition(scope, 1);
            if self.random.chance(20) {
                format!("\n  free invariant {condition};")
            } else {
                format!("\n  invariant {condition};")
            }
        } else {
            String::new()
        };
        let open = if invariant.is_empty() {
            format!("{before}while ({guard}) {{")
        } else {
            format!("{before}while ({guard}){invariant}\n{{")
        };
        Stmt::Compound {
            parts: vec![(open, body)],
            end: "}".into(),
        }
    }

    fn label(&mut self) -> String {
        self.labels += 1;
        format!("L{}", self.labels)
    }

    /// A loop whose test is at its end, made with `goto`.
    fn goto_loop(&mut self, scope: &Scope) -> Stmt {
        let (head, back, end) = (self.label(), self.label(), self.label());
        let mut inner = scope.clone();
        inner.depth += 1;
        inner.loops += 1;
        inner.rounds *= 3;
        self.weight += inner.rounds;
        let length = 1 + self.random.below(3);
        let body = self.statements(&mut inner, length);
        let condition = self.condition(scope, 1);
        let leave = if self.random.chance(50) {
            format!("\n  assume !({condition});")
        } else {
            String::new()
        };
        Stmt::Compound {
            parts: vec![(format!("{head}:"), body)],
            end: format!(
                "goto {back}, {end};\n{back}:\n  assume {condition};\n  goto {head};\n{end}:{leave}"
            ),
        }
    }

    /// A loop with two entries.
    fn irreducible_loop(&mut self, scope: &Scope) -> Stmt {
        self.counts_otherwise = true;
        let (first, second, end) = (self.label(), self.label(), self.label());
        let mut inner = scope.clone();
        inner.depth += 1;
        inner.loops += 1;
        inner.rounds *= 3;
        self.weight += inner.rounds;
        let length = 1 + self.random.below(2);
        let one = self.statements(&mut inner, length);
        let other = self.statements(&mut inner, length);
        let condition = self.condition(scope, 1);
        Stmt::Compound {
            parts: vec![
                (format!("goto {first}, {second};\n{first}:"), one),
                (
                    format!("goto {second}, {end};\n{second}:\n  assume {condition};"),
                    other,
                ),
            ],
            end: format!("goto {first}, {end};\n{end}:"),
        }
    }
}
