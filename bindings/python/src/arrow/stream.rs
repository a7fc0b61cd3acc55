//! Batches on their way out: to Python, or to the consumer of a C stream.

use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

/// A search that yields batches.
pub trait Batched: RecordBatchReader + Send {
    /// Ends it, and releases its input.
    fn end(&mut self);
}

/// Passes batches to the consumer of a C stream, which gets errors as text.
pub struct Exported(pub Box<dyn Batched>);

impl Iterator for Exported {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        // A panic would end the process: the consumer is not Rust.
        let next = catch_unwind(AssertUnwindSafe(|| Some(self.0.next()?.map_err(text))));
        let next = next.unwrap_or_else(|_| {
            self.0.end();
            Some(Err("urlgrep panicked".to_owned()))
        });
        // So would a zero in the text, which goes out as a string of C.
        Some(next?.map_err(|why| ArrowError::InvalidArgumentError(why.replace('\0', "\\0"))))
    }
}

impl RecordBatchReader for Exported {
    fn schema(&self) -> SchemaRef {
        self.0.schema()
    }
}

/// Returns the message of an error.
fn text(error: ArrowError) -> String {
    match error {
        ArrowError::ExternalError(error) => match error.downcast::<PyErr>() {
            Ok(raised) => Python::attach(|py| interrupt_again(py, &raised)),
            Err(error) => error.to_string(),
        },
        ArrowError::CDataInterface(why) | ArrowError::InvalidArgumentError(why) => why,
        other => other.to_string(),
    }
}

/// Returns the message of an exception. Ctrl-C becomes an error of the consumer, which a program
/// may handle. So it is sent again, and comes as soon as Python runs.
fn interrupt_again(py: Python<'_>, raised: &PyErr) -> String {
    if !raised.is_instance_of::<PyKeyboardInterrupt>(py) {
        return raised.to_string();
    }
    let _ = py.import("_thread").and_then(|thread| thread.call_method0("interrupt_main"));
    "interrupted".to_owned()
}
