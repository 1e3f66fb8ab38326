//! Specifications in words: as people read them, and with the quantifiers of the paper.

use std::fmt::Write as _;

use lariat_base::Span;
use lariat_explain::{Blocking, Placeholder};
use lariat_front_end::FrontEnd;
use lariat_ir::{OpenEntry, OpenInfo, StmtId, StmtKind, Unknown};
use lariat_passes::CallGraph;
use lariat_report::SpecificationStatus;
use lariat_specs::{CallPlace, SpecExpr, UnaryOp, UnknownSite};
use lariat_term::{Sort, SortId, TermId, TermPool, VarId};
use rustc_hash::FxHashSet;

use crate::noreturn;

/// A specification in words.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SpecText {
    /// `Lib2() != NULL`
    pub source: String,
    /// The same with the places of all results, whichever entry it is read for.
    pub exact: String,
    /// `forall x_2: int :: unknown_1(x_2) ==> x_2 != NULL`
    pub formal: String,
    /// Where the constrained results come from.
    pub spans: Vec<Span>,
    /// Whether it speaks of results and constants only, not of the entry's inputs: then it holds for every caller of the entry
    /// too.
    pub is_closed: bool,
}

impl SpecText {
    /// Whether it says something of results.
    pub fn is_about_results(&self) -> bool {
        !self.spans.is_empty() && self.is_closed
    }
}

/// A specification with a decision, or one of an entry that is called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Given {
    pub id: String,
    pub text: String,
    pub status: SpecificationStatus,
    pub inherited: bool,
}

impl Given {
    /// The formulas that the text stands for, in terms of the entry.
    pub fn resolve(
        &self,
        front_end: &FrontEnd,
        open: &OpenInfo,
        entry: &OpenEntry,
        pool: &mut TermPool,
    ) -> Result<Vec<Blocking>, String> {
        let expr = SpecExpr::parse(&self.text).map_err(|error| error.to_string())?;
        if let SpecExpr::NeverReturns(callee) = &expr {
            return match noreturn::blockings(open, callee, pool) {
                calls if calls.is_empty() => Err(format!(
                    "no procedure without body `{callee}` is called that could end the program"
                )),
                calls => Ok(calls),
            };
        }
        let resolved = front_end.resolve(pool, open, entry, &expr)?;
        let blocking = |formula: lariat_front_end::Resolved| Blocking {
            term: formula.term,
            placeholders: formula
                .sites
                .iter()
                .map(|site| {
                    let unknown = &open.unknowns[site.unknown];
                    Placeholder {
                        var: site.placeholder,
                        stmt: unknown.stmt,
                        site_var: unknown.var,
                        occurrence: 0,
                    }
                })
                .collect(),
        };
        Ok(resolved.into_iter().map(blocking).collect())
    }
}

/// What the words for specifications of an entry depend on.
pub struct Wording<'a> {
    front_end: &'a FrontEnd,
    open: &'a OpenInfo,
    /// The statements that the entry reaches and that choose a value.
    reached: FxHashSet<StmtId>,
}

impl<'a> Wording<'a> {
    pub fn new(front_end: &'a FrontEnd, open: &'a OpenInfo, calls: &CallGraph, entry: &OpenEntry) -> Self {
        let reachable = calls.reachable_from(entry.proc);
        let procs = front_end
            .program
            .procs
            .iter()
            .filter(|(proc, _)| reachable.contains(*proc));
        let stmts = procs
            .flat_map(|(_, proc)| proc.blocks.values())
            .flat_map(|block| &block.stmts);
        let havocs = stmts.filter(|stmt| matches!(stmt.kind, StmtKind::Havoc(_)));
        Wording {
            front_end,
            open,
            reached: havocs.map(|stmt| stmt.id).collect(),
        }
    }
}

/// The words for a formula.
pub fn describe(wording: &Wording<'_>, pool: &TermPool, blocking: &Blocking) -> SpecText {
    let front_end = wording.front_end;
    let sites = Sites::new(wording, blocking);
    let source = front_end.describe(pool, blocking.term, &|var| sites.source(var));
    let exact = front_end.describe(pool, blocking.term, &|var| sites.exact(var));
    let formal = front_end.describe(pool, blocking.term, &|var| sites.bound(var));
    SpecText {
        source: source.to_string(),
        exact: exact.to_string(),
        formal: sites.quantified(pool, &formal.to_string()),
        spans: sites.spans(),
        is_closed: sites.is_closed(pool, blocking.term),
    }
}

/// A term as people read it.
pub fn in_words(
    wording: &Wording<'_>,
    pool: &TermPool,
    term: TermId,
    placeholders: &[Placeholder],
) -> SpecExpr {
    let sites = Sites {
        wording,
        open: wording.open,
        placeholders: placeholders.to_vec(),
    };
    wording.front_end.describe(pool, term, &|var| sites.source(var))
}

/// The words for the same of all points of a map, where the formula says `read != NULL`.
pub fn general_text(
    wording: &Wording<'_>,
    pool: &TermPool,
    blocking: &Blocking,
    read: TermId,
) -> Option<SpecText> {
    let sites = Sites::new(wording, blocking);
    let place = wording.front_end.describe(pool, read, &|var| sites.source(var));
    let any = SpecExpr::name("z");
    let place = match place {
        SpecExpr::Index(map, indices) if indices.len() == 1 => SpecExpr::Index(map, vec![any]),
        SpecExpr::Arrow(_, field) => SpecExpr::Arrow(Box::new(any), field),
        SpecExpr::Unary(UnaryOp::Deref, _) => any.deref(),
        _ => return None,
    };
    let body = SpecExpr::binary(lariat_specs::BinaryOp::Ne, place, SpecExpr::Null);
    let text = SpecExpr::Forall(vec!["z".into()], Box::new(body));
    let index = pool.args(read).get(1).map(|&index| pool.sort_of(index))?;
    let formal = match &text {
        SpecExpr::Forall(_, body) => format!("(forall z: {} :: {body})", type_text(pool, index)),
        _ => return None,
    };
    Some(SpecText {
        source: text.to_string(),
        exact: text.to_string(),
        formal,
        spans: Vec::new(),
        is_closed: false,
    })
}

/// The unknowns of a formula.
struct Sites<'a> {
    wording: &'a Wording<'a>,
    open: &'a OpenInfo,
    placeholders: Vec<Placeholder>,
}

impl<'a> Sites<'a> {
    fn new(wording: &'a Wording<'a>, blocking: &Blocking) -> Self {
        Sites {
            wording,
            open: wording.open,
            placeholders: blocking.placeholders.clone(),
        }
    }

    fn unknown(&self, var: VarId) -> Option<(usize, &Placeholder)> {
        let site = self.placeholders.iter().find(|site| site.var == var)?;
        let is_it = |unknown: &Unknown| unknown.stmt == site.stmt && unknown.var == site.site_var;
        Some((self.open.unknowns.iter().position(is_it)?, site))
    }

    /// The place in the source that gives the value; with its line if the entry reaches several of the name.
    fn source(&self, var: VarId) -> Option<SpecExpr> {
        let (index, _) = self.unknown(var)?;
        let unknown = &self.open.unknowns[index];
        let is_rival = |(other_index, other): &(usize, &Unknown)| {
            let same_name = other.callee == unknown.callee && other.text == unknown.text;
            *other_index != index && same_name && self.wording.reached.contains(&other.stmt)
        };
        let rivals = self.open.unknowns.iter().enumerate().filter(is_rival);
        let rivals: Vec<Option<CallPlace>> = rivals.map(|(_, other)| self.place(other)).collect();
        let place = self.place(unknown).filter(|_| !rivals.is_empty()).map(|place| {
            let in_line = |other: &&CallPlace| other.line == place.line;
            let in_line: Vec<&CallPlace> = rivals.iter().flatten().filter(in_line).collect();
            CallPlace {
                file: place
                    .file
                    .clone()
                    .filter(|_| in_line.iter().any(|other| other.file != place.file)),
                line: place.line,
                column: place
                    .column
                    .filter(|_| in_line.iter().any(|other| other.file == place.file)),
            }
        });
        Some(worded(unknown, place))
    }

    /// The place that gives the value, in full.
    fn exact(&self, var: VarId) -> Option<SpecExpr> {
        let (index, _) = self.unknown(var)?;
        let unknown = &self.open.unknowns[index];
        Some(worded(unknown, self.place(unknown)))
    }

    fn place(&self, unknown: &Unknown) -> Option<CallPlace> {
        let place = self.wording.front_end.location(unknown.span?);
        let file = std::path::Path::new(&*place.file).file_name();
        Some(CallPlace {
            file: file.map(|name| name.to_string_lossy().into()),
            line: place.line,
            column: Some(place.column),
        })
    }

    fn bound_name(&self, var: VarId) -> Option<String> {
        let (index, site) = self.unknown(var)?;
        let earlier = self.placeholders.iter().take_while(|other| other.var != var);
        let repeated = earlier
            .filter(|other| (other.stmt, other.site_var) == (site.stmt, site.site_var))
            .count();
        Some(format!("x_{}{}", index + 1, "'".repeat(repeated)))
    }

    fn bound(&self, var: VarId) -> Option<SpecExpr> {
        Some(SpecExpr::name(&self.bound_name(var)?))
    }

    /// `forall x_1: int :: unknown_0(x_1) ==> body`.
    fn quantified(&self, pool: &TermPool, body: &str) -> String {
        let mut bound = Vec::new();
        let mut guards = Vec::new();
        for site in &self.placeholders {
            if let (Some((index, _)), Some(name)) = (self.unknown(site.var), self.bound_name(site.var)) {
                bound.push(format!("{name}: {}", type_text(pool, pool.var_sort(site.var))));
                guards.push(format!("unknown_{index}({name})"));
            }
        }
        if bound.is_empty() {
            return body.to_owned();
        }
        format!(
            "(forall {} :: {} ==> {body})",
            bound.join(", "),
            guards.join(" && ")
        )
    }

    fn is_closed(&self, pool: &TermPool, term: TermId) -> bool {
        let constants = &self.wording.front_end.program.constants;
        let is_site = |var: VarId| self.placeholders.iter().any(|site| site.var == var);
        // A constant map is the memory that the entry finds.
        let is_memory = |var: VarId| matches!(pool.sort(pool.var_sort(var)), Sort::Array { .. });
        pool.free_vars(&[term])
            .into_iter()
            .all(|var| is_site(var) || constants.contains(&var) && !is_memory(var))
    }

    fn spans(&self) -> Vec<Span> {
        let unknowns = self.placeholders.iter().filter_map(|site| self.unknown(site.var));
        let spans = unknowns.filter_map(|(index, _)| self.open.unknowns[index].span);
        let mut found: Vec<Span> = Vec::new();
        for span in spans {
            if !found.contains(&span) {
                found.push(span);
            }
        }
        found
    }
}

fn worded(unknown: &Unknown, place: Option<CallPlace>) -> SpecExpr {
    let parsed = SpecExpr::parse(&unknown.text).unwrap_or_else(|_| SpecExpr::Raw(unknown.text.clone()));
    at(parsed, place, unknown)
}

/// The expression of an unknown at its place.
fn at(expr: SpecExpr, place: Option<CallPlace>, unknown: &Unknown) -> SpecExpr {
    let with_place = |site: UnknownSite| match &place {
        Some(place) => site.at(place.clone()),
        None => site,
    };
    match expr {
        SpecExpr::Result(site) => SpecExpr::Result(with_place(site)),
        SpecExpr::Field(inner, field) => SpecExpr::Field(Box::new(at(*inner, place, unknown)), field),
        SpecExpr::After(target, site) => SpecExpr::After(target, with_place(site)),
        // A `havoc` that the user wrote.
        other if unknown.callee.is_none() => other.after(with_place(UnknownSite::havoc())),
        other => other,
    }
}

/// A type as Boogie writes it.
fn type_text(pool: &TermPool, sort: SortId) -> String {
    match pool.sort(sort) {
        Sort::Bool => "bool".into(),
        Sort::Int => "int".into(),
        Sort::Real => "real".into(),
        Sort::Array { indices, element } => {
            let mut text = String::from("[");
            for (position, &index) in indices.iter().enumerate() {
                let comma = if position > 0 { ", " } else { "" };
                let _ = write!(text, "{comma}{}", type_text(pool, index));
            }
            let _ = write!(text, "]{}", type_text(pool, *element));
            text
        }
        Sort::Uninterpreted(id) => pool.uninterpreted_name(*id).to_string(),
        _ => pool.sort_text(sort),
    }
}
