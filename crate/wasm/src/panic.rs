//! Panics become readable.
//!
//! Without a hook a panic shows up in JavaScript as `RuntimeError: unreachable` and says nothing.

use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = console)]
    fn error(message: &str);
}

/// Runs when the module is instantiated. The trap that follows a panic still reaches the caller.
#[wasm_bindgen(start)]
fn install() {
    std::panic::set_hook(Box::new(|info| {
        error(&format!("Querent has a defect, please report it: {info}"));
    }));
}
