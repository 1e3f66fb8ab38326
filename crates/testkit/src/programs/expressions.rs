//! Random expressions of the types that the generator knows.

use super::{Generator, Scope, Type};

impl Generator {
    pub(super) fn expression(&mut self, ty: Type, scope: &Scope, depth: usize) -> String {
        match ty {
            Type::Int => self.int(scope, depth),
            Type::Bool => self.condition(scope, depth),
            Type::Bv4 => self.bits(scope, 4, depth),
            Type::Bv8 => self.bits(scope, 8, depth),
            Type::IntMap => {
                let map = self
                    .variable(scope, Type::IntMap)
                    .unwrap_or_else(|| "all_int(0)".into());
                format!("{map}[{} := {}]", self.int(scope, 0), self.int(scope, 1))
            }
            Type::BoolMap => {
                let map = self
                    .variable(scope, Type::BoolMap)
                    .unwrap_or_else(|| "all_bool(true)".into());
                format!("{map}[{} := {}]", self.int(scope, 0), self.condition(scope, 1))
            }
            Type::Option => match self.random.below(3) {
                0 => "None()".into(),
                1 => format!("Some({})", self.int(scope, 1)),
                _ => self
                    .variable(scope, Type::Option)
                    .unwrap_or_else(|| "None()".into()),
            },
        }
    }

    pub(super) fn variable(&mut self, scope: &Scope, ty: Type) -> Option<String> {
        let names = Scope::of_type(&scope.readable, ty);
        (!names.is_empty()).then(|| names[self.random.below(names.len())].to_owned())
    }

    pub(super) fn int(&mut self, scope: &Scope, depth: usize) -> String {
        let choice = self.random.below(if depth == 0 { 8 } else { 17 });
        match choice {
            0 | 1 => self.random.below(4).to_string(),
            2 if self.options.functions => "k".into(),
            2..=7 => self.variable(scope, Type::Int).unwrap_or_else(|| "1".into()),
            8 | 9 => format!("{} + {}", self.int(scope, depth - 1), self.int(scope, 0)),
            10 => format!("({}) - {}", self.int(scope, depth - 1), self.int(scope, 0)),
            11 => format!(
                "(if {} then {} else {})",
                self.condition(scope, depth - 1),
                self.int(scope, 0),
                self.int(scope, 0)
            ),
            12 => {
                let op = self.random.pick(&["div", "mod"]);
                format!(
                    "({}) {op} {}",
                    self.int(scope, depth - 1),
                    2 + self.random.below(2)
                )
            }
            13 if self.options.datatypes => match self.variable(scope, Type::Option) {
                Some(option) => format!(
                    "(if {option} is Some then {option}->value else {})",
                    self.int(scope, 0)
                ),
                None => "0".into(),
            },
            14 => format!("twice({})", self.int(scope, depth - 1)),
            15 if self.options.functions => format!("f({})", self.int(scope, depth - 1)),
            15 => format!("-({})", self.int(scope, depth - 1)),
            _ => match self.variable(scope, Type::IntMap) {
                Some(map) => format!("{map}[{}]", self.int(scope, depth - 1)),
                None => self.variable(scope, Type::Int).unwrap_or_else(|| "2".into()),
            },
        }
    }

    fn bits(&mut self, scope: &Scope, width: usize, depth: usize) -> String {
        let ty = if width == 4 { Type::Bv4 } else { Type::Bv8 };
        let choice = self.random.below(if depth == 0 { 5 } else { 11 });
        match choice {
            0 | 1 => format!("{}bv{width}", self.random.below(1 << width)),
            2..=4 => self.variable(scope, ty).unwrap_or_else(|| format!("1bv{width}")),
            5 | 6 => {
                let op = self.random.pick(&["add", "sub", "and", "shl"]);
                format!(
                    "{op}{width}({}, {})",
                    self.bits(scope, width, depth - 1),
                    self.bits(scope, width, 0)
                )
            }
            7 if width == 8 => format!("{} ++ {}", self.bits(scope, 4, 0), self.bits(scope, 4, 0)),
            8 if width == 4 => format!(
                "{}[{}:{}]",
                self.variable(scope, Type::Bv8).unwrap_or_else(|| "7bv8".into()),
                6,
                2
            ),
            9 => format!(
                "(if {} then {} else {})",
                self.condition(scope, depth - 1),
                self.bits(scope, width, 0),
                self.bits(scope, width, 0)
            ),
            _ => format!("add{width}({}, 1bv{width})", self.bits(scope, width, 0)),
        }
    }

    pub(super) fn condition(&mut self, scope: &Scope, depth: usize) -> String {
        let choice = self.random.below(if depth == 0 { 9 } else { 16 });
        match choice {
            0 | 1 => self.variable(scope, Type::Bool).unwrap_or_else(|| "true".into()),
            2..=6 => {
                let op = self.random.pick(&["==", "!=", "<", "<=", ">", ">=", "!="]);
                let depth = depth.saturating_sub(1);
                format!("{} {op} {}", self.int(scope, depth), self.int(scope, 0))
            }
            7 => match self.variable(scope, Type::BoolMap) {
                Some(map) => format!("{map}[{}]", self.int(scope, 0)),
                None => "true".into(),
            },
            8 if self.options.bit_vectors => {
                let width = *self.random.pick(&[&4, &8]);
                match self.random.below(4) {
                    0 => format!(
                        "ult{width}({}, {})",
                        self.bits(scope, width, 0),
                        self.bits(scope, width, depth)
                    ),
                    1 => format!(
                        "sle{width}({}, {})",
                        self.bits(scope, width, 0),
                        self.bits(scope, width, depth)
                    ),
                    2 => format!(
                        "{} == {}",
                        self.bits(scope, width, depth),
                        self.bits(scope, width, 0)
                    ),
                    _ => format!(
                        "{} != {}",
                        self.bits(scope, width, depth),
                        self.bits(scope, width, 0)
                    ),
                }
            }
            9 => format!("!({})", self.condition(scope, depth - 1)),
            10 => format!(
                "({}) && ({})",
                self.condition(scope, depth - 1),
                self.condition(scope, 0)
            ),
            11 | 12 => format!(
                "({}) || ({})",
                self.condition(scope, depth - 1),
                self.condition(scope, 0)
            ),
            13 => format!(
                "(({}) ==> ({}))",
                self.condition(scope, depth - 1),
                self.condition(scope, 0)
            ),
            14 => format!(
                "(({}) <==> ({}))",
                self.condition(scope, depth - 1),
                self.condition(scope, 0)
            ),
            _ => match self.variable(scope, Type::Option) {
                Some(option) if self.options.datatypes => match self.random.below(3) {
                    0 => format!("{option} is Some"),
                    1 => format!("{option} is None"),
                    _ => format!("{option} == {}", self.expression(Type::Option, scope, 0)),
                },
                _ => self.variable(scope, Type::Bool).unwrap_or_else(|| "false".into()),
            },
        }
    }
}
