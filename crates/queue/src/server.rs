//! Where the server is, and who we are to it: an address, or one of the context files of the `nats` command.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use async_nats::ConnectOptions;
use serde::Deserialize;

use crate::error::QueueError;

/// The longest time to wait for a connection.
const CONNECT_PATIENCE: Duration = Duration::from_secs(10);

/// A server and the credentials for it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Server {
    url: String,
    credentials: Context,
}

/// A context file. What it may have besides does not matter to us.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(default)]
struct Context {
    url: String,
    token: String,
    user: String,
    password: String,
    /// Paths.
    creds: String,
    nkey: String,
    cert: String,
    key: String,
    ca: String,
    nsc: String,
}

impl Server {
    /// `nats://HOST[:PORT]` or `tls://…` (with the credentials of the context that `NATS_CONTEXT` names, if it does), the name of
    /// a context, or the path of a context file.
    pub fn parse(text: &str) -> Result<Self, QueueError> {
        let wanted = std::env::var("NATS_CONTEXT").ok().filter(|name| !name.is_empty());
        if text.contains("://") {
            let credentials = wanted
                .map(|name| read_context(&context_path(&name)?))
                .transpose()?;
            return Ok(Server {
                url: text.to_owned(),
                credentials: credentials.unwrap_or_default(),
            });
        }
        let as_path = Path::new(text);
        let path = if as_path.is_file() {
            as_path.to_owned()
        } else {
            context_path(text)?
        };
        let credentials = read_context(&path)?;
        if credentials.url.is_empty() {
            return Err(QueueError::File(format!(
                "{} names no server (`url`)",
                path.display()
            )));
        }
        Ok(Server {
            url: credentials.url.clone(),
            credentials,
        })
    }

    /// The addresses without what is secret in them.
    pub fn shown(&self) -> String {
        let show = |url: &str| match (url.split_once("://"), url.rsplit_once('@')) {
            (Some((scheme, _)), Some((_, host))) => format!("{scheme}://{host}"),
            _ => url.to_owned(),
        };
        let urls: Vec<String> = self.url.split(',').map(|url| show(url.trim())).collect();
        urls.join(",")
    }

    pub(crate) fn addresses(&self) -> Vec<String> {
        self.url.split(',').map(|url| url.trim().to_owned()).collect()
    }

    pub(crate) async fn options(&self) -> Result<ConnectOptions, QueueError> {
        let given = |text: &str| (!text.is_empty()).then(|| home_expanded(text));
        let of_file = |path: &Path, error: std::io::Error| {
            QueueError::File(format!("cannot read {}: {error}", path.display()))
        };
        let context = &self.credentials;
        if !context.nsc.is_empty() {
            return Err(QueueError::File(
                "the context uses `nsc`; give the file of the credentials (`creds`) instead".to_owned(),
            ));
        }
        let mut options = ConnectOptions::new()
            .name("lariat")
            .connection_timeout(CONNECT_PATIENCE)
            .reconnect_delay_callback(|attempts| Duration::from_millis(50 * attempts.min(40) as u64));
        if !context.user.is_empty() {
            options = options.user_and_password(context.user.clone(), context.password.clone());
        }
        if !context.token.is_empty() {
            options = options.token(context.token.clone());
        }
        if let Some(path) = given(&context.nkey) {
            let seed = fs::read_to_string(&path).map_err(|error| of_file(&path, error))?;
            options = options.nkey(seed.trim().to_owned());
        }
        if let Some(path) = given(&context.creds) {
            let read = options.credentials_file(&path).await;
            options = read.map_err(|error| of_file(&path, error))?;
        }
        if let Some(path) = given(&context.ca) {
            options = options.add_root_certificates(path);
        }
        if let (Some(cert), Some(key)) = (given(&context.cert), given(&context.key)) {
            options = options.add_client_certificate(cert, key);
        }
        let is_secret = self.url.starts_with("tls://") || !context.ca.is_empty() || !context.cert.is_empty();
        Ok(options.require_tls(is_secret))
    }
}

fn home_expanded(text: &str) -> PathBuf {
    match (text.strip_prefix("~/"), std::env::var_os("HOME")) {
        (Some(rest), Some(home)) => Path::new(&home).join(rest),
        _ => PathBuf::from(text),
    }
}

/// Where the `nats` command keeps the context of a name.
fn context_path(name: &str) -> Result<PathBuf, QueueError> {
    let folder = match (std::env::var_os("XDG_CONFIG_HOME"), std::env::var_os("HOME")) {
        (Some(folder), _) => PathBuf::from(folder),
        (None, Some(home)) => Path::new(&home).join(".config"),
        (None, None) => PathBuf::from(".config"),
    };
    let path = folder.join("nats/context").join(format!("{name}.json"));
    match path.is_file() {
        true => Ok(path),
        false => Err(QueueError::File(format!(
            "`{name}` is neither an address such as nats://localhost nor a context: there is no {}",
            path.display()
        ))),
    }
}

fn read_context(path: &Path) -> Result<Context, QueueError> {
    let text = fs::read_to_string(path)
        .map_err(|error| QueueError::File(format!("cannot read {}: {error}", path.display())))?;
    serde_json::from_str(&text)
        .map_err(|error| QueueError::File(format!("{} is not a context: {error}", path.display())))
}

#[cfg(test)]
mod tests {
    use lariat_testkit::folder::Folder;

    use super::*;

    #[test]
    fn a_context_file_has_the_address_and_the_credentials() {
        let folder = Folder::new("context");
        let text = r#"{"description": "ours", "url": "nats://a:1,nats://b:2", "user": "u", "password": "p"}"#;
        let path = folder.write("c.json", text);
        let server = Server::parse(path.to_str().expect("text")).expect("a server");
        assert_eq!(server.addresses(), ["nats://a:1", "nats://b:2"]);
        assert_eq!(server.credentials.user, "u");
        let empty = folder.write("empty.json", "{}");
        let error = Server::parse(empty.to_str().expect("text")).expect_err("no address");
        assert!(error.to_string().contains("names no server"), "{error}");
        let error = Server::parse("no-such-context").expect_err("no context");
        assert!(error.to_string().contains("neither an address"), "{error}");
    }

    #[test]
    fn passwords_are_not_shown() {
        let server = Server::parse("nats://me:secret@host:4222").expect("a server");
        assert_eq!(server.shown(), "nats://host:4222");
    }
}
