//! Statements that change variables.

use lariat_ir::{Call, StmtId};
use lariat_term::{Op, TermId, VarId};

use crate::PathStep;
use crate::eval::Split;
use crate::machine::{Assignment, New, Use, Uses};
use crate::search::Search;

impl Search<'_> {
    pub fn havoc(&mut self, id: StmtId, vars: &[VarId]) {
        let mut assignments = Vec::new();
        let mut values = Vec::new();
        for &var in vars {
            let sort = self.machine.program.pool.var_sort(var);
            let symbol = self.machine.fresh(sort);
            values.push((var, symbol));
            if let Some(slot) = self.machine.slot(var) {
                assignments.push(Assignment {
                    slot,
                    value: New::Whole(self.machine.held(symbol)),
                    uses: Uses::new(),
                });
            }
        }
        self.machine.assign(assignments);
        self.machine.steps.push(PathStep::Havoc(id, values));
    }

    /// `all` gets what is depended on if the path is to be split.
    pub fn assign(
        &mut self,
        id: StmtId,
        assignments: &[(VarId, TermId)],
        all: &mut Uses,
    ) -> Result<(), Split> {
        let mut values = Vec::new();
        let mut fails = false;
        for &(var, term) in assignments {
            let Some(slot) = self.machine.slot(var) else {
                continue;
            };
            if self.machine.is_plain_map(var) && self.store(var, slot, term, &mut values, all)? {
                continue;
            }
            let mut uses = Uses::new();
            let value = self.machine.eval(term, &mut uses);
            all.extend(uses.iter().copied());
            let value = value?;
            fails |= Some(var) == self.error && self.machine.program.pool.as_bool(value) == Some(true);
            values.push(Assignment {
                slot,
                value: New::Whole(self.machine.held(value)),
                uses,
            });
        }
        self.machine.assign(values);
        if fails {
            self.machine.steps.push(PathStep::Fail(id));
        }
        Ok(())
    }

    /// `m := m[k := v]…` changes entries of `m`, if the keys are known. Whether it did.
    fn store(
        &mut self,
        var: VarId,
        slot: u32,
        term: TermId,
        values: &mut Vec<Assignment>,
        all: &mut Uses,
    ) -> Result<bool, Split> {
        let mut stores: Vec<(TermId, TermId)> = Vec::new();
        let mut map = term;
        while self.machine.program.pool.op(map) == Op::Store {
            let &[below, key, value] = self.machine.program.pool.args(map) else {
                return Ok(false);
            };
            stores.push((key, value));
            map = below;
        }
        if stores.is_empty() || self.machine.program.pool.as_var(map) != Some(var) {
            return Ok(false);
        }
        // The map gets its symbol.
        self.machine.read(var, &mut Uses::new());
        let mut entries = Vec::new();
        let mut known = true;
        for (key, value) in stores.into_iter().rev() {
            let (mut key_uses, mut uses) = (Uses::new(), Uses::new());
            let key = self.machine.eval(key, &mut key_uses);
            let key = key.and_then(|key| self.machine.number(key, &mut key_uses));
            all.extend(key_uses.iter().copied());
            let key = key?;
            let value = self.machine.eval(value, &mut uses);
            all.extend(uses.iter().copied());
            known &= self.machine.program.pool.is_value(key);
            entries.push((key, value?, key_uses, uses));
        }
        if known {
            values.extend(
                entries
                    .into_iter()
                    .map(|(key, value, key_uses, uses)| Assignment {
                        slot,
                        value: New::Entry(key, value, key_uses),
                        uses,
                    }),
            );
            return Ok(true);
        }
        let mut of_map: Uses = [Use::Slot(slot)].into_iter().collect();
        let mut term = self.machine.read(var, &mut of_map);
        for (key, value, key_uses, uses) in entries {
            term = self.machine.program.pool.store(term, &[key], value);
            of_map.extend(key_uses);
            of_map.extend(uses);
        }
        values.push(Assignment {
            slot,
            value: New::Whole(self.machine.held(term)),
            uses: of_map,
        });
        Ok(true)
    }

    pub fn arguments(&mut self, call: &Call, all: &mut Uses) -> Result<Vec<(TermId, Uses)>, Split> {
        let mut arguments = Vec::new();
        for &term in &call.ins {
            let mut uses = Uses::new();
            let value = self.machine.eval(term, &mut uses);
            all.extend(uses.iter().copied());
            arguments.push((value?, uses));
        }
        Ok(arguments)
    }
}
