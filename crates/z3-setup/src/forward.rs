//! Functions that stand for those of the Z3 library.
//!
//! A program that is linked to a library does not even start without it, and what the loader then prints does not say where
//! it looked. So each function of Z3 is defined in the program as one jump through a table, which `lariat-smt` fills when it
//! loads the library. The linker finds every name defined and leaves the library out.
//!
//! Invariant: entry `i` of the table belongs to name `i` of [`Forwarders::names`].

use object::read::elf::ElfFile64;
use object::{Endianness, Object, ObjectSymbol, SymbolKind};

use crate::platform::Target;

/// The name of the table in the assembly.
const TABLE: &str = "lariat_z3_functions";

/// What `lariat-smt` compiles into the program.
pub struct Forwarders {
    pub assembly: String,
    /// As the text of a Rust expression: a slice of C strings.
    pub names: String,
}

/// Forwarders to the functions of `library`, an ELF file; `None` where we do not know how to write a jump or the
/// file is of another kind: then programs are linked to the library.
pub fn forwarders(library: &[u8], target: &Target) -> Option<Forwarders> {
    let jump = match (target.os.as_str(), target.architecture.as_str()) {
        ("linux", "x86_64") => |entry: usize| format!("    jmp qword ptr [rip + {TABLE} + {}]\n", 8 * entry),
        ("linux", "aarch64") => |entry: usize| {
            let entry = format!("{TABLE} + {}", 8 * entry);
            format!("    adrp x16, {entry}\n    ldr x16, [x16, :lo12:{entry}]\n    br x16\n")
        },
        _ => return None,
    };
    let names = functions(library)?;
    let mut assembly = String::from("    .text\n");
    for (entry, name) in names.iter().enumerate() {
        // Hidden: the library calls its own functions, not ours.
        assembly += &format!(
            "    .p2align 4\n    .globl {name}\n    .hidden {name}\n    .type {name}, @function\n{name}:\n"
        );
        assembly += &jump(entry);
        assembly += &format!("    .size {name}, . - {name}\n");
    }
    assembly += &format!("    .bss\n    .p2align 3\n    .globl {TABLE}\n    .hidden {TABLE}\n{TABLE}:\n");
    assembly += &format!("    .zero {}\n    .text\n", 8 * names.len());
    let names: Vec<String> = names.iter().map(|name| format!("c\"{name}\"")).collect();
    Some(Forwarders {
        assembly,
        names: format!("&[{}]", names.join(", ")),
    })
}

/// The functions of Z3's interface that an ELF library offers, each once.
fn functions(library: &[u8]) -> Option<Vec<String>> {
    let file = ElfFile64::<Endianness>::parse(library).ok()?;
    let mut names: Vec<String> = file
        .dynamic_symbols()
        .filter(|symbol| symbol.is_definition() && symbol.kind() == SymbolKind::Text)
        .filter_map(|symbol| symbol.name().ok().map(str::to_owned))
        .filter(|name| name.starts_with("Z3_"))
        .collect();
    names.sort();
    names.dedup();
    (!names.is_empty()).then_some(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(os: &str, architecture: &str) -> Target {
        Target {
            os: os.to_owned(),
            architecture: architecture.to_owned(),
            libc: "gnu".to_owned(),
        }
    }

    #[test]
    fn what_is_no_library_is_linked_as_it_is() {
        assert!(forwarders(b"!<arch>\n", &target("linux", "x86_64")).is_none());
        assert!(forwarders(b"", &target("linux", "aarch64")).is_none());
    }
}
