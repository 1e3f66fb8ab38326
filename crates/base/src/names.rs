//! Names that users write: which known name a mistyped one was meant to be, and patterns.

/// The known name that differs least from a mistyped one, if the difference looks like a slip.
pub fn closest<'n, S>(name: &str, known: impl IntoIterator<Item = &'n S>) -> Option<&'n S>
where
    S: AsRef<str> + Ord + ?Sized,
{
    let (name, length) = (name.to_lowercase(), name.chars().count());
    let tolerated = (length / 3).clamp(usize::from(length > 1), 3);
    known
        .into_iter()
        // The distance is at least the difference in length, and takes longer to compute.
        .filter(|candidate| candidate.as_ref().chars().count().abs_diff(length) <= tolerated)
        .map(|candidate| {
            let distance = strsim::osa_distance(&name, &candidate.as_ref().to_lowercase());
            (distance, candidate)
        })
        .filter(|&(distance, _)| distance <= tolerated)
        .min()
        .map(|(_, candidate)| candidate)
}

/// A hint for a mistyped name: the known one that was probably meant, or else all that are known.
pub fn hint<'n>(name: &str, known: impl IntoIterator<Item = &'n str> + Clone) -> String {
    match closest(name, known.clone()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => {
            let quoted: Vec<String> = known.into_iter().map(|name| format!("`{name}`")).collect();
            format!("known are {}", quoted.join(", "))
        }
    }
}

/// Whether a name fits a pattern, in which `*` stands for any text.
pub fn matches_pattern(pattern: &str, name: &str) -> bool {
    let Some((first, rest_of_pattern)) = pattern.split_once('*') else {
        return pattern == name;
    };
    let Some(mut rest) = name.strip_prefix(first) else {
        return false;
    };
    let (middle, last) = rest_of_pattern.rsplit_once('*').unwrap_or(("", rest_of_pattern));
    // The leftmost place of each part leaves the most for the parts after it.
    for part in middle.split('*') {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::{closest, matches_pattern};

    #[test]
    fn slips_are_recognised() {
        let words = ["accepted", "rejected", "edited", "counter", "x"];
        for (slip, meant) in [
            ("acepted", Some("accepted")),
            ("Rejected", Some("rejected")),
            ("reject", Some("rejected")),
            ("conuter", Some("counter")),
            ("maybe", None),
            ("something", None),
            ("y", None),
            ("", None),
        ] {
            assert_eq!(closest(slip, words), meant, "{slip}");
        }
    }

    #[test]
    fn stars_stand_for_any_text() {
        for (pattern, fitting, others) in [
            ("f", &["f"][..], &["", "ff", "g"][..]),
            ("test_*", &["test_", "test_1"], &["test", "a_test_1"]),
            ("*", &["", "anything"], &[]),
            (
                "a*b*c",
                &["abc", "axxbyyc", "abbcc"],
                &["ab", "acb", "xabc", "abcx"],
            ),
            ("ab*b", &["abb", "ab_b"], &["ab"]),
            ("*aba", &["aba", "ababa"], &["abab"]),
        ] {
            for name in fitting {
                assert!(matches_pattern(pattern, name), "{pattern} {name}");
            }
            for name in others {
                assert!(!matches_pattern(pattern, name), "{pattern} {name}");
            }
        }
    }
}
