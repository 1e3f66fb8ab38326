//! From accesses to regions.
//!
//! The accesses of a root are grouped by overlap of their bits, modulo the stride. A group whose accesses are all of one
//! place, size and class is a region of words. Any other is a region of bytes: its accesses are extended to whole bytes,
//! which may make it overlap with more. A group that is only initialised is no region: nobody reads it.

use cranelift_entity::PrimaryMap;
use lariat_c_program::{CProgram, GlobalId, Scalar, Types};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::graph::{AccessInfo, AccessKey, Cell, Class, Graph, Memory, MemoryId, Object};
use crate::{Access, Region, RegionId, Variable};

const BYTE: Scalar = Scalar::Int {
    bits: 8,
    signed: false,
};

/// The regions of a root.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    /// In bits; 0: positions are exact.
    turn: i64,
    /// Disjoint intervals of bits, in order, with the groups that they belong to.
    intervals: Vec<(i64, i64, usize)>,
    pub groups: Vec<Group>,
    /// Of the extra arguments of calls: groups are told apart by size and class instead.
    by_class: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Group {
    /// What all its accesses are, if they are words.
    word: Option<AccessKey>,
    pub region: Option<RegionId>,
    pub accesses: Vec<AccessKey>,
}

/// What is known of an access that is looked up.
pub(crate) enum Found {
    Access(Access),
    /// No registered access that counts touches these bytes.
    Nothing,
    /// Others touch some of these bytes, but this access was not registered.
    Unregistered,
}

type Item = (AccessKey, AccessInfo);

pub(crate) fn group(
    program: &CProgram,
    graph: &Graph,
    varargs: Cell,
) -> (
    PrimaryMap<RegionId, Region>,
    FxHashMap<MemoryId, Layout>,
    RegionId,
) {
    let mut regions = PrimaryMap::new();
    let mut layouts = FxHashMap::default();
    let mut names = Names::default();
    let varargs = graph.find(varargs).node;
    let mut grouped = Vec::new();
    for root in graph.roots() {
        let memory = graph.memory(root);
        if memory.accesses.is_empty() {
            continue;
        }
        let items: Vec<Item> = memory.accesses.iter().map(|(key, info)| (*key, *info)).collect();
        let by_class = root == varargs && memory.objects.len() == 1 && !memory.external;
        let (layout, members) = if by_class {
            by_size_and_class(&items)
        } else {
            by_overlap(memory, &items)
        };
        grouped.push((root, items, layout, members));
    }
    let seen_as_bits = floats_seen_as_bits(grouped.iter().map(|(_, _, layout, _)| layout));
    for (root, items, mut layout, members) in grouped {
        let memory = graph.memory(root);
        for (group, members) in layout.groups.iter_mut().zip(members) {
            let members: Vec<&Item> = members.iter().map(|&index| &items[index]).collect();
            if group.word.is_some_and(|word| seen_as_bits.contains(&word.class)) {
                group.word = None;
            }
            if members.iter().any(|(_, info)| info.is_needed()) {
                let region = region(program, memory, group, &members, &mut names);
                group.region = Some(regions.push(region));
            }
        }
        layouts.insert(root, layout);
    }
    let elsewhere = regions.push(Region {
        name: names.unique("nothing".into()),
        element: BYTE,
        bytes: 1,
        globals: Vec::new(),
        has_other_objects: true,
        external: false,
        member: None,
    });
    (regions, layouts, elsewhere)
}

/// The types of floats that some memory holds beside integers. Objects of such a type may hold bits that are no number, and a copy
/// keeps them: so all of them are bytes.
fn floats_seen_as_bits<'a>(layouts: impl Iterator<Item = &'a Layout>) -> Vec<Class> {
    let mut seen = Vec::new();
    for group in layouts.flat_map(|layout| &layout.groups) {
        let classes = || group.accesses.iter().map(|access| access.class);
        if classes().any(|class| matches!(class, Class::Int | Class::Bool)) {
            seen.extend(classes().filter(|class| matches!(class, Class::Float(_))));
        }
    }
    seen
}

fn by_size_and_class(items: &[Item]) -> (Layout, Vec<Vec<usize>>) {
    let mut layout = Layout {
        by_class: true,
        ..Layout::default()
    };
    let mut members: Vec<Vec<usize>> = Vec::new();
    for (index, (key, _)) in items.iter().enumerate() {
        let known = layout.groups.iter().position(|group| {
            let word = group.accesses[0];
            (word.width, word.class) == (key.width, key.class)
        });
        match known {
            Some(group) => {
                layout.groups[group].accesses.push(*key);
                members[group].push(index);
            }
            None => {
                layout.groups.push(Group {
                    word: (key.class != Class::Raw).then_some(*key),
                    region: None,
                    accesses: vec![*key],
                });
                members.push(vec![index]);
            }
        }
    }
    (layout, members)
}

fn by_overlap(memory: &Memory, items: &[Item]) -> (Layout, Vec<Vec<usize>>) {
    let turn = memory.stride as i64 * 8;
    // Whether an access is taken with all the bytes that it touches.
    let mut whole_bytes = vec![false; items.len()];
    loop {
        let parts: Vec<(i64, i64, usize)> = sorted(items.iter().enumerate().flat_map(|(index, (key, _))| {
            let (start, end) = extent(key, whole_bytes[index]);
            pieces(start, end, turn)
                .into_iter()
                .map(move |(start, end)| (start, end, index))
        }));
        let mut joined = Joined::new(items.len());
        let mut reach: Option<(i64, usize)> = None;
        for &(start, end, index) in &parts {
            reach = match reach {
                Some((until, last)) if start < until => {
                    joined.join(last, index);
                    Some((until.max(end), index))
                }
                _ => Some((end, index)),
            };
        }
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); items.len()];
        for index in 0..items.len() {
            members[joined.root(index)].push(index);
        }
        let mut changed = false;
        let mut group_of = vec![0; items.len()];
        let mut groups = Vec::new();
        members.retain(|members| !members.is_empty());
        for (number, members) in members.iter().enumerate() {
            let (first, _) = items[members[0]];
            let is_word = first.class != Class::Raw
                && members.iter().all(|&index| items[index].0 == first)
                && (turn == 0 || first.width <= turn as u64);
            for &index in members {
                changed |= !is_word && !std::mem::replace(&mut whole_bytes[index], true);
                group_of[index] = number;
            }
            groups.push(Group {
                word: is_word.then_some(first),
                region: None,
                accesses: members.iter().map(|&index| items[index].0).collect(),
            });
        }
        if !changed {
            let mut intervals: Vec<(i64, i64, usize)> = Vec::new();
            for (start, end, index) in parts {
                let group = group_of[index];
                match intervals.last_mut() {
                    Some((_, until, last)) if *last == group && start <= *until => *until = end.max(*until),
                    _ => intervals.push((start, end, group)),
                }
            }
            let layout = Layout {
                turn,
                intervals,
                groups,
                by_class: false,
            };
            return (layout, members);
        }
    }
}

fn sorted(parts: impl Iterator<Item = (i64, i64, usize)>) -> Vec<(i64, i64, usize)> {
    let mut parts: Vec<_> = parts.collect();
    parts.sort_unstable();
    parts
}

/// The bits of an access. As bytes, those from the start of a bit-field's unit to its last bit.
fn extent(key: &AccessKey, whole_bytes: bool) -> (i64, i64) {
    let unit = key.offset.saturating_mul(8);
    let length = i64::from(key.shift).saturating_add(key.width.min(i64::MAX as u64) as i64);
    if whole_bytes {
        (unit, unit.saturating_add((length as u64).div_ceil(8) as i64 * 8))
    } else {
        (
            unit.saturating_add(i64::from(key.shift)),
            unit.saturating_add(length),
        )
    }
}

/// The interval cut where it goes around.
fn pieces(start: i64, end: i64, turn: i64) -> Vec<(i64, i64)> {
    if turn == 0 {
        return vec![(start, end)];
    }
    if end - start >= turn {
        return vec![(0, turn)];
    }
    let length = end - start;
    let start = start.rem_euclid(turn);
    let end = start + length;
    if end <= turn {
        vec![(start, end)]
    } else {
        vec![(start, turn), (0, end - turn)]
    }
}

impl Layout {
    /// `key.offset` is normal in the root.
    pub(crate) fn find(&self, key: &AccessKey) -> Found {
        if self.by_class {
            let known = self.groups.iter().find(|group| {
                let word = group.accesses[0];
                (word.width, word.class) == (key.width, key.class)
            });
            return match known {
                Some(group) => group.access(),
                None => Found::Unregistered,
            };
        }
        let mut found: Option<usize> = None;
        let (start, end) = extent(key, false);
        for (start, end) in pieces(start, end, self.turn) {
            let first = self.intervals.partition_point(|&(_, until, _)| until <= start);
            for &(from, _, group) in &self.intervals[first..] {
                if from >= end {
                    break;
                }
                if found.is_some_and(|known| known != group) {
                    return Found::Unregistered;
                }
                found = Some(group);
            }
        }
        let Some(group) = found.map(|group| &self.groups[group]) else {
            return Found::Nothing;
        };
        match group.word {
            Some(word) if word != *key && group.region.is_some() => Found::Unregistered,
            _ => group.access(),
        }
    }
}

impl Layout {
    /// The regions that have bits in `bytes` bytes at a normal offset.
    pub(crate) fn within(&self, offset: i64, bytes: u64) -> Vec<RegionId> {
        let key = AccessKey {
            offset,
            shift: 0,
            width: bytes.saturating_mul(8),
            class: Class::Raw,
        };
        let (start, end) = extent(&key, false);
        let pieces = pieces(start, end, self.turn);
        let mut groups: Vec<usize> = self
            .intervals
            .iter()
            .filter(|(from, until, _)| pieces.iter().any(|(start, end)| from < end && start < until))
            .map(|(_, _, group)| *group)
            .collect();
        groups.sort_unstable();
        groups.dedup();
        groups
            .into_iter()
            .filter_map(|group| self.groups[group].region)
            .collect()
    }

    /// The regions that hold numbers of this size and class, and those of bytes.
    pub(crate) fn numbers(&self, bytes: u64, class: Class) -> Vec<RegionId> {
        let fits = |group: &&Group| match group.word {
            Some(word) => (word.width, word.class) == (bytes * 8, class),
            None => true,
        };
        self.groups
            .iter()
            .filter(fits)
            .filter_map(|group| group.region)
            .collect()
    }
}

impl Group {
    fn access(&self) -> Found {
        match (self.region, self.word) {
            (None, _) => Found::Nothing,
            (Some(region), Some(_)) => Found::Access(Access::Word(region)),
            (Some(region), None) => Found::Access(Access::Bytes(region)),
        }
    }
}

/// Sets of indices that were joined.
struct Joined(Vec<usize>);

impl Joined {
    fn new(count: usize) -> Joined {
        Joined((0..count).collect())
    }

    fn root(&mut self, mut index: usize) -> usize {
        while self.0[index] != index {
            self.0[index] = self.0[self.0[index]];
            index = self.0[index];
        }
        index
    }

    fn join(&mut self, left: usize, right: usize) {
        let (left, right) = (self.root(left), self.root(right));
        self.0[left.max(right)] = left.min(right);
    }
}

fn region(
    program: &CProgram,
    memory: &Memory,
    group: &Group,
    members: &[&Item],
    names: &mut Names,
) -> Region {
    let low = members
        .iter()
        .map(|(key, _)| extent(key, true).0 / 8)
        .min()
        .unwrap_or(0);
    let high = members
        .iter()
        .map(|(key, _)| extent(key, true).1 / 8)
        .max()
        .unwrap_or(0);
    let mut globals: Vec<GlobalId> = Vec::new();
    let mut has_other_objects = false;
    let mut here: Vec<(Object, i64)> = Vec::new();
    for (&object, &offset) in &memory.objects {
        let size = size_of(program, object).and_then(|size| i64::try_from(size).ok());
        let end = size.map_or(i64::MAX, |size| offset.saturating_add(size));
        if memory.stride == 0 && (high <= offset || end <= low) {
            continue;
        }
        here.push((object, offset));
        match object {
            Object::Variable(Variable::Global(id)) => globals.push(id),
            _ => has_other_objects = true,
        }
    }
    let (element, bytes) = match group.word {
        Some(_) => element(members),
        None => (BYTE, 1),
    };
    Region {
        name: names.name(program, memory, &here, members, group.word.is_some()),
        element,
        bytes,
        globals,
        has_other_objects,
        external: memory.external,
        member: None,
    }
}

/// Of accesses of one place, size and class.
fn element(members: &[&Item]) -> (Scalar, u64) {
    let mut all = AccessInfo::default();
    for (_, info) in members {
        all.absorb(info);
    }
    let class = members.first().map_or(Class::Int, |(key, _)| key.class);
    let scalar = match class {
        Class::Bool => Scalar::Bool,
        Class::Float(kind) => Scalar::Float(kind),
        Class::Int if all.signed == 0 && all.unsigned == 0 => Scalar::Pointer,
        Class::Int | Class::Raw => Scalar::Int {
            bits: all.bits,
            signed: all.signed >= all.unsigned,
        },
    };
    (scalar, all.bytes)
}

fn size_of(program: &CProgram, object: Object) -> Option<u64> {
    let ty = match object {
        Object::Variable(Variable::Global(id)) => program.globals[id].ty,
        Object::Variable(Variable::Local(function, local)) => program.functions[function].locals[local].ty,
        Object::Heap(_) | Object::Varargs => return None,
    };
    program.types.size(ty)
}

/// Names for people.
#[derive(Default)]
struct Names {
    taken: FxHashSet<String>,
}

impl Names {
    fn unique(&mut self, name: String) -> String {
        let mut candidate = name.clone();
        let mut number = 2;
        while !self.taken.insert(candidate.clone()) {
            candidate = format!("{name}#{number}");
            number += 1;
        }
        candidate
    }

    fn name(
        &mut self,
        program: &CProgram,
        memory: &Memory,
        objects: &[(Object, i64)],
        members: &[&Item],
        is_word: bool,
    ) -> String {
        let label = members
            .iter()
            .find_map(|(_, info)| info.label)
            .filter(|_| is_word);
        let field = label.and_then(|(record, field)| {
            let record = &program.types.records[record];
            let name = &record.fields.get(field as usize)?.name;
            Some((record, name))
        });
        let variable = match objects {
            [(Object::Variable(variable), _)] => Some(variable_name(program, *variable)),
            _ => None,
        };
        let base = match (variable, field) {
            (Some(variable), Some((_, field))) => format!("{variable}.{field}"),
            (Some(variable), None) => variable,
            (None, Some((record, field))) => {
                let keyword = if record.is_union { "union" } else { "struct" };
                format!("{keyword} {}.{field}", record.name)
            }
            (None, None) if memory.external => "external".into(),
            (None, None) if objects.iter().any(|(object, _)| *object == Object::Varargs) => {
                "arguments".into()
            }
            (None, None)
                if !objects.is_empty()
                    && objects
                        .iter()
                        .all(|(object, _)| matches!(object, Object::Heap(_))) =>
            {
                "heap".into()
            }
            (None, None) => element_name(&program.types, members),
        };
        self.unique(base)
    }
}

fn element_name(types: &Types, members: &[&Item]) -> String {
    match element(members).0 {
        Scalar::Bool => "_Bool".into(),
        Scalar::Pointer => "pointers".into(),
        Scalar::Float(_) => "floats".into(),
        Scalar::Int { bits, .. } if bits == types.machine.pointer_bits() => "words".into(),
        Scalar::Int { bits, .. } => format!("int{bits}"),
    }
}

pub(crate) fn variable_name(program: &CProgram, variable: Variable) -> String {
    match variable {
        Variable::Global(id) if program.globals[id].is_string => "string".into(),
        Variable::Global(id) => program.globals[id].name.to_string(),
        Variable::Local(function, local) => {
            let function = &program.functions[function];
            match &*function.locals[local].name {
                "" => format!("{}::literal", function.name),
                name => format!("{}::{name}", function.name),
            }
        }
    }
}
