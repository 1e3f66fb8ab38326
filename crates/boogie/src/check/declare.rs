//! The declarations of a program: each name gets its id, each declared type is resolved.
//!
//! Names live in four spaces: types; functions and constructors; variables and constants;
//! procedures. Of two declarations of a name one may be marked `{:extern}`: then it is dropped.

use std::sync::Arc;

use lariat_base::{Diagnostic, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use super::attributes::is_marked;
use super::resolve_type::{Definition, Synonym, is_bv_name};
use super::{Checker, types};
use crate::ast;
use crate::typed::{
    Attributes, AxiomUser, Constructor, ConstructorRef, Datatype, DatatypeId, Field, Function, FunctionId,
    Name, Procedure, ProcedureId, Type, TypeCon, TypeConId, Var, VarId, VarKind,
};

#[derive(Clone, Copy)]
pub(super) enum TypeName {
    Con(TypeConId),
    Datatype(DatatypeId),
    Synonym(usize),
}

#[derive(Clone, Copy)]
pub(super) enum Callable {
    Function(FunctionId),
    Constructor(ConstructorRef),
}

/// The declarations that count, with their ids, in the order of the text.
#[derive(Default)]
pub(super) struct Declared<'a> {
    pub type_cons: Vec<(TypeConId, &'a ast::TypeDecl)>,
    pub datatypes: Vec<(DatatypeId, &'a ast::DatatypeDecl)>,
    pub vars: Vec<DeclaredVar<'a>>,
    pub functions: Vec<(FunctionId, &'a ast::FunctionDecl)>,
    pub axioms: Vec<(&'a ast::AxiomDecl, Option<AxiomUser>)>,
    pub procedures: Vec<(ProcedureId, &'a ast::ProcedureDecl)>,
    pub implementations: Vec<ImplementationSource<'a>>,
}

/// A constant or a global.
pub(super) struct DeclaredVar<'a> {
    pub id: VarId,
    /// The attributes of the declaration and of the variable in it.
    pub attributes: [&'a [ast::Attribute]; 2],
    pub where_clause: Option<&'a ast::Expr>,
}

pub(super) enum ImplementationSource<'a> {
    /// The body of a procedure.
    InPlace(ProcedureId, &'a ast::ProcedureDecl, &'a ast::Body),
    Apart(&'a ast::ImplementationDecl),
}

/// One space of names, and which declarations in it do not count. A declaration is known by
/// its number and by the number of the name in it.
struct Namespace {
    what: &'static str,
    claims: FxHashMap<Name, Claim>,
    dropped: FxHashSet<(usize, usize)>,
}

struct Claim {
    key: (usize, usize),
    span: Span,
    is_extern: bool,
}

impl Namespace {
    fn new(what: &'static str) -> Self {
        Namespace {
            what,
            claims: FxHashMap::default(),
            dropped: FxHashSet::default(),
        }
    }

    /// A name is declared; the diagnostic is the error if it is declared already.
    fn claim(&mut self, name: &ast::Ident, key: (usize, usize), is_extern: bool) -> Option<Diagnostic> {
        let claim = Claim {
            key,
            span: name.span,
            is_extern,
        };
        let Some(previous) = self.claims.get_mut(&name.name) else {
            self.claims.insert(name.name.clone(), claim);
            return None;
        };
        if is_extern {
            self.dropped.insert(key);
            None
        } else if previous.is_extern {
            self.dropped.insert(previous.key);
            *previous = claim;
            None
        } else {
            self.dropped.insert(key);
            Some(duplicate(self.what, name, previous.span))
        }
    }

    fn keeps(&self, decl: usize, part: usize) -> bool {
        !self.dropped.contains(&(decl, part))
    }
}

pub(super) fn duplicate(what: &str, name: &ast::Ident, first: Span) -> Diagnostic {
    Diagnostic::error(
        "duplicate-declaration",
        name.span,
        format!("more than one {what} `{}`", name.name),
    )
    .label("declared again here")
    .related(first, "first declared here")
}

struct Namespaces {
    types: Namespace,
    functions: Namespace,
    vars: Namespace,
    procedures: Namespace,
}

impl<'a> Checker<'a> {
    pub(super) fn declare(&mut self, program: &'a ast::Program) -> Declared<'a> {
        let namespaces = self.claim_names(program);
        let mut declared = Declared::default();
        for (position, decl) in program.decls.iter().enumerate() {
            match decl {
                ast::Decl::Type(decl) if namespaces.types.keeps(position, 0) => {
                    self.declare_type(decl, &mut declared)
                }
                ast::Decl::Datatype(decl) if namespaces.types.keeps(position, 0) => {
                    self.declare_datatype(decl, position, &namespaces, &mut declared);
                }
                _ => {}
            }
        }
        for index in 0..self.synonyms.len() {
            self.resolve_synonym(index);
        }
        for &(id, decl) in &declared.datatypes {
            self.resolve_fields(id, decl);
        }
        self.check_datatypes_have_values();
        for (position, decl) in program.decls.iter().enumerate() {
            self.declare_value(decl, position, &namespaces, &mut declared);
        }
        declared
    }

    fn claim_names(&mut self, program: &ast::Program) -> Namespaces {
        let mut spaces = Namespaces {
            types: Namespace::new("type"),
            functions: Namespace::new("function"),
            vars: Namespace::new("variable"),
            procedures: Namespace::new("procedure"),
        };
        for (position, decl) in program.decls.iter().enumerate() {
            let mut clashes = Vec::new();
            match decl {
                ast::Decl::Type(decl) => {
                    let is_extern = is_marked(&decl.attributes, "extern");
                    clashes.push(spaces.types.claim(&decl.name, (position, 0), is_extern));
                }
                ast::Decl::Datatype(decl) => {
                    let is_extern = is_marked(&decl.attributes, "extern");
                    clashes.push(spaces.types.claim(&decl.name, (position, 0), is_extern));
                    for (part, constructor) in decl.constructors.iter().enumerate() {
                        clashes.push(
                            spaces
                                .functions
                                .claim(&constructor.name, (position, part), is_extern),
                        );
                    }
                }
                ast::Decl::Const(decl) => {
                    let is_extern = is_marked(&decl.attributes, "extern");
                    for (part, name) in decl.names.iter().enumerate() {
                        clashes.push(spaces.vars.claim(name, (position, part), is_extern));
                    }
                }
                ast::Decl::Var(decl) => {
                    let is_extern = is_marked(&decl.attributes, "extern");
                    for (part, var) in decl.vars.iter().enumerate() {
                        clashes.push(spaces.vars.claim(&var.name, (position, part), is_extern));
                    }
                }
                ast::Decl::Function(decl) => {
                    let is_extern = is_marked(&decl.attributes, "extern");
                    clashes.push(spaces.functions.claim(&decl.name, (position, 0), is_extern));
                }
                ast::Decl::Procedure(decl) => {
                    let is_extern = is_marked(&decl.attributes, "extern");
                    clashes.push(spaces.procedures.claim(&decl.name, (position, 0), is_extern));
                }
                ast::Decl::Axiom(_) | ast::Decl::Implementation(_) => {}
            }
            for clash in clashes.into_iter().flatten() {
                self.report(clash);
            }
        }
        spaces
    }

    fn declare_type(&mut self, decl: &'a ast::TypeDecl, declared: &mut Declared<'a>) {
        if is_bv_name(&decl.name.name) {
            self.reserved_type_name(&decl.name);
            return;
        }
        let type_name = if decl.synonym.is_some() {
            // The parameters are checked when all types are known; here only their ids are made.
            let params = decl
                .params
                .iter()
                .map(|param| self.infer.names.push(param.name.clone()))
                .collect();
            self.synonyms.push(Synonym {
                decl,
                params,
                definition: Definition::Unresolved,
            });
            TypeName::Synonym(self.synonyms.len() - 1)
        } else {
            let id = self.program.type_cons.push(TypeCon {
                name: decl.name.name.clone(),
                arity: decl.params.len(),
                attributes: Attributes::default(),
                span: decl.name.span,
            });
            declared.type_cons.push((id, decl));
            TypeName::Con(id)
        };
        self.types.insert(decl.name.name.clone(), type_name);
    }

    fn declare_datatype(
        &mut self,
        decl: &'a ast::DatatypeDecl,
        position: usize,
        namespaces: &Namespaces,
        declared: &mut Declared<'a>,
    ) {
        if is_bv_name(&decl.name.name) {
            self.reserved_type_name(&decl.name);
            return;
        }
        let params = decl
            .params
            .iter()
            .map(|param| self.infer.names.push(param.name.clone()))
            .collect();
        let id = self.program.datatypes.push(Datatype {
            name: decl.name.name.clone(),
            params,
            constructors: Vec::new(),
            attributes: Attributes::default(),
            span: decl.name.span,
        });
        for (part, constructor) in decl.constructors.iter().enumerate() {
            if namespaces.functions.keeps(position, part) {
                let constructor_ref = ConstructorRef {
                    datatype: id,
                    constructor: part as u32,
                };
                self.functions.insert(
                    constructor.name.name.clone(),
                    Callable::Constructor(constructor_ref),
                );
            }
        }
        self.types.insert(decl.name.name.clone(), TypeName::Datatype(id));
        declared.datatypes.push((id, decl));
    }

    fn resolve_fields(&mut self, id: DatatypeId, decl: &ast::DatatypeDecl) {
        let outer = self.type_binders.len();
        for (name, param) in decl.params.iter().zip(self.program.datatypes[id].params.clone()) {
            self.check_type_param(name);
            self.rebind_type_params(&[param]);
        }
        for (part, constructor) in decl.constructors.iter().enumerate() {
            self.check_distinct("field", constructor.fields.iter().map(|field| &field.name));
            let constructor_ref = ConstructorRef {
                datatype: id,
                constructor: part as u32,
            };
            let mut fields = Vec::with_capacity(constructor.fields.len());
            for (index, field) in constructor.fields.iter().enumerate() {
                let ty = self.resolve_type(&field.ty);
                let places = self.fields.entry((id, field.name.name.clone())).or_default();
                places.push((constructor_ref, index as u32));
                if let [(first, first_index), _, ..] = places[..] {
                    let other = &self.program.datatypes[id]
                        .constructors
                        .get(first.constructor as usize);
                    let other_ty = other.map(|other| other.fields[first_index as usize].ty.clone());
                    if other_ty
                        .is_some_and(|other| other != ty && !types::is_error(&other) && !types::is_error(&ty))
                    {
                        let first_constructor = &decl.constructors[first.constructor as usize];
                        self.report(
                            Diagnostic::error(
                                "field-type-mismatch",
                                field.name.span,
                                format!(
                                    "the field `{}` has another type in the constructor `{}`",
                                    field.name.name, first_constructor.name.name
                                ),
                            )
                            .related(
                                first_constructor.fields[first_index as usize].name.span,
                                "the other field",
                            ),
                        );
                    }
                }
                fields.push(Field {
                    name: field.name.name.clone(),
                    ty,
                });
            }
            self.program.datatypes[id].constructors.push(Constructor {
                name: constructor.name.name.clone(),
                fields,
            });
        }
        self.type_binders.truncate(outer);
    }

    fn declare_value(
        &mut self,
        decl: &'a ast::Decl,
        position: usize,
        namespaces: &Namespaces,
        declared: &mut Declared<'a>,
    ) {
        match decl {
            ast::Decl::Const(decl) => {
                let ty = self.resolve_type(&decl.ty);
                let mut last_constant = None;
                for (part, name) in decl.names.iter().enumerate() {
                    if !namespaces.vars.keeps(position, part) {
                        continue;
                    }
                    let id = self.new_var(name, ty.clone(), VarKind::Const { unique: decl.unique });
                    last_constant = Some(id);
                    self.program.constants.push(id);
                    // Clashes were found when the names were claimed.
                    let _ = self.scope.declare(&name.name, id);
                    declared.vars.push(DeclaredVar {
                        id,
                        attributes: [&decl.attributes, &[]],
                        where_clause: None,
                    });
                }
                let user = last_constant.map(AxiomUser::Const);
                declared
                    .axioms
                    .extend(decl.uses.iter().map(|axiom| (axiom, user)));
            }
            ast::Decl::Var(decl) => {
                for (part, var) in decl.vars.iter().enumerate() {
                    if !namespaces.vars.keeps(position, part) {
                        continue;
                    }
                    let ty = self.resolve_type(&var.ty);
                    let id = self.new_var(&var.name, ty, VarKind::Global);
                    self.program.globals.push(id);
                    let _ = self.scope.declare(&var.name.name, id);
                    declared.vars.push(DeclaredVar {
                        id,
                        attributes: [&decl.attributes, &var.attributes],
                        where_clause: var.where_clause.as_ref(),
                    });
                }
            }
            ast::Decl::Function(decl) => {
                if namespaces.functions.keeps(position, 0) {
                    let id = self.declare_function(decl);
                    declared.functions.push((id, decl));
                    let user = Some(AxiomUser::Function(id));
                    declared
                        .axioms
                        .extend(decl.uses.iter().map(|axiom| (axiom, user)));
                }
            }
            ast::Decl::Axiom(decl) => {
                if !is_marked(&decl.attributes, "ignore") {
                    declared.axioms.push((decl, None));
                }
            }
            ast::Decl::Procedure(decl) => {
                if namespaces.procedures.keeps(position, 0) {
                    let id = self.declare_procedure(decl);
                    declared.procedures.push((id, decl));
                    if let Some(body) = &decl.body {
                        declared
                            .implementations
                            .push(ImplementationSource::InPlace(id, decl, body));
                    }
                }
            }
            ast::Decl::Implementation(decl) => {
                if !is_marked(&decl.attributes, "ignore") {
                    declared.implementations.push(ImplementationSource::Apart(decl));
                }
            }
            ast::Decl::Type(_) | ast::Decl::Datatype(_) => {}
        }
    }

    fn declare_function(&mut self, decl: &ast::FunctionDecl) -> FunctionId {
        let outer = self.type_binders.len();
        let type_params = self.bind_type_params(&decl.type_params);
        let params: Vec<VarId> = decl
            .params
            .iter()
            .enumerate()
            .map(|(index, param)| {
                let ty = self.resolve_type(&param.ty);
                match &param.name {
                    Some(name) => self.new_var(name, ty, VarKind::Bound),
                    None => {
                        let name = ast::Ident {
                            name: Arc::from(format!("_{index}")),
                            span: param.ty.span,
                        };
                        self.new_var(&name, ty, VarKind::Bound)
                    }
                }
            })
            .collect();
        let result = self.resolve_type(&decl.result.ty);
        self.type_binders.truncate(outer);
        self.check_distinct(
            "parameter",
            decl.params
                .iter()
                .chain([&decl.result])
                .filter_map(|param| param.name.as_ref()),
        );
        let mut signature: Vec<Type> = params
            .iter()
            .map(|&param| self.program.vars[param].ty.clone())
            .collect();
        signature.push(result.clone());
        self.demand_occurrence(
            &type_params,
            signature.iter(),
            decl.name.span,
            "the signature of the function",
        );
        let type_params = types::sort_params(&type_params, signature.iter());
        let id = self.program.functions.push(Function {
            name: decl.name.name.clone(),
            type_params,
            params,
            result,
            body: None,
            revealed: decl.revealed,
            attributes: Attributes::default(),
            span: decl.name.span,
        });
        self.functions
            .insert(decl.name.name.clone(), Callable::Function(id));
        id
    }

    fn declare_procedure(&mut self, decl: &ast::ProcedureDecl) -> ProcedureId {
        let signature = self.resolve_signature(&decl.signature, decl.name.span, "the procedure's parameters");
        let id = self.program.procedures.push(Procedure {
            name: decl.name.name.clone(),
            type_params: signature.type_params,
            ins: signature.ins,
            outs: signature.outs,
            requires: Vec::new(),
            ensures: Vec::new(),
            measure: None,
            modifies: Vec::new(),
            attributes: Attributes::default(),
            span: decl.name.span,
        });
        self.procedures.insert(decl.name.name.clone(), id);
        if decl.pure {
            self.pure_procedures.insert(id);
        }
        id
    }

    pub(super) fn new_var(&mut self, name: &ast::Ident, ty: Type, kind: VarKind) -> VarId {
        self.program.vars.push(Var {
            name: name.name.clone(),
            ty,
            kind,
            where_clause: None,
            attributes: Attributes::default(),
            span: name.span,
        })
    }

    /// Reports names that occur twice in one list.
    pub(super) fn check_distinct<'n>(&mut self, what: &str, names: impl IntoIterator<Item = &'n ast::Ident>) {
        let mut seen: FxHashMap<&'n str, Span> = FxHashMap::default();
        for name in names {
            match seen.get(&*name.name) {
                Some(&first) => self.report(duplicate(what, name, first)),
                None => {
                    seen.insert(&name.name, name.span);
                }
            }
        }
    }
}
