//! The placeholders of a property, and attributes that say what they match.

use lariat_boogie::ast::{Decl, ProcedureDecl, Program};
use regex::bytes::{Regex, RegexBuilder};
use rustc_hash::FxHashMap;

use crate::declared::{Marks, Name, globals, marks, procedure};

/// Any procedure, whatever its name.
pub const ANY_PROCEDURE: &str = "#AnyProcedure";
/// A procedure whose name has a match of this regular expression, and one whose name has none.
pub const NAME_MATCHES: &str = "#NameMatches";
pub const NAME_NOT_MATCHES: &str = "#NameNotMatches";
/// Only a procedure without a body.
pub const NO_IMPLEMENTATION: &str = "#NoImplementation";
/// The code takes the place of the body.
pub const REPLACE_IMPLEMENTATION: &str = "#ReplaceImplementation";
/// The last parameter stands for all that are left.
pub const ANY_PARAMETERS: &str = "#AnyParameters";
/// The one argument stands for each argument that it matches.
pub const ANY_ARGUMENTS: &str = "#AnyArguments";
/// A variable that matches names only.
pub const IDENTIFIER: &str = "#IdentifierExpr";
/// The function's argument may be anywhere in the expression.
pub const ANY_EXPRESSION: &str = "#AnyExpr";
/// Parameters point to the same memory: `{:ptr "M"}` of the rule is `{:ptr "M"}` or `{:ref "M"}` of the program.
pub const MATCH_POINTERS: &str = "#MatchPtrs";

pub enum Template {
    /// Any expression.
    Variable(Marks),
    /// Any function with these attributes.
    Function(Marks),
    Procedure(Pattern),
}

/// A procedure as a rule describes it.
pub struct Pattern {
    pub name: Name,
    pub declared: crate::declared::Procedure,
    matches: Option<Regex>,
    not_matches: Vec<Regex>,
    /// In the rules for procedures a name without an expression is the name itself; in commands it is any.
    pub named: bool,
}

impl Pattern {
    /// What a declaration describes, or what is wrong with one of its regular expressions.
    pub fn new(decl: &ProcedureDecl, named: bool) -> Result<Pattern, String> {
        let mut matches = None;
        let mut not_matches = Vec::new();
        for attribute in &decl.attributes {
            let marks = marks([attribute]);
            let expression = |key: &str| match marks.get(key) {
                None => Ok(None),
                Some(None) => Err(format!("`{{:{key}}}` needs a regular expression in quotes")),
                Some(Some(text)) => match RegexBuilder::new(text).unicode(false).build() {
                    Ok(regex) => Ok(Some(regex)),
                    Err(error) => Err(format!("`{text}` is no regular expression: {error}")),
                },
            };
            matches = expression(NAME_MATCHES)?.or(matches);
            not_matches.extend(expression(NAME_NOT_MATCHES)?);
        }
        Ok(Pattern {
            name: decl.name.name.clone(),
            declared: procedure(decl),
            matches,
            not_matches,
            named,
        })
    }

    pub fn has(&self, key: &str) -> bool {
        self.declared.marks.contains_key(key)
    }

    /// Whether it may be this procedure, whose parameters are not looked at.
    pub fn is(&self, name: &str, procedure: &crate::declared::Procedure) -> bool {
        let is_named = match &self.matches {
            _ if self.has(ANY_PROCEDURE) => true,
            Some(matches) => matches.is_match(name.as_bytes()),
            None => !self.named || &*self.name == name,
        };
        is_named
            && !self
                .not_matches
                .iter()
                .any(|regex| regex.is_match(name.as_bytes()))
            && !(self.has(NO_IMPLEMENTATION) && procedure.has_body)
            && is_subset(&self.declared.marks, &procedure.marks)
    }
}

/// Whether the program has all attributes that the template asks for. Those with `#` are for us.
pub fn is_subset(template: &Marks, program: &Marks) -> bool {
    let mut asked = template.keys().filter(|key| !key.starts_with('#'));
    asked.all(|key| program.contains_key(key))
}

/// Placeholders by name.
pub type Templates = FxHashMap<Name, Template>;

/// The placeholders that declarations declare, and what is wrong with them.
pub fn templates(program: &Program) -> (Templates, Vec<(lariat_base::Span, String)>) {
    let mut found = Templates::default();
    let mut problems = Vec::new();
    for decl in &program.decls {
        match decl {
            Decl::Var(decl) => {
                found.extend(globals(decl).map(|(name, marks)| (name, Template::Variable(marks))));
            }
            Decl::Function(decl) => {
                let template = Template::Function(marks(&decl.attributes));
                found.insert(decl.name.name.clone(), template);
            }
            Decl::Procedure(decl) => match Pattern::new(decl, false) {
                Ok(pattern) => {
                    found.insert(decl.name.name.clone(), Template::Procedure(pattern));
                }
                Err(problem) => problems.push((decl.span, problem)),
            },
            Decl::Type(decl) => problems.push((decl.span, "a type is no placeholder".to_owned())),
            Decl::Datatype(decl) => problems.push((decl.span, "a datatype is no placeholder".to_owned())),
            Decl::Const(decl) => problems.push((decl.span, "a constant is no placeholder".to_owned())),
            Decl::Axiom(decl) => problems.push((decl.span, "an axiom is no placeholder".to_owned())),
            Decl::Implementation(decl) => {
                problems.push((decl.span, "an implementation is no placeholder".to_owned()));
            }
        }
    }
    (found, problems)
}
