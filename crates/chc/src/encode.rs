//! A problem as Horn clauses.
//!
//! For each procedure `p` there are the predicates
//!
//! ```text
//! called_p(ins)         p may be called with these inputs          (forward only)
//! returns_p(ins, outs)  such a call may return with these outputs
//! at_c(ins, live)       … may come to the cut point c of p
//! ```
//!
//! each with the program's constants that the procedure or its callees mention: a constant has one
//! value in an execution. A clause follows each region from cut point to cut point. *Forward*, a failed
//! assertion derives the goal at once, so `returns_p` is about calls that do not fail, and the summary of
//! `p` is `called_p(ins) ⇒ ¬error ∧ returns_p(ins, outs)`. It is inductive, as what it says at a call site
//! of `p` follows from what leads there. A self-call of a loop is in tail position: it adds to `called_p` only,
//! and `returns_p` is about the inputs that every round passes on ([`crate::ghosts`]). *Backward* there are no calling contexts and `error` is an
//! output like any other.
//!
//! An assumption of a block is used before the block's calls too, unless it mentions what they return: an
//! execution that gets through the block satisfies it.

use cranelift_entity::{EntityRef, SecondaryMap};
use lariat_base::{Budget, Exhausted};
use lariat_ir::ProcId;
use lariat_passes::CallGraph;
use lariat_term::{SortId, Substitution, TermId, VarId};
use lariat_vc::{CallSite, PassiveBlockId, PassiveProc, Problem, passify, straight_line_procs};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::clauses::{Atom, ClauseSystem, PredicateId};
use crate::loosen::{Loosening, has_quantifier};
use crate::readiness::{Unprepared, constants_of, error_position, prepare};
use crate::regions::{Regions, calls_of};

/// Whether calling contexts are part of the clauses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    Forward,
    Backward,
}

/// The predicates of a procedure.
#[derive(Clone, Debug)]
pub struct ProcPredicates {
    pub called: Option<PredicateId>,
    pub returns: PredicateId,
    /// The inputs and outputs that are parameters, by position; of `returns` only some inputs are.
    pub ins: Vec<usize>,
    pub returned_ins: Vec<usize>,
    pub outs: Vec<usize>,
    /// Further parameters.
    pub constants: Vec<VarId>,
    /// The output that is the error flag, if the clauses say that it is false.
    pub error: Option<usize>,
}

pub struct Encoding {
    pub system: ClauseSystem,
    pub procs: SecondaryMap<ProcId, Option<ProcPredicates>>,
    /// Whether the clauses may have more executions than the program.
    pub lossy: bool,
}

/// The clauses whose goal is that the entry returns.
pub fn encode(problem: &mut Problem, direction: Direction, budget: &Budget) -> Result<Encoding, Exhausted> {
    let graph = CallGraph::new(&problem.program);
    let reachable = graph.reachable_from(problem.entry);
    let in_place = straight_line_procs(&problem.program, problem.error);
    let mut loosening = Loosening::default();
    let mut passives = Vec::new();
    let mut unprepared = Vec::new();
    for component in graph.components() {
        for &proc in component {
            if proc == problem.entry || (reachable.contains(proc) && !in_place.contains(proc)) {
                budget.check()?;
                let mut passive = passify(
                    &mut problem.program,
                    proc,
                    &problem.interfaces,
                    problem.error,
                    &in_place,
                );
                let before = Unprepared::new(&problem.program.pool, direction, &passive);
                prepare(problem, direction, &mut loosening, &mut passive);
                unprepared.push(before);
                passives.push(passive);
            }
        }
    }
    let constants = constants_of(problem, &mut loosening, &passives);
    let mut encoder = Encoder {
        problem,
        direction,
        loosening,
        system: ClauseSystem::new(),
        procs: SecondaryMap::new(),
    };
    for (passive, before) in passives.iter().zip(&unprepared) {
        encoder.declare(passive, before.is_tail_loop, &constants[passive.proc]);
    }
    for (passive, before) in passives.iter().zip(unprepared) {
        budget.check_memory()?;
        encoder.procedure(passive, before);
    }
    encoder.start();
    Ok(Encoding {
        system: encoder.system,
        procs: encoder.procs,
        lossy: encoder.loosening.lossy,
    })
}

/// Where a region may end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Exit {
    CutPoint(PassiveBlockId),
    /// The procedure returns without having failed.
    Return,
    Fail,
}

struct Encoder<'a> {
    problem: &'a mut Problem,
    direction: Direction,
    loosening: Loosening,
    system: ClauseSystem,
    procs: SecondaryMap<ProcId, Option<ProcPredicates>>,
}

/// A procedure while its clauses are made.
struct Body<'p> {
    passive: &'p PassiveProc,
    regions: Regions,
    predicates: ProcPredicates,
    cut_points: FxHashMap<PassiveBlockId, PredicateId>,
    before: Unprepared,
}

impl Encoder<'_> {
    fn declare(&mut self, passive: &PassiveProc, is_tail_loop: bool, constants: &[VarId]) {
        let proc = passive.proc;
        let error = match self.direction {
            Direction::Forward => error_position(self.problem, proc),
            Direction::Backward => None,
        };
        let known = |loosening: &mut Loosening, vars: &[VarId]| -> Vec<usize> {
            let pool = &self.problem.program.pool;
            (0..vars.len())
                .filter(|&position| loosening.knows_sort(pool, pool.var_sort(vars[position])))
                .collect()
        };
        let ins = known(&mut self.loosening, &passive.ins);
        let mut outs = known(&mut self.loosening, &passive.outs);
        outs.retain(|&position| Some(position) != error);
        let pool = &self.problem.program.pool;
        let name = &self.problem.program.procs[proc].name;
        let mut sorts: Vec<SortId> = ins.iter().map(|&i| pool.var_sort(passive.ins[i])).collect();
        sorts.extend(constants.iter().map(|&var| pool.var_sort(var)));
        let called = (self.direction == Direction::Forward)
            .then(|| self.system.declare(format!("called {name}"), sorts.clone()));
        let mut returned_ins = ins.clone();
        if is_tail_loop {
            let stable = |&position: &usize| {
                let own = Some(passive.ins[position]);
                let mut self_calls = passive.call_sites.iter().filter(|site| site.callee == proc);
                self_calls.all(|site| pool.as_var(site.ins[position]) == own)
            };
            returned_ins.retain(stable);
        }
        let mut sorts: Vec<SortId> = returned_ins
            .iter()
            .map(|&i| pool.var_sort(passive.ins[i]))
            .collect();
        sorts.extend(constants.iter().map(|&var| pool.var_sort(var)));
        sorts.extend(outs.iter().map(|&i| pool.var_sort(passive.outs[i])));
        let returns = self.system.declare(format!("returns {name}"), sorts);
        self.procs[proc] = Some(ProcPredicates {
            called,
            returns,
            ins,
            returned_ins,
            outs,
            constants: constants.to_vec(),
            error,
        });
    }

    /// The entry is called with anything, under the axioms that have no quantifiers.
    fn start(&mut self) {
        let pool = &mut self.problem.program.pool;
        let mut axioms = Vec::new();
        for axiom in &self.problem.program.axioms {
            if has_quantifier(pool, axiom.term) {
                self.loosening.lossy = true;
            } else {
                axioms.extend(self.loosening.apply(pool, axiom.term));
            }
        }
        let entry = self.problem.entry;
        let Some(predicates) = self.procs[entry].clone() else {
            return;
        };
        match predicates.called {
            Some(called) => {
                let ins: Vec<VarId> = self.problem.ins(entry).collect();
                let pool = &mut self.problem.program.pool;
                let args = predicates.ins.iter().map(|&position| ins[position]);
                let args = args
                    .chain(predicates.constants.iter().copied())
                    .map(|var| pool.var(var))
                    .collect();
                let head = Atom {
                    predicate: called,
                    args,
                };
                self.system.add(pool, &axioms, Vec::new(), head);
            }
            None => {
                let goal = self.system.goal;
                for clause in &mut self.system.clauses {
                    if clause.head.predicate == goal {
                        axioms.push(clause.constraint);
                        clause.constraint = pool.and(&axioms);
                        axioms.pop();
                    }
                }
            }
        }
    }

    fn procedure(&mut self, passive: &PassiveProc, before: Unprepared) {
        let Some(predicates) = self.procs[passive.proc].clone() else {
            return;
        };
        let pool = &self.problem.program.pool;
        let mut regions = Regions::new(pool, passive);
        let constants: FxHashSet<VarId> = self.problem.program.constants.iter().copied().collect();
        let mut cut_points = FxHashMap::default();
        for index in 0..regions.cut_points.len() {
            let cut = regions.cut_points[index];
            let live = &mut regions.live[cut];
            live.retain(|&var| {
                !constants.contains(&var) && self.loosening.knows_sort(pool, pool.var_sort(var))
            });
            if cut.index() == 0 {
                continue;
            }
            let params = predicates.ins.iter().map(|&position| passive.ins[position]);
            let params = params.chain(predicates.constants.iter().copied());
            let sorts = params
                .chain(live.iter().copied())
                .map(|var| pool.var_sort(var))
                .collect();
            let name = format!("{} at {cut}", self.problem.program.procs[passive.proc].name);
            cut_points.insert(cut, self.system.declare(name, sorts));
        }
        let body = Body {
            passive,
            regions,
            predicates,
            cut_points,
            before,
        };
        for &cut in &body.regions.cut_points {
            self.region(&body, cut);
        }
    }

    /// The clauses that start at a cut point.
    fn region(&mut self, body: &Body, cut: PassiveBlockId) {
        let mut atoms: Vec<Atom> = self.cut_point_atom(body, cut).into_iter().collect();
        let assumes = &body.passive.blocks[cut].assumes;
        let after = |calls: usize| {
            let waits = body.before.waits[cut].iter().zip(assumes);
            waits
                .filter(move |&(&wait, _)| wait == calls)
                .map(|(_, &assume)| assume)
        };
        let mut conjuncts: Vec<TermId> = after(0).collect();
        for (index, site) in calls_of(body.passive, cut).enumerate() {
            let site = &body.passive.call_sites[site];
            let Some(callee) = self.procs[site.callee].clone() else {
                continue;
            };
            if let Some(called) = callee.called {
                let args = self.call_args(&callee, site, &callee.ins, &[]);
                let head = Atom {
                    predicate: called,
                    args,
                };
                self.system
                    .add(&mut self.problem.program.pool, &conjuncts, atoms.clone(), head);
            }
            if body.before.is_tail_loop && site.callee == body.passive.proc {
                // Whatever this round returns, the next one does.
                return;
            }
            atoms.push(Atom {
                predicate: callee.returns,
                args: self.call_args(&callee, site, &callee.returned_ins, &callee.outs),
            });
            conjuncts.extend(self.known_facts(site));
            conjuncts.extend(after(index + 1));
        }
        for exit in self.exits(body, cut) {
            let path = self.path_to(body, cut, exit);
            conjuncts.push(path);
            if let Some(head) = self.exit_head(body, exit) {
                self.system
                    .add(&mut self.problem.program.pool, &conjuncts, atoms.clone(), head);
            }
            conjuncts.pop();
        }
    }

    /// That the execution is at the cut point; nothing at the start of a procedure without contexts.
    fn cut_point_atom(&mut self, body: &Body, cut: PassiveBlockId) -> Option<Atom> {
        let predicate = match body.cut_points.get(&cut) {
            Some(&predicate) => predicate,
            None => body.predicates.called?,
        };
        let live: &[VarId] = match cut.index() {
            0 => &[],
            _ => &body.regions.live[cut],
        };
        let args = self.own_args(body, &body.predicates.ins, live);
        Some(Atom { predicate, args })
    }

    /// The procedure's inputs at these positions, its constants and further variables.
    fn own_args(&mut self, body: &Body, ins: &[usize], further: &[VarId]) -> Vec<TermId> {
        let ins = ins.iter().map(|&i| body.passive.ins[i]);
        ins.chain(body.predicates.constants.iter().copied())
            .chain(further.iter().copied())
            .map(|var| self.problem.program.pool.var(var))
            .collect()
    }

    fn call_args(
        &mut self,
        callee: &ProcPredicates,
        site: &CallSite,
        ins: &[usize],
        outs: &[usize],
    ) -> Vec<TermId> {
        let mut args: Vec<TermId> = ins.iter().map(|&i| site.ins[i]).collect();
        let outs = outs.iter().map(|&i| site.outs[i]);
        let vars = callee.constants.iter().copied().chain(outs);
        args.extend(vars.map(|var| self.problem.program.pool.var(var)));
        args
    }

    /// What is known of the callee without looking at its body.
    fn known_facts(&mut self, site: &CallSite) -> Vec<TermId> {
        let Some(summary) = &self.problem.summaries[site.callee] else {
            return Vec::new();
        };
        let pool = &mut self.problem.program.pool;
        let mut values: Substitution = summary
            .ins
            .iter()
            .copied()
            .zip(site.ins.iter().copied())
            .collect();
        for (&own, &out) in summary.outs.iter().zip(&site.outs) {
            values.insert(own, pool.var(out));
        }
        let mut facts = Vec::new();
        for &fact in &summary.facts {
            let fact = values.apply(pool, fact);
            facts.extend(self.loosening.apply(pool, fact));
        }
        facts
    }

    /// The blocks of a region in topological order, the cut point first.
    fn blocks_of(body: &Body, cut: PassiveBlockId) -> Vec<PassiveBlockId> {
        let mut blocks = vec![cut];
        let mut next = 0;
        while let Some(&block) = blocks.get(next) {
            next += 1;
            for edge in &body.passive.blocks[block].successors {
                if !body.regions.is_cut_point(edge.target) && !blocks.contains(&edge.target) {
                    blocks.push(edge.target);
                }
            }
        }
        blocks.sort_unstable();
        blocks
    }

    fn exits(&self, body: &Body, cut: PassiveBlockId) -> Vec<Exit> {
        let mut exits: Vec<Exit> = Vec::new();
        let mut note = |exit: Exit| {
            if !exits.contains(&exit) {
                exits.push(exit);
            }
        };
        for block in Self::blocks_of(body, cut) {
            let block = &body.passive.blocks[block];
            if block.returns.is_some() {
                note(Exit::Return);
                if body.predicates.error.is_some() {
                    note(Exit::Fail);
                }
            }
            for edge in &block.successors {
                if body.regions.is_cut_point(edge.target) {
                    note(Exit::CutPoint(edge.target));
                }
            }
        }
        exits
    }

    /// What holds of an execution that goes from the cut point to an exit of its region, without the
    /// assumptions of the cut point itself. Terms are shared, so this is no larger than the region.
    fn path_to(&mut self, body: &Body, cut: PassiveBlockId, exit: Exit) -> TermId {
        let mut from: FxHashMap<PassiveBlockId, TermId> = FxHashMap::default();
        for block in Self::blocks_of(body, cut).into_iter().rev() {
            let mut ways = Vec::new();
            let data = &body.passive.blocks[block];
            if let Some(values) = &data.returns {
                ways.extend(self.returning(body, values, exit));
            }
            let pool = &mut self.problem.program.pool;
            for edge in &data.successors {
                let mut conjuncts = Vec::new();
                if !body.regions.is_cut_point(edge.target) {
                    conjuncts.push(from[&edge.target]);
                } else if exit != Exit::CutPoint(edge.target) {
                    continue;
                }
                for phi in &edge.phis {
                    let incarnation = pool.var(phi.incarnation);
                    conjuncts.push(pool.eq(incarnation, phi.value));
                }
                ways.push(pool.and(&conjuncts));
            }
            let mut way = pool.or(&ways);
            if block != cut {
                let mut conjuncts = data.assumes.clone();
                conjuncts.push(way);
                way = pool.and(&conjuncts);
            }
            from.insert(block, way);
        }
        from[&cut]
    }

    /// What holds if the procedure returns with these values by the exit, if it can.
    fn returning(&mut self, body: &Body, values: &[(usize, TermId)], exit: Exit) -> Option<TermId> {
        let pool = &mut self.problem.program.pool;
        let failed = body
            .predicates
            .error
            .and_then(|error| values.iter().find(|&&(position, _)| position == error))
            .map(|&(_, value)| value);
        match (exit, failed) {
            (Exit::CutPoint(_), _) | (Exit::Fail, None) => None,
            (Exit::Fail, Some(failed)) => Some(failed),
            (Exit::Return, failed) => {
                let mut conjuncts: Vec<TermId> = failed.map(|failed| pool.not(failed)).into_iter().collect();
                for &(position, value) in values {
                    if body.predicates.outs.contains(&position) {
                        let out = pool.var(body.passive.outs[position]);
                        conjuncts.push(pool.eq(out, value));
                    }
                }
                Some(pool.and(&conjuncts))
            }
        }
    }

    fn exit_head(&mut self, body: &Body, exit: Exit) -> Option<Atom> {
        match exit {
            Exit::CutPoint(target) => self.cut_point_atom(body, target),
            Exit::Fail => Some(self.system.goal_atom()),
            Exit::Return if body.passive.proc == self.problem.entry => Some(self.system.goal_atom()),
            Exit::Return => {
                let outs: Vec<VarId> = body
                    .predicates
                    .outs
                    .iter()
                    .map(|&i| body.passive.outs[i])
                    .collect();
                Some(Atom {
                    predicate: body.predicates.returns,
                    args: self.own_args(body, &body.predicates.returned_ins, &outs),
                })
            }
        }
    }
}
