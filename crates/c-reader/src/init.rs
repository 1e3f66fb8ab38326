//! Initialisers (C11 6.7.9): libclang gives them as they are written, and here they are spread over the object.
//!
//! The present position in a braced list is a stack of aggregates, outermost first, each with the index of its next part; a
//! designator resets it.

use clang_sys::*;
use lariat_c_program::{
    ExprKind, InitItem, InitStep, InitValue, Initializer, Node, Type, TypeId, visit_expr,
};

use rustc_hash::FxHashSet;

use crate::clang::{Constant, Cursor};
use crate::literal;
use crate::session::Session;

/// An aggregate that is being filled.
struct Frame {
    ty: TypeId,
    next: u64,
}

struct Filling {
    /// The way to the object that the braces are about.
    root: Vec<InitStep>,
    frames: Vec<Frame>,
}

/// The items so far.
#[derive(Default)]
struct Items {
    list: Vec<InitItem>,
    /// The ways to all parts of which something is set, once a designator makes it worth knowing.
    touched: Option<FxHashSet<Vec<InitStep>>>,
}

impl Items {
    fn push(&mut self, path: &[InitStep], value: InitValue) {
        if let Some(touched) = &mut self.touched {
            touch(touched, path);
        }
        self.list.push(InitItem {
            path: path.to_vec(),
            value,
        });
    }

    fn is_touched(&mut self, part: &[InitStep]) -> bool {
        let list = &self.list;
        let touched = self.touched.get_or_insert_with(|| {
            let mut touched = FxHashSet::default();
            list.iter().for_each(|item| touch(&mut touched, &item.path));
            touched
        });
        touched.contains(part)
    }

    /// Forgets what was set of a part.
    fn forget(&mut self, part: &[InitStep]) {
        if self.is_touched(part) {
            self.list.retain(|item| !item.path.starts_with(part));
        }
    }
}

fn touch(touched: &mut FxHashSet<Vec<InitStep>>, path: &[InitStep]) {
    for length in 0..=path.len() {
        if !touched.contains(&path[..length]) {
            touched.insert(path[..length].to_vec());
        }
    }
}

/// One `[low ... high]`, `[low]` or `.field` of a designation.
enum Designator {
    Field(u64),
    Elements(u64, u64),
}

impl<'u> Session<'u, '_> {
    /// The initialiser of an object of static storage.
    pub fn static_initializer(&mut self, ty: TypeId, cursor: Cursor<'u>) -> Initializer {
        let outer = std::mem::replace(&mut self.in_static_initializer, true);
        let init = self.initializer(ty, cursor);
        self.in_static_initializer = outer;
        init
    }

    pub fn initializer(&mut self, ty: TypeId, cursor: Cursor<'u>) -> Initializer {
        let span = self.span(cursor);
        let mut items = Items::default();
        let stripped = strip(cursor);
        self.fill_object(ty, stripped, &[], &mut items);
        // An array is set by braces or a string, never by a value; a record may be copied.
        let zero = match self.program.types.get(ty) {
            Type::Array { .. } | Type::VariableArray { .. } => true,
            Type::Record(_) => stripped.kind() == CXCursor_InitListExpr,
            _ => false,
        };
        Initializer {
            zero,
            items: items.list,
            span,
        }
    }

    fn is_aggregate(&self, ty: TypeId) -> bool {
        matches!(
            self.program.types.get(ty),
            Type::Array { .. } | Type::VariableArray { .. } | Type::Record(_)
        )
    }

    fn is_character(&self, ty: TypeId) -> bool {
        use lariat_c_program::IntKind::*;
        matches!(
            self.program.types.get(ty),
            Type::Int(Char | SChar | UChar | Short | UShort | Int | UInt | Long | ULong)
        )
    }

    /// The string literal that sets an array of characters as a whole.
    fn string_for(&self, ty: TypeId, cursor: Cursor<'u>) -> Option<Vec<u32>> {
        let Type::Array { element, length } = *self.program.types.get(ty) else {
            return None;
        };
        let literal = strip(cursor);
        if literal.kind() != CXCursor_StringLiteral || !self.is_character(element) {
            return None;
        }
        let mut units = literal::code_units(&literal.spelling())?;
        if length.is_none_or(|length| (units.len() as u64) < length) {
            units.push(0);
        }
        units.truncate(length.map_or(usize::MAX, |length| length as usize));
        Some(units)
    }

    /// Sets the object at `path` from one initialiser, which is not one of a list with braces left out.
    fn fill_object(&mut self, ty: TypeId, cursor: Cursor<'u>, path: &[InitStep], items: &mut Items) {
        let cursor = strip(cursor);
        if let Some(units) = self.string_for(ty, cursor) {
            items.push(path, InitValue::String(units));
            return;
        }
        if cursor.kind() == CXCursor_InitListExpr {
            let elements = cursor.children();
            let elements: Vec<Cursor<'u>> = elements
                .into_iter()
                .filter(|child| child.is_expression())
                .collect();
            if let &[only] = elements.as_slice()
                && (!self.is_aggregate(ty) || self.string_for(ty, only).is_some())
            {
                // `{ 1 }` for a scalar, `{ "text" }` for an array.
                return self.fill_object(ty, only, path, items);
            }
            if self.is_aggregate(ty) {
                return self.fill_list(ty, &elements, path, items);
            }
            if elements.is_empty() {
                // `{}` for a scalar is zero.
                let span = self.span(cursor);
                let int = self.int_type();
                let zero = self.int(0, int, span);
                let value = InitValue::Expr(self.convert(zero, ty));
                items.push(path, value);
                return;
            }
            let span = self.span(cursor);
            let value = self.unsupported("a braced list for a type that is not modelled", ty, span);
            items.push(path, InitValue::Expr(value));
            return;
        }
        // GNU: an array set from a compound literal has the literal's elements.
        if cursor.kind() == CXCursor_CompoundLiteralExpr
            && matches!(self.program.types.get(ty), Type::Array { .. })
            && let Some(&list) = cursor.operands().last()
        {
            return self.fill_object(ty, list, path, items);
        }
        let value = self.value(cursor);
        let value = InitValue::Expr(self.convert(value, ty));
        items.push(path, value);
    }

    fn fill_list(&mut self, ty: TypeId, elements: &[Cursor<'u>], path: &[InitStep], items: &mut Items) {
        let mut filling = Filling {
            root: path.to_vec(),
            frames: vec![Frame { ty, next: 0 }],
        };
        let mut designated = false;
        for &element in elements {
            match self.designation(ty, element) {
                Some((designators, value)) => {
                    designated = true;
                    self.fill_designated(&mut filling, &designators, value, items);
                }
                None => self.fill_next(&mut filling, element, designated, items),
            }
        }
    }

    /// The type of a part of an aggregate and how to get there; `None` behind its end.
    fn part(&self, ty: TypeId, index: u64) -> Option<(TypeId, InitStep)> {
        match *self.program.types.get(ty) {
            Type::Array { element, length } => length
                .is_none_or(|length| index < length)
                .then_some((element, InitStep::Element(index))),
            Type::VariableArray { element } => Some((element, InitStep::Element(index))),
            Type::Record(record) => {
                let field = self.program.types.records[record]
                    .fields
                    .get(usize::try_from(index).ok()?)?;
                Some((field.ty, InitStep::Field(index as u32)))
            }
            _ => None,
        }
    }

    /// After a part is set: the next one, and none in a union.
    fn advance(&self, frame: &mut Frame) {
        let is_union = match *self.program.types.get(frame.ty) {
            Type::Record(record) => self.program.types.records[record].is_union,
            _ => false,
        };
        frame.next = if is_union { u64::MAX } else { frame.next + 1 };
    }

    /// An initialiser without designation goes to the next part; if that is an aggregate whose braces are left out, to its
    /// first part.
    fn fill_next(&mut self, filling: &mut Filling, element: Cursor<'u>, designated: bool, items: &mut Items) {
        loop {
            let Some(frame) = filling.frames.last() else {
                // More initialisers than parts: clang warns, and they are ignored.
                return;
            };
            let Some((part, _)) = self.part(frame.ty, frame.next) else {
                filling.frames.pop();
                if let Some(outer) = filling.frames.last_mut() {
                    self.advance(outer);
                }
                continue;
            };
            if self.is_whole(part, element) {
                let path = self.path(filling);
                if designated {
                    items.forget(&path);
                }
                self.fill_object(part, element, &path, items);
                if let Some(frame) = filling.frames.last_mut() {
                    self.advance(frame);
                }
                return;
            }
            filling.frames.push(Frame { ty: part, next: 0 });
        }
    }

    /// Does the initialiser set the whole part, rather than the first part of it?
    fn is_whole(&mut self, part: TypeId, element: Cursor<'u>) -> bool {
        if !self.is_aggregate(part) {
            return true;
        }
        let stripped = strip(element);
        if stripped.kind() == CXCursor_InitListExpr || self.string_for(part, stripped).is_some() {
            return true;
        }
        self.program.types.record_of(part).is_some() && self.type_of(stripped) == part
    }

    fn path(&self, filling: &Filling) -> Vec<InitStep> {
        let steps = filling
            .frames
            .iter()
            .filter_map(|frame| Some(self.part(frame.ty, frame.next)?.1));
        filling.root.iter().copied().chain(steps).collect()
    }

    fn fill_designated(
        &mut self,
        filling: &mut Filling,
        designators: &[Designator],
        value: Cursor<'u>,
        items: &mut Items,
    ) {
        filling.frames.truncate(1);
        // How often the value is set: more than once for a range.
        let mut repeat = None;
        for (index, designator) in designators.iter().enumerate() {
            let next = match *designator {
                Designator::Field(next) => next,
                Designator::Elements(low, high) => {
                    if high > low {
                        repeat = Some((filling.frames.len() - 1, low, high));
                    }
                    low
                }
            };
            let Some(frame) = filling.frames.last_mut() else {
                return;
            };
            frame.next = next;
            let ty = frame.ty;
            if index + 1 < designators.len() {
                match self.part(ty, next) {
                    Some((part, _)) => filling.frames.push(Frame { ty: part, next: 0 }),
                    None => return,
                }
            }
        }
        let (level, low, high) = repeat.unwrap_or_else(|| {
            let level = filling.frames.len() - 1;
            (level, filling.frames[level].next, filling.frames[level].next)
        });
        // What is not set is zero, so a long range of zeros need not be written out.
        let is_zero = high > low && value.evaluate() == Some(Constant::Int(0));
        let around = &self.path(filling)[..filling.root.len() + level];
        let first = if is_zero && !items.is_touched(around) {
            high
        } else {
            low
        };
        for index in first..=high {
            filling.frames[level].next = index;
            let innermost = filling.frames.len() - 1;
            let (ty, next) = (filling.frames[innermost].ty, filling.frames[innermost].next);
            let Some((part, _)) = self.part(ty, next) else {
                return;
            };
            let path = self.path(filling);
            // What is set before is set anew; another member of a union ends the one that was set.
            let prefix = match *self.program.types.get(ty) {
                Type::Record(record) if self.program.types.records[record].is_union => path.len() - 1,
                _ => path.len(),
            };
            items.forget(&path[..prefix]);
            let before = items.list.len();
            // What is not set is zero, so a long range of zeros need not be written out.
            let is_zero =
                high > low && !self.is_aggregate(part) && value.evaluate() == Some(Constant::Int(0));
            if is_zero {
                continue;
            }
            if self.is_whole(part, value) {
                self.fill_object(part, value, &path, items);
            } else {
                // `.a = 1` where `a` is an aggregate: its first part, as if its braces were left out.
                let mut inner = Filling {
                    root: path,
                    frames: vec![Frame { ty: part, next: 0 }],
                };
                self.fill_next(&mut inner, value, false, items);
                // What follows goes on inside of it.
                filling.frames.extend(inner.frames);
                return;
            }
            if high > low {
                self.refuse_repeated_effects(&mut items.list[before..]);
            }
        }
        if let Some(frame) = filling.frames.last_mut() {
            self.advance(frame);
        }
    }

    /// The value of a range is evaluated once in C; we write it once for each element, so it must have no effects.
    fn refuse_repeated_effects(&self, items: &mut [InitItem]) {
        for item in items {
            let InitValue::Expr(value) = &mut item.value else {
                continue;
            };
            let mut has_effects = false;
            visit_expr(value, &mut |node| {
                has_effects |= matches!(
                    node,
                    Node::Expr(expr) if matches!(
                        expr.kind,
                        ExprKind::Assign { .. } | ExprKind::CompoundAssign { .. } | ExprKind::Step { .. }
                            | ExprKind::Call { .. } | ExprKind::Statements(_) | ExprKind::VaArg(_)
                    )
                );
            });
            if has_effects {
                value.kind =
                    ExprKind::Unsupported("a range of elements set from a value with side effects".into());
            }
        }
    }

    /// The designation of an element of a list, and its value.
    fn designation(&mut self, ty: TypeId, cursor: Cursor<'u>) -> Option<(Vec<Designator>, Cursor<'u>)> {
        if cursor.kind() != CXCursor_UnexposedExpr {
            return None;
        }
        let children = cursor.children();
        let (&value, designators) = children.split_last()?;
        let starts_with_member = designators.first()?.kind() == CXCursor_MemberRef;
        // Any other node of several children has a type; a designation has none.
        let is_void = cursor.ty().is_some_and(|ty| ty.kind() == CXType_Void);
        if !starts_with_member && !is_void {
            return None;
        }
        let mut list = Vec::new();
        let mut present = ty;
        let mut rest = designators.iter().copied().peekable();
        while let Some(designator) = rest.next() {
            if designator.kind() == CXCursor_MemberRef {
                let field = designator.referenced()?;
                let &(record, index) = self.types.fields.get(&field.declaration_key())?;
                for (record, index) in self.path_to(present, record, index)? {
                    present = self.program.types.records[record].fields[index as usize].ty;
                    list.push(Designator::Field(u64::from(index)));
                }
                continue;
            }
            let Some(Constant::Int(low)) = designator.evaluate() else {
                return None;
            };
            let (element, _) = self.part(present, 0)?;
            let mut high = low;
            if let Some(&following) = rest.peek()
                && following.kind() != CXCursor_MemberRef
                && (!self.is_aggregate(element) || self.is_range(designator, following))
            {
                rest.next();
                if let Some(Constant::Int(end)) = following.evaluate() {
                    high = end;
                }
            }
            list.push(Designator::Elements(low as u64, high as u64));
            present = element;
        }
        Some((list, value))
    }

    /// Is `...` between two designators, rather than `][`?
    fn is_range(&mut self, low: Cursor<'u>, high: Cursor<'u>) -> bool {
        let (low, high) = (self.span(low), self.span(high));
        low.source == high.source
            && self
                .sources
                .file(low.source)
                .text
                .get(low.end as usize..high.start as usize)
                .is_some_and(|between| between.contains("..."))
    }
}

/// Without parentheses and nodes that only repeat their operand's type and tokens.
fn strip(mut cursor: Cursor<'_>) -> Cursor<'_> {
    loop {
        match cursor.kind() {
            CXCursor_ParenExpr => {}
            CXCursor_UnexposedExpr => {
                let &[operand] = cursor.children().as_slice() else {
                    return cursor;
                };
                let same_type = match (cursor.ty(), operand.ty()) {
                    (Some(left), Some(right)) => left.canonical().key() == right.canonical().key(),
                    _ => false,
                };
                if !same_type || operand.raw_range() != cursor.raw_range() {
                    return cursor;
                }
            }
            CXCursor_UnaryOperator if cursor.unary_operator() == CXUnaryOperator_Extension => {}
            _ => return cursor,
        }
        match cursor.operands().as_slice() {
            &[operand] => cursor = operand,
            _ => return cursor,
        }
    }
}
