//! Terms of Z3 as terms of the pool: for formulas that Z3 has made itself.
//!
//! Arithmetic, bit-vectors and maps have a way back; quantifiers, uninterpreted functions and operators
//! that only Z3 knows have none and are an error. The way back is not trusted: the user of its result
//! in a proof checks it again.

use lariat_term::{BvOp, Sort, SortId, TermId, TermPool, VarId};
use num_bigint::BigInt;
use num_rational::BigRational;
use rustc_hash::FxHashMap;
use z3_sys::*;

use crate::context::{Ast, Context, Result, SolverError, text};

/// Sorts of maps of maps deeper than this have no way back.
const MOST_NESTED_MAPS: u32 = 32;

fn no_way_back(what: impl Into<String>) -> SolverError {
    SolverError(format!("no way back from Z3: {}", what.into()))
}

#[allow(unsafe_code)]
impl Context {
    /// The term of the pool that a term of Z3 is; constants of Z3 are variables as `vars` says.
    pub fn back_translate(
        &self,
        pool: &mut TermPool,
        root: Ast,
        vars: &FxHashMap<Ast, VarId>,
    ) -> Result<TermId> {
        let vars: FxHashMap<Z3_ast, VarId> = vars.iter().map(|(&ast, &var)| (self.raw(ast), var)).collect();
        let root = self.raw(root);
        let mut done: FxHashMap<Z3_ast, TermId> = FxHashMap::default();
        let mut stack = vec![(root, false)];
        while let Some((ast, expanded)) = stack.pop() {
            if done.contains_key(&ast) {
                continue;
            }
            if let Some(&var) = vars.get(&ast) {
                done.insert(ast, pool.var(var));
                continue;
            }
            let args = self.arguments(ast)?;
            if !expanded {
                stack.push((ast, true));
                stack.extend(args.into_iter().map(|arg| (arg, false)));
                continue;
            }
            let args: Vec<TermId> = args.iter().map(|arg| done[arg]).collect();
            let term = self.back_node(pool, ast, &args)?;
            done.insert(ast, term);
        }
        Ok(done[&root])
    }

    fn arguments(&self, ast: Z3_ast) -> Result<Vec<Z3_ast>> {
        // SAFETY: the term is of this context and its kind is checked first.
        unsafe {
            match Z3_get_ast_kind(self.raw, ast) {
                AstKind::Numeral => Ok(Vec::new()),
                AstKind::App => {
                    let app = Z3_to_app(self.raw, ast).ok_or_else(|| self.error())?;
                    (0..Z3_get_app_num_args(self.raw, app))
                        .map(|index| Z3_get_app_arg(self.raw, app, index).ok_or_else(|| self.error()))
                        .collect()
                }
                AstKind::Quantifier => Err(no_way_back("a quantifier")),
                _ => Err(no_way_back("a bound variable or no term")),
            }
        }
    }

    fn back_node(&self, pool: &mut TermPool, ast: Z3_ast, args: &[TermId]) -> Result<TermId> {
        // SAFETY: the term is of this context.
        let sort = unsafe { Z3_get_sort(self.raw, ast) }.ok_or_else(|| self.error())?;
        let sort = self.back_sort(pool, sort, 0)?;
        // SAFETY: as above.
        if unsafe { Z3_get_ast_kind(self.raw, ast) } == AstKind::Numeral {
            return self.back_numeral(pool, ast, sort);
        }
        // SAFETY: what is neither a numeral nor refused by `arguments` is an application.
        let (decl, kind) = unsafe {
            let app = Z3_to_app(self.raw, ast).ok_or_else(|| self.error())?;
            let decl = Z3_get_app_decl(self.raw, app).ok_or_else(|| self.error())?;
            (decl, Z3_get_decl_kind(self.raw, decl))
        };
        let parameter = |index: u32| {
            // SAFETY: the declaration is of this context; these kinds have integer parameters.
            unsafe { Z3_get_decl_int_parameter(self.raw, decl, index) }.unsigned_abs()
        };
        if let Some(op) = bit_vector_op(kind, parameter) {
            return fold_bit_vectors(pool, op, args);
        }
        Ok(match (kind, args) {
            (DeclKind::True, _) => pool.bool(true),
            (DeclKind::False, _) => pool.bool(false),
            (DeclKind::Eq | DeclKind::Iff, &[a, b]) => pool.eq(a, b),
            (DeclKind::Xor, &[a, b]) => {
                let equal = pool.eq(a, b);
                pool.not(equal)
            }
            (DeclKind::Distinct, args) => pool.distinct(args),
            (DeclKind::Ite, &[condition, then, otherwise]) => pool.ite(condition, then, otherwise),
            (DeclKind::And, args) => pool.and(args),
            (DeclKind::Or, args) => pool.or(args),
            (DeclKind::Not, &[a]) => pool.not(a),
            (DeclKind::Implies, &[a, b]) => pool.implies(a, b),
            (DeclKind::Le, &[a, b]) | (DeclKind::Ge, &[b, a]) => pool.le(a, b),
            (DeclKind::Lt, &[a, b]) | (DeclKind::Gt, &[b, a]) => pool.lt(a, b),
            (DeclKind::Add, args) => pool.add(args),
            (DeclKind::Sub, &[first, ref rest @ ..]) => {
                rest.iter().fold(first, |sum, &term| pool.sub(sum, term))
            }
            (DeclKind::Uminus, &[a]) => pool.neg(a),
            (DeclKind::Mul, &[first, ref rest @ ..]) => {
                rest.iter().fold(first, |product, &term| pool.mul(product, term))
            }
            (DeclKind::Div, &[a, b]) => pool.real_div(a, b),
            (DeclKind::Idiv, &[a, b]) => pool.int_div(a, b),
            (DeclKind::Mod, &[a, b]) => pool.modulo(a, b),
            (DeclKind::ToReal, &[a]) => pool.to_real(a),
            (DeclKind::ToInt, &[a]) => pool.to_int(a),
            (DeclKind::IsInt, &[a]) => {
                let floor = pool.to_int(a);
                let floor = pool.to_real(floor);
                pool.eq(a, floor)
            }
            (DeclKind::Select, &[map, ref indices @ ..]) => pool.select(map, indices),
            (DeclKind::Store, &[map, ref indices @ .., value]) => pool.store(map, indices, value),
            (DeclKind::ConstArray, &[value]) => pool.const_array(sort, value),
            // Comparisons the other way round.
            (DeclKind::Ugeq, &[b, a]) => pool.bv_op(BvOp::Ule, &[a, b]),
            (DeclKind::Ugt, &[b, a]) => pool.bv_op(BvOp::Ult, &[a, b]),
            (DeclKind::Sgeq, &[b, a]) => pool.bv_op(BvOp::Sle, &[a, b]),
            (DeclKind::Sgt, &[b, a]) => pool.bv_op(BvOp::Slt, &[a, b]),
            (DeclKind::Bit2bool, &[a]) => {
                let bit = parameter(0);
                let bit = pool.bv_op(BvOp::Extract { hi: bit, lo: bit }, &[a]);
                let one = pool.bv(1, 1);
                pool.eq(bit, one)
            }
            _ => {
                // SAFETY: the text is copied at once.
                let name = unsafe { text(Z3_func_decl_to_string(self.raw, decl)) };
                return Err(no_way_back(name));
            }
        })
    }

    fn back_numeral(&self, pool: &mut TermPool, ast: Z3_ast, sort: SortId) -> Result<TermId> {
        // SAFETY: the term is a numeral of this context; the text is copied at once.
        let digits = unsafe { text(Z3_get_numeral_string(self.raw, ast)) };
        let parse = |digits: &str| {
            digits
                .parse::<BigInt>()
                .map_err(|_| no_way_back(format!("the number {digits}")))
        };
        let (numerator, denominator) = match digits.split_once('/') {
            Some((numerator, denominator)) => (parse(numerator)?, parse(denominator)?),
            None => (parse(&digits)?, BigInt::from(1)),
        };
        match pool.sort(sort) {
            Sort::Int => Ok(pool.int(numerator)),
            Sort::Real => Ok(pool.real(BigRational::new(numerator, denominator))),
            &Sort::Bv(width) => Ok(pool.bv(numerator, width)),
            _ => Err(no_way_back(format!("the number {digits}"))),
        }
    }

    fn back_sort(&self, pool: &mut TermPool, sort: Z3_sort, nesting: u32) -> Result<SortId> {
        // SAFETY: the sort is of this context; parts are asked for only where its kind has them.
        let sort = unsafe {
            match Z3_get_sort_kind(self.raw, sort) {
                SortKind::Bool => Sort::Bool,
                SortKind::Int => Sort::Int,
                SortKind::Real => Sort::Real,
                SortKind::Bv => Sort::Bv(Z3_get_bv_sort_size(self.raw, sort)),
                SortKind::Array if nesting < MOST_NESTED_MAPS => {
                    let mut indices = Vec::new();
                    for index in 0..Z3_get_array_arity(self.raw, sort) {
                        let index =
                            Z3_get_array_sort_domain_n(self.raw, sort, index).ok_or_else(|| self.error())?;
                        indices.push(self.back_sort(pool, index, nesting + 1)?);
                    }
                    let element = Z3_get_array_sort_range(self.raw, sort).ok_or_else(|| self.error())?;
                    let element = self.back_sort(pool, element, nesting + 1)?;
                    Sort::Array {
                        indices: indices.into(),
                        element,
                    }
                }
                _ => {
                    let ast = Z3_sort_to_ast(self.raw, sort).ok_or_else(|| self.error())?;
                    return Err(no_way_back(format!(
                        "the sort {}",
                        text(Z3_ast_to_string(self.raw, ast))
                    )));
                }
            }
        };
        Ok(pool.sort_id(sort))
    }
}

/// The operators that are the same in the pool, given how to find the declaration's parameters.
fn bit_vector_op(kind: DeclKind, parameter: impl Fn(u32) -> u32) -> Option<BvOp> {
    Some(match kind {
        DeclKind::Concat => BvOp::Concat,
        DeclKind::Extract => BvOp::Extract {
            hi: parameter(0),
            lo: parameter(1),
        },
        DeclKind::ZeroExt => BvOp::ZeroExtend(parameter(0)),
        DeclKind::SignExt => BvOp::SignExtend(parameter(0)),
        DeclKind::RotateLeft => BvOp::RotateLeft(parameter(0)),
        DeclKind::RotateRight => BvOp::RotateRight(parameter(0)),
        DeclKind::Repeat => BvOp::Repeat(parameter(0)),
        DeclKind::Int2bv => BvOp::FromInt(parameter(0)),
        DeclKind::Bv2int => BvOp::ToNat,
        DeclKind::Sbv2int => BvOp::ToInt,
        DeclKind::Bnot => BvOp::Not,
        DeclKind::Bneg => BvOp::Neg,
        DeclKind::Band => BvOp::And,
        DeclKind::Bor => BvOp::Or,
        DeclKind::Bxor => BvOp::Xor,
        DeclKind::Bnand => BvOp::Nand,
        DeclKind::Bnor => BvOp::Nor,
        DeclKind::Bxnor => BvOp::Xnor,
        DeclKind::Badd => BvOp::Add,
        DeclKind::Bsub => BvOp::Sub,
        DeclKind::Bmul => BvOp::Mul,
        // With a divisor that is not zero, or SMT-LIB's meaning where it is.
        DeclKind::Budiv | DeclKind::BudivI => BvOp::Udiv,
        DeclKind::Burem | DeclKind::BuremI => BvOp::Urem,
        DeclKind::Bsdiv | DeclKind::BsdivI => BvOp::Sdiv,
        DeclKind::Bsrem | DeclKind::BsremI => BvOp::Srem,
        DeclKind::Bsmod | DeclKind::BsmodI => BvOp::Smod,
        DeclKind::Bshl => BvOp::Shl,
        DeclKind::Blshr => BvOp::Lshr,
        DeclKind::Bashr => BvOp::Ashr,
        DeclKind::Ult => BvOp::Ult,
        DeclKind::Uleq => BvOp::Ule,
        DeclKind::Slt => BvOp::Slt,
        DeclKind::Sleq => BvOp::Sle,
        DeclKind::Bcomp => BvOp::Comp,
        _ => return None,
    })
}

/// Z3 has some operators with any number of arguments; all of those are associative.
fn fold_bit_vectors(pool: &mut TermPool, op: BvOp, args: &[TermId]) -> Result<TermId> {
    let associative = matches!(
        op,
        BvOp::Concat | BvOp::And | BvOp::Or | BvOp::Xor | BvOp::Add | BvOp::Mul
    );
    match *args {
        [first, ref rest @ ..] if rest.len() > 1 && associative => Ok(rest
            .iter()
            .fold(first, |folded, &term| pool.bv_op(op, &[folded, term]))),
        [_] | [_, _] => Ok(pool.bv_op(op, args)),
        _ => Err(no_way_back(format!("{op:?} of {} terms", args.len()))),
    }
}
