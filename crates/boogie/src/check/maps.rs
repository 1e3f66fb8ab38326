//! Map selection and update, also of polymorphic maps and of maps whose type is not known yet.

use std::sync::Arc;

use lariat_base::{Diagnostic, Span};

use super::Checker;
use super::types::{error_type, is_error, is_placeholder};
use crate::ast;
use crate::typed::{Expr, ExprKind, Name, Type};

/// What applying a map gives. The type arguments are empty for a map of unknown type; they
/// are found when the type is.
pub(super) struct MapAccess {
    pub result: Type,
    pub type_args: Arc<[Type]>,
}

impl Checker<'_> {
    /// `map[indices]`
    pub(super) fn select(&mut self, map: &ast::Expr, indices: &[ast::Expr], span: Span) -> Expr {
        let map = self.expr(map);
        let indices = self.exprs(indices);
        let Some(access) = self.map_access(&map, &indices, span) else {
            return self.erroneous(span);
        };
        select_expr(map, indices, access, span)
    }

    /// `map[indices := value]`
    pub(super) fn store(
        &mut self,
        map: &ast::Expr,
        indices: &[ast::Expr],
        value: &ast::Expr,
        span: Span,
    ) -> Expr {
        let map = self.expr(map);
        let indices = self.exprs(indices);
        let value = self.expr(value);
        let Some(access) = self.map_access(&map, &indices, span) else {
            return self.erroneous(span);
        };
        if !self.expect_type(
            &value,
            &access.result,
            "type-mismatch",
            "the value stored in the map",
        ) {
            return self.erroneous(span);
        }
        store_expr(map, indices, value, access.type_args, span)
    }

    /// Checks the indices of a selection or update; `None` if an error was reported.
    pub(super) fn map_access(&mut self, map: &Expr, indices: &[Expr], span: Span) -> Option<MapAccess> {
        let map_type = match self.infer.head(&map.ty) {
            ty if is_error(&ty) => return None,
            Type::Map(map_type) => map_type,
            Type::Param(id) if is_placeholder(id) => {
                let index_types = indices.iter().map(|index| index.ty.clone()).collect();
                if let Some(result) = self.infer.use_unknown_map(&map.ty, index_types) {
                    return Some(MapAccess {
                        result,
                        type_args: self.no_types.clone(),
                    });
                }
                return self.not_a_map(map);
            }
            _ => return self.not_a_map(map),
        };
        if map_type.indices.len() != indices.len() {
            let shown = self.show(&map.ty);
            self.report(
                Diagnostic::error(
                    "wrong-index-count",
                    span,
                    format!(
                        "the map takes {} indices, not {}",
                        map_type.indices.len(),
                        indices.len()
                    ),
                )
                .related(map.span, format!("this is of type `{shown}`")),
            );
            return None;
        }
        if map_type.type_params.is_empty() {
            for (expected, index) in map_type.indices.iter().zip(indices) {
                self.expect_type(index, expected, "type-mismatch", "the index");
            }
            return Some(MapAccess {
                result: map_type.result.clone(),
                type_args: self.no_types.clone(),
            });
        }
        let owner = Name::from("map");
        let type_args: Arc<[Type]> = self
            .fresh_type_args(&map_type.type_params, &owner, span)
            .into_iter()
            .map(|(_, ty)| ty)
            .collect();
        let (expected_indices, result) = self.infer.instantiate_map(&map_type, &type_args);
        let mut fits = true;
        for (expected, index) in expected_indices.iter().zip(indices) {
            fits &= self.expect_type(index, expected, "type-mismatch", "the index");
        }
        if self.is_too_large(&result, span) {
            return None;
        }
        let result = if fits { result } else { error_type() };
        Some(MapAccess { result, type_args })
    }

    fn not_a_map(&mut self, map: &Expr) -> Option<MapAccess> {
        let found = self.show(&map.ty);
        self.report(
            Diagnostic::error("not-a-map", map.span, "only maps can be indexed")
                .label(format!("expected a map, found `{found}`")),
        );
        None
    }
}

pub(super) fn select_expr(map: Expr, indices: Vec<Expr>, access: MapAccess, span: Span) -> Expr {
    let kind = ExprKind::Select {
        map: Box::new(map),
        indices,
        type_args: access.type_args,
    };
    Expr {
        kind,
        ty: access.result,
        span,
    }
}

pub(super) fn store_expr(
    map: Expr,
    indices: Vec<Expr>,
    value: Expr,
    type_args: Arc<[Type]>,
    span: Span,
) -> Expr {
    let ty = map.ty.clone();
    let kind = ExprKind::Store {
        map: Box::new(map),
        indices,
        value: Box::new(value),
        type_args,
    };
    Expr { kind, ty, span }
}
