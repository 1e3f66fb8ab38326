//! Operands whose order matters.
//!
//! C leaves open which operand of an operator, which argument of a call and which initialiser comes first. Where they
//! interfere, every order is searched; where there would be too many, or a scalar is changed and used without a sequence
//! point, the execution ends as unsupported.

use lariat_base::Span;
use lariat_c_arith::{Range, Value};
use lariat_c_program::{Expr, Place};
use lariat_ir::Terminator;

use crate::effects::{Conflict, Effects};
use crate::function::FunctionLowering;
use crate::place::{Located, Where};
use crate::spots::{Scene, spots};

/// So many operands may interfere: all their orders are searched.
const MOST_OPERANDS: usize = 3;
/// And so deep may such expressions be nested.
const MOST_NESTED: u32 = 3;

const TOO_MANY: &str = "too many operands whose order matters";
const UNSEQUENCED: &str = "a variable that is changed and used without a sequence point";

impl<'a> FunctionLowering<'_, 'a> {
    fn scene(&self) -> Scene<'a> {
        Scene {
            c: self.cx.c,
            regions: self.cx.regions,
            function: self.function,
        }
    }

    /// The leaves of each operand, evaluated in every order that can make a difference.
    pub fn operand_list(&mut self, exprs: &[&Expr]) -> Vec<Vec<Value>> {
        let conflicting = self.conflicting(exprs);
        if conflicting.is_empty() {
            return self.left_to_right(exprs);
        }
        let span = exprs[conflicting[0]].span;
        let orders = permutations(&conflicting);
        let mut counts = Vec::new();
        let values = self.any_order(span, orders.len(), &mut |this, choice| {
            let mut all: Vec<Vec<Value>> = vec![Vec::new(); exprs.len()];
            let quiet = (0..exprs.len()).filter(|index| !conflicting.contains(index));
            for index in quiet.chain(orders[choice].iter().copied()) {
                let values = this.record(exprs[index]);
                all[index] = this.pin_all(values, exprs[index].span);
            }
            counts = all.iter().map(Vec::len).collect();
            all.into_iter().flatten().collect()
        });
        let mut values = values.into_iter();
        counts
            .into_iter()
            .map(|count| values.by_ref().take(count).collect())
            .collect()
    }

    fn left_to_right(&mut self, exprs: &[&Expr]) -> Vec<Vec<Value>> {
        let mut evaluated = Vec::new();
        for (index, expr) in exprs.iter().enumerate() {
            let mut values = self.record(expr);
            let changes_later = exprs[index + 1..]
                .iter()
                .any(|later| self.cx.purity.has_effect(later));
            if changes_later {
                values = self.pin_all(values, expr.span);
            }
            evaluated.push(values);
        }
        evaluated
    }

    /// Whether the order of these matters.
    pub fn interfere(&mut self, exprs: &[&Expr]) -> bool {
        if exprs.len() < 2 || !exprs.iter().any(|expr| self.cx.purity.has_effect(expr)) {
            return false;
        }
        let scene = self.scene();
        let effects: Vec<_> = exprs.iter().map(|expr| self.effects_of(expr)).collect();
        let table = &mut self.cx.effects;
        effects.iter().enumerate().any(|(index, left)| {
            let mut later = effects[index + 1..].iter();
            later.any(|right| table.conflict(scene, left, right) != Conflict::None)
        })
    }

    /// The operands that interfere with another one. Ends the path where no order can be searched.
    fn conflicting(&mut self, exprs: &[&Expr]) -> Vec<usize> {
        if exprs.len() < 2 || !exprs.iter().any(|expr| self.cx.purity.has_effect(expr)) {
            return Vec::new();
        }
        let scene = self.scene();
        let effects: Vec<_> = exprs.iter().map(|expr| self.effects_of(expr)).collect();
        let mut found = Vec::new();
        let mut worst = Conflict::None;
        for (left, left_effects) in effects.iter().enumerate() {
            for (right, right_effects) in effects.iter().enumerate().skip(left + 1) {
                match self.cx.effects.conflict(scene, left_effects, right_effects) {
                    Conflict::None => continue,
                    Conflict::Order if worst == Conflict::None => worst = Conflict::Order,
                    Conflict::Order => {}
                    Conflict::Unsequenced => worst = Conflict::Unsequenced,
                }
                found.extend([left, right]);
            }
        }
        found.sort_unstable();
        found.dedup();
        if found.is_empty() {
            return found;
        }
        let has_labels = effects.iter().any(|effects| effects.has_labels);
        let span = exprs[found[0]].span;
        match worst {
            Conflict::Unsequenced => self.unsupported(UNSEQUENCED, span),
            _ if has_labels || found.len() > MOST_OPERANDS || self.orders >= MOST_NESTED => {
                self.unsupported(TOO_MANY, span);
            }
            _ => return found,
        }
        Vec::new()
    }

    fn effects_of(&mut self, expr: &Expr) -> std::rc::Rc<Effects> {
        let scene = self.scene();
        self.cx.effects.of_expr(scene, expr)
    }

    /// A place and the value for it; `reads` says whether the place is read as well.
    pub fn place_and_value(
        &mut self,
        place: &Place,
        value: &Expr,
        reads: bool,
        span: Span,
    ) -> (Located, Option<Value>, Vec<Value>) {
        let scene = self.scene();
        let mut is_open = false;
        if self.cx.purity.has_effect(value) || self.place_has_effect(place) {
            let of_place = match reads {
                true => self.cx.effects.of_read(scene, place),
                false => self.cx.effects.of_place(scene, place),
            };
            let of_value = self.cx.effects.of_expr(scene, value);
            let targets: Vec<_> = spots(scene, place).into_iter().collect();
            let conflict = self.cx.effects.conflict(scene, &of_place, &of_value);
            if conflict == Conflict::Unsequenced || of_value.is_pending(&targets) {
                self.unsupported(UNSEQUENCED, span);
            } else if conflict == Conflict::Order {
                let has_labels = of_place.has_labels || of_value.has_labels;
                is_open = !has_labels && self.orders < MOST_NESTED;
                if !is_open {
                    self.unsupported(TOO_MANY, span);
                }
            }
        }
        if !is_open {
            let mut located = self.place(place);
            if self.cx.purity.has_effect(value) {
                located = self.pin_place(located, span);
            }
            let values = self.copy_record(value);
            let old = reads.then(|| self.read_place(place, &located, span));
            return (located, old, values);
        }
        let mut found: Option<Located> = None;
        let results = self.any_order(span, 2, &mut |this, choice| {
            let mut values = Vec::new();
            if choice == 1 {
                values = this.record(value);
                values = this.pin_all(values, span);
            }
            let located = this.place(place);
            let located = this.pin_place(located, span);
            let mut results = Vec::new();
            if let Where::Memory { address, .. } = &located.at {
                results.push(address.clone());
                results.extend(located.base.map(|term| Value { term, range: None }));
            }
            if reads {
                let old = this.read_place(place, &located, span);
                results.push(this.pin(old, span));
            }
            if choice == 0 {
                values = this.record(value);
            }
            results.extend(values);
            found.get_or_insert(located);
            results
        });
        let mut results = results.into_iter();
        let mut located = found.unwrap_or_else(|| self.place(place));
        if let Where::Memory { address, .. } = &mut located.at {
            if let Some(joined) = results.next() {
                *address = joined;
            }
            if located.base.is_some() {
                located.base = results.next().map(|base| base.term);
            }
        }
        let old = if reads { results.next() } else { None };
        (located, old, results.collect())
    }

    pub fn place_has_effect(&mut self, place: &Place) -> bool {
        use lariat_c_program::PlaceKind;
        match &place.kind {
            PlaceKind::Local(_) | PlaceKind::Global(_) => false,
            PlaceKind::Deref(pointer) | PlaceKind::Temporary(pointer) => self.cx.purity.has_effect(pointer),
            PlaceKind::Member { base, .. } => self.place_has_effect(base),
            PlaceKind::Index { base, index } => {
                self.cx.purity.has_effect(index) || self.place_has_effect(base)
            }
            PlaceKind::CompoundLiteral { .. } => true,
        }
    }

    /// Evaluates the same in each of so many ways, one of which an execution takes.
    fn any_order(
        &mut self,
        span: Span,
        ways: usize,
        evaluate: &mut dyn FnMut(&mut Self, usize) -> Vec<Value>,
    ) -> Vec<Value> {
        self.orders += 1;
        let starts: Vec<_> = (0..ways).map(|_| self.new_block()).collect();
        let after = self.new_block();
        self.terminate(Terminator::Goto(starts.iter().copied().collect()), Some(span));
        let mut joined: Vec<(lariat_term::VarId, Option<Range>)> = Vec::new();
        for (way, start) in starts.into_iter().enumerate() {
            self.at(start);
            let values = evaluate(self, way);
            for (index, value) in values.into_iter().enumerate() {
                if index == joined.len() {
                    let sort = self.cx.ir.pool.sort_of(value.term);
                    joined.push((self.temporary(sort), value.range.clone()));
                }
                let (var, range) = &mut joined[index];
                *range = match (range.take(), value.range) {
                    (Some(a), Some(b)) => Some(Range {
                        lo: a.lo.min(b.lo),
                        hi: a.hi.max(b.hi),
                    }),
                    _ => None,
                };
                let var = *var;
                self.set_silently(var, value.term, span);
            }
            self.jump(after);
        }
        self.at(after);
        self.orders -= 1;
        joined
            .into_iter()
            .map(|(var, range)| Value {
                term: self.cx.ir.pool.var(var),
                range,
            })
            .collect()
    }
}

/// All orders of a few things.
fn permutations(things: &[usize]) -> Vec<Vec<usize>> {
    if things.len() < 2 {
        return vec![things.to_vec()];
    }
    let mut all = Vec::new();
    for (at, &first) in things.iter().enumerate() {
        let mut rest = things.to_vec();
        rest.remove(at);
        for mut order in permutations(&rest) {
            order.insert(0, first);
            all.push(order);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_orders_start_with_the_one_from_left_to_right() {
        let orders = permutations(&[0, 2, 3]);
        assert_eq!(orders.len(), 6);
        assert_eq!(orders[0], [0, 2, 3]);
        assert!(orders.contains(&vec![3, 2, 0]));
    }
}
