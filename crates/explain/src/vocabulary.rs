//! FilterAtoms: which literals a specification may be made of.
//!
//! - *alias*: `e1 != e2` (and `e1 == e2` if the user wants it) of pointers; where the source does not distinguish them from
//!   numbers, of values that are no literals, unless it is the null pointer;
//! - *typestate*: anything over monitor variables and constants only; of a monitor that is a map the elements, wherever
//!   they are;
//! - *difference*: `e1 <= e2 + c`;
//! - *patterns* of the user.
//!
//! All of them are over inputs, constants and, with quantifiers, the values of unknowns.

use lariat_report::Vocabulary;
use lariat_term::{Op, Sort, TermId, TermPool, VarId};
use num_traits::{One, Signed};
use rustc_hash::FxHashSet;

use crate::FailingTrace;
use crate::explanation::InWords;
use crate::linear::{Linear, is_arithmetic};
use crate::pattern::{Pattern, PatternError};
use crate::wlp::{SymbolKind, Symbols};

/// Terms of more nodes are not readable.
const MAX_NODES: usize = 60;

pub(crate) struct Filter<'a> {
    vocabulary: &'a Vocabulary,
    patterns: Vec<Pattern>,
    symbols: &'a Symbols,
    in_words: &'a InWords<'a>,
    null: Option<TermId>,
    typestate: FxHashSet<VarId>,
    /// What holds pointers, if the source says so.
    pointers: Option<FxHashSet<VarId>>,
    constants: FxHashSet<VarId>,
    known: FxHashSet<VarId>,
}

impl<'a> Filter<'a> {
    pub fn new(
        vocabulary: &'a Vocabulary,
        trace: &FailingTrace<'a>,
        symbols: &'a Symbols,
    ) -> Result<Self, PatternError> {
        Ok(Filter {
            vocabulary,
            patterns: vocabulary
                .patterns
                .iter()
                .map(|text| Pattern::parse(text))
                .collect::<Result<_, _>>()?,
            symbols,
            in_words: trace.in_words,
            null: trace.open.null,
            typestate: trace.open.typestate.iter().copied().collect(),
            pointers: trace
                .open
                .pointers
                .as_ref()
                .map(|pointers| pointers.iter().copied().collect()),
            constants: trace.program.constants.iter().copied().collect(),
            known: trace.known.iter().map(|&(var, _)| var).collect(),
        })
    }

    /// Whether the literal is in the vocabulary.
    pub fn accepts(&self, pool: &TermPool, literal: TermId) -> bool {
        // Of `p + n != NULL` only `p` is spoken of in the end.
        let spoken = self.pointer_of_sum(pool, literal).unwrap_or(literal);
        if !self.is_nameable(pool, spoken) {
            return false;
        }
        let (atom, positive) = signed(pool, literal);
        let vocabulary = self.vocabulary;
        (vocabulary.alias && !positive || vocabulary.alias_equal && positive) && self.is_alias(pool, atom)
            || vocabulary.typestate && self.is_typestate(pool, atom)
            || vocabulary.difference && positive && is_difference(pool, atom)
            || self.has_pattern(pool, literal)
    }

    /// Whether the literal says of pointers whether they are the same.
    pub fn is_about_pointers(&self, pool: &TermPool, literal: TermId) -> bool {
        self.is_alias(pool, signed(pool, literal).0)
    }

    fn has_pattern(&self, pool: &TermPool, literal: TermId) -> bool {
        let of_term = |pattern: &Pattern| pattern.matches(pool, literal, self.null);
        if self.patterns.is_empty() || self.patterns.iter().any(of_term) {
            return !self.patterns.is_empty();
        }
        let words = (self.in_words)(pool, literal, &self.symbols.placeholders);
        self.patterns.iter().any(|pattern| pattern.matches_words(&words))
    }

    /// Whether a specification can speak about all variables of a literal.
    pub fn is_nameable(&self, pool: &TermPool, literal: TermId) -> bool {
        let mut vars = Vec::new();
        let mut nodes = 0;
        let mut speakable = true;
        pool.visit_subterms(&[literal], |term| {
            nodes += 1;
            match pool.op(term) {
                Op::Var(var) => vars.push(var),
                Op::Store | Op::Ite | Op::Quantifier(_) => speakable = false,
                _ => {}
            }
        });
        let nameable = |&var: &VarId| match self.symbols.kind(var) {
            None => !self.known.contains(&var),
            Some(SymbolKind::Unknown) => self.vocabulary.quantifiers,
            Some(SymbolKind::Fresh | SymbolKind::Internal) => false,
        };
        speakable && nodes <= MAX_NODES && !vars.is_empty() && vars.iter().all(nameable)
    }

    fn is_alias(&self, pool: &TermPool, atom: TermId) -> bool {
        if pool.op(atom) != Op::Eq {
            return false;
        }
        let sides = pool.args(atom);
        let sort = pool.sort(pool.sort_of(sides[0]));
        if matches!(sort, Sort::Bool | Sort::Array { .. }) {
            return false;
        }
        match &self.pointers {
            // The address of an object is a literal there.
            Some(pointers) => {
                let is_address =
                    |side: &TermId| pool.is_value(*side) || self.is_pointer(pool, pointers, *side);
                sides.iter().all(is_address) && sides.iter().any(|side| !pool.is_value(*side))
            }
            None => {
                let is_pointer = |side: &TermId| !pool.is_value(*side) || Some(*side) == self.null;
                sides.iter().all(is_pointer)
            }
        }
    }

    /// A variable or element that holds a pointer, or an address at a distance from one.
    fn is_pointer(&self, pool: &TermPool, pointers: &FxHashSet<VarId>, term: TermId) -> bool {
        match pool.op(term) {
            Op::Var(var) => pointers.contains(&self.symbols.site_var(var)),
            Op::Select => pool
                .as_var(pool.args(term)[0])
                .is_some_and(|map| pointers.contains(&self.symbols.site_var(map))),
            Op::Add => pool
                .args(term)
                .iter()
                .any(|&summand| pool.op(summand) != Op::Add && self.is_pointer(pool, pointers, summand)),
            _ => false,
        }
    }

    /// The pointer `p` of a literal `p + n != NULL`, where `n` is a sum of numbers.
    pub fn pointer_of_sum(&self, pool: &TermPool, literal: TermId) -> Option<TermId> {
        let pointers = self.pointers.as_ref()?;
        let null = self.null?;
        let atom = Some(literal).filter(|&literal| pool.op(literal) == Op::Not)?;
        let atom = pool.args(atom)[0];
        let [a, b] = pool.args(atom) else { return None };
        let sum = match (pool.op(atom), *a == null, *b == null) {
            (Op::Eq, true, false) => *b,
            (Op::Eq, false, true) => *a,
            _ => return None,
        };
        if pool.op(sum) != Op::Add || !is_arithmetic(pool, sum) {
            return None;
        }
        let sum = Linear::of(pool, sum);
        let mut held = sum
            .summands
            .iter()
            .filter(|&(&summand, _)| self.is_pointer(pool, pointers, summand));
        let (&pointer, coefficient) = held.next()?;
        (held.next().is_none() && coefficient.is_one()).then_some(pointer)
    }

    fn is_typestate(&self, pool: &TermPool, atom: TermId) -> bool {
        let mut found = false;
        let mut seen = FxHashSet::default();
        let mut stack = vec![atom];
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            let is_monitor =
                |term: TermId| pool.as_var(term).is_some_and(|var| self.typestate.contains(&var));
            match pool.op(term) {
                Op::Var(var) if self.typestate.contains(&var) => found = true,
                Op::Var(var) if self.constants.contains(&var) => {}
                Op::Var(_) => return false,
                Op::Select if is_monitor(pool.args(term)[0]) => found = true,
                _ => stack.extend(pool.children(term)),
            }
        }
        found
    }
}

/// The atom of a literal, and whether it is positive.
fn signed(pool: &TermPool, literal: TermId) -> (TermId, bool) {
    match pool.op(literal) {
        Op::Not => (pool.args(literal)[0], false),
        _ => (literal, true),
    }
}

/// `e1 <= e2 + c`, where one of them may be missing.
fn is_difference(pool: &TermPool, atom: TermId) -> bool {
    let [a, b] = pool.args(atom) else {
        return false;
    };
    if !matches!(pool.op(atom), Op::Le | Op::Lt) || !is_arithmetic(pool, *a) {
        return false;
    }
    let difference = Linear::difference(pool, *a, *b);
    let coefficients: Vec<_> = difference.summands.values().collect();
    let is_unit = coefficients.iter().all(|coefficient| coefficient.abs().is_one());
    let signs: i32 = coefficients
        .iter()
        .map(|c| if c.is_positive() { 1 } else { -1 })
        .sum();
    is_unit
        && match coefficients.len() {
            1 => true,
            2 => signs == 0,
            _ => false,
        }
}
