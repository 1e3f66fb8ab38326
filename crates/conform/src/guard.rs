//! Guards of procedure abstractions and of components as formulas: C-like expressions over parameters and globals.

use lariat_c_arith::{Arith, Value};
use lariat_c_program::{BinaryOp as CBinaryOp, CompareOp, Scalar};
use lariat_specs::{BinaryOp, SpecExpr, UnaryOp};
use lariat_term::{TermId, TermPool, VarId};

/// A name that a guard may use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    pub text: String,
    pub var: VarId,
    pub scalar: Scalar,
}

pub struct GuardReader<'a> {
    pub arith: Arith,
    /// Earlier ones hide later ones.
    pub names: &'a [Name],
}

/// A value with its type in C.
struct Typed {
    value: Value,
    scalar: Scalar,
}

const INT: Scalar = integer(32, true);

/// Types of numbers in C, the first that can hold it; gcc takes the last one, too, with a warning.
const NUMBERS: [Scalar; 3] = [INT, integer(64, true), integer(64, false)];

const fn integer(bits: u32, signed: bool) -> Scalar {
    Scalar::Int { bits, signed }
}

impl GuardReader<'_> {
    /// The condition, or what is wrong with it. Expressions have bounded depth, so this may recurse.
    pub fn condition(&self, pool: &mut TermPool, expr: &SpecExpr) -> Result<TermId, String> {
        match expr {
            SpecExpr::Bool(value) => Ok(pool.bool(*value)),
            SpecExpr::Unary(UnaryOp::Not, operand) => {
                let operand = self.condition(pool, operand)?;
                Ok(pool.not(operand))
            }
            SpecExpr::Binary(op, left, right) => {
                let compare = match op {
                    BinaryOp::And | BinaryOp::Or | BinaryOp::Implies | BinaryOp::Iff => {
                        let left = self.condition(pool, left)?;
                        let right = self.condition(pool, right)?;
                        return Ok(match op {
                            BinaryOp::And => pool.and(&[left, right]),
                            BinaryOp::Or => pool.or(&[left, right]),
                            BinaryOp::Implies => pool.implies(left, right),
                            _ => pool.eq(left, right),
                        });
                    }
                    BinaryOp::Eq => CompareOp::Eq,
                    BinaryOp::Ne => CompareOp::Ne,
                    BinaryOp::Lt => CompareOp::Lt,
                    BinaryOp::Le => CompareOp::Le,
                    BinaryOp::Gt => CompareOp::Gt,
                    BinaryOp::Ge => CompareOp::Ge,
                    _ => return self.truth(pool, expr),
                };
                let (left, right, scalar) = self.operands(pool, left, right)?;
                Ok(self.arith.compare(pool, compare, scalar, &left, &right))
            }
            _ => self.truth(pool, expr),
        }
    }

    fn truth(&self, pool: &mut TermPool, expr: &SpecExpr) -> Result<TermId, String> {
        let typed = self.value(pool, expr)?;
        Ok(self.arith.truth(pool, typed.scalar, &typed.value))
    }

    /// Both sides in their common type.
    fn operands(
        &self,
        pool: &mut TermPool,
        left: &SpecExpr,
        right: &SpecExpr,
    ) -> Result<(Value, Value, Scalar), String> {
        let (left, right) = (self.value(pool, left)?, self.value(pool, right)?);
        let scalar = common(promoted(left.scalar), promoted(right.scalar));
        let mut convert = |typed: &Typed| self.arith.convert(pool, typed.scalar, scalar, &typed.value);
        Ok((convert(&left), convert(&right), scalar))
    }

    fn value(&self, pool: &mut TermPool, expr: &SpecExpr) -> Result<Typed, String> {
        if let Some(text) = expr.dotted_name() {
            let Some(name) = self.names.iter().find(|name| name.text == text) else {
                return Err(self.unknown_name(&text));
            };
            let term = pool.var(name.var);
            return Ok(Typed {
                value: self.arith.value(term, name.scalar),
                scalar: name.scalar,
            });
        }
        match expr {
            SpecExpr::Int(number) => {
                let fits = [
                    i32::try_from(number.clone()).is_ok(),
                    i64::try_from(number.clone()).is_ok(),
                    u64::try_from(number.clone()).is_ok(),
                ];
                let Some(fitting) = fits.into_iter().position(|fits| fits) else {
                    return Err(format!("{number} is too large for the integers of C"));
                };
                let scalar = NUMBERS[fitting];
                Ok(Typed {
                    value: self.arith.int(pool, scalar, number),
                    scalar,
                })
            }
            SpecExpr::Null => Ok(Typed {
                value: self.arith.int(pool, Scalar::Pointer, &0.into()),
                scalar: Scalar::Pointer,
            }),
            SpecExpr::Unary(UnaryOp::Neg, operand) => {
                let zero = SpecExpr::int(0);
                let (zero, operand, scalar) = self.operands(pool, &zero, operand)?;
                refuse(CBinaryOp::Sub, scalar, expr)?;
                let value = self
                    .arith
                    .binary(pool, CBinaryOp::Sub, scalar, &zero, &operand, scalar);
                Ok(Typed { value, scalar })
            }
            SpecExpr::Binary(op, left, right) => {
                let op = match op {
                    BinaryOp::Add => CBinaryOp::Add,
                    BinaryOp::Sub => CBinaryOp::Sub,
                    BinaryOp::Mul => CBinaryOp::Mul,
                    BinaryOp::Div => CBinaryOp::Div,
                    BinaryOp::Mod => CBinaryOp::Rem,
                    _ => {
                        let condition = self.condition(pool, expr)?;
                        return Ok(Typed {
                            value: self.arith.of_truth(pool, INT, condition),
                            scalar: INT,
                        });
                    }
                };
                let (left, right, scalar) = self.operands(pool, left, right)?;
                refuse(op, scalar, expr)?;
                let value = self.arith.binary(pool, op, scalar, &left, &right, scalar);
                Ok(Typed { value, scalar })
            }
            _ => Err(format!(
                "`{expr}` is not a condition over parameters and globals: memory cannot be read here"
            )),
        }
    }

    fn unknown_name(&self, text: &str) -> String {
        let mut known: Vec<String> = self
            .names
            .iter()
            .take(8)
            .map(|name| format!("`{}`", name.text))
            .collect();
        if known.is_empty() {
            known.push("no names at all".to_owned());
        }
        format!(
            "there is no parameter or global `{text}`; there are {}",
            known.join(", ")
        )
    }
}

/// What C does not have, and arithmetic of pointers, which needs the size of what they point to.
fn refuse(op: CBinaryOp, scalar: Scalar, expr: &SpecExpr) -> Result<(), String> {
    match (op, scalar) {
        (_, Scalar::Pointer) => Err(format!(
            "`{expr}` computes with a pointer: a guard only compares it"
        )),
        (CBinaryOp::Rem, Scalar::Float(_)) => Err(format!("`{expr}`: `%` is for integers")),
        _ => Ok(()),
    }
}

/// Types narrower than `int` are `int` in an expression.
fn promoted(scalar: Scalar) -> Scalar {
    match scalar {
        Scalar::Bool => INT,
        Scalar::Int { bits, .. } if bits < 32 => INT,
        _ => scalar,
    }
}

/// The common type of two promoted ones: the usual arithmetic conversions, where a pointer is the widest.
fn common(left: Scalar, right: Scalar) -> Scalar {
    match (left, right) {
        (
            Scalar::Int { bits, signed },
            Scalar::Int {
                bits: other,
                signed: also,
            },
        ) => match bits.cmp(&other) {
            std::cmp::Ordering::Less => right,
            std::cmp::Ordering::Greater => left,
            std::cmp::Ordering::Equal => integer(bits, signed && also),
        },
        (Scalar::Pointer, _) | (_, Scalar::Pointer) => Scalar::Pointer,
        (Scalar::Float(one), Scalar::Float(other)) => Scalar::Float(one.max(other)),
        (Scalar::Float(_), _) => left,
        _ => right,
    }
}
