//! The result as text, for people.

use std::fmt::Write as _;

use cranelift_entity::SecondaryMap;
use lariat_c_program::{CProgram, Scalar};

use crate::graph::{Class, MemoryId, Object};
use crate::grouping::variable_name;
use crate::{RegionId, Regions};

impl Regions {
    /// Each region with its objects and accesses.
    pub fn text(&self, program: &CProgram) -> String {
        let mut places: SecondaryMap<RegionId, Option<(MemoryId, usize)>> = SecondaryMap::new();
        for (&root, layout) in &self.layouts {
            for (index, group) in layout.groups.iter().enumerate() {
                if let Some(region) = group.region {
                    places[region] = Some((root, index));
                }
            }
        }
        let mut text = String::new();
        for (id, region) in self.regions.iter() {
            let kind = if region.external { " external" } else { "" };
            let _ = writeln!(
                text,
                "{id} {}: {}{kind}",
                region.name,
                scalar_name(region.element)
            );
            let Some((root, index)) = places[id] else { continue };
            let memory = self.graph.memory(root);
            if memory.stride != 0 {
                let _ = writeln!(text, "  every {} bytes", memory.stride);
            }
            for (object, offset) in &memory.objects {
                let name = match object {
                    Object::Variable(variable) => variable_name(program, *variable),
                    Object::Heap(call) => format!("heap of {call}"),
                    Object::Varargs => "extra arguments".into(),
                };
                let _ = writeln!(text, "  object {name} at {offset}");
            }
            for key in &self.layouts[&root].groups[index].accesses {
                let shift = if key.shift == 0 {
                    String::new()
                } else {
                    format!(" bit {}", key.shift)
                };
                let class = match key.class {
                    Class::Bool => "_Bool",
                    Class::Int => "integer or pointer",
                    Class::Float(_) => "float",
                    Class::Raw => "bytes",
                };
                let _ = writeln!(
                    text,
                    "  access at {}{shift}, {} bits: {class}",
                    key.offset, key.width
                );
            }
        }
        text
    }
}

fn scalar_name(scalar: Scalar) -> String {
    match scalar {
        Scalar::Bool => "_Bool".into(),
        Scalar::Int { bits, signed: true } => format!("i{bits}"),
        Scalar::Int { bits, signed: false } => format!("u{bits}"),
        Scalar::Pointer => "pointer".into(),
        Scalar::Float(kind) => format!("{kind:?}").to_lowercase(),
    }
}
