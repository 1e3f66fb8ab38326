//! Concrete executions: how many steps a second the interpreter makes, on generated C programs.

use std::fmt;
use std::io;
use std::time::{Duration, Instant};

use lariat_base::Budget;
use lariat_interp::{ReplayGoal, RunOptions, RunOutcome, run};
use lariat_report::{Progress, VerifyRequest};

use super::Scratch;

/// Programs without inputs, by what they mostly do. `ROUNDS` stands for the number of rounds.
const PROGRAMS: [(&str, &str); 5] = [
    (
        "arithmetic",
        "int main(void) {
    int sum = 0;
    for (int i = 0; i < ROUNDS; i++) {
        if (i % 3 == 0)
            sum += 2;
        else
            sum -= 1;
    }
    __VERIFIER_assert(sum < 3);
}
",
    ),
    (
        "table",
        "unsigned table[256];
int main(void) {
    unsigned x = 1, sum = 0;
    for (int i = 0; i < 256; i++)
        table[i] = i * 7u;
    for (int i = 0; i < ROUNDS; i++) {
        x = x * 1103515245u + 12345u;
        sum += table[(x >> 16) % 256];
    }
    __VERIFIER_assert(sum != 7);
}
",
    ),
    (
        "calls",
        "static unsigned mix(unsigned a, unsigned b) { return a * 31u + b; }
int main(void) {
    unsigned x = 1;
    for (int i = 0; i < ROUNDS; i++)
        x = mix(x, i);
    __VERIFIER_assert(x != 3);
}
",
    ),
    (
        "bits",
        "int main(void) {
    unsigned long long x = 88172645463325252ull;
    for (int i = 0; i < ROUNDS; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
    }
    __VERIFIER_assert(x != 0);
}
",
    ),
    (
        "lists",
        "void *malloc(unsigned long);
struct node { int value; struct node *next; };
int main(void) {
    struct node *head = 0;
    for (int i = 0; i < 1000; i++) {
        struct node *node = malloc(sizeof *node);
        node->value = i;
        node->next = head;
        head = node;
    }
    int sum = 0;
    for (int i = 0; i < ROUNDS / 1000; i++)
        for (struct node *n = head; n; n = n->next)
            sum = (sum + n->value) % 1000;
    __VERIFIER_assert(sum < 1000);
}
",
    ),
];

/// Rounds of the loop in each program.
const ROUNDS: u32 = 1_000_000;

#[derive(Clone, Debug)]
pub struct RunRow {
    pub program: &'static str,
    pub steps: u64,
    pub seconds: f64,
    /// Why there is no result.
    pub trouble: Option<String>,
}

#[derive(Clone, Debug, Default)]
pub struct RunTable {
    pub rows: Vec<RunRow>,
}

/// Executes each program; those of `rounds` if it is given.
pub fn measure_run(
    rounds: Option<u32>,
    settings: &VerifyRequest,
    time_limit: Duration,
    tell: &mut dyn FnMut(&str),
) -> io::Result<RunTable> {
    let scratch = Scratch::new("run")?;
    let rounds = rounds.unwrap_or(ROUNDS).to_string();
    let mut table = RunTable::default();
    for (program, text) in PROGRAMS {
        tell(program);
        let text = text.replace("ROUNDS", &rounds);
        let path = scratch.write(&format!("{program}.c"), |output| {
            output.write_all(b"extern void __VERIFIER_assert(int);\n")?;
            output.write_all(text.as_bytes())
        })?;
        let request = VerifyRequest {
            files: vec![path],
            ..settings.clone()
        };
        table.rows.push(measured(program, &request, time_limit));
    }
    Ok(table)
}

fn measured(program: &'static str, request: &VerifyRequest, time_limit: Duration) -> RunRow {
    let without_result = |trouble: &str| RunRow {
        program,
        steps: 0,
        seconds: 0.0,
        trouble: Some(trouble.to_owned()),
    };
    let reading = lariat_front_end::read(&request.into(), false, &mut |_: Progress| {});
    let Some(front_end) = reading.program else {
        return without_result("it cannot be read");
    };
    let Some(main) = front_end.program.proc_by_name("main") else {
        return without_result("it has no main");
    };
    let budget = Budget::unlimited().within(time_limit);
    let started = Instant::now();
    let options = RunOptions::default();
    let done = run(
        &front_end.program,
        main,
        &ReplayGoal::AnyAssert,
        &options,
        &budget,
    );
    RunRow {
        program,
        steps: done.steps,
        seconds: started.elapsed().as_secs_f64(),
        trouble: match done.outcome {
            RunOutcome::NoneFails => None,
            RunOutcome::GaveUp(reason) => Some(reason),
            other => Some(format!("an outcome that was not expected: {other:?}")),
        },
    }
}

impl fmt::Display for RunTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "program           steps   seconds   million steps/s")?;
        for row in &self.rows {
            let speed = row.steps as f64 / row.seconds.max(1e-9) / 1e6;
            write!(
                f,
                "{:<11} {:>11} {:>9.3} {:>17.1}",
                row.program, row.steps, row.seconds, speed
            )?;
            match &row.trouble {
                Some(trouble) => writeln!(f, "  {trouble}")?,
                None => writeln!(f)?,
            }
        }
        let done = || self.rows.iter().filter(|row| row.trouble.is_none());
        let (steps, seconds) = (
            done().map(|row| row.steps).sum::<u64>(),
            done().map(|row| row.seconds).sum::<f64>(),
        );
        writeln!(
            f,
            "{} of {} programs: {:.1} million statements and jumps a second",
            done().count(),
            self.rows.len(),
            steps as f64 / seconds.max(1e-9) / 1e6
        )
    }
}
