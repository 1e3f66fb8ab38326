//! A program as text, close to C: for people, logs and tests.
//!
//! What C leaves implicit is written out: `(type)x` is every conversion, `x` is a load where a value stands and the place
//! itself where one is needed, `&a` is also an array that decays. Sizes of elements stand behind `:` in pointer arithmetic.

use std::fmt::Write as _;

use crate::expr::{AssignOp, BinaryOp, Callee, CompareOp, Expr, ExprKind, Place, PlaceKind, UnaryOp};
use crate::program::{CProgram, Function, FunctionId, Linkage, Local, LocalId, Purpose};
use crate::stmt::{InitStep, InitValue, Initializer, LabelId, Stmt, StmtKind};
use crate::types::{RecordId, Types};

/// The whole program: records and enumerations with their layout, globals, functions.
pub fn print_program(program: &CProgram) -> String {
    let mut text = String::new();
    for record in program.types.records.keys() {
        text.push_str(&print_record(&program.types, record));
    }
    for enumeration in program.types.enums.values() {
        let constants: Vec<String> = enumeration
            .constants
            .iter()
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        // Writing to a string does not fail, here and below.
        let _ = writeln!(
            text,
            "enum {} : {} {{ {} }}",
            enumeration.name,
            enumeration.underlying.name(),
            constants.join(", ")
        );
    }
    for global in program.globals.values() {
        let printer = Printer::new(
            program,
            global.function.map(|function| &program.functions[function]),
        );
        let mut words = Vec::new();
        if global.purpose == Purpose::Model {
            words.push("model");
        }
        if !global.defined {
            words.push("extern");
        }
        if global.linkage == Linkage::Internal {
            words.push("static");
        }
        if global.is_thread_local {
            words.push("_Thread_local");
        }
        if global.is_const {
            words.push("const");
        }
        let declarator = program.types.declarator(global.ty, &global.name);
        words.push(&declarator);
        let _ = write!(text, "{}", words.join(" "));
        if let Some(init) = &global.init {
            let _ = write!(text, " = {}", printer.initializer(init));
        }
        if let Some(function) = global.function {
            let _ = write!(text, " // in {}", program.functions[function].name);
        }
        text.push('\n');
    }
    for function in program.functions.keys() {
        text.push_str(&print_function(program, function));
    }
    text
}

pub fn print_record(types: &Types, id: RecordId) -> String {
    let record = &types.records[id];
    let keyword = if record.is_union { "union" } else { "struct" };
    let Some(size) = record.size else {
        return format!("{keyword} {}\n", record.name);
    };
    let fields: Vec<String> = record
        .fields
        .iter()
        .map(|field| {
            let bits = match field.bits {
                Some(bits) => format!(" bits {}..{}", bits.shift, bits.shift + bits.width),
                None => String::new(),
            };
            format!(
                "{} @{}{bits}",
                types.declarator(field.ty, &field.name),
                field.offset
            )
        })
        .collect();
    format!(
        "{keyword} {} size {size} align {} {{ {} }}\n",
        record.name,
        record.align,
        fields.join("; ")
    )
}

pub fn print_function(program: &CProgram, id: FunctionId) -> String {
    let function = &program.functions[id];
    let mut printer = Printer::new(program, Some(function));
    if function.purpose == Purpose::Model {
        printer.text.push_str("model ");
    }
    if function.linkage == Linkage::Internal {
        printer.text.push_str("static ");
    }
    if function.noreturn {
        printer.text.push_str("_Noreturn ");
    }
    let params: Vec<String> = function
        .params
        .iter()
        .map(|&param| printer.local_declarator(param))
        .collect();
    let declarator = program.types.declarator(function.ty, &function.name);
    printer.text.push_str(&declarator);
    match &function.body {
        None => printer.text.push('\n'),
        Some(body) => {
            let _ = write!(printer.text, " [{}] ", params.join(", "));
            printer.stmt(body, 0);
        }
    }
    printer.text
}

/// An expression of a function (or of a global's initialiser).
pub fn print_expr(program: &CProgram, function: Option<&Function>, expr: &Expr) -> String {
    Printer::new(program, function).expr(expr)
}

/// A place of a function (or of a global's initialiser).
pub fn print_place(program: &CProgram, function: Option<&Function>, place: &Place) -> String {
    Printer::new(program, function).place(place)
}

struct Printer<'p> {
    program: &'p CProgram,
    function: Option<&'p Function>,
    text: String,
}

impl<'p> Printer<'p> {
    fn new(program: &'p CProgram, function: Option<&'p Function>) -> Self {
        Printer {
            program,
            function,
            text: String::new(),
        }
    }

    fn line(&mut self, depth: usize, text: &str) {
        self.text.push_str(&"  ".repeat(depth));
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn local(&self, local: LocalId) -> String {
        let found: Option<&Local> = self.function.and_then(|function| function.locals.get(local));
        let Some(found) = found else {
            return format!("{local}");
        };
        let is_shared = self.function.is_some_and(|function| {
            function
                .locals
                .values()
                .filter(|other| other.name == found.name)
                .count()
                > 1
        });
        match (found.name.is_empty(), is_shared) {
            (true, _) => format!("%{}", local.as_u32()),
            (false, true) => format!("{}%{}", found.name, local.as_u32()),
            (false, false) => found.name.to_string(),
        }
    }

    fn local_declarator(&self, local: LocalId) -> String {
        match self.function.and_then(|function| function.locals.get(local)) {
            Some(found) => self.program.types.declarator(found.ty, &self.local(local)),
            None => format!("{local}"),
        }
    }

    fn label(&self, label: LabelId) -> String {
        match self.function.and_then(|function| function.labels.get(label)) {
            Some(name) => name.to_string(),
            None => format!("{label}"),
        }
    }

    /// Writes a statement, starting where the line stands.
    fn stmt(&mut self, stmt: &Stmt, depth: usize) {
        match &stmt.kind {
            StmtKind::Empty => self.text.push_str(";\n"),
            StmtKind::Expr(expr) => {
                let text = self.expr(expr);
                let _ = writeln!(self.text, "{text};");
            }
            StmtKind::Declare { local, init, size } => {
                let declarator = self.local_declarator(*local);
                let size = size.as_ref().map(|size| format!(" size {}", self.expr(size)));
                let init = init.as_ref().map(|init| format!(" = {}", self.initializer(init)));
                let _ = writeln!(
                    self.text,
                    "{declarator}{}{};",
                    size.unwrap_or_default(),
                    init.unwrap_or_default()
                );
            }
            StmtKind::Block(stmts) => {
                self.text.push_str("{\n");
                for stmt in stmts {
                    self.text.push_str(&"  ".repeat(depth + 1));
                    self.stmt(stmt, depth + 1);
                }
                self.line(depth, "}");
            }
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.expr(condition);
                let _ = write!(self.text, "if ({condition}) ");
                self.stmt(then, depth);
                if let Some(otherwise) = otherwise {
                    self.text.push_str(&"  ".repeat(depth));
                    self.text.push_str("else ");
                    self.stmt(otherwise, depth);
                }
            }
            StmtKind::While { condition, body } => {
                let condition = self.expr(condition);
                let _ = write!(self.text, "while ({condition}) ");
                self.stmt(body, depth);
            }
            StmtKind::DoWhile { body, condition } => {
                self.text.push_str("do ");
                self.stmt(body, depth);
                let condition = self.expr(condition);
                self.line(depth, &format!("while ({condition});"));
            }
            StmtKind::For {
                init,
                condition,
                step,
                body,
            } => {
                self.text.push_str("for (");
                match init {
                    Some(init) => {
                        self.stmt(init, depth);
                        self.text.pop();
                    }
                    None => self.text.push(';'),
                }
                let condition = condition
                    .as_ref()
                    .map(|condition| format!(" {}", self.expr(condition)));
                let step = step.as_ref().map(|step| format!(" {}", self.expr(step)));
                let _ = write!(
                    self.text,
                    "{};{}) ",
                    condition.unwrap_or_default(),
                    step.unwrap_or_default()
                );
                self.stmt(body, depth);
            }
            StmtKind::Switch { value, body } => {
                let value = self.expr(value);
                let _ = write!(self.text, "switch ({value}) ");
                self.stmt(body, depth);
            }
            StmtKind::Case { low, high, body } => {
                if low == high {
                    let _ = write!(self.text, "case {low}: ");
                } else {
                    let _ = write!(self.text, "case {low} ... {high}: ");
                }
                self.stmt(body, depth);
            }
            StmtKind::Default(body) => {
                self.text.push_str("default: ");
                self.stmt(body, depth);
            }
            StmtKind::Label { label, body } => {
                let label = self.label(*label);
                let _ = write!(self.text, "{label}: ");
                self.stmt(body, depth);
            }
            StmtKind::Goto(label) => {
                let label = self.label(*label);
                let _ = writeln!(self.text, "goto {label};");
            }
            StmtKind::GotoComputed(target) => {
                let target = self.expr(target);
                let _ = writeln!(self.text, "goto *{target};");
            }
            StmtKind::Break => self.text.push_str("break;\n"),
            StmtKind::AtomicBegin => self.text.push_str("atomic {\n"),
            StmtKind::AtomicEnd => self.text.push_str("}\n"),
            StmtKind::Continue => self.text.push_str("continue;\n"),
            StmtKind::Return(None) => self.text.push_str("return;\n"),
            StmtKind::Return(Some(value)) => {
                let value = self.expr(value);
                let _ = writeln!(self.text, "return {value};");
            }
            StmtKind::Asm(asm) => {
                let outputs: Vec<String> = asm.outputs.iter().map(|place| self.place(place)).collect();
                let inputs: Vec<String> = asm.inputs.iter().map(|expr| self.expr(expr)).collect();
                let labels: Vec<String> = asm.labels.iter().map(|&label| self.label(label)).collect();
                let _ = writeln!(
                    self.text,
                    "asm({} : {} : {} : {} : {});",
                    asm.text,
                    outputs.join(", "),
                    inputs.join(", "),
                    if asm.clobbers_memory { "memory" } else { "" },
                    labels.join(", ")
                );
            }
            StmtKind::Unsupported(reason) => {
                let _ = writeln!(self.text, "<unsupported: {reason}>;");
            }
        }
    }

    fn list(&self, exprs: &[Expr]) -> String {
        let texts: Vec<String> = exprs.iter().map(|expr| self.expr(expr)).collect();
        texts.join(", ")
    }

    fn expr(&self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Int(value) if self.program.types.pointee(expr.ty).is_some() => {
                format!("({}){value}", self.program.types.name(expr.ty))
            }
            ExprKind::Int(value) => {
                let name = self.program.types.name(expr.ty);
                if name == "int" {
                    value.to_string()
                } else {
                    format!("{value}`{name}`")
                }
            }
            ExprKind::Float(value) => format!("{value:?}`{}`", self.program.types.name(expr.ty)),
            ExprKind::Load(place) => self.place(place),
            ExprKind::AddressOf(place) => format!("&{}", self.place(place)),
            ExprKind::FunctionAddress(function) => format!("&{}", self.program.functions[*function].name),
            ExprKind::LabelAddress(label) => format!("&&{}", self.label(*label)),
            ExprKind::Unary { op, operand } => {
                let op = match op {
                    UnaryOp::Neg => "-",
                    UnaryOp::BitNot => "~",
                };
                format!("{op}{}", self.expr(operand))
            }
            ExprKind::Binary { op, left, right } => {
                format!("({} {} {})", self.expr(left), binary_text(*op), self.expr(right))
            }
            ExprKind::Compare { op, left, right } => {
                let op = match op {
                    CompareOp::Eq => "==",
                    CompareOp::Ne => "!=",
                    CompareOp::Lt => "<",
                    CompareOp::Le => "<=",
                    CompareOp::Gt => ">",
                    CompareOp::Ge => ">=",
                };
                format!("({} {op} {})", self.expr(left), self.expr(right))
            }
            ExprKind::PointerAdd {
                pointer,
                index,
                subtract,
                element,
            } => format!(
                "({} {} {} :{})",
                self.expr(pointer),
                if *subtract { "-" } else { "+" },
                self.expr(index),
                self.element(element)
            ),
            ExprKind::PointerDifference { left, right, element } => {
                format!(
                    "({} - {} :{})",
                    self.expr(left),
                    self.expr(right),
                    self.element(element)
                )
            }
            ExprKind::And(left, right) => format!("({} && {})", self.expr(left), self.expr(right)),
            ExprKind::Or(left, right) => format!("({} || {})", self.expr(left), self.expr(right)),
            ExprKind::Not(operand) => format!("!{}", self.expr(operand)),
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
            } => {
                let then = then.as_ref().map(|then| format!(" {} ", self.expr(then)));
                format!(
                    "({} ?{}: {})",
                    self.expr(condition),
                    then.unwrap_or_default(),
                    self.expr(otherwise)
                )
            }
            ExprKind::Convert(operand) => {
                format!("({}){}", self.program.types.name(expr.ty), self.expr(operand))
            }
            ExprKind::Assign { place, value } => format!("({} = {})", self.place(place), self.expr(value)),
            ExprKind::CompoundAssign {
                place,
                op,
                operand,
                computation,
            } => {
                let (op, note) = match op {
                    AssignOp::Arithmetic(op) => (binary_text(*op), self.program.types.name(*computation)),
                    AssignOp::Pointer { subtract, element } => {
                        (if *subtract { "-" } else { "+" }, self.element(element))
                    }
                };
                format!("({} {op}= {} :{note})", self.place(place), self.expr(operand))
            }
            ExprKind::Step {
                place,
                increment,
                prefix,
            } => {
                let op = if *increment { "++" } else { "--" };
                if *prefix {
                    format!("{op}{}", self.place(place))
                } else {
                    format!("{}{op}", self.place(place))
                }
            }
            ExprKind::Call { callee, args } => match callee {
                Callee::Function(function) => {
                    format!("{}({})", self.program.functions[*function].name, self.list(args))
                }
                Callee::Pointer(pointer) => format!("(*{})({})", self.expr(pointer), self.list(args)),
            },
            ExprKind::Comma(left, right) => format!("({}, {})", self.expr(left), self.expr(right)),
            ExprKind::Statements(stmts) => {
                let mut inner = Printer::new(self.program, self.function);
                for stmt in stmts {
                    inner.stmt(stmt, 0);
                }
                let lines: Vec<&str> = inner.text.lines().map(str::trim).collect();
                format!("({{ {} }})", lines.join(" "))
            }
            ExprKind::VaArg(list) => format!(
                "va_arg({}, {})",
                self.expr(list),
                self.program.types.name(expr.ty)
            ),
            ExprKind::SizeOfLocal(local) => format!("sizeof({})", self.local(*local)),
            ExprKind::Unsupported(reason) => format!("<unsupported: {reason}>"),
        }
    }

    /// The size of an element: a plain number, or an expression.
    fn element(&self, element: &Expr) -> String {
        match &element.kind {
            ExprKind::Int(bytes) => bytes.to_string(),
            _ => self.expr(element),
        }
    }

    fn place(&self, place: &Place) -> String {
        match &place.kind {
            PlaceKind::Local(local) => self.local(*local),
            PlaceKind::Global(global) => self.program.globals[*global].name.to_string(),
            PlaceKind::Deref(pointer) => format!("*{}", self.expr(pointer)),
            PlaceKind::Member { base, record, field } => {
                let field = &self.program.types.records[*record].fields[*field as usize];
                let name = if field.name.is_empty() {
                    "<anonymous>"
                } else {
                    &*field.name
                };
                match &base.kind {
                    PlaceKind::Deref(pointer) => format!("{}->{name}", self.expr(pointer)),
                    _ => format!("{}.{name}", self.place(base)),
                }
            }
            PlaceKind::Index { base, index } => format!("{}[{}]", self.place(base), self.expr(index)),
            PlaceKind::CompoundLiteral { local, init } => {
                format!("({}){}", self.local_declarator(*local), self.initializer(init))
            }
            PlaceKind::Temporary(value) => format!("<{}>", self.expr(value)),
        }
    }

    fn initializer(&self, init: &Initializer) -> String {
        let items: Vec<String> = init
            .items
            .iter()
            .map(|item| {
                let path: String = item
                    .path
                    .iter()
                    .map(|step| match step {
                        InitStep::Field(field) => format!(".{field}"),
                        InitStep::Element(index) => format!("[{index}]"),
                    })
                    .collect();
                let value = match &item.value {
                    InitValue::Expr(value) => self.expr(value),
                    InitValue::String(units) => string_text(units),
                };
                if path.is_empty() {
                    value
                } else {
                    format!("{path} = {value}")
                }
            })
            .collect();
        match (init.zero, items.as_slice()) {
            (false, [only]) if init.items.iter().all(|item| item.path.is_empty()) => only.clone(),
            (zero, items) => format!("{}{{ {} }}", if zero { "zero " } else { "" }, items.join(", ")),
        }
    }
}

fn binary_text(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
    }
}

/// A string's characters, all of them, escaped where they are not plain.
fn string_text(units: &[u32]) -> String {
    let mut text = String::from("\"");
    for &unit in units {
        match char::from_u32(unit) {
            Some(character @ (' '..='!' | '#'..='[' | ']'..='~')) => text.push(character),
            _ => {
                let _ = write!(text, "\\{unit}.");
            }
        }
    }
    text.push('"');
    text
}
