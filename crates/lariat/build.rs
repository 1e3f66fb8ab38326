//! Lets the binary find Z3 when it is started by hand.

fn main() {
    for directive in lariat_z3_setup::run_paths_for_dependent() {
        println!("{directive}");
    }
}
