//! JSON after it was parsed.
//!
//! Natively serde_json parses the manifest; a browser parses JSON by itself, and a second parser would be a sixth of
//! what every reader downloads. Both hand over a [`Json`] tree, and what its fields mean is read here, once: by name,
//! each at most once, with errors that name the field, what was expected and what was found.

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub enum Json {
    /// `null`, and what was left out.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number. Whole numbers are exact up to 2^53.
    Number(f64),
    /// A string.
    Text(String),
    /// An array.
    List(Vec<Json>),
    /// An object: its fields in order, no name twice.
    Object(Vec<(String, Json)>),
    /// What JSON does not have, by the name of its kind.
    Other(&'static str),
}

impl Json {
    fn kind(&self) -> &'static str {
        match self {
            Self::Null => "nothing",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::Text(_) => "a string",
            Self::List(_) => "a list",
            Self::Object(_) => "an object",
            Self::Other(kind) => kind,
        }
    }

    /// The fields of an object, to be read by name.
    ///
    /// # Errors
    /// When this is no object.
    pub fn into_fields(self) -> Result<Fields, String> {
        match self {
            Self::Object(fields) => Ok(Fields { fields, asked: Vec::new() }),
            other => Err(expected("an object", &other)),
        }
    }

    /// An object by `read`, which has to ask for every field that there is.
    ///
    /// # Errors
    /// When this is no object, what `read` says, or a field that it did not ask for: a slip in its name, most likely.
    pub fn into_object<T>(self, read: impl FnOnce(&mut Fields) -> Result<T, String>) -> Result<T, String> {
        let mut fields = self.into_fields()?;
        let object = read(&mut fields)?;
        fields.finish()?;
        Ok(object)
    }

    /// A string.
    ///
    /// # Errors
    /// When this is none.
    pub fn into_text(self) -> Result<String, String> {
        match self {
            Self::Text(text) => Ok(text),
            other => Err(expected("a string", &other)),
        }
    }

    /// A whole number from 0 to 2^53.
    ///
    /// # Errors
    /// When this is none.
    pub fn into_count(self) -> Result<u64, String> {
        match self {
            Self::Number(number) if number >= 0.0 && number <= 2_f64.powi(53) && number.fract() == 0.0 => {
                Ok(number as u64)
            }
            Self::Number(_) => Err("expected a whole number of 0 or more, got another one".into()),
            other => Err(expected("a whole number", &other)),
        }
    }

    /// A whole number of 0 or more that is small enough for 32 bits.
    ///
    /// # Errors
    /// When this is none.
    pub fn into_u32(self) -> Result<u32, String> {
        self.into_count()?
            .try_into()
            .map_err(|_| "expected a whole number below 2^32, got a larger one".into())
    }

    /// [`Self::into_u32`] as a size.
    ///
    /// # Errors
    /// When this is none.
    pub fn into_usize(self) -> Result<usize, String> {
        self.into_u32().map(|count| count as usize)
    }

    /// A number.
    ///
    /// # Errors
    /// When this is none, or not a finite one.
    pub fn into_number(self) -> Result<f32, String> {
        match self {
            Self::Number(number) if number.is_finite() => Ok(number as f32),
            other => Err(expected("a finite number", &other)),
        }
    }

    /// `true` or `false`.
    ///
    /// # Errors
    /// When this is neither.
    pub fn into_bool(self) -> Result<bool, String> {
        match self {
            Self::Bool(value) => Ok(value),
            other => Err(expected("true or false", &other)),
        }
    }

    /// A list, each of its items by `read`.
    ///
    /// # Errors
    /// When this is none, or that of the first item that `read` refuses.
    pub fn into_list<T>(self, read: impl Fn(Self) -> Result<T, String>) -> Result<Vec<T>, String> {
        match self {
            Self::List(items) => items.into_iter().map(read).collect(),
            other => Err(expected("a list", &other)),
        }
    }

    /// One of a few words, as the thing that it stands for.
    ///
    /// # Errors
    /// When this is no string or another one; the words are in the message.
    pub fn into_one_of<T: Copy>(self, words: &[(&str, T)]) -> Result<T, String> {
        let text = self.into_text()?;
        let found = words.iter().find(|(word, _)| *word == text);
        found.map(|&(_, thing)| thing).ok_or_else(|| {
            let words: Vec<_> = words.iter().map(|&(word, _)| word).collect();
            format!("expected one of {}, got `{text}`", words.join(", "))
        })
    }
}

fn expected(what: &str, got: &Json) -> String {
    format!("expected {what}, got {}", got.kind())
}

/// The fields of an object. Each is taken out by its name; [`Json::into_object`] complains about the rest.
#[derive(Debug)]
pub struct Fields {
    fields: Vec<(String, Json)>,
    asked: Vec<&'static str>,
}

impl Fields {
    /// The field `name` by `read`; `None` where it is absent or null.
    ///
    /// # Errors
    /// What `read` says, with the field's name.
    pub fn optional<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(Json) -> Result<T, String>,
    ) -> Result<Option<T>, String> {
        match self.take(name) {
            Json::Null => Ok(None),
            value => read(value).map(Some).map_err(|reason| format!("{name}: {reason}")),
        }
    }

    /// The field `name` by `read`.
    ///
    /// # Errors
    /// When it is absent, or what `read` says, with the field's name.
    pub fn required<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(Json) -> Result<T, String>,
    ) -> Result<T, String> {
        read(self.take(name)).map_err(|reason| format!("{name}: {reason}"))
    }

    /// Nothing is left.
    fn finish(self) -> Result<(), String> {
        match self.fields.first() {
            Some((name, _)) => {
                Err(format!("there is no field `{name}`; expected one of {}", self.asked.join(", ")))
            }
            None => Ok(()),
        }
    }

    fn take(&mut self, name: &'static str) -> Json {
        self.asked.push(name);
        let at = self.fields.iter().position(|(known, _)| known == name);
        at.map_or(Json::Null, |at| self.fields.swap_remove(at).1)
    }
}

impl From<serde_json::Value> for Json {
    fn from(value: serde_json::Value) -> Self {
        use serde_json::Value;
        match value {
            Value::Null => Self::Null,
            Value::Bool(value) => Self::Bool(value),
            Value::Number(number) => number.as_f64().map_or(Self::Other("a number too large"), Self::Number),
            Value::String(text) => Self::Text(text),
            Value::Array(items) => Self::List(items.into_iter().map(Into::into).collect()),
            Value::Object(fields) => {
                Self::Object(fields.into_iter().map(|(name, value)| (name, value.into())).collect())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[derive(Debug, PartialEq)]
    struct Crab {
        name: String,
        legs: u32,
        colours: Vec<String>,
        is_wet: Option<bool>,
    }

    fn crab(json: Json) -> Result<Crab, String> {
        json.into_object(|fields| {
            Ok(Crab {
                name: fields.required("name", Json::into_text)?,
                legs: fields.required("legs", |legs| legs.into_one_of(&[("eight", 8), ("ten", 10)]))?,
                colours: fields
                    .optional("colours", |list| list.into_list(Json::into_text))?
                    .unwrap_or_default(),
                is_wet: fields.optional("isWet", Json::into_bool)?,
            })
        })
    }

    #[test]
    fn errors_name_the_field() {
        let check = |json: serde_json::Value, expected: &str| {
            assert_eq!(crab(json.into()).expect_err("refused"), expected);
        };
        check(json!([]), "expected an object, got a list");
        check(json!({}), "name: expected a string, got nothing");
        check(json!({ "name": 1 }), "name: expected a string, got a number");
        check(json!({ "name": "a", "legs": "six" }), "legs: expected one of eight, ten, got `six`");
        let wrong_item = json!({ "name": "a", "legs": "ten", "colours": ["red", null] });
        check(wrong_item, "colours: expected a string, got nothing");
        let unknown = json!({ "name": "a", "legs": "ten", "wet": true });
        check(unknown, "there is no field `wet`; expected one of name, legs, colours, isWet");
    }

    #[test]
    fn what_is_left_out_is_none() {
        let read = crab(json!({ "name": "a", "legs": "ten", "isWet": null }).into());
        assert_eq!(read, Ok(Crab { name: "a".into(), legs: 10, colours: vec![], is_wet: None }));
    }

    #[test]
    fn numbers() {
        let check = |json: serde_json::Value, expected: Option<u64>| {
            assert_eq!(Json::from(json.clone()).into_count().ok(), expected, "{json}");
        };
        check(json!(0), Some(0));
        check(json!(9_007_199_254_740_992_u64), Some(1 << 53));
        check(json!(9_007_199_254_740_994_u64), None);
        check(json!(1.5), None);
        check(json!(-1), None);
        check(json!("1"), None);
        assert!(
            Json::Number(f64::NAN).into_number().is_err() && Json::Number(f64::NAN).into_count().is_err()
        );
        assert!(Json::Number(4_294_967_296.0).into_u32().is_err());
    }
}
