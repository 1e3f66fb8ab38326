//! Sizes, alignments, offsets and names of random types against gcc, for both machines.

use std::fmt::Write as _;

use lariat_c_program::{CProgram, Machine, check_program};
use lariat_testkit::{Random, c, gcc};

const ROUNDS: u64 = 8;
const RECORDS: usize = 12;
const OBJECTS: usize = 40;

const SCALARS: [&str; 14] = [
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "float",
    "double",
    "_Bool",
];

/// A declaration of `name` with a random type; records up to number `records` are known.
fn declaration(random: &mut Random, name: &str, records: usize) -> String {
    let mut base = random.pick(&SCALARS).to_owned();
    if records > 0 && random.one_in(3) {
        base = format!("struct r{}", random.below(records));
    }
    let mut declarator = name.to_owned();
    for _ in 0..random.below(4) {
        declarator = match random.below(4) {
            0 | 1 => format!("{declarator}[{}]", 1 + random.below(4)),
            2 => format!("(*{declarator})"),
            _ if declarator.ends_with(']') || declarator.ends_with("(void)") => format!("(*{declarator})"),
            _ => format!("(*{declarator})(void)"),
        };
        // Neither functions nor arrays of functions are returned.
        if declarator.ends_with("(void)") {
            declarator = format!("(*{declarator})");
        }
    }
    format!("{base} {declarator};")
}

fn records(random: &mut Random) -> (String, Vec<usize>) {
    let (mut text, mut counts) = (String::new(), Vec::new());
    for record in 0..RECORDS {
        let count = 1 + random.below(5);
        let packed = if random.one_in(5) {
            " __attribute__((packed))"
        } else {
            ""
        };
        let _ = write!(text, "struct r{record} {{ ");
        for field in 0..count {
            let _ = write!(text, "{} ", declaration(random, &format!("f{field}"), record));
        }
        let _ = writeln!(text, "}}{packed};");
        counts.push(count);
    }
    (text, counts)
}

/// What the program says of its types, as assertions that a compiler checks.
fn assertions(program: &CProgram, records: &str, counts: &[usize]) -> String {
    let mut text = records.to_owned();
    for global in program.globals.values() {
        let name = &global.name;
        // The name of the type is right if the object can be declared with it again.
        let _ = writeln!(text, "extern {};", program.types.declarator(global.ty, name));
    }
    for global in program.globals.values() {
        let name = &global.name;
        let (size, align) = (
            program.types.size(global.ty).expect("complete types only"),
            program.types.align(global.ty),
        );
        let _ = writeln!(
            text,
            "_Static_assert(sizeof {name} == {size}, \"{name}\");\n\
             _Static_assert(_Alignof(__typeof__({name})) == {align}, \"{name}\");"
        );
    }
    for record in program.types.records.values() {
        let number: usize = record.name.trim_start_matches('r').parse().expect("a number");
        assert_eq!(record.fields.len(), counts[number]);
        let _ = writeln!(
            text,
            "_Static_assert(sizeof(struct {0}) == {1} && _Alignof(struct {0}) == {2}, \"{0}\");",
            record.name,
            record.size.expect("complete"),
            record.align
        );
        for field in &record.fields {
            let _ = writeln!(
                text,
                "_Static_assert(__builtin_offsetof(struct {0}, {1}) == {2}, \"{0}.{1}\");",
                record.name, field.name, field.offset
            );
        }
    }
    text
}

#[test]
fn layouts_and_names_are_those_of_gcc() {
    if !gcc::is_there("layouts_and_names_are_those_of_gcc") {
        return;
    }
    for seed in 0..ROUNDS {
        let mut random = Random::new(seed);
        let (records, counts) = records(&mut random);
        let mut text = records.clone();
        for object in 0..OBJECTS {
            let _ = writeln!(
                text,
                "{}",
                declaration(&mut random, &format!("g{object}"), RECORDS)
            );
        }
        // A record that nothing uses is not read.
        for record in 0..RECORDS {
            let _ = writeln!(text, "struct r{record} use{record};");
        }
        for (machine, flag) in [(Machine::Lp64, "-m64"), (Machine::Ilp32, "-m32")] {
            let program = c::program(&text, machine);
            assert!(program.globals.len() >= OBJECTS);
            assert_eq!(program.types.records.len(), RECORDS);
            // Redeclarations must agree with the declarations.
            let check = assertions(&program, &text, &counts);
            if let Err(message) = gcc::accepts(&check, &["-std=gnu11", flag]) {
                panic!("seed {seed} {flag}:\n{message}\n{check}");
            }
        }
    }
}

#[test]
fn gcc_would_notice_a_wrong_layout() {
    if !gcc::is_there("gcc_would_notice_a_wrong_layout") {
        return;
    }
    let text = "struct r0 { char f0; int f1; };\nstruct r0 use0;\n";
    let mut program = c::program(text, Machine::Lp64);
    gcc::accepts(&assertions(&program, text, &[2]), &["-std=gnu11"]).expect("the layout is right");
    for record in program.types.records.values_mut() {
        record.fields[1].offset += 1;
    }
    assert!(gcc::accepts(&assertions(&program, text, &[2]), &["-std=gnu11"]).is_err());
}

#[test]
fn a_node_has_one_place() {
    let text = "int f(int x) { return x + 1; }\nint g(int x) { return x + 1; }\n";
    let mut program = c::program(text, Machine::Lp64);
    assert!(check_program(&program).is_empty());
    let by_name = program.functions_by_name();
    program.functions[by_name["g"]].body = program.functions[by_name["f"]].body.clone();
    assert!(!check_program(&program).is_empty(), "ids of nodes are used twice");
}
