//! What the program refers to: functions that count, functions that are called, variables whose address is taken.

use cranelift_entity::SecondaryMap;
use lariat_c_library::{Pointers, effect};
use lariat_c_program::{
    CProgram, Callee, Expr, ExprKind, FunctionId, Node, Place, PlaceKind, Purpose, Type, TypeId,
    visit_initializer, visit_stmt,
};
use rustc_hash::FxHashSet;

use crate::Variable;
use crate::layout::{is_splittable, may_hold_address, stored_scalar};

pub(crate) struct References {
    /// Functions whose bodies are part of the program: all of the user's, and the models that are referred to.
    pub live: SecondaryMap<FunctionId, bool>,
    /// Called by name, or their address is taken.
    pub referenced: SecondaryMap<FunctionId, bool>,
    /// Variables that are never in memory.
    pub split: FxHashSet<Variable>,
    /// Variables whose address is taken.
    pub addressed: FxHashSet<Variable>,
    /// Functions whose address is taken.
    pub addressed_functions: SecondaryMap<FunctionId, bool>,
    /// Somebody may read a pointer from the extra arguments of a call.
    pub reads_pointer_arguments: bool,
}

pub(crate) fn collect(program: &CProgram) -> References {
    let mut references = References {
        live: SecondaryMap::new(),
        referenced: SecondaryMap::new(),
        split: FxHashSet::default(),
        addressed: FxHashSet::default(),
        addressed_functions: SecondaryMap::new(),
        reads_pointer_arguments: false,
    };
    let mut in_memory = FxHashSet::default();
    let mut open: Vec<FunctionId> = Vec::new();
    for (id, function) in program.functions.iter() {
        if function.purpose == Purpose::User {
            references.live[id] = true;
            open.push(id);
        }
    }
    for (_, global) in program.globals.iter() {
        if let Some(init) = &global.init {
            visit_initializer(init, &mut |node| {
                references.node(program, None, node, &mut in_memory, &mut open);
            });
        }
    }
    while let Some(id) = open.pop() {
        if let Some(body) = &program.functions[id].body {
            visit_stmt(body, &mut |node| {
                references.node(program, Some(id), node, &mut in_memory, &mut open);
            });
        }
    }
    for (id, global) in program.globals.iter() {
        references.split_if(program, Variable::Global(id), global.ty, &in_memory);
    }
    for (id, function) in program.functions.iter() {
        if !references.live[id] {
            continue;
        }
        for (local, data) in function.locals.iter() {
            references.split_if(program, Variable::Local(id, local), data.ty, &in_memory);
        }
    }
    references.addressed = in_memory;
    references
}

impl References {
    fn split_if(
        &mut self,
        program: &CProgram,
        variable: Variable,
        ty: TypeId,
        in_memory: &FxHashSet<Variable>,
    ) {
        if !in_memory.contains(&variable) && is_splittable(&program.types, ty) {
            self.split.insert(variable);
        }
    }

    fn node(
        &mut self,
        program: &CProgram,
        function: Option<FunctionId>,
        node: Node<'_>,
        in_memory: &mut FxHashSet<Variable>,
        open: &mut Vec<FunctionId>,
    ) {
        let Node::Expr(expr) = node else { return };
        match &expr.kind {
            ExprKind::AddressOf(place) => in_memory.extend(variable_of(function, place)),
            ExprKind::FunctionAddress(id) => {
                self.addressed_functions[*id] = true;
                self.refer(*id, open);
            }
            ExprKind::Call { callee, args } => {
                let is_unknown = match callee {
                    Callee::Function(id) => {
                        self.refer(*id, open);
                        let callee = &program.functions[*id];
                        callee.body.is_none() && effect(&callee.name).pointers == Pointers::Unknown
                    }
                    Callee::Pointer(_) => true,
                };
                self.reads_pointer_arguments |= is_unknown && args.iter().any(|arg| is_list(program, arg));
            }
            ExprKind::VaArg(_) => {
                self.reads_pointer_arguments |= match stored_scalar(&program.types, expr.ty) {
                    Some((scalar, _)) => may_hold_address(&program.types, scalar),
                    None => true,
                };
            }
            _ => {}
        }
    }

    fn refer(&mut self, id: FunctionId, open: &mut Vec<FunctionId>) {
        self.referenced[id] = true;
        if !std::mem::replace(&mut self.live[id], true) {
            open.push(id);
        }
    }
}

fn is_list(program: &CProgram, expr: &Expr) -> bool {
    let is_list = |ty| matches!(program.types.get(ty), Type::VaList);
    is_list(expr.ty) || program.types.pointee(expr.ty).is_some_and(is_list)
}

/// The variable that a place is part of.
fn variable_of(function: Option<FunctionId>, place: &Place) -> Option<Variable> {
    let mut place = place;
    loop {
        match &place.kind {
            PlaceKind::Member { base, .. } | PlaceKind::Index { base, .. } => place = base,
            PlaceKind::Global(id) => return Some(Variable::Global(*id)),
            PlaceKind::Local(local) | PlaceKind::CompoundLiteral { local, .. } => {
                return Some(Variable::Local(function?, *local));
            }
            PlaceKind::Deref(_) | PlaceKind::Temporary(_) => return None,
        }
    }
}
