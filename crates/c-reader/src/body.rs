//! Function definitions: parameters, locals and labels.

use clang_sys::*;
use cranelift_entity::PrimaryMap;
use lariat_base::Span;
use lariat_c_program::{
    FunctionId, InitItem, InitValue, Initializer, LabelId, Local, LocalId, Stmt, StmtKind, Type, TypeId,
};
use rustc_hash::FxHashMap;

use crate::clang::Cursor;
use crate::session::Session;

/// The function that is being translated.
pub struct Body<'u> {
    pub function: FunctionId,
    pub cursor: Cursor<'u>,
    pub locals: PrimaryMap<LocalId, Local>,
    pub labels: PrimaryMap<LabelId, std::sync::Arc<str>>,
    /// Locals by declaration, labels by statement.
    pub declared: FxHashMap<usize, LocalId>,
    pub label_ids: FxHashMap<usize, LabelId>,
    /// Hidden locals that hold the size in bytes of variable arrays, by their type.
    pub array_sizes: FxHashMap<usize, LocalId>,
    /// The types of the `switch` statements around.
    pub switch_types: Vec<TypeId>,
    /// How many `asm` statements were met.
    pub asm_count: usize,
}

impl<'u> Session<'u, '_> {
    pub fn translate_function(&mut self, id: FunctionId, cursor: Cursor<'u>) {
        let ty = self.program.functions[id].ty;
        self.body = Some(Body {
            function: id,
            cursor,
            locals: PrimaryMap::new(),
            labels: PrimaryMap::new(),
            declared: FxHashMap::default(),
            label_ids: FxHashMap::default(),
            array_sizes: FxHashMap::default(),
            switch_types: Vec::new(),
            asm_count: 0,
        });
        let children = cursor.children();
        let declared_params = cursor.parameters();
        let param_types = match self.program.types.get(ty) {
            Type::Function(function) => function.params.clone(),
            _ => Vec::new(),
        };
        let mut params = Vec::new();
        let mut narrowed = Vec::new();
        for (index, &param) in declared_params.iter().enumerate() {
            let own = self.type_of(param);
            // As clang has it in the function's type: arrays and functions are pointers there.
            let passed = param_types.get(index).copied().unwrap_or(own);
            let span = self.name_span(param);
            let name = param.spelling();
            let local = self.new_local(&name, passed, span);
            params.push(local);
            let both_scalar =
                self.program.types.scalar(own).is_some() && self.program.types.scalar(passed).is_some();
            if own != passed && both_scalar {
                // A parameter of an old-style definition is passed promoted.
                narrowed.push((param, local, own, span));
            } else {
                self.declare(param, local);
            }
        }
        let mut stmts = Vec::new();
        for (param, passed, own, span) in narrowed {
            let local = self.new_local(&param.spelling(), own, span);
            self.declare(param, local);
            let value = self.load_local(passed, span);
            let value = self.convert(value, own);
            stmts.push(Stmt {
                kind: StmtKind::Declare {
                    local,
                    init: Some(Initializer {
                        zero: false,
                        items: vec![InitItem {
                            path: Vec::new(),
                            value: InitValue::Expr(value),
                        }],
                        span,
                    }),
                    size: None,
                },
                span,
            });
        }
        for &param in &declared_params {
            self.declare_array_sizes(param, &mut stmts);
        }
        let block = children
            .into_iter()
            .find(|child| child.kind() == CXCursor_CompoundStmt);
        if let Some(block) = block {
            let span = self.span(block);
            let translated = self.stmt(block);
            let end = Span::new(
                span.source,
                (span.end as usize).saturating_sub(1),
                span.end as usize,
            );
            let function = &mut self.program.functions[id];
            function.end = Some(end);
            function.body = Some(if stmts.is_empty() {
                translated
            } else {
                stmts.push(translated);
                Stmt {
                    kind: StmtKind::Block(stmts),
                    span,
                }
            });
        }
        if let Some(body) = self.body.take() {
            let function = &mut self.program.functions[id];
            function.params = params;
            function.locals = body.locals;
            function.labels = body.labels;
        }
    }

    /// A new local of the function that is being translated. Outside of functions, where there is none, nothing may be
    /// declared: callers check [`Session::body`].
    pub fn new_local(&mut self, name: &str, ty: TypeId, span: Span) -> LocalId {
        let local = Local {
            name: name.into(),
            ty,
            is_const: false,
            span,
        };
        match &mut self.body {
            Some(body) => body.locals.push(local),
            None => LocalId::from_u32(0),
        }
    }

    /// The local is `const`.
    pub fn set_const(&mut self, local: LocalId) {
        if let Some(body) = &mut self.body {
            body.locals[local].is_const = true;
        }
    }

    pub fn declare(&mut self, cursor: Cursor<'u>, local: LocalId) {
        if let Some(body) = &mut self.body {
            body.declared.insert(cursor.declaration_key(), local);
        }
    }

    /// The label of a name, wherever it stands in the function.
    pub fn label_named(&mut self, name: &str) -> Option<LabelId> {
        let mut open = vec![self.body.as_ref()?.cursor];
        while let Some(cursor) = open.pop() {
            if cursor.kind() == CXCursor_LabelStmt && cursor.spelling() == name {
                return self.label(cursor);
            }
            open.extend(cursor.children());
        }
        None
    }

    /// The label of a label statement.
    pub fn label(&mut self, statement: Cursor<'u>) -> Option<LabelId> {
        let name = statement.spelling();
        let body = self.body.as_mut()?;
        let labels = &mut body.labels;
        Some(
            *body
                .label_ids
                .entry(statement.statement_key())
                .or_insert_with(|| labels.push(name.as_str().into())),
        )
    }
}
