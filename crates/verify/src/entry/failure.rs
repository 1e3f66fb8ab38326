//! A failure in the words of the report.

use lariat_front_end::rendering;
use lariat_interp::{Replay, Standing};
use lariat_ir::{AssertId, AssertInfo, AssertKind, AttributeValue};
use lariat_passes::Goal;
use lariat_report::{Attribute, Failure, FailureKind, Location, TraceDetail, TraceLine};

use super::EntryCheck;

impl EntryCheck<'_> {
    pub(super) fn trace_lines(&self, result: &Replay) -> Vec<TraceLine> {
        self.lines(result, self.request.trace)
    }

    /// Every step, if the request wants them besides the trace.
    pub(super) fn steps(&self, result: &Replay) -> Vec<TraceLine> {
        match self.request.steps && self.request.trace != TraceDetail::Full {
            true => self.lines(result, TraceDetail::Full),
            false => Vec::new(),
        }
    }

    fn lines(&self, result: &Replay, detail: TraceDetail) -> Vec<TraceLine> {
        let lines = lariat_interp::render(
            &result.events,
            &self.front_end.program,
            &self.front_end.sources,
            self.front_end.wording(),
            detail,
        );
        lines.into_iter().map(rendering::trace_line).collect()
    }

    pub fn failure(
        &self,
        assert: Option<AssertId>,
        trace: Vec<TraceLine>,
        why_not: Option<String>,
    ) -> Failure {
        let lowered = &self.front_end.program;
        let sources = &self.front_end.sources;
        let confirmed = why_not.is_none();
        let Some(assert) = assert else {
            let (kind, message) = match &self.question.goal {
                Goal::VariableNonZero(var) => (
                    FailureKind::VariableNonzero,
                    format!(
                        "`{}` can be non-zero when `{}` returns",
                        lowered.pool.var_name(*var),
                        self.question.name
                    ),
                ),
                Goal::VariableZero(var) => (
                    FailureKind::VariableNonzero,
                    format!(
                        "`{}` can be zero or false when `{}` returns",
                        lowered.pool.var_name(*var),
                        self.question.name
                    ),
                ),
                Goal::EntryReturns => (
                    FailureKind::EntryReturns,
                    format!("`{}` can return", self.question.name),
                ),
                Goal::AssertionFails { .. } => (FailureKind::Assertion, "an assertion can fail".into()),
            };
            let span = lowered.procs[self.question.entry].span;
            let location = span.map(|span| rendering::location(sources, span));
            return Failure {
                location,
                trace,
                confirmed,
                why_not,
                ..Failure::new(kind, message)
            };
        };
        let info = &lowered.asserts[assert];
        let (kind, message) = match &info.kind {
            AssertKind::Assert => (FailureKind::Assertion, "assertion can fail".to_owned()),
            AssertKind::Requires(callee) => (
                FailureKind::Precondition,
                format!("precondition of `{callee}` can be violated"),
            ),
            AssertKind::Ensures(name) => (
                FailureKind::Postcondition,
                format!("postcondition of `{name}` can be violated"),
            ),
            AssertKind::LoopInvariant => (
                FailureKind::InvariantMaintained,
                "loop invariant can be violated".into(),
            ),
            AssertKind::LoopInvariantOnEntry => (
                FailureKind::InvariantEntry,
                "loop invariant can be violated when the loop is reached".into(),
            ),
            AssertKind::Unpack => (
                FailureKind::Assertion,
                "the value may have another constructor".into(),
            ),
            AssertKind::Check(check) => (check.failure(), check.message().to_owned()),
            AssertKind::Rule(name) => (
                FailureKind::Assertion,
                format!("the rule `{name}` can be violated"),
            ),
            AssertKind::Unsupported(reason) => (FailureKind::Assertion, reason.to_string()),
        };
        Failure {
            id: info.id.as_ref().map(|id| id.to_string()),
            assertion: self.assertion_text(info),
            attributes: self.attributes(assert),
            location: info.span.map(|span| rendering::location(sources, span)),
            trace,
            confirmed,
            why_not,
            ..Failure::new(
                kind,
                info.message.as_ref().map_or(message, |text| text.to_string()),
            )
        }
    }

    /// Of a data race both accesses, of a deadlock what each thread waits for; with the locks that they hold.
    pub(super) fn tell_of_threads(&self, failure: &mut Failure, result: &Replay) {
        if !matches!(failure.kind, FailureKind::DataRace | FailureKind::Deadlock) {
            return;
        }
        let (program, sources) = (&self.front_end.program, &self.front_end.sources);
        let standings = lariat_interp::standings(&result.events, program, sources);
        let held = |standing: &Standing| match standing.holds.is_empty() {
            true => "holding no lock".to_owned(),
            false => format!("holding {}", standing.holds.join(", ")),
        };
        let mut parts = Vec::new();
        if failure.kind == FailureKind::Deadlock {
            for standing in &standings {
                let place = standing.waits_at.map(|span| rendering::location(sources, span));
                if let (Some(waits), Some(place)) = (&standing.waits, place) {
                    parts.push(format!(
                        "thread {} waits {waits} at {place}, {}",
                        standing.thread,
                        held(standing)
                    ));
                }
            }
        } else {
            let last = result.events.last().map_or(0, |event| event.thread as usize);
            let what = |writes: bool| if writes { "writes" } else { "reads" };
            if let Some(this) = standings.get(last) {
                let writes = failure.message.contains("written");
                parts.push(format!(
                    "thread {} {} here, {}",
                    this.thread,
                    what(writes),
                    held(this)
                ));
            }
            for other in &standings {
                if let Some((span, writes)) = other.stopped {
                    let place = rendering::location(sources, span);
                    parts.push(format!(
                        "thread {} {} at {place}, {}",
                        other.thread,
                        what(writes),
                        held(other)
                    ));
                }
            }
        }
        if !parts.is_empty() {
            failure.message = format!("{}: {}", failure.kind.words(), parts.join("; "));
        }
    }

    /// Where a deadlock is: the call that the last thread waits in, or, if that has ended, the first one that somebody waits in.
    pub(super) fn deadlock_place(&self, failure: &Failure, result: &Replay) -> Option<Location> {
        if failure.kind != FailureKind::Deadlock {
            return None;
        }
        let (program, sources) = (&self.front_end.program, &self.front_end.sources);
        let standings = lariat_interp::standings(&result.events, program, sources);
        let last = result.events.last().map_or(0, |event| event.thread as usize);
        let mut places = standings.iter().filter_map(|standing| standing.waits_at);
        let own = standings.get(last).and_then(|standing| standing.waits_at);
        let place = own.or_else(|| places.next());
        place.map(|span| rendering::location(sources, span))
    }

    /// The assertion as the user wrote it, on one line.
    fn assertion_text(&self, info: &AssertInfo) -> Option<String> {
        let is_written = !matches!(info.kind, AssertKind::Check(_) | AssertKind::Unsupported(_));
        let span = info.condition_span.or(info.span).filter(|_| is_written)?;
        let source = self.front_end.sources.snippet(span);
        Some(source.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    fn attributes(&self, assert: AssertId) -> Vec<Attribute> {
        let attributes = self.front_end.program.assert_attributes.get(&assert);
        let value = |value: &AttributeValue| match value {
            AttributeValue::String(text) => text.to_string(),
            AttributeValue::Source(span) => self.front_end.sources.snippet(*span).to_owned(),
        };
        let attributes = attributes.into_iter().flatten();
        attributes
            .map(|attribute| Attribute {
                name: attribute.name.to_string(),
                values: attribute.values.iter().map(value).collect(),
            })
            .collect()
    }
}
