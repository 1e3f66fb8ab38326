//! Values that are added one by one, each with a typed id, and that are only taken away from the end.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

use cranelift_entity::EntityRef;

#[derive(Clone, Debug)]
pub(crate) struct Arena<K, V> {
    values: Vec<V>,
    keys: PhantomData<K>,
}

impl<K, V> Default for Arena<K, V> {
    fn default() -> Self {
        Arena {
            values: Vec::new(),
            keys: PhantomData,
        }
    }
}

impl<K: EntityRef, V> Arena<K, V> {
    pub(crate) fn push(&mut self, value: V) -> K {
        let id = K::new(self.values.len());
        self.values.push(value);
        id
    }

    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = &V> {
        self.values.iter()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (K, &V)> {
        let ids = (0..self.values.len()).map(K::new);
        ids.zip(&self.values)
    }

    /// Takes away everything but the first `length` values.
    pub(crate) fn cut(&mut self, length: usize) -> Vec<V> {
        self.values.split_off(length.min(self.values.len()))
    }
}

impl<K: EntityRef, V> Index<K> for Arena<K, V> {
    type Output = V;

    fn index(&self, id: K) -> &V {
        &self.values[id.index()]
    }
}

impl<K: EntityRef, V> IndexMut<K> for Arena<K, V> {
    fn index_mut(&mut self, id: K) -> &mut V {
        &mut self.values[id.index()]
    }
}
