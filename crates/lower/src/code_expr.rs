//! Code expressions `|{ … }|` as formulas: the weakest precondition of their body.
//!
//! The body is lowered to blocks like that of a procedure, with a variable for the value that it
//! returns. Then, from the last block to the first,
//!
//! ```text
//! wp(assume c, Q) = c ==> Q          wp(x := e, Q)  = Q[x := e]
//! wp(goto b*, Q)  = ⋀ wp(b)          wp(havoc x, Q) = forall x' :: Q[x := x']
//! wp(return)      = result
//! ```

use cranelift_entity::SecondaryMap;
use lariat_base::Span;
use lariat_boogie::typed::Body;
use lariat_ir::{BlockId, Proc, ProcKind, StmtKind, Terminator};
use lariat_term::{Quantifier, QuantifierKind, Substitution, TermId, VarId as PoolVar};

use crate::body::{BodyBuilder, Exit};
use crate::expr::Terms;
use crate::lowering::Lowering;
use crate::scope::{Lowers, Scope};

impl Lowering<'_> {
    pub(crate) fn lower_code_expr(&mut self, body: &Body, span: Span, scope: &mut Scope) -> Lowers<TermId> {
        let bool_sort = self.ir.pool.bool_sort();
        let result = self.ir.pool.declare_var("result", bool_sort);
        let mut builder = BodyBuilder::new(std::mem::take(scope), Exit::Code { result });
        for &local in &body.locals {
            let declared = self.declare_in(local, &mut builder.scope);
            builder.locals.push(declared);
        }
        for &local in &body.locals {
            self.assume_where(local, &mut builder);
        }
        self.lower_stmts(&body.stmts, &mut builder);
        self.lower_return(body.end, &mut builder);
        *scope = std::mem::take(&mut builder.scope);
        if let Some(unsupported) = builder.unsupported.take() {
            return Err(unsupported);
        }
        let (blocks, entry, locals) = builder.finish();
        let code = Proc {
            span: Some(span),
            locals,
            ..Proc::new("code expression".into(), ProcKind::Source, blocks, entry)
        };
        let precondition = self.weakest_precondition(&code, result, span)?;
        Ok(self.forall(code.locals, precondition))
    }

    fn weakest_precondition(&mut self, code: &Proc, result: PoolVar, span: Span) -> Lowers<TermId> {
        let mut wp = SecondaryMap::<BlockId, Option<TermId>>::new();
        for block in code.reverse_postorder().into_iter().rev() {
            let data = &code.blocks[block];
            let mut condition = match &data.terminator {
                Terminator::Return => self.ir.pool.var(result),
                Terminator::Goto(targets) => {
                    let mut parts = Terms::new();
                    for &target in targets {
                        match wp[target] {
                            Some(part) => parts.push(part),
                            // In this order only a back edge goes to a block without a condition.
                            None => return self.unsupported(span, "a code expression with a loop"),
                        }
                    }
                    self.ir.pool.and(&parts)
                }
            };
            for stmt in data.stmts.iter().rev() {
                condition = match &stmt.kind {
                    StmtKind::Assume(assumed) => self.ir.pool.implies(*assumed, condition),
                    StmtKind::Assign(assignments) => {
                        let mut substitution: Substitution = assignments.iter().copied().collect();
                        substitution.apply(&mut self.ir.pool, condition)
                    }
                    StmtKind::Havoc(vars) => {
                        let mut substitution = Substitution::new();
                        let mut fresh = Vec::new();
                        for &var in vars {
                            let (name, sort) =
                                (self.ir.pool.var_name(var).clone(), self.ir.pool.var_sort(var));
                            let copy = self.ir.pool.declare_var(name, sort);
                            substitution.insert(var, self.ir.pool.var(copy));
                            fresh.push(copy);
                        }
                        let renamed = substitution.apply(&mut self.ir.pool, condition);
                        self.forall(fresh, renamed)
                    }
                    StmtKind::Assert { .. } | StmtKind::Call(_) | StmtKind::Enter(_) => {
                        unreachable!("assertions are branches here, and calls are unsupported")
                    }
                };
            }
            wp[block] = Some(condition);
        }
        Ok(wp[code.entry].expect("the entry block is reached"))
    }

    fn forall(&mut self, vars: Vec<PoolVar>, body: TermId) -> TermId {
        // Only those that occur, so that a formula without them stays without a quantifier.
        let free = self.ir.pool.free_vars(&[body]);
        let bound: Vec<PoolVar> = vars.into_iter().filter(|var| free.contains(var)).collect();
        self.ir.pool.quantifier_term(Quantifier {
            kind: QuantifierKind::Forall,
            bound: bound.into(),
            triggers: Box::new([]),
            no_patterns: Box::new([]),
            body,
            weight: None,
        })
    }
}
