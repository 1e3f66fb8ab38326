//! Bytes by their hash: small ones are values of a bucket, which are one message each; large ones are objects.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use async_nats::jetstream::kv::CreateErrorKind;
use lariat_worker::StopSignal;
use tokio::io::AsyncReadExt;

use crate::connection::Connection;
use crate::error::QueueError;
use crate::program::hash_of;

/// A message of NATS has a megabyte at most, unless the server says otherwise.
const SMALL: usize = 512 << 10;

/// What a worker keeps of the files it had, in bytes.
const CACHED: usize = 64 << 20;

impl Connection {
    pub(crate) fn put_blob(&self, hash: &str, bytes: &[u8], stop: &StopSignal) -> Result<(), QueueError> {
        if bytes.len() <= SMALL {
            let value = bytes.to_vec();
            return self.patiently("cannot store a file", stop, || async {
                match self.files.create(hash, value.clone().into()).await {
                    Err(error) if error.kind() == CreateErrorKind::AlreadyExists => Ok(()),
                    created => created.map(|_| ()),
                }
            });
        }
        let is_there = self.block_on(self.objects.info(hash)).is_ok();
        if is_there {
            return Ok(());
        }
        self.patiently("cannot store a large file", stop, || async {
            self.objects.put(hash, &mut &*bytes).await.map(|_| ())
        })
    }

    /// `None` if it is not there. What does not have this hash is not there either.
    pub(crate) fn get_blob(
        &self,
        hash: &str,
        bytes: u64,
        stop: &StopSignal,
    ) -> Result<Option<Vec<u8>>, QueueError> {
        let found = if bytes <= SMALL as u64 {
            let value = self.patiently("cannot read a file", stop, || self.files.get(hash))?;
            value.map(|value| value.to_vec())
        } else {
            self.block_on(async {
                let mut object = self.objects.get(hash).await.ok()?;
                let mut text = Vec::new();
                object.read_to_end(&mut text).await.ok()?;
                Some(text)
            })
        };
        Ok(found.filter(|text| hash_of(text) == hash))
    }
}

/// Files that were here already.
#[derive(Default)]
pub(crate) struct BlobCache {
    known: Mutex<HashMap<String, Vec<u8>>>,
}

impl BlobCache {
    pub fn get(&self, hash: &str) -> Option<Vec<u8>> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(hash).cloned()
    }

    pub fn keep(&self, hash: &str, bytes: &[u8]) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let size: usize = known.values().map(Vec::len).sum();
        if size + bytes.len() > CACHED {
            known.clear();
        }
        if bytes.len() <= CACHED {
            known.insert(hash.to_owned(), bytes.to_vec());
        }
    }
}
