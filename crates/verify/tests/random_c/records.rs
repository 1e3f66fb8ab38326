//! Struct types: their fields, the places in them and their initialisers.

use super::generator::Generator;
use super::kinds::{Kind, constant};
use super::scope::{Array, Place, RecordPlace, RecordPointer, Scope};

#[derive(Clone, Debug)]
pub enum Shape {
    Scalar(Kind),
    Bits(Kind, u32),
    Array(Kind, usize),
    Record(usize),
    /// A union of one wide integer, narrower ones and bytes.
    Union(Kind, Kind),
    /// A pointer to a global variable.
    Pointer(Kind, String),
}

#[derive(Clone, Debug)]
pub struct Record {
    pub tag: String,
    pub fields: Vec<(String, Shape)>,
    pub packed: bool,
}

/// A place in a struct; `@` stands for the struct.
#[derive(Clone, Debug)]
pub struct Path {
    pub template: String,
    pub kind: Kind,
    pub addressable: bool,
}

impl Generator {
    /// A new struct type; the declaration is added to the program.
    pub fn add_record(&mut self, globals: &Scope) {
        let tag = self.name("s");
        let mut fields = Vec::new();
        let packed = self.random.chance(12);
        for index in 0..2 + self.random.below(4) {
            let shape = self.shape(globals);
            fields.push((format!("f{index}"), shape));
        }
        let mut text = format!("struct {tag} {{");
        for (name, shape) in &fields {
            let declaration = match shape {
                Shape::Scalar(kind) => format!("{} {name}", kind.name()),
                Shape::Bits(kind, width) => format!("{} {name} : {width}", kind.name()),
                Shape::Array(kind, length) => format!("{} {name}[{length}]", kind.name()),
                Shape::Record(record) => format!("struct {} {name}", self.records[*record].tag),
                Shape::Union(wide, narrow) => format!("{} {name}", union_type(*wide, *narrow)),
                Shape::Pointer(kind, _) => format!("{} *{name}", kind.name()),
            };
            text.push_str(&format!(" {declaration};"));
        }
        text.push_str(if packed {
            " } __attribute__((packed));"
        } else {
            " };"
        });
        self.declarations.push(text);
        self.records.push(Record { tag, fields, packed });
    }

    fn shape(&mut self, globals: &Scope) -> Shape {
        match self.random.below(20) {
            0..=6 => Shape::Scalar(Kind::any_integer(&mut self.random)),
            7..=12 => {
                let kind = match self.random.below(8) {
                    0 => Kind::Bool,
                    1 => Kind::UChar,
                    2 => Kind::Short,
                    3..=5 => Kind::UInt,
                    _ => Kind::Int,
                };
                let most = if kind == Kind::Bool { 1 } else { 8 * kind.bytes() };
                Shape::Bits(kind, 1 + self.random.below(most) as u32)
            }
            13..=14 => {
                let length = if self.random.chance(50) { 2 } else { 4 };
                Shape::Array(Kind::any_integer(&mut self.random), length)
            }
            15 if !self.records.is_empty() => Shape::Record(self.random.below(self.records.len())),
            16 => {
                let (wide, narrow) = self.union_kinds();
                Shape::Union(wide, narrow)
            }
            17 => Shape::Scalar(if self.random.chance(50) {
                Kind::Float
            } else {
                Kind::Double
            }),
            18 => {
                let targets: Vec<&Place> = globals.places.iter().filter(|place| place.addressable).collect();
                match targets.len() {
                    0 => Shape::Scalar(Kind::Int),
                    count => {
                        let target = targets[self.random.below(count)];
                        Shape::Pointer(target.kind, target.text.clone())
                    }
                }
            }
            _ => Shape::Scalar(Kind::Int),
        }
    }

    pub fn union_kinds(&mut self) -> (Kind, Kind) {
        let wide = [Kind::UInt, Kind::Int, Kind::ULong, Kind::LLong, Kind::UShort];
        let narrow = [
            Kind::Short,
            Kind::UShort,
            Kind::SChar,
            Kind::UInt,
            Kind::Int,
            Kind::UChar,
        ];
        loop {
            let wide = wide[self.random.below(wide.len())];
            let narrow = narrow[self.random.below(narrow.len())];
            if narrow.bytes() < wide.bytes() {
                return (wide, narrow);
            }
        }
    }

    pub fn record_paths(&self, record: usize) -> Vec<Path> {
        let mut paths = Vec::new();
        let record = &self.records[record];
        for (name, shape) in &record.fields {
            let at = format!("@.{name}");
            let mut add = |template: String, kind: Kind, addressable: bool| {
                paths.push(Path {
                    template,
                    kind,
                    addressable: addressable && !record.packed,
                });
            };
            match shape {
                Shape::Scalar(kind) => add(at, *kind, true),
                // A narrow bit-field is promoted to `int`, whatever its type.
                Shape::Bits(kind, 32) => add(at, *kind, false),
                Shape::Bits(Kind::Bool, _) => add(at, Kind::Bool, false),
                Shape::Bits(..) => add(at, Kind::Short, false),
                Shape::Array(kind, length) => {
                    for index in 0..*length {
                        add(format!("{at}[{index}]"), *kind, true);
                    }
                }
                Shape::Record(inner) => {
                    for path in self.record_paths(*inner) {
                        add(path.template.replace('@', &at), path.kind, path.addressable);
                    }
                }
                Shape::Union(wide, narrow) => {
                    for (path, kind) in union_paths(&at, *wide, *narrow) {
                        add(path, kind, true);
                    }
                }
                Shape::Pointer(kind, _) => add(format!("(*{at})"), *kind, false),
            }
        }
        paths
    }

    fn record_arrays(&self, record: usize) -> Vec<(String, Kind, usize)> {
        let mut arrays = Vec::new();
        for (name, shape) in &self.records[record].fields {
            let at = format!("@.{name}");
            match shape {
                Shape::Array(kind, length) => arrays.push((at, *kind, *length)),
                Shape::Union(wide, narrow) => {
                    arrays.push((format!("{at}.h"), *narrow, wide.bytes() / narrow.bytes()));
                    arrays.push((format!("{at}.b"), Kind::UChar, wide.bytes()));
                }
                Shape::Record(inner) => {
                    for (path, kind, length) in self.record_arrays(*inner) {
                        arrays.push((path.replace('@', &at), kind, length));
                    }
                }
                _ => {}
            }
        }
        arrays
    }

    pub fn record_init(&mut self, record: usize) -> String {
        let fields = self.records[record].fields.clone();
        let designated = self.random.chance(40);
        let mut parts = Vec::new();
        for (name, shape) in &fields {
            let value = match shape {
                Shape::Scalar(kind) => constant(&mut self.random, *kind),
                Shape::Bits(kind, _) => constant(&mut self.random, *kind),
                Shape::Array(kind, length) => self.array_init(*kind, *length),
                Shape::Record(inner) => self.record_init(*inner),
                Shape::Union(wide, _) => format!("{{ {} }}", constant(&mut self.random, *wide)),
                Shape::Pointer(_, global) => format!("&{global}"),
            };
            // What is left out is zero; a pointer is not to be null.
            if designated && !self.has_pointer_in(shape) && self.random.chance(25) {
                continue;
            }
            parts.push(if designated {
                format!(".{name} = {value}")
            } else {
                value
            });
        }
        if parts.is_empty() {
            return "{ 0 }".to_owned();
        }
        if designated && self.random.chance(50) {
            parts.reverse();
        }
        format!("{{ {} }}", parts.join(", "))
    }

    fn has_pointer_in(&self, shape: &Shape) -> bool {
        match shape {
            Shape::Pointer(..) => true,
            Shape::Record(inner) => self.has_pointer(*inner),
            _ => false,
        }
    }

    pub fn has_pointer(&self, record: usize) -> bool {
        let fields = &self.records[record].fields;
        fields.iter().any(|(_, shape)| self.has_pointer_in(shape))
    }

    /// Whether any pattern of bits is a value of each field.
    pub fn takes_all_patterns(&self, record: usize) -> bool {
        self.records[record].fields.iter().all(|(_, shape)| match shape {
            Shape::Scalar(kind) | Shape::Array(kind, _) | Shape::Bits(kind, _) => {
                *kind != Kind::Bool && !kind.is_float()
            }
            Shape::Record(inner) => self.takes_all_patterns(*inner),
            Shape::Union(..) => true,
            Shape::Pointer(..) => false,
        })
    }

    /// Names a variable of struct type and all that is in it.
    pub fn add_record_places(&self, scope: &mut Scope, text: &str, record: usize, distinct: bool) {
        for path in self.record_paths(record) {
            scope.places.push(Place {
                text: path.template.replace('@', text),
                kind: path.kind,
                addressable: path.addressable,
            });
        }
        for (path, kind, length) in self.record_arrays(record) {
            scope.arrays.push(Array {
                text: path.replace('@', text),
                kind,
                length,
                writable: true,
            });
        }
        for (name, shape) in &self.records[record].fields {
            if let Shape::Record(inner) = shape {
                scope.records.push(RecordPlace {
                    text: format!("{text}.{name}"),
                    record: *inner,
                    distinct: false,
                });
            }
        }
        scope.records.push(RecordPlace {
            text: text.to_owned(),
            record,
            distinct,
        });
    }

    /// Names a pointer to a struct and what is reached through it.
    pub fn add_record_pointer(&self, scope: &mut Scope, text: &str, record: usize) {
        for path in self.record_paths(record) {
            scope.places.push(Place {
                text: path.template.replace("@.", &format!("{text}->")),
                kind: path.kind,
                addressable: false,
            });
        }
        scope.records.push(RecordPlace {
            text: format!("(*{text})"),
            record,
            distinct: false,
        });
        scope.record_pointers.push(RecordPointer {
            text: text.to_owned(),
            record,
        });
    }
}

pub fn union_type(wide: Kind, narrow: Kind) -> String {
    format!(
        "union {{ {} w; {} h[{}]; unsigned char b[{}]; }}",
        wide.name(),
        narrow.name(),
        wide.bytes() / narrow.bytes(),
        wide.bytes()
    )
}

pub fn union_paths(at: &str, wide: Kind, narrow: Kind) -> Vec<(String, Kind)> {
    let mut paths = vec![(format!("{at}.w"), wide)];
    for index in 0..wide.bytes() / narrow.bytes() {
        paths.push((format!("{at}.h[{index}]"), narrow));
    }
    paths.push((format!("{at}.b[{}]", wide.bytes() - 1), Kind::UChar));
    paths
}
