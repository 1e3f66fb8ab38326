//! Fields of datatypes, which may belong to several constructors, and whether records have values.

use lariat_base::Diagnostic;
use lariat_boogie::typed::{ConstructorRef, Expr};
use lariat_term::{DatatypeId, Sort, SortId, TermId};
use rustc_hash::FxHashSet;

use crate::expr::Terms;
use crate::lowering::Lowering;
use crate::scope::{Lowers, Scope};

impl Lowering<'_> {
    /// A polymorphic map at its own type would be a record that contains itself: it has no finite
    /// value, and the solver refuses it. The type checker has seen to datatypes that are written.
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
                        .all(|field| self.has_value(field.sort, &founded))
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
                "self-containing-map",
                format!("the polymorphic map type `{name}` is used to hold maps of its own type, which is not supported"),
            ));
        }
    }

    fn has_value(&self, sort: SortId, founded: &FxHashSet<DatatypeId>) -> bool {
        let mut sort = sort;
        loop {
            match self.ir.pool.sort(sort) {
                Sort::Array { element, .. } => sort = *element,
                Sort::Datatype(id) => return founded.contains(id),
                _ => return true,
            }
        }
    }

    /// `v->f`: the field of the first constructor that fits; of the last if none does.
    pub(crate) fn lower_field(
        &mut self,
        value: &Expr,
        constructors: &[(ConstructorRef, u32)],
        scope: &mut Scope,
    ) -> Lowers<TermId> {
        let ground = self.ground(&value.ty, scope);
        let datatype = self.pool_datatype(&ground);
        let value = self.lower_expr(value, scope)?;
        let pool = &mut self.ir.pool;
        let mut result = None;
        for &(constructor, field) in constructors.iter().rev() {
            let selected = pool.field(datatype, constructor.constructor, field, value);
            result = Some(match result {
                None => selected,
                Some(otherwise) => {
                    let fits = pool.is_constructor(datatype, constructor.constructor, value);
                    pool.ite(fits, selected, otherwise)
                }
            });
        }
        Ok(result.expect("a field belongs to a constructor"))
    }

    /// `v->(f := n)`: the constructor that fits with the field replaced.
    pub(crate) fn lower_field_update(
        &mut self,
        value: &Expr,
        constructors: &[(ConstructorRef, u32)],
        new: &Expr,
        scope: &mut Scope,
    ) -> Lowers<TermId> {
        let ground = self.ground(&value.ty, scope);
        let datatype = self.pool_datatype(&ground);
        let value = self.lower_expr(value, scope)?;
        let new = self.lower_expr(new, scope)?;
        let pool = &mut self.ir.pool;
        let mut result = None;
        for &(constructor, updated) in constructors.iter().rev() {
            let index = constructor.constructor;
            let field_count = pool.datatype(datatype).constructors[index as usize].fields.len() as u32;
            let fields: Terms = (0..field_count)
                .map(|field| {
                    if field == updated {
                        new
                    } else {
                        pool.field(datatype, index, field, value)
                    }
                })
                .collect();
            let constructed = pool.construct(datatype, index, &fields);
            result = Some(match result {
                None => constructed,
                Some(otherwise) => {
                    let fits = pool.is_constructor(datatype, index, value);
                    pool.ite(fits, constructed, otherwise)
                }
            });
        }
        Ok(result.expect("a field belongs to a constructor"))
    }
}
