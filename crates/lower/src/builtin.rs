//! Functions with `{:builtin "…"}` or `{:bvbuiltin "…"}`: operators of SMT-LIB.
//!
//! An operator that the pool knows becomes its term; every other name is left to the solver as a
//! theory operator. So is a known name whose arguments have unexpected sorts.

use lariat_term::{BvOp, RoundingMode, Sort, SortId, TermId, TermPool};

use crate::expr::Terms;
use crate::lowering::Lowering;

/// Indices above this are left to the solver, so that folding literals cannot take all memory.
const MAX_INDEX: u32 = 1 << 20;

impl Lowering<'_> {
    pub(crate) fn apply_builtin(&mut self, name: &str, args: &[TermId], result: SortId) -> TermId {
        let pool = &mut self.ir.pool;
        let (name, args) = split_rounding_mode(pool, name, args);
        match known_operator(pool, &name, &args, result) {
            Some(term) if pool.sort_of(term) == result => term,
            _ => pool.theory(name, &args, result),
        }
    }
}

/// `fp.add RNE` has its rounding mode in the name; it is the first argument of the operator.
fn split_rounding_mode(pool: &mut TermPool, name: &str, args: &[TermId]) -> (String, Terms) {
    let name = name.trim();
    let mut all = Terms::new();
    let operator = match name.rsplit_once(' ') {
        Some((operator, mode)) => match rounding_mode(mode) {
            Some(mode) => {
                all.push(pool.rounding_mode(mode));
                operator.trim()
            }
            None => name,
        },
        None => name,
    };
    all.extend_from_slice(args);
    (operator.to_string(), all)
}

fn rounding_mode(name: &str) -> Option<RoundingMode> {
    Some(match name {
        "RNE" | "roundNearestTiesToEven" => RoundingMode::NearestEven,
        "RNA" | "roundNearestTiesToAway" => RoundingMode::NearestAway,
        "RTP" | "roundTowardPositive" => RoundingMode::TowardPositive,
        "RTN" | "roundTowardNegative" => RoundingMode::TowardNegative,
        "RTZ" | "roundTowardZero" => RoundingMode::TowardZero,
        _ => return None,
    })
}

fn known_operator(pool: &mut TermPool, name: &str, args: &[TermId], result: SortId) -> Option<TermId> {
    let sorts: Vec<Sort> = args
        .iter()
        .map(|&arg| pool.sort(pool.sort_of(arg)).clone())
        .collect();
    if let Some(term) = bv_operator(pool, name, args, &sorts) {
        return Some(term);
    }
    if let Some(term) = map_operator(pool, name, args, &sorts, result) {
        return Some(term);
    }
    let all = |expected: &[Sort]| {
        !sorts.is_empty()
            && sorts
                .iter()
                .all(|sort| *sort == sorts[0] && expected.contains(sort))
    };
    if all(&[Sort::Bool]) {
        return match (name, args) {
            ("and", _) => Some(pool.and(args)),
            ("or", _) => Some(pool.or(args)),
            ("not", &[a]) => Some(pool.not(a)),
            ("=>" | "implies", &[a, b]) => Some(pool.implies(a, b)),
            ("xor" | "distinct", &[a, b]) => {
                let eq = pool.eq(a, b);
                Some(pool.not(eq))
            }
            ("=" | "iff", &[a, b]) => Some(pool.eq(a, b)),
            ("ite", &[a, b, c]) => Some(pool.ite(a, b, c)),
            _ => None,
        };
    }
    if all(&[Sort::Int, Sort::Real])
        && let Some(term) = arithmetic_operator(pool, name, args, &sorts[0])
    {
        return Some(term);
    }
    match (name, args) {
        ("=", &[a, b]) if sorts[0] == sorts[1] => Some(pool.eq(a, b)),
        ("distinct", _) if sorts.iter().all(|sort| *sort == sorts[0]) => Some(pool.distinct(args)),
        ("ite", &[condition, a, b]) if sorts[0] == Sort::Bool && sorts[1] == sorts[2] => {
            Some(pool.ite(condition, a, b))
        }
        _ => None,
    }
}

/// All arguments are `Int`, or all are `Real`.
fn arithmetic_operator(pool: &mut TermPool, name: &str, args: &[TermId], sort: &Sort) -> Option<TermId> {
    let is_int = *sort == Sort::Int;
    Some(match (name, args) {
        ("+", _) => pool.add(args),
        ("-", &[a]) => pool.neg(a),
        ("-", &[a, b]) => pool.sub(a, b),
        ("*", &[a, b]) => pool.mul(a, b),
        ("div", &[a, b]) if is_int => pool.int_div(a, b),
        ("mod", &[a, b]) if is_int => pool.modulo(a, b),
        // Z3's `rem` has the sign of the divisor.
        ("rem", &[a, b]) if is_int => {
            let modulo = pool.modulo(a, b);
            let negative = pool.neg(modulo);
            let zero = pool.int(0);
            let not_negative = pool.le(zero, b);
            pool.ite(not_negative, modulo, negative)
        }
        ("/", &[a, b]) => {
            let (a, b) = if is_int {
                (pool.to_real(a), pool.to_real(b))
            } else {
                (a, b)
            };
            pool.real_div(a, b)
        }
        ("^", &[a, b]) => pool.pow(a, b),
        ("abs", &[a]) => {
            let negative = pool.neg(a);
            let zero = pool.sub(a, a);
            let not_negative = pool.le(zero, a);
            pool.ite(not_negative, a, negative)
        }
        ("<", &[a, b]) => pool.lt(a, b),
        ("<=", &[a, b]) => pool.le(a, b),
        (">", &[a, b]) => pool.lt(b, a),
        (">=", &[a, b]) => pool.le(b, a),
        ("=", &[a, b]) => pool.eq(a, b),
        ("to_real", &[a]) if is_int => pool.to_real(a),
        ("to_int", &[a]) if !is_int => pool.to_int(a),
        ("is_int", &[a]) if !is_int => {
            let floor = pool.to_int(a);
            let back = pool.to_real(floor);
            pool.eq(a, back)
        }
        _ => return None,
    })
}

fn map_operator(
    pool: &mut TermPool,
    name: &str,
    args: &[TermId],
    sorts: &[Sort],
    result: SortId,
) -> Option<TermId> {
    if matches!(name, "MapConst" | "const") || name.starts_with("(as const") {
        let &[value] = args else { return None };
        return match pool.sort(result) {
            Sort::Array { element, .. } if *element == pool.sort_of(value) => {
                Some(pool.const_array(result, value))
            }
            _ => None,
        };
    }
    if let Some(operator) = name.strip_prefix("Map") {
        let element_sorts: Option<Vec<SortId>> = sorts
            .iter()
            .map(|sort| match sort {
                Sort::Array { element, .. } => Some(*element),
                _ => None,
            })
            .collect();
        return pointwise_operator(pool, operator, &element_sorts?)
            .map(|operator| pool.theory(operator, args, result));
    }
    let Some(Sort::Array { indices, element }) = sorts.first() else {
        return None;
    };
    let fits = |given: &[TermId], pool: &TermPool| {
        given.len() == indices.len()
            && given
                .iter()
                .zip(indices.iter())
                .all(|(&arg, &sort)| pool.sort_of(arg) == sort)
    };
    match name {
        "select" if fits(&args[1..], pool) => Some(pool.select(args[0], &args[1..])),
        "store" if args.len() >= 3 => {
            let (given, value) = (&args[1..args.len() - 1], args[args.len() - 1]);
            (fits(given, pool) && pool.sort_of(value) == *element).then(|| pool.store(args[0], given, value))
        }
        _ => None,
    }
}

/// Z3's map combinator for Boogie's `MapAdd`, `MapAnd`, ….
fn pointwise_operator(pool: &TermPool, operator: &str, elements: &[SortId]) -> Option<String> {
    let plain = match operator {
        "And" => "and",
        "Or" => "or",
        "Not" => "not",
        "Imp" => "=>",
        "Add" => "+",
        "Sub" => "-",
        "Mul" => "*",
        "Div" => "div",
        "Mod" => "mod",
        "Eq" | "Iff" => "=",
        "Gt" => ">",
        "Ge" => ">=",
        "Lt" => "<",
        "Le" => "<=",
        "Ite" => "ite",
        _ => return None,
    };
    if matches!(plain, "and" | "or" | "not" | "=>") {
        return Some(format!("(_ map {plain})"));
    }
    let args: Vec<String> = elements.iter().map(|&sort| pool.sort_text(sort)).collect();
    let result = match plain {
        "=" | ">" | ">=" | "<" | "<=" => "Bool".to_string(),
        _ => args.last()?.clone(),
    };
    Some(format!("(_ map ({plain} ({}) {result}))", args.join(" ")))
}

fn bv_operator(pool: &mut TermPool, name: &str, args: &[TermId], sorts: &[Sort]) -> Option<TermId> {
    let tokens: Vec<&str> = name
        .split([' ', '(', ')'])
        .filter(|token| !token.is_empty() && *token != "_")
        .collect();
    let (&operator, indices) = tokens.split_first()?;
    let indices: Vec<u32> = indices
        .iter()
        .map(|index| index.parse().ok())
        .collect::<Option<_>>()?;
    if let (&[arg], [Sort::Int]) = (args, sorts) {
        return match (operator, indices.as_slice()) {
            ("int2bv" | "nat2bv" | "int_to_bv", &[width]) if (1..=MAX_INDEX).contains(&width) => {
                Some(pool.bv_op(BvOp::FromInt(width), &[arg]))
            }
            _ => None,
        };
    }
    let widths: Vec<u32> = sorts
        .iter()
        .map(|sort| match sort {
            Sort::Bv(width) => Some(*width),
            _ => None,
        })
        .collect::<Option<_>>()?;
    let equal_widths = widths.iter().all(|&width| width == widths[0]);
    let result = match (operator, indices.as_slice(), args) {
        ("concat", [], &[a, b]) => return Some(pool.bv_op(BvOp::Concat, &[a, b])),
        ("extract", &[hi, lo], &[a]) if lo <= hi && hi < widths[0] => {
            pool.bv_op(BvOp::Extract { hi, lo }, &[a])
        }
        ("zero_extend", &[n], &[a]) if n <= MAX_INDEX => pool.bv_op(BvOp::ZeroExtend(n), &[a]),
        ("sign_extend", &[n], &[a]) if n <= MAX_INDEX => pool.bv_op(BvOp::SignExtend(n), &[a]),
        ("rotate_left", &[n], &[a]) => pool.bv_op(BvOp::RotateLeft(n), &[a]),
        ("rotate_right", &[n], &[a]) => pool.bv_op(BvOp::RotateRight(n), &[a]),
        ("repeat", &[n], &[a]) if (1..=1_024).contains(&n) => pool.bv_op(BvOp::Repeat(n), &[a]),
        ("bvnot", [], &[a]) => pool.bv_op(BvOp::Not, &[a]),
        ("bvneg", [], &[a]) => pool.bv_op(BvOp::Neg, &[a]),
        ("bv2int" | "bv2nat" | "ubv2int" | "ubv_to_int", [], &[a]) => pool.bv_op(BvOp::ToNat, &[a]),
        ("sbv2int" | "sbv_to_int", [], &[a]) => pool.bv_op(BvOp::ToInt, &[a]),
        (_, [], &[a, b]) if equal_widths => return bv_binary(pool, operator, a, b),
        _ => return None,
    };
    Some(result)
}

fn bv_binary(pool: &mut TermPool, operator: &str, a: TermId, b: TermId) -> Option<TermId> {
    let (op, a, b) = match operator {
        "bvand" => (BvOp::And, a, b),
        "bvor" => (BvOp::Or, a, b),
        "bvxor" => (BvOp::Xor, a, b),
        "bvnand" => (BvOp::Nand, a, b),
        "bvnor" => (BvOp::Nor, a, b),
        "bvxnor" => (BvOp::Xnor, a, b),
        "bvadd" => (BvOp::Add, a, b),
        "bvsub" => (BvOp::Sub, a, b),
        "bvmul" => (BvOp::Mul, a, b),
        "bvudiv" => (BvOp::Udiv, a, b),
        "bvurem" => (BvOp::Urem, a, b),
        "bvsdiv" => (BvOp::Sdiv, a, b),
        "bvsrem" => (BvOp::Srem, a, b),
        "bvsmod" => (BvOp::Smod, a, b),
        "bvshl" => (BvOp::Shl, a, b),
        "bvlshr" => (BvOp::Lshr, a, b),
        "bvashr" => (BvOp::Ashr, a, b),
        "bvult" => (BvOp::Ult, a, b),
        "bvule" => (BvOp::Ule, a, b),
        "bvslt" => (BvOp::Slt, a, b),
        "bvsle" => (BvOp::Sle, a, b),
        "bvugt" => (BvOp::Ult, b, a),
        "bvuge" => (BvOp::Ule, b, a),
        "bvsgt" => (BvOp::Slt, b, a),
        "bvsge" => (BvOp::Sle, b, a),
        "bvcomp" => (BvOp::Comp, a, b),
        "=" => return Some(pool.eq(a, b)),
        _ => return None,
    };
    Some(pool.bv_op(op, &[a, b]))
}
