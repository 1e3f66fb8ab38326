//! Writing a file of specifications: what the user decided and wrote, and what the last run found.

use std::collections::{BTreeMap, BTreeSet};

use lariat_report::{AngelicReport, Specification, SpecificationStatus, Suppressed};
use toml_edit::{Array, ArrayOfTables, DocumentMut, Item, RawString, Table, Value};

use crate::file::{SpecsFile, WrittenSpec, canonical, specification_id, status_name};

/// Starts with [`HEADER_START`]; replaced in each run.
const HEADER: &str = "\
# Specifications of the environment, kept by `lariat angelic`: one [[spec]] each. Your comments and decisions stay.
# status = \"inferred\": no decision yet; found anew in each run.  \"accepted\": assumed from the start.
#          \"rejected\": never assumed; what it suppresses becomes a warning.
# Edit `spec` to change one: its status becomes \"edited\", and it is assumed as long as it is permissive.
# To add one: [[spec]] with `entry` and `spec`. Words: p->f *p a[i] NULL; f() is what external f returns, f()@12 the one
# in line 12, `*out after f()` what it wrote; ! && || ==> <==> == != < <= > >= + - * / %, forall x :: e.
";
const HEADER_START: &str = "# Specifications of the environment, kept by `lariat angelic`";

/// Before comments whose specification is gone.
const GONE: &str = "About a specification that is no longer inferred";

/// Entry and text: what a specification is.
type Key = (String, String);

fn key_of(spec: &Specification) -> Key {
    (spec.entry.clone(), canonical(&spec.text))
}

impl SpecsFile {
    /// The text of the file after a run: decisions stay, specifications that were inferred of the entries of the run
    /// are those of the run, all others stay.
    pub fn update(&self, report: &AngelicReport) -> String {
        // The header is a comment, so without it the text is as good TOML as it was.
        let Ok(mut document) = without_header(&self.text).parse::<DocumentMut>() else {
            return self.text.clone();
        };
        if report.bad_input {
            return self.text.clone();
        }
        let analysed: BTreeSet<&str> = report.entries.iter().map(|entry| entry.name.as_str()).collect();
        let mut found: BTreeMap<Key, &Specification> = BTreeMap::new();
        for spec in &report.specifications {
            found.entry(key_of(spec)).or_insert(spec);
        }
        let inferred_texts: BTreeMap<String, &str> = report
            .specifications
            .iter()
            .map(|spec| (specification_id(&spec.entry, &spec.text), spec.text.as_str()))
            .collect();

        let mut tables = match document.remove("spec").map(Item::into_array_of_tables) {
            Some(Ok(tables)) => tables,
            _ => ArrayOfTables::new(),
        };
        let top = tables.get_mut(0).map(take_top).unwrap_or_default();
        let mut kept: Vec<(Key, Table)> = Vec::new();
        let mut written: BTreeSet<Key> = BTreeSet::new();
        let mut orphans = String::new();
        for (mut table, WrittenSpec { spec, written_id }) in tables.into_iter().zip(&self.specs) {
            let key = key_of(spec);
            let decided = spec.status != SpecificationStatus::Inferred;
            let new = found.get(&key).copied();
            if !written.contains(&key)
                && (decided || new.is_some() || !analysed.contains(spec.entry.as_str()))
            {
                let inferred = spec
                    .inferred
                    .as_deref()
                    .or_else(|| inferred_texts.get(written_id.as_ref()?).copied());
                keep(&mut table, spec, new, inferred);
                written.insert(key.clone());
                kept.push((key, table));
            } else {
                orphans.push_str(&comments_of(&table, spec));
            }
        }
        for (key, spec) in found {
            if !written.contains(&key) {
                kept.push((key, new_table(spec)));
            }
        }
        kept.sort_by(|(left, _), (right, _)| left.cmp(right));

        let mut tables = ArrayOfTables::new();
        for (_, mut table) in kept {
            separate(&mut table);
            // After whatever else is in the file, in the order in which they are added.
            table.set_position(Some(isize::MAX));
            tables.push(table);
        }
        if !tables.is_empty() {
            document.insert("spec", Item::ArrayOfTables(tables));
        }
        let body = document.to_string();
        let mut text = format!("{HEADER}\n{top}{}", body.trim_start_matches('\n'));
        text.push_str(&orphans);
        text
    }
}

fn without_header(text: &str) -> &str {
    if !text.starts_with(HEADER_START) {
        return text;
    }
    let mut rest = text;
    while rest.starts_with('#') {
        rest = rest.split_once('\n').map_or("", |(_, rest)| rest);
    }
    rest
}

/// Brings a table of the file up to date.
fn keep(table: &mut Table, old: &Specification, new: Option<&Specification>, inferred: Option<&str>) {
    set(table, "id", specification_id(&old.entry, &old.text).into());
    set(table, "status", status_name(old.status).into());
    if let Some(inferred) = inferred.filter(|text| canonical(text) != canonical(&old.text)) {
        set(table, "inferred", inferred.into());
    }
    let Some(new) = new else {
        return;
    };
    // A specification that is assumed from the start suppresses alarms before they appear: the list is that of the first run.
    if !new.suppresses.is_empty() {
        set(table, "suppresses", suppresses(&new.suppresses));
    }
    if new.unnecessary || table.contains_key("unnecessary") {
        set(table, "unnecessary", new.unnecessary.into());
    }
    match &new.problem {
        Some(problem) => set(table, "problem", problem.as_str().into()),
        None => {
            table.remove("problem");
        }
    }
    if !new.formal.is_empty() {
        set(table, "formal", new.formal.as_str().into());
    }
}

fn new_table(spec: &Specification) -> Table {
    let mut table = Table::new();
    set(&mut table, "id", specification_id(&spec.entry, &spec.text).into());
    set(&mut table, "entry", spec.entry.as_str().into());
    set(&mut table, "spec", spec.text.as_str().into());
    set(&mut table, "status", status_name(spec.status).into());
    keep(&mut table, spec, Some(spec), spec.inferred.as_deref());
    table
}

/// Sets a value and keeps the comment behind it; a value that is already right stays as the user wrote it.
fn set(table: &mut Table, key: &str, mut value: Value) {
    if let Some(old) = table.get_mut(key).and_then(Item::as_value_mut) {
        if same(old, &value) {
            return;
        }
        *value.decor_mut() = old.decor().clone();
        *old = value;
    } else {
        table.insert(key, Item::Value(value));
    }
}

fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same(left, right))
        }
        _ => {
            (left.as_str().is_some() && left.as_str() == right.as_str())
                || (left.as_bool().is_some() && left.as_bool() == right.as_bool())
        }
    }
}

fn suppresses(list: &[Suppressed]) -> Value {
    let texts: BTreeSet<String> = list.iter().map(suppressed_text).collect();
    let several = texts.len() > 1;
    let mut array: Array = texts.into_iter().collect();
    if several {
        for value in array.iter_mut() {
            value.decor_mut().set_prefix("\n    ");
        }
        array.set_trailing("\n");
        array.set_trailing_comma(true);
    }
    Value::Array(array)
}

/// `fig1.bpl:30:5: x != NULL in FooBar`.
fn suppressed_text(suppressed: &Suppressed) -> String {
    let what = suppressed.condition.as_deref().unwrap_or(&suppressed.message);
    let place = suppressed
        .location
        .as_ref()
        .map_or_else(String::new, |location| format!("{location}: "));
    format!("{place}{what} in {}", suppressed.procedure)
}

fn raw_text(raw: Option<&RawString>) -> &str {
    raw.and_then(RawString::as_str).unwrap_or_default()
}

/// Takes what stands before the first specification and is separated from it by a blank line: it stays at the top
/// wherever the specification goes.
fn take_top(first: &mut Table) -> String {
    let prefix = raw_text(first.decor().prefix()).trim_start_matches(['\n', '\r']);
    let Some((top, rest)) = prefix.rsplit_once("\n\n") else {
        return String::new();
    };
    let (top, rest) = (format!("{top}\n\n"), rest.to_owned());
    first.decor_mut().set_prefix(rest);
    top
}

/// A blank line before each table, then the user's comments.
fn separate(table: &mut Table) {
    let prefix = raw_text(table.decor().prefix()).trim_start_matches(['\n', '\r']);
    let separated = format!("\n{prefix}");
    table.decor_mut().set_prefix(separated);
}

/// Comments at a specification that is gone; empty if there are none.
fn comments_of(table: &Table, spec: &Specification) -> String {
    let own = [table.decor().prefix(), table.decor().suffix()];
    let of_keys = table.iter().flat_map(|(key, item)| {
        [
            table.key(key).and_then(|key| key.leaf_decor().prefix()),
            item.as_value().and_then(|value| value.decor().suffix()),
        ]
    });
    let comments: Vec<&str> = own
        .into_iter()
        .chain(of_keys)
        .flat_map(|raw| raw_text(raw).lines())
        .map(str::trim)
        .filter(|line| line.starts_with('#'))
        .collect();
    if comments.is_empty() {
        return String::new();
    }
    format!(
        "\n# {}, {}:\n{}\n",
        GONE,
        [&*spec.entry, &*spec.text]
            .join(" requires ")
            .replace(['\n', '\r'], " "),
        comments.join("\n")
    )
}
