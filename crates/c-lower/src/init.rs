//! Initialisers of locals and compound literals.

use lariat_base::Span;
use lariat_c_arith::Value;
use lariat_c_program::{Expr, InitItem, InitStep, InitValue, Initializer, Type, TypeId};

use crate::function::FunctionLowering;
use crate::place::Located;

impl FunctionLowering<'_, '_> {
    /// `span` is what traces show: the declaration.
    pub fn initialize(&mut self, place: &Located, init: &Initializer, span: Span) {
        if init.zero {
            self.zero_object(place, span);
        }
        let exprs: Vec<&Expr> = init.items.iter().filter_map(value_of).collect();
        let mut values = match self.interfere(&exprs) {
            true => self.operand_list(&exprs).into_iter().map(Some).collect(),
            false => vec![None; exprs.len()],
        }
        .into_iter();
        for item in &init.items {
            let known = match value_of(item) {
                Some(_) => values.next().flatten(),
                None => None,
            };
            self.initialize_item(place, item, known, span);
        }
    }

    fn zero_object(&mut self, place: &Located, span: Span) {
        let values = self.zeros(place.ty);
        if self.cx.leaves(place.ty).is_none() {
            let name = self.cx.c.types.name(place.ty);
            return self.unsupported(&format!("`{name}` is too large to be set to zero"), span);
        }
        self.write_leaves(place, &values, span, false);
    }

    /// `known` is the value where it was evaluated before.
    fn initialize_item(&mut self, place: &Located, item: &InitItem, known: Option<Vec<Value>>, span: Span) {
        let Some(part) = self.follow(place, &item.path) else {
            return self.unsupported("an initialiser of this form", span);
        };
        match &item.value {
            InitValue::Expr(expr) => {
                let values = match known {
                    Some(values) => values,
                    None => {
                        self.moves_scalar = self.is_move(expr);
                        let values = self.copy_record(expr);
                        self.moves_scalar = false;
                        values
                    }
                };
                let values = self.pin_all(values, expr.span);
                let span = if item.path.is_empty() { span } else { expr.span };
                match (values.as_slice(), self.cx.c.types.scalar(part.ty)) {
                    ([value], Some(_)) => self.write(&part, &value.clone(), span),
                    _ => self.write_leaves(&part, &values, span, true),
                }
            }
            InitValue::String(characters) => {
                let Type::Array { element, .. } = self.cx.c.types.get(part.ty) else {
                    return self.unsupported("a string that initialises no array", span);
                };
                let element = *element;
                for (index, &character) in characters.iter().enumerate() {
                    let value = self.character(element, character);
                    let Some(at) = self.follow(&part, &[InitStep::Element(index as u64)]) else {
                        continue;
                    };
                    let at = Located { span: None, ..at };
                    self.write(&at, &value, span);
                }
            }
        }
    }

    pub fn character(&mut self, element: TypeId, character: u32) -> Value {
        let scalar = self.scalar(element);
        self.cx.arith.int(&mut self.cx.ir.pool, scalar, &character.into())
    }

    /// The part of an object that a path of designators leads to.
    pub fn follow(&mut self, place: &Located, path: &[InitStep]) -> Option<Located> {
        let mut at = place.clone();
        for step in path {
            let (offset, ty, bits) = self.step_offset(at.ty, *step)?;
            at = self.part(at, offset, ty);
            at.bits = bits;
        }
        Some(at)
    }

    fn step_offset(
        &self,
        ty: TypeId,
        step: InitStep,
    ) -> Option<(u64, TypeId, Option<lariat_c_program::BitField>)> {
        let types = &self.cx.c.types;
        match (step, types.get(ty)) {
            (InitStep::Field(index), Type::Record(record)) => {
                let field = types.records[*record].fields.get(index as usize)?;
                Some((field.offset, field.ty, field.bits))
            }
            (InitStep::Element(index), Type::Array { element, .. }) => {
                Some((index * types.size(*element)?, *element, None))
            }
            _ => None,
        }
    }
}

fn value_of(item: &InitItem) -> Option<&Expr> {
    match &item.value {
        InitValue::Expr(expr) => Some(expr),
        InitValue::String(_) => None,
    }
}
