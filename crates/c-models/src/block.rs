//! Operations on blocks of bytes that are objects of one type.
//!
//! `memcpy(&a, &b, sizeof a)` is the assignment `a = b`, and `memset(p, 0, sizeof *p)` sets `*p` to zero: written so, an
//! object is accessed as what it is, and the analysis of memory need not look at its bytes. The type is that of the
//! pointers before their conversion to `void *`. A few elements are assigned one by one; for more, or for a number that
//! is computed, a model of `typed.c` is called.

use lariat_c_program::{
    BinaryOp, CompareOp, Expr, ExprKind, FloatKind, Initializer, IntKind, PlaceKind, Stmt, StmtKind, Type,
    TypeId, Types,
};
use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};

use crate::build::{Build, constant};
use crate::instantiate::{Binder, LibraryCall};
use crate::padding;

/// So many elements are assigned one by one.
const FEW: u64 = 16;

/// What a call does to a block.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operation {
    /// Of objects that do not overlap.
    Copy,
    Move,
    Zero,
}

/// A call, with the places of its arguments.
struct Block {
    operation: Operation,
    to: usize,
    from: Option<usize>,
    size: usize,
}

fn block_of(call: &LibraryCall) -> Option<Block> {
    let (operation, to, from, size) = match (&*call.name, call.args.len()) {
        ("memcpy" | "mempcpy" | "__memcpy", 3) => (Operation::Copy, 0, Some(1), 2),
        ("memmove", 3) => (Operation::Move, 0, Some(1), 2),
        ("bcopy", 3) => (Operation::Move, 1, Some(0), 2),
        ("memset" | "memset_explicit", 3) if constant(&call.args[1]).is_some_and(|value| value.is_zero()) => {
            (Operation::Zero, 0, None, 2)
        }
        ("bzero" | "explicit_bzero", 2) => (Operation::Zero, 0, None, 1),
        _ => return None,
    };
    Some(Block {
        operation,
        to,
        from,
        size,
    })
}

/// How many elements.
enum Count {
    Constant(u64),
    /// The size in bytes is a multiple of an element's.
    Computed,
}

/// Binds a call of a function on blocks, if its pointers tell a type.
pub(crate) fn bind(binder: &mut Binder<'_>, call: &mut LibraryCall) -> Option<Expr> {
    if binder.is_replaced(&call.name) {
        return None;
    }
    match &*call.name {
        "realloc" => return bind_realloc(binder, call),
        "qsort" => return bind_qsort(binder, call),
        _ => {}
    }
    let block = block_of(call)?;
    let types = &binder.program.types;
    let to = target(types, &call.args[block.to])?;
    let (element, is_copied) = match block.from {
        Some(from) => {
            let from = target(types, &call.args[from])?;
            let element = common_type(types, to, from)?;
            (element, !has_spare_bits(types, element, to == from))
        }
        None => (to, true),
    };
    if !is_assignable(types, element) || !is_copied {
        return None;
    }
    let size = types.size(element).filter(|&size| size > 0)?;
    let count = count_of(types, &call.args[block.size], element, size)?;
    match count {
        Count::Constant(count) if count <= FEW => assign_each(binder, call, &block, element, count),
        _ => call_typed(binder, call, &block, element, size),
    }
}

/// The pointer before its conversions to other pointers.
fn origin<'e>(types: &Types, mut expr: &'e Expr) -> &'e Expr {
    while let ExprKind::Convert(inner) = &expr.kind {
        if types.pointee(inner.ty).is_none() {
            break;
        }
        expr = inner;
    }
    expr
}

/// A pointer to elements, without what it was converted to in between.
fn as_pointer_to(build: &mut Build<'_>, mut expr: Expr, pointer: TypeId) -> Expr {
    loop {
        match expr.kind {
            ExprKind::Convert(inner) if build.program.types.pointee(inner.ty).is_some() => expr = *inner,
            _ => return build.convert(expr, pointer),
        }
    }
}

/// What a pointer points to: the elements, where that is an array.
fn target(types: &Types, pointer: &Expr) -> Option<TypeId> {
    let mut ty = types.pointee(origin(types, pointer).ty)?;
    while let Type::Array { element, .. } = types.get(ty) {
        ty = *element;
    }
    Some(ty)
}

/// The type to copy as, between pointers to these.
fn common_type(types: &Types, to: TypeId, from: TypeId) -> Option<TypeId> {
    if to == from {
        return Some(to);
    }
    let is_void = |ty| matches!(types.get(ty), Type::Void);
    match (is_bytes(types, to), is_bytes(types, from)) {
        (true, true) => Some(if is_void(to) { from } else { to }),
        (true, false) => Some(from),
        (false, true) => Some(to),
        // Other bits of the same number of bytes, for instance those of a float as an integer.
        (false, false) => {
            let is_plain = |ty| types.scalar(ty).is_some() && !matches!(types.get(ty), Type::Bool);
            (is_plain(to) && is_plain(from) && types.size(to) == types.size(from)).then_some(to)
        }
    }
}

/// `void` and the character types: such pointers say nothing about the object.
fn is_bytes(types: &Types, ty: TypeId) -> bool {
    matches!(
        types.get(ty),
        Type::Void | Type::Int(IntKind::Char | IntKind::SChar | IntKind::UChar)
    )
}

/// A complete scalar or record.
fn is_assignable(types: &Types, ty: TypeId) -> bool {
    types.scalar(ty).is_some() || (types.record_of(ty).is_some() && types.size(ty).is_some())
}

/// Whether an object can have bits that its value does not tell, so that a block must be copied byte by byte: a `long double` has
/// bytes beyond the first ten and encodings that no number has. Between objects of other types these are also the bits of a `_Bool` but one, and
/// those around bit-fields; between objects of the same type they are supposed to be what assignments made them.
fn has_spare_bits(types: &Types, ty: TypeId, is_same: bool) -> bool {
    match types.get(ty) {
        Type::Float(kind) => *kind == FloatKind::LongDouble,
        Type::Bool => !is_same,
        Type::Array { element, .. } => has_spare_bits(types, *element, is_same),
        Type::Record(record) => {
            let mut fields = types.records[*record].fields.iter();
            fields.any(|field| {
                let is_part = field.bits.is_some() && !is_same;
                is_part || has_spare_bits(types, field.ty, is_same)
            })
        }
        _ => false,
    }
}

fn count_of(types: &Types, bytes: &Expr, element: TypeId, size: u64) -> Option<Count> {
    if let Some(bytes) = constant(bytes) {
        let bytes = bytes.to_u64()?;
        let count = bytes / size;
        let fits = bytes % size == 0 && count > 0 && (count <= FEW || !is_bytes(types, element));
        return fits.then_some(Count::Constant(count));
    }
    (!is_bytes(types, element) && is_multiple(bytes, size)).then_some(Count::Computed)
}

/// Whether an expression is written as a multiple. (Where it wraps around, it may be none: see [`call_typed`].)
fn is_multiple(expr: &Expr, size: u64) -> bool {
    match &expr.kind {
        ExprKind::Int(value) => (value % BigInt::from(size)).is_zero(),
        ExprKind::Convert(inner) => is_multiple(inner, size),
        ExprKind::Binary {
            op: BinaryOp::Mul,
            left,
            right,
        } => is_multiple(left, size) || is_multiple(right, size),
        ExprKind::Binary {
            op: BinaryOp::Add | BinaryOp::Sub,
            left,
            right,
        } => is_multiple(left, size) && is_multiple(right, size),
        _ => false,
    }
}

/// `({ T *to = …; const T *from = …; to[0] = from[0]; …; to; })`.
fn assign_each(
    binder: &mut Binder<'_>,
    call: &mut LibraryCall,
    block: &Block,
    element: TypeId,
    count: u64,
) -> Option<Expr> {
    let apart = match (block.operation, block.from) {
        (Operation::Copy, Some(from)) if may_overlap(&call.args[block.to], &call.args[from]) => {
            Some(typed_model(binder, &call.name, "__lariat_typed_apart", element)?)
        }
        _ => None,
    };
    let mut args: Vec<Option<Expr>> = std::mem::take(&mut call.args).into_iter().map(Some).collect();
    let is_scalar = binder.program.types.scalar(element).is_some();
    let mut build = binder.build(call.function, call.span);
    let pointer = build.program.types.pointer_to(element);
    let mut given = Vec::new();
    for index in std::iter::once(block.to).chain(block.from) {
        let arg = args[index].take()?;
        given.push(as_pointer_to(&mut build, arg, pointer));
    }
    let (locals, mut stmts) = binder.declare_arguments(call, given);
    let mut build = binder.build(call.function, call.span);
    if let Some(apart) = apart {
        let size_type = build.size_type();
        let mut given: Vec<Expr> = locals.iter().map(|&local| build.load_local(local)).collect();
        given.push(build.int(count, size_type));
        let checked = binder.call_function(call, apart, given);
        build = binder.build(call.function, call.span);
        stmts.push(build.stmt(StmtKind::Expr(checked)));
    }
    let to = locals[0];
    let size = build.program.types.size(element)?;
    let Some(padding) = padding::offsets(&build.program.types, element) else {
        return Some(build.expr(ExprKind::Unsupported(padding::TOO_MUCH.into()), call.ty));
    };
    // The elements, each with the bytes between its members.
    let parts: Vec<(u64, Option<u64>)> = (0..count)
        .flat_map(|index| {
            let bytes = padding
                .iter()
                .map(move |offset| (index, Some(index * size + offset)));
            std::iter::once((index, None)).chain(bytes)
        })
        .collect();
    let part = |build: &mut Build<'_>, local, (index, byte): (u64, Option<u64>)| match byte {
        Some(offset) => padding::byte(build, local, offset),
        None => {
            let pointer = build.load_local(local);
            build.element(pointer, index)
        }
    };
    let mut values = Vec::new();
    for &at in &parts {
        values.push(match locals.get(1) {
            Some(&from) => {
                let place = part(&mut build, from, at)?;
                build.load(place)
            }
            None if at.1.is_some() => {
                let byte = build.program.types.int(IntKind::UChar);
                build.zero(byte)
            }
            None if is_scalar => build.zero(element),
            None => {
                let local = build.local(element);
                let init = Initializer {
                    zero: true,
                    items: Vec::new(),
                    span: build.span,
                };
                let place = build.place(PlaceKind::CompoundLiteral { local, init }, element);
                build.load(place)
            }
        });
    }
    // The objects of memmove may overlap: all is read before anything is written.
    if block.operation == Operation::Move && parts.len() > 1 {
        let read = |value| {
            let (local, declare) = build.declare(value);
            stmts.push(declare);
            build.load_local(local)
        };
        values = values.into_iter().map(read).collect();
    }
    for (at, value) in parts.into_iter().zip(values) {
        let place = part(&mut build, to, at)?;
        stmts.push(build.assign(place, value));
    }
    let end = if call.name == "mempcpy" { count } else { 0 };
    let size_type = build.size_type();
    let end = build.int(end, size_type);
    let result = build.load_local(to);
    result_of(binder, call, stmts, result, end)
}

/// Not if both are addresses in variables of different names.
fn may_overlap(to: &Expr, from: &Expr) -> bool {
    match (root_variable(to), root_variable(from)) {
        (Some(PlaceKind::Local(to)), Some(PlaceKind::Local(from))) => to == from,
        (Some(PlaceKind::Global(to)), Some(PlaceKind::Global(from))) => to == from,
        (Some(_), Some(_)) => false,
        _ => true,
    }
}

/// The variable that an address is in, if the expression says so.
fn root_variable(expr: &Expr) -> Option<&PlaceKind> {
    match &expr.kind {
        ExprKind::Convert(inner) => root_variable(inner),
        ExprKind::AddressOf(place) => {
            let mut place = place;
            while let PlaceKind::Member { base, .. } | PlaceKind::Index { base, .. } = &place.kind {
                place = base;
            }
            matches!(place.kind, PlaceKind::Local(_) | PlaceKind::Global(_)).then_some(&place.kind)
        }
        _ => None,
    }
}

/// `({ T *to = …; __lariat_typed_copy(to, from, bytes / sizeof(T)); to; })`.
fn call_typed(
    binder: &mut Binder<'_>,
    call: &mut LibraryCall,
    block: &Block,
    element: TypeId,
    size: u64,
) -> Option<Expr> {
    let template = match block.operation {
        Operation::Copy => "__lariat_typed_copy",
        Operation::Move => "__lariat_typed_move",
        Operation::Zero => "__lariat_typed_zero",
    };
    let model = typed_model(binder, &call.name, template, element)?;
    let mut args: Vec<Option<Expr>> = std::mem::take(&mut call.args).into_iter().map(Some).collect();
    let mut build = binder.build(call.function, call.span);
    let size_type = build.size_type();
    let pointer = build.program.types.pointer_to(element);
    let mut values = Vec::new();
    for index in std::iter::once(block.to).chain(block.from) {
        let arg = args[index].take()?;
        values.push(as_pointer_to(&mut build, arg, pointer));
    }
    let bytes = args[block.size].take()?;
    values.push(build.convert(bytes, size_type));
    let (mut given, mut stmts) = binder.declare_arguments(call, values);
    let bytes = given.pop()?;
    // A product that wraps around stays a multiple of a power of two only.
    if !size.is_power_of_two() {
        let rest = size_operation(binder, call, BinaryOp::Rem, bytes, size);
        let mut build = binder.build(call.function, call.span);
        let zero = build.int(0, size_type);
        let condition = build.compare(CompareOp::Ne, rest, zero);
        let then = build.stmt(StmtKind::Unsupported(
            "a block whose size in bytes wraps around".into(),
        ));
        stmts.push(build.stmt(StmtKind::If {
            condition,
            then: Box::new(then),
            otherwise: None,
        }));
    }
    let count = size_operation(binder, call, BinaryOp::Div, bytes, size);
    let mut build = binder.build(call.function, call.span);
    let mut typed_args: Vec<Expr> = given.iter().map(|&local| build.load_local(local)).collect();
    typed_args.push(count);
    let typed = binder.call_function(call, model, typed_args);
    let mut build = binder.build(call.function, call.span);
    stmts.push(build.stmt(StmtKind::Expr(typed)));
    let result = build.load_local(given[0]);
    let count = size_operation(binder, call, BinaryOp::Div, bytes, size);
    result_of(binder, call, stmts, result, count)
}

fn size_operation(
    binder: &mut Binder<'_>,
    call: &LibraryCall,
    op: BinaryOp,
    bytes: lariat_c_program::LocalId,
    size: u64,
) -> Expr {
    let mut build = binder.build(call.function, call.span);
    let size_type = build.size_type();
    let left = build.load_local(bytes);
    let right = build.int(size, size_type);
    build.expr(
        ExprKind::Binary {
            op,
            left: Box::new(left),
            right: Box::new(right),
        },
        size_type,
    )
}

/// The value of the whole: the first pointer, or for `mempcpy` the one after `count` elements.
fn result_of(
    binder: &mut Binder<'_>,
    call: &LibraryCall,
    stmts: Vec<Stmt>,
    pointer: Expr,
    count: Expr,
) -> Option<Expr> {
    let is_void = matches!(binder.program.types.get(call.ty), Type::Void);
    let mut build = binder.build(call.function, call.span);
    let mut value = pointer;
    if call.name == "mempcpy" {
        let target = build.program.types.pointee(value.ty)?;
        let size = build.program.types.size(target)?;
        let size_type = build.size_type();
        let element = build.int(size, size_type);
        let ty = value.ty;
        value = build.expr(
            ExprKind::PointerAdd {
                pointer: Box::new(value),
                index: Box::new(count),
                subtract: false,
                element: Box::new(element),
            },
            ty,
        );
    }
    let value = if is_void {
        build.expr(ExprKind::Convert(Box::new(value)), call.ty)
    } else {
        build.convert(value, call.ty)
    };
    Some(build.statements(stmts, value))
}

/// A copy of a model of `typed.c` for elements of this type.
fn typed_model(
    binder: &mut Binder<'_>,
    name: &str,
    template: &str,
    element: TypeId,
) -> Option<lariat_c_program::FunctionId> {
    let model = binder.model(template)?;
    let records = &binder.program.types.records;
    let (parameter, _) = records.iter().find(|(_, record)| &*record.name == "__lariat_T")?;
    let copy = binder
        .copies
        .for_call_with(binder.program, model, (parameter, element));
    // A trace shows what the program calls.
    binder.program.functions[copy].name = name.into();
    Some(copy)
}

/// The element type of an array that is not one of bytes.
fn element_of(types: &Types, pointer: &Expr) -> Option<(TypeId, u64)> {
    let element = target(types, pointer)?;
    if is_bytes(types, element) || !is_assignable(types, element) {
        return None;
    }
    Some((element, types.size(element).filter(|&size| size > 0)?))
}

/// `realloc(pointer, bytes)` of an array of elements.
fn bind_realloc(binder: &mut Binder<'_>, call: &mut LibraryCall) -> Option<Expr> {
    let [pointer, bytes] = &call.args[..] else {
        return None;
    };
    let (element, size) = element_of(&binder.program.types, pointer)?;
    let is_whole = match constant(bytes) {
        Some(bytes) => (bytes % BigInt::from(size)).is_zero(),
        None => size.is_power_of_two() && is_multiple(bytes, size),
    };
    if !is_whole {
        return None;
    }
    let model = typed_model(binder, "realloc", "__lariat_typed_realloc", element)?;
    let mut args = std::mem::take(&mut call.args);
    let mut build = binder.build(call.function, call.span);
    let size_type = build.size_type();
    args.push(build.int(size, size_type));
    let made = binder.call_function(call, model, args);
    Some(binder.result_as(call, made))
}

/// `qsort(array, count, sizeof *array, compare)`.
fn bind_qsort(binder: &mut Binder<'_>, call: &mut LibraryCall) -> Option<Expr> {
    let [array, _, bytes, _] = &call.args[..] else {
        return None;
    };
    let (element, size) = element_of(&binder.program.types, array)?;
    if constant(bytes) != Some(size.into()) {
        return None;
    }
    let model = typed_model(binder, "qsort", "__lariat_typed_qsort", element)?;
    let mut args = std::mem::take(&mut call.args);
    args.remove(2);
    Some(binder.call_function(call, model, args))
}

/// `(T *)calloc(count, sizeof(T))`, the type being that of the conversion.
pub(crate) fn bind_allocation(
    binder: &mut Binder<'_>,
    function: lariat_c_program::FunctionId,
    expr: &mut Expr,
) {
    let (ty, span) = (expr.ty, expr.span);
    let ExprKind::Convert(inner) = &mut expr.kind else {
        return;
    };
    let types = &binder.program.types;
    let Some(mut element) = types.pointee(ty) else {
        return;
    };
    while let Type::Array { element: inner, .. } = types.get(element) {
        element = *inner;
    }
    if is_bytes(types, element) || !is_assignable(types, element) {
        return;
    }
    let Some(size) = types.size(element).filter(|&size| size > 0) else {
        return;
    };
    let inner_ty = inner.ty;
    let ExprKind::Call {
        callee: lariat_c_program::Callee::Function(callee),
        args,
    } = &mut inner.kind
    else {
        return;
    };
    let is_calloc = binder
        .library_name(*callee)
        .is_some_and(|(name, _)| name == "calloc");
    if !is_calloc || binder.is_replaced("calloc") || args.len() != 2 {
        return;
    }
    let elements = |arg: &Expr| {
        let bytes = constant(arg)?.to_u64()?;
        (bytes % size == 0 && bytes > 0).then_some(bytes / size)
    };
    let elements = match (elements(&args[0]), elements(&args[1])) {
        (_, Some(elements)) => elements,
        (Some(elements), None) => {
            args.swap(0, 1);
            elements
        }
        (None, None) => return,
    };
    let Some(model) = typed_model(binder, "calloc", "__lariat_typed_calloc", element) else {
        return;
    };
    let mut args = std::mem::take(args);
    let call = LibraryCall {
        function,
        span,
        ty: inner_ty,
        name: "calloc".into(),
        args: Vec::new(),
    };
    let mut build = binder.build(function, span);
    let size_type = build.size_type();
    args.push(build.int(elements, size_type));
    **inner = binder.call_function(&call, model, args);
}
