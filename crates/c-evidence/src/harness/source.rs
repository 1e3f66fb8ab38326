//! The text of a harness.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

use lariat_report::{COptions, External, Failure, FailureKind, FreshObject};

use crate::harness::build::has_schedule;
use crate::harness::inputs::{self, Answers};
use crate::harness::memory;
use crate::harness::threads;
use crate::harness::{ABORTED, ASSUMPTION};
use crate::scan::{self, Token};

/// What a harness is made of.
#[derive(Clone, Debug)]
pub struct HarnessTask<'a> {
    pub(super) files: Vec<SourceFile>,
    pub(super) entry: &'a str,
    pub(super) failure: &'a Failure,
    pub(super) options: &'a COptions,
    /// Functions without body.
    externals: Vec<&'a str>,
    /// Functions that the files define; compiling may find more, which come from macros and headers.
    pub(super) defined: BTreeSet<String>,
    /// Names that a linker misses.
    pub(super) missing: BTreeSet<String>,
    /// The program declares `malloc` itself.
    pub(super) declares_malloc: bool,
    /// Names that several files define, each for itself.
    pub(super) repeated: BTreeSet<String>,
    /// The execution does not fail: it reaches something.
    is_test: bool,
}

/// A file of the program.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// As it was given, which is how locations name it.
    pub name: PathBuf,
    /// Absolute.
    pub path: PathBuf,
    pub text: String,
    /// The text is not that of the file any more.
    is_changed: bool,
}

impl SourceFile {
    fn without_line_marks(&self) -> SourceFile {
        let is_mark = |line: &str| {
            let rest = line.trim_start().strip_prefix('#').map(str::trim_start);
            rest.is_some_and(|rest| {
                rest.starts_with(|first: char| first.is_ascii_digit())
                    || rest
                        .strip_prefix("line")
                        .is_some_and(|rest| rest.starts_with([' ', '\t']))
            })
        };
        let is_changed = self.text.lines().any(is_mark);
        let keep = |line: &str| {
            if is_mark(line) {
                String::new()
            } else {
                line.to_owned()
            }
        };
        SourceFile {
            text: match is_changed {
                true => self.text.split('\n').map(keep).collect::<Vec<_>>().join("\n"),
                false => self.text.clone(),
            },
            is_changed,
            ..self.clone()
        }
    }
}

impl<'a> HarnessTask<'a> {
    /// Reads the files of the program.
    pub fn read(
        files: &[PathBuf],
        entry: &'a str,
        failure: &'a Failure,
        externals: &'a [External],
        options: &'a COptions,
    ) -> io::Result<Self> {
        let mut sources = Vec::new();
        for file in files {
            sources.push(SourceFile {
                name: file.clone(),
                path: std::path::absolute(file)?,
                text: String::from_utf8_lossy(&std::fs::read(file)?).into_owned(),
                is_changed: false,
            });
        }
        let mut defined = BTreeSet::new();
        for source in &sources {
            let tokens = scan::tokens(&source.text);
            defined.extend(scan::definitions(&tokens).iter().map(|one| one.name.to_owned()));
        }
        Ok(HarnessTask {
            files: sources,
            entry,
            failure,
            options,
            externals: externals.iter().map(|external| external.name.as_str()).collect(),
            defined,
            missing: BTreeSet::new(),
            declares_malloc: false,
            repeated: BTreeSet::new(),
            is_test: false,
        })
    }

    /// The same for an execution that need not fail: a test.
    /// Lines are those of the files, whatever the files say of where they come from.
    pub fn as_test(self) -> Self {
        let files = self.files.iter().map(SourceFile::without_line_marks).collect();
        HarnessTask {
            is_test: true,
            files,
            ..self
        }
    }

    /// The functions that must not be called.
    fn error_functions(&self) -> impl Iterator<Item = &str> {
        self.options.error_functions.iter().map(String::as_str)
    }

    /// The functions that must not be called and have a body: that they are entered is seen by
    /// instrumentation.
    pub(super) fn error_functions_with_body(&self) -> Vec<&str> {
        let names: BTreeSet<&str> = self.error_functions().collect();
        names
            .into_iter()
            .filter(|name| self.defined.contains(*name))
            .collect()
    }

    /// The file that a location names.
    pub(super) fn file_of(&self, name: &str) -> Option<usize> {
        let exact = self.files.iter().position(|file| file.name == Path::new(name));
        exact.or_else(|| self.files.iter().position(|file| file.path == Path::new(name)))
    }

    /// The label that the failure is about, unless a call on its line shows it: the file, and the
    /// byte after its colon.
    fn label(&self) -> Option<(usize, usize)> {
        if self.failure.kind != FailureKind::ErrorReached {
            return None;
        }
        let location = self.failure.location.as_ref()?;
        let file = self.file_of(&location.file)?;
        let tokens = scan::tokens(&self.files[file].text);
        let on_line: Vec<&Token<'_>> = tokens
            .iter()
            .filter(|token| token.line == location.line)
            .collect();
        let calls = |name: &str| on_line.iter().any(|token| token.text == name);
        if self.error_functions().any(calls) {
            return None;
        }
        let pair = on_line
            .windows(2)
            .find(|two| two[0].text == "ERROR" && two[1].text == ":")?;
        Some((file, pair[1].end()))
    }

    /// The variables whose values the failure records, in the order of their first value, and the indices
    /// of the inputs that are such values.
    fn locals(&self) -> (Vec<Local<'a>>, BTreeSet<usize>) {
        let mut locals: Vec<Local<'a>> = Vec::new();
        let mut used = BTreeSet::new();
        let tokens: Vec<_> = self.files.iter().map(|file| scan::tokens(&file.text)).collect();
        for (index, input) in self.failure.inputs.iter().enumerate() {
            let Some(location) = &input.location else { continue };
            let Some(file) = self.file_of(&location.file) else {
                continue;
            };
            let (name, tokens) = (&input.function, &tokens[file]);
            let (line, column) = (location.line, location.column);
            let Some(at) = scan::variable_at(tokens, name, line, column) else {
                continue;
            };
            used.insert(index);
            // A member gets its value behind the declaration, a variable in it.
            let is_member = scan::variable_of(name) != name;
            let offset = match is_member {
                true => scan::end_of_declaration(tokens, at),
                false => scan::declared_at(tokens, name, line, column).map(|at| tokens[at].end()),
            };
            let Some(offset) = offset else { continue };
            match locals
                .iter_mut()
                .find(|local| (local.file, local.offset, local.name) == (file, offset, name.as_str()))
            {
                Some(local) => local.values.push(&input.value),
                None if inputs::is_scalar(&input.ty) => locals.push(Local {
                    file,
                    offset,
                    name,
                    ty: &input.ty,
                    values: vec![&input.value],
                    is_member,
                }),
                None => {}
            }
        }
        (locals, used)
    }

    /// Names of a file that other files have, too.
    fn private_names(&self, file: &SourceFile) -> Vec<&str> {
        let tokens = scan::tokens(&file.text);
        let is_private = |name: &&str| scan::defines_privately(&tokens, name);
        self.repeated
            .iter()
            .map(String::as_str)
            .filter(is_private)
            .collect()
    }

    /// Whether the harness must know what is where in memory.
    fn needs_memory(&self) -> bool {
        let inputs = &self.failure.inputs;
        !self.failure.memory.is_empty()
            || threads::knows_addresses(self.failure)
            || inputs.iter().any(|input| input.function == self.entry)
            || inputs::has_pointers(&inputs::answers(inputs))
    }

    /// Variables in memory that are declared without initialiser: the file, the byte after the declaration, and one object
    /// for each time that it is reached.
    fn fresh_variables(&self) -> Vec<(usize, usize, Vec<&'a FreshObject>)> {
        let mut found: Vec<(usize, usize, Vec<&'a FreshObject>)> = Vec::new();
        let tokens: Vec<_> = self.files.iter().map(|file| scan::tokens(&file.text)).collect();
        for object in &self.failure.objects {
            let Some(location) = &object.location else {
                continue;
            };
            let Some(file) = self.file_of(&location.file) else {
                continue;
            };
            let Some(offset) = memory::end_of_declaration(&tokens[file], object) else {
                continue;
            };
            let is_same = |other: &&mut (usize, usize, Vec<&FreshObject>)| {
                (other.0, other.1) == (file, offset) && other.2[0].name == object.name
            };
            match found.iter_mut().find(is_same) {
                Some((.., objects)) => objects.push(object),
                None => found.push((file, offset, vec![object])),
            }
        }
        found
    }

    fn is_mentioned(&self, name: &str) -> bool {
        self.files
            .iter()
            .any(|file| scan::names_function(&file.text, name))
    }

    /// The `__VERIFIER_` functions that the files mention.
    fn verifier_functions(&self) -> BTreeSet<&str> {
        let mut names = BTreeSet::new();
        for file in &self.files {
            let tokens = scan::tokens(&file.text).into_iter();
            names.extend(
                tokens
                    .map(|token| token.text)
                    .filter(|text| text.starts_with("__VERIFIER_")),
            );
        }
        names
    }
}

/// A variable that is declared without initialiser.
struct Local<'a> {
    file: usize,
    /// The byte after its name in the declaration.
    offset: usize,
    name: &'a str,
    ty: &'a str,
    values: Vec<&'a str>,
    is_member: bool,
}

/// A C file that runs the program with the inputs of the failure.
pub fn harness_source(task: &HarnessTask<'_>) -> String {
    let mut text = String::new();
    write_head(&mut text, task);
    text.push_str(include_str!("prelude.c"));
    let (locals, used) = task.locals();
    // What is put into the files: where, and what.
    let mut edits: Vec<(usize, usize, String)> = Vec::new();
    if task.needs_memory() {
        memory::write_memory(&mut text, task.failure, task.options.machine.pointer_bytes());
        for (index, (file, offset, objects)) in task.fresh_variables().into_iter().enumerate() {
            memory::write_variable(&mut text, index, &objects);
            let name = objects[0].name.as_deref().unwrap_or_default();
            let call = format!(" lariat_object{index}((void *)&{name}, sizeof({name}));");
            edits.push((file, offset, call));
        }
    }
    for (index, local) in locals.iter().enumerate() {
        inputs::write_local(&mut text, index, local.ty, &local.values);
        let name = local.name;
        let value = match (local.is_member, inputs::is_pointer(local.ty)) {
            (false, _) => format!(" = (__typeof__({name}))lariat_local{index}()"),
            (true, true) => format!(" {name} = (void *)(long)lariat_local{index}();"),
            // A bit-field has no type that could be named.
            (true, false) => format!(" {name} = lariat_local{index}();"),
        };
        edits.push((local.file, local.offset, value));
    }
    if let Some((file, offset)) = task.label() {
        edits.push((file, offset, " lariat_label(__LINE__); ".to_owned()));
    }
    edits.sort();
    let arguments: Vec<_> = task
        .failure
        .inputs
        .iter()
        .filter(|input| input.function == task.entry)
        .collect();
    let has_own_main = task.entry != "main" || !arguments.is_empty();
    if !task.defined.contains("malloc") && task.needs_memory() {
        memory::write_malloc(&mut text, task.failure, task.declares_malloc);
    }
    if has_schedule(task) {
        threads::write_turns(&mut text, task.failure);
    }
    if has_own_main {
        text.push_str("\n#define main lariat_user_main");
    }
    for (index, file) in task.files.iter().enumerate() {
        text.push('\n');
        if index == 1 {
            text.push_str("#ifndef LARIAT_SEPARATE\n");
        }
        let own: Vec<_> = edits.iter().filter(|(file, ..)| *file == index).collect();
        let renamed = match index {
            0 => Vec::new(),
            _ => task.private_names(file),
        };
        for name in &renamed {
            let _ = writeln!(text, "#define {name} lariat_{index}_{name}");
        }
        if own.is_empty() && !file.is_changed {
            let _ = writeln!(text, "#include \"{}\"", quoted(&file.path));
        } else {
            write_edited(&mut text, file, &own);
        }
        for name in &renamed {
            let _ = writeln!(text, "#undef {name}");
        }
    }
    if task.files.len() > 1 {
        text.push_str("#endif\n");
    }
    text.push_str(
        "\n#undef main\n#undef malloc\n#undef __attribute__\n#undef __asm__\n#undef __typeof__\n#undef static\n#undef unsigned\n\
         #undef void\n#undef return\n#undef if\n",
    );
    if has_schedule(task) {
        threads::write_objects(&mut text, task.failure);
    }
    write_functions(&mut text, task, &used);
    if has_own_main {
        write_main(&mut text, task.entry, &arguments);
    }
    text
}

fn write_head(text: &mut String, task: &HarnessTask<'_>) {
    let failure = task.failure;
    let what = if task.is_test {
        "a test"
    } else {
        "an execution that fails"
    };
    let _ = writeln!(text, "/* Written by Lariat: {what}.");
    let place = failure
        .location
        .as_ref()
        .map(|location| format!("{location}: "))
        .unwrap_or_default();
    // A comment cannot be ended by what it says.
    let message = failure.message.replace("*/", "* /");
    let _ = writeln!(text, "   {}{message}", place.replace("*/", "* /"));
    let _ = match task.is_test {
        true => writeln!(
            text,
            "   Compile it with `gcc --coverage -DLARIAT_COVERAGE`, run it and ask gcov what was executed. */\n"
        ),
        false => writeln!(
            text,
            "   Compile it with a C compiler and run it: it stops with exit code {} there. */\n",
            super::FAILED
        ),
    };
}

/// The file itself with some more text, in the order of the places; lines stay what they are.
fn write_edited(text: &mut String, file: &SourceFile, edits: &[&(usize, usize, String)]) {
    let _ = writeln!(text, "#line 1 \"{}\"", quoted(&file.path));
    let mut at = 0;
    for (_, offset, more) in edits {
        text.push_str(&file.text[at..*offset]);
        text.push_str(more);
        at = *offset;
    }
    text.push_str(&file.text[at..]);
    text.push('\n');
}

fn quoted(path: &Path) -> String {
    path.display()
        .to_string()
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
}

/// Definitions of everything that the files call and do not define.
fn write_functions(text: &mut String, task: &HarnessTask<'_>, locals: &BTreeSet<usize>) {
    let mut taken: BTreeSet<&str> = task.defined.iter().map(String::as_str).collect();
    write_watched(text, task);
    let mut index = 0;
    // A name is defined at most once: by the program, or by the first rule that knows it.
    let mut define = |name, write: &mut dyn FnMut(usize)| {
        if taken.insert(name) {
            write(index);
            index += 1;
        }
    };
    for name in task.error_functions() {
        define(name, &mut |index| {
            let _ = write!(
                text,
                "\nvoid lariat_call{index}(void) LARIAT_SYMBOL(\"{name}\");\n\
                 LARIAT_PLAIN void lariat_call{index}(void)\n\
                 {{\n    lariat_error(\"{name}\", __builtin_return_address(0));\n}}\n"
            );
        });
    }
    define("__assert_fail", &mut |_| {
        text.push_str(
            "\nvoid lariat_assert_fail(const char *, const char *, unsigned, const char *) LARIAT_SYMBOL(\"__assert_fail\");\n\
             LARIAT_PLAIN void lariat_assert_fail(const char *text, const char *file, unsigned line, const char *function)\n\
             {\n    lariat_assertion(file, line, __builtin_return_address(0));\n}\n",
        );
    });
    for name in ["__VERIFIER_assert", "assert"] {
        if !task.is_mentioned(name) {
            continue;
        }
        define(name, &mut |index| {
            let _ = write!(
                text,
                "\nvoid lariat_call{index}(int) LARIAT_SYMBOL(\"{name}\");\n\
                 LARIAT_PLAIN void lariat_call{index}(int holds)\n\
                 {{\n    if (!holds)\n        lariat_assertion(\"\", 0, __builtin_return_address(0));\n}}\n"
            );
        });
    }
    define("__VERIFIER_assume", &mut |index| {
        let _ = write!(
            text,
            "\nvoid lariat_call{index}(int) LARIAT_SYMBOL(\"__VERIFIER_assume\");\n\
             LARIAT_PLAIN void lariat_call{index}(int holds)\n\
             {{\n    if (!holds) {{\n        lariat_say(\"lariat: an assumption is violated\\n\");\n        \
             lariat_exit({ASSUMPTION});\n    }}\n}}\n"
        );
    });
    define("abort", &mut |index| {
        let action = if task.failure.kind == FailureKind::Abort {
            "lariat_error(\"abort\", __builtin_return_address(0));".to_owned()
        } else {
            format!("lariat_exit({ABORTED});")
        };
        let _ = write!(
            text,
            "\nvoid lariat_call{index}(void) LARIAT_SYMBOL(\"abort\");\n\
             LARIAT_PLAIN void lariat_call{index}(void) {{ {action} }}\n"
        );
    });
    let calls = task
        .failure
        .inputs
        .iter()
        .enumerate()
        .filter(|(index, input)| !locals.contains(index) && input.function != task.entry)
        .map(|(_, input)| input);
    let answers = inputs::answers(calls);
    for one in answers.iter().filter(|one| scan::is_identifier(one.name)) {
        define(one.name, &mut |index| inputs::write_function(text, index, one));
    }
    for name in task.verifier_functions() {
        let ty = inputs::type_of_nondet(name).unwrap_or("void");
        let one = Answers {
            name,
            ty,
            values: Vec::new(),
        };
        define(name, &mut |index| inputs::write_function(text, index, &one));
    }
    for name in task.externals.iter().filter(|name| scan::is_identifier(name)) {
        define(name, &mut |index| inputs::write_silent(text, index, name));
    }
    for name in &task.missing {
        let is_function = task.is_mentioned(name);
        define(name, &mut |index| {
            if is_function {
                inputs::write_silent(text, index, name);
            } else {
                let _ = write!(
                    text,
                    "\nchar lariat_data{index}[65536] LARIAT_SYMBOL(\"{name}\") __attribute__((aligned(16)));\n"
                );
            }
        });
    }
}

/// Hooks of the compiler (`-finstrument-functions`) that see calls of error functions with bodies.
fn write_watched(text: &mut String, task: &HarnessTask<'_>) {
    let watched = task.error_functions_with_body();
    if watched.is_empty() {
        return;
    }
    text.push('\n');
    for (index, name) in watched.iter().enumerate() {
        let _ = writeln!(
            text,
            "extern char lariat_watched{index}[] LARIAT_SYMBOL(\"{name}\");"
        );
    }
    text.push_str(
        "LARIAT_PLAIN void __cyg_profile_func_exit(void *function, void *site) {}\n\
         LARIAT_PLAIN void __cyg_profile_func_enter(void *function, void *site)\n{\n",
    );
    for (index, name) in watched.iter().enumerate() {
        let _ = write!(
            text,
            "    if (function == (void *)lariat_watched{index})\n        lariat_error(\"{name}\", site);\n"
        );
    }
    text.push_str("}\n");
}

/// Calls the entry with the arguments of the trace. An argument count gets as many empty arguments.
fn write_main(text: &mut String, entry: &str, arguments: &[&lariat_report::Input]) {
    let name = if entry == "main" {
        "lariat_user_main"
    } else {
        entry
    };
    let mut values = Vec::new();
    let mut prepare = String::new();
    for (index, input) in arguments.iter().enumerate() {
        let count = arguments[0]
            .value
            .trim_end_matches(['u', 'U', 'l', 'L'])
            .parse::<usize>();
        values.push(match count {
            Ok(count) if entry == "main" && index == 1 && count <= 4096 => {
                let _ = write!(
                    prepare,
                    "    static char lariat_empty[1], *lariat_arguments[{}];\n    int i;\n    \
                     for (i = 0; i < {count}; i++)\n        lariat_arguments[i] = lariat_empty;\n",
                    count + 1
                );
                "lariat_arguments".to_owned()
            }
            _ if input.ty.trim_end().ends_with('*') => {
                format!(
                    "(__typeof__({}))lariat_memory((unsigned long)({}))",
                    input.ty, input.value
                )
            }
            _ => format!("(__typeof__({}))({})", input.ty, input.value),
        });
    }
    let _ = write!(
        text,
        "\nLARIAT_PLAIN int main(void)\n{{\n{prepare}    {name}({});\n    return 0;\n}}\n",
        values.join(", ")
    );
}
