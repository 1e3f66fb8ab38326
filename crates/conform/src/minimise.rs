//! Predicate minimisation (§6.3, Fig. 10): which candidates an abstraction should use.
//!
//! The optimal choice is a set of candidates with the fewest expressions that contains an eliminating set of every
//! counterexample so far: a smallest model of σ, found by branch and bound, anew each time. It is optimal among the
//! eliminating sets that were generated; the limits are MAXSUB and MAXELM of §9.1. Counterexamples share eliminating
//! sets: one that is found for a counterexample is tried on the others.
//!
//! Candidates are single branches, and σ is solved freely: there can be very many smallest models, each of which needs another
//! counterexample to refute it. So a component with very many counterexamples is refined in another way from then on: what is
//! in use stays, and all branches that compare the same expression are one candidate. See [`MAX_SINGLE`].

use std::cmp::Reverse;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use lariat_base::Budget;
use lariat_lts::Stopped;
pub use lariat_options::Minimise;

use crate::component::Component;
use crate::counterexample::Counterexample;
use crate::infer::Candidate;
use crate::predicates::PredicateId;

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

/// So many counterexamples of a component are eliminated by a smallest set of single branches.
pub const MAX_SINGLE: usize = 40;

/// After this many partial choices the best one so far is taken.
const MAX_CHOICES: usize = 2_000;

impl Component {
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
                statistics.largest_tried = statistics.largest_tried.max(size);
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
        let least = found.iter().map(BTreeSet::len).min();
        found.retain(|set| Some(set.len()) == least);
        statistics.eliminating += found.len();
        let largest = least.unwrap_or_default().max(statistics.largest_eliminating);
        statistics.largest_eliminating = largest;
        Ok(found)
    }

    /// How many expressions a candidate brings in.
    pub fn weight(&mut self, candidate: Candidate) -> Result<usize, Stopped> {
        let inferred = self.infer_one(candidate)?;
        let mut expressions: Vec<PredicateId> = inferred.at.values().flatten().copied().collect();
        expressions.sort_unstable();
        expressions.dedup();
        Ok(expressions.len().max(1))
    }

    /// A set with the fewest expressions that contains some candidates and an eliminating set of each counterexample.
    pub fn optimally(
        &mut self,
        kept: BTreeSet<Candidate>,
        spurious: &[Spurious],
    ) -> Result<BTreeSet<Candidate>, Stopped> {
        let mut weights: BTreeMap<Candidate, usize> = BTreeMap::new();
        let members = spurious.iter().flat_map(|one| &one.eliminating).flatten();
        for &candidate in members.chain(&kept) {
            if let Entry::Vacant(entry) = weights.entry(candidate) {
                entry.insert(self.weight(candidate)?);
            }
        }
        let families: Vec<&[BTreeSet<Candidate>]> =
            spurious.iter().map(|one| one.eliminating.as_slice()).collect();
        let weight = |candidate: &Candidate| weights.get(candidate).copied().unwrap_or(1);
        Ok(smallest_union(&families, kept, weight))
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

/// A lightest set that contains some members and a set of each family, of several the smallest: the smallest model of σ.
pub fn smallest_union<T: Ord + Clone>(
    families: &[&[BTreeSet<T>]],
    kept: BTreeSet<T>,
    weight: impl Fn(&T) -> usize,
) -> BTreeSet<T> {
    let mut families = needed(families, &kept);
    let mut uses: BTreeMap<&T, usize> = BTreeMap::new();
    for family in &families {
        let members: BTreeSet<&T> = family.iter().flatten().collect();
        for member in members {
            *uses.entry(member).or_default() += 1;
        }
    }
    let shared = |set: &BTreeSet<T>| -> usize { set.iter().filter_map(|member| uses.get(member)).sum() };
    let cost = |set: &BTreeSet<T>| (set.iter().map(&weight).sum::<usize>(), set.len());
    // Those that leave little choice decide early.
    families.sort_by_key(|family| family.len());
    let mut best: Option<(Cost, BTreeSet<T>)> = None;
    let mut open: Vec<(usize, BTreeSet<T>)> = vec![(0, kept)];
    let mut looked_at = 0;
    while let Some((mut next, chosen)) = open.pop() {
        looked_at += 1;
        let is_met = |family: &&[BTreeSet<T>]| family.iter().any(|set| set.is_subset(&chosen));
        while families.get(next).is_some_and(is_met) {
            next += 1;
        }
        let so_far = cost(&chosen);
        let Some(family) = families.get(next) else {
            if best.as_ref().is_none_or(|(best, _)| so_far < *best) {
                best = Some((so_far, chosen));
            }
            continue;
        };
        if let Some((best, _)) = &best {
            if looked_at > MAX_CHOICES {
                break;
            }
            // Families that have nothing in common each add at least their lightest set.
            let mut least = so_far;
            let mut counted: BTreeSet<&T> = chosen.iter().collect();
            for family in families[next..].iter().filter(|family| !is_met(family)) {
                if family.iter().flatten().all(|member| !counted.contains(member)) {
                    let lightest = family.iter().map(&cost).min().unwrap_or_default();
                    least = (least.0 + lightest.0, least.1 + lightest.1.min(1));
                    counted.extend(family.iter().flatten());
                }
            }
            if least >= *best {
                continue;
            }
        }
        // The choice that adds least is looked at first; of those that of the smallest set, as in Example 5, and of those one
        // whose members other families have, too.
        let mut unions: Vec<(Cost, usize, Reverse<usize>, BTreeSet<T>)> = family
            .iter()
            .map(|set| {
                let union: BTreeSet<T> = chosen.union(set).cloned().collect();
                (cost(&union), set.len(), Reverse(shared(set)), union)
            })
            .collect();
        unions.sort();
        unions.dedup();
        open.extend(unions.into_iter().rev().map(|(_, _, _, union)| (next + 1, union)));
    }
    best.map_or_else(BTreeSet::new, |(_, best)| best)
}

/// The families that are not met whenever another is, or by what is kept.
fn needed<'f, T: Ord>(families: &[&'f [BTreeSet<T>]], kept: &BTreeSet<T>) -> Vec<&'f [BTreeSet<T>]> {
    let contains_one_of =
        |set: &BTreeSet<T>, family: &[BTreeSet<T>]| family.iter().any(|own| own.is_subset(set));
    let implies =
        |one: &[BTreeSet<T>], other: &[BTreeSet<T>]| one.iter().all(|set| contains_one_of(set, other));
    let mut needed: Vec<&[BTreeSet<T>]> = Vec::new();
    for &family in families {
        let is_superfluous = family.is_empty()
            || contains_one_of(kept, family)
            || needed.iter().any(|other| implies(other, family));
        if !is_superfluous {
            needed.retain(|other| !implies(family, other));
            needed.push(family);
        }
    }
    needed
}

/// Expressions, and members.
type Cost = (usize, usize);

#[cfg(test)]
mod tests {
    use super::*;

    /// Example 5.
    #[test]
    fn the_smallest_model_of_sigma() {
        let first = [BTreeSet::from([1, 3, 5]), BTreeSet::from([2, 5])];
        let second = [BTreeSet::from([2, 3]), BTreeSet::from([4])];
        assert_eq!(
            smallest_union(&[&first, &second], BTreeSet::new(), |_| 1),
            BTreeSet::from([2, 4, 5])
        );
    }

    /// A member that counts as much as many others is chosen only if nothing lighter will do.
    #[test]
    fn the_lightest_model_of_sigma() {
        let first = [BTreeSet::from([9]), BTreeSet::from([1, 2])];
        let second = [BTreeSet::from([9]), BTreeSet::from([2, 3])];
        let weight = |heavy: usize| move |&member: &i32| if member == 9 { heavy } else { 1 };
        assert_eq!(
            smallest_union(&[&first, &second], BTreeSet::new(), weight(4)),
            BTreeSet::from([1, 2, 3])
        );
        // A tie goes to the smaller set.
        assert_eq!(
            smallest_union(&[&first, &second], BTreeSet::new(), weight(3)),
            BTreeSet::from([9])
        );
        // What is kept costs nothing more.
        assert_eq!(
            smallest_union(&[&first, &second], BTreeSet::from([1, 3]), weight(3)),
            BTreeSet::from([1, 2, 3])
        );
    }

    #[test]
    fn no_model_of_sigma_is_lighter() {
        let mut random = 7_u64;
        let mut below = |limit: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (random >> 33) % limit
        };
        for _ in 0..200 {
            let families: Vec<Vec<BTreeSet<u64>>> = (0..1 + below(5))
                .map(|_| {
                    (0..1 + below(3))
                        .map(|_| (0..1 + below(2)).map(|_| below(8)).collect())
                        .collect()
                })
                .collect();
            let given: Vec<&[BTreeSet<u64>]> = families.iter().map(Vec::as_slice).collect();
            let weight = |member: &u64| 1 + (*member as usize % 3);
            let cost = |set: &BTreeSet<u64>| (set.iter().map(weight).sum::<usize>(), set.len());
            let is_model = |set: &BTreeSet<u64>| {
                let mut families = families.iter();
                families.all(|family| family.iter().any(|own| own.is_subset(set)))
            };
            let all = (0..256_u64).map(|bits| {
                (0..8)
                    .filter(|bit| bits >> bit & 1 == 1)
                    .collect::<BTreeSet<u64>>()
            });
            let expected = all.filter(is_model).map(|set| cost(&set)).min();
            let found = smallest_union(&given, BTreeSet::new(), weight);
            assert!(is_model(&found), "{families:?} {found:?}");
            assert_eq!(Some(cost(&found)), expected, "{families:?} {found:?}");
        }
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
