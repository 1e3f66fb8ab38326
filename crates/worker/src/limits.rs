//! What the system knows about memory. `None` if it does not say.

use std::fs;

/// Resident memory of a process in bytes, now and at most so far.
pub fn memory_of_process(id: u32) -> Option<(u64, u64)> {
    let text = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let now = kilobytes_of(&text, "VmRSS:")?;
    Some((now, kilobytes_of(&text, "VmHWM:").unwrap_or(now)))
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
}
