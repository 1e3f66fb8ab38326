//! One function: its interface, its variables, its body.

use cranelift_entity::SecondaryMap;
use lariat_base::Span;
use lariat_c_arith::Value;
use lariat_c_program::{
    FunctionId, LabelId, LocalId, Node, NodeId, Scalar, StmtKind as CStmtKind, Type, TypeId, visit_stmt,
};
use lariat_c_regions::Variable;
use lariat_ir::{BlockId, ProcId, StmtId, Terminator};
use lariat_term::{TermId, VarId};
use rustc_hash::FxHashMap;

use crate::builder::Body;
use crate::lowering::Lowering;
use crate::options::Check;
use crate::storage::Split;

/// The IR side of a function's interface: parameters leaf by leaf, then the address of further arguments; results leaf by leaf.
#[derive(Clone, Debug)]
pub struct Signature {
    pub params: Vec<VarId>,
    pub outs: Vec<VarId>,
}

impl Signature {
    pub fn of(cx: &mut Lowering<'_>, function: FunctionId) -> Self {
        let data = &cx.c.functions[function];
        let mut params = Vec::new();
        for &local in &data.params {
            let local = &data.locals[local];
            for leaf in cx.leaves(local.ty).unwrap_or_default().iter() {
                let sort = cx.arith.sort(&mut cx.ir.pool, leaf.scalar);
                params.push(cx.shown_var(format!("{}{}", local.name, leaf.path), leaf.ty, sort));
            }
        }
        if cx.function_type(function).variadic {
            let sort = cx.arith.sort(&mut cx.ir.pool, Scalar::Pointer);
            params.push(cx.ir.pool.declare_var("$arguments", sort));
        }
        let result = cx.function_type(function).result;
        let mut outs = Vec::new();
        for leaf in cx.leaves(result).unwrap_or_default().iter() {
            let sort = cx.arith.sort(&mut cx.ir.pool, leaf.scalar);
            outs.push(cx.shown_var(format!("return{}", leaf.path), leaf.ty, sort));
        }
        Signature { params, outs }
    }
}

/// Where a local is.
#[derive(Clone, Debug)]
pub enum LocalStorage {
    Split(Split),
    /// The variable that holds its address, and for a variable array its size in bytes.
    Memory {
        address: VarId,
        size: Option<VarId>,
    },
}

/// A function that is being lowered.
pub struct FunctionLowering<'l, 'a> {
    pub cx: &'l mut Lowering<'a>,
    pub function: FunctionId,
    pub proc: ProcId,
    pub body: Body,
    pub locals: SecondaryMap<LocalId, Option<LocalStorage>>,
    pub labels: SecondaryMap<LabelId, Option<BlockId>>,
    /// Where `break` and `continue` go, innermost last.
    pub breaks: Vec<BlockId>,
    pub continues: Vec<BlockId>,
    pub switches: Vec<crate::switch::Cases>,
    pub scopes: crate::scopes::Scopes,
    /// Where `return` goes: the block that ends the function.
    pub exit: BlockId,
    pub is_entry: bool,
    /// How many atomic operations of C or of our models are around.
    pub synchronising: u32,
    /// How many atomic blocks of the competition are surely around.
    pub atomic_blocks: u32,
    /// Whether the condition of an assumption is lowered.
    pub assumes: bool,
    /// Variables of the entry that are objects with a number of their own.
    pub reserved: FxHashMap<LocalId, usize>,
    /// How many expressions around are evaluated in several orders.
    pub orders: u32,
    /// A record is being copied: its values are not used.
    pub copying: bool,
    /// The record that is read next is copied to a place right away.
    pub keeps_flags: bool,
    /// For each leaf of a record that was read for a copy whether it was written.
    pub copied: Option<Vec<TermId>>,
    /// Whether what is stored next was written before, where that is not so anyway.
    pub store_flag: Option<TermId>,
    /// In a model: what is read goes from one place to another, and is not used otherwise.
    pub moves_scalar: bool,
    /// The byte that an assignment moves from one place to another, and that is not used otherwise.
    pub moved_byte: Option<NodeId>,
    /// The initial state of an open program is being set: writes to regions that are never read are left out.
    pub is_starting: bool,
    /// Arguments that were evaluated before their call.
    pub held: FxHashMap<NodeId, Value>,
    /// Assumptions that a pointer is null.
    pub null_tests: Vec<StmtId>,
    /// The text at this place is the negation of the condition that is being lowered.
    pub shown_negated: Option<Span>,
}

impl<'l, 'a> FunctionLowering<'l, 'a> {
    pub fn new(cx: &'l mut Lowering<'a>, function: FunctionId, proc: ProcId) -> Self {
        let mut body = Body::new();
        let exit = body.blocks.push(lariat_ir::Block::new(Terminator::Return));
        FunctionLowering {
            cx,
            function,
            proc,
            body,
            locals: SecondaryMap::new(),
            labels: SecondaryMap::new(),
            breaks: Vec::new(),
            continues: Vec::new(),
            switches: Vec::new(),
            scopes: crate::scopes::Scopes::default(),
            exit,
            is_entry: false,
            synchronising: 0,
            atomic_blocks: 0,
            assumes: false,
            reserved: FxHashMap::default(),
            orders: 0,
            copying: false,
            keeps_flags: false,
            copied: None,
            store_flag: None,
            moves_scalar: false,
            moved_byte: None,
            is_starting: false,
            held: FxHashMap::default(),
            null_tests: Vec::new(),
            shown_negated: None,
        }
    }

    pub fn run(mut self, is_entry: bool) {
        self.is_entry = is_entry;
        if is_entry && self.cx.options.tracks_objects() {
            self.reserved = self.cx.reserved_locals(self.function);
        }
        let entry = self.body.current;
        let data = &self.cx.c.functions[self.function];
        self.make_locals();
        self.find_scopes();
        self.clear_addresses(data.span);
        self.take_parameters();
        if let Some(reason) = self.refused_interface() {
            self.unsupported(&reason, data.span);
        } else if let Some(body) = &data.body {
            if is_entry {
                self.before_entry(data.span);
            }
            self.stmt(body);
        }
        let end = data.end.unwrap_or(data.span);
        // Falling off the end: the result is indeterminate, but `main` returns 0.
        if &*data.name == "main" && is_entry {
            self.return_zero(end);
        } else {
            self.end_without_result(end);
        }
        self.jump(self.exit);
        self.finish_exit(end);
        self.clear_frame(entry, data.span);
        let tests = std::mem::take(&mut self.null_tests);
        let tests = self.without_asserted_null_tests(tests);
        self.cx.open.null_tests.extend(tests);
        let proc = &mut self.cx.ir.procs[self.proc];
        proc.entry = entry;
        proc.blocks = self.body.blocks;
        proc.locals = self.body.locals;
    }

    /// Puts what happens before an entry in front of it.
    pub fn run_start(mut self) {
        self.start_program();
        let proc = &mut self.cx.ir.procs[self.proc];
        let start = self.body.blocks[self.body.current].stmts.drain(..);
        self.cx.starts.insert(self.proc, start.len());
        let entry = proc.entry;
        proc.blocks[entry].stmts.splice(0..0, start);
        proc.locals.append(&mut self.body.locals);
    }

    fn refused_interface(&mut self) -> Option<String> {
        let data = &self.cx.c.functions[self.function];
        let result = self.cx.function_type(self.function).result;
        let types = data
            .params
            .iter()
            .map(|&local| data.locals[local].ty)
            .chain([result]);
        for ty in types.collect::<Vec<_>>() {
            if self.cx.leaves(ty).is_none() {
                let name = self.cx.c.types.name(ty);
                return Some(format!("`{name}` is passed by value"));
            }
        }
        None
    }

    fn make_locals(&mut self) {
        let data = &self.cx.c.functions[self.function];
        for (id, local) in data.locals.iter() {
            let storage = if self.cx.is_split(Variable::Local(self.function, id)) {
                let leaves = self.cx.leaves(local.ty).unwrap_or_default();
                let mut vars = Vec::new();
                let mut written = Vec::new();
                for leaf in leaves.iter() {
                    let sort = self.cx.arith.sort(&mut self.cx.ir.pool, leaf.scalar);
                    vars.push(self.declare_shown(format!("{}{}", local.name, leaf.path), leaf.ty, sort));
                    if self.cx.options.checks(Check::Uninit) {
                        let bool = self.cx.ir.pool.bool_sort();
                        written.push(self.declare(&format!("{}{} written", local.name, leaf.path), bool));
                    }
                }
                LocalStorage::Split(Split {
                    is_global: false,
                    leaves,
                    vars,
                    written,
                })
            } else {
                let sort = self.cx.arith.sort(&mut self.cx.ir.pool, Scalar::Pointer);
                let address = self.declare(&format!("&{}", local.name), sort);
                let size = matches!(self.cx.c.types.get(local.ty), Type::VariableArray { .. })
                    .then(|| self.declare(&format!("sizeof {}", local.name), sort));
                LocalStorage::Memory { address, size }
            };
            self.locals[id] = Some(storage);
        }
    }

    fn take_parameters(&mut self) {
        let data = &self.cx.c.functions[self.function];
        let params = self.cx.ir.procs[self.proc].params.clone();
        let mut given = params.into_iter();
        for &local in &data.params {
            let (ty, span) = (data.locals[local].ty, data.locals[local].span);
            let leaves = self.cx.leaves(ty).unwrap_or_default();
            let mut values = Vec::new();
            for leaf in leaves.iter() {
                let Some(var) = given.next() else { return };
                let value = self.value_of(var, leaf.scalar);
                if self.is_entry {
                    self.assume_in_type(value.term, leaf.scalar, span);
                }
                values.push(value);
            }
            if matches!(self.locals[local], Some(LocalStorage::Memory { .. })) {
                self.start_local(local, None, span);
            }
            let place = self.local_place(local, ty);
            self.write_leaves(&place, &values, span, false);
        }
        if self.jumps_into_scopes() {
            self.start_all_locals();
        }
    }

    /// Whether a declaration may be passed by a jump, so that its variable needs its storage from the start.
    fn jumps_into_scopes(&self) -> bool {
        let Some(body) = &self.cx.c.functions[self.function].body else {
            return false;
        };
        let mut jumps = false;
        visit_stmt(body, &mut |node| {
            if let Node::Stmt(stmt) = node {
                jumps |= matches!(
                    stmt.kind,
                    CStmtKind::Label { .. } | CStmtKind::Case { .. } | CStmtKind::Default(_)
                );
            }
        });
        jumps
    }

    fn start_all_locals(&mut self) {
        let data = &self.cx.c.functions[self.function];
        for (id, local) in data.locals.iter() {
            let is_variable = matches!(self.cx.c.types.get(local.ty), Type::VariableArray { .. });
            let in_memory = matches!(self.locals[id], Some(LocalStorage::Memory { .. }));
            if in_memory && !is_variable && !data.params.contains(&id) {
                self.start_undeclared(id, None, local.span);
            }
        }
    }

    fn return_zero(&mut self, span: Span) {
        let outs = self.cx.ir.procs[self.proc].outs.clone();
        let result = self.cx.function_type(self.function).result;
        let leaves = self.cx.leaves(result).unwrap_or_default();
        for (var, leaf) in outs.into_iter().zip(leaves.iter()) {
            let zero = self.zero(leaf.scalar);
            self.set_silently(var, zero.term, span);
        }
    }

    /// What runs before the entry: constructors, in their order.
    fn before_entry(&mut self, span: Span) {
        let c = self.cx.c;
        for (span, reason) in &c.refusals {
            self.unsupported(&format!("{reason} which is not modelled"), *span);
        }
        self.call_all(c.constructors(), span);
    }

    /// What runs when the program ends by `exit` or by a return from `main`.
    pub fn run_destructors(&mut self, span: Span) {
        let destructors = self.cx.c.destructors();
        self.call_all(destructors, span);
    }

    /// Calls functions of the program without a call in its text. Their parameters, if any, are anything.
    fn call_all(&mut self, functions: Vec<FunctionId>, span: Span) {
        if self.is_open() {
            return;
        }
        for function in functions {
            let proc = self.cx.called_proc(self.proc, function);
            let data = &self.cx.c.functions[function];
            let mut ins = Vec::new();
            for &param in &data.params {
                let values = self.any_values(data.locals[param].ty, span);
                ins.extend(values.into_iter().map(|value| value.term));
            }
            let result = self.cx.function_type(function).result;
            let leaves = self.cx.leaves(result).unwrap_or_default();
            let outs = leaves
                .iter()
                .map(|leaf| self.scalar_temporary(leaf.scalar))
                .collect();
            let call = lariat_ir::Call {
                callee: proc,
                ins,
                outs,
            };
            self.push(lariat_ir::StmtKind::Call(call), span, lariat_ir::Origin::Source);
            if data.noreturn {
                self.stop();
            }
        }
    }

    /// What happens between the last statement and the return.
    fn finish_exit(&mut self, span: Span) {
        self.at(self.exit);
        self.end_locals(span);
        if self.is_entry {
            self.run_destructors(span);
            self.check_leaks(span);
        }
        self.body.blocks[self.body.current].terminator = Terminator::Return;
        self.body.blocks[self.body.current].span = Some(span);
    }

    pub fn local_type(&self, local: LocalId) -> TypeId {
        self.cx.c.functions[self.function].locals[local].ty
    }
}
