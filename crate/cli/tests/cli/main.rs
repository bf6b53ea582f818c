//! The binary as scripts use it: arguments in; stdout, stderr, files and the exit status out.
//!
//! No test needs the model or the network, and each has a cache and a folder of its own.

mod ask;
mod build;
mod config;
mod damage;
mod eval;
mod formats;
mod llm;
mod rerank;
mod search;
mod serve;
mod site;
mod transform;
