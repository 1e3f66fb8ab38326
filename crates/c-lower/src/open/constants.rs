//! Objects with static storage that always hold what they are initialised with.
//!
//! Such an object is a string literal, or it is `const` or cannot be seen by other files, and the program does not write it:
//! not by its name, and, if its address is taken, not through a pointer to a record of its type either. What it is
//! initialised with then holds whenever a function is called. (`const` is believed.)

use lariat_c_program::{
    CProgram, Expr, ExprKind, Global, GlobalId, Linkage, Node, Place, PlaceKind, RecordId, StmtKind, Type,
    TypeId, visit_initializer, visit_stmt,
};
use rustc_hash::FxHashSet;

#[derive(Default)]
struct Uses {
    written: FxHashSet<GlobalId>,
    addressed: FxHashSet<GlobalId>,
    /// Records that are written through pointers, or have members that are.
    stored: FxHashSet<RecordId>,
}

pub fn constant_globals(c: &CProgram) -> FxHashSet<GlobalId> {
    let mut uses = Uses::default();
    for function in c.functions.values() {
        if let Some(body) = &function.body {
            visit_stmt(body, &mut |node| uses.node(c, node));
        }
    }
    for global in c.globals.values() {
        if let Some(init) = &global.init {
            visit_initializer(init, &mut |node| uses.node(c, node));
        }
    }
    let all = c.globals.iter();
    all.filter(|(id, global)| uses.is_constant(c, *id, global))
        .map(|(id, _)| id)
        .collect()
}

impl Uses {
    fn node(&mut self, c: &CProgram, node: Node<'_>) {
        match node {
            Node::Expr(Expr { kind, .. }) => match kind {
                ExprKind::Assign { place, .. }
                | ExprKind::CompoundAssign { place, .. }
                | ExprKind::Step { place, .. } => self.write(c, place),
                ExprKind::AddressOf(place) => self.addressed.extend(root(place)),
                _ => {}
            },
            Node::Stmt(stmt) => {
                if let StmtKind::Asm(asm) = &stmt.kind {
                    asm.outputs.iter().for_each(|place| self.write(c, place));
                }
            }
            Node::Place(_) => {}
        }
    }

    fn write(&mut self, c: &CProgram, place: &Place) {
        if let Some(global) = root(place) {
            self.written.insert(global);
            return;
        }
        self.stored.extend(c.types.record_of(place.ty));
        let mut place = place;
        loop {
            match &place.kind {
                PlaceKind::Member { base, record, .. } => {
                    self.stored.insert(*record);
                    place = base;
                }
                PlaceKind::Index { base, .. } => place = base,
                _ => return,
            }
        }
    }

    fn is_constant(&self, c: &CProgram, id: GlobalId, global: &Global) -> bool {
        if global.is_string {
            return true;
        }
        let is_hidden = global.linkage == Linkage::Internal || global.is_const;
        if !global.defined || !is_hidden || self.written.contains(&id) {
            return false;
        }
        !self.addressed.contains(&id) || global.is_const || self.is_never_stored(c, global.ty)
    }

    /// The type is made of records that nobody writes through a pointer.
    fn is_never_stored(&self, c: &CProgram, ty: TypeId) -> bool {
        match c.types.get(ty) {
            Type::Array { element, .. } => self.is_never_stored(c, *element),
            Type::Record(record) => !self.stored.contains(record),
            _ => false,
        }
    }
}

fn root(place: &Place) -> Option<GlobalId> {
    match &place.kind {
        PlaceKind::Global(global) => Some(*global),
        PlaceKind::Member { base, .. } | PlaceKind::Index { base, .. } => root(base),
        _ => None,
    }
}
