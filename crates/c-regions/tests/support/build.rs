//! Small constructors for parts of a program.

use lariat_base::{SourceId, Span};
use lariat_c_program::*;
use num_bigint::BigInt;

pub struct Builder {
    pub c: CProgram,
    pub char: TypeId,
    pub short: TypeId,
    pub int: TypeId,
    pub long: TypeId,
    pub void: TypeId,
}

pub fn span() -> Span {
    Span::new(SourceId::from_u32(0), 0, 0)
}

impl Builder {
    pub fn new() -> Self {
        let mut c = CProgram::new(Machine::Lp64);
        Builder {
            char: c.types.int(IntKind::UChar),
            short: c.types.int(IntKind::Short),
            int: c.types.int(IntKind::Int),
            long: c.types.int(IntKind::Long),
            void: c.types.void(),
            c,
        }
    }

    pub fn pointer(&mut self, to: TypeId) -> TypeId {
        self.c.types.pointer_to(to)
    }

    pub fn array(&mut self, element: TypeId, length: u64) -> TypeId {
        self.c.types.intern(Type::Array {
            element,
            length: Some(length),
        })
    }

    /// With the layout that the ABI gives; of a union all offsets are 0. `Some(width)` makes a bit-field that shares an
    /// `int` with the bit-fields before it, if it fits.
    pub fn record(&mut self, name: &str, is_union: bool, fields: &[(TypeId, Option<u32>)]) -> TypeId {
        let (mut offset, mut align, mut used) = (0u64, 1u64, None::<(u64, u32)>);
        let mut size = 0u64;
        let mut laid = Vec::new();
        for (index, &(ty, width)) in fields.iter().enumerate() {
            let (bytes, needs) = (self.c.types.size(ty).expect("a size"), self.c.types.align(ty));
            align = align.max(needs);
            let mut bits = None;
            let start: u64 = match (width, used) {
                (Some(width), Some((unit, shift))) if shift + width <= 32 && !is_union => {
                    bits = Some(BitField { shift, width });
                    used = Some((unit, shift + width));
                    unit
                }
                _ => {
                    let start = if is_union {
                        0
                    } else {
                        offset.div_ceil(needs) * needs
                    };
                    used = width.map(|width| (start, width));
                    bits = width.map(|width| BitField { shift: 0, width }).or(bits);
                    offset = start + bytes;
                    start
                }
            };
            size = size.max(start + bytes);
            laid.push(Field {
                name: format!("f{index}").as_str().into(),
                ty,
                offset: start,
                bits,
                is_const: false,
            });
        }
        let record = self.c.types.records.push(Record {
            name: name.into(),
            is_union,
            fields: laid,
            size: Some(size.div_ceil(align) * align),
            align,
        });
        self.c.types.intern(Type::Record(record))
    }

    pub fn global(&mut self, name: &str, ty: TypeId) -> GlobalId {
        self.c.globals.push(Global {
            name: name.into(),
            ty,
            linkage: Linkage::External,
            defined: true,
            init: None,
            is_string: false,
            is_const: false,
            is_thread_local: false,
            purpose: Purpose::User,
            function: None,
            span: span(),
        })
    }

    pub fn function(&mut self, name: &str, result: TypeId, params: &[TypeId], variadic: bool) -> FunctionId {
        let ty = self.c.types.intern(Type::Function(FunctionType {
            result,
            params: params.to_vec(),
            variadic,
            prototyped: true,
        }));
        let id = self.c.functions.push(Function {
            name: name.into(),
            ty,
            linkage: Linkage::External,
            params: Vec::new(),
            locals: Default::default(),
            labels: Default::default(),
            body: None,
            noreturn: false,
            is_library: false,
            constructor: None,
            destructor: None,
            purpose: Purpose::User,
            span: span(),
            end: None,
        });
        for (index, &param) in params.iter().enumerate() {
            let local = self.local(id, &format!("p{index}"), param);
            self.c.functions[id].params.push(local);
        }
        id
    }

    pub fn local(&mut self, function: FunctionId, name: &str, ty: TypeId) -> LocalId {
        self.c.functions[function].locals.push(Local {
            name: name.into(),
            ty,
            is_const: false,
            span: span(),
        })
    }

    pub fn expr(&mut self, kind: ExprKind, ty: TypeId) -> Expr {
        Expr {
            id: self.c.fresh_node(),
            kind,
            ty,
            span: span(),
        }
    }

    pub fn place(&mut self, kind: PlaceKind, ty: TypeId) -> Place {
        Place {
            id: self.c.fresh_node(),
            kind,
            ty,
            span: span(),
        }
    }

    pub fn number(&mut self, value: i64, ty: TypeId) -> Expr {
        self.expr(ExprKind::Int(BigInt::from(value)), ty)
    }

    pub fn load(&mut self, place: Place) -> Expr {
        let ty = place.ty;
        self.expr(ExprKind::Load(Box::new(place)), ty)
    }

    pub fn address(&mut self, place: Place) -> Expr {
        let ty = self.pointer(place.ty);
        self.expr(ExprKind::AddressOf(Box::new(place)), ty)
    }

    /// An array as the address of its first element.
    pub fn decayed(&mut self, place: Place, element: TypeId) -> Expr {
        let ty = self.pointer(element);
        self.expr(ExprKind::AddressOf(Box::new(place)), ty)
    }

    pub fn convert(&mut self, expr: Expr, ty: TypeId) -> Expr {
        if expr.ty == ty {
            return expr;
        }
        self.expr(ExprKind::Convert(Box::new(expr)), ty)
    }

    pub fn deref(&mut self, pointer: Expr) -> Place {
        let ty = self.c.types.pointee(pointer.ty).expect("a pointer");
        self.place(PlaceKind::Deref(Box::new(pointer)), ty)
    }

    pub fn add(&mut self, pointer: Expr, index: Expr, subtract: bool) -> Expr {
        let ty = pointer.ty;
        let pointee = self.c.types.pointee(ty).expect("a pointer");
        let size = self.c.types.size(pointee).expect("a size");
        let element = self.number(size as i64, self.long);
        self.expr(
            ExprKind::PointerAdd {
                pointer: Box::new(pointer),
                index: Box::new(index),
                subtract,
                element: Box::new(element),
            },
            ty,
        )
    }

    pub fn binary(&mut self, op: BinaryOp, left: Expr, right: Expr) -> Expr {
        let ty = left.ty;
        self.expr(
            ExprKind::Binary {
                op,
                left: Box::new(left),
                right: Box::new(right),
            },
            ty,
        )
    }

    pub fn assign(&mut self, place: Place, value: Expr) -> Expr {
        let ty = place.ty;
        self.expr(
            ExprKind::Assign {
                place: Box::new(place),
                value: Box::new(value),
            },
            ty,
        )
    }

    pub fn call(&mut self, function: FunctionId, args: Vec<Expr>) -> Expr {
        let ty = self.result(function);
        self.expr(
            ExprKind::Call {
                callee: Callee::Function(function),
                args,
            },
            ty,
        )
    }

    pub fn result(&self, function: FunctionId) -> TypeId {
        match self.c.types.get(self.c.functions[function].ty) {
            Type::Function(ty) => ty.result,
            _ => panic!("a function has a function type"),
        }
    }
}

pub fn statement(kind: StmtKind) -> Stmt {
    Stmt { kind, span: span() }
}
