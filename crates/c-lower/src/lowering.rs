//! The program as a whole: which functions are lowered, what they share.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use lariat_base::{Diagnostic, Diagnostics, SourceMap, Span};
use lariat_c_arith::{Arith, IntegerForm};
use lariat_c_program::{
    CProgram, Callee, ExprKind, FunctionId, GlobalId, Node, Purpose, Scalar, StmtKind, Type, TypeId,
    visit_stmt,
};
use lariat_c_regions::{Regions, Variable};
use lariat_ir::{Block, EntryMark, OpenInfo, Proc, ProcId, ProcKind, Program, Terminator, ThreadPrimitive};
use lariat_options::Integers;
use lariat_term::{FunId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::choose::exact_integers;
use crate::effects::EffectTable;
use crate::function::{FunctionLowering, Signature};
use crate::layout::{Leaf, leaves};
use crate::monitor::Monitor;
use crate::names::{Names, Shown};
use crate::open::{constant_globals, converted_functions};
use crate::options::{Check, LowerOptions};
use crate::property::{error_label, properties};
use crate::purity::Purity;
use crate::storage::Storage;
use crate::threads::has_threads;

/// A C program as IR.
#[derive(Clone, Debug)]
pub struct Lowered {
    pub program: Program,
    pub names: Names,
    pub externals: Vec<ExternalUse>,
    /// Entries whose own code, or that of functions they name, names what must not happen (error functions, assertions,
    /// labels), even if it can be seen that no execution gets there.
    pub property_entries: FxHashSet<ProcId>,
    /// Entries from which calls lead to something that is checked, even if it can be seen to hold.
    pub checked_entries: FxHashSet<ProcId>,
    /// Where the environment comes in, if the program was lowered without it.
    pub open: Option<OpenInfo>,
    /// What integers are.
    pub integers: IntegerForm,
    /// How many statements at the start of an entry set up the objects that exist before it is called.
    pub starts: FxHashMap<ProcId, usize>,
}

/// A function without body that is called, and what was assumed of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExternalUse {
    pub name: String,
    pub span: Span,
    pub effect: String,
}

/// Lowers everything that the entries reach.
pub fn lower(
    c: &CProgram,
    regions: &Regions,
    options: &LowerOptions,
    sources: &SourceMap,
) -> Result<Lowered, Diagnostics> {
    let options = &options.for_program(c);
    let mut lowering = Lowering::new(c, regions, options, sources);
    lowering.find_monitors()?;
    lowering.declare_monitors();
    // Names that are no functions are errors of open programs too.
    let entries = match options.open.is_some() && options.entries.is_empty() {
        true => Vec::new(),
        false => entries(c, options)?,
    };
    match options.open.is_some() {
        true => lowering.declare_open_entries(),
        false => {
            lowering.reserve(&entries);
            entries.into_iter().for_each(|entry| lowering.entry(entry));
        }
    }
    while let Some(function) = lowering.queue.pop_front() {
        lowering.body(function);
    }
    // Now it is known which globals matter.
    lowering.start_entries();
    if !lowering.spawns.is_empty() {
        lowering.start_threads();
        lowering.note_book_keeping();
    }
    if [Check::Race, Check::Deadlock, Check::Locks]
        .into_iter()
        .any(|check| options.checks(check))
    {
        // Where there are no threads or locks, nothing can go wrong with them.
        for (_, proc) in lowering.entry_procs.clone() {
            lowering.note_check(proc);
        }
    }
    let entries = lowering.entry_procs.iter().map(|&(_, proc)| proc);
    let checked_entries = entries.filter(|&proc| lowering.reaches_checks(proc)).collect();
    let property_entries = properties(c, options, &lowering.entry_procs);
    Ok(Lowered {
        open: options.open.is_some().then_some(lowering.open),
        program: lowering.ir,
        names: lowering.names,
        property_entries,
        checked_entries,
        externals: lowering.externals,
        integers: lowering.arith.integers,
        starts: lowering.starts,
    })
}

fn entries(c: &CProgram, options: &LowerOptions) -> Result<Vec<FunctionId>, Diagnostics> {
    let by_name = c.functions_by_name();
    let mut diagnostics = Diagnostics::new();
    let mut found = Vec::new();
    let main = ["main".to_owned()];
    let wanted = match options.entries.as_slice() {
        [] => &main[..],
        given => given,
    };
    for name in wanted {
        match by_name.get(name.as_str()) {
            Some(&id) if c.functions[id].body.is_some() => found.push(id),
            _ => diagnostics.push(no_entry(c, name, options.entries.is_empty())),
        }
    }
    if diagnostics.has_errors() {
        return Err(diagnostics);
    }
    Ok(found)
}

fn no_entry(c: &CProgram, name: &str, by_default: bool) -> Diagnostic {
    let mut names: Vec<String> = c
        .functions
        .values()
        .filter(|function| function.body.is_some() && function.purpose == Purpose::User)
        .take(5)
        .map(|function| format!("`{}`", function.name))
        .collect();
    if names.is_empty() {
        names.push("(the program defines no function)".into());
    }
    let code = if by_default { "no-entry" } else { "no-such-entry" };
    Diagnostic::global_error(
        code,
        format!("there is no function `{name}` with a body to start from"),
    )
    .hint(format!(
        "choose with --entry NAME, for example {}",
        names.join(", ")
    ))
}

/// What the lowering of all functions shares.
pub struct Lowering<'a> {
    pub c: &'a CProgram,
    pub regions: &'a Regions,
    pub options: &'a LowerOptions,
    pub sources: &'a SourceMap,
    pub arith: Arith,
    pub ir: Program,
    pub names: Names,
    pub storage: Storage,
    pub purity: Purity,
    pub effects: EffectTable,
    pub externals: Vec<ExternalUse>,
    pub starts: FxHashMap<ProcId, usize>,
    /// Functions of the system without body.
    pub library_names: FxHashSet<Arc<str>>,
    /// Functions of `math.h` whose values the solver does not know.
    pub real_functions: FxHashMap<String, FunId>,
    /// Whether a text of the program has the conversion `%n`; `None` if nobody has asked.
    pub has_count_format: Option<bool>,
    /// The label that is an error.
    pub error_label: Option<String>,
    /// Whether something writes arbitrary values to memory, so that elements need not be values of their type.
    pub memory_is_havocked: bool,
    /// What the procedures mention.
    mentions: FxHashMap<ProcId, Mentions>,
    pub open: OpenInfo,
    pub monitors: Vec<Monitor>,
    /// Objects that always hold their initial value; of open programs only.
    pub constants: FxHashSet<GlobalId>,
    /// Types of functions that a pointer of another type may point to; of open programs only.
    pub converted_functions: FxHashSet<TypeId>,
    entry_procs: Vec<(FunctionId, ProcId)>,
    procs: FxHashMap<FunctionId, ProcId>,
    /// The procedures that start threads, by what the threads execute.
    pub spawns: FxHashMap<ProcId, (FunctionId, ProcId)>,
    pub has_threads: bool,
    pub primitives: FxHashMap<(ThreadPrimitive, Option<lariat_term::SortId>), ProcId>,
    queue: VecDeque<FunctionId>,
    leaves: FxHashMap<TypeId, Option<std::rc::Rc<[Leaf]>>>,
}

impl<'a> Lowering<'a> {
    fn new(c: &'a CProgram, regions: &'a Regions, options: &'a LowerOptions, sources: &'a SourceMap) -> Self {
        let arith = Arith {
            integers: match options.c.integers {
                // Tracked objects need integers.
                Integers::BitVectors if options.tracks_objects() => IntegerForm::Wrapped,
                Integers::BitVectors => IntegerForm::BitVectors,
                Integers::Wrapped => IntegerForm::Wrapped,
                Integers::Math => IntegerForm::Math,
                // Specifications are about addresses as numbers.
                Integers::Exact if options.open.is_some() => IntegerForm::Wrapped,
                Integers::Exact => exact_integers(c, options),
            },
            machine: c.types.machine,
        };
        let mut ir = Program::new();
        let mut names = Names::default();
        let storage = Storage::new(c, regions, options, &arith, &mut ir, &mut names);
        Lowering {
            c,
            regions,
            options,
            sources,
            arith,
            ir,
            names,
            storage,
            purity: Purity::new(c, options),
            effects: EffectTable::default(),
            externals: Vec::new(),
            starts: FxHashMap::default(),
            library_names: library_names(c),
            real_functions: FxHashMap::default(),
            has_count_format: None,
            error_label: error_label(c, options),
            memory_is_havocked: havocs_memory(c),
            mentions: FxHashMap::default(),
            open: OpenInfo::default(),
            monitors: Vec::new(),
            constants: match options.open.is_some() {
                true => constant_globals(c),
                false => FxHashSet::default(),
            },
            converted_functions: match options.open.is_some() {
                true => converted_functions(c),
                false => FxHashSet::default(),
            },
            entry_procs: Vec::new(),
            procs: FxHashMap::default(),
            spawns: FxHashMap::default(),
            has_threads: has_threads(c),
            primitives: FxHashMap::default(),
            queue: VecDeque::new(),
            leaves: FxHashMap::default(),
        }
    }

    /// The scalars of a type; `None` if it has too many or no size.
    pub fn leaves(&mut self, ty: TypeId) -> Option<std::rc::Rc<[Leaf]>> {
        let types = &self.c.types;
        self.leaves
            .entry(ty)
            .or_insert_with(|| leaves(types, ty).map(Into::into))
            .clone()
    }

    /// The procedure that a call goes to.
    pub fn called_proc(&mut self, caller: ProcId, function: FunctionId) -> ProcId {
        let callee = self.proc_of(function);
        self.mentions.entry(caller).or_default().callees.insert(callee);
        callee
    }

    /// The procedure of a function with a body; it will be lowered.
    pub fn proc_of(&mut self, function: FunctionId) -> ProcId {
        if let Some(&proc) = self.procs.get(&function) {
            return proc;
        }
        let proc = self.declare_proc(function, None);
        self.procs.insert(function, proc);
        self.queue.push_back(function);
        proc
    }

    /// The procedure of a function that is not looked into.
    pub fn stub_of(&mut self, function: FunctionId) -> ProcId {
        if let Some(&proc) = self.procs.get(&function) {
            return proc;
        }
        let proc = self.declare_proc(function, None);
        // A function without body has no names for its parameters.
        let types = self.function_type(function).params.clone();
        let mut params = Vec::new();
        for (index, ty) in types.into_iter().enumerate() {
            let named = self.c.functions[function].params.get(index);
            let name = named.map_or_else(
                || format!("${}", index + 1),
                |&local| self.c.functions[function].locals[local].name.to_string(),
            );
            for leaf in self.leaves(ty).unwrap_or_default().iter() {
                let sort = self.arith.sort(&mut self.ir.pool, leaf.scalar);
                params.push(self.shown_var(format!("{name}{}", leaf.path), leaf.ty, sort));
            }
        }
        self.ir.procs[proc].params = params;
        self.procs.insert(function, proc);
        proc
    }

    /// The procedure that the program starts with. It is not the one that calls of the function go to: it sets up
    /// the globals first.
    fn entry(&mut self, function: FunctionId) {
        let proc = self.declare_proc(function, Some(EntryMark::Implementation));
        self.entry_procs.push((function, proc));
        FunctionLowering::new(self, function, proc).run(true);
    }

    fn start_entries(&mut self) {
        let is_open = self.is_open();
        for (function, proc) in self.entry_procs.clone() {
            let lowering = FunctionLowering::new(self, function, proc);
            match is_open {
                true => lowering.run_entry(),
                false => lowering.run_start(),
            }
        }
    }

    fn declare_open_entries(&mut self) {
        let null = self.arith.int(&mut self.ir.pool, Scalar::Pointer, &0.into());
        self.open.null = Some(null.term);
        for function in self.open_functions() {
            let proc = self.declare_proc(function, Some(EntryMark::Implementation));
            self.entry_procs.push((function, proc));
            let body = self.proc_of(function);
            self.mentions.entry(proc).or_default().callees.insert(body);
        }
    }

    /// The procedure accesses this object.
    pub fn mention(&mut self, proc: ProcId, global: GlobalId) {
        self.mentions.entry(proc).or_default().globals.insert(global);
    }

    /// The procedure checks something.
    pub fn note_check(&mut self, proc: ProcId) {
        self.mentions.entry(proc).or_default().checks = true;
    }

    fn reaches_checks(&self, proc: ProcId) -> bool {
        let mut seen = BTreeSet::new();
        let mut open = vec![proc];
        while let Some(proc) = open.pop() {
            if let Some(mentions) = self.mentions.get(&proc).filter(|_| seen.insert(proc)) {
                if mentions.checks {
                    return true;
                }
                open.extend(&mentions.callees);
            }
        }
        false
    }

    /// Objects that a procedure accesses, or one that it calls.
    pub fn mentioned_from(&self, proc: ProcId) -> BTreeSet<GlobalId> {
        let mut globals = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut open = vec![proc];
        while let Some(proc) = open.pop() {
            if let Some(mentions) = self.mentions.get(&proc).filter(|_| seen.insert(proc)) {
                globals.extend(&mentions.globals);
                open.extend(&mentions.callees);
            }
        }
        globals
    }

    fn body(&mut self, function: FunctionId) {
        let proc = self.proc_of(function);
        FunctionLowering::new(self, function, proc).run(false);
    }

    fn declare_proc(&mut self, function: FunctionId, entry_mark: Option<EntryMark>) -> ProcId {
        let data = &self.c.functions[function];
        let mut blocks = cranelift_entity::PrimaryMap::new();
        let entry = blocks.push(Block::new(Terminator::Return));
        let signature = Signature::of(self, function);
        self.ir.procs.push(Proc {
            span: Some(data.span),
            entry_mark,
            params: signature.params,
            outs: signature.outs,
            ..Proc::new(data.name.clone(), ProcKind::Source, blocks, entry)
        })
    }

    /// A variable with a name that traces show.
    pub fn shown_var(&mut self, text: String, ty: TypeId, sort: lariat_term::SortId) -> VarId {
        let var = self.ir.pool.declare_var(text.as_str(), sort);
        self.names.vars.insert(var, Shown { text, ty });
        var
    }

    pub fn function_type(&self, function: FunctionId) -> &'a lariat_c_program::FunctionType {
        let c: &'a CProgram = self.c;
        function_type(c, c.functions[function].ty)
    }

    pub fn is_split(&self, variable: Variable) -> bool {
        self.regions.is_split(variable)
    }

    pub fn use_external(&mut self, name: &str, span: Span, effect: String) {
        if !self.externals.iter().any(|external| external.name == name) {
            self.externals.push(ExternalUse {
                name: name.to_owned(),
                span,
                effect,
            });
        }
    }
}

/// What is reached from a procedure without further calls.
#[derive(Debug, Default)]
struct Mentions {
    globals: BTreeSet<GlobalId>,
    callees: BTreeSet<ProcId>,
    checks: bool,
}

/// Functions always have function types; anything else would be a bug of the reader.
pub fn function_type(c: &CProgram, ty: TypeId) -> &lariat_c_program::FunctionType {
    match c.types.get(ty) {
        Type::Function(function) => function,
        Type::Pointer(target) => function_type(c, *target),
        other => panic!("a function has the type {other:?}"),
    }
}

/// Functions of the library, and the compiler's own, without body.
fn library_names(c: &CProgram) -> FxHashSet<Arc<str>> {
    let functions = c.functions.values();
    functions
        .filter(|function| function.is_library || function.name.starts_with("__builtin_"))
        .filter(|function| function.body.is_none())
        .map(|function| function.name.clone())
        .collect()
}

/// Whether unknown code may write to memory: calls of functions without body, inline assembly.
fn havocs_memory(c: &CProgram) -> bool {
    let mut found = false;
    for function in c.functions.values() {
        let Some(body) = &function.body else { continue };
        visit_stmt(body, &mut |node| match node {
            Node::Stmt(stmt) => found |= matches!(&stmt.kind, StmtKind::Asm(asm) if asm.clobbers_memory),
            Node::Expr(expr) => {
                found |= match &expr.kind {
                    ExprKind::Call {
                        callee: Callee::Function(callee),
                        args,
                    } => {
                        let callee = &c.functions[*callee];
                        callee.body.is_none()
                            && lariat_c_library::effect(&callee.name).writes
                            && args.iter().any(|arg| c.types.pointee(arg.ty).is_some())
                    }
                    ExprKind::Call {
                        callee: Callee::Pointer(_),
                        ..
                    } => true,
                    _ => false,
                }
            }
            Node::Place(_) => {}
        });
    }
    found
}
