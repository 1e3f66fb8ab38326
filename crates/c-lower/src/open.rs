//! Open programs: every function may be called by unknown code, in a state of memory that unknown code has made.
//!
//! Decisions that hold for open programs, beside those of the crate:
//! - Each function is lowered once; its *entry* is a procedure of its own with the same parameters that sets the scene and
//!   calls it, so that an assertion has one identity whoever calls.
//! - Memory is split by types (`lariat_c_regions::analyze_open`). What the environment has left in a region is a constant of
//!   the program, to which the region's map is set when an entry starts.
//! - An address that the environment knows is null, or that of an object below everything that the program allocates itself, its
//!   variables included. This is assumed where such a value comes in: of parameters, of globals at the start, of results of unknown
//!   functions, and at each load of the element that was there at the start.
//! - An unknown function returns anything, writes a scalar that it is given a pointer to, and nothing else: not through
//!   `char *` and `void *`, and not into records. (Whether it is given a pointer to `const` is not known here.)
//! - Nothing is assumed behind an assertion: whoever analyses the program decides.

mod allocation;
mod callees;
mod constants;
mod entry;
mod external;
mod null_tests;

use std::sync::Arc;

use lariat_base::{Diagnostic, Diagnostics, Span};
use lariat_c_arith::Value;
use lariat_c_program::{CompareOp, Expr, ExprKind, Scalar};
use lariat_c_regions::RegionId;
use lariat_ir::{AssertInfo, AssertKind, Origin, StmtId, StmtKind, Unknown};
use lariat_term::{TermId, VarId};

pub use self::callees::converted_functions;
pub use self::constants::constant_globals;
pub use self::null_tests::NullSide;
use crate::checks::FIRST_PAGE;
use crate::function::FunctionLowering;
use crate::lowering::Lowering;
use crate::options::Check;

/// Objects of the environment are smaller: a member at an offset is not where the program's own memory starts.
const LARGEST_OBJECT: u32 = 1 << 20;

impl Lowering<'_> {
    pub fn is_open(&self) -> bool {
        self.options.open.is_some()
    }

    /// The variables of the globals that the user calls monitors.
    pub fn find_monitors(&mut self) -> Result<(), Diagnostics> {
        let Some(open) = &self.options.open else {
            return Ok(());
        };
        let mut diagnostics = Diagnostics::new();
        for name in &open.typestate {
            match self.global_leaves(name) {
                Ok(vars) => self.open.typestate.extend(vars),
                Err(diagnostic) => diagnostics.push(diagnostic),
            }
        }
        match diagnostics.has_errors() {
            true => Err(diagnostics),
            false => Ok(()),
        }
    }

    fn global_leaves(&self, name: &str) -> Result<Vec<VarId>, Diagnostic> {
        let mut named = self.c.globals.iter().filter(|(_, global)| &*global.name == name);
        let Some((id, global)) = named.next() else {
            return Err(Diagnostic::global_error(
                "no-such-monitor",
                format!("there is no global variable `{name}` to be a monitor"),
            )
            .hint("give the name of a global variable of the program"));
        };
        match self.storage.split_globals.get(&id) {
            Some(split) => Ok(split.vars.clone()),
            None => Err(Diagnostic::error(
                "monitor-in-memory",
                global.span,
                format!("`{name}` cannot be a monitor: it is an array, or its address is taken"),
            )
            .hint("a monitor is a global variable of a number or pointer type that is accessed by its name only")),
        }
    }
}

impl FunctionLowering<'_, '_> {
    pub fn is_open(&self) -> bool {
        self.cx.is_open()
    }

    /// A variable for a value that the environment chooses: those who see only its name can find out its type.
    pub fn environment_value(&mut self, text: &str, scalar: Scalar) -> VarId {
        match self.is_open() {
            true => {
                let sort = self.cx.arith.sort(&mut self.cx.ir.pool, scalar);
                self.declare(text, sort)
            }
            false => self.scalar_temporary(scalar),
        }
    }

    /// A function that only a pointer is known of, by the last name in the pointer's text.
    pub fn callee_name(&self, pointer: &Expr) -> String {
        if !self.is_open() {
            return "a function pointer".to_owned();
        }
        let text = self.cx.sources.snippet(pointer.span);
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let mut names = text.split(|c| !is_word(c)).filter(|name| !name.is_empty());
        let is_name = |name: &&str| !name.starts_with(|c: char| c.is_ascii_digit());
        names.rfind(is_name).unwrap_or("callback").to_owned()
    }

    /// The environment chooses this value. What a model asks for is a choice of the library that the model knows all of.
    pub fn note_unknown(&mut self, stmt: StmtId, var: VarId, callee: Option<&str>, text: String, span: Span) {
        if !self.is_open() || self.is_model() {
            return;
        }
        self.cx.open.unknowns.push(Unknown {
            stmt,
            var,
            callee: callee.map(Arc::from),
            text: text.into(),
            span: Some(span),
        });
    }

    /// An address of the environment is no address of what the program has made itself.
    pub fn assume_unknown_pointer(&mut self, term: TermId, span: Span) {
        let condition = match self.is_open() {
            true => self.is_unknown_pointer(term),
            // Unknown code gives null or an address, and no object is in the first page: what a null check finds is null.
            false if self.cx.options.checks(Check::Null) => self.is_null_or_address(term),
            false => return,
        };
        self.assume(condition, span);
    }

    fn is_null_or_address(&mut self, term: TermId) -> TermId {
        let pool = &mut self.cx.ir.pool;
        let arith = &self.cx.arith;
        let pointer = arith.value(term, Scalar::Pointer);
        let zero = arith.int(pool, Scalar::Pointer, &0.into());
        let first = arith.int(pool, Scalar::Pointer, &FIRST_PAGE.into());
        let is_null = pool.eq(term, zero.term);
        let above = arith.compare(pool, CompareOp::Ge, Scalar::Pointer, &pointer, &first);
        pool.or(&[is_null, above])
    }

    fn is_unknown_pointer(&mut self, term: TermId) -> TermId {
        let is_null_or_address = self.is_null_or_address(term);
        let end = &self.cx.storage.first_dynamic - LARGEST_OBJECT;
        let pool = &mut self.cx.ir.pool;
        let arith = &self.cx.arith;
        let pointer = arith.value(term, Scalar::Pointer);
        let end = arith.int(pool, Scalar::Pointer, &end);
        let below = arith.compare(pool, CompareOp::Lt, Scalar::Pointer, &pointer, &end);
        pool.and(&[is_null_or_address, below])
    }

    /// What was there at the start is an address of the environment.
    pub fn assume_initial_pointer(&mut self, region: RegionId, address: &Value, span: Span) {
        if self.cx.regions.regions()[region].element != Scalar::Pointer {
            return;
        }
        let Some(initial) = self.cx.storage.maps.initial[region] else {
            return;
        };
        let pool = &mut self.cx.ir.pool;
        let initial = pool.var(initial);
        let term = pool.select(initial, &[address.term]);
        self.assume_unknown_pointer(term, span);
    }

    /// The address that a pointer holds, and the pointer that it was made from by adding offsets, if that can be null.
    pub fn pointer(&mut self, expr: &Expr) -> (Value, Option<TermId>) {
        stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, || self.pointer_inner(expr))
    }

    fn pointer_inner(&mut self, expr: &Expr) -> (Value, Option<TermId>) {
        let types = &self.cx.c.types;
        match &expr.kind {
            _ if !self.is_open() => {
                let value = self.expr(expr);
                (value, None)
            }
            ExprKind::Convert(operand) if types.scalar(operand.ty) == Some(Scalar::Pointer) => {
                self.pointer(operand)
            }
            ExprKind::PointerAdd {
                pointer,
                index,
                subtract,
                element,
            } => {
                let scalar = self.scalar(index.ty);
                let (mut address, mut base) = self.pointer(pointer);
                if self.cx.purity.has_effect(index) {
                    address = self.pin(address, pointer.span);
                    base = base.map(|base| self.pin_term(base, pointer.span));
                }
                let index = self.expr(index);
                (
                    self.move_pointer(&address, &index, scalar, element, *subtract),
                    base,
                )
            }
            ExprKind::AddressOf(place) => {
                let located = self.place_for_address(place);
                let address = self.address_of(&located, expr.span);
                (address, located.base)
            }
            _ => {
                let value = self.expr(expr);
                let term = value.term;
                (value, Some(term))
            }
        }
    }

    /// The pointer that an access goes through must not be null. Where nobody asks, the program ends if it is.
    pub fn check_base(&mut self, base: Option<TermId>, span: Span) {
        let Some(base) = base else { return };
        let zero = self.zero(Scalar::Pointer);
        let pool = &mut self.cx.ir.pool;
        let is_null = pool.eq(base, zero.term);
        let condition = pool.not(is_null);
        match self.cx.options.checks(Check::Null) || !self.is_open() {
            true => self.check(Check::Null, condition, span, None),
            false => self.assume(condition, span),
        }
        self.dereference_events(base, span);
    }

    /// A pointer that is moved does not become null: it stays in its object, which is taken for granted where bounds are not checked.
    pub fn stays_in_its_object(&mut self, pointer: &Value, moved: &Value, span: Span) {
        if !self.is_open() || self.cx.options.checks(Check::Bounds) {
            return;
        }
        let zero = self.zero(Scalar::Pointer);
        let pool = &mut self.cx.ir.pool;
        let was_null = pool.eq(pointer.term, zero.term);
        let is_null = pool.eq(moved.term, zero.term);
        let stays = pool.not(is_null);
        let condition = pool.or(&[was_null, stays]);
        self.assume(condition, span);
    }

    /// `__lariat_angelic(e)`: whatever is assumed of the environment, an execution must come here with `e`.
    pub fn angelic(&mut self, condition: &Expr, span: Span) {
        if !self.is_open() {
            return self.discard(condition);
        }
        let wanted = self.condition(condition);
        let condition = self.cx.ir.pool.not(wanted);
        let assert = self.cx.ir.asserts.push(AssertInfo {
            kind: AssertKind::Assert,
            span: Some(span),
            condition_span: None,
            id: None,
            message: Some("this must remain possible".into()),
        });
        self.push(StmtKind::Assert { condition, assert }, span, Origin::Source);
        self.cx.open.angelic.push(assert);
    }
}
