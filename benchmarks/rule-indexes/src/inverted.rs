//! An inverted index on the most selective condition of each rule.

use crate::files::{Range, Row, Rule};
use crate::Index;

/// For each column, the rules whose narrowest range is on it.
pub struct Inverted {
    columns: Vec<Column>,
}

struct Column {
    number: usize,
    /// The ends of regions, ascending: region `r` has the values below `bounds[r]` that are in none before it.
    bounds: Vec<i32>,
    /// Where the candidates of each region begin, and where those of the last one end.
    starts: Vec<usize>,
    /// Positions in `rests`.
    candidates: Vec<u32>,
    rests: Vec<Rest>,
}

/// What a rule asks besides the condition in the index.
struct Rest {
    first: [Condition; IN_PLACE],
    others: Box<[Condition]>,
}

/// Rules of up to four columns have all of their conditions in place.
const IN_PLACE: usize = 3;

/// A range as one comparison.
#[derive(Clone, Copy)]
struct Condition {
    column: u32,
    low: i32,
    width: u32,
}

impl Condition {
    /// What holds for all values but the largest, which no row has.
    const ANY: Self = Self { column: 0, low: i32::MIN, width: u32::MAX };

    fn new(range: &Range) -> Self {
        let width = range.end.wrapping_sub(range.low) as u32;
        Self { column: range.column as u32, low: range.low, width }
    }

    fn holds(&self, row: &Row) -> bool {
        (row[self.column as usize].wrapping_sub(self.low) as u32) < self.width
    }
}

impl Inverted {
    pub fn new(rules: &[Rule], columns: usize) -> Self {
        let mut by_column: Vec<Vec<(Range, Vec<Range>)>> = vec![Vec::new(); columns];
        for rule in rules {
            let mut ranges = rule.clone();
            ranges.sort_by_key(|range| range.end - range.low);
            let narrowest = ranges.remove(0);
            by_column[narrowest.column].push((narrowest, ranges));
        }
        let used = by_column.iter().enumerate().filter(|(_, rules)| !rules.is_empty());
        Self { columns: used.map(|(number, rules)| Column::new(number, rules)).collect() }
    }
}

impl Column {
    fn new(number: usize, rules: &[(Range, Vec<Range>)]) -> Self {
        let mut bounds: Vec<i32> = rules.iter().flat_map(|(range, _)| [range.low, range.end]).collect();
        bounds.sort_unstable();
        bounds.dedup();
        let mut by_region: Vec<Vec<u32>> = vec![Vec::new(); bounds.len() + 1];
        for (rule, (range, _)) in rules.iter().enumerate() {
            for candidates in &mut by_region[region(&bounds, range.low)..region(&bounds, range.end)] {
                candidates.push(rule as u32);
            }
        }
        let mut starts = vec![0];
        starts.extend(by_region.iter().scan(0, |end, candidates| {
            *end += candidates.len();
            Some(*end)
        }));
        let rests = rules.iter().map(|(_, rest)| Rest::new(rest)).collect();
        Self { number, bounds, starts, candidates: by_region.concat(), rests }
    }
}

impl Rest {
    fn new(ranges: &[Range]) -> Self {
        let mut conditions = ranges.iter().map(Condition::new);
        let first = std::array::from_fn(|_| conditions.next().unwrap_or(Condition::ANY));
        Self { first, others: conditions.collect() }
    }

    /// Without a branch for each of the first conditions: most candidates fail one of them, and which one cannot
    /// be foreseen.
    fn holds(&self, row: &Row) -> bool {
        let first = self.first.iter().fold(true, |holds, condition| holds & condition.holds(row));
        first && self.others.iter().all(|condition| condition.holds(row))
    }
}

fn region(bounds: &[i32], value: i32) -> usize {
    bounds.partition_point(|&bound| bound <= value)
}

impl Index for Inverted {
    fn matches(&self, row: &Row) -> u64 {
        let mut found = 0;
        for column in &self.columns {
            let region = region(&column.bounds, row[column.number]);
            let candidates = &column.candidates[column.starts[region]..column.starts[region + 1]];
            found += candidates.iter().filter(|&&rule| column.rests[rule as usize].holds(row)).count() as u64;
        }
        found
    }
}
