//! Boogie's flags, `-name:value` or `/name:value`.
//!
//! Every flag of Boogie is known by its name. Those that change what is verified or printed are obeyed; those that only
//! tune Boogie's own machinery are accepted without effect; an unknown one is refused, as Boogie does.

use std::path::Path;

/// What is done with calls of `{:inline}` procedures.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Inlining {
    None,
    /// Beyond the depth: executions that go deeper are left out.
    #[default]
    Assume,
    /// Beyond the depth: an error.
    Assert,
    /// Beyond the depth: the contract.
    Spec,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Flags {
    pub files: Vec<String>,
    /// Patterns of the procedures to verify; none: all.
    pub procedures: Vec<String>,
    pub error_limit: usize,
    pub error_trace: bool,
    /// The values of `{:print}` are shown.
    pub enhanced_messages: bool,
    pub inlining: Inlining,
    /// `-inlineDepth:n`: with `-contractInfer`, calls of procedures with a body are inlined so deep.
    pub inline_depth: Option<u32>,
    pub loop_unroll: Option<u32>,
    pub sound_loop_unrolling: bool,
    pub contract_infer: bool,
    pub print_assignment: bool,
    /// Intervals are inferred for loops.
    pub infer_intervals: bool,
    pub infer_modifies: bool,
    pub library: bool,
    pub always_assume_free_loop_invariants: bool,
    /// Every assertion is asked about alone.
    pub split_on_every_assert: bool,
    pub prune: bool,
    /// Seconds for each procedure; 0: none.
    pub time_limit: u32,
    /// Of Z3's own count, for each procedure; 0: none.
    pub resource_limit: u32,
    /// `0`, `1` or `2`: whether what was asserted is assumed afterwards.
    pub subsumption: u32,
    pub smoke: bool,
    pub no_verify: bool,
    pub no_resolve: bool,
    pub no_typecheck: bool,
    /// Options for Z3, from `-proverOpt:O:key=value`.
    pub solver_options: Vec<(String, String)>,
    pub trace: bool,
    pub jobs: usize,
    pub use_base_name: bool,
    pub xml: bool,
}

impl Default for Flags {
    fn default() -> Self {
        Flags {
            files: Vec::new(),
            procedures: Vec::new(),
            error_limit: 5,
            error_trace: true,
            enhanced_messages: false,
            inlining: Inlining::default(),
            inline_depth: None,
            loop_unroll: None,
            sound_loop_unrolling: false,
            contract_infer: false,
            print_assignment: false,
            infer_intervals: false,
            infer_modifies: false,
            library: false,
            always_assume_free_loop_invariants: false,
            split_on_every_assert: false,
            prune: false,
            time_limit: 0,
            resource_limit: 0,
            subsumption: 2,
            smoke: false,
            no_verify: false,
            no_resolve: false,
            no_typecheck: false,
            solver_options: Vec::new(),
            trace: false,
            jobs: 1,
            use_base_name: false,
            xml: false,
        }
    }
}

/// Flags that change nothing here: they tune Boogie's prover, its encoding and its debugging output.
const WITHOUT_EFFECT: &[&str] = &[
    "nologo",
    "env",
    "wait",
    "trace",
    "traceTimes",
    "tracePOs",
    "traceverify",
    "traceCaching",
    "log",
    "break",
    "pretty",
    "print",
    "printWithUniqueIds",
    "printUnstructured",
    "printDesugared",
    "printLambdaLifting",
    "printInstrumented",
    "printInlined",
    "printPassive",
    "printPruned",
    "printSplit",
    "printSplitDeclarations",
    "printCFG",
    "printModel",
    "printModelToFile",
    "printVerifiedProceduresCount",
    "printNecessaryAssumes",
    "mv",
    "proverLog",
    "proverLogAppend",
    "proverWarnings",
    "proverMemoryLimit",
    "proverHelp",
    "prover",
    "logPrefix",
    "restartProver",
    "proverShutdownLimit",
    "platform",
    "z3opt",
    "z3multipleErrors",
    "z3types",
    "z3lets",
    "z3exe",
    "cvc4exe",
    "useArrayTheory",
    "useArrayAxioms",
    "useSmtOutputFormat",
    "typeEncoding",
    "monomorphize",
    "reflectAdd",
    "vc",
    "vcBrackets",
    "vcsMaxCost",
    "vcsMaxSplits",
    "vcsMaxKeepGoingSplits",
    "vcsKeepGoingTimeout",
    "vcsFinalAssertTimeout",
    "vcsPathJoinMult",
    "vcsPathCostMult",
    "vcsAssumeMult",
    "vcsPathSplitMult",
    "vcsDumpSplits",
    "vcsLoad",
    "liveVariableAnalysis",
    "removeEmptyBlocks",
    "coalesceBlocks",
    "verifySnapshots",
    "verifySeparately",
    "normalizeNames",
    "normalizeDeclarationOrder",
    "randomSeed",
    "randomSeedIterations",
    "randomizeVcIterations",
    "causalImplies",
    "overlookTypeErrors",
    "checkInfer",
    "instrumentInfer",
    "noinfer",
    "freeVarLambdaLifting",
    "lazyInline",
    "kInductionDepth",
    "emitDebugInformation",
    "relaxFocus",
    "smokeTimeout",
    "warnVacuousProofs",
    "trackVerificationCoverage",
    "keepQuantifier",
    "civlDesugaredFile",
    "trustMoverTypes",
    "trustNoninterference",
    "trustLayersUpto",
    "trustLayersDownto",
    "trustInvariants",
    "trustSequentialization",
    "warnNotEliminatedVars",
    "concurrentHoudini",
    "crossDependencies",
    "useUnsatCoreForContractInfer",
    "modelViewFile",
    "proverDll",
    "useSubsumption",
    "symbolNameLength",
    "bv",
    "UseUncheckedContracts",
    "extractLoops",
    "deterministicExtractLoops",
    "fixedPointEngine",
    "recursionBound",
    "attrHelp",
    "pruneLevel",
    "strictPrune",
    "noVerifyOnTypeErrors",
    "smtVerifyTimeout",
    "reverseFieldOrder",
    "secureVcGen",
    "timeLimitPerAssertionInPercent",
    "traceLimit",
];

/// Reads the arguments. What is not a flag is a file, also if it starts with `/` and there is such a file.
pub fn parse(arguments: &[String]) -> Result<Flags, String> {
    let mut flags = Flags::default();
    for argument in arguments {
        let is_flag = argument.starts_with('-') && argument.len() > 1
            || argument.starts_with('/') && !Path::new(argument).exists() && !argument[1..].contains('/')
            || argument.starts_with('/') && argument.contains(':') && !Path::new(argument).exists();
        if !is_flag {
            flags.files.push(argument.clone());
            continue;
        }
        let text = &argument[1..];
        let text = text.strip_prefix('-').unwrap_or(text);
        let (name, value) = match text.split_once(':') {
            Some((name, value)) => (name, Some(value)),
            None => (text, None),
        };
        flags.flag(name, value, argument)?;
    }
    Ok(flags)
}

impl Flags {
    fn flag(&mut self, name: &str, value: Option<&str>, argument: &str) -> Result<(), String> {
        let number = || -> Result<u32, String> {
            let bad = || {
                format!(
                    "Invalid argument \"{}\" to option {argument}",
                    value.unwrap_or("")
                )
            };
            value.ok_or_else(bad)?.parse().map_err(|_| bad())
        };
        let is_on = || match value {
            None => Ok(true),
            Some(_) => number().map(|number| number != 0),
        };
        match name {
            "proc" => self.procedures.push(value.unwrap_or_default().to_owned()),
            "errorLimit" => self.error_limit = number()? as usize,
            "errorTrace" => self.error_trace = number()? != 0,
            "inline" => {
                self.inlining = match value {
                    Some("none") => Inlining::None,
                    Some("assume" | "a") => Inlining::Assume,
                    Some("assert") => Inlining::Assert,
                    Some("spec") => Inlining::Spec,
                    _ => return Err(format!("Invalid argument to option {argument}")),
                }
            }
            "enhancedErrorMessages" => self.enhanced_messages = is_on()?,
            "inlineDepth" => self.inline_depth = Some(number()?),
            "loopUnroll" => self.loop_unroll = Some(number()?),
            "soundLoopUnrolling" => self.sound_loop_unrolling = true,
            "contractInfer" => self.contract_infer = true,
            "printAssignment" => self.print_assignment = true,
            "infer" => self.infer_intervals = value.is_none_or(|value| value.contains('j')),
            "inferModifies" => self.infer_modifies = true,
            "lib" => self.library = true,
            "alwaysAssumeFreeLoopInvariants" => self.always_assume_free_loop_invariants = true,
            "vcsSplitOnEveryAssert" => self.split_on_every_assert = is_on()?,
            "prune" => self.prune = is_on()?,
            "timeLimit" => self.time_limit = number()?,
            "rlimit" => self.resource_limit = number()?,
            "subsumption" => self.subsumption = number()?,
            "smoke" => self.smoke = true,
            "noVerify" => self.no_verify = true,
            "noResolve" => self.no_resolve = true,
            "noTypecheck" => self.no_typecheck = true,
            "proverOpt" | "p" => self.prover_option(value.unwrap_or_default()),
            "vcsCores" => self.jobs = (number()? as usize).max(1),
            "useBaseNameForFileName" => self.use_base_name = true,
            "xml" => self.xml = true,
            _ if WITHOUT_EFFECT.contains(&name) => {}
            _ => {
                return Err(format!(
                    "'{argument}': Filename extension '' is not supported. Input files must be BoogiePL programs \
                     (.bpl)."
                ));
            }
        }
        Ok(())
    }

    /// `O:key=value` is an option of Z3; what else Boogie's provers understand changes nothing here.
    fn prover_option(&mut self, value: &str) {
        let option = value.strip_prefix("O:").or_else(|| value.strip_prefix("O="));
        if let Some((key, value)) = option.and_then(|option| option.split_once('=')) {
            self.solver_options.push((key.to_owned(), value.to_owned()));
        }
    }

    /// Whether the patterns select a procedure.
    pub fn selects(&self, name: &str) -> bool {
        self.procedures.is_empty()
            || self
                .procedures
                .iter()
                .any(|pattern| lariat_base::names::matches_pattern(pattern, name))
    }
}
