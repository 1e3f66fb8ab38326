//! Strongly connected components of graphs given by the targets of each node.

/// The number of the component of each node. A component has a smaller number than those from which it can be reached.
pub fn components(graph: &[Vec<usize>]) -> Vec<usize> {
    const NONE: usize = usize::MAX;
    let mut number = vec![NONE; graph.len()];
    let (mut index, mut low) = (vec![NONE; graph.len()], vec![0; graph.len()]);
    let (mut next, mut count) = (0, 0);
    // Nodes without a component yet, and the way down to the present one with the next edge of each.
    let (mut open, mut way): (Vec<usize>, Vec<(usize, usize)>) = (Vec::new(), Vec::new());
    for root in 0..graph.len() {
        if index[root] != NONE {
            continue;
        }
        way.push((root, 0));
        while let Some((node, edge)) = way.last_mut() {
            let node = *node;
            if *edge == 0 {
                index[node] = next;
                low[node] = next;
                next += 1;
                open.push(node);
            }
            if let Some(&target) = graph[node].get(*edge) {
                *edge += 1;
                if index[target] == NONE {
                    way.push((target, 0));
                } else if number[target] == NONE {
                    low[node] = low[node].min(index[target]);
                }
                continue;
            }
            way.pop();
            if let Some(&(parent, _)) = way.last() {
                low[parent] = low[parent].min(low[node]);
            }
            if low[node] == index[node] {
                while let Some(member) = open.pop() {
                    number[member] = count;
                    if member == node {
                        break;
                    }
                }
                count += 1;
            }
        }
    }
    number
}

/// By component: whether it has an edge inside.
pub fn is_cyclic(graph: &[Vec<usize>], component: &[usize]) -> Vec<bool> {
    let count = component.iter().max().map_or(0, |last| last + 1);
    let mut cyclic = vec![false; count];
    for (node, targets) in graph.iter().enumerate() {
        for &target in targets {
            if component[node] == component[target] {
                cyclic[component[node]] = true;
            }
        }
    }
    cyclic
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_are_components() {
        let graph = vec![vec![1], vec![2, 3], vec![0], vec![3, 4], vec![]];
        let component = components(&graph);
        assert_eq!(component[0], component[1]);
        assert_eq!(component[1], component[2]);
        assert!(component[3] < component[0] && component[4] < component[3]);
        let cyclic = is_cyclic(&graph, &component);
        assert_eq!(
            (0..5).map(|node| cyclic[component[node]]).collect::<Vec<_>>(),
            [true, true, true, true, false]
        );
    }

    #[test]
    fn a_long_way_needs_no_stack() {
        let graph: Vec<Vec<usize>> = (0..200_000).map(|node| vec![(node + 1) % 200_000]).collect();
        assert!(components(&graph).iter().all(|&number| number == 0));
    }
}
