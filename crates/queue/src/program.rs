//! Programs that travel: which files belong to one, and where they are on the other machine.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use lariat_report::{SurveyRequest, VerifyRequest};
use lariat_worker::{Order, StopSignal, Supervisor};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::build::hexadecimal;
use crate::task::{Answer, Task, Work};

/// The files of a program, by their contents.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Program {
    /// Sorted by path.
    pub files: Vec<ProgramFile>,
    /// Folders in which headers are looked for, though nothing was found there.
    pub folders: Vec<PathBuf>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct ProgramFile {
    /// On the machine of the coordinator: absolute, without `..`.
    pub path: PathBuf,
    pub hash: String,
    pub bytes: u64,
}

impl Program {
    pub fn bytes(&self) -> u64 {
        self.files
            .iter()
            .fold(0, |sum, file| sum.saturating_add(file.bytes))
    }
}

pub(crate) fn hash_of(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

/// A task and what has to travel with it.
pub(crate) struct Packed {
    pub task: Task,
    pub contents: HashMap<String, Vec<u8>>,
    spellings: Spellings,
}

/// How the user wrote the absolute paths of a task, longest first.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Spellings(Vec<(String, String)>);

impl Packed {
    pub fn into_parts(self) -> (Task, HashMap<String, Vec<u8>>, Spellings) {
        (self.task, self.contents, self.spellings)
    }
}

/// Makes a task of work that can travel. `None`: its files cannot all be read, and whoever does the work here will say why.
pub(crate) fn pack(work: &Work, build: &str, supervisor: &Supervisor, stop: &StopSignal) -> Option<Packed> {
    let here = std::env::current_dir().ok()?;
    let place = |path: &Path| normal(&here.join(path));
    let mut work = work.clone();
    let mut paths: Vec<PathBuf> = Vec::new();
    let mut spellings = Vec::new();
    let mut folders = Vec::new();
    if let Work::Angelic(order) = &mut work {
        for rule in &mut order.request.rules {
            let path = place(Path::new(rule));
            if path.is_file() {
                spellings.push((path.to_str()?.to_owned(), rule.clone()));
                *rule = path.to_str()?.to_owned();
                paths.push(path);
            }
        }
    }
    let sources = sources(work.program()?);
    for source in &sources {
        paths.extend(
            read_for(source, work.program()?, supervisor, stop)?
                .iter()
                .map(|path| place(path)),
        );
    }
    let program = work.program_mut()?;
    for path in program.files.iter_mut().chain(&mut program.c.models) {
        let absolute = place(path);
        note_spelling(&mut spellings, &absolute, path)?;
        *path = absolute;
    }
    for folder in &mut program.c.include {
        let absolute = place(folder);
        let written = folder.to_str()?;
        spellings.push((format!("{}/", absolute.to_str()?), format!("{written}/")));
        *folder = absolute.clone();
        folders.push(absolute);
    }
    // Colours are for those who look at it; they are the same everywhere.
    paths.sort();
    paths.dedup();
    let mut contents = HashMap::new();
    let mut files = Vec::new();
    for path in paths {
        path.to_str()?;
        let text = fs::read(&path).ok()?;
        let hash = hash_of(&text);
        files.push(ProgramFile {
            path,
            hash: hash.clone(),
            bytes: text.len() as u64,
        });
        contents.insert(hash, text);
    }
    spellings.retain(|(absolute, written)| absolute != written && absolute.len() > 1);
    spellings.sort_by_key(|(absolute, _)| std::cmp::Reverse(absolute.len()));
    spellings.dedup();
    Some(Packed {
        task: Task {
            build: build.to_owned(),
            work,
            program: Program { files, folders },
        },
        contents,
        spellings: Spellings(spellings),
    })
}

fn sources(program: &VerifyRequest) -> Vec<PathBuf> {
    program.files.iter().chain(&program.c.models).cloned().collect()
}

fn note_spelling(spellings: &mut Vec<(String, String)>, absolute: &Path, written: &Path) -> Option<()> {
    spellings.push((absolute.to_str()?.to_owned(), written.to_str()?.to_owned()));
    let parent = |path: &Path| match path.parent().and_then(Path::to_str) {
        Some("") | None => String::new(),
        Some(parent) => format!("{}/", parent.trim_end_matches('/')),
    };
    spellings.push((parent(absolute), parent(written)));
    Some(())
}

/// The files that are read for one source: itself, and the headers of C.
fn read_for(
    source: &Path,
    program: &VerifyRequest,
    supervisor: &Supervisor,
    stop: &StopSignal,
) -> Option<Vec<PathBuf>> {
    let text = fs::read(source).ok()?;
    let has = |word: &str| text.windows(word.len()).any(|part| part == word.as_bytes());
    let mut read = vec![source.to_owned()];
    if program.is_c() && (has("include") || has("embed")) {
        let request = SurveyRequest {
            file: source.to_owned(),
            c: program.c.clone(),
            color: false,
        };
        let survey = supervisor
            .run(&Order::new(request), stop, &mut |_| {})
            .ok()?
            .report;
        // Without any file not even the source was read: something is wrong that whoever does the work here will find.
        if survey.read.is_empty() {
            return None;
        }
        read.extend(survey.read.iter().map(PathBuf::from));
    }
    Some(read)
}

/// Without `.` and `..`. Links are not followed: on the other machine there are none.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                normal.pop();
            }
            Component::CurDir => {}
            other => normal.push(other),
        }
    }
    normal
}

impl Spellings {
    /// The answer in the words of the user.
    pub fn apply(&self, answer: Answer) -> Result<Answer, serde_json::Error> {
        if self.0.is_empty() {
            return Ok(answer);
        }
        let text = serde_json::to_string(&answer)?;
        let pairs = self
            .0
            .iter()
            .map(|(absolute, written)| Ok((escaped(absolute)?, escaped(written)?)));
        let pairs: Vec<(String, String)> = pairs.collect::<Result<_, serde_json::Error>>()?;
        let text = replace_paths(&text, &pairs);
        serde_json::from_str(&text)
    }
}

/// As it is inside a JSON string.
fn escaped(text: &str) -> Result<String, serde_json::Error> {
    let quoted = serde_json::to_string(text)?;
    Ok(quoted[1..quoted.len() - 1].to_owned())
}

/// Replaces absolute paths where they begin: not in the middle of another path. What was put in is not replaced again.
fn replace_paths(text: &str, pairs: &[(String, String)]) -> String {
    let mut replaced = String::with_capacity(text.len());
    let mut rest = text;
    let mut before = None;
    while let Some(at) = rest.find('/') {
        before = rest[..at].chars().next_back().or(before);
        let is_inside = before.is_some_and(|c: char| c.is_alphanumeric() || "_-./".contains(c));
        replaced.push_str(&rest[..at]);
        rest = &rest[at..];
        let pair = pairs.iter().find(|(from, _)| rest.starts_with(from.as_str()));
        let (from, to) = match pair {
            Some((from, to)) if !is_inside => (from.as_str(), to.as_str()),
            _ => ("/", "/"),
        };
        replaced.push_str(to);
        before = from.chars().next_back();
        rest = &rest[from.len()..];
    }
    replaced.push_str(rest);
    replaced
}

/// A folder of its own for the files of a task; it goes with this value.
pub(crate) struct Unpacked {
    root: PathBuf,
    pub work: Work,
}

impl Drop for Unpacked {
    fn drop(&mut self) {
        // What is left behind is in the folder for temporary files.
        let _ = fs::remove_dir_all(&self.root);
    }
}

/// Why a task is not done here.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// Nobody should do it.
    Task(String),
    /// This machine cannot.
    Machine(io::Error),
}

/// Writes the files of a task below a fresh folder and makes its work point there.
pub(crate) fn unpack(
    task: &Task,
    contents: &HashMap<String, Vec<u8>>,
    number: &AtomicU64,
) -> Result<Unpacked, Refusal> {
    let name = format!(
        "lariat-task-{}-{}",
        std::process::id(),
        number.fetch_add(1, Ordering::Relaxed)
    );
    let root = std::env::temp_dir().join(name);
    // What a process of the same number left behind.
    let _ = fs::remove_dir_all(&root);
    fs::create_dir_all(&root).map_err(Refusal::Machine)?;
    let mut unpacked = Unpacked {
        root: root.clone(),
        work: task.work.clone(),
    };
    for folder in &task.program.folders {
        fs::create_dir_all(below(&root, folder)?).map_err(Refusal::Machine)?;
    }
    for file in &task.program.files {
        let path = below(&root, &file.path)?;
        let Some(text) = contents.get(&file.hash) else {
            return Err(Refusal::Task(format!("{} did not arrive", file.path.display())));
        };
        let parent = path.parent().unwrap_or(&root);
        fs::create_dir_all(parent)
            .and_then(|()| fs::write(&path, text))
            .map_err(Refusal::Machine)?;
    }
    relocate(&mut unpacked.work, &root)?;
    Ok(unpacked)
}

/// Makes all paths of the work point below `root`, and refuses what could reach anything else.
fn relocate(work: &mut Work, root: &Path) -> Result<(), Refusal> {
    let refuse = |what: String| Err(Refusal::Task(what));
    if !work.can_travel() {
        return refuse("this kind of task is done where it is asked".to_owned());
    }
    if let Work::Angelic(order) = work {
        for rule in &mut order.request.rules {
            if rule.starts_with('/') {
                *rule = below(root, Path::new(rule))?.display().to_string();
            } else if !rule.chars().all(|c| c.is_alphanumeric() || "_-".contains(c)) {
                return refuse(format!("`{rule}` is not the name of a rule"));
            }
        }
    }
    let Some(program) = work.program_mut() else {
        return refuse("there is no program".to_owned());
    };
    let c = &mut program.c;
    for path in program
        .files
        .iter_mut()
        .chain(&mut c.models)
        .chain(&mut c.include)
    {
        *path = below(root, path)?;
    }
    c.system_root = Some(root.to_owned());
    if let Some(flag) = c
        .macros
        .iter()
        .find(|flag| !flag.starts_with("-D") && !flag.starts_with("-U"))
    {
        return refuse(format!("`{flag}` defines no macro"));
    }
    let opens_files = |key: &str| {
        ["file", "log", "trace", "path"]
            .iter()
            .any(|word| key.contains(word))
    };
    if let Some(option) = program
        .solver_options
        .iter()
        .find(|option| opens_files(&option.key))
    {
        return refuse(format!(
            "the option `{}` of the solver may write files",
            option.key
        ));
    }
    Ok(())
}

/// The place of a file of the coordinator below `root`.
fn below(root: &Path, path: &Path) -> Result<PathBuf, Refusal> {
    let mut components = path.components();
    let is_absolute = components.next() == Some(Component::RootDir);
    let is_plain = components
        .clone()
        .all(|component| matches!(component, Component::Normal(_)));
    if is_absolute && is_plain {
        Ok(root.join(components.as_path()))
    } else {
        Err(Refusal::Task(format!(
            "{} is not a plain absolute path",
            path.display()
        )))
    }
}

impl Unpacked {
    /// The answer without the folder of this machine.
    pub fn answer(&self, answer: &Answer) -> Result<Answer, serde_json::Error> {
        let root = escaped(&self.root.display().to_string())?;
        let text = serde_json::to_string(answer)?;
        serde_json::from_str(&text.replace(&root, ""))
    }
}

#[cfg(test)]
mod tests {
    use lariat_report::{SolverOption, VerifyReport};
    use lariat_testkit::folder::Folder;
    use lariat_worker::{Ending, Outcome};

    use super::*;

    fn verify(files: Vec<PathBuf>) -> Work {
        Work::Verify(Box::new(Order::new(VerifyRequest::new(files))))
    }

    fn packed(work: &Work) -> Packed {
        let nobody = Supervisor::new("/nowhere", [""; 0]);
        pack(work, "build", &nobody, &StopSignal::new()).expect("the files can be read")
    }

    #[test]
    fn a_program_arrives_as_it_was_and_its_answer_comes_back_in_the_words_of_the_user() {
        let folder = Folder::with("pack", &[("sub/a.bpl", "procedure main() {}")]);
        let written = folder.path().join("sub/../sub/./a.bpl");
        let packed = packed(&verify(vec![written.clone()]));
        assert_eq!(packed.task.program.files[0].path, folder.path().join("sub/a.bpl"));
        let id = packed.task.id().expect("a name");
        let (task, contents, spellings) = packed.into_parts();
        let unpacked = unpack(&task, &contents, &AtomicU64::new(0)).expect("unpacked");
        let Work::Verify(order) = &unpacked.work else {
            panic!("{:?}", unpacked.work)
        };
        let there = order.request.files[0].clone();
        assert!(there.starts_with(&unpacked.root), "{}", there.display());
        assert_eq!(fs::read(&there).expect("a file"), b"procedure main() {}");
        let mut report = VerifyReport::new(&order.request, lariat_report::Verdict::Proved);
        report.files = vec![there.display().to_string()];
        let answer = Answer::Verify(Box::new(Outcome {
            report,
            ending: Ending::Finished,
            seconds: 0.5,
            peak_memory_bytes: 7,
            processor_seconds: None,
        }));
        let answer = unpacked
            .answer(&answer)
            .and_then(|answer| spellings.apply(answer));
        let Ok(Answer::Verify(outcome)) = answer else {
            panic!("{answer:?}")
        };
        assert_eq!(outcome.report.files, [written.display().to_string()]);
        let root = unpacked.root.clone();
        drop(unpacked);
        assert!(!root.exists());

        // Another text, another option and another build are another task.
        assert_eq!(task.id().ok(), Some(id.clone()));
        folder.write("sub/a.bpl", "procedure main() { }");
        let other = self::packed(&verify(vec![written])).task;
        assert_ne!(other.id().ok(), Some(id.clone()));
        let other = Task {
            build: "other".to_owned(),
            ..task
        };
        assert_ne!(other.id().ok(), Some(id));
    }

    #[test]
    fn a_task_reaches_nothing_but_its_folder() {
        let refused = |change: &dyn Fn(&mut Task)| {
            let mut task = Task {
                build: String::new(),
                work: verify(vec![PathBuf::from("/a.c")]),
                program: Program::default(),
            };
            change(&mut task);
            match unpack(&task, &HashMap::new(), &AtomicU64::new(1000)) {
                Err(Refusal::Task(reason)) => Some(reason),
                Err(Refusal::Machine(error)) => panic!("{error}"),
                Ok(_) => None,
            }
        };
        let program = |task: &mut Task, change: &dyn Fn(&mut VerifyRequest)| {
            change(task.work.program_mut().expect("a program"));
        };
        assert_eq!(refused(&|_| {}), None);
        let escape = PathBuf::from("/../etc/passwd");
        let reason = refused(&|task| program(task, &|program| program.files = vec![escape.clone()]));
        assert!(reason.expect("refused").contains("plain"));
        let file = ProgramFile {
            path: "x/../../y".into(),
            hash: String::new(),
            bytes: 0,
        };
        assert!(refused(&|task| task.program.files.push(file.clone())).is_some());
        let plugin = || vec!["-fplugin=/tmp/evil.so".to_owned()];
        assert!(refused(&|task| program(task, &|program| program.c.macros = plugin())).is_some());
        let log = || SolverOption {
            key: "solver.smtlib2_log".to_owned(),
            value: "/tmp/x".to_owned(),
        };
        assert!(refused(&|task| program(task, &|program| program.solver_options.push(log()))).is_some());
        let database = || Some(PathBuf::from("/c.json"));
        assert!(refused(&|task| program(task, &|program| program.c.compile_commands = database())).is_some());
    }

    #[test]
    fn a_path_inside_another_one_stays() {
        let pairs = [("/w/".to_owned(), String::new())];
        assert_eq!(replace_paths("/w/a /x/w/a \"/w/b", &pairs), "a /x/w/a \"b");
    }
}
