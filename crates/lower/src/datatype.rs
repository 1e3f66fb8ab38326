//! Fields of datatypes. A field may belong to several constructors.

use lariat_boogie::typed::{ConstructorRef, Expr};
use lariat_term::TermId;

use crate::expr::Terms;
use crate::lowering::Lowering;
use crate::scope::{Lowers, Scope};

impl Lowering<'_> {
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
