//! Damaged archives: what is not in the damage is found, and the damage is told.

use proptest::prelude::*;

use super::{found, plain, rows};
use crate::make::encode::gzip;
use crate::make::{POSIX, tar, zip};

fn one() -> Vec<u8> {
    tar(&plain(), POSIX)
}

/// Each of the files has one block of data.
const HEADERS: [usize; 4] = [0, 1024, 2048, 3072];

#[test]
fn a_changed_byte_in_a_header_costs_one_file() {
    for (damaged, header) in HEADERS.into_iter().enumerate() {
        // Byte 155 is padding after the checksum.
        for at in (header..header + 512).filter(|at| at % 512 != 155) {
            let mut file = one();
            file[at] ^= 0x15;
            let (found, errors) = found(&file[..]);
            let mut expected = rows("", "");
            expected.remove(damaged);
            assert_eq!(found, expected, "byte {at}");
            let error = format!(": the tar archive is damaged: at byte {header} there is no valid header");
            assert_eq!(errors, [error], "byte {at}");
        }
    }
}

#[test]
fn cut_off_anywhere() {
    let file = one();
    for len in 512..file.len() - 1024 {
        let (found, errors) = found(&file[..len]);
        let whole = HEADERS.iter().filter(|&&at| at + 1024 <= len).count();
        let all = rows("", "");
        assert_eq!(found[..whole], all[..whole], "{len}");
        // Of the last file, what there is.
        assert!(found.len() <= whole + 1, "{len}: {found:?}");
        assert_eq!(errors.len(), 1, "{len}: {errors:?}");
    }
    for len in file.len() - 1023..file.len() {
        assert_eq!(found(&file[..len]), (rows("", ""), vec![]), "{len}");
    }
}

#[test]
fn compressed_and_cut_off() {
    let file = gzip(&one());
    for len in 20..file.len() {
        let (found, errors) = found(&file[..len]);
        let all = rows("", "");
        assert!(found.iter().zip(&all).all(|(found, row)| found.0 == row.0), "{len}: {found:?}");
        assert_eq!(errors.len(), 1, "{len}: {errors:?}");
        assert!(errors[0].contains("truncated gzip data"), "{len}: {errors:?}");
    }
}

#[test]
fn a_damaged_archive_in_an_archive() {
    let mut inner = one();
    inner[1024] ^= 1;
    let outer = zip(&[
        ("a".to_owned(), b"http://h.org/a".to_vec()),
        ("b.tar".to_owned(), inner),
        ("c".to_owned(), b"http://h.org/c".to_vec()),
    ]);
    let (found, errors) = found(&outer[..]);
    let names: Vec<_> = found.iter().map(|row| &*row.0).collect();
    assert_eq!(names, ["a", "b.tar!/dir/b.mbox", "b.tar!/t.txt", "b.tar!/i", "c"]);
    assert_eq!(errors, ["b.tar: the tar archive is damaged: at byte 1024 there is no valid header"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Whatever is damaged, reading ends, and nothing is found that is not there.
    #[test]
    fn anything_damaged(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..8),
        cut in any::<prop::sample::Index>(),
    ) {
        let inner = [("a.tar".to_owned(), one()), ("b.zip".to_owned(), zip(&plain()))];
        for mut file in [tar(&inner, POSIX), zip(&inner)] {
            for (at, byte) in &changes {
                let at = at.index(file.len());
                file[at] = *byte;
            }
            let (rows, _) = found(&file[..1 + cut.index(file.len())]);
            prop_assert!(rows.len() <= 8, "{rows:?}");
        }
    }
}
