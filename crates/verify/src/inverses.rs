//! Pairs of functions that undo each other, of which nothing else is said.
//!
//! Solvers find no model of `forall x :: f(g(x)) == x` over infinite types, and the values that they choose where no query asked are mostly
//! wrong. Such a model is easy to have: between two countably infinite types every finite set of pairs in which no two share a side
//! is part of a bijection. So values that were not asked for may be new ones, and points that a replay used agree with some model of these
//! axioms exactly if they are such a set.
//!
//! Invariants: the functions of a pair are in no other axiom; what a program assumes with a quantifier of its own takes them out
//! ([`Inverses::extending`]).

use lariat_interp::{Environment, Oracle, Points};
use lariat_ir::Program;
use lariat_term::{FunId, Op, QuantifierKind, Sort, SortId, TermId, TermPool, TheoryId, Value};
use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHashSet};

/// Values that no query asked for are numbers from here on.
const FIRST_NEW: u128 = 1 << 100;
/// How deeply types may be nested.
const MOST_LEVELS: usize = 8;

/// The pairs of a program.
#[derive(Clone, Debug, Default)]
pub struct Inverses {
    partners: FxHashMap<FunId, FunId>,
    /// The axioms about each function.
    axioms: FxHashMap<TermId, FunId>,
}

impl Inverses {
    /// The pairs that the axioms of a program are about.
    pub fn of_axioms(program: &Program) -> Inverses {
        let pool = &program.pool;
        let mut inverses = Inverses::default();
        let mut elsewhere: FxHashSet<FunId> = FxHashSet::default();
        for axiom in &program.axioms {
            let Some((outer, inner)) = comes_back(pool, axiom.term) else {
                pool.visit_subterms(&[axiom.term], |term| {
                    elsewhere.extend(applied(pool, term));
                });
                continue;
            };
            for (one, other) in [(outer, inner), (inner, outer)] {
                if *inverses.partners.entry(one).or_insert(other) != other {
                    elsewhere.extend([one, other]);
                }
            }
            inverses.axioms.insert(axiom.term, outer);
        }
        inverses.remove(elsewhere);
        inverses
    }

    /// The pairs for which there is a model that agrees with these points, whatever the other functions are.
    pub fn extending(mut self, pool: &TermPool, points: &Points) -> Inverses {
        let mut excluded: FxHashSet<FunId> = FxHashSet::default();
        for point in points.quantifiers.keys() {
            pool.visit_subterms(&[point.term], |term| excluded.extend(applied(pool, term)));
        }
        let mut known: FxHashMap<(FunId, &Value), &Value> = FxHashMap::default();
        for ((function, args), result) in &points.applications {
            let (Some(&partner), [arg]) = (self.partners.get(function), args.as_slice()) else {
                continue;
            };
            for (function, arg, result) in [(*function, arg, result), (partner, result, arg)] {
                if *known.entry((function, arg)).or_insert(result) != result {
                    excluded.insert(function);
                }
            }
        }
        self.remove(excluded);
        self
    }

    pub fn has(&self, function: FunId) -> bool {
        self.partners.contains_key(&function)
    }

    /// Whether it is an axiom about one of the pairs.
    pub fn satisfies(&self, axiom: TermId) -> bool {
        self.axioms.contains_key(&axiom)
    }

    /// Leaves pairs out, and what shares a function with them.
    fn remove(&mut self, mut functions: FxHashSet<FunId>) {
        loop {
            let known = functions.len();
            for (one, other) in &self.partners {
                if functions.contains(one) || functions.contains(other) {
                    functions.extend([*one, *other]);
                }
            }
            if functions.len() == known {
                break;
            }
        }
        self.partners.retain(|function, _| !functions.contains(function));
        self.axioms.retain(|_, function| !functions.contains(function));
    }
}

fn applied(pool: &TermPool, term: TermId) -> Option<FunId> {
    match pool.op(term) {
        Op::Apply(function) => Some(function),
        _ => None,
    }
}

/// The functions of `forall x :: outer(inner(x)) == x`, if they are two and their types are countably infinite.
fn comes_back(pool: &TermPool, axiom: TermId) -> Option<(FunId, FunId)> {
    let Op::Quantifier(id) = pool.op(axiom) else {
        return None;
    };
    let quantifier = pool.quantifier(id);
    let ([bound], QuantifierKind::Forall, Op::Eq) =
        (&*quantifier.bound, quantifier.kind, pool.op(quantifier.body))
    else {
        return None;
    };
    let is_bound = |term: TermId| pool.op(term) == Op::Var(*bound);
    let &[left, right] = pool.args(quantifier.body) else {
        return None;
    };
    let way = match (is_bound(left), is_bound(right)) {
        (true, false) => right,
        (false, true) => left,
        _ => return None,
    };
    let (outer, &[middle]) = (applied(pool, way)?, pool.args(way)) else {
        return None;
    };
    let (inner, &[start]) = (applied(pool, middle)?, pool.args(middle)) else {
        return None;
    };
    let infinite = |term| is_infinite(pool, pool.sort_of(term), MOST_LEVELS) == Some(true);
    (outer != inner && is_bound(start) && infinite(start) && infinite(middle)).then_some((outer, inner))
}

/// Whether a countable type is infinite; `None` if it may not be countable.
fn is_infinite(pool: &TermPool, sort: SortId, levels: usize) -> Option<bool> {
    match pool.sort(sort) {
        Sort::Bool | Sort::Bv(_) => Some(false),
        Sort::Int => Some(true),
        Sort::Datatype(id) if levels > 0 => {
            let constructors = pool.datatype(*id).constructors.iter();
            let mut infinite = false;
            for field in constructors.flat_map(|constructor| &constructor.fields) {
                infinite |= is_infinite(pool, field.sort, levels - 1)?;
            }
            Some(infinite)
        }
        _ => None,
    }
}

/// A value of an infinite type that has this number in it; of a finite type some value.
fn value_with(pool: &TermPool, sort: SortId, number: &BigInt, levels: usize) -> Option<Value> {
    match pool.sort(sort) {
        Sort::Bool => Some(Value::Bool(false)),
        Sort::Bv(width) => Some(Value::Bv {
            value: BigInt::ZERO,
            width: *width,
        }),
        Sort::Int => Some(Value::Int(number.clone())),
        Sort::Datatype(datatype) if levels > 0 => {
            let constructors = &pool.datatype(*datatype).constructors;
            let is_infinite = |sort| is_infinite(pool, sort, levels - 1) == Some(true);
            let chosen = constructors
                .iter()
                .position(|constructor| constructor.fields.iter().any(|field| is_infinite(field.sort)))?;
            let fields = constructors[chosen].fields.iter();
            let fields = fields.map(|field| value_with(pool, field.sort, number, levels - 1));
            Some(Value::Datatype {
                datatype: *datatype,
                constructor: u32::try_from(chosen).ok()?,
                fields: fields.collect::<Option<_>>()?,
            })
        }
        _ => None,
    }
}

/// Answers from another oracle, except where that has no inverse for the value of a function that has one.
pub struct InvertingOracle<'a, O> {
    inner: O,
    inverses: &'a Inverses,
    pool: &'a TermPool,
    points: FxHashMap<(FunId, Value), Value>,
    next: u128,
}

impl<'a, O: Oracle> InvertingOracle<'a, O> {
    pub fn new(inner: O, inverses: &'a Inverses, pool: &'a TermPool) -> Self {
        InvertingOracle {
            inner,
            inverses,
            pool,
            points: FxHashMap::default(),
            next: FIRST_NEW,
        }
    }

    /// A value of a function that is that of no other argument, unless the other oracle has a good one.
    fn invertible(&mut self, function: FunId, partner: FunId, arg: &Value) -> Result<Value, String> {
        let value = self.inner.apply(function, std::slice::from_ref(arg))?;
        let is_free = !self.points.contains_key(&(partner, value.clone()));
        if is_free && self.inner.apply(partner, std::slice::from_ref(&value)).as_ref() == Ok(arg) {
            return Ok(value);
        }
        let sort = self.pool.function(function).result;
        loop {
            let value = value_with(self.pool, sort, &BigInt::from(self.next), MOST_LEVELS)
                .ok_or("a value of a type that has none")?;
            self.next += 1;
            if !self.points.contains_key(&(partner, value.clone())) {
                return Ok(value);
            }
        }
    }
}

impl<O: Oracle> Oracle for InvertingOracle<'_, O> {
    fn apply(&mut self, function: FunId, args: &[Value]) -> Result<Value, String> {
        let (Some(&partner), [arg]) = (self.inverses.partners.get(&function), args) else {
            return self.inner.apply(function, args);
        };
        if let Some(known) = self.points.get(&(function, arg.clone())) {
            return Ok(known.clone());
        }
        let value = self.invertible(function, partner, arg)?;
        self.points.insert((partner, value.clone()), arg.clone());
        self.points.insert((function, arg.clone()), value.clone());
        Ok(value)
    }

    fn theory(&mut self, op: TheoryId, args: &[Value]) -> Result<Value, String> {
        self.inner.theory(op, args)
    }

    fn quantifier(&mut self, term: TermId, environment: &dyn Environment) -> Result<bool, String> {
        self.inner.quantifier(term, environment)
    }

    fn partial(&mut self, op: Op, args: &[Value]) -> Result<Value, String> {
        self.inner.partial(op, args)
    }
}

#[cfg(test)]
mod tests {
    use lariat_interp::{Environment, NoOracle, Oracle, Points};
    use lariat_ir::Program;
    use lariat_term::{FunId, Op, TermId, TheoryId, Value};
    use lariat_testkit::boogie;

    use super::{Inverses, InvertingOracle};

    const PAIR: &str = "
        datatype pair { pair(a: int, b: int) }
        function pack(pair): int;
        function unpack(int): pair;
        function of_byte(bv8): int;
        function byte(int): bv8;
        axiom (forall x: pair :: unpack(pack(x)) == x);
        axiom (forall x: bv8 :: byte(of_byte(x)) == x);
        ";

    fn program(more: &str) -> Program {
        boogie::program(&format!("{PAIR} {more} procedure main() {{ assert false; }}"))
    }

    fn function(program: &Program, name: &str) -> FunId {
        let mut functions = program.pool.functions();
        functions
            .find(|(_, function)| &*function.name == name)
            .expect("a function")
            .0
    }

    fn int(value: i64) -> Value {
        Value::Int(value.into())
    }

    fn has(program: &Program, name: &str) -> bool {
        Inverses::of_axioms(program).has(function(program, name))
    }

    #[test]
    fn a_pair_is_recognised() {
        let program = program("axiom (forall y: int :: y == pack(unpack(y)));");
        assert!(has(&program, "pack") && has(&program, "unpack"));
        let inverses = Inverses::of_axioms(&program);
        let satisfied = program
            .axioms
            .iter()
            .filter(|axiom| inverses.satisfies(axiom.term));
        assert_eq!(satisfied.count(), 2);
    }

    /// There are only 256 bytes.
    #[test]
    fn a_finite_type_has_no_pair() {
        assert!(!has(&program(""), "of_byte"));
    }

    #[test]
    fn other_axioms_take_a_pair_out() {
        assert!(!has(&program("axiom pack(unpack(3)) == 4;"), "pack"));
        assert!(!has(
            &program("function other(int): pair; axiom (forall x: pair :: other(pack(x)) == x);"),
            "pack"
        ));
        assert!(!has(
            &program("axiom (forall x: int :: unpack(x) == unpack(0));"),
            "unpack"
        ));
    }

    /// Every answer is the same.
    struct Constant(Value);

    impl Oracle for Constant {
        fn apply(&mut self, _: FunId, _: &[Value]) -> Result<Value, String> {
            Ok(self.0.clone())
        }

        fn theory(&mut self, op: TheoryId, args: &[Value]) -> Result<Value, String> {
            NoOracle.theory(op, args)
        }

        fn quantifier(&mut self, term: TermId, environment: &dyn Environment) -> Result<bool, String> {
            NoOracle.quantifier(term, environment)
        }

        fn partial(&mut self, op: Op, args: &[Value]) -> Result<Value, String> {
            NoOracle.partial(op, args)
        }
    }

    #[test]
    fn new_values_can_be_inverted() {
        let program = program("");
        let inverses = Inverses::of_axioms(&program);
        let (pack, unpack) = (function(&program, "pack"), function(&program, "unpack"));
        let mut oracle = InvertingOracle::new(Constant(int(7)), &inverses, &program.pool);
        let pairs: Vec<Value> = (0..3)
            .map(|number| oracle.apply(unpack, &[int(number)]).expect("a value"))
            .collect();
        for (number, pair) in pairs.iter().enumerate() {
            assert_eq!(
                oracle.apply(pack, std::slice::from_ref(pair)),
                Ok(int(number as i64))
            );
        }
    }

    #[test]
    fn points_that_share_a_value_take_a_pair_out() {
        let program = program("");
        let unpack = function(&program, "unpack");
        let inverses = Inverses::of_axioms(&program);
        let mut points = Points::default();
        points.applications.insert((unpack, vec![int(1)]), int(5));
        points.applications.insert((unpack, vec![int(2)]), int(6));
        assert!(inverses.clone().extending(&program.pool, &points).has(unpack));
        points.applications.insert((unpack, vec![int(3)]), int(6));
        assert!(!inverses.extending(&program.pool, &points).has(unpack));
    }
}
