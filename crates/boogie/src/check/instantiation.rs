//! Whether polymorphic declarations have finitely many instances.
//!
//! A type parameter *flows* into another if it occurs in a type argument for it. If a
//! parameter flows back into itself inside of a larger type, as in a function that calls
//! itself at `List a`, each instance needs a larger one, without end. Boogie calls this an
//! expanding type cycle and refuses it.

use lariat_base::{Diagnostic, Span, component_numbers};
use rustc_hash::FxHashMap;

use super::Checker;
use super::finish::visit_expr;
use super::types::free_params;
use crate::typed::{
    AttributeParam, Attributes, Body, Expr, ExprKind, Program, Stmt, StmtKind, Type, TypeParamId,
};

struct Flow {
    from: TypeParamId,
    to: TypeParamId,
    /// The parameter is inside of a larger type.
    grows: bool,
    span: Span,
}

impl Checker<'_> {
    pub(super) fn check_finite_instantiation(&mut self) {
        let is_monomorphic = self
            .program
            .functions
            .values()
            .all(|function| function.type_params.is_empty())
            && self
                .program
                .procedures
                .values()
                .all(|procedure| procedure.type_params.is_empty())
            && self
                .program
                .datatypes
                .values()
                .all(|datatype| datatype.params.is_empty());
        if is_monomorphic {
            return;
        }
        let mut collector = Collector {
            program: &self.program,
            flows: Vec::new(),
        };
        collector.collect();
        let flows = collector.flows;
        let mut nodes: FxHashMap<TypeParamId, usize> = FxHashMap::default();
        for flow in &flows {
            for param in [flow.from, flow.to] {
                let next = nodes.len();
                nodes.entry(param).or_insert(next);
            }
        }
        let mut successors = vec![Vec::new(); nodes.len()];
        for flow in &flows {
            successors[nodes[&flow.from]].push(nodes[&flow.to]);
        }
        let (component, _) = component_numbers(successors.len(), |node, k| successors[node].get(k).copied());
        let expanding = flows
            .iter()
            .find(|flow| flow.grows && component[nodes[&flow.from]] == component[nodes[&flow.to]]);
        if let Some(flow) = expanding {
            let name = self.infer.names[flow.to].clone();
            self.report(
                Diagnostic::error(
                    "expanding-type-cycle",
                    flow.span,
                    format!("the instances of the type parameter `{name}` grow without end"),
                )
                .hint("a polymorphic declaration may not use itself at a larger type"),
            );
        }
    }
}

struct Collector<'p> {
    program: &'p Program,
    flows: Vec<Flow>,
}

impl Collector<'_> {
    fn collect(&mut self) {
        let program = self.program;
        for datatype in program.datatypes.values() {
            for field in datatype
                .constructors
                .iter()
                .flat_map(|constructor| &constructor.fields)
            {
                self.nested_datatypes(&field.ty, datatype.span);
            }
        }
        for body in program
            .functions
            .values()
            .filter_map(|function| function.body.as_ref())
        {
            self.expr(body);
        }
        for axiom in &program.axioms {
            self.expr(&axiom.expr);
        }
        for where_clause in program.vars.values().filter_map(|var| var.where_clause.as_ref()) {
            self.expr(where_clause);
        }
        for procedure in program.procedures.values() {
            for contract in procedure.requires.iter().chain(&procedure.ensures) {
                self.expr(&contract.expr);
            }
        }
        for implementation in &program.implementations {
            let of_procedure = &program.procedures[implementation.procedure].type_params;
            for (&from, &to) in of_procedure.iter().zip(&implementation.type_params) {
                self.flows.push(Flow {
                    from,
                    to,
                    grows: false,
                    span: implementation.span,
                });
            }
            self.body(&implementation.body);
        }
    }

    fn flow(&mut self, params: &[TypeParamId], args: &[Type], span: Span) {
        for (&to, arg) in params.iter().zip(args) {
            let grows = !matches!(arg, Type::Param(_));
            let mut found = Vec::new();
            free_params(arg, &mut found);
            self.flows.extend(found.into_iter().map(|from| Flow {
                from,
                to,
                grows,
                span,
            }));
            self.nested_datatypes(arg, span);
        }
    }

    /// A datatype inside of a type is an instance too.
    fn nested_datatypes(&mut self, ty: &Type, span: Span) {
        match ty {
            Type::Datatype(id, args) => {
                let program = self.program;
                self.flow(&program.datatypes[*id].params, args, span);
            }
            Type::Con(_, args) => args.iter().for_each(|ty| self.nested_datatypes(ty, span)),
            Type::Map(map) => {
                map.indices
                    .iter()
                    .chain([&map.result])
                    .for_each(|ty| self.nested_datatypes(ty, span));
            }
            _ => {}
        }
    }

    fn expr(&mut self, expr: &Expr) {
        let program = self.program;
        visit_expr(expr, &mut |expr| match &expr.kind {
            ExprKind::Apply(function, args, _) => {
                self.flow(&program.functions[*function].type_params, args, expr.span)
            }
            ExprKind::Construct(constructor, args, _) => {
                self.flow(&program.datatypes[constructor.datatype].params, args, expr.span);
            }
            ExprKind::Code(body) => self.body(body),
            _ => {}
        });
    }

    fn attributes(&mut self, attributes: &Attributes) {
        for param in attributes.0.iter().flat_map(|attribute| &attribute.params) {
            if let AttributeParam::Expr(expr) = param {
                self.expr(expr);
            }
        }
    }

    fn body(&mut self, body: &Body) {
        self.stmts(&body.stmts);
    }

    fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.stmt(stmt));
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let program = self.program;
        match &stmt.kind {
            StmtKind::Assert { expr, attributes } | StmtKind::Assume { expr, attributes } => {
                self.expr(expr);
                self.attributes(attributes);
            }
            StmtKind::Assign(assignments) => assignments.iter().for_each(|(_, value)| self.expr(value)),
            StmtKind::Unpack { value, .. } | StmtKind::ReturnExpr(value) => self.expr(value),
            StmtKind::Call(call) => {
                self.flow(
                    &program.procedures[call.procedure].type_params,
                    &call.type_args,
                    stmt.span,
                );
                call.args.iter().flatten().for_each(|arg| self.expr(arg));
            }
            StmtKind::CallForall {
                procedure,
                type_args,
                args,
                ..
            } => {
                self.flow(&program.procedures[*procedure].type_params, type_args, stmt.span);
                args.iter().flatten().for_each(|arg| self.expr(arg));
            }
            StmtKind::If {
                guard,
                then_branch,
                else_branch,
                ..
            } => {
                guard.iter().for_each(|guard| self.expr(guard));
                self.stmts(then_branch);
                self.stmts(else_branch);
            }
            StmtKind::While {
                guard,
                invariants,
                measure,
                body,
            } => {
                let components = measure.iter().flat_map(|measure| &measure.exprs);
                components.for_each(|component| self.expr(component));
                guard.iter().for_each(|guard| self.expr(guard));
                invariants.iter().for_each(|invariant| self.expr(&invariant.expr));
                self.stmts(body);
            }
            StmtKind::Label(_)
            | StmtKind::Havoc(_)
            | StmtKind::Break(_)
            | StmtKind::Goto(_)
            | StmtKind::Return
            | StmtKind::Yield
            | StmtKind::Visibility(_) => {}
        }
    }
}
