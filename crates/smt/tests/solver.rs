//! The binding end to end: translation, incremental checks, cores, models, templates.

use lariat_base::Budget;
use lariat_smt::{Ast, CheckResult, Context, Solver, Template, Watchdog};
use lariat_term::{BvOp, Constructor, Field, Quantifier, QuantifierKind, Sort, TermId, TermPool, Value};
use num_bigint::BigInt;

struct Session {
    pool: TermPool,
    context: Context,
    solver: Solver,
}

impl Session {
    fn new() -> Self {
        let mut context = Context::new().expect("a context");
        let options = [("smt.mbqi".to_string(), "false".to_string())];
        let solver = Solver::new(&mut context, &options).expect("a solver");
        Session {
            pool: TermPool::new(),
            context,
            solver,
        }
    }

    fn ast(&mut self, term: TermId) -> Ast {
        self.context.term(&self.pool, term).expect("a translation")
    }

    fn assert(&mut self, term: TermId) {
        let ast = self.ast(term);
        self.solver.assert(&mut self.context, ast).expect("an assertion");
    }

    fn check(&mut self, assumptions: &[Ast]) -> CheckResult {
        self.solver
            .check(&mut self.context, assumptions)
            .expect("a check")
    }

    fn value(&mut self, term: TermId) -> Value {
        let ast = self.ast(term);
        let model = self.solver.model(&self.context).expect("a model");
        model
            .value(&mut self.context, &self.pool, ast, self.pool.sort_of(term))
            .expect("a value")
    }

    fn int_var(&mut self, name: &str) -> TermId {
        let int = self.pool.int_sort();
        let var = self.pool.declare_var(name, int);
        self.pool.var(var)
    }
}

#[test]
fn cores_name_the_assumptions_that_were_needed() {
    let mut s = Session::new();
    let x = s.int_var("x");
    let bool_sort = s.pool.bool_sort();
    let guards: Vec<TermId> = (0..3)
        .map(|i| {
            let var = s.pool.declare_var(format!("g{i}"), bool_sort);
            s.pool.var(var)
        })
        .collect();
    let (one, two) = (s.pool.int(1), s.pool.int(2));
    let is_one = s.pool.eq(x, one);
    let is_two = s.pool.eq(x, two);
    let first = s.pool.implies(guards[0], is_one);
    let third = s.pool.implies(guards[2], is_two);
    s.assert(first);
    s.assert(third);
    let asts: Vec<Ast> = guards.iter().map(|&guard| s.ast(guard)).collect();
    assert_eq!(s.check(&asts), CheckResult::Unsat);
    assert_eq!(
        s.solver.unsat_core(&s.context, &asts).expect("a core"),
        vec![0, 2]
    );
    assert_eq!(s.check(&asts[..2]), CheckResult::Sat);
    assert_eq!(s.value(x), Value::Int(BigInt::from(1)));
}

#[test]
fn values_of_all_kinds_are_read_back() {
    let mut s = Session::new();
    let int = s.pool.int_sort();
    let map_sort = s.pool.array_sort(&[int, int], int);
    let map = s.pool.declare_var("m", map_sort);
    let map = s.pool.var(map);
    let (one, seven) = (s.pool.int(1), s.pool.int(7));
    let read = s.pool.select(map, &[one, seven]);
    let read_is_7 = s.pool.eq(read, seven);
    s.assert(read_is_7);

    let bv8 = s.pool.bv_sort(8);
    let bits = s.pool.declare_var("b", bv8);
    let bits = s.pool.var(bits);
    let (a, b) = (s.pool.bv(200, 8), s.pool.bv(100, 8));
    let bits_c = s.pool.bv_op(BvOp::Xor, &[bits, a]);
    let bits_eq = s.pool.eq(bits_c, b);
    s.assert(bits_eq);

    let list = s.pool.declare_datatype("List");
    let list_sort = s.pool.sort_id(Sort::Datatype(list));
    s.pool.define_datatype(
        list,
        vec![
            Constructor {
                name: "Nil".into(),
                fields: vec![],
            },
            Constructor {
                name: "Cons".into(),
                fields: vec![
                    Field {
                        name: "head".into(),
                        sort: int,
                    },
                    Field {
                        name: "tail".into(),
                        sort: list_sort,
                    },
                ],
            },
        ],
    );
    let l = s.pool.declare_var("l", list_sort);
    let l = s.pool.var(l);
    let nil = s.pool.construct(list, 0, &[]);
    let cons = s.pool.construct(list, 1, &[seven, nil]);
    let l_eq = s.pool.eq(l, cons);
    s.assert(l_eq);

    let u = s.pool.uninterpreted_sort("U");
    let (p, q) = (s.pool.declare_var("p", u), s.pool.declare_var("q", u));
    let (p, q) = (s.pool.var(p), s.pool.var(q));
    let differ = s.pool.distinct(&[p, q]);
    s.assert(differ);

    assert_eq!(s.check(&[]), CheckResult::Sat);
    let Value::Map(value) = s.value(map) else {
        panic!("a map")
    };
    assert_eq!(
        value.get(&[Value::Int(1.into()), Value::Int(7.into())]),
        &Value::Int(7.into())
    );
    assert_eq!(
        s.value(bits),
        Value::Bv {
            value: BigInt::from(200 ^ 100),
            width: 8
        }
    );
    let Value::Datatype {
        constructor: 1,
        fields,
        ..
    } = s.value(l)
    else {
        panic!("a list")
    };
    assert_eq!(fields[0], Value::Int(7.into()));
    let model = s.solver.model(&s.context).expect("a model");
    let (p_ast, q_ast) = (s.ast(p), s.ast(q));
    let p_value = model.value(&mut s.context, &s.pool, p_ast, u).expect("p");
    let q_value = model.value(&mut s.context, &s.pool, q_ast, u).expect("q");
    assert_ne!(p_value, q_value);
    let same = model.ast_of(&mut s.context, &s.pool, &p_value).expect("p again");
    assert_eq!(model.value(&mut s.context, &s.pool, same, u).expect("p"), p_value);
}

#[test]
fn operators_by_name_and_quantifiers_are_understood() {
    let mut s = Session::new();
    let int = s.pool.int_sort();
    let string = s.pool.sort_id(Sort::String);
    let (a, b) = (s.pool.string("la"), s.pool.string("riat"));
    let joined = s.pool.theory("str.++", &[a, b], string);
    let length = s.pool.theory("str.len", &[joined], int);
    let six = s.pool.int(6);
    let wrong = s.pool.distinct(&[length, six]);
    let f = s.pool.declare_function("f", vec![int], int);
    let x = s.pool.declare_var("x", int);
    let tx = s.pool.var(x);
    let fx = s.pool.apply(f, &[tx]);
    let body = s.pool.lt(tx, fx);
    let axiom = s.pool.quantifier_term(Quantifier {
        kind: QuantifierKind::Forall,
        bound: Box::new([x]),
        triggers: Box::new([Box::new([fx])]),
        no_patterns: Box::new([]),
        body,
        weight: None,
    });
    s.assert(axiom);
    let f6 = s.pool.apply(f, &[six]);
    let small = s.pool.le(f6, six);
    let (wrong, small) = (s.ast(wrong), s.ast(small));
    assert_eq!(s.check(&[wrong]), CheckResult::Unsat);
    assert_eq!(s.check(&[small]), CheckResult::Unsat);
}

#[test]
fn instances_of_a_template_are_independent() {
    let mut s = Session::new();
    let (x, y) = (s.int_var("x"), s.int_var("y"));
    let one = s.pool.int(1);
    let next = s.pool.add(&[x, one]);
    let step = s.pool.eq(y, next);
    let (vx, vy) = (s.pool.as_var(x).expect("x"), s.pool.as_var(y).expect("y"));
    let template = Template::new(&mut s.context, &s.pool, &[step], &[vx, vy]).expect("a template");
    let int = s.pool.int_sort();
    let consts: Vec<Ast> = (0..4)
        .map(|_| s.context.fresh_const(&s.pool, int).expect("a constant"))
        .collect();
    for pair in consts.windows(2) {
        let instance = template.instantiate(&mut s.context, pair).expect("an instance");
        s.solver
            .assert(&mut s.context, instance[0])
            .expect("an assertion");
    }
    assert_eq!(s.check(&[]), CheckResult::Sat);
    let model = s.solver.model(&s.context).expect("a model");
    let mut value = |index: usize| match model.value(&mut s.context, &s.pool, consts[index], int) {
        Ok(Value::Int(value)) => value,
        other => panic!("{other:?}"),
    };
    assert_eq!(value(3) - value(0), BigInt::from(3));
}

#[test]
fn a_wrong_option_is_refused_with_its_name() {
    let mut context = Context::new().expect("a context");
    let error = Solver::new(&mut context, &[("no.such".into(), "1".into())])
        .err()
        .expect("an error");
    assert!(error.0.contains("no.such=1"), "{error}");
}

#[test]
fn the_watchdog_stops_a_hard_check() {
    let mut s = Session::new();
    // Factoring a product of two large primes: far beyond the time given.
    let (x, y) = (s.int_var("x"), s.int_var("y"));
    let bv = |s: &mut Session, t| s.pool.bv_op(BvOp::FromInt(64), &[t]);
    let (bx, by) = (bv(&mut s, x), bv(&mut s, y));
    let product = s.pool.bv_op(BvOp::Mul, &[bx, by]);
    let target = s.pool.bv(BigInt::from(4_294_967_291u64) * 4_294_967_279u64, 64);
    let eq = s.pool.eq(product, target);
    s.assert(eq);
    for t in [bx, by] {
        let (two, top) = (s.pool.bv(2, 64), s.pool.bv(1u64 << 32, 64));
        let (low, high) = (
            s.pool.bv_op(BvOp::Ult, &[two, t]),
            s.pool.bv_op(BvOp::Ult, &[t, top]),
        );
        s.assert(low);
        s.assert(high);
    }
    let budget = Budget::new(Some(std::time::Duration::from_millis(200)), None);
    let _watchdog = Watchdog::start(budget.clone(), s.context.interrupt_handle());
    assert!(matches!(s.check(&[]), CheckResult::Unknown(_)));
    assert!(budget.elapsed().as_secs() < 20);
}

/// Operators that Z3 writes with several declarations: a signed number of a bit-vector, a concatenation of three.
#[test]
fn templates_of_composite_operators() {
    let mut s = Session::new();
    let pool = &mut s.pool;
    let byte = pool.bv_sort(8);
    let var = pool.declare_var("x", byte);
    let x = pool.var(var);
    let number = pool.bv_op(BvOp::ToInt, &[x]);
    let wide = pool.bv_op(BvOp::Concat, &[x, x, x]);
    let minus_one = pool.int(-1);
    let all = pool.bv(0xff_ffff, 24);
    let is_minus_one = pool.eq(number, minus_one);
    let is_all = pool.eq(wide, all);
    let both = pool.and(&[is_minus_one, is_all]);
    let template = Template::new(&mut s.context, &s.pool, &[both], &[var]).expect("a template");
    for (value, expected) in [(0xff, CheckResult::Sat), (0x7f, CheckResult::Unsat)] {
        let literal = s.pool.bv(value, 8);
        let argument = s.ast(literal);
        let instance = template
            .instantiate(&mut s.context, &[argument])
            .expect("an instance");
        assert_eq!(s.check(&[instance[0]]), expected);
    }
}

/// No two of seven pigeons share one of six holes: a short formula that takes the solver long.
fn pigeons(s: &mut Session) {
    let (six, zero) = (s.pool.int(BigInt::from(6)), s.pool.int(BigInt::from(0)));
    let pigeons: Vec<TermId> = (0..7).map(|index| s.int_var(&format!("p{index}"))).collect();
    for (index, &pigeon) in pigeons.iter().enumerate() {
        let low = s.pool.le(zero, pigeon);
        let high = s.pool.lt(pigeon, six);
        s.assert(low);
        s.assert(high);
        for &other in &pigeons[..index] {
            let same = s.pool.eq(pigeon, other);
            let different = s.pool.not(same);
            s.assert(different);
        }
    }
}

#[test]
fn effort_is_limited_for_one_check_only() {
    let mut s = Session::new();
    let x = s.int_var("x");
    let bool_sort = s.pool.bool_sort();
    let easy = s.pool.declare_var("easy", bool_sort);
    let easy = s.pool.var(easy);
    let five = s.pool.int(BigInt::from(5));
    let is_five = s.pool.eq(x, five);
    let fact = s.pool.implies(easy, is_five);
    s.assert(fact);
    let easy = s.ast(easy);
    let within = |s: &mut Session, effort| {
        s.solver
            .check_within(&mut s.context, &[easy], effort)
            .expect("a check")
    };
    assert_eq!(within(&mut s, 1_000_000), CheckResult::Sat);
    pigeons(&mut s);
    let answer = within(&mut s, 1_000);
    assert!(answer.is_out_of_effort(), "{answer:?}");
    // The limit is gone, and nothing that was asserted.
    assert_eq!(s.check(&[easy]), CheckResult::Unsat);
}
