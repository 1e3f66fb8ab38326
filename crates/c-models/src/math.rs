//! The models of `math.h` for all types of floating-point numbers, made of those for `double`.

use std::collections::HashSet;

/// A type of floating-point numbers.
pub(crate) struct Real {
    pub ty: &'static str,
    /// At the end of the names of its functions.
    pub suffix: &'static str,
    /// What the names of its limits begin with.
    pub limits: &'static str,
    /// At the end of its constants.
    pub constant: &'static str,
}

/// The text with `double`, the functions that it declares, the compiler's functions and the constants of another type.
pub(crate) fn instance(text: &str, real: &Real) -> String {
    let declared: HashSet<&str> = tokens(text)
        .zip(tokens(text).skip(1))
        .filter(|(name, next)| is_name(name) && *next == "(")
        .map(|(name, _)| name)
        .filter(|name| is_declared(text, name))
        .collect();
    let mut made = String::with_capacity(text.len());
    for token in tokens(text) {
        match token {
            "double" => made.push_str(real.ty),
            "__lariat_real_double" => {
                made.push_str(token.trim_end_matches("double"));
                made.push_str(&real.ty.replace(' ', "_"));
            }
            // These do not depend on the type.
            "__builtin_isnormal" | "__builtin_clzll" => made.push_str(token),
            _ if token.starts_with("__DBL_") => {
                let rest = &token["__DBL_".len()..];
                made.push_str(real.limits);
                made.push_str(rest);
            }
            _ => {
                // `lgammaf_r`.
                let (name, end) = match token.strip_suffix("_r") {
                    Some(name) => (name, "_r"),
                    None => (token, ""),
                };
                made.push_str(name);
                if declared.contains(token) || token.starts_with("__builtin_") {
                    made.push_str(real.suffix);
                }
                made.push_str(end);
                if is_real(token) {
                    made.push_str(real.constant);
                }
            }
        }
    }
    made
}

/// Whether a line begins with its declaration.
fn is_declared(text: &str, name: &str) -> bool {
    let mut lines = text
        .lines()
        .filter(|line| !line.starts_with([' ', '/', '#', '}']));
    lines.any(|line| {
        let mut words = tokens(line).skip_while(|token| *token != name);
        words.next() == Some(name) && words.next() == Some("(")
    })
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// `0.5`, but not `2`.
fn is_real(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_digit()) && token.contains('.')
}

/// Names, numbers, comments and single other characters.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let length = if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if first.is_ascii_digit() {
            number_length(rest)
        } else if is_word(first) {
            rest.find(|c: char| !is_word(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (token, after) = rest.split_at(length);
        rest = after;
        Some(token)
    })
}

fn number_length(text: &str) -> usize {
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        let is_sign_of_exponent = matches!(c, '+' | '-') && matches!(before, 'e' | 'p');
        if !(c.is_ascii_alphanumeric() || c == '.' || is_sign_of_exponent) {
            return at;
        }
        before = c;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_types_and_constants_change() {
        let text = "/* sin */\ndouble half(double x)\n{\n    return __builtin_fabs(x) * 0.5e-3 + half(x) + other(2);\n}\n";
        let real = Real {
            ty: "float",
            suffix: "f",
            limits: "__FLT_",
            constant: "f",
        };
        assert_eq!(
            instance(text, &real),
            "/* sin */\nfloat halff(float x)\n{\n    return __builtin_fabsf(x) * 0.5e-3f + halff(x) + other(2);\n}\n"
        );
    }
}
