//! English by tables: verbs, words that no subject may hold, plurals, and forms made from them.

use std::{collections::HashSet, sync::LazyLock};

/// A table of words.
pub(super) type Table = LazyLock<HashSet<&'static str>>;

/// The words of `list`, which spaces separate.
pub(super) fn table(list: &'static str) -> HashSet<&'static str> {
    list.split_ascii_whitespace().collect()
}

/// Verbs of documentation in their base form. A phrase is taken for an action only when it begins with one.
static VERBS: Table = LazyLock::new(|| {
    table(
        "contain derive pop abort accept access achieve activate add adjust allocate allow analyze append apply ask assign \
     attach authenticate avoid backup benchmark bind borrow break bring build bump bypass cache calculate \
     call cancel capture cast catch chain change check choose clean clear clone close coerce collect \
     combine comment commit compare compile compute concatenate configure connect construct contribute \
     control convert copy count create customize deal debug declare decode define delete deploy deprecate \
     dereference describe deserialize design destroy destructure detect determine develop diagnose \
     disable discover display distinguish distribute divide document download drop edit eliminate embed \
     enable encapsulate encode encrypt enforce ensure enter enumerate escape evaluate examine execute \
     expand explain explore export expose express extend extract fetch fill filter find fix force format \
     generate get give group grow handle hide host identify ignore implement import improve include \
     increase index infer inherit initialize inject insert inspect install instantiate integrate interact \
     interpret invoke iterate join keep launch leave limit link list listen load locate lock log loop \
     maintain make manage manipulate map mark match measure merge migrate minimize mock modify monitor \
     mount move mutate name navigate nest obtain omit open optimize order organize output overload \
     override overwrite pack package panic parse pass patch perform persist pick pin place play prepare \
     prevent preview print process produce profile propagate protect prove provide publish pull push put \
     query raise reach read rebuild receive recover redirect reduce refactor refer reference register \
     release reload remove rename render repeat replace report represent request require reset resize \
     resolve restart restore restrict retrieve return reuse reverse revert review rewrite roll rotate \
     round run save scale schedule search secure select send separate serialize serve set share shorten \
     show shrink sign silence slice yield cross simplify skip solve sort specify spawn split squash \
     start stop store stream structure style submit subscribe support suppress swap switch sync \
     synchronize take target tell test throw toggle trace track train transfer transform translate \
     traverse treat trigger troubleshoot tune turn type understand uninstall unpack unpublish unwrap \
     update upgrade upload use validate vendor verify view visualize wait walk wrap write yank zip \
     analyse initialise optimise organise customise serialise minimise highlight paginate localize \
     internationalize annotate automate bundle compose crop fingerprint minify transpile work look",
    )
});

/// Verbs of what things do by themselves: they make a statement, but nobody is told to do them.
static STATIVE: Table = LazyLock::new(|| {
    table(
        "affect assume behave belong cause correspond cost defer differ end exceed fail follow guarantee hold imply \
     indicate introduce involve mean occupy occur offer own prefer reject refuse rely remain result retain satisfy \
     shadow speed suggest trim vary violate match need receive contain depend fall belong lack begin point",
    )
});

/// The base form of a third person that may be the verb of a statement.
pub(super) fn base_of_statement(word: &str) -> Option<String> {
    base_of_third_person(word).or_else(|| {
        let stem = word.strip_suffix('s')?;
        let candidates = [Some(stem.to_owned()), stem.strip_suffix("ie").map(|stem| format!("{stem}y"))];
        candidates.into_iter().flatten().find(|base| STATIVE.contains(base.as_str()))
    })
}

/// Whether `word` (in lower case) is the base form of a verb that may be that of a statement.
pub(super) fn is_statement_verb(word: &str) -> bool {
    is_verb(word) || STATIVE.contains(word)
}

/// Gerunds whose base form the spelling rules do not give.
const IRREGULAR_GERUNDS: &[(&str, &str)] =
    &[("lying", "lie"), ("tying", "tie"), ("dying", "die"), ("panicking", "panic"), ("mimicking", "mimic")];

/// Words ending in -s that are not plurals.
static SINGULAR_IN_S: Table = LazyLock::new(|| {
    table(
        "address alias always analysis aws axis basis bias bus canvas chaos cors css dns emphasis gas \
     has https ios is its jenkins js kubernetes lens macos news os physics plus rails redis sass series \
     status synopsis this thus tls versus windows was does postgres axios ps ls",
    )
});

/// Plurals without -s.
const PLURALS: &[&str] =
    &["children", "criteria", "indices", "media", "people", "vertices", "matrices", "schemata"];

/// Nouns without an article in the singular.
static MASS: Table = LazyLock::new(|| {
    table(
        "access code concurrency content control data debt documentation feedback flow hardware help info \
     information inheritance input memory metadata middleware output parallelism performance polymorphism \
     privacy safety security semver software state storage support syntax text time traffic behavior work",
    )
});

/// Endings of nouns without an article in the singular, where nothing in the text says otherwise.
const MASS_ENDINGS: &[&str] = &["ship", "ness", "ism", "ility", "ware", "ancy", "ency", "age", "phy", "tion"];

/// Words that no subject may hold: with one of them it is a clause, or means nothing away from its place.
static NOT_IN_SUBJECT: Table = LazyLock::new(|| {
    table(
        "i you we he she it they them us me my your our their its this that these those there here who whom \
     whose which what when where why how if unless whether because since while although though as than \
     then so but not no nor each every any some all both either neither many most more much few several \
     other another others such same own one two three four five six seven eight nine ten first second third next last previous following \
     above below is are was were be been being am has have had do does did can could will would shall \
     should may might must let lets let's also however note now only just even very too still yet already \
     again let’s don't doesn't example listing figure chapter section table appendix step by from into \
     onto after before during until via using about between through within without see please instead \
     rather otherwise therefore finally additionally getting once sometimes usually thing things something anything everything \
     nothing way ways reason result part rest kind lot bit etc question answer idea point goal hence",
    )
});

/// Words that mean nothing away from the chunk, wherever they stand in a question.
static VAGUE: Table = LazyLock::new(|| {
    table(
        "this these those it its they them their he she his her here above below following previous we us our \
     you your listing figure chapter section it's you're we're they're you've we've there such former \
     latter aforementioned something things thing so itself themselves one ones respectively it’s again \
     you’re we’re you’ll you'll we'll we’ll accordingly earlier later likewise same example step \
     e.g i.e etc now today both other others another",
    )
});

/// Words that do not end a phrase.
static NOT_AT_END: Table = LazyLock::new(|| {
    table(
        "a an the of to in for with on at by from into and or but as than that is are be not no my more very \
     only also just any some each every all per via using between without like about over under when \
     whether if how what which i can will should must may has have do next previous \
     first second last own both either sometimes",
    )
});

/// See [`makes_gerund_a_thing`].
static AFTER_GERUND: Table = LazyLock::new(|| {
    table(
        "algorithm behavior blocks context convention conventions directory guide guidelines logic mode \
         operator operators order point process profile rules scope semantics strategies strategy style \
         system tool tools pipeline",
    )
});

/// Verbs that are no nouns: a heading that begins with one is an instruction.
static ONLY_VERBS: Table = LazyLock::new(|| {
    table(
        "add apply avoid choose configure convert create customize define delete disable edit enable \
         execute fetch generate get give handle implement include install keep make manage migrate modify move \
         optimize override parse prevent publish read remove rename render replace run save select send serve \
         share specify translate understand upgrade use validate verify write",
    )
});

/// Whether a heading that begins with `word` (in lower case) tells what to do.
pub(super) fn is_only_a_verb(word: &str) -> bool {
    ONLY_VERBS.contains(word)
}

/// Whether `word` (in lower case) is a verb in its base form.
pub(super) fn is_verb(word: &str) -> bool {
    VERBS.contains(word)
}

/// The base form of a gerund, where it is a known verb's: `borrowing` gives `borrow`.
pub(super) fn base_of_gerund(word: &str) -> Option<String> {
    if let Some((_, base)) = IRREGULAR_GERUNDS.iter().find(|(gerund, _)| *gerund == word) {
        return Some((*base).to_owned());
    }
    let stem = word.strip_suffix("ing")?;
    let doubled = {
        let mut end = stem.chars().rev();
        let last = end.next()?;
        (end.next() == Some(last)).then(|| &stem[..stem.len() - last.len_utf8()])
    };
    let candidates = [Some(stem.to_owned()), Some(format!("{stem}e")), doubled.map(str::to_owned)];
    candidates.into_iter().flatten().find(|base| is_verb(base))
}

/// The base form of a verb's third person: `copies` gives `copy`; `None` for anything else.
pub(super) fn base_of_third_person(word: &str) -> Option<String> {
    let stem = word.strip_suffix('s')?;
    let candidates = [
        Some(stem.to_owned()),
        stem.strip_suffix('e').map(str::to_owned),
        stem.strip_suffix("ie").map(|stem| format!("{stem}y")),
    ];
    candidates.into_iter().flatten().find(|base| is_verb(base))
}

/// Whether a noun (in lower case) is plural.
pub(super) fn is_plural(noun: &str) -> bool {
    let last = noun.rsplit(|c: char| !c.is_alphanumeric() && c != '\'').next().unwrap_or(noun);
    PLURALS.contains(&last)
        || last.len() > 2
            && last.ends_with('s')
            && !["ss", "us", "is", "'s", "’s"].iter().any(|ending| last.ends_with(ending))
            && !SINGULAR_IN_S.contains(last)
}

/// Whether a singular noun (in lower case) takes no article.
pub(super) fn is_mass(noun: &str) -> bool {
    MASS.contains(noun)
        || noun.len() > 4 && noun.ends_with("ing")
        || MASS_ENDINGS.iter().any(|ending| noun.len() > ending.len() + 2 && noun.ends_with(ending))
}

/// Whether `word` (in lower case) may be part of a subject.
pub(super) fn is_allowed_in_subject(word: &str) -> bool {
    let word = word.replace('’', "'");
    let is_contraction = ["n't", "'ve", "'re", "'ll", "'d", "'m"].iter().any(|end| word.ends_with(end));
    !is_contraction && !NOT_IN_SUBJECT.contains(word.as_str())
}

/// Whether a noun after a gerund makes it a thing ("building blocks"), not an action ("building sites").
pub(super) fn makes_gerund_a_thing(noun: &str) -> bool {
    AFTER_GERUND.contains(noun)
}

/// Whether `word` (in lower case) means nothing away from its chunk.
pub(super) fn is_vague(word: &str) -> bool {
    VAGUE.contains(word)
}

/// Whether a phrase may end with `word` (in lower case).
pub(super) fn may_end(word: &str) -> bool {
    !NOT_AT_END.contains(word)
}

/// Whether `word` is an article.
pub(super) fn is_article(word: &str) -> bool {
    matches!(word, "a" | "an" | "the")
}

/// "a" or "an" before `word`, by its spelling.
pub(super) fn indefinite_article(word: &str) -> &'static str {
    let lower = word.to_lowercase();
    let sounds_consonant = ["uni", "use", "usa", "usi", "uti", "eu", "one", "once", "ubi", "ura"];
    let sounds_vowel =
        ["hour", "honest", "honor", "heir", "html", "http", "xml", "sql", "ssh", "mdbook", "rss"];
    let is_acronym = word.len() > 1 && word.chars().all(|c| c.is_ascii_uppercase());
    let is_vowel = if sounds_consonant.iter().any(|start| lower.starts_with(start)) {
        false
    } else if sounds_vowel.iter().any(|start| lower.starts_with(start)) {
        true
    } else if is_acronym {
        lower.starts_with(['a', 'e', 'f', 'h', 'i', 'l', 'm', 'n', 'o', 'r', 's', 'x'])
    } else {
        lower.starts_with(['a', 'e', 'i', 'o', 'u'])
    };
    if is_vowel { "an" } else { "a" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gerunds() {
        for (gerund, base) in [
            ("installing", Some("install")),
            ("running", Some("run")),
            ("using", Some("use")),
            ("calling", Some("call")),
            ("passing", Some("pass")),
            ("copying", Some("copy")),
            ("panicking", Some("panic")),
            ("string", None),
            ("dangling", None),
            ("ing", None),
        ] {
            assert_eq!(base_of_gerund(gerund).as_deref(), base, "{gerund}");
        }
    }

    #[test]
    fn third_persons() {
        for (word, base) in [
            ("returns", Some("return")),
            ("copies", Some("copy")),
            ("matches", Some("match")),
            ("strings", None),
        ] {
            assert_eq!(base_of_third_person(word).as_deref(), base, "{word}");
        }
    }

    #[test]
    fn plurals_and_articles() {
        for (noun, expected) in [
            ("slices", true),
            ("class", false),
            ("status", false),
            ("alias", false),
            ("indices", true),
            ("os", false),
        ] {
            assert_eq!(is_plural(noun), expected, "{noun}");
        }
        for (noun, article) in
            [("enum", "an"), ("trait", "a"), ("union", "a"), ("HTML page", "an"), ("URL", "a"), ("RFC", "an")]
        {
            assert_eq!(indefinite_article(noun), article, "{noun}");
        }
    }
}
