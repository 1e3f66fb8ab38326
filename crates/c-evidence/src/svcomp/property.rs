//! Property files (`.prp`) and answers.

use lariat_report::{COptions, Check, Failure, FailureKind, Verdict, VerifyReport};

/// What a property file asks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// The file without comments and empty lines.
    pub text: String,
    /// The function to start from.
    pub entry: String,
    /// Without repetitions.
    pub clauses: Vec<Clause>,
    /// The functions that must not be called.
    pub error_functions: Vec<String>,
}

/// One claim about all executions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Clause {
    UnreachCall,
    ValidFree,
    ValidDeref,
    /// No memory is lost. Lariat's check is stricter: no memory is left. So neither a proof nor a
    /// failure answers this.
    ValidMemtrack,
    ValidMemcleanup,
    NoOverflow,
    NoDataRace,
    Assert,
}

impl Clause {
    /// The name of the competition.
    pub fn name(self) -> &'static str {
        match self {
            Clause::UnreachCall => "unreach-call",
            Clause::ValidFree => "valid-free",
            Clause::ValidDeref => "valid-deref",
            Clause::ValidMemtrack => "valid-memtrack",
            Clause::ValidMemcleanup => "valid-memcleanup",
            Clause::NoOverflow => "no-overflow",
            Clause::NoDataRace => "no-data-race",
            Clause::Assert => "assert",
        }
    }

    fn checks(self) -> &'static [Check] {
        match self {
            Clause::UnreachCall => &[Check::Reach],
            Clause::ValidFree => &[Check::DoubleFree, Check::InvalidFree],
            Clause::ValidDeref => &[Check::Null, Check::Bounds, Check::UseAfterFree],
            // Not checked, see above.
            Clause::ValidMemtrack => &[],
            Clause::ValidMemcleanup => &[Check::Leak],
            Clause::NoOverflow => &[Check::Overflow],
            Clause::NoDataRace => &[Check::Race],
            Clause::Assert => &[Check::Assert],
        }
    }

    fn is_violated_by(self, kind: FailureKind) -> bool {
        match self {
            Clause::UnreachCall => kind == FailureKind::ErrorReached,
            Clause::ValidFree => matches!(kind, FailureKind::DoubleFree | FailureKind::InvalidFree),
            Clause::ValidDeref => matches!(
                kind,
                FailureKind::NullDereference | FailureKind::OutOfBounds | FailureKind::UseAfterFree
            ),
            Clause::ValidMemtrack => false,
            Clause::ValidMemcleanup => kind == FailureKind::Leak,
            Clause::NoOverflow => kind == FailureKind::SignedOverflow,
            Clause::NoDataRace => kind == FailureKind::DataRace,
            Clause::Assert => kind == FailureKind::Assertion,
        }
    }
}

impl Property {
    /// A property that the competition has a name for, as benchmarks give it.
    pub fn named(name: &str) -> Option<Property> {
        let formulas: &[&str] = match name {
            "unreach-call" => &["! call(reach_error())", "! call(__VERIFIER_error())"],
            "valid-memsafety" => &["valid-free", "valid-deref", "valid-memtrack"],
            "valid-memcleanup" => &["valid-memcleanup"],
            "no-overflow" => &["! overflow"],
            "no-data-race" => &["! data-race"],
            _ => return None,
        };
        let lines: Vec<String> = formulas
            .iter()
            .map(|formula| format!("CHECK( init(main()), LTL(G {formula}) )"))
            .collect();
        Property::parse(&lines.join("\n")).ok()
    }

    /// Reads the text of a property file. The error is for the user.
    pub fn parse(source: &str) -> Result<Property, String> {
        let lines: Vec<&str> = source
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty() && !line.starts_with("//") && !line.starts_with('#'))
            .collect();
        let mut property = Property {
            text: lines.join("\n"),
            entry: String::new(),
            clauses: Vec::new(),
            error_functions: Vec::new(),
        };
        for line in &lines {
            property.add(line)?;
        }
        if property.clauses.is_empty() {
            return Err("the property file asks for nothing".to_owned());
        }
        Ok(property)
    }

    /// Reads `CHECK( init(main()), LTL(G ...) )`; spaces do not matter.
    fn add(&mut self, line: &str) -> Result<(), String> {
        let form = || format!("`{line}` is not of the form CHECK( init(main()), LTL(G ...) )");
        let compact: String = line.chars().filter(|c| !c.is_whitespace()).collect();
        let inner = compact
            .strip_prefix("CHECK(init(")
            .and_then(|rest| rest.strip_suffix(')'))
            .ok_or_else(form)?;
        let (entry, formula) = inner.split_once("()),").ok_or_else(form)?;
        if !is_name(entry) || (!self.entry.is_empty() && self.entry != entry) {
            return Err(form());
        }
        self.entry = entry.to_owned();
        let formula = formula
            .strip_prefix("LTL(")
            .and_then(|rest| rest.strip_suffix(')'))
            .ok_or_else(form)?;
        let called = formula
            .strip_prefix("G!call(")
            .and_then(|rest| rest.strip_suffix("())"))
            .filter(|name| is_name(name));
        let clause = match formula {
            "Gvalid-free" => Clause::ValidFree,
            "Gvalid-deref" => Clause::ValidDeref,
            "Gvalid-memtrack" => Clause::ValidMemtrack,
            "Gvalid-memcleanup" => Clause::ValidMemcleanup,
            "G!overflow" => Clause::NoOverflow,
            "G!data-race" => Clause::NoDataRace,
            "Gassert" => Clause::Assert,
            _ => match called {
                Some(name) => {
                    self.error_functions.push(name.to_owned());
                    Clause::UnreachCall
                }
                None => {
                    return Err(format!(
                        "`{line}`: Lariat does not know this property; it knows G ! call(f()), G valid-free, \
                         G valid-deref, G valid-memtrack, G valid-memcleanup, G ! overflow, \
                         G ! data-race and G assert"
                    ));
                }
            },
        };
        if !self.clauses.contains(&clause) {
            self.clauses.push(clause);
        }
        Ok(())
    }

    /// Makes a request ask what the property asks, instead of what was set.
    pub fn apply(&self, options: &mut COptions) {
        let asked = |check: &Check| self.clauses.iter().any(|clause| clause.checks().contains(check));
        options.checks = Check::ALL.into_iter().filter(asked).collect();
        // A label is an error only by the conventions of people.
        options.error_labels = false;
        options.error_functions = self.error_functions.clone();
    }

    /// What a report answers.
    pub fn answer(&self, report: &VerifyReport) -> Answer {
        match report.verdict {
            // Proofs about other integers than the machine's, or of less than was asked, are no answers.
            Verdict::Proved
                if report.integers.is_none() && !self.clauses.contains(&Clause::ValidMemtrack) =>
            {
                Answer::True
            }
            Verdict::Bug => match self.violation(report) {
                Some((clause, _)) => Answer::False(clause),
                None => Answer::Unknown,
            },
            _ => Answer::Unknown,
        }
    }

    /// The first replayed failure that violates a clause.
    pub fn violation<'a>(&self, report: &'a VerifyReport) -> Option<(Clause, &'a Failure)> {
        report
            .failures()
            .filter(|failure| failure.confirmed)
            .find_map(|failure| {
                let clause = self
                    .clauses
                    .iter()
                    .find(|clause| clause.is_violated_by(failure.kind))?;
                Some((*clause, failure))
            })
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// An answer of the competition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    True,
    False(Clause),
    Unknown,
}

/// As tools print it.
impl std::fmt::Display for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Answer::True => f.write_str("TRUE"),
            Answer::False(clause) => write!(f, "FALSE({})", clause.name()),
            Answer::Unknown => f.write_str("UNKNOWN"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_properties_of_the_competition_are_read() {
        let reach =
            Property::parse("CHECK( init(main()), LTL(G ! call(reach_error())) )\n\n").expect("a property");
        assert_eq!(reach.clauses, [Clause::UnreachCall]);
        assert_eq!((reach.entry.as_str(), reach.error_functions.len()), ("main", 1));
        let mut options = COptions::default();
        reach.apply(&mut options);
        assert_eq!(options.checks, [Check::Reach]);
        assert_eq!(options.error_functions, ["reach_error"]);
        assert!(!options.error_labels);

        let memory = "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n\
                      CHECK( init(main()), LTL(G valid-memtrack) )\n";
        let memory = Property::parse(memory).expect("a property");
        memory.apply(&mut options);
        assert_eq!(options.checks, Check::MEMORY);
        assert_eq!(memory.text.lines().count(), 3);

        for (text, check) in [
            ("CHECK( init(main()), LTL(G ! overflow) )", Check::Overflow),
            ("CHECK( init(main()), LTL(G valid-memcleanup) )", Check::Leak),
            ("CHECK( init(main()), LTL(G ! data-race) )", Check::Race),
            ("CHECK(init(main()),LTL(G assert))", Check::Assert),
            (
                "CHECK( init(main()), LTL(G ! call(__VERIFIER_error())) )",
                Check::Reach,
            ),
        ] {
            Property::parse(text).expect("a property").apply(&mut options);
            assert_eq!(options.checks, [check], "{text}");
        }
        Property::parse("CHECK( init(go()), LTL(G ! call(bad())) )")
            .expect("a property")
            .apply(&mut options);
        assert_eq!(options.error_functions, ["bad"]);
    }

    #[test]
    fn names_of_properties_are_known() {
        let checks = |name: &str| {
            let mut options = COptions::default();
            Property::named(name)?.apply(&mut options);
            Some(options.checks)
        };
        assert_eq!(checks("unreach-call"), Some(vec![Check::Reach]));
        assert_eq!(checks("valid-memsafety"), Some(Check::MEMORY.to_vec()));
        assert_eq!(checks("no-overflow"), Some(vec![Check::Overflow]));
        assert_eq!(checks("valid-memcleanup"), Some(vec![Check::Leak]));
        assert_eq!(checks("no-data-race"), Some(vec![Check::Race]));
        assert_eq!(checks("termination"), None);
    }

    #[test]
    fn other_properties_are_refused() {
        for text in [
            "",
            "// nothing\n",
            "CHECK( init(main()), LTL(F end) )",
            "COVER( init(main()), FQL(COVER EDGES(@BASICBLOCKENTRY)) )",
            "CHECK( init(main()), LTL(G ! call(f(x))) )",
            "CHECK( init(), LTL(G valid-free) )",
            "unreach-call",
        ] {
            Property::parse(text).expect_err(text);
        }
    }
}
