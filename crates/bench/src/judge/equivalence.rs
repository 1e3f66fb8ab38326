//! Whether two sets of specifications say the same, up to the names of their symbols.
//!
//! Symbols occur only as premises, so a specification `∀x̄. s(x̄) ⇒ φ(x̄)` follows from others exactly if `φ(c̄)`
//! follows, for new constants `c̄`, from the others' instances at those constants where the symbols agree: no other
//! value has to have a symbol. So the solver gets ground instances only.
//!
//! If two sets are equivalent, so are their parts about one symbol each (let nothing have the other symbols): that
//! is checked first and leaves few renamings to try.

use lariat_smt::{CheckResult, Context, Solver, SolverError};
use lariat_term::{Substitution, TermId, TermPool, VarId};

use super::formula::{Formula, Formulas, Symbol};

/// For one question, in milliseconds.
const TIME: &str = "2000";
/// Renamings that are tried before the comparison is given up.
const MAX_RENAMINGS: usize = 2000;
/// Instances of one specification before the comparison is given up.
const MAX_INSTANCES: usize = 10_000;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Comparison {
    Equivalent,
    Different,
    /// The solver gave up, or there were too many ways to rename.
    Undecided,
}

/// The first `expected` of the formulas are compared with the others.
pub fn compare(formulas: Formulas, expected: usize) -> Result<Comparison, SolverError> {
    let (expected, found) = formulas.formulas.split_at(expected);
    let (theirs, expected) = numbered(expected);
    let (ours, found) = numbered(found);
    let mut search = Search {
        pool: formulas.pool,
        axioms: formulas.axioms,
        expected,
        found,
        theirs,
        ours,
        renamings: 0,
        undecided: false,
    };
    let candidates = search.candidates()?;
    if search.rename(&candidates, &mut Vec::new())? {
        return Ok(Comparison::Equivalent);
    }
    Ok(match search.undecided {
        true => Comparison::Undecided,
        false => Comparison::Different,
    })
}

/// A specification whose symbols are numbers.
#[derive(Clone, Debug)]
struct Numbered {
    variables: Vec<(usize, VarId)>,
    condition: TermId,
}

/// The specifications with numbered symbols, and for each number a variable that shows its type.
fn numbered(formulas: &[Formula]) -> (Vec<VarId>, Vec<Numbered>) {
    let mut symbols: Vec<(&Symbol, VarId)> = Vec::new();
    let mut all = Vec::with_capacity(formulas.len());
    for formula in formulas {
        let mut variables = Vec::with_capacity(formula.variables.len());
        for (symbol, variable) in &formula.variables {
            let known = symbols.iter().position(|(known, _)| *known == symbol);
            let number = known.unwrap_or_else(|| {
                symbols.push((symbol, *variable));
                symbols.len() - 1
            });
            variables.push((number, *variable));
        }
        all.push(Numbered {
            variables,
            condition: formula.condition,
        });
    }
    (symbols.into_iter().map(|(_, variable)| variable).collect(), all)
}

/// Those about no other symbol than this one.
fn about(specifications: &[Numbered], symbol: usize) -> Vec<Numbered> {
    let only = |one: &&Numbered| one.variables.iter().all(|&(number, _)| number == symbol);
    specifications.iter().filter(only).cloned().collect()
}

struct Search {
    pool: TermPool,
    axioms: Vec<TermId>,
    expected: Vec<Numbered>,
    found: Vec<Numbered>,
    /// Their symbols and ours, each by a variable of its type.
    theirs: Vec<VarId>,
    ours: Vec<VarId>,
    renamings: usize,
    undecided: bool,
}

/// For each of our symbols theirs that it is, or `None` if they have no such.
type Renaming = [Option<usize>];

impl Search {
    /// For each of our symbols, those of theirs about which alone the same is said.
    fn candidates(&mut self) -> Result<Vec<Vec<usize>>, SolverError> {
        let mut candidates = Vec::with_capacity(self.ours.len());
        for our in 0..self.ours.len() {
            let mut fitting = Vec::new();
            for their in 0..self.theirs.len() {
                let sorts = [self.ours[our], self.theirs[their]].map(|var| self.pool.var_sort(var));
                if sorts[0] != sorts[1] {
                    continue;
                }
                let mut renaming = vec![None; self.ours.len()];
                renaming[our] = Some(their);
                let (expected, found) = (about(&self.expected, their), about(&self.found, our));
                if self.equivalent(&expected, &found, &renaming)? != Some(false) {
                    fitting.push(their);
                }
            }
            candidates.push(fitting);
        }
        Ok(candidates)
    }

    /// Whether some injective renaming that begins like this one makes both equivalent.
    fn rename(
        &mut self,
        candidates: &[Vec<usize>],
        renaming: &mut Vec<Option<usize>>,
    ) -> Result<bool, SolverError> {
        let our = renaming.len();
        if our == self.ours.len() {
            self.renamings += 1;
            if self.renamings > MAX_RENAMINGS {
                self.undecided = true;
                return Ok(false);
            }
            let (expected, found) = (self.expected.clone(), self.found.clone());
            let same = self.equivalent(&expected, &found, renaming)?;
            self.undecided |= same.is_none();
            return Ok(same == Some(true));
        }
        let named = candidates[our].iter().map(|&their| Some(their));
        // What is said about it may follow from the rest, so it need not be one of theirs.
        for their in named.chain([None]) {
            if their.is_some() && renaming.contains(&their) {
                continue;
            }
            renaming.push(their);
            if self.rename(candidates, renaming)? {
                return Ok(true);
            }
            renaming.pop();
            if self.renamings > MAX_RENAMINGS {
                break;
            }
        }
        Ok(false)
    }

    /// `None` if the solver gives up.
    fn equivalent(
        &mut self,
        expected: &[Numbered],
        found: &[Numbered],
        renaming: &Renaming,
    ) -> Result<Option<bool>, SolverError> {
        let apart = self.theirs.len();
        let shared = |one: &Numbered| {
            let shared = |&(our, variable): &(usize, VarId)| {
                let their = renaming.get(our).copied().flatten();
                (their.unwrap_or(apart + our), variable)
            };
            Numbered {
                variables: one.variables.iter().map(shared).collect(),
                condition: one.condition,
            }
        };
        let found: Vec<Numbered> = found.iter().map(shared).collect();
        let mut sure = true;
        for (premises, conclusions) in [(expected, found.as_slice()), (found.as_slice(), expected)] {
            for conclusion in conclusions {
                match self.follows(premises, conclusion)? {
                    Some(true) => {}
                    Some(false) => return Ok(Some(false)),
                    None => sure = false,
                }
            }
        }
        Ok(sure.then_some(true))
    }

    /// Whether a specification follows from others with the same numbers for symbols.
    fn follows(&mut self, premises: &[Numbered], conclusion: &Numbered) -> Result<Option<bool>, SolverError> {
        let mut facts = self.axioms.clone();
        for premise in premises {
            let Some(instances) = self.instances(premise, conclusion) else {
                return Ok(None);
            };
            facts.extend(instances);
        }
        facts.push(self.pool.not(conclusion.condition));
        let mut context = Context::new()?;
        let options = [("timeout".to_owned(), TIME.to_owned())];
        let mut solver = Solver::for_one_check(&mut context, &options)?;
        for fact in facts {
            let fact = context.term(&self.pool, fact)?;
            solver.assert(&mut context, fact)?;
        }
        Ok(match solver.check(&mut context, &[])? {
            CheckResult::Unsat => Some(true),
            CheckResult::Sat => Some(false),
            CheckResult::Unknown(_) => None,
        })
    }

    /// The premise at all combinations of the conclusion's variables with the same symbols; `None` if there are too many.
    fn instances(&mut self, premise: &Numbered, conclusion: &Numbered) -> Option<Vec<TermId>> {
        let mut choices: Vec<Vec<VarId>> = vec![Vec::new()];
        for &(symbol, _) in &premise.variables {
            let values = conclusion.variables.iter();
            let values: Vec<VarId> = values
                .filter(|(other, _)| *other == symbol)
                .map(|&(_, var)| var)
                .collect();
            choices = choices
                .iter()
                .flat_map(|chosen| {
                    values.iter().map(move |&value| {
                        let mut longer = chosen.clone();
                        longer.push(value);
                        longer
                    })
                })
                .collect();
            if choices.len() > MAX_INSTANCES {
                return None;
            }
        }
        let mut instances = Vec::with_capacity(choices.len());
        for chosen in choices {
            let mut substitution = Substitution::new();
            for (&(_, variable), value) in premise.variables.iter().zip(chosen) {
                let value = self.pool.var(value);
                substitution.insert(variable, value);
            }
            instances.push(substitution.apply(&mut self.pool, premise.condition));
        }
        Some(instances)
    }
}

#[cfg(test)]
mod tests {
    use super::super::formula::SpecificationText;
    use super::*;

    const PROGRAM: &str = "const NULL: int; axiom NULL == 0;
        var g: int; var h: int; var m: [int]int;
        procedure P(p: int, q: int) { assert p != NULL; }
        procedure Q(p: int);
        implementation Q(r: int) { assert r != NULL; }";

    fn same(expected: &[&str], found: &[(&str, &str)]) -> Comparison {
        let expected_texts = expected
            .iter()
            .map(|&text| SpecificationText { text, entry: None });
        let found_texts = found.iter().map(|&(entry, text)| SpecificationText {
            text,
            entry: Some(entry),
        });
        let texts: Vec<SpecificationText<'_>> = expected_texts.chain(found_texts).collect();
        match Formulas::of_program(PROGRAM, &texts) {
            Ok(formulas) => compare(formulas, expected.len()).expect("the solver works"),
            Err(reason) => panic!("{reason}"),
        }
    }

    #[test]
    fn symbols_may_have_other_names() {
        let expected = [
            "(forall x: int :: unknownTrigger_0(x) ==> x != NULL)",
            "(forall x: int :: unknownTrigger_7(x) ==> m[x] != NULL)",
        ];
        let found = [
            ("P", "(forall x_1: int :: unknown_2(x_1) ==> m[x_1] != NULL)"),
            ("P", "forall y: int :: unknown_3(y) ==> !(y == 0)"),
        ];
        assert_eq!(same(&expected, &found), Comparison::Equivalent);
        assert_eq!(same(&expected, &found[..1]), Comparison::Different);
        assert_eq!(same(&expected[..1], &found), Comparison::Different);
        // One symbol cannot stand for two.
        let one = [
            ("P", "(forall x: int :: unknown_2(x) ==> m[x] != NULL)"),
            ("P", "(forall x: int :: unknown_2(x) ==> x != NULL)"),
        ];
        assert_eq!(same(&expected, &one), Comparison::Different);
    }

    #[test]
    fn inputs_are_symbols() {
        let expected = [
            "(forall x: int :: unknownTrigger_1(x) ==> x != NULL)",
            "(forall x: int :: unknownTrigger_2(x) ==> x != NULL)",
            "(forall x: int :: unknownTrigger_3(x) ==> x != NULL)",
        ];
        let found = [("P", "p != NULL"), ("Q", "r != NULL"), ("Q", "g != NULL")];
        assert_eq!(same(&expected, &found), Comparison::Equivalent);
        // A global is the same for all entries, a parameter is not.
        let repeated = [("P", "g != NULL"), ("Q", "r != NULL"), ("Q", "g != NULL")];
        assert_eq!(same(&expected, &repeated), Comparison::Different);
        assert_eq!(same(&expected[1..], &repeated), Comparison::Equivalent);
    }

    #[test]
    fn what_is_said_counts_not_how() {
        let expected = [
            "(forall x: int, y: int :: unknownTrigger_1(x) && unknownTrigger_2(y) ==> x != y && m[x] != NULL)",
        ];
        let found = [(
            "P",
            "(forall a: int, b: int :: unknown_5(b) && unknown_4(a) ==> m[b] != NULL && a != b)",
        )];
        assert_eq!(same(&expected, &found), Comparison::Equivalent);
        let weaker = [(
            "P",
            "(forall a: int, b: int :: unknown_5(b) && unknown_4(a) ==> m[b] != NULL || a != b)",
        )];
        assert_eq!(same(&expected, &weaker), Comparison::Different);
    }

    #[test]
    fn what_follows_from_the_rest_does_not_count() {
        let expected = ["true ==> m[3] != NULL", "(forall z: int :: m[z] > 0)"];
        let found = [("P", "(forall i: int :: m[i] >= 1)"), ("P", "m[5] != NULL")];
        assert_eq!(same(&expected, &found), Comparison::Equivalent);
        assert_eq!(same(&expected, &[("P", "m[3] != NULL")]), Comparison::Different);
        assert_eq!(
            same(&["true ==> m[3] != NULL"], &[("P", "m[4] != NULL")]),
            Comparison::Different
        );
        assert_eq!(same(&[], &[("P", "p == p")]), Comparison::Equivalent);
        assert_eq!(same(&[], &[]), Comparison::Equivalent);
    }

    #[test]
    fn pointers_are_not_less_than_null() {
        let expected = ["true ==> m[3] != NULL", "(forall z: int :: m[z] > 0)"];
        assert_eq!(
            same(&expected, &[("P", "(forall i: int :: m[i] != NULL)")]),
            Comparison::Equivalent
        );
        // Numbers that nobody compares with the null pointer are any numbers.
        let numbers = ["(forall z: int :: m[z] > 0)"];
        assert_eq!(
            same(&numbers, &[("P", "(forall i: int :: m[i] != 0)")]),
            Comparison::Different
        );
        assert_eq!(
            same(
                &["(forall z: int :: m[z] > 1)"],
                &[("P", "(forall i: int :: m[i] != NULL)")]
            ),
            Comparison::Different
        );
    }

    #[test]
    fn what_cannot_be_read_is_told() {
        let text = |text| SpecificationText {
            text,
            entry: Some("P"),
        };
        let error = Formulas::of_program(PROGRAM, &[text("p != ")]).expect_err("no expression");
        assert!(error.contains("p != "), "{error}");
        let error = Formulas::of_program(PROGRAM, &[text("nowhere != NULL")]).expect_err("no such name");
        assert!(error.contains("nowhere"), "{error}");
    }

    #[test]
    fn null_may_be_written_in_small_letters() {
        let program = "type Ref; const unique null: Ref; const unique other: Ref; procedure P(p: Ref) { }";
        let text = |text| SpecificationText {
            text,
            entry: Some("P"),
        };
        let texts = [
            text("(forall x: Ref :: unknownTrigger_0(x) ==> x != null)"),
            text("p != NULL"),
        ];
        let formulas = Formulas::of_program(program, &texts).expect("both can be read");
        assert_eq!(
            compare(formulas, 1).expect("the solver works"),
            Comparison::Equivalent
        );
    }
}
