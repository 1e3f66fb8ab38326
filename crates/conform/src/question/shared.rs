//! Globals that two components would share if they ran in one program.
//!
//! Components share no memory here. If two of them use one variable and one of them writes it, the user has to say that
//! each is a program of its own.

use std::collections::hash_map::Entry;

use lariat_base::Diagnostic;
use lariat_c_program::{
    CProgram, Callee, Expr, ExprKind, FunctionId, Global, GlobalId, Linkage, Node, Place, PlaceKind, Purpose,
    visit_initializer, visit_stmt,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Loader, Question};

/// The globals that a component uses, and whether it may write them.
type Uses = FxHashMap<GlobalId, bool>;

impl Loader<'_> {
    pub(super) fn check_shared_globals(&mut self, question: &Question) {
        if self.project.separate_globals {
            return;
        }
        let given = self.project.components.iter();
        let uses: Vec<Uses> = question
            .sides
            .iter()
            .zip(given)
            .map(|(side, given)| uses_of(&side.program, &given.procedure.text))
            .collect();
        let mut told: FxHashSet<String> = FxHashSet::default();
        for (first, own) in uses.iter().enumerate() {
            for (second, others_use) in uses.iter().enumerate().skip(first + 1) {
                for (&global, &writes) in own {
                    let one = &question.sides[first].program.globals[global];
                    let others = question.sides[second].program.globals.iter();
                    let same = others.into_iter().find_map(|(id, other)| {
                        let others_write = *others_use.get(&id)?;
                        ((writes || others_write) && self.is_same(one, other)).then_some(other)
                    });
                    if same.is_some() && told.insert(one.name.to_string()) {
                        let names = [first, second].map(|index| question.components[index].name.as_str());
                        let message = format!(
                            "`{}` and `{}` both use `{}`, but components share no memory",
                            names[0], names[1], one.name
                        );
                        let hint = "if each is a program with its own variables, write separate-globals = true in [options]; \
                                    if not, let one component hold it and others send messages";
                        let diagnostic = Diagnostic::error("conform-shared", one.span, message);
                        self.diagnostics.push(diagnostic.hint(hint));
                    }
                }
            }
        }
    }

    /// Whether two programs mean the same variable: by its place, or by its name if one of them only declares it.
    fn is_same(&self, one: &Global, other: &Global) -> bool {
        let is_shared = |global: &Global| {
            global.purpose == Purpose::User
                && !global.is_const
                && !global.is_string
                && !global.is_thread_local
        };
        let path = |global: &Global| &self.sources.file(global.span.source).path;
        let is_external = one.linkage == Linkage::External && other.linkage == Linkage::External;
        let is_linked = is_external && one.defined != other.defined;
        one.name == other.name
            && is_shared(one)
            && is_shared(other)
            && (is_linked || (path(one) == path(other) && one.span.start == other.span.start))
    }
}

/// What a function uses, itself or through others with a body. Who uses a variable can reach what its initialiser points to.
fn uses_of(program: &CProgram, procedure: &str) -> Uses {
    let entry = program
        .functions
        .iter()
        .find(|(_, function)| *function.name == *procedure);
    let mut found = Found::default();
    if let Some((id, _)) = entry {
        found.call(id);
    }
    loop {
        if let Some(function) = found.functions.pop() {
            if let Some(body) = &program.functions[function].body {
                visit_stmt(body, &mut |node| found.node(node));
            }
        } else if let Some(global) = found.globals.pop() {
            if let Some(init) = &program.globals[global].init {
                visit_initializer(init, &mut |node| found.node(node));
            }
        } else {
            return found.uses;
        }
    }
}

/// What is used, and what of it is still to be looked at.
#[derive(Default)]
struct Found {
    uses: Uses,
    seen: FxHashSet<FunctionId>,
    functions: Vec<FunctionId>,
    globals: Vec<GlobalId>,
}

impl Found {
    fn call(&mut self, function: FunctionId) {
        if self.seen.insert(function) {
            self.functions.push(function);
        }
    }

    fn uses(&mut self, global: GlobalId, writes: bool) {
        match self.uses.entry(global) {
            Entry::Occupied(mut known) => *known.get_mut() |= writes,
            Entry::Vacant(new) => {
                new.insert(writes);
                self.globals.push(global);
            }
        }
    }

    fn node(&mut self, node: Node<'_>) {
        match node {
            Node::Place(place) => {
                if let PlaceKind::Global(global) = place.kind {
                    self.uses(global, false);
                }
            }
            Node::Expr(expr) => {
                if let Some(global) = written(expr) {
                    self.uses(global, true);
                }
                match &expr.kind {
                    ExprKind::Call {
                        callee: Callee::Function(callee),
                        ..
                    }
                    | ExprKind::FunctionAddress(callee) => self.call(*callee),
                    _ => {}
                }
            }
            Node::Stmt(_) => {}
        }
    }
}

/// The global that an expression writes, or whose address it takes.
fn written(expr: &Expr) -> Option<GlobalId> {
    let mut place: &Place = match &expr.kind {
        ExprKind::Assign { place, .. }
        | ExprKind::CompoundAssign { place, .. }
        | ExprKind::Step { place, .. }
        | ExprKind::AddressOf(place) => place,
        _ => return None,
    };
    loop {
        match &place.kind {
            PlaceKind::Global(global) => return Some(*global),
            PlaceKind::Member { base, .. } | PlaceKind::Index { base, .. } => place = base,
            _ => return None,
        }
    }
}
