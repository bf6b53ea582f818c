//! `--weight GLOB=W`: what some documents count beside others.

use super::globs::Globs;
use crate::Usage;
use anyhow::Result;
use querent_core::document::{Document, DocumentWeight};

/// Patterns with their weights, in the order in which they were given.
#[derive(Debug)]
pub(crate) struct Weighted(Vec<(Globs, DocumentWeight)>);

impl Weighted {
    /// Reads `GLOB=W`, W above 0 and up to 15.
    ///
    /// # Errors
    /// When one is something else; the message names it.
    pub(crate) fn new(given: &[String]) -> Result<Self> {
        let read = |text: &String| -> Result<_> {
            let expected =
                || Usage(format!("weight: expected GLOB=W, W above 0 and up to 15; found {text:?}"));
            let (glob, weight) =
                text.rsplit_once('=').filter(|(glob, _)| !glob.is_empty()).ok_or_else(expected)?;
            let weight = weight.trim().parse().ok().filter(|weight| *weight <= 15.0);
            let weight = weight.and_then(DocumentWeight::new).ok_or_else(expected)?;
            Ok((Globs::new(&[glob.to_owned()], &[])?, weight))
        };
        given.iter().map(read).collect::<Result<_>>().map(Self)
    }

    /// Sets the weight of a document that matches; the last pattern that does decides, over what the document says.
    pub(crate) fn apply(&self, document: &mut Document) {
        if let Some((_, weight)) = self.0.iter().rfind(|(glob, _)| glob.matches(&document.path)) {
            document.weight = *weight;
        }
    }
}
