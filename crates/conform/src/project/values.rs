//! Parameters of actions: `parameters = ["value:0..3"]` and `process = "SEND(value)"` stand for one alternative for each
//! value, with the process `SEND(0)`, `SEND(1)` and so on; `otherwise` is what the function does with any other value.

use std::ops::RangeInclusive;

use lariat_base::Diagnostic;
use lariat_specs::{BinaryOp, SpecExpr};
use lariat_toml_file::{Located, Section};

use super::Alternative;
use crate::front_end::Guard;

/// The most alternatives that one process stands for.
const MAX_ALTERNATIVES: usize = 1000;

pub(super) struct Parameter {
    pub name: String,
    /// The values that are told apart.
    values: Option<RangeInclusive<i64>>,
}

/// `name` or `name:0..3`.
pub(super) fn parameter(table: &mut Section<'_, '_>, given: Located) -> Parameter {
    let Some((name, range)) = given.text.split_once(':') else {
        return Parameter {
            name: given.text,
            values: None,
        };
    };
    let number = |text: &str| text.trim().parse::<i64>().ok();
    let values = range
        .split_once("..")
        .and_then(|(first, last)| Some(number(first)?..=number(last)?))
        .filter(|values| !values.is_empty());
    if values.is_none() {
        let message = format!("`{range}` is not a range of numbers");
        table.push(
            Diagnostic::error("conform-parameter", given.span, message)
                .hint("write the smallest and the largest value: \"value:0..3\""),
        );
    }
    Parameter {
        name: name.trim().to_owned(),
        values,
    }
}

/// The alternatives that a process stands for: several if it has arguments.
pub(super) fn alternatives(
    table: &mut Section<'_, '_>,
    guard: Guard,
    process: Located,
    parameters: &[Parameter],
) -> Vec<Alternative> {
    let Some((name, arguments)) = process.text.split_once('(') else {
        return vec![Alternative {
            guard,
            process,
            arguments: Vec::new(),
        }];
    };
    let mut refuse = |message: String, hint: &str| {
        table.push(Diagnostic::error("conform-parameter", process.span, message).hint(hint));
        Vec::new()
    };
    let Some(arguments) = arguments.trim_end().strip_suffix(')') else {
        let hint = "write process = \"SEND(value)\"";
        return refuse(
            "the arguments of the process do not end with `)`".to_owned(),
            hint,
        );
    };
    let mut all = vec![(guard.expr, Vec::new())];
    for argument in arguments.split(',').map(str::trim) {
        if let Ok(number) = argument.parse::<i64>() {
            all.iter_mut()
                .for_each(|(_, numbers): &mut (SpecExpr, Vec<i64>)| numbers.push(number));
            continue;
        }
        let values = parameters
            .iter()
            .find(|parameter| parameter.name == argument)
            .and_then(|parameter| parameter.values.clone());
        let Some(values) = values else {
            let hint =
                "an argument is a number or a parameter with its values: parameters = [\"value:0..3\"]";
            return refuse(
                format!("`{argument}` is not a parameter with a range of values"),
                hint,
            );
        };
        let count = values.end().saturating_sub(*values.start()).saturating_add(1);
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        if all.len().saturating_mul(count) > MAX_ALTERNATIVES {
            let message = format!("this stands for more than {MAX_ALTERNATIVES} alternatives");
            return refuse(message, "make the ranges of the parameters smaller");
        }
        let mut longer = Vec::new();
        for (expr, numbers) in &all {
            for value in values.clone() {
                let Ok(equal) = SpecExpr::parse(&format!("{argument} == {value}")) else {
                    return refuse(
                        format!("`{argument}` is not the name of a parameter"),
                        "use the name in C",
                    );
                };
                let mut numbers: Vec<i64> = numbers.clone();
                numbers.push(value);
                longer.push((SpecExpr::binary(BinaryOp::And, expr.clone(), equal), numbers));
            }
        }
        all = longer;
    }
    let name = Located {
        text: name.trim().to_owned(),
        span: process.span,
    };
    all.into_iter()
        .map(|(expr, arguments)| Alternative {
            guard: Guard {
                expr,
                span: guard.span,
            },
            process: name.clone(),
            arguments,
        })
        .collect()
}

/// What the function does if one of its parameters is outside of its range.
pub(super) fn otherwise(
    table: &mut Section<'_, '_>,
    process: Located,
    parameters: &[Parameter],
) -> Option<Alternative> {
    let outside = parameters.iter().filter_map(|parameter| {
        let values = parameter.values.as_ref()?;
        let (name, first, last) = (&parameter.name, values.start(), values.end());
        Some(format!("{name} < {first} || {name} > {last}"))
    });
    let text = outside.collect::<Vec<_>>().join(" || ");
    match SpecExpr::parse(&text) {
        Ok(expr) => Some(Alternative {
            guard: Guard {
                expr,
                span: Some(process.span),
            },
            process,
            arguments: Vec::new(),
        }),
        Err(_) => {
            let message = "`otherwise` is for values outside of the range of a parameter";
            table.push(
                Diagnostic::error("conform-parameter", process.span, message)
                    .hint("give a parameter its values: parameters = [\"value:0..3\"]"),
            );
            None
        }
    }
}
