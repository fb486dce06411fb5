//! Rows and rules as files of whole numbers of 32 bits, little-endian.

use std::fs;
use std::io;

/// The values of a row, by column.
pub type Row = [i32];

/// A range that a rule asks of a column: from `low` up to `end`, which is not in it.
#[derive(Clone, Copy)]
pub struct Range {
    pub column: usize,
    pub low: i32,
    pub end: i32,
}

/// A conjunction of ranges of different columns.
pub type Rule = Vec<Range>;

/// One row after the other.
pub fn rows(path: &str, columns: usize) -> io::Result<Vec<i32>> {
    let values = integers(path)?;
    assert_eq!(values.len() % columns, 0, "{path} has no whole number of rows");
    Ok(values)
}

/// For each rule and each column `low` and `end`; a rule asks nothing of a column with `low` above `end`.
pub fn rules(path: &str, columns: usize) -> io::Result<Vec<Rule>> {
    let bounds = integers(path)?;
    assert_eq!(bounds.len() % (2 * columns), 0, "{path} has no whole number of rules");
    let range = |(column, bounds): (usize, &[i32])| Range { column, low: bounds[0], end: bounds[1] };
    Ok(bounds
        .chunks_exact(2 * columns)
        .map(|rule| rule.chunks_exact(2).enumerate().map(range).filter(|r| r.low <= r.end).collect())
        .collect())
}

fn integers(path: &str) -> io::Result<Vec<i32>> {
    let bytes = fs::read(path)?;
    Ok(bytes.chunks_exact(4).map(|b| i32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect())
}
