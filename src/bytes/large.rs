//! Buffers of many megabytes.
//!
//! An allocator keeps freed memory for later, in glibc up to 64 MB for each thread, if large blocks
//! were freed before. But it returns a block of more than 32 MiB to the system at once. Memory that
//! is reserved and not used takes only address space, so a buffer that becomes large is reserved as
//! such a block.

/// The length from which a buffer is large, in bytes.
const LARGE: usize = 1 << 20;

/// The capacity of a large buffer, in bytes.
const BLOCK: usize = (32 << 20) + (64 << 10);

/// The bytes for which there must be addresses besides a block.
const SPARE: usize = 8 * BLOCK;

/// Prepares a buffer for `more` items. If the address space has no room for a block, it grows like
/// any other buffer.
#[inline]
pub(crate) fn prepare<T>(buffer: &mut Vec<T>, more: usize) {
    if buffer.capacity() - buffer.len() < more {
        reserve(buffer, more);
    }
}

/// An empty buffer for `len` bytes.
#[cfg(feature = "archive")]
pub(crate) fn with_capacity(len: usize) -> Vec<u8> {
    let mut buffer = Vec::new();
    prepare(&mut buffer, len);
    buffer.reserve(len);
    buffer
}

/// Returns true if the system has addresses for this many bytes more. Reserves them for a moment.
///
/// The allocator of a fuzzer writes an eighth of them, so it is not asked.
pub(crate) fn is_available(bytes: usize) -> bool {
    let mut probe: Vec<u8> = Vec::new();
    cfg!(fuzzing) || std::hint::black_box(&mut probe).try_reserve_exact(bytes).is_ok()
}

#[cold]
fn reserve<T>(buffer: &mut Vec<T>, more: usize) {
    let size = size_of::<T>().max(1);
    let len = buffer.len() + more;
    // If address space is scarce, other buffers need the addresses that this one would not use.
    if (LARGE / size..BLOCK / size).contains(&len) && is_available(SPARE) {
        let _ = buffer.try_reserve_exact(BLOCK.div_ceil(size) - buffer.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_buffers_are_blocks() {
        let mut buffer = vec![0_u8; 1000];
        prepare(&mut buffer, LARGE - 1001);
        assert_eq!(buffer.capacity(), 1000);
        // With 32 bits, the tests that run at the same time may leave no room for more.
        let may_be = |capacity| (BLOCK..2 * BLOCK).contains(&capacity) || !is_available(SPARE);
        prepare(&mut buffer, LARGE);
        assert!(may_be(buffer.capacity()));
        let mut numbers = vec![0_u64; LARGE / 8 - 1];
        prepare(&mut numbers, 1);
        assert!(may_be(8 * numbers.capacity()));
    }
}
