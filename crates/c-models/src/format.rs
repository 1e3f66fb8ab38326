//! Calls of printf and scanf functions whose format is a constant.
//!
//! The format is taken apart here, so that the verifier need not interpret it: what is printed into a buffer is exact,
//! and scanf stores values of the types that the format says. See `models/format.c`.

mod scan;

use lariat_c_program::{Expr, ExprKind, FunctionId, InitValue, IntKind, LocalId, Machine, PlaceKind, Stmt};
use num_traits::Zero;
use rustc_hash::FxHashMap;

use crate::formats::{Amount, Conversion, Length, Piece, parse_input, parse_output};
use crate::instantiate::{Binder, LibraryCall};
use scan::scan;

/// Functions that have no model where their format is not constant.
pub(crate) fn is_transformed(name: &str) -> bool {
    matches!(name, "scanf" | "fscanf" | "sscanf")
}

pub(crate) fn bind(binder: &mut Binder<'_>, call: &mut LibraryCall) -> Option<Expr> {
    if binder.is_replaced(&call.name) {
        return None;
    }
    let output = |binder: &Binder<'_>, at: usize| parse_output(&text(binder, call.args.get(at)?)?);
    let input = |binder: &Binder<'_>, at: usize| parse_input(&text(binder, call.args.get(at)?)?);
    match &*call.name {
        "printf" | "printk" => print(binder, call, output(binder, 0), 0),
        "fprintf" | "dprintf" | "asprintf" => print(binder, call, output(binder, 1), 1),
        "sprintf" => {
            let pieces = output(binder, 1)?;
            print_to_buffer(binder, call, &pieces, None, 2)
        }
        "snprintf" => {
            let pieces = output(binder, 2)?;
            print_to_buffer(binder, call, &pieces, Some(1), 3)
        }
        "scanf" => {
            let pieces = input(binder, 0)?;
            scan(binder, call, &pieces, "__lariat_scan_stdin", 0)
        }
        "fscanf" => {
            let pieces = input(binder, 1)?;
            scan(binder, call, &pieces, "__lariat_scan_file", 1)
        }
        "sscanf" => {
            let pieces = input(binder, 1)?;
            scan(binder, call, &pieces, "__lariat_scan_text", 1)
        }
        _ => None,
    }
}

/// The characters of a string literal that an expression is the address of.
fn text(binder: &Binder<'_>, mut expr: &Expr) -> Option<Vec<u8>> {
    while let ExprKind::Convert(inner) = &expr.kind {
        expr = inner;
    }
    let ExprKind::AddressOf(place) = &expr.kind else {
        return None;
    };
    let mut place = &**place;
    while let PlaceKind::Index { base, index } = &place.kind {
        crate::build::constant(index).filter(Zero::is_zero)?;
        place = base;
    }
    let PlaceKind::Global(global) = place.kind else {
        return None;
    };
    let global = &binder.program.globals[global];
    let [item] = &global.init.as_ref().filter(|_| global.is_string)?.items[..] else {
        return None;
    };
    let InitValue::String(characters) = &item.value else {
        return None;
    };
    let characters = characters.iter().take_while(|&&c| c != 0);
    characters.map(|&c| u8::try_from(c).ok()).collect()
}

fn conversions(pieces: &[Piece]) -> impl Iterator<Item = &Conversion> {
    pieces.iter().filter_map(|piece| match piece {
        Piece::Conversion(conversion) => Some(conversion),
        Piece::Text(_) => None,
    })
}

/// Functions whose text the program does not see, or not exactly; `format` is the format's place.
fn print(
    binder: &mut Binder<'_>,
    call: &mut LibraryCall,
    pieces: Option<Vec<Piece>>,
    format: usize,
) -> Option<Expr> {
    match pieces {
        Some(pieces) => check_strings(binder, call, &pieces, format + 1),
        None => {
            let name = match &*call.name {
                "printf" | "printk" => "__lariat_any_printf",
                "fprintf" => "__lariat_any_fprintf",
                "dprintf" => "__lariat_any_dprintf",
                _ => "__lariat_any_asprintf",
            };
            binder.model(name)?;
            let args = std::mem::take(&mut call.args);
            let made = binder.call_model(call, name, args)?;
            return Some(binder.result_as(call, made));
        }
    }
    None
}

/// What is printed to a stream is forgotten, but strings must be there, and `%n` stores a number.
fn check_strings(binder: &mut Binder<'_>, call: &mut LibraryCall, pieces: &[Piece], first: usize) {
    let mut at = first;
    for conversion in conversions(pieces) {
        at += usize::from(conversion.width == Amount::Argument);
        let precision = at;
        at += usize::from(conversion.precision == Amount::Argument);
        let Some(arg) = call.args.get(at) else {
            let mut build = binder.build(call.function, call.span);
            let int = build.int_type();
            let kind = ExprKind::Unsupported("a format that asks for more arguments than there are".into());
            call.args.push(build.expr(kind, int));
            return;
        };
        let is_pointer = binder.program.types.pointee(arg.ty).is_some();
        let model = match (conversion.letter, conversion.length) {
            (b's', Length::None) => "__lariat_printed_string",
            (b'n', Length::None) => "__lariat_printed_count",
            (b'n', _) => {
                let ty = arg.ty;
                let mut build = binder.build(call.function, call.span);
                let kind = ExprKind::Unsupported("%n with a length in a format".into());
                call.args[at] = build.expr(kind, ty);
                return;
            }
            _ => {
                at += 1;
                continue;
            }
        };
        if !is_pointer || binder.model(model).is_none() {
            return;
        }
        let ty = arg.ty;
        let mut build = binder.build(call.function, call.span);
        let int = build.int_type();
        let limit = match conversion.precision {
            Amount::None => Some(build.int(-1, int)),
            Amount::Constant(limit) => Some(build.int(limit, int)),
            // Nobody else looks at the argument before.
            Amount::Argument => {
                let nothing = build.int(0, int);
                let value = std::mem::replace(&mut call.args[precision], nothing);
                Some(build.convert(value, int))
            }
        };
        let nothing = build.int(0, ty);
        let mut args = vec![std::mem::replace(&mut call.args[at], nothing)];
        args.extend(limit.filter(|_| conversion.letter == b's'));
        if let Some(made) = binder.call_model(call, model, args) {
            call.args[at] = binder.build(call.function, call.span).convert(made, ty);
        }
        at += 1;
    }
}

/// Calls of models for the parts of one call: they all work on the same buffer, so that one copy of each is enough.
struct Parts<'b, 'p> {
    binder: &'b mut Binder<'p>,
    call: &'b LibraryCall,
    copies: FxHashMap<&'static str, FunctionId>,
    stmts: Vec<Stmt>,
}

impl Parts<'_, '_> {
    fn build(&mut self) -> crate::build::Build<'_> {
        self.binder.build(self.call.function, self.call.span)
    }

    /// `None` if our models are not there.
    fn call(&mut self, name: &'static str, args: Vec<Expr>) -> Option<Expr> {
        let copy = match self.copies.get(name) {
            Some(&copy) => copy,
            None => {
                let model = self.binder.model(name)?;
                let copy = self.binder.copies.for_call(self.binder.program, model);
                self.copies.insert(name, copy);
                copy
            }
        };
        Some(self.binder.call_function(self.call, copy, args))
    }

    fn declare(&mut self, value: Expr) -> LocalId {
        let (local, stmt) = self.build().declare(value);
        self.stmts.push(stmt);
        local
    }

    fn declare_arguments(&mut self, values: Vec<Expr>) -> std::vec::IntoIter<LocalId> {
        let (locals, stmts) = self.binder.declare_arguments(self.call, values);
        self.stmts.extend(stmts);
        locals.into_iter()
    }

    fn load(&mut self, local: LocalId) -> Expr {
        self.build().load_local(local)
    }

    fn int(&mut self, value: i64) -> Expr {
        let mut build = self.build();
        let int = build.int_type();
        build.int(value, int)
    }
}

/// A buffer that is printed into.
struct Buffer {
    to: LocalId,
    room: LocalId,
    count: LocalId,
}

/// Whether what a format asks for can be printed exactly with these arguments.
fn is_printable(binder: &Binder<'_>, pieces: &[Piece], args: &[Expr]) -> bool {
    let mut args = args.iter();
    conversions(pieces).all(|conversion| {
        let precision = conversion.precision != Amount::Argument || args.next().is_some();
        let Some(arg) = args.next() else { return false };
        let is_pointer = binder.program.types.pointee(arg.ty).is_some();
        let is_plain = conversion.length == Length::None;
        precision
            && conversion.width != Amount::Argument
            && match conversion.letter {
                b's' | b'n' => is_pointer && is_plain,
                b'c' => !is_pointer && is_plain,
                b'd' | b'i' | b'u' | b'o' | b'x' | b'X' => {
                    !is_pointer && conversion.length != Length::LongDouble
                }
                _ => true,
            }
            && binder.program.types.scalar(arg.ty).is_some()
    })
}

/// sprintf, and snprintf with the place of the buffer's size; `first` is the first argument of the format.
fn print_to_buffer(
    binder: &mut Binder<'_>,
    call: &mut LibraryCall,
    pieces: &[Piece],
    size: Option<usize>,
    first: usize,
) -> Option<Expr> {
    let models = ["__lariat_put", "__lariat_put_end"];
    if !is_printable(binder, pieces, call.args.get(first..)?)
        || models.iter().any(|name| binder.model(name).is_none())
    {
        return None;
    }
    let args = std::mem::take(&mut call.args);
    let mut parts = Parts {
        binder,
        call,
        copies: FxHashMap::default(),
        stmts: Vec::new(),
    };
    let mut build = parts.build();
    let size_type = build.size_type();
    let zero = build.int(0, size_type);
    let unlimited = match build.program.types.machine {
        Machine::Lp64 => u64::MAX,
        Machine::Ilp32 => u64::from(u32::MAX),
    };
    let mut room = build.int(unlimited, size_type);
    let mut args = args;
    if let Some(size) = size {
        room = build.convert(args.remove(size), size_type);
    }
    // Without the format, which is a literal.
    let values = args.split_off(first - usize::from(size.is_some()));
    args.truncate(1);
    args.push(room);
    args.extend(values);
    let mut values = parts.declare_arguments(args);
    let (to, room) = (values.next()?, values.next()?);
    let count = parts.declare(zero);
    let buffer = Buffer { to, room, count };
    for piece in pieces {
        match piece {
            Piece::Text(text) => {
                for &c in text {
                    let c = parts.int(i64::from(c as i8));
                    put(&mut parts, &buffer, "__lariat_put", vec![c])?;
                }
            }
            Piece::Conversion(conversion) => {
                put_conversion(&mut parts, &buffer, conversion, &mut values)?;
            }
        }
    }
    let args = [buffer.to, buffer.room, buffer.count].map(|local| parts.load(local));
    let result = parts.call("__lariat_put_end", args.into())?;
    let stmts = std::mem::take(&mut parts.stmts);
    let result = binder.result_as(call, result);
    Some(binder.build(call.function, call.span).statements(stmts, result))
}

/// `count = model(to, room, count, args…);`
fn put(parts: &mut Parts<'_, '_>, buffer: &Buffer, model: &'static str, args: Vec<Expr>) -> Option<()> {
    let mut all: Vec<Expr> = [buffer.to, buffer.room, buffer.count]
        .map(|local| parts.load(local))
        .into();
    all.extend(args);
    let value = parts.call(model, all)?;
    let mut build = parts.build();
    let place = build.local_place(buffer.count);
    let value = build.convert(value, place.ty);
    let assign = build.assign(place, value);
    parts.stmts.push(assign);
    Some(())
}

fn put_conversion(
    parts: &mut Parts<'_, '_>,
    buffer: &Buffer,
    conversion: &Conversion,
    values: &mut impl Iterator<Item = LocalId>,
) -> Option<()> {
    let width = match conversion.width {
        Amount::Constant(width) => i64::from(width),
        Amount::None | Amount::Argument => 0,
    };
    let precision = match conversion.precision {
        Amount::None => parts.int(-1),
        Amount::Constant(precision) => parts.int(i64::from(precision)),
        Amount::Argument => {
            let local = values.next()?;
            parts.load(local)
        }
    };
    let value = values.next()?;
    let value = parts.load(value);
    let flags = i64::from(conversion.flags);
    let (flags, width_arg) = (parts.int(flags), parts.int(width));
    match conversion.letter {
        b'c' => put(parts, buffer, "__lariat_put_char", vec![value, flags, width_arg]),
        b's' => put(
            parts,
            buffer,
            "__lariat_put_string",
            vec![value, flags, width_arg, precision],
        ),
        b'd' | b'i' => {
            let mut build = parts.build();
            let ty =
                build
                    .program
                    .types
                    .int(integer_kind(conversion.length, build.program.types.machine, true));
            let value = build.convert(value, ty);
            put(
                parts,
                buffer,
                "__lariat_put_signed",
                vec![value, flags, width_arg, precision],
            )
        }
        b'u' | b'o' | b'x' | b'X' => {
            let mut build = parts.build();
            let ty = build.program.types.int(integer_kind(
                conversion.length,
                build.program.types.machine,
                false,
            ));
            let value = build.convert(value, ty);
            let base = parts.int(match conversion.letter {
                b'u' => 10,
                b'o' => 8,
                b'x' => 16,
                _ => 17,
            });
            put(
                parts,
                buffer,
                "__lariat_put_unsigned",
                vec![value, base, flags, width_arg, precision],
            )
        }
        b'n' => {
            let count = parts.load(buffer.count);
            let mut build = parts.build();
            let int = build.int_type();
            let pointer = build.program.types.pointer_to(int);
            let pointer = build.convert(value, pointer);
            let count = build.convert(count, int);
            let place = build.place(PlaceKind::Deref(Box::new(pointer)), int);
            let assign = build.assign(place, count);
            parts.stmts.push(assign);
            Some(())
        }
        letter => {
            if letter == b'p' {
                expose(parts, value)?;
            }
            let digits = match conversion.precision {
                Amount::Constant(precision) => i64::from(precision),
                Amount::None => 40,
                // Any text, as long as there may be digits.
                Amount::Argument => i64::from(i32::MAX) / 4,
            };
            let whole = match (letter, conversion.length) {
                (b'f' | b'F', Length::LongDouble) => 4940,
                (b'f' | b'F', _) => 320,
                _ => 32,
            };
            let least = parts.int(width.max(1));
            let most = parts.int((whole + digits).max(width));
            put(parts, buffer, "__lariat_put_any", vec![least, most])
        }
    }
}

/// Whoever reads the text can make the pointer of it again.
fn expose(parts: &mut Parts<'_, '_>, pointer: Expr) -> Option<()> {
    let types = &mut parts.binder.program.types;
    let void = types.void();
    let param = types.pointer_to(void);
    let span = parts.call.span;
    let expose = parts.binder.intrinsic("__lariat_expose", void, vec![param], span);
    let mut build = parts.build();
    let pointer = build.convert(pointer, param);
    let call = build.call(expose, vec![pointer], void);
    let stmt = build.stmt(lariat_c_program::StmtKind::Expr(call));
    parts.stmts.push(stmt);
    Some(())
}

/// The integer type of a conversion.
fn integer_kind(length: Length, machine: Machine, signed: bool) -> IntKind {
    let (with, without) = match (length, machine) {
        (Length::None | Length::LongDouble, _) => (IntKind::Int, IntKind::UInt),
        (Length::Char, _) => (IntKind::SChar, IntKind::UChar),
        (Length::Short, _) => (IntKind::Short, IntKind::UShort),
        (Length::Long, _) => (IntKind::Long, IntKind::ULong),
        (Length::LongLong | Length::Max, _) => (IntKind::LongLong, IntKind::ULongLong),
        (Length::Size | Length::Difference, Machine::Lp64) => (IntKind::Long, IntKind::ULong),
        (Length::Size | Length::Difference, Machine::Ilp32) => (IntKind::Int, IntKind::UInt),
    };
    if signed { with } else { without }
}
