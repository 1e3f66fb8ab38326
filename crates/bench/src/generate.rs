//! Families of programs that grow with a number, as Boogie text or as a project of `lariat conform`.

mod contracts;
mod globals;
mod two_phase_commit;

use std::io::{self, Write};
use std::path::Path;

pub(crate) use contracts::write_contracts;
pub(crate) use globals::generate_program;
pub(crate) use two_phase_commit::write_two_phase_commit;

/// A family of programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    /// [Dag15] Fig. 2: a chain of procedures of which each calls the next on both branches. A tree of
    /// inlined procedures doubles with each; a graph has one node for each.
    Chain,
    /// A program with that many globals (at least 60), of which few matter: for abstraction.
    Globals,
    /// A two-phase commit with that many participants: a project file next to `coordinator.c` and `participant.c`.
    TwoPhaseCommit,
    /// That many procedures with contracts, for `lariat boogie`.
    Contracts,
}

impl Family {
    pub const ALL: [Family; 4] = [
        Family::Chain,
        Family::Globals,
        Family::TwoPhaseCommit,
        Family::Contracts,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Family::Chain => "chain",
            Family::Globals => "globals",
            Family::TwoPhaseCommit => "two-phase-commit",
            Family::Contracts => "contracts",
        }
    }

    pub fn by_name(name: &str) -> Option<Family> {
        Family::ALL.into_iter().find(|family| family.name() == name)
    }

    /// Writes the program for `size`.
    pub fn write(self, size: u32, output: &mut dyn Write) -> io::Result<()> {
        match self {
            Family::Chain => write_chain(size, output),
            Family::Globals => {
                let text = generate_program(u64::from(size), size as usize);
                output.write_all(text.as_bytes())
            }
            Family::TwoPhaseCommit => write_two_phase_commit(size, Path::new(""), output),
            Family::Contracts => write_contracts(size, output),
        }
    }
}

/// [Dag15] Fig. 2 with N = `size`: procedures `P0` to `PN`, and `g == i` whenever `Pi` starts.
fn write_chain(size: u32, output: &mut dyn Write) -> io::Result<()> {
    let choose =
        |next: u32| format!("  if (*) {{\n    call P{next}();\n  }} else {{\n    call P{next}();\n  }}\n");
    writeln!(output, "// [Dag15] Fig. 2 for N = {size}.\nvar g: int;\n")?;
    let first = choose(0);
    writeln!(
        output,
        "procedure main()\n  modifies g;\n{{\n  g := 0;\n{first}}}\n"
    )?;
    for index in 0..size {
        let next = choose(index + 1);
        writeln!(
            output,
            "procedure P{index}()\n  modifies g;\n{{\n  g := g + 1;\n{next}}}\n"
        )?;
    }
    writeln!(output, "procedure P{size}()\n{{\n  assert g == {size};\n}}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_has_a_procedure_for_each_number_and_main() {
        let text = |size| {
            let mut bytes = Vec::new();
            Family::Chain.write(size, &mut bytes).expect("written");
            String::from_utf8(bytes).expect("text")
        };
        for size in [0, 1, 20] {
            let text = text(size);
            assert_eq!(text.matches("procedure ").count(), size as usize + 2, "{text}");
            assert_eq!(text.matches("call ").count(), 2 * (size as usize + 1), "{text}");
            assert_eq!(text.matches(":= g + 1").count(), size as usize, "{text}");
            assert!(text.contains(&format!("assert g == {size};")), "{text}");
        }
    }

    #[test]
    fn families_are_found_by_their_names() {
        for family in Family::ALL {
            assert_eq!(Family::by_name(family.name()), Some(family));
        }
        assert_eq!(Family::by_name("no such family"), None);
    }
}
