//! Strongly connected components, without recursion (Tarjan's algorithm).

/// For each node the number of its component.
pub(super) fn strong_components(successors: &[Vec<usize>]) -> Vec<usize> {
    const UNSEEN: usize = usize::MAX;
    let count = successors.len();
    let mut index = vec![UNSEEN; count];
    let mut low = vec![0; count];
    let mut component = vec![UNSEEN; count];
    let mut open = Vec::new();
    let mut next_index = 0;
    let mut next_component = 0;
    for root in 0..count {
        if index[root] != UNSEEN {
            continue;
        }
        // Each entry is a node and the number of its successors that were followed.
        let mut path = vec![(root, 0)];
        while let Some(&mut (node, ref mut followed)) = path.last_mut() {
            if *followed == 0 {
                index[node] = next_index;
                low[node] = next_index;
                next_index += 1;
                open.push(node);
            }
            if let Some(&successor) = successors[node].get(*followed) {
                *followed += 1;
                if index[successor] == UNSEEN {
                    path.push((successor, 0));
                } else if component[successor] == UNSEEN {
                    low[node] = low[node].min(index[successor]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                low[parent] = low[parent].min(low[node]);
            }
            if low[node] == index[node] {
                while let Some(member) = open.pop() {
                    component[member] = next_component;
                    if member == node {
                        break;
                    }
                }
                next_component += 1;
            }
        }
    }
    component
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_are_components() {
        let component = strong_components(&[vec![1], vec![2], vec![1, 3], vec![], vec![4, 0]]);
        assert_eq!(component[1], component[2]);
        for (a, b) in [(0, 1), (2, 3), (0, 3), (4, 0)] {
            assert_ne!(component[a], component[b]);
        }
    }
}
