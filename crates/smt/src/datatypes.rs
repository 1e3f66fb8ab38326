//! Declaring algebraic datatypes, which may refer to each other.

use lariat_term::{DatatypeId, Sort, SortId, TermPool};
use rustc_hash::FxHashSet;
use z3_sys::*;

use crate::context::{ConstructorDecls, Context, Result, SolverError};

/// Declares a datatype together with all datatypes that its fields mention.
#[allow(unsafe_code)]
pub(crate) fn declare(context: &mut Context, pool: &TermPool, root: DatatypeId) -> Result<()> {
    let group = undeclared_group(context, pool, root);
    let position = |id: DatatypeId| group.iter().position(|&member| member == id);
    let mut lists = Vec::new();
    let mut names = Vec::new();
    let mut constructors_of: Vec<Vec<(Z3_constructor, usize)>> = Vec::new();
    for &id in &group {
        let datatype = pool.datatype(id);
        names.push(context.symbol(&format!("{}!{id}", datatype.name))?);
        let mut constructors = Vec::new();
        for constructor in &datatype.constructors {
            let name = context.symbol(&format!("{}!{id}", constructor.name))?;
            let tester = context.symbol(&format!("is-{}!{id}", constructor.name))?;
            let mut field_names = Vec::new();
            let mut field_sorts = Vec::new();
            let mut field_refs = Vec::new();
            for field in &constructor.fields {
                field_names.push(context.symbol(&format!("{}!{}!{id}", field.name, constructor.name))?);
                match pool.sort(field.sort) {
                    Sort::Datatype(other) if position(*other).is_some() => {
                        field_sorts.push(None);
                        field_refs.push(position(*other).unwrap_or(0) as u32);
                    }
                    _ if mentions(pool, field.sort, &group) => {
                        return Err(SolverError(format!(
                            "datatype {} contains itself inside a map, which is not translated",
                            datatype.name
                        )));
                    }
                    _ => {
                        field_sorts.push(Some(context.sort(pool, field.sort)?));
                        field_refs.push(0);
                    }
                }
            }
            // SAFETY: all arrays have the length of `fields`; symbols and sorts are of this context.
            let made = unsafe {
                Z3_mk_constructor(
                    context.raw,
                    name,
                    tester,
                    constructor.fields.len() as u32,
                    field_names.as_ptr(),
                    field_sorts.as_ptr(),
                    field_refs.as_mut_ptr(),
                )
            };
            constructors.push((made.ok_or_else(|| context.error())?, constructor.fields.len()));
        }
        let raw: Vec<Z3_constructor> = constructors.iter().map(|&(constructor, _)| constructor).collect();
        // SAFETY: the constructors were just made.
        let list = unsafe { Z3_mk_constructor_list(context.raw, raw.len() as u32, raw.as_ptr()) };
        lists.push(list.ok_or_else(|| context.error())?);
        constructors_of.push(constructors);
    }
    // Z3 fills the array of sorts; the names serve as valid pointers of the right size until then.
    let bool_sort = unsafe { Z3_mk_bool_sort(context.raw) }.ok_or_else(|| context.error())?;
    let mut sorts = vec![bool_sort; group.len()];
    // SAFETY: three arrays of the group's length, filled by Z3.
    unsafe {
        Z3_mk_datatypes(
            context.raw,
            group.len() as u32,
            names.as_ptr(),
            sorts.as_mut_ptr(),
            lists.as_mut_ptr(),
        );
    }
    context.check_error()?;
    for ((&id, &sort), constructors) in group.iter().zip(&sorts).zip(&constructors_of) {
        let sort_id = sort_of(pool, id)?;
        context.keep_sort(sort_id, sort);
        let mut decls = Vec::new();
        for &(constructor, field_count) in constructors {
            decls.push(query(context, constructor, field_count)?);
        }
        context.datatypes.insert(id, decls);
    }
    for list in lists {
        // SAFETY: the list is not used any more.
        unsafe { Z3_del_constructor_list(context.raw, list) };
    }
    for (constructor, _) in constructors_of.into_iter().flatten() {
        // SAFETY: the constructor is not used any more.
        unsafe { Z3_del_constructor(context.raw, constructor) };
    }
    Ok(())
}

/// The declarations of a constructor.
#[allow(unsafe_code)]
fn query(context: &mut Context, constructor: Z3_constructor, field_count: usize) -> Result<ConstructorDecls> {
    let mut declared = std::mem::MaybeUninit::<Z3_func_decl>::uninit();
    let mut tester = std::mem::MaybeUninit::<Z3_func_decl>::uninit();
    let mut fields: Vec<std::mem::MaybeUninit<Z3_func_decl>> =
        vec![std::mem::MaybeUninit::uninit(); field_count];
    // SAFETY: Z3 writes one constructor, one tester and `field_count` accessors; on an error it
    // writes nothing, which is why the code is checked before the values are read.
    let decls = unsafe {
        Z3_query_constructor(
            context.raw,
            constructor,
            field_count as u32,
            declared.as_mut_ptr(),
            tester.as_mut_ptr(),
            fields.as_mut_ptr().cast(),
        );
        context.check_error()?;
        ConstructorDecls {
            constructor: declared.assume_init(),
            tester: tester.assume_init(),
            fields: fields.into_iter().map(|field| field.assume_init()).collect(),
        }
    };
    context.keep_decl(decls.constructor);
    context.keep_decl(decls.tester);
    for &field in &decls.fields {
        context.keep_decl(field);
    }
    Ok(decls)
}

fn sort_of(pool: &TermPool, id: DatatypeId) -> Result<SortId> {
    pool.find_sort(&Sort::Datatype(id))
        .ok_or_else(|| SolverError("a datatype without its sort".into()))
}

/// The datatype and all undeclared ones that it mentions, directly or not.
fn undeclared_group(context: &Context, pool: &TermPool, root: DatatypeId) -> Vec<DatatypeId> {
    let mut group = vec![root];
    let mut next = 0;
    while next < group.len() {
        for constructor in &pool.datatype(group[next]).constructors {
            for field in &constructor.fields {
                for id in datatypes_in(pool, field.sort) {
                    if !group.contains(&id) && !context.datatypes.contains_key(&id) {
                        group.push(id);
                    }
                }
            }
        }
        next += 1;
    }
    // A member that is only mentioned and does not mention the root back is declared first, on its
    // own, so that it may stand inside a map.
    let independent: Vec<DatatypeId> = group
        .iter()
        .copied()
        .filter(|&id| id != root && !reaches(pool, id, root))
        .collect();
    group.retain(|id| !independent.contains(id));
    group
}

fn reaches(pool: &TermPool, from: DatatypeId, to: DatatypeId) -> bool {
    let mut seen = FxHashSet::default();
    let mut stack = vec![from];
    while let Some(id) = stack.pop() {
        for constructor in &pool.datatype(id).constructors {
            for field in &constructor.fields {
                for other in datatypes_in(pool, field.sort) {
                    if other == to {
                        return true;
                    }
                    if seen.insert(other) {
                        stack.push(other);
                    }
                }
            }
        }
    }
    false
}

fn mentions(pool: &TermPool, sort: SortId, group: &[DatatypeId]) -> bool {
    datatypes_in(pool, sort).iter().any(|id| group.contains(id))
}

/// The datatypes that occur in a sort, also inside maps.
fn datatypes_in(pool: &TermPool, sort: SortId) -> Vec<DatatypeId> {
    let mut found = Vec::new();
    let mut stack = vec![sort];
    while let Some(sort) = stack.pop() {
        match pool.sort(sort) {
            Sort::Datatype(id) => found.push(*id),
            Sort::Array { indices, element } => {
                stack.extend(indices.iter().copied());
                stack.push(*element);
            }
            _ => {}
        }
    }
    found
}
