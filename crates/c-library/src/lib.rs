//! c-models, c-regions, c-lower ─> **c-library**
//!
//! The one table of functions that have a meaning without a body in the program: the C library, the compiler's builtins,
//! the functions of SV-COMP and the intrinsics that our models are written in. A row says how calls are executed, what a
//! call does to memory and pointers, and whether it allocates.
//!
//! Architecture invariants:
//! - this is the only place that lists names of library functions with their properties; `c-models` (binding),
//!   `c-regions` (points-to) and `c-lower` (execution) all ask [`find`];
//! - **a function that is not in the table is unknown**, whatever its prefix: it gets the contract of unknown functions;
//! - every [`Meaning::Model`] row has a model in `c-models/models`, and every model has a row (tested there);
//! - a function that the user defines is never looked up.

mod names;
mod table;

use std::collections::HashMap;
use std::sync::LazyLock;

/// A row of the table: functions that do the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// Put before every name.
    prefix: &'static str,
    /// Words. A name that ends with `*` stands for all that begin so.
    names: &'static str,
    /// Each name also exists with these endings.
    variants: &'static str,
    pub meaning: Meaning,
    pub effect: Effect,
    pub allocator: Option<Allocator>,
    /// Models that calls are also bound to, besides the model of the function's own name.
    needs: &'static str,
    /// The call never returns, even if its declaration does not say so.
    pub never_returns: bool,
}

/// How a call is executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// `c-lower` executes it.
    Intrinsic,
    /// `c-models` binds it to a model in C, or rewrites the call.
    Model,
    /// Only its effect is known: it returns any value.
    Contract,
    /// It is not modelled, for this reason: reaching the call makes the verdict `unknown`.
    Refused(&'static str),
}

/// What a call without a body does to memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effect {
    pub pointers: Pointers,
    /// It may change what its pointer arguments reach.
    pub writes: bool,
}

/// What a call without a body does to addresses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pointers {
    /// Stores no address of the program; the result is not an address of the program.
    Plain,
    /// Returns a fresh object.
    Allocate,
    /// Returns an object with the content of the first argument's.
    Reallocate,
    /// Returns its first argument.
    ReturnsFirst,
    /// Returns an address inside the first argument's object.
    ReturnsInsideFirst,
    /// Copies bytes from the second argument's object to the first's and returns the first.
    Copy,
    /// Copies bytes from the first argument's object to the second's.
    CopyBack,
    /// Sets bytes of the first argument's object to a number and returns it.
    SetBytes,
    /// Sets bytes of the first argument's object to anything.
    FillBytes,
    /// Reads bytes of the first two arguments' objects.
    CompareBytes,
    /// Makes the address in the first argument known to the environment.
    ExposesFirst,
    /// Returns an address that the environment knows.
    Forges,
    /// Stores an address inside the first argument's object where the second argument points to.
    StoresFirstInSecond,
    /// Stores a number made of the first two arguments where the third points to.
    ComputesIntoThird,
    VaStart,
    VaCopy,
    /// Whatever the contract of unknown functions allows.
    Unknown,
}

/// The size and content of what an allocator returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Allocator {
    /// The arguments whose product is the size.
    pub size: &'static [usize],
    /// The memory is zero.
    pub cleared: bool,
    /// The argument that is enlarged if it is not null.
    pub old: Option<usize>,
}

/// A function that the table knows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Known {
    pub row: &'static Row,
    /// The name in the table: `memcpy` for `__builtin___memcpy_chk`.
    pub name: String,
    /// Arguments that the function of that name does not have, from the first on.
    pub dropped: &'static [usize],
}

impl Row {
    fn all_names(&self) -> impl Iterator<Item = String> + '_ {
        let variants = [""].into_iter().chain(self.variants.split_whitespace());
        variants.flat_map(move |variant| {
            let full = move |name| format!("{}{name}{variant}", self.prefix);
            self.names.split_whitespace().map(full)
        })
    }

    /// Models that calls are also bound to, besides the model of the function's own name.
    pub fn needs(&self) -> impl Iterator<Item = &'static str> {
        self.needs.split_whitespace()
    }
}

static ROWS: LazyLock<HashMap<String, &'static Row>> = LazyLock::new(|| {
    let rows = table::ROWS.iter().flat_map(|part| part.iter());
    rows.flat_map(|row| row.all_names().map(move |name| (name, row)))
        .collect()
});

/// The row of exactly this name.
fn row_of(name: &str) -> Option<&'static Row> {
    ROWS.get(name).copied().or_else(|| {
        let family = table::FAMILIES.iter();
        let mut found = family.filter(|row| {
            let mut prefixes = row
                .names
                .split_whitespace()
                .filter_map(|family| family.strip_suffix('*'));
            prefixes.any(|prefix| name.starts_with(prefix))
        });
        found.next()
    })
}

/// What is known of a function without a body; `None` for unknown functions.
pub fn find(name: &str) -> Option<Known> {
    if let Some(row) = row_of(name) {
        return Some(Known {
            row,
            name: name.to_owned(),
            dropped: &[],
        });
    }
    names::aliases(name).into_iter().find_map(|alias| {
        Some(Known {
            row: row_of(&alias.name)?,
            name: alias.name,
            dropped: alias.dropped,
        })
    })
}

/// The effect of a function without a body; that of unknown functions if it is not in the table.
pub fn effect(name: &str) -> Effect {
    find(name).map_or(table::UNKNOWN, |known| known.row.effect)
}

/// Whether `c-lower` executes calls of this function itself, or refuses them.
pub fn is_intrinsic(name: &str) -> bool {
    find(name).is_some_and(|known| matches!(known.row.meaning, Meaning::Intrinsic | Meaning::Refused(_)))
}

/// The names of all functions that have a model.
pub fn modelled() -> Vec<String> {
    let rows = table::ROWS.iter().flat_map(|part| part.iter());
    rows.filter(|row| row.meaning == Meaning::Model)
        .flat_map(Row::all_names)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_one_row() {
        let mut seen = std::collections::HashSet::new();
        for name in table::ROWS
            .iter()
            .flat_map(|part| part.iter())
            .flat_map(Row::all_names)
        {
            assert!(seen.insert(name.clone()), "{name} has two rows");
        }
    }

    #[test]
    fn other_names_are_resolved() {
        let plain = |name: &str| find(name).map(|known| (known.name, known.dropped));
        assert_eq!(plain("memcpy"), Some(("memcpy".to_owned(), &[][..])));
        assert_eq!(
            plain("__builtin___memcpy_chk"),
            Some(("memcpy".to_owned(), &[3][..]))
        );
        assert_eq!(plain("__isoc99_sscanf"), Some(("sscanf".to_owned(), &[][..])));
        assert_eq!(plain("lseek64"), Some(("lseek".to_owned(), &[][..])));
        assert_eq!(plain("rand64"), None);
    }

    #[test]
    fn what_is_not_listed_is_unknown() {
        for name in [
            "__builtin_no_such_thing",
            "__VERIFIER_no_such_thing",
            "frobnicate",
        ] {
            assert_eq!(effect(name), table::UNKNOWN, "{name}");
            assert!(!is_intrinsic(name), "{name}");
        }
    }

    #[test]
    fn a_builtin_may_differ_from_the_function() {
        assert!(is_intrinsic("__builtin_fabsf"));
        assert!(!is_intrinsic("fabsf"));
        assert!(is_intrinsic("__builtin_popcountll"));
    }
}
