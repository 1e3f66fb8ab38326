//! Reading a rule file. Everything that is not understood is an error: a rule that is half read would check something
//! else than its author thinks.

use std::ops::Range;

use lariat_base::{Diagnostic, Diagnostics, SourceId, Span};
use toml_edit::{Document, Item, Table, Value};

use crate::{Comparison, Condition, Effect, Event, Object, Rule, RuleKind, Trigger};

const RULE_KEYS: [&str; 7] = [
    "name",
    "description",
    "kind",
    "states",
    "fresh",
    "incoming",
    "event",
];
const EVENT_KEYS: [&str; 10] = [
    "call",
    "on",
    "object",
    "require",
    "forbid",
    "message",
    "set",
    "add",
    "set-argument",
    "keep-old",
];

pub(crate) fn rule(text: &str, source: SourceId, diagnostics: &mut Diagnostics) -> Option<Rule> {
    let mut reader = Reader {
        source,
        diagnostics: Diagnostics::new(),
        kind: RuleKind::Object,
        states: Vec::new(),
    };
    let rule = match Document::parse(text) {
        Ok(document) => reader.rule(document.as_table()),
        Err(error) => {
            reader.error(
                error.span(),
                error.message().replace('\n', ", "),
                "rules are TOML files",
            );
            None
        }
    };
    let failed = reader.diagnostics.has_errors();
    diagnostics.extend(reader.diagnostics);
    rule.filter(|_| !failed)
}

struct Reader {
    source: SourceId,
    diagnostics: Diagnostics,
    kind: RuleKind,
    states: Vec<String>,
}

impl Reader {
    fn error(&mut self, range: Option<Range<usize>>, message: impl Into<String>, hint: impl Into<String>) {
        let range = range.unwrap_or(0..0);
        let span = Span::new(self.source, range.start, range.end);
        self.diagnostics
            .push(Diagnostic::error("bad-rule", span, message).hint(hint));
    }

    fn rule(&mut self, table: &Table) -> Option<Rule> {
        self.known_keys(table, &RULE_KEYS);
        let name = self.text(table, "name");
        if name.is_none() {
            self.error(None, "the rule has no name", "add a line such as name = \"lock\"");
        }
        let description = self.text(table, "description").unwrap_or_default();
        self.kind = match self.text(table, "kind").as_deref() {
            None | Some("object") => RuleKind::Object,
            Some("global") => RuleKind::Global,
            Some(other) => {
                let message = format!("`{other}` is no kind of rule");
                self.error(span_of(table, "kind"), message, "write \"object\" or \"global\"");
                RuleKind::Object
            }
        };
        self.states = self.texts(table, "states");
        if self.states.is_empty() && self.kind == RuleKind::Object {
            self.error(
                span_of(table, "states"),
                "a rule about objects needs states",
                "add a line such as states = [\"unlocked\", \"locked\"]",
            );
        }
        let fresh = self.state(table, "fresh").unwrap_or(0);
        let incoming = self.state(table, "incoming");
        let events = match table.get("event").map(Item::as_array_of_tables) {
            Some(Some(events)) => events.iter().filter_map(|event| self.event(event)).collect(),
            Some(None) => {
                let hint = "write [[event]] in double brackets";
                self.error(span_of(table, "event"), "each event is a table of its own", hint);
                Vec::new()
            }
            None => Vec::new(),
        };
        if events.is_empty() {
            self.error(
                None,
                "the rule has no events",
                "add a table [[event]] with call = \"…\"",
            );
        }
        Some(Rule {
            name: name?,
            description,
            kind: self.kind,
            states: std::mem::take(&mut self.states),
            fresh,
            incoming,
            events,
        })
    }

    fn event(&mut self, table: &Table) -> Option<Event> {
        self.known_keys(table, &EVENT_KEYS);
        let calls = self.texts(table, "call");
        let trigger = match (calls.is_empty(), self.text(table, "on").as_deref()) {
            (false, None) => Trigger::Call(calls),
            (true, Some("dereference")) => Trigger::Dereference,
            (true, Some("exit")) => Trigger::Exit,
            (true, Some(other)) => {
                let message = format!("`{other}` is no event");
                let hint = "write \"dereference\" or \"exit\", or call = \"function\"";
                self.error(span_of(table, "on"), message, hint);
                return None;
            }
            (false, Some(_)) => {
                let hint = "make two events of it";
                self.error(span_of(table, "on"), "an event is a call or something else", hint);
                return None;
            }
            (true, None) => {
                let hint = "add call = \"function\", or on = \"dereference\" or \"exit\"";
                self.error(table.span(), "the event says not when it happens", hint);
                return None;
            }
        };
        let is_call = matches!(trigger, Trigger::Call(_));
        let object = self.object(table, is_call);
        if trigger == Trigger::Dereference && self.kind == RuleKind::Global {
            let hint = "only rules of the kind \"object\" have such events";
            self.error(span_of(table, "on"), "a global state has no dereferences", hint);
        }
        let require = self.conditions(table, "require");
        let forbid = self.conditions(table, "forbid");
        let effect = self.effect(table);
        let message = self.text(table, "message");
        if require.is_empty() && forbid.is_empty() && effect == Effect::Keep {
            let hint = "add `require` or `forbid`, or `set`";
            self.error(
                table.span(),
                "the event neither requires nor changes anything",
                hint,
            );
        }
        if effect != Effect::Keep && !is_call {
            let hint = "`set` and the like belong to calls";
            self.error(table.span(), "only a call can change the state", hint);
        }
        Some(Event {
            trigger,
            object,
            require,
            forbid,
            message: message.unwrap_or_else(|| "the rule is violated".to_owned()),
            effect,
            keep_old: self.argument(table, "keep-old"),
        })
    }

    fn object(&mut self, table: &Table, is_call: bool) -> Option<Object> {
        let item = table.get("object");
        match (self.kind, is_call, item) {
            (RuleKind::Object, true, None) => {
                let hint = "add object = 1 for the first argument, or object = \"result\"";
                self.error(table.span(), "the event says not which object it is about", hint);
                None
            }
            (RuleKind::Object, true, Some(item)) => match item.as_str() {
                Some("result") => Some(Object::Result),
                Some(other) => {
                    let message = format!("`{other}` is no object");
                    self.error(
                        item.span(),
                        message,
                        "write the number of an argument, or \"result\"",
                    );
                    None
                }
                None => self.argument(table, "object").map(Object::Argument),
            },
            (_, _, Some(item)) => {
                let hint = "only calls of rules of the kind \"object\" have one";
                self.error(item.span(), "there is no object here", hint);
                None
            }
            (_, _, None) => None,
        }
    }

    fn effect(&mut self, table: &Table) -> Effect {
        let set = self.state(table, "set").map(Effect::Set);
        let add = self.integer(table, "add").map(Effect::Add);
        let argument = self.argument(table, "set-argument").map(Effect::SetArgument);
        let given: Vec<Effect> = [set, add, argument].into_iter().flatten().collect();
        match given.as_slice() {
            [] => Effect::Keep,
            [effect] => *effect,
            _ => {
                let hint = "keep one of `set`, `add` and `set-argument`";
                self.error(table.span(), "the event changes the state twice", hint);
                Effect::Keep
            }
        }
    }

    fn conditions(&mut self, table: &Table, key: &str) -> Vec<Condition> {
        let texts = self.texts(table, key);
        let span = span_of(table, key);
        texts
            .into_iter()
            .filter_map(|text| self.condition(&text, span.clone()))
            .collect()
    }

    fn condition(&mut self, text: &str, span: Option<Range<usize>>) -> Option<Condition> {
        let operators = [
            ("<=", Comparison::Le),
            (">=", Comparison::Ge),
            ("==", Comparison::Eq),
            ("!=", Comparison::Ne),
            ("<", Comparison::Lt),
            (">", Comparison::Gt),
        ];
        let trimmed = text.trim();
        let found = operators
            .into_iter()
            .find_map(|(sign, comparison)| Some((comparison, trimmed.strip_prefix(sign)?)));
        let (comparison, state) = found.unwrap_or((Comparison::Eq, trimmed));
        let state = self.state_of(state.trim(), span)?;
        Some(Condition { comparison, state })
    }

    fn state(&mut self, table: &Table, key: &str) -> Option<i64> {
        let item = table.get(key)?;
        if let Some(number) = item.as_integer() {
            return self.state_of(&number.to_string(), item.span());
        }
        let text = self.text(table, key)?;
        self.state_of(&text, item.span())
    }

    /// A state by its name, or of a counter a number.
    fn state_of(&mut self, text: &str, span: Option<Range<usize>>) -> Option<i64> {
        if let Some(position) = self.states.iter().position(|state| state == text) {
            return i64::try_from(position).ok();
        }
        if let Ok(number) = text.parse::<i64>()
            && (self.states.is_empty()
                || usize::try_from(number).is_ok_and(|number| number < self.states.len()))
        {
            return Some(number);
        }
        let known = match self.states.is_empty() {
            true => "a counter has numbers, such as 0".to_owned(),
            false => format!("the states are {}", self.states.join(", ")),
        };
        self.error(span, format!("`{text}` is no state"), known);
        None
    }

    fn argument(&mut self, table: &Table, key: &str) -> Option<usize> {
        let number = self.integer(table, key)?;
        match usize::try_from(number)
            .ok()
            .and_then(|number| number.checked_sub(1))
        {
            Some(index) => Some(index),
            None => {
                let hint = "the first argument is 1";
                self.error(
                    span_of(table, key),
                    format!("there is no argument {number}"),
                    hint,
                );
                None
            }
        }
    }

    fn integer(&mut self, table: &Table, key: &str) -> Option<i64> {
        let item = table.get(key)?;
        let number = item.as_integer();
        if number.is_none() {
            self.error(
                item.span(),
                format!("`{key}` must be a number"),
                format!("write {key} = 1"),
            );
        }
        number
    }

    fn text(&mut self, table: &Table, key: &str) -> Option<String> {
        let item = table.get(key)?;
        let text = item.as_str().map(str::to_owned);
        if text.is_none() {
            let hint = format!("write {key} = \"…\"");
            self.error(item.span(), format!("`{key}` must be a text"), hint);
        }
        text
    }

    /// A text or a list of texts.
    fn texts(&mut self, table: &Table, key: &str) -> Vec<String> {
        let Some(item) = table.get(key) else {
            return Vec::new();
        };
        if let Some(text) = item.as_str() {
            return vec![text.to_owned()];
        }
        let texts = item
            .as_array()
            .map(|array| array.iter().map(Value::as_str).collect::<Option<Vec<_>>>());
        match texts.flatten() {
            Some(texts) => texts.into_iter().map(str::to_owned).collect(),
            None => {
                let hint = format!("write {key} = \"…\" or {key} = [\"…\", \"…\"]");
                self.error(
                    item.span(),
                    format!("`{key}` must be a text or a list of texts"),
                    hint,
                );
                Vec::new()
            }
        }
    }

    fn known_keys(&mut self, table: &Table, known: &[&str]) {
        for (key, item) in table.iter() {
            if !known.contains(&key) {
                let span = table.get_key_value(key).and_then(|(key, _)| key.span());
                let hint = format!("known are {}", known.join(", "));
                self.error(
                    span.or_else(|| item.span()),
                    format!("there is no key `{key}`"),
                    hint,
                );
            }
        }
    }
}

fn span_of(table: &Table, key: &str) -> Option<Range<usize>> {
    table.get(key).and_then(Item::span)
}
