//! Where states, labels and arrows go.
//!
//! The four steps of layered drawing: arrows back to earlier states are turned round; states get the
//! layer of their longest way from the start; every arrow gets a point for its label and further
//! points in the layers it crosses; layers are ordered by the mean of their neighbours and then
//! placed as near to it as the distances allow.
//!
//! Invariant: an arrow that is not a loop runs from a lower to a higher layer, and its label is
//! in an odd layer while states are in even ones.

use cranelift_entity::{EntityRef, SecondaryMap};

use super::Edge;
use crate::lts::StateId;

/// Height of a line of labels.
pub(super) const LINE: f64 = 15.0;
const MARGIN: f64 = 30.0;
const LAYER_GAP: f64 = 22.0;
const STATE_GAP: f64 = 20.0;
const LABEL_GAP: f64 = 8.0;
const SWEEPS: usize = 16;
/// How far from the middle of a state arrows meet it, and how much the round side recedes there.
const BACK: f64 = 5.0;
const INSET: f64 = 1.0;

/// A placed box, by its centre.
#[derive(Clone, Copy, Default)]
pub(super) struct Item {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

pub(super) struct Route {
    /// The `d` of the arrow's path.
    pub path: String,
    pub label: (f64, f64),
    pub backwards: bool,
}

pub(super) struct Layout {
    pub states: SecondaryMap<StateId, Item>,
    pub routes: Vec<Route>,
    pub size: (f64, f64),
}

/// How wide a label is in small letters, without room around it.
pub fn label_width(text: &str) -> f64 {
    text_width(text) * 12.0 / 13.0
}

fn text_width(text: &str) -> f64 {
    let width = |c: char| if c.is_uppercase() || c == '_' { 9.0 } else { 7.4 };
    text.chars().map(width).sum()
}

/// The graph of boxes: states first, then the points of the arrows.
struct Boxes {
    items: Vec<Item>,
    layer: Vec<usize>,
    /// Neighbours in the layer before and in the layer after.
    before: Vec<Vec<usize>>,
    after: Vec<Vec<usize>>,
    gap: Vec<f64>,
    /// The width that is kept free in the column, for what is wider than the box itself.
    room: Vec<f64>,
}

impl Boxes {
    fn add(&mut self, layer: usize, width: f64, height: f64, gap: f64) -> usize {
        self.items.push(Item {
            x: 0.0,
            y: 0.0,
            width,
            height,
        });
        self.layer.push(layer);
        self.before.push(Vec::new());
        self.after.push(Vec::new());
        self.gap.push(gap);
        self.room.push(width);
        self.items.len() - 1
    }

    fn connect(&mut self, from: usize, to: usize) {
        self.after[from].push(to);
        self.before[to].push(from);
    }
}

impl Layout {
    pub fn new(initial: StateId, labels: &[String], edges: &[Edge]) -> Self {
        let backwards = returning_edges(initial, labels.len(), edges);
        let layer = longest_ways(labels.len(), edges, &backwards);
        let mut boxes = Boxes {
            items: Vec::new(),
            layer: Vec::new(),
            before: Vec::new(),
            after: Vec::new(),
            gap: Vec::new(),
            room: Vec::new(),
        };
        for (state, label) in labels.iter().enumerate() {
            let loops = edges
                .iter()
                .filter(|edge| edge.source == edge.target && edge.source.index() == state)
                .map(|edge| 34.0 + edge.labels.len() as f64 * LINE)
                .sum::<f64>();
            // A loop and its labels stand above the state; the room is kept below too.
            let width = (text_width(label) + 16.0).max(30.0);
            let added = boxes.add(2 * layer[state], width, 28.0, STATE_GAP + loops);
            let labels = edges
                .iter()
                .filter(|edge| edge.source == edge.target && edge.source.index() == state)
                .flat_map(|edge| &edge.labels);
            boxes.room[added] = labels.map(|label| text_width(label)).fold(width, f64::max);
        }
        let chains: Vec<Vec<usize>> = edges
            .iter()
            .zip(&backwards)
            .map(|(edge, &backwards)| add_chain(&mut boxes, edge, backwards))
            .collect();
        let mut layers = order(&boxes);
        place_columns(&mut boxes, &layers);
        place_rows(&mut boxes, &mut layers, labels.len());
        let size = shift_into_view(&mut boxes, edges);
        let routes = edges
            .iter()
            .zip(&chains)
            .zip(&backwards)
            .map(|((edge, chain), &backwards)| match edge.source == edge.target {
                true => loop_route(&boxes.items[edge.source.index()], edge.labels.len()),
                false => route(&boxes, edge, chain, backwards),
            })
            .collect();
        let mut states = SecondaryMap::new();
        for (index, &item) in boxes.items[..labels.len()].iter().enumerate() {
            states[StateId::new(index)] = item;
        }
        Layout { states, routes, size }
    }
}

/// Which arrows lead to a state that a breadth-first search finds earlier.
fn returning_edges(initial: StateId, states: usize, edges: &[Edge]) -> Vec<bool> {
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); states];
    for edge in edges {
        out[edge.source.index()].push(edge.target.index());
    }
    let mut number = vec![usize::MAX; states];
    let mut found = vec![initial.index()];
    number[initial.index()] = 0;
    let mut next = 0;
    while let Some(&state) = found.get(next) {
        next += 1;
        for &target in &out[state] {
            if number[target] == usize::MAX {
                number[target] = found.len();
                found.push(target);
            }
        }
    }
    edges
        .iter()
        .map(|edge| number[edge.target.index()] < number[edge.source.index()])
        .collect()
}

/// The ends of an arrow in drawing direction.
fn ends(edge: &Edge, backwards: bool) -> (usize, usize) {
    let (source, target) = (edge.source.index(), edge.target.index());
    if backwards {
        (target, source)
    } else {
        (source, target)
    }
}

fn longest_ways(states: usize, edges: &[Edge], backwards: &[bool]) -> Vec<usize> {
    let mut layer = vec![0; states];
    // Without cycles every way has fewer steps than there are states.
    for _ in 0..states {
        let mut changed = false;
        for (edge, &backwards) in edges.iter().zip(backwards) {
            let (from, to) = ends(edge, backwards);
            if from != to && layer[to] <= layer[from] {
                layer[to] = layer[from] + 1;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    layer
}

/// The points of an arrow between its ends: the label first, then one in each layer it crosses.
fn add_chain(boxes: &mut Boxes, edge: &Edge, backwards: bool) -> Vec<usize> {
    let (from, to) = ends(edge, backwards);
    if from == to {
        return Vec::new();
    }
    let mut previous = from;
    let mut chain = Vec::new();
    let first = boxes.layer[from] + 1;
    let last = boxes.layer[to];
    // The label is next to where the arrow starts.
    let label_layer = if backwards { last - 1 } else { first };
    for layer in first..last {
        let point = if layer == label_layer {
            let width = edge
                .labels
                .iter()
                .map(|label| text_width(label))
                .fold(0.0, f64::max);
            boxes.add(layer, width + 8.0, edge.labels.len() as f64 * LINE, LABEL_GAP)
        } else {
            boxes.add(layer, 4.0, 4.0, LABEL_GAP)
        };
        boxes.connect(previous, point);
        chain.push(point);
        previous = point;
    }
    boxes.connect(previous, to);
    chain
}

/// Boxes of each layer from top to bottom.
fn order(boxes: &Boxes) -> Vec<Vec<usize>> {
    let count = boxes.layer.iter().max().map_or(0, |&last| last + 1);
    let mut layers: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (item, &layer) in boxes.layer.iter().enumerate() {
        layers[layer].push(item);
    }
    let mut position = vec![0.0; boxes.items.len()];
    let number = |layers: &[Vec<usize>], position: &mut [f64]| {
        for layer in layers {
            for (index, &item) in layer.iter().enumerate() {
                position[item] = index as f64;
            }
        }
    };
    number(&layers, &mut position);
    let (mut best, mut fewest) = (layers.clone(), crossings(boxes, &layers, &position));
    for sweep in 0..SWEEPS {
        let forwards = sweep % 2 == 0;
        let neighbours = if forwards { &boxes.before } else { &boxes.after };
        let indices: Vec<usize> = if forwards {
            (0..count).collect()
        } else {
            (0..count).rev().collect()
        };
        for index in indices {
            let mean = |item: usize| match neighbours[item].as_slice() {
                [] => position[item],
                list => list.iter().map(|&other| position[other]).sum::<f64>() / list.len() as f64,
            };
            let mut keyed: Vec<(f64, usize)> = layers[index].iter().map(|&item| (mean(item), item)).collect();
            keyed.sort_by(|one, other| one.0.total_cmp(&other.0));
            layers[index] = keyed.into_iter().map(|(_, item)| item).collect();
            for (place, &item) in layers[index].iter().enumerate() {
                position[item] = place as f64;
            }
        }
        let now = crossings(boxes, &layers, &position);
        if now < fewest {
            (best, fewest) = (layers.clone(), now);
        }
    }
    best
}

fn crossings(boxes: &Boxes, layers: &[Vec<usize>], position: &[f64]) -> usize {
    let mut count = 0;
    for layer in layers {
        let lines: Vec<(f64, f64)> = layer
            .iter()
            .flat_map(|&item| {
                boxes.after[item]
                    .iter()
                    .map(move |&other| (position[item], position[other]))
            })
            .collect();
        for (index, one) in lines.iter().enumerate() {
            count += lines[index + 1..]
                .iter()
                .filter(|other| (one.0 - other.0) * (one.1 - other.1) < 0.0)
                .count();
        }
    }
    count
}

fn place_columns(boxes: &mut Boxes, layers: &[Vec<usize>]) {
    let mut x = MARGIN;
    for layer in layers {
        let width = layer.iter().map(|&item| boxes.room[item]).fold(0.0, f64::max);
        for &item in layer {
            boxes.items[item].x = x + width / 2.0;
        }
        x += width + LAYER_GAP;
    }
}

/// Each layer as near to the means of its neighbours as order and distances allow.
fn place_rows(boxes: &mut Boxes, layers: &mut [Vec<usize>], states: usize) {
    for layer in layers.iter() {
        let wanted = vec![0.0; layer.len()];
        settle(boxes, layer, &wanted);
    }
    for sweep in 0..SWEEPS {
        let count = layers.len();
        for step in 0..count {
            let layer = &layers[if sweep % 2 == 0 { step } else { count - 1 - step }];
            let wanted: Vec<f64> = layer
                .iter()
                .map(|&item| {
                    // Points of long arrows pull harder, which makes the arrows straight.
                    let (sum, weight) = boxes.before[item].iter().chain(&boxes.after[item]).fold(
                        (0.0, 0.0),
                        |(sum, weight), &other| {
                            let pull = if item >= states && other >= states {
                                4.0
                            } else {
                                1.0
                            };
                            (sum + pull * boxes.items[other].y, weight + pull)
                        },
                    );
                    if weight == 0.0 {
                        boxes.items[item].y
                    } else {
                        sum / weight
                    }
                })
                .collect();
            settle(boxes, layer, &wanted);
        }
    }
}

/// Least squares under the distances, by pooling neighbours that would overlap.
fn settle(boxes: &mut Boxes, layer: &[usize], wanted: &[f64]) {
    // Distance of each box from the first if all stood as near as they may.
    let mut offsets = Vec::with_capacity(layer.len());
    let mut offset = 0.0;
    for (index, &item) in layer.iter().enumerate() {
        if let Some(&above) = index.checked_sub(1).and_then(|above| layer.get(above)) {
            let heights = (boxes.items[above].height + boxes.items[item].height) / 2.0;
            offset += heights + boxes.gap[above].max(boxes.gap[item]);
        }
        offsets.push(offset);
    }
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for (&wanted, &offset) in wanted.iter().zip(&offsets) {
        pools.push((wanted - offset, 1));
        while let [.., (above, above_count), (below, below_count)] = pools[..]
            && above > below
        {
            let count = above_count + below_count;
            let mean = (above * above_count as f64 + below * below_count as f64) / count as f64;
            pools.truncate(pools.len() - 2);
            pools.push((mean, count));
        }
    }
    let values = pools
        .iter()
        .flat_map(|&(value, count)| std::iter::repeat_n(value, count));
    for ((&item, &offset), value) in layer.iter().zip(&offsets).zip(values) {
        boxes.items[item].y = value + offset;
    }
}

fn shift_into_view(boxes: &mut Boxes, edges: &[Edge]) -> (f64, f64) {
    let loop_room = |index: usize| {
        edges
            .iter()
            .filter(|edge| edge.source == edge.target && edge.source.index() == index)
            .map(|edge| 30.0 + edge.labels.len() as f64 * LINE)
            .fold(0.0, f64::max)
    };
    let top = boxes
        .items
        .iter()
        .enumerate()
        .map(|(index, item)| item.y - item.height / 2.0 - loop_room(index))
        .fold(f64::INFINITY, f64::min);
    let mut size = (0.0_f64, 0.0_f64);
    for (item, room) in boxes.items.iter_mut().zip(&boxes.room) {
        item.y += MARGIN / 2.0 - top;
        size.0 = size.0.max(item.x + room / 2.0 + MARGIN);
        size.1 = size.1.max(item.y + item.height / 2.0 + MARGIN / 2.0);
    }
    size
}

/// An arrow through the points of its chain; level inside labels, curved between the layers.
fn route(boxes: &Boxes, edge: &Edge, chain: &[usize], backwards: bool) -> Route {
    let mut points = chain.to_vec();
    if backwards {
        points.reverse();
    }
    let label = &boxes.items[points[0]];
    let (source, target) = (
        &boxes.items[edge.source.index()],
        &boxes.items[edge.target.index()],
    );
    let direction = if backwards { -1.0 } else { 1.0 };
    // Ways there and back meet a state at different heights.
    let height = direction * -BACK;
    let mut at = (
        source.x + direction * (source.width / 2.0 - INSET),
        source.y + height,
    );
    let mut path = format!("M{:.1} {:.1}", at.0, at.1);
    let mut curve = |to: (f64, f64), at: &mut (f64, f64)| {
        let middle = (at.0 + to.0) / 2.0;
        path.push_str(&format!(
            "C{middle:.1} {:.1} {middle:.1} {:.1} {:.1} {:.1}",
            at.1, to.1, to.0, to.1
        ));
        *at = to;
    };
    for &point in &points {
        let item = &boxes.items[point];
        let half = direction * item.width / 2.0;
        curve((item.x - half, item.y), &mut at);
        curve((item.x + half, item.y), &mut at);
    }
    curve(
        (target.x - direction * (target.width / 2.0 + 1.0), target.y),
        &mut at,
    );
    Route {
        path,
        label: (label.x, label.y),
        backwards,
    }
}

fn loop_route(item: &Item, labels: usize) -> Route {
    let top = item.y - item.height / 2.0;
    let (left, right) = (item.x - 7.0, item.x + 7.0);
    Route {
        path: format!(
            "M{left:.1} {top:.1}C{:.1} {:.1} {:.1} {:.1} {right:.1} {:.1}",
            left - 12.0,
            top - 26.0,
            right + 12.0,
            top - 26.0,
            top - 1.0
        ),
        label: (item.x, top - 24.0 - (labels as f64 - 1.0) * LINE / 2.0),
        backwards: false,
    }
}
