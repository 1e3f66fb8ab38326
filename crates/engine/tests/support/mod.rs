//! Reading a text into a problem.

use lariat_passes::PrepareOptions;
use lariat_testkit::boogie::return_problem;
use lariat_vc::Problem;

/// Can `main` return? All calls stay: the passes would decide many small programs by themselves.
pub fn problem(text: &str) -> Problem {
    let options = PrepareOptions {
        propagate_constants: false,
        slice: false,
        ..PrepareOptions::default()
    };
    return_problem(text, &options)
}
