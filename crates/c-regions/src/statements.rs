//! Statements and initialisers.

use lariat_c_program::{
    FunctionId, GlobalId, InitStep, InitValue, Initializer, Stmt, StmtKind, Type, TypeId,
};

use crate::Variable;
use crate::accesses::{Slot, Use};
use crate::graph::Cell;
use crate::layout::constant;
use crate::values::Collector;

impl Collector<'_> {
    pub(crate) fn body(&mut self, id: FunctionId) {
        self.function = Some(id);
        if let Some(body) = &self.program.functions[id].body {
            self.stmt(body);
        }
        self.function = None;
    }

    pub(crate) fn global(&mut self, id: GlobalId) {
        let global = &self.program.globals[id];
        let cell = self.variable(Variable::Global(id));
        if !global.defined {
            self.graph.set_external(cell);
        }
        if global.is_string
            && let Type::Array { element, .. } = self.program.types.get(global.ty)
            && let Some(unit) = self.program.types.size(*element)
        {
            self.graph.fold(cell, unit);
        }
        if let Some(init) = &global.init {
            self.items(cell, global.ty, init);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.stmt_inner(stmt));
    }

    fn stmt_inner(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Empty
            | StmtKind::Goto(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(None)
            | StmtKind::AtomicBegin
            | StmtKind::AtomicEnd
            | StmtKind::Unsupported(_) => {}
            StmtKind::Expr(expr) | StmtKind::GotoComputed(expr) => {
                self.expr(expr);
            }
            StmtKind::Return(Some(expr)) => self.give_back(expr),
            StmtKind::Declare { local, init, size } => {
                if let Some(size) = size {
                    self.expr(size);
                }
                if let (Some(init), Some(function)) = (init, self.function) {
                    let ty = self.program.functions[function].locals[*local].ty;
                    let cell = self.variable(Variable::Local(function, *local));
                    self.initialize(cell, ty, init);
                }
            }
            StmtKind::Block(stmts) => stmts.iter().for_each(|stmt| self.stmt(stmt)),
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                self.test(condition);
                self.stmt(then);
                if let Some(otherwise) = otherwise {
                    self.stmt(otherwise);
                }
            }
            StmtKind::While { condition, body }
            | StmtKind::DoWhile { body, condition }
            | StmtKind::Switch {
                value: condition,
                body,
            } => {
                self.test(condition);
                self.stmt(body);
            }
            StmtKind::For {
                init,
                condition,
                step,
                body,
            } => {
                if let Some(init) = init {
                    self.stmt(init);
                }
                if let Some(condition) = condition {
                    self.test(condition);
                }
                if let Some(step) = step {
                    self.expr(step);
                }
                self.stmt(body);
            }
            StmtKind::Case { body, .. } | StmtKind::Default(body) | StmtKind::Label { body, .. } => {
                self.stmt(body)
            }
            StmtKind::Asm(asm) => {
                for input in &asm.inputs {
                    if let Some(given) = self.expr(input).filter(|_| self.is_scalar(input.ty)) {
                        self.graph.set_exposed(given);
                    }
                }
                for output in &asm.outputs {
                    let slot = self.place(output);
                    // Whatever comes out as an address is one of unknown code.
                    let value = self.holds_address(output.ty).then(|| self.graph.external());
                    if self.is_scalar(output.ty) {
                        self.store(slot, output.ty, value, Use::Write);
                    } else {
                        self.touch_record(slot.cell, output.ty, Use::Write);
                    }
                }
            }
        }
    }

    /// The value of a statement expression.
    pub(crate) fn statements_value(&mut self, stmts: &[Stmt]) -> Option<Cell> {
        let (last, before) = stmts.split_last()?;
        before.iter().for_each(|stmt| self.stmt(stmt));
        match &last.kind {
            StmtKind::Expr(expr) => self.expr(expr),
            _ => {
                self.stmt(last);
                None
            }
        }
    }

    /// Of an object that is not static: what no item sets is written too.
    pub(crate) fn initialize(&mut self, cell: Cell, ty: TypeId, init: &Initializer) {
        if init.zero {
            self.touch_record(cell, ty, Use::Initialize);
        }
        self.items(cell, ty, init);
    }

    fn items(&mut self, cell: Cell, ty: TypeId, init: &Initializer) {
        for item in &init.items {
            let Some((slot, ty)) = self.part(cell, ty, &item.path) else {
                continue;
            };
            match &item.value {
                InitValue::Expr(expr) => {
                    let is_constant = constant(&self.program.types, expr).is_some();
                    let value = self.expr(expr);
                    if self.is_scalar(ty) {
                        let how = if is_constant { Use::Initialize } else { Use::Define };
                        self.store(slot, ty, value, how);
                    } else if let Some(value) = value {
                        self.copy_record(slot.cell, value, ty);
                    }
                }
                InitValue::String(_) => self.touch_record(slot.cell, ty, Use::Initialize),
            }
        }
    }

    fn part(&mut self, cell: Cell, ty: TypeId, path: &[InitStep]) -> Option<(Slot, TypeId)> {
        let types = &self.program.types;
        let mut ty = ty;
        let mut slot = Slot {
            cell,
            bits: None,
            label: None,
        };
        for step in path {
            match (step, types.get(ty)) {
                (InitStep::Field(index), Type::Record(record)) => {
                    let field = types.records[*record].fields.get(*index as usize)?;
                    slot = Slot {
                        cell: slot.cell.plus(field.offset as i64),
                        bits: field.bits,
                        label: Some((*record, *index)),
                    };
                    ty = field.ty;
                }
                (InitStep::Element(index), Type::Array { element, .. } | Type::VariableArray { element }) => {
                    let offset = types.size(*element)?.checked_mul(*index)?;
                    slot.cell = slot.cell.plus(i64::try_from(offset).ok()?);
                    ty = *element;
                }
                _ => return None,
            }
        }
        Some((slot, ty))
    }
}
