//! What the result for an entry depends on: if it is the same, so is the result.

use cranelift_entity::SecondaryMap;
use lariat_ir::{OpenEntry, ProcId, Program};
use lariat_passes::CallGraph;
use lariat_report::{AngelicRequest, Specification};
use sha2::{Digest, Sha256};

/// What a lowered program says, procedure by procedure: entries share most of what they reach.
pub struct Fingerprints<'a> {
    program: &'a Program,
    calls: &'a CallGraph,
    request: &'a AngelicRequest,
    procs: SecondaryMap<ProcId, [u8; 32]>,
    axioms: [u8; 32],
}

impl<'a> Fingerprints<'a> {
    pub fn new(program: &'a Program, calls: &'a CallGraph, request: &'a AngelicRequest) -> Self {
        let mut procs = SecondaryMap::new();
        for proc in program.procs.keys() {
            let text = without_numbers_of_assertions(&program.proc_text(proc));
            procs[proc] = Sha256::digest(text).into();
        }
        let mut axioms = Sha256::new();
        for axiom in &program.axioms {
            axioms.update(program.pool.term_text(axiom.term));
        }
        Fingerprints {
            program,
            calls,
            request,
            procs,
            axioms: axioms.finalize().into(),
        }
    }

    /// The fingerprint of an entry.
    ///
    /// Places in the text are no part of it: what moves in its file stays the same.
    pub fn of(&self, entry: &OpenEntry) -> String {
        let mut hash = Sha256::new();
        hash.update(lariat_base::this_build());
        let reachable = self.calls.reachable_from(entry.proc);
        let procs = self.program.procs.iter();
        let procs: Vec<_> = procs.filter(|(proc, _)| reachable.contains(*proc)).collect();
        let reached: Vec<&str> = procs.iter().map(|(_, proc)| &*proc.name).collect();
        for text in question(self.request, entry, &reached) {
            hash.update(text);
            hash.update([0]);
        }
        let mut digests: Vec<&[u8; 32]> = procs.iter().map(|&(proc, _)| &self.procs[proc]).collect();
        digests.sort_unstable();
        for digest in digests {
            hash.update(digest);
        }
        hash.update(self.axioms);
        let digest = hash.finalize();
        digest.iter().take(12).map(|byte| format!("{byte:02x}")).collect()
    }
}

/// Everything in the request that decides what is found for the entry and for those that it calls.
fn question(request: &AngelicRequest, entry: &OpenEntry, reached: &[&str]) -> Vec<String> {
    let program = &request.program;
    let decided = |spec: &&Specification| {
        reached.contains(&spec.entry.as_str()) && spec.status != lariat_report::SpecificationStatus::Inferred
    };
    let mut specs: Vec<String> = request
        .specifications
        .iter()
        .filter(decided)
        .map(|spec| format!("{:?} {}: {}", spec.status, spec.entry, spec.text))
        .collect();
    specs.sort_unstable();
    let mut texts = vec![
        entry.name.to_string(),
        format!("{:?}", request.vocabulary),
        format!("{:?}", request.permissiveness),
        format!(
            "{:?} {:?} {:?} {}",
            request.rules, request.typestate, request.harness, request.monitors_set
        ),
        format!("{:?} {} {:?}", program.engine, program.bound, program.c),
        format!("{:?} {:?}", request.entry_seconds, request.explain_seconds),
    ];
    texts.extend(specs);
    texts
}

/// Assertions are numbered through the whole program.
fn without_numbers_of_assertions(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        let rest = line.trim_start().strip_prefix("assert");
        let numbered = rest.filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        match numbered {
            Some(rest) => {
                out.push_str("assert");
                out.push_str(rest.trim_start_matches(|c: char| c.is_ascii_digit()));
            }
            None => out.push_str(line),
        }
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::without_numbers_of_assertions;

    #[test]
    fn only_numbers_of_assertions_go() {
        let text = "  x1 := 3\n  assert12 (= x1 3)\n  asserted := 4";
        assert_eq!(
            without_numbers_of_assertions(text),
            "  x1 := 3\nassert (= x1 3)\n  asserted := 4\n"
        );
    }
}
