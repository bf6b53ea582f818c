//! A damaged index is refused with a remedy, never read.

use crate::site::Site;
use std::fs;

#[test]
fn every_damaged_file_is_found() {
    let site = Site::docs();
    site.build(&[]).check(0, &[]);
    let files = site.files("out");
    assert!(files.keys().filter(|path| path.extension().is_some_and(|it| it == "bin")).count() >= 3);
    for (path, bytes) in files {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let mut flipped = bytes.clone();
        let at = flipped.len() / 2;
        flipped[at] ^= 0x20;
        for damage in [flipped, bytes[..bytes.len() / 2].to_vec(), Vec::new()] {
            fs::write(&path, damage).expect("is written");
            site.run(&["inspect", "out"]).check(1, &[&name, "again"]);
            if name == "manifest.json" || name.starts_with("directory") {
                site.run(&["search", "out", "reference"]).check(1, &[&name, "again"]);
            }
        }
        fs::remove_file(&path).expect("is deleted");
        if name != "assets.json" {
            site.run(&["inspect", "out"]).check(1, &[&name, "build"]);
        }
        fs::write(&path, bytes).expect("is written");
    }
    site.run(&["inspect", "out"]).check(0, &[]);
}

#[test]
fn another_version_is_named() {
    let site = Site::docs();
    site.build(&[]).check(0, &[]);
    let manifest = fs::read_to_string(site.path("out/manifest.json")).expect("is read");
    let other = manifest.replacen("\"formatVersion\": ", "\"formatVersion\": 9", 1);
    assert_ne!(manifest, other);
    fs::write(site.path("out/manifest.json"), other).expect("is written");
    site.run(&["search", "out", "x"]).check(1, &["format version 9", "same release"]);
}

#[test]
fn building_again_is_the_remedy() {
    let site = Site::docs();
    site.build(&[]).check(0, &[]);
    let sound = site.files("out");
    for path in sound.keys() {
        fs::write(path, "damaged").expect("is written");
    }
    site.build(&[]).check(0, &[]);
    assert_eq!(sound, site.files("out"));
}

#[test]
fn a_sites_own_files_are_not_replaced() {
    let site = Site::docs();
    site.write("public/manifest.json", "{\"name\": \"a web app\"}");
    site.run(&["build", "docs", "--out", "public", "--embeddings", "none"])
        .check(2, &["public", "manifest.json", "folder of its own", "public/querent"]);
    assert_eq!(std::fs::read_to_string(site.path("public/manifest.json")).expect("is there").len(), 21);
    site.run(&["build", "docs", "--out", "public/querent", "--embeddings", "none"]).check(0, &[]);
}
