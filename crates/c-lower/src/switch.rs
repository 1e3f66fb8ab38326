//! `switch`: the body is lowered first, the jumps to its cases are made when all of them are known.

use lariat_base::Span;
use lariat_c_arith::Value;
use lariat_c_program::{CompareOp, Expr, Scalar, Stmt};
use lariat_ir::{BlockId, Origin, StmtKind, Terminator};
use lariat_term::TermId;
use num_bigint::BigInt;
use smallvec::SmallVec;

use crate::function::FunctionLowering;
use crate::names::CaseLabel;

/// The cases of a `switch` so far.
#[derive(Debug, Default)]
pub struct Cases {
    cases: Vec<(i128, i128, BlockId, Span)>,
    default: Option<BlockId>,
}

impl FunctionLowering<'_, '_> {
    pub fn switch(&mut self, value: &Expr, body: &Stmt, span: Span) {
        let scalar = self.scalar(value.ty);
        let chosen = self.expr(value);
        let chosen = self.pin(chosen, value.span);
        let dispatch = self.body.current;
        let after = self.new_block();
        // What stands before the first case cannot be reached.
        let unreachable = self.new_block();
        self.at(unreachable);
        self.switches.push(Cases::default());
        self.breaks.push(after);
        let depth = self.scopes.depth();
        self.scopes.breaks.push(depth);
        self.scopes.switches.push(depth);
        self.stmt(body);
        self.scopes.switches.pop();
        self.scopes.breaks.pop();
        self.breaks.pop();
        self.jump(after);
        let cases = self.switches.pop().unwrap_or_default();
        self.at(dispatch);
        self.dispatch(&cases, &chosen, scalar, after, value.span, span);
        self.at(after);
    }

    fn dispatch(
        &mut self,
        cases: &Cases,
        chosen: &Value,
        scalar: Scalar,
        after: BlockId,
        value_span: Span,
        span: Span,
    ) {
        let dispatch = self.body.current;
        let mut targets: SmallVec<[BlockId; 2]> = SmallVec::new();
        let mut none = Vec::new();
        for &(low, high, block, label) in &cases.cases {
            let condition = self.is_case(chosen, scalar, low, high);
            none.push(self.cx.ir.pool.not(condition));
            targets.push(self.side(condition, block, value_span, CaseLabel::Case(label)));
        }
        let label = match cases.default {
            Some(_) => CaseLabel::Default,
            None => CaseLabel::Missing,
        };
        let otherwise = self.cx.ir.pool.and(&none);
        targets.push(self.side(otherwise, cases.default.unwrap_or(after), value_span, label));
        self.body.blocks[dispatch].terminator = Terminator::Goto(targets);
        self.body.blocks[dispatch].span = Some(span);
    }

    /// A block that is passed if the condition holds.
    fn side(&mut self, condition: TermId, target: BlockId, span: Span, label: CaseLabel) -> BlockId {
        let side = self.new_block();
        self.at(side);
        let guard = self.push(StmtKind::Assume(condition), span, Origin::Guard);
        self.cx.names.cases.insert(guard, label);
        self.body.blocks[side].terminator = Terminator::goto(target);
        side
    }

    fn is_case(&mut self, chosen: &Value, scalar: Scalar, low: i128, high: i128) -> TermId {
        let pool = &mut self.cx.ir.pool;
        let first = self.cx.arith.int(pool, scalar, &BigInt::from(low));
        if low == high {
            return self.cx.arith.compare(pool, CompareOp::Eq, scalar, chosen, &first);
        }
        let last = self.cx.arith.int(pool, scalar, &BigInt::from(high));
        let above = self.cx.arith.compare(pool, CompareOp::Ge, scalar, chosen, &first);
        let below = self.cx.arith.compare(pool, CompareOp::Le, scalar, chosen, &last);
        pool.and(&[above, below])
    }

    pub fn case(&mut self, low: i128, high: i128, label: Span) {
        let block = self.fall_through();
        if let Some(cases) = self.switches.last_mut() {
            cases.cases.push((low, high, block, label));
        }
    }

    pub fn default_case(&mut self) {
        let block = self.fall_through();
        if let Some(cases) = self.switches.last_mut() {
            cases.default = Some(block);
        }
    }

    /// A block that is reached from what stands before it and from the `switch`.
    fn fall_through(&mut self) -> BlockId {
        let block = self.new_block();
        self.jump(block);
        self.at(block);
        block
    }
}
