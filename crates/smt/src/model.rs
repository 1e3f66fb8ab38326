//! Models and the values in them.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use lariat_term::{DatatypeId, FunId, MapValue, Op, RoundingMode, Sort, SortId, TermPool, TheoryId, Value};
use num_bigint::BigInt;
use num_rational::BigRational;
use rustc_hash::{FxHashMap, FxHashSet};
use z3_sys::*;

use crate::context::{Ast, Context, ContextLife, Result, SolverError, TheoryDecl, text};

/// How much of a term is looked at to find the points at which a map is worth reading.
const MOST_SAMPLED_TERMS: usize = 2_000;
const MOST_SAMPLED_NUMBERS: usize = 64;

/// A model; elements of uninterpreted sorts are numbered by it.
pub struct Model {
    raw: Z3_model,
    context: Z3_context,
    _life: Rc<ContextLife>,
    elements: RefCell<Elements>,
}

#[derive(Default)]
struct Elements {
    index_of: FxHashMap<Z3_ast, u64>,
    asts: Vec<Z3_ast>,
}

fn unreadable(what: impl Into<String>) -> SolverError {
    SolverError(what.into())
}

#[allow(unsafe_code)]
impl Model {
    pub(crate) fn new(context: &Context, raw: Z3_model) -> Self {
        // SAFETY: the model was just returned for this context.
        unsafe { Z3_model_inc_ref(context.raw, raw) };
        Model {
            raw,
            context: context.raw,
            _life: context.life.clone(),
            elements: RefCell::default(),
        }
    }

    /// The value of a term; what the model leaves open is completed.
    fn eval(&self, term: Z3_ast) -> Result<Z3_ast> {
        let mut value = term;
        // SAFETY: model and term are of one context. The result is kept alive by the model's own
        // evaluation cache only until the next call, so callers read it at once or count it.
        let done = unsafe { Z3_model_eval(self.context, self.raw, term, true, &mut value) };
        if done {
            Ok(value)
        } else {
            Err(unreadable("the model cannot evaluate a term"))
        }
    }

    /// Whether the model makes a Boolean term true.
    pub fn is_true(&self, context: &Context, term: Ast) -> Result<bool> {
        let value = self.eval(context.raw(term))?;
        // SAFETY: the value is of this context.
        Ok(unsafe { Z3_get_bool_value(self.context, value) } == Z3_L_TRUE)
    }

    pub fn value(&self, context: &mut Context, pool: &TermPool, term: Ast, sort: SortId) -> Result<Value> {
        let value = self.eval(context.raw(term))?;
        let kept = context.keep(Some(value))?;
        self.read(context, pool, context.raw(kept), sort)
    }

    /// The value of an uninterpreted function at a point.
    pub fn apply(
        &self,
        context: &mut Context,
        pool: &TermPool,
        function: FunId,
        args: &[Value],
    ) -> Result<Value> {
        let decl = context.function(pool, function)?;
        let args = args
            .iter()
            .map(|arg| self.write(context, pool, arg))
            .collect::<Result<Vec<_>>>()?;
        // SAFETY: declaration and arguments are of this context.
        let term = unsafe { Z3_mk_app(self.context, decl, args.len() as u32, args.as_ptr()) };
        let term = context.keep(term)?;
        self.value(context, pool, term, pool.function(function).result)
    }

    /// The value of an operator that only Z3 knows.
    pub fn theory(
        &self,
        context: &mut Context,
        pool: &TermPool,
        op: TheoryId,
        args: &[Value],
    ) -> Result<Value> {
        let args = args
            .iter()
            .map(|arg| self.write(context, pool, arg))
            .collect::<Result<Vec<_>>>()?;
        // What is replayed may need an operator that nothing the solver was asked contains.
        let entry = context.theory_entry(pool, op)?;
        // SAFETY: declaration and arguments are of this context.
        let term = unsafe {
            match entry.decl {
                TheoryDecl::Decl(decl) => Z3_mk_app(self.context, decl, args.len() as u32, args.as_ptr()),
                TheoryDecl::Pattern { term } => Z3_substitute(
                    self.context,
                    term,
                    args.len() as u32,
                    entry.holders.as_ptr(),
                    args.as_ptr(),
                ),
            }
        };
        let term = context.keep(term)?;
        self.value(context, pool, term, pool.theory_op(op).result)
    }

    /// The value of an operator where SMT-LIB leaves it open, such as a division by zero.
    pub fn partial(&self, context: &mut Context, pool: &TermPool, op: Op, args: &[Value]) -> Result<Value> {
        let sort = match op {
            Op::IntDiv | Op::Mod => pool.find_sort(&Sort::Int),
            Op::RealDiv => pool.find_sort(&Sort::Real),
            Op::Field {
                datatype,
                constructor,
                field,
            } => Some(pool.datatype(datatype).constructors[constructor as usize].fields[field as usize].sort),
            _ => None,
        };
        let sort = sort.ok_or_else(|| SolverError("the operator has no defined value here".into()))?;
        let args = args
            .iter()
            .map(|arg| self.write(context, pool, arg))
            .collect::<Result<Vec<_>>>()?;
        let term = context.build(pool, op, &args, sort)?;
        self.value(context, pool, term, sort)
    }

    /// The term that denotes a value in this model.
    pub fn ast_of(&self, context: &mut Context, pool: &TermPool, value: &Value) -> Result<Ast> {
        let raw = self.write(context, pool, value)?;
        context.keep(Some(raw))
    }

    fn write(&self, context: &mut Context, pool: &TermPool, value: &Value) -> Result<Z3_ast> {
        match value {
            Value::Element { index, .. } => {
                let known = self.elements.borrow().asts.get(*index as usize).copied();
                known.ok_or_else(|| unreadable("an element that the model does not have"))
            }
            Value::Map(map) => {
                let default = self.write(context, pool, &map.default)?;
                let array = context.const_array(pool, map.sort, default)?;
                let mut array = context.raw(array);
                for (indices, entry) in map.entries() {
                    let indices = indices
                        .iter()
                        .map(|index| self.write(context, pool, index))
                        .collect::<Result<Vec<_>>>()?;
                    let entry = self.write(context, pool, entry)?;
                    // SAFETY: all terms are of this context.
                    let store = unsafe {
                        Z3_mk_store_n(self.context, array, indices.len() as u32, indices.as_ptr(), entry)
                    };
                    let kept = context.keep(store)?;
                    array = context.raw(kept);
                }
                Ok(array)
            }
            Value::Datatype {
                datatype,
                constructor,
                fields,
            } => {
                let fields = fields
                    .iter()
                    .map(|field| self.write(context, pool, field))
                    .collect::<Result<Vec<_>>>()?;
                let sort = pool
                    .find_sort(&Sort::Datatype(*datatype))
                    .ok_or_else(|| unreadable("an unknown datatype"))?;
                context.sort(pool, sort)?;
                let decl = context.datatypes[datatype][*constructor as usize].constructor;
                // SAFETY: declaration and arguments are of this context.
                let term = unsafe { Z3_mk_app(self.context, decl, fields.len() as u32, fields.as_ptr()) };
                let kept = context.keep(term)?;
                Ok(context.raw(kept))
            }
            literal => {
                let ast = context.literal(literal)?;
                Ok(context.raw(ast))
            }
        }
    }

    fn read(&self, context: &mut Context, pool: &TermPool, value: Z3_ast, sort: SortId) -> Result<Value> {
        Ok(match pool.sort(sort) {
            // SAFETY: the value is of this context.
            Sort::Bool => match unsafe { Z3_get_bool_value(self.context, value) } {
                Z3_L_TRUE => Value::Bool(true),
                Z3_L_FALSE => Value::Bool(false),
                _ => return Err(unreadable("a Boolean that the model leaves open")),
            },
            Sort::Int => Value::Int(self.number(value)?.to_integer()),
            Sort::Real => Value::Real(self.number(value)?),
            Sort::Bv(width) => Value::Bv {
                value: self.number(value)?.to_integer(),
                width: *width,
            },
            Sort::Float {
                significand,
                exponent,
            } => {
                // SAFETY: a term of floating-point sort of this context.
                let (is_nan, bits) = unsafe {
                    let is_nan = Z3_fpa_is_numeral_nan(self.context, value);
                    (is_nan, Z3_mk_fpa_to_ieee_bv(self.context, value))
                };
                let bits = if is_nan {
                    // The standard leaves the bits of a NaN open, and Z3 makes them those of zero.
                    ((BigInt::from(1) << (exponent + 1)) - 1) << significand.saturating_sub(2)
                } else {
                    let bits = context.keep(bits)?;
                    let bits = self.eval(context.raw(bits))?;
                    self.number(bits)?.to_integer()
                };
                Value::Float {
                    bits,
                    significand: *significand,
                    exponent: *exponent,
                }
            }
            Sort::RoundingMode => Value::RoundingMode(match self.head_name(value)?.as_str() {
                "roundNearestTiesToEven" => RoundingMode::NearestEven,
                "roundNearestTiesToAway" => RoundingMode::NearestAway,
                "roundTowardPositive" => RoundingMode::TowardPositive,
                "roundTowardNegative" => RoundingMode::TowardNegative,
                "roundTowardZero" => RoundingMode::TowardZero,
                other => return Err(unreadable(format!("an unknown rounding mode {other}"))),
            }),
            Sort::String => self.string(value)?,
            Sort::RegLan => return Err(unreadable("a regular expression has no value")),
            Sort::Array { indices, element } => {
                let (indices, element) = (indices.clone(), *element);
                self.map(context, pool, value, sort, &indices, element)?
            }
            Sort::Datatype(datatype) => self.datatype(context, pool, value, *datatype)?,
            Sort::Uninterpreted(_) => {
                let mut elements = self.elements.borrow_mut();
                let next = elements.asts.len() as u64;
                let index = *elements.index_of.entry(value).or_insert(next);
                if index == next {
                    elements.asts.push(value);
                    context.keep(Some(value))?;
                }
                Value::Element { sort, index }
            }
        })
    }

    fn number(&self, value: Z3_ast) -> Result<BigRational> {
        // SAFETY: the kind is checked before the numeral is read; the text is copied at once.
        let digits = unsafe {
            if Z3_get_ast_kind(self.context, value) != AstKind::Numeral {
                return Err(unreadable("a number that the model leaves open"));
            }
            text(Z3_get_numeral_string(self.context, value))
        };
        let parse = |digits: &str| {
            digits
                .parse::<BigInt>()
                .map_err(|_| unreadable(format!("a strange number {digits}")))
        };
        match digits.split_once('/') {
            Some((numerator, denominator)) => Ok(BigRational::new(parse(numerator)?, parse(denominator)?)),
            None => Ok(BigRational::from_integer(parse(&digits)?)),
        }
    }

    fn string(&self, value: Z3_ast) -> Result<Value> {
        // SAFETY: it is checked that the value is a string literal; the buffer has its length.
        unsafe {
            if !Z3_is_string(self.context, value) {
                return Err(unreadable("a string that the model leaves open"));
            }
            let mut chars = vec![0u32; Z3_get_string_length(self.context, value) as usize];
            Z3_get_string_contents(self.context, value, chars.len() as u32, chars.as_mut_ptr());
            let text: String = chars
                .into_iter()
                .map(|c| char::from_u32(c).unwrap_or('\u{fffd}'))
                .collect();
            Ok(Value::String(text.into()))
        }
    }

    fn app(&self, value: Z3_ast) -> Result<(Z3_func_decl, Vec<Z3_ast>)> {
        // SAFETY: the kind is checked first; all objects are of this context.
        unsafe {
            if Z3_get_ast_kind(self.context, value) != AstKind::App {
                return Err(unreadable("a value of an unexpected form"));
            }
            let app = Z3_to_app(self.context, value).ok_or_else(|| unreadable("no application"))?;
            let decl = Z3_get_app_decl(self.context, app).ok_or_else(|| unreadable("no declaration"))?;
            let args = (0..Z3_get_app_num_args(self.context, app))
                .map(|index| {
                    Z3_get_app_arg(self.context, app, index).ok_or_else(|| unreadable("no argument"))
                })
                .collect::<Result<Vec<_>>>()?;
            Ok((decl, args))
        }
    }

    fn decl_name(&self, decl: Z3_func_decl) -> String {
        // SAFETY: symbols of built-in declarations are strings; the kind is checked.
        unsafe {
            match Z3_get_decl_name(self.context, decl) {
                Some(symbol) if Z3_get_symbol_kind(self.context, symbol) == SymbolKind::String => {
                    text(Z3_get_symbol_string(self.context, symbol))
                }
                _ => String::new(),
            }
        }
    }

    fn head_name(&self, value: Z3_ast) -> Result<String> {
        let (decl, _) = self.app(value)?;
        Ok(self.decl_name(decl))
    }

    fn map(
        &self,
        context: &mut Context,
        pool: &TermPool,
        value: Z3_ast,
        sort: SortId,
        indices: &[SortId],
        element: SortId,
    ) -> Result<Value> {
        // Stores wrap the map that they update; the outermost is the latest.
        let mut stores = Vec::new();
        let mut base = value;
        let mut map = loop {
            // SAFETY: the term is of this context.
            if unsafe { Z3_is_lambda(self.context, base) } {
                break self.sampled_map(context, pool, base, sort, indices, element)?;
            }
            let (decl, args) = self.app(base)?;
            match self.decl_name(decl).as_str() {
                "store" => {
                    stores.push(args[1..].to_vec());
                    base = args[0];
                }
                "const" => break MapValue::constant(sort, self.read(context, pool, args[0], element)?),
                "as-array" => {
                    // SAFETY: the term is an `as-array` of this context.
                    let function = unsafe { Z3_get_as_array_func_decl(self.context, base) }
                        .ok_or_else(|| unreadable("a map without its function"))?;
                    let read = self.function_map(context, pool, function, sort, indices, element);
                    match read {
                        Ok(map) => break map,
                        Err(_) => break self.sampled_map(context, pool, base, sort, indices, element)?,
                    }
                }
                other => return Err(unreadable(format!("a map of the form `{other}`"))),
            }
        };
        for store in stores.into_iter().rev() {
            let (entry, keys) = store
                .split_last()
                .ok_or_else(|| unreadable("a store without a value"))?;
            let keys = self.read_all(context, pool, keys, indices)?;
            let entry = self.read(context, pool, *entry, element)?;
            map.set(keys, entry);
        }
        Ok(Value::Map(Arc::new(map)))
    }

    /// A map that the model gives by a term over its index. It is read at the numbers that the term
    /// mentions and next to them, and beyond them; between them it may differ, which a replay notices.
    fn sampled_map(
        &self,
        context: &mut Context,
        pool: &TermPool,
        map: Z3_ast,
        sort: SortId,
        indices: &[SortId],
        element: SortId,
    ) -> Result<MapValue> {
        let &[index_sort] = indices else {
            return Err(unreadable("a map of several indices given by a term"));
        };
        let mut points: BTreeSet<BigInt> = BTreeSet::new();
        for number in self.numbers_in(map)? {
            points.extend([&number - 1, &number + 1, number]);
        }
        let beyond = points.last().map_or(BigInt::from(0), |last| last + 1);
        let mut read = |point: &BigInt| -> Result<(Value, Value)> {
            let key = match pool.sort(index_sort) {
                Sort::Int => Value::Int(point.clone()),
                &Sort::Bv(width) => Value::Bv {
                    value: point & ((BigInt::from(1) << width) - 1),
                    width,
                },
                _ => return Err(unreadable("a map given by a term")),
            };
            let index = self.write(context, pool, &key)?;
            // SAFETY: map and index are of this context.
            let selected = unsafe { Z3_mk_select(self.context, map, index) };
            let selected = context.keep(selected)?;
            Ok((key, self.value(context, pool, selected, element)?))
        };
        let mut result = MapValue::constant(sort, read(&beyond)?.1);
        for point in &points {
            let (key, value) = read(point)?;
            result.set(vec![key], value);
        }
        Ok(result)
    }

    /// Integers in a term and in the interpretations of the functions that it applies.
    fn numbers_in(&self, term: Z3_ast) -> Result<Vec<BigInt>> {
        let mut numbers = Vec::new();
        let mut seen: FxHashSet<Z3_ast> = FxHashSet::default();
        let mut waiting = vec![term];
        while let Some(term) = waiting.pop() {
            if !seen.insert(term) || seen.len() > MOST_SAMPLED_TERMS {
                continue;
            }
            // SAFETY: all terms are of this context and belong to the model, which outlives this.
            match unsafe { Z3_get_ast_kind(self.context, term) } {
                AstKind::Numeral => {
                    let number = self.number(term)?;
                    if number.is_integer() && numbers.len() < MOST_SAMPLED_NUMBERS {
                        numbers.push(number.to_integer());
                    }
                }
                AstKind::Quantifier => {
                    waiting.extend(unsafe { Z3_get_quantifier_body(self.context, term) });
                }
                AstKind::App => {
                    let (decl, args) = self.app(term)?;
                    waiting.extend(args);
                    waiting.extend(self.interpretation_terms(term, decl));
                }
                _ => {}
            }
        }
        Ok(numbers)
    }

    /// Everything that the interpretation of a function mentions.
    fn interpretation_terms(&self, term: Z3_ast, decl: Z3_func_decl) -> Vec<Z3_ast> {
        let mut terms = Vec::new();
        // SAFETY: all objects are of this context and belong to the model, which outlives this.
        unsafe {
            let decl = if Z3_is_as_array(self.context, term) {
                Z3_get_as_array_func_decl(self.context, term).unwrap_or(decl)
            } else {
                decl
            };
            let Some(interpretation) = Z3_model_get_func_interp(self.context, self.raw, decl) else {
                return terms;
            };
            Z3_func_interp_inc_ref(self.context, interpretation);
            terms.extend(Z3_func_interp_get_else(self.context, interpretation));
            for index in 0..Z3_func_interp_get_num_entries(self.context, interpretation) {
                if let Some(entry) = Z3_func_interp_get_entry(self.context, interpretation, index) {
                    Z3_func_entry_inc_ref(self.context, entry);
                    terms.extend(
                        (0..Z3_func_entry_get_num_args(self.context, entry))
                            .filter_map(|position| Z3_func_entry_get_arg(self.context, entry, position)),
                    );
                    terms.extend(Z3_func_entry_get_value(self.context, entry));
                    Z3_func_entry_dec_ref(self.context, entry);
                }
            }
            Z3_func_interp_dec_ref(self.context, interpretation);
        }
        terms
    }

    fn read_all(
        &self,
        context: &mut Context,
        pool: &TermPool,
        values: &[Z3_ast],
        sorts: &[SortId],
    ) -> Result<Vec<Value>> {
        values
            .iter()
            .zip(sorts)
            .map(|(&value, &sort)| self.read(context, pool, value, sort))
            .collect()
    }

    /// A map given by the interpretation of a function.
    fn function_map(
        &self,
        context: &mut Context,
        pool: &TermPool,
        function: Z3_func_decl,
        sort: SortId,
        indices: &[SortId],
        element: SortId,
    ) -> Result<MapValue> {
        // SAFETY: all objects are of this context and belong to the model, which outlives this.
        unsafe {
            let interpretation = Z3_model_get_func_interp(self.context, self.raw, function)
                .ok_or_else(|| unreadable("a map without an interpretation"))?;
            Z3_func_interp_inc_ref(self.context, interpretation);
            let otherwise = Z3_func_interp_get_else(self.context, interpretation)
                .ok_or_else(|| unreadable("a map without a default"))?;
            let mut map = MapValue::constant(sort, self.read(context, pool, otherwise, element)?);
            for index in 0..Z3_func_interp_get_num_entries(self.context, interpretation) {
                let entry = Z3_func_interp_get_entry(self.context, interpretation, index)
                    .ok_or_else(|| unreadable("no entry"))?;
                Z3_func_entry_inc_ref(self.context, entry);
                let keys = (0..Z3_func_entry_get_num_args(self.context, entry))
                    .map(|i| {
                        Z3_func_entry_get_arg(self.context, entry, i).ok_or_else(|| unreadable("no key"))
                    })
                    .collect::<Result<Vec<_>>>()?;
                let value =
                    Z3_func_entry_get_value(self.context, entry).ok_or_else(|| unreadable("no value"))?;
                let keys = self.read_all(context, pool, &keys, indices)?;
                let value = self.read(context, pool, value, element)?;
                map.set(keys, value);
                Z3_func_entry_dec_ref(self.context, entry);
            }
            Z3_func_interp_dec_ref(self.context, interpretation);
            Ok(map)
        }
    }

    fn datatype(
        &self,
        context: &mut Context,
        pool: &TermPool,
        value: Z3_ast,
        id: DatatypeId,
    ) -> Result<Value> {
        let (decl, args) = self.app(value)?;
        let constructor = context.datatypes[&id]
            .iter()
            .position(|constructor| constructor.constructor == decl)
            .ok_or_else(|| unreadable("a value of an unknown constructor"))?;
        let sorts: Vec<SortId> = pool.datatype(id).constructors[constructor]
            .fields
            .iter()
            .map(|field| field.sort)
            .collect();
        let fields = self.read_all(context, pool, &args, &sorts)?;
        Ok(Value::Datatype {
            datatype: id,
            constructor: constructor as u32,
            fields,
        })
    }
}

#[allow(unsafe_code)]
impl Drop for Model {
    fn drop(&mut self) {
        // SAFETY: `_life` keeps the context alive until after this.
        unsafe { Z3_model_dec_ref(self.context, self.raw) };
    }
}
