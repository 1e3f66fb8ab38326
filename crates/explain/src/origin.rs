//! Where the failing value comes from, for grouping warnings by their cause.
//!
//! The operands of the failing condition are followed back through copies, parameters, results, sums with constants
//! and elements of maps to the statement that made them, to an unknown, or to the inputs. Elements of maps are told
//! apart by their concrete indices in the replay.

use lariat_interp::{Event, EventKind, Flow, Read};
use lariat_ir::{OpenInfo, ProcId, Program, Stmt, StmtKind};
use lariat_term::{Op, Sort, TermId, TermPool, VarId};
use rustc_hash::FxHashSet;

use crate::{FailingTrace, Source, ValueOrigin};

pub(crate) fn value_origin(trace: &FailingTrace<'_>) -> ValueOrigin {
    let mut tracing = Tracing {
        program: trace.program,
        open: trace.open,
        constants: trace.program.constants.iter().copied().collect(),
        needed: Vec::new(),
        sources: Vec::new(),
        outermost: None,
        meeting: None,
    };
    let mut events = trace.events.iter().rev();
    if let Some(failure) = events.next() {
        tracing.look_back(failure);
        tracing.failure(failure);
    }
    for event in events {
        tracing.look_back(event);
        tracing.event(event);
    }
    tracing.inputs(trace.entry);
    tracing.sources.sort_unstable();
    tracing.sources.dedup();
    ValueOrigin {
        sources: tracing.sources,
        meeting: tracing.meeting,
    }
}

struct Tracing<'a> {
    program: &'a Program,
    open: &'a OpenInfo,
    constants: FxHashSet<VarId>,
    /// Variables and elements whose values are those that fail.
    needed: Vec<Read>,
    sources: Vec<Source>,
    /// The outermost procedure between here and the failure, with its depth.
    outermost: Option<(u32, ProcId)>,
    /// That procedure at the earliest statement that made something.
    meeting: Option<ProcId>,
}

/// What a value is made of.
enum Part {
    Variable(VarId),
    /// An element of a map that is a variable.
    Element(VarId),
    /// Computed here.
    Other,
}

impl Tracing<'_> {
    fn failure(&mut self, event: &Event) {
        let Some(StmtKind::Assert { condition, .. }) = event.place.stmt(self.program).map(|stmt| &stmt.kind)
        else {
            return;
        };
        for part in parts(&self.program.pool, *condition, true) {
            self.need_part(&part, &event.uses, None);
        }
    }

    fn look_back(&mut self, event: &Event) {
        if self.outermost.is_none_or(|(depth, _)| event.depth < depth) {
            self.outermost = Some((event.depth, event.place.proc));
        }
    }

    fn made(&mut self, source: Source) {
        self.meeting = self.outermost.map(|(_, proc)| proc);
        self.sources.push(source);
    }

    fn event(&mut self, event: &Event) {
        for (position, flow) in event.flows.iter().enumerate() {
            let taken: Vec<Read> = self
                .needed
                .iter()
                .filter(|read| gives(flow, read))
                .cloned()
                .collect();
            if taken.is_empty() {
                continue;
            }
            self.needed.retain(|read| !gives(flow, read));
            for read in taken {
                self.follow(event, position, flow, &read);
            }
        }
    }

    /// Goes on with what the flow of an event put into a cell.
    fn follow(&mut self, event: &Event, position: usize, flow: &Flow, read: &Read) {
        if let EventKind::Return { .. } = event.kind {
            for source in &flow.sources {
                self.need(Read {
                    indices: read.indices.clone(),
                    ..source.clone()
                });
            }
            return;
        }
        let Some(stmt) = event.place.stmt(self.program) else {
            return;
        };
        let made = Source::Made {
            stmt: stmt.id,
            span: stmt.span,
        };
        let Some(value) = given_value(&self.program.pool, event, stmt, position) else {
            let var = flow.target.var;
            match self.chosen(stmt, var) {
                Some(chosen) => self.sources.push(chosen),
                None => self.made(made),
            }
            return;
        };
        let whole = flow.target.indices.is_none();
        let parts = parts(&self.program.pool, value, false);
        let mut found = false;
        for part in &parts {
            let indices = if whole { read.indices.clone() } else { None };
            found |= self.need_part(part, &flow.sources, indices);
        }
        if !found {
            self.made(made);
        }
    }

    /// What a havoc chose.
    fn chosen(&self, stmt: &Stmt, var: VarId) -> Option<Source> {
        let stmt = stmt.id;
        if self.open.unknowns.iter().any(|u| u.stmt == stmt && u.var == var) {
            Some(Source::Unknown { stmt, var })
        } else if self.open.fresh.contains(&(stmt, var)) {
            Some(Source::Fresh { stmt, var })
        } else {
            None
        }
    }

    /// Whether the part is something that can be followed.
    fn need_part(&mut self, part: &Part, reads: &[Read], indices: Option<Vec<lariat_term::Value>>) -> bool {
        let (var, is_element) = match part {
            Part::Variable(var) => (*var, false),
            Part::Element(var) => (*var, true),
            Part::Other => return false,
        };
        if self.constants.contains(&var) {
            // A constant map is memory as the environment has left it; any other constant was put here by the program.
            let pool = &self.program.pool;
            let is_memory = matches!(pool.sort(pool.var_sort(var)), Sort::Array { .. });
            if is_memory {
                self.sources.push(Source::Memory(var));
            }
            return is_memory;
        }
        let matching: Vec<Read> = reads
            .iter()
            .filter(|read| read.var == var && read.indices.is_some() == is_element)
            .cloned()
            .collect();
        let any = !matching.is_empty();
        for read in matching {
            let indices = read.indices.clone().or_else(|| indices.clone());
            self.need(Read { indices, ..read });
        }
        any
    }

    fn need(&mut self, read: Read) {
        if !self.needed.contains(&read) {
            self.needed.push(read);
        }
    }

    /// What is still needed at the start.
    fn inputs(&mut self, entry: ProcId) {
        for read in std::mem::take(&mut self.needed) {
            let is_input = read.activation.is_none()
                || read.activation == Some(0) && self.program.procs[entry].params.contains(&read.var);
            self.sources.push(match (is_input, &read.indices) {
                (true, None) => Source::Input(read.var),
                (true, Some(_)) => Source::Memory(read.var),
                (false, _) => Source::Uninitialised(read.var),
            });
        }
    }
}

/// Whether a flow decides what a cell holds.
fn gives(flow: &Flow, read: &Read) -> bool {
    flow.target.activation == read.activation
        && flow.target.var == read.var
        && (flow.target.indices.is_none() || flow.target.indices == read.indices)
}

/// The term that the flow at a position of an event assigned; `None` if something chose the value.
fn given_value(pool: &TermPool, event: &Event, stmt: &Stmt, position: usize) -> Option<TermId> {
    let target = &event.flows[position].target;
    let element = event.flows[..position]
        .iter()
        .filter(|flow| flow.target.var == target.var)
        .count();
    match (&stmt.kind, &event.kind) {
        (StmtKind::Call(call), EventKind::Call { .. }) => call.ins.get(position).copied(),
        (StmtKind::Assign(assignments), _) => {
            let (_, mut value) = *assignments.iter().find(|(var, _)| *var == target.var)?;
            if target.indices.is_none() {
                return Some(value);
            }
            // The elements of a chain of updates come with the last one first.
            for _ in 0..element {
                value = *pool.args(value).first()?;
            }
            pool.args(value).last().copied()
        }
        _ => None,
    }
}

/// What the value of a term is a copy of; of a condition (`deep`), what its operands are.
fn parts(pool: &TermPool, term: TermId, deep: bool) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut seen = FxHashSet::default();
    let mut stack = vec![term];
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        match pool.op(term) {
            Op::Var(var) => parts.push(Part::Variable(var)),
            Op::Select => {
                // Maps of maps and updated ones are looked through to the variable.
                let mut map = pool.args(term)[0];
                while matches!(pool.op(map), Op::Select | Op::Store) {
                    map = pool.args(map)[0];
                }
                match (pool.as_var(map), map == pool.args(term)[0]) {
                    (Some(var), true) => parts.push(Part::Element(var)),
                    (Some(var), false) => parts.push(Part::Variable(var)),
                    (None, _) => parts.push(Part::Other),
                }
            }
            Op::Add => stack.extend(pool.args(term).iter().filter(|&&arg| !pool.is_value(arg))),
            Op::Ite => stack.extend_from_slice(&pool.args(term)[1..]),
            _ if deep => stack.extend_from_slice(pool.args(term)),
            _ => parts.push(Part::Other),
        }
    }
    parts
}
