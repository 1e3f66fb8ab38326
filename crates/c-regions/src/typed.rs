//! Memory by types, for programs whose environment is unknown.
//!
//! Where every function may be called with any pointers, the flow of addresses tells nothing: all of memory would be one
//! external object, in bytes. Here the static types of places tell accesses apart instead: one region for each scalar
//! member of each record, one for each size and kind of scalars that are no members or whose address is taken as a member.
//!
//! What the result takes for granted, beside what the analysis of the flow does:
//! - memory is accessed with the types that it has: a member of a record is met only by accesses to the same member of the
//!   same record (inside whatever record that one lies), a scalar only by accesses of its size and kind;
//! - members of a union that have the same size and kind lie over each other; others do not meet.
//!
//! Which functions a pointer may go to still comes from the flow of addresses; it may always be another one too.

use cranelift_entity::{PrimaryMap, SecondaryMap};
use lariat_c_program::{
    BitField, CProgram, Expr, ExprKind, FloatKind, GlobalId, Node, NodeId, Place, PlaceKind, RecordId,
    Scalar, Type, TypeId, Types, visit_initializer, visit_stmt,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::graph::{Cell, Graph, MemoryId};
use crate::{Region, RegionId, Regions, solve};

/// The size and kind of a scalar.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Shape {
    kind: Kind,
    bytes: u64,
    bits: Option<BitField>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Kind {
    Bool,
    /// Of either sign.
    Int,
    Pointer,
    Float(FloatKind),
}

/// What a region is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Key {
    Member(RecordId, u32),
    Union(RecordId, Shape),
    Scalar(Shape),
}

/// Regions by type.
#[derive(Clone, Debug)]
pub(crate) struct Typed {
    types: Types,
    /// What lies at offset 0 of a node.
    objects: SecondaryMap<MemoryId, Option<TypeId>>,
    nodes: FxHashMap<TypeId, Cell>,
    /// Members that pointers to scalars may point to.
    addressed: FxHashSet<(RecordId, u32)>,
    regions: FxHashMap<Key, RegionId>,
}

/// Analyses a program of which every function is where it may start, with memory that anybody may have made.
pub(crate) fn run(program: &CProgram) -> Regions {
    let flow = solve::run(program, false);
    let mut builder = Builder {
        program,
        graph: Graph::new(program.types.machine.pointer_bytes()),
        values: SecondaryMap::new(),
        typed: Typed {
            types: program.types.clone(),
            objects: SecondaryMap::new(),
            nodes: FxHashMap::default(),
            addressed: FxHashSet::default(),
            regions: FxHashMap::default(),
        },
    };
    for global in program.globals.values() {
        if let Some(init) = &global.init {
            visit_initializer(init, &mut |node| builder.node(node));
        }
    }
    for function in program.functions.values() {
        if let Some(body) = &function.body {
            visit_stmt(body, &mut |node| builder.node(node));
        }
    }
    let mut globals: SecondaryMap<GlobalId, Option<Cell>> = SecondaryMap::new();
    for (id, global) in program.globals.iter() {
        globals[id] = Some(builder.object(global.ty));
    }
    let mut locals = SecondaryMap::new();
    for (id, function) in program.functions.iter() {
        let cells = function.locals.values().map(|local| builder.object(local.ty));
        locals[id] = cells.collect();
    }
    let varargs = builder.graph.fresh();
    for ty in program.types.records.keys() {
        builder.cell_of_record(ty);
    }
    let (regions, elsewhere) = builder.make_regions();
    let callees = flow.callees.into_iter().map(|(id, mut targets)| {
        targets.unknown = true;
        (id, targets)
    });
    Regions {
        graph: builder.graph,
        split: flow.split,
        locals,
        globals,
        values: builder.values,
        varargs,
        callees: callees.collect(),
        callbacks: FxHashMap::default(),
        regions,
        layouts: FxHashMap::default(),
        elsewhere,
        typed: Some(builder.typed),
    }
}

struct Builder<'a> {
    program: &'a CProgram,
    graph: Graph,
    values: SecondaryMap<NodeId, Option<Cell>>,
    typed: Typed,
}

impl Builder<'_> {
    /// The node of the objects of a type.
    fn object(&mut self, ty: TypeId) -> Cell {
        if let Some(&cell) = self.typed.nodes.get(&ty) {
            return cell;
        }
        let cell = self.graph.fresh();
        self.typed.objects[cell.node] = Some(ty);
        self.typed.nodes.insert(ty, cell);
        cell
    }

    /// Records that only pointers in unknown memory lead to.
    fn cell_of_record(&mut self, record: RecordId) {
        let wanted = Type::Record(record);
        let types = &self.program.types;
        if let Some(ty) = types.find(&wanted) {
            self.object(ty);
        }
    }

    fn node(&mut self, node: Node<'_>) {
        match node {
            Node::Expr(expr) => self.expr(expr),
            Node::Place(place) => {
                let cell = self.place(place);
                self.values[place.id] = Some(cell);
            }
            Node::Stmt(_) => {}
        }
    }

    fn expr(&mut self, expr: &Expr) {
        let types = &self.program.types;
        let object = match types.get(expr.ty) {
            Type::Pointer(pointee) => Some(*pointee),
            Type::Record(_) => Some(expr.ty),
            _ => None,
        };
        if let ExprKind::AddressOf(place) = &expr.kind
            && let Some(member) = scalar_member(types, place)
        {
            self.typed.addressed.insert(member);
        }
        if let Some(object) = object {
            let cell = self.object(object);
            self.values[expr.id] = Some(cell);
        }
    }

    /// An element of an array of scalars lies where the array does, everything else where its type says.
    fn place(&mut self, place: &Place) -> Cell {
        match &place.kind {
            PlaceKind::Member { base, record, field } => {
                let offset = self.program.types.records[*record].fields.get(*field as usize);
                let offset = offset.map_or(0, |field| field.offset);
                self.object(base.ty).plus(offset as i64)
            }
            PlaceKind::Index { base, .. } if self.program.types.record_of(place.ty).is_none() => {
                self.place(base)
            }
            _ => self.object(place.ty),
        }
    }

    fn make_regions(&mut self) -> (PrimaryMap<RegionId, Region>, RegionId) {
        let mut made = PrimaryMap::new();
        let types = &self.program.types;
        let pointer = types.machine.pointer_bytes();
        let int = |bytes: u64| Scalar::Int {
            bits: bytes as u32 * 8,
            signed: true,
        };
        let mut scalars = vec![
            (Scalar::Bool, 1, "_Bool".to_owned()),
            (Scalar::Pointer, pointer, "pointers".to_owned()),
        ];
        scalars.extend([1, 2, 4, 8, 16].map(|bytes| (int(bytes), bytes, format!("int{}", bytes * 8))));
        let floats = [
            (FloatKind::Float, "floats", [4, 4]),
            (FloatKind::Double, "doubles", [8, 8]),
        ];
        let long = (FloatKind::LongDouble, "long doubles", [16, 12]);
        for (kind, name, [lp64, ilp32]) in floats.into_iter().chain([long]) {
            let bytes = if pointer == 8 { lp64 } else { ilp32 };
            scalars.push((Scalar::Float(kind), bytes, name.to_owned()));
        }
        for (scalar, bytes, name) in scalars {
            let key = Key::Scalar(shape(scalar, bytes, None));
            let region = made.push(region(name, scalar, bytes));
            self.typed.regions.insert(key, region);
        }
        let byte = Key::Scalar(shape(int(1), 1, None));
        let elsewhere = self.typed.regions[&byte];
        let mut taken: FxHashMap<String, u32> = FxHashMap::default();
        for (record, data) in types.records.iter() {
            let keyword = if data.is_union { "union" } else { "struct" };
            for (index, field) in data.fields.iter().enumerate() {
                let Some(scalar) = element_scalar(types, field.ty) else {
                    continue;
                };
                let bytes = element_bytes(types, field.ty);
                let (key, name) = match data.is_union {
                    true => (
                        Key::Union(record, shape(scalar, bytes, field.bits)),
                        format!("union {} ({})", data.name, kind_name(scalar)),
                    ),
                    false => (
                        Key::Member(record, index as u32),
                        format!("{keyword} {}.{}", data.name, field.name),
                    ),
                };
                if self.typed.regions.contains_key(&key) {
                    continue;
                }
                let count = taken.entry(name.clone()).or_insert(0);
                *count += 1;
                let name = if *count == 1 {
                    name
                } else {
                    format!("{name}#{count}")
                };
                let member = (!data.is_union).then_some((record, index as u32));
                let region = made.push(Region {
                    member,
                    ..region(name, scalar, bytes)
                });
                self.typed.regions.insert(key, region);
            }
        }
        (made, elsewhere)
    }
}

impl Typed {
    pub(crate) fn access(
        &self,
        cell: Cell,
        scalar: Scalar,
        bytes: u64,
        bits: Option<BitField>,
    ) -> Option<RegionId> {
        match (self.objects[cell.node], u64::try_from(cell.offset)) {
            (Some(object), Ok(offset)) => self.access_in(object, offset, scalar, bytes, bits),
            _ => {
                let plain = Key::Scalar(shape(scalar, bytes, None));
                self.regions.get(&plain).copied()
            }
        }
    }

    /// The region of a scalar at an offset in an object of a type.
    pub(crate) fn access_in(
        &self,
        object: TypeId,
        offset: u64,
        scalar: Scalar,
        bytes: u64,
        bits: Option<BitField>,
    ) -> Option<RegionId> {
        let shape = shape(scalar, bytes, bits);
        let key = self.key(object, offset, shape);
        let plain = Key::Scalar(Shape { bits: None, ..shape });
        let found = key.and_then(|key| self.regions.get(&key));
        found.or_else(|| self.regions.get(&plain)).copied()
    }

    /// The part of an object of a type that has this type itself.
    pub(crate) fn part(&self, cell: Cell, object: TypeId, offset: u64, part: TypeId) -> Cell {
        let node = |ty: TypeId| {
            self.types
                .record_of(ty)
                .and_then(|_| self.nodes.get(&ty))
                .copied()
        };
        match (node(part), node(object)) {
            (Some(part), _) => part,
            (None, Some(object)) => object.plus(offset as i64),
            // An element of an array.
            (None, None) => cell.plus(offset as i64),
        }
    }

    /// All regions that a scalar inside an object of this type may be in.
    pub(crate) fn regions_in(&self, node: MemoryId) -> Vec<RegionId> {
        let mut found = Vec::new();
        let mut open: Vec<TypeId> = self.objects[node].into_iter().collect();
        while let Some(ty) = open.pop() {
            match self.types.get(ty) {
                Type::Array { element, .. } | Type::VariableArray { element } => open.push(*element),
                Type::Record(record) => {
                    open.extend(self.types.records[*record].fields.iter().map(|field| field.ty));
                    let members = self.regions.iter().filter(|(key, _)| {
                        matches!(key, Key::Member(other, _) | Key::Union(other, _) if other == record)
                    });
                    found.extend(members.map(|(_, region)| *region));
                }
                _ => {}
            }
            if let Some(scalar) = element_scalar(&self.types, ty) {
                let key = Key::Scalar(shape(scalar, element_bytes(&self.types, ty), None));
                found.extend(self.regions.get(&key));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The member of the innermost record at that offset.
    fn key(&self, ty: TypeId, offset: u64, access: Shape) -> Option<Key> {
        let (mut ty, mut offset) = (ty, offset);
        loop {
            match self.types.get(ty) {
                Type::Array { element, .. } | Type::VariableArray { element } => {
                    let size = self.types.size(*element).filter(|&size| size > 0)?;
                    (ty, offset) = (*element, offset % size);
                }
                Type::Record(record) if self.types.records[*record].is_union => {
                    return Some(Key::Union(*record, access));
                }
                Type::Record(record) => {
                    let fields = &self.types.records[*record].fields;
                    let (index, field) = fields.iter().enumerate().rev().find(|(_, field)| {
                        let size = self.types.size(field.ty);
                        field.offset <= offset
                            && field.bits == access.bits
                            && size.is_none_or(|size| offset < field.offset + size.max(1))
                    })?;
                    let Some(scalar) = element_scalar(&self.types, field.ty) else {
                        (ty, offset) = (field.ty, offset - field.offset);
                        continue;
                    };
                    let own = shape(scalar, element_bytes(&self.types, field.ty), field.bits);
                    let member = (*record, index as u32);
                    let is_plain = own != access || self.addressed.contains(&member);
                    return Some(if is_plain {
                        Key::Scalar(access)
                    } else {
                        Key::Member(member.0, member.1)
                    });
                }
                _ => return Some(Key::Scalar(access)),
            }
        }
    }
}

fn region(name: String, element: Scalar, bytes: u64) -> Region {
    Region {
        name,
        element,
        bytes,
        globals: Vec::new(),
        has_other_objects: true,
        external: true,
        member: None,
    }
}

fn shape(scalar: Scalar, bytes: u64, bits: Option<BitField>) -> Shape {
    let kind = match scalar {
        Scalar::Bool => Kind::Bool,
        Scalar::Int { .. } => Kind::Int,
        Scalar::Pointer => Kind::Pointer,
        Scalar::Float(kind) => Kind::Float(kind),
    };
    Shape { kind, bytes, bits }
}

fn kind_name(scalar: Scalar) -> String {
    match scalar {
        Scalar::Bool => "_Bool".into(),
        Scalar::Pointer => "pointer".into(),
        Scalar::Int { bits, .. } => format!("int{bits}"),
        Scalar::Float(kind) => format!("{kind:?}").to_lowercase(),
    }
}

/// The scalar that a type is, or that the elements of an array are.
fn element_scalar(types: &Types, ty: TypeId) -> Option<Scalar> {
    match types.get(element_type(types, ty)) {
        Type::VaList => Some(Scalar::Pointer),
        _ => types.scalar(element_type(types, ty)),
    }
}

fn element_bytes(types: &Types, ty: TypeId) -> u64 {
    match types.get(element_type(types, ty)) {
        Type::VaList => types.machine.pointer_bytes(),
        _ => types.size(element_type(types, ty)).unwrap_or(1),
    }
}

fn element_type(types: &Types, ty: TypeId) -> TypeId {
    let mut ty = ty;
    while let Type::Array { element, .. } | Type::VariableArray { element } = types.get(ty) {
        ty = *element;
    }
    ty
}

/// The member that a place of scalar type, or an array of scalars, is part of.
fn scalar_member(types: &Types, place: &Place) -> Option<(RecordId, u32)> {
    element_scalar(types, place.ty)?;
    let mut place = place;
    loop {
        match &place.kind {
            PlaceKind::Index { base, .. } => place = base,
            PlaceKind::Member { record, field, .. } => return Some((*record, *field)),
            _ => return None,
        }
    }
}
