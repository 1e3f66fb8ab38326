//! What others ask of the result.

use std::collections::BTreeSet;

use cranelift_entity::PrimaryMap;
use lariat_c_program::{BitField, CProgram, Expr, FunctionId, NodeId, Place, PlaceKind, Scalar, TypeId};

use crate::accesses::access_key;
use crate::graph::{MemoryId, Object};
use crate::grouping::Found;
use crate::layout::constant;
use crate::reach::{Reach, reach};
use crate::{Access, Cell, Region, RegionId, Regions, Targets, Variable};

impl Regions {
    pub fn regions(&self) -> &PrimaryMap<RegionId, Region> {
        &self.regions
    }

    /// The variable is never in memory: its address is never taken, and it is a scalar or a record made of scalars and such
    /// records only.
    pub fn is_split(&self, variable: Variable) -> bool {
        self.split.contains(&variable)
    }

    /// The object of a variable that is not split.
    pub fn variable(&self, variable: Variable) -> Cell {
        let cell = match variable {
            Variable::Global(id) => self.globals[id],
            Variable::Local(function, local) => self.locals[function].get(local.as_u32() as usize).copied(),
        };
        self.graph.find(cell.unwrap_or(self.graph.external()))
    }

    /// What the expression with this id points to; of one of record type, where it lies. External memory if the
    /// expression is no part of the program that was analysed or is known to be no address.
    pub fn target(&self, pointer: NodeId) -> Cell {
        self.graph
            .find(self.values[pointer].unwrap_or(self.graph.external()))
    }

    /// The cell of a place that is in memory.
    pub fn place(&self, program: &CProgram, function: Option<FunctionId>, place: &Place) -> Cell {
        if let Some(cell) = self.values[place.id] {
            return self.graph.find(cell);
        }
        // A place that the lowering made itself.
        match &place.kind {
            PlaceKind::Local(local) | PlaceKind::CompoundLiteral { local, .. } => match function {
                Some(function) => self.variable(Variable::Local(function, *local)),
                None => self.graph.find(self.graph.external()),
            },
            PlaceKind::Global(id) => self.variable(Variable::Global(*id)),
            PlaceKind::Deref(pointer) | PlaceKind::Temporary(pointer) => self.target(pointer.id),
            PlaceKind::Member { base, record, field } => {
                let cell = self.place(program, function, base);
                let field = program.types.records[*record].fields.get(*field as usize);
                self.at(cell, field.map_or(0, |field| field.offset))
            }
            PlaceKind::Index { base, index } => {
                let cell = self.place(program, function, base);
                let element = program.types.size(place.ty).unwrap_or(1);
                let index = constant(&program.types, index).and_then(|index| u64::try_from(index).ok());
                self.at(cell, index.map_or(0, |index| index.wrapping_mul(element)))
            }
        }
    }

    /// The part of an object of a type, at a constant offset and of a type of its own.
    pub fn part(&self, cell: Cell, object: TypeId, offset: u64, part: TypeId) -> Cell {
        match &self.typed {
            Some(typed) => typed.part(cell, object, offset, part),
            None => self.at(cell, offset),
        }
    }

    /// The region of a scalar inside an object of a type, where memory is told apart by types.
    pub fn typed_access(
        &self,
        object: TypeId,
        offset: u64,
        scalar: Scalar,
        bytes: u64,
        bits: Option<BitField>,
    ) -> Option<RegionId> {
        self.typed
            .as_ref()?
            .access_in(object, offset, scalar, bytes, bits)
    }

    /// The cell that many bytes further.
    pub fn at(&self, cell: Cell, offset: u64) -> Cell {
        self.graph.find(cell.plus(offset as i64))
    }

    /// How a scalar at that cell is accessed. Bytes that no access of the program needs are in a region of their own, in
    /// bytes.
    ///
    /// # Panics
    /// If other accesses touch some of the bytes but the program has no such access itself: no answer would be right.
    pub fn access(&self, cell: Cell, ty: Scalar, bytes: u64, bits: Option<BitField>) -> Access {
        self.find_access(cell, ty, bytes, bits)
            .unwrap_or(Access::Bytes(self.elsewhere))
    }

    /// The same; `None` if nothing ever reads these bytes and only initialisers and copies write them.
    ///
    /// # Panics
    /// As [`Regions::access`].
    pub fn find_access(&self, cell: Cell, ty: Scalar, bytes: u64, bits: Option<BitField>) -> Option<Access> {
        let cell = self.graph.find(cell);
        if let Some(typed) = &self.typed {
            return typed.access(cell, ty, bytes, bits).map(Access::Word);
        }
        let mut key = access_key(ty, bytes, bits);
        key.offset = cell.offset;
        match self.layouts.get(&cell.node)?.find(&key) {
            Found::Access(access) => Some(access),
            Found::Nothing => None,
            Found::Unregistered => panic!(
                "a bug of Lariat: an access ({ty:?}, {bytes} bytes, {bits:?}) at {}+{} is unknown to the analysis of memory",
                cell.node, cell.offset
            ),
        }
    }

    /// What the callee with this id may be.
    pub fn targets(&self, callee: NodeId) -> Targets {
        self.callees.get(&callee).cloned().unwrap_or(Targets {
            unknown: true,
            ..Targets::default()
        })
    }

    /// How many variables and places of allocation have objects where the cell is.
    pub fn objects_at(&self, cell: Cell) -> usize {
        match &self.typed {
            Some(_) => 0,
            None => self.graph.at(cell).objects.len(),
        }
    }

    /// The variables that have objects where the cell is.
    pub fn variables_at(&self, cell: Cell) -> Vec<Variable> {
        if self.typed.is_some() {
            return Vec::new();
        }
        let objects = self.graph.at(cell).objects.keys();
        objects
            .filter_map(|object| match object {
                Object::Variable(variable) => Some(*variable),
                Object::Heap(_) | Object::Varargs => None,
            })
            .collect()
    }

    /// The variable that a pointer to the cell points into, or just behind, if it cannot be anything else.
    pub fn only_variable(&self, cell: Cell) -> Option<Variable> {
        let is_known = |cell| {
            let memory = self.graph.at(cell);
            memory.objects.len() == 1 && !memory.external && !memory.forged && !memory.is_value
        };
        (self.typed.is_none() && is_known(cell))
            .then(|| self.variables_at(cell).first().copied())
            .flatten()
    }

    /// The regions that parts of the object at that cell are in.
    pub fn object_regions(&self, cell: Cell) -> Vec<RegionId> {
        if let Some(typed) = &self.typed {
            return typed.regions_in(self.graph.find(cell).node);
        }
        self.regions_of(&[self.graph.find(cell).node])
    }

    /// All regions that can be reached from there through stored pointers, those of that object first.
    pub fn reachable(&self, cell: Cell) -> Vec<RegionId> {
        self.regions_of(&self.graph.reachable([cell]))
    }

    fn regions_of(&self, roots: &[MemoryId]) -> Vec<RegionId> {
        let layouts = roots.iter().filter_map(|root| self.layouts.get(root));
        let groups = layouts.flat_map(|layout| &layout.groups);
        groups.filter_map(|group| group.region).collect()
    }

    /// All regions that a function of which nothing is known may write through this argument: what is reachable from it,
    /// as far as its type and form let it reach (see the contract of unknown functions).
    pub fn written_by_unknown(&self, program: &CProgram, arg: &Expr) -> Vec<RegionId> {
        let Some(cell) = self.values[arg.id].map(|cell| self.graph.find(cell)) else {
            return Vec::new();
        };
        let reach = reach(program, arg);
        let layout = self.layouts.get(&cell.node);
        let mut regions = match (reach, layout) {
            (Reach::All, _) => return self.reachable(cell),
            (_, None) => Vec::new(),
            (
                Reach::Numbers {
                    bytes,
                    class,
                    is_member: false,
                },
                Some(layout),
            ) => layout.numbers(bytes, class),
            (Reach::Member(bytes) | Reach::Numbers { bytes, .. }, Some(layout)) => {
                layout.within(cell.offset, bytes)
            }
        };
        let (roots, _) = self.graph.reached(&[(cell, reach)]);
        regions.extend(self.regions_of(&roots));
        regions.sort_unstable();
        regions.dedup();
        regions
    }

    /// The functions that a function of which nothing is known is given by this argument: it points to them, or to objects
    /// from which pointers lead to them.
    pub fn functions_given(&self, arg: &Expr) -> &[FunctionId] {
        self.callbacks.get(&arg.id).map_or(&[], Vec::as_slice)
    }

    /// The functions that pointers lead to from here.
    pub fn functions_reachable(&self, cell: Cell) -> BTreeSet<FunctionId> {
        let reached = self.graph.reachable([cell]).into_iter();
        reached
            .flat_map(|node| self.graph.memory(node).functions.iter().copied())
            .collect()
    }

    /// The object that holds the extra arguments of variadic calls, in slots of 8 bytes. Every size and class of scalars has
    /// a region of its own there, because an argument is read with the type it was given with.
    pub fn varargs(&self) -> Cell {
        self.graph.find(self.varargs)
    }
}
