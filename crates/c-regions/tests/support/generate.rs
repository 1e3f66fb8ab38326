//! Random straight-line programs that run without undefined behaviour.

use lariat_c_program::*;

use super::Random;
use super::build::{Builder, statement};
use super::machine::{Frame, Machine};

pub struct Generated {
    pub c: CProgram,
    pub machine: Machine,
}

pub struct Generator {
    pub b: Builder,
    pub random: Random,
    pub scalars: Vec<TypeId>,
    records: Vec<TypeId>,
    pub pointees: Vec<TypeId>,
    function: FunctionId,
    helpers: Vec<FunctionId>,
    pub malloc: FunctionId,
    memcpy: FunctionId,
    unknown: FunctionId,
    pub features: Features,
}

/// What a program may contain; fewer features leave more for the analysis to keep apart.
#[derive(Clone, Copy, Debug)]
pub struct Features {
    pub bytes: bool,
    pub unknown: bool,
    pub numbers: bool,
    pub unions: bool,
    pub casts: bool,
}

impl Features {
    fn new(seed: u64) -> Self {
        let has = |bit: u64| seed >> bit & 1 == 1;
        Features {
            bytes: has(0),
            unknown: has(1),
            numbers: has(2),
            unions: has(3),
            casts: has(4),
        }
    }
}

pub fn generate(seed: u64, steps: usize) -> Generated {
    let mut b = Builder::new();
    let mut random = Random::new(seed);
    let features = Features::new(seed);
    let scalars = vec![b.char, b.short, b.int, b.long];
    let mut records: Vec<TypeId> = Vec::new();
    let mut pointees = scalars.clone();
    for index in 0..4 {
        let is_union = features.unions && index == 2;
        let mut fields = Vec::new();
        for _ in 0..2 + random.below(4) {
            let pointee = random.pick(&pointees);
            let scalar = random.pick(&scalars);
            fields.push(match random.below(8) {
                0 | 1 => (scalar, None),
                2 => (b.array(scalar, 1 + scalar_length(&mut random)), None),
                3 if !records.is_empty() => (random.pick(&records), None),
                4 if !records.is_empty() => {
                    let record = random.pick(&records);
                    (b.array(record, 2), None)
                }
                5 => (b.int, Some(3 + random.below(12) as u32)),
                6 => {
                    let pointer = b.pointer(pointee);
                    (b.array(pointer, 2), None)
                }
                _ => (b.pointer(pointee), None),
            });
        }
        let record = b.record(&format!("r{index}"), is_union, &fields);
        records.push(record);
        pointees.push(record);
        if random.one_in(2) {
            let pointer = b.pointer(record);
            pointees.push(pointer);
        }
    }
    let long_pointer = b.pointer(b.long);
    pointees.push(long_pointer);
    for index in 0..5 {
        let pointee = random.pick(&pointees);
        let ty = match random.below(4) {
            0 => random.pick(&records),
            1 => b.pointer(pointee),
            2 => b.array(pointee, 3),
            _ => pointee,
        };
        b.global(&format!("g{index}"), ty);
    }
    let void_pointer = b.pointer(b.void);
    let malloc = b.function("malloc", void_pointer, &[b.long], false);
    let memcpy = b.function(
        "memcpy",
        void_pointer,
        &[void_pointer, void_pointer, b.long],
        false,
    );
    let unknown = b.function("unknown", void_pointer, &[void_pointer, void_pointer], false);
    let main = b.function("main", b.int, &[], false);
    let mut generator = Generator {
        b,
        random,
        scalars,
        records,
        pointees,
        function: main,
        helpers: Vec::new(),
        malloc,
        memcpy,
        unknown,
        features,
    };
    for index in 0..3 {
        generator.helper(index);
    }
    generator.function = main;
    generator.locals(main);
    let machine = generator.main(main, steps);
    Generated {
        c: generator.b.c,
        machine,
    }
}

fn scalar_length(random: &mut Random) -> u64 {
    random.below(9) as u64
}

impl Generator {
    fn locals(&mut self, function: FunctionId) {
        for index in 0..6 {
            let pointee = self.random.pick(&self.pointees);
            let ty = match self.random.below(4) {
                0 => self.random.pick(&self.scalars),
                1 => pointee,
                _ => self.b.pointer(pointee),
            };
            self.b.local(function, &format!("l{index}"), ty);
        }
        let signature = self.signature();
        let pointer = self.b.pointer(signature);
        self.b.local(function, "call", pointer);
        self.b.local(function, "byte", self.b.char);
    }

    /// All helpers have it.
    fn signature(&mut self) -> TypeId {
        let void_pointer = self.b.pointer(self.b.void);
        self.b.c.types.intern(Type::Function(FunctionType {
            result: void_pointer,
            params: vec![void_pointer, void_pointer],
            variadic: false,
            prototyped: true,
        }))
    }

    fn helper(&mut self, index: usize) {
        let void_pointer = self.b.pointer(self.b.void);
        let id = self.b.function(
            &format!("helper{index}"),
            void_pointer,
            &[void_pointer, void_pointer],
            false,
        );
        self.function = id;
        for index in 0..2 {
            let pointee = self.random.pick(&self.pointees);
            let ty = self.b.pointer(pointee);
            self.b.local(id, &format!("l{index}"), ty);
        }
        let mut stmts = Vec::new();
        for _ in 0..1 + self.random.below(3) {
            for step in self.step() {
                stmts.push(statement(StmtKind::Expr(step)));
            }
        }
        let result = self.pointer_expr(void_pointer, 2);
        stmts.push(statement(StmtKind::Return(Some(result))));
        self.b.c.functions[id].body = Some(statement(StmtKind::Block(stmts)));
        self.helpers.push(id);
    }

    /// Adds what runs without undefined behaviour.
    fn main(&mut self, main: FunctionId, steps: usize) -> Machine {
        let mut machine = Machine::new(&self.b.c);
        let frame: Frame = machine.frame(&self.b.c, main);
        let mut stmts = Vec::new();
        let mut tries = 0;
        for place in self.pointer_variables() {
            let value = self.pointer_expr(place.ty, 1);
            let assign = self.b.assign(place, value);
            let mut after = machine.clone();
            if after.expr(&self.b.c, &frame, &assign).is_ok() {
                machine = after;
                stmts.push(statement(StmtKind::Expr(assign)));
            }
        }
        let steps = steps + stmts.len();
        while stmts.len() < steps && tries < steps * 30 {
            tries += 1;
            let group = self.step();
            let mut after = machine.clone();
            after.copies_addresses = group.len() >= 8;
            if group
                .iter()
                .all(|expr| after.expr(&self.b.c, &frame, expr).is_ok())
            {
                machine = after;
                stmts.extend(group.into_iter().map(|expr| statement(StmtKind::Expr(expr))));
            }
        }
        self.b.c.functions[main].body = Some(statement(StmtKind::Block(stmts)));
        machine
    }

    fn step(&mut self) -> Vec<Expr> {
        let void_pointer = self.b.pointer(self.b.void);
        match self.random.below(20) {
            0..=6 => {
                let pointee = self.random.pick(&self.pointees);
                let ty = self.b.pointer(pointee);
                let place = self.any_place(ty, 2);
                let value = self.pointer_expr(ty, 3);
                vec![self.b.assign(place, value)]
            }
            7..=10 => {
                let ty = self.random.pick(&self.scalars);
                let place = self.any_place(ty, 3);
                let value = self.number_expr(ty, 2);
                vec![self.b.assign(place, value)]
            }
            11 | 12 => {
                let ty = self.random.pick(&self.records);
                let place = self.any_place(ty, 2);
                let source = self.any_place(ty, 2);
                let value = self.b.load(source);
                vec![self.b.assign(place, value)]
            }
            13 if self.features.bytes => self.copy_pointer_by_bytes(),
            14 if self.features.bytes => {
                let [to, from] = [(); 2].map(|()| self.pointer_expr(void_pointer, 2));
                let size = self.b.number(1 + self.random.below(24) as i64, self.b.long);
                vec![self.b.call(self.memcpy, vec![to, from, size])]
            }
            15 if self.features.unknown => {
                let args = [(); 2].map(|()| self.pointer_expr(void_pointer, 2));
                let value = self.b.call(self.unknown, args.into());
                vec![self.assigned_somewhere(value)]
            }
            16 | 17 if !self.helpers.is_empty() => {
                let args = [(); 2].map(|()| self.pointer_expr(void_pointer, 2)).to_vec();
                let helper = self.random.pick(&self.helpers);
                let value = if self.random.one_in(3) {
                    self.call_by_pointer(helper, args)
                } else {
                    vec![self.b.call(helper, args)]
                };
                let (last, before) = value.split_last().expect("one at least");
                let last = self.assigned_somewhere(last.clone());
                before.iter().cloned().chain([last]).collect()
            }
            _ => {
                let pointee = self.random.pick(&self.pointees);
                let ty = self.b.pointer(pointee);
                let place = self.any_place(ty, 2);
                vec![self.b.expr(
                    ExprKind::Step {
                        place: Box::new(place),
                        increment: self.random.one_in(2),
                        prefix: true,
                    },
                    ty,
                )]
            }
        }
    }

    fn assigned_somewhere(&mut self, value: Expr) -> Expr {
        let pointee = self.random.pick(&self.pointees);
        let ty = self.b.pointer(pointee);
        let place = self.any_place(ty, 2);
        let value = self.b.convert(value, ty);
        self.b.assign(place, value)
    }

    fn call_by_pointer(&mut self, helper: FunctionId, args: Vec<Expr>) -> Vec<Expr> {
        let signature = self.signature();
        let pointer = self.b.pointer(signature);
        let locals = &self.b.c.functions[self.function].locals;
        let Some((local, _)) = locals.iter().find(|(_, local)| local.ty == pointer) else {
            return vec![self.b.call(helper, args)];
        };
        let address = self.b.expr(ExprKind::FunctionAddress(helper), pointer);
        let place = self.b.place(PlaceKind::Local(local), pointer);
        let set = self.b.assign(place, address);
        let place = self.b.place(PlaceKind::Local(local), pointer);
        let callee = self.b.load(place);
        let ty = self.b.result(helper);
        let call = self.b.expr(
            ExprKind::Call {
                callee: Callee::Pointer(Box::new(callee)),
                args,
            },
            ty,
        );
        // Without setting it, the call goes to what was set before.
        if self.random.one_in(3) {
            vec![call]
        } else {
            vec![set, call]
        }
    }

    /// All bytes of a pointer, one by one, directly or through a variable.
    fn copy_pointer_by_bytes(&mut self) -> Vec<Expr> {
        let pointee = self.random.pick(&self.pointees);
        let ty = self.b.pointer(pointee);
        let bytes = self.b.pointer(self.b.char);
        let (to, from) = (self.any_place(ty, 1), self.any_place(ty, 1));
        let locals = self.b.c.functions[self.function].locals.iter();
        let through = locals
            .filter(|(_, local)| local.ty == self.b.char)
            .map(|(id, _)| id)
            .next();
        let through = through.filter(|_| self.random.one_in(2));
        let mut steps = Vec::new();
        for index in 0..8 {
            let [target, source] = [&to, &from].map(|place| {
                let place = self.fresh_copy(place)?;
                let address = self.b.address(place);
                let address = self.b.convert(address, bytes);
                let index = self.b.number(index, self.b.long);
                let address = self.b.add(address, index, false);
                Some(self.b.deref(address))
            });
            let (Some(target), Some(source)) = (target, source) else {
                return Vec::new();
            };
            let value = self.b.load(source);
            match through {
                Some(local) => {
                    let place = self.b.place(PlaceKind::Local(local), self.b.char);
                    steps.push(self.b.assign(place, value));
                    let place = self.b.place(PlaceKind::Local(local), self.b.char);
                    let value = self.b.load(place);
                    steps.push(self.b.assign(target, value));
                }
                None => steps.push(self.b.assign(target, value)),
            }
        }
        steps
    }

    /// The same place with ids of its own; `None` if it depends on more than the state of memory.
    pub fn fresh_copy(&mut self, place: &Place) -> Option<Place> {
        let kind = match &place.kind {
            PlaceKind::Member { base, record, field } => PlaceKind::Member {
                base: Box::new(self.fresh_copy(base)?),
                record: *record,
                field: *field,
            },
            PlaceKind::Index { base, index } => PlaceKind::Index {
                base: Box::new(self.fresh_copy(base)?),
                index: Box::new(self.fresh_expr(index)?),
            },
            PlaceKind::Deref(pointer) => PlaceKind::Deref(Box::new(self.fresh_expr(pointer)?)),
            other => other.clone(),
        };
        Some(self.b.place(kind, place.ty))
    }

    fn fresh_expr(&mut self, expr: &Expr) -> Option<Expr> {
        let kind = match &expr.kind {
            ExprKind::Load(place) => ExprKind::Load(Box::new(self.fresh_copy(place)?)),
            ExprKind::AddressOf(place) => ExprKind::AddressOf(Box::new(self.fresh_copy(place)?)),
            ExprKind::Convert(operand) => ExprKind::Convert(Box::new(self.fresh_expr(operand)?)),
            ExprKind::Int(_) => expr.kind.clone(),
            _ => return None,
        };
        Some(self.b.expr(kind, expr.ty))
    }

    pub fn variable(&mut self) -> Place {
        let locals = self.b.c.functions[self.function].locals.len();
        let globals = self.b.c.globals.len();
        let index = self.random.below(locals + globals);
        if index < locals {
            let local = LocalId::from_u32(index as u32);
            let ty = self.b.c.functions[self.function].locals[local].ty;
            self.b.place(PlaceKind::Local(local), ty)
        } else {
            let global = GlobalId::from_u32((index - locals) as u32);
            let ty = self.b.c.globals[global].ty;
            self.b.place(PlaceKind::Global(global), ty)
        }
    }

    fn pointer_variables(&mut self) -> Vec<Place> {
        let locals = self.b.c.functions[self.function].locals.iter();
        let mut variables: Vec<(PlaceKind, TypeId)> = locals
            .map(|(id, local)| (PlaceKind::Local(id), local.ty))
            .collect();
        variables.extend(
            self.b
                .c
                .globals
                .iter()
                .map(|(id, global)| (PlaceKind::Global(id), global.ty)),
        );
        variables.retain(|(_, ty)| {
            let pointee = self.b.c.types.pointee(*ty);
            pointee.is_some_and(|pointee| self.b.c.types.size(pointee).is_some_and(|size| size > 1))
        });
        variables
            .into_iter()
            .map(|(kind, ty)| self.b.place(kind, ty))
            .collect()
    }

    /// A place of this type.
    pub fn any_place(&mut self, ty: TypeId, depth: usize) -> Place {
        for _ in 0..20 {
            let start = if depth > 0 && self.random.one_in(2) {
                let record = self.random.pick(&self.records);
                let pointer = self.b.pointer(record);
                let pointer = self.pointer_expr(pointer, depth - 1);
                self.b.deref(pointer)
            } else {
                self.variable()
            };
            if let Some(place) = self.descend(start, ty) {
                return place;
            }
        }
        let pointer = self.b.pointer(ty);
        let pointer = self.pointer_expr(pointer, depth.saturating_sub(1));
        self.b.deref(pointer)
    }

    pub fn descend(&mut self, mut place: Place, wanted: TypeId) -> Option<Place> {
        for _ in 0..6 {
            if place.ty == wanted {
                return Some(place);
            }
            place = match self.b.c.types.get(place.ty).clone() {
                Type::Record(record) => {
                    let fields = &self.b.c.types.records[record].fields;
                    let field = self.random.below(fields.len());
                    let ty = fields[field].ty;
                    self.b.place(
                        PlaceKind::Member {
                            base: Box::new(place),
                            record,
                            field: field as u32,
                        },
                        ty,
                    )
                }
                Type::Array { element, length } => {
                    let index = self.index(length.unwrap_or(1));
                    self.b.place(
                        PlaceKind::Index {
                            base: Box::new(place),
                            index: Box::new(index),
                        },
                        element,
                    )
                }
                _ => return None,
            };
        }
        None
    }

    /// Known, or a variable's value.
    pub fn index(&mut self, length: u64) -> Expr {
        if self.random.one_in(3) {
            let place = self.variable();
            if let Some(Scalar::Int { .. }) = self.b.c.types.scalar(place.ty) {
                return self.b.load(place);
            }
        }
        self.b
            .number(self.random.below(length as usize) as i64, self.b.int)
    }

    pub fn is_bit_field(&self, place: &Place) -> bool {
        match &place.kind {
            PlaceKind::Member { record, field, .. } => self.b.c.types.records[*record].fields
                [*field as usize]
                .bits
                .is_some(),
            _ => false,
        }
    }
}
