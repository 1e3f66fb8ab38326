//! Statements.

use clang_sys::*;
use lariat_base::{Diagnostic, Span};
use lariat_c_program::{Scalar, Stmt, StmtKind, TypeId};

use crate::clang::{Constant, Cursor};
use crate::session::{Session, has_attribute, is_const};

/// How deep statements and expressions may be nested. What comes after the reader recurses over them too.
const DEEPEST: u32 = 20_000;

impl<'u> Session<'u, '_> {
    /// Refuses what is nested too deeply. The nodes are not asked where they stand, which clang answers in a time
    /// proportional to their depth.
    pub fn check_depth(&mut self, root: Cursor<'u>) -> bool {
        let mut open = vec![(root, 0)];
        while let Some((cursor, depth)) = open.pop() {
            if depth >= DEEPEST {
                let span = self.name_span(root);
                self.diagnostics.push(
                    Diagnostic::error(
                        "nested-too-deeply",
                        span,
                        format!("something in here is nested more than {DEEPEST} levels deep"),
                    )
                    .hint("split the expression or statement"),
                );
                return false;
            }
            open.extend(cursor.children().into_iter().map(|child| (child, depth + 1)));
        }
        true
    }

    /// Goes one level down, with enough stack.
    pub fn nested<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        stacker::maybe_grow(128 << 10, 4 << 20, || work(self))
    }

    pub fn stmt(&mut self, cursor: Cursor<'u>) -> Stmt {
        if cursor.kind() == CXCursor_IfStmt {
            return self.nested(|session| session.if_stmt(cursor));
        }
        let span = self.span(cursor);
        let kind = self.nested(|session| session.stmt_kind(cursor, span));
        Stmt { kind, span }
    }

    /// The end of an `if` is that of its last part. clang would look for it through all of a chain of `else if`, for
    /// each of them anew.
    fn if_stmt(&mut self, cursor: Cursor<'u>) -> Stmt {
        let children = cursor.children();
        let (condition, then, otherwise) = match *children.as_slice() {
            [condition, then] => (condition, then, None),
            [condition, then, otherwise] => (condition, then, Some(otherwise)),
            _ => {
                let kind = StmtKind::Unsupported("an `if` that clang gives incompletely".into());
                let span = self.span(cursor);
                return Stmt { kind, span };
            }
        };
        let condition = self.value(condition);
        let then = self.boxed_stmt(then);
        let otherwise = otherwise.map(|otherwise| self.boxed_stmt(otherwise));
        let end = otherwise.as_ref().unwrap_or(&then).span;
        let start = cursor.location().map(|start| self.span_between(start, start));
        let span = match start {
            Some(start) if start.source == end.source && start.start < end.end => start.to(end),
            _ => self.span(cursor),
        };
        let kind = StmtKind::If {
            condition,
            then,
            otherwise,
        };
        Stmt { kind, span }
    }

    fn boxed_stmt(&mut self, cursor: Cursor<'u>) -> Box<Stmt> {
        Box::new(self.stmt(cursor))
    }

    fn stmt_kind(&mut self, cursor: Cursor<'u>, span: Span) -> StmtKind {
        if cursor.is_expression() {
            return StmtKind::Expr(self.value(cursor));
        }
        let missing = || StmtKind::Unsupported("a statement that clang gives incompletely".into());
        let children = cursor.children();
        match (cursor.kind(), children.as_slice()) {
            (CXCursor_NullStmt, _) => StmtKind::Empty,
            (CXCursor_CompoundStmt, children) => StmtKind::Block(self.stmts(children)),
            (CXCursor_DeclStmt, _) => {
                let mut stmts = self.stmts(&[cursor]);
                match stmts.len() {
                    0 => StmtKind::Empty,
                    1 => stmts.remove(0).kind,
                    // In C a declaration is no statement: it stands in a list, and a `for` has its own way.
                    _ => StmtKind::Block(stmts),
                }
            }
            (CXCursor_WhileStmt, &[condition, body]) => StmtKind::While {
                condition: self.value(condition),
                body: self.boxed_stmt(body),
            },
            (CXCursor_DoStmt, &[body, condition]) => StmtKind::DoWhile {
                body: self.boxed_stmt(body),
                condition: self.value(condition),
            },
            (CXCursor_ForStmt, _) => match cursor.for_parts() {
                Some([init, condition, step, Some(body)]) => {
                    let mut inits = init.map(|init| self.stmts(&[init])).unwrap_or_default();
                    // Several declarations stand before the loop: a separate block would end their scope.
                    let init = (inits.len() == 1).then(|| Box::new(inits.remove(0)));
                    let kind = StmtKind::For {
                        init,
                        condition: condition.map(|condition| self.value(condition)),
                        step: step.map(|step| self.value(step)),
                        body: self.boxed_stmt(body),
                    };
                    if inits.is_empty() {
                        kind
                    } else {
                        inits.push(Stmt { kind, span });
                        StmtKind::Block(inits)
                    }
                }
                _ => StmtKind::Unsupported("a `for` that this libclang does not show".into()),
            },
            (CXCursor_SwitchStmt, &[value, body]) => {
                let value = self.value(value);
                let ty = value.ty;
                if let Some(function) = &mut self.body {
                    function.switch_types.push(ty);
                }
                let body = self.boxed_stmt(body);
                if let Some(function) = &mut self.body {
                    function.switch_types.pop();
                }
                StmtKind::Switch { value, body }
            }
            (CXCursor_CaseStmt, &[low, body]) => self.case(low, low, body),
            (CXCursor_CaseStmt, &[low, high, body]) => self.case(low, high, body),
            (CXCursor_DefaultStmt, &[body]) => StmtKind::Default(self.boxed_stmt(body)),
            (CXCursor_LabelStmt, &[.., body]) => match self.label(cursor) {
                Some(label) => StmtKind::Label {
                    label,
                    body: self.boxed_stmt(body),
                },
                None => missing(),
            },
            (CXCursor_GotoStmt, &[target]) => {
                match target.referenced().and_then(|statement| self.label(statement)) {
                    Some(label) => StmtKind::Goto(label),
                    None => missing(),
                }
            }
            (CXCursor_IndirectGotoStmt, &[target]) => StmtKind::GotoComputed(self.value(target)),
            (CXCursor_BreakStmt, _) => StmtKind::Break,
            (CXCursor_ContinueStmt, _) => StmtKind::Continue,
            (CXCursor_ReturnStmt, &[]) => StmtKind::Return(None),
            (CXCursor_ReturnStmt, &[.., value]) => self.return_stmt(value, span),
            (CXCursor_AsmStmt, children) => self.asm(cursor, children),
            (CXCursor_MSAsmStmt, _) => StmtKind::Unsupported("an `__asm` block of Microsoft's kind".into()),
            // A statement with attributes.
            (CXCursor_UnexposedStmt, &[.., body]) if !body.is_attribute() => self.stmt(body).kind,
            (kind, _) => StmtKind::Unsupported(format!(
                "a statement of a kind that is not known (clang's kind {kind})"
            )),
        }
    }

    /// The value of a `return`, converted as the function's type says (a wrong program may return a value from a `void`
    /// function, which only evaluates it).
    fn return_stmt(&mut self, value: Cursor<'u>, span: Span) -> StmtKind {
        let value = self.value(value);
        let result = self.body.as_ref().map(|body| body.function).and_then(|function| {
            match self.program.types.get(self.program.functions[function].ty) {
                lariat_c_program::Type::Function(function) => Some(function.result),
                _ => None,
            }
        });
        let void = self.program.types.void();
        match result {
            Some(result) if result == void => StmtKind::Block(vec![
                Stmt {
                    kind: StmtKind::Expr(value),
                    span,
                },
                Stmt {
                    kind: StmtKind::Return(None),
                    span,
                },
            ]),
            Some(result) => StmtKind::Return(Some(self.convert(value, result))),
            None => StmtKind::Return(Some(value)),
        }
    }

    /// Statements in a list; declarations become as many statements as they declare locals.
    pub fn stmts(&mut self, cursors: &[Cursor<'u>]) -> Vec<Stmt> {
        let mut list = Vec::with_capacity(cursors.len());
        for &cursor in cursors {
            if cursor.kind() == CXCursor_DeclStmt {
                for declaration in cursor.children() {
                    self.declaration(declaration, &mut list);
                }
            } else {
                list.push(self.stmt(cursor));
            }
        }
        list
    }

    fn declaration(&mut self, cursor: Cursor<'u>, list: &mut Vec<Stmt>) {
        let is_function = cursor.kind() == CXCursor_FunctionDecl;
        if is_function || (cursor.kind() == CXCursor_VarDecl && cursor.storage() == CX_SC_Extern) {
            // What a block declares may have another name for the linker, too.
            self.read_attributes(cursor.unit(), cursor);
            return;
        }
        match cursor.kind() {
            CXCursor_VarDecl => {}
            CXCursor_TypedefDecl => return self.declare_array_sizes(cursor, list),
            _ => return,
        }
        if cursor.storage() == CX_SC_Static {
            self.static_local(cursor);
            return;
        }
        self.declare_array_sizes(cursor, list);
        let ty = self.type_of(cursor);
        let span = self.span(cursor);
        if has_attribute(cursor, &["cleanup", "__cleanup__"]) {
            let kind = StmtKind::Unsupported("a variable with the attribute `cleanup`".into());
            list.push(Stmt { kind, span });
        }
        let name_span = self.name_span(cursor);
        let local = self.new_local(&cursor.spelling(), ty, name_span);
        self.declare(cursor, local);
        if is_const(cursor) {
            self.set_const(local);
        }
        let size = self.variable_size(cursor, span);
        let init = cursor.initializer().map(|value| self.initializer(ty, value));
        list.push(Stmt {
            kind: StmtKind::Declare { local, init, size },
            span,
        });
    }

    fn case(&mut self, low: Cursor<'u>, high: Cursor<'u>, body: Cursor<'u>) -> StmtKind {
        let ty = self
            .body
            .as_ref()
            .and_then(|body| body.switch_types.last().copied());
        let bounds = (low.evaluate(), high.evaluate(), ty);
        let (Some(Constant::Int(low)), Some(Constant::Int(high)), Some(ty)) = bounds else {
            return StmtKind::Unsupported("a case label whose value clang does not compute".into());
        };
        StmtKind::Case {
            low: self.wrap(low, ty),
            high: self.wrap(high, ty),
            body: self.boxed_stmt(body),
        }
    }

    /// A constant converted to an integer type.
    pub fn wrap(&self, value: i128, ty: TypeId) -> i128 {
        match self.program.types.scalar(ty) {
            Some(Scalar::Bool) => i128::from(value != 0),
            Some(Scalar::Int { bits, signed }) if bits < 128 => {
                let low = value & ((1 << bits) - 1);
                if signed && low >> (bits - 1) != 0 {
                    low - (1 << bits)
                } else {
                    low
                }
            }
            Some(Scalar::Pointer) => value & ((1 << self.program.types.machine.pointer_bits()) - 1),
            _ => value,
        }
    }
}
