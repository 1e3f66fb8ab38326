//! Inline assembly: libclang gives the operands; the text says which of them are outputs.

use lariat_c_program::{Asm, StmtKind};

use crate::clang::Cursor;
use crate::session::Session;

impl<'u> Session<'u, '_> {
    pub fn asm(&mut self, cursor: Cursor<'u>, children: &[Cursor<'u>]) -> StmtKind {
        let index = match &mut self.body {
            Some(body) => {
                body.asm_count += 1;
                body.asm_count - 1
            }
            None => 0,
        };
        let mut text = cursor.tokens().join(" ");
        if !text.contains('(') {
            // It is from a macro: clang prints the function with macros expanded.
            text = self
                .body
                .as_ref()
                .and_then(|body| nth_asm(&body.cursor.pretty(), index))
                .unwrap_or_default();
        }
        let Some(sections) = sections(&text) else {
            return StmtKind::Unsupported("inline assembly from a macro".into());
        };
        let operand_count = |section: Option<&Vec<String>>| section.map_or(0, Vec::len);
        let output_count = operand_count(sections.get(1));
        let input_count = operand_count(sections.get(2));
        let operands: Vec<Cursor<'u>> = children
            .iter()
            .filter(|child| child.is_expression())
            .copied()
            .collect();
        if operands.len() != output_count + input_count {
            return StmtKind::Unsupported("inline assembly whose operands are not understood".into());
        }
        // libclang does not give the labels.
        let label_names = sections.get(4).map(Vec::as_slice).unwrap_or_default();
        let labels: Vec<_> = label_names
            .iter()
            .filter_map(|name| self.label_named(name))
            .collect();
        if labels.len() != label_names.len() {
            return StmtKind::Unsupported("inline assembly with labels that are not understood".into());
        }
        let clobbers_memory = sections
            .get(3)
            .is_some_and(|clobbers| clobbers.iter().any(|clobber| clobber.contains("\"memory\"")));
        let (output_operands, input_operands) = operands.split_at(output_count);
        let mut inputs = Vec::new();
        let mut outputs = Vec::new();
        for &output in output_operands {
            let place = self.place(output);
            outputs.push(place);
        }
        for &input in input_operands {
            inputs.push(self.value(input));
        }
        StmtKind::Asm(Asm {
            text: sections
                .first()
                .map(|template| template.join(", "))
                .unwrap_or_default(),
            outputs,
            inputs,
            clobbers_memory,
            labels,
        })
    }
}

/// The operands of the sections of `asm (template : outputs : inputs : clobbers : labels)`.
fn sections(text: &str) -> Option<Vec<Vec<String>>> {
    let open = text.find('(')?;
    let mut sections = vec![Vec::new()];
    let mut operand = String::new();
    let mut depth = 1u32;
    let mut in_string = false;
    let mut characters = text[open + 1..].chars();
    while let Some(character) = characters.next() {
        if in_string {
            operand.push(character);
            match character {
                '\\' => operand.extend(characters.next()),
                '"' => in_string = false,
                _ => {}
            }
            continue;
        }
        match character {
            '"' => {
                in_string = true;
                operand.push(character);
            }
            '(' | '[' | '{' => {
                depth += 1;
                operand.push(character);
            }
            ')' | ']' | '}' => {
                depth -= 1;
                if depth == 0 {
                    end_operand(&mut sections, &mut operand);
                    return Some(sections);
                }
                operand.push(character);
            }
            ',' if depth == 1 => end_operand(&mut sections, &mut operand),
            ':' if depth == 1 => {
                end_operand(&mut sections, &mut operand);
                sections.push(Vec::new());
            }
            _ => operand.push(character),
        }
    }
    None
}

fn end_operand(sections: &mut [Vec<String>], operand: &mut String) {
    let text = std::mem::take(operand).trim().to_owned();
    if let (Some(section), false) = (sections.last_mut(), text.is_empty()) {
        section.push(text);
    }
}

/// The text of a function's `asm` statement by its number, from clang's print of the function.
fn nth_asm(printed: &str, index: usize) -> Option<String> {
    let (start, _) = printed
        .match_indices("asm ")
        .filter(|&(at, _)| {
            !printed[..at]
                .chars()
                .next_back()
                .is_some_and(|before| before.is_alphanumeric() || before == '_' || before == '"')
        })
        .nth(index)?;
    Some(printed[start..].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_are_split_at_colons_outside_of_brackets_and_strings() {
        let text = r#"asm volatile ( "a:b, (%0)" : [ x ] "=r" ( f ( a , b ) ) , "+m"(*p) : "r"(c ? d : e) : "memory", "cc" )"#;
        let sections = sections(text).expect("complete");
        assert_eq!(sections.len(), 4);
        assert_eq!(sections[0], ["\"a:b, (%0)\""]);
        assert_eq!(sections[1].len(), 2);
        assert_eq!(sections[2], ["\"r\"(c ? d : e)"]);
        assert_eq!(sections[3].len(), 2);
        assert_eq!(super::sections("asm (\"unfinished\""), None);
    }

    #[test]
    fn the_nth_asm_of_a_printed_function_is_found() {
        let printed = "void f() {\n    asm (\"one\");\n    my_asm (2);\n    asm volatile (\"two\" : : );\n}";
        assert!(nth_asm(printed, 1).is_some_and(|text| text.starts_with("asm volatile (\"two\"")));
        assert_eq!(nth_asm(printed, 2), None);
    }
}
