//! What a mistyped word was meant to be.

/// The candidate that differs least, if the difference looks like a slip.
pub(crate) fn closest<'c>(word: &str, candidates: &[&'c str]) -> Option<&'c str> {
    candidates
        .iter()
        .map(|&candidate| (edit_distance(&word.to_lowercase(), candidate), candidate))
        .filter(|&(distance, candidate)| distance <= candidate.len() / 3)
        .min()
        .map(|(_, candidate)| candidate)
}

/// The number of inserted, deleted and replaced characters.
fn edit_distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut last: Vec<usize> = (0..=right.len()).collect();
    for (row, l) in left.chars().enumerate() {
        let mut diagonal = row;
        last[0] = row + 1;
        for (column, &r) in right.iter().enumerate() {
            let replaced = diagonal + usize::from(l != r);
            diagonal = last[column + 1];
            last[column + 1] = replaced.min(diagonal + 1).min(last[column] + 1);
        }
    }
    last[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_recognised() {
        let words = ["accepted", "rejected", "edited", "inferred"];
        assert_eq!(closest("acepted", &words), Some("accepted"));
        assert_eq!(closest("Rejected", &words), Some("rejected"));
        assert_eq!(closest("reject", &words), Some("rejected"));
        assert_eq!(closest("maybe", &words), None);
        assert_eq!(edit_distance("kitten", "sitting"), 3);
    }
}
