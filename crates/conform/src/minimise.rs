//! Predicate minimisation (§6.3, Fig. 10): which candidates an abstraction should use.
//!
//! The optimal choice is a smallest set of candidates that contains an eliminating set of every counterexample so far: a
//! smallest model of σ, found by branch and bound. It is optimal among the eliminating sets that were generated; the limits
//! are MAXSUB and MAXELM of §9.1.
//!
//! There can be very many smallest sets, each of which needs another counterexample to refute it before a larger one
//! is tried. So if another set of the same size would do, the present one is kept and extended: see [`Chooser`]. Only
//! candidates that appear in a core are tried, as long as these suffice.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use lariat_base::Budget;
use lariat_lts::Stopped;
pub use lariat_options::Minimise;

use crate::component::Component;
use crate::counterexample::Counterexample;
use crate::infer::Candidate;

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
            mode: Minimise::Optimal,
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
    pub eliminating: Vec<BTreeSet<Candidate>>,
    /// It only repeats a loop more often than earlier ones: conditions of the program would merely add one more round.
    pub goes_round: bool,
}

impl Spurious {
    fn may_use(&self, candidate: &Candidate) -> bool {
        !self.goes_round || matches!(candidate, Candidate::Found(_))
    }
}

/// Chooses smallest sets one after the other; their sizes never decrease.
#[derive(Clone, Debug, Default)]
pub struct Chooser {
    kept: BTreeSet<Candidate>,
}

impl Chooser {
    /// The next choice after a set that did not eliminate everything.
    pub fn next(&mut self, before: &BTreeSet<Candidate>, spurious: &[Spurious]) -> BTreeSet<Candidate> {
        let families: Vec<&[BTreeSet<Candidate>]> =
            spurious.iter().map(|one| one.eliminating.as_slice()).collect();
        let chosen = smallest_union(&families, &self.kept);
        if chosen.len() > before.len() {
            return chosen;
        }
        self.kept.clone_from(before);
        smallest_union(&families, &self.kept)
    }
}

/// After this many partial choices the best one so far is taken.
const MAX_CHOICES: usize = 500_000;

impl Component {
    /// Sets of candidates that eliminate a counterexample; empty if none was found. The first candidates of `core` are
    /// the likeliest; the others come in the order in which they are tried.
    ///
    /// Sets are tried in the order of their size, up to the size of one that is known to eliminate; sets of several
    /// candidates only from those that share predicates with it. Sets of candidates that are all in use are not tried: the
    /// counterexample exists in spite of them.
    pub fn eliminating_sets(
        &mut self,
        counterexample: &Counterexample,
        core: &[Candidate],
        others: &[Candidate],
        in_use: &[Candidate],
        options: &MinimiseOptions,
        budget: &Budget,
    ) -> Result<Vec<BTreeSet<Candidate>>, Stopped> {
        let mut touching: Vec<Candidate> = Vec::new();
        let mut in_core = 0;
        for (index, &candidate) in core.iter().chain(others).enumerate() {
            if !touching.contains(&candidate) && self.touches(candidate, counterexample)? {
                touching.push(candidate);
                in_core += usize::from(index < core.len());
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
                let is_new = set.iter().any(|candidate| !in_use.contains(candidate));
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
        let least = found.iter().map(BTreeSet::len).min();
        found.retain(|set| Some(set.len()) == least);
        Ok(found)
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

/// A smallest set that contains some candidates and a set of each family: the smallest model of σ. Of several, one with
/// candidates that many families have is likely.
pub fn smallest_union<T: Ord + Clone>(families: &[&[BTreeSet<T>]], kept: &BTreeSet<T>) -> BTreeSet<T> {
    let mut families: Vec<&[BTreeSet<T>]> = families
        .iter()
        .copied()
        .filter(|family| !family.is_empty())
        .collect();
    let mut uses: BTreeMap<&T, usize> = BTreeMap::new();
    for family in &families {
        let members: BTreeSet<&T> = family.iter().flatten().collect();
        for member in members {
            *uses.entry(member).or_default() += 1;
        }
    }
    let score = |set: &BTreeSet<T>| -> usize { set.iter().filter_map(|member| uses.get(member)).sum() };
    // Those that leave little choice decide early.
    families.sort_by_key(|family| family.len());
    let mut best: Option<BTreeSet<T>> = None;
    let mut open: Vec<(usize, BTreeSet<T>)> = vec![(0, kept.clone())];
    let mut looked_at = 0;
    while let Some((mut next, chosen)) = open.pop() {
        looked_at += 1;
        if best.as_ref().is_some_and(|best| chosen.len() >= best.len()) {
            continue;
        }
        let is_met = |family: &&[BTreeSet<T>]| family.iter().any(|set| set.is_subset(&chosen));
        while families.get(next).is_some_and(is_met) {
            next += 1;
        }
        let Some(family) = families.get(next) else {
            best = Some(chosen);
            continue;
        };
        if looked_at > MAX_CHOICES && best.is_some() {
            break;
        }
        // The choice that adds least is looked at first; of those the one of the smallest set, as in Example 5.
        let mut unions: Vec<(usize, usize, Reverse<usize>, BTreeSet<T>)> = family
            .iter()
            .map(|set| {
                let union: BTreeSet<T> = chosen.union(set).cloned().collect();
                (union.len(), set.len(), Reverse(score(set)), union)
            })
            .collect();
        unions.sort();
        unions.dedup();
        open.extend(unions.into_iter().rev().map(|(_, _, _, union)| (next + 1, union)));
    }
    best.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Example 5.
    #[test]
    fn the_smallest_model_of_sigma() {
        let first = [BTreeSet::from([1, 3, 5]), BTreeSet::from([2, 5])];
        let second = [BTreeSet::from([2, 3]), BTreeSet::from([4])];
        assert_eq!(
            smallest_union(&[&first, &second], &BTreeSet::new()),
            BTreeSet::from([2, 4, 5])
        );
    }

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
