//! All passes in their order.

use std::collections::BTreeMap;

use cranelift_entity::{EntityRef, PrimaryMap};
use lariat_ir::{
    AssertId, AssertKind, Interface, ProcId, ProcKind, Program, Stage, StmtId, Threads, validate,
};
use lariat_term::VarId;
use rustc_hash::FxHashMap;

use crate::bound_constant_loops::{MOST_ACTIVATIONS, bound_constant_loops};
use crate::constant_facts::ConstantFacts;
use crate::cut_loops::{CutLoop, cut_loops};
use crate::extract_loops::extract_loops;
use crate::instrument_errors::{Goal, instrument_errors};
use crate::interfaces::compute_interfaces;
use crate::known_objects::decide_objects;
use crate::lookup_tables::decide_lookups;
use crate::mark_blocks::mark_blocks;
use crate::merge_blocks::merge_blocks;
use crate::propagate_constants::{propagate_constants, put_in_constants};
use crate::prune_procedures::prune_procedures;
use crate::remove_dead_ends::remove_dead_ends;
use crate::sequentialise::{ContextOptions, Sequentialised, sequentialise};
use crate::slice::slice;
use crate::specialise_candidates::specialise_candidates;
use crate::split_maps::{MapEntryVars, split_maps};
use crate::thread_analysis::starts_threads;

/// Which optional passes run, and what is recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PrepareOptions {
    pub propagate_constants: bool,
    /// Loops with a constant number of rounds of at most this are unrolled fully.
    pub constant_loop_limit: u32,
    pub slice: bool,
    /// Maps that are only used at literal keys become variables.
    pub split_maps: bool,
    /// Loops with invariants are cut by them: their executions are over-approximated.
    pub cut_loops_by_invariants: bool,
    /// How a program with threads is made sequential. `None`: where a thread starts, the program is not supported.
    pub contexts: Option<ContextOptions>,
    /// Record the program as text after each pass.
    pub record_stages: bool,
}

impl Default for PrepareOptions {
    fn default() -> Self {
        PrepareOptions {
            propagate_constants: true,
            constant_loop_limit: MOST_ACTIVATIONS,
            slice: true,
            split_maps: false,
            cut_loops_by_invariants: false,
            contexts: None,
            record_stages: false,
        }
    }
}

/// A program whose only question is whether `entry` returns.
#[derive(Clone, Debug)]
pub struct Prepared {
    pub program: Program,
    pub entry: ProcId,
    pub interfaces: PrimaryMap<ProcId, Interface>,
    /// The flag that an assertion has failed; `None` if none can.
    pub error: Option<VarId>,
    /// The assertions that were asked about and that the entry reaches in the call graph.
    pub checked: Vec<AssertId>,
    /// The unsupported constructs that the entry reaches in the call graph.
    pub unsupported: Vec<AssertId>,
    /// For each statement that sets the flag the assertion that fails there.
    pub failures: BTreeMap<StmtId, AssertId>,
    /// For each procedure the one of the lowered program that its statements come from.
    pub originals: PrimaryMap<ProcId, ProcId>,
    /// For each variable that a pass has made in place of one of the lowered program, that one.
    pub var_origins: FxHashMap<VarId, VarId>,
    /// For each variable in place of an entry of a map, that map and its key.
    pub map_entries: MapEntryVars,
    /// The loops that were cut by their invariants. If there are any, that the entry can return means
    /// only that the invariants do not exclude it.
    pub cut_loops: Vec<CutLoop>,
    /// How the program was made sequential, if it starts threads.
    pub threads: Option<Sequentialised>,
    /// The program after each pass, if that was asked for.
    pub stages: Vec<(&'static str, String)>,
}

/// Runs all passes on a copy of the lowered program.
pub fn prepare(program: &Program, entry: ProcId, goal: &Goal, options: &PrepareOptions) -> Prepared {
    prepare_owned(program.clone(), entry, goal, options)
}

/// Runs all passes on the lowered program.
pub fn prepare_owned(program: Program, entry: ProcId, goal: &Goal, options: &PrepareOptions) -> Prepared {
    let starts_threads = options.contexts.is_some() && starts_threads(&program, entry);
    let known = program.pool.var_count();
    let mut pipeline = Pipeline {
        originals: program.procs.keys().collect(),
        program,
        options,
        stages: Vec::new(),
    };
    pipeline.run("mark", Stage::Lowered, mark_blocks);
    let mut threads: Option<Sequentialised> = None;
    let (mut entry, mut goal) = (entry, goal);
    match &options.contexts {
        Some(contexts) if starts_threads => {
            pipeline.run("threads", Stage::Lowered, |program| {
                threads = Some(sequentialise(program, entry, goal, contexts));
            });
            pipeline.follow_new_procedures(entry);
            goal = &Goal::EntryReturns;
        }
        _ => pipeline.program.threads = Threads::default(),
    }
    if let Some(threads) = &threads {
        entry = threads.entry;
    }
    let entry = pipeline.prune("prune", Stage::Lowered, entry);
    if options.propagate_constants {
        pipeline.run("tables", Stage::Lowered, |program| decide_lookups(program, entry));
    }
    let mut cut = Vec::new();
    if options.cut_loops_by_invariants {
        pipeline.run("cut", Stage::Lowered, |program| cut = cut_loops(program));
    }
    let mut var_origins = FxHashMap::default();
    pipeline.run("loops", Stage::LoopFree, |program| {
        var_origins = extract_loops(program)
    });
    if let Some(threads) = &threads {
        for var in var_origins.values_mut() {
            *var = threads.origins.get(var).copied().unwrap_or(*var);
        }
        var_origins.extend(&threads.origins);
    }
    pipeline.follow_new_procedures(entry);
    let mut instrumented = None;
    pipeline.run("errors", Stage::Instrumented, |program| {
        instrumented = Some(instrument_errors(program, entry, goal));
    });
    let mut instrumented = instrumented.expect("the pass has run");
    if let Some(threads) = &threads {
        let asserts = &pipeline.program.asserts;
        let is_unsupported =
            |assert: &&AssertId| matches!(asserts[**assert].kind, AssertKind::Unsupported(_));
        (instrumented.unsupported, instrumented.checked) = threads.goals.iter().partition(is_unsupported);
        instrumented.failures = threads.failures.clone();
    }
    pipeline.follow_new_procedures(entry);
    let entry = instrumented.entry;
    var_origins.extend(&instrumented.origins);
    pipeline.run("dead-ends", Stage::Instrumented, remove_dead_ends);
    if options.propagate_constants {
        pipeline.run("constants", Stage::Instrumented, |program| {
            let facts = ConstantFacts::new(program, entry);
            specialise_candidates(program, &facts, &var_origins);
            put_in_constants(program, facts);
            remove_dead_ends(program);
        });
    }
    let mut map_entries = MapEntryVars::default();
    if options.split_maps {
        pipeline.run("maps", Stage::Instrumented, |program| {
            decide_objects(program, entry);
            map_entries = split_maps(program);
            // The copies in later contexts stand for nothing in the program.
            map_entries.retain(|_, (map, _)| map.index() < known);
            propagate_constants(program, entry);
            remove_dead_ends(program);
        });
    }
    pipeline.run("merge", Stage::Instrumented, merge_blocks);
    if options.constant_loop_limit > 0 {
        pipeline.run("bounds", Stage::Instrumented, |program| {
            bound_constant_loops(program, entry, options.constant_loop_limit)
        });
    }
    if options.slice {
        pipeline.run("slice", Stage::Instrumented, |program| {
            slice(program, entry);
            merge_blocks(program);
        });
    }
    let entry = pipeline.prune("prune again", Stage::Instrumented, entry);
    let interfaces = compute_interfaces(&pipeline.program);
    Prepared {
        entry,
        interfaces,
        error: instrumented.error,
        checked: instrumented.checked,
        unsupported: instrumented.unsupported,
        failures: instrumented.failures,
        originals: pipeline.originals,
        var_origins,
        map_entries,
        cut_loops: cut,
        threads,
        stages: pipeline.stages,
        program: pipeline.program,
    }
}

struct Pipeline<'a> {
    program: Program,
    options: &'a PrepareOptions,
    originals: PrimaryMap<ProcId, ProcId>,
    stages: Vec<(&'static str, String)>,
}

impl Pipeline<'_> {
    fn run(&mut self, name: &'static str, reached: Stage, pass: impl FnOnce(&mut Program)) {
        pass(&mut self.program);
        if cfg!(debug_assertions)
            && let Err(violation) = validate(&self.program, reached)
        {
            panic!("pass `{name}` broke the program (a bug of Lariat): {violation}");
        }
        if self.options.record_stages {
            self.stages.push((name, self.program.text()));
        }
    }

    fn prune(&mut self, name: &'static str, reached: Stage, entry: ProcId) -> ProcId {
        let mut pruned = None;
        self.run(name, reached, |program| {
            pruned = Some(prune_procedures(program, entry))
        });
        let pruned = pruned.expect("the pass has run");
        self.originals = pruned
            .originals
            .values()
            .map(|&before| self.originals[before])
            .collect();
        pruned.entry
    }

    /// New procedures are loops or a copy of the entry.
    fn follow_new_procedures(&mut self, entry: ProcId) {
        for index in self.originals.len()..self.program.procs.len() {
            let source = match self.program.procs[ProcId::new(index)].kind {
                ProcKind::Loop { parent, .. } => parent,
                ProcKind::Source => entry,
            };
            self.originals.push(self.originals[source]);
        }
    }
}
