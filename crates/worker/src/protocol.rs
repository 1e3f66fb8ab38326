//! The messages between parent and child: one JSON value on a line.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::panic::PanicHookInfo;
use std::time::{Duration, SystemTime};

use lariat_base::Budget;
use lariat_report::{Progress, VerifyReport, VerifyRequest};
use serde::{Deserialize, Serialize};

/// A child that seems to have taken longer to start was started by a clock that was set.
const MOST_START_TIME: Duration = Duration::from_secs(2);

/// The parent's only message.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Order<R = VerifyRequest> {
    pub request: R,
    pub time_limit_seconds: Option<f64>,
    /// Limit of resident memory.
    pub memory_limit_bytes: Option<u64>,
    /// When the child was started, in seconds of the system's clock: its time counts from then.
    #[serde(default)]
    pub sent_at: Option<f64>,
    /// The child's share of the cores, if others run beside it.
    #[serde(default)]
    pub cores: Option<usize>,
}

impl<R> Order<R> {
    /// An order without limits.
    pub fn new(request: R) -> Self {
        Order {
            request,
            time_limit_seconds: None,
            memory_limit_bytes: None,
            sent_at: None,
            cores: None,
        }
    }

    /// The same order with these limits.
    pub fn within(self, time: Option<Duration>, memory_bytes: Option<u64>) -> Self {
        Order {
            time_limit_seconds: time.map(|limit| limit.as_secs_f64()),
            memory_limit_bytes: memory_bytes,
            ..self
        }
    }

    pub fn time_limit(&self) -> Option<Duration> {
        self.time_limit_seconds
            .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
    }

    /// The seconds of the system's clock.
    pub(crate) fn clock() -> f64 {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        now.map_or(0.0, |time| time.as_secs_f64())
    }

    /// What is left of the limits.
    pub(crate) fn budget(&self) -> Budget {
        // A clock that was set meanwhile says nothing.
        let gone = self.sent_at.map_or(0.0, |sent| Self::clock() - sent);
        let gone = Duration::try_from_secs_f64(gone)
            .unwrap_or_default()
            .min(MOST_START_TIME);
        let left = self.time_limit().map(|limit| limit.saturating_sub(gone));
        // The parent kills a child at the limit; it stops itself a little before.
        let memory = self.memory_limit_bytes.map(|limit| limit - limit / 20);
        let budget = Budget::new(left, memory);
        match self.cores {
            Some(cores) => budget.with_cores(cores),
            None => budget,
        }
    }
}

/// A message of the child. Nothing follows `Final` and `Panic`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Message<R = VerifyReport> {
    Progress(Progress<R>),
    Final(Box<R>),
    Panic(PanicReport),
}

/// A panic of the work: our own bug.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PanicReport {
    pub message: String,
    /// `file:line:column` in our own source.
    pub location: Option<String>,
    pub backtrace: Option<String>,
}

impl PanicReport {
    /// What a panic hook knows, with the backtrace if the user wants one (`RUST_BACKTRACE`).
    pub fn new(info: &PanicHookInfo<'_>) -> Self {
        let payload = info.payload();
        let message = match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
            (Some(text), _) => (*text).to_owned(),
            (None, Some(text)) => text.clone(),
            (None, None) => "a panic without a message".to_owned(),
        };
        let backtrace = Backtrace::capture();
        PanicReport {
            message,
            location: info.location().map(ToString::to_string),
            backtrace: (backtrace.status() == BacktraceStatus::Captured).then(|| backtrace.to_string()),
        }
    }
}
