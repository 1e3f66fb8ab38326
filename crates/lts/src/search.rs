//! Breadth-first search in layers: layer k holds what is reached by k visible actions.
//!
//! Invariant: keys are taken out in the order of the number of visible actions that lead to
//! them, τ and other silent steps costing nothing, so that the first match has a shortest trace. A key may be put in
//! several times; the caller passes over those it has expanded before.

use std::collections::VecDeque;

use crate::process::PathStep;

struct Node<K> {
    key: K,
    /// The step that led here and the node it came from.
    origin: Option<(usize, PathStep)>,
}

pub(crate) struct LayeredSearch<K> {
    nodes: Vec<Node<K>>,
    layer: VecDeque<usize>,
    next_layer: VecDeque<usize>,
    depth: usize,
}

impl<K: Copy> LayeredSearch<K> {
    pub fn new(initial: K) -> Self {
        LayeredSearch {
            nodes: vec![Node {
                key: initial,
                origin: None,
            }],
            layer: VecDeque::from([0]),
            next_layer: VecDeque::new(),
            depth: 0,
        }
    }

    /// The next node with its key.
    pub fn pop(&mut self) -> Option<(usize, K)> {
        if self.layer.is_empty() && !self.next_layer.is_empty() {
            std::mem::swap(&mut self.layer, &mut self.next_layer);
            self.depth += 1;
        }
        let node = self.layer.pop_front()?;
        Some((node, self.nodes[node].key))
    }

    /// A silent step does not lead to the next layer.
    pub fn push(&mut self, from: usize, step: PathStep, key: K, is_silent: bool) {
        let node = self.nodes.len();
        self.nodes.push(Node {
            key,
            origin: Some((from, step)),
        });
        if is_silent {
            self.layer.push_back(node);
        } else {
            self.next_layer.push_back(node);
        }
    }

    pub fn depth(&self) -> usize {
        self.depth
    }

    /// The steps from the initial key to a node.
    pub fn path(&self, node: usize) -> Vec<PathStep> {
        let mut steps: Vec<PathStep> =
            std::iter::successors(self.nodes[node].origin, |&(from, _)| self.nodes[from].origin)
                .map(|(_, step)| step)
                .collect();
        steps.reverse();
        steps
    }
}
