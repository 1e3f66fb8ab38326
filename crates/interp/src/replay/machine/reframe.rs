//! Maps that the trace gives, corrected where assumptions say what they are.
//!
//! A solver that instantiates quantifiers by patterns gives a map the right elements where they are read, and any elsewhere. Until
//! something other than an assume has read it, the map is any that the assumptions allow, so the elements that they
//! determine are put in. Elements that nobody has asked for have the map's default, which is any value as well: where an assumption
//! about all elements excludes it, another one is tried.

use std::sync::Arc;

use lariat_ir::StmtKind;
use lariat_term::{MapValue, Op, Sort, TermId, Value, VarId};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use super::Machine;
use crate::environment::Overlay;
use crate::eval::Evaluation;
use crate::replay::frame::Frame;
use crate::replay::pending::candidates;

/// How many elements may be put in.
const MOST_ELEMENTS: u32 = 100_000;

/// A frame whose limits are known.
struct Range {
    frame: Frame,
    first: Option<BigInt>,
    /// The index after the last one.
    end: Option<BigInt>,
    excluded: Vec<BigInt>,
}

impl Range {
    fn covers(&self, index: &BigInt) -> bool {
        self.first.as_ref().is_none_or(|first| first <= index)
            && self.end.as_ref().is_none_or(|end| index < end)
            && !self.excluded.contains(index)
    }
}

impl Machine<'_> {
    /// Corrects a map that the trace has given such that this and all earlier assumes hold.
    pub(super) fn reframe(&mut self, condition: TermId, vars: &[VarId]) -> bool {
        for map in self.pending.given_among(vars) {
            let Some(Value::Map(before)) = self.value(map).cloned() else {
                continue;
            };
            if Frame::of(&self.program.pool, condition, map).is_none() {
                continue;
            }
            let Some(ranges) = self.ranges(condition, map) else {
                continue;
            };
            for base in self.bases(&ranges, &before) {
                let Some(corrected) = self.corrected(&ranges, &before, base) else {
                    continue;
                };
                if self.holds_with(map, corrected, condition, vars) {
                    return true;
                }
            }
            self.put_open(map, Some(Value::Map(before)));
        }
        false
    }

    /// Gives a map that the trace has given other elements where the trace lists none, such that this and all earlier assumes hold.
    pub(super) fn refill(&mut self, condition: TermId, vars: &[VarId]) -> bool {
        if !matches!(self.program.pool.op(condition), Op::Quantifier(_)) {
            return false;
        }
        for map in self.pending.given_among(vars) {
            let Some(Value::Map(before)) = self.value(map).cloned() else {
                continue;
            };
            let pool = &self.program.pool;
            let &Sort::Array { element, .. } = pool.sort(before.sort) else {
                continue;
            };
            for default in candidates(pool, condition, element, |_| None) {
                let mut filled = MapValue::constant(before.sort, default);
                for (indices, value) in before.entries() {
                    filled.set(indices.clone(), value.clone());
                }
                if self.holds_with(map, filled, condition, vars) {
                    return true;
                }
            }
            self.put_open(map, Some(Value::Map(before)));
        }
        false
    }

    /// Whether this and all earlier assumes hold with another value of a map; then it stays.
    fn holds_with(&mut self, map: VarId, value: MapValue, condition: TermId, vars: &[VarId]) -> bool {
        let value = Value::Map(Arc::new(value));
        self.put_open(map, Some(value.clone()));
        let mut conditions = self.pending.conditions().to_vec();
        conditions.push(condition);
        let mut evaluation = Evaluation::default();
        let all_hold = conditions
            .into_iter()
            .all(|condition| self.holds(&mut evaluation, condition) == Ok(true));
        if all_hold {
            self.pending.assumed(condition, vars);
            self.show_choice(map, value);
        }
        all_hold
    }

    /// What is said of the map here: by this condition, those before it, and the assumes that follow it.
    fn ranges(&mut self, condition: TermId, map: VarId) -> Option<Vec<Range>> {
        let place = self.place();
        let stmts = &self.program.procs[place.proc].blocks[place.block].stmts;
        let following = stmts[place.index.min(stmts.len())..]
            .iter()
            .map_while(|stmt| match &stmt.kind {
                StmtKind::Assume(condition) => Some(*condition),
                _ => None,
            });
        let mut conditions: Vec<TermId> = self.pending.conditions().to_vec();
        conditions.push(condition);
        conditions.extend(following);
        conditions.sort_unstable();
        conditions.dedup();
        let mut ranges = Vec::new();
        for condition in conditions {
            if let Some(frame) = Frame::of(&self.program.pool, condition, map) {
                ranges.push(self.range(frame)?);
            }
        }
        Some(ranges)
    }

    fn range(&mut self, frame: Frame) -> Option<Range> {
        let (mut first, mut end): (Option<BigInt>, Option<BigInt>) = (None, None);
        for &(limit, strict) in &frame.lower {
            let limit = self.number(limit)? + i32::from(strict);
            first = Some(first.map_or(limit.clone(), |first| first.max(limit)));
        }
        for &(limit, strict) in &frame.upper {
            let limit = self.number(limit)? + i32::from(!strict);
            end = Some(end.map_or(limit.clone(), |end| end.min(limit)));
        }
        let mut excluded = Vec::new();
        for &index in &frame.excluded {
            excluded.push(self.number(index)?);
        }
        Some(Range {
            frame,
            first,
            end,
            excluded,
        })
    }

    fn number(&mut self, term: TermId) -> Option<BigInt> {
        match self.eval(&mut Evaluation::default(), term).ok()? {
            Value::Int(number) => Some(number),
            _ => None,
        }
    }

    /// The maps that it may mostly be: those that infinitely many of its elements are copied from, else what it was.
    fn bases(&self, ranges: &[Range], before: &Arc<MapValue>) -> Vec<Arc<MapValue>> {
        let pool = &self.program.pool;
        let mut bases: Vec<Arc<MapValue>> = Vec::new();
        for range in ranges
            .iter()
            .filter(|range| range.first.is_none() || range.end.is_none())
        {
            let source = range.frame.copied_from(pool);
            if let Some(Value::Map(map)) = source.and_then(|source| self.value(source)) {
                bases.push(map.clone());
            }
        }
        bases.push(before.clone());
        bases
    }

    /// The base with the elements that finite ranges determine, and those that no range speaks of as they were.
    fn corrected(
        &mut self,
        ranges: &[Range],
        before: &Arc<MapValue>,
        base: Arc<MapValue>,
    ) -> Option<MapValue> {
        let mut result = MapValue::clone(&base);
        let is_free = |index: &BigInt| !ranges.iter().any(|range| range.covers(index));
        for (indices, value) in before.entries() {
            if let [Value::Int(index)] = indices.as_slice()
                && is_free(index)
            {
                result.set(indices.clone(), value.clone());
            }
        }
        for index in ranges.iter().flat_map(|range| &range.excluded) {
            if is_free(index) {
                let indices = vec![Value::Int(index.clone())];
                let value = before.get(&indices).clone();
                result.set(indices, value);
            }
        }
        let mut left = MOST_ELEMENTS;
        for range in ranges {
            let (Some(first), Some(end)) = (&range.first, &range.end) else {
                continue;
            };
            let mut index = first.clone();
            while index < *end {
                left = left.checked_sub(1)?;
                if !range.excluded.contains(&index) {
                    let value = self.element(&range.frame, &index)?;
                    result.set(vec![Value::Int(index.clone())], value);
                }
                index += 1;
            }
        }
        Some(result)
    }

    /// What a frame says of one element.
    fn element(&mut self, frame: &Frame, index: &BigInt) -> Option<Value> {
        let at: FxHashMap<VarId, Value> = [(frame.index, Value::Int(index.clone()))].into_iter().collect();
        let state = Overlay {
            inner: &self.stack.last()?.locals,
            outer: &self.globals,
        };
        let environment = Overlay {
            inner: &at,
            outer: &state,
        };
        self.evaluator
            .eval(frame.value, &environment, &mut self.oracle)
            .ok()
    }
}
