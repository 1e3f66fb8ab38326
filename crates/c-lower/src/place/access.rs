//! Reading and writing memory: elements of regions, and the bytes of values that overlap.

use lariat_base::Span;
use lariat_c_arith::Value;
use lariat_c_program::{BitField, Scalar, TypeId};
use lariat_c_regions::{Access, Cell, RegionId};
use lariat_ir::{Origin, StmtKind};
use smallvec::smallvec;

use super::container_bytes;
use crate::function::FunctionLowering;
use crate::names::Shown;

impl FunctionLowering<'_, '_> {
    /// The scalar at an address. Every element of a region is a valid value of the region's type: what was stored is, and of
    /// what was never stored it is assumed here.
    pub fn load(
        &mut self,
        address: &Value,
        cell: Cell,
        scalar: Scalar,
        bytes: u64,
        bits: Option<BitField>,
        span: Span,
    ) -> Value {
        match self.cx.regions.access(cell, scalar, bytes, bits) {
            Access::Word(region) => {
                let element = self.cx.regions.regions()[region].element;
                let value = self.load_element(region, address, element, span);
                if let Some(bits) = bits {
                    let narrow = self.narrow(value.clone(), Some(bits), scalar);
                    let pool = &mut self.cx.ir.pool;
                    let valid = pool.eq(narrow.term, value.term);
                    self.assume(valid, span);
                    return Value {
                        term: value.term,
                        range: narrow.range,
                    };
                }
                self.cx
                    .arith
                    .convert(&mut self.cx.ir.pool, element, scalar, &value)
            }
            Access::Bytes(region) => {
                let byte = Scalar::Int {
                    bits: 8,
                    signed: false,
                };
                let count = container_bytes(bits, bytes);
                let mut parts = Vec::new();
                for offset in 0..count {
                    let at = self.add_bytes(address, offset);
                    parts.push(self.load_element(region, &at, byte, span));
                }
                let pool = &mut self.cx.ir.pool;
                match bits {
                    None => self.cx.arith.from_bytes(pool, scalar, &parts),
                    Some(bits) => {
                        let width = count as u32 * 8;
                        let container = Scalar::Int {
                            bits: width,
                            signed: false,
                        };
                        let whole = self.cx.arith.from_bytes(pool, container, &parts);
                        self.cx
                            .arith
                            .extract_bits(pool, scalar, &whole, width, bits.shift, bits.width)
                    }
                }
            }
        }
    }

    fn load_element(&mut self, region: RegionId, address: &Value, element: Scalar, span: Span) -> Value {
        let memory = self.memory(region);
        let copying = self.copying;
        if let Some(written) = self.cx.storage.maps.written[region].filter(|_| !copying) {
            self.check_written(region, written, address, span);
        }
        self.assume_initial_pointer(region, address, span);
        let pool = &mut self.cx.ir.pool;
        let memory = pool.var(memory);
        let term = pool.select(memory, &[address.term]);
        let data = &self.cx.regions.regions()[region];
        if data.has_other_objects || data.external || self.cx.memory_is_havocked {
            self.assume_in_type(term, element, span);
        }
        self.cx.arith.value(term, element)
    }

    #[expect(clippy::too_many_arguments, reason = "a store is all of this")]
    pub fn store(
        &mut self,
        address: &Value,
        cell: Cell,
        scalar: Scalar,
        bytes: u64,
        bits: Option<BitField>,
        value: &Value,
        span: Span,
        shown: Option<(Span, TypeId)>,
    ) {
        let access = match self.cx.regions.find_access(cell, scalar, bytes, bits) {
            Some(access) => access,
            // Nobody reads it.
            None if shown.is_none() => return,
            None => self.cx.regions.access(cell, scalar, bytes, bits),
        };
        match access {
            Access::Word(region) if self.is_starting && !self.cx.storage.maps.is_used(region) => {}
            Access::Word(region) => {
                let element = self.cx.regions.regions()[region].element;
                let value = self.narrow(value.clone(), bits, scalar);
                let pool = &mut self.cx.ir.pool;
                let value = match bits {
                    Some(_) => value,
                    None => self.cx.arith.convert(pool, scalar, element, &value),
                };
                self.store_elements(region, &[(address.clone(), value)], span, shown);
            }
            Access::Bytes(region) => {
                let count = container_bytes(bits, bytes);
                let value = &match scalar {
                    Scalar::Float(kind) => self.with_known_bits(value, kind, span),
                    _ => value.clone(),
                };
                let parts = match bits {
                    None => self.cx.arith.to_bytes(&mut self.cx.ir.pool, scalar, value),
                    Some(field) => {
                        let width = count as u32 * 8;
                        let container = Scalar::Int {
                            bits: width,
                            signed: false,
                        };
                        let old = self.load_container(region, address, count, container, span);
                        let pool = &mut self.cx.ir.pool;
                        let whole = self.cx.arith.insert_bits(
                            pool,
                            &old,
                            width,
                            field.shift,
                            field.width,
                            scalar,
                            value,
                        );
                        self.cx.arith.to_bytes(pool, container, &whole)
                    }
                };
                let parts: Vec<(Value, Value)> = parts
                    .into_iter()
                    .zip(0..)
                    .map(|(part, offset)| (self.add_bytes(address, offset), part))
                    .collect();
                self.store_elements(region, &parts, span, shown);
            }
        }
    }

    /// The bytes that a bit-field lies in, without asking whether they were written.
    fn load_container(
        &mut self,
        region: RegionId,
        address: &Value,
        count: u64,
        container: Scalar,
        span: Span,
    ) -> Value {
        let byte = Scalar::Int {
            bits: 8,
            signed: false,
        };
        let memory = self.memory(region);
        let mut parts = Vec::new();
        for offset in 0..count {
            let at = self.add_bytes(address, offset);
            let pool = &mut self.cx.ir.pool;
            let memory = pool.var(memory);
            let term = pool.select(memory, &[at.term]);
            self.assume_in_type(term, byte, span);
            parts.push(self.cx.arith.value(term, byte));
        }
        self.cx.arith.from_bytes(&mut self.cx.ir.pool, container, &parts)
    }

    fn store_elements(
        &mut self,
        region: RegionId,
        elements: &[(Value, Value)],
        span: Span,
        shown: Option<(Span, TypeId)>,
    ) {
        let memory = self.memory(region);
        let pool = &mut self.cx.ir.pool;
        let mut map = pool.var(memory);
        for (address, value) in elements {
            map = pool.store(map, &[address.term], value.term);
        }
        let origin = match shown {
            Some(_) => Origin::Source,
            None => Origin::Internal,
        };
        let stmt = self.push(StmtKind::Assign(smallvec![(memory, map)]), span, origin);
        if let Some((place, ty)) = shown {
            let text = self.cx.sources.snippet(place).to_owned();
            self.cx.names.stores.insert(stmt, Shown { text, ty });
        }
        if let Some(written) = self.cx.storage.maps.written[region] {
            let pool = &mut self.cx.ir.pool;
            let mut map = pool.var(written);
            let yes = self.store_flag.unwrap_or_else(|| pool.bool(true));
            for (address, _) in elements {
                map = pool.store(map, &[address.term], yes);
            }
            self.set_silently(written, map, span);
        }
    }
}
