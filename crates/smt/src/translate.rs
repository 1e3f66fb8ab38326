//! Terms of the pool as terms of Z3.

use std::ffi::CString;

use lariat_term::{BvOp, Op, QuantifierKind, SortId, TermId, TermPool, TheoryId, Value, VarId};
use num_bigint::BigInt;
use z3_sys::*;

use crate::context::{Ast, Context, Result, SolverError, TheoryDecl, TheoryEntry};
use crate::literals::literal_value;

#[allow(unsafe_code)]
impl Context {
    /// The constant that stands for a variable of the pool, the same one each time.
    pub fn var(&mut self, pool: &TermPool, var: VarId) -> Result<Ast> {
        if let Some(&ast) = self.vars.get(&var) {
            return Ok(ast);
        }
        let sort = self.sort(pool, pool.var_sort(var))?;
        let symbol = self.symbol(&format!("{}!{var}", pool.var_name(var)))?;
        // SAFETY: symbol and sort are of this context.
        let ast = unsafe { Z3_mk_const(self.raw, symbol, sort) };
        let ast = self.keep(ast)?;
        self.vars.insert(var, ast);
        Ok(ast)
    }

    /// The constant of a variable, if it was ever translated.
    pub fn known_var(&self, var: VarId) -> Option<Ast> {
        self.vars.get(&var).copied()
    }

    /// Translates a term whose variables all stand for themselves.
    pub fn term(&mut self, pool: &TermPool, root: TermId) -> Result<Ast> {
        if let Some(&ast) = self.terms.get(&root) {
            return Ok(ast);
        }
        let mut stack = vec![(root, false)];
        while let Some((term, expanded)) = stack.pop() {
            if self.terms.contains_key(&term) {
                continue;
            }
            if !expanded {
                stack.push((term, true));
                stack.extend(pool.children(term).into_iter().map(|child| (child, false)));
                continue;
            }
            let ast = self.node(pool, term, |context, child| Ok(context.terms[&child]))?;
            self.terms.insert(term, ast);
        }
        Ok(self.terms[&root])
    }

    /// Translates one node, given how to find the translation of its children.
    pub(crate) fn node(
        &mut self,
        pool: &TermPool,
        term: TermId,
        child: impl Fn(&Context, TermId) -> Result<Ast>,
    ) -> Result<Ast> {
        match pool.op(term) {
            Op::Var(var) => self.var(pool, var),
            Op::Quantifier(id) => {
                let quantifier = pool.quantifier(id);
                let bound = quantifier
                    .bound
                    .iter()
                    .map(|&var| self.var(pool, var))
                    .collect::<Result<Vec<_>>>()?;
                let body = child(self, quantifier.body)?;
                let triggers = quantifier
                    .triggers
                    .iter()
                    .map(|trigger| {
                        trigger
                            .iter()
                            .map(|&term| child(self, term))
                            .collect::<Result<Vec<_>>>()
                    })
                    .collect::<Result<Vec<_>>>()?;
                let no_patterns = quantifier
                    .no_patterns
                    .iter()
                    .map(|&term| child(self, term))
                    .collect::<Result<Vec<_>>>()?;
                let forall = quantifier.kind == QuantifierKind::Forall;
                self.quantifier(
                    forall,
                    quantifier.weight.unwrap_or(1),
                    &bound,
                    &triggers,
                    &no_patterns,
                    body,
                )
            }
            op => {
                let args = pool
                    .args(term)
                    .iter()
                    .map(|&arg| child(self, arg))
                    .collect::<Result<Vec<_>>>()?;
                let args = self.raws(&args);
                self.build(pool, op, &args, pool.sort_of(term))
            }
        }
    }

    pub(crate) fn quantifier(
        &mut self,
        forall: bool,
        weight: u32,
        bound: &[Ast],
        triggers: &[Vec<Ast>],
        no_patterns: &[Ast],
        body: Ast,
    ) -> Result<Ast> {
        let anonymous = self.fresh_symbol()?;
        // SAFETY: bound variables are constants of this context, so they are applications; all arrays
        // live until the call returns.
        let ast = unsafe {
            let bound = bound
                .iter()
                .map(|&var| Z3_to_app(self.raw, self.raw(var)).ok_or_else(|| self.error()))
                .collect::<Result<Vec<_>>>()?;
            let mut patterns = Vec::new();
            for trigger in triggers {
                let terms = self.raws(trigger);
                let pattern = Z3_mk_pattern(self.raw, terms.len() as u32, terms.as_ptr());
                let pattern = pattern.ok_or_else(|| self.error())?;
                // Nothing else holds the pattern until the quantifier does.
                let term = Z3_pattern_to_ast(self.raw, pattern);
                self.keep(term)?;
                patterns.push(pattern);
            }
            let no_patterns = if patterns.is_empty() {
                self.raws(no_patterns)
            } else {
                Vec::new()
            };
            let make = |patterns: &[_]| {
                Z3_mk_quantifier_const_ex(
                    self.raw,
                    forall,
                    weight,
                    anonymous,
                    anonymous,
                    bound.len() as u32,
                    bound.as_ptr(),
                    patterns.len() as u32,
                    patterns.as_ptr(),
                    no_patterns.len() as u32,
                    no_patterns.as_ptr(),
                    self.raw(body),
                )
            };
            // Values that were put in place of variables may be conditional, which Z3 refuses in patterns; it finds others.
            make(&patterns).or_else(|| make(&[]))
        };
        self.keep(ast)
    }

    /// Applies an operator of the pool to terms of Z3.
    pub(crate) fn build(&mut self, pool: &TermPool, op: Op, args: &[Z3_ast], sort: SortId) -> Result<Ast> {
        if let Some(value) = literal_value(pool, op, sort) {
            return self.literal(&value);
        }
        let c = self.raw;
        let n = args.len() as u32;
        // SAFETY: all terms, sorts and declarations are of this context; Z3 checks sorts and returns
        // null with an error code otherwise.
        let ast = unsafe {
            match op {
                Op::Bool(_)
                | Op::Int(_)
                | Op::Real(_)
                | Op::Bv(_)
                | Op::Float(_)
                | Op::RoundingMode(_)
                | Op::String(_)
                | Op::Var(_)
                | Op::Quantifier(_) => {
                    return Err(SolverError("a leaf or quantifier is not an operator".into()));
                }
                Op::Not => Z3_mk_not(c, args[0]),
                Op::And => Z3_mk_and(c, n, args.as_ptr()),
                Op::Or => Z3_mk_or(c, n, args.as_ptr()),
                Op::Eq => Z3_mk_eq(c, args[0], args[1]),
                Op::Distinct => Z3_mk_distinct(c, n, args.as_ptr()),
                Op::Ite => Z3_mk_ite(c, args[0], args[1], args[2]),
                Op::Add => Z3_mk_add(c, n, args.as_ptr()),
                Op::Mul => Z3_mk_mul(c, n, args.as_ptr()),
                Op::IntDiv | Op::RealDiv => Z3_mk_div(c, args[0], args[1]),
                Op::Mod => Z3_mk_mod(c, args[0], args[1]),
                Op::Pow => Z3_mk_power(c, args[0], args[1]),
                Op::Le => Z3_mk_le(c, args[0], args[1]),
                Op::Lt => Z3_mk_lt(c, args[0], args[1]),
                Op::ToReal => Z3_mk_int2real(c, args[0]),
                Op::ToInt => Z3_mk_real2int(c, args[0]),
                Op::Bv2(op) => return self.bit_vector(op, args),
                Op::Select => Z3_mk_select_n(c, args[0], n - 1, args[1..].as_ptr()),
                Op::Store => Z3_mk_store_n(c, args[0], n - 2, args[1..].as_ptr(), args[args.len() - 1]),
                Op::ConstArray(array) => return self.const_array(pool, array, args[0]),
                Op::Construct {
                    datatype,
                    constructor,
                } => {
                    self.sort(pool, sort)?;
                    let decl = self.datatypes[&datatype][constructor as usize].constructor;
                    Z3_mk_app(c, decl, n, args.as_ptr())
                }
                Op::Field {
                    datatype,
                    constructor,
                    field,
                } => {
                    let decl = self.datatypes[&datatype][constructor as usize].fields[field as usize];
                    Z3_mk_app(c, decl, n, args.as_ptr())
                }
                Op::Is {
                    datatype,
                    constructor,
                } => {
                    let decl = self.datatypes[&datatype][constructor as usize].tester;
                    Z3_mk_app(c, decl, n, args.as_ptr())
                }
                Op::Apply(function) => {
                    let decl = self.function(pool, function)?;
                    Z3_mk_app(c, decl, n, args.as_ptr())
                }
                Op::Theory(id) => {
                    let entry = self.theory_entry(pool, id)?;
                    match entry.decl {
                        TheoryDecl::Decl(decl) => Z3_mk_app(c, decl, n, args.as_ptr()),
                        TheoryDecl::Pattern { term } => {
                            Z3_substitute(c, term, n, entry.holders.as_ptr(), args.as_ptr())
                        }
                    }
                }
            }
        };
        self.keep(ast)
    }

    pub(crate) fn const_array(&mut self, pool: &TermPool, array: SortId, value: Z3_ast) -> Result<Ast> {
        let lariat_term::Sort::Array { indices, .. } = pool.sort(array) else {
            return Err(SolverError("a constant map without a map sort".into()));
        };
        if let [index] = **indices {
            let index = self.sort(pool, index)?;
            // SAFETY: objects of this context.
            let ast = unsafe { Z3_mk_const_array(self.raw, index, value) };
            return self.keep(ast);
        }
        // Z3's interface has no constant map of several indices, its language has.
        let sort = self.sort(pool, array)?;
        let holder = self.typed_holder(value)?;
        let whole = self.fresh_holder(sort)?;
        let formula = self.parse(
            "(assert (= ((as const SORT) a0) m))",
            &[("SORT", sort)],
            &[("a0", holder), ("m", whole)],
        )?;
        // SAFETY: `formula` is an equality whose first side holds `holder` once.
        let ast = unsafe {
            let app = Z3_to_app(self.raw, formula).ok_or_else(|| self.error())?;
            let array = Z3_get_app_arg(self.raw, app, 0).ok_or_else(|| self.error())?;
            Z3_substitute(self.raw, array, 1, &holder, &value)
        };
        self.keep(ast)
    }

    fn bit_vector(&mut self, op: BvOp, args: &[Z3_ast]) -> Result<Ast> {
        let c = self.raw;
        // SAFETY: all terms are of this context; Z3 checks sorts.
        let ast = unsafe {
            match op {
                BvOp::Concat => {
                    let mut term = args[0];
                    for &arg in &args[1..] {
                        term = Z3_mk_concat(c, term, arg).ok_or_else(|| self.error())?;
                    }
                    Some(term)
                }
                BvOp::Extract { hi, lo } => Z3_mk_extract(c, hi, lo, args[0]),
                BvOp::ZeroExtend(n) => Z3_mk_zero_ext(c, n, args[0]),
                BvOp::SignExtend(n) => Z3_mk_sign_ext(c, n, args[0]),
                BvOp::RotateLeft(n) => Z3_mk_rotate_left(c, n, args[0]),
                BvOp::RotateRight(n) => Z3_mk_rotate_right(c, n, args[0]),
                BvOp::Repeat(n) => Z3_mk_repeat(c, n, args[0]),
                BvOp::Not => Z3_mk_bvnot(c, args[0]),
                BvOp::Neg => Z3_mk_bvneg(c, args[0]),
                BvOp::And => Z3_mk_bvand(c, args[0], args[1]),
                BvOp::Or => Z3_mk_bvor(c, args[0], args[1]),
                BvOp::Xor => Z3_mk_bvxor(c, args[0], args[1]),
                BvOp::Nand => Z3_mk_bvnand(c, args[0], args[1]),
                BvOp::Nor => Z3_mk_bvnor(c, args[0], args[1]),
                BvOp::Xnor => Z3_mk_bvxnor(c, args[0], args[1]),
                BvOp::Add => Z3_mk_bvadd(c, args[0], args[1]),
                BvOp::Sub => Z3_mk_bvsub(c, args[0], args[1]),
                BvOp::Mul => Z3_mk_bvmul(c, args[0], args[1]),
                BvOp::Udiv => Z3_mk_bvudiv(c, args[0], args[1]),
                BvOp::Urem => Z3_mk_bvurem(c, args[0], args[1]),
                BvOp::Sdiv => Z3_mk_bvsdiv(c, args[0], args[1]),
                BvOp::Srem => Z3_mk_bvsrem(c, args[0], args[1]),
                BvOp::Smod => Z3_mk_bvsmod(c, args[0], args[1]),
                BvOp::Shl => Z3_mk_bvshl(c, args[0], args[1]),
                BvOp::Lshr => Z3_mk_bvlshr(c, args[0], args[1]),
                BvOp::Ashr => Z3_mk_bvashr(c, args[0], args[1]),
                BvOp::Ult => Z3_mk_bvult(c, args[0], args[1]),
                BvOp::Ule => Z3_mk_bvule(c, args[0], args[1]),
                BvOp::Slt => Z3_mk_bvslt(c, args[0], args[1]),
                BvOp::Sle => Z3_mk_bvsle(c, args[0], args[1]),
                BvOp::Comp => {
                    let equal = Z3_mk_eq(c, args[0], args[1]);
                    let equal = self.keep(equal)?;
                    let [zero, one] = [0, 1].map(|bit| {
                        self.literal(&Value::Bv {
                            value: BigInt::from(bit),
                            width: 1,
                        })
                    });
                    Z3_mk_ite(c, self.raw(equal), self.raw(one?), self.raw(zero?))
                }
                BvOp::FromInt(width) => Z3_mk_int2bv(c, width, args[0]),
                BvOp::ToNat => Z3_mk_bv2int(c, args[0], false),
                BvOp::ToInt => Z3_mk_bv2int(c, args[0], true),
            }
        };
        self.keep(ast)
    }

    /// A place-holder constant with the sort of a term.
    pub(crate) fn typed_holder(&mut self, like: Z3_ast) -> Result<Z3_ast> {
        // SAFETY: the term is of this context.
        let sort = unsafe { Z3_get_sort(self.raw, like) }.ok_or_else(|| self.error())?;
        self.fresh_holder(sort)
    }

    fn fresh_holder(&mut self, sort: Z3_sort) -> Result<Z3_ast> {
        let symbol = self.fresh_symbol()?;
        // SAFETY: objects of this context.
        let ast = unsafe { Z3_mk_const(self.raw, symbol, sort) };
        let ast = self.keep(ast)?;
        Ok(self.raw(ast))
    }

    /// Reads one `assert` command in which sorts and constants have the given names.
    fn parse(
        &mut self,
        command: &str,
        sorts: &[(&str, Z3_sort)],
        constants: &[(&str, Z3_ast)],
    ) -> Result<Z3_ast> {
        let sort_names = sorts
            .iter()
            .map(|(name, _)| self.symbol(name))
            .collect::<Result<Vec<_>>>()?;
        let sort_list: Vec<Z3_sort> = sorts.iter().map(|&(_, sort)| sort).collect();
        let names = constants
            .iter()
            .map(|(name, _)| self.symbol(name))
            .collect::<Result<Vec<_>>>()?;
        let command =
            CString::new(command).map_err(|_| SolverError("an operator holds a zero byte".into()))?;
        // SAFETY: constants are applications; all arrays live until the call returns.
        unsafe {
            let mut decls = Vec::new();
            for &(_, constant) in constants {
                let app = Z3_to_app(self.raw, constant).ok_or_else(|| self.error())?;
                decls.push(Z3_get_app_decl(self.raw, app).ok_or_else(|| self.error())?);
            }
            let vector = Z3_parse_smtlib2_string(
                self.raw,
                command.as_ptr(),
                sort_list.len() as u32,
                sort_names.as_ptr(),
                sort_list.as_ptr(),
                decls.len() as u32,
                names.as_ptr(),
                decls.as_ptr(),
            );
            self.check_error()?;
            let vector = vector.ok_or_else(|| self.error())?;
            Z3_ast_vector_inc_ref(self.raw, vector);
            let formula = if Z3_ast_vector_size(self.raw, vector) == 1 {
                let formula = Z3_ast_vector_get(self.raw, vector, 0);
                self.keep(formula)
            } else {
                Err(SolverError("one formula was expected".into()))
            };
            Z3_ast_vector_dec_ref(self.raw, vector);
            Ok(self.raw(formula?))
        }
    }

    /// Finds out what an SMT-LIB name means by letting Z3 read an application of it.
    pub(crate) fn theory_entry(&mut self, pool: &TermPool, id: TheoryId) -> Result<&TheoryEntry> {
        if !self.theory.contains_key(&id) {
            let op = pool.theory_op(id);
            let mut constants = Vec::new();
            for &sort in &op.args {
                let sort = self.sort(pool, sort)?;
                constants.push(self.fresh_holder(sort)?);
            }
            let result_sort = self.sort(pool, op.result)?;
            let result = self.fresh_holder(result_sort)?;
            let names: Vec<String> = (0..constants.len()).map(|i| format!("a{i}")).collect();
            let application = if names.is_empty() {
                op.name.clone()
            } else {
                format!("({} {})", op.name, names.join(" "))
            };
            let mut named: Vec<(&str, Z3_ast)> = names
                .iter()
                .map(String::as_str)
                .zip(constants.iter().copied())
                .collect();
            named.push(("result", result));
            let formula = self
                .parse(&format!("(assert (= {application} result))"), &[], &named)
                .map_err(|error| {
                    SolverError(format!(
                        "Z3 does not know the operator `{}` here: {}",
                        op.name, error.0
                    ))
                })?;
            // SAFETY: the formula is an equality, or for Booleans possibly rewritten; both sides are
            // looked at before use.
            let decl = unsafe {
                let app = Z3_to_app(self.raw, formula).ok_or_else(|| self.error())?;
                let term = Z3_get_app_arg(self.raw, app, 0).ok_or_else(|| self.error())?;
                let kept = self.keep(Some(term))?;
                let term = self.raw(kept);
                match self.plain_application(term, &constants) {
                    Some(decl) => TheoryDecl::Decl(decl),
                    None => TheoryDecl::Pattern { term },
                }
            };
            self.theory.insert(
                id,
                TheoryEntry {
                    decl,
                    holders: constants,
                },
            );
        }
        Ok(&self.theory[&id])
    }

    /// The declaration of a term that is an application to exactly these arguments.
    fn plain_application(&mut self, term: Z3_ast, args: &[Z3_ast]) -> Option<Z3_func_decl> {
        // SAFETY: the term is of this context and its kind is checked first.
        unsafe {
            if Z3_get_ast_kind(self.raw, term) != AstKind::App {
                return None;
            }
            let app = Z3_to_app(self.raw, term)?;
            let same = Z3_get_app_num_args(self.raw, app) as usize == args.len()
                && args
                    .iter()
                    .enumerate()
                    .all(|(i, &arg)| Z3_get_app_arg(self.raw, app, i as u32) == Some(arg));
            if !same {
                return None;
            }
            let decl = Z3_get_app_decl(self.raw, app)?;
            self.keep_decl(decl);
            Some(decl)
        }
    }
}
