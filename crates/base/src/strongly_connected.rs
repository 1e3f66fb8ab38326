//! Strongly connected components (Tarjan 1972), without recursion: call chains, control-flow paths and
//! transition systems may be a million nodes long.

/// The components of the graph over `0..node_count`, each component after all those that it
/// reaches. `successor(node, k)` is the k-th successor, `None` after the last.
pub fn strongly_connected_components(
    node_count: usize,
    successor: impl Fn(usize, usize) -> Option<usize>,
) -> Vec<Vec<usize>> {
    const UNSEEN: usize = usize::MAX;
    let mut index = vec![UNSEEN; node_count];
    let mut low = vec![0; node_count];
    let mut on_stack = vec![false; node_count];
    let mut stack = Vec::new();
    let mut components = Vec::new();
    let mut next_index = 0;
    let mut path: Vec<(usize, usize)> = Vec::new();
    for root in 0..node_count {
        if index[root] != UNSEEN {
            continue;
        }
        path.push((root, 0));
        while let Some(&mut (node, ref mut next)) = path.last_mut() {
            if *next == 0 {
                index[node] = next_index;
                low[node] = next_index;
                next_index += 1;
                stack.push(node);
                on_stack[node] = true;
            }
            let k = *next;
            *next += 1;
            match successor(node, k) {
                Some(target) if index[target] == UNSEEN => path.push((target, 0)),
                Some(target) => {
                    if on_stack[target] {
                        low[node] = low[node].min(index[target]);
                    }
                }
                None => {
                    path.pop();
                    if let Some(&(parent, _)) = path.last() {
                        low[parent] = low[parent].min(low[node]);
                    }
                    if low[node] == index[node] {
                        let mut component = Vec::new();
                        loop {
                            let member = stack.pop().expect("the root of a component is on the stack");
                            on_stack[member] = false;
                            component.push(member);
                            if member == node {
                                break;
                            }
                        }
                        component.sort_unstable();
                        components.push(component);
                    }
                }
            }
        }
    }
    components
}

/// For each node the number of its component, in that order, and how many there are: a component has a larger
/// number than those that it reaches.
pub fn component_numbers(
    node_count: usize,
    successor: impl Fn(usize, usize) -> Option<usize>,
) -> (Vec<usize>, usize) {
    let components = strongly_connected_components(node_count, successor);
    let mut numbers = vec![0; node_count];
    for (number, component) in components.iter().enumerate() {
        for &node in component {
            numbers[node] = number;
        }
    }
    (numbers, components.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn components(edges: &[&[usize]]) -> Vec<Vec<usize>> {
        strongly_connected_components(edges.len(), |node, k| edges[node].get(k).copied())
    }

    #[test]
    fn components_come_after_what_they_reach() {
        let found = components(&[&[1], &[2, 3], &[1], &[3], &[0]]);
        assert_eq!(found, vec![vec![3], vec![1, 2], vec![0], vec![4]]);
    }

    #[test]
    fn a_cycle_with_chords_is_one_component() {
        assert_eq!(
            components(&[&[1, 2], &[2], &[3, 1], &[0]]),
            vec![vec![0, 1, 2, 3]]
        );
    }

    #[test]
    fn a_component_has_a_larger_number_than_those_it_reaches() {
        let edges: [&[usize]; 5] = [&[1], &[2], &[1, 3], &[], &[4, 0]];
        let (numbers, count) = component_numbers(5, |node, k| edges[node].get(k).copied());
        assert_eq!(count, 4);
        assert_eq!(numbers[1], numbers[2]);
        assert!(numbers[3] < numbers[1] && numbers[1] < numbers[0] && numbers[0] < numbers[4]);
    }

    #[test]
    fn a_long_chain_does_not_overflow_the_stack() {
        let found = strongly_connected_components(1_000_000, |node, k| {
            (k == 0 && node + 1 < 1_000_000).then_some(node + 1)
        });
        assert_eq!(found.len(), 1_000_000);
        assert_eq!(found[0], vec![999_999]);
    }
}
