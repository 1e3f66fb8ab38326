//! The loop of the server: messages of the editor, and news of jobs.

use std::collections::HashMap;

use crossbeam_channel::{Receiver, select, unbounded};
use lariat_report::{Verdict, VerifyReport, VerifyRequest};
use lariat_worker::Supervisor;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidCloseTextDocument, DidOpenTextDocument, DidSaveTextDocument, LogMessage,
    Notification as _, Progress, PublishDiagnostics, WorkDoneProgressCancel,
};
use lsp_types::request::{
    CodeActionRequest, CodeLensRequest, DocumentSymbolRequest, ExecuteCommand, GotoDefinition, HoverRequest,
    Request as _, ShowDocument, WorkDoneProgressCreate,
};
use lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionProviderCapability, CodeLensOptions, ExecuteCommandOptions,
    HoverProviderCapability, InitializeParams, LogMessageParams, MessageType, NumberOrString, OneOf,
    ProgressParams, ProgressParamsValue, PublishDiagnosticsParams, SaveOptions, ServerCapabilities,
    ShowDocumentParams, TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions,
    TextDocumentSyncSaveOptions, Uri, WorkDoneProgress, WorkDoneProgressBegin, WorkDoneProgressCreateParams,
    WorkDoneProgressEnd, WorkDoneProgressReport,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::convert;
use crate::document::Document;
use crate::jobs::{Goal, Job, News, Starter};
use crate::specs;
use crate::text::Language;

pub const VERIFY: &str = "lariat.verify";
const CANCEL: &str = "lariat.cancel";
pub const SHOW: &str = "lariat.showExecution";

/// What the binary gives the server.
pub struct Options {
    /// Starts the processes that verify.
    pub supervisor: Supervisor,
    /// What every job asks, besides its file and entry.
    pub request: VerifyRequest,
    /// For one job.
    pub seconds: f64,
    /// Verify on open and on save, not only on demand.
    pub verify_on_save: bool,
    /// Makes a page of a result.
    pub page: Box<dyn Fn(&VerifyReport) -> String>,
}

/// Serves an editor until it says that it ends.
pub fn serve(connection: &Connection, options: Options) -> Result<(), String> {
    let capabilities = serde_json::to_value(capabilities()).map_err(|error| error.to_string())?;
    let (id, parameters) = connection.initialize_start().map_err(|error| error.to_string())?;
    let result = json!({
        "capabilities": capabilities,
        "serverInfo": { "name": "lariat", "version": env!("CARGO_PKG_VERSION") },
    });
    connection
        .initialize_finish(id, result)
        .map_err(|error| error.to_string())?;
    let parameters: InitializeParams = serde_json::from_value(parameters).unwrap_or_default();
    let wants = |name: &str| parameters.initialization_options.as_ref()?.get(name).cloned();
    let (sender, news) = unbounded();
    let window = parameters.capabilities.window.as_ref();
    let mut server = Server {
        connection,
        verify_on_save: wants("verifyOnSave")
            .and_then(|it| it.as_bool())
            .unwrap_or(options.verify_on_save),
        has_progress: window.and_then(|it| it.work_done_progress).unwrap_or(false),
        starter: Starter {
            supervisor: options.supervisor,
            request: options.request,
            seconds: wants("timeLimit")
                .and_then(|it| it.as_f64())
                .unwrap_or(options.seconds),
            news: sender,
        },
        page: options.page,
        documents: HashMap::new(),
        jobs: Vec::new(),
        last_id: 0,
    };
    let result = server.run(&news);
    for job in &server.jobs {
        job.cancel();
    }
    result
}

fn capabilities() -> ServerCapabilities {
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::FULL),
            save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions {
                include_text: Some(true),
            })),
            ..TextDocumentSyncOptions::default()
        })),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        code_lens_provider: Some(CodeLensOptions {
            resolve_provider: Some(false),
        }),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![CodeActionKind::QUICKFIX]),
            ..CodeActionOptions::default()
        })),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: [VERIFY, CANCEL, SHOW].map(str::to_owned).to_vec(),
            ..ExecuteCommandOptions::default()
        }),
        ..ServerCapabilities::default()
    }
}

struct Server<'c> {
    connection: &'c Connection,
    verify_on_save: bool,
    has_progress: bool,
    starter: Starter,
    page: Box<dyn Fn(&VerifyReport) -> String>,
    documents: HashMap<String, Document>,
    jobs: Vec<Job>,
    last_id: u64,
}

impl Server<'_> {
    fn run(&mut self, news: &Receiver<News>) -> Result<(), String> {
        loop {
            select! {
                recv(self.connection.receiver) -> message => match message {
                    Err(_) => return Ok(()),
                    Ok(Message::Request(request)) => {
                        if self.connection.handle_shutdown(&request).map_err(|error| error.to_string())? {
                            return Ok(());
                        }
                        self.request(request);
                    }
                    Ok(Message::Notification(notification)) => self.notification(notification),
                    Ok(Message::Response(_)) => {}
                },
                recv(news) -> news => if let Ok(news) = news {
                    self.news(news);
                },
            }
        }
    }

    // ---- what the editor asks ------------------------------------------------------------------------------------------

    fn request(&mut self, request: Request) {
        let id = request.id.clone();
        let answer = match request.method.as_str() {
            HoverRequest::METHOD => self.asked(request, |server, it: lsp_types::HoverParams| {
                let place = it.text_document_position_params;
                json!(
                    server
                        .document(&place.text_document.uri)
                        .and_then(|it| it.hover(place.position))
                )
            }),
            GotoDefinition::METHOD => self.asked(request, |server, it: lsp_types::GotoDefinitionParams| {
                let place = it.text_document_position_params;
                json!(
                    server
                        .document(&place.text_document.uri)
                        .and_then(|it| it.definition(&place.text_document.uri, place.position))
                )
            }),
            DocumentSymbolRequest::METHOD => {
                self.asked(request, |server, it: lsp_types::DocumentSymbolParams| {
                    json!(server.document(&it.text_document.uri).and_then(Document::symbols))
                })
            }
            CodeLensRequest::METHOD => self.asked(request, |server, it: lsp_types::CodeLensParams| {
                json!(
                    server
                        .document(&it.text_document.uri)
                        .map(|document| document.lenses(&it.text_document.uri))
                )
            }),
            CodeActionRequest::METHOD => self.asked(request, |server, it: lsp_types::CodeActionParams| {
                json!(server.actions(&it.text_document.uri, it.range))
            }),
            ExecuteCommand::METHOD => self.asked(request, |server, it: lsp_types::ExecuteCommandParams| {
                server.command(&it.command, &it.arguments)
            }),
            method => Err((ErrorCode::MethodNotFound, format!("there is no `{method}`"))),
        };
        let response = match answer {
            Ok(value) => Response::new_ok(id, value),
            Err((code, message)) => Response::new_err(id, code as i32, message),
        };
        self.send(Message::Response(response));
    }

    fn asked<P: DeserializeOwned>(
        &mut self,
        request: Request,
        answer: impl FnOnce(&mut Self, P) -> Value,
    ) -> Result<Value, (ErrorCode, String)> {
        match serde_json::from_value(request.params) {
            Ok(parameters) => Ok(answer(self, parameters)),
            Err(error) => Err((ErrorCode::InvalidParams, error.to_string())),
        }
    }

    fn notification(&mut self, notification: Notification) {
        let parameters = notification.params;
        match notification.method.as_str() {
            DidOpenTextDocument::METHOD => {
                let Some(it) = read::<lsp_types::DidOpenTextDocumentParams>(parameters) else {
                    return;
                };
                let item = it.text_document;
                let Some(path) = convert::path(&item.uri) else {
                    return;
                };
                let document = Document {
                    language: Language::of(&path),
                    path,
                    text: item.text,
                    version: item.version,
                    entries: HashMap::new(),
                    report: None,
                };
                self.documents.insert(item.uri.as_str().to_owned(), document);
                self.check(&item.uri);
            }
            DidChangeTextDocument::METHOD => {
                let Some(it) = read::<lsp_types::DidChangeTextDocumentParams>(parameters) else {
                    return;
                };
                let uri = it.text_document.uri;
                // What runs is about a text that is gone.
                self.cancel(|job| job.uri == uri);
                if let (Some(document), Some(change)) = (
                    self.documents.get_mut(uri.as_str()),
                    it.content_changes.into_iter().last(),
                ) {
                    document.text = change.text;
                    document.version = it.text_document.version;
                    document.entries.clear();
                    document.report = None;
                }
            }
            DidSaveTextDocument::METHOD => {
                let Some(it) = read::<lsp_types::DidSaveTextDocumentParams>(parameters) else {
                    return;
                };
                self.check(&it.text_document.uri);
            }
            DidCloseTextDocument::METHOD => {
                let Some(it) = read::<lsp_types::DidCloseTextDocumentParams>(parameters) else {
                    return;
                };
                let uri = it.text_document.uri;
                self.cancel(|job| job.uri == uri);
                self.documents.remove(uri.as_str());
                self.publish(&uri, Vec::new(), None);
            }
            WorkDoneProgressCancel::METHOD => {
                let Some(it) = read::<lsp_types::WorkDoneProgressCancelParams>(parameters) else {
                    return;
                };
                self.cancel(|job| token(job.id) == it.token);
            }
            _ => {}
        }
    }

    /// Syntax and types first; verification follows when they are known.
    fn check(&mut self, uri: &Uri) {
        self.cancel(|job| job.uri == *uri);
        if self
            .documents
            .get(uri.as_str())
            .is_some_and(|it| matches!(it.language, Some(Language::C | Language::Boogie)))
        {
            self.start(uri, Goal::Check);
        }
    }

    fn start(&mut self, uri: &Uri, goal: Goal) {
        let Some(document) = self.documents.get(uri.as_str()) else {
            return;
        };
        self.last_id += 1;
        let id = self.last_id;
        let title = match &goal {
            Goal::Check => None,
            Goal::Verify { entry: Some(entry) } => Some(format!("Verifying {entry}")),
            Goal::Verify { entry: None } => Some("Verifying".to_owned()),
        };
        let job = self
            .starter
            .start(id, uri.clone(), document.version, &document.path, goal);
        self.jobs.push(job);
        if let Some(title) = title.filter(|_| self.has_progress) {
            let create = WorkDoneProgressCreateParams { token: token(id) };
            self.ask::<WorkDoneProgressCreate>(id, create);
            self.progress(
                id,
                WorkDoneProgress::Begin(WorkDoneProgressBegin {
                    title,
                    cancellable: Some(true),
                    ..WorkDoneProgressBegin::default()
                }),
            );
        }
    }

    fn cancel(&mut self, which: impl Fn(&Job) -> bool) {
        let (ended, going): (Vec<Job>, Vec<Job>) =
            std::mem::take(&mut self.jobs).into_iter().partition(which);
        self.jobs = going;
        for job in ended {
            job.cancel();
            self.end_progress(&job, "cancelled");
        }
    }

    fn end_progress(&self, job: &Job, message: &str) {
        if self.has_progress && job.goal != Goal::Check {
            let message = Some(message.to_owned());
            self.progress(job.id, WorkDoneProgress::End(WorkDoneProgressEnd { message }));
        }
    }

    // ---- what jobs tell ------------------------------------------------------------------------------------------------

    fn news(&mut self, news: News) {
        match news {
            News::Progress { job, words } => {
                let is_shown = |it: &&Job| it.id == job && it.goal != Goal::Check;
                if self.has_progress && self.jobs.iter().any(|it| is_shown(&it)) {
                    let report = WorkDoneProgressReport {
                        cancellable: Some(true),
                        message: Some(words),
                        percentage: None,
                    };
                    self.progress(job, WorkDoneProgress::Report(report));
                }
            }
            News::Done { job, report, problem } => {
                let Some(index) = self.jobs.iter().position(|it| it.id == job) else {
                    return;
                };
                let job = self.jobs.remove(index);
                let words = report.as_ref().map_or("ended", |report| report.verdict.word());
                self.end_progress(&job, words);
                if let Some(message) = problem {
                    self.log(&message);
                }
                if let Some(report) = report {
                    self.show(&job, report);
                }
            }
        }
    }

    fn show(&mut self, job: &Job, report: Box<VerifyReport>) {
        let Some(document) = self.documents.get_mut(job.uri.as_str()) else {
            return;
        };
        if document.version != job.version {
            return;
        }
        let job_path = document.path.clone();
        // A function without `main` is no error of a file in an editor.
        let mut diagnostics = convert::diagnostics(&report, &document.path, &document.text);
        let is_no_entry =
            |it: &lsp_types::Diagnostic| it.code == Some(NumberOrString::String("no-entry".to_owned()));
        let has_entry = !diagnostics.iter().any(is_no_entry);
        diagnostics.retain(|it| !is_no_entry(it));
        let is_accepted = report.verdict == Verdict::Accepted;
        let specs_path = specs::specs_path(&document.path);
        let assumed = self
            .text_of(&specs_path)
            .map(|(_, text)| specs::hints(&text, &job_path));
        let Some(document) = self.documents.get_mut(job.uri.as_str()) else {
            return;
        };
        if job.goal != Goal::Check && has_entry {
            for entry in &report.entries {
                document.entries.insert(entry.entry.clone(), entry.clone());
            }
            document.report = Some(report);
        }
        let version = document.version;
        // Failures of other functions stay.
        if let Goal::Verify { entry: Some(_) } = job.goal {
            let (path, text) = (&document.path, &document.text);
            let others = document.entries.values().flat_map(|entry| &entry.failures);
            let known: Vec<lsp_types::Diagnostic> = others
                .filter(|it| it.location.as_ref().is_none_or(|place| place.file == *path))
                .map(|it| convert::failure(it, Some(text)))
                .collect();
            diagnostics.extend(known);
            diagnostics.sort_by_key(|it| (it.range.start.line, it.range.start.character, it.message.clone()));
            diagnostics.dedup();
        }
        diagnostics.extend(assumed.unwrap_or_default());
        self.publish(&job.uri, diagnostics, Some(version));
        self.publish_status(&job.uri);
        if job.goal == Goal::Check && is_accepted && self.verify_on_save && self.has_main(&job.uri) {
            self.start(&job.uri, Goal::Verify { entry: None });
        }
    }

    fn has_main(&self, uri: &Uri) -> bool {
        self.documents.get(uri.as_str()).is_some_and(|document| {
            let functions = document.functions();
            document.text.contains("{:entrypoint}") || functions.iter().any(|symbol| symbol.name == "main")
        })
    }

    fn document(&self, uri: &Uri) -> Option<&Document> {
        self.documents.get(uri.as_str())
    }

    /// A file as the editor has it, or else as it is on the disk, with its address.
    fn text_of(&self, path: &str) -> Option<(Uri, String)> {
        let open = self.documents.iter().find(|(_, document)| document.path == path);
        match open {
            Some((uri, document)) => Some((uri.parse().ok()?, document.text.clone())),
            None => Some((convert::uri(path)?, std::fs::read_to_string(path).ok()?)),
        }
    }

    // ---- answers -------------------------------------------------------------------------------------------------------

    /// What can be decided about specifications at a place: in their file, or in the program.
    fn actions(&self, uri: &Uri, range: lsp_types::Range) -> Vec<lsp_types::CodeActionOrCommand> {
        let Some(document) = self.document(uri) else {
            return Vec::new();
        };
        if specs::is_specs_file(&document.path) {
            return specs::actions_in_file(uri, &document.text, range);
        }
        match self.text_of(&specs::specs_path(&document.path)) {
            Some((specs_uri, text)) => specs::actions_in_program(&specs_uri, &text, &document.path, range),
            None => Vec::new(),
        }
    }

    fn command(&mut self, name: &str, arguments: &[Value]) -> Value {
        let uri: Option<Uri> = arguments
            .first()
            .and_then(|it| serde_json::from_value(it.clone()).ok());
        match (name, uri) {
            (VERIFY, Some(uri)) => {
                let entry = arguments.get(1).and_then(Value::as_str).map(str::to_owned);
                self.cancel(|job| job.uri == uri);
                self.start(&uri, Goal::Verify { entry });
            }
            (CANCEL, None) => self.cancel(|_| true),
            (CANCEL, Some(uri)) => self.cancel(|job| job.uri == uri),
            (SHOW, Some(uri)) => return self.show_page(&uri),
            _ => {}
        }
        Value::Null
    }

    /// Writes the page of the last result, asks the editor to open it, and returns its address.
    fn show_page(&mut self, uri: &Uri) -> Value {
        let document = self.documents.get(uri.as_str());
        let Some(report) = document.and_then(|document| document.report.as_deref()) else {
            return Value::Null;
        };
        let page = (self.page)(report);
        let path = std::env::temp_dir().join(format!("lariat-{}.html", std::process::id()));
        if let Err(error) = std::fs::write(&path, page) {
            self.log(&format!("cannot write {}: {error}", path.display()));
            return Value::Null;
        }
        let Some(address) = convert::uri(&path.display().to_string()) else {
            return Value::Null;
        };
        self.last_id += 1;
        let parameters = ShowDocumentParams {
            uri: address.clone(),
            external: Some(true),
            take_focus: Some(true),
            selection: None,
        };
        self.ask::<ShowDocument>(self.last_id, parameters);
        json!(address)
    }

    // ---- sending -------------------------------------------------------------------------------------------------------

    fn publish(&self, uri: &Uri, diagnostics: Vec<lsp_types::Diagnostic>, version: Option<i32>) {
        self.tell::<PublishDiagnostics>(PublishDiagnosticsParams::new(uri.clone(), diagnostics, version));
    }

    /// The verdict of each function, for marks beside the lines.
    fn publish_status(&self, uri: &Uri) {
        let Some(document) = self.documents.get(uri.as_str()) else {
            return;
        };
        let functions: Vec<Value> = document
            .functions()
            .iter()
            .filter_map(|symbol| {
                let entry = document.entries.get(&symbol.name)?;
                let line = convert::position(&document.text, symbol.range.start).line;
                Some(json!({
                    "name": symbol.name,
                    "line": line,
                    "verdict": entry.verdict.word(),
                    "words": convert::entry_words(entry),
                }))
            })
            .collect();
        let parameters = json!({ "uri": uri, "functions": functions });
        self.send(Message::Notification(Notification::new(
            "lariat/status".to_owned(),
            parameters,
        )));
    }

    fn progress(&self, id: u64, progress: WorkDoneProgress) {
        self.tell::<Progress>(ProgressParams {
            token: token(id),
            value: ProgressParamsValue::WorkDone(progress),
        });
    }

    fn log(&self, message: &str) {
        self.tell::<LogMessage>(LogMessageParams {
            typ: MessageType::ERROR,
            message: message.to_owned(),
        });
    }

    fn tell<N: lsp_types::notification::Notification>(&self, parameters: N::Params) {
        self.send(Message::Notification(Notification::new(
            N::METHOD.to_owned(),
            parameters,
        )));
    }

    fn ask<R: lsp_types::request::Request>(&self, id: u64, parameters: R::Params) {
        let id = RequestId::from(format!("lariat-{id}"));
        self.send(Message::Request(Request::new(
            id,
            R::METHOD.to_owned(),
            parameters,
        )));
    }

    /// An editor that has ended needs no message.
    fn send(&self, message: Message) {
        let _ = self.connection.sender.send(message);
    }
}

fn read<P: DeserializeOwned>(parameters: Value) -> Option<P> {
    serde_json::from_value(parameters).ok()
}

fn token(id: u64) -> NumberOrString {
    NumberOrString::String(format!("lariat-{id}"))
}
