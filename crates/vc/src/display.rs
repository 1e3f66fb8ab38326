//! Passive procedures and conditions as text (`--log passive`, `--log vc`).

use std::fmt::Write as _;

use cranelift_entity::EntityRef;
use lariat_ir::Program;
use lariat_term::VarId;

use crate::passive::{CallSite, PassiveProc};
use crate::procvc::ProcVc;

/// A variable with its number, since incarnations share their names.
fn name(program: &Program, var: VarId) -> String {
    format!("{}#{}", program.pool.var_name(var), var.index())
}

fn names(program: &Program, vars: &[VarId]) -> String {
    vars.iter()
        .map(|&var| name(program, var))
        .collect::<Vec<_>>()
        .join(", ")
}

impl PassiveProc {
    pub fn text(&self, program: &Program) -> String {
        let mut out = format!(
            "passive {}({}) returns ({}) {{\n",
            program.procs[self.proc].name,
            names(program, &self.ins),
            names(program, &self.outs)
        );
        for (id, block) in self.blocks.iter() {
            let _ = writeln!(out, "{id}:");
            for &condition in &block.assumes {
                let _ = writeln!(out, "  assume {}", program.pool.term_text(condition));
            }
            for site in self.call_sites.iter().filter(|site| site.block == id) {
                let _ = writeln!(out, "  {}", call_text(program, site));
            }
            for edge in &block.successors {
                let phis: Vec<String> = edge
                    .phis
                    .iter()
                    .map(|phi| {
                        format!(
                            "{} = {}",
                            name(program, phi.incarnation),
                            program.pool.term_text(phi.value)
                        )
                    })
                    .collect();
                let _ = writeln!(out, "  to {} {}", edge.target, phis.join(", "));
            }
            for &(position, value) in block.returns.iter().flatten() {
                let _ = writeln!(
                    out,
                    "  {} = {}",
                    name(program, self.outs[position]),
                    program.pool.term_text(value)
                );
            }
            if block.returns.is_some() {
                out.push_str("  return\n");
            }
        }
        out.push_str("}\n");
        out
    }
}

fn call_text(program: &Program, site: &CallSite) -> String {
    let ins: Vec<String> = site
        .ins
        .iter()
        .map(|&term| program.pool.term_text(term))
        .collect();
    format!(
        "call {} := {}({})",
        names(program, &site.outs),
        program.procs[site.callee].name,
        ins.join(", ")
    )
}

impl ProcVc {
    pub fn text(&self, program: &Program) -> String {
        let mut out = format!(
            "vc {} entry {}\n",
            program.procs[self.proc].name,
            name(program, self.entry())
        );
        for &clause in &self.clauses {
            let _ = writeln!(out, "  {}", program.pool.term_text(clause));
        }
        for site in &self.call_sites {
            let ins: Vec<String> = site
                .ins
                .iter()
                .map(|&term| program.pool.term_text(term))
                .collect();
            let _ = writeln!(
                out,
                "  call site {}: {} := {}({})",
                name(program, site.control),
                names(program, &site.outs),
                program.procs[site.callee].name,
                ins.join(", ")
            );
        }
        out
    }
}
