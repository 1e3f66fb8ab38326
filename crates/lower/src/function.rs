//! Instances of functions: uninterpreted with an axiom, substituted, or builtin.

use std::sync::Arc;

use lariat_base::Span;
use lariat_boogie::typed::FunctionId;
use lariat_ir::Axiom;
use lariat_term::{FunId, Quantifier, QuantifierKind, SortId, Substitution, TermId, VarId as PoolVar};

use crate::expr::Terms;
use crate::instances::{Generic, TypeArgs};
use crate::lowering::Lowering;
use crate::scope::{Lowers, Scope, Unsupported};

#[derive(Clone)]
pub(crate) enum FunctionInstance {
    Uninterpreted(FunId),
    /// The body takes the place of an application.
    Inline {
        params: Arc<[PoolVar]>,
        body: TermId,
    },
    Builtin {
        name: Arc<str>,
        result: SortId,
    },
    Unsupported(Unsupported),
}

impl Lowering<'_> {
    /// `function<type_args>(args)`
    pub(crate) fn apply_function(
        &mut self,
        function: FunctionId,
        type_args: TypeArgs,
        args: &[TermId],
        span: Span,
    ) -> Lowers<TermId> {
        match self.function_instance(function, type_args) {
            FunctionInstance::Uninterpreted(fun) => Ok(self.ir.pool.apply(fun, args)),
            FunctionInstance::Inline { params, body } => {
                let mut substitution: Substitution =
                    params.iter().copied().zip(args.iter().copied()).collect();
                Ok(substitution.apply(&mut self.ir.pool, body))
            }
            FunctionInstance::Builtin { name, result } => Ok(self.apply_builtin(&name, args, result)),
            FunctionInstance::Unsupported(unsupported) => Err(Unsupported { span, ..unsupported }),
        }
    }

    fn function_instance(&mut self, function: FunctionId, type_args: TypeArgs) -> FunctionInstance {
        let key = (function, type_args);
        if let Some(instance) = self.functions.get(&key) {
            return instance.clone();
        }
        self.record_instance(Generic::Function(function), &key.1);
        let instance = stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || {
            self.new_function_instance(function, &key.1)
        });
        self.functions.insert(key, instance.clone());
        instance
    }

    fn new_function_instance(&mut self, function: FunctionId, type_args: &TypeArgs) -> FunctionInstance {
        let declaration = &self.source.functions[function];
        let attributes = &declaration.attributes;
        if let Some(name) = attributes
            .string("bvbuiltin")
            .or_else(|| attributes.string("builtin"))
        {
            let (args, result) = self.function_sorts(function, type_args);
            if !args
                .iter()
                .chain([&result])
                .any(|sort| self.unmodelled_sorts.contains(sort))
            {
                return FunctionInstance::Builtin {
                    name: name.into(),
                    result,
                };
            }
        }
        let is_builtin = attributes.get("bvbuiltin").is_some() || attributes.get("builtin").is_some();
        let inline = attributes.is_set("inline") || attributes.is_set("define");
        if declaration.body.is_some() && inline && !self.too_many_instances() {
            return self.inline_instance(function, type_args);
        }
        let fun = self.declare_function(function, type_args);
        if is_builtin {
            self.ir.unmodelled.insert(fun);
        }
        if declaration.body.is_some() && !self.too_many_instances() {
            self.pending_definitions
                .push_back((function, type_args.clone(), fun));
        }
        FunctionInstance::Uninterpreted(fun)
    }

    fn inline_instance(&mut self, function: FunctionId, type_args: &TypeArgs) -> FunctionInstance {
        // What the body finds if it comes back here; the type checker refuses such functions.
        let recursive = Unsupported::new(
            self.source.functions[function].span,
            "a function that expands to itself",
        );
        self.functions.insert(
            (function, type_args.clone()),
            FunctionInstance::Unsupported(recursive),
        );
        match self.lower_function_body(function, type_args) {
            (params, Ok(body)) => FunctionInstance::Inline {
                params: params.into(),
                body,
            },
            (_, Err(unsupported)) => FunctionInstance::Unsupported(unsupported),
        }
    }

    /// The axiom of an uninterpreted function with a body.
    pub(crate) fn lower_definition(&mut self, function: FunctionId, type_args: TypeArgs, fun: FunId) {
        let (params, body) = self.lower_function_body(function, &type_args);
        match body {
            Ok(body) => self.add_definition(function, fun, params, body),
            // Applications of the function stop with the reason.
            Err(unsupported) => {
                self.functions.insert(
                    (function, type_args),
                    FunctionInstance::Unsupported(unsupported.clone()),
                );
                self.report_unsupported_formula("the definition of this function", &unsupported);
            }
        }
    }

    fn lower_function_body(
        &mut self,
        function: FunctionId,
        type_args: &TypeArgs,
    ) -> (Vec<PoolVar>, Lowers<TermId>) {
        let declaration = &self.source.functions[function];
        self.note_polymorphic(&declaration.name, declaration.span, type_args);
        let mut scope = Scope::with_types(&declaration.type_params, type_args);
        let params: Vec<PoolVar> = declaration
            .params
            .iter()
            .map(|&param| self.declare_in(param, &mut scope))
            .collect();
        let body = declaration
            .body
            .as_ref()
            .expect("only functions with a body are defined");
        (params, self.lower_expr(body, &mut scope))
    }

    /// `forall params :: {f(params)} f(params) == body`
    fn add_definition(&mut self, function: FunctionId, fun: FunId, params: Vec<PoolVar>, body: TermId) {
        let pool = &mut self.ir.pool;
        let args: Terms = params.iter().map(|&param| pool.var(param)).collect();
        let application = pool.apply(fun, &args);
        let equation = pool.eq(application, body);
        let term = pool.quantifier_term(Quantifier {
            kind: QuantifierKind::Forall,
            bound: params.into(),
            triggers: Box::new([Box::new([application])]),
            no_patterns: Box::new([]),
            body: equation,
            weight: None,
        });
        let span = self.source.functions[function].span;
        self.ir.axioms.push(Axiom {
            term,
            span: Some(span),
        });
    }

    fn declare_function(&mut self, function: FunctionId, type_args: &TypeArgs) -> FunId {
        let (args, result) = self.function_sorts(function, type_args);
        let name = self.instance_name(&self.source.functions[function].name, type_args);
        let declared = self.ir.pool.declare_function(name, args, result);
        if let Some(modular) = &mut self.modular {
            modular.info.functions.insert(declared, function);
        }
        declared
    }

    fn function_sorts(&mut self, function: FunctionId, type_args: &TypeArgs) -> (Vec<SortId>, SortId) {
        let source = self.source;
        let declaration = &source.functions[function];
        let scope = Scope::with_types(&declaration.type_params, type_args);
        let args = declaration
            .params
            .iter()
            .map(|&param| self.sort_in(&source.vars[param].ty, &scope))
            .collect();
        (args, self.sort_in(&declaration.result, &scope))
    }
}
