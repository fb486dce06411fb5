//! Finds the rules that hold for each row, by an index of the rules, on threads. Prints as JSON the number of
//! matches, the sum of the rows' ids over the matches, and the time from the rules to the last match: wall clock
//! and processor time, in seconds. Reading the files is not in it.
//!
//! `rule-indexes a-tree|inverted ROWS RULES COLUMNS THREADS`

mod a_tree_index;
mod files;
mod inverted;

use std::env;
use std::error::Error;
use std::thread;
use std::time::Instant;

use cpu_time::ProcessTime;
use files::Row;

/// What holds for the rows: how many pairs of a row and a rule, and the sum of the ids of their rows.
#[derive(Default)]
pub struct Matches {
    count: u64,
    ids: u64,
}

impl Matches {
    fn add(&mut self, row: usize, rules: u64) {
        self.count += rules;
        self.ids += rules * row as u64;
    }
}

/// An index of rules.
trait Index: Sync {
    /// How many rules hold for a row.
    fn matches(&self, row: &Row) -> u64;
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().collect();
    let [_, kind, rows, rules, columns, threads] = arguments.as_slice() else {
        return Err("usage: rule-indexes a-tree|inverted ROWS RULES COLUMNS THREADS".into());
    };
    let (columns, threads) = (columns.parse()?, threads.parse()?);
    let rows = files::rows(rows, columns)?;
    let rules = files::rules(rules, columns)?;
    let (wall, processor) = (Instant::now(), ProcessTime::now());
    let found = match kind.as_str() {
        "a-tree" => search(&a_tree_index::ATreeIndex::new(&rules, columns), &rows, columns, threads),
        "inverted" => search(&inverted::Inverted::new(&rules, columns), &rows, columns, threads),
        other => return Err(format!("no index {other}: a-tree or inverted").into()),
    };
    println!(
        r#"{{"count": {}, "ids": {}, "seconds": {}, "cpu_seconds": {}}}"#,
        found.count,
        found.ids,
        wall.elapsed().as_secs_f64(),
        processor.elapsed().as_secs_f64()
    );
    Ok(())
}

/// Looks up all rows, each thread an equal part of them. A row's id is its position.
fn search(index: &impl Index, rows: &[i32], columns: usize, threads: usize) -> Matches {
    let count = rows.len() / columns;
    let part = count.div_ceil(threads).max(1);
    thread::scope(|scope| {
        let started: Vec<_> = (0..count)
            .step_by(part)
            .map(|first| {
                scope.spawn(move || {
                    let mut found = Matches::default();
                    for id in first..(first + part).min(count) {
                        let row = &rows[id * columns..(id + 1) * columns];
                        found.add(id, index.matches(row));
                    }
                    found
                })
            })
            .collect();
        started.into_iter().map(|thread| thread.join().expect("a thread that looks up rows has failed")).fold(
            Matches::default(),
            |sum, found| Matches { count: sum.count + found.count, ids: sum.ids + found.ids },
        )
    })
}
