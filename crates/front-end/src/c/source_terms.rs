//! Formulas about open C programs in C's words: `p->next->owner != NULL`, `lib_find()->key`, `g_list.head`.
//!
//! What the environment has left in memory is a constant map for each member of a record, so that a read of it shows the
//! member; the static type of the pointer shows the path to it. Shapes that no type explains are written with casts:
//! `*(int *)(p + 12)`. Addresses inside sums count bytes.

mod path;
mod resolve;

use lariat_c_lower::InitialMemory;
use lariat_c_program::{Field, Scalar, Type, TypeId};
use lariat_ir::OpenInfo;
use lariat_specs::{BinaryOp, PointerType, SpecExpr, UnaryOp};
use lariat_term::{Op, TermId, TermPool, VarId};
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};

use self::path::{Path, Start};
pub use self::resolve::CPlaces;
use crate::boogie::source_terms::{Describer, describe_in};
use crate::c::CSide;
use crate::source_terms::Naming;

/// The record that a member is in, as the kernel's macro of that name: `container_of(p, owner, link)`.
const CONTAINER: &str = "container_of";

/// A term in words.
pub fn describe(
    side: &CSide,
    open: Option<&OpenInfo>,
    pool: &TermPool,
    term: TermId,
    naming: &Naming<'_>,
) -> SpecExpr {
    let words = CWords { side, open };
    describe_in(pool, None, term, naming, &|describer, term| {
        words.expr(describer, term)
    })
}

struct CWords<'a> {
    side: &'a CSide,
    open: Option<&'a OpenInfo>,
}

/// A value in words, with its type as far as it is known.
struct Typed {
    expr: SpecExpr,
    ty: Option<TypeId>,
}

/// An address as a sum: a pointer or an object, and what is added to it in bytes.
struct Address {
    start: Start,
    offset: BigInt,
    /// Factors and numbers.
    rest: Vec<(BigInt, TermId)>,
}

impl CWords<'_> {
    fn expr(&self, describer: &mut Describer<'_>, term: TermId) -> Option<SpecExpr> {
        match describer.pool.op(term) {
            Op::Var(_) | Op::Select => self.value(describer, term).map(|value| value.expr),
            Op::Add => self.inside(describer, term),
            Op::Le | Op::Lt => self.order(describer, term),
            Op::Eq => self.equation(describer, BinaryOp::Eq, term),
            Op::Not => {
                let operand = describer.pool.args(term)[0];
                let is_equation = describer.pool.op(operand) == Op::Eq;
                is_equation.then(|| self.equation(describer, BinaryOp::Ne, operand))?
            }
            _ => None,
        }
    }

    /// Null and addresses are numbers, but not where pointers are compared.
    fn equation(&self, describer: &mut Describer<'_>, op: BinaryOp, term: TermId) -> Option<SpecExpr> {
        let args = [describer.pool.args(term)[0], describer.pool.args(term)[1]];
        if let Some(states) = args.into_iter().find_map(|arg| self.states(describer, arg)) {
            let args = match describer.pool.as_int(args[0]).is_some() {
                true => [args[1], args[0]],
                false => args,
            };
            let [left, right] = args.map(|arg| state(describer, arg, &states));
            return Some(SpecExpr::binary(op, left, right));
        }
        let [left, right] = args.map(|arg| self.is_pointer(describer, arg));
        if !left && !right {
            return None;
        }
        let is_literal = |term| describer.pool.as_int(term).is_some();
        let args = match is_literal(args[0]) {
            true => [args[1], args[0]],
            false => args,
        };
        let [left, right] = args.map(|arg| self.pointer(describer, arg));
        Some(SpecExpr::binary(op, left, right))
    }

    /// Levels have names.
    fn order(&self, describer: &mut Describer<'_>, term: TermId) -> Option<SpecExpr> {
        let is_strict = describer.pool.op(term) == Op::Lt;
        let args = [describer.pool.args(term)[0], describer.pool.args(term)[1]];
        let states = args.into_iter().find_map(|arg| self.states(describer, arg))?;
        let is_turned = describer.pool.as_int(args[0]).is_some();
        let op = match (is_strict, is_turned) {
            (false, false) => BinaryOp::Le,
            (true, false) => BinaryOp::Lt,
            (false, true) => BinaryOp::Ge,
            (true, true) => BinaryOp::Gt,
        };
        let args = if is_turned { [args[1], args[0]] } else { args };
        let [left, right] = args.map(|arg| state(describer, arg, &states));
        Some(SpecExpr::binary(op, left, right))
    }

    /// The states of the rule whose monitor this is or is read from.
    fn states(&self, describer: &Describer<'_>, term: TermId) -> Option<Vec<String>> {
        let pool = describer.pool;
        let var = match pool.op(term) {
            Op::Var(var) => var,
            Op::Select => pool.as_var(pool.args(term)[0])?,
            _ => return None,
        };
        self.side
            .names
            .monitors
            .get(&var)
            .map(|monitor| monitor.states.clone())
    }

    fn is_pointer(&self, describer: &mut Describer<'_>, term: TermId) -> bool {
        match describer.pool.op(term) {
            Op::Var(_) | Op::Select => {
                let ty = self.value(describer, term).and_then(|value| value.ty);
                ty.is_some_and(|ty| self.side.program.types.scalar(ty) == Some(Scalar::Pointer))
            }
            Op::Add => self.inside(describer, term).is_some(),
            _ => false,
        }
    }

    /// An operand of a comparison of pointers.
    fn pointer(&self, describer: &mut Describer<'_>, term: TermId) -> SpecExpr {
        let Some(address) = describer.pool.as_int(term).cloned() else {
            return describer.expr(term);
        };
        if address.is_zero() {
            return SpecExpr::Null;
        }
        if let Some(&function) = self.side.names.functions.get(&address) {
            return SpecExpr::name(&self.side.program.functions[function].name);
        }
        let inside = self
            .address(describer, term)
            .and_then(|address| self.place(describer, &address));
        inside.map_or(SpecExpr::Int(address), |place| {
            SpecExpr::unary(UnaryOp::AddressOf, place)
        })
    }

    /// `&p->member`.
    fn inside(&self, describer: &mut Describer<'_>, term: TermId) -> Option<SpecExpr> {
        let address = self.address(describer, term)?;
        let place = self.place(describer, &address)?;
        Some(SpecExpr::unary(UnaryOp::AddressOf, place))
    }

    /// The smallest object that starts at an address.
    fn place(&self, describer: &mut Describer<'_>, address: &Address) -> Option<SpecExpr> {
        let path = self.path(describer, address, None)?;
        Some(path.expr)
    }

    fn value(&self, describer: &mut Describer<'_>, term: TermId) -> Option<Typed> {
        let pool = describer.pool;
        match pool.op(term) {
            Op::Var(var) => self.variable(describer, var),
            Op::Select => {
                let args = pool.args(term);
                let map = pool.as_var(args[0])?;
                if let Some(monitor) = self.side.names.monitors.get(&map) {
                    let object = self.pointer(describer, args[1]);
                    return Some(Typed {
                        expr: SpecExpr::Apply(monitor.rule.as_str().into(), vec![object]),
                        ty: None,
                    });
                }
                let memory = self.side.names.initial.get(&map)?;
                let address = args[1];
                Some(self.read(describer, memory, address))
            }
            _ => None,
        }
    }

    fn variable(&self, describer: &Describer<'_>, var: VarId) -> Option<Typed> {
        if let Some(expr) = (describer.naming)(var) {
            let name = describer.pool.var_name(var);
            let unknowns = self.open.into_iter().flat_map(|open| &open.unknowns);
            let known = unknowns
                .filter(|unknown| unknown.text == *name)
                .map(|unknown| unknown.var);
            let ty = known.chain([var]).find_map(|var| self.side.names.vars.get(&var));
            return Some(Typed {
                expr,
                ty: ty.map(|shown| shown.ty),
            });
        }
        if let Some(monitor) = self.side.names.monitors.get(&var) {
            return Some(Typed {
                expr: SpecExpr::name(&monitor.rule),
                ty: None,
            });
        }
        let shown = self.side.names.vars.get(&var)?;
        let expr = SpecExpr::parse(&shown.text).unwrap_or_else(|_| SpecExpr::Raw(shown.text.as_str().into()));
        Some(Typed {
            expr,
            ty: Some(shown.ty),
        })
    }

    /// An element of what the environment has left.
    fn read(&self, describer: &mut Describer<'_>, memory: &InitialMemory, at: TermId) -> Typed {
        let address = self.address(describer, at);
        if let Some(address) = &address
            && let Some(path) = self.path(describer, address, Some(memory))
        {
            return Typed {
                expr: path.expr,
                ty: Some(path.ty),
            };
        }
        self.member_of_anything(describer, memory, address)
            .unwrap_or_else(|| self.raw_read(describer, memory, at))
    }

    fn path(
        &self,
        describer: &mut Describer<'_>,
        address: &Address,
        memory: Option<&InitialMemory>,
    ) -> Option<Path> {
        let types = &self.side.program.types;
        let mut number = |terms: &[(BigInt, TermId)], constant: &BigInt| sum(describer, terms, constant);
        path::find(
            types,
            &address.start,
            &address.offset,
            &address.rest,
            memory,
            &mut number,
        )
    }

    /// A member determines its record, whatever the type of the pointer: `((struct owner *)p)->key`,
    /// `container_of(p, owner, link)->key`.
    fn member_of_anything(
        &self,
        describer: &mut Describer<'_>,
        memory: &InitialMemory,
        address: Option<Address>,
    ) -> Option<Typed> {
        let address = address?;
        let types = &self.side.program.types;
        let (record, index) = memory.member?;
        let field = types.records[record].fields.get(index as usize)?;
        let ty = types.find(&Type::Record(record))?;
        let (expr, pointee) = match &address.start {
            Start::Pointer { expr, pointee } => (expr.clone(), Some(*pointee)),
            Start::Untyped { expr } => (expr.clone(), None),
            Start::Object { .. } => return None,
        };
        types.scalar(field.ty)?;
        // Where the record starts, from the pointer on.
        let start = &address.offset - BigInt::from(field.offset);
        let is_start = start.is_zero() && address.rest.is_empty();
        let owner = match pointee {
            None if is_start => expr,
            _ => self
                .container(&expr, pointee, ty, &start, &address.rest)
                .or_else(|| {
                    let at = match () {
                        () if is_start => expr,
                        () if address.rest.is_empty() && start.is_negative() => {
                            SpecExpr::binary(BinaryOp::Sub, expr, SpecExpr::Int(-&start))
                        }
                        () => SpecExpr::binary(BinaryOp::Add, expr, sum(describer, &address.rest, &start)),
                    };
                    Some(SpecExpr::Cast(
                        PointerType::new(&types.name(ty), 1)?,
                        Box::new(at),
                    ))
                })?,
        };
        Some(Typed {
            expr: owner.arrow(field.name.clone()),
            ty: Some(field.ty),
        })
    }

    /// The record around a member that is pointed to: `container_of(p, owner, link)`.
    fn container(
        &self,
        pointer: &SpecExpr,
        pointee: Option<TypeId>,
        record: TypeId,
        start: &BigInt,
        rest: &[(BigInt, TermId)],
    ) -> Option<SpecExpr> {
        let types = &self.side.program.types;
        let fields = &types.records[types.record_of(record)?].fields;
        // A pointer to the first member is one to the record: a cast says it.
        let is_it = |field: &&Field| {
            !field.name.is_empty()
                && Some(field.ty) == pointee
                && field.offset > 0
                && (start + BigInt::from(field.offset)).is_zero()
        };
        let member = fields.iter().find(is_it).filter(|_| rest.is_empty())?;
        let name = types.name(record);
        let name = name.strip_prefix("struct ").unwrap_or(&name);
        // A record without a name cannot be written.
        PointerType::new(name, 1)?;
        let of = [
            pointer.clone(),
            SpecExpr::Name(name.into()),
            SpecExpr::Name(member.name.clone()),
        ];
        Some(SpecExpr::Apply(CONTAINER.into(), of.to_vec()))
    }

    /// `*(int *)(p + 12)`.
    fn raw_read(&self, describer: &mut Describer<'_>, memory: &InitialMemory, at: TermId) -> Typed {
        let name = match memory.element {
            Scalar::Bool => "_Bool",
            Scalar::Pointer => "void",
            Scalar::Int { bits: 8, .. } => "char",
            Scalar::Int { bits: 16, .. } => "short",
            Scalar::Int { bits: 32, .. } => "int",
            Scalar::Int { bits: 64, .. } => "long",
            Scalar::Int { .. } => "__int128",
            Scalar::Float(lariat_c_program::FloatKind::Float) => "float",
            Scalar::Float(_) => "double",
        };
        let stars = if memory.element == Scalar::Pointer { 2 } else { 1 };
        let address = self.bytes(describer, at);
        let expr = match PointerType::new(name, stars) {
            Some(ty) => SpecExpr::Cast(ty, Box::new(address)).deref(),
            None => SpecExpr::Raw(describer.pool.term_text(at).into()),
        };
        let ty = match memory.element {
            Scalar::Pointer => {
                let void = self.side.program.types.find(&Type::Void);
                void.and_then(|void| self.side.program.types.find(&Type::Pointer(void)))
            }
            _ => None,
        };
        Typed { expr, ty }
    }

    /// An address as a sum of bytes.
    fn bytes(&self, describer: &mut Describer<'_>, at: TermId) -> SpecExpr {
        let pool = describer.pool;
        match pool.op(at) {
            Op::Add => {
                let parts: Vec<SpecExpr> = pool.args(at).iter().map(|&part| describer.expr(part)).collect();
                let sum = parts
                    .into_iter()
                    .reduce(|left, right| SpecExpr::binary(BinaryOp::Add, left, right));
                sum.unwrap_or_else(|| SpecExpr::int(0))
            }
            _ => describer.expr(at),
        }
    }

    fn address(&self, describer: &mut Describer<'_>, term: TermId) -> Option<Address> {
        let pool = describer.pool;
        let parts: Vec<TermId> = match pool.op(term) {
            Op::Add => pool.args(term).to_vec(),
            _ => vec![term],
        };
        let mut offset = BigInt::zero();
        let mut rest = Vec::new();
        let mut start: Option<Start> = None;
        for part in parts {
            if let Some(value) = pool.as_int(part) {
                offset += value;
                continue;
            }
            if pool.op(part) == Op::Mul
                && let Some(factor) = pool.as_int(pool.args(part)[0])
            {
                rest.push((factor.clone(), pool.args(part)[1]));
                continue;
            }
            let value = self.value(describer, part);
            let types = &self.side.program.types;
            let pointee = value.as_ref().and_then(|value| types.pointee(value.ty?));
            match (value, pointee) {
                (Some(value), Some(pointee)) if start.is_none() => {
                    start = Some(Start::Pointer {
                        expr: value.expr,
                        pointee,
                    });
                }
                _ => rest.push((BigInt::from(1), part)),
            }
        }
        if start.is_none() {
            start = self.object(&mut offset);
        }
        if start.is_none()
            && let [(factor, part)] = rest.as_slice()
            && *factor == BigInt::from(1)
        {
            let part = *part;
            rest.clear();
            start = Some(Start::Untyped {
                expr: describer.expr(part),
            });
        }
        Some(Address {
            start: start?,
            offset,
            rest,
        })
    }

    /// The object with static storage that an address is in; the offset is counted from its start.
    fn object(&self, offset: &mut BigInt) -> Option<Start> {
        let names = &self.side.names;
        let (address, &global) = names.addresses.range(..=offset.clone()).next_back()?;
        let data = &self.side.program.globals[global];
        let inside = &*offset - address;
        let size = self.side.program.types.size(data.ty)?;
        if inside.to_u64()? >= size.max(1) {
            return None;
        }
        *offset = inside;
        Some(Start::Object {
            expr: SpecExpr::name(&data.name),
            ty: data.ty,
        })
    }
}

/// A side of a comparison of states.
fn state(describer: &mut Describer<'_>, term: TermId, states: &[String]) -> SpecExpr {
    let number = describer.pool.as_int(term).and_then(|number| number.to_usize());
    match number.and_then(|number| states.get(number)) {
        Some(name) => SpecExpr::name(name),
        None => describer.expr(term),
    }
}

/// `2 * i + 1`.
fn sum(describer: &mut Describer<'_>, terms: &[(BigInt, TermId)], constant: &BigInt) -> SpecExpr {
    let mut parts: Vec<SpecExpr> = Vec::new();
    for (factor, term) in terms {
        let part = describer.expr(*term);
        parts.push(match *factor == BigInt::from(1) {
            true => part,
            false => SpecExpr::binary(BinaryOp::Mul, SpecExpr::Int(factor.clone()), part),
        });
    }
    if !constant.is_zero() || parts.is_empty() {
        parts.push(SpecExpr::Int(constant.clone()));
    }
    let sum = parts
        .into_iter()
        .reduce(|left, right| SpecExpr::binary(BinaryOp::Add, left, right));
    sum.unwrap_or_else(|| SpecExpr::int(0))
}
