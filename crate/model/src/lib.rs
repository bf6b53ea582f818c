//! MiniLM.
