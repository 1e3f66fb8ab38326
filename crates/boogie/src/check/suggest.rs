//! Hints for names that are not declared.

use crate::typed::Name;

/// Names of Boogie's own library, which its `-lib` option adds.
const LIBRARY_NAMES: &[&str] = &[
    "Cell",
    "CellId",
    "Choice",
    "Choose",
    "Copy",
    "Default",
    "Fraction",
    "Id",
    "IsDisjoint",
    "IsSubset",
    "Iteration",
    "KeyedLoc",
    "Lheap",
    "Lmap",
    "Loc",
    "Lset",
    "Lval",
    "Map",
    "MapAdd",
    "MapAnd",
    "MapConst",
    "MapDiff",
    "MapDiv",
    "MapEq",
    "MapGe",
    "MapGt",
    "MapIff",
    "MapImp",
    "MapIte",
    "MapLe",
    "MapLt",
    "MapMod",
    "MapMul",
    "MapNot",
    "MapOne",
    "MapOr",
    "MapSub",
    "Move",
    "Multiset",
    "None",
    "One",
    "Option",
    "Seq",
    "Set",
    "Some",
    "TaggedLoc",
    "ToMultiset",
    "Unit",
    "Vec",
    "create_async",
    "create_asyncs",
    "create_multi_asyncs",
    "set_choice",
];

const LIBRARY_PREFIXES: &[&str] = &[
    "Cell_", "Lheap_", "Lmap_", "Loc_", "Lset_", "Lval_", "Map_", "One_", "Path_", "Seq_", "Set_", "Vec_",
];

pub(super) fn is_library_name(name: &str) -> bool {
    LIBRARY_NAMES.binary_search(&name).is_ok()
        || LIBRARY_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// The candidate that differs least from the name, if the difference looks like a slip.
pub(super) fn closest<'n>(name: &str, candidates: impl Iterator<Item = &'n Name>) -> Option<&'n Name> {
    let longest = name.chars().count();
    let tolerated = (longest / 3).min(3);
    candidates
        .filter(|candidate| candidate.len().abs_diff(name.len()) <= tolerated)
        .map(|candidate| (edit_distance(name, candidate), candidate))
        .filter(|(distance, candidate)| {
            *distance <= tolerated || (*distance <= 1 && longest > 1) || candidate.eq_ignore_ascii_case(name)
        })
        .min()
        .map(|(_, candidate)| candidate)
}

/// The number of inserted, deleted, replaced and swapped neighbouring characters.
fn edit_distance(left: &str, right: &str) -> usize {
    let left: Vec<char> = left.chars().collect();
    let right: Vec<char> = right.chars().collect();
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=right.len()).collect();
    for (i, &l) in left.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &r) in right.iter().enumerate() {
            let mut best = (last[j] + usize::from(l != r))
                .min(last[j + 1] + 1)
                .min(row[j] + 1);
            if i > 0 && j > 0 && l == right[j - 1] && left[i - 1] == r {
                best = best.min(before_last[j - 1] + 1);
            }
            row.push(best);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[right.len()]
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn slips_are_recognised() {
        let names: Vec<Name> = ["counter", "index", "x"].into_iter().map(Arc::from).collect();
        assert_eq!(closest("conuter", names.iter()).map(|n| &**n), Some("counter"));
        assert_eq!(closest("Index", names.iter()).map(|n| &**n), Some("index"));
        assert_eq!(closest("y", names.iter()), None);
        assert_eq!(closest("something", names.iter()), None);
    }

    #[test]
    fn library_names_are_sorted_for_the_search() {
        assert!(LIBRARY_NAMES.is_sorted());
        assert!(is_library_name("Vec_Append") && is_library_name("MapConst") && !is_library_name("Vector"));
    }
}
