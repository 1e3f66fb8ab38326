//! Programs of the intermediate language as text, written by hand or at random.

mod generate;
mod read;

pub use generate::random_program;
pub use read::read_program;
