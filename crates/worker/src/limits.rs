//! What the system knows about memory and processor time. `None` if it does not say.

use std::fs;

/// Resident memory of a process in bytes, now and at most so far.
pub fn memory_of_process(id: u32) -> Option<(u64, u64)> {
    let text = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let now = kilobytes_of(&text, "VmRSS:")?;
    Some((now, kilobytes_of(&text, "VmHWM:").unwrap_or(now)))
}

/// Processor seconds of a process so far, all its threads together.
pub fn processor_seconds_of_process(id: u32) -> Option<f64> {
    processor_seconds_in(&fs::read_to_string(format!("/proc/{id}/stat")).ok()?)
}

/// Linux shows times in hundredths of a second, whatever its own clock is.
const TICKS_PER_SECOND: f64 = 100.0;

/// Fields 14 and 15. The name of the program is the second one, in parentheses, and may contain anything.
fn processor_seconds_in(text: &str) -> Option<f64> {
    let (_, after_name) = text.rsplit_once(')')?;
    let mut fields = after_name.split_ascii_whitespace().skip(11);
    let user: f64 = fields.next()?.parse().ok()?;
    let system: f64 = fields.next()?.parse().ok()?;
    Some((user + system) / TICKS_PER_SECOND)
}

/// Memory of the machine in bytes.
pub fn memory_of_system() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    kilobytes_of(&text, "MemTotal:")
}

fn kilobytes_of(text: &str, field: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(field))?;
    let kilobytes: u64 = rest.split_ascii_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_in_bytes() {
        let text = "Name:\tlariat\nVmRSS:\t    2048 kB\nThreads:\t3\n";
        assert_eq!(kilobytes_of(text, "VmRSS:"), Some(2048 * 1024));
        assert_eq!(kilobytes_of(text, "VmHWM:"), None);
    }

    #[test]
    fn processor_time_is_user_and_system_time() {
        let text = "71 (a (b) c) S 1 71 71 0 -1 4194560 5 6 7 8 150 25 9 9 20 0 3 0 100 1 2";
        assert_eq!(processor_seconds_in(text), Some(1.75));
        assert_eq!(processor_seconds_in("71 (lariat) S 1"), None);
    }
}
