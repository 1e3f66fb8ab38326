//! Puts the Z3 library in place and tells Cargo where it is.
#![allow(clippy::print_stdout, reason = "this is how a build script talks to Cargo")]

fn main() {
    for directive in lariat_z3_setup::provide() {
        println!("{directive}");
    }
}
