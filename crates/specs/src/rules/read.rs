//! Reading a rule file. Everything that is not understood is an error: a rule that is half read would check something
//! else than its author thinks.

use lariat_base::{Diagnostic, Diagnostics, Severity, SourceId, Span};
use lariat_toml_file::{FileKind, Located, Section};

use super::{Comparison, Condition, Effect, Event, Object, ResultIs, Rule, RuleKind, Trigger};

const CODE: &str = "bad-rule";

const KIND: FileKind = FileKind {
    syntax: CODE,
    syntax_hint: "rules are TOML files",
    key: CODE,
    key_severity: Severity::Error,
    value: CODE,
    missing: CODE,
};

pub(super) fn rule(text: &str, source: SourceId, diagnostics: &mut Diagnostics) -> Option<Rule> {
    let mut found = Diagnostics::new();
    let rule = lariat_toml_file::read(KIND, source, text, &mut found, read_rule);
    let failed = found.has_errors();
    diagnostics.extend(found);
    rule.flatten().filter(|_| !failed)
}

fn error(table: &mut Section<'_, '_>, span: Span, message: impl Into<String>, hint: impl Into<String>) {
    table.push(Diagnostic::error(CODE, span, message).hint(hint));
}

fn read_rule(table: &mut Section<'_, '_>) -> Option<Rule> {
    let name = table.text("name");
    if !table.has("name") {
        error(
            table,
            table.span(),
            "the rule has no name",
            "add a line such as name = \"lock\"",
        );
    }
    let description = table.text("description").unwrap_or_default();
    let kinds = [("object", RuleKind::Object), ("global", RuleKind::Global)];
    let kind = table.choice("kind", &kinds).unwrap_or(RuleKind::Object);
    let states: Vec<String> = table
        .text_or_texts("states")
        .into_iter()
        .map(|located| located.text)
        .collect();
    if states.is_empty() && kind == RuleKind::Object {
        let hint = "add a line such as states = [\"unlocked\", \"locked\"]";
        error(
            table,
            table.span_of("states"),
            "a rule about objects needs states",
            hint,
        );
    }
    let rules = States {
        kind,
        states: &states,
    };
    let fresh = rules.state(table, "fresh").unwrap_or(0);
    let incoming = rules.state(table, "incoming");
    let nulls = [("ignored", true), ("object", false)];
    let ignores_null = table.choice("null", &nulls).unwrap_or(true);
    let events = table.repeated("event", |event| rules.event(event));
    if !table.has("event") {
        let hint = "add a table [[event]] with call = \"…\"";
        error(table, table.span(), "the rule has no events", hint);
    }
    Some(Rule {
        name: name?,
        description,
        kind,
        states,
        fresh,
        incoming,
        ignores_null,
        events,
    })
}

/// What the events of a rule may refer to.
struct States<'r> {
    kind: RuleKind,
    states: &'r [String],
}

impl States<'_> {
    fn event(&self, table: &mut Section<'_, '_>) -> Option<Event> {
        let calls = table.text_or_texts("call");
        let others = [("dereference", Trigger::Dereference), ("exit", Trigger::Exit)];
        let names = others.each_ref().map(|(name, trigger)| (*name, trigger));
        let other = table.choice("on", &names).cloned();
        let is_call = table.has("call");
        match (is_call, table.has("on")) {
            (true, true) => {
                let hint = "split it into two events";
                error(
                    table,
                    table.span_of("on"),
                    "an event has either `call` or `on`",
                    hint,
                );
            }
            (false, false) => {
                let hint = "add call = \"function\", or on = \"dereference\" or \"exit\"";
                error(
                    table,
                    table.span(),
                    "the event does not say when it happens",
                    hint,
                );
            }
            _ => {}
        }
        if is_call && calls.is_empty() && !table.has_errors() {
            error(
                table,
                table.span_of("call"),
                "`call` names no function",
                "add call = \"function\"",
            );
        }
        if other == Some(Trigger::Dereference) && self.kind == RuleKind::Global {
            let hint = "only rules of the kind \"object\" have such events";
            error(
                table,
                table.span_of("on"),
                "a global state has no dereferences",
                hint,
            );
        }
        let object = self.object(table, is_call);
        let require = self.conditions(table, "require");
        let forbid = self.conditions(table, "forbid");
        let effect = self.effect(table);
        let message = table.text("message");
        let keep_old = argument(table, "keep-old");
        let when = table.value("when", "a condition on the result", |value| {
            value.as_str().map(result_is)
        });
        if when.is_some() && effect == Effect::Keep {
            let hint = "add `set`, `add` or `set-argument`, or leave `when` out";
            error(
                table,
                table.span_of("when"),
                "the event changes nothing that could depend on the result",
                hint,
            );
        }
        if require.is_empty() && forbid.is_empty() && effect == Effect::Keep {
            let hint = "add `require` or `forbid`, or `set`";
            error(
                table,
                table.span(),
                "the event neither requires nor changes anything",
                hint,
            );
        }
        if effect != Effect::Keep && !is_call {
            let hint = "`set`, `add` and `set-argument` belong to calls";
            error(table, table.span(), "only a call can change the state", hint);
        }
        let trigger = match is_call {
            true => Trigger::Call(calls.into_iter().map(|located| located.text).collect()),
            false => other?,
        };
        Some(Event {
            trigger,
            object,
            require,
            forbid,
            message: message.unwrap_or_else(|| "the rule is violated".to_owned()),
            effect,
            keep_old,
            when,
        })
    }

    fn object(&self, table: &mut Section<'_, '_>, is_call: bool) -> Option<Object> {
        let object = table.value(
            "object",
            "the number of an argument, or \"result\"",
            |value| match (value.as_str(), value.as_integer()) {
                (Some("result"), _) => Some(Ok(Object::Result)),
                (_, Some(number)) => Some(argument_number(number).map(Object::Argument)),
                _ => None,
            },
        );
        match (self.kind == RuleKind::Object && is_call, table.has("object")) {
            (true, false) => {
                let hint = "add object = 1 for the first argument, or object = \"result\"";
                error(
                    table,
                    table.span(),
                    "the event does not say which object it is about",
                    hint,
                );
            }
            (false, true) => {
                let hint = "only calls of rules of the kind \"object\" have one";
                error(table, table.span_of("object"), "there is no object here", hint);
            }
            _ => {}
        }
        object
    }

    fn effect(&self, table: &mut Section<'_, '_>) -> Effect {
        let set = self.state(table, "set").map(Effect::Set);
        let add = table.integer("add").map(Effect::Add);
        let argument = argument(table, "set-argument").map(Effect::SetArgument);
        let given: Vec<Effect> = [set, add, argument].into_iter().flatten().collect();
        match given.as_slice() {
            [] => Effect::Keep,
            [effect] => *effect,
            _ => {
                let hint = "keep one of `set`, `add` and `set-argument`";
                error(table, table.span(), "the event changes the state twice", hint);
                Effect::Keep
            }
        }
    }

    fn conditions(&self, table: &mut Section<'_, '_>, key: &'static str) -> Vec<Condition> {
        let texts = table.text_or_texts(key);
        let conditions = texts.iter().map(|located| self.condition(table, located));
        conditions.collect::<Vec<_>>().into_iter().flatten().collect()
    }

    fn condition(&self, table: &mut Section<'_, '_>, located: &Located) -> Option<Condition> {
        let trimmed = located.text.trim();
        let (comparison, state) = compared(trimmed).unwrap_or((Comparison::Eq, trimmed));
        match self.state_of(state.trim()) {
            Ok(state) => Some(Condition { comparison, state }),
            Err(message) => {
                table.push(Diagnostic::error(CODE, located.span, message));
                None
            }
        }
    }

    fn state(&self, table: &mut Section<'_, '_>, key: &'static str) -> Option<i64> {
        table.value(key, "a state", |value| {
            let number = value.as_integer().map(|number| number.to_string());
            let text = number.or_else(|| value.as_str().map(str::to_owned))?;
            Some(self.state_of(&text))
        })
    }

    /// A state by its name or number; the number of a counter. Or what is wrong with it.
    fn state_of(&self, text: &str) -> Result<i64, String> {
        let count = self.states.len();
        let named = self.states.iter().position(|state| state == text);
        let numbered = text
            .parse::<i64>()
            .ok()
            .filter(|&number| count == 0 || usize::try_from(number).is_ok_and(|number| number < count));
        match named
            .and_then(|position| i64::try_from(position).ok())
            .or(numbered)
        {
            Some(state) => Ok(state),
            None if count == 0 => Err(format!("`{text}` is not a number, which is what a counter has")),
            None => Err(format!(
                "there is no state `{text}`: the states are {}",
                self.states.join(", ")
            )),
        }
    }
}

/// What stands behind a comparison that a text begins with.
fn compared(text: &str) -> Option<(Comparison, &str)> {
    let operators = [
        ("<=", Comparison::Le),
        (">=", Comparison::Ge),
        ("==", Comparison::Eq),
        ("!=", Comparison::Ne),
        ("<", Comparison::Lt),
        (">", Comparison::Gt),
    ];
    operators
        .into_iter()
        .find_map(|(sign, comparison)| Some((comparison, text.strip_prefix(sign)?)))
}

/// `result == 0`; or what is wrong with it.
fn result_is(text: &str) -> Result<ResultIs, String> {
    let comparison = text.trim().strip_prefix("result").map(str::trim);
    let found = comparison.and_then(compared);
    let found = found.and_then(|(comparison, number)| {
        let number = number.trim().parse().ok()?;
        Some(ResultIs { comparison, number })
    });
    found.ok_or_else(|| format!("`{text}` is no condition such as `result == 0`"))
}

/// An argument, counted from 1 in the file.
fn argument(table: &mut Section<'_, '_>, key: &'static str) -> Option<usize> {
    table.value(key, "the number of an argument", |value| {
        value.as_integer().map(argument_number)
    })
}

fn argument_number(number: i64) -> Result<usize, String> {
    let index = usize::try_from(number)
        .ok()
        .and_then(|number| number.checked_sub(1));
    index.ok_or_else(|| format!("there is no argument {number}: the first is 1"))
}
