//! Predicate minimisation (§6.3, Fig. 10): which candidates an abstraction should use.
//!
//! The optimal choice is a set of candidates with the fewest expressions that contains an eliminating set of every
//! counterexample so far: a smallest model of σ ([`sigma`]), found anew each time. It is optimal among the eliminating sets that were
//! generated; the limits are MAXSUB and MAXELM of §9.1.
//!
//! Candidates are single branches, and nearly every counterexample has one that eliminates it alone. Those are looked for
//! first, among the branches that the counterexample passes and all others with an expression of one of them, so that
//! counterexamples share them. A path that a candidate eliminates is spurious: the solver is asked about the others only.
//!
//! A component that was refined very often is refined in another way from then on: all branches that compare the same expression
//! are one candidate. See [`MAX_SINGLE`].

mod sigma;

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::EntityRef;
use lariat_base::Budget;
use lariat_lts::Stopped;
pub use lariat_options::Minimise;

use crate::abstraction::Control;
use crate::component::Component;
use crate::counterexample::Counterexample;
use crate::infer::Candidate;
use sigma::smallest_model;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MinimiseOptions {
    pub mode: Minimise,
    /// MAXSUB: how many sets are tried for one counterexample.
    pub max_subsets: usize,
    /// MAXELM: how many eliminating sets are looked for.
    pub max_eliminating: usize,
    /// Seed for the ordering of the greedy algorithm.
    pub seed: u64,
}

impl Default for MinimiseOptions {
    fn default() -> Self {
        MinimiseOptions {
            mode: Minimise::default(),
            max_subsets: 1000,
            max_eliminating: 20,
            seed: 0,
        }
    }
}

/// A spurious counterexample and s(CE, 1), s(CE, 2), …
#[derive(Clone, Debug)]
pub struct Spurious {
    pub counterexample: Counterexample,
    /// The steps that it is made of, however often it takes them.
    pub steps: BTreeSet<(Control, Control)>,
    pub eliminating: Vec<BTreeSet<Candidate>>,
    /// It only repeats a loop more often than earlier ones: conditions of the program would merely add one more round.
    pub goes_round: bool,
}

impl Spurious {
    fn may_use(&self, candidate: &Candidate) -> bool {
        !self.goes_round || matches!(candidate, Candidate::Found(_))
    }
}

/// What a refinement chooses from.
#[derive(Clone, Copy, Debug)]
pub struct Choices<'c> {
    /// The candidates that an unsatisfiable core names: the likeliest, tried first.
    pub core: &'c [Candidate],
    /// The others, in the order in which they are tried.
    pub others: &'c [Candidate],
    pub in_use: &'c [Candidate],
}

/// What minimisation did: T, M and G of Fig. 14 and 15.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct MinimiseStatistics {
    /// T: the eliminating sets that were found.
    pub eliminating: usize,
    /// M: the size of the largest set that was tried.
    pub largest_tried: usize,
    /// G: the size of the largest eliminating set.
    pub largest_eliminating: usize,
}

impl MinimiseStatistics {
    /// Sets of one size were tried, and so many of them eliminate.
    fn count(&mut self, size: usize, eliminating: usize) {
        self.largest_tried = self.largest_tried.max(size);
        self.eliminating += eliminating;
        if eliminating > 0 {
            self.largest_eliminating = self.largest_eliminating.max(size);
        }
    }
}

/// So many refinements of a component choose among single branches.
pub const MAX_SINGLE: usize = 100;

/// Expressions, and candidates.
pub type Cost = (usize, usize);

impl Component {
    /// Candidates each of which eliminates a counterexample alone: of the given ones, and of those that share an expression with one
    /// that does.
    pub fn eliminating_alone(
        &mut self,
        counterexample: &Counterexample,
        given: &BTreeSet<Candidate>,
        options: &MinimiseOptions,
        statistics: &mut MinimiseStatistics,
    ) -> Result<Vec<Candidate>, Stopped> {
        let mut found: Vec<Candidate> = Vec::new();
        let mut tried = 0;
        for &candidate in given {
            tried += 1;
            if self.eliminates_alone(candidate, counterexample)? {
                found.push(candidate);
            }
            if tried >= options.max_subsets || found.len() >= options.max_eliminating {
                break;
            }
        }
        if !found.is_empty() {
            for candidate in self.sharing_expressions(&found)? {
                if tried >= options.max_subsets || found.len() >= options.max_eliminating {
                    break;
                }
                if !given.contains(&candidate) {
                    tried += 1;
                    if self.eliminates_alone(candidate, counterexample)? {
                        found.push(candidate);
                    }
                }
            }
        }
        statistics.count(1, found.len());
        Ok(found)
    }

    /// What a set of candidates costs.
    pub fn cost(&mut self, candidates: &[Candidate]) -> Result<Cost, Stopped> {
        let mut expressions = BTreeSet::new();
        for &candidate in candidates {
            expressions.extend(self.expressions(candidate)?.iter().copied());
        }
        Ok((expressions.len(), candidates.len()))
    }

    /// Sets of candidates that eliminate a counterexample; empty if none was found.
    ///
    /// Sets are tried in the order of their size, up to the size of one that is known to eliminate; sets of several
    /// candidates only from those that share predicates with it. Sets of candidates that are all in use are not tried: the
    /// counterexample exists in spite of them.
    pub fn eliminating_sets(
        &mut self,
        counterexample: &Counterexample,
        from: &Choices<'_>,
        options: &MinimiseOptions,
        statistics: &mut MinimiseStatistics,
        budget: &Budget,
    ) -> Result<Vec<BTreeSet<Candidate>>, Stopped> {
        let mut touching: Vec<Candidate> = Vec::new();
        let mut in_core = 0;
        for (index, &candidate) in from.core.iter().chain(from.others).enumerate() {
            if !touching.contains(&candidate) && self.touches(candidate, counterexample)? {
                touching.push(candidate);
                in_core += usize::from(index < from.core.len());
            }
        }
        let mut known = touching[..in_core].to_vec();
        if !self.eliminates(&known, counterexample)? {
            known = touching.clone();
            if !self.eliminates(&known, counterexample)? {
                return Ok(Vec::new());
            }
        }
        if options.mode != Minimise::Optimal {
            return Ok(vec![known.into_iter().collect()]);
        }
        let known = self.without_superfluous(known, counterexample, budget)?;
        let mut found: Vec<BTreeSet<Candidate>> = vec![known.iter().copied().collect()];
        let mut tried = 0;
        for size in 1..=known.len() {
            if size == 2 {
                touching = self.related(&known, &touching, counterexample)?;
            }
            let mut chosen: Vec<usize> = (0..size.min(touching.len())).collect();
            loop {
                budget.check()?;
                let set: Vec<Candidate> = chosen.iter().map(|&index| touching[index]).collect();
                statistics.count(size, 0);
                let is_new = set.iter().any(|candidate| !from.in_use.contains(candidate));
                if is_new && self.eliminates(&set, counterexample)? {
                    let set: BTreeSet<Candidate> = set.into_iter().collect();
                    if !found.contains(&set) {
                        found.push(set);
                    }
                }
                tried += 1;
                let is_enough = tried >= options.max_subsets || found.len() >= options.max_eliminating;
                if is_enough || !next_combination(&mut chosen, touching.len()) {
                    break;
                }
            }
            if found.len() > 1 || tried >= options.max_subsets {
                break;
            }
        }
        // A smaller set makes a larger one superfluous.
        let least = found.iter().map(BTreeSet::len).min().unwrap_or_default();
        found.retain(|set| set.len() == least);
        statistics.count(least, found.len());
        Ok(found)
    }

    /// A set with the fewest expressions that contains some candidates and an eliminating set of each counterexample.
    pub fn optimally(
        &mut self,
        kept: &BTreeSet<Candidate>,
        spurious: &[Spurious],
    ) -> Result<BTreeSet<Candidate>, Stopped> {
        let mut expressions: BTreeMap<Candidate, Vec<usize>> = BTreeMap::new();
        let members = spurious.iter().flat_map(|one| &one.eliminating).flatten();
        for &candidate in members.chain(kept) {
            if let Entry::Vacant(entry) = expressions.entry(candidate) {
                let own = self.expressions(candidate)?;
                entry.insert(own.iter().map(|own| own.index()).collect());
            }
        }
        let families: Vec<&[BTreeSet<Candidate>]> =
            spurious.iter().map(|one| one.eliminating.as_slice()).collect();
        Ok(smallest_model(&families, kept, |candidate| {
            expressions[candidate].clone()
        }))
    }

    /// The members of a set, and the candidates that share predicates with them.
    fn related(
        &mut self,
        set: &[Candidate],
        candidates: &[Candidate],
        counterexample: &Counterexample,
    ) -> Result<Vec<Candidate>, Stopped> {
        let mut related = set.to_vec();
        for &candidate in candidates {
            if set.contains(&candidate) {
                continue;
            }
            for &member in set {
                if self.share(member, candidate, counterexample)? {
                    related.push(candidate);
                    break;
                }
            }
        }
        Ok(related)
    }

    /// An eliminating set none of whose members can be left out.
    fn without_superfluous(
        &mut self,
        mut set: Vec<Candidate>,
        counterexample: &Counterexample,
        budget: &Budget,
    ) -> Result<Vec<Candidate>, Stopped> {
        // Large pieces first, since most candidates have nothing to do with it.
        let mut piece = set.len().div_ceil(2);
        while piece > 0 {
            // The last are the least preferred.
            let mut end = set.len();
            while end > 0 {
                budget.check()?;
                let start = end.saturating_sub(piece);
                let smaller: Vec<Candidate> = set[..start].iter().chain(&set[end..]).copied().collect();
                if self.eliminates(&smaller, counterexample)? {
                    set = smaller;
                }
                end = start;
            }
            piece = if piece == 1 { 0 } else { piece.div_ceil(2) };
        }
        Ok(set)
    }

    /// Fig. 10, with an ordering that depends on the seed only.
    pub fn greedily(
        &mut self,
        mut used: Vec<Candidate>,
        spurious: &[Spurious],
        seed: u64,
        budget: &Budget,
    ) -> Result<Vec<Candidate>, Stopped> {
        let mut random = seed;
        'again: loop {
            let mut ordering: Vec<usize> = (0..used.len()).collect();
            for last in (1..ordering.len()).rev() {
                random = random
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                ordering.swap(last, (random >> 33) as usize % (last + 1));
            }
            for index in ordering {
                let mut fewer = used.clone();
                fewer.remove(index);
                let mut all = true;
                for one in spurious {
                    budget.check()?;
                    let usable: Vec<Candidate> = fewer
                        .iter()
                        .copied()
                        .filter(|candidate| one.may_use(candidate))
                        .collect();
                    if !self.eliminates(&usable, &one.counterexample)? {
                        all = false;
                        break;
                    }
                }
                if all {
                    used = fewer;
                    continue 'again;
                }
            }
            return Ok(used);
        }
    }
}

/// The next set of indices in lexicographic order.
fn next_combination(chosen: &mut [usize], count: usize) -> bool {
    let size = chosen.len();
    for position in (0..size).rev() {
        if chosen[position] + (size - position) < count {
            chosen[position] += 1;
            for later in position + 1..size {
                chosen[later] = chosen[later - 1] + 1;
            }
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_come_in_order() {
        let mut chosen = vec![0, 1];
        let mut all = vec![chosen.clone()];
        while next_combination(&mut chosen, 4) {
            all.push(chosen.clone());
        }
        assert_eq!(all, [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
    }
}
