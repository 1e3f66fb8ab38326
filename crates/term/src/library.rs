//! Functions of the C library on floating-point numbers: uninterpreted for the solver, computed by the interpreter.

/// What the names of such functions begin with; then come the name of `math.h` and `f` for those of `float`. Each has two
/// arguments.
pub const LIBRARY_FUNCTION: &str = "math.h ";

/// A function that the machine computes as the C library does: Rust calls the library's. (`cbrt` is not one of them: Rust has its
/// own, which rounds in another way.)
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LibraryFunction {
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Atan2,
    Sinh,
    Cosh,
    Tanh,
    Exp,
    Exp2,
    Expm1,
    Log,
    Log2,
    Log10,
    Log1p,
    Pow,
    Hypot,
}

/// The function of `f32` or `f64`.
macro_rules! computed {
    ($function:expr, $x:expr, $y:expr) => {
        match $function {
            LibraryFunction::Sin => $x.sin(),
            LibraryFunction::Cos => $x.cos(),
            LibraryFunction::Tan => $x.tan(),
            LibraryFunction::Asin => $x.asin(),
            LibraryFunction::Acos => $x.acos(),
            LibraryFunction::Atan => $x.atan(),
            LibraryFunction::Atan2 => $x.atan2($y),
            LibraryFunction::Sinh => $x.sinh(),
            LibraryFunction::Cosh => $x.cosh(),
            LibraryFunction::Tanh => $x.tanh(),
            LibraryFunction::Exp => $x.exp(),
            LibraryFunction::Exp2 => $x.exp2(),
            LibraryFunction::Expm1 => $x.exp_m1(),
            LibraryFunction::Log => $x.ln(),
            LibraryFunction::Log2 => $x.log2(),
            LibraryFunction::Log10 => $x.log10(),
            LibraryFunction::Log1p => $x.ln_1p(),
            LibraryFunction::Pow => $x.powf($y),
            LibraryFunction::Hypot => $x.hypot($y),
        }
    };
}

impl LibraryFunction {
    /// By its name in `math.h`, without a suffix.
    pub fn of(name: &str) -> Option<LibraryFunction> {
        use LibraryFunction as F;
        Some(match name {
            "sin" => F::Sin,
            "cos" => F::Cos,
            "tan" => F::Tan,
            "asin" => F::Asin,
            "acos" => F::Acos,
            "atan" => F::Atan,
            "atan2" => F::Atan2,
            "sinh" => F::Sinh,
            "cosh" => F::Cosh,
            "tanh" => F::Tanh,
            "exp" => F::Exp,
            "exp2" => F::Exp2,
            "expm1" => F::Expm1,
            "log" => F::Log,
            "log2" => F::Log2,
            "log10" => F::Log10,
            "log1p" => F::Log1p,
            "pow" => F::Pow,
            "hypot" => F::Hypot,
            _ => return None,
        })
    }

    pub fn of_double(self, x: f64, y: f64) -> f64 {
        computed!(self, x, y)
    }

    pub fn of_float(self, x: f32, y: f32) -> f32 {
        computed!(self, x, y)
    }
}
