//! The choice of values that are still open.

use lariat_term::{Sort, SortId, TermPool, Value};

use super::give_up;
use super::machine::Halt;
use super::value::{OpenCell, Val};

/// What texts are made of: characters that parsers look for come more often than others.
const TEXT: &[u8] = b"0123456789 \n\t-+.,:;=/\"'()[]{}abcefnrstuxyzABCE 1 2 a\n";

/// Half of the choices that [`Chooser::truths`] counts.
const EVEN: u64 = 16;

/// The seeded generator (splitmix64), and how often anything was chosen.
#[derive(Clone, Debug)]
pub(super) struct Chooser<'a> {
    state: u64,
    /// So many of 32 truth values are true. A low number gives long inputs, where the other value means their end.
    truths: u64,
    /// Characters are mostly those of texts.
    is_text: bool,
    /// Numbers that occur in the program.
    literals: &'a [i128],
    pub choices: u64,
}

impl<'a> Chooser<'a> {
    pub fn new(seed: u64, literals: &'a [i128]) -> Self {
        Chooser {
            state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5851_F42D_4C95_7F2D,
            literals,
            choices: 0,
            truths: match seed % 8 {
                1 | 5 => 4,
                3 | 7 => 1,
                6 => 28,
                _ => EVEN,
            },
            is_text: !seed.is_multiple_of(2),
        }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit.max(1)
    }

    /// One of several ways. There are others, so it is a choice.
    pub fn among(&mut self, count: usize) -> usize {
        self.choices += 1;
        self.below(count as u64) as usize
    }

    /// The same for the targets of a jump: of two the first is where the condition is true.
    pub fn target(&mut self, count: usize) -> usize {
        if count != 2 || self.truths == EVEN {
            return self.among(count);
        }
        self.choices += 1;
        usize::from(self.below(2 * EVEN) >= self.truths)
    }

    /// Gives the cell a value of its range. It is a choice unless there is only one.
    pub fn settle(&mut self, pool: &TermPool, cell: &OpenCell) -> Result<Val, Halt> {
        if let Some(value) = cell.value.get() {
            return Ok(value.clone());
        }
        let (low, high) = (cell.low.get(), cell.high.get());
        if low != high {
            self.choices += 1;
        }
        let wanted = if low == high { low } else { self.number(low, high) };
        let value = match cell.nearest(wanted) {
            Some(value) => value,
            None => self.other(pool, cell.sort)?,
        };
        // The cell was empty above.
        Ok(cell.value.get_or_init(|| value).clone())
    }

    /// Between the bounds: their ends, 0, 1, small numbers, those of the program, any.
    fn number(&mut self, low: i128, high: i128) -> i128 {
        if (low, high) == (0, 1) && self.truths != EVEN {
            return i128::from(self.below(2 * EVEN) < self.truths);
        }
        let is_character = matches!((low, high), (0, 255) | (-128, 127));
        if is_character && self.is_text && self.below(4) != 0 {
            return i128::from(TEXT[self.below(TEXT.len() as u64) as usize]);
        }
        let near = i128::from(self.below(3)) - 1;
        let wanted = match self.below(8) {
            0 => 0,
            1 => 1,
            2 if low != i128::MIN => low.saturating_add(near.abs()),
            3 if high != i128::MAX => high.saturating_sub(near.abs()),
            4 | 5 if !self.literals.is_empty() => {
                let index = self.below(self.literals.len() as u64) as usize;
                self.literals[index].saturating_add(near)
            }
            6 => i128::from(self.next()) - (1 << 63),
            _ => i128::from(self.below(21)) - 10,
        };
        if (low..=high).contains(&wanted) {
            return wanted;
        }
        // Somewhere inside, and where there are no bounds not too far out.
        let span = high.checked_sub(low).unwrap_or(i128::MAX).saturating_add(1);
        let offset = wanted.saturating_abs() % span;
        match (low, high) {
            (i128::MIN, _) => high.saturating_sub(offset),
            _ => low.saturating_add(offset).min(high),
        }
    }

    /// Of a sort without numbers.
    fn other(&mut self, pool: &TermPool, sort: Option<SortId>) -> Result<Val, Halt> {
        let Some(sort) = sort else {
            return Err(Halt::NeedsChoice);
        };
        if let Sort::Uninterpreted(_) = pool.sort(sort) {
            let index = self.below(3);
            return Ok(Val::literal(Value::Element { sort, index }));
        }
        Value::any_of(pool, sort)
            .map(Val::literal)
            .ok_or_else(|| give_up("a value of a sort without values is needed"))
    }
}
