//! Records as a table for spreadsheets (RFC 4180).

use std::io::{self, Write};

use crate::record::Record;

const HEADER: &str = "series,file,expect,judgement,verdict,seconds,solver_seconds,front_end_seconds,source_bytes,lines,\
                      peak_memory_bytes,inlined,solver_calls,bound,failures,confirmed,harness,crashed,remark";

pub fn write_csv<'a>(
    records: impl IntoIterator<Item = &'a Record>,
    mut output: impl Write,
) -> io::Result<()> {
    write!(output, "{HEADER}\r\n")?;
    for record in records {
        let fields = [
            record.series.clone(),
            record.file.clone(),
            record.expect.name().to_owned(),
            record.judgement.name().to_owned(),
            record.verdict.word().to_owned(),
            format!("{:.3}", record.seconds),
            format!("{:.3}", record.solver_seconds),
            format!("{:.3}", record.front_end_seconds),
            record.source_bytes.to_string(),
            record.lines.map(|lines| lines.to_string()).unwrap_or_default(),
            record.peak_memory_bytes.to_string(),
            record.inlined.to_string(),
            record.solver_calls.to_string(),
            record.bound.map(|bound| bound.to_string()).unwrap_or_default(),
            record.failures.to_string(),
            record.confirmed.to_string(),
            match &record.harness {
                None => String::new(),
                Some(harness) if harness.reproduced => "reproduced".to_owned(),
                Some(harness) if harness.compiled => "not reproduced".to_owned(),
                Some(_) => "not compiled".to_owned(),
            },
            record.crashed.to_string(),
            record.remark().to_owned(),
        ];
        let line: Vec<String> = fields.iter().map(|field| quote(field)).collect();
        write!(output, "{}\r\n", line.join(","))?;
    }
    output.flush()
}

fn quote(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        assert_eq!(quote("plain"), "plain");
        assert_eq!(quote("a,b"), "\"a,b\"");
        assert_eq!(quote("say \"x\""), "\"say \"\"x\"\"\"");
    }
}
