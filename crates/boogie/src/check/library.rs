//! Names that are not declared because a library is missing.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn library_names_are_sorted_for_the_search() {
        assert!(LIBRARY_NAMES.is_sorted());
        assert!(is_library_name("Vec_Append") && is_library_name("MapConst") && !is_library_name("Vector"));
    }
}
