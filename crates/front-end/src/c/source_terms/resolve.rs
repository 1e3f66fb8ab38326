//! Text about a C program as terms: what a place holds is what the environment has left there.

use lariat_c_program::{Scalar, Type, TypeId};
use lariat_ir::{OpenInfo, Proc};
use lariat_specs::{PointerType, SpecExpr, UnaryOp};
use lariat_term::{TermId, VarId};
use num_bigint::BigInt;

use super::CONTAINER;
use crate::boogie::source_terms::{Builder, Places};
use crate::c::CSide;

/// How C sees the places of an entry.
pub struct CPlaces<'a> {
    pub side: &'a CSide,
    pub open: &'a OpenInfo,
    pub entry: &'a Proc,
}

/// A value or, of an object in memory, its address.
enum Found {
    Value {
        term: TermId,
        ty: Option<TypeId>,
    },
    Object {
        address: TermId,
        ty: TypeId,
        /// The innermost record that it is a member of, and its offset there.
        member: Option<(TypeId, u64, Option<lariat_c_program::BitField>)>,
    },
}

type Result<T> = std::result::Result<T, String>;

impl Places for CPlaces<'_> {
    fn term(&self, builder: &mut Builder<'_>, expr: &SpecExpr) -> Option<Result<TermId>> {
        match expr {
            SpecExpr::Name(_)
            | SpecExpr::Field(..)
            | SpecExpr::Arrow(..)
            | SpecExpr::Index(..)
            | SpecExpr::Cast(..)
            | SpecExpr::Unary(UnaryOp::Deref | UnaryOp::AddressOf, _) => {
                Some(self.value(builder, expr).map(|(term, _)| term))
            }
            SpecExpr::Apply(name, _) if **name == *CONTAINER => {
                Some(self.value(builder, expr).map(|(term, _)| term))
            }
            SpecExpr::Apply(rule, args) => self.state(builder, rule, args),
            _ => None,
        }
    }
}

impl CPlaces<'_> {
    fn value(&self, builder: &mut Builder<'_>, expr: &SpecExpr) -> Result<(TermId, Option<TypeId>)> {
        match self.find(builder, expr)? {
            Found::Value { term, ty } => Ok((term, ty)),
            Found::Object { address, ty, member } => self.load(builder, expr, address, ty, member),
        }
    }

    /// The state that the environment has left an object in.
    fn state(&self, builder: &mut Builder<'_>, rule: &str, args: &[SpecExpr]) -> Option<Result<TermId>> {
        let program = builder.resolver.program;
        let mut constants = program.constants.iter();
        let monitors = &self.side.names.monitors;
        let monitor = constants.find(|var| monitors.get(var).is_some_and(|name| name.rule == rule))?;
        let [object] = args else {
            return Some(Err(format!("`{rule}` is the state of one object")));
        };
        Some(builder.term(object).map(|object| {
            let monitor = builder.pool.var(*monitor);
            builder.pool.select(monitor, &[object])
        }))
    }

    /// A monitor that is not a map, or the name of a state.
    fn monitor(&self, builder: &mut Builder<'_>, name: &str) -> Option<TermId> {
        let program = builder.resolver.program;
        let monitors = &self.side.names.monitors;
        let mut globals = program.globals.iter();
        if let Some(&var) = globals.find(|var| monitors.get(var).is_some_and(|found| found.rule == name)) {
            return Some(builder.pool.var(var));
        }
        let mut known = program.globals.iter().filter_map(|var| monitors.get(var));
        let state = known.find_map(|monitor| monitor.states.iter().position(|state| state == name))?;
        Some(builder.pool.int(state as u64))
    }

    fn find(&self, builder: &mut Builder<'_>, expr: &SpecExpr) -> Result<Found> {
        if let Some(found) = self.named(builder, expr) {
            return Ok(found);
        }
        let types = &self.side.program.types;
        match expr {
            SpecExpr::Name(name) => Err(format!(
                "`{name}` is no parameter of `{}` and no global variable",
                self.entry.name
            )),
            SpecExpr::Field(base, name) => match self.find(builder, base)? {
                Found::Object { address, ty, .. } => self.member(builder, expr, address, ty, name),
                Found::Value { .. } => Err(format!("`{base}` is no record in memory; is `->` meant?")),
            },
            SpecExpr::Arrow(base, name) => {
                let (address, ty) = self.value(builder, base)?;
                match ty.and_then(|ty| types.pointee(ty)) {
                    Some(pointee) => self.member(builder, expr, address, pointee, name),
                    None => Err(format!(
                        "`{base}` is not known to be a pointer; write a cast to its type"
                    )),
                }
            }
            SpecExpr::Index(base, indices) => self.element(builder, expr, base, indices),
            SpecExpr::Unary(UnaryOp::Deref, pointer) => {
                let (address, ty) = self.value(builder, pointer)?;
                match ty.and_then(|ty| types.pointee(ty)) {
                    Some(ty) => Ok(Found::Object {
                        address,
                        ty,
                        member: None,
                    }),
                    None => Err(format!(
                        "`{pointer}` is not known to be a pointer; write a cast to its type"
                    )),
                }
            }
            SpecExpr::Unary(UnaryOp::AddressOf, place) => match self.find(builder, place)? {
                Found::Object { address, ty, .. } => Ok(Found::Value {
                    term: address,
                    ty: types.find(&Type::Pointer(ty)),
                }),
                Found::Value { .. } => Err(format!("`{place}` has no address")),
            },
            SpecExpr::Apply(name, args) if **name == *CONTAINER => self.container(builder, args),
            SpecExpr::Cast(ty, value) => {
                let term = builder.term(value)?;
                Ok(Found::Value {
                    term,
                    ty: Some(self.pointer_type(ty)?),
                })
            }
            other => {
                let term = builder.term(other)?;
                Ok(Found::Value { term, ty: None })
            }
        }
    }

    /// A value of the environment, a parameter, or a global with this very text.
    fn named(&self, builder: &mut Builder<'_>, expr: &SpecExpr) -> Option<Found> {
        let names = &self.side.names;
        if let Some((_, site)) = builder.sites.iter().find(|(site, _)| *site == expr) {
            let var = self.open.unknowns.get(site.unknown)?.var;
            return Some(Found::Value {
                term: builder.pool.var(site.placeholder),
                ty: names.vars.get(&var).map(|shown| shown.ty),
            });
        }
        let text = expr.to_string();
        if let Some(&bound) = builder
            .bound
            .iter()
            .rev()
            .find(|&&var| **builder.pool.var_name(var) == *text)
        {
            return Some(Found::Value {
                term: builder.pool.var(bound),
                ty: None,
            });
        }
        let program = builder.resolver.program;
        let vars = self.entry.params.iter().chain(&program.globals).copied();
        let mut named = vars.filter_map(|var| Some((var, names.vars.get(&var)?)));
        if let Some((var, shown)) = named.find(|(_, shown)| shown.text == text) {
            return Some(Found::Value {
                term: builder.pool.var(var),
                ty: Some(shown.ty),
            });
        }
        let SpecExpr::Name(name) = expr else {
            return None;
        };
        let globals = &self.side.program.globals;
        let mut objects = names.addresses.iter();
        if let Some((address, &global)) = objects.find(|(_, global)| globals[**global].name == *name) {
            return Some(Found::Object {
                address: builder.pool.int(address.clone()),
                ty: globals[global].ty,
                member: None,
            });
        }
        if let Some(term) = self.monitor(builder, name) {
            return Some(Found::Value { term, ty: None });
        }
        let functions = &self.side.program.functions;
        let mut all = names.functions.iter();
        let (address, _) = all.find(|(_, function)| functions[**function].name == *name)?;
        Some(Found::Value {
            term: builder.pool.int(address.clone()),
            ty: None,
        })
    }

    fn member(
        &self,
        builder: &mut Builder<'_>,
        expr: &SpecExpr,
        address: TermId,
        ty: TypeId,
        name: &str,
    ) -> Result<Found> {
        let types = &self.side.program.types;
        let Some((owner, skipped, field)) = self.field(ty, name) else {
            return Err(format!("`{expr}`: `{}` has no member `{name}`", types.name(ty)));
        };
        let offset = builder.pool.int(BigInt::from(skipped + field.offset));
        let address = builder.pool.add(&[address, offset]);
        Ok(Found::Object {
            address,
            ty: field.ty,
            member: Some((owner, field.offset, field.bits)),
        })
    }

    /// A member, also one of an anonymous member: the record that it is in, and where that starts.
    fn field(&self, ty: TypeId, name: &str) -> Option<(TypeId, u64, &lariat_c_program::Field)> {
        let types = &self.side.program.types;
        let mut open = vec![(ty, 0)];
        while let Some((ty, start)) = open.pop() {
            let Some(record) = types.record_of(ty) else {
                continue;
            };
            for field in &types.records[record].fields {
                match &*field.name {
                    found if found == name => return Some((ty, start, field)),
                    "" => open.push((field.ty, start + field.offset)),
                    _ => {}
                }
            }
        }
        None
    }

    fn element(
        &self,
        builder: &mut Builder<'_>,
        expr: &SpecExpr,
        base: &SpecExpr,
        indices: &[SpecExpr],
    ) -> Result<Found> {
        let types = &self.side.program.types;
        let [index] = indices else {
            return Err(format!("`{expr}` has several indices, which C has not"));
        };
        let (address, element, member) = match self.find(builder, base)? {
            Found::Object { address, ty, member } => match types.get(ty) {
                Type::Array { element, .. } | Type::VariableArray { element } => (address, *element, member),
                _ => {
                    let (address, ty) = self.load(builder, base, address, ty, member)?;
                    (address, self.pointee(base, ty)?, None)
                }
            },
            Found::Value { term, ty } => (term, self.pointee(base, ty)?, None),
        };
        let Some(size) = types.size(element) else {
            return Err(format!("`{expr}`: `{}` has no size", types.name(element)));
        };
        let index = builder.term(index)?;
        let size = builder.pool.int(size);
        let bytes = builder.pool.mul(size, index);
        Ok(Found::Object {
            address: builder.pool.add(&[address, bytes]),
            ty: element,
            // The elements of a member are that member, but for records.
            member: member.filter(|_| types.record_of(element).is_none()),
        })
    }

    /// `container_of(pointer, record, member)`
    fn container(&self, builder: &mut Builder<'_>, args: &[SpecExpr]) -> Result<Found> {
        const FORM: &str = "write `container_of(POINTER, RECORD, MEMBER)`, the record without `struct`";
        let [pointer, SpecExpr::Name(record), SpecExpr::Name(member)] = args else {
            return Err(FORM.to_owned());
        };
        let wanted = PointerType::new(record, 1).ok_or(FORM)?;
        let ty = self.pointer_type(&wanted)?;
        let types = &self.side.program.types;
        let field = types.pointee(ty).and_then(|record| self.field(record, member));
        let Some((_, skipped, field)) = field else {
            return Err(format!("`{record}` has no member `{member}`"));
        };
        let offset = builder.pool.int(-BigInt::from(skipped + field.offset));
        let pointer = builder.term(pointer)?;
        Ok(Found::Value {
            term: builder.pool.add(&[pointer, offset]),
            ty: Some(ty),
        })
    }

    fn pointee(&self, expr: &SpecExpr, ty: Option<TypeId>) -> Result<TypeId> {
        ty.and_then(|ty| self.side.program.types.pointee(ty))
            .ok_or_else(|| format!("`{expr}` is not known to be a pointer; write a cast to its type"))
    }

    /// What the environment has left there; an array is its address.
    fn load(
        &self,
        builder: &mut Builder<'_>,
        expr: &SpecExpr,
        address: TermId,
        ty: TypeId,
        member: Option<(TypeId, u64, Option<lariat_c_program::BitField>)>,
    ) -> Result<(TermId, Option<TypeId>)> {
        let types = &self.side.program.types;
        if let Type::Array { element, .. } = types.get(ty) {
            return Ok((address, types.find(&Type::Pointer(*element))));
        }
        let scalar = match types.get(ty) {
            Type::VaList => Some(Scalar::Pointer),
            _ => types.scalar(ty),
        };
        let Some(scalar) = scalar else {
            return Err(format!("`{expr}` is of type `{}`: give a member", types.name(ty)));
        };
        let map = self.initial(scalar, ty, member);
        let Some(map) = map else {
            return Err(format!("nothing in the program reads `{expr}`"));
        };
        let map = builder.pool.var(map);
        Ok((builder.pool.select(map, &[address]), Some(ty)))
    }

    fn initial(
        &self,
        scalar: Scalar,
        ty: TypeId,
        member: Option<(TypeId, u64, Option<lariat_c_program::BitField>)>,
    ) -> Option<VarId> {
        let regions = self.side.regions.as_ref()?;
        let bytes = self.side.program.types.size(ty).unwrap_or(1);
        let (object, offset, bits) = member.unwrap_or((ty, 0, None));
        let region = regions.typed_access(object, offset, scalar, bytes, bits)?;
        let mut maps = self.side.names.initial.iter();
        maps.find(|(_, memory)| memory.region == region)
            .map(|(&map, _)| map)
    }

    fn pointer_type(&self, wanted: &PointerType) -> Result<TypeId> {
        let types = &self.side.program.types;
        let base = types.ids().find(|&id| {
            types.name(id) == wanted.words() || types.name(id) == format!("struct {}", wanted.words())
        });
        let pointed = (0..wanted.stars()).try_fold(base.ok_or(()), |ty, _| {
            Ok(ty.and_then(|ty| types.find(&Type::Pointer(ty)).ok_or(())))
        });
        pointed
            .and_then(|ty: std::result::Result<TypeId, ()>| ty)
            .map_err(|()| {
                format!(
                    "the program has no type `{} {}`",
                    wanted.words(),
                    "*".repeat(wanted.stars() as usize)
                )
            })
    }
}
