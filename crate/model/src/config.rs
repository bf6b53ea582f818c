//! The numbers of the architecture, from upstream's `config.json`.

use crate::ModelError;
use serde::{Deserialize, Serialize};

/// Tokens that all-MiniLM-L6-v2 was trained to see, special tokens included. Its position table is longer, but
/// what sentence-transformers gives is cut here, and so are the vectors that ours are compared with.
const MAX_TOKENS: usize = 256;

/// The part of `config.json` that the forward pass depends on, checked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct BertConfig {
    pub hidden_size: usize,
    pub intermediate_size: usize,
    pub num_attention_heads: usize,
    pub num_hidden_layers: usize,
    pub max_position_embeddings: usize,
    pub type_vocab_size: usize,
    pub vocab_size: usize,
    pub layer_norm_eps: f32,
    #[serde(default = "gelu")]
    hidden_act: String,
    #[serde(default = "absolute")]
    position_embedding_type: String,
}

fn gelu() -> String {
    "gelu".into()
}

fn absolute() -> String {
    "absolute".into()
}

impl BertConfig {
    /// Reads and checks `config.json`. Fields that do not change the forward pass are ignored.
    pub(crate) fn from_json(json: &[u8]) -> Result<Self, ModelError> {
        let config: Self =
            serde_json::from_slice(json).map_err(|error| ModelError::Config { reason: error.to_string() })?;
        config.check()?;
        Ok(config)
    }

    /// Refuses what the forward pass cannot run, before anything is allocated by these numbers.
    pub(crate) fn check(&self) -> Result<(), ModelError> {
        let bounds = [
            ("hidden_size", self.hidden_size, 8192),
            ("intermediate_size", self.intermediate_size, 65_536),
            ("num_attention_heads", self.num_attention_heads, 256),
            ("num_hidden_layers", self.num_hidden_layers, 128),
            ("max_position_embeddings", self.max_position_embeddings, 65_536),
            ("type_vocab_size", self.type_vocab_size, 1024),
            ("vocab_size", self.vocab_size, 4_000_000),
        ];
        for (field, value, most) in bounds {
            if value == 0 || value > most {
                return refuse(format!("{field}: expected 1 to {most}, got {value}"));
            }
        }
        if !self.hidden_size.is_multiple_of(self.num_attention_heads) {
            let (size, heads) = (self.hidden_size, self.num_attention_heads);
            return refuse(format!("hidden_size: expected a multiple of {heads} heads, got {size}"));
        }
        if self.max_position_embeddings < 3 {
            return refuse("max_position_embeddings: expected at least 3, got fewer".into());
        }
        if !(self.layer_norm_eps >= 0.0 && self.layer_norm_eps < 1.0) {
            return refuse(format!("layer_norm_eps: expected 0 to 1, got {}", self.layer_norm_eps));
        }
        for (field, expected, got) in [
            ("hidden_act", "gelu", &self.hidden_act),
            ("position_embedding_type", "absolute", &self.position_embedding_type),
        ] {
            if expected != got {
                return refuse(format!("{field}: expected {expected:?}, got {got:?}"));
            }
        }
        Ok(())
    }

    /// Tokens that the model sees, special tokens included.
    pub(crate) fn max_tokens(&self) -> usize {
        self.max_position_embeddings.min(MAX_TOKENS)
    }
}

fn refuse(reason: String) -> Result<(), ModelError> {
    Err(ModelError::Config { reason })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(change: (&str, serde_json::Value), expected: Option<&str>) {
        let mut json = serde_json::json!({
            "hidden_size": 32, "intermediate_size": 64, "num_attention_heads": 4, "num_hidden_layers": 2,
            "max_position_embeddings": 64, "type_vocab_size": 2, "vocab_size": 300, "layer_norm_eps": 1e-12,
        });
        json[change.0] = change.1;
        let got = BertConfig::from_json(json.to_string().as_bytes());
        match expected {
            None => assert!(got.is_ok(), "{got:?}"),
            Some(part) => {
                let message = got.expect_err("is refused").to_string();
                assert!(message.contains(part), "{message}");
            }
        }
    }

    #[test]
    fn refuses_what_it_cannot_run() {
        check(("hidden_act", "gelu".into()), None);
        check(("hidden_act", "relu".into()), Some("expected \"gelu\", got \"relu\""));
        check(("position_embedding_type", "relative_key".into()), Some("expected \"absolute\""));
        check(("hidden_size", 33.into()), Some("multiple of 4 heads, got 33"));
        check(("hidden_size", 0.into()), Some("got 0"));
        check(("hidden_size", u64::MAX.into()), Some("hidden_size"));
        check(("num_attention_heads", 0.into()), Some("got 0"));
        check(("max_position_embeddings", 2.into()), Some("at least 3"));
        check(("layer_norm_eps", (-1.0).into()), Some("expected 0 to 1, got -1"));
        check(("vocab_size", "many".into()), Some("invalid type"));
    }

    #[test]
    fn the_limit_is_the_shorter_of_the_two() {
        let json = |positions: usize| {
            format!(
                r#"{{"hidden_size":32,"intermediate_size":64,"num_attention_heads":4,"num_hidden_layers":2,
                "max_position_embeddings":{positions},"type_vocab_size":2,"vocab_size":300,"layer_norm_eps":1e-12}}"#
            )
        };
        for (positions, tokens) in [(64, 64), (512, 256)] {
            let config = BertConfig::from_json(json(positions).as_bytes()).expect("is valid");
            assert_eq!(config.max_tokens(), tokens);
        }
    }
}
