//! Nodes of the syntax tree.

use std::ffi::c_int;
use std::ops::Range;
use std::ptr;

use clang_sys::*;

use super::functions::Functions;
use super::{Position, Type, Unit};

/// The ranges of `CXCursorKind`; clang keeps statements from 200 on and preprocessing from 500 on.
pub(super) const INVALID: Range<CXCursorKind> = 70..100;
const EXPRESSIONS: Range<CXCursorKind> = 100..200;
const ATTRIBUTES: Range<CXCursorKind> = 400..500;

/// A node of the syntax tree.
#[derive(Clone, Copy)]
pub struct Cursor<'u> {
    unit: &'u Unit<'u>,
    raw: CXCursor,
}

/// The source range of a cursor as clang numbers places, macros kept apart: equal only for the same tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RawRange {
    pub start: u32,
    pub end: u32,
}

/// What clang computes for a constant expression.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Constant {
    Int(i128),
    Float(f64),
}

extern "C" fn collect(child: CXCursor, _: CXCursor, list: CXClientData) -> CXChildVisitResult {
    // SAFETY: `Cursor::children` passes its list, which nothing else uses meanwhile.
    unsafe { &mut *list.cast::<Vec<CXCursor>>() }.push(child);
    CXChildVisit_Continue
}

// SAFETY of all blocks below: a cursor or type belongs to its unit, which is live, and libclang accepts any of them for
// any of these functions.
impl<'u> Cursor<'u> {
    pub(super) fn new(unit: &'u Unit<'u>, raw: CXCursor) -> Self {
        Cursor { unit, raw }
    }

    fn functions(self) -> &'u Functions {
        &self.unit.clang.functions
    }

    pub fn unit(self) -> &'u Unit<'u> {
        self.unit
    }

    pub fn kind(self) -> CXCursorKind {
        self.raw.kind
    }

    pub fn is_expression(self) -> bool {
        EXPRESSIONS.contains(&self.raw.kind)
    }

    pub fn is_attribute(self) -> bool {
        ATTRIBUTES.contains(&self.raw.kind)
    }

    /// The declaration that this cursor is, as a key.
    pub fn declaration_key(self) -> usize {
        self.raw.data[0] as usize
    }

    /// The statement or expression that this cursor is, as a key.
    pub fn statement_key(self) -> usize {
        self.raw.data[1] as usize
    }

    pub fn children(self) -> Vec<Cursor<'u>> {
        let mut raw: Vec<CXCursor> = Vec::new();
        unsafe { (self.functions().visit_children)(self.raw, collect, (&raw mut raw).cast()) };
        raw.into_iter().map(|raw| self.unit.cursor(raw)).collect()
    }

    /// The children that are expressions.
    pub fn operands(self) -> Vec<Cursor<'u>> {
        let mut children = self.children();
        children.retain(|child| child.is_expression());
        children
    }

    /// Which of the four parts of a `for` are there: initialisation, condition, step, body. libclang only gives the list of
    /// those that are there, but clang's `ForStmt` has a slot for each, behind its header of one word. The answer is given
    /// only if the slots hold exactly this cursor's children in their order, so a different layout is noticed.
    pub fn for_parts(self) -> Option<[Option<Cursor<'u>>; 4]> {
        if self.kind() != CXCursor_ForStmt || self.raw.data[1].is_null() {
            return None;
        }
        let children = self.children();
        // SAFETY: a `ForStmt` is larger than six words in all versions of clang.
        let slots = unsafe { ptr::read(self.raw.data[1].cast::<[usize; 6]>()) };
        let [_, init, condition_variable, condition, step, body] = slots;
        if condition_variable != 0 {
            return None;
        }
        let mut left = children.iter().copied();
        let mut parts = [None; 4];
        for (part, slot) in parts.iter_mut().zip([init, condition, step, body]) {
            if slot != 0 {
                *part = Some(left.next().filter(|child| child.statement_key() == slot)?);
            }
        }
        left.next().is_none().then_some(parts)
    }

    pub fn ty(self) -> Option<Type<'u>> {
        self.unit
            .some_type(unsafe { (self.functions().cursor_type)(self.raw) })
    }

    pub fn referenced(self) -> Option<Cursor<'u>> {
        self.unit
            .some_cursor(unsafe { (self.functions().cursor_referenced)(self.raw) })
    }

    pub fn canonical(self) -> Cursor<'u> {
        self.unit
            .cursor(unsafe { (self.functions().cursor_canonical)(self.raw) })
    }

    pub fn definition(self) -> Option<Cursor<'u>> {
        self.unit
            .some_cursor(unsafe { (self.functions().cursor_definition)(self.raw) })
    }

    pub fn is_definition(self) -> bool {
        unsafe { (self.functions().cursor_is_definition)(self.raw) != 0 }
    }

    pub fn spelling(self) -> String {
        self.unit
            .clang
            .text(unsafe { (self.functions().cursor_spelling)(self.raw) })
    }

    /// A declaration as clang prints it, macros expanded.
    pub fn pretty(self) -> String {
        self.unit
            .clang
            .text(unsafe { (self.functions().cursor_pretty)(self.raw, ptr::null_mut()) })
    }

    pub fn raw_range(self) -> RawRange {
        let range = unsafe { (self.functions().cursor_extent)(self.raw) };
        RawRange {
            start: range.begin_int_data,
            end: range.end_int_data,
        }
    }

    /// Where it stands in a file.
    pub fn range(self) -> Option<(Position, Position)> {
        let range = unsafe { (self.functions().cursor_extent)(self.raw) };
        let (start, end) = unsafe {
            (
                (self.functions().range_start)(range),
                (self.functions().range_end)(range),
            )
        };
        for expansion in [false, true] {
            let (from, to) = (
                self.unit.position(start, expansion)?,
                self.unit.position(end, expansion)?,
            );
            if from.file == to.file && from.offset < to.offset {
                return Some((from, to));
            }
        }
        let at = self.unit.position(start, true)?;
        Some((at, at))
    }

    /// Of the name of a declaration.
    pub fn location(self) -> Option<Position> {
        self.unit
            .position(unsafe { (self.functions().cursor_location)(self.raw) }, true)
    }

    pub fn is_in_system_header(self) -> bool {
        unsafe {
            let location = (self.functions().cursor_location)(self.raw);
            (self.functions().location_is_system)(location) != 0
        }
    }

    pub fn linkage(self) -> CXLinkageKind {
        unsafe { (self.functions().cursor_linkage)(self.raw) }
    }

    pub fn storage(self) -> CX_StorageClass {
        unsafe { (self.functions().cursor_storage)(self.raw) }
    }

    pub fn is_thread_local(self) -> bool {
        unsafe { (self.functions().cursor_tls)(self.raw) != CXTLS_None }
    }

    pub fn is_inline(self) -> bool {
        unsafe { (self.functions().cursor_inlined)(self.raw) != 0 }
    }

    /// The parameters of a function's declaration.
    pub fn parameters(self) -> Vec<Cursor<'u>> {
        let count = unsafe { (self.functions().cursor_argument_count)(self.raw) };
        (0..u32::try_from(count).unwrap_or(0))
            .filter_map(|index| {
                self.unit
                    .some_cursor(unsafe { (self.functions().cursor_argument)(self.raw, index) })
            })
            .collect()
    }

    pub fn initializer(self) -> Option<Cursor<'u>> {
        self.unit
            .some_cursor(unsafe { (self.functions().cursor_initializer)(self.raw) })
    }

    pub fn binary_operator(self) -> c_int {
        unsafe { (self.functions().cursor_binary)(self.raw) }
    }

    pub fn unary_operator(self) -> c_int {
        unsafe { (self.functions().cursor_unary)(self.raw) }
    }

    /// The value of a constant expression of scalar type. clang crashes on braced lists as they are written, and
    /// designations, whose type is `void`, are such.
    pub fn evaluate(self) -> Option<Constant> {
        let is_value =
            self.kind() != CXCursor_InitListExpr && self.ty().is_some_and(|ty| ty.kind() != CXType_Void);
        if !is_value {
            return None;
        }
        let functions = self.functions();
        unsafe {
            let result = (functions.cursor_evaluate)(self.raw);
            if result.is_null() {
                return None;
            }
            let constant = match (functions.eval_kind)(result) {
                CXEval_Int if (functions.eval_is_unsigned)(result) != 0 => {
                    Some(Constant::Int(i128::from((functions.eval_unsigned)(result))))
                }
                CXEval_Int => Some(Constant::Int(i128::from((functions.eval_int)(result)))),
                CXEval_Float => Some(Constant::Float((functions.eval_double)(result))),
                _ => None,
            };
            (functions.eval_dispose)(result);
            constant
        }
    }

    pub fn enum_type(self) -> Option<Type<'u>> {
        self.unit
            .some_type(unsafe { (self.functions().enum_type)(self.raw) })
    }

    /// The value of an enumerator of an enumeration whose type is `signed`.
    pub fn enum_value(self, signed: bool) -> i128 {
        unsafe {
            if signed {
                i128::from((self.functions().enum_value)(self.raw))
            } else {
                i128::from((self.functions().enum_unsigned)(self.raw))
            }
        }
    }

    pub fn bit_width(self) -> Option<u32> {
        unsafe {
            ((self.functions().field_is_bits)(self.raw) != 0)
                .then(|| u32::try_from((self.functions().field_width)(self.raw)).unwrap_or(0))
        }
    }

    /// In bits.
    pub fn field_offset(self) -> Option<u64> {
        u64::try_from(unsafe { (self.functions().field_offset)(self.raw) }).ok()
    }

    pub fn typedef_type(self) -> Option<Type<'u>> {
        self.unit
            .some_type(unsafe { (self.functions().typedef_type)(self.raw) })
    }

    /// The first token as it is written, in the macro's body if it is from there.
    pub fn first_token(self) -> String {
        let functions = self.functions();
        unsafe {
            let start = (functions.range_start)((functions.cursor_extent)(self.raw));
            let token = (functions.token_at)(self.unit.unit, start);
            if token.is_null() {
                return String::new();
            }
            let text = self
                .unit
                .clang
                .text((functions.token_spelling)(self.unit.unit, *token));
            (functions.dispose_tokens)(self.unit.unit, token, 1);
            text
        }
    }

    /// The tokens of its range; empty if it starts and ends in different macros.
    pub fn tokens(self) -> Vec<String> {
        let functions = self.functions();
        let (mut tokens, mut count) = (ptr::null_mut(), 0);
        unsafe {
            let range = (functions.cursor_extent)(self.raw);
            (functions.tokenize)(self.unit.unit, range, &mut tokens, &mut count);
            if tokens.is_null() {
                return Vec::new();
            }
            let list = (0..count as usize)
                .map(|index| {
                    let token = *tokens.add(index);
                    self.unit
                        .clang
                        .text((functions.token_spelling)(self.unit.unit, token))
                })
                .collect();
            (functions.dispose_tokens)(self.unit.unit, tokens, count);
            list
        }
    }
}
