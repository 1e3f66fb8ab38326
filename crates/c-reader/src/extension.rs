//! Expressions that are not operators: calls, casts, literals of objects, and the extensions that libclang leaves unnamed.

use clang_sys::*;
use lariat_base::Span;
use lariat_c_program::{
    Callee, Expr, ExprKind, FunctionId, InitItem, InitStep, InitValue, Initializer, PlaceKind, RecordId,
    Type, TypeId,
};

use crate::clang::{Constant, Cursor};
use crate::node::Node;
use crate::session::Session;

impl<'u> Session<'u, '_> {
    pub fn call(&mut self, cursor: Cursor<'u>) -> Expr {
        let (ty, span) = (self.value_type(cursor), self.span(cursor));
        let operands = cursor.operands();
        let Some((&callee, arguments)) = operands.split_first() else {
            return self.unsupported("a call that clang gives incompletely", ty, span);
        };
        let name = cursor
            .referenced()
            .filter(|declaration| declaration.kind() == CXCursor_FunctionDecl)
            .map(|declaration| declaration.spelling())
            .unwrap_or_default();
        if name.starts_with("__builtin_")
            && let Some(value) = self.constant_builtin(cursor, &name)
        {
            return value;
        }
        if let Some(value) = self.sync_call(cursor, &name, arguments) {
            return value;
        }
        let mut callee = self.value(callee);
        if !name.is_empty() {
            // Called by its name, though its definition may have other types than the declaration here.
            while let ExprKind::Convert(inner) = callee.kind {
                callee = *inner;
            }
        }
        let by_reference = matches!(
            name.as_str(),
            "__builtin_va_start" | "__builtin_va_end" | "__builtin_va_copy"
        );
        let mut args = Vec::with_capacity(arguments.len());
        for &argument in arguments {
            let node = self.node(argument);
            args.push(match node {
                Node::Place(list) if by_reference && *self.program.types.get(list.ty) == Type::VaList => {
                    let span = list.span;
                    self.address_of(list, span)
                }
                node => {
                    let span = self.span(argument);
                    self.value_of(node, span)
                }
            });
        }
        match callee.kind {
            ExprKind::FunctionAddress(function) => self.direct_call(function, args, ty, span),
            kind => {
                let callee = Callee::Pointer(Box::new(Expr { kind, ..callee }));
                self.expr(ExprKind::Call { callee, args }, ty, span)
            }
        }
    }

    /// A call of a function. Where it stands, another declaration than the definition may be visible, or none: what is
    /// passed and given back is converted to what the function takes and gives.
    fn direct_call(&mut self, function: FunctionId, args: Vec<Expr>, ty: TypeId, span: Span) -> Expr {
        let callee = Callee::Function(function);
        let Type::Function(taken) = self
            .program
            .types
            .get(self.program.functions[function].ty)
            .clone()
        else {
            return self.expr(ExprKind::Call { callee, args }, ty, span);
        };
        let params = taken.params.iter().map(Some).chain(std::iter::repeat(None));
        let args = args
            .into_iter()
            .zip(params)
            .map(|(arg, param)| match param {
                Some(&param) if self.are_scalars(arg.ty, param) => self.convert(arg, param),
                _ => arg,
            })
            .collect();
        let kind = ExprKind::Call { callee, args };
        if taken.result != ty && self.are_scalars(taken.result, ty) {
            let result = self.expr(kind, taken.result, span);
            return self.convert(result, ty);
        }
        self.expr(kind, ty, span)
    }

    fn are_scalars(&self, left: TypeId, right: TypeId) -> bool {
        self.program.types.scalar(left).is_some() && self.program.types.scalar(right).is_some()
    }

    /// A builtin that clang computes while compiling.
    fn constant_builtin(&mut self, cursor: Cursor<'u>, name: &str) -> Option<Expr> {
        let constant = match name {
            "__builtin_constant_p" => cursor.evaluate().unwrap_or(Constant::Int(0)),
            "__builtin_object_size" | "__builtin_dynamic_object_size" => cursor.evaluate().or_else(|| {
                // Unknown: the largest size, or 0 where the smallest is asked for.
                let kind = cursor.operands().last().and_then(|kind| kind.evaluate());
                let is_minimum = matches!(kind, Some(Constant::Int(2 | 3)));
                Some(Constant::Int(if is_minimum { 0 } else { -1 }))
            })?,
            "__builtin_inf"
            | "__builtin_inff"
            | "__builtin_infl"
            | "__builtin_huge_val"
            | "__builtin_huge_valf"
            | "__builtin_huge_vall"
            | "__builtin_nan"
            | "__builtin_nanf"
            | "__builtin_nanl" => cursor.evaluate()?,
            _ => return None,
        };
        let (ty, span) = (self.type_of(cursor), self.span(cursor));
        Some(match constant {
            Constant::Int(value) => {
                let value = self.wrap(value, ty);
                self.int(value, ty, span)
            }
            Constant::Float(value) => self.expr(ExprKind::Float(value), ty, span),
        })
    }

    pub fn cast(&mut self, cursor: Cursor<'u>) -> Node {
        let Some(&operand) = cursor.operands().last() else {
            return self.unknown(cursor, "a cast without operand");
        };
        let (ty, span) = (self.value_type(cursor), self.span(cursor));
        let mut value = self.value(operand);
        if let (Some(record), true) = (self.program.types.record_of(ty), value.ty != ty) {
            return self.cast_to_union(record, value, ty, span);
        }
        if value.ty == ty {
            return Node::Value(value);
        }
        value.span = span;
        Node::Value(self.convert(value, ty))
    }

    /// GNU's `(union u)value`: a union whose first member of the value's type is set.
    fn cast_to_union(&mut self, record: RecordId, value: Expr, ty: TypeId, span: Span) -> Node {
        let fields = &self.program.types.records[record].fields;
        let field = fields.iter().position(|field| field.ty == value.ty);
        let (Some(field), true) = (field, self.body.is_some()) else {
            return Node::Value(self.unsupported("a cast to a record", ty, span));
        };
        let local = self.new_local("", ty, span);
        let init = Initializer {
            zero: true,
            items: vec![InitItem {
                path: vec![InitStep::Field(field as u32)],
                value: InitValue::Expr(value),
            }],
            span,
        };
        let place = self.place_at(PlaceKind::CompoundLiteral { local, init }, ty, span);
        Node::Value(self.value_of(Node::Place(place), span))
    }

    pub fn compound_literal(&mut self, cursor: Cursor<'u>) -> Node {
        let (ty, span) = (self.type_of(cursor), self.span(cursor));
        let Some(&value) = cursor.operands().last() else {
            return self.unknown(cursor, "a compound literal without its values");
        };
        if self.in_static_initializer || self.body.is_none() {
            let is_const = cursor.ty().is_some_and(|ty| ty.is_const());
            let global = self.hidden_global("literal", ty, is_const, span);
            let init = self.static_initializer(ty, value);
            self.program.globals[global].init = Some(init);
            return Node::Place(self.place_at(PlaceKind::Global(global), ty, span));
        }
        let local = self.new_local("", ty, span);
        let init = self.initializer(ty, value);
        Node::Place(self.place_at(PlaceKind::CompoundLiteral { local, init }, ty, span))
    }

    pub fn statement_expression(&mut self, cursor: Cursor<'u>) -> Node {
        let (ty, span) = (self.value_type(cursor), self.span(cursor));
        let children = cursor.children();
        let Some(block) = children.first() else {
            return self.unknown(cursor, "a statement expression without statements");
        };
        if self.body.is_none() {
            return self.unknown(cursor, "a statement expression outside of functions");
        }
        let mut stmts = self.stmts(&block.children());
        // The value may be a label's statement, `({ …; done: x; })`.
        let mut last = stmts.last_mut();
        while let Some(stmt) = last.take() {
            match &mut stmt.kind {
                lariat_c_program::StmtKind::Label { body, .. } => last = Some(body),
                lariat_c_program::StmtKind::Expr(value) if value.ty != ty => {
                    let taken = std::mem::replace(&mut value.kind, ExprKind::Unsupported(String::new()));
                    let inner = Expr {
                        id: value.id,
                        kind: taken,
                        ty: value.ty,
                        span: value.span,
                    };
                    *value = self.convert(inner, ty);
                }
                _ => {}
            }
        }
        Node::Value(self.expr(ExprKind::Statements(stmts), ty, span))
    }

    pub fn label_address(&mut self, cursor: Cursor<'u>) -> Node {
        let children = cursor.children();
        let statement = children.first().and_then(|label| label.referenced());
        match statement.and_then(|statement| self.label(statement)) {
            Some(label) => {
                let (ty, span) = (self.type_of(cursor), self.span(cursor));
                Node::Value(self.expr(ExprKind::LabelAddress(label), ty, span))
            }
            None => self.unknown(cursor, "the address of a label outside of its function"),
        }
    }

    /// `_Generic`: libclang gives the candidates but not which one is taken. It has the type of the whole; if several
    /// have, only a constant distinguishes them.
    pub fn generic_selection(&mut self, cursor: Cursor<'u>) -> Node {
        let key = |cursor: Cursor<'u>| cursor.ty().map(|ty| ty.canonical().key());
        let wanted = key(cursor);
        let operands = cursor.operands();
        let mut candidates = operands
            .iter()
            .skip(1)
            .filter(|&&candidate| key(candidate) == wanted)
            .copied();
        match (candidates.next(), candidates.next()) {
            (Some(only), None) => self.node(only),
            _ if cursor.evaluate().is_some() => self.constant(cursor),
            _ => self.unknown(
                cursor,
                "a `_Generic` of which two alternatives have the same type",
            ),
        }
    }

    /// Expressions that libclang has no kind for.
    pub fn unnamed_expression(&mut self, cursor: Cursor<'u>, operands: &[Cursor<'u>]) -> Node {
        if let &[common, _, _, otherwise] = operands
            && common.raw_range().start == cursor.raw_range().start
            && otherwise.raw_range().end == cursor.raw_range().end
        {
            return self.conditional_without_middle(cursor, common, otherwise);
        }
        let word = cursor.first_token();
        match (word.as_str(), operands) {
            ("__builtin_va_arg", &[list, ..]) => self.va_arg(cursor, list),
            ("__builtin_choose_expr", &[condition, then, otherwise]) => match condition.evaluate() {
                Some(Constant::Int(0)) => self.node(otherwise),
                Some(_) => self.node(then),
                None => self.unknown(
                    cursor,
                    "a `__builtin_choose_expr` whose condition clang does not compute",
                ),
            },
            ("__builtin_offsetof" | "__builtin_types_compatible_p", _) => self.constant(cursor),
            ("__builtin_shufflevector" | "__builtin_convertvector", _) => {
                self.unknown(cursor, "a vector operation")
            }
            (word, _) if word.starts_with("__atomic_") || word.starts_with("__c11_atomic_") => {
                self.atomic(cursor, word, operands)
            }
            _ if cursor.evaluate().is_some() => self.constant(cursor),
            (word, _) => self.unknown(
                cursor,
                &format!("an expression that libclang does not name, at `{word}`"),
            ),
        }
    }

    /// GNU's `c ?: b`. libclang gives the common operand three times.
    fn conditional_without_middle(
        &mut self,
        cursor: Cursor<'u>,
        common: Cursor<'u>,
        otherwise: Cursor<'u>,
    ) -> Node {
        let (ty, span) = (self.value_type(cursor), self.span(cursor));
        let condition = Box::new(self.value(common));
        let otherwise = self.value(otherwise);
        let otherwise = Box::new(self.convert(otherwise, ty));
        let kind = ExprKind::Conditional {
            condition,
            then: None,
            otherwise,
        };
        Node::Value(self.expr(kind, ty, span))
    }

    fn va_arg(&mut self, cursor: Cursor<'u>, list: Cursor<'u>) -> Node {
        let (ty, span) = (self.type_of(cursor), self.span(cursor));
        let list = match self.node(list) {
            Node::Place(list) if *self.program.types.get(list.ty) == Type::VaList => {
                let span = list.span;
                self.address_of(list, span)
            }
            node => self.value_of(node, span),
        };
        Node::Value(self.expr(ExprKind::VaArg(Box::new(list)), ty, span))
    }
}
