//! Procedures with contracts, loops with invariants and calls, as Boogie text: for modular verification.

use std::io::{self, Write};

/// That many procedures. Every one holds; each depends on the contract of the next.
pub fn write_contracts(size: u32, output: &mut dyn Write) -> io::Result<()> {
    writeln!(
        output,
        "// {size} procedures with contracts.\nvar steps: int;\n\nfunction Large(x: int): bool;\n\
         axiom (forall x: int :: {{Large(x)}} Large(x) ==> x > 10);\n"
    )?;
    for index in 0..size {
        let (grow, next) = (index % 7 + 1, (index + 1) % size.max(1));
        writeln!(
            output,
            "procedure P{index}(n: int, a: [int]int) returns (most: int, b: [int]int)\n  \
               requires 0 <= n;\n  modifies steps;\n  ensures 0 <= most;\n  \
               ensures steps >= old(steps) + {grow};\n  \
               ensures (forall k: int :: {{b[k]}} 0 <= k && k < n ==> b[k] == a[k] + {grow});\n  \
               ensures (forall k: int :: {{b[k]}} 0 <= k && k < n ==> b[k] <= most);\n\
             {{\n  var i, other: int;\n  var c: [int]int;\n  i := 0;\n  b := a;\n  most := 0;\n  \
               while (i < n)\n    invariant 0 <= i && i <= n && 0 <= most;\n    \
                 invariant (forall k: int :: {{b[k]}} 0 <= k && k < i ==> b[k] == a[k] + {grow} && b[k] <= most);\n    \
                 invariant (forall k: int :: {{b[k]}} i <= k ==> b[k] == a[k]);\n  {{\n    \
                 b[i] := a[i] + {grow};\n    if (b[i] > most) {{\n      most := b[i];\n    }}\n    i := i + 1;\n  }}\n  \
               steps := steps + {grow};\n  if (Large(most) && n > 1) {{\n    assert most > 9;\n    \
                 call other, c := P{next}(n - 1, b);\n    assert c[0] <= other;\n  }}\n}}\n"
        )?;
    }
    Ok(())
}
