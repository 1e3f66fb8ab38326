//! Open programs in C: what the front end says about where the environment comes in.

use std::path::PathBuf;

use lariat_ir::{OpenInfo, Program, Stmt, StmtId, StmtKind};
use lariat_report::{AngelicRequest, Verdict, VerifyReport};
use lariat_verify::FrontEnd;

struct Read {
    front_end: FrontEnd,
    path: PathBuf,
}

impl Drop for Read {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

fn try_read(name: &str, text: &str, change: impl FnOnce(&mut AngelicRequest)) -> Result<Read, String> {
    let path = std::env::temp_dir().join(format!("lariat-open-{}-{name}.c", std::process::id()));
    std::fs::write(&path, text).expect("the temporary directory can be written");
    let mut request = AngelicRequest::default();
    request.program.files = vec![path.clone()];
    change(&mut request);
    let mut report = VerifyReport::new(&request.program, Verdict::BadInput);
    match FrontEnd::read_open(&request, &mut |_| {}, &mut report) {
        Some(front_end) => Ok(Read { front_end, path }),
        None => {
            let _ = std::fs::remove_file(&path);
            Err(format!("{:?}", report.diagnostics))
        }
    }
}

fn read(name: &str, text: &str) -> Read {
    try_read(name, text, |_| {}).expect("the program is read")
}

#[test]
fn scratch() {
    let text = std::fs::read_to_string(std::env::var("SCRATCH").unwrap_or_default()).unwrap_or_default();
    if text.is_empty() {
        return;
    }
    let read = read("scratch", &text);
    println!("{}", read.front_end.program.text());
    println!("{:#?}", read.front_end.open);
}
