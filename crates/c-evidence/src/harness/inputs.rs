//! Functions that answer what was recorded.

use std::fmt::Write;

use lariat_report::Input;

/// A function of the harness: every call answers the next value.
pub struct Answers<'a> {
    pub name: &'a str,
    pub ty: &'a str,
    pub values: Vec<&'a str>,
}

/// The functions that were asked, in the order of their first answer.
pub fn answers<'a>(inputs: impl IntoIterator<Item = &'a Input>) -> Vec<Answers<'a>> {
    let mut all: Vec<Answers<'a>> = Vec::new();
    for input in inputs {
        match all.iter_mut().find(|answers| answers.name == input.function) {
            Some(answers) => answers.values.push(&input.value),
            None => all.push(Answers {
                name: &input.function,
                ty: &input.ty,
                values: vec![&input.value],
            }),
        }
    }
    all
}

/// The type that the name of a `__VERIFIER_nondet_` function stands for; `None` for other names.
pub fn type_of_nondet(name: &str) -> Option<&'static str> {
    Some(match name.strip_prefix("__VERIFIER_nondet_")? {
        "bool" | "_Bool" => "_Bool",
        "char" => "char",
        "uchar" | "u8" => "unsigned char",
        "short" => "short",
        "ushort" | "u16" => "unsigned short",
        "uint" | "unsigned" | "unsigned_int" | "u32" => "unsigned int",
        "long" => "long",
        "ulong" | "size_t" | "sector_t" => "unsigned long",
        "longlong" => "long long",
        "ulonglong" | "u64" => "unsigned long long",
        "float" => "float",
        "double" => "double",
        "pointer" | "pchar" => "void *",
        _ => "int",
    })
}

pub fn is_pointer(ty: &str) -> bool {
    ty.trim_end().ends_with('*') || ty.contains("(*)")
}

/// The definition of a function that answers `values` and then zeroes. `index` makes its names unique.
pub fn write_function(text: &mut String, index: usize, answers: &Answers<'_>) {
    let Answers { name, ty, values } = answers;
    if ty.trim() == "void" {
        write_silent(text, index, name);
        return;
    }
    let values: Vec<&str> = values.iter().copied().filter(|value| !value.is_empty()).collect();
    let _ = write!(
        text,
        "\ntypedef __typeof__({ty}) lariat_type{index};\n\
         lariat_type{index} lariat_call{index}(void) LARIAT_SYMBOL(\"{name}\");\n\
         LARIAT_PLAIN lariat_type{index} lariat_call{index}(void)\n{{\n"
    );
    if values.is_empty() {
        let _ = write!(
            text,
            "    static lariat_type{index} zero;\n    LARIAT_NO_MORE\n    return zero;\n}}\n"
        );
        return;
    }
    let _ = write!(
        text,
        "    static lariat_type{index} values[] = {{ {}, }}, zero;\n\
         \x20   static unsigned next;\n\
         \x20   if (next >= {}) {{\n        LARIAT_NO_MORE\n        return zero;\n    }}\n",
        values.join(", "),
        values.len(),
    );
    let answer = if is_pointer(ty) {
        format!("(lariat_type{index})lariat_memory((unsigned long)values[next++])")
    } else {
        "values[next++]".to_owned()
    };
    let _ = write!(text, "    return {answer};\n}}\n");
}

/// Whether a variable of this type can be set to a number.
pub fn is_scalar(ty: &str) -> bool {
    is_pointer(ty) || !(ty.contains(['[', '(']) || ty.starts_with("struct ") || ty.starts_with("union "))
}

/// The definition of a function that gives a variable its values where its declaration is reached. It
/// stands before the program, whose types it does not know.
pub fn write_local(text: &mut String, index: usize, ty: &str, values: &[&str]) {
    let is_float = ["float", "double"].iter().any(|name| ty.contains(name)) && !is_pointer(ty);
    let is_address = is_pointer(ty);
    let (ty, cast) = match (is_float, is_address) {
        (true, _) => ("long double", ""),
        (false, true) => ("long long", "(long)"),
        (false, false) => ("long long", "(long long)"),
    };
    let answer = if is_address {
        "(long)lariat_memory((unsigned long)values[next++])"
    } else {
        "values[next++]"
    };
    let values: Vec<String> = values.iter().map(|value| format!("{cast}({value})")).collect();
    let _ = write!(
        text,
        "\nLARIAT_PLAIN static {ty} lariat_local{index}(void)\n{{\n    \
         static {ty} values[] = {{ {}, }};\n    static unsigned next;\n    \
         return next < {} ? {answer} : 0;\n}}\n",
        values.join(", "),
        values.len(),
    );
}

/// The definition of a function that does nothing.
pub fn write_silent(text: &mut String, index: usize, name: &str) {
    let _ = write!(
        text,
        "\nlong long lariat_call{index}(void) LARIAT_SYMBOL(\"{name}\");\n\
         LARIAT_PLAIN long long lariat_call{index}(void) {{ return 0; }}\n"
    );
}

/// Whether some answer is a pointer.
pub fn has_pointers(answers: &[Answers<'_>]) -> bool {
    answers.iter().any(|answers| is_pointer(answers.ty))
}
