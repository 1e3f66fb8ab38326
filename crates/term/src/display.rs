//! Terms as SMT-LIB text. Shared subterms are bound by `let`, so the text is never
//! exponentially longer than the term.

use std::fmt::Write as _;

use num_traits::Signed;
use rustc_hash::FxHashMap;

use crate::op::{BvOp, Op, QuantifierKind, RoundingMode};
use crate::pool::{TermId, TermPool};
use crate::sort::{Sort, SortId};

/// Subterms of at least this depth that occur twice are bound by `let`.
const SHARE_DEPTH: u32 = 3;

impl TermPool {
    pub fn sort_text(&self, sort: SortId) -> String {
        match self.sort(sort) {
            Sort::Bool => "Bool".into(),
            Sort::Int => "Int".into(),
            Sort::Real => "Real".into(),
            Sort::Bv(width) => format!("(_ BitVec {width})"),
            Sort::Float {
                significand,
                exponent,
            } => format!("(_ FloatingPoint {exponent} {significand})"),
            Sort::RoundingMode => "RoundingMode".into(),
            Sort::String => "String".into(),
            Sort::RegLan => "RegLan".into(),
            Sort::Array { indices, element } => {
                let mut text = "(Array".to_string();
                for &index in indices.iter().chain([element]) {
                    text.push(' ');
                    text.push_str(&self.sort_text(index));
                }
                text.push(')');
                text
            }
            Sort::Datatype(id) => symbol(&self.datatype(*id).name),
            Sort::Uninterpreted(id) => symbol(self.uninterpreted_name(*id)),
        }
    }

    /// The term as SMT-LIB text.
    pub fn term_text(&self, root: TermId) -> String {
        let mut uses: FxHashMap<TermId, u32> = FxHashMap::default();
        let mut order = Vec::new();
        let mut in_quantifier = false;
        self.visit_subterms(&[root], |term| {
            order.push(term);
            in_quantifier |= matches!(self.op(term), Op::Quantifier(_));
            for child in self.children(term) {
                *uses.entry(child).or_default() += 1;
            }
        });
        let mut texts: FxHashMap<TermId, String> = FxHashMap::default();
        let mut lets = Vec::new();
        for &term in &order {
            let text = self.node_text(term, &texts);
            // A shared term under a quantifier may mention its variables, so it stays in place.
            if !in_quantifier
                && term != root
                && uses.get(&term).is_some_and(|&n| n > 1)
                && self.depth(term) >= SHARE_DEPTH
            {
                let name = format!("?{}", lets.len());
                lets.push((name.clone(), text));
                texts.insert(term, name);
            } else {
                texts.insert(term, text);
            }
        }
        let mut result = String::new();
        for (name, text) in &lets {
            let _ = write!(result, "(let (({name} {text})) ");
        }
        result.push_str(&texts[&root]);
        result.extend(std::iter::repeat_n(')', lets.len()));
        result
    }

    fn node_text(&self, term: TermId, texts: &FxHashMap<TermId, String>) -> String {
        let head = match self.op(term) {
            Op::Bool(value) => return value.to_string(),
            Op::Int(id) => {
                let value = self.number(id).numer();
                return if value.is_negative() {
                    format!("(- {})", -value)
                } else {
                    value.to_string()
                };
            }
            Op::Real(id) => {
                let value = self.number(id);
                let magnitude = value.abs();
                let text = if magnitude.is_integer() {
                    format!("{}.0", magnitude.numer())
                } else {
                    format!("(/ {}.0 {}.0)", magnitude.numer(), magnitude.denom())
                };
                return if value.is_negative() {
                    format!("(- {text})")
                } else {
                    text
                };
            }
            Op::Bv(id) => return format!("(_ bv{} {})", self.number(id).numer(), self.bv_width(term)),
            Op::Float(id) => {
                let Sort::Float {
                    significand,
                    exponent,
                } = *self.sort(self.sort_of(term))
                else {
                    unreachable!("a float literal has a float sort")
                };
                let bits = self.number(id).numer();
                return format!(
                    "((_ to_fp {exponent} {significand}) (_ bv{bits} {}))",
                    exponent + significand
                );
            }
            Op::RoundingMode(mode) => return rounding_mode_text(mode).into(),
            Op::String(id) => return format!("\"{}\"", self.string_text(id).replace('"', "\"\"")),
            Op::Var(var) => return symbol(self.var_name(var)),
            Op::Quantifier(id) => {
                let quantifier = self.quantifier(id);
                let mut text = match quantifier.kind {
                    QuantifierKind::Forall => "(forall (".to_string(),
                    QuantifierKind::Exists => "(exists (".to_string(),
                };
                for &var in &quantifier.bound {
                    let _ = write!(
                        text,
                        "({} {})",
                        symbol(self.var_name(var)),
                        self.sort_text(self.var_sort(var))
                    );
                }
                text.push_str(") ");
                if quantifier.triggers.is_empty() {
                    text.push_str(&texts[&quantifier.body]);
                } else {
                    let _ = write!(text, "(! {}", texts[&quantifier.body]);
                    for trigger in &quantifier.triggers {
                        let terms: Vec<&str> = trigger.iter().map(|term| texts[term].as_str()).collect();
                        let _ = write!(text, " :pattern ({})", terms.join(" "));
                    }
                    text.push(')');
                }
                text.push(')');
                return text;
            }
            Op::Apply(function) => symbol(&self.function(function).name),
            Op::Construct {
                datatype,
                constructor,
            } => symbol(&self.datatype(datatype).constructors[constructor as usize].name),
            Op::Field {
                datatype,
                constructor,
                field,
            } => symbol(
                &self.datatype(datatype).constructors[constructor as usize].fields[field as usize].name,
            ),
            Op::Is {
                datatype,
                constructor,
            } => {
                format!(
                    "(_ is {})",
                    symbol(&self.datatype(datatype).constructors[constructor as usize].name)
                )
            }
            Op::ConstArray(sort) => format!("(as const {})", self.sort_text(sort)),
            Op::Theory(id) => self.theory_op(id).name.clone(),
            Op::Bv2(op) => bv_op_text(op),
            op => core_op_text(op).into(),
        };
        let args = self.args(term);
        if args.is_empty() {
            return head;
        }
        let mut text = format!("({head}");
        for arg in args {
            text.push(' ');
            text.push_str(&texts[arg]);
        }
        text.push(')');
        text
    }
}

fn core_op_text(op: Op) -> &'static str {
    match op {
        Op::Not => "not",
        Op::And => "and",
        Op::Or => "or",
        Op::Eq => "=",
        Op::Distinct => "distinct",
        Op::Ite => "ite",
        Op::Add => "+",
        Op::Mul => "*",
        Op::IntDiv => "div",
        Op::Mod => "mod",
        Op::RealDiv => "/",
        Op::Pow => "^",
        Op::Le => "<=",
        Op::Lt => "<",
        Op::ToReal => "to_real",
        Op::ToInt => "to_int",
        Op::Select => "select",
        Op::Store => "store",
        other => unreachable!("{other:?} has its own text"),
    }
}

pub(crate) fn rounding_mode_text(mode: RoundingMode) -> &'static str {
    match mode {
        RoundingMode::NearestEven => "RNE",
        RoundingMode::NearestAway => "RNA",
        RoundingMode::TowardPositive => "RTP",
        RoundingMode::TowardNegative => "RTN",
        RoundingMode::TowardZero => "RTZ",
    }
}

fn bv_op_text(op: BvOp) -> String {
    let plain = match op {
        BvOp::Concat => "concat",
        BvOp::Extract { hi, lo } => return format!("(_ extract {hi} {lo})"),
        BvOp::ZeroExtend(n) => return format!("(_ zero_extend {n})"),
        BvOp::SignExtend(n) => return format!("(_ sign_extend {n})"),
        BvOp::RotateLeft(n) => return format!("(_ rotate_left {n})"),
        BvOp::RotateRight(n) => return format!("(_ rotate_right {n})"),
        BvOp::Repeat(n) => return format!("(_ repeat {n})"),
        BvOp::FromInt(n) => return format!("(_ int2bv {n})"),
        BvOp::Not => "bvnot",
        BvOp::Neg => "bvneg",
        BvOp::And => "bvand",
        BvOp::Or => "bvor",
        BvOp::Xor => "bvxor",
        BvOp::Nand => "bvnand",
        BvOp::Nor => "bvnor",
        BvOp::Xnor => "bvxnor",
        BvOp::Add => "bvadd",
        BvOp::Sub => "bvsub",
        BvOp::Mul => "bvmul",
        BvOp::Udiv => "bvudiv",
        BvOp::Urem => "bvurem",
        BvOp::Sdiv => "bvsdiv",
        BvOp::Srem => "bvsrem",
        BvOp::Smod => "bvsmod",
        BvOp::Shl => "bvshl",
        BvOp::Lshr => "bvlshr",
        BvOp::Ashr => "bvashr",
        BvOp::Ult => "bvult",
        BvOp::Ule => "bvule",
        BvOp::Slt => "bvslt",
        BvOp::Sle => "bvsle",
        BvOp::Comp => "bvcomp",
        BvOp::ToNat => "ubv_to_int",
        BvOp::ToInt => "sbv_to_int",
    };
    plain.into()
}

/// A name as an SMT-LIB symbol, quoted where it must be.
fn symbol(name: &str) -> String {
    let simple = !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c));
    if simple {
        name.into()
    } else {
        format!("|{}|", name.replace(['|', '\\'], "_"))
    }
}
