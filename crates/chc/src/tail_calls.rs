//! Calls whose results are what the procedure returns.

use lariat_term::TermPool;
use lariat_vc::PassiveProc;

use crate::regions::calls_of;

/// Whether the procedure returns right after the call, with what the call has returned and nothing else, and
/// whatever that is. So of a call of the procedure by itself the last activation says it all.
pub fn is_tail_call(pool: &TermPool, passive: &PassiveProc, index: usize) -> bool {
    let site = &passive.call_sites[index];
    let block = &passive.blocks[site.block];
    let Some(values) = &block.returns else {
        return false;
    };
    let returned = |position: usize| {
        let value = values.iter().find(|&&(at, _)| at == position);
        value.is_some_and(|&(_, value)| pool.as_var(value) == Some(site.outs[position]))
    };
    let assumed = pool.free_vars(&block.assumes);
    calls_of(passive, site.block).last() == Some(index)
        && (0..site.outs.len()).all(returned)
        && !site.outs.iter().any(|out| assumed.contains(out))
}
