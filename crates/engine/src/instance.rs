//! The condition of a procedure with values for its variables.

use lariat_ir::ProcId;
use lariat_smt::{Ast, SolverError};

use crate::unfolding::{CompiledProc, Unfolding};

/// A procedure's condition as terms of the solver.
pub(crate) struct InstanceTerms {
    /// Values of the condition's variables, in the order of the template's parameters: first the inputs and outputs.
    pub arguments: Vec<Ast>,
    pub clauses: Vec<Ast>,
    pub calls: Vec<CallTerms>,
}

pub(crate) struct CallTerms {
    pub callee: ProcId,
    /// True if the execution reaches the call.
    pub control: Ast,
    pub ins: Vec<Ast>,
    pub outs: Vec<Ast>,
}

impl Unfolding {
    /// The condition with these inputs, outputs and entry Boolean. All other variables are new.
    pub(crate) fn instance_terms(
        &mut self,
        compiled: &CompiledProc,
        mut arguments: Vec<Ast>,
        control: Ast,
    ) -> Result<InstanceTerms, SolverError> {
        let entry = compiled.vc.entry();
        for &local in &compiled.vc.locals {
            let ast = if local == entry {
                control
            } else {
                self.fresh(local)?
            };
            arguments.push(ast);
        }
        let mut clauses = compiled.template.instantiate(&mut self.context, &arguments)?;
        let ins = clauses.split_off(compiled.vc.clauses.len());
        let mut ins = ins.as_slice();
        let mut calls = Vec::new();
        for site in &compiled.vc.call_sites {
            let (own, rest) = ins.split_at(site.ins.len());
            ins = rest;
            let value = |var| arguments[compiled.position[var]];
            calls.push(CallTerms {
                callee: site.callee,
                control: value(&site.control),
                ins: own.to_vec(),
                outs: site.outs.iter().map(value).collect(),
            });
        }
        Ok(InstanceTerms {
            arguments,
            clauses,
            calls,
        })
    }
}
