//! Elements of a map by small whole numbers: pages of neighbours, found by hashing their number.
//!
//! A page is shared by copies of a map until one of them writes to it. The page that was used last is
//! found without hashing.

use std::cell::Cell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::value::Val;

/// The elements of a page, as a power of two: the present ones are bits of a `u32`.
const PAGE_BITS: u32 = 5;
const PAGE_SIZE: usize = 1 << PAGE_BITS;

#[derive(Clone, Debug, Default)]
pub(super) struct Words {
    /// The index in `pages` by the number of the page.
    numbers: FxHashMap<i64, u32>,
    pages: Vec<Rc<Page>>,
    /// The number and the index of the page that was used last.
    last: Cell<Option<(i64, u32)>>,
}

#[derive(Clone, Debug)]
struct Page {
    present: u32,
    /// The elements, if all of them are small numbers.
    numbers: [i64; PAGE_SIZE],
    /// The elements otherwise.
    values: Option<Box<[Val; PAGE_SIZE]>>,
}

impl Page {
    fn get(&self, slot: usize) -> Option<Val> {
        if self.present & (1 << slot) == 0 {
            return None;
        }
        Some(match &self.values {
            None => Val::Int(self.numbers[slot]),
            Some(values) => values[slot].clone(),
        })
    }

    fn set(&mut self, slot: usize, value: Val) {
        match (&mut self.values, value) {
            (None, Val::Int(number)) => self.numbers[slot] = number,
            (Some(values), value) => values[slot] = value,
            (None, value) => {
                let mut values = Box::new(self.numbers.map(Val::Int));
                values[slot] = value;
                self.values = Some(values);
            }
        }
        self.present |= 1 << slot;
    }
}

fn split(index: i64) -> (i64, usize) {
    let slot = index & (PAGE_SIZE as i64 - 1);
    (index >> PAGE_BITS, slot as usize)
}

impl Words {
    #[inline]
    fn position(&self, page: i64) -> Option<u32> {
        if let Some((last, position)) = self.last.get()
            && last == page
        {
            return Some(position);
        }
        let position = *self.numbers.get(&page)?;
        self.last.set(Some((page, position)));
        Some(position)
    }

    #[inline]
    pub fn get(&self, index: i64) -> Option<Val> {
        let (page, slot) = split(index);
        self.pages[self.position(page)? as usize].get(slot)
    }

    #[inline]
    pub fn set(&mut self, index: i64, value: Val) {
        let (page, slot) = split(index);
        let position = match self.position(page) {
            Some(position) => position,
            None => self.add(page),
        };
        Rc::make_mut(&mut self.pages[position as usize]).set(slot, value);
    }

    fn add(&mut self, page: i64) -> u32 {
        let position = self.pages.len() as u32;
        self.pages.push(Rc::new(Page {
            present: 0,
            numbers: [0; PAGE_SIZE],
            values: None,
        }));
        self.numbers.insert(page, position);
        self.last.set(Some((page, position)));
        position
    }

    /// All elements, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (i64, Val)> {
        self.numbers.iter().flat_map(|(&page, &position)| {
            let elements = &self.pages[position as usize];
            (0..PAGE_SIZE)
                .filter_map(move |slot| Some(((page << PAGE_BITS) | slot as i64, elements.get(slot)?)))
        })
    }

    /// The indices of elements that two copies may have different values at.
    pub fn differences(&self, other: &Words) -> Vec<i64> {
        let mut indices = Vec::new();
        for (&page, &position) in &self.numbers {
            let mine = &self.pages[position as usize];
            let present = match other.numbers.get(&page) {
                Some(&position) if Rc::ptr_eq(mine, &other.pages[position as usize]) => continue,
                Some(&position) => mine.present | other.pages[position as usize].present,
                None => mine.present,
            };
            let slots = (0..PAGE_SIZE).filter(|slot| present & (1 << slot) != 0);
            indices.extend(slots.map(|slot| (page << PAGE_BITS) | slot as i64));
        }
        for (&page, &position) in &other.numbers {
            if !self.numbers.contains_key(&page) {
                let present = other.pages[position as usize].present;
                let slots = (0..PAGE_SIZE).filter(|slot| present & (1 << slot) != 0);
                indices.extend(slots.map(|slot| (page << PAGE_BITS) | slot as i64));
            }
        }
        indices
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(value: Option<Val>) -> Option<i64> {
        match value? {
            Val::Int(number) => Some(number),
            _ => None,
        }
    }

    #[test]
    fn elements_are_found_at_negative_and_far_indices() {
        let mut words = Words::default();
        let indices = [0, 1, 31, 32, -1, -32, -33, i64::MAX, i64::MIN, 1 << 32];
        for (value, &index) in (0..).zip(&indices) {
            assert!(words.get(index).is_none());
            words.set(index, Val::Int(value));
        }
        for (value, &index) in (0..).zip(&indices) {
            assert_eq!(number(words.get(index)), Some(value), "{index}");
        }
        assert_eq!(words.iter().count(), indices.len());
    }

    #[test]
    fn a_page_can_hold_any_values() {
        let mut words = Words::default();
        words.set(3, Val::Int(7));
        words.set(4, Val::Bool(true));
        words.set(5, Val::Int(8));
        assert_eq!(number(words.get(3)), Some(7));
        assert!(matches!(words.get(4), Some(Val::Bool(true))));
        assert_eq!(number(words.get(5)), Some(8));
        assert!(words.get(6).is_none());
    }

    #[test]
    fn a_copy_is_not_changed_by_writes_to_the_original() {
        let mut words = Words::default();
        words.set(3, Val::Int(7));
        words.set(100, Val::Int(9));
        let copy = words.clone();
        words.set(3, Val::Int(8));
        words.set(200, Val::Int(1));
        assert_eq!(number(copy.get(3)), Some(7));
        assert!(copy.get(200).is_none());
        let mut differences = words.differences(&copy);
        differences.sort_unstable();
        assert_eq!(differences, [3, 200]);
        assert_eq!(copy.differences(&words).len(), 2);
    }
}
