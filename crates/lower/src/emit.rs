//! Statements of bodies, as they are made.

use std::sync::Arc;

use lariat_base::Span;
use lariat_boogie::typed::{AttributeParam, Attributes};
use lariat_ir::{
    AssertId, AssertInfo, AssertKind, AttributeText, AttributeValue, ExternalLocation, Origin, StmtId,
    StmtKind, Terminator,
};
use lariat_term::{TermId, VarId as PoolVar};
use smallvec::SmallVec;

use crate::body::{BodyBuilder, Exit};
use crate::lowering::Lowering;
use crate::scope::Unsupported;

impl Lowering<'_> {
    pub(crate) fn emit(&mut self, builder: &mut BodyBuilder, kind: StmtKind, span: Span, origin: Origin) {
        self.emit_at(builder, kind, span, origin, None);
    }

    /// The statement, if it can be reached.
    pub(crate) fn emit_at(
        &mut self,
        builder: &mut BodyBuilder,
        kind: StmtKind,
        span: Span,
        origin: Origin,
        location: Option<Arc<ExternalLocation>>,
    ) -> Option<StmtId> {
        if !builder.is_reachable() {
            return None;
        }
        let mut stmt = self.ir.stmt(kind, Some(span), origin);
        stmt.location = location;
        let id = stmt.id;
        builder.push(stmt);
        Some(id)
    }

    /// The assertion, if it is one in the lowered program.
    pub(crate) fn emit_assert(
        &mut self,
        builder: &mut BodyBuilder,
        condition: TermId,
        info: AssertInfo,
        location: Option<Arc<ExternalLocation>>,
    ) -> Option<(StmtId, AssertId)> {
        if !builder.is_reachable() {
            return None;
        }
        if let Exit::Code { result } = builder.exit {
            self.branch_on_assertion(builder, condition, result, info.span);
            return None;
        }
        let span = info.span;
        if self.is_open() && self.ir.pool.as_bool(condition) == Some(true) {
            // Not a property of the program; it may give a place in the source that this was compiled from.
            let mut stmt = self.ir.stmt(StmtKind::Assume(condition), span, Origin::Source);
            stmt.location = location;
            builder.push(stmt);
            return None;
        }
        let assert = self.ir.asserts.push(info);
        let mut stmt = self
            .ir
            .stmt(StmtKind::Assert { condition, assert }, span, Origin::Source);
        stmt.location = location;
        let id = stmt.id;
        builder.push(stmt);
        Some((id, assert))
    }

    /// Keeps the attributes of an assertion for reports.
    pub(crate) fn note_assert_attributes(&mut self, assert: Option<AssertId>, attributes: &Attributes) {
        let Some(assert) = assert.filter(|_| !attributes.0.is_empty()) else {
            return;
        };
        let value = |param: &AttributeParam| match param {
            AttributeParam::String(text) => AttributeValue::String(text.clone()),
            AttributeParam::Expr(expr) => AttributeValue::Source(expr.span),
        };
        let texts = attributes.0.iter().map(|attribute| AttributeText {
            name: Arc::from(&*attribute.name),
            values: attribute.params.iter().map(value).collect(),
        });
        self.ir.assert_attributes.insert(assert, texts.collect());
    }

    /// In a code expression a failing assertion makes the value false.
    fn branch_on_assertion(
        &mut self,
        builder: &mut BodyBuilder,
        condition: TermId,
        result: PoolVar,
        span: Option<Span>,
    ) {
        let (holds, fails) = (builder.new_block(), builder.new_block());
        builder.end_block(Terminator::Goto(SmallVec::from_slice(&[holds, fails])), span);
        let negation = self.ir.pool.not(condition);
        let falsity = self.ir.pool.bool(false);
        builder.start(fails);
        for kind in [
            StmtKind::Assume(negation),
            StmtKind::Assign(SmallVec::from_elem((result, falsity), 1)),
        ] {
            let stmt = self.ir.stmt(kind, span, Origin::Internal);
            builder.push(stmt);
        }
        builder.end_block(Terminator::Return, span);
        builder.start(holds);
        let stmt = self.ir.stmt(StmtKind::Assume(condition), span, Origin::Internal);
        builder.push(stmt);
    }

    /// Reaching this makes the verdict `unknown`, with the reason.
    pub(crate) fn emit_unsupported(
        &mut self,
        builder: &mut BodyBuilder,
        unsupported: &Unsupported,
        span: Span,
    ) {
        if let Exit::Code { .. } = builder.exit {
            builder.unsupported.get_or_insert_with(|| unsupported.clone());
            return;
        }
        let condition = self.ir.pool.bool(false);
        let info = AssertInfo {
            kind: AssertKind::Unsupported(unsupported.reason.clone()),
            span: Some(span),
            condition_span: (unsupported.span != span).then_some(unsupported.span),
            id: None,
            message: None,
        };
        self.emit_assert(builder, condition, info, None);
    }
}
