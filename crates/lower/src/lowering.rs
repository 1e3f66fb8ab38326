//! The state of one round of lowering.

use std::collections::VecDeque;
use std::rc::Rc;

use cranelift_entity::SecondaryMap;
use lariat_base::{Diagnostic, Diagnostics, Span};
use lariat_boogie::typed::{self, FunctionId, Name, ProcedureId, Type, TypeParamId, VarId};
use lariat_ir::{OpenInfo, ProcId, Program, ThreadPrimitive};
use lariat_term::{DatatypeId, FunId, SortId, TermId, VarId as PoolVar};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::boxed::Boxing;
use crate::function::FunctionInstance;
use crate::instances::{Generic, Instances, TypeArgs};
use crate::lambda::LambdaKey;
use crate::modular::{Modular, ModularInfo, ModularOptions};
use crate::open::{Open, OpenOptions};
use crate::procedure::{PendingBody, ProcedureInstance};
use crate::scope::Lowers;

pub(crate) struct Lowering<'a> {
    pub source: &'a typed::Program,
    pub ir: Program,
    /// Instances that earlier rounds found.
    pub known: &'a Instances,
    /// Instances that this round found.
    pub found: Instances,
    /// Whether the result of this round depends on `known`.
    pub used_known: bool,
    /// The sorts of ground types.
    pub sorts: FxHashMap<Type, SortId>,
    /// The records that stand for polymorphic maps.
    pub map_records: Vec<DatatypeId>,
    /// How elements that contain polymorphic maps are kept in polymorphic maps.
    pub boxings: FxHashMap<SortId, Boxing>,
    /// Uninterpreted sorts that stand for `{:builtin}` types which are not modelled.
    pub unmodelled_sorts: FxHashSet<SortId>,
    /// Parameters of procedures that are lowered for types of which nothing is known.
    pub unknown_types: FxHashSet<TypeParamId>,
    /// Constants and globals.
    pub shared_vars: SecondaryMap<VarId, Option<TermId>>,
    pub constants: FxHashSet<PoolVar>,
    /// Constants on which candidates depend.
    pub existential: FxHashSet<VarId>,
    /// The `where` clauses of globals.
    pub global_where: FxHashMap<VarId, Lowers<Option<TermId>>>,
    pub functions: FxHashMap<(FunctionId, TypeArgs), FunctionInstance>,
    /// Instances whose definition is still to become an axiom.
    pub pending_definitions: VecDeque<(FunctionId, TypeArgs, FunId)>,
    pub lambdas: FxHashMap<LambdaKey, FunId>,
    /// Place-holders by sort and position for keys that do not depend on variables' names.
    pub placeholders: FxHashMap<(SortId, usize), PoolVar>,
    pub implementations: FxHashMap<ProcedureId, Vec<usize>>,
    /// Procedures whose contract is being lowered.
    pub contracts_in_progress: FxHashSet<(ProcedureId, TypeArgs)>,
    pub procedures: FxHashMap<(ProcedureId, TypeArgs), Rc<ProcedureInstance<'a>>>,
    pub pending_bodies: VecDeque<PendingBody<'a>>,
    /// The procedures that are primitives of threads: by the procedure that the thread runs and the sort of the result.
    pub primitives: FxHashMap<(ThreadPrimitive, Option<ProcId>, Option<SortId>), ProcId>,
    /// The open side of the program, if it is asked for.
    pub open: Option<Open<'a>>,
    /// The modular side, if it is asked for.
    pub modular: Option<Modular>,
    pub no_type_args: TypeArgs,
    pub errors: Diagnostics,
    pub warnings: Diagnostics,
    /// The polymorphic thing that was instantiated last, to be named if types grow without end.
    polymorphic: Option<(Name, Span)>,
}

/// The result of a round.
pub(crate) struct Round {
    pub ir: Program,
    pub found: Instances,
    pub used_known: bool,
    pub errors: Diagnostics,
    pub warnings: Diagnostics,
    pub open: Option<OpenInfo>,
    pub modular: Option<ModularInfo>,
}

impl<'a> Lowering<'a> {
    pub(crate) fn new(
        source: &'a typed::Program,
        known: &'a Instances,
        open: Option<&'a OpenOptions>,
        modular: Option<ModularOptions>,
    ) -> Self {
        let mut implementations: FxHashMap<ProcedureId, Vec<usize>> = FxHashMap::default();
        for (index, implementation) in source.implementations.iter().enumerate() {
            implementations
                .entry(implementation.procedure)
                .or_default()
                .push(index);
        }
        Lowering {
            source,
            ir: Program::new(),
            known,
            found: Instances::default(),
            used_known: false,
            sorts: FxHashMap::default(),
            map_records: Vec::new(),
            boxings: FxHashMap::default(),
            unmodelled_sorts: FxHashSet::default(),
            unknown_types: FxHashSet::default(),
            shared_vars: SecondaryMap::new(),
            constants: FxHashSet::default(),
            existential: FxHashSet::default(),
            global_where: FxHashMap::default(),
            functions: FxHashMap::default(),
            pending_definitions: VecDeque::new(),
            lambdas: FxHashMap::default(),
            placeholders: FxHashMap::default(),
            implementations,
            contracts_in_progress: FxHashSet::default(),
            procedures: FxHashMap::default(),
            pending_bodies: VecDeque::new(),
            primitives: FxHashMap::default(),
            open: open.map(Open::new),
            modular: modular.map(Modular::new),
            no_type_args: std::sync::Arc::from([]),
            errors: Diagnostics::new(),
            warnings: Diagnostics::new(),
            polymorphic: None,
        }
    }

    pub(crate) fn finish(self) -> Round {
        Round {
            ir: self.ir,
            found: self.found,
            used_known: self.used_known,
            errors: self.errors,
            warnings: self.warnings,
            open: self.open.map(|open| open.info),
            modular: self.modular.map(|modular| modular.info),
        }
    }

    /// Notes an instance; reports the construct if a round alone finds too many.
    pub(crate) fn record_instance(&mut self, generic: Generic, args: &TypeArgs) {
        self.found.record(generic, args);
        if self.too_many_instances() && !self.errors.has_errors() {
            self.errors.push(generic.too_many(self.source));
        }
    }

    pub(crate) fn note_polymorphic(&mut self, name: &Name, span: Span, type_args: &[Type]) {
        if !type_args.is_empty() {
            self.polymorphic = Some((name.clone(), span));
        }
    }

    /// Reports, once, that instances need ever larger types.
    pub(crate) fn report_growing_types(&mut self) {
        if self.errors.has_errors() {
            return;
        }
        let message = "instances need ever larger types";
        self.errors.push(match &self.polymorphic {
            Some((name, span)) => Diagnostic::error(
                "too-many-instances",
                *span,
                format!("`{name}` is polymorphic and its {message}"),
            )
            .hint("Lariat instantiates polymorphism and needs finitely many instances"),
            None => Diagnostic::global_error("too-many-instances", format!("polymorphic {message}")),
        });
    }

    /// Once true, no new instances are made; the round ends in an error.
    pub(crate) fn too_many_instances(&self) -> bool {
        self.found.len() > crate::instances::MAX_INSTANCES
    }

    /// Work that expressions left behind: definitions of functions, bodies of procedures.
    pub(crate) fn drain_pending(&mut self) {
        loop {
            if let Some((function, args, fun)) = self.pending_definitions.pop_front() {
                self.lower_definition(function, args, fun);
            } else if let Some(pending) = self.pending_bodies.pop_front() {
                self.lower_body(pending);
            } else {
                return;
            }
        }
    }

    pub(crate) fn warn(&mut self, diagnostic: Diagnostic) {
        self.warnings.push(diagnostic);
    }
}
