//! typed Boogie ─ **lower** ─> IR
//!
//! Types become sorts, polymorphism is instantiated away, functions become uninterpreted
//! functions with axioms (or are substituted), contracts become assumptions and assertions,
//! and structured bodies become control-flow graphs.
//!
//! Architecture invariants:
//! - this is the only crate that knows both Boogie and the IR;
//! - the result satisfies [`lariat_ir::validate`] at [`lariat_ir::Stage::Lowered`];
//! - a construct that cannot be executed becomes an assertion of kind
//!   [`lariat_ir::AssertKind::Unsupported`] where it stands; nothing is skipped silently.
//!
//! Monomorphisation is a fixpoint over *rounds*. What a polymorphic axiom or a polymorphic map
//! is instantiated with depends on the instances that the rest of the program uses, so a round
//! lowers the program with the instances that are [known](instances::Instances) and notes those
//! that it finds. A round that asked for known instances and found new ones is repeated. A
//! program without such constructs takes one round.

mod body;
mod boxed;
mod builtin;
mod call;
mod candidate;
mod code_expr;
mod contract;
mod datatype;
mod declarations;
mod emit;
mod expr;
mod function;
mod instances;
mod lambda;
mod location;
mod lowering;
mod map;
mod measure;
mod modular;
mod open;
mod operator;
mod procedure;
mod quantifier;
mod scope;
mod statement;
mod threads;
mod type_shape;
mod types;

use lariat_base::Diagnostics;
use lariat_boogie::typed;

use crate::instances::Instances;
use crate::lowering::Lowering;
pub use crate::modular::{ModularBody, ModularInfo, ModularOptions, PrintPart, StmtNote};
pub use crate::open::OpenOptions;

/// After so many rounds of monomorphisation the program is taken to need infinitely many instances.
const MAX_ROUNDS: usize = 40;

/// A lowered program.
#[derive(Debug)]
pub struct Lowered {
    pub program: lariat_ir::Program,
    pub warnings: Diagnostics,
    /// Where the environment comes in, of a program that was lowered as an open one.
    pub open: Option<lariat_ir::OpenInfo>,
    /// What modular verification needs, of a program that was lowered for it.
    pub modular: Option<ModularInfo>,
}

/// Lowers a program. Errors are about what cannot be represented at all, such as polymorphism
/// that needs infinitely many instances.
pub fn lower(program: &typed::Program) -> Result<Lowered, Diagnostics> {
    lower_rounds(program, None, None)
}

/// Lowers an open program: every procedure may be called by the environment, and the choices of the
/// environment are distinguished. A program without a constant for null is refused.
pub fn lower_open(program: &typed::Program, options: &OpenOptions) -> Result<Lowered, Diagnostics> {
    lower_rounds(program, Some(options), None)
}

/// Lowers a program of which every body is to be verified against its contract.
pub fn lower_modular(program: &typed::Program, options: ModularOptions) -> Result<Lowered, Diagnostics> {
    lower_rounds(program, None, Some(options))
}

fn lower_rounds(
    program: &typed::Program,
    open: Option<&OpenOptions>,
    modular: Option<ModularOptions>,
) -> Result<Lowered, Diagnostics> {
    let mut known = Instances::default();
    let mut last_grown = None;
    for _ in 0..MAX_ROUNDS {
        let mut lowering = Lowering::new(program, &known, open, modular);
        lowering.lower_program();
        let round = lowering.finish();
        if round.errors.has_errors() {
            return Err(round.errors);
        }
        last_grown = known.merge(round.found);
        if last_grown.is_none() || !round.used_known {
            return Ok(Lowered {
                program: round.ir,
                warnings: round.warnings,
                open: round.open,
                modular: round.modular,
            });
        }
        if known.len() > instances::MAX_INSTANCES {
            break;
        }
    }
    let grown = last_grown.expect("the last round found new instances");
    let mut errors = Diagnostics::new();
    errors.push(grown.too_many(program));
    Err(errors)
}
