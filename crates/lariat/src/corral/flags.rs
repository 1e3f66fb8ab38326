//! Corral's flags, and what they mean to Lariat. `docs/corral.md` lists them.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use lariat_report::{Engine, SearchFlags, SolverOption, Switch, TraceDetail, UnfoldingFlags, VerifyRequest};
use lariat_worker::Order;

use super::Stop;
use super::arguments::{Argument, expand};

/// What Corral prints after an error in its arguments.
pub const USAGE: &str = "\
Usage: corral FILE.bpl [FLAG…]

 /main:P               start from procedure P
 /recursionBound:N     follow recursion and loops up to N times
 /maxStaticLoopBound:N unroll loops with at most N rounds fully
 /stackDepthBound:N    follow calls up to depth N
 /k:N, /cooperative    contexts of threads; switch only where they yield
 /timeLimit:S          stop after S seconds
 /cex:N                find up to N failing assertions
 /tryCTrace            show traces with places in C
 /printDataValues:1    show recorded values in traces
 /trackAllVars, /track:V  do not leave out globals, or this one
 /staticInlining, /di  inline everything first; share inlined copies
 /si                   only the answer of the search
 /flags:FILE           read flags from a file
";

/// Which language extensions Corral has.
const EXTENSIONS: &str = "\
Language extensions:
 async call p(…);                          starts a thread
 call corral_atomic_begin(); call corral_atomic_end();  no switches between
 call x := corral_getThreadID();           the number of this thread
 call x := corral_getChildThreadID();      the number of the last thread that this one started
 call corral_yield();                      a switch, the only ones with /cooperative
 var {:thread_local} x: T;                 one variable for each thread
";

/// From this bound on the search goes on with growing bounds until the time limit.
const DEEP_BOUND: u32 = 1_000;

/// More contexts than this are not asked for.
const MOST_CONTEXTS: u32 = 64;

/// What was asked for.
#[derive(Debug, PartialEq, Eq)]
pub struct Flags {
    /// What is to be read before the program, and the program.
    pub files: Vec<PathBuf>,
    pub main: Option<String>,
    /// `None` unless it was given.
    pub recursion_bound: Option<u32>,
    static_loop_bound: Option<u32>,
    stack_depth: Option<u32>,
    pub contexts: u32,
    pub cooperative: bool,
    /// Seconds after which the caller gives up.
    time_limit: Option<u32>,
    memory_megabytes: Option<u32>,
    /// At most so many failing assertions are shown.
    pub failures: u32,
    pub c_trace: bool,
    pub no_trace: bool,
    pub data_values: bool,
    track: Vec<String>,
    engine: Engine,
    interleave: Option<u32>,
    summaries: Switch,
    solver_options: Vec<SolverOption>,
    /// `/si`: the search alone, with its status.
    pub only_stratified: bool,
    /// The variable that says at the end whether an assertion has failed.
    assert_variable: Option<String>,
    assert_variable_is_int: bool,
    sdv: bool,
    instruments_asserts: bool,
    /// Words about flags that were not obeyed.
    pub notes: Vec<String>,
}

impl Default for Flags {
    fn default() -> Self {
        Flags {
            files: Vec::new(),
            main: None,
            recursion_bound: None,
            static_loop_bound: None,
            stack_depth: None,
            contexts: 2,
            cooperative: false,
            time_limit: None,
            memory_megabytes: None,
            failures: 1,
            c_trace: false,
            no_trace: false,
            data_values: false,
            track: Vec::new(),
            engine: Engine::default(),
            interleave: None,
            summaries: Switch::default(),
            solver_options: Vec::new(),
            only_stratified: false,
            assert_variable: None,
            assert_variable_is_int: false,
            sdv: false,
            instruments_asserts: false,
            notes: Vec::new(),
        }
    }
}

impl Flags {
    pub fn parse(arguments: &[OsString]) -> Result<Self, Stop> {
        let mut flags = Flags::default();
        let mut program: Option<PathBuf> = None;
        let mut texts = Vec::new();
        for argument in expand(arguments)? {
            match (argument, &program) {
                (Argument::Flag(flag), _) => texts.push(flag),
                (Argument::File(file), None) => program = Some(file),
                (Argument::File(file), Some(first)) => {
                    let both = format!("{} and {}", first.display(), file.display());
                    return Err(Stop::Usage(format!("Multiple input files given: {both}")));
                }
            }
        }
        for text in &texts {
            flags.read(text)?;
        }
        let Some(program) = program else {
            return Err(Stop::Usage("Input file not given".to_owned()));
        };
        if !program.is_file() {
            let message = format!("Input file {} does not exist", program.display());
            return Err(Stop::Usage(message));
        }
        if flags.contexts == 0 {
            return Err(Stop::Usage("Context bound invalid".to_owned()));
        }
        flags.files.push(program);
        Ok(flags)
    }

    fn read(&mut self, flag: &str) -> Result<(), Stop> {
        let invalid = || Stop::Usage(format!("Invalid flag: {flag}"));
        let text = flag.strip_prefix('/').ok_or_else(invalid)?;
        match text.split_once(':') {
            None => self.read_switch(text).ok_or_else(invalid)?,
            Some(("bopt", option)) => self.read_solver_option(option),
            // As Corral cuts them: up to the next colon.
            Some((name, value)) => {
                let value = value.split(':').next().unwrap_or_default();
                self.read_value(name, value).ok_or_else(invalid)?
            }
        }
    }

    /// A flag without a value; `None` if there is none of this name.
    fn read_switch(&mut self, name: &str) -> Option<Result<(), Stop>> {
        match name {
            // All are tracked unless `--abstraction on` is given, which no flag of Corral does.
            "trackAllVars" => {}
            "staticInlining" => self.engine = Engine::Static,
            "di" => self.engine = Engine::Dag,
            "cooperative" => self.cooperative = true,
            "tryCTrace" | "printAllTraces" => self.c_trace = true,
            "noTrace" => self.no_trace = true,
            "si" => self.only_stratified = true,
            "sdv" => self.sdv = true,
            "sdvInstrumentAssert" | "deepAsserts" => self.instruments_asserts = true,
            "assertVarIsInt" => self.assert_variable_is_int = true,
            "runHoudini" | "computeSummary" => self.summaries = Switch::On,
            "alphaInterleaving" => self.engine = Engine::Mix,
            "printBoogieExt" => return Some(Err(Stop::Information(EXTENSIONS))),
            // How Corral works, prints or writes files; no part of the question.
            "useProverEvaluate"
            | "noTraceOnDisk"
            | "catchAll"
            | "useArrayTheory"
            | "noArrayTheory"
            | "noCallTreeReuse"
            | "oldCorralFlags"
            | "useLocalVarAbs"
            | "cadeTiming"
            | "noRaiseException"
            | "printMemUsage"
            | "nonUniformUnfolding"
            | "disableStaticAnalysis"
            | "noInitPruning"
            | "printProgress"
            | "stats"
            | "break"
            | "checkStaticAnalysis"
            | "deepAssertsNoLoop"
            | "oldStratifiedInlining"
            | "newStratifiedInlining"
            | "fwdBck"
            | "fwdBckInRef"
            | "printBoogieFlags"
            | "fastRequiresInference"
            | "useHoudiniLite"
            | "useDuality"
            | "printVerify"
            | "trainSummaries" => {}
            "unfoldRecursion" | "dainst" | "unifyMaps" | "printInstrumented" => {
                return Some(Err(not_supported(name)));
            }
            _ => return None,
        }
        Some(Ok(()))
    }

    /// A flag with a value; `None` if there is none of this name, or the value is no number where one is needed.
    fn read_value(&mut self, name: &str, value: &str) -> Option<Result<(), Stop>> {
        let text = || value.to_owned();
        let number = || value.parse::<u32>().ok();
        match name {
            "main" => self.main = Some(text()),
            "k" => self.contexts = number()?,
            // Corral takes a bound that is not positive for the default.
            "recursionBound" => {
                self.recursion_bound = Some(value.parse::<i64>().ok()?.clamp(0, i64::from(u32::MAX)) as u32)
            }
            "maxStaticLoopBound" => self.static_loop_bound = Some(number()?),
            "stackDepthBound" => self.stack_depth = Some(number()?).filter(|&depth| depth > 0),
            "timeLimit" | "killAfter" => {
                let seconds = Some(number()?).filter(|&seconds| seconds > 0);
                self.time_limit = [self.time_limit, seconds].into_iter().flatten().min();
            }
            "memLimit" => self.memory_megabytes = Some(number()?).filter(|&limit| limit > 0),
            "cex" => self.failures = number()?.max(1),
            "track" | "trackSecondary" => self.track.push(text()),
            "concat" => self.files.push(PathBuf::from(value)),
            "printDataValues" => self.data_values = number()? > 0,
            "assertVar" => self.assert_variable = Some(text()),
            "alphaInterleaving" => {
                self.engine = Engine::Mix;
                self.interleave = Some(number()?.min(100));
            }
            "runHoudini" => self.summaries = Switch::On,
            "tryCTrace" if value == "sdv" => self.c_trace = true,
            "refinementAlgo" if value.len() == 4 => {}
            "prover" if value == "smtlib" => {}
            // How Corral works, prints or writes files; no part of the question.
            "v" | "irreducibleLoopUnroll" | "houdiniTimeLimit" => {
                number()?;
            }
            "include"
            | "ann"
            | "dislike"
            | "dumpCorralState"
            | "prevCorralState"
            | "printFinalProg"
            | "traceProgram"
            | "printHoudiniQuery"
            | "z3exe"
            | "z3opt"
            | "proverLog"
            | "newStratifiedInlining"
            | "set"
            | "special"
            | "explainQuantifiers" => {}
            "unfoldRecursion" | "dainst" | "printInstrumented" | "ignoreAssertMethod" => {
                return Some(Err(not_supported(name)));
            }
            _ => return None,
        }
        Some(Ok(()))
    }

    /// An option of Boogie. Those of the solver are passed on; the others are Boogie's own affair.
    fn read_solver_option(&mut self, option: &str) -> Result<(), Stop> {
        if let Some(("stackDepthBound", depth)) = option.split_once(':') {
            self.stack_depth = depth.parse().ok();
        } else if let Some((key, value)) = option
            .strip_prefix("proverOpt:O:")
            .and_then(|setting| setting.split_once('='))
        {
            let key = key.to_ascii_lowercase();
            if key.starts_with("smt.") {
                let value = value.trim_matches('|').to_owned();
                self.solver_options.push(SolverOption { key, value });
            }
        } else if let Some(solver) = option.strip_prefix("proverOpt:SOLVER=")
            && !solver.eq_ignore_ascii_case("z3")
        {
            self.notes
                .push(format!("Note: Lariat uses Z3 where {solver} was asked for"));
        }
        Ok(())
    }

    /// The bound that Corral works with.
    pub fn bound(&self) -> u32 {
        self.recursion_bound.unwrap_or(1).max(1)
    }

    /// The bound is only there so that there is one: the time limit ends the search.
    pub fn is_deep(&self) -> bool {
        self.bound() >= DEEP_BOUND && self.time_limit.is_some()
    }

    pub fn order(&self) -> Order<VerifyRequest> {
        let variable = match (&self.assert_variable, self.sdv && !self.instruments_asserts) {
            (Some(variable), _) => Some(variable.as_str()),
            (None, true) => Some("assertsPassed"),
            (None, false) => None,
        };
        let request = VerifyRequest {
            files: self.files.clone(),
            entries: self.main.iter().cloned().collect(),
            engine: self.engine,
            search: SearchFlags {
                contexts: Some(self.contexts.min(MOST_CONTEXTS)),
                cooperative: self.cooperative,
                interleave: self.interleave,
                summaries: self.summaries,
                track: self.track.clone(),
                ..SearchFlags::default()
            },
            unfolding: UnfoldingFlags {
                stack_depth: self.stack_depth,
                static_loop_bound: self.static_loop_bound,
                ..UnfoldingFlags::default()
            },
            bound: self.bound(),
            deepen: self.is_deep(),
            error_variable: variable.map(|variable| match self.assert_variable_is_int {
                true => variable.to_owned(),
                // It says that all assertions have passed, so its falsity is the failure.
                false => format!("!{variable}"),
            }),
            all: self.failures > 1,
            trace: match self.c_trace {
                true => TraceDetail::Source,
                false => TraceDetail::Full,
            },
            solver_options: self.solver_options.clone(),
            // Corral never asks whether axioms contradict each other; the answer says so.
            trust_axioms: true,
            ..VerifyRequest::default()
        };
        let memory = self.memory_megabytes.map(|megabytes| u64::from(megabytes) << 20);
        Order::new(request).within(self.time_limit.map(early), memory)
    }
}

/// A little less than the limit: the caller kills us when it is over.
fn early(seconds: u32) -> Duration {
    let limit = Duration::from_secs(u64::from(seconds));
    let margin = (limit / 20).clamp(Duration::from_millis(300), Duration::from_secs(10));
    limit.saturating_sub(margin)
}

fn not_supported(name: &str) -> Stop {
    Stop::Usage(format!("/{name} is not supported by Lariat"))
}

#[cfg(test)]
mod tests {
    use lariat_report::OnOff;

    use super::*;

    fn read(texts: &[&str]) -> Result<Flags, Stop> {
        let mut flags = Flags::default();
        for text in texts {
            flags.read(text)?;
        }
        Ok(flags)
    }

    #[test]
    fn an_unknown_flag_is_refused() {
        for flag in [
            "/nonsense",
            "/nonsense:3",
            "/k",
            "/k:two",
            "/trackallvars",
            "/refinementAlgo:t",
        ] {
            let message = format!("Invalid flag: {flag}");
            assert_eq!(read(&[flag]), Err(Stop::Usage(message)), "{flag}");
        }
    }

    #[test]
    fn what_changes_the_question_and_is_not_supported_is_refused() {
        let refused = read(&["/ignoreAssertMethod:p"]);
        assert!(matches!(refused, Err(Stop::Usage(message)) if message.contains("not supported")));
    }

    #[test]
    fn the_limit_is_kept_early() {
        assert_eq!(early(1200), Duration::from_secs(1190));
        assert_eq!(early(20), Duration::from_secs(19));
        assert_eq!(early(1), Duration::from_millis(700));
        let flags = read(&["/timeLimit:30", "/killAfter:20"]).expect("flags");
        assert_eq!(flags.order().time_limit(), Some(Duration::from_secs(19)));
    }

    #[test]
    fn flags_become_a_request() {
        let flags = read(&[
            "/main:p",
            "/recursionBound:4",
            "/maxStaticLoopBound:7",
            "/cex:3",
            "/trackAllVars",
            "/bopt:proverOpt:O:smt.qi.eager_threshold=100",
            "/bopt:stackDepthBound:9",
            "/alphaInterleaving:40",
        ]);
        let request = flags.expect("flags").order().request;
        assert_eq!(request.entries, ["p"]);
        assert_eq!((request.bound, request.deepen), (4, false));
        assert_eq!(request.unfolding.static_loop_bound, Some(7));
        assert!(request.all);
        assert_eq!(request.search.abstraction, OnOff::Off);
        assert_eq!(request.unfolding.stack_depth, Some(9));
        assert_eq!(request.solver_options[0].key, "smt.qi.eager_threshold");
        assert_eq!(
            (request.engine, request.search.interleave),
            (Engine::Mix, Some(40))
        );
    }

    #[test]
    fn a_bound_without_end_is_searched_step_by_step() {
        let flags = read(&["/recursionBound:65536", "/timeLimit:880"]).expect("flags");
        assert!(flags.order().request.deepen);
        let flags = read(&["/recursionBound:65536"]).expect("flags");
        assert!(!flags.order().request.deepen, "nothing would end it");
    }

    #[test]
    fn the_variable_of_assertions_is_false_where_one_fails() {
        let flags = read(&["/assertVar:ok"]).expect("flags");
        assert_eq!(flags.order().request.error_variable.as_deref(), Some("!ok"));
        let flags = read(&["/assertVar:error", "/assertVarIsInt"]).expect("flags");
        assert_eq!(flags.order().request.error_variable.as_deref(), Some("error"));
        let flags = read(&["/sdv"]).expect("flags");
        assert_eq!(
            flags.order().request.error_variable.as_deref(),
            Some("!assertsPassed")
        );
    }
}
