//! What the rest of the world may change: `volatile` objects that the program does not define, and variables of the library
//! and of other files.
//!
//! A `volatile` object is the environment's if the program declares but does not define it, if it is at an address that the
//! program gives as a number, or if unknown code may have put objects into its region: each read gives any value. One that
//! the program defines and keeps to itself is an ordinary object.

use lariat_base::Span;
use lariat_c_arith::Value;
use lariat_c_program::{GlobalId, Linkage, Place, PlaceKind, Purpose, Scalar};
use lariat_c_regions::{Cell, RegionId, Variable};
use lariat_ir::Origin;
use lariat_options::Externals;

use crate::function::FunctionLowering;
use crate::place::{Located, Where};

/// Variables of the library that its functions leave alone.
const CONSTANT_VARIABLES: [&str; 3] = ["stdin", "stdout", "stderr"];

/// `errno` of the models (`c-models/models/errno.c`), which any function may set.
pub const ERRNO: &str = "__lariat_errno";

impl FunctionLowering<'_, '_> {
    /// Whether each read of this place gives what the environment has put there meanwhile.
    pub fn is_environment(&self, place: &Place, located: &Located) -> bool {
        if !self.cx.c.volatile_places.contains(&place.id) || self.is_open() {
            return false;
        }
        if let Some(global) = root_global(place)
            && !self.cx.c.globals[global].defined
        {
            return true;
        }
        match &located.at {
            Where::Memory { cell, .. } => self.is_outside(*cell),
            Where::Split { .. } | Where::Value { .. } => false,
        }
    }

    /// Whether unknown code may have put an object there, or nothing of the program is there.
    fn is_outside(&self, cell: Cell) -> bool {
        let regions = self.cx.regions.object_regions(cell);
        let is_outside = |region: &RegionId| {
            let region = &self.cx.regions.regions()[*region];
            let is_undefined = |global: &GlobalId| !self.cx.c.globals[*global].defined;
            region.external
                || (region.globals.is_empty() && !region.has_other_objects)
                || region.globals.iter().any(is_undefined)
        };
        regions.is_empty() || regions.iter().any(is_outside)
    }

    /// Any value of a scalar that the environment changes.
    pub fn volatile_value(&mut self, place: &Place, scalar: Scalar, span: Span) -> Value {
        let text = self.cx.sources.snippet(place.span).to_owned();
        let var = self.environment_value(&text, scalar);
        self.havoc(var, scalar, span, Origin::External(text.as_str().into()));
        let shown = crate::names::Shown { text, ty: place.ty };
        self.cx.names.vars.insert(var, shown);
        self.value_of(var, scalar)
    }

    /// Unknown code was called: variables that it may define itself, and `errno`, hold anything, and with `--externals havoc` so do
    /// the program's own that other files can see, and what these lead to. `is_imprecise`: the real function would set them to
    /// particular values.
    pub fn forget_variables(&mut self, span: Span, name: &str, is_imprecise: bool) {
        if self.is_open() {
            return;
        }
        let all = self.cx.options.c.externals == Externals::Havoc;
        let forgotten: Vec<GlobalId> = self
            .cx
            .c
            .globals
            .iter()
            .filter(|(_, global)| {
                global.purpose == Purpose::Model && &*global.name == ERRNO
                    || global.purpose == Purpose::User
                        && global.linkage == Linkage::External
                        && !global.is_const
                        && !CONSTANT_VARIABLES.contains(&&*global.name)
                        && (all || !global.defined)
            })
            .map(|(id, _)| id)
            .collect();
        let mut regions = Vec::new();
        for global in forgotten {
            if all {
                let cell = self.cx.regions.variable(Variable::Global(global));
                self.refuse_visible_callback(name, global, cell, span);
                regions.extend(self.cx.regions.reachable(cell));
            }
            match self.cx.storage.split_globals.get(&global).cloned() {
                Some(split) => {
                    self.cx.mention(self.proc, global);
                    for (leaf, &var) in split.leaves.iter().zip(&split.vars) {
                        let stmt = self.havoc(var, leaf.scalar, span, Origin::External(name.into()));
                        if is_imprecise {
                            self.cx.names.imprecise.insert(stmt, name.into());
                        }
                    }
                }
                None => {
                    let cell = self.cx.regions.variable(Variable::Global(global));
                    regions.extend(self.cx.regions.object_regions(cell));
                }
            }
        }
        regions.sort_unstable();
        regions.dedup();
        self.havoc_regions(&regions, span, name, is_imprecise);
    }

    /// Unknown code may call what a variable that it sees leads to. That is not modelled.
    fn refuse_visible_callback(&mut self, name: &str, variable: GlobalId, cell: Cell, span: Span) {
        let functions = self.cx.regions.functions_reachable(cell);
        let mut bodies = functions.iter().map(|&function| &self.cx.c.functions[function]);
        if let Some(function) = bodies.find(|function| function.body.is_some()) {
            let (function, variable) = (&function.name, &self.cx.c.globals[variable].name);
            let reason =
                format!("`{name}` has no body and may call `{function}`, which `{variable}` leads to,");
            self.unsupported(&reason, span);
        }
    }
}

/// The variable with static storage that a place without indirection is part of.
fn root_global(place: &Place) -> Option<GlobalId> {
    match &place.kind {
        PlaceKind::Global(global) => Some(*global),
        PlaceKind::Member { base, .. } | PlaceKind::Index { base, .. } => root_global(base),
        _ => None,
    }
}
