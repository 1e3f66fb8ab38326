//! Small C components: their abstract syntax, a generator, and their text.

use std::fmt::Write as _;

use crate::systems::{Random, System, TAU};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    Int,
    Unsigned,
    UnsignedChar,
}

#[derive(Clone, Debug)]
pub enum Expr {
    Const(i64),
    Var(usize),
    Add(Box<Expr>, Box<Expr>),
    Sub(Box<Expr>, Box<Expr>),
    Rem(Box<Expr>, i64),
    Mask(Box<Expr>, i64),
    Less(Box<Expr>, Box<Expr>),
    Equal(Box<Expr>, Box<Expr>),
    Not(Box<Expr>),
    AndAlso(Box<Expr>, Box<Expr>),
    OrElse(Box<Expr>, Box<Expr>),
}

/// 0, 1 or 2, in different ways.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    External,
    Uninitialised,
}

#[derive(Clone, Debug)]
pub enum Stmt {
    Assign(usize, Expr),
    Choose(usize, Choice),
    Call {
        routine: usize,
        argument: Option<Expr>,
        result: Option<usize>,
    },
    Helper {
        argument: Expr,
        result: usize,
    },
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    While(Expr, Vec<Stmt>),
    Forever(Vec<Stmt>),
    /// A case without break falls through.
    Switch(Expr, Vec<(i64, Vec<Stmt>, bool)>, Vec<Stmt>),
    Break,
    Return(Expr),
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub ty: Type,
    pub initial: i64,
}

/// A procedure abstraction: with a parameter p there is one system for p > 0 and one for p <= 0, or one for each of the values
/// 0 to 2 and one for all others.
#[derive(Clone, Debug)]
pub struct Routine {
    pub name: String,
    pub has_parameter: bool,
    /// Its actions have the value of the parameter.
    pub has_values: bool,
    pub returns_value: bool,
    pub systems: Vec<System>,
}

#[derive(Clone, Debug)]
pub struct Program {
    /// Globals, locals, parameter and locals of the helper.
    pub variables: Vec<Variable>,
    pub globals: Vec<usize>,
    pub locals: Vec<usize>,
    pub parameter: usize,
    pub helper_locals: Vec<usize>,
    pub body: Vec<Stmt>,
    pub helper: Vec<Stmt>,
    pub is_void: bool,
}

/// What can be written at a place.
#[derive(Clone)]
struct Place<'r> {
    visible: Vec<usize>,
    routines: &'r [usize],
    in_loop: bool,
    in_helper: bool,
    is_void: bool,
}

pub struct Generator<'n> {
    pub numbers: &'n mut Random,
    pub routines: &'n [Routine],
}

/// A system that does some of these actions and then returns one of these values.
pub fn random_routine(numbers: &mut Random, name: &str, actions: &[&str]) -> Routine {
    let has_parameter = numbers.one_in(3);
    let returns_value = numbers.one_in(2);
    let has_values = has_parameter && numbers.one_in(3);
    let count = match (has_parameter, has_values) {
        (false, _) => 1,
        (true, false) => 2,
        (true, true) => 4,
    };
    let systems = (0..count).map(|value| {
        let valued: Vec<String> = actions.iter().map(|action| format!("{action}.{value}")).collect();
        let valued: Vec<&str> = valued.iter().map(String::as_str).collect();
        let own = match has_values && value < 3 {
            true => valued.as_slice(),
            false => actions,
        };
        random_routine_system(numbers, own, returns_value)
    });
    let systems = systems.collect();
    Routine {
        name: name.to_owned(),
        has_parameter,
        has_values,
        returns_value,
        systems,
    }
}

impl Routine {
    /// The guards of its systems.
    pub fn guards(&self) -> &'static [&'static str] {
        match (self.has_parameter, self.has_values) {
            (false, _) => &["true"],
            (true, false) => &["p > 0", "p <= 0"],
            (true, true) => &["p == 0", "p == 1", "p == 2", "p < 0 || p > 2"],
        }
    }

    /// The system for a value of the parameter.
    pub fn alternative(&self, value: Option<i32>) -> usize {
        match (value, self.has_values) {
            (None, _) => 0,
            (Some(value), false) => usize::from(value <= 0),
            (Some(value), true) => usize::try_from(value)
                .ok()
                .filter(|&value| value < 3)
                .unwrap_or(3),
        }
    }
}

fn random_routine_system(numbers: &mut Random, actions: &[&str], returns_value: bool) -> System {
    let count = 1 + numbers.below(3);
    let mut system = System::default();
    for state in 0..count {
        let mut steps = Vec::new();
        // The next state can always be reached, so that it returns in the end.
        let action = if numbers.one_in(8) {
            TAU
        } else {
            numbers.pick(actions)
        };
        steps.push(match state + 1 < count {
            true => (action.to_owned(), state + 1),
            false => (returned(numbers, returns_value), count),
        });
        while numbers.one_in(3) {
            steps.push(match numbers.one_in(2) {
                true => (returned(numbers, returns_value), count),
                false => ((numbers.pick(actions)).to_owned(), numbers.below(count)),
            });
        }
        steps.sort();
        steps.dedup();
        system.steps.push(steps);
    }
    system.steps.push(Vec::new());
    for (action, _) in system.steps.iter().flatten() {
        if action != TAU {
            system.alphabet.insert(action.clone());
        }
    }
    system
}

fn returned(numbers: &mut Random, returns_value: bool) -> String {
    match returns_value {
        true => format!(
            "return{{{}}}",
            numbers.below(3) as i64 - i64::from(numbers.one_in(6))
        ),
        false => "return{}".to_owned(),
    }
}

impl Generator<'_> {
    pub fn program(&mut self, routines: &[usize]) -> Program {
        let mut variables = Vec::new();
        let mut declare = |numbers: &mut Random, prefix: &str, count: usize| -> Vec<usize> {
            (0..count)
                .map(|index| {
                    variables.push(Variable {
                        name: format!("{prefix}{index}"),
                        ty: numbers.pick(&[
                            Type::Int,
                            Type::Int,
                            Type::Int,
                            Type::Unsigned,
                            Type::UnsignedChar,
                        ]),
                        initial: numbers.below(3) as i64,
                    });
                    variables.len() - 1
                })
                .collect()
        };
        let count = self.numbers.below(2);
        let globals = declare(self.numbers, "g", count);
        let count = 1 + self.numbers.below(3);
        let locals = declare(self.numbers, "v", count);
        let parameter = declare(self.numbers, "p", 1)[0];
        let count = 1 + self.numbers.below(2);
        let helper_locals = declare(self.numbers, "h", count);
        let is_void = self.numbers.one_in(4);
        let place = Place {
            visible: globals.iter().chain(&locals).copied().collect(),
            routines,
            in_loop: false,
            in_helper: false,
            is_void,
        };
        let body = self.block(&place, 3);
        let mut visible = globals.clone();
        visible.push(parameter);
        visible.extend(&helper_locals);
        let place = Place {
            visible,
            routines,
            in_loop: false,
            in_helper: true,
            is_void: false,
        };
        let mut helper = self.block(&place, 1);
        helper.push(Stmt::Return(self.bounded(&place)));
        Program {
            variables,
            globals,
            locals,
            parameter,
            helper_locals,
            body,
            helper,
            is_void,
        }
    }

    fn block(&mut self, place: &Place<'_>, depth: usize) -> Vec<Stmt> {
        let count = 1 + self.numbers.below(if depth == 3 { 5 } else { 3 });
        (0..count).map(|_| self.statement(place, depth)).collect()
    }

    fn statement(&mut self, place: &Place<'_>, depth: usize) -> Stmt {
        let target = self.numbers.pick(&place.visible);
        let nested = Place {
            in_loop: true,
            ..place.clone()
        };
        match self.numbers.below(if depth == 0 { 10 } else { 18 }) {
            0..=2 => Stmt::Assign(target, self.bounded(place)),
            3 => Stmt::Choose(
                target,
                self.numbers.pick(&[Choice::External, Choice::Uninitialised]),
            ),
            4..=7 => {
                let index = self.numbers.pick(place.routines);
                let routine = &self.routines[index];
                let (has_parameter, returns_value) = (routine.has_parameter, routine.returns_value);
                Stmt::Call {
                    routine: index,
                    argument: has_parameter.then(|| self.expr(place, 1)),
                    result: (returns_value && !self.numbers.one_in(4)).then_some(target),
                }
            }
            8 if place.in_loop && self.numbers.one_in(2) => Stmt::Break,
            8 if !place.in_helper => Stmt::Helper {
                argument: self.expr(place, 1),
                result: target,
            },
            9 if self.numbers.one_in(4) => match place.is_void {
                true => Stmt::Return(Expr::Const(0)),
                false => Stmt::Return(self.bounded(place)),
            },
            8 | 9 => Stmt::Assign(target, self.bounded(place)),
            10..=13 => {
                let otherwise = match self.numbers.one_in(2) {
                    true => Vec::new(),
                    false => self.block(place, depth - 1),
                };
                Stmt::If(self.condition(place), self.block(place, depth - 1), otherwise)
            }
            14 | 15 => Stmt::While(self.condition(place), self.block(&nested, depth - 1)),
            16 => Stmt::Forever(self.block(&nested, depth - 1)),
            _ => {
                let mut cases = Vec::new();
                for value in 0..1 + self.numbers.below(3) {
                    let body = self.block(&nested, depth - 1);
                    cases.push((value as i64, body, self.numbers.one_in(2)));
                }
                Stmt::Switch(self.expr(place, 1), cases, self.block(&nested, depth - 1))
            }
        }
    }

    /// A value that stays small, most of the time.
    fn bounded(&mut self, place: &Place<'_>) -> Expr {
        match self.numbers.below(8) {
            0 | 1 => Expr::Const(self.numbers.below(4) as i64),
            2 => Expr::Var(self.numbers.pick(&place.visible)),
            3 => Expr::Rem(Box::new(self.expr(place, 1)), 2 + self.numbers.below(2) as i64),
            4 => Expr::Mask(Box::new(self.expr(place, 1)), [1, 2, 3][self.numbers.below(3)]),
            5 => self.condition(place),
            6 => Expr::Sub(
                Box::new(Expr::Const(2)),
                Box::new(Expr::Var(self.numbers.pick(&place.visible))),
            ),
            _ => self.expr(place, 1),
        }
    }

    fn expr(&mut self, place: &Place<'_>, depth: usize) -> Expr {
        let choice = self.numbers.below(if depth == 0 { 3 } else { 7 });
        let operand = |generator: &mut Self| Box::new(generator.expr(place, depth.saturating_sub(1)));
        match choice {
            0 => Expr::Const(self.numbers.below(4) as i64),
            1 | 2 => Expr::Var(self.numbers.pick(&place.visible)),
            3 => Expr::Add(operand(self), operand(self)),
            4 => Expr::Sub(operand(self), operand(self)),
            5 => Expr::Mask(operand(self), 1),
            _ => Expr::Rem(operand(self), 3),
        }
    }

    fn condition(&mut self, place: &Place<'_>) -> Expr {
        let left = Box::new(Expr::Var(self.numbers.pick(&place.visible)));
        match self.numbers.below(9) {
            0..=2 => Expr::Less(left, Box::new(self.expr(place, 0))),
            3..=5 => Expr::Equal(left, Box::new(self.expr(place, 1))),
            6 => Expr::Not(left),
            7 => Expr::AndAlso(Box::new(self.condition(place)), Box::new(self.condition(place))),
            _ => Expr::OrElse(Box::new(self.condition(place)), Box::new(self.condition(place))),
        }
    }
}

impl Type {
    pub fn text(self) -> &'static str {
        match self {
            Type::Int => "int",
            Type::Unsigned => "unsigned",
            Type::UnsignedChar => "unsigned char",
        }
    }
}

impl Program {
    pub fn text(&self, routines: &[Routine]) -> String {
        let mut text = String::from("extern int any(void);\n");
        for routine in routines {
            let result = if routine.returns_value { "int" } else { "void" };
            let parameter = if routine.has_parameter { "int p" } else { "void" };
            let _ = writeln!(text, "{result} {}({parameter});", routine.name);
        }
        self.declare(&mut text, &self.globals);
        let parameter = &self.variables[self.parameter];
        let _ = writeln!(
            text,
            "static int helper({} {}) {{",
            parameter.ty.text(),
            parameter.name
        );
        self.declare(&mut text, &self.helper_locals);
        self.block(&mut text, &self.helper, routines, false);
        let result = if self.is_void { "void" } else { "int" };
        let _ = writeln!(text, "}}\n{result} component(void) {{");
        self.declare(&mut text, &self.locals);
        self.block(&mut text, &self.body, routines, self.is_void);
        text.push_str(if self.is_void { "}\n" } else { "return 3; }\n" });
        text
    }

    fn declare(&self, text: &mut String, variables: &[usize]) {
        for &variable in variables {
            let Variable { name, ty, initial } = &self.variables[variable];
            let _ = writeln!(text, "{} {name} = {initial};", ty.text());
        }
    }

    fn block(&self, text: &mut String, block: &[Stmt], routines: &[Routine], is_void: bool) {
        for statement in block {
            self.statement(text, statement, routines, is_void);
        }
    }

    fn statement(&self, text: &mut String, statement: &Stmt, routines: &[Routine], is_void: bool) {
        let name = |variable: usize| &self.variables[variable].name;
        let _ = match statement {
            Stmt::Assign(variable, value) => writeln!(text, "{} = {};", name(*variable), self.expr(value)),
            Stmt::Choose(variable, Choice::External) => writeln!(
                text,
                "{{ int c = any(); if (c < 0 || c > 2) c = 0; {} = c; }}",
                name(*variable)
            ),
            Stmt::Choose(variable, Choice::Uninitialised) => {
                writeln!(
                    text,
                    "{{ int c; if (c < 0 || c > 2) c = 0; {} = c; }}",
                    name(*variable)
                )
            }
            Stmt::Call {
                routine,
                argument,
                result,
            } => {
                let target = result
                    .map(|result| format!("{} = ", name(result)))
                    .unwrap_or_default();
                let argument = argument
                    .as_ref()
                    .map(|argument| self.expr(argument))
                    .unwrap_or_default();
                writeln!(text, "{target}{}({argument});", routines[*routine].name)
            }
            Stmt::Helper { argument, result } => {
                writeln!(text, "{} = helper({});", name(*result), self.expr(argument))
            }
            Stmt::If(condition, then, otherwise) => {
                let _ = writeln!(text, "if ({}) {{", self.expr(condition));
                self.block(text, then, routines, is_void);
                if !otherwise.is_empty() {
                    text.push_str("} else {\n");
                    self.block(text, otherwise, routines, is_void);
                }
                writeln!(text, "}}")
            }
            Stmt::While(condition, body) => {
                let _ = writeln!(text, "while ({}) {{", self.expr(condition));
                self.block(text, body, routines, is_void);
                writeln!(text, "}}")
            }
            Stmt::Forever(body) => {
                text.push_str("for (;;) {\n");
                self.block(text, body, routines, is_void);
                writeln!(text, "}}")
            }
            Stmt::Switch(value, cases, default) => {
                let _ = writeln!(text, "switch ({}) {{", self.expr(value));
                for (number, body, ends) in cases {
                    let _ = writeln!(text, "case {number}:");
                    self.block(text, body, routines, is_void);
                    text.push_str(if *ends { "break;\n" } else { "" });
                }
                text.push_str("default:\n");
                self.block(text, default, routines, is_void);
                writeln!(text, "}}")
            }
            Stmt::Break => writeln!(text, "break;"),
            Stmt::Return(_) if is_void => writeln!(text, "return;"),
            Stmt::Return(value) => writeln!(text, "return {};", self.expr(value)),
        };
    }

    fn expr(&self, expr: &Expr) -> String {
        let both =
            |left: &Expr, op: &str, right: &Expr| format!("({} {op} {})", self.expr(left), self.expr(right));
        match expr {
            Expr::Const(value) => value.to_string(),
            Expr::Var(variable) => self.variables[*variable].name.clone(),
            Expr::Add(left, right) => both(left, "+", right),
            Expr::Sub(left, right) => both(left, "-", right),
            Expr::Rem(left, right) => both(left, "%", &Expr::Const(*right)),
            Expr::Mask(left, right) => both(left, "&", &Expr::Const(*right)),
            Expr::Less(left, right) => both(left, "<", right),
            Expr::Equal(left, right) => both(left, "==", right),
            Expr::Not(operand) => format!("!{}", self.expr(operand)),
            Expr::AndAlso(left, right) => both(left, "&&", right),
            Expr::OrElse(left, right) => both(left, "||", right),
        }
    }
}
