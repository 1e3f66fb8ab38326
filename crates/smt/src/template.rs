//! Formulas that are instantiated many times.
//!
//! A [`Template`] is translated once; an instance replaces its parameters. The nodes are in an order
//! in which arguments come first, so an instance is one pass over them without any look-up, and the
//! parts without parameters are shared by all instances.

use lariat_term::{Op, QuantifierKind, TermId, TermPool, VarId};
use rustc_hash::FxHashMap;
use z3_sys::*;

use crate::context::{Ast, Context, Result};

/// Terms with parameters, ready to be instantiated.
pub struct Template {
    nodes: Vec<Node>,
    args: Vec<u32>,
    roots: Vec<u32>,
    parameter_count: usize,
}

enum Node {
    /// The same in all instances.
    Fixed(Ast),
    Parameter(u32),
    /// A declaration and its arguments as a range of [`Template::args`].
    Apply {
        decl: Z3_func_decl,
        args: (u32, u32),
    },
    /// An operator that Z3 writes with several declarations: a term over place-holders for its arguments.
    Composite {
        term: Ast,
        holders: Vec<Z3_ast>,
        args: (u32, u32),
    },
    Quantifier {
        forall: bool,
        weight: u32,
        bound: Vec<Ast>,
        triggers: Vec<Vec<u32>>,
        no_patterns: Vec<u32>,
        body: u32,
    },
}

impl Template {
    /// Translates `roots`, in which `parameters` are to be replaced.
    #[allow(unsafe_code)]
    pub fn new(
        context: &mut Context,
        pool: &TermPool,
        roots: &[TermId],
        parameters: &[VarId],
    ) -> Result<Self> {
        let position: FxHashMap<VarId, u32> = parameters
            .iter()
            .zip(0..)
            .map(|(&var, index)| (var, index))
            .collect();
        let mut template = Template {
            nodes: Vec::new(),
            args: Vec::new(),
            roots: Vec::new(),
            parameter_count: parameters.len(),
        };
        let mut index_of: FxHashMap<TermId, u32> = FxHashMap::default();
        let mut order = Vec::new();
        pool.visit_subterms(roots, |term| order.push(term));
        for term in order {
            let child = |term: TermId| index_of[&term];
            let is_fixed = |term: &TermId| matches!(template.nodes[child(*term) as usize], Node::Fixed(_));
            let node = match pool.op(term) {
                Op::Var(var) if position.contains_key(&var) => Node::Parameter(position[&var]),
                _ if pool.children(term).iter().all(is_fixed) => {
                    // Inside a quantifier the children may hold bound variables; those are fixed too.
                    Node::Fixed(context.term(pool, term)?)
                }
                Op::Quantifier(id) => {
                    let quantifier = pool.quantifier(id);
                    let bound = quantifier
                        .bound
                        .iter()
                        .map(|&var| context.var(pool, var))
                        .collect::<Result<Vec<_>>>()?;
                    Node::Quantifier {
                        forall: quantifier.kind == QuantifierKind::Forall,
                        weight: quantifier.weight.unwrap_or(1),
                        bound,
                        triggers: quantifier
                            .triggers
                            .iter()
                            .map(|trigger| trigger.iter().map(|&term| child(term)).collect())
                            .collect(),
                        no_patterns: quantifier.no_patterns.iter().map(|&term| child(term)).collect(),
                        body: child(quantifier.body),
                    }
                }
                _ => {
                    // The declaration is read off the term in which parameters stand for themselves.
                    let sample = context.term(pool, term)?;
                    let arguments = pool
                        .args(term)
                        .iter()
                        .map(|&arg| context.term(pool, arg).map(|ast| context.raw(ast)))
                        .collect::<Result<Vec<Z3_ast>>>()?;
                    let decl = declaration_of(context, sample, &arguments)?;
                    let start = template.args.len() as u32;
                    template
                        .args
                        .extend(pool.args(term).iter().map(|&arg| index_of[&arg]));
                    let args = (start, template.args.len() as u32);
                    match decl {
                        Some(decl) => Node::Apply { decl, args },
                        None => {
                            let holders = arguments
                                .iter()
                                .map(|&argument| context.typed_holder(argument))
                                .collect::<Result<Vec<_>>>()?;
                            let term = context.build(pool, pool.op(term), &holders, pool.sort_of(term))?;
                            Node::Composite { term, holders, args }
                        }
                    }
                }
            };
            index_of.insert(term, template.nodes.len() as u32);
            template.nodes.push(node);
        }
        template.roots = roots.iter().map(|root| index_of[root]).collect();
        Ok(template)
    }

    /// The roots with each parameter replaced by the argument at its position.
    #[allow(unsafe_code)]
    pub fn instantiate(&self, context: &mut Context, arguments: &[Ast]) -> Result<Vec<Ast>> {
        debug_assert_eq!(arguments.len(), self.parameter_count);
        let mut asts: Vec<Ast> = Vec::with_capacity(self.nodes.len());
        let mut scratch: Vec<Z3_ast> = Vec::new();
        for node in &self.nodes {
            let ast = match node {
                Node::Fixed(ast) => *ast,
                Node::Parameter(position) => arguments[*position as usize],
                Node::Apply { decl, args } => {
                    scratch.clear();
                    scratch.extend(
                        self.args[args.0 as usize..args.1 as usize]
                            .iter()
                            .map(|&arg| context.raw(asts[arg as usize])),
                    );
                    // SAFETY: the declaration and the arguments are of this context, and the arguments
                    // have the sorts of the sample it was read from.
                    let ast =
                        unsafe { Z3_mk_app(context.raw, *decl, scratch.len() as u32, scratch.as_ptr()) };
                    context.keep(ast)?
                }
                Node::Composite { term, holders, args } => {
                    scratch.clear();
                    scratch.extend(
                        self.args[args.0 as usize..args.1 as usize]
                            .iter()
                            .map(|&arg| context.raw(asts[arg as usize])),
                    );
                    // SAFETY: all are of this context, and there is one argument for each place-holder.
                    let ast = unsafe {
                        Z3_substitute(
                            context.raw,
                            context.raw(*term),
                            holders.len() as u32,
                            holders.as_ptr(),
                            scratch.as_ptr(),
                        )
                    };
                    context.keep(ast)?
                }
                Node::Quantifier {
                    forall,
                    weight,
                    bound,
                    triggers,
                    no_patterns,
                    body,
                } => {
                    let get = |&index: &u32| asts[index as usize];
                    let triggers: Vec<Vec<Ast>> = triggers
                        .iter()
                        .map(|trigger| trigger.iter().map(get).collect())
                        .collect();
                    let no_patterns: Vec<Ast> = no_patterns.iter().map(get).collect();
                    context.quantifier(
                        *forall,
                        *weight,
                        bound,
                        &triggers,
                        &no_patterns,
                        asts[*body as usize],
                    )?
                }
            };
            asts.push(ast);
        }
        Ok(self.roots.iter().map(|&root| asts[root as usize]).collect())
    }

    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }
}

/// The declaration whose application to exactly these arguments the sample is. `None` if Z3 wrote the operator in another way.
#[allow(unsafe_code)]
fn declaration_of(context: &Context, sample: Ast, arguments: &[Z3_ast]) -> Result<Option<Z3_func_decl>> {
    // SAFETY: the sample is an application of this context: it has arguments and is not a quantifier.
    unsafe {
        let app = Z3_to_app(context.raw, context.raw(sample)).ok_or_else(|| context.error())?;
        let count = Z3_get_app_num_args(context.raw, app) as usize;
        if count != arguments.len() {
            return Ok(None);
        }
        for (index, &argument) in arguments.iter().enumerate() {
            if Z3_get_app_arg(context.raw, app, index as u32) != Some(argument) {
                return Ok(None);
            }
        }
        Z3_get_app_decl(context.raw, app)
            .ok_or_else(|| context.error())
            .map(Some)
    }
}
