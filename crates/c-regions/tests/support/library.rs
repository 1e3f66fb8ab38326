//! Functions without body, as the machine runs them.

use lariat_c_program::*;

use super::machine::{Happened, MIDDLE, Machine, Run, Undefined, Value, make_address};

impl Machine {
    pub fn memcpy(&mut self, args: &[Expr], numbers: [u64; 3]) -> Run<Value> {
        let [target, source, count] = numbers;
        let (to, from) = (self.locate(target, count)?, self.locate(source, count)?);
        for pointer in [target, source] {
            if let Some((_, high)) = self.tag(pointer)
                && (pointer & 0xff_ffff) - MIDDLE + count > high
            {
                return Err(Undefined);
            }
        }
        if to.0 == from.0 {
            return Err(Undefined);
        }
        for (which, (object, offset)) in [to, from].into_iter().enumerate() {
            for further in 0..count {
                self.log.push(Happened::Bytes {
                    pointer: args[which].id,
                    further,
                    object,
                    offset: offset + further,
                });
            }
        }
        let before = self.windows(to, count);
        let hidden = (0..count).filter(|&index| self.hidden.contains(&(from.0, from.1 + index)));
        let hidden: Vec<u64> = hidden.collect();
        for index in 0..count {
            let byte = self.read(from.0, from.1 + index, 1);
            self.write(to.0, to.1 + index, 1, byte);
        }
        self.hidden
            .extend(hidden.iter().map(|index| (to.0, to.1 + index)));
        let starts = to.1.saturating_sub(7)..to.1 + count;
        for ((start, old), new) in starts.zip(before).zip(self.windows(to, count)) {
            let is_partial = start < to.1 || start + 8 > to.1 + count;
            if is_partial && self.bends(old, new) {
                return Err(Undefined);
            }
        }
        Ok(Value::Number(i128::from(target)))
    }

    /// Stores addresses that it can reach where it can reach, and returns one.
    pub fn unknown(&mut self, args: &[Expr], values: &[Value]) -> Run<Value> {
        let mut reached: Vec<usize> = Vec::new();
        let mut open: Vec<u64> = Vec::new();
        for value in values {
            if let Value::Number(number) = value {
                open.push(*number as u64);
            }
        }
        while let Some(address) = open.pop() {
            let Ok((object, _)) = self.locate(address, 0) else {
                continue;
            };
            if reached.contains(&object) {
                continue;
            }
            reached.push(object);
            let size = self.objects[object].size;
            for offset in (0..size.saturating_sub(7)).step_by(8) {
                if self.hidden.contains(&(object, offset)) {
                    continue;
                }
                open.push(self.read(object, offset, 8) as u64);
            }
        }
        let given: Vec<NodeId> = args.iter().map(|arg| arg.id).collect();
        if reached.is_empty() {
            return Ok(Value::Number(0));
        }
        for _ in 0..3 {
            self.noise = self
                .noise
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(99);
            let object = reached[(self.noise >> 33) as usize % reached.len()];
            let target = reached[(self.noise >> 40) as usize % reached.len()];
            let size = self.objects[object].size;
            if size < 8 {
                continue;
            }
            let offset = ((self.noise >> 20) % (size / 8)) * 8;
            for index in 0..8 {
                self.log.push(Happened::Havoc {
                    given: given.clone(),
                    object,
                    offset: offset + index,
                });
            }
            self.write(object, offset, 8, u128::from(make_address(target, 0, 0)));
            self.hidden.insert((object, offset));
        }
        let target = reached[(self.noise >> 50) as usize % reached.len()];
        Ok(Value::Number(i128::from(make_address(target, 0, 0))))
    }
}
