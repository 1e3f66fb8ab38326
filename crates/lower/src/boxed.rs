//! Elements of polymorphic maps that contain polymorphic maps.
//!
//! A polymorphic map that holds maps of its own type would be a record that contains itself.
//! Such an element is kept *boxed*: as a value of a sort `U` of its own, with functions to and
//! from it and the axiom `forall x :: {box(x)} unbox(box(x)) == x`. A model exists because `U`
//! may be as large as it needs to be, as long as it is not used to index the map; that is an error.

use lariat_base::Diagnostic;
use lariat_ir::Axiom;
use lariat_term::{DatatypeId, FunId, Quantifier, QuantifierKind, Sort, SortId, TermId};
use rustc_hash::FxHashSet;

use crate::lowering::Lowering;

#[derive(Clone, Copy)]
pub(crate) struct Boxing {
    sort: SortId,
    to_box: FunId,
    from_box: FunId,
}

impl Lowering<'_> {
    /// The sort under which a polymorphic map keeps elements of a sort.
    pub(crate) fn element_sort(&mut self, element: SortId) -> SortId {
        if self.reaches_map_record(element) {
            self.boxing(element).sort
        } else {
            element
        }
    }

    /// The term as a value of the sort: itself, boxed or unboxed.
    pub(crate) fn convert_element(&mut self, term: TermId, sort: SortId) -> TermId {
        let actual = self.ir.pool.sort_of(term);
        if actual == sort {
            return term;
        }
        let boxed = self
            .boxings
            .values()
            .find(|boxing| boxing.sort == actual)
            .copied();
        match boxed {
            Some(boxing) => self.ir.pool.apply(boxing.from_box, &[term]),
            None => {
                let boxing = self.boxing(actual);
                self.ir.pool.apply(boxing.to_box, &[term])
            }
        }
    }

    fn boxing(&mut self, sort: SortId) -> Boxing {
        if let Some(&boxing) = self.boxings.get(&sort) {
            return boxing;
        }
        let pool = &mut self.ir.pool;
        let name = pool.sort_text(sort).replace('|', "");
        let boxed = pool.uninterpreted_sort(format!("box of {name}"));
        let boxing = Boxing {
            sort: boxed,
            to_box: pool.declare_function(format!("box {name}"), vec![sort], boxed),
            from_box: pool.declare_function(format!("unbox {name}"), vec![boxed], sort),
        };
        let bound = pool.declare_var("x", sort);
        let x = pool.var(bound);
        let in_box = pool.apply(boxing.to_box, &[x]);
        let back = pool.apply(boxing.from_box, &[in_box]);
        let body = pool.eq(back, x);
        let term = pool.quantifier_term(Quantifier {
            kind: QuantifierKind::Forall,
            bound: Box::new([bound]),
            triggers: Box::new([Box::new([in_box])]),
            no_patterns: Box::new([]),
            body,
            weight: None,
        });
        self.ir.axioms.push(Axiom { term, span: None });
        self.boxings.insert(sort, boxing);
        boxing
    }

    /// Whether values of the sort contain a polymorphic map, or a datatype that is being defined
    /// and may do so.
    fn reaches_map_record(&self, sort: SortId) -> bool {
        let pool = &self.ir.pool;
        let mut seen: FxHashSet<SortId> = FxHashSet::default();
        let mut stack = vec![sort];
        while let Some(sort) = stack.pop() {
            if !seen.insert(sort) {
                continue;
            }
            match pool.sort(sort) {
                Sort::Array { indices, element } => stack.extend(indices.iter().chain([element])),
                Sort::Datatype(id) => {
                    let constructors = &pool.datatype(*id).constructors;
                    if constructors.is_empty() || self.map_records.contains(id) {
                        return true;
                    }
                    stack.extend(
                        constructors
                            .iter()
                            .flat_map(|constructor| constructor.fields.iter().map(|field| field.sort)),
                    );
                }
                _ => {}
            }
        }
        false
    }

    /// A polymorphic map that is indexed by maps of its own type is a record that contains itself,
    /// which the solver refuses. The type checker has seen to datatypes that are written.
    pub(crate) fn check_map_records(&mut self) {
        if self.map_records.is_empty() {
            return;
        }
        let mut founded: FxHashSet<DatatypeId> = FxHashSet::default();
        // A datatype is declared before those of its fields, so this order finds most at once.
        let datatypes: Vec<_> = self.ir.pool.datatypes().collect();
        loop {
            let before = founded.len();
            for &(id, datatype) in datatypes.iter().rev() {
                let has_value = datatype.constructors.iter().any(|constructor| {
                    constructor
                        .fields
                        .iter()
                        .all(|field| self.is_founded(field.sort, &founded))
                });
                if has_value {
                    founded.insert(id);
                }
            }
            if founded.len() == before {
                break;
            }
        }
        if let Some(&record) = self.map_records.iter().find(|record| !founded.contains(record)) {
            let name = &self.ir.pool.datatype(record).name;
            self.errors.push(Diagnostic::global_error(
                "self-indexed-map",
                format!("the polymorphic map type `{name}` is indexed by maps of its own type, which is not supported"),
            ));
        }
    }

    fn is_founded(&self, sort: SortId, founded: &FxHashSet<DatatypeId>) -> bool {
        let mut stack = vec![sort];
        while let Some(sort) = stack.pop() {
            match self.ir.pool.sort(sort) {
                Sort::Array { indices, element } => stack.extend(indices.iter().chain([element])),
                Sort::Datatype(id) if !founded.contains(id) => return false,
                _ => {}
            }
        }
        true
    }
}
