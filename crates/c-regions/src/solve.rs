//! The analysis as a whole, and what depends on all of it: iterated until nothing changes.

use lariat_c_program::{CProgram, FunctionId, Linkage, Purpose};
use rustc_hash::FxHashMap;

use crate::calls::PointerCall;
use crate::graph::{AccessInfo, Cell, MemoryId};
use crate::references::{self, References};
use crate::values::Collector;
use crate::{Regions, Targets, Variable, grouping};

/// `externals_write`: unknown functions may write variables that other files can see.
pub(crate) fn run(program: &CProgram, externals_write: bool) -> Regions {
    let references = references::collect(program);
    let mut collector = Collector::new(program, &references);
    for (id, global) in program.globals.iter() {
        collector.global(id);
        let is_visible = global.linkage == Linkage::External && global.purpose == Purpose::User;
        if externals_write
            && is_visible
            && !global.is_const
            && !references.split.contains(&Variable::Global(id))
        {
            let cell = collector.variable(Variable::Global(id));
            collector.graph.unify(cell, collector.graph.external());
        }
    }
    for id in program.functions.keys().filter(|&id| references.live[id]) {
        collector.body(id);
    }
    for id in program.functions.keys() {
        if may_start(program, &references, id) {
            collector.call_from_outside(id);
        }
    }
    collector.expose_visible();
    collector.solve();
    collector.finish()
}

/// Whether unknown code may call this function, as far as the program shows.
fn may_start(program: &CProgram, references: &References, id: FunctionId) -> bool {
    let function = &program.functions[id];
    let is_visible = function.linkage == Linkage::External && function.purpose == Purpose::User;
    is_visible && function.body.is_some() && (!references.referenced[id] || &*function.name == "main")
}

impl Collector<'_> {
    fn call_from_outside(&mut self, id: FunctionId) {
        // The arguments of a hosted program are made by a model.
        let mut functions = self.program.functions.values();
        let has_arguments = &*self.program.functions[id].name == "main"
            && functions.any(|function| &*function.name == "__lariat_arguments" && function.body.is_some());
        if has_arguments {
            return;
        }
        for &param in &self.program.functions[id].params {
            let cell = self.variable(Variable::Local(id, param));
            let ty = self.program.functions[id].locals[param].ty;
            if self.program.types.pointee(ty).is_some() {
                let target = self.graph.edge(cell);
                self.graph.unify(target, self.graph.external());
            } else if !self.is_scalar(ty) {
                self.graph.set_external(cell);
            }
        }
    }

    fn solve(&mut self) {
        self.solve_known();
        self.find_callbacks();
        loop {
            let before = self.graph.changes();
            self.solve_known();
            // Calls that were found meanwhile.
            self.find_callbacks();
            self.apply_unknown_calls();
            self.expose_compared();
            self.expose_kept();
            self.join_hidden_addresses();
            if self.graph.changes() == before && !self.give_up_on_empty_calls() {
                return;
            }
        }
    }

    /// What the program does itself.
    fn solve_known(&mut self) {
        loop {
            let before = self.graph.changes();
            for (target, source, bytes) in self.transfers.clone() {
                self.graph.transfer(target, source, bytes);
            }
            self.bind_pointer_calls();
            if self.graph.changes() == before {
                return;
            }
        }
    }

    /// Which functions are given to unknown ones. Later, objects that unknown functions know are all one.
    fn find_callbacks(&mut self) {
        let external = self.graph.find(self.graph.external()).node;
        for (arg, cell) in std::mem::take(&mut self.given) {
            let reached = self.graph.reachable([cell]).into_iter();
            let functions = reached
                .filter(|&node| node != external)
                .flat_map(|node| self.graph.memory(node).functions.iter().copied())
                .collect();
            self.callbacks.insert(arg, functions);
        }
    }

    fn bind_pointer_calls(&mut self) {
        let mut calls = std::mem::take(&mut self.pointer_calls);
        for call in &mut calls {
            let memory = self.graph.at(call.target);
            let new: Vec<FunctionId> = memory
                .functions
                .iter()
                .copied()
                .filter(|&id| !call.bound.contains(&id) && self.accepts(id, call.args.len()))
                .collect();
            let external = memory.external;
            let new = match external {
                true => new.into_iter().chain(self.visible_of_type(call)).collect(),
                false => new,
            };
            for id in new {
                self.bind(call.call, id, &call.args, call.result, call.ty);
                call.bound.push(id);
            }
            if external && !call.is_unknown {
                call.is_unknown = true;
                self.unknown_call(&call.args, call.result, call.ty);
            }
        }
        debug_assert!(self.pointer_calls.is_empty());
        self.pointer_calls = calls;
    }

    /// Functions that other files can name, and so may have put into a pointer of theirs. One whose address the program takes
    /// is known to them anyway.
    fn visible_of_type(&self, call: &PointerCall) -> Vec<FunctionId> {
        let functions = self.program.functions.iter();
        functions
            .filter(|&(id, function)| {
                function.linkage == Linkage::External
                    && function.purpose == Purpose::User
                    && function.body.is_some()
                    && &*function.name != "main"
                    && call.callee == Some(function.ty)
                    && !self.references.addressed_functions[id]
                    && !call.bound.contains(&id)
            })
            .map(|(id, _)| id)
            .collect()
    }

    /// Calling it with so many arguments is defined.
    fn accepts(&self, id: FunctionId, count: usize) -> bool {
        match self.function_type(id) {
            Some(ty) if ty.prototyped && ty.variadic => count >= ty.params.len(),
            Some(ty) if ty.prototyped => count == ty.params.len(),
            _ => true,
        }
    }

    /// A call that has no target at all calls something unknown. Whether there are such calls.
    fn give_up_on_empty_calls(&mut self) -> bool {
        let mut calls = std::mem::take(&mut self.pointer_calls);
        let mut any = false;
        for call in calls
            .iter_mut()
            .filter(|call| call.bound.is_empty() && !call.is_unknown)
        {
            call.is_unknown = true;
            call.is_empty = true;
            self.unknown_call(&call.args, call.result, call.ty);
            any = true;
        }
        self.pointer_calls = calls;
        any
    }

    /// An unknown function may store what it can reach, and external addresses, wherever it can reach, and return them.
    /// Where somebody uses such an address, all that is joined. Where nobody does, it is noted, because a further unknown
    /// function may.
    fn apply_unknown_calls(&mut self) {
        let calls = std::mem::take(&mut self.unknown_calls);
        let mut later = Vec::new();
        for call in calls {
            let (reached, stored) = self.graph.reached(&call.args);
            let given: Vec<MemoryId> = call
                .args
                .iter()
                .map(|(cell, _)| self.graph.find(*cell).node)
                .collect();
            for node in given.into_iter().chain(reached.iter().copied()) {
                self.graph.set_exposed(Cell { node, offset: 0 });
            }
            let made: Vec<Cell> = stored.into_iter().chain(call.result).collect();
            if made.iter().any(|&cell| !self.graph.at(cell).is_inert()) {
                let given = call.args.iter().map(|(cell, _)| self.graph.find(*cell).node);
                let joined = given.chain(reached).collect();
                self.join_external(joined, call.result);
            } else {
                made.into_iter()
                    .for_each(|cell| self.graph.add_origin(cell, call.number));
                later.push(call);
            }
        }
        later.append(&mut self.unknown_calls);
        self.unknown_calls = later;
    }

    fn join_external(&mut self, roots: Vec<MemoryId>, result: Option<Cell>) {
        let external = self.graph.external();
        let cells = roots.into_iter().map(|node| Cell { node, offset: 0 });
        for cell in cells.chain(result) {
            self.graph.unify(cell, external);
        }
    }

    /// An address that equals one of unknown origin is known to the environment.
    fn expose_compared(&mut self) {
        for (left, right) in self.comparisons.clone() {
            for (one, other) in [(left, right), (right, left)] {
                let memory = self.graph.at(one);
                if memory.external || memory.forged {
                    self.graph.set_exposed(other);
                }
            }
        }
    }

    /// Objects and functions that other files can name and whose addresses the program takes.
    fn expose_visible(&mut self) {
        for (id, global) in self.program.globals.iter() {
            let is_visible = global.linkage == Linkage::External && global.purpose == Purpose::User;
            if is_visible
                && self.references.addressed.contains(&Variable::Global(id))
                && let Some(cell) = self.globals[id]
            {
                self.graph.set_exposed(cell);
            }
        }
        for (id, function) in self.program.functions.iter() {
            let is_visible = function.linkage == Linkage::External && function.purpose == Purpose::User;
            if is_visible
                && self.references.addressed_functions[id]
                && let Some(cell) = self.functions[id]
            {
                self.graph.set_exposed(cell);
            }
        }
    }

    /// What variables lead to that other files can name: unknown code can read the addresses there.
    fn expose_kept(&mut self) {
        let globals = self.program.globals.iter();
        let visible: Vec<Cell> = globals
            .filter(|(_, global)| global.linkage == Linkage::External && global.purpose == Purpose::User)
            .filter_map(|(id, _)| self.globals[id])
            .collect();
        let roots: Vec<MemoryId> = visible.iter().map(|&cell| self.graph.find(cell).node).collect();
        for node in self.graph.reachable(visible) {
            // Itself only if its own address is taken: see `expose_visible`.
            if !roots.contains(&node) {
                self.graph.set_exposed(Cell { node, offset: 0 });
            }
        }
    }

    /// Addresses that go ways that are not followed: a pointer of unknown origin may be any address that the environment
    /// knows.
    fn join_hidden_addresses(&mut self) {
        let roots: Vec<MemoryId> = self.graph.roots().collect();
        for &root in &roots {
            self.find_hidden_addresses(root);
        }
        let external = self.graph.find(self.graph.external()).node;
        let holds_objects = |root: MemoryId| {
            let memory = self.graph.memory(root);
            !memory.objects.is_empty() || !memory.functions.is_empty()
        };
        let is_of_unknown_origin = |root: MemoryId| {
            let memory = self.graph.memory(root);
            // Something is there although no address is known that points to it.
            let is_empty = !holds_objects(root) && !memory.is_value;
            (memory.forged || root == external || is_empty) && (!memory.is_inert() || memory.called)
        };
        let exposed: Vec<MemoryId> = roots
            .iter()
            .copied()
            .filter(|&root| self.graph.memory(root).exposed && holds_objects(root))
            .collect();
        let forged: Vec<MemoryId> = roots
            .iter()
            .copied()
            .filter(|&root| is_of_unknown_origin(root))
            .collect();
        let joined: Vec<MemoryId> = match (exposed.is_empty(), forged.is_empty()) {
            (false, false) => exposed.into_iter().chain(forged).collect(),
            _ => forged
                .into_iter()
                .filter(|&root| self.graph.memory(root).forged && !holds_objects(root))
                .collect(),
        };
        let joined = joined.into_iter().filter(|&root| root != external).collect();
        self.join_external(joined, None);
    }

    /// Which of the pointers stored in a root are also read in pieces, or written in pieces that make up the whole.
    fn find_hidden_addresses(&mut self, root: MemoryId) {
        let memory = self.graph.memory(root);
        if memory.edges.is_empty() {
            return;
        }
        if memory.filled {
            let targets: Vec<Cell> = memory.edges.values().copied().collect();
            targets
                .into_iter()
                .for_each(|target| self.graph.set_forged(target));
            return;
        }
        let bytes = self.graph.pointer_bytes() as i64;
        let stride = memory.stride as i64;
        let pieces = |wanted: fn(&AccessInfo) -> bool| -> Vec<(i64, i64)> {
            let found = memory.accesses.iter().filter(|(_, info)| wanted(info));
            found
                .map(|(key, _)| (key.offset, (u64::from(key.shift) + key.width).div_ceil(8) as i64))
                .collect()
        };
        let covered = |pieces: &[(i64, i64)], slot: i64| {
            let is_covered = |byte: &i64| {
                pieces.iter().any(|&(offset, length)| {
                    let distance = byte - offset;
                    let distance = if stride == 0 {
                        distance
                    } else {
                        distance.rem_euclid(stride)
                    };
                    (0..length).contains(&distance)
                })
            };
            (slot..slot + bytes).filter(is_covered).count() as i64
        };
        let (reads, writes) = (pieces(|info| info.exposes), pieces(|info| info.forges));
        if reads.is_empty() && writes.is_empty() {
            return;
        }
        let mut exposed = Vec::new();
        let mut forged = Vec::new();
        for (&slot, &target) in &memory.edges {
            if covered(&reads, slot) > 0 {
                exposed.push(target);
            }
            // The highest bytes of an address are often zero.
            if covered(&writes, slot) * 4 >= bytes * 3 {
                forged.push(target);
            }
        }
        exposed
            .into_iter()
            .for_each(|target| self.graph.set_exposed(target));
        forged
            .into_iter()
            .for_each(|target| self.graph.set_forged(target));
    }

    fn finish(mut self) -> Regions {
        self.graph.compress();
        let mut callees = FxHashMap::default();
        for call in &self.pointer_calls {
            let mut functions = call.bound.clone();
            functions.sort_unstable();
            let memory = self.graph.at(call.target);
            let mut refused: Vec<FunctionId> = memory.functions.iter().copied().collect();
            refused.retain(|id| !functions.contains(id));
            refused.sort_unstable();
            callees.insert(
                call.pointer,
                Targets {
                    functions,
                    refused,
                    unknown: memory.external || (call.is_unknown && !call.is_empty),
                },
            );
        }
        let (regions, layouts, elsewhere) = grouping::group(self.program, &self.graph, self.varargs);
        Regions {
            graph: self.graph,
            split: self.references.split.clone(),
            locals: self.locals,
            globals: self.globals,
            values: self.values,
            varargs: self.varargs,
            callees,
            callbacks: self.callbacks,
            regions,
            layouts,
            elsewhere,
            typed: None,
        }
    }
}
