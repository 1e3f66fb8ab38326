//! Specifications in the words of the source, and back.

use lariat_ir::{OpenEntry, OpenInfo};
use lariat_specs::SpecExpr;
use lariat_term::{TermId, TermPool, VarId};

use crate::FrontEnd;
use crate::boogie::source_terms as boogie;
use crate::c::source_terms as c;

/// Words for variables of a term that are not the program's own: placeholders of unknowns.
pub type Naming<'a> = dyn Fn(VarId) -> Option<SpecExpr> + 'a;

/// A formula that a text stands for.
#[derive(Clone, Debug)]
pub struct Resolved {
    pub term: TermId,
    pub sites: Vec<ResolvedSite>,
}

/// A variable of the formula that stands for a value of the environment.
#[derive(Clone, Copy, Debug)]
pub struct ResolvedSite {
    pub placeholder: VarId,
    /// Its position in [`OpenInfo::unknowns`].
    pub unknown: usize,
}

impl FrontEnd {
    /// A term over inputs of an entry and placeholders.
    pub fn describe(&self, pool: &TermPool, term: TermId, naming: &Naming<'_>) -> SpecExpr {
        let null = self.open.as_ref().and_then(|open| open.null);
        match &self.c {
            None => boogie::describe(pool, null, term, naming),
            Some(side) => c::describe(side, self.open.as_ref(), pool, term, naming),
        }
    }

    /// The formulas of a text: one for each combination of the calls that it may speak about.
    pub fn resolve(
        &self,
        pool: &mut TermPool,
        open: &OpenInfo,
        entry: &OpenEntry,
        expr: &SpecExpr,
    ) -> Result<Vec<Resolved>, String> {
        let places = self.c.as_ref().map(|side| c::CPlaces {
            side,
            open,
            entry: &self.program.procs[entry.proc],
        });
        let resolver = boogie::Resolver {
            places: places.as_ref().map(|places| places as &dyn boogie::Places),
            sources: &self.sources,
            program: &self.program,
            open,
            entry,
        };
        resolver.resolve(pool, expr)
    }
}
