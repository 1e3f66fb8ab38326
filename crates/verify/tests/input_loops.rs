//! Loops over what the program reads: executions with texts as inputs find bugs that need long ones.

use std::time::Duration;

use lariat_base::Budget;
use lariat_report::{Check, Verdict, VerifyRequest};
use lariat_testkit::folder::Folder;

#[track_caller]
fn has_bug(name: &str, checks: &[Check], text: &str) {
    let folder = Folder::new(&format!("input-loops-{name}"));
    let file = folder.write("program.c", text);
    let mut request = VerifyRequest::new(vec![file]);
    if !checks.is_empty() {
        request.c.checks = checks.to_vec();
    }
    // Only ends what would hang: the searches alone do not come so far.
    let budget = Budget::new(Some(Duration::from_secs(120)), None);
    let report = lariat_verify::verify(&request, &budget, &mut |_| {});
    assert_eq!(report.verdict, Verdict::Bug, "{text}");
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
