"""Error that the columns of a table do not show which one holds the class or the scores."""

from __future__ import annotations

from collections.abc import Sequence

from tradeoff.errors import InputError
from tradeoff.sources.class_roles import ClassRoles, example_class_roles, infer_class_roles
from tradeoff.sources.column_lines import column_lines
from tradeoff.sources.column_summaries import ColumnSummary
from tradeoff.sources.predicted_roles import infer_multiclass_predictions
from tradeoff.sources.role_inference import Roles, example_roles


class UnclearRoles(InputError):  # noqa: N818 - reads as the sentence it is
    """The columns of a table do not show which one holds the class, or which the scores.

    `roles` holds what is known, and `summaries` the columns; `flags` are further ones of a command
    that would name them.
    """

    def __init__(
        self,
        roles: Roles | ClassRoles,
        summaries: Sequence[ColumnSummary],
        title: str,
        flags: Sequence[str] = (),
    ) -> None:
        self.roles, self.summaries, self.title = roles, tuple(summaries), title
        self.flags = tuple(flags)
        columns = "\n".join(f"  {line}" for line in self.column_lines(flags=False))
        super().__init__(
            f"{roles.problem} The columns of {title}:\n\n{columns}\n\n"
            f"{_example_sentence(roles, summaries)}"
        )

    def column_lines(self, *, flags: bool) -> list[str]:
        """One line per column: name, type, values and likely role."""
        if isinstance(self.roles, Roles):
            return column_lines(self.summaries, self.roles, flags=flags)
        scores = tuple(name for name in self.roles.scores.values() if name is not None)
        roles = Roles(self.roles.actual, scores)
        return column_lines(self.summaries, roles, flags=flags, needs_positive=False)


def _example_sentence(roles: Roles | ClassRoles, summaries: Sequence[ColumnSummary]) -> str:
    """Sentence with arguments that name the roles, to be edited."""
    if isinstance(roles, ClassRoles):
        actual, score = example_class_roles(roles, summaries)
        return f"Name them, for example actual={actual!r}, score={score!r}."
    if roles.actual is None and not roles.predicted:
        classes = infer_class_roles(summaries, min_classes=3)
        if not classes.problem:
            scores = dict(classes.scores)
            return f"Use evaluate_classes with actual={classes.actual!r} and score={scores!r}."
        labels = infer_multiclass_predictions(summaries)
        if labels is not None:
            predicted = list(labels.predicted)
            return f"Use evaluate_labels with actual={labels.actual!r} and predicted={predicted!r}."
    actual, positive, columns = example_roles(roles, summaries)
    positive_argument = "" if positive is None else f", positive={positive!r}"
    if roles.predicted and not roles.scores:
        return (
            f"Use evaluate_labels, for example with actual={actual!r}{positive_argument} and "
            f"predicted={list(roles.predicted)!r}."
        )
    return f"Name them, for example actual={actual!r}{positive_argument}, score={list(columns)!r}."
