//! The crate `a-tree`, which is AdGear's A-Tree.

use a_tree::{ATree, AttributeDefinition};

use crate::files::{Row, Rule};
use crate::Index;

pub struct ATreeIndex {
    names: Vec<String>,
    tree: ATree<usize>,
}

impl ATreeIndex {
    pub fn new(rules: &[Rule], columns: usize) -> Self {
        let names: Vec<String> = (0..columns).map(|column| format!("a{column}")).collect();
        let attributes: Vec<_> = names.iter().map(|name| AttributeDefinition::integer(name)).collect();
        let mut tree = ATree::new(&attributes).expect("the columns are attributes of different names");
        for (number, rule) in rules.iter().enumerate() {
            tree.insert(&number, &condition(rule)).expect("ranges of columns are an expression");
        }
        Self { names, tree }
    }
}

fn condition(rule: &Rule) -> String {
    let ranges = rule.iter().map(|r| format!("a{} >= {} and a{} < {}", r.column, r.low, r.column, r.end));
    ranges.collect::<Vec<_>>().join(" and ")
}

impl Index for ATreeIndex {
    fn matches(&self, row: &Row) -> u64 {
        let mut event = self.tree.make_event();
        for (name, &value) in self.names.iter().zip(row) {
            event.with_integer(name, value.into()).expect("the column is an attribute");
        }
        let event = event.build().expect("all attributes have values");
        self.tree.search(&event).expect("the event is of this tree").matches().len() as u64
    }
}
