//! Verification in the background: a thread and a child process for each job.

use std::path::PathBuf;
use std::thread;

use crossbeam_channel::Sender;
use lariat_report::{ProgressUpdate, VerifyReport, VerifyRequest};
use lariat_worker::{Ending, Observation, Order, StopSignal, Supervisor};
use lsp_types::Uri;

/// What a job is for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Goal {
    /// Syntax and types.
    Check,
    /// The program, or one function.
    Verify { entry: Option<String> },
}

/// What a job tells the server.
pub enum News {
    Progress {
        job: u64,
        words: String,
    },
    Done {
        job: u64,
        report: Option<Box<VerifyReport>>,
        problem: Option<String>,
    },
}

/// A job that runs.
pub struct Job {
    pub id: u64,
    pub uri: Uri,
    pub version: i32,
    pub goal: Goal,
    stop: StopSignal,
}

impl Job {
    /// Ends its process at once.
    pub fn cancel(&self) {
        self.stop.request();
        self.stop.request();
    }
}

/// How jobs are started.
pub struct Starter {
    pub supervisor: Supervisor,
    pub request: VerifyRequest,
    pub seconds: f64,
    pub news: Sender<News>,
}

impl Starter {
    pub fn start(&self, id: u64, uri: Uri, version: i32, path: &str, goal: Goal) -> Job {
        let mut request = self.request.clone();
        request.files = vec![PathBuf::from(path)];
        request.front_end_only = goal == Goal::Check;
        request.deepen = request.is_c();
        if let Goal::Verify { entry: Some(entry) } = &goal {
            request.entries = vec![entry.clone()];
        }
        let limit = std::time::Duration::try_from_secs_f64(self.seconds).ok();
        let order = Order::new(request).within(limit, None);
        let stop = StopSignal::new();
        let (supervisor, news, own_stop) = (self.supervisor.clone(), self.news.clone(), stop.clone());
        thread::spawn(move || {
            let result = supervisor.run(&order, &own_stop, &mut |observation| {
                if let Observation::Update(update) = observation {
                    // The server may have ended.
                    let _ = news.send(News::Progress {
                        job: id,
                        words: words(&update),
                    });
                }
            });
            let done = match result {
                _ if own_stop.is_requested() => News::Done {
                    job: id,
                    report: None,
                    problem: None,
                },
                Ok(outcome) => News::Done {
                    job: id,
                    problem: match &outcome.ending {
                        Ending::Panicked(panic) => Some(format!("a bug in Lariat: {}", panic.message)),
                        _ => None,
                    },
                    report: Some(Box::new(outcome.report)),
                },
                Err(error) => News::Done {
                    job: id,
                    report: None,
                    problem: Some(format!(
                        "the process that does the work cannot be started: {error}"
                    )),
                },
            };
            let _ = news.send(done);
        });
        Job {
            id,
            uri,
            version,
            goal,
            stop,
        }
    }
}

/// `solving main, bound 3`.
fn words(update: &ProgressUpdate) -> String {
    let mut words = update.phase.text().to_owned();
    if let Some(subject) = &update.subject {
        words.push(' ');
        words.push_str(subject);
    }
    for figure in &update.figures {
        if let lariat_report::Figure::Bound(bound) = figure {
            words.push_str(&format!(", bound {bound}"));
        }
    }
    words
}
