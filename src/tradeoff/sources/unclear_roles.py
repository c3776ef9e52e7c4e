"""Error that the columns of a table do not show which one holds the class or the scores."""

from __future__ import annotations

from collections.abc import Sequence

from tradeoff.errors import InputError
from tradeoff.sources.column_lines import column_lines
from tradeoff.sources.column_summaries import ColumnSummary
from tradeoff.sources.role_inference import Roles, class_scores, example_roles


class UnclearRoles(InputError):  # noqa: N818 - reads as the sentence it is
    """The columns of a table do not show which one holds the class, or which the scores.

    `roles` holds what is known, and `summaries` the columns.
    """

    def __init__(self, roles: Roles, summaries: Sequence[ColumnSummary], title: str) -> None:
        self.roles, self.summaries, self.title = roles, tuple(summaries), title
        columns = "\n".join(f"  {line}" for line in column_lines(summaries, roles, flags=False))
        super().__init__(
            f"{roles.problem} The columns of {title}:\n\n{columns}\n\n"
            f"{_example_sentence(roles, summaries)}"
        )


def _example_sentence(roles: Roles, summaries: Sequence[ColumnSummary]) -> str:
    """Sentence with arguments that name the roles, to be edited."""
    classes = class_scores(summaries) if roles.actual is None else None
    if classes is not None:
        return f"Use evaluate_classes with actual={classes[0]!r} and score={classes[1]!r}."
    actual, positive, scores = example_roles(roles, summaries)
    positive_argument = "" if positive is None else f", positive={positive!r}"
    return f"Name them, for example actual={actual!r}{positive_argument}, score={list(scores)!r}."
