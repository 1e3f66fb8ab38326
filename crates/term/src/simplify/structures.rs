//! Maps and datatypes: reads of writes and fields of constructors are resolved where that is decided.

use smallvec::SmallVec;

use super::Args;
use crate::op::Op;
use crate::pool::{TermId, TermPool};
use crate::sort::{DatatypeId, Sort, SortId};

impl TermPool {
    // ---- maps --------------------------------------------------------------

    pub fn select(&mut self, map: TermId, indices: &[TermId]) -> TermId {
        let mut map = map;
        loop {
            match self.op(map) {
                Op::Store => {
                    let args = self.args(map);
                    let stored = &args[1..args.len() - 1];
                    if stored == indices {
                        return args[args.len() - 1];
                    }
                    if stored
                        .iter()
                        .zip(indices)
                        .any(|(&a, &b)| self.surely_distinct(a, b))
                    {
                        map = args[0];
                        continue;
                    }
                    break;
                }
                Op::ConstArray(_) => return self.args(map)[0],
                _ => break,
            }
        }
        let sort = match self.sort(self.sort_of(map)) {
            Sort::Array { element, .. } => *element,
            other => unreachable!("select from {other:?}"),
        };
        let mut args: Args = SmallVec::with_capacity(indices.len() + 1);
        args.push(map);
        args.extend_from_slice(indices);
        self.intern(Op::Select, &args, sort)
    }

    pub fn store(&mut self, map: TermId, indices: &[TermId], value: TermId) -> TermId {
        let sort = self.sort_of(map);
        let mut base = map;
        if self.op(map) == Op::Store {
            let args = self.args(map);
            if &args[1..args.len() - 1] == indices {
                base = args[0];
            }
        }
        let mut args: Args = SmallVec::with_capacity(indices.len() + 2);
        args.push(base);
        args.extend_from_slice(indices);
        args.push(value);
        self.intern(Op::Store, &args, sort)
    }

    pub fn const_array(&mut self, sort: SortId, value: TermId) -> TermId {
        self.intern(Op::ConstArray(sort), &[value], sort)
    }

    // ---- datatypes ---------------------------------------------------------

    pub fn construct(&mut self, datatype: DatatypeId, constructor: u32, args: &[TermId]) -> TermId {
        let sort = self.sort_id(Sort::Datatype(datatype));
        self.intern(
            Op::Construct {
                datatype,
                constructor,
            },
            args,
            sort,
        )
    }

    pub fn field(&mut self, datatype: DatatypeId, constructor: u32, field: u32, value: TermId) -> TermId {
        if let Op::Construct {
            constructor: actual, ..
        } = self.op(value)
            && actual == constructor
        {
            return self.args(value)[field as usize];
        }
        let sort = self.datatype(datatype).constructors[constructor as usize].fields[field as usize].sort;
        self.intern(
            Op::Field {
                datatype,
                constructor,
                field,
            },
            &[value],
            sort,
        )
    }

    pub fn is_constructor(&mut self, datatype: DatatypeId, constructor: u32, value: TermId) -> TermId {
        if let Op::Construct {
            constructor: actual, ..
        } = self.op(value)
        {
            return self.bool(actual == constructor);
        }
        if self.datatype(datatype).constructors.len() == 1 {
            return self.bool(true);
        }
        let sort = self.bool_sort();
        self.intern(
            Op::Is {
                datatype,
                constructor,
            },
            &[value],
            sort,
        )
    }
}
