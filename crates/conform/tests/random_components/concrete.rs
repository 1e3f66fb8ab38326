//! A component as a labelled transition system, by enumeration of its concrete states.

use std::collections::{BTreeMap, BTreeSet};

use crate::program::{Choice, Expr, Program, Routine, Stmt, Type};
use crate::systems::{System, TAU};

/// A program as a list of instructions, the helper put in at each call.
enum Instruction {
    Assign(usize, Expr),
    Choose(usize),
    Call {
        routine: usize,
        argument: Option<Expr>,
        result: Option<usize>,
    },
    /// Goes on if the condition holds.
    JumpUnless(Expr, usize),
    Jump(usize),
    Return(Option<Expr>),
}

struct Instructions<'p> {
    program: &'p Program,
    list: Vec<Instruction>,
    /// Jumps to the end of the loop or switch around, to be filled in.
    breaks: Vec<Vec<usize>>,
    /// In the helper: jumps to its end, and where its value goes.
    returns: Option<(usize, Vec<usize>)>,
}

impl Instructions<'_> {
    fn end(&self) -> usize {
        self.list.len()
    }

    fn jump(&mut self) -> usize {
        self.list.push(Instruction::Jump(usize::MAX));
        self.end() - 1
    }

    fn jump_unless(&mut self, condition: &Expr) -> usize {
        self.list
            .push(Instruction::JumpUnless(condition.clone(), usize::MAX));
        self.end() - 1
    }

    fn land_here(&mut self, jump: usize) {
        let end = self.end();
        if let Instruction::Jump(target) | Instruction::JumpUnless(_, target) = &mut self.list[jump] {
            *target = end;
        }
    }

    fn breaks_to_here(&mut self) {
        for jump in self.breaks.pop().unwrap_or_default() {
            self.land_here(jump);
        }
    }

    fn block(&mut self, block: &[Stmt]) {
        for statement in block {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Assign(variable, value) => self.list.push(Instruction::Assign(*variable, value.clone())),
            Stmt::Choose(variable, Choice::External | Choice::Uninitialised) => {
                self.list.push(Instruction::Choose(*variable));
            }
            Stmt::Call {
                routine,
                argument,
                result,
            } => self.list.push(Instruction::Call {
                routine: *routine,
                argument: argument.clone(),
                result: *result,
            }),
            Stmt::Helper { argument, result } => {
                let program = self.program;
                self.list
                    .push(Instruction::Assign(program.parameter, argument.clone()));
                for &local in &program.helper_locals {
                    let initial = Expr::Const(program.variables[local].initial);
                    self.list.push(Instruction::Assign(local, initial));
                }
                self.returns = Some((*result, Vec::new()));
                self.block(&program.helper);
                for jump in self.returns.take().map(|(_, jumps)| jumps).unwrap_or_default() {
                    self.land_here(jump);
                }
            }
            Stmt::If(condition, then, otherwise) => {
                let unless = self.jump_unless(condition);
                self.block(then);
                let over = self.jump();
                self.land_here(unless);
                self.block(otherwise);
                self.land_here(over);
            }
            Stmt::While(condition, body) => {
                let start = self.end();
                let unless = self.jump_unless(condition);
                self.breaks.push(Vec::new());
                self.block(body);
                self.list.push(Instruction::Jump(start));
                self.land_here(unless);
                self.breaks_to_here();
            }
            Stmt::Forever(body) => {
                let start = self.end();
                self.breaks.push(Vec::new());
                self.block(body);
                self.list.push(Instruction::Jump(start));
                self.breaks_to_here();
            }
            Stmt::Switch(value, cases, default) => {
                self.breaks.push(Vec::new());
                let mut entries = Vec::new();
                for (number, _, _) in cases {
                    let is_it = Expr::Equal(Box::new(value.clone()), Box::new(Expr::Const(*number)));
                    let unless = self.jump_unless(&is_it);
                    entries.push(self.jump());
                    self.land_here(unless);
                }
                let to_default = self.jump();
                for ((_, body, ends), entry) in cases.iter().zip(entries) {
                    self.land_here(entry);
                    self.block(body);
                    if *ends {
                        self.statement(&Stmt::Break);
                    }
                }
                self.land_here(to_default);
                self.block(default);
                self.breaks_to_here();
            }
            Stmt::Break => {
                let jump = self.jump();
                self.breaks.last_mut().expect("a loop").push(jump);
            }
            Stmt::Return(value) => match self.returns.as_ref().map(|(result, _)| *result) {
                Some(result) => {
                    // The helper returns int.
                    self.list.push(Instruction::Assign(result, value.clone()));
                    let jump = self.jump();
                    if let Some((_, jumps)) = &mut self.returns {
                        jumps.push(jump);
                    }
                }
                None => {
                    let value = (!self.program.is_void).then(|| value.clone());
                    self.list.push(Instruction::Return(value));
                }
            },
        }
    }
}

/// A value of type int or of type unsigned.
#[derive(Clone, Copy)]
struct Value {
    number: i64,
    is_unsigned: bool,
}

fn int(number: i64) -> Value {
    Value {
        number,
        is_unsigned: false,
    }
}

/// The usual arithmetic conversions.
fn both(left: Value, right: Value) -> (i64, i64, bool) {
    let is_unsigned = left.is_unsigned || right.is_unsigned;
    let convert = |value: Value| match is_unsigned {
        true => i64::from(value.number as u32),
        false => value.number,
    };
    (convert(left), convert(right), is_unsigned)
}

fn arithmetic(left: Value, right: Value, op: impl Fn(i64, i64) -> i64) -> Value {
    let (left, right, is_unsigned) = both(left, right);
    let number = op(left, right);
    Value {
        number: if is_unsigned {
            i64::from(number as u32)
        } else {
            number
        },
        is_unsigned,
    }
}

fn evaluate(program: &Program, values: &[i64], expr: &Expr) -> Value {
    let value = |expr: &Expr| evaluate(program, values, expr);
    let truth = |expr: &Expr| value(expr).number != 0;
    let compare = |left: &Expr, right: &Expr, op: fn(i64, i64) -> bool| {
        let (left, right, _) = both(value(left), value(right));
        int(i64::from(op(left, right)))
    };
    match expr {
        Expr::Const(number) => int(*number),
        Expr::Var(variable) => Value {
            number: values[*variable],
            is_unsigned: program.variables[*variable].ty == Type::Unsigned,
        },
        Expr::Add(left, right) => arithmetic(value(left), value(right), |left, right| left + right),
        Expr::Sub(left, right) => arithmetic(value(left), value(right), |left, right| left - right),
        Expr::Rem(left, right) => arithmetic(value(left), int(*right), |left, right| left % right),
        Expr::Mask(left, right) => arithmetic(value(left), int(*right), |left, right| left & right),
        Expr::Less(left, right) => compare(left, right, |left, right| left < right),
        Expr::Equal(left, right) => compare(left, right, |left, right| left == right),
        Expr::Not(operand) => int(i64::from(!truth(operand))),
        Expr::AndAlso(left, right) => int(i64::from(truth(left) && truth(right))),
        Expr::OrElse(left, right) => int(i64::from(truth(left) || truth(right))),
    }
}

fn stored(ty: Type, number: i64) -> i64 {
    match ty {
        Type::Int => i64::from(number as i32),
        Type::Unsigned => i64::from(number as u32),
        Type::UnsignedChar => i64::from(number as u8),
    }
}

/// Where an execution is: before an instruction or inside of a routine, or at its end.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Position {
    Before(usize),
    Inside {
        call: usize,
        alternative: usize,
        state: usize,
    },
    Ended,
}

type State = (Position, Vec<i64>);

/// The return actions that the specification knows, and what the names of own actions start with.
pub struct Returns<'r> {
    pub observed: &'r BTreeSet<i64>,
    pub prefix: &'r str,
}

impl Returns<'_> {
    fn action(&self, value: Option<i64>) -> String {
        let text = match value {
            _ if self.observed.is_empty() => String::new(),
            Some(value) if self.observed.contains(&value) => value.to_string(),
            _ => "other".to_owned(),
        };
        format!("{}return{{{text}}}", self.prefix)
    }
}

/// `None` if there are too many states or numbers become large.
pub fn concrete(
    program: &Program,
    routines: &[Routine],
    returns: &Returns<'_>,
    limit: usize,
) -> Option<System> {
    let mut instructions = Instructions {
        program,
        list: Vec::new(),
        breaks: Vec::new(),
        returns: None,
    };
    instructions.block(&program.body);
    let last = (!program.is_void).then_some(Expr::Const(3));
    instructions.list.push(Instruction::Return(last));
    let list = instructions.list;
    let values = program
        .variables
        .iter()
        .map(|variable| variable.initial)
        .collect();
    let start: State = (Position::Before(0), values);
    let mut numbers = BTreeMap::from([(start.clone(), 0)]);
    let mut order = vec![start];
    let mut steps = Vec::new();
    while let Some(state) = order.get(steps.len()).cloned() {
        let mut own = Vec::new();
        for (action, next) in successors(program, routines, returns, &list, &state) {
            if next
                .1
                .iter()
                .any(|&number| (1000..4_294_960_000).contains(&number))
            {
                return None;
            }
            let number = *numbers.entry(next.clone()).or_insert_with(|| {
                order.push(next);
                order.len() - 1
            });
            own.push((action, number));
        }
        steps.push(own);
        if order.len() > limit {
            return None;
        }
    }
    Some(System {
        alphabet: alphabet(&list, routines, returns),
        initial: 0,
        steps,
    })
}

fn successors(
    program: &Program,
    routines: &[Routine],
    returns: &Returns<'_>,
    list: &[Instruction],
    (position, values): &State,
) -> Vec<(String, State)> {
    let internal = |position: Position, values: Vec<i64>| (TAU.to_owned(), (position, values));
    let assigned = |variable: usize, number: i64| {
        let mut values = values.clone();
        values[variable] = stored(program.variables[variable].ty, number);
        values
    };
    let number = |expr: &Expr| evaluate(program, values, expr).number;
    match *position {
        Position::Ended => Vec::new(),
        Position::Before(at) => match &list[at] {
            Instruction::Assign(variable, value) => {
                vec![internal(
                    Position::Before(at + 1),
                    assigned(*variable, number(value)),
                )]
            }
            Instruction::Choose(variable) => (0..=2)
                .map(|number| internal(Position::Before(at + 1), assigned(*variable, number)))
                .collect(),
            Instruction::Call {
                routine, argument, ..
            } => {
                // The parameter is of type int.
                let value = argument.as_ref().map(|argument| number(argument) as i32);
                let alternative = routines[*routine].alternative(value);
                let inside = Position::Inside {
                    call: at,
                    alternative,
                    state: routines[*routine].systems[alternative].initial,
                };
                vec![internal(inside, values.clone())]
            }
            Instruction::JumpUnless(condition, target) => {
                let next = if number(condition) == 0 { *target } else { at + 1 };
                vec![internal(Position::Before(next), values.clone())]
            }
            Instruction::Jump(target) => vec![internal(Position::Before(*target), values.clone())],
            Instruction::Return(value) => {
                let action = returns.action(value.as_ref().map(|value| i64::from(number(value) as i32)));
                vec![(action, (Position::Ended, values.clone()))]
            }
        },
        Position::Inside {
            call,
            alternative,
            state,
        } => {
            let Instruction::Call { routine, result, .. } = &list[call] else {
                return Vec::new();
            };
            let mut all = Vec::new();
            for (action, target) in &routines[*routine].systems[alternative].steps[state] {
                let value = action
                    .strip_prefix("return{")
                    .and_then(|rest| rest.strip_suffix('}'));
                all.push(match (value, result) {
                    (None, _) => {
                        let inside = Position::Inside {
                            call,
                            alternative,
                            state: *target,
                        };
                        (action.clone(), (inside, values.clone()))
                    }
                    (Some(value), Some(result)) => {
                        let value = value.parse().expect("a number");
                        internal(Position::Before(call + 1), assigned(*result, value))
                    }
                    (Some(_), None) => internal(Position::Before(call + 1), values.clone()),
                });
            }
            all
        }
    }
}

/// The actions of the routines that are called and of the returns, wherever control may get to.
fn alphabet(list: &[Instruction], routines: &[Routine], returns: &Returns<'_>) -> BTreeSet<String> {
    let mut alphabet = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut open = vec![0];
    while let Some(at) = open.pop() {
        if !seen.insert(at) {
            continue;
        }
        match &list[at] {
            Instruction::Assign(..) | Instruction::Choose(_) => open.push(at + 1),
            Instruction::JumpUnless(_, target) => open.extend([at + 1, *target]),
            Instruction::Jump(target) => open.push(*target),
            Instruction::Call { routine, .. } => {
                let systems = routines[*routine].systems.iter();
                let actions = systems.flat_map(|system| &system.alphabet);
                alphabet.extend(actions.filter(|action| !action.starts_with("return")).cloned());
                open.push(at + 1);
            }
            Instruction::Return(_) => {
                let values = returns.observed.iter().map(|&value| returns.action(Some(value)));
                alphabet.extend(values);
                alphabet
                    .extend(["return{}", "return{other}"].map(|name| format!("{}{name}", returns.prefix)));
            }
        }
    }
    alphabet
}
