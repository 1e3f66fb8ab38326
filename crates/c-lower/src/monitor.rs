//! Typestate rules: assertions and assignments of monitors at calls, dereferences and ends of entries.
//!
//! The monitor of a rule about objects is a map from addresses to states, that of any other rule a number. What the
//! environment has left in a map is a constant; where the rule says something of it, that is assumed of each object that
//! an event is about. Null is no object: an assertion about it holds.

use lariat_base::Span;
use lariat_c_arith::Value;
use lariat_c_program::{CompareOp, Expr, FunctionId, Scalar};
use lariat_ir::{AssertInfo, AssertKind, Origin, StmtKind};
use lariat_specs::rules::{Comparison, Condition, Effect, Event, Object, ResultIs, Rule, RuleKind, Trigger};
use lariat_term::{TermId, VarId};
use num_bigint::BigInt;

use crate::call::Argument;
use crate::function::FunctionLowering;
use crate::lowering::Lowering;
use crate::names::MonitorName;

const STATE: Scalar = Scalar::Int {
    bits: 32,
    signed: true,
};

/// The variable of a rule.
#[derive(Clone, Debug)]
pub struct Monitor {
    pub rule: Rule,
    var: VarId,
    /// What the environment has left in it: of a rule about objects whose state it may choose.
    initial: Option<VarId>,
}

/// An event at a call: which monitor, and which of its events.
#[derive(Clone, Copy, Debug)]
pub struct Fired {
    monitor: usize,
    event: usize,
}

/// A state that the call stores where an argument points to.
#[derive(Clone, Debug)]
pub struct Kept {
    argument: usize,
    state: Value,
}

impl Lowering<'_> {
    pub fn declare_monitors(&mut self) {
        let Some(open) = &self.options.open else { return };
        for rule in open.rules.clone() {
            let state = self.arith.sort(&mut self.ir.pool, STATE);
            let pointer = self.arith.sort(&mut self.ir.pool, Scalar::Pointer);
            let sort = match rule.kind {
                RuleKind::Object => self.ir.pool.array_sort(&[pointer], state),
                RuleKind::Global => state,
            };
            let name = MonitorName {
                rule: rule.name.replace('-', "_"),
                states: rule.states.clone(),
            };
            let var = self.ir.pool.declare_var(name.rule.as_str(), sort);
            self.ir.globals.push(var);
            self.open.typestate.push(var);
            let is_chosen = rule.kind == RuleKind::Object && rule.incoming != Some(rule.fresh);
            let initial = is_chosen.then(|| {
                let initial = format!("initial.{}", name.rule);
                let initial = self.ir.pool.declare_var(initial.as_str(), sort);
                self.ir.constants.push(initial);
                self.open.typestate.push(initial);
                self.names.monitors.insert(initial, name.clone());
                initial
            });
            self.names.monitors.insert(var, name);
            self.monitors.push(Monitor { rule, var, initial });
        }
    }
}

impl FunctionLowering<'_, '_> {
    /// Events of a call of this function. Calls in models are no events: those of the model itself are.
    pub fn events_of(&self, function: FunctionId) -> Vec<Fired> {
        if self.cx.monitors.is_empty() || self.is_model() {
            return Vec::new();
        }
        let name = &self.cx.c.functions[function].name;
        let mut fired = Vec::new();
        for (monitor, data) in self.cx.monitors.iter().enumerate() {
            for (event, found) in data.rule.events.iter().enumerate() {
                if found.is_call_of(name) {
                    fired.push(Fired { monitor, event });
                }
            }
        }
        fired
    }

    /// The arguments, evaluated once for the events and for the call.
    pub fn hold_arguments<'e>(&mut self, args: &'e [Expr]) -> Vec<Argument<'e>> {
        let mut held = Vec::new();
        for arg in args {
            let values = match self.cx.c.types.scalar(arg.ty) {
                Some(_) => {
                    let value = self.expr(arg);
                    let value = self.pin(value, arg.span);
                    self.held.insert(arg.id, value.clone());
                    vec![value]
                }
                None => Vec::new(),
            };
            held.push(Argument { expr: arg, values });
        }
        held
    }

    pub fn release_arguments(&mut self, args: &[Expr]) {
        for arg in args {
            self.held.remove(&arg.id);
        }
    }

    /// What must hold before the call, and the states that are to be stored afterwards.
    pub fn before_call(&mut self, fired: &[Fired], args: &[Argument<'_>], span: Span) -> Vec<Kept> {
        let mut kept = Vec::new();
        for &fired in fired {
            let (monitor, event) = self.event(fired);
            let object = match event.object {
                Some(Object::Argument(index)) => self.object(args, index),
                Some(Object::Result) => continue,
                None => None,
            };
            if object.is_none() && monitor.rule.kind == RuleKind::Object {
                continue;
            }
            self.require(&monitor, &event, object, object.is_some(), span);
            if let Some(argument) = event.keep_old.filter(|&index| index < args.len()) {
                let state = self.state(&monitor, object);
                let state = self.pin(state, span);
                kept.push(Kept { argument, state });
            }
        }
        kept
    }

    /// The states after the call.
    pub fn after_call(
        &mut self,
        fired: &[Fired],
        kept: Vec<Kept>,
        args: &[Argument<'_>],
        result: &[Value],
        expr: &Expr,
    ) {
        for kept in kept {
            self.store_kept(&kept, &args[kept.argument], expr.span);
        }
        for &fired in fired {
            let (monitor, event) = self.event(fired);
            let object = match event.object {
                Some(Object::Argument(index)) => self.object(args, index),
                Some(Object::Result) => result.first().map(|value| {
                    let scalar = self.scalar(expr.ty);
                    self.as_address(scalar, value)
                }),
                None => None,
            };
            if object.is_none() && monitor.rule.kind == RuleKind::Object {
                continue;
            }
            if let (Some(object), Some(Object::Result)) = (object, event.object) {
                self.assume_state(&monitor, object, expr.span);
                let is_checked = !event.require.is_empty() || !event.forbid.is_empty();
                if is_checked {
                    self.require(&monitor, &event, Some(object), true, expr.span);
                }
            }
            let happens = match &event.when {
                Some(when) => self.result_is(when, result.first(), expr),
                None => self.cx.ir.pool.bool(true),
            };
            self.take_effect(&monitor, &event, object, args, (happens, expr.span));
        }
    }

    /// An access through a pointer.
    pub fn dereference_events(&mut self, base: TermId, span: Span) {
        for fired in self.events_on(&Trigger::Dereference) {
            let (monitor, event) = self.event(fired);
            self.require(&monitor, &event, Some(base), false, span);
        }
    }

    /// The environment gets control back. Of objects: whichever of them was left in another state than it had.
    pub fn exit_events(&mut self, span: Span) {
        for fired in self.events_on(&Trigger::Exit) {
            let (monitor, event) = self.event(fired);
            if monitor.rule.kind == RuleKind::Global {
                self.require(&monitor, &event, None, false, span);
                continue;
            }
            let object = self.any_scalar(Scalar::Pointer, span).term;
            self.assume_state(&monitor, object, span);
            let state = self.state(&monitor, Some(object));
            let before = self.incoming(&monitor, object);
            let holds = self.holds(&event, &state);
            let pool = &mut self.cx.ir.pool;
            let unchanged = pool.eq(state.term, before);
            let condition = pool.or(&[unchanged, holds]);
            self.assert_rule(&monitor, &event, condition, span);
        }
    }

    /// The monitors as they are when an entry starts.
    pub fn start_monitors(&mut self, span: Span) {
        for monitor in self.cx.monitors.clone() {
            let known = monitor.rule.incoming.map(|state| self.state_literal(state));
            let pool = &mut self.cx.ir.pool;
            match (monitor.rule.kind, monitor.initial, known) {
                (RuleKind::Object, Some(initial), _) => {
                    let initial = pool.var(initial);
                    self.set_silently(monitor.var, initial, span);
                }
                (RuleKind::Object, None, Some(state)) => {
                    let sort = pool.var_sort(monitor.var);
                    let map = pool.const_array(sort, state.term);
                    self.set_silently(monitor.var, map, span);
                }
                (RuleKind::Global, _, Some(state)) => self.set_silently(monitor.var, state.term, span),
                (RuleKind::Global, _, None) => {
                    let state = pool.var(monitor.var);
                    let condition = self.is_state(&monitor.rule, state);
                    self.assume(condition, span);
                }
                (RuleKind::Object, None, None) => {}
            }
        }
    }

    fn event(&self, fired: Fired) -> (Monitor, Event) {
        let monitor = self.cx.monitors[fired.monitor].clone();
        let event = monitor.rule.events[fired.event].clone();
        (monitor, event)
    }

    fn events_on(&self, trigger: &Trigger) -> Vec<Fired> {
        let mut fired = Vec::new();
        for (monitor, data) in self.cx.monitors.iter().enumerate() {
            for (event, found) in data.rule.events.iter().enumerate() {
                if found.trigger == *trigger {
                    fired.push(Fired { monitor, event });
                }
            }
        }
        fired
    }

    fn object(&mut self, args: &[Argument<'_>], index: usize) -> Option<TermId> {
        let argument = args.get(index)?;
        let value = argument.values.first()?.clone();
        let scalar = self.cx.c.types.scalar(argument.expr.ty)?;
        Some(self.as_address(scalar, &value))
    }

    /// File descriptors and the like are objects too.
    fn as_address(&mut self, scalar: Scalar, value: &Value) -> TermId {
        let pool = &mut self.cx.ir.pool;
        self.cx.arith.convert(pool, scalar, Scalar::Pointer, value).term
    }

    fn state_literal(&mut self, state: i64) -> Value {
        let pool = &mut self.cx.ir.pool;
        self.cx.arith.int(pool, STATE, &BigInt::from(state))
    }

    fn state(&mut self, monitor: &Monitor, object: Option<TermId>) -> Value {
        let pool = &mut self.cx.ir.pool;
        let state = pool.var(monitor.var);
        let term = match object {
            Some(object) => pool.select(state, &[object]),
            None => state,
        };
        self.cx.arith.value(term, STATE)
    }

    /// The state of an object when the entry started.
    fn incoming(&mut self, monitor: &Monitor, object: TermId) -> TermId {
        match (monitor.initial, monitor.rule.incoming) {
            (Some(initial), _) => {
                let pool = &mut self.cx.ir.pool;
                let initial = pool.var(initial);
                pool.select(initial, &[object])
            }
            (None, state) => self.state_literal(state.unwrap_or(monitor.rule.fresh)).term,
        }
    }

    /// One of the rule's states.
    fn is_state(&mut self, rule: &Rule, state: TermId) -> TermId {
        let known: Vec<TermId> = (0..rule.states.len() as i64)
            .map(|number| {
                let literal = self.state_literal(number);
                self.cx.ir.pool.eq(state, literal.term)
            })
            .collect();
        match known.is_empty() {
            true => self.cx.ir.pool.bool(true),
            false => self.cx.ir.pool.or(&known),
        }
    }

    /// What the rule says of an object that no event was about before.
    fn assume_state(&mut self, monitor: &Monitor, object: TermId, span: Span) {
        if monitor.initial.is_none() {
            return;
        }
        let initial = self.incoming(monitor, object);
        let first = self.cx.storage.first_dynamic.clone();
        let first = self.address(&first);
        let fresh = self.state_literal(monitor.rule.fresh);
        let incoming = monitor.rule.incoming.map(|state| self.state_literal(state));
        let is_state = self.is_state(&monitor.rule, initial);
        let pool = &mut self.cx.ir.pool;
        let address = self.cx.arith.value(object, Scalar::Pointer);
        let is_fresh = self
            .cx
            .arith
            .compare(pool, CompareOp::Ge, Scalar::Pointer, &address, &first);
        let is_initial = pool.eq(initial, fresh.term);
        let of_fresh = pool.implies(is_fresh, is_initial);
        let of_others = match incoming {
            Some(incoming) => {
                let is_incoming = pool.eq(initial, incoming.term);
                pool.or(&[is_fresh, is_incoming])
            }
            None => is_state,
        };
        self.assume(of_fresh, span);
        self.assume(of_others, span);
    }

    fn holds(&mut self, event: &Event, state: &Value) -> TermId {
        let required: Vec<TermId> = event
            .require
            .iter()
            .map(|condition| self.compare_state(condition, state))
            .collect();
        let mut parts: Vec<TermId> = Vec::new();
        if !required.is_empty() {
            parts.push(self.cx.ir.pool.or(&required));
        }
        for condition in &event.forbid {
            let holds = self.compare_state(condition, state);
            parts.push(self.cx.ir.pool.not(holds));
        }
        self.cx.ir.pool.and(&parts)
    }

    fn compare_state(&mut self, condition: &Condition, state: &Value) -> TermId {
        let op = compare_op(condition.comparison);
        let wanted = self.state_literal(condition.state);
        let pool = &mut self.cx.ir.pool;
        self.cx.arith.compare(pool, op, STATE, state, &wanted)
    }

    fn require(
        &mut self,
        monitor: &Monitor,
        event: &Event,
        object: Option<TermId>,
        may_be_null: bool,
        span: Span,
    ) {
        if let Some(object) = object {
            self.assume_state(monitor, object, span);
        }
        let state = self.state(monitor, object);
        let mut condition = self.holds(event, &state);
        if let Some(object) = object.filter(|_| may_be_null && monitor.rule.ignores_null) {
            let zero = self.zero(Scalar::Pointer);
            let pool = &mut self.cx.ir.pool;
            let is_null = pool.eq(object, zero.term);
            condition = pool.or(&[is_null, condition]);
        }
        self.assert_rule(monitor, event, condition, span);
    }

    fn assert_rule(&mut self, monitor: &Monitor, event: &Event, condition: TermId, span: Span) {
        if self.cx.ir.pool.as_bool(condition) == Some(true) {
            return;
        }
        let rule = &monitor.rule.name;
        let assert = self.cx.ir.asserts.push(AssertInfo {
            // In open programs the checks of freed memory are rules of the same name.
            kind: match rule.parse() {
                Ok(check) => AssertKind::Check(check),
                Err(_) => AssertKind::Rule(rule.as_str().into()),
            },
            span: Some(span),
            condition_span: None,
            id: None,
            message: Some(event.message.as_str().into()),
        });
        self.push(StmtKind::Assert { condition, assert }, span, Origin::Source);
    }

    /// What a call without a result returned is nothing.
    fn result_is(&mut self, when: &ResultIs, result: Option<&Value>, call: &Expr) -> TermId {
        let Some(result) = result else {
            return self.cx.ir.pool.bool(false);
        };
        let scalar = self.scalar(call.ty);
        let number = self.state_literal(when.number);
        let pool = &mut self.cx.ir.pool;
        let number = self.cx.arith.convert(pool, STATE, scalar, &number);
        let op = compare_op(when.comparison);
        self.cx.arith.compare(pool, op, scalar, result, &number)
    }

    fn take_effect(
        &mut self,
        monitor: &Monitor,
        event: &Event,
        object: Option<TermId>,
        args: &[Argument<'_>],
        (happens, span): (TermId, Span),
    ) {
        let old = self.state(monitor, object);
        let new = match event.effect {
            Effect::Keep => return,
            Effect::Set(state) => self.state_literal(state).term,
            Effect::Add(by) => {
                let by = self.state_literal(by);
                let pool = &mut self.cx.ir.pool;
                let op = lariat_c_program::BinaryOp::Add;
                self.cx.arith.binary(pool, op, STATE, &old, &by, STATE).term
            }
            Effect::SetArgument(index) => {
                let Some(argument) = args.get(index) else { return };
                let (Some(value), Some(scalar)) =
                    (argument.values.first(), self.cx.c.types.scalar(argument.expr.ty))
                else {
                    return;
                };
                let pool = &mut self.cx.ir.pool;
                self.cx.arith.convert(pool, scalar, STATE, value).term
            }
        };
        let new = self.cx.ir.pool.ite(happens, new, old.term);
        let new = match object {
            Some(object) => {
                let pool = &mut self.cx.ir.pool;
                let map = pool.var(monitor.var);
                pool.store(map, &[object], new)
            }
            None => new,
        };
        self.set_silently(monitor.var, new, span);
    }

    fn store_kept(&mut self, kept: &Kept, argument: &Argument<'_>, span: Span) {
        let types = &self.cx.c.types;
        let (Some(address), Some(pointee)) = (argument.values.first(), types.pointee(argument.expr.ty))
        else {
            return;
        };
        let Some(scalar) = types.scalar(pointee) else {
            return;
        };
        let bytes = types.size(pointee).unwrap_or(1);
        let address = address.clone();
        let value = self
            .cx
            .arith
            .convert(&mut self.cx.ir.pool, STATE, scalar, &kept.state);
        let cell = self.cx.regions.target(argument.expr.id);
        self.store(&address, cell, scalar, bytes, None, &value, span, None);
    }
}

fn compare_op(comparison: Comparison) -> CompareOp {
    match comparison {
        Comparison::Eq => CompareOp::Eq,
        Comparison::Ne => CompareOp::Ne,
        Comparison::Lt => CompareOp::Lt,
        Comparison::Le => CompareOp::Le,
        Comparison::Gt => CompareOp::Gt,
        Comparison::Ge => CompareOp::Ge,
    }
}
