//! Maps that assumes define: `havoc m; assume (forall x :: dst <= x && x < dst + len ==> m[x] == n[x + d]);`.
//!
//! A solver that instantiates quantifiers by their triggers gives `m` a value that is right at few points. Where nothing but
//! assumes has read the map since it got its value, the value is the machine's to choose, so it is made to fit: `m` gets what the
//! assume says at every point that can matter. Whether the assume holds then is decided as for any other.

use std::collections::BTreeSet;
use std::sync::Arc;

use lariat_ir::{Stmt, StmtKind};
use lariat_term::{MapValue, Op, QuantifierKind, Sort, TermId, Value, VarId};
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive};
use rustc_hash::FxHashMap;

use super::Machine;
use crate::environment::Overlay;
use crate::eval::{Evaluation, fits};

/// A range of more points is not filled.
const MAX_POINTS: u64 = 8_192;

/// `forall x :: others… || map[x] == value`.
struct Definition {
    map: VarId,
    bound: VarId,
    others: Vec<TermId>,
    value: TermId,
}

impl Machine<'_> {
    /// Gives a map that the condition defines a value for which it holds; whether it does then.
    pub(super) fn define_map(&mut self, condition: TermId) -> bool {
        let Some(definition) = self.definition(condition) else {
            return false;
        };
        let Some(earlier) = self.assumes_about(definition.map) else {
            return false;
        };
        let Some(Value::Map(old)) = self.value(definition.map).cloned() else {
            return false;
        };
        let Some(new) = self.filled(&definition, &earlier, &old) else {
            return false;
        };
        self.store(definition.map, Some(Value::Map(Arc::new(new))));
        let mut evaluation = Evaluation::default();
        let mut conditions = earlier.into_iter().chain([condition]);
        if conditions.all(|condition| self.holds(&mut evaluation, condition) == Ok(true)) {
            return true;
        }
        self.store(definition.map, Some(Value::Map(old)));
        false
    }

    fn definition(&self, condition: TermId) -> Option<Definition> {
        let pool = &self.program.pool;
        let Op::Quantifier(id) = pool.op(condition) else {
            return None;
        };
        let quantifier = pool.quantifier(id);
        let &[bound] = &quantifier.bound[..] else {
            return None;
        };
        if quantifier.kind != QuantifierKind::Forall {
            return None;
        }
        let body = quantifier.body;
        let parts = match pool.op(body) {
            Op::Or => pool.args(body).to_vec(),
            _ => vec![body],
        };
        let defined = |part: TermId| -> Option<(VarId, TermId)> {
            let (Op::Eq, &[left, right]) = (pool.op(part), pool.args(part)) else {
                return None;
            };
            [(left, right), (right, left)]
                .into_iter()
                .find_map(|(element, value)| {
                    let (Op::Select, &[map, index]) = (pool.op(element), pool.args(element)) else {
                        return None;
                    };
                    let map = pool.as_var(map)?;
                    let is_own =
                        pool.as_var(index) == Some(bound) && !pool.free_vars(&[value]).contains(&map);
                    is_own.then_some((map, value))
                })
        };
        parts.iter().enumerate().find_map(|(index, &part)| {
            let (map, value) = defined(part)?;
            let mut others = parts.clone();
            others.remove(index);
            (!pool.free_vars(&others).contains(&map)).then_some(Definition {
                map,
                bound,
                others,
                value,
            })
        })
    }

    /// The assumes about the map since it got its value, if nothing else has looked at it.
    fn assumes_about(&self, map: VarId) -> Option<Vec<TermId>> {
        let place = self.place();
        let proc = &self.program.procs[place.proc];
        let mut assumes = Vec::new();
        for Stmt { kind, .. } in proc.blocks[place.block].stmts[..place.index].iter().rev() {
            match kind {
                StmtKind::Enter(_) => {}
                StmtKind::Assume(condition) => {
                    if self.program.pool.free_vars(&[*condition]).contains(&map) {
                        assumes.push(*condition);
                    }
                }
                StmtKind::Havoc(vars) if vars.contains(&map) => return Some(assumes),
                StmtKind::Havoc(_) => {}
                StmtKind::Assign(_) | StmtKind::Assert { .. } | StmtKind::Call(_) => return None,
            }
        }
        let is_own = proc.outs.contains(&map) || proc.locals.contains(&map);
        (is_own && place.block == proc.entry).then_some(assumes)
    }

    /// The map with the values that the definition wants, at the points that it and the earlier ones speak of.
    fn filled(&mut self, definition: &Definition, earlier: &[TermId], old: &MapValue) -> Option<MapValue> {
        let mut ends = self.ends(definition)?;
        for &condition in earlier {
            if let Some(other) = self.definition(condition) {
                ends.extend(self.ends(&other)?);
            }
        }
        let source = self.copied_map(definition);
        let mut points: BTreeSet<Value> = BTreeSet::new();
        for map in [Some(old), source.as_deref()].into_iter().flatten() {
            points.extend(map.entries().filter_map(|(key, _)| match &key[..] {
                [index] => Some(index.clone()),
                _ => None,
            }));
        }
        let sort = self.program.pool.var_sort(definition.bound);
        let like = Value::any_of(&self.program.pool, sort)?;
        let (mut low, mut high) = (ends.first().cloned(), ends.last().cloned());
        if let (Some(low), Some(high)) = (&mut low, &mut high) {
            *low -= BigInt::one();
            *high += BigInt::one();
            let size = (&*high - &*low).to_u64().filter(|&size| size <= MAX_POINTS)?;
            let range = (0..=size).filter_map(|step| number(&like, &*low + step));
            points.extend(range.filter(|point| fits(&self.program.pool, point, sort)));
        }
        // Beyond the ends the definition speaks of everything or of nothing.
        let beyond = match (low, high) {
            (Some(low), Some(high)) => {
                let outside = [number(&like, low), number(&like, high)].into_iter().flatten();
                let outside: Vec<Value> = outside.collect();
                let mut speaks = false;
                for point in &outside {
                    speaks |= self.wanted(definition, point)?.is_some();
                }
                speaks
            }
            _ => true,
        };
        let mut new = old.clone();
        if beyond {
            let default = match &source {
                Some(source) => source.default.clone(),
                None if !self.mentions(definition.value, definition.bound) => {
                    self.at(definition, definition.value, &like)?
                }
                None => return None,
            };
            new = MapValue::constant(old.sort, default);
        }
        for point in points {
            let value = match self.wanted(definition, &point)? {
                Some(value) => value,
                None => old.get(std::slice::from_ref(&point)).clone(),
            };
            new.set(vec![point], value);
        }
        Some(new)
    }

    /// What the map must be at the point; `Some(None)` if the definition does not speak of it.
    fn wanted(&mut self, definition: &Definition, point: &Value) -> Option<Option<Value>> {
        for &other in &definition.others {
            if self.at(definition, other, point)? == Value::Bool(true) {
                return Some(None);
            }
        }
        self.at(definition, definition.value, point).map(Some)
    }

    /// The value of a part of the definition at a point.
    fn at(&mut self, definition: &Definition, term: TermId, point: &Value) -> Option<Value> {
        let bound = FxHashMap::from_iter([(definition.bound, point.clone())]);
        let outer = Overlay {
            inner: &self.stack.last()?.locals,
            outer: &self.globals,
        };
        let environment = Overlay {
            inner: &bound,
            outer: &outer,
        };
        let evaluated =
            self.evaluator
                .eval_in(&mut Evaluation::default(), term, &environment, &mut self.oracle);
        evaluated.ok()
    }

    /// The map that the definition copies at the same index.
    fn copied_map(&self, definition: &Definition) -> Option<Arc<MapValue>> {
        let pool = &self.program.pool;
        let (Op::Select, &[map, index]) = (pool.op(definition.value), pool.args(definition.value)) else {
            return None;
        };
        if pool.as_var(index) != Some(definition.bound) {
            return None;
        }
        match self.value(pool.as_var(map)?)? {
            Value::Map(map) => Some(map.clone()),
            _ => None,
        }
    }

    fn mentions(&self, term: TermId, var: VarId) -> bool {
        self.program.pool.free_vars(&[term]).contains(&var)
    }

    /// What the bound variable is compared with.
    fn ends(&mut self, definition: &Definition) -> Option<BTreeSet<BigInt>> {
        let pool = &self.program.pool;
        let sort = pool.var_sort(definition.bound);
        let mut compared = Vec::new();
        pool.visit_subterms(&definition.others, |term| {
            let args = pool.args(term);
            let is_comparison = matches!(pool.sort(pool.sort_of(term)), Sort::Bool)
                && args.len() == 2
                && args.iter().any(|&arg| pool.as_var(arg) == Some(definition.bound));
            if is_comparison {
                compared.extend(args.iter().copied().filter(|&arg| pool.sort_of(arg) == sort));
            }
        });
        compared.retain(|&term| !self.mentions(term, definition.bound));
        let like = Value::any_of(&self.program.pool, sort)?;
        let mut ends = BTreeSet::new();
        for term in compared {
            match self.at(definition, term, &like)? {
                Value::Int(end) | Value::Bv { value: end, .. } => ends.insert(end),
                _ => return None,
            };
        }
        Some(ends)
    }
}

/// The number as a value of the sort that the other value has; `None` if it has no numbers.
fn number(like: &Value, number: BigInt) -> Option<Value> {
    match like {
        Value::Int(_) => Some(Value::Int(number)),
        Value::Bv { width, .. } => {
            let ones = (BigInt::one() << *width) - 1;
            Some(Value::Bv {
                value: number & ones,
                width: *width,
            })
        }
        _ => None,
    }
}
