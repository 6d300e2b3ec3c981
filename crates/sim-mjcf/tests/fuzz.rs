//! Models with random damage: whatever the text, loading comes to an end without a panic, quickly
//! and within bounds of memory, and what loads survives being written and read.
//!
//! Runs for a few seconds, or as many as `FUZZ_SECONDS` says; `FUZZ_SEED` makes it take another
//! path. A model that fails is printed along with its seed.

mod common;

use std::fmt::Write;
use std::fs;
use std::panic;
use std::path::Path;
use std::time::{Duration, Instant};

use common::{above, difference};
use sim_mjcf::Spec;

/// What loading one model may take.
const TIME_LIMIT: Duration = Duration::from_secs(5);
const MEMORY_LIMIT: u64 = 500 << 20;

/// Pseudorandom numbers (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below `end`, which is not zero.
    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

/// An element.
#[derive(Debug, Clone, Default)]
struct Node {
    name: String,
    attributes: Vec<(String, String)>,
    children: Vec<Node>,
}

impl Node {
    fn new(node: roxmltree::Node<'_, '_>) -> Node {
        let attributes = node.attributes().map(|a| (a.name().to_owned(), a.value().to_owned()));
        Node {
            name: node.tag_name().name().to_owned(),
            attributes: attributes.collect(),
            children: node.children().filter(|c| c.is_element()).map(Node::new).collect(),
        }
    }

    fn parse(text: &str) -> Option<Node> {
        Some(Node::new(roxmltree::Document::parse(text).ok()?.root_element()))
    }

    fn print(&self, text: &mut String) {
        let _ = write!(text, "<{}", self.name);
        for (name, value) in &self.attributes {
            let value = value.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
            let _ = write!(text, " {name}=\"{value}\"");
        }
        text.push('>');
        self.children.iter().for_each(|child| child.print(text));
        let _ = write!(text, "</{}>", self.name);
    }

    /// Number of elements, counting this one.
    fn count(&self) -> usize {
        1 + self.children.iter().map(Node::count).sum::<usize>()
    }

    /// Element `index` in order of the document.
    fn at(&mut self, index: usize) -> &mut Node {
        let mut rest = index;
        let mut node = self;
        'down: while rest > 0 {
            rest -= 1;
            for i in 0..node.children.len() {
                let count = node.children[i].count();
                if rest < count {
                    node = &mut node.children[i];
                    continue 'down;
                }
                rest -= count;
            }
            break;
        }
        node
    }

    /// A copy of a random element.
    fn sample(&mut self, random: &mut Random) -> Node {
        let index = random.below(self.count());
        self.at(index).clone()
    }
}

/// Numbers that are likely to hurt.
const NUMBERS: [&str; 26] = [
    "0",
    "-0",
    "1",
    "-1",
    "2",
    "3",
    "0.5",
    "-0.001",
    "1e-15",
    "1e-320",
    "1e-160",
    "1e15",
    "1e154",
    "1e308",
    "-1e308",
    "inf",
    "-inf",
    "nan",
    "1e999",
    "2147483647",
    "-2147483648",
    "99999999999",
    "1e5",
    "100",
    "0x10",
    "abc",
];

/// Words that are values, references or both.
const WORDS: [&str; 22] = [
    "", "true", "false", "auto", "world", "main", "none", "free", "ball", "slide", "hinge",
    "plane", "box", "capsule", "mesh", "hfield", "radian", "zyx", "implicit", "RK4", "disable",
    "enable",
];

/// Elements to put around others.
const WRAPPERS: [&str; 9] =
    ["frame", "body", "default", "worldbody", "custom", "replicate", "tuple", "mujoco", "actuator"];

/// Changes one attribute of an element.
fn change_attribute(node: &mut Node, other: Node, random: &mut Random) {
    let borrowed = match other.attributes.len() {
        0 => None,
        count => Some(other.attributes[random.below(count)].clone()),
    };
    if node.attributes.is_empty() {
        node.attributes.extend(borrowed);
        return;
    }
    let i = random.below(node.attributes.len());
    let value = &mut node.attributes[i].1;
    let mut words: Vec<String> = value.split_whitespace().map(str::to_owned).collect();
    match random.below(8) {
        // a number, one more, one less, one order
        0..=2 if !words.is_empty() => {
            let at = random.below(words.len());
            words[at] = (*random.pick(&NUMBERS)).to_owned();
            *value = words.join(" ");
        }
        3 => {
            words.push((*random.pick(&NUMBERS)).to_owned());
            *value = words.join(" ");
        }
        4 if !words.is_empty() => {
            words.remove(random.below(words.len()));
            *value = words.join(" ");
        }
        5 => *value = (*random.pick(&WORDS)).to_owned(),
        // a value or a whole attribute from elsewhere
        6 => {
            if let Some((_, borrowed)) = borrowed {
                *value = borrowed;
            }
        }
        _ => match borrowed {
            Some(borrowed) if !random.chance(3) => {
                node.attributes.retain(|(name, _)| *name != borrowed.0);
                node.attributes.push(borrowed);
            }
            _ => {
                node.attributes.remove(i);
            }
        },
    }
}

/// Changes the tree in one place; `others` are models to borrow from.
fn change_tree(root: &mut Node, others: &mut [Node], random: &mut Random) {
    let lender = random.below(others.len());
    let other = if random.chance(2) { root.sample(random) } else { others[lender].sample(random) };
    let index = random.below(root.count());
    let node = root.at(index);
    match random.below(12) {
        0..=6 => change_attribute(node, other, random),
        // elements elsewhere, twice, gone, in other order, around others, under another name
        7 => node.children.push(other),
        8 if !node.children.is_empty() => {
            let copy = random.pick(&node.children).clone();
            let times = if random.chance(20) { 50 } else { 1 };
            node.children.extend(std::iter::repeat_n(copy, times));
        }
        9 if !node.children.is_empty() => {
            node.children.remove(random.below(node.children.len()));
        }
        10 if node.children.len() > 1 => {
            let (a, b) = (random.below(node.children.len()), random.below(node.children.len()));
            node.children.swap(a, b);
        }
        11 if !node.children.is_empty() => {
            let i = random.below(node.children.len());
            let inner = std::mem::take(&mut node.children[i]);
            let name = (*random.pick(&WRAPPERS)).to_owned();
            node.children[i] = Node { name, children: vec![inner], ..Node::default() };
        }
        _ => node.name = other.name,
    }
}

/// Changes the text in one place, as if it knew nothing of XML.
fn change_bytes(text: &mut Vec<u8>, random: &mut Random) {
    if text.is_empty() {
        return;
    }
    let at = random.below(text.len());
    let end = (at + 1 + random.below(40)).min(text.len());
    match random.below(6) {
        0 => text[at] = random.next() as u8,
        1 => text[at] = *random.pick(b"<>\"'/=&- \0\n9e."),
        2 => text.insert(at, *random.pick(b"<>\"'/=&-;#!?[]")),
        3 => {
            text.drain(at..end);
        }
        4 => {
            let piece = text[at..end].to_vec();
            let to = random.below(text.len());
            text.splice(to..to, piece);
        }
        _ => text.truncate(at),
    }
}

/// A damaged model.
fn damaged(models: &mut [Node], random: &mut Random) -> String {
    let mut root = random.pick(models).clone();
    for _ in 0..1 + random.below(6) {
        change_tree(&mut root, models, random);
    }
    let mut text = String::new();
    root.print(&mut text);
    if random.chance(4) {
        let mut bytes = text.into_bytes();
        for _ in 0..1 + random.below(4) {
            change_bytes(&mut bytes, random);
        }
        text = String::from_utf8_lossy(&bytes).into_owned();
    }
    text
}

/// Loads a model; returns whether it loads, or what went wrong in trying.
fn load(text: &str) -> Result<bool, String> {
    let Ok(spec) = Spec::from_str(text).map_err(|error| error.to_string()) else {
        return Ok(false);
    };
    let Ok(first) = spec.compile().map_err(|error| error.to_string()) else {
        return Ok(false);
    };
    first.warnings.iter().for_each(|warning| drop(warning.to_string()));
    let written = spec.to_xml();
    let again = match Spec::from_str(&written).and_then(|spec| spec.compile()) {
        Ok(again) => again,
        Err(error) => return Err(format!("what is written does not load: {error}\n{written}")),
    };
    match difference(&first.model, &again.model) {
        Some(field) => Err(format!("what is written differs in {field}\n{written}")),
        None => Ok(true),
    }
}

/// Loads a model under watch.
fn watched(text: &str) -> Result<bool, String> {
    let start = Instant::now();
    let mut result = Ok(false);
    let memory = allocation_counter::measure(|| {
        result = panic::catch_unwind(|| load(text)).unwrap_or_else(|_| Err(String::from("panics")));
    });
    let elapsed = start.elapsed();
    if elapsed > TIME_LIMIT {
        return Err(format!("takes {elapsed:?}"));
    }
    if memory.bytes_max > MEMORY_LIMIT {
        return Err(format!("takes {} MB", memory.bytes_max >> 20));
    }
    result
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// The models in a directory whose names end so; large ones would take all the time.
fn models(dir: &Path, extension: &str) -> Vec<Node> {
    let mut models = Vec::new();
    for entry in fs::read_dir(dir).expect("the models are there").flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|found| found == extension) {
            let text = fs::read_to_string(&path).expect("a model can be read");
            models.extend(Node::parse(&text).filter(|root| root.count() < 300));
        }
    }
    models
}

/// Loads damaged copies of the models for a while.
fn damage(mut models: Vec<Node>) {
    let duration = Duration::from_secs(setting("FUZZ_SECONDS", 3));
    let seed = setting("FUZZ_SEED", 1);
    let start = Instant::now();
    let (mut cases, mut loaded) = (0, 0);
    while start.elapsed() < duration {
        let mut random = Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d).wrapping_add(cases));
        let text = damaged(&mut models, &mut random);
        match watched(&text) {
            Ok(loads) => loaded += u64::from(loads),
            Err(fault) => panic!("seed {seed}, case {cases}: {fault}\n{text}"),
        }
        cases += 1;
    }
    println!("{cases} damaged models, of which {loaded} load");
    assert!(loaded > cases / 100, "only {loaded} of {cases} models load");
}

#[test]
fn damaged_models_load_or_fail_in_good_order() {
    let models = models(&above(2, "models"), "xml");
    assert!(models.len() > 30, "there are models to damage");
    damage(models);
}

#[test]
fn damaged_robots_load_or_fail_in_good_order() {
    let robots = models(&above(0, "tests/robots"), "urdf");
    assert_eq!(robots.len(), 2, "there are robots to damage");
    damage(robots);
}

#[test]
fn robots_with_many_links_take_bounded_time_and_memory() {
    let link = |name: &str| {
        let shape = "<collision><geometry><sphere radius='0.1'/></geometry></collision>";
        format!("<link name='{name}'>{shape}</link>")
    };
    let robot = |parent: fn(usize) -> usize, count: usize| {
        let mut text = String::from("<robot name='r'>") + &link("0");
        for i in 1..count {
            let parent = parent(i);
            text += &link(&i.to_string());
            let _ = write!(
                text,
                "<joint name='j{i}' type='revolute'><parent link='{parent}'/><child link='{i}'/></joint>"
            );
        }
        text + "</robot>"
    };
    // a chain, a star, and what is too deep
    for (parent, count, loads) in [
        ((|i| i - 1) as fn(usize) -> usize, 400, true),
        (|_| 0, 3000, true),
        (|i| i - 1, 20_000, false),
    ] {
        let text = robot(parent, count);
        let start = Instant::now();
        let spec = Spec::from_str(&text);
        assert_eq!(spec.and_then(|spec| spec.compile()).is_ok(), loads, "{count} links");
        assert!(start.elapsed() < TIME_LIMIT, "{count} links take {:?}", start.elapsed());
    }
}
