//! The statements of one procedure.

use super::*;

/// A procedure while its blocks are rewritten.
pub(super) struct Body<'p, 'a> {
    pass: &'p mut Pass<'a>,
    proc: ProcId,
    /// The block that is being written, and its statements.
    current: BlockId,
    stmts: Vec<Stmt>,
    /// The block of the program as it was.
    original: BlockId,
    /// For a thread that stops in a call: the block that returns.
    stopped: Option<BlockId>,
    /// `move i`.
    moves: Vec<VarId>,
    /// Locals that take the place of shared globals in havocs and results.
    stand_ins: FxHashMap<VarId, VarId>,
    /// An effect after which the thread may stop, as soon as what belongs to it is done.
    effect: Option<(StmtId, Depth)>,
}

impl<'p, 'a> Body<'p, 'a> {
    pub fn new(pass: &'p mut Pass<'a>, proc: ProcId) -> Self {
        let original = pass.program.procs[proc].entry;
        Body {
            pass,
            proc,
            current: original,
            stmts: Vec::new(),
            original,
            stopped: None,
            moves: Vec::new(),
            stand_ins: FxHashMap::default(),
            effect: None,
        }
    }

    fn data(&mut self) -> &mut Proc {
        &mut self.pass.program.procs[self.proc]
    }

    fn local(&mut self, name: String, sort: SortId) -> VarId {
        let var = self.pass.program.pool.declare_var(name, sort);
        self.data().locals.push(var);
        var
    }

    fn push(&mut self, kind: StmtKind) {
        let stmt = self.pass.stmt(kind);
        self.stmts.push(stmt);
    }

    pub fn rewrite(mut self) {
        let is_spawn = self.pass.primitive(self.proc) == Some(ThreadPrimitive::Spawn);
        let entry = self.data().entry;
        let parent = self.pass.analysis.at_start(self.proc, entry);
        // The assertion at the start of a thread is for those that do not know threads.
        let announced = is_spawn.then(|| self.data().blocks[entry].stmts.remove(0).id);
        for block in self.data().blocks.keys().collect::<Vec<_>>() {
            let Some(point) = self.pass.analysis.at_start(self.proc, block) else {
                // No execution gets there.
                self.data().blocks[block].stmts.clear();
                self.data().blocks[block].terminator = Terminator::Goto(SmallVec::new());
                continue;
            };
            let start = Point {
                others: true,
                depth: Depth::Known(0),
            };
            self.block(block, if is_spawn && block == entry { start } else { point });
        }
        if let (Some(stmt), Some(parent)) = (announced, parent) {
            self.frame_thread(stmt, parent.depth);
        }
    }

    fn block(&mut self, block: BlockId, mut point: Point) {
        let data = &mut self.data().blocks[block];
        let old = std::mem::take(&mut data.stmts);
        let terminator = std::mem::replace(&mut data.terminator, Terminator::Return);
        let span = data.span;
        (self.current, self.original) = (block, block);
        let mut before: Option<Stmt> = None;
        for stmt in old {
            let belongs = before.as_ref().is_some_and(|before| belongs_to(before, &stmt));
            if !belongs {
                self.may_stop_here();
            }
            let after = self.pass.analysis.after(&stmt, point);
            before = Some(stmt.clone());
            self.statement(stmt, point, after, belongs);
            point = after;
        }
        self.may_stop_here();
        let terminator = match terminator {
            Terminator::Goto(targets) if targets.is_empty() && point.others && !self.pass.cooperative => {
                self.set_stop(point.depth);
                Terminator::Return
            }
            other => other,
        };
        let stmts = std::mem::take(&mut self.stmts);
        let current = self.current;
        let end = &mut self.data().blocks[current];
        end.stmts = stmts;
        end.terminator = terminator;
        end.span = span;
    }

    /// `stop := true`, unless in an atomic block.
    fn set_stop(&mut self, depth: Depth) {
        if depth != Depth::Known(0) {
            let outside = self.outside_atomic();
            self.push(StmtKind::Assume(outside));
        }
        let yes = self.pass.program.pool.bool(true);
        let stop = self.pass.state.stop;
        self.push(StmtKind::Assign(smallvec![(stop, yes)]));
    }

    fn outside_atomic(&mut self) -> TermId {
        let pool = &mut self.pass.program.pool;
        let (depth, zero) = (pool.var(self.pass.state.atomic), pool.int(0));
        pool.eq(depth, zero)
    }

    /// Ends the current block with a choice between `other` and the rest.
    fn branch_to(&mut self, other: BlockId) {
        let stmts = std::mem::take(&mut self.stmts);
        let current = self.current;
        let rest = self.data().blocks.push(Block::new(Terminator::Return));
        let cut = &mut self.data().blocks[current];
        cut.stmts = stmts;
        cut.terminator = Terminator::Goto(smallvec![other, rest]);
        self.current = rest;
    }

    /// A block of its own that `write` fills and that returns.
    fn side_block(&mut self, write: impl FnOnce(&mut Self)) -> BlockId {
        let before = std::mem::take(&mut self.stmts);
        write(self);
        let mut block = Block::new(Terminator::Return);
        block.stmts = std::mem::replace(&mut self.stmts, before);
        self.data().blocks.push(block)
    }

    /// After an effect that others see the thread may stop for good.
    fn may_stop_here(&mut self) {
        let Some((after, depth)) = self.effect.take() else {
            return;
        };
        let stops = self.side_block(|body| {
            let mark = body.pass.mark(Mark::Stops(after));
            body.stmts.push(mark);
            body.set_stop(depth);
        });
        self.branch_to(stops);
    }

    fn note_effect(&mut self, stmt: StmtId, point: Point) {
        if point.others && point.depth.may_be_zero() {
            self.effect = Some((stmt, point.depth));
        }
    }

    /// The thread may move to a later context: `context >= i |= move i && context >= i-1`.
    fn may_move(&mut self, before: StmtId, depth: Depth) {
        // In one context it cannot, but in two it could.
        let counts = self.pass.switches.entry(self.proc).or_default();
        *counts.entry(self.original).or_default() += 1;
        if self.pass.state.at_least.is_empty() {
            return;
        }
        let bool_sort = self.pass.program.pool.bool_sort();
        while self.moves.len() < self.pass.state.at_least.len() {
            let i = self.moves.len() + 2;
            let var = self.local(format!("move {i}"), bool_sort);
            self.moves.push(var);
        }
        let havoc = self
            .pass
            .stmt(StmtKind::Havoc(self.moves.iter().copied().collect()));
        let moves = self.moves.clone();
        self.pass.result.schedule.moves.insert(havoc.id, (before, moves));
        self.stmts.push(havoc);
        let free = (depth != Depth::Known(0)).then(|| self.outside_atomic());
        let mut assignments = Assignments::new();
        let mut reached: Option<TermId> = None;
        for (&at_least, &moves) in self.pass.state.at_least.clone().iter().zip(&self.moves) {
            let pool = &mut self.pass.program.pool;
            let mut parts = vec![pool.var(moves)];
            parts.extend(reached.or(free));
            let moved = pool.and(&parts);
            let was = pool.var(at_least);
            let is = pool.or(&[was, moved]);
            assignments.push((at_least, is));
            reached = Some(is);
        }
        if self.pass.cooperative {
            // In a later context the thread has its turn again.
            let mut moved = Vec::new();
            for &(at_least, is) in &assignments {
                let pool = &mut self.pass.program.pool;
                let was = pool.var(at_least);
                let was_not = pool.not(was);
                moved.push(pool.and(&[was_not, is]));
            }
            let pool = &mut self.pass.program.pool;
            let moved = pool.or(&moved);
            let stays = pool.not(moved);
            let ceded = pool.var(self.pass.state.ceded);
            assignments.push((self.pass.state.ceded, pool.and(&[ceded, stays])));
        }
        self.push(StmtKind::Assign(assignments));
    }

    /// What comes before an access of shared globals.
    fn before_access(&mut self, stmt: &Stmt, point: Point, belongs: bool) {
        if !point.others || !self.pass.uses_shared(stmt) {
            return;
        }
        if self.pass.cooperative {
            let ceded = self.pass.program.pool.var(self.pass.state.ceded);
            let keeps = self.pass.program.pool.not(ceded);
            self.push(StmtKind::Assume(keeps));
        } else if !belongs && point.depth.may_be_zero() {
            self.may_move(stmt.id, point.depth);
        }
    }

    fn statement(&mut self, mut stmt: Stmt, point: Point, after: Point, belongs: bool) {
        self.before_access(&stmt, point, belongs);
        let id = stmt.id;
        let stops = !self.pass.cooperative && self.assigns_shared(&stmt);
        match stmt.kind {
            StmtKind::Enter(_) => self.stmts.push(stmt),
            StmtKind::Assume(condition) => {
                stmt.kind = StmtKind::Assume(self.value(condition, point));
                self.stmts.push(stmt);
            }
            StmtKind::Assert { condition, assert } => self.assertion(stmt, condition, assert, point),
            StmtKind::Assign(ref assignments) => {
                let mut rewritten = Assignments::new();
                for (var, term) in assignments.clone() {
                    self.assign(var, term, point, &mut rewritten);
                }
                stmt.kind = StmtKind::Assign(rewritten);
                self.stmts.push(stmt);
            }
            StmtKind::Havoc(ref vars) => {
                let mut later = Assignments::new();
                let vars = vars.clone().into_iter();
                let havocked = vars.map(|var| self.stand_in(var, point, &mut later)).collect();
                stmt.kind = StmtKind::Havoc(havocked);
                self.stmts.push(stmt);
                self.assign_later(later);
            }
            StmtKind::Call(ref call) => {
                let call = call.clone();
                match self.pass.primitive(call.callee) {
                    Some(ThreadPrimitive::Spawn) | None => self.call(stmt, call, point),
                    Some(primitive) => self.primitive(primitive, &stmt, &call, point, after),
                }
                return;
            }
        }
        if stops {
            self.note_effect(id, point);
        }
    }

    fn assigns_shared(&self, stmt: &Stmt) -> bool {
        let mut assigned = stmt.assigned().into_iter();
        assigned.any(|var| self.pass.analysis.visible.contains(&var))
    }

    /// The value of a term: before any other thread runs there is the first context only.
    fn value(&mut self, term: TermId, point: Point) -> TermId {
        if point.others { self.pass.value(term) } else { term }
    }

    fn assign(&mut self, var: VarId, term: TermId, point: Point, assignments: &mut Assignments) {
        if point.others {
            self.pass.assign(var, term, assignments);
        } else {
            assignments.push((var, term));
        }
    }

    /// What stands for a shared global that gets a value which is not a term; `later` says how it gets there.
    fn stand_in(&mut self, var: VarId, point: Point, later: &mut Assignments) -> VarId {
        if !point.others || !self.pass.state.copies.contains_key(&var) {
            return var;
        }
        let local = match self.stand_ins.get(&var) {
            Some(&local) => local,
            None => {
                let pool = &self.pass.program.pool;
                let (name, sort) = (pool.var_name(var).to_string(), pool.var_sort(var));
                let local = self.local(name, sort);
                self.stand_ins.insert(var, local);
                self.pass.result.origins.insert(local, var);
                local
            }
        };
        let value = self.pass.program.pool.var(local);
        self.pass.assign(var, value, later);
        local
    }

    fn assign_later(&mut self, later: Assignments) {
        if !later.is_empty() {
            self.push(StmtKind::Assign(later));
        }
    }

    /// `assert e`: where it fails, `failed := true`, and the thread stops.
    fn assertion(&mut self, mut stmt: Stmt, condition: TermId, assert: AssertId, point: Point) {
        let condition = self.value(condition, point);
        let (id, span) = (stmt.id, stmt.span);
        stmt.kind = StmtKind::Assume(condition);
        if self.pass.is_goal(assert) {
            self.pass.result.goals.insert(assert);
            self.pass.result.failures.insert(id, assert);
            let fails = Stmt {
                kind: StmtKind::Assume(self.pass.program.pool.not(condition)),
                ..stmt.clone()
            };
            let (stop, failed) = (self.pass.state.stop, self.pass.state.failed);
            let block = self.side_block(|body| {
                let mark = body.pass.mark(Mark::Fails(id));
                let yes = body.pass.program.pool.bool(true);
                body.stmts.extend([mark, fails]);
                body.push(StmtKind::Assign(smallvec![(failed, yes), (stop, yes)]));
            });
            self.data().blocks[block].span = span;
            self.branch_to(block);
        }
        self.stmts.push(stmt);
    }

    fn primitive(
        &mut self,
        primitive: ThreadPrimitive,
        stmt: &Stmt,
        call: &Call,
        point: Point,
        after: Point,
    ) {
        let pool = &mut self.pass.program.pool;
        let (depth, one, zero) = (pool.var(self.pass.state.atomic), pool.int(1), pool.int(0));
        match primitive {
            ThreadPrimitive::AtomicBegin => {
                if point.others && point.depth.may_be_zero() && !self.pass.cooperative {
                    self.may_move(stmt.id, point.depth);
                }
                let more = self.pass.program.pool.add(&[depth, one]);
                let set = self.pass.set(self.pass.state.atomic, more);
                self.stmts.push(set);
            }
            ThreadPrimitive::AtomicEnd => {
                let pool = &mut self.pass.program.pool;
                let is_open = pool.lt(zero, depth);
                let fewer = pool.sub(depth, one);
                let fewer = pool.ite(is_open, fewer, zero);
                let set = self.pass.set(self.pass.state.atomic, fewer);
                self.stmts.push(set);
                if !self.pass.cooperative {
                    self.note_effect(stmt.id, after);
                }
            }
            ThreadPrimitive::Yield => {
                if self.pass.cooperative && point.others && point.depth.may_be_zero() {
                    self.may_move(stmt.id, point.depth);
                    self.note_effect(stmt.id, point);
                }
            }
            ThreadPrimitive::ThreadId | ThreadPrimitive::ChildThreadId => {
                if let Some(&out) = call.outs.first() {
                    let sort = self.pass.program.pool.var_sort(out);
                    let ids = self.pass.state.ids.iter().find(|(known, ..)| *known == sort);
                    if let Some(&(_, own, _, child)) = ids {
                        let is_own = primitive == ThreadPrimitive::ThreadId;
                        let id = self.pass.program.pool.var(if is_own { own } else { child });
                        let mut assignments = Assignments::new();
                        self.assign(out, id, point, &mut assignments);
                        self.stmts.push(Stmt {
                            kind: StmtKind::Assign(assignments),
                            ..stmt.clone()
                        });
                    }
                }
            }
            ThreadPrimitive::Spawn => {}
        }
    }

    fn call(&mut self, mut stmt: Stmt, call: Call, point: Point) {
        let id = stmt.id;
        if self.pass.primitive(call.callee) == Some(ThreadPrimitive::Spawn) {
            self.pass.result.schedule.spawns.insert(id);
        }
        let mut later = Assignments::new();
        let outs = call.outs.iter();
        let outs = outs.map(|&out| self.stand_in(out, point, &mut later)).collect();
        let ins = call.ins.iter().map(|&term| self.value(term, point)).collect();
        let callee = call.callee;
        let kind = StmtKind::Call(Call { callee, ins, outs });
        stmt.kind = kind;
        self.stmts.push(stmt);
        if self.pass.may_stop.contains(&callee) {
            let stop = self.pass.program.pool.var(self.pass.state.stop);
            let stopped = match self.stopped {
                Some(stopped) => stopped,
                None => self.side_block(|body| body.push(StmtKind::Assume(stop))),
            };
            self.stopped = Some(stopped);
            self.branch_to(stopped);
            let goes_on = self.pass.program.pool.not(stop);
            self.push(StmtKind::Assume(goes_on));
        }
        self.assign_later(later);
        if self.pass.primitive(callee) == Some(ThreadPrimitive::Spawn) && !self.pass.cooperative {
            let others = true;
            self.note_effect(id, Point { others, ..point });
        }
    }

    /// The start and the end of a thread, around its body. `announced` was its first statement.
    fn frame_thread(&mut self, announced: StmtId, depth: Depth) {
        let state = &self.pass.state;
        let (at_least, ids) = (state.at_least.clone(), state.ids.clone());
        let (atomic, ceded, stop) = (state.atomic, state.ceded, state.stop);
        let own: Vec<VarId> = self.pass.threads.locals.clone();
        let mut kept: Vec<VarId> = at_least.clone();
        kept.extend([atomic, ceded]);
        kept.extend(ids.iter().flat_map(|&(_, id, _, child)| [id, child]));
        kept.extend(&own);
        let mut keep = Assignments::new();
        let mut restore = Assignments::new();
        let mut saved: FxHashMap<VarId, TermId> = FxHashMap::default();
        for var in kept {
            let pool = &self.pass.program.pool;
            let (name, sort) = (format!("creator's {}", pool.var_name(var)), pool.var_sort(var));
            let local = self.local(name, sort);
            let pool = &mut self.pass.program.pool;
            keep.push((local, pool.var(var)));
            saved.insert(var, pool.var(local));
            restore.push((var, saved[&var]));
        }
        self.push(StmtKind::Assign(keep));
        // The thread has an id and globals of its own.
        let mut starts: SmallVec<[VarId; 2]> = SmallVec::new();
        let mut numbered = Assignments::new();
        for &(sort, id, last, child) in &ids {
            let start = self.local("thread".to_owned(), sort);
            starts.push(start);
            let pool = &mut self.pass.program.pool;
            let (new, last_id) = (pool.var(start), pool.var(last));
            numbered.extend([(id, new), (last, new)]);
            restore.retain(|(var, _)| *var != child);
            restore.push((child, new));
            let next = self.pass.successor_id(last_id);
            saved.insert(start, next);
        }
        let first_id = starts.first().copied();
        let mut havocked = starts.clone();
        havocked.extend(own.iter().copied());
        let havoc = self.pass.stmt(StmtKind::Havoc(havocked));
        self.pass.result.schedule.starts.insert(havoc.id, first_id);
        self.stmts.push(havoc);
        for start in starts {
            let pool = &mut self.pass.program.pool;
            let var = pool.var(start);
            let is_next = pool.eq(var, saved[&start]);
            self.push(StmtKind::Assume(is_next));
        }
        let pool = &mut self.pass.program.pool;
        numbered.push((atomic, pool.int(0)));
        numbered.push((ceded, pool.bool(false)));
        let stays_sort = pool.bool_sort();
        self.push(StmtKind::Assign(numbered));
        for clause in self.pass.program.initial.clone() {
            let vars = self.pass.program.pool.free_vars(&[clause]);
            if vars.iter().any(|var| own.contains(var)) {
                self.push(StmtKind::Assume(clause));
            }
        }
        // It may never run; in an atomic block of its creator it cannot run yet.
        let stays = self.local("runs in its creator's context".to_owned(), stays_sort);
        let entry = self.data().entry;
        let no = self.pass.program.pool.bool(false);
        let never = self.side_block(|body| {
            let mark = body.pass.mark(Mark::Stops(announced));
            body.stmts.push(mark);
            body.push(StmtKind::Assign(smallvec![(stays, no)]));
        });
        let prologue = std::mem::take(&mut self.stmts);
        let cooperative = self.pass.cooperative;
        if depth != Depth::Known(0) || cooperative {
            self.original = entry;
            self.may_move(announced, Depth::Known(0));
            let mut moved = Vec::new();
            for &var in &at_least {
                let pool = &mut self.pass.program.pool;
                let (is, was_not) = (pool.var(var), pool.not(saved[&var]));
                moved.push(pool.and(&[is, was_not]));
            }
            let pool = &mut self.pass.program.pool;
            let moved = pool.or(&moved);
            let not_moved = pool.not(moved);
            let zero = pool.int(0);
            let outside = pool.eq(saved[&atomic], zero);
            let may_run = pool.or(&[moved, outside]);
            self.push(StmtKind::Assume(may_run));
            self.push(StmtKind::Assign(smallvec![(stays, not_moved)]));
        }
        let start = std::mem::take(&mut self.stmts);
        let data = self.data();
        let mut body = Block::new(Terminator::Return);
        std::mem::swap(&mut body, &mut data.blocks[entry]);
        body.stmts.splice(0..0, start);
        let body = data.blocks.push(body);
        data.blocks[entry].stmts = prologue;
        data.blocks[entry].terminator = Terminator::Goto(smallvec![never, body]);
        let pool = &mut self.pass.program.pool;
        if cooperative {
            let stays = pool.var(stays);
            let ceded_now = pool.or(&[saved[&ceded], stays]);
            restore.retain(|(var, _)| *var != ceded);
            restore.push((ceded, ceded_now));
        }
        restore.push((stop, no));
        for out in self.data().outs.clone() {
            let sort = self.pass.program.pool.var_sort(out);
            if let Some(&(_, _, _, child)) = ids.iter().find(|(known, ..)| *known == sort)
                && let Some(&(_, id)) = restore.iter().find(|(var, _)| *var == child)
            {
                restore.push((out, id));
            }
        }
        let end = self.pass.stmt(StmtKind::Assign(restore));
        self.pass.return_through(self.proc, vec![end]);
    }
}

/// Whether a statement and the one before it are one step: what a procedure without body does, and what is assumed of havocked variables.
fn belongs_to(before: &Stmt, stmt: &Stmt) -> bool {
    let is_assumed = |stmt: &Stmt| {
        matches!(stmt.kind, StmtKind::Assume(_))
            && matches!(stmt.origin, Origin::Where | Origin::Ensures | Origin::Internal)
    };
    match (&before.kind, &stmt.kind) {
        (StmtKind::Havoc(_) | StmtKind::Assume(_), StmtKind::Assume(_)) => {
            is_assumed(stmt) && (matches!(before.kind, StmtKind::Havoc(_)) || is_assumed(before))
        }
        (StmtKind::Assign(_), StmtKind::Havoc(_)) => {
            before.origin == Origin::Internal && matches!(stmt.origin, Origin::External(_))
        }
        _ => false,
    }
}
