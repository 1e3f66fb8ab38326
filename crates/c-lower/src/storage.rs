//! Where objects with static storage and memory are: IR variables and addresses.
//!
//! Address space: functions from [`FUNCTIONS`], one every 16 bytes; objects with static storage from [`STATICS`]; what is
//! allocated while the program runs from the end of those on. Where objects are tracked (`LowerOptions::tracks_objects`),
//! every object starts at a multiple of 2^[`SLOT_BITS`] of its own, so that an address determines its object.

use cranelift_entity::SecondaryMap;
use lariat_c_arith::Arith;
use lariat_c_program::{CProgram, FunctionId, GlobalId, Scalar};
use lariat_c_regions::{RegionId, Regions, Variable};
use lariat_ir::Program;
use lariat_term::{SortId, VarId};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use crate::layout::{Leaf, leaves};
use crate::names::{InitialMemory, Names, Shown};
use crate::options::{Check, LowerOptions};
use crate::threads::has_threads;

const FUNCTIONS: u64 = 0x1000;
const STATICS: u64 = 0x10_0000;
pub const SLOT_BITS: u32 = 32;
/// Addresses of objects are multiples of this.
pub const OBJECT_ALIGN: u64 = 16;
/// A string literal gets a multiple of this: one of them is the path of the file (`__FILE__` in `assert`), and the answer of a
/// search must not depend on where a file is.
const STRING_ROOM: u64 = 256;

/// The state of an object that is tracked.
/// (An address that is no object's has state 0.)
pub const HEAP: u32 = 1;
pub const FREED: u32 = 2;
/// Static or automatic storage: accessible, not to be freed.
pub const VARIABLE: u32 = 3;
/// Automatic storage whose block or function has ended.
pub const ENDED: u32 = 4;
/// A string literal or a `const` object: to be read only.
pub const READ_ONLY: u32 = 5;

/// The IR variables of a split variable, in the order of its leaves.
#[derive(Clone, Debug)]
pub struct Split {
    pub is_global: bool,
    pub leaves: std::rc::Rc<[Leaf]>,
    pub vars: Vec<VarId>,
    /// For each leaf whether it was initialised, where that is checked.
    pub written: Vec<VarId>,
}

/// The maps that memory is made of.
#[derive(Debug, Default)]
pub struct Maps {
    /// The content of each region.
    memory: SecondaryMap<RegionId, Option<VarId>>,
    /// What the environment has left there: of open programs only.
    pub initial: SecondaryMap<RegionId, Option<VarId>>,
    /// For each region, by address, whether the element was written since its object was allocated.
    pub written: SecondaryMap<RegionId, Option<VarId>>,
}

#[derive(Debug)]
pub struct Storage {
    pub maps: Maps,
    pub split_globals: FxHashMap<GlobalId, Split>,
    addresses: FxHashMap<GlobalId, BigInt>,
    /// For each object in memory of which every thread has its own, the variable that holds the running thread's address.
    pub thread_addresses: FxHashMap<GlobalId, VarId>,
    /// The next address, or with tracked objects the next slot, that was never used.
    pub next: VarId,
    pub first_dynamic: BigInt,
    /// With tracked objects: the first slot that is not kept free for a variable of the entry.
    pub first_fresh: BigInt,
    /// By slot.
    pub size: VarId,
    pub state: VarId,
    /// How many heap objects are allocated.
    pub live: VarId,
    /// By the address of a slot: what kind of value was stored there as a further argument of a call (see `variadic`).
    pub arguments: VarId,
    /// By address: bytes of variables that are members which are `const`, where that is checked.
    pub constant: Option<VarId>,
    /// Whether the last function has returned a value, where that is checked.
    pub returned: Option<VarId>,
}

impl Maps {
    /// The map of a region.
    pub fn memory(
        &mut self,
        region: RegionId,
        regions: &Regions,
        options: &LowerOptions,
        arith: &Arith,
        ir: &mut Program,
        names: &mut Names,
    ) -> VarId {
        if let Some(map) = self.memory[region] {
            return map;
        }
        let data = &regions.regions()[region];
        let pointer = arith.sort(&mut ir.pool, Scalar::Pointer);
        let element = arith.sort(&mut ir.pool, data.element);
        let sort = ir.pool.array_sort(&[pointer], element);
        let map = global(ir, &format!("mem.{}", data.name), sort);
        names.memory.insert(map, data.element);
        self.memory[region] = Some(map);
        if options.checks(Check::Uninit) {
            let bool = ir.pool.bool_sort();
            let sort = ir.pool.array_sort(&[pointer], bool);
            self.written[region] = Some(global(ir, &format!("written.{}", data.name), sort));
        }
        if options.open.is_some() {
            let initial = ir
                .pool
                .declare_var(format!("initial.{}", data.name).as_str(), sort);
            ir.constants.push(initial);
            let memory = InitialMemory {
                region,
                element: data.element,
                member: data.member,
            };
            names.initial.insert(initial, memory);
            self.initial[region] = Some(initial);
        }
        map
    }

    pub fn is_used(&self, region: RegionId) -> bool {
        self.memory[region].is_some()
    }

    /// Regions whose maps were asked for.
    pub fn used(&self) -> Vec<RegionId> {
        let maps = self.memory.iter();
        maps.filter(|(_, map)| map.is_some())
            .map(|(region, _)| region)
            .collect()
    }
}

/// Whether writes to `const` members are checked, and there are any.
fn watches_members(c: &CProgram, options: &LowerOptions) -> bool {
    let mut records = c.types.records.values();
    options.tracks_objects()
        && options.checks(Check::Bounds)
        && records.any(|record| record.fields.iter().any(|field| field.is_const))
}

fn global(ir: &mut Program, name: &str, sort: SortId) -> VarId {
    let var = ir.pool.declare_var(name, sort);
    ir.globals.push(var);
    var
}

impl Storage {
    pub fn new(
        c: &CProgram,
        regions: &Regions,
        options: &LowerOptions,
        arith: &Arith,
        ir: &mut Program,
        names: &mut Names,
    ) -> Self {
        let pointer = arith.sort(&mut ir.pool, Scalar::Pointer);
        let mut maps = Maps::default();
        // Of an open program only the few that are used.
        if options.open.is_none() {
            for region in regions.regions().keys() {
                maps.memory(region, regions, options, arith, ir, names);
            }
        }
        let int = ir.pool.int_sort();
        let map = ir.pool.array_sort(&[int], int);
        let next_sort = if options.tracks_objects() { int } else { pointer };
        let mut storage = Storage {
            maps,
            split_globals: FxHashMap::default(),
            addresses: FxHashMap::default(),
            thread_addresses: FxHashMap::default(),
            next: global(ir, "$next", next_sort),
            first_dynamic: BigInt::from(0),
            first_fresh: BigInt::from(0),
            size: global(ir, "$size", map),
            state: global(ir, "$state", map),
            live: global(ir, "$live", int),
            arguments: {
                let sort = ir.pool.array_sort(&[pointer], int);
                global(ir, "$arguments", sort)
            },
            constant: watches_members(c, options).then(|| {
                let bool = ir.pool.bool_sort();
                let sort = ir.pool.array_sort(&[pointer], bool);
                global(ir, "$constant", sort)
            }),
            returned: options.checks(Check::Uninit).then(|| {
                let bool = ir.pool.bool_sort();
                global(ir, "$returned", bool)
            }),
        };
        storage.place_globals(c, regions, options, arith, ir, names);
        if has_threads(c) {
            for (id, data) in c.globals.iter() {
                if data.is_thread_local && !regions.is_split(Variable::Global(id)) {
                    let address = global(ir, &format!("&{}", data.name), pointer);
                    storage.thread_addresses.insert(id, address);
                }
            }
        }
        storage.first_fresh = storage.first_dynamic.clone();
        for (&global, address) in &storage.addresses {
            names.addresses.insert(address.clone(), global);
        }
        for function in c.functions.keys() {
            names
                .functions
                .insert(storage.function_address(function), function);
        }
        storage
    }

    fn place_globals(
        &mut self,
        c: &CProgram,
        regions: &Regions,
        options: &LowerOptions,
        arith: &Arith,
        ir: &mut Program,
        names: &mut Names,
    ) {
        let mut next = BigInt::from(STATICS);
        let mut slot = BigInt::from(1);
        for (id, data) in c.globals.iter() {
            if regions.is_split(Variable::Global(id)) {
                let Some(leaves) = leaves(&c.types, data.ty) else {
                    continue;
                };
                let vars = leaves
                    .iter()
                    .map(|leaf| {
                        let sort = arith.sort(&mut ir.pool, leaf.scalar);
                        let text = format!("{}{}", data.name, leaf.path);
                        let var = ir.pool.declare_var(text.as_str(), sort);
                        names.vars.insert(var, Shown { text, ty: leaf.ty });
                        ir.globals.push(var);
                        var
                    })
                    .collect();
                let split = Split {
                    is_global: true,
                    leaves: leaves.into(),
                    vars,
                    written: Vec::new(),
                };
                self.split_globals.insert(id, split);
            } else if options.tracks_objects() {
                self.addresses.insert(id, &slot << SLOT_BITS);
                slot += 1;
            } else {
                let align = BigInt::from(c.types.align(data.ty).max(OBJECT_ALIGN));
                let rest: BigInt = &next % &align;
                if rest != BigInt::from(0) {
                    next += align - rest;
                }
                self.addresses.insert(id, next.clone());
                let size = c.types.size(data.ty).unwrap_or(1).max(1);
                next += match data.is_string {
                    true => size.next_multiple_of(STRING_ROOM),
                    false => size,
                };
            }
        }
        let align = BigInt::from(OBJECT_ALIGN);
        self.first_dynamic = if options.tracks_objects() {
            slot
        } else {
            (&next / &align + 1) * align
        };
        if options.open.is_some() {
            // Memory of unknown code needs room below.
            let bits = if c.types.machine.pointer_bits() == 64 {
                40
            } else {
                31
            };
            let room = BigInt::from(1) << bits;
            self.first_dynamic = std::mem::take(&mut self.first_dynamic).max(room);
        }
    }

    /// The address of an object with static storage that is in memory.
    pub fn address(&self, global: GlobalId) -> BigInt {
        self.addresses.get(&global).cloned().unwrap_or_default()
    }

    pub fn function_address(&self, function: FunctionId) -> BigInt {
        BigInt::from(FUNCTIONS + u64::from(function.as_u32()) * 16)
    }
}
