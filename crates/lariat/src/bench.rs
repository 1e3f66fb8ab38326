//! `lariat bench`.

use crate::arguments::{Arguments, BenchArguments};
use crate::exit::ExitCode;

pub fn run(_bench: &BenchArguments, _common: &Arguments) -> ExitCode {
    ExitCode::Success
}
