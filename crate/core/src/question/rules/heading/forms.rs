//! The forms of headings that ask something: "How to X", "X vs Y", "Installing X", "`--flag`", statements.

use crate::question::{
    QuestionType,
    clause::{Finite, clause, predicate},
    grammar::{base_of_gerund, base_of_third_person, is_only_a_verb, is_verb, makes_gerund_a_thing},
    passage::Word,
    phrase::{action, action_of_gerund},
    rules::{
        Context,
        comparison::difference_question,
        statement::{Asked, asks},
    },
    subject::{KINDS, subject},
};

/// "How to X", "How X Works", "When to X", "What Is X", "Why Use X", "What Happens When X".
pub(super) fn of_question_word(context: &Context, words: &[Word]) -> Option<Asked> {
    use QuestionType::{Factual, Process, Purpose};
    let [first, second, rest @ ..] = words else { return None };
    let ask = |start: &str, words| action(context, words, true).map(|phrase| format!("{start} {phrase}?"));
    let (first, second_word) = (first.lower(), second.lower());
    match (first.as_str(), second_word.as_str()) {
        ("how", "to") => ask("How do I", rest).map(|question| (Process, 0.9, question)),
        ("when", "to") => ask("When should I", rest).map(|question| (Factual, 0.88, question)),
        ("where", "to") => ask("Where can I", rest).map(|question| (Factual, 0.84, question)),
        ("what", "to") => ask("What should I", rest).map(|question| (Factual, 0.84, question)),
        ("why", "use") => subject(context, rest, true)
            .map(|subject| (Purpose, 0.88, format!("Why should I use {}?", subject.text))),
        ("what", "is" | "are") => subject(context, rest, true)
            .map(|subject| (Factual, 0.9, format!("What {} {}?", subject.be(), subject.text)))
            .or_else(|| of_asked_subject(context, words).map(|question| (Factual, 0.9, question))),
        ("how", _) => {
            let (verb, noun) = words[1..].split_last()?;
            let base = base_of_third_person(&verb.lower()).unwrap_or_else(|| verb.lower());
            let subject = subject(context, noun, true).filter(|_| base == "work")?;
            Some((Process, 0.9, format!("How {} {} work?", subject.does(), subject.text)))
        }
        ("what" | "who", _) => of_asked_subject(context, words).map(|question| (Factual, 0.9, question)),
        _ => None,
    }
}

/// "What leaves the browser": a question already, but for its mark.
fn of_asked_subject(context: &Context, words: &[Word]) -> Option<String> {
    let clause = predicate(&words[1..])?;
    let is_bounded = words[..words.len() - 1].iter().all(|word| word.after.is_empty());
    let is_verb = !matches!(clause.finite, Finite::Do("do", _));
    if words.len() < 4 || clause.rest.is_empty() || !is_bounded || !is_verb {
        return None;
    }
    let inside = words[1..].iter().map(|word| context.casing.inside(word, true));
    let asker = words[0].lower();
    let said = inside.collect::<Vec<_>>().join(" ");
    Some(format!("{}{} {said}?", asker[..1].to_uppercase(), &asker[1..]))
}

/// "X vs Y", "X versus Y", "Differences between X and Y", "X and Y".
pub(super) fn of_comparison(context: &Context, words: &[Word]) -> Option<Asked> {
    let find = |texts: &[&str]| words.iter().position(|word| texts.iter().any(|text| word.is(text)));
    if let Some(at) = find(&["vs", "versus"]) {
        let (one, other) = (subject(context, &words[..at], true)?, subject(context, &words[at + 1..], true)?);
        return Some((QuestionType::Relationship, 0.9, difference_question(&one, &other)));
    }
    if let (Some(between), Some(and)) = (find(&["between"]), find(&["and"]))
        && between < and
        && words[..between].iter().any(|word| word.is("difference") || word.is("differences"))
    {
        let one = subject(context, &words[between + 1..and], true)?;
        let other = subject(context, &words[and + 1..], true)?;
        return Some((QuestionType::Relationship, 0.9, difference_question(&one, &other)));
    }
    let and = find(&["and"])?;
    let is_short = and <= 3
        && words.len() - and <= 4
        && words[..words.len() - 1].iter().all(|word| word.after.is_empty());
    let is_action = base_of_gerund(&words[0].lower()).is_some();
    if !is_short || is_action || words[and + 1..].iter().any(|word| word.is("and")) {
        return None;
    }
    let (one, other) = (subject(context, &words[..and], true)?, subject(context, &words[and + 1..], true)?);
    // "Arithmetic and logical operators" are one kind of thing with two adjectives.
    if and == 1 && words.len() > 3 && other.is_plural && !one.is_plural {
        return None;
    }
    Some((QuestionType::Relationship, 0.72, format!("How are {} and {} related?", one.text, other.text)))
}

/// "Installing Rust", "Install Rust".
pub(super) fn of_action(context: &Context, words: &[Word]) -> Option<Asked> {
    let first = words.first()?;
    if base_of_gerund(&first.lower()).is_some() && words.len() > 1 {
        // "Testing strategies" and "Building blocks" are things, not actions.
        let is_bounded = words.get(2).is_none_or(|word| word.is("of") || word.is("for"));
        if is_bounded && makes_gerund_a_thing(&words[1].lower()) {
            return None;
        }
        return action_of_gerund(context, words)
            .map(|phrase| (QuestionType::Process, 0.86, format!("How do I {phrase}?")));
    }
    // A verb may be a noun as well ("Test organization", "Build scripts"), unless its object shows it.
    let shows = words
        .get(1)
        .is_some_and(|word| ["a", "an", "the", "your", "with", "from"].iter().any(|object| word.is(object)));
    // "Publish Options" are options.
    let is_kind =
        words.len() == 2 && words[1].lower().strip_suffix('s').is_some_and(|kind| KINDS.contains(kind));
    if is_kind {
        return None;
    }
    let has_place =
        words.get(1).is_some_and(|word| ["without", "at", "into", "onto"].iter().any(|place| word.is(place)));
    let shows = shows || has_place && is_verb(&first.lower());
    if !(shows || words.len() > 1 && is_only_a_verb(&first.lower())) {
        return None;
    }
    action(context, words, true).map(|phrase| (QuestionType::Process, 0.84, format!("How do I {phrase}?")))
}

/// "The manifest names one file", "A shard is a file".
pub(super) fn of_statement(context: &Context, words: &[Word]) -> Vec<Asked> {
    let Some(clause) = clause(context, words).filter(|clause| !clause.is_loose && words.len() > 3) else {
        return Vec::new();
    };
    match &clause.finite {
        Finite::Be(be) if clause.rest.first().is_some_and(|word| word.is("a") || word.is("an")) => {
            vec![(QuestionType::Factual, 0.76, format!("What {be} {}?", clause.subject))]
        }
        Finite::Be(_) | Finite::Do("does", _) => asks(context, &clause),
        _ => Vec::new(),
    }
}

/// `--verbose`.
pub(super) fn of_option(words: &[Word]) -> Option<Asked> {
    let option = words.first().filter(|word| word.text.starts_with("--") && word.text.len() > 4)?;
    let name = option.text.split(['=', ' ']).next()?;
    Some((QuestionType::Factual, 0.8, format!("What does {name} do?")))
}
