//! Memory as the trace found it: what is behind pointers from outside, and what fresh objects hold.
//!
//! Addresses of the trace differ from those of the compiled program. Each object reports its address when it is created; other
//! addresses get separate blocks, the same for the same address, zero where the trace says nothing.

use std::fmt::Write;

use lariat_report::{Failure, FreshObject};

use crate::scan::{self, Token};

const MEMORY: &str = include_str!("memory.c");

/// The functions that know memory, with the trace's content of it.
pub fn write_memory(text: &mut String, failure: &Failure) {
    text.push_str("\nstatic const struct lariat_cell {\n    unsigned long long address, value;\n    unsigned char bytes, pointer;\n} lariat_cells[] = {\n");
    for cell in &failure.memory {
        let pointer = u8::from(cell.pointer);
        let _ = writeln!(
            text,
            "    {{ {}ULL, {}ULL, {}, {pointer} }},",
            cell.address, cell.value, cell.bytes
        );
    }
    text.push_str("    { 0, 0, 0, 0 },\n};\n");
    text.push_str(MEMORY);
}

/// `malloc` whose memory has the content of the trace. Stands before the program, which calls it by another name.
/// The program may declare it, with whatever type.
pub fn write_malloc(text: &mut String, failure: &Failure, is_declared: bool) {
    let addresses: Vec<String> = failure
        .objects
        .iter()
        .filter(|object| object.name.is_none())
        .map(|object| format!("{}ULL", object.address))
        .collect();
    if addresses.is_empty() {
        return;
    }
    let _ = write!(
        text,
        "\nextern void *lariat_real_malloc(unsigned long) LARIAT_SYMBOL(\"malloc\");\n\
         void *lariat_fresh_malloc(unsigned long) LARIAT_SYMBOL(\"lariat_malloc\");\n\
         LARIAT_PLAIN void *lariat_fresh_malloc(unsigned long size)\n{{\n    \
         static const unsigned long long addresses[] = {{ {} }};\n    static unsigned next;\n    \
         void *fresh = lariat_real_malloc(size);\n    if (fresh && next < {})\n        \
         lariat_fresh(addresses[next++], fresh, size);\n    return fresh;\n}}\n\
         #define malloc lariat_malloc\n",
        addresses.join(", "),
        addresses.len(),
    );
    if !is_declared {
        text.push_str("extern void *malloc();\n");
    }
}

/// A function that fills a variable where its declaration is reached.
pub fn write_variable(text: &mut String, index: usize, objects: &[&FreshObject]) {
    let addresses: Vec<String> = objects
        .iter()
        .map(|object| format!("{}ULL", object.address))
        .collect();
    let _ = write!(
        text,
        "\nLARIAT_PLAIN static void lariat_object{index}(void *object, unsigned long size)\n{{\n    \
         static const unsigned long long addresses[] = {{ {} }};\n    static unsigned next;\n    \
         if (next < {})\n        lariat_fresh(addresses[next++], object, size);\n}}\n",
        addresses.join(", "),
        addresses.len(),
    );
}

/// The byte after the declaration of the variable whose name stands at a place, if it declares nothing else: `int a[3];`.
pub fn end_of_declaration(tokens: &[Token<'_>], object: &FreshObject) -> Option<usize> {
    let (name, location) = (object.name.as_deref()?, object.location.as_ref()?);
    let at = tokens
        .iter()
        .position(|token| (token.line, token.column, token.text) == (location.line, location.column, name))?;
    scan::end_of_declaration(tokens, at)
}
