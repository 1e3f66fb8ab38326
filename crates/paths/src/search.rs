//! The tree of paths, depth first, bound by bound.

use std::collections::BTreeSet;
use std::rc::Rc;

use lariat_base::Budget;
use lariat_ir::{BlockId, Call, ProcId, ProcKind, StmtId, StmtKind, Terminator};
use lariat_passes::CallGraph;
use lariat_smt::{Stop, Watchdog};
use lariat_term::{TermId, VarId};
use lariat_vc::Problem;
use smallvec::SmallVec;

use crate::eval::Split;
use crate::explored::{Explored, Place};
use crate::knowledge::{Answer, Knowledge, Models};
use crate::machine::{Assignment, Counts, Event, Machine, Need, New, Use, Uses, Ways};
use crate::{EFFORT_OF_STEP, FoundPath, PathOptions, PathOutcome, PathProgress, PathStats, PathStep};

/// How many statements there are between two looks at the budget, and between two at the limits.
const PERIOD: u64 = 32;
const LIMIT_PERIOD: u64 = 256;
/// The most terms that may be made.
const MOST_TERMS: usize = 40_000_000;

/// Explores the paths of a program.
pub fn explore(
    problem: &Problem,
    options: &PathOptions,
    budget: &Budget,
    tell: &mut dyn FnMut(PathProgress),
) -> (PathOutcome, PathStats) {
    let program = problem.program.clone();
    let always: Vec<TermId> = program.axioms.iter().map(|axiom| axiom.term).collect();
    let knowledge = match Knowledge::new(&program.pool, &always, &options.solver_options) {
        Ok(knowledge) => knowledge,
        Err(error) => {
            let outcome = PathOutcome::Unknown {
                reason: error.to_string(),
                bound: None,
            };
            return (outcome, PathStats::default());
        }
    };
    let _watchdog = Watchdog::start(budget.clone(), knowledge.context().interrupt_handle());
    let search = Search {
        calls: CallGraph::new(&program),
        error: problem.error,
        machine: Machine::new(program, knowledge),
        options,
        budget,
        bound: 1,
        explored: Explored::default(),
        cut: BTreeSet::new(),
        deep: BTreeSet::new(),
        stats: PathStats::default(),
    };
    search.run(problem.entry, tell)
}

/// How a path ends.
enum End {
    /// The entry returns.
    Returned,
    /// No execution goes on: it rests on these.
    Dead(Uses),
}

pub struct Search<'a> {
    pub machine: Machine,
    calls: CallGraph,
    pub error: Option<VarId>,
    options: &'a PathOptions,
    budget: &'a Budget,
    bound: u32,
    explored: Explored,
    cut: BTreeSet<ProcId>,
    deep: BTreeSet<ProcId>,
    stats: PathStats,
}

impl Search<'_> {
    fn run(mut self, entry: ProcId, tell: &mut dyn FnMut(PathProgress)) -> (PathOutcome, PathStats) {
        let mut completed = None;
        loop {
            tell(PathProgress {
                bound: self.bound,
                completed,
                stats: self.stats(),
            });
            match self.within_bound(entry) {
                Ok(Some(models)) => {
                    let stats = self.stats();
                    let found = FoundPath {
                        steps: self.machine.steps,
                        bound: self.bound,
                        models,
                        context: self.machine.knowledge.into_context(),
                        pool: self.machine.program.pool,
                    };
                    return (PathOutcome::Reached(Box::new(found)), stats);
                }
                Ok(None) if self.cut.is_empty() && self.deep.is_empty() => {
                    return (PathOutcome::Proved, self.stats());
                }
                Ok(None) if self.bound >= self.options.max_bound || self.cut.is_empty() => {
                    // Where the stack alone cuts off, larger bounds add nothing.
                    let bound = match self.options.max_bound {
                        u32::MAX => self.bound,
                        largest => largest,
                    };
                    let outcome = PathOutcome::Bounded {
                        bound,
                        cut: self.cut.iter().copied().collect(),
                        deep: self.deep.iter().copied().collect(),
                    };
                    return (outcome, self.stats());
                }
                Ok(None) => {
                    completed = Some(self.bound);
                    self.bound = self.bound.saturating_mul(2).min(self.options.max_bound);
                }
                Err(stop) => {
                    // A question that the end of the budget interrupts is `canceled` in the solver's words.
                    let ended = self.budget.check().err().map(|ended| ended.to_string());
                    let outcome = PathOutcome::Unknown {
                        reason: ended.unwrap_or_else(|| stop.to_string()),
                        bound: completed,
                    };
                    return (outcome, self.stats());
                }
            }
        }
    }

    fn stats(&self) -> PathStats {
        let (solver_calls, solver_seconds) = self.machine.knowledge.solver_calls();
        PathStats {
            solver_calls,
            solver_seconds,
            ..self.stats
        }
    }

    /// An execution within the bound that reaches the end, if there is one.
    fn within_bound(&mut self, entry: ProcId) -> Result<Option<Models>, Stop> {
        self.explored.clear();
        self.cut.clear();
        self.deep.clear();
        self.machine.steps.clear();
        let counts: Counts = match self.calls.is_recursive(entry) {
            true => [(entry, 1)].into(),
            false => [].into(),
        };
        self.machine.push_frame(entry, counts, 1);
        let mut end = self.start()?;
        loop {
            let uses = match end {
                Some(End::Dead(uses)) => uses,
                Some(End::Returned) => match self.machine.knowledge.models(&self.machine.program.pool)? {
                    Ok(found) => return Ok(Some(found)),
                    Err(uses) => uses,
                },
                None => {
                    end = Some(self.go_on()?);
                    continue;
                }
            };
            self.stats.paths += 1;
            let Some(next) = self.go_back(uses.into_iter().collect())? else {
                return Ok(None);
            };
            end = next;
        }
    }

    /// Assumes what holds of the globals at the start.
    fn start(&mut self) -> Result<Option<End>, Stop> {
        for condition in self.machine.program.initial.clone() {
            let mut uses = Uses::new();
            // A key that is to be split is left as it is: nothing is lost by an assumption less.
            if let Ok(condition) = self.machine.eval(condition, &mut uses)
                && let Some(end) = self.assume(condition)?
            {
                return Ok(Some(end));
            }
        }
        Ok(None)
    }

    /// Executes statements until the path ends.
    fn go_on(&mut self) -> Result<End, Stop> {
        loop {
            self.count_step()?;
            if let Some(end) = self.step()? {
                return Ok(end);
            }
        }
    }

    fn count_step(&mut self) -> Result<(), Stop> {
        self.stats.statements += 1;
        if self.stats.statements.is_multiple_of(PERIOD) {
            self.budget.check()?;
        }
        if self.stats.statements.is_multiple_of(LIMIT_PERIOD) {
            let steps = self.stats.statements + (self.machine.knowledge.effort() / EFFORT_OF_STEP) as u64;
            if self.options.steps.is_some_and(|most| steps > most) {
                return Err(Stop::OutOfEffort);
            }
            if self.machine.program.pool.term_count() > MOST_TERMS {
                return Err(Stop::GaveUp("too many values".into()));
            }
        }
        Ok(())
    }

    /// Takes the trail back to a choice with a way that is left, and takes that. `None`: there is none.
    fn go_back(&mut self, mut need: Need) -> Result<Option<Option<End>>, Stop> {
        while let Some(event) = self.machine.trail.pop() {
            match event {
                Event::Chose(mut choice) => {
                    choice.need.extend(need.drain());
                    self.machine.return_to(&choice);
                    if choice.next < choice.ways.len() {
                        self.machine.trail.push(Event::Chose(choice));
                        return Ok(Some(self.take_way()?));
                    }
                    need = choice.need;
                }
                Event::Remember(place) => self.explored.remember(&mut self.machine, place, &need),
                event => self.machine.undo(event, &mut need),
            }
        }
        Ok(None)
    }

    /// Takes the next way of the choice on top of the trail.
    fn take_way(&mut self) -> Result<Option<End>, Stop> {
        let Some(Event::Chose(choice)) = self.machine.trail.last_mut() else {
            return Err(Stop::Internal("no choice to go on from".into()));
        };
        let way = choice.next;
        choice.next += 1;
        match &choice.ways {
            Ways::Blocks(blocks) => {
                let block = blocks[way];
                self.jump(block);
                Ok(None)
            }
            Ways::Cases(cases) => {
                let case = cases[way];
                self.assume(case)
            }
        }
    }

    fn jump(&mut self, block: BlockId) {
        if let Some(frame) = self.machine.frames.last_mut() {
            frame.at.block = block;
            frame.at.next = 0;
        }
    }

    fn assume(&mut self, condition: TermId) -> Result<Option<End>, Stop> {
        let mut changes = Vec::new();
        let machine = &mut self.machine;
        let answer = machine
            .knowledge
            .assume(&mut machine.program.pool, condition, &mut changes);
        machine.trail.extend(changes.into_iter().map(Event::Learned));
        Ok(match answer? {
            Answer::Possible => None,
            Answer::Impossible(uses) => Some(End::Dead(uses)),
        })
    }

    /// Executes one statement, or the end of a block.
    fn step(&mut self) -> Result<Option<End>, Stop> {
        let Some(frame) = self.machine.frames.last() else {
            return Err(Stop::Internal("no activation".into()));
        };
        let (proc, at) = (frame.proc, frame.at);
        let procs = self.machine.procs.clone();
        let block = &procs[proc].blocks[at.block];
        let Some(stmt) = block.stmts.get(at.next) else {
            return match &block.terminator {
                Terminator::Return => self.leave(),
                Terminator::Goto(targets) => self.goto(targets),
            };
        };
        let id = stmt.id;
        let mut uses = Uses::new();
        let done = match &stmt.kind {
            StmtKind::Enter(block) => {
                self.machine.steps.push(PathStep::Enter(*block));
                Ok(())
            }
            StmtKind::Assume(condition) => match self.machine.eval(*condition, &mut uses) {
                Ok(condition) => {
                    self.machine.trail.push(Event::Decided(uses));
                    if let Some(end) = self.assume(condition)? {
                        return Ok(Some(end));
                    }
                    uses = Uses::new();
                    Ok(())
                }
                Err(split) => Err(split),
            },
            StmtKind::Assert { .. } => {
                return Err(Stop::Internal("an assertion after the passes".into()));
            }
            StmtKind::Assign(assignments) => self.assign(id, assignments, &mut uses),
            StmtKind::Havoc(vars) => {
                self.havoc(id, vars);
                Ok(())
            }
            StmtKind::Call(call) => match self.arguments(call, &mut uses) {
                Ok(arguments) => return self.call(id, call, arguments),
                Err(split) => Err(split),
            },
        };
        match done {
            Ok(()) => {
                if let Some(frame) = self.machine.frames.last_mut() {
                    frame.at.next += 1;
                }
                Ok(None)
            }
            Err(Split { cases }) => {
                self.machine.trail.push(Event::Decided(uses));
                self.machine.choose(Ways::Cases(cases));
                self.take_way()
            }
        }
    }

    fn goto(&mut self, targets: &SmallVec<[BlockId; 2]>) -> Result<Option<End>, Stop> {
        match targets.as_slice() {
            [] => Ok(Some(End::Dead(Uses::new()))),
            &[target] => {
                self.jump(target);
                Ok(None)
            }
            _ => {
                self.machine.choose(Ways::Blocks(targets.clone()));
                self.take_way()
            }
        }
    }

    fn call(
        &mut self,
        stmt: StmtId,
        call: &Call,
        arguments: Vec<(TermId, Uses)>,
    ) -> Result<Option<End>, Stop> {
        let Some(frame) = self.machine.frames.last() else {
            return Err(Stop::Internal("a call without a caller".into()));
        };
        let callee = call.callee;
        let (counts, cost) = self.called_counts(frame.proc, &frame.counts, callee);
        let depth = frame.depth + 1;
        let extra = self.machine.procs[callee].extra_bound;
        if self.options.stack_depth.is_some_and(|most| depth > most) {
            self.deep.insert(callee);
            return Ok(Some(End::Dead(Uses::new())));
        }
        if cost > self.bound.saturating_add(extra) {
            self.cut.insert(callee);
            return Ok(Some(End::Dead(Uses::new())));
        }
        self.stats.calls += 1;
        if frame.proc == callee && self.goes_round(call) {
            self.machine.go_round(arguments, counts, depth);
        } else {
            self.machine.steps.push(PathStep::Call { stmt, callee });
            self.machine.push_frame(callee, counts, depth);
            let procs = self.machine.procs.clone();
            let mut assignments = Vec::new();
            for (param, (value, uses)) in procs[callee].params.iter().zip(arguments) {
                if let Some(slot) = self.machine.slot(*param) {
                    assignments.push(Assignment {
                        slot,
                        value: New::Whole(self.machine.held(value)),
                        uses,
                    });
                }
            }
            self.machine.assign(assignments);
        }
        if self.calls.is_recursive(callee) && self.options.stack_depth.is_none() {
            let place = Place::of(&self.machine);
            if let Some(uses) = self.explored.find(&mut self.machine, &place) {
                self.stats.known += 1;
                return Ok(Some(End::Dead(uses)));
            }
            self.machine.trail.push(Event::Remember(place));
        }
        Ok(None)
    }

    /// How often the procedures of the callee's component are on the stack then, and how often the callee is: as in the unfolding of the
    /// other engines.
    fn called_counts(&self, caller: ProcId, counts: &Counts, callee: ProcId) -> (Counts, u32) {
        if !self.calls.is_recursive(callee) {
            return ([].into(), 1);
        }
        if self.calls.component(caller) != self.calls.component(callee) {
            return ([(callee, 1)].into(), 1);
        }
        let mut counts = counts.to_vec();
        let cost = match counts.iter_mut().find(|(counted, _)| *counted == callee) {
            Some((_, count)) => {
                *count += 1;
                *count
            }
            None => {
                counts.push((callee, 1));
                1
            }
        };
        counts.sort_unstable();
        (Rc::from(counts), cost)
    }

    /// Whether a call of a loop by itself is the last thing that this round does.
    fn goes_round(&self, call: &Call) -> bool {
        let Some(frame) = self.machine.frames.last() else {
            return false;
        };
        let proc = &self.machine.procs[frame.proc];
        if !matches!(proc.kind, ProcKind::Loop { .. }) || call.outs != proc.outs {
            return false;
        }
        let mut block = &proc.blocks[frame.at.block];
        let mut left = &block.stmts[frame.at.next + 1..];
        for _ in 0..proc.blocks.len() {
            match (&block.terminator, left) {
                (Terminator::Return, []) => return true,
                (Terminator::Goto(targets), []) if targets.len() == 1 => {
                    block = &proc.blocks[targets[0]];
                    left = &block.stmts;
                }
                _ => return false,
            }
        }
        false
    }

    /// The activation on top returns.
    fn leave(&mut self) -> Result<Option<End>, Stop> {
        let [.., caller, frame] = self.machine.frames.as_slice() else {
            return Ok(Some(End::Returned));
        };
        let (callee, at, caller) = (frame.proc, caller.at, caller.proc);
        let procs = self.machine.procs.clone();
        let stmt = &procs[caller].blocks[at.block].stmts[at.next];
        let StmtKind::Call(Call { outs, .. }) = &stmt.kind else {
            return Err(Stop::Internal("a return to what is no call".into()));
        };
        let mut results = Vec::new();
        for out in &procs[callee].outs {
            self.machine.read(*out, &mut Uses::new());
            if let Some(slot) = self.machine.slot(*out) {
                results.push((slot, self.machine.slots[slot as usize].clone()));
            }
        }
        self.machine.pop_frame();
        self.machine.steps.push(PathStep::Return);
        let mut assignments = Vec::new();
        for (var, (of, value)) in outs.iter().zip(results) {
            if let Some(slot) = self.machine.slot(*var) {
                assignments.push(Assignment {
                    slot,
                    value: New::Whole(value),
                    uses: [Use::Slot(of)].into_iter().collect(),
                });
            }
        }
        self.machine.assign(assignments);
        if let Some(frame) = self.machine.frames.last_mut() {
            frame.at.next += 1;
        }
        Ok(None)
    }
}
