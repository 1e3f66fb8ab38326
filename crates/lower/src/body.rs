//! Structured bodies to control-flow graphs.
//!
//! Invariants of the builder: the entry block is never a target; `current` is the block that
//! statements go to, or `None` after a jump, where only a label starts again.

use cranelift_entity::{PrimaryMap, SecondaryMap};
use lariat_base::Span;
use lariat_boogie::typed::{Expr, Invariant, Measure, Name, Stmt, StmtKind as SourceKind, VarId};
use lariat_ir::{AssertInfo, AssertKind, Block, BlockId, CandidateClause, Origin, StmtKind, Terminator};
use lariat_term::{TermId, VarId as PoolVar};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::location::{assert_info, external_location};
use crate::lowering::Lowering;
use crate::scope::{Lowers, Scope, Unsupported};

/// What `return` does.
pub(crate) enum Exit {
    /// Checks the postconditions.
    Procedure(Vec<Postcondition>),
    /// Gives the value of a code expression.
    Code { result: PoolVar },
}

/// What a body must have achieved where it returns.
#[derive(Clone)]
pub(crate) struct Postcondition {
    pub condition: Lowers<TermId>,
    pub info: AssertInfo,
    /// `free ensures {:always_assume}`
    pub assumed: bool,
}

struct BreakTarget {
    labels: Vec<Name>,
    is_loop: bool,
    exit: BlockId,
}

pub(crate) struct BodyBuilder {
    pub scope: Scope,
    pub locals: Vec<PoolVar>,
    pub exit: Exit,
    /// What a code expression contains that has no meaning in a formula.
    pub unsupported: Option<Unsupported>,
    /// The variables that keep globals' values over a call.
    pub before_call: FxHashMap<VarId, PoolVar>,
    /// What is to be tried of the loops.
    pub candidates: Vec<CandidateClause>,
    /// The components of the procedure's measure when it started.
    pub measure: Vec<TermId>,
    blocks: PrimaryMap<BlockId, Block>,
    entry: BlockId,
    current: Option<BlockId>,
    is_target: SecondaryMap<BlockId, bool>,
    labels: FxHashMap<Name, BlockId>,
    breaks: Vec<BreakTarget>,
}

impl BodyBuilder {
    pub(crate) fn new(scope: Scope, exit: Exit) -> Self {
        let mut blocks = PrimaryMap::new();
        let entry = blocks.push(stop_block());
        BodyBuilder {
            scope,
            locals: Vec::new(),
            exit,
            unsupported: None,
            before_call: FxHashMap::default(),
            candidates: Vec::new(),
            measure: Vec::new(),
            blocks,
            entry,
            current: Some(entry),
            is_target: SecondaryMap::new(),
            labels: FxHashMap::default(),
            breaks: Vec::new(),
        }
    }

    pub(crate) fn is_reachable(&self) -> bool {
        self.current.is_some()
    }

    pub(crate) fn push(&mut self, stmt: lariat_ir::Stmt) {
        if let Some(block) = self.current {
            self.blocks[block].stmts.push(stmt);
        }
    }

    pub(crate) fn prepend(&mut self, stmt: lariat_ir::Stmt) {
        self.blocks[self.entry].stmts.insert(0, stmt);
    }

    pub(crate) fn new_block(&mut self) -> BlockId {
        self.blocks.push(stop_block())
    }

    pub(crate) fn start(&mut self, block: BlockId) {
        self.current = Some(block);
    }

    /// Ends the current block, if there is one.
    pub(crate) fn end_block(&mut self, terminator: Terminator, span: Option<Span>) {
        let Some(block) = self.current.take() else {
            return;
        };
        if let Terminator::Goto(targets) = &terminator {
            for &target in targets {
                self.is_target[target] = true;
            }
        }
        self.blocks[block].terminator = terminator;
        self.blocks[block].span = span;
    }

    pub(crate) fn jump(&mut self, target: BlockId, span: Option<Span>) {
        self.end_block(Terminator::goto(target), span);
    }

    fn label_block(&mut self, name: &Name) -> BlockId {
        if let Some(&block) = self.labels.get(name) {
            return block;
        }
        let block = self.new_block();
        self.blocks[block].label = Some(name.clone());
        self.labels.insert(name.clone(), block);
        block
    }

    /// Goes on in a block if anything goes to it.
    fn join(&mut self, block: BlockId) {
        self.current = self.is_target[block].then_some(block);
    }

    fn break_target(&self, label: Option<&Name>) -> Option<BlockId> {
        let mut enclosing = self.breaks.iter().rev();
        let target = match label {
            None => enclosing.find(|target| target.is_loop),
            Some(label) => enclosing.find(|target| target.labels.contains(label)),
        };
        target.map(|target| target.exit)
    }

    /// The blocks that the entry reaches, with new ids in the same order.
    pub(crate) fn finish(self) -> (PrimaryMap<BlockId, Block>, BlockId, Vec<PoolVar>) {
        let mut reached = SecondaryMap::<BlockId, bool>::with_capacity(self.blocks.len());
        let mut stack = vec![self.entry];
        reached[self.entry] = true;
        let mut count = 0;
        while let Some(block) = stack.pop() {
            count += 1;
            for &successor in self.blocks[block].successors() {
                if !reached[successor] {
                    reached[successor] = true;
                    stack.push(successor);
                }
            }
        }
        if count == self.blocks.len() {
            return (self.blocks, self.entry, self.locals);
        }
        let mut kept: PrimaryMap<BlockId, Block> = PrimaryMap::with_capacity(count);
        let mut renamed = SecondaryMap::<BlockId, Option<BlockId>>::with_capacity(self.blocks.len());
        for (id, block) in self.blocks {
            if reached[id] {
                renamed[id] = Some(kept.push(block));
            }
        }
        let new_id = |id: BlockId| renamed[id].expect("successors of reached blocks are reached");
        for block in kept.values_mut() {
            if let Terminator::Goto(targets) = &mut block.terminator {
                for target in targets {
                    *target = new_id(*target);
                }
            }
        }
        let entry = new_id(self.entry);
        (kept, entry, self.locals)
    }
}

fn stop_block() -> Block {
    Block::new(Terminator::Goto(SmallVec::new()))
}

impl Lowering<'_> {
    /// Lowers a list of statements. Recursion is over nesting only.
    pub(crate) fn lower_stmts(&mut self, stmts: &[Stmt], builder: &mut BodyBuilder) {
        self.lower_stmts_before(stmts, false, builder);
    }

    /// The same; with `returns` the procedure returns after the last one. There Boogie's place of the return is in
    /// the last statement, if that has branches.
    pub(crate) fn lower_stmts_before(&mut self, stmts: &[Stmt], returns: bool, builder: &mut BodyBuilder) {
        let mut labels: Vec<Name> = Vec::new();
        for (index, stmt) in stmts.iter().enumerate() {
            let returns = returns && index + 1 == stmts.len() && self.is_modular();
            match &stmt.kind {
                SourceKind::Label(name) => {
                    let block = builder.label_block(name);
                    builder.jump(block, Some(stmt.span));
                    builder.start(block);
                    labels.push(name.clone());
                    continue;
                }
                SourceKind::If {
                    guard,
                    then_branch,
                    else_branch,
                    then_end,
                    else_end,
                } => {
                    let labels = std::mem::take(&mut labels);
                    stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || {
                        let else_end = match else_branch.is_empty() {
                            true => else_end.unwrap_or(stmt.span),
                            false => else_end.unwrap_or(*then_end),
                        };
                        let branches = [(then_branch.as_slice(), *then_end), (else_branch, else_end)];
                        self.lower_if(guard.as_ref(), branches, returns, labels, stmt.span, builder);
                    });
                }
                SourceKind::While {
                    guard,
                    invariants,
                    measure,
                    body,
                } => {
                    let labels = std::mem::take(&mut labels);
                    stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || {
                        let parts = (guard.as_ref(), invariants.as_slice(), body.as_slice());
                        self.lower_while(parts, measure.as_ref(), returns, labels, stmt.span, builder);
                    });
                }
                // What follows a jump is never executed, up to the next label.
                _ if !builder.is_reachable() => {}
                SourceKind::Break(label) => match builder.break_target(label.as_ref()) {
                    Some(exit) => builder.jump(exit, Some(stmt.span)),
                    None => {
                        let unsupported = Unsupported::new(stmt.span, "`break` outside of what it leaves");
                        self.emit_unsupported(builder, &unsupported, stmt.span);
                    }
                },
                SourceKind::Goto(names) => {
                    let mut targets: SmallVec<[BlockId; 2]> = SmallVec::new();
                    for name in names {
                        let target = builder.label_block(name);
                        if names.len() > 64 || !targets.contains(&target) {
                            targets.push(target);
                        }
                    }
                    builder.end_block(Terminator::Goto(targets), Some(stmt.span));
                }
                SourceKind::Return => self.lower_return(stmt.span, builder),
                SourceKind::ReturnExpr(value) => self.lower_return_expr(value, stmt.span, builder),
                _ => {
                    if let Err(unsupported) = self.lower_simple_stmt(stmt, builder) {
                        self.emit_unsupported(builder, &unsupported, stmt.span);
                    }
                }
            }
            labels.clear();
        }
    }

    fn lower_if(
        &mut self,
        guard: Option<&Expr>,
        [then_branch, else_branch]: [(&[Stmt], Span); 2],
        returns: bool,
        labels: Vec<Name>,
        span: Span,
        builder: &mut BodyBuilder,
    ) {
        let condition = self.lower_guard(guard, builder);
        let then_block = builder.new_block();
        let else_block = builder.new_block();
        let exit = builder.new_block();
        let span = guard.map_or(span, |guard| guard.span);
        builder.breaks.push(BreakTarget {
            labels,
            is_loop: false,
            exit,
        });
        builder.end_block(
            Terminator::Goto(SmallVec::from_slice(&[then_block, else_block])),
            Some(span),
        );
        for (block, (branch, end), taken) in
            [(then_block, then_branch, true), (else_block, else_branch, false)]
        {
            builder.start(block);
            self.assume_guard(condition, taken, span, builder);
            self.lower_stmts_before(branch, returns, builder);
            if returns {
                self.lower_return(end, builder);
            }
            builder.jump(exit, None);
        }
        builder.breaks.pop();
        builder.join(exit);
    }

    fn lower_while(
        &mut self,
        (guard, invariants, body): (Option<&Expr>, &[Invariant], &[Stmt]),
        measure: Option<&Measure>,
        returns: bool,
        labels: Vec<Name>,
        stmt_span: Span,
        builder: &mut BodyBuilder,
    ) {
        let head = builder.new_block();
        let body_block = builder.new_block();
        let leave = builder.new_block();
        let exit = builder.new_block();
        let span = guard.map_or(stmt_span, |guard| guard.span);
        let mut conditions = Vec::with_capacity(invariants.len());
        for invariant in invariants {
            if !self.take_candidate(&invariant.expr, invariant.span, builder) {
                conditions.push((invariant, self.lower_expr(&invariant.expr, &mut builder.scope)));
            }
        }
        let conditions = || {
            conditions
                .iter()
                .map(|(invariant, condition)| (*invariant, condition))
        };
        // What cannot be lowered stops the execution at the head, so nothing after it is checked here.
        for (invariant, condition) in conditions().take_while(|(_, condition)| condition.is_ok()) {
            if self.is_modular() {
                break;
            }
            self.emit_invariant(invariant, condition, AssertKind::LoopInvariantOnEntry, builder);
        }
        builder.jump(head, Some(span));
        builder.start(head);
        for (invariant, condition) in conditions() {
            self.emit_invariant(invariant, condition, AssertKind::LoopInvariant, builder);
        }
        if let Some(measure) = measure {
            self.check_head(measure, builder);
        }
        let condition = self.lower_guard(guard, builder);
        builder.end_block(
            Terminator::Goto(SmallVec::from_slice(&[body_block, leave])),
            Some(span),
        );
        builder.breaks.push(BreakTarget {
            labels,
            is_loop: true,
            exit,
        });
        builder.start(body_block);
        self.assume_guard(condition, true, span, builder);
        let before = measure.map(|measure| self.keep_measure(measure, builder));
        self.lower_stmts(body, builder);
        if let (Some(measure), Some(before)) = (measure, &before) {
            self.check_round(measure, before, builder);
        }
        builder.jump(head, Some(span));
        builder.breaks.pop();
        builder.start(leave);
        self.assume_guard(condition, false, span, builder);
        if returns {
            self.lower_return(stmt_span, builder);
        }
        builder.jump(exit, None);
        builder.join(exit);
    }

    /// The condition of a guard; `None` for `*`, and for one that is unsupported, after which
    /// nothing is executed.
    fn lower_guard(&mut self, guard: Option<&Expr>, builder: &mut BodyBuilder) -> Option<TermId> {
        let guard = guard?;
        match self.lower_expr(guard, &mut builder.scope) {
            Ok(term) => Some(term),
            Err(unsupported) => {
                self.emit_unsupported(builder, &unsupported, guard.span);
                None
            }
        }
    }

    fn assume_guard(
        &mut self,
        condition: Option<TermId>,
        taken: bool,
        span: Span,
        builder: &mut BodyBuilder,
    ) {
        let Some(condition) = condition else { return };
        let condition = if taken {
            condition
        } else {
            self.ir.pool.not(condition)
        };
        self.emit(builder, StmtKind::Assume(condition), span, Origin::Guard);
    }

    fn emit_invariant(
        &mut self,
        invariant: &Invariant,
        condition: &Lowers<TermId>,
        kind: AssertKind,
        builder: &mut BodyBuilder,
    ) {
        let location = external_location(&invariant.attributes);
        match condition {
            &Ok(term) if invariant.free => {
                self.emit_at(
                    builder,
                    StmtKind::Assume(term),
                    invariant.span,
                    Origin::Source,
                    location,
                );
            }
            &Ok(term) => {
                let info = assert_info(kind, invariant.span, None, &invariant.attributes);
                self.emit_assert(builder, term, info, location);
            }
            Err(unsupported) => self.emit_unsupported(builder, unsupported, invariant.span),
        }
    }

    /// `return`, written or implied by the closing brace.
    pub(crate) fn lower_return(&mut self, span: Span, builder: &mut BodyBuilder) {
        if !builder.is_reachable() {
            return;
        }
        let checks: Vec<Postcondition> = match &builder.exit {
            Exit::Procedure(checks) => checks.clone(),
            Exit::Code { .. } => {
                let reason = "a code expression that ends without a value";
                self.emit_unsupported(builder, &Unsupported::new(span, reason), span);
                Vec::new()
            }
        };
        for Postcondition {
            condition,
            info,
            assumed,
        } in checks
        {
            match condition {
                Ok(condition) if assumed => {
                    self.emit(builder, StmtKind::Assume(condition), span, Origin::Ensures);
                }
                Ok(condition) => {
                    let info = AssertInfo {
                        span: Some(span),
                        ..info
                    };
                    self.emit_assert(builder, condition, info, None);
                }
                Err(unsupported) => self.emit_unsupported(builder, &unsupported, span),
            }
        }
        builder.end_block(Terminator::Return, Some(span));
    }

    fn lower_return_expr(&mut self, value: &Expr, span: Span, builder: &mut BodyBuilder) {
        match (self.lower_expr(value, &mut builder.scope), &builder.exit) {
            (Ok(value), Exit::Code { result }) => {
                let assignment = SmallVec::from_elem((*result, value), 1);
                self.emit(builder, StmtKind::Assign(assignment), span, Origin::Internal);
            }
            (Ok(_), Exit::Procedure(_)) => {
                let reason = "`return` with a value outside of a code expression";
                self.emit_unsupported(builder, &Unsupported::new(span, reason), span);
            }
            (Err(unsupported), _) => self.emit_unsupported(builder, &unsupported, span),
        }
        builder.end_block(Terminator::Return, Some(span));
    }
}
