//! Property files of PropInst (`.avp`): what is read, and what is done with it.

use std::path::Path;

use lariat_base::{Diagnostic, Diagnostics, SourceId, SourceMap};
use lariat_boogie::ast::{Call, Decl, Program, Stmt, StmtKind};
use lariat_boogie::parser::{parse_declarations, parse_statements};
use rustc_hash::FxHashSet;

use crate::build::Build;
use crate::commands::{self, CommandRule};
use crate::declared::{Name, globals, marks};
use crate::insertion::{Inserted, is_this};
use crate::procedures::{self, ProcedureRule};
use crate::sections::{Keyword, Section, sections};
use crate::template::{Pattern, Templates, templates};

const CODE: &str = "bad-property";

/// A procedure of the property that belongs to the start of the program.
const AT_START: &str = "corralExtraInitExtension";
/// The procedure that sets up the program, where there is one.
const START: &str = "CorralExtraInit";
/// A function whose argument some execution is to satisfy.
const REACHABLE: &str = "ReachableStates";

/// What a property file says.
pub struct Property {
    /// Its name in reports.
    name: String,
    declarations: Vec<Decl>,
    templates: Templates,
    commands: Vec<CommandRule>,
    procedures: Vec<ProcedureRule>,
}

/// Reads a property; `None` if it has errors.
pub fn read(
    path: &Path,
    text: &str,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<Property> {
    let source = sources.add(path, text);
    let mut found = Diagnostics::new();
    let sections = sections(text, source, &mut found);
    let stem = path.file_stem().unwrap_or_default();
    let mut reader = Reader {
        text,
        source,
        diagnostics: &mut found,
        property: Property {
            name: stem.to_string_lossy().into_owned(),
            declarations: Vec::new(),
            templates: Templates::default(),
            commands: Vec::new(),
            procedures: Vec::new(),
        },
    };
    for section in sections.into_iter().flatten() {
        reader.section(&section);
    }
    let property = reader.property;
    let failed = found.has_errors();
    diagnostics.extend(found);
    (!failed).then_some(property)
}

struct Reader<'t> {
    text: &'t str,
    source: SourceId,
    diagnostics: &'t mut Diagnostics,
    property: Property,
}

impl Reader<'_> {
    /// The file with everything outside of the range blanked out, so that what is read has its place in the file.
    fn blanked(&self, range: &std::ops::Range<usize>) -> String {
        let blank = |text: &str| -> String {
            let blank = |byte: u8| if byte == b'\n' { '\n' } else { ' ' };
            text.bytes().map(blank).collect()
        };
        let (before, rest) = self.text.split_at(range.start);
        let (inside, after) = rest.split_at(range.len());
        format!("{}{inside}{}", blank(before), blank(after))
    }

    fn declarations(&mut self, range: &std::ops::Range<usize>) -> Program {
        let (program, found) = parse_declarations(&self.blanked(range), self.source);
        self.diagnostics.extend(found);
        program
    }

    fn statements(&mut self, range: &std::ops::Range<usize>) -> Vec<Stmt> {
        // A statement of the same length that no rule can insert.
        let text = self.blanked(range).replace("#this", "yield");
        let (stmts, found) = parse_statements(&text, self.source);
        self.diagnostics.extend(found);
        stmts
    }

    fn section(&mut self, section: &Section) {
        match section.keyword {
            Keyword::GlobalDeclarations => {
                let program = self.declarations(&section.code);
                self.property.declarations.extend(program.decls);
            }
            Keyword::TemplateVariables => {
                let program = self.declarations(&section.code);
                let (found, problems) = templates(&program);
                self.property.templates.extend(found);
                for (span, problem) in problems {
                    let hint = "placeholders are variables, functions and procedures";
                    self.diagnostics
                        .push(Diagnostic::error(CODE, span, problem).hint(hint));
                }
            }
            Keyword::Filter => self.diagnostics.push(Diagnostic::warning(
                "ignored-filter",
                section.span,
                "this section is ignored: it says nothing about the program",
            )),
            Keyword::CmdRule => {
                let rule = CommandRule {
                    patterns: self.statements(&section.code),
                    code: self.inserted(section),
                };
                let is_command = |stmt: &&Stmt| {
                    !matches!(
                        stmt.kind,
                        StmtKind::Assert { .. }
                            | StmtKind::Assume { .. }
                            | StmtKind::Assign { .. }
                            | StmtKind::Call(_)
                    )
                };
                if let Some(stmt) = rule.patterns.iter().find(is_command) {
                    let message = "a rule cannot match this statement";
                    let hint = "it may match assert, assume, assignments and calls";
                    self.diagnostics
                        .push(Diagnostic::error(CODE, stmt.span, message).hint(hint));
                }
                self.property.commands.push(rule);
            }
            Keyword::ProcedureRule => {
                let program = self.declarations(&section.code);
                let mut patterns = Vec::new();
                for decl in &program.decls {
                    let Decl::Procedure(decl) = decl else {
                        let message = "a rule for procedures matches procedures only";
                        let hint = "write `procedure name(x: int) returns (r: int);`";
                        self.diagnostics
                            .push(Diagnostic::error(CODE, section.span, message).hint(hint));
                        continue;
                    };
                    match Pattern::new(decl, true) {
                        Ok(pattern) => patterns.push(pattern),
                        Err(problem) => self.diagnostics.push(Diagnostic::error(CODE, decl.span, problem)),
                    }
                }
                let code = self.inserted(section);
                if let Some(this) = code.iter().find(|stmt| is_this(stmt)) {
                    let message = "`#this` is the command that was matched, and here is none";
                    let hint = "what the procedure does follows the inserted code by itself";
                    self.diagnostics
                        .push(Diagnostic::error(CODE, this.span, message).hint(hint));
                }
                self.property.procedures.push(ProcedureRule { patterns, code });
            }
        }
    }

    /// The code that a rule inserts. A `return` at its end only ends the code.
    fn inserted(&mut self, section: &Section) -> Vec<Stmt> {
        let mut code = match &section.inserted {
            Some(range) => self.statements(range),
            None => Vec::new(),
        };
        code.pop_if(|last| matches!(last.kind, StmtKind::Return));
        code
    }
}

/// Adds what a property asks for. Returns the names of its variables, which are monitors.
pub fn apply(program: &mut Program, property: Property, diagnostics: &mut Diagnostics) -> Vec<String> {
    let mut monitors = Vec::new();
    let mut reachable: FxHashSet<Name> = FxHashSet::default();
    let mut at_start = Vec::new();
    for decl in &property.declarations {
        match decl {
            Decl::Var(decl) => monitors.extend(globals(decl).map(|(name, _)| name.to_string())),
            Decl::Function(decl) if marks(&decl.attributes).contains_key(REACHABLE) => {
                reachable.insert(decl.name.name.clone());
            }
            Decl::Procedure(decl) if marks(&decl.attributes).contains_key(AT_START) => {
                at_start.push(decl.name.clone());
            }
            _ => {}
        }
    }
    let none = FxHashSet::default();
    let placeholders: FxHashSet<Name> = property.templates.keys().cloned().collect();
    let inserted = |placeholders| Inserted {
        rule: &property.name,
        placeholders,
        reachable: &reachable,
    };
    // The procedures of the property itself are not matched.
    commands::apply(
        program,
        &property.commands,
        &property.templates,
        &inserted(&placeholders),
        diagnostics,
    );
    procedures::apply(program, &property.procedures, &inserted(&none), diagnostics);
    program.decls.extend(property.declarations);
    for name in at_start {
        run_at_start(program, &name);
    }
    monitors
}

/// Has a procedure of the property called by the one that sets up the program, or before each entry if there is none.
fn run_at_start(program: &mut Program, name: &lariat_boogie::ast::Ident) {
    let mut body = program.decls.iter_mut().find_map(|decl| match decl {
        Decl::Procedure(decl) if &*decl.name.name == START => decl.body.as_mut(),
        Decl::Implementation(decl) if &*decl.name.name == START => Some(&mut decl.body),
        _ => None,
    });
    if let Some(body) = &mut body {
        let call = Build(body.span).stmt(StmtKind::Call(Call {
            attributes: Vec::new(),
            is_async: false,
            is_free: false,
            outs: Vec::new(),
            procedure: name.clone(),
            args: Vec::new(),
        }));
        body.stmts.insert(0, call);
        return;
    }
    for decl in &mut program.decls {
        if let Decl::Procedure(decl) = decl
            && decl.name.name == name.name
        {
            let mark = Build(decl.span).attribute("ProgramInitialization", None);
            decl.attributes.push(mark);
        }
    }
}
