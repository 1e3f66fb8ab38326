//! Terms to flat code. Nothing recurses over the depth of terms; a subterm that occurs several
//! times has its code once.

use std::sync::Arc;

use lariat_term::{BvOp, Op, Sort, TermId, TermPool, Value, VarId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::code::{BitVectorOperator, Code, Conjunct, FlatCode, Instruction, Place, Relation};
use super::value::Val;
use crate::eval::canonical;

/// Where the variables of the procedure at hand are.
pub(super) type Places = FxHashMap<VarId, Place>;

pub(super) struct TermCompiler<'a> {
    pub pool: &'a TermPool,
    pub places: &'a Places,
}

/// What is left to be emitted, the next one last.
enum Work {
    Term(TermId),
    /// The code of a subterm with a memo, where it stands.
    Body(TermId),
    Emit(Instruction),
    Bind(u32),
}

struct Emitter {
    instructions: Vec<Instruction>,
    /// Jumps hold the number of a label until all labels have their places.
    labels: Vec<u32>,
    memos: FxHashMap<TermId, (u32, u32)>,
    /// Terms with memos whose code is still to be emitted.
    pending: Vec<TermId>,
}

impl Emitter {
    fn label(&mut self) -> u32 {
        self.labels.push(0);
        self.labels.len() as u32 - 1
    }
}

impl TermCompiler<'_> {
    pub fn code(&self, term: TermId) -> Code {
        if let Some(literal) = self.literal(term) {
            return Code::Const(literal);
        }
        if let Op::Var(var) = self.pool.op(term)
            && let Some(&place) = self.places.get(&var)
        {
            return Code::Var(place);
        }
        Code::Flat(self.flat(term))
    }

    fn literal(&self, term: TermId) -> Option<Val> {
        let pool = self.pool;
        let value = match pool.op(term) {
            Op::Bool(value) => Value::Bool(value),
            Op::Int(id) | Op::Bv(id) => Value::Int(pool.number(id).to_integer()),
            Op::Real(id) => Value::Real(pool.number(id).clone()),
            Op::RoundingMode(mode) => Value::RoundingMode(mode),
            Op::String(id) => Value::String(pool.string_text(id).clone()),
            Op::Float(id) => {
                let &Sort::Float {
                    significand,
                    exponent,
                } = pool.sort(pool.sort_of(term))
                else {
                    return None;
                };
                canonical(Value::Float {
                    bits: pool.number(id).to_integer(),
                    significand,
                    exponent,
                })
            }
            _ => return None,
        };
        Some(Val::literal(value))
    }

    /// Subterms that occur more than once and are worth a memo.
    fn shared(&self, root: TermId) -> FxHashMap<TermId, u32> {
        let mut uses: FxHashMap<TermId, u32> = FxHashMap::default();
        let mut stack = vec![root];
        while let Some(term) = stack.pop() {
            let count = uses.entry(term).or_default();
            *count += 1;
            if *count == 1 {
                stack.extend_from_slice(self.pool.args(term));
            }
        }
        let is_compound = |term: &TermId| !self.pool.args(*term).is_empty();
        uses.retain(|term, count| *count > 1 && self.pool.args(*term).iter().any(is_compound));
        uses
    }

    fn flat(&self, root: TermId) -> FlatCode {
        let shared = self.shared(root);
        let mut emitter = Emitter {
            instructions: Vec::new(),
            labels: Vec::new(),
            memos: FxHashMap::default(),
            pending: Vec::new(),
        };
        let mut work = vec![Work::Emit(Instruction::Done), Work::Body(root)];
        loop {
            match work.pop() {
                Some(Work::Emit(instruction)) => emitter.instructions.push(instruction),
                Some(Work::Bind(label)) => {
                    emitter.labels[label as usize] = emitter.instructions.len() as u32;
                }
                Some(Work::Term(term)) if shared.contains_key(&term) => {
                    let known = emitter.memos.get(&term).copied();
                    let (memo, at) = known.unwrap_or_else(|| {
                        let entry = (emitter.memos.len() as u32, emitter.label());
                        emitter.memos.insert(term, entry);
                        emitter.pending.push(term);
                        entry
                    });
                    emitter.instructions.push(Instruction::Memo { memo, at });
                }
                Some(Work::Term(term) | Work::Body(term)) => self.expand(term, &mut emitter, &mut work),
                None => {
                    let Some(term) = emitter.pending.pop() else { break };
                    let (memo, at) = emitter.memos[&term];
                    work.push(Work::Emit(Instruction::SetMemo(memo)));
                    work.push(Work::Body(term));
                    work.push(Work::Bind(at));
                }
            }
        }
        for instruction in &mut emitter.instructions {
            match instruction {
                Instruction::Jump(target)
                | Instruction::JumpIfFalse(target)
                | Instruction::JumpIfTrue(target)
                | Instruction::Memo { at: target, .. } => *target = emitter.labels[*target as usize],
                _ => {}
            }
        }
        FlatCode {
            instructions: emitter.instructions,
            memos: emitter.memos.len() as u32,
        }
    }

    fn expand(&self, term: TermId, emitter: &mut Emitter, work: &mut Vec<Work>) {
        let pool = self.pool;
        let args = pool.args(term);
        if let Some(literal) = self.literal(term) {
            emitter.instructions.push(Instruction::Const(literal));
            return;
        }
        if let Some(reason) = self.unsupported(term) {
            emitter.instructions.push(Instruction::Unsupported(reason));
            return;
        }
        let start = work.len();
        match pool.op(term) {
            Op::Var(var) => {
                // Looked up above: a variable without a place is not supported.
                work.extend(
                    self.places
                        .get(&var)
                        .map(|&place| Work::Emit(Instruction::Var(place))),
                );
            }
            Op::And | Op::Or => {
                let absorbing = pool.op(term) == Op::Or;
                let (decided, end) = (emitter.label(), emitter.label());
                for (index, &arg) in args.iter().enumerate() {
                    work.push(Work::Term(arg));
                    let is_last = index + 1 == args.len();
                    work.push(Work::Emit(match (is_last, absorbing) {
                        (true, _) => Instruction::Jump(end),
                        (false, true) => Instruction::JumpIfTrue(decided),
                        (false, false) => Instruction::JumpIfFalse(decided),
                    }));
                }
                work.push(Work::Bind(decided));
                work.push(Work::Emit(Instruction::Const(Val::Bool(absorbing))));
                work.push(Work::Bind(end));
            }
            Op::Ite => {
                let (otherwise, end) = (emitter.label(), emitter.label());
                work.push(Work::Term(args[0]));
                work.push(Work::Emit(Instruction::JumpIfFalse(otherwise)));
                work.push(Work::Term(args[1]));
                work.push(Work::Emit(Instruction::Jump(end)));
                work.push(Work::Bind(otherwise));
                work.push(Work::Term(args[2]));
                work.push(Work::Bind(end));
            }
            Op::Add | Op::Mul => {
                let operator = match pool.op(term) {
                    Op::Add => Instruction::Add,
                    _ => Instruction::Mul,
                };
                for (index, &arg) in args.iter().enumerate() {
                    work.push(Work::Term(arg));
                    if index > 0 {
                        work.push(Work::Emit(operator.clone()));
                    }
                }
            }
            Op::Select => {
                let indices = args.len() as u32 - 1;
                let map = pool.as_var(args[0]).and_then(|var| self.places.get(&var));
                let instruction = match map {
                    Some(&map) => Instruction::SelectVar { map, indices },
                    None => {
                        work.push(Work::Term(args[0]));
                        Instruction::Select { indices }
                    }
                };
                work.extend(args[1..].iter().map(|&arg| Work::Term(arg)));
                work.push(Work::Emit(instruction));
            }
            op => {
                work.extend(args.iter().map(|&arg| Work::Term(arg)));
                work.push(Work::Emit(match op {
                    Op::Not => Instruction::Not,
                    Op::Eq => Instruction::Compare(Relation::Eq),
                    Op::Le => Instruction::Compare(Relation::Le),
                    Op::Lt => Instruction::Compare(Relation::Lt),
                    Op::IntDiv => Instruction::Div,
                    Op::Mod => Instruction::Mod,
                    Op::Distinct => Instruction::Distinct(args.len() as u32),
                    Op::Store => Instruction::Store {
                        indices: args.len() as u32 - 2,
                    },
                    Op::ConstArray(_) => Instruction::ConstMap,
                    Op::Bv2(op) => Instruction::BitVector(Box::new(self.bit_vector(term, op))),
                    _ => Instruction::Unsupported("an operator cannot be executed".into()),
                }));
            }
        }
        work[start..].reverse();
    }

    fn bit_vector(&self, term: TermId, op: BvOp) -> BitVectorOperator {
        let width = |term: TermId| match self.pool.sort(self.pool.sort_of(term)) {
            Sort::Bv(width) => Some(*width),
            _ => None,
        };
        let widths: SmallVec<[u32; 2]> = self
            .pool
            .args(term)
            .iter()
            .filter_map(|&arg| width(arg))
            .collect();
        BitVectorOperator {
            op,
            widths,
            result: width(term).unwrap_or(0),
        }
    }

    /// Why the term itself (not its arguments) cannot be executed.
    fn unsupported(&self, term: TermId) -> Option<Arc<str>> {
        let pool = self.pool;
        let sort_of_argument = |sort: &dyn Fn(&Sort) -> bool| {
            pool.args(term)
                .first()
                .is_some_and(|&arg| sort(pool.sort(pool.sort_of(arg))))
        };
        let reason = match pool.op(term) {
            Op::Var(var) if !self.places.contains_key(&var) => "a variable of another procedure is read",
            Op::Theory(_) => "an operator of a solver theory cannot be executed",
            Op::Apply(_) => "the value of an uninterpreted function is not known",
            Op::Quantifier(_) => "a quantifier cannot be executed",
            Op::Construct { .. } | Op::Field { .. } | Op::Is { .. } => "datatypes are not executed",
            Op::RealDiv | Op::Pow | Op::ToReal | Op::ToInt => "reals and powers are not executed",
            Op::Add | Op::Mul | Op::Le | Op::Lt if !sort_of_argument(&|sort| *sort == Sort::Int) => {
                "reals and powers are not executed"
            }
            Op::Eq | Op::Distinct if sort_of_argument(&|sort| matches!(sort, Sort::Array { .. })) => {
                "whole maps are not compared"
            }
            _ => return None,
        };
        Some(reason.into())
    }

    /// The parts of a condition, in order.
    pub fn condition(&self, term: TermId) -> Box<[Conjunct]> {
        let pool = self.pool;
        let mut conjuncts = Vec::new();
        let mut stack = vec![(term, true)];
        while let Some((term, positive)) = stack.pop() {
            let args = pool.args(term);
            if self.unsupported(term).is_some() {
                conjuncts.push(Conjunct::Is(self.code(term), positive));
                continue;
            }
            let compare = |relation, a, b| Conjunct::Compare(relation, self.code(a), self.code(b));
            conjuncts.push(match (pool.op(term), positive) {
                (Op::Bool(value), _) if value == positive => continue,
                (Op::Not, _) => {
                    stack.push((args[0], !positive));
                    continue;
                }
                (Op::And, true) | (Op::Or, false) => {
                    stack.extend(args.iter().rev().map(|&arg| (arg, positive)));
                    continue;
                }
                (Op::Le | Op::Bv2(BvOp::Ule), true) => compare(Relation::Le, args[0], args[1]),
                (Op::Le | Op::Bv2(BvOp::Ule), false) => compare(Relation::Lt, args[1], args[0]),
                (Op::Lt | Op::Bv2(BvOp::Ult), true) => compare(Relation::Lt, args[0], args[1]),
                (Op::Lt | Op::Bv2(BvOp::Ult), false) => compare(Relation::Le, args[1], args[0]),
                (Op::Eq, true) => compare(Relation::Eq, args[0], args[1]),
                (Op::Eq, false) => compare(Relation::Ne, args[0], args[1]),
                _ => Conjunct::Is(self.code(term), positive),
            });
        }
        conjuncts.into()
    }
}
