//! Programs as trees of text: enough structure to leave parts out.

use std::fmt::Write as _;

/// A statement: its own text, or text around lists of statements.
#[derive(Clone, Debug)]
pub enum Stmt {
    Line(String),
    Compound {
        /// Each list with the text before it.
        parts: Vec<(String, Vec<Stmt>)>,
        end: String,
    },
}

impl Stmt {
    pub fn line(text: impl Into<String>) -> Self {
        Stmt::Line(text.into())
    }
}

#[derive(Clone, Debug)]
pub struct Procedure {
    /// Everything before the body.
    pub header: String,
    /// Declarations of variables and statements that are never left out.
    pub locals: Vec<String>,
    pub body: Vec<Stmt>,
}

#[derive(Clone, Debug)]
pub struct Program {
    pub declarations: Vec<String>,
    pub procedures: Vec<Procedure>,
}

impl Program {
    pub fn text(&self) -> String {
        let mut text = String::new();
        for declaration in &self.declarations {
            let _ = writeln!(text, "{declaration}");
        }
        for procedure in &self.procedures {
            let _ = writeln!(text, "\n{}\n{{", procedure.header);
            for local in &procedure.locals {
                let _ = writeln!(text, "  {local}");
            }
            write_list(&mut text, &procedure.body, 1);
            text.push_str("}\n");
        }
        text
    }

    /// All programs with one statement less, or with a compound statement in parts.
    pub fn smaller(&self) -> Vec<Program> {
        let mut smaller = Vec::new();
        for (index, procedure) in self.procedures.iter().enumerate() {
            for body in smaller_lists(&procedure.body) {
                let mut program = self.clone();
                program.procedures[index].body = body;
                smaller.push(program);
            }
        }
        smaller
    }
}

fn write_list(text: &mut String, list: &[Stmt], indent: usize) {
    for stmt in list {
        match stmt {
            Stmt::Line(line) => write_text(text, line, indent),
            Stmt::Compound { parts, end } => {
                for (before, list) in parts {
                    write_text(text, before, indent);
                    write_list(text, list, indent + 1);
                }
                write_text(text, end, indent);
            }
        }
    }
}

fn write_text(text: &mut String, lines: &str, indent: usize) {
    for line in lines.lines() {
        let _ = writeln!(text, "{}{line}", "  ".repeat(indent));
    }
}

fn smaller_lists(list: &[Stmt]) -> Vec<Vec<Stmt>> {
    let mut smaller = Vec::new();
    for (index, stmt) in list.iter().enumerate() {
        let with = |replacement: Vec<Stmt>| {
            let mut list = list.to_vec();
            list.splice(index..=index, replacement);
            list
        };
        smaller.push(with(Vec::new()));
        if let Stmt::Compound { parts, end } = stmt {
            for (position, (before, list)) in parts.iter().enumerate() {
                smaller.push(with(list.clone()));
                for shorter in smaller_lists(list) {
                    let mut parts = parts.clone();
                    parts[position] = (before.clone(), shorter);
                    smaller.push(with(vec![Stmt::Compound {
                        parts,
                        end: end.clone(),
                    }]));
                }
            }
        }
    }
    smaller
}
