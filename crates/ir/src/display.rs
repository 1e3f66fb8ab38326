//! The textual form of a program (`--log ir`).

use std::fmt::Write as _;

use lariat_term::VarId;

use crate::program::{
    AssertKind, BlockId, CandidateKind, Proc, ProcId, ProcKind, Program, Stmt, StmtKind, Terminator,
};

impl Program {
    /// The whole program as text.
    pub fn text(&self) -> String {
        let mut out = String::new();
        for &var in &self.constants {
            let _ = writeln!(out, "const {}", self.typed_name(var));
        }
        for &var in &self.globals {
            let _ = writeln!(out, "global {}", self.typed_name(var));
        }
        for axiom in &self.axioms {
            let _ = writeln!(out, "axiom {}", self.pool.term_text(axiom.term));
        }
        for &term in &self.initial {
            let _ = writeln!(out, "initially {}", self.pool.term_text(term));
        }
        for id in self.procs.keys() {
            out.push_str(&self.proc_text(id));
        }
        for candidate in &self.candidates {
            let kind = match candidate.kind {
                CandidateKind::Requires => "requires",
                CandidateKind::Ensures => "ensures",
                CandidateKind::Invariant => "invariant",
            };
            let name = candidate.proc.map_or("*", |proc| &self.procs[proc].name);
            let term = self.pool.term_text(candidate.term);
            let _ = writeln!(out, "candidate {kind} of {name}: {term}");
        }
        out
    }

    fn typed_name(&self, var: VarId) -> String {
        format!(
            "{}: {}",
            self.pool.var_name(var),
            self.pool.sort_text(self.pool.var_sort(var))
        )
    }

    fn typed_names(&self, vars: &[VarId]) -> String {
        vars.iter()
            .map(|&var| self.typed_name(var))
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// One procedure as text, its blocks in reverse postorder; unreachable blocks are left out.
    pub fn proc_text(&self, id: ProcId) -> String {
        let proc = &self.procs[id];
        let mut out = String::new();
        let kind = match proc.kind {
            ProcKind::Source => "proc",
            ProcKind::Loop { .. } => "loop",
        };
        let _ = write!(out, "{kind} {}({})", proc.name, self.typed_names(&proc.params));
        if !proc.outs.is_empty() {
            let _ = write!(out, " returns ({})", self.typed_names(&proc.outs));
        }
        if proc.extra_bound > 0 {
            let _ = write!(out, " extra_bound {}", proc.extra_bound);
        }
        out.push_str(" {\n");
        for &var in &proc.locals {
            let _ = writeln!(out, "  var {}", self.typed_name(var));
        }
        for block in proc.reverse_postorder() {
            self.write_block(&mut out, proc, block);
        }
        out.push_str("}\n");
        out
    }

    fn write_block(&self, out: &mut String, proc: &Proc, id: BlockId) {
        let block = &proc.blocks[id];
        match &block.label {
            Some(label) => {
                let _ = writeln!(out, "{id}: // {label}");
            }
            None => {
                let _ = writeln!(out, "{id}:");
            }
        }
        for stmt in &block.stmts {
            let _ = writeln!(out, "  {}", self.stmt_text(stmt));
        }
        match &block.terminator {
            Terminator::Return => out.push_str("  return\n"),
            Terminator::Goto(targets) if targets.is_empty() => out.push_str("  stop\n"),
            Terminator::Goto(targets) => {
                let names: Vec<String> = targets.iter().map(BlockId::to_string).collect();
                let _ = writeln!(out, "  goto {}", names.join(", "));
            }
        }
    }

    pub fn stmt_text(&self, stmt: &Stmt) -> String {
        let name = |var: &VarId| self.pool.var_name(*var).to_string();
        match &stmt.kind {
            StmtKind::Assume(term) => format!("assume {}", self.pool.term_text(*term)),
            StmtKind::Assert { condition, assert } => {
                let condition = self.pool.term_text(*condition);
                match &self.asserts[*assert].kind {
                    AssertKind::Unsupported(reason) => format!("unsupported {reason:?}"),
                    _ => format!("{assert} {condition}"),
                }
            }
            StmtKind::Assign(assignments) => {
                let targets: Vec<String> = assignments.iter().map(|(var, _)| name(var)).collect();
                let values: Vec<String> = assignments
                    .iter()
                    .map(|&(_, term)| self.pool.term_text(term))
                    .collect();
                format!("{} := {}", targets.join(", "), values.join(", "))
            }
            StmtKind::Havoc(vars) => {
                format!("havoc {}", vars.iter().map(name).collect::<Vec<_>>().join(", "))
            }
            StmtKind::Call(call) => {
                let ins: Vec<String> = call.ins.iter().map(|&term| self.pool.term_text(term)).collect();
                let outs: Vec<String> = call.outs.iter().map(name).collect();
                let assign = if outs.is_empty() {
                    String::new()
                } else {
                    format!("{} := ", outs.join(", "))
                };
                // The validator shows calls of procedures that do not exist, too.
                let callee = match self.procs.get(call.callee) {
                    Some(proc) => proc.name.to_string(),
                    None => call.callee.to_string(),
                };
                format!("call {assign}{callee}({})", ins.join(", "))
            }
            StmtKind::Enter(block) => format!("enter {block}"),
        }
    }
}
