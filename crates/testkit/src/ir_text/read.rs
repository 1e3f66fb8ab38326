//! Reads programs from text, one item per line:
//!
//! ```text
//! global g: bv2
//! proc main(a: bool) -> (r: int)
//!   var x: int
//!  b0:
//!   x := (+ x 1)
//!   havoc x g
//!   typed (and (<= 0 x) (<= x 9))
//!   call r := f(x, (+ x 1))
//!   goto b1 b2
//! ```
//!
//! The first block is the entry. Literals are `true`, `12` and `1:2` (a `bv2`). Two
//! parallel assignments are `x, y := y, x`.

use std::collections::HashMap;

use lariat_ir::{
    AssertInfo, AssertKind, Block, BlockId, Call, Origin, Proc, ProcId, ProcKind, Program, StmtKind,
    Terminator,
};
use lariat_term::{BvOp, Sort, SortId, TermId, VarId};

struct Reader {
    program: Program,
    globals: HashMap<String, VarId>,
    procs: HashMap<String, ProcId>,
}

pub fn read_program(text: &str) -> Program {
    let mut reader = Reader {
        program: Program::new(),
        globals: HashMap::new(),
        procs: HashMap::new(),
    };
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    for line in &lines {
        if let Some(declaration) = line.strip_prefix("global ") {
            let (name, var) = reader.declare(declaration);
            reader.program.globals.push(var);
            reader.globals.insert(name, var);
        } else if let Some(declaration) = line.strip_prefix("const ") {
            let (name, var) = reader.declare(declaration);
            reader.program.constants.push(var);
            reader.globals.insert(name, var);
        } else if let Some(header) = line.strip_prefix("proc ") {
            reader.read_header(header);
        }
    }
    let starts: Vec<usize> = (0..lines.len())
        .filter(|&i| lines[i].starts_with("proc "))
        .collect();
    for (number, &start) in starts.iter().enumerate() {
        let end = starts.get(number + 1).copied().unwrap_or(lines.len());
        reader.read_body(ProcId::from_u32(number as u32), &lines[start + 1..end]);
    }
    reader.program
}

impl Reader {
    fn sort(&mut self, text: &str) -> SortId {
        match text.trim() {
            "bool" => self.program.pool.bool_sort(),
            "int" => self.program.pool.int_sort(),
            "map" => {
                let int = self.program.pool.int_sort();
                self.program.pool.array_sort(&[int], int)
            }
            bv => {
                let width = bv.strip_prefix("bv").and_then(|width| width.parse().ok());
                self.program
                    .pool
                    .bv_sort(width.unwrap_or_else(|| panic!("sort {bv}")))
            }
        }
    }

    fn declare(&mut self, declaration: &str) -> (String, VarId) {
        let (name, sort) = declaration.split_once(':').expect("name: sort");
        let sort = self.sort(sort);
        (
            name.trim().to_string(),
            self.program.pool.declare_var(name.trim(), sort),
        )
    }

    fn declare_list(&mut self, text: &str) -> Vec<VarId> {
        let parts = text.split(',').filter(|part| !part.trim().is_empty());
        parts.map(|part| self.declare(part).1).collect()
    }

    fn read_header(&mut self, header: &str) {
        let (name, rest) = header.split_once('(').expect("(");
        let (params, rest) = rest.split_once(')').expect(")");
        let params = self.declare_list(params);
        let outs = match rest.split_once('(') {
            Some((_, outs)) => self.declare_list(outs.trim_end_matches(')')),
            None => Vec::new(),
        };
        let id = self.program.procs.push(Proc {
            params,
            outs,
            ..Proc::new(
                name.trim().into(),
                ProcKind::Source,
                Default::default(),
                BlockId::from_u32(0),
            )
        });
        self.procs.insert(name.trim().to_string(), id);
    }

    fn read_body(&mut self, id: ProcId, lines: &[&str]) {
        let mut scope = self.globals.clone();
        for var in self.program.procs[id].vars().collect::<Vec<_>>() {
            scope.insert(self.program.pool.var_name(var).to_string(), var);
        }
        let mut blocks: HashMap<String, BlockId> = HashMap::new();
        for line in lines {
            if let Some(label) = line.strip_suffix(':') {
                let mut block = Block::new(Terminator::Return);
                block.label = Some(label.into());
                blocks.insert(label.to_string(), self.program.procs[id].blocks.push(block));
            } else if let Some(declaration) = line.strip_prefix("var ") {
                let (name, var) = self.declare(declaration);
                self.program.procs[id].locals.push(var);
                scope.insert(name, var);
            }
        }
        let mut current = BlockId::from_u32(0);
        for line in lines {
            if line.starts_with("var ") {
                continue;
            }
            if let Some(label) = line.strip_suffix(':') {
                current = blocks[label];
            } else if *line == "return" {
                self.program.procs[id].blocks[current].terminator = Terminator::Return;
            } else if *line == "stop" {
                self.program.procs[id].blocks[current].terminator = Terminator::Goto(Default::default());
            } else if let Some(targets) = line.strip_prefix("goto ") {
                let targets = targets.split_whitespace().map(|label| blocks[label]).collect();
                self.program.procs[id].blocks[current].terminator = Terminator::Goto(targets);
            } else {
                // `typed` is an assumption that a value is one of its type.
                let (line, origin) = match line.strip_prefix("typed ") {
                    Some(condition) => (format!("assume {condition}"), Origin::Type),
                    None => (line.to_string(), Origin::Source),
                };
                let kind = self.read_stmt(&line, &scope);
                let stmt = self.program.stmt(kind, None, origin);
                self.program.procs[id].blocks[current].stmts.push(stmt);
            }
        }
    }

    fn read_stmt(&mut self, line: &str, scope: &HashMap<String, VarId>) -> StmtKind {
        let vars = |text: &str| -> Vec<VarId> {
            let names = text.split([',', ' ']).filter(|name| !name.is_empty());
            names
                .map(|name| *scope.get(name).unwrap_or_else(|| panic!("variable {name}")))
                .collect()
        };
        if let Some(condition) = line.strip_prefix("assume ") {
            return StmtKind::Assume(self.read_term(condition, scope));
        }
        if let Some(condition) = line.strip_prefix("assert ") {
            let condition = self.read_term(condition, scope);
            return self.assertion(condition, AssertKind::Assert);
        }
        if let Some(condition) = line.strip_prefix("invariant ") {
            let condition = self.read_term(condition, scope);
            return self.assertion(condition, AssertKind::LoopInvariant);
        }
        if let Some(reason) = line.strip_prefix("unsupported ") {
            let condition = self.program.pool.bool(false);
            return self.assertion(condition, AssertKind::Unsupported(reason.into()));
        }
        if let Some(names) = line.strip_prefix("havoc ") {
            return StmtKind::Havoc(vars(names).into_iter().collect());
        }
        if let Some(call) = line.strip_prefix("call ") {
            let (outs, call) = call.split_once(":=").unwrap_or(("", call));
            let (name, ins) = call.split_once('(').expect("(");
            let ins = ins.strip_suffix(')').expect(")");
            return StmtKind::Call(Call {
                callee: self.procs[name.trim()],
                ins: split_commas(ins)
                    .iter()
                    .map(|term| self.read_term(term, scope))
                    .collect(),
                outs: vars(outs),
            });
        }
        let (targets, values) = line
            .split_once(":=")
            .unwrap_or_else(|| panic!("statement {line}"));
        let values: Vec<TermId> = split_commas(values)
            .iter()
            .map(|term| self.read_term(term, scope))
            .collect();
        StmtKind::Assign(vars(targets).into_iter().zip(values).collect())
    }

    fn assertion(&mut self, condition: TermId, kind: AssertKind) -> StmtKind {
        let assert = self.program.asserts.push(AssertInfo {
            kind,
            span: None,
            condition_span: None,
            id: None,
            message: None,
        });
        StmtKind::Assert { condition, assert }
    }

    fn read_term(&mut self, text: &str, scope: &HashMap<String, VarId>) -> TermId {
        let text = text.replace('(', " ( ").replace(')', " ) ");
        let tokens: Vec<&str> = text.split_whitespace().collect();
        let mut position = 0;
        let term = self.term(&tokens, &mut position, scope);
        assert_eq!(position, tokens.len(), "rest of term {text}");
        term
    }

    fn term(&mut self, tokens: &[&str], position: &mut usize, scope: &HashMap<String, VarId>) -> TermId {
        let token = tokens[*position];
        *position += 1;
        if token != "(" {
            return self.atom(token, scope);
        }
        let op = tokens[*position];
        *position += 1;
        let mut args = Vec::new();
        while tokens[*position] != ")" {
            args.push(self.term(tokens, position, scope));
        }
        *position += 1;
        let pool = &mut self.program.pool;
        let is_bv = matches!(pool.sort(pool.sort_of(args[0])), Sort::Bv(_));
        match op {
            "+" if is_bv => pool.bv_op(BvOp::Add, &args),
            "-" if is_bv => pool.bv_op(BvOp::Sub, &args),
            "<" if is_bv => pool.bv_op(BvOp::Ult, &args),
            "<=" if is_bv => pool.bv_op(BvOp::Ule, &args),
            "s<" => pool.bv_op(BvOp::Slt, &args),
            "+" => pool.add(&args),
            "-" => pool.sub(args[0], args[1]),
            "*" => pool.mul(args[0], args[1]),
            "<" => pool.lt(args[0], args[1]),
            "<=" => pool.le(args[0], args[1]),
            "=" => pool.eq(args[0], args[1]),
            "not" => pool.not(args[0]),
            "and" => pool.and(&args),
            "or" => pool.or(&args),
            "ite" => pool.ite(args[0], args[1], args[2]),
            "div" => pool.int_div(args[0], args[1]),
            "select" => pool.select(args[0], &[args[1]]),
            "store" => pool.store(args[0], &[args[1]], args[2]),
            // The map that holds the number everywhere.
            "const" => {
                let int = pool.int_sort();
                let sort = pool.array_sort(&[int], int);
                pool.const_array(sort, args[0])
            }
            _ => panic!("operator {op}"),
        }
    }

    fn atom(&mut self, token: &str, scope: &HashMap<String, VarId>) -> TermId {
        let pool = &mut self.program.pool;
        if token == "true" || token == "false" {
            return pool.bool(token == "true");
        }
        if let Some((value, width)) = token.split_once(':') {
            return pool.bv(value.parse::<i64>().expect("bits"), width.parse().expect("width"));
        }
        if let Ok(value) = token.parse::<i64>() {
            return pool.int(value);
        }
        let var = *scope.get(token).unwrap_or_else(|| panic!("variable {token}"));
        pool.var(var)
    }
}

/// Splits at commas outside parentheses.
fn split_commas(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut depth = 0;
    for character in text.chars() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        parts.last_mut().expect("never empty").push(character);
    }
    parts.retain(|part| !part.trim().is_empty());
    parts
}
