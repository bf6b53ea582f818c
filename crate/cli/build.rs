//! Embeds the browser's files (`www/dist`) in the binary, so that `querent build` writes a folder that a site can
//! copy as it is. `QUERENT_WEB_DIST` names another folder. Without the folder the binary carries no web assets,
//! and `querent build` says so.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let www = root.join("../../www");
    let dist = env::var_os("QUERENT_WEB_DIST").map_or_else(|| www.join("dist"), PathBuf::from);
    println!("cargo:rerun-if-env-changed=QUERENT_WEB_DIST");
    println!("cargo:rerun-if-changed=build.rs");
    // A missing path would make cargo run this script, and compile the crate, every time.
    let watched = if dist.is_dir() { &dist } else { &www };
    println!("cargo:rerun-if-changed={}", watched.display());

    let mut files = Vec::new();
    if dist.is_dir() {
        list(&dist, "", &mut files)?;
    }
    files.sort();
    let mut code = String::from("&[\n");
    for (name, path) in files {
        code += &format!("    ({name:?}, include_bytes!({:?}) as &[u8]),\n", path.display().to_string());
    }
    code += "]\n";
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it")).join("web_assets.rs");
    fs::write(out, code)
}

/// Collects (name relative to the folder, absolute path) of all files below `folder`; hidden ones stay out.
fn list(folder: &Path, prefix: &str, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let Some(name) =
            path.file_name().and_then(|name| name.to_str()).filter(|name| !name.starts_with('.'))
        else {
            continue;
        };
        let name = format!("{prefix}{name}");
        if path.is_dir() {
            list(&path, &format!("{name}/"), files)?;
        } else {
            files.push((name, fs::canonicalize(path)?));
        }
    }
    Ok(())
}
