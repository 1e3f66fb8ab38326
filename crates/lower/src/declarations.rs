//! Constants, globals, axioms, and the order in which a program is lowered.

use indexmap::IndexMap;
use lariat_base::{Diagnostic, Span};
use lariat_boogie::typed::{ProcedureId, Type, VarId, VarKind};
use lariat_ir::Axiom;
use lariat_term::{Op, TermId};
use rustc_hash::FxBuildHasher;

use crate::instances::TypeArgs;
use crate::lowering::Lowering;
use crate::scope::{Lowers, Scope, Unsupported};

impl Lowering<'_> {
    pub(crate) fn lower_program(&mut self) {
        self.declare_shared();
        self.declare_thread_locals();
        self.start_open();
        self.find_existential();
        self.lower_axioms();
        self.keep_free_existential();
        self.lower_initial();
        self.lower_procedures();
        self.lower_templates();
        self.drain_pending();
        self.lower_uninstantiated();
        self.warn_of_existential();
        self.check_map_records();
        self.finish_open();
    }

    fn declare_shared(&mut self) {
        let source = self.source;
        let scope = Scope::default();
        for &var in &source.constants {
            let declaration = &source.vars[var];
            let sort = self.sort_in(&declaration.ty, &scope);
            let declared = self.ir.pool.declare_var(declaration.name.clone(), sort);
            self.ir.constants.push(declared);
            self.constants.insert(declared);
            self.shared_vars[var] = Some(self.ir.pool.var(declared));
        }
        for &var in &source.globals {
            let declaration = &source.vars[var];
            let sort = self.sort_in(&declaration.ty, &scope);
            let declared = self.ir.pool.declare_var(declaration.name.clone(), sort);
            self.ir.globals.push(declared);
            self.shared_vars[var] = Some(self.ir.pool.var(declared));
        }
    }

    fn lower_axioms(&mut self) {
        let source = self.source;
        let mut unique: IndexMap<&Type, Vec<VarId>, FxBuildHasher> = IndexMap::default();
        for &var in &source.constants {
            if source.vars[var].kind == (VarKind::Const { unique: true }) {
                unique.entry(&source.vars[var].ty).or_default().push(var);
            }
        }
        for vars in unique.values() {
            let terms: Vec<TermId> = vars.iter().filter_map(|&var| self.shared_vars[var]).collect();
            if terms.len() > 1 {
                let term = self.ir.pool.distinct(&terms);
                let span = vars.first().map(|&var| source.vars[var].span);
                self.ir.axioms.push(Axiom { term, span });
            }
        }
        for axiom in &source.axioms {
            let mut scope = Scope::default();
            match self.lower_expr(&axiom.expr, &mut scope) {
                Ok(term) => self.add_axiom(term, axiom.span),
                Err(unsupported) => self.report_unsupported_formula("this axiom", &unsupported),
            }
        }
    }

    /// A conjunction is several axioms, which solver and passes can treat one by one.
    fn add_axiom(&mut self, term: TermId, span: Span) {
        let parts: Vec<TermId> = match self.ir.pool.op(term) {
            Op::And => self.ir.pool.args(term).to_vec(),
            Op::Bool(true) => Vec::new(),
            _ => vec![term],
        };
        let span = Some(span);
        self.ir
            .axioms
            .extend(parts.into_iter().map(|term| Axiom { term, span }));
    }

    /// A formula that belongs to no statement cannot be left out: the program would have another
    /// meaning.
    pub(crate) fn report_unsupported_formula(&mut self, what: &str, unsupported: &Unsupported) {
        self.errors.push(Diagnostic::error(
            "unsupported",
            unsupported.span,
            format!("{what} contains {}, which is not supported", unsupported.reason),
        ));
    }

    fn lower_initial(&mut self) {
        let source = self.source;
        for &var in &source.globals {
            match self.global_where_clause(var) {
                Ok(None) => {}
                Ok(Some(term)) => {
                    self.ir.initial.push(term);
                    self.note_where(var, &mut Scope::default());
                }
                Err(unsupported) => self.report_unsupported_formula("this `where` clause", &unsupported),
            }
        }
    }

    /// The `where` clause of a global.
    pub(crate) fn global_where_clause(&mut self, var: VarId) -> Lowers<Option<TermId>> {
        let source = self.source;
        let Some(clause) = &source.vars[var].where_clause else {
            return Ok(None);
        };
        if let Some(done) = self.global_where.get(&var) {
            return done.clone();
        }
        let mut scope = Scope {
            may_be_asserted: true,
            ..Scope::default()
        };
        // A clause may come back to itself through the calls of a code expression.
        let recursive = self.unsupported(clause.span, "a `where` clause that depends on itself");
        self.global_where.insert(var, recursive);
        let result = self.lower_expr(clause, &mut scope).map(Some);
        self.global_where.insert(var, result.clone());
        result
    }

    fn lower_procedures(&mut self) {
        let source = self.source;
        for implementation in &source.implementations {
            let procedure = &source.procedures[implementation.procedure];
            if procedure.type_params.is_empty() {
                self.instantiate(implementation.procedure, self.no_type_args.clone());
            }
        }
    }

    /// Polymorphic procedures that nothing calls, or that are entries, are lowered for types of
    /// which nothing is known: their own parameters, left as they are.
    fn lower_uninstantiated(&mut self) {
        let source = self.source;
        for implementation in &source.implementations {
            let id = implementation.procedure;
            let procedure = &source.procedures[id];
            let is_entry = self.is_open()
                || self.is_modular()
                || procedure.attributes.is_set("entrypoint")
                || implementation.attributes.is_set("entrypoint");
            if !procedure.type_params.is_empty() && (is_entry || !self.is_instantiated(id)) {
                self.unknown_types.extend(procedure.type_params.iter().copied());
                let args = procedure
                    .type_params
                    .iter()
                    .map(|&param| Type::Param(param))
                    .collect();
                self.instantiate(id, args);
                self.drain_pending();
            }
        }
    }

    fn instantiate(&mut self, id: ProcedureId, args: TypeArgs) {
        let made = self.procedure_instance(id, args);
        debug_assert!(made.is_ok(), "only contracts that are being lowered are refused");
    }

    fn is_instantiated(&self, id: ProcedureId) -> bool {
        self.procedures.keys().any(|(procedure, _)| *procedure == id)
    }
}
