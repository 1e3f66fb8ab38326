//! Slices of effort: what a search does when a query takes too long.
//!
//! Most of a hard search is spent in single queries. The two kinds of steps ask different ones: widening blocks all open calls,
//! refinement only those beyond the bound, and where one is intractable the other is often easy. So a query may take a slice of the
//! solver's effort. If it is not answered by then the step ends without a result and the other kind is tried. If that is too hard as well,
//! slices become twice as large, the solver starts over, with other options every other time, and queries are asked in halves.
//!
//! A half is the query with a Boolean of an inlined call assumed to be false, or true. Every model has one of the two values, so the halves together have
//! all models, and what the two unsat cores blame together is what the query's own would. Unlike the parts of [`crate::split`] halves share the solver and
//! what it learns.
//!
//! Effort is the solver's own count, so the same input gives the same steps. A slice that has ended is not lost: until it starts over, the solver
//! keeps what it has learned.

use lariat_smt::{Ast, CheckResult, Stop};
use rustc_hash::FxHashSet;

use crate::mix::SearchStep;
use crate::options::FIRST_SLICE;
use crate::search::Search;
use crate::unfolding::Unfolding;

/// The largest slice.
const LAST_SLICE: u32 = 256_000_000;
/// So many times a query is halved.
const MOST_HALVES: usize = 4;

/// How much effort a query may take, and what was too hard of late.
pub(crate) struct Slices {
    first: u32,
    slice: u32,
    /// Kinds of steps whose query was too hard since something was inlined.
    refinement_is_hard: bool,
    widening_is_hard: bool,
    /// Whether queries are asked in halves.
    halves: bool,
    /// How often the solver has started over.
    restarts: u32,
}

impl Slices {
    pub fn new(first: Option<u32>) -> Self {
        let first = first.unwrap_or(FIRST_SLICE).max(1);
        Slices {
            first,
            slice: first,
            refinement_is_hard: false,
            widening_is_hard: false,
            halves: false,
            restarts: 0,
        }
    }

    /// The step to do where this one was chosen: the other kind if the query of this one is known to be too hard.
    pub fn choose(&self, step: SearchStep) -> SearchStep {
        match step {
            SearchStep::Refine if self.refinement_is_hard => SearchStep::Widen,
            SearchStep::Widen if self.widening_is_hard => SearchStep::Refine,
            step => step,
        }
    }

    /// Whether the query of the under-approximation was too hard and is not asked again by a refinement.
    pub fn is_widening_hard(&self) -> bool {
        self.widening_is_hard
    }

    /// The query of a step was too hard. `true` if that of the other kind is so, too.
    pub fn too_hard(&mut self, step: SearchStep) -> bool {
        match step {
            SearchStep::Refine => self.refinement_is_hard = true,
            SearchStep::Widen | SearchStep::InlineAll => self.widening_is_hard = true,
        }
        let both = self.refinement_is_hard && self.widening_is_hard;
        if both {
            self.refinement_is_hard = false;
            self.widening_is_hard = false;
            self.slice = self.slice.saturating_mul(2).min(LAST_SLICE);
            self.halves = true;
        }
        both
    }

    /// A step has changed the queries.
    pub fn progressed(&mut self) {
        *self = Slices {
            slice: (self.slice / 2).max(self.first),
            restarts: self.restarts,
            ..Slices::new(Some(self.first))
        };
    }
}

impl Search<'_> {
    /// The slice of effort of each query, if a step has another one to turn to.
    pub(crate) fn slice(&self) -> Option<u32> {
        self.in_slices.then_some(self.slices.slice)
    }

    /// Notes that the query of a step was too hard. If no kind of step is easier the solver starts over.
    pub(crate) fn too_hard(&mut self, step: SearchStep) -> Result<(), Stop> {
        self.observer.too_hard(step);
        if !self.slices.too_hard(step) {
            return Ok(());
        }
        let Some(other_options) = &self.options.restart_options else {
            return Ok(());
        };
        self.slices.restarts += 1;
        let mut options = match self.slices.restarts.is_multiple_of(2) {
            true => self.options.solver_options.clone(),
            false => other_options.clone(),
        };
        let seed = self.options.unfolding.seed.wrapping_add(self.slices.restarts);
        options.push(("smt.random_seed".into(), seed.to_string()));
        let Unfolding { solver, context, .. } = &mut self.unfolding;
        Ok(solver.restart(context, &options)?)
    }

    /// Asks within a slice, in halves if the query is known to be hard. The second result is the unsat core, if there is one.
    pub(crate) fn ask_slice(
        &mut self,
        literals: &[Ast],
        slice: u32,
    ) -> Result<(CheckResult, Vec<usize>), Stop> {
        let booleans = match self.slices.halves && self.options.halves {
            true => self.halving_literals(),
            false => Vec::new(),
        };
        let mut named = FxHashSet::default();
        // A part of the query has values for the first of the Booleans.
        let mut parts: Vec<Vec<Ast>> = vec![Vec::new()];
        while let Some(part) = parts.pop() {
            let assumed = [literals, part.as_slice()].concat();
            let answer = self.ask_solver(&assumed, Some(slice))?;
            let (answer, core) = self.with_core(answer, &assumed)?;
            match (answer, booleans.get(part.len())) {
                (CheckResult::Unsat, _) => {
                    named.extend(core.into_iter().filter(|&index| index < literals.len()))
                }
                (answer, Some(&(yes, no))) if answer.is_out_of_effort() => {
                    parts.extend([yes, no].map(|value| [part.as_slice(), &[value]].concat()));
                }
                (answer, _) => return Ok((answer, Vec::new())),
            }
        }
        let mut core: Vec<usize> = named.into_iter().collect();
        core.sort_unstable();
        Ok((CheckResult::Unsat, core))
    }

    /// The Booleans by which a query is halved, each with its negation: of the calls that divide what unsat cores have named best.
    fn halving_literals(&self) -> Vec<(Ast, Ast)> {
        let sites = self.unfolding.dividing_sites(self.splitting.core());
        let terms = sites.take(MOST_HALVES).map(|site| &self.unfolding.sites[site]);
        terms.map(|terms| (terms.control, terms.blocked)).collect()
    }
}
