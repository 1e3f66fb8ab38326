//! Which node an inlined call shares ([Dag15] §3.4).

pub use lariat_options::MergePolicy;

use crate::dag::{CallSiteId, Dag, InstanceId};
use crate::optimal::OptimalDag;

/// `RANDOM` makes a new node once in so many calls though it need not.
const RANDOM_NONE: u64 = 10;

/// A strategy at work.
pub struct Merger {
    policy: MergePolicy,
    state: u64,
    optimal: Option<OptimalDag>,
}

impl Merger {
    /// `optimal` is the graph that `OPT` follows.
    pub fn new(policy: MergePolicy, seed: u32, optimal: Option<OptimalDag>) -> Self {
        Merger {
            policy,
            state: u64::from(seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
            optimal,
        }
    }

    pub fn policy(&self) -> MergePolicy {
        self.policy
    }

    /// The node at which to inline the open call site; `None` for a new one.
    pub fn pick(&mut self, dag: &mut Dag, site: CallSiteId) -> Option<InstanceId> {
        if let (MergePolicy::Opt, Some(optimal)) = (self.policy, &self.optimal) {
            return optimal.pick(dag, site);
        }
        let policy = self.policy;
        match policy {
            MergePolicy::Tree => None,
            MergePolicy::First | MergePolicy::Opt => dag.compatible(site, 1).first().copied(),
            MergePolicy::Maxc => {
                let candidates = dag.compatible(site, usize::MAX);
                let size = |&node: &InstanceId| (dag.descendant_count(node), std::cmp::Reverse(node));
                candidates.into_iter().max_by_key(size)
            }
            MergePolicy::Random if self.random(RANDOM_NONE) == 0 => None,
            MergePolicy::Random | MergePolicy::Randompick => {
                let candidates = dag.compatible(site, usize::MAX);
                let count = candidates.len() as u64;
                (count > 0).then(|| candidates[self.random(count) as usize])
            }
        }
    }

    /// Notes a node that was made because there was none to share.
    pub fn added(&mut self, dag: &Dag, node: InstanceId) {
        if let Some(optimal) = &mut self.optimal {
            optimal.added(dag, node);
        }
    }

    /// Xorshift: any number below `limit`.
    fn random(&mut self, limit: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 11) % limit
    }
}
