//! Variables, all of them initialised, and what they make nameable.
//!
//! The name of a global starts with the prefix of the program, that of a local variable does not; a global
//! pointer never points to a local variable.

use super::generator::Generator;
use super::kinds::{Kind, constant};
use super::records::{union_paths, union_type};
use super::scope::{Array, Place, Pointer, Scope, Walker};

impl Generator {
    pub fn is_global(&self, text: &str) -> bool {
        text.starts_with(&format!("p{}_", self.seed))
    }

    pub fn global_scalar(&mut self, globals: &mut Scope) {
        let kind = self.scalar_kind();
        let name = self.name("g");
        let storage = self.random.pick(&["", "static "]);
        let value = constant(&mut self.random, kind);
        // Without initialiser it is zero.
        let text = if self.random.chance(15) {
            format!("{storage}{} {name};", kind.name())
        } else {
            format!("{storage}{} {name} = {value};", kind.name())
        };
        self.declarations.push(text);
        globals.places.push(Place {
            text: name,
            kind,
            addressable: true,
        });
    }

    pub fn global_object(&mut self, globals: &mut Scope) {
        let mut texts = Vec::new();
        let name = self.name("g");
        self.object(globals, &mut texts, &name, true);
        for text in texts {
            self.declarations.push(format!("static {text}"));
        }
    }

    /// The scratch variables, and `count` other objects.
    pub fn local_objects(&mut self, scope: &mut Scope, texts: &mut Vec<String>, count: usize) {
        for index in 0..2 {
            let kind = Kind::any_integer(&mut self.random);
            let name = format!("e{index}");
            self.input(texts, &name, kind);
            scope.scratch.push((name, kind));
        }
        for index in 0..count {
            let name = format!("x{index}");
            if self.random.chance(40) {
                let kind = self.scalar_kind();
                self.input(texts, &name, kind);
                scope.places.push(Place {
                    text: name,
                    kind,
                    addressable: true,
                });
            } else {
                self.object(scope, texts, &name, false);
            }
        }
    }

    /// A local variable with a known value, which the verifier is told by an assumption or right away.
    fn input(&mut self, texts: &mut Vec<String>, name: &str, kind: Kind) {
        let value = constant(&mut self.random, kind);
        texts.push(if self.random.chance(55) {
            format!(
                "{} {name} = __VERIFIER_nondet_{}(); INPUT({name}, {value});",
                kind.name(),
                kind.nondet()
            )
        } else {
            format!("{} {name} = {value};", kind.name())
        });
    }

    fn object(&mut self, scope: &mut Scope, texts: &mut Vec<String>, name: &str, is_global: bool) {
        match self.random.below(20) {
            0..=3 => self.array(scope, texts, name),
            4 => {
                let kind = Kind::any_integer(&mut self.random);
                let rows = [self.array_init(kind, 4), self.array_init(kind, 4)];
                texts.push(format!(
                    "{} {name}[2][4] = {{ {}, {} }};",
                    kind.name(),
                    rows[0],
                    rows[1]
                ));
                for text in [format!("{name}[0]"), format!("{name}[1]"), format!("(*{name})")] {
                    scope.arrays.push(Array {
                        text,
                        kind,
                        length: 4,
                        writable: true,
                    });
                }
            }
            5..=9 if !self.records.is_empty() => {
                let record = self.random.below(self.records.len());
                let value = self.record_init(record);
                let tag = self.records[record].tag.clone();
                texts.push(match self.random.below(3) {
                    0 if !is_global => format!("struct {tag} {name} = (struct {tag}){value};"),
                    _ => format!("struct {tag} {name} = {value};"),
                });
                self.add_record_places(scope, name, record, true);
                if self.random.chance(40) {
                    let pointer = format!("{name}_p");
                    texts.push(format!("struct {tag} *{pointer} = &{name};"));
                    self.add_record_pointer(scope, &pointer, record);
                }
            }
            10 => {
                let (wide, narrow) = self.union_kinds();
                let value = constant(&mut self.random, wide);
                texts.push(format!("{} {name} = {{ {value} }};", union_type(wide, narrow)));
                for (text, kind) in union_paths(name, wide, narrow) {
                    scope.places.push(Place {
                        text,
                        kind,
                        addressable: true,
                    });
                }
            }
            11..=14 => self.pointer(scope, texts, name, is_global),
            15..=16 => self.bytes(scope, texts, name, is_global),
            17 => {
                let words = ["abcdefg", "x\\ny\\t\\\"!!", "\\001\\377\\x7fxyz12", "Lariat!"];
                let word = words[self.random.below(words.len())];
                let is_pointer = self.random.chance(50);
                texts.push(if is_pointer {
                    format!("const char *{name} = \"{word}\";")
                } else {
                    format!("char {name}[8] = \"{word}\";")
                });
                scope.arrays.push(Array {
                    text: name.to_owned(),
                    kind: Kind::Char,
                    length: if is_pointer { 4 } else { 8 },
                    writable: !is_pointer,
                });
            }
            18 if !is_global => {
                let kind = Kind::any_integer(&mut self.random);
                let type_name = kind.name();
                texts.push(format!("{type_name} *{name} = malloc(4 * sizeof({type_name}));"));
                for index in 0..4 {
                    let value = constant(&mut self.random, kind);
                    texts.push(format!("{name}[{index}] = {value};"));
                }
                scope.arrays.push(Array {
                    text: name.to_owned(),
                    kind,
                    length: 4,
                    writable: true,
                });
            }
            _ => self.array(scope, texts, name),
        }
    }

    fn array(&mut self, scope: &mut Scope, texts: &mut Vec<String>, name: &str) {
        let kind = Kind::any_integer(&mut self.random);
        let length = [2, 4, 4, 8][self.random.below(4)];
        let value = self.array_init(kind, length);
        texts.push(format!("{} {name}[{length}] = {value};", kind.name()));
        let array = Array {
            text: name.to_owned(),
            kind,
            length,
            writable: true,
        };
        scope.places.push(Place {
            text: format!("{name}[{}]", self.random.below(length)),
            kind,
            addressable: true,
        });
        if self.random.chance(40) {
            let walker = format!("{name}_w");
            let index = self.random.below(length);
            texts.push(format!("{} *{walker} = {name} + {index};", kind.name()));
            scope.places.push(Place {
                text: format!("(*{walker})"),
                kind,
                addressable: false,
            });
            scope.walkers.push(Walker {
                text: walker,
                array: array.clone(),
            });
        }
        scope.arrays.push(array);
    }

    /// Places whose address a pointer with this name may hold.
    pub fn targets(&self, scope: &Scope, is_global: bool) -> Vec<Place> {
        scope
            .places
            .iter()
            .filter(|place| place.addressable && (!is_global || self.is_global(&place.text)))
            .cloned()
            .collect()
    }

    fn pointer(&mut self, scope: &mut Scope, texts: &mut Vec<String>, name: &str, is_global: bool) {
        let targets = self.targets(scope, is_global);
        if targets.is_empty() {
            return self.array(scope, texts, name);
        }
        let Place { text, kind, .. } = targets[self.random.below(targets.len())].clone();
        texts.push(format!("{} *{name} = &{text};", kind.name()));
        scope.places.push(Place {
            text: format!("(*{name})"),
            kind,
            addressable: false,
        });
        scope.pointers.push(Pointer {
            text: name.to_owned(),
            kind,
        });
        if self.random.chance(35) {
            texts.push(format!("{} **{name}_pp = &{name};", kind.name()));
            scope.places.push(Place {
                text: format!("(**{name}_pp)"),
                kind,
                addressable: false,
            });
            scope.pointers.push(Pointer {
                text: format!("(*{name}_pp)"),
                kind,
            });
        }
    }

    /// The bytes of an integer.
    fn bytes(&mut self, scope: &mut Scope, texts: &mut Vec<String>, name: &str, is_global: bool) {
        let targets: Vec<Place> = self
            .targets(scope, is_global)
            .into_iter()
            .filter(|place| !place.kind.is_float() && place.kind.bytes() > 1)
            .collect();
        if targets.is_empty() {
            return self.array(scope, texts, name);
        }
        let target = &targets[self.random.below(targets.len())];
        let kind = if self.random.chance(70) {
            Kind::UChar
        } else {
            Kind::Char
        };
        texts.push(format!("{0} *{name} = ({0} *)&{1};", kind.name(), target.text));
        scope.arrays.push(Array {
            text: name.to_owned(),
            kind,
            length: target.kind.bytes(),
            writable: true,
        });
    }
}
