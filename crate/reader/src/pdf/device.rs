//! A device that keeps the glyphs of a page, and draws nothing.

use super::{line, strings};
use hayro_interpret::{
    BlendMode, ClipPath, DrawMode, DrawProps, Image, ImageDrawProps, SoftMask,
    font::{Glyph as FontGlyph, GlyphRun},
    hayro_cmap::{BfString, WritingMode},
    hayro_syntax::object::{Dict, String as PdfString},
    kurbo::{Affine, BezPath},
};
use std::{collections::HashMap, panic::resume_unwind};

/// Calls of the device for one file. A dense map has a million; forms that draw one another have no end, and
/// come to this one within seconds.
pub(super) const BUDGET: usize = 2_000_000;
/// Units of a glyph's space in an em.
const UNITS_PER_EM: f64 = 1000.0;

/// Most characters that one glyph stands for: a line of `ActualText` and more.
const MOST_REPLACED: usize = 4096;
/// The same glyph so many ems away is drawn twice to look bold.
const SAME_PLACE: f32 = 0.08;

/// Thrown when the budget is used up: the interpreter has no other way to be stopped.
pub(super) struct Exhausted;

/// One character where it stands. `u` runs along the line, `v` from line to line, in points.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Glyph {
    pub(super) character: char,
    pub(super) u: f32,
    pub(super) v: f32,
    pub(super) advance: f32,
    /// Height of an em.
    pub(super) size: f32,
}

/// Text in one direction: to the right, down, to the left, up. Vertical writing is read like text that runs down.
type Layers = [Vec<Glyph>; 4];

/// Text that stands in the file for what a sequence draws.
struct Replacement {
    text: Option<String>,
    depth: usize,
}

/// See the module.
pub(super) struct Device {
    layers: Layers,
    budget: usize,
    /// Sequences of marked content that are open.
    depth: usize,
    replacement: Option<Replacement>,
    /// Characters by their place: bold is often the same glyph drawn twice.
    seen: HashMap<(char, i32, i32), (f32, f32)>,
    unknown: usize,
    all: usize,
}

impl Device {
    pub(super) fn new(budget: usize) -> Self {
        let (layers, seen) = (Layers::default(), HashMap::new());
        Self { layers, budget, depth: 0, replacement: None, seen, unknown: 0, all: 0 }
    }

    /// What is left of the budget.
    pub(super) fn budget(&self) -> usize {
        self.budget
    }

    /// The glyphs by direction, the direction with most first; and how many had no character, and all.
    pub(super) fn finish(self) -> (Vec<Vec<Glyph>>, (usize, usize)) {
        let mut layers: Vec<_> = self.layers.into_iter().filter(|layer| !layer.is_empty()).collect();
        layers.sort_by_key(|layer| std::cmp::Reverse(layer.len()));
        (layers, (self.unknown, self.all))
    }

    fn spend(&mut self) {
        match self.budget.checked_sub(1) {
            Some(rest) => self.budget = rest,
            None => resume_unwind(Box::new(Exhausted)),
        }
    }

    /// Whether no glyph like this one stands at its place, or next to it.
    fn is_new(&mut self, glyph: &Glyph) -> bool {
        let near = SAME_PLACE * glyph.size;
        let cell = |at: f32| (at / near.max(0.5)).floor() as i32;
        let (column, row) = (cell(glyph.u), cell(glyph.v));
        let is_there = (-1..=1).flat_map(|x| (-1..=1).map(move |y| (x, y))).any(|(x, y)| {
            let found = self.seen.get(&(glyph.character, column.wrapping_add(x), row.wrapping_add(y)));
            found.is_some_and(|&(u, v)| (u - glyph.u).abs() <= near && (v - glyph.v).abs() <= near)
        });
        self.seen.insert((glyph.character, column, row), (glyph.u, glyph.v));
        !is_there
    }

    /// Adds `text`, which the glyph at `transform` shows over `advance` of its units.
    fn add(&mut self, text: &str, transform: Affine, advance: f64, is_vertical: bool) {
        let [a, b, c, d, x, y] = transform.as_coeffs();
        let size = c.hypot(d) * UNITS_PER_EM;
        let is_usable = [a, b, c, d, x, y, advance].iter().all(|number| number.is_finite());
        if !is_usable || size <= 0.0 || size > 1e5 || x.abs() > 1e5 || y.abs() > 1e5 {
            return;
        }
        let (direction, u, v) = if is_vertical {
            (1, y, -x)
        } else {
            match (a.abs() >= b.abs(), a >= 0.0, b >= 0.0) {
                (true, true, _) => (0, x, y),
                (false, _, true) => (1, y, -x),
                (true, false, _) => (2, -x, -y),
                (false, _, false) => (3, -y, x),
            }
        };
        let length = if is_vertical { size } else { advance.max(0.0) * a.hypot(b) };
        let mut characters: Vec<char> = strings::readable(text).take(MOST_REPLACED).collect();
        characters.iter().skip(1).for_each(|_| self.spend());
        // One glyph for several letters: those of scripts that run to the left stand in it from the right.
        if characters.first().is_some_and(|&first| line::is_rtl(first)) {
            characters.reverse();
        }
        let each = length / characters.len().max(1) as f64;
        for (index, character) in characters.into_iter().enumerate() {
            let at = (u + each * index as f64) as f32;
            let glyph = Glyph { character, u: at, v: v as f32, advance: each as f32, size: size as f32 };
            if character == ' ' || self.is_new(&glyph) {
                self.layers[direction].push(glyph);
            }
        }
    }
}

impl<'a> hayro_interpret::Device<'a> for Device {
    fn draw_glyph_run(&mut self, run: &GlyphRun<'_, 'a>, props: DrawProps<'a>, _: &DrawMode) {
        let is_vertical = matches!(run.writing_mode(), WritingMode::Vertical);
        for glyph in run.glyphs() {
            self.spend();
            let transform = props.transform * glyph.transform();
            let advance = match &**glyph {
                FontGlyph::Outline(outline) => outline.advance_width(),
                FontGlyph::Type3(type3) => type3.advance_width(),
            };
            let advance = f64::from(advance.unwrap_or(500.0));
            if let Some(replacement) = &mut self.replacement {
                if let Some(text) = replacement.text.take() {
                    // The whole text stands where its first glyph does; what follows it is found by its own place.
                    self.add(&text, transform, advance, is_vertical);
                }
                continue;
            }
            self.all += 1;
            match glyph.as_unicode() {
                Some(BfString::Char(character)) => {
                    self.add(character.encode_utf8(&mut [0; 4]), transform, advance, is_vertical);
                }
                Some(BfString::String(text)) => self.add(&text, transform, advance, is_vertical),
                None => self.unknown += 1,
            }
        }
    }

    fn begin_marked_content(&mut self, _: &[u8], properties: Option<&Dict<'_>>) {
        self.spend();
        self.depth += 1;
        let text = properties.and_then(|it| it.get::<PdfString<'_>>("ActualText"));
        if let (None, Some(text)) = (&self.replacement, text) {
            let text = strings::text(text.as_bytes());
            self.replacement = Some(Replacement { text: Some(text), depth: self.depth });
        }
    }

    fn end_marked_content(&mut self) {
        if self.replacement.as_ref().is_some_and(|it| it.depth >= self.depth) {
            self.replacement = None;
        }
        self.depth = self.depth.saturating_sub(1);
    }

    fn draw_path(&mut self, _: &BezPath, _: DrawProps<'a>, _: &DrawMode) {
        self.spend();
    }

    fn push_clip_path(&mut self, _: &ClipPath) {
        self.spend();
    }

    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'a>>, _: BlendMode) {
        self.spend();
    }

    fn draw_image(&mut self, _: Image<'a, '_>, _: ImageDrawProps<'a>) {
        self.spend();
    }

    fn pop_clip(&mut self) {}

    fn pop_transparency_group(&mut self) {}
}
