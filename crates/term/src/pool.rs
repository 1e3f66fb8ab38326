//! The pool that owns sorts, variables, functions and terms.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use cranelift_entity::entity_impl;
use hashbrown::HashTable;
use num_bigint::BigInt;
use num_rational::BigRational;
use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;

use crate::arena::Arena;
use crate::map::VarSet;
use crate::op::{NumberId, Op, QuantifierId, QuantifierKind, StringId, TheoryId, TheoryOp};
use crate::sort::{Constructor, Datatype, DatatypeId, Sort, SortId, UninterpretedId};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TermId(u32);
entity_impl!(TermId, "t");

/// A variable. Its role (global, constant, incarnation, bound) follows from where
/// it is used; two variables with the same name are still two.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VarId(u32);
entity_impl!(VarId, "v");

/// An uninterpreted function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunId(u32);
entity_impl!(FunId, "f");

#[derive(Clone, Debug)]
pub struct Var {
    pub name: Arc<str>,
    pub sort: SortId,
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: Arc<str>,
    pub args: Vec<SortId>,
    pub result: SortId,
}

/// The variables of a quantifier are its own: no other quantifier binds them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Quantifier {
    pub kind: QuantifierKind,
    pub bound: Box<[VarId]>,
    pub triggers: Box<[Box<[TermId]>]>,
    /// Terms that must not be used as patterns.
    pub no_patterns: Box<[TermId]>,
    pub body: TermId,
    pub weight: Option<u32>,
}

#[derive(Clone, Copy, Debug)]
struct TermData {
    op: Op,
    args_start: u32,
    args_len: u32,
    sort: SortId,
    depth: u32,
    closed: bool,
}

/// The owner of all terms of a run.
#[derive(Clone, Debug, Default)]
pub struct TermPool {
    sorts: Arena<SortId, Sort>,
    sort_ids: FxHashMap<Sort, SortId>,
    uninterpreted: Arena<UninterpretedId, Arc<str>>,
    datatypes: Arena<DatatypeId, Datatype>,
    vars: Arena<VarId, Var>,
    functions: Arena<FunId, Function>,
    numbers: Arena<NumberId, BigRational>,
    number_ids: FxHashMap<BigRational, NumberId>,
    strings: Arena<StringId, Arc<str>>,
    string_ids: FxHashMap<Arc<str>, StringId>,
    theory_ops: Arena<TheoryId, TheoryOp>,
    theory_ids: FxHashMap<TheoryOp, TheoryId>,
    quantifiers: Arena<QuantifierId, Quantifier>,
    quantifier_ids: FxHashMap<Quantifier, QuantifierId>,
    terms: Arena<TermId, TermData>,
    term_args: Vec<TermId>,
    term_ids: HashTable<TermId>,
}

/// How much a pool holds: what was added later can be taken away again.
#[derive(Clone, Copy, Debug)]
pub struct PoolSize {
    sorts: usize,
    uninterpreted: usize,
    datatypes: usize,
    vars: usize,
    functions: usize,
    numbers: usize,
    strings: usize,
    theory_ops: usize,
    quantifiers: usize,
    terms: usize,
}

fn hash_term(op: Op, args: &[TermId], sort: SortId) -> u64 {
    let mut hasher = FxHasher::default();
    op.hash(&mut hasher);
    args.hash(&mut hasher);
    sort.hash(&mut hasher);
    hasher.finish()
}

impl TermPool {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn size(&self) -> PoolSize {
        PoolSize {
            sorts: self.sorts.len(),
            uninterpreted: self.uninterpreted.len(),
            datatypes: self.datatypes.len(),
            vars: self.vars.len(),
            functions: self.functions.len(),
            numbers: self.numbers.len(),
            strings: self.strings.len(),
            theory_ops: self.theory_ops.len(),
            quantifiers: self.quantifiers.len(),
            terms: self.terms.len(),
        }
    }

    /// Takes away everything that was added since the pool had this size. Ids that were given since then mean nothing
    /// any more, and are given again. A datatype that was declared before must not have got its constructors since.
    pub fn cut(&mut self, size: &PoolSize) {
        for index in (size.terms..self.terms.len()).rev() {
            let id = TermId::from_u32(index as u32);
            let data = &self.terms[id];
            let hash = hash_term(data.op, self.args(id), data.sort);
            if let Ok(entry) = self.term_ids.find_entry(hash, |&other| other == id) {
                entry.remove();
            }
        }
        if let Some(first) = self.terms.cut(size.terms).first() {
            self.term_args.truncate(first.args_start as usize);
        }
        for sort in self.sorts.cut(size.sorts) {
            self.sort_ids.remove(&sort);
        }
        for number in self.numbers.cut(size.numbers) {
            self.number_ids.remove(&number);
        }
        for text in self.strings.cut(size.strings) {
            self.string_ids.remove(&text);
        }
        for op in self.theory_ops.cut(size.theory_ops) {
            self.theory_ids.remove(&op);
        }
        for quantifier in self.quantifiers.cut(size.quantifiers) {
            self.quantifier_ids.remove(&quantifier);
        }
        self.uninterpreted.cut(size.uninterpreted);
        self.datatypes.cut(size.datatypes);
        self.vars.cut(size.vars);
        self.functions.cut(size.functions);
    }

    // ---- sorts -------------------------------------------------------------

    pub fn sort_id(&mut self, sort: Sort) -> SortId {
        if let Some(&id) = self.sort_ids.get(&sort) {
            return id;
        }
        let id = self.sorts.push(sort.clone());
        self.sort_ids.insert(sort, id);
        id
    }

    /// The id of a sort that exists already.
    pub fn find_sort(&self, sort: &Sort) -> Option<SortId> {
        self.sort_ids.get(sort).copied()
    }

    /// All sorts that were ever made.
    pub fn sorts(&self) -> impl Iterator<Item = &Sort> {
        self.sorts.values()
    }

    pub fn sort(&self, id: SortId) -> &Sort {
        &self.sorts[id]
    }

    pub fn bool_sort(&mut self) -> SortId {
        self.sort_id(Sort::Bool)
    }

    pub fn int_sort(&mut self) -> SortId {
        self.sort_id(Sort::Int)
    }

    pub fn bv_sort(&mut self, width: u32) -> SortId {
        self.sort_id(Sort::Bv(width))
    }

    pub fn array_sort(&mut self, indices: &[SortId], element: SortId) -> SortId {
        self.sort_id(Sort::Array {
            indices: indices.into(),
            element,
        })
    }

    pub fn uninterpreted_sort(&mut self, name: impl Into<Arc<str>>) -> SortId {
        let id = self.uninterpreted.push(name.into());
        self.sort_id(Sort::Uninterpreted(id))
    }

    pub fn uninterpreted_name(&self, id: UninterpretedId) -> &Arc<str> {
        &self.uninterpreted[id]
    }

    /// Declares a datatype whose constructors are given later.
    pub fn declare_datatype(&mut self, name: impl Into<Arc<str>>) -> DatatypeId {
        self.datatypes.push(Datatype {
            name: name.into(),
            constructors: Vec::new(),
        })
    }

    pub fn define_datatype(&mut self, id: DatatypeId, constructors: Vec<Constructor>) {
        self.datatypes[id].constructors = constructors;
    }

    pub fn datatype(&self, id: DatatypeId) -> &Datatype {
        &self.datatypes[id]
    }

    pub fn datatypes(&self) -> impl Iterator<Item = (DatatypeId, &Datatype)> {
        self.datatypes.iter()
    }

    // ---- variables and functions ------------------------------------------

    pub fn declare_var(&mut self, name: impl Into<Arc<str>>, sort: SortId) -> VarId {
        self.vars.push(Var {
            name: name.into(),
            sort,
        })
    }

    pub fn var_data(&self, var: VarId) -> &Var {
        &self.vars[var]
    }

    pub fn var_name(&self, var: VarId) -> &Arc<str> {
        &self.vars[var].name
    }

    pub fn var_sort(&self, var: VarId) -> SortId {
        self.vars[var].sort
    }

    pub fn var_count(&self) -> usize {
        self.vars.len()
    }

    pub fn declare_function(
        &mut self,
        name: impl Into<Arc<str>>,
        args: Vec<SortId>,
        result: SortId,
    ) -> FunId {
        self.functions.push(Function {
            name: name.into(),
            args,
            result,
        })
    }

    pub fn function(&self, id: FunId) -> &Function {
        &self.functions[id]
    }

    pub fn functions(&self) -> impl Iterator<Item = (FunId, &Function)> {
        self.functions.iter()
    }

    // ---- interned literals -------------------------------------------------

    pub(crate) fn number_id(&mut self, value: BigRational) -> NumberId {
        if let Some(&id) = self.number_ids.get(&value) {
            return id;
        }
        let id = self.numbers.push(value.clone());
        self.number_ids.insert(value, id);
        id
    }

    pub fn number(&self, id: NumberId) -> &BigRational {
        &self.numbers[id]
    }

    pub(crate) fn string_id(&mut self, text: Arc<str>) -> StringId {
        if let Some(&id) = self.string_ids.get(&text) {
            return id;
        }
        let id = self.strings.push(text.clone());
        self.string_ids.insert(text, id);
        id
    }

    pub fn string_text(&self, id: StringId) -> &Arc<str> {
        &self.strings[id]
    }

    pub fn theory_op_id(&mut self, op: TheoryOp) -> TheoryId {
        if let Some(&id) = self.theory_ids.get(&op) {
            return id;
        }
        let id = self.theory_ops.push(op.clone());
        self.theory_ids.insert(op, id);
        id
    }

    pub fn theory_op(&self, id: TheoryId) -> &TheoryOp {
        &self.theory_ops[id]
    }

    pub(crate) fn quantifier_id(&mut self, quantifier: Quantifier) -> QuantifierId {
        if let Some(&id) = self.quantifier_ids.get(&quantifier) {
            return id;
        }
        let id = self.quantifiers.push(quantifier.clone());
        self.quantifier_ids.insert(quantifier, id);
        id
    }

    pub fn quantifier(&self, id: QuantifierId) -> &Quantifier {
        &self.quantifiers[id]
    }

    // ---- terms -------------------------------------------------------------

    /// The one place where terms come into being. Callers have simplified already.
    pub(crate) fn intern(&mut self, op: Op, args: &[TermId], sort: SortId) -> TermId {
        let hash = hash_term(op, args, sort);
        let (terms, term_args) = (&self.terms, &self.term_args);
        let args_of = |data: &TermData| {
            &term_args[data.args_start as usize..data.args_start as usize + data.args_len as usize]
        };
        let found = self.term_ids.find(hash, |&id| {
            let data = &terms[id];
            data.op == op && data.sort == sort && args_of(data) == args
        });
        if let Some(&id) = found {
            return id;
        }
        let mut depth = args
            .iter()
            .map(|&arg| terms[arg].depth)
            .max()
            .map_or(0, |d| d.saturating_add(1));
        let mut closed = !matches!(op, Op::Var(_)) && args.iter().all(|&arg| terms[arg].closed);
        if let Op::Quantifier(quantifier) = op {
            let quantifier = &self.quantifiers[quantifier];
            depth = terms[quantifier.body].depth.saturating_add(1);
            closed = false;
        }
        let args_start = self.term_args.len() as u32;
        self.term_args.extend_from_slice(args);
        let data = TermData {
            op,
            args_start,
            args_len: args.len() as u32,
            sort,
            depth,
            closed,
        };
        let id = self.terms.push(data);
        let (terms, term_args) = (&self.terms, &self.term_args);
        self.term_ids.insert_unique(hash, id, |&id| {
            let data = &terms[id];
            let start = data.args_start as usize;
            hash_term(
                data.op,
                &term_args[start..start + data.args_len as usize],
                data.sort,
            )
        });
        id
    }

    pub fn op(&self, term: TermId) -> Op {
        self.terms[term].op
    }

    pub fn args(&self, term: TermId) -> &[TermId] {
        let data = &self.terms[term];
        let start = data.args_start as usize;
        &self.term_args[start..start + data.args_len as usize]
    }

    pub fn sort_of(&self, term: TermId) -> SortId {
        self.terms[term].sort
    }

    /// The height of the term; leaves have 0.
    pub fn depth(&self, term: TermId) -> u32 {
        self.terms[term].depth
    }

    /// Whether the term has neither variables nor quantifiers.
    pub fn is_closed(&self, term: TermId) -> bool {
        self.terms[term].closed
    }

    pub fn term_count(&self) -> usize {
        self.terms.len()
    }

    /// The arguments that a traversal must visit: for a quantifier its triggers and body.
    pub fn children(&self, term: TermId) -> SmallVec<[TermId; 4]> {
        match self.op(term) {
            Op::Quantifier(id) => {
                let quantifier = &self.quantifiers[id];
                let mut children: SmallVec<[TermId; 4]> = SmallVec::new();
                children.extend(
                    quantifier
                        .triggers
                        .iter()
                        .flat_map(|trigger| trigger.iter().copied()),
                );
                children.extend(quantifier.no_patterns.iter().copied());
                children.push(quantifier.body);
                children
            }
            _ => self.args(term).into(),
        }
    }

    /// Calls `visit` once for every distinct subterm of `roots`, arguments first.
    pub fn visit_subterms(&self, roots: &[TermId], mut visit: impl FnMut(TermId)) {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack: Vec<(TermId, bool)> = roots.iter().rev().map(|&root| (root, false)).collect();
        while let Some((term, expanded)) = stack.pop() {
            if expanded {
                visit(term);
            } else if seen.insert(term) {
                stack.push((term, true));
                stack.extend(
                    self.children(term)
                        .iter()
                        .rev()
                        .filter(|t| !seen.contains(*t))
                        .map(|&t| (t, false)),
                );
            }
        }
    }

    /// Whether a quantifier occurs in the terms.
    pub fn has_quantifier(&self, roots: &[TermId]) -> bool {
        let mut has = false;
        self.visit_subterms(roots, |term| has |= matches!(self.op(term), Op::Quantifier(_)));
        has
    }

    /// The variables that occur free in the terms.
    pub fn free_vars(&self, roots: &[TermId]) -> VarSet {
        let mut free = VarSet::default();
        self.collect_free_vars(roots, &mut free);
        free
    }

    /// Adds the free variables of the terms to `free`. Bound variables are unique, so a
    /// variable is free in a term if it occurs and no quantifier inside binds it.
    pub fn collect_free_vars(&self, roots: &[TermId], free: &mut VarSet) {
        let mut occurring = Vec::new();
        let mut bound = VarSet::default();
        self.visit_subterms(roots, |term| match self.op(term) {
            Op::Var(var) => occurring.push(var),
            Op::Quantifier(id) => bound.extend(self.quantifiers[id].bound.iter().copied()),
            _ => {}
        });
        free.extend(occurring.into_iter().filter(|var| !bound.contains(var)));
    }

    /// The value of an integer literal.
    pub fn as_int(&self, term: TermId) -> Option<&BigInt> {
        match self.op(term) {
            Op::Int(id) => Some(self.numbers[id].numer()),
            _ => None,
        }
    }

    pub fn as_bool(&self, term: TermId) -> Option<bool> {
        match self.op(term) {
            Op::Bool(value) => Some(value),
            _ => None,
        }
    }

    pub fn as_var(&self, term: TermId) -> Option<VarId> {
        match self.op(term) {
            Op::Var(var) => Some(var),
            _ => None,
        }
    }

    /// The value of a bit-vector literal, unsigned.
    pub fn as_bv(&self, term: TermId) -> Option<&BigInt> {
        match self.op(term) {
            Op::Bv(id) => Some(self.numbers[id].numer()),
            _ => None,
        }
    }

    /// Whether the term is a literal of a sort in which different literals are different values.
    pub fn is_value(&self, term: TermId) -> bool {
        matches!(
            self.op(term),
            Op::Bool(_) | Op::Int(_) | Op::Real(_) | Op::Bv(_) | Op::RoundingMode(_) | Op::String(_)
        )
    }

    pub fn bv_width(&self, term: TermId) -> u32 {
        match self.sort(self.sort_of(term)) {
            Sort::Bv(width) => *width,
            other => unreachable!("a bit-vector was expected, not {other:?}"),
        }
    }
}
