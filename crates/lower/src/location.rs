//! What attributes say about a statement: its place in the program that the Boogie text was
//! compiled from, its name and its message.

use std::sync::Arc;

use lariat_base::Span;
use lariat_boogie::typed::{AttributeParam, Attributes, ExprKind};
use lariat_ir::{AssertInfo, AssertKind, ExternalLocation};
use num_traits::ToPrimitive;

/// `{:sourceloc "f", l, c}`, or `{:sourcefile "f"}` with `{:sourceline l}`.
pub(crate) fn external_location(attributes: &Attributes) -> Option<Arc<ExternalLocation>> {
    if attributes.0.is_empty() {
        return None;
    }
    if let Some(attribute) = attributes.get("sourceloc")
        && let [AttributeParam::String(file), line, rest @ ..] = attribute.params.as_slice()
    {
        return Some(Arc::new(ExternalLocation {
            file: file.clone(),
            line: number(line)?,
            column: rest.first().and_then(number),
        }));
    }
    let file = attributes
        .string("sourcefile")
        .or_else(|| attributes.string("sourceFile"))?;
    let line = attributes
        .get("sourceline")
        .or_else(|| attributes.get("sourceLine"))?;
    Some(Arc::new(ExternalLocation {
        file: file.into(),
        line: number(line.params.first()?)?,
        column: None,
    }))
}

fn number(param: &AttributeParam) -> Option<u32> {
    match param {
        AttributeParam::String(text) => text.parse().ok(),
        AttributeParam::Expr(expr) => match &expr.kind {
            ExprKind::Int(value) => value.to_u32(),
            _ => None,
        },
    }
}

/// The description of an assertion with the id and the message that its attributes give.
pub(crate) fn assert_info(
    kind: AssertKind,
    span: Span,
    condition_span: Option<Span>,
    attributes: &Attributes,
) -> AssertInfo {
    AssertInfo {
        kind,
        span: Some(span),
        condition_span,
        id: attributes.string("id").map(Arc::from),
        message: attributes.string("msg").map(Arc::from),
    }
}
