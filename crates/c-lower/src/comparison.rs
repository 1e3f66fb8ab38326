//! Comparisons of pointers, as far as C and the compiler leave their results open.
//!
//! Lariat gives every object addresses of its own, one after the other, and never uses one twice. Where a result depends on
//! that, it is any truth value, and a failure that depends on it is not confirmed:
//! - where objects are tracked, the order of different objects; whether a pointer to an object that has ended is one to
//!   another object; whether the end of an object is where another one starts;
//! - whether string literals with the same characters, or one that is the end of another, are one object.

use lariat_base::Span;
use lariat_c_arith::Value;
use lariat_c_program::{CompareOp, Expr, GlobalId, InitValue, Scalar};
use lariat_c_regions::{Cell, Variable};
use lariat_ir::{Origin, StmtKind};
use lariat_term::TermId;
use num_bigint::BigInt;
use smallvec::smallvec;

use crate::checks::FIRST_PAGE;
use crate::function::FunctionLowering;
use crate::names::ADDRESSES;
use crate::storage::{ENDED, FREED, SLOT_BITS};

impl FunctionLowering<'_, '_> {
    /// The result of a comparison of scalars.
    pub fn compare(&mut self, op: CompareOp, left: &Expr, right: &Expr, span: Span) -> TermId {
        let scalar = self.scalar(left.ty);
        let (first, second) = self.operands(left, right);
        let pool = &mut self.cx.ir.pool;
        let known = self.cx.arith.compare(pool, op, scalar, &first, &second);
        let is_known = scalar != Scalar::Pointer || self.is_near_null(&first) || self.is_near_null(&second);
        if is_known || self.is_model() || self.is_open() {
            return known;
        }
        let cells = [left, right].map(|side| self.cx.regions.target(side.id));
        let mut doubts = self.doubts_of_strings(cells, [&first, &second]);
        if self.cx.options.tracks_objects() && !self.is_one_object(op, cells) {
            doubts.push(self.doubt_of_objects(op, [&first, &second]));
        }
        let doubt = self.cx.ir.pool.or(&doubts);
        if self.cx.ir.pool.as_bool(doubt) == Some(false) {
            return known;
        }
        self.known_unless(doubt, known, ADDRESSES, span)
    }

    /// The known result, or any where there is doubt, for this reason.
    pub fn known_unless(&mut self, doubt: TermId, known: TermId, reason: &str, span: Span) -> TermId {
        let bool = self.cx.ir.pool.bool_sort();
        let result = self.temporary(bool);
        self.set_silently(result, known, span);
        let [open, after] = [self.new_block(), self.new_block()];
        self.guard_silently(doubt, open, after, span);
        self.at(open);
        let stmt = self.push(StmtKind::Havoc(smallvec![result]), span, Origin::Internal);
        self.cx.names.imprecise.insert(stmt, reason.into());
        self.jump(after);
        self.at(after);
        self.cx.ir.pool.var(result)
    }

    /// A literal: null, or no address at all.
    fn is_near_null(&self, value: &Value) -> bool {
        let limit = BigInt::from(FIRST_PAGE);
        let range = value.range.as_ref();
        range.is_some_and(|range| range.lo == range.hi && range.hi < limit)
    }

    /// Whether both pointers are into the same variable for certain. Of an automatic one there may be several, one after the
    /// other.
    fn is_one_object(&self, op: CompareOp, cells: [Cell; 2]) -> bool {
        let [first, second] = cells.map(|cell| self.cx.regions.only_variable(cell));
        match (first, second) {
            (Some(first), Some(second)) if first == second => {
                matches!(first, Variable::Global(_)) || !matches!(op, CompareOp::Eq | CompareOp::Ne)
            }
            _ => false,
        }
    }

    /// The pointers are to different objects, of which C does not say how they lie.
    fn doubt_of_objects(&mut self, op: CompareOp, values: [&Value; 2]) -> TermId {
        let slots = values.map(|value| self.slot_of(value));
        let pool = &mut self.cx.ir.pool;
        let zero = pool.int(0);
        let same = pool.eq(slots[0], slots[1]);
        let differ = pool.not(same);
        let are_addresses = slots.map(|slot| {
            let is_null = pool.eq(slot, zero);
            pool.not(is_null)
        });
        let [first_there, second_there] = are_addresses;
        let both = pool.and(&[differ, first_there, second_there]);
        if !matches!(op, CompareOp::Eq | CompareOp::Ne) {
            return both;
        }
        let mut ways = Vec::new();
        for (slot, value, other_slot, other) in [
            (slots[0], values[0], slots[1], values[1]),
            (slots[1], values[1], slots[0], values[0]),
        ] {
            let state = self.state_of(slot);
            let left = self.bytes_left(value, slot);
            let pool = &mut self.cx.ir.pool;
            for dead in [FREED, ENDED] {
                let dead = pool.int(dead);
                ways.push(pool.eq(state, dead));
            }
            let unit = pool.int(BigInt::from(1) << SLOT_BITS);
            let start = pool.mul(unit, other_slot);
            let zero = pool.int(0);
            let (is_end, is_start) = (pool.eq(left, zero), pool.eq(other.term, start));
            ways.push(pool.and(&[is_end, is_start]));
        }
        let pool = &mut self.cx.ir.pool;
        let ways = pool.or(&ways);
        pool.and(&[both, ways])
    }

    /// The pointers are into string literals that a compiler may put into one place.
    fn doubts_of_strings(&mut self, cells: [Cell; 2], values: [&Value; 2]) -> Vec<TermId> {
        let [left, right] = cells.map(|cell| self.strings_at(cell));
        let mut doubts = Vec::new();
        for (first, characters) in &left {
            for (second, others) in &right {
                let may_be_one = characters.ends_with(others) || others.ends_with(characters);
                if first != second && may_be_one {
                    let sides = [(*first, values[0]), (*second, values[1])];
                    let within = sides.map(|(string, value)| self.is_in_variable(string, value));
                    doubts.push(self.cx.ir.pool.and(&within));
                }
            }
        }
        doubts
    }

    fn strings_at(&self, cell: Cell) -> Vec<(GlobalId, Vec<u32>)> {
        let variables = self.cx.regions.variables_at(cell).into_iter();
        variables
            .filter_map(|variable| match variable {
                Variable::Global(id) => Some((id, self.characters(id)?)),
                Variable::Local(..) => None,
            })
            .collect()
    }

    /// The characters of a string literal, with the one at its end.
    fn characters(&self, id: GlobalId) -> Option<Vec<u32>> {
        let global = &self.cx.c.globals[id];
        let init = global.init.as_ref().filter(|_| global.is_string)?;
        let item = init.items.first()?;
        let InitValue::String(characters) = &item.value else {
            return None;
        };
        Some(characters.to_vec())
    }

    fn is_in_variable(&mut self, id: GlobalId, value: &Value) -> TermId {
        let start = self.cx.storage.address(id);
        let size = self.cx.c.types.size(self.cx.c.globals[id].ty).unwrap_or(1);
        let ends = [self.address(&start), self.address(&(start + size))];
        let pool = &mut self.cx.ir.pool;
        let arith = &self.cx.arith;
        let above = arith.compare(pool, CompareOp::Ge, Scalar::Pointer, value, &ends[0]);
        let below = arith.compare(pool, CompareOp::Lt, Scalar::Pointer, value, &ends[1]);
        pool.and(&[above, below])
    }

    /// The difference of pointers into different objects has no meaning.
    pub fn check_difference(&mut self, sides: [&Expr; 2], values: [&Value; 2], span: Span) {
        let cells = sides.map(|side| self.cx.regions.target(side.id));
        let is_known = values.into_iter().any(|value| self.is_near_null(value));
        let is_followed = self.cx.options.tracks_objects() && !self.is_model() && !self.is_open();
        if !is_followed || is_known || self.is_one_object(CompareOp::Lt, cells) {
            return;
        }
        let doubt = self.doubt_of_objects(CompareOp::Lt, values);
        let pool = &mut self.cx.ir.pool;
        let condition = pool.not(doubt);
        if pool.as_bool(condition) != Some(true) {
            self.supported_if(
                condition,
                "the difference of pointers into different objects",
                span,
            );
        }
    }
}
