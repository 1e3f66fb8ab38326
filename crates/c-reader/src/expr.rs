//! Expressions.
//!
//! libclang gives an implicit conversion as a node without a name whose one operand has the same tokens; what it is follows
//! from the two types. Other nodes without a name are distinguished by their first token.

use clang_sys::*;
use lariat_base::Span;
use lariat_c_program::{
    AssignOp, BinaryOp, CompareOp, Expr, ExprKind, IntKind, Place, PlaceKind, Type, TypeId, UnaryOp,
};

use crate::clang::{Constant, Cursor};
use crate::node::Node;
use crate::session::Session;

impl<'u> Session<'u, '_> {
    pub fn value(&mut self, cursor: Cursor<'u>) -> Expr {
        let node = self.node(cursor);
        let span = match &node {
            Node::Value(value) | Node::FunctionAt(value) => value.span,
            Node::Place(place) => place.span,
            Node::Function(_) => self.span(cursor),
        };
        self.value_of(node, span)
    }

    pub fn place(&mut self, cursor: Cursor<'u>) -> Place {
        let node = self.node(cursor);
        let span = self.span(cursor);
        self.place_of(node, span)
    }

    pub fn node(&mut self, cursor: Cursor<'u>) -> Node {
        let node = self.nested(|session| session.make_node(cursor));
        let Node::Place(place) = &node else {
            return node;
        };
        if cursor.ty().is_some_and(|ty| ty.is_volatile()) {
            self.program.volatile_places.insert(place.id);
        }
        if cursor
            .ty()
            .is_some_and(|ty| ty.canonical().kind() == CXType_Atomic)
        {
            if self.program.types.scalar(place.ty).is_none() {
                return self.unknown(cursor, "an atomic object of structure type");
            }
            self.program.atomic_places.insert(place.id);
        }
        node
    }

    fn make_node(&mut self, cursor: Cursor<'u>) -> Node {
        match cursor.kind() {
            CXCursor_ParenExpr => match cursor.operands().as_slice() {
                &[inner] => self.node(inner),
                _ => self.unknown(
                    cursor,
                    "an expression in parentheses that clang gives incompletely",
                ),
            },
            CXCursor_UnexposedExpr => self.unexposed(cursor),
            CXCursor_DeclRefExpr => self.reference(cursor),
            CXCursor_MemberRefExpr => self.member_reference(cursor),
            CXCursor_CallExpr => Node::Value(self.call(cursor)),
            CXCursor_IntegerLiteral | CXCursor_CharacterLiteral => self.constant(cursor),
            CXCursor_FloatingLiteral => self.floating_literal(cursor),
            CXCursor_StringLiteral => self.string_literal(cursor),
            CXCursor_UnaryOperator => self.unary(cursor),
            CXCursor_BinaryOperator => self.binary(cursor),
            CXCursor_CompoundAssignOperator => self.compound_assignment(cursor),
            CXCursor_ConditionalOperator => self.conditional(cursor),
            CXCursor_CStyleCastExpr => self.cast(cursor),
            CXCursor_ArraySubscriptExpr => self.subscript(cursor),
            CXCursor_CompoundLiteralExpr => self.compound_literal(cursor),
            CXCursor_StmtExpr => self.statement_expression(cursor),
            CXCursor_AddrLabelExpr => self.label_address(cursor),
            CXCursor_GenericSelectionExpr => self.generic_selection(cursor),
            CXCursor_UnaryExpr => self.size_or_alignment(cursor),
            CXCursor_ImaginaryLiteral => self.unknown(cursor, "an imaginary number"),
            kind => self.unknown(
                cursor,
                &format!("an expression of a kind that is not known (clang's kind {kind})"),
            ),
        }
    }

    pub fn unknown(&mut self, cursor: Cursor<'u>, reason: &str) -> Node {
        let (ty, span) = (self.type_of(cursor), self.span(cursor));
        Node::Value(self.unsupported(reason, ty, span))
    }

    /// A constant as clang computes it.
    pub fn constant(&mut self, cursor: Cursor<'u>) -> Node {
        let (ty, span) = (self.type_of(cursor), self.span(cursor));
        Node::Value(match cursor.evaluate() {
            Some(Constant::Int(value)) => {
                let value = self.wrap(value, ty);
                self.int(value, ty, span)
            }
            Some(Constant::Float(value)) => self.expr(ExprKind::Float(value), ty, span),
            None => self.unsupported("a constant that clang does not compute", ty, span),
        })
    }

    fn unexposed(&mut self, cursor: Cursor<'u>) -> Node {
        let operands = cursor.operands();
        if let &[operand] = operands.as_slice()
            && operand.raw_range() == cursor.raw_range()
        {
            let ty = self.type_of(cursor);
            let inner = self.node(operand);
            return self.implicit_conversion(inner, ty, operand);
        }
        self.unnamed_expression(cursor, &operands)
    }

    /// What is between an operand and its use: nothing, a load, a decay, or a conversion of the value.
    fn implicit_conversion(&mut self, inner: Node, ty: TypeId, operand: Cursor<'u>) -> Node {
        let is_pointer = matches!(self.program.types.get(ty), Type::Pointer(_));
        // libclang gives an array where a pointer is meant, as a parameter was written.
        let value_type = self.decayed(ty);
        match inner {
            Node::Place(place) if place.ty == ty || place.ty == value_type => Node::Place(place),
            // On x86-64 a `va_list` is an array.
            Node::Place(place)
                if *self.program.types.get(place.ty) == Type::VaList
                    && self.program.types.pointee(value_type) == Some(place.ty) =>
            {
                let span = place.span;
                Node::Value(self.address_of(place, span))
            }
            Node::Function(function) if !is_pointer => Node::Function(function),
            Node::FunctionAt(pointer) if !is_pointer => Node::FunctionAt(pointer),
            inner => {
                let span = match &inner {
                    Node::Value(value) | Node::FunctionAt(value) => value.span,
                    Node::Place(place) => place.span,
                    Node::Function(_) => self.span(operand),
                };
                let value = self.value_of(inner, span);
                Node::Value(self.convert(value, value_type))
            }
        }
    }

    fn reference(&mut self, cursor: Cursor<'u>) -> Node {
        let Some(declaration) = cursor.referenced() else {
            return self.unknown(cursor, "a name that clang does not resolve");
        };
        let span = self.span(cursor);
        match declaration.kind() {
            CXCursor_EnumConstantDecl => {
                let ty = self.type_of(cursor);
                let signed = matches!(
                    self.program.types.scalar(ty),
                    Some(lariat_c_program::Scalar::Int { signed: true, .. })
                );
                let value = self.wrap(declaration.enum_value(signed), ty);
                Node::Value(self.int(value, ty, span))
            }
            CXCursor_FunctionDecl => self.function_node(declaration, span),
            CXCursor_ParmDecl | CXCursor_VarDecl => {
                let key = declaration.declaration_key();
                let local = self.body.as_ref().and_then(|body| {
                    body.declared
                        .get(&key)
                        .map(|&local| (local, body.locals[local].ty))
                });
                Node::Place(match local {
                    Some((local, ty)) => self.place_at(PlaceKind::Local(local), ty, span),
                    None if declaration.kind() == CXCursor_VarDecl => self.variable_place(declaration, span),
                    None => return self.unknown(cursor, "a parameter outside of its function"),
                })
            }
            _ => self.unknown(cursor, "a name of a kind that is not known"),
        }
    }

    fn member_reference(&mut self, cursor: Cursor<'u>) -> Node {
        let field = cursor.referenced();
        let (Some(field), &[base]) = (field, cursor.operands().as_slice()) else {
            return self.unknown(cursor, "a member that clang does not resolve");
        };
        let span = self.span(cursor);
        let node = self.node(base);
        let base_place = match node {
            Node::Value(value) if self.program.types.pointee(value.ty).is_some() => {
                self.pointed_to(value, span)
            }
            Node::Place(place) => match self.program.types.get(place.ty) {
                Type::Pointer(_) | Type::Array { .. } | Type::VariableArray { .. } => {
                    let pointer = self.value_of(Node::Place(place), span);
                    self.pointed_to(pointer, span)
                }
                _ => place,
            },
            node => self.place_of(node, span),
        };
        // The record's fields are known once its type is.
        match self.types.fields.get(&field.declaration_key()) {
            Some(&(record, index)) => Node::Place(self.member(base_place, record, index, span)),
            None => {
                let ty = self.type_of(cursor);
                Node::Place(self.unsupported_place("a member of an unknown record", ty, span))
            }
        }
    }

    fn pointed_to(&mut self, pointer: Expr, span: Span) -> Place {
        match self.program.types.pointee(pointer.ty) {
            Some(target) => self.dereference(pointer, target, span),
            None => self.place_of(Node::Value(pointer), span),
        }
    }

    fn unary(&mut self, cursor: Cursor<'u>) -> Node {
        let &[operand] = cursor.operands().as_slice() else {
            return self.unknown(cursor, "an operator without operand");
        };
        let span = self.span(cursor);
        let (increment, prefix) = match cursor.unary_operator() {
            CXUnaryOperator_PostInc => (true, false),
            CXUnaryOperator_PostDec => (false, false),
            CXUnaryOperator_PreInc => (true, true),
            CXUnaryOperator_PreDec => (false, true),
            CXUnaryOperator_AddrOf => {
                return match self.node(operand) {
                    Node::Place(place) => Node::Value(self.address_of(place, span)),
                    Node::Value(value) => {
                        let place = self.place_of(Node::Value(value), span);
                        Node::Value(self.address_of(place, span))
                    }
                    function => Node::Value(self.value_of(function, span)),
                };
            }
            CXUnaryOperator_Deref => {
                let pointer = self.value(operand);
                return match self.program.types.pointee(pointer.ty) {
                    Some(target) if matches!(self.program.types.get(target), Type::Function(_)) => {
                        Node::FunctionAt(pointer)
                    }
                    Some(target) => Node::Place(self.dereference(pointer, target, span)),
                    None => self.unknown(cursor, "`*` of a value that is no pointer"),
                };
            }
            CXUnaryOperator_Extension => return self.node(operand),
            CXUnaryOperator_Plus => return Node::Value(self.value(operand)),
            operator @ (CXUnaryOperator_Minus | CXUnaryOperator_Not) => {
                let op = if operator == CXUnaryOperator_Minus {
                    UnaryOp::Neg
                } else {
                    UnaryOp::BitNot
                };
                let (ty, operand) = (self.type_of(cursor), Box::new(self.value(operand)));
                return Node::Value(self.expr(ExprKind::Unary { op, operand }, ty, span));
            }
            CXUnaryOperator_LNot => {
                let (ty, operand) = (self.type_of(cursor), self.value(operand));
                return Node::Value(self.expr(ExprKind::Not(Box::new(operand)), ty, span));
            }
            _ => return self.unknown(cursor, "a part of a complex number"),
        };
        let place = self.place(operand);
        Node::Value(self.step(place, operand, increment, prefix, span))
    }

    fn step(&mut self, place: Place, operand: Cursor<'u>, increment: bool, prefix: bool, span: Span) -> Expr {
        let ty = place.ty;
        let variable_target = match self.program.types.pointee(ty) {
            Some(target) => self.program.types.size(target).is_none(),
            None => false,
        };
        if !variable_target {
            let kind = ExprKind::Step {
                place: Box::new(place),
                increment,
                prefix,
            };
            return self.expr(kind, ty, span);
        }
        // A pointer to a variable array steps by a computed size: `p++` is `(p += 1) - 1`.
        let int = self.int_type();
        let element = Box::new(self.target_size(operand, span));
        let kind = ExprKind::CompoundAssign {
            place: Box::new(place),
            op: AssignOp::Pointer {
                subtract: !increment,
                element,
            },
            operand: Box::new(self.int(1, int, span)),
            computation: ty,
        };
        let stepped = self.expr(kind, ty, span);
        if prefix {
            return stepped;
        }
        let kind = ExprKind::PointerAdd {
            pointer: Box::new(stepped),
            index: Box::new(self.int(1, int, span)),
            subtract: increment,
            element: Box::new(self.target_size(operand, span)),
        };
        self.expr(kind, ty, span)
    }

    fn binary(&mut self, cursor: Cursor<'u>) -> Node {
        let &[left, right] = cursor.operands().as_slice() else {
            return self.unknown(cursor, "an operator without operands");
        };
        let (ty, span) = (self.type_of(cursor), self.span(cursor));
        let operator = cursor.binary_operator();
        if operator == CXBinaryOperator_Assign {
            let place = self.place(left);
            let value = self.value(right);
            let value = self.convert(value, place.ty);
            let ty = place.ty;
            let kind = ExprKind::Assign {
                place: Box::new(place),
                value: Box::new(value),
            };
            return Node::Value(self.expr(kind, ty, span));
        }
        let (left_value, right_value) = (self.value(left), self.value(right));
        let kind = match operator {
            CXBinaryOperator_LAnd => ExprKind::And(Box::new(left_value), Box::new(right_value)),
            CXBinaryOperator_LOr => ExprKind::Or(Box::new(left_value), Box::new(right_value)),
            CXBinaryOperator_Comma => {
                let ty = right_value.ty;
                let kind = ExprKind::Comma(Box::new(left_value), Box::new(right_value));
                return Node::Value(self.expr(kind, ty, span));
            }
            _ => {
                if let Some(op) = compare_op(operator) {
                    let common = left_value.ty;
                    let right_value = self.convert(right_value, common);
                    ExprKind::Compare {
                        op,
                        left: Box::new(left_value),
                        right: Box::new(right_value),
                    }
                } else if let Some(op) = arithmetic_op(operator) {
                    let is_pointer = |ty| self.program.types.pointee(ty).is_some();
                    match (is_pointer(left_value.ty), is_pointer(right_value.ty)) {
                        (false, false) => ExprKind::Binary {
                            op,
                            left: Box::new(left_value),
                            right: Box::new(right_value),
                        },
                        (true, true) => ExprKind::PointerDifference {
                            element: Box::new(self.target_size(left, span)),
                            left: Box::new(left_value),
                            right: Box::new(right_value),
                        },
                        (true, false) => ExprKind::PointerAdd {
                            element: Box::new(self.target_size(left, span)),
                            pointer: Box::new(left_value),
                            index: Box::new(right_value),
                            subtract: op == BinaryOp::Sub,
                        },
                        (false, true) => ExprKind::PointerAdd {
                            element: Box::new(self.target_size(right, span)),
                            pointer: Box::new(right_value),
                            index: Box::new(left_value),
                            subtract: false,
                        },
                    }
                } else {
                    return self.unknown(cursor, "an operator that is not known");
                }
            }
        };
        Node::Value(match &kind {
            // Arithmetic of types that are not modelled.
            ExprKind::Binary { .. } | ExprKind::Compare { .. } if self.program.types.scalar(ty).is_none() => {
                let reason = format!("arithmetic of type `{}`", self.program.types.name(ty));
                self.unsupported(reason, ty, span)
            }
            // The sum's type as we have it: clang's may be that of an array parameter.
            ExprKind::PointerAdd { pointer, .. } => {
                let ty = pointer.ty;
                self.expr(kind, ty, span)
            }
            _ => self.expr(kind, ty, span),
        })
    }

    fn compound_assignment(&mut self, cursor: Cursor<'u>) -> Node {
        let &[left, right] = cursor.operands().as_slice() else {
            return self.unknown(cursor, "an assignment without operands");
        };
        let span = self.span(cursor);
        let Some(op) = assign_op(cursor.binary_operator()) else {
            return self.unknown(cursor, "an assignment operator that is not known");
        };
        let place = self.place(left);
        let operand = self.value(right);
        let ty = place.ty;
        if self.program.types.scalar(ty).is_none() {
            return self.unknown(cursor, "a compound assignment to a type that is not modelled");
        }
        let (op, computation) = if self.program.types.pointee(ty).is_some() {
            let element = Box::new(self.target_size(left, span));
            let subtract = op == BinaryOp::Sub;
            (AssignOp::Pointer { subtract, element }, ty)
        } else if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
            (AssignOp::Arithmetic(op), self.promoted(&place))
        } else {
            // clang converts the right operand to the type in which it computes.
            (AssignOp::Arithmetic(op), operand.ty)
        };
        let kind = ExprKind::CompoundAssign {
            place: Box::new(place),
            op,
            operand: Box::new(operand),
            computation,
        };
        Node::Value(self.expr(kind, ty, span))
    }

    /// The type of a place's value after the integer promotions.
    fn promoted(&mut self, place: &Place) -> TypeId {
        let int = self.int_type();
        let width = match place.kind {
            PlaceKind::Member { record, field, .. } => self.program.types.records[record].fields
                [field as usize]
                .bits
                .map(|bits| bits.width),
            _ => None,
        };
        match (self.program.types.scalar(place.ty), width) {
            (Some(lariat_c_program::Scalar::Bool), _) => int,
            (Some(lariat_c_program::Scalar::Int { bits, signed }), width) => match width.unwrap_or(bits) {
                0..32 => int,
                32 if signed => int,
                32 => self.program.types.int(IntKind::UInt),
                _ => match *self.program.types.get(place.ty) {
                    Type::Enum(id) => {
                        let kind = self.program.types.enums[id].underlying;
                        self.program.types.int(kind)
                    }
                    _ => place.ty,
                },
            },
            _ => place.ty,
        }
    }

    fn conditional(&mut self, cursor: Cursor<'u>) -> Node {
        let &[condition, then, otherwise] = cursor.operands().as_slice() else {
            return self.unknown(cursor, "a conditional without operands");
        };
        let (ty, span) = (self.value_type(cursor), self.span(cursor));
        let condition = Box::new(self.value(condition));
        let then = self.value(then);
        let then = Some(Box::new(self.convert(then, ty)));
        let otherwise = self.value(otherwise);
        let otherwise = Box::new(self.convert(otherwise, ty));
        let kind = ExprKind::Conditional {
            condition,
            then,
            otherwise,
        };
        Node::Value(self.expr(kind, ty, span))
    }

    fn subscript(&mut self, cursor: Cursor<'u>) -> Node {
        let &[first, second] = cursor.operands().as_slice() else {
            return self.unknown(cursor, "a subscript without operands");
        };
        let span = self.span(cursor);
        let (first_value, second_value) = (self.value(first), self.value(second));
        let (pointer, index, base) = if self.program.types.pointee(first_value.ty).is_some() {
            (first_value, second_value, first)
        } else {
            (second_value, first_value, second)
        };
        let Some(target) = self.program.types.pointee(pointer.ty) else {
            return self.unknown(cursor, "a subscript of a type that is not modelled");
        };
        let size_is_known = self.program.types.size(target).is_some();
        Node::Place(match pointer.kind {
            ExprKind::AddressOf(array)
                if size_is_known
                    && matches!(
                        self.program.types.get(array.ty),
                        Type::Array { element, .. } | Type::VariableArray { element } if *element == target
                    ) =>
            {
                let kind = PlaceKind::Index {
                    base: array,
                    index: Box::new(index),
                };
                self.place_at(kind, target, span)
            }
            kind => {
                let pointer = Expr { kind, ..pointer };
                let ty = pointer.ty;
                let element = self.target_size(base, span);
                let kind = ExprKind::PointerAdd {
                    pointer: Box::new(pointer),
                    index: Box::new(index),
                    subtract: false,
                    element: Box::new(element),
                };
                let address = self.expr(kind, ty, span);
                self.place_at(PlaceKind::Deref(Box::new(address)), target, span)
            }
        })
    }
}

fn compare_op(operator: i32) -> Option<CompareOp> {
    Some(match operator {
        CXBinaryOperator_LT => CompareOp::Lt,
        CXBinaryOperator_GT => CompareOp::Gt,
        CXBinaryOperator_LE => CompareOp::Le,
        CXBinaryOperator_GE => CompareOp::Ge,
        CXBinaryOperator_EQ => CompareOp::Eq,
        CXBinaryOperator_NE => CompareOp::Ne,
        _ => return None,
    })
}

fn arithmetic_op(operator: i32) -> Option<BinaryOp> {
    Some(match operator {
        CXBinaryOperator_Mul => BinaryOp::Mul,
        CXBinaryOperator_Div => BinaryOp::Div,
        CXBinaryOperator_Rem => BinaryOp::Rem,
        CXBinaryOperator_Add => BinaryOp::Add,
        CXBinaryOperator_Sub => BinaryOp::Sub,
        CXBinaryOperator_Shl => BinaryOp::Shl,
        CXBinaryOperator_Shr => BinaryOp::Shr,
        CXBinaryOperator_And => BinaryOp::BitAnd,
        CXBinaryOperator_Xor => BinaryOp::BitXor,
        CXBinaryOperator_Or => BinaryOp::BitOr,
        _ => return None,
    })
}

fn assign_op(operator: i32) -> Option<BinaryOp> {
    Some(match operator {
        CXBinaryOperator_MulAssign => BinaryOp::Mul,
        CXBinaryOperator_DivAssign => BinaryOp::Div,
        CXBinaryOperator_RemAssign => BinaryOp::Rem,
        CXBinaryOperator_AddAssign => BinaryOp::Add,
        CXBinaryOperator_SubAssign => BinaryOp::Sub,
        CXBinaryOperator_ShlAssign => BinaryOp::Shl,
        CXBinaryOperator_ShrAssign => BinaryOp::Shr,
        CXBinaryOperator_AndAssign => BinaryOp::BitAnd,
        CXBinaryOperator_XorAssign => BinaryOp::BitXor,
        CXBinaryOperator_OrAssign => BinaryOp::BitOr,
        _ => return None,
    })
}
