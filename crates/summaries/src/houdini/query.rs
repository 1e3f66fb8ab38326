//! The question about one procedure: which candidates does its body refute?
//!
//! With `b` the Boolean of a call's block, `pre`/`post` the candidates of its callee at the call and `g`
//! their guards:
//!
//! ```text
//! g_k ⇒ pre_k                                    own preconditions
//! ok ⇔ ⋀_k (g_k ⇒ pre_k)                         at each call
//! b ∧ ok ∧ g_m ⇒ post_m                          at each call
//! d ⇒ b ∧ g_k ∧ ¬pre_k,  d ⇒ g_m ∧ ¬post_m       a refuted precondition of a call, own postcondition
//! ⋁ d
//! ```
//!
//! A postcondition is known only where all preconditions of the call hold, so contradictory preconditions
//! prove nothing. In a model the first call whose preconditions fail is to blame: what follows it may
//! be its consequence. So that calls in a model are on its path, each block but the first is reached
//! through an edge from a block before it.

use cranelift_entity::{EntityRef, SecondaryMap};
use lariat_ir::ProcId;
use lariat_term::{TermId, TermPool};
use lariat_vc::{PassiveBlockId, ProcVc};
use rustc_hash::FxHashSet;

use super::{CandidateId, Standing, Table};
use crate::condition::{at_body, at_call_site};

/// Something that may be refuted.
pub(super) struct Obligation {
    pub candidate: CandidateId,
    /// The literal `d`.
    pub refuted: TermId,
    pub holds: TermId,
}

/// The preconditions of one call.
pub(super) struct SiteQuery {
    pub control: TermId,
    pub pres: Vec<Obligation>,
}

pub(super) struct Query {
    pub proc: ProcId,
    pub formulas: Vec<TermId>,
    pub posts: Vec<Obligation>,
    /// In an order in which a call comes after those before it.
    pub sites: Vec<SiteQuery>,
    /// Every candidate that the formulas mention, with its guard.
    pub guards: Vec<(CandidateId, TermId)>,
}

/// Builds the query. Candidates that have fallen already are left out, and preconditions altogether unless
/// `with_pres`.
pub(super) fn build_query(
    pool: &mut TermPool,
    vc: &ProcVc,
    table: &Table,
    standing: &Standing,
    with_pres: bool,
) -> Query {
    let mut builder = Builder {
        pool,
        table,
        standing,
        with_pres,
        guarded: FxHashSet::default(),
        query: Query {
            proc: vc.proc,
            formulas: vc.clauses.clone(),
            posts: Vec::new(),
            sites: Vec::new(),
            guards: Vec::new(),
        },
    };
    builder.body(vc);
    for index in 0..vc.call_sites.len() {
        builder.call_site(vc, index);
    }
    let goal: Vec<TermId> = builder
        .query
        .posts
        .iter()
        .chain(builder.query.sites.iter().flat_map(|site| &site.pres))
        .map(|obligation| obligation.refuted)
        .collect();
    let goal = builder.pool.or(&goal);
    builder.query.formulas.push(goal);
    builder.query
}

struct Builder<'a> {
    pool: &'a mut TermPool,
    table: &'a Table,
    standing: &'a Standing,
    with_pres: bool,
    guarded: FxHashSet<CandidateId>,
    query: Query,
}

impl Builder<'_> {
    fn guard(&mut self, candidate: CandidateId) -> TermId {
        let guard = self.pool.var(self.table.candidates[candidate].guard);
        if self.guarded.insert(candidate) {
            self.query.guards.push((candidate, guard));
        }
        guard
    }

    fn pres(&self, proc: ProcId) -> Vec<CandidateId> {
        let all: &[CandidateId] = if self.with_pres {
            &self.table.procs[proc].pres
        } else {
            &[]
        };
        all.iter().copied().filter(|&id| self.standing[id]).collect()
    }

    fn posts(&self, proc: ProcId) -> Vec<CandidateId> {
        let all = &self.table.procs[proc].posts;
        all.iter().copied().filter(|&id| self.standing[id]).collect()
    }

    fn body(&mut self, vc: &ProcVc) {
        let entry = self.pool.var(vc.entry());
        self.query.formulas.push(entry);
        self.reached_through_edges(vc);
        let own = &self.table.procs[vc.proc];
        let mut values = at_body(self.pool, &own.ins, &own.outs, vc);
        for id in self.pres(vc.proc) {
            let guard = self.guard(id);
            let term = values.apply(self.pool, self.table.candidates[id].term);
            let formula = self.pool.implies(guard, term);
            self.query.formulas.push(formula);
        }
        for id in self.posts(vc.proc) {
            let holds = values.apply(self.pool, self.table.candidates[id].term);
            let obligation = self.obligation(id, None, holds);
            self.query.posts.push(obligation);
        }
    }

    /// A block other than the entry is on the path only if an edge to it is.
    fn reached_through_edges(&mut self, vc: &ProcVc) {
        let mut incoming = SecondaryMap::<PassiveBlockId, Vec<TermId>>::new();
        for block in vc.blocks.values() {
            let control = self.pool.var(block.control);
            for edge in &block.successors {
                let way = match edge.taken {
                    Some(taken) => {
                        let taken = self.pool.var(taken);
                        self.pool.and(&[control, taken])
                    }
                    None => control,
                };
                incoming[edge.target].push(way);
            }
        }
        for (id, block) in vc.blocks.iter() {
            if id.index() != 0 {
                let control = self.pool.var(block.control);
                let some_way = self.pool.or(&incoming[id]);
                let formula = self.pool.implies(control, some_way);
                self.query.formulas.push(formula);
            }
        }
    }

    fn call_site(&mut self, vc: &ProcVc, index: usize) {
        let site = &vc.call_sites[index];
        let callee = &self.table.procs[site.callee];
        let (pres, posts) = (self.pres(site.callee), self.posts(site.callee));
        if pres.is_empty() && posts.is_empty() && callee.known.is_empty() {
            return;
        }
        let control = self.pool.var(site.control);
        let mut values = at_call_site(self.pool, &callee.ins, &callee.outs, site);
        for &fact in &callee.known {
            let fact = values.apply(self.pool, fact);
            let formula = self.pool.implies(control, fact);
            self.query.formulas.push(formula);
        }
        let mut obligations = Vec::new();
        let mut parts = Vec::new();
        for id in pres {
            let holds = values.apply(self.pool, self.table.candidates[id].term);
            let guard = self.guard(id);
            parts.push(self.pool.implies(guard, holds));
            obligations.push(self.obligation(id, Some(control), holds));
        }
        let ok = self.named(&parts);
        for id in posts {
            let guard = self.guard(id);
            let holds = values.apply(self.pool, self.table.candidates[id].term);
            let condition = self.pool.and(&[control, ok, guard]);
            let formula = self.pool.implies(condition, holds);
            self.query.formulas.push(formula);
        }
        if !obligations.is_empty() {
            self.query.sites.push(SiteQuery {
                control,
                pres: obligations,
            });
        }
    }

    /// A Boolean that is equivalent to the conjunction.
    fn named(&mut self, parts: &[TermId]) -> TermId {
        let all = self.pool.and(parts);
        if self.pool.as_bool(all).is_some() {
            return all;
        }
        let name = self.fresh("ok");
        let definition = self.pool.eq(name, all);
        self.query.formulas.push(definition);
        name
    }

    fn obligation(&mut self, candidate: CandidateId, control: Option<TermId>, holds: TermId) -> Obligation {
        let guard = self.guard(candidate);
        let refuted = self.fresh("refuted");
        let fails = self.pool.not(holds);
        let mut conjuncts = vec![guard, fails];
        conjuncts.extend(control);
        let meaning = self.pool.and(&conjuncts);
        let formula = self.pool.implies(refuted, meaning);
        self.query.formulas.push(formula);
        Obligation {
            candidate,
            refuted,
            holds,
        }
    }

    fn fresh(&mut self, name: &str) -> TermId {
        let sort = self.pool.bool_sort();
        let var = self.pool.declare_var(name, sort);
        self.pool.var(var)
    }
}
