//! How much many workers help: a simulation of the queue with the times of a real run.
//!
//! What is simulated: a coordinator that submits one task after the other, a server that hands out one at a time, workers that die
//! and are replaced, leases that must run out before a lost task is given to another worker.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt::{self, Write};

use lariat_page::Page;
use maud::{PreEscaped, html};

use crate::record::Record;

/// What messages, leases and failures cost, in seconds.
#[derive(Clone, Copy, Debug)]
pub struct QueueCosts {
    /// The coordinator submits a task.
    pub submit: f64,
    /// The server hands one out; others wait meanwhile.
    pub hand_out: f64,
    /// A worker fetches the program, stores the answer and acknowledges.
    pub around: f64,
    pub lease: f64,
    /// A worker works this long on average before it dies.
    pub between_failures: f64,
    /// Until another one takes the place of a worker that died.
    pub replacement: f64,
}

impl Default for QueueCosts {
    /// Messages as measured on one machine (docs/book, "Many machines"); a worker dies every two hours.
    fn default() -> Self {
        QueueCosts {
            submit: 0.002,
            hand_out: 0.0005,
            around: 0.008,
            lease: 30.0,
            between_failures: 7200.0,
            replacement: 30.0,
        }
    }
}

/// One number of workers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WorkersRow {
    pub workers: usize,
    pub seconds: f64,
    /// Against one process that needs no messages and never fails.
    pub speed_up: f64,
    pub redeliveries: u64,
}

#[derive(Clone, Debug, Default)]
pub struct WorkersTable {
    pub tasks: usize,
    pub recorded: usize,
    /// Of one process.
    pub seconds: f64,
    pub rows: Vec<WorkersRow>,
}

/// Simulates `tasks` tasks, whose times are those of the records, with each number of workers.
pub fn simulate_workers(
    records: &[Record],
    tasks: usize,
    workers: &[usize],
    costs: &QueueCosts,
) -> WorkersTable {
    let times: Vec<f64> = records.iter().map(|record| record.seconds).collect();
    if times.is_empty() {
        return WorkersTable::default();
    }
    let mut random = Random(1);
    // Each record as often as the others, in any order.
    let mut drawn: Vec<f64> = (0..tasks).map(|task| times[task % times.len()]).collect();
    for last in (1..drawn.len()).rev() {
        drawn.swap(last, random.below(last as u64 + 1) as usize);
    }
    let seconds: f64 = drawn.iter().sum();
    let row = |&workers: &usize| {
        let (makespan, redeliveries) = simulate(&drawn, workers.max(1), costs, &mut Random(7));
        WorkersRow {
            workers,
            seconds: makespan,
            speed_up: seconds / makespan,
            redeliveries,
        }
    };
    WorkersTable {
        tasks,
        recorded: times.len(),
        seconds,
        rows: workers.iter().map(row).collect(),
    }
}

/// Seconds as an order: the simulated clock.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Clock(f64);

impl Eq for Clock {}

impl PartialOrd for Clock {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Clock {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// When everything is answered, and how often a task was handed out again.
fn simulate(times: &[f64], workers: usize, costs: &QueueCosts, random: &mut Random) -> (f64, u64) {
    let submitted = times
        .iter()
        .enumerate()
        .map(|(task, _)| Reverse((Clock((task + 1) as f64 * costs.submit), task)));
    // Tasks by the time from which they can be handed out, workers by the time from which they are free.
    let mut waiting: BinaryHeap<Reverse<(Clock, usize)>> = submitted.collect();
    let mut free: BinaryHeap<Reverse<(Clock, usize)>> =
        (0..workers).map(|worker| Reverse((Clock(0.0), worker))).collect();
    let mut dies: Vec<f64> = (0..workers)
        .map(|_| random.exponential(costs.between_failures))
        .collect();
    let (mut server, mut end, mut redeliveries) = (0.0_f64, 0.0_f64, 0);
    while let (Some(Reverse((ready, task))), Some(Reverse((idle, worker)))) = (waiting.pop(), free.pop()) {
        let handed_out = ready.0.max(idle.0).max(server);
        server = handed_out + costs.hand_out;
        let done = server + costs.around + times[task];
        if done <= dies[worker] {
            end = end.max(done);
            free.push(Reverse((Clock(done), worker)));
            continue;
        }
        // It died before, or it dies at it.
        let death = dies[worker].max(server);
        redeliveries += 1;
        waiting.push(Reverse((Clock(death + costs.lease), task)));
        let back = death + costs.replacement;
        dies[worker] = back + random.exponential(costs.between_failures);
        free.push(Reverse((Clock(back), worker)));
    }
    (end, redeliveries)
}

/// Numbers that look random and are the same each time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit.max(1)
    }

    fn exponential(&mut self, mean: f64) -> f64 {
        let share = (self.next() >> 11) as f64 / (1_u64 << 53) as f64;
        -mean * (1.0 - share).ln()
    }
}

impl fmt::Display for WorkersTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} tasks with the times of {} recorded ones: {:.0} s in one process",
            self.tasks, self.recorded, self.seconds
        )?;
        writeln!(
            f,
            "{:>8}{:>12}{:>10}{:>14}",
            "workers", "seconds", "speed-up", "redelivered"
        )?;
        for row in &self.rows {
            writeln!(
                f,
                "{:>8}{:>12.0}{:>10.1}{:>14}",
                row.workers, row.seconds, row.speed_up, row.redeliveries
            )?;
        }
        Ok(())
    }
}

const WIDTH: f64 = 620.0;
const HEIGHT: f64 = 420.0;
const MARGIN: f64 = 56.0;

impl WorkersTable {
    /// The curve of the speed-up, as a page.
    pub fn page(&self) -> String {
        let body = html! {
            header { h1 { "Many workers" } p.last { (self.tasks) " tasks, simulated" } }
            section {
                p { "Speed-up against one process; both axes are logarithmic. The thin line would be one for each worker." }
                (PreEscaped(self.plot()))
                pre { (self.to_string()) }
            }
        };
        let page = Page {
            title: "Many workers",
            style: include_str!("../html/page.css"),
            script: "",
            body,
        };
        page.render()
    }

    fn plot(&self) -> String {
        let most = self.rows.iter().map(|row| row.workers).max().unwrap_or(1).max(2) as f64;
        let along = |value: f64, length: f64| value.max(0.5).log2() / most.log2() * length;
        let x = |workers: f64| MARGIN + along(workers, WIDTH - 2.0 * MARGIN);
        let y = |speed_up: f64| HEIGHT - MARGIN - along(speed_up, HEIGHT - 2.0 * MARGIN);
        let mut svg = format!("<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"speed-up\">");
        // Writing to a string does not fail.
        let _ = write!(
            svg,
            "<line class=\"grid\" x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\"/>",
            x(1.0),
            y(1.0),
            x(most),
            y(most)
        );
        let mut points = String::new();
        for row in &self.rows {
            let (x, y) = (x(row.workers as f64), y(row.speed_up));
            let _ = write!(points, "{x:.1},{y:.1} ");
            let _ = write!(
                svg,
                "<g class=\"s0\"><circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\"/></g>\
                 <text class=\"tick mid\" x=\"{x:.1}\" y=\"{:.1}\">{}</text>\
                 <text class=\"tick end\" x=\"{:.1}\" y=\"{:.1}\">{:.1}</text>",
                HEIGHT - MARGIN + 18.0,
                row.workers,
                x - 6.0,
                y - 6.0,
                row.speed_up
            );
        }
        let _ = write!(
            svg,
            "<g class=\"s0\"><polyline points=\"{}\"/></g>\
             <text class=\"axis mid\" x=\"{}\" y=\"{}\">workers</text></svg>",
            points.trim_end(),
            WIDTH / 2.0,
            HEIGHT - 12.0
        );
        svg
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn costs() -> QueueCosts {
        QueueCosts {
            submit: 0.0,
            hand_out: 0.0,
            around: 0.0,
            between_failures: f64::INFINITY,
            ..QueueCosts::default()
        }
    }

    #[test]
    fn without_costs_and_failures_workers_share_evenly() {
        for workers in [1, 4, 16] {
            let (seconds, redeliveries) = simulate(&[2.0; 160], workers, &costs(), &mut Random(1));
            assert!(
                (seconds - 320.0 / workers as f64).abs() < 1e-6,
                "{workers}: {seconds}"
            );
            assert_eq!(redeliveries, 0);
        }
    }

    #[test]
    fn the_server_is_the_limit_if_it_is_slow() {
        let slow = QueueCosts {
            hand_out: 1.0,
            ..costs()
        };
        let (seconds, _) = simulate(&[0.5; 100], 64, &slow, &mut Random(1));
        assert!((100.0..102.0).contains(&seconds), "{seconds}");
    }

    #[test]
    fn a_death_costs_a_lease_and_every_task_is_done() {
        let failing = QueueCosts {
            between_failures: 50.0,
            ..costs()
        };
        let (seconds, redeliveries) = simulate(&[1.0; 400], 4, &failing, &mut Random(3));
        assert!(redeliveries > 0);
        assert!(seconds > 100.0, "{seconds}");
        // Each death costs at most the task, the lease and the replacement, of one of four workers.
        let most = 100.0 + redeliveries as f64 * (1.0 + failing.lease + failing.replacement);
        assert!(seconds <= most, "{seconds} > {most}");
    }
}
