//! Verbs: those that documentation uses, and their forms.

use super::{Table, table};
use std::sync::LazyLock;

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
     internationalize leverage clarify empty permit adapt adopt communicate compress consume delegate emit employ gather \
         simulate substitute unify unlock undo visit parallelize recognize sanitize operate annotate automate bundle compose crop fingerprint minify transpile work look",
    )
});

/// Verbs of what things do by themselves: they make a statement, but nobody is told to do them.
static STATIVE: Table = LazyLock::new(|| {
    table(
        "affect assume behave belong cause correspond cost defer differ end exceed fail follow guarantee hold imply \
     indicate introduce involve mean occupy occur offer own prefer reject refuse rely remain result retain satisfy \
     shadow speed suggest trim vary violate match need receive contain depend fall belong lack begin point \
         become say know come go lie speak stay bring carry cover fit tell hide serve count ask rank weigh reach stand",
    )
});

/// The base form of a third person that may be the verb of a statement.
pub(in crate::question) fn base_of_statement(word: &str) -> Option<String> {
    base_of_third_person(word).or_else(|| {
        let stem = word.strip_suffix('s')?;
        let candidates = [
            Some(stem.to_owned()),
            stem.strip_suffix('e').map(str::to_owned),
            stem.strip_suffix("ie").map(|stem| format!("{stem}y")),
        ];
        candidates.into_iter().flatten().find(|base| STATIVE.contains(base.as_str()))
    })
}

/// Whether `word` (in lower case) is the base form of a verb that may be that of a statement.
pub(in crate::question) fn is_statement_verb(word: &str) -> bool {
    is_verb(word) || STATIVE.contains(word)
}

/// Gerunds whose base form the spelling rules do not give.
const IRREGULAR_GERUNDS: &[(&str, &str)] =
    &[("lying", "lie"), ("tying", "tie"), ("dying", "die"), ("panicking", "panic"), ("mimicking", "mimic")];

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
pub(in crate::question) fn is_only_a_verb(word: &str) -> bool {
    ONLY_VERBS.contains(word)
}

/// Whether `word` (in lower case) is a verb in its base form.
pub(in crate::question) fn is_verb(word: &str) -> bool {
    VERBS.contains(word)
}

/// The base form of a gerund, where it is a known verb's: `borrowing` gives `borrow`.
pub(in crate::question) fn base_of_gerund(word: &str) -> Option<String> {
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
pub(in crate::question) fn base_of_third_person(word: &str) -> Option<String> {
    let stem = word.strip_suffix('s')?;
    let candidates = [
        Some(stem.to_owned()),
        stem.strip_suffix('e').map(str::to_owned),
        stem.strip_suffix("ie").map(|stem| format!("{stem}y")),
    ];
    candidates.into_iter().flatten().find(|base| is_verb(base))
}

/// The third person of a regular verb.
pub(in crate::question) fn third_person(base: &str) -> String {
    if base == "have" {
        return "has".into();
    }
    let sibilant = ["s", "x", "z", "ch", "sh", "o"].iter().any(|end| base.ends_with(end));
    match base.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ if sibilant => format!("{base}es"),
        _ => format!("{base}s"),
    }
}
