//! Summaries of procedures that call themselves or each other, by induction over the depth of calls.
//!
//! ```text
//! each summary follows from its procedure if all of them hold of the calls in it   ⇒   all of them hold
//! ```
//!
//! If one did not hold, there would be a call in which something fails, and in it an innermost one; but nothing fails in the calls that it makes.
//! That is so beyond any bound on recursion, and within the bound on loops: calls of an execution within a bound are within it, too.
//!
//! Invariant: what is assumed of calls is what is proved in the end. A summary that cannot be proved is taken out, and the others are proved
//! again without it.

use std::collections::BTreeSet;

use lariat_base::Budget;
use lariat_ir::{AssertId, OpenEntry};

use super::{ProcSummary, Summaries};
use crate::specification::SpecText;

/// A procedure of a component, and what is guessed of it.
pub struct Member<'a> {
    pub entry: &'a OpenEntry,
    pub specs: &'a [SpecText],
}

impl Summaries<'_> {
    /// The summaries of the entries of a recursive component that can be proved, in the order of the members. `results` are the
    /// specifications about results that their callees have, and `dropped` the assertions that were reported for any of them.
    pub fn of_component(
        &self,
        members: &[Member<'_>],
        results: &[String],
        dropped: &BTreeSet<AssertId>,
        callees: &[&ProcSummary],
        budget: &Budget,
    ) -> Vec<Option<ProcSummary>> {
        let mut all_results = results.to_vec();
        let all = members.iter().flat_map(|member| member.specs);
        for text in all.filter(|text| text.is_about_results()) {
            if !all_results.contains(&text.exact) {
                all_results.push(text.exact.clone());
            }
        }
        let texts = || members.iter().flat_map(|member| member.specs);
        let guesses = members.iter().map(|member| {
            let mut guess = self.guess(member.entry, member.specs, all_results.clone(), dropped)?;
            // A context that they hand on mostly has one name, and what one needs of it the others need for that one.
            for text in texts().filter(|text| !text.is_about_results()) {
                let is_new = !guess.requires.contains(&text.exact);
                if is_new && self.can_be_said_of(member.entry, &text.exact) {
                    guess.requires.push(text.exact.clone());
                }
            }
            guess.inputs = Some(self.inputs(&guess, budget)?);
            Some(guess)
        });
        let mut guesses: Vec<Option<ProcSummary>> = guesses.collect();
        loop {
            let mut all_complete = true;
            let mut refuted = Vec::new();
            for (index, guess) in guesses.iter().enumerate() {
                let Some(guess) = guess else { continue };
                let known: Vec<&ProcSummary> =
                    callees.iter().copied().chain(guesses.iter().flatten()).collect();
                match self.prove(guess, &known, budget) {
                    Ok(Some(proof)) => all_complete &= proof.complete,
                    Ok(None) | Err(_) => refuted.push(index),
                }
            }
            if refuted.is_empty() {
                for guess in guesses.iter_mut().flatten() {
                    guess.complete = all_complete;
                }
                return guesses;
            }
            for index in refuted {
                guesses[index] = None;
            }
        }
    }

    fn can_be_said_of(&self, entry: &OpenEntry, text: &str) -> bool {
        let mut pool = self.plain.program.pool.clone();
        self.resolve(entry, text, &mut pool).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::tests::{entry, of_file, texts};

    /// Which summaries of a component are proved under these specifications, and whether they are so beyond the bound.
    fn proved(members: &[(&str, &[&str])]) -> Vec<Option<bool>> {
        of_file("recursion.c", |summaries, open| {
            let specs: Vec<Vec<SpecText>> = members.iter().map(|(_, specs)| texts(specs)).collect();
            let members: Vec<Member<'_>> = members
                .iter()
                .zip(&specs)
                .map(|((name, _), specs)| Member {
                    entry: entry(open, name),
                    specs,
                })
                .collect();
            let budget = Budget::unlimited();
            let found = summaries.of_component(&members, &[], &BTreeSet::new(), &[], &budget);
            found
                .into_iter()
                .map(|summary| summary.map(|summary| summary.complete))
                .collect()
        })
    }

    #[test]
    fn what_hands_on_what_it_needs_is_proved_for_any_depth() {
        assert_eq!(proved(&[("same", &[])]), [Some(true)]);
        assert_eq!(proved(&[("sum", &["scale != NULL"])]), [Some(true)]);
    }

    #[test]
    fn a_failure_below_the_first_call_refutes_a_summary() {
        assert_eq!(proved(&[("sum", &[])]), [None]);
        assert_eq!(proved(&[("second", &["scale != NULL"])]), [None]);
    }

    #[test]
    fn members_are_proved_together() {
        let needs: &[&str] = &["scale != NULL"];
        assert_eq!(proved(&[("even", needs), ("odd", needs)]), [Some(true); 2]);
        // What one needs is guessed of the other one.
        assert_eq!(proved(&[("even", needs), ("odd", &[])]), [Some(true); 2]);
        assert_eq!(proved(&[("even", &[]), ("odd", &[])]), [None; 2]);
        assert_eq!(proved(&[("heads", needs), ("tails", needs)]), [None; 2]);
    }
}
