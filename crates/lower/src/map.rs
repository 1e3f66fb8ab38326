//! Reading and writing maps.

use std::sync::Arc;

use lariat_boogie::typed::{Expr, MapType, Type};
use lariat_term::{DatatypeId, Sort, SortId, TermId};

use crate::expr::Terms;
use crate::lowering::Lowering;
use crate::scope::{Lowers, Scope};

impl Lowering<'_> {
    pub(crate) fn lower_select(
        &mut self,
        map: &Expr,
        indices: &[Expr],
        type_args: &Arc<[Type]>,
        scope: &mut Scope,
    ) -> Lowers<TermId> {
        let map_term = self.lower_expr(map, scope)?;
        let indices = self.lower_indices(indices, scope)?;
        if type_args.is_empty() {
            return Ok(self.ir.pool.select(map_term, &indices));
        }
        let (ty, map_type, args) = self.polymorphic_map(map, type_args, scope);
        let (_, element) = self.map_instance_sorts(&map_type, &args);
        match self.map_instance(&map_type, &args) {
            Some(field) => {
                let datatype = self.pool_datatype(&ty);
                let array = self.ir.pool.field(datatype, 0, field, map_term);
                let value = self.ir.pool.select(array, &indices);
                Ok(self.convert_element(value, element))
            }
            None => Ok(self.provisional_term(element)),
        }
    }

    pub(crate) fn lower_store(
        &mut self,
        map: &Expr,
        indices: &[Expr],
        value: &Expr,
        type_args: &Arc<[Type]>,
        scope: &mut Scope,
    ) -> Lowers<TermId> {
        let map_term = self.lower_expr(map, scope)?;
        let indices = self.lower_indices(indices, scope)?;
        let value = self.lower_expr(value, scope)?;
        if type_args.is_empty() {
            return Ok(self.ir.pool.store(map_term, &indices, value));
        }
        let (ty, map_type, args) = self.polymorphic_map(map, type_args, scope);
        let Some(updated) = self.map_instance(&map_type, &args) else {
            return Ok(map_term);
        };
        let datatype = self.pool_datatype(&ty);
        let element = self.record_element_sort(datatype, updated);
        let value = self.convert_element(value, element);
        let pool = &mut self.ir.pool;
        let field_count = pool.datatype(datatype).constructors[0].fields.len() as u32;
        let fields: Terms = (0..field_count)
            .map(|field| {
                let array = pool.field(datatype, 0, field, map_term);
                if field == updated {
                    pool.store(array, &indices, value)
                } else {
                    array
                }
            })
            .collect();
        Ok(pool.construct(datatype, 0, &fields))
    }

    /// The sort of the elements of one array of a polymorphic map.
    pub(crate) fn record_element_sort(&self, record: DatatypeId, field: u32) -> SortId {
        let sort = self.ir.pool.datatype(record).constructors[0].fields[field as usize].sort;
        match self.ir.pool.sort(sort) {
            Sort::Array { element, .. } => *element,
            other => unreachable!("a polymorphic map is a record of arrays, not of {other:?}"),
        }
    }

    /// The indices; those of a map without any are the dummy `false`.
    fn lower_indices(&mut self, indices: &[Expr], scope: &mut Scope) -> Lowers<Terms> {
        if indices.is_empty() {
            return Ok(Terms::from_elem(self.ir.pool.bool(false), 1));
        }
        self.lower_exprs(indices, scope)
    }

    fn polymorphic_map(
        &mut self,
        map: &Expr,
        type_args: &Arc<[Type]>,
        scope: &Scope,
    ) -> (Type, Arc<MapType>, Arc<[Type]>) {
        let args = self.ground_all(type_args, scope);
        let ty = self.ground(&map.ty, scope);
        let Type::Map(map_type) = &ty else {
            unreachable!("the type checker lets only maps be read and written")
        };
        let map_type = map_type.clone();
        (ty, map_type, args)
    }

    /// The field of the record that stands for the map at the type arguments; `None` if no
    /// earlier round knew of the instance. The round is then repeated.
    fn map_instance(&mut self, map: &Arc<MapType>, args: &Arc<[Type]>) -> Option<u32> {
        self.used_known = true;
        self.found.record_map(map, args);
        let position = self.known.of_map(map)?.get_index_of(args)?;
        Some(position as u32 + 1)
    }

    /// Some term of the sort, in a round whose result is not used.
    pub(crate) fn provisional_term(&mut self, sort: SortId) -> TermId {
        let var = self.ir.pool.declare_var("provisional", sort);
        self.ir.pool.var(var)
    }
}
