use lariat_base::Budget;
use lariat_ir::Program;
use lariat_term::{FunId, Value};
use lariat_testkit::boogie;
use num_bigint::BigInt;

use super::Interpretation;

fn interpretation(text: &str) -> (Program, Interpretation) {
    let text = format!("{text}\nprocedure main() {{ assert false; }}");
    let program = boogie::program(&text);
    let interpretation = Interpretation::of_axioms(&program, &Budget::unlimited());
    (program, interpretation)
}

fn function(program: &Program, name: &str) -> FunId {
    let mut functions = program.pool.functions();
    let found = functions.find(|(_, function)| &*function.name == name);
    found.expect("a function of this name").0
}

fn value(program: &Program, interpretation: &Interpretation, name: &str, args: &[i64]) -> Option<Value> {
    let args: Vec<Value> = args.iter().map(|&arg| Value::Int(BigInt::from(arg))).collect();
    interpretation.value(function(program, name), &args)
}

const FLAGS: &str = "
function both(a: int, b: int): int;
function any(a: int, b: int): int;
function flip(a: int): int;
function single(a: int): bool;
axiom (forall x: int :: {both(x, x)} both(x, x) == x);
axiom (forall x: int :: {both(0, x)} both(0, x) == 0);
axiom (forall x: int :: {any(x, 0)} any(x, 0) == x);
axiom (forall x, y, z: int :: {any(x, any(y, z))} any(x, any(y, z)) == any(any(x, y), z));
axiom (forall x: int :: {single(x)} x == 0 || x == 1 || x == 2 || x == 4 || x == 8 || x == 2147483648 || x == NEGATIVE ==> single(x));
axiom (forall x, y: int :: {both(x, y)} single(x) && single(y) && x != y ==> both(x, y) == 0);
axiom (forall x, y, z: int :: {both(any(x, y), z)} y == z ==> both(any(x, y), z) == y);
axiom (forall x, y, z: int :: {both(both(x, flip(y)), z)}
    (y != z && single(y) && single(z) ==> both(both(x, flip(y)), z) == both(x, z)) &&
    (y == z ==> both(both(x, flip(y)), z) == 0));
";

#[test]
fn functions_of_bits_are_recognised_by_their_axioms() {
    let (program, found) = interpretation(&FLAGS.replace("NEGATIVE", "16"));
    let int = |value: i64| Some(Value::Int(BigInt::from(value)));
    assert_eq!(value(&program, &found, "both", &[-1, 12]), int(12));
    assert_eq!(value(&program, &found, "both", &[6, 12]), int(4));
    assert_eq!(value(&program, &found, "any", &[6, 12]), int(14));
    assert_eq!(value(&program, &found, "flip", &[6]), int(-7));
    assert_eq!(value(&program, &found, "single", &[6]), Some(Value::Bool(false)));
    assert_eq!(value(&program, &found, "single", &[8]), Some(Value::Bool(true)));
    assert!(program.axioms.iter().all(|axiom| found.satisfies(axiom.term)));
}

/// In two's complement 2^31 and -2^31 share a bit, and the axioms say that they share none.
#[test]
fn a_negative_power_of_two_may_have_a_bit_of_its_own() {
    let (program, found) = interpretation(&FLAGS.replace("NEGATIVE", "-2147483648"));
    let int = |value: i64| Some(Value::Int(BigInt::from(value)));
    assert_eq!(
        value(&program, &found, "both", &[2147483648, -2147483648]),
        int(0)
    );
    assert_eq!(
        value(&program, &found, "both", &[-1, -2147483648]),
        int(-2147483648)
    );
    assert_eq!(value(&program, &found, "both", &[5, -2147483648]), int(0));
    assert_eq!(value(&program, &found, "both", &[6, 12]), int(4));
}

#[test]
fn axioms_that_no_standard_function_satisfies_are_not_interpreted() {
    let (_, none) = interpretation(
        "function f(x: int): int; axiom (forall x: int :: {f(x)} f(x) > f(x + 1) && f(x) >= 0);",
    );
    assert!(none.is_empty());
    // 1 and 3 share a bit.
    let text = FLAGS.replace("NEGATIVE", "3");
    assert!(interpretation(&text).1.is_empty());
}

#[test]
fn orders_and_shifts_are_recognised() {
    let (program, found) = interpretation(
        "function below(x: int, y: int): bool; function twice(x: int, n: int): int;
         axiom (forall x, y, z: int :: {below(x, y), below(y, z)} below(x, y) && below(y, z) ==> below(x, z));
         axiom (forall x: int :: {below(x, x)} !below(x, x));
         axiom (forall x, y: int :: {below(x, y)} x != y ==> below(x, y) || below(y, x));
         axiom (forall x: int :: {twice(x, 0)} twice(x, 0) == x);
         axiom (forall x: int :: {twice(x, 3)} twice(x, 3) == 8 * x);",
    );
    assert_eq!(value(&program, &found, "below", &[1, 2]), Some(Value::Bool(true)));
    assert_eq!(
        value(&program, &found, "below", &[2, 2]),
        Some(Value::Bool(false))
    );
    assert_eq!(
        value(&program, &found, "twice", &[-3, 2]),
        Some(Value::Int(BigInt::from(-12)))
    );
}
