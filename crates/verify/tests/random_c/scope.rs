//! What a piece of C text may name: all of it is initialised, and every pointer points to a live object.

use super::kinds::Kind;

/// An lvalue of arithmetic type.
#[derive(Clone, Debug)]
pub struct Place {
    pub text: String,
    pub kind: Kind,
    /// Its address can be taken, as a constant if the object is global.
    pub addressable: bool,
}

/// Consecutive elements; every index below `length` (a power of two) is good.
#[derive(Clone, Debug)]
pub struct Array {
    pub text: String,
    pub kind: Kind,
    pub length: usize,
    pub writable: bool,
}

/// A pointer variable that always points to an object of type `kind`.
#[derive(Clone, Debug)]
pub struct Pointer {
    pub text: String,
    pub kind: Kind,
}

/// A pointer variable that always points into an array.
#[derive(Clone, Debug)]
pub struct Walker {
    pub text: String,
    pub array: Array,
}

/// An lvalue of struct type.
#[derive(Clone, Debug)]
pub struct RecordPlace {
    pub text: String,
    pub record: usize,
    /// A variable of its own: it overlaps no other such place.
    pub distinct: bool,
}

/// A pointer variable that always points to a struct.
#[derive(Clone, Debug)]
pub struct RecordPointer {
    pub text: String,
    pub record: usize,
}

/// A function that reads nothing but its parameters and writes nothing but its own variables.
#[derive(Clone, Debug)]
pub struct Function {
    pub text: String,
    pub params: Vec<Kind>,
    pub result: Kind,
    /// The first argument is the depth of the recursion and must be small.
    pub recursive: bool,
}

/// A function of structs by value: `struct record f(struct record, kind)`.
#[derive(Clone, Debug)]
pub struct RecordFunction {
    pub text: String,
    pub record: usize,
    pub param: Kind,
}

/// A function with effects: called as a statement only. Takes a pointer to `target` and a value.
#[derive(Clone, Debug)]
pub struct Procedure {
    pub text: String,
    /// What the first parameter points to; `None`: it takes a value of that type.
    pub target: Target,
    pub param: Kind,
}

#[derive(Clone, Debug)]
pub enum Target {
    Nothing,
    Scalar(Kind),
    Record(usize),
    /// The first element of an array of so many.
    Array(Kind, usize),
}

/// Variables of function pointer type and what they may point to.
#[derive(Clone, Debug)]
pub struct FunctionPointer {
    pub text: String,
    pub targets: Vec<String>,
}

#[derive(Clone, Default, Debug)]
pub struct Scope {
    pub places: Vec<Place>,
    /// Read only: enumerators, counters of loops.
    pub readable: Vec<(String, Kind)>,
    /// Local integer variables whose address is never taken: the ones that an expression may change.
    pub scratch: Vec<(String, Kind)>,
    pub arrays: Vec<Array>,
    pub pointers: Vec<Pointer>,
    pub walkers: Vec<Walker>,
    pub records: Vec<RecordPlace>,
    pub record_pointers: Vec<RecordPointer>,
    pub functions: Vec<Function>,
    pub record_functions: Vec<RecordFunction>,
    pub procedures: Vec<Procedure>,
    pub function_pointers: Vec<FunctionPointer>,
    /// Loops around, all of them breakable.
    pub loops: usize,
    /// Statements nested around.
    pub depth: usize,
}
