//! A prepared program and its question, which every engine is given.

use cranelift_entity::{PrimaryMap, SecondaryMap};
use lariat_ir::{Interface, ProcId, Program};
use lariat_passes::Prepared;
use lariat_term::{TermId, VarId};

/// Can `entry` return?
#[derive(Clone, Debug)]
pub struct Problem {
    pub program: Program,
    pub entry: ProcId,
    pub interfaces: PrimaryMap<ProcId, Interface>,
    /// The error flag of the instrumentation, if the question is about assertions.
    pub error: Option<VarId>,
    /// What is known of each procedure without looking at its body.
    pub summaries: SecondaryMap<ProcId, Option<Summary>>,
}

/// What holds whenever a call of the procedure returns, whatever it was called with.
///
/// Its variables are its own. They stand, by position, for the inputs and outputs of the procedure's
/// condition: [`crate::ProcVc::ins`] (in parameters, then the globals of [`Interface::ins`]) and
/// [`crate::ProcVc::outs`] (out parameters, then the globals of [`Interface::outs`]).
#[derive(Clone, Debug, Default)]
pub struct Summary {
    pub ins: Vec<VarId>,
    pub outs: Vec<VarId>,
    /// Conjuncts over `ins`, `outs` and the constants of the program.
    pub facts: Vec<TermId>,
}

impl From<Prepared> for Problem {
    /// The question that a program was prepared for.
    fn from(prepared: Prepared) -> Self {
        Problem::new(
            prepared.program,
            prepared.entry,
            prepared.interfaces,
            prepared.error,
        )
    }
}

impl Problem {
    pub fn new(
        program: Program,
        entry: ProcId,
        interfaces: PrimaryMap<ProcId, Interface>,
        error: Option<VarId>,
    ) -> Self {
        Problem {
            program,
            entry,
            interfaces,
            error,
            summaries: SecondaryMap::new(),
        }
    }

    /// The inputs of a procedure's condition, by their names in the program.
    pub fn ins(&self, proc: ProcId) -> impl Iterator<Item = VarId> + '_ {
        self.program.procs[proc]
            .params
            .iter()
            .chain(&self.interfaces[proc].ins)
            .copied()
    }

    /// Its outputs.
    pub fn outs(&self, proc: ProcId) -> impl Iterator<Item = VarId> + '_ {
        self.program.procs[proc]
            .outs
            .iter()
            .chain(&self.interfaces[proc].outs)
            .copied()
    }
}
