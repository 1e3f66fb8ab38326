//! Colouring of graphs: neighbours differ, and the colours are few.
//!
//! DSATUR (Brélaz 1979) with branch and bound: exact within a number of steps, and the best that was
//! found after it. A step takes time linear in the number of vertices.

/// How many vertices are tried before the best colouring so far is taken.
const MOST_STEPS: usize = 20_000;

/// A colour for each vertex, from 0.
pub fn colour(adjacent: &[Vec<bool>]) -> Vec<usize> {
    let count = adjacent.len();
    let neighbours = |vertex: usize| -> Vec<usize> {
        let row = &adjacent[vertex];
        (0..count)
            .filter(|&other| other != vertex && row[other])
            .collect()
    };
    let mut search = Search {
        adjacent,
        neighbours: (0..count).map(neighbours).collect(),
        colours: vec![None; count],
        around: vec![Vec::new(); count],
        saturation: vec![0; count],
        order: Vec::with_capacity(count),
        best: (0..count).collect(),
        best_count: count + 1,
    };
    search.run();
    search.best
}

struct Search<'a> {
    adjacent: &'a [Vec<bool>],
    neighbours: Vec<Vec<usize>>,
    colours: Vec<Option<usize>>,
    /// For each vertex and colour how many neighbours have it, …
    around: Vec<Vec<u32>>,
    /// … and how many colours the neighbours have.
    saturation: Vec<usize>,
    /// The coloured vertices with the number of colours before each.
    order: Vec<(usize, usize)>,
    best: Vec<usize>,
    best_count: usize,
}

impl Search<'_> {
    fn run(&mut self) {
        let lower = self.clique_size();
        let mut used = 0;
        let mut next_colour = 0;
        let mut steps = 0;
        let mut vertex = self.most_constrained();
        loop {
            let Some(current) = vertex else {
                if used < self.best_count {
                    self.best_count = used;
                    self.best = self.colours.iter().map(|colour| colour.unwrap_or(0)).collect();
                }
                match self.back() {
                    Some((back, before, colour)) if self.best_count > lower && steps < MOST_STEPS => {
                        (vertex, used, next_colour) = (Some(back), before, colour + 1);
                        continue;
                    }
                    _ => return,
                }
            };
            // A new colour is worth trying only if that can still beat the best.
            let last = used.min(self.best_count.saturating_sub(2));
            let free = (next_colour..=last).find(|&colour| self.is_free(current, colour));
            match free {
                Some(colour) => {
                    steps += 1;
                    self.give(current, colour);
                    self.order.push((current, used));
                    used = used.max(colour + 1);
                    vertex = self.most_constrained();
                    next_colour = 0;
                }
                None => match self.back() {
                    Some((back, before, colour)) if steps < MOST_STEPS => {
                        (vertex, used, next_colour) = (Some(back), before, colour + 1);
                    }
                    _ => return,
                },
            }
        }
    }

    fn give(&mut self, vertex: usize, colour: usize) {
        self.colours[vertex] = Some(colour);
        for &neighbour in &self.neighbours[vertex] {
            let around = &mut self.around[neighbour];
            if around.len() <= colour {
                around.resize(colour + 1, 0);
            }
            around[colour] += 1;
            self.saturation[neighbour] += usize::from(around[colour] == 1);
        }
    }

    /// Takes back the last vertex: it, the number of colours before it, and the colour that it had.
    fn back(&mut self) -> Option<(usize, usize, usize)> {
        let (vertex, before) = self.order.pop()?;
        let colour = self.colours[vertex].take()?;
        for &neighbour in &self.neighbours[vertex] {
            let count = &mut self.around[neighbour][colour];
            *count -= 1;
            self.saturation[neighbour] -= usize::from(*count == 0);
        }
        Some((vertex, before, colour))
    }

    fn is_free(&self, vertex: usize, colour: usize) -> bool {
        self.around[vertex].get(colour).is_none_or(|&count| count == 0)
    }

    /// The uncoloured vertex whose neighbours have the most colours, then the most neighbours.
    fn most_constrained(&self) -> Option<usize> {
        let measure = |&vertex: &usize| {
            (
                self.saturation[vertex],
                self.neighbours[vertex].len(),
                std::cmp::Reverse(vertex),
            )
        };
        (0..self.adjacent.len())
            .filter(|&vertex| self.colours[vertex].is_none())
            .max_by_key(measure)
    }

    /// The size of a clique that is found greedily: no colouring has fewer colours.
    fn clique_size(&self) -> usize {
        let mut vertices: Vec<usize> = (0..self.adjacent.len()).collect();
        vertices.sort_by_key(|&vertex| std::cmp::Reverse(self.neighbours[vertex].len()));
        let mut clique: Vec<usize> = Vec::new();
        for vertex in vertices {
            if clique.iter().all(|&member| self.adjacent[vertex][member]) {
                clique.push(vertex);
            }
        }
        clique.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(count: usize, edges: &[(usize, usize)]) -> Vec<Vec<bool>> {
        let mut adjacent = vec![vec![false; count]; count];
        for &(a, b) in edges {
            adjacent[a][b] = true;
            adjacent[b][a] = true;
        }
        adjacent
    }

    fn colours(adjacent: &[Vec<bool>]) -> usize {
        let colouring = colour(adjacent);
        for (a, row) in adjacent.iter().enumerate() {
            for (b, &joined) in row.iter().enumerate() {
                assert!(
                    !joined || a == b || colouring[a] != colouring[b],
                    "{a} and {b} are joined"
                );
            }
        }
        colouring.iter().max().map_or(0, |most| most + 1)
    }

    #[test]
    fn known_graphs_need_as_many_colours_as_is_known() {
        assert_eq!(colours(&graph(0, &[])), 0);
        assert_eq!(colours(&graph(3, &[])), 1);
        assert_eq!(colours(&graph(4, &[(0, 1), (1, 2), (2, 3), (3, 0)])), 2);
        assert_eq!(colours(&graph(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)])), 3);
        // [Dag15] Fig. 5 (b): a path A, C, B, D as conflicts.
        assert_eq!(colours(&graph(4, &[(0, 2), (2, 1), (1, 3)])), 2);
        // The crown on which greedy colouring in order needs four.
        assert_eq!(
            colours(&graph(
                8,
                &[
                    (0, 3),
                    (0, 5),
                    (0, 7),
                    (2, 1),
                    (2, 5),
                    (2, 7),
                    (4, 1),
                    (4, 3),
                    (4, 7),
                    (6, 1),
                    (6, 3),
                    (6, 5)
                ]
            )),
            2
        );
    }

    #[test]
    fn large_graphs_are_coloured_in_no_time() {
        // Rings of five, of which each needs three colours and whose largest cliques have two: the
        // search goes on until its steps are used up.
        let count = 3000;
        let edges: Vec<(usize, usize)> = (0..count)
            .map(|vertex| (vertex, if vertex % 5 == 4 { vertex - 4 } else { vertex + 1 }))
            .collect();
        assert_eq!(colours(&graph(count, &edges)), 3);
    }
}
