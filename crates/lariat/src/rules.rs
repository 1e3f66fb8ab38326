//! What the rules of findings mean, for services that show results: a text and how severe it is.
//!
//! `docs/findings.md` has a section for each; a test compares the two.

/// A rule by the name of its failure.
pub struct Rule {
    pub name: &'static str,
    /// What goes wrong and what to do about it.
    pub help: &'static str,
    /// GitHub's measure for security, up to 10; `None` if the rule is not about it.
    pub security: Option<&'static str>,
}

const fn rule(name: &'static str, help: &'static str, security: Option<&'static str>) -> Rule {
    Rule { name, help, security }
}

pub const RULES: [Rule; 26] = [
    rule(
        "assertion",
        "An execution reaches the assertion with a condition that is false. Step through the execution to see which input \
         leads there; correct the code, or the assertion if it asks for too much.",
        None,
    ),
    rule(
        "precondition",
        "A call does not establish the `requires` clause of the procedure that it calls.",
        None,
    ),
    rule(
        "postcondition",
        "A procedure returns in a state that its `ensures` clause excludes.",
        None,
    ),
    rule(
        "invariant-entry",
        "The loop is reached in a state that violates its invariant.",
        None,
    ),
    rule(
        "invariant-maintained",
        "A round of the loop leads from a state of the invariant to one that violates it.",
        None,
    ),
    rule(
        "entry-returns",
        "The entry procedure has no assertion and can return: that was the question.",
        None,
    ),
    rule(
        "variable-nonzero",
        "The error variable can be set when the entry returns.",
        None,
    ),
    rule(
        "error-reached",
        "A call of an error function, or a label `ERROR`, can be reached.",
        None,
    ),
    rule("abort", "A call of `abort` can be reached.", None),
    rule(
        "null-dereference",
        "A pointer that can be null is dereferenced. Check it before, or make sure that it is never null.",
        Some("5.5"),
    ),
    rule(
        "out-of-bounds",
        "Memory outside of an object can be read or written. Check the index or the length before the access.",
        Some("8.8"),
    ),
    rule(
        "use-after-free",
        "Memory is accessed after it was freed.",
        Some("8.8"),
    ),
    rule(
        "double-free",
        "The same memory is freed twice. Set the pointer to null after `free`, or give the memory one owner.",
        Some("8.1"),
    ),
    rule(
        "invalid-free",
        "`free` is called with an address that no allocation returned.",
        Some("7.5"),
    ),
    rule(
        "leak",
        "Memory is still allocated when the program ends, or nothing points to it any more.",
        Some("3.0"),
    ),
    rule(
        "signed-overflow",
        "Signed arithmetic leaves the range of its type, which is undefined in C.",
        Some("6.0"),
    ),
    rule("division-by-zero", "A divisor can be zero.", Some("5.5")),
    rule(
        "invalid-shift",
        "A shift is by a negative number of bits, or by as many as the type has or more.",
        Some("4.0"),
    ),
    rule(
        "uninitialised-use",
        "A variable or memory is read before anything was written to it.",
        Some("6.5"),
    ),
    rule(
        "data-race",
        "Two threads access the same object at the same time, and one of them writes. Protect all accesses by the same lock, or make the object atomic.",
        Some("6.5"),
    ),
    rule(
        "lock-misuse",
        "A lock is unlocked by a thread that does not hold it, locked twice, or destroyed while it is held.",
        Some("4.0"),
    ),
    rule(
        "trace-inclusion",
        "The components do something that the specification does not allow at this point.",
        None,
    ),
    rule(
        "deadlock",
        "All threads or components get stuck: each waits for another. Take locks in the same order everywhere.",
        None,
    ),
    rule(
        "temporal-property",
        "An execution of the components goes on for ever, or ends, without what the temporal property asks for.",
        None,
    ),
    rule(
        "equivalence",
        "The specification cannot follow what the components do, or they cannot follow it.",
        None,
    ),
    rule(
        "suppressed",
        "An alarm that a specification of the environment suppresses. Reject the specification to see it as a warning.",
        None,
    ),
];

/// The rule of a finding; those of `angelic` have the confidence before them: `inconsistent/null-dereference`.
pub fn find(id: &str) -> Option<&'static Rule> {
    let name = id.rsplit('/').next().unwrap_or(id);
    RULES.iter().find(|rule| rule.name == name)
}

/// Where the rule is described.
pub fn address(id: &str) -> String {
    let name = id.rsplit('/').next().unwrap_or(id);
    format!(
        "{}/blob/main/docs/findings.md#{name}",
        env!("CARGO_PKG_REPOSITORY")
    )
}

#[cfg(test)]
mod tests {
    use lariat_report::Check;

    use super::*;

    #[test]
    fn every_rule_is_described_in_the_docs() {
        let docs = include_str!("../../../docs/findings.md");
        for rule in &RULES {
            let heading = format!("\n## {}\n", rule.name);
            assert!(docs.contains(&heading), "docs/findings.md has no {heading}");
        }
        let headings = docs.lines().filter(|line| line.starts_with("## ")).count();
        assert_eq!(headings, RULES.len());
    }

    #[test]
    fn every_check_of_c_has_a_rule() {
        for check in Check::DEFAULT.into_iter().chain(Check::MEMORY) {
            let name = check.failure().name();
            assert!(find(name).is_some(), "{name}");
        }
        assert_eq!(find("inconsistent/leak").map(|rule| rule.name), Some("leak"));
        assert!(address("definite/leak").ends_with("docs/findings.md#leak"));
    }
}
