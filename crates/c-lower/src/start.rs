//! How the program starts: objects with static storage have their initial values.

use std::collections::BTreeSet;

use lariat_base::Span;
use lariat_c_arith::Value;
use lariat_c_program::{
    BinaryOp, CompareOp, Expr, Global, GlobalId, Node, PlaceKind, Purpose, Scalar, visit_initializer,
};
use lariat_c_regions::{Access, RegionId, Variable};
use lariat_term::TermId;
use num_bigint::BigInt;

use crate::function::FunctionLowering;
use crate::options::Check;
use crate::place::{Located, Where};
use crate::storage::{READ_ONLY, VARIABLE};

/// Of larger objects not every zero is stored.
const MOST_ZEROS: u64 = 1024;

impl FunctionLowering<'_, '_> {
    /// Sets all globals. Statements are internal: traces start with the function.
    pub fn start_program(&mut self) {
        let span = self.cx.c.functions[self.function].span;
        self.start_addresses(span);
        self.start_regions(span);
        for id in self.needed_globals() {
            let c = self.cx.c;
            let global = &c.globals[id];
            if let Some(&own) = self.cx.storage.thread_addresses.get(&id) {
                // The first thread's.
                let address = self.cx.storage.address(id);
                let address = self.address(&address);
                self.set_silently(own, address.term, global.span);
            }
            if !global.defined && !global.is_string {
                self.start_undefined(id, global);
                continue;
            }
            self.start_global(id, global);
        }
        let entry = self.body.current;
        for stmt in &mut self.body.blocks[entry].stmts {
            stmt.origin = lariat_ir::Origin::Internal;
        }
    }

    /// Memory and globals are what the environment has left, but for what never changes and for what the models keep. No
    /// environment has run before `main` or a harness: there, globals have their initial values.
    pub fn start_open(&mut self, span: Span) {
        let options = self.cx.options.open.as_ref();
        let is_start =
            options.is_some_and(|open| open.is_start) || &*self.cx.c.functions[self.function].name == "main";
        self.is_starting = true;
        self.start_addresses(span);
        for region in self.cx.storage.maps.used() {
            self.start_written(region, span);
            let memory = self.memory(region);
            if let Some(initial) = self.cx.storage.maps.initial[region] {
                let initial = self.cx.ir.pool.var(initial);
                self.set_silently(memory, initial, span);
            }
        }
        for id in self.needed_globals() {
            let c = self.cx.c;
            let global = &c.globals[id];
            let is_set = options.is_some_and(|open| {
                open.monitors_set && open.typestate.iter().any(|name| **name == *global.name)
            });
            let is_known =
                is_start || is_set || self.cx.constants.contains(&id) || global.purpose == Purpose::Model;
            if is_known && (global.defined || global.is_string) {
                self.start_global(id, global);
            } else if let Some(split) = self.cx.storage.split_globals.get(&id).cloned() {
                for (leaf, &var) in split.leaves.iter().zip(&split.vars) {
                    let term = self.cx.ir.pool.var(var);
                    self.assume_input(leaf.scalar, term, span);
                }
            }
        }
        self.is_starting = false;
        let entry = self.body.current;
        for stmt in &mut self.body.blocks[entry].stmts {
            stmt.origin = lariat_ir::Origin::Internal;
        }
    }

    /// What the functions mention, and what the initial values of those point to.
    fn needed_globals(&mut self) -> BTreeSet<GlobalId> {
        let mut needed = BTreeSet::new();
        let mut open: Vec<GlobalId> = self.cx.mentioned_from(self.proc).into_iter().collect();
        while let Some(id) = open.pop() {
            if !needed.insert(id) {
                continue;
            }
            if let Some(init) = &self.cx.c.globals[id].init {
                visit_initializer(init, &mut |node| {
                    if let Node::Place(place) = node
                        && let PlaceKind::Global(other) = place.kind
                    {
                        open.push(other);
                    }
                });
            }
        }
        needed
    }

    fn start_addresses(&mut self, span: Span) {
        let storage = &self.cx.storage;
        let (next, live, sizes, states) = (storage.next, storage.live, storage.size, storage.state);
        let first = storage.first_fresh.clone();
        let pool = &mut self.cx.ir.pool;
        let zero = pool.int(0);
        let first = match self.cx.options.tracks_objects() {
            true => pool.int(first),
            false => self.cx.arith.int(pool, Scalar::Pointer, &first).term,
        };
        self.set_silently(next, first, span);
        if self.cx.options.checks(Check::Leak) {
            self.set_silently(live, zero, span);
        }
        if !self.cx.options.tracks_objects() {
            return;
        }
        let pool = &mut self.cx.ir.pool;
        let sort = pool.var_sort(sizes);
        let (mut size_map, mut state_map) = (pool.const_array(sort, zero), pool.const_array(sort, zero));
        for (id, global) in self.cx.c.globals.iter() {
            if self.cx.regions.is_split(Variable::Global(id)) {
                continue;
            }
            let slot = self.cx.storage.address(id) >> crate::storage::SLOT_BITS;
            let pool = &mut self.cx.ir.pool;
            let slot = pool.int(slot);
            let size = pool.int(self.cx.c.types.size(global.ty).unwrap_or(0));
            let is_fixed = global.is_string || global.is_const;
            let state = pool.int(if is_fixed { READ_ONLY } else { VARIABLE });
            size_map = pool.store(size_map, &[slot], size);
            state_map = pool.store(state_map, &[slot], state);
        }
        self.set_silently(sizes, size_map, span);
        self.set_silently(states, state_map, span);
        if let Some(constant) = self.cx.storage.constant {
            let pool = &mut self.cx.ir.pool;
            let (sort, no) = (pool.var_sort(constant), pool.bool(false));
            let none = pool.const_array(sort, no);
            self.set_silently(constant, none, span);
        }
    }

    /// A region that holds only objects with static storage is zero to begin with. In any other the content of fresh
    /// objects is arbitrary, and zeros are stored one by one.
    fn start_regions(&mut self, span: Span) {
        let regions: Vec<RegionId> = self.cx.regions.regions().keys().collect();
        for region in regions {
            self.start_written(region, span);
            if self.is_static(region) {
                let memory = self.memory(region);
                let element = self.cx.regions.regions()[region].element;
                let zero = self.zero(element);
                let pool = &mut self.cx.ir.pool;
                let sort = pool.var_sort(memory);
                let map = pool.const_array(sort, zero.term);
                self.set_silently(memory, map, span);
            }
        }
    }

    fn start_written(&mut self, region: RegionId, span: Span) {
        if let Some(written) = self.cx.storage.maps.written[region] {
            let pool = &mut self.cx.ir.pool;
            let sort = pool.var_sort(written);
            let no = pool.bool(false);
            let map = pool.const_array(sort, no);
            self.set_silently(written, map, span);
        }
    }

    fn is_static(&self, region: RegionId) -> bool {
        let data = &self.cx.regions.regions()[region];
        !data.has_other_objects && !data.external
    }

    /// Declared here, defined elsewhere: any value.
    fn start_undefined(&mut self, id: GlobalId, global: &Global) {
        if let Some(split) = self.cx.storage.split_globals.get(&id).cloned() {
            for (leaf, &var) in split.leaves.iter().zip(&split.vars) {
                self.havoc(var, leaf.scalar, global.span, lariat_ir::Origin::Internal);
            }
        }
        if global.purpose == Purpose::User {
            let name = global.name.to_string();
            let effect = "an external variable: any value at the start".to_owned();
            self.cx.use_external(&name, global.span, effect);
        }
    }

    pub fn start_global(&mut self, id: GlobalId, global: &Global) {
        let ty = global.ty;
        if let Some(split) = self.cx.storage.split_globals.get(&id).cloned() {
            for (leaf, &var) in split.leaves.iter().zip(&split.vars) {
                let zero = self.zero(leaf.scalar);
                self.set_silently(var, zero.term, global.span);
            }
            let place = Located {
                at: Where::Split {
                    split: std::rc::Rc::new(split),
                    offset: 0,
                },
                ty,
                bits: None,
                span: None,
                is_safe: true,
                base: None,
            };
            if let Some(init) = &global.init {
                let items = lariat_c_program::Initializer {
                    zero: false,
                    ..init.clone()
                };
                self.initialize(&place, &items, global.span);
            }
            return;
        }
        let address = self.global_address(id);
        let place = Located {
            at: Where::Memory {
                address,
                cell: self.cx.regions.variable(Variable::Global(id)),
            },
            ty,
            bits: None,
            span: None,
            is_safe: true,
            base: None,
        };
        self.zero_where_needed(&place, global);
        if let Some(init) = &global.init {
            let items = lariat_c_program::Initializer {
                zero: false,
                ..init.clone()
            };
            self.initialize(&place, &items, global.span);
        }
        if global.purpose == Purpose::User
            && !global.is_const
            && let Where::Memory { address, .. } = &place.at
        {
            self.protect_members(address, ty, global.span);
        }
    }

    /// Every element between the object's first and last byte is zero, whatever its size: of regions that hold other objects
    /// too this takes stores, or, for a large object, an assumption about the initial memory.
    fn zero_where_needed(&mut self, place: &Located, global: &Global) {
        let Where::Memory { address, cell } = &place.at else {
            return;
        };
        if self.is_open() {
            // Of what is too large the rest is as unknown as everything else.
            if !global.is_string && self.cx.leaves(place.ty).is_some() {
                let zeros = self.zeros(place.ty);
                self.write_leaves(place, &zeros, global.span, false);
            }
            return;
        }
        let (address, cell) = (address.clone(), *cell);
        let size = self.cx.c.types.size(global.ty).unwrap_or(0);
        for region in self.cx.regions.object_regions(cell) {
            if self.is_static(region) {
                continue;
            }
            if size > MOST_ZEROS {
                let condition = self.all_zero(region, &address.term, size);
                self.assume(condition, global.span);
                continue;
            }
            let memory = self.memory(region);
            let element = self.cx.regions.regions()[region].element;
            let zero = self.zero(element);
            let mut map = self.cx.ir.pool.var(memory);
            for offset in 0..size {
                let at = self.add_bytes(&address, offset);
                map = self.cx.ir.pool.store(map, &[at.term], zero.term);
            }
            self.set_silently(memory, map, global.span);
        }
    }

    /// `array[0..count)` are pointers into the `size` bytes of `text`, where anything checks that.
    pub fn point_into(&mut self, [array, count, text, size]: [&Expr; 4], span: Span) {
        let cell = self.cx.regions.target(array.id);
        let [start, count, text, size] = [array, count, text, size].map(|arg| {
            let value = self.size_value(arg);
            self.pin(value, span)
        });
        if !self.cx.options.tracks_objects() && !self.cx.options.checks(Check::Null) {
            return;
        }
        let bytes = self.cx.c.types.machine.pointer_bytes();
        let found = self.cx.regions.find_access(cell, Scalar::Pointer, bytes, None);
        // What is written byte by byte is too much to say.
        let Some(Access::Word(region)) = found else { return };
        if let Some(written) = self.cx.storage.maps.written[region] {
            let pool = &mut self.cx.ir.pool;
            let sort = pool.var_sort(written);
            let yes = pool.bool(true);
            let all = pool.const_array(sort, yes);
            self.set_silently(written, all, span);
        }
        let length = self.address(&BigInt::from(bytes));
        let arith = &self.cx.arith;
        let pool = &mut self.cx.ir.pool;
        let scalar = Scalar::Pointer;
        let length = arith.binary(pool, BinaryOp::Mul, scalar, &count, &length, scalar);
        let end = arith.binary(pool, BinaryOp::Add, scalar, &start, &length, scalar);
        let text_end = arith.binary(pool, BinaryOp::Add, scalar, &text, &size, scalar);
        let memory = self.memory(region);
        let pool = &mut self.cx.ir.pool;
        let memory = pool.var(memory);
        let sort = self.cx.arith.sort(pool, scalar);
        let bound = pool.declare_var("a", sort);
        let at = pool.var(bound);
        let read = pool.select(memory, &[at]);
        let arith = &self.cx.arith;
        let (at_value, read_value) = (arith.value(at, scalar), arith.value(read, scalar));
        let mut within = |value: &Value, from: &Value, to: &Value| {
            let above = arith.compare(pool, CompareOp::Ge, scalar, value, from);
            let below = arith.compare(pool, CompareOp::Lt, scalar, value, to);
            pool.and(&[above, below])
        };
        let inside = within(&at_value, &start, &end);
        let is_text = within(&read_value, &text, &text_end);
        let body = pool.implies(inside, is_text);
        let condition = pool.quantifier_term(lariat_term::Quantifier {
            kind: lariat_term::QuantifierKind::Forall,
            bound: vec![bound].into(),
            body,
            triggers: vec![vec![read].into()].into(),
            no_patterns: Vec::new().into(),
            weight: None,
        });
        self.assume(condition, span);
    }

    fn all_zero(&mut self, region: RegionId, address: &TermId, size: u64) -> TermId {
        let memory = self.memory(region);
        let element = self.cx.regions.regions()[region].element;
        let zero = self.zero(element);
        let end = self.cx.arith.value(*address, Scalar::Pointer);
        let end = self.add_bytes(&end, size);
        let pool = &mut self.cx.ir.pool;
        let sort = self.cx.arith.sort(pool, Scalar::Pointer);
        let bound = pool.declare_var("a", sort);
        let at = pool.var(bound);
        let memory = pool.var(memory);
        let read = pool.select(memory, &[at]);
        let is_zero = pool.eq(read, zero.term);
        let at_value = self.cx.arith.value(at, Scalar::Pointer);
        let start = self.cx.arith.value(*address, Scalar::Pointer);
        let above = self.cx.arith.compare(
            pool,
            lariat_c_program::CompareOp::Ge,
            Scalar::Pointer,
            &at_value,
            &start,
        );
        let below = self.cx.arith.compare(
            pool,
            lariat_c_program::CompareOp::Lt,
            Scalar::Pointer,
            &at_value,
            &end,
        );
        let inside = pool.and(&[above, below]);
        let body = pool.implies(inside, is_zero);
        pool.quantifier_term(lariat_term::Quantifier {
            kind: lariat_term::QuantifierKind::Forall,
            bound: vec![bound].into(),
            body,
            triggers: vec![vec![read].into()].into(),
            no_patterns: Vec::new().into(),
            weight: None,
        })
    }
}
