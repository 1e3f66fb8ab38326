//! `-prune`: which axioms a body may use.
//!
//! A body reaches the functions and constants that its condition mentions, and from there the definitions of these
//! functions, the axioms of their `uses` clauses, the axioms all of whose functions in a trigger are reached, and axioms
//! `{:include_dep}` that mention anything reached; and what these mention. Other axioms are left out, as Boogie does; so
//! are those that are `hideable`, if the function that leads to them is hidden.

use lariat_boogie::typed::{self, AxiomUser, FunctionId, VarId};
use lariat_ir::Program;
use lariat_lower::ModularInfo;
use lariat_term::{Op, TermId, TermPool};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::reveal::Revealed;

/// What an axiom mentions, and what makes it count.
struct AxiomNode {
    term: TermId,
    mentions: Vec<Symbol>,
    /// It counts if all of one of these are reached.
    entries: Vec<Vec<Symbol>>,
    always: bool,
    /// It does not count because of a function that is hidden.
    hideable: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Symbol {
    Function(FunctionId),
    /// A constant of the program.
    Const(lariat_term::VarId),
}

pub struct Pruner<'a> {
    functions: &'a FxHashMap<lariat_term::FunId, FunctionId>,
    constants: FxHashSet<lariat_term::VarId>,
    axioms: Vec<AxiomNode>,
    always_revealed: FxHashSet<FunctionId>,
}

impl<'a> Pruner<'a> {
    pub fn new(program: &Program, typed: &typed::Program, info: &'a ModularInfo) -> Self {
        let constants: FxHashMap<VarId, lariat_term::VarId> = typed
            .constants
            .iter()
            .copied()
            .zip(program.constants.iter().copied())
            .collect();
        let mut pruner = Pruner {
            functions: &info.functions,
            constants: program.constants.iter().copied().collect(),
            axioms: Vec::new(),
            always_revealed: typed
                .functions
                .iter()
                .filter(|(_, function)| function.revealed)
                .map(|(id, _)| id)
                .collect(),
        };
        let pool = &program.pool;
        let by_span: FxHashMap<_, _> = typed.axioms.iter().map(|axiom| (axiom.span, axiom)).collect();
        let definitions: FxHashMap<_, _> = typed
            .functions
            .iter()
            .map(|(id, function)| (function.span, id))
            .collect();
        for axiom in &program.axioms {
            let mentions = pruner.symbols(pool, &[axiom.term]);
            let mut entries = Vec::new();
            let mut always = false;
            let mut hideable = false;
            match axiom.span {
                Some(span) if by_span.contains_key(&span) => {
                    let source = by_span[&span];
                    hideable = source.hideable;
                    entries.extend(match source.user {
                        Some(AxiomUser::Function(function)) => Some(vec![Symbol::Function(function)]),
                        Some(AxiomUser::Const(constant)) => constants
                            .get(&constant)
                            .map(|&constant| vec![Symbol::Const(constant)]),
                        None => None,
                    });
                    entries.extend(pruner.triggers(pool, axiom.term));
                    if source.attributes.is_set("include_dep") {
                        entries.extend(mentions.iter().map(|&symbol| vec![symbol]));
                    }
                }
                Some(span) if definitions.contains_key(&span) => {
                    entries.push(vec![Symbol::Function(definitions[&span])]);
                }
                // What the lowering adds: distinct constants, lambdas.
                _ => always = true,
            }
            pruner.axioms.push(AxiomNode {
                term: axiom.term,
                mentions,
                entries,
                always,
                hideable,
            });
        }
        pruner
    }

    /// The axioms that count for a condition, whose terms are in the pool.
    pub fn reached(&self, pool: &TermPool, roots: &[TermId], revealed: &Revealed) -> Vec<TermId> {
        let mut reached: FxHashSet<Symbol> = self.symbols(pool, roots).into_iter().collect();
        let mut kept = vec![false; self.axioms.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for (axiom, kept) in self.axioms.iter().zip(&mut kept) {
                let is_hidden = |entry: &[Symbol]| match entry {
                    [Symbol::Function(function)] => {
                        axiom.hideable
                            && !self.always_revealed.contains(function)
                            && !revealed.contains(*function)
                    }
                    _ => false,
                };
                let is_reached = |entry: &Vec<Symbol>| {
                    entry.iter().all(|symbol| reached.contains(symbol)) && !is_hidden(entry)
                };
                if !*kept && (axiom.always || axiom.entries.iter().any(is_reached)) {
                    *kept = true;
                    changed = true;
                    reached.extend(&axiom.mentions);
                }
            }
        }
        let axioms = self.axioms.iter().zip(kept);
        axioms
            .filter(|(_, kept)| *kept)
            .map(|(axiom, _)| axiom.term)
            .collect()
    }

    fn symbols(&self, pool: &TermPool, roots: &[TermId]) -> Vec<Symbol> {
        let mut symbols = Vec::new();
        pool.visit_subterms(roots, |term| match pool.op(term) {
            Op::Apply(fun) => symbols.extend(
                self.functions
                    .get(&fun)
                    .map(|&function| Symbol::Function(function)),
            ),
            Op::Var(var) if self.constants.contains(&var) => symbols.push(Symbol::Const(var)),
            _ => {}
        });
        symbols.sort_unstable();
        symbols.dedup();
        symbols
    }

    /// The symbols of each trigger.
    fn triggers(&self, pool: &TermPool, axiom: TermId) -> Vec<Vec<Symbol>> {
        let Op::Quantifier(id) = pool.op(axiom) else {
            return Vec::new();
        };
        let triggers = pool.quantifier(id).triggers.iter();
        triggers
            .map(|trigger| self.symbols(pool, trigger))
            .filter(|symbols| !symbols.is_empty())
            .collect()
    }
}
