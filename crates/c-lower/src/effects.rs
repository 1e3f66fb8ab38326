//! What evaluating an expression reads and writes, calls included: whether the order of two operands can matter.
//!
//! Parts of split variables are distinguished by their bits, memory by its regions. The sets are larger than what happens,
//! never smaller, but for `errno` in programs that do not look at it.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::rc::Rc;

use lariat_c_program::{
    AssignOp, Callee, Expr, ExprKind, FunctionId, InitValue, Initializer, Node, NodeId, Place, PlaceKind,
    Purpose, Stmt, StmtKind, visit_stmt,
};
use lariat_c_regions::Variable;
use rustc_hash::FxHashMap;

use crate::spots::{Holder, Scene, Spot, spots};

/// What an evaluation does.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    reads: BTreeSet<Spot>,
    writes: BTreeSet<Spot>,
    /// Writes that no sequence point follows inside the expression.
    pending: BTreeSet<Spot>,
    /// By functions without body that are called.
    called_reads: BTreeSet<Holder>,
    called_writes: BTreeSet<Holder>,
    /// Functions with a body that are called: what they do is looked up only if it can matter.
    calls: BTreeSet<FunctionId>,
    /// A statement with a label is inside: it cannot be lowered twice.
    pub has_labels: bool,
}

/// How two operands interfere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Conflict {
    None,
    /// One may come before the other or after it, with different results.
    Order,
    /// A scalar is changed and used without a sequence point: undefined.
    Unsequenced,
}

impl Effects {
    fn add(&mut self, other: &Effects) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.pending.extend(&other.pending);
        self.called_reads.extend(&other.called_reads);
        self.called_writes.extend(&other.called_writes);
        self.calls.extend(&other.calls);
        self.has_labels |= other.has_labels;
    }

    /// The same, before a sequence point.
    fn completed(mut self) -> Self {
        self.pending.clear();
        self
    }

    fn is_quiet(&self) -> bool {
        self.writes.is_empty() && self.called_writes.is_empty() && self.calls.is_empty()
    }

    /// Whether a function that is called could touch the same.
    fn is_shared(&self) -> bool {
        let mut direct = self.reads.iter().chain(&self.writes);
        direct.any(|spot| !matches!(spot.holder, Holder::Local(_)))
            || !self.called_reads.is_empty()
            || !self.called_writes.is_empty()
            || !self.calls.is_empty()
    }

    /// Whether the writes meet what the other reads or writes: 1 if the order decides, 2 if nothing does.
    fn interferes(&self, other: &Effects) -> u32 {
        let mut worst = 0;
        for write in &self.writes {
            let mut met = other
                .reads
                .iter()
                .chain(&other.writes)
                .filter(|spot| write.meets(spot));
            if met.next().is_some() {
                // Two elements of a region need not be the same one.
                worst = worst.max(match write.holder {
                    Holder::Region(_) => 1,
                    _ => 2,
                });
            }
            let holder = write.holder;
            if other.called_reads.contains(&holder) || other.called_writes.contains(&holder) {
                worst = worst.max(1);
            }
        }
        let met = |holder: &Holder| {
            let mut direct = other.reads.iter().chain(&other.writes);
            direct.any(|spot| spot.holder == *holder)
                || other.called_reads.contains(holder)
                || other.called_writes.contains(holder)
        };
        if self.called_writes.iter().any(met) {
            worst = worst.max(1);
        }
        worst
    }

    /// Whether a write that is still going on when the value is there meets an assignment to the place.
    pub fn is_pending(&self, spots: &[Spot]) -> bool {
        let is_variable = |spot: &&Spot| !matches!(spot.holder, Holder::Region(_));
        spots
            .iter()
            .filter(is_variable)
            .any(|spot| self.pending.iter().any(|write| write.meets(spot)))
    }
}

/// What a function does itself.
#[derive(Clone, Debug, Default)]
struct Summary {
    reads: BTreeSet<Holder>,
    writes: BTreeSet<Holder>,
    callees: BTreeSet<FunctionId>,
}

/// Computes effects; what is known of functions is kept.
#[derive(Debug, Default)]
pub struct EffectTable {
    own: FxHashMap<FunctionId, Rc<Summary>>,
    whole: FxHashMap<FunctionId, Rc<Summary>>,
    exprs: FxHashMap<NodeId, Rc<Effects>>,
    ignored: Option<BTreeSet<Holder>>,
}

impl EffectTable {
    pub fn of_expr(&mut self, scene: Scene<'_>, expr: &Expr) -> Rc<Effects> {
        if let Some(known) = self.exprs.get(&expr.id) {
            return known.clone();
        }
        let made = stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, || self.expr(scene, expr));
        let made = Rc::new(made);
        self.exprs.insert(expr.id, made.clone());
        made
    }

    fn expr(&mut self, scene: Scene<'_>, expr: &Expr) -> Effects {
        let mut effects = Effects::default();
        match &expr.kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::FunctionAddress(_)
            | ExprKind::LabelAddress(_)
            | ExprKind::SizeOfLocal(_)
            | ExprKind::Unsupported(_) => {}
            ExprKind::Load(place) => {
                effects.add(&self.of_place(scene, place));
                effects.reads.extend(spots(scene, place));
            }
            ExprKind::AddressOf(place) => effects.add(&self.of_place(scene, place)),
            ExprKind::Unary { operand, .. } | ExprKind::Not(operand) | ExprKind::Convert(operand) => {
                effects.add(&self.of_expr(scene, operand));
            }
            ExprKind::Binary { left, right, .. } | ExprKind::Compare { left, right, .. } => {
                effects.add(&self.of_expr(scene, left));
                effects.add(&self.of_expr(scene, right));
            }
            ExprKind::PointerAdd {
                pointer,
                index,
                element,
                ..
            } => {
                for part in [pointer, index, element] {
                    effects.add(&self.of_expr(scene, part));
                }
            }
            ExprKind::PointerDifference { left, right, element } => {
                for part in [left, right, element] {
                    effects.add(&self.of_expr(scene, part));
                }
            }
            ExprKind::And(left, right) | ExprKind::Or(left, right) | ExprKind::Comma(left, right) => {
                let first = Effects::clone(&self.of_expr(scene, left)).completed();
                effects.add(&first);
                effects.add(&self.of_expr(scene, right));
            }
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
            } => {
                let first = Effects::clone(&self.of_expr(scene, condition)).completed();
                effects.add(&first);
                for part in then.iter().chain([otherwise]) {
                    effects.add(&self.of_expr(scene, part));
                }
            }
            ExprKind::Assign { place, value } => {
                effects.add(&self.of_place(scene, place));
                effects.add(&self.of_expr(scene, value));
                effects.write(spots(scene, place));
            }
            ExprKind::CompoundAssign {
                place, op, operand, ..
            } => {
                effects.add(&self.of_place(scene, place));
                effects.add(&self.of_expr(scene, operand));
                if let AssignOp::Pointer { element, .. } = op {
                    effects.add(&self.of_expr(scene, element));
                }
                let spots = spots(scene, place);
                effects.reads.extend(&spots);
                effects.write(spots);
            }
            ExprKind::Step { place, .. } => {
                effects.add(&self.of_place(scene, place));
                let spots = spots(scene, place);
                effects.reads.extend(&spots);
                effects.write(spots);
            }
            ExprKind::Call { callee, args } => {
                if let Callee::Pointer(pointer) = callee {
                    effects.add(&self.of_expr(scene, pointer));
                }
                for arg in args {
                    effects.add(&self.of_expr(scene, arg));
                }
                effects = effects.completed();
                let mut called = Summary::default();
                add_call(scene, callee, args, &mut called);
                effects.called_reads.extend(&called.reads);
                effects.called_writes.extend(&called.writes);
                effects.calls.extend(&called.callees);
            }
            ExprKind::Statements(stmts) => {
                for stmt in stmts {
                    effects.add(&self.of_stmt(scene, stmt));
                }
            }
            ExprKind::VaArg(list) => {
                effects.add(&self.of_expr(scene, list));
                let regions = scene.regions.object_regions(scene.regions.target(list.id));
                let list = regions
                    .into_iter()
                    .map(|region| Spot::all(Holder::Region(region)));
                let list: BTreeSet<Spot> = list.collect();
                effects.reads.extend(&list);
                effects.write(list);
            }
        }
        effects
    }

    /// What happens while the place is found, without an access to it.
    pub fn of_place(&mut self, scene: Scene<'_>, place: &Place) -> Effects {
        match &place.kind {
            PlaceKind::Local(_) | PlaceKind::Global(_) => Effects::default(),
            PlaceKind::Deref(pointer) | PlaceKind::Temporary(pointer) => {
                Effects::clone(&self.of_expr(scene, pointer))
            }
            PlaceKind::Member { base, .. } => self.of_place(scene, base),
            PlaceKind::Index { base, index } => {
                let mut effects = self.of_place(scene, base);
                effects.add(&self.of_expr(scene, index));
                effects
            }
            PlaceKind::CompoundLiteral { init, .. } => self.of_initializer(scene, init),
        }
    }

    /// The place is found and read.
    pub fn of_read(&mut self, scene: Scene<'_>, place: &Place) -> Effects {
        let mut effects = self.of_place(scene, place);
        effects.reads.extend(spots(scene, place));
        effects
    }

    fn of_initializer(&mut self, scene: Scene<'_>, init: &Initializer) -> Effects {
        let mut effects = Effects::default();
        for item in &init.items {
            if let InitValue::Expr(expr) = &item.value {
                effects.add(&self.of_expr(scene, expr));
            }
        }
        effects
    }

    /// Everything inside, in any order; each of its expressions is complete at its end.
    fn of_stmt(&mut self, scene: Scene<'_>, stmt: &Stmt) -> Effects {
        let mut effects = Effects::default();
        visit_stmt(stmt, &mut |node| match node {
            // Sub-expressions are visited too, which adds nothing new.
            Node::Expr(expr) => effects.add(&self.of_expr(scene, expr)),
            Node::Stmt(stmt) => {
                effects.has_labels |= matches!(
                    stmt.kind,
                    StmtKind::Label { .. } | StmtKind::Case { .. } | StmtKind::Default(_)
                );
                if let StmtKind::Asm(asm) = &stmt.kind {
                    for output in &asm.outputs {
                        effects.writes.extend(spots(scene, output));
                    }
                    if asm.clobbers_memory {
                        let all = scene.regions.regions().keys().map(Holder::Region);
                        effects.called_writes.extend(all);
                    }
                }
            }
            Node::Place(_) => {}
        });
        effects.completed()
    }

    /// How two operands interfere.
    pub fn conflict(&mut self, scene: Scene<'_>, left: &Effects, right: &Effects) -> Conflict {
        if left.is_quiet() && right.is_quiet() {
            return Conflict::None;
        }
        let (left_shared, right_shared) = (left.is_shared(), right.is_shared());
        let left = self.with_calls(scene, left, right_shared);
        let right = self.with_calls(scene, right, left_shared);
        match left.interferes(&right).max(right.interferes(&left)) {
            0 => Conflict::None,
            1 => Conflict::Order,
            _ => Conflict::Unsequenced,
        }
    }

    /// The effects with what the called functions do, if that can matter.
    fn with_calls<'e>(
        &mut self,
        scene: Scene<'_>,
        effects: &'e Effects,
        can_matter: bool,
    ) -> Cow<'e, Effects> {
        if effects.calls.is_empty() || !can_matter {
            return Cow::Borrowed(effects);
        }
        let mut closed = effects.clone();
        for &callee in &effects.calls {
            let whole = self.whole(scene, callee);
            closed.called_reads.extend(&whole.reads);
            closed.called_writes.extend(&whole.writes);
        }
        for holder in self.ignored(scene) {
            closed.called_reads.remove(holder);
            closed.called_writes.remove(holder);
        }
        Cow::Owned(closed)
    }

    /// A function with everything that it calls.
    fn whole(&mut self, scene: Scene<'_>, function: FunctionId) -> Rc<Summary> {
        if let Some(known) = self.whole.get(&function) {
            return known.clone();
        }
        let mut whole = Summary::default();
        let mut open = vec![function];
        while let Some(function) = open.pop() {
            if whole.callees.insert(function) {
                let own = self.own(scene, function);
                whole.reads.extend(&own.reads);
                whole.writes.extend(&own.writes);
                open.extend(&own.callees);
            }
        }
        let whole = Rc::new(whole);
        self.whole.insert(function, whole.clone());
        whole
    }

    fn own(&mut self, scene: Scene<'_>, function: FunctionId) -> Rc<Summary> {
        if let Some(known) = self.own.get(&function) {
            return known.clone();
        }
        let scene = Scene { function, ..scene };
        let mut own = Summary::default();
        if let Some(body) = &scene.c.functions[function].body {
            visit_stmt(body, &mut |node| match node {
                Node::Expr(expr) => add_expr(scene, expr, &mut own),
                Node::Stmt(stmt) => {
                    if let StmtKind::Asm(asm) = &stmt.kind {
                        for output in &asm.outputs {
                            extend(&mut own.writes, spots(scene, output));
                        }
                        if asm.clobbers_memory {
                            own.writes
                                .extend(scene.regions.regions().keys().map(Holder::Region));
                        }
                    }
                }
                Node::Place(_) => {}
            });
        }
        let own = Rc::new(own);
        self.own.insert(function, own.clone());
        own
    }

    /// Where `errno` is, unless the program looks at it.
    fn ignored(&mut self, scene: Scene<'_>) -> &BTreeSet<Holder> {
        self.ignored.get_or_insert_with(|| find_errno(scene))
    }
}

impl Effects {
    fn write(&mut self, spots: BTreeSet<Spot>) {
        self.writes.extend(&spots);
        self.pending.extend(&spots);
    }
}

fn find_errno(scene: Scene<'_>) -> BTreeSet<Holder> {
    let mut is_used = false;
    for function in scene.c.functions.values() {
        if let (Purpose::User, Some(body)) = (function.purpose, &function.body) {
            visit_stmt(body, &mut |node| {
                if let Node::Expr(expr) = node
                    && let ExprKind::Call {
                        callee: Callee::Function(callee),
                        ..
                    } = &expr.kind
                {
                    is_used |= scene.c.functions[*callee].name.contains("errno");
                }
            });
        }
    }
    let mut found = BTreeSet::new();
    for (id, global) in scene.c.globals.iter() {
        if is_used || global.purpose != Purpose::Model || &*global.name != crate::environment::ERRNO {
            continue;
        }
        found.insert(Holder::Global(id));
        let cell = scene.regions.variable(Variable::Global(id));
        for region in scene.regions.object_regions(cell) {
            let data = &scene.regions.regions()[region];
            if data.globals == [id] && !data.has_other_objects && !data.external {
                found.insert(Holder::Region(region));
            }
        }
    }
    found
}

/// What one node of a function does, without the nodes below it.
fn add_expr(scene: Scene<'_>, expr: &Expr, own: &mut Summary) {
    match &expr.kind {
        ExprKind::Load(place) => extend(&mut own.reads, spots(scene, place)),
        ExprKind::Assign { place, .. } => extend(&mut own.writes, spots(scene, place)),
        ExprKind::CompoundAssign { place, .. } | ExprKind::Step { place, .. } => {
            extend(&mut own.reads, spots(scene, place));
            extend(&mut own.writes, spots(scene, place));
        }
        ExprKind::VaArg(list) => {
            let regions = scene.regions.object_regions(scene.regions.target(list.id));
            own.reads.extend(regions.iter().copied().map(Holder::Region));
            own.writes.extend(regions.into_iter().map(Holder::Region));
        }
        ExprKind::Call { callee, args } => add_call(scene, callee, args, own),
        _ => {}
    }
}

/// Variables of a called function are its own.
fn extend(set: &mut BTreeSet<Holder>, spots: BTreeSet<Spot>) {
    let holders = spots.into_iter().map(|spot| spot.holder);
    set.extend(holders.filter(|holder| !matches!(holder, Holder::Local(_))));
}

fn add_call(scene: Scene<'_>, callee: &Callee, args: &[Expr], own: &mut Summary) {
    let (functions, is_unknown) = match callee {
        Callee::Function(function) => (vec![*function], false),
        Callee::Pointer(pointer) => {
            let targets = scene.regions.targets(pointer.id);
            (targets.functions, targets.unknown)
        }
    };
    let mut writes_arguments = is_unknown;
    for function in functions {
        let data = &scene.c.functions[function];
        if data.body.is_some() {
            own.callees.insert(function);
        } else {
            writes_arguments |= lariat_c_library::effect(&data.name).writes;
        }
    }
    if writes_arguments {
        for arg in args.iter().filter(|arg| scene.c.types.pointee(arg.ty).is_some()) {
            let regions = scene.regions.written_by_unknown(scene.c, arg);
            own.writes.extend(regions.into_iter().map(Holder::Region));
        }
    }
}
