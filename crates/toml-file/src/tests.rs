use lariat_base::{Diagnostics, Severity, SourceMap};

use super::{FileKind, Section};

const KIND: FileKind = FileKind {
    syntax: "syntax",
    syntax_hint: "this is TOML",
    key: "key",
    key_severity: Severity::Error,
    value: "value",
    missing: "missing",
};

/// What is read, and the messages: place, text and hint.
fn read<T>(text: &str, reader: impl FnOnce(&mut Section<'_, '_>) -> T) -> (Option<T>, Vec<String>) {
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    let source = sources.add("a.toml", text);
    let value = super::read(KIND, source, text, &mut diagnostics, reader);
    let messages = diagnostics.iter().map(|diagnostic| {
        let start = diagnostic.span.map_or(0, |span| span.start);
        let (line, column) = sources.file(source).line_column(start);
        let hint = diagnostic.hint.as_deref().unwrap_or_default();
        format!("{line}:{column}: {} ({hint})", diagnostic.message)
    });
    let messages = messages.collect();
    (value, messages)
}

#[test]
fn values_are_typed() {
    let (values, messages) = read(
        "yes = true\nnumber = 3\nname = 'x'\nlist = ['a', 'b']\nkind = 'new'\n[[part]]\nsize = 1\n[[part]]\nsize = 2\n",
        |file| {
            let sizes = file.tables("part", |part| part.number::<usize>("size", 1));
            let list = file.texts("list").unwrap_or_default();
            let list: Vec<String> = list.into_iter().map(|located| located.text).collect();
            (
                (file.boolean("yes"), file.integer("number"), file.text("name")),
                (list, file.choice("kind", &[("old", 1), ("new", 2)]), sizes),
            )
        },
    );
    assert_eq!(messages, Vec::<String>::new());
    let first = (Some(true), Some(3), Some("x".to_owned()));
    let second = (vec!["a".to_owned(), "b".to_owned()], Some(2), vec![1, 2]);
    assert_eq!(values, Some((first, second)));
}

#[test]
fn what_is_wrong_is_reported_in_the_order_of_the_file() {
    let (_, messages) = read(
        "nmae = 'x'\ncount = 0\nlist = [1]\nkind = 'nwe'\n[part]\nfrobnicate = 1\n",
        |file| {
            file.section("part", |part| part.boolean("deep"));
            file.choice("kind", &[("old", 1), ("new", 2)]);
            file.texts("list");
            file.number::<u32>("count", 1);
            file.required("name", "what it is called");
        },
    );
    assert_eq!(
        messages,
        [
            "1:1: `name` is missing (add name = \"…\": what it is called)",
            "1:1: unknown key `nmae` (did you mean `name`?)",
            "2:9: `count` must be 1 or more ()",
            "3:9: `list` must be a list of texts, not an integer ()",
            "4:8: `kind` cannot be \"nwe\" (did you mean `new`?)",
            "6:1: unknown key `frobnicate` in [part] (known are `deep`)",
        ]
    );
}

#[test]
fn tables_are_written_in_three_ways() {
    for text in [
        "[[part]]\nname = 'x'\n",
        "[part]\nname = 'x'\n",
        "part = [{ name = 'x' }]\n",
    ] {
        let (names, messages) = read(text, |file| file.tables("part", |part| part.text("name")));
        assert_eq!(names, Some(vec!["x".to_owned()]), "{text}");
        assert_eq!(messages, Vec::<String>::new(), "{text}");
    }
    let (_, messages) = read("[part]\n", |file| file.repeated("part", |part| part.text("name")));
    let expected =
        "1:1: each `part` must be a table (write [[part]], in double brackets, on a separate line)";
    assert_eq!(messages, [expected]);
}

#[test]
fn places_inside_of_a_text_are_exact_if_it_stands_there_as_it_is() {
    let columns = |text: &str| {
        let column = read(text, |file| {
            let located = file.located("a").expect("it is there");
            file.span_in(&located, 1..2).start
        });
        column.0
    };
    assert_eq!(columns("a = 'xyz'"), Some(6));
    // With an escape, the place is that of the whole value.
    assert_eq!(columns("a = \"x\\ny\""), Some(4));
}

#[test]
fn text_that_is_not_toml_is_reported() {
    let (value, messages) = read("a = \n", |_| ());
    assert_eq!(value, None);
    assert!(messages[0].starts_with("1:5: "), "{messages:?}");
    assert!(messages[0].ends_with("(this is TOML)"), "{messages:?}");
}
