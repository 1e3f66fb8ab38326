//! All translation units on their way to one program: symbols and linking.
//!
//! Invariants: a name with external linkage is one function or global of the program, whatever unit mentions it; one with
//! internal linkage is known by its declaration. Declarations that are never used are not translated, unless a user's file defines them.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;

use clang_sys::*;
use cranelift_entity::PrimaryMap;
use lariat_base::{Diagnostic, Diagnostics, SourceId, SourceMap, Span};
use lariat_c_program::{
    CProgram, Function, FunctionId, Global, GlobalId, Linkage, Machine, Purpose, Type, TypeId,
};
use rustc_hash::FxHashMap;

use crate::body::Body;
use crate::clang::{Cursor, FileKey, Unit};
use crate::library::Library;
use crate::linkage::{LinkName, LinkTable, Target};
use crate::types::TypeTable;

/// How a symbol is known: by name if it is external, by its first declaration if it is not.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Symbol {
    Name(Arc<str>),
    Declaration(usize),
}

/// A declaration of a symbol in a unit.
#[derive(Clone, Copy)]
pub struct Declared<'u> {
    cursor: Cursor<'u>,
    purpose: Purpose,
}

/// What is still to be translated.
enum Work<'u> {
    Function(FunctionId, Cursor<'u>),
    Global(GlobalId, Cursor<'u>),
}

pub struct Session<'u, 's> {
    pub program: CProgram,
    pub sources: &'s mut SourceMap,
    pub diagnostics: &'s mut Diagnostics,
    pub types: TypeTable,
    /// The function that is being translated.
    pub body: Option<Body<'u>>,
    /// Of the unit that is being translated.
    pub purpose: Purpose,
    /// A compound literal in the initialiser of a static object is static too.
    pub in_static_initializer: bool,
    pub files: FxHashMap<FileKey, SourceId>,
    pub paths: FxHashMap<PathBuf, SourceId>,
    pub units: Vec<(&'u Unit<'u>, Purpose, SourceId)>,
    functions: FxHashMap<Symbol, FunctionId>,
    globals: FxHashMap<Symbol, GlobalId>,
    /// The same by declaration, for those that were met.
    met_functions: FxHashMap<usize, FunctionId>,
    met_globals: FxHashMap<usize, GlobalId>,
    /// All declarations of functions with a body and of file-scope variables, user's before models'.
    function_definitions: FxHashMap<Symbol, Vec<Declared<'u>>>,
    variables: FxHashMap<Symbol, Vec<Declared<'u>>>,
    work: VecDeque<(Work<'u>, Purpose)>,
    pub linkage: LinkTable<'u>,
    /// Models that nothing has asked for yet.
    pub library: Library<'u>,
    /// Which other models a function of a name needs.
    needs: fn(&str) -> Vec<String>,
    /// For names of string literals and compound literals.
    hidden_globals: u32,
}

impl<'u, 's> Session<'u, 's> {
    pub fn new(
        machine: Machine,
        needs: fn(&str) -> Vec<String>,
        library: Library<'u>,
        sources: &'s mut SourceMap,
        diagnostics: &'s mut Diagnostics,
    ) -> Self {
        Session {
            program: CProgram::new(machine),
            sources,
            diagnostics,
            types: TypeTable::default(),
            body: None,
            purpose: Purpose::User,
            in_static_initializer: false,
            files: FxHashMap::default(),
            paths: FxHashMap::default(),
            units: Vec::new(),
            functions: FxHashMap::default(),
            globals: FxHashMap::default(),
            met_functions: FxHashMap::default(),
            met_globals: FxHashMap::default(),
            function_definitions: FxHashMap::default(),
            variables: FxHashMap::default(),
            work: VecDeque::new(),
            linkage: LinkTable::default(),
            library,
            needs,
            hidden_globals: 0,
        }
    }

    /// Says which source a path is, before clang mentions it.
    pub fn know_file(&mut self, path: PathBuf, source: SourceId) {
        self.paths.insert(path, source);
    }

    pub fn add_unit(&mut self, unit: &'u Unit<'u>, purpose: Purpose, main: SourceId) {
        self.units.push((unit, purpose, main));
    }

    /// Translates and links all units that were added.
    pub fn link(&mut self) {
        self.read_linkage();
        let mut roots = Vec::new();
        for (unit, purpose, _) in self.units.clone() {
            roots.extend(self.index_unit(unit, purpose));
        }
        self.check_duplicates();
        for Declared { cursor, purpose } in roots {
            self.purpose = purpose;
            match cursor.kind() {
                CXCursor_FunctionDecl => {
                    self.function(cursor);
                }
                _ => {
                    self.global(cursor);
                }
            }
        }
        while let Some((work, purpose)) = self.work.pop_front() {
            self.purpose = purpose;
            match work {
                Work::Function(id, cursor) if self.check_depth(cursor) => self.translate_function(id, cursor),
                Work::Global(id, cursor) if self.check_depth(cursor) => self.translate_global(id, cursor),
                _ => {}
            }
        }
    }

    fn symbol(&self, cursor: Cursor<'u>) -> Symbol {
        match self.link_name(cursor) {
            LinkName::Global(name) => Symbol::Name(name),
            LinkName::Declaration(key) => Symbol::Declaration(key),
        }
    }

    /// Notes what a unit defines; returns what is translated whether or not anything uses it.
    pub fn index_unit(&mut self, unit: &'u Unit<'u>, purpose: Purpose) -> Vec<Declared<'u>> {
        let mut roots = Vec::new();
        for cursor in unit.root().children() {
            let declared = Declared { cursor, purpose };
            match cursor.kind() {
                CXCursor_FunctionDecl if cursor.is_definition() => {
                    let list = self.function_definitions.entry(self.symbol(cursor));
                    list.or_default().push(declared);
                }
                CXCursor_VarDecl => {
                    let list = self.variables.entry(self.symbol(cursor));
                    list.or_default().push(declared);
                    if !is_variable_definition(cursor) {
                        continue;
                    }
                }
                _ => continue,
            }
            if purpose == Purpose::User && !cursor.is_in_system_header() {
                roots.push(declared);
            }
        }
        roots
    }

    fn check_duplicates(&mut self) {
        let mut duplicates: Vec<(Cursor<'u>, Cursor<'u>)> = Vec::new();
        let strong = |declared: &&Declared<'u>| {
            declared.purpose == Purpose::User
                && !declared.cursor.is_inline()
                && !self.is_weak(declared.cursor)
        };
        for (symbol, list) in &self.function_definitions {
            if matches!(symbol, Symbol::Name(_)) && list.len() > 1 {
                let mut strong = list.iter().filter(strong);
                if let (Some(first), Some(second)) = (strong.next(), strong.next()) {
                    duplicates.push((first.cursor, second.cursor));
                }
            }
        }
        for (symbol, list) in &self.variables {
            if matches!(symbol, Symbol::Name(_)) && list.len() > 1 {
                let mut strong = list
                    .iter()
                    .filter(strong)
                    .filter(|declared| declared.cursor.initializer().is_some());
                if let (Some(first), Some(second)) = (strong.next(), strong.next()) {
                    duplicates.push((first.cursor, second.cursor));
                }
            }
        }
        let mut messages: Vec<Diagnostic> = duplicates
            .into_iter()
            .map(|(first, second)| {
                let (first_span, second_span) = (self.name_span(first), self.name_span(second));
                let name = first.spelling();
                Diagnostic::error("duplicate-definition", second_span, format!("`{name}` is defined twice"))
                    .related(first_span, "first defined here")
                    .hint("the files are linked to one program: leave one of them out, or make one definition `static`")
            })
            .collect();
        messages.sort_by_key(|message| message.span);
        messages
            .into_iter()
            .for_each(|message| self.diagnostics.push(message));
    }

    /// The function that a declaration declares.
    pub fn function(&mut self, cursor: Cursor<'u>) -> FunctionId {
        let key = cursor.declaration_key();
        if let Some(&id) = self.met_functions.get(&key) {
            return id;
        }
        let id = self.find_function(cursor);
        self.met_functions.insert(key, id);
        id
    }

    fn find_function(&mut self, cursor: Cursor<'u>) -> FunctionId {
        let symbol = self.symbol(cursor);
        let noreturn = is_noreturn(cursor);
        if let Some(&id) = self.functions.get(&symbol) {
            if self.program.functions[id].body.is_none() {
                self.refine_function(id, cursor);
            }
            self.program.functions[id].noreturn |= noreturn;
            return id;
        }
        let definition = self.choose_definition(&symbol);
        let mut refusal = None;
        if let Symbol::Name(name) = &symbol {
            let is_strong =
                |declared: Declared<'u>| declared.purpose == Purpose::User && !self.is_weak(declared.cursor);
            match self.link_target(name, definition.is_some_and(is_strong)) {
                Some(Target::Alias(target)) if target.kind() == CXCursor_FunctionDecl => {
                    let id = self.function(target);
                    self.functions.insert(symbol, id);
                    return id;
                }
                Some(Target::Alias(_)) => refusal = Some(format!("`{name}` is an alias of an object")),
                Some(Target::Refused(reason)) => refusal = Some(reason),
                None => {}
            }
        }
        if let Some(definition) = definition
            && self.is_in_compiler_header(definition.cursor)
        {
            let name = definition.cursor.spelling();
            refusal = Some(format!("`{name}` of the compiler's headers is not modelled"));
        }
        let definition = definition.filter(|_| refusal.is_none());
        let best = definition.map_or(cursor, |definition| definition.cursor);
        let purpose = definition.map_or(self.purpose, |definition| definition.purpose);
        let ty = self.function_type(best);
        let span = self.name_span(best);
        // What is defined elsewhere is known by the linker's name.
        let name: Arc<str> = match &symbol {
            Symbol::Name(name) if definition.is_none() => name.clone(),
            _ => best.spelling().as_str().into(),
        };
        let id = self.program.functions.push(Function {
            name: name.clone(),
            ty,
            linkage: match symbol {
                Symbol::Name(_) => Linkage::External,
                Symbol::Declaration(_) => Linkage::Internal,
            },
            params: Vec::new(),
            locals: PrimaryMap::new(),
            labels: PrimaryMap::new(),
            body: refusal.map(|reason| self.refused_body(&reason, span)),
            noreturn: noreturn || is_noreturn(best),
            is_library: best.is_in_system_header() || best.location().is_none(),
            constructor: definition.and_then(|definition| self.constructor_priority(definition.cursor)),
            destructor: definition.and_then(|definition| self.destructor_priority(definition.cursor)),
            purpose,
            span,
            end: None,
        });
        self.functions.insert(symbol, id);
        if let Some(definition) = definition {
            self.note_weak_definition(definition.cursor, definition.purpose);
            self.work
                .push_back((Work::Function(id, definition.cursor), definition.purpose));
        }
        let needed = match self.library.may_model(&name) {
            true => (self.needs)(&name),
            false => Vec::new(),
        };
        for name in needed {
            if let Some(needed) = self.choose_definition(&Symbol::Name(name.as_str().into())) {
                self.function(needed.cursor);
            }
        }
        id
    }

    /// A user's definition wins over a model's, an ordinary one over a weak or inline one, the first over later ones. Only what
    /// GNU's `extern inline` has defined can be defined again in the same file, and then the later one is meant.
    fn choose_definition(&mut self, symbol: &Symbol) -> Option<Declared<'u>> {
        let may_model = match symbol {
            Symbol::Name(name) => self.library.may_model(name),
            Symbol::Declaration(_) => true,
        };
        if let Symbol::Name(name) = symbol
            && may_model
            && !self.function_definitions.contains_key(symbol)
        {
            self.read_library(name);
        }
        let list = self.function_definitions.get(symbol)?;
        let rank = |declared: &&Declared<'u>| {
            (
                declared.purpose,
                self.is_weak(declared.cursor),
                declared.cursor.is_inline(),
            )
        };
        let again = |new: Cursor<'u>, old: Cursor<'u>| {
            new.canonical().declaration_key() == old.canonical().declaration_key()
        };
        let better = |old: &'_ Declared<'u>, new: &'_ Declared<'u>| {
            rank(&new) < rank(&old) || rank(&new) == rank(&old) && again(new.cursor, old.cursor)
        };
        list.iter()
            .copied()
            .filter(|declared| may_model || declared.purpose == Purpose::User)
            .reduce(|best, next| if better(&best, &next) { next } else { best })
    }

    /// Whether there is a body, or will be.
    pub fn is_function_defined(&self, id: FunctionId) -> bool {
        let waiting =
            |(work, _): &(Work<'u>, Purpose)| matches!(work, Work::Function(other, _) if *other == id);
        self.program.functions[id].body.is_some() || self.work.iter().any(waiting)
    }

    /// A later declaration may have the parameters that an earlier one lacks.
    fn refine_function(&mut self, id: FunctionId, cursor: Cursor<'u>) {
        let known = self.program.functions[id].ty;
        if matches!(self.program.types.get(known), Type::Function(function) if !function.prototyped) {
            self.program.functions[id].ty = self.function_type(cursor);
        }
    }

    fn function_type(&mut self, cursor: Cursor<'u>) -> TypeId {
        let ty = self.type_of(cursor);
        if matches!(self.program.types.get(ty), Type::Function(_)) {
            return ty;
        }
        // Builtins of strange types, and functions that are declared by `typeof`.
        let result = self.int_type();
        self.program
            .types
            .intern(Type::Function(lariat_c_program::FunctionType {
                result,
                params: Vec::new(),
                variadic: false,
                prototyped: false,
            }))
    }

    /// The global that a declaration of a variable with static storage declares.
    pub fn global(&mut self, cursor: Cursor<'u>) -> GlobalId {
        let key = cursor.declaration_key();
        if let Some(&id) = self.met_globals.get(&key) {
            return id;
        }
        let id = self.find_global(cursor);
        self.met_globals.insert(key, id);
        id
    }

    fn find_global(&mut self, cursor: Cursor<'u>) -> GlobalId {
        let symbol = self.symbol(cursor);
        if let Some(&id) = self.globals.get(&symbol) {
            return id;
        }
        let is_defined = |declarations: &Vec<Declared<'u>>| {
            declarations
                .iter()
                .any(|declared| is_variable_definition(declared.cursor))
        };
        if let Symbol::Name(name) = &symbol
            && !self.variables.get(&symbol).is_some_and(is_defined)
        {
            self.read_library(name);
        }
        let declarations = self.variables.get(&symbol).cloned().unwrap_or_default();
        if let Symbol::Name(name) = &symbol {
            let is_strong = |declared: &Declared<'u>| {
                is_variable_definition(declared.cursor)
                    && declared.purpose == Purpose::User
                    && !self.is_weak(declared.cursor)
            };
            let has_strong = declarations.iter().any(is_strong);
            if let Some(Target::Alias(target)) = self.link_target(name, has_strong)
                && target.kind() == CXCursor_VarDecl
            {
                let id = self.global(target);
                self.globals.insert(symbol, id);
                return id;
            }
        }
        let definitions: Vec<Declared<'u>> = declarations
            .iter()
            .filter(|declared| is_variable_definition(declared.cursor))
            .copied()
            .collect();
        // A user's definition wins over a model's, an ordinary one over a weak one, one with a value over one without.
        let definition = definitions
            .iter()
            .min_by_key(|declared| {
                (
                    declared.purpose,
                    self.is_weak(declared.cursor),
                    declared.cursor.initializer().is_none(),
                )
            })
            .copied();
        let best = definition.map_or(cursor, |definition| definition.cursor);
        let mut ty = self.type_of(best);
        // Another declaration may know the length of an array.
        for declared in &declarations {
            if self.program.types.size(ty).is_none() {
                let other = self.type_of(declared.cursor);
                if self.program.types.size(other).is_some() {
                    ty = other;
                }
            }
        }
        // A tentative definition of an array without length has one element.
        if let (
            Some(_),
            &Type::Array {
                element,
                length: None,
            },
        ) = (definition, self.program.types.get(ty))
        {
            ty = self.program.types.intern(Type::Array {
                element,
                length: Some(1),
            });
        }
        let span = self.name_span(best);
        let id = self.program.globals.push(Global {
            name: cursor.spelling().as_str().into(),
            ty,
            linkage: match symbol {
                Symbol::Name(_) => Linkage::External,
                Symbol::Declaration(_) => Linkage::Internal,
            },
            defined: definition.is_some(),
            init: None,
            is_string: false,
            is_const: is_const(best),
            is_thread_local: best.is_thread_local(),
            purpose: definition.map_or(self.purpose, |definition| definition.purpose),
            function: None,
            span,
        });
        self.globals.insert(symbol, id);
        if let Some(definition) = definition {
            self.note_weak_definition(definition.cursor, definition.purpose);
        }
        if let Some(definition) = definition.filter(|definition| definition.cursor.initializer().is_some()) {
            self.work
                .push_back((Work::Global(id, definition.cursor), definition.purpose));
        }
        id
    }

    /// A `static` variable of the function that is being translated.
    pub fn static_local(&mut self, cursor: Cursor<'u>) -> GlobalId {
        let ty = self.type_of(cursor);
        let span = self.name_span(cursor);
        let id = self.program.globals.push(Global {
            name: cursor.spelling().as_str().into(),
            ty,
            linkage: Linkage::Internal,
            defined: true,
            init: None,
            is_string: false,
            is_const: is_const(cursor),
            is_thread_local: cursor.is_thread_local(),
            purpose: self.purpose,
            function: self.body.as_ref().map(|body| body.function),
            span,
        });
        // Its initialiser may mention it.
        self.met_globals.insert(cursor.declaration_key(), id);
        self.translate_global(id, cursor);
        id
    }

    fn translate_global(&mut self, id: GlobalId, cursor: Cursor<'u>) {
        if let Some(value) = cursor.initializer() {
            let ty = self.program.globals[id].ty;
            let init = self.static_initializer(ty, value);
            self.program.globals[id].init = Some(init);
        }
    }

    /// A global without a name in the source: a string or compound literal.
    pub fn hidden_global(&mut self, kind: &str, ty: TypeId, is_const: bool, span: Span) -> GlobalId {
        let name = format!("<{kind} {}>", self.hidden_globals);
        self.hidden_globals += 1;
        self.program.globals.push(Global {
            name: name.as_str().into(),
            ty,
            linkage: Linkage::Internal,
            defined: true,
            init: None,
            is_string: false,
            is_const,
            is_thread_local: false,
            purpose: self.purpose,
            function: self.body.as_ref().map(|body| body.function),
            span,
        })
    }
}

pub fn is_variable_definition(cursor: Cursor<'_>) -> bool {
    cursor.storage() != CX_SC_Extern || cursor.initializer().is_some()
}

/// Is the object itself `const` (or its elements, for an array)?
pub fn is_const(cursor: Cursor<'_>) -> bool {
    let mut ty = cursor.ty();
    while let Some(now) = ty {
        if now.is_const() || now.canonical().is_const() {
            return true;
        }
        ty = now.canonical().array_element();
    }
    false
}

pub fn has_attribute(cursor: Cursor<'_>, names: &[&str]) -> bool {
    cursor
        .children()
        .into_iter()
        .filter(|child| child.is_attribute())
        .any(|attribute| names.contains(&attribute.first_token().as_str()))
}

fn is_noreturn(cursor: Cursor<'_>) -> bool {
    cursor
        .ty()
        .is_some_and(|ty| ty.canonical().spelling().contains("noreturn"))
        || has_attribute(cursor, &["_Noreturn", "noreturn", "__noreturn__"])
}
