//! Fetches libclang and says where it is.
#![allow(clippy::print_stdout, reason = "this is how a build script talks to Cargo")]

fn main() {
    for directive in lariat_z3_setup::provide_libclang() {
        println!("{directive}");
    }
}
