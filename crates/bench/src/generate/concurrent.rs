//! A sequential program made concurrent: its entry is started twice by `async`.
//!
//! Contracts are left out, because those over shared globals have no meaning with threads. Where the question was whether the entry
//! returns, it is now an assertion behind its call.

use std::fmt::Write as _;

const ENTRY_MARK: &str = "{:entrypoint}";
const CLAUSES: [&str; 4] = ["requires", "ensures", "free requires", "free ensures"];

/// The program with two threads; `None` if no implementation is marked as its entry.
pub fn make_concurrent(text: &str) -> Option<String> {
    let header = text
        .lines()
        .find(|line| line.starts_with("implementation") && line.contains(ENTRY_MARK))?;
    let declaration = header.rsplit_once('}').map_or(header, |(_, rest)| rest);
    let (name, rest) = declaration.split_once('(')?;
    let name = name.trim();
    let (params, rest) = rest.split_once(')')?;
    let outs = rest
        .split_once('(')
        .and_then(|(_, outs)| outs.split_once(')'))
        .map_or("", |(outs, _)| outs);
    let asserts = text.lines().any(|line| line.trim_start().starts_with("assert "));
    let mut made = String::with_capacity(text.len() + 1024);
    for line in text.lines() {
        let start = line.trim_start();
        if CLAUSES
            .iter()
            .any(|clause| start.starts_with(&format!("{clause} ")))
            && start.ends_with(';')
        {
            continue;
        }
        made.push_str(&line.replace(ENTRY_MARK, ""));
        made.push('\n');
    }
    let modifies = modified_by(text, name);
    let names = |list: &str| -> Vec<String> {
        list.split(',')
            .filter_map(|item| Some(item.split_once(':')?.0.trim().to_owned()))
            .collect()
    };
    let mut locals = String::new();
    for item in params
        .split(',')
        .chain(outs.split(','))
        .filter(|item| item.contains(':'))
    {
        let _ = writeln!(locals, "  var {};", item.trim());
    }
    let (ins, results) = (names(params).join(", "), names(outs).join(", "));
    let call = match results.is_empty() {
        true => format!("call {name}({ins});"),
        false => format!("call {results} := {name}({ins});"),
    };
    let check = if asserts { "" } else { "  assert false;\n" };
    let _ = write!(
        made,
        "\nprocedure first_or_second(){modifies}\n{{\n{locals}  {call}\n{check}}}\n\
         \nprocedure {ENTRY_MARK} two_entry_points(){modifies}\n{{\n  async call first_or_second();\n  \
         async call first_or_second();\n}}\n"
    );
    Some(made)
}

/// The `modifies` clause of a procedure.
fn modified_by(text: &str, name: &str) -> String {
    let mut lines = text.lines();
    let is_it = |line: &str| {
        line.starts_with("procedure")
            && line
                .split_once('(')
                .is_some_and(|(head, _)| head.ends_with(&format!(" {name}")))
    };
    if !lines.any(is_it) {
        return String::new();
    }
    let clause = lines
        .map(str::trim)
        .take_while(|line| !line.is_empty() && !line.starts_with('{'))
        .find(|line| line.starts_with("modifies"));
    clause.map(|clause| format!("\n  {clause}")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::make_concurrent;

    const DRIVER: &str = "var g: int;\n\nprocedure main() returns (r: int);\n  modifies g;\n  free ensures g >= old(g);\n\n\
                          implementation main() returns (r: int)\n{\n  g := g + 1;\n  assume g == 1;\n  g := 0;\n}\n\n\
                          procedure fakeMain(x: int) returns (r: int, b: bool);\n  modifies g;\n\n\
                          implementation {:entrypoint} fakeMain(x: int) returns (r: int, b: bool)\n{\n  call r := main();\n}\n";

    #[test]
    fn the_entry_is_started_twice() {
        let made = make_concurrent(DRIVER).expect("a program");
        for part in [
            "implementation  fakeMain(x: int)",
            "call r, b := fakeMain(x);\n  assert false;",
            "procedure {:entrypoint} two_entry_points()\n  modifies g;",
            "  var x: int;\n  var r: int;\n  var b: bool;\n",
        ] {
            assert!(made.contains(part), "{part} is missing in\n{made}");
        }
        assert!(!made.contains("free ensures"));
        assert_eq!(made.matches("async call").count(), 2);
        let mut sources = lariat_base::SourceMap::new();
        let source = sources.add("made.bpl", made);
        let (_, diagnostics) = lariat_boogie::parser::parse(&sources, source);
        assert!(!diagnostics.has_errors());
    }

    #[test]
    fn a_program_without_entry_is_refused() {
        assert_eq!(make_concurrent("var g: int;\n"), None);
    }
}
