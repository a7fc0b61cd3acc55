//! Batches on their way out: to Python, or to the consumer of a C stream.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

use super::table::Output;

/// A search that yields batches.
pub trait Batched: Send {
    /// Returns the batches so far, and whether it has ended.
    fn output(&mut self) -> &mut Output;

    /// Searches until a batch is ready, or for some time.
    ///
    /// # Errors
    ///
    /// Returns an error that ends the search.
    fn advance(&mut self) -> Result<(), ArrowError>;

    /// Ends it, and releases its input.
    fn end(&mut self);

    /// Returns the next batch; `None` after the last.
    fn next_batch(&mut self) -> Option<Result<RecordBatch, ArrowError>> {
        while !self.output().is_ready() && !self.output().ended {
            if let Err(error) = self.advance() {
                self.end();
                return Some(Err(error));
            }
        }
        self.output().take().map(Ok)
    }
}

/// Passes batches of a schema to the consumer of a C stream, which gets errors as text.
pub struct Exported(pub Box<dyn Batched>, pub SchemaRef);

impl Iterator for Exported {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        // A panic would end the process: the consumer is not Rust.
        let next = catch_unwind(AssertUnwindSafe(|| Some(self.0.next_batch()?.map_err(text))));
        let next = next.unwrap_or_else(|_| {
            self.0.end();
            Some(Err("urlgrep panicked".to_owned()))
        });
        // A NUL would do the same, because the text is passed as a C string.
        Some(next?.map_err(|why| ArrowError::InvalidArgumentError(why.replace('\0', "\\0"))))
    }
}

impl RecordBatchReader for Exported {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.1)
    }
}

/// Returns the message of an error.
fn text(error: ArrowError) -> String {
    match error {
        ArrowError::ExternalError(error) => match error.downcast::<PyErr>() {
            // Ctrl-C becomes an error of the consumer, which a program may handle. So it is sent again, and comes as
            // soon as Python runs.
            Ok(raised) => Python::attach(|py| match raised.is_instance_of::<PyKeyboardInterrupt>(py) {
                true => {
                    let _ = py.import("_thread").and_then(|thread| thread.call_method0("interrupt_main"));
                    "interrupted".to_owned()
                }
                false => raised.to_string(),
            }),
            Err(error) => error.to_string(),
        },
        ArrowError::CDataInterface(why) | ArrowError::InvalidArgumentError(why) => why,
        other => other.to_string(),
    }
}
