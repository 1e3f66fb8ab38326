//! Families of programs that grow with a number, as Boogie text or as a project of `lariat conform`.

mod concurrent;
mod contracts;
mod globals;
mod open_module;
mod two_phase_commit;

use std::io::{self, Write};
use std::path::Path;

pub(crate) use concurrent::make_concurrent;
pub(crate) use contracts::write_contracts;
pub(crate) use globals::generate_program;
pub(crate) use open_module::write_open_module;
pub(crate) use two_phase_commit::write_two_phase_commit;

/// A family of programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    /// [Dag15] Fig. 2: a chain of procedures of which each calls the next on both branches. A tree of
    /// inlined procedures doubles with each; a graph has one node for each.
    Chain,
    /// A program with that many globals (at least 60), of which few matter: for abstraction.
    Globals,
    /// A chain of that many procedures, each with a loop that takes and gives a lock: a typestate property that needs facts about
    /// loops ([Corral12] §4.2).
    Lock,
    /// A two-phase commit with that many participants: a project file next to `coordinator.c` and `participant.c`.
    TwoPhaseCommit,
    /// That many procedures with contracts, for `lariat boogie`.
    Contracts,
    /// A C module of that many functions without its environment, for `lariat angelic`.
    OpenModule,
}

impl Family {
    pub const ALL: [Family; 6] = [
        Family::Chain,
        Family::Globals,
        Family::Lock,
        Family::TwoPhaseCommit,
        Family::Contracts,
        Family::OpenModule,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Family::Chain => "chain",
            Family::Globals => "globals",
            Family::Lock => "lock",
            Family::TwoPhaseCommit => "two-phase-commit",
            Family::Contracts => "contracts",
            Family::OpenModule => "open-module",
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
            Family::Lock => write_lock(size, output),
            Family::TwoPhaseCommit => write_two_phase_commit(size, Path::new(""), output),
            Family::Contracts => write_contracts(size, output),
            Family::OpenModule => write_open_module(size, output),
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

/// `size` procedures in a row; each takes and gives the lock any number of times.
fn write_lock(size: u32, output: &mut dyn Write) -> io::Result<()> {
    writeln!(
        output,
        "// A lock that is taken and given in {size} loops.\nvar held: int;\n"
    )?;
    let rule = |name: &str, before: u32, after: u32| {
        format!(
            "procedure {name}()\n  modifies held;\n{{\n  assert held == {before};\n  held := {after};\n}}\n"
        )
    };
    writeln!(output, "{}\n{}", rule("Take", 0, 1), rule("Give", 1, 0))?;
    let call = |next: u32| match next < size {
        true => format!("  if (*) {{\n    call P{next}();\n  }} else {{\n    call P{next}();\n  }}\n"),
        false => String::new(),
    };
    let first = call(0);
    writeln!(
        output,
        "procedure main()\n  modifies held;\n{{\n  held := 0;\n{first}  assert held == 0;\n}}\n"
    )?;
    for index in 0..size {
        let next = call(index + 1);
        writeln!(
            output,
            "procedure P{index}()\n  modifies held;\n{{\n  while (*) {{\n    call Take();\n    call Give();\n  }}\n{next}}}\n"
        )?;
    }
    Ok(())
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
    fn a_lock_is_taken_and_given_in_each_procedure() {
        let mut bytes = Vec::new();
        Family::Lock.write(7, &mut bytes).expect("written");
        let text = String::from_utf8(bytes).expect("text");
        assert_eq!(text.matches("procedure ").count(), 7 + 3, "{text}");
        assert_eq!(text.matches("while (*)").count(), 7, "{text}");
        assert_eq!(text.matches("call P").count(), 2 * 7, "{text}");
    }

    #[test]
    fn families_are_found_by_their_names() {
        for family in Family::ALL {
            assert_eq!(Family::by_name(family.name()), Some(family));
        }
        assert_eq!(Family::by_name("no such family"), None);
    }
}
