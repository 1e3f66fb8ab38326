//! Assumptions that say what a map is for a range of its indices: `forall x :: lo <= x && x < hi ==> m[x] == e`, as
//! memory copies and unchanged parts of memory are described.

use lariat_term::{Op, QuantifierKind, Sort, TermId, TermPool, VarId};

/// What an assumption says of a map.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    /// The index.
    pub index: VarId,
    /// The index is not below these; `true`: it is above.
    pub lower: Vec<(TermId, bool)>,
    /// The index is not above these; `true`: it is below.
    pub upper: Vec<(TermId, bool)>,
    /// The index is none of these.
    pub excluded: Vec<TermId>,
    /// The element.
    pub value: TermId,
}

impl Frame {
    /// What a condition says of a map, if it has this form.
    pub fn of(pool: &TermPool, condition: TermId, map: VarId) -> Option<Frame> {
        let Op::Quantifier(id) = pool.op(condition) else {
            return None;
        };
        let quantifier = pool.quantifier(id);
        let (QuantifierKind::Forall, &[index]) = (quantifier.kind, &*quantifier.bound) else {
            return None;
        };
        if *pool.sort(pool.var_sort(index)) != Sort::Int {
            return None;
        }
        let body = quantifier.body;
        let cases = match pool.op(body) {
            Op::Or => pool.args(body),
            _ => &[body],
        };
        let mut frame = Frame {
            index,
            lower: Vec::new(),
            upper: Vec::new(),
            excluded: Vec::new(),
            value: body,
        };
        let mut has_value = false;
        for &case in cases {
            if let Some(value) = frame.element(pool, case, map) {
                if has_value {
                    return None;
                }
                frame.value = value;
                has_value = true;
            } else {
                frame.note_unless(pool, case)?;
            }
        }
        has_value.then_some(frame)
    }

    /// The map that the frame takes its elements from, at the same index.
    pub fn copied_from(&self, pool: &TermPool) -> Option<VarId> {
        let (Op::Select, &[map, index]) = (pool.op(self.value), pool.args(self.value)) else {
            return None;
        };
        (pool.as_var(index) == Some(self.index))
            .then(|| pool.as_var(map))
            .flatten()
    }

    /// `e` of `m[x] == e`.
    fn element(&self, pool: &TermPool, case: TermId, map: VarId) -> Option<TermId> {
        let (Op::Eq, &[a, b]) = (pool.op(case), pool.args(case)) else {
            return None;
        };
        let is_element = |term: TermId| match (pool.op(term), pool.args(term)) {
            (Op::Select, &[of, at]) => pool.as_var(of) == Some(map) && pool.as_var(at) == Some(self.index),
            _ => false,
        };
        let value = match (is_element(a), is_element(b)) {
            (true, false) => b,
            (false, true) => a,
            _ => return None,
        };
        (!pool.free_vars(&[value]).contains(&map)).then_some(value)
    }

    /// The frame says something only if this condition is false.
    fn note_unless(&mut self, pool: &TermPool, case: TermId) -> Option<()> {
        match (pool.op(case), pool.args(case)) {
            (Op::Not, &[guard]) => match pool.op(guard) {
                Op::And => {
                    let mut guards = pool.args(guard).iter();
                    guards.try_for_each(|&guard| self.note(pool, guard))
                }
                _ => self.note(pool, guard),
            },
            (Op::Le, &[a, b]) => self.note_order(pool, b, a, true),
            (Op::Lt, &[a, b]) => self.note_order(pool, b, a, false),
            (Op::Eq, &[a, b]) => self.note_excluded(pool, a, b),
            _ => None,
        }
    }

    /// The frame says something only if this condition is true.
    fn note(&mut self, pool: &TermPool, guard: TermId) -> Option<()> {
        match (pool.op(guard), pool.args(guard)) {
            (Op::Le, &[a, b]) => self.note_order(pool, a, b, false),
            (Op::Lt, &[a, b]) => self.note_order(pool, a, b, true),
            (Op::Not, &[inner]) => match (pool.op(inner), pool.args(inner)) {
                (Op::Le | Op::Lt | Op::Eq, _) => self.note_unless(pool, inner),
                _ => None,
            },
            _ => None,
        }
    }

    /// `a <= b`, or `a < b`.
    fn note_order(&mut self, pool: &TermPool, a: TermId, b: TermId, strict: bool) -> Option<()> {
        let (is_a, is_b) = (
            pool.as_var(a) == Some(self.index),
            pool.as_var(b) == Some(self.index),
        );
        let (limits, limit) = match (is_a, is_b) {
            (true, false) => (&mut self.upper, b),
            (false, true) => (&mut self.lower, a),
            _ => return None,
        };
        if pool.free_vars(&[limit]).contains(&self.index) {
            return None;
        }
        limits.push((limit, strict));
        Some(())
    }

    fn note_excluded(&mut self, pool: &TermPool, a: TermId, b: TermId) -> Option<()> {
        let other = match (
            pool.as_var(a) == Some(self.index),
            pool.as_var(b) == Some(self.index),
        ) {
            (true, false) => b,
            (false, true) => a,
            _ => return None,
        };
        if pool.free_vars(&[other]).contains(&self.index) {
            return None;
        }
        self.excluded.push(other);
        Some(())
    }
}
