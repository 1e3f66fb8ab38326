//! What declarations tell the linker: other names of a symbol, weak symbols, functions that run before and after `main`.
//!
//! An alias is the function or object that it names. A weak definition gives way to an ordinary one of another file. A weak
//! symbol without a definition is absent unless the C library has it: its address is null. What cannot be
//! modelled (`ifunc`, symbols that assembly at file scope mentions) is unsupported where it is used.

use std::sync::Arc;

use clang_sys::*;
use lariat_base::Span;
use lariat_c_program::{
    Expr, ExprKind, FunctionId, Global, GlobalId, Linkage, Place, PlaceKind, Purpose, Stmt, StmtKind, TypeId,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::clang::{Cursor, Unit};
use crate::flags::is_compiler_header;
use crate::node::Node;
use crate::session::Session;

/// The priority of a constructor that gives none: it runs after those that do.
const LAST_PRIORITY: u32 = 65_535;

/// The attributes of one declaration that the linker sees.
#[derive(Clone, Debug, Default)]
pub struct LinkAttributes {
    pub weak: bool,
    pub alias: Option<String>,
    pub weakref: Option<String>,
    pub ifunc: bool,
    /// From `asm("name")`.
    pub label: Option<String>,
    pub constructor: Option<u32>,
    pub destructor: Option<u32>,
    /// It is put into a section whose entries run before or after `main`.
    pub runs_from_section: bool,
}

/// What is known of the symbols of all units.
#[derive(Default)]
pub struct LinkTable<'u> {
    /// By declaration, as clang numbers them, for those that say anything.
    attributes: FxHashMap<usize, LinkAttributes>,
    /// The symbol of a label, by unit, of declarations with internal linkage.
    local_labels: FxHashMap<(usize, Arc<str>), usize>,
    /// Names that `#pragma weak` mentions.
    pragma_weak: FxHashSet<Arc<str>>,
    /// Other names of symbols, with the unit that says so.
    aliases: FxHashMap<Arc<str>, Alias<'u>>,
    ifuncs: FxHashSet<Arc<str>>,
    /// Names in assembly at file scope.
    in_assembly: FxHashSet<Arc<str>>,
    /// Whether a weak symbol without definition is there, by its name.
    presence: FxHashMap<Arc<str>, GlobalId>,
}

#[derive(Clone)]
struct Alias<'u> {
    unit: &'u Unit<'u>,
    target: Arc<str>,
    is_weak: bool,
}

/// How the linker knows a declaration.
pub enum LinkName {
    /// By this name in the whole program.
    Global(Arc<str>),
    /// By its declaration.
    Declaration(usize),
}

/// Where a declaration leads.
pub enum Target<'u> {
    /// It is what this declaration declares.
    Alias(Cursor<'u>),
    /// Nothing is known of it but this reason.
    Refused(String),
}

impl<'u> Session<'u, '_> {
    /// Reads what the declarations of all units say to the linker.
    pub fn read_linkage(&mut self) {
        for (unit, purpose, _) in self.units.clone() {
            if purpose != Purpose::User {
                continue;
            }
            for cursor in unit.root().children() {
                match cursor.kind() {
                    CXCursor_FunctionDecl | CXCursor_VarDecl if !cursor.is_in_system_header() => {
                        self.read_attributes(unit, cursor);
                    }
                    CXCursor_UnexposedDecl if !cursor.is_in_system_header() => self.read_assembly(cursor),
                    _ => {}
                }
            }
        }
        let texts: Vec<(usize, String)> = self
            .units
            .iter()
            .filter(|(_, purpose, _)| *purpose == Purpose::User)
            .enumerate()
            .map(|(index, (_, _, source))| (index, &self.sources.file(*source).text))
            .filter(|(_, text)| text.contains("ragma"))
            .map(|(index, text)| (index, text.clone()))
            .collect();
        for (index, text) in texts {
            self.read_pragmas(index, &text);
        }
    }

    pub(crate) fn read_attributes(&mut self, unit: &'u Unit<'u>, cursor: Cursor<'u>) {
        let Some(attributes) = link_attributes(cursor) else {
            return;
        };
        let key = cursor.canonical().declaration_key();
        let is_external = cursor.linkage() == CXLinkage_External;
        let spelled: Arc<str> = cursor.spelling().as_str().into();
        let name = attributes.label.as_deref().map_or(spelled, Arc::from);
        if let (Some(label), false) = (&attributes.label, is_external) {
            let label = (unit_key(unit), label.as_str().into());
            self.linkage.local_labels.insert(label, key);
        }
        if attributes.ifunc {
            self.linkage.ifuncs.insert(name.clone());
        }
        if attributes.runs_from_section {
            let span = self.name_span(cursor);
            let reason = format!("`{name}` is in a section whose functions run before or after `main`,");
            self.program.refusals.push((span, reason));
        }
        if let Some(target) = &attributes.alias
            && is_external
        {
            let alias = Alias {
                unit,
                target: target.as_str().into(),
                is_weak: attributes.weak,
            };
            self.linkage.aliases.insert(name, alias);
        }
        // A later declaration adds to an earlier one.
        let known = self.linkage.attributes.entry(key).or_default();
        known.weak |= attributes.weak;
        known.ifunc |= attributes.ifunc;
        known.alias = attributes.alias.or(known.alias.take());
        known.weakref = attributes.weakref.or(known.weakref.take());
        known.label = attributes.label.or(known.label.take());
        known.constructor = attributes.constructor.or(known.constructor);
        known.destructor = attributes.destructor.or(known.destructor);
    }

    /// Assembly at file scope can define and rename symbols: those that it mentions are not modelled.
    fn read_assembly(&mut self, cursor: Cursor<'u>) {
        let tokens = cursor.tokens();
        let Some(first) = tokens.first() else { return };
        if !matches!(first.as_str(), "asm" | "__asm__" | "__asm") {
            return;
        }
        for token in tokens.iter().filter(|token| token.starts_with('"')) {
            let text = token.replace("\\n", " ").replace("\\t", " ");
            let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
            self.linkage
                .in_assembly
                .extend(words.filter(|word| !word.is_empty()).map(Arc::from));
        }
    }

    /// `#pragma weak name` and `#pragma weak name = target`, as a directive or as `_Pragma`.
    fn read_pragmas(&mut self, unit: usize, text: &str) {
        let users = self
            .units
            .iter()
            .filter(|(_, purpose, _)| *purpose == Purpose::User);
        let Some(&(unit, _, _)) = users.collect::<Vec<_>>().get(unit).copied() else {
            return;
        };
        for line in text.lines() {
            let Some((_, rest)) = line.split_once("ragma") else {
                continue;
            };
            let rest = rest.trim_start_matches([' ', '\t', '(', '"']);
            let Some(rest) = rest.strip_prefix("weak") else {
                continue;
            };
            let rest: String = rest
                .chars()
                .take_while(|&c| c.is_alphanumeric() || matches!(c, ' ' | '\t' | '_' | '$' | '='))
                .collect();
            let mut words = rest.split(['=', ' ', '\t']).filter(|word| !word.is_empty());
            let Some(name) = words.next() else { continue };
            let name: Arc<str> = name.into();
            self.linkage.pragma_weak.insert(name.clone());
            if let (Some(target), true) = (words.next(), rest.contains('=')) {
                let target = target.into();
                let alias = Alias {
                    unit,
                    target,
                    is_weak: true,
                };
                self.linkage.aliases.insert(name, alias);
            }
        }
    }

    /// The name that the linker has for what is declared.
    pub fn link_name(&self, cursor: Cursor<'u>) -> LinkName {
        let key = cursor.canonical().declaration_key();
        let attributes = self.linkage.attributes.get(&key);
        if let Some(target) = attributes.and_then(|attributes| attributes.weakref.as_deref()) {
            return self.unit_name(cursor.unit(), target.into());
        }
        if cursor.linkage() != CXLinkage_External {
            return LinkName::Declaration(key);
        }
        let label = attributes.and_then(|attributes| attributes.label.as_deref());
        let name: Arc<str> = label.map_or_else(|| cursor.spelling().as_str().into(), Arc::from);
        self.unit_name(cursor.unit(), name)
    }

    /// What a name of the assembler is in a unit: a label of something internal hides the rest of the program.
    fn unit_name(&self, unit: &'u Unit<'u>, name: Arc<str>) -> LinkName {
        match self.linkage.local_labels.get(&(unit_key(unit), name.clone())) {
            Some(&key) => LinkName::Declaration(key),
            None => LinkName::Global(name),
        }
    }

    pub fn is_weak(&self, cursor: Cursor<'u>) -> bool {
        let attributes = self.linkage.attributes.get(&cursor.canonical().declaration_key());
        attributes.is_some_and(|attributes| attributes.weak || attributes.weakref.is_some())
            || self.linkage.pragma_weak.contains(cursor.spelling().as_str())
    }

    /// A success assumes that no other file has an ordinary definition of the same name.
    pub fn note_weak_definition(&mut self, definition: Cursor<'u>, purpose: Purpose) {
        if purpose == Purpose::User && self.is_weak(definition) {
            let name = definition.spelling().as_str().into();
            self.program.weak_definitions.push(name);
        }
    }

    /// Whether a declaration stands in a header of gcc or clang.
    pub fn is_in_compiler_header(&self, cursor: Cursor<'u>) -> bool {
        cursor.is_in_system_header()
            && cursor
                .location()
                .is_some_and(|place| is_compiler_header(&cursor.unit().file_name(place.file)))
    }

    pub fn constructor_priority(&self, cursor: Cursor<'u>) -> Option<u32> {
        let key = cursor.canonical().declaration_key();
        self.linkage.attributes.get(&key)?.constructor
    }

    pub fn destructor_priority(&self, cursor: Cursor<'u>) -> Option<u32> {
        let key = cursor.canonical().declaration_key();
        self.linkage.attributes.get(&key)?.destructor
    }

    /// Where a name leads that the program does not define by itself. `has_strong` says whether another file has an ordinary
    /// definition, which a weak alias gives way to.
    pub fn link_target(&self, name: &str, has_strong: bool) -> Option<Target<'u>> {
        if self.linkage.ifuncs.contains(name) {
            let reason = format!("`{name}` is chosen while the program starts (`ifunc`)");
            return Some(Target::Refused(reason));
        }
        if self.linkage.in_assembly.contains(name) {
            let reason = format!("assembly at file scope mentions `{name}`");
            return Some(Target::Refused(reason));
        }
        let alias = self.linkage.aliases.get(name)?;
        if alias.is_weak && has_strong {
            return None;
        }
        let target = alias.unit.root().children().into_iter().filter(|cursor| {
            matches!(cursor.kind(), CXCursor_FunctionDecl | CXCursor_VarDecl)
                && self.assembler_name(*cursor) == *alias.target
        });
        let target = target.max_by_key(|cursor| cursor.is_definition());
        Some(match target {
            Some(target) => Target::Alias(target),
            None => Target::Refused(format!("`{name}` is an alias of `{}`", alias.target)),
        })
    }

    fn assembler_name(&self, cursor: Cursor<'u>) -> String {
        let key = cursor.canonical().declaration_key();
        let attributes = self.linkage.attributes.get(&key);
        let label = attributes.and_then(|attributes| attributes.label.clone());
        label.unwrap_or_else(|| cursor.spelling())
    }

    /// A body that says why a function is not modelled.
    pub fn refused_body(&self, reason: &str, span: Span) -> Stmt {
        Stmt {
            kind: StmtKind::Unsupported(reason.to_owned()),
            span,
        }
    }

    /// The address of a weak symbol without definition: null if it is absent.
    pub fn address_if_present(&mut self, name: &str, address: Expr) -> Expr {
        let (ty, span) = (address.ty, address.span);
        let int = self.int_type();
        let presence = self.presence_of(name, int, span);
        let place = self.place_at(PlaceKind::Global(presence), int, span);
        let condition = self.expr(ExprKind::Load(Box::new(place)), int, span);
        let null = self.int(0, ty, span);
        let kind = ExprKind::Conditional {
            condition: Box::new(condition),
            then: Some(Box::new(address)),
            otherwise: Box::new(null),
        };
        self.expr(kind, ty, span)
    }

    fn presence_of(&mut self, name: &str, ty: TypeId, span: Span) -> GlobalId {
        if let Some(&known) = self.linkage.presence.get(name) {
            return known;
        }
        let id = self.program.globals.push(Global {
            name: format!("<{name} is defined>").as_str().into(),
            ty,
            linkage: Linkage::Internal,
            defined: true,
            init: None,
            is_string: false,
            is_const: true,
            is_thread_local: false,
            purpose: Purpose::User,
            function: None,
            span,
        });
        self.linkage.presence.insert(name.into(), id);
        self.program.weak_symbols.push((name.into(), id));
        id
    }

    /// A function as it is used: a weak one without definition may be absent.
    pub fn function_node(&mut self, declaration: Cursor<'u>, span: Span) -> Node {
        let function = self.function(declaration);
        if !self.may_be_absent_function(declaration, function) {
            return Node::Function(function);
        }
        let name = self.program.functions[function].name.clone();
        let address = self.value_of(Node::Function(function), span);
        Node::FunctionAt(self.address_if_present(&name, address))
    }

    fn may_be_absent_function(&self, declaration: Cursor<'u>, function: FunctionId) -> bool {
        let data = &self.program.functions[function];
        self.is_weak(declaration) && !self.is_function_defined(function) && data.purpose == Purpose::User
    }

    /// A variable with static storage as it is used.
    pub fn variable_place(&mut self, declaration: Cursor<'u>, span: Span) -> Place {
        let global = self.global(declaration);
        if let Some(reason) = self.refused_variable(declaration) {
            let ty = self.type_of(declaration);
            return self.unsupported_place(reason, ty, span);
        }
        let data = &self.program.globals[global];
        let (ty, is_defined) = (data.ty, data.defined);
        let place = self.place_at(PlaceKind::Global(global), ty, span);
        let declared = self.type_of(declaration);
        let is_absent = !is_defined && self.is_weak(declaration);
        // An alias may have another type than what it names.
        let is_other = declared != ty
            && self.program.types.size(declared).is_some()
            && self.program.types.size(ty).is_some();
        if !is_absent && !is_other {
            return place;
        }
        let target = if is_other { declared } else { ty };
        let mut address = self.address_of(place, span);
        if is_other {
            let pointer = self.program.types.pointer_to(target);
            address = self.convert(address, pointer);
        }
        if is_absent {
            let name = self.program.globals[global].name.clone();
            address = self.address_if_present(&name, address);
        }
        self.place_at(PlaceKind::Deref(Box::new(address)), target, span)
    }

    fn refused_variable(&self, declaration: Cursor<'u>) -> Option<String> {
        match self.link_name(declaration) {
            LinkName::Global(name) => match self.link_target(&name, false) {
                Some(Target::Refused(reason)) => Some(reason),
                _ => None,
            },
            LinkName::Declaration(_) => None,
        }
    }
}

fn unit_key(unit: &Unit<'_>) -> usize {
    std::ptr::from_ref(unit) as usize
}

/// What a declaration says to the linker, if anything.
fn link_attributes(cursor: Cursor<'_>) -> Option<LinkAttributes> {
    let mut found = LinkAttributes::default();
    let mut printed = None;
    let mut says_something = false;
    for attribute in cursor.children() {
        if !attribute.is_attribute() {
            continue;
        }
        if attribute.kind() == CXCursor_AsmLabelAttr {
            found.label = Some(attribute.spelling());
            says_something = true;
            continue;
        }
        let token = attribute.first_token();
        let name = token.trim_matches('_');
        // Names from pasted tokens and from `[[gnu::…]]` are only in clang's own words.
        let names: Vec<String> = match name {
            "weak" | "alias" | "weakref" | "ifunc" | "constructor" | "destructor" | "section" => {
                vec![name.to_owned()]
            }
            "" | "gnu" | "clang" => {
                let text = printed.get_or_insert_with(|| cursor.pretty());
                [
                    "weak",
                    "alias",
                    "weakref",
                    "ifunc",
                    "constructor",
                    "destructor",
                    "section",
                ]
                .into_iter()
                .filter(|name| word_at(text, name).is_some())
                .map(str::to_owned)
                .collect()
            }
            _ => continue,
        };
        for name in names {
            says_something = true;
            if name == "weak" {
                found.weak = true;
                continue;
            }
            let text = printed.get_or_insert_with(|| cursor.pretty());
            let argument = argument_of(text, &name);
            match name.as_str() {
                "alias" => found.alias = argument,
                "weakref" => {
                    found.weak = true;
                    found.weakref = argument.or_else(|| argument_of(text, "alias"));
                }
                "ifunc" => found.ifunc = true,
                "section" => {
                    let section = argument.unwrap_or_default();
                    found.runs_from_section = [".init", ".fini", ".preinit", ".ctors", ".dtors"]
                        .iter()
                        .any(|start| section.starts_with(start));
                }
                "constructor" => found.constructor = Some(priority(argument)),
                _ => found.destructor = Some(priority(argument)),
            }
        }
    }
    if found.weakref.is_some() {
        found.alias = None;
    }
    says_something.then_some(found)
}

fn priority(argument: Option<String>) -> u32 {
    argument
        .and_then(|argument| argument.parse().ok())
        .unwrap_or(LAST_PRIORITY)
}

/// Where a word stands in a text, by itself.
fn word_at(text: &str, word: &str) -> Option<usize> {
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    text.match_indices(word).map(|(at, _)| at).find(|&at| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        !before.is_some_and(is_word) && !after.is_some_and(is_word)
    })
}

/// The argument of an attribute as clang prints it: `alias("target")`, `constructor(101)`.
fn argument_of(text: &str, name: &str) -> Option<String> {
    let at = word_at(text, name)?;
    let rest = text[at + name.len()..].trim_start().strip_prefix('(')?;
    let argument = &rest[..rest.find(')')?];
    let argument = argument.trim().trim_matches('"');
    (!argument.is_empty()).then(|| argument.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_of_attributes_are_found_in_what_clang_prints() {
        let text = "extern int weak_x __attribute__((weak)) __attribute__((alias(\"x\")))";
        assert_eq!(word_at(text, "weak"), Some(33));
        assert_eq!(argument_of(text, "alias").as_deref(), Some("x"));
        assert_eq!(argument_of(text, "weak"), None);
        assert_eq!(
            priority(argument_of("__attribute__((constructor(101)))", "constructor")),
            101
        );
        assert_eq!(
            priority(argument_of("__attribute__((constructor))", "constructor")),
            LAST_PRIORITY
        );
    }
}
