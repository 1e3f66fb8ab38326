//! `call`, `async call`, `free call` and `call forall`.

use std::sync::Arc;

use lariat_base::{Diagnostic, Span};

use super::labels::BodyKind;
use super::{Candidates, Checker};
use crate::ast;
use crate::typed::{Call, Expr, ExprKind, ProcedureId, StmtKind, Type, VarId};

impl Checker<'_> {
    pub(super) fn call(&mut self, call: &ast::Call, span: Span) -> Option<StmtKind> {
        let attributes = self.attributes(&call.attributes);
        self.register_statement_id(&attributes);
        let mut args = self.call_args(&call.args);
        self.check_distinct("assigned variable", call.outs.iter().flatten());
        let outs: Vec<Option<Option<VarId>>> = call
            .outs
            .iter()
            .map(|out| out.as_ref().map(|name| self.assigned_var(name)))
            .collect();
        let Some(procedure) = self.callee(&call.procedure) else {
            return self.abandon();
        };
        // The one result that an asynchronous call may have is no out parameter but the id of the thread.
        let results = if call.is_async {
            let declared = self.program.procedures[procedure].outs.len();
            if declared > 0 || outs.len() > 1 {
                self.error(
                    "async-call-with-results",
                    span,
                    "a procedure that is called asynchronously cannot have out parameters",
                );
                return self.abandon();
            }
            0
        } else {
            outs.len()
        };
        if !self.check_counts(procedure, &call.procedure, args.len(), results) {
            return self.abandon();
        }
        if !call.is_async {
            self.check_callee_frame(procedure, &call.procedure);
        }
        let out_exprs: Vec<Option<Expr>> = outs
            .iter()
            .zip(&call.outs)
            .map(|(out, name)| {
                let (var, name) = ((*out)??, name.as_ref()?);
                let ty = self.program.vars[var].ty.clone();
                Some(Expr {
                    kind: ExprKind::Var(var),
                    ty,
                    span: name.span,
                })
            })
            .collect();
        if call.is_async {
            self.check_thread_id(out_exprs.first().cloned().flatten());
        }
        let mut type_args = self.match_call(procedure, &call.procedure, &args, &out_exprs[..results], span);
        if self.settle() {
            self.replace_in_types(&mut type_args);
            for arg in args.iter_mut().flatten() {
                self.replace_in_expr(arg);
            }
            self.infer.clear();
        }
        let outs = outs.into_iter().map(Option::flatten).collect();
        let (is_async, is_free) = (call.is_async, call.is_free);
        Some(StmtKind::Call(Call {
            procedure,
            type_args,
            args,
            outs,
            is_async,
            is_free,
            attributes,
        }))
    }

    /// The variable that receives the id of a thread is an integer or a bit-vector.
    fn check_thread_id(&mut self, out: Option<Expr>) {
        if let Some(out) = out
            && !matches!(out.ty, Type::Int | Type::Bv(_))
        {
            let found = self.show(&out.ty);
            self.error(
                "type-mismatch",
                out.span,
                format!("the result of an asynchronous call is the id of a thread, but this variable is of type `{found}`"),
            );
        }
    }

    pub(super) fn call_forall(
        &mut self,
        attributes: &[ast::Attribute],
        name: &ast::Ident,
        args: &[Option<ast::Expr>],
        span: Span,
    ) -> Option<StmtKind> {
        let attributes = self.attributes(attributes);
        let mut args = self.call_args(args);
        let Some(procedure) = self.callee(name) else {
            return self.abandon();
        };
        if !self.check_counts(procedure, name, args.len(), 0) {
            return self.abandon();
        }
        if !self.program.procedures[procedure].modifies.is_empty() {
            self.error(
                "impure",
                name.span,
                format!(
                    "`call forall` needs a procedure that modifies nothing, but `{}` does",
                    name.name
                ),
            );
        }
        let mut type_args = self.match_call(procedure, name, &args, &[], span);
        if self.settle() {
            self.replace_in_types(&mut type_args);
            for arg in args.iter_mut().flatten() {
                self.replace_in_expr(arg);
            }
            self.infer.clear();
        }
        Some(StmtKind::CallForall {
            procedure,
            type_args,
            args,
            attributes,
        })
    }

    fn call_args(&mut self, args: &[Option<ast::Expr>]) -> Vec<Option<Expr>> {
        args.iter()
            .map(|arg| arg.as_ref().map(|arg| self.expr(arg)))
            .collect()
    }

    fn callee(&mut self, name: &ast::Ident) -> Option<ProcedureId> {
        let Some(&procedure) = self.procedures.get(&name.name) else {
            self.undeclared("undeclared-procedure", "procedure", name, Candidates::Procedures);
            return None;
        };
        if let BodyKind::Implementation(caller) = self.body.kind
            && self.pure_procedures.contains(&caller)
            && !self.pure_procedures.contains(&procedure)
        {
            self.error(
                "impure",
                name.span,
                format!("a pure procedure may not call `{}`, which is not pure", name.name),
            );
        }
        Some(procedure)
    }

    fn check_counts(&mut self, procedure: ProcedureId, name: &ast::Ident, ins: usize, outs: usize) -> bool {
        let callee = &self.program.procedures[procedure];
        let declared = callee.span;
        let counts = [
            (callee.ins.len(), ins, "arguments"),
            (callee.outs.len(), outs, "results"),
        ];
        for (expected, found, what) in counts {
            if expected != found {
                self.report(
                    Diagnostic::error(
                        "wrong-argument-count",
                        name.span,
                        format!(
                            "the procedure `{}` has {expected} {what}, the call {found}",
                            name.name
                        ),
                    )
                    .related(declared, "declared here"),
                );
                return false;
            }
        }
        true
    }

    /// Unifies the types of arguments and results with those of the parameters; gives the type arguments.
    fn match_call(
        &mut self,
        procedure: ProcedureId,
        name: &ast::Ident,
        args: &[Option<Expr>],
        outs: &[Option<Expr>],
        span: Span,
    ) -> Arc<[Type]> {
        let type_params = self.program.procedures[procedure].type_params.clone();
        let substitution = self.fresh_type_args(&type_params, &name.name, span);
        for (index, arg) in args.iter().enumerate() {
            let Some(arg) = arg else { continue };
            let param = self.program.procedures[procedure].ins[index];
            let formal = self.infer.substitute(&self.program.vars[param].ty, &substitution);
            if !self.infer.unify(&formal, &arg.ty) {
                self.wrong_argument(name, index, &formal, arg);
            }
        }
        for (index, out) in outs.iter().enumerate() {
            let Some(out) = out else { continue };
            let param = self.program.procedures[procedure].outs[index];
            let formal = self.infer.substitute(&self.program.vars[param].ty, &substitution);
            if !self.infer.unify(&formal, &out.ty) {
                let (given, expected) = (self.show(&formal), self.show(&out.ty));
                self.report(
                    Diagnostic::error(
                        "type-mismatch",
                        out.span,
                        format!("result {} of `{}` is of type `{given}`", index + 1, name.name),
                    )
                    .label(format!(
                        "expected `{given}`, found a variable of type `{expected}`"
                    )),
                );
            }
        }
        self.type_args(substitution)
    }
}
