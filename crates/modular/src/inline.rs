//! Calls of `{:inline}` procedures are replaced by bodies.
//!
//! The lowering left each such call as a choice between the call and its contract (`lariat_lower`, modular). A body is
//! copied with variables of its own; what it assumes of its parameters is left out, since the call checked it. A
//! procedure is inlined into itself as deep as its attribute says; beyond, the mode decides.

use cranelift_entity::PrimaryMap;
use lariat_base::Span;
use lariat_ir::{
    AssertInfo, AssertKind, Block, BlockId, Call, Origin, Proc, ProcId, Program, Stmt, StmtKind, Terminator,
};
use lariat_lower::{ModularBody, ModularInfo};
use lariat_term::{Substitution, TermId, VarId};
use rustc_hash::FxHashMap;

use crate::flags::Inlining;

/// More blocks are not made.
const MOST_BLOCKS: usize = 200_000;

/// How often each procedure may still be inlined below a copied body.
type Depths = FxHashMap<ProcId, u32>;

pub struct Inliner<'a> {
    pub info: &'a ModularInfo,
    pub mode: Inlining,
    /// What is copied.
    pub procs: &'a PrimaryMap<ProcId, Proc>,
    /// Bodies by their procedures.
    pub bodies: &'a FxHashMap<ProcId, usize>,
}

impl Inliner<'_> {
    /// Replaces all calls in a procedure. `where_clauses` gets those of the copied variables. The error is the reason
    /// why it cannot be done.
    pub fn inline_calls(
        &self,
        program: &mut Program,
        proc: ProcId,
        where_clauses: &mut FxHashMap<VarId, TermId>,
    ) -> Result<(), String> {
        let mut depths: Vec<Depths> = vec![Depths::default()];
        let mut depth_of: FxHashMap<BlockId, usize> = FxHashMap::default();
        let mut next = 0;
        // Blocks that are added come to their turn too.
        while next < program.procs[proc].blocks.len() {
            if program.procs[proc].blocks.len() > MOST_BLOCKS {
                return Err("inlining makes the procedure too large".to_owned());
            }
            let block = BlockId::from_u32(next as u32);
            next += 1;
            let Some(site) = self.site(program, proc, block) else {
                continue;
            };
            let around = depth_of.get(&block).copied().unwrap_or(0);
            let Some(body) = self
                .bodies
                .get(&site.call.callee)
                .map(|&index| &self.info.bodies[index])
            else {
                return Err("a call of a procedure whose body was not lowered".to_owned());
            };
            let given = body.inline.unwrap_or(0);
            let left = depths[around].get(&site.call.callee).copied().unwrap_or(given);
            if left == 0 {
                self.leave(program, proc, block, &site);
                continue;
            }
            let mut inside = depths[around].clone();
            inside.insert(site.call.callee, left - 1);
            depths.push(inside);
            let first = program.procs[proc].blocks.len();
            copy_body(program, proc, &site, body, &self.procs[body.proc], where_clauses);
            for added in first..program.procs[proc].blocks.len() {
                depth_of.insert(BlockId::from_u32(added as u32), depths.len() - 1);
            }
            program.procs[proc].blocks[block].terminator = Terminator::goto(site.inlined);
        }
        Ok(())
    }

    fn site(&self, program: &Program, proc: ProcId, block: BlockId) -> Option<Site> {
        let blocks = &program.procs[proc].blocks;
        let &[inlined, by_contract] = blocks[block].successors() else {
            return None;
        };
        let stmt = blocks[inlined].stmts.first()?;
        let StmtKind::Call(call) = &stmt.kind else {
            return None;
        };
        let &[join] = blocks[inlined].successors() else {
            return None;
        };
        Some(Site {
            inlined,
            by_contract,
            join,
            call: call.clone(),
            span: stmt.span,
        })
    }

    /// What happens at a call that is not inlined.
    fn leave(&self, program: &mut Program, proc: ProcId, block: BlockId, site: &Site) {
        program.procs[proc].blocks[block].terminator = match self.mode {
            Inlining::Spec | Inlining::None => Terminator::goto(site.by_contract),
            Inlining::Assume => Terminator::Goto(Default::default()),
            Inlining::Assert => {
                let assert = program.asserts.push(AssertInfo {
                    kind: AssertKind::Assert,
                    span: site.span,
                    condition_span: None,
                    id: None,
                    message: None,
                });
                let condition = program.pool.bool(false);
                let stmt = program.stmt(
                    StmtKind::Assert { condition, assert },
                    site.span,
                    Origin::Internal,
                );
                program.procs[proc].blocks[block].stmts.push(stmt);
                Terminator::Goto(Default::default())
            }
        };
    }
}

struct Site {
    inlined: BlockId,
    by_contract: BlockId,
    join: BlockId,
    call: Call,
    span: Option<Span>,
}

/// Puts a copy of the body between the block of the call and its successor.
fn copy_body(
    program: &mut Program,
    proc: ProcId,
    site: &Site,
    body: &ModularBody,
    callee: &Proc,
    where_clauses: &mut FxHashMap<VarId, TermId>,
) {
    let mut renamed: FxHashMap<VarId, VarId> = FxHashMap::default();
    let mut substitution = Substitution::new();
    for var in callee.vars() {
        let data = program.pool.var_data(var).clone();
        let copy = program.pool.declare_var(data.name, data.sort);
        renamed.insert(var, copy);
        substitution.insert(var, program.pool.var(copy));
    }
    program.procs[proc]
        .locals
        .extend(callee.vars().map(|var| renamed[&var]));
    for var in callee.vars() {
        if let Some(&clause) = where_clauses.get(&var) {
            let clause = substitution.apply(&mut program.pool, clause);
            where_clauses.insert(renamed[&var], clause);
        }
    }
    let first = program.procs[proc].blocks.len();
    let copy_of = |block: BlockId| BlockId::from_u32((first + block.as_u32() as usize) as u32);
    let exit = copy_of(BlockId::from_u32(callee.blocks.len() as u32));
    for block in callee.blocks.values() {
        let mut copy = block.clone();
        copy.stmts.retain(|stmt| !body.prologue.contains(&stmt.id));
        for stmt in &mut copy.stmts {
            rename(program, &renamed, &mut substitution, stmt);
        }
        copy.terminator = match &block.terminator {
            Terminator::Goto(targets) => {
                Terminator::Goto(targets.iter().map(|&target| copy_of(target)).collect())
            }
            Terminator::Return => Terminator::goto(exit),
        };
        program.procs[proc].blocks.push(copy);
    }
    let mut end = Block::new(Terminator::goto(site.join));
    let results: Vec<(VarId, TermId)> = site
        .call
        .outs
        .iter()
        .zip(&callee.outs)
        .map(|(&target, out)| (target, program.pool.var(renamed[out])))
        .collect();
    if !results.is_empty() {
        let assign = StmtKind::Assign(results.into_iter().collect());
        end.stmts.push(program.stmt(assign, site.span, Origin::Internal));
    }
    program.procs[proc].blocks.push(end);
    let mut start: Vec<Stmt> = Vec::new();
    if !callee.params.is_empty() {
        let values = callee.params.iter().zip(&site.call.ins);
        let assign = StmtKind::Assign(values.map(|(param, &value)| (renamed[param], value)).collect());
        start.push(program.stmt(assign, site.span, Origin::Internal));
    }
    let any: Vec<VarId> = callee
        .outs
        .iter()
        .chain(&callee.locals)
        .map(|var| renamed[var])
        .collect();
    if !any.is_empty() {
        let havoc = StmtKind::Havoc(any.into_iter().collect());
        start.push(program.stmt(havoc, site.span, Origin::Internal));
    }
    let inlined = &mut program.procs[proc].blocks[site.inlined];
    inlined.stmts = start;
    inlined.terminator = Terminator::goto(copy_of(callee.entry));
}

fn rename(
    program: &mut Program,
    renamed: &FxHashMap<VarId, VarId>,
    substitution: &mut Substitution,
    stmt: &mut Stmt,
) {
    let pool = &mut program.pool;
    let var = |var: &mut VarId| {
        if let Some(&copy) = renamed.get(var) {
            *var = copy;
        }
    };
    match &mut stmt.kind {
        StmtKind::Assume(term) | StmtKind::Assert { condition: term, .. } => {
            *term = substitution.apply(pool, *term);
        }
        StmtKind::Assign(assignments) => {
            for (target, value) in assignments {
                var(target);
                *value = substitution.apply(pool, *value);
            }
        }
        StmtKind::Havoc(vars) => vars.iter_mut().for_each(var),
        StmtKind::Call(call) => {
            for value in &mut call.ins {
                *value = substitution.apply(pool, *value);
            }
            call.outs.iter_mut().for_each(var);
        }
        StmtKind::Enter(_) => {}
    }
}
