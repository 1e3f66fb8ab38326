//! Durations and sizes in the form that people write and read.

use std::time::Duration;

/// Reads `90`, `1.5s`, `1m30s`, `2h` or `500ms`; a bare number is seconds.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let wrong =
        || format!("`{text}` is not a duration: write seconds (`90`) or units (`1m30s`, `2h`, `500ms`)");
    let mut seconds = 0.0;
    let mut rest = text.trim();
    if rest.is_empty() {
        return Err(wrong());
    }
    while !rest.is_empty() {
        let (number, after) = leading_number(rest).ok_or_else(wrong)?;
        let unit_end = after.find(|c: char| c.is_ascii_digit()).unwrap_or(after.len());
        let (unit, after) = after.split_at(unit_end);
        seconds += number
            * match unit {
                "ms" => 0.001,
                "s" | "" => 1.0,
                "m" | "min" => 60.0,
                "h" => 3600.0,
                _ => return Err(wrong()),
            };
        rest = after;
    }
    Duration::try_from_secs_f64(seconds).map_err(|_| wrong())
}

/// Reads `4G`, `512M`, `1.5GiB` or `4096` (bytes); units are powers of 1024.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let wrong = || format!("`{text}` is not a size: write for example `512M` or `4G`");
    let (number, unit) = leading_number(text.trim()).ok_or_else(wrong)?;
    let unit = unit.trim().to_ascii_lowercase();
    let factor = match unit
        .strip_suffix('b')
        .map_or(&*unit, |unit| unit.strip_suffix('i').unwrap_or(unit))
    {
        "" => 1.0,
        "k" => 1024.0,
        "m" => 1024.0 * 1024.0,
        "g" => 1024.0 * 1024.0 * 1024.0,
        "t" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
        _ => return Err(wrong()),
    };
    let bytes = number * factor;
    if bytes >= 1.0 && bytes < u64::MAX as f64 {
        Ok(bytes as u64)
    } else {
        Err(wrong())
    }
}

fn leading_number(text: &str) -> Option<(f64, &str)> {
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let (number, rest) = text.split_at(end);
    Some((number.parse().ok()?, rest))
}

/// `0.04 s`, `3.2 s`, `75 s`, `12 min 5 s`.
pub fn seconds(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => format!("{s:.2} s"),
        s if s < 60.0 => format!("{s:.1} s"),
        s if s < 600.0 => format!("{s:.0} s"),
        s => format!("{:.0} min {:.0} s", (s / 60.0).floor(), s % 60.0),
    }
}

/// `31 MB`, `1.2 GB` (powers of 1024, as memory is counted).
pub fn bytes(bytes: u64) -> String {
    let megabytes = bytes as f64 / (1024.0 * 1024.0);
    if megabytes < 1000.0 {
        format!("{megabytes:.0} MB")
    } else {
        format!("{:.1} GB", megabytes / 1024.0)
    }
}

/// `1 loop`, `2 loops`.
pub fn count(number: u64, singular: &str) -> String {
    count_of(number, singular, &format!("{singular}s"))
}

/// `1 entry`, `2 entries`.
pub fn count_of(number: u64, singular: &str, plural: &str) -> String {
    format!("{number} {}", if number == 1 { singular } else { plural })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read() {
        let seconds = |text| parse_duration(text).map(|duration| duration.as_secs_f64());
        assert_eq!(seconds("90"), Ok(90.0));
        assert_eq!(seconds("1m30s"), Ok(90.0));
        assert_eq!(seconds("0.5"), Ok(0.5));
        assert_eq!(seconds("1h1ms"), Ok(3600.001));
        for wrong in ["", "s", "1x", "-1", "1..2", "99999999999999999999999h"] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes_are_read() {
        assert_eq!(parse_size("4096"), Ok(4096));
        assert_eq!(parse_size("4G"), Ok(4 << 30));
        assert_eq!(parse_size("1.5MiB"), Ok(3 << 19));
        assert_eq!(parse_size("512 kb"), Ok(512 << 10));
        for wrong in ["", "G", "0", "-1G", "4X", "4bb", "99999999999T"] {
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn times_and_sizes_are_written_shortly() {
        assert_eq!(seconds(0.041), "0.04 s");
        assert_eq!(seconds(12.34), "12.3 s");
        assert_eq!(seconds(725.0), "12 min 5 s");
        assert_eq!(bytes(31 << 20), "31 MB");
        assert_eq!(bytes(1288490188), "1.2 GB");
        assert_eq!(count(1, "loop"), "1 loop");
        assert_eq!(count(0, "loop"), "0 loops");
    }
}
