//! Reports in the terms of the protocol.

use lariat_report::{
    DiagnosticReport, EntryReport, Failure, Location, Severity, TraceKind, Verdict, VerifyReport,
};
use lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, NumberOrString, Position, Range, Uri,
};

/// Steps of an execution that are shown with a diagnostic.
const MAX_RELATED: usize = 60;

/// The position of an offset. Characters are counted in UTF-16, as the protocol does.
pub fn position(text: &str, offset: usize) -> Position {
    let offset = (0..=offset.min(text.len()))
        .rev()
        .find(|&at| text.is_char_boundary(at))
        .unwrap_or(0);
    let before = &text[..offset];
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.bytes().filter(|&byte| byte == b'\n').count();
    let character: usize = before[start..].chars().map(char::len_utf16).sum();
    Position::new(line as u32, character as u32)
}

/// The offset of a position; the end of the line or of the text if there is no such place.
pub fn offset(text: &str, position: Position) -> usize {
    let mut lines = text.split_inclusive('\n');
    let start: usize = lines.by_ref().take(position.line as usize).map(str::len).sum();
    let line = lines.next().unwrap_or("").trim_end_matches('\n');
    let mut units = 0;
    for (index, c) in line.char_indices() {
        if units >= position.character as usize {
            return start + index;
        }
        units += c.len_utf16();
    }
    start + line.len()
}

/// The place of a report, up to the end of the word there.
pub fn range(place: &Location, text: Option<&str>) -> Range {
    let line = place.line.saturating_sub(1);
    let Some(text) = text.and_then(|text| text.lines().nth(line as usize)) else {
        let start = Position::new(line, place.column.saturating_sub(1));
        return Range::new(start, start);
    };
    let units = |chars: &str| chars.chars().map(char::len_utf16).sum::<usize>() as u32;
    let column = place.column.saturating_sub(1) as usize;
    let from = text
        .char_indices()
        .nth(column)
        .map_or(text.len(), |(index, _)| index);
    let rest = &text[from..];
    let word = rest
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(rest.len());
    let first = rest.chars().next().map_or(0, char::len_utf8);
    let end = from + word.max(first);
    Range::new(
        Position::new(line, units(&text[..from])),
        Position::new(line, units(&text[..end])),
    )
}

/// `file:///a/b.c`.
pub fn uri(path: &str) -> Option<Uri> {
    let path = std::path::absolute(path).ok()?;
    let mut text = String::from("file://");
    for byte in path.to_str()?.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            text.push(char::from(byte));
        } else {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    text.parse().ok()
}

/// The path of a file's address.
pub fn path(uri: &Uri) -> Option<String> {
    let rest = uri.as_str().strip_prefix("file://")?;
    let mut bytes = Vec::new();
    let mut input = rest.bytes();
    while let Some(byte) = input.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = [input.next()?, input.next()?];
        bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
    }
    String::from_utf8(bytes).ok()
}

fn diagnostic(range: Range, severity: DiagnosticSeverity, code: &str, message: String) -> Diagnostic {
    Diagnostic {
        range,
        severity: Some(severity),
        code: Some(NumberOrString::String(code.to_owned())),
        source: Some("lariat".to_owned()),
        message,
        ..Diagnostic::default()
    }
}

/// A message about the input.
pub fn input_message(message: &DiagnosticReport, text: Option<&str>) -> Diagnostic {
    let severity = match message.severity {
        Severity::Error => DiagnosticSeverity::ERROR,
        Severity::Warning => DiagnosticSeverity::WARNING,
        Severity::Note => DiagnosticSeverity::INFORMATION,
    };
    let mut words = message.message.clone();
    for more in [&message.label, &message.hint].into_iter().flatten() {
        words.push('\n');
        words.push_str(more);
    }
    let range = message
        .location
        .as_ref()
        .map(|place| range(place, text))
        .unwrap_or_default();
    diagnostic(range, severity, &message.code, words)
}

/// A failure with its execution.
pub fn failure(failure: &Failure, text: Option<&str>) -> Diagnostic {
    let severity = match failure.confirmed {
        true => DiagnosticSeverity::ERROR,
        false => DiagnosticSeverity::WARNING,
    };
    let mut message = failure.message.clone();
    if let Some(why) = failure.why_not.as_ref().filter(|_| !failure.confirmed) {
        message.push_str(&format!(" (not replayed: {why})"));
    }
    let own = failure
        .trace
        .iter()
        .filter(|line| !line.is_library && line.kind != TraceKind::Note);
    let steps: Vec<DiagnosticRelatedInformation> = own
        .filter_map(|line| {
            let place = line.location.as_ref()?;
            let changes: Vec<String> = line
                .changes
                .iter()
                .map(|it| format!("{} = {}", it.name, it.value))
                .collect();
            let message = format!(
                "{}{}  {}",
                "  ".repeat(line.indent.min(8) as usize),
                line.text,
                changes.join(", ")
            );
            Some(DiagnosticRelatedInformation {
                location: lsp_types::Location::new(uri(&place.file)?, range(place, None)),
                message: message.trim_end().to_owned(),
            })
        })
        .collect();
    let skipped = steps.len().saturating_sub(MAX_RELATED);
    let range = failure
        .location
        .as_ref()
        .map(|place| range(place, text))
        .unwrap_or_default();
    Diagnostic {
        related_information: Some(steps.into_iter().skip(skipped).collect()),
        ..diagnostic(range, severity, failure.kind.name(), message)
    }
}

/// What is known of an entry, in a line.
pub fn entry_words(entry: &EntryReport) -> String {
    match &entry.verdict {
        Verdict::Proved => format!("✓ proved: {}", entry.goal.claim()),
        Verdict::Bounded {
            bound,
            contexts,
            stack_depth,
        } => format!(
            "✓ {} within {}",
            entry.goal.claim(),
            Verdict::limits(*bound, *contexts, *stack_depth)
        ),
        Verdict::Bug => format!(
            "✗ {}",
            entry
                .failures
                .first()
                .map_or("it can fail", |it| it.message.as_str())
        ),
        Verdict::BugUnconfirmed { reason } => format!("? a failure that could not be replayed: {reason}"),
        Verdict::Unknown { reason, .. } => format!("? unknown: {reason}"),
        Verdict::BadInput => "it cannot be checked".to_owned(),
        Verdict::Accepted => "well-formed".to_owned(),
    }
}

/// All diagnostics of a report about one file, and whether some are about others.
pub fn diagnostics(report: &VerifyReport, path: &str, text: &str) -> Vec<Diagnostic> {
    let is_here = |place: &Option<Location>| {
        let own = std::path::absolute(path).ok();
        place
            .as_ref()
            .is_none_or(|place| std::path::absolute(&place.file).ok() == own)
    };
    let messages = report.diagnostics.iter().filter(|it| is_here(&it.location));
    let failures = report.failures().filter(|it| is_here(&it.location));
    messages
        .map(|it| input_message(it, Some(text)))
        .chain(failures.map(|it| failure(it, Some(text))))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_and_positions_agree_in_any_alphabet() {
        let text = "aé😀b\nx\n";
        for (at, _) in text.char_indices() {
            assert_eq!(offset(text, position(text, at)), at);
        }
        assert_eq!(position(text, 7), Position::new(0, 4));
        assert_eq!(offset(text, Position::new(9, 9)), text.len());
        assert_eq!(offset(text, Position::new(1, 9)), 10);
    }

    #[test]
    fn addresses_and_paths_agree() {
        let uri = uri("/a b/ü%.c").expect("an address");
        assert_eq!(uri.as_str(), "file:///a%20b/%C3%BC%25.c");
        assert_eq!(path(&uri).as_deref(), Some("/a b/ü%.c"));
    }

    #[test]
    fn a_place_covers_its_word() {
        let place = Location {
            file: String::new(),
            line: 1,
            column: 5,
        };
        assert_eq!(range(&place, Some("int main(void)")).end, Position::new(0, 8));
    }
}
