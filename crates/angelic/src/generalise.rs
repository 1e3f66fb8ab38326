//! Many points of one map that must not be null: then all of them are assumed not to be.
//!
//! No quantifier reaches the solver. Once a map is generalised, what is inferred about a point of it, before or after, is an
//! instance of the general specification, and only that is listed.

use lariat_explain::Blocking;
use lariat_term::{Op, TermId, TermPool, VarId};
use rustc_hash::FxHashMap;

use crate::analysis::EntryTask;
use crate::specification::{SpecText, general_text};

/// Counts the points of each map.
pub struct Generaliser {
    /// 0: never.
    after: u32,
    points: FxHashMap<VarId, u32>,
    /// In the order in which they were found.
    pub generals: Vec<General>,
}

/// A specification about all points of a map. It is listed as long as one of its instances is assumed.
pub struct General {
    pub text: SpecText,
    pub map: VarId,
}

impl Generaliser {
    pub fn new(after: u32) -> Self {
        Generaliser {
            after,
            points: FxHashMap::default(),
            generals: Vec::new(),
        }
    }

    /// Notes a specification, and the general one if enough points of its map are known.
    pub fn note(&mut self, task: &EntryTask<'_>, pool: &TermPool, blocking: &Blocking) {
        let Some((map, read)) = point(task, pool, blocking).filter(|_| self.after > 0) else {
            return;
        };
        let points = self.points.entry(map).or_insert(0);
        *points += 1;
        if *points == self.after + 1 {
            let text = general_text(&task.wording, pool, blocking, read);
            self.generals.extend(text.map(|text| General { text, map }));
        }
    }
}

/// The map whose point a specification speaks of, and the point.
pub fn point(task: &EntryTask<'_>, pool: &TermPool, blocking: &Blocking) -> Option<(VarId, TermId)> {
    let read = read_of(pool, task.open.null?, blocking.term)?;
    Some((pool.as_var(*pool.args(read).first()?)?, read))
}

/// `m[i]` of a formula `m[i] != null`.
fn read_of(pool: &TermPool, null: TermId, term: TermId) -> Option<TermId> {
    if pool.op(term) != Op::Not {
        return None;
    }
    let equation = *pool.args(term).first()?;
    if pool.op(equation) != Op::Eq {
        return None;
    }
    let args = pool.args(equation);
    let read = args.iter().copied().find(|&arg| pool.op(arg) == Op::Select)?;
    args.contains(&null).then_some(read)
}
