//! Symbols and their comments, found in the tree of a grammar.

use super::{Symbols, grammar::Grammar};
use querent_core::document::Unit;
use std::ops::{ControlFlow, Range};
use tree_sitter::{Node, ParseOptions, ParseState, Parser, Tree};

/// Symbols nested deeper than this belong to the one around them.
const MOST_DEPTH: usize = 32;
/// A constant or type alias of so many bytes is worth a section without a comment.
const LONG_VALUE: usize = 200;
/// What a container says before its first symbol, where it is no more than its name.
const BARE_LEAD: usize = 120;
/// Characters of a name that a heading shows.
const MOST_NAME: usize = 100;
/// How often the parser may ask whether to go on, for each byte of the source and at least: an input made to confuse
/// it ends there.
const MOST_STEPS: (usize, usize) = (2, 10_000);

/// The symbols of `text`.
pub(super) fn find(text: &str, grammar: &Grammar) -> Symbols {
    let Some(tree) = parse(text, grammar) else {
        let warning = "its structure could not be read in bounded time; it is indexed as one section";
        return Symbols { warning: Some(warning.to_owned()), ..Symbols::default() };
    };
    let mut finder =
        Finder { text, grammar, units: Vec::new(), docs: Vec::new(), pending: None, imports: None };
    finder.walk(tree.root_node());
    finder.end_imports();
    let mut units = finder.units;
    mark_bare(text, &mut units);
    number_lines(text, &mut units);
    let mut docs = finder.docs;
    docs.sort_by_key(|doc| doc.start);
    Symbols { units, docs, warning: None }
}

fn parse(text: &str, grammar: &Grammar) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(&grammar.language).ok()?;
    let mut steps = MOST_STEPS.1 + MOST_STEPS.0 * text.len();
    let mut count = |_: &ParseState| {
        steps = steps.saturating_sub(1);
        if steps == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = ParseOptions::new().progress_callback(&mut count);
    let bytes = text.as_bytes();
    parser.parse_with_options(&mut |at, _| bytes.get(at..).unwrap_or_default(), None, Some(options))
}

struct Finder<'a> {
    text: &'a str,
    grammar: &'a Grammar,
    units: Vec<Unit>,
    docs: Vec<Range<usize>>,
    /// Comments and attributes that stand right before what comes next.
    pending: Option<Range<usize>>,
    /// Imports one after the other.
    imports: Option<Range<usize>>,
}

/// A list of nodes that is being walked.
struct Level<'tree> {
    nodes: Vec<Node<'tree>>,
    next: usize,
    depth: usize,
}

impl Finder<'_> {
    /// Walks all bodies from `root` down, without recursion.
    fn walk(&mut self, root: Node<'_>) {
        let mut levels = vec![Level { nodes: children(root), next: 0, depth: 0 }];
        while let Some(level) = levels.last_mut() {
            let Some(&node) = level.nodes.get(level.next) else {
                levels.pop();
                self.pending = None;
                continue;
            };
            level.next += 1;
            let depth = level.depth;
            if let Some((body, inner)) = self.visit(node, depth) {
                levels.push(Level { nodes: children(body), next: 0, depth: inner });
            }
        }
    }

    /// Reads one node; gives the node to look into, and its depth in symbols.
    fn visit<'tree>(&mut self, node: Node<'tree>, depth: usize) -> Option<(Node<'tree>, usize)> {
        let kind = node.kind();
        if kind.ends_with("comment") || self.grammar.attributes.contains(&kind) {
            self.comment(node, kind.ends_with("comment"));
            return None;
        }
        let start = self.start_with_pending(node);
        if self.grammar.imports.contains(&kind) {
            self.import(start..trimmed_end(self.text, node));
            return None;
        }
        let inner = self.unwrapped(node);
        if let Some((word, is_container)) = self.symbol(inner, start < node.start_byte()) {
            self.end_imports();
            self.docstring(inner);
            self.add(start..self.end_of(node), &heading(self.text, inner, word));
            let body = inner.child_by_field_name("body");
            return body.filter(|_| is_container && depth < MOST_DEPTH).map(|body| (body, depth + 1));
        }
        self.grammar.bodies.contains(&kind).then_some((node, depth))
    }

    /// Comments and attributes in a row wait for the symbol that they belong to.
    fn comment(&mut self, node: Node<'_>, is_comment: bool) {
        let range = node.start_byte()..trimmed_end(self.text, node);
        if is_comment {
            self.docs.push(range.clone());
        }
        self.pending = match self.pending.take() {
            Some(before) if self.is_adjacent(before.end, range.start) => Some(before.start..range.end),
            // A comment at the end of a line belongs to that line.
            _ if is_comment && !self.begins_line(range.start) => None,
            _ => Some(range),
        };
    }

    /// Where `node` begins, with the comments right before it.
    fn start_with_pending(&mut self, node: Node<'_>) -> usize {
        let start = node.start_byte();
        let before = self.pending.take().filter(|before| self.is_adjacent(before.end, start));
        before.map_or(start, |before| before.start)
    }

    /// The end of `node`, with the semicolon that C and JavaScript keep outside it.
    fn end_of(&self, node: Node<'_>) -> usize {
        let end = trimmed_end(self.text, node);
        if self.text[end..].starts_with(';') { end + 1 } else { end }
    }

    fn is_adjacent(&self, end: usize, start: usize) -> bool {
        let between = self.text.get(end..start).unwrap_or("\n\n");
        between.trim().is_empty() && between.matches('\n').count() <= 1
    }

    fn begins_line(&self, at: usize) -> bool {
        let line = self.text[..at].rfind('\n').map_or(0, |at| at + 1);
        self.text[line..at].trim().is_empty()
    }

    fn import(&mut self, range: Range<usize>) {
        let goes_on = |before: &Range<usize>| {
            let between = self.text.get(before.end..range.start);
            between.is_some_and(|it| it.trim_matches([';', ' ', '\r', '\n']).is_empty())
        };
        match &mut self.imports {
            Some(before) if goes_on(before) => before.end = range.end,
            _ => {
                self.end_imports();
                self.imports = Some(range);
            }
        }
    }

    fn end_imports(&mut self) {
        if let Some(range) = self.imports.take() {
            self.add(range, "imports");
        }
    }

    /// The symbol inside decorators and `export`.
    fn unwrapped<'tree>(&self, node: Node<'tree>) -> Node<'tree> {
        let mut inner = node;
        for _ in 0..4 {
            if !self.grammar.wrappers.contains(&inner.kind()) {
                break;
            }
            let inside = children(inner);
            let symbol = inside.iter().rfind(|it| self.word_of(it.kind()).is_some());
            let wrapper = || inside.iter().rfind(|it| self.grammar.wrappers.contains(&it.kind()));
            match symbol.or_else(wrapper) {
                Some(found) => inner = *found,
                None => break,
            }
        }
        inner
    }

    fn word_of(&self, kind: &str) -> Option<&'static str> {
        let Grammar { containers, symbols, values, .. } = self.grammar;
        let mut all = containers.iter().chain(*symbols).chain(*values);
        all.find(|(of, _)| *of == kind).map(|(_, word)| *word)
    }

    /// The word before the name of `node`, and whether it holds symbols; `None` where it is none.
    fn symbol(&self, node: Node<'_>, is_documented: bool) -> Option<(&'static str, bool)> {
        let kind = node.kind();
        let is_in = |list: &[(&str, &str)]| list.iter().any(|(of, _)| *of == kind);
        let word = self.word_of(kind)?;
        // A mention of a type (`struct point p;`) is no symbol; only what has a body defines it.
        if kind.ends_with("_specifier") && node.child_by_field_name("body").is_none() {
            return None;
        }
        let is_worth = || is_documented || node.byte_range().len() >= LONG_VALUE || holds_function(node);
        (!is_in(self.grammar.values) || is_worth()).then(|| (word, is_in(self.grammar.containers)))
    }

    fn add(&mut self, range: Range<usize>, heading: &str) {
        let before = self.units.last().map_or(0, |unit| unit.range.start);
        if range.start >= before {
            self.units.push(Unit { range, heading: heading.to_owned(), anchor: None, is_bare: false });
        }
    }

    /// Python says what a symbol is for in its first statement.
    fn docstring(&mut self, node: Node<'_>) {
        let first = node.child_by_field_name("body").and_then(|body| body.named_child(0));
        let string = first.filter(|it| it.kind() == "expression_statement").and_then(|it| it.named_child(0));
        if let Some(string) =
            string.filter(|it| it.kind() == "string" && node.kind().ends_with("_definition"))
        {
            self.docs.push(string.byte_range());
        }
    }
}

/// The end of what `node` says: the nodes of some grammars take the line end with them.
fn trimmed_end(text: &str, node: Node<'_>) -> usize {
    node.start_byte() + text[node.byte_range()].trim_end().len()
}

/// All named children, in order.
fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).collect()
}

/// Whether a declaration's value is a function: `const search = () => {}`.
fn holds_function(node: Node<'_>) -> bool {
    let is_function = |value: Node<'_>| {
        matches!(value.kind(), "arrow_function" | "function_expression" | "generator_function" | "class")
    };
    let value_of = |node: Node<'_>| node.child_by_field_name("value").is_some_and(is_function);
    value_of(node) || children(node).into_iter().any(value_of)
}

/// `fn search`, `impl Display for Engine`, `func (e *Engine) Search`.
fn heading(text: &str, node: Node<'_>, word: &str) -> String {
    let field = |name: &str| node.child_by_field_name(name).map(|it| text[it.byte_range()].to_owned());
    let name = match (node.kind(), field("receiver")) {
        ("impl_item", _) => {
            let of = field("type").unwrap_or_default();
            field("trait").map_or(of.clone(), |it| format!("{it} for {of}"))
        }
        (_, Some(receiver)) => format!("{receiver} {}", field("name").unwrap_or_default()),
        _ => name_of(text, node).unwrap_or_default(),
    };
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let name: String = name.chars().take(MOST_NAME).collect();
    format!("{word} {name}").trim_end().to_owned()
}

/// The name of a symbol: its own, or that of what it declares.
fn name_of(text: &str, node: Node<'_>) -> Option<String> {
    let mut at = node;
    for _ in 0..8 {
        if let Some(name) = at.child_by_field_name("name").or(at.child_by_field_name("property")) {
            return Some(text[name.byte_range()].to_owned());
        }
        if matches!(at.kind(), "identifier" | "type_identifier" | "field_identifier") {
            return Some(text[at.byte_range()].to_owned());
        }
        let declares = |it: &Node<'_>| it.kind().ends_with("_declarator") || it.kind().ends_with("_spec");
        at = at.child_by_field_name("declarator").or_else(|| children(at).into_iter().find(declares))?;
    }
    None
}

/// A container that says no more than its name before its first symbol needs no chunk for that.
fn mark_bare(text: &str, units: &mut [Unit]) {
    for at in 1..units.len() {
        let (parent, child) = (units[at - 1].range.clone(), units[at].range.start);
        if child < parent.end {
            let lead = text[parent.start..child].trim();
            units[at - 1].is_bare = lead.len() <= BARE_LEAD && !lead.starts_with(['/', '#', '"']);
        }
    }
}

/// Anchors as code hosts write them: `L12-L40`.
fn number_lines(text: &str, units: &mut [Unit]) {
    let line_ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
    let line_of = |at: usize| line_ends.partition_point(|&line_end| line_end < at) + 1;
    for unit in units {
        let (first, last) = (line_of(unit.range.start), line_of(unit.range.end.max(1) - 1));
        unit.anchor = Some(if first == last { format!("L{first}") } else { format!("L{first}-L{last}") });
    }
}
