//! Memory as the trace found it: what is behind pointers from outside, and what fresh objects hold.
//!
//! Addresses of the trace differ from those of the compiled program. Each object reports its address when it is created; other
//! addresses get separate blocks, the same for the same address, zero where the trace says nothing.

use std::collections::BTreeMap;
use std::fmt::Write;

use lariat_report::{Failure, FreshObject, MemoryCell};

use crate::scan::{self, Token};

const MEMORY: &str = include_str!("memory.c");

/// How far behind the start of an object an address is taken to point into it.
const REACH: u64 = 4096;

/// The functions that know memory, with the trace's content of it.
pub fn write_memory(text: &mut String, failure: &Failure, pointer_bytes: u64) {
    text.push_str("\nstatic const struct lariat_cell {\n    unsigned long long address, value;\n    unsigned char bytes, pointer;\n} lariat_cells[] = {\n");
    for cell in with_whole_addresses(&failure.memory, &failure.objects, pointer_bytes) {
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

/// Where memory is accessed in several sizes its content is single bytes. Those that are the address of an object of the trace are one
/// pointer again, so that it can be that of the object in the compiled program.
fn with_whole_addresses(
    memory: &[MemoryCell],
    objects: &[FreshObject],
    pointer_bytes: u64,
) -> Vec<MemoryCell> {
    let bytes: BTreeMap<u64, u64> = memory
        .iter()
        .filter(|cell| cell.bytes == 1 && !cell.pointer)
        .map(|cell| (cell.address, cell.value))
        .collect();
    let is_in_object = |value: u64| {
        objects
            .iter()
            .any(|object| value >= object.address && value - object.address < REACH)
    };
    let pointer_at = |start: u64| {
        let word: Option<Vec<u64>> = (start..start.checked_add(pointer_bytes)?)
            .map(|address| bytes.get(&address).copied())
            .collect();
        let value = word?.iter().rev().fold(0, |value, byte| value << 8 | byte);
        is_in_object(value).then_some(value)
    };
    let mut cells = Vec::new();
    for cell in memory {
        let start = cell.address - cell.address % pointer_bytes;
        let pointer = match bytes.contains_key(&cell.address) {
            true => pointer_at(start),
            false => None,
        };
        match pointer {
            None => cells.push(cell.clone()),
            Some(value) if cell.address == start => cells.push(MemoryCell {
                address: start,
                bytes: pointer_bytes as u32,
                value,
                pointer: true,
            }),
            Some(_) => {}
        }
    }
    cells
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_an_address_are_a_pointer() {
        let cell = |address: u64, value: u64| MemoryCell {
            address,
            bytes: 1,
            value,
            pointer: false,
        };
        let object = FreshObject {
            name: None,
            location: None,
            address: 0x10_0900,
        };
        // A number, three bytes of an address, and 0x10090c.
        let mut memory = vec![
            cell(0x10_0900, 7),
            cell(0x10_0908, 0xc),
            cell(0x10_0909, 9),
            cell(0x10_090a, 0x10),
        ];
        memory.extend(
            [(0xc, 0xc), (0xd, 9), (0xe, 0x10), (0xf, 0)].map(|(at, value)| cell(0x10_0900 + at, value)),
        );
        let found = with_whole_addresses(&memory, &[object], 4);
        assert_eq!(found.len(), 5);
        assert_eq!(found[..4], memory[..4]);
        let pointer = &found[4];
        assert_eq!(
            (pointer.address, pointer.bytes, pointer.value, pointer.pointer),
            (0x10_090c, 4, 0x10_090c, true)
        );
    }
}
