//! What the linker would see of one file: the names that it defines for others, and those that each of them needs.
//!
//! Nothing is translated. A name that only the file sees has no part in the result: what it needs is needed by those who
//! use it.

use std::path::Path;

use clang_sys::*;
use lariat_base::{Diagnostics, SourceMap, Span};
use lariat_c_program::Purpose;
use rustc_hash::{FxHashMap, FxHashSet};
use sha2::{Digest, Sha256};

use crate::clang::{Cursor, Unit};
use crate::library::Library;
use crate::linkage::LinkName;
use crate::session::{Session, is_variable_definition};
use crate::{Input, Parser, ReadOptions, headers, inputs, locate};

/// What a file is to the linker.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Survey {
    /// Of the text of the file and of all headers that it reads, in hexadecimal.
    pub fingerprint: String,
    /// In the order of the text.
    pub symbols: Vec<Symbol>,
    /// What constructors and destructors need.
    pub always_needs: Vec<String>,
}

/// A function or variable with external linkage that the file defines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    pub name: String,
    pub is_function: bool,
    /// It is weak, or `inline`: another file may define it instead.
    pub is_weak: bool,
    pub span: Span,
    /// Names with external linkage, sorted.
    pub needs: Vec<String>,
}

/// How a definition is known in its file.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Name {
    External(String),
    Internal(usize),
}

/// Looks at one file. `None` if there are errors; they are among the diagnostics. `read` gets the names of all files that were
/// read for it, even then.
///
/// To be called on a thread with a big stack: clang recurses over what it parses.
pub fn survey(
    file: &Path,
    options: &ReadOptions,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
    read: &mut Vec<String>,
) -> Option<Survey> {
    let options = ReadOptions {
        models: Vec::new(),
        library: Vec::new(),
        ..options.clone()
    };
    let inputs = inputs(&[file], &options, sources, diagnostics)?;
    let input = inputs.first()?;
    let clang = match locate::load() {
        Ok(clang) => clang,
        Err(message) => {
            diagnostics.push(*message);
            return None;
        }
    };
    let parser = Parser::new(&clang, &inputs, &options);
    let unit = match parser.unit(0) {
        Ok(unit) => unit,
        Err(message) => {
            diagnostics.push(message);
            return None;
        }
    };
    let own = |name: &String| !Path::new(name).starts_with(headers::FOLDER);
    read.extend(
        unit.files()
            .into_iter()
            .map(|file| unit.file_name(file))
            .filter(own),
    );
    let parse = |index| parser.unit(index);
    let library = Library::new(&parse, &options.without_model);
    let mut session = Session::new(options.c.machine, |_| Vec::new(), library, sources, diagnostics);
    session.know_file(input.path.clone(), input.source);
    session.add_unit(unit, Purpose::User, input.source);
    session.report_messages(unit);
    if session.diagnostics.has_errors() {
        return None;
    }
    session.read_linkage();
    let mut survey = symbols(&mut session, unit);
    survey.fingerprint = fingerprint(unit, input);
    Some(survey)
}

fn fingerprint(unit: &Unit<'_>, input: &Input) -> String {
    let mut hash = Sha256::new();
    for flag in &input.flags {
        hash.update(flag);
        hash.update([0]);
    }
    let mut files = unit.files();
    files.sort_by_cached_key(|&file| unit.file_name(file));
    for file in files {
        hash.update(unit.file_name(file));
        hash.update([0]);
        hash.update(unit.file_contents(file));
        hash.update([0]);
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn symbols<'u>(session: &mut Session<'u, '_>, unit: &'u Unit<'u>) -> Survey {
    let mut uses: FxHashMap<Name, FxHashSet<Name>> = FxHashMap::default();
    let mut always: Vec<Name> = Vec::new();
    let mut defined: Vec<(Name, Cursor<'u>)> = Vec::new();
    for cursor in unit.root().children() {
        let is_definition = match cursor.kind() {
            CXCursor_FunctionDecl => cursor.is_definition(),
            CXCursor_VarDecl => is_variable_definition(cursor),
            _ => continue,
        };
        let name = name_of(session, cursor);
        if let LinkName::Global(name) = session.link_name(cursor)
            && let Some(crate::linkage::Target::Alias(target)) = session.link_target(&name, false)
        {
            // An alias is defined by what it names.
            let target = name_of(session, target);
            let alias = Name::External(name.to_string());
            uses.entry(alias.clone()).or_default().insert(target);
            defined.push((alias, cursor));
            continue;
        }
        if !is_definition {
            continue;
        }
        let runs_by_itself =
            session.constructor_priority(cursor).is_some() || session.destructor_priority(cursor).is_some();
        if runs_by_itself {
            always.push(name.clone());
        }
        let used = used_names(session, cursor);
        uses.entry(name.clone()).or_default().extend(used);
        defined.push((name, cursor));
    }
    let mut survey = Survey::default();
    let mut seen: FxHashSet<String> = FxHashSet::default();
    for (name, cursor) in defined {
        let Name::External(external) = &name else {
            continue;
        };
        // A variable may have several tentative definitions.
        if !seen.insert(external.clone()) {
            continue;
        }
        survey.symbols.push(Symbol {
            name: external.clone(),
            is_function: cursor.kind() == CXCursor_FunctionDecl,
            is_weak: session.is_weak(cursor) || cursor.is_inline(),
            span: session.name_span(cursor),
            needs: needed(&uses, [name.clone()]),
        });
    }
    survey.always_needs = needed(&uses, always);
    survey
}

fn name_of<'u>(session: &Session<'u, '_>, cursor: Cursor<'u>) -> Name {
    match session.link_name(cursor) {
        LinkName::Global(name) => Name::External(name.to_string()),
        LinkName::Declaration(key) => Name::Internal(key),
    }
}

/// The names with static storage that a definition mentions.
fn used_names<'u>(session: &Session<'u, '_>, definition: Cursor<'u>) -> FxHashSet<Name> {
    let mut found = FxHashSet::default();
    let mut open = definition.children();
    while let Some(cursor) = open.pop() {
        if cursor.kind() == CXCursor_DeclRefExpr
            && let Some(declaration) = cursor.referenced()
            && matches!(declaration.kind(), CXCursor_FunctionDecl | CXCursor_VarDecl)
            && matches!(
                declaration.linkage(),
                CXLinkage_External | CXLinkage_Internal | CXLinkage_UniqueExternal
            )
        {
            found.insert(name_of(session, declaration));
        }
        open.extend(cursor.children());
    }
    found
}

/// The external names that are needed from some on, other than through external names.
fn needed(uses: &FxHashMap<Name, FxHashSet<Name>>, from: impl IntoIterator<Item = Name>) -> Vec<String> {
    let mut seen: FxHashSet<&Name> = FxHashSet::default();
    let mut found: Vec<String> = Vec::new();
    let from: Vec<Name> = from.into_iter().collect();
    let mut open: Vec<&Name> = from.iter().collect();
    while let Some(name) = open.pop() {
        for next in uses.get(name).into_iter().flatten() {
            if !seen.insert(next) {
                continue;
            }
            match next {
                Name::External(name) => found.push(name.clone()),
                Name::Internal(_) => open.push(next),
            }
        }
    }
    found.sort_unstable();
    found
}
