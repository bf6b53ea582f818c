//! A hit in its context: the chunks of its document around the match, assembled.

use super::{Engine, Hit, SearchError};
use crate::{
    assembly::{Assembled, AssemblySettings, DocumentChunks, assemble},
    segment::{ChunkId, Missing},
};

impl Engine {
    /// What belongs to the best chunk of `hit`: its section with what stands around it, or the complete function, class
    /// or object. `None` when the index that gave the hit is no longer mounted.
    ///
    /// Not a stage of a search: it reads texts of a document that the search did not need.
    ///
    /// # Errors
    /// [`SearchError::Missing`] until the texts around the match were handed over.
    pub fn assemble(&self, hit: &Hit, settings: &AssemblySettings) -> Result<Option<Assembled>, SearchError> {
        let Some(segment) = self.segments().nth(hit.chunk.segment) else { return Ok(None) };
        let mut missing = Missing::default();
        let Some(directory) = segment.directory(&mut missing) else { return Err(missing.into()) };
        let matched = hit.chunk.chunk.0;
        let all = directory.chunks_of(directory.document_of(hit.chunk.chunk));
        let reach = u32::try_from(settings.max_chunks).unwrap_or(u32::MAX);
        let window = matched.saturating_sub(reach).max(all.start)
            ..matched.saturating_add(reach).saturating_add(1).min(all.end);
        let texts: Vec<_> = window
            .filter_map(|chunk| {
                let (document, text) = segment.text(ChunkId(chunk), &mut missing)?;
                Some((chunk, document, text))
            })
            .collect();
        let texts = missing.or(texts)?;
        let place =
            texts.iter().position(|&(chunk, document, _)| chunk == matched && document.path == hit.path);
        let Some(place) = place else { return Ok(None) };
        let document = DocumentChunks {
            content_type: Some(texts[place].1.content_type),
            total: all.len(),
            chunks: texts.iter().map(|&(chunk, _, text)| ((chunk - all.start) as usize, text)).collect(),
        };
        Ok(Some(assemble(&document, &[place], settings)))
    }
}
