//! Attributes: `{:name "text", expression}`.

use lariat_base::Diagnostic;

use super::Checker;
use crate::ast;
use crate::typed::{Attribute, AttributeParam, Attributes, Type};

/// Whether a boolean attribute is there and not switched off, as Boogie reads it.
pub(super) fn is_marked(attributes: &[ast::Attribute], name: &str) -> bool {
    attributes.iter().any(|attribute| {
        &*attribute.name.name == name
            && match &attribute.params[..] {
                [] => true,
                [ast::AttributeParam::Expr(expr)] => matches!(expr.kind, ast::ExprKind::Bool(true)),
                _ => false,
            }
    })
}

impl Checker<'_> {
    /// Checks the attributes of a declaration or statement.
    pub(super) fn attributes(&mut self, attributes: &[ast::Attribute]) -> Attributes {
        if attributes.is_empty() {
            return Attributes::default();
        }
        let mut checked = self.attributes_inside(attributes);
        // Attributes of a statement in a code expression belong to the expression around it.
        if self.code_depth == 0 && self.settle_attributes() {
            for attribute in &mut checked.0 {
                self.replace_in_attribute(attribute);
            }
            self.infer.clear();
        }
        checked
    }

    /// Checks attributes inside an expression, whose inference goes on.
    pub(super) fn attributes_inside(&mut self, attributes: &[ast::Attribute]) -> Attributes {
        Attributes(
            attributes
                .iter()
                .map(|attribute| self.attribute(attribute))
                .collect(),
        )
    }

    fn attribute(&mut self, attribute: &ast::Attribute) -> Attribute {
        let name = &attribute.name.name;
        let params: Vec<AttributeParam> = attribute
            .params
            .iter()
            .map(|param| match param {
                ast::AttributeParam::String(text, _) => AttributeParam::String(text.clone()),
                ast::AttributeParam::Expr(expr) => AttributeParam::Expr(self.expr(expr)),
            })
            .collect();
        if matches!(&**name, "minimize" | "maximize") {
            self.check_objective(attribute, &params);
        }
        Attribute {
            name: name.clone(),
            params,
            span: attribute.span,
        }
    }

    /// `{:minimize e}`, `{:maximize e}`: one number.
    fn check_objective(&mut self, attribute: &ast::Attribute, params: &[AttributeParam]) {
        let name = &attribute.name.name;
        let [AttributeParam::Expr(objective)] = params else {
            let message = format!("`{{:{name}}}` has exactly one argument, an expression");
            return self.error("attribute-argument", attribute.span, message);
        };
        let is_number = match self.infer.head(&objective.ty) {
            Type::Int | Type::Real | Type::Bv(_) => true,
            // It may still become one.
            Type::Param(_) => true,
            _ => false,
        };
        if !is_number {
            let message = format!("the argument of `{{:{name}}}` must be an `int`, a `real` or a bit-vector");
            self.error("type-mismatch", objective.span, message);
        }
    }

    /// The `{:id}` of a statement must be its own in the whole program.
    pub(super) fn register_statement_id(&mut self, attributes: &Attributes) {
        let Some(attribute) = attributes.get("id") else {
            return;
        };
        let Some(AttributeParam::String(id)) = attribute.params.first() else {
            return;
        };
        if let Some(&first) = self.statement_ids.get(id) {
            let diagnostic = Diagnostic::error(
                "duplicate-statement-id",
                attribute.span,
                format!("more than one statement with the id \"{id}\""),
            )
            .related(first, "the first one");
            self.report(diagnostic);
        } else {
            self.statement_ids.insert(id.clone(), attribute.span);
        }
    }
}
