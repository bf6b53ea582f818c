//! The indexes that an engine searches, and their files.

use super::{Engine, Mount, Stats, select};
use crate::{
    embedding::ModelIdentity,
    order::sort_by,
    segment::{FileEntry, Manifest, Missing, Segment, SegmentEntry, SegmentError},
};

impl Engine {
    /// Adds the index that `manifest` describes under the name `source`, or replaces the one mounted under that
    /// name. Files that both have stay loaded. Results of all mounted indexes are ranked together.
    ///
    /// # Errors
    /// When the manifest is damaged, of another format version, or of another model than the one mounted first.
    pub fn mount(&mut self, source: &str, manifest: &[u8]) -> Result<(), SegmentError> {
        self.mount_manifest(source, Manifest::from_bytes(manifest)?)
    }

    /// [`Self::mount`] of a manifest that was read.
    ///
    /// # Errors
    /// When it is of another model than the one mounted first.
    pub fn mount_manifest(&mut self, source: &str, manifest: Manifest) -> Result<(), SegmentError> {
        self.check_model(source, &manifest)?;
        let mut before = self.unmount(source).map_or_else(Vec::new, |mount| mount.segments);
        let reuse = |entry: &SegmentEntry| {
            let known = before.iter().position(|segment| segment.entry().directory == entry.directory);
            let mut segment = known.map_or_else(|| Segment::new(entry.clone()), |at| before.swap_remove(at));
            segment.set_entry(entry.clone());
            segment
        };
        let segments = manifest.segments.iter().map(reuse).collect();
        self.mounts.push(Mount { source: source.to_owned(), manifest, segments });
        // The order of mounting must not decide between equal scores.
        sort_by(&mut self.mounts, |a, b| a.source.cmp(&b.source));
        Ok(())
    }

    /// Takes the index that was mounted under the name `source` away. Says whether there was one.
    pub fn remove(&mut self, source: &str) -> bool {
        self.unmount(source).is_some()
    }

    fn unmount(&mut self, source: &str) -> Option<Mount> {
        let at = self.mounts.iter().position(|mount| mount.source == source)?;
        Some(self.mounts.remove(at))
    }

    fn check_model(&self, source: &str, manifest: &Manifest) -> Result<(), SegmentError> {
        let others = self.mounts.iter().filter(|mount| mount.source != source);
        let in_use = others.filter_map(|mount| mount.manifest.model.as_ref()).next();
        match (in_use, &manifest.model) {
            (Some(expected), Some(got)) if expected != got => {
                Err(SegmentError::Model { expected: expected.to_string(), got: got.to_string() })
            }
            _ => Ok(()),
        }
    }

    /// Hands over the bytes of the file `name`.
    ///
    /// # Errors
    /// When no mounted manifest names the file, or when the bytes are not what the manifest promises: fetch
    /// the file again.
    pub fn load(&mut self, name: &str, bytes: &[u8]) -> Result<(), SegmentError> {
        let mut is_known = false;
        for segment in self.mounts.iter_mut().flat_map(|mount| &mut mount.segments) {
            if let Some(file) = segment.file(name) {
                segment.load(&file, bytes)?;
                is_known = true;
            }
        }
        if is_known { Ok(()) } else { Err(SegmentError::Unknown { name: name.to_owned() }) }
    }

    /// Files that every search needs and that are not there yet: the directories.
    pub fn essential_files(&self) -> Vec<FileEntry> {
        let mut missing = Missing::default();
        self.segments().for_each(|segment| {
            segment.directory(&mut missing);
        });
        missing.into_files()
    }

    /// All files of the mounted indexes, as far as their directories have been loaded.
    pub fn files(&self) -> Vec<FileEntry> {
        let of_segment = |segment: &Segment| {
            let named = segment
                .directory(&mut Missing::default())
                .map(|directory| directory.files().collect::<Vec<_>>());
            std::iter::once(segment.entry().directory.clone())
                .chain(named.unwrap_or_default())
                .collect::<Vec<_>>()
        };
        self.segments().flat_map(of_segment).collect()
    }

    /// The model whose vectors the index holds; `None` when it holds none.
    pub fn model(&self) -> Option<&ModelIdentity> {
        self.mounts.iter().find_map(|mount| mount.manifest.model.as_ref())
    }

    /// Whether a query can be embedded without a model, as far as the directories have been loaded.
    pub fn has_query_encoder(&self) -> bool {
        self.segments().any(|segment| segment.has_encoder(&mut Missing::default()) == Some(true))
    }

    /// What of `query` is to be embedded: all but the filters in it, as far as the files that name them have been loaded.
    /// They have been when a lexical search for the query is done.
    pub fn words_of(&self, query: &str) -> String {
        select::words_of(query, self.segments())
    }

    /// What the mounted indexes hold.
    pub fn stats(&self) -> Stats {
        self.segments().map(Segment::entry).fold(Stats::default(), |stats, entry| Stats {
            documents: stats.documents + entry.documents as usize
                - entry.tombstones.len().min(entry.documents as usize),
            chunks: stats.chunks + entry.chunks as usize,
            questions: stats.questions + entry.questions as usize,
            vectors: stats.vectors + entry.vectors as usize,
            bytes: stats.bytes + entry.bytes,
        })
    }

    pub(super) fn segments(&self) -> impl Iterator<Item = &Segment> {
        self.mounts.iter().flat_map(|mount| &mount.segments)
    }
}
