//! What a path has assumed of its symbols, and whether it can assume more.
//!
//! A symbol with at most [`WIDTH`] possible values has the set of them: a condition on that symbol alone is evaluated for each, once for
//! all paths, and decided by an intersection. Everything else is asked of the solver, together with what is connected
//! with it by symbols.

use lariat_smt::{Ast, CheckResult, Context, Doubt, Model, Solver, SolverError};
use lariat_term::{BvOp, Op, Sort, Substitution, TermId, TermPool, VarId};
use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};

use crate::machine::{Use, Uses};

/// How many values a set can hold.
pub const WIDTH: i128 = 256;
/// The solver's effort for one question; beyond it the way is taken to be possible.
const QUERY_EFFORT: u32 = 3_000_000;
/// The solver's effort for the end of a path.
const END_EFFORT: u32 = 20_000_000;
/// The same where quantifiers are assumed: a solver that looks for a model of all their instances mostly finds none, however long it
/// tries, and a unit of its effort takes ten times as long.
const QUANTIFIED_END_EFFORT: u32 = 1_000_000;
/// Conditions with more subterms than this are left to the solver.
const MOST_EVALUATED: usize = 2_000;
/// How many symbols of a term are told apart.
const MOST_SYMBOLS: usize = 64;

type Bits = [u64; 4];

/// The possible values of a symbol: `base + i` for each bit `i`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Set {
    base: i128,
    bits: Bits,
}

/// What is assumed of one symbol.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Known {
    low: Option<i128>,
    high: Option<i128>,
    set: Option<Set>,
    /// Some assumption is not in the set: it cannot be evaluated.
    says_more: bool,
    /// The assumptions on this symbol alone.
    assumed: Vec<TermId>,
    /// How many assumptions connect it with other symbols.
    connections: u32,
}

impl Known {
    /// Whether whatever this allows is allowed by the other, as far as that is easily seen.
    pub fn implies(&self, other: &Known) -> bool {
        if let (Some(own), Some(others)) = (&self.set, &other.set)
            && own.base == others.base
            && !other.says_more
        {
            return own.bits.iter().zip(others.bits).all(|(a, b)| a & !b == 0);
        }
        other.assumed.iter().all(|term| self.assumed.contains(term))
    }
}

/// What is taken back with an assumption.
#[derive(Debug)]
pub enum Change {
    Symbol(VarId, Option<Known>),
    Connected(SmallVec<[VarId; 4]>),
}

/// Whether a path can go on under an assumption.
#[derive(Debug)]
pub enum Answer {
    Possible,
    /// It cannot, because of these.
    Impossible(Uses),
}

/// A term's symbols, in order; `None` if there are too many, or if the term has something else that values do not decide.
type Symbols = Option<SmallVec<[VarId; 4]>>;

/// Models, each with why the solver does not vouch for it.
pub type Models = Vec<(Model, Option<Doubt>)>;

pub struct Knowledge {
    pub is_symbol: FxHashSet<VarId>,
    known: FxHashMap<VarId, Known>,
    /// Assumptions on several symbols, or on what is no symbol.
    pub connected: Vec<TermId>,
    symbols: FxHashMap<TermId, Symbols>,
    satisfying: FxHashMap<(TermId, i128), Option<Bits>>,
    /// What holds on every path.
    always: Vec<TermId>,
    context: Context,
    solver: Solver,
    /// The literal that stands for an assumption.
    literals: FxHashMap<TermId, Ast>,
    answers: FxHashMap<Vec<TermId>, Option<Vec<TermId>>>,
}

impl Knowledge {
    /// Under what always holds.
    pub fn new(
        pool: &TermPool,
        always: &[TermId],
        options: &[(String, String)],
    ) -> Result<Self, SolverError> {
        let mut context = Context::new()?;
        let mut solver = Solver::new(&mut context, options)?;
        for &term in always {
            let ast = context.term(pool, term)?;
            solver.assert(&mut context, ast)?;
        }
        Ok(Knowledge {
            is_symbol: FxHashSet::default(),
            known: FxHashMap::default(),
            connected: Vec::new(),
            symbols: FxHashMap::default(),
            satisfying: FxHashMap::default(),
            always: always.to_vec(),
            context,
            solver,
            literals: FxHashMap::default(),
            answers: FxHashMap::default(),
        })
    }

    pub fn context(&self) -> &Context {
        &self.context
    }

    pub fn into_context(self) -> Context {
        self.context
    }

    pub fn solver_calls(&self) -> (u64, f64) {
        let stats = self.solver.stats();
        (stats.checks, stats.seconds)
    }

    /// The solver's effort so far.
    pub fn effort(&self) -> f64 {
        self.solver.effort(&self.context)
    }

    pub fn known(&self, symbol: VarId) -> Known {
        self.known.get(&symbol).cloned().unwrap_or_default()
    }

    pub fn undo(&mut self, change: Change) {
        match change {
            Change::Symbol(symbol, Some(old)) => drop(self.known.insert(symbol, old)),
            Change::Symbol(symbol, None) => drop(self.known.remove(&symbol)),
            Change::Connected(symbols) => {
                self.connected.pop();
                for symbol in symbols {
                    if let Some(known) = self.known.get_mut(&symbol) {
                        known.connections -= 1;
                    }
                }
            }
        }
    }

    /// Assumes a condition; `changes` says how to take it back, also if it is impossible.
    pub fn assume(
        &mut self,
        pool: &mut TermPool,
        condition: TermId,
        changes: &mut Vec<Change>,
    ) -> Result<Answer, SolverError> {
        let mut conjuncts: SmallVec<[TermId; 4]> = smallvec![condition];
        if pool.op(condition) == Op::And {
            conjuncts = pool.args(condition).iter().copied().collect();
        }
        let mut asked: SmallVec<[TermId; 4]> = SmallVec::new();
        for conjunct in conjuncts {
            match pool.as_bool(conjunct) {
                Some(true) => continue,
                Some(false) => return Ok(Answer::Impossible(Uses::new())),
                None => {}
            }
            let symbols = self.symbols_of(pool, conjunct);
            match symbols.as_deref() {
                Some(&[symbol]) => match self.narrow(pool, symbol, conjunct, changes) {
                    Narrowed::Implied => {}
                    Narrowed::Empty => return Ok(Answer::Impossible(smallvec![Use::Symbol(symbol)])),
                    Narrowed::Exact if self.known[&symbol].connections == 0 => {}
                    Narrowed::Exact | Narrowed::Open => asked.push(conjunct),
                },
                _ if self.connected.contains(&conjunct) => {}
                _ => {
                    let symbols = symbols.unwrap_or_default();
                    for &symbol in &symbols {
                        let known = self.known.entry(symbol);
                        known.or_insert_with(|| first_known(pool, symbol)).connections += 1;
                    }
                    self.connected.push(conjunct);
                    changes.push(Change::Connected(symbols));
                    asked.push(conjunct);
                }
            }
        }
        if asked.is_empty() {
            return Ok(Answer::Possible);
        }
        let question = self.connected_with(pool, &asked);
        self.ask(pool, question)
    }

    /// The assumptions that share symbols with these, over any number of others, in order.
    fn connected_with(&mut self, pool: &TermPool, from: &[TermId]) -> Vec<TermId> {
        let mut question: FxHashSet<TermId> = from.iter().copied().collect();
        let mut work: Vec<TermId> = from.to_vec();
        let mut seen: FxHashSet<VarId> = FxHashSet::default();
        while let Some(term) = work.pop() {
            let Some(symbols) = self.symbols_of(pool, term) else {
                // It may be connected with anything.
                question.extend(self.connected.iter().copied());
                question.extend(
                    self.known
                        .values()
                        .flat_map(|known| known.assumed.iter().copied()),
                );
                break;
            };
            for symbol in symbols {
                if !seen.insert(symbol) {
                    continue;
                }
                if let Some(known) = self.known.get(&symbol) {
                    question.extend(known.assumed.iter().copied());
                }
                for index in 0..self.connected.len() {
                    let other = self.connected[index];
                    let others = self.symbols_of(pool, other);
                    if others.is_none_or(|others| others.contains(&symbol)) && question.insert(other) {
                        work.push(other);
                    }
                }
            }
        }
        let mut question: Vec<TermId> = question.into_iter().collect();
        question.sort_unstable();
        question
    }

    /// Asks the solver whether all of these can hold.
    fn ask(&mut self, pool: &TermPool, question: Vec<TermId>) -> Result<Answer, SolverError> {
        if !self.answers.contains_key(&question) {
            let literals = self.literals_of(pool, &question)?;
            let answer = self
                .solver
                .check_within(&mut self.context, &literals, QUERY_EFFORT)?;
            let core = match answer {
                CheckResult::Unsat => {
                    let core = self.solver.unsat_core(&self.context, &literals)?;
                    Some(core.into_iter().map(|index| question[index]).collect())
                }
                CheckResult::Sat | CheckResult::Unknown(_) => None,
            };
            self.answers.insert(question.clone(), core);
        }
        let Some(Some(core)) = self.answers.get(&question) else {
            return Ok(Answer::Possible);
        };
        let core = core.clone();
        let mut uses = Uses::new();
        for term in core {
            uses.push(match self.symbols_of(pool, term).as_deref() {
                Some(&[symbol]) => Use::Symbol(symbol),
                _ => Use::Assumed(term),
            });
        }
        Ok(Answer::Impossible(uses))
    }

    fn literals_of(&mut self, pool: &TermPool, question: &[TermId]) -> Result<Vec<Ast>, SolverError> {
        let mut literals = Vec::with_capacity(question.len());
        for &term in question {
            let literal = match self.literals.get(&term) {
                Some(&literal) => literal,
                None => {
                    let formula = self.context.term(pool, term)?;
                    let literal = self.solver.assert_tracked(&mut self.context, formula)?;
                    self.literals.insert(term, literal);
                    literal
                }
            };
            literals.push(literal);
        }
        Ok(literals)
    }

    /// Models of everything that is assumed, the surest first; `Err` with what makes it impossible.
    pub fn models(&mut self, pool: &TermPool) -> Result<Result<Models, Uses>, SolverError> {
        let mut all: Vec<TermId> = self.connected.clone();
        all.extend(
            self.known
                .values()
                .flat_map(|known| known.assumed.iter().copied()),
        );
        all.sort_unstable();
        all.dedup();
        // The solver's options may leave parts of a theory out, which is right for ways that are left in. The end of a path is asked about
        // without them.
        let mut complete = Solver::for_one_check(&mut self.context, &[])?;
        let asked: Vec<TermId> = self.always.iter().chain(&all).copied().collect();
        for &term in &asked {
            let formula = self.context.term(pool, term)?;
            complete.assert(&mut self.context, formula)?;
        }
        let literals = self.literals_of(pool, &all)?;
        let effort = match pool.has_quantifier(&asked) {
            true => QUANTIFIED_END_EFFORT,
            false => END_EFFORT,
        };
        let answer = complete.check_within(&mut self.context, &[], effort)?;
        let mut models = Vec::new();
        if answer == CheckResult::Sat {
            models.push((complete.model(&self.context)?, None));
        }
        let own = match answer {
            CheckResult::Unsat => CheckResult::Unsat,
            _ => self.solver.check(&mut self.context, &literals)?,
        };
        match own {
            CheckResult::Sat => models.push((self.solver.model(&self.context)?, None)),
            CheckResult::Unsat if models.is_empty() => {
                let symbols = self.known.keys().map(|&symbol| Use::Symbol(symbol));
                let connected = self.connected.iter().map(|&term| Use::Assumed(term));
                return Ok(Err(symbols.chain(connected).collect()));
            }
            CheckResult::Unsat => {}
            CheckResult::Unknown(reason) => match Doubt::of_reason(&reason) {
                Some(doubt) => models.push((self.solver.model(&self.context)?, Some(doubt))),
                None if models.is_empty() => return Err(SolverError(reason)),
                None => {}
            },
        }
        Ok(Ok(models))
    }

    /// Whether a condition is known to hold, or known not to.
    pub fn decided(&mut self, pool: &mut TermPool, condition: TermId) -> Option<(bool, Uses)> {
        if let Some(value) = pool.as_bool(condition) {
            return Some((value, Uses::new()));
        }
        let opposite = pool.not(condition);
        let symbols = self.symbols_of(pool, condition);
        let Some(&[symbol]) = symbols.as_deref() else {
            let holds = self.connected.contains(&condition);
            return (holds || self.connected.contains(&opposite)).then(|| {
                let term = if holds { condition } else { opposite };
                (holds, smallvec![Use::Assumed(term)])
            });
        };
        let known = self.known(symbol);
        let uses = smallvec![Use::Symbol(symbol)];
        if let Some(set) = known.set {
            let bits = self.satisfying(pool, condition, symbol, set.base)?;
            let all = set.bits.iter().zip(bits).all(|(a, b)| a & !b == 0);
            let none = set.bits.iter().zip(bits).all(|(a, b)| a & b == 0);
            return (all || none).then_some((all, uses));
        }
        let holds = known.assumed.contains(&condition);
        (holds || known.assumed.contains(&opposite)).then_some((holds, uses))
    }

    /// The possible values of a symbol, if they are few enough to be told apart.
    pub fn values(&self, pool: &mut TermPool, symbol: VarId) -> Option<Vec<TermId>> {
        let set = self.known.get(&symbol)?.set?;
        let mut values = Vec::new();
        for index in 0..WIDTH as usize {
            if set.bits[index / 64] >> (index % 64) & 1 == 1 {
                values.push(literal(pool, symbol, set.base + index as i128)?);
            }
        }
        Some(values)
    }

    /// The symbols of a term; see [`Symbols`].
    pub fn symbols_of(&mut self, pool: &TermPool, term: TermId) -> Symbols {
        if let Some(symbols) = self.symbols.get(&term) {
            return symbols.clone();
        }
        let mut symbols: SmallVec<[VarId; 4]> = SmallVec::new();
        let mut plain = true;
        pool.visit_subterms(&[term], |subterm| match pool.op(subterm) {
            Op::Var(var) if self.is_symbol.contains(&var) => symbols.push(var),
            Op::Var(_) | Op::Apply(_) | Op::Theory(_) | Op::Quantifier(_) => plain = false,
            _ => {}
        });
        symbols.sort_unstable();
        symbols.dedup();
        let symbols = (plain && symbols.len() <= MOST_SYMBOLS).then_some(symbols);
        self.symbols.insert(term, symbols.clone());
        symbols
    }

    fn narrow(
        &mut self,
        pool: &mut TermPool,
        symbol: VarId,
        condition: TermId,
        changes: &mut Vec<Change>,
    ) -> Narrowed {
        let old = self.known.get(&symbol).cloned();
        let mut known = old.clone().unwrap_or_else(|| first_known(pool, symbol));
        if known.assumed.contains(&condition) {
            return Narrowed::Implied;
        }
        let mut exact = false;
        match known.set {
            Some(set) => {
                if let Some(bits) = self.satisfying(pool, condition, symbol, set.base) {
                    let left = intersection(&set.bits, &bits);
                    if left == set.bits {
                        return Narrowed::Implied;
                    }
                    known.set = Some(Set { bits: left, ..set });
                    exact = true;
                } else {
                    known.says_more = true;
                }
                known.assumed.push(condition);
            }
            None => {
                bound_by(pool, symbol, condition, &mut known);
                known.assumed.push(condition);
                if let (Some(low), Some(high)) = (known.low, known.high)
                    && high - low < WIDTH
                {
                    exact = self.make_set(pool, symbol, low, high, &mut known);
                }
            }
        }
        let empty = known.set.is_some_and(|set| set.bits == [0; 4]);
        self.known.insert(symbol, known);
        changes.push(Change::Symbol(symbol, old));
        match (empty, exact) {
            (true, _) => Narrowed::Empty,
            (false, true) => Narrowed::Exact,
            (false, false) => Narrowed::Open,
        }
    }

    /// Gives a symbol its set; whether that says all that was assumed of it.
    fn make_set(
        &mut self,
        pool: &mut TermPool,
        symbol: VarId,
        low: i128,
        high: i128,
        known: &mut Known,
    ) -> bool {
        let mut bits = [0; 4];
        for index in 0..=(high - low) {
            if index >= 0 {
                bits[index as usize / 64] |= 1 << (index as usize % 64);
            }
        }
        let mut exact = true;
        for &assumed in &known.assumed {
            match self.satisfying(pool, assumed, symbol, low) {
                Some(satisfying) => bits = intersection(&bits, &satisfying),
                None => exact = false,
            }
        }
        known.says_more = !exact;
        known.set = Some(Set { base: low, bits });
        exact
    }

    /// Which of the values from `base` on satisfy a condition on one symbol; `None` if that is not decided by evaluation.
    fn satisfying(
        &mut self,
        pool: &mut TermPool,
        condition: TermId,
        symbol: VarId,
        base: i128,
    ) -> Option<Bits> {
        if let Some(known) = self.satisfying.get(&(condition, base)) {
            return *known;
        }
        let mut size = 0;
        pool.visit_subterms(&[condition], |_| size += 1);
        if size > MOST_EVALUATED {
            self.satisfying.insert((condition, base), None);
            return None;
        }
        let mut bits: Option<Bits> = Some([0; 4]);
        for index in 0..WIDTH as usize {
            let Some(value) = literal(pool, symbol, base + index as i128) else {
                break;
            };
            let holds = Substitution::from_iter([(symbol, value)]).apply(pool, condition);
            match (pool.as_bool(holds), &mut bits) {
                (Some(true), Some(bits)) => bits[index / 64] |= 1 << (index % 64),
                (Some(false), _) => {}
                _ => {
                    bits = None;
                    break;
                }
            }
        }
        self.satisfying.insert((condition, base), bits);
        bits
    }
}

enum Narrowed {
    /// It says nothing new.
    Implied,
    Empty,
    /// The set of the symbol says all that is assumed of it alone, and it is not empty.
    Exact,
    /// Only the solver can tell.
    Open,
}

fn intersection(a: &Bits, b: &Bits) -> Bits {
    std::array::from_fn(|index| a[index] & b[index])
}

/// What the sort says of a symbol.
fn first_known(pool: &TermPool, symbol: VarId) -> Known {
    let mut known = Known::default();
    let high = match pool.sort(pool.var_sort(symbol)) {
        Sort::Bool => 1,
        Sort::Bv(width) if *width <= 64 => (1i128 << width) - 1,
        _ => return known,
    };
    known.low = Some(0);
    known.high = Some(high);
    if high < WIDTH {
        let bits = std::array::from_fn(|word| {
            (0..64).fold(0u64, |bits, bit| {
                bits | u64::from(word as i128 * 64 + bit as i128 <= high) << bit
            })
        });
        known.set = Some(Set { base: 0, bits });
    }
    known
}

/// The value of the symbol's sort with this number; `None` if there is none.
fn literal(pool: &mut TermPool, symbol: VarId, number: i128) -> Option<TermId> {
    match *pool.sort(pool.var_sort(symbol)) {
        Sort::Bool if (0..=1).contains(&number) => Some(pool.bool(number == 1)),
        Sort::Int => Some(pool.int(number)),
        Sort::Bv(width) if number >= 0 && (width >= 127 || number < 1 << width) => {
            Some(pool.bv(number, width))
        }
        _ => None,
    }
}

/// Narrows the range of a symbol where the condition compares it with a literal.
fn bound_by(pool: &TermPool, symbol: VarId, condition: TermId, known: &mut Known) {
    let &[left, right] = pool.args(condition) else {
        return;
    };
    let number = |term: TermId| -> Option<i128> {
        let value: &BigInt = pool.as_int(term).or_else(|| pool.as_bv(term))?;
        value.try_into().ok()
    };
    let is_symbol = |term: TermId| pool.as_var(term) == Some(symbol);
    let strict = match pool.op(condition) {
        Op::Le | Op::Bv2(BvOp::Ule) => 0,
        Op::Lt | Op::Bv2(BvOp::Ult) => 1,
        Op::Eq => {
            let value = if is_symbol(left) {
                number(right)
            } else {
                number(left)
            };
            if let (Some(value), true) = (value, is_symbol(left) || is_symbol(right)) {
                known.low = Some(value);
                known.high = Some(value);
            }
            return;
        }
        _ => return,
    };
    if is_symbol(left)
        && let Some(value) = number(right)
    {
        let high = value - strict;
        known.high = Some(known.high.map_or(high, |old| old.min(high)));
    } else if is_symbol(right)
        && let Some(value) = number(left)
    {
        let low = value + strict;
        known.low = Some(known.low.map_or(low, |old| old.max(low)));
    }
}
