//! A C module without its environment, for `lariat angelic`: functions that use pointers of their callers and of the library, and call each
//! other. The cone of calls below a function grows with the square of the logarithm of its number, so that most of the work is in
//! callees that other entries have gone through before.

use std::io::{self, Write};

/// A module of `size` functions.
pub(crate) fn write_open_module(size: u32, output: &mut dyn Write) -> io::Result<()> {
    writeln!(
        output,
        "// An open module of {size} functions.\n#include <stddef.h>\n\n\
         struct item {{ struct item *next; int *value; int count; }};\n\
         int read_device(int port);\nstruct item *lookup(int key);\n"
    )?;
    for index in 0..size {
        writeln!(
            output,
            "int f{index}(struct item *a, struct item *b, int k)\n{{\n    int sum = a->count + {index};\n    \
             if (b != NULL && k > {})\n        sum += *b->value;\n    if (read_device(k) > 0)\n        a->next->count = sum;",
            index % 7
        )?;
        for callee in callees(index) {
            writeln!(
                output,
                "    if (k != {callee})\n        sum += f{callee}(a, b, k + 1);"
            )?;
        }
        if index % 5 == 0 {
            writeln!(
                output,
                "    struct item *found = lookup(k);\n    sum += found->count;"
            )?;
        }
        writeln!(output, "    return sum;\n}}\n")?;
    }
    Ok(())
}

/// The functions that one calls: all before it.
fn callees(index: u32) -> Vec<u32> {
    match index {
        0..4 => Vec::new(),
        _ => vec![index / 3, index / 2],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_call_functions_before_them() {
        let mut bytes = Vec::new();
        write_open_module(40, &mut bytes).expect("written");
        let text = String::from_utf8(bytes).expect("text");
        assert_eq!(text.matches("\n{\n").count(), 40, "{text}");
        assert_eq!(text.matches("(a, b, k + 1)").count(), 2 * 36, "{text}");
        assert!((4..40).all(|index| callees(index).iter().all(|&callee| callee < index)));
    }
}
