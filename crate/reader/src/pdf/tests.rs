use crate::{ReadSettings, Source, read};

#[test]
fn placeholder() {
    let error = read(&Source { path: "a.pdf", bytes: b"%PDF-1.4 nothing" }, &ReadSettings::default());
    assert!(error.is_err());
}
