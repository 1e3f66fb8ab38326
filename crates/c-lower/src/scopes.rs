//! Where the lives of variables end: at the end of their block, however it is left.
//!
//! Only where dangling pointers are checked, and only for variables whose address is taken. What `alloca` gives lives until
//! its function returns.

use lariat_base::Span;
use lariat_c_arith::Value;
use lariat_c_program::{
    ExprKind, LabelId, LocalId, Node, Place, PlaceKind, Scalar, Stmt, StmtKind, Type, visit_stmt,
};
use lariat_ir::{Origin, StmtKind as IrStmtKind};
use lariat_term::VarId;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::smallvec;

use crate::function::{FunctionLowering, LocalStorage};
use crate::options::Check;
use crate::storage::{ENDED, VARIABLE};

/// Which block it is: the address of its statement, which does not move while a function is lowered.
type BlockKey = usize;

/// What is known of the blocks of a function.
#[derive(Debug, Default)]
pub struct Scopes {
    /// The blocks around the current statement, with the variables whose lives end with each.
    open: Vec<(BlockKey, Vec<LocalId>)>,
    /// The blocks around a label.
    labels: FxHashMap<LabelId, Vec<BlockKey>>,
    /// Variables whose address is taken.
    pointed_to: FxHashSet<LocalId>,
    /// The blocks that were open where `break` and `continue` lead, and where a `switch` starts.
    pub breaks: Vec<usize>,
    pub continues: Vec<usize>,
    pub switches: Vec<usize>,
    /// The last object of each call of `alloca`, and whether there was one before it.
    allocas: Vec<VarId>,
    lost: Option<VarId>,
}

impl Scopes {
    pub fn depth(&self) -> usize {
        self.open.len()
    }
}

impl FunctionLowering<'_, '_> {
    pub fn ends_lives(&self) -> bool {
        self.cx.options.tracks_objects() && self.cx.options.checks(Check::UseAfterFree)
    }

    /// Looks at the function's blocks before it is lowered.
    pub fn find_scopes(&mut self) {
        let Some(body) = &self.cx.c.functions[self.function].body else {
            return;
        };
        if !self.ends_lives() {
            return;
        }
        visit_stmt(body, &mut |node| {
            if let Node::Expr(expr) = node
                && let ExprKind::AddressOf(place) = &expr.kind
            {
                self.scopes.pointed_to.extend(root_local(place));
            }
        });
        find_labels(body, &mut Vec::new(), &mut self.scopes.labels);
    }

    /// Lowers a block: what is declared in it ends with it.
    pub fn in_scope<T>(&mut self, block: &Stmt, lower: impl FnOnce(&mut Self) -> T) -> T {
        self.open_scope(std::ptr::from_ref(block) as usize);
        let around = self.atomic_blocks;
        let result = lower(self);
        self.atomic_blocks = self.atomic_blocks.min(around);
        self.close_scope(block.span);
        result
    }

    pub fn open_scope(&mut self, key: usize) {
        self.scopes.open.push((key, Vec::new()));
    }

    pub fn close_scope(&mut self, span: Span) {
        if let Some((_, locals)) = self.scopes.open.pop() {
            let end = Span {
                start: span.end.saturating_sub(1).max(span.start),
                ..span
            };
            self.end_lives(&locals, end);
        }
    }

    /// The life of a variable starts in the current block.
    pub fn enter_scope(&mut self, local: LocalId) {
        if self.ends_lives() && self.scopes.pointed_to.contains(&local) {
            let in_memory = matches!(self.locals[local], Some(LocalStorage::Memory { .. }));
            if let (Some((_, locals)), true) = (self.scopes.open.last_mut(), in_memory)
                && !locals.contains(&local)
            {
                locals.push(local);
            }
        }
    }

    /// A jump out of all blocks but the first so many.
    pub fn leave_scopes(&mut self, depth: usize, span: Span) {
        let left: Vec<LocalId> = self
            .scopes
            .open
            .iter()
            .skip(depth)
            .flat_map(|(_, locals)| locals.iter().copied())
            .collect();
        self.end_lives(&left, span);
    }

    /// A jump to a label: blocks that are not around it are left.
    pub fn leave_for_label(&mut self, label: LabelId, span: Span) {
        let Some(around) = self.scopes.labels.get(&label) else {
            return;
        };
        let kept = self
            .scopes
            .open
            .iter()
            .take_while(|(key, _)| around.contains(key))
            .count();
        self.leave_scopes(kept, span);
    }

    /// A label or case: after a jump to it the variables of the blocks around it are alive, from this depth on.
    pub fn revive_locals(&mut self, depth: usize, span: Span) {
        let here: Vec<LocalId> = self
            .scopes
            .open
            .iter()
            .skip(depth)
            .flat_map(|(_, locals)| locals.iter().copied())
            .collect();
        for local in here {
            let is_variable = matches!(
                self.cx.c.types.get(self.local_type(local)),
                Type::VariableArray { .. }
            );
            let Some(LocalStorage::Memory { address, .. }) = self.locals[local] else {
                continue;
            };
            if is_variable {
                continue;
            }
            let address = self.value_of(address, Scalar::Pointer);
            let slot = self.slot_of(&address);
            let state = self.state_of(slot);
            let pool = &mut self.cx.ir.pool;
            let ended = pool.int(ENDED);
            let is_ended = pool.eq(state, ended);
            let [again, after] = [self.new_block(), self.new_block()];
            self.guard_silently(is_ended, again, after, span);
            self.at(again);
            self.start_local(local, None, span);
            self.jump(after);
            self.at(after);
        }
    }

    fn end_lives(&mut self, locals: &[LocalId], span: Span) {
        for &local in locals {
            if let Some(LocalStorage::Memory { address, .. }) = self.locals[local] {
                self.end_object(address, span);
            }
        }
    }

    /// The object at the address in a variable ends, if there is one.
    pub fn end_object(&mut self, address: VarId, span: Span) {
        let states = self.cx.storage.state;
        let is_reserved = self.is_reserved(address);
        let address = self.value_of(address, Scalar::Pointer);
        let slot = self.slot_of(&address);
        if !is_reserved {
            self.assume_made_later(slot, span);
        }
        let old = self.state_of(slot);
        let pool = &mut self.cx.ir.pool;
        let never_started = self.cx.arith.is_zero(pool, Scalar::Pointer, &address);
        let ended = pool.int(ENDED);
        let state = pool.ite(never_started, old, ended);
        let map = pool.var(states);
        let map = pool.store(map, &[slot], state);
        self.set_silently(states, map, span);
    }

    /// `alloca(size)`: the object ends when the function returns.
    pub fn allocate_in_frame(&mut self, size: &Value, span: Span) -> Value {
        let object = self.allocate(size, VARIABLE, span);
        if !self.ends_lives() || self.is_entry {
            return object;
        }
        let sort = self.cx.arith.sort(&mut self.cx.ir.pool, Scalar::Pointer);
        let holder = self.declare("&alloca", sort);
        self.scopes.allocas.push(holder);
        let lost = match self.scopes.lost {
            Some(lost) => lost,
            None => {
                let bool = self.cx.ir.pool.bool_sort();
                let lost = self.declare("alloca lost", bool);
                self.scopes.lost = Some(lost);
                lost
            }
        };
        // Of several objects of one call the last one is known.
        let before = self.value_of(holder, Scalar::Pointer);
        let pool = &mut self.cx.ir.pool;
        let is_first = self.cx.arith.is_zero(pool, Scalar::Pointer, &before);
        let (is_again, was_lost) = (pool.not(is_first), pool.var(lost));
        let is_lost = pool.or(&[is_again, was_lost]);
        self.set_silently(lost, is_lost, span);
        self.set_silently(holder, object.term, span);
        object
    }

    /// The objects of `alloca` end with the function.
    pub fn end_frame(&mut self, span: Span) {
        for holder in self.scopes.allocas.clone() {
            self.end_object(holder, span);
        }
        if let Some(lost) = self.scopes.lost {
            let [again, after] = [self.new_block(), self.new_block()];
            let lost = self.cx.ir.pool.var(lost);
            self.guard_silently(lost, again, after, span);
            self.at(again);
            self.unsupported("the end of several objects of one `alloca`", span);
            self.at(after);
        }
    }

    /// Nothing is allocated when the function starts: statements for its first block.
    pub fn clear_frame(&mut self, entry: lariat_ir::BlockId, span: Span) {
        let zero = self.zero(Scalar::Pointer);
        let no = self.cx.ir.pool.bool(false);
        let holders = self.scopes.allocas.iter().map(|&holder| (holder, zero.term));
        let cleared: Vec<_> = holders.chain(self.scopes.lost.map(|lost| (lost, no))).collect();
        for (var, term) in cleared {
            let kind = IrStmtKind::Assign(smallvec![(var, term)]);
            let stmt = self.cx.ir.stmt(kind, Some(span), Origin::Internal);
            self.body.blocks[entry].stmts.insert(0, stmt);
        }
    }
}

/// The local that a place without indirection is part of.
pub fn root_local(place: &Place) -> Option<LocalId> {
    match &place.kind {
        PlaceKind::Local(local) | PlaceKind::CompoundLiteral { local, .. } => Some(*local),
        PlaceKind::Member { base, .. } | PlaceKind::Index { base, .. } => root_local(base),
        PlaceKind::Global(_) | PlaceKind::Deref(_) | PlaceKind::Temporary(_) => None,
    }
}

/// The blocks around each label of a statement. Labels inside of expressions are left out.
fn find_labels(stmt: &Stmt, around: &mut Vec<BlockKey>, labels: &mut FxHashMap<LabelId, Vec<BlockKey>>) {
    stacker::maybe_grow(64 * 1024, 1024 * 1024, || match &stmt.kind {
        StmtKind::Block(stmts) => {
            around.push(std::ptr::from_ref(stmt) as usize);
            stmts.iter().for_each(|stmt| find_labels(stmt, around, labels));
            around.pop();
        }
        StmtKind::For { body, .. } => {
            around.push(std::ptr::from_ref(stmt) as usize);
            find_labels(body, around, labels);
            around.pop();
        }
        StmtKind::If { then, otherwise, .. } => {
            find_labels(then, around, labels);
            if let Some(otherwise) = otherwise {
                find_labels(otherwise, around, labels);
            }
        }
        StmtKind::While { body, .. }
        | StmtKind::DoWhile { body, .. }
        | StmtKind::Switch { body, .. }
        | StmtKind::Case { body, .. }
        | StmtKind::Default(body) => find_labels(body, around, labels),
        StmtKind::Label { label, body } => {
            labels.insert(*label, around.clone());
            find_labels(body, around, labels);
        }
        _ => {}
    });
}
