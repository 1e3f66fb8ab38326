//! Whether a run of a harness shows the failure that it was made for.
//!
//! The judgement rests on what the compiled program did: the marker that the harness prints, or the
//! report of a sanitizer. Kinds must agree; lines must agree where both sides mean lines of the same
//! text, which they do not in files that carry the lines of other files (`# 1 "x.h"`).

use std::path::Path;

use lariat_report::{Failure, FailureKind};

use crate::harness::process::{Run, RunEnding};
use crate::harness::source::HarnessTask;
use crate::harness::{ABORTED, ASSUMPTION, DIVERGED};
use crate::scan;

/// What was seen, for people, and whether it is the failure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Judgement {
    pub reproduced: bool,
    /// It came to an end by itself.
    pub ended: bool,
    pub text: String,
}

impl Judgement {
    fn no(text: impl Into<String>) -> Self {
        Judgement {
            reproduced: false,
            ended: true,
            text: text.into(),
        }
    }
}

/// What went wrong in a run.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Seen {
    kinds: &'static [FailureKind],
    /// For people.
    text: String,
    place: Place,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Place {
    Unknown,
    Line(u32),
    /// Lines of the file of that base name.
    In(String, u32),
    /// The address that a call returns to.
    Address(u64),
}

/// The lines on which the failing construct stands.
struct Expected {
    first: u32,
    last: u32,
}

/// Judges a run. `line_of` gives the line of the code at an address of the program.
pub fn judge(task: &HarnessTask<'_>, run: &Run, line_of: &dyn Fn(u64) -> Option<u32>) -> Judgement {
    let Some(seen) = marker(&run.messages).or_else(|| sanitizer(task, &run.messages)) else {
        return Judgement {
            ended: run.ending != RunEnding::TimeLimit,
            ..Judgement::no(ending_text(run))
        };
    };
    let failure = task.failure;
    if !seen.kinds.contains(&failure.kind) {
        return Judgement::no(format!("another failure: {}", seen.text));
    }
    let line = match seen.place {
        Place::Unknown => None,
        Place::Line(line) => Some(line),
        Place::In(ref file, line) => {
            let named = failure
                .location
                .as_ref()
                .and_then(|location| Path::new(&location.file).file_name());
            (named == Some(file.as_ref())).then_some(line)
        }
        // The call itself lies before the address that it returns to.
        Place::Address(address) => line_of(address.saturating_sub(1)),
    };
    let text = match line {
        Some(line) if !matches!(seen.place, Place::Line(_)) => format!("{} on line {line}", seen.text),
        _ => seen.text,
    };
    match (line, expected_lines(task, failure)) {
        (Some(line), Some(expected)) if line < expected.first || line > expected.last => Judgement::no(
            format!("the failure is another one: {text}, not {}", expected.first),
        ),
        _ => Judgement {
            reproduced: true,
            ended: true,
            text,
        },
    }
}

/// The lines of the failing construct, where lines can be compared.
fn expected_lines(task: &HarnessTask<'_>, failure: &Failure) -> Option<Expected> {
    let location = failure.location.as_ref()?;
    let text = &task.files[task.file_of(&location.file)?].text;
    if scan::has_line_markers(text) {
        return None;
    }
    let tokens = scan::tokens(text);
    let starts_on_line = |token: &scan::Token<'_>| token.line == location.line;
    let names: &[&str] = match failure.kind {
        FailureKind::Assertion => &["assert", "__VERIFIER_assert"],
        FailureKind::ErrorReached => &["ERROR"],
        // Of an expression only the line of its start is known.
        _ => {
            return Some(Expected {
                first: location.line,
                last: location.line,
            });
        }
    };
    let is_named = |name: &str| {
        names.contains(&name)
            || (failure.kind == FailureKind::ErrorReached && task.options.is_error_function(name))
            || (failure.kind == FailureKind::Assertion && name.contains("assert"))
    };
    // Lines are compared only if the location's line names what a run is seen by.
    let at = tokens
        .iter()
        .position(|token| starts_on_line(token) && is_named(token.text))?;
    let last = match tokens.get(at + 1) {
        Some(next) if next.text == "(" => scan::closing(&tokens, at + 1).map(|end| tokens[end].line),
        _ => None,
    };
    Some(Expected {
        first: location.line,
        last: last.unwrap_or(location.line),
    })
}

/// What the harness itself says.
fn marker(messages: &str) -> Option<Seen> {
    let at = messages.rfind("lariat: reached ")?;
    let line = messages[at..].lines().next()?;
    let words: Vec<&str> = line.split_whitespace().collect();
    let address = words
        .last()
        .and_then(|word| word.strip_prefix("0x"))
        .and_then(|digits| u64::from_str_radix(digits, 16).ok())
        .map_or(Place::Unknown, Place::Address);
    Some(match *words.get(2)? {
        "error" => {
            let name = words.get(3)?;
            let kinds: &[FailureKind] = if *name == "abort" {
                &[FailureKind::Abort]
            } else {
                // A program's own `assert` may end in an error function.
                &[FailureKind::ErrorReached, FailureKind::Assertion]
            };
            Seen {
                kinds,
                text: format!("reaches {name}"),
                place: address,
            }
        }
        "deadlock" => Seen {
            kinds: &[FailureKind::Deadlock],
            text: "all threads wait for ever".to_owned(),
            place: Place::Unknown,
        },
        "misuse" => Seen {
            kinds: &[FailureKind::LockMisuse],
            text: "misuses a lock".to_owned(),
            place: Place::Unknown,
        },
        "label" => {
            let line = words.last()?.parse().ok()?;
            Seen {
                kinds: &[FailureKind::ErrorReached],
                text: format!("reaches the label on line {line}"),
                place: Place::Line(line),
            }
        }
        "assertion" => {
            let line: u32 = words.get(5)?.parse().ok()?;
            let file = words
                .get(7)
                .and_then(|path| Path::new(path).file_name())
                .map(|name| name.to_string_lossy().into_owned());
            Seen {
                kinds: &[FailureKind::Assertion],
                text: "fails an assertion".to_owned(),
                place: match file {
                    Some(file) if line > 0 => Place::In(file, line),
                    _ => address,
                },
            }
        }
        _ => return None,
    })
}

/// What a sanitizer says first.
fn sanitizer(task: &HarnessTask<'_>, messages: &str) -> Option<Seen> {
    let at_undefined = messages.find(": runtime error: ");
    let at_address = messages.find("ERROR: AddressSanitizer: ");
    let at_leak = messages.find("ERROR: LeakSanitizer: ");
    let at_memory = messages.find("WARNING: MemorySanitizer: ");
    let at_thread = messages.find("WARNING: ThreadSanitizer: ");
    let first = [at_undefined, at_address, at_leak, at_memory, at_thread]
        .into_iter()
        .flatten()
        .min()?;
    if at_undefined == Some(first) {
        let line_start = messages[..first].rfind('\n').map_or(0, |at| at + 1);
        let message = messages[first..]
            .trim_start_matches(": runtime error: ")
            .lines()
            .next()?;
        return Some(Seen {
            kinds: undefined_kinds(message),
            text: message.to_owned(),
            place: place_of(&messages[line_start..first]),
        });
    }
    let report = &messages[first..];
    let head = report.lines().next()?;
    if at_leak == Some(first) {
        return Some(Seen {
            kinds: &[FailureKind::Leak],
            text: "leaks memory".to_owned(),
            place: Place::Unknown,
        });
    }
    let (_, what) = head.split_once("Sanitizer: ")?;
    if at_thread == Some(first) {
        return Some(Seen {
            kinds: thread_kinds(what),
            text: what.split(" (pid").next().unwrap_or(what).to_owned(),
            // Which of the two accesses comes first differs.
            place: Place::Unknown,
        });
    }
    let kinds: &[FailureKind] = if at_memory == Some(first) {
        &[FailureKind::UninitialisedUse]
    } else {
        address_kinds(what, report)
    };
    // The message without addresses, which differ from run to run.
    let words: Vec<&str> = what
        .split_whitespace()
        .take_while(|word| !matches!(*word, "on" | "in" | "(pc"))
        .collect();
    Some(Seen {
        kinds,
        text: words.join(" "),
        place: frame_in_program(task, report),
    })
}

fn undefined_kinds(message: &str) -> &'static [FailureKind] {
    const TABLE: &[(&str, &[FailureKind])] = &[
        ("division by zero", &[FailureKind::DivisionByZero]),
        ("shift", &[FailureKind::InvalidShift, FailureKind::SignedOverflow]),
        ("null pointer", &[FailureKind::NullDereference]),
        ("out of bounds", &[FailureKind::OutOfBounds]),
        ("overflow", &[FailureKind::SignedOverflow]),
        ("cannot be represented", &[FailureKind::SignedOverflow]),
        ("insufficient space", &[FailureKind::OutOfBounds]),
    ];
    TABLE
        .iter()
        .find(|(part, _)| message.contains(part))
        .map_or(&[], |(_, kinds)| kinds)
}

fn thread_kinds(what: &str) -> &'static [FailureKind] {
    match what.starts_with("data race") {
        true => &[FailureKind::DataRace],
        false => &[],
    }
}

fn address_kinds(what: &str, report: &str) -> &'static [FailureKind] {
    let first = what.split_whitespace().next().unwrap_or("");
    match first {
        "heap-use-after-free" | "stack-use-after-scope" | "stack-use-after-return" => {
            &[FailureKind::UseAfterFree]
        }
        "SEGV" if report.contains("address points to the zero page") => {
            &[FailureKind::NullDereference, FailureKind::OutOfBounds]
        }
        // A wild address is outside of every object.
        "SEGV" | "unknown-crash" | "negative-size-param:" => &[FailureKind::OutOfBounds],
        _ if what.contains("double-free") => &[FailureKind::DoubleFree],
        _ if what.contains("free on address which was not malloc") || first == "bad-free" => {
            &[FailureKind::InvalidFree]
        }
        _ if first.ends_with("-overflow") || first.ends_with("-underflow") => &[FailureKind::OutOfBounds],
        _ => &[],
    }
}

/// The innermost frame of the stack that lies in a file of the program.
fn frame_in_program(task: &HarnessTask<'_>, report: &str) -> Place {
    // The first stack is that of the failure; others show where memory comes from.
    let frames = report
        .lines()
        .skip_while(|line| !line.trim_start().starts_with('#'))
        .take_while(|line| line.trim_start().starts_with('#'));
    for frame in frames {
        let Some(place) = frame.split_whitespace().last().map(place_of) else {
            continue;
        };
        if let Place::In(file, _) = &place
            && task
                .files
                .iter()
                .any(|one| one.path.file_name() == Some(file.as_ref()))
        {
            return place;
        }
    }
    Place::Unknown
}

/// `path:line` or `path:line:column`.
fn place_of(text: &str) -> Place {
    let mut path = text;
    let mut line = None;
    while let Some((before, number)) = path.rsplit_once(':')
        && let Ok(number) = number.parse()
    {
        line = Some(number);
        path = before;
    }
    match (line, Path::new(path).file_name()) {
        (Some(line), Some(name)) => Place::In(name.to_string_lossy().into_owned(), line),
        _ => Place::Unknown,
    }
}

fn ending_text(run: &Run) -> String {
    match run.ending {
        RunEnding::Exit(ASSUMPTION) => "does not fail: an assumption is violated".to_owned(),
        RunEnding::Exit(DIVERGED) => "does not fail: the threads leave the schedule".to_owned(),
        RunEnding::Exit(ABORTED) => "does not fail: calls abort".to_owned(),
        RunEnding::Exit(code) => format!("does not fail: ends with exit code {code}"),
        RunEnding::Signal(11) => "stops with a segmentation fault".to_owned(),
        RunEnding::Signal(8) => "stops with an arithmetic exception".to_owned(),
        RunEnding::Signal(signal) => format!("stops with signal {signal}"),
        RunEnding::TimeLimit => "does not end within the time limit".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_from_their_end() {
        assert_eq!(place_of("/a/b.c:12:5"), Place::In("b.c".into(), 12));
        assert_eq!(place_of("/a:1/b.c:12"), Place::In("b.c".into(), 12));
        assert_eq!(place_of("(/usr/bin/x+0x12)"), Place::Unknown);
        assert_eq!(place_of(""), Place::Unknown);
    }

    #[test]
    fn markers_are_read() {
        let seen = marker("noise\nlariat: reached error reach_error from 0x1f\n").expect("a marker");
        assert_eq!(seen.place, Place::Address(0x1f));
        assert!(seen.kinds.contains(&FailureKind::ErrorReached));
        let seen = marker("lariat: reached assertion at line 7 of /x/y.c from 0x1\n").expect("a marker");
        assert_eq!(seen.place, Place::In("y.c".into(), 7));
        let seen = marker("lariat: reached assertion at line 0 of  from 0x1\n").expect("a marker");
        assert_eq!(seen.place, Place::Address(1));
        assert_eq!(marker("lariat: an assumption is violated"), None);
    }

    #[test]
    fn reports_of_sanitizers_have_kinds() {
        assert_eq!(
            undefined_kinds("signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'"),
            [FailureKind::SignedOverflow]
        );
        assert_eq!(
            undefined_kinds("index 5 out of bounds for type 'int [5]'"),
            [FailureKind::OutOfBounds]
        );
        assert_eq!(undefined_kinds("load of misaligned address"), []);
        assert_eq!(
            address_kinds("attempting double-free on 0x1 in thread T0:", ""),
            [FailureKind::DoubleFree]
        );
        assert_eq!(
            address_kinds("heap-buffer-overflow on address 0x1", ""),
            [FailureKind::OutOfBounds]
        );
        assert_eq!(
            address_kinds("attempting free on address which was not malloc()-ed: 0x1", ""),
            [FailureKind::InvalidFree]
        );
    }
}
