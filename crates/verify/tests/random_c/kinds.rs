//! The arithmetic types of C on lp64: sizes, promotions, conversions, literals.

use lariat_testkit::Random;

/// An arithmetic type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Bool,
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LLong,
    ULLong,
    Float,
    Double,
}

pub const INTEGERS: [Kind; 12] = [
    Kind::Bool,
    Kind::Char,
    Kind::SChar,
    Kind::UChar,
    Kind::Short,
    Kind::UShort,
    Kind::Int,
    Kind::UInt,
    Kind::Long,
    Kind::ULong,
    Kind::LLong,
    Kind::ULLong,
];

/// How often each integer type is drawn.
const WEIGHTS: [usize; 12] = [4, 7, 6, 8, 8, 8, 22, 15, 7, 6, 6, 6];

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::Bool => "_Bool",
            Kind::Char => "char",
            Kind::SChar => "signed char",
            Kind::UChar => "unsigned char",
            Kind::Short => "short",
            Kind::UShort => "unsigned short",
            Kind::Int => "int",
            Kind::UInt => "unsigned int",
            Kind::Long => "long",
            Kind::ULong => "unsigned long",
            Kind::LLong => "long long",
            Kind::ULLong => "unsigned long long",
            Kind::Float => "float",
            Kind::Double => "double",
        }
    }

    /// What follows `__VERIFIER_nondet_`.
    pub fn nondet(self) -> &'static str {
        match self {
            Kind::Bool => "bool",
            Kind::Char | Kind::SChar => "char",
            Kind::UChar => "uchar",
            Kind::Short => "short",
            Kind::UShort => "ushort",
            Kind::Int => "int",
            Kind::UInt => "uint",
            Kind::Long => "long",
            Kind::ULong => "ulong",
            Kind::LLong => "longlong",
            Kind::ULLong => "ulonglong",
            Kind::Float => "float",
            Kind::Double => "double",
        }
    }

    pub fn is_float(self) -> bool {
        matches!(self, Kind::Float | Kind::Double)
    }

    pub fn is_signed(self) -> bool {
        !matches!(
            self,
            Kind::Bool | Kind::UChar | Kind::UShort | Kind::UInt | Kind::ULong | Kind::ULLong
        )
    }

    pub fn bytes(self) -> usize {
        match self {
            Kind::Bool | Kind::Char | Kind::SChar | Kind::UChar => 1,
            Kind::Short | Kind::UShort => 2,
            Kind::Int | Kind::UInt | Kind::Float => 4,
            _ => 8,
        }
    }

    /// The type after the integer promotions.
    pub fn promoted(self) -> Kind {
        if self.is_float() || self.bytes() >= 4 {
            self
        } else {
            Kind::Int
        }
    }

    fn rank(self) -> u8 {
        match self {
            Kind::Double => 9,
            Kind::Float => 8,
            Kind::LLong | Kind::ULLong => 3,
            Kind::Long | Kind::ULong => 2,
            _ => 1,
        }
    }

    /// The type of an operation on both (the usual arithmetic conversions).
    pub fn common(self, other: Kind) -> Kind {
        let (a, b) = (self.promoted(), other.promoted());
        let (low, high) = if a.rank() <= b.rank() { (a, b) } else { (b, a) };
        if high.is_float() || low == high || low.is_signed() || !high.is_signed() {
            // An unsigned type wins over a signed one of the same rank.
            return if low.rank() == high.rank() && !low.is_signed() {
                low
            } else {
                high
            };
        }
        // `low` is unsigned, `high` signed.
        match high {
            _ if high.bytes() > low.bytes() => high,
            Kind::Long => Kind::ULong,
            Kind::LLong => Kind::ULLong,
            _ => Kind::UInt,
        }
    }

    pub fn any_integer(random: &mut Random) -> Kind {
        let mut left = random.below(WEIGHTS.iter().sum());
        for (kind, weight) in INTEGERS.into_iter().zip(WEIGHTS) {
            if left < weight {
                return kind;
            }
            left -= weight;
        }
        Kind::Int
    }
}

/// A text with its type.
#[derive(Clone, Debug)]
pub struct Value {
    pub text: String,
    pub kind: Kind,
}

impl Value {
    pub fn new(text: impl Into<String>, kind: Kind) -> Self {
        Value {
            text: text.into(),
            kind,
        }
    }
}

const EDGES: [u64; 24] = [
    0,
    1,
    2,
    3,
    7,
    10,
    31,
    63,
    100,
    127,
    128,
    255,
    256,
    32767,
    32768,
    65535,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x1_0000_0000,
    0x1234_5678_9abc_def0,
    0x7fff_ffff_ffff_ffff,
    0x8000_0000_0000_0000,
    0xffff_ffff_ffff_ffff,
];

/// An integer literal in one of its forms, with the type that the standard gives it.
pub fn literal(random: &mut Random) -> Value {
    if random.chance(8) {
        let text = random.pick(&[
            "'a'", "'Z'", "'\\n'", "'\\0'", "'\\x80'", "'\\377'", "'\\\\'", "' '",
        ]);
        return Value::new(text, Kind::Int);
    }
    let value = match random.below(10) {
        0..=4 => random.below(20) as u64,
        5..=7 => EDGES[random.below(EDGES.len())],
        8 => random.below(1 << 16) as u64,
        _ => (random.below(1 << 32) as u64) << random.below(32) | random.below(1 << 20) as u64,
    };
    let decimal = random.chance(65);
    let digits = match random.below(4) {
        _ if decimal => value.to_string(),
        0 => format!("0{value:o}"),
        1 => format!("0X{value:X}"),
        _ => format!("0x{value:x}"),
    };
    let suffixes = [
        ("", false, 0),
        ("u", true, 0),
        ("L", false, 1),
        ("UL", true, 1),
        ("LL", false, 2),
        ("llu", true, 2),
    ];
    let mut suffix = if random.chance(60) {
        suffixes[0]
    } else {
        suffixes[random.below(suffixes.len())]
    };
    if decimal && value > i64::MAX as u64 && !suffix.1 {
        suffix = suffixes[5];
    }
    let (text, unsigned, length) = suffix;
    // The first type that holds the value.
    let candidates = [
        Kind::Int,
        Kind::UInt,
        Kind::Long,
        Kind::ULong,
        Kind::LLong,
        Kind::ULLong,
    ];
    let limit = |kind: Kind| match (kind.bytes(), kind.is_signed()) {
        (4, true) => i32::MAX as u64,
        (4, false) => u64::from(u32::MAX),
        (_, true) => i64::MAX as u64,
        (_, false) => u64::MAX,
    };
    let kind = candidates
        .into_iter()
        .skip(2 * length)
        .filter(|kind| {
            if unsigned {
                !kind.is_signed()
            } else {
                kind.is_signed() || !decimal
            }
        })
        .find(|&kind| value <= limit(kind))
        .unwrap_or(Kind::ULLong);
    Value::new(format!("{digits}{text}"), kind)
}

/// A constant that a variable of this type can have, as C text (of whatever type).
pub fn constant(random: &mut Random, kind: Kind) -> String {
    if kind == Kind::Bool {
        return random.below(2).to_string();
    }
    if kind.is_float() {
        let text = float_literal(random, true).text;
        // Exact in both types, so that no conversion rounds.
        return if random.chance(30) {
            format!("-{text}")
        } else {
            text
        };
    }
    let bits = 8 * kind.bytes() as u32;
    let pattern = match random.below(10) {
        0..=4 => random.below(20) as u64,
        5..=6 => EDGES[random.below(EDGES.len())],
        7 => (random.below(200) as u64).wrapping_neg(),
        _ => (random.below(1 << 32) as u64) << 32 | random.below(1 << 32) as u64,
    };
    if kind.is_signed() {
        let value = (pattern as i64) << (64 - bits) >> (64 - bits);
        match value {
            i64::MIN => "(-9223372036854775807LL - 1)".to_owned(),
            _ if value < 0 => format!("(-{})", value.unsigned_abs()),
            _ => value.to_string(),
        }
    } else {
        let value = pattern << (64 - bits) >> (64 - bits);
        if bits == 64 {
            format!("{value}ULL")
        } else {
            format!("{value}u")
        }
    }
}

/// A floating literal: never zero; if `exact`, a value of `float`.
pub fn float_literal(random: &mut Random, exact: bool) -> Value {
    const TEXTS: [&str; 20] = [
        "0.5",
        "1.0",
        "2.0",
        "1.5",
        "3.25",
        "100.0",
        "0.125",
        "7.",
        "1e3",
        "0x1.8p3",
        ".75",
        "65536.0",
        "255.0",
        "3.0",
        "10.0",
        "16777216.0",
        "0.1",
        "3.3",
        "1e-3",
        "1e10",
    ];
    let count = if exact { TEXTS.len() - 4 } else { TEXTS.len() };
    let text = TEXTS[random.below(count)];
    if random.chance(30) {
        Value::new(format!("{text}f"), Kind::Float)
    } else {
        Value::new(text, Kind::Double)
    }
}
