//! The owner of everything in Z3: one context with its sorts, declarations and terms.
//!
//! Invariants: an [`Ast`] is an index into the context that made it and stays valid as long as that
//! lives; every Z3 object that we hold has its reference counted once and released on drop; a null
//! pointer from Z3 becomes a [`SolverError`] with Z3's own words, never a panic.

use std::ffi::{CStr, CString};
use std::ptr;
use std::rc::Rc;
use std::sync::{Arc, Mutex};

use lariat_term::{DatatypeId, FunId, Sort, SortId, TermPool, TheoryId};
use rustc_hash::FxHashMap;
use z3_sys::*;

use crate::library::load;

/// What Z3 said when it refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SolverError(pub String);

impl std::fmt::Display for SolverError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "solver error: {}", self.0)
    }
}

impl std::error::Error for SolverError {}

pub type Result<T> = std::result::Result<T, SolverError>;

/// A term in the solver; belongs to the [`Context`] that made it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Ast(u32);

/// The declarations of one constructor of a datatype.
pub(crate) struct ConstructorDecls {
    pub constructor: Z3_func_decl,
    pub tester: Z3_func_decl,
    pub fields: Vec<Z3_func_decl>,
}

/// How an operator that only Z3 knows is applied.
#[derive(Clone, Copy)]
pub(crate) enum TheoryDecl {
    Decl(Z3_func_decl),
    /// A term over place-holder constants, to be substituted.
    Pattern {
        term: Z3_ast,
    },
}

pub(crate) struct TheoryEntry {
    pub decl: TheoryDecl,
    pub holders: Vec<Z3_ast>,
}

/// The pointer behind an [`InterruptHandle`]; `None` once the context is gone.
type SharedPointer = Arc<Mutex<Option<Z3_context_pointer>>>;

#[derive(Clone, Copy)]
#[allow(non_camel_case_types)]
struct Z3_context_pointer(Z3_context);

// SAFETY: the pointer is only used for `Z3_interrupt`, which Z3 allows from any thread.
#[allow(unsafe_code)]
unsafe impl Send for Z3_context_pointer {}

/// Interrupts the solver from another thread.
#[derive(Clone)]
pub struct InterruptHandle(SharedPointer);

impl InterruptHandle {
    /// Stops the check that is under way, if there is one. The solver stays usable.
    #[allow(unsafe_code)]
    pub fn interrupt(&self) {
        if let Ok(guard) = self.0.lock()
            && let Some(pointer) = *guard
        {
            // SAFETY: the context lives as long as the pointer is set, and the lock is held.
            unsafe { Z3_interrupt(pointer.0) };
        }
    }
}

/// Deletes the context when its last user is gone: the [`Context`] itself, a solver or a model.
pub(crate) struct ContextLife {
    raw: Z3_context,
    shared: SharedPointer,
}

pub struct Context {
    pub(crate) raw: Z3_context,
    pub(crate) life: Rc<ContextLife>,
    asts: Vec<Z3_ast>,
    /// Sorts and declarations that are counted for us.
    kept: Vec<Z3_ast>,
    next_name: i32,
    sorts: FxHashMap<SortId, Z3_sort>,
    pub(crate) functions: FxHashMap<FunId, Z3_func_decl>,
    pub(crate) datatypes: FxHashMap<DatatypeId, Vec<ConstructorDecls>>,
    pub(crate) theory: FxHashMap<TheoryId, TheoryEntry>,
    pub(crate) vars: FxHashMap<lariat_term::VarId, Ast>,
    pub(crate) terms: FxHashMap<lariat_term::TermId, Ast>,
}

#[allow(unsafe_code)]
impl Context {
    pub fn new() -> Result<Self> {
        load().map_err(|error| SolverError(error.to_string()))?;
        // SAFETY: plain construction; the configuration is deleted after its only use.
        let raw = unsafe {
            let config = Z3_mk_config().ok_or_else(|| SolverError("no configuration".into()))?;
            let (key, value) = (c"auto_config", c"false");
            Z3_set_param_value(config, key.as_ptr(), value.as_ptr());
            let raw = Z3_mk_context_rc(config);
            Z3_del_config(config);
            let raw = raw.ok_or_else(|| SolverError("no context".into()))?;
            Z3_set_error_handler(raw, None);
            raw
        };
        Ok(Context {
            raw,
            life: Rc::new(ContextLife {
                raw,
                shared: Arc::new(Mutex::new(Some(Z3_context_pointer(raw)))),
            }),
            asts: Vec::new(),
            kept: Vec::new(),
            next_name: 0,
            sorts: FxHashMap::default(),
            functions: FxHashMap::default(),
            datatypes: FxHashMap::default(),
            theory: FxHashMap::default(),
            vars: FxHashMap::default(),
            terms: FxHashMap::default(),
        })
    }

    pub fn interrupt_handle(&self) -> InterruptHandle {
        InterruptHandle(self.life.shared.clone())
    }

    pub(crate) fn error(&self) -> SolverError {
        // SAFETY: the context is valid and the message is copied at once.
        unsafe {
            let code = Z3_get_error_code(self.raw);
            SolverError(text(Z3_get_error_msg(self.raw, code)))
        }
    }

    /// An error that Z3 recorded in a call that returns nothing.
    pub(crate) fn check_error(&self) -> Result<()> {
        // SAFETY: the context is valid.
        match unsafe { Z3_get_error_code(self.raw) } {
            ErrorCode::Ok => Ok(()),
            _ => Err(self.error()),
        }
    }

    /// Keeps a new term.
    pub(crate) fn keep(&mut self, ast: Option<Z3_ast>) -> Result<Ast> {
        let raw = ast.ok_or_else(|| self.error())?;
        // SAFETY: `raw` was just returned by Z3 for this context.
        unsafe { Z3_inc_ref(self.raw, raw) };
        let id = Ast(self.asts.len() as u32);
        self.asts.push(raw);
        Ok(id)
    }

    pub(crate) fn raw(&self, ast: Ast) -> Z3_ast {
        self.asts[ast.0 as usize]
    }

    pub(crate) fn raws(&self, asts: &[Ast]) -> Vec<Z3_ast> {
        asts.iter().map(|&ast| self.raw(ast)).collect()
    }

    pub(crate) fn symbol(&self, name: &str) -> Result<Z3_symbol> {
        let name = CString::new(name.replace('\0', "?"))
            .map_err(|_| SolverError("a name holds a zero byte".into()))?;
        // SAFETY: the string outlives the call; Z3 copies it.
        unsafe { Z3_mk_string_symbol(self.raw, name.as_ptr()) }.ok_or_else(|| self.error())
    }

    /// A symbol that no other declaration has.
    pub(crate) fn fresh_symbol(&mut self) -> Result<Z3_symbol> {
        let name = self.next_name;
        self.next_name += 1;
        // SAFETY: plain call.
        unsafe { Z3_mk_int_symbol(self.raw, name) }.ok_or_else(|| self.error())
    }

    /// A constant that is equal to no other term by construction.
    pub fn fresh_const(&mut self, pool: &TermPool, sort: SortId) -> Result<Ast> {
        let sort = self.sort(pool, sort)?;
        let symbol = self.fresh_symbol()?;
        // SAFETY: symbol and sort belong to this context.
        let ast = unsafe { Z3_mk_const(self.raw, symbol, sort) };
        self.keep(ast)
    }

    pub fn fresh_bool(&mut self) -> Result<Ast> {
        let symbol = self.fresh_symbol()?;
        // SAFETY: symbol and sort belong to this context.
        let ast = unsafe {
            let sort = Z3_mk_bool_sort(self.raw).ok_or_else(|| self.error())?;
            Z3_mk_const(self.raw, symbol, sort)
        };
        self.keep(ast)
    }

    pub fn implies(&mut self, a: Ast, b: Ast) -> Result<Ast> {
        // SAFETY: the terms are of this context.
        let ast = unsafe { Z3_mk_implies(self.raw, self.raw(a), self.raw(b)) };
        self.keep(ast)
    }

    pub(crate) fn sort(&mut self, pool: &TermPool, id: SortId) -> Result<Z3_sort> {
        if let Some(&sort) = self.sorts.get(&id) {
            return Ok(sort);
        }
        // SAFETY: all arguments are objects of this context; results are checked for null.
        let sort = unsafe {
            match pool.sort(id) {
                Sort::Bool => Z3_mk_bool_sort(self.raw),
                Sort::Int => Z3_mk_int_sort(self.raw),
                Sort::Real => Z3_mk_real_sort(self.raw),
                Sort::Bv(width) => Z3_mk_bv_sort(self.raw, *width),
                Sort::Float {
                    significand,
                    exponent,
                } => Z3_mk_fpa_sort(self.raw, *exponent, *significand),
                Sort::RoundingMode => Z3_mk_fpa_rounding_mode_sort(self.raw),
                Sort::String => Z3_mk_string_sort(self.raw),
                Sort::RegLan => {
                    let strings = Z3_mk_string_sort(self.raw).ok_or_else(|| self.error())?;
                    Z3_mk_re_sort(self.raw, strings)
                }
                Sort::Array { indices, element } => {
                    let indices = indices
                        .iter()
                        .map(|&index| self.sort(pool, index))
                        .collect::<Result<Vec<_>>>()?;
                    let element = self.sort(pool, *element)?;
                    Z3_mk_array_sort_n(self.raw, indices.len() as u32, indices.as_ptr(), element)
                }
                Sort::Uninterpreted(sort) => {
                    // Two sorts may have one name in the program: the id keeps them apart.
                    let symbol = self.symbol(&format!("{}!{sort}", pool.uninterpreted_name(*sort)))?;
                    Z3_mk_uninterpreted_sort(self.raw, symbol)
                }
                Sort::Datatype(datatype) => {
                    crate::datatypes::declare(self, pool, *datatype)?;
                    return self
                        .sorts
                        .get(&id)
                        .copied()
                        .ok_or_else(|| SolverError("a datatype was not declared".into()));
                }
            }
        };
        let sort = sort.ok_or_else(|| self.error())?;
        self.keep_sort(id, sort);
        Ok(sort)
    }

    pub(crate) fn keep_sort(&mut self, id: SortId, sort: Z3_sort) {
        // SAFETY: the sort is an object of this context.
        unsafe {
            if let Some(ast) = Z3_sort_to_ast(self.raw, sort) {
                Z3_inc_ref(self.raw, ast);
                self.kept.push(ast);
            }
        }
        self.sorts.insert(id, sort);
    }

    pub(crate) fn keep_decl(&mut self, decl: Z3_func_decl) {
        // SAFETY: the declaration is an object of this context.
        unsafe {
            if let Some(ast) = Z3_func_decl_to_ast(self.raw, decl) {
                Z3_inc_ref(self.raw, ast);
                self.kept.push(ast);
            }
        }
    }

    pub(crate) fn function(&mut self, pool: &TermPool, id: FunId) -> Result<Z3_func_decl> {
        if let Some(&decl) = self.functions.get(&id) {
            return Ok(decl);
        }
        let function = pool.function(id);
        let args = function
            .args
            .iter()
            .map(|&sort| self.sort(pool, sort))
            .collect::<Result<Vec<_>>>()?;
        let result = self.sort(pool, function.result)?;
        let symbol = self.symbol(&format!("{}!{id}", function.name))?;
        // SAFETY: all arguments are objects of this context.
        let decl = unsafe { Z3_mk_func_decl(self.raw, symbol, args.len() as u32, args.as_ptr(), result) }
            .ok_or_else(|| self.error())?;
        self.keep_decl(decl);
        self.functions.insert(id, decl);
        Ok(decl)
    }

    pub fn not(&mut self, term: Ast) -> Result<Ast> {
        // SAFETY: the term is of this context.
        let ast = unsafe { Z3_mk_not(self.raw, self.raw(term)) };
        self.keep(ast)
    }

    /// `left = right`; the two have one sort.
    pub fn eq(&mut self, left: Ast, right: Ast) -> Result<Ast> {
        // SAFETY: the terms are of this context.
        let ast = unsafe { Z3_mk_eq(self.raw, self.raw(left), self.raw(right)) };
        self.keep(ast)
    }

    /// The formula that not all of the terms hold.
    pub fn not_all(&mut self, terms: &[Ast]) -> Result<Ast> {
        let terms = self.raws(terms);
        // SAFETY: the terms are of this context.
        let all = unsafe { Z3_mk_and(self.raw, terms.len() as u32, terms.as_ptr()) };
        let all = self.keep(all)?;
        self.not(all)
    }
}

#[allow(unsafe_code)]
impl Drop for Context {
    /// Releases everything one by one: Z3 itself would look at its whole table of terms once for each level of what is left, and that
    /// is as large as it has ever been.
    fn drop(&mut self) {
        for &ast in self.asts.iter().rev().chain(self.kept.iter().rev()) {
            // SAFETY: each was counted once when it was kept, and `life` keeps the context alive.
            unsafe { Z3_dec_ref(self.raw, ast) };
        }
    }
}

#[allow(unsafe_code)]
impl Drop for ContextLife {
    fn drop(&mut self) {
        if let Ok(mut guard) = self.shared.lock() {
            *guard = None;
        }
        // SAFETY: every user of the context holds a count of this.
        unsafe { Z3_del_context(self.raw) };
    }
}

/// Copies a string that Z3 owns.
#[allow(unsafe_code)]
pub(crate) fn text(string: Z3_string) -> String {
    if ptr::eq(string, ptr::null()) {
        return String::new();
    }
    // SAFETY: Z3 returns zero-terminated strings that live until its next call.
    unsafe { CStr::from_ptr(string) }.to_string_lossy().into_owned()
}
