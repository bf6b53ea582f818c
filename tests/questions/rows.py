"""The rows of the table: who made the questions, and what was done with them."""

from dataclasses import dataclass

SMALL, LARGER = "qwen2.5-coder-0.5b", "qwen2.5-coder-1.5b"
# Nothing listens there: a reply is kept, or its chunk is counted as missing.
NOWHERE = "http://127.0.0.1:9/v1"

BASELINE = "content only"
EVALUATOR, CONTEXT = "--question-evaluator", "--context"


@dataclass
class Row:
    """A way to build the index."""

    name: str
    arguments: list[str]
    # Whose kept replies it needs.
    model: str = ""
    # Rows beside the question of who asks are not repeated for each project.
    is_main: bool = False

    def command(self, replies):
        """What `querent eval` is given; `replies` is the folder of the kept ones."""
        if not self.model:
            return self.arguments
        endpoint = ["--llm-url", NOWHERE, "--llm-model", self.model, "--llm-cache", str(replies)]
        return [*self.arguments, *endpoint, "--llm-max-requests", "0"]


def rows(names=None):
    """All rows, or those named in a list with commas; the one that the others are compared with always, and first."""
    by_rules, by_model = ["--questions", "rules"], ["--questions", "llm"]
    found = [
        Row(BASELINE, ["--questions", "none"], is_main=True),
        Row("rules", by_rules, is_main=True),
        Row("rules + evaluator", [*by_rules, EVALUATOR, "on"]),
        Row("rules + embedded", [*by_rules, "--embed-questions"]),
    ]
    for title, model in [("0.5B", SMALL), ("1.5B", LARGER)]:
        found += [
            Row(f"LLM {title}", by_model, model, is_main=True),
            Row(f"LLM {title} + evaluator", [*by_model, EVALUATOR, "on"], model),
            Row(f"LLM {title} + cross-encoder", [*by_model, EVALUATOR, "cross-encoder"], model),
            Row(f"LLM {title} + embedded", [*by_model, "--embed-questions"], model),
            Row(f"LLM {title} + embedded + evaluator", [*by_model, "--embed-questions", EVALUATOR, "on"], model),
        ]
    found += [
        Row("content only - context", ["--questions", "none", CONTEXT, "none"]),
        Row("LLM 0.5B - context", [*by_model, CONTEXT, "none"], SMALL),
    ]
    wanted = [BASELINE, *names.split(",")] if names else [row.name for row in found]
    return [row for row in found if row.name in wanted]


def possible(found, help_text, models):
    """Those rows that the program knows and whose replies are kept; a sentence for each that is left out."""
    kept, left_out = [], []
    for row in found:
        unknown = [flag for flag in row.arguments if flag.startswith("--") and flag not in help_text]
        if unknown:
            left_out.append(f"{row.name}: `querent eval` has no `{unknown[0]}` in this version")
        elif row.model and row.model not in models:
            left_out.append(f"{row.name}: no replies of {row.model} are kept")
        else:
            kept.append(row)
    return kept, left_out
