//! A map that is cheap to copy: a radix tree whose unchanged parts are shared.
//!
//! Data-flow states of neighbouring blocks differ in few variables; where two of them meet,
//! only the parts that are not shared are looked at.

use std::rc::Rc;

const BITS: u32 = 4;
const WIDTH: usize = 1 << BITS;

#[derive(Clone, Debug)]
enum Node<V> {
    Inner([Option<Rc<Node<V>>>; WIDTH]),
    Leaf([Option<V>; WIDTH]),
}

/// A partial map from the numbers below a capacity.
#[derive(Clone, Debug)]
pub(crate) struct PersistentMap<V> {
    capacity: usize,
    /// Levels of inner nodes above the leaves.
    height: u32,
    root: Option<Rc<Node<V>>>,
}

fn slot(key: usize, level: u32) -> usize {
    key >> (BITS * level) & (WIDTH - 1)
}

impl<V: Copy + PartialEq> PersistentMap<V> {
    /// An empty map for keys below the capacity.
    pub(crate) fn with_capacity(capacity: usize) -> Self {
        let mut height = 0;
        while capacity >> (BITS * (height + 1)) != 0 {
            height += 1;
        }
        PersistentMap {
            capacity,
            height,
            root: None,
        }
    }

    /// The value of the key; a key that is not below the capacity has none.
    pub(crate) fn get(&self, key: usize) -> Option<V> {
        if key >= self.capacity {
            return None;
        }
        let mut node = self.root.as_ref()?;
        let mut level = self.height;
        loop {
            match &**node {
                Node::Leaf(values) => return values[slot(key, 0)],
                Node::Inner(children) => node = children[slot(key, level)].as_ref()?,
            }
            level -= 1;
        }
    }

    pub(crate) fn insert(&mut self, key: usize, value: V) {
        debug_assert!(key < self.capacity);
        if self.get(key) == Some(value) {
            return;
        }
        let mut place = &mut self.root;
        for level in (1..=self.height).rev() {
            let node = place.get_or_insert_with(|| Rc::new(Node::Inner([const { None }; WIDTH])));
            match Rc::make_mut(node) {
                Node::Inner(children) => place = &mut children[slot(key, level)],
                Node::Leaf(_) => unreachable!("leaves are at level 0"),
            }
        }
        let node = place.get_or_insert_with(|| Rc::new(Node::Leaf([None; WIDTH])));
        match Rc::make_mut(node) {
            Node::Leaf(values) => values[slot(key, 0)] = Some(value),
            Node::Inner(_) => unreachable!("inner nodes are above level 0"),
        }
    }

    pub(crate) fn remove(&mut self, key: usize) {
        if self.get(key).is_none() {
            return;
        }
        let mut place = &mut self.root;
        let mut level = self.height;
        while let Some(node) = place {
            match Rc::make_mut(node) {
                Node::Leaf(values) => {
                    values[slot(key, 0)] = None;
                    return;
                }
                Node::Inner(children) => place = &mut children[slot(key, level)],
            }
            level -= 1;
        }
    }

    /// Keeps the entries that the other map has too; whether any was dropped.
    pub(crate) fn keep_common(&mut self, other: &Self) -> bool {
        keep_common(&mut self.root, &other.root)
    }
}

/// Recurses no deeper than the height of the tree.
fn keep_common<V: Copy + PartialEq>(mine: &mut Option<Rc<Node<V>>>, other: &Option<Rc<Node<V>>>) -> bool {
    let (Some(node), Some(other)) = (&mut *mine, other) else {
        return mine.take().is_some();
    };
    if Rc::ptr_eq(node, other) {
        return false;
    }
    let mut changed = false;
    for index in 0..WIDTH {
        match (&**node, &**other) {
            (Node::Inner(children), Node::Inner(other)) => {
                let mut child = children[index].clone();
                if keep_common(&mut child, &other[index]) {
                    changed = true;
                    if let Node::Inner(children) = Rc::make_mut(node) {
                        children[index] = child;
                    }
                }
            }
            (Node::Leaf(values), Node::Leaf(other)) => {
                if values[index].is_some() && values[index] != other[index] {
                    changed = true;
                    if let Node::Leaf(values) = Rc::make_mut(node) {
                        values[index] = None;
                    }
                }
            }
            _ => unreachable!("maps of one capacity have one shape"),
        }
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_do_not_see_later_changes() {
        let mut map = PersistentMap::with_capacity(1_000);
        map.insert(3, 'a');
        map.insert(999, 'b');
        let copy = map.clone();
        map.insert(3, 'c');
        map.remove(999);
        assert_eq!((copy.get(3), copy.get(999)), (Some('a'), Some('b')));
        assert_eq!((map.get(3), map.get(999)), (Some('c'), None));
    }

    #[test]
    fn common_entries_are_those_with_equal_values() {
        let mut left = PersistentMap::with_capacity(5_000);
        (0..5_000).for_each(|key| left.insert(key, key % 7));
        let mut right = left.clone();
        right.insert(4_000, 100);
        right.remove(17);
        right.insert(5, 5);
        assert!(left.keep_common(&right));
        let dropped: Vec<usize> = (0..5_000).filter(|&key| left.get(key).is_none()).collect();
        assert_eq!(dropped, vec![17, 4_000]);
        assert!(!left.keep_common(&right));
    }

    #[test]
    fn nothing_is_common_with_the_empty_map() {
        let mut map = PersistentMap::with_capacity(10);
        map.insert(9, 1);
        assert!(map.keep_common(&PersistentMap::with_capacity(10)));
        assert_eq!(map.get(9), None);
    }
}
