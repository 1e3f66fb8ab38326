//! Literals in both directions of the translation.

use std::ffi::CString;

use lariat_term::{Op, RoundingMode, Sort, SortId, TermPool, Value};
use z3_sys::*;

use crate::context::{Ast, Context, Result, SolverError};

/// The value of an operator that is a literal of the given sort.
pub(crate) fn literal_value(pool: &TermPool, op: Op, sort: SortId) -> Option<Value> {
    let whole = |id| pool.number(id).numer().clone();
    Some(match (op, pool.sort(sort)) {
        (Op::Bool(value), _) => Value::Bool(value),
        (Op::Int(id), _) => Value::Int(whole(id)),
        (Op::Real(id), _) => Value::Real(pool.number(id).clone()),
        (Op::Bv(id), Sort::Bv(width)) => Value::Bv {
            value: whole(id),
            width: *width,
        },
        (
            Op::Float(id),
            Sort::Float {
                significand,
                exponent,
            },
        ) => Value::Float {
            bits: whole(id),
            significand: *significand,
            exponent: *exponent,
        },
        (Op::RoundingMode(mode), _) => Value::RoundingMode(mode),
        (Op::String(id), _) => Value::String(pool.string_text(id).clone()),
        _ => return None,
    })
}

#[allow(unsafe_code)]
impl Context {
    /// The term of a value that is a literal: no map, datatype value or element.
    pub(crate) fn literal(&mut self, value: &Value) -> Result<Ast> {
        let c = self.raw;
        // SAFETY: plain constructions in this context.
        let ast = unsafe {
            match value {
                Value::Bool(true) => Z3_mk_true(c),
                Value::Bool(false) => Z3_mk_false(c),
                Value::Int(value) => self.numeral(value.to_string(), Z3_mk_int_sort(c))?,
                Value::Real(value) => {
                    self.numeral(format!("{}/{}", value.numer(), value.denom()), Z3_mk_real_sort(c))?
                }
                Value::Bv { value, width } => self.numeral(value.to_string(), Z3_mk_bv_sort(c, *width))?,
                Value::Float {
                    bits,
                    significand,
                    exponent,
                } => {
                    let bits = self.numeral(bits.to_string(), Z3_mk_bv_sort(c, significand + exponent))?;
                    let bits = self.keep(bits)?;
                    let sort = Z3_mk_fpa_sort(c, *exponent, *significand).ok_or_else(|| self.error())?;
                    Z3_mk_fpa_to_fp_bv(c, self.raw(bits), sort)
                }
                Value::RoundingMode(mode) => match mode {
                    RoundingMode::NearestEven => Z3_mk_fpa_rne(c),
                    RoundingMode::NearestAway => Z3_mk_fpa_rna(c),
                    RoundingMode::TowardPositive => Z3_mk_fpa_rtp(c),
                    RoundingMode::TowardNegative => Z3_mk_fpa_rtn(c),
                    RoundingMode::TowardZero => Z3_mk_fpa_rtz(c),
                },
                Value::String(text) => {
                    let chars: Vec<u32> = text.chars().map(u32::from).collect();
                    Z3_mk_u32string(c, chars.len() as u32, chars.as_ptr())
                }
                Value::Map(_) | Value::Datatype { .. } | Value::Element { .. } => {
                    return Err(SolverError("this value is not a literal".into()));
                }
            }
        };
        self.keep(ast)
    }

    fn numeral(&self, digits: String, sort: Option<Z3_sort>) -> Result<Option<Z3_ast>> {
        let sort = sort.ok_or_else(|| self.error())?;
        let digits = CString::new(digits).map_err(|_| SolverError("a numeral holds a zero byte".into()))?;
        // SAFETY: the string outlives the call.
        Ok(unsafe { Z3_mk_numeral(self.raw, digits.as_ptr(), sort) })
    }
}
