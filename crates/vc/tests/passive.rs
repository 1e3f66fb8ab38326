//! Small random procedures without loops: the passive form, its verification condition and a naive execution of the statements
//! agree on which values can be returned.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use cranelift_entity::{EntityRef, EntitySet, PrimaryMap};
use lariat_ir::{BlockId, Interface, ProcId, Program, Stage, StmtKind, Terminator, validate};
use lariat_smt::{CheckResult, Context, Solver};
use lariat_term::{Substitution, TermId, TermPool, VarId};
use lariat_testkit::Random;
use lariat_testkit::ir_text::read_program;
use lariat_vc::{PassiveBlockId, PassiveProc, generate_vc, passify};
use num_bigint::BigInt;
use rustc_hash::FxHashSet;

const PROGRAMS: u64 = 300;
/// Of these the verification condition is solved too.
const SOLVED: u64 = 40;
const INPUTS: [i64; 3] = [-1, 0, 2];
/// What a havoc may choose in the naive execution, and what is asked of the others.
const CHOICES: [i64; 4] = [-1, 0, 1, 2];
const VARS: [&str; 4] = ["r", "s", "x", "y"];

fn number(random: &mut Random) -> String {
    let var = random.pick(&["a", "r", "s", "x", "y"]);
    match random.below(5) {
        0 => random.between(-1, 2).to_string(),
        1 => format!("(+ {var} {})", random.between(-1, 1)),
        2 => format!("(+ {var} {})", random.pick(&VARS)),
        3 => format!(
            "(ite (< {var} {}) {} {var})",
            random.pick(&VARS),
            random.pick(&VARS)
        ),
        _ => var.to_owned(),
    }
}

/// A graph whose blocks go to later blocks only.
fn procedure(random: &mut Random) -> String {
    let mut text = String::from("proc main(a: int) -> (r: int, s: int)\n var x: int\n var y: int\n");
    let blocks = 2 + random.below(5);
    for block in 0..blocks {
        let _ = writeln!(text, "b{block}:");
        if block == 0 {
            text.push_str("r, s, x, y := a, 0, 1, 2\n");
        }
        for _ in 0..random.below(4) {
            let target = random.pick(&VARS);
            let _ = match random.below(6) {
                0 => writeln!(text, "assume (< {} {})", number(random), number(random)),
                1 => {
                    let (low, high) = (CHOICES[0], CHOICES[CHOICES.len() - 1]);
                    writeln!(
                        text,
                        "havoc {target}\nassume (<= {low} {target})\nassume (<= {target} {high})"
                    )
                }
                2 => {
                    // An assignment in disguise.
                    writeln!(
                        text,
                        "havoc {target}\nassume (= {target} {})",
                        random.between(-1, 2)
                    )
                }
                3 => {
                    let other =
                        VARS[(VARS.iter().position(|&var| var == target).unwrap_or(0) + 1) % VARS.len()];
                    writeln!(text, "{target}, {other} := {other}, {}", number(random))
                }
                _ => writeln!(text, "{target} := {}", number(random)),
            };
        }
        let later: Vec<usize> = (block + 1..blocks).collect();
        if later.is_empty() || random.one_in(8) {
            text.push_str("return\n");
        } else {
            let (one, two) = (random.pick(&later), random.pick(&later));
            let _ = match one == two {
                true => writeln!(text, "goto b{one}"),
                false => writeln!(text, "goto b{one} b{two}"),
            };
        }
    }
    text
}

type Values = BTreeMap<VarId, i64>;
type Returned = BTreeSet<Vec<i64>>;

fn literal_substitution(pool: &mut TermPool, values: &Values) -> Substitution {
    let mut substitution = Substitution::new();
    for (&var, &value) in values {
        substitution.insert(var, pool.int(value));
    }
    substitution
}

fn int_value(pool: &mut TermPool, term: TermId, values: &Values) -> i64 {
    let term = literal_substitution(pool, values).apply(pool, term);
    let value = pool.as_int(term).cloned().expect("all variables have values");
    i64::try_from(value).expect("values are small")
}

fn bool_value(pool: &mut TermPool, term: TermId, values: &Values) -> Option<bool> {
    let term = literal_substitution(pool, values).apply(pool, term);
    pool.as_bool(term)
}

/// All executions of the statements.
fn executed(program: &mut Program, main: ProcId, input: i64) -> Returned {
    let proc = program.procs[main].clone();
    let mut returned = Returned::new();
    let mut waiting: Vec<(BlockId, usize, Values)> =
        vec![(proc.entry, 0, Values::from([(proc.params[0], input)]))];
    while let Some((block, at, mut values)) = waiting.pop() {
        let data = &proc.blocks[block];
        let Some(stmt) = data.stmts.get(at) else {
            match &data.terminator {
                Terminator::Return => {
                    returned.insert(proc.outs.iter().map(|out| values[out]).collect());
                }
                Terminator::Goto(targets) => {
                    waiting.extend(targets.iter().map(|&target| (target, 0, values.clone())));
                }
            }
            continue;
        };
        match &stmt.kind {
            StmtKind::Assume(condition) => {
                if bool_value(&mut program.pool, *condition, &values) == Some(true) {
                    waiting.push((block, at + 1, values));
                }
            }
            StmtKind::Assign(assignments) => {
                let new: Vec<(VarId, i64)> = assignments
                    .iter()
                    .map(|&(var, term)| (var, int_value(&mut program.pool, term, &values)))
                    .collect();
                values.extend(new);
                waiting.push((block, at + 1, values));
            }
            StmtKind::Havoc(vars) => {
                assert_eq!(vars.len(), 1, "one variable at a time");
                for choice in CHOICES {
                    values.insert(vars[0], choice);
                    waiting.push((block, at + 1, values.clone()));
                }
            }
            other => panic!("no {other:?} here"),
        }
    }
    returned
}

/// All paths through the passive form. Variables that nothing has given a value are tried with all choices.
fn passive_returns(pool: &mut TermPool, passive: &PassiveProc, input: i64) -> Returned {
    let mut returned = Returned::new();
    let start = Values::from([(passive.ins[0], input)]);
    let mut waiting = vec![(PassiveBlockId::new(0), start)];
    while let Some((id, values)) = waiting.pop() {
        let block = &passive.blocks[id];
        let mut terms: Vec<TermId> = block.assumes.clone();
        terms.extend(
            block
                .successors
                .iter()
                .flat_map(|edge| &edge.phis)
                .map(|phi| phi.value),
        );
        terms.extend(block.returns.iter().flatten().map(|&(_, term)| term));
        for values in with_choices(pool, &terms, &values) {
            if !block
                .assumes
                .iter()
                .all(|&term| bool_value(pool, term, &values).expect("all variables have values"))
            {
                continue;
            }
            if let Some(finals) = &block.returns {
                let mut outs = vec![None; passive.outs.len()];
                for &(position, term) in finals {
                    outs[position] = Some(int_value(pool, term, &values));
                }
                returned.insert(outs.into_iter().map(|out| out.expect("every out")).collect());
            }
            for edge in &block.successors {
                let phis: Vec<(VarId, i64)> = edge
                    .phis
                    .iter()
                    .map(|phi| (phi.incarnation, int_value(pool, phi.value, &values)))
                    .collect();
                let mut next = values.clone();
                next.extend(phis);
                waiting.push((edge.target, next));
            }
        }
    }
    returned
}

/// The values, with all choices for the variables of the terms that have none.
fn with_choices(pool: &TermPool, terms: &[TermId], values: &Values) -> Vec<Values> {
    let mut all = vec![values.clone()];
    for var in pool.free_vars(terms) {
        if values.contains_key(&var) {
            continue;
        }
        all = all
            .into_iter()
            .flat_map(|values| {
                CHOICES.map(|choice| {
                    let mut values = values.clone();
                    values.insert(var, choice);
                    values
                })
            })
            .collect();
    }
    all
}

/// What the solver finds with the condition of the procedure: every model gives what is returned, until there is none.
fn solved_returns(program: &mut Program, passive: PassiveProc, input: i64) -> Returned {
    let condition = generate_vc(&mut program.pool, passive, &FxHashSet::default());
    let pool = &mut program.pool;
    let mut context = Context::new().expect("a context");
    let mut solver = Solver::new(&mut context, &[]).expect("a solver");
    let (entry, argument, value) = (
        pool.var(condition.entry()),
        pool.var(condition.ins[0]),
        pool.int(input),
    );
    let given = pool.eq(argument, value);
    for term in condition.clauses.iter().copied().chain([entry, given]) {
        let ast = context.term(pool, term).expect("a translation");
        solver.assert(&mut context, ast).expect("an assertion");
    }
    let outs: Vec<TermId> = condition.outs.iter().map(|&out| pool.var(out)).collect();
    let mut returned = Returned::new();
    while solver.check(&mut context, &[]).expect("a check") == CheckResult::Sat {
        let mut values = Vec::new();
        let mut another = Vec::new();
        for &out in &outs {
            let ast = context.term(pool, out).expect("a translation");
            let sort = pool.sort_of(out);
            let model = solver.model(&context).expect("a model");
            let lariat_term::Value::Int(found) = model.value(&mut context, pool, ast, sort).expect("a value")
            else {
                panic!("an integer");
            };
            let literal = pool.int(BigInt::clone(&found));
            let same = pool.eq(out, literal);
            another.push(pool.not(same));
            values.push(i64::try_from(found).expect("values are small"));
        }
        assert!(returned.insert(values), "a model is found twice");
        let another = pool.or(&another);
        let ast = context.term(pool, another).expect("a translation");
        solver.assert(&mut context, ast).expect("an assertion");
    }
    returned
}

#[test]
fn passive_forms_return_what_the_procedure_returns() {
    let (mut nothing, mut several) = (0, 0);
    for seed in 0..PROGRAMS {
        let text = procedure(&mut Random::new(seed));
        let mut program = read_program(&text);
        validate(&program, Stage::LoopFree).expect("it is well-formed");
        let main = program.proc_by_name("main").expect("a main");
        let mut interfaces = PrimaryMap::new();
        interfaces.push(Interface {
            live_params: vec![true],
            live_outs: vec![true, true],
            ..Interface::default()
        });
        for input in INPUTS {
            let expected = executed(&mut program, main, input);
            let passive = passify(&mut program, main, &interfaces, None, &EntitySet::new());
            let found = passive_returns(&mut program.pool, &passive, input);
            assert_eq!(found, expected, "seed {seed}, a = {input}\n{text}");
            if seed < SOLVED {
                let found = solved_returns(&mut program, passive, input);
                assert_eq!(found, expected, "the solver, seed {seed}, a = {input}\n{text}");
            }
            nothing += usize::from(expected.is_empty());
            several += usize::from(expected.len() > 1);
        }
    }
    let all = PROGRAMS as usize * INPUTS.len();
    assert!(
        nothing * 10 > all / 2 && several * 10 > all,
        "{nothing} of {all} return nothing, {several} several values"
    );
}
