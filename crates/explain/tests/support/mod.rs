#![allow(dead_code)] // Each test binary uses a part of it.

//! Failing traces of small Boogie programs, and their explanations as text.

use lariat_base::Budget;
use lariat_explain::{ExplainOptions, Explained, Explanation, FailingTrace, explain};
use lariat_interp::{NoOracle, ReplayOptions, ReplayOutcome, Trace, TraceStep, replay};
use lariat_ir::{OpenInfo, Origin, Program, StmtKind, Unknown};
use lariat_report::Vocabulary;
use lariat_specs::SpecExpr;
use lariat_term::{TermPool, Value, VarId};
use lariat_testkit::boogie;
use rustc_hash::FxHashMap;

/// A program and the environment of one execution.
pub struct Case {
    pub program: Program,
    pub open: OpenInfo,
    entry: String,
    inputs: Vec<(String, i64)>,
    havocs: Vec<i64>,
    pub vocabulary: Vocabulary,
    pub time: std::time::Duration,
}

pub fn case(text: &str, entry: &str) -> Case {
    let mut program = boogie::program(text);
    let null = named(&program, &program.constants, "NULL").map(|var| program.pool.var(var));
    let mut open = OpenInfo {
        null,
        ..OpenInfo::default()
    };
    for stmt in program
        .procs
        .values()
        .flat_map(|proc| proc.blocks.values())
        .flat_map(|block| &block.stmts)
    {
        let (StmtKind::Havoc(vars), Origin::External(callee)) = (&stmt.kind, &stmt.origin) else {
            continue;
        };
        for &var in vars {
            if &**callee == "malloc" {
                open.fresh.push((stmt.id, var));
            } else {
                open.unknowns.push(Unknown {
                    stmt: stmt.id,
                    var,
                    callee: Some(callee.clone()),
                    text: format!("{callee}()").into(),
                    span: stmt.span,
                });
            }
        }
    }
    Case {
        program,
        open,
        entry: entry.into(),
        inputs: Vec::new(),
        havocs: Vec::new(),
        vocabulary: Vocabulary::default(),
        time: std::time::Duration::from_secs(120),
    }
}

fn named(program: &Program, vars: &[VarId], name: &str) -> Option<VarId> {
    vars.iter()
        .copied()
        .find(|&var| &**program.pool.var_name(var) == name)
}

impl Case {
    /// Values of integer parameters, globals and constants; others are any.
    pub fn inputs(mut self, inputs: &[(&str, i64)]) -> Self {
        self.inputs = inputs.iter().map(|&(name, value)| (name.into(), value)).collect();
        self
    }

    /// What the havocs of the entry choose, in the order of the text.
    pub fn havocs(mut self, values: &[i64]) -> Self {
        self.havocs = values.to_vec();
        self
    }

    pub fn typestate(mut self, name: &str) -> Self {
        self.open.typestate = named(&self.program, &self.program.globals, name)
            .into_iter()
            .collect();
        self
    }

    pub fn vocabulary(mut self, change: impl FnOnce(&mut Vocabulary)) -> Self {
        change(&mut self.vocabulary);
        self
    }

    /// Explains the failure of the execution.
    pub fn explain(&self) -> (TermPool, Explained) {
        let program = &self.program;
        let entry = program.proc_by_name(&self.entry).expect("there is such an entry");
        let mut inputs = FxHashMap::default();
        let own = program.procs[entry].params.clone();
        for (name, value) in &self.inputs {
            let var = named(program, &own, name)
                .or_else(|| named(program, &program.globals, name))
                .or_else(|| named(program, &program.constants, name))
                .unwrap_or_else(|| panic!("there is no input {name}"));
            inputs.insert(var, Value::Int((*value).into()));
        }
        let mut trace = Trace::new(inputs);
        let mut values = self.havocs.iter();
        for stmt in program.procs[entry]
            .blocks
            .values()
            .flat_map(|block| &block.stmts)
        {
            if let StmtKind::Havoc(vars) = &stmt.kind
                && let Some(value) = values.next()
            {
                let chosen = vars
                    .iter()
                    .map(|&var| (var, Value::Int((*value).into())))
                    .collect();
                trace.push(trace.root, TraceStep::Havoc(stmt.id, chosen));
            }
        }
        let replay = replay(
            program,
            entry,
            &trace,
            &mut NoOracle,
            &ReplayOptions::default(),
            &Budget::unlimited(),
        );
        let ReplayOutcome::AssertionFailed { assert, .. } = replay.outcome else {
            panic!("the execution does not fail: {:?}", replay.outcome);
        };
        let failing = FailingTrace {
            program,
            entry,
            events: &replay.events,
            failing: assert,
            open: &self.open,
            known: &[],
            in_words: &|_, _, _| SpecExpr::Bool(true),
        };
        let options = ExplainOptions {
            vocabulary: self.vocabulary.clone(),
            time: self.time,
            ..ExplainOptions::default()
        };
        let mut pool = program.pool.clone();
        let explained = explain(&mut pool, &failing, &options).expect("the solver works");
        (pool, explained)
    }

    /// The explanation as a line of text.
    pub fn text(&self) -> String {
        let (pool, explained) = self.explain();
        match explained.explanation {
            Explanation::Blocked(blocking) => format!("blocked {}", pool.term_text(blocking.term)),
            Explanation::Infeasible(lemma) => format!("infeasible {}", pool.term_text(lemma.term)),
            Explanation::AlwaysFails => "always fails".into(),
            Explanation::OutOfTime => "out of time".to_owned(),
            Explanation::TooHard => "too hard".to_owned(),
            Explanation::NotExpressible { reason, .. } => format!("not expressible: {reason}"),
        }
    }
}
