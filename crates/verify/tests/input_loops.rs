//! Loops over what the program reads: executions with texts as inputs find bugs that need long ones, and decide what happens to texts
//! that are known.

use std::time::Duration;

use lariat_base::Budget;
use lariat_report::{Check, Verdict, VerifyRequest};
use lariat_testkit::folder::Folder;

/// More rounds than the loops over known texts have.
const BOUND: u32 = 12;

fn verdict(name: &str, checks: &[Check], text: &str) -> Verdict {
    let folder = Folder::new(&format!("input-loops-{name}"));
    let file = folder.write("program.c", text);
    let mut request = VerifyRequest::new(vec![file]);
    request.bound = BOUND;
    if !checks.is_empty() {
        request.c.checks = checks.to_vec();
    }
    // Only ends what would hang: the searches alone do not come so far.
    let budget = Budget::new(Some(Duration::from_secs(120)), None);
    lariat_verify::verify(&request, &budget, &mut |_| {}).verdict
}

#[track_caller]
fn has_bug(name: &str, checks: &[Check], text: &str) {
    assert_eq!(verdict(name, checks, text), Verdict::Bug, "{text}");
}

#[test]
fn words_of_a_line() {
    has_bug(
        "words",
        &[],
        "#include <assert.h>
#include <stdio.h>
#include <string.h>
int main(void)
{
    char line[32];
    int n = 0;
    if (!fgets(line, sizeof line, stdin))
        return 1;
    for (char *word = strtok(line, \" \\n\"); word; word = strtok(NULL, \" \\n\"))
        n++;
    assert(n < 4);
    return 0;
}
",
    );
}

#[test]
fn characters_one_by_one() {
    has_bug(
        "characters",
        &[],
        "#include <assert.h>
#include <stdio.h>
int main(void)
{
    int c, digits = 0, total = 0;
    while ((c = getchar()) != EOF && c != '\\n') {
        total++;
        digits += c >= '0' && c <= '9';
    }
    assert(total < 9 || digits < 5);
    return 0;
}
",
    );
}

#[test]
fn numbers_into_an_array() {
    has_bug(
        "numbers",
        &[Check::Bounds],
        "#include <stdio.h>
int main(void)
{
    int numbers[3], n = 0, x;
    while (scanf(\"%d\", &x) == 1 && x > 0)
        numbers[n++] = x;
    return numbers[0];
}
",
    );
}

/// The searches find this hard; the execution decides it.
#[test]
fn numbers_with_a_point_in_known_texts() {
    let text = "#include <assert.h>
#include <stdlib.h>
int main(void)
{
    char *end;
    const char *text = \"  -12.5e1x\";
    assert(strtod(text, &end) == -125.0 && end == text + 9);
    assert(strtod(\"0.1\", 0) == 0.1 && strtof(\"0.1\", 0) == 0.1f && strtold(\"0.5\", 0) == 0.5);
    assert(atof(\"5.\") == 5.0 && atof(\".5\") == 0.5 && atof(\"1e\") == 1.0 && atof(\"7e+2\") == 700.0);
    text = \".e1\";
    assert(strtod(text, &end) == 0.0 && end == text);
    text = \"1..2\";
    assert(strtod(text, &end) == 1.0 && end == text + 2);
    text = \"0e5000-\";
    assert(strtod(text, &end) == 0.0 && end == text + 6);
    assert(1 / strtod(\"-0\", 0) < 0);
    return 0;
}
";
    assert_eq!(verdict("points", &[], text), Verdict::Proved);
}
