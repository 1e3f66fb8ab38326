//! σ of §6.3 and its smallest model: for each counterexample one of the sets of candidates that eliminate it.
//!
//! A set costs the expressions that its members bring in, each counted once, and of sets with as many expressions the one with
//! fewer members is smaller. PBS of the paper is a branch and bound here, after three reductions that keep a smallest model:
//! - a counterexample that is eliminated whenever another one is says nothing (`needed`),
//! - a counterexample with one eliminating set needs it,
//! - a candidate is left out if another one is in every place where it is, for no more expressions.

use std::collections::{BTreeMap, BTreeSet};

use smallvec::SmallVec;

/// After this many partial choices the best one so far is taken.
const MAX_CHOICES: usize = 5_000;

/// A set of small numbers.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
struct Bits(SmallVec<[u64; 4]>);

impl Bits {
    fn of(members: impl IntoIterator<Item = usize>) -> Self {
        let mut bits = Bits::default();
        for member in members {
            if bits.0.len() <= member / 64 {
                bits.0.resize(member / 64 + 1, 0);
            }
            bits.0[member / 64] |= 1 << (member % 64);
        }
        bits
    }

    fn add(&mut self, other: &Bits) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            *own |= other;
        }
    }

    fn with(&self, other: &Bits) -> Self {
        let mut both = self.clone();
        both.add(other);
        both
    }

    fn is_subset(&self, other: &Bits) -> bool {
        let word = |index: usize| other.0.get(index).copied().unwrap_or(0);
        self.0
            .iter()
            .enumerate()
            .all(|(index, own)| own & !word(index) == 0)
    }

    fn is_disjoint(&self, other: &Bits) -> bool {
        self.0.iter().zip(&other.0).all(|(own, other)| own & other == 0)
    }

    fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    fn iter(&self) -> impl Iterator<Item = usize> {
        let words = self.0.iter().enumerate();
        words.flat_map(|(index, &word)| {
            let bits = (0..64).filter(move |bit| word >> bit & 1 == 1);
            bits.map(move |bit| index * 64 + bit)
        })
    }
}

/// Members, and the expressions that they bring in.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
struct Choice {
    expressions: Bits,
    members: Bits,
}

impl Choice {
    /// Expressions, then members.
    fn cost(&self) -> (usize, usize) {
        (self.expressions.count(), self.members.count())
    }

    fn with(&self, other: &Choice) -> Choice {
        Choice {
            expressions: self.expressions.with(&other.expressions),
            members: self.members.with(&other.members),
        }
    }
}

/// The eliminating sets of one counterexample.
type Family = Vec<Choice>;

/// A set with the fewest expressions that contains some members and a set of each family.
pub fn smallest_model<T: Ord + Clone>(
    families: &[&[BTreeSet<T>]],
    kept: &BTreeSet<T>,
    expressions_of: impl Fn(&T) -> Vec<usize>,
) -> BTreeSet<T> {
    let members: BTreeSet<&T> = families.iter().copied().flatten().flatten().chain(kept).collect();
    let members: Vec<&T> = members.into_iter().collect();
    let numbers: BTreeMap<&T, usize> = members.iter().copied().zip(0..).collect();
    let expressions: Vec<Bits> = members
        .iter()
        .map(|member| Bits::of(expressions_of(member)))
        .collect();
    let choice = |set: &BTreeSet<T>| {
        let mut choice = Choice {
            members: Bits::of(set.iter().map(|member| numbers[member])),
            ..Choice::default()
        };
        for number in choice.members.iter() {
            choice.expressions.add(&expressions[number]);
        }
        choice
    };
    let families: Vec<Family> = families
        .iter()
        .map(|family| family.iter().map(&choice).collect())
        .collect();
    let (chosen, families) = reduced(families, choice(kept), &expressions);
    let best = branch_and_bound(&families, chosen);
    best.members
        .iter()
        .map(|number| members[number].clone())
        .collect()
}

/// What every smallest model contains, and the families that are open then.
fn reduced(mut families: Vec<Family>, mut chosen: Choice, expressions: &[Bits]) -> (Choice, Vec<Family>) {
    loop {
        families = needed(families, &chosen);
        let forced: Vec<Choice> = families
            .iter()
            .filter(|family| family.len() == 1)
            .map(|family| family[0].clone())
            .collect();
        if !forced.is_empty() {
            chosen = forced.iter().fold(chosen, |chosen, set| chosen.with(set));
            continue;
        }
        if !drop_dominated(&mut families, &chosen, expressions) {
            return (chosen, families);
        }
    }
}

/// The families that are not met whenever another is, or by what is chosen.
fn needed(families: Vec<Family>, chosen: &Choice) -> Vec<Family> {
    let meets = |members: &Bits, family: &Family| family.iter().any(|own| own.members.is_subset(members));
    let implies = |one: &Family, other: &Family| one.iter().all(|set| meets(&set.members, other));
    let mut needed: Vec<Family> = Vec::new();
    for family in families {
        let is_superfluous = family.is_empty()
            || meets(&chosen.members, &family)
            || needed.iter().any(|other| implies(other, &family));
        if !is_superfluous {
            needed.retain(|other| !implies(&family, other));
            needed.push(family);
        }
    }
    needed
}

/// Leaves out members for which another one can stand everywhere; only such as are sets of their own wherever they are.
fn drop_dominated(families: &mut [Family], chosen: &Choice, expressions: &[Bits]) -> bool {
    let mut places: BTreeMap<usize, Bits> = BTreeMap::new();
    let mut in_larger = Bits::default();
    for (index, family) in families.iter().enumerate() {
        for set in family {
            match set.members.count() {
                1 => {
                    let member = set.members.iter().next().unwrap_or_default();
                    places.entry(member).or_default().add(&Bits::of([index]));
                }
                _ => in_larger.add(&set.members),
            }
        }
    }
    let mut dropped = Bits::default();
    for (&member, own) in &places {
        if !Bits::of([member]).is_disjoint(&in_larger) {
            continue;
        }
        let is_better = |(&other, others): (&usize, &Bits)| {
            let (cost, other_cost) = (&expressions[member], &expressions[other]);
            let is_first =
                own != others || !cost.is_subset(&other_cost.with(&chosen.expressions)) || other < member;
            other != member
                && Bits::of([other]).is_disjoint(&dropped)
                && own.is_subset(others)
                && other_cost.is_subset(&cost.with(&chosen.expressions))
                && is_first
        };
        if places.iter().any(is_better) {
            dropped.add(&Bits::of([member]));
        }
    }
    for family in families.iter_mut() {
        family.retain(|set| set.members.count() != 1 || set.members.is_disjoint(&dropped));
    }
    dropped.count() > 0
}

fn branch_and_bound(families: &[Family], chosen: Choice) -> Choice {
    let mut families: Vec<&Family> = families.iter().collect();
    // Those that leave little choice decide early.
    families.sort_by_key(|family| family.len());
    let reach: Vec<Bits> = families
        .iter()
        .map(|family| {
            let sets = family.iter();
            sets.fold(Bits::default(), |all, set| all.with(&set.expressions))
        })
        .collect();
    let mut uses: BTreeMap<usize, usize> = BTreeMap::new();
    for family in &families {
        let sets = family.iter();
        let members = sets.fold(Bits::default(), |all, set| all.with(&set.members));
        for member in members.iter() {
            *uses.entry(member).or_default() += 1;
        }
    }
    let shared = |set: &Choice| -> usize { set.members.iter().filter_map(|member| uses.get(&member)).sum() };
    let mut best: Option<Choice> = None;
    let mut open: Vec<(usize, Choice)> = vec![(0, chosen)];
    let mut looked_at = 0;
    while let Some((mut next, chosen)) = open.pop() {
        looked_at += 1;
        let is_met = |family: &Family| family.iter().any(|set| set.members.is_subset(&chosen.members));
        while families.get(next).is_some_and(|family| is_met(family)) {
            next += 1;
        }
        let Some(family) = families.get(next) else {
            if best.as_ref().is_none_or(|best| chosen.cost() < best.cost()) {
                best = Some(chosen);
            }
            continue;
        };
        if let Some(best) = &best {
            if looked_at > MAX_CHOICES {
                break;
            }
            // Families that have no expression in common each add at least those of their lightest set, and a member.
            let mut least = chosen.cost();
            let mut counted = chosen.expressions.clone();
            for (family, reach) in families.iter().zip(&reach).skip(next) {
                if reach.is_disjoint(&counted) && !is_met(family) {
                    let lightest = family.iter().map(|set| set.expressions.count()).min();
                    least = (least.0 + lightest.unwrap_or(0), least.1 + 1);
                    counted.add(reach);
                }
            }
            if least >= best.cost() {
                continue;
            }
        }
        // The choice that adds least is looked at first; of those that of the smallest set, as in Example 5, and of those one
        // whose members other families have, too.
        let mut unions: Vec<_> = family
            .iter()
            .map(|set| {
                let union = chosen.with(set);
                (union.cost(), set.members.count(), usize::MAX - shared(set), union)
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
            smallest_model(&[&first, &second], &BTreeSet::new(), |&member| vec![member]),
            BTreeSet::from([2, 4, 5])
        );
    }

    /// A member with as many expressions as many others is chosen only if nothing lighter will do.
    #[test]
    fn the_lightest_model_of_sigma() {
        let first = [BTreeSet::from([9]), BTreeSet::from([1, 2])];
        let second = [BTreeSet::from([9]), BTreeSet::from([2, 3])];
        let expressions = |heavy: usize| {
            move |&member: &usize| match member {
                9 => (10..10 + heavy).collect(),
                _ => vec![member],
            }
        };
        let none = BTreeSet::new();
        assert_eq!(
            smallest_model(&[&first, &second], &none, expressions(4)),
            BTreeSet::from([1, 2, 3])
        );
        // A tie goes to the smaller set.
        assert_eq!(
            smallest_model(&[&first, &second], &none, expressions(3)),
            BTreeSet::from([9])
        );
        // What is kept costs nothing more.
        assert_eq!(
            smallest_model(&[&first, &second], &BTreeSet::from([1, 3]), expressions(3)),
            BTreeSet::from([1, 2, 3])
        );
    }

    /// An expression that several members bring in counts once.
    #[test]
    fn shared_expressions_count_once() {
        let families = [
            [BTreeSet::from([1]), BTreeSet::from([2])],
            [BTreeSet::from([3]), BTreeSet::from([4])],
        ];
        let families: Vec<&[BTreeSet<usize>]> = families.iter().map(|family| family.as_slice()).collect();
        let expressions = |&member: &usize| match member {
            2 | 4 => vec![7, 8],
            _ => vec![10 * member, 10 * member + 1],
        };
        assert_eq!(
            smallest_model(&families, &BTreeSet::new(), expressions),
            BTreeSet::from([2, 4])
        );
    }

    #[test]
    fn no_model_of_sigma_is_lighter() {
        let mut random = 7_u64;
        let mut below = |limit: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (random >> 33) % limit
        };
        for round in 0..400 {
            let largest = 1 + round % 2;
            let families: Vec<Vec<BTreeSet<u64>>> = (0..1 + below(5))
                .map(|_| {
                    (0..1 + below(3))
                        .map(|_| (0..1 + below(largest)).map(|_| below(8)).collect())
                        .collect()
                })
                .collect();
            let expressions: Vec<Vec<usize>> = (0..8)
                .map(|_| (0..1 + below(3)).map(|_| below(10) as usize).collect())
                .collect();
            let given: Vec<&[BTreeSet<u64>]> = families.iter().map(Vec::as_slice).collect();
            let cost = |set: &BTreeSet<u64>| {
                let all = set.iter().flat_map(|&member| &expressions[member as usize]);
                (all.collect::<BTreeSet<_>>().len(), set.len())
            };
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
            let found = smallest_model(&given, &BTreeSet::new(), |&member| {
                expressions[member as usize].clone()
            });
            assert!(is_model(&found), "{families:?} {found:?}");
            assert_eq!(
                Some(cost(&found)),
                expected,
                "{families:?} {expressions:?} {found:?}"
            );
        }
    }
}
