//! Which Lariat this is.

/// Names the running program: another one may give another answer.
pub fn this_build() -> String {
    let metadata = std::env::current_exe().and_then(std::fs::metadata);
    let made = metadata.and_then(|metadata| Ok((metadata.len(), metadata.modified()?)));
    match made {
        Ok((size, time)) => format!("{} {size} {time:?}", env!("CARGO_PKG_VERSION")),
        Err(_) => env!("CARGO_PKG_VERSION").to_owned(),
    }
}
