//! Text about a Boogie program as formulas.
//!
//! `Lib1()` speaks about every call of `Lib1` in what the entry reaches, `Lib1()@12` about that in line 12: the text
//! stands for one formula for each combination of such calls. The same words in one text mean the same value.

use lariat_base::SourceMap;
use lariat_ir::{OpenEntry, OpenInfo, ProcId, Program, StmtId, StmtKind, Unknown};
use lariat_specs::{BinaryOp, CallPlace, SpecExpr, UnaryOp, UnknownSite};
use lariat_term::{FunId, Quantifier, QuantifierKind, Sort, SortId, TermId, TermPool, VarId};
use rustc_hash::FxHashSet;

use crate::source_terms::{Resolved, ResolvedSite};

/// More combinations of calls than anyone can mean.
const MAX_COMBINATIONS: usize = 256;

/// Another language than Boogie.
pub trait Places {
    /// The term of an expression that the language sees differently.
    fn term(&self, builder: &mut Builder<'_>, expr: &SpecExpr) -> Option<Result<TermId, String>>;
}

pub struct Resolver<'a> {
    /// `None`: Boogie.
    pub places: Option<&'a dyn Places>,
    pub sources: &'a SourceMap,
    pub program: &'a Program,
    pub open: &'a OpenInfo,
    pub entry: &'a OpenEntry,
}

/// What the text says about a value of the environment, and the unknowns that it may be.
struct Site<'e> {
    expr: &'e SpecExpr,
    unknowns: Vec<usize>,
}

impl Resolver<'_> {
    pub fn resolve(&self, pool: &mut TermPool, expr: &SpecExpr) -> Result<Vec<Resolved>, String> {
        let mut sites: Vec<Site<'_>> = Vec::new();
        self.collect_sites(pool, expr, &mut sites)?;
        let combinations = sites
            .iter()
            .try_fold(1usize, |count, site| count.checked_mul(site.unknowns.len()));
        let Some(combinations) = combinations.filter(|&count| count <= MAX_COMBINATIONS) else {
            return Err(format!(
                "it speaks about more than {MAX_COMBINATIONS} combinations of calls; name single ones, as in `{}@12`",
                sites.first().map_or(String::new(), |site| site.expr.to_string()),
            ));
        };
        let mut resolved = Vec::with_capacity(combinations);
        for mut combination in 0..combinations {
            let mut chosen = Vec::with_capacity(sites.len());
            for site in &sites {
                let unknown = site.unknowns[combination % site.unknowns.len()];
                combination /= site.unknowns.len();
                let data = &self.open.unknowns[unknown];
                let sort = pool.var_sort(data.var);
                let placeholder = pool.declare_var(data.text.clone(), sort);
                chosen.push((site.expr, ResolvedSite { placeholder, unknown }));
            }
            let mut builder = Builder {
                resolver: self,
                pool,
                sites: &chosen,
                bound: Vec::new(),
            };
            let term = builder.condition(expr)?;
            resolved.push(Resolved {
                term,
                sites: chosen.into_iter().map(|(_, site)| site).collect(),
            });
        }
        Ok(resolved)
    }

    fn collect_sites<'e>(
        &self,
        pool: &TermPool,
        expr: &'e SpecExpr,
        sites: &mut Vec<Site<'e>>,
    ) -> Result<(), String> {
        if sites.iter().any(|site| site.expr == expr) {
            return Ok(());
        }
        if let Some((site, text)) = environment_value(expr) {
            let named: Vec<usize> = (0..self.open.unknowns.len())
                .filter(|&index| {
                    let unknown = &self.open.unknowns[index];
                    unknown.callee == site.callee && *unknown.text == *text
                })
                .collect();
            if named.is_empty()
                && let (SpecExpr::Result(_), Some(name)) = (expr, &site.callee)
                && function(pool, name, 0).is_some()
            {
                return Ok(());
            }
            let reached = self.reached_havocs();
            let unknowns: Vec<usize> = named
                .iter()
                .copied()
                .filter(|&index| {
                    let unknown = &self.open.unknowns[index];
                    reached.contains(&unknown.stmt) && self.is_at(unknown, site.place.as_ref())
                })
                .collect();
            if unknowns.is_empty() {
                return Err(self.no_site(expr, &named));
            }
            sites.push(Site { expr, unknowns });
            return Ok(());
        }
        expr.children()
            .try_for_each(|child| self.collect_sites(pool, child, sites))
    }

    fn no_site(&self, expr: &SpecExpr, named: &[usize]) -> String {
        let entry = &self.entry.name;
        let lines: Vec<String> = named
            .iter()
            .filter_map(|&index| self.open.unknowns[index].span)
            .map(|span| self.sources.line_column(span).0.to_string())
            .collect();
        match lines.is_empty() {
            true => format!("`{expr}` is nothing that the environment of `{entry}` gives"),
            false => format!(
                "`{expr}` is not in what `{entry}` reaches; the program has it in line {}",
                lines.join(", ")
            ),
        }
    }

    fn is_at(&self, unknown: &Unknown, place: Option<&CallPlace>) -> bool {
        let Some(place) = place else { return true };
        let Some(span) = unknown.span else { return false };
        let (line, column) = self.sources.line_column(span);
        let in_file = place
            .file
            .as_ref()
            .is_none_or(|file| self.sources.path(span).ends_with(&**file));
        in_file && line == place.line as usize && place.column.is_none_or(|wanted| column == wanted as usize)
    }

    fn reached_havocs(&self) -> FxHashSet<StmtId> {
        let mut reached: FxHashSet<ProcId> = FxHashSet::default();
        let mut stack = vec![self.entry.proc];
        let mut havocs = FxHashSet::default();
        while let Some(proc) = stack.pop() {
            if !reached.insert(proc) {
                continue;
            }
            let blocks = self.program.procs[proc].blocks.values();
            for stmt in blocks.flat_map(|block| &block.stmts) {
                match &stmt.kind {
                    StmtKind::Havoc(_) => {
                        havocs.insert(stmt.id);
                    }
                    StmtKind::Call(call) => stack.push(call.callee),
                    _ => {}
                }
            }
        }
        havocs
    }
}

/// The site of an expression that stands for a value of the environment, and how [`Unknown::text`] names it.
fn environment_value(expr: &SpecExpr) -> Option<(&UnknownSite, String)> {
    match expr {
        SpecExpr::Result(site) => {
            let callee = site.callee.as_ref()?;
            Some((site, format!("{callee}()")))
        }
        SpecExpr::Field(base, field) => {
            let (site, text) = environment_value(base).filter(|_| !matches!(**base, SpecExpr::After(..)))?;
            Some((site, format!("{text}.{field}")))
        }
        SpecExpr::After(target, site) => {
            let target = target.to_string();
            let text = match &site.callee {
                Some(callee) => format!("{target} after {callee}()"),
                None => target,
            };
            Some((site, text))
        }
        _ => None,
    }
}

fn function(pool: &TermPool, name: &str, arity: usize) -> Option<FunId> {
    pool.functions()
        .find(|(_, function)| *function.name == *name && function.args.len() == arity)
        .map(|(id, _)| id)
}

/// Makes the term of one combination. The depth of expressions is bounded by their language.
pub struct Builder<'a> {
    pub resolver: &'a Resolver<'a>,
    pub pool: &'a mut TermPool,
    pub sites: &'a [(&'a SpecExpr, ResolvedSite)],
    /// Variables of quantifiers, the innermost last.
    pub bound: Vec<VarId>,
}

impl Builder<'_> {
    fn condition(&mut self, expr: &SpecExpr) -> Result<TermId, String> {
        let term = self.term(expr)?;
        match self.pool.sort(self.pool.sort_of(term)) {
            Sort::Bool => Ok(term),
            _ => Err(format!(
                "`{expr}` is no condition but of type {}",
                self.type_of(term)
            )),
        }
    }

    fn type_of(&self, term: TermId) -> String {
        self.pool.sort_text(self.pool.sort_of(term))
    }

    pub fn term(&mut self, expr: &SpecExpr) -> Result<TermId, String> {
        if let Some((_, site)) = self.sites.iter().find(|(site, _)| *site == expr) {
            return Ok(self.pool.var(site.placeholder));
        }
        if let Some(places) = self.resolver.places
            && let Some(term) = places.term(self, expr)
        {
            return term;
        }
        if let Some(name) = expr.dotted_name() {
            return self.name(&name);
        }
        match expr {
            SpecExpr::Int(value) => Ok(self.pool.int(value.clone())),
            SpecExpr::Bool(value) => Ok(self.pool.bool(*value)),
            SpecExpr::Null => self
                .resolver
                .open
                .null
                .ok_or_else(|| "the program has no null".to_owned()),
            SpecExpr::Result(site) => match &site.callee {
                Some(name) => self.apply(name, &[]),
                None => Err(format!("`{expr}` needs the name of a procedure")),
            },
            SpecExpr::Apply(name, args) => self.apply(name, args),
            SpecExpr::Index(map, indices) => self.index(map, indices),
            SpecExpr::Unary(UnaryOp::Not, operand) => {
                let operand = self.condition(operand)?;
                Ok(self.pool.not(operand))
            }
            SpecExpr::Unary(UnaryOp::Neg, operand) => {
                let operand = self.number(operand)?;
                Ok(self.pool.neg(operand))
            }
            SpecExpr::Binary(op, left, right) => self.binary(*op, left, right),
            SpecExpr::Forall(names, body) => self.forall(names, body),
            SpecExpr::Unary(UnaryOp::Deref | UnaryOp::AddressOf, _)
            | SpecExpr::Arrow(..)
            | SpecExpr::Cast(..) => Err(format!(
                "`{expr}` is C; in a Boogie program memory is a map, as in `m[x]`"
            )),
            SpecExpr::Name(_)
            | SpecExpr::Field(..)
            | SpecExpr::After(..)
            | SpecExpr::NeverReturns(_)
            | SpecExpr::Raw(_) => Err(format!("`{expr}` cannot be understood here")),
        }
    }

    fn name(&mut self, name: &str) -> Result<TermId, String> {
        let resolver = self.resolver;
        let params = &resolver.program.procs[resolver.entry.proc].params;
        let (globals, constants) = (&resolver.program.globals, &resolver.program.constants);
        let candidates = self
            .bound
            .iter()
            .rev()
            .chain(params)
            .chain(globals)
            .chain(constants);
        let found = candidates
            .copied()
            .find(|&var| **self.pool.var_name(var) == *name);
        match found {
            Some(var) => Ok(self.pool.var(var)),
            None => Err(format!(
                "`{name}` is no parameter of `{}`, no global and no constant",
                resolver.entry.name
            )),
        }
    }

    fn apply(&mut self, name: &str, args: &[SpecExpr]) -> Result<TermId, String> {
        let Some(id) = function(self.pool, name, args.len()) else {
            return Err(format!(
                "the program uses no function `{name}` with {} arguments",
                args.len()
            ));
        };
        let sorts = self.pool.function(id).args.clone();
        let args = self.typed(args, &sorts)?;
        Ok(self.pool.apply(id, &args))
    }

    fn typed(&mut self, exprs: &[SpecExpr], sorts: &[SortId]) -> Result<Vec<TermId>, String> {
        let mut terms = Vec::with_capacity(exprs.len());
        for (expr, &sort) in exprs.iter().zip(sorts) {
            let term = self.term(expr)?;
            if self.pool.sort_of(term) != sort {
                return Err(format!(
                    "`{expr}` is of type {}, not {}",
                    self.type_of(term),
                    self.pool.sort_text(sort)
                ));
            }
            terms.push(term);
        }
        Ok(terms)
    }

    fn index(&mut self, map: &SpecExpr, indices: &[SpecExpr]) -> Result<TermId, String> {
        let term = self.term(map)?;
        let sorts = match self.pool.sort(self.pool.sort_of(term)) {
            Sort::Array { indices, .. } => indices.clone(),
            _ => return Err(format!("`{map}` is no map but of type {}", self.type_of(term))),
        };
        if sorts.len() != indices.len() {
            return Err(format!(
                "`{map}` takes {} indices, not {}",
                sorts.len(),
                indices.len()
            ));
        }
        let indices = self.typed(indices, &sorts)?;
        Ok(self.pool.select(term, &indices))
    }

    fn number(&mut self, expr: &SpecExpr) -> Result<TermId, String> {
        let term = self.term(expr)?;
        match self.pool.sort(self.pool.sort_of(term)) {
            Sort::Int | Sort::Real => Ok(term),
            _ => Err(format!(
                "`{expr}` is no number but of type {}",
                self.type_of(term)
            )),
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &SpecExpr, right: &SpecExpr) -> Result<TermId, String> {
        match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Implies | BinaryOp::Iff => {
                let (a, b) = (self.condition(left)?, self.condition(right)?);
                Ok(match op {
                    BinaryOp::And => self.pool.and(&[a, b]),
                    BinaryOp::Or => self.pool.or(&[a, b]),
                    BinaryOp::Implies => self.pool.implies(a, b),
                    _ => self.pool.eq(a, b),
                })
            }
            BinaryOp::Eq | BinaryOp::Ne => {
                let (a, b) = (self.term(left)?, self.term(right)?);
                let (a, b) = self.same_type(left, a, right, b)?;
                let equal = self.pool.eq(a, b);
                Ok(match op {
                    BinaryOp::Eq => equal,
                    _ => self.pool.not(equal),
                })
            }
            _ => {
                let (a, b) = (self.number(left)?, self.number(right)?);
                let (a, b) = self.same_type(left, a, right, b)?;
                let is_int = *self.pool.sort(self.pool.sort_of(a)) == Sort::Int;
                Ok(match op {
                    BinaryOp::Add => self.pool.add(&[a, b]),
                    BinaryOp::Sub => self.pool.sub(a, b),
                    BinaryOp::Mul => self.pool.mul(a, b),
                    BinaryOp::Div if is_int => self.pool.int_div(a, b),
                    BinaryOp::Mod if is_int => self.pool.modulo(a, b),
                    BinaryOp::Div => self.pool.real_div(a, b),
                    BinaryOp::Mod => return Err(format!("`{left}` is no integer")),
                    BinaryOp::Lt => self.pool.lt(a, b),
                    BinaryOp::Le => self.pool.le(a, b),
                    BinaryOp::Gt => self.pool.lt(b, a),
                    _ => self.pool.le(b, a),
                })
            }
        }
    }

    /// The two terms in one type; an integer next to a real is one.
    fn same_type(
        &mut self,
        left: &SpecExpr,
        a: TermId,
        right: &SpecExpr,
        b: TermId,
    ) -> Result<(TermId, TermId), String> {
        let sorts = (self.pool.sort_of(a), self.pool.sort_of(b));
        if sorts.0 == sorts.1 {
            return Ok((a, b));
        }
        match (self.pool.sort(sorts.0), self.pool.sort(sorts.1)) {
            (Sort::Real, Sort::Int) => {
                let b = self.pool.to_real(b);
                Ok((a, b))
            }
            (Sort::Int, Sort::Real) => {
                let a = self.pool.to_real(a);
                Ok((a, b))
            }
            _ => Err(format!(
                "`{left}` is of type {}, but `{right}` of type {}",
                self.type_of(a),
                self.type_of(b)
            )),
        }
    }

    fn forall(&mut self, names: &[std::sync::Arc<str>], body: &SpecExpr) -> Result<TermId, String> {
        let before = self.bound.len();
        for name in names {
            let sort = match self.index_sort(name, body)? {
                Some(sort) => sort,
                None => self.pool.int_sort(),
            };
            let var = self.pool.declare_var(name.clone(), sort);
            self.bound.push(var);
        }
        let term = self.condition(body);
        let bound: Vec<VarId> = self.bound.drain(before..).collect();
        Ok(self.pool.quantifier_term(Quantifier {
            kind: QuantifierKind::Forall,
            bound: bound.into(),
            triggers: Box::new([]),
            no_patterns: Box::new([]),
            body: term?,
            weight: None,
        }))
    }

    /// The type of a variable that is used as an index of a map which has a name.
    fn index_sort(&mut self, name: &str, expr: &SpecExpr) -> Result<Option<SortId>, String> {
        if let SpecExpr::Index(map, indices) = expr
            && let Some(position) = indices
                .iter()
                .position(|index| matches!(index, SpecExpr::Name(found) if **found == *name))
            && let Some(map) = map.dotted_name()
        {
            let map = self.name(&map)?;
            if let Sort::Array { indices, .. } = self.pool.sort(self.pool.sort_of(map)) {
                return Ok(indices.get(position).copied());
            }
        }
        for child in expr.children() {
            if let Some(sort) = self.index_sort(name, child)? {
                return Ok(Some(sort));
            }
        }
        Ok(None)
    }
}
