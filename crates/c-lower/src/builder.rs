//! The body of a procedure in the making: blocks, statements, temporaries.

use cranelift_entity::PrimaryMap;
use lariat_base::Span;
use lariat_c_arith::{Value, bits_of_copy, float_of_bits};
use lariat_c_program::{Scalar, TypeId};
use lariat_ir::{AssertInfo, AssertKind, Block, BlockId, Origin, StmtId, StmtKind, Terminator};
use lariat_term::{Op, SortId, TermId, VarId};
use smallvec::{SmallVec, smallvec};

use crate::function::FunctionLowering;
use crate::names::Shown;
use crate::options::Check;

/// Blocks and variables of the procedure that is being made.
#[derive(Debug)]
pub struct Body {
    pub blocks: PrimaryMap<BlockId, Block>,
    /// Where statements go.
    pub current: BlockId,
    pub locals: Vec<VarId>,
    pub temporaries: u32,
}

impl Body {
    pub fn new() -> Self {
        let mut blocks = PrimaryMap::new();
        let current = blocks.push(Block::new(Terminator::Return));
        Body {
            blocks,
            current,
            locals: Vec::new(),
            temporaries: 0,
        }
    }
}

impl FunctionLowering<'_, '_> {
    pub fn new_block(&mut self) -> BlockId {
        self.body
            .blocks
            .push(Block::new(Terminator::Goto(SmallVec::new())))
    }

    /// Further statements go to this block.
    pub fn at(&mut self, block: BlockId) {
        self.body.current = block;
    }

    /// Ends the current block; what follows cannot be reached unless another block is chosen.
    pub fn terminate(&mut self, terminator: Terminator, span: Option<Span>) {
        let block = &mut self.body.blocks[self.body.current];
        block.terminator = terminator;
        block.span = span;
        let unreachable = self.new_block();
        self.at(unreachable);
    }

    pub fn jump(&mut self, target: BlockId) {
        self.terminate(Terminator::goto(target), None);
    }

    /// The path ends here without a failure.
    pub fn stop(&mut self) {
        self.terminate(Terminator::Goto(SmallVec::new()), None);
    }

    /// Goes to `then` if the condition holds and to `otherwise` if it does not; the assumptions of both, if there is a choice.
    pub fn guard(
        &mut self,
        condition: TermId,
        then: BlockId,
        otherwise: BlockId,
        span: Span,
    ) -> Option<[StmtId; 2]> {
        if let Some(holds) = self.cx.ir.pool.as_bool(condition) {
            self.jump(if holds { then } else { otherwise });
            return None;
        }
        let negated = self.cx.ir.pool.not(condition);
        let targets: SmallVec<[BlockId; 2]> = smallvec![self.new_block(), self.new_block()];
        let sides = [(condition, then), (negated, otherwise)];
        self.terminate(Terminator::Goto(targets.clone()), Some(span));
        let after = self.body.current;
        let mut assumed = Vec::new();
        for (side, (condition, target)) in targets.into_iter().zip(sides) {
            self.at(side);
            assumed.push(self.push(StmtKind::Assume(condition), span, Origin::Guard));
            self.body.blocks[side].terminator = Terminator::goto(target);
        }
        self.at(after);
        assumed.try_into().ok()
    }

    pub fn push(&mut self, kind: StmtKind, span: Span, origin: Origin) -> StmtId {
        let stmt = self.cx.ir.stmt(kind, Some(span), origin);
        let id = stmt.id;
        self.body.blocks[self.body.current].stmts.push(stmt);
        if self.synchronising > 0 {
            self.cx.ir.threads.synchronising.insert(id);
        }
        id
    }

    pub fn assume(&mut self, condition: TermId, span: Span) {
        if self.cx.ir.pool.as_bool(condition) != Some(true) {
            self.push(StmtKind::Assume(condition), span, Origin::Internal);
        }
    }

    /// Assumes that a term is a value of its type, where that is not seen from where it comes from.
    pub fn assume_in_type(&mut self, term: TermId, scalar: Scalar, span: Span) {
        let valid = self.cx.arith.in_type(&mut self.cx.ir.pool, scalar, term);
        if let Some(valid) = valid.filter(|&valid| self.cx.ir.pool.as_bool(valid) != Some(true)) {
            self.push(StmtKind::Assume(valid), span, Origin::Type);
        }
    }

    /// Book-keeping that traces do not show.
    pub fn set_silently(&mut self, var: VarId, term: TermId, span: Span) {
        self.push(StmtKind::Assign(smallvec![(var, term)]), span, Origin::Internal);
    }

    pub fn set(&mut self, var: VarId, term: TermId, span: Span) -> StmtId {
        self.push(StmtKind::Assign(smallvec![(var, term)]), span, Origin::Source)
    }

    /// Any value of the type.
    pub fn havoc(&mut self, var: VarId, scalar: Scalar, span: Span, origin: Origin) -> StmtId {
        let id = self.push(StmtKind::Havoc(smallvec![var]), span, origin);
        let term = self.cx.ir.pool.var(var);
        self.assume_in_type(term, scalar, span);
        id
    }

    /// A variable of the procedure.
    pub fn declare(&mut self, name: &str, sort: SortId) -> VarId {
        let var = self.cx.ir.pool.declare_var(name, sort);
        self.body.locals.push(var);
        var
    }

    /// A variable of the procedure that traces show.
    pub fn declare_shown(&mut self, text: String, ty: TypeId, sort: SortId) -> VarId {
        let var = self.declare(&text, sort);
        self.cx.names.vars.insert(var, Shown { text, ty });
        var
    }

    pub fn temporary(&mut self, sort: SortId) -> VarId {
        let name = format!("t${}", self.body.temporaries);
        self.body.temporaries += 1;
        self.declare(&name, sort)
    }

    pub fn scalar_temporary(&mut self, scalar: Scalar) -> VarId {
        let sort = self.cx.arith.sort(&mut self.cx.ir.pool, scalar);
        self.temporary(sort)
    }

    /// The value in a variable that holds a valid value of the type.
    pub fn value_of(&mut self, var: VarId, scalar: Scalar) -> Value {
        let term = self.cx.ir.pool.var(var);
        self.cx.arith.value(term, scalar)
    }

    /// The value, safe from later changes of variables.
    pub fn pin(&mut self, value: Value, span: Span) -> Value {
        let is_literal = matches!(self.cx.ir.pool.op(value.term), Op::Float(_));
        if is_literal || self.cx.ir.pool.is_value(value.term) {
            return value;
        }
        if let Some(bits) = bits_of_copy(&self.cx.ir.pool, value.term) {
            // The bits are kept: as a float, not-a-number would lose its payload.
            let bits = self.pin_term(bits, span);
            let copy = float_of_bits(&mut self.cx.ir.pool, value.term, bits);
            return Value::unbounded(copy);
        }
        let sort = self.cx.ir.pool.sort_of(value.term);
        let var = self.temporary(sort);
        self.set_silently(var, value.term, span);
        Value {
            term: self.cx.ir.pool.var(var),
            range: value.range,
        }
    }

    /// The same for a condition.
    pub fn pin_term(&mut self, term: TermId, span: Span) -> TermId {
        self.pin(Value { term, range: None }, span).term
    }

    /// A failure of this kind unless the condition holds; afterwards it holds, but of open programs others decide that.
    pub fn check(&mut self, check: Check, condition: TermId, span: Span, message: Option<String>) {
        if self.applies(check) {
            self.check_everywhere(check, condition, span, message);
        }
    }

    /// The same, also in models, which say so themselves.
    pub fn check_everywhere(&mut self, check: Check, condition: TermId, span: Span, message: Option<String>) {
        if !self.cx.options.checks(check) {
            return;
        }
        self.cx.note_check(self.proc);
        if self.cx.ir.pool.as_bool(condition) == Some(true) {
            return;
        }
        let assert = self.cx.ir.asserts.push(AssertInfo {
            kind: AssertKind::Check(check),
            span: Some(span),
            condition_span: None,
            id: None,
            message: Some(message.unwrap_or_else(|| check.message().to_owned()).into()),
        });
        self.push(StmtKind::Assert { condition, assert }, span, Origin::Source);
        if !self.is_open() {
            self.push(StmtKind::Assume(condition), span, Origin::Internal);
        } else if check == Check::Null {
            self.cx.open.dereferences.push(assert);
        }
    }

    /// Whether the check was asked for and applies to this function: arithmetic in models of the library is ours.
    fn applies(&self, check: Check) -> bool {
        let is_about_values = matches!(
            check,
            Check::Overflow | Check::DivByZero | Check::Shift | Check::Uninit
        );
        self.cx.options.checks(check) && !(is_about_values && self.is_model())
    }

    /// Reaching this point makes the verdict `unknown`.
    pub fn unsupported(&mut self, reason: &str, span: Span) {
        let never = self.cx.ir.pool.bool(false);
        self.supported_if(never, reason, span);
        self.stop();
    }

    /// The same unless the condition holds; afterwards it holds.
    pub fn supported_if(&mut self, condition: TermId, reason: &str, span: Span) {
        let assert = self.cx.ir.asserts.push(AssertInfo {
            kind: AssertKind::Unsupported(reason.into()),
            span: Some(span),
            condition_span: None,
            id: None,
            message: None,
        });
        self.push(StmtKind::Assert { condition, assert }, span, Origin::Source);
        if self.cx.ir.pool.as_bool(condition).is_none() {
            self.push(StmtKind::Assume(condition), span, Origin::Internal);
        }
    }
}
