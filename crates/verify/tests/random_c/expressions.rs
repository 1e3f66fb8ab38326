//! Expressions: well defined whatever the values are, and without unsequenced side effects.
//!
//! Only the variables of [`Scope::scratch`] are changed inside of expressions, each at most once in a full
//! expression and then not read elsewhere in it, except after a sequence point.

use super::generator::Generator;
use super::kinds::{Kind, Value, float_literal, literal};
use super::scope::Scope;

/// What the current full expression does with a scratch variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    Untouched,
    Read,
    Changed,
}

impl Generator {
    /// Starts a full expression.
    pub fn begin(&mut self, scope: &Scope) {
        self.uses = vec![Use::Untouched; scope.scratch.len()];
    }

    /// Starts a full expression that changes nothing.
    pub fn begin_pure(&mut self, scope: &Scope) {
        self.uses = vec![Use::Read; scope.scratch.len()];
    }

    /// A scratch variable that this full expression may change from now on.
    fn take_scratch(&mut self, scope: &Scope) -> Option<(String, Kind)> {
        let free: Vec<usize> = (0..scope.scratch.len())
            .filter(|&index| self.uses[index] == Use::Untouched)
            .collect();
        if free.is_empty() {
            return None;
        }
        let index = free[self.random.below(free.len())];
        self.uses[index] = Use::Changed;
        Some(scope.scratch[index].clone())
    }

    pub fn leaf(&mut self, scope: &Scope) -> Value {
        for _ in 0..4 {
            match self.random.below(20) {
                0..=3 => return literal(&mut self.random),
                4..=10 => {
                    let places: Vec<usize> = (0..scope.places.len())
                        .filter(|&index| !scope.places[index].kind.is_float())
                        .collect();
                    if !places.is_empty() {
                        let place = &scope.places[places[self.random.below(places.len())]];
                        return Value::new(place.text.clone(), place.kind);
                    }
                }
                11..=12 if !scope.scratch.is_empty() => {
                    let index = self.random.below(scope.scratch.len());
                    if self.uses[index] != Use::Changed {
                        self.uses[index] = Use::Read;
                        let (name, kind) = &scope.scratch[index];
                        return Value::new(name.clone(), *kind);
                    }
                }
                13..=14 if !scope.readable.is_empty() => {
                    let (text, kind) = &scope.readable[self.random.below(scope.readable.len())];
                    return Value::new(text.clone(), *kind);
                }
                15..=16 => {
                    if let Some(value) = self.element(scope, false) {
                        return value;
                    }
                }
                17 => {
                    if let Some(value) = self.pointer_value(scope) {
                        return value;
                    }
                }
                18 => {
                    if let Some(value) = self.record_value(scope) {
                        return value;
                    }
                }
                _ if self.random.chance(30) => {
                    if let Some(value) = self.float_to_integer(scope) {
                        return value;
                    }
                }
                _ => {}
            }
        }
        literal(&mut self.random)
    }

    /// An element of an integer array, with an index that is computed.
    pub fn element(&mut self, scope: &Scope, to_write: bool) -> Option<Value> {
        let arrays: Vec<usize> = (0..scope.arrays.len())
            .filter(|&index| {
                let array = &scope.arrays[index];
                !array.kind.is_float() && (array.writable || !to_write)
            })
            .collect();
        if arrays.is_empty() {
            return None;
        }
        let array = scope.arrays[arrays[self.random.below(arrays.len())]].clone();
        let index = self.index(scope, array.length);
        let text = match self.random.below(4) {
            0 => format!("(*({} + {index}))", array.text),
            _ => format!("{}[{index}]", array.text),
        };
        Some(Value::new(text, array.kind))
    }

    /// An index below `length`.
    pub fn index(&mut self, scope: &Scope, length: usize) -> String {
        if self.random.chance(35) {
            return self.random.below(length).to_string();
        }
        let value = self.expr(scope, 1);
        format!("(({}) & {})", value.text, length - 1)
    }

    /// Differences and comparisons of pointers into one array.
    fn pointer_value(&mut self, scope: &Scope) -> Option<Value> {
        if scope.walkers.is_empty() {
            return None;
        }
        let walker = scope.walkers[self.random.below(scope.walkers.len())].clone();
        let array = &walker.array.text;
        let name = &walker.text;
        Some(match self.random.below(5) {
            0 => Value::new(format!("({name} - {array})"), Kind::Long),
            1 => {
                let index = self.index(scope, walker.array.length);
                let operator = self.random.pick(&["<", "<=", "==", "!=", ">", ">="]);
                Value::new(format!("({name} {operator} &{array}[{index}])"), Kind::Int)
            }
            2 => {
                let index = self.index(scope, walker.array.length);
                Value::new(format!("(&{array}[{index}] - {name})"), Kind::Long)
            }
            3 if !walker.array.kind.is_float() => {
                let index = self.index(scope, walker.array.length);
                Value::new(
                    format!("{name}[(long){index} - ({name} - {array})]"),
                    walker.array.kind,
                )
            }
            _ => Value::new(format!("(!{name} + 1)"), Kind::Int),
        })
    }

    /// A field of a struct that is no variable.
    fn record_value(&mut self, scope: &Scope) -> Option<Value> {
        if scope.records.is_empty() {
            return None;
        }
        let place = scope.records[self.random.below(scope.records.len())].clone();
        let fields: Vec<(String, Kind)> = self
            .record_paths(place.record)
            .into_iter()
            .filter(|path| !path.kind.is_float())
            .map(|path| (path.template, path.kind))
            .collect();
        if fields.is_empty() {
            return None;
        }
        let (path, kind) = fields[self.random.below(fields.len())].clone();
        let functions: Vec<_> = scope
            .record_functions
            .iter()
            .filter(|function| function.record == place.record)
            .cloned()
            .collect();
        if !functions.is_empty() && self.random.chance(50) {
            let function = &functions[self.random.below(functions.len())];
            let argument = self.argument(scope, function.param);
            let call = format!("{}({}, {argument})", function.text, place.text);
            return Some(Value::new(path.replace('@', &call), kind));
        }
        let others: Vec<String> = scope
            .records
            .iter()
            .filter(|other| other.record == place.record)
            .map(|other| other.text.clone())
            .collect();
        let other = &others[self.random.below(others.len())];
        let condition = self.expr(scope, 1);
        let choice = format!("(({}) ? {} : {other})", condition.text, place.text);
        Some(Value::new(path.replace('@', &choice), kind))
    }

    /// The whole part of a floating variable, if it is small.
    pub fn float_to_integer(&mut self, scope: &Scope) -> Option<Value> {
        let places: Vec<String> = scope
            .places
            .iter()
            .filter(|place| place.kind.is_float())
            .map(|place| place.text.clone())
            .collect();
        if places.is_empty() {
            return None;
        }
        let place = &places[self.random.below(places.len())];
        let kind = Kind::any_integer(&mut self.random);
        if kind == Kind::Bool {
            return Some(Value::new(format!("((_Bool){place})"), kind));
        }
        let (low, high) = match (kind.bytes(), kind.is_signed()) {
            (1, true) => ("-128.0", "127.0"),
            (1, false) => ("-0.5", "255.0"),
            (2, true) => ("-32768.0", "32767.0"),
            (2, false) => ("-0.5", "65535.0"),
            (4, true) => ("-2147483648.0", "2147483647.0"),
            (4, false) => ("-0.5", "4294967295.0"),
            (_, true) => ("-1e15", "9e18"),
            (_, false) => ("-0.5", "1.8e19"),
        };
        let other = literal(&mut self.random);
        Some(Value::new(
            format!(
                "({place} >= {low} && {place} <= {high} ? ({}){place} : {})",
                kind.name(),
                other.text
            ),
            kind.common(other.kind),
        ))
    }

    /// An argument: converted implicitly.
    pub fn argument(&mut self, scope: &Scope, kind: Kind) -> String {
        if kind.is_float() {
            self.float_expr(scope, 1).text
        } else {
            self.expr(scope, 1).text
        }
    }

    pub fn expr(&mut self, scope: &Scope, depth: usize) -> Value {
        if depth == 0 {
            return self.leaf(scope);
        }
        let less = depth - 1;
        match self.random.below(100) {
            0..=9 => self.leaf(scope),
            10..=29 => {
                let (a, b) = (self.expr(scope, less), self.expr(scope, less));
                let operator = self.random.pick(&["+", "-", "+", "-", "*"]);
                Value::new(
                    format!("({} {operator} {})", a.text, b.text),
                    a.kind.common(b.kind),
                )
            }
            30..=39 => {
                let (a, b) = (self.expr(scope, less), self.expr(scope, less));
                let operator = self.random.pick(&["&", "|", "^"]);
                Value::new(
                    format!("({} {operator} {})", a.text, b.text),
                    a.kind.common(b.kind),
                )
            }
            40..=45 => self.division(scope, less),
            46..=52 => {
                let value = self.expr(scope, less);
                let kind = value.kind.promoted();
                let amount = self.shift_amount(scope, kind, less);
                let operator = self.random.pick(&["<<", ">>"]);
                Value::new(format!("({} {operator} {amount})", value.text), kind)
            }
            53..=61 => {
                let (a, b) = (self.expr(scope, less), self.expr(scope, less));
                let operator = self.random.pick(&["<", "<=", "==", "!=", ">", ">="]);
                Value::new(format!("({} {operator} {})", a.text, b.text), Kind::Int)
            }
            62..=66 => {
                let (a, b) = (self.expr(scope, less), self.expr(scope, less));
                let operator = self.random.pick(&["&&", "||"]);
                Value::new(format!("({} {operator} {})", a.text, b.text), Kind::Int)
            }
            67..=73 => {
                let value = self.expr(scope, less);
                match self.random.below(4) {
                    0 => Value::new(format!("(!{})", value.text), Kind::Int),
                    1 => Value::new(format!("(-{})", value.text), value.kind.promoted()),
                    2 => Value::new(format!("(+{})", value.text), value.kind.promoted()),
                    _ => Value::new(format!("(~{})", value.text), value.kind.promoted()),
                }
            }
            74..=82 => {
                let kind = Kind::any_integer(&mut self.random);
                let value = self.expr(scope, less);
                Value::new(format!("(({}){})", kind.name(), value.text), kind)
            }
            83..=87 => {
                let condition = self.expr(scope, less);
                let (a, b) = (self.expr(scope, less), self.expr(scope, less));
                Value::new(
                    format!("({} ? {} : {})", condition.text, a.text, b.text),
                    a.kind.common(b.kind),
                )
            }
            88..=92 => self.call(scope, less),
            93..=97 => self.effect(scope, less),
            98 => {
                let (a, b) = (self.float_expr(scope, less), self.float_expr(scope, less));
                let operator = self.random.pick(&["<", "<=", "==", "!=", ">", ">="]);
                Value::new(format!("({} {operator} {})", a.text, b.text), Kind::Int)
            }
            _ => {
                let kind = Kind::any_integer(&mut self.random);
                Value::new(format!("sizeof({})", kind.name()), Kind::ULong)
            }
        }
    }

    /// Small enough for the promoted type.
    fn shift_amount(&mut self, scope: &Scope, kind: Kind, depth: usize) -> String {
        let bits = 8 * kind.bytes();
        if self.random.chance(50) {
            return self.random.below(bits).to_string();
        }
        let amount = self.expr(scope, depth);
        format!("({} & {})", amount.text, bits - 1)
    }

    /// A divisor that is not zero and not -1.
    fn divisor(&mut self, scope: &Scope, depth: usize) -> Value {
        let value = self.expr(scope, depth);
        let kind = value.kind.promoted();
        match self.random.below(6) {
            0 => Value::new((2 + self.random.below(40)).to_string(), Kind::Int),
            1 => Value::new(format!("(-{})", 2 + self.random.below(10)), Kind::Int),
            2 => Value::new(format!("(-(({} & 7) + 2))", value.text), kind),
            3 if !kind.is_signed() => Value::new(format!("({} | 1)", value.text), kind),
            _ => Value::new(format!("(({} & 15) + 1)", value.text), kind),
        }
    }

    fn division(&mut self, scope: &Scope, depth: usize) -> Value {
        let (a, b) = (self.expr(scope, depth), self.divisor(scope, depth));
        let operator = self.random.pick(&["/", "%"]);
        Value::new(
            format!("({} {operator} {})", a.text, b.text),
            a.kind.common(b.kind),
        )
    }

    pub fn call(&mut self, scope: &Scope, depth: usize) -> Value {
        if scope.functions.is_empty() || self.calls == 0 {
            return self.leaf(scope);
        }
        self.calls -= 1;
        let function = scope.functions[self.random.below(scope.functions.len())].clone();
        let mut arguments = Vec::new();
        for (index, &kind) in function.params.iter().enumerate() {
            arguments.push(if index == 0 && function.recursive {
                format!("({}) & 3", self.expr(scope, 1).text)
            } else if kind.is_float() {
                self.float_expr(scope, depth.min(1)).text
            } else {
                self.expr(scope, depth.min(1)).text
            });
        }
        Value::new(
            format!("{}({})", function.text, arguments.join(", ")),
            function.result,
        )
    }

    /// An expression that changes a variable.
    fn effect(&mut self, scope: &Scope, depth: usize) -> Value {
        let Some((name, kind)) = self.take_scratch(scope) else {
            return self.leaf(scope);
        };
        match self.random.below(7) {
            0 => Value::new(format!("(++{name})"), kind),
            1 => Value::new(format!("({name}++)"), kind),
            2 => Value::new(format!("({name}--)"), kind),
            3 => {
                let value = self.expr(scope, depth);
                Value::new(format!("({name} = {})", value.text), kind)
            }
            4 => {
                let assignment = self.compound(scope, &name, kind, depth);
                Value::new(format!("({assignment})"), kind)
            }
            5 => {
                let (first, second) = (self.expr(scope, depth), self.expr(scope, depth));
                Value::new(
                    format!("({name} = {}, {name} + {})", first.text, second.text),
                    kind.common(second.kind),
                )
            }
            _ => {
                let (first, second) = (self.expr(scope, depth), self.expr(scope, depth));
                let operator = self.random.pick(&["&&", "||"]);
                Value::new(
                    format!("({name}++ > {} {operator} {name} < {})", first.text, second.text),
                    Kind::Int,
                )
            }
        }
    }

    /// `place op= value`, without the end.
    pub fn compound(&mut self, scope: &Scope, place: &str, kind: Kind, depth: usize) -> String {
        let operator = self
            .random
            .pick(&["+", "-", "*", "&", "|", "^", "<<", ">>", "/", "%"]);
        let value = match operator {
            "<<" | ">>" => self.shift_amount(scope, kind.promoted(), depth),
            "/" | "%" => self.divisor(scope, depth).text,
            _ => self.expr(scope, depth).text,
        };
        format!("{place} {operator}= {value}")
    }

    pub fn float_expr(&mut self, scope: &Scope, depth: usize) -> Value {
        let places: Vec<Value> = scope
            .places
            .iter()
            .filter(|place| place.kind.is_float())
            .map(|place| Value::new(place.text.clone(), place.kind))
            .collect();
        let leaf = |this: &mut Self| match this.random.below(3) {
            0 => float_literal(&mut this.random, false),
            _ if !places.is_empty() => places[this.random.below(places.len())].clone(),
            _ => float_literal(&mut this.random, false),
        };
        if depth == 0 {
            return leaf(self);
        }
        match self.random.below(10) {
            0..=1 => leaf(self),
            2 => {
                let value = self.expr(scope, depth - 1);
                let kind = if self.random.chance(50) {
                    Kind::Float
                } else {
                    Kind::Double
                };
                Value::new(format!("(({}){})", kind.name(), value.text), kind)
            }
            3 => {
                let (a, b) = (self.expr(scope, 0), leaf(self));
                Value::new(format!("({} + {})", a.text, b.text), b.kind)
            }
            4 => {
                let value = self.float_expr(scope, depth - 1);
                Value::new(format!("(-{})", value.text), value.kind)
            }
            5 => {
                let condition = self.expr(scope, 0);
                let (a, b) = (leaf(self), leaf(self));
                Value::new(
                    format!("({} ? {} : {})", condition.text, a.text, b.text),
                    a.kind.common(b.kind),
                )
            }
            _ => {
                let (a, b) = (self.float_expr(scope, depth - 1), leaf(self));
                let operator = self.random.pick(&["+", "-", "*", "/"]);
                Value::new(
                    format!("({} {operator} {})", a.text, b.text),
                    a.kind.common(b.kind),
                )
            }
        }
    }
}
