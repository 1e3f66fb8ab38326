//! What a program declares, as far as rules ask for it.

use std::sync::Arc;

use lariat_boogie::ast::{
    Attribute, AttributeParam, Decl, LocalDecl, ProcedureDecl, Program, Spec, Type, TypedIdent, VarDecl,
};
use lariat_boogie::printer::print_type;
use rustc_hash::{FxHashMap, FxHashSet};

pub type Name = Arc<str>;

/// Attributes by their names, with the first text of each.
pub type Marks = FxHashMap<Name, Option<Arc<str>>>;

pub fn marks<'a>(attributes: impl IntoIterator<Item = &'a Attribute>) -> Marks {
    let first = |attribute: &Attribute| match attribute.params.first() {
        Some(AttributeParam::String(text, _)) => Some(text.clone()),
        _ => None,
    };
    attributes
        .into_iter()
        .map(|attribute| (attribute.name.name.clone(), first(attribute)))
        .collect()
}

/// A parameter or result.
#[derive(Clone, Debug)]
pub struct Formal {
    pub name: Name,
    pub ty: Type,
    pub marks: Marks,
}

impl Formal {
    pub fn type_text(&self) -> String {
        print_type(&self.ty)
    }
}

#[derive(Clone, Debug, Default)]
pub struct Procedure {
    pub marks: Marks,
    pub ins: Vec<Formal>,
    pub outs: Vec<Formal>,
    pub modifies: Vec<Name>,
    pub has_body: bool,
}

/// The declarations of a program.
#[derive(Debug, Default)]
pub struct Declared {
    /// Globals, constants and functions: their attributes.
    pub marks: FxHashMap<Name, Marks>,
    pub procedures: FxHashMap<Name, Procedure>,
    pub functions: FxHashSet<Name>,
    /// The type of the null pointer.
    pub null: Option<(Name, Type)>,
}

fn formals(formals: &[TypedIdent]) -> Vec<Formal> {
    let formal = |formal: &TypedIdent| Formal {
        name: formal.name.name.clone(),
        ty: formal.ty.clone(),
        marks: marks(&formal.attributes),
    };
    formals.iter().map(formal).collect()
}

/// A procedure as it is declared.
pub fn procedure(decl: &ProcedureDecl) -> Procedure {
    let modifies = decl.specs.iter().flat_map(|spec| match spec {
        Spec::Modifies { names, .. } => names.as_slice(),
        _ => &[],
    });
    Procedure {
        marks: marks(&decl.attributes),
        ins: formals(&decl.signature.ins),
        outs: formals(&decl.signature.outs),
        modifies: modifies.map(|ident| ident.name.clone()).collect(),
        has_body: decl.body.is_some(),
    }
}

/// Attributes of variables: those of the declaration are those of each.
pub fn variables<'a>(
    attributes: &'a [Attribute],
    vars: &'a [TypedIdent],
) -> impl Iterator<Item = (Name, Marks)> + 'a {
    vars.iter().map(|var| {
        let all = attributes.iter().chain(&var.attributes);
        (var.name.name.clone(), marks(all))
    })
}

pub fn locals(decl: &LocalDecl) -> impl Iterator<Item = (Name, Marks)> + '_ {
    variables(&decl.attributes, &decl.vars)
}

pub fn globals(decl: &VarDecl) -> impl Iterator<Item = (Name, Marks)> + '_ {
    variables(&decl.attributes, &decl.vars)
}

impl Declared {
    pub fn of(program: &Program) -> Declared {
        let mut declared = Declared::default();
        for decl in &program.decls {
            declared.note(decl);
        }
        for decl in &program.decls {
            if let Decl::Implementation(implementation) = decl
                && let Some(procedure) = declared.procedures.get_mut(&implementation.name.name)
            {
                procedure.has_body = true;
                procedure.marks.extend(marks(&implementation.attributes));
            }
        }
        declared
    }

    fn note(&mut self, decl: &Decl) {
        match decl {
            Decl::Var(decl) => self.marks.extend(globals(decl)),
            Decl::Const(decl) => {
                for name in &decl.names {
                    self.marks.insert(name.name.clone(), marks(&decl.attributes));
                    let is_null = matches!(&*name.name, "NULL" | "null");
                    if is_null && self.null.as_ref().is_none_or(|(known, _)| &**known != "NULL") {
                        self.null = Some((name.name.clone(), decl.ty.clone()));
                    }
                }
            }
            Decl::Function(decl) => {
                self.functions.insert(decl.name.name.clone());
                self.marks.insert(decl.name.name.clone(), marks(&decl.attributes));
            }
            Decl::Procedure(decl) => {
                self.procedures.insert(decl.name.name.clone(), procedure(decl));
            }
            _ => {}
        }
    }
}
