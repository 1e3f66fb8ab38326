//! What a success rests on: checks that were not asked for, and what is taken for granted of the environment.

use lariat_c_lower::Lowered;
use lariat_c_program::{
    CProgram, Expr, ExprKind, Node, Place, PlaceKind, Purpose, Scalar, Type, Types, visit_stmt,
};
use lariat_report::{COptions, Check, Externals};

pub(super) fn assumptions(c: &COptions, program: &CProgram, lowered: &Lowered) -> Vec<String> {
    let has_externals = !lowered.externals.is_empty();
    let mut found = Vec::new();
    let memory: Vec<&str> = Check::MEMORY
        .into_iter()
        .filter(|&check| !c.checks(check))
        .map(Check::name)
        .collect();
    if !memory.is_empty() {
        found.push(format!(
            "memory is used correctly (not checked: {})",
            memory.join(", ")
        ));
    }
    if !c.checks(Check::DivByZero) {
        found.push("nothing is divided by zero (not checked: div-by-zero)".to_owned());
    }
    let has_function = |name: &str| {
        let mut functions = program.functions.values();
        functions.any(|function| &*function.name == name)
    };
    if !c.malloc_may_fail && ["malloc", "calloc", "realloc"].into_iter().any(has_function) {
        found.push("memory does not run out (--malloc-may-fail)".to_owned());
    }
    if has_externals && c.externals == Externals::Pure {
        let text = "functions without a body use memory correctly and change no variable of the program except \
                    through their pointer arguments (--externals havoc)";
        found.push(text.to_owned());
    }
    if has_externals && c.externals == Externals::Havoc {
        let text = "functions without a body use memory correctly and call no function of the program that they are not \
                    given";
        found.push(text.to_owned());
    }
    if has_externals && c.checks(Check::Null) {
        let text = "functions without a body return null or an address outside of the first page (leave `null` out of \
                    --check)";
        found.push(text.to_owned());
    }
    if !program.weak_symbols.is_empty() {
        let names: Vec<&str> = program.weak_symbols.iter().map(|(name, _)| &**name).collect();
        found.push(format!(
            "weak symbols that no file defines are absent: {}",
            names.join(", ")
        ));
    }
    if !program.weak_definitions.is_empty() {
        found.push(format!(
            "no other file defines what is defined as weak here: {}",
            program.weak_definitions.join(", ")
        ));
    }
    let has_threads = program
        .functions
        .values()
        .any(|function| &*function.name == "__lariat_thread");
    if has_threads {
        found.push("memory is sequentially consistent, and creating a thread does not fail".to_owned());
    }
    if !program.volatile_places.is_empty() {
        found.push("volatile objects that the program defines are changed only by the program".to_owned());
    }
    if lowered.names.has_real_functions {
        found.push("functions of `math.h` return what those of this machine return".to_owned());
    }
    let habits = habits(program);
    if habits.numbers_of_addresses {
        found.push("objects are where Lariat puts them: the program makes numbers of addresses".to_owned());
    }
    if habits.points_into_members && c.checks(Check::Bounds) {
        let text = "a pointer into an array that is a member of a record stays in that member (its bounds are those of \
                    the whole object)";
        found.push(text.to_owned());
    }
    found
}

/// What the program's own functions do with addresses.
#[derive(Default)]
struct Habits {
    /// They convert an address to a number, not to convert it back at once.
    numbers_of_addresses: bool,
    /// They take the address of an array, or of its elements, next to which its record has other members.
    points_into_members: bool,
}

fn habits(program: &CProgram) -> Habits {
    let mut found = Habits::default();
    let types = &program.types;
    let is_pointer = |expr: &Expr| types.scalar(expr.ty) == Some(Scalar::Pointer);
    for function in program.functions.values() {
        let Some(body) = function
            .body
            .as_ref()
            .filter(|_| function.purpose == Purpose::User)
        else {
            continue;
        };
        let (mut made, mut undone) = (0, 0);
        visit_stmt(body, &mut |node| {
            let Node::Expr(expr) = node else { return };
            match &expr.kind {
                ExprKind::Convert(operand) => {
                    let is_number =
                        matches!(types.scalar(expr.ty), Some(Scalar::Int { .. } | Scalar::Float(_)));
                    made += usize::from(is_number && is_pointer(operand));
                    let is_back = matches!(&operand.kind, ExprKind::Convert(inner) if is_pointer(inner));
                    undone += usize::from(is_back && is_pointer(expr) && !is_pointer(operand));
                }
                ExprKind::AddressOf(place) => found.points_into_members |= is_in_member(types, place),
                _ => {}
            }
        });
        found.numbers_of_addresses |= made > undone;
    }
    found
}

/// Whether a place is, or is an element of, an array that is a member of a record with others.
fn is_in_member(types: &Types, place: &Place) -> bool {
    match &place.kind {
        PlaceKind::Index { base, .. } => is_in_member(types, base),
        PlaceKind::Member { record, .. } => {
            matches!(types.get(place.ty), Type::Array { .. }) && types.records[*record].fields.len() > 1
        }
        _ => false,
    }
}
