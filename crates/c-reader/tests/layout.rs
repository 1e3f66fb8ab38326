//! Sizes and offsets, compared with those of gcc.

mod common;

use common::{line, program};
use lariat_c_program::{Machine, Type};
use lariat_testkit::gcc;

const RECORDS: &str = "
struct plain { char a; int b; short c; double d; char e; };
struct packed { char a; int b; short c; long d; } __attribute__((packed));
struct aligned { char a; int b __attribute__((aligned(16))); char c; };
struct whole { char a; char b; } __attribute__((aligned(8)));
struct nested { char a; struct plain p; char b; struct packed q; };
struct arrays { char a[3]; int b[2][2]; char c; long double d; };
union both { char a[5]; int b; short c; };
struct bits { int a : 3; unsigned b : 7; long c : 40; char d; short e : 9; int : 0; int f : 1; _Bool g : 1; };
struct packed_bits { int a : 3; unsigned b : 30; long c : 40; char d : 7; } __attribute__((packed));
struct anonymous { char x; union { int a; char b; }; struct { short c; char d; }; };
struct flexible { int n; char data[]; };
struct pointers { char a; void *b; int (*c)(void); };
struct wide { char a; __int128 b; long long c; };
";

/// Each record with the fields whose offsets are asked for, and its bit-fields.
const FIELDS: &[(&str, &[&str], &[&str])] = &[
    ("struct plain", &["a", "b", "c", "d", "e"], &[]),
    ("struct packed", &["a", "b", "c", "d"], &[]),
    ("struct aligned", &["a", "b", "c"], &[]),
    ("struct whole", &["a", "b"], &[]),
    ("struct nested", &["a", "p", "b", "q"], &[]),
    ("struct arrays", &["a", "b", "c", "d"], &[]),
    ("union both", &["a", "b", "c"], &[]),
    ("struct bits", &["d"], &["a", "b", "c", "e", "f", "g"]),
    ("struct packed_bits", &[], &["a", "b", "c", "d"]),
    ("struct flexible", &["n", "data"], &[]),
    ("struct pointers", &["a", "b", "c"], &[]),
    ("struct wide", &["a", "b", "c"], &[]),
];

#[test]
fn layouts_are_those_of_gcc() {
    if !gcc::is_there("layouts_are_those_of_gcc") {
        return;
    }
    let mut expected = String::from("#include <stdio.h>\n#include <stddef.h>\n#include <string.h>\n");
    expected.push_str(RECORDS);
    expected.push_str("int main(void) {\n");
    for (record, fields, bits) in FIELDS {
        expected.push_str(&format!(
            "printf(\"{record} %zu %zu\\n\", sizeof({record}), _Alignof({record}));\n"
        ));
        for field in *fields {
            expected.push_str(&format!(
                "printf(\"{field} %zu\\n\", offsetof({record}, {field}));\n"
            ));
        }
        for field in *bits {
            // All bits of the field set, and no others: the first and the number of them.
            expected.push_str(&format!(
                "{{ {record} r; memset(&r, 0, sizeof r); r.{field} = -1; unsigned char *p = (void *)&r; int first = -1, \
                 count = 0; for (int i = 0; i < 8 * (int)sizeof r; i++) if (p[i / 8] >> i % 8 & 1) {{ if (first < 0) \
                 first = i; count++; }} printf(\"{field} bit %d width %d\\n\", first, count); }}\n"
            ));
        }
    }
    expected.push_str("return 0; }\n");
    let expected = gcc::output(&expected, &["-w"]);

    let uses: String = FIELDS
        .iter()
        .enumerate()
        .map(|(index, (record, _, _))| format!("{record} use{index};\n"))
        .collect();
    let program = program(&format!("{RECORDS}{uses}"), Machine::Lp64);
    let mut found = String::new();
    for (record, fields, bits) in FIELDS {
        let record_type = program
            .types
            .records
            .values()
            .find(|candidate| record.ends_with(&format!(" {}", candidate.name)))
            .expect("the record");
        found.push_str(&format!(
            "{record} {} {}\n",
            record_type.size.expect("complete"),
            record_type.align
        ));
        let field_of = |name: &str| {
            let field = record_type.fields.iter().find(|field| &*field.name == name);
            field.expect("the field")
        };
        for name in *fields {
            found.push_str(&format!("{name} {}\n", field_of(name).offset));
        }
        for name in *bits {
            let field = field_of(name);
            let bits = field.bits.expect("a bit-field");
            let first = field.offset * 8 + u64::from(bits.shift);
            found.push_str(&format!("{name} bit {first} width {}\n", bits.width));
            let bytes = u64::from((bits.shift + bits.width).div_ceil(8));
            assert!(
                field.offset + bytes <= record_type.size.expect("complete"),
                "{record} {name}"
            );
        }
    }
    assert_eq!(found, expected);
}

#[test]
fn i386_aligns_to_four_bytes() {
    let program = program(
        "struct s { char a; double b; long long c; void *d; } x;",
        Machine::Ilp32,
    );
    let record = program.types.records.values().next().expect("the record");
    assert_eq!((record.size, record.align), (Some(24), 4));
    assert_eq!(
        record.fields.iter().map(|field| field.offset).collect::<Vec<_>>(),
        [0, 4, 12, 20]
    );
}

#[test]
fn names_of_records() {
    assert!(line("typedef struct { int a; } T; T x;", "struct T").starts_with("struct T size 4"));
    assert!(line("struct { int a; } x;", "struct <").starts_with("struct <unnamed at 1:1> size 4"));
}

#[test]
fn enumerations() {
    assert_eq!(
        line("enum e { A, B = 5, C } x;", "enum e :"),
        "enum e : unsigned int { A = 0, B = 5, C = 6 }"
    );
    assert_eq!(
        line("enum n { M = -1 } x;", "enum n :"),
        "enum n : int { M = -1 }"
    );
}

#[test]
fn types_without_names_are_equal() {
    let program = program(
        "typedef const int ci; ci *a; int *volatile b; int *restrict *c; typeof(int *) d; _Atomic(int) *e;",
        Machine::Lp64,
    );
    let types: Vec<_> = program.globals.values().map(|global| global.ty).collect();
    assert!(types[0] == types[1] && types[1] == types[3] && types[3] == types[4]);
    assert!(matches!(program.types.get(types[2]), Type::Pointer(inner) if *inner == types[0]));
}
