//! Statements turned round: "X is stored in ..." asks where, "X fails when ..." asks when, "X returns ..." asks
//! what; any other statement asks whether.

use super::{Context, add, clauses};
use crate::question::{
    Question,
    QuestionType::{self, Factual, Process, Purpose, Troubleshooting},
    clause::{Clause, Finite, clause},
    grammar::{
        Table, base_of_gerund, base_of_third_person, is_only_a_verb, is_plural, is_statement_verb, table,
    },
    passage::range_of,
    phrase::{Tail, tail},
};
use std::sync::LazyLock;

/// Verbs whose object is what a reader asks for: "What does X return?"
static ASKED_FOR: Table = LazyLock::new(|| {
    table(
        "accept allow check compute contain control create define describe disable display enable encode ensure \
     expect generate implement include indicate introduce mean override parse print produce provide report \
     represent require return specify store support take track trigger write yield",
    )
});

/// Verbs with the preposition that belongs to them: "What does X refer to?"
const WITH_PREPOSITION: &[(&str, &str)] = &[
    ("refer", "to"),
    ("depend", "on"),
    ("apply", "to"),
    ("map", "to"),
    ("expand", "to"),
    ("point", "to"),
    ("evaluate", "to"),
    ("compile", "to"),
    ("default", "to"),
    ("resolve", "to"),
    ("convert", "to"),
    ("rely", "on"),
    ("look", "for"),
    ("read", "from"),
];

/// Participles that are followed by a place: "Where is X stored?"
static PLACED: Table = LazyLock::new(|| {
    table(
        "allowed cached checked configured declared defined documented found installed kept listed located placed \
     saved specified stored written used",
    )
});

pub(super) fn rule(context: &Context, candidates: &mut Vec<Question>) {
    for sentence in context.sentences() {
        if sentence.last().is_some_and(|word| word.after.contains('?')) {
            continue;
        }
        for words in clauses(sentence) {
            let Some(clause) = clause(context, words) else { continue };
            let asked = asks(context, &clause);
            for (question_type, confidence, question) in asked {
                add(candidates, question_type, confidence, range_of(sentence), question);
            }
        }
    }
}

/// Confidence of a question about "the file", which only the chunk says more of.
const LOOSE: f32 = 0.56;

pub(super) type Asked = (QuestionType, f32, String);

/// The questions that the clause answers: one by its adverbial or object, and whether it holds.
pub(super) fn asks(context: &Context, clause: &Clause) -> Vec<Asked> {
    let mut asked = Vec::new();
    if let Some(question) = of_object(clause) {
        // Of one plain word or name almost anything may be asked: "What does Rust allow?"
        let is_broad =
            !clause.subject.contains([' ', '_', '.', ':', '(']) || clause.subject.matches(' ').count() > 3;
        asked.push((Factual, if is_broad { 0.5 } else { 0.7 }, question));
    }
    let Some(tail) = tail(context, clause.rest).filter(|tail| is_predicate(clause, tail)) else {
        return asked;
    };
    if let Some((word, question_type, confidence)) = asked_by(clause, &tail)
        && tail.is_whole
        && !has_second_verb(&tail.text)
    {
        let confidence = if clause.is_loose || clause.is_past() { LOOSE } else { confidence };
        asked.push((question_type, confidence, with_word(word, clause, &tail.text)));
    }
    if let Some(question) = of_place(clause, &tail) {
        asked.push((Factual, if clause.is_loose { LOOSE } else { 0.7 }, question));
    }
    if asked.is_empty() {
        asked.extend(whether(clause, &tail));
    }
    asked
}

/// "Why does X fail?": the clause in the order of a question behind `word`.
pub(super) fn with_word(word: &str, clause: &Clause, tail: &str) -> String {
    let (start, verb) = clause.parts();
    let not = if clause.is_negative { "not " } else { "" };
    format!("{word} {start} {} {not}{verb}{tail}?", clause.subject)
}

/// Whether the tail can stand behind the subject of a question.
pub(super) fn is_predicate(clause: &Clause, tail: &Tail) -> bool {
    let Some(first) = clause.rest.first() else { return false };
    let lower = first.lower();
    match clause.finite {
        // "is a ..." is a definition; "is that ...", "is to ..." and "is not only" are no predicates.
        Finite::Be(_) => {
            let is_noun = [
                "a", "an", "the", "to", "that", "what", "how", "where", "why", "one", "some", "no",
                "because", "as", "also", "only", "either", "both", "any", "every", "all", "each",
            ]
            .contains(&lower.as_str());
            !first.is_code && !is_noun && !is_number(&lower) && !is_plural(&lower) && !tail.text.is_empty()
        }
        Finite::Modal(_) | Finite::HaveTo(_) => {
            let is_base = is_statement_verb(&lower) || ["be", "have", "work"].contains(&lower.as_str());
            is_base && (lower != "be" && lower != "have" || tail.text.contains(' '))
        }
        Finite::Do(..) => true,
    }
}

fn is_number(word: &str) -> bool {
    !word.contains(char::is_alphabetic)
}

/// The question word that the clause's adverbial asks for.
fn asked_by(clause: &Clause, tail: &Tail) -> Option<(&'static str, QuestionType, f32)> {
    let next = clause.rest.get(tail.end).filter(|word| !word.is_code && word.before.is_empty())?;
    let follows = tail.end == 0 || [",", ""].contains(&clause.rest[tail.end - 1].after.as_str());
    let after = clause.rest.get(tail.end + 1)?;
    match next.lower().as_str() {
        _ if !follows || tail.text.starts_with("used to ") => None,
        "because" => Some(("Why", Purpose, 0.78)),
        "so" if after.is("that") => Some(("Why", Purpose, 0.76)),
        "when" | "if" | "unless" | "until" | "before" | "after"
            if !clause.is_to_reader() && !clause.rest[tail.end - 1].after.contains(',') =>
        {
            let is_trouble = ["fail", "panic", "error"]
                .iter()
                .any(|word| clause.parts().1.contains(word) || tail.text.contains(word));
            Some(("When", if is_trouble { Troubleshooting } else { Factual }, 0.7))
        }
        // "You can X by ...": see `imperative`.
        "by" | "using" if clause.is_to_reader() => None,
        "by" if base_of_gerund(&after.lower()).is_some() => Some(("How", Process, 0.72)),
        "using" => Some(("How", Process, 0.72)),
        _ => None,
    }
}

/// "What does X return?", "What does X refer to?"
fn of_object(clause: &Clause) -> Option<String> {
    let Finite::Do(does, base) = &clause.finite else { return None };
    let first = clause.rest.first()?;
    if clause.is_negative || clause.is_to_reader() || clause.is_loose {
        return None;
    }
    let preposition =
        WITH_PREPOSITION.iter().find(|(verb, preposition)| verb == base && first.is(preposition));
    if let Some((_, preposition)) = preposition {
        return Some(format!("What {does} {} {base} {preposition}?", clause.subject));
    }
    let lower = first.lower();
    let is_preposition =
        ["in", "on", "to", "from", "with", "at", "by", "for", "into", "as", "over"].contains(&lower.as_str());
    (ASKED_FOR.contains(base.as_str()) && (first.is_code || !is_preposition) && clause.rest.len() > 1)
        .then(|| format!("What {does} {} {base}?", clause.subject))
}

/// "Where is X stored?"
fn of_place(clause: &Clause, tail: &Tail) -> Option<String> {
    let Finite::Be(be) = clause.finite else { return None };
    let [participle, place, ..] = clause.rest else { return None };
    let is_place = ["in", "at", "under", "inside", "within", "on"].iter().any(|word| place.is(word));
    let is_known =
        PLACED.contains(participle.lower().as_str()) && !clause.is_negative && !clause.is_to_reader();
    (is_place && is_known && tail.end > 2)
        .then(|| format!("Where {be} {} {}?", clause.subject, participle.lower()))
}

/// "Does X allow Y?", "Can X have Y?", "Is X visible in Y?"
fn whether(clause: &Clause, tail: &Tail) -> Option<Asked> {
    let (start, verb) = clause.parts();
    let start = match start.as_str() {
        "will" | "am" => return None,
        _ => start[..1].to_uppercase() + &start[1..],
    };
    if clause.is_to_reader() && !matches!(clause.finite, Finite::HaveTo(_) | Finite::Modal("should")) {
        return None;
    }
    // "as follows" points at what comes.
    let is_cut = tail.text.ends_with("follows");
    // What a thing is made of and differs from is asked with "what" and "how", see `definition`, `comparison`.
    let is_definition = ["made up of", "composed of"].iter().any(|start| tail.text.starts_with(start))
        || ["differ ", "depend ", "relate "].contains(&verb.as_str());
    if is_cut || is_definition {
        return None;
    }
    let tail = first_predicate(clause, &tail.text);
    let words = tail.split(' ').count() + verb.split_whitespace().count();
    if words < 2 {
        return None;
    }
    let question_type = if clause.is_to_reader() { Process } else { Factual };
    let confidence = if clause.is_loose || clause.is_past() { 0.5 } else { 0.58 };
    Some((question_type, confidence, format!("{start} {} {verb}{tail}?", clause.subject)))
}

/// Whether a verb follows "and", which the question's order does not fit: "is not supported and returns an error".
fn has_second_verb(tail: &str) -> bool {
    let is_verb =
        |word: &str| is_only_a_verb(word) || word == "return" || base_of_third_person(word).is_some();
    tail.split(" and ").skip(1).any(|rest| rest.split(' ').next().is_some_and(is_verb))
}

/// The tail up to a second verb: "runs the queries and prints figures" asks "does it run the queries?"
fn first_predicate<'a>(clause: &Clause, tail: &'a str) -> &'a str {
    let is_verb =
        |rest: &str| rest.split(' ').next().is_some_and(|word| base_of_third_person(word).is_some());
    let second = tail.match_indices(" and ").find(|(at, and)| is_verb(&tail[at + and.len()..]));
    match second {
        Some((at, _)) if matches!(clause.finite, Finite::Do("does", _)) => &tail[..at],
        _ => tail,
    }
}
